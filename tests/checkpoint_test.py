#!/usr/bin/env python3
"""Runs that are stopped, killed, damaged and resumed: python3 checkpoint_test.py PROGRAM SHIM [TEST…]."""
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time
import unittest

import cli_test
from cli_test import Answer, Case, Run, sets

SHIM = ""
SETTING = """\
seed = 5
problem = {{ size = 120, dimension = 6, batch = 2 }}
clients = {{ count = 6, partition = "dirichlet" }}
run = {{ record_every = 7, threads = 1 }}
precision = "{precision}"
"""
METHODS = {
    "doc2s": 'name = "doc2s"\nR = 2\nK = 6\nT = 10',
    "doc2s zeroth": 'name = "doc2s"\norder = "zeroth"\nK = 2\nT = 30',
    "me-dol": 'name = "me-dol"\nK = 6\nT = 10',
    "me-dol code": 'name = "me-dol"\nform = "code"\norder = "zeroth"\nK = 6\nT = 10',
    "dgfm": 'name = "dgfm"\niterations = 60',
    "dgfm-plus": 'name = "dgfm-plus"\niterations = 60\nq = 7',
}


class Checkpoints(Case):
    def config(self, method="doc2s", precision="float64"):
        return self.write("c.toml", f"{SETTING.format(precision=precision)}[method]\n{METHODS[method]}\n")

    def resume(self, directory, *words, code=0, **more):
        answer = self.doc2s("run", "--resume", directory, "--quiet", *words, code=code, **more)
        return Run(pathlib.Path(directory), answer)

    def stopped_at(self, iterations, *words, every=7, out=None):
        return self.run_config("c.toml", "--checkpoint-every", every, *sets(run__budget__iterations=iterations), *words,
                               out=out)

    def to_the_end(self, directory, *words, **more):
        return self.resume(directory, *sets(run__budget__iterations=10**9), *words, **more)

    def files(self, directory):
        return sorted((directory / "checkpoint").iterdir())


