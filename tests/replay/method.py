# SPDX-License-Identifier: Apache-2.0
"""The base of all replays, with dense n x d algebra as in the listings."""
import numpy as np

from .cases import usual_cases
from .changing import ChangingP, changing_cases, drop_edge
from .parts import BYTES, CANCELLATION, DIFFERENCE_FLOOR, CannotReplay, phi_of


def mean_of(estimates):
    """Part by part: of g, of slack, of scale."""
    return [sum(part) / len(estimates) for part in zip(*estimates)]


class Method:
    """How a method goes (step), what it costs (cost) and what may be given out (candidates, last)."""
    one_draw = True  # of the output, the same for all clients
    draws_s = True
    gossip = "chebyshev"

    # How it is tested; a method changes what does not suit it.
    settings = {"method.K": 4, "method.T": 12, "method.iterations": 40, "run.record_every": 7}  # those it has an option for
    every_choice = True  # of its options, e.g. form = "code", goes through the cases
    cases = staticmethod(usual_cases)
    three_outputs = {"clients.count": 3, "run.budget.iterations": 3}  # leaves three candidates for the output, …
    seeds = 60  # … drawn with so many seeds
    tampered_run = {}  # changes of the run whose trace is tampered with
    other_down = staticmethod(drop_edge)  # a tampering of a trace on a network that changes
    wrong = ()  # other replays of this method, which must fail

    @staticmethod
    def own_cases(form):
        """More cases of this form (methods.Form), for both precisions."""
        return ()

    @staticmethod
    def further_forms(n):
        """Names and values of its options on n clients that the contract tests go through beside the choices that it lists."""
        return ()

    @staticmethod
    def sound_bytes(record, row, directed_edges):
        """Whether the bytes of a record suit its rounds; `row` bytes a vector."""
        return record["bytes"] == record["communication_rounds"] * directed_edges * row

    @staticmethod
    def changing_cases():
        return changing_cases()

    @staticmethod
    def tamperings(header):
        """Names and changes of a trace's lines that must be found, beside those that all methods have."""
        return {}

    def __init__(self, header, svm, verdict, follow):
        self.h, self.svm, self.verdict = header, svm, verdict
        self.n, self.d = header["n"], header["d"]
        self.base = self.P = np.array(header["P"], float)
        self.check_matrix()
        self.changes = "change" in header
        self.phi = 0.0 if self.changes else phi_of(self.P, header.get("gossip", self.gossip))
        if self.changes:  # P @ z multiplies by the P of the next round
            self.P = ChangingP(header, verdict.require)
        self.float32 = header["precision"] == "float32"
        self.cancellation = CANCELLATION[header["precision"]]
        self.follow = follow or self.float32
        x0 = np.zeros(self.d) if header["x0"] == "zero" else np.array(header["x0"], float)
        self.iterates = [np.tile(x0, (self.n, 1))]  # before the first and after each iteration, n x d
        self.mixed = []  # x of each iteration, before its gossip
        self.zero = np.zeros((self.n, self.d))
        self.estimates = self.nonzero_estimates = 0
        self.owner_seen = {}  # row -> the client that drew it
        self.directions_seen = set()

    @property
    def tick(self):
        return len(self.iterates) - 1

    def take(self, line):
        """Replays one iteration."""
        self.check_chance(line)
        self.mixed.append(self.before_gossip(line))
        where = f"tick {self.tick}"
        self.verdict.require(self.changes == ("down" in line), f"{where}: down does not suit the header")
        if self.changes:
            self.P.take(line["down"], where)
        self.iterates.append(self.step(line))
        if self.changes:
            self.check_rounds(where)
        self.verdict.compare("y_mean", self.mean_at(self.tick), line["y_mean"], where, self.cancellation * self.size())

    def size(self):
        """Of the points that the last iteration began and ended with, whose roundings its mean has."""
        rows = np.concatenate([*self.iterates[-2:], *self.further_points()])
        return np.linalg.norm(rows, axis=1).max()

    def further_points(self):
        """Arrays of rows that are no client's."""
        return ()

    # What a method says of itself; these are for methods in which all clients compute.

    def step(self, line):
        """The clients' iterates after the iteration, n x d."""
        raise NotImplementedError

    def before_gossip(self, line):
        """x of this iteration before its gossip, n x d; None where it depends on estimates of the iteration."""
        return None

    def mixed_at(self, tick):
        """The x that this iteration mixes, also of the one after the last; None where it is not known."""
        return self.mixed[tick] if tick < self.tick else self.before_gossip(None)

    def mean_at(self, iteration):
        """The mean point after so many iterations, which consensus is measured against."""
        return self.iterates[iteration].mean(axis=0)

    def check_rounds(self, where):
        """That the iteration just done used all of its rounds of a network that changes."""
        self.verdict.require(not self.P.coming, f"{where}: {len(self.P.coming)} rounds are left over")

    def finish(self):
        """After the last iteration."""

    def check_kept(self, records, chosen):
        """What the records tell of the choice of the output."""

    def missing(self):
        """What a case is there for and did not reach."""
        return ()

    def pairs(self):
        """How many pairs (batch, z) each computing client draws in this iteration."""
        return 1

    def draws(self, line):
        """(client, rows, z) of each client that computes."""
        self.verdict.require(line["client"] is None, f"tick {self.tick}: client is {line['client']}, not null")
        if not len(line["batch"]) == len(line["z"]) == len(line["g"]) == self.n:
            raise CannotReplay(f"tick {self.tick}: batch, z or g is not one a client")
        return list(zip(range(self.n), line["batch"], line["z"]))

    def cost(self, tick):
        """Samples, evaluations and communication rounds of an iteration: an estimate a client, and two times P."""
        samples = self.n * self.h["batch"]
        return samples, samples * self.values(), 2

    def values(self):
        """Evaluations a sample in one estimate."""
        return 1 if self.h["order"] == "first" else 2 * self.h["directions"]

    # What all methods share.

    def estimate(self, x, rows, z):
        """The estimate of either order at x; how far a kink may move each coordinate; the least scale of its error."""
        z = np.array(z, float)
        if self.h["order"] == "first":
            mu = self.h["delta_prime"]
            return *self.svm.gradient(rows, x + mu * z if mu else x, self.verdict.tolerance), self.cancellation * self.svm.slope(rows)
        return mean_of([self.difference(x, rows, direction) for direction in z.reshape(-1, self.d)])

    def difference(self, x, rows, z):
        """The two-point estimate along z, of which `directions` make an estimate of zeroth order."""
        mu = self.h["delta_prime"]
        magnified = self.d / (2 * mu)
        g = magnified * (self.svm.value(rows, x + mu * z) - self.svm.value(rows, x - mu * z)) * z
        return g, np.zeros(self.d), DIFFERENCE_FLOOR[self.h["precision"]] * magnified * self.svm.size(rows, x)

    def settled(self, estimate, theirs, client):
        """Compares an estimate with the trace's; gives the one to go on with."""
        g, slack, scale = estimate
        self.verdict.compare("g", g, theirs, f"tick {self.tick}, client {client}", scale, slack)
        at_kink = slack.any() and bool((np.abs(g - theirs) > self.verdict.tolerance)[slack > 0].any())
        self.verdict.kinks += at_kink
        self.estimates += 1
        self.nonzero_estimates += bool(g.any())
        return np.array(theirs, float) if at_kink or self.follow else g

    def estimates_at(self, x, line):
        """One estimate a client, client i at x_i."""
        return np.array([self.settled(self.estimate(x[i], rows, z), line["g"][i], i)
                         for i, rows, z in self.draws(line)])

    def check_matrix(self):
        P, require = self.base, self.verdict.require
        require(P.shape == (self.n, self.n), f"P has shape {P.shape}")
        require(np.allclose(P, P.T, atol=1e-15) and (P >= 0).all(), "P is not symmetric with entries >= 0")
        require(np.allclose(P.sum(axis=1), 1, atol=1e-14), "a row of P does not add up to 1")

    def check_chance(self, line):
        """The form of what chance decided."""
        where = f"tick {self.tick}"
        self.verdict.require(line["tick"] == self.tick, f"tick {line['tick']} stands where {self.tick} is due")
        self.check_s(line["s"], where)
        for client, rows, z in self.draws(line):
            self.check_rows(client, rows, where)
            self.check_directions(client, z, where)

    def check_s(self, s, where):
        if self.draws_s:
            right = len(s) == self.n and all(0 <= number <= 1 for number in s)
            self.verdict.require(right, f"{where}: s is not n of [0,1]")
        else:
            self.verdict.require(s is None, f"{where}: s is {s}, not null")

    def check_rows(self, client, rows, where):
        """A batch must be the client's own rows."""
        require, due = self.verdict.require, self.pairs() * self.h["batch"]
        if not (0 <= client < self.n and all(0 <= row < len(self.svm.b) for row in rows)):
            raise CannotReplay(f"{where} names a client or a row that does not exist")
        if len(rows) != due:
            raise CannotReplay(f"{where}: client {client} drew {len(rows)} rows, not {due}")
        for row in rows:
            owner = self.owner_seen.setdefault(row, client)
            require(owner == client, f"{where}: row {row} of client {owner} drawn by {client}")

    def check_directions(self, client, z, where):
        """In the ball or on the sphere, and each drawn afresh."""
        require, count = self.verdict.require, self.pairs() * self.h["directions"]
        shape = (self.d,) if count == 1 else (count, self.d)
        if np.shape(z) != shape:
            raise CannotReplay(f"{where}: z of client {client} has shape {np.shape(z)}, not {shape}")
        for direction in np.reshape(z, (-1, self.d)):
            length = np.sqrt(direction @ direction)
            off = max(length - 1, 0) if self.h["order"] == "first" else abs(length - 1)
            require(off <= (1e-6 if self.float32 else 1e-14), f"{where}: z has length {length!r}")
            bits = direction.tobytes()
            again = bits in self.directions_seen and (self.d > 1 or self.h["order"] == "first")  # on a line there are two
            require(not again, f"{where}: client {client} has the z of another draw")
            self.directions_seen.add(bits)

    def counts_after(self, iterations):
        """Each round sends a row over every edge that is up, both ways."""
        costs = [self.cost(tick) for tick in range(iterations)]
        samples, evaluations, rounds = (sum(part) for part in zip((0, 0, 0), *costs))
        directed_edges = np.count_nonzero(self.base) - np.count_nonzero(np.diag(self.base))
        rows = sum(self.P.messages[:iterations]) if self.changes else rounds * directed_edges
        return {"samples": samples, "evaluations": evaluations, "computation_rounds": iterations,
                "communication_rounds": rounds,
                "bytes": rows * self.d * BYTES[self.h["precision"]]}


class EpochMethod(Method):
    """K epochs of T iterations, whose means of w may be given out; before one is finished, the unfinished one's."""
    three_outputs = {"clients.count": 3, "method.T": 2, "method.K": 9, "run.budget.iterations": 7}

    def __init__(self, *words):
        super().__init__(*words)
        self.y, self.epoch_means = self.iterates[0], []  # of each finished epoch, n x d
        self.Delta = self.w_sum = self.zero

    def planned_iterations(self):
        return self.h["K"] * self.h["T"]

    def begins_epoch(self):
        return self.tick % self.h["T"] == 0

    def add_to_mean(self, w):
        self.w_sum = w if self.begins_epoch() else self.w_sum + w
        if (self.tick + 1) % self.h["T"] == 0:
            self.epoch_means.append(self.w_sum / self.h["T"])

    def candidates(self):
        return self.epoch_means or [self.w_sum / max(1, self.tick)]

    def last(self):
        return self.candidates()[-1].mean(axis=0)
