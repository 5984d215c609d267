#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs on networks that change: python3 changing_test.py PROGRAM [TEST…]. Bits over threads, ranks and kills are in contract/, the
replay of traces in replay_test.py, figures of networks in network_test.py."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Case, Run

SETTING = """\
problem = {{ size = 320, dimension = 7 }}
clients = {{ count = 16 }}
run = {{ record_every = 20 }}
network = {{ {network} }}
method = {{ name = "{name}", {method} }}
"""
LINKS = 'change = "links", loss = 0.3'
PERIODIC = 'change = "periodic", graphs = ["ring", "star"], every = 2'


class Changing(Case):
    def write_run(self, network=LINKS, name="doc2s", method="K = 2, T = 40"):
        self.write("c.toml", SETTING.format(network=network, name=name, method=method))

    def told(self, network=LINKS, name="doc2s", method="K = 2, T = 40"):
        """The run, and its notes."""
        self.write_run(network, name, method)
        self.runs += 1
        out = self.home / f"told-{self.runs}"
        answer = self.doc2s("run", "c.toml", "--out", out)
        return Run(out, answer), answer.err

    def bad(self, *says, **what):
        self.write_run(**what)
        self.refused("run", "c.toml", "--quiet", "--out", "o", says=says)


class Gossip(Changing):
    def test_becomes_plain_with_a_note(self):
        run, notes = self.told()
        self.assertEqual(run.config["method"]["gossip"], "plain")
        self.assertIn("gossip is plain", notes)
        given, notes = self.told(method='K = 2, T = 40, gossip = "plain"')
        self.assertNotIn("gossip is plain", notes)
        self.assertEqual(given.trajectory, run.trajectory)
        _, notes = self.told(name="dgfm-plus", method="iterations = 20")
        self.assertIn("rounds after a large batch are plain", notes)

    def test_chebyshev_is_refused(self):
        for network in (LINKS, PERIODIC):
            for gossip in ("chebyshev", "chebyshev-interval"):
                self.bad("c.toml:5", "method.gossip", "plain", network=network, method=f'gossip = "{gossip}"')

    def test_without_loss_it_is_plain_gossip_on_the_network_that_stays(self):
        for name, method in (("doc2s", 'K = 2, T = 40, gossip = "plain", R = 3'), ("me-dol", "K = 2, T = 20"),
                             ("dsgd", "iterations = 40"), ("token", "K = 2, T = 20, travellers = 3")):
            lossless, _ = self.told('change = "links", loss = 0', name, method)
            stays, _ = self.told("", name, method)
            self.assertEqual(lossless.trajectory, stays.trajectory, name)
            self.assertEqual(lossless.summary["bytes"], stays.summary["bytes"], name)
            self.assertEqual(lossless.summary["communication_rounds"], stays.summary["communication_rounds"], name)

    def test_loss_costs_bytes_or_rounds(self):
        stays, _ = self.told("", name="dsgd", method="iterations = 100")
        lossy, _ = self.told(name="dsgd", method="iterations = 100")
        self.assertAlmostEqual(lossy.summary["bytes"] / stays.summary["bytes"], 0.7, delta=0.06)  # 1,600 draws
        self.assertEqual(lossy.summary["communication_rounds"], 100)
        stays, lossy = (self.told(network, name="token", method="K = 1, T = 300")[0] for network in ("", LINKS))
        self.assertEqual(lossy.summary["bytes"], stays.summary["bytes"])
        self.assertEqual(lossy.trajectory, stays.trajectory)  # one traveller that waits goes the same way
        self.assertAlmostEqual(lossy.summary["communication_rounds"] / 300, 1 / 0.7, delta=0.2)


