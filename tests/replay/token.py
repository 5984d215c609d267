# SPDX-License-Identifier: Apache-2.0
"""Momentum with random scaling (Zhang and Cutkosky 2024) that travels."""
from .cases import CAPPED, COMPLETE, WIDE_RING, data, set_header
from .travel_cases import travel
from .travelling import Travelling


class Replay(Travelling):
    @staticmethod
    def own_cases(form):
        yield from Travelling.own_cases(form)
        yield "without momentum", WIDE_RING | travel("tour", 4) | CAPPED | data("sparse.gz") | {"method.beta": 0}
        yield "beta 0.9999", COMPLETE | travel("tour") | {"method.beta": 0.9999, "method.eta": 10}
        yield "beta 0.5 stay 3", COMPLETE | travel("uniform", 6, 3) | CAPPED | {"method.beta": 0.5}

    @staticmethod
    def tamperings(header):
        return Travelling.tamperings(header) | {"beta": set_header("beta", 0.96)}

    def __init__(self, *words):
        super().__init__(*words)
        self.z_bar = self.means[0]

    def check_s(self, s, where):
        self.verdict.require(all(number >= 0 for number in s), f"{where}: s is {s}, not of Exp(1)")

    def advance(self, k, s, estimate_at):
        beta = self.h["beta"]
        self.Delta[k] = beta * self.Delta[k] - self.h["eta"] * (1 - beta) * estimate_at(self.z[k])
        self.z[k] += s * self.Delta[k]

    def averaged(self):
        return [self.z, self.Delta]

    def after_iteration(self):
        self.z_bar = self.h["beta"] * self.z_bar + (1 - self.h["beta"]) * self.means[-1]

    def epoch_output(self):
        return self.z_bar

    last = epoch_output


class AveragesPointsOnly(Replay):
    def averaged(self):
        return [self.z]


Replay.wrong = (AveragesPointsOnly,)
