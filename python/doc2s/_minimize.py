# SPDX-License-Identifier: Apache-2.0
"""minimize() and run()."""
from __future__ import annotations

import contextlib
import dataclasses
import os
import signal
import threading
import warnings
from typing import Any, Callable, Iterator, Mapping

import numpy as np

from . import _core, _options, _progress
from ._graphs import Graph
from ._files import load
from ._problems import Adapted, adapt
from ._result import Result

Callback = Callable[[dict[str, Any]], Any]
Path = str | os.PathLike[str]


@dataclasses.dataclass
class Carrying:
    """How a run is carried out; python/core/runs.cpp reads it."""
    out: str | None
    resume: bool
    force: bool
    trace: str | None
    callback: Callback | None
    progress: _progress.Progress | None
    takes_interrupt: bool


def takes_interrupt() -> bool:
    """Whether Ctrl-C is ours: in the main thread, where nobody has a handler of their own."""
    ours = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    return ours and threading.current_thread() is threading.main_thread()


def _stopping(callback: Callback | None) -> Callback | None:
    """False where it wants the run to stop; else True."""
    def told(record: dict[str, Any]) -> bool:
        assert callback is not None
        try:
            answer = callback(record)
        except StopIteration:
            return False
        return not isinstance(answer, (bool, np.bool_)) or bool(answer)
    return callback and told


@contextlib.contextmanager
def carrying_out(out: Path | None, resume: bool, force: bool, trace: Path | None, callback: Callback | None,
              progress: bool | None, label: str) -> Iterator[Carrying]:
    if callback is not None and not callable(callback):
        raise TypeError(f"callback is {type(callback).__name__}, and must be a function of a record")
    if resume and out is None:
        raise _core.Error("there is nothing to resume without a directory; give out= too")
    bar = _progress.bar(progress, label)
    try:
        yield Carrying(None if out is None else os.fspath(out), bool(resume), bool(force),
                       None if trace is None else os.fspath(trace), _stopping(callback), bar, takes_interrupt())
    finally:
        if bar is not None:
            bar.close()


def _told(result: Result) -> Result:
    if result.status == "diverged":
        warnings.warn(f"the run diverged: {result.summary.get('stopped_by', '')}", RuntimeWarning, stacklevel=3)
    if result.rank == 0 and not _progress.in_notebook():  # whose card of the result shows them
        for note in result.summary.get("notes", []):
            warnings.warn(note, UserWarning, stacklevel=3)
    return result


def minimize(problem: Any, *, clients: int | None = None, dimension: int | None = None, x0: Any = None,
             graph: Any = None, graph_options: Mapping[str, Any] | None = None, method: str = "doc2s", seed: int = 1,
             callback: Callback | None = None, out: Path | None = None, resume: bool = False, force: bool = False,
             trace: Path | None = None, progress: bool | None = None, set: Mapping[str, Any] | None = None,
             **options: Any) -> Result:
    """Minimises f(x) = (1/n) Σ f_i(x), where only client i can ask for f_i.

    problem        f(i, x) -> float or (float, gradient), with clients= and dimension= (or x0=); or an object with
                   clients, dimension, samples(i) and value(i, batch, x) -> float or (float, gradient); or
                   doc2s.torch.Problem. x is only valid during the call: keep x.copy().
    graph          who talks to whom: "ring", "torus" … (doc2s.explain("graph")), a networkx graph, a list of edges,
                   or a symmetric doubly stochastic matrix; graph_options={"neighbours": 5}. Default: a ring
    method         doc2s.methods() lists them
    callback       called with a dict after each record; it stops the run by returning False or raising StopIteration
    out            a directory for the run's files and checkpoints; resume=True goes on with what is there
    progress       True, False, or None: where stderr is a terminal, and in notebooks
    set            any other key of a config: {"run.record_every": 10}, {"D": 0.1}
    options        of the method and the run, by name: eta=0.01, K=2000, batch=8, threads=1. What ends the run:
                   iterations=, samples=, seconds=, bytes=, communication_rounds= or computation_rounds=, whichever is
                   reached first, and K= epochs of T= iterations (without any of these: their defaults)

    Ctrl-C ends the run in good order, and what there is is returned. What your code raises comes out as it is.
    """
    adapted, settings = experiment(problem, clients=clients, dimension=dimension, x0=x0, graph=graph,
                                   graph_options=graph_options, method=method, seed=seed, **options)
    if hasattr(problem, "reset_state"):
        problem.reset_state()  # of an earlier run; resuming restores it
    settings += _options.changes(set, str(method))
    settings += _options.length_for(settings, str(method))
    with _options.words_of_python(), carrying_out(out, resume, force, trace, callback, progress, method) as carrying:
        made = _core.minimize(adapted, settings, carrying)
    return _told(Result(**made, directory=out, problem=problem))


