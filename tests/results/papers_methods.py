# SPDX-License-Identifier: Apache-2.0
"""DOC²S against the best of the paper's other methods, on each axis, task, split and grid."""
from results.kept import AXES, MEASURES, SPLITS, TASKS, best, figures, number_of_times, study, table

TUNED, PAPERS = "DOC²S, R tuned", "DOC²S, R = 2"
GRIDS = ("wide", "paper")


class Contest:
    """A line of DOC²S against the best of the other methods."""

    def __init__(self, read, axis, measure, line=TUNED):
        self.lines = figures(read, axis, measure)
        self.axis = axis
        self.doc2s = next(one for one in self.lines if one.line == line)
        self.others = [one for one in self.lines if not one.line.startswith("DOC²S")]
        self.other = best(self.others)

    @property
    def outcome(self):
        """ahead or behind: better or worse with every seed; else level. A side that diverged is behind; None: no figures."""
        if not self.doc2s.by_seed or all(value is None for one in self.lines for value in one.by_seed):
            return None
        if not self.doc2s.known or self.other is None:
            return "behind" if self.other else "ahead" if self.doc2s.known else "level"
        return self.doc2s.against(self.other)

    def words(self, one):
        """A line with its figures; DOC²S with its R and, at equal samples, the price."""
        if not one.line.startswith("DOC²S"):
            return f"{one.line} {one}"
        rounds = one.setting.split(", ")[-1] if "R " in one.setting else "R 2"
        name = "DOC²S" if one.line == TUNED else "DOC²S (R = 2)"
        text = f"{name} {one}" + (f", {rounds}" if one.line == TUNED else "")
        if self.axis == "samples" and self.other:
            ours, theirs = (each.shown["counts"]["communication_rounds"] for each in (one, self.other))
            text += f", {number_of_times(ours / theirs)} × the rounds"
        return text

    def __str__(self):
        """The two lines of DOC²S and the best of the others, the best first; bold where it is clear of the other side."""
        if self.outcome is None:
            return "–"
        three = [one for one in self.lines if one.line.startswith("DOC²S")] + ([self.other] if self.other else [])
        known = [one for one in three if one.known]
        leader = best(known)
        lines = sorted(known, key=lambda one: -one.mean if one.measure == "accuracy" else one.mean)
        rivals = [one for one in known if one.line.startswith("DOC²S") != leader.line.startswith("DOC²S")]
        clear = all(leader.clear_of(one) for one in rivals)
        texts = [self.words(one) for one in lines] + [f"{one.line} {one}" for one in three if not one.known]
        return "<br>".join([f"**{texts[0]}**" if clear else texts[0]] + texts[1:])


def comparisons(order, grid):
    """(task, split, study or None where it was not run)"""
    for task in TASKS:
        for split in SPLITS:
            yield task, split, study(f"{order}-{task}-{split}-{grid}")


def size_words(read):
    return "" if read["scale"] == "page" else f" ({read['scale']} size)"


def papers_table(order, grid, measure):
    rows, missing = [], []
    for task, split, read in comparisons(order, grid):
        name = f"{TASKS[task]}, {SPLITS[split]}"
        if read is None:
            missing.append(name)
            continue
        cells = [str(Contest(read, axis, measure)) for axis in AXES]
        if set(cells) != {"–"}:
            rows.append([name + size_words(read)] + cells)
    heads = ["samples", "computation rounds", "communication rounds, and bytes alike"]
    made = table([MEASURES[measure]] + heads, rows) if rows else []
    return made + (["", f"Not run: {'; '.join(missing)}."] if missing and measure == "loss_mean_point" else [])


def tally(order, grid, axis, line=TUNED, splits=SPLITS):
    """How often a line of DOC²S is ahead, level and behind in the loss at the mean point."""
    outcomes = [Contest(read, axis, "loss_mean_point", line).outcome
                for _, split, read in comparisons(order, grid) if read and split in splits]
    return {word: outcomes.count(word) for word in ("ahead", "level", "behind")}


def tally_words(counts):
    return f"{counts['ahead']} / {counts['level']} / {counts['behind']}"