class SameBits(Checkpoints):
    def test_every_method_from_every_place(self):
        for method in METHODS:
            for precision in ("float32", "float64"):
                self.config(method, precision)
                whole = self.run_config("c.toml").bits()
                for iterations in (1, 9, 10, 29, 30, 31, 59, 60):
                    with self.subTest(method=method, precision=precision, iterations=iterations):
                        cut = self.stopped_at(iterations)
                        self.assertEqual(cut.summary["iterations"], iterations)
                        self.assertEqual(self.to_the_end(cut.directory).bits(), whole)

    def test_many_stops_other_threads_and_other_records(self):
        self.config("doc2s zeroth")
        whole = self.run_config("c.toml").bits()
        run = self.stopped_at(3)
        for iterations in range(6, 70, 5):
            self.resume(run.directory, *sets(run__budget__iterations=iterations, run__threads=1 + iterations % 3))
        self.assertEqual(run.bits(), whole)
        run = self.stopped_at(20)
        self.to_the_end(run.directory, *sets(run__record_every=3))
        self.assertEqual(run.trajectory, whole[0])
        self.assertEqual([record["iteration"] for record in run.records], [0, 7, 14, *range(21, 60, 3), 60])

    def test_records_after_the_checkpoint_are_cut_and_written_again(self):
        self.config()
        whole = self.run_config("c.toml")
        cut = self.stopped_at(30, every=11)
        later = self.files(cut.directory)[-1].name.split(".")[0]
        self.assertEqual(int(later), 30)
        for file in self.files(cut.directory):
            if file.name.startswith(later):
                file.unlink()
        metrics = cut.directory / "metrics.jsonl"
        metrics.write_text(metrics.read_text() + '{"iteration": 34, "half a li')
        answer = self.to_the_end(cut.directory)
        self.assertEqual(answer.bits(), whole.bits())

    def test_a_trace_goes_on(self):
        self.config("dgfm-plus")
        whole = self.run_config("c.toml", "--trace", "whole")
        cut = self.stopped_at(25, "--trace", "cut")
        self.refused("run", "--resume", cut.directory, says=(f"add --trace {self.home}/cut",))
        self.to_the_end(cut.directory, "--trace", "cut")
        self.assertEqual(cut.bits(), whole.bits())
        lines = [(self.home / name).read_text().replace("cut.svm", "whole.svm") for name in ("whole", "cut")]
        self.assertEqual(*lines)
        self.refused("run", "--resume", cut.directory, says=(f"add --trace {self.home}/cut",))

    def test_without_a_checkpoint_it_begins_again(self):
        self.config()
        whole = self.run_config("c.toml").bits()
        cut = self.run_config("c.toml", *sets(run__budget__iterations=20))
        self.assertFalse((cut.directory / "checkpoint").exists(), "a short run leaves none")
        answer = self.doc2s("run", "--resume", cut.directory, *sets(run__budget__iterations=1000))
        self.assertIn("begins again", answer.err)
        self.assertEqual(cut.bits(), whole)

    def killed_at(self, iteration, *words):
        """A run that is killed at that record."""
        metrics = self.home / "o/metrics.jsonl"
        process = self.start("run", "c.toml", "--out", "o", "--quiet", "--force", *sets(method__K=10**7), *words,
                             stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 20
        while not (metrics.exists() and f'"iteration": {iteration},' in metrics.read_text()) and time.monotonic() < deadline:
            time.sleep(0.01)
        process.kill()
        process.wait()
        return metrics.parent

    def test_killed_before_the_first_checkpoint_it_begins_again(self):
        self.config()
        whole = self.run_config("c.toml", *sets(method__K=10**7, run__budget__iterations=60)).bits()
        for words in ([], ["--checkpoint-every", "never"]):
            directory = self.killed_at(700, *words)
            self.assertEqual([file.name for file in self.files(directory)], ["start.manifest"])
            answer = self.doc2s("run", "--resume", directory, *sets(run__budget__iterations=60))
            self.assertIn("there is no checkpoint, so the run begins again", answer.err)
            self.assertEqual(Run(directory, answer).bits(), whole)
            self.assertEqual(list(directory.rglob("start.manifest")), [])

    def test_killed_before_the_first_record_it_begins_again(self):
        self.config()
        whole = self.run_config("c.toml")
        for kept in (["config.toml"], ["config.toml", "setting.json"], ["config.toml", "metrics.jsonl"]):
            directory = self.home / "o"
            directory.mkdir()
            for name in kept:
                shutil.copy(whole.directory / name, directory)
            if "metrics.jsonl" in kept:
                (directory / "metrics.jsonl").write_text("")
            answer = self.doc2s("run", "--resume", directory)
            self.assertIn("begins again", answer.err)
            self.assertEqual(Run(directory, answer).bits(), whole.bits())
            shutil.rmtree(directory)

    def lost(self, directory, *words):
        self.refused("run", "--resume", directory, *words, says=(
            f"{directory}: has records, but its checkpoints are lost",
            f"to begin again: doc2s run {directory}/config.toml --out {directory} --force"))

    def test_lost_checkpoints_are_not_taken_for_none(self):
        self.config()
        longer = sets(run__budget__iterations=60)
        killed = self.killed_at(700, "--checkpoint-every", 70)
        self.assertNotIn("start.manifest", [file.name for file in self.files(killed)])
        finished = self.stopped_at(30).directory
        for directory in (killed, finished):
            shutil.rmtree(directory / "checkpoint")
            self.lost(directory, *longer)
            (directory / "checkpoint").mkdir()
            self.lost(directory, *longer)
        self.lost(killed)
        self.assertIn("finished already", self.resume(finished).answer.out)
        self.doc2s("run", f"{finished}/config.toml", "--out", finished, "--force", *longer)
        self.assertEqual(Run(finished, None).bits(), self.run_config("c.toml").bits())

    def test_an_interrupted_run_that_left_no_checkpoint_is_not_lost(self):
        self.config()
        directory = self.killed_at(700)
        (directory / "summary.json").write_text('{"status": "interrupted"}')  # the checkpoint could not be written
        self.assertIn("begins again", self.doc2s("run", "--resume", directory, *sets(run__budget__iterations=60)).err)

    def test_the_last_two_are_kept(self):
        self.config()
        run = self.run_config("c.toml", "--checkpoint-every", 9)
        self.assertEqual([file.name for file in self.files(run.directory)],
                         [f"{at:013}.{kind}" for at in (54, 60) for kind in ("manifest", "rank-0")])

    def test_by_time_and_never(self):
        self.config()
        run = self.run_config("c.toml", "--checkpoint-every", "1e-9s", *sets(run__budget__iterations=9))
        self.assertEqual([int(file.name[:13]) for file in self.files(run.directory)], [8, 8, 9, 9])
        run = self.run_config("c.toml", *sets(run__checkpoint_every="2h"))
        self.assertEqual(len(self.files(run.directory)), 2, "the end alone")

    def test_a_finished_run_has_nothing_left_to_do(self):
        self.config()
        run = self.run_config("c.toml", "--checkpoint-every", 20)
        before = run.bits()
        self.assertEqual(self.resume(run.directory).bits(), before)
        short = self.run_config("c.toml")
        before = cli_test.snapshot(short.directory)
        self.assertIn("finished already", self.resume(short.directory).answer.out)
        self.assertEqual(cli_test.snapshot(short.directory), before)


class Interrupted(Checkpoints):
    LONG = sets(method__K=10**6)

    def started(self, *words):
        process = self.start("run", *words, "--quiet", *self.LONG, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True)
        metrics = self.home / "o/metrics.jsonl"
        deadline = time.monotonic() + 20
        while not (metrics.exists() and metrics.stat().st_size) and time.monotonic() < deadline:
            time.sleep(0.01)
        time.sleep(0.1)
        return process

    def test_signals_leave_a_checkpoint(self):
        self.config()
        process = self.started("c.toml", "--out", "o")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGINT):
            process.send_signal(number)
            out, err = process.communicate(timeout=30)
            self.assertEqual((process.returncode, err), (130, ""))
            self.assertIn("doc2s run --resume o", out)
            at = Run(self.home / "o", None).summary["iterations"]
            self.assertEqual(int(self.files(self.home / "o")[-1].name[:13]), at)
            process = self.started("--resume", "o")
        process.kill()
        process.communicate()
        end = at + 1000
        resumed = self.resume("o", *sets(run__budget__iterations=end))
        whole = self.run_config("c.toml", *self.LONG, *sets(run__budget__iterations=end))
        resumed_bits = Run(self.home / "o", None).bits()
        self.assertEqual(resumed_bits[0], whole.bits()[0])
        self.assertEqual(resumed_bits[2], whole.bits()[2])

    def test_a_run_that_goes_on_is_left_alone(self):
        self.config()
        process = self.started("c.toml", "--out", "o")
        try:
            answer = self.doc2s("run", "--resume", "o", code=2)
            self.assert_one_sentence(answer, "o:", "goes on at this moment")
            answer = self.doc2s("run", "c.toml", "--out", "o", "--force", code=2)
            self.assert_one_sentence(answer, "goes on at this moment")
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130)


    def test_a_comparison_goes_on(self):
        config = self.write("m.toml", SETTING.format(precision="float64") + "".join(
            f'[[method]]\nlabel = "{label}"\n{METHODS[label]}\n' for label in ("doc2s", "me-dol", "dgfm")))
        self.doc2s("run", config, "--quiet", "--out", "whole")
        self.doc2s("run", config, "--quiet", "--out", "cut", "--checkpoint-every", 10)
        for name in ("summary.json", "output.npy", "last.npy"):
            (self.home / "cut/me-dol" / name).unlink()
        newest = self.files(self.home / "cut/me-dol")[-1].name[:13]
        for file in self.files(self.home / "cut/me-dol"):
            if file.name.startswith(newest):
                file.unlink()
        shutil.rmtree(self.home / "cut/dgfm")
        untouched = (self.home / "cut/doc2s/summary.json").stat().st_mtime_ns
        answer = self.doc2s("run", "--resume", "cut")
        self.assertIn("goes on from the checkpoint of iteration 50", answer.err)
        self.assertEqual(answer.out.count("finished after"), 2)
        self.assertEqual(sum(line.startswith(("doc2s ", "me-dol ", "dgfm ")) for line in answer.out.splitlines()), 3)
        self.assertEqual((self.home / "cut/doc2s/summary.json").stat().st_mtime_ns, untouched)
        for label in ("doc2s", "me-dol", "dgfm"):
            self.assertEqual(Run(self.home / "cut" / label, None).bits(), Run(self.home / "whole" / label, None).bits())
        (self.home / "cut/me-dol/summary.json").unlink()
        shutil.rmtree(self.home / "cut/me-dol/checkpoint")
        self.refused("run", "--resume", "cut", says=("cut/me-dol: has records, but its checkpoints are lost",))
        shutil.rmtree(self.home / "cut/me-dol")
        shutil.copytree(self.home / "cut/doc2s", self.home / "cut/me-dol")
        self.refused("run", "--resume", "cut", says=("me-dol", "another config", 'method.name was "doc2s"'))
        self.refused("run", "c.toml", "--resume", "cut", says=("comparison", "leave out the config"))
        self.write("cut/comparison.json", '[{"folder": "../x", "config": ""}]')
        self.refused("run", "--resume", "cut", says=("elsewhere",))

    def test_a_comparison_that_goes_on_is_left_alone(self):
        config = self.write("m.toml", SETTING.format(precision="float64") +
                            "[[method]]\nK = 1\n[[method]]\nlabel = \"long\"\nK = 1000000\n")
        process = self.start("run", config, "--quiet", "--out", "o", stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 20
        while not (self.home / "o/long/metrics.jsonl").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        before = cli_test.snapshot(self.home / "o/doc2s")
        answer = self.doc2s("run", config, "--out", "o", "--force", *sets(method__eta=0.5), code=2)
        self.assert_one_sentence(answer, "goes on at this moment")
        self.assertEqual(cli_test.snapshot(self.home / "o/doc2s"), before)
        process.send_signal(signal.SIGHUP)
        self.assertEqual(process.wait(timeout=30), 130)

    def test_a_log_that_cannot_be_written_ends_nothing(self):
        self.config()
        with open("/dev/full", "w") as full:
            process = self.start("run", "c.toml", "--out", "o", *sets(method__K=3000), stdout=subprocess.DEVNULL, stderr=full)
            self.assertEqual(process.wait(timeout=60), 0)

    def test_a_sweep_goes_on_within_a_case(self):
        self.config()
        words = ["sweep", "c.toml", "--over", "method.eta=0.01", "--out", "s", "--quiet"]
        process = self.start(*words, *sets(method__K=10**6, run__budget__iterations=200000), stdout=subprocess.DEVNULL)
        folder = self.home / "s/doc2s"
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline and not list(folder.glob("*/metrics.jsonl")):
            time.sleep(0.01)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=30), 130)
        case = next(folder.iterdir())
        self.assertTrue((case / "checkpoint").exists())
        first = (case / "metrics.jsonl").read_text().splitlines()[1]
        self.doc2s(*words, *sets(method__K=10**6, run__budget__iterations=200000), timeout=120)
        self.assertEqual((case / "metrics.jsonl").read_text().splitlines()[1], first, "the same line, with its time")
        whole = self.run_config("c.toml", *sets(method__K=10**6, run__budget__iterations=200000), timeout=120)
        self.assertEqual(Run(case, None).bits(), whole.bits())


