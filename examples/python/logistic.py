# SPDX-License-Identifier: Apache-2.0
"""Logistic regression in NumPy over ten hospitals whose patients differ, with a nonsmooth nonconvex penalty.

    python3 examples/python/logistic.py [--out logistic.png]

F_i(x; ξ) = log(1 + exp(−b aᵀx)) + λ Σ_j min(|x_j|, α) for a patient ξ = (a, b), b = ±1.
The penalty sends useless features to zero and, unlike |x_j|, does not shrink the useful ones.
"""
import argparse

import numpy as np
from numpy.typing import NDArray

import doc2s

Array = NDArray[np.float64]


class Hospitals:
    """A problem is any object with clients, dimension, samples(i) and value(i, batch, x, gradient)."""

    def __init__(self, clients: int = 10, patients: int = 200, features: int = 30, useful: int = 5) -> None:
        chance = np.random.default_rng(1)
        self.clients = clients
        self.dimension = features
        self.weight, self.cap = 0.02, 0.5  # λ, α
        self.truth = np.where(np.arange(features) < useful, 2.0, 0.0)
        shift = chance.normal(size=(clients, 1, features))  # not iid: each hospital has patients of its own kind
        self.a = chance.normal(size=(clients, patients, features)) + 0.7 * shift
        self.b = np.where(chance.random((clients, patients)) < 1 / (1 + np.exp(-self.a @ self.truth)), 1.0, -1.0)
        self.test_a = chance.normal(size=(2000, features))
        self.test_b = np.sign(self.test_a @ self.truth)

    def samples(self, i: int) -> int:
        return len(self.b[i])

    def value(self, i: int, batch: NDArray[np.int64], x: Array, gradient: Array | None) -> float:
        """The mean over the batch; where `gradient` is not None it is filled in place."""
        a, b = self.a[i][batch], self.b[i][batch]
        margin = b * (a @ x)
        if gradient is not None:
            gradient[:] = a.T @ (-b / (1 + np.exp(margin))) / len(batch)
            gradient += self.weight * np.sign(x) * (np.abs(x) < self.cap)  # a subgradient, 0 beyond the cap
        return float(np.logaddexp(0, -margin).mean() + self.weight * np.minimum(np.abs(x), self.cap).sum())

    def accuracy(self, x: Array) -> float:
        """Optional: shown beside the losses."""
        return float(np.mean(np.sign(self.test_a @ x) == self.test_b))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", help="file for a picture, such as logistic.png")
    out: str | None = parser.parse_args().out

    hospitals = Hospitals()
    result = doc2s.minimize(hospitals, graph="ring", method="doc2s", R=8, K=80, T=100, eta=0.01, D=0.004, batch=4,
                            record_every=100)
    print(result)
    print(f"test accuracy {result.history['accuracy'][-1]:.1%}")
    print(f"the five useful weights:     {np.round(result.x[:5], 2)}")
    print(f"the largest of the others:   {np.abs(result.x[5:]).max():.2f}")
    if out:
        result.plot().savefig(out)
        print(f"picture: {out}")


if __name__ == "__main__":
    main()
