#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `doc2s run` writes and what decides it: python3 run_files_test.py PROGRAM [TEST…]."""
import os
import pathlib
import shutil
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Case, COUNTS, MEASURES, PROJECT, Run, RUN_FILES, sets, SMALL, snapshot


class FilesOfARun(Case):
    def test_the_files_and_nothing_else(self):
        run = self.small()
        self.assertEqual(sorted(os.listdir(run.directory)), RUN_FILES)

    def test_keys_of_the_summary(self):
        summary = self.small().summary
        for key in ["method", "order", "n", "d", "iterations", *COUNTS, *MEASURES, "status", "trajectory"]:
            self.assertIn(key, summary)
        self.assertEqual([summary[key] for key in ("method", "order", "n", "d", "status")],
                         ["doc2s", "first", 16, 5, "finished"])
        self.assertRegex(summary["trajectory"], r"\A[0-9a-f]{16,}\Z")
        self.assertLessEqual(summary["best"]["loss_mean_point"], summary["loss_mean_point"])

    def test_keys_of_the_records(self):
        for record in self.small().records:
            self.assertLessEqual({"iteration", *COUNTS, *MEASURES}, set(record))

    def test_the_last_record_is_the_summary(self):
        run = self.small()
        for key in [*COUNTS, *MEASURES]:
            self.assertEqual(run.records[-1][key], run.summary[key], key)
        self.assertEqual(run.records[-1]["iteration"], run.summary["iterations"])

    def test_record_every_and_its_last_record(self):
        self.assertEqual([record["iteration"] for record in self.small().records], [0, 7, 14, 21, 28, 35, 40])
        even = self.small(*sets(run__record_every=20))
        self.assertEqual([record["iteration"] for record in even.records], [0, 20, 40])
        rare = self.small(*sets(run__record_every=10**9))
        self.assertEqual([record["iteration"] for record in rare.records], [0, 40])

    def test_the_first_record_is_the_start(self):
        first = self.small().records[0]
        self.assertEqual([first[key] for key in COUNTS], [0] * len(COUNTS))
        self.assertEqual([first["loss_mean_point"], first["loss_worst"], first["consensus"]], [1, 1, 0])

    def test_counts(self):
        for order, calls in (("first", 1), ("zeroth", 2)):
            summary = self.small(*sets(method__order=order, problem__batch=3, method__R=5)).summary
            self.assertEqual([summary[key] for key in COUNTS[:4]], [120, 120 * calls, 40, 2 * 5 * 40])
            # 16 edges both ways, 5 numbers of 8 bytes
            self.assertEqual(summary["bytes"], 400 * 2 * 16 * 5 * 8)
        several = self.small(*sets(method__order="zeroth", method__directions=4, problem__batch=3)).summary
        self.assertEqual([several[key] for key in COUNTS[:2]], [120, 120 * 2 * 4])

    def test_measures_agree_with_each_other(self):
        for record in self.small().records:
            self.assertLessEqual(record["loss_clients"], record["loss_worst"] + 1e-15)
            self.assertLessEqual(record["loss_mean_point"], record["loss_clients"] + 1e-4)

    def test_arrays(self):
        for precision, dtype in (("float64", "<f8"), ("float32", "<f4")):
            run = self.small(*sets(precision=precision, clients__count=7))
            output, last = run.numbers("output.npy"), run.numbers("last.npy")
            self.assertEqual((output.shape, output.dtype.str), ((7, 5), dtype))
            self.assertEqual((last.shape, last.dtype.str), ((5,), dtype))
            self.assertTrue(np.isfinite(output).all() and np.isfinite(last).all())
            self.assertGreater(np.abs(last).max(), 0)

    def test_config_holds_every_value_in_force(self):
        config = self.small().config
        self.assertEqual(config["seed"], 1)
        self.assertEqual(config["precision"], "float64")
        self.assertLessEqual({"name", "data", "batch", "lambda", "alpha", "size", "dimension", "sparsity",
                              "noise"}, set(config["problem"]))
        self.assertEqual(config["clients"], {"count": 16, "partition": "iid"})
        network = config["network"]
        self.assertIn(network.pop("weights"), ("uniform", "metropolis"))
        self.assertEqual(network, {"graph": "ring", "lazy": False, "change": "none", "neighbours": 3})
        self.assertLessEqual({"name", "order", "K", "T", "R", "gossip", "eta", "D", "delta_prime"},
                             set(config["method"]))
        self.assertLessEqual({"record_every", "threads"}, set(config["run"]))

    def test_config_holds_what_the_graph_decided(self):
        drawn = self.small(*sets(network__graph="erdos-renyi", network__weights="metropolis"))
        self.assertAlmostEqual(drawn.config["network"].get("p", 0), 2 * np.log(16) / 16, places=12)
        grid = self.small(*sets(network__graph="grid", network__weights="metropolis", clients__count=12))
        self.assertEqual(grid.config["network"].get("rows"), 3)

    def test_the_example_config_parses(self):
        data = self.write("data/a9a/a9a", self.svm_lines(40)).parent.parent
        run = self.run_config(PROJECT / "configs/a9a-ring.toml", env={"DOC2S_DATA": str(data)})
        self.assertEqual(run.summary["samples"], 4000)

    def test_a9a_falls_below_045(self):
        data = pathlib.Path(os.environ.get("DOC2S_DATA") or PROJECT.parent / "shared/data").resolve()
        if not (data / "a9a").is_dir():
            self.skipTest("a9a is not here")
        run = self.run_config(PROJECT / "configs/a9a-ring.toml", env={"DOC2S_DATA": str(data)})
        self.assertAlmostEqual(run.records[0]["loss_mean_point"], 1)
        self.assertLess(run.summary["loss_mean_point"], 0.45)
        self.assertLessEqual(run.summary["samples"], 4000)
        self.assertIn("accuracy", run.summary)


