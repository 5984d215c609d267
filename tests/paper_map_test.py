#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that docs/paper-map.md leads to where it says: each `file:line` is followed by the code that stands there, every
line and statement of the paper is in it, and the files and tests that it names are there.

paper_map_test.py             prints the places that are wrong and the right line, exits 1 where there are any
paper_map_test.py --refresh   writes the right lines into the page
"""
import re
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
PAGE = PROJECT / "docs/paper-map.md"
PLACE = re.compile(r"`(?P<file>[\w/.]+\.[ch]pp):(?P<line>\d+)` `(?P<code>[^`]+)`")
LISTINGS = {"Algorithm 1": 21, "Algorithm 2": 6, "Algorithm 3": 3, "Algorithm 4": 3}  # lines that each has

STATEMENTS = {"Assumption": 5, "Definition": 4, "Proposition": 2, "Lemma": 10, "Theorem": [1, 3], "Corollary": [2, 4], "Table": 1, "Figure": 9}
NAMED_FILE = re.compile(r"`((?:src|tests|configs|include)/[\w/.-]+)`")
NAMED_TEST = re.compile(r"`([A-Z]\w+)\.(\w+)`")


def lines_with(file, code):
    path = PROJECT / file
    text = path.read_text(encoding="utf-8").split("\n") if path.exists() else []
    return [number for number, line in enumerate(text, 1) if code in line]


def right_place(match, wrong):
    there = lines_with(match["file"], match["code"])
    if int(match["line"]) in there:
        return match[0]
    if len(there) != 1:
        wrong.append(f"{match['file']}: {len(there)} lines hold `{match['code']}`: quote what stands there once")
        return match[0]
    wrong.append(f"{match['file']}:{match['line']} should be :{there[0]} for `{match['code']}`")
    return f"`{match['file']}:{there[0]}` `{match['code']}`"


def missing_lines(page):
    for listing, count in LISTINGS.items():
        part = page.partition(f"## {listing}")[2].partition("\n## ")[0]
        named = set()
        for first, last in re.findall(r"^\| (\d+)(?:–(\d+))? \|", part, re.MULTILINE):
            named.update(range(int(first), int(last or first) + 1))
        for number in sorted(set(range(1, count + 1)) - named):
            yield f"{listing}: line {number} is not in the map"


def missing_statements(page):
    part = page.partition("## Statements, tables and figures")[2]
    named = set()
    for kind, first, last in re.findall(r"(\w+?)s? (\d+)(?:–(\d+))?\b", "\n".join(line.split("|")[1] for line in part.split("\n") if line.startswith("|"))):
        named.update((kind, number) for number in range(int(first), int(last or first) + 1))
    for kind, numbers in STATEMENTS.items():
        for number in numbers if isinstance(numbers, list) else range(1, numbers + 1):
            if (kind, number) not in named:
                yield f"{kind} {number} is not in the map"


def missing_names(page):
    for file in sorted(set(NAMED_FILE.findall(page))):
        if not (PROJECT / file).exists():
            yield f"{file} is not there"
    tests = "".join(path.read_text(encoding="utf-8") for path in PROJECT.glob("tests/unit/*.cpp"))
    for suite, name in sorted(set(NAMED_TEST.findall(page))):
        if f"({suite}, {name})" not in tests:
            yield f"there is no test {suite}.{name}"


def main():
    page = PAGE.read_text(encoding="utf-8")
    wrong = []
    fresh = PLACE.sub(lambda match: right_place(match, wrong), page)
    if "--refresh" in sys.argv:
        PAGE.write_text(fresh, encoding="utf-8")
        wrong = [line for line in wrong if " should be " not in line]
    wrong += [*missing_lines(page), *missing_statements(page), *missing_names(page)]
    print("\n".join(wrong + [f"{len(PLACE.findall(page))} places, {len(wrong)} wrong"]))
    if any(" should be " in line for line in wrong):
        print("tests/paper_map_test.py --refresh mends the line numbers")
    return 1 if wrong or not PLACE.search(page) else 0


if __name__ == "__main__":
    sys.exit(main())
