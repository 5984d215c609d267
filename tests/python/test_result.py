# SPDX-License-Identifier: Apache-2.0
"""Result: its picture, table, report, text, notebook card and pickle; plots of several; the progress bar."""
import copy
import io
import math
import os
import pickle
import re
import select
import subprocess
import sys
import warnings
import weakref
import xml.dom.minidom

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
import pytest  # noqa: E402

import doc2s  # noqa: E402
from doc2s import _ask, _core, _numbers, _panel, _plot, _progress  # noqa: E402
from doc2s._result import Result  # noqa: E402

AXES = ["samples", "communication rounds", "bytes sent over edges", "seconds"]


def made_up(label="doc2s", records=50, seed=1, **changes):
    k = np.arange(records)
    history = {"iteration": 10 * k, "samples": 40 * k, "communication_rounds": 4 * k, "bytes": 51200 * k,
               "seconds": 0.1 * k, "loss_mean_point": 0.3 + np.exp(-k / 10.0), "consensus": 1e-3 * k}
    summary = {"method": "doc2s", "label": label, "order": "first", "iterations": 490, "samples": 1960, "seed": seed,
               "trajectory": "b65220276513cfa9", "stopped_by": "the end of the method"}
    given = dict(x=np.linspace(-1, 1, 20), outputs=np.ones((4, 20)), history=history, summary=summary,
                 status="finished", notes=["one & two"], config="seed = 1\n")
    return Result(**{**given, **changes})


@pytest.fixture(autouse=True)
def nothing_changes_for_others():
    before, backend = dict(matplotlib.rcParams), matplotlib.get_backend()
    yield
    plt.close("all")
    assert dict(matplotlib.rcParams) == before and matplotlib.get_backend() == backend


# --- what it holds ---
def test_fields():
    r = made_up(rank=2, directory="runs/a")
    assert r.rank == 2 and r.directory == "runs/a" and r.problem is None and r.config == "seed = 1\n"
    assert r.x.dtype == np.float64 and r.outputs.shape == (4, 20) and list(r.history)[0] == "iteration"
    with pytest.raises(AttributeError):
        r.X = 1
    with pytest.raises(TypeError):
        Result(np.zeros(2))


def test_equality_is_identity():
    r = made_up()
    assert r == r and r != made_up() and len({r, made_up()}) == 2 and weakref.ref(r)() is r


@pytest.mark.parametrize("again", [lambda r: pickle.loads(pickle.dumps(r)), copy.copy, copy.deepcopy])
def test_pickle_and_copy_drop_the_problem(again):
    r = made_up(problem=lambda i, x: 0.0, directory="runs/a")
    other = again(r)
    assert other.problem is None and r.problem is not None
    assert other.directory == "runs/a" and other.notes == r.notes and other.summary == r.summary
    np.testing.assert_array_equal(other.x, r.x)
    np.testing.assert_array_equal(other.history["bytes"], r.history["bytes"])


def test_frame():
    frame = made_up().frame()
    assert frame.shape == (50, 7) and frame["samples"].dtype == np.int64 and frame["loss_mean_point"].iloc[0] == 1.3


@pytest.mark.parametrize("module, call", [("pandas", lambda r: r.frame()), ("matplotlib.pyplot", lambda r: r.plot())])
def test_what_is_not_installed_is_told(module, call, monkeypatch):
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ImportError, match=rf"python3-{module.split('.')[0]}\); history has"):
        call(made_up())


def test_import_is_light():
    """Neither matplotlib nor pandas nor tqdm is imported before it is asked for."""
    code = "import doc2s, sys; print({'matplotlib', 'pandas', 'tqdm', 'torch', 'IPython'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "set()\n"


# --- text and notebook ---
def test_repr():
    text = repr(made_up(directory="runs/a"))
    for line in ["status: finished (the end of the method)", "method: doc2s, first order", "samples: 1,960",
                 "loss: 1.3000 → 0.3074", "hash: b65220276513cfa9", "files: runs/a", "20 numbers", "note: one & two"]:
        assert line in text
    assert len(repr(made_up(x=np.zeros(10**6))).splitlines()) < 12


