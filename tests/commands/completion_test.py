#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What bash offers after Tab: python3 completion_test.py PROGRAM [TEST…]."""
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import harness
from harness import Case, COMMANDS, PROJECT

ASK = 'source "$1"; COMP_WORDS=("${@:2}"); COMP_CWORD=$(($# - 2)); _doc2s; printf "%s\\n" "${COMPREPLY[@]}"'


def offered(*words, program=None):
    """The last word is the one that is being typed."""
    script = PROJECT / "packaging/completion.bash"
    answer = subprocess.run(["bash", "-euc", ASK, "ask", script, program or harness.PROGRAM, *words], capture_output=True, text=True, timeout=harness.PATIENCE)
    assert answer.returncode == 0 and not answer.stderr, answer
    return answer.stdout.split()


class Completion(Case):
    def test_commands(self):
        self.assertEqual(sorted(offered("")), sorted(COMMANDS))
        self.assertEqual(sorted(offered("re")), ["report", "reproduce"])
        self.assertEqual(offered("--vers"), ["--version"])

    def test_flags_are_those_of_the_command(self):
        self.assertEqual(offered("run", "--ou"), ["--out"])
        self.assertIn("--over", offered("sweep", "--quiet", "--"))
        self.assertEqual(offered("run", "--ove"), [])

    def test_parts_of_data(self):
        self.assertEqual(sorted(offered("data", "")), ["check", "get", "list"])
        self.assertIn("--to", offered("data", "get", "--"))

    def test_keys(self):
        self.assertEqual(offered("explain", "method.et"), ["method.eta"])
        self.assertEqual(offered("run", "a.toml", "--set", "method.et"), ["method.eta="])

    def test_names(self):
        self.assertIn("methods", offered("list", "m"))
        self.assertIn("gossip", offered("bench", "go"))
        self.assertIn("theorem", offered("reproduce", "th"))

    def test_files_are_left_to_bash(self):
        self.assertEqual(offered("run", ""), [])

    def test_a_checkout_is_not_built(self):
        self.write("cmake/launch.sh", "")
        launcher = self.write("doc2s", "#!/bin/sh\ntouch built\n")
        launcher.chmod(0o755)
        self.assertEqual(offered("ru", program=str(launcher)), [])
        self.assertFalse((self.home / "built").exists())


if __name__ == "__main__":
    harness.main()
