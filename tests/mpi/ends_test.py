#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sudden ends under mpirun, and the launcher ./doc2s mpi: python3 ends_test.py PROGRAM [TEST…]."""
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Run, sets, strict_json, wait_until
from mpi_case import MpiCase, launcher_command, rank_pids

LONG = """\
problem = { size = 400, dimension = 40 }
method = { K = 1000000, T = 100 }
run = { record_every = 20, threads = 1 }
"""


def alive(pid):
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


class SuddenEnds(MpiCase):
    def started(self, ranks, command=None):
        """A long run that has made some records, and the processes that carry it out."""
        self.write("long.toml", LONG)
        words = ["run", "long.toml", "--quiet", "--out", "long"]
        process = command(*words) if command else self.start_mpi(ranks, *words)
        records = self.home / "long/metrics.jsonl"
        wait_until(lambda: records.exists() and records.read_text().count("\n") > 3 and len(rank_pids(self.home)) == ranks, process)
        self.assertIsNone(process.poll(), "it ended by itself")
        return process, rank_pids(self.home)

    def assert_nobody_is_left(self, pids):
        wait_until(lambda: not any(map(alive, pids)))

    def assert_readable(self):
        lines = (self.home / "long/metrics.jsonl").read_text().splitlines()
        self.assertGreater(len([strict_json(line) for line in lines]), 3)
        self.doc2s("report", "long", "-o", "page.html")

    def test_a_killed_rank(self):
        process, pids = self.started(8)
        os.kill(random.choice(pids), signal.SIGKILL)
        answer = self.end_of(process)
        self.assertNotIn(answer.code, (0, 2, 3, 130))
        self.assert_nobody_is_left(pids)
        self.assert_readable()

    def test_signals_to_mpirun(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process, pids = self.started(4)
            process.send_signal(number)
            self.assertNotEqual(self.end_of(process).code, 0)
            self.assert_nobody_is_left(pids)
            self.assert_readable()
            shutil.rmtree(self.home / "long")

    def test_the_signal_that_mpirun_passes_on(self):
        process, pids = self.started(4)
        process.send_signal(signal.SIGUSR1)
        self.assertEqual(self.end_of(process).code, 130)
        self.assert_interrupted_in_good_order(pids)

    def assert_interrupted_in_good_order(self, pids):
        self.assert_nobody_is_left(pids)
        run = Run(self.home / "long", None)
        self.assertEqual(run.summary["status"], "interrupted")
        self.assertEqual(run.records[-1]["iteration"], run.summary["iterations"])
        self.assertEqual(run.numbers("output.npy").shape, (16, 40))
        self.assert_readable()

    def launcher(self, *words):
        return subprocess.Popen(launcher_command(self.home, *words), cwd=self.home, env=self.environment(),
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def test_the_launcher(self):
        answer = self.end_of(self.launcher(3, "run", "small.toml", "--quiet", "--out", "launched"))
        self.assertEqual((answer.code, answer.err), (0, ""))
        self.assertEqual(Run(self.home / "launched", None).trajectory, self.small().trajectory)
        answer = self.end_of(self.launcher(5, "run", "small.toml", *sets(clients__count=4)))
        self.assertEqual(answer.code, 2)
        self.assert_one_sentence(answer, "5 processes", "4 clients")
        answer = self.end_of(self.launcher(2, "--no-such-option", "run", "small.toml"))
        self.assertNotEqual(answer.code, 0)
        self.assertIn("no-such-option", answer.err)

    def test_an_interrupted_launcher(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process, pids = self.started(3, lambda *words: self.launcher(3, *words))
            process.send_signal(number)
            answer = self.end_of(process)
            self.assertEqual((answer.code, answer.err), (130, ""))
            self.assert_interrupted_in_good_order(pids)
            shutil.rmtree(self.home / "long")

    def test_a_killed_rank_of_the_launcher(self):
        process, pids = self.started(3, lambda *words: self.launcher(3, *words))
        os.kill(random.choice(pids), signal.SIGKILL)
        answer = self.end_of(process)
        self.assertEqual(answer.code, 137)
        self.assert_one_sentence(answer, "signal 9")


if __name__ == "__main__":
    harness.main()