def test_repr_names_method_beside_a_label():
    assert "my run (doc2s), first order" in repr(made_up("my run"))


def empty():
    return Result(x=np.zeros(0), outputs=np.zeros((0, 0)), history={}, summary={}, status="interrupted")


def test_nothing_recorded():
    assert "status: interrupted" in repr(empty()) and "<svg" not in empty()._repr_html_()
    with pytest.raises(doc2s.Error, match="recorded nothing yet"):
        empty().plot()


def test_html_is_well_formed_and_escaped():
    r = made_up("<script>alert(1)</script>", notes=['<img src="x">'], directory="a&b")
    html = r._repr_html_()
    assert "<script" not in html and "<img" not in html and "a&amp;b" in html
    xml.dom.minidom.parseString(html)
    assert len(html) < 6000


def points_of(html):
    return np.array([[float(v) for v in pair.split(",")] for pair in re.search(r'points="([^"]*)"', html)[1].split()])


def test_html_curve():
    points = points_of(made_up(records=5000)._repr_html_())
    assert 100 <= len(points) <= 200 and points[0, 0] == 0 and points[-1, 0] == 260
    assert (np.diff(points[:, 0]) > 0).all() and (np.diff(points[:, 1]) >= 0).all()  # the loss falls: down the page


@pytest.mark.parametrize("losses", [[1, 0.5, math.inf], [1, 1e300, 1], [2, 2, 2], [-1, -5, -3], [math.nan, 1, 2]])
def test_html_curve_of_odd_losses(losses):
    history = {"samples": np.arange(3), "loss_mean_point": np.array(losses, dtype=float)}
    points = points_of(made_up(history=history)._repr_html_())
    assert np.isfinite(points).all() and points.min() >= 0 and points[:, 1].max() <= 84


# --- what it asks of others ---
def test_report(monkeypatch, tmp_path):
    calls = []
    monkeypatch.setattr(_core, "report", lambda *given: calls.append(given))
    made_up(directory="runs/a", rank=1).report("page.html")
    assert not calls
    made_up(directory="runs/a").report(tmp_path / "page.html", force=True)
    assert calls == [(["runs/a"], str(tmp_path / "page.html"), "doc2s report", True)]


def test_certify(monkeypatch):
    monkeypatch.setattr(_ask, "certify_result", lambda result, **options: (result, options))
    r = made_up()
    assert r.certify(0.2, which="last") == (r, {"delta": 0.2, "epsilon": None, "budget": 60, "which": "last",
                                                "client": "all", "sampled": 0})


def test_module():
    class Torch:
        def module_at(self, x):
            return x.sum()
    assert made_up(problem=Torch()).module() == pytest.approx(0)
    with pytest.raises(doc2s.Error, match="doc2s.torch.Problem"):
        made_up().module()


# --- pictures ---
def test_four_panels():
    figure = made_up().plot()
    assert [ax.get_xlabel() for ax in figure.axes] == AXES
    assert [ax.get_ylabel() for ax in figure.axes] == ["loss at the mean point", "", "loss at the mean point", ""]
    assert all(ax.get_yscale() == "linear" for ax in figure.axes)
    figure.savefig(io.BytesIO(), format="png")
    pickle.loads(pickle.dumps(figure))


def test_axes_that_do_not_move_have_no_panel():
    r = made_up()
    for name in ("communication_rounds", "bytes"):
        r.history[name][:] = 0
    assert [ax.get_xlabel() for ax in r.plot().axes] == ["samples", "seconds"]


def test_one_panel_and_given_axes():
    r = made_up()
    assert [ax.get_xlabel() for ax in r.plot(x="seconds").axes] == ["seconds"]
    figure, ax = plt.subplots()
    assert r.plot(ax=ax, color="red", label="mine") is ax and len(plt.get_fignums()) == 2
    line, = ax.get_lines()
    assert line.get_color() == "red" and line.get_label() == "mine"
    np.testing.assert_array_equal(line.get_xdata(), r.history["samples"])


