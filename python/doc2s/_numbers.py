# SPDX-License-Identifier: Apache-2.0
"""Numbers and measures as people read them; names and titles come from the engine's list of quantities."""
from __future__ import annotations

import difflib
import functools
import math
from typing import Any, Iterable

from . import _core


@functools.lru_cache(maxsize=None)
def _known() -> dict[str, dict[str, Any]]:
    return {quantity["name"]: dict(quantity) for quantity in _core.quantities()}


def quantity(name: str, recorded: Iterable[str]) -> dict[str, Any]:
    """Title, format and kind of a measure that was recorded."""
    there = list(recorded)
    if name in there:
        return _known().get(name, {"name": name, "kind": "measure", "format": "loss", "title": name})
    near = difflib.get_close_matches(str(name), there, 1)
    hint = f'did you mean "{near[0]}"?' if near else f"it recorded {', '.join(there)}"
    raise _core.Error(f'this run recorded no "{name}"; {hint}' if there else "this run recorded nothing yet")


def scaled(value: float, base: int = 1) -> tuple[float, str]:
    """The value in thousands, millions, … and the letter for it; none below 1000 · base."""
    letters = ["", "k", "M", "G", "T", "P"]
    k = 0
    while abs(value) >= 999.5 * (base if k == 0 else 1) and k + 1 < len(letters):
        value, k = value / 1000, k + 1
    return value, letters[k]


def _short(value: float, digits: int) -> str:
    return f"{value:.{digits}g}" if abs(value) < 10**digits else f"{value:,.0f}"


def number(value: float, form: str) -> str:
    """A value of a quantity's format: 64,000 · 3.07 MB · 1.2 s · 0.6074 · 83.10 %."""
    if not math.isfinite(value):
        return "–" if math.isnan(value) else "∞" if value > 0 else "−∞"
    if form == "count":
        return f"{value:,.0f}"
    if form == "bytes":
        size, letter = scaled(value)
        return f"{size:.3g} {letter}B" if letter else f"{size:.0f} bytes"
    if form == "seconds":
        return _short(value, 3) + " s"
    if form == "share":
        return f"{100 * value:.2f} %"
    if form == "loss" and (1e-3 <= abs(value) < 1e4 or value == 0):
        return f"{value:.4f}"
    return f"{value:.4g}"
