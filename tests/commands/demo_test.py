#!/usr/bin/env python3
"""`doc2s demo`: python3 demo_test.py PROGRAM [TEST…]."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Case, strict_json


class Demo(Case):
    def test_it_shows_falling_losses_and_a_report(self):
        answer = self.doc2s("demo", timeout=300)
        for name in ("DOC2S", "ME-DOL"):
            records = [strict_json(line) for line in
                       (self.home / "runs/demo" / name / "metrics.jsonl").read_text().splitlines()]
            self.assertGreater(len(records), 1)
            self.assertLess(records[-1]["loss_mean_point"], records[0]["loss_mean_point"])
            self.assertIn(name, answer.out)
        self.assertIn("<html", (self.home / "runs/demo/report.html").read_text()[:2000])
        command = re.search(r"doc2s (run .*)", answer.out)[1].split()
        self.assertIn("finished", self.doc2s(*command, "--set", "run.budget.seconds=0.5", timeout=60).out)


if __name__ == "__main__":
    harness.main()
