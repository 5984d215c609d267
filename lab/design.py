# SPDX-License-Identifier: Apache-2.0
"""The page's design as data: tasks × splits × rows (a method and its grid). README.md says why."""
from dataclasses import dataclass, field
from itertools import product

CLIENTS = 16
ROUND_VECTORS = 2 * CLIENTS  # that a round on the ring with 3 neighbours sends
TUNING_SEED, SEEDS = 100, (1, 2, 3)
SPLITS = {"iid": "dealt alike", "sorted": "sorted by label"}


@dataclass(frozen=True)
class Task:
    title: str
    batch: int
    rounds: int  # computation rounds in which all clients together draw the budget of samples
    dimension: int
    common: dict  # settings of every run, beyond configs/reproduce/TASK.toml
    tuning: dict = field(default_factory=dict)  # of records alone: they do not change a trajectory
    final: dict = field(default_factory=dict)
    detail: int = 4  # how many times as many records a final run has
    rows: tuple = ()  # all where empty

    def budgets(self):
        """What ME-DOL spends on all its samples: two rounds an iteration."""
        return {"samples": CLIENTS * self.batch * self.rounds, "computation_rounds": self.rounds, "communication_rounds": 2 * self.rounds,
                "bytes": 2 * self.rounds * ROUND_VECTORS * self.dimension * 4}


@dataclass(frozen=True)
class Row:
    title: str
    method: str
    callers: int  # clients that compute in an iteration
    grids: tuple  # dicts of lists; the candidates are the combinations of each
    fixed: dict = field(default_factory=dict)

    def candidates(self):
        return [{**self.fixed, **dict(zip(grid, values))} for grid in map(learner, self.grids) for values in product(*grid.values())]

    def lengths(self, task):
        """Iterations at the ends of the stages: the last spends all samples."""
        whole = task.rounds * CLIENTS // self.callers
        return [whole // 8, whole // 2, whole] if self.callers == 1 else [whole // 4, whole]


def learner(grid):
    return {f"method.{key}": values for key, values in grid.items()}


IMAGES = {"problem.evaluation": 256, "problem.width": 0.125, "problem.batch": 16}
TEST = {"tuning": {"problem.test_images": 256}, "final": {"problem.test_images": 2000}}
MLP = {"problem.evaluation": 512}

TASKS = {
    "cifar10": Task("ResNet-18 (1/8 wide) on CIFAR-10", 16, 192, 176402, IMAGES, **TEST, detail=1),
    "cifar100": Task("ResNet-18 (1/8 wide) on CIFAR-100", 16, 192, 182252, IMAGES, **TEST, detail=1,
                     rows=("doc2s", "me-dol", "token", "dsgd")),
    "rcv1": Task("capped-l1 SVM on rcv1 (subset)", 1, 2048, 47236, {"problem.evaluation": 2048}),
    "fashion-mnist": Task("MLP on Fashion-MNIST", 16, 512, 203530, MLP, **TEST),
}

def step(k):
    """The ladder of half decades: … 0.1, 0.3, 1, 3 … at k = −2, −1, 0, 1."""
    return float(f"{(1, 3)[k % 2]}e{k // 2}")


STEPS = [step(k) for k in range(-14, 7)]


def neighbours(candidate):
    """The candidates half a decade away."""
    for key in ("method.eta", "method.D"):
        if key not in candidate:
            continue
        place = STEPS.index(candidate[key])
        yield from ({**candidate, key: STEPS[k]} for k in (place - 1, place + 1) if 0 <= k < len(STEPS))


def pairs(radii, shares, **fixed):
    """D and, so many half decades from it, eta: the learner forgets over about D/(eta G) iterations."""
    return tuple({**{key: [value] for key, value in fixed.items()}, "D": [step(k)], "eta": [step(k + share) for share in shares]} for k in radii)


RADII = (-3, -2, -1)

# Where candidates begin: halving adds the neighbours of the best.
ROWS = {
    "token": Row("token", "token", 1, ({"eta": [0.1, 0.3, 1]},)),
    "me-dol": Row("ME-DOL", "me-dol", CLIENTS, pairs((-2, -1, 0), (-3, -1))),
    "doc2s": Row("DOC²S", "doc2s", 1, pairs(RADII, (-3, -1), R=2) + pairs(RADII, (-2,), R=8) + pairs(RADII, (-3, -1), R=35)),
    "doc2s-2": Row("DOC²S, R = 2", "doc2s", 1, pairs(RADII, (-3, -1), R=2)),
    "dsgd": Row("DSGD", "dsgd", CLIENTS, ({"momentum": [0, 0.9], "eta": [0.3, 1, 3]},)),
    "doc2s-travel": Row("doc2s-travel", "doc2s-travel", 1, pairs(RADII, (-3, -1))),
    "tracking": Row("gradient tracking", "dgfm", CLIENTS, ({"eta": [0.1, 0.3, 1]},), {"method.order": "first"}),
}
