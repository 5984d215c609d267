# SPDX-License-Identifier: Apache-2.0
"""doc2s.run against the command line: equal hashes for every built-in problem and method; comparisons, resuming, questions."""
import csv
import json
import os
import subprocess

import numpy as np
import pytest

import doc2s
from doc2s import _options
from problems import Regression, distance

TINY = {"K": 3, "T": 5, "R": 1}
RUN = {"record_every": 5, "budget": {"iterations": 15}}
PROBLEMS = {"svm": {"name": "svm", "dimension": 30, "size": 200}, "mlp": {"name": "mlp", "size": 60, "hidden": [8]}}


def shell(program, *words, code=0):
    done = subprocess.run([str(word) for word in (program, *words)], capture_output=True, text=True, timeout=900)
    assert done.returncode == code, done.stderr
    return done.stdout


def by_command_line(program, config, folder):
    (folder / "config.toml").write_text(_options.to_toml(config))
    shell(program, "run", folder / "config.toml", "--out", folder / "there", "--quiet")
    return json.loads((folder / "there/summary.json").read_text())


def config_of(problem, method, order):
    names = {option["name"] for option in method["options"]}
    values = {"name": method["name"], "order": order, **{name: TINY[name] for name in TINY if name in names}}
    return {"seed": 3, "problem": problem, "clients": {"count": 6}, "method": values, "run": RUN}


ALL = [(problem, method, order) for problem in PROBLEMS for method in doc2s.methods() for order in method["orders"]]


@pytest.mark.parametrize("problem, method, order", ALL, ids=[f"{p} {m['name']} {o}" for p, m, o in ALL])
@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_equal_hashes(problem, method, order, precision, program, tmp_path):
    config = {**config_of(PROBLEMS[problem], method, order), "precision": precision}
    there, here = by_command_line(program, config, tmp_path), doc2s.run(config)
    assert here.summary["trajectory"] == there["trajectory"]
    for key in ("samples", "bytes", "communication_rounds", "loss_mean_point", "iterations"):
        assert here.summary[key] == there[key], key


@pytest.mark.parametrize("name", ["resnet18", "torchscript"])
def test_equal_hashes_by_libtorch(name, program, tmp_path):
    torch = pytest.importorskip("torch")
    problem = {"name": name, "size": 60, "batch": 4, "evaluation": 12}
    if name == "resnet18":
        problem["width"] = 0.125
    else:
        net = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(3 * 32 * 32, 10))
        torch.jit.script(net).save(str(tmp_path / "net.pt"))
        problem["model"] = str(tmp_path / "net.pt")
    config = {"problem": problem, "clients": {"count": 3}, "method": {"name": "doc2s", **TINY}, "run": RUN}
    try:
        here = doc2s.run(config)
    except doc2s.Error as error:
        if "without libtorch" in str(error):
            pytest.skip("built without libtorch")
        raise
    assert here.summary["trajectory"] == by_command_line(program, config, tmp_path)["trajectory"]


COMPARISON = {"problem": PROBLEMS["svm"], "clients": {"count": 6}, "run": {"record_every": 10},
              "method": [{"name": "doc2s", "K": 4, "T": 10}, {"name": "dsgd", "K": 30}, {"name": "doc2s", "K": 2, "T": 10}]}


def test_a_comparison(tmp_path):
    results = doc2s.run(COMPARISON)
    assert [r.summary["label"] for r in results] == ["doc2s", "dsgd", "doc2s-2"]
    written = doc2s.run(COMPARISON, out=tmp_path / "all")
    assert [r.summary["trajectory"] for r in written] == [r.summary["trajectory"] for r in results]
    assert [os.path.basename(r.directory) for r in written] == ["doc2s", "dsgd", "doc2s-2"]
    again = doc2s.run(COMPARISON, out=tmp_path / "all", resume=True)
    assert [r.summary for r in again] == [r.summary for r in written]


def test_certify_takes_all_runs_of_a_comparison(tmp_path, program):
    doc2s.run(COMPARISON, out=tmp_path / "all")
    bounds = doc2s.certify(tmp_path / "all", budget=10, which="last")
    assert [os.path.basename(one["run"]) for one in bounds] == ["doc2s", "doc2s-2", "dsgd"]
    assert bounds == json.loads(shell(program, "certify", tmp_path / "all", "--budget", 10, "--which", "last", "--json"))


def test_a_comparison_that_was_broken_off(tmp_path):
    seen = []

    def stop(record):
        seen.append(record["iteration"])
        return False if len(seen) == 7 else None  # within the second method
    first = doc2s.run(COMPARISON, out=tmp_path / "all", callback=stop)
    assert [r.status for r in first] == ["finished", "interrupted"]
    again = doc2s.run(COMPARISON, out=tmp_path / "all", resume=True)
    assert [r.summary["trajectory"] for r in again] == [r.summary["trajectory"] for r in doc2s.run(COMPARISON)]


