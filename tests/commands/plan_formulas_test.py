#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`doc2s plan` against the formulas of both constants in NumPy, on random inputs: python3 plan_formulas_test.py PROGRAM [TEST…]."""
import pathlib
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Case, matrix_text, sets, strict_json

INPUTS = 100
REAL = ("D", "eta", "epsilon_prime", "delta_prime")  # to 1e-9
WHOLE = ("K", "T", "R", "samples", "computation_rounds", "communication_rounds")


def mixing_matrix(random):
    """Doubly stochastic and symmetric. Half of them nearly swap two groups, so that the largest |eigenvalue| is a negative one's."""
    half = int(random.integers(1, 7))
    n, swap = 2 * half, random.random() < 0.5
    across = np.ones((half, half)) / half
    groups = np.block([[0 * across, across], [across, 0 * across]] if swap else [[across, 0 * across], [0 * across, across]])
    return (1 - (share := random.uniform(0.05, 0.6))) * groups + share * (np.eye(n) + np.ones((n, n)) / n) / 2


def random_inputs(random):
    def between(low, high):
        return float(np.exp(random.uniform(np.log(low), np.log(high))))
    return {"delta": between(0.01, 2), "epsilon": between(0.02, 0.5), "lipschitz": between(0.3, 20), "gradient_bound": between(0.3, 20),
            "gap": between(0.01, 50), "dimension": int(between(1, 1000)), "c0": between(0.2, 2)}


def planned(p, P, zeroth=False, smooth=None):
    """The theorem of an order, or the lemma of the smooth case for smooth = (H, sigma)."""
    delta, epsilon, L, G, nu, d, c0 = p.values()
    n, gamma = len(P), 1 - np.sort(np.linalg.eigvalsh(P))[-2]
    if smooth:
        H, sigma = smooth
        h1 = sigma / np.sqrt(n) + G + 3 * H / 2
        K, T, delta_prime = np.ceil(12 * nu / (delta * epsilon)), np.ceil(9 * h1**2 / epsilon**2), 0
        D, bending = delta / (4 * T), 9 * H
    else:
        G = np.sqrt(16 * np.sqrt(2 * np.pi)) * L if zeroth else G  # h3 of the zeroth order: without sqrt(d)
        h = G / np.sqrt(n) + G + 3 * c0 * L
        K, delta_prime = np.ceil(24 * (nu + L * delta) / (delta * epsilon)), delta / 2
        T, G = (np.ceil(9 * h**2 * d / epsilon**2), G * np.sqrt(d)) if zeroth else (np.ceil(9 * h**2 / epsilon**2) + d, G)
        D, bending = delta / (8 * T), 27 * c0 * L * np.sqrt(d) / (2 * delta)
    epsilon_prime = min((T - 6) / (3 * T + 6) * D, epsilon / 3 / (bending + (G + L) / D + 5 * G * np.sqrt(T) / (2 * D)))
    R = np.ceil(np.log(np.sqrt(14 * n * (n - 1)) * D / epsilon_prime) / ((1 - 1 / np.sqrt(2)) * np.sqrt(gamma)))
    return {"K": K, "T": T, "D": D, "eta": D / (G * np.sqrt(T)), "epsilon_prime": epsilon_prime, "delta_prime": delta_prime, "R": R,
            "samples": K * T, "computation_rounds": K * T, "communication_rounds": 2 * R * K * T}


def estimate_size(p, zeroth):
    """√ of an estimate's second moment."""
    L, d = p["lipschitz"], p["dimension"]
    return p["gradient_bound"] if not zeroth else L if d == 1 else L * d / np.sqrt(d - 1)


def guarantee(p, zeroth, a, kept, K, T):
    """(nu'/(DTK) + 2G/sqrt(T)) / kept and D."""
    fall, D = p["gap"] + a * p["lipschitz"] * p["delta"], kept * 2 * (1 - a) * p["delta"] / (T + 1)
    return (fall / (D * T * K) + 2 * estimate_size(p, zeroth) / np.sqrt(T)) / kept, D


def least_rounds(P, needed):
    """The smallest R whose FastGossip contracts so far; None where none does."""
    values = np.sort(np.linalg.eigvalsh(P))[:-1]
    root = np.sqrt(1 - values[-1]**2)
    phi = (1 - root) / (1 + root)
    before, now = np.ones_like(values), np.ones_like(values)
    for R in range(1, 100000):
        before, now = now, (1 + phi) * values * now - phi * before
        if (rho := np.abs(now).max()) <= needed:
            return R
        if rho > 1e100:
            return None
    return None


def planned_tight(p, P, zeroth, travels, budget=None, smooth=None):
    """docs/theory.md, "The tight constants"."""
    n, L, G, kept, a = len(P), p["lipschitz"], estimate_size(p, zeroth), 1 if travels else 0.98, 0 if smooth else 0.1
    if budget:
        K = np.arange(1, budget + 1)
        T = budget // K
        bounds, _ = guarantee(p, zeroth, a, kept, K, T)
        best = np.argmin(bounds)
        K, T, epsilon = K[best], T[best], bounds[best]
        D = guarantee(p, zeroth, a, kept, K, T)[1]
    else:
        epsilon = p["epsilon"]
        own = kept * epsilon
        T = np.ceil(9 * G**2 / own**2)
        D = kept * 2 * (1 - a) * p["delta"] / (T + 1)
        K = np.ceil(3 * (p["gap"] + a * L * p["delta"]) / (own * D * T))
    due = {"K": K, "T": T, "D": D, "eta": D / (G * np.sqrt(T)), "delta_prime": a * p["delta"], "epsilon": epsilon, "samples": K * T,
           "computation_rounds": K * T}
    if travels:  # all are neighbours
        return due | {"R": 0, "communication_rounds": np.floor(K * T * (n - 1) / n)}
    H = smooth[0] if smooth else p["c0"] * L * np.sqrt(p["dimension"]) / (0.1 * p["delta"])
    share = min(0.01, np.sqrt(n / T), 0.02 * epsilon * np.sqrt(n) / (2.5 * G + L + 3.1 * H * D))
    R = least_rounds(P, share / np.sqrt(n * (n - 1)))
    return due | {"epsilon_prime": share * D, "R": R, "communication_rounds": R and 2 * R * K * T}


