# SPDX-License-Identifier: Apache-2.0
"""doc2s.torch.Problem, called by hand: buffers, which belong to the client, and records."""
from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch import Tensor, nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402

import doc2s  # noqa: E402
import doc2s.torch  # noqa: E402
from torch_nets import Net, data, net, plain, point, problem, rows, value_and_gradient  # noqa: E402


def test_buffers_belong_to_the_client() -> None:
    of, module = problem(batch_norm="running"), net()
    x = point(of)
    start = [of.state(i).copy() for i in range(3)]
    for k in range(3):
        of.value(1, rows(*range(k, k + 5)), x)
    assert np.array_equal(of.state(0), start[0]) and np.array_equal(of.state(2), start[2])
    inputs, targets = data(21, 1)
    for k in range(3):
        plain(module, x, inputs[k:k + 5], targets[k:k + 5])
    kept = of.module_at(x, client=1)
    for name, buffer in module.named_buffers():
        torch.testing.assert_close(dict(kept.named_buffers())[name], buffer)
    assert kept.norm.num_batches_tracked == 3
    of.reset_state()
    assert np.array_equal(of.state(1), start[1])


def test_state_is_one_array_that_can_be_restored() -> None:
    of = problem(batch_norm="running")
    x = point(of)
    of.value(0, rows(), x)
    state = of.state(0)
    assert state.ndim == 1 and state.flags.c_contiguous and state.flags.writeable and state.dtype == np.uint8
    saved, loss = state.copy(), of.loss(0, rows(), x)
    of.value(0, rows(1, 2, 3), x)
    assert of.loss(0, rows(), x) != loss
    assert of.state(0).ctypes.data == state.ctypes.data
    state[:] = saved
    assert of.loss(0, rows(), x) == loss


def test_without_buffers_there_is_no_state() -> None:
    assert not hasattr(problem(net(norm=False)), "state")
    assert hasattr(problem(), "state")


class Odd(nn.Module):
    """Counts its calls in a buffer that it replaces, in one that it changes, and reads one from two places."""

    def __init__(self) -> None:
        super().__init__()
        self.out = nn.Linear(4, 2)
        self.register_buffer("replaced", torch.zeros(1))
        self.register_buffer("changed", torch.zeros((), dtype=torch.int64))
        self.register_buffer("none", None)
        self.register_buffer("empty", torch.zeros(0, 3))
        self.register_buffer("flags", torch.tensor([True, False]), persistent=False)
        self.part = nn.Module()
        self.part.register_buffer("same", self.changed)

    def forward(self, inputs: Tensor) -> Tensor:
        if self.training:
            self.replaced = self.replaced + 1
            self.changed += 2
            self.flags[1] = True
        return self.out(inputs)


def test_replaced_shared_and_odd_buffers() -> None:
    module = Odd()
    of = doc2s.torch.Problem(module, [(np.ones((3, 4)), np.zeros(3, np.int32))] * 2, F.cross_entropy)
    x = point(of)
    for _ in range(5):
        of.value(1, rows(0, 1), x)
        of.loss(1, rows(0, 1), x)
    for client, calls in ((0, 0), (1, 5)):
        kept = of.module_at(x, client=client)
        assert (kept.replaced.item(), kept.changed.item(), kept.flags[1].item()) == (calls, 2 * calls, calls > 0)
        assert kept.part.same is kept.changed
    assert (module.replaced.item(), module.changed.item(), module.flags[1].item()) == (0, 0, False)


def test_a_buffer_that_grows_is_refused() -> None:
    class Growing(nn.Linear):
        def __init__(self) -> None:
            super().__init__(4, 2)
            self.register_buffer("seen", torch.zeros(0))

        def forward(self, inputs: Tensor) -> Tensor:
            self.seen = torch.cat([self.seen, torch.zeros(1)])
            return super().forward(inputs)

    with pytest.raises(doc2s.Error, match='the buffer "seen" changed its shape'):
        doc2s.torch.Problem(Growing(), [(torch.ones(3, 4), torch.zeros(3, dtype=torch.int64))], F.cross_entropy)


def evaluated(module: nn.Module, inputs: Tensor, targets: Tensor) -> float:
    with torch.no_grad():
        return F.cross_entropy(module(inputs), targets).item()


