#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs that diverge leave over several processes what they leave in one: python3 diverged_test.py PROGRAM [TEST…]."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Run, sets
from methods import comparison, few_forms
from mpi_case import MpiCase, all_of

SETTING = """\
seed = 4
precision = "float32"
problem = { name = "mlp", size = 80, dimension = 6, hidden = "5" }
clients = { count = 8 }
run = { record_every = 4, threads = 1 }
"""


class Diverged(MpiCase):
    def assert_alike(self, one, other):
        self.assertEqual(other.summary["status"], one.summary["status"])
        self.assertEqual(other.trajectory, one.trajectory)
        self.assertTrue(all_of(other) == all_of(one), "a file or a record differs")

    def test_every_method(self):
        forms = few_forms(clients=8)
        for eta, all_diverge in ((1e20, True), (1e9, False)):  # at once, and some after records
            self.write("c.toml", SETTING + comparison(forms, K=5, T=8, iterations=40, eta=eta, D=1e38))
            words = ["run", "c.toml", "--quiet", "--force", "--out"]
            self.doc2s(*words, "alone", code=3)
            self.mpi(3, *words, "several", code=3)
            folders = sorted(path.parent.name for path in (self.home / "alone").glob("*/summary.json"))
            self.assertEqual(len(folders), len(forms))
            for folder in folders:
                with self.subTest(method=folder, eta=eta):
                    one, other = (Run(self.home / root / folder, None) for root in ("alone", "several"))
                    self.assert_alike(one, other)
                    self.assertTrue(one.summary["status"] == "diverged" or not all_diverge)

    def test_from_a_checkpoint(self):
        method = "method = { K = 5, T = 8, eta = 1e9, D = 1e38 }\n"
        self.write("c.toml", SETTING + method)
        alone = self.run_config("c.toml", code=3)
        self.assertGreater(alone.summary["iterations"], 2)
        answer = self.mpi(4, "run", "c.toml", "--out", "several", "--checkpoint-every", 2, code=3)
        self.assertIn("continues from the checkpoint of iteration", answer.err)
        self.assertIn(f"diverged in iteration {alone.summary['iterations']}", answer.err)
        self.assertEqual(Run(self.home / "several", None).trajectory, alone.trajectory)
        again = self.mpi(2, "run", "--resume", "several", "--quiet", code=3)
        self.assertIn(alone.trajectory, again.out)

    def test_with_a_trace(self):
        self.write("c.toml", SETTING + "method = { K = 5, T = 8, eta = 1e9, D = 1e38 }\n")
        words = ["run", "c.toml", "--quiet", *sets(run__record_every=100)]
        self.doc2s(*words, "--out", "alone", "--trace", "alone.jsonl", code=3)
        self.mpi(3, *words, "--out", "several", "--trace", "several.jsonl", code=3)
        self.assert_alike(Run(self.home / "alone", None), Run(self.home / "several", None))
        alone, several = ((self.home / f"{name}.jsonl").read_text().splitlines() for name in ("alone", "several"))
        self.assertEqual(several[1:], alone[1:])


if __name__ == "__main__":
    harness.main()
