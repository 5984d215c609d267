#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Parties with a file and a folder each: what they learn of each other, and what they are left with: python3 parties_test.py PROGRAM [TEST…]."""
import csv
import json
import pathlib
import shutil
import subprocess
import sys
import unittest

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Run, strict_json
from mpi_case import MPIRUN, MpiCase

PARTIES, ROWS, ETA = 4, 12, 1e-3
COLUMNS = ["age", "pressure", "sugar"]
CONFIG = f"""\
problem = {{ data = "site-{{client}}.csv", batch = 1, lambda = 0 }}
clients = {{ count = {PARTIES} }}
method = {{ name = "dsgd", iterations = 150, eta = {ETA} }}
run = {{ record_every = 50, threads = 1 }}
"""


def table_of(site):
    chance = np.random.default_rng(site)
    rows = chance.integers([20, 90, 3], [90, 180, 15], size=(ROWS, 3))
    return rows, np.where(rows @ [2, 1, 5] + chance.normal(0, 30, ROWS) > 280, "ill", "well")


def text_of(rows, states):
    return "\n".join([",".join([*COLUMNS, "state"]), *(f"{','.join(map(str, row))},{state}" for row, state in zip(rows, states))]) + "\n"


def records_in(vectors, how):
    """The patients that these vectors are, if each is −b·a: a the scaled features, which were whole numbers, and b = ±1 the class."""
    found = set()
    for g in vectors:
        for sign, state in zip((1, -1), how["classes"]):
            values = sign * np.asarray(g) * how["deviation"] + how["mean"]
            if np.any(g) and np.abs(values - values.round()).max() < 1e-9:
                found.add((*map(int, values.round()), state))
    return found


