#!/usr/bin/env python3
"""`doc2s certify` from outside, with NumPy as a second opinion: python3 certify_test.py PROGRAM [TEST…]."""
import gzip
import hashlib
import json
import os
import pathlib
import random
import resource
import struct
import sys
import unittest
from dataclasses import dataclass

import numpy as np

import cli_test
from cli_test import Case, sets, strict_json

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
HASH = 65  # bytes at the end of a certificate


@dataclass
class Certificate:
    client: int
    bound: float
    value: float
    centre: np.ndarray
    weights: np.ndarray
    points: np.ndarray


def read_certificates(data):
    """The format of docs/certificates.md, read by its words."""
    content, given = data[:-HASH], data[-HASH:]
    assert hashlib.sha256(content).hexdigest().encode() + b"\n" == given
    magic, head, rest = content.split(b"\n", 2)
    assert magic == b"doc2s certificate 1"
    head = strict_json(head)
    d, certificates = head["dimension"], []
    for _ in range(head["certificates"]):
        client, points = struct.unpack_from("<qq", rest)
        bound, value = struct.unpack_from("<dd", rest, 16)
        numbers = np.frombuffer(rest, "<f8", d + points + points * d, 32)
        rest = rest[32 + numbers.nbytes:]
        certificates.append(Certificate(client, bound, value, numbers[:d], numbers[d:d + points],
                                        numbers[d + points:].reshape(points, d)))
    assert rest == b""
    return head, certificates


def rehashed(content):
    return content + hashlib.sha256(content).hexdigest().encode() + b"\n"


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


