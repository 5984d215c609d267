#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`doc2s plan` and method.parameters = "theory" from outside: python3 plan_test.py PROGRAM [TEST…]."""
import os
import pathlib
import sys
import tomllib

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import PROJECT, Case, sets, strict_json

CHECK = ("--delta 0.5 --epsilon 0.5 --lipschitz 1 --gradient-bound 1 --gap 1 --dimension 10 "
         "--graph ring --clients 16 --neighbours 3").split()
KEYS = ["K", "T", "D", "eta", "epsilon_prime", "R", "delta_prime", "samples", "computation_rounds", "communication_rounds"]
THEORY = """\
seed = 1
[problem]
size = 64
dimension = 6
[clients]
count = 4
[method]
parameters = "theory"
delta = 0.5
epsilon = 5.0
"""


def changed(words, **values):
    """CHECK with --delta 1 in place of its own, or without --delta where the value is None."""
    words = list(words)
    for name, value in values.items():
        flag = "--" + name.replace("_", "-")
        if flag in words:
            at = words.index(flag)
            del words[at:at + 2]
        words += [flag, str(value)] if value is not None else []
    return words


class Plan(Case):
    def plan(self, *words, **more):
        return strict_json(self.doc2s("plan", *words, "--json", **more).out)

    def test_check_values(self):
        plan = self.plan(*CHECK)
        self.assertLessEqual(set(KEYS), set(plan))
        self.assertEqual([plan[key] for key in ("K", "T", "R", "delta_prime")], [144, 661, 153, 0.25])
        self.assertAlmostEqual(plan["D"], 0.5 / 8 / 661, delta=1e-18)
        self.assertAlmostEqual(plan["eta"], plan["D"] / 661**0.5, delta=1e-19)
        self.assertEqual(plan["samples"], 144 * 661)
        self.assertEqual(plan["computation_rounds"], 144 * 661)
        self.assertEqual(plan["communication_rounds"], 2 * 153 * 144 * 661)
        self.assertEqual(plan["bytes"], plan["communication_rounds"] * 32 * 10 * 8)
        self.assertTrue(all(isinstance(plan[key], int) for key in ("K", "T", "R", "samples")))

    def test_zeroth_order(self):
        plan = self.plan(*changed(CHECK, order="zeroth", gradient_bound=None))
        self.assertEqual([plan[key] for key in ("K", "T", "R")], [144, 42899, 229])

    def test_the_smooth_case(self):
        plan = self.plan(*CHECK, "--smooth", 2, "--sigma", 1)
        self.assertEqual([plan[key] for key in ("K", "T", "R", "delta_prime")], [48, 651, 153, 0])
        out = self.doc2s("plan", *CHECK, "--smooth", 2, "--sigma", 1).out
        self.assertRegex(out, r"(?m)^delta_prime +0 +no smoothing")
        self.assertIn("H = 2 and σ = 1", out)
        self.assertNotIn("assumes δ ≤ √T", out)
        self.assertIn("assumes δ ≤ √T, but δ = 30", self.doc2s("plan", *changed(CHECK, delta=30, smooth=2, sigma=1)).out)

    def test_me_dol_s_own_constants(self):
        plan, smooth = self.plan(*CHECK), self.plan(*CHECK, "--smooth", 2, "--sigma", 1)
        self.assertGreater(plan["me_dol"]["computation_rounds"], 1e8)
        self.assertEqual(plan["me_dol"], smooth["me_dol"])
        self.assertEqual(plan["me_dol"]["samples"], 16 * plan["me_dol"]["computation_rounds"])
        self.assertAlmostEqual(self.plan(*CHECK, "--batch", 3)["me_dol"]["samples"] / plan["me_dol"]["samples"], 3)
        self.assertRegex(self.doc2s("plan", *CHECK).out, r"(?m)^me-dol +3\.2·10⁹ +2·10⁸ +4·10⁸ +1\.01 TB +-$")
        zeroth = changed(CHECK, order="zeroth", gradient_bound=None)
        self.assertIsNone(self.plan(*zeroth)["me_dol"])
        self.assertNotIn("constants of its own proof", self.doc2s("plan", *zeroth).out)

    def test_exact_rounds_by_numpy(self):
        plan = self.plan(*CHECK)
        P = sum(np.roll(np.eye(16), shift, axis=1) for shift in (-1, 0, 1)) / 3
        values = np.sort(np.linalg.eigvalsh(P))[:-1]
        root = np.sqrt(1 - values[-1]**2)
        phi = (1 - root) / (1 + root)

        def rho(R):
            before, now = np.ones_like(values), np.ones_like(values)
            for _ in range(R):
                before, now = now, (1 + phi) * values * now - phi * before
            return np.abs(now).max()
        needed = plan["epsilon_prime"] / (np.sqrt(16 * 15) * plan["D"])
        self.assertAlmostEqual(plan["contraction_needed"], needed, delta=1e-12)
        fewest = next(R for R in range(1, 1000) if rho(R) <= needed)
        self.assertEqual(plan["R_exact"], fewest)
        self.assertAlmostEqual(plan["contraction_exact"], rho(fewest), delta=1e-9)
        self.assertLess(plan["R_exact"], plan["R"] / 4)

    def test_batch_and_precision(self):
        plain, other = self.plan(*CHECK), self.plan(*CHECK, "--batch", 3, *sets(precision="float32"))
        self.assertEqual(other["samples"], 3 * plain["samples"])
        self.assertEqual(2 * other["bytes"], plain["bytes"])

    def test_text(self):
        out = self.doc2s("plan", *CHECK).out
        for name, figure in (("K", "144"), ("T", "661"), ("R", "153"), ("R exact", "35"), ("delta_prime", "0.25")):
            self.assertRegex(out, rf"(?m)^{name} +{figure} ", name)
        self.assertIn("times fewer", out)
        self.assertIn("95,184", out)
        self.assertRegex(out, r"estimate")
        self.assertRegex(out, r"orders only")
        for method in ("me-dol", "dgfm", "dgfm-plus"):
            self.assertRegex(out, rf"(?m)^{method} ")
        self.assertIn("-0.3333", out)  # what the theorem assumes and this P does not keep

    def test_a_short_number(self):
        self.assertEqual(self.plan(*changed(CHECK, delta=".5"))["K"], 144)

    def test_time_is_measured(self):
        plan = self.plan(*CHECK)
        self.assertGreater(plan["seconds_estimate"], 0.01)
        self.assertLess(plan["seconds_estimate"], 1000)
        self.assertGreater(plan["seconds_estimate_exact"], 0)

    def test_plain_gossip_has_an_exact_number_alone(self):
        plan = self.plan(*CHECK, "--gossip", "plain")
        self.assertEqual(plan["R"], plan["R_exact"])
        slowest = (1 + 2 * np.cos(2 * np.pi / 16)) / 3
        self.assertEqual(plan["R"], int(np.ceil(np.log(plan["contraction_needed"]) / np.log(slowest))))

    def test_many_graphs(self):
        for graph in ("complete", "star", "path", "hypercube", "torus"):
            plan = self.plan("--delta", 1, "--epsilon", 1, "--lipschitz", 1, "--gradient-bound", 1, "--gap", 1,
                             "--dimension", 5, "--graph", graph, "--clients", 16)
            self.assertLessEqual(plan["contraction_exact"], plan["contraction_needed"], graph)

    def test_absurd_sizes_are_said(self):
        words = changed(CHECK, epsilon=1e-7, delta=1e-3)
        plan = self.plan(*words)
        self.assertGreater(plan["samples"], 1e25)
        self.assertEqual(plan["samples"], float(plan["K"]) * float(plan["T"]))
        self.assertRegex(self.doc2s("plan", *words).out, r"this plan needs [\d.]+·10\S+ samples; at ε = \S+ it needs ")
        answer = self.refused("plan", *words, "--config", "out.toml", says=["too large to be run", "this plan needs"])
        self.assertIn("--epsilon 1e-07", answer.err)
        self.refused("plan", *changed(CHECK, epsilon=1e-300), says=["outside the range of double"])

    def test_large_networks_and_dimensions_end_soon(self):
        self.plan(*changed(CHECK, dimension=10**9, clients=1000))
        self.plan(*changed(CHECK, graph="complete", clients=500, dimension=10**6, neighbours=None))
        self.plan(*changed(CHECK, clients=2000))

    def test_mistakes(self):
        for words, says in (
                (changed(CHECK, epsilon=0), ["--epsilon 0", "above 0"]),
                (changed(CHECK, epsilon=-1), ["--epsilon -1"]),
                (changed(CHECK, delta="nan"), ["--delta nan"]),
                (changed(CHECK, delta="much"), ["--delta much"]),
                (changed(CHECK, epsilon=None), ["--epsilon is missing"]),
                (changed(CHECK, delta=None), ["--delta is missing"]),
                (changed(CHECK, lipschitz=None), ["--lipschitz is missing", "--from"]),
                (changed(CHECK, gradient_bound=None), ["--gradient-bound is missing"]),
                (changed(CHECK, gap=None), ["--gap is missing"]),
                (changed(CHECK, gap=-1), ["--gap -1"]),
                (changed(CHECK, dimension=None), ["--dimension is missing"]),
                (changed(CHECK, dimension=0), ["--dimension 0"]),
                (changed(CHECK, graph="rimg"), ["rimg", "ring"]),
                (changed(CHECK, clients=0), ["--clients 0"]),
                (changed(CHECK, order="second"), ["second"]),
                (changed(CHECK, smooth=1), ["--smooth 1", "sigma is missing"]),
                (changed(CHECK, sigma=1), ["--sigma 1", "smooth is missing"]),
                (changed(CHECK, smooth=-1, sigma=1), ["--smooth -1", "above 0"]),
                (changed(CHECK, smooth=1, sigma=-1), ["--sigma -1", "at least 0"]),
                (changed(CHECK, smooth=1, sigma="inf"), ["--sigma inf"]),
                (changed(CHECK, smooth=1, sigma=1, order="zeroth"), ["--smooth 1", "for order first, not zeroth"]),
                (changed(CHECK, smooth=1, sigma=1, epsilon=90), ["more than 6"]),
                (changed(CHECK, gossip="loud"), ["loud"]),
                (changed(CHECK, epsilon=1e6, dimension=3), ["more than 6", "smaller epsilon"]),
                ([*CHECK, "--nonsense"], ["--nonsense"]),
                ([*CHECK, "--from", "nowhere.toml"], ["nowhere.toml"])):
            with self.subTest(words=words):
                self.refused("plan", *words, says=says)


