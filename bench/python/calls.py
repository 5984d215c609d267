#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What Python costs: a call of the user's function, and a whole run against the command line.

./doc2s python bench/python/calls.py [--quick] [--json FILE] [--program build/release/doc2s]
"""
from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Callable

import numpy as np

import doc2s
from doc2s import _core
from doc2s._problems import adapt

ROOT = Path(__file__).resolve().parents[2]
CLIENTS = 8


def constant(i: int, x: Any) -> float:
    return 0.5


class Filling:
    """A gradient that is filled in place, of which only one number changes: no work of d numbers."""
    clients, dimension = CLIENTS, 0

    def samples(self, i: int) -> int:
        return 1

    def value(self, i: int, batch: Any, x: Any, gradient: Any) -> float:
        gradient[0] = 1.0
        return 0.5


def seconds_from_python(call: Callable[[int], Any], calls: int) -> float:
    start = time.perf_counter()
    for k in range(calls):
        call(k % CLIENTS)
    return time.perf_counter() - start


def overhead(problem: Any, dimension: int, calls: int, turns: int) -> dict[str, float]:
    """Microseconds a call: from Python, from the engine, the median of their differences over turns."""
    filling = isinstance(problem, Filling)
    if filling:
        problem.dimension = dimension
    adapted = adapt(problem, CLIENTS, dimension, None)
    x, gradient, batch = np.zeros(dimension), np.zeros(dimension), np.zeros(1, dtype=np.int64)
    plain = (lambda i: problem.value(i, batch, x, gradient)) if filling else (lambda i: problem(i, x))
    pairs = []
    for _ in range(turns):
        by_hand = seconds_from_python(plain, calls)
        pairs.append((by_hand, _core.seconds_of_calls(adapted, calls, filling)))
    median = sorted(pairs, key=lambda pair: pair[1] - pair[0])[len(pairs) // 2]
    python, engine = (1e6 * seconds / calls for seconds in median)
    return {"python": python, "engine": engine, "overhead": engine - python}


def run_ratio(program: str, config: Path, iterations: int, turns: int) -> dict[str, float]:
    """Seconds of one run by doc2s.run over those by the command line, in turns; the hashes must be equal."""
    changes = {"method.K": iterations // 100, "run.budget.samples": iterations, "run.record_every": iterations}
    sets = [word for key, value in changes.items() for word in ("--set", f"{key}={value}")]
    ratios = []
    for turn in range(turns):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([program, "run", str(config), *sets, "--out", folder + "/run", "--quiet"], check=True,
                           stdout=subprocess.DEVNULL)
            there = json.loads(Path(folder, "run", "summary.json").read_text())
        here = doc2s.run(config, set=changes).summary
        if here["trajectory"] != there["trajectory"]:
            sys.exit(f"the hashes differ: {here['trajectory']} in Python, {there['trajectory']} by {program}")
        ratios.append(here["seconds"] / there["seconds"])
    return {"ratio": sorted(ratios)[len(ratios) // 2], "lowest": min(ratios), "highest": max(ratios)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a tenth of the calls")
    parser.add_argument("--json", metavar="FILE", help="also write the figures")
    parser.add_argument("--program", default=str(ROOT / "build/release/doc2s"), help="the command line's program")
    parser.add_argument("--config", default=str(ROOT / "configs/a9a-ring.toml"), help="of the whole run")
    args = parser.parse_args()
    share = 10 if args.quick else 1
    figures: dict[str, dict[str, float]] = {}
    for dimension in (100, 10**6):
        figures[f"f(i, x), d = {dimension}"] = overhead(constant, dimension, 200_000 // share, 5)
        figures[f"value with gradient in place, d = {dimension}"] = overhead(Filling(), dimension, 200_000 // share, 5)
    for name, one in figures.items():
        print(f"{name:<45} {one['python']:6.2f} µs from Python, {one['engine']:6.2f} µs from the engine, "
              f"overhead {one['overhead']:5.2f} µs")
    if Path(args.program).exists():
        ratio = run_ratio(args.program, Path(args.config), 1_000_000 // share, 3 if args.quick else 7)
        figures["run"] = ratio
        print(f"doc2s.run over the command line: {ratio['ratio']:.3f} ({ratio['lowest']:.3f} to {ratio['highest']:.3f})")
    if args.json:
        Path(args.json).write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