class OfARun(CertifyCase):
    def setUp(self):
        super().setUp()
        self.run_directory = self.run_config("svm.toml").directory

    def test_every_client_has_a_line(self):
        found = self.certified(self.run_directory, "--delta", 0.1)
        self.assertEqual([one["client"] for one in found], list(range(CLIENTS)))
        for one in found:
            self.assertEqual(set(one), {"client", "bound", "delta", "epsilon", "certified", "bundle", "gradients", "kind"})
            self.assertEqual((one["delta"], one["certified"], one["kind"]), (0.1, None, "exact"))
            self.assertGreaterEqual(one["bundle"], 1)
            self.assertLessEqual(one["gradients"], 60)
        table = self.doc2s("certify", self.run_directory, "--delta", 0.1).out
        self.assertIn("upper bounds", table)
        for one in found:
            self.assertRegex(table, rf"(?m)^{one['client']} +{one['bound']:.4g} ")

    def test_the_output_is_nearer_to_stationary_than_a_random_start(self):
        start = self.point("start.npy", np.random.default_rng(2).standard_normal(FEATURES))
        away = self.certified(start, "--config", "svm.toml")[0]["bound"]
        last = self.certified(self.run_directory, "--which", "last")
        self.assertEqual([one["client"] for one in last], [None])
        self.assertGreater(away, 0.2)
        self.assertLess(last[0]["bound"], away / 4)
        long_run = self.run_config("svm.toml", *sets(method__K=400)).directory  # the output is of a random epoch
        bounds = [one["bound"] for one in self.certified(long_run)]
        self.assertLess(max(bounds), away / 4)

    def test_epsilon_decides(self):
        bounds = [one["bound"] for one in self.certified(self.run_directory)]
        between = (min(bounds) + max(bounds)) / 2
        found = self.certified(self.run_directory, "--epsilon", between)
        self.assertEqual([one["certified"] for one in found], [one["bound"] <= between for one in found])
        self.assertEqual([one["certified"] for one in found], [bound <= between for bound in bounds])
        words = self.doc2s("certify", self.run_directory, "--epsilon", between).out
        self.assertIn(f"stationary: {sum(one['certified'] for one in found)} of {CLIENTS}", words)

    def test_one_client_and_a_small_budget(self):
        all_of_them = self.certified(self.run_directory)
        self.assertEqual(self.certified(self.run_directory, "--client", 2), [all_of_them[2]])
        one = self.certified(self.run_directory, "--client", 2, "--budget", 1)[0]
        output = np.load(self.run_directory / "output.npy")[2]
        self.assertEqual((one["gradients"], one["bundle"]), (1, 1))
        self.assertAlmostEqual(one["bound"], np.linalg.norm(loss_and_gradient(output)[1]), places=12)

    def test_a_larger_ball_has_no_larger_gradient(self):
        bounds = [self.certified(self.run_directory, "--client", 0, "--delta", delta)[0]["bound"]
                  for delta in (1e-6, 0.03, 0.3)]
        self.assertGreater(bounds[0], 1.2 * bounds[2])
        self.assertGreaterEqual(bounds[1], bounds[2])

    def test_estimates_are_called_so(self):
        found = self.certified(self.run_directory, "--sampled", 10, "--save", "e.certificate")
        self.assertEqual({one["kind"] for one in found}, {"estimate"})
        self.assertNotEqual(found[0]["bound"], self.certified(self.run_directory)[0]["bound"])
        self.assertIn("estimates", self.doc2s("certify", self.run_directory, "--sampled", 10).out)
        checked = self.doc2s("certify", "--check", "e.certificate").out
        self.assertIn("estimate", checked)
        self.assertNotIn("upper bounds", checked)

    def test_a_float32_run_is_certified_in_float64(self):
        directory = self.run_config("svm.toml", *sets(precision="float32")).directory
        output = np.load(directory / "output.npy")
        self.assertEqual(output.dtype, np.float32)
        one = self.certified(directory, "--client", 1, "--budget", 1)[0]
        self.assertAlmostEqual(one["bound"], np.linalg.norm(loss_and_gradient(output[1].astype(float))[1]), places=12)

    def test_refusals(self):
        run = self.run_directory
        for words, says in (
                ((run, "--delta", 0), ("delta", "above 0")), ((run, "--delta", -0.1), ("delta", "above 0")),
                ((run, "--delta", "nan"), ("delta", "above 0")), ((run, "--delta", "inf"), ("delta",)),
                ((run, "--epsilon", -1), ("epsilon",)), ((run, "--client", 4), ("no client 4", "0 to 3")),
                ((run, "--client", -1), ("no client -1",)), ((run, "--client", "x"), ("--client x",)),
                ((run, "--client", 1, "--which", "last"), ("one point for all",)),
                ((run, "--config", "svm.toml"), ("its own config",)), ((run, "--budget", 0), ("--budget",)),
                ((run, "--which", "best"), ("--which",)), ((run, "--sampled", 0), ("--sampled",)),
                (("nowhere",), ("nowhere", "no such")), ((self.home,), ("config.toml", "no such")),
                ((), ("RUN_DIR",)), ((run, "--save", "svm.toml"), ("already exists", "--force"))):
            with self.subTest(words=words):
                self.refused("certify", *words, says=says)

    def test_a_run_that_is_not_finished_or_diverged(self):
        (self.run_directory / "last.npy").rename(self.home / "kept.npy")
        self.refused("certify", self.run_directory, "--which", "last", says=("last.npy",))
        output = np.load(self.run_directory / "output.npy")
        output[1, 2] = np.nan
        np.save(self.run_directory / "output.npy", output)
        self.refused("certify", self.run_directory, says=("row 1", "not finite"))


class OfAPoint(CertifyCase):
    def test_a_list_of_points_in_any_precision(self):
        rows = np.random.default_rng(3).standard_normal((3, FEATURES)).astype(np.float32)
        found = self.certified(self.point("p.npy", rows), "--config", "svm.toml", "--budget", 1)
        for one, row in zip(found, rows.astype(float), strict=True):
            self.assertAlmostEqual(one["bound"], np.linalg.norm(loss_and_gradient(row)[1]), places=12)

    def test_refusals(self):
        config = ("--config", "svm.toml")
        good = self.point("good.npy", np.zeros(FEATURES))
        whole = (self.home / good).read_bytes()
        self.write("cut.npy", whole[:-1])
        self.write("text.npy", "0 0 0")
        for words, says in (
                ((good,), ("--config",)),
                ((self.point("long.npy", np.zeros(FEATURES + 1)), *config), ("9 numbers", "8")),
                ((self.point("cube.npy", np.zeros((2, 2, 2))), *config), ("3 dimensions",)),
                ((self.point("whole.npy", np.arange(FEATURES)), *config), ("<i8",)),
                ((self.point("fortran.npy", np.asfortranarray(np.zeros((2, FEATURES)))), *config), ("Fortran",)),
                ((self.point("none.npy", np.zeros((0, FEATURES))), *config), ("no point",)),
                ((self.point("inf.npy", np.full(FEATURES, np.inf)), *config), ("not finite",)),
                (("cut.npy", *config), ("bytes follow",)), (("text.npy", *config), ("not a .npy",)),
                ((good, "--config", "nowhere.toml"), ("nowhere.toml",))):
            with self.subTest(words=words):
                self.refused("certify", *words, says=says)


