# SPDX-License-Identifier: Apache-2.0
"""What the tests of `doc2s certify` share: a small SVM, with NumPy as a second opinion."""

import numpy as np

from harness import Case, strict_json

SAMPLES, FEATURES, CLIENTS = 240, 8, 4
LAMBDA, ALPHA = 0.01, 0.5
CONFIG = f"""\
seed = 3
[problem]
data = "samples.svm"
lambda = {LAMBDA}
alpha = {ALPHA}
[clients]
count = {CLIENTS}
[method]
K = 30
T = 20
R = 4
eta = 0.05
D = 0.02
[run]
record_every = 100
"""
MLP = """\
[problem]
name = "mlp"
size = 160
dimension = 12
classes = 3
hidden = "6"
[clients]
count = 4
[method]
K = 4
T = 20
"""


def samples():
    rng = np.random.default_rng(1)
    A = np.round(rng.standard_normal((SAMPLES, FEATURES)), 3)
    b = np.where(A @ rng.standard_normal(FEATURES) + 0.3 * rng.standard_normal(SAMPLES) > 0, 1, -1)
    return A, b


def loss_and_gradient(x):
    """f over all samples: the clients hold equally many."""
    A, b = samples()
    margins = 1 - b * (A @ x)
    on = margins > 0
    loss = margins[on].sum() / SAMPLES + LAMBDA * np.minimum(np.abs(x), ALPHA).sum()
    return loss, -(A[on].T @ b[on]) / SAMPLES + LAMBDA * np.sign(x) * (np.abs(x) < ALPHA)


class CertifyCase(Case):
    def setUp(self):
        super().setUp()
        A, b = samples()
        lines = (f"{label:+d} " + " ".join(f"{j + 1}:{a}" for j, a in enumerate(row)) for row, label in zip(A, b))
        self.write("samples.svm", "\n".join(lines) + "\n")
        self.write("svm.toml", CONFIG)
        self.write("mlp.toml", MLP)

    def certified(self, *words, **more):
        return strict_json(self.doc2s("certify", *words, "--json", "--quiet", **more).out)

    def point(self, name, numbers):
        np.save(self.home / name, numbers)
        return name
