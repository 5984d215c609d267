#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""doxygen makes the reference of the public headers without a warning, and what a user builds against is described in it."""
import pathlib
import subprocess
import sys
import tempfile

PROJECT = pathlib.Path(__file__).resolve().parent.parent
DESCRIBED = {
    "namespacedoc2s.html": ["Minimises f(x)", "problem.name", "Joins the other processes under mpirun"],
    "classdoc2s_1_1Problem.html": ["only values are known", "The mean of F_i(x; ξ) over the batch"],
    "structdoc2s_1_1Result.html": ["the mean of the last whole epoch"],
    "classdoc2s_1_1Options.html": ["Called after each record"],
}


def main():
    with tempfile.TemporaryDirectory() as folder:
        text = (PROJECT / "Doxyfile").read_text().replace("build/reference", folder)
        done = subprocess.run(["doxygen", "-"], input=text, capture_output=True, text=True, cwd=PROJECT)
        wrong = done.stderr.splitlines() + ([f"doxygen: exit {done.returncode}"] if done.returncode else [])
        for page, sentences in DESCRIBED.items():
            html = (pathlib.Path(folder) / "html" / page).read_text().replace("&#39;", "'")
            wrong += [f"{page} does not say: {sentence}" for sentence in sentences if sentence not in html]
    print("\n".join(wrong + [f"{len(wrong)} things wrong"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
