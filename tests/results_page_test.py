#!/usr/bin/env python3
"""Checks that docs/results.md shows what was measured: its tables are those of docs/results/STUDY.json, which
`doc2s reproduce` wrote, and every figure that it shows is there.

results_page_test.py                 prints what is wrong, exits 1 where there is anything
results_page_test.py --refresh [DIR] writes the tables anew; with DIR, what `doc2s reproduce all --out DIR` made, takes
                                     settings and figures from there first
"""
import json
import re
import shutil
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGE = DOCS / "results.md"
KEPT = DOCS / "results"
BLOCK = re.compile(r"(<!-- (?P<study>[\w-]+) -->\n)(?P<text>.*?)(<!-- end -->)", re.DOTALL)
TASKS = ["a9a", "rcv1", "mnist", "fashion-mnist", "cifar10", "cifar100"]
MEASURES = {"loss_mean_point": "loss", "loss_worst": "largest loss of a client's point", "consensus": "consensus error"}


def take_from(root):
    for settings in sorted(root.glob("*/settings.json")):
        study = settings.parent.name
        shutil.copyfile(settings, KEPT / f"{study}.json")
        for figure in sorted(settings.parent.glob("*.svg")):
            shutil.copyfile(figure, KEPT / f"{study}-{figure.name}")


def number(value):
    return "diverged" if value is None else f"{value:.3g}" if abs(value) < 1e-2 else f"{value:.3f}"


def spread(shown):
    by_seed = [value for value in shown["by_seed"] if value is not None]
    if shown["mean"] is None or not by_seed:
        return "diverged"
    return f"{number(shown['mean'])} ({number(min(by_seed))}–{number(max(by_seed))})"


def setting(shown):
    return shown["setting"].replace("eta=", "η ").replace("D=", "D ").replace(",", ", ")


def views_of(study):
    """The figures in their order: (axis, measure) with what was compared at which count."""
    return [(view["axis"], view["measure"], f"{view['compared_at']:,.0f}") for view in study["figures"]]


def shown_in(study, axis, measure):
    return [one for one in study["shown"] if (one["axis"], one["measure"]) == (axis, measure)]


def row(cells):
    return "| " + " | ".join(cells) + " |"


def comparison_table(study):
    views = views_of(study)
    labels = [one["line"] for one in shown_in(study, *views[0][:2])]
    lines = [row(["against", "up to"] + labels), row(["---", "---:"] + ["---"] * len(labels))]
    for axis, measure, count in views:
        shown = shown_in(study, axis, measure)
        lines.append(row([axis.replace("_", " "), count] + [f"{spread(one)}, {setting(one)}" for one in shown]))
    return lines


def ablation_table(study):
    views = views_of(study)
    heads = [f"{MEASURES[measure]}, {count} {axis.replace('_', ' ')}" for axis, measure, count in views]
    lines = [row([""] + heads), row(["---"] + ["---:"] * len(heads))]
    columns = [shown_in(study, axis, measure) for axis, measure, _ in views]
    for cells in zip(*columns):
        lines.append(row([cells[0]["line"]] + [spread(one) for one in cells]))
    for refused in study.get("refused", []):
        lines.append(row([refused["line"], "refused: " + refused["reason"]] + [""] * (len(heads) - 1)))
    return lines


def pictures(study):
    tags = []
    for axis, measure, _ in views_of(study):
        words = f"{study['title']}: {MEASURES[measure]} against {axis.replace('_', ' ')}"
        tags.append(f'<img src="results/{study["study"]}-{measure}-{axis}.svg" width="49%" alt="{words}">')
    return tags


def study_named(name):
    return json.loads((KEPT / f"{name}.json").read_text(encoding="utf-8"))


def verdict(shown):
    """DOC²S against the best of the others; it is ahead or behind where the seeds' ranges do not overlap."""
    ours, others = shown[0], [one for one in shown[1:] if one["mean"] is not None]
    if ours["mean"] is None or not others:
        return "diverged"
    best = min(others, key=lambda one: one["mean"])
    ahead, behind = max(ours["by_seed"]) < min(best["by_seed"]), min(ours["by_seed"]) > max(best["by_seed"])
    word = "**ahead**" if ahead else "behind" if behind else "overlap"
    return f"{word}: {number(ours['mean'])}, {best['line']} {number(best['mean'])}"


def summary(order):
    names = [f"{order}-{task}" for task in TASKS]
    studies = [study_named(name) for name in names]
    axes = [axis for axis, _, _ in views_of(studies[0])]
    lines = [row([""] + [axis.replace("_", " ") for axis in axes]), row(["---"] * (1 + len(axes)))]
    for task, study in zip(TASKS, studies):
        lines.append(row([task] + [verdict(shown_in(study, axis, measure)) for axis, measure, _ in views_of(study)]))
    return "\n".join(lines) + "\n"


def block_of(name):
    if name.startswith("summary-"):
        return summary(name.removeprefix("summary-"))
    study = study_named(name)
    table = comparison_table(study) if study.get("grid") else ablation_table(study)
    return "\n".join([f"**{study['title']}** ([settings](results/{name}.json))", ""] + pictures(study) + [""] + table) + "\n"


def wrong_links(page):
    for link in re.findall(r'(?:src="|\]\()(results/[^")]+)', page):
        if not (DOCS / link).exists():
            yield f"docs/{link} is not there"


def main():
    if "--refresh" in sys.argv and sys.argv[-1] != "--refresh":
        take_from(Path(sys.argv[-1]))
    page = PAGE.read_text(encoding="utf-8")
    wrong = []

    def right_block(match):
        text = block_of(match["study"])
        if text != match["text"]:
            wrong.append(f"the part {match['study']} is not what the settings in docs/results say")
        return match[1] + text + match[4]

    fresh = BLOCK.sub(right_block, page)
    if "--refresh" in sys.argv:
        PAGE.write_text(fresh, encoding="utf-8")
        wrong = []
    named = {match["study"] for match in BLOCK.finditer(fresh)}
    wrong += [f"docs/results/{path.name} is shown nowhere" for path in KEPT.glob("*.json") if path.stem not in named]
    wrong += wrong_links(fresh)
    print("\n".join(wrong + [f"{len(named)} studies, {len(wrong)} things wrong"]))
    return 1 if wrong or not named else 0


if __name__ == "__main__":
    sys.exit(main())
