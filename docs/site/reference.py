# SPDX-License-Identifier: Apache-2.0
"""The pages of reference/: keys of a config, the Python package, the public headers of C++."""
import ast
import html
import pathlib
import re
import shutil
import subprocess
import xml.etree.ElementTree as xml

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent


def write(folder, program):
    """Writes all into folder/reference; gives the paths from `folder`."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "reference").mkdir(parents=True)
    make_headers(folder / "reference/cpp")
    texts = {"keys": keys_page(program), "python": python_page(), "cpp": headers_page(folder / "reference/cpp")}
    for name, text in texts.items():
        (folder / f"reference/{name}.md").write_text(text, encoding="utf-8")
    shutil.rmtree(folder / "reference/cpp/xml")
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


# --- keys of a config, as `doc2s explain` tells them ---
def cell(text):
    return html.escape(text, quote=False).replace("|", "\\|")


def keys_page(program):
    told = subprocess.run([program, "explain"], capture_output=True, text=True, check=True).stdout
    sections = {}
    for block in re.split(r"\n(?=\S)", told.strip()):
        key, *lines = block.split("\n")
        section = key.partition(".")[0] if "." in key else ""
        meaning, values, *more = (line.strip() for line in lines)
        sections.setdefault(section, []).append(f"| `{key}` | {cell(meaning)} | {cell('; '.join([values, *more]))} |")
    parts = ["# Keys of a config", "What `doc2s explain` tells, of all keys. A key may stand in a file, after `--set`, or be a keyword "
             "in Python ([commands](../docs/commands.md), [Python](../docs/python.md#options))."]
    for section, rows in sections.items():
        parts += [f"## [{section}]" if section else "## At the top",
                  "\n".join(["| key | meaning | values |", "| --- | --- | --- |", *rows])]
    return "\n\n".join(parts) + "\n"


# --- the Python package, from its sources ---
def tree_of(name):
    return ast.parse((PROJECT / "python/doc2s" / name).read_text(encoding="utf-8"))


def definitions(tree):
    return {node.name: node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}


def public_names():
    """(name, its definition) in the order of __all__."""
    package = tree_of("__init__.py")
    origin = {}
    for node in package.body:
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            file = f"{node.module}.pyi" if node.module == "_core" else f"{node.module}.py"
            origin |= {alias.asname or alias.name: (file, alias.name) for alias in node.names}
    names = next(ast.literal_eval(node.value) for node in package.body
                 if isinstance(node, ast.Assign) and node.targets[0].id == "__all__")
    for name in names:
        file, inner = origin[name]
        found = definitions(tree_of(file)).get(inner)
        if found is not None:  # not __version__
            yield name, found
    yield "torch.Problem", definitions(tree_of("torch.py"))["Problem"]


def signature(name, function):
    """Over several lines where it is long."""
    given = [argument for argument in ast.unparse(function.args).split(", ")]
    whole = re.sub(r"^self(, )?", "", ", ".join(given))
    returns = f" -> {ast.unparse(function.returns)}" if function.returns is not None else ""
    if len(f"{name}({whole}){returns}") <= 110:
        return f"{name}({whole}){returns}"
    lines, depth, start = [], 0, 0
    for place, letter in enumerate(whole):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            lines.append("    " + whole[start:place + 1].strip())
            start = place + 1
    return "\n".join([f"{name}(", *lines, "    " + whole[start:].strip(), f"){returns}"])


def described(node):
    """Its first paragraph as text; the rest, which is laid out by columns, as it is."""
    first, _, rest = (ast.get_docstring(node) or "").partition("\n\n")
    return [html.escape(" ".join(first.split()), quote=False)] + ([f"```text\n{rest}\n```"] if rest else [])


def python_entry(name, node):
    if isinstance(node, ast.FunctionDef):
        return [f"## doc2s.{name}", f"```python\n{signature('doc2s.' + name, node)}\n```", *described(node)]
    parts = [f"## doc2s.{name}"]
    methods = {inner.name: inner for inner in node.body if isinstance(inner, ast.FunctionDef)}
    if "__init__" in methods and name == "torch.Problem":
        parts.append(f"```python\n{signature('doc2s.' + name, methods['__init__']).removesuffix(' -> None')}\n```")
    if node.bases:
        parts.append(f"An exception: `{ast.unparse(node.bases[0])}`.")
    parts += described(node)
    for inner in methods.values():
        if not inner.name.startswith("_") and ast.get_docstring(inner):
            parts += [f"### {name}.{inner.name}", f"```python\n{signature(inner.name, inner)}\n```", *described(inner)]
    return parts


def python_page():
    parts = ["# The Python package", "Every public name of `doc2s`, from its sources; `help(doc2s.minimize)` tells the same. "
             "[How to use it](../docs/python.md); [the options](keys.md)."]
    for name, node in public_names():
        parts += python_entry(name, node)
    return "\n\n".join(part for part in parts if part) + "\n"


# --- the public headers, by doxygen ---
def make_headers(folder):
    """In doxygen's own look, with a way back to the site and a dark side."""
    folder.mkdir(parents=True)
    layout = folder.parent / "layout.xml"
    subprocess.run(["doxygen", "-l", str(layout)], check=True, capture_output=True)
    back = '<tab type="user" url="../cpp.html" title="Back to the docs"/>'
    layout.write_text(re.sub(r'<tab type="mainpage"[^>]*/>', back, layout.read_text(encoding="utf-8")), encoding="utf-8")
    settings = (PROJECT / "Doxyfile").read_text(encoding="utf-8").replace("build/reference", str(folder))
    settings += f"""
HTML_OUTPUT = .
GENERATE_XML = YES
XML_OUTPUT = xml
SEARCHENGINE = NO
HTML_TIMESTAMP = NO
LAYOUT_FILE = {layout}
HTML_EXTRA_STYLESHEET = docs/site/headers.css
"""
    subprocess.run(["doxygen", "-"], input=settings, text=True, check=True, cwd=PROJECT, stdout=subprocess.DEVNULL)
    layout.unlink()


