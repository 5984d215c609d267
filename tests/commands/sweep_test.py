#!/usr/bin/env python3
"""`doc2s sweep`: python3 sweep_test.py PROGRAM [TEST…]."""
import pathlib
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

    def test_mistakes(self):
        self.refused(*self.words("--by", "loss"), says=["--by", "loss"])
        self.refused(*self.words("--at", "samples"), says=["--at samples", "samples=4000"])
        self.refused(*self.words("--over", "method.etta=1,2"), says=["etta", 'did you mean "eta"'])
        self.assertFalse((self.home / "s").exists())


if __name__ == "__main__":
    harness.main()
