# SPDX-License-Identifier: Apache-2.0
"""One panel of a figure: curves of a measure against an axis, ticks in the axis's unit."""
from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Mapping, Sequence

import numpy as np

from . import _core
from ._numbers import quantity, scaled

if TYPE_CHECKING:
    from ._result import Result

COLOURS = ("#0072b2", "#d55e00", "#008a64", "#b8568f", "#c98300", "#3d9bd6", "#30343a")
DASHES = ("-", "--", ":", "-.")  # another one for each turn through the colours
_MARKED = 30  # points are marked where a curve has no more than this

Log = bool | str | None  # True or "y", "x", "xy", False; None: for norms
Curves = Sequence[tuple[str, "Result"]]


def panel(ax: Any, curves: Curves, y: str, x: str, log: Log, line: Mapping[str, Any]) -> None:
    across, up = (quantity(name, curves[0][1].history) for name in (x, y))
    for k, (label, result) in enumerate(curves):
        _curve(ax, result, x, y, {"label": label, **_look(k), **line})
    logarithmic = _logarithmic(log, up["format"] == "norm" and _positive(curves, y))
    if "y" in logarithmic:
        ax.set_yscale("log", nonpositive="mask")
    elif up["format"] == "loss":
        _end_at_twice_the_start(ax, curves, y)
    if "x" in logarithmic:
        ax.set_xscale("log", nonpositive="mask")
    _ticks(ax.xaxis, across["format"], "x" in logarithmic)
    if up["format"] == "share":
        _ticks(ax.yaxis, "share", "y" in logarithmic)
    _dress(ax, across["title"], up["title"])


def _logarithmic(log: Log, by_itself: bool) -> str:
    """Which of the axes: "", "x", "y" or "xy"."""
    if log not in (None, False, True, "x", "y", "xy"):
        raise _core.Error(f'log is {log!r}, and must be True, False, "x", "y" or "xy"')
    if isinstance(log, str):
        return log
    return "y" if log or (log is None and by_itself) else ""


def _dress(ax: Any, across: str, up: str) -> None:
    ax.set_xlabel(across)
    ax.set_ylabel(up)
    ax.grid(axis="y", alpha=0.3, linewidth=0.7)
    ax.set_axisbelow(True)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)


def _look(k: int) -> dict[str, Any]:
    return {"color": COLOURS[k % len(COLOURS)], "linestyle": DASHES[k // len(COLOURS) % len(DASHES)], "linewidth": 1.8}


def _curve(ax: Any, result: Result, x: str, y: str, look: dict[str, Any]) -> None:
    """A curve leads from one record that has the measure to the next; where it is infinite, there is a gap."""
    for name in (x, y):
        quantity(name, result.history)
    places, values = (np.asarray(result.history[name], dtype=np.float64) for name in (x, y))
    there = ~np.isnan(values)
    if there.sum() <= _MARKED and "marker" not in look:
        look = {**look, "marker": "o", "markersize": 3}
    ax.plot(places[there], np.where(np.isfinite(values), values, np.nan)[there], **look)


def _values(curves: Curves, y: str) -> list[Any]:
    return [values[np.isfinite(values)] for _, result in curves
            if len(values := np.asarray(result.history.get(y, []), dtype=np.float64))]


def _positive(curves: Curves, y: str) -> bool:
    return any((values > 0).any() for values in _values(curves, y))


def _end_at_twice_the_start(ax: Any, curves: Curves, y: str) -> None:
    """A run that diverged would flatten all others, here as on the report's page."""
    values = [one for one in _values(curves, y) if len(one)]
    if not values:
        return
    low, high = min(one.min() for one in values), max(one.max() for one in values)
    limit = 2 * max(one[0] for one in values)
    if max(low, 0) < limit < high:
        ax.set_ylim(low - 0.05 * (limit - low), limit)


def _ticks(axis: Any, form: str, logarithmic: bool) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    if form in ("count", "bytes", "share"):
        axis.set_major_formatter(FuncFormatter(functools.partial(_tick_text, form)))
    if form in ("count", "bytes") and not logarithmic:
        axis.set_major_locator(MaxNLocator(5, integer=True))


def _tick_text(form: str, value: float, _: int | None) -> str:  # a figure with a lambda could not be pickled
    return tick(value, form)


def tick(value: float, form: str) -> str:
    """20,000 · 1.5 M · 3 MB · 25 %"""
    if form == "share":
        return f"{100 * value:.4g} %"
    if form == "bytes":
        size, letter = scaled(value)
        return f"{size:.4g} {letter}B"
    size, letter = scaled(value, base=1000)
    return f"{size:.4g} {letter}" if letter else f"{size:,.0f}"
