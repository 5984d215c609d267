# SPDX-License-Identifier: Apache-2.0
"""replay_draws.py FOLDER: runs DOC²S or ME-DOL on the capped-l1 SVM with the loops of numpy_loop.py.

The folder holds the job that `doc2s bench` wrote: job.json and arrays, including all random draws, so that no time is spent on
random numbers. Prints the error of the last iterate, then, for every line of input, the seconds of one run.
"""
import json
import sys
import time
from pathlib import Path

import numpy as np

from numpy_loop import doc2s_iteration, me_dol_iteration


class Job:
    def __init__(self, folder):
        self.__dict__.update(json.loads((folder / "job.json").read_text()))
        shapes = {"P": (self.n, self.n), "z": (self.iterations, -1, self.d), "s": (self.iterations, self.n, 1),
                  "y": (self.n, self.d), "row": (self.iterations, -1)}
        for name in ("start", "index", "feature", "label", "P", "client", "row", "z", "s", "y"):
            kind = np.int64 if name in ("start", "index", "client", "row") else np.float64
            setattr(self, name, np.fromfile(folder / name, kind).reshape(shapes.get(name, -1)))
        self.start, self.client, self.row = self.start.tolist(), self.client.tolist(), self.row.tolist()

    def gradient(self, row, x):
        """Of max{1 - b a'x, 0} + lambda sum_j min{|x_j|, alpha}."""
        part = slice(self.start[row], self.start[row + 1])
        j, a, b = self.index[part], self.feature[part], self.label[row]
        g = self.lam * np.sign(x) * (np.abs(x) < self.alpha)
        if b * (a @ x[j]) < 1:
            g[j] -= b * a
        return g

    def doc2s(self):
        y = np.zeros((self.n, self.d))
        for t in range(self.iterations):
            if t % self.T == 0:
                Delta, w_sum = np.zeros_like(y), np.zeros_like(y)
            row, z = self.row[t][0], self.z[t, 0]
            w, y, Delta = doc2s_iteration(y, Delta, self.client[t], self.s[t],
                                          lambda w_i: self.gradient(row, w_i + self.mu * z),
                                          self.P, self.R, self.phi, self.eta, self.D)
            w_sum += w
        return y

    def me_dol(self):
        y = np.zeros((self.n, self.d))
        for t in range(self.iterations):
            if t % self.T == 0:
                Delta, g, w_sum = np.zeros_like(y), np.zeros_like(y), np.zeros_like(y)
            points = lambda w: zip(self.row[t], w + self.mu * self.z[t])
            w, y, Delta, g = me_dol_iteration(y, Delta, g, self.s[t],
                                              lambda w: np.array([self.gradient(row, x) for row, x in points(w)]),
                                              self.P, self.eta, self.D)
            w_sum += w
        return y

    def run(self):
        return self.doc2s() if self.method == "doc2s" else self.me_dol()


def main():
    job = Job(Path(sys.argv[1]))
    print(np.linalg.norm(job.run() - job.y) / np.linalg.norm(job.y), flush=True)
    for _ in sys.stdin:
        begun = time.perf_counter()
        job.run()
        print(time.perf_counter() - begun, flush=True)


if __name__ == "__main__":
    main()
