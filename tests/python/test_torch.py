# SPDX-License-Identifier: Apache-2.0
"""doc2s.torch.Problem, called by hand: what it computes, and from which data."""
from __future__ import annotations

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch import Tensor, nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402
from torch.utils.data import Dataset, Subset, TensorDataset  # noqa: E402

import doc2s  # noqa: E402
import doc2s.torch  # noqa: E402
from torch_nets import CLASSES, data, net, plain, point, problem, rows, value_and_gradient  # noqa: E402


@pytest.mark.parametrize("kind, tolerance", [(torch.float32, 2e-6), (torch.float64, 1e-14)])
def test_value_and_gradient_are_autograds(kind: Any, tolerance: float) -> None:
    of = problem(net().to(kind))
    assert of.precision == str(kind).removeprefix("torch.")
    x = point(of)
    value, gradient = value_and_gradient(of, 1, rows(3, 1, 4, 1, 5), x)
    inputs, targets = data(21, 1)
    expected, slope = plain(net().to(kind), x, inputs[[3, 1, 4, 1, 5]].to(kind), targets[[3, 1, 4, 1, 5]])
    assert value == pytest.approx(expected, rel=tolerance)
    np.testing.assert_allclose(gradient, slope, rtol=0, atol=tolerance * np.abs(slope).max())
    assert of.value(1, rows(3, 1, 4, 1, 5), x) == value


def test_attributes() -> None:
    of = problem()
    assert (of.clients, of.dimension, of.has_gradient) == (3, sum(each.numel() for each in net().parameters()), True)
    assert [of.samples(i) for i in range(3)] == [20, 21, 22]
    np.testing.assert_array_equal(of.start(7), torch.cat([each.detach().reshape(-1) for each in net().parameters()]))
    assert of.start(7).dtype == np.float32
    assert not hasattr(of, "accuracy") and not hasattr(of, "test_rmse")


def test_large_batches_are_cut_into_parts() -> None:
    for norm in (False, True):
        whole, parts = problem(net(norm=norm), chunk=None), problem(net(norm=norm), chunk=8)
        x = point(whole)
        (one, slope), (other, sum_of_slopes) = (value_and_gradient(of, 0, rows(*range(20)), x) for of in (whole, parts))
        assert (one == pytest.approx(other, rel=1e-6)) is not norm  # each part has its own statistics
        assert np.allclose(slope, sum_of_slopes, atol=1e-6) is not norm


def test_the_loss_may_use_the_module() -> None:
    module = net(norm=False)

    def loss(outputs: Tensor, targets: Tensor) -> Tensor:
        return F.cross_entropy(outputs, targets) + module.out.weight.square().sum()

    of = doc2s.torch.Problem(module, [data()], loss)
    x = point(of)
    _, gradient = value_and_gradient(of, 0, rows(), x)
    _, without = value_and_gradient(problem(net(norm=False)), 0, rows(), x)
    first = of.dimension - module.out.weight.numel() - CLASSES
    np.testing.assert_allclose((gradient - without)[first:-CLASSES], 2 * x[first:-CLASSES], rtol=1e-5)


def test_losses_are_computed_in_double_where_they_can() -> None:
    seen: list[Any] = []

    def loss(outputs: Tensor, targets: Tensor) -> Tensor:
        seen.append(outputs.dtype)
        return F.cross_entropy(outputs, targets)

    of = doc2s.torch.Problem(net(), [data()], loss)
    of.value(0, rows(), point(of))
    assert seen[-1] == torch.float64
    takes_float32_alone = nn.CrossEntropyLoss(weight=torch.ones(CLASSES))
    weighted = doc2s.torch.Problem(net(), [data()], takes_float32_alone)
    assert weighted.value(0, rows(), point(of)) == pytest.approx(of.value(0, rows(), point(of)), rel=1e-6)


