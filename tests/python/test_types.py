# SPDX-License-Identifier: Apache-2.0
"""mypy --strict over the package and the examples, and the stub of _core held against the module."""
import ast
import os
import pathlib
import re
import subprocess
import sys

import pytest

from doc2s import _core

PROJECT = pathlib.Path(__file__).resolve().parents[2]
STUB = PROJECT / "python/doc2s/_core.pyi"
TREE = ast.parse(STUB.read_text())


def python(*words, **environment):
    done = subprocess.run([sys.executable, "-m", *map(str, words)], cwd=PROJECT, env={**os.environ, **environment},
                          capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr


def test_mypy(build):
    pytest.importorskip("mypy")
    python("mypy", "--config-file", PROJECT / "pyproject.toml", "--cache-dir", build / "mypy")


def test_names_of_the_stub(tmp_path):
    """pybind11's classes have a metaclass of its own, so of those the members alone are compared."""
    pytest.importorskip("mypy")
    classes = [node.name for node in TREE.body if isinstance(node, ast.ClassDef) and not node.bases]
    (tmp_path / "allowed").write_text("".join(f"doc2s._core.{name}\n" for name in classes))
    python("mypy.stubtest", "doc2s._core", "--allowlist", tmp_path / "allowed",
           "--mypy-config-file", PROJECT / "pyproject.toml", MYPYPATH=str(PROJECT / "python"))


def test_arguments_of_the_stub():
    """pybind11's docstrings begin with the signature: run(arg0: str, arg1: str) -> str."""
    functions = [node for node in TREE.body if isinstance(node, ast.FunctionDef)]
    assert len(functions) > 10
    for node in functions:
        signature = getattr(_core, node.name).__doc__.splitlines()[0]
        assert len(re.findall(r"\barg\d+:", signature)) == len(node.args.posonlyargs), signature
