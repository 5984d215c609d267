#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""DOC2S_KERNELS: each set of kernels has the same bits: python3 kernels_test.py PROGRAM [TEST…]."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Case, sets
from methods import few_forms

HAS_AVX2 = re.search(r"^flags\s*:.*\bavx2\b", pathlib.Path("/proc/cpuinfo").read_text(), re.M)
SETTING = """\
problem = { size = 160, dimension = 300, sparsity = 0.1 }
run = { budget = { iterations = 10 } }
"""
SETS = ["baseline", *(["avx2"] if HAS_AVX2 else [])]


class Kernels(Case):
    def small_by(self, kernels, *words):
        run = self.small(*words, env={"DOC2S_KERNELS": kernels})
        self.assertEqual(run.summary["kernels"], kernels)
        return run

    def test_all_sets_have_the_same_bits(self):
        for graph in ("ring", "torus"):
            for order in ("first", "zeroth"):
                for precision in ("float32", "float64"):
                    with self.subTest(graph=graph, order=order, precision=precision):
                        words = sets(network__graph=graph, problem__dimension=1000, problem__sparsity=0.05,
                                     method__order=order, precision=precision)
                        fastest = self.small(*words)
                        for kernels in SETS:
                            self.assertEqual(self.small_by(kernels, *words).bits(), fastest.bits())

    def test_every_method_has_the_same_bits(self):
        for form in few_forms(clients=16):
            with self.subTest(form=form.title):
                self.write("small.toml", SETTING + form.table(K=2, T=5, R=2, iterations=10, q=7))
                self.assertEqual(*(self.small_by(kernels).bits() for kernels in (SETS[0], SETS[-1])))

    def test_the_summary_names_the_fastest(self):
        self.assertRegex(self.small().summary["kernels"], rf"\A(native(-avx2|-avx512)?|{SETS[-1]})\Z")

    def test_mistakes(self):
        for wrong in ("avx3", "AVX2", "avx2 ", "baseline\n"):
            self.refused("run", "small.toml", says=["DOC2S_KERNELS", "choose one of", "baseline"], env={"DOC2S_KERNELS": wrong})
        if not HAS_AVX2:
            self.refused("run", "small.toml", says=["has no AVX2"], env={"DOC2S_KERNELS": "avx2"})
        self.small(env={"DOC2S_KERNELS": ""})


if __name__ == "__main__":
    harness.main()
