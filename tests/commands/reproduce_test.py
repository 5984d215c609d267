#!/usr/bin/env python3
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

RUN_FILES = {"case.toml", "config.toml", "last.npy", "metrics.jsonl", "setting.json", "summary.json"}


def doc2s(*words, folder, data="/nonexistent"):
    environment = {**os.environ, "DOC2S_DATA": data, "XDG_DATA_HOME": "/nonexistent"}
    return subprocess.run([harness.PROGRAM, *words], cwd=folder, env=environment, capture_output=True, text=True, timeout=300)


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
                    for name in ("first-samples-a9a", "ablation-rounds-a9a-first")}
        cls.out = cls.folder / "o"

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def test_figures_are_made(self):
        for answer in self.made.values():
            self.assertEqual(answer.returncode, 0, answer.stderr)
        for study in ("first-a9a", "ablation-rounds-a9a-first"):
            self.assertIn("<html", (self.out / study / "report.html").read_text())
        self.assertIn("up to 96 samples", self.made["first-samples-a9a"].stdout)
        self.assertNotIn("communication_rounds,", self.made["first-samples-a9a"].stdout)

    def test_settings_follow_the_rule(self):
        read = settings(self.out, "first-a9a")
        for k, view in enumerate(read["figures"]):
            for method in ("DOC²S", "ME-DOL"):
                grid = [row for row in read["grid"] if row["method"] == method]
                self.assertEqual(len(grid), 4)
                best = min(grid, key=lambda row: row["figures"][k])
                shown = [row for row in read["shown"] if row["figure"] == view["figure"] and row["line"] == method]
                self.assertEqual(len(shown), 1)
                self.assertEqual(best["setting"], f"{method} {shown[0]['setting']},seed=0")
                self.assertEqual(len(shown[0]["by_seed"]), 3)

    def test_budgets_are_what_all_reach(self):
        read = settings(self.out, "first-a9a")
        at = {view["axis"]: view["compared_at"] for view in read["figures"]}
        self.assertEqual(at["samples"], 96)  # of DOC2S; ME-DOL draws 16 an iteration
        self.assertEqual(at["computation_rounds"], 48)  # of ME-DOL
        self.assertEqual(at["communication_rounds"], 96)

    def test_figures_are_those_of_the_records(self):
        read = settings(self.out, "first-a9a")
        at = {view["figure"]: view["compared_at"] for view in read["figures"]}
        for row in read["shown"]:
            folder = self.out / "first-a9a/runs" / {"DOC²S": "doc2s", "ME-DOL": "me-dol"}[row["line"]]
            for seed, figure in zip(read["seeds"], row["by_seed"]):
                lines = (folder / f"{row['setting']},seed={seed}" / "metrics.jsonl").read_text().splitlines()
                within = [(record[row["axis"]], record["loss_mean_point"]) for record in map(json.loads, lines)
                          if record[row["axis"]] <= at[row["figure"]]]
                last = [loss for count, loss in within if count > 0.9 * at[row["figure"]]] or [within[-1][1]]
                self.assertAlmostEqual(sum(last) / len(last), figure, places=12)

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
        before = {run: (run / "summary.json").stat().st_mtime_ns for run in runs_below(self.out / "first-a9a")}
        damaged = next(iter(before))
        (damaged / "summary.json").unlink()
        answer = doc2s("reproduce", "first-a9a", "--scale", "smoke", "--out", "o", folder=self.folder)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        after = {run: (run / "summary.json").stat().st_mtime_ns for run in runs_below(self.out / "first-a9a")}
        self.assertEqual({run for run in before if before[run] != after[run]}, {damaged})

    def test_one_round_is_refused_and_told(self):
        read = settings(self.out, "ablation-rounds-a9a-first")
        self.assertEqual([row["line"] for row in read["refused"]], ["R = 1"])
        self.assertIn("ρ_R = 1.029", read["refused"][0]["reason"])
        self.assertIn("R = 1 is refused", self.made["ablation-rounds-a9a-first"].stdout)
        self.assertIn("R = 1, lazy weights", [row["line"] for row in read["shown"]])

    def test_figures_are_listed(self):
        answer = doc2s("reproduce", "--list", folder=self.folder)
        names = [line.split()[0] for line in answer.stdout.splitlines()[1:]]
        self.assertEqual(len(names), len(set(names)))
        for order in ("first", "zeroth"):
            for axis in ("samples", "computation", "communication", "bytes"):
                for task in ("a9a", "rcv1", "mnist", "fashion-mnist", "cifar10", "cifar100"):
                    self.assertIn(f"{order}-{axis}-{task}", names)
            for kind in ("gap", "rounds", "eta", "gossip", "batch", "epoch", "split", "reach"):
                for task in ("a9a", "mnist"):
                    self.assertIn(f"ablation-{kind}-{task}-{order}", names)

    def test_the_beginning_of_names_takes_all_of_them(self):
        answer = doc2s("reproduce", "ablation-gap-mnist", "--scale", "smoke", "--out", "gap", folder=self.folder)
        self.assertEqual(answer.returncode, 0, answer.stderr)
        for order in ("first", "zeroth"):
            self.assertEqual(len(runs_below(self.folder / f"gap/ablation-gap-mnist-{order}")), 12)

    def test_missing_data_is_skipped_and_the_rest_goes_on(self):
        answer = doc2s("reproduce", "first-samples-rcv1", "--out", "skipped", folder=self.folder)
        self.assertEqual(answer.returncode, 2)
        self.assertIn("skipped: the data set rcv1 is not installed", answer.stdout)
        self.assertEqual(runs_below(self.folder / "skipped"), [])

    def test_mistakes_are_told_in_one_sentence(self):
        (self.folder / "other").mkdir()
        (self.folder / "other/letter.txt").write_text("dear reader")
        for words, said in ((["first-sample-a9a"], 'did you mean "first-samples-a9a"?'),
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
