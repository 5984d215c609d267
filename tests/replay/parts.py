# SPDX-License-Identifier: Apache-2.0
"""What the replays of all methods are made of; the iterations of DOC2S and ME-DOL are those that `doc2s bench` times
(bench/a9a/numpy_loop.py)."""
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench" / "a9a"))
from numpy_loop import TINY, clip_rows, doc2s_iteration, fast_gossip, me_dol_iteration, phi_of  # noqa: F401

TOLERANCE = {"float64": 1e-10, "float32": 1e-5}
DIFFERENCE_FLOOR = {"float64": 1e-3, "float32": 0.05}  # the `a` in replay.py
CANCELLATION = {"float64": 0.0, "float32": 0.1}  # of a sum's terms: where they cancel further, what is left is judged against them
BYTES = {"float64": 8, "float32": 4}


class CannotReplay(Exception):
    pass
