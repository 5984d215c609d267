#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes random runs of docs/results again and compares the hashes of their trajectories.

results_replay_test.py PROGRAM             a run each of three studies on a9a, where its data is installed
results_replay_test.py PROGRAM --all       a run of every study, whatever it takes
results_replay_test.py PROGRAM STUDY…      a run of each of these
"""
import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from results.kept import KEPT, study

CONFIGS = KEPT.parents[1] / "configs/reproduce"


def shown_run(read):
    """(config, changes, seed, hash) of a run that a figure shows."""
    shown = random.choice([one for one in read["shown"] if None not in one["by_seed"][one["measure"]]])
    k = random.randrange(len(read["seeds"]))
    return read["config"], shown["set"], read["seeds"][k], shown["trajectories"][k]


def scaling_run(read):
    line = random.choice(read["lines"])
    run = random.choice(line["runs"])
    method = "me-dol" if line["method"] == "ME-DOL" else "doc2s"
    changes = [f"network.graph={line['graph']}", f"clients.count={line['clients']}", f"method.name={method}", "method.K=1000000",
               f"run.budget.samples={read['budget_samples']}"] + [f"method.{word}" for word in line["setting"].split(",")]
    return "scaling.toml", changes, run["seed"], run["trajectory"]


def theorem_run(read):
    run = random.choice(read["runs"])
    method = "me-dol" if run["method"].startswith("ME-DOL") else "doc2s" if run["R"] else run["method"]
    values = {key: run[key] for key in ("K", "T", "R", "eta", "D") if run[key] is not None}
    changes = [f"method.name={method}", f"method.delta_prime={read['delta'] / 2}", f"run.budget.samples={run['samples']}"]
    return "theorem.toml", changes + [f"method.{key}={value!r}" for key, value in values.items()], run["seed"], run["trajectory"]


def guarantee_run(read):
    point = random.choice([point for point in read["points"] if point["runs"] and point["bytes"] < 1e11])
    run = random.choice(point["runs"])
    changes = {**read["set"], "method.name": point["method"]}
    if point["epsilon"]:
        changes |= {"method.parameters": "theory", "method.constants": "tight", "method.delta": read["delta"], "method.epsilon": point["epsilon"]}
    else:
        changes |= {**point["set"], "run.budget.samples": read["tuned_samples"]}
    return None, [f"{key}={value}" for key, value in changes.items()], run["seed"], run["trajectory"]


def replay(program, name, folder):
    read = study(name)
    config, changes, seed, kept = {"scaling": scaling_run, "theorem": theorem_run, "guarantee": guarantee_run}.get(name, shown_run)(read)
    words = [word for change in changes + [f"seed={seed}"] for word in ("--set", change)]
    answer = subprocess.run([program, "run", str(CONFIGS / config) if config else "/dev/null", *words, "--out", f"{folder}/{name}", "--quiet"],
                            capture_output=True, text=True)
    what = f"{name}, {', '.join(change for change in changes if change.startswith('method.'))}, seed {seed}"
    if answer.returncode != 0:
        return f"{what}: {answer.stderr.strip()}", False
    trajectory = json.loads(Path(folder, name, "summary.json").read_text())["trajectory"]
    return f"{what}: " + ("the same hash" if trajectory == kept else f"{trajectory} is not {kept}"), trajectory == kept


def main():
    program, *words = sys.argv[1:]
    everything = [path.stem for path in sorted(KEPT.glob("*.json"))]
    chosen = everything if "--all" in words else words
    if not chosen:
        if not Path(os.environ.get("DOC2S_DATA", "/nonexistent"), "a9a").exists():
            print("skipped: the data set a9a is not installed")
            return 77
        on_a9a = [name for name in everything if study(name).get("config") == "a9a.toml"]
        chosen = random.sample(on_a9a, min(3, len(on_a9a)))
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in chosen:
            said, same = replay(program, name, folder)
            print(said, flush=True)
            wrong += not same
    print(f"{len(chosen)} runs made again, {wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
