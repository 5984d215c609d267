#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What is compiled for AVX2 is reached through the choice alone: python3 kernels_apart_test.py BUILD.

The linker keeps one of several equal names. If an object for AVX2 defined a function that others define too, say one of the standard
library, a processor without AVX2 could be given that one. So each name that such an object shows must bear the mark of its set, and
nothing of it may run before main().
"""
import pathlib
import subprocess
import sys

objects = sorted(pathlib.Path(sys.argv[1]).glob("**/doc2s*_avx2.dir/**/*.o"))
assert objects, "no objects for AVX2"
wrong = []
for path in objects:
    for line in subprocess.run(["nm", "--defined-only", "-P", path], capture_output=True, text=True, check=True).stdout.splitlines():
        name, kind = line.split()[:2]
        shared = kind.isupper() or kind in "uvw"
        if (shared and "4Avx2" not in name) or name.startswith("_GLOBAL__sub_I"):
            wrong.append(f"{path.name}: {name}")
print("\n".join(wrong) or f"{len(objects)} objects")
sys.exit(bool(wrong))
