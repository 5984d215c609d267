#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`doc2s guarantee`, plan, run and certificates in one: python3 guarantee_test.py PROGRAM [TEST…]."""
import pathlib
import signal
import subprocess
import sys
import tomllib

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import RUN_FILES, Case, sets, strict_json

PROBLEM = """\
[problem]
size = 400
dimension = 10
sparsity = 1.0
noise = 0.0
lambda = 1e-4
[clients]
count = 8
"""
OTHER_GOALS = """\
[method]
name = "doc2s"
K = 2
T = 5
R = 1
eta = 0.5
D = 0.5
[run]
record_every = 1
budget = { samples = 10, seconds = 1e-9 }
"""
GOAL = ["--delta", 1, "--epsilon", 0.3]
MLP = """\
[problem]
name = "mlp"
size = 100
dimension = 6
classes = 3
hidden = "4"
[clients]
count = 2
"""


class Guarantee(Case):
    def setUp(self):
        super().setUp()
        self.write("p.toml", PROBLEM)
        self.write("doc2s.toml", PROBLEM + OTHER_GOALS)

    def answer(self, *words, config="p.toml", goal=GOAL, code=0, **more):
        return strict_json(self.doc2s("guarantee", config, *goal, "--json", "--quiet", *words, code=code, **more).out)

    def method(self, folder):
        return tomllib.loads((self.home / folder / "config.toml").read_text())["method"]


class WhatItDoes(Guarantee):
    def test_plan_run_and_certificate(self):
        found = self.answer("--out", "g")
        plan = strict_json(self.doc2s("plan", "--from", "p.toml", *GOAL, "--method", "doc2s-travel", "--constants", "tight", "--json", "--quiet").out)
        for key in ("method", "constants", "K", "T", "D", "eta", "samples", "bytes", "lipschitz"):
            self.assertEqual(found["plan"][key], plan[key], key)
        self.assertEqual((plan["method"], plan["constants"]), ("doc2s-travel", "tight"))
        run = found["run"]
        self.assertEqual((run["status"], run["samples"], run["iterations"]), ("finished", plan["samples"], plan["K"] * plan["T"]))
        [one] = found["certificates"]  # for all clients, whose outputs are equal
        self.assertEqual((one["client"], one["delta"], one["epsilon"], one["certified"], one["kind"]), (None, 1, 0.3, True, "exact"))
        self.assertTrue(found["certified"])
        self.assertIn("All 8 clients' outputs are certified as (1, 0.3)-Goldstein stationary", found["verdict"])
        self.assertIn("in expectation", found["verdict"])
        self.assertEqual(sorted(path.name for path in (self.home / "g").iterdir()), sorted([*RUN_FILES, "guarantee.certificate"]))
        self.assertLessEqual(len((self.home / "g/metrics.jsonl").read_text().splitlines()), 22)

    def test_the_certificate_is_checked_and_reported(self):
        for method in ("doc2s", "doc2s-travel"):
            found = self.answer("--out", method, "--method", method)
            checked = strict_json(self.doc2s("certify", "--check", f"{method}/guarantee.certificate", "--json", "--quiet").out)
            for one, again in zip(found["certificates"], checked, strict=True):
                self.assertEqual((again["client"], again["certified"]), (one["client"], True))
                self.assertAlmostEqual(again["bound"], one["bound"], delta=1e-9)
            report = self.doc2s("report", method, "-o", f"{method}.html")
            self.assertNotIn("other points", report.err)
            self.assertIn("guarantee.certificate", (self.home / f"{method}.html").read_text())

    def test_it_can_be_run_again(self):
        self.answer("--out", "g")
        again = self.run_config("g/config.toml")
        self.assertEqual(again.summary["trajectory"], strict_json((self.home / "g/summary.json").read_text())["trajectory"])
        self.assertNotIn("parameters from the theory", self.doc2s("run", "g/config.toml").err)

    def test_the_config_s_method_and_not_its_lengths(self):
        found = self.answer("--out", "g", config="doc2s.toml")
        self.assertEqual((found["plan"]["method"], found["run"]["method"]), ("doc2s", "doc2s"))
        self.assertEqual(found["run"]["samples"], found["plan"]["samples"])
        self.assertEqual(len(found["certificates"]), 8)
        self.assertEqual(self.method("g")["R"], found["plan"]["R_exact"])
        self.assertNotIn("budget", tomllib.loads((self.home / "g/config.toml").read_text())["run"])
        self.assertLess(len((self.home / "g/metrics.jsonl").read_text().splitlines()), 30)
        self.assertEqual(self.answer("--method", "doc2s-travel", config="doc2s.toml")["plan"]["R"], 0)

    def test_zeroth_order(self):
        found = self.answer("--order", "zeroth", goal=["--delta", 1, "--epsilon", 0.9])
        self.assertEqual((found["plan"]["order"], found["run"]["order"], found["certified"]), ("zeroth", "zeroth", True))

    def test_a_budget(self):
        found = self.answer("--samples", 3000, goal=["--delta", 1])
        self.assertLessEqual(found["run"]["samples"], 3000)
        self.assertEqual(found["certificates"][0]["epsilon"], found["plan"]["epsilon"])
        self.assertTrue(found["certified"])
        self.assertIn("every point is stationary", self.answer("--samples", 10, goal=["--delta", 1])["verdict"])

    def test_the_seed_decides(self):
        hashes = [self.answer("--seed", seed)["run"]["trajectory"] for seed in (1, 1, 2)]
        self.assertEqual((hashes[0], hashes[0] == hashes[2]), (hashes[1], False))

    def test_text(self):
        out = self.doc2s("guarantee", "p.toml", *GOAL, *sets(run__record_every=5)).out
        for words in (r"from L = [\d.]+ \(a bound\)", r"(?m)^K +\d+ +epochs", r"(?m)^costs +[\d,]+ +samples, [\d,]+ communication rounds, [\d.]+ \wB, expected",
                      r"finished after [\d,]+ iterations \(the end of the method\)", r"(?m)^  files +runs/guarantee-p$",
                      r"\n\nAll 8 clients' outputs are certified .*: the largest bound is [\d.]+\. The theorem .*\.\n\Z"):
            self.assertRegex(out, words)
        self.assertGreater(len((self.home / "runs/guarantee-p/metrics.jsonl").read_text().splitlines()), 30)


