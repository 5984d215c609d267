#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What takes more than two seconds shows on a terminal how far it is, in one line that goes away; elsewhere nothing, or a plain
line now and then. python3 progress_test.py PROGRAM [TEST…]."""
import fcntl
import os
import pathlib
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Case, PATIENCE

RENEWED = "\r\x1b[K"
LONG = """\
# an iteration of many seconds on any machine
[problem]
size = 1000
dimension = 1000
sparsity = 1
batch = 20000000
[clients]
count = 4
[method]
K = 2
T = 2
"""


class Terminal:
    """A program whose stderr is one; what it says there."""

    def __init__(self, case, *words, columns=200, **more):
        self.words, (self.end, its) = words, pty.openpty()
        fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.process = case.start(*words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=its, **more)
        os.close(its)
        self.said = ""
        case.addCleanup(self.stop)

    def stop(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.end is not None:
            os.close(self.end)
            self.end = None

    def read(self, seconds):
        if select.select([self.end], [], [], seconds)[0]:
            try:
                self.said += os.read(self.end, 4096).decode()
            except OSError:  # it has ended
                pass

    def says(self, case, text):
        until = time.monotonic() + PATIENCE
        while text not in self.said:
            if time.monotonic() > until or self.process.poll() is not None:
                self.read(0)
                case.assertIn(text, self.said, f"{self.words} said nothing of it")
                return
            self.read(0.1)


class Progress(Case):
    def small_run(self):
        self.doc2s("run", "small.toml", "--quiet", "--out", "r")

    def slow_matplotlib(self):
        """Where Python finds one that thinks for long."""
        self.write("python/matplotlib.py", "import time\ntime.sleep(100)\n")
        return {"PYTHONPATH": f"{self.home}/python"}

    def pipe(self, name):
        os.mkfifo(self.home / name)
        keep = os.open(self.home / name, os.O_RDWR)  # nobody writes, and it does not end
        self.addCleanup(os.close, keep)
        return name

    def test_a_terminal_sees_how_far_it_is(self):
        self.write("long.toml", LONG)
        self.small_run()
        plan = ["plan", "--from", "large.toml", "--delta", "0.5", "--epsilon", "0.5"]
        self.write("large.toml", "[problem]\nsize = 4000000\ndimension = 2000\n")
        asked = [
            (["run", "long.toml", "--out", "o"], "iteration 0  loss "),
            (["sweep", "long.toml", "--over", "seed=1,2", "--out", "s"], "0 of 2 cases, 0%"),
            (["tune", "long.toml", "--budget", "samples=1e12", "--trials", "2", "--jobs", "1", "--out", "t"], "0 of 2 runs"),
            (["certify", "--check", self.pipe("c")], "checking … "),
            (["predict", "r", self.pipe("p.csv")], "predicting … "),
            (["report", "r", "--svg", "figures"], "drawing the figures … "),
            (["network", "--graph", "erdos-renyi", "--clients", "100000"], "drawing the graph, "),
            (plan, "asking the problem for its constants"),
            (["bench", "gossip"], "timing, "),
        ]
        path = self.slow_matplotlib()
        waiting = [(Terminal(self, *words, env=path), text) for words, text in asked if "…" in text]  # they do nothing
        for words, text in asked:  # the others one after the other: so many at once would not get on
            if "…" not in text:
                self.check_shown(Terminal(self, *words, env=path), text)
        for terminal, text in waiting:
            self.check_shown(terminal, text)

    def check_shown(self, terminal, text):
        terminal.says(self, text)
        self.assertNotIn("\n", terminal.said.partition(RENEWED)[2])
        terminal.stop()

    def test_quiet_is_quiet_and_short_work_leaves_nothing(self):
        self.write("long.toml", LONG)
        quiet = Terminal(self, "run", "long.toml", "--out", "o", "--quiet")
        time.sleep(3)
        quiet.read(0)
        self.assertEqual(quiet.said, "")
        short = Terminal(self, "run", "small.toml", "--out", "r")
        short.process.wait(PATIENCE)
        short.read(0)
        progress, _, left = short.said.rpartition(RENEWED)  # but for a note
        self.assertNotIn("\n", progress)
        self.assertNotIn("iteration ", left)

    def test_a_narrow_terminal_keeps_it_in_one_line(self):
        self.write("long.toml", LONG)
        narrow = Terminal(self, "run", "long.toml", "--out", "o", columns=20)
        narrow.says(self, "iteration 0  loss ")
        for line in narrow.said.split(RENEWED)[1:]:  # after the notes
            self.assertLess(len(line), 20)

    def test_a_saved_certificate_that_is_broken_off_leaves_no_file(self):
        self.write("wide.toml", "[problem]\nsize = 20000\ndimension = 500\n[clients]\ncount = 4\n[method]\nK = 1\nT = 1\n[run]\n"
                                "record_every = 1\n")
        self.doc2s("run", "wide.toml", "--quiet", "--out", "w")
        terminal = Terminal(self, "certify", "w", "--budget", "100000", "--epsilon", "0", "--save", "c")
        terminal.says(self, " gradients, bound ")
        terminal.process.send_signal(signal.SIGINT)
        self.assertEqual(terminal.process.wait(PATIENCE), 130)
        self.assertEqual([path.name for path in self.home.iterdir() if path.name.startswith((".c", "c"))], [])


if __name__ == "__main__":
    harness.main()