class TightPlan(Case):
    def plan(self, *words):
        return strict_json(self.doc2s("plan", *words, "--json").out)

    def test_check_values(self):
        """The constants of configs/theorem-first.toml, with 16 clients."""
        L = 1 + 1e-4 * 10**0.5
        words = changed(CHECK, delta=1, epsilon=0.11, lipschitz=L, gradient_bound=L, constants="tight", method="doc2s-travel")
        travel, doc2s = self.plan(*words), self.plan(*changed(words, method="doc2s"))
        self.assertEqual([travel[key] for key in ("K", "T", "R", "samples")], [17, 745, 0, 12665])
        self.assertAlmostEqual(travel["D"], 1.8 / 746, delta=1e-15)
        self.assertEqual(travel["by_constants"]["paper"]["samples"], 5879398)
        self.assertEqual([doc2s[key] for key in ("K", "T")], [18, 775])
        self.assertEqual(doc2s["R"], doc2s["R_exact"])
        self.assertLessEqual(doc2s["contraction"], doc2s["contraction_needed"])
        self.assertEqual(travel["doc2s"]["communication_rounds"], doc2s["communication_rounds"])
        zeroth = self.plan(*changed(words, order="zeroth", gradient_bound=None))
        self.assertEqual((zeroth["K"], zeroth["T"], zeroth["by_constants"]["paper"]["samples"]), (17, 8270, 387573115))

    def test_both_side_by_side(self):
        self.assertRegex(self.doc2s("plan", *CHECK).out, r"(?m)^tight constants, R exact = \d+ +\S")
        out = self.doc2s("plan", *CHECK, "--constants", "tight").out
        self.assertRegex(out, r"(?m)^the paper's, R exact = 35 +95,184 ")
        self.assertIn("theorem with tight constants", out)
        out = self.doc2s("plan", *CHECK, "--method", "doc2s-travel").out
        self.assertRegex(out, r"(?m)^tight constants, expected +\S")

    def test_a_budget(self):
        words = changed(CHECK, epsilon=None, samples=20000)
        plan = self.plan(*words)
        self.assertEqual((plan["constants"], plan["K"] * plan["T"] <= 20000), ("tight", True))
        self.assertEqual(self.plan(*words, "--batch", 4)["epsilon"], self.plan(*changed(words, samples=5000))["epsilon"])
        again = self.plan(*changed(CHECK, epsilon=plan["epsilon"], constants="tight"))  # its own split: at most a little dearer
        self.assertLess(abs(again["samples"] / plan["samples"] - 1), 0.15)
        out = self.doc2s("plan", *words).out
        self.assertIn("the least for this budget", out)
        self.assertIn("guarantees nothing", self.doc2s("plan", *changed(words, samples=20)).out)
        self.assertIn("guarantees nothing", self.plan(*changed(words, samples=20))["caveat"])
        self.assertNotIn("caveat", plan)
        self.doc2s("plan", *words, "--config", "plan.toml")
        run = self.run_config("plan.toml")
        self.assertEqual((run.summary["samples"], run.summary["status"]), (plan["samples"], "finished"))
        self.assertEqual([run.config["method"][key] for key in ("K", "T", "R", "D", "eta")], [plan[key] for key in ("K", "T", "R", "D", "eta")])
        self.assertNotIn("epsilon", run.config["method"])
        self.assertEqual(self.run_config(run.directory / "config.toml").bits(), run.bits())

    def test_mistakes(self):
        for words, says in (
                (changed(CHECK, constants="loose"), ["--constants loose", "tight"]),
                (changed(CHECK, samples=100), ["--samples 100", "both are given"]),
                (changed(CHECK, epsilon=None, samples=0), ["--samples 0"]),
                (changed(CHECK, epsilon=None, samples=3, batch=5), ["3 samples are less than a batch of 5"]),
                (changed(CHECK, epsilon=None, samples=10**15), ["2^40"]),
                (changed(CHECK, epsilon=None, samples=100, constants="paper"), ["by budget", "--constants paper"])):
            with self.subTest(words=words):
                self.refused("plan", *words, says=says)


