# SPDX-License-Identifier: Apache-2.0
"""How far work is: for a run tqdm's bar where it is installed, else one renewed line on stderr."""
from __future__ import annotations

import contextlib
import math
import os
import sys
import time
import warnings
from typing import Any, Callable, Iterator, Mapping, Protocol

_DELAY = 0.5  # seconds before anything is shown: short runs show nothing


class Progress(Protocol):
    def __call__(self, share: float, record: Mapping[str, Any]) -> None: ...

    def close(self) -> None: ...


def bar(wanted: bool | None, label: str) -> Progress | None:
    """wanted=None: shown where stderr is a terminal, and in a notebook."""
    if not (_is_seen() if wanted is None else wanted) or sys.stderr is None:
        return None
    make = _tqdm()
    return _Line(label) if make is None else _Bar(make, label)


@contextlib.contextmanager
def line(news: Callable[[str], Any] | None) -> Iterator[Callable[[str], Any] | None]:
    """Takes texts that say how far it is, for as long as it lasts; None where the caller has news, or nobody looks."""
    if news is not None or not _is_seen():
        yield None
        return
    shown, start = _Renewed(), time.monotonic()
    try:
        yield lambda text: shown.put(text) if time.monotonic() - start >= _DELAY else None
    finally:
        shown.close()


def _is_seen() -> bool:
    return sys.stderr is not None and (_is_terminal() or in_notebook())


def _is_terminal() -> bool:
    try:
        return sys.stderr is not None and sys.stderr.isatty()
    except ValueError:  # it is closed
        return False


def in_notebook() -> bool:
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return shell is not None and hasattr(shell, "kernel")


def _tqdm() -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it tells those without ipywidgets, who get its plain bar
            from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm


def _columns() -> int | None:
    """None: tqdm finds out. A terminal that says 0 would be shown none of our words."""
    try:
        return None if os.get_terminal_size(sys.stderr.fileno()).columns else 80
    except (OSError, ValueError):  # no terminal
        return None


def _facts(record: Mapping[str, Any]) -> str:
    facts = [f"iteration {record['iteration']:,.0f}"] if "iteration" in record else []
    loss = record.get("loss_mean_point")
    if loss is not None and math.isfinite(loss):
        facts.append(f"loss {loss:.4f}")
    return "  ".join(facts)


class _Bar:
    def __init__(self, make: Any, label: str) -> None:
        self._make, self._label = make, label
        self._bar: Any = None

    def __call__(self, share: float, record: Mapping[str, Any]) -> None:
        if self._bar is None:  # a resumed run does not begin at 0
            self._bar = self._make(total=1.0, initial=share, desc=self._label, leave=False, delay=_DELAY, mininterval=0,
                                   miniters=0, ncols=_columns())
        self._bar.bar_format = "{desc} {percentage:3.0f}% {bar} " + _facts(record) + "  {remaining} left"
        self._bar.update(min(share, 1.0) - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()


class _Renewed:
    """Blanks cover what a longer text left; a notebook knows no escape sequences."""

    def __init__(self) -> None:
        self._width = 0

    def put(self, text: str) -> None:
        try:
            sys.stderr.write("\r" + text.ljust(self._width))
            sys.stderr.flush()
        except (OSError, ValueError):  # stderr is gone: the work goes on
            pass
        self._width = len(text)

    def close(self) -> None:
        if self._width:
            self.put("")
            self.put("")


class _Line:
    def __init__(self, label: str) -> None:
        self._label, self._start, self._first, self._shown = label, time.monotonic(), math.nan, _Renewed()

    def __call__(self, share: float, record: Mapping[str, Any]) -> None:
        elapsed = time.monotonic() - self._start
        if math.isnan(self._first):
            self._first = share
        if elapsed >= _DELAY:
            self._shown.put(f"{self._label} {100 * share:3.0f} %  {_facts(record)}  {self._left(share, elapsed)}".rstrip())

    def _left(self, share: float, elapsed: float) -> str:
        done = share - self._first
        if done <= 0:
            return ""
        seconds = elapsed * (1 - share) / done
        minutes = f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
        return (f"{seconds:.0f} s" if seconds < 90 else minutes) + " left"

    def close(self) -> None:
        self._shown.close()
