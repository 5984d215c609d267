#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/tutorial.md from its first line to its last: every file in it is written, every command run, every output compared.

tutorial_test.py BUILD_DIR [--refresh]

BUILD_DIR is a build with MPI and Python; what it installs is on the PATH, in a folder that was empty before. A block of the page is

    ```LANGUAGE title="FILE"    a file
    ```console                  commands after "$ ", each with the stdout that it prints

and there is no other. In an output … stands for what is another each time, within a line: seconds, speeds. --refresh writes what
was printed into the page, where it is not what the page says.
"""
import difflib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

PROJECT = pathlib.Path(__file__).resolve().parent.parent
PAGE = PROJECT / "docs/tutorial.md"
BLOCK = re.compile(r'^```(?P<language>\w*)(?: title="(?P<title>[^"]+)")?\n(?P<text>.*?)^```$', re.DOTALL | re.MULTILINE)
VARIES = "…"


def cached(build, name):
    found = re.search(rf"^{name}:\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE)
    return found[1] if found else ""


def environment(build, home):
    """An installed doc2s, and mpirun as a small machine's root needs it."""
    prefix, bin_folder = home / "prefix", home / "bin"
    subprocess.run(["cmake", "--install", str(build), "--prefix", str(prefix)], check=True, stdout=subprocess.DEVNULL)
    bin_folder.mkdir()
    (bin_folder / "python3").symlink_to(sys.executable)
    kept = {key: value for key, value in os.environ.items() if key not in ("DOC2S_DATA", "XDG_DATA_HOME")}
    return kept | {"PATH": f"{prefix / 'bin'}:{bin_folder}:{os.environ['PATH']}", "HOME": str(home), "LC_ALL": "C.UTF-8",
                   "PYTHONPATH": str(build / "python"), "PYTHONDONTWRITEBYTECODE": "1", "CMAKE_PREFIX_PATH": str(prefix),
                   "CXXFLAGS": cached(build, "CMAKE_CXX_FLAGS"), "OMPI_ALLOW_RUN_AS_ROOT": "1",
                   "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
                   "OMPI_MCA_hwloc_base_binding_policy": "none"}


def sessions(text):
    """(command, output) of a console block."""
    for part in re.split(r"^\$ ", text, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def matches(shown, printed):
    pattern = r"[^\n]+".join(map(re.escape, shown.split(VARIES)))
    return re.fullmatch(pattern, printed) is not None


class Reader:
    """Follows the page in a folder."""

    def __init__(self, folder, given):
        self.folder, self.given, self.wrong, self.commands = folder, given, [], 0

    def write(self, title, text):
        path = self.folder / title
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def run(self, command, shown):
        """What the page should show."""
        self.commands += 1
        begin = time.monotonic()
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.given, capture_output=True, text=True,
                              timeout=900, stdin=subprocess.DEVNULL)
        printed = "\n".join(line.rstrip() for line in done.stdout.splitlines()) + "\n" * bool(done.stdout)
        print(f"{time.monotonic() - begin:6.1f} s  {command}", flush=True)
        if done.returncode:
            self.wrong.append(f"$ {command}\nexit {done.returncode}\n{done.stdout}{done.stderr}")
        elif not matches(shown, printed):
            lines = difflib.unified_diff(shown.splitlines(), printed.splitlines(), "shown", "printed", lineterm="", n=1)
            self.wrong.append("\n".join([f"$ {command}", *lines]))
            return printed
        return shown

    def follow(self, block):
        """The block as it should be."""
        if block["title"]:
            self.write(block["title"], block["text"])
        elif block["language"] == "console" and block["text"].startswith("$ "):
            text = "".join(f"$ {command}\n{self.run(command, shown)}" for command, shown in sessions(block["text"]))
            return f"```console\n{text}```"
        else:
            self.wrong.append(f"a block that is neither a file nor commands:\n{block[0]}")
        return block[0]


def main():
    build, begin = pathlib.Path(sys.argv[1]).resolve(), time.monotonic()
    page = PAGE.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory(prefix="doc2s-tutorial-") as home:
        folder = pathlib.Path(home).resolve() / "work"
        folder.mkdir()
        reader = Reader(folder, environment(build, folder.parent))
        fresh = BLOCK.sub(reader.follow, page)
    if page.count("```") != 2 * len(BLOCK.findall(page)):
        reader.wrong.append("the page has a fence that is no block")
    if "--refresh" in sys.argv:
        PAGE.write_text(fresh, encoding="utf-8")
    print("\n\n".join(reader.wrong + [f"{reader.commands} commands, {len(reader.wrong)} things wrong, "
                                     f"{time.monotonic() - begin:.0f} s"]))
    return 1 if reader.wrong or not reader.commands else 0


if __name__ == "__main__":
    sys.exit(main())
