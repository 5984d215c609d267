# SPDX-License-Identifier: Apache-2.0
"""A module of torch with what it is evaluated with: its loss, its clients' buffers, a test set."""
from __future__ import annotations

import copy
import math
import threading
import warnings
from contextlib import ExitStack, contextmanager
from typing import Any, Callable, Iterator, Sequence

import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ._core import Error
from ._torch_data import Source, equal_parts, shape_of
from ._torch_module import Buffers, Parameters, mode, torch_set, without_graphs

one_at_a_time = threading.Lock()  # a module has one set of parameters, and torch one stream of random numbers
_TORCH_ERRORS = (RuntimeError, ValueError, IndexError, TypeError, UserWarning)
_TRIED = 4  # samples


@contextmanager
def fitting(sentence: str) -> Iterator[None]:
    """Turns an exception of torch's into a sentence."""
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("error", message="Using a (target|input) size")  # broadcasts what does not fit
            yield
    except Error:
        raise
    except _TORCH_ERRORS as error:
        said = str(error).strip().splitlines() or [type(error).__name__]
        raise Error(f"{sentence}: {said[0]}") from error


def _tried_batch(source: Source, where: str) -> tuple[Any, Any]:
    with fitting(f"{where}: its first samples make no batch of inputs and targets"):
        return source.batch(torch.arange(min(_TRIED, len(source))))


def _tried_outputs(module: nn.Module, inputs: Any, where: str) -> Any:
    with fitting(f"{where}: the module does not take inputs, {shape_of(inputs)}"):
        return module(inputs)


def _doubled(numbers: Any) -> Any:
    return numbers.double() if isinstance(numbers, Tensor) and numbers.is_floating_point() else numbers


class Network:
    """A module with what it is evaluated with."""

    def __init__(self, module: nn.Module, parameters: Parameters, buffers: Buffers, loss: Callable[[Any, Any], Tensor],
                 batch_norm: str, chunk: int | None, threads: int) -> None:
        self.module, self.parameters, self.buffers, self.loss = module, parameters, buffers, loss
        self.batch_norm, self.chunk, self.threads = batch_norm, chunk, threads
        self.in_double = False  # whether the loss gets outputs in float64

    @contextmanager
    def at(self, x: NDArray[Any], gradient: NDArray[Any] | None, client: int, training: bool,
           seed: int) -> Iterator[None]:
        """The module at x with this client's buffers, until the end of the block."""
        with ExitStack() as stack:
            stack.enter_context(self.used(client, training, seed, kept=training))
            stack.enter_context(torch.set_grad_enabled(gradient is not None))
            stack.enter_context(self.parameters.at(self.parameters.vector(x), gradient))
            yield

    @contextmanager
    def used(self, client: int, training: bool, seed: int, *, kept: bool) -> Iterator[None]:
        with torch_set(self.threads, seed), self.buffers.of(client, kept=kept), \
                mode(self.module, training=training, batch_statistics=self.batch_norm == "batch" and not training):
            yield

    def mean(self, source: Source, rows: Tensor, *, backward: bool) -> float:
        total = 0.0
        for part in equal_parts(rows, self.chunk):
            inputs, targets = source.batch(part)
            share = len(part) / len(rows)
            loss = self.loss_of(self.module(inputs), targets)
            if backward:
                loss.backward(torch.full_like(loss, share))  # type: ignore[no-untyped-call]
            total += share * loss.item()
        return total

    def loss_of(self, outputs: Any, targets: Any) -> Tensor:
        if self.in_double:
            outputs, targets = _doubled(outputs), _doubled(targets)
        return self.loss(outputs, targets)

    def try_on(self, source: Source, client: int, has_gradient: bool) -> bool:
        """Refuses samples, outputs and losses that do not fit each other. Returns whether the loss takes float64."""
        with self.used(client, True, 0, kept=False), torch.set_grad_enabled(has_gradient):
            inputs, targets = _tried_batch(source, f"datasets[{client}]")
            outputs = _tried_outputs(self.module, inputs, f"datasets[{client}]")
            self._try_loss(outputs, targets, has_gradient)
            try:
                self._try_loss(_doubled(outputs), _doubled(targets), has_gradient)
                return True
            except (Error, TypeError):
                return False

    def _try_loss(self, outputs: Any, targets: Any, has_gradient: bool) -> None:
        with fitting(f"the loss does not take outputs, {shape_of(outputs)}, with targets, {shape_of(targets)}"):
            loss = self.loss(outputs, targets)
        if not isinstance(loss, Tensor):
            raise TypeError(f"loss: its value is of type {type(loss).__name__}, not a tensor")
        if loss.numel() != 1 or not loss.is_floating_point():
            raise Error(f'loss: its value is {shape_of(loss)}, not one real number; use reduction="mean"')
        if has_gradient:
            self._try_gradient(loss)

    def _try_gradient(self, loss: Tensor) -> None:
        parts: Sequence[Tensor | None] = ()
        if loss.requires_grad:
            with fitting("the loss has no gradient"):
                parts = torch.autograd.grad(loss, self.parameters.all, retain_graph=True, allow_unused=True)
        if all(part is None for part in parts):
            raise Error("loss: it does not depend on the parameters in a way that autograd sees; compute it from the "
                        "outputs without detach() or item(), or use has_gradient=False for zeroth order")

    def copy_at(self, x: NDArray[Any], client: int) -> nn.Module:
        """A copy of the module with memory of its own."""
        vector = torch.tensor(self.parameters.vector(x))
        with fitting("the module cannot be copied"), self.buffers.of(client, kept=False), without_graphs(self.module):
            made = copy.deepcopy(self.module)
        wanted = [each for each in made.parameters() if each.requires_grad]
        for each, view in zip(wanted, self.parameters.views(vector)):
            each.data = view.clone()
        return made.eval()


