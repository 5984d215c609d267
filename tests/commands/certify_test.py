#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`doc2s certify` on runs and points, and in records: python3 certify_test.py PROGRAM [TEST…]."""
import os
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import PROJECT, sets
from certify_case import CLIENTS, CONFIG, FEATURES, CertifyCase, loss_and_gradient


class OfARun(CertifyCase):
    def setUp(self):
        super().setUp()
        self.run_directory = self.run_config("svm.toml").directory

    def outputs(self, *words):
        return self.certified(self.run_directory, "--which", "output", *words)

    def test_x_is_certified_unless_asked(self):
        [one] = found = self.certified(self.run_directory)
        self.assertEqual((one["client"], one["point"]), (None, "last"))
        self.assertEqual(found, self.certified(self.run_directory, "--which", "last"))
        self.assertIn("point: last.npy", self.doc2s("certify", self.run_directory).out)

    def test_equal_points_have_one_row(self):
        travels = self.run_config("svm.toml", *sets(method__name="doc2s-travel")).directory
        self.assertEqual(np.load(travels / "output.npy").shape, (CLIENTS, FEATURES))
        [one] = self.certified(travels, "--which", "output", "--save", "one")
        self.assertEqual((one["client"], one["point"]), (None, "output"))
        self.assertEqual([one["client"] for one in self.certified(travels, "--client", 2)], [2])
        self.doc2s("certify", "--check", "one")

    def test_every_client_has_a_line(self):
        found = self.outputs("--delta", 0.1)
        self.assertEqual([one["client"] for one in found], list(range(CLIENTS)))
        for one in found:
            self.assertEqual(set(one), {"client", "bound", "delta", "epsilon", "certified", "reached", "bundle", "gradients", "kink", "kind", "point"})
            self.assertEqual((one["delta"], one["certified"], one["kind"]), (0.1, None, "exact"))
            self.assertGreaterEqual(one["bundle"], 1)
            self.assertLessEqual(one["gradients"], 60)
        table = self.doc2s("certify", self.run_directory, "--delta", 0.1, "--which", "output").out
        self.assertIn("upper bounds", table)
        for one, line in zip(found, table.splitlines()[1:]):
            client, printed = line.split()[:2]
            self.assertEqual(int(client), one["client"])
            self.assertTrue(one["bound"] <= float(printed) <= one["bound"] * 1.001)

    def test_the_output_is_nearer_to_stationary_than_a_random_start(self):
        start = self.point("start.npy", np.random.default_rng(2).standard_normal(FEATURES))
        away = self.certified(start, "--config", "svm.toml")[0]["bound"]
        last = self.certified(self.run_directory, "--which", "last")
        self.assertEqual([one["client"] for one in last], [None])
        self.assertGreater(away, 0.2)
        self.assertLess(last[0]["bound"], away / 4)
        long_run = self.run_config("svm.toml", *sets(method__K=400)).directory  # the output is of a random epoch
        bounds = [one["bound"] for one in self.certified(long_run, "--which", "output")]
        self.assertLess(max(bounds), away / 4)

    def test_epsilon_decides(self):
        bounds = [one["bound"] for one in self.outputs()]
        between = (min(bounds) + max(bounds)) / 2
        found = self.outputs("--epsilon", between)
        self.assertEqual([one["certified"] for one in found], [one["bound"] <= between for one in found])
        self.assertEqual([one["certified"] for one in found], [bound <= between for bound in bounds])
        words = self.doc2s("certify", self.run_directory, "--which", "output", "--epsilon", between).out
        self.assertIn(f"stationary: {sum(one['certified'] for one in found)} of {CLIENTS}", words)

    def test_one_client_and_a_small_budget(self):
        all_of_them = self.outputs()
        self.assertEqual(self.certified(self.run_directory, "--client", 2), [all_of_them[2]])
        one = self.certified(self.run_directory, "--client", 2, "--budget", 1)[0]
        output = np.load(self.run_directory / "output.npy")[2]
        self.assertEqual((one["gradients"], one["bundle"]), (1, 1))
        self.assertAlmostEqual(one["bound"], np.linalg.norm(loss_and_gradient(output)[1]), places=12)

    def test_a_larger_ball_has_no_larger_gradient(self):
        bounds = [self.certified(self.run_directory, "--client", 0, "--delta", delta)[0]["bound"]
                  for delta in (1e-6, 0.03, 0.3)]
        self.assertGreater(bounds[0], 1.2 * bounds[2])
        self.assertGreaterEqual(bounds[1], bounds[2])

    def test_estimates_are_called_so(self):
        found = self.certified(self.run_directory, "--sampled", 10, "--save", "e.certificate")
        self.assertEqual({one["kind"] for one in found}, {"estimate"})
        self.assertNotEqual(found[0]["bound"], self.certified(self.run_directory)[0]["bound"])
        self.assertIn("estimates", self.doc2s("certify", self.run_directory, "--sampled", 10).out)
        checked = self.doc2s("certify", "--check", "e.certificate").out
        self.assertIn("estimate", checked)
        self.assertNotIn("upper bounds", checked)

    def test_a_float32_run_is_certified_in_float64(self):
        directory = self.run_config("svm.toml", *sets(precision="float32")).directory
        output = np.load(directory / "output.npy")
        self.assertEqual(output.dtype, np.float32)
        one = self.certified(directory, "--client", 1, "--budget", 1)[0]
        self.assertAlmostEqual(one["bound"], np.linalg.norm(loss_and_gradient(output[1].astype(float))[1]), places=12)

    def test_all_runs_of_a_folder(self):
        bounds = self.certified(self.home, "--budget", 5)
        self.assertEqual({pathlib.Path(one["run"]) for one in bounds}, {self.run_directory})
        table = self.doc2s("certify", self.home, "--budget", 5).out
        self.assertEqual(table.split("\n")[0].split(), ["run", "client", "bound", "bundle", "gradients"])
        self.refused("certify", self.home, "--save", "all", says=("saved for one run", "name one of them"))

    def test_a_comparison_and_a_sweep(self):
        two = CONFIG.replace("[method]", "[[method]]") + '[[method]]\nname = "dsgd"\niterations = 50\neta = 0.01\n'
        self.write("two.toml", two)
        self.doc2s("run", "two.toml", "--quiet", "--out", "cmp")
        found = self.certified("cmp", "--budget", 5, "--which", "output")
        self.assertEqual([one["run"] for one in found], ["cmp/doc2s"] * CLIENTS + ["cmp/dsgd"] * CLIENTS)
        for name in ("doc2s", "dsgd"):
            alone = self.certified(f"cmp/{name}", "--budget", 5, "--which", "output")
            self.assertEqual([{**one, "run": f"cmp/{name}"} for one in alone], [one for one in found if one["run"] == f"cmp/{name}"])
        self.doc2s("sweep", "svm.toml", "--over", "method.eta=0.05,1e308", "--out", "swept", "--quiet", *sets(method__D=1e308))
        answer = self.doc2s("certify", "swept", "--budget", 5, "--which", "last")
        self.assertEqual(len([line for line in answer.out.splitlines() if line.startswith("swept/")]), 2)
        (self.home / "swept/doc2s/eta=1e308/last.npy").unlink()
        answer = self.doc2s("certify", "swept", "--budget", 5, "--which", "last")
        self.assertIn("note: left out: swept/doc2s/eta=1e308/last.npy", answer.err)
        self.assertEqual(len([line for line in answer.out.splitlines() if line.startswith("swept/")]), 1)
        (self.home / "swept/doc2s/eta=0.05/last.npy").unlink()
        self.refused("certify", "swept", "--which", "last", says=("last.npy",))

    def test_little_memory_is_told(self):
        limited = self.doc2s("certify", self.run_directory, "--memory", 0.001, "--budget", 1000)
        self.assertRegex(limited.err, r"keeps \d+ gradients at a time, in 0.001 GB, as all 1000")
        self.assertEqual(self.doc2s("certify", self.run_directory).err, "")

    def test_refusals(self):
        run = self.run_directory
        self.empty = self.home / "empty"
        self.empty.mkdir()
        for words, says in (
                ((run, "--delta", 0), ("delta", "above 0")), ((run, "--delta", -0.1), ("delta", "above 0")),
                ((run, "--delta", "nan"), ("delta", "above 0")), ((run, "--delta", "inf"), ("delta",)),
                ((run, "--epsilon", -1), ("epsilon",)), ((run, "--client", 4), ("no client 4", "0 to 3")),
                ((run, "--client", -1), ("no client -1",)), ((run, "--client", "x"), ("--client x",)),
                ((run, "--client", 1, "--which", "last"), ("one point for all",)),
                ((run, "--config", "svm.toml"), ("its own config",)), ((run, "--budget", 0), ("--budget",)),
                ((run, "--which", "best"), ("--which",)), ((run, "--sampled", 0), ("--sampled",)),
                (("nowhere",), ("nowhere", "no such")), ((self.empty,), ("holds no run",)),
                ((), ("RUN_DIR",)), ((run, "--save", "svm.toml"), ("already exists", "--force"))):
            with self.subTest(words=words):
                self.refused("certify", *words, says=says)

    def test_a_run_that_is_not_finished_or_diverged(self):
        (self.run_directory / "last.npy").rename(self.home / "kept.npy")
        self.refused("certify", self.run_directory, "--which", "last", says=("last.npy",))
        output = np.load(self.run_directory / "output.npy")
        output[1, 2] = np.nan
        np.save(self.run_directory / "output.npy", output)
        self.refused("certify", self.run_directory, "--which", "output", says=("row 1", "not finite"))


