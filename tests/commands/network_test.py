#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`doc2s network`: python3 network_test.py PROGRAM [TEST…]."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import numpy as np

import harness
from harness import Case, GRAPHS, sets, strict_json

SMALL = """\
[clients]
count = 16
[problem]
name = "svm"
size = 160
dimension = 5
[method]
K = 1
T = 3
R = 9
"""


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

    def test_gossip_in_numpy_on_every_graph(self):
        self.write("edges.txt", self.ring_edges())
        for graph in GRAPHS:
            words = ["--graph", graph, "--weights", "metropolis"] + (["--edges", "edges.txt"] if graph == "file" else [])
            P = metropolis(16, self.edges_of(*words))
            for lazy in (False, True):
                for R in (1, 2, 7, 24):
                    with self.subTest(graph=graph, lazy=lazy, R=R):
                        found = self.figures(*words, *["--lazy"] * lazy, "--rounds", R, "--gossip", "chebyshev-interval")
                        self.check_interval(found, (P + np.eye(16)) / 2 if lazy else P, R)

    def edges_of(self, *words):
        self.write("p.toml", SMALL)
        changes = [part for key, value in zip(words[::2], words[1::2]) for part in ("--set", f"network.{key[2:]}={value}")]
        run = self.run_config("p.toml", *changes)
        return strict_json(run.text("setting.json"))["graph"]["edges"]

    def check_interval(self, found, P, R):
        """T_R(l(P)) / T_R(l(1)) by a dense eigen-decomposition; where the mean's is the only other eigenvalue, its projection."""
        values, V = np.linalg.eigh(P)
        low, high = values[0], values[-2]
        T = np.polynomial.chebyshev.Chebyshev.basis(R)
        ell = lambda x: (2 * x - high - low) / (high - low)  # noqa: E731
        q = np.r_[T(ell(values[:-1])) / T(ell(1)) if high - low > 1e-9 else np.zeros(15), 1]
        self.assertAlmostEqual(found["contraction"], np.abs(q[:-1]).max(), delta=1e-10)
        image = V @ np.diag(q) @ V.T
        self.assertAlmostEqual(found["memory"], (image**2).sum(), delta=1e-10)
        self.assertAlmostEqual(found["least_c"], image.min(), delta=1e-10)
        self.assertLess(found["contraction"], 1)

    def test_memory_of_the_papers_ring(self):
        for R, memory in ((2, 4.12), (8, 1.18)):
            self.assertAlmostEqual(self.figures("--clients", 16, "--rounds", R)["memory"], memory, delta=0.005)
        self.assertAlmostEqual(self.figures("--clients", 16, "--rounds", 2)["least_c"], -0.014, delta=5e-4)
        many = self.figures("--clients", 601, "--rounds", 2)
        self.assertEqual((many["memory"], many["least_c"]), (None, None))

    def test_one_round_on_the_interval_runs(self):
        self.write("p.toml", SMALL)
        run = self.run_config("p.toml", *sets(method__R=1, method__gossip="chebyshev-interval"))
        self.assertLess(run.summary["contraction"], 1)
        self.refused("run", "p.toml", "--out", "o", "--quiet", *sets(method__R=1), says=("1.029",))

    def test_table(self):
        answer = self.doc2s("network", "--graph", "ring", "--clients", 16, "--neighbours", 3, "--rounds", 2)
        for words in ("memory", "4.1195", "least c", "-0.0143", "gamma", "0.0507", "contraction", "reach", "0.3125", "diameter"):
            self.assertIn(words, answer.out)
        self.assertEqual(answer.err, "")

    def test_a_matrix_alone_is_the_network(self):
        self.write("P.txt", self.ring_matrix())
        figures = self.figures("--weights", "file", "--matrix", "P.txt")
        self.assertAlmostEqual(figures["gamma"], 0.1476, delta=5e-5)


def metropolis(n, edges):
    P = np.zeros((n, n))
    for i, j in edges:
        P[i, j] = P[j, i] = 1
    degree = P.sum(axis=1)
    P /= 1 + np.maximum.outer(degree, degree)
    return P + np.diag(1 - P.sum(axis=1))


def is_connected(P):
    return (np.linalg.matrix_power(P, len(P)) > 0).all()


class NetworkThatChanges(Case):
    LINKS = ["network", "--graph", "ring", "--clients", 16, "--change", "links"]

    def figures(self, *words):
        return strict_json(self.doc2s(*self.LINKS, "--json", *words).out)

    def test_expected_contraction_is_that_of_draws_in_numpy(self):
        random, draws = np.random.default_rng(1), 4000
        ring = [(i, (i + 1) % 16) for i in range(16)]
        for loss in (0.2, 0.5):
            rounds = [metropolis(16, [edge for edge in ring if random.random() >= loss]) for _ in range(draws)]
            root = np.sqrt(np.linalg.eigvalsh(sum(P.T @ P for P in rounds) / draws)[-2])
            figures = self.figures("--loss", loss)
            self.assertAlmostEqual(figures["expected_contraction"], root, delta=0.003)
            self.assertAlmostEqual(figures["connected_rounds"], np.mean([is_connected(P) for P in rounds]), delta=0.03)
            self.assertEqual((figures["draws"], figures["contraction"], figures["phi"]), (10000, None, 0))

    def test_table(self):
        answer = self.doc2s(*self.LINKS, "--loss", 0.2, "--rounds", 2)
        for words in ("expected", "from 10000 draws", "connected", "0.3125"):
            self.assertIn(words, answer.out)
        self.assertEqual(answer.err, "")

    def test_only_independent_rounds_are_expected_of(self):
        self.assertIsNone(self.figures("--burst", 4)["expected_contraction"])
        words = ["network", "--clients", 16, "--change", "periodic", "--graphs", "ring,star", "--json"]
        figures = strict_json(self.doc2s(*words).out)
        self.assertEqual((figures["expected_contraction"], figures["connected_rounds"], figures["draws"]), (None, 1, 2))
        self.assertEqual(figures["edges"], 16 + 15 - 2)

    def test_mistakes(self):
        for words, told in (((*self.LINKS, "--gossip", "chebyshev"), ("--gossip chebyshev", "plain")),
                            ((*self.LINKS, "--weights", "uniform"), ("--weights uniform", "metropolis")),
                            (("network", "--change", "links", "--loss", 1), ("--loss 1", "below 1")),
                            (("network", "--change", "periodic", "--graphs", "ring,rung"), ("--graphs", "ring")),
                            (("network", "--change", "periodic"), ("network.graphs",))):
            self.assert_one_sentence(self.doc2s(*words, code=2), *told)


if __name__ == "__main__":
    harness.main()
