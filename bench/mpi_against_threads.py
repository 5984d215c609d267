#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The time of DOC²S on 2 MPI ranks relative to one process with 2 threads, n = 16, d = 200,000, R = 2.

mpi_against_threads.py PROGRAM [--pairs 5] [--iterations 200] [--json]

Both run the same config, interleaved, and must end with the same trajectory hash; the best time of each counts. The time is
that of the method's steps, as reported by the program.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

CONFIG = """
precision = "float32"
problem = {{ name = "svm", size = 3200, dimension = {d}, sparsity = 0.0005 }}
clients = {{ count = 16 }}
network = {{ graph = "ring", neighbours = 3 }}
method = {{ name = "doc2s", R = 2, K = 1, T = {iterations} }}
run = {{ record_every = 1000000 }}
"""


def seconds_and_hash(words, folder, name):
    out = os.path.join(folder, name)
    subprocess.run(words + ["run", os.path.join(folder, "config.toml"), "--out", out, "--force", "--quiet"] +
                   (["--set", "run.threads=2"] if name == "threads" else ["--set", "run.threads=1"]),
                   check=True, stdout=subprocess.DEVNULL)
    with open(os.path.join(out, "summary.json"), encoding="utf-8") as file:
        summary = json.load(file)
    return summary["seconds"], summary["trajectory"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--iterations", type=int, default=200)
    parser.add_argument("--json", action="store_true")
    words = parser.parse_args()
    mpirun = ["mpirun", "--oversubscribe", "-n", "2"] + (["--allow-run-as-root"] if os.geteuid() == 0 else [])
    ways = {"threads": [words.program], "ranks": mpirun + [words.program]}
    best = {}
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "config.toml"), "w", encoding="utf-8") as file:
            file.write(CONFIG.format(d=200_000, iterations=words.iterations))
        hashes = set()
        for _ in range(words.pairs):
            for name, way in ways.items():
                seconds, trajectory = seconds_and_hash(way, folder, name)
                hashes.add(trajectory)
                best[name] = min(seconds, best.get(name, seconds))
    if len(hashes) != 1:
        sys.exit(f"the runs went different ways: {sorted(hashes)}")
    result = {"threads_seconds": best["threads"], "ranks_seconds": best["ranks"], "ratio": best["ranks"] / best["threads"]}
    print(json.dumps(result) if words.json else
          f"2 threads {best['threads']:.3f} s, 2 ranks {best['ranks']:.3f} s, ratio {result['ratio']:.2f}")


if __name__ == "__main__":
    main()
