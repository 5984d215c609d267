#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`doc2s tune`: python3 tune_test.py PROGRAM [TEST…]."""
import csv
import pathlib
import signal
import subprocess
import sys
import tomllib

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Case, sets, strict_json, wait_until

CONFIG = """\
seed = 3
[problem]
size = 200
dimension = 5
[clients]
count = 4
[method]
K = 4
T = 10
eta = 0.05
D = 0.05
[run]
record_every = 7
budget = { seconds = 1 }
"""
SEVERAL = CONFIG.replace("[method]", "[[method]]") + """
[[method]]
name = "me-dol"
[[method]]
name = "dsgd"
momentum = 0.9
"""


class Tunes(Case):
    def tune(self, *more, config=CONFIG, out="t", trials=8, budget="samples=1600", **how):
        self.write("c.toml", config)
        words = ["tune", "c.toml", "--out", out, "--trials", trials, "--quiet", *more]
        return self.doc2s(*words, *(["--budget", budget] if budget else []), **how)

    def told(self, out="t"):
        return strict_json((self.home / out / "tune.json").read_text())

    def summary(self, directory):
        return strict_json((self.home / directory / "summary.json").read_text())

    def kept(self, out):
        """What must not depend on jobs or interruptions."""
        return [(self.home / out / name).read_text() for name in ("tune.json", "tune.csv", "tuned.toml")]

    def test_finds_values_and_tells_how(self):
        answer = self.tune("--jobs", 2)
        method, = self.told()["methods"]
        self.assertEqual(set(method["values"]), {"method.eta", "method.D", "method.R"})
        self.assertEqual(len(method["trials"]), 8)
        self.assertEqual([seed["seed"] for seed in method["seeds"]], [3, 4, 5])
        scores = [seed["score"] for seed in method["seeds"]]
        self.assertAlmostEqual(method["score"], sum(scores) / 3)
        self.assertEqual([method["lowest"], method["highest"]], [min(scores), max(scores)])
        for says in ("eta = ", "tuned.toml", "samples spent", "% of 8 full runs", "over the seeds 3 to 5; chosen with seed 1000003"):
            self.assertIn(says, answer.out)
        self.assertIn("</html>", (self.home / "t/report.html").read_text())
        rows = list(csv.DictReader((self.home / "t/tune.csv").read_text().splitlines()))
        self.assertEqual([row["trial"] for row in rows], [str(k) for k in range(8)])
        self.assertEqual([float(row["method.eta"]) for row in rows],
                         [trial["values"]["method.eta"] for trial in method["trials"]])

    def test_what_is_reported_was_not_chosen_on_its_own_seeds(self):
        self.tune()
        told = self.told()
        method, = told["methods"]
        seeds = {path.parent.name: tomllib.loads(path.read_text())["seed"] for path in (self.home / "t/doc2s").glob("*/config.toml")}
        self.assertEqual(told["trial_seed"], 1000003)
        self.assertEqual({seed for name, seed in seeds.items() if len(name) == len("trial-000")}, {1000003})
        best = method["trials"][method["best"]]["directory"]
        self.assertEqual([(one["seed"], one["directory"]) for one in method["seeds"]], [(k, f"{best}-seed-{k}") for k in (3, 4, 5)])
        self.assertEqual(sorted(seed for seed in seeds.values() if seed != 1000003), [3, 4, 5])
        self.assertEqual(tomllib.loads((self.home / "t/tuned.toml").read_text())["seed"], 3)

    def test_every_row_has_every_column(self):
        self.tune(config=SEVERAL, trials=2)
        rows = list(csv.reader((self.home / "t/tune.csv").read_text().splitlines()))
        self.assertEqual({len(row) for row in rows}, {len(rows[0])})

    def test_the_configs_own_values_are_the_first_trial(self):
        self.tune()
        first = self.told()["methods"][0]["trials"][0]
        self.assertEqual(first["values"], {"method.R": 2, "method.eta": 0.05, "method.D": 0.05})

    def test_tuned_toml_is_the_best_run(self):
        self.tune()
        method, = self.told()["methods"]
        run = self.run_config("t/tuned.toml")
        best = self.summary(f"t/{method['seeds'][0]['directory']}")
        self.assertEqual(run.trajectory, best["trajectory"])
        self.assertEqual(run.config["run"]["record_every"], 7)
        self.assertNotIn("seconds", run.config["run"]["budget"])
        comment = (self.home / "t/tuned.toml").read_text().splitlines()[:2]
        self.assertIn("samples = 1600, 8 trials", comment[0])

    def test_longer_runs_cost_only_their_rest(self):
        self.tune()
        method, = self.told()["methods"]
        used = {trial["directory"]: trial["count"] for trial in method["trials"]}
        # 8, 4, 3, 3, 3 trials at 100, 200, 400, 800, 1600 samples; three seeds
        self.assertEqual(sorted(used.values()), [100] * 4 + [200] + [1600] * 3)
        self.assertEqual(method["spent"], 4 * 100 + 200 + 6 * 1600)
        for directory, samples in used.items():
            self.assertEqual(self.summary(f"t/{directory}")["samples"], samples)
        # Records of the first rung, closer together than those of the last, are still there: nothing was run again.
        lines = (self.home / "t" / method["trials"][method["best"]]["directory"] / "metrics.jsonl").read_text().splitlines()
        at = [strict_json(line)["iteration"] for line in lines]
        self.assertGreaterEqual(len([k for k in at if 90 < k <= 100]), 2)
        self.assertLess(len([k for k in at if k > 800]), 50)

    def test_jobs_do_not_matter(self):
        self.tune("--jobs", 1, out="one")
        self.tune("--jobs", 3, out="three")
        self.assertEqual(self.kept("one"), self.kept("three"))

    def stopped(self, how, scored):
        """Started, and sent a signal when so many trials have a score."""
        process = self.start("tune", "c.toml", "--out", "parts", "--trials", 8, "--quiet", "--budget", "samples=64000",
                             stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(lambda: len(list((self.home / "parts").rglob("rungs.json"))) >= scored, process)
        process.send_signal(how)
        return process.wait(harness.PATIENCE)

    def test_goes_on_after_interruptions(self):
        self.tune(budget="samples=64000", out="whole")
        self.assertEqual(self.stopped(signal.SIGINT, 2), 130)
        self.assertEqual(self.stopped(signal.SIGKILL, 5), -signal.SIGKILL)
        self.assertIn(self.stopped(signal.SIGKILL, 9), (0, -signal.SIGKILL))
        self.tune(budget="samples=64000", out="parts")
        self.assertEqual(self.kept("whole"), self.kept("parts"))

    def test_rounds_that_do_not_contract_are_drawn_again(self):
        ring = [*sets(clients__count=16, network__graph="ring", network__weights="uniform")]
        self.refused("run", self.write("c.toml", CONFIG), *ring, *sets(method__R=1), says=["does not contract"])
        self.tune(*ring, "--over", "method.R=1..3", trials=12, budget="samples=320")
        trials = self.told()["methods"][0]["trials"]
        self.assertEqual({trial["values"]["method.R"] for trial in trials}, {2, 3})
        self.assertEqual({trial["status"] for trial in trials}, {"finished"})

    def test_done_again_it_runs_nothing(self):
        self.tune()
        before = {path: path.stat().st_mtime_ns for path in (self.home / "t").rglob("metrics.jsonl")}
        kept = self.kept("t")
        self.tune()
        self.assertEqual(kept, self.kept("t"))
        self.assertEqual(before, {path: path.stat().st_mtime_ns for path in before})

    def test_several_methods_get_equal_trials(self):
        self.tune(config=SEVERAL)
        methods = self.told()["methods"]
        self.assertEqual([method["label"] for method in methods], ["doc2s", "me-dol", "dsgd"])
        self.assertEqual([len(method["trials"]) for method in methods], [8, 8, 8])
        self.assertEqual(set(methods[2]["values"]), {"method.eta", "method.momentum"})
        config = tomllib.loads((self.home / "t/tuned.toml").read_text())
        self.assertEqual([one["eta"] for one in config["method"]],
                         [method["values"]["method.eta"] for method in methods])
        runs = self.home / "again"
        self.doc2s("run", "t/tuned.toml", "--quiet", "--out", runs)
        for method in methods:
            self.assertEqual(self.summary(runs / method["label"])["trajectory"],
                             self.summary(f"t/{method['seeds'][0]['directory']}")["trajectory"])

    def test_what_is_tuned(self):
        cases = [((*sets(method__eta="0.02"),), {"method.D", "method.R"}),
                 (("--over", "method.delta_prime=1e-4..1e-2"), {"method.eta", "method.D", "method.R", "method.delta_prime"}),
                 ((*sets(method__name="dsgd"),), {"method.eta"}),
                 ((*sets(method__name="dsgd"), "--over", "method.momentum=0.5..0.99"), {"method.eta", "method.momentum"})]
        for k, (words, keys) in enumerate(cases):
            with self.subTest(words=words):
                self.tune(*words, out=f"t{k}", trials=3, budget="iterations=160")
                method, = self.told(f"t{k}")["methods"]
                self.assertEqual(set(method["values"]), keys)
                for name in keys:
                    low, high = (method["ranges"][name][end] for end in ("low", "high"))
                    for trial in method["trials"][1:]:
                        self.assertTrue(low <= trial["values"][name] <= high)

    def test_budgets_of_every_count(self):
        for budget in ("iterations=320", "computation_rounds=320", "communication_rounds=3200", "bytes=3e6"):
            with self.subTest(budget=budget):
                axis, amount = budget.split("=")
                self.tune(budget=budget, out=axis, trials=4)
                method, = self.told(axis)["methods"]
                best = self.summary(f"{axis}/{method['seeds'][0]['directory']}")
                self.assertGreaterEqual(best[axis], float(amount))
                self.assertLess(best[axis], 1.2 * float(amount))

    def test_accuracy_is_that_of_validation(self):
        self.write("test.svm", self.svm_lines(40))
        self.write("train.svm", self.svm_lines(80))
        config = CONFIG.replace("size = 200\ndimension = 5", 'data = "train.svm"\ntest = "test.svm"')
        self.write("c.toml", config)
        self.refused("tune", "c.toml", "--out", "t", "--trials", 4, "--budget", "samples=160", "--by", "accuracy",
                     says=["test set", "problem.validation = 0.2"])
        config = config.replace('test = "test.svm"', 'test = "test.svm"\nvalidation = 0.3')
        self.tune("--by", "accuracy", config=config, trials=4)
        self.assertEqual(self.told()["by"], "validation_accuracy")
        method, = self.told()["methods"]
        last = [trial["score"] for trial in method["trials"] if trial["rungs"] == 5]
        self.assertEqual(method["trials"][method["best"]]["score"], max(last))

    def test_mistakes(self):
        self.write("c.toml", CONFIG)
        words = ["tune", "c.toml", "--out", "t", "--trials", 4]
        good = ["--budget", "samples=160"]
        for more, says in [
            ([], ["no budget", "--budget samples=64000"]),
            (["--budget", "seconds=5"], ["seconds", "samples"]),
            (["--budget", "sampels=500"], ["sampels", 'did you mean "samples"']),
            (["--budget", "samples"], ["--budget samples", "count=number"]),
            (["--budget", "samples=3"], ["at least 16"]),
            ([*good, "--by", "loss"], ["--by", "loss"]),
            ([*good, "--by", "goldstein"], ["goldstein", "certify_every"]),
            ([*good, "--by", "accuracy"], ["accuracy", "--by"]),
            ([*good, "--over", "method.eta=1"], ["--over method.eta=1", "low..high"]),
            ([*good, "--over", "method.eta=1..0.1"], ["range is empty"]),
            ([*good, "--over", "method.eta=0..1"], ["above 0"]),
            ([*good, "--over", "method.etta=0.1..1"], ["etta", 'did you mean "method.eta"']),
            ([*good, "--over", "method.K=1..5"], ["method.K cannot be tuned"]),
            ([*good, "--over", "method.eta=0.1..1", *sets(method__eta="1")], ["--set too"]),
            ([*good, *sets(method__eta="1", method__D="1", method__R="2")], ["nothing is left to tune"]),
            ([*good, *sets(method__parameters="theory", method__delta="1", method__epsilon="1")],
             ["theorem", "parameters"]),
            ([*good, *sets(problem__data="nowhere")], ["nowhere"]),
        ]:
            with self.subTest(words=more):
                self.refused(*words, *more, says=says)

    def test_another_tune_in_the_folder_is_refused(self):
        self.tune(trials=3, budget="samples=160")
        words = ["tune", "c.toml", "--out", "t", "--quiet"]
        for more in (["--trials", 4, "--budget", "samples=160"], ["--trials", 3, "--budget", "samples=320"],
                     ["--trials", 3, "--budget", "samples=160", *sets(seed="9")],
                     ["--trials", 3, "--budget", "samples=160", "--by", "loss_worst"],
                     ["--trials", 3, "--budget", "samples=160", "--over", "method.D=0.01..0.1"]):
            self.refused(*words, *more, says=["another", "--out"])
        self.write("other/thing.txt", "mine")
        self.refused("tune", "c.toml", "--out", "other", "--budget", "samples=160", says=["other things", "--out"])

    def test_explain_shows_the_range(self):
        self.assertIn("doc2s tune looks from 0.0001 to 1", self.doc2s("explain", "method.eta").out)


if __name__ == "__main__":
    harness.main()
