#!/usr/bin/env python3
"""Mistakes in configs, data and networks, as the user of `doc2s run` meets them: python3 run_mistakes_test.py PROGRAM [TEST…]."""
import gzip
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Case, matrix_text, ON_FILE, sets, SMALL


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


if __name__ == "__main__":
    harness.main()
