#!/usr/bin/env python3
"""Runs the program on small problems and replays each trace in NumPy (replay.py).

replay_test.py PROGRAM     prints a table of the largest relative errors, exits 1 where a replay differs, or where a
                           tampered trace does not
"""
import copy
import gzip
import json
import lzma
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.dont_write_bytecode = True  # the source tree stays clean
from replay import CannotReplay, replay_trace
from replay_methods import METHODS, DgfmPlus

BASE = {
    "seed": 1, "precision": "float64", "problem.name": "svm", "problem.data": "dense", "problem.batch": 1,
    "clients.count": 16, "clients.partition": "contiguous",
    "network.graph": "ring", "network.neighbours": 3,
    "method.name": "doc2s", "method.order": "first", "method.K": 5, "method.T": 30, "method.R": 2,
    "method.gossip": "chebyshev", "method.eta": 0.01, "method.D": 0.01, "method.delta_prime": 0.001,
    "run.record_every": 40,
}
FOREIGN = {"me-dol": {"R", "gossip"}}  # keys of BASE and of cases that a method does not know
FOREIGN["dgfm"] = FOREIGN["dgfm-plus"] = FOREIGN["me-dol"] | {"K", "T", "D"}
RING = {}
WIDE_RING = {"network.neighbours": 7}
STAR = {"network.graph": "star", "network.weights": "metropolis", "network.lazy": True}
TORUS = {"network.graph": "torus", "clients.count": 12}
RANDOM = {"network.graph": "erdos-renyi", "network.weights": "metropolis", "clients.count": 11}
LAZY_PATH = {"network.graph": "path", "network.weights": "max-degree", "network.lazy": True, "clients.count": 7}
COMPLETE = {"network.graph": "complete", "clients.count": 6}
ALONE = {"network.graph": "complete", "clients.count": 1}
# Steps long enough to pass the cap of a penalty heavy enough to be seen.
CAPPED = {"problem.lambda": 0.01, "problem.alpha": 0.1, "method.eta": 0.05, "method.D": 0.05,
          "method.delta_prime": 0.01}
BATCH5, ZEROTH, PLAIN = {"problem.batch": 5}, {"method.order": "zeroth"}, {"method.gossip": "plain"}
FLOAT32, SHARP, TINY_MU = {"precision": "float32"}, {"method.delta_prime": 0}, {"method.delta_prime": 1e-4}
# All clients compute, so fewer iterations do, and averaged steps are shorter.
LOW_CAP = CAPPED | {"problem.alpha": 0.02}
SHORT = {"method.K": 4, "method.T": 12, "run.record_every": 7}
ME_DOL = {"method.name": "me-dol"} | SHORT
ME_DOL_CODE = ME_DOL | {"method.form": "code"}
DGFM = {"method.name": "dgfm", "method.iterations": 40} | SHORT | ZEROTH
DGFM_PLUS = DGFM | {"method.name": "dgfm-plus", "method.q": 3, "method.b": 2, "method.b_prime": 4, "method.rounds": 3}
BASELINES = (ME_DOL, ME_DOL | ZEROTH, ME_DOL_CODE, ME_DOL_CODE | ZEROTH, DGFM, DGFM_PLUS)


def rounds(R):
    return {"method.R": R}


def data(name):
    return {"problem.data": name}


def common_cases():
    """Cases of both orders and both precisions."""
    yield "ring", RING
    yield "ring plain capped", RING | PLAIN | CAPPED
    yield "wide ring R=1", WIDE_RING | rounds(1) | data("sparse.gz")
    yield "ring R=8 batch 5", RING | rounds(8) | BATCH5 | data("sparse.gz") | CAPPED
    yield "star R=3", STAR | rounds(3) | BATCH5 | data("zero-one")
    yield "star plain R=1", STAR | PLAIN | rounds(1) | CAPPED
    yield "torus batch 5 capped", TORUS | BATCH5 | CAPPED | data("sparse.gz")
    yield "erdos-renyi R=8", RANDOM | rounds(8) | data("one-two.xz") | CAPPED
    yield "path lazy R=3", LAZY_PATH | rounds(3) | data("zero-one")
    yield "path lazy plain", LAZY_PATH | PLAIN | BATCH5 | CAPPED
    yield "complete R=1 batch 5", COMPLETE | rounds(1) | BATCH5 | CAPPED
    yield "one client", ALONE | CAPPED
    yield "stopped in an epoch", RING | {"run.budget.iterations": 100} | BATCH5
    yield "stopped in the first epoch", RING | {"run.budget.samples": 20}
    yield "dealt at random", RING | {"clients.partition": "iid"} | data("sparse.gz")


