"""The methods that replay.py can replay: one small class each, with dense n x d algebra as in the listings; the iterations of
DOC2S and ME-DOL are those that `doc2s bench` times (bench/a9a/numpy_loop.py).

A class says how an iteration goes (step), what it costs (cost) and what may be given out (candidates, last). What all
share stands in Method: the form of what chance decided, estimates of either order and their comparison.
"""
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "bench" / "a9a"))
from numpy_loop import TINY, clip_rows, doc2s_iteration, fast_gossip, me_dol_iteration, phi_of

TOLERANCE = {"float64": 1e-10, "float32": 1e-5}
DIFFERENCE_FLOOR = {"float64": 1e-3, "float32": 0.05}  # the `a` in replay.py
BYTES = {"float64": 8, "float32": 4}


class CannotReplay(Exception):
    pass


def mean_of(estimates):
    """Part by part: of g, of slack, of scale."""
    return [sum(part) / len(estimates) for part in zip(*estimates)]


class Method:
    one_draw = True  # of the output, the same for all clients
    draws_s = True
    gossip = "chebyshev"

    def __init__(self, header, svm, verdict, follow):
        self.h, self.svm, self.verdict = header, svm, verdict
        self.n, self.d = header["n"], header["d"]
        self.P = np.array(header["P"], float)
        self.check_matrix()
        self.phi = phi_of(self.P, header.get("gossip", self.gossip))
        self.float32 = header["precision"] == "float32"
        self.follow = follow or self.float32
        x0 = np.zeros(self.d) if header["x0"] == "zero" else np.array(header["x0"], float)
        self.iterates = [np.tile(x0, (self.n, 1))]  # before the first and after each iteration, n x d
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
        after = self.step(line)
        self.verdict.compare("y_mean", after.mean(axis=0), line["y_mean"], f"tick {self.tick}")
        self.iterates.append(after)

    # What a method says of itself; these are for methods in which all clients compute.

    def step(self, line):
        """The clients' iterates after the iteration, n x d."""
        raise NotImplementedError

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
        return 1 if self.h["order"] == "first" else 2

    # What all methods share.

    def estimate(self, x, rows, z):
        """The estimate of either order at x; how far a kink may move each coordinate; the least scale of its error."""
        mu, z = self.h["delta_prime"], np.array(z, float)
        if self.h["order"] == "first":
            return *self.svm.gradient(rows, x + mu * z if mu else x, self.verdict.tolerance), 0.0
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
        P, require = self.P, self.verdict.require
        require(P.shape == (self.n, self.n), f"P has shape {P.shape}")
        require(np.allclose(P, P.T, atol=1e-15) and (P >= 0).all(), "P is not symmetric with entries >= 0")
        require(np.allclose(P.sum(axis=1), 1, atol=1e-14), "a row of P does not add up to 1")

    def check_chance(self, line):
        """The form of what chance decided."""
        require, s, where = self.verdict.require, line["s"], f"tick {self.tick}"
        require(line["tick"] == self.tick, f"tick {line['tick']} stands where {self.tick} is due")
        if self.draws_s:
            require(len(s) == self.n and all(0 <= number <= 1 for number in s), f"{where}: s is not n of [0,1]")
        else:
            require(s is None, f"{where}: s is {s}, not null")
        for client, rows, z in self.draws(line):
            self.check_rows(client, rows, where)
            self.check_directions(client, z, where)

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
        require, shape = self.verdict.require, (self.d,) if self.pairs() == 1 else (self.pairs(), self.d)
        if np.shape(z) != shape:
            raise CannotReplay(f"{where}: z of client {client} has shape {np.shape(z)}, not {shape}")
        for direction in np.reshape(z, (-1, self.d)):
            length = np.sqrt(direction @ direction)
            off = max(length - 1, 0) if self.h["order"] == "first" else abs(length - 1)
            require(off <= (1e-6 if self.float32 else 1e-14), f"{where}: z has length {length!r}")
            bits = direction.tobytes()
            require(bits not in self.directions_seen, f"{where}: client {client} has the z of another draw")
            self.directions_seen.add(bits)

    def counts_after(self, iterations):
        """Each round sends a row over every edge, both ways."""
        costs = [self.cost(tick) for tick in range(iterations)]
        samples, evaluations, rounds = (sum(part) for part in zip((0, 0, 0), *costs))
        directed_edges = np.count_nonzero(self.P) - np.count_nonzero(np.diag(self.P))
        return {"samples": samples, "evaluations": evaluations, "computation_rounds": iterations,
                "communication_rounds": rounds,
                "bytes": rounds * directed_edges * self.d * BYTES[self.h["precision"]]}


class EpochMethod(Method):
    """K epochs of T iterations, whose means of w may be given out; before one is finished, the unfinished one's."""

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


class Doc2s(EpochMethod):
    one_draw = False

    def draws(self, line):
        return [(line["client"], line["batch"], line["z"])]

    def cost(self, tick):
        return self.h["batch"], self.h["batch"] * self.values(), 2 * self.h["R"]

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


class MeDol(EpochMethod):
    def __init__(self, *words):
        super().__init__(*words)
        self.g = self.zero

    def step(self, line):
        if self.begins_epoch():
            self.Delta = self.g = self.zero
        form = {"paper": self.paper, "code": self.code}[self.h["form"]]
        form(np.array(line["s"])[:, None], line)
        return self.y

    def paper(self, s, line):
        w, self.y, self.Delta, self.g = me_dol_iteration(self.y, self.Delta, self.g, s,
                                                         lambda w: self.estimates_at(w, line),
                                                         self.P, self.h["eta"], self.h["D"])
        self.add_to_mean(w)

    def code(self, s, line):
        w, x = self.y + s * self.Delta, self.y + self.Delta
        self.g = self.estimates_at(w, line)
        self.Delta, self.y = self.P @ clip_rows(self.Delta - self.h["eta"] * self.g, self.h["D"]), self.P @ x
        self.add_to_mean(w)


class Dgfm(Method):
    """Gives out the x of a uniform iteration, that at which its estimates were taken."""
    draws_s = False

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


class DgfmPlus(Dgfm):
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
            return one_each * self.h["b_prime"], 2 * one_each * self.h["b_prime"], self.h["rounds"] + 1
        return one_each * self.h["b"], 4 * one_each * self.h["b"], 2

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
        """The batch and the direction of each pair."""
        return np.reshape(rows, (self.pairs(), -1)), np.reshape(z, (self.pairs(), self.d))

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


METHODS = {"doc2s": Doc2s, "me-dol": MeDol, "dgfm": Dgfm, "dgfm-plus": DgfmPlus}
