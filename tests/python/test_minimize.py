# SPDX-License-Identifier: Apache-2.0
"""doc2s.minimize: every form of problem and graph, what is lent to the user's code, callbacks, files."""
import math
import os
import pickle
import re
import subprocess
import sys
import threading

import networkx
import numpy as np
import pytest
import scipy.sparse

import doc2s
from problems import InPlace, Regression, distance

SMALL = {"K": 5, "T": 20, "eta": 0.05, "D": 0.1}


def hash_of(problem, **more):
    return doc2s.minimize(problem, **{**SMALL, **more}).summary["trajectory"]


def test_a_function():
    r = doc2s.minimize(distance, clients=5, dimension=3, seed=2, K=200)
    assert (r.status, r.x.shape, r.outputs.shape) == ("finished", (3,), (5, 3))
    assert np.abs(r.x - 2).max() < 0.5  # the median of 0 … 4
    assert r.summary["order"] == "zeroth" and "no gradient" in " ".join(r.notes)
    assert r.history["loss_mean_point"][-1] < r.history["loss_mean_point"][0]
    assert r.history["samples"].dtype == np.int64 and r.history["samples"][-1] == r.summary["samples"]


def test_a_function_with_gradient():
    r = doc2s.minimize(lambda i, x: (np.abs(x - i).sum(), np.sign(x - i)), clients=5, dimension=3, **SMALL)
    assert r.summary["order"] == "first"


@pytest.mark.parametrize("precision", ["float32", "float64"])
def test_forms_of_an_object_are_one(precision):
    r = doc2s.minimize(Regression(precision), batch=4, **SMALL)
    assert r.summary["precision"] == precision and r.summary["order"] == "first"
    assert hash_of(InPlace(precision), batch=4) == r.summary["trajectory"]
    assert hash_of(Regression(precision), batch=4, threads=3) == r.summary["trajectory"]
    assert hash_of(Regression(precision), batch=4, seed=9) != r.summary["trajectory"]


def test_graphs_of_every_kind_are_one():
    ring = hash_of(Regression(), graph="ring")
    n = Regression.clients
    edges = [(i, (i + 1) % n) for i in range(n)]
    named = networkx.relabel_nodes(networkx.cycle_graph(n), {i: f"site {i}" for i in range(n)})
    weights = np.zeros((n, n))
    for i in range(n):
        weights[i, [i - 1, i, (i + 1) % n]] = 1 / 3
    for graph in (networkx.cycle_graph(n), named, edges, np.array(edges), (weights > 0).astype(int) - np.eye(n, dtype=int),
                  weights, weights.tolist(), scipy.sparse.csr_matrix(weights)):
        assert hash_of(Regression(), graph=graph) == ring, type(graph)
    assert hash_of(Regression(), graph="ring", graph_options={"neighbours": 5}) != ring


@pytest.mark.parametrize("names", [range(1, 7), "abcdef", [(0, k) for k in range(6)]])
def test_nodes_become_clients_in_the_order_of_their_names(names):
    path = networkx.path_graph(6)
    named = networkx.relabel_nodes(path, dict(enumerate(names)))
    turned = networkx.Graph()
    turned.add_nodes_from(reversed(list(named)))
    turned.add_edges_from(named.edges)
    assert hash_of(Regression(), graph=turned) == hash_of(Regression(), graph=path)


def test_a_graph_of_ones_own_is_in_the_config_and_resumes(tmp_path):
    class Stop(Exception):
        pass

    def stop(record):
        if record["iteration"] == 60:
            raise Stop
    more = {"graph": networkx.petersen_graph(), "clients": 10, "record_every": 20}
    problem = type("Ten", (Regression,), {"clients": 10})()
    whole = hash_of(problem, **more)
    with pytest.raises(Stop):
        hash_of(problem, out=tmp_path / "run", callback=stop, checkpoint_every="20", **more)
    r = doc2s.minimize(problem, out=tmp_path / "run", resume=True, **{**SMALL, **more})
    assert r.summary["trajectory"] == whole and "checkpoint of iteration" in " ".join(r.notes)
    assert "edges = " in r.config and list(r.history["iteration"]) == list(range(0, 101, 20))