def brief(element):
    return " ".join("".join(element.find("briefdescription").itertext()).split())


MAIN = ["problems/black_box", "problems/problem", "problems/register_problem", "run/solve", "run/record", "config/options",
        "app/command_line", "base/error"]


def named_in_headers(folder):
    """(header, name, link, brief) of every function and class of namespace doc2s."""
    for compound in xml.parse(folder / "xml/index.xml").getroot():
        name, page = compound.find("name").text, compound.get("refid")
        described = (folder / f"{page}.html").exists()  # private ones are not
        if compound.get("kind") in ("class", "struct") and name.startswith("doc2s::") and described:
            whole = xml.parse(folder / f"xml/{page}.xml").getroot()[0]
            yield whole.find("location").get("file"), name.removeprefix("doc2s::"), f"cpp/{page}.html", brief(whole)
        if compound.get("kind") == "namespace" and name == "doc2s":
            for member in xml.parse(folder / f"xml/{page}.xml").getroot().iter("memberdef"):
                if member.get("kind") == "function":
                    file, _, anchor = member.get("id").rpartition("_1")
                    yield (member.find("location").get("file"), member.find("name").text + "()", f"cpp/{file}.html#{anchor}",
                           brief(member))


def headers_page(folder):
    """Every name with a link to its full description: first the headers that most programs need, then the engine's parts."""
    rows = {}
    for file, name, link, text in named_in_headers(folder):
        header = re.sub(r"^(.*include/)?doc2s/", "", file).removesuffix(".hpp")
        if text or header in MAIN:
            rows.setdefault(header, {}).setdefault(name, f"| [`{name}`]({link}) | {cell(text)} |")
    parts = ["# The headers of C++", "`#include <doc2s/doc2s.hpp>` brings all of them. Everything, by doxygen: [classes](cpp/annotated.html), [functions](cpp/namespacemembers_func.html), [files](cpp/files.html); "
             "[how to use it](../docs/library.md)."]
    for title, headers in (("What most programs name", MAIN), ("The engine's parts", sorted(set(rows) - set(MAIN)))):
        parts.append(f"## {title}")
        for header in headers:
            parts += [f"### doc2s/{header}.hpp", "\n".join(["| | |", "| --- | --- |", *rows[header].values()])]
    return "\n\n".join(parts) + "\n"
