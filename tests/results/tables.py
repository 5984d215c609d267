# SPDX-License-Identifier: Apache-2.0
"""Tables and pictures of one study."""
from results.kept import AXES, KEPT, MEASURES, TASKS, Figure, count, figures, number, number_of_times, study, table


def pictures(read):
    """Comparisons show samples and communication rounds; a figure of their computation rounds is in the study's folder."""
    seen = []
    for view in read["views"]:
        name = f'results/{read["study"]}-{view["measure"]}-{view["axis"]}.svg'
        if read.get("grid") and view["axis"] == "computation_rounds":
            continue
        words = f"{MEASURES[view['measure']]} against {AXES[view['axis']]}"
        seen.append(f'<img src="{name}" width="49%" alt="{words}">')
    return seen


def comparison_table(read):
    lines = [one.line for one in figures(read, read["views"][0]["axis"])]
    rows = []
    for view in read["views"]:
        for measure in ("loss_mean_point", "loss_worst", "accuracy"):
            cells = figures(read, view["axis"], measure)
            if all(not one.by_seed or set(one.by_seed) == {None} for one in cells) and measure == "accuracy":
                continue
            settings = [f"{one}, {one.setting}" if measure == "loss_mean_point" else str(one) for one in cells]
            rows.append([f"{count(view['budget'])} {AXES[view['axis']]}: {MEASURES[measure]}"] + settings)
        rows.append([f"… {price_words(view['axis'])}"] + [price(one.shown, view["axis"]) for one in figures(read, view["axis"])])
    return table([""] + lines, rows)


def price_words(axis):
    return "price in communication rounds; samples" if axis == "computation_rounds" else \
        "price in communication rounds" if axis == "samples" else "price in samples"


def price(shown, axis):
    rounds, samples = count(shown["counts"]["communication_rounds"]), count(shown["counts"]["samples"])
    return f"{rounds}; {samples}" if axis == "computation_rounds" else rounds if axis == "samples" else samples


def ablation_table(read):
    views = [(view["axis"], view["measure"], view["budget"]) for view in read["views"]]
    heads = [f"{MEASURES[measure]}, {count(budget)} {AXES[axis]}" for axis, measure, budget in views]
    columns = [figures(read, axis, measure) for axis, measure, _ in views]
    rows = [[cells[0].line] + [str(one) for one in cells] for cells in zip(*columns)]
    rows += [[refused["line"], "refused: " + refused["reason"]] + [""] * (len(heads) - 1) for refused in read.get("refused", [])]
    return table([""] + heads, rows, right=True)


def study_text(read, titled=True):
    rows = comparison_table(read) if read.get("grid") else ablation_table(read)
    settings = f"[settings](results/{read['study']}.json)"
    return [f"**{read['title']}** ({settings})" if titled else settings, ""] + pictures(read) + [""] + rows


def comparisons_text(order, task, splits):
    """All comparisons of a task, folded."""
    text = []
    for split in splits:
        for grid in ("wide", "paper"):
            read = study(f"{order}-{task}-{split}-{grid}")
            if read:
                text += [f"<details><summary>{read['title']}</summary>", ""] + study_text(read, titled=False) + ["", "</details>", ""]
    return text or ["Not made yet."]


def map_table(read):
    """A row for each batch and split, a column for each graph: DOC²S against ME-DOL at equal samples, and the price."""
    cells, graphs, heads = {}, [], []
    for one in read["shown"]:
        label, batch, split, graph = one["line"].split(", ")
        cells[label, batch, split, graph] = one
        graphs += [graph] if graph not in graphs else []
        heads += [(batch, split)] if (batch, split) not in heads else []
    rows = []
    for batch, split in heads:
        row_cells = [f"{batch}, {split}"]
        for graph in graphs:
            ours, theirs = (Figure(cells[label, batch, split, graph], "loss_mean_point") for label in ("DOC²S", "ME-DOL"))
            row_cells.append(map_cell(ours, theirs))
        rows.append(row_cells)
    head = f"**{read['title']}** ([settings](results/{read['study']}.json))"
    return [head, ""] + table([f"loss at {count(read['views'][0]['budget'])} samples"] + graphs, rows)


def map_cell(ours, theirs):
    diverged = [name for name, one in (("DOC²S", ours), ("ME-DOL", theirs)) if not one.known]
    if diverged:
        return f"{' and '.join(diverged)} diverged"
    rounds = ours.shown["counts"]["communication_rounds"] / theirs.shown["counts"]["communication_rounds"]
    mark = "**" if ours.clear_of(theirs) else "*" if theirs.clear_of(ours) else ""
    return f"{mark}{number(ours.mean)} : {number(theirs.mean)}{mark}, {ours.setting.split(', ')[-1]}, {number_of_times(rounds)} × the rounds"


def sizes_table():
    """The counts, trials and tuning of each comparison that was made."""
    rows = {}
    for task in TASKS:
        for path in sorted(KEPT.glob(f"*-{task}-*-*.json")):
            read = study(path.stem)
            if not path.stem.startswith(("first-", "zeroth-")) or path.stem.split("-", 1)[1].rsplit("-", 2)[0] != task:
                continue
            budgets = "; ".join(count(view["budget"]) for view in read["views"])
            trials = sum(one["axis"] == "samples" and one["line"] == "ME-DOL" for one in read["grid"])
            rows.setdefault((TASKS[task], read["scale"], budgets, str(trials), f"{read['tuning_share']:g}"), []).append(path.stem)
    cells = [[task, scale, budgets, trials, share, ", ".join(sorted({name.split("-")[0] for name in names}))]
             for (task, scale, budgets, trials, share), names in rows.items()]
    return table(["", "size", "samples; computation rounds; communication rounds", "trials", "of the count, for trials", "orders"], cells)
