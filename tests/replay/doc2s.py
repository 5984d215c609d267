# SPDX-License-Identifier: Apache-2.0
"""DOC2S (Algorithm 1 of the paper): one client computes, all mix R rounds."""
import numpy as np

from .cases import (ALONE, BATCH5, CAPPED, COMPLETE, INTERVAL, LAZY_PATH, PLAIN, RANDOM, RING, SHARP, STAR, TORUS, WIDE_RING, a9a,
                    data, set_header)
from .method import EpochMethod
from .parts import doc2s_iteration, interval_gossip


def rounds(R):
    return {"method.R": R}


def cases():
    """For both orders and precisions."""
    yield "ring", RING
    yield "ring plain capped", RING | PLAIN | CAPPED
    yield "wide ring R=1", WIDE_RING | rounds(1) | data("sparse.gz")
    yield "ring R=8 batch 5", RING | rounds(8) | BATCH5 | data("sparse.gz") | CAPPED
    yield "ring interval R=1", RING | INTERVAL | rounds(1) | CAPPED
    yield "erdos-renyi interval R=6", RANDOM | INTERVAL | rounds(6)
    yield "complete interval", COMPLETE | INTERVAL | BATCH5
    yield "star R=3", STAR | rounds(3) | BATCH5 | data("zero-one")
    yield "star plain R=1", STAR | PLAIN | rounds(1) | CAPPED
    yield "torus batch 5 capped", TORUS | BATCH5 | CAPPED | data("sparse.gz")
    yield "erdos-renyi R=8", RANDOM | rounds(8) | data("one-two.xz") | CAPPED
    yield "path lazy R=3", LAZY_PATH | rounds(3) | data("zero-one")
    yield "path lazy plain", LAZY_PATH | PLAIN | BATCH5 | CAPPED
    yield "complete R=1 batch 5", COMPLETE | rounds(1) | BATCH5 | CAPPED
    yield "one client", ALONE | CAPPED
    yield "stopped in an epoch", RING | {"run.budget.iterations": 100} | BATCH5
    yield "stopped in the first epoch", RING | {"run.budget.samples": 20}
    yield "dealt at random", RING | {"clients.partition": "iid"} | data("sparse.gz")


class Replay(EpochMethod):
    one_draw = False
    settings = {"method.K": 5, "method.T": 30, "method.R": 2, "method.gossip": "chebyshev", "run.record_every": 40}
    every_choice = False  # the cases have all ways of gossip
    cases = staticmethod(cases)
    three_outputs = {"method.K": 9, "method.T": 5, "run.budget.iterations": 17}
    seeds = 20  # of 16 draws each

    @staticmethod
    def own_cases(form):
        if form.order == "first":
            yield "delta_prime 0", RING | CAPPED | SHARP
            yield "delta_prime 0 one client", ALONE | CAPPED | SHARP
            yield from a9a("a9a")
        else:
            yield "delta_prime 1e-4, follow", TORUS | BATCH5 | CAPPED | data("sparse.gz") | {"method.delta_prime": 1e-4}
            yield "delta_prime 0.1", RING | CAPPED | {"method.delta_prime": 0.1}
            yield from a9a("a9a batch 5", BATCH5 | rounds(3))

    @staticmethod
    def tamperings(header):
        return {"R": set_header("R", 3), "gossip": set_header("gossip", "plain"), "D": set_header("D", 0.04)}

    def __init__(self, header, *words):
        super().__init__(header, *words)
        if header["gossip"] == "chebyshev-interval":
            self.P, self.phi = interval_gossip(self.base, header["R"])

    def draws(self, line):
        return [(line["client"], line["batch"], line["z"])]

    def cost(self, tick):
        return self.h["batch"], self.h["batch"] * self.values(), 2 * self.h["R"]

    def before_gossip(self, line):
        if self.begins_epoch() or line is None:
            return self.y if self.begins_epoch() else None  # whom the iteration after the last would sample, no trace says
        x = self.y.copy()
        x[line["client"]] += self.n * self.Delta[line["client"]]
        return x

    def step(self, line):
        h, i = self.h, line["client"]
        if self.begins_epoch():
            self.Delta = self.zero
        w, self.y, self.Delta = doc2s_iteration(
            self.y, self.Delta, i, np.array(line["s"])[:, None],
            lambda w_i: self.settled(self.estimate(w_i, line["batch"], line["z"]), line["g"], i),
            self.P, h["R"], self.phi, h["eta"], h["D"])
        self.add_to_mean(w)
        return self.y
