#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every listed method on small problems and replays each trace in NumPy (tests/replay).

replay_test.py PROGRAM [--once] [METHOD…]  prints a table of the largest relative errors, exits 1 where a replay differs, or where a tampered
                                           trace does not; --once: of each method one order, one case and all tamperings
"""
import copy
import gzip
import json
import lzma
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import harness
from methods import COMMON, forms
from replay.cases import CAPPED, PLAIN, set_header, zeroth_cases
from replay.changing import LINKS
from replay.parts import CannotReplay
from replay.trace import replay_of, replay_trace

BASE = {
    "seed": 1, "precision": "float64", "problem.name": "svm", "problem.data": "dense", "problem.batch": 1,
    "clients.count": 16, "clients.partition": "contiguous", "network.graph": "ring", "network.neighbours": 3,
    "method.eta": 0.01, "method.D": 0.01, "method.delta_prime": 0.001,
}
FLOAT32 = {"precision": "float32"}


def libsvm(m, d, density, labels, seed):
    """Text of m random samples; a plane that separates most of them makes both sides of the hinge occur."""
    random = np.random.default_rng(seed)
    plane, lines = random.normal(size=d), []
    for _ in range(m):
        index = np.flatnonzero(random.random(d) < density)
        a = random.normal(size=len(index))
        label = labels[int(plane[index] @ a + random.normal() > 0)]
        lines.append(" ".join([label] + [f"{j + 1}:{value!r}" for j, value in zip(index, a.tolist())]))
    lines[-1] = f"{labels[1]} {d}:1"  # the last feature occurs
    return "\n".join(lines) + "\n"


def write_data(folder):
    (folder / "dense").write_text(libsvm(80, 7, 1.0, ("-1", "+1"), 1))
    (folder / "zero-one").write_text(libsvm(203, 12, 0.5, ("0", "1"), 2))
    (folder / "sparse.gz").write_bytes(gzip.compress(libsvm(333, 40, 0.1, ("-1", "1"), 3).encode()))
    (folder / "one-two.xz").write_bytes(lzma.compress(libsvm(101, 25, 0.3, ("1", "2"), 4).encode()))


class Subject:
    """A form of a method under test: runs the program on it and replays what it did."""

    def __init__(self, form, folder):
        self.form, self.folder, self.replay = form, folder, replay_of(form.method)

    def run(self, changes):
        """Runs the program; gives the paths of the trace and of the run's directory."""
        config = BASE | self.replay.settings | changes
        config |= {f"method.{name}": value for name, value in self.form.values().items()}
        if config["problem.data"] != "a9a":
            config["problem.data"] = str(self.folder / config["problem.data"])
        if config["network.graph"] != "ring":
            del config["network.neighbours"]
        known = {f"method.{name}" for name in self.form.options | COMMON | {"name"}}
        lines = [f"{key} = {json.dumps(value)}" for key, value in config.items() if key in known or "method." not in key]
        (self.folder / "config.toml").write_text("\n".join(lines) + "\n")
        trace, directory = self.folder / "trace.jsonl", self.folder / "run"
        words = [harness.PROGRAM, "run", self.folder / "config.toml", "--out", directory, "--trace", trace, "--force", "--quiet"]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode != 0:
            raise CannotReplay(f"the program ended with {done.returncode}: {done.stderr.strip()}")
        return trace, directory

    def check_cases(self):
        for precision in ({}, FLOAT32):
            more = zeroth_cases() if self.form.order == "zeroth" else ()
            for name, changes in (*self.replay.cases(), *self.replay.own_cases(self.form), *self.replay.changing_cases(), *more):
                yield self.check_case(name, changes | precision)

    def check_case(self, name, changes):
        """Replays one run; prints its row of the table and gives whether it passed."""
        title = f"{self.form.title:19s} {name:27s} {changes.get('precision', 'float64')}"
        try:
            trace, directory = self.run(changes)
            replay = replay_trace(trace, run=directory, follow="follow" in name)
        except CannotReplay as error:
            print(f"{title}  FAILED: {error}")
            return False
        check_test_itself(replay, changes)
        verdict = replay.verdict
        errors = [verdict.largest.get(key, (0.0,))[0] for key in ("g", "y_mean", "output.npy", "last.npy", "loss_worst")]
        print(f"{title}  " + "  ".join(f"{error:8.1e}" for error in errors) + f"  {verdict.kinks or ''}")
        if not verdict.passed():
            print(f"FAILED: {name} {json.dumps(changes)}\n{verdict.table()}")
        return verdict.passed()

    def check_output_draw(self):
        """Over many seeds each of three candidates is given out about equally often, and what is unfinished never."""
        counts = np.zeros(3)
        for seed in range(self.replay.seeds):
            trace, directory = self.run(self.replay.three_outputs | {"seed": seed})
            replay = replay_trace(trace, run=directory)
            if not replay.verdict.passed():
                print(f"FAILED: seed {seed}\n{replay.verdict.table()}")
                return False
            counts += np.bincount(replay.chosen[:1] if replay.one_draw else replay.chosen, minlength=3)
        draws = counts.sum()
        even = (np.abs(counts - draws / 3) < 4 * np.sqrt(draws * 2 / 9)).all()  # 4 standard deviations
        title = f"{self.form.title}: outputs 1, 2, 3 of {draws:.0f} draws: {counts.astype(int).tolist()}"
        print(f"{'' if even else 'FAILED: '}{title}")
        return even

    def takes_another_down(self):
        """Whether a trace is taken for good that tells other edges to be down."""
        trace, _ = self.run(CAPPED | LINKS | PLAIN | self.replay.tampered_run | {"run.budget.iterations": 12})
        lines = [json.loads(line) for line in trace.read_text().splitlines()]
        (self.folder / "other-down.jsonl").write_text("\n".join(json.dumps(line) for line in tampered(lines, self.replay.other_down)) + "\n")
        try:
            return replay_trace(self.folder / "other-down.jsonl").verdict.passed()
        except CannotReplay:
            return False

    def check_tampering(self):
        """Every tampering of a good trace must be found."""
        # A wide difference: with 0.01 the feedback of DGFM+ lets roundings grow to near the tolerance.
        trace, directory = self.run(CAPPED | {"method.delta_prime": 0.03} | self.replay.tampered_run)
        lines = [json.loads(line) for line in trace.read_text().splitlines()]

        def taken_for_good(change, run=None, replay_class=None):
            text = "\n".join(json.dumps(line) for line in tampered(lines, change))
            (self.folder / "tampered.jsonl").write_text(text + "\n")
            try:
                return replay_trace(self.folder / "tampered.jsonl", run=run, replay_class=replay_class).verdict.passed()
            except CannotReplay:
                return False

        def untouched(lines):
            pass

        tamperings = TAMPERINGS | self.replay.tamperings(lines[0]["header"])
        unnoticed = [name for name, change in tamperings.items() if taken_for_good(change)]
        unnoticed += [f"replayed with {other.__name__}" for other in self.replay.wrong
                      if taken_for_good(untouched, directory, other)]
        if not taken_for_good(untouched, directory):
            unnoticed.append("nothing changed, yet refused")
        if lines[1]["s"] and taken_for_good(nudge_last_s, directory):  # of the last epoch: may touch no g, but last.npy
            unnoticed.append("s")
        if self.takes_another_down():
            unnoticed.append("an edge that was down")
        replay = replay_trace(trace, run=directory)
        np.save(directory / "output.npy", other_candidate(replay, np.load(directory / "output.npy")))
        if taken_for_good(untouched, directory):
            unnoticed.append("outputs of other clients or draws")
        for name in unnoticed:
            print(f"FAILED: a tampered trace of {self.form.title} order ({name}) was taken for good")
        return not unnoticed