class Refused(Checkpoints):
    def test_another_config(self):
        self.config()
        run = self.stopped_at(20)
        self.refused("run", "--resume", run.directory, *sets(method__eta=0.5, clients__partition="iid"),
                     says=("method.eta was 0.01 and is 0.5", 'clients.partition was "dirichlet" and is "iid"'))
        self.refused("run", "--resume", run.directory, *sets(seed=6), says=("seed was 5 and is 6",))
        self.config("me-dol")
        self.refused("run", "c.toml", "--resume", run.directory, says=('method.name was "doc2s" and is "me-dol"',))

    def test_other_data_under_the_same_name(self):
        data = self.write("data.svm", self.svm_lines())
        self.write("c.toml", cli_test.ON_FILE.format(data=data))
        run = self.stopped_at(5, every=2)
        self.write("data.svm", self.svm_lines().replace("3:", "2:", 1))
        self.refused("run", "--resume", run.directory, says=("the data or the network",))

    def test_another_network_under_the_same_name(self):
        edges = self.write("edges", self.ring_edges(6))
        self.config()
        words = sets(network__graph="file", network__edges=edges, clients__partition="iid")
        run = self.run_config("c.toml", "--checkpoint-every", 7, *words, *sets(run__budget__iterations=9))
        self.write("edges", self.ring_edges(6) + "0 3\n")
        self.refused("run", "--resume", run.directory, says=("the data or the network",))

    def test_a_shorter_end(self):
        self.config()
        run = self.stopped_at(40)
        self.refused("run", "--resume", run.directory, *sets(method__K=3, run__budget__iterations=1000),
                     says=("is at iteration 40 already, and would end at 30",))
        self.refused("run", "--resume", run.directory, *sets(run__budget__iterations=39), says=("would end at 39",))

    def test_a_lost_config(self):
        config = self.config()
        whole = self.run_config("c.toml").bits()
        run = self.stopped_at(25)
        for lost in ("emptied", "removed"):
            (run.directory / "config.toml").write_text("") if lost == "emptied" else (run.directory / "config.toml").unlink()
            self.refused("run", "--resume", run.directory, says=("config.toml is lost", "doc2s run CONFIG --resume"))
        self.doc2s("run", config, "--resume", run.directory)
        self.assertEqual(run.bits(), whole)

    def test_mistakes(self):
        self.config()
        run = self.stopped_at(20)
        self.refused("run", says=("no config is named", "--resume"))
        self.refused("run", "--resume", "nowhere", says=("nowhere", "no such directory"))
        self.refused("run", "c.toml", "--resume", "", says=("--resume", "name is empty"))
        self.refused("run", "--resume", "c.toml", says=("is not a directory",))
        self.refused("run", "--resume", self.home, says=("no config.toml",))
        self.refused("run", "--resume", run.directory, "--out", "x", says=("leave out --out",))
        for wrong in ("sometimes", "0", "-5", "1.5", "5d", "nan"):
            self.refused("run", "c.toml", "--out", "x", f"--checkpoint-every={wrong}", says=("60s", "checkpoint"))
        shutil.rmtree(run.directory / "checkpoint")
        (run.directory / "config.toml").write_text("")
        self.refused("run", "--resume", run.directory, says=("before it began",))


