# SPDX-License-Identifier: Apache-2.0
"""Keywords of Python → keys of a config, by the engine's one table of options."""
from __future__ import annotations

import contextlib
import functools
import json
import math
import numbers
import re
from typing import Any, Iterable, Iterator, Mapping

from . import _core

Setting = tuple[str, Any, str]  # key, value, what messages call it

# Where a keyword is looked for, in this order; "" is the top of a config.
_SECTIONS = ("method", "run", "problem", "", "run.budget")

# What other libraries call it.
_OURS = {theirs: ours for ours, words in {
    "eta": "lr learning_rate step_size stepsize alpha",
    "iterations": "maxiter max_iter n_iter niter num_iter max_iterations n_iterations num_iterations steps n_steps max_steps",
    "K": "epochs n_epochs num_epochs max_epochs",
    "T": "epoch_length",
    "R": "gossip_rounds consensus_rounds",
    "D": "radius clip max_norm",
    "delta_prime": "mu smoothing",
    "batch": "batch_size batchsize minibatch",
    "samples": "max_evals maxfun maxfev n_samples",
    "seconds": "timeout time_limit max_time",
    "seed": "random_state random_seed rng",
    "threads": "n_jobs num_threads",
    "clients": "n_clients num_clients nodes n_nodes agents n_agents",
    "dimension": "dim n_features",
    "graph": "topology network",
    "method": "algorithm solver optimizer",
    "x0": "init x_init initial",
    "progress": "verbose disp",
    "trials": "n_trials num_trials max_trials",
    "out": "out_dir output_dir",
    "record_every": "log_every eval_every",
}.items() for theirs in words.split()}

# What they ask for, and doc2s does otherwise.
_INSTEAD = {theirs: hint for hint, words in {
    "return (value, gradient)": "jac grad gradient fprime",
    "doc2s knows no constraints: add a penalty to the function": "bounds constraints",
}.items() for theirs in words.split()}

_ENDLESS, _MOST_EPOCHS = 10**12, 10**9  # the most that method.iterations and method.K take


@contextlib.contextmanager
def words_of_python() -> Iterator[None]:
    """"--from" → "source=": sentences of the engine name the flags of its commands."""
    try:
        yield
    except _core.Error as error:
        words = _in_python(str(error))
        if words == str(error):
            raise
        raise type(error)(words) from None


def _in_python(sentence: str) -> str:
    if "doc2s run " in sentence:  # a whole command
        return sentence
    sentence = re.sub(r'(?<!\S)--set ([\w.]+)=([^\s:;,]+)', r'set={"\1": \2}', sentence)
    sentence = re.sub(r"(?<!\S)--(force|trace-of-all)\b", r"--\1=True", sentence)
    words = re.sub(r"(?<!\S)--([a-z-]+)(:|=?)", lambda flag: flag[1].replace("-", "_") + (flag[2] or "="), sentence)
    return words.replace("from=", "source=")


def keyword_words(note: str) -> str:
    """"method.D = 0.1" → "D = 0.1": what minimize's keywords are called."""
    return re.sub(r"(?<![\w./])(?:method|problem|run(?:\.budget)?)\.(?=[a-zA-Z])", "", note)


@functools.lru_cache(maxsize=None)
def table() -> tuple[dict[str, Any], ...]:
    return tuple(json.loads(_core.explain("")))


def _counts(option: Mapping[str, Any], chosen: Mapping[str, Any]) -> bool:
    """Whether the option has a meaning where these keys have these values."""
    return all(chosen.get(key, value) == value for key, value in option.get("where", {}).items())


@functools.lru_cache(maxsize=None)
def _keys(method: str | None = None, parameters: str | None = None) -> dict[str, str]:
    """Keyword → key: "eta" → "method.eta". A dict is given for a table: "budget" → "run.budget".

    Those that matter for a function or object that this method minimises; None: for any.
    """
    chosen = {"method.name": method, "method.parameters": parameters, "problem.name": "own"}
    keys: dict[str, str] = {}
    for section in _SECTIONS:
        for option in table():
            key = option["key"]
            if not key.startswith(f"{section}." if section else "") or (not section and "." in key):
                continue
            name = key.removeprefix(f"{section}.").partition(".")[0]
            if name != "name" and (method is None or _counts(option, chosen)):
                keys.setdefault(name, f"{section}.{name}" if section else name)
    return keys


def our_word(name: str) -> str:
    """Of what other libraries say; "" for what is a key here."""
    return "" if name in _keys() else _OURS.get(name.lower(), "")


def refuse_unknown(name: str, names: Iterable[str], what: str = "option") -> None:
    names = list(dict.fromkeys(names))
    ours = _OURS.get(name.lower(), "")
    if ours == "K" and ours not in names:
        ours = "iterations"
    hint = f'doc2s calls it "{ours}"' if ours in names else _INSTEAD.get(name.lower()) or _core.suggestion(name, names)
    raise TypeError(f'unknown {what} "{name}"; {hint}')


