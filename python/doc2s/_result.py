# SPDX-License-Identifier: Apache-2.0
"""What minimize() and run() return."""
from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence

import numpy as np

from . import _core, _options, _plot, _repr

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FIELDS = ("x", "outputs", "history", "summary", "status", "notes", "rank", "directory", "config")


class Result:
    """A run's outcome.

    x          what most people want: the mean of the last whole epoch, d numbers
    outputs    the method's output, one row a client (n × d); on ranks other than 0 there are no rows
    history    a NumPy array for each measure, one entry a record: history["loss_mean_point"], history["samples"], …
    summary    the keys of summary.json: counts, last and best measures, "trajectory" (the hash), …
    status     "finished", "interrupted" (it can be resumed) or "diverged"
    notes      what the engine found worth telling; those of the end are summary["notes"] too
    rank       0 but under mpirun
    directory  where the run's files are (out=), or None
    problem    the object that was minimised, None for built-in ones; not pickled
    config     every option of the run as TOML
    """

    __slots__ = (*_FIELDS, "problem", "__weakref__")

    x: NDArray[np.float64]
    outputs: NDArray[np.float64]
    history: dict[str, NDArray[Any]]
    summary: dict[str, Any]
    status: str
    notes: list[str]
    rank: int
    directory: str | None
    problem: Any
    config: str

    def __init__(self, *, x: NDArray[np.float64], outputs: NDArray[np.float64], history: Mapping[str, NDArray[Any]],
                 summary: Mapping[str, Any], status: str, notes: Sequence[str] = (), rank: int = 0,
                 directory: str | os.PathLike[str] | None = None, problem: Any = None, config: str = "") -> None:
        self.x = x
        self.outputs = outputs
        self.history = dict(history)
        self.summary = dict(summary)
        self.status = status
        words: Callable[[str], str] = _options.keyword_words if summary.get("problem") == "own" else lambda note: note
        end = [words(note) for note in summary.get("notes", [])]
        if "notes" in summary:
            self.summary["notes"] = end
        self.notes = [*(note for note in map(words, notes) if note not in end), *end]
        self.rank = rank
        self.directory = None if directory is None else os.fspath(directory)
        self.problem = problem
        self.config = config

    def frame(self) -> Any:
        """The history as a pandas DataFrame, one row a record."""
        try:
            import pandas
        except ImportError as error:
            raise ImportError("a frame needs pandas (Debian: python3-pandas); history has the numbers") from error
        return pandas.DataFrame(self.history)

    def plot(self, y: str = "loss_mean_point", x: str | None = None, ax: Any = None, *, log: bool | str | None = None,
             **line: Any) -> Any:
        """Draws a measure with matplotlib: against samples, communication rounds, bytes and seconds, or only against x.

        Returns the figure, or the axes where ax= gives them. The y axis is logarithmic by itself only for norms such as
        "consensus"; log=True, False, "x", "y" or "xy" chooses. `line` goes to Axes.plot.
        """
        return _plot.draw([(_plot.label_of(self), self)], y, x, ax, log, line)

    def report(self, path: str | os.PathLike[str], force: bool = False, title: str = "") -> None:
        """Writes a self-contained HTML page of the run. An earlier report is replaced, another file only by force."""
        if self.rank > 0:
            return  # one page for all processes
        if self.directory is not None:
            with _options.words_of_python():
                _core.report([self.directory], os.fspath(path), title or "doc2s report", force)
            return
        from . import _files

        with _options.words_of_python(), tempfile.TemporaryDirectory() as folder:
            run = os.path.join(folder, str(self.summary.get("label", "run")))
            os.mkdir(run)
            _files.store(self, run)
            _core.report([run], os.fspath(path), title or "doc2s report", force)

    def certify(self, delta: float = 0.1, epsilon: float | None = None, budget: int = 60, which: str = "",
                client: int | str = "all", sampled: int = 0) -> Any:
        """Bounds how far x, or each client's output (which="output"), is from Goldstein stationary within radius delta.

        Where the problem gives values alone, gradients are differences of them, and the answer an "estimate".
        """
        from . import _ask

        return _ask.certify_result(self, delta=delta, epsilon=epsilon, budget=budget, which=which, client=client,
                                   sampled=sampled)

    def module(self) -> Any:
        """The trained torch module, for a doc2s.torch.Problem."""
        if not hasattr(self.problem, "module_at"):
            raise _core.Error("module() is for results of a doc2s.torch.Problem; pickled results do not keep theirs: "
                              "use problem.module_at(result.x)")
        return self.problem.module_at(self.x)

    def __repr__(self) -> str:
        return _repr.as_text(self)

    def _repr_html_(self) -> str:
        return _repr.as_html(self)

    def __getstate__(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in _FIELDS}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            setattr(self, name, value)
        self.problem = None