def test_losses_in_records() -> None:
    inputs, targets = data(20, 0)
    for dropout in (0.0, 0.5):
        batch, running = problem(net(dropout=dropout)), problem(net(dropout=dropout), batch_norm="running")
        x = point(batch)
        for of in (batch, running):
            of.value(0, rows(1, 2, 3), x)
        module = running.module_at(x, client=0)
        assert not module.training
        assert running.loss(0, rows(), x) == pytest.approx(evaluated(module, inputs[:10], targets[:10]), rel=1e-6)
        before = batch.state(0).copy()
        module.norm.train()
        assert batch.loss(0, rows(), x) == pytest.approx(evaluated(module, inputs[:10], targets[:10]), rel=1e-6)
        assert np.array_equal(batch.state(0), before)


def test_frozen_batch_norm_stays_frozen() -> None:
    class Frozen(Net):
        def train(self, mode: bool = True) -> "Frozen":
            super().train(mode)
            self.norm.eval()
            return self

    torch.manual_seed(5)
    of = problem(Frozen())
    x, before = point(of), of.state(0).copy()
    assert of.value(0, rows(), x) == of.loss(0, rows(), x) == of.value(0, rows(), x)
    assert np.array_equal(of.state(0), before)


def test_dropout_is_a_function_of_client_and_batch() -> None:
    of, other = problem(net(norm=False, dropout=0.5)), problem(net(norm=False, dropout=0.5), seed=1)
    x = point(of)
    torch.manual_seed(1)
    value = of.value(0, rows(1, 2, 3), x)
    torch.rand(7)
    assert of.value(0, rows(1, 2, 3), x) == value == value_and_gradient(of, 0, rows(1, 2, 3), x)[0]
    assert of.value(0, rows(3, 2, 1), x) != value != other.value(0, rows(1, 2, 3), x)
    same = doc2s.torch.Problem(net(norm=False, dropout=0.5), [data()] * 2, F.cross_entropy)
    assert same.value(0, rows(1, 2, 3), x) != same.value(1, rows(1, 2, 3), x)
    assert of.loss(0, rows(1, 2, 3), x) == problem(net(norm=False)).loss(0, rows(1, 2, 3), x)


def test_accuracy() -> None:
    test = data(600, 9)
    of = problem(net(norm=False), test=test)
    assert not hasattr(of, "test_rmse")
    x = point(of)
    with torch.no_grad():
        right = of.module_at(x)(test[0]).argmax(1) == test[1]
    assert of.accuracy(x) == right.double().mean().item()
    running = problem(batch_norm="running", test=test)
    running.value(0, rows(), x := point(running))
    with torch.no_grad():
        right = running.module_at(x)(test[0]).argmax(1) == test[1]
    assert running.accuracy(x) == right.double().mean().item()


def test_rmse() -> None:
    inputs, targets = np.random.default_rng(1).normal(size=(300, 4)), np.random.default_rng(2).normal(size=300)
    module = nn.Sequential(nn.Linear(4, 1), nn.Flatten(0))
    of = doc2s.torch.Problem(module, [(inputs, targets)], F.mse_loss, test=(inputs, targets))
    assert not hasattr(of, "accuracy")
    x = of.start(0)
    assert of.test_rmse(x) == pytest.approx(np.sqrt(np.mean((inputs @ x[:4] + x[4] - targets) ** 2)), rel=1e-6)
    assert of.test_rmse(x) == pytest.approx(np.sqrt(of.loss(0, rows(*range(300)), x)), rel=1e-6)


def test_module_at_has_statistics_of_all_clients() -> None:
    clients = [(data(40, i)[0] + 10 * i, data(40, i)[1]) for i in range(4)]
    of = doc2s.torch.Problem(net(), clients, F.cross_entropy)
    x = point(of)
    with torch.no_grad():
        maps = of.module_at(x, client=0).conv(torch.cat([inputs for inputs, _ in clients]))
    norm = of.module_at(x.astype(np.float64)).norm  # a result's x is float64
    torch.testing.assert_close(norm.running_mean, maps.mean(dim=[0, 2, 3]), rtol=0.02, atol=0.02)
    torch.testing.assert_close(norm.running_var, maps.var(dim=[0, 2, 3]), rtol=0.05, atol=0.0)
    assert norm.momentum == 0.1 and not norm.training
    with pytest.raises(doc2s.Error, match="client 4 does not exist"):
        of.module_at(x, client=4)
