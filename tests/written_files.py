# SPDX-License-Identifier: Apache-2.0
"""What the program leaves in a folder: whether each file is whole, and what of it must not depend on time or disturbances."""
import csv
import json
import tomllib

import numpy as np


def timeless(value):
    """JSON without what depends on time, and on which checkpoint was the last."""
    if isinstance(value, dict):
        return {key: timeless(one) for key, one in value.items() if "seconds" not in key and key != "checkpoint"}
    return [timeless(one) for one in value] if isinstance(value, list) else value


def lines_of(path):
    return [timeless(json.loads(line)) for line in path.read_text().splitlines()]


def whole_lines(path):
    """A file that grows: only what was written last may be cut, and nothing once the run has ended."""
    ended = path.name == "metrics.jsonl" and (path.parent / "summary.json").exists()
    for line in path.read_text().splitlines(keepends=True)[:None if ended else -1]:
        json.loads(line)


def whole_table(path):
    text = path.read_text()
    assert text.endswith("\n") and len({len(row) for row in csv.reader(text.splitlines())}) == 1


def whole_config(path):
    """An empty one marks a folder whose run had not begun."""
    assert tomllib.loads(path.read_text()) or not (path.parent / "setting.json").exists()


def ends_with(text):
    def check(path):
        assert path.read_text().rstrip().endswith(text)
    return check


WHOLE = {".json": lambda path: json.loads(path.read_text()), ".jsonl": whole_lines, ".toml": whole_config,
         ".npy": lambda path: np.load(path, allow_pickle=False), ".csv": whole_table, ".html": ends_with("</html>"),
         ".svg": ends_with("</svg>")}


def content(path):
    if path.suffix in (".json", ".jsonl"):
        return lines_of(path) if path.suffix == ".jsonl" else timeless(json.loads(path.read_text()))
    return None if path.suffix == ".html" else path.read_bytes()


def final_files(folder):
    """Under their final names; checkpoints have their own sums and tests."""
    return [path for path in sorted(folder.rglob("*"))
            if path.is_file() and path.suffix != ".part" and path.parent.name != "checkpoint"]


def contents(folder):
    return {str(path.relative_to(folder)): content(path) for path in final_files(folder)}


def broken(folder, due):
    """Those that are not whole; what has no form of its own must be as it is due."""
    found = []
    for path in final_files(folder):
        try:
            if path.suffix in WHOLE:
                WHOLE[path.suffix](path)
            else:
                assert path.read_bytes() == due[str(path.relative_to(folder))], "other bytes"
        except (AssertionError, ValueError, EOFError) as error:
            found.append(f"{path}: {error!r}")
    return found
