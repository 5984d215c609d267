# SPDX-License-Identifier: Apache-2.0
"""What the tests of ordinary tables share: five sites that differ, and what NumPy makes of a run's files alone."""
import csv
import json

import numpy as np

CLIENTS = 5
FEATURES = ["age", "height", "dose", "batch no"]
KINDS = ["blue whale", "cat", "7"]  # names with blanks, and one that is a number
IN_ORDER = ["7", "blue whale", "cat"]  # numbers before texts


def rows_of(client, count, seed):
    """Features in units of their own, of which client i's are shifted and one is constant; a number and a class."""
    chance = np.random.default_rng(100 * seed + client)
    a = chance.normal(size=(count, 4)) * [10, 1e-3, 1e4, 0] + [40 + 4 * client, 1.7e-3, -2e4, 3]
    score = (a[:, 0] - 48) / 10 - (a[:, 2] + 2e4) / 1e4
    number = 100 + 20 * score + chance.normal(size=count)
    kind = [KINDS[0] if s < -0.6 else KINDS[1] if s < 0.6 else KINDS[2] for s in score]
    return a, number, kind


def table_text(a, targets, name, features=FEATURES):
    lines = [",".join([*features, *([name] if name else [])])]
    for k, row in enumerate(a.tolist()):
        lines.append(",".join([*map(repr, row), *([str(targets[k])] if name else [])]))
    return "\n".join(lines) + "\n"


def write_sites(case, target):
    """site-0.csv … site-4.csv of 20, 24, … rows, and test.csv."""
    for client in range(CLIENTS):
        a, number, kind = rows_of(client, 20 + 4 * client, seed=1)
        case.write(f"site-{client}.csv", table_text(a, number.tolist() if target == "number" else kind, target))
    parts = [rows_of(client, 15, seed=2) for client in range(CLIENTS)]
    a = np.concatenate([part[0] for part in parts])
    targets = [one for part in parts for one in (part[1].tolist() if target == "number" else part[2])]
    case.write("test.csv", table_text(a, targets, target))


def config_text(case, problem, method="", clients=CLIENTS):
    return f"""\
seed = 5
[problem]
data = "{case.home}/site-{{client}}.csv"
test = "{case.home}/test.csv"
batch = 4
{problem}
[clients]
count = {clients}
[method]
K = 8
T = 20
eta = 0.02
D = 0.2
{method}
[run]
record_every = 40
"""


def read_csv(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def features_and_targets(path, how):
    rows = read_csv(path)
    values = np.array([[float(row[name]) for name in how["columns"]] for row in rows])
    scaled = (values - how["mean"]) / how["deviation"]
    if how["target"] == "number":
        return scaled, np.array([float(row[how["label"]]) for row in rows])
    return scaled, np.array([how["classes"].index(row[how["label"]]) for row in rows])


def preprocessing_of(run):
    how = json.loads(run.text("preprocessing.json"))
    return {**how, "mean": np.array(how["mean"]), "deviation": np.array(how["deviation"])}


def mlp_outputs(a, hidden, outputs, x):
    """The forward pass of an MLP whose parameters are x, layer by layer W and b."""
    first = 0
    for k, size in enumerate([*hidden, outputs]):
        W = x[first:first + size * a.shape[1]].reshape(size, a.shape[1])
        first += W.size
        z = a @ W.T + x[first:first + size]
        first += size
        a = z if k == len(hidden) else np.maximum(z, 0)
    assert first == len(x)
    return a
