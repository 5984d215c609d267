# SPDX-License-Identifier: Apache-2.0
"""What traces are made of: networks, data, penalties, and the cases that a method goes through unless it has its own."""
import os

RING = {}
WIDE_RING = {"network.neighbours": 7}
STAR = {"network.graph": "star", "network.weights": "metropolis", "network.lazy": True}
TORUS = {"network.graph": "torus", "clients.count": 12}
RANDOM = {"network.graph": "erdos-renyi", "network.weights": "metropolis", "clients.count": 11}
LAZY_PATH = {"network.graph": "path", "network.weights": "max-degree", "network.lazy": True, "clients.count": 7}
COMPLETE = {"network.graph": "complete", "clients.count": 6}
ALONE = {"network.graph": "complete", "clients.count": 1}
# Steps long enough to pass the cap of a penalty heavy enough to be seen.
CAPPED = {"problem.lambda": 0.01, "problem.alpha": 0.1, "method.eta": 0.05, "method.D": 0.05,
          "method.delta_prime": 0.01}
PLAIN, INTERVAL = {"method.gossip": "plain"}, {"method.gossip": "chebyshev-interval"}
DIRECTIONS = {"method.directions": 3}
BATCH5, SHARP = {"problem.batch": 5}, {"method.delta_prime": 0}
# All clients compute, so fewer iterations do, and averaged steps are shorter.
LOW_CAP = CAPPED | {"problem.alpha": 0.02}


def data(name):
    return {"problem.data": name}


def a9a(name, changes={}):
    """On the real data, where it is."""
    if os.environ.get("DOC2S_DATA"):
        yield name, data("a9a") | changes


def set_header(key, value):
    return lambda lines: lines[0]["header"].update({key: value})


def usual_cases():
    """Of every form of a method in which all clients compute, for both precisions."""
    yield "ring", RING
    yield "wide ring capped", WIDE_RING | LOW_CAP | data("sparse.gz")
    yield "star", STAR | data("zero-one")
    yield "torus batch 5 capped", TORUS | BATCH5 | LOW_CAP | data("sparse.gz")
    yield "erdos-renyi capped", RANDOM | LOW_CAP | data("one-two.xz")
    yield "path lazy", LAZY_PATH | data("zero-one")
    yield "complete batch 5", COMPLETE | BATCH5 | LOW_CAP
    yield "one client", ALONE | LOW_CAP
    yield "stopped in an epoch", RING | {"run.budget.iterations": 29} | BATCH5
    yield "stopped by samples", RING | {"run.budget.samples": 20}
    yield "stopped by rounds", RANDOM | {"run.budget.communication_rounds": 27} | data("zero-one")
    yield "dealt at random", RING | {"clients.partition": "iid"} | data("sparse.gz")


def zeroth_cases():
    """Of every method, in zeroth order."""
    yield "three directions", RING | DIRECTIONS
    yield "five directions, batch 5", COMPLETE | BATCH5 | LOW_CAP | {"method.directions": 5}