def test_log_scale_is_for_norms_or_on_request():
    r = made_up()
    assert r.plot("consensus", "samples").axes[0].get_yscale() == "log"
    assert r.plot("consensus", "samples", log=False).axes[0].get_yscale() == "linear"
    for log, scales in [(True, ("linear", "log")), ("x", ("log", "linear")), ("xy", ("log", "log"))]:
        ax = r.plot(x="samples", log=log).axes[0]
        assert (ax.get_xscale(), ax.get_yscale()) == scales
    with pytest.raises(doc2s.Error, match='log is "?\'?z'):
        r.plot(x="samples", log="z")
    r.history["consensus"][:] = 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        r.plot("consensus", "samples").savefig(io.BytesIO())


def test_unknown_measure():
    with pytest.raises(doc2s.Error, match='recorded no "consensu"; did you mean "consensus"'):
        made_up().plot("consensu")
    with pytest.raises(doc2s.Error, match='recorded no "accuracy"; it recorded iteration, samples'):
        made_up().plot("accuracy")
    assert not plt.get_fignums()


def test_sparse_and_infinite_values():
    """NaN: no record there, the curve goes on; infinite: a gap; what diverged does not flatten the rest."""
    r = made_up(records=5)
    r.history["loss_mean_point"] = np.array([1, math.nan, 0.5, 1e9, math.inf])
    line, = (ax := r.plot(x="samples").axes[0]).get_lines()
    np.testing.assert_array_equal(line.get_xdata(), [0, 80, 120, 160])
    np.testing.assert_array_equal(line.get_ydata(), [1, 0.5, 1e9, math.nan])
    assert ax.get_ylim()[1] == 2


def test_negative_losses_are_shown_whole():
    r = made_up(records=3)
    r.history["loss_mean_point"] = np.array([-1, -5, -0.5])
    low, high = r.plot(x="samples").axes[0].get_ylim()
    assert low < -5 and high > -0.5


def test_ticks():
    assert [_panel.tick(v, "count") for v in (0, 64000, 1.5e6)] == ["0", "64,000", "1.5 M"]
    assert [_panel.tick(v, "bytes") for v in (0, 500, 2e6)] == ["0 B", "500 B", "2 MB"]
    assert _panel.tick(0.25, "share") == "25 %"


@pytest.mark.parametrize("value, form, text", [
    (64000, "count", "64,000"), (3_070_000, "bytes", "3.07 MB"), (12, "bytes", "12 bytes"),
    (1.234, "seconds", "1.23 s"), (12345, "seconds", "12,345 s"), (0.831, "share", "83.10 %"),
    (0.6, "loss", "0.6000"), (1.2e-7, "loss", "1.2e-07"),
    (0.1234567, "norm", "0.1235"), (math.inf, "loss", "∞"), (math.nan, "loss", "–")])
def test_numbers(value, form, text):
    assert _numbers.number(value, form) == text


def test_compare():
    figure = doc2s.plot([made_up("a"), made_up("b")])
    assert [text.get_text() for text in figure.axes[0].get_legend().get_texts()] == ["a", "b"]
    assert len({line.get_color() for line in figure.axes[0].get_lines()}) == 2
    assert [ax.get_xlabel() for ax in doc2s.plot([made_up("a"), made_up("b")], x=None).axes] == AXES
    assert [line.get_label() for line in doc2s.plot({"R = 2": made_up(), "R = 8": made_up()}).axes[0].get_lines()] \
        == ["R = 2", "R = 8"]


def test_compare_tells_equal_labels_apart():
    runs = [made_up("a", seed=1), made_up("a", seed=2), made_up("b"), made_up("c"), made_up("c")]
    labels = [line.get_label() for line in doc2s.plot(runs).axes[0].get_lines()]
    assert labels == ["a, seed 1", "a, seed 2", "b", "c, seed 1 (1)", "c, seed 1 (2)"]


