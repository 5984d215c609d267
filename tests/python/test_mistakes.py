# SPDX-License-Identifier: Apache-2.0
"""Mistakes: one sentence each, an exception of the usual kind, nothing run and nothing overwritten."""
import numpy as np
import networkx
import pytest

import doc2s
from problems import Regression, distance


class Problem(Regression):
    def __init__(self, **changed):
        super().__init__()
        self.__dict__.update(changed)


def minimize(problem=distance, **more):
    if problem is distance:
        more = {"clients": 4, "dimension": 3, **more}
    return doc2s.minimize(problem, **{"K": 2, "T": 5, **more})


def returning(result):
    return lambda: minimize(lambda i, x: result, clients=4, dimension=3)


def valued(result):
    return lambda: minimize(Problem(value=lambda i, batch, x: result, has_gradient=True))


kept = []


def keeper(i, x):
    kept.append(x[:1])
    return 0.0


CASES = {
    "an unknown option": (lambda: minimize(etta=0.1), TypeError, 'unknown option "etta"; did you mean "eta"?'),
    "an unknown keyword": (lambda: minimize(grap="ring"), TypeError, 'unknown option "grap"; did you mean "graph"?'),
    "lr": (lambda: minimize(lr=0.1), TypeError, 'unknown option "lr"; doc2s calls it "eta"'),
    "learning_rate": (lambda: minimize(method="dsgd", learning_rate=0.1), TypeError, 'doc2s calls it "eta"'),
    "maxiter": (lambda: minimize(maxiter=100), TypeError, 'doc2s calls it "iterations"'),
    "n_iter": (lambda: minimize(n_iter=100), TypeError, 'doc2s calls it "iterations"'),
    "max_iter": (lambda: minimize(method="dgfm", max_iter=100), TypeError, 'doc2s calls it "iterations"'),
    "epochs": (lambda: minimize(epochs=10), TypeError, 'doc2s calls it "K"'),
    "epochs without epochs": (lambda: minimize(method="dsgd", epochs=10), TypeError, 'doc2s calls it "iterations"'),
    "jac": (lambda: minimize(jac=True), TypeError, 'unknown option "jac"; return (value, gradient)'),
    "bounds": (lambda: minimize(bounds=[(0, 1)]), TypeError, "doc2s knows no constraints"),
    "n_trials": (lambda: doc2s.tune(distance, {"samples": 64}, n_trials=3), TypeError, 'doc2s calls it "trials"'),
    "a method in capitals": (lambda: minimize(method="DSGD"), doc2s.Error, '"DSGD" is not known; did you mean "dsgd"?'),
    "several methods": (lambda: doc2s.tune(distance, {"samples": 64}, clients=4, dimension=3, method=["dsgd", "token"]), TypeError, 'must be one name; doc2s.sweep takes several: {"method": [...]}'),
    "a theory of none": (lambda: minimize(method="dsgd", parameters="theory", delta=1, epsilon=1), doc2s.Error, "dsgd has no theorem to take them from; leave it out, or take one of doc2s, doc2s-travel"),
    "a batch of a function": (lambda: minimize(batch=4), doc2s.Error, "batch is 4, and a function f(i, x) is one sample a client"),
    "a plan of a problem": (lambda: doc2s.plan(1, 1, source=distance), TypeError, "source is function, and must be a config"),
    "a seed below 0": (lambda: minimize(seed=-1), doc2s.Error, "seed: -1 is out of range"),
    "batch_size": (lambda: minimize(batch_size=10), TypeError, 'doc2s calls it "batch"'),
    "random_state": (lambda: minimize(random_state=10), TypeError, 'doc2s calls it "seed"'),
    "a budget of nothing": (lambda: minimize(budget=1000), doc2s.Error, "budget is 1000, and must say of what: samples=1000 or iterations=1000"),
    "a budget of an unknown count": (lambda: minimize(budget={"sample": 1000}), doc2s.Error, 'did you mean "budget.samples"?'),
    "no gap": (lambda: doc2s.minimize(distance, clients=4, dimension=3, parameters="theory", delta=1, epsilon=1, lipschitz=1), doc2s.Error, "give gap = 1.0"),
    "no Lipschitz constant": (lambda: doc2s.minimize(distance, clients=4, dimension=3, parameters="theory", delta=1, epsilon=1, gap=1), doc2s.Error, "give lipschitz = 1.0"),
    "a plan without a gap": (lambda: doc2s.plan(1, 1, clients=4, dimension=3, lipschitz=1, gradient_bound=1), doc2s.Error, "gap= is missing; give it, or source= a config"),
    "a plan with two goals": (lambda: doc2s.plan(1, 1, samples=9, clients=4, dimension=3, lipschitz=1, gradient_bound=1, gap=1), doc2s.Error, "takes the place of epsilon"),
    "a plan without a goal": (lambda: doc2s.plan(1, clients=4, dimension=3, lipschitz=1, gradient_bound=1, gap=1), doc2s.Error, "a budget in its place: samples="),
    "a budget that is no whole number": (lambda: doc2s.tune({}, {"samples": "a"}, out="t"), doc2s.Error, 'give a whole number, as in {"samples": 64000}'),
    "a key of others": (lambda: doc2s.explain("lr"), doc2s.Error, 'there is no key "lr"; doc2s calls it "eta"'),
    "set as a text": (lambda: minimize(set="method.eta=1"), TypeError, "set is 'method.eta=1', and must be a dict"),
    "a range that is none": (lambda: doc2s.tune({}, {"samples": 64}, out="t", over={"method.eta": 0.1}), doc2s.Error, 'over["method.eta"] is 0.1, and must be a range'),
    "values that are none": (lambda: doc2s.sweep(Problem(), {"eta": 0.1}, out="t"), doc2s.Error, 'over["method.eta"] is 0.1, and must be a list of values: [0.1]'),
    "a config of dicts": (lambda: doc2s.sweep({"methdo": {}}, {"seed": [1]}, out="t"), doc2s.Error, "config:1:2: unknown section"),
    "a tune's budget of nothing": (lambda: doc2s.tune({}, 1000, out="t"), doc2s.Error, 'budget is 1000, and must say of what: {"samples": 1000}'),
    "another order": (lambda: minimize(order="second"), doc2s.Error, "choose one of first, zeroth"),
    "an unknown short key": (lambda: minimize(set={"etta": 1}), TypeError, 'unknown option "etta"; did you mean "eta"?'),
    "an unknown key": (lambda: minimize(set={"method.etta": 1}), doc2s.Error, 'unknown key "etta" in [method]; did you mean "eta"?'),
    "an option's type": (lambda: minimize(eta="a"), doc2s.Error, 'eta: method.eta: "a" is a text; it must be a number above 0'),
    "an option's range": (lambda: minimize(eta=-1), doc2s.Error, "eta: method.eta: -1 is out of range"),
    "an option's value": (lambda: minimize(eta=object()), TypeError, "eta: has a value of type object"),
    "an unknown method": (lambda: minimize(method="docs"), doc2s.Error, '"docs" is not known; did you mean "doc2s"?'),
    "an unknown graph": (lambda: minimize(graph="rings"), doc2s.Error, '"rings" is not known; did you mean "ring"?'),
    "a graph's option": (lambda: minimize(graph_options={"neighbour": 3}), doc2s.Error, 'did you mean "neighbours"?'),
    "a graph in parts": (lambda: minimize(graph=[(0, 1), (2, 3)]), doc2s.Error, "network.edges: the graph is not connected: it has 2 components"),
    "networkx in parts": (lambda: minimize(graph=networkx.Graph([(0, 1), (2, 3)])), doc2s.Error, "the graph is not connected"),
    "a graph of others": (lambda: minimize(graph=networkx.cycle_graph(5)), doc2s.Error, "the graph has 5 clients, and the problem 4"),
    "a directed graph": (lambda: minimize(graph=networkx.DiGraph([(0, 1)])), doc2s.Error, "the graph is directed"),
    "edges that leave": (lambda: minimize(graph=[(0, 1), (1, 9)]), doc2s.Error, "network.edges:2: there is no client 9"),
    "a loop": (lambda: minimize(graph=[(0, 1), (1, 1)]), doc2s.Error, "client 1 is joined to itself"),
    "weights that do not sum": (lambda: minimize(graph=np.full((4, 4), 0.3)), doc2s.Error, "network.matrix"),
    "negative weights": (lambda: minimize(graph=np.array([[1.5, -.5, 0, 0], [-.5, 1.5, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]])), doc2s.Error, "is negative"),
    "no graph": (lambda: minimize(graph=3.5), TypeError, "a graph cannot be made from this array of shape ()"),
    "a cube": (lambda: minimize(graph=np.zeros((2, 2, 2))), TypeError, "array of shape (2, 2, 2)"),
    "no clients": (lambda: doc2s.minimize(distance, dimension=3), TypeError, "clients= is missing"),
    "no dimension": (lambda: doc2s.minimize(distance, clients=3), TypeError, "dimension= is missing"),
    "half a client": (lambda: minimize(clients=2.5), TypeError, "clients must be a whole number, not 2.5"),
    "0 clients": (lambda: minimize(clients=0), doc2s.Error, "clients is 0, and must be at least 1"),
    "another dimension": (lambda: minimize(Problem(), dimension=7), doc2s.Error, "dimension is 7, and the problem's is 5"),
    "no problem": (lambda: doc2s.minimize(3), TypeError, "a problem cannot be made from int"),
    "x0 of another size": (lambda: minimize(x0=[1.0, 2.0]), doc2s.Error, "x0 has the shape (2,), and x has (3,)"),
    "x0 that is not finite": (lambda: minimize(x0=[1.0, 2.0, np.inf]), doc2s.Error, "x0 holds a number that is not finite"),
    "nan": (returning(np.nan), doc2s.Error, "f(i, x), client 0: returned nan at a finite point"),
    "no number": (returning(None), TypeError, "f(i, x), client 0: returned NoneType, which is no number"),
    "a text": (returning("0.5"), TypeError, "returned str, which is no number"),
    "a complex number": (returning(1j), TypeError, "returned complex, which is no number"),
    "numbers": (returning(np.zeros(3)), TypeError, "returned numpy.ndarray, which is no number"),
    "three things": (returning((1.0, 2.0, 3.0)), TypeError, "returned 3 things"),
    "a gradient too long": (returning((0.0, np.zeros(4))), doc2s.Error, "returned an array of shape (4,), and x has (3,)"),
    "a gradient in rows": (returning((0.0, np.zeros((3, 1)))), doc2s.Error, "returned an array of shape (3, 1), and x has (3,)"),
    "a gradient of texts": (returning((0.0, ["a", "b", "c"])), TypeError, "in place of an array of numbers"),
    "a complex gradient": (returning((0.0, np.zeros(3, dtype=complex))), TypeError, "in place of an array of numbers"),
    "a ragged gradient": (returning((0.0, [[1], [2, 3]])), TypeError, "in place of an array of numbers"),
    "a gradient that fails": (valued(0.5), doc2s.Error, "returned a number alone, and a gradient is wanted"),
    "a wrong gradient": (lambda: minimize(lambda i, x: (x @ x, -2 * x), clients=4, dimension=3, x0=[1.0, 2, 3]), doc2s.Error, "the gradient has the wrong sign"),
    "a gradient left empty": (lambda: minimize(Problem(value=lambda i, batch, x, gradient: 0.5)), doc2s.Error, "left 5 of 5 numbers of the gradient unset"),
    "first order without": (lambda: minimize(order="first"), doc2s.Error, 'return (value, gradient), or type order="zeroth"'),
    "no samples": (lambda: minimize(Problem(samples=lambda i: 0)), doc2s.Error, "samples(0) returned 0"),
    "half a sample": (lambda: minimize(Problem(samples=lambda i: 1.5)), TypeError, "samples(0) returned 1.5, which is no whole number"),
    "too many samples": (lambda: minimize(Problem(samples=lambda i: 99), batch=50), IndexError, "out of bounds"),
    "another precision": (lambda: minimize(Problem(precision="float16")), doc2s.Error, 'precision is "float16"'),
    "x kept": (lambda: minimize(keeper, clients=4, dimension=3), doc2s.Error, "keeps an array that it was given, which changes after the call; keep a copy: x.copy()"),
    "x written to": (lambda: minimize(lambda i, x: x.__setitem__(0, 1.0), clients=4, dimension=3), ValueError, "read-only"),
    "no callback": (lambda: minimize(callback=3), TypeError, "callback is int"),
    "resume without out": (lambda: minimize(resume=True), doc2s.Error, "nothing to resume without a directory"),
    "no config": (lambda: doc2s.run("nowhere.toml"), doc2s.Error, "nowhere.toml: there is no such file"),
    "a number as config": (lambda: doc2s.run(3), TypeError, "a config is a path or a dict, not int"),
    "an unknown key of a config": (lambda: doc2s.run({"method": {"etta": 1}}), doc2s.Error, 'config:2:1: unknown key "etta" in [method]'),
    "an empty directory": (lambda: doc2s.load("."), doc2s.Error, "holds no run that has ended"),
    "an unknown question": (lambda: doc2s.explain("etta"), doc2s.Error, 'there is no key "etta"; did you mean'),
    "no rounds": (lambda: doc2s.spectrum("ring", 8, rounds=0), doc2s.Error, "rounds"),
    "a plan's option": (lambda: doc2s.plan(0.1, 0.1, lipshitz=1), TypeError, 'did you mean "lipschitz"?'),
    "a budget of two": (lambda: doc2s.tune({}, {"samples": 1, "bytes": 2}, out="t"), doc2s.Error, "budget has 2 counts, and must have one"),
    "a tune of a problem side by side": (lambda: doc2s.tune(Problem(), {"samples": 16}, out="t", jobs=2), doc2s.Error, "leave jobs out"),
    "a config with a keyword": (lambda: doc2s.sweep({}, {"seed": [1]}, out="t", eta=0.1), TypeError, 'set={"method.eta": 0.1}'),
    "a sweep over what is unknown": (lambda: doc2s.sweep(Problem(), {"etta": [1]}, out="t"), TypeError, 'did you mean "eta"?'),
    "a tune without a folder": (lambda: doc2s.tune({}, {"samples": 1}), doc2s.Error, "give out="),
    "a ball of radius 0": (lambda: doc2s.certify(minimize(Problem()), delta=0), doc2s.Error, "delta: a ball of radius 0 cannot be used"),
    "no such client": (lambda: minimize(Problem()).certify(client=9), doc2s.Error, "client is 9"),
}


