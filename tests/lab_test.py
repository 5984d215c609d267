#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The lab (lab/README.md) on a tiny study, and what docs/results/page keeps: python3 lab_test.py PROGRAM.

lab_test.py PROGRAM --study FOLDER   makes that study
"""
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import harness

sys.path.insert(0, str(harness.PROJECT))
from lab.design import CLIENTS, Row, Task, pairs
from lab.runs import Runs
from lab.study import Study, replay, value_at

CONFIGS = harness.PROJECT / "configs/reproduce"
TASK = Task("SVM", 1, 256, 50, {"problem.data": "synthetic", "problem.size": 3200})
ROWS = {"doc2s": Row("DOC²S", "doc2s", 1, pairs((-1,), (-1,), R=2)),
        "dsgd": Row("DSGD", "dsgd", CLIENTS, ({"momentum": [0, 0.9], "eta": [0.3]},))}
NAME = "rcv1-sorted-first"


class Noted(Runs):
    made = ()

    def make(self, name, *more):
        self.made += (Path(name).name.replace(",", " "),)
        return super().make(name, *more)


def make(program, folder):
    """The names of the runs that it took."""
    runs = Noted(program, folder / "runs")
    Study(NAME, runs, folder / "kept", CONFIGS, TASK, ROWS).make()
    return runs.made


def kept(folder):
    read = json.loads((folder / f"kept/{NAME}.json").read_text())
    for run in read["runs"].values():
        del run["seconds"]
    return read


class Lab(harness.Case):
    @classmethod
    def setUpClass(cls):
        cls.whole = Path(cls.enterClassContext(tempfile.TemporaryDirectory(prefix="doc2s-lab-")))
        start = time.monotonic()
        make(harness.PROGRAM, cls.whole)
        cls.seconds = time.monotonic() - start

    def test_every_figure_is_of_kept_runs_within_its_budget(self):
        read = kept(self.whole)
        self.assertTrue(read["complete"])
        self.assertEqual(len(read["figures"]), len(ROWS) * 4)
        self.assertEqual(read["budgets"], {"samples": 4096, "computation_rounds": 256, "communication_rounds": 512, "bytes": 512 * 32 * 50 * 4})
        for figure in read["figures"]:
            self.assertLess(max(figure["by_seed"]["loss_mean_point"]), 1, figure)

    def test_a_study_goes_on_from_its_json_alone(self):
        read = json.loads((self.whole / f"kept/{NAME}.json").read_text())
        read["runs"] = {key: run for k, (key, run) in enumerate(read["runs"].items()) if k % 2}
        half = self.home / "half"
        (half / "kept").mkdir(parents=True)
        (half / f"kept/{NAME}.json").write_text(json.dumps(read))
        made = make(harness.PROGRAM, half)
        self.assertEqual(kept(half), kept(self.whole))
        self.assertFalse(set(made) & set(read["runs"]))
        self.assertEqual(make(harness.PROGRAM, half), ())

    def test_interrupted_anywhere_it_ends_alike(self):
        for share in (0.3, 0.6):
            process = subprocess.Popen([sys.executable, "-B", __file__, harness.PROGRAM, "--study", self.home / "stopped"],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(share * self.seconds)
            process.terminate()
            process.wait()
        make(harness.PROGRAM, self.home / "stopped")
        self.assertEqual(kept(self.home / "stopped"), kept(self.whole))

    def test_a_run_repeats_to_its_hash(self):
        path = self.whole / f"kept/{NAME}.json"
        self.assertTrue(replay(path, harness.PROGRAM, CONFIGS, self.home / "replay"))
        read = json.loads(path.read_text())
        for run in read["runs"].values():
            run["trajectory"] = "0"
        wrong = self.write("wrong.json", json.dumps(read))
        self.assertFalse(replay(wrong, harness.PROGRAM, CONFIGS, self.home / "again"))

    def test_a_run_that_diverged_has_no_figure_beyond(self):
        run = {"status": "diverged", "records": {"samples": [0, 10, 20], "loss_mean_point": [1, 2, None]}}
        self.assertEqual(value_at(run, "samples", 15), 2)
        self.assertIsNone(value_at(run, "samples", 20))


class Kept(harness.Case):
    def test_figures_are_those_of_their_runs(self):
        for path in sorted((harness.PROJECT / "docs/results/page").glob("*.json")):
            read = json.loads(path.read_text())
            for figure in read["figures"]:
                runs = [run for seed in read["seeds"] for run in read["runs"].values() if run["seed"] == seed
                        and {key: value for key, value in run["set"].items() if key != "method.name"} == figure["set"]]
                runs = [run for run in runs if run["set"]["method.name"] == figure["method"]]
                for measure, values in figure["by_seed"].items():
                    again = [value_at(run, figure["axis"], read["budgets"][figure["axis"]], measure) for run in runs]
                    self.assertEqual(again, values, (path.name, figure["title"], figure["axis"]))


if __name__ == "__main__":
    if "--study" in sys.argv:
        make(sys.argv[1], Path(sys.argv[3]))
    else:
        harness.main()
