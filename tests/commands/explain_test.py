#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`doc2s explain`: python3 explain_test.py PROGRAM [TEST…]."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Case, sets


class Explain(Case):
    def test_explain(self):
        for key in ("method.eta", "eta"):
            answer = self.doc2s("explain", key)
            self.assertRegex(answer.out, r"\Amethod\.eta\n")
            self.assertIn("0.01", answer.out)
            self.assertIn("looks from 1e-05 to 1 in zeroth order", answer.out)
        for key in ("problem.alpha", "clients.alpha"):
            self.assertIn(key, self.doc2s("explain", "alpha").out)

    def test_explain_everything_that_a_config_may_hold(self):
        explained = self.doc2s("explain").out
        config = self.small(*sets(run__budget="{samples=5}")).config
        for section, entries in config.items():
            for key in entries if isinstance(entries, dict) else []:
                self.assertIn(f"{section}.{key}", explained)

    def test_explain_a_section_or_a_table(self):
        for key in ("run.budget", "budget"):
            self.assertIn("run.budget.samples", self.doc2s("explain", key).out)
        self.assertIn("method.eta", self.doc2s("explain", "method").out)

    def test_an_unknown_word_gets_the_three_nearest(self):
        for word, nearest in (("etta", '"eta"'), ("learning", " or "), ("method.etta", '"method.eta"'), ("neighbors", '"neighbours"')):
            answer = self.refused("explain", word, says=[f'there is no key "{word}"', "did you mean", nearest])
            self.assertEqual(answer.err.count('"'), 8)


if __name__ == "__main__":
    harness.main()
