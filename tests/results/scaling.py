# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/results.md from what `doc2s reproduce scaling` and `doc2s reproduce theorem` wrote.

scaling_table(json) and theorem_table(json) take the parsed file and give lines of Markdown.
"""
import statistics

from results.kept import row, setting_words

COUNTS = ("samples", "computation_rounds", "communication_rounds")


def median_of(line, count):
    """Over the seeds; a censored run is longer than any other. None where that is the median."""
    counts = sorted(float("inf") if run["censored"] else run[count] for run in line["runs"])
    median = counts[len(counts) // 2]
    return None if median == float("inf") else median


def count_cell(line, budget):
    """Samples and communication rounds of the median, how many seeds came to the goal where not all did, and the setting."""
    samples, rounds = median_of(line, "samples"), median_of(line, "communication_rounds")
    came = sum(not run["censored"] for run in line["runs"])
    text = f"> {budget:,}" if samples is None else f"{samples:,}; {rounds:,}"
    return text + ("" if came == len(line["runs"]) else f" ({came} of {len(line['runs'])})") + f", {setting_words(line['setting'])}"


def counts_table(study):
    methods = list(dict.fromkeys(line["method"] for line in study["lines"]))
    lines = [row(["graph", "n", "γ", "exact R"] + methods), row(["---", "---:", "---:", "---:"] + ["---"] * len(methods))]
    for cell in study["cells"]:
        here = [next(line for line in study["lines"] if line["method"] == method
                     and (line["graph"], line["clients"]) == (cell["graph"], cell["clients"])) for method in methods]
        lines.append(row([cell["graph"], str(cell["clients"]), f"{cell['gamma']:.4f}", str(cell["exact_R"])]
                         + [count_cell(line, study["budget_samples"]) for line in here]))
    return lines


def exponent(slope, name):
    if slope.get(name) is None:
        return "none"
    return f"{slope[name]:.2f} ± {slope[name + '_error']:.2f}"


def slopes_table(study):
    heads = ["", "count", "n, complete graphs", "n, rings and tori", "Table 1", "γ, rings and tori", "Table 1", "runs (censored)"]
    lines = [row(heads), row(["---", "---"] + ["---:"] * 6)]
    found = {(one["method"], one["count"], one["over"]): one for one in study["slopes"]}
    for method in dict.fromkeys(one["method"] for one in study["slopes"]):
        for count in COUNTS:
            complete, others = found[method, count, "complete graphs"], found[method, count, "rings and tori"]
            runs = " + ".join(f"{one['points']} ({one['censored']})" for one in (complete, others))
            lines.append(row([method, count.replace("_", " "), exponent(complete, "n"), exponent(others, "n"), f"{others['table_n']:g}",
                              exponent(others, "gamma"), f"{others['table_gamma']:g}", runs]))
    return lines


def scaling_table(study):
    return counts_table(study) + [""] + slopes_table(study)


def theorem_means(study):
    """Over all clients and seeds: what the theorem bounds in expectation."""
    lines = [row(["", "mean bound over clients and seeds", f"outputs with a bound of at most {study['epsilon']}"]), row(["---", "---:", "---:"])]
    for method in dict.fromkeys(run["method"] for run in study["runs"]):
        bounds = [bound for run in study["runs"] if run["method"] == method for bound in run["bounds"]]
        within = sum(bound <= study["epsilon"] for bound in bounds)
        lines.append(row([method, f"{statistics.mean(bounds):.4f}", f"{within} of {len(bounds)}"]))
    return lines


def gigabytes(bytes_):
    size = bytes_ / 1e9
    return f"{size:,.0f} GB" if size >= 100 else f"{size:.3g} GB"


def theorem_table(study):
    lines = [row(["", "seed", "K", "T", "R", "η", "D", "samples", "communication rounds", "bytes", "at the start", "least", "median", "largest", "mean",
                  f"at most {study['epsilon']}"]),
             row(["---"] + ["---:"] * 15)]
    for run in study["runs"]:
        bounds = run["bounds"]
        lines.append(row([run["method"], str(run["seed"]), f"{run['K']:,}", f"{run['T']:,}", "–" if run["R"] is None else str(run["R"]),
                          f"{run['eta']:.2g}", f"{run['D']:.2g}", f"{run['samples']:,}", f"{run['communication_rounds']:,}", gigabytes(run['bytes']),
                          f"{run['bound_at_start']:.4f}", f"{min(bounds):.4f}", f"{statistics.median(bounds):.4f}", f"{max(bounds):.4f}",
                          f"{statistics.mean(bounds):.4f}",
                          f"{run['certified']} of {run['clients']}"]))
    return theorem_means(study) + [""] + lines
