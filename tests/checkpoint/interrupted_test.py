#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs, comparisons and sweeps that are interrupted: python3 interrupted_test.py PROGRAM [TEST…]."""
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Run, sets, snapshot, wait_until
from checkpoint_case import METHODS, SETTING, Checkpoints


def heeds_signals(process):
    """Whether it has come so far that it catches SIGINT: where it resumes a run, the records are there before it starts."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    caught = int(re.search(r"SigCgt:\s*([0-9a-f]+)", status)[1], 16)
    return bool(caught & 1 << (signal.SIGINT - 1))


class Interrupted(Checkpoints):
    LONG = sets(method__K=10**6)

    def started(self, *words):
        process = self.start("run", *words, "--quiet", *self.LONG, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             text=True)
        metrics = self.home / "o/metrics.jsonl"
        wait_until(lambda: metrics.exists() and metrics.stat().st_size and heeds_signals(process), process)
        time.sleep(0.1)
        return process

    def test_signals_leave_a_checkpoint(self):
        self.config()
        process = self.started("c.toml", "--out", "o")
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGINT):
            process.send_signal(number)
            out, err = process.communicate(timeout=harness.PATIENCE)
            self.assertEqual((process.returncode, err), (130, ""))
            self.assertIn("doc2s run --resume o", out)
            at = Run(self.home / "o", None).summary["iterations"]
            self.assertEqual(int(self.files(self.home / "o")[-1].name[:13]), at)
            process = self.started("--resume", "o")
        process.kill()
        process.communicate()
        end = at + 1000
        self.resume("o", *sets(run__budget__iterations=end))
        whole = self.run_config("c.toml", *self.LONG, *sets(run__budget__iterations=end))
        resumed_bits = Run(self.home / "o", None).bits()
        self.assertEqual(resumed_bits[0], whole.bits()[0])
        self.assertEqual(resumed_bits[2], whole.bits()[2])

    def test_a_run_that_goes_on_is_left_alone(self):
        self.config()
        process = self.started("c.toml", "--out", "o")
        try:
            answer = self.doc2s("run", "--resume", "o", code=2)
            self.assert_one_sentence(answer, "o:", "in use by a running doc2s")
            answer = self.doc2s("run", "c.toml", "--out", "o", "--force", code=2)
            self.assert_one_sentence(answer, "in use by a running doc2s")
        finally:
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=harness.PATIENCE)
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
        self.assertIn("continues from the checkpoint of iteration 50", answer.err)
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
        wait_until((self.home / "o/long/metrics.jsonl").exists, process)
        before = snapshot(self.home / "o/doc2s")
        answer = self.doc2s("run", config, "--out", "o", "--force", *sets(method__eta=0.5), code=2)
        self.assert_one_sentence(answer, "in use by a running doc2s")
        self.assertEqual(snapshot(self.home / "o/doc2s"), before)
        process.send_signal(signal.SIGHUP)
        self.assertEqual(process.wait(timeout=harness.PATIENCE), 130)

    def test_a_log_that_cannot_be_written_ends_nothing(self):
        self.config()
        with open("/dev/full", "w") as full:
            process = self.start("run", "c.toml", "--out", "o", *sets(method__K=3000), stdout=subprocess.DEVNULL, stderr=full)
            self.assertEqual(process.wait(timeout=harness.PATIENCE), 0)

    def test_a_sweep_goes_on_within_a_case(self):
        self.config()
        words = ["sweep", "c.toml", "--over", "method.eta=0.01", "--out", "s", "--quiet"]
        process = self.start(*words, *sets(method__K=10**6, run__budget__iterations=200000), stdout=subprocess.DEVNULL)
        folder = self.home / "s/doc2s"
        wait_until(lambda: any(file.read_text().count("\n") > 2 for file in folder.glob("*/metrics.jsonl")), process)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=harness.PATIENCE), 130)
        case = next(folder.iterdir())
        self.assertTrue((case / "checkpoint").exists())
        first = (case / "metrics.jsonl").read_text().splitlines()[1]
        self.doc2s(*words, *sets(method__K=10**6, run__budget__iterations=200000))
        self.assertEqual((case / "metrics.jsonl").read_text().splitlines()[1], first, "the same line, with its time")
        whole = self.run_config("c.toml", *sets(method__K=10**6, run__budget__iterations=200000))
        self.assertEqual(Run(case, None).bits(), whole.bits())


if __name__ == "__main__":
    harness.main()
