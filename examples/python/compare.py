# SPDX-License-Identifier: Apache-2.0
"""All methods on one problem, each with the same number of samples: a table, and a picture with the price on four axes.

    python3 examples/python/compare.py [--out compare.png] [--samples 32000] [--seed 1]

Methods take gradients where they can; dgfm-plus has values alone, and pays for it. Equal samples are not equal costs:
the table also has rounds and bytes. One seed shows how to compare; a ranking takes several.
"""
import argparse
from typing import Any

import doc2s
from logistic import Hospitals

# For each method the best of 16 settings, around what a coarse scan had found, after 32,000 samples with seed 2.
# For other problems look again: doc2s.explain("eta"), doc2s.tune for a config.
PARAMETERS: dict[str, dict[str, Any]] = {
    "doc2s": {"R": 8, "eta": 0.01, "D": 0.004},
    "doc2s-travel": {"eta": 0.01, "D": 0.004},
    "me-dol": {"eta": 0.3, "D": 0.04},
    "token": {"eta": 0.013},
    "dgfm": {"eta": 0.13},
    "dgfm-plus": {"eta": 0.079, "delta_prime": 0.01},
    "dsgd": {"eta": 0.13},
}


def compared(samples: int, seed: int) -> list[doc2s.Result]:
    problem, results = Hospitals(), []
    for method in doc2s.methods():
        # Long enough for any budget: either K epochs of T iterations, or iterations.
        has_epochs = any(option["name"] == "K" for option in method["options"])
        length: dict[str, Any] = {"K": 10**6, "T": 100} if has_epochs else {"iterations": 10**8}
        results.append(doc2s.minimize(
            problem, graph="ring", method=method["name"], order="first" if "first" in method["orders"] else "zeroth",
            seed=seed, batch=4, record_every=20, budget={"samples": samples},
            **length, **PARAMETERS.get(method["name"], {})))
    return results


def print_table(results: list[doc2s.Result]) -> None:
    print("method             order      loss  samples  comp. rounds  comm. rounds    MB sent")
    for r in sorted(results, key=lambda r: float(r.history["loss_mean_point"][-1])):
        s = r.summary
        print(f"{s['label']:<18} {s['order']:<7} {s['loss_mean_point']:7.4f} {s['samples']:8,} "
              f"{s['computation_rounds']:13,} {s['communication_rounds']:13,} {s['bytes'] / 1e6:10.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default="compare.png", help="file for the picture; default: compare.png")
    parser.add_argument("--samples", type=int, default=32000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()

    results = compared(arguments.samples, arguments.seed)
    print_table(results)
    # x=None: against samples, communication rounds, bytes and seconds; log="x", as they are of other sizes.
    doc2s.plot(results, x=None, log="x").savefig(arguments.out)
    print(f"picture: {arguments.out}")


if __name__ == "__main__":
    main()
