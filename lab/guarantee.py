# SPDX-License-Identifier: Apache-2.0
"""What a guarantee costs: `doc2s reproduce guarantee` starts python3 guarantee.py PROGRAM OUT SCALE.

a9a sorted by label over 16 clients on a ring, delta = 1. Of each plan its bytes and the epsilon that it promises; of each run its bytes and the largest
certified bound of a client's output. OUT has guarantee.json, bound-bytes.svg and the runs; what is there is not made again."""
import json
import subprocess
import sys
from pathlib import Path

try:
    import matplotlib
except ImportError:
    sys.exit("doc2s: the figure of `reproduce guarantee` is drawn by matplotlib, which is not installed; install Debian's package python3-matplotlib")

PROBLEM = {"problem.name": "svm", "problem.data": "a9a", "clients.count": 16, "clients.partition": "sorted", "network.graph": "ring"}
DELTA, TUNED_SAMPLES = 1, 64000
SCALES = {"quick": {"epsilons": (0.2,), "seeds": (1,), "trials": 8}, "page": {"epsilons": (0.2, 0.1, 0.05), "seeds": (1, 2, 3), "trials": 32}}
TITLES = {"doc2s": "DOC²S", "doc2s-travel": "doc2s-travel", "me-dol": "ME-DOL, tuned", "dsgd": "DSGD, tuned"}
COLOURS = {"doc2s": "#0072b2", "doc2s-travel": "#d55e00", "me-dol": "#009e73", "dsgd": "#cc79a7"}
LONGEST = 400000  # iterations of a plan of DOC²S that is run: half a minute


class Study:
    def __init__(self, program, out, scale):
        self.program, self.out, self.scale = program, Path(out), SCALES[scale]
        self.out.mkdir(parents=True, exist_ok=True)
        self.config = self.out / "a9a.toml"
        self.config.write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in PROBLEM.items()))

    def ask(self, *words, codes=(0,)):
        answer = subprocess.run([self.program, *map(str, words), "--quiet"], capture_output=True, text=True)
        if answer.returncode not in codes:
            sys.stderr.write(answer.stderr)
            sys.exit(answer.returncode)
        return answer.stdout

    def kept(self, name, make):
        """What `make` returns, from a file where it was made before."""
        path = self.out / f"{name}.json"
        if not path.exists():
            print(f"guarantee: {name}", file=sys.stderr, flush=True)
            path.write_text(json.dumps(make()))
        return json.loads(path.read_text())

    def plan(self, method, epsilon, constants):
        goal = ("--delta", DELTA, "--epsilon", epsilon, "--constants", constants, "--method", method)
        return json.loads(self.ask("plan", "--from", self.config, *goal, "--set", "method.rounds_rule=exact", "--json"))

    def guaranteed(self, method, epsilon, seed):
        name = f"{method}-{epsilon}-{seed}"
        words = ("--delta", DELTA, "--epsilon", epsilon, "--method", method, "--seed", seed, "--out", self.out / name, "--force", "--json")
        return self.kept(name, lambda: self.figures(json.loads(self.ask("guarantee", self.config, *words, codes=(0, 5)))["run"], self.out / name))

    def tuned(self, method, seed):
        name = f"{method}-tuned-{seed}"
        words = [word for key, value in {"method.name": method, **self.tuning(method), "run.budget.samples": TUNED_SAMPLES, "seed": seed}.items()
                 for word in ("--set", f"{key}={value}")]

        def make():
            self.ask("run", self.config, *words, "--out", self.out / name, "--force")
            return self.figures(json.loads((self.out / name / "summary.json").read_text()), self.out / name)
        return self.kept(name, make)

    def tuning(self, method):
        return self.kept(f"{method}-tuning", lambda: self.tune(method))

    def tune(self, method):
        folder = self.out / f"{method}-tune"
        self.ask("tune", self.config, "--set", f"method.name={method}", "--budget", f"samples={TUNED_SAMPLES}", "--trials", self.scale["trials"], "--by", "loss_worst",
                 "--out", folder)
        (answer,) = json.loads((folder / "tune.json").read_text())["methods"]
        return answer["values"]

    def figures(self, summary, folder):
        """The search for a bound does not end at epsilon: the least that it finds."""
        found = json.loads(self.ask("certify", folder, "--which", "output", "--delta", DELTA, "--json"))
        return {"bytes": summary["bytes"], "samples": summary["samples"], "loss_worst": summary["loss_worst"], "trajectory": summary["trajectory"],
                "bound": max(one["bound"] for one in found)}

    def points(self):
        """Rows of the figure: planned ones have no bound."""
        for epsilon in self.scale["epsilons"]:
            for method, constants in (("doc2s", "paper"), ("doc2s", "tight"), ("doc2s-travel", "tight")):
                plan = self.plan(method, epsilon, constants)
                row = {"method": method, "constants": constants, "epsilon": epsilon, "samples": plan["samples"],
                       "bytes": next(plan[key] for key in ("bytes_exact", "bytes") if plan.get(key) is not None)}
                is_run = constants == "tight" and (method != "doc2s" or plan["samples"] <= LONGEST)
                yield {**row, "runs": [{"seed": seed, **self.guaranteed(method, epsilon, seed)} for seed in self.scale["seeds"]] if is_run else []}
        for method in ("me-dol", "dsgd"):
            runs = [{"seed": seed, **self.tuned(method, seed)} for seed in self.scale["seeds"]]
            yield {"method": method, "constants": None, "epsilon": None, "set": self.tuning(method), "samples": runs[0]["samples"], "bytes": runs[0]["bytes"], "runs": runs}