class Damaged(Checkpoints):
    def test_every_byte_flipped(self):
        self.config()
        run = self.stopped_at(25, every=10)
        whole = self.run_config("c.toml").bits()
        newest = [file for file in self.files(run.directory) if file.name.startswith(f"{25:013}")]
        self.assertEqual(len(newest), 2)
        kept = self.home / "kept"
        shutil.copytree(run.directory, kept)
        chance = random.Random(1)
        reasons = set()
        for file in newest:
            good = file.read_bytes()
            places = sorted({*range(0, 64), *chance.sample(range(len(good)), 150), len(good) - 1})
            for place in places:
                shutil.rmtree(run.directory)
                shutil.copytree(kept, run.directory)
                bad = bytearray(good)
                bad[place] ^= 1 << chance.randrange(8)
                file.write_bytes(bad)
                answer = self.doc2s("run", "--resume", run.directory, *sets(run__budget__iterations=26))
                self.assertIn("from the checkpoint of iteration 20", answer.err, f"byte {place} of {file.name}")
                note = next(line for line in answer.err.splitlines() if file.name in line)
                reasons.add(note.split(": ", 2)[2].split(" \"")[0])
        self.assertGreaterEqual(len(reasons), 3, reasons)
        self.assertEqual(self.to_the_end(run.directory).bits(), whole)

    def test_cut_off_at_every_length(self):
        self.config()
        run = self.stopped_at(25, every=10)
        file = self.files(run.directory)[-1]
        good = file.read_bytes()
        for length in {0, 1, 55, 56, 64, *random.Random(2).sample(range(len(good)), 30)}:
            file.write_bytes(good[:length])
            kept = self.home / "kept"
            shutil.copytree(run.directory, kept)
            answer = self.doc2s("run", "--resume", kept, *sets(run__budget__iterations=26))
            self.assertIn("from the checkpoint of iteration 20", answer.err)
            shutil.rmtree(kept)

    def test_lost_records(self):
        self.config()
        whole = self.run_config("c.toml").bits()
        run = self.stopped_at(25, every=10)
        metrics = run.directory / "metrics.jsonl"
        lines = metrics.read_text().splitlines(keepends=True)
        metrics.write_text("".join(lines[:3]))  # of 0, 7 and 14
        answer = self.to_the_end(run.directory).answer
        self.assertIn("metrics.jsonl: has lost its end", answer.err)
        self.assertEqual(run.bits(), whole)
        metrics.unlink()
        self.refused("run", "--resume", run.directory, says=("no checkpoint can be used", "lost its end", "--force"))

    def test_all_of_them(self):
        self.config()
        run = self.stopped_at(25, every=10)
        for file in self.files(run.directory):
            file.write_bytes(b"nonsense" * 20)
        self.refused("run", "--resume", run.directory, says=("is no checkpoint", "--force"))


