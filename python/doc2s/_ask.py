# SPDX-License-Identifier: Apache-2.0
"""What the commands of the same names answer, as dicts and lists."""
from __future__ import annotations

import contextlib
import json
import numbers
import os
import tempfile
from typing import Any, Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np

from . import _core, _options, _progress
from ._graphs import Graph
from ._minimize import carrying_out, experiment, takes_interrupt
from ._problems import Adapted, adapt
from ._result import Result

News = Callable[[str], Any]
Config = str | os.PathLike[str] | Mapping[str, Any]


def methods() -> list[dict[str, Any]]:
    """Every method: name, summary, guarantee, what it spends, orders and options."""
    answer: list[dict[str, Any]] = json.loads(_core.list_of("methods"))
    return answer


def explain(key: str = "") -> list[dict[str, Any]]:
    """The options of this name, key or section: key, type, fallback, range, choices, help; "" for all."""
    ours = _options.our_word(key)
    if ours:
        raise _core.Error(f'there is no key "{key}"; doc2s calls it "{ours}"')
    answer: list[dict[str, Any]] = json.loads(_core.explain(key))
    return answer


def spectrum(graph: Any = None, clients: int | None = None, *, graph_options: Mapping[str, Any] | None = None,
             rounds: int = 2, gossip: str | None = None, seed: int = 1) -> dict[str, Any]:
    """A network's spectral gap, contraction and reach: what `doc2s network --json` prints."""
    given = Graph(graph, graph_options, clients)
    settings = [*given.settings, ("seed", seed, "seed")]
    if given.clients is not None:
        settings.append(("clients.count", given.clients, "clients"))
    answer: dict[str, Any] = json.loads(_core.spectrum(settings, rounds, gossip or ""))
    return answer


_PLAN = {"lipschitz": "method", "gradient_bound": "method", "gap": "method", "smooth": "method", "sigma": "method",
         "c0": "method", "constants": "method", "order": "method", "gossip": "method", "rounds_rule": "method",
         "batch": "problem", "dimension": "problem", "samples": "run.budget"}


def plan(delta: float, epsilon: float | None = None, *, clients: int | None = None, graph: Any = None,
         graph_options: Mapping[str, Any] | None = None, method: str = "doc2s", source: Config | None = None,
         config: str | None = None, force: bool = False, set: Mapping[str, Any] | None = None,
         **options: Any) -> dict[str, Any]:
    """Parameters and costs by the theorems: what `doc2s plan --json` prints.

    source     a config whose problem is asked for its constants; without it give lipschitz=, gap=, dimension= and, for
               order "first", gradient_bound=
    samples    in place of epsilon: the plan with the least epsilon for so many
    constants  "paper" or "tight" (docs/theory.md)
    config     a file to write the plan into, ready to run
    """
    settings = [("method.delta", delta, "delta"), ("method.name", method, "method")]
    if epsilon is not None:
        settings.append(("method.epsilon", epsilon, "epsilon"))
    if source is not None and not _is_config(source):
        raise TypeError(f"source is {type(source).__name__}, and must be a config, a path or a dict; for a problem of your "
                        "own give lipschitz=, gap= and dimension=")
    for name, value in options.items():
        if name not in _PLAN:
            _options.refuse_unknown(name, [*_PLAN, "clients", "graph", "graph_options", "method", "source", "config"])
        settings.append((f"{_PLAN[name]}.{name}", value, name))
    if source is None or clients is not None or graph is not None or graph_options:
        given = Graph(graph, graph_options, clients)
        settings += given.settings
        if given.clients is not None:
            settings.append(("clients.count", given.clients, "clients"))
    settings += _options.changes(set)
    with _options.words_of_python(), _as_file(source) as path:
        answer: dict[str, Any] = json.loads(_core.plan(settings, path, config or "", force))
    return answer


