#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""fashion_mnist_test.py PROGRAM CONFIG   an MLP on Fashion-MNIST, 16 clients in a ring, eta = 0.01, D = 0.05: ME-DOL
reaches a training loss below 0.7 within 300 iterations, DOC2S with R = 2 one below 1.2 within 1,000. Skipped (77) where
the images are not here."""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

BELOW = {"me-dol": (0.7, 300), "doc2s": (1.2, 1000)}


def main():
    program, config = sys.argv[1:3]
    listed = subprocess.run([program, "data", "check", "fashion-mnist"], capture_output=True, text=True)
    if listed.returncode != 0:
        print(f"skipped: {listed.stderr.strip() or listed.stdout.strip()}")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([program, "run", config, "--out", f"{folder}/o", "--quiet"], check=True)
        failed = 0
        for method, (most, iterations) in BELOW.items():
            records = [json.loads(line) for line in Path(folder, "o", method, "metrics.jsonl").read_text().splitlines()]
            best = min(record["loss_mean_point"] for record in records if record["iteration"] <= iterations)
            last = records[-1]
            print(f"{method}: best loss {best:.4f} (must be below {most}), last {last['loss_mean_point']:.4f} after "
                  f"{last['iteration']} iterations, accuracy {last['accuracy']:.4f}")
            failed += not (best < most and last["iteration"] == iterations)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