def check_test_itself(replay, changes):
    """A case must reach what it is there for; the default penalty and the draw of epochs are checked in passing."""
    h, require = replay.h, replay.verdict.require
    require(2 * replay.nonzero_estimates >= replay.estimates, "most of the estimates are zero")
    for what in replay.missing():
        require(False, what)
    if "problem.lambda" in changes:
        points = *replay.iterates[-1], replay.mean_at(replay.tick)
        require(np.abs(points).max() > h["alpha"], "no coordinate passes the cap")
    else:
        require(abs(h["lambda"] * len(replay.svm.b) / 1e-5 - 1) < 1e-12, f"lambda is {h['lambda']}, not 1e-5/m")
    if replay.n == 16 and not replay.one_draw and len(replay.epoch_means) > 2:  # by chance once in 3^15
        require(len(set(replay.chosen)) > 1, "all clients drew the same output epoch")


def tampered(lines, change):
    """A copy of the trace's lines with one thing changed."""
    lines = copy.deepcopy(lines)
    change(lines)
    return lines


def flip_z(lines):
    z = lines[1]["z"]
    while isinstance(z[0], list):  # of the last client, of its last pair
        z = z[-1]
    z[3] *= -1  # the length stays


def other_row(lines):
    rows = lines[1]["batch"]
    rows = rows[-1] if isinstance(rows[0], list) else rows
    rows[-1] = rows[-1] // 5 * 5 + (rows[-1] + 1) % 5  # of the same client: 80 rows, 16 clients