class Files(Changing):
    def test_summary_tells_what_changed(self):
        run, _ = self.told()
        self.assertEqual((run.summary["change"], run.summary["contraction"], run.summary["draws"]), ("links", None, 10000))
        self.assertLess(run.summary["measured_contraction"], run.summary["expected_contraction"])
        self.assertLess(run.summary["expected_contraction"], 1)
        self.assertLess(run.summary["connected_rounds"], 0.1)  # a ring of 16 bears one link that is down
        for network in (PERIODIC, LINKS + ", burst = 3"):
            run, _ = self.told(network)
            self.assertIsNone(run.summary["expected_contraction"])
            self.assertLess(run.summary["measured_contraction"], 1)
        run, _ = self.told(name="token", method="K = 1, T = 30")
        self.assertIsNone(run.summary["measured_contraction"])

    def test_a_network_that_stays_has_none_of_it(self):
        run, _ = self.told("")
        self.assertEqual({"change", "expected_contraction", "measured_contraction", "connected_rounds", "draws"} & set(run.summary), set())
        self.assertEqual(run.config["network"]["change"], "none")

    def test_a_written_config_is_the_same_run(self):
        for network in (LINKS, PERIODIC, 'change = "periodic", graphs = "torus, grid", rows = 2', LINKS + ", burst = 3, lazy = true"):
            run, _ = self.told(network)
            again = self.run_config(run.directory / "config.toml")
            self.assertEqual(again.trajectory, run.trajectory, network)

    def test_kinds_have_their_own_options(self):
        run, notes = self.told('change = "periodic", graphs = ["star", "ring"], neighbours = 5')
        self.assertEqual(run.config["network"]["neighbours"], 5)
        self.assertNotIn("ignored", notes)
        _, notes = self.told('change = "periodic", graphs = ["star", "path"], graph = "torus"')
        self.assertIn("network.graph is ignored", notes)
        _, notes = self.told('loss = 0.5')
        self.assertIn('network.loss is ignored because it applies only with network.change = "links"', notes)


class Compared(Changing):
    def test_a_comparison_goes_on(self):
        self.write("c.toml", SETTING.format(network=LINKS, name="doc2s", method="").replace("method = {", "#")
                   + """[[method]]
name = "doc2s"
T = 30
K = 4
[[method]]
name = "me-dol"
T = 30
K = 4
""")
        words = ("--quiet", "--checkpoint-every", 7)
        self.doc2s("run", "c.toml", "--out", "whole", *words)
        self.doc2s("run", "c.toml", "--out", "cut", *words, "--set", "run.budget.iterations=50")
        self.doc2s("run", "--resume", "cut", "--quiet", "--set", "run.budget.iterations=120")
        for method in ("doc2s", "me-dol"):
            whole, cut = (Run(self.home / root / method, None) for root in ("whole", "cut"))
            self.assertEqual(cut.trajectory, whole.trajectory, method)


class Mistakes(Changing):
    def test_one_sentence_each(self):
        self.bad("network.loss", "below 1", network='change = "links", loss = 1.0')
        self.bad("network.loss", "at least 0", network='change = "links", loss = -0.5')
        self.bad("network.burst", "from 1", network='change = "links", burst = 0')
        self.bad("network.change", "network.graphs", network='change = "periodic"')
        self.bad("network.graphs", "rign", 'did you mean "ring"', network='change = "periodic", graphs = ["rign", "star"]')
        self.bad("99", network='change = "periodic", graphs = ["ring", "file"], edges = "0 99\\n"')
        self.bad("not connected", "network.graphs", network='change = "periodic", graphs = ["file"], edges = "0 1\\n2 3\\n"')
        self.bad("network.weights", "max-degree", network=LINKS + ', weights = "max-degree"')
        self.bad("network.weights", "file", network=PERIODIC + ', weights = "file", matrix = "P.txt"')
        self.bad("tour", "method.route", network=PERIODIC, name="token", method='route = "tour"')
        self.bad("tour", "method.route", network=PERIODIC, name="token", method="K = 2")  # which is its fallback
        self.bad("theorem", "network.change", "doc2s-travel", method='parameters = "theory", delta = 0.5, epsilon = 0.5')
        self.write("hypercube.toml", SETTING.format(network='change = "periodic", graphs = ["ring", "hypercube"]', name="dsgd", method="eta = 0.1")
                   .replace("count = 16", "count = 12"))
        self.refused("run", "hypercube.toml", "--quiet", "--out", "o", says=("12", "power of two"))

    def test_a_list_of_texts_is_for_names_only(self):
        self.write("c.toml", 'problem = { name = "mlp", hidden = ["a"] }\n')
        self.refused("run", "c.toml", "--quiet", "--out", "o", says=("problem.hidden", "type string"))


if __name__ == "__main__":
    harness.main()
