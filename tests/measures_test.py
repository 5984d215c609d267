#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The one table of counts and measures: python3 measures_test.py PROGRAM.

What `doc2s list measures` prints is what docs/files.md says, what records hold, and what sweep and report offer.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAM = ""
ABSENT = {"accuracy", "test_rmse", "validation_accuracy", "validation_rmse", "output_bytes"}  # without such rows or travellers
ROOT = pathlib.Path(__file__).resolve().parent.parent


def doc2s(*words, folder, code=0):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=900, cwd=folder)
    assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
    return done


class Measures(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = tempfile.TemporaryDirectory(prefix="doc2s-measures-")
        cls.folder = pathlib.Path(cls.place.name)
        cls.table = {one["name"]: one["summary"] for one in json.loads(doc2s("list", "measures", "--json", folder=cls.folder).stdout)}
        doc2s("run", cls.config(), "--out", "r", folder=cls.folder)

    @classmethod
    def tearDownClass(cls):
        cls.place.cleanup()

    @classmethod
    def config(cls):
        path = cls.folder / "c.toml"
        path.write_text("[problem]\nsize = 100\n[clients]\ncount = 4\n[method]\nK = 2\nT = 10\n[run]\ncertify_every = 1\nrecord_every = 10\n")
        return path

    def test_the_docs_have_the_same_table(self):
        text = (ROOT / "docs" / "files.md").read_text(encoding="utf-8")
        section = text.split("## metrics.jsonl")[1].split("\n## ")[0]
        self.assertEqual(dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", section, re.M)), self.table)

    def test_records_have_its_keys_in_its_order(self):
        for line in (self.folder / "r" / "metrics.jsonl").read_text().splitlines():
            self.assertEqual(list(json.loads(line)), [name for name in self.table if name not in ABSENT])

    def test_the_summary_has_them_too(self):
        summary = json.loads((self.folder / "r" / "summary.json").read_text())
        summary["iteration"] = summary["iterations"]
        self.assertLessEqual(set(self.table) - ABSENT - {"goldstein"}, set(summary))

    def test_the_page_and_the_csv_have_them_all(self):
        doc2s("report", "r", "-o", "page.html", "--csv", "all.csv", folder=self.folder)
        data = re.search(r'id="data">(.*?)</script>', (self.folder / "page.html").read_text(encoding="utf-8"), re.S)[1]
        self.assertEqual([one["name"] for one in json.loads(data)["quantities"]], list(self.table))
        head = (self.folder / "all.csv").read_text(encoding="utf-8").split("\n")[0]
        self.assertEqual(head.split(",")[3:], list(self.table))

    def test_a_sweep_ranks_by_any_measure_within_any_count(self):
        words = ["sweep", self.folder / "c.toml", "--over", "method.eta=0.1,0.01", "--out", "s", "--quiet"]
        for measure, count in (("goldstein", "messages=3"), ("consensus", "iteration=10"), ("loss_worst", "seconds=100")):
            out = doc2s(*words, "--by", measure, "--at", count, folder=self.folder).stdout
            self.assertIn(f"best by {measure} within", out)
            self.assertNotIn("not finite", out)
        refused = doc2s(*words, "--by", "samples", folder=self.folder, code=2)
        self.assertIn("loss_mean_point", refused.stderr)


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
