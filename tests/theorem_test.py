#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The theorem itself, run whole: python3 theorem_test.py PROGRAM CONFIG.toml.

Every client's output must be (delta, epsilon)-Goldstein stationary, while the start is far from it. Two judge: `doc2s certify`, and
NumPy alone: the least norm of a convex combination of full gradients at points of the delta-ball is an upper bound of ‖∇f(w)‖_delta.
"""
import json
import pathlib
import subprocess
import sys
import tempfile
import tomllib

import numpy as np


class Svm:
    """Full (sub)gradients of the capped-l1 SVM as the run's clients hold it: f = (1/n) Σ f_i."""

    def __init__(self, rows, labels, weights, penalty, cap):
        self.signed, self.weights = rows * labels[:, None], weights
        self.penalty, self.cap = penalty, cap

    def gradient(self, x):
        active = self.signed @ x < 1
        return self.penalty * np.sign(x) * (abs(x) < self.cap) - self.weights[active] @ self.signed[active]


def read_libsvm(path):
    labels, rows = [], []
    for line in pathlib.Path(path).read_text().splitlines():
        label, *entries = line.split()
        labels.append(float(label))
        rows.append({int(k) - 1: float(v) for k, v in (entry.split(":") for entry in entries)})
    table = np.zeros((len(rows), 1 + max(max(row) for row in rows)))
    for k, row in enumerate(rows):
        table[k, list(row)] = list(row.values())
    return table, np.array(labels)


def least_norm_weights(gradients, steps=2000):
    """Frank and Wolfe with away steps for min ‖λᵀG‖ over the simplex."""
    weights = np.zeros(len(gradients))
    weights[np.argmin((gradients**2).sum(axis=1))] = 1
    for _ in range(steps):
        point = weights @ gradients
        slopes = gradients @ point
        held = np.flatnonzero(weights)
        toward, away = np.argmin(slopes), held[np.argmax(slopes[held])]
        if slopes[away] - slopes[toward] < 1e-9:
            break
        direction = np.zeros_like(weights)  # from the worst one held to the best
        direction[toward] += 1
        direction[away] -= 1
        move = direction @ gradients
        step = min(-(point @ move) / (move @ move), weights[away])
        weights += step * direction
        weights[weights < 1e-15] = 0
    return weights / weights.sum()


def certificate(problem, x, delta, random, points=300, rounds=20):
    """An upper bound of ‖∇f(x)‖_delta: points of the ball, random ones and some along the steepest descent so far."""
    directions = random.standard_normal((points, len(x)))
    lengths = 0.999999 * delta * random.random(points)**(1 / len(x))
    places = [x, *(x + directions * (lengths / np.linalg.norm(directions, axis=1))[:, None])]
    gradients = np.array([problem.gradient(place) for place in places])
    for _ in range(rounds):
        g = least_norm_weights(gradients) @ gradients
        if np.linalg.norm(g) < 1e-6:
            break
        probes = [x - share * delta * g / np.linalg.norm(g) for share in (0.3, 0.6, 0.999999)]
        gradients = np.vstack([gradients, [problem.gradient(probe) for probe in probes]])
    return np.linalg.norm(least_norm_weights(gradients) @ gradients)


def run(program, *words):
    subprocess.run([program, "run", *map(str, words), "--quiet"], check=True, stdout=subprocess.DEVNULL)


def certified(program, directory, delta, epsilon):
    words = [program, "certify", str(directory), "--delta", str(delta), "--epsilon", str(epsilon), "--which", "output", "--json", "--quiet"]
    return json.loads(subprocess.run(words, check=True, capture_output=True, text=True).stdout)


def problem_of(program, config, folder):
    """The samples in the run's order and the weight of each in f, from a trace of two iterations and the split."""
    trace = folder / "trace.jsonl"
    run(program, config, "--out", folder / "traced", "--trace", trace, "--set", "run.budget.iterations=2")
    header = json.loads(trace.read_text().splitlines()[0])["header"]
    rows, labels = read_libsvm(header["data"])
    counts = json.loads((folder / "traced/setting.json").read_text())["split"]["counts"]
    sizes = {sum(client) for client in counts}
    assert len(sizes) == 1 and len(rows) == sizes.pop() * len(counts), "all clients hold the same number of samples"
    return Svm(rows, labels, np.full(len(rows), 1 / len(rows)), header["lambda"], header["alpha"])


def main(program, config):
    with tempfile.TemporaryDirectory(prefix="doc2s-theorem-") as name:
        folder = pathlib.Path(name)
        problem = problem_of(program, config, folder)
        run(program, config, "--out", folder / "run")
        method = tomllib.loads((folder / "run/config.toml").read_text())["method"]
        summary = json.loads((folder / "run/summary.json").read_text())
        outputs = np.load(folder / "run/output.npy")
        delta, epsilon = method["delta"], method["epsilon"]
        certificates = certified(program, folder / "run", delta, epsilon)
    assert summary["status"] == "finished" and summary["iterations"] == method["K"] * method["T"], summary
    random = np.random.default_rng(1)
    start = certificate(problem, np.zeros(outputs.shape[1]), delta, random)
    bounds = [certificate(problem, w, delta, random) for w in outputs]
    print(f"{summary['order']} order, delta {delta}, epsilon {epsilon}: {summary['iterations']} iterations of R = {method['R']} "
          f"in {summary['seconds']:.1f} s\nbound at the start {start:.4f}, at the clients' outputs",
          " ".join(f"{bound:.4f}" for bound in bounds))
    assert start >= 2 * epsilon, "the start is not far from stationary"
    assert max(bounds) <= epsilon, "a client's output is not certified by NumPy"
    assert [one["client"] for one in certificates] == list(range(len(outputs))), certificates
    assert all(one["certified"] and one["bound"] <= epsilon for one in certificates), certificates


if __name__ == "__main__":
    main(*sys.argv[1:])
