# SPDX-License-Identifier: Apache-2.0
"""python3 -m lab page [--only WORD…]    make the page's studies, or go on with them
python3 -m lab show [--only WORD…]    their tables, as far as they are kept
python3 -m lab replay [--only WORD…]  a random run of each kept study, to its hash"""
import argparse
import json
import sys
import tempfile
from pathlib import Path

from .design import SPLITS, TASKS
from .runs import Runs
from .study import Study, replay

PROJECT = Path(__file__).resolve().parents[1]
CONFIGS = PROJECT / "configs/reproduce"
NAMES = [f"{task}-{split}-first" for task in TASKS for split in SPLITS]


def show(read):
    print(f"{read['title']}{'' if read['complete'] else ' (not complete)'}; " + ", ".join(f"{key} {value:,}" for key, value in read["budgets"].items()))
    for one in read["figures"]:
        figures = [f"{measure} {mean_and_range(values)}" for measure, values in one["by_seed"].items()]
        settings = ", ".join(f"{key.split('.')[1]} {value}" for key, value in one["set"].items())
        print(f"  {one['axis']:21}{one['title']:18}" + "; ".join(figures) + f"; {settings}" + (", neighbours untried" if one["untried_neighbours"] else ""))


def mean_and_range(values):
    if None in values:
        return "diverged"
    return f"{sum(values) / len(values):.3f} ({min(values):.3f}–{max(values):.3f})"


def main():
    parser = argparse.ArgumentParser(prog="lab", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=["page", "show", "replay"])
    parser.add_argument("--only", nargs="*", default=[""], help="studies whose names begin so")
    parser.add_argument("--program", default=PROJECT / "doc2s")
    parser.add_argument("--out", default="runs/page", help="folder of the runs")
    parser.add_argument("--kept", type=Path, default=PROJECT / "docs/results/page", help="folder of what is kept")
    parser.add_argument("--seconds", type=float, default=60, help="that a replayed run may have taken")
    given = parser.parse_args()
    names = [name for name in NAMES if name.startswith(tuple(given.only))]
    if given.command == "page":
        for name in names:
            Study(name, Runs(given.program, given.out), given.kept, CONFIGS).make()
        return 0
    kept = [path for path in (given.kept / f"{name}.json" for name in names) if path.exists()]
    if given.command == "show":
        for path in kept:
            show(json.loads(path.read_text()))
        return 0
    with tempfile.TemporaryDirectory() as folder:
        same = [replay(path, given.program, CONFIGS, folder, given.seconds) for path in kept]
    return 0 if all(same) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
