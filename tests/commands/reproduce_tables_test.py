#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""doc2s reproduce scaling and theorem from outside, on made-up data (--scale smoke): python3 reproduce_tables_test.py PROGRAM [TEST…]."""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import harness
from results import scaling, travel

ENVIRONMENT = {**os.environ, "DOC2S_DATA": "/nonexistent", "XDG_DATA_HOME": "/nonexistent"}
COUNTS = ("samples", "computation_rounds", "communication_rounds")


def doc2s(*words, folder):
    return subprocess.run([harness.PROGRAM, *words], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=harness.PATIENCE)


def reproduce(name, out):
    return ["reproduce", name, "--scale", "smoke", "--out", out, "--quiet"]


class Tables(unittest.TestCase):
    """Both measurements, made once and looked at by all tests."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        cls.made = {name: doc2s(*reproduce(name, "o"), folder=cls.folder) for name in ("scaling", "theorem")}

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def text(self, name, root="o"):
        return (self.folder / root / name / f"{name}.json").read_text()

    def read(self, name):
        return harness.strict_json(self.text(name))

    def records(self, run):
        lines = (self.folder / "o/scaling" / run["folder"] / "metrics.jsonl").read_text().splitlines()
        return [json.loads(line) for line in lines]

    def test_tables_are_printed(self):
        for name, said in (("scaling", "exponents by least squares"), ("theorem", "certified")):
            self.assertEqual(self.made[name].returncode, 0, self.made[name].stderr)
            self.assertIn(said, self.made[name].stdout)
            self.assertIn(f"o/{name}/{name}.json", self.made[name].stdout)

    def test_every_cell_has_every_method_and_seed(self):
        read = self.read("scaling")
        self.assertEqual({(cell["graph"], cell["clients"]) for cell in read["cells"]},
                         {(graph, n) for graph in ("ring", "torus", "complete") for n in (8, 16)})
        self.assertEqual(len(read["lines"]), 4 * len(read["cells"]))
        for line in read["lines"]:
            self.assertEqual([run["seed"] for run in line["runs"]], read["seeds"])
            self.assertEqual(len(line["trials"]), read["trials"])

    def test_the_counts_are_those_of_the_first_certified_record(self):
        read = self.read("scaling")
        runs = [run for line in read["lines"] for run in line["runs"]]
        self.assertEqual({run["censored"] for run in runs}, {True, False})  # both kinds are looked at
        for run in runs:
            records = self.records(run)
            certified = [record for record in records if record["goldstein"] <= read["epsilon"]]
            self.assertEqual(run["censored"], not certified)
            shown = certified[0] if certified else records[-1]
            self.assertEqual([run[count] for count in COUNTS], [shown[count] for count in COUNTS])

    def test_the_setting_is_the_least_of_its_trials(self):
        for line in self.read("scaling")["lines"]:
            came = {setting: count for setting, count in line["trials"].items() if count is not None}
            if came:
                self.assertEqual(line["setting"], min(came, key=came.get))

    def test_exact_rounds_are_those_of_the_plan(self):
        read = self.read("scaling")
        for cell in read["cells"]:
            plan, network = read["plan"], ["--graph", cell["graph"], "--clients", str(cell["clients"])]
            answer = doc2s("plan", "--delta", str(plan["delta"]), "--epsilon", str(plan["epsilon"]), "--lipschitz", str(plan["lipschitz"]),
                           "--gradient-bound", str(plan["gradient_bound"]), "--gap", str(plan["gap"]),
                           "--dimension", f"{plan['dimension']:.0f}", *network, "--json", folder=self.folder)
            self.assertEqual(json.loads(answer.stdout)["R_exact"], cell["exact_R"], answer.stderr)
            self.assertEqual(cell["tried_R"][-1], cell["exact_R"])
        for line in read["lines"]:
            if line["method"] == "DOC²S, exact R":
                exact = next(cell["exact_R"] for cell in read["cells"]
                             if (cell["graph"], cell["clients"]) == (line["graph"], line["clients"]))
                self.assertTrue(line["setting"].startswith(f"R={exact},"), line)

    def test_slopes_leave_censored_runs_out(self):
        read = self.read("scaling")
        for slope in read["slopes"]:
            runs = [run for line in read["lines"] for run in line["runs"] if line["method"] == slope["method"]
                    and (line["graph"] == "complete") == (slope["over"] == "complete graphs")]
            self.assertEqual(slope["censored"], sum(run["censored"] for run in runs))
            self.assertEqual(slope["points"] + slope["censored"], len(runs))
            if slope["points"] == 0:
                self.assertIsNone(slope["n"])

    def test_bounds_are_those_of_certify(self):
        read = self.read("theorem")
        self.assertEqual(len(read["runs"]), 5 * len(read["seeds"]))
        for run in read["runs"]:
            self.assertEqual(len(run["bounds"]), 16)
            self.assertEqual(run["certified"], sum(bound <= read["epsilon"] for bound in run["bounds"]))
        for run in read["runs"][::5]:
            answer = doc2s("certify", f"o/theorem/{run['folder']}", "--delta", str(read["delta"]), "--which", "output", "--json",
                           folder=self.folder)
            self.assertEqual([one["bound"] for one in json.loads(answer.stdout)], run["bounds"])

    def test_theorem_runs_are_whole_and_all_have_as_many_samples(self):
        read = self.read("theorem")
        whole = read["plan"]["K"] * read["plan"]["T"]
        for run in read["runs"]:
            if run["method"] == "doc2s-travel":
                self.assertEqual((run["samples"], run["R"]), (whole, None))
                self.assertAlmostEqual(run["communication_rounds"] / whole, 4, delta=0.2)  # E[distance] on the ring of 16
                self.assertEqual(run["bytes"], run["communication_rounds"] * 2 * read["plan"]["dimension"] * 8)
            elif run["method"].startswith("DOC²S"):
                self.assertEqual(run["samples"], whole)
                self.assertEqual(run["R"], read["plan"]["exact_R" if "exact" in run["method"] else "theorem_R"])
            else:
                self.assertTrue(whole <= run["samples"] < whole + 16)

    def test_runs_replay_to_their_hash(self):
        scaling = [run for line in self.read("scaling")["lines"] for run in line["runs"]]
        for name, run in [("scaling", run) for run in scaling[::9]] + [("theorem", run) for run in self.read("theorem")["runs"][::3]]:
            answer = doc2s("run", f"o/{name}/{run['folder']}/config.toml", "--out", "again", "--force", "--quiet", folder=self.folder)
            self.assertEqual(answer.returncode, 0, answer.stderr)
            self.assertEqual(json.loads((self.folder / "again/summary.json").read_text())["trajectory"], run["trajectory"])

    def test_interrupted_and_resumed_gives_the_same(self):
        for name in ("scaling", "theorem"):
            root = f"cut-{name}"
            process = subprocess.Popen([harness.PROGRAM, *reproduce(name, root), "--jobs", "1"], cwd=self.folder, env=ENVIRONMENT,
                                       stdout=subprocess.DEVNULL)
            while process.poll() is None and not list((self.folder / root).rglob("summary.json")):
                time.sleep(0.005)
            process.send_signal(signal.SIGINT)
            self.assertIn(process.wait(timeout=harness.PATIENCE), (0, 130))
            answer = doc2s(*reproduce(name, root), folder=self.folder)
            self.assertEqual(answer.returncode, 0, answer.stderr)
            self.assertEqual(self.text(name), self.text(name, root))

    def test_what_is_lost_is_made_again(self):
        shutil.copytree(self.folder / "o", self.folder / "lost")
        gone = [(self.folder / "lost" / name / run["folder"]) for name, run in
                (("scaling", self.read("scaling")["lines"][3]["runs"][1]), ("theorem", self.read("theorem")["runs"][4]))]
        for run in gone:
            shutil.rmtree(run)
        for name in ("scaling", "theorem"):
            self.assertEqual(doc2s(*reproduce(name, "lost"), folder=self.folder).returncode, 0)
            self.assertEqual(self.text(name), self.text(name, "lost"))

    def test_both_are_listed(self):
        rows = doc2s("reproduce", "--list", folder=self.folder).stdout.splitlines()
        self.assertIn(["scaling", "Table", "1"], [line.split()[:3] for line in rows])
        self.assertIn(["theorem", "Theorem", "1"], [line.split()[:3] for line in rows])

    def test_the_page_can_show_them(self):
        counts = scaling.scaling_table(self.read("scaling"))
        self.assertEqual(len([line for line in counts if line.startswith("| ring")]), 2)
        self.assertEqual(len([line for line in counts if line.startswith("| ME-DOL | ")]), 3)
        bounds = scaling.theorem_table(self.read("theorem"))
        runs = self.read("theorem")["runs"]
        self.assertEqual(len(bounds), 2 + len({run["method"] for run in runs}) + 1 + 2 + len(runs))
        self.assertIn("48 of 48", bounds[2])
        self.assertIn("16 of 16", bounds[-len(runs)])
        for line in counts + bounds:
            self.assertTrue(line == "" or line.startswith("| ") and line.endswith(" |"), line)


class Travel(unittest.TestCase):
    """State that travels against the rest, tuned on every axis."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        cls.name = "travel-first-a9a-iid"
        cls.made = doc2s(*reproduce(cls.name, "o"), folder=cls.folder)
        cls.read = harness.strict_json((cls.folder / "o" / cls.name / f"{cls.name}.json").read_text())

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_every_line_has_every_axis(self):
        self.assertEqual(self.made.returncode, 0, self.made.stderr)
        axes = {axis: [one["line"] for one in self.read["shown"] if one["axis"] == axis] for axis in travel.AXES}
        self.assertIn("each client alone", axes["samples"])
        self.assertNotIn("each client alone", axes["bytes"])  # it sends nothing
        for lines in axes.values():
            self.assertLessEqual({"DOC²S", "doc2s-travel", "token", "ME-DOL", "DSGD", "gradient tracking"}, set(lines))

    def test_nobody_spends_more_than_the_budget_and_one_iteration(self):
        for view in self.read["views"]:
            for one in self.read["shown"]:
                if one["axis"] == view["axis"]:
                    self.assertGreaterEqual(one["counts"][view["axis"]], view["budget"], one["line"])
                    self.assertLess(one["counts"][view["axis"]], 2 * view["budget"] + 1000, one["line"])

    def test_what_is_kept_makes_the_run_again(self):
        config = Path(__file__).resolve().parents[2] / "configs/reproduce" / self.read["config"]
        for one in (self.read["shown"][1], self.read["shown"][4], self.read["shown"][-1]):
            words = [word for change in one["set"] + [f"seed={self.read['seeds'][1]}"] for word in ("--set", change)]
            answer = doc2s("run", str(config), *words, "--out", "again", "--force", "--quiet", folder=self.folder)
            self.assertEqual(answer.returncode, 0, answer.stderr)
            self.assertEqual(json.loads((self.folder / "again/summary.json").read_text())["trajectory"], one["trajectories"][1])

    def test_the_page_can_show_it(self):
        lines = travel.lines_table(self.read)
        self.assertEqual(len([line for line in lines if line.startswith("| token")]), 3)

    def test_a_second_call_does_nothing_and_says_the_same(self):
        before = (self.folder / "o" / self.name / f"{self.name}.json").read_text()
        self.assertEqual(doc2s(*reproduce(self.name, "o"), folder=self.folder).returncode, 0)
        self.assertEqual((self.folder / "o" / self.name / f"{self.name}.json").read_text(), before)


if __name__ == "__main__":
    harness.main()
