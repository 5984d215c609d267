# SPDX-License-Identifier: Apache-2.0
"""What the tests of checkpoints share: small runs that are stopped and resumed."""
import pathlib

from harness import Case, Run, sets

SETTING = """\
seed = 5
problem = {{ size = 120, dimension = 6, batch = 2 }}
clients = {{ count = 6, partition = "dirichlet" }}
run = {{ record_every = 7, threads = 1 }}
precision = "{precision}"
"""
METHODS = {
    "doc2s": 'name = "doc2s"\nR = 2\nK = 6\nT = 10',
    "doc2s zeroth": 'name = "doc2s"\norder = "zeroth"\nK = 2\nT = 30',
    "me-dol": 'name = "me-dol"\nK = 6\nT = 10',
    "dgfm": 'name = "dgfm"\niterations = 60',
    "dgfm-plus": 'name = "dgfm-plus"\niterations = 60\nq = 7',
}


class Checkpoints(Case):
    def config(self, method="doc2s", precision="float64"):
        return self.write("c.toml", f"{SETTING.format(precision=precision)}[method]\n{METHODS[method]}\n")

    def resume(self, directory, *words, code=0, **more):
        answer = self.doc2s("run", "--resume", directory, "--quiet", *words, code=code, **more)
        return Run(pathlib.Path(directory), answer)

    def stopped_at(self, iterations, *words, every=7, out=None):
        return self.run_config("c.toml", "--checkpoint-every", every, *sets(run__budget__iterations=iterations), *words,
                               out=out)

    def to_the_end(self, directory, *words, **more):
        return self.resume(directory, *sets(run__budget__iterations=10**9), *words, **more)

    def files(self, directory):
        return sorted((directory / "checkpoint").iterdir())