def address(array):
    return array.__array_interface__["data"][0]


@pytest.mark.parametrize("dimension", [100, 1_000_000])
def test_nothing_is_copied(dimension):
    """What the user's code gets lies in the engine's memory: few places, whatever the number of calls."""
    seen, flags = [], set()

    class Watching:
        clients = 3

        def samples(self, i):
            return 2

        def value(self, i, batch, x, gradient):
            seen.append(address(x))
            flags.add((x.flags.owndata, x.flags.writeable, batch.flags.owndata, batch.flags.writeable))
            if gradient is not None:
                flags.add((gradient.flags.owndata, gradient.flags.writeable))
                gradient[:] = np.sign(x - i)
            return float(np.abs(x[:10] - i).sum())
    problem = Watching()
    problem.dimension = dimension
    doc2s.minimize(problem, K=3, T=10, check_gradient=False)
    assert flags == {(False, False, False, False), (False, True)}
    assert len(seen) > 30 and len(set(seen)) < len(seen) / 2


def test_results_own_what_the_engine_made():
    r = doc2s.minimize(Regression(), **SMALL)
    for array in (r.x, r.outputs, *r.history.values()):
        assert not array.flags.owndata and type(array.base).__name__ == "PyCapsule" and array.flags.writeable


def test_x_may_be_returned_as_the_gradient():
    r = doc2s.minimize(lambda i, x: (0.5 * float(x @ x), x), clients=3, dimension=4, x0=np.ones(4), **SMALL)
    assert r.status == "finished"


def test_start():
    r = doc2s.minimize(distance, clients=3, x0=[5.0, 5.0], K=1, T=1, D=1e-6, eta=1e-6)
    assert np.allclose(r.x, 5, atol=1e-3)

    class Started(Regression):
        def start(self, seed):
            return np.full(self.dimension, float(seed))
    assert doc2s.minimize(Started(), seed=3, K=1, T=1, D=1e-6).x == pytest.approx(np.full(5, 3.0), abs=1e-3)


def test_measures_of_ones_own():
    class Measured(Regression):
        def accuracy(self, x):
            return 0.25

        def loss(self, i, batch, x):
            return 7.0
    r = doc2s.minimize(Measured(), **SMALL)
    assert set(r.history["accuracy"]) == {0.25} and set(r.history["loss_mean_point"]) == {7.0}


def test_a_callback_stops_by_false_or_stop_iteration():
    def run(answer, count=3):
        records = []

        def callback(record):
            records.append(record)
            if len(records) == count and answer is StopIteration:
                raise StopIteration
            return answer if len(records) == count else None
        return doc2s.minimize(Regression(), callback=callback, record_every=10, **SMALL), records
    for answer in (None, 0, "", True, np.True_):
        r, records = run(answer)
        assert r.status == "finished" and len(records) == 11
    for answer in (False, np.False_, StopIteration):
        r, records = run(answer)
        assert (r.status, len(records), r.summary["stopped_by"]) == ("interrupted", 3, "the callback")
    assert set(records[-1]) >= {"iteration", "samples", "bytes", "seconds", "loss_mean_point", "consensus"}
    assert isinstance(records[-1]["samples"], int) and records[-1]["iteration"] == 20


@pytest.mark.parametrize("method", [one["name"] for one in doc2s.methods()])
def test_iterations_are_what_every_method_does(method):
    def run(**more):
        return doc2s.minimize(distance, clients=4, dimension=2, method=method, record_every=50, **more).summary
    assert run(iterations=150)["iterations"] == 150
    assert run(iterations=150)["trajectory"] == run(set={"run.budget.iterations": 150})["trajectory"]
    assert run(iterations=5000)["iterations"] == 5000  # more than there are by default


