#!/usr/bin/env python3
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


def studies_with_runs():
    return [path.stem for path in sorted(KEPT.glob("*.json")) if "shown" in study(path.stem)]


def replay(program, name, folder):
    read = study(name)
    shown = random.choice([one for one in read["shown"] if None not in one["by_seed"][one["measure"]]])
    k = random.randrange(len(read["seeds"]))
    changes = shown["set"] + [f"seed={read['seeds'][k]}"]
    words = [word for change in changes for word in ("--set", change)]
    answer = subprocess.run([program, "run", str(CONFIGS / read["config"]), *words, "--out", f"{folder}/{name}", "--quiet"],
                            capture_output=True, text=True)
    what = f"{name}: {shown['line']} {shown['setting']} to {shown['axis']}, seed {read['seeds'][k]}"
    if answer.returncode != 0:
        return f"{what}: {answer.stderr.strip()}", False
    trajectory = json.loads(Path(folder, name, "summary.json").read_text())["trajectory"]
    kept = shown["trajectories"][k]
    return f"{what}: " + ("the same hash" if trajectory == kept else f"{trajectory} is not {kept}"), trajectory == kept


def main():
    program, *words = sys.argv[1:]
    chosen = studies_with_runs() if "--all" in words else [word for word in words if not word.startswith("--")]
    if not chosen:
        if not Path(os.environ.get("DOC2S_DATA", "/nonexistent"), "a9a").exists():
            print("skipped: the data set a9a is not installed")
            return 77
        on_a9a = [name for name in studies_with_runs() if study(name)["config"] == "a9a.toml"]
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
