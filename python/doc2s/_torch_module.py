# SPDX-License-Identifier: Apache-2.0
"""A module of torch on memory that is not its own: x, a gradient, a client's buffers."""
from __future__ import annotations

from contextlib import contextmanager
from itertools import repeat
from typing import Any, Iterable, Iterator

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ._core import Error
from ._torch_data import tensor_over

_PRECISIONS = {torch.float32: "float32", torch.float64: "float64"}
_ALIGNMENT = 64  # bytes


def check_tensors(module: nn.Module) -> None:
    """Refuses what has no memory on the CPU."""
    for name, tensor in [*module.named_parameters(), *module.named_buffers()]:
        if isinstance(tensor, (nn.parameter.UninitializedParameter, nn.parameter.UninitializedBuffer)):
            raise Error(f'module: "{name}" has no shape yet; call the module once on a batch before')
        if tensor.device.type != "cpu":
            raise Error(f'module: "{name}" is on the device {tensor.device}; doc2s works on the CPU: use module.cpu()')


class Parameters:
    """The parameters that require gradients, as one vector in the order of module.parameters()."""

    def __init__(self, module: nn.Module) -> None:
        named = [(name, each) for name, each in module.named_parameters() if each.requires_grad]
        if not named:
            raise Error("module: no parameter requires a gradient, so there is nothing to optimise; "
                        "set requires_grad_() for some")
        self.all = [each for _, each in named]
        self.dtype = self.all[0].dtype
        for name, each in named:
            if each.dtype != self.dtype:
                raise Error(f'module: "{named[0][0]}" holds {self.dtype} and "{name}" {each.dtype}; '
                            "one vector has one precision: use module.float() or module.double()")
        if self.dtype not in _PRECISIONS:
            raise Error(f"module: its parameters are {self.dtype}; doc2s works in float32 and float64: "
                        "use module.float()")
        self.precision = _PRECISIONS[self.dtype]
        self._sizes, self._shapes = [each.numel() for each in self.all], [each.shape for each in self.all]
        self.dimension = sum(self._sizes)

    def values(self) -> NDArray[Any]:
        """A copy of the module's own."""
        flat = torch.cat([each.detach().reshape(-1) for each in self.all]).numpy()
        return np.array(flat)

    def vector(self, x: NDArray[Any]) -> NDArray[Any]:
        """x itself if its type fits, else converted."""
        vector = np.ascontiguousarray(x, self.precision)
        if vector.shape != (self.dimension,):
            raise Error(f"x has shape {vector.shape}; the module has {self.dimension} parameters")
        return vector

    def views(self, vector: Tensor) -> list[Tensor]:
        """Parts of the vector in the parameters' shapes."""
        parts = torch.split_with_sizes(vector, self._sizes)
        return [part.view(shape) for part, shape in zip(parts, self._shapes)]

    @contextmanager
    def at(self, x: NDArray[Any], gradient: NDArray[Any] | None) -> Iterator[None]:
        """Makes the parameters views into x and their gradients views into `gradient`, until the end of the block."""
        own: list[tuple[Tensor, Tensor | None]] = [(each.data, each.grad) for each in self.all]
        gradients: list[Tensor] = []
        try:
            if gradient is not None:
                gradient.fill(0)
                gradients = self.views(torch.from_numpy(gradient))
            self._set(zip(self.views(tensor_over(x)), gradients or repeat(None)))
            yield
            self._gather(gradients)
        finally:
            gradients.clear()  # a traceback holds this frame, but the memory may be gone
            self._set(own)

    def _set(self, numbers: Iterable[tuple[Tensor, Tensor | None]]) -> None:
        for each, (data, grad) in zip(self.all, numbers):
            each.data = data
            each.grad = grad

    def _gather(self, views: list[Tensor]) -> None:
        """Autograd adds into the views, unless the user's code has put others in their place."""
        for each, view in zip(self.all, views):
            if each.grad is not view and each.grad is not None:
                view.copy_(each.grad)


