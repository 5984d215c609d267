#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Inputs as people get them wrong, one line each: input → sentence → exit code; every file stays as it was.
python3 forty_inputs_test.py PROGRAM [TEST…]."""
import gzip
import pathlib
import resource
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Case, ON_FILE, SMALL, sets

SVM = "".join(f"{'+1' if row % 2 else '-1'} 1:{row} 3:{1 - row / 7}\n" for row in range(20))
CSV = "a,b,y\n" + "".join(f"{row},{row % 3},{'yes' if row % 2 else 'no'}\n" for row in range(20))
MARK = "\ufeff"


def method(line):
    return f"[method]\n{line}\n"


def problem(line):
    return f"[problem]\n{line}\n"


def clients(count, **network):
    return f"[clients]\ncount = {count}\n[network]\n" + "".join(f'{key} = "{value}"\n' for key, value in network.items())


# the config → what the sentence says; the exit code is 2
CONFIGS = [
    (method("K = 99999999999999999999"), ["bad.toml:2", "too large", "9223372036854775807"]),
    (method("K = 1e19"), ["bad.toml:2", "method.K", "1e+19 is out of range", "from 1 to 1000000000"]),
    (method("K = 4.5"), ["bad.toml:2", "4.5 is a number", "a whole number from 1"]),
    (method('K = "40"'), ['"40" is a text', "a whole number from 1"]),
    (method("eta = 0,01"), ["bad.toml:2", "comma", "write a decimal point, 0.01"]),
    (method('eta = "0,01"'), ["write a decimal point, 0.01"]),
    (method("eta = -1"), ["method.eta", "-1 is out of range", "above 0"]),
    (method("eta = nan"), ["method.eta", "nan is out of range"]),
    (method("etta = 1"), ["bad.toml:2", 'did you mean "eta"']),
    ("[metod]\nK = 1\n", ["unknown section [metod]", 'did you mean "method"']),
    (method("K = 1\nK = 2"), ["bad.toml:3"]),
    ("[method\nK = 1\n", ["bad.toml:1"]),
    (method('name = "docs2"'), ['did you mean "doc2s"']),
    (SMALL.encode("utf-16"), ["bad.toml: is a text in UTF-16", "save it as UTF-8"]),
    (SMALL.encode("utf-16-be"), ["bad.toml: is a text in UTF-16", "save it as UTF-8"]),
    (SMALL.encode() + "# für später\n".encode("latin-1"), ["not UTF-8", "save the file as UTF-8"]),
    (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", ["bad.toml:1"]),
    (problem("batch = 0"), ["problem.batch", "0 is out of range", "from 1"]),
    (problem("batch = 1e10"), ["problem.batch", "out of range", "1000000000"]),
    (problem("hidden = [1.5]"), ["whole numbers"]),
    (clients(0), ["clients.count", "0 is out of range"]),
    (clients(2**21), ["clients.count", "out of range", "1048576"]),
    (clients(1000000), ["clients.count", "1000000 clients cannot share 2000 samples", "take fewer clients or more data"]),
    (clients(200000, graph="erdos-renyi"), ["200000 clients cannot share 2000 samples"]),
    (clients(200000, graph="regular"), ["200000 clients cannot share 2000 samples"]),
    (clients(17, graph="torus"), ["17 clients do not form a torus", "take 18 clients"]),
    (clients(12, graph="hypercube"), ["power of two", "take 8 or 16 clients"]),
    (clients(16, graph="rign"), ['did you mean "ring"']),
]

# the data (its name, its bytes) → what the sentence says; the exit code is 2
DATA = [
    ("none.svm", None, ["none.svm"]),
    ("d.svm", "", ["d.svm", "no samples"]),
    ("d.svm", SVM.encode("utf-16"), ["d.svm: is a text in UTF-16", "save it as UTF-8"]),
    ("d.csv", CSV.encode("utf-16"), ["d.csv: is a text in UTF-16", "save it as UTF-8"]),
    ("d.csv", CSV.encode("utf-16-le"), ["d.csv: is a text in UTF-16", "save it as UTF-8"]),
    ("d.svm", SVM + "good 1:1\n", ["d.svm:21", "good"]),
    ("d.svm", SVM + "+1 0:1\n", ["d.svm:21", "1-based"]),
    ("d.svm", SVM + "+1 1:nan\n", ["d.svm:21", "nan"]),
    ("d.svm", SVM + "+1 1:0,5\n", ["d.svm:21", "0,5"]),
    ("d.csv", CSV + "1,2\n", ["d.csv:22", "2 columns", "line 1 has 3"]),
    ("d.csv", CSV + "1,,yes\n", ["d.csv:22", "fill it in"]),
    ("d.csv", CSV.replace("no", "yes"), ['every row has the class "yes"', "problem.label"]),
    ("d.csv", CSV.splitlines()[0] + "\n", ["d.csv", "a header and no rows"]),
    ("d.svm.gz", gzip.compress(SVM.encode())[:-9], ["d.svm.gz", "damaged or truncated"]),
]

# the arguments → what the sentence says, and the exit code
ARGUMENTS = [
    (["run"], ["no config is named"], 2),
    (["run", "none.toml"], ["none.toml", "No such file or directory"], 2),
    (["run", "folder"], ["folder", "is a directory"], 2),
    (["run", "small.toml", "--out", "small.toml"], ["small.toml", "not a directory"], 2),
    (["run", "small.toml", "--out", "there"], ["there: already holds a run", "--force"], 2),
    (["run", "small.toml", "--out", "o", *sets(method__K="99999999999999999999")],
     ["99999999999999999999 is out of range", "from 1 to 1000000000"], 2),
    (["run", "small.toml", "--out", "o", *sets(method__eta="0,01")], ["write a decimal point, 0.01"], 2),
    (["run", "small.toml", "--out", "o", *sets(clients__count=200000, network__graph="complete")],
     ["the 2e+10 edges of 200000 clients need 960 GB of memory", "are free", "a graph with fewer edges"], 1),
    (["run", "--resume", "none"], ["--resume none", "there is no such directory"], 2),
    (["run", "--resume", "folder"], ["folder", "is empty"], 2),
    (["run", "--resume", "there", *sets(method__eta="0.5")], ["another config", "eta"], 2),
    (["runn", "small.toml"], ['no command "runn"', 'did you mean "run"'], 2),
    (["sweep", "small.toml", "--over", "method.eta="], ["a value is empty"], 2),
]


class Refused(Case):
    """One sentence, and no file is made, changed or lost."""

    def test_configs(self):
        for content, says in CONFIGS:
            with self.subTest(config=content):
                self.write("bad.toml", content)
                self.refused("run", "bad.toml", "--quiet", "--out", "o", says=says)

    def test_data(self):
        for name, content, says in DATA:
            with self.subTest(data=name, says=says):
                if content is not None:
                    self.write(name, content)
                self.write("d.toml", ON_FILE.format(data=name))
                self.refused("run", "d.toml", "--quiet", "--out", "o", says=says)

    def test_arguments(self):
        (self.home / "folder").mkdir()
        self.small(out=self.home / "there")
        for words, says, code in ARGUMENTS:
            with self.subTest(words=words):
                self.refused(*words, says=says, code=code)

    def test_networks(self):
        for content, says in (("0 1\n1 99\n", ["edges.txt:2", "99"]), ("0 1\n1 x\n", ["edges.txt:2", '"x"']),
                              (self.ring_edges().encode("utf-16"), ["edges.txt: is a text in UTF-16"])):
            with self.subTest(content=content):
                self.write("edges.txt", content)
                self.refused("run", "small.toml", "--quiet", "--out", "o", says=says,
                             *sets(network__graph="file", network__edges="edges.txt"))

    def test_memory(self):
        """ulimit -v: told before it is asked for."""
        def tight():
            resource.setrlimit(resource.RLIMIT_AS, (1_000_000_000, 1_000_000_000))
        for changes, says in (({"problem__batch": "1e9"}, "batches of 1000000000 samples"),
                              ({"problem__dimension": 10_000_000}, "16 clients with 10000000 numbers each")):
            with self.subTest(changes=changes):
                self.refused("run", "small.toml", "--quiet", "--out", "o", *sets(**changes), preexec_fn=tight, code=1,
                             says=[says, "GB of memory", "are free"])


class Accepted(Case):
    """What looks odd and is meant well: the run goes on, and says what is to be said."""

    def test_whole_numbers_written_as_reals(self):
        self.write("c.toml", SMALL.replace("K = 4", "K = 4e0").replace("size = 200", "size = 2e2\nbatch = 1e1"))
        for run in (self.run_config("c.toml"), self.small(*sets(problem__batch="1e1"))):
            self.assertEqual((run.config["method"]["K"], run.config["problem"]["batch"]), (4, 10))
            self.assertIs(type(run.config["method"]["K"]), int)
            self.assertRegex(run.text("config.toml"), r"(?m)^batch = 10 ")
        self.doc2s("sweep", "small.toml", "--quiet", "--out", "s", "--over", "method.K=1e0,2e0")
        self.assertIn("K = 2 ", (self.home / "s/doc2s/K=2e0/config.toml").read_text())

    def test_byte_order_marks(self):
        plain, marked = [], []
        for name, content in (("d.svm", SVM), ("d.csv", CSV)):
            for mark, runs in (("", plain), (MARK, marked)):
                self.write(name, mark + content)
                runs.append(self.run_config(self.write("d.toml", mark + ON_FILE.format(data=name))).trajectory)
        for mark, runs in (("", plain), (MARK, marked)):
            self.write("edges.txt", mark + self.ring_edges())
            runs.append(self.small(*sets(network__graph="file", network__edges="edges.txt")).trajectory)
        self.assertEqual(marked, plain)

    def test_notes(self):
        one_class = SVM.replace("-1 ", "+1 ")
        for config, data, says in (
                ("", "", "c.toml is empty, so every key has its default: the data is synthetic"),
                ("# all of it is a comment\n", "", "the data is synthetic"),
                (ON_FILE.format(data="one.svm"), one_class, "every sample has the label 1, so there is nothing to tell apart"),
                ("[problem]\nsize = 20\nbatch = 4e3\n[method]\nK = 1\nT = 2\n", "", "draws each of them some 2000 times")):
            with self.subTest(config=config):
                self.write("c.toml", config)
                self.write("one.svm", data)
                self.assertIn(says, self.doc2s("run", "c.toml", "--out", "o", "--force").err)

    def test_a_budget_that_ends_a_longer_run(self):
        budget = sets(run__budget__samples=20, run__checkpoint_every=5)
        run = self.small(*budget)
        longer = self.doc2s("run", "--resume", run.directory, *sets(method__K=8))
        self.assertIn("went no further: run.budget.samples = 20 is reached; to go on: --set run.budget.samples=40", longer.err)
        self.assertEqual(run.summary["iterations"], 20)
        self.doc2s("run", "--resume", run.directory, *sets(run__budget__samples=40))
        self.assertEqual(run.summary["iterations"], 40)


if __name__ == "__main__":
    harness.main()
