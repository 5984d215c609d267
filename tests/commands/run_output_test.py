#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `doc2s run` says on stdout and stderr: python3 run_output_test.py PROGRAM [TEST…]."""
import os
import pathlib
import pty
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Case, ON_FILE, sets


class Output(Case):
    def test_quiet(self):
        self.write("ot.svm", self.svm_lines().replace("-1 ", "2 ").replace("+1", "1"))
        run = self.run_config(self.write("q.toml", ON_FILE.format(data="ot.svm")), *sets(network__degree=4))
        self.assertEqual(run.answer.err, "")
        self.assertIn("finished", run.answer.out)

    def test_mapped_labels_are_said(self):
        for pair in ("0/1", "1/2"):
            low, high = pair.split("/")
            self.write("l.svm", self.svm_lines().replace("-1 ", low + " ").replace("+1 ", high + " "))
            answer = self.doc2s("run", self.write("l.toml", ON_FILE.format(data="l.svm")))
            self.assertRegex(answer.err, f"(?m)^doc2s: note: .*{pair}.*$")

    def test_a_key_without_meaning_is_noted(self):
        answer = self.doc2s("run", "small.toml", *sets(network__graph="complete", network__neighbours=5))
        self.assertRegex(answer.err, r"(?m)^doc2s: note: .*network\.neighbours.*ring")
        self.write("p.svm", self.svm_lines())
        answer = self.doc2s("run", "small.toml", *sets(problem__data="p.svm"))
        for line in [line for line in answer.err.splitlines() if "is ignored" in line]:
            self.assertRegex(line, r'^doc2s: note: small\.toml:\d:1: problem\.\w+ .* problem\.data = "synth')
            self.assertNotIn('problem.name = "svm"', line, "that holds, so it is not what is missing")

    def test_closing_lines(self):
        run = self.small()
        loss = f"{run.summary['loss_mean_point']:.4f}"
        for words in ("finished", "40", str(run.directory), run.trajectory, loss):
            self.assertIn(words, run.answer.out)
        self.assertTrue(run.answer.out.endswith("\n"))

    def test_plain_progress_where_stderr_is_no_terminal(self):
        for seconds in (6, 60, 300):  # a program that is hardly given a core may miss its time to tell
            words = sets(method__K=10**9, run__budget=f"{{seconds={seconds}}}", run__record_every=10**6)
            said = self.start("run", "small.toml", "--out", "o", "--force", *words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True).communicate(timeout=harness.PATIENCE)[1]
            if lines := said.splitlines():
                break
        self.assertTrue(1 <= len(lines) <= 2 * seconds, said)
        self.assertNotRegex(said, r"[\r\x1b]")
        for line in lines:
            self.assertRegex(line, r"iteration [\d,]+ .*loss [\d.]+")
        self.assertRegex(lines[-1], r"\d (iterations/s|it/s).*(s|min|h) left")

    def on_a_terminal(self, *words, code=0):
        ours, theirs = pty.openpty()
        process = self.start("run", "small.toml", "--out", "o", *words, stdout=subprocess.DEVNULL,
                             stderr=theirs)
        os.close(theirs)
        shown = b""
        while True:
            try:
                piece = os.read(ours, 65536)
            except OSError:  # the other end is closed
                piece = b""
            if not piece:
                break
            shown += piece
        os.close(ours)
        self.assertEqual(process.wait(timeout=harness.PATIENCE), code)
        return shown.decode()

    def test_renewed_progress_on_a_terminal(self):
        for seconds in (2, 30, 300):
            shown = self.on_a_terminal("--force", *sets(method__K=10**9, run__budget=f"{{seconds={seconds}}}"))
            lines = re.findall(r"\r[^\n]*?iteration [\d,]+ .*?loss [\d.]+.*?/s.*?left", shown)
            if len(lines) >= 2:
                break
        self.assertGreaterEqual(len(lines), 2)
        self.assertNotIn("\n", shown.rstrip("\n"), "one line, renewed")
        self.assertRegex(shown, r"(\r\x1b\[K|\n)\Z", "the closing lines start on a clean line")

    def test_an_error_starts_on_a_clean_line(self):
        shown = self.on_a_terminal("--trace", "/dev/full", "--force", code=1)
        self.assertRegex(shown, r"(\A|\r\x1b\[K|\n)doc2s: ")

    def test_quiet_on_a_terminal(self):
        words = sets(method__K=10**9, run__budget="{seconds=0.3}")
        self.assertEqual(self.on_a_terminal("--quiet", *words), "")


if __name__ == "__main__":
    harness.main()
