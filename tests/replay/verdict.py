# SPDX-License-Identifier: Apache-2.0
"""What a replay found, and the problem that it computes on: the capped-l1 SVM."""
import gzip
import lzma
from pathlib import Path

import numpy as np

from .parts import TINY, CannotReplay


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
        labels = np.array(labels)
        self.b = np.where((labels == labels.max()) & (labels > 0), 1.0, -1.0)  # -1/+1, 0/1 or 1/2: the larger is +1, -1 or 0 alone is not
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

    def slope(self, rows):
        """What `gradient` adds up, without signs."""
        return self.lam * np.sqrt(self.d) + sum(np.linalg.norm(a) for _, a, _ in map(self.sample, rows)) / len(rows)

    def loss(self, x, owner, n):
        """f(x) = (1/n) sum_i f_i(x), f_i the mean over the rows of client i; owner[row] is the client."""
        margins = 1 - self.b * np.bincount(self.row, self.feature * x[self.index], len(self.b))
        hinges = np.bincount(owner, np.maximum(margins, 0), n) / np.bincount(owner, minlength=n)
        return hinges.mean() + self.penalty(x)


def read_text(path):
    opener = {".gz": gzip.open, ".xz": lzma.open}.get(Path(path).suffix, open)
    with opener(path, "rt") as file:
        return file.read()
