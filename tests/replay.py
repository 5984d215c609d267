#!/usr/bin/env python3
"""Replays a trace on the capped-l1 SVM and compares every number with its own.

replay.py TRACE [--data FILE] [--run DIR] [--follow]     exits 1 where something differs, 2 where it cannot replay

Written from the listings of the methods (replay_methods.py) and the definition of the trace; it shares nothing with
the program. From the trace it takes only what chance decided (client, s, batch rows, z) and does the rest in float64,
with dense n x d gossip.

What is compared (largest relative error, ||mine - theirs|| / ||theirs||), and how close it must be:
  g, y_mean   each iteration. With --run also output.npy, last.npy, the losses, the consensus error, and all counts.
  float64     1e-10. The replay goes on with its own g, so that nothing of the trace's results enters; --follow takes
              the trace's g once it is compared, for a zeroth-order run with a large d/mu (see below).
  float32     1e-5: 2^-24 = 6e-8 a rounding, some dozens of them in a coordinate's way through the run. Always with
              --follow, so that each estimate is judged alone.
  zeroth      g = (d/2 mu)(F+ - F-) z magnifies the rounding of F by d/(2 mu), however small the difference. So its
              error is taken relative to max(||g||, a (d/2 mu) S), S the size of the terms that F adds up. With
              a = 1e-3 for float64 and 1/20 for float32 this allows errors of 1e-13 and 5e-7 of S.
  kinks       a hinge or a penalty closer to its kink than the tolerance may fall to either side: there the trace's
              choice is allowed and adopted. The report says how many estimates this touched.
"""
import argparse
import gzip
import json
import lzma
import sys
import tomllib
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True  # the source tree stays clean
from replay_methods import METHODS, TINY, TOLERANCE, CannotReplay


class Verdict:
    """The largest error of each quantity with its place, and the faults that no tolerance excuses."""

    def __init__(self, tolerance):
        self.tolerance, self.largest, self.faults, self.kinks = tolerance, {}, [], 0

    def compare(self, name, mine, theirs, where, scale=0.0, slack=0.0):
        """Notes || max(|mine - theirs| - slack, 0) || / max(||theirs||, scale)."""
        mine, theirs = np.atleast_1d(np.asarray(mine, float)), np.atleast_1d(np.asarray(theirs, float))
        if mine.shape != theirs.shape:
            return self.require(False, f"{name} has shape {theirs.shape}, not {mine.shape}, {where}")
        distance = np.linalg.norm(np.maximum(np.abs(mine - theirs) - slack, 0))
        error = distance / max(np.linalg.norm(theirs), scale, TINY)
        error = error if np.isfinite(error) else np.inf
        if error >= self.largest.get(name, (0.0,))[0]:
            self.largest[name] = (error, where)

    def require(self, true, fault):
        if not true:
            self.faults.append(fault)

    def misses(self):
        return [name for name, (error, _) in self.largest.items() if not error <= self.tolerance]

    def passed(self):
        return not self.faults and not self.misses()

    def table(self):
        lines = [f"{name:16s} {error:9.2e}  {'ok' if error <= self.tolerance else 'DIFFERS'}  {where}"
                 for name, (error, where) in self.largest.items()]
        lines += [f"FAULT: {fault}" for fault in self.faults[:10]]
        return "\n".join(lines + [f"tolerance {self.tolerance:g}, estimates at a kink: {self.kinks}"])


class Svm:
    """F(x; rows) = mean over rows of max{1 - b a'x, 0} + lambda sum_j min{|x_j|, alpha}."""

    def __init__(self, path, d, lam, alpha):
        self.d, self.lam, self.alpha = d, lam, alpha
        labels, self.start, self.index, self.feature = [], [0], [], []
        for line in read_text(path).splitlines():
            words = line.split("#")[0].split()
            if words:
                pairs = [word.split(":") for word in words[1:]]
                labels.append(float(words[0]))
                self.index += [int(j) - 1 for j, _ in pairs]
                self.feature += [float(value) for _, value in pairs]
                self.start.append(len(self.index))
        self.index, self.feature = np.array(self.index, int), np.array(self.feature)
        self.b = np.where(np.array(labels) == max(labels), 1.0, -1.0)  # -1/+1, 0/1 or 1/2: the larger is +1
        self.row = np.repeat(np.arange(len(labels)), np.diff(self.start))
        if self.index.max(initial=-1) >= d:
            raise CannotReplay(f"{path} has a feature {self.index.max() + 1}, beyond d = {d}")

    def sample(self, row):
        part = slice(self.start[row], self.start[row + 1])
        return self.index[part], self.feature[part], self.b[row]

    def penalty(self, x):
        return self.lam * np.minimum(np.abs(x), self.alpha).sum()

    def value(self, rows, x):
        hinges = [max(1 - b * (a @ x[j]), 0.0) for j, a, b in map(self.sample, rows)]
        return sum(hinges) / len(rows) + self.penalty(x)

    def size(self, rows, x):
        """What `value` adds up, without signs: the measure of its rounding."""
        terms = [1 + np.abs(a) @ np.abs(x[j]) for j, a, _ in map(self.sample, rows)]
        return sum(terms) / len(rows) + self.penalty(x)

    def gradient(self, rows, x, width):
        """The gradient, and by how much each coordinate may differ since a kink is nearer than `width`."""
        inside = np.abs(x) < self.alpha
        g = self.lam * np.sign(x) * inside
        slack = self.lam * (2 * (np.abs(x) < width) + (np.abs(np.abs(x) - self.alpha) < width))
        slack[x == 0] = 0  # no rounding there: the derivative of |x_j| at 0 is taken to be 0
        for j, a, b in map(self.sample, rows):
            margin = 1 - b * (a @ x[j])
            if margin > 0:
                g[j] -= b * a / len(rows)
            if abs(margin) < width * (1 + np.abs(a) @ np.abs(x[j])):
                slack[j] += np.abs(a) / len(rows)
        return g, slack

    def loss(self, x, owner, n):
        """f(x) = (1/n) sum_i f_i(x), f_i the mean over the rows of client i; owner[row] is the client."""
        margins = 1 - self.b * np.bincount(self.row, self.feature * x[self.index], len(self.b))
        hinges = np.bincount(owner, np.maximum(margins, 0), n) / np.bincount(owner, minlength=n)
        return hinges.mean() + self.penalty(x)


