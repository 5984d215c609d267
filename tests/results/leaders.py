# SPDX-License-Identifier: Apache-2.0
"""The page's first tables: all methods side by side, task by task, and who leads."""
from results import travel
from results.kept import ORDERS, SPLITS, TASKS, best, figures, number, study, table

METHODS = {"DOC²S": ("DOC²S",), "doc2s-travel": ("doc2s-travel",), "token": ("token",), "ME-DOL": ("ME-DOL",), "DSGD": ("DSGD",),
           "gradient tracking, or DGFM": ("gradient tracking", "DGFM"), "DGFM⁺": ("DGFM⁺",)}
NOT_RUN = "not run"


def after(read, axis):
    """64,000 samples, on one line of a cell."""
    return travel.budget(read, axis).replace("computation", "comp.").replace("communication", "comm.").replace(" ", "\u00a0")


def studies():
    """(order, its name, study): with all methods where it was made, else with the paper's on the wide grid."""
    for order in ORDERS:
        for task, title in TASKS.items():
            for split, words in SPLITS.items():
                read = study(f"travel-{order}-{task}-{split}") or study(f"{order}-{task}-{split}-wide")
                if read:
                    yield order, f"{order} order, {title}, {words}", read


def contest(read, axis):
    """Each method's best line, None where it was not run, who lead (the best, and those that it does not beat with every seed), and whether its seeds' range is clear of all."""
    ours = {}
    for name, beginnings in METHODS.items():
        lines = [one for one in figures(read, axis) if one.line.split(",")[0] in beginnings]
        ours[name] = best(lines) or (lines[0] if lines else None)
    known = [one for one in ours.values() if one and one.known]
    leader = best(known) if ours["token"] else None  # where not all were run, nobody is said to lead
    leaders = [name for name, one in ours.items() if leader and one in known and (one is leader or leader.against(one) != "ahead")]
    return ours, leaders, bool(leader) and all(one is leader or leader.clear_of(one) for one in known)


def cell(name, ours, leaders, clear):
    one = ours[name]
    if one is None:
        return NOT_RUN
    mark = "" if name not in leaders else "**" if clear else "*"
    return f"{mark}{number(one.mean) if one.known else 'diverged'}{mark}"


def leaders_table():
    rows = []
    for order, words, read in studies():
        axes = [view["axis"] for view in read["views"]]
        contests = [contest(read, axis) for axis in axes]
        cells = [words, "<br>".join(after(read, axis) for axis in axes)]
        for name in METHODS:
            column = [cell(name, *each) for each in contests]
            cells.append("–" if name == "DGFM⁺" and order == "first" else NOT_RUN if set(column) == {NOT_RUN} else "<br>".join(column))
        rows.append(cells)
    return table(["loss", "after", *METHODS], rows)


def counted_table():
    rows = []
    for order, title in ORDERS.items():
        for axis, words in travel.AXES.items():
            leaders = [contest(read, axis)[1:] for which, _, read in studies() if which == order and axis in {view["axis"] for view in read["views"]}]
            led = [each for each in leaders if each[0]]
            cells = [f"{sum(name in names for names, _ in led)} ({sum(clear and name in names for names, clear in led)})" for name in METHODS]
            rows.append([f"{title.lower()}, {words}: {len(led)} tasks"] + (cells[:-1] + ["–"] if order == "first" else cells))
    return table(["leads, alone or level with others (alone)", *METHODS], rows)
