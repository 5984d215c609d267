# SPDX-License-Identifier: Apache-2.0
"""Any user's problem → what the engine calls."""
from __future__ import annotations

import dataclasses
import inspect
import operator
from typing import Any, Callable

import numpy as np

from . import _core

_OPTIONAL = ("loss", "start", "accuracy", "test_rmse", "lipschitz", "lower_bound", "state")


@dataclasses.dataclass
class Adapted:
    """Each function of a problem, None where the user has none; python/core/python_problem.cpp reads it."""
    clients: int
    dimension: int
    precision: str
    samples: list[int]
    form: str  # "function": f(i, x); "value": value(i, batch, x); "filling": value(i, batch, x, gradient)
    value: Callable[..., Any]
    has_gradient: bool = False
    loss: Callable[..., Any] | None = None
    start: Callable[..., Any] | None = None
    accuracy: Callable[..., Any] | None = None
    test_rmse: Callable[..., Any] | None = None
    lipschitz: Callable[..., Any] | None = None
    lower_bound: Callable[..., Any] | None = None
    state: Callable[..., Any] | None = None


def adapt(problem: Any, clients: int | None, dimension: int | None, x0: Any) -> Adapted:
    if hasattr(problem, "value") and hasattr(problem, "samples"):
        adapted = _of_object(problem, clients, dimension)
    elif callable(problem):
        adapted = _of_function(problem, clients, dimension, x0)
    else:
        raise TypeError(f"a problem cannot be made from {type(problem).__name__}; give a function f(i, x), or an object "
                        "with clients, dimension, samples(i) and value(i, batch, x)")
    if x0 is not None:
        adapted.start = _fixed_start(x0, adapted.dimension)
    given = getattr(problem, "has_gradient", None)
    adapted.has_gradient = _probe(adapted) if given is None else bool(given() if callable(given) else given)
    return adapted


def _of_object(problem: Any, clients: int | None, dimension: int | None) -> Adapted:
    n = _agreed("clients", getattr(problem, "clients", None), clients)
    d = _agreed("dimension", getattr(problem, "dimension", None), dimension)
    form = "filling" if "gradient" in _parameters(problem.value) else "value"
    adapted = Adapted(n, d, _precision(problem), [_count(problem.samples(i), i) for i in range(n)], form, problem.value)
    for name in _OPTIONAL:
        setattr(adapted, name, getattr(problem, name, None))
    return adapted


def _of_function(function: Callable[..., Any], clients: int | None, dimension: int | None, x0: Any) -> Adapted:
    if dimension is None and x0 is not None:
        dimension = int(np.size(x0))
    n, d = _agreed("clients", None, clients), _agreed("dimension", None, dimension)
    return Adapted(n, d, "float64", [1] * n, "function", function)


def _agreed(name: str, own: Any, given: int | None) -> int:
    """The problem's number, or the keyword's where it has none."""
    own = own() if callable(own) else own
    if own is None and given is None:
        raise TypeError(f"{name}= is missing: a function does not tell; minimize(f, clients=8, dimension=20)")
    try:
        number = operator.index(given if own is None else own)
    except TypeError:
        raise TypeError(f"{name} must be a whole number, not {given if own is None else own!r}") from None
    if given is not None and number != given:
        raise _core.Error(f"{name} is {given}, and the problem's is {number}; leave it out")
    if number < 1:
        raise _core.Error(f"{name} is {number}, and must be at least 1")
    return number


def _count(samples: Any, client: int) -> int:
    try:
        number = operator.index(samples)
    except TypeError:
        raise TypeError(f"samples({client}) returned {samples!r}, which is no whole number") from None
    if number < 0:
        raise _core.Error(f"samples({client}) returned {number}; it is the number of the client's samples")
    return number


def _precision(problem: Any) -> str:
    precision = str(getattr(problem, "precision", "float64"))
    if precision not in ("float32", "float64"):
        raise _core.Error(f'precision is "{precision}", and must be "float32" or "float64"')
    return precision


def _parameters(function: Callable[..., Any]) -> list[str]:
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):  # of a builtin
        return []


def _fixed_start(x0: Any, dimension: int) -> Callable[[int], Any]:
    point = np.array(x0, dtype=np.float64)
    if point.shape != (dimension,):
        raise _core.Error(f"x0 has the shape {point.shape}, and x has ({dimension},)")
    if not np.isfinite(point).all():
        raise _core.Error("x0 holds a number that is not finite")
    return lambda seed: point


def _probe(adapted: Adapted) -> bool:
    """Whether a call returns a gradient: one call at the start tells."""
    if adapted.form == "filling":
        return True
    client = _core.first_client_here(adapted.clients)
    if adapted.samples[client] == 0:
        raise _core.Error(f"samples({client}) returned 0; each client has at least one sample")
    x = np.zeros(adapted.dimension, dtype=adapted.precision)
    if adapted.start is not None:
        x[:] = adapted.start(0)
    x.flags.writeable = False
    batch = np.zeros(1, dtype=np.int64)
    result = adapted.value(client, x) if adapted.form == "function" else adapted.value(client, batch, x)
    return isinstance(result, (tuple, list))
