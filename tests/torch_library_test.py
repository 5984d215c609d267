#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A libdoc2s_torch.so that does not belong to the program: python3 torch_library_test.py PROGRAM OTHER NO_IDENTITY [TEST…]."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness
from harness import Case, GIVEN

CONFIG = """\
[problem]
name = "resnet18"
data = "synthetic"
"""


class OtherLibrary(Case):
    def refused_with(self, library, *says):
        self.write("net.toml", CONFIG)
        self.refused("run", "net.toml", code=1, says=[str(library), *says], env={"DOC2S_TORCH_LIBRARY": str(library)})

    def test_of_other_sources(self):
        self.refused_with(GIVEN["OTHER"], "built from other sources", "build both again")

    def test_without_identity(self):
        self.refused_with(GIVEN["NO_IDENTITY"], "built from other sources", "build both again")

    def test_that_is_none(self):
        self.refused_with(self.write("none.so", "no library"), "cannot be opened")


if __name__ == "__main__":
    harness.main("OTHER", "NO_IDENTITY")
