#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes that fail at every point: python3 faults_test.py PROGRAM SHIM [TEST…]."""
import pathlib
import shutil
import signal
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Answer, Run, sets
from checkpoint_case import Checkpoints


class Faults(Checkpoints):
    def faulty(self, mode, at, *words, count=None):
        env = {"LD_PRELOAD": harness.GIVEN["SHIM"], "DOC2S_FAULT": mode, "DOC2S_FAULT_AT": str(at)}
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
            self.assertRegex(answer.err, "no such directory|no config.toml|before its first iteration")
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


if __name__ == "__main__":
    harness.main("SHIM")
