#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every method that the program lists goes one way in one process and under mpirun: python3 ranks_test.py PROGRAM [TEST…]."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Run, sets
from methods import comparison, few_forms
from mpi_case import MpiCase, of_the_run

SETTING = """\
seed = 3
problem = {{ size = 240, dimension = {d}, batch = 2, evaluation = 100 }}
clients = {{ count = 16, partition = "dirichlet" }}
run = {{ record_every = 5, threads = 1, budget = {{ iterations = 8 }} }}
"""


LINKS = sets(network__change="links", network__loss=0.3, network__burst=2)
PERIODIC = sets(network__change="periodic", network__graphs="ring, hypercube", network__every=3)


class AllMethods(MpiCase):
    def write_all(self, d, forms=None, **more):
        forms = few_forms(16) if forms is None else forms
        self.write("all.toml", SETTING.format(d=d) + comparison(forms, K=2, T=4, R=3, iterations=8, q=3, b_prime=5, **more))


class OneTrajectory(AllMethods):
    def all_methods(self, graph, **more):
        self.write_all(d=23)
        for precision in ("float32", "float64"):
            self.assert_any_number_of_ranks("all.toml", *sets(precision=precision, network__graph=graph, **more),
                                            methods=len(few_forms(16)))

    def test_ring(self):
        self.all_methods("ring")

    def test_torus(self):
        self.all_methods("torus")

    def test_star(self):
        self.all_methods("star")

    def test_random_regular_graph(self):
        self.all_methods("regular", network__degree=3)

    def test_networks_that_change(self):
        """Each method once; where graphs take turns there is no tour."""
        few = [form for form in few_forms(16) if not form.choice]
        self.write_all(d=23, forms=few)
        self.assert_any_number_of_ranks("all.toml", *LINKS, ranks=(2, 5, 16), methods=len(few))
        self.write_all(d=23, forms=few, route="uniform", travellers=5)
        self.assert_any_number_of_ranks("all.toml", *PERIODIC, *sets(precision="float32"), ranks=(3, 8), methods=len(few))

    def test_a_link_that_is_down_carries_nothing(self):
        """With a process a client, rows go over the wire exactly where links are up."""
        (form,) = [form for form in few_forms(16) if form.method == "dsgd" and not form.choice and form.order == "first"]
        self.write_all(d=23, forms=[form])
        whole = self.run_mpi(16, "all.toml", out="whole")
        lossy = self.run_mpi(16, "all.toml", *LINKS, out="lossy")
        self.assertEqual(whole.summary["wire_bytes"], whole.summary["bytes"])
        self.assertEqual(lossy.summary["wire_bytes"], lossy.summary["bytes"])
        self.assertLess(lossy.summary["bytes"], whole.summary["bytes"])

    def test_rows_that_travel_in_several_blocks(self):
        self.write_all(d=40000)
        words = sets(problem__sparsity=0.001, network__graph="torus", precision="float32")
        self.assert_any_number_of_ranks("all.toml", *words, ranks=(3, 16), methods=len(few_forms(16)))

    def test_blocks_where_links_fail(self):
        words = sets(problem__sparsity=0.001, network__graph="torus", precision="float32")
        few = [form for form in few_forms(16) if form.method in ("doc2s", "me-dol") and not form.choice and form.order == "first"]
        self.write_all(d=40000, forms=few)
        self.assert_any_number_of_ranks("all.toml", *words, *LINKS, ranks=(3,), methods=len(few))


class Resumed(AllMethods):
    def test_other_numbers_of_ranks(self):
        for precision, change in (("float32", ()), ("float64", ()), ("float64", LINKS)):
            self.write_all(d=23, forms=[form for form in few_forms(16) if form.takes_changes or not change])
            words = [*sets(precision=precision, network__graph="torus"), *change]
            self.run_config("all.toml", *words, "--force", out=self.home / "whole")
            self.mpi(16, "run", "all.toml", "--quiet", "--force", "--out", "cut", "--checkpoint-every", 3, *words,
                     *sets(run__budget__iterations=3))
            for ranks, iterations in ((4, 5), (1, 6), (7, 8)):
                more = ["run", "--quiet", "--resume", "cut", *sets(run__budget__iterations=iterations)]
                self.mpi(ranks, *more)
            for folder in (path.parent.name for path in self.home.glob("whole/*/summary.json")):
                whole, cut = (Run(self.home / root / folder, None) for root in ("whole", "cut"))
                self.assertEqual(cut.trajectory, whole.trajectory, folder)
                for name in ("output.npy", "last.npy"):
                    self.assertEqual((cut.directory / name).read_bytes(), (whole.directory / name).read_bytes(), folder)
                self.assertEqual([of_the_run(record) for record in cut.records],
                                 [of_the_run(record) for record in whole.records], folder)


if __name__ == "__main__":
    harness.main()
