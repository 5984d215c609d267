#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`doc2s run --continue`, for jobs that are started again: python3 continue_test.py PROGRAM [TEST…]."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Case, Run, sets, snapshot

TWO = """\
problem = { size = 80, dimension = 4 }
clients = { count = 4 }
[[method]]
K = 4
T = 5
[[method]]
name = "dsgd"
iterations = 20
"""


class Continue(Case):
    def start_again(self, *words, config="small.toml", out="o", code=0):
        return self.doc2s("run", config, "--out", out, "--continue", *words, code=code)

    def cut(self, run):
        """As a kill leaves it: nothing tells of an end."""
        for name in ("summary.json", "output.npy", "last.npy"):
            (run / name).unlink()

    def test_begins_goes_on_and_is_done(self):
        whole = self.small()
        self.start_again("--checkpoint-every", 10)
        run = Run(self.home / "o", None)
        self.assertEqual(run.bits(), whole.bits())
        self.cut(run.directory)
        for file in (run.directory / "checkpoint").glob("*40.*"):
            file.unlink()
        self.assertIn("continues from the checkpoint of iteration 30", self.start_again().err)
        self.assertEqual(run.bits(), whole.bits())

    def test_before_the_first_checkpoint(self):
        whole = self.small()
        self.start_again()
        run = Run(self.home / "o", None)
        before = snapshot(run.directory)
        self.assertIn("has come to its end already, so nothing is left to do", self.start_again().out)
        self.assertEqual(snapshot(run.directory), before)
        for left in (["config.toml"], []):  # a claim that was not begun; an empty folder
            for file in run.directory.rglob("*"):
                if file.is_file():
                    file.write_bytes(b"") if file.name in left else file.unlink()
            self.start_again()
            self.assertEqual(run.bits(), whole.bits())

    def test_a_run_that_diverged_is_done(self):
        words = sets(method__D=1e308, method__eta=1e308)
        self.start_again(*words, code=3)
        self.assertIn("nothing is left to do", self.start_again(*words, code=3).out)

    def test_another_run_is_kept_unless_forced(self):
        self.small(out=self.home / "o")
        before = snapshot(self.home)
        self.refused("run", "small.toml", "--out", "o", "--continue", *sets(method__eta=0.01), says=("another config", "method.eta"))
        self.assertEqual(snapshot(self.home), before)
        self.start_again("--force", *sets(method__eta=0.01))
        self.assertEqual(Run(self.home / "o", None).config["method"]["eta"], 0.01)
        self.assertIn("nothing is left", self.start_again("--force", *sets(method__eta=0.01)).out)

    def test_a_comparison(self):
        self.write("two.toml", TWO)
        self.doc2s("run", "two.toml", "--quiet", "--out", "whole")
        (self.home / "o/doc2s").mkdir(parents=True)
        (self.home / "o/doc2s/config.toml").touch()  # killed before the first one began
        self.start_again("--checkpoint-every", 5, config="two.toml")
        self.cut(self.home / "o/dsgd")
        untouched = snapshot(self.home / "o/doc2s")
        answer = self.start_again("--checkpoint-every", 5, config="two.toml")
        self.assertIn("continues from the checkpoint", answer.err)
        self.assertEqual(snapshot(self.home / "o/doc2s"), untouched)
        for name in ("doc2s", "dsgd"):
            self.assertEqual(Run(self.home / "o" / name, None).bits(), Run(self.home / "whole" / name, None).bits())
        self.refused("run", "two.toml", "--out", "o", "--continue", *sets(problem__size=90), says=("o: holds other runs",))

    def test_mistakes(self):
        self.refused("run", "small.toml", "--continue", says=("--continue", "--out DIR"))
        self.refused("run", "--continue", "--resume", "o", says=("--continue", "--out DIR"))


if __name__ == "__main__":
    harness.main()
