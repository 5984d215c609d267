#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What travelling state costs, on graphs small enough to count by hand, and runs with too many numbers to keep clients' points:
python3 travel_test.py PROGRAM [TEST…]."""
import pathlib
import resource
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Case, Run, sets

CONFIG = """\
seed = 2
precision = "float64"
problem = {{ size = 90, dimension = 4, batch = 3 }}
clients = {{ count = {n} }}
network = {{ graph = "{graph}", weights = "metropolis" }}
method = {{ name = "{name}", route = "tour", travellers = {c}, stay = {stay}, K = {K}, T = {T} }}
run = {{ record_every = 100 }}
"""
VECTOR = 4 * 8  # bytes


class CountedByHand(Case):
    """A tour has as many hops in a turn from wherever it starts. A hop takes two vectors."""

    def counts(self, name, graph, n, c, K, T, stay=1):
        self.write("c.toml", CONFIG.format(name=name, graph=graph, n=n, c=c, K=K, T=T, stay=stay))
        return self.run_config("c.toml").summary

    def expect(self, found, rounds, vectors, **more):
        due = {"communication_rounds": rounds, "bytes": vectors * VECTOR} | more
        self.assertEqual({key: found[key] for key in due}, due)

    def test_one_traveller_on_a_ring(self):
        """6 iterations, each a hop along an edge: 6 rounds, 12 vectors; nobody to average with. Batches of 3: 18 samples."""
        for name in ("doc2s-travel", "token"):
            self.expect(self.counts(name, "ring", n=5, c=1, K=2, T=3), 6, 12, samples=18, evaluations=18, computation_rounds=6)

    def test_staying(self):
        """Stay 4: moves after iterations 4 and 8 of 9."""
        self.expect(self.counts("token", "ring", n=5, c=1, K=3, T=3, stay=4), 2, 4, computation_rounds=9, samples=27)

    def test_five_travellers_on_a_ring(self):
        """6 iterations of 5 hops side by side: 6 rounds, 60 vectors. The tree from client 0 of 5 is 2 deep: an averaging takes
        4 rounds and 2·4 messages, of z, or of z and Delta. Two epochs end: 8 rounds, and 16 or 32 vectors."""
        self.expect(self.counts("doc2s-travel", "ring", n=5, c=5, K=2, T=3), 6 + 8, 60 + 16, samples=90, computation_rounds=6)
        self.expect(self.counts("token", "ring", n=5, c=5, K=2, T=3), 6 + 8, 60 + 32, samples=90)

    def test_star(self):
        """Around 0, 1, 2, 3, 4: from 0 to 1 a hop, from leaf to leaf two, from 4 to 0 one: 8 in a turn."""
        self.expect(self.counts("token", "star", n=5, c=1, K=1, T=5), 8, 16)
        # All five at once: the longest way is 2. 5 iterations: 10 rounds, 5·8 hops. Averaging: depth 1, 8 messages.
        self.expect(self.counts("token", "star", n=5, c=5, K=1, T=5), 10 + 2, 80 + 16)
        self.expect(self.counts("doc2s-travel", "star", n=5, c=5, K=1, T=5), 10 + 2, 80 + 8)

    def test_path(self):
        """0, 1, 2, 3 and all the way back: 1 + 1 + 1 + 3 hops."""
        self.expect(self.counts("token", "path", n=4, c=1, K=1, T=4), 6, 12)
        # Four at once: 3 rounds and 6 hops an iteration. Averaging: depth 3, 6 messages.
        self.expect(self.counts("doc2s-travel", "path", n=4, c=4, K=2, T=2), 4 * 3 + 2 * 6, 4 * 12 + 2 * 6)

    def test_torus(self):
        """3 × 3: a cycle through all 9. From client 0 the farthest is 1 + 1 away: 4 rounds for an averaging, 16 messages."""
        self.expect(self.counts("doc2s-travel", "torus", n=9, c=1, K=3, T=3), 9, 18)
        self.expect(self.counts("token", "torus", n=9, c=9, K=3, T=2), 6 + 3 * 4, 6 * 18 + 3 * 32)
        # Three travellers, moves after every second of 6 iterations; 3 averagings.
        self.expect(self.counts("doc2s-travel", "torus", n=9, c=3, K=3, T=2, stay=2), 3 + 3 * 4, 18 + 3 * 16)

    def test_output(self):
        """The first epoch is always kept: a third vector on each of its hops, and n - 1 messages down the tree at its end."""
        found = self.counts("doc2s-travel", "ring", n=5, c=1, K=1, T=6)
        self.assertEqual(found["output_bytes"], (6 + 4) * VECTOR)
        found = self.counts("token", "star", n=5, c=5, K=1, T=5)
        self.assertEqual(found["output_bytes"], (40 + 4) * VECTOR)

    def test_float32_and_zeroth_order(self):
        self.write("c.toml", CONFIG.format(name="token", graph="ring", n=5, c=5, K=2, T=3, stay=1))
        changes = sets(precision="float32", method__order="zeroth", method__directions=2)
        self.expect(self.run_config("c.toml", *changes).summary, 14, 92 / 2, samples=90, evaluations=90 * 4)

    def test_one_client(self):
        """Nowhere to go, nothing to send."""
        self.expect(self.counts("doc2s-travel", "complete", n=1, c=1, K=2, T=3), 0, 0, output_bytes=0, samples=18)


class TooManyNumbers(Case):
    """2000 clients of 60,000 numbers: their points are not kept."""

    def test_measures_are_null_and_there_is_one_row(self):
        self.write("c.toml", """\
problem = { size = 2000, dimension = 60000, sparsity = 0.0005 }
clients = { count = 2000 }
method = { name = "token", travellers = 3, K = 2, T = 4 }
run = { record_every = 4 }
""")
        answer = self.doc2s("run", "c.toml", "--out", "o")
        run = Run(self.home / "o", answer)
        for record in (*run.records, run.summary):
            self.assertIsNotNone(record["loss_mean_point"])
            self.assertEqual([record[key] for key in ("loss_clients", "loss_worst", "consensus")], [None] * 3)
        self.assertEqual(run.numbers("output.npy").shape, (1, 60000))
        self.assertEqual(run.numbers("last.npy").shape, (60000,))
        self.assertIn("the points of 2000 clients are not kept", answer.out + answer.err)
        self.assertNotRegex(answer.out, "\n *\n")


class AMillionClients(Case):
    def test_in_less_than_two_gigabytes(self):
        self.write("c.toml", """\
problem = { size = 1000000, dimension = 1000, evaluation = 100 }
clients = { count = 1000000 }
network = { graph = "torus" }
method = { name = "token", K = 2, T = 100 }
""")
        summary = self.run_config("c.toml").summary
        self.assertEqual((summary["n"], summary["d"], summary["communication_rounds"]), (1000000, 1000, 200))
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 2e6)  # kB


if __name__ == "__main__":
    harness.main()