def read_text(path):
    opener = {".gz": gzip.open, ".xz": lzma.open}.get(Path(path).suffix, open)
    with opener(path, "rt") as file:
        return file.read()


def contiguous_owner(m, n):
    """The client of each row: blocks in the order of the clients, the first m mod n one row longer."""
    return np.repeat(np.arange(n), [m // n + (i < m % n) for i in range(n)])


def check_record(replay, record, iteration, name, owner):
    """Counts of a record, and its measures where it is known who owns which row."""
    verdict, n, y = replay.verdict, replay.n, replay.iterates[iteration]
    for key, count in replay.counts_after(iteration).items():
        verdict.require(record[key] == count, f"{name}: {key} is {record[key]}, not {count}")
    mean, where = y.mean(axis=0), f"{name}, iteration {iteration}"
    distances = np.linalg.norm(y - mean, axis=1)
    verdict.compare("consensus", distances.mean(), record["consensus"], where, np.linalg.norm(y, axis=1).mean())
    if owner is not None:
        losses = [replay.svm.loss(x, owner, n) for x in y]
        verdict.compare("loss_mean_point", replay.svm.loss(mean, owner, n), record["loss_mean_point"], where)
        verdict.compare("loss_clients", np.mean(losses), record["loss_clients"], where)
        verdict.compare("loss_worst", max(losses), record["loss_worst"], where)


def check_outputs(replay, directory):
    """Row i of output.npy is client i's part of one of the method's candidates, last.npy the method's last point.
    Gives the number of the candidate in each row."""
    output, last = np.load(directory / "output.npy"), np.load(directory / "last.npy")
    candidates, compare = np.array(replay.candidates()), replay.verdict.compare
    replay.verdict.compare("last.npy", replay.last(), last, "at the end")
    if output.shape != (replay.n, replay.d):
        replay.verdict.require(False, f"output.npy has shape {output.shape}")
        return []
    distances = np.linalg.norm(candidates - output, axis=2)  # candidate x client
    if replay.one_draw:
        distances[:] = distances.sum(axis=1, keepdims=True)
    chosen = distances.argmin(axis=0).tolist()
    for i, k in enumerate(chosen):
        compare("output.npy", candidates[k][i], output[i], f"client {i}, candidate {k}")
    return chosen


def check_run(replay, directory):
    config = tomllib.loads((directory / "config.toml").read_text())
    owner, m, require = None, len(replay.svm.b), replay.verdict.require
    if config["clients"]["partition"] == "contiguous":
        owner = contiguous_owner(m, replay.n)
        for row, client in replay.owner_seen.items():
            require(owner[row] == client, f"row {row} was drawn by client {client}, it belongs to {owner[row]}")
    records = [json.loads(line) for line in (directory / "metrics.jsonl").read_text().splitlines()]
    iterations, every = replay.tick, config["run"]["record_every"]
    due = sorted({*range(0, iterations + 1, every), iterations})
    require([r["iteration"] for r in records] == due, f"records stand at {[r['iteration'] for r in records]}")
    if "budget" not in config["run"]:
        require(iterations == replay.planned_iterations(), f"the run ended after {iterations} iterations")
    summary = json.loads((directory / "summary.json").read_text())
    require(summary["iterations"] == iterations, f"summary.json: iterations is {summary['iterations']}")
    for record in records:
        if record["iteration"] <= iterations:
            check_record(replay, record, record["iteration"], "metrics.jsonl", owner)
    check_record(replay, summary, iterations, "summary.json", owner)
    return check_outputs(replay, directory)


def replay_trace(trace, data=None, run=None, follow=False, methods=METHODS):
    """The replayed method, its verdict filled; `chosen` numbers each client's output where run is given."""
    with open(trace) as file:
        h = json.loads(file.readline())["header"]
        if h["method"] not in methods or h["problem"] != "svm":
            raise CannotReplay(f"{h['method']} on {h['problem']}: only {', '.join(methods)} on svm can be replayed")
        data = data or h["data"]
        if not Path(data).is_file():
            raise CannotReplay(f"there is no file {data}: name the LIBSVM file with --data")
        svm = Svm(data, h["d"], h["lambda"], h["alpha"])
        replay = methods[h["method"]](h, svm, Verdict(TOLERANCE[h["precision"]]), follow)
        for line in file:
            replay.take(json.loads(line))
    replay.chosen = check_run(replay, Path(run)) if run else []
    return replay


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("trace")
    parser.add_argument("--data", help="the LIBSVM file, where it is no longer at the trace's path")
    parser.add_argument("--run", help="the run's directory, to check its files too")
    parser.add_argument("--follow", action="store_true", help="go on with the g of the trace once it is compared")
    words = parser.parse_args()
    try:
        verdict = replay_trace(words.trace, words.data, words.run, words.follow).verdict
    except CannotReplay as error:
        print(f"replay: {error}", file=sys.stderr)
        return 2
    print(verdict.table())
    return 0 if verdict.passed() else 1


if __name__ == "__main__":
    sys.exit(main())
