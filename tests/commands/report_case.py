# SPDX-License-Identifier: Apache-2.0
"""What the tests of `doc2s report` share: finished runs with settings of our own."""
import json
import math
import re
import shutil
import subprocess
import unittest

import numpy as np

import harness

CONFIG = """\
seed = {seed}
[problem]
size = 400
dimension = 10
[clients]
count = 16
[network]
graph = "{graph}"
[method]
K = 20
T = 20
R = {R}
eta = 0.05
D = 0.05
[run]
record_every = 10
"""


class PageCase(unittest.TestCase):
    """`page`, made in `folder`, in one `browser`, whose console stays empty."""

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        shutil.rmtree(cls.folder)

    def tearDown(self):
        self.assertEqual([entry["message"] for entry in self.browser.logs("browser")], [])


def ring(n):
    return [[i, (i + 1) % n] for i in range(n)]


def torus(rows, columns):
    edges = set()
    for r in range(rows):
        for c in range(columns):
            for other in ((r + 1) % rows * columns + c, r * columns + (c + 1) % columns):
                edges.add(tuple(sorted((r * columns + c, other))))
    return [list(edge) for edge in sorted(edges)]


def setting(label, seed, R, graph, split_seed):
    random = np.random.default_rng(split_seed)
    counts = [random.multinomial(25, random.dirichlet([0.4] * 10)).tolist() for _ in range(16)]
    return {
        "label": label, "seed": seed, "precision": "float64",
        "method": {"name": "doc2s", "label": f"{label} {seed}", "order": "first", "K": 20, "T": 20, "R": R, "eta": 0.05, "D": 0.05},
        "problem": {"name": "svm", "data": "synthetic", "size": 400, "dimension": 10, "batch": 1},
        "clients": {"count": 16, "partition": "dirichlet"}, "network": {"graph": graph, "weights": "metropolis"},
        "run": {"record_every": 10, "threads": 0},
        "graph": {"n": 16, "edges": ring(16) if graph == "ring" else torus(4, 4), "gamma": 0.0507, "lambda2": 0.9493,
                  "lambda_min": -1 / 3, "diameter": 8, "rounds": R, "contraction": 0.9, "reach": min(1, (2 * R + 1) / 16),
                  "memory": 4.12, "least_c": -0.014},
        "split": {"labels": [str(k) for k in range(10)], "counts": counts},
    }


def answer(*words, code=0):
    done = subprocess.run([harness.PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=harness.PATIENCE)
    assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
    return done


def make_run(directory, label, seed=1, R=2, graph="ring", accuracy=True):
    config = directory.with_suffix(".toml")
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(CONFIG.format(seed=seed, R=R, graph=graph))
    answer("run", config, "--out", directory, "--quiet")
    (directory / "setting.json").write_text(json.dumps(setting(label, seed, R, graph, split_seed=7)))
    if accuracy:
        add_accuracy(directory)
    return directory


def add_accuracy(directory):
    records = [json.loads(line) for line in (directory / "metrics.jsonl").read_text().splitlines()]
    for record in records:
        record["accuracy"] = 1 / (1 + math.exp(1.5 - record["iteration"] / 60))
    (directory / "metrics.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    summary = json.loads((directory / "summary.json").read_text())
    (directory / "summary.json").write_text(json.dumps({**summary, "accuracy": records[-1]["accuracy"]}))


def records(directory):
    """The columns of metrics.jsonl."""
    lines = [json.loads(line) for line in (directory / "metrics.jsonl").read_text().splitlines()]
    return {key: np.array([line[key] for line in lines], dtype=float) for key in lines[0]}


def sweep_of_fifty(directory):
    """Two methods, each over five values of eta and of D."""
    config = directory.with_suffix(".toml")
    config.write_text(CONFIG.format(seed=1, graph="ring", R=2).replace("K = 20\nT = 20\nR = 2\neta = 0.05\nD = 0.05\n", 'name = "doc2s"\nK = 4\nT = 10\nR = 2\n')
                      .replace("[method]", "[[method]]").replace("[run]", '[[method]]\nname = "me-dol"\nK = 4\nT = 10\n[run]'))
    words = ("--over", "method.eta=0.001,0.01,0.02,0.05,0.1", "--over", "method.D=0.01,0.02,0.05,0.1,0.2")
    return answer("sweep", config, *words, "--out", directory)


def page_data(page):
    text = page.read_text(encoding="utf-8")
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)[1])