def test_a_file_and_changes(tmp_path, program):
    config = config_of(PROBLEMS["svm"], doc2s.methods()[0], "first")
    there = by_command_line(program, config, tmp_path)
    here = doc2s.run(tmp_path / "config.toml", out=tmp_path / "here")
    assert here.summary["trajectory"] == there["trajectory"]
    for name in ("output.npy", "last.npy", "config.toml"):
        assert (tmp_path / "here" / name).read_bytes() == (tmp_path / "there" / name).read_bytes()
    changed = doc2s.run(tmp_path / "config.toml", set={"seed": 4, "run.budget": {"iterations": 10}})
    assert changed.summary["iterations"] == 10 and changed.summary["trajectory"] != there["trajectory"]
    assert doc2s.run(tmp_path / "config.toml", out=tmp_path / "here", resume=True).summary == here.summary


def test_questions_have_the_commands_answers(program, tmp_path):
    def asked(*words):
        return json.loads(shell(program, *words))
    assert doc2s.spectrum("torus", 12, graph_options={"rows": 3}, rounds=3) == asked(
        "network", "--graph", "torus", "--clients", 12, "--rows", 3, "--rounds", 3, "--json")
    assert doc2s.methods() == asked("list", "methods", "--json")
    plan = {"lipschitz": 1, "gradient_bound": 1, "gap": 1, "dimension": 10}
    for goal in ({"epsilon": 0.5}, {"epsilon": 0.5, "constants": "tight"}, {"samples": 5000}):
        here = doc2s.plan(0.5, **goal, clients=16, config=str(tmp_path / "plan.toml"), force=True, **plan)
        there = asked("plan", "--delta", 0.5, "--clients", 16, "--graph", "ring", "--json",
                      *[word for key, value in (plan | goal).items() for word in ("--" + key.replace("_", "-"), value)])
        clocks = {key for key in here if key.startswith("seconds")}
        assert {k: v for k, v in here.items() if k not in clocks} == {k: v for k, v in there.items() if k not in clocks}
    planned = doc2s.run(tmp_path / "plan.toml")
    assert planned.summary["samples"] == here["K"] * here["T"] <= 5000 and planned.status == "finished"
    doc2s.run(config_of(PROBLEMS["svm"], doc2s.methods()[0], "first"), out=tmp_path / "run")
    assert doc2s.certify(tmp_path / "run", delta=0.2, budget=20) == asked(
        "certify", tmp_path / "run", "--delta", 0.2, "--budget", 20, "--json")
    assert doc2s.load(tmp_path / "run").certify(delta=0.2, budget=20) == doc2s.certify(tmp_path / "run", delta=0.2, budget=20)


def test_explain():
    eta = doc2s.explain("method.eta")
    assert {one["key"] for one in eta} == {"method.eta"} and all(one["help"] and one["range"] for one in eta)
    assert len(doc2s.explain()) > 50
    assert "eta" in doc2s.minimize.__doc__ and eta[0]["help"] in doc2s.minimize.__doc__


def test_sweep(tmp_path):
    config, news = config_of(PROBLEMS["svm"], doc2s.methods()[0], "first"), []
    rows = doc2s.sweep(config, {"method.eta": [0.001, 0.1], "seed": [1, 2]}, out=tmp_path / "sweep", news=news.append)
    assert len(rows) == 4 and rows[0]["loss_mean_point"] <= rows[-1]["loss_mean_point"] and len(news) == 4
    assert doc2s.load(rows[0]["directory"]).summary["loss_mean_point"] == rows[0]["loss_mean_point"]
    again = doc2s.sweep(config, {"method.eta": [0.001, 0.1], "seed": [1, 2]}, out=tmp_path / "sweep")
    assert again == rows
    with open(tmp_path / "sweep/sweep.csv", encoding="utf-8", newline="") as file:
        table = list(csv.DictReader(file))
    assert [list(row) for row in table] == [list(row) for row in rows]
    for setting in {row["setting"] for row in rows}:
        losses = [row["loss_mean_point"] for row in rows if row["setting"] == setting]
        for row, text in zip(rows, table, strict=True):
            if row["setting"] == setting:
                assert row["runs"] == 2 and np.isclose(row["mean"], np.mean(losses)) and np.isclose(row["sd"], np.std(losses, ddof=1))
                assert (row["mean"], row["sd"]) == (float(text["mean"]), float(text["sd"]))
    assert {row["setting"] for row in rows if row["best"]} == {rows[0]["setting"]}


class Tiring(Regression):
    """Its answers depend on how often client 0 was asked before."""
    def __init__(self):
        super().__init__()
        self.asked = np.zeros(1)

    def state(self, i):
        return self.asked if i == 0 else np.zeros(1)

    def reset_state(self):
        self.asked[:] = 0

    def value(self, i, batch, x):
        self.asked += i == 0
        value, slope = super().value(i, batch, x)
        return value, slope / (1 + self.asked[0]) if i == 0 else slope


