#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every command that writes files, with every way in which a file can fail, at many calls: commands_test.py PROGRAM SHIM [TEST…].

A table of commands × faults × the n-th call. Whatever happens, a file under its final name is whole, the program says in one
sentence what failed and ends with exit code 1, and the same command afterwards ends with the files of one that nobody disturbed.
$DOC2S_FAULT_POINTS: how many calls of a command each fault is tried at, spread over all of them (1), or "all".
"""
import os
import pathlib
import random
import shutil
import signal
import sys
import tempfile
from dataclasses import dataclass

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Answer, Case
from table_case import config_text, write_sites
from written_files import broken, contents

POINTS = os.environ.get("DOC2S_FAULT_POINTS", "1")
CONFIG = """\
seed = 5
problem = { size = 120, dimension = 6, batch = 2 }
clients = { count = 6, partition = "dirichlet" }
method = { K = 3, T = 10 }
run = { record_every = 7, threads = 1 }
"""
TRACED = ["--trace", "o/trace.jsonl"]
COMMANDS = {
    "run": ["run", "c.toml", "--checkpoint-every", 10, "--quiet", *TRACED, "--out", "o/run"],
    "sweep": ["sweep", "c.toml", "--over", "method.eta=0.01,0.02", "--quiet", "--jobs", 1, "--out", "o/sweep"],
    "tune": ["tune", "c.toml", "--trials", 2, "--budget", "samples=60", "--quiet", "--jobs", 1, "--out", "o/tune"],
    "reproduce": ["reproduce", "ablation-rounds-a9a-first", "--scale", "smoke", "--jobs", 1, "--out", "o/reproduce"],
    "report": ["report", "trained", "-o", "o/page.html", "--csv", "o/records.csv", "--svg", "o/figures"],
    "certify": ["certify", "trained", "--budget", 5, "--client", 0, "--quiet", "--save", "o/kept.certificate"],
    "predict": ["predict", "trained", "test.csv", "-o", "o/predictions.csv"],
    "plan": ["plan", "--from", "c.toml", "--delta", 0.5, "--epsilon", 0.5, "--config", "o/planned.toml"],
}
LONG = {"reproduce", "report"}  # dozens of runs, and of figures
REPLACES = {"certify", "predict", "plan"}  # files only with --force


@dataclass(frozen=True)
class Fault:
    mode: str
    error: str = "ENOSPC"
    calls: str = "open,write,fsync,ftruncate,rename,mkdir,remove"

    def env(self, at):
        return {"LD_PRELOAD": harness.GIVEN["SHIM"], "DOC2S_FAULT": self.mode, "DOC2S_FAULT_AT": str(at),
                "DOC2S_FAULT_ERROR": self.error, "DOC2S_FAULT_CALLS": self.calls}


HARMLESS = {
    "a signal interrupts a call": Fault("once", "EINTR", "open,write,fsync,ftruncate"),
    "writes take half": Fault("halves", calls="write"),
}
HARMFUL = {
    "the disk is full": Fault("onwards", calls="open,write,fsync,ftruncate,rename,mkdir"),
    "the disk is full in the midst of a write": Fault("short", calls="write"),
    "the disk is full for a moment": Fault("torn", calls="write"),
    "the quota is used up": Fault("onwards", "EDQUOT", "write"),
    "a write fails": Fault("once", "EIO", "write"),
    "fsync fails": Fault("once", "EIO", "fsync"),
    "rename fails": Fault("once", "EIO", "rename"),
    "a folder or file cannot be made": Fault("once", "EIO", "open,mkdir"),
}
KILL = {"SIGKILL": Fault("kill")}


def spread(total, chance):
    """The calls to fail at, from 1: all, or some at random, one of each part of the command's way."""
    if POINTS == "all":
        return range(1, total + 1)
    count = min(total, int(POINTS))
    return [chance.randint(1 + k * total // count, (k + 1) * total // count) for k in range(count)]


class Commands(Case):
    def setUp(self):
        super().setUp()
        self.write("c.toml", CONFIG)
        write_sites(self, "kind")
        self.write("table.toml", config_text(self, 'name = "mlp"\nhidden = [3]\nlabel = "kind"'))
        self.run_config("table.toml", out=self.home / "trained")

    def command(self, name, code=None, more=(), env=None):
        (self.home / "o").mkdir(exist_ok=True)
        return self.doc2s(*COMMANDS[name], *more, code=code, env=env)

    def contents(self):
        return contents(self.home / "o")

    def count(self, name, fault):
        count = self.home / "count"
        self.command(name, code=0, env=fault.env(0) | {"DOC2S_FAULT_COUNT": str(count)})
        self.clear()
        return int(count.read_text())

    def clear(self):
        shutil.rmtree(self.home / "o")

    def mend(self, name):
        """As a user would go on."""
        if name == "run" and (self.home / "o/run").exists():
            answer = self.doc2s("run", "--resume", "o/run", "--quiet", *TRACED, code=None)
            if answer.code == 0:
                return
            self.assertEqual(answer.code, 2, answer.err)
            self.assert_one_sentence(answer)
        more = ["--force"] if name in REPLACES | {"run"} else []
        self.command(name, code=0, more=more)

    def check(self, name, fault, at, due):
        answer = self.command(name, env=fault.env(at))
        self.assertEqual(broken(self.home / "o", due), [])
        if fault.mode == "kill":
            self.assertIn(answer.code, (0, -signal.SIGKILL), answer.err)
        elif fault in HARMLESS.values():
            self.assertEqual(answer.code, 0, answer.err)
        else:
            self.check_told(answer)
        if answer.code == 0:
            self.assertEqual(self.contents(), due)
        self.mend(name)
        self.assertEqual(self.contents(), due)
        self.clear()

    def check_told(self, answer):
        self.assertIn(answer.code, (0, 1), answer.err)
        *rest, sentence = [line for line in answer.err.splitlines(keepends=True) if "no checkpoint at" not in line] or [""]
        if answer.code == 1:
            self.assert_one_sentence(Answer(1, "", sentence))
            self.assertRegex(sentence, "No space left|Input/output error|quota|disk full")
            self.assertEqual(list((self.home / "o").rglob(".*.part")), [])

    def test_the_disk_is_full_at_the_last_figures(self):
        self.command("report", code=0)
        due, fault = self.contents(), HARMFUL["the disk is full"]
        self.clear()
        total = self.count("report", fault)
        for before in (20, 3):
            self.check("report", fault, total - before, due)

    def try_all(self, name, faults):
        chance = random.Random(name)
        self.command(name, code=0)
        due = self.contents()
        self.assertTrue(due)
        self.clear()
        for title, fault in faults.items():
            for at in [1] if fault.mode == "halves" else spread(self.count(name, fault), chance):
                with self.subTest(command=name, fault=title, call=at):
                    try:
                        self.check(name, fault, at, due)
                    finally:
                        shutil.rmtree(self.home / "o", ignore_errors=True)


def faults_for(name):
    every = HARMLESS | HARMFUL | KILL
    few = "a signal interrupts a call", "the disk is full for a moment", "rename fails", "SIGKILL"
    return every if POINTS == "all" or name not in LONG else {title: every[title] for title in few}


def add_tests():
    for name in COMMANDS:
        setattr(Commands, f"test_{name}", lambda self, name=name: self.try_all(name, faults_for(name)))


add_tests()
if os.access("/dev/shm", os.W_OK):
    tempfile.tempdir = "/dev/shm"  # where fsync, of which there are thousands, costs nothing
if __name__ == "__main__":
    harness.main("SHIM")
