# SPDX-License-Identifier: Apache-2.0
"""A study: one task, one split. Its rows are tuned by halving and run with seeds that are not the tuning's."""
import json
import math
import random
from pathlib import Path

from .design import ROWS, SEEDS, SPLITS, TASKS, TUNING_SEED, neighbours
from .runs import ENDLESS, Runs

RULE = ("The settings of a row are run to the first length, and the neighbours of the best, half a decade away in eta or D, until none is better (three times at most). The best "
        "quarter by loss (two at least) goes on to the next length, the last spends all samples. On each axis the choice is the setting with the least loss within the budget "
        "among the trials that reach it; choices are run with the seeds. A figure is that of the last record within the budget; a run that ends before it has spent less. "
        "A diverged run loses, the earlier setting wins a tie.")
MEASURES = ("loss_mean_point", "loss_worst", "accuracy")


def value_at(run, axis, budget, measure="loss_mean_point"):
    """At the last record within the budget; None where the run had diverged by then."""
    spent = run["records"][axis]
    last = max(k for k, amount in enumerate(spent) if amount <= budget)
    if run["status"] == "diverged" and last == len(spent) - 1:
        return None
    return run["records"].get(measure, {last: None})[last]


def rank(value):
    return math.inf if value is None or math.isnan(value) else value


