#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`doc2s demo`: python3 demo_test.py PROGRAM [TEST…]."""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Case, Run

LABELS = {"DOC2S R=2": "DOC2S-R=2", "DOC2S R=8": "DOC2S-R=8", "ME-DOL": "ME-DOL"}


def figures(out):
    """The table and the sentences."""
    return out[out.index("method  "):out.index("Curves")]


class Demo(Case):
    def runs_in(self, directory):
        return {label: Run(self.home / directory / folder, None) for label, folder in LABELS.items()}

    def demo_in_one_file(self, *words):
        """Its stdout and stderr, as both arrive in one file."""
        path = self.home / "both.txt"
        with open(path, "w") as file:
            process = self.start("demo", *words, stdout=file, stderr=subprocess.STDOUT)
            self.assertEqual(process.wait(timeout=harness.PATIENCE), 0, path.read_text())
        return path.read_text()

    def assert_says_what_was_measured(self, out, runs):
        for words, measure in (("lowest loss at the clients' mean", "loss_mean_point"), ("worst client", "loss_worst")):
            best = min(runs, key=lambda label: runs[label].summary[measure])
            sentence = next(line for line in out.splitlines() if words in line)
            self.assertRegex(sentence, rf" {best} (has|is) (the )?lowest")
            for run in runs.values():
                self.assertIn(f"{run.summary[measure]:.4f}", sentence)

    def test_it_compares_at_equal_samples_and_leaves_a_report(self):
        answer = self.doc2s("demo")
        runs = self.runs_in("runs/demo")
        for label, run in runs.items():
            self.assertEqual(run.summary["samples"], 64000)
            self.assertEqual(run.summary["stopped_by"], "run.budget.samples")
            self.assertLess(run.records[-1]["loss_mean_point"], run.records[0]["loss_mean_point"])
            self.assertRegex(answer.out, rf"(?m)^{label} .* {run.trajectory}$")
        self.assert_says_what_was_measured(answer.out, runs)
        self.assertIn("<html", (self.home / "runs/demo/report.html").read_text()[:2000])
        command = re.search(r"doc2s (run .*)", answer.out)[1].split()
        self.assertIn("finished", self.doc2s(*command, "--set", "run.budget.seconds=0.5").out)

        again = self.demo_in_one_file("--out", "again")
        self.assertEqual(figures(again), figures(answer.out))
        self.assertEqual([run.trajectory for run in self.runs_in("again").values()],
                         [run.trajectory for run in runs.values()])
        parts = ["A ReLU network", *(f"\n{label}\n" for label in LABELS), "\nmethod  ", "\nAfter 64,000 samples", "\nCurves"]
        places = [again.index(part) for part in parts]
        self.assertEqual(places, sorted(places), again)


if __name__ == "__main__":
    harness.main()
