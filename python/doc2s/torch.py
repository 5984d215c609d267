# SPDX-License-Identifier: Apache-2.0
"""Modules of PyTorch as problems: doc2s.minimize(doc2s.torch.Problem(module, datasets, loss))."""
from __future__ import annotations

import hashlib
from typing import Any, Callable, Iterator, Sequence

import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ._core import Error
from ._torch_data import Source, source_of, sources_of
from ._torch_module import Buffers, Parameters, check_tensors, torch_set
from ._torch_network import Network, Score, fitting, one_at_a_time

__all__ = ["Problem"]

_RENEWALS = 4  # batches that batch norm's statistics are taken from


class Problem:
    """A PyTorch module whose parameters are optimised over several clients, each with its own data.

        problem = doc2s.torch.Problem(module, [site_a, site_b, site_c], torch.nn.functional.cross_entropy)
        result = doc2s.minimize(problem, graph="ring", method="doc2s", eta=0.01, D=0.05, K=10, T=100, batch=32)
        trained = result.module()

    module
        Any torch.nn.Module on the CPU. Its parameters that require gradients are x, in the order of
        module.parameters(), a shared one once; frozen ones stay as they are. They are all float32 or all float64.
        The run starts with their values. The module itself comes out of the run as it went in; the trained one is
        result.module(). During a call its parameters are views into the run's x and their gradients views into
        the run's gradient, so nothing is copied.
    datasets
        A list with one data set per client: a torch Dataset of pairs (input, target), or a pair (inputs, targets)
        of tensors or NumPy arrays with one row per sample. Pairs, TensorDataset and Subset of it are indexed
        as a whole, which is fast; other data sets are read sample by sample each time, so keep what is slow to
        make. Numbers with another precision than the parameters' are converted, integer targets to int64.
    loss
        loss(outputs, targets) -> scalar tensor: the mean over the batch, such as torch.nn.functional.cross_entropy
        or torch.nn.MSELoss(). It gets the outputs in float64 if it takes them so, because zeroth-order methods use
        differences of two losses. It may also use the module's parameters, for weight decay.
    batch_norm
        What batch norm uses in records, that is for the losses and the accuracy (training always uses the batch's):
        "batch", the statistics of the evaluation samples themselves, which depend on x alone; or "running", the
        client's own running statistics, and those of client 0 for the accuracy.
    test
        A data set for records. With integer targets there is an `accuracy`, the share of samples whose largest
        output is the target's; with floating-point targets a `test_rmse`, the root mean square error.
    chunk
        A batch of more samples is computed in equal parts of at most `chunk`, each with its own batch statistics,
        which bounds the memory. The loss is the parts' mean. None: never split.
    threads
        Torch's threads in a call. Another number gives other last bits, so it is not taken from the machine.
    seed
        For dropout and other random numbers of torch. They are drawn from the seed, the client and the batch's sample
        numbers, so that F_i(x; batch) is a function: the two values of a zeroth-order pair see the same ones.
        Transforms of a data set may draw, too, if they do it with torch.
    has_gradient
        False: only values are used (zeroth order), and the loss need not be differentiable.

    Buffers, such as batch norm's running statistics, belong to the client: each has its own, which its calls of
    value() update and which checkpoints keep. A new run starts with the module's.

    Calls from several threads run one after the other, since there is one module; `mpirun -n 4 python3 mine.py` lets
    four of them work at once. Losses in records are over all samples: minimize(…, evaluation=1000) takes fewer.
    """

    clients: int
    dimension: int
    precision: str
    has_gradient: bool
    accuracy: Callable[[NDArray[Any]], float]  # with a test set of classes
    test_rmse: Callable[[NDArray[Any]], float]  # with a test set of numbers
    state: Callable[[int], NDArray[Any]]  # if the module has buffers

    def __init__(self, module: nn.Module, datasets: Sequence[Any], loss: Callable[[Any, Any], Tensor], *,
                 batch_norm: str = "batch", test: Any = None, chunk: int | None = 256, threads: int = 1, seed: int = 0,
                 has_gradient: bool = True) -> None:
        _check(module, loss, batch_norm, chunk, threads)
        parameters = Parameters(module)
        sources = sources_of(datasets, parameters.dtype)
        self.clients, self.dimension, self.precision = len(sources), parameters.dimension, parameters.precision
        self.has_gradient = has_gradient
        self._sources = sources
        self._network = Network(module, parameters, Buffers(module, len(sources)), loss, batch_norm, chunk, threads)
        self._seed = seed
        with one_at_a_time:
            self._try_all()
        if self._network.buffers.size > 0:
            self.state = self._network.buffers.state
        if test is not None:
            self._set_test(source_of(test, parameters.dtype, "test"))

    def samples(self, i: int) -> int:
        """The number of client i's samples."""
        return len(self._sources[i])

    def value(self, i: int, batch: NDArray[Any], x: NDArray[Any], gradient: NDArray[Any] | None = None) -> float:
        """The loss on these samples of client i in training mode. Fills `gradient` unless it is None."""
        return self._mean(i, batch, x, gradient, training=True)

    def loss(self, i: int, batch: NDArray[Any], x: NDArray[Any]) -> float:
        """The same in evaluation mode, for records."""
        return self._mean(i, batch, x, None, training=False)

    def start(self, seed: int) -> NDArray[Any]:
        """The module's own parameters."""
        with one_at_a_time:
            return self._network.parameters.values()

    def reset_state(self) -> None:
        """Gives each client the module's own buffers again; minimize() does so before a run."""
        with one_at_a_time:
            self._network.buffers.reset()

    def module_at(self, x: NDArray[Any], *, client: int | None = None) -> nn.Module:
        """A copy of the module with the parameters x, in evaluation mode.

        Its buffers are those of `client` (over MPI, one of this process). Without a client they are those of client 0;
        with batch_norm="batch" the statistics of batch norm are then computed anew, at x, from samples of all clients.
        """
        if client is not None and not 0 <= client < self.clients:
            raise Error(f"client {client} does not exist; the problem has {self.clients}, numbered from 0")
        with one_at_a_time:
            made = self._network.copy_at(x, client or 0)
            if client is None and self._network.batch_norm == "batch":
                with torch_set(self._network.threads, self._seed), fitting("samples of all clients make no batch"):
                    _renew_statistics(made, self._mixed_batches())
        return made

    def _mean(self, i: int, batch: NDArray[Any], x: NDArray[Any], gradient: NDArray[Any] | None, *,
              training: bool) -> float:
        rows = torch.tensor(batch, dtype=torch.int64)  # a copy: a traceback may hold it
        seed = _chance_of(self._seed, i, rows)
        with one_at_a_time, self._network.at(x, gradient, i, training, seed):
            return self._network.mean(self._sources[i], rows, backward=gradient is not None)

    def _try_all(self) -> None:
        """Finds out before training what does not fit: client 0's samples, and those that look otherwise."""
        tried: list[object] = []
        in_double = True
        for i, source in enumerate(self._sources):
            if i == 0 or source.kind() is not None and source.kind() not in tried:
                tried.append(source.kind())
                in_double &= self._network.try_on(source, i, self.has_gradient)
        self._network.in_double = in_double

    def _set_test(self, test: Source) -> None:
        score = Score(self._network, test, self._seed)
        with one_at_a_time:
            classes = score.are_classes()
        if classes:
            self.accuracy = score.accuracy
        else:
            self.test_rmse = score.test_rmse

    def _mixed_batches(self) -> Iterator[Any]:
        """Inputs of all clients, each with the same number of samples spread over its data set."""
        count = max(1, (self._network.chunk or 256) // self.clients)
        for first in range(_RENEWALS):
            spread = torch.arange(first, _RENEWALS * count, _RENEWALS)
            rows = [spread * len(source) // (_RENEWALS * count) for source in self._sources]
            yield torch.cat([source.batch(each)[0] for source, each in zip(self._sources, rows)])


def _check(module: object, loss: object, batch_norm: str, chunk: int | None, threads: int) -> None:
    if not isinstance(module, nn.Module):
        raise TypeError(f"module is a torch.nn.Module, not {type(module).__name__}")
    if not callable(loss):
        raise TypeError(f"loss is a function of outputs and targets, not {type(loss).__name__}")
    if batch_norm not in ("batch", "running"):
        raise Error(f'batch_norm is "batch" or "running", not {batch_norm!r}')
    if chunk is not None and chunk < 1:
        raise Error(f"chunk is at least 1, or None, not {chunk}")
    if threads < 1:
        raise Error(f"threads is at least 1, not {threads}")
    check_tensors(module)


def _chance_of(seed: int, client: int, rows: Tensor) -> int:
    """The seed of a batch's random numbers, 63 bits."""
    digest = hashlib.blake2b(rows.numpy().tobytes(), digest_size=8, key=b"%d %d" % (seed, client)).digest()
    return int.from_bytes(digest, "little") >> 1


def _renew_statistics(module: nn.Module, batches: Iterator[Any]) -> None:
    """Sets the running statistics of batch norm to the mean over these batches."""
    parts = [part for part in module.modules()
             if isinstance(part, nn.modules.batchnorm._BatchNorm) and part.track_running_stats]
    if not parts:
        return
    momenta: list[Any] = [part.momentum for part in parts]
    for part in parts:
        part.reset_running_stats()
        setattr(part.train(), "momentum", None)  # the mean over all batches
    with torch.no_grad():
        for inputs in batches:
            module(inputs)
    for part, momentum in zip(parts, momenta):
        part.eval().momentum = momentum