class PlanAsConfig(Case):
    def test_it_runs_as_planned(self):
        plan = strict_json(self.doc2s("plan", *CHECK, "--config", "plan.toml", "--json").out)
        run = self.run_config("plan.toml", *sets(run__budget__iterations=50))
        method = run.config["method"]
        for key in ("K", "T", "R", "D", "eta", "delta_prime"):
            self.assertEqual(method[key], plan[key], key)
        self.assertEqual(run.summary["d"], 10)
        self.assertEqual(run.summary["n"], 16)
        self.assertEqual(run.summary["communication_rounds"], 50 * 2 * 153)

    def test_a_whole_run_costs_what_was_planned(self):
        words = changed(CHECK, epsilon=5, clients=4, batch=2)
        plan = strict_json(self.doc2s("plan", *words, "--config", "plan.toml", "--json").out)
        summary = self.run_config("plan.toml").summary
        for key in ("samples", "computation_rounds", "communication_rounds", "bytes"):
            self.assertEqual(summary[key], plan[key], key)

    def test_a_smooth_plan_runs_without_smoothing(self):
        words = [*changed(CHECK, epsilon=1, clients=4), "--smooth", 2, "--sigma", 1]
        plan = strict_json(self.doc2s("plan", *words, "--config", "plan.toml", "--json").out)
        run = self.run_config("plan.toml")
        self.assertEqual(run.summary["samples"], plan["samples"])
        for key in ("K", "T", "R", "D", "eta", "delta_prime", "smooth", "sigma"):
            self.assertEqual(run.config["method"][key], plan[key], key)
        self.assertEqual(run.config["method"]["delta_prime"], 0)
        given = self.run_config("plan.toml", *sets(method__parameters="given"))
        self.assertEqual(given.trajectory, run.trajectory)

    def test_the_exact_rule(self):
        plan = strict_json(self.doc2s("plan", *CHECK, "--rounds-rule", "exact", "--config", "e.toml", "--json").out)
        self.assertEqual(tomllib.loads((self.home / "e.toml").read_text())["method"]["R"], plan["R_exact"])

    def test_state_that_travels(self):
        plan = strict_json(self.doc2s("plan", *CHECK, "--method", "doc2s-travel", "--config", "plan.toml", "--json").out)
        doc2s = strict_json(self.doc2s("plan", *CHECK, "--json").out)
        for key in ("K", "T", "D", "eta", "delta_prime", "samples", "computation_rounds"):
            self.assertEqual(plan[key], doc2s[key], key)
        self.assertEqual((plan["R"], plan["epsilon_prime"]), (0, None))
        self.assertEqual(plan["communication_rounds"], 4 * plan["samples"])  # the mean distance on a ring of 16
        self.assertEqual(plan["bytes"], plan["communication_rounds"] * 2 * 10 * 8)
        self.assertEqual(plan["doc2s"]["communication_rounds"], doc2s["communication_rounds_exact"])
        run = self.run_config("plan.toml", *sets(run__budget__iterations=20000))
        self.assertAlmostEqual(run.summary["communication_rounds"] / 80000, 1, delta=0.02)
        self.assertIn("doc2s, R exact = 35", self.doc2s("plan", *CHECK, "--method", "doc2s-travel").out)
        self.refused("plan", *CHECK, "--method", "token", says=["no theorem"])
        self.refused("plan", *CHECK, "--method", "doc2s-travel", *sets(method__travellers=4), says=["travellers = 1"])
        self.refused("run", "plan.toml", *sets(method__step="adaptive"), says=["adaptive"])

    def test_no_file_is_lost(self):
        self.write("mine.toml", "keep = 1\n")
        self.refused("plan", *CHECK, "--config", "mine.toml", says=["already exists", "--force"])
        self.doc2s("plan", *CHECK, "--config", "mine.toml", "--force")
        self.assertIn("K = 144", (self.home / "mine.toml").read_text())
        self.refused("plan", *CHECK, "--config", "no/such/folder.toml", says=["no/such/folder.toml"])
        self.refused("plan", *CHECK, "--config", self.home, "--force", says=["is a directory"])
        self.assertEqual([name for name in os.listdir(self.home) if "part" in name], [])


