# SPDX-License-Identifier: Apache-2.0
"""examples/python/torch_cnn.py."""
from __future__ import annotations

import pathlib
import re
import runpy
import subprocess
import sys

import pytest

pytest.importorskip("torch")
pytest.importorskip("matplotlib")

EXAMPLE = pathlib.Path(__file__).resolve().parents[2] / "examples" / "python" / "torch_cnn.py"


def test_it_learns(tmp_path: pathlib.Path) -> None:
    done = subprocess.run([sys.executable, EXAMPLE, "--quick", "--plot", tmp_path / "curves.png"], cwd=tmp_path,
                          capture_output=True, text=True, timeout=900)
    if done.returncode == 77:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    found = re.search(r"^test accuracy (0\.\d+)$", done.stdout, re.M)
    assert found and float(found[1]) > 0.7
    assert (tmp_path / "curves.png").read_bytes().startswith(b"\x89PNG")


def test_without_the_images_one_sentence_says_so(monkeypatch: pytest.MonkeyPatch,
                                                 capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(pathlib.Path, "glob", lambda self, pattern: iter(()))
    monkeypatch.setattr(sys, "argv", [str(EXAMPLE), "--quick"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(str(EXAMPLE), run_name="__main__")
    assert ended.value.code == 77
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1 and "DOC2S_DATA" in said.err
