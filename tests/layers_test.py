#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks the walls of the house over the source text: who includes whom, who prints, who says MPI_.

layers_test.py [--root DIR]   prints the offending lines, exits 1 where there are any
layers_test.py --self-test    builds good and bad trees and expects each rule to fire where it should
"""
import argparse
import posixpath
import re
import sys
import tempfile
from pathlib import Path

# The folders of src/ and include/doc2s/: each includes only itself and those above it, without those it must not see.
FOLDERS = [
    # name, must not see
    ("base", ()),
    ("config", ()),
    ("data", ()),
    ("catalogue", ()),
    ("partition", ()),
    ("problems", ()),
    ("network", ()),
    ("transport", ()),
    ("gossip", ()),
    ("oracles", ()),
    ("algorithms", ("transport", "data")),
    ("theory", ()),
    ("checkpoint", ()),
    ("run", ()),
    ("report", ()),
    ("study", ()),
    ("app", ()),
    ("python", ()),
]
MPI_HOME, TORCH_HOME = "src/transport", "src/problems/torch"  # the only folders that name MPI_… and include libtorch
ONE_FILE = {"toml++": "toml++/"}  # library → how its headers begin
ONE_FOLDER = {"CLI11": ("CLI/", "app"), "pybind11": ("pybind11/", "python")}  # library → how its headers begin, its folder
ON_TOP = ("app", "python")  # not in src/: they may include all that stands before them
LAYERS, HIDDEN = [name for name, _ in FOLDERS], dict(FOLDERS)

TOKENS = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
      | R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)"
      | "(?:\\.|[^"\\\n])*"
      | (?<![0-9a-fA-F])'(?:\\.|[^'\\\n])+'""",
    re.DOTALL | re.VERBOSE)
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
PRINTS = re.compile(r"std::(cout|cerr|clog)\b|(?<!\w)v?f?printf\s*\(|(?<!\w)f?puts\s*\(|fmt::print(ln)?\b")
EXITS = re.compile(r"(?<!\w)(_?exit|_Exit|quick_exit)\s*\(")
TORCH_HEADERS = ("torch/", "ATen/", "c10/", "caffe2/")
SAYS_MPI = re.compile(r"(?<!\w)MPI_\w")
STANDARD_HEADER = re.compile(r"[a-z][a-z0-9_]*")  # <vector>; every other library's name has a dot or a slash


def blanked(text, strings_too):
    """The text without comments (and strings), line numbers kept."""
    def blank(match):
        keep = not (match["comment"] or strings_too)
        return match[0] if keep else " " + "\n" * match[0].count("\n")
    return TOKENS.sub(blank, text)


class Source:
    def __init__(self, root, path):
        self.path = path.relative_to(root)
        text = path.read_text(encoding="utf-8")
        self.raw = text.split("\n")
        self.code = blanked(text, strings_too=True).split("\n")
        lines = enumerate(blanked(text, strings_too=False).split("\n"), 1)
        self.includes = [(n, m[1]) for n, line in lines if (m := INCLUDE.match(line))]
        self.public = self.path.parts[0] == "include"
        self.layer = self._layer()

    def _layer(self):
        inside = self.path.parts[2 if self.public else 1:]
        return inside[0] if self.path.parts[0] not in ON_TOP and len(inside) > 1 else None

    def included_layer(self, name):
        """The layer that an include line means; None for other libraries, "?" for our files outside all layers."""
        if name.startswith("."):
            name = posixpath.normpath((self.path.parent / name).as_posix())
            name = name.removeprefix("src/").removeprefix("include/")
        parts = name.split("/")
        if parts[0] == "doc2s":
            return parts[1] if len(parts) > 2 else "?"
        return parts[0] if len(parts) > 1 and parts[0] in LAYERS else None


def sources(root):
    for folder in ("include", "src", *ON_TOP):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".hpp", ".h", ".cpp", ".cc", ".ipp"):
                yield Source(root, path)


def order_of_layers(files):
    for file in files:
        if file.layer is None:
            continue
        if file.layer not in LAYERS:
            yield file, 1, f"the folder {file.layer} is not a known layer"
            continue
        allowed = LAYERS[:LAYERS.index(file.layer) + 1]
        for line, name in file.includes:
            target = file.included_layer(name)
            if target is not None and target not in allowed:
                yield file, line, f"{file.layer} stands above {target}, so it must not include it"