def key_of(name: str, method: str, also: Iterable[str] = (), parameters: str = "given") -> str:
    """`also` are keywords that the caller's own signature has, for the hint."""
    own = _keys(method, parameters)
    key = own.get(name) or _keys().get(name)
    if key is None:
        refuse_unknown(name, [*also, *own])
    return str(key)


def settings(options: Mapping[str, Any], method: str, also: Iterable[str] = ()) -> list[Setting]:
    found: list[Setting] = []
    proved = [option["where"]["method.name"] for option in table() if option["key"] == "method.parameters"]
    if options.get("parameters") == "theory" and method not in proved:
        raise _core.Error(f'parameters is "theory", and {method} has no theorem to take them from; leave it out, or take '
                          f"one of {', '.join(proved)}")
    for name, value in options.items():
        key = key_of(name, method, also, str(options.get("parameters", "given")))
        if key == "run.budget" and not isinstance(value, Mapping) and value is not None:
            raise _core.Error(f"budget is {value!r}, and must say of what: samples={value!r} or iterations={value!r} "
                              "does (also seconds, bytes, communication_rounds, computation_rounds)")
        found += _entries(key, value, name)
    return found


def length_for(given: list[Setting], method: str) -> list[Setting]:
    """Where there is a budget, and no length of the method's own, one that is long enough for it."""
    values = {key: value for key, value, _ in given}
    own = _keys(method, "given")
    length = "K" if "K" in own else "iterations"
    budgets = [key for key in values if key.startswith("run.budget.")]
    if not budgets or f"method.{length}" in values or values.get("method.parameters") == "theory":
        return []
    iterations = values.get("run.budget.iterations", _ENDLESS)
    epoch = values.get("method.T", _fallback("method.T", method)) if length == "K" else 1
    if not all(isinstance(number, numbers.Real) and float(number) >= 1 for number in (iterations, epoch)):
        return []  # the engine tells what is wrong
    most = _MOST_EPOCHS if length == "K" else _ENDLESS
    return [(f"method.{length}", min(most, math.ceil(iterations / epoch)), length)]


def _fallback(key: str, method: str) -> Any:
    return next(option["fallback"] for option in table()
                if option["key"] == key and _counts(option, {"method.name": method}))


def changes(given: Mapping[str, Any] | None, method: str = "") -> list[Setting]:
    """set={"method.eta": 0.01}: keys as a config has them, or, for a method, "eta" too."""
    if given is not None and not isinstance(given, Mapping):
        raise TypeError(f'set is {given!r}, and must be a dict, such as {{"method.eta": 0.01}}')
    found: list[Setting] = []
    for key, value in (given or {}).items():
        whole = key_of(key, method) if method and "." not in key and not isinstance(value, Mapping) else key
        found += _entries(whole, value, f'set["{key}"]')
    return found


def _entries(key: str, value: Any, where: str) -> list[Setting]:
    if isinstance(value, Mapping):
        return [entry for name, inner in value.items() for entry in _entries(f"{key}.{name}", inner, f"{where}.{name}")]
    return [] if value is None else [(key, value, where)]


def toml_value(value: Any) -> str:
    """As `--set KEY=VALUE` takes it."""
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(toml_value(one) for one in value) + "]"
    if isinstance(value, (bool, str)):
        return json.dumps(value)
    return repr(value.item() if hasattr(value, "item") else value)


def to_toml(config: Mapping[str, Any]) -> str:
    """A config of nested dicts as TOML; "method" may be a list of dicts."""
    top = {key: value for key, value in config.items() if not isinstance(value, (Mapping, list))}
    text = _lines(top)
    for name, section in config.items():
        if isinstance(section, Mapping):
            text += f"[{name}]\n" + _lines(section)
        elif isinstance(section, list):
            text += "".join(f"[[{name}]]\n" + _lines(one) for one in section)
    return text


def nested(settings: Iterable[Setting]) -> dict[str, Any]:
    """As to_toml takes it; a later value of a key counts."""
    config: dict[str, Any] = {}
    for key, value, _ in settings:
        section, _, name = key.partition(".")
        if name:
            config.setdefault(section, {})[name] = value
        else:
            config[section] = value
    return config


def _lines(section: Mapping[str, Any], prefix: str = "") -> str:
    text = ""
    for name, value in section.items():
        if isinstance(value, Mapping):
            text += _lines(value, f"{prefix}{name}.")
        elif value is not None:
            text += f"{prefix}{name} = {toml_value(value)}\n"
    return text


def docstring() -> str:
    """The options of every method, for minimize's help."""
    lines: dict[str, str] = {}
    for option in table():
        section, _, name = option["key"].rpartition(".")
        if section in ("method", "run", "run.budget") and name != "name":
            default = "" if option["fallback"] is None else f" (default {option['fallback']})"
            lines.setdefault(name, f"    {name:<18} {option['help']}{default}")
    return "\n".join(lines.values())
