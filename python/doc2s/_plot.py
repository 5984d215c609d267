# SPDX-License-Identifier: Apache-2.0
"""Curves of one or several results with matplotlib, in the look of the report's page."""
from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, Iterable, Mapping, Sequence

import numpy as np

from . import _core
from ._numbers import quantity
from ._panel import Curves, Log, panel

if TYPE_CHECKING:
    from ._result import Result

AXES = ("samples", "communication_rounds", "bytes", "seconds")


def compare_plot(results: Result | Iterable[Result] | Mapping[str, Result], y: str = "loss_mean_point",
                 x: str | None = "samples", labels: Sequence[str] | None = None, ax: Any = None, *,
                 log: Log = None, **line: Any) -> Any:
    """Draws a measure of several results in one figure.

    results is a list, or a dict from labels to results. x=None: one panel each for samples, communication rounds,
    bytes and seconds. Returns the figure, or the axes where ax= gives them. The rest is as in Result.plot.
    """
    if isinstance(results, Mapping):
        labels, results = [*map(str, results)], results.values()
    from ._result import Result

    chosen = [results] if isinstance(results, Result) else list(results)
    if not chosen:
        raise _core.Error("there is no result to draw; give a list of results")
    if labels is not None and len(labels) != len(chosen):
        raise _core.Error(f"{len(labels)} labels for {len(chosen)} results; give one label a result")
    return draw([*zip(labels or _distinct(chosen), chosen)], y, x, ax, log, line)


def label_of(result: Result) -> str:
    return str(result.summary.get("label") or result.summary.get("method") or "run")


def _distinct(results: Sequence[Result]) -> list[str]:
    """Labels; those that several runs share get their seeds, or numbers where seeds are shared too."""
    labels = [label_of(result) for result in results]
    seeded = [f"{label}, seed {result.summary.get('seed', 0)}" if labels.count(label) > 1 else label
              for label, result in zip(labels, results)]
    return [f"{label} ({seeded[:k].count(label) + 1})" if seeded.count(label) > 1 else label
            for k, label in enumerate(seeded)]


def draw(curves: Curves, y: str, x: str | None, ax: Any, log: Log, line: Mapping[str, Any]) -> Any:
    """One panel into ax, or a new figure of one panel (x given) or of one for each of AXES that moves."""
    if ax is not None:
        panel(ax, curves, y, x or "samples", log, line)
        _legend(ax, curves)
        return ax
    against = [x] if x else _moving(curves)
    for name, (_, result) in itertools.product([y, *against], curves):
        quantity(name, result.history)  # a mistake leaves no empty figure behind
    figure, panels = _figure(len(against))
    for ax, axis in zip(panels, against):
        panel(ax, curves, y, axis, log, line)
        if not ax.get_subplotspec().is_first_col():
            ax.set_ylabel("")
    _legend(panels[0], curves)
    return figure


def _moving(curves: Curves) -> list[str]:
    """A run in which nobody talks has no rounds and no bytes."""
    moves = [axis for axis in AXES for _, result in curves if np.any(result.history.get(axis, 0))]
    return list(dict.fromkeys(moves)) or ["iteration"]


def _figure(panels: int) -> tuple[Any, list[Any]]:
    try:
        import matplotlib.pyplot as pyplot
    except ImportError as error:
        raise ImportError("plots need matplotlib (Debian: python3-matplotlib); history has the numbers") from error
    rows, columns = (2, 2) if panels == 4 else (1, panels)
    figure, grid = pyplot.subplots(rows, columns, squeeze=False, sharey=True, constrained_layout=True,
                                   figsize=(6.4 if panels == 1 else 4.4 * columns, 3.9 if rows == 1 else 5.8))
    if "inline" in pyplot.get_backend():
        figure._ipython_display_ = _Once(figure)
    return figure, [*grid.flat]


class _Once:
    """A notebook draws the value of a cell, and pyplot's open figures at its end: this one must not come twice."""

    def __init__(self, figure: Any) -> None:
        self.figure = figure

    def __call__(self) -> None:
        import matplotlib.pyplot as pyplot
        from IPython.display import display

        pyplot.close(self.figure)
        del self.figure._ipython_display_
        display(self.figure)


def _legend(ax: Any, curves: Curves) -> None:
    if len(curves) > 1:
        ax.legend(frameon=False, fontsize="small")