def nudge(key, tick, factor):
    def change(lines):
        value = np.array(lines[tick + 1][key])
        value[tuple([-1] * (value.ndim - 1))] *= factor
        lines[tick + 1][key] = value.tolist()
    return change


def nudge_last_s(lines):
    for line in lines[-10:]:
        line["s"] = [0.99 * s for s in line["s"]]


TAMPERINGS = {
    "a sign in z": flip_z,
    "a row of a batch": other_row,
    "g by 1e-9": nudge("g", 1, 1 + 1e-9),
    "y_mean by 1e-9": nudge("y_mean", 30, 1 + 1e-9),
    "a missing iteration": lambda lines: lines.pop(20),
    "z of another iteration": lambda lines: lines[5].update(z=lines[2]["z"]),
    "eta": set_header("eta", 0.0501),
    "alpha": set_header("alpha", 0.11),
}


def other_candidate(replay, output):
    """The output with client 0's row from another draw, or where each client draws for itself, of other clients."""
    if not replay.one_draw:
        return output[::-1]
    output[0] = replay.candidates()[replay.chosen[0] - 1][0]
    return output


def subjects(folder, wanted):
    """Of each listed method the forms that its replay goes through."""
    for form in forms(BASE["clients.count"]):
        if not wanted or form.method in wanted:
            subject = Subject(form, folder)
            if subject.replay.every_choice or not form.choice:
                yield subject


def passed(folder, wanted):
    once = "--once" in wanted
    try:
        found = list(subjects(folder, set(wanted) - {"--once"}))
    except CannotReplay as error:
        print(f"FAILED: {error}")
        return [False]
    if once:
        found = list({subject.form.method: subject for subject in reversed(found)}.values())
        return [good for subject in found for good in (subject.check_case(*next(iter(subject.replay.cases()))), subject.check_tampering())]
    outcome = [good for subject in found for good in subject.check_cases()]
    if all(outcome):
        first = {(subject.form.method, subject.form.choice): subject for subject in reversed(found)}  # of the orders
        outcome += [subject.check_output_draw() for subject in first.values()]
        outcome += [subject.check_tampering() for subject in found]
    return outcome


def main():
    harness.PROGRAM = str(Path(sys.argv[1]).resolve())
    print(f"{'method':19s} {'case':27s} precision " + "  ".join(f"{key:>8s}" for key in
          ("g", "y_mean", "output", "last", "loss")) + "  estimates at a kink")
    with tempfile.TemporaryDirectory() as name:
        write_data(Path(name))
        outcome = passed(Path(name), sys.argv[2:])
    print(f"{sum(outcome)} of {len(outcome)} passed")
    return 0 if outcome and all(outcome) else 1


if __name__ == "__main__":
    sys.exit(main())
