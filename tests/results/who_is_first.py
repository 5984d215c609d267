"""The page's first tables: which method is first on which axis, task, split and grid."""
from results.kept import AXES, MEASURES, ORDERS, SPLITS, TASKS, best, figures, number_of_times, study, table


def is_doc2s(figure):
    return figure.line.startswith("DOC²S")


class Contest:
    """DOC²S, the better of its two lines, against the best of the other methods."""

    def __init__(self, read, axis, measure):
        lines = figures(read, axis, measure)
        self.axis = axis
        self.size = "" if read["scale"] == "page" else f" ({read['scale']} size)"
        self.paired = "-dirichlet-" in read["study"]  # each seed deals other samples: another f
        self.doc2s = best([one for one in lines if is_doc2s(one)])
        self.other = best([one for one in lines if not is_doc2s(one)])

    @property
    def outcome(self):
        """first, level (the seeds' ranges overlap), behind; None where a side has no figures."""
        if self.other is None or self.doc2s is None:
            return None
        if not self.doc2s.clear_of(self.other, self.paired):
            return "level"
        return "first" if self.doc2s.better_than(self.other) else "behind"

    @property
    def price(self):
        """How many times the other's communication rounds DOC²S took."""
        ours, theirs = (one.shown["counts"]["communication_rounds"] for one in (self.doc2s, self.other))
        return f", {number_of_times(ours / theirs)} × the rounds"

    def __str__(self):
        if self.outcome is None:
            return "–"
        rounds = self.doc2s.setting.split(", ")[-1] if "R " in self.doc2s.setting else "R 2"
        ours = f"DOC²S {self.doc2s}, {rounds}{self.price if self.axis == 'samples' else ''}"
        theirs = f"{self.other.line} {self.other}"
        if self.outcome == "first":
            return f"**{ours}**<br>{theirs}"
        if self.outcome == "behind":
            return f"**{theirs}**<br>{ours}"
        return f"{ours}<br>{theirs}" if self.doc2s.better_than(self.other) else f"{theirs}<br>{ours}"


def contests(order, grid, measure):
    """(task, split, axis, contest) of all comparisons that were made."""
    for task in TASKS:
        for split in SPLITS:
            read = study(f"{order}-{task}-{split}-{grid}")
            if read:
                for axis in AXES:
                    yield task, split, axis, Contest(read, axis, measure)


def first_table(order, grid, measure):
    rows = {}
    for task, split, axis, contest in contests(order, grid, measure):
        rows.setdefault((task, split, contest.size), []).append(str(contest))
    rows = [[f"{TASKS[task]}, {SPLITS[split]}{size}"] + cells for (task, split, size), cells in rows.items() if set(cells) != {"–"}]
    return table([MEASURES[measure]] + list(AXES.values()), rows) if rows else ["not made yet"]


def tally(order, grid, measure, axis=None, splits=SPLITS, tasks=TASKS):
    """How often DOC²S is first, level and behind."""
    outcomes = [contest.outcome for task, split, on, contest in contests(order, grid, measure)
                if axis in (None, on) and split in splits and task in tasks]
    return {word: outcomes.count(word) for word in ("first", "level", "behind")}


def tally_table():
    """Outcomes over all tasks, by split and axis."""
    rows = []
    for order in ORDERS:
        for grid in ("wide", "paper"):
            for split in SPLITS:
                counts = [tally(order, grid, "loss_mean_point", axis, [split]) for axis in AXES]
                if any(sum(each.values()) for each in counts):
                    rows.append([f"{ORDERS[order].lower()}, {SPLITS[split]}, {'wide' if grid == 'wide' else 'paper’s'} grid"]
                                + [" / ".join(str(each[word]) for word in ("first", "level", "behind")) for each in counts])
    return table(["DOC²S first / level / behind"] + list(AXES.values()), rows)
