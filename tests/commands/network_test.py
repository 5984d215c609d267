#!/usr/bin/env python3
"""`doc2s network`: python3 network_test.py PROGRAM [TEST…]."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
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


if __name__ == "__main__":
    harness.main()
