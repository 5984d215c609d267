#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`doc2s certify --save` and `--check`: python3 certify_kept_test.py PROGRAM [TEST…]."""
import gzip
import hashlib
import json
import pathlib
import random
import resource
import struct
import sys
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import strict_json
from certify_case import FEATURES, CertifyCase, loss_and_gradient

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


class Kept(CertifyCase):
    def setUp(self):
        super().setUp()
        self.directory = self.run_config("svm.toml").directory
        self.found = self.certified(self.directory, "--which", "output", "--delta", 0.1, "--epsilon", 0.05, "--save", "c")
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
        again = self.doc2s("certify", self.directory, "--which", "output", "--delta", 0.1, "--epsilon", 0.05, "--save", "c2")
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


def exact(number):
    """A double as a whole number times 2^-1074."""
    numerator, denominator = float(number).as_integer_ratio()
    return numerator * (2**1074 // denominator)


class Outward(CertifyCase):
    """Bounds of random bundles against exact arithmetic: hinges alone, with samples of whole numbers times 2^-40."""
    SAMPLES, CLIENTS = 12, 3

    def problem(self, rng, d):
        scale = np.exp2(rng.integers(-20, 20, d))  # of a column
        A = rng.integers(-2**20, 2**20, (self.SAMPLES, d)) * 2.0**-20 * scale
        b = rng.choice([-1, 1], self.SAMPLES)
        lines = (f"{label:+d} " + " ".join(f"{j + 1}:{a!r}" for j, a in enumerate(row.tolist())) for row, label in zip(A, b))
        self.write("outward.svm", "\n".join(lines) + "\n")
        self.write("outward.toml", f'problem.data = "outward.svm"\nproblem.lambda = 0\nclients.count = {self.CLIENTS}\n')
        return A * b[:, None], np.array([[exact(a * label) for a in row] for row, label in zip(A, b)], object)

    def bundle(self, rng, bA, which):
        d = bA.shape[1]
        centre = rng.standard_normal(d) / np.abs(bA).sum(axis=1).mean()
        points = centre + rng.uniform(-0.9, 0.9, (rng.integers(1, 6), d)) / np.sqrt(d)
        on = 1 - points @ bA.T > 0
        weights = rng.dirichlet(np.ones(len(points)))
        gradients = -(on @ bA) / self.SAMPLES
        if which % 3 == 0 and len(points) > 1:  # that nearly cancels in a coordinate
            first, second = gradients[:2, rng.integers(d)]
            if first * second < 0:
                weights[:] = 0
                weights[:2] = np.abs([second, first]) / (abs(first) + abs(second))
        value = np.maximum(1 - bA @ centre, 0).mean()
        return centre, points, weights, value, on

    def check(self, seed, count, d):
        rng = np.random.default_rng(seed)
        bA, whole = self.problem(rng, d)
        head = {"dimension": d, "certificates": count, "delta": 1, "epsilon": None, "sampled": 0, "seed": 0, "problem": ""}
        content, squares = b"doc2s certificate 1\n" + json.dumps(head).encode() + b"\n", []
        for which in range(count):
            centre, points, weights, value, on = self.bundle(rng, bA, which)
            content += struct.pack("<qqdd", which, len(points), 1e300, value)
            content += b"".join(array.astype("<f8").tobytes() for array in (centre, weights, points))
            shares = np.array([exact(weight) for weight in weights], object)
            total = (shares[:, None] * (on.astype(int).astype(object) @ whole)).sum(axis=0)
            squares.append((int((total**2).sum()), self.SAMPLES * int(shares.sum())))
        self.write("outward", rehashed(content))
        answer = self.doc2s("certify", "--check", "outward", "--config", "outward.toml", "--json", "--quiet")
        table = self.doc2s("certify", "--check", "outward", "--config", "outward.toml", "--quiet").out.splitlines()[1:]
        largest = np.abs(bA).max() * np.sqrt(d)
        for one, line, (square, share) in zip(strict_json(answer.out), table, squares):
            for printed in (one["bound"], float(line.split()[1])):  # bound >= sqrt(square) 2^-1074 / share
                self.assertGreaterEqual((Fraction(printed) * share * 2**1074)**2, square)
            self.assertLessEqual(one["bound"], float(Fraction(square, share**2 * 4**1074))**0.5 * (1 + 1e-12) + 1e-12 * largest)
        return len(squares)

    def test_no_printed_bound_is_below_the_exact_one(self):
        small = sum(self.check(d, 500, d) for d in (*range(1, 11), *range(12, 31, 2)))
        self.assertEqual((small, self.check(1, 100, 1000)), (10000, 100))


class AtAKink(CertifyCase):
    """At x = 0, where every |x_j| of the penalty has one."""
    def setUp(self):
        super().setUp()
        self.zero = (self.point("zero.npy", np.zeros(FEATURES)), "--config", "svm.toml")

    def test_an_output_at_a_kink_is_certified_with_a_note(self):
        answer = self.doc2s("certify", *self.zero, "--epsilon", 10, "--save", "c")
        self.assert_one_sentence(answer, "note: the point: f has a kink there")
        self.assertIn("stationary: 1 of 1", answer.out)
        found = self.certified(*self.zero, "--epsilon", 10)[0]
        self.assertTrue(found["kink"] and found["certified"])
        _, (one,) = read_certificates((self.home / "c").read_bytes())
        self.assertTrue((one.points != 0).all())
        checked = self.doc2s("certify", "--check", "c")
        self.assertEqual(checked.err, "")
        away = self.certified(self.point("away.npy", np.full(FEATURES, 0.1)), *self.zero[1:])[0]
        self.assertFalse(away["kink"])

    def test_a_certificate_of_old_with_its_point_at_a_kink_holds_with_a_note(self):
        config = (self.home / "svm.toml").read_text()
        head = {"dimension": FEATURES, "certificates": 1, "delta": 0.1, "epsilon": None, "sampled": 0, "seed": 3, "problem": config}
        loss, gradient = loss_and_gradient(np.zeros(FEATURES))
        numbers = np.concatenate([np.zeros(FEATURES), [1.0], np.zeros(FEATURES)])  # x, the weight, the point
        self.write("old", rehashed(b"doc2s certificate 1\n" + json.dumps(head).encode() + b"\n"
                                   + struct.pack("<qqdd", -1, 1, np.linalg.norm(gradient), loss) + numbers.astype("<f8").tobytes()))
        checked = self.doc2s("certify", "--check", "old")
        self.assertIn("the certificates hold", checked.out)
        self.assert_one_sentence(checked, "the point: f has a kink at point 0 of the certificate")


if __name__ == "__main__":
    harness.main()