def hidden_layers(files):
    for file in files:
        for line, name in file.includes:
            if file.included_layer(name) in HIDDEN.get(file.layer, ()):
                yield file, line, f"{file.layer} must not see {file.included_layer(name)}"


def one_file_libraries(files):
    for library, beginning in ONE_FILE.items():
        users = [(file, line) for file in files for line, name in file.includes if name.startswith(beginning)]
        homes = {file.path for file, _ in users}
        for file, line in users:
            if len(homes) > 1 or file.path.suffix != ".cpp":
                yield file, line, f"{library} may be included in one .cpp only"


def one_folder_libraries(files):
    for library, (beginning, home) in ONE_FOLDER.items():
        for file in files:
            for line, name in file.includes if file.path.parts[0] != home else ():
                if name.startswith(beginning):
                    yield file, line, f"{library} belongs in {home}/"


def public_headers_alone(files):
    for file in files:
        for line, name in file.includes if file.public else ():
            if not name.startswith("doc2s/") and not STANDARD_HEADER.fullmatch(name):
                yield file, line, "a public header includes only doc2s/… and the standard library"


def mpi_in_transport(files):
    for file in files:
        if not file.path.is_relative_to(MPI_HOME):
            yield from matches(file, SAYS_MPI, f"MPI_ belongs in {MPI_HOME}")


def torch_in_its_folder(files):
    for file in files:
        for line, name in file.includes:
            if name.startswith(TORCH_HEADERS) and not file.path.is_relative_to(TORCH_HOME):
                yield file, line, f"headers of libtorch belong in {TORCH_HOME}"
            if name.startswith(TORCH_HOME.removeprefix("src/") + "/"):
                yield file, line, f"{TORCH_HOME} shows nothing but its public header"


def library_is_silent(files):
    for file in files:
        if file.path.parts[0] != "app":
            yield from matches(file, PRINTS, "only app/ prints")
            yield from matches(file, EXITS, "only app/ exits")


def matches(file, pattern, complaint):
    return ((file, n, complaint) for n, line in enumerate(file.code, 1) if pattern.search(line))


RULES = (order_of_layers, hidden_layers, one_file_libraries, one_folder_libraries, public_headers_alone, mpi_in_transport,
         torch_in_its_folder, library_is_silent)


def offences(root):
    files = list(sources(root))
    if not files:
        sys.exit(f"{root}: no sources found")
    return [(rule.__name__, *offence) for rule in RULES for offence in rule(files)]


def check(root):
    found = offences(root)
    for _, file, line, complaint in found:
        print(f"{file.path}:{line}: {complaint}\n    {file.raw[line - 1].strip()}")
    print(f"{len(found)} offending lines")
    return 1 if found else 0


