# SPDX-License-Identifier: Apache-2.0
"""Data sets of torch and NumPy, by batches."""
from __future__ import annotations

from typing import Any, Protocol, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.utils.data import Dataset, IterableDataset, Subset, TensorDataset, default_collate

from ._core import Error


class _Unlocked:
    """A read-only array as NumPy describes a writable one. Holds the array."""

    def __init__(self, array: NDArray[Any]) -> None:
        self.array = array
        described = dict(array.__array_interface__)
        described["data"] = (described["data"][0], False)
        self.__array_interface__ = described


def tensor_over(array: NDArray[Any]) -> Tensor:
    """A tensor on the array's memory, which must not be written to if the array is read-only."""
    if array.flags.writeable:
        return torch.from_numpy(array)
    return torch.from_numpy(np.asarray(_Unlocked(array)))  # torch would warn of the array itself


def shape_of(numbers: object) -> str:
    """For sentences: "float32 of shape 32x1x28x28"."""
    if not isinstance(numbers, Tensor):
        return type(numbers).__name__
    kind = str(numbers.dtype).removeprefix("torch.")
    return f"{kind} of shape {'x'.join(map(str, numbers.shape))}" if numbers.dim() > 0 else f"{kind}, a single number"


class Source(Protocol):
    """One client's samples."""

    def __len__(self) -> int: ...
    def batch(self, rows: Tensor) -> tuple[Any, Any]: ...
    def kind(self) -> object: ...  # equal for clients whose samples look the same; None: unknown


class _Tensors:
    def __init__(self, inputs: Tensor, targets: Tensor) -> None:
        self.inputs, self.targets = inputs, targets

    def __len__(self) -> int:
        return len(self.inputs)

    def batch(self, rows: Tensor) -> tuple[Tensor, Tensor]:
        return self.inputs[rows], self.targets[rows]

    def kind(self) -> object:
        return [(part.shape[1:], part.dtype) for part in (self.inputs, self.targets)]


class _Samples:
    """Any map-style data set: sample by sample."""

    def __init__(self, dataset: Any, dtype: torch.dtype) -> None:
        self.dataset, self.dtype = dataset, dtype

    def __len__(self) -> int:
        return len(self.dataset)

    def batch(self, rows: Tensor) -> tuple[Any, Any]:
        samples = [self.dataset[row] for row in rows.tolist()]
        if not all(isinstance(sample, (tuple, list)) and len(sample) == 2 for sample in samples):
            raise Error("datasets: a sample is not a pair (input, target)")
        inputs, targets = default_collate(samples)
        return _fitting_input(inputs, self.dtype), _fitting_target(targets, self.dtype)

    def kind(self) -> object:
        return None


class _Subset:
    def __init__(self, whole: Source, rows: Any) -> None:
        self.whole, self.rows = whole, torch.as_tensor(rows, dtype=torch.int64)

    def __len__(self) -> int:
        return len(self.rows)

    def batch(self, rows: Tensor) -> tuple[Any, Any]:
        return self.whole.batch(self.rows[rows])

    def kind(self) -> object:
        return self.whole.kind()


def _fitting_input(inputs: Any, dtype: torch.dtype) -> Any:
    return inputs.to(dtype) if isinstance(inputs, Tensor) and inputs.is_floating_point() else inputs


def _fitting_target(targets: Any, dtype: torch.dtype) -> Any:
    if not isinstance(targets, Tensor) or targets.is_complex() or targets.dtype == torch.bool:
        return targets
    return targets.to(dtype if targets.is_floating_point() else torch.int64)


def _tensor(numbers: object, where: str) -> Tensor:
    if isinstance(numbers, Tensor):
        if numbers.device.type != "cpu":
            raise Error(f"{where}: a tensor is on the device {numbers.device}; doc2s works on the CPU: use .cpu()")
        return numbers.detach()
    try:
        return tensor_over(np.ascontiguousarray(cast(Any, numbers)))
    except TypeError as error:
        raise TypeError(f"{where}: torch has no tensors of NumPy's {getattr(numbers, 'dtype', 'objects')}") from error


def _of_pair(inputs: object, targets: object, dtype: torch.dtype, where: str) -> _Tensors:
    first, second = _tensor(inputs, where), _tensor(targets, where)
    if first.dim() == 0 or second.dim() == 0 or len(first) != len(second):
        raise Error(f"{where}: inputs are {shape_of(first)} and targets {shape_of(second)}; "
                    "both need one row per sample")
    return _Tensors(_fitting_input(first, dtype), _fitting_target(second, dtype))


def _is_numbers(thing: object) -> bool:
    return isinstance(thing, (Tensor, np.ndarray))


def _source_of(data: Any, dtype: torch.dtype, where: str) -> Source:
    if isinstance(data, (tuple, list)) and len(data) == 2 and all(map(_is_numbers, data)):
        return _of_pair(data[0], data[1], dtype, where)
    if isinstance(data, TensorDataset) and len(data.tensors) == 2:
        return _of_pair(data.tensors[0], data.tensors[1], dtype, where)
    if isinstance(data, Subset):
        return _Subset(_source_of(data.dataset, dtype, where), data.indices)
    if isinstance(data, IterableDataset) or not (hasattr(data, "__getitem__") and hasattr(data, "__len__")):
        raise TypeError(f"{where}: a data set is a torch Dataset with __getitem__ and __len__, or a pair (inputs, "
                        f"targets) of tensors or arrays, not {type(data).__name__}")
    return _Samples(data, dtype)


def source_of(data: Any, dtype: torch.dtype, where: str) -> Source:
    """A client's samples; numbers of other precision than `dtype` are converted, integer targets to int64."""
    source = _source_of(data, dtype, where)
    if len(source) == 0:
        raise Error(f"{where} is empty; each data set needs at least one sample")
    return source


def sources_of(datasets: Any, dtype: torch.dtype) -> list[Source]:
    """One per client."""
    single = isinstance(datasets, Dataset) or _is_numbers(datasets) or (
        isinstance(datasets, tuple) and len(datasets) == 2 and all(map(_is_numbers, datasets)))
    if single:
        raise Error("datasets is one data set; give a list with one per client, [dataset] for a single client")
    try:
        given = list(datasets)
    except TypeError:
        raise TypeError(f"datasets is a list with one data set per client, not {type(datasets).__name__}") from None
    if not given:
        raise Error("datasets is empty; give one data set per client")
    return [source_of(data, dtype, f"datasets[{client}]") for client, data in enumerate(given)]


def equal_parts(rows: Tensor, largest: int | None) -> list[Tensor]:
    """Nearly equal parts of at most `largest` rows."""
    count = len(rows)
    parts = 1 if largest is None else max(1, -(-count // largest))
    return [rows[count * part // parts:count * (part + 1) // parts] for part in range(parts)]
