# SPDX-License-Identifier: Apache-2.0
"""What the tests of the program from outside share: running it, its files, and the test runner.

A test file is run as `python3 tests/commands/NAME_test.py PROGRAM [TEST…]`; its last line calls main().
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import tomllib
import unittest
from dataclasses import dataclass

import numpy as np

sys.dont_write_bytecode = True  # the source tree stays clean
PROGRAM = ""
PATIENCE = 900  # seconds: ends what hangs, however slow the machine
PROGRESS = re.compile(r"(?!doc2s: |warning)([a-z]+ing\b|iteration |.*(, \d+%|gradients, \w+ \S+)\s*$)")  # a plain line, after five seconds
GIVEN = {}  # what else a test file was called with
PROJECT = pathlib.Path(__file__).resolve().parent.parent
RUN_FILES = ["config.toml", "last.npy", "metrics.jsonl", "output.npy", "preprocessing.json", "setting.json",
             "summary.json"]
COUNTS = ["samples", "evaluations", "computation_rounds", "communication_rounds", "bytes", "wire_bytes"]
MEASURES = ["loss_mean_point", "loss_clients", "loss_worst", "consensus", "seconds"]
GRAPHS = ["ring", "complete", "star", "path", "grid", "torus", "hypercube", "exponential", "regular",
          "erdos-renyi", "watts-strogatz", "file"]
COMMANDS = ["run", "sweep", "tune", "report", "reproduce", "data", "demo", "network", "plan", "guarantee", "certify", "predict", "list",
            "explain", "bench"]
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


def wait_until(true, process=None):
    """Until it is true, or the process has ended."""
    until = time.monotonic() + PATIENCE
    while not true() and (process is None or process.poll() is None):
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.005)


def taken(process, number):
    """Whether it has no such signal before it any more, so that a second is not merged with the first."""
    pending = re.findall(r"(?:ShdPnd|SigPnd):\s*([0-9a-f]+)", pathlib.Path(f"/proc/{process.pid}/status").read_text())
    return not any(int(mask, 16) >> (number - 1) & 1 for mask in pending)


def snapshot(directory):
    return {path: path.read_bytes() for path in sorted(pathlib.Path(directory).rglob("*")) if path.is_file()}


def without_progress(err):
    """Of what a program said that was at it for a while."""
    return "".join(line for line in err.splitlines(keepends=True) if not PROGRESS.match(line))


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

    def doc2s(self, *words, code=0, stdout=subprocess.PIPE, **more):
        began = time.monotonic()
        process = self.start(*words, stdout=stdout, stderr=subprocess.PIPE, text=True, **more)
        try:
            out, err = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            self.fail(f"doc2s {' '.join(map(str, words))} did not end within {PATIENCE} s")
        if time.monotonic() - began > 5:
            err = without_progress(err)
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

    def assert_one_sentence(self, answer, *says, listed=False):
        """Or, of data, a list of faults and one hint."""
        shape = r"\Adoc2s: the data has \d+ faults:(\n  [^\n]+)+\n[^\n]+\n\Z" if listed else r"\Adoc2s: [^\n]+\n\Z"
        self.assertRegex(answer.err, shape, "one line on stderr")
        for alarm in ("terminate called", "what():", "std::", "Traceback", "Assertion"):
            self.assertNotIn(alarm, answer.err)
        for words in says:
            self.assertIn(words, answer.err)

    def refused(self, *words, says=(), code=2, listed=False, **more):
        """Ends at once with one sentence, says nothing else, and leaves every file as it was."""
        before, paths = snapshot(self.home), set(self.home.rglob("*"))
        try:
            answer = self.doc2s(*words, code=code, **more)
            self.assert_one_sentence(answer, *says, listed=listed)
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


def main(*names):
    """Runs the tests of the calling file. The first argument is the program; `names` are further ones, given as GIVEN[name]."""
    global PROGRAM
    if len(sys.argv) < 2 + len(names):
        sys.exit(f"usage: {sys.argv[0]} {' '.join(['PROGRAM', *names])} [TEST…]")
    PROGRAM, *rest = (str(pathlib.Path(sys.argv.pop(1)).resolve()) for _ in range(1 + len(names)))
    GIVEN.update(zip(names, rest))
    unittest.main()