class PlanFromConfig(Case):
    def setUp(self):
        super().setUp()
        self.write("theory.toml", THEORY)

    def plan(self, *words):
        return strict_json(self.doc2s("plan", "--from", *words, "--json").out)

    def test_the_svm_has_bounds(self):
        rows = "".join(f"{'+1' if row % 3 else '-1'} 1:{row % 5} 4:2\n" for row in range(40))
        self.write("rows.svm", rows)
        self.write("file.toml", '[problem]\ndata = "rows.svm"\nlambda = 0.5\n[clients]\ncount = 4\n')
        plan = self.plan("file.toml", "--delta", 1, "--epsilon", 1)
        bound = np.sqrt(16 + 4) + 0.5 * np.sqrt(4)
        for name in ("lipschitz", "gradient_bound"):
            self.assertAlmostEqual(plan[name]["value"], bound)
            self.assertEqual(plan[name]["source"], "a bound")
        self.assertAlmostEqual(plan["gap"]["value"], 1)
        self.assertEqual(plan["dimension"], 4)

    def test_the_mlp_is_sampled_and_says_so(self):
        words = ["theory.toml", *sets(problem__name="mlp", problem__hidden=4), "--epsilon", "50"]
        plan = self.plan(*words)
        self.assertIn("sampled", plan["lipschitz"]["source"])
        self.assertGreater(plan["lipschitz"]["value"], 0)
        self.assertIn("bound", plan["gap"]["source"])
        self.assertGreater(plan["gap"]["value"], 1)  # cross-entropy of ten classes
        self.assertIn("sampled", self.doc2s("plan", "--from", *words).out)

    def test_own_numbers_win(self):
        plan = self.plan("theory.toml", "--lipschitz", 7, "--gap", 2)
        self.assertEqual((plan["lipschitz"], plan["gap"]), ({"value": 7, "source": "given"}, {"value": 2, "source": "given"}))
        self.assertEqual(plan["gradient_bound"]["source"], "a bound")

    def test_the_file_s_aim_and_another(self):
        self.assertEqual(self.plan("theory.toml")["epsilon"], 5)
        self.assertEqual(self.plan("theory.toml", "--epsilon", 4)["epsilon"], 4)
        self.assertEqual(self.plan("theory.toml", *sets(method__epsilon=3, clients__count=8))["clients"], 8)

    def test_any_config_will_do(self):
        self.write("two.toml", '[clients]\ncount = 4\n[[method]]\nname = "me-dol"\n[[method]]\nname = "doc2s"\nK = 3\n')
        self.assertEqual(self.plan("two.toml", "--delta", 1, "--epsilon", 1)["clients"], 4)
        self.write("other.toml", '[clients]\ncount = 4\n[method]\nname = "dgfm"\n')
        self.assertEqual(self.plan("other.toml", "--delta", 1, "--epsilon", 1)["clients"], 4)
        self.refused("plan", "--from", "other.toml", "--delta", 1, says=["--epsilon is missing"])

    def test_a_plan_with_its_problem_runs(self):
        self.doc2s("plan", "--from", "theory.toml", "--config", "out.toml")
        self.assertEqual(self.run_config("out.toml").trajectory, self.run_config("theory.toml").trajectory)

    def test_a9a(self):
        data = pathlib.Path(os.environ.get("DOC2S_DATA") or PROJECT.parent / "shared/data").resolve()
        if not (data / "a9a").is_dir():
            self.skipTest("a9a is not here")
        words = ["plan", "--from", PROJECT / "configs/a9a-ring.toml", "--delta", 0.5, "--epsilon", 0.5, "--json"]
        plan = strict_json(self.doc2s(*words, env={"DOC2S_DATA": str(data)}).out)
        self.assertAlmostEqual(plan["lipschitz"]["value"], 14**0.5, places=4)  # a9a has 14 ones a row at most
        self.assertAlmostEqual(plan["gap"]["value"], 1)