def baseline_cases():
    """Cases of all baselines and both precisions."""
    yield "ring", RING
    yield "wide ring capped", WIDE_RING | LOW_CAP | data("sparse.gz")
    yield "star", STAR | data("zero-one")
    yield "torus batch 5 capped", TORUS | BATCH5 | LOW_CAP | data("sparse.gz")
    yield "erdos-renyi capped", RANDOM | LOW_CAP | data("one-two.xz")
    yield "path lazy", LAZY_PATH | data("zero-one")
    yield "complete batch 5", COMPLETE | BATCH5 | LOW_CAP
    yield "one client", ALONE | LOW_CAP
    yield "stopped in an epoch", RING | {"run.budget.iterations": 29} | BATCH5
    yield "stopped by samples", RING | {"run.budget.samples": 20}
    yield "stopped by rounds", RANDOM | {"run.budget.communication_rounds": 27} | data("zero-one")
    yield "dealt at random", RING | {"clients.partition": "iid"} | data("sparse.gz")


def plus_cases():
    """What DGFM+ has of its own; without pairs to average, a client's z is one vector."""
    yield "one pair", DGFM_PLUS | TORUS | LOW_CAP | {"method.b": 1, "method.b_prime": 1, "method.rounds": 1}
    yield "b' 1, b 3, batch 5", DGFM_PLUS | COMPLETE | LOW_CAP | BATCH5 | {"method.b": 3, "method.b_prime": 1}
    yield "always large", DGFM_PLUS | LAZY_PATH | LOW_CAP | {"method.q": 1, "method.rounds": 5}
    yield "large once", DGFM_PLUS | WIDE_RING | {"method.q": 100} | data("sparse.gz")


def cases():
    for order in ({}, ZEROTH):
        for precision in ({}, FLOAT32):
            for name, changes in common_cases():
                yield name, changes | order | precision
    for precision in ({}, FLOAT32):
        for name, changes in baseline_cases():
            for baseline in BASELINES:
                yield name, baseline | changes | precision
        for name, changes in plus_cases():
            yield name, changes | precision
        for baseline in (ME_DOL, ME_DOL_CODE):
            yield "delta_prime 0", baseline | CAPPED | SHARP | precision
        yield "delta_prime 0", RING | CAPPED | SHARP | precision
        yield "delta_prime 0 one client", ALONE | CAPPED | SHARP | precision
        yield "delta_prime 1e-4, follow", TORUS | ZEROTH | BATCH5 | CAPPED | data("sparse.gz") | TINY_MU | precision
        yield "delta_prime 0.1", RING | ZEROTH | CAPPED | {"method.delta_prime": 0.1} | precision
        if os.environ.get("DOC2S_DATA"):
            yield "a9a", data("a9a") | precision
            yield "a9a", data("a9a") | ME_DOL | {"method.T": 5} | precision
            yield "a9a batch 5", data("a9a") | ZEROTH | BATCH5 | rounds(3) | precision


def libsvm(m, d, density, labels, seed):
    """Text of m random samples; a plane that separates most of them makes both sides of the hinge occur."""
    random = np.random.default_rng(seed)
    plane, lines = random.normal(size=d), []
    for _ in range(m):
        index = np.flatnonzero(random.random(d) < density)
        a = random.normal(size=len(index))
        label = labels[int(plane[index] @ a + random.normal() > 0)]
        lines.append(" ".join([label] + [f"{j + 1}:{value!r}" for j, value in zip(index, a.tolist())]))
    lines[-1] = f"{labels[1]} {d}:1"  # the last feature occurs
    return "\n".join(lines) + "\n"


def write_data(folder):
    (folder / "dense").write_text(libsvm(80, 7, 1.0, ("-1", "+1"), 1))
    (folder / "zero-one").write_text(libsvm(203, 12, 0.5, ("0", "1"), 2))
    (folder / "sparse.gz").write_bytes(gzip.compress(libsvm(333, 40, 0.1, ("-1", "1"), 3).encode()))
    (folder / "one-two.xz").write_bytes(lzma.compress(libsvm(101, 25, 0.3, ("1", "2"), 4).encode()))


def run(program, folder, changes):
    """Runs the program; gives the paths of the trace and of the run's directory."""
    config = BASE | changes
    if config["problem.data"] != "a9a":
        config["problem.data"] = str(folder / config["problem.data"])
    if config["network.graph"] != "ring":
        del config["network.neighbours"]
    foreign = {f"method.{key}" for key in FOREIGN.get(config["method.name"], ())}
    lines = [f"{key} = {json.dumps(value)}" for key, value in config.items() if key not in foreign]
    (folder / "config.toml").write_text("\n".join(lines) + "\n")
    trace, directory = folder / "trace.jsonl", folder / "run"
    words = [program, "run", folder / "config.toml", "--out", directory, "--trace", trace, "--force", "--quiet"]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        raise CannotReplay(f"the program ended with {done.returncode}: {done.stderr.strip()}")
    return trace, directory


