# SPDX-License-Identifier: Apache-2.0
"""Decentralised SGD with momentum and local steps: all clients compute, and mix their x every `local_steps` iterations."""
from .cases import BATCH5, LAZY_PATH, LOW_CAP, RING, SHARP, TORUS, WIDE_RING, data, set_header
from .dgfm import Replay as Dgfm

MOMENTUM = {"method.momentum": 0.9}


def local_steps(count):
    return {"method.local_steps": count}


class Replay(Dgfm):
    @staticmethod
    def own_cases(form):
        yield "momentum", WIDE_RING | MOMENTUM | data("sparse.gz")
        yield "3 local steps", TORUS | BATCH5 | local_steps(3)
        yield "momentum, 7 local steps", LAZY_PATH | LOW_CAP | MOMENTUM | local_steps(7)
        yield "alone", RING | local_steps(0)
        yield "alone with momentum", RING | MOMENTUM | local_steps(0)
        if form.order == "first":
            yield "delta_prime 0", LOW_CAP | SHARP

    @staticmethod
    def tamperings(header):
        return Dgfm.tamperings(header) | {"momentum": set_header("momentum", 0.1), "local_steps": set_header("local_steps", 2)}

    def __init__(self, *words):
        super().__init__(*words)
        self.m = self.zero

    def mixes(self, tick):
        return self.h["local_steps"] > 0 and (tick + 1) % self.h["local_steps"] == 0

    def cost(self, tick):
        samples, evaluations, _ = super().cost(tick)
        return samples, evaluations, int(self.mixes(tick))

    def step(self, line):
        beta = self.h["momentum"]
        self.m = beta * self.m + (1 - beta) * self.estimates_at(self.x, line)
        self.x = self.x - self.h["eta"] * self.m
        if self.mixes(self.tick):
            self.x = self.P @ self.x
        return self.x