class OfAPoint(CertifyCase):
    def test_a_list_of_points_in_any_precision(self):
        rows = np.random.default_rng(3).standard_normal((3, FEATURES)).astype(np.float32)
        found = self.certified(self.point("p.npy", rows), "--config", "svm.toml", "--budget", 1)
        for one, row in zip(found, rows.astype(float), strict=True):
            self.assertAlmostEqual(one["bound"], np.linalg.norm(loss_and_gradient(row)[1]), places=12)

    def test_refusals(self):
        config = ("--config", "svm.toml")
        good = self.point("good.npy", np.zeros(FEATURES))
        whole = (self.home / good).read_bytes()
        self.write("cut.npy", whole[:-1])
        self.write("text.npy", "0 0 0")
        for words, says in (
                ((good,), ("--config",)),
                ((self.point("long.npy", np.zeros(FEATURES + 1)), *config), ("9 numbers", "8")),
                ((self.point("cube.npy", np.zeros((2, 2, 2))), *config), ("3 dimensions",)),
                ((self.point("whole.npy", np.arange(FEATURES)), *config), ("<i8",)),
                ((self.point("fortran.npy", np.asfortranarray(np.zeros((2, FEATURES)))), *config), ("Fortran",)),
                ((self.point("none.npy", np.zeros((0, FEATURES))), *config), ("no point",)),
                ((self.point("inf.npy", np.full(FEATURES, np.inf)), *config), ("not finite",)),
                (("cut.npy", *config), ("bytes follow",)), (("text.npy", *config), ("not a .npy",)),
                ((good, "--config", "nowhere.toml"), ("nowhere.toml",))):
            with self.subTest(words=words):
                self.refused("certify", *words, says=says)


