# SPDX-License-Identifier: Apache-2.0
"""Links that fail: a row for each method, a column for each share of losses."""
from results.kept import Figure, count, table


def links_table(read):
    cells, methods, losses = {}, [], []
    for one in read["shown"]:
        method, loss = one["line"].rsplit(", loss ", 1)
        cells[method, loss] = one
        methods += [method] if method not in methods else []
        losses += [loss] if loss not in losses else []
    rows = [[method] + [cell(cells[method, loss]) for loss in losses] for method in methods]
    head = f"**{read['title']}, {count(read['views'][0]['budget'])} samples** ([settings](results/{read['study']}.json))"
    return [head, ""] + table([""] + [f"{100 * float(loss):.0f} % of links down" for loss in losses], rows)


def cell(shown):
    """The loss, that of the worst client, and what it took."""
    counts = shown["counts"]
    return (f"{Figure(shown, 'loss_mean_point')}<br>worst {Figure(shown, 'loss_worst')}<br>"
            f"{count(counts['communication_rounds'])} rounds, {counts['bytes'] / 1e6:,.1f} MB")