def method_title(changes):
    return " ".join([changes.get("method.name", "doc2s")] + ["code"] * ("method.form" in changes))


def check_case(program, folder, name, changes):
    """Replays one run; prints its row of the table and gives whether it passed."""
    title = f"{method_title(changes):11s} {name:27s} {changes.get('method.order', 'first'):6s} "
    title += changes.get("precision", "float64")
    try:
        trace, directory = run(program, folder, changes)
        replay = replay_trace(trace, run=directory, follow="follow" in name)
    except CannotReplay as error:
        print(f"{title}  FAILED: {error}")
        return False
    check_test_itself(replay, changes)
    verdict = replay.verdict
    errors = [verdict.largest.get(key, (0.0,))[0] for key in ("g", "y_mean", "output.npy", "last.npy", "loss_worst")]
    print(f"{title}  " + "  ".join(f"{error:8.1e}" for error in errors) + f"  {verdict.kinks or ''}")
    if not verdict.passed():
        print(f"FAILED: {name} {json.dumps(changes)}\n{verdict.table()}")
    return verdict.passed()


def check_test_itself(replay, changes):
    """A case must reach what it is there for; the default penalty and the draw of epochs are checked in passing."""
    h, require = replay.h, replay.verdict.require
    require(2 * replay.nonzero_estimates >= replay.estimates, "most of the estimates are zero")
    if "problem.lambda" in changes:
        require(np.abs(replay.iterates[-1]).max() > h["alpha"], "no coordinate passes the cap")
    else:
        require(abs(h["lambda"] * len(replay.svm.b) / 1e-5 - 1) < 1e-12, f"lambda is {h['lambda']}, not 1e-5/m")
    if replay.n == 16 and not replay.one_draw and len(replay.epoch_means) > 2:  # by chance once in 3^15
        require(len(set(replay.chosen)) > 1, "all clients drew the same output epoch")


def check_output_draw(program, folder, changes, seeds):
    """Over many seeds each of three candidates is given out about equally often, and what is unfinished never."""
    counts = np.zeros(3)
    for seed in range(seeds):
        trace, directory = run(program, folder, changes | {"seed": seed})
        replay = replay_trace(trace, run=directory)
        if not replay.verdict.passed():
            print(f"FAILED: seed {seed}\n{replay.verdict.table()}")
            return False
        counts += np.bincount(replay.chosen[:1] if replay.one_draw else replay.chosen, minlength=3)
    draws = counts.sum()
    even = (np.abs(counts - draws / 3) < 4 * np.sqrt(draws * 2 / 9)).all()  # 4 standard deviations
    title = f"{method_title(changes)}: outputs 1, 2, 3 of {draws:.0f} draws: {counts.astype(int).tolist()}"
    print(f"{'' if even else 'FAILED: '}{title}")
    return even


def check_output_draws(program, folder):
    stopped = {"method.K": 9, "method.T": 5, "run.budget.iterations": 17}
    yield check_output_draw(program, folder, stopped, 20)
    short = {"clients.count": 3, "method.T": 2, "method.K": 9, "run.budget.iterations": 7}
    for baseline in (ME_DOL, ME_DOL_CODE):
        yield check_output_draw(program, folder, baseline | short, 60)
    for baseline in (DGFM, DGFM_PLUS):
        yield check_output_draw(program, folder, baseline | short | {"run.budget.iterations": 3}, 60)


def tampered(lines, change):
    """A copy of the trace's lines with one thing changed."""
    lines = copy.deepcopy(lines)
    change(lines)
    return lines


def flip_z(lines):
    z = lines[1]["z"]
    while isinstance(z[0], list):  # of the last client, of its last pair
        z = z[-1]
    z[3] *= -1  # the length stays


def other_row(lines):
    rows = lines[1]["batch"]
    rows = rows[-1] if isinstance(rows[0], list) else rows
    rows[-1] = rows[-1] // 5 * 5 + (rows[-1] + 1) % 5  # of the same client: 80 rows, 16 clients


def nudge(key, tick, factor):
    def change(lines):
        value = np.array(lines[tick + 1][key])
        value[tuple([-1] * (value.ndim - 1))] *= factor
        lines[tick + 1][key] = value.tolist()
    return change