class OfOtherProblems(CertifyCase):
    def test_an_mlp(self):
        directory = self.run_config("mlp.toml").directory
        which = ("--which", "output")
        found = self.certified(directory, *which, "--budget", 20, "--save", "c")
        self.assertEqual(len(found), 4)
        self.doc2s("certify", "--check", "c")
        data = (self.home / "c").read_bytes()
        self.doc2s("certify", directory, *which, "--budget", 20, "--save", "c2")
        self.assertEqual((self.home / "c2").read_bytes(), data)
        self.doc2s("certify", directory, *which, "--budget", 20, "--save", "c2", "--force",
                   env={"OMP_NUM_THREADS": "1"})
        self.assertEqual((self.home / "c2").read_bytes(), data)


class InRecords(CertifyCase):
    def test_some_records_have_the_bound(self):
        plain = self.run_config("svm.toml")
        run = self.run_config("svm.toml", *sets(run__certify_every=2, run__certify_delta=0.2, run__certify_budget=30))
        self.assertEqual([record["iteration"] for record in run.records if "goldstein" in record], [0, 200, 400, 600])
        self.assertEqual(run.trajectory, plain.trajectory)
        zero = self.certified(self.point("zero.npy", np.zeros(FEATURES)), "--config", "svm.toml", "--delta", 0.2,
                              "--budget", 30)[0]["bound"]
        self.assertEqual(run.records[0]["goldstein"], zero)
        self.assertLess(run.records[-1]["goldstein"], zero / 3)
        without = [{key: value for key, value in record.items() if key not in ("goldstein", "seconds")}
                   for record in run.records]
        self.assertEqual(without, [{key: value for key, value in record.items() if key != "seconds"}
                                   for record in plain.records])
        self.assertNotIn("certify", plain.text("config.toml"))
        self.assertEqual(run.config["run"]["certify_every"], 2)

    def test_threads_and_precision_do_not_matter(self):
        words = sets(run__certify_every=3)
        one, two = (self.run_config("svm.toml", *words, *sets(run__threads=count)) for count in (1, 2))
        self.assertEqual(one.bits(), two.bits())
        rounded = self.run_config("svm.toml", *words, *sets(precision="float32"))
        for a, b in zip(one.records, rounded.records, strict=True):
            self.assertAlmostEqual(a.get("goldstein", 0), b.get("goldstein", 0), delta=0.05)

    def test_the_report_has_the_curve(self):
        run = self.run_config("svm.toml", *sets(run__certify_every=2))
        self.doc2s("report", run.directory, "-o", "r.html", "--csv", "r.csv")
        self.assertIn("\"goldstein\":[", (self.home / "r.html").read_text())
        self.assertIn(",goldstein,", (self.home / "r.csv").read_text().splitlines()[0])

    def test_a_run_that_diverges_still_ends_well(self):
        run = self.run_config("svm.toml", *sets(run__certify_every=1, run__record_every=1, method__eta="3e153",
                                                method__D="1e308"), code=3)
        self.assertEqual(run.summary["status"], "diverged")


class A9a(CertifyCase):
    def setUp(self):
        super().setUp()
        data = os.environ.get("DOC2S_DATA", "")
        if not any(list(pathlib.Path(folder, "a9a").glob("a9a*")) for folder in data.split(":") if folder):
            self.skipTest("a9a is looked for in $DOC2S_DATA")
        self.data = {"DOC2S_DATA": data}

    def test_from_far_to_near(self):
        config = PROJECT / "configs/a9a-ring.toml"
        run = self.run_config(config, *sets(method__R=8), env=self.data)
        start = self.point("zero.npy", np.zeros(123))
        at_start = self.certified(start, "--config", config, "--delta", 0.1, env=self.data)[0]["bound"]
        self.assertAlmostEqual(at_start, 1.3475, places=3)
        found = self.certified(run.directory, "--which", "last", "--delta", 0.1, "--save", "c", env=self.data)[0]
        self.assertLess(found["bound"], 0.05)
        self.assertLessEqual(found["gradients"], 60)
        self.doc2s("certify", "--check", "c", env=self.data)


if __name__ == "__main__":
    harness.main()
