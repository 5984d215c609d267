# SPDX-License-Identifier: Apache-2.0
"""Keywords of Python → keys of a config, by the engine's one table of options."""
from __future__ import annotations

import functools
import json
from typing import Any, Iterable, Mapping

from . import _core

Setting = tuple[str, Any, str]  # key, value, what messages call it

_SECTIONS = ("method", "run", "problem", "")  # where a keyword is looked for, in this order; "" is the top of a config


@functools.lru_cache(maxsize=None)
def table() -> tuple[dict[str, Any], ...]:
    return tuple(json.loads(_core.explain("")))


@functools.lru_cache(maxsize=None)
def _keys() -> dict[str, str]:
    """Keyword → key: "eta" → "method.eta". A dict is given for a table: "budget" → "run.budget"."""
    keys: dict[str, str] = {}
    for section in _SECTIONS:
        for option in table():
            before, _, name = option["key"].partition(".") if "." in option["key"] else ("", "", option["key"])
            if before == section and name != "name":
                keys.setdefault(name.partition(".")[0], option["key"].removesuffix(name) + name.partition(".")[0])
    return keys


def refuse_unknown(name: str, names: Iterable[str], what: str = "option") -> None:
    hint = _core.suggestion(name, list(names))
    raise TypeError(f'unknown {what} "{name}"' + (f"; {hint}" if hint else ""))


def settings(options: Mapping[str, Any], also: Iterable[str] = ()) -> list[Setting]:
    """`also` are keywords that the caller's own signature has, for the hint."""
    found: list[Setting] = []
    for name, value in options.items():
        if name not in _keys():
            refuse_unknown(name, [*also, *_keys()])
        found += _entries(_keys()[name], value, name)
    return found


def changes(given: Mapping[str, Any] | None) -> list[Setting]:
    """set={"method.eta": 0.01}: keys as a config has them."""
    found: list[Setting] = []
    for key, value in (given or {}).items():
        found += _entries(key, value, f'set["{key}"]')
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