class Faults(Checkpoints):
    def faulty(self, mode, at, *words, count=None):
        env = {"LD_PRELOAD": SHIM, "DOC2S_FAULT": mode, "DOC2S_FAULT_AT": str(at)}
        if count:
            env["DOC2S_FAULT_COUNT"] = str(count)
        return self.doc2s(*words, "--quiet", code=None, env=env)

    def calls(self, *words):
        count = self.home / "count"
        self.faulty("once", 0, *words, count=count)
        return int(count.read_text())

    def mended(self, directory):
        """Goes on from whatever a failure left, as a user would."""
        answer = self.doc2s("run", "--resume", directory, "--quiet", code=None)
        if answer.code == 2:
            self.assert_one_sentence(answer)
            self.assertRegex(answer.err, "no such directory|no config.toml|before it began")
            shutil.rmtree(directory, ignore_errors=True)
            answer = self.doc2s("run", "c.toml", "--quiet", "--out", directory, code=None)
        self.assertEqual(answer.code, 0, answer.err)
        return Run(directory, answer).bits()

    def test_a_write_that_fails_at_every_point(self):
        self.config()
        whole = self.run_config("c.toml").bits()
        words = ["run", "c.toml", "--checkpoint-every", "20", "--out"]
        total = self.calls(*words, "counted")
        self.assertGreater(total, 40)
        for mode in ("once", "onwards", "short", "kill"):
            for at in range(1, total + 1):
                with self.subTest(mode=mode, at=at):
                    directory = self.home / f"{mode}-{at}"
                    answer = self.faulty(mode, at, *words, directory)
                    self.assertIn(answer.code, (0, -signal.SIGKILL) if mode == "kill" else (0, 1, 2))
                    *warnings, sentence = answer.err.splitlines(keepends=True) or [""]
                    self.assertTrue(all("no checkpoint at" in warning for warning in warnings), answer.err)
                    if answer.code > 0:
                        self.assert_one_sentence(Answer(answer.code, "", sentence))
                    if answer.code == 0 and (directory / "summary.json").exists():
                        self.assertEqual(Run(directory, answer).bits(), whole)
                    self.assertEqual(self.mended(directory), whole)
                    shutil.rmtree(directory)

    def test_a_resumption_that_fails_at_every_point(self):
        self.config()
        whole = self.run_config("c.toml").bits()
        cut = self.stopped_at(25, every=10).directory
        resume = ["run", *sets(run__budget__iterations=1000, run__checkpoint_every=20), "--resume"]
        spare = self.home / "spare"
        shutil.copytree(cut, spare)
        total = self.calls(*resume, spare)
        for mode in ("once", "onwards", "kill"):
            for at in range(1, total + 1):
                with self.subTest(mode=mode, at=at):
                    directory = self.home / f"{mode}-{at}"
                    shutil.copytree(cut, directory)
                    self.faulty(mode, at, *resume, directory)
                    self.assertEqual(self.to_the_end(directory).bits(), whole)
                    shutil.rmtree(directory)

    def test_a_full_disk_is_told(self):
        self.config()
        words = ["run", "c.toml", "--checkpoint-every", "20", "--out"]
        told = []
        for at in range(1, self.calls(*words, "counted") + 1):
            answer = self.faulty("once", at, *words, f"goes-on-{at}")
            if "checkpoint" not in answer.err:
                continue
            self.assertEqual(answer.code, 0)
            self.assert_one_sentence(answer, "no checkpoint at iteration", "No space left")
            told.append(answer.err.split(": ")[1])
            answer = self.faulty("once", at, *words, f"stops-{at}", *sets(run__on_checkpoint_error="stop"))
            self.assertEqual(answer.code, 1)
            self.assert_one_sentence(answer, told[-1])
        self.assertEqual(told[0], "no checkpoint at iteration 0, there is none so far")
        self.assertIn("no checkpoint at iteration 20, there is none so far", told)
        self.assertEqual(told[-1], "no checkpoint at iteration 60, the last good one is of iteration 40")


class ManyRecords(Checkpoints):
    def peak(self, iterations):
        process = self.start("run", "c.toml", "--quiet", "--out", f"m{iterations}", "--checkpoint-every", iterations // 20,
                             *sets(method__K=10**7, run__record_every=50, run__budget__iterations=iterations),
                             stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 0)
        return usage.ru_maxrss  # kB

    def test_memory_stays_flat(self):
        self.config()
        short, long = self.peak(50_000), self.peak(1_000_000)
        self.assertLess(long, short + 1024, "kB")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: checkpoint_test.py PROGRAM SHIM [TEST…]")
    cli_test.PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    SHIM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
