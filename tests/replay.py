#!/usr/bin/env python3
"""Replays a trace of DOC2S on the capped-l1 SVM and compares every number with its own.

replay.py TRACE [--data FILE] [--run DIR] [--follow]     exits 1 where something differs, 2 where it cannot replay

Written from the paper's listing and the definition of the trace; it shares nothing with the program. From the trace
it takes only what chance decided (client, s, batch rows, z) and does the rest in float64, with dense n x d gossip.

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
              choice is allowed and adopted. The report says how many iterations this touched.
"""
import argparse
import gzip
import json
import lzma
import sys
import tomllib
from pathlib import Path

import numpy as np

TOLERANCE = {"float64": 1e-10, "float32": 1e-5}
DIFFERENCE_FLOOR = {"float64": 1e-3, "float32": 0.05}  # the `a` above
BYTES = {"float64": 8, "float32": 4}
TINY = 1e-300


class CannotReplay(Exception):
    pass


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
        return "\n".join(lines + [f"tolerance {self.tolerance:g}, iterations at a kink: {self.kinks}"])


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
        return np.mean(hinges) + self.penalty(x)

    def size(self, rows, x):
        """What `value` adds up, without signs: the measure of its rounding."""
        return np.mean([1 + np.abs(a) @ np.abs(x[j]) for j, a, _ in map(self.sample, rows)]) + self.penalty(x)

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


def phi_of(P, gossip):
    """(1 - sqrt(1 - l2^2)) / (1 + sqrt(1 - l2^2)) for the second largest eigenvalue l2; plain gossip is phi = 0."""
    if gossip == "plain" or len(P) == 1:
        return 0.0
    root = np.sqrt(1 - np.linalg.eigvalsh(P)[-2] ** 2)
    return (1 - root) / (1 + root)


def fast_gossip(z, P, R, phi):
    """z^(r+1) = (1 + phi) P z^(r) - phi z^(r-1), z^(-1) = z^(0)."""
    before = now = z
    for _ in range(R):
        before, now = now, (1 + phi) * (P @ now) - phi * before
    return now


class Replay:
    def __init__(self, header, svm, follow):
        self.h, self.svm, self.n, self.d = header, svm, header["n"], header["d"]
        self.P = np.array(header["P"], float)
        self.phi = phi_of(self.P, header["gossip"])
        self.float32 = header["precision"] == "float32"
        self.follow = follow or self.float32
        self.verdict = Verdict(TOLERANCE[header["precision"]])
        x0 = np.zeros(self.d) if header["x0"] == "zero" else np.array(header["x0"], float)
        self.y = np.tile(x0, (self.n, 1))
        self.Delta = np.zeros_like(self.y)
        self.w_sum = np.zeros_like(self.y)
        self.epoch_means = []  # of each finished epoch, n x d
        self.iterates = [self.y]  # y before the first and after each iteration
        self.nonzero_estimates = 0
        self.owner_seen = {}  # row -> the client that drew it
        self.check_matrix()

    def check_matrix(self):
        P, require = self.P, self.verdict.require
        require(P.shape == (self.n, self.n), f"P has shape {P.shape}")
        require(np.allclose(P, P.T, atol=1e-15) and (P >= 0).all(), "P is not symmetric with entries >= 0")
        require(np.allclose(P.sum(axis=1), 1, atol=1e-14), "a row of P does not add up to 1")

    def step(self, line):
        h, n, i, tick = self.h, self.n, line["client"], len(self.iterates) - 1
        self.check_chance(line, tick)
        if tick % h["T"] == 0:
            self.Delta, self.w_sum = np.zeros_like(self.y), np.zeros_like(self.y)
        x = self.y.copy()
        x[i] += n * self.Delta[i]
        w = self.y + np.array(line["s"])[:, None] * self.Delta
        self.y = fast_gossip(x, self.P, h["R"], self.phi)
        g = self.estimate(line, w[i], tick)
        self.nonzero_estimates += bool(g.any())
        v = self.Delta[i] - h["eta"] * g
        Delta = np.zeros_like(self.y)
        Delta[i] = n * min(1.0, h["D"] / max(np.linalg.norm(v), TINY)) * v
        self.Delta = fast_gossip(Delta, self.P, h["R"], self.phi)
        self.verdict.compare("y_mean", self.y.mean(axis=0), line["y_mean"], f"tick {tick}")
        self.iterates.append(self.y)
        self.w_sum = self.w_sum + w
        if (tick + 1) % h["T"] == 0:
            self.epoch_means.append(self.w_sum / h["T"])

    def estimate(self, line, w, tick):
        """The estimate of either order, compared with the trace's; gives the one to go on with."""
        mu, z, rows = self.h["delta_prime"], np.array(line["z"], float), line["batch"]
        slack, scale = np.zeros(self.d), 0.0
        if self.h["order"] == "first":
            g, slack = self.svm.gradient(rows, w + mu * z if mu else w, self.verdict.tolerance)
        else:
            up, down = self.svm.value(rows, w + mu * z), self.svm.value(rows, w - mu * z)
            g = self.d / (2 * mu) * (up - down) * z
            scale = DIFFERENCE_FLOOR[self.h["precision"]] * self.d / (2 * mu) * self.svm.size(rows, w)
        self.verdict.compare("g", g, line["g"], f"tick {tick}", scale, slack)
        at_kink = bool((np.abs(g - line["g"]) > self.verdict.tolerance)[slack > 0].any())
        self.verdict.kinks += at_kink
        return np.array(line["g"], float) if at_kink or self.follow else g

    def check_chance(self, line, tick):
        """The form of what chance decided; a batch must be the client's own rows."""
        require, length = self.verdict.require, np.linalg.norm(line["z"])
        require(line["tick"] == tick, f"tick {line['tick']} stands where {tick} is due")
        if not (0 <= line["client"] < self.n and all(0 <= row < len(self.svm.b) for row in line["batch"])):
            raise CannotReplay(f"tick {tick} names a client or a row that does not exist")
        require(len(line["s"]) == self.n and all(0 <= s <= 1 for s in line["s"]), f"tick {tick}: s is not n of [0,1]")
        require(len(line["batch"]) == self.h["batch"], f"tick {tick}: {len(line['batch'])} rows in a batch")
        off = max(length - 1, 0) if self.h["order"] == "first" else abs(length - 1)
        require(off <= (1e-6 if self.float32 else 1e-14), f"tick {tick}: z has length {length!r}")
        for row in line["batch"]:
            owner = self.owner_seen.setdefault(row, line["client"])
            require(owner == line["client"], f"tick {tick}: row {row} of client {owner} drawn by {line['client']}")