def draw(points, path):
    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "doc2s", "font.size": 9, "legend.frameon": False, "axes.spines.top": False,
                                "axes.spines.right": False})
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(6.4, 3.6))
    for point in points:
        draw_point(axes, point)
    for epsilon in sorted({point["epsilon"] for point in points if point["epsilon"]}):
        axes.axhline(epsilon, color="#bbbbbb", linewidth=0.7, zorder=0)
        axes.annotate(f" ε = {epsilon:g}", (0.47, epsilon), xycoords=("axes fraction", "data"), va="bottom", color="#777777")
    axes.set(xscale="log", yscale="log", xlabel="bytes sent", ylabel="‖∇f‖₁ at the worst client")
    figure.legend(*unique(axes), loc="lower center", ncol=2)
    figure.tight_layout(rect=(0, 0.2, 1, 1))
    figure.savefig(path, metadata={"Date": None, "Title": "doc2s: what a guarantee costs"})


def draw_point(axes, point):
    colour, title = COLOURS[point["method"]], TITLES[point["method"]]
    if point["constants"]:
        title += f", {point['constants']} constants"
    if not point["runs"]:
        axes.scatter([point["bytes"]], [point["epsilon"]], s=45, facecolor="none", edgecolor=colour, hatch="//////",
                     marker="s" if point["constants"] == "paper" else "o", label=f"{title}: planned only")
        return
    bounds = [run["bound"] for run in point["runs"]]
    axes.plot([point["runs"][0]["bytes"]] * 2, [min(bounds), max(bounds)], color=colour, linewidth=1)
    if point["epsilon"]:
        axes.annotate(f"for {point['epsilon']:g}", (point["runs"][0]["bytes"], sum(bounds) / len(bounds)), xytext=(6, 0), textcoords="offset points", va="center",
                      fontsize=7, color=colour)
    axes.scatter([point["runs"][0]["bytes"]], [sum(bounds) / len(bounds)], s=30, color=colour, marker="o" if point["epsilon"] else "^", label=title)


def unique(axes):
    by_label = dict(zip(*reversed(axes.get_legend_handles_labels())))
    return [*by_label.values()], [*by_label]


def table(points):
    print(f"{'':34}{'epsilon':>8}{'samples':>15}{'GB sent':>17}   bound at the worst client")
    for point in points:
        bounds = [run["bound"] for run in point["runs"]]
        title = TITLES[point["method"]] + (f", {point['constants']} constants" if point["constants"] else "")
        shown = f"{sum(bounds) / len(bounds):.3f} ({min(bounds):.3f} to {max(bounds):.3f})" if bounds else "planned only"
        print(f"{title:34}{point['epsilon'] or '-':>8}{point['samples']:15,.0f}{point['bytes'] / 1e9:17,.3f}   {shown}")


def main(program, out, scale):
    study = Study(program, out, scale)
    points = list(study.points())
    kept = {"study": "guarantee", "title": "What a guarantee costs: a9a sorted by label over 16 clients on a ring, delta = 1", "scale": scale, "set": PROBLEM, "delta": DELTA,
            "tuned_samples": TUNED_SAMPLES, "seeds": study.scale["seeds"], "points": points}
    (study.out / "guarantee.json").write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n")
    draw(points, study.out / "bound-bytes.svg")
    table(points)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except KeyboardInterrupt:
        sys.exit(130)