class Parties(MpiCase):
    def setUp(self):
        super().setUp()
        for site in range(PARTIES):
            self.party(site).mkdir()
            self.write(f"party-{site}/site-{site}.csv", text_of(*table_of(site)))
            self.write(f"party-{site}/run.toml", CONFIG)

    def party(self, site):
        return self.home / f"party-{site}"

    def run_parties(self, *words, code=0, folders=None, before=None):
        """A rank in each party's folder, or in these; `before` says what is put before a rank's command."""
        command = MPIRUN[:]
        for rank in range(PARTIES):
            folder = self.party(rank) if folders is None else folders[rank]
            command += [":"] * (rank > 0) + ["-n", "1", "-wdir", str(folder), *(before or {}).get(rank, []),
                                             harness.PROGRAM, "run", *map(str, words)]
        quiet = self.environment({"EVENT_NOEPOLL": "1"})  # see cmake/launch_mpi.sh
        process = subprocess.Popen(command, env=quiet, cwd=self.home, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        answer = self.end_of(process)
        self.assertEqual(answer.code, code, answer.out + answer.err)
        return answer

    def rows_of_others(self):
        return {(*map(int, row), str(state)) for site in range(1, PARTIES) for row, state in zip(*table_of(site))}


class Traces(Parties):
    def preprocessing(self):
        return json.loads((self.party(0) / "o/preprocessing.json").read_text())

    def test_a_trace_that_was_allowed_holds_the_records_of_all(self):
        self.run_parties("run.toml", "--quiet", "--out", "o", "--trace", "t.jsonl", "--trace-of-all")
        ticks = [strict_json(line) for line in (self.party(0) / "t.jsonl").read_text().splitlines()[1:]]
        rebuilt = records_in([g for tick in ticks for g in tick["g"][1:]], self.preprocessing())
        self.assertEqual(rebuilt, self.rows_of_others())

    def test_without_one_the_first_party_s_files_hold_none(self):
        answer = self.run_parties("run.toml", "--out", "o", "--trace", "t.jsonl", code=2)
        self.assert_one_sentence(answer, "--trace-of-all")
        self.assertEqual([path.name for path in self.party(0).iterdir() if path.name not in ("site-0.csv", "run.toml")], [])
        self.run_parties("run.toml", "--quiet", "--out", "o")
        files = sorted(path for path in self.party(0).rglob("*") if path.is_file())
        self.assertEqual([path.name for path in files], [*harness.RUN_FILES, "run.toml", "site-0.csv"])
        points = [row for path in files if path.suffix == ".npy" for row in np.atleast_2d(np.load(path))]
        steps = [(one - other) / scale for one in points for other in [0 * one, *points] for scale in (1, ETA)]
        self.assertEqual(records_in(steps, self.preprocessing()), set())

    def test_one_process_has_all_files_anyway(self):
        for site in range(PARTIES):
            shutil.copy(self.party(site) / f"site-{site}.csv", self.home)
        self.run_config(self.party(0) / "run.toml", "--trace", "t.jsonl")


class OwnFolders(Parties):
    def models(self):
        return [(self.party(site) / "o/last.npy").read_bytes() for site in range(PARTIES)]

    def test_every_party_is_left_with_the_model(self):
        answer = self.run_parties("run.toml", "--out", "o")
        self.assertIn("the model is also left at rank 1: o, rank 2: o, rank 3: o\n", answer.err)
        self.assertEqual(len(set(self.models())), 1)
        for site in range(1, PARTIES):
            self.assertEqual(sorted(path.name for path in (self.party(site) / "o").iterdir()),
                             ["config.toml", "last.npy", "preprocessing.json"])
            self.doc2s("predict", "o", f"site-{site}.csv", "-o", "p.csv", cwd=self.party(site))
            with open(self.party(site) / "p.csv", newline="") as file:
                self.assertEqual(len(list(csv.DictReader(file))), ROWS)
        shutil.rmtree(self.party(0) / "o")
        answer = self.run_parties("run.toml", "--out", "o", code=2)
        self.assert_one_sentence(answer, "rank 1: o: already holds a run")
        self.assertFalse((self.party(0) / "o").exists())
        self.run_parties("run.toml", "--out", "o", "--force")

    def test_ranks_of_one_machine_share_its_folder(self):
        for site in (2, 3):
            shutil.copy(self.party(site) / f"site-{site}.csv", self.party(1))
        answer = self.run_parties("run.toml", "--out", "o", folders=[self.party(0), *3 * [self.party(1)]])
        self.assertIn("the model is also left at rank 1: o\n", answer.err)

    def test_a_resumed_run(self):
        self.run_parties("run.toml", "--quiet", "--out", "o", "--checkpoint-every", 40, "--set", "run.budget.iterations=60")
        before = self.models()
        self.run_parties("--resume", "o", "--quiet", "--set", "run.budget.iterations=150")
        cut = Run(self.party(0) / "o", None)
        self.assertEqual(len(set(self.models())), 1)
        self.assertNotEqual(self.models(), before)
        self.run_parties("run.toml", "--quiet", "--out", "whole")
        self.assertEqual(cut.trajectory, Run(self.party(0) / "whole", None).trajectory)

    def hidden_from(self, rank):
        """This rank finds the first party's folder empty, as on another machine."""
        script = 'mount -t tmpfs none "$0" && exec "$@"'
        command = ["unshare", "--mount", "--propagation", "private", "sh", "-c", script, str(self.party(0))]
        if subprocess.run([*command, "true"], capture_output=True, check=False).returncode:
            raise unittest.SkipTest("mounts are not allowed here")
        return {rank: command}

    def test_what_a_rank_does_not_see_is_said_at_the_start(self):
        before = self.hidden_from(2)
        answer = self.run_parties("run.toml", "--out", "o", before=before)
        self.assertIn(f"{self.party(0)}/o is not seen by rank 2, so no checkpoints are written", answer.err)
        self.assertEqual(len(set(self.models())), 1)
        answer = self.run_parties("run.toml", "--out", "p", "--checkpoint-every", 40, before=before, code=2)
        self.assert_one_sentence(answer, f"{self.party(0)}/p: is not seen by rank 2, so there can be no checkpoints")
        self.assertEqual(list(self.home.glob("*/p")), [])


if __name__ == "__main__":
    harness.main()