# --- self-test: path, text, the rules that must fire ---
GOOD = {
    "include/doc2s/base/a.hpp": "#include <vector>\n#include <cstdint>\n// printf(\"x\"), std::cout, MPI_Send\n",
    "include/doc2s/doc2s.hpp": '#include "doc2s/base/a.hpp"\n#include "doc2s/report/page.hpp"\n',
    "src/base/a.cpp": '#include "doc2s/base/a.hpp"\n#include "near.hpp"\n#include <fmt/format.h>\n'
                      'int exit_code(); auto s = "printf(1) std::cout"; int n = 4\'096; int m = snprintf(0, 0, "");\n',
    "src/base/near.hpp": 'auto help = R"(\n  exit(1) and MPI_Send\n)"; /* std::cerr\n fmt::print */\n',
    "src/transport/mpi.cpp": "int rank = MPI_Comm_rank();\n",
    "src/problems/torch/net.cpp": "#include <ATen/ATen.h>\n#include <torch/script.h>\n",
    "src/algorithms/m.cpp": '#include "doc2s/oracles/o.hpp"\n#include "../gossip/g.hpp"\n#include "gossip/g.hpp"\n',
    "src/run/config.cpp": "#include <toml++/toml.h>\n",
    "app/commands.hpp": "#include <CLI/CLI.hpp>\n",
    "app/main.cpp": '#include <CLI/CLI.hpp>\n#include "doc2s/report/page.hpp"\n'
                    'int main() { std::cout << 1; fmt::print("x"); exit(1); }\n',
    "python/core/module.cpp": '#include <pybind11/pybind11.h>\n#include "near.hpp"\n#include "report/page.hpp"\n',
}
BAD = [
    ("src/base/b.cpp", '#include "doc2s/data/d.hpp"\n', {"order_of_layers"}),
    ("src/base/b.cpp", '  #  include <doc2s/run/r.hpp>\n', {"order_of_layers"}),
    ("src/network/b.cpp", '#include "gossip/g.hpp"\n', {"order_of_layers"}),
    ("src/network/b.cpp", '#include "../gossip/g.hpp"\n', {"order_of_layers"}),
    ("src/network/b.cpp", '#include "../../include/doc2s/run/r.hpp"\n', {"order_of_layers"}),
    ("src/network/b.cpp", '#include "doc2s/doc2s.hpp"\n', {"order_of_layers"}),
    ("include/doc2s/problems/b.hpp", '#include "doc2s/network/n.hpp"\n', {"order_of_layers"}),
    ("src/cellar/b.cpp", "int b;\n", {"order_of_layers"}),
    ("src/algorithms/b.cpp", '#include "doc2s/transport/t.hpp"\n', {"hidden_layers"}),
    ("include/doc2s/algorithms/b.hpp", '#include "doc2s/data/d.hpp"\n', {"hidden_layers"}),
    ("src/run/other.cpp", "#include <toml++/toml.h>\n", {"one_file_libraries"}),
    ("src/run/other.cpp", "#include <CLI/CLI.hpp>\n", {"one_folder_libraries"}),
    ("python/core/b.cpp", "#include <CLI/CLI.hpp>\n", {"one_folder_libraries"}),
    ("app/b.cpp", "#include <pybind11/pybind11.h>\n", {"one_folder_libraries"}),
    ("src/run/b.cpp", '#include "../../python/core/module.hpp"\n', {"order_of_layers"}),
    ("python/core/b.cpp", "int r = MPI_Init();\n", {"mpi_in_transport"}),
    ("python/core/b.cpp", "void f() { std::cout << 1; }\n", {"library_is_silent"}),
    ("src/run/config.hpp", "#include <toml++/toml.h>\n", {"one_file_libraries"}),
    ("include/doc2s/base/b.hpp", "#include <Eigen/Dense>\n", {"public_headers_alone"}),
    ("include/doc2s/base/b.hpp", "#include <xxhash.h>\n", {"public_headers_alone"}),
    ("include/doc2s/base/b.hpp", '#include "base/near.hpp"\n', {"public_headers_alone"}),
    ("src/run/b.cpp", "int r = MPI_Init();\n", {"mpi_in_transport"}),
    ("app/b.cpp", "int r = MPI_Init();\n", {"mpi_in_transport"}),
    ("src/problems/b.cpp", "#include <torch/script.h>\n", {"torch_in_its_folder"}),
    ("src/run/b.cpp", "#include <ATen/ATen.h>\n", {"torch_in_its_folder"}),
    ("src/run/b.cpp", '#include "problems/torch/net.hpp"\n', {"torch_in_its_folder"}),
    ("src/data/b.cpp", "void f() { std::cout << 1; }\n", {"library_is_silent"}),
    ("src/data/b.cpp", "void f() { std::cerr << 1; }\n", {"library_is_silent"}),
    ("src/data/b.cpp", 'int n = 4\'096; void f() { printf("\'"); }\n', {"library_is_silent"}),
    ("src/data/b.cpp", 'void f() { fmt::print("x"); }\n', {"library_is_silent"}),
    ("include/doc2s/data/b.hpp", "inline void f() { std::exit(1); }\n", {"library_is_silent"}),
]


def fired(extra):
    with tempfile.TemporaryDirectory() as folder:
        for path, text in {**GOOD, **extra}.items():
            (Path(folder) / path).parent.mkdir(parents=True, exist_ok=True)
            (Path(folder) / path).write_text(text, encoding="utf-8")
        return {rule for rule, *_ in offences(Path(folder))}


def self_test():
    wrong = [("the good tree", set(), fired({}))] if fired({}) else []
    wrong += [(f"{path}: {text.strip()}", expected, got)
              for path, text, expected in BAD if (got := fired({path: text})) != expected]
    never = {rule.__name__ for rule in RULES} - set().union(*(expected for *_, expected in BAD))
    for what, expected, got in wrong:
        print(f"{what}\n    expected {sorted(expected)}, fired {sorted(got)}")
    print(f"self-test: {len(BAD) + 1} trees, {len(wrong)} wrong, rules never tried: {sorted(never)}")
    return 1 if wrong or never else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--self-test", action="store_true")
    words = parser.parse_args()
    return self_test() if words.self_test else check(words.root.resolve())


if __name__ == "__main__":
    sys.exit(main())