def test_compare_many_look_different():
    lines = doc2s.plot([made_up(str(k)) for k in range(28)]).axes[0].get_lines()
    assert len({(line.get_color(), line.get_linestyle()) for line in lines}) == 28


def test_compare_mistakes():
    with pytest.raises(doc2s.Error, match="no result to draw"):
        doc2s.plot([])
    with pytest.raises(doc2s.Error, match="1 labels for 2 results"):
        doc2s.plot([made_up(), made_up()], labels=["a"])


# --- progress ---
class Stderr(io.StringIO):
    terminal = False

    def isatty(self):
        return self.terminal


def caught(monkeypatch, delay=0):
    monkeypatch.setattr(_progress, "_DELAY", delay)
    monkeypatch.setattr(sys, "stderr", Stderr())
    return sys.stderr


def test_no_bar_unless_seen(monkeypatch):
    stderr = caught(monkeypatch)
    assert _progress.bar(None, "doc2s") is None and _progress.bar(False, "doc2s") is None
    assert _progress.bar(True, "doc2s") is not None
    stderr.terminal = True
    assert _progress.bar(None, "doc2s") is not None and _progress.bar(False, "doc2s") is None


@pytest.mark.parametrize("with_tqdm", [True, False])
def test_bar(monkeypatch, with_tqdm):
    stderr = caught(monkeypatch)
    if with_tqdm:
        pytest.importorskip("tqdm")
    else:
        monkeypatch.setattr(_progress, "_tqdm", lambda: None)
    bar = _progress.bar(True, "doc2s")
    for k in range(11):
        bar(k / 10, {"iteration": 1000 * k, "loss_mean_point": 1 / (k + 1)})
    bar.close()
    text = stderr.getvalue()
    assert "doc2s" in text and "iteration 5,000  loss 0.1667" in text and "50" in text
    assert text.rstrip(" ").endswith("\r") and "\n" not in text  # it leaves nothing behind


def test_bar_in_a_terminal_that_does_not_tell_its_width(monkeypatch):
    pytest.importorskip("tqdm")
    reader, writer = os.openpty()
    caught(monkeypatch)
    with open(writer, "w", encoding="utf-8") as terminal, open(reader, "rb", buffering=0) as screen:
        monkeypatch.setattr(sys, "stderr", terminal)
        bar = _progress.bar(None, "doc2s")
        for k in range(3):
            bar(k / 3, {"iteration": 1000 * k, "loss_mean_point": 1 / (k + 1)})
        text = b""
        while b"iteration 2,000  loss 0.3333" not in text:
            assert select.select([screen], [], [], 60)[0], text
            text += screen.read(4096)
        bar.close()


def test_short_runs_show_nothing(monkeypatch):
    stderr = caught(monkeypatch, delay=60)
    for make in [_progress._tqdm, lambda: None]:
        monkeypatch.setattr(_progress, "_tqdm", make)
        bar = _progress.bar(True, "doc2s")
        bar(0.5, {"iteration": 1})
        bar.close()
    assert stderr.getvalue().strip("\r ") == ""


def test_the_line_of_questions(monkeypatch, tmp_path):
    stderr = caught(monkeypatch)
    config = {"problem": {"size": 60}, "clients": {"count": 3}, "method": {"K": 40, "T": 20}, "run": {"record_every": 1}}
    def sweep(name, news=None):
        return doc2s.sweep(config, {"method.eta": [0.01, 0.1]}, out=tmp_path / name, news=news)
    sweep("unseen")
    assert stderr.getvalue() == ""
    stderr.terminal = True
    sweep("told", news=lambda text: None)
    assert stderr.getvalue() == ""
    sweep("seen")
    assert " of 2 cases, " in stderr.getvalue() and stderr.getvalue().rstrip(" ").endswith("\r")
    assert "\n" not in stderr.getvalue()