@pytest.mark.parametrize("problem", [Regression("float32"), distance])
def test_a_sweep_of_a_problem(tmp_path, problem):
    more = {"clients": 6, "dimension": 5, "graph": [(i, i + 1) for i in range(5)], "method": "dsgd", "order": "zeroth"}
    rows = doc2s.sweep(problem, {"eta": [0.01, 0.1], "seed": [1, 2], "iterations": [30]}, out=tmp_path / "swept", batch=1,
                       record_every=10, **more)
    assert len(rows) == 4
    for row in rows:
        eta, seed = (float(row["case"].split(name)[1].split(",")[0]) for name in ("eta=", "seed="))
        r = doc2s.minimize(problem, eta=eta, seed=int(seed), iterations=30, batch=1, record_every=10, **more)
        assert doc2s.load(row["directory"]).summary["trajectory"] == r.summary["trajectory"]


def test_a_sweep_over_budgets(tmp_path):
    rows = doc2s.sweep(Regression(), {"samples": [100, 6000], "T": [10, 50]}, out=tmp_path / "swept")
    assert {doc2s.load(row["directory"]).summary["samples"] for row in rows} == {100, 6000}


def test_a_sweep_over_methods_and_graphs(tmp_path):
    rows = doc2s.sweep(distance, {"method": ["dsgd", "token"], "graph": ["ring", "star"]}, out=tmp_path / "swept", clients=4,
                       dimension=2, samples=20_000, record_every=5000)  # more than the default length of either
    assert {(row["method"], doc2s.load(row["directory"]).summary["samples"]) for row in rows} == {("dsgd", 20_000), ("token", 20_000)}
    assert len(rows) == 4


def test_what_was_tuned_for_a_problem_can_be_run(tmp_path):
    problem = Regression()
    tuned = doc2s.tune(problem, {"samples": 320}, trials=4, out=tmp_path / "tuned", seed=5, record_every=10, K=3, T=10)
    best, = tuned["methods"]
    r = doc2s.minimize(problem, set=best["values"], seed=5, samples=320, record_every=10, T=10)
    assert [one["seed"] for one in best["seeds"]] == [5, 6, 7]
    first = doc2s.load(tmp_path / "tuned" / best["seeds"][0]["directory"])
    assert first.summary["trajectory"] == r.summary["trajectory"]


def test_a_study_of_a_problem_without_a_folder():
    more = {"clients": 4, "dimension": 2, "method": "dsgd", "record_every": 10}
    tuned = doc2s.tune(distance, {"samples": 320}, trials=3, over={"eta": (0.01, 0.1)}, set={"momentum": 0.5}, **more)
    assert set(tuned["methods"][0]["values"]) == {"method.eta"}
    rows = doc2s.sweep(distance, {"eta": [0.01, 0.1]}, samples=320, set={"momentum": 0.5}, **more)
    assert "momentum = 0.5" in doc2s.load(rows[0]["directory"]).config


def test_studies_of_another_problem_are_not_taken_over(tmp_path):
    more = {"clients": 4, "dimension": 2, "method": "dsgd", "record_every": 10}

    def sweep(f, **also):
        return doc2s.sweep(f, {"eta": [0.01, 0.1]}, out=tmp_path / "swept", samples=320, **more, **also)

    def tune(f, **also):
        return doc2s.tune(f, {"samples": 320}, trials=3, out=tmp_path / "tuned", **more, **also)
    for study in sweep, tune:
        answer = study(distance)
        assert study(distance) == answer
        for other in (lambda: study(lambda i, x: distance(i, x) ** 2), lambda: study(distance, x0=[1.0, 1.0])):
            with pytest.raises(doc2s.Error, match="holds a run of another function, x0 or network"):
                other()


def test_runs_of_a_study_begin_alike(tmp_path):
    more = {"iterations": 40, "check_gradient": False}
    for row in doc2s.sweep(Tiring(), {"eta": [0.01, 0.1]}, out=tmp_path / "swept", **more):
        eta = float(row["case"].split("eta=")[1])
        r = doc2s.minimize(Tiring(), eta=eta, out=tmp_path / str(eta), **more)
        assert doc2s.load(row["directory"]).summary["trajectory"] == r.summary["trajectory"]


def test_one_study_of_a_problem_at_a_time(tmp_path):
    def inner(text):
        doc2s.sweep(Regression(), {"eta": [0.1]}, out=tmp_path / "inner", iterations=5)
    with pytest.raises(doc2s.Error, match="another study"):
        doc2s.sweep(Regression(), {"eta": [0.1]}, out=tmp_path / "outer", iterations=5, news=inner)
    doc2s.sweep(Regression(), {"eta": [0.1]}, out=tmp_path / "inner", iterations=5)


def test_tune(tmp_path, program):
    config = config_of(PROBLEMS["svm"], doc2s.methods()[0], "first")
    config["run"] = {"record_every": 10}
    tuned = doc2s.tune(config, {"samples": 400}, trials=4, out=tmp_path / "here", over={"method.eta": (0.001, 1)})
    assert len(tuned["methods"]) == 1 and (tmp_path / "here/tuned.toml").exists()
    best = doc2s.run(tmp_path / "here/tuned.toml")
    assert best.summary["samples"] >= 400 and np.isfinite(best.x).all()