def test_budgets_are_keywords():
    assert doc2s.minimize(distance, clients=4, dimension=2, samples=20_000).summary["samples"] == 20_000
    by_bytes = doc2s.minimize(distance, clients=4, dimension=2, T=7, bytes=1e6, record_every=1000).summary
    assert 1e6 <= by_bytes["bytes"] < 1.01e6 and by_bytes["stopped_by"] == "run.budget.bytes"
    for name in ("communication_rounds", "computation_rounds"):
        r = doc2s.minimize(distance, clients=4, dimension=2, method="dsgd", **{name: 40})
        assert (r.summary[name], r.summary["stopped_by"]) == (40, f"run.budget.{name}")
    assert doc2s.minimize(distance, clients=4, dimension=2, seconds=0.01).summary["stopped_by"] == "run.budget.seconds"
    shorter = doc2s.minimize(distance, clients=4, dimension=2, samples=20_000, K=2, T=10)
    assert shorter.summary["iterations"] == 20  # the first that is reached ends it


class Mine(Exception):
    pass


def refuses(i):
    def value(client, x):
        if client == i and abs(x).max() > 0:
            raise Mine("of my own", i)
        return distance(client, x)
    return value


@pytest.mark.parametrize("threads", [1, 3])
def test_exceptions_come_out_as_they_are(threads):
    with pytest.raises(Mine) as caught:
        doc2s.minimize(refuses(2), clients=4, dimension=100_000, method="dsgd", order="zeroth", threads=threads, K=3)
    assert caught.value.args == ("of my own", 2)
    assert caught.traceback[-1].name == "value"  # with the user's own frame
    with pytest.raises(ZeroDivisionError):
        doc2s.minimize(Regression(), callback=lambda record: 1 / 0, **SMALL)


def test_arrays_in_the_frames_of_an_exception_can_be_looked_at():
    def value(i, x):
        part = x[1::2]
        if x[0] != 0:
            raise Mine
        return float(np.abs(x - 1).sum() + part.sum())
    with pytest.raises(Mine) as caught:
        doc2s.minimize(value, clients=4, dimension=1_000_000, K=1, T=3)
    local = caught.traceback[-1].frame.f_locals
    assert np.isfinite(local["x"]).all() and np.array_equal(local["part"], local["x"][1::2])


def test_the_gil_is_free_while_the_engine_works():
    """A Python thread goes on during a run that hardly calls Python."""
    ticks, done = [], threading.Event()

    def tick():
        while not done.wait(0.002):
            ticks.append(1)
    other = threading.Thread(target=tick)
    other.start()
    at = []
    doc2s.run({"problem": {"name": "svm"}, "method": {"K": 600}, "run": {"record_every": 60_000}},
              callback=lambda record: at.append(len(ticks)))
    done.set()
    other.join()
    assert at[-1] - at[0] > 10