def test_bar_without_stderr(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    assert _progress.bar(True, "doc2s") is None and _progress.bar(None, "doc2s") is None


def test_line_outlives_stderr(monkeypatch):
    stderr = caught(monkeypatch)
    monkeypatch.setattr(_progress, "_tqdm", lambda: None)
    bar = _progress.bar(True, "doc2s")
    stderr.close()
    bar(0.5, {"loss_mean_point": math.inf})
    bar.close()


# --- with the engine ---
@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A function with a gradient, with files."""
    def f(i, x):
        return float(abs(x - i).sum()), np.sign(x - i)
    return doc2s.minimize(f, clients=6, dimension=3, method="doc2s-travel", K=20, T=20, record_every=20, progress=False,
                          out=tmp_path_factory.mktemp("runs") / "a")


def test_engine_result(run):
    assert run.status == "finished" and run.x.shape == (3,) and run.outputs.shape == (6, 3) and run.problem is not None
    assert run.history["samples"].dtype == np.int64 and run.history["loss_mean_point"].dtype == np.float64
    assert list(run.frame()["iteration"]) == list(range(0, 401, 20))
    assert run.summary["trajectory"] in repr(run) and "20" in run._repr_html_()
    xml.dom.minidom.parseString(run._repr_html_())


def test_every_measure_can_be_drawn(run):
    titles = {quantity["name"]: quantity["title"] for quantity in _core.quantities()}
    for name in run.history:
        figure = run.plot(name, x="samples")
        assert figure.axes[0].get_ylabel() == titles[name]
        figure.savefig(io.BytesIO())
        plt.close(figure)
    assert [ax.get_xlabel() for ax in run.plot().axes] == [titles[name] for name in _plot.AXES]


def test_engine_report_of_a_run_without_files(tmp_path):
    r = doc2s.minimize(lambda i, x: float(abs(x - i).sum()), clients=4, dimension=2, K=3, budget={"samples": 250})
    r.report(tmp_path / "page.html", title="In memory")
    page = (tmp_path / "page.html").read_text()
    assert "In memory" in page and f'"trajectory":"{r.summary["trajectory"]}"' in page.replace('": ', '":')
    assert "budget.samples" in page and list(tmp_path.iterdir()) == [tmp_path / "page.html"]


def test_engine_report(run, tmp_path):
    page = tmp_path / "page.html"
    run.report(page, title="Six sites")
    assert "Six sites" in page.read_text()
    run.report(page)  # an earlier report is replaced
    page.write_text("mine")
    with pytest.raises(doc2s.Error, match="or force=True"):
        run.report(page)
    assert page.read_text() == "mine"
    run.report(page, force=True)
    assert "<html" in page.read_text()


def test_engine_certificate(run):
    rows = run.certify(delta=0.5, which="output")
    assert [row["client"] for row in rows] == [None] and rows[0]["bound"] >= 0  # all clients have one output
    assert run.certify(delta=0.5, which="last")[0]["kind"] == "exact"
    other = pickle.loads(pickle.dumps(run))
    with pytest.raises(doc2s.Error, match="problem"):
        other.certify()
    other.problem = run.problem
    assert other.certify(delta=0.5, which="output") == rows


def test_loaded_is_the_same(run):
    other = doc2s.load(run.directory)
    np.testing.assert_array_equal(other.x, run.x)
    assert list(other.history) == list(run.history) and other.summary == run.summary
    for name, values in run.history.items():
        np.testing.assert_array_equal(other.history[name], values)


@pytest.mark.parametrize("with_tqdm", [True, False])
def test_engine_progress(monkeypatch, with_tqdm):
    if not with_tqdm:
        monkeypatch.setattr(_progress, "_tqdm", lambda: None)
    stderr = caught(monkeypatch)
    doc2s.minimize(lambda i, x: float(abs(x).sum()), clients=4, dimension=2, method="token", K=200, progress=True)
    text = stderr.getvalue()
    assert "iteration" in text and "loss" in text and text.rstrip(" ").endswith("\r")
