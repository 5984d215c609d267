#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How a run ends: signals, divergence, faults of the machine: python3 run_ends_test.py PROGRAM [TEST…]."""
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Case, Run, RUN_FILES, sets, strict_json, taken, wait_until


class Signals(Case):
    LONG = sets(method__K=10**9, run__record_every=1000)

    def started(self, *words):
        process = self.start("run", "small.toml", "--quiet", "--out", "o", *words, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True)
        metrics = self.home / "o/metrics.jsonl"
        wait_until(lambda: metrics.exists() and metrics.stat().st_size, process)
        return process

    def test_interrupt(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.started("--trace", "t", *self.LONG)
            time.sleep(0.2)
            process.send_signal(number)
            out, err = process.communicate(timeout=harness.PATIENCE)
            run = Run(self.home / "o", None)
            self.assertEqual((process.returncode, err), (130, ""))
            self.assertIn("interrupted", out)
            self.assertEqual(sorted(os.listdir(run.directory)), ["checkpoint", *RUN_FILES])
            self.assertEqual(run.summary["status"], "interrupted")
            self.assertEqual(run.records[-1]["iteration"], run.summary["iterations"])
            self.assertEqual(len((self.home / "t").read_text().splitlines()), run.summary["iterations"] + 1)
            self.assertEqual(run.numbers("output.npy").shape, (16, 5))
            shutil.rmtree(run.directory)
            (self.home / "t").unlink()

    def test_what_was_interrupted_is_a_prefix(self):
        process = self.started(*self.LONG)
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=harness.PATIENCE)
        cut = Run(self.home / "o", None)
        budget = f"{{iterations={cut.summary['iterations']}}}"
        self.assertEqual(self.small(*self.LONG, *sets(run__budget=budget)).bits(), cut.bits())

    def test_a_second_interrupt_ends_a_slow_step(self):
        process = self.started(*sets(method__R=100000, problem__dimension=20000, problem__sparsity=0.001))
        process.send_signal(signal.SIGINT)
        wait_until(lambda: taken(process, signal.SIGINT), process)
        self.assertIsNone(process.poll(), "the step was to be slow")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=harness.PATIENCE)
        self.assertEqual(process.returncode, -signal.SIGINT)


class Divergence(Case):
    def diverged(self, *words):
        run = self.small(*words, code=3)
        self.assertEqual(sorted(os.listdir(run.directory)), RUN_FILES)
        self.assertEqual(run.summary["status"], "diverged")
        self.assertIn("diverged", run.answer.out)
        self.assertEqual(run.records[0]["iteration"], 0)
        self.assertEqual(run.records[0]["loss_mean_point"], 1)
        self.assertEqual(run.answer.err, "")
        self.assertNotIn("-nan", run.answer.out)
        # every iteration in which an oracle was asked counts, also the one that failed
        self.assertEqual(run.summary["computation_rounds"], run.summary["samples"])
        return run

    def test_steps_without_bound(self):
        for precision in ("float64", "float32"):
            for order in ("first", "zeroth"):
                with self.subTest(precision=precision, order=order):
                    self.diverged(*sets(method__D=1e308, method__eta=1e308, precision=precision,
                                        method__order=order))

    def test_records_so_far_are_kept(self):
        self.write("huge.svm", "1 1:1e200 2:1\n-1 1:-1e200 2:3\n1 2:1\n-1 1:3\n")
        words = sets(problem__data="huge.svm", clients__count=3, method__D=1e108, method__eta=1,
                     run__record_every=1)
        run = self.diverged(*words)
        self.assertEqual([record["iteration"] for record in run.records], list(range(len(run.records))))
        self.assertEqual(run.records[-1]["iteration"], run.summary["iterations"])
        self.diverged(*words, *sets(run__record_every=1000))

    def test_a_trace_of_it_parses(self):
        self.diverged("--trace", "t", *sets(method__D=1e308, method__eta=1e300))
        for line in (self.home / "t").read_text().splitlines():
            strict_json(line)


