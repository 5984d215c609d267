#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
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
        self.refused("run", "bad.toml", "--quiet", "--out", "o", says=says)

    def test_each_layer_is_told_in_one_sentence(self):
        """The other mistakes of a config: tests/unit/config_mistakes_test.cpp."""
        table = [
            ("seed = 1\n[method]\netta = 1\n", "3:1", ['"etta"', 'did you mean "eta"']),
            ('"a\\nb" = 1\n', "1:1", []),
            ('[method]\neta = "big"\n', "2:1", ["method.eta", '"big"', "number"]),
            ("[method]\neta = 0\n", "2:1", ["eta", "above 0"]),
            ('[method]\norder = "zeroth"\ndelta_prime = 0\n', "3:1", ["delta_prime", "above 0"]),
            ("[method]\ndirections = 2\n", "2:1", ["directions", 'order = "zeroth"']),
            ("[problem]\nsize = 1000000000\ndimension = 1000000\n", None, ["size"]),
            ("[clients]\ncount = 1\n[network]\ngraph = \"ring\"\n", None, ["1 client", "neighbours"]),
            ("[clients]\ncount = 2001\n", "2:1", ["2001", "2000"]),
            ("[method\nK = 1\n", "1:", []), (b"seed = 1\n\xff\xfe = 2\n", "", []), (b"\x00\x00", "1:", []),
        ]
        for text, place, says in table:
            with self.subTest(text=text):
                self.bad(text, *says, place=place)

    def test_methods(self):
        table = [
            ('name = "token"\ntravellers = 0\n', "3:1", ["travellers", "1"]),
            ('name = "doc2s-travel"\ntravellers = 17\n', "3:1", ["17 travellers", "16 clients"]),
            ('name = "token"\nstep = "adaptive"\n', "3:1", ["step", "adaptive", "fixed"]),
            ('name = "token"\nbeta = 1.0\n', "3:1", ["beta", "below 1"]),
            ('name = "token"\nbeta = -0.1\n', "3:1", ["beta", "0"]),
            ('name = "doc2s-travel"\nstay = 0\n', "3:1", ["stay", "1"]),
            ('name = "doc2s-travel"\nroute = "tuor"\n', "3:1", ["route", "tuor", 'did you mean "tour"']),
            ('name = "dsgd"\nlocal_steps = -1\n', "3:1", ["local_steps", "0"]),
        ]
        for text, place, says in table:
            with self.subTest(text=text):
                self.bad("[method]\n" + text, *says, place=place)

    def test_changes(self):
        for change, says in (("method.etta=1", ['did you mean "eta"']), ("method.eta=fast", ["method.eta", '"fast"']),
                             ("seed=1\nprecision=2", ["seed"])):
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
        """The other mistakes of a line: tests/unit/data_libsvm_test.cpp."""
        good = "+1 1:1 2:2\n-1 2:1\n"
        for line, says in (("+1 0:1", ["index 0", "1-based"]), ("+1 1:one", ["one"]), ("+1 1:1 2:\x00", [])):
            with self.subTest(line=line):
                self.bad(good + line + "\n" + good, "bad.svm:3", *says)

    def test_whole_files(self):
        packed = gzip.compress(self.svm_lines(2000).encode())
        self.bad("", "bad.svm", "no samples")
        self.bad("\n\n# nothing\n", "bad.svm", "no samples")
        self.bad("1 1:1\n2 1:2\n3 1:3\n4 1:4\n", "bad.svm", "label")
        self.bad("+1 1:1\n" * 3, "4", "3", "client")
        self.bad(packed[:-20], "cut.svm.gz", "damaged or truncated", name="cut.svm.gz")
        self.bad(packed[:100], "cut.svm.gz", "damaged or truncated", name="cut.svm.gz")
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
    """One of each kind; the others: tests/unit/network_*_test.cpp."""

    def bad(self, *says, **changes):
        changes = {f"network__{key}" if "__" not in key else key: value for key, value in changes.items()}
        self.refused("run", "small.toml", "--quiet", "--out", "o", *sets(**changes), says=says)

    def test_rounds_that_do_not_contract(self):
        self.bad("method.R", "1.029", "method.R = 2", "network.lazy = true", "plain", method__R=1)

    def test_graphs_and_weights(self):
        self.bad("12", "power of two", "8", "16", graph="hypercube", clients__count=12)
        self.bad("uniform", "metropolis", "15", graph="star", weights="uniform")

    def test_files(self):
        self.write("edges.txt", self.ring_edges() + "0 16\n")
        self.bad("edges.txt:17", "16", graph="file", weights="metropolis", edges="edges.txt")
        self.bad("missing.txt", graph="file", weights="metropolis", edges="missing.txt")
        self.write("P.txt", matrix_text(np.full((4, 4), 0.225)))
        self.bad("P.txt", "stochastic", "0.9", weights="file", matrix="P.txt", graph="file", clients__count=4)


if __name__ == "__main__":
    harness.main()
