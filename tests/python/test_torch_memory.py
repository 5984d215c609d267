# SPDX-License-Identifier: Apache-2.0
"""doc2s.torch.Problem, called by hand: whose memory it works on, and what it keeps."""
from __future__ import annotations

import gc
import subprocess
import sys
import threading
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch import Tensor, nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402

import doc2s  # noqa: E402
import doc2s.torch  # noqa: E402
from torch_nets import data, net, point, problem, rows, unfilled, value_and_gradient  # noqa: E402


def test_parameters_are_views_into_x_and_gradients_into_gradient() -> None:
    module, seen = net(), []

    def look(part: nn.Module, inputs: Any) -> None:
        for each in module.parameters():
            seen.append((each.data_ptr(), None if each.grad is None else each.grad.data_ptr()))

    of = problem(module)
    x, gradient = point(of), unfilled(of)
    module.register_forward_pre_hook(look)
    of.value(0, rows(), x, gradient)
    firsts = np.cumsum([0] + [4 * each.numel() for each in module.parameters()])[:-1]
    assert seen == [(x.ctypes.data + first, gradient.ctypes.data + first) for first in firsts]
    seen.clear()
    of.value(0, rows(), x, None)
    assert seen == [(x.ctypes.data + first, None) for first in firsts]


def references(*things: Any) -> list[int]:
    return [sys.getrefcount(thing) for thing in things]


def test_nothing_is_kept() -> None:
    of = problem(net(dropout=0.5), test=data())
    x, gradient, batch = point(of), unfilled(of), rows()
    before = references(x, gradient, batch)
    gc.disable()
    try:
        of.value(0, batch, x, gradient)
        assert references(x, gradient, batch) == before
        of.value(0, batch, x, None)
        of.loss(0, batch, x)
        of.accuracy(x)
        of.module_at(x)
        assert references(x, gradient, batch) == before
    finally:
        gc.enable()


class Trap(nn.Module):
    """Fails where it is told."""

    def __init__(self) -> None:
        super().__init__()
        self.inside, self.armed = net(), False

    def forward(self, images: Tensor) -> Tensor:
        outputs = self.inside(images)
        if self.armed:
            raise KeyError("trap")
        return outputs


def own_state(module: nn.Module) -> list[Any]:
    tensors = [*module.parameters(), *module.buffers()]
    flags = [part.training for part in module.modules()]
    return [flags] + [(each.data_ptr(), each.grad, each.tolist()) for each in tensors]


def test_nothing_is_kept_after_an_exception() -> None:
    module = Trap()
    of = problem(module)
    x, gradient, batch = point(of), unfilled(of), rows()
    before, own = references(x, gradient, batch), own_state(module)
    module.armed = True
    gc.disable()
    try:
        for slope in (gradient, None):
            with pytest.raises(KeyError, match="trap") as raised:
                of.value(0, batch, x, slope)
            del raised
        assert references(x, gradient, batch) == before
    finally:
        gc.enable()
    assert own_state(module) == own
    module.armed = False
    of.value(0, batch, x, gradient)


def test_the_module_comes_out_as_it_went_in() -> None:
    module = net(dropout=0.5)
    module.eval()
    module.conv.weight.grad = torch.ones_like(module.conv.weight)
    chance, threads, own = torch.get_rng_state(), torch.get_num_threads(), own_state(module)
    of = problem(module, test=data())
    x = point(of)
    value_and_gradient(of, 0, rows(), x)
    of.value(1, rows(), x)
    of.loss(0, rows(), x)
    of.accuracy(x)
    of.module_at(x)
    assert own_state(module) == own
    assert torch.equal(chance, torch.get_rng_state()) and threads == torch.get_num_threads()
    assert torch.is_grad_enabled()


@pytest.mark.parametrize("wrap", [nn.utils.weight_norm, nn.utils.spectral_norm,
                                  nn.utils.parametrizations.spectral_norm])
def test_weights_that_are_computed(wrap: Any) -> None:
    """Some keep the last weight, with its graph, as an attribute."""
    torch.manual_seed(1)
    module = wrap(nn.Linear(4, 2))
    datasets = [(torch.randn(9, 4), torch.arange(9) % 2)] * 2
    of = doc2s.torch.Problem(module, datasets, F.cross_entropy)
    x, gradient, batch = point(of), unfilled(of), rows(1, 2, 3)
    before = references(x, gradient, batch)
    of.value(0, batch, x, gradient)
    assert references(x, gradient, batch) == before
    made = of.module_at(x, client=0)
    assert made(torch.ones(1, 4)).shape == (1, 2)
    assert np.array_equal(doc2s.torch.Problem(made, datasets, F.cross_entropy).start(0), x)


def test_no_warnings_of_read_only_memory() -> None:  # torch warns once per process
    code = """if True:
        import warnings; warnings.simplefilter("error")
        import numpy as np, torch, doc2s.torch
        X = np.random.rand(6, 4); y = np.arange(6) % 2; X.flags.writeable = y.flags.writeable = False
        of = doc2s.torch.Problem(torch.nn.Linear(4, 2), [(X, y)], torch.nn.functional.cross_entropy)
        x, batch = of.start(0), np.arange(3); x.flags.writeable = batch.flags.writeable = False
        of.value(0, batch, x, np.zeros(of.dimension, np.float32)); of.loss(0, batch, x)"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_a_gradient_put_elsewhere_is_found() -> None:
    class Sneaky(nn.Linear):
        def forward(self, inputs: Tensor) -> Tensor:
            self.weight.grad = None  # as a zero_grad() in forward would
            return super().forward(inputs)

    inputs, targets = torch.randn(5, 3), torch.randn(5, 1)
    of, usual = (doc2s.torch.Problem(kind(3, 1), [(inputs, targets)], F.mse_loss) for kind in (Sneaky, nn.Linear))
    x = point(usual)
    batch = rows(*range(5))
    np.testing.assert_allclose(value_and_gradient(of, 0, batch, x)[1], value_and_gradient(usual, 0, batch, x)[1])


def test_calls_from_several_threads() -> None:
    of = problem(net(dropout=0.5), clients=4)
    points = [point(of, seed) for seed in range(4)]
    alone = [[value_and_gradient(of, i, rows(*range(k, k + 6)), points[i]) for k in range(10)] for i in range(4)]
    together: list[list[Any]] = [[] for _ in range(4)]

    def work(i: int) -> None:
        for k in range(10):
            together[i].append(value_and_gradient(of, i, rows(*range(k, k + 6)), points[i]))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for one, other in zip(sum(alone, []), sum(together, [])):
        assert one[0] == other[0] and np.array_equal(one[1], other[1])
