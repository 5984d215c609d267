#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every method, in all its forms and orders, by the engine under a sanitizer or valgrind: engine.py PROGRAM ENGINE [UNDER…].

ENGINE is tests/sanitized/engine.cpp of that build, e.g. with the thread sanitizer:
    ninja -C build/test/sanitized engine_threads
    tests/sanitized/engine.py build/test/doc2s build/test/sanitized/tests/sanitized/engine_threads
or of a build for any x86-64, for valgrind knows no AVX-512: engine.py … valgrind -q --error-exitcode=9.
Each run is stopped at a checkpoint and resumed with another number of threads; its hash must be that of PROGRAM.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from methods import forms

SETTING = """\
problem = {{ size = 64, dimension = 20000, batch = 2 }}  # rows long enough to be shared by threads
clients = {{ count = 8 }}
network = {{ graph = "ring", lazy = true }}
run = {{ record_every = 4, threads = {threads}, checkpoint_every = 5, budget = {{ iterations = {iterations} }} }}
"""


def carried_out(words, folder):
    environment = {**os.environ, "TSAN_OPTIONS": "halt_on_error=1:exitcode=66"}
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: exit {done.returncode}\n{done.stderr}")
    return done.stdout.strip()


def config(folder, form, threads, iterations):
    method = form.table(K=4, T=5, R=3, iterations=20)
    (folder / "c.toml").write_text(SETTING.format(threads=threads, iterations=iterations) + method)


def check(form, engine, folder):
    config(folder, form, 1, 20)
    carried_out([harness.PROGRAM, "run", "c.toml", "--quiet", "--out", "plain"], folder)
    due = json.loads((folder / "plain/summary.json").read_text())["trajectory"]
    config(folder, form, 3, 10)
    carried_out([*engine, "c.toml", "watched"], folder)
    config(folder, form, 2, 20)
    if carried_out([*engine, "c.toml", "watched", "resume"], folder) != due:
        sys.exit(f"{form.title}: another trajectory than the program's")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    harness.PROGRAM, engine = (str(pathlib.Path(path).resolve()) for path in sys.argv[1:3])
    all_forms = forms(clients=8)
    for form in all_forms:
        with tempfile.TemporaryDirectory(prefix="doc2s-engine-") as folder:
            check(form, [*sys.argv[3:], engine], pathlib.Path(folder))
    print(f"{len(all_forms)} forms of methods, each stopped and resumed: nothing found, the program's hashes")


if __name__ == "__main__":
    main()