def nudge_last_s(lines):
    for line in lines[-10:]:
        line["s"] = [0.99 * s for s in line["s"]]


def set_header(key, value):
    return lambda lines: lines[0]["header"].update({key: value})


TAMPERINGS = {
    "a sign in z": flip_z,
    "a row of a batch": other_row,
    "g by 1e-9": nudge("g", 1, 1 + 1e-9),
    "y_mean by 1e-9": nudge("y_mean", 30, 1 + 1e-9),
    "a missing iteration": lambda lines: lines.pop(20),
    "z of another iteration": lambda lines: lines[5].update(z=lines[2]["z"]),
    "eta": set_header("eta", 0.0501),
    "alpha": set_header("alpha", 0.11),
}
OWN_TAMPERINGS = {
    "doc2s": {"R": set_header("R", 3), "gossip": set_header("gossip", "plain"), "D": set_header("D", 0.04)},
    "me-dol": {"form": set_header("form", "code"), "D": set_header("D", 0.04), "T": set_header("T", 6)},
    "me-dol code": {"form": set_header("form", "paper"), "D": set_header("D", 0.04), "T": set_header("T", 6)},
    "dgfm": {"s": lambda lines: lines[9].update(s=[0.5] * 16)},
    "dgfm-plus": {"rounds": set_header("rounds", 2), "q": set_header("q", 6), "b_prime": set_header("b_prime", 2)},
}


class OtherDirection(DgfmPlus):
    """Takes another z at the old point; not -z, which gives the same estimate."""

    def pair_at_old_point(self, rows, z):
        return rows, np.roll(z, 1)


class OtherBatch(DgfmPlus):
    """Takes another sample of the same client at the old point."""

    def pair_at_old_point(self, rows, z):
        return rows // 5 * 5 + (rows + 1) % 5, z


def other_candidate(replay, output):
    """The output with client 0's row from another draw, or where each client draws for itself, of other clients."""
    if not replay.one_draw:
        return output[::-1]
    output[0] = replay.candidates()[replay.chosen[0] - 1][0]
    return output


def check_tampering(program, folder, changes):
    """Every tampering of a good trace must be found."""
    title = f"{method_title(changes)}, {changes.get('method.order', 'first')}"
    # A wide difference: with 0.01 the feedback of DGFM+ lets roundings grow to near the tolerance.
    trace, directory = run(program, folder, CAPPED | changes | {"method.delta_prime": 0.03})
    lines = [json.loads(line) for line in trace.read_text().splitlines()]

    def taken_for_good(change, run=None, methods=METHODS):
        text = "\n".join(json.dumps(line) for line in tampered(lines, change))
        (folder / "tampered.jsonl").write_text(text + "\n")
        try:
            return replay_trace(folder / "tampered.jsonl", run=run, methods=methods).verdict.passed()
        except CannotReplay:
            return False

    def untouched(lines):
        pass

    tamperings = TAMPERINGS | OWN_TAMPERINGS[method_title(changes)]
    unnoticed = [name for name, change in tamperings.items() if taken_for_good(change)]
    if lines[0]["header"]["method"] == "dgfm-plus":
        unnoticed += [f"replayed with {other.__name__}" for other in (OtherDirection, OtherBatch)
                      if taken_for_good(untouched, methods={"dgfm-plus": other})]
    if not taken_for_good(untouched, directory):
        unnoticed.append("nothing changed, yet refused")
    if lines[1]["s"] and taken_for_good(nudge_last_s, directory):  # of the last epoch: may touch no g, but last.npy
        unnoticed.append("s")
    replay = replay_trace(trace, run=directory)
    np.save(directory / "output.npy", other_candidate(replay, np.load(directory / "output.npy")))
    if taken_for_good(untouched, directory):
        unnoticed.append("outputs of other clients or draws")
    for name in unnoticed:
        print(f"FAILED: a tampered trace of {title} order ({name}) was taken for good")
    return not unnoticed


def main():
    program = Path(sys.argv[1]).resolve()
    print(f"{'method':11s} {'case':27s} {'order':6s} precision " + "  ".join(f"{key:>8s}" for key in
          ("g", "y_mean", "output", "last", "loss")) + "  estimates at a kink")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_data(folder)
        passed = [check_case(program, folder, *case) for case in cases()]
        if all(passed):
            passed += check_output_draws(program, folder)
            passed += [check_tampering(program, folder, method) for method in ({}, ZEROTH, *BASELINES)]
    print(f"{sum(passed)} of {len(passed)} passed")
    return 0 if all(passed) else 1


if __name__ == "__main__":
    sys.exit(main())