def guarantee(config: Any, delta: float, epsilon: float | None = None, *, samples: int | None = None,
              method: str | None = None, order: str | None = None, seed: int | None = None,
              out: str | os.PathLike[str] | None = None, force: bool = False, progress: bool | None = None,
              set: Mapping[str, Any] | None = None, news: News | None = None, **options: Any) -> dict[str, Any]:
    """Plans a problem by the theorem, runs the plan and certifies every client's output: what `doc2s guarantee` does.

    config     a TOML file, its content as nested dicts, or a problem with minimize's keywords. Of a problem without
               lipschitz(i) L and G are measured; it needs lower_bound(i), or gap=
    samples    in place of epsilon: the least epsilon for so many
    method     "doc2s" or "doc2s-travel"; default: the config's, else "doc2s-travel"
    out        a directory for the run's files and its certificates
    news       called with a line of text now and then

    Returns a dict: "plan" as of plan(), "certificates" as of certify(), "certified" (whether every client's output has
    a proved bound of at most epsilon), "verdict" in two sentences, and "result", the run.
    """
    given = {"method": method, "order": order, "seed": seed}
    if not _is_config(config):
        options = {**options, **{name: value for name, value in given.items() if value is not None}}
        options.setdefault("method", "doc2s-travel")
        given = {}
    goal = [("method.delta", delta, "delta"), ("method.epsilon", epsilon, "epsilon"),
            ("run.budget.samples", samples, "samples"), ("method.name", given.get("method"), "method"),
            ("method.order", given.get("order"), "order"), ("seed", given.get("seed"), "seed")]
    settings = [(key, value, where) for key, value, where in goal if value is not None] + _options.changes(set)
    with _options.words_of_python(), _study(config, options, settings) as (path, problem), \
            carrying_out(out, False, force, None, None, progress, "guarantee") as carrying, \
            _state_put_back(problem), _progress.line(news) as going:
        made = _core.guarantee(path, settings, problem, carrying, news or going)
    answer: dict[str, Any] = json.loads(made["answer"])
    del answer["run"]
    return {**answer, "result": Result(**made["result"], directory=out, problem=None if problem is None else config)}


@contextlib.contextmanager
def _as_file(config: Config | None) -> Iterator[str]:
    """The config's path; one of dicts is written to a file for as long as it is needed."""
    if not isinstance(config, Mapping):
        yield "" if config is None else os.fspath(config)
        return
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "config.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(_options.to_toml(config))
        try:
            yield path
        except _core.Error as error:
            if path not in str(error):
                raise
            raise type(error)(str(error).replace(path, "config")) from None


def certify(target: str | os.PathLike[str] | Result, *, delta: float = 0.1, epsilon: float | None = None,
            budget: int = 60, which: str = "", client: int | str = "all", sampled: int = 0, config: str = "",
            news: News | None = None) -> list[dict[str, Any]]:
    """Bounds how far points are from (delta, epsilon)-Goldstein stationary: a dict for each point.

    target     a Result, a run's directory, or points in a .npy file with config=
    which      "last" is x, "output" each client's; default: x, or the output of client= where that is a number
    """
    if isinstance(target, Result):
        return certify_result(target, delta=delta, epsilon=epsilon, budget=budget, which=which, client=client,
                              sampled=sampled, news=news)
    how = _core.CertifyHow(delta, epsilon, budget, sampled)
    with _options.words_of_python(), _progress.line(news) as going:
        answer: list[dict[str, Any]] = json.loads(
            _core.certify_files(os.fspath(target), config, which, str(client), how, news or going))
    return answer


def certify_result(result: Result, *, delta: float, epsilon: float | None, budget: int, which: str, client: int | str,
                   sampled: int, news: News | None = None) -> list[dict[str, Any]]:
    which = which or ("last" if client == "all" else "output")
    points, clients = _points_of(result, which, client)
    if result.summary.get("problem") == "own" and result.problem is None:
        raise _core.Error("the result was loaded or pickled without its problem; set result.problem to it first")
    problem = None
    if result.problem is not None:
        problem = adapt(result.problem, int(result.summary["n"]), int(result.summary["d"]), None)
    how = _core.CertifyHow(delta, epsilon, budget, sampled)
    with _options.words_of_python(), _state_put_back(problem), _progress.line(news) as going:
        answer: list[dict[str, Any]] = json.loads(
            _core.certify_points(points, clients, which, result.config, problem, how, news or going))
    return answer


@contextlib.contextmanager
def _state_put_back(problem: Adapted | None) -> Iterator[None]:
    """What value() keeps for its clients is afterwards as before."""
    states: list[Any] = []
    if problem is not None and problem.state is not None:
        states = [np.asarray(problem.state(i)) for i, count in enumerate(problem.samples) if count > 0]
    before = [state.copy() for state in states]
    try:
        yield
    finally:
        for state, numbers in zip(states, before):
            state[...] = numbers