class TheoryInAConfig(Case):
    def setUp(self):
        super().setUp()
        self.write("theory.toml", THEORY)

    def test_values_in_force_are_written_and_run_again(self):
        run = self.run_config("theory.toml")
        plan = strict_json(self.doc2s("plan", "--from", "theory.toml", "--json").out)
        setting = strict_json(run.text("setting.json"))
        for values in (run.config["method"], setting["method"]):
            for key in ("K", "T", "R", "D", "eta", "delta_prime"):
                self.assertEqual(values[key], plan[key], key)
            self.assertEqual((values["delta"], values["epsilon"]), (0.5, 5))
            self.assertEqual(values["lipschitz"], plan["lipschitz"]["value"])
        again = self.run_config(run.directory / "config.toml")
        self.assertEqual(again.bits(), run.bits())
        self.assertEqual(again.text("config.toml"), run.text("config.toml"))
        self.assertEqual(run.summary["iterations"], plan["samples"])

    def test_threads_and_processes_do_not_matter(self):
        one, two = (self.run_config("theory.toml", *sets(run__threads=count)) for count in (1, 2))
        self.assertEqual(one.bits(), two.bits())

    def test_the_user_is_told(self):
        answer = self.doc2s("run", "theory.toml", "--out", "told")
        self.assertRegex(answer.err, r"parameters from the theory: K = \d+, T = \d+, R = \d+.*\(a bound\)")

    def test_a_sweep_over_epsilon(self):
        self.doc2s("sweep", "theory.toml", "--over", "method.epsilon=5,8", "--out", "sweep", "--quiet")
        lengths = [strict_json(path.read_text())["iterations"] for path in sorted((self.home / "sweep").rglob("summary.json"))]
        self.assertEqual(len(set(lengths)), 2)

    def test_contradictions(self):
        for key, value in (("K", 7), ("T", 7), ("R", 2), ("eta", 0.5), ("D", 0.5), ("delta_prime", 0.5)):
            with self.subTest(key=key):
                self.refused("run", "theory.toml", "--out", "o", *sets(**{f"method__{key}": value}),
                             says=[f"{key} = {value}", "the theory says", 'parameters = "given"'])

    def test_mistakes(self):
        for change, says in ((dict(method__epsilon=0), ["method.epsilon"]), (dict(method__epsilon=1e-7), ["this plan needs"]),
                             (dict(method__gossip="plain"), ["rounds_rule"]), (dict(method__rounds_rule="some"), ["exact"]),
                             (dict(method__parameters="theorem"), ["theory"])):
            with self.subTest(change=change):
                self.refused("run", "theory.toml", "--out", "o", *sets(**change), says=says)
        self.write("half.toml", THEORY.replace("epsilon = 5.0", ""))
        self.refused("run", "half.toml", "--out", "o", says=["epsilon is missing"])

    def test_other_methods_leave_it_aside(self):
        answer = self.doc2s("run", "theory.toml", "--out", "o", *sets(method__name="me-dol", method__K=1, method__T=2))
        self.assertRegex(answer.err, "method.delta is ignored")


if __name__ == "__main__":
    harness.main()
