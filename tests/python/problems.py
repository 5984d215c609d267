# SPDX-License-Identifier: Apache-2.0
"""Problems that several tests minimise."""
import numpy as np


def distance(i, x):
    """A black box: client i wants x at (i, …, i)."""
    return float(np.abs(x - i).sum())


class Regression:
    """f_i(x) = mean |a·x − b| over the client's samples; each form of value() computes the same numbers."""
    clients, dimension = 6, 5

    def __init__(self, precision="float64", samples=20):
        draw = np.random.default_rng(0)
        self.a = draw.normal(size=(self.clients, samples, self.dimension)).astype(precision)
        self.b = draw.normal(size=(self.clients, samples)).astype(precision)
        self.precision = precision

    def samples(self, i):
        return self.a.shape[1]

    def value(self, i, batch, x):
        a, rest = self.a[i][batch], self.a[i][batch] @ x - self.b[i][batch]
        return float(np.abs(rest).mean()), a.T @ np.sign(rest) / len(batch)


class InPlace(Regression):
    def value(self, i, batch, x, gradient):
        value, slope = super().value(i, batch, x)
        if gradient is not None:
            gradient[:] = slope
        return value
