#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checkpoints that are damaged or lost: python3 damaged_test.py PROGRAM [TEST…]."""
import json
import pathlib
import random
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import sets
from checkpoint_case import Checkpoints


class Damaged(Checkpoints):
    def test_every_byte_flipped(self):
        self.config()
        run = self.stopped_at(25, every=10)
        whole = self.run_config("c.toml").bits()
        newest = [file for file in self.files(run.directory) if file.name.startswith(f"{25:013}")]
        self.assertEqual(len(newest), 2)
        kept = self.home / "kept"
        shutil.copytree(run.directory, kept)
        chance = random.Random(1)
        reasons = set()
        for file in newest:
            good = file.read_bytes()
            places = sorted({*range(0, 64), *chance.sample(range(len(good)), 150), len(good) - 1})
            for place in places:
                shutil.rmtree(run.directory)
                shutil.copytree(kept, run.directory)
                bad = bytearray(good)
                bad[place] ^= 1 << chance.randrange(8)
                file.write_bytes(bad)
                answer = self.doc2s("run", "--resume", run.directory, *sets(run__budget__iterations=26))
                self.assertIn("from the checkpoint of iteration 20", answer.err, f"byte {place} of {file.name}")
                note = next(line for line in answer.err.splitlines() if file.name in line)
                reasons.add(note.split(": ", 2)[2].split(" \"")[0])
        self.assertGreaterEqual(len(reasons), 3, reasons)
        self.assertEqual(self.to_the_end(run.directory).bits(), whole)

    def test_cut_off_at_every_length(self):
        self.config()
        run = self.stopped_at(25, every=10)
        file = self.files(run.directory)[-1]
        good = file.read_bytes()
        for length in {0, 1, 55, 56, 64, *random.Random(2).sample(range(len(good)), 30)}:
            file.write_bytes(good[:length])
            kept = self.home / "kept"
            shutil.copytree(run.directory, kept)
            answer = self.doc2s("run", "--resume", kept, *sets(run__budget__iterations=26))
            self.assertIn("from the checkpoint of iteration 20", answer.err)
            shutil.rmtree(kept)

    def test_lost_records(self):
        self.config()
        whole = self.run_config("c.toml").bits()
        run = self.stopped_at(25, every=10)
        metrics = run.directory / "metrics.jsonl"
        lines = metrics.read_text().splitlines(keepends=True)
        metrics.write_text("".join(lines[:3]))  # of 0, 7 and 14
        answer = self.to_the_end(run.directory).answer
        self.assertIn("metrics.jsonl: is truncated", answer.err)
        self.assertEqual(run.bits(), whole)
        self.assertEqual([line["iteration"] for line in map(json.loads, metrics.read_text().splitlines())][:3], [0, 7, 14])

    def test_records_that_are_gone_altogether(self):
        self.config()
        whole = self.run_config("c.toml").bits()
        for gone in (lambda metrics: metrics.write_text(""), lambda metrics: metrics.unlink(),
                     lambda metrics: metrics.write_text('{"iteration": 0, "half')):
            run = self.stopped_at(25, every=10)
            gone(run.directory / "metrics.jsonl")
            answer = self.to_the_end(run.directory).answer
            self.assertIn("metrics.jsonl was cut", answer.err)
            trajectory, records, *files = run.bits()
            self.assertEqual((trajectory, *files), (whole[0], *whole[2:]))
            self.assertEqual(records, whole[1][-len(records):])
            first = json.loads((run.directory / "metrics.jsonl").read_text().splitlines()[0])
            self.assertGreater(first["iteration"], 25)
            shutil.rmtree(run.directory)

    def test_all_of_them(self):
        self.config()
        run = self.stopped_at(25, every=10)
        for file in self.files(run.directory):
            file.write_bytes(b"nonsense" * 20)
        self.refused("run", "--resume", run.directory, says=("is no checkpoint", "--force"))


if __name__ == "__main__":
    harness.main()
