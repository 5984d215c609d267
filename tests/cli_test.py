#!/usr/bin/env python3
"""The program as a new and careless user meets it, from outside: python3 cli_test.py PROGRAM [TEST…]."""
import gzip
import json
import os
import pathlib
import pty
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
import unittest
from dataclasses import dataclass

import numpy as np

PROGRAM = ""
PROJECT = pathlib.Path(__file__).resolve().parent.parent
RUN_FILES = ["config.toml", "last.npy", "metrics.jsonl", "output.npy", "setting.json", "summary.json"]
COUNTS = ["samples", "evaluations", "computation_rounds", "communication_rounds", "bytes", "wire_bytes"]
MEASURES = ["loss_mean_point", "loss_clients", "loss_worst", "consensus", "seconds"]
GRAPHS = ["ring", "complete", "star", "path", "grid", "torus", "hypercube", "exponential", "regular",
          "erdos-renyi", "watts-strogatz", "file"]
COMMANDS = ["run", "sweep", "report", "reproduce", "data", "demo", "network", "plan", "certify", "list", "explain",
            "bench"]

SMALL = """\
seed = 1
[problem]
size = 200
dimension = 5
[method]
K = 4
T = 10
eta = 0.05
D = 0.05
[run]
record_every = 7
"""
ON_FILE = """\
[problem]
data = "{data}"
[clients]
count = 4
[method]
K = 2
T = 5
"""


@dataclass
class Answer:
    code: int
    out: str
    err: str


@dataclass
class Run:
    directory: pathlib.Path
    answer: Answer

    def text(self, name):
        return (self.directory / name).read_text()

    @property
    def config(self):
        return tomllib.loads(self.text("config.toml"))

    @property
    def summary(self):
        return strict_json(self.text("summary.json"))

    @property
    def records(self):
        return [strict_json(line) for line in self.text("metrics.jsonl").splitlines()]

    @property
    def trajectory(self):
        return self.summary["trajectory"]

    def numbers(self, name):
        return np.load(self.directory / name, allow_pickle=False)

    def bits(self):
        """All that must not depend on time or threads."""
        records = [{**record, "seconds": None} for record in self.records]
        arrays = [(self.directory / name).read_bytes() for name in ("output.npy", "last.npy")]
        return self.trajectory, records, arrays


def strict_json(text):
    def refuse(word):
        raise ValueError(f"{word} is not JSON")
    return json.loads(text, parse_constant=refuse)


def sets(**values):
    """method__eta="0.1" becomes --set method.eta=0.1."""
    return [word for key, value in values.items() for word in ("--set", f"{key.replace('__', '.')}={value}")]


def matrix_text(P):
    return "".join(" ".join(map(repr, row)) + "\n" for row in P.tolist())


def snapshot(directory):
    return {path: path.read_bytes() for path in sorted(pathlib.Path(directory).rglob("*")) if path.is_file()}


