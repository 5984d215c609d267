# SPDX-License-Identifier: Apache-2.0
"""What the tests of `doc2s data` share: stubs for the programs that fetch, and a folder that they serve."""
import gzip
import io
import lzma
import os
import pathlib
import shutil
import struct
import subprocess
import tarfile
import tempfile
import unittest
import zlib

import harness

SHARED = next((pathlib.Path(p) for p in os.environ.get("DOC2S_DATA", "").split(":") if (pathlib.Path(p) / "mnist").is_dir()),
              None)
MNIST = ["train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte"]
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


def tgz(files):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz", compresslevel=1) as archive:
        for name, data in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return out.getvalue()


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


def shared(path):
    """The uncompressed bytes of a file of the shared data."""
    if SHARED is None:
        raise unittest.SkipTest("the published data is not here (DOC2S_DATA)")
    for suffix, unpack in ((".gz", gzip.decompress), (".xz", lzma.decompress), ("", bytes)):
        if (file := SHARED / (path + suffix)).exists():
            return unpack(file.read_bytes())
    raise unittest.SkipTest(f"{path} is not in {SHARED}")


class DataCase(unittest.TestCase):
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
        run = subprocess.run([harness.PROGRAM, "data", *map(str, words)], cwd=self.home, env=self.environment(**more),
                             capture_output=True, text=True, timeout=harness.PATIENCE)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        return run

    def error(self, *words, code=2, **more):
        lines = self.doc2s(*words, code=code, **more).stderr.splitlines()
        return lines[-1]

    def files(self, folder=None):
        folder = folder or self.data
        return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
