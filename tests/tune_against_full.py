#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures what `doc2s tune` loses and saves against running every trial to the end (minutes, so no part of ./test all).

tune_against_full.py PROGRAM CONFIG.toml DIR [--samples 64000] [--trials 64] [--jobs 2]

Tunes, then runs all trials to the whole budget, and prints the samples spent and the best score of both; goes on in DIR.
Exits 1 where more than a third is spent or the score is more than 2 % worse.
"""
import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tomllib


def last_tenth(directory, samples):
    records = [json.loads(line) for line in (directory / "metrics.jsonl").read_text().splitlines()]
    taken = [one["loss_mean_point"] for one in records if 0.9 * samples < one["samples"] <= samples]
    return sum(taken) / len(taken)


def full_run(args, told, number):
    """The trial's score over the whole budget; nothing where it diverged."""
    out, (method,) = args.folder / f"full-{number:03}", told["methods"]
    if not (out / "summary.json").exists():
        record_every = tomllib.loads((args.folder / "tune" / method["seeds"][1]["directory"] / "config.toml").read_text())
        values = {"seed": told["trial_seed"], **method["trials"][number]["values"], "run.record_every": record_every["run"]["record_every"]}
        changes = [word for key, value in values.items() for word in ("--set", f"{key}={value}")]
        subprocess.run([args.program, "run", args.folder / "tune/tuned.toml", "--quiet", "--force", "--out", out,
                        "--set", "run.threads=1", *changes], stdout=subprocess.DEVNULL, check=False)
    finished = json.loads((out / "summary.json").read_text())["status"] == "finished"
    return last_tenth(out, args.samples) if finished else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("config")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--samples", type=int, default=64000)
    parser.add_argument("--trials", type=int, default=64)
    parser.add_argument("--jobs", type=int, default=2)
    args = parser.parse_args()
    subprocess.run([args.program, "tune", args.config, "--budget", f"samples={args.samples}", "--trials", str(args.trials),
                    "--jobs", str(args.jobs), "--quiet", "--out", args.folder / "tune"], check=True)
    told = json.loads((args.folder / "tune/tune.json").read_text())
    method, = told["methods"]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        full = list(pool.map(lambda number: full_run(args, told, number), range(args.trials)))
    ranking = sorted((score, number) for number, score in enumerate(full) if score is not None)
    tuned, share = method["trials"][method["best"]]["score"], method["spent"] / (args.trials * args.samples)
    rank = [number for _, number in ranking].index(method["best"]) + 1
    print(f"spent {method['spent']:,.0f} samples, {100 * share:.1f} % of {args.trials} full runs")
    print(f"tuned {tuned:.5f} with trial {method['best']} {method['values']}, rank {rank} of {args.trials}")
    print(f"best  {ranking[0][0]:.5f} with trial {ranking[0][1]} {method['trials'][ranking[0][1]]['values']}")
    print(f"worse by {100 * (tuned / ranking[0][0] - 1):.2f} %")
    return int(share > 1 / 3 or tuned > 1.02 * ranking[0][0])


if __name__ == "__main__":
    sys.exit(main())