class Score:
    """How good the module is on a test set."""

    def __init__(self, network: Network, test: Source, seed: int) -> None:
        self.network, self.test, self.seed = network, test, seed

    def are_classes(self) -> bool:
        """Whether the targets are classes; refuses outputs that do not fit them."""
        with self.network.used(0, False, self.seed, kept=False), torch.no_grad():
            inputs, targets = _tried_batch(self.test, "test")
            outputs = _tried_outputs(self.network.module, inputs, "test")
        classes = isinstance(targets, Tensor) and not targets.is_floating_point()
        fits = isinstance(outputs, Tensor) and isinstance(targets, Tensor) and (
            outputs.dim() > 1 and outputs.shape[1] > 1 and outputs[:, 0].shape == targets.shape if classes
            else outputs.numel() == targets.numel())
        if not fits:
            raise Error(f"test: outputs are {shape_of(outputs)} and targets {shape_of(targets)}; "
                        "integer targets need one output per class, floating-point targets one output per number")
        return classes

    def accuracy(self, x: NDArray[Any]) -> float:
        """The share of test samples whose largest output is the target's."""
        hits, count = self._sum(x, lambda outputs, targets: (outputs.argmax(1) == targets).sum())
        return hits / count

    def test_rmse(self, x: NDArray[Any]) -> float:
        """The root mean square error on the test set."""
        squares, count = self._sum(x, lambda outputs, targets: (
            outputs.double().reshape(-1) - targets.double().reshape(-1)).square().sum())
        return math.sqrt(squares / count)

    def _sum(self, x: NDArray[Any], term: Callable[[Tensor, Tensor], Tensor]) -> tuple[float, int]:
        total, count = 0.0, 0
        with one_at_a_time, self.network.at(x, None, 0, False, self.seed):
            for rows in equal_parts(torch.arange(len(self.test)), self.network.chunk):
                inputs, targets = self.test.batch(rows)
                total += term(self.network.module(inputs), targets).item()
                count += targets.numel()
        return total, count
