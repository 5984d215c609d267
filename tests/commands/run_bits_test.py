#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Equal bits, and a written config that gives them again: python3 run_bits_test.py PROGRAM [TEST…]."""
import gzip
import json
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Case, GRAPHS, ON_FILE, sets, SMALL


class SameBits(Case):
    def test_two_runs_and_another_seed(self):
        first, second, other = self.small(), self.small(), self.small(*sets(seed=2))
        self.assertEqual(first.bits(), second.bits())
        self.assertNotEqual(first.trajectory, other.trajectory)
        self.assertNotEqual(other.trajectory, self.small(*sets(seed=2**63 - 1)).trajectory)

    def test_every_choice_of_the_method_changes_the_hash(self):
        changes = [dict(method__order="zeroth"), dict(precision="float32"), dict(method__R=3),
                   dict(method__gossip="plain"), dict(method__eta=0.051), dict(method__delta_prime=0.5),
                   dict(problem__batch=2), dict(clients__partition="contiguous"), dict(network__lazy="true")]
        hashes = [self.small(*sets(**change)).trajectory for change in [{}, *changes]]
        self.assertEqual(len(set(hashes)), len(hashes))

    def test_records_do_not_change_the_hash(self):
        self.assertEqual(self.small().trajectory, self.small(*sets(run__record_every=1)).trajectory)

    def test_threads(self):
        self.write("edges.txt", self.ring_edges())
        for graph in GRAPHS:
            for order in ("first", "zeroth"):
                for precision in ("float32", "float64"):
                    with self.subTest(graph=graph, order=order, precision=precision):
                        words = sets(network__graph=graph, network__weights="metropolis",
                                     network__lazy="true", method__order=order, precision=precision,
                                     method__K=2)
                        words += sets(network__edges="edges.txt") if graph == "file" else []
                        one, two = (self.small(*words, *sets(run__threads=count)) for count in (1, 2))
                        self.assertEqual(one.bits(), two.bits())

    def test_threads_that_have_work(self):
        for graph in ("ring", "hypercube", "erdos-renyi"):
            for order in ("first", "zeroth"):
                for precision in ("float32", "float64"):
                    with self.subTest(graph=graph, order=order, precision=precision):
                        words = sets(network__graph=graph, network__weights="metropolis",
                                     problem__dimension=20000, problem__sparsity=0.001,
                                     method__order=order, precision=precision, method__K=1)
                        runs = [self.small(*words, *sets(run__threads=count)) for count in (1, 2, 5)]
                        self.assertEqual(runs[0].bits(), runs[1].bits())
                        self.assertEqual(runs[0].bits(), runs[2].bits())
                        self.assertEqual([run.summary["threads"] for run in runs], [1, 2, 5])

    def test_threads_with_several_directions(self):
        for method in ("doc2s", "dsgd"):
            words = sets(method=f'{{name="{method}", order="zeroth", directions=3, K=1, iterations=10}}',
                         problem__dimension=20000, problem__sparsity=0.001)
            runs = [self.small(*words, *sets(run__threads=count)) for count in (1, 2, 3)]
            self.assertEqual(runs[0].bits(), runs[1].bits())
            self.assertEqual(runs[0].bits(), runs[2].bits())

    def again(self, run, name="again"):
        """The written config, taken elsewhere and run from another folder."""
        elsewhere = self.folder()
        shutil.copy(run.directory / "config.toml", elsewhere / "taken.toml")
        return self.run_config("taken.toml", out=elsewhere / name, cwd=elsewhere)

    def assert_same_again(self, run):
        again = self.again(run)
        self.assertEqual(run.bits(), again.bits())
        self.assertEqual(run.config, again.config)

    def test_written_config_on_synthetic_data(self):
        words = sets(precision="float32", method__order="zeroth", method__eta=1 / 3, problem__noise=0.1,
                     run__budget="{samples=33, seconds=1e3}")
        self.assert_same_again(self.small(*words))

    def test_written_config_of_every_graph(self):
        for graph in GRAPHS[:-1]:
            with self.subTest(graph=graph):
                self.assert_same_again(self.small(*sets(network__graph=graph, network__weights="metropolis",
                                                        network__lazy="true", seed=5)))

    def test_written_config_of_every_partition(self):
        for partition in ("iid", "contiguous", "dirichlet", "labels", "sorted"):
            with self.subTest(partition=partition):
                self.assert_same_again(self.small(*sets(clients__partition=partition, clients__count=4)))

    def test_written_config_with_a_relative_data_path(self):
        self.write("data/points.svm", self.svm_lines())
        self.write("data/test.svm", self.svm_lines(7))
        self.write("data/relative.toml", ON_FILE.format(data="points.svm") + "[run]\nthreads = 1\n")
        self.write("here.toml", ON_FILE.format(data="data/points.svm"))
        from_its_folder = self.run_config("data/relative.toml", *sets(problem__test="data/test.svm"))
        from_here = self.run_config("here.toml")
        self.assertEqual(from_here.trajectory, from_its_folder.trajectory)
        self.assertIn("accuracy", from_its_folder.summary)
        self.assert_same_again(from_its_folder)
        self.assert_same_again(from_here)

    def test_written_config_with_an_odd_data_path(self):
        name = "a \"quoted\" \\ñ #1\t.svm"
        self.write(name, self.svm_lines())
        self.write("odd.toml", ON_FILE.format(data=json.dumps(name, ensure_ascii=False)[1:-1]))
        self.assert_same_again(self.run_config("odd.toml"))

    def test_written_config_with_a_relative_edge_list(self):
        self.write("net/edges.txt", self.ring_edges())
        self.write("net/c.toml", SMALL + '[network]\ngraph = "file"\nedges = "edges.txt"\n')
        in_its_folder = self.run_config("c.toml", cwd=self.home / "net", out=self.home / "in-its-folder")
        self.assert_same_again(in_its_folder)
        self.assertEqual(in_its_folder.trajectory, self.run_config("net/c.toml").trajectory)

    def test_written_config_with_a_relative_matrix(self):
        self.write("net/P.txt", self.ring_matrix())
        for graph in ("", 'graph = "file"\n', 'graph = "ring"\nneighbours = 5\n'):
            with self.subTest(graph=graph):
                self.write("net/c.toml", SMALL + f'[network]\nweights = "file"\nmatrix = "P.txt"\n{graph}')
                out = self.home / f"in-its-folder-{self.runs}"
                in_its_folder = self.run_config("c.toml", cwd=self.home / "net", out=out)
                self.assert_same_again(in_its_folder)
                self.assertEqual(in_its_folder.trajectory, self.run_config("net/c.toml").trajectory)
                self.assertAlmostEqual(in_its_folder.summary["gamma"], 0.1476, places=4)

    def test_compressed_data(self):
        self.write("points.svm", self.svm_lines())
        self.write("points.svm.gz", gzip.compress(self.svm_lines().encode()))
        hashes = {self.run_config(self.write(f"{name}.toml", ON_FILE.format(data=name))).trajectory
                  for name in ("points.svm", "points.svm.gz")}
        self.assertEqual(len(hashes), 1)

    def test_a_data_set_by_name(self):
        folder = self.write("store/a9a/a9a.gz", gzip.compress(self.svm_lines(30).encode())).parent.parent
        self.write("store/a9a/a9a.t", self.svm_lines(11))
        self.write("named.toml", ON_FILE.format(data="a9a"))
        run = self.run_config("named.toml", env={"DOC2S_DATA": str(folder)})
        self.assertIn("accuracy", run.summary)


if __name__ == "__main__":
    harness.main()