class Budgets(Case):
    def reached(self, budget, **changes):
        return self.small(*sets(run__budget=budget, **changes)).summary

    def test_each_budget(self):
        self.assertEqual(self.reached("{samples=15}")["samples"], 15)
        self.assertEqual(self.reached("{samples=15}", problem__batch=4)["samples"], 16)
        self.assertEqual(self.reached("{iterations=15}")["iterations"], 15)
        rounds = self.reached("{communication_rounds=15}")
        self.assertEqual((rounds["communication_rounds"], rounds["iterations"]), (16, 4))
        computed = self.reached("{computation_rounds=15}")
        self.assertEqual((computed["computation_rounds"], computed["iterations"]), (15, 15))
        an_iteration = 2 * 2 * 32 * 5 * 8  # rounds, directed edges of the ring of 16, numbers, bytes
        for budget, iterations in ((2 * an_iteration, 2), (2 * an_iteration + 1, 3)):
            sent = self.reached(f"{{bytes={budget}}}")
            self.assertEqual((sent["bytes"], sent["iterations"]), (iterations * an_iteration, iterations))
            self.assertEqual(sent["stopped_by"], "run.budget.bytes")

    def test_seconds(self):
        summary = self.reached("{seconds=0.3}", method__K=10**9)
        self.assertGreaterEqual(summary["seconds"], 0.3)
        self.assertEqual((summary["status"], summary["stopped_by"]), ("finished", "run.budget.seconds"))

    def test_the_first_reached_stops(self):
        figures = dict(samples=15, iterations=6, computation_rounds=7, communication_rounds=32, bytes=10**6, seconds=100)
        for first, figure in (("iterations", 6), ("samples", 5), ("computation_rounds", 3), ("communication_rounds", 12),
                              ("bytes", 4 * 5120)):
            budget = ", ".join(f"{key}={figure if key == first else value}" for key, value in figures.items())
            summary = self.reached("{" + budget + "}")
            self.assertEqual(summary[first], figure)
            self.assertIn(first, summary["stopped_by"])

    def test_a_budget_beyond_the_method(self):
        summary = self.reached("{samples=1000000}")
        self.assertEqual((summary["iterations"], summary["status"]), (40, "finished"))

    def test_a_budget_within_the_first_epoch(self):
        run = self.small(*sets(run__budget="{iterations=6}"))
        self.assertEqual(run.summary["iterations"], 6)
        self.assertEqual(run.numbers("output.npy").shape, (16, 5))
        self.assertGreater(np.abs(run.numbers("output.npy")).max(), 0)
        self.assertIn("no epoch", run.answer.out)

    def test_output_of_one_epoch_is_its_mean(self):
        run = self.small(*sets(run__budget="{iterations=13}"))
        mean = run.numbers("output.npy").mean(axis=0)
        np.testing.assert_allclose(mean, run.numbers("last.npy"), rtol=1e-12)

    def test_a_budget_of_the_file_is_changed(self):
        self.write("b.toml", SMALL + "budget = { samples = 30 }\n")
        self.assertEqual(self.run_config("b.toml").summary["samples"], 30)
        self.assertEqual(self.run_config("b.toml", *sets(run__budget="{samples=5}")).summary["samples"], 5)
        self.assertEqual(self.run_config("b.toml", *sets(run__budget__samples=6)).summary["samples"], 6)


class Changes(Case):
    def test_numbers_texts_and_flags(self):
        words = sets(method__eta="1e-2", method__R=4, network__graph="torus", precision="float32",
                     network__lazy="true", method__order='"zeroth"', method__D=1)
        config = self.small(*words).config
        method, network = config["method"], config["network"]
        self.assertEqual([method[key] for key in ("eta", "R", "D", "order")], [0.01, 4, 1, "zeroth"])
        self.assertEqual((network["graph"], network["lazy"], config["precision"]), ("torus", True, "float32"))

    def test_a_whole_section(self):
        config = self.small("--set", 'method={eta=0.25, order="zeroth"}').config
        self.assertEqual((config["method"]["eta"], config["method"]["order"], config["method"]["T"]),
                         (0.25, "zeroth", 10))

    def test_the_last_one_counts(self):
        self.assertEqual(self.small("--set", "seed=3", "--set=seed=4").config["seed"], 4)

    def test_words_in_any_order(self):
        self.doc2s("run", "--set", "seed=3", "--out", "a", "small.toml", "--quiet")
        self.doc2s("run", "--out=b", "--quiet", "--set=seed=3", "small.toml")
        self.assertEqual(Run(self.home / "a", None).bits(), Run(self.home / "b", None).bits())

    def test_the_users_files_stay(self):
        before = snapshot(self.home)
        self.small(*sets(seed=9), out=self.home.parent / (self.home.name + "-out"))
        shutil.rmtree(self.home.parent / (self.home.name + "-out"))
        self.assertEqual(snapshot(self.home), before)


if __name__ == "__main__":
    harness.main()