class Buffers:
    """Each client's own buffers (batch norm's statistics and the like), packed into one array of bytes per client."""

    def __init__(self, module: nn.Module, clients: int) -> None:
        slots = [(owner, name, tensor) for owner in module.modules() for name, tensor in owner._buffers.items()
                 if isinstance(tensor, Tensor) and tensor.layout == torch.strided]  # sparse ones stay the module's
        self._slots = slots
        self._tensors = list({id(tensor): tensor for _, _, tensor in slots}.values())
        self.size = sum(self._room(tensor) for tensor in self._tensors)  # bytes
        self._memory = np.zeros((clients + 1, self.size), np.uint8)  # the last row is scratch
        self._views = [self._views_into(row) for row in self._memory]
        self.reset()

    def reset(self) -> None:
        """Gives each client the module's own values."""
        for views in self._views:
            for view, tensor in zip(views, self._tensors):
                view.copy_(tensor.detach())

    def state(self, client: int) -> NDArray[np.uint8]:
        """The client's memory."""
        row: NDArray[np.uint8] = self._memory[client]
        return row

    def values(self, client: int) -> list[Tensor]:
        """Copies of the client's buffers."""
        return [view.clone() for view in self._views[client]]

    @contextmanager
    def of(self, client: int, *, kept: bool) -> Iterator[None]:
        """Makes the module's buffers the client's, until the end of the block. Unless `kept`, changes are dropped."""
        if not kept:
            self._memory[-1] = self._memory[client]
        views = self._views[client if kept else -1]
        own = [tensor.data for tensor in self._tensors]
        before = {id(tensor): view for tensor, view in zip(self._tensors, views)}
        try:
            for tensor, view in zip(self._tensors, views):
                tensor.data = view
            yield
            for owner, name, tensor in self._slots:
                if owner._buffers[name] is not tensor:
                    _copy_back(owner._buffers[name], before[id(tensor)], name)
        finally:
            for owner, name, tensor in self._slots:
                if owner._buffers[name] is not tensor:
                    owner._buffers[name] = tensor
            for tensor, data in zip(self._tensors, own):
                tensor.data = data

    @staticmethod
    def _room(tensor: Tensor) -> int:
        return -(-tensor.numel() * tensor.element_size() // _ALIGNMENT) * _ALIGNMENT

    def _views_into(self, row: NDArray[np.uint8]) -> list[Tensor]:
        views, first = [], 0
        for tensor in self._tensors:
            size = tensor.numel() * tensor.element_size()
            part = torch.from_numpy(row[first:first + size]).view(tensor.dtype) if size > 0 else tensor.clone()
            views.append(part.view(tensor.shape))
            first += self._room(tensor)
        return views


def _copy_back(changed: Tensor | None, view: Tensor, name: str) -> None:
    """For modules that put another tensor in a buffer's place."""
    if changed is None or changed.shape != view.shape or changed.dtype != view.dtype:
        raise Error(f'module: the buffer "{name}" changed its shape or type; '
                    "doc2s keeps each client's buffers and needs them to stay as they are")
    with torch.no_grad():
        view.copy_(changed)


def _is_norm(part: nn.Module) -> bool:
    name = getattr(part, "original_name", type(part).__name__)  # of scripted modules, the class's own
    return isinstance(part, nn.modules.batchnorm._NormBase) or "BatchNorm" in name


@contextmanager
def mode(module: nn.Module, *, training: bool, batch_statistics: bool = False) -> Iterator[None]:
    """Training or evaluation, until the end of the block.

    With `batch_statistics`, batch norm uses in evaluation what it uses in training.
    """
    before = [(part, part.training) for part in module.modules()]
    try:
        module.train()
        if not training:
            moving = [part for part, _ in before if batch_statistics and part.training and _is_norm(part)]
            module.eval()
            for part in moving:  # a module may have frozen others
                part.training = True
        yield
    finally:
        for part, flag in before:
            if part.training != flag:
                part.training = flag


@contextmanager
def torch_set(threads: int, seed: int) -> Iterator[None]:
    """Torch's number of threads and random numbers, until the end of the block."""
    threads_before = torch.get_num_threads()
    chance_before = torch.default_generator.get_state()
    try:
        torch.set_num_threads(threads)
        torch.default_generator.manual_seed(seed)
        yield
    finally:
        torch.default_generator.set_state(chance_before)
        torch.set_num_threads(threads_before)


@contextmanager
def without_graphs(module: nn.Module) -> Iterator[None]:
    """Takes away what deepcopy() should not or cannot copy, until the end of the block.

    That is gradients, and tensors such as the weight that weight_norm computes in each forward pass.
    """
    gradients = [(each, each.grad) for each in module.parameters()]
    computed = [(part, name, tensor) for part in module.modules() for name, tensor in vars(part).items()
                if isinstance(tensor, Tensor) and not tensor.is_leaf]
    try:
        for each, _ in gradients:
            each.grad = None
        for part, name, tensor in computed:
            setattr(part, name, tensor.detach())
        yield
    finally:
        for part, name, tensor in computed:
            setattr(part, name, tensor)
        for each, grad in gradients:
            each.grad = grad