def given(inputs, zeroth):
    """Zeroth order has no gradient bound."""
    return {name: value for name, value in inputs.items() if name != "gradient_bound" or not zeroth}


def smooth_words(smooth):
    return ["--smooth", smooth[0], "--sigma", smooth[1]] if smooth else []


def me_dol(p, P):
    """"Revisiting the Results of ME-DOL", the appendix, as it is printed."""
    delta, epsilon, L, G, gap, d, c = p.values()
    n, rho = len(P), np.sort(np.abs(np.linalg.eigvalsh(P)))[-2]
    c1 = 4 * np.sqrt((G**2 * (1 - rho) + 4 * G * (L + G) * np.sqrt(n)) / (2 * (1 - rho)))
    c3 = 3 * np.sqrt(n) / (1 - rho) + 5
    inner = (1 - rho) * (2 * G + 2 * c1 * np.sqrt(n) + c * L * np.sqrt(d) * (1 - rho) * c3) / (16 * gap * n)
    c8 = 12 * gap * np.sqrt(n) / (1 - rho) * inner**(2 / 3)
    N = c8**3 / (delta * epsilon**3)
    edges = np.count_nonzero(P) - n  # both ways
    return {"rho": rho, "samples": n * N, "computation_rounds": N, "communication_rounds": 2 * N, "bytes": 2 * N * edges * d * 8}


class Formulas(Case):
    def compare(self, seed, zeroth=False, smooth=False):
        random = np.random.default_rng(seed)
        inputs, P = random_inputs(random), mixing_matrix(random)
        extra = (random.uniform(0.1, 20), random.uniform(0, 10)) if smooth else None
        words = [*self.words(given(inputs, zeroth), P, seed), "--order", "zeroth" if zeroth else "first", *smooth_words(extra)]
        plan = strict_json(self.doc2s("plan", *words).out)
        where, due = f"seed {seed}: {inputs} {extra}", planned(inputs, P, zeroth, extra)
        for key in WHOLE:
            self.assertEqual(plan[key], due[key], f"{where}: {key}")
        self.close({key: plan[key] for key in REAL}, {key: due[key] for key in REAL}, where)
        self.close({key: plan["by_constants"]["paper"][key] for key in ("K", "T", "D", "eta")},
                   {key: due[key] for key in ("K", "T", "D", "eta")}, where)
        if zeroth:
            self.assertIsNone(plan["me_dol"])
        else:
            self.close(plan["me_dol"], me_dol(inputs, P), where)

    def words(self, inputs, P, seed):
        self.write(f"P-{seed}.txt", matrix_text(P))
        named = [word for name, value in inputs.items() for word in ("--" + name.replace("_", "-"), value)]
        return [*named, "--clients", len(P), "--weights", "file", "--matrix", f"P-{seed}.txt", "--json", *sets(run__threads=1)]

    def compare_tight(self, seed):
        random = np.random.default_rng(seed)
        inputs, P = random_inputs(random), mixing_matrix(random)
        zeroth, travels, budget = random.random() < 0.5, random.random() < 0.5, int(random.integers(1, 30000)) * (random.random() < 0.5)
        asked = given(inputs, zeroth)
        if budget:
            asked.pop("epsilon")
        smooth = None if zeroth or random.random() < 0.5 else (random.uniform(0.1, 20), random.uniform(0, 10))
        aim = ["--samples", budget] if budget else ["--constants", "tight"]
        method = ["--order", "zeroth" if zeroth else "first", "--method", "doc2s-travel" if travels else "doc2s",
                  *smooth_words(smooth)]
        plan = strict_json(self.doc2s("plan", *self.words(asked, P, seed), *aim, *method).out)
        due = planned_tight(inputs, P, zeroth, travels, budget, smooth)
        where = f"seed {seed}: {inputs} {aim} {method}"
        self.assertEqual(plan["constants"], "tight", where)
        self.assertEqual(plan["R"], due.pop("R"), where)
        self.assertEqual(plan["by_constants"]["tight"]["R"], plan["R"], where)
        if due["communication_rounds"] is None:
            due.pop("communication_rounds")
        self.close({key: plan[key] for key in due}, due, where)
        for key in ("K", "T", "D", "eta", "samples", "computation_rounds", "communication_rounds", "bytes"):
            self.assertEqual(plan["by_constants"]["tight"][key], plan[key], f"{where}: {key}")

    def close(self, found, due, where):
        self.assertEqual(set(found), set(due), where)
        for key, number in due.items():
            self.assertLessEqual(abs(found[key] - number), 1e-9 * abs(number), f"{where}: {key} is {found[key]}, not {number}")

    def all(self, compare):
        """Several at a time: `plan` tries for a while how long a run would take."""
        with ThreadPoolExecutor(8) as pool:
            for outcome in [pool.submit(compare, seed) for seed in range(INPUTS)]:
                outcome.result()

    def test_smooth_case(self):
        self.all(lambda seed: self.compare(seed, smooth=True))

    def test_first_order(self):
        self.all(self.compare)

    def test_zeroth_order(self):
        self.all(lambda seed: self.compare(seed, zeroth=True))

    def test_tight_constants(self):
        self.all(self.compare_tight)


if __name__ == "__main__":
    harness.main()
