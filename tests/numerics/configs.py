# SPDX-License-Identifier: Apache-2.0
"""Random valid configs of all sections, for tests/numerics_test.py. Everything follows from the given random.Random."""
import json
import math

import numpy as np

PARTITIONS = ("iid", "contiguous", "sorted", "dirichlet", "labels")


def uneven(chance, low, high):
    """A number between, even in its logarithm."""
    return math.exp(chance.uniform(math.log(low), math.log(high)))


def edges_text(chance, n):
    """A connected graph: a random tree and some more edges."""
    edges = {(chance.randrange(i), i) for i in range(1, n)}
    for _ in range(chance.randint(0, n)):
        i, j = sorted(chance.sample(range(n), 2))
        edges.add((i, j))
    return "".join(f"{i} {j}\n" for i, j in sorted(edges))


def matrix_text(chance, n):
    """Symmetric, doubly stochastic: the lazy mean over random matchings and the ring."""
    P = np.eye(n) / 2 + (np.roll(np.eye(n), 1, axis=1) + np.roll(np.eye(n), -1, axis=1)) / 8 + np.eye(n) / 4
    for _ in range(chance.randint(0, 3)):
        i, j = chance.sample(range(n), 2)
        more = np.eye(n)
        more[[i, j]] = more[[j, i]]
        P = 0.75 * P + 0.25 * (more + more.T) / 2
    return "".join(" ".join(map(repr, row)) + "\n" for row in P.tolist())


class Drawn:
    """A config as a table of dotted keys, and the files that it names."""

    def __init__(self, chance, methods):
        self.chance, self.files, self.table = chance, {}, {}
        self.n = chance.choice([1, 2, 3, 4, 5, 6, 8, 9, 11, 12, 16, 20])
        self.general()
        self.problem()
        self.clients()
        self.network()
        self.method(chance.choice(methods))
        self.run()

    def put(self, **values):
        self.table |= {key.replace("__", "."): value for key, value in values.items()}

    def general(self):
        self.put(seed=self.chance.randrange(10**6), precision=self.chance.choice(["float32", "float64"]))

    def problem(self):
        m, d = self.n * self.chance.randint(2, 9) + self.chance.randint(0, 7), self.chance.choice([1, 2, 3, 7, 16, 33, 70])
        self.put(problem__name="svm", problem__batch=self.chance.choice([1, 1, 2, 3, 5, 8]))
        if self.chance.random() < 0.5:
            self.put(problem__lambda=uneven(self.chance, 1e-4, 0.1), problem__alpha=uneven(self.chance, 0.01, 1))
        if self.chance.random() < 0.3:
            self.put(problem__data="synthetic", problem__size=m, problem__dimension=d, problem__noise=0.1,
                     problem__sparsity=self.chance.uniform(0.3, 1))
        else:
            self.put(problem__data="data.svm")
            self.files["data.svm"] = self.libsvm(m, d)

    def libsvm(self, m, d):
        labels, density = self.chance.choice([("-1", "+1"), ("0", "1"), ("1", "2")]), self.chance.choice([0.2, 0.6, 1])
        plane, lines = [self.chance.gauss(0, 1) for _ in range(d)], []
        for row in range(m):
            a = {j: self.chance.gauss(0, 1) for j in range(d) if self.chance.random() < density}
            label = labels[sum(plane[j] * value for j, value in a.items()) + self.chance.gauss(0, 1) > 0]
            if row < 2:
                label, a = labels[row], {d - 1: 1.0}  # both labels and the last feature occur
            lines.append(" ".join([label] + [f"{j + 1}:{value!r}" for j, value in a.items()]))
        return "\n".join(lines) + "\n"

    def clients(self):
        self.put(clients__count=self.n, clients__partition=self.chance.choice(PARTITIONS))
        if self.table["clients.partition"] == "dirichlet":
            self.put(clients__alpha=uneven(self.chance, 0.2, 5))

    def graphs(self):
        """Those that n clients can form, each with its options."""
        n, chance = self.n, self.chance
        yield {"graph": "complete"}
        if n < 2:
            return
        yield from ({"graph": graph} for graph in ("path", "star", "exponential"))
        yield {"graph": "erdos-renyi", "p": chance.uniform(0.5, 1)}
        if n >= 3:
            yield {"graph": "ring", "neighbours": chance.choice(range(3, n + 1, 2))}
            yield {"graph": "file", "edges": "edges.txt"}
            yield {"graph": "file", "matrix": "matrix.txt", "weights": "file"}
        if n % 2 == 0 and n >= 4:
            yield {"graph": "regular", "degree": chance.randint(2, n - 1)}
        if n >= 6:
            yield {"graph": "watts-strogatz", "k": 4, "beta": chance.random()}
        if n in (4, 6, 8, 9, 12, 16, 20):
            yield {"graph": "grid"}
        if n in (9, 12, 16, 20):
            yield {"graph": "torus"}
        if n & (n - 1) == 0:
            yield {"graph": "hypercube"}

    def network(self):
        graph = self.chance.choice(list(self.graphs()))
        if "weights" not in graph and self.chance.random() < 0.6:
            regular = graph["graph"] in ("ring", "complete", "torus", "hypercube", "regular")
            graph["weights"] = self.chance.choice(["metropolis", "max-degree", *(["uniform"] if regular else [])])
        if graph.get("weights") != "file":
            graph["lazy"] = self.chance.random() < 0.5
        if "edges" in graph:
            self.files["edges.txt"] = edges_text(self.chance, self.n)
        if "matrix" in graph:
            self.files["matrix.txt"] = matrix_text(self.chance, self.n)
        self.table |= {f"network.{key}": value for key, value in graph.items()}

    def numbers(self):
        """Of the options that are no choices."""
        chance = self.chance
        return {"K": chance.randint(1, 5), "T": chance.randint(1, 12), "R": chance.randint(1, 9), "eta": uneven(chance, 1e-3, 0.1),
                "D": uneven(chance, 1e-3, 0.1), "iterations": chance.randint(1, 40), "q": chance.randint(1, 9), "b": chance.randint(1, 3),
                "b_prime": chance.randint(1, 5), "rounds": chance.randint(1, 6), "momentum": chance.choice([0, 0.5, 0.9]),
                "local_steps": chance.randint(0, 5), "travellers": chance.randint(1, self.n), "stay": chance.randint(1, 4),
                "beta": chance.choice([0, 0.5, 0.97])}

    def method(self, kind):
        known = {option["name"]: option["choices"] for option in kind["options"]}
        drawn = {name: value for name, value in self.numbers().items() if name in known}
        for name, choices in known.items():
            if choices and name not in ("parameters", "constants", "rounds_rule"):
                drawn[name] = self.chance.choice(choices)
        self.table |= {"method.name": kind["name"]} | {f"method.{name}": value for name, value in drawn.items()}
        self.put(method__delta_prime=uneven(self.chance, 0.01, 0.1))
        if drawn["order"] == "zeroth":
            self.put(method__directions=self.chance.choice([1, 1, 2, 5]))

    def run(self):
        self.put(run__record_every=self.chance.randint(1, 20), run__threads=self.chance.randint(1, 3))
        if self.chance.random() < 0.4:
            count = self.chance.choice(["iterations", "samples", "computation_rounds", "communication_rounds", "bytes"])
            self.table[f"run.budget.{count}"] = self.chance.randint(5, 60) * (500 if count == "bytes" else 1)

    def text(self):
        return "".join(f"{key} = {json.dumps(value)}\n" for key, value in self.table.items())
