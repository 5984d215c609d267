# SPDX-License-Identifier: Apache-2.0
"""What `doc2s reproduce` measured, as docs/results keeps it, and how a figure is written."""
import json
from pathlib import Path

DOCS = Path(__file__).resolve().parents[2] / "docs"
KEPT = DOCS / "results"
TASKS = {"a9a": "a9a", "rcv1": "rcv1", "mnist": "MNIST", "fashion-mnist": "Fashion-MNIST"}
SPLITS = {"iid": "iid", "dirichlet": "Dirichlet 0.1", "sorted": "sorted"}
ORDERS = {"first": "First order", "zeroth": "Zeroth order"}
AXES = {"samples": "samples", "computation_rounds": "computation rounds", "communication_rounds": "communication rounds"}
MEASURES = {"loss_mean_point": "loss", "loss_worst": "loss of the worst client", "accuracy": "test accuracy",
            "consensus": "consensus error of y", "consensus_x": "consensus error of x"}


def study(name):
    """The study's settings.json, or None where it was not made."""
    path = KEPT / f"{name}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def number(value):
    if value is None:
        return "diverged"
    if value != 0 and not 1e-2 <= abs(value) < 1e4:
        return f"{value:.2g}"
    return f"{value:.3f}"


def count(value):
    return f"{value:,.0f}"


def setting_words(setting):
    return setting.replace("eta=", "η ").replace("D=", "D ").replace("R=", "R ").replace(",", ", ")


def number_of_times(ratio):
    return f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.1f}"


class Figure:
    """A line's figures of one measure, by seed."""

    def __init__(self, shown, measure):
        self.shown, self.line, self.measure = shown, shown["line"], measure
        self.by_seed = shown["by_seed"].get(measure, [])

    @property
    def known(self):
        return bool(self.by_seed) and None not in self.by_seed

    @property
    def mean(self):
        return sum(self.by_seed) / len(self.by_seed)

    @property
    def setting(self):
        return setting_words(self.shown["setting"])

    def __str__(self):
        if not self.by_seed or all(value is None for value in self.by_seed):
            return "diverged" if self.by_seed else "–"
        if None in self.by_seed:
            return "diverged with some seeds"
        return f"{number(self.mean)} ({number(min(self.by_seed))}–{number(max(self.by_seed))})"

    def better_than(self, other):
        """Whether the mean is better."""
        return self.mean > other.mean if self.measure == "accuracy" else self.mean < other.mean

    def against(self, other):
        """ahead where it is better with every seed, behind where it is worse with every seed, else level."""
        signs = {(mine > its) - (mine < its) for mine, its in zip(self.by_seed, other.by_seed)}
        high = self.measure == "accuracy"
        return {(-1,): "behind" if high else "ahead", (1,): "ahead" if high else "behind"}.get(tuple(signs), "level")

    def clear_of(self, other):
        """Whether it is better and the ranges of the seeds do not overlap: only then is a best bold."""
        if self.measure == "accuracy":
            return min(self.by_seed) > max(other.by_seed)
        return max(self.by_seed) < min(other.by_seed)


def figures(read, axis, measure=None):
    """The lines of a study on an axis, in their order, with the view's own measure or another."""
    shown = [one for one in read["shown"] if one["axis"] == axis]
    if measure is None or any(one["measure"] == measure for one in shown):
        shown = [one for one in shown if one["measure"] == (measure or shown[0]["measure"])]
    return [Figure(one, measure or one["measure"]) for one in shown]


def best(candidates):
    """The one with the best mean, or None where none has figures."""
    leader = None
    for one in candidates:
        if one.known and (leader is None or one.better_than(leader)):
            leader = one
    return leader


def row(cells):
    return "| " + " | ".join(cells) + " |"


def table(head, rows, right=False):
    return [row(head), row(["---"] + ["---:" if right else "---"] * (len(head) - 1))] + [row(cells) for cells in rows]
