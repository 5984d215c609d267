#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What every method that the program lists must keep: equal bits on any number of threads, through stops and traces, and sound
counts. python3 bits_test.py PROGRAM [TEST…]."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Case, Run, sets
from methods import few_forms
from replay.trace import replay_of

SETTING = """\
seed = 5
problem = {{ size = 120, dimension = 6, batch = 2 }}
clients = {{ count = 6, partition = "dirichlet" }}
run = {{ record_every = 7, threads = 1, budget = {{ iterations = 60 }} }}
precision = "{precision}"
network = {{ {network} }}
"""
LINKS = 'change = "links", loss = 0.3, burst = 2'
PERIODIC = 'change = "periodic", graphs = ["ring", "star"], every = 3'  # 9 edges in all


class Contract(Case):
    def each_form(self):
        """Writes c.toml for every form of every method, the fallbacks in both precisions, choices by turns in one of them, and each
        method once on networks that change; gives the undisturbed run."""
        both, seen = [("float32", ""), ("float64", "")], set()
        for number, form in enumerate(few_forms(clients=6)):
            settings = [both[number % 2]] if form.choice else both
            if form.method not in seen:
                settings = settings + [("float64", LINKS), ("float32", PERIODIC)]
                seen.add(form.method)
            for precision, network in settings:
                more = {"route": "uniform"} if network == PERIODIC else {}  # no tour where graphs take turns
                self.write("c.toml", SETTING.format(precision=precision, network=network)
                           + form.table(K=6, T=10, R=2, iterations=60, q=7, **more))
                with self.subTest(form=form.title, precision=precision, network=network):
                    yield form, self.run_config("c.toml")

    def test_threads(self):
        for _, whole in self.each_form():
            for threads in (2, 3):
                self.assertEqual(self.run_config("c.toml", *sets(run__threads=threads)).bits(), whole.bits())

    def test_resumed_from_every_place(self):
        for _, whole in self.each_form():
            for iterations in (1, 9, 10, 29, 30, 31, 59, 60):
                cut = self.run_config("c.toml", "--checkpoint-every", 7, *sets(run__budget__iterations=iterations))
                self.assertEqual(cut.summary["iterations"], iterations)
                self.doc2s("run", "--resume", cut.directory, "--quiet", *sets(run__budget__iterations=60))
                self.assertEqual(Run(cut.directory, None).bits(), whole.bits(), f"stopped at {iterations}")

    def test_a_trace_changes_nothing_and_goes_on(self):
        for number, (_, whole) in enumerate(self.each_form()):
            one, two = f"{number}-whole", f"{number}-cut"
            self.assertEqual(self.run_config("c.toml", "--trace", one).bits(), whole.bits())
            cut = self.run_config("c.toml", "--trace", two, "--checkpoint-every", 7, *sets(run__budget__iterations=25))
            self.doc2s("run", "--resume", cut.directory, "--quiet", "--trace", two, *sets(run__budget__iterations=60))
            self.assertEqual(Run(cut.directory, None).bits(), whole.bits())
            self.assertEqual((self.home / two).read_text().replace(two, one), (self.home / one).read_text())

    def test_counts(self):
        """6 clients on a ring: over 12 directed edges go rows of 6 numbers."""
        for form, whole in self.each_form():
            width = 4 if whole.config["precision"] == "float32" else 8
            for record in whole.records:
                self.assertEqual(record["computation_rounds"], record["iteration"])
                if whole.config["network"]["change"] == "none":
                    self.assertTrue(replay_of(form.method).sound_bytes(record, 6 * width, 12), record)
                else:  # the replay knows what was up
                    self.assertLessEqual(record["bytes"], record["communication_rounds"] * 18 * 6 * width)
                    self.assertEqual(record["bytes"] % (6 * width), 0)
                self.assertEqual(record["samples"] % 2, 0, "whole batches")
                least = 1 if form.order == "first" else 2
                self.assertGreaterEqual(record["evaluations"], least * record["samples"])
            for key in ("samples", "evaluations", "communication_rounds"):
                counted = [record[key] for record in whole.records]
                self.assertEqual(sorted(set(counted)), counted, f"{key} grows from record to record")
            self.assertEqual(whole.summary["method"], form.method)
            self.assertEqual(whole.summary["order"], form.order)


if __name__ == "__main__":
    harness.main()
