#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`doc2s sweep`: python3 sweep_test.py PROGRAM [TEST…]."""
import csv
import pathlib
import re
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Case, strict_json


class Sweeps(Case):
    def words(self, *more):
        self.write("c.toml", "[problem]\nsize = 200\n[clients]\ncount = 8\n[method]\nK = 60\nT = 100\n")
        return ["sweep", "c.toml", "--over", "method.eta=0.001,0.01", "--over", "method.D=0.05,0.01", "--out", "s", *more]

    def hashes(self):
        return {path.parent.name: strict_json(path.read_text())["trajectory"]
                for path in (self.home / "s/doc2s").glob("*/summary.json")}

    def test_all_combinations_ranked(self):
        answer = self.doc2s(*self.words("--jobs", "2", "--quiet"))
        rows = [line.split() for line in answer.out.splitlines() if line.startswith("doc2s/")]
        self.assertEqual(len(rows), 4)
        self.assertEqual([float(row[1]) for row in rows], sorted(float(row[1]) for row in rows))
        self.assertIn("best by loss_mean_point: " + rows[0][0], answer.out)
        self.assertIn("note: one seed each", answer.out)
        self.assertTrue((self.home / "s/sweep.csv").exists())

    def test_goes_on_where_it_was(self):
        self.doc2s(*self.words("--quiet"))
        whole = self.hashes()
        (self.home / "s/doc2s/eta=0.01,D=0.05/summary.json").unlink()  # as after a kill
        kept = self.home / "s/doc2s/eta=0.001,D=0.05/summary.json"
        before = kept.stat().st_mtime_ns
        answer = self.doc2s(*self.words())
        self.assertIn("3 of 4 cases are done already", answer.err)
        self.assertEqual(kept.stat().st_mtime_ns, before)
        self.assertEqual(self.hashes(), whole)

    def test_a_folder_of_another_sweep_is_refused(self):
        self.doc2s(*self.words("--quiet"))
        self.refused(*self.words("--quiet", "--set", "seed=2"), says=["another config", "--out"])

    def rows(self):
        with open(self.home / "s/sweep.csv", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def seeded(self, *more, eta="0.01,0.1"):
        self.write("c.toml", "[problem]\nsize = 200\n[clients]\ncount = 4\n[run]\nrecord_every = 10\n"
                             '[[method]]\nname = "doc2s"\nK = 4\nT = 10\n[[method]]\nname = "me-dol"\nK = 4\nT = 10\n')
        return ["sweep", "c.toml", "--over", f"method.eta={eta}", "--over", "seed=1,2,3", "--out", "s", "--quiet", *more]

    def test_seeds_are_averaged_and_each_method_has_a_best(self):
        out = self.doc2s(*self.seeded()).out
        rows = self.rows()
        self.assertEqual(list(rows[0])[:4], ["case", "loss_mean_point", "iteration", "directory"])
        means = {}
        for setting in {row["setting"] for row in rows}:
            runs = [row for row in rows if row["setting"] == setting]
            losses = [strict_json((self.home / row["directory"] / "summary.json").read_text())["loss_mean_point"] for row in runs]
            self.assertEqual([float(row["loss_mean_point"]) for row in runs], sorted(losses))
            self.assertEqual(sorted(row["seed"] for row in runs), ["1", "2", "3"])
            means[setting] = statistics.mean(losses)
            for row in runs:
                self.assertAlmostEqual(float(row["mean"]), means[setting], places=12)
                self.assertAlmostEqual(float(row["sd"]), statistics.stdev(losses), places=12)
                self.assertEqual((row["runs"], row["status"]), ("3", "finished"))
        self.assertEqual(list(dict.fromkeys(row["setting"] for row in rows)), sorted(means, key=means.get))
        for method in ("doc2s", "me-dol"):
            own = {setting: mean for setting, mean in means.items() if setting.startswith(method + "/")}
            best = min(own, key=own.get)
            self.assertEqual({row["setting"] for row in rows if row["method"] == method and row["best"] == "true"}, {best})
            self.assertRegex(out, rf"(by loss_mean_point|of {method})(: |, but no clear best: ){re.escape(best)}(,.*)?\n  config s/{method}/.*seed=1/config.toml")
            self.assertRegex(out, rf"(?m)^{re.escape(best)} +{own[best]:.4f} ± [0-9.e-]+ +3 +40$")

    def test_a_best_is_named_where_the_seeds_ranges_do_not_overlap(self):
        """Two steps that are nearly one, and one that does not move."""
        out = self.doc2s(*self.seeded(eta="1e-9,0.01,0.010001")).out
        for method, among in (("me-dol", "by loss_mean_point"), ("doc2s", "of doc2s")):
            pair = rf"{method}/eta=(0.01|0.010001)"
            self.assertRegex(out, rf"first {among}, but no clear best: {pair}, whose seeds' range overlaps with that of {pair}\n")
        out = self.doc2s(*self.seeded(eta="1e-9,0.01")).out
        self.assertIn("best by loss_mean_point: me-dol/eta=0.01\n", out)
        self.assertIn("best of doc2s: doc2s/eta=0.01\n", out)

    def test_json_has_the_rows_of_the_table(self):
        answer = strict_json(self.doc2s(*self.seeded("--json", "--by", "consensus")).out)
        rows = self.rows()
        self.assertEqual([list(one) for one in answer], [list(row) for row in rows])
        for one, row in zip(answer, rows, strict=True):
            self.assertEqual({key: str(value).lower() for key, value in one.items() if isinstance(value, (str, int))},
                             {key: row[key].lower() for key, value in one.items() if isinstance(value, (str, int))})
            self.assertEqual((one["consensus"], one["mean"], one["sd"]),
                             (float(row["consensus"]), float(row["mean"]), float(row["sd"])))

    def test_what_diverged_or_is_not_done_is_told(self):
        out = self.doc2s(*self.seeded(eta="0.01,1e308")).out
        self.assertIn("note: doc2s/eta=1e308: of 3 runs 3 diverged\n", out)
        rows = [row for row in self.rows() if row["setting"] == "doc2s/eta=1e308"]
        self.assertEqual([(row["status"], row["mean"], row["runs"], row["best"]) for row in rows],
                         [("diverged", "nan", "0", "false")] * 3)
        self.assertEqual(rows, [row for row in self.rows() if row["method"] == "doc2s"][-3:])
        self.assertRegex(out, r"(?m)^doc2s/eta=1e308 +- +0 of 3 ")

    def test_the_better_one_by_a_share_is_the_higher(self):
        self.write("c.toml", '[problem]\nname = "mlp"\nsize = 300\nhidden = [4]\n[clients]\ncount = 3\n[run]\nrecord_every = 10\n'
                             "[method]\nK = 6\nT = 10\nD = 0.5\n")
        words = ["sweep", "c.toml", "--over", "method.eta=1e-9,0.1", "--out", "s", "--by", "accuracy", "--quiet"]
        best = next(line for line in self.doc2s(*words).out.splitlines() if line.startswith("best by accuracy"))
        self.assertEqual(best, "best by accuracy: " + self.rows()[0]["case"])
        shares = [float(row["accuracy"]) for row in self.rows()]
        self.assertEqual(shares, sorted(shares, reverse=True))
        self.assertGreater(shares[0], shares[-1])

    def test_mistakes(self):
        self.refused(*self.words("--by", "loss"), says=["--by", "loss"])
        self.refused(*self.words("--by", "los_worst"), says=["--by", 'did you mean "loss_worst"'])
        self.refused(*self.words("--by", "goldstein"), says=["no goldstein", "run.certify_every=1"])
        self.refused(*self.words("--by", "test_rmse"), says=["no test set", "--by test_rmse"])
        self.refused(*self.words("--over", "seed=1,1"), says=["1 is given twice"])
        self.refused(*self.words("--at", "samples"), says=["--at samples", "samples=4000"])
        self.refused(*self.words("--over", "method.etta=1,2"), says=["etta", 'did you mean "eta"'])
        self.assertFalse((self.home / "s").exists())


if __name__ == "__main__":
    harness.main()
