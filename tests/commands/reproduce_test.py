#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""doc2s reproduce from outside, on made-up data (--scale smoke): python3 reproduce_test.py PROGRAM [TEST…]."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import harness

RUN_FILES = {"case.toml", "config.toml", "last.npy", "metrics.jsonl", "preprocessing.json", "setting.json", "summary.json"}


def doc2s(*words, folder, data="/nonexistent"):
    environment = {**os.environ, "DOC2S_DATA": data, "XDG_DATA_HOME": "/nonexistent"}
    return subprocess.run([harness.PROGRAM, *words], cwd=folder, env=environment, capture_output=True, text=True, timeout=harness.PATIENCE)


def settings(folder, study):
    return json.loads((Path(folder) / study / "settings.json").read_text())


def runs_below(folder):
    return sorted(path.parent for path in Path(folder).rglob("summary.json"))


class Reproduce(unittest.TestCase):
    """One comparison of methods and one ablation, made once and looked at by all tests."""

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = Path(cls.temporary.name)
        cls.made = {name: doc2s("reproduce", name, "--scale", "smoke", "--out", "o", folder=cls.folder)
                    for name in ("first-samples-a9a-iid-paper", "ablation-rounds-a9a-first")}
        cls.out = cls.folder / "o"

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_figures_are_made(self):
        for answer in self.made.values():
            self.assertEqual(answer.returncode, 0, answer.stderr)
        for study in ("first-a9a-iid-paper", "ablation-rounds-a9a-first"):
            self.assertIn("<html", (self.out / study / "report.html").read_text())
        self.assertIn("up to 96 samples", self.made["first-samples-a9a-iid-paper"].stdout)
        self.assertNotIn("communication_rounds,", self.made["first-samples-a9a-iid-paper"].stdout)

    def test_settings_follow_the_rule(self):
        read = settings(self.out, "first-a9a-iid-paper")
        for view in read["views"]:
            for line in ("DOC²S, R = 2", "DOC²S, R tuned", "ME-DOL"):
                grid = [row for row in read["grid"] if (row["line"], row["axis"]) == (line, view["axis"])]
                self.assertEqual(len(grid), 4)
                best = min(grid, key=lambda row: row["figure"])
                shown = [row for row in read["shown"] if (row["figure"], row["line"]) == (view["figure"], line)]
                self.assertEqual(len(shown), 1)
                self.assertTrue(best["run"].startswith(f"{line} {shown[0]['setting']},"), best["run"])
                self.assertEqual(len(shown[0]["by_seed"]["loss_mean_point"]), 3)

    def test_all_lines_go_to_the_same_count(self):
        read = settings(self.out, "first-a9a-iid-paper")
        budgets = {view["axis"]: view["budget"] for view in read["views"]}
        self.assertEqual(budgets, {"samples": 96, "computation_rounds": 48, "communication_rounds": 96})
        for row in read["shown"]:
            self.assertLessEqual(row["counts"][row["axis"]], budgets[row["axis"]])
            self.assertGreater(row["counts"][row["axis"]], budgets[row["axis"]] - 2 * 35)

    def test_figures_are_those_of_the_records(self):
        read = settings(self.out, "first-a9a-iid-paper")
        budgets = {view["figure"]: view["budget"] for view in read["views"]}
        folders = {"DOC²S, R = 2": "doc2s-2", "DOC²S, R tuned": "doc2s", "ME-DOL": "me-dol"}
        for row in read["shown"]:
            for k, seed in enumerate(read["seeds"]):
                iterations = row["counts"]["computation_rounds"]
                run = self.out / "first-a9a-iid-paper/runs" / folders[row["line"]] / f"{row['setting']},iterations={iterations:.0f},seed={seed}"
                records = [json.loads(line) for line in (run / "metrics.jsonl").read_text().splitlines()]
                budget = budgets[row["figure"]]
                within = [record for record in records if record[row["axis"]] <= budget]
                last = [record for record in within if record[row["axis"]] > 0.9 * budget] or within[-1:]
                for measure in ("loss_mean_point", "loss_worst"):
                    mean = sum(record[measure] for record in last) / len(last)
                    self.assertAlmostEqual(mean, row["by_seed"][measure][k], places=12)

    def test_a_shown_run_can_be_made_from_the_settings(self):
        read = settings(self.out, "first-a9a-iid-paper")
        config = Path(__file__).resolve().parents[2] / "configs/reproduce" / read["config"]
        for row in read["shown"][::4]:
            words = [word for change in row["set"] + ["seed=2"] for word in ("--set", change)]
            answer = doc2s("run", str(config), *words, "--out", "made", "--force", "--quiet", folder=self.folder)
            self.assertEqual(answer.returncode, 0, answer.stderr)
            summary = json.loads((self.folder / "made/summary.json").read_text())
            self.assertEqual(summary["trajectory"], row["trajectories"][1])

    def test_every_run_can_be_replayed(self):
        runs = runs_below(self.out)
        self.assertGreater(len(runs), 20)
        for run in runs[::7]:
            self.assertEqual({path.name for path in run.iterdir()}, RUN_FILES)
            again = self.folder / "again"
            answer = doc2s("run", f"{run}/config.toml", "--out", f"{again}", "--force", "--quiet", folder=self.folder)
            self.assertEqual(answer.returncode, 0, answer.stderr)
            first, second = (json.loads((place / "summary.json").read_text()) for place in (run, again))
            self.assertEqual(first["trajectory"], second["trajectory"])

    def test_what_is_made_is_not_made_again(self):
        before = {run: (run / "summary.json").stat().st_mtime_ns for run in runs_below(self.out / "first-a9a-iid-paper")}
        damaged = next(iter(before))
        (damaged / "summary.json").unlink()
        answer = doc2s("reproduce", "first-a9a-iid-paper", "--scale", "smoke", "--out", "o", folder=self.folder)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        after = {run: (run / "summary.json").stat().st_mtime_ns for run in runs_below(self.out / "first-a9a-iid-paper")}
        self.assertEqual({run for run in before if before[run] != after[run]}, {damaged})

    def test_one_round_is_refused_and_told(self):
        read = settings(self.out, "ablation-rounds-a9a-first")
        self.assertEqual([row["line"] for row in read["refused"]], ["R = 1"])
        self.assertIn("ρ_R = 1.029", read["refused"][0]["reason"])
        self.assertIn("R = 1 is refused", self.made["ablation-rounds-a9a-first"].stdout)
        self.assertIn("R = 1, lazy weights", [row["line"] for row in read["shown"]])

    def test_figures_are_listed(self):
        answer = doc2s("reproduce", "--list", "--scale", "page", folder=self.folder)
        names = [line.split()[0] for line in answer.stdout.splitlines()[1:]]
        self.assertEqual(len(names), len(set(names)))
        for split in ("iid", "dirichlet", "sorted"):
            for axis in ("samples", "computation", "communication"):
                for task in ("a9a", "rcv1", "mnist", "fashion-mnist"):
                    for grid in ("paper", "wide"):
                        for order in ("first", "zeroth"):
                            self.assertIn(f"{order}-{axis}-{task}-{split}-{grid}", names)
        for task in ("cifar10", "cifar100"):
            self.assertIn(f"first-samples-{task}-sorted-wide", names)
        for task in ("a9a", "mnist"):
            self.assertIn(f"map-{task}", names)
            for kind in ("gap", "rounds", "eta", "gossip", "batch", "epoch", "reach"):
                for order in ("first", "zeroth"):
                    self.assertIn(f"ablation-{kind}-{task}-{order}", names)

    def test_the_beginning_of_names_takes_all_of_them(self):
        answer = doc2s("reproduce", "ablation-gap-mnist", "--scale", "smoke", "--out", "gap", folder=self.folder)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        for order in ("first", "zeroth"):
            self.assertEqual(len(runs_below(self.folder / f"gap/ablation-gap-mnist-{order}")), 12)

    def test_missing_data_is_skipped_and_the_rest_goes_on(self):
        answer = doc2s("reproduce", "first-samples-rcv1-iid-wide", "--out", "skipped", folder=self.folder)
        self.assertEqual(answer.returncode, 2)
        self.assertIn("skipped: the data set rcv1 is not installed", answer.stdout)
        self.assertEqual(runs_below(self.folder / "skipped"), [])

    def test_mistakes_are_told_in_one_sentence(self):
        (self.folder / "other").mkdir()
        (self.folder / "other/letter.txt").write_text("dear reader")
        for words, said in ((["first-sample-a9a-iid-wide"], 'did you mean "first-samples-a9a-iid-wide"?'),
                            (["scalin"], 'did you mean "scaling"?'),
                            (["sunset"], "doc2s reproduce --list shows all"),
                            ([], "no figure is named"),
                            (["all", "--jobs", "0"], "--jobs"),
                            (["all", "--scale", "quik"], 'did you mean "quick"?'),
                            (["first-samples-a9a", "--out", "other"], "holds other things"),
                            (["first-samples-a9a", "--out", "o"], "holds figures of another scale")):
            answer = doc2s("reproduce", *words, folder=self.folder)
            self.assertEqual(answer.returncode, 2, words)
            self.assertIn(said, answer.stderr)
            self.assertEqual(answer.stderr.count("\n"), 1, answer.stderr)
        self.assertEqual([path.name for path in (self.folder / "other").iterdir()], ["letter.txt"])


if __name__ == "__main__":
    harness.main()