class NotesOfTheEnd(Case):
    """What "finished" does not say; the rules are tested in tests/unit/run_test.cpp."""

    FALLING = sets(method__eta=1e-3, problem__batch=16, network__graph="complete")
    ZEROS = sets(method__order="zeroth", method__delta_prime=1e-30)

    def notes(self, *words):
        run = self.small(*words, *sets(run__record_every=4))
        self.assertEqual(run.summary["status"], "finished")
        return run.summary["notes"]

    def test_where_they_are(self):
        run = self.doc2s("run", "small.toml", "--out", "o", *self.FALLING, *sets(run__record_every=4))
        [note] = strict_json((self.home / "o/summary.json").read_text())["notes"]
        self.assertEqual(run.err, f"doc2s: note: {note}\n")
        self.doc2s("report", "o", "-o", "page.html")
        self.assertIn(note, (self.home / "page.html").read_text())

    def test_what_they_say(self):
        self.assertRegex(" ".join(self.notes(*self.FALLING)), r"\Athe loss still falls fast: try a larger step, method.eta = 0.003 ")
        self.assertRegex(" ".join(self.notes(*self.FALLING, *sets(method__D=1e-5))), "100 % of the steps were cut to D: .* method.D = 0.0001 ")
        self.assertRegex(" ".join(self.notes(*sets(method__D=3, method__eta=1))), "the loss was lower on the way|the loss never fell")
        self.assertRegex(" ".join(self.notes(*self.ZEROS)), r"\A100 % of the estimates were 0.* method.delta_prime = 1e-30; try 1e-28\Z")

    def test_what_a_small_delta_prime_leaves_to_rounding(self):
        small = sets(method__order="zeroth", method__delta_prime=1e-7, precision="float32")
        self.assertRegex(self.notes(*small)[0], r"\Afloat32 rounds a loss of \S+ by up to \S+e-08, .* of the estimates .* method.delta_prime = 1e-05 or precision = \"float64\"\Z")
        for words in (sets(precision="float64"), sets(method__delta_prime=1e-2), sets(method__order="first")):
            self.assertNotIn("rounds a loss", " ".join(self.notes(*small, *words)))

    def test_the_same_after_a_resume(self):
        noisy = sets(method__order="zeroth", method__delta_prime=1e-7, precision="float32")
        for words in (self.FALLING, self.ZEROS, noisy, (*self.FALLING, *sets(method__D=1e-5))):
            straight = self.notes(*words)
            half = self.small(*words, *sets(run__record_every=4, run__checkpoint_every=7, run__budget__iterations=21)).directory
            self.doc2s("run", "--resume", half, "--quiet", *sets(run__budget__iterations=40))
            resumed = strict_json((half / "summary.json").read_text())["notes"]
            self.assertEqual([note.replace("run.budget.iterations", "method.K") for note in resumed], straight)


class FaultsOfTheMachine(Case):
    def in_a_gigabyte(self, *words, **more):
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
        return self.doc2s(*words, code=1, preexec_fn=limit, **more)

    def test_a_full_disk_under_the_trace(self):
        run = self.small("--force", "--trace", "/dev/full", code=1)
        self.assert_one_sentence(run.answer, "/dev/full", "No space left")

    def test_a_full_disk_under_the_run(self):
        disk = self.home / "disk"
        disk.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)]
        if os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode != 0:
            self.skipTest("a small disk cannot be mounted here")
        self.addCleanup(subprocess.run, ["umount", str(disk)])
        for words in (sets(run__record_every=1, method__K=100), sets(problem__dimension=2000)):
            answer = self.doc2s("run", "small.toml", "--quiet", "--out", disk / "o", *words, code=1)
            self.assert_one_sentence(answer, str(disk / "o"), "No space left")
            for line in (disk / "o/metrics.jsonl").read_text().splitlines()[:-1]:
                strict_json(line)
            self.assertEqual([name for name in os.listdir(disk / "o") if name not in ("checkpoint", *RUN_FILES)], [])
            self.assertEqual([path for path in (disk / "o").rglob("*") if path.suffix == ".part"], [])
            shutil.rmtree(disk / "o")

    def test_a_full_disk_under_stdout(self):
        for words in (["list", "graphs"], ["network"], ["explain"], ["run", "small.toml", "--quiet"]):
            with self.subTest(words=words), open("/dev/full", "w") as full:
                self.assert_one_sentence(self.doc2s(*words, code=1, stdout=full))

    def test_short_memory(self):
        words = sets(problem__dimension=10**8, problem__sparsity=1e-9, run__threads=1)
        answer = self.in_a_gigabyte("run", "small.toml", "--quiet", "--out", "o", *words)
        self.assert_one_sentence(answer, "memory")
        self.assertFalse((self.home / "o").exists())

    def test_threads_that_cannot_be_had(self):
        words = sets(run__threads=1024)
        answer = self.in_a_gigabyte("run", "small.toml", "--quiet", "--out", "o", *words)
        self.assert_one_sentence(answer, "thread")
        self.assertFalse((self.home / "o").exists())


if __name__ == "__main__":
    harness.main()