def _points_of(result: Result, which: str, client: int | str) -> tuple[Any, list[int]]:
    if which not in ("output", "last"):
        raise _core.Error(f'which is "{which}", and must be "output" or "last"')
    if which == "last":
        if client != "all":
            raise _core.Error('there is one point for all clients; leave client= out, or take which="output"')
        return result.x[np.newaxis, :], []
    rows = list(range(len(result.outputs)))
    if client != "all":
        if not isinstance(client, (int, np.integer)) or not 0 <= client < len(rows):
            raise _core.Error(f'client is {client!r}, and must be "all" or a number from 0 to {len(rows) - 1}')
        rows = [int(client)]
    return result.outputs[rows], rows


def _key_values(given: list[_options.Setting]) -> list[str]:
    return [f"{key}={_options.toml_value(value)}" for key, value, _ in given]


def _changes(config: Any, given: Mapping[str, Any] | None, options: Mapping[str, Any]) -> list[_options.Setting]:
    return _options.changes(given, "" if _is_config(config) else _method_of(options))


def _budget(given: Mapping[str, int] | str, name: str = "budget") -> str:
    if isinstance(given, str):
        return given
    if not isinstance(given, Mapping):
        raise _core.Error(f'{name} is {given!r}, and must say of what: {{"samples": {given!r}}}')
    if len(given) != 1:
        raise _core.Error(f'{name} has {len(given)} counts, and must have one, such as {{"samples": 64000}}')
    [(count, amount)] = given.items()
    if not isinstance(amount, numbers.Real) or not float(amount).is_integer():
        raise _core.Error(f'{name} is {dict(given)!r}; give a whole number, as in {{"{count}": 64000}}')
    return f"{count}={int(amount)}"


def _is_config(given: Any) -> bool:
    return isinstance(given, (str, os.PathLike, Mapping))


@contextlib.contextmanager
def _study(config: Any, options: Mapping[str, Any], changed: list[_options.Setting],
           swept_methods: Sequence[str] = ()) -> Iterator[tuple[str, Adapted | None]]:
    """The config's path; and the problem, where one is given with minimize's keywords instead."""
    if _is_config(config):
        for name in options:
            raise TypeError(f'{name}= is for a problem of your own; a config takes set={{"method.eta": 0.1}}')
        with _as_file(config) as path:
            yield path, None
        return
    adapted, settings = experiment(config, **options)
    if hasattr(config, "reset_state"):
        adapted.start = _forgetting(config, adapted)
    for method in swept_methods or [_method_of(options)]:
        settings += _options.length_for([*settings, *changed], method)
    settings += [("problem.name", "own", ""), ("clients.count", adapted.clients, ""),
                 ("precision", adapted.precision, "")]
    with _as_file(_options.nested(settings)) as path:
        yield path, adapted


def _forgetting(problem: Any, adapted: Adapted) -> Callable[[int], Any]:
    """Each run begins as if it were the first."""
    own = adapted.start

    def start(seed: int) -> Any:
        problem.reset_state()
        return np.zeros(adapted.dimension) if own is None else own(seed)
    return start


def _method_of(options: Mapping[str, Any]) -> str:
    return str(options.get("method", "doc2s"))


