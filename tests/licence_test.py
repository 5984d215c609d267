#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every source file says under which licence it is: its first line, or the one after #!, is SPDX's.

licence_test.py [--root DIR]   prints the files without it, exits 1 where there are any
licence_test.py --write        writes the line where it is missing
licence_test.py --self-test    expects a file without the line to be found, and mended once
"""
import argparse
import sys
import tempfile
from pathlib import Path

WORDS = "SPDX-License-Identifier: Apache-2.0"
COMMENT = {".cpp": "// {}", ".hpp": "// {}", ".js": "// {}", ".css": "/* {} */",
           ".cmake": "# {}", ".py": "# {}", ".pyi": "# {}", ".sh": "# {}", ".bash": "# {}"}
NOT_OURS = {".git", "build", "runs", "corpus", "__pycache__"}


def comment(path):
    """How the line is written in this file; None where it is no source."""
    name = path.name.removesuffix(".in")
    if name == "CMakeLists.txt":
        return COMMENT[".cmake"]
    suffix = Path(name).suffix
    if not suffix and path.is_file():
        with path.open("rb") as file:
            return COMMENT[".sh"] if file.read(2) == b"#!" else None
    return COMMENT.get(suffix)


def sources(root):
    for path in sorted(root.iterdir()):
        if path.is_dir() and not path.is_symlink() and path.name not in NOT_OURS:
            yield from sources(path)
        elif path.is_file() and comment(path):
            yield path


def place(lines):
    return 1 if lines and lines[0].startswith("#!") else 0


def lacks_it(path):
    lines = path.read_text(encoding="utf-8").split("\n")
    return comment(path).format(WORDS) != "".join(lines[place(lines):][:1])


def write(path):
    lines = path.read_text(encoding="utf-8").split("\n")
    lines.insert(place(lines), comment(path).format(WORDS))
    path.write_text("\n".join(lines), encoding="utf-8")


def check(root):
    found = list(sources(root))
    if not found:
        sys.exit(f"{root}: no sources found")
    bare = [path for path in found if lacks_it(path)]
    for path in bare:
        print(f"{path.relative_to(root)}: lacks \"{comment(path).format(WORDS)}\"")
    print(f"{len(bare)} of {len(found)} files")
    return 1 if bare else 0


def self_test():
    texts = {"a.cpp": "int a;\n", "b.sh": "#!/bin/sh\ntrue\n", "tool": "#!/bin/sh", "CMakeLists.txt": "", "c.cpp.in": "x", "d.md": "text\n",
             "build/e.cpp": "int e;\n", "data": "no source\n"}
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name, text in texts.items():
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_text(text)
        bare = {str(path.relative_to(root)) for path in sources(root) if lacks_it(path)}
        assert bare == {"a.cpp", "b.sh", "tool", "CMakeLists.txt", "c.cpp.in"}, bare
        for name in bare:
            write(root / name)
        assert check(root) == 0
        assert (root / "b.sh").read_text() == f"#!/bin/sh\n# {WORDS}\ntrue\n"
        assert (root / "d.md").read_text() == "text\n"
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    words = parser.parse_args()
    if words.self_test:
        return self_test()
    root = words.root.resolve()
    for path in filter(lacks_it, sources(root)) if words.write else ():
        write(path)
    return check(root)


if __name__ == "__main__":
    sys.exit(main())
