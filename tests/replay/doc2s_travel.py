# SPDX-License-Identifier: Apache-2.0
"""DOC2S whose state travels: with one traveller and uniform routes the centralised online-to-nonconvex conversion."""
import numpy as np

from .cases import BATCH5, CAPPED, RING, STAR, TORUS, a9a, data, set_header
from .travel_cases import travel
from .travelling import Travelling

ADAPTIVE = {"method.step": "adaptive", "method.eta": 2}


class Replay(Travelling):
    @staticmethod
    def own_cases(form):
        yield from Travelling.own_cases(form)
        yield "adaptive", RING | travel("uniform") | CAPPED | ADAPTIVE
        yield "adaptive tour n stay 3", TORUS | travel("tour", 12, 3) | BATCH5 | ADAPTIVE
        yield "adaptive walk 4", STAR | travel("walk", 4) | data("zero-one") | ADAPTIVE | {"method.eta": 0.5}
        if form.order == "first":
            yield from a9a("a9a", travel("uniform", 4))

    @staticmethod
    def tamperings(header):
        return Travelling.tamperings(header) | {"D": set_header("D", 0.04), "T": set_header("T", 6),
                                                "step": set_header("step", "adaptive")}

    def __init__(self, *words):
        super().__init__(*words)
        self.w_sum, self.squares = np.zeros((self.c, self.d)), np.zeros(self.c)

    def check_s(self, s, where):
        self.verdict.require(all(0 <= number <= 1 for number in s), f"{where}: s is {s}, not of [0,1]")

    def advance(self, k, s, estimate_at):
        if self.epoch_tick(self.tick) == 0:
            self.Delta[k] = self.w_sum[k] = 0
        w = self.z[k] + s * self.Delta[k]
        self.z[k] += self.Delta[k]
        g = estimate_at(w)
        Delta = self.Delta[k] - self.step_size(k, g) * g
        length = np.linalg.norm(Delta)
        self.Delta[k] = Delta * (min(1.0, self.h["D"] / length) if length > 0 else 1.0)
        self.w_sum[k] += w

    def step_size(self, k, g):
        """eta, or eta D / sqrt(T m), m the mean of |g|^2 over this traveller's estimates so far."""
        if self.h["step"] == "fixed":
            return self.h["eta"]
        self.squares[k] += g @ g
        m = self.squares[k] / (self.tick + 1)
        return self.h["eta"] * self.h["D"] / np.sqrt(self.h["T"] * m) if m > 0 else 0.0

    def averaged(self):
        return [self.z]

    def epoch_output(self):
        """The mean of w over the iterations so far and the travellers."""
        done = len(self.means) - 1
        return self.w_sum.mean(axis=0) / (self.epoch_tick(done - 1) + 1)

    def last(self):
        return self.outputs[-1] if self.outputs else self.epoch_output()


class NoAveraging(Replay):
    def averaged(self):
        return []


class LeavesWithoutMoving(Replay):
    def points_after_moves(self, line):
        return super().points_after_moves(line | {"hops": [1] * self.c})


Replay.wrong = (NoAveraging, LeavesWithoutMoving)
