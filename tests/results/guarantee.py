# SPDX-License-Identifier: Apache-2.0
"""What a guarantee costs: the table of results.md and the caption of the README's picture, from docs/results/guarantee.json."""
from .kept import count, number, study, table

TITLES = {"doc2s": "DOC²S", "doc2s-travel": "doc2s-travel", "me-dol": "ME-DOL, tuned", "dsgd": "DSGD, tuned"}


def spread(values):
    return f"{number(sum(values) / len(values))} ({number(min(values))}–{number(max(values))})"


def bytes_words(size):
    for unit, name in ((1e15, "PB"), (1e12, "TB"), (1e9, "GB")):
        if size >= unit:
            return f"{size / unit:.3g} {name}"
    return f"{size / 1e6:.3g} MB"


def guarantee_table():
    read = study("guarantee")
    rows = []
    for point in read["points"]:
        title = TITLES[point["method"]] + (f", {point['constants']} constants" if point["constants"] else "")
        bound, loss = (spread([run[key] for run in point["runs"]]) if point["runs"] else "planned only" for key in ("bound", "loss_worst"))
        rows.append([title, f"{point['epsilon']:g}" if point["epsilon"] else "–", count(point["samples"]), bytes_words(point["bytes"]), bound, loss])
    return table(["", "ε", "samples", "sent", "certified bound at the worst client", "loss"], rows)


def readme_text():
    read = study("guarantee")
    at = {(point["method"], point["constants"]): point for point in read["points"] if point["epsilon"] in (0.1, None)}
    travel, tight, paper, me_dol, dsgd = (at[key] for key in (("doc2s-travel", "tight"), ("doc2s", "tight"), ("doc2s", "paper"), ("me-dol", None), ("dsgd", None)))
    def bound(point):
        return spread([run["bound"] for run in point["runs"]])
    return [f"*What a guarantee costs: a9a sorted by label over 16 clients on a ring, δ = 1. For ε = 0.1 the paper's constants ask DOC²S to send {bytes_words(paper['bytes'])} "
            f"(planned, not run), the [tight ones](docs/theory.md#the-tight-constants) {bytes_words(tight['bytes'])}, and `doc2s-travel` {bytes_words(travel['bytes'])}; certified at the "
            f"worst client, mean and range of three seeds: {bound(tight)} and {bound(travel)}. Without a theorem, tuned and certified alike: ME-DOL {bound(me_dol)} after "
            f"{bytes_words(me_dol['bytes'])}, DSGD {bound(dsgd)} after {bytes_words(dsgd['bytes'])} ([the table](docs/results.md#what-a-guarantee-costs)).*"]
