#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fuzzes the numerics: random valid configs of all sections (tests/numerics/configs.py: methods, orders, graphs, weights, gossip,
partitions, precisions, batches, directions, travellers, routes, budgets, threads) are run for some iterations, some of them
stopped and resumed, and their traces and files are replayed in NumPy (tests/replay) number by number.

numerics_test.py PROGRAM [--runs 60] [--seconds S] [--first 1]     run k is made from seed k alone; --first k --runs 1 repeats it
"""
import argparse
import collections
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

import harness
from methods import listed
from numerics.configs import Drawn
from replay.parts import CannotReplay
from replay.trace import replay_trace

# What a config of these sections may be refused for: anything else is a finding.
REFUSALS = {
    "gossip that does not contract": "does not contract",
    "a client without samples": "gets no samples|without samples",
}
KEPT = ("config.toml", "data.svm", "edges.txt", "matrix.txt")


class Finding(Exception):
    pass


def refusal(error):
    for name, words in REFUSALS.items():
        if re.search(words, error):
            return name
    raise Finding(f"refused: {error}")


class Trial:
    def __init__(self, number, methods, folder):
        self.chance, self.folder = random.Random(number), folder
        self.drawn = Drawn(self.chance, methods)
        for name, text in self.drawn.files.items():
            (folder / name).write_text(text)
        (folder / "config.toml").write_text(self.drawn.text())

    def program(self, *words):
        done = subprocess.run([harness.PROGRAM, "run", *words, "--trace", "trace.jsonl", "--quiet"], cwd=self.folder,
                              capture_output=True, text=True, timeout=harness.PATIENCE)
        if done.returncode not in (0, 2):
            raise Finding(f"exit {done.returncode}: {done.stderr}")
        return done.stderr if done.returncode == 2 else None

    def run(self):
        """What it was refused for, or None."""
        if self.chance.random() < 0.7 or "run.budget.iterations" in self.drawn.table:
            return self.program("config.toml", "--out", "run")
        stop = str(self.chance.randint(1, 15))
        refused = self.program("config.toml", "--out", "run", "--checkpoint-every", "4", "--set", f"run.budget.iterations={stop}")
        threads = str(self.chance.randint(1, 3))
        return refused or self.program("--resume", "run", "--set", "run.budget.iterations=1000", "--set", f"run.threads={threads}")

    def check(self):
        """The kinks met; raises Finding where program and replay differ."""
        fine = self.drawn.table["method.order"] == "zeroth"  # magnifies roundings by d/(2 mu): each estimate is judged alone
        try:
            verdict = replay_trace(self.folder / "trace.jsonl", run=self.folder / "run", follow=fine).verdict
        except CannotReplay as error:
            raise Finding(f"cannot be replayed: {error}") from None
        if not verdict.passed():
            raise Finding(verdict.table())
        return verdict.kinks

    def iterations(self):
        return json.loads((self.folder / "run/summary.json").read_text())["iterations"]


class Campaign:
    def __init__(self):
        self.methods, self.seen, self.refused = listed(), collections.Counter(), collections.Counter()
        self.runs = self.iterations = self.kinks = 0

    def one(self, number):
        with tempfile.TemporaryDirectory(prefix="doc2s-numerics-") as folder:
            trial = Trial(number, self.methods, pathlib.Path(folder))
            try:
                refused = trial.run()
                if refused:
                    self.refused[refusal(refused)] += 1
                    return
                self.kinks += trial.check()
            except Finding as found:
                texts = "\n".join(f"--- {path.name}\n{path.read_text()}" for path in pathlib.Path(folder).iterdir() if path.name in KEPT)
                raise Finding(f"run {number}: {found}\n{texts}") from None
            self.note(trial)

    def note(self, trial):
        self.runs += 1
        self.iterations += trial.iterations()
        for key in ("method.name", "method.order", "network.graph", "clients.partition", "precision"):
            self.seen[trial.drawn.table[key]] += 1

    def told(self):
        lines = [f"{self.runs} runs, {self.iterations} iterations replayed, {self.kinks} estimates at a kink, "
                 f"{sum(self.refused.values())} configs refused: {dict(self.refused)}"]
        return "\n".join([*lines, ", ".join(f"{name} {count}" for name, count in sorted(self.seen.items()))])


def main():
    words = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    words.add_argument("program")
    words.add_argument("--runs", type=int, default=60)
    words.add_argument("--first", type=int, default=1)
    words.add_argument("--seconds", type=float, default=1e9)
    words = words.parse_args()
    harness.PROGRAM = str(pathlib.Path(words.program).resolve())
    campaign, began, findings = Campaign(), time.monotonic(), 0
    for number in range(words.first, words.first + words.runs):
        if time.monotonic() - began > words.seconds:
            break
        try:
            campaign.one(number)
        except Finding as found:
            findings += 1
            print(f"FINDING, {found}", flush=True)
    print(campaign.told())
    if findings or campaign.runs < sum(campaign.refused.values()):
        sys.exit(f"{findings} findings, {campaign.runs} runs")


if __name__ == "__main__":
    main()
