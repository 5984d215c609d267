#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""guarantee_a9a_test.py PROGRAM CONFIG [--all]   `doc2s guarantee` on a9a, 16 clients in a ring, three splits, delta = 1: every client
certified, and the certificates checked; then the study of it. --all: doc2s below epsilon = 0.2 too, minutes. Skipped (77) where a9a is not here."""
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

KEPT = Path(__file__).resolve().parents[1] / "docs/results/guarantee.json"
SPLITS = ("iid", "sorted", "dirichlet")
GOALS = {"doc2s-travel": (0.2, 0.1, 0.05), "doc2s": (0.2,)}
ALL = {"doc2s-travel": (0.2, 0.1, 0.05), "doc2s": (0.2, 0.1, 0.05)}


def guarantee(program, config, folder, split, method, epsilon):
    out = f"{folder}/{split}-{method}-{epsilon}"
    words = [program, "guarantee", config, "--set", f"clients.partition={split}", "--method", method, "--delta", "1",
             "--epsilon", str(epsilon), "--out", out, "--json", "--quiet"]
    began = time.monotonic()
    done = subprocess.run(words, capture_output=True, text=True)
    seconds = time.monotonic() - began
    assert done.returncode in (0, 5), done.stderr
    found = json.loads(done.stdout)
    subprocess.run([program, "certify", "--check", f"{out}/guarantee.certificate", "--quiet"], check=True, stdout=subprocess.DEVNULL)
    bound = max(one["bound"] for one in found["certificates"])
    print(f"{split:10} {method:13} {epsilon:5} {found['run']['samples']:9,} samples {found['run']['communication_rounds']:13,} rounds "
          f"{found['run']['bytes'] / 1e9:8.3g} GB {seconds:6.1f} s  loss {found['run']['loss_mean_point']:.4f}  bound {bound:.4f}  "
          f"{'certified' if found['certified'] else 'NOT CERTIFIED'}", flush=True)
    return found["certified"] and done.returncode == 0 and bound <= epsilon


def study_is_whole(program, folder):
    """`doc2s reproduce guarantee`: its figure, and the kept hashes where the same is run."""
    done = subprocess.run([program, "reproduce", "guarantee", "--out", f"{folder}/study"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    read = json.loads(Path(folder, "study/guarantee/guarantee.json").read_text())
    kept = {(point["method"], point["epsilon"]): point["runs"][0]["trajectory"] for point in json.loads(KEPT.read_text())["points"] if point["runs"]}
    runs = [(point, point["runs"][0]) for point in read["points"] if point["runs"] and point["epsilon"]]
    print(done.stdout, end="")
    return (len(read["points"]) == 5 and len(runs) == 2 and "</svg>" in Path(folder, "study/guarantee/bound-bytes.svg").read_text()
            and all(run["bound"] <= point["epsilon"] and run["trajectory"] == kept[point["method"], point["epsilon"]] for point, run in runs))


def main():
    program, config = sys.argv[1:3]
    listed = subprocess.run([program, "data", "check", "a9a"], capture_output=True, text=True)
    if listed.returncode != 0:
        print(f"skipped: {listed.stderr.strip() or listed.stdout.strip()}")
        return 77
    goals = ALL if "--all" in sys.argv[3:] else GOALS
    with tempfile.TemporaryDirectory(prefix="doc2s-guarantee-") as folder:
        held = [guarantee(program, config, folder, split, method, epsilon)
                for split in SPLITS for method, epsilons in goals.items() for epsilon in epsilons]
        held.append(study_is_whole(program, folder))
    return 0 if all(held) else 1


if __name__ == "__main__":
    sys.exit(main())
