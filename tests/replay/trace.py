# SPDX-License-Identifier: Apache-2.0
"""Replays a trace file and compares it, and the files of its run, number by number."""
import importlib
import json
import tomllib
from pathlib import Path

import numpy as np

from .parts import TOLERANCE, CannotReplay
from .verdict import Svm, Verdict


def replay_of(method):
    """The class Replay in the file of the method's name."""
    name = method.replace("-", "_")
    try:
        return importlib.import_module(f".{name}", __package__).Replay
    except ModuleNotFoundError as error:
        if error.name != f"{__package__}.{name}":
            raise
        raise CannotReplay(f"{method} cannot be replayed: add tests/replay/{name}.py with a class Replay whose step() is the "
                           "method's listing in NumPy (tests/replay/dgfm.py is the shortest example)") from None


def contiguous_owner(m, n):
    """The client of each row: blocks in the order of the clients, the first m mod n one row longer."""
    return np.repeat(np.arange(n), [m // n + (i < m % n) for i in range(n)])


def check_consensus(verdict, key, x, mean, recorded, where):
    distances = np.linalg.norm(x - mean, axis=1)
    verdict.compare(key, distances.mean(), recorded, where, np.linalg.norm(x, axis=1).mean())


def check_record(replay, record, iteration, name, owner):
    """Counts of a record, and its measures where it is known who owns which row."""
    verdict, n, y = replay.verdict, replay.n, replay.iterates[iteration]
    for key, count in replay.counts_after(iteration).items():
        verdict.require(record[key] == count, f"{name}: {key} is {record[key]}, not {count}")
    mean, where = replay.mean_at(iteration), f"{name}, iteration {iteration}"
    check_consensus(verdict, "consensus", y, mean, record["consensus"], where)
    x = replay.mixed_at(iteration)
    if x is not None:
        check_consensus(verdict, "consensus_x", x, x.mean(axis=0), record["consensus_x"], where)
    elif iteration < replay.tick:
        verdict.require("consensus_x" not in record, f"{where}: consensus_x cannot be known")
    if owner is not None:
        losses = [replay.svm.loss(x, owner, n) for x in y]
        verdict.compare("loss_mean_point", replay.svm.loss(mean, owner, n), record["loss_mean_point"], where)
        verdict.compare("loss_clients", np.mean(losses), record["loss_clients"], where)
        verdict.compare("loss_worst", max(losses), record["loss_worst"], where)


def check_outputs(replay, directory):
    """Row i of output.npy is client i's part of one of the method's candidates, last.npy the method's last point.
    Gives the number of the candidate in each row."""
    output, last = np.load(directory / "output.npy"), np.load(directory / "last.npy")
    candidates, compare = np.array(replay.candidates()), replay.verdict.compare
    compare("last.npy", replay.last(), last, "at the end", replay.cancellation * replay.size())
    if output.shape != (replay.n, replay.d):
        replay.verdict.require(False, f"output.npy has shape {output.shape}")
        return []
    distances = np.linalg.norm(candidates - output, axis=2)  # candidate x client
    if replay.one_draw:
        distances[:] = distances.sum(axis=1, keepdims=True)
    chosen = distances.argmin(axis=0).tolist()
    for i, k in enumerate(chosen):  # a row that gossip made of larger ones has their roundings
        scale = replay.cancellation * np.linalg.norm(candidates[k], axis=1).max()
        compare("output.npy", candidates[k][i], output[i], f"client {i}, candidate {k}", scale)
    return chosen


def check_run(replay, directory):
    config = tomllib.loads((directory / "config.toml").read_text())
    owner, m, require = None, len(replay.svm.b), replay.verdict.require
    if config["clients"]["partition"] == "contiguous":
        owner = contiguous_owner(m, replay.n)
        for row, client in replay.owner_seen.items():
            require(owner[row] == client, f"row {row} was drawn by client {client}, it belongs to {owner[row]}")
    records = [json.loads(line) for line in (directory / "metrics.jsonl").read_text().splitlines()]
    iterations, every = replay.tick, config["run"]["record_every"]
    due = sorted({*range(0, iterations + 1, every), iterations})
    require([r["iteration"] for r in records] == due, f"records stand at {[r['iteration'] for r in records]}")
    if "budget" not in config["run"]:
        require(iterations == replay.planned_iterations(), f"the run ended after {iterations} iterations")
    summary = json.loads((directory / "summary.json").read_text())
    require(summary["iterations"] == iterations, f"summary.json: iterations is {summary['iterations']}")
    for record in records:
        if record["iteration"] <= iterations:
            check_record(replay, record, record["iteration"], "metrics.jsonl", owner)
    check_record(replay, summary, iterations, "summary.json", owner)
    chosen = check_outputs(replay, directory)
    replay.check_kept(records, chosen)
    return chosen


def replay_trace(trace, data=None, run=None, follow=False, replay_class=None):
    """The replayed method, its verdict filled; `chosen` numbers each client's output where run is given."""
    with open(trace) as file:
        h = json.loads(file.readline())["header"]
        if h["problem"] != "svm":
            raise CannotReplay(f"{h['method']} on {h['problem']}: only runs on svm can be replayed")
        data = data or h["data"]
        if not Path(data).is_file():
            raise CannotReplay(f"there is no file {data}: name the LIBSVM file with --data")
        svm = Svm(data, h["d"], h["lambda"], h["alpha"])
        replay = (replay_class or replay_of(h["method"]))(h, svm, Verdict(TOLERANCE[h["precision"]]), follow)
        for line in file:
            replay.take(json.loads(line))
    replay.finish()
    replay.chosen = check_run(replay, Path(run)) if run else []
    return replay
