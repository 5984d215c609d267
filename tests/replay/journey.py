# SPDX-License-Identifier: Apache-2.0
"""Where travellers go, judged by the graph of the trace's P alone: their clients, their hops, and what averaging costs."""
import numpy as np

from .changing import Waiting


def neighbours_of(P):
    """Ascending, without the client itself."""
    return [[j for j in np.flatnonzero(row) if j != i] for i, row in enumerate(P)]


def searched(neighbours, root):
    """The breadth-first tree from the root: how deep each client stands, and its children."""
    depth, children, order = {root: 0}, {i: [] for i in range(len(neighbours))}, [root]
    for client in order:
        for other in neighbours[client]:
            if other not in depth:
                depth[other] = depth[client] + 1
                children[client].append(other)
                order.append(other)
    return depth, children


def preorder(children, root=0):
    return [root] + [client for child in children[root] for client in preorder(children, child)]


class Journey:
    """`require` takes each fault that the lines of a trace show."""

    def __init__(self, P, header, require):
        self.n, self.c, self.route, self.stay = header["n"], header["travellers"], header["route"], header["stay"]
        self.require = require
        neighbours = neighbours_of(P)
        trees = [searched(neighbours, root) for root in range(self.n)]
        self.tree = trees[0]
        self.distance = np.array([[depth[j] for j in range(self.n)] for depth, _ in trees])
        self.depth, self.preorder = int(self.distance[0].max()), preorder(trees[0][1])
        self.waiting = Waiting(neighbours, self.distance)
        self.stops, self.hops = [], []  # [tick][k]
        self.next = {}  # of a tour: the client after each

    def take(self, clients, hops):
        """An iteration: where each traveller stood, and how many edges it went afterwards."""
        tick = len(self.stops)
        moves = (tick + 1) % self.stay == 0
        most = {"walk": 1, "tour": self.distance.max(), "uniform": self.distance.max()}[self.route] if moves else 0
        self.require(all(0 <= count <= most for count in hops), f"tick {tick}: hops are {hops}, at most {most} is possible")
        if self.stops:
            for k, (a, b) in enumerate(zip(self.stops[-1], clients)):
                self.check_leg(tick - 1, k, a, b)
        self.stops.append(clients)
        self.hops.append(hops)

    def check_leg(self, tick, k, a, b):
        """From a to b after the iteration."""
        where, hops = f"tick {tick}, traveller {k}", self.hops[tick][k]
        self.require(hops == self.distance[a][b], f"{where}: {hops} hops from {a} to {b}, not {self.distance[a][b]}")
        if self.route == "tour" and (tick + 1) % self.stay == 0:
            due = self.next.setdefault(a, b)
            self.require(b == due, f"{where}: from {a} to {b}, but before to {due}")

    def finish(self):
        if self.route == "tour":
            self.check_turns()
            self.check_tour()

    def check_turns(self):
        """Among n stops in a row no client comes twice."""
        for k in range(self.c):
            stops = [clients[k] for clients in self.stops[::self.stay]]
            turns = [stops[first:first + self.n] for first in range(max(1, len(stops) - self.n + 1))]
            self.require(all(len(set(turn)) == len(turn) for turn in turns), f"traveller {k} comes twice in a turn")

    def check_tour(self):
        """A whole turn goes along edges, or is the preorder of the tree; traveller k starts floor(kn/c) places on."""
        if len(self.next) < self.n:
            return
        turn = [self.stops[0][0]]
        while len(turn) < self.n:
            turn.append(self.next[turn[-1]])
        due = [turn[k * self.n // self.c] for k in range(self.c)]
        self.require(self.stops[0] == due, f"travellers start at {self.stops[0]}, not {due}")
        along_edges = all(self.distance[a][b] <= 1 for a, b in self.next.items())
        first = self.preorder.index(turn[0])
        self.require(along_edges or turn == self.preorder[first:] + self.preorder[:first], f"the tour is {turn}")

    def meets(self):
        """Whether two travellers stood at one client."""
        return any(len(set(clients)) < self.c for clients in self.stops)
