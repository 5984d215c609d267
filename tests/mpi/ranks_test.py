#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Real runs under real mpirun against the same run in one process (every method: contract/ranks_test.py): python3 ranks_test.py PROGRAM [TEST…]."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Run, sets
from mpi_case import MpiCase

SETTING = """\
seed = 3
problem = {{ size = 240, dimension = {d}, batch = 2, evaluation = 100 }}
clients = {{ count = 16, partition = "dirichlet" }}
run = {{ record_every = 5, threads = 1 }}
"""


class OneTrajectory(MpiCase):
    def test_mlp(self):
        self.write("mlp.toml", SETTING.format(d=20) + 'method = { R = 2, K = 3, T = 4 }\n')
        words = sets(problem__name="mlp", problem__hidden='"9"', problem__scaling="standardise")
        alone = self.assert_any_number_of_ranks("mlp.toml", *words, ranks=(3, 16))
        self.assertIn("accuracy", alone.summary)

    def test_one_file_a_client(self):
        self.write_sites()
        self.assert_any_number_of_ranks("sites.toml", ranks=(3, 16))
        held = Run(self.home / "ranks-16", None).summary["held_samples"]
        self.assertEqual(held, [5 + client for client in range(16)])

    def test_sixty_four_clients_on_sixteen_ranks(self):
        words = sets(clients__count=64, network__graph="hypercube")
        self.assert_any_number_of_ranks("small.toml", *words, ranks=(16,))

    def test_trace(self):
        for name, ranks in (("alone", 0), ("several", 3)):
            words = ["run", "small.toml", "--quiet", "--out", name, "--trace", f"{name}.jsonl"]
            self.mpi(ranks, *words) if ranks else self.doc2s(*words)
        alone, several = ((self.home / f"{name}.jsonl").read_text().splitlines() for name in ("alone", "several"))
        self.assertGreater(len(alone), 10)
        self.assertEqual(several[1:], alone[1:])


class TheWire(MpiCase):
    def test_a_ring_of_sixteen(self):
        words = sets(problem__dimension=50, method__R=2, run__threads=1)
        run = self.run_mpi(16, "small.toml", *words)
        counts, row = run.summary, 50 * 8
        self.assertEqual(counts["wire_bytes"], counts["iterations"] * 68 * row)  # 64 for y, 4 for v
        self.assertEqual(counts["bytes"], counts["iterations"] * 128 * row)
        self.assertLessEqual(counts["wire_bytes"], 0.55 * counts["bytes"])
        self.assertEqual(counts["messages"], counts["iterations"] * 68)
        self.assertGreater(counts["record_bytes"], 0)
        self.doc2s("report", run.directory, "--csv", "records.csv")
        head, *_, last = (line.split(",") for line in (self.home / "records.csv").read_text().splitlines())
        shown = dict(zip(head, last))
        self.assertEqual((float(shown["wire_bytes"]), float(shown["bytes"])), (counts["wire_bytes"], counts["bytes"]))

    def test_fewer_ranks_send_less(self):
        sent = [self.run_mpi(ranks, "small.toml").summary["wire_bytes"] for ranks in (2, 4, 16)]
        self.assertEqual(sent, sorted(sent))
        self.assertLess(sent[0], sent[2] / 4)


class Resumed(MpiCase):
    def files(self):
        return sorted(path.name for path in (self.home / "cut/checkpoint").iterdir())

    def test_a_file_a_rank_and_one_that_fails(self):
        self.mpi(3, "run", "small.toml", "--quiet", "--out", "cut", "--checkpoint-every", 30)
        self.assertEqual(self.files(), [f"{at:013}.{kind}" for at in (30, 40)
                                        for kind in ("manifest", "rank-0", "rank-1", "rank-2")])
        (self.home / "cut/checkpoint" / f"{50:013}.rank-1.part").mkdir()
        answer = self.mpi(3, "run", "--resume", "cut", "--quiet", *sets(method__K=6, run__checkpoint_every=25))
        self.assert_one_sentence(answer, "no checkpoint at iteration 50", "iteration 40", "rank-1.part")
        self.assertEqual(int(self.files()[-1][:13]), 60)
        words = sets(method__K=6)
        self.assertEqual(Run(self.home / "cut", None).trajectory, self.small(*words).trajectory)

    def test_a_damaged_rank(self):
        self.mpi(3, "run", "small.toml", "--quiet", "--out", "cut", "--checkpoint-every", 30)
        damaged = self.home / "cut/checkpoint" / f"{40:013}.rank-2"
        damaged.write_bytes(damaged.read_bytes()[:-1])
        answer = self.mpi(2, "run", "--resume", "cut", *sets(method__K=6))
        self.assertIn("rank-2: is damaged", answer.err)
        self.assertIn("from the checkpoint of iteration 30", answer.err)
        self.assertEqual(Run(self.home / "cut", None).trajectory, self.small(*sets(method__K=6)).trajectory)


if __name__ == "__main__":
    harness.main()
