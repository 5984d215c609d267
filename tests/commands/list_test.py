#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`doc2s list`: python3 list_test.py PROGRAM [TEST…]."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Case, GRAPHS, strict_json


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

    def listed(self, topic, **more):
        return strict_json(self.doc2s("list", topic, "--json", **more).out)

    def test_json_has_the_names_of_the_table(self):
        for topic in ("methods", "problems", "graphs", "weights", "datasets"):
            names = [line.split()[0] for line in self.doc2s("list", topic).out.splitlines()]
            found = self.listed(topic)
            self.assertEqual([entry["name"] for entry in found], names)
            for entry in found:
                self.assertTrue(entry["summary"])
                self.assertIsInstance(entry["options"], list)

    def test_json_says_where_a_data_set_is(self):
        path = self.write("store/a9a/a9a", "1 1:1\n")
        self.assertIsNone(self.listed("datasets")[0]["place"])
        found = {entry["name"]: entry for entry in self.listed("datasets", env={"DOC2S_DATA": str(path.parent.parent)})}
        self.assertEqual(found["a9a"]["place"], str(path))
        self.assertNotIn("place", found["synthetic"])

    def test_json_of_methods(self):
        found = {entry["name"]: entry for entry in self.listed("methods")}
        self.assertEqual(found["doc2s"]["orders"], ["first", "zeroth"])
        self.assertEqual(found["dgfm"]["orders"], ["zeroth", "first"])
        self.assertEqual(found["dgfm-plus"]["orders"], ["zeroth"])
        options = {option["name"]: option for option in found["doc2s"]["options"]}
        self.assertEqual({key: options["R"][key] for key in ("type", "fallback", "choices")},
                         {"type": "integer", "fallback": 2, "choices": []})
        self.assertIn("rounds of gossip", options["R"]["help"])
        self.assertRegex(options["eta"]["range"], "a number above 0")
        self.assertEqual((options["eta"]["type"], options["eta"]["fallback"]), ("real", 0.01))
        self.assertEqual((options["gossip"]["type"], options["gossip"]["choices"]), ("text", ["chebyshev", "chebyshev-interval", "plain"]))

    def test_json_says_what_explain_says(self):
        for topic, section in (("methods", "method"), ("problems", "problem"), ("graphs", "network"), ("weights", "network")):
            for entry in self.listed(topic):
                for option in entry["options"]:
                    explained = self.doc2s("explain", f"{section}.{option['name']}").out
                    self.assertIn(option["help"], explained)
                    self.assertIn(option["range"], explained)


if __name__ == "__main__":
    harness.main()