class Kept(CertifyCase):
    def setUp(self):
        super().setUp()
        self.directory = self.run_config("svm.toml").directory
        self.found = self.certified(self.directory, "--delta", 0.1, "--epsilon", 0.05, "--save", "c")
        self.data = (self.home / "c").read_bytes()

    def test_numpy_agrees(self):
        head, certificates = read_certificates(self.data)
        self.assertEqual((head["delta"], head["epsilon"], head["sampled"], head["seed"]), (0.1, 0.05, 0, 3))
        output = np.load(self.directory / "output.npy")
        for one, found in zip(certificates, self.found, strict=True):
            np.testing.assert_array_equal(one.centre, output[one.client])
            self.assertLessEqual(np.linalg.norm(one.points - one.centre, axis=1).max(), 0.1)
            self.assertTrue((one.weights > 0).all())
            self.assertAlmostEqual(one.weights.sum(), 1, places=12)
            element = sum(w * loss_and_gradient(p)[1] for w, p in zip(one.weights, one.points))
            self.assertAlmostEqual(np.linalg.norm(element), one.bound, places=12)
            self.assertAlmostEqual(loss_and_gradient(one.centre)[0], one.value, places=12)
            self.assertEqual((one.bound, len(one.weights)), (found["bound"], found["bundle"]))

    def test_a_true_one_holds(self):
        self.assertIn("the certificates hold", self.doc2s("certify", "--check", "c").out)
        checked = strict_json(self.doc2s("certify", "--check", "c", "--json").out)
        self.assertEqual([one["bound"] for one in checked], [one["bound"] for one in self.found])
        self.doc2s("certify", "--check", "c", "--config", "svm.toml")
        stricter = strict_json(self.doc2s("certify", "--check", "c", "--json", "--epsilon", 0).out)
        self.assertEqual([one["certified"] for one in stricter], [one["bound"] == 0 for one in self.found])
        again = self.doc2s("certify", self.directory, "--delta", 0.1, "--epsilon", 0.05, "--save", "c2")
        self.assertEqual((self.home / "c2").read_bytes(), self.data)
        self.assertIn("upper bounds", again.out)

    def test_the_run_is_not_needed(self):
        for file in self.directory.iterdir():
            file.unlink()
        self.doc2s("certify", "--check", "c")

    def check_refused(self, data, *says):
        self.write("bad", data)
        self.refused("certify", "--check", "bad", says=says)

    def test_changed_bytes_and_cuts(self):
        rng = random.Random(4)
        for at in sorted(rng.sample(range(len(self.data)), 40)):
            changed = bytearray(self.data)
            changed[at] ^= 1 << rng.randrange(8)
            self.check_refused(bytes(changed))
            self.check_refused(self.data[:at])
        self.check_refused(self.data + b"\n", "hash")
        self.check_refused(b"")
        self.check_refused(gzip.compress(self.data), "not a certificate")

    def test_lies_with_a_right_hash(self):
        content = self.data[:-HASH]
        head, certificates = read_certificates(self.data)
        start = content.index(b"\n", content.index(b"\n") + 1) + 1  # of the first certificate
        d, points = FEATURES, len(certificates[0].weights)

        def with_number(offset, number, form="<d"):
            changed = bytearray(content)
            struct.pack_into(form, changed, start + offset, number)
            return rehashed(bytes(changed))

        def with_head(**changes):
            return rehashed(b"doc2s certificate 1\n" + json.dumps({**head, **changes}).encode() + b"\n" + content[start:])

        self.write("bad", with_head())
        self.doc2s("certify", "--check", "bad")  # only written differently
        bound, weights, first_point = 16, 32 + 8 * d, 32 + 8 * d + 8 * points
        self.check_refused(with_number(bound, certificates[0].bound / 2), "client 0", "claims")
        self.check_refused(with_number(bound, float("nan")), "bound")
        self.check_refused(with_number(24, 7.0), "another problem")
        self.check_refused(with_number(32, certificates[0].centre[0] + 0.5), "outside the ball")
        self.check_refused(with_number(weights, -1.0), "negative")
        self.check_refused(with_number(weights, 3.0), "add up")
        self.check_refused(with_number(first_point, 5.0), "outside the ball")
        self.check_refused(with_number(8, 2**60, "<q"), "ends within")
        self.check_refused(with_number(8, points - 1, "<q"))
        self.check_refused(with_number(0, -7, "<q"), "out of range")
        self.check_refused(with_head(delta=0), "delta")
        self.check_refused(with_head(delta=-0.1), "delta")
        self.check_refused(with_head(delta=0.001), "outside the ball")
        self.check_refused(with_head(dimension=2**62), "ends within")
        self.check_refused(with_head(dimension=FEATURES - 1))
        self.check_refused(with_head(certificates=2**62), "ends within")
        self.check_refused(with_head(certificates=1), "follow")
        self.check_refused(with_head(sampled=7), "another problem")
        for changes in ({"sampled": 1.5}, {"sampled": -1}, {"seed": -1}, {"epsilon": -1}):
            self.check_refused(with_head(**changes), "out of range")
        self.check_refused(with_number(0, 1, "<q"), "order of the clients")  # client 1 twice, client 0 gone
        self.check_refused(with_head(problem="[problem]\nname = \"nothing\"\n"), "nothing")
        self.check_refused(with_head(problem=head["problem"].replace("alpha = 0.5", "alpha = 0.4")), "another problem")
        self.check_refused(with_head(problem="[problem]\ndimension = 5\n"), "8 numbers")
        self.check_refused(rehashed(b"doc2s certificate 1\n" + b"[" * 200000))

    def test_other_data(self):
        lines = (self.home / "samples.svm").read_text().splitlines()
        self.write("samples.svm", "\n".join(lines[:-4]) + "\n")
        self.refused("certify", "--check", "c", says=("another problem or other data",))
        (self.home / "samples.svm").unlink()
        self.refused("certify", "--check", "c", says=("samples.svm",))

    def test_hostile_files_take_no_memory(self):
        content = self.data[:-HASH]
        head, _ = read_certificates(self.data)
        rest = content[content.index(b"\n", content.index(b"\n") + 1) + 1:]
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (2**29, 2**29))
        for changes in ({"dimension": 10**9}, {"certificates": 10**12}, {"dimension": 2**40}):
            self.write("bad", rehashed(b"doc2s certificate 1\n" + json.dumps({**head, **changes}).encode() + b"\n" + rest))
            self.refused("certify", "--check", "bad", says=("ends within",), preexec_fn=limit)
        bomb = gzip.compress(b"doc2s certificate 1\n" + bytes(2**30), 9)
        self.write("bomb", bomb)
        self.refused("certify", "--check", "bomb", says=("not a certificate",), preexec_fn=limit)

    def test_check_stands_alone(self):
        for words in ((self.directory,), ("--delta", 0.2), ("--save", "c2"), ("--client", 1), ("--sampled", 5)):
            self.refused("certify", *words, "--check", "c", says=("excludes",))
        self.refused("certify", "--check", "nowhere", says=("nowhere",))
        self.refused("certify", "--check", self.directory, says=("directory",))


