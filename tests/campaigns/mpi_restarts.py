#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills random processes of MPI jobs that were started with --restarts, by SIGKILL at random moments. Every job must come to its end by
itself, with the files of a run that nobody disturbed. mpi_restarts.py PROGRAM [--kills 100] [--ranks 4] [--seed S] [--iterations I]"""
import argparse
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "contract")]
import harness
from kill_test import bits, random_config
from methods import forms
from mpi_case import launcher_command, rank_pids

RESTARTED = "starting again from the newest checkpoint (restart"


class Campaign:
    def __init__(self, words, folder):
        self.words, self.folder = words, folder
        self.chance = random.Random(words.seed)
        self.forms = forms(clients=8)
        self.runs = self.kills = self.restarts = 0

    def program(self, *words):
        subprocess.run([harness.PROGRAM, "run", *map(str, words), "--quiet"], cwd=self.folder, check=True, stdout=subprocess.DEVNULL)

    def start(self, directory, restarts):
        words = [self.words.ranks, "--restarts", restarts, "run", "config.toml", "--quiet", "--out", directory,
                 "--checkpoint-every", self.chance.randint(50, 500)]
        return subprocess.Popen(launcher_command(self.folder, *words), cwd=self.folder, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True)

    def kill_one(self, job, before):
        """One process of those that have been started since; False where the job ended before."""
        pids = []
        while len(pids) < self.words.ranks and job.poll() is None:
            pids = [pid for pid in rank_pids(self.folder) if pid not in before]
            time.sleep(0.02)
        time.sleep(self.chance.uniform(0, 2))
        victims = [pid for pid in rank_pids(self.folder) if pid not in before]
        if job.poll() is not None or not victims:
            return False
        before.update(victims)
        try:
            os.kill(self.chance.choice(victims), signal.SIGKILL)
        except ProcessLookupError:
            return False
        return True

    def one_run(self, wanted):
        form = self.chance.choice(self.forms)
        (self.folder / "config.toml").write_text(random_config(self.chance, form, self.words.iterations))
        whole, killed = self.folder / f"whole-{self.runs}", self.folder / f"killed-{self.runs}"
        self.program("config.toml", "--out", whole)
        job, before, kills = self.start(killed, restarts=wanted), set(), 0
        while kills < wanted and self.kill_one(job, before):
            kills += 1
        error = job.communicate(timeout=600)[1]
        restarts = error.count(RESTARTED)
        if job.returncode != 0 or bits(killed) != bits(whole):
            sys.exit(f"run {self.runs}, {form.title}: exit {job.returncode} after {kills} kills: {killed} and {whole}\n{error}")
        self.runs, self.kills, self.restarts = self.runs + 1, self.kills + kills, self.restarts + restarts
        print(f"run {self.runs}, {form.title}: {kills} kills, {restarts} restarts, the undisturbed hash", flush=True)


def main():
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("program")
    words.add_argument("--kills", type=int, default=100)
    words.add_argument("--ranks", type=int, default=4)
    words.add_argument("--iterations", type=int, default=5000)
    words.add_argument("--seed", type=int, default=1)
    words = words.parse_args()
    harness.PROGRAM = str(pathlib.Path(words.program).resolve())
    with tempfile.TemporaryDirectory(prefix="doc2s-restarts-") as folder:
        campaign = Campaign(words, pathlib.Path(folder).resolve())
        while campaign.kills < words.kills:
            campaign.one_run(min(campaign.chance.randint(1, 6), words.kills - campaign.kills))
    print(f"{campaign.runs} runs, {campaign.kills} kills, {campaign.restarts} restarts: all ended with the bits of the undisturbed run")


if __name__ == "__main__":
    main()
