# SPDX-License-Identifier: Apache-2.0
"""Ten thousand small runs: memory stays flat. And what is thrown away is freed."""
import gc
import weakref

import numpy as np

import doc2s
from problems import Regression, distance


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def small(k):
    kind = k % 4
    if kind == 0:
        doc2s.minimize(distance, clients=3, dimension=50, K=1, T=2, threads=1)
    elif kind == 1:
        doc2s.minimize(Regression(samples=2), K=1, T=2, threads=1, callback=lambda record: None)
    elif kind == 2:
        try:
            doc2s.minimize(lambda i, x: 1 / 0, clients=3, dimension=50, K=1, threads=1)
        except ZeroDivisionError:
            pass
    else:
        try:
            doc2s.minimize(distance, clients=3, dimension=50, eta=-1)
        except doc2s.Error:
            pass


def test_memory_is_flat():
    for k in range(2000):
        small(k)
    gc.collect()
    before = resident()
    for k in range(10_000):
        small(k)
    gc.collect()
    grown = resident() - before
    assert grown < 4e6, f"{grown / 1e6:.1f} MB more after 10,000 runs"


def test_results_and_problems_are_freed():
    problem = Regression()
    r = doc2s.minimize(problem, K=2)
    x, watched, of_problem = r.x, weakref.ref(r), weakref.ref(problem)
    del r, problem
    gc.collect()
    assert watched() is None and of_problem() is None
    assert np.isfinite(x).all()  # an array outlives its result
