# SPDX-License-Identifier: Apache-2.0
"""Eight sites have a simulation each, of which only values are known: no gradient, no formula.

    python3 examples/python/black_box.py [--out runs/black_box]

With --out the run has files, a report, and goes on after a kill when it is started again.
"""
import argparse

import numpy as np
from numpy.typing import NDArray

import doc2s

SITES, PARAMETERS = 8, 20


def simulate(site: int, x: NDArray[np.float64]) -> float:
    """Nonsmooth (|·|) and nonconvex (ripples); each site would like another x."""
    off = x - 2 - np.sin(site + np.arange(PARAMETERS))
    return float(np.sum(np.abs(off) + 0.1 * np.cos(5 * off)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", help="directory for the run's files")
    out: str | None = parser.parse_args().out

    # The state travels from site to site around a ring; each visit asks for two values of that site's function.
    result = doc2s.minimize(simulate, clients=SITES, dimension=PARAMETERS, graph="ring", method="doc2s-travel",
                            K=200, T=100, D=0.005, eta=0.0025, delta_prime=0.01,  # doc2s.explain("D") tells what D is
                            record_every=200, checkpoint_every="500", out=out, resume=out is not None)
    if result.rank > 0:  # under mpirun the first process tells
        return
    print(result)
    print(f"the sites' mean falls from {result.history['loss_mean_point'][0]:.3f} "
          f"to {result.history['loss_mean_point'][-1]:.3f} for {result.summary['evaluations']:,} calls of simulate()")
    if out:
        result.report(f"{out}/report.html", force=True)
        print(f"curves: {out}/report.html")


if __name__ == "__main__":
    main()
