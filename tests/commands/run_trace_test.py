#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`doc2s run --trace`: python3 run_trace_test.py PROGRAM [TEST…]."""
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Case, ON_FILE, RUN_FILES, sets, strict_json


class TraceFile(Case):
    HEADER = ["n", "d", "precision", "problem", "data", "batch", "method", "order", "form", "K", "T", "R",
              "gossip", "eta", "D", "delta_prime", "lambda", "alpha", "P", "x0"]

    def trace(self, *words):
        run = self.small("--trace", "trace.jsonl", "--force", *words)
        lines = (self.home / "trace.jsonl").read_text().splitlines()
        return run, strict_json(lines[0])["header"], [strict_json(line) for line in lines[1:]], lines

    def test_format(self):
        for order in ("first", "zeroth"):
            run, header, ticks, _ = self.trace(*sets(method__order=order, problem__batch=3))
            self.assertLessEqual(set(self.HEADER), set(header))
            self.assertEqual([header[key] for key in ("n", "d", "order", "x0")], [16, 5, order, "zero"])
            self.assertEqual(np.array(header["P"]).shape, (16, 16))
            self.assertEqual([tick["tick"] for tick in ticks], list(range(40)))
            for tick in ticks:
                self.assertEqual({key: len(tick[key]) for key in ("s", "batch", "z", "g", "y_mean")},
                                 dict(s=16, batch=3, z=5, g=5, y_mean=5))
                self.assertTrue(0 <= tick["client"] < 16 and all(0 <= row < 200 for row in tick["batch"]))
                self.assertTrue(all(0 <= s <= 1 for s in tick["s"]))
                length = np.linalg.norm(tick["z"])
                self.assertTrue(length <= 1 + 1e-12 if order == "first" else abs(length - 1) < 1e-12)

    def test_several_directions(self):
        """z lists them; the first is that of a run with one, until the trajectories part."""
        _, header, ticks, _ = self.trace(*sets(method__order="zeroth", method__directions=3))
        self.assertEqual(header["directions"], 3)
        for tick in ticks:
            self.assertEqual((np.shape(tick["z"]), len(tick["batch"]), len(tick["g"])), ((3, 5), 1, 5))
            self.assertTrue(np.allclose(np.linalg.norm(tick["z"], axis=1), 1, atol=1e-12))
        alone = self.trace(*sets(method__order="zeroth"))[2]
        self.assertEqual([tick["z"] for tick in alone], [tick["z"][0] for tick in ticks])
        self.assertEqual([tick["batch"] for tick in alone], [tick["batch"] for tick in ticks])

    def test_several_directions_where_all_compute(self):
        for method, shape in (("dgfm", (16, 3, 5)), ("dgfm-plus", (16, 2 * 3, 5))):  # 2 pairs, 3 directions each
            words = sets(method=f'{{name="{method}", order="zeroth", directions=3, b_prime=2, iterations=1}}')
            self.assertEqual(np.shape(self.trace(*words)[2][0]["z"]), shape)

    def test_a_trace_does_not_change_the_run(self):
        self.assertEqual(self.trace()[0].bits(), self.small().bits())

    def test_figures_have_all_digits(self):
        run, header, ticks, lines = self.trace(*sets(method__eta=0.1))
        self.assertIn('"eta": 0.10000000000000001', lines[0])
        self.assertRegex(lines[3], r"0\.\d{16,}")

    def test_a_budget_cuts_the_trace_too(self):
        self.assertEqual(len(self.trace(*sets(run__budget="{iterations=6}"))[2]), 6)

    def test_rows_of_the_data_file(self):
        self.write("p.svm", self.svm_lines())
        self.write("t.toml", ON_FILE.format(data="p.svm"))
        self.run_config("t.toml", "--trace", "t.jsonl", *sets(clients__partition="contiguous"))
        head, *ticks = map(strict_json, (self.home / "t.jsonl").read_text().splitlines())
        self.assertEqual(head["header"]["data"], str(self.home / "p.svm"))
        for tick in ticks:
            self.assertEqual(tick["batch"][0] // 5, tick["client"])

    def test_large_traces_must_be_asked_for_twice(self):
        large = sets(problem__dimension=20000, problem__sparsity=0.001, run__budget="{iterations=2}")
        self.refused("run", "small.toml", "--out", "o", "--trace", "t", *large,
                     says=["--trace", "twice", "20000"])
        run = self.small("--trace", "t", "--trace", "t", *large)
        self.assertEqual(len((self.home / "t").read_text().splitlines()), 3)
        self.assertEqual(run.trajectory, self.small(*large).trajectory)

    def test_refusals(self):
        self.write("precious", "data")
        table = [(["precious"], ["precious", "exists", "--force"]), (["a", "--trace", "b"], ["--trace"]),
                 (["no/such/folder/t"], ["no/such/folder/t"]), (["/proc/t"], ["/proc/t"]),
                 (["."], ["directory"]), *((["o/" + name], ["o/" + name]) for name in RUN_FILES)]
        for words, says in table:
            with self.subTest(words=words):
                self.refused("run", "small.toml", "--quiet", "--out", "o", "--trace", *words, says=says)

    def test_a_trace_within_the_new_directory(self):
        self.small("--trace", "new/trace.jsonl", out=self.home / "new")
        self.assertEqual(len((self.home / "new/trace.jsonl").read_text().splitlines()), 41)


if __name__ == "__main__":
    harness.main()
