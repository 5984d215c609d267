#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that docs/results.md and the README show what was measured: their tables and numbers are made from
docs/results/STUDY.json, which `doc2s reproduce` wrote, and every figure that they show is there.

results_page_test.py                  prints what is wrong, exits 1 where there is anything
results_page_test.py --refresh [DIR…] writes the tables anew; with DIR, what `doc2s reproduce … --out DIR` made, takes
                                      settings and figures from there first
"""
import re
import shutil
import sys
from pathlib import Path

from results import claims, guarantee, leaders, links, papers_methods, scaling, tables, travel
from results.kept import DOCS, KEPT, SPLITS, study

PAGES = [DOCS / "results.md", DOCS.parent / "README.md"]
BLOCK = re.compile(r"(<!-- shown: (?P<words>[^>]+) -->\n)(?P<text>.*?)(<!-- end -->)", re.DOTALL)


def take_from(root):
    for settings in sorted(root.glob("*/settings.json")):
        shutil.copyfile(settings, KEPT / f"{settings.parent.name}.json")
        for figure in sorted(settings.parent.glob("*.svg")):
            shutil.copyfile(figure, KEPT / f"{settings.parent.name}-{figure.name}")
    for measured in sorted(root.glob("*/*.json")):
        name = measured.stem
        if name == measured.parent.name:
            shutil.copyfile(measured, KEPT / f"{name}.json")
            for figure in sorted(measured.parent.glob("*.svg")):
                shutil.copyfile(figure, KEPT / f"{name}-{figure.name}")


def remove_figures_not_shown():
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    for figure in KEPT.glob("*.svg"):
        if f"results/{figure.name}" not in text:
            figure.unlink()


def block(words):
    """The lines that belong between `<!-- shown: WORDS -->` and `<!-- end -->`."""
    kind, *rest = words.split()
    if kind == "leaders":
        return leaders.leaders_table()
    if kind == "counted":
        return leaders.counted_table()
    if kind == "papers":
        return papers_methods.papers_table(*rest)
    if kind == "sizes":
        return tables.sizes_table()
    if kind == "claims":
        return claims.claims_table()
    if kind == "comparisons":
        return tables.comparisons_text(*rest, SPLITS)
    if kind == "travel":
        return travel.block(rest)
    if kind == "readme":
        return guarantee.readme_text()
    if kind == "guarantee":
        return guarantee.guarantee_table()
    read = study(kind)
    if read is None:
        return [f"Not made yet: `doc2s reproduce {kind} --scale page`."]
    if kind.startswith("travel-"):
        return travel.lines_table(read)
    if kind.startswith("links-"):
        return links.links_table(read)
    if kind.startswith("map-"):
        return tables.map_table(read)
    if kind == "scaling":
        return scaling.scaling_table(read)
    if kind == "theorem":
        return scaling.theorem_table(read)
    return tables.study_text(read)


def wrong_links(page, text):
    for link in re.findall(r'(?:src="|\]\()((?:docs/)?results/[^")]+)', text):
        if not (page.parent / link).exists():
            yield f"{link} is not there"


def names_shown(text):
    """Studies whose figures stand in a page."""
    return set(re.findall(r"results/([\w-]+)\.json", text))


def main():
    roots = [Path(word) for word in sys.argv[1:] if not word.startswith("--")]
    refresh = "--refresh" in sys.argv
    for root in roots if refresh else []:
        take_from(root)
    wrong, blocks, named = [], 0, set()
    for page in PAGES:
        text = page.read_text(encoding="utf-8")

        def right_block(match):
            fresh = "\n".join(block(match["words"])) + "\n"
            if fresh != match["text"] and not refresh:
                wrong.append(f"{page.name}: the part {match['words']} is not what docs/results says")
            return match[1] + fresh + match[4]

        fresh_text, count = BLOCK.subn(right_block, text)
        blocks += count
        named |= names_shown(fresh_text)
        if refresh:
            page.write_text(fresh_text, encoding="utf-8")
    if refresh:
        remove_figures_not_shown()
    for page in PAGES:
        wrong += wrong_links(page, page.read_text(encoding="utf-8"))
    wrong += [f"docs/results/{path.name} is shown nowhere" for path in KEPT.glob("*.json") if path.stem not in named]
    print("\n".join(wrong + [f"{blocks} parts, {len(named)} studies, {len(wrong)} things wrong"]))
    return 1 if wrong or not named else 0


if __name__ == "__main__":
    sys.exit(main())