class OfOtherProblems(CertifyCase):
    def test_an_mlp(self):
        directory = self.run_config("mlp.toml").directory
        found = self.certified(directory, "--budget", 20, "--save", "c")
        self.assertEqual(len(found), 4)
        self.doc2s("certify", "--check", "c")
        data = (self.home / "c").read_bytes()
        self.doc2s("certify", directory, "--budget", 20, "--save", "c2")
        self.assertEqual((self.home / "c2").read_bytes(), data)
        self.doc2s("certify", directory, "--budget", 20, "--save", "c2", "--force",
                   env={"OMP_NUM_THREADS": "1"})
        self.assertEqual((self.home / "c2").read_bytes(), data)


class InRecords(CertifyCase):
    def test_some_records_have_the_bound(self):
        plain = self.run_config("svm.toml")
        run = self.run_config("svm.toml", *sets(run__certify_every=2, run__certify_delta=0.2, run__certify_budget=30))
        self.assertEqual([record["iteration"] for record in run.records if "goldstein" in record], [0, 200, 400, 600])
        self.assertEqual(run.trajectory, plain.trajectory)
        zero = self.certified(self.point("zero.npy", np.zeros(FEATURES)), "--config", "svm.toml", "--delta", 0.2,
                              "--budget", 30)[0]["bound"]
        self.assertEqual(run.records[0]["goldstein"], zero)
        self.assertLess(run.records[-1]["goldstein"], zero / 3)
        without = [{key: value for key, value in record.items() if key not in ("goldstein", "seconds")}
                   for record in run.records]
        self.assertEqual(without, [{key: value for key, value in record.items() if key != "seconds"}
                                   for record in plain.records])
        self.assertNotIn("certify", plain.text("config.toml"))
        self.assertEqual(run.config["run"]["certify_every"], 2)

    def test_threads_and_precision_do_not_matter(self):
        words = sets(run__certify_every=3)
        one, two = (self.run_config("svm.toml", *words, *sets(run__threads=count)) for count in (1, 2))
        self.assertEqual(one.bits(), two.bits())
        rounded = self.run_config("svm.toml", *words, *sets(precision="float32"))
        for a, b in zip(one.records, rounded.records, strict=True):
            self.assertAlmostEqual(a.get("goldstein", 0), b.get("goldstein", 0), delta=0.05)

    def test_the_report_has_the_curve(self):
        run = self.run_config("svm.toml", *sets(run__certify_every=2))
        self.doc2s("report", run.directory, "-o", "r.html", "--csv", "r.csv")
        self.assertIn("\"goldstein\":[", (self.home / "r.html").read_text())
        self.assertIn(",goldstein,", (self.home / "r.csv").read_text().splitlines()[0])

    def test_a_run_that_diverges_still_ends_well(self):
        run = self.run_config("svm.toml", *sets(run__certify_every=1, run__record_every=1, method__eta="3e153",
                                                method__D="1e308"), code=3)
        self.assertEqual(run.summary["status"], "diverged")

    def test_refusals(self):
        for name, value in (("certify_every", 0), ("certify_delta", 0), ("certify_delta", -1), ("certify_budget", 0)):
            self.refused("run", "svm.toml", "--out", "o", *sets(**{f"run__{name}": value}), says=(name,))


class A9a(CertifyCase):
    def setUp(self):
        super().setUp()
        data = os.environ.get("DOC2S_DATA", "")
        if not any(list(pathlib.Path(folder, "a9a").glob("a9a*")) for folder in data.split(":") if folder):
            self.skipTest("a9a is looked for in $DOC2S_DATA")
        self.data = {"DOC2S_DATA": data}

    def test_from_far_to_near(self):
        config = cli_test.PROJECT / "configs/a9a-ring.toml"
        run = self.run_config(config, *sets(method__R=8), env=self.data, timeout=300)
        start = self.point("zero.npy", np.zeros(123))
        at_start = self.certified(start, "--config", config, "--delta", 0.1, env=self.data, timeout=300)[0]["bound"]
        self.assertAlmostEqual(at_start, 1.3475, places=3)
        found = self.certified(run.directory, "--which", "last", "--delta", 0.1, "--save", "c", env=self.data,
                               timeout=300)[0]
        self.assertLess(found["bound"], 0.05)
        self.assertLessEqual(found["gradients"], 60)
        self.doc2s("certify", "--check", "c", env=self.data, timeout=300)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: certify_test.py PROGRAM [TEST…]")
    cli_test.PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
