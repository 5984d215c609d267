#!/usr/bin/env python3
"""`doc2s list`: python3 list_test.py PROGRAM [TEST…]."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Case, GRAPHS


class List(Case):
    def test_list(self):
        expected = {"methods": ["doc2s"], "problems": ["svm"], "graphs": GRAPHS,
                    "weights": ["uniform", "metropolis", "max-degree", "file"],
                    "datasets": ["a9a", "synthetic"]}
        for topic, names in expected.items():
            answer = self.doc2s("list", topic)
            lines = [line.split() for line in answer.out.splitlines()]
            self.assertLessEqual(set(names), {line[0] for line in lines})
            self.assertTrue(all(len(line) > 2 for line in lines), "each with a few words")

    def test_list_says_where_a_data_set_is(self):
        folder = self.write("store/a9a/a9a", "1 1:1\n").parent
        self.assertIn("not found", self.doc2s("list", "datasets").out)
        self.assertIn(str(folder), self.doc2s("list", "datasets", env={"DOC2S_DATA": str(folder.parent)}).out)


if __name__ == "__main__":
    harness.main()
