# SPDX-License-Identifier: Apache-2.0
"""Results from the files that a run left, and the other way round."""
from __future__ import annotations

import json
import os
import tomllib
from typing import Any

import numpy as np

from . import _core
from ._result import Result


def load(directory: str | os.PathLike[str]) -> Result:
    """The result of a run that has ended, from its directory."""
    folder = os.fspath(directory)
    try:
        with open(os.path.join(folder, "summary.json"), encoding="utf-8") as file:
            summary = json.load(file)
        with open(os.path.join(folder, "config.toml"), encoding="utf-8") as file:
            config = file.read()
        x, outputs = (np.load(os.path.join(folder, name + ".npy")) for name in ("last", "output"))
        with open(os.path.join(folder, "metrics.jsonl"), encoding="utf-8") as file:
            records = [json.loads(line) for line in file]
    except FileNotFoundError as error:
        name = os.path.basename(str(error.filename))
        raise _core.Error(f"{folder}: holds no run that has ended: there is no {name} in it") from None
    return Result(x=x.astype(np.float64), outputs=np.atleast_2d(outputs).astype(np.float64), history=_history(records),
                  summary=summary, status=summary["status"], directory=folder, config=config)


def _history(records: list[dict[str, Any]]) -> dict[str, Any]:
    """One array a measure that any record has; counts as int64."""
    history: dict[str, Any] = {}
    for quantity in _core.quantities():
        values = [record.get(quantity["name"]) for record in records]
        there = [value for value in values if value is not None]
        if there:
            whole = quantity["format"] in ("count", "bytes") and len(there) == len(values)
            numbers = [np.nan if value is None else value for value in values]
            history[quantity["name"]] = np.array(numbers, dtype=np.int64 if whole else np.float64)
    return history


def store(result: Result, folder: str) -> None:
    """The files that a report is drawn from, of a run that wrote none."""
    def write(name: str, text: str) -> None:
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(text)
    write("config.toml", result.config)
    write("setting.json", json.dumps(_setting(result)))
    write("summary.json", json.dumps(result.summary))
    columns = {name: column.tolist() for name, column in result.history.items()}
    records = [dict(zip(columns, values)) for values in zip(*columns.values())]
    write("metrics.jsonl", "".join(json.dumps({name: value for name, value in record.items() if value == value}) + "\n"
                                   for record in records))


def _setting(result: Result) -> dict[str, Any]:
    """What a page shows of the config; a run's own setting.json has the graph too."""
    config = tomllib.loads(result.config)
    for name, section in config.items():
        if isinstance(section, dict):
            config[name] = _flat(section)
    return {"label": result.summary["label"], **config}


def _flat(section: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """{"budget": {"samples": 1}} → {"budget.samples": 1}"""
    flat: dict[str, Any] = {}
    for name, value in section.items():
        flat |= _flat(value, f"{prefix}{name}.") if isinstance(value, dict) else {prefix + name: value}
    return flat
