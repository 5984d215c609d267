# SPDX-License-Identifier: Apache-2.0
"""DGFM (Lin et al. 2024): gradient tracking on zeroth-order estimates, all clients compute; on gradients, gradient tracking."""
from .cases import CAPPED, SHARP
from .method import Method


class Replay(Method):
    """Gives out the x of a uniform iteration, that at which its estimates were taken."""
    draws_s = False

    @staticmethod
    def own_cases(form):
        if form.order == "first":
            yield "delta_prime 0", CAPPED | SHARP

    @staticmethod
    def tamperings(header):
        return {"s": lambda lines: lines[9].update(s=[0.5] * 16)}

    def __init__(self, *words):
        super().__init__(*words)
        self.x, self.v, self.g = self.iterates[0], self.zero, self.zero

    def step(self, line):
        g_old, self.g = self.g, self.estimates_at(self.x, line)
        self.v = self.P @ (self.v + self.g - g_old)
        self.x = self.P @ (self.x - self.h["eta"] * self.v)
        return self.x

    def planned_iterations(self):
        return self.h["iterations"]

    def candidates(self):
        return self.iterates[:-1] or self.iterates

    def last(self):
        return self.iterates[-1].mean(axis=0)
