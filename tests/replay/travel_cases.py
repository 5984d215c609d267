# SPDX-License-Identifier: Apache-2.0
"""The cases of methods whose state travels, and how their traces are tampered with."""
from .cases import ALONE, BATCH5, CAPPED, COMPLETE, LAZY_PATH, LOW_CAP, RANDOM, RING, STAR, TORUS, WIDE_RING, data


def travel(route, travellers=1, stay=1):
    return {"method.route": route, "method.travellers": travellers, "method.stay": stay}


def cases():
    """For both orders and precisions."""
    yield "ring", RING
    yield "ring tour 4", RING | travel("tour", 4)
    yield "ring walk n", RING | travel("walk", 16) | {"method.T": 8}
    yield "wide ring 4 stay 3 capped", WIDE_RING | travel("uniform", 4, 3) | LOW_CAP | data("sparse.gz")
    yield "star tour", STAR | travel("tour") | data("zero-one")
    yield "star uniform n stay 3", STAR | travel("uniform", 16, 3) | BATCH5 | data("zero-one") | {"method.T": 7}
    yield "star walk 4", STAR | travel("walk", 4)
    yield "torus tour n capped", TORUS | travel("tour", 12) | LOW_CAP | data("sparse.gz")
    yield "torus uniform 4 batch 5", TORUS | travel("uniform", 4) | BATCH5 | CAPPED
    yield "erdos-renyi tour 4 stay 3", RANDOM | travel("tour", 4, 3) | data("one-two.xz") | {"method.K": 9}
    yield "erdos-renyi walk n", RANDOM | travel("walk", 11) | LOW_CAP | data("one-two.xz")
    yield "path tour stay 3", LAZY_PATH | travel("tour", 1, 3) | data("zero-one")
    yield "path uniform 4", LAZY_PATH | travel("uniform", 4) | BATCH5 | CAPPED
    yield "complete walk 4 stay 3", COMPLETE | travel("walk", 4, 3) | BATCH5 | CAPPED
    yield "one client", ALONE | CAPPED
    yield "stopped in an epoch", RING | travel("tour", 4) | {"run.budget.iterations": 29} | BATCH5
    yield "stopped in the first epoch", RING | travel("uniform", 4) | {"run.budget.samples": 28}
    yield "stopped by rounds", RANDOM | travel("walk", 4) | {"run.budget.communication_rounds": 27} | data("zero-one")
    yield "dealt at random", RING | travel("walk") | {"clients.partition": "iid"} | data("sparse.gz")


def longer_way(lines):
    lines[6]["hops"][0] += 1


def other_client(lines):
    lines[8]["client"][0] = (lines[8]["client"][0] + 1) % 16


def change_places(lines):
    for key in ("client", "s", "batch", "z", "g", "hops"):
        lines[3][key].reverse()