def test_several_threads_minimise_at_once():
    whole = hash_of(Regression())
    found = []
    threads = [threading.Thread(target=lambda: found.append(hash_of(Regression()))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [whole] * 3


def test_a_run_within_a_callback():
    inner = []
    doc2s.minimize(Regression(), callback=lambda record: inner.append(hash_of(Regression())) if not inner else None, **SMALL)
    assert inner == [hash_of(Regression())]


def test_forked_processes_minimise_too():
    whole = hash_of(Regression())
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if hash_of(Regression(), threads=2) == whole else 1)
        finally:
            os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_pickled():
    r = doc2s.minimize(Regression(), **SMALL)
    again = pickle.loads(pickle.dumps(r))
    assert np.array_equal(again.outputs, r.outputs) and again.summary == r.summary and again.problem is None


def test_files_are_those_of_the_command_line(tmp_path, program):
    r = doc2s.minimize(Regression(), out=tmp_path / "run", trace=tmp_path / "trace", **SMALL)
    assert r.directory == str(tmp_path / "run") and (tmp_path / "trace").stat().st_size > 0
    again = doc2s.load(r.directory)
    assert np.array_equal(again.x, r.x) and np.array_equal(again.outputs, r.outputs) and again.summary == r.summary
    assert again.config == r.config
    for name, column in r.history.items():
        assert np.array_equal(again.history[name], column, equal_nan=True), name
    done = subprocess.run([program, "report", r.directory, "-o", tmp_path / "page.html"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    r.report(tmp_path / "own.html")
    assert (tmp_path / "own.html").stat().st_size > 10_000


def test_a_run_that_has_ended_is_not_run_again(tmp_path):
    r = doc2s.minimize(Regression(), out=tmp_path / "run", **SMALL)
    calls = []

    class Counting(Regression):
        has_gradient = True

        def value(self, i, batch, x):
            calls.append(i)
            return super().value(i, batch, x)
    again = doc2s.minimize(Counting(), out=tmp_path / "run", resume=True, **SMALL)
    assert again.summary == r.summary and np.array_equal(again.outputs, r.outputs)
    assert len(calls) < r.summary["samples"] / 2  # to see whether it is the same problem
    assert "nothing is left to do" in " ".join(again.notes)
    with pytest.raises(doc2s.Error, match="holds the run of another config: method.eta"):
        doc2s.minimize(Regression(), out=tmp_path / "run", resume=True, **{**SMALL, "eta": 0.1})
    with pytest.raises(doc2s.Error, match="already holds a run"):
        doc2s.minimize(Regression(), out=tmp_path / "run", **SMALL)


def test_a_run_that_another_problem_left_is_not_taken_over(tmp_path):
    def minimize(f, folder="run", **more):
        return doc2s.minimize(f, clients=4, dimension=2, iterations=50, out=tmp_path / folder, resume=True, **more)

    def nearly(i, x):
        return distance(i, x) + (i == 3) * 1e-9
    r = minimize(distance)
    assert minimize(distance).summary == r.summary == minimize(distance, threads=3).summary
    for other in (lambda: minimize(nearly), lambda: minimize(distance, x0=[1.0, 0.0]), lambda: minimize(distance, graph="complete")):
        with pytest.raises(doc2s.Error, match="holds (a|the) run of another"):
            other()
    flat = minimize(lambda i, x: 1.0, "flat")  # whose values tell nothing of x0
    with pytest.raises(doc2s.Error, match="holds a run of another function, x0 or network; give another directory"):
        minimize(lambda i, x: 1.0, "flat", x0=[1.0, 0.0])
    path = tmp_path / "flat/summary.json"
    path.write_text(re.sub(r'.*"own_problem".*\n', "", path.read_text()))  # of an earlier version
    assert minimize(lambda i, x: 2.0, "flat").summary["trajectory"] == flat.summary["trajectory"]


def test_diverging_warns_and_returns():
    with pytest.warns(RuntimeWarning, match="the run diverged"):
        r = doc2s.minimize(lambda i, x: -float(np.exp(np.minimum(x @ x, 800.0))), clients=3, dimension=2, x0=[1.0, 1.0],
                           method="dsgd", order="zeroth", eta=10.0, K=50)
    assert r.status == "diverged" and len(r.history["iteration"]) >= 1


@pytest.mark.parametrize("with_gradient", [True, False])
def test_nan_in_the_middle_diverges_and_keeps_what_there_is(tmp_path, with_gradient):
    calls = iter(range(10**9))

    def f(i, x):
        value = float(x @ x) if next(calls) < 300 else math.nan
        return (value, 2 * x) if with_gradient else value

    with pytest.warns(RuntimeWarning, match="the run diverged: .* no longer finite"):
        r = doc2s.minimize(f, clients=3, dimension=2, x0=[1.0, 1.0], out=tmp_path / "run", set={"run.record_every": 10})
    assert r.status == "diverged" and np.isfinite(r.history["loss_mean_point"][:2]).all()
    assert doc2s.load(tmp_path / "run").status == "diverged" and (tmp_path / "run/last.npy").exists()


@pytest.mark.parametrize("clients", [1, 2, 3])
def test_few_clients(clients):
    for method in doc2s.methods():
        r = doc2s.minimize(lambda i, x: float(abs(x - i).sum()), clients=clients, dimension=2, method=method["name"], iterations=20)
        assert r.status == "finished", method["name"]
    assert doc2s.spectrum(clients=clients)["diameter"] == min(1, clients - 1)
    assert doc2s.plan(0.5, 0.5, clients=clients, lipschitz=1, gradient_bound=1, gap=1, dimension=10)["K"] > 0


def test_notes_of_the_end(tmp_path):
    far = doc2s.minimize(lambda i, x: float(abs(x - 100).sum()), clients=4, dimension=3, out=tmp_path / "run")
    [note] = far.summary["notes"]
    assert "still falls fast" in note and "step, D = 0.1 in" in note and note in far.notes
    assert doc2s.load(tmp_path / "run").notes == doc2s.load(tmp_path / "run").summary["notes"] == [note]
    with pytest.warns(UserWarning) as told:
        again = doc2s.minimize(lambda i, x: float(abs(x - 100).sum()), clients=4, dimension=3, out=tmp_path / "run", resume=True)
    assert [str(one.message) for one in told] == [note] == again.notes[-1:] and told[0].filename == __file__
    with pytest.warns(UserWarning, match="a longer run, iterations$"):
        doc2s.minimize(lambda i, x: float(abs(x - 100).sum()), clients=4, dimension=3, D=1, iterations=100, record_every=10)
    with pytest.warns(UserWarning, match="the start may be a point of symmetry or a minimum"):
        doc2s.minimize(lambda i, x: float(abs(x).sum()), clients=4, dimension=3, iterations=100)
    near = doc2s.minimize(lambda i, x: float(abs(x - 1).sum()), clients=4, dimension=3)
    assert near.summary["notes"] == []


def test_certify():
    r = doc2s.minimize(Regression(), **{**SMALL, "K": 200})
    bounds = r.certify(delta=0.5, budget=40, which="output")
    assert len(bounds) == 6 and all(0 <= one["bound"] < 1 and one["kind"] == "exact" for one in bounds)
    last = r.certify()
    assert last == r.certify(which="last") and last[0]["point"] == "last" and last[0]["client"] is None
    assert r.certify(client=3)[0] | {"client": 3, "point": "output"} == r.certify(client=3)[0]
    single = doc2s.minimize(Regression("float32"), **{**SMALL, "K": 200})
    assert single.certify(delta=0.5, budget=40, client=0)[0]["bound"] < 1


def test_certify_values_alone():
    """x is all but at the minimum of ‖x − 1‖², whose gradient there is 2(x − 1)."""
    r = doc2s.minimize(lambda i, x: float((x - i) @ (x - i)), clients=3, dimension=2, method="doc2s-travel", eta=0.01, K=40)
    [one] = r.certify(delta=1e-9, budget=1)
    assert one["kind"] == "estimate" and one["bound"] == pytest.approx(2 * np.linalg.norm(r.x - 1), rel=1e-4)
    [asked] = r.certify(delta=1e-9, epsilon=10)
    assert asked["certified"] is None and asked["reached"] is True
    [same] = r.certify(delta=1e-9, budget=1, which="output")  # all clients have one output
    assert same["client"] is None and same["point"] == "output"


def test_import_is_quick_and_takes_in_no_torch():
    script = "import sys, doc2s; assert not {'torch', 'pandas', 'matplotlib'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", script], check=True)


def test_a_network_that_changes():
    options = dict(clients=8, dimension=2, graph="ring", K=2, T=20, D=0.1, order="zeroth")
    links = doc2s.minimize(distance, graph_options={"change": "links", "loss": 0.3}, **options)
    turns = doc2s.minimize(distance, graph_options={"change": "periodic", "graphs": ["ring", "star"]}, **options)
    assert links.summary["measured_contraction"] < links.summary["expected_contraction"] < 1
    assert turns.summary["change"] == "periodic" and turns.summary["expected_contraction"] is None
    asked = doc2s.spectrum("ring", clients=8, graph_options={"change": "links", "loss": 0.3})
    assert asked["expected_contraction"] == links.summary["expected_contraction"]
