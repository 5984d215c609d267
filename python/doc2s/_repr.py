# SPDX-License-Identifier: Apache-2.0
"""A Result as text and as a small card in a notebook."""
from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np

from ._numbers import number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._result import Result

_WIDTH, _HEIGHT, _POINTS = 260, 84, 200  # of the curve: pixels, and vertices at most


def _losses(result: Result) -> NDArray[np.float64]:
    return np.asarray(result.history.get("loss_mean_point", []), dtype=np.float64)


def _loss_text(result: Result) -> str:
    losses = _losses(result)
    if not len(losses):
        return ""
    first, last = (number(float(losses[k]), "loss") for k in (0, -1))
    return f"{first} → {last}" if len(losses) > 1 else last


def _method_text(result: Result) -> str:
    summary = result.summary
    label, method = str(summary.get("label", "")), str(summary.get("method", ""))
    parts = [label or method, f"({method})" if label and method and label != method else ""]
    order = f", {summary['order']} order" if "order" in summary else ""
    return " ".join(filter(None, parts)) + order


def _rows(result: Result) -> list[tuple[str, str]]:
    summary = result.summary
    stopped = str(summary.get("stopped_by", ""))
    rows = [("status", result.status + (f" ({stopped})" if stopped else "")), ("method", _method_text(result))]
    rows += [(key, number(summary[key], "count")) for key in ("iterations", "samples") if key in summary]
    rows += [("loss", _loss_text(result)), ("hash", str(summary.get("trajectory", "")))]
    rows += [("files", result.directory or "")]
    return [(name, value) for name, value in rows if value]


def as_text(result: Result) -> str:
    x = np.array2string(result.x, precision=4, threshold=6, edgeitems=2)
    rows = [*_rows(result), ("x", f"{x}, {len(result.x):,} numbers"), *(("note", note) for note in result.notes)]
    return "\n".join(f"{name:>10}: {value}" for name, value in rows)


def as_html(result: Result) -> str:
    cell = "text-align:left;border:0;padding:1px 14px 1px 0;background:none;vertical-align:top;white-space:normal;"
    rows = "".join(
        f'<tr style="background:none"><td style="{cell}opacity:.65">{escape(name)}</td>'
        f'<td style="{cell}font-variant-numeric:tabular-nums">{_value_html(name, value)}</td></tr>'
        for name, value in _rows(result))
    notes = "".join(f'<div style="opacity:.75;margin-top:3px">Note: {escape(note)}</div>' for note in result.notes)
    return (f'<div style="font-size:13px;line-height:1.45">'
            f'<div style="display:flex;flex-wrap:wrap;gap:8px 28px;align-items:center">'
            f'<table style="border:0;border-collapse:collapse;margin:0;color:inherit;font-size:inherit">{rows}</table>'
            f"{_curve(result)}</div>{notes}</div>")


def _value_html(name: str, value: str) -> str:
    if name not in ("hash", "files"):
        return escape(value)
    return f'<code style="background:none;color:inherit;padding:0">{escape(value)}</code>'


def _curve(result: Result) -> str:
    """The loss against samples as SVG, readable on light and dark pages."""
    losses = _losses(result)
    places = np.asarray(result.history.get("samples", np.arange(len(losses))), dtype=np.float64)
    finite = np.isfinite(losses)
    if finite.sum() < 2 or places[finite][-1] <= places[finite][0]:
        return ""
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in _pixels(places[finite], losses[finite]))
    text = f'fill="currentColor" fill-opacity=".65" font-size="11" font-family="sans-serif" y="{_HEIGHT - 2}"'
    base = _HEIGHT - 16.5
    return (f'<svg width="{_WIDTH}" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
            'aria-label="loss against samples">'
            f'<path d="M0 {base}H{_WIDTH}" stroke="currentColor" stroke-opacity=".3"/>'
            f'<polyline points="{points}" fill="none" stroke="#2f8fd0" stroke-width="1.8" stroke-linejoin="round"/>'
            f'<text {text}>loss against samples</text>'
            f'<text {text} x="{_WIDTH}" text-anchor="end">{number(float(places[finite][-1]), "count")}</text></svg>')


def _pixels(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    keep = np.unique(np.linspace(0, len(x) - 1, min(len(x), _POINTS)).round().astype(np.int64))
    x, y = x[keep], y[keep]
    top = y.max() if y[0] <= 0 else min(y.max(), 2 * y[0])  # a run that diverged would flatten the rest
    span = top - y.min() or 1.0
    across = (x - x[0]) / (x[-1] - x[0]) * _WIDTH
    down = 3 + (top - np.minimum(y, top)) / span * (_HEIGHT - 22)
    return np.column_stack([across, down])
