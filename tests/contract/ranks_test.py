#!/usr/bin/env python3
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


class AllMethods(MpiCase):
    def write_all(self, d):
        self.write("all.toml", SETTING.format(d=d) + comparison(few_forms(16), K=2, T=4, R=3, iterations=8, q=3, b_prime=5))


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

    def test_rows_that_travel_in_several_blocks(self):
        self.write_all(d=40000)
        words = sets(problem__sparsity=0.001, network__graph="torus", precision="float32")
        self.assert_any_number_of_ranks("all.toml", *words, ranks=(3, 16), methods=len(few_forms(16)))


class Resumed(AllMethods):
    def test_other_numbers_of_ranks(self):
        self.write_all(d=23)
        for precision in ("float32", "float64"):
            words = sets(precision=precision, network__graph="torus")
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
