# SPDX-License-Identifier: Apache-2.0
"""DOC²S and ME-DOL as plain NumPy loops with dense n x d algebra, as in the listings.

`doc2s bench` times them against this library; the tests replay traces with the same code (tests/replay).
"""
import numpy as np

TINY = 1e-300


def phi_of(P, gossip):
    """(1 - sqrt(1 - l2^2)) / (1 + sqrt(1 - l2^2)) for the second largest eigenvalue l2; plain gossip is phi = 0."""
    if gossip == "plain" or len(P) == 1:
        return 0.0
    root = np.sqrt(1 - np.linalg.eigvalsh(P)[-2] ** 2)
    return (1 - root) / (1 + root)


def fast_gossip(z, P, R, phi):
    """z^(r+1) = (1 + phi) P z^(r) - phi z^(r-1), z^(-1) = z^(0); phi may differ from round to round."""
    before = now = z
    for phi in np.broadcast_to(phi, R):
        before, now = now, (1 + phi) * (P @ now) - phi * before
    return now


def clip(v, D):
    """Projection of v onto the ball of radius D."""
    return min(1.0, D / max(np.linalg.norm(v), TINY)) * v


def clip_rows(Delta, D):
    return np.array([clip(v, D) for v in Delta])


def doc2s_iteration(y, Delta, i, s, estimate, P, R, phi, eta, D):
    """Returns w and the next y and Delta; `estimate` returns g at w_i, s is n x 1."""
    n = len(y)
    x = y.copy()
    x[i] += n * Delta[i]
    w = y + s * Delta
    y = fast_gossip(x, P, R, phi)
    g = estimate(w[i])
    step = np.zeros_like(Delta)
    step[i] = n * clip(Delta[i] - eta * g, D)
    return w, y, fast_gossip(step, P, R, phi)


def me_dol_iteration(y, Delta, g, s, estimates, P, eta, D):
    """Returns w and the next y, Delta and g, in the paper's form; `estimates` returns the n rows of g at w, s is n x 1."""
    step = clip_rows(Delta - eta * g, D)
    w = y + s * step
    return w, P @ (y + step), P @ step, estimates(w)