class Case(unittest.TestCase):
    """A folder of its own, where no data set and no setting of the user's is found."""

    def setUp(self):
        self.home = self.folder()
        self.write("small.toml", SMALL)
        self.runs = 0

    def folder(self):
        made = self.enterContext(tempfile.TemporaryDirectory(prefix="doc2s-cli-"))
        return pathlib.Path(made).resolve()

    def write(self, name, content):
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def environment(self, more=None):
        kept = {key: value for key, value in os.environ.items() if key not in ("DOC2S_DATA", "XDG_DATA_HOME")}
        return {**kept, "HOME": str(self.home), "LC_ALL": "C.UTF-8", **(more or {})}

    def start(self, *words, cwd=None, env=None, **more):
        words = [PROGRAM, *map(str, words)]
        return subprocess.Popen(words, cwd=cwd or self.home, env=self.environment(env), **more)

    def doc2s(self, *words, code=0, timeout=30, stdout=subprocess.PIPE, **more):
        process = self.start(*words, stdout=stdout, stderr=subprocess.PIPE, text=True, **more)
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            self.fail(f"doc2s {' '.join(map(str, words))} did not end within {timeout} s")
        if code is not None:
            self.assertEqual(process.returncode, code, f"doc2s {' '.join(map(str, words))}\n{out}{err}")
        return Answer(process.returncode, out or "", err)

    def run_config(self, config, *words, out=None, code=0, **more):
        self.runs += 1
        out = out or self.home / f"run-{self.runs}"
        answer = self.doc2s("run", config, "--quiet", "--out", out, *words, code=code, **more)
        return Run(pathlib.Path(out), answer)

    def small(self, *words, **more):
        return self.run_config("small.toml", *words, **more)

    def assert_one_sentence(self, answer, *says):
        self.assertRegex(answer.err, r"\Adoc2s: [^\n]+\n\Z", "one line on stderr")
        for alarm in ("terminate called", "what():", "std::", "Traceback", "Assertion"):
            self.assertNotIn(alarm, answer.err)
        for words in says:
            self.assertIn(words, answer.err)

    def refused(self, *words, says=(), code=2, **more):
        """Ends at once with one sentence, says nothing else, and leaves every file as it was."""
        before, paths = snapshot(self.home), set(self.home.rglob("*"))
        try:
            answer = self.doc2s(*words, code=code, **more)
            self.assert_one_sentence(answer, *says)
            self.assertEqual(answer.out, "")
            self.assertEqual(set(self.home.rglob("*")) - paths, set(), "files made")
            self.assertTrue(before == snapshot(self.home), "files changed or lost")
            return answer
        finally:
            self.restore(before, paths)

    def restore(self, files, paths):
        """For the next row of a table."""
        for path in sorted(set(self.home.rglob("*")) - paths, reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        for path, content in files.items():
            path.write_bytes(content)

    def ring_edges(self, clients=16):
        return "".join(f"{i} {(i + 1) % clients}\n" for i in range(clients))

    def ring_matrix(self, clients=16):
        P = sum(np.roll(np.eye(clients), shift, axis=1) for shift in (-2, -1, 0, 1, 2)) / 5
        return matrix_text(P)

    def svm_lines(self, count=20):
        return "".join(f"{'+1' if row % 2 else '-1'} 1:{row} 3:{1 - row / 7}\n" for row in range(count))


class FilesOfARun(Case):
    def test_the_files_and_nothing_else(self):
        run = self.small()
        self.assertEqual(sorted(os.listdir(run.directory)), RUN_FILES)

    def test_keys_of_the_summary(self):
        summary = self.small().summary
        for key in ["method", "order", "n", "d", "iterations", *COUNTS, *MEASURES, "status", "trajectory"]:
            self.assertIn(key, summary)
        self.assertEqual([summary[key] for key in ("method", "order", "n", "d", "status")],
                         ["doc2s", "first", 16, 5, "finished"])
        self.assertRegex(summary["trajectory"], r"\A[0-9a-f]{16,}\Z")
        self.assertLessEqual(summary["best"]["loss_mean_point"], summary["loss_mean_point"])

    def test_keys_of_the_records(self):
        for record in self.small().records:
            self.assertLessEqual({"iteration", *COUNTS, *MEASURES}, set(record))

    def test_the_last_record_is_the_summary(self):
        run = self.small()
        for key in [*COUNTS, *MEASURES]:
            self.assertEqual(run.records[-1][key], run.summary[key], key)
        self.assertEqual(run.records[-1]["iteration"], run.summary["iterations"])

    def test_record_every_and_its_last_record(self):
        self.assertEqual([record["iteration"] for record in self.small().records], [0, 7, 14, 21, 28, 35, 40])
        even = self.small(*sets(run__record_every=20))
        self.assertEqual([record["iteration"] for record in even.records], [0, 20, 40])
        rare = self.small(*sets(run__record_every=10**9))
        self.assertEqual([record["iteration"] for record in rare.records], [0, 40])

    def test_the_first_record_is_the_start(self):
        first = self.small().records[0]
        self.assertEqual([first[key] for key in COUNTS], [0] * len(COUNTS))
        self.assertEqual([first["loss_mean_point"], first["loss_worst"], first["consensus"]], [1, 1, 0])

    def test_counts(self):
        for order, calls in (("first", 1), ("zeroth", 2)):
            summary = self.small(*sets(method__order=order, problem__batch=3, method__R=5)).summary
            self.assertEqual([summary[key] for key in COUNTS[:4]], [120, 120 * calls, 40, 2 * 5 * 40])
            # 16 edges both ways, 5 numbers of 8 bytes
            self.assertEqual(summary["bytes"], 400 * 2 * 16 * 5 * 8)

    def test_measures_agree_with_each_other(self):
        for record in self.small().records:
            self.assertLessEqual(record["loss_clients"], record["loss_worst"] + 1e-15)
            self.assertLessEqual(record["loss_mean_point"], record["loss_clients"] + 1e-4)

    def test_arrays(self):
        for precision, dtype in (("float64", "<f8"), ("float32", "<f4")):
            run = self.small(*sets(precision=precision, clients__count=7))
            output, last = run.numbers("output.npy"), run.numbers("last.npy")
            self.assertEqual((output.shape, output.dtype.str), ((7, 5), dtype))
            self.assertEqual((last.shape, last.dtype.str), ((5,), dtype))
            self.assertTrue(np.isfinite(output).all() and np.isfinite(last).all())
            self.assertGreater(np.abs(last).max(), 0)

    def test_config_holds_every_value_in_force(self):
        config = self.small().config
        self.assertEqual(config["seed"], 1)
        self.assertEqual(config["precision"], "float64")
        self.assertLessEqual({"name", "data", "batch", "lambda", "alpha", "size", "dimension", "sparsity",
                              "noise"}, set(config["problem"]))
        self.assertEqual(config["clients"], {"count": 16, "partition": "iid"})
        network = config["network"]
        self.assertIn(network.pop("weights"), ("uniform", "metropolis"))
        self.assertEqual(network, {"graph": "ring", "lazy": False, "neighbours": 3})
        self.assertLessEqual({"name", "order", "K", "T", "R", "gossip", "eta", "D", "delta_prime"},
                             set(config["method"]))
        self.assertLessEqual({"record_every", "threads"}, set(config["run"]))

    def test_config_holds_what_the_graph_decided(self):
        drawn = self.small(*sets(network__graph="erdos-renyi", network__weights="metropolis"))
        self.assertAlmostEqual(drawn.config["network"].get("p", 0), 2 * np.log(16) / 16, places=12)
        grid = self.small(*sets(network__graph="grid", network__weights="metropolis", clients__count=12))
        self.assertEqual(grid.config["network"].get("rows"), 3)

    def test_the_example_config_parses(self):
        data = self.write("data/a9a/a9a", self.svm_lines(40)).parent.parent
        run = self.run_config(PROJECT / "configs/a9a-ring.toml", env={"DOC2S_DATA": str(data)})
        self.assertEqual(run.summary["samples"], 4000)

    def test_a9a_falls_below_045(self):
        data = pathlib.Path(os.environ.get("DOC2S_DATA") or PROJECT.parent / "shared/data").resolve()
        if not (data / "a9a").is_dir():
            self.skipTest("a9a is not here")
        run = self.run_config(PROJECT / "configs/a9a-ring.toml", env={"DOC2S_DATA": str(data)})
        self.assertAlmostEqual(run.records[0]["loss_mean_point"], 1)
        self.assertLess(run.summary["loss_mean_point"], 0.45)
        self.assertLessEqual(run.summary["samples"], 4000)
        self.assertIn("accuracy", run.summary)


class SameBits(Case):
    def test_two_runs_and_another_seed(self):
        first, second, other = self.small(), self.small(), self.small(*sets(seed=2))
        self.assertEqual(first.bits(), second.bits())
        self.assertNotEqual(first.trajectory, other.trajectory)
        self.assertNotEqual(other.trajectory, self.small(*sets(seed=2**63 - 1)).trajectory)

    def test_every_choice_of_the_method_changes_the_hash(self):
        changes = [dict(method__order="zeroth"), dict(precision="float32"), dict(method__R=3),
                   dict(method__gossip="plain"), dict(method__eta=0.051), dict(method__delta_prime=0.5),
                   dict(problem__batch=2), dict(clients__partition="contiguous"), dict(network__lazy="true")]
        hashes = [self.small(*sets(**change)).trajectory for change in [{}, *changes]]
        self.assertEqual(len(set(hashes)), len(hashes))

    def test_records_do_not_change_the_hash(self):
        self.assertEqual(self.small().trajectory, self.small(*sets(run__record_every=1)).trajectory)

    def test_threads(self):
        self.write("edges.txt", self.ring_edges())
        for graph in GRAPHS:
            for order in ("first", "zeroth"):
                for precision in ("float32", "float64"):
                    with self.subTest(graph=graph, order=order, precision=precision):
                        words = sets(network__graph=graph, network__weights="metropolis",
                                     network__lazy="true", method__order=order, precision=precision,
                                     method__K=2)
                        words += sets(network__edges="edges.txt") if graph == "file" else []
                        one, two = (self.small(*words, *sets(run__threads=count)) for count in (1, 2))
                        self.assertEqual(one.bits(), two.bits())

    def test_threads_that_have_work(self):
        for graph in ("ring", "hypercube", "erdos-renyi"):
            for order in ("first", "zeroth"):
                for precision in ("float32", "float64"):
                    with self.subTest(graph=graph, order=order, precision=precision):
                        words = sets(network__graph=graph, network__weights="metropolis",
                                     problem__dimension=20000, problem__sparsity=0.001,
                                     method__order=order, precision=precision, method__K=1)
                        runs = [self.small(*words, *sets(run__threads=count)) for count in (1, 2, 5)]
                        self.assertEqual(runs[0].bits(), runs[1].bits())
                        self.assertEqual(runs[0].bits(), runs[2].bits())
                        self.assertEqual([run.summary["threads"] for run in runs], [1, 2, 5])

    def again(self, run, name="again"):
        """The written config, taken elsewhere and run from another folder."""
        elsewhere = self.folder()
        shutil.copy(run.directory / "config.toml", elsewhere / "taken.toml")
        return self.run_config("taken.toml", out=elsewhere / name, cwd=elsewhere)

    def assert_same_again(self, run):
        again = self.again(run)
        self.assertEqual(run.bits(), again.bits())
        self.assertEqual(run.config, again.config)

    def test_written_config_on_synthetic_data(self):
        words = sets(precision="float32", method__order="zeroth", method__eta=1 / 3, problem__noise=0.1,
                     run__budget="{samples=33, seconds=1e3}")
        self.assert_same_again(self.small(*words))

    def test_written_config_of_every_graph(self):
        for graph in GRAPHS[:-1]:
            with self.subTest(graph=graph):
                self.assert_same_again(self.small(*sets(network__graph=graph, network__weights="metropolis",
                                                        network__lazy="true", seed=5)))

    def test_written_config_of_every_partition(self):
        for partition in ("iid", "contiguous", "dirichlet", "labels"):
            with self.subTest(partition=partition):
                self.assert_same_again(self.small(*sets(clients__partition=partition, clients__count=4)))

    def test_written_config_with_a_relative_data_path(self):
        self.write("data/points.svm", self.svm_lines())
        self.write("data/test.svm", self.svm_lines(7))
        self.write("data/relative.toml", ON_FILE.format(data="points.svm") + "[run]\nthreads = 1\n")
        self.write("here.toml", ON_FILE.format(data="data/points.svm"))
        from_its_folder = self.run_config("data/relative.toml", *sets(problem__test="data/test.svm"))
        from_here = self.run_config("here.toml")
        self.assertEqual(from_here.trajectory, from_its_folder.trajectory)
        self.assertIn("accuracy", from_its_folder.summary)
        self.assert_same_again(from_its_folder)
        self.assert_same_again(from_here)

    def test_written_config_with_an_odd_data_path(self):
        name = "a \"quoted\" \\ñ #1\t.svm"
        self.write(name, self.svm_lines())
        self.write("odd.toml", ON_FILE.format(data=json.dumps(name, ensure_ascii=False)[1:-1]))
        self.assert_same_again(self.run_config("odd.toml"))

    def test_written_config_with_a_relative_edge_list(self):
        self.write("net/edges.txt", self.ring_edges())
        self.write("net/c.toml", SMALL + '[network]\ngraph = "file"\nedges = "edges.txt"\n')
        in_its_folder = self.run_config("c.toml", cwd=self.home / "net", out=self.home / "in-its-folder")
        self.assert_same_again(in_its_folder)
        self.assertEqual(in_its_folder.trajectory, self.run_config("net/c.toml").trajectory)

    def test_written_config_with_a_relative_matrix(self):
        self.write("net/P.txt", self.ring_matrix())
        for graph in ("", 'graph = "file"\n', 'graph = "ring"\nneighbours = 5\n'):
            with self.subTest(graph=graph):
                self.write("net/c.toml", SMALL + f'[network]\nweights = "file"\nmatrix = "P.txt"\n{graph}')
                out = self.home / f"in-its-folder-{self.runs}"
                in_its_folder = self.run_config("c.toml", cwd=self.home / "net", out=out)
                self.assert_same_again(in_its_folder)
                self.assertEqual(in_its_folder.trajectory, self.run_config("net/c.toml").trajectory)
                self.assertAlmostEqual(in_its_folder.summary["gamma"], 0.1476, places=4)

    def test_compressed_data(self):
        self.write("points.svm", self.svm_lines())
        self.write("points.svm.gz", gzip.compress(self.svm_lines().encode()))
        hashes = {self.run_config(self.write(f"{name}.toml", ON_FILE.format(data=name))).trajectory
                  for name in ("points.svm", "points.svm.gz")}
        self.assertEqual(len(hashes), 1)

    def test_a_data_set_by_name(self):
        folder = self.write("store/a9a/a9a.gz", gzip.compress(self.svm_lines(30).encode())).parent.parent
        self.write("store/a9a/a9a.t", self.svm_lines(11))
        self.write("named.toml", ON_FILE.format(data="a9a"))
        run = self.run_config("named.toml", env={"DOC2S_DATA": str(folder)})
        self.assertIn("accuracy", run.summary)


class Budgets(Case):
    def reached(self, budget, **changes):
        return self.small(*sets(run__budget=budget, **changes)).summary

    def test_each_budget(self):
        self.assertEqual(self.reached("{samples=15}")["samples"], 15)
        self.assertEqual(self.reached("{samples=15}", problem__batch=4)["samples"], 16)
        self.assertEqual(self.reached("{iterations=15}")["iterations"], 15)
        rounds = self.reached("{communication_rounds=15}")
        self.assertEqual((rounds["communication_rounds"], rounds["iterations"]), (16, 4))

    def test_seconds(self):
        summary = self.reached("{seconds=0.3}", method__K=10**9)
        self.assertTrue(0.3 <= summary["seconds"] < 1, summary["seconds"])
        self.assertEqual(summary["status"], "finished")

    def test_the_first_reached_stops(self):
        figures = dict(samples=15, iterations=6, communication_rounds=32, seconds=100)
        for first, figure in (("iterations", 6), ("samples", 5), ("communication_rounds", 12)):
            budget = ", ".join(f"{key}={figure if key == first else value}" for key, value in figures.items())
            summary = self.reached("{" + budget + "}")
            self.assertEqual(summary[first], figure)
            self.assertIn(first, summary["stopped_by"])

    def test_a_budget_beyond_the_method(self):
        summary = self.reached("{samples=1000000}")
        self.assertEqual((summary["iterations"], summary["status"]), (40, "finished"))

    def test_a_budget_within_the_first_epoch(self):
        run = self.small(*sets(run__budget="{iterations=6}"))
        self.assertEqual(run.summary["iterations"], 6)
        self.assertEqual(run.numbers("output.npy").shape, (16, 5))
        self.assertGreater(np.abs(run.numbers("output.npy")).max(), 0)
        self.assertIn("no epoch", run.answer.out)

    def test_output_of_one_epoch_is_its_mean(self):
        run = self.small(*sets(run__budget="{iterations=13}"))
        mean = run.numbers("output.npy").mean(axis=0)
        np.testing.assert_allclose(mean, run.numbers("last.npy"), rtol=1e-12)

    def test_a_budget_of_the_file_is_changed(self):
        self.write("b.toml", SMALL + "budget = { samples = 30 }\n")
        self.assertEqual(self.run_config("b.toml").summary["samples"], 30)
        self.assertEqual(self.run_config("b.toml", *sets(run__budget="{samples=5}")).summary["samples"], 5)
        self.assertEqual(self.run_config("b.toml", *sets(run__budget__samples=6)).summary["samples"], 6)


class Changes(Case):
    def test_numbers_texts_and_flags(self):
        words = sets(method__eta="1e-2", method__R=4, network__graph="torus", precision="float32",
                     network__lazy="true", method__order='"zeroth"', method__D=1)
        config = self.small(*words).config
        method, network = config["method"], config["network"]
        self.assertEqual([method[key] for key in ("eta", "R", "D", "order")], [0.01, 4, 1, "zeroth"])
        self.assertEqual((network["graph"], network["lazy"], config["precision"]), ("torus", True, "float32"))

    def test_a_whole_section(self):
        config = self.small("--set", 'method={eta=0.25, order="zeroth"}').config
        self.assertEqual((config["method"]["eta"], config["method"]["order"], config["method"]["T"]),
                         (0.25, "zeroth", 10))

    def test_the_last_one_counts(self):
        self.assertEqual(self.small("--set", "seed=3", "--set=seed=4").config["seed"], 4)

    def test_words_in_any_order(self):
        self.doc2s("run", "--set", "seed=3", "--out", "a", "small.toml", "--quiet")
        self.doc2s("run", "--out=b", "--quiet", "--set=seed=3", "small.toml")
        self.assertEqual(Run(self.home / "a", None).bits(), Run(self.home / "b", None).bits())

    def test_the_users_files_stay(self):
        before = snapshot(self.home)
        self.small(*sets(seed=9), out=self.home.parent / (self.home.name + "-out"))
        shutil.rmtree(self.home.parent / (self.home.name + "-out"))
        self.assertEqual(snapshot(self.home), before)


class Talk(Case):
    def test_quiet(self):
        self.write("ot.svm", self.svm_lines().replace("-1 ", "2 ").replace("+1", "1"))
        run = self.run_config(self.write("q.toml", ON_FILE.format(data="ot.svm")), *sets(network__degree=4))
        self.assertEqual(run.answer.err, "")
        self.assertIn("finished", run.answer.out)

    def test_mapped_labels_are_said(self):
        for pair in ("0/1", "1/2"):
            low, high = pair.split("/")
            self.write("l.svm", self.svm_lines().replace("-1 ", low + " ").replace("+1 ", high + " "))
            answer = self.doc2s("run", self.write("l.toml", ON_FILE.format(data="l.svm")))
            self.assertRegex(answer.err, f"(?m)^doc2s: note: .*{pair}.*$")

    def test_a_key_without_meaning_is_noted(self):
        answer = self.doc2s("run", "small.toml", *sets(network__graph="complete", network__neighbours=5))
        self.assertRegex(answer.err, r"(?m)^doc2s: note: .*network\.neighbours.*ring")
        self.write("p.svm", self.svm_lines())
        answer = self.doc2s("run", "small.toml", *sets(problem__data="p.svm"))
        for line in answer.err.splitlines():
            self.assertRegex(line, r'^doc2s: note: small\.toml:\d:1: problem\.\w+ .* problem\.data = "synth')
            self.assertNotIn('problem.name = "svm"', line, "that holds, so it is not what is missing")

    def test_closing_lines(self):
        run = self.small()
        loss = f"{run.summary['loss_mean_point']:.4f}"
        for words in ("finished", "40", str(run.directory), run.trajectory, loss):
            self.assertIn(words, run.answer.out)
        self.assertTrue(run.answer.out.endswith("\n"))

    def test_plain_progress_where_stderr_is_no_terminal(self):
        words = sets(method__K=10**9, run__budget="{seconds=6}", run__record_every=10**6)
        answer = self.doc2s("run", "small.toml", "--out", "o", *words)
        lines = answer.err.splitlines()
        self.assertTrue(1 <= len(lines) <= 12, answer.err)
        self.assertNotRegex(answer.err, r"[\r\x1b]")
        for line in lines:
            self.assertRegex(line, r"iteration [\d,]+ .*loss [\d.]+")
        self.assertRegex(lines[-1], r"\d (iterations/s|it/s).*(s|min|h) left")

    def on_a_terminal(self, *words, code=0):
        ours, theirs = pty.openpty()
        process = self.start("run", "small.toml", "--out", "o", *words, stdout=subprocess.DEVNULL,
                             stderr=theirs)
        os.close(theirs)
        shown = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # the other end is closed
                piece = b""
            if not piece:
                break
            shown += piece
        os.close(ours)
        self.assertEqual(process.wait(timeout=20), code)
        return shown.decode()

    def test_renewed_progress_on_a_terminal(self):
        shown = self.on_a_terminal(*sets(method__K=10**9, run__budget="{seconds=0.8}"))
        lines = re.findall(r"\r[^\n]*?iteration [\d,]+ .*?loss [\d.]+.*?/s.*?left", shown)
        self.assertGreaterEqual(len(lines), 2)
        self.assertNotIn("\n", shown.rstrip("\n"), "one line, renewed")
        self.assertRegex(shown, r"(\r\x1b\[K|\n)\Z", "the closing lines start on a clean line")

    def test_an_error_starts_on_a_clean_line(self):
        shown = self.on_a_terminal("--trace", "/dev/full", "--force", code=1)
        self.assertRegex(shown, r"(\A|\r\x1b\[K|\n)doc2s: ")

    def test_quiet_on_a_terminal(self):
        words = sets(method__K=10**9, run__budget="{seconds=0.3}")
        self.assertEqual(self.on_a_terminal("--quiet", *words), "")

    def test_version(self):
        self.assertRegex(self.doc2s("--version").out, r"\Adoc2s \d+\.\d+\.\d+\n\Z")

    def test_every_help_has_an_example(self):
        for words in ([], *([command] for command in COMMANDS)):
            answer = self.doc2s(*words, "--help")
            self.assertRegex(answer.out, r"Example:\n +doc2s ")
            self.assertEqual(answer.err, "")
            self.assertEqual(answer.out, self.doc2s(*words, "-h").out)

    def test_the_examples_of_help_work(self):
        for command in ("network", "list", "explain"):
            example = re.search(r"Example:\n +doc2s (.*)", self.doc2s(command, "--help").out)[1]
            self.assertNotEqual(self.doc2s(*example.split()).out, "")

    def test_list(self):
        expected = {"methods": ["doc2s"], "problems": ["svm"], "graphs": GRAPHS,
                    "weights": ["uniform", "metropolis", "max-degree", "file"],
                    "datasets": ["a9a", "synthetic"]}
        for topic, names in expected.items():
            answer = self.doc2s("list", topic)
            lines = [line.split() for line in answer.out.splitlines()]
            self.assertLessEqual(set(names), {line[0] for line in lines})
            self.assertTrue(all(len(line) > 2 for line in lines), "each with a few words")

    def test_list_says_where_a_data_set_is(self):
        folder = self.write("store/a9a/a9a", "1 1:1\n").parent
        self.assertIn("not found", self.doc2s("list", "datasets").out)
        self.assertIn(str(folder), self.doc2s("list", "datasets", env={"DOC2S_DATA": str(folder.parent)}).out)

    def test_explain(self):
        for key in ("method.eta", "eta"):
            answer = self.doc2s("explain", key)
            self.assertRegex(answer.out, r"\Amethod\.eta\n")
            self.assertIn("0.01", answer.out)
        for key in ("problem.alpha", "clients.alpha"):
            self.assertIn(key, self.doc2s("explain", "alpha").out)

    def test_explain_everything_that_a_config_may_hold(self):
        explained = self.doc2s("explain").out
        config = self.small(*sets(run__budget="{samples=5}")).config
        for section, entries in config.items():
            for key in entries if isinstance(entries, dict) else []:
                self.assertIn(f"{section}.{key}", explained)

    def test_explain_a_section_or_a_table(self):
        for key in ("run.budget", "budget"):
            self.assertIn("run.budget.samples", self.doc2s("explain", key).out)
        self.assertIn("method.eta", self.doc2s("explain", "method").out)


class NetworkCommand(Case):
    def figures(self, *words):
        return strict_json(self.doc2s("network", "--json", *words).out)

    def test_the_four_gammas(self):
        for neighbours, gamma in ((3, 0.0507), (5, 0.1476), (7, 0.2818), (9, 0.4414)):
            words = ["--graph", "ring", "--clients", 16, "--neighbours", neighbours, "--rounds", 2]
            figures = self.figures(*words)
            self.assertAlmostEqual(figures["gamma"], gamma, delta=5e-5)
            self.assertAlmostEqual(figures["lambda2"], 1 - figures["gamma"], places=12)

    def test_keys_and_figures_of_the_ring(self):
        figures = self.figures("--clients", 16, "--neighbours", 3, "--rounds", 2)
        keys = {"gamma", "lambda2", "lambda_min", "contraction", "reach", "diameter"}
        self.assertLessEqual(keys, set(figures))
        self.assertAlmostEqual(figures["lambda_min"], -1 / 3, places=9)
        self.assertEqual((figures["reach"], figures["diameter"]), (5 / 16, 8))
        self.assertLess(figures["contraction"], 1)

    def test_one_round_is_shown_and_called_refused(self):
        answer = self.doc2s("network", "--clients", 16, "--neighbours", 3, "--rounds", 1)
        self.assertIn("1.0286", answer.out)
        self.assert_one_sentence(answer, "refused", "1.029", "method.R", "lazy", "plain")

    def test_every_graph_and_lazy(self):
        self.write("edges.txt", self.ring_edges())
        for graph in GRAPHS:
            words = ["--graph", graph, "--weights", "metropolis"]
            words += ["--edges", "edges.txt"] if graph == "file" else []
            plain, lazy = self.figures(*words), self.figures(*words, "--lazy")
            self.assertAlmostEqual(lazy["gamma"], plain["gamma"] / 2, places=9)
            self.assertGreaterEqual(lazy["lambda_min"], -1e-12)

    def test_table(self):
        answer = self.doc2s("network", "--graph", "ring", "--clients", 16, "--neighbours", 3, "--rounds", 2)
        for words in ("gamma", "0.0507", "contraction", "reach", "0.3125", "diameter"):
            self.assertIn(words, answer.out)
        self.assertEqual(answer.err, "")

    def test_a_matrix_alone_is_the_network(self):
        self.write("P.txt", self.ring_matrix())
        figures = self.figures("--weights", "file", "--matrix", "P.txt")
        self.assertAlmostEqual(figures["gamma"], 0.1476, delta=5e-5)


class Directories(Case):
    def test_numbered_directories(self):
        for expected in ("runs/small", "runs/small-2", "runs/small-3"):
            answer = self.doc2s("run", "small.toml", "--quiet")
            self.assertIn(expected + "\n", answer.out)
            self.assertEqual(sorted(os.listdir(self.home / expected)), RUN_FILES)

    def test_runs_started_at_once_do_not_meet(self):
        started = [self.start("run", "small.toml", "--quiet", *sets(seed=seed), stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) for seed in range(6)]
        answers = [(process.communicate(timeout=30)[1], process.returncode) for process in started]
        self.assertEqual(answers, [("", 0)] * 6)
        runs = [Run(directory, None) for directory in (self.home / "runs").iterdir()]
        self.assertEqual(sorted(run.config["seed"] for run in runs), list(range(6)))
        for run in runs:
            self.assertEqual(run.bits(), self.small(*sets(seed=run.config["seed"])).bits())

    def test_out_makes_parents(self):
        self.assertEqual(self.small(out=self.home / "a/b/c d").summary["status"], "finished")

    def test_out_may_hold_other_things(self):
        note = self.write("mine/note.txt", "keep")
        self.small(out=note.parent)
        self.assertEqual(sorted(os.listdir(note.parent)), sorted([*RUN_FILES, "note.txt"]))
        self.assertEqual(note.read_text(), "keep")

    def test_a_run_is_not_overwritten(self):
        self.small(out=self.home / "o")
        self.refused("run", "small.toml", "--out", "o", *sets(seed=2), says=["o", "already", "--force"])
        self.refused("run", "o/config.toml", "--out", "o", says=["already", "--force"])

    def test_what_is_left_of_a_run_is_not_overwritten(self):
        for name in RUN_FILES:
            self.write("left/" + name, "precious")
            self.refused("run", "small.toml", "--out", "left", says=["left", "--force"])
            (self.home / "left" / name).unlink()

    def test_force(self):
        note = self.write("o/note.txt", "keep")
        first = self.small(out=self.home / "o").trajectory
        second = self.small("--force", *sets(seed=2), out=self.home / "o")
        self.assertNotEqual(first, second.trajectory)
        self.assertEqual(second.config["seed"], 2)
        self.assertEqual(sorted(os.listdir(second.directory)), sorted([*RUN_FILES, "note.txt"]))
        self.assertEqual(note.read_text(), "keep")

    def test_force_with_a_mistake_loses_nothing(self):
        self.write("bad.svm", "1 1:1\n1 1:x\n")
        self.small(out=self.home / "o")
        for words in (sets(method__etta=1), sets(problem__data="bad.svm"), sets(clients__count=201),
                      sets(method__R=1), ["--trace", "no/such/folder/t"], ["--trace", "o"]):
            with self.subTest(words=words):
                self.refused("run", "small.toml", "--force", "--out", "o", *words)

    def test_the_demo_does_not_overwrite(self):
        self.small(out=self.home / "o")
        before = snapshot(self.home / "o")
        answer = self.doc2s("demo", "--out", "o", code=2)
        self.assert_one_sentence(answer, "already")
        self.assertEqual(snapshot(self.home / "o"), before)

    def test_places_that_cannot_be_written(self):
        self.write("file", "")
        for place in ("/proc/x", "/proc/x/y", "file/below", "file", "/dev/null/x"):
            with self.subTest(place=place):
                self.refused("run", "small.toml", "--quiet", "--out", place, says=[place])

    def test_a_folder_where_runs_cannot_be_made(self):
        self.refused("run", self.home / "small.toml", cwd="/proc", says=["runs/small", "--out"])
        self.write("runs", "a file")
        self.refused("run", "small.toml", says=["runs/small"])


class TraceFile(Case):
    HEADER = ["n", "d", "precision", "problem", "data", "batch", "method", "order", "form", "K", "T", "R",
              "gossip", "eta", "D", "delta_prime", "lambda", "alpha", "P", "x0"]

    def trace(self, *words):
        run = self.small("--trace", "trace.jsonl", "--force", *words)
        lines = (self.home / "trace.jsonl").read_text().splitlines()
        return run, strict_json(lines[0])["header"], [strict_json(line) for line in lines[1:]], lines

    def test_format(self):
        for order in ("first", "zeroth"):
            run, header, ticks, _ = self.trace(*sets(method__order=order, problem__batch=3))
            self.assertLessEqual(set(self.HEADER), set(header))
            self.assertEqual([header[key] for key in ("n", "d", "order", "x0")], [16, 5, order, "zero"])
            self.assertEqual(np.array(header["P"]).shape, (16, 16))
            self.assertEqual([tick["tick"] for tick in ticks], list(range(40)))
            for tick in ticks:
                self.assertEqual({key: len(tick[key]) for key in ("s", "batch", "z", "g", "y_mean")},
                                 dict(s=16, batch=3, z=5, g=5, y_mean=5))
                self.assertTrue(0 <= tick["client"] < 16 and all(0 <= row < 200 for row in tick["batch"]))
                self.assertTrue(all(0 <= s <= 1 for s in tick["s"]))
                length = np.linalg.norm(tick["z"])
                self.assertTrue(length <= 1 + 1e-12 if order == "first" else abs(length - 1) < 1e-12)

    def test_a_trace_does_not_change_the_run(self):
        self.assertEqual(self.trace()[0].bits(), self.small().bits())

    def test_figures_have_all_digits(self):
        run, header, ticks, lines = self.trace(*sets(method__eta=0.1))
        self.assertIn('"eta": 0.10000000000000001', lines[0])
        self.assertRegex(lines[3], r"0\.\d{16,}")

    def test_a_budget_cuts_the_trace_too(self):
        self.assertEqual(len(self.trace(*sets(run__budget="{iterations=6}"))[2]), 6)

    def test_rows_of_the_data_file(self):
        self.write("p.svm", self.svm_lines())
        self.write("t.toml", ON_FILE.format(data="p.svm"))
        self.run_config("t.toml", "--trace", "t.jsonl", *sets(clients__partition="contiguous"))
        head, *ticks = map(strict_json, (self.home / "t.jsonl").read_text().splitlines())
        self.assertEqual(head["header"]["data"], str(self.home / "p.svm"))
        for tick in ticks:
            self.assertEqual(tick["batch"][0] // 5, tick["client"])

    def test_large_traces_must_be_asked_for_twice(self):
        large = sets(problem__dimension=20000, problem__sparsity=0.001, run__budget="{iterations=2}")
        self.refused("run", "small.toml", "--out", "o", "--trace", "t", *large,
                     says=["--trace", "twice", "20000"])
        run = self.small("--trace", "t", "--trace", "t", *large)
        self.assertEqual(len((self.home / "t").read_text().splitlines()), 3)
        self.assertEqual(run.trajectory, self.small(*large).trajectory)

    def test_refusals(self):
        self.write("precious", "data")
        table = [(["precious"], ["precious", "exists", "--force"]), (["a", "--trace", "b"], ["--trace"]),
                 (["no/such/folder/t"], ["no/such/folder/t"]), (["/proc/t"], ["/proc/t"]),
                 (["."], ["directory"]), *((["o/" + name], ["o/" + name]) for name in RUN_FILES)]
        for words, says in table:
            with self.subTest(words=words):
                self.refused("run", "small.toml", "--quiet", "--out", "o", "--trace", *words, says=says)

    def test_a_trace_within_the_new_directory(self):
        self.small("--trace", "new/trace.jsonl", out=self.home / "new")
        self.assertEqual(len((self.home / "new/trace.jsonl").read_text().splitlines()), 41)


class Signals(Case):
    LONG = sets(method__K=10**9, run__record_every=1000)

    def started(self, *words):
        process = self.start("run", "small.toml", "--quiet", "--out", "o", *words, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
        metrics = self.home / "o/metrics.jsonl"
        deadline = time.monotonic() + 20
        while not (metrics.exists() and metrics.stat().st_size) and time.monotonic() < deadline:
            time.sleep(0.01)
        return process

    def test_interrupt(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.started("--trace", "t", *self.LONG)
            time.sleep(0.2)
            process.send_signal(number)
            out, err = process.communicate(timeout=20)
            run = Run(self.home / "o", None)
            self.assertEqual((process.returncode, err), (130, ""))
            self.assertIn("interrupted", out)
            self.assertEqual(sorted(os.listdir(run.directory)), ["checkpoint", *RUN_FILES])
            self.assertEqual(run.summary["status"], "interrupted")
            self.assertEqual(run.records[-1]["iteration"], run.summary["iterations"])
            self.assertEqual(len((self.home / "t").read_text().splitlines()), run.summary["iterations"] + 1)
            self.assertEqual(run.numbers("output.npy").shape, (16, 5))
            shutil.rmtree(run.directory)
            (self.home / "t").unlink()

    def test_what_was_interrupted_is_a_prefix(self):
        process = self.started(*self.LONG)
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        cut = Run(self.home / "o", None)
        budget = f"{{iterations={cut.summary['iterations']}}}"
        self.assertEqual(self.small(*self.LONG, *sets(run__budget=budget)).bits(), cut.bits())

    def test_a_second_interrupt_ends_a_slow_step(self):
        process = self.started(*sets(method__R=100000, problem__dimension=20000, problem__sparsity=0.001))
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        self.assertIsNone(process.poll(), "the step was to be slow")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=5)
        self.assertIn(process.returncode, (-signal.SIGINT, 130))


class SeveralMethods(Case):
    METHODS = '[[method]]\nname = "doc2s"\n[[method]]\nname = "me-dol"\n[[method]]\nname = "doc2s"\nlabel = "many rounds"\nR = 8\n'

    def config(self):
        text = ("[problem]\nsize = 200\n[clients]\ncount = 8\n[run]\nbudget = { samples = 400 }\n" + self.METHODS)
        return self.write("several.toml", text)

    def test_a_folder_each_and_one_table(self):
        answer = self.doc2s("run", self.config(), "--quiet", "--out", "o")
        self.assertEqual(sorted(os.listdir(self.home / "o")), ["comparison.json", "doc2s", "many-rounds", "me-dol"])
        table = answer.out[answer.out.index("method "):]
        for label in ("doc2s ", "me-dol ", "many rounds "):
            self.assertIn(label, table)
        hashes = set()
        for name in ("doc2s", "many-rounds", "me-dol"):
            summary = strict_json((self.home / "o" / name / "summary.json").read_text())
            self.assertEqual(summary["samples"], 400)
            hashes.add(summary["trajectory"])
        self.assertEqual(len(hashes), 3)

    def test_a_mistake_leaves_no_folder_behind(self):
        self.refused("run", self.config(), "--quiet", "--set", "problem.data=nowhere.svm", says=["nowhere.svm"])
        self.assertEqual(list((self.home / "runs").glob("*")), [])

    def test_a_trace_needs_one_method(self):
        self.refused("run", self.config(), "--quiet", "--out", "o", "--trace", "t", says=["--trace t", "[method]"])

    def test_set_reaches_every_method(self):
        self.doc2s("run", self.config(), "--quiet", "--out", "o", "--set", "method.eta=0.25")
        for name in ("doc2s", "many-rounds", "me-dol"):
            setting = strict_json((self.home / "o" / name / "setting.json").read_text())
            self.assertEqual(setting["method"]["eta"], 0.25)

    def test_a_zeroth_order_method_refuses_the_first(self):
        self.write("d.toml", '[method]\nname = "dgfm"\norder = "first"\n')
        self.refused("run", "d.toml", "--quiet", "--out", "o", says=["d.toml:3:1", "zeroth"])


class Sweeps(Case):
    def words(self, *more):
        self.write("c.toml", "[problem]\nsize = 200\n[clients]\ncount = 8\n[method]\nK = 60\nT = 100\n")
        return ["sweep", "c.toml", "--over", "method.eta=0.001,0.01", "--over", "method.D=0.05,0.01", "--out", "s", *more]

    def hashes(self):
        return {path.parent.name: strict_json(path.read_text())["trajectory"]
                for path in (self.home / "s/doc2s").glob("*/summary.json")}

    def test_all_combinations_ranked(self):
        answer = self.doc2s(*self.words("--jobs", "2", "--quiet"))
        rows = [line.split() for line in answer.out.splitlines() if line.startswith("doc2s/")]
        self.assertEqual(len(rows), 4)
        self.assertEqual([float(row[1]) for row in rows], sorted(float(row[1]) for row in rows))
        self.assertIn("best by loss_mean_point: " + rows[0][0], answer.out)
        self.assertTrue((self.home / "s/sweep.csv").exists())

    def test_goes_on_where_it_was(self):
        self.doc2s(*self.words("--quiet"))
        whole = self.hashes()
        (self.home / "s/doc2s/eta=0.01,D=0.05/summary.json").unlink()  # as after a kill
        kept = self.home / "s/doc2s/eta=0.001,D=0.05/summary.json"
        before = kept.stat().st_mtime_ns
        answer = self.doc2s(*self.words())
        self.assertIn("3 of 4 cases are done already", answer.err)
        self.assertEqual(kept.stat().st_mtime_ns, before)
        self.assertEqual(self.hashes(), whole)

    def test_a_folder_of_another_sweep_is_refused(self):
        self.doc2s(*self.words("--quiet"))
        self.refused(*self.words("--quiet", "--set", "seed=2"), says=["another config", "--out"])

    def test_mistakes(self):
        self.refused(*self.words("--by", "loss"), says=["--by", "loss"])
        self.refused(*self.words("--at", "samples"), says=["--at samples", "samples=4000"])
        self.refused(*self.words("--over", "method.etta=1,2"), says=["etta", 'did you mean "eta"'])
        self.assertFalse((self.home / "s").exists())


class Divergence(Case):
    def diverged(self, *words):
        run = self.small(*words, code=3)
        self.assertEqual(sorted(os.listdir(run.directory)), RUN_FILES)
        self.assertEqual(run.summary["status"], "diverged")
        self.assertIn("diverged", run.answer.out)
        self.assertEqual(run.records[0]["iteration"], 0)
        self.assertEqual(run.records[0]["loss_mean_point"], 1)
        self.assertEqual(run.answer.err, "")
        self.assertNotIn("-nan", run.answer.out)
        # every iteration in which an oracle was asked counts, also the one that failed
        self.assertEqual(run.summary["computation_rounds"], run.summary["samples"])
        return run

    def test_steps_without_bound(self):
        for precision in ("float64", "float32"):
            for order in ("first", "zeroth"):
                with self.subTest(precision=precision, order=order):
                    self.diverged(*sets(method__D=1e308, method__eta=1e308, precision=precision,
                                        method__order=order))

    def test_records_so_far_are_kept(self):
        self.write("huge.svm", "1 1:1e200 2:1\n-1 1:-1e200 2:3\n1 2:1\n-1 1:3\n")
        words = sets(problem__data="huge.svm", clients__count=3, method__D=1e108, method__eta=1,
                     run__record_every=1)
        run = self.diverged(*words)
        self.assertEqual([record["iteration"] for record in run.records], list(range(len(run.records))))
        self.assertEqual(run.records[-1]["iteration"], run.summary["iterations"])
        self.diverged(*words, *sets(run__record_every=1000))

    def test_a_trace_of_it_parses(self):
        self.diverged("--trace", "t", *sets(method__D=1e308, method__eta=1e300))
        for line in (self.home / "t").read_text().splitlines():
            strict_json(line)


class BadWords(Case):
    def test_table(self):
        table = [
            ([], ["--help"]),
            (["runn"], ['"runn"', 'did you mean "run"']),
            (["netwrok"], ['did you mean "network"']),
            (["--verson"], ["--verson", "--version"]),
            (["frobnicate"], ["frobnicate", "network"]),
            (["run"], ["config"]),
            (["run", "small.toml", "--qiet"], ['did you mean "--quiet"']),
            (["run", "small.toml", "--st", "seed=2"], ['did you mean "--set"']),
            (["run", "small.toml", "-x"], ["-x"]),
            (["run", "small.toml", "--set"], ["--set"]),
            (["run", "small.toml", "--set", "seed"], ["--set seed", "key=value"]),
            (["run", "small.toml", "--set", "=3"], ["key=value"]),
            (["run", "small.toml", "other.toml"], ["other.toml"]),
            (["run", "small.toml", "--out"], ["--out"]),
            (["run", "small.toml", "--out", "a", "--out", "b"], ["--out"]),
            (["run", "missing.toml"], ["missing.toml"]),
            (["run", "."], ["directory"]),
            (["run", ""], ["config"]),
            (["network", "--neighbour", "3"], ['did you mean "--neighbours"']),
            (["network", "--graph", "rng"], ['did you mean "ring"']),
            (["network", "--gossip", "plan"], ["--gossip", "plan", "plain"]),
            (["network", "--rounds", "0"], ["--rounds", "0", "1"]),
            (["network", "--rounds", "two"], ["--rounds", "two"]),
            (["network", "--clients", "0"], ["--clients", "0"]),
            (["network", "--clients", "-4"], ["--clients", "-4"]),
            (["network", "--clients", "many"], ["--clients", "many"]),
            (["network", "--neighbours", "4"], ["--neighbours", "odd"]),
            (["list"], ["topic"]),
            (["list", "graph"], ['did you mean "graphs"']),
            (["list", "nonsense"], ["nonsense", "graphs"]),
            (["explain", "etta"], ['"etta"', 'did you mean "method.eta"']),
            (["explain", "method.etta"], ['did you mean "method.eta"']),
            (["demo", "now"], ["now"]),
        ]
        for words, says in table:
            with self.subTest(words=words):
                self.refused(*words, says=says)


class BadConfig(Case):
    def bad(self, text, *says, place):
        self.write("bad.toml", text)
        says = says if place is None else [f"bad.toml:{place}", *says]
        self.refused("run", "bad.toml", "--quiet", "--out", "o", says=says, timeout=5)

    def test_misspelt(self):
        table = [
            ("seed = 1\n[method]\netta = 1\n", "3:1", ['"etta"', 'did you mean "eta"']),
            ("[method]\n  lr = 1\n", "2:3", ['"lr"']),
            ("[metod]\neta = 1\n", "2:1", ["[metod]", 'did you mean "method"']),
            ("seed = 1\n[metod]\n", "2:", ["[metod]", 'did you mean "method"']),
            ("sed = 1\n", "1:1", ['did you mean "seed"']),
            ("eta = 1\n", "1:1", ["method.eta"]),
            ("[run]\nbudget = { sample = 3 }\n", "2:", ['did you mean "budget.samples"']),
            ("[run]\nbudget = 5\n", "2:1", ["budget", "samples"]),
            ("method = 3\n", "1:1", ["method"]),
            ('[network]\ngraph = "rinng"\n', "2:1", ['"rinng"', 'did you mean "ring"']),
            ('[network]\nweights = "metropolys"\n', "2:1", ['did you mean "metropolis"']),
            ('[method]\nname = "docs"\n', "2:1", ['did you mean "doc2s"']),
            ('[method]\norder = "second"\n', "2:1", ["first", "zeroth"]),
            ('precision = "float16"\n', "1:1", ["float32"]),
            ('[clients]\npartition = "idd"\n', "2:1", ['did you mean "iid"']),
            ('[problem]\nname = "swm"\n', "2:1", ["svm"]),
            ('"a\\nb" = 1\n', "1:1", []),
            ('"" = 1\n', "1:1", []),
        ]
        for text, place, says in table:
            with self.subTest(text=text):
                self.bad(text, *says, place=place)

    def test_types_and_ranges(self):
        table = [
            ('[method]\neta = "big"\n', "2:1", ["method.eta", '"big"', "number"]),
            ("[method]\nK = 1.5\n", "2:1", ["method.K", "1.5", "whole"]),
            ("[method]\nK = true\n", "2:1", ["method.K", "true"]),
            ("[method]\nK = [1]\n", "2:1", ["method.K"]),
            ("[method]\nK = 2024-01-01\n", "2:1", ["method.K"]),
            ("[network]\nlazy = 1\n", "2:1", ["network.lazy", "true or false"]),
            ("[network]\ngraph = 3\n", "2:1", ["network.graph", "3"]),
            ("[[network]]\nlazy = true\n", "1:", ["network"]),
            ("seed = -1\n", "1:1", ["-1"]),
            ("[method]\neta = 0\n", "2:1", ["eta", "above 0"]),
            ("[method]\neta = -0.1\n", "2:1", ["eta", "-0.1"]),
            ("[method]\neta = nan\n", "2:1", ["eta", "nan"]),
            ("[method]\nD = inf\n", "2:1", ["D", "inf"]),
            ("[method]\nT = 0\n", "2:1", ["method.T"]),
            ("[method]\nR = 0\n", "2:1", ["method.R"]),
            ("[method]\nR = 4294967298\n", "2:1", ["method.R", "4294967298"]),
            ("[method]\nK = 4294967296\nT = 4294967296\n", "", ["method.K"]),
            ("[method]\nK = 3037000500\nT = 3037000500\n", "", ["method.K"]),
            ("[method]\ndelta_prime = -1\n", "2:1", ["delta_prime"]),
            ('[method]\norder = "zeroth"\ndelta_prime = 0\n', "3:1", ["delta_prime", "above 0"]),
            ("[problem]\nbatch = 0\n", "2:1", ["batch"]),
            ("[problem]\nnoise = 0.6\n", "2:1", ["noise", "0.5"]),
            ("[problem]\nsparsity = 0\n", "2:1", ["sparsity"]),
            ("[problem]\nsize = 1000000000\ndimension = 1000000\n", None, ["size"]),
            ("[clients]\ncount = 0\n", "2:1", ["clients.count", "0"]),
            ("[clients]\ncount = -3\n", "2:1", ["clients.count", "-3"]),
            ("[clients]\ncount = 1\n", None, ["1 client", "neighbours"]),
            ("[clients]\ncount = 2001\n", "2:1", ["2001", "2000"]),
            ("[run]\nrecord_every = 0\n", "2:1", ["record_every"]),
            ("[run]\nthreads = -1\n", "2:1", ["threads"]),
            ("[run]\nbudget = { samples = 0 }\n", "2:", ["samples"]),
            ("[run]\nbudget = { seconds = 0.0 }\n", "2:", ["seconds"]),
            ("[run]\nbudget = { samples = 1.5 }\n", "2:", ["samples"]),
        ]
        for text, place, says in table:
            with self.subTest(text=text):
                self.bad(text, *says, place=place)

    def test_mistakes_in_toml(self):
        table = [
            ("seed = \n", "1:"), ("seed = 1\nseed = 2\n", "2:"), ("[method\nK = 1\n", "1:"),
            ("[method]\nK = 1\n[method]\nT = 1\n", "3:"), ("seed = 99999999999999999999\n", "1:"),
            ("seed 1\n", "1:"), ('[problem]\ndata = "a9a\n', "2:"), ("[run]\nbudget = { samples = 4\n", "2:"),
            ("a = 1 b = 2\n", "1:"), ("seed = 01\n", "1:"), (b"seed = 1\n\xff\xfe = 2\n", ""),
            (b"\x00\x00", "1:"), ("<html>\n<p>\n", "1:"), ('{"seed": 1}\n', "1:"),
        ]
        for text, place in table:
            with self.subTest(text=text):
                self.bad(text, place=place)

    def test_changes(self):
        table = [
            ("method.etta=1", ['did you mean "eta"']), ("method.eta=fast", ["method.eta", '"fast"']),
            ("method.eta=", ["method.eta"]), ("nonsense=1", ["nonsense"]), ("method=3", ["method"]),
            ("method.eta=[1]", ["method.eta"]), ("run.budget={sample=3}", ['"budget.samples"']),
            ("seed=1\nprecision=2", ["seed"]), ("method.eta=-1", ["above 0"]),
        ]
        for change, says in table:
            with self.subTest(change=change):
                self.refused("run", "small.toml", "--out", "o", "--set", change, says=["--set", *says])

    def test_harmless_forms(self):
        forms = [SMALL.replace("\n", "\r\n"), "\ufeff" + SMALL, SMALL + "\n# nothing follows", SMALL.rstrip()]
        hashes = {self.run_config(self.write(f"f{k}.toml", text)).trajectory for k, text in enumerate(forms)}
        self.assertEqual(hashes, {self.small().trajectory})

    def test_an_empty_config_is_the_default(self):
        self.assertEqual(self.run_config(self.write("empty.toml", "")).summary["status"], "finished")


class BadData(Case):
    def bad(self, content, *says, name="bad.svm", **changes):
        if content is not None:
            self.write(name, content)
        self.write("d.toml", ON_FILE.format(data=name))
        self.refused("run", "d.toml", "--quiet", "--out", "o", *sets(**changes), says=says)

    def test_lines(self):
        good = "+1 1:1 2:2\n-1 2:1\n"
        table = [
            ("+1 0:1", ["index 0", "1-based"]), ("+1 3:1 2:1", ["index 2", "3"]), ("+1 2:1 2:1", ["index 2"]),
            ("+1 99999999999:1", ["99999999999"]), ("+1 2147483648:1", ["2147483648"]),
            ("+1 1e3:1", ["1e3:1"]), ("+1 -1:1", ["-1:1"]), ("+1 1:nan", ["nan"]), ("+1 1:NaN", ["NaN"]),
            ("+1 1:inf", ["inf"]), ("-1 1:-Infinity", ["Infinity"]), ("+1 1:1e999", ["1e999"]),
            ("nan 1:1", ["nan"]), ("+1 1:", ["1:"]), ("+1 :1", [":1"]), ("+1 1", ["1"]),
            ("+1 1:one", ["one"]), ("one 1:1", ["one"]), ("1:1 2:2", ["1:1"]), ("+1 1:1,2:2", ["1,2:2"]),
            ("+1 qid:3 1:1", ["qid:3"]), ("+1 1:1 2:\x00", []), ("<html>", ["html"]),
        ]
        for line, says in table:
            with self.subTest(line=line):
                self.bad(good + line + "\n" + good, "bad.svm:3", *says)
                self.bad(good + line, "bad.svm:3", *says)

    def test_whole_files(self):
        packed = gzip.compress(self.svm_lines(2000).encode())
        self.bad("", "bad.svm", "no samples")
        self.bad("\n\n# nothing\n", "bad.svm", "no samples")
        self.bad("1 1:1\n2 1:2\n3 1:3\n4 1:4\n", "bad.svm", "label")
        self.bad("+1 1:1\n" * 3, "4", "3", "client")
        self.bad(packed[:-20], "cut.svm.gz", "cut short", name="cut.svm.gz")
        self.bad(packed[:100], "cut.svm.gz", "cut short", name="cut.svm.gz")
        self.bad(packed[:200] + b"garbage" + packed[207:], "cut.svm.gz", "damaged", name="cut.svm.gz")
        self.bad(bytes(range(256)) * 4, "bad.svm")

    def test_places(self):
        (self.home / "folder").mkdir()
        self.bad(None, "folder", "directory", name="folder")
        self.bad(None, "missing.svm", name="missing.svm")
        self.bad(None, "missing.svm", name="no/such/missing.svm")
        self.bad(None, "a9a", "DOC2S_DATA", name="a9a")
        self.bad(None, 'did you mean "a9a"', name="a9b")
        self.bad(None, "empty", name="")

    def test_places_where_a_data_set_is_found(self):
        self.write("d.toml", ON_FILE.format(data="a9a"))
        for place in ("store/a9a/a9a", ".local/share/doc2s/a9a/a9a.gz"):
            lines = self.svm_lines().encode()
            path = self.write(place, gzip.compress(lines) if place.endswith("gz") else lines)
            self.run_config("d.toml", env={"DOC2S_DATA": str(self.home / "store")})
            path.unlink()

    def test_more_clients_than_samples(self):
        self.bad(self.svm_lines(3), "clients.count", "4", "3")

    def test_an_empty_client(self):
        lines = "+1 1:1\n" * 3 + "-1 1:1\n"
        self.bad(lines, "client", clients__partition="labels", clients__per_client=2)

    def test_test_data(self):
        self.write("p.svm", self.svm_lines())
        self.bad(self.svm_lines(), "missing", problem__test="missing")
        self.write("t.svm", "+1 1:1\n-1 1:x\n")
        self.bad(self.svm_lines(), "t.svm:2", problem__test="t.svm")

    def test_values_beyond_float32(self):
        self.bad("+1 1:1e300\n-1 1:2\n" * 4, "float32", "bad.svm", precision="float32")


class BadNetwork(Case):
    def bad(self, *says, **changes):
        changes = {f"network__{key}" if "__" not in key else key: value for key, value in changes.items()}
        self.refused("run", "small.toml", "--quiet", "--out", "o", *sets(**changes), says=says)

    def test_rounds_that_do_not_contract(self):
        self.bad("method.R", "1.029", "method.R = 2", "network.lazy = true", "plain", method__R=1)

    def test_graphs(self):
        self.bad("uniform", "metropolis", "15", graph="star", weights="uniform")
        self.bad("12", "power of two", "8", "16", graph="hypercube", clients__count=12)
        self.bad("neighbours", "4", "odd", neighbours=4)
        self.bad("neighbours", "17", neighbours=17)
        self.bad("neighbours", neighbours=1)
        self.bad("13", graph="torus", clients__count=13)
        self.bad("rows", "5", graph="grid", weights="metropolis", rows=5)
        self.bad("degree", "15", graph="regular", degree=5, clients__count=15)
        self.bad("degree", "16", graph="regular", degree=16)
        self.bad("0.0001", graph="erdos-renyi", weights="metropolis", p=0.0001)
        self.bad("k", "3", graph="watts-strogatz", weights="metropolis", k=3)
        self.bad("p", "1.5", graph="erdos-renyi", p=1.5)

    def test_edge_lists(self):
        def edges(text, *says):
            self.write("edges.txt", text)
            self.bad("edges.txt", *says, graph="file", weights="metropolis", edges="edges.txt")
        edges("".join(f"{i} {i + 1}\n" for i in range(14)), "not connected", "15")
        edges("", "not connected")
        edges(self.ring_edges() + "0 16\n", "edges.txt:17", "16")
        edges("0 -1\n", "edges.txt:1", "-1")
        edges("0 1\n1 one\n", "edges.txt:2", "one")
        edges("0 1 2\n", "edges.txt:1")
        edges("0\n", "edges.txt:1")
        edges("3 3\n", "edges.txt:1", "3")
        self.bad("network.edges", graph="file", weights="metropolis")
        self.bad("missing.txt", graph="file", weights="metropolis", edges="missing.txt")

    def test_matrices(self):
        def matrix(P, *says, **more):
            self.write("P.txt", P if isinstance(P, str) else matrix_text(P))
            self.bad("P.txt", *says, weights="file", matrix="P.txt", graph="file", clients__count=4, **more)
        good = np.full((4, 4), 0.25)
        skew = good.copy()
        skew[0, 1:3] += [0.05, -0.05]
        matrix(skew, "not symmetric", "0.3", "0.25")
        matrix(good * 0.9, "stochastic", "0.9")
        negative = good.copy()
        negative[[0, 1], [1, 0]], negative[[0, 1], [0, 1]] = -0.25, 0.75
        matrix(negative, "P.txt:1", "negative")
        matrix(good[:3], "3", "4")
        matrix(good[:, :3], "P.txt:1", "3", "4")
        matrix("0.5 nan\n", "P.txt:1")
        matrix("0.25 0.25 0.25 x\n", "P.txt:1", "x")
        matrix(np.kron(np.eye(2), np.full((2, 2), 0.5)), "not connected")
        self.bad("network.matrix", weights="file", graph="file")
        self.bad("missing.txt", weights="file", graph="file", matrix="missing.txt")


class FaultsOfTheMachine(Case):
    def in_a_gigabyte(self, *words, **more):
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
        return self.doc2s(*words, code=1, preexec_fn=limit, **more)

    def test_a_full_disk_under_the_trace(self):
        run = self.small("--force", "--trace", "/dev/full", code=1)
        self.assert_one_sentence(run.answer, "/dev/full", "No space left")

    def test_a_full_disk_under_the_run(self):
        disk = self.home / "disk"
        disk.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
        if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode != 0:
            self.skipTest("a small disk cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", str(disk)])
        for words in (sets(run__record_every=1, method__K=100), sets(problem__dimension=2000)):
            answer = self.doc2s("run", "small.toml", "--quiet", "--out", disk / "o", *words, code=1)
            self.assert_one_sentence(answer, str(disk / "o"), "No space left")
            for line in (disk / "o/metrics.jsonl").read_text().splitlines()[:-1]:
                strict_json(line)
            self.assertEqual([name for name in os.listdir(disk / "o") if name not in ("checkpoint", *RUN_FILES)], [])
            self.assertEqual([path for path in (disk / "o").rglob("*") if path.suffix == ".part"], [])
            shutil.rmtree(disk / "o")

    def test_a_full_disk_under_stdout(self):
        for words in (["list", "graphs"], ["network"], ["explain"], ["run", "small.toml", "--quiet"]):
            with self.subTest(words=words), open("/dev/full", "w") as full:
                self.assert_one_sentence(self.doc2s(*words, code=1, stdout=full))

    def test_short_memory(self):
        words = sets(problem__dimension=10**8, problem__sparsity=1e-9, run__threads=1)
        answer = self.in_a_gigabyte("run", "small.toml", "--quiet", "--out", "o", *words)
        self.assert_one_sentence(answer, "memory")
        self.assertFalse((self.home / "o").exists())

    def test_threads_that_cannot_be_had(self):
        words = sets(run__threads=1024)
        answer = self.in_a_gigabyte("run", "small.toml", "--quiet", "--out", "o", *words, timeout=5)
        self.assert_one_sentence(answer, "thread")
        self.assertFalse((self.home / "o").exists())


class Demo(Case):
    def test_it_shows_falling_losses_and_a_report(self):
        answer = self.doc2s("demo", timeout=300)
        for name in ("DOC2S", "ME-DOL"):
            records = [strict_json(line) for line in
                       (self.home / "runs/demo" / name / "metrics.jsonl").read_text().splitlines()]
            self.assertGreater(len(records), 1)
            self.assertLess(records[-1]["loss_mean_point"], records[0]["loss_mean_point"])
            self.assertIn(name, answer.out)
        self.assertIn("<html", (self.home / "runs/demo/report.html").read_text()[:2000])
        command = re.search(r"doc2s (run .*)", answer.out)[1].split()
        self.assertIn("finished", self.doc2s(*command, "--set", "run.budget.seconds=0.5", timeout=60).out)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: cli_test.py PROGRAM [TEST…]")
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
