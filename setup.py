# SPDX-License-Identifier: Apache-2.0
"""pip install --no-build-isolation .   CMake builds the module doc2s._core; the rest of the package is pyproject.toml's.

CMAKE_ARGS="-DDOC2S_NATIVE=ON" gives CMake further arguments. DOC2S_BUILD=DIR takes the module of that build of CMake's
(-DDOC2S_PYTHON=ON) instead of building it anew.
"""
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

PROJECT = pathlib.Path(__file__).resolve().parent
OURS = PROJECT / "build" / "pip"  # all that is made on the way
OPTIONS = ["-DCMAKE_BUILD_TYPE=Release", "-DDOC2S_PYTHON=ON", "-DDOC2S_MPI=AUTO", "-DDOC2S_UNITY=ON"]


def version():
    return re.search(r"^project\(doc2s VERSION (\S+)", (PROJECT / "CMakeLists.txt").read_text(), re.MULTILINE)[1]


def need_tools():
    compilers = [os.environ.get("CXX", "c++"), "g++", "clang++"]
    wanted = {"cmake": ["cmake"], "ninja-build": ["ninja", "make"], "g++": compilers}
    lacking = [package for package, tools in wanted.items() if not any(map(shutil.which, tools))]
    if lacking:
        sys.exit(f"doc2s: to build it needs {', '.join(lacking)} (names of Debian's packages); install and try again")


def configure(build):
    need_tools()
    options = ["-G", "Ninja"] if shutil.which("ninja") else []
    options += [*OPTIONS, f"-DPython3_EXECUTABLE={sys.executable}", *shlex.split(os.environ.get("CMAKE_ARGS", ""))]
    done = subprocess.run(["cmake", "--fresh", "-S", PROJECT, "-B", build, *options],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(done.stdout)
    if done.returncode != 0:
        missing = re.search(r"libraries are missing:\s*(.*?)\s*Install them", done.stdout, re.DOTALL)
        names = re.sub(r"\s*\n\s*", ", ", missing[1]) if missing else ""
        sys.exit(f"doc2s: missing: {names}; install and try again" if names else
                 "doc2s: CMake could not configure the build; what it says stands above")


class Build(build_ext):
    def build_extension(self, extension):
        given = os.environ.get("DOC2S_BUILD")
        build = pathlib.Path(given or self.build_temp).resolve()
        if given and not (build / "CMakeCache.txt").is_file():
            sys.exit(f"doc2s: DOC2S_BUILD={given}: there is no build of CMake's")
        if not given:
            configure(build)
        command = ["cmake", "--build", build, "--target", "doc2s_python", "--parallel", str(os.cpu_count() or 1)]
        if subprocess.run(command).returncode != 0:
            sys.exit("doc2s: the build failed; what the compiler says stands above")
        target = pathlib.Path(self.get_ext_fullpath(extension.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(build / "python" / "doc2s" / target.name, target)


OURS.mkdir(parents=True, exist_ok=True)
for earlier in OURS.glob("lib.*"):  # or the wheel would hold files that the package has no more
    shutil.rmtree(earlier)
setup(version=version(), ext_modules=[Extension("doc2s._core", [])], cmdclass={"build_ext": Build},
      options={"build": {"build_base": str(OURS)}, "egg_info": {"egg_base": str(OURS)}})
