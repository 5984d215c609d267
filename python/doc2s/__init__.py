# SPDX-License-Identifier: Apache-2.0
"""Minimise f(x) = (1/n) Σ f_i(x) together, without a server: each client i has its own data.

    import doc2s
    r = doc2s.minimize(lambda i, x: abs(x - i).sum(), clients=8, dimension=2, graph="ring", K=2000)
    r.x, r.history["loss_mean_point"], r.plot()

minimize   your own problem: a function, an object, or doc2s.torch.Problem
run        a config of the command line
load       the result of a run that left files
methods, explain, spectrum, plan, guarantee, certify, tune, sweep   what the commands of these names do
plot       several results in one figure
"""
from typing import Any

from ._ask import certify, explain, guarantee, methods, plan, spectrum, sweep, tune
from ._core import Diverged, Error, MachineError, __version__
from ._files import load
from ._minimize import minimize, run
from ._plot import compare_plot as plot
from ._result import Result

__all__ = ["minimize", "run", "load", "Result", "plot", "methods", "explain", "spectrum", "plan", "guarantee", "certify",
           "tune", "sweep", "Error", "MachineError", "Diverged", "__version__"]


def __getattr__(name: str) -> Any:
    """doc2s.torch is imported when it is first asked for."""
    if name == "torch":
        import importlib

        return importlib.import_module(".torch", __name__)
    raise AttributeError(f"module 'doc2s' has no attribute '{name}'")
