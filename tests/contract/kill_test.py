#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills runs of every listed method at random moments by SIGKILL and resumes each until it is done; the files must be those of a
run that nobody disturbed. kill_test.py PROGRAM [--runs 12] [--ranks N] [--seed S]: --runs for each method; with --ranks under
mpirun, where a random process is killed."""
import argparse
import contextlib
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from methods import forms
from mpi_case import MPIRUN

DEPENDS_ON_THE_WAY = ("seconds", "wire_bytes", "messages", "record_bytes")


def random_change(chance, form):
    """Of the network; where graphs take turns there is no tour."""
    if not form.takes_changes:
        return ""
    changes = ["", "", ', change = "links", loss = 0.3, burst = 3']
    return chance.choice(changes if "route" in form.options else [*changes, ', change = "periodic", graphs = ["ring", "star"]'])


def random_config(chance, form, iterations):
    method = form.table(R=chance.randint(2, 4), K=chance.choice([3, 4, 10]), T=max(3, iterations // 10),
                        iterations=max(3, iterations // 10))
    return f"""\
seed = {chance.randrange(1000)}
precision = "{chance.choice(["float32", "float64"])}"
problem = {{ size = 400, dimension = {chance.choice([3, 40, 700])}, batch = {chance.randint(1, 3)} }}
clients = {{ count = 8, partition = "{chance.choice(["iid", "dirichlet"])}" }}
network = {{ graph = "{chance.choice(["ring", "hypercube", "complete"])}"{random_change(chance, form)} }}
run = {{ record_every = {chance.randint(1, 50)}, threads = {chance.randint(1, 2)}, budget = {{ iterations = {iterations} }} }}
{method}"""


def bits(directory):
    """All that must not depend on time."""
    records = [json.loads(line) for line in (directory / "metrics.jsonl").read_text().splitlines()]
    for record in records:
        for key in DEPENDS_ON_THE_WAY:
            del record[key]
    arrays = [(directory / name).read_bytes() for name in ("output.npy", "last.npy")]
    return json.loads((directory / "summary.json").read_text())["trajectory"], records, arrays


def children(pid):
    found = subprocess.run(["pgrep", "-P", str(pid), "doc2s"], capture_output=True, text=True).stdout.split()
    return [int(number) for number in found]


class Killer:
    def __init__(self, program, ranks, chance, folder):
        self.program, self.ranks, self.chance, self.folder = program, ranks, chance, folder

    def start(self, *words):
        ranks = self.chance.choice([1, self.ranks, max(2, self.ranks // 2)]) if self.ranks else 0
        launcher = [*MPIRUN, "-n", str(ranks)] if ranks > 1 else []
        process = subprocess.Popen([*launcher, self.program, "run", *map(str, words), "--quiet"], cwd=self.folder,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        return process, bool(launcher)

    def kill_after(self, process, launched, seconds):
        """True where the run had ended before."""
        try:
            process.wait(timeout=seconds)
            return True
        except subprocess.TimeoutExpired:
            victims = []
            while not victims and process.poll() is None:  # mpirun may not have started them yet
                victims = children(process.pid) if launched else [process.pid]
            try:
                os.kill(self.chance.choice(victims), signal.SIGKILL)
            except (ProcessLookupError, IndexError):
                pass  # it ended by itself
            self.wait_for_its_end(process, launched)
            return process.returncode == 0

    def wait_for_its_end(self, process, launched):
        """mpirun 4.1.4 now and then waits for itself for ever once a rank has died (in PMIx_server_finalize)."""
        try:
            process.wait(timeout=60 if launched else harness.PATIENCE)
        except subprocess.TimeoutExpired:
            if not launched:
                raise
            for victim in [*children(process.pid), process.pid]:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(victim, signal.SIGKILL)
            process.wait(timeout=harness.PATIENCE)

    def run_once(self, number, form, iterations):
        (self.folder / "config.toml").write_text(random_config(self.chance, form, iterations))
        began = time.monotonic()
        whole = self.folder / f"whole-{number}"
        subprocess.run([self.program, "run", "config.toml", "--quiet", "--out", whole], cwd=self.folder, check=True,
                       stdout=subprocess.DEVNULL)
        patience = (time.monotonic() - began) + (1.5 if self.ranks else 0.02)
        directory = self.folder / f"killed-{number}"
        anew = ["config.toml", "--out", directory, "--force", "--checkpoint-every", self.chance.randint(5, 200)]
        words, kills = anew, 0
        while True:
            process, launched = self.start(*words)
            if self.kill_after(process, launched, self.chance.uniform(0, patience)):
                error = process.stderr.read()
                if process.returncode == 0:
                    break
                if "before its first iteration" not in error and "no such directory" not in error:
                    sys.exit(f"run {number}, {form.title}: exit {process.returncode}: {error}")
                words = anew
            else:
                kills += 1
                words = ["--resume", directory] if directory.exists() else anew
            patience *= 1.2  # so that it gets done
        if bits(directory) != bits(whole):
            sys.exit(f"run {number}, {form.title}, differs after {kills} kills from the undisturbed one: {directory} and {whole}")
        return kills


def main():
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("program")
    words.add_argument("--runs", type=int, default=12)
    words.add_argument("--ranks", type=int, default=0)
    words.add_argument("--iterations", type=int, default=3000)
    words.add_argument("--seed", type=int, default=1)
    words = words.parse_args()
    harness.PROGRAM = str(pathlib.Path(words.program).resolve())
    chance, number, total = random.Random(words.seed), 0, 0
    all_forms = forms(clients=8)
    with tempfile.TemporaryDirectory(prefix="doc2s-kill-") as folder:
        killer = Killer(harness.PROGRAM, words.ranks, chance, pathlib.Path(folder))
        for method in dict.fromkeys(form.method for form in all_forms):
            for form in chance.choices([form for form in all_forms if form.method == method], k=words.runs):
                total += killer.run_once(number, form, words.iterations)
                number += 1
    print(f"{number} runs, {total} kills, every one resumed to the bits of the undisturbed run")


if __name__ == "__main__":
    main()