@pytest.mark.parametrize("name", CASES)
def test_mistake(name, tmp_path):
    call, kind, sentence = CASES[name]
    with pytest.raises(kind) as caught:
        call()
    assert sentence in str(caught.value) and "seed: seed" not in str(caught.value)
    assert "\n" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_holds_a_run(tmp_path):
    minimize(out=tmp_path / "run")
    with pytest.raises(doc2s.Error, match="already holds a run; give another out=, or force=True to replace that run"):
        minimize(out=tmp_path / "run")


def listed(name, **more):
    with pytest.raises(TypeError) as caught:
        minimize(**{name: 1}, **more)
    return set(str(caught.value).split("choose one of ")[1].split(", "))


def test_lists_name_what_matters_for_the_method():
    doc2s_s, dsgd, theory = listed("foo"), listed("foo", method="dsgd"), listed("foo", parameters="theory")
    assert {"eta", "R", "K", "iterations", "samples", "graph", "seed", "batch"} <= doc2s_s
    assert not {"momentum", "beta", "travellers", "epsilon", "data", "hidden"} & doc2s_s
    assert {"momentum", "iterations"} <= dsgd and not {"R", "K", "T"} & dsgd
    assert {"epsilon", "gap"} <= theory - doc2s_s


def test_errors_are_values_that_are_wrong():
    assert issubclass(doc2s.Error, ValueError) and issubclass(doc2s.Diverged, doc2s.Error)
    assert doc2s.Error.__module__ == "doc2s"