def _over(config: Any, over: Mapping[str, Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """{"eta": …} → {"method.eta": …} where minimize's keywords are taken."""
    if _is_config(config):
        return dict(over)
    named = {"method": "method.name", "graph": "network.graph"}
    return {key if "." in key else named.get(key) or _options.key_of(key, _method_of(options), named): value
            for key, value in over.items()}


def _range(key: str, given: Any) -> str:
    try:
        low, high = given
    except (TypeError, ValueError):
        raise _core.Error(f'over["{key}"] is {given!r}, and must be a range, as in (0.001, 1)') from None
    return f"{key}={_options.toml_value(low)}..{_options.toml_value(high)}"


def _values(key: str, given: Any) -> str:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise _core.Error(f'over["{key}"] is {given!r}, and must be a list of values: [{given!r}]')
    return f"{key}=" + ",".join(map(_options.toml_value, given))


def _jobs(config: Any, jobs: int) -> int:
    """A problem is asked for one client once at a time, so its runs come one after the other."""
    if not _is_config(config) and jobs > 1:
        raise _core.Error(f"jobs is {jobs}, and runs of a problem of your own come one after the other; leave jobs out")
    return jobs if _is_config(config) else 1


def tune(config: Any, budget: Mapping[str, int] | str, *, over: Mapping[str, tuple[float, float]] | None = None,
         by: str = "loss_mean_point", trials: int = 64, jobs: int = 0, out: str | os.PathLike[str] | None = None,
         set: Mapping[str, Any] | None = None, news: News | None = None, **options: Any) -> dict[str, Any]:
    """Finds each method's own parameters, such as eta and D: what tune.json holds.

    config     a TOML file, its content as nested dicts, or a problem with minimize's keywords:
               tune(f, {"samples": 64000}, clients=8, dimension=20, method="dsgd", out="tuned");
               minimize(f, set=answer["methods"][0]["values"], …) runs what was found
    budget     what a run may use: {"samples": 64000}
    over       ranges beside those of the options: {"method.eta": (0.001, 1)}
    set        keys that stay fixed: {"method.D": 0.1}; for a problem {"D": 0.1} too
    news       called with a line of text now and then

    out        the folder to write into; for a problem None is a temporary one, gone when Python ends

    A tune that was interrupted goes on where it was if the same is asked again.
    """
    for name in options:
        if _options.our_word(name) == "trials":
            _options.refuse_unknown(name, ["trials"])
    question = _core.TuneQuestion()
    question.budget, question.by, question.trials = _budget(budget), by, trials
    question.changes, question.jobs = _key_values(_changes(config, set, options)), _jobs(config, jobs)
    question.over = [_range(key, given) for key, given in _over(config, over or {}, options).items()]
    question.out = _folder(config, out)
    with _options.words_of_python(), _study(config, options, []) as (path, problem), _progress.line(news) as going:
        question.config = path
        answer: dict[str, Any] = json.loads(_core.tune(question, problem, news or going, going, takes_interrupt()))
    return answer


def sweep(config: Any, over: Mapping[str, Sequence[Any]], *, by: str = "loss_mean_point",
          at: Mapping[str, int] | str = "", jobs: int = 1, out: str | os.PathLike[str] | None = None,
          set: Mapping[str, Any] | None = None, news: News | None = None, **options: Any) -> list[dict[str, Any]]:
    """Runs all combinations of values and ranks them, the best first: a dict for each run, as in sweep.csv.

    config     a TOML file, its content as nested dicts, or a problem with minimize's keywords:
               sweep(f, {"eta": [0.01, 0.1]}, clients=8, dimension=20, out="swept")
    over       keys and the values they take: {"method.eta": [0.001, 0.01], "seed": [1, 2, 3]}. Runs that differ in
               their seed alone are one setting: each has its "mean", "sd" and "runs" (that these are of), and "best"
               where it is the best of its method
    by         any measure (doc2s list measures)
    at         compare at this much of a count, {"samples": 4000}; default: at the end
    out        the folder to write into; for a problem None is a temporary one, gone when Python ends
    news       called with a line of text after each run
    """
    question = _core.SweepQuestion()
    question.by, question.jobs, question.at = by, _jobs(config, jobs), _budget(at, "at") if at else ""
    changed = _changes(config, set, options)
    question.changes = _key_values(changed)
    axes = _over(config, over, options)
    question.over = [_values(key, given) for key, given in axes.items()]
    question.out = _folder(config, out)
    longest = [*changed, *_longest(axes)]
    methods_of_all = list(axes.get("method.name", ()))
    with _options.words_of_python(), _study(config, options, longest, methods_of_all) as (path, problem), \
            _progress.line(news) as going:
        question.config = path
        answer: list[dict[str, Any]] = json.loads(_core.sweep(question, problem, news, going, takes_interrupt()))
    return answer


def _longest(axes: Mapping[str, Sequence[Any]]) -> list[_options.Setting]:
    """The largest budgets and the shortest epoch of a sweep."""
    return [(key, (min if key == "method.T" else max)(values), key) for key, values in axes.items()
            if key == "method.T" or key.startswith("run.budget.")]


_temporary: list[tempfile.TemporaryDirectory[str]] = []  # for as long as Python runs


def _folder(config: Any, out: str | os.PathLike[str] | None) -> str:
    if out is None and isinstance(config, Mapping):
        raise _core.Error("a config of dicts has no name, so give out=, the folder to write into")
    if out is None and not _is_config(config):
        _temporary.append(tempfile.TemporaryDirectory(prefix="doc2s-"))
        return _temporary[-1].name
    return "" if out is None else os.fspath(out)