def contiguous_owner(m, n):
    """The client of each row: blocks in the order of the clients, the first m mod n one row longer."""
    return np.repeat(np.arange(n), [m // n + (i < m % n) for i in range(n)])


def counts_after(iterations, h, P):
    """What the definition of the method gives: an estimate and two gossips of R rounds an iteration."""
    directed_edges = np.count_nonzero(P) - np.count_nonzero(np.diag(P))
    values = 1 if h["order"] == "first" else 2
    return {
        "samples": iterations * h["batch"],
        "evaluations": iterations * h["batch"] * values,
        "computation_rounds": iterations,
        "communication_rounds": iterations * 2 * h["R"],
        "bytes": iterations * 2 * h["R"] * directed_edges * h["d"] * BYTES[h["precision"]],
    }


def check_record(replay, record, iteration, name, owner):
    """Counts of a record, and its measures where it is known who owns which row."""
    verdict, n, y = replay.verdict, replay.n, replay.iterates[iteration]
    for key, count in counts_after(iteration, replay.h, replay.P).items():
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
    """Row i of output.npy is one of client i's means of the finished epochs, last.npy the mean over the clients of the
    last; before any is finished, the unfinished one stands for it. Gives the epoch of each row, from 0."""
    output, last = np.load(directory / "output.npy"), np.load(directory / "last.npy")
    means = replay.epoch_means or [replay.w_sum / max(1, len(replay.iterates) - 1)]
    replay.verdict.require(output.shape == (replay.n, replay.d), f"output.npy has shape {output.shape}")
    replay.verdict.compare("last.npy", means[-1].mean(axis=0), last, f"epoch {len(means)}")
    chosen = [min(range(len(means)), key=lambda k: np.linalg.norm(means[k][i] - row)) for i, row in enumerate(output)]
    for i, k in enumerate(chosen):
        replay.verdict.compare("output.npy", means[k][i], output[i], f"client {i}, epoch {k + 1}")
    return chosen


def check_run(replay, directory):
    config = tomllib.loads((directory / "config.toml").read_text())
    owner, m, require = None, len(replay.svm.b), replay.verdict.require
    if config["clients"]["partition"] == "contiguous":
        owner = contiguous_owner(m, replay.n)
        for row, client in replay.owner_seen.items():
            require(owner[row] == client, f"row {row} was drawn by client {client}, it belongs to {owner[row]}")
    records = [json.loads(line) for line in (directory / "metrics.jsonl").read_text().splitlines()]
    iterations, every = len(replay.iterates) - 1, config["run"]["record_every"]
    due = sorted({*range(0, iterations + 1, every), iterations})
    require([r["iteration"] for r in records] == due, f"records stand at {[r['iteration'] for r in records]}")
    summary = json.loads((directory / "summary.json").read_text())
    require(summary["iterations"] == iterations, f"summary.json: iterations is {summary['iterations']}")
    for record in records:
        if record["iteration"] <= iterations:
            check_record(replay, record, record["iteration"], "metrics.jsonl", owner)
    check_record(replay, summary, iterations, "summary.json", owner)
    return check_outputs(replay, directory)


def replay_trace(trace, data=None, run=None, follow=False):
    """The Replay of a whole trace, its verdict filled; `chosen` holds each client's output epoch where run is given."""
    with open(trace) as file:
        h = json.loads(file.readline())["header"]
        if (h["method"], h["problem"]) != ("doc2s", "svm"):
            raise CannotReplay(f"method {h['method']} on {h['problem']}: only doc2s on svm can be replayed")
        data = data or h["data"]
        if not Path(data).is_file():
            raise CannotReplay(f"there is no file {data}: name the LIBSVM file with --data")
        replay = Replay(h, Svm(data, h["d"], h["lambda"], h["alpha"]), follow)
        for line in file:
            replay.step(json.loads(line))
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