class WhatIsNotProved(Guarantee):
    def test_measured_constants(self):
        self.write("mlp.toml", MLP)
        found = self.answer(config="mlp.toml", goal=["--delta", 2, "--samples", 2000], code=None)
        self.assertIn("sampled", found["plan"]["lipschitz"]["source"])
        self.assertIn("L and G are measured and not proved, so the plan is a plan and only a certificate counts", found["verdict"])
        given = self.answer(*sets(method__lipschitz=30, method__gradient_bound=30), config="mlp.toml", goal=["--delta", 2, "--samples", 2000], code=None)
        self.assertNotIn("measured", given["verdict"])

    def test_a_client_that_is_not_certified(self):
        """With constants that are far too small the plan is far too short, and no theorem holds."""
        small = sets(method__lipschitz=1e-3, method__gradient_bound=1e-3, method__gap=1e-6)
        answer = self.doc2s("guarantee", "p.toml", "--delta", 0.001, "--epsilon", 1e-4, *small, "--quiet", code=5)
        self.assertIn("\n0 of 8 clients' outputs are certified as (0.001, 0.0001)-Goldstein stationary", answer.out)
        self.assertIn("in expectation" if "in expectation" in answer.out else "about the expectation", answer.out)
        found = self.answer(*small, goal=["--delta", 0.001, "--epsilon", 1e-4], code=5)
        self.assertEqual((found["certified"], found["certificates"][0]["certified"]), (False, False))


class Mistakes(Guarantee):
    def test_one_sentence(self):
        for words, says in (
                (["--epsilon", 1], ["--delta is missing"]),
                (["--delta", 1], ["--epsilon is missing", "--samples"]),
                ([*GOAL, "--samples", 100], ["--samples 100", "both are given"]),
                (["--delta", 0, "--epsilon", 1], ["--delta 0"]),
                ([*GOAL, "--method", "dsgd"], ["--method dsgd", "no theorem"]),
                ([*GOAL, "--order", "second"], ["--order second"]),
                ([*GOAL, *sets(method__travellers=2)], ["travellers = 1"]),
                ([*GOAL, *sets(method__route="tour")], ["uniform", "tour"]),
                ([*GOAL, *sets(run__budget__seconds=3)], ["run.budget.seconds", "before its plan"]),
                (["--delta", 1e-9, "--epsilon", 1e-9], ["too large to be run"]),
                ([*GOAL, "--nonsense"], ["--nonsense"])):
            with self.subTest(words=words):
                self.refused("guarantee", "p.toml", *words, "--out", "g", says=says)
        self.refused("guarantee", "nowhere.toml", *GOAL, says=["nowhere.toml"])
        self.refused("guarantee", says=["config"])

    def test_no_run_is_lost(self):
        self.answer("--out", "g")
        self.refused("guarantee", "p.toml", *GOAL, "--json", "--quiet", "--out", "g", says=["already holds a run", "--force"])
        self.answer("--out", "g", "--force", "--seed", 2)
        self.doc2s("certify", "--check", "g/guarantee.certificate")

    def test_interrupted(self):
        process = self.start("guarantee", "p.toml", "--delta", 1, "--epsilon", 1e-3, "--out", "g", "--quiet", stdout=subprocess.PIPE, text=True)
        harness.wait_until((self.home / "g/metrics.jsonl").exists, process)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=harness.PATIENCE)
        self.assertEqual(process.returncode, 130)
        self.assertIn("go on    doc2s run --resume g", out)
        self.assertIn("The run was interrupted, so nothing is certified", out)
        self.assertFalse((self.home / "g/guarantee.certificate").exists())

    def test_the_hint_of_a_run_that_sets_nothing(self):
        hint = "`doc2s guarantee CONFIG"
        self.assertIn(hint, self.doc2s("run", "p.toml", *sets(run__budget__iterations=20)).err)
        self.assertNotIn(hint, self.doc2s("run", "p.toml", *sets(run__budget__iterations=20, method__eta=0.1)).err)
        self.assertNotIn(hint, self.doc2s("run", "p.toml", *sets(run__budget__iterations=20, method__name="dsgd")).err)


if __name__ == "__main__":
    harness.main()
