#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""--help, --version and mistakes in the arguments: python3 arguments_test.py PROGRAM [TEST…]."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Case, COMMANDS


class Help(Case):
    def test_version(self):
        self.assertRegex(self.doc2s("--version").out, r"\Adoc2s \d+\.\d+\.\d+\n\Z")

    def test_every_help_has_an_example(self):
        for words in ([], *([command] for command in COMMANDS)):
            answer = self.doc2s(*words, "--help")
            self.assertRegex(answer.out, r"Example:\n +doc2s ")
            self.assertEqual(answer.err, "")
            self.assertEqual(answer.out, self.doc2s(*words, "-h").out)

    def test_the_examples_of_help_work(self):
        for command in ("network", "list", "explain"):
            example = re.search(r"Example:\n +doc2s (.*)", self.doc2s(command, "--help").out)[1]
            self.assertNotEqual(self.doc2s(*example.split()).out, "")


class BadWords(Case):
    def test_table(self):
        table = [
            ([], ["--help"]),
            (["runn"], ['"runn"', 'did you mean "run"']),
            (["netwrok"], ['did you mean "network"']),
            (["--verson"], ["--verson", "--version"]),
            (["frobnicate"], ["frobnicate", "network"]),
            (["run"], ["config"]),
            (["run", "small.toml", "--qiet"], ['did you mean "--quiet"']),
            (["run", "small.toml", "--st", "seed=2"], ['did you mean "--set"']),
            (["run", "small.toml", "-x"], ["-x"]),
            (["run", "small.toml", "--set"], ["--set"]),
            (["run", "small.toml", "--set", "seed"], ["--set seed", "key=value"]),
            (["run", "small.toml", "--set", "=3"], ["key=value"]),
            (["run", "small.toml", "other.toml"], ["other.toml"]),
            (["run", "small.toml", "--out"], ["--out"]),
            (["run", "small.toml", "--out", "a", "--out", "b"], ["--out"]),
            (["run", "missing.toml"], ["missing.toml"]),
            (["run", "."], ["directory"]),
            (["run", ""], ["config"]),
            (["network", "--neighbour", "3"], ['did you mean "--neighbours"']),
            (["network", "--graph", "rng"], ['did you mean "ring"']),
            (["network", "--gossip", "plan"], ["--gossip", "plan", "plain"]),
            (["network", "--rounds", "0"], ["--rounds", "0", "1"]),
            (["network", "--rounds", "two"], ["--rounds", "two"]),
            (["network", "--clients", "0"], ["--clients", "0"]),
            (["network", "--clients", "-4"], ["--clients", "-4"]),
            (["network", "--clients", "many"], ["--clients", "many"]),
            (["network", "--neighbours", "4"], ["--neighbours", "odd"]),
            (["list"], ["topic"]),
            (["list", "graph"], ['did you mean "graphs"']),
            (["list", "nonsense"], ["nonsense", "graphs"]),
            (["explain", "etta"], ['"etta"', 'did you mean "eta"']),
            (["explain", "method.etta"], ['did you mean "method.eta"']),
            (["demo", "now"], ["now"]),
        ]
        for words, says in table:
            with self.subTest(words=words):
                self.refused(*words, says=says)


if __name__ == "__main__":
    harness.main()
