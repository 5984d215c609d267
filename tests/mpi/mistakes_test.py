#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Mistakes under mpirun are told once: python3 mistakes_test.py PROGRAM [TEST…]."""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Run, sets, snapshot
from mpi_case import MPIRUN, MpiCase


class Mistakes(MpiCase):
    def refused_by_mpi(self, ranks, *words, says=(), code=2):
        answer = self.mpi(ranks, *words, code=code)
        self.assert_one_sentence(answer, *says)
        self.assertEqual(answer.out, "")
        return answer

    def test_more_ranks_than_clients(self):
        self.refused_by_mpi(5, "run", "small.toml", *sets(clients__count=4), says=("5 processes", "4 clients"))
        self.assertFalse((self.home / "runs").exists())

    def test_what_all_ranks_find_is_told_once(self):
        self.refused_by_mpi(4, "run", "missing.toml", says=("missing.toml",))
        self.refused_by_mpi(4, "run", "small.toml", *sets(method__etta=1), says=("etta", "eta"))
        self.refused_by_mpi(4, "list", "graphs", says=("only run",))

    def test_versions_and_helps_are_told_once(self):
        for words in (["--version"], ["run", "--help"]):
            ended = subprocess.run([*MPIRUN, "-n", "3", harness.PROGRAM, *words], capture_output=True, text=True, timeout=harness.PATIENCE,
                                   stdin=subprocess.DEVNULL, check=True)
            alone = subprocess.run([harness.PROGRAM, *words], capture_output=True, text=True, check=True)
            self.assertEqual(ended.stdout, alone.stdout)

    def test_what_the_first_rank_finds(self):
        self.small(out=self.home / "there")
        before = snapshot(self.home)
        self.refused_by_mpi(4, "run", "small.toml", "--out", "there", says=("there",))
        self.assertEqual(snapshot(self.home), before)

    def test_bad_data_on_one_rank(self):
        self.write_sites()
        self.write("site-5.svm", "+1 1:1\n-1 2:oops\n")
        self.refused_by_mpi(16, "run", "sites.toml", says=("rank 5: ", "site-5.svm:2", "oops"))
        self.write("site-11.svm", "+1 1:1\n-1 2:worse\n")
        self.refused_by_mpi(16, "run", "sites.toml", says=("rank 5: ", "site-5.svm:2", "oops"))  # the lowest of two
        self.write_sites()
        (self.home / "site-5.svm").unlink()
        self.refused_by_mpi(8, "run", "sites.toml", says=("rank 2: ", "client 5 has no data", "site-5.svm"))
        self.write("site-5.svm", "+1 1:1\n2 2:1\n")  # seen only by comparing all sites
        self.refused_by_mpi(8, "run", "sites.toml", says=("client 5 has the label 2", "site-5.svm"))
        self.assertFalse((self.home / "runs").exists())

    def test_ranks_that_were_started_differently(self):
        one = [*MPIRUN, "-n", "1", harness.PROGRAM, "run", "small.toml", "--quiet", "--force", "--out", "mixed"]
        other = ["-n", "2", *one[one.index(harness.PROGRAM):]]
        for more, code, says in (([*sets(run__threads=3)], 0, ""),
                                 (["--trace", "t.jsonl"], 2, "rank 1"),
                                 ([*sets(clients__count=5)], 2, "rank 1"),
                                 ([*sets(precision="float32")], 2, "rank 1")):
            with self.subTest(more=more):
                ended = subprocess.run([*one, ":", *other, *more], cwd=self.home, env=self.environment(), timeout=harness.PATIENCE,
                                       stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
                self.assertEqual(ended.returncode, code, ended.stderr)
                self.assertIn(says, ended.stderr)
                self.assertEqual(ended.stderr.count("doc2s:"), 1 if code else 0, ended.stderr)

    def test_divergence(self):
        for words in (sets(method__D=1e308, method__eta=1e308), sets(method__D=1e308, method__eta=1e300, run__record_every=1000)):
            alone = self.small(*words, "--force", out=self.home / "alone", code=3)
            answer = self.mpi(4, "run", "small.toml", "--quiet", "--force", "--out", "several", *words, code=3)
            self.assertIn("finite", alone.answer.out + alone.answer.err)
            self.assertIn("finite", answer.out + answer.err)
            self.assertEqual(Run(self.home / "several", None).records[0]["iteration"], 0)


if __name__ == "__main__":
    harness.main()
