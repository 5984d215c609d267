# SPDX-License-Identifier: Apache-2.0
"""Networks that change: the P of each round from the trace's lists of edges that are down, and what waiting costs."""
import numpy as np

from .cases import BATCH5, LOW_CAP, PLAIN, RANDOM, RING, data
from .parts import CannotReplay

LINKS = {"network.change": "links", "network.loss": 0.3}
BURSTS = {"network.change": "links", "network.loss": 0.5, "network.burst": 4}
PERIODIC = {"network.change": "periodic", "network.graphs": ["ring", "star", "path"], "network.every": 2}


def changing_cases(more={}):
    """Of every form of a method, for both precisions; `more` is set in all of them."""
    yield "links", RING | LINKS | PLAIN | more
    yield "links in bursts, capped", RANDOM | BURSTS | PLAIN | LOW_CAP | BATCH5 | data("one-two.xz") | more
    yield "periodic, lazy", {"clients.count": 9, "network.lazy": True} | PERIODIC | PLAIN | data("zero-one") | more


def drop_edge(lines):
    """An edge that was down is said to be up."""
    next(down for line in lines[4:] for down in line["down"] if down).pop()


def drop_round(lines):
    """For travellers, to whom most edges do not matter."""
    next(line["down"] for line in lines[4:] if line["down"]).pop()


class ChangingP:
    """`P @ z` multiplies by the P of the iteration's next round: Metropolis-Hastings on the edges that are up."""

    def __init__(self, header, require):
        self.base, self.lazy, self.require = np.array(header["P"], float), header["lazy"], require
        self.edges = {(i, j) for i, j in np.argwhere(np.triu(self.base, 1) > 0).tolist()}
        self.coming, self.rounds, self.messages = [], [], []  # of each iteration so far: its rounds, and rows over edges

    def take(self, down, where):
        """The rounds of an iteration."""
        lost = [{tuple(edge) for edge in edges} for edges in down]
        self.require(all(edges <= self.edges for edges in lost), f"{where}: an edge that is down is none of P's")
        self.up = [self.edges - edges for edges in lost]
        self.coming = [self.weights(up) for up in self.up]
        self.rounds.append(len(down))
        self.messages.append(2 * sum(map(len, self.up)))

    def weights(self, up):
        P = np.zeros_like(self.base)
        for i, j in up:
            P[i, j] = P[j, i] = 1
        degree = P.sum(axis=1)
        P /= 1 + np.maximum.outer(degree, degree)
        P = P / 2 if self.lazy else P
        return P + np.diag(1 - P.sum(axis=1))

    def __matmul__(self, z):
        if not self.coming:
            raise CannotReplay("an iteration has more rounds than lists of what is down")
        return self.coming.pop(0) @ z


class Waiting:
    """How many rounds travellers take that wait where their next edge is down."""

    def __init__(self, neighbours, distance):
        self.neighbours, self.distance = neighbours, distance

    def next(self, at, to):
        return min(j for j in self.neighbours[at] if self.distance[j][to] == self.distance[at][to] - 1)

    @staticmethod
    def up_in(up, r):
        if r >= len(up):
            raise CannotReplay(f"an iteration has {len(up)} rounds, and they do not suffice")
        return up[r]

    def arrival(self, legs, up):
        """Rounds until all legs (from, to) are done, of the rounds' edges `up`."""
        at, rounds = [a for a, _ in legs], 0
        while any(a != b for a, (_, b) in zip(at, legs)):
            for k, (_, b) in enumerate(legs):
                step = self.next(at[k], b) if at[k] != b else None
                if step is not None and tuple(sorted((at[k], step))) in self.up_in(up, rounds):
                    at[k] = step
            rounds += 1
        return rounds

    def averaging(self, tree, up):
        """Rounds in which a sum goes up the tree (depths and children) and the mean down again, each level until its edges
        have been up."""
        depth, children = tree
        levels = {}
        for parent, below in children.items():
            for child in below:
                levels.setdefault(depth[child], set()).add(tuple(sorted((parent, child))))
        deepest, rounds = max(levels), 0
        for level in [*range(deepest, 0, -1), *range(1, deepest + 1)]:
            left = set(levels[level])
            while left:
                left -= self.up_in(up, rounds)
                rounds += 1
        return rounds
