# SPDX-License-Identifier: Apache-2.0
"""What the tests of the package share. By hand: PYTHONPATH=build/test/python /usr/bin/python3 -m pytest tests/python"""
import os
import pathlib
import sys

import pytest

sys.dont_write_bytecode = True  # the source tree stays clean
if "PYTHONPATH" in os.environ:  # tests change the directory, and start programs there
    os.environ["PYTHONPATH"] = os.pathsep.join(map(os.path.abspath, os.environ["PYTHONPATH"].split(os.pathsep)))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))  # mpi_case.py


@pytest.fixture(autouse=True)
def folder_of_its_own(tmp_path, monkeypatch):
    """A test that writes to a relative path leaves nothing behind."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="session")
def program():
    """The command-line program of the same build."""
    return _given("DOC2S_PROGRAM")


@pytest.fixture(scope="session")
def build():
    """The build of CMake's that the package is from."""
    return _given("DOC2S_BUILD")


def _given(name):
    path = os.environ.get(name)
    if not path:
        pytest.skip(f"{name} is not set")
    return pathlib.Path(path).resolve()
