#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds every program of examples/ against an installed doc2s, away from our tree, and runs them.

examples_test.py BUILD_DIR [TEST…]
"""
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
from mpi_case import MPIRUN

PROJECT = pathlib.Path(__file__).resolve().parent.parent
HASH = re.compile(r"hash\s+([0-9a-f]{16})")
build, work, prefix = None, None, None


def run(*words, code=0, **more):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=900, **more)
    if done.returncode != code:
        raise AssertionError(f"{words}: exit {done.returncode}\n{done.stdout}\n{done.stderr}")
    return done


def cached(name):
    found = re.search(rf"^{name}:\w+=(.*)$", (build / "CMakeCache.txt").read_text(), re.MULTILINE)
    return found[1] if found else ""


def setUpModule():
    global work, prefix
    work = pathlib.Path(tempfile.mkdtemp(prefix="doc2s-examples-"))
    prefix = work / "prefix"
    run("cmake", "--install", build, "--prefix", prefix)
    shutil.copytree(PROJECT / "examples", work / "examples")
    for folder in sorted(path.parent for path in (work / "examples").glob("*/CMakeLists.txt")):
        run("cmake", "-S", folder, "-B", folder / "build", "-G", cached("CMAKE_GENERATOR"), "-DCMAKE_BUILD_TYPE=Release",
            f"-DCMAKE_PREFIX_PATH={prefix}", f"-DCMAKE_CXX_FLAGS={cached('CMAKE_CXX_FLAGS')} -Wall -Wextra -Werror")
        run("cmake", "--build", folder / "build")


def tearDownModule():
    shutil.rmtree(work)


def program(folder, name=None):
    return work / "examples" / folder / "build" / (name or folder)


class Examples(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(dir=work))

    def black_box(self, *words, launcher=()):
        return run(*launcher, program("black_box"), *words, cwd=self.home).stdout

    def hash_in(self, text):
        found = HASH.findall(text)
        self.assertEqual(len(found), 1, text)
        return found[0]

    def test_black_box_is_short_and_gets_better(self):
        source = (PROJECT / "examples/black_box/main.cpp").read_text()
        self.assertLessEqual(len(source.splitlines()), 40)
        out = self.black_box()
        before, after = map(float, re.search(r"f from (\S+) to (\S+)", out).groups())
        self.assertLess(after, 0.9 * before)
        self.assertIn("zeroth", out)
        self.assertGreater(len((self.home / "runs/black_box/metrics.jsonl").read_text().splitlines()), 50)

    def test_black_box_killed_again_and_again(self):
        whole, chance, kills = self.hash_in(self.black_box("whole")), random.Random(1), 0
        for attempt in range(100):
            process = subprocess.Popen([program("black_box"), "cut"], cwd=self.home, stdout=subprocess.PIPE, text=True)
            try:
                out, _ = process.communicate(timeout=chance.uniform(0.01, 0.05) * 1.1**attempt)
                break
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.communicate()
                kills += 1
        self.assertGreater(kills, 1)
        self.assertEqual(self.hash_in(out), whole)

    def test_report_of_a_black_box(self):
        self.black_box("mine")
        run(prefix / "bin/doc2s", "report", "mine", "-o", "page.html", cwd=self.home)
        self.assertIn("doc2s-travel", (self.home / "page.html").read_text())
        refused = run(prefix / "bin/doc2s", "certify", "mine", code=2, cwd=self.home)
        self.assertIn("only the program that minimised this problem has it", refused.stderr)

    def test_one_hash_by_solve_by_commands_and_over_processes(self):
        hashes = {"solve": self.hash_in(self.black_box("solve"))}
        config = work / "examples/commands/simulation.toml"
        mine = program("commands", "mine")
        hashes["commands"] = self.hash_in(run(mine, "run", config, "--out", "mine", "--quiet", cwd=self.home).stdout)
        if cached("DOC2S_MPI") == "ON":
            launcher = [*MPIRUN, "-n", "4"]
            hashes["solve, 4"] = self.hash_in(self.black_box("many", launcher=launcher))
            hashes["commands, 4"] = self.hash_in(
                run(*launcher, mine, "run", config, "--out", "mine-4", "--quiet", cwd=self.home).stdout)
        self.assertEqual(len(set(hashes.values())), 1, hashes)

    def test_own_commands_know_the_problem(self):
        config, mine = work / "examples/commands/simulation.toml", program("commands", "mine")
        quick = ["--set", "method.K=2", "--set", "method.T=20"]

        def command(*words, code=0):
            return run(mine, *words, code=code, cwd=self.home)
        self.assertIn("simulation", command("list", "problems").stdout)
        self.assertIn("height of the ripples", command("explain", "roughness").stdout)
        command("run", config, "--out", "one", "--quiet", *quick)
        command("run", "--resume", "one", "--quiet", "--set", "method.K=3")
        command("sweep", config, "--over", "problem.roughness=0.1,0.2", "--out", "sweep", *quick)
        command("tune", config, "--budget", "samples=400", "--trials", "4", "--out", "tune", *quick)
        command("report", "one", "-o", "page.html")
        self.assertIn("calls a second", command("bench", config, "--quick").stdout)
        self.assertIn("estimates, no bounds: the problem gives values alone", command("certify", "one", "--budget", "2").stdout)
        self.assertIn("no gradient",
                      command("plan", "--from", config, "--delta", "0.5", "--epsilon", "0.5", code=2).stderr)
        self.assertIn("roughness", command("run", config, "--set", "problem.rouhness=1", code=2).stderr)
        stranger = run(prefix / "bin/doc2s", "run", "--resume", "one", code=2, cwd=self.home)
        self.assertIn('"simulation"', stranger.stderr)
        self.assertIn("mine [OPTIONS]", command("--help").stdout)

    def test_gradient(self):
        out = run(program("gradient"), cwd=self.home).stdout
        before, after, low, high = map(float, re.findall(r"-?\d+\.\d+", out))
        self.assertLess(after, 0.3 * before)
        self.assertTrue(0.8 < low < high < 1.2, out)

    def test_early_stopping(self):
        out = run(program("early_stopping"), cwd=self.home).stdout
        self.assertIn("interrupted by the callback", out)
        self.assertLess(int(re.search(r"after (\d+)", out)[1]), 100000)

    def test_several_without_mpi(self):
        if cached("DOC2S_MPI") != "ON":
            self.skipTest("no mpirun")
        refused = subprocess.run([*MPIRUN, "-n", "2", program("early_stopping")], capture_output=True, text=True,
                                 timeout=900)
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("doc2s::mpi", refused.stderr)


if __name__ == "__main__":
    build = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
