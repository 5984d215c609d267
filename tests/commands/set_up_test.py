#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Setting up what is large: signals are heeded, nothing is written, progress is shown. python3 set_up_test.py PROGRAM [TEST…]."""
import pathlib
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Case, sets, snapshot, without_progress

LARGE = """\
[problem]
size = 100000
dimension = 2
[clients]
count = 100000
[method]
R = 200
"""
SLOW = ("erdos-renyi", "path")  # takes long to draw; has a spectrum that takes long
PROMPT = 60  # seconds; about one on an idle machine


def listens(process):
    """Whether it has a handler for SIGTERM."""
    lines = pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines()
    mask = next((line.split()[1] for line in lines if line.startswith("SigCgt")), "0")
    return int(mask, 16) >> (signal.SIGTERM - 1) & 1


class SetUp(Case):
    def setUp(self):
        super().setUp()
        self.write("large.toml", LARGE)

    def stopped(self, *words, sent=signal.SIGTERM, when=listens):
        """The answer, within a moment, to a signal half a second after `when`."""
        process = self.start(*words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            while not when(process):
                time.sleep(0.01)
            time.sleep(0.5)
            self.assertIsNone(process.poll(), "it is set up already")
            process.send_signal(sent)
            before = time.monotonic()
            out, err = process.communicate(timeout=harness.PATIENCE)
            self.assertLess(time.monotonic() - before, PROMPT)
            return harness.Answer(process.returncode, out, without_progress(err))
        finally:
            process.kill()
            process.wait()

    def interrupted(self, *words, **more):
        before = snapshot(self.home)
        answer = self.stopped(*words, **more)
        self.assertEqual(answer.code, 130, answer.err)
        self.assert_one_sentence(answer, "interrupted while")
        self.assertEqual(snapshot(self.home), before)

    def test_of_a_run(self):
        for graph in SLOW:
            for sent in (signal.SIGTERM, signal.SIGINT):
                with self.subTest(graph, sent=sent):
                    self.interrupted("run", "large.toml", "--out", "o", *sets(network__graph=graph), sent=sent)
                    self.assertFalse((self.home / "o").exists())

    def test_of_a_comparison(self):
        self.write("two.toml", LARGE.replace("[method]", "[[method]]") + '[[method]]\nname = "dgfm"\n')
        self.interrupted("run", "two.toml", *sets(network__graph="erdos-renyi"))
        self.assertFalse((self.home / "runs").exists())

    def test_of_a_run_that_is_to_be_replaced(self):
        run = self.small(out=self.home / "o")
        bits = run.bits()
        self.interrupted("run", "large.toml", "--out", "o", "--force", *sets(network__graph="erdos-renyi"))
        self.assertEqual(run.bits(), bits)

    def test_of_sweeps_and_tunings(self):
        for words in (["sweep", "large.toml", "--over", "method.eta=0.1,0.2", "--out", "s", "--jobs", 2],
                      ["tune", "large.toml", "--budget", "samples=1000", "--out", "t"]):
            with self.subTest(words[0]):
                answer = self.stopped(*words, "--quiet", *sets(network__graph="erdos-renyi"))
                self.assertEqual(answer.code, 130, answer.err)

    def test_of_the_first_record(self):
        """Of 4000 points, the losses at 100,000 samples each."""
        changes = sets(clients__count=4000, network__graph="torus", method__gossip="plain")
        answer = self.stopped("run", "large.toml", "--quiet", "--out", "o", *changes,
                              when=lambda _: (self.home / "o/metrics.jsonl").exists())
        self.assertEqual(answer.code, 130, answer.err)
        self.assert_one_sentence(answer, "interrupted while computing the losses of the first record",
                                 "to begin again: doc2s run --resume o")

    def test_progress(self):
        process = self.start("run", "large.toml", "--out", "o", *sets(network__graph="erdos-renyi"),
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        with process:
            try:
                self.assertRegex(process.stderr.readline(), r"^setting up: (making synthetic data|drawing the graph), \d+%\n$")
            finally:
                process.terminate()


if __name__ == "__main__":
    harness.main()
