# SPDX-License-Identifier: Apache-2.0
"""The first notebook runs from a clean kernel, and what is kept of its outputs is fit to be read."""
import json
import os
import pathlib
import shutil
import subprocess
import sys

import pytest

import doc2s

NOTEBOOK = pathlib.Path(__file__).resolve().parents[2] / "examples" / "first.ipynb"


def cells():
    return json.loads(NOTEBOOK.read_text())["cells"]


def seen(cell):
    """Kinds of what a reader sees below a cell: a progress bar, there on a slow machine, leaves nothing behind."""
    outputs = [output for output in cell.get("outputs", []) if not is_closed_bar(output)]
    return [(output.get("name", "value"), sorted(output.get("data", {}))) for output in outputs]


def is_closed_bar(output):
    return output.get("name") == "stderr" and "".join(output["text"]).split("\r")[-1].strip() == ""


def test_it_runs(tmp_path):
    """In an empty directory, with this interpreter's package."""
    for module in ("nbconvert", "ipykernel"):
        pytest.importorskip(module, reason=f"{module} is not installed (Debian: jupyter-nbconvert, python3-ipykernel)")
    shutil.copy(NOTEBOOK, tmp_path)
    package = pathlib.Path(doc2s.__file__).absolute().parents[1]
    path = os.pathsep.join([str(package), *filter(None, [os.environ.get("PYTHONPATH")])])
    answer = subprocess.run(
        [sys.executable, "-m", "nbconvert", "--to", "notebook", "--execute", "--output", "ran.ipynb", "first.ipynb"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": path, "IPYTHONDIR": str(tmp_path / "ipython")},
        capture_output=True, text=True, timeout=900)
    assert answer.returncode == 0, answer.stderr[-3000:]
    ran = json.loads((tmp_path / "ran.ipynb").read_text())["cells"]
    assert [seen(cell) for cell in ran] == [seen(cell) for cell in cells()]


def test_kept_outputs():
    code = [cell for cell in cells() if cell["cell_type"] == "code"]
    assert [cell["execution_count"] for cell in code] == list(range(1, len(code) + 1))
    outputs = [output for cell in code for output in cell["outputs"]]
    assert all(output["output_type"] in ("stream", "display_data", "execute_result") for output in outputs)
    assert sum("image/png" in output.get("data", {}) for output in outputs) >= 2
    assert any("text/html" in output.get("data", {}) for output in outputs)


def test_nothing_of_one_machine():
    text = NOTEBOOK.read_text()
    for path in (str(NOTEBOOK.parents[1]), "/home/", "/root/", "/tmp/", "/usr/"):
        assert path not in text
    assert json.loads(text)["metadata"]["kernelspec"]["name"] == "python3"
    assert NOTEBOOK.stat().st_size < 600_000
