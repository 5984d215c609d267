# SPDX-License-Identifier: Apache-2.0
"""What doc2s-travel and token share: c states that travel, and the client where one stands computes."""
from itertools import combinations

import numpy as np

from .cases import CAPPED, COMPLETE, DIRECTIONS, RING, SHARP, set_header
from .changing import LINKS, PERIODIC, changing_cases, drop_round
from .journey import Journey
from .method import Method
from .parts import BYTES, CannotReplay
from .travel_cases import cases, change_places, longer_way, other_client, travel


class Travelling(Method):
    """A method says how a traveller goes on (advance), which of its vectors are averaged (averaged), and what an epoch
    may be given out as (epoch_output)."""
    settings = {"method.K": 4, "method.T": 12, "run.record_every": 7}
    every_choice = False  # the cases have all routes and steps
    cases = staticmethod(cases)
    tampered_run = {"method.travellers": 4}
    other_down = staticmethod(drop_round)
    three_outputs = {"clients.count": 3, "method.T": 2, "method.K": 9, "run.budget.iterations": 7}

    @staticmethod
    def own_cases(form):
        if form.order == "zeroth":
            yield "three directions, many", COMPLETE | travel("walk", 6) | DIRECTIONS
        if form.order == "first":
            yield "delta_prime 0", RING | travel("tour", 4) | CAPPED | SHARP

    @staticmethod
    def further_forms(n):
        return [{"travellers": 4, "stay": 2}, {"travellers": n}]

    @staticmethod
    def sound_bytes(record, row, directed_edges):
        """In a round at least one vector goes over an edge, and of each of n travellers, fewer than edges, at most two."""
        least = record["communication_rounds"] * row
        return least <= record["bytes"] <= 2 * directed_edges * least and record["bytes"] % row == 0

    @staticmethod
    def tamperings(header):
        return {"hops": longer_way, "client": other_client,
                "stay": set_header("stay", 2), "travellers": set_header("travellers", 2),
                "travellers who change places": change_places}

    def __init__(self, *words):
        super().__init__(*words)
        self.c, x0 = self.h["travellers"], self.iterates[0][0]
        self.z, self.Delta = np.tile(x0, (self.c, 1)), np.zeros((self.c, self.d))
        self.means = [x0]  # of the z_k, before the first and after each iteration
        self.outputs = []  # of each finished epoch
        self.journey = Journey(self.base, self.h, self.verdict.require)

    # What a method says of itself.

    def advance(self, k, s, estimate_at):
        """Traveller k at its client, before it moves."""
        raise NotImplementedError

    def averaged(self):
        """Those of the travellers' vectors, c x d, that the end of an epoch averages."""
        raise NotImplementedError

    def after_iteration(self):
        """After the averaging."""

    def epoch_output(self):
        raise NotImplementedError

    # What both share.

    def further_points(self):
        return self.z, np.array(self.means[-2:])

    def draws(self, line):
        keys = ("client", "s", "batch", "z", "g", "hops")
        if any(not isinstance(line[key], list) or len(line[key]) != self.c for key in keys):
            raise CannotReplay(f"tick {self.tick}: one of {', '.join(keys)} is not one a traveller")
        return list(zip(line["client"], line["batch"], line["z"]))

    def epoch_tick(self, tick):
        return tick % self.h["T"]

    def ends_epoch(self, tick):
        return self.epoch_tick(tick) == self.h["T"] - 1

    def averages(self, tick):
        return self.c > 1 and self.ends_epoch(tick)

    def step(self, line):
        self.journey.take(line["client"], line["hops"])
        if self.changes and self.tick > 0:
            self.check_waiting(line["client"])
        for k, (client, rows, z) in enumerate(self.draws(line)):
            self.advance(k, line["s"][k],
                         lambda x: self.settled(self.estimate(x, rows, z), line["g"][k], client))
        points = self.points_after_moves(line)
        if self.averages(self.tick):
            for vectors in self.averaged():
                vectors[:] = vectors.mean(axis=0)
            points[:] = self.z[0]
        self.means.append(self.z.mean(axis=0))
        self.after_iteration()
        if self.ends_epoch(self.tick):
            self.outputs.append(self.epoch_output())
        return points

    def check_waiting(self, clients):
        """The rounds of the iteration before, now that it is known where its moves led to."""
        tick, (_, up) = self.tick - 1, self.rounds_up
        rounds = self.journey.waiting.arrival(list(zip(self.journey.stops[tick], clients)), up)
        if self.averages(tick):
            rounds += self.journey.waiting.averaging(self.journey.tree, up[rounds:])
        self.verdict.require(rounds == len(up), f"tick {tick}: {len(up)} rounds where {rounds} are due")

    def check_rounds(self, where):
        """Travellers multiply by no P; their rounds are checked when it is known where they went."""
        self.rounds_up = self.tick, self.P.up

    @staticmethod
    def changing_cases():
        yield from changing_cases(travel("uniform", 4))
        yield "links, tour", RING | LINKS | travel("tour", 3, 2)
        yield "periodic, walk", PERIODIC | travel("walk", 5) | {"method.T": 5}

    def points_after_moves(self, line):
        """Each client has the z that last left it."""
        points = self.iterates[-1].copy()
        for client, hops, z in zip(line["client"], line["hops"], self.z):
            if hops > 0:
                points[client] = z
        return points

    def mean_at(self, iteration):
        return self.means[iteration]

    def finish(self):
        self.journey.finish()

    def planned_iterations(self):
        return self.h["K"] * self.h["T"]

    def candidates(self):
        return [np.tile(one, (self.n, 1)) for one in self.outputs or [self.epoch_output()]]

    def counts_after(self, iterations):
        """A hop takes z and Delta; averaging goes up and down the tree."""
        samples, hops = iterations * self.c * self.h["batch"], self.journey.hops[:iterations]
        averagings = sum(map(self.averages, range(iterations)))
        messages = averagings * 2 * (self.n - 1) * len(self.averaged())
        rounds = sum(map(max, hops)) + averagings * 2 * self.journey.depth
        if self.changes:
            rounds = sum(self.P.rounds[:iterations])
        return {"samples": samples, "evaluations": samples * self.values(), "computation_rounds": iterations,
                "communication_rounds": rounds,
                "bytes": (2 * sum(map(sum, hops)) + messages) * self.d * BYTES[self.h["precision"]]}

    def output_bytes(self, kept, iterations):
        """Where these epochs, from 1, are kept: a third vector on their ways, and one down the tree at their ends."""
        T = self.h["T"]
        hops = sum(sum(hops) for tick, hops in enumerate(self.journey.hops[:iterations]) if tick // T + 1 in kept)
        ends = sum(k * T <= iterations for k in kept)
        return (hops + ends * (self.n - 1)) * self.d * BYTES[self.h["precision"]]

    def check_kept(self, records, chosen):
        """output_bytes must fit some choice of kept epochs: the first one, and none after the one that is given out."""
        begun, finished = -(-self.tick // self.h["T"]), max(1, len(self.outputs))
        choices = [{1, *more} for size in range(begun) for more in combinations(range(2, begun + 1), size)]
        fitting = [kept for kept in choices
                   if all(self.output_bytes(kept, record["iteration"]) == record["output_bytes"] for record in records)]
        candidates = self.candidates()
        same = [k + 1 for k, one in enumerate(candidates) if np.allclose(one, candidates[chosen[0]], rtol=1e-12, atol=0)]
        self.verdict.require(any(max(k for k in kept if k <= finished) in same for kept in fitting),
                             f"output_bytes are {[record['output_bytes'] for record in records]}, output {chosen[0] + 1}")

    def missing(self):
        """What a case of this size is there for and did not reach."""
        if self.c > 3 and self.h["route"] != "tour" and self.tick > 20 and not self.journey.meets():
            yield "no two travellers were at one client"
