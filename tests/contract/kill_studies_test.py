#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills sweep, tune and reproduce at random moments by SIGKILL and starts each again until it is done; after a kill every file
under its final name is whole, and in the end the files are those of a study that nobody disturbed.
kill_studies_test.py PROGRAM [--kills 6] [--seed S] [--of tune …]: --kills of each command at least."""
import argparse
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from written_files import broken, contents

CONFIG = """\
seed = {seed}
problem = {{ size = 300, dimension = {dimension}, batch = 2 }}
clients = {{ count = 6, partition = "dirichlet" }}
run = {{ record_every = 20, checkpoint_every = {every} }}
[[method]]
name = "doc2s"
K = 10
T = 40
[[method]]
name = "token"
K = 10
T = 40
"""
STUDIES = {
    "sweep": ["sweep", "c.toml", "--over", "method.eta=0.01,0.02,0.05", "--quiet", "--out", "o"],
    "tune": ["tune", "c.toml", "--trials", "3", "--budget", "samples=800", "--quiet", "--out", "o"],
    "reproduce": ["reproduce", "ablation-rounds-a9a-first", "--scale", "smoke", "--out", "o"],
}


class Study:
    def __init__(self, program, name, folder, chance):
        self.words = [program, *STUDIES[name], "--jobs", str(chance.randint(1, 2))]
        self.name, self.folder, self.chance = name, folder, chance
        text = CONFIG.format(seed=chance.randrange(1000), dimension=chance.choice([5, 300]), every=chance.randint(20, 200))
        (folder / "c.toml").write_text(text)

    def start(self):
        env = {**os.environ, "DOC2S_DATA": "/nonexistent", "XDG_DATA_HOME": "/nonexistent"}
        return subprocess.Popen(self.words, cwd=self.folder, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    def undisturbed(self):
        """Its files, and how long it took."""
        began, process = time.monotonic(), self.start()
        _, error = process.communicate(timeout=harness.PATIENCE)
        if process.returncode != 0:
            sys.exit(f"{self.name}: exit {process.returncode}: {error}")
        due = contents(self.folder / "o")
        shutil.rmtree(self.folder / "o")
        return due, time.monotonic() - began

    def killed_until_done(self):
        """How often it was killed."""
        due, patience = self.undisturbed()
        kills = 0
        while True:
            process = self.start()
            try:
                _, error = process.communicate(timeout=self.chance.uniform(0, patience))
            except subprocess.TimeoutExpired:
                process.kill()
                process.communicate()
                kills += 1
                self.check_whole(due, kills)
                patience *= 1.1  # so that it gets done
                continue
            if process.returncode != 0:
                sys.exit(f"{self.name} after {kills} kills: exit {process.returncode}: {error}")
            self.check_same(due, kills)
            return kills

    def check_whole(self, due, kills):
        if (self.folder / "o").exists() and (found := broken(self.folder / "o", due)):
            sys.exit(f"{self.name} after {kills} kills: not whole: {found}")

    def check_same(self, due, kills):
        made = contents(self.folder / "o")
        if made != due:
            other = sorted(name for name in made.keys() | due.keys() if made.get(name) != due.get(name))
            sys.exit(f"{self.name} after {kills} kills differs from the undisturbed one: {other[:5]}")


def main():
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("program")
    words.add_argument("--kills", type=int, default=6)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--of", nargs="+", default=list(STUDIES), choices=STUDIES)
    words = words.parse_args()
    chance, program = random.Random(words.seed), str(pathlib.Path(words.program).resolve())
    for name in words.of:
        kills = studies = 0
        while kills < words.kills:
            with tempfile.TemporaryDirectory(prefix="doc2s-kill-") as folder:
                kills += Study(program, name, pathlib.Path(folder), chance).killed_until_done()
                studies += 1
        print(f"{name}: {studies} studies, {kills} kills, all files as of undisturbed ones", flush=True)


if __name__ == "__main__":
    main()