_KEYWORDS = ("clients", "dimension", "x0", "graph", "graph_options", "method", "seed", "callback", "out", "resume",
             "force", "trace", "progress", "set")
minimize.__doc__ = f"{minimize.__doc__}\nOptions (doc2s.explain(name) has more):\n\n{_options.docstring()}\n"


def experiment(problem: Any, *, clients: int | None = None, dimension: int | None = None, x0: Any = None,
               graph: Any = None, graph_options: Mapping[str, Any] | None = None, method: str = "doc2s",
               seed: int = 1, **options: Any) -> tuple[Adapted, list[_options.Setting]]:
    """What minimize's keywords say of a problem and its run."""
    if not isinstance(method, str):
        raise TypeError(f'method is {method!r}, and must be one name; doc2s.sweep takes several: {{"method": [...]}}')
    given = Graph(graph, graph_options, clients if clients is not None else _clients_of(problem))
    adapted = adapt(problem, clients if clients is not None else given.clients, dimension, x0)
    if adapted.form == "function" and options.get("batch", 1) != 1:
        raise _core.Error(f"batch is {options['batch']}, and a function f(i, x) is one sample a client; leave it out, or "
                          "give an object with samples(i) and value(i, batch, x)")
    if options.get("order") == "first" and not adapted.has_gradient:
        raise _core.Error('order is "first", and the problem returns values alone; return (value, gradient), or type '
                          'order="zeroth"')
    return adapted, [("method.name", method, "method"), ("seed", seed, "seed"), *given.settings,
                     *_options.settings(options, str(method), _KEYWORDS)]


def _clients_of(problem: Any) -> int | None:
    own = getattr(problem, "clients", None)
    return own if isinstance(own, int) else None


def run(config: Path | Mapping[str, Any], *, set: Mapping[str, Any] | None = None, out: Path | None = None,
        callback: Callback | None = None, resume: bool = False, force: bool = False, trace: Path | None = None,
        progress: bool | None = None) -> Any:
    """Runs a config of the command line, to the same bits: a TOML file, or its content as nested dicts.

    Returns a Result, or a list of them where the config has several methods ([[method]]). Without out= there are no
    files; with it they are those of `doc2s run --out`, and resume=True goes on with what is there.
    """
    text, name, folder = _read(config)
    with _options.words_of_python(), carrying_out(out, resume, force, trace, callback, progress, name) as carrying:
        made = _core.run(text, name, folder, _options.changes(set), carrying)
    results = [_result_of(one) for one in made]
    for result in results:
        _told(result)
    return results[0] if len(results) == 1 else results


def _read(config: Path | Mapping[str, Any]) -> tuple[str, str, str]:
    """The text, what messages call it, and where its paths start."""
    if isinstance(config, Mapping):
        return _options.to_toml(config), "config", ""
    if not isinstance(config, (str, os.PathLike)):
        raise TypeError(f"a config is a path or a dict, not {type(config).__name__}")
    path = os.fspath(config)
    try:
        with open(path, encoding="utf-8") as file:
            return file.read(), path, os.path.dirname(path)
    except FileNotFoundError:
        raise _core.Error(f"{path}: there is no such file") from None
    except UnicodeDecodeError:
        raise _core.Error(f"{path}: is not a text in UTF-8") from None


def _result_of(made: dict[str, Any]) -> Result:
    directory = made.pop("directory") or None
    return Result(**made, directory=directory) if made else load(str(directory))
