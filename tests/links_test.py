#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every relative link in our pages leads to a file that is there, and to a heading of it where it names one.

links_test.py [--self-test]
"""
import pathlib
import re
import sys
import tempfile

sys.dont_write_bytecode = True
PROJECT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PROJECT / "docs/site"))
import pages

HEADING = re.compile(r"^#{1,6} +(.*?) *#*$", re.MULTILINE)


def slug(heading):
    """As GitHub and the site make it."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
    return re.sub(r"[^\w\- ]", "", text.replace("`", "").replace("*", "").lower()).replace(" ", "-")


def anchors(text):
    found = set()
    for heading in HEADING.findall(pages.FENCE.sub("", text)):
        name, number = slug(heading), 0
        while (name if not number else f"{name}-{number}") in found:
            number += 1
        found.add(name if not number else f"{name}-{number}")
    return found | set(re.findall(r'<a (?:id|name)="([^"]+)"', text))


def wrong_links(project):
    own = pages.found(project)
    texts = {page: (project / page).read_text(encoding="utf-8") for page in own}
    for page, text in texts.items():
        for link in pages.links(text):
            path, anchor = pages.target(page, link)
            if path.startswith("../") or not (project / path).is_file():
                yield f"{page}: {link} leads to no file"
            elif anchor and (path not in texts or anchor not in anchors(texts[path])):
                yield f"{page}: {link} leads to no heading"


def self_test():
    """What is wrong is found, and only that."""
    with tempfile.TemporaryDirectory() as folder:
        project = pathlib.Path(folder)
        (project / "docs").mkdir()
        (project / "LICENSE").touch()
        (project / "docs/a.md").write_text("# A `b.c`\n## Twice\n## Twice\n[up](../README.md#one-two)\n")
        (project / "README.md").write_text(
            "# One, two\n[1](docs/a.md#a-bc) [2](docs/a.md#twice-1) [3](LICENSE) [4](https://a.b/c) `[5](none.md)`\n\n"
            "    [6](none.md)\n\n```\n[7](none.md)\n```\n\n[8](none.md) [9](docs/a.md#twice-2) [10](docs) ![11](none.svg) [12](../up.md)\n")
        found = {line.split()[1] for line in wrong_links(project)}
    return found == {"none.md", "docs/a.md#twice-2", "docs", "none.svg", "../up.md"}


def main():
    if "--self-test" in sys.argv:
        return 0 if self_test() else 1
    wrong = list(wrong_links(PROJECT))
    count = sum(len(pages.links((PROJECT / page).read_text(encoding="utf-8"))) for page in pages.found(PROJECT))
    print("\n".join(wrong + [f"{count} links, {len(wrong)} wrong"]))
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
