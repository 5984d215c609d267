#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""TorchScript models on tables, held against python3-torch: python3 torch_tables_test.py PROGRAM [TEST…]."""
import json
import pathlib
import sys

import numpy as np
import torch
from torch import nn

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import harness
from harness import Run, sets
from mpi_case import MpiCase
from table_case import CLIENTS, FEATURES, IN_ORDER, config_text, features_and_targets, preprocessing_of, read_csv, write_sites


class Regression(nn.Module):
    """Answers (batch, 1), or (batch,) if flat."""

    def __init__(self, flat: bool = False, outputs: int = 1):
        super().__init__()
        self.flat = flat
        self.first = nn.Linear(len(FEATURES), 5)
        self.out = nn.Linear(5, outputs)

    def forward(self, a):
        z = self.out(torch.tanh(self.first(a))) * 10.0
        return z.squeeze(1) if self.flat else z


def with_parameters(model, x):
    first = 0
    for parameter in model.parameters():
        parameter.data = torch.tensor(x[first:first + parameter.numel()]).reshape(parameter.shape)
        first += parameter.numel()
    assert first == len(x)
    return model


class TorchTables(MpiCase):
    def model(self, **words):
        torch.manual_seed(3)
        torch.jit.script(Regression(**words)).save(str(self.home / "model.pt"))
        return f'name = "torchscript"\nmodel = "{self.home}/model.pt"\n'

    def trained(self, target, problem, *words):
        write_sites(self, target)
        self.write("table.toml", config_text(self, problem))
        return self.run_config("table.toml", "--force", *words, out=self.home / "run")

    def predicted(self, run, *words):
        answer = self.doc2s("predict", run.directory, "test.csv", "-o", "made.csv", "--force", "--json", *words)
        return read_csv(self.home / "made.csv"), json.loads(answer.out)

    def test_numbers_are_pytorchs(self):
        for loss, flat in (("mse", False), ("mae", True), ("huber", True)):
            rule = {"mse": nn.MSELoss(), "mae": nn.L1Loss(), "huber": nn.HuberLoss(delta=3.0)}[loss]
            more = "\nhuber_delta = 3" if loss == "huber" else ""
            problem = self.model(flat=flat) + f'target = "number"\nloss = "{loss}"\nevaluation = 1000' + more
            run = self.trained("number", problem, *sets(method__K=20, method__eta=0.1, method__D=2))
            how = preprocessing_of(run)
            a, truth = features_and_targets(self.home / "test.csv", how)
            z = with_parameters(Regression(flat), run.numbers("last.npy"))(torch.tensor(a)).detach().numpy().reshape(-1)
            made, said = self.predicted(run)
            np.testing.assert_allclose([float(row["prediction"]) for row in made], z, rtol=1e-9)
            self.assertAlmostEqual(said["rmse"], np.sqrt(np.mean((z - truth) ** 2)), delta=1e-6)
            self.assertAlmostEqual(said["mae"], np.mean(np.abs(z - truth)), delta=1e-6)
            start = with_parameters(Regression(flat), np.concatenate(
                [p.detach().double().reshape(-1) for p in torch.jit.load(str(self.home / "model.pt")).parameters()]))
            losses = []
            for client in range(CLIENTS):
                a, truth = features_and_targets(self.home / f"site-{client}.csv", how)
                losses.append(rule(start(torch.tensor(a)).reshape(-1), torch.tensor(truth)).item())
            self.assertAlmostEqual(run.summary["loss_start"], np.mean(losses), delta=1e-9 * np.mean(losses))
            self.assertLess(run.summary["loss_mean_point"], 0.8 * run.summary["loss_start"])

    def test_gradients_are_pytorchs(self):
        for loss in ("mse", "mae", "huber"):
            rule = {"mse": nn.MSELoss(), "mae": nn.L1Loss(), "huber": nn.HuberLoss()}[loss]
            problem = self.model() + f'target = "number"\nloss = "{loss}"\n'
            self.trained("number", problem, *sets(method__K=1, method__T=1, method__delta_prime=0), "--trace", "t", "--trace", "t")
            header, step = [json.loads(line) for line in (self.home / "t").read_text().splitlines()]
            how = preprocessing_of(Run(self.home / "run", None))
            a, truth = features_and_targets(self.home / f"site-{step['client']}.csv", how)
            model = with_parameters(Regression(), np.array(header["header"]["x0"]))
            rows = step["batch"]
            rule(model(torch.tensor(a[rows])).reshape(-1), torch.tensor(truth[rows])).backward()
            expected = np.concatenate([p.grad.reshape(-1).numpy() for p in model.parameters()])
            np.testing.assert_allclose(step["g"], expected, rtol=1e-9, atol=1e-12 * np.abs(expected).max())

    def test_classes(self):
        run = self.trained("class", self.model(outputs=3), *sets(method__K=20))
        a, truth = features_and_targets(self.home / "test.csv", preprocessing_of(run))
        z = with_parameters(Regression(False, 3), run.numbers("last.npy"))(torch.tensor(a)).detach()
        made, said = self.predicted(run)
        self.assertEqual([row["prediction"] for row in made], [IN_ORDER[k] for k in z.argmax(1)])
        np.testing.assert_allclose([float(row["score"]) for row in made], torch.softmax(z, 1).max(1)[0], rtol=1e-9)
        self.assertEqual(said["accuracy"], np.mean(z.argmax(1).numpy() == truth))

    def test_any_number_of_ranks(self):
        self.trained("number", self.model() + 'target = "number"')
        self.assert_any_number_of_ranks("table.toml", *sets(run__threads=1), ranks=(2, 5))

    def test_a_resumed_run_is_the_same(self):
        problem = self.model() + 'target = "number"'
        whole = self.trained("number", problem).trajectory
        part = self.trained("number", problem, "--checkpoint-every", 20, *sets(run__budget__iterations=60))
        self.doc2s("run", "--resume", part.directory, "--quiet", *sets(run__budget__iterations=1000))
        self.assertEqual(part.trajectory, whole)

    def test_mistakes(self):
        def refused(problem, *says, target="number"):
            write_sites(self, target)
            self.write("table.toml", config_text(self, problem))
            self.refused("run", "table.toml", "--out", "o", says=says)
        refused(self.model(outputs=2) + 'target = "number"', "2x2", "2x1", "one number")
        refused(self.model(outputs=2), "2x2", "3 classes need 2x3", target="class")
        refused(self.model() + 'target = "number"\nloss = "cross_entropy"', "problem.loss", "mse")
        refused(self.model() + 'target = "number"\naugment = true', "problem.augment", "table")
        run = self.trained("number", self.model() + 'target = "number"')
        self.model(flat=True)
        self.refused("predict", run.directory, "test.csv", "-o", "p.csv", says=["model.pt", "problem.model"])


harness.main()
