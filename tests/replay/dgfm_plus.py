# SPDX-License-Identifier: Apache-2.0
"""DGFM+ (Lin et al. 2024): DGFM with variance reduction."""
import numpy as np

from .cases import BATCH5, COMPLETE, LAZY_PATH, LOW_CAP, TORUS, WIDE_RING, data, set_header
from .dgfm import Replay as Dgfm
from .method import mean_of
from .parts import fast_gossip


class Replay(Dgfm):
    settings = Dgfm.settings | {"method.q": 3, "method.b": 2, "method.b_prime": 4, "method.rounds": 3}

    @staticmethod
    def own_cases(form):
        """Without pairs to average, a client's z is one vector."""
        yield "one pair", TORUS | LOW_CAP | {"method.b": 1, "method.b_prime": 1, "method.rounds": 1}
        yield "b' 1, b 3, batch 5", COMPLETE | LOW_CAP | BATCH5 | {"method.b": 3, "method.b_prime": 1}
        yield "always large", LAZY_PATH | LOW_CAP | {"method.q": 1, "method.rounds": 5}
        yield "large once", WIDE_RING | {"method.q": 100} | data("sparse.gz")

    @staticmethod
    def tamperings(header):
        return {"rounds": set_header("rounds", 2), "q": set_header("q", 6), "b_prime": set_header("b_prime", 2)}

    def __init__(self, *words):
        super().__init__(*words)
        self.x_old = None

    def is_large(self, tick):
        return tick % self.h["q"] == 0

    def pairs(self):
        return self.h["b_prime"] if self.is_large(self.tick) else self.h["b"]

    def cost(self, tick):
        one_each = self.n * self.h["batch"]
        if self.is_large(tick):
            return one_each * self.h["b_prime"], one_each * self.h["b_prime"] * self.values(), self.h["rounds"] + 1
        return one_each * self.h["b"], 2 * one_each * self.h["b"] * self.values(), 2

    def step(self, line):
        g_old, large = self.g, self.is_large(self.tick)
        advance = self.fresh if large else self.corrected
        self.g = np.array([self.settled(advance(i, *self.split(rows, z)), line["g"][i], i)
                           for i, rows, z in self.draws(line)])
        self.v = (fast_gossip(self.g, self.P, self.h["rounds"], self.phi) if large
                  else self.P @ (self.v + self.g - g_old))
        self.x_old, self.x = self.x, self.P @ (self.x - self.h["eta"] * self.v)
        return self.x

    def split(self, rows, z):
        """The batch and the directions of each pair."""
        return np.reshape(rows, (self.pairs(), -1)), np.reshape(z, (self.pairs(), -1, self.d))

    def fresh(self, i, batches, directions):
        """The mean of b' estimates at x_i."""
        estimates = [self.estimate(self.x[i], *pair) for pair in zip(batches, directions)]
        return mean_of(estimates)

    def corrected(self, i, batches, directions):
        """g_i + the mean over b pairs of est(x_i) - est(x_i^old)."""
        now = self.fresh(i, batches, directions)
        before = [self.estimate(self.x_old[i], *self.pair_at_old_point(*pair)) for pair in zip(batches, directions)]
        g, slack, scale = mean_of(before)
        return self.g[i] + now[0] - g, now[1] + slack, now[2] + scale

    def pair_at_old_point(self, rows, z):
        """The same pair. A test shows that another is found out."""
        return rows, z


class OtherDirection(Replay):
    """Takes another z at the old point; not -z, which gives the same estimate."""

    def pair_at_old_point(self, rows, z):
        return rows, np.roll(z, 1)


class OtherBatch(Replay):
    """Takes another sample of the same client at the old point."""

    def pair_at_old_point(self, rows, z):
        return rows // 5 * 5 + (rows + 1) % 5, z


Replay.wrong = (OtherDirection, OtherBatch)
