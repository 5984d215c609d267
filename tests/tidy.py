#!/usr/bin/env python3
"""clang-tidy over every source of the library and the program, as .clang-tidy says: tidy.py BUILD [FOLDER…].

The sources of a folder are checked as one, since most of the time would go into the headers of others again and again. So a
name in their `namespace {}` must not stand in two of them; those below do not mind, for they are checked apart.
"""
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

PROJECT = pathlib.Path(__file__).resolve().parent.parent
APART = {"unpacker.cpp", "torch_kinds.cpp", "certificate_file.cpp", "theory_in_force.cpp", "run_figures.cpp",
         "sweep_command.cpp"}
FOR_CLANG = ["-Wno-unknown-warning-option", "-Wno-unknown-pragmas"]  # what only g++ knows
KEPT = ("-I", "-D", "-std", "-f", "-W")


def flags_in(command):
    words = shlex.split(command)
    flags = [word for word in words if word.startswith(KEPT)]
    return flags + [word for at, word in enumerate(words) if word == "-isystem" or at and words[at - 1] == "-isystem"]


def groups(build, wanted):
    """(folder, apart or not) → its sources, and the flags they are compiled with."""
    found = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["file"]).resolve()
        if not path.is_relative_to(PROJECT) or "fsanitize" in entry["command"]:
            continue
        folder = path.relative_to(PROJECT).parent
        if folder.parts[0] in ("src", "app") and "torch" not in folder.parts and (not wanted or str(folder) in wanted):
            sources, _ = found.setdefault((str(folder), path.name in APART), (set(), flags_in(entry["command"])))
            sources.add(path)
    return found


def check(name, sources, flags, folder):
    together = pathlib.Path(folder) / f"{name[0].replace('/', '-')}{'-apart' * name[1]}.cpp"
    together.write_text("".join(f'#include "{source}"\n' for source in sorted(sources)))
    config = f"--config-file={PROJECT / '.clang-tidy'}"
    return subprocess.run(["clang-tidy", "--quiet", config, str(together), "--", *flags, *FOR_CLANG], capture_output=True,
                          text=True)


def main():
    found = groups(pathlib.Path(sys.argv[1]).resolve(), sys.argv[2:])
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as two:
        answers = list(two.map(lambda item: check(item[0], *item[1], folder), sorted(found.items())))
    failed = [answer.stdout for answer in answers if answer.returncode != 0]
    print("".join(failed) + f"{sum(len(sources) for sources, _ in found.values())} files, {len(failed)} folders to mend")
    return 1 if failed or not answers else 0


if __name__ == "__main__":
    sys.exit(main())
