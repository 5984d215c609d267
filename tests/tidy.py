#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""clang-tidy over every source of the library, the program and the Python module, as .clang-tidy says: tidy.py BUILD [FOLDER…].

With DOC2S_UNITY=ON, as in ./test all, the sources of a folder are checked as one; else one by one, which takes much longer, since
most of the time goes into the headers of others.
"""
import json
import pathlib
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

PROJECT = pathlib.Path(__file__).resolve().parent.parent
FOR_CLANG = ["-Wno-unknown-warning-option", "-Wno-unknown-pragmas"]  # what only g++ knows
KEPT = ("-I", "-D", "-std", "-f", "-W")


def flags_in(command):
    arguments = shlex.split(command)
    flags = [argument for argument in arguments if argument.startswith(KEPT)]
    return flags + [now for before, now in zip(["", *arguments], arguments) if "-isystem" in (before, now)]


def sources_of(unit):
    """The sources that a unit of compilation is made of: those that CMake has put together, or itself."""
    if unit.parent.name != "Unity":
        return [unit]
    return [pathlib.Path(name) for name in re.findall(r'#include "(.*)"', unit.read_text())]


def checked(source, wanted):
    if not source.is_relative_to(PROJECT):
        return False
    folder = source.relative_to(PROJECT).parent
    return folder.parts[0] in ("src", "app", "python") and "torch" not in folder.parts and (not wanted or str(folder) in wanted)


def units(build, wanted):
    """Unit of compilation → its sources and its flags."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        unit = pathlib.Path(entry["file"]).resolve()
        sources = [source for source in sources_of(unit) if checked(source, wanted)]
        if sources and "fsanitize" not in entry["command"]:
            found[unit] = sources, flags_in(entry["command"])
    return found


def check(unit, flags):
    config = f"--config-file={PROJECT / '.clang-tidy'}"
    return subprocess.run(["clang-tidy", "--quiet", config, str(unit), "--", *flags, *FOR_CLANG], capture_output=True, text=True)


def main():
    found = units(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:])
    with ThreadPoolExecutor(2) as two:
        answers = list(two.map(lambda unit: check(unit, found[unit][1]), sorted(found)))
    failed = [answer.stdout for answer in answers if answer.returncode != 0]
    print("".join(failed) + f"{sum(len(sources) for sources, _ in found.values())} files, {len(failed)} units to mend")
    return 1 if failed or not answers else 0


if __name__ == "__main__":
    sys.exit(main())
