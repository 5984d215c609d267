# SPDX-License-Identifier: Apache-2.0
"""What the replays of all methods are made of; the iterations of DOC2S and ME-DOL are those that `doc2s bench` times
(bench/a9a/numpy_loop.py)."""
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench" / "a9a"))
from numpy_loop import TINY, clip_rows, doc2s_iteration, fast_gossip, me_dol_iteration, phi_of  # noqa: F401

TOLERANCE = {"float64": 1e-10, "float32": 1e-5}
DIFFERENCE_FLOOR = {"float64": 1e-3, "float32": 0.05}  # the `a` in replay.py
CANCELLATION = {"float64": 0.0, "float32": 0.1}  # of a sum's terms: where they cancel further, what is left is judged against them
BYTES = {"float64": 8, "float32": 4}


class CannotReplay(Exception):
    pass


def interval_gossip(P, R):
    """Q and d such that R rounds of chebyshev-interval are z^(r+1) = (1 + d_r) Q z^(r) - d_r z^(r-1): Q is l(P) / l(1) with
    l from [lambda_min, lambda_2] to [-1, 1], and d_r = T_(r-1)(l(1)) / T_(r+1)(l(1))."""
    values = np.linalg.eigvalsh(P)[:-1] if len(P) > 1 else np.zeros(1)
    low, high = values[0], values[-1]
    Q = np.eye(len(P)) + 2 / (2 - low - high) * (P - np.eye(len(P)))
    if high - low < 1e-12:
        return Q, np.zeros(R)
    theta, r = np.arccosh((2 - low - high) / (high - low)), np.arange(R)
    return Q, np.where(r == 0, 0, np.cosh((r - 1) * theta) / np.cosh((r + 1) * theta))
