#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tables under real mpirun against the same run in one process: python3 tables_test.py PROGRAM [TEST…]."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Run, sets
from mpi_case import MpiCase
from table_case import CLIENTS, config_text, write_sites


class Tables(MpiCase):
    def any_number_of_ranks(self, *words):
        alone = self.assert_any_number_of_ranks("table.toml", *words, ranks=(2, 5))
        for ranks in (2, 5):
            several = Run(self.home / f"ranks-{ranks}", None)
            self.assertEqual(several.text("preprocessing.json"), alone.text("preprocessing.json"))
        return alone

    def test_classes_of_five_sites(self):
        write_sites(self, "class")
        self.write("table.toml", config_text(self, 'name = "mlp"\nhidden = [6]'))
        self.assertGreater(self.any_number_of_ranks().summary["accuracy"], 0.5)
        self.assertEqual(Run(self.home / "ranks-5", None).summary["held_samples"], [20 + 4 * k for k in range(CLIENTS)])

    def test_numbers_of_five_sites_and_of_one_file(self):
        write_sites(self, "number")
        self.write("table.toml", config_text(self, 'name = "mlp"\nhidden = [4]\ntarget = "number"\nloss = "mae"'))
        self.assertGreater(self.any_number_of_ranks().summary["test_rmse"], 0)
        self.any_number_of_ranks(*sets(problem__data=f'"{self.home}/site-4.csv"', clients__partition="sorted"))

    def test_a_process_opens_only_its_own_files(self):
        write_sites(self, "class")
        self.write("site-4.csv", (self.home / "site-4.csv").read_text().replace("dose", "dosis"))
        self.write("table.toml", config_text(self, 'name = "mlp"'))
        answer = self.mpi(2, "run", "table.toml", "--quiet", "--out", "o", code=2)
        self.assertIn("site-4.csv", answer.err)
        self.assertIn('"dose"', answer.err)


harness.main()
