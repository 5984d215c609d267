#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`doc2s bench` from outside, never a time in it: python3 bench_test.py PROGRAM [TEST…]."""
import json
import math
import os
import pathlib
import signal
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Case, strict_json, wait_until, without_progress

TASKS = ["gossip", "a9a", "mlp", "scaling", "reading", "torch", "travel", "kernels", "solve"]
BOUNDED = {"gossip": 2, "a9a": 3, "mlp": 1, "scaling": 4, "reading": 5, "travel": 2, "kernels": 0, "solve": 1,
           "torch": 4 if len(os.sched_getaffinity(0)) > 1 else 2}  # ratios for which something is wanted
WRONG_NUMPY = """\
import numpy
zeros_like = numpy.zeros_like
numpy.zeros_like = lambda a: zeros_like(a) + 1e-3
"""


class Bench(Case):
    def quick(self, *words, **more):
        """A run whose own files go to a folder of ours, where none is left."""
        temporary = self.folder()
        env = {"TMPDIR": str(temporary), **more.pop("env", {})}
        answer = self.doc2s("bench", "--quick", *words, env=env, **more)
        self.assertEqual(list(temporary.iterdir()), [])
        return answer

    def test_all_tasks(self):
        answer = self.quick("--json", "bench.json")
        text = (self.home / "bench.json").read_text()
        json.loads(text, object_pairs_hook=lambda pairs: self.assertEqual(len(dict(pairs)), len(pairs)))
        found = strict_json(text)
        self.assertEqual(list(found), TASKS)
        self.assertEqual(answer.err, "")
        for name, task in found.items():
            with self.subTest(task=name):
                self.assertIn(f"\n{name}: ", answer.out)
                if name == "torch" and not task["ratios"]:
                    self.check_skipped(task, answer)
                    continue
                self.check(task, BOUNDED[name])
                for ratio in task["ratios"]:
                    self.assertIn(ratio["name"], answer.out)
        self.assertIn("a9a is not installed", answer.out)
        self.assertEqual(sorted(path.name for path in self.home.iterdir()), ["bench.json", "small.toml"])

    def check_skipped(self, task, answer):
        self.assertEqual((task["times"], task["ratios"]), ({}, []))
        self.assertEqual(len(task["notes"]), 1)
        self.assertTrue(task["notes"][0].startswith("skipped: "), task["notes"])
        self.assertIn(f"note: {task['notes'][0]}\n", answer.out)

    def check(self, task, bounded):
        self.assertTrue(task["times"])
        for seconds in task["times"].values():
            self.assertTrue(0 < seconds < math.inf)
        ratios = task["ratios"]
        self.assertEqual(task["ratio"], ratios[0]["ratio"])
        for ratio in ratios:
            self.assertGreater(ratio["ratio"], 0)
            if "met" in ratio:
                met = ratio["ratio"] >= ratio["at_least"] if "at_least" in ratio else ratio["ratio"] <= ratio["at_most"]
                self.assertEqual(ratio["met"], met)
        self.assertEqual(sum("met" in ratio for ratio in ratios), bounded)

    def test_without_libtorch(self):
        answer = self.quick("torch", "reading", "--json", "bench.json", env={"DOC2S_TORCH_LIBRARY": "/no/such.so"})
        found = strict_json((self.home / "bench.json").read_text())
        self.check_skipped(found["torch"], answer)
        self.assertIn("/no/such.so", found["torch"]["notes"][0])
        self.check(found["reading"], BOUNDED["reading"])

    def test_without_numpy(self):
        answer = self.quick("a9a", env={"PYTHONHOME": "/nowhere"})  # no Python starts
        self.assertIn("NumPy", answer.out)
        self.assertIn("its loops are skipped", answer.out)
        self.assertNotIn("NumPy loop", answer.out)

    def test_wrong_answer_of_a_competitor(self):
        self.write("wrong/sitecustomize.py", WRONG_NUMPY)
        answer = self.quick("a9a", env={"PYTHONPATH": str(self.home / "wrong")}, code=1)
        self.assert_one_sentence(answer, "NumPy's doc2s computed something else")

    def test_interrupted(self):
        temporary = self.folder()
        process = self.start("bench", "a9a", stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                             env={"TMPDIR": str(temporary)})
        self.assertIn("threads", process.stdout.readline())
        wait_until(lambda: any(temporary.iterdir()), process)
        process.send_signal(signal.SIGINT)
        self.assertEqual(without_progress(process.communicate(timeout=harness.PATIENCE)[1]), "doc2s: bench: interrupted\n")
        self.assertEqual(process.returncode, 130)
        self.assertEqual(list(temporary.iterdir()), [])

    def test_list(self):
        answer = self.doc2s("bench", "--list")
        self.assertEqual([line.split()[0] for line in answer.out.splitlines()], TASKS)
        self.assertEqual(len(self.doc2s("bench", "--list", "mlp").out.splitlines()), 1)

    def test_mistakes(self):
        self.refused("bench", "gosip", says=["no task", '"gosip"', "gossip, a9a, mlp, scaling, reading, torch, travel"])
        self.refused("bench", "--json", "no/such/bench.json", says=["cannot be written", "no/such"])
        self.refused("bench", "--quik", says=["--quick"])

    def test_no_place_for_its_files(self):
        answer = self.doc2s("bench", "reading", code=2, env={"TMPDIR": "/no/such/folder"})
        self.assert_one_sentence(answer, "/no/such/folder", "TMPDIR")


if __name__ == "__main__":
    harness.main()
