# SPDX-License-Identifier: Apache-2.0
"""Our pages and their links, in Markdown as GitHub reads it."""
import posixpath
import re

FENCE = re.compile(r"^(```|~~~).*?^\1[ \t]*$", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"""\]\(([^)\s]+)(?:\s+"[^"]*")?\)|\b(?:src|href)="([^"]+)\"""")
OUTSIDE = re.compile(r"[a-z][a-z+.-]*:", re.IGNORECASE)
STARTS_BLOCK = re.compile(r"([-*] |\d+\. |\|)")


def found(project):
    """The *.md of the root, docs/ and examples/, as paths with /, the README first."""
    paths = sorted(path.relative_to(project).as_posix() for folder in (".", "docs", "examples")
                   for path in (project / folder).glob("*.md"))
    return sorted(paths, key=lambda path: path != "README.md")


def without_code(text):
    """What is not code: a fence, a block that is indented by four after an empty line or a heading, or `such`."""
    kept, before, code = [], "", False
    for line in FENCE.sub("", text).split("\n"):
        indented = line.startswith("    ")
        code = indented and (code or not before.strip() or before.startswith("#")) or (code and not line.strip())
        kept.append("" if code else line)
        before = line
    return re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", "\n".join(kept))


def links(text):
    """Links of a page to files and places of this project, e.g. "../README.md#in-python"."""
    every = (match[1] or match[2] for match in LINK.finditer(without_code(text)))
    return [link for link in every if not OUTSIDE.match(link)]


def target(page, link):
    """The path, from the project's root, that `link` in `page` leads to, and the anchor there."""
    path, _, anchor = link.partition("#")
    return posixpath.normpath(posixpath.join(posixpath.dirname(page), path)) if path else page, anchor


def linked_files(project, pages):
    """Files other than pages that they link to."""
    paths = {target(page, link)[0] for page in pages for link in links((project / page).read_text(encoding="utf-8"))}
    return sorted(path for path in paths if (project / path).is_file() and path not in pages)


def for_python_markdown(text):
    """Python-Markdown wants an empty line before a list or table that follows other text; GitHub does not."""
    lines, inside, before = [], False, ""
    for line in text.split("\n"):
        if line.startswith(("```", "~~~")):
            inside = not inside
        starts = STARTS_BLOCK.match(line) and not STARTS_BLOCK.match(before) and not before.startswith(" ")
        if starts and before.strip() and not inside:
            lines.append("")
        lines.append(line)
        before = line
    return "\n".join(lines)
