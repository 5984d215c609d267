#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`doc2s network`: python3 network_test.py PROGRAM [TEST…]."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import numpy as np

import harness
from harness import Case, GRAPHS, strict_json


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
