#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs that are stopped and resumed (every method from every place: contract/bits_test.py): python3 resume_test.py PROGRAM [TEST…]."""
import os
import pathlib
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import ON_FILE, Run, sets, snapshot, wait_until
from checkpoint_case import Checkpoints


class SameBits(Checkpoints):
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

    def test_budgets_count_what_was_used_before(self):
        self.config()
        whole = self.run_config("c.toml", *sets(run__budget__iterations=30))
        for budget in ("bytes", "computation_rounds"):
            run = self.stopped_at(20)
            self.to_the_end(run.directory, *sets(**{f"run.budget.{budget}": whole.summary[budget]}))
            self.assertEqual((run.summary["iterations"], run.summary["stopped_by"]), (30, f"run.budget.{budget}"))
            self.assertEqual(run.trajectory, whole.trajectory)

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
        wait_until(lambda: metrics.exists() and f'"iteration": {iteration},' in metrics.read_text(), process)
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

    def test_never_leaves_none_at_the_end(self):
        self.config()
        run = self.run_config("c.toml", "--checkpoint-every", "never")
        self.assertFalse((run.directory / "checkpoint").exists())

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
        before = snapshot(short.directory)
        self.assertIn("finished already", self.resume(short.directory).answer.out)
        self.assertEqual(snapshot(short.directory), before)


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
        self.write("c.toml", ON_FILE.format(data=data))
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
        (self.home / "empty").mkdir()  # what a kill leaves between making the directory and claiming it
        self.refused("run", "--resume", "empty", says=("is empty", "before its first iteration", "doc2s run CONFIG --out empty"))
        self.doc2s("run", "c.toml", "--quiet", "--out", "empty")
        self.refused("run", "--resume", run.directory, "--out", "x", says=("leave out --out",))
        for wrong in ("sometimes", "0", "-5", "1.5", "5d", "nan"):
            self.refused("run", "c.toml", "--out", "x", f"--checkpoint-every={wrong}", says=("60s", "checkpoint"))
        shutil.rmtree(run.directory / "checkpoint")
        (run.directory / "config.toml").write_text("")
        self.refused("run", "--resume", run.directory, says=("before its first iteration",))


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
    harness.main()