def test_tied_and_frozen_parameters() -> None:
    class Tied(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second, self.fixed = nn.Linear(4, 4), nn.Linear(4, 4), nn.Linear(4, 4)
            self.second.weight = self.first.weight
            self.fixed.requires_grad_(False)

        def forward(self, x: Tensor) -> Tensor:
            return self.fixed(torch.tanh(self.second(torch.tanh(self.first(x)))))

    torch.manual_seed(1)
    module, inputs, targets = Tied(), torch.randn(9, 4), torch.randn(9, 4)
    fixed = module.fixed.weight.clone()
    of = doc2s.torch.Problem(module, [(inputs, targets)], F.mse_loss)
    assert of.dimension == 16 + 4 + 4
    x = point(of)
    value, gradient = value_and_gradient(of, 0, rows(*range(9)), x)
    trained = of.module_at(x)
    assert trained.second.weight is trained.first.weight and torch.equal(trained.fixed.weight, fixed)
    assert not trained.fixed.weight.requires_grad
    expected, slope = plain(trained, x, inputs, targets, F.mse_loss)
    assert value == pytest.approx(expected, rel=1e-6)
    np.testing.assert_allclose(gradient, slope, atol=1e-6)
    assert module.fixed.weight.grad is None and torch.equal(module.fixed.weight, fixed)


def test_sparse_gradients() -> None:
    module = nn.Sequential(nn.Embedding(10, 3, sparse=True), nn.Flatten(), nn.Linear(6, 2))
    words, classes = torch.randint(0, 10, (8, 2)), torch.randint(0, 2, (8,))
    of = doc2s.torch.Problem(module, [(words, classes)], F.cross_entropy)
    _, gradient = value_and_gradient(of, 0, rows(0, 1, 2), point(of))
    used = np.unique(words[:3])
    assert set(np.flatnonzero(np.abs(gradient[:30].reshape(10, 3)).sum(1))) == set(used)


def test_scripted_modules() -> None:
    of, plain_one = problem(torch.jit.script(net())), problem()
    x = point(of)
    first = value_and_gradient(of, 0, rows(), x)
    for _ in range(4):  # the profiling executor changes its plan after two calls
        value, gradient = value_and_gradient(of, 0, rows(), x)
        expected, slope = value_and_gradient(plain_one, 0, rows(), x)
        assert value == first[0] == pytest.approx(expected, rel=1e-6)
        assert np.array_equal(gradient, first[1]) and np.allclose(gradient, slope, atol=1e-6)
    plain_one.value(0, rows(), x)
    for one, other in zip(of.module_at(x, client=0).buffers(), plain_one.module_at(x, client=0).buffers()):
        torch.testing.assert_close(one, other)
    assert of.loss(0, rows(), x) == pytest.approx(plain_one.loss(0, rows(), x), rel=1e-6)


class Pairs(Dataset):  # type: ignore[type-arg]
    def __init__(self, count: int = 20, draws: bool = False) -> None:
        self.inputs, self.targets = data(count)
        self.draws = draws

    def __len__(self) -> int:
        return len(self.inputs)

    def __getitem__(self, k: int) -> tuple[Any, int]:
        noise = torch.rand(1) if self.draws else 0
        return (self.inputs[k] + noise).numpy().astype(np.float64), int(self.targets[k])


def test_kinds_of_data_sets() -> None:
    inputs, targets = data()
    order = list(range(19, -1, -1))
    upright: list[Any] = [(inputs.double(), targets.int()), TensorDataset(inputs, targets), Pairs()]
    turned: list[Any] = [[inputs.numpy()[::-1], targets.numpy().astype(np.uint8)[::-1]],
                         Subset(TensorDataset(inputs, targets), order), Subset(Pairs(), order)]
    of = doc2s.torch.Problem(net(), upright + turned, F.cross_entropy)
    x = point(of)
    assert [of.samples(i) for i in range(6)] == [20] * 6
    batches = [rows(3, 5, 7)] * 3 + [rows(16, 14, 12)] * 3
    assert len({of.value(i, batch, x) for i, batch in enumerate(batches)}) == 1


def test_random_transforms_are_repeated() -> None:
    of = doc2s.torch.Problem(net(norm=False), [Pairs(draws=True)], F.cross_entropy)
    x = point(of)
    assert of.value(0, rows(1, 2), x) == of.value(0, rows(1, 2), x) != of.value(0, rows(2, 1), x)
