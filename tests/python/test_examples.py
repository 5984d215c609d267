# SPDX-License-Identifier: Apache-2.0
"""The examples that need no data, as a newcomer starts them, and what docs/python.md shows."""
import os
import pathlib
import re
import subprocess
import sys
import textwrap
import time
import types

import pytest

import doc2s

PROJECT = pathlib.Path(__file__).resolve().parents[2]


def started(name, *arguments, cwd):
    package = pathlib.Path(doc2s.__file__).absolute().parents[1]
    path = os.pathsep.join([str(package), *filter(None, [os.environ.get("PYTHONPATH")])])
    return subprocess.Popen([sys.executable, PROJECT / "examples" / "python" / name, *arguments], cwd=cwd, text=True,
                            env={**os.environ, "PYTHONPATH": path, "MPLBACKEND": "Agg", "PYTHONDONTWRITEBYTECODE": "1"},
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def answer(name, *arguments, cwd):
    process = started(name, *arguments, cwd=cwd)
    out, err = process.communicate(timeout=900)
    assert process.returncode == 0, err
    return out


def hash_in(text):
    return re.search(r"hash: (\w+)", text)[1]


def test_black_box(tmp_path):
    text = answer("black_box.py", cwd=tmp_path)
    losses = [float(number) for number in re.search(r"falls from ([\d.]+) to ([\d.]+)", text).groups()]
    assert losses[0] > 40 and losses[1] < 12.3 and not list(tmp_path.iterdir())


def test_black_box_goes_on_after_kills(tmp_path):
    whole = hash_in(answer("black_box.py", cwd=tmp_path))
    checkpoints = tmp_path / "runs" / "mine" / "checkpoint"
    for _ in range(3):
        before = set(checkpoints.glob("[0-9]*.manifest"))
        process = started("black_box.py", "--out", "runs/mine", cwd=tmp_path)
        while process.poll() is None and set(checkpoints.glob("[0-9]*.manifest")) <= before:  # until there is one more
            time.sleep(0.001)
        process.kill()
        process.communicate()
        assert process.returncode == -9
    text = answer("black_box.py", "--out", "runs/mine", cwd=tmp_path)
    assert hash_in(text) == whole and "begins" not in text
    assert "<html" in (tmp_path / "runs" / "mine" / "report.html").read_text()


def test_logistic(tmp_path):
    text = answer("logistic.py", "--out", "mine.png", cwd=tmp_path)
    assert float(re.search(r"accuracy ([\d.]+)%", text)[1]) > 95
    assert float(re.search(r"largest of the others: +([\d.]+)", text)[1]) < 0.1
    assert [path.name for path in tmp_path.iterdir()] == ["mine.png"]


def test_compare(tmp_path):
    text = answer("compare.py", "--samples", "8000", cwd=tmp_path)
    rows = [line for line in text.splitlines() if " first " in line or " zeroth " in line]
    assert len(rows) == len(doc2s.methods()) and all(" 8,000 " in row for row in rows)
    assert [path.name for path in tmp_path.iterdir()] == ["compare.png"]


# --- docs/python.md ---
def blocks():
    """The indented blocks, as they stand."""
    text = (PROJECT / "docs" / "python.md").read_text()
    return [textwrap.dedent(block) for block in re.findall(r"(?:^    .*\n|^\n(?=    ))+", text, re.M)]


def test_first_lines_of_the_docs(monkeypatch):
    pytest.importorskip("matplotlib").use("Agg")
    names = {}
    exec(blocks()[0], names)
    assert names["r"].history["loss_mean_point"][-1] < names["r"].history["loss_mean_point"][0]


class Sink:
    """A tracker that takes what MLflow, W&B or TensorBoard takes."""

    def __init__(self):
        self.logged = []

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def log_metrics(self, metrics, step):
        assert all(isinstance(value, (int, float)) for value in metrics.values()) and isinstance(step, int)
        self.logged.append(step)

    log = log_metrics

    def add_scalar(self, tag, value, step):
        self.log_metrics({tag: value}, step)


def test_trackers_of_the_docs(monkeypatch):
    block, = (block for block in blocks() if "mlflow" in block)
    sink = Sink()
    modules = {"mlflow": {"start_run": lambda: sink, "log_metrics": sink.log_metrics},
               "wandb": {"init": lambda project: sink}, "torch.utils.tensorboard": {"SummaryWriter": lambda: sink}}
    for name, content in modules.items():
        module = types.ModuleType(name)
        vars(module).update(content)
        monkeypatch.setitem(sys.modules, name, module)
    for part in ("import mlflow", "import wandb", "from torch"):
        start = block.index(part)
        sink.logged.clear()
        exec(block[start:].split("\n\n")[0], {"doc2s": doc2s, "problem": Small()})
        assert sink.logged[0] == 0 and sink.logged[-1] > 0


class Small:
    clients, dimension = 4, 2

    def samples(self, i):
        return 5

    def value(self, i, batch, x):
        return float(abs(x - batch.mean()).sum())
