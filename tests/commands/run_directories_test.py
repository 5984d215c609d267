#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where `doc2s run` writes, and what it never overwrites: python3 run_directories_test.py PROGRAM [TEST…]."""
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Case, Run, RUN_FILES, sets, snapshot, strict_json


class Directories(Case):
    def test_numbered_directories(self):
        for expected in ("runs/small", "runs/small-2", "runs/small-3"):
            answer = self.doc2s("run", "small.toml", "--quiet")
            self.assertIn(expected + "\n", answer.out)
            self.assertEqual(sorted(os.listdir(self.home / expected)), RUN_FILES)

    def test_runs_started_at_once_do_not_meet(self):
        started = [self.start("run", "small.toml", "--quiet", *sets(seed=seed), stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) for seed in range(6)]
        answers = [(process.communicate(timeout=harness.PATIENCE)[1], process.returncode) for process in started]
        self.assertEqual(answers, [("", 0)] * 6)
        runs = [Run(directory, None) for directory in (self.home / "runs").iterdir()]
        self.assertEqual(sorted(run.config["seed"] for run in runs), list(range(6)))
        for run in runs:
            self.assertEqual(run.bits(), self.small(*sets(seed=run.config["seed"])).bits())

    def test_a_config_on_stdin(self):
        for words, folder in (((), "runs/stdin"), (("--out", "o"), "o")):
            with open(self.home / "small.toml") as config:
                self.doc2s("run", "-", "--quiet", *words, stdin=config)
            run = Run(self.home / folder, None)
            self.assertEqual(run.bits(), self.small().bits())
        self.write("wrong.toml", "[method]\neta = 0\n")
        with open(self.home / "wrong.toml") as config:
            self.refused("run", "-", says=["stdin:2:", "method.eta"], stdin=config)

    def test_out_makes_parents(self):
        self.assertEqual(self.small(out=self.home / "a/b/c d").summary["status"], "finished")

    def test_out_may_hold_other_things(self):
        note = self.write("mine/note.txt", "keep")
        self.small(out=note.parent)
        self.assertEqual(sorted(os.listdir(note.parent)), sorted([*RUN_FILES, "note.txt"]))
        self.assertEqual(note.read_text(), "keep")

    def test_a_run_is_not_overwritten(self):
        self.small(out=self.home / "o")
        self.refused("run", "small.toml", "--out", "o", *sets(seed=2), says=["o", "already", "--force"])
        self.refused("run", "o/config.toml", "--out", "o", says=["already", "--force"])

    def test_what_is_left_of_a_run_is_not_overwritten(self):
        for name in RUN_FILES:
            self.write("left/" + name, "precious")
            self.refused("run", "small.toml", "--out", "left", says=["left", "--force"])
            (self.home / "left" / name).unlink()

    def test_force(self):
        note = self.write("o/note.txt", "keep")
        first = self.small(out=self.home / "o").trajectory
        second = self.small("--force", *sets(seed=2), out=self.home / "o")
        self.assertNotEqual(first, second.trajectory)
        self.assertEqual(second.config["seed"], 2)
        self.assertEqual(sorted(os.listdir(second.directory)), sorted([*RUN_FILES, "note.txt"]))
        self.assertEqual(note.read_text(), "keep")

    def test_force_with_a_mistake_loses_nothing(self):
        self.write("bad.svm", "1 1:1\n1 1:x\n")
        self.small(out=self.home / "o")
        for words in (sets(method__etta=1), sets(problem__data="bad.svm"), sets(clients__count=201),
                      sets(method__R=1), ["--trace", "no/such/folder/t"], ["--trace", "o"]):
            with self.subTest(words=words):
                self.refused("run", "small.toml", "--force", "--out", "o", *words)

    def test_the_demo_does_not_overwrite(self):
        self.small(out=self.home / "o")
        before = snapshot(self.home / "o")
        answer = self.doc2s("demo", "--out", "o", code=2)
        self.assert_one_sentence(answer, "already")
        self.assertEqual(snapshot(self.home / "o"), before)

    def test_places_that_cannot_be_written(self):
        self.write("file", "")
        for place in ("/proc/x", "/proc/x/y", "file/below", "file", "/dev/null/x"):
            with self.subTest(place=place):
                self.refused("run", "small.toml", "--quiet", "--out", place, says=[place])

    def test_a_folder_where_runs_cannot_be_made(self):
        self.refused("run", self.home / "small.toml", cwd="/proc", says=["runs/small", "--out"])
        self.write("runs", "a file")
        self.refused("run", "small.toml", says=["runs/small"])


class SeveralMethods(Case):
    METHODS = '[[method]]\nname = "doc2s"\n[[method]]\nname = "me-dol"\n[[method]]\nname = "doc2s"\nlabel = "many rounds"\nR = 8\n'

    def config(self):
        text = ("[problem]\nsize = 200\n[clients]\ncount = 8\n[run]\nbudget = { samples = 400 }\n" + self.METHODS)
        return self.write("several.toml", text)

    def test_a_folder_each_and_one_table(self):
        answer = self.doc2s("run", self.config(), "--quiet", "--out", "o")
        self.assertEqual(sorted(os.listdir(self.home / "o")), ["comparison.json", "doc2s", "many-rounds", "me-dol"])
        table = answer.out[answer.out.index("method "):]
        for label in ("doc2s ", "me-dol ", "many rounds "):
            self.assertIn(label, table)
        hashes = set()
        for name in ("doc2s", "many-rounds", "me-dol"):
            summary = strict_json((self.home / "o" / name / "summary.json").read_text())
            self.assertEqual(summary["samples"], 400)
            hashes.add(summary["trajectory"])
        self.assertEqual(len(hashes), 3)

    def test_a_mistake_leaves_no_folder_behind(self):
        self.refused("run", self.config(), "--quiet", "--set", "problem.data=nowhere.svm", says=["nowhere.svm"])
        self.assertEqual(list((self.home / "runs").glob("*")), [])

    def test_a_trace_needs_one_method(self):
        self.refused("run", self.config(), "--quiet", "--out", "o", "--trace", "t", says=["--trace t", "[method]"])

    def test_set_reaches_every_method(self):
        self.doc2s("run", self.config(), "--quiet", "--out", "o", "--set", "method.eta=0.25")
        for name in ("doc2s", "many-rounds", "me-dol"):
            setting = strict_json((self.home / "o" / name / "setting.json").read_text())
            self.assertEqual(setting["method"]["eta"], 0.25)


if __name__ == "__main__":
    harness.main()
