# SPDX-License-Identifier: Apache-2.0
"""pip install --no-build-isolation . in a venv with --system-site-packages, and the examples with what it installed."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import pytest

from mpi_case import MPIRUN

PROJECT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = PROJECT / "examples/python"
NEED_DATA = ("torch_cnn.py",)


def run(*words, code=0, **environment):
    clean = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "DOC2S_BUILD", "CMAKE_ARGS")}
    done = subprocess.run([str(word) for word in words], env={**clean, **environment}, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, timeout=900)
    assert done.returncode == code, f"{words}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr


def pip(python, *words, **more):
    return run(python, "-m", "pip", "--isolated", "--disable-pip-version-check", *words, "--no-build-isolation", "--no-index",
               PROJECT, **more)


@pytest.fixture(scope="module")
def python(build):
    """The interpreter of a venv that has the package."""
    with tempfile.TemporaryDirectory(prefix="doc2s-pip-") as folder:
        run(sys.executable, "-m", "venv", "--system-site-packages", folder)
        installed = pathlib.Path(folder) / "bin/python"
        pip(installed, "install", DOC2S_BUILD=str(build))
        yield installed


def test_what_is_installed(python):
    files = run(python, "-m", "pip", "show", "--files", "doc2s")
    for name in ("doc2s/__init__.py", "doc2s/_core.cpython", "doc2s/_core.pyi", "doc2s/py.typed", "dist-info/LICENSE"):
        assert name in files
    assert set(re.findall(r"doc2s/(\w+)\.py\b", files)) == {path.stem for path in PROJECT.glob("python/doc2s/*.py")}
    version = re.search(r"project\(doc2s VERSION (\S+)", (PROJECT / "CMakeLists.txt").read_text())[1]
    assert f"Version: {version}\n" in files
    where, told = run(python, "-c", "import doc2s; print(doc2s.__file__, doc2s.__version__)").split()
    assert where.startswith(str(python.parents[1])) and told == version


@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.glob("*.py") if path.name not in NEED_DATA))
def test_example(python, name):
    assert run(python, "-B", EXAMPLES / name)


def test_several_processes(python, build):
    if "DOC2S_MPI:BOOL=ON" not in (build / "CMakeCache.txt").read_text():
        pytest.skip("built without MPI")
    script = ("import sys, doc2s; r = doc2s.minimize(lambda i, x: abs(x - i).sum(), clients=4, dimension=2, K=2); "
              r"sys.stdout.write('hash ' + r.summary['trajectory'] + '\n')")  # in one piece: mpirun mixes what processes print
    alone, both = (re.findall(r"hash ([0-9a-f]{16})", run(*launcher, python, "-c", script))
                   for launcher in ([], [*MPIRUN, "-n", "2"]))
    assert both == 2 * alone and len(alone) == 1


def sentence(output):
    """What stands on the line that is ours."""
    return re.findall(r"^ *doc2s: (.*)$", output, re.MULTILINE)


@pytest.mark.parametrize("says, environment", [
    ("to build it needs cmake, ninja-build, g++", {"PATH": "/nowhere"}),
    ("missing: fmt (Debian: libfmt-dev), pybind11 (Debian: pybind11-dev); install",
     {"CMAKE_ARGS": "-DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON -DCMAKE_DISABLE_FIND_PACKAGE_pybind11=ON"}),
    ("DOC2S_BUILD=/nowhere: there is no build", {"DOC2S_BUILD": "/nowhere"})])
def test_what_is_missing_is_told(python, says, environment):
    told, = sentence(pip(python, "wheel", "--no-deps", code=1, **environment))
    assert told.startswith(says)