class Study:
    def __init__(self, name, runs, kept, configs, task=None, rows=None):
        self.name, self.runs, self.path = name, runs, Path(kept) / f"{name}.json"
        task_name, split, _order = name.rsplit("-", 2)
        self.task = task or TASKS[task_name]
        self.rows = rows or {key: row for key, row in ROWS.items() if not self.task.rows or key in self.task.rows}
        self.config = Path(configs) / f"{task_name}.toml"
        self.common = {**self.task.common, "clients.partition": split}
        head = {"study": name, "title": f"First order, {self.task.title}, samples {SPLITS[split]}", "config": self.config.name,
                "set": {**self.common, **ENDLESS}, "budgets": self.task.budgets(), "tuning_seed": TUNING_SEED, "seeds": list(SEEDS), "rule": RULE}
        self.kept = json.loads(self.path.read_text()) if self.path.exists() else {"runs": {}}
        differs = [key for key in ("set", "budgets") if key in self.kept and self.kept[key] != head[key]]
        if differs:
            raise SystemExit(f"lab: {self.path} was made with another {differs[0]}; move it away to begin anew")
        self.kept = {**head, "complete": False, "figures": self.kept.get("figures", []), "runs": self.kept["runs"]}

    def run(self, row, candidate, seed, length):
        """The kept run, if it is long enough, else the same one made or made longer."""
        settings = {"method.name": row.method, **candidate}
        key = " ".join([row.method, *(f"{name.split('.')[1]}={plain(value)}" for name, value in candidate.items()), f"seed={seed}"])
        kept = self.kept["runs"].get(key)
        if kept and (kept["iterations"] >= length or kept["status"] == "diverged"):
            return kept
        records = self.task.tuning if seed == TUNING_SEED else self.task.final
        shown = {**self.common, **ENDLESS, **records, **settings, "seed": seed}
        made = self.runs.make(f"{self.name}/{key.replace(' ', ',')}", self.config, shown, self.stages(row, seed, length))
        made["set"] = settings
        self.kept["runs"][key] = {"seed": seed, **made}
        self.save()
        print(f"{self.name}: {key}, {made['iterations']} iterations: loss {made['records']['loss_mean_point'][-1]}", flush=True)
        return self.kept["runs"][key]

    def stages(self, row, seed, length):
        detail = 1 if seed == TUNING_SEED else self.task.detail
        ends = row.lengths(self.task)
        every = [ends[0] // 4, ends[0], ends[1] // 2]
        starts = [0, *ends]
        return [(min(end, length), max(1, gap // detail)) for start, end, gap in zip(starts, ends, every) if start < length]

    def tune(self, row):
        """All trials of a row, [candidate, run]."""
        trials = [[one, None] for one in row.candidates()]
        left = trials
        for stage, length in enumerate(row.lengths(self.task)):
            order = self.ranked(row, left, length)
            for _ in range(3 if stage == 0 else 0):
                new = [[one, None] for one in neighbours(order[0][0]) if one not in [tried for tried, _ in trials]]
                if not new:
                    break
                trials += new
                order = self.ranked(row, trials, length)
            left = order[:max(2, math.ceil(len(order) / 4))]
        return trials

    def ranked(self, row, trials, length):
        for trial in trials:
            trial[1] = self.run(row, trial[0], TUNING_SEED, length)
        return sorted(trials, key=lambda trial: rank(value_at(trial[1], "iteration", length)))

    def choose(self, row, trials, axis, budget):
        """(candidate, iterations that the axis asks for)."""
        lengths = row.lengths(self.task)
        reached = [(one, run) for one, run in trials
                   if run["status"] == "diverged" or run["iterations"] >= lengths[-1] or run["records"][axis][-1] >= budget]
        best, run = min(reached, key=lambda pair: rank(value_at(pair[1], axis, budget)))
        iterations = [k for k, spent in zip(run["records"]["iteration"], run["records"][axis]) if spent >= budget]
        return best, min([*iterations, lengths[-1]])

    def figure(self, key, axis, budget, chosen, trials, runs):
        untried = [one for one in neighbours(chosen) if one not in [tried for tried, _ in trials]]
        by_seed = {measure: [value_at(run, axis, budget, measure) for run in runs] for measure in MEASURES if measure in runs[0]["records"]}
        return {"row": key, "title": self.rows[key].title, "method": self.rows[key].method, "axis": axis, "set": chosen, "untried_neighbours": len(untried), "by_seed": by_seed}

    def make(self):
        figures = []
        for key, row in self.rows.items():
            trials = self.tune(row)
            for axis, budget in self.task.budgets().items():
                chosen, length = self.choose(row, trials, axis, budget)
                runs = [self.run(row, chosen, seed, length) for seed in SEEDS]
                figures.append(self.figure(key, axis, budget, chosen, trials, runs))
            self.kept["figures"] = figures + [one for one in self.kept["figures"] if one["row"] not in {done["row"] for done in figures}]
            self.save()
        self.kept["complete"] = True
        self.save()
        self.runs.forget(self.name)

    def save(self):
        """One line a figure and a run, by a rename."""
        head = {key: value for key, value in self.kept.items() if key not in ("figures", "runs")}
        lines = [f'"{key}": {dense(value)}' for key, value in head.items()]
        lines.append('"figures": [\n' + ",\n".join(dense(one) for one in self.kept["figures"]) + "\n]")
        lines.append('"runs": {\n' + ",\n".join(f"{dense(key)}: {dense(run)}" for key, run in sorted(self.kept["runs"].items())) + "\n}")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        written = self.path.with_suffix(".part")
        written.write_text("{\n" + ",\n".join(lines) + "\n}\n")
        written.replace(self.path)


def replay(path, program, configs, folder, at_most=math.inf):
    """Whether a random kept run, of those that took so many seconds at most, repeats to its hash."""
    read = json.loads(Path(path).read_text())
    key = random.choice([key for key, run in read["runs"].items() if run["seconds"] <= at_most])
    run = read["runs"][key]
    settings = {**read["set"], **run["set"], "seed": run["seed"]}
    again = Runs(program, folder).make(f"{read['study']},{key.replace(' ', ',')}", Path(configs) / read["config"], settings, [(run["iterations"], run["iterations"])])
    same = again["trajectory"] == run["trajectory"]
    print(f"{read['study']}: {key}: " + ("the same hash" if same else f"{again['trajectory']} is not {run['trajectory']}"), flush=True)
    return same


def plain(value):
    return f"{value:g}" if isinstance(value, float) else value


def dense(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
