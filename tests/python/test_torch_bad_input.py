# SPDX-License-Identifier: Apache-2.0
"""doc2s.torch.Problem, called by hand: what it refuses, each in one sentence."""
from __future__ import annotations

import warnings
from typing import Any, Callable

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch import Tensor, nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402
from torch.utils.data import IterableDataset, TensorDataset  # noqa: E402

import doc2s  # noqa: E402
import doc2s.torch  # noqa: E402
from torch_nets import point, problem, rows  # noqa: E402


def linear(**options: Any) -> nn.Linear:
    return nn.Linear(4, 2, **options)


X, Y = torch.ones(6, 4), torch.arange(6) % 2
PAIR = (X, Y)


class Stream(IterableDataset):  # type: ignore[type-arg]
    def __iter__(self) -> Any:
        yield from zip(X, Y)


def mixed() -> nn.Module:
    return nn.Sequential(nn.Linear(4, 3), nn.Linear(3, 2).double())


def wrong_module(make: Callable[[], Any]) -> Any:
    return lambda: (make(), [PAIR], F.cross_entropy)


def wrong_data(make: Callable[[], Any], outputs: int = 2, loss: Any = F.cross_entropy) -> Any:
    return lambda: (nn.Linear(4, outputs), make(), loss)


def wrong_loss(loss: Any) -> Any:
    return lambda: (linear(), [PAIR], loss)


NO_GRADIENT = "it does not depend on the parameters in a way that autograd sees"
BAD: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "no module": (wrong_module(lambda: 3), TypeError, "module is a torch.nn.Module, not int"),
    "all frozen": (wrong_module(lambda: linear().requires_grad_(False)), doc2s.Error, "no parameter requires a grad"),
    "two precisions": (wrong_module(mixed), doc2s.Error, '"0.weight" holds torch.float32 and "1.weight" torch.float64'),
    "half": (wrong_module(lambda: linear().half()), doc2s.Error, "its parameters are torch.float16"),
    "complex": (wrong_module(lambda: linear(dtype=torch.complex64)), doc2s.Error, "its parameters are torch.complex64"),
    "elsewhere": (wrong_module(lambda: linear(device="meta")), doc2s.Error, '"weight" is on the device meta'),
    "no shape yet": (wrong_module(lambda: nn.LazyLinear(2)), doc2s.Error, '"weight" has no shape yet'),
    "other inputs": (wrong_module(lambda: nn.Linear(5, 2)), doc2s.Error,
                     r"datasets\[0\]: the module does not take inputs, float32 of shape 4x4: mat1"),
    "no clients": (wrong_data(lambda: []), doc2s.Error, "datasets is empty; give one data set per client"),
    "no list": (wrong_data(lambda: 5), TypeError, "datasets is a list with one data set per client, not int"),
    "one data set": (wrong_data(lambda: TensorDataset(X, Y)), doc2s.Error, r"one data set; .*\[dataset\]"),
    "one pair": (wrong_data(lambda: PAIR), doc2s.Error, r"one data set; .*\[dataset\]"),
    "empty": (wrong_data(lambda: [PAIR, (X[:0], Y[:0])]), doc2s.Error, r"datasets\[1\] is empty"),
    "a stream": (wrong_data(lambda: [Stream()]), TypeError, "not Stream"),
    "a number": (wrong_data(lambda: [7]), TypeError, r"datasets\[0\]: a data set is .* not int"),
    "text": (wrong_data(lambda: [(np.array(["a"]), np.array([1]))]), TypeError, "no tensors of NumPy's <U1"),
    "data elsewhere": (wrong_data(lambda: [(X.to("meta"), Y)]), doc2s.Error, "tensor is on the device meta"),
    "lengths": (wrong_data(lambda: [(X, Y[:5])]), doc2s.Error, "float32 of shape 6x4 and targets int64 of shape 5;"),
    "no pairs": (wrong_data(lambda: [list(X)]), doc2s.Error, "a sample is not a pair"),
    "no batch": (wrong_data(lambda: [[(object(), 1)]]), doc2s.Error, r"datasets\[0\]: its first samples make no batch"),
    "one client's inputs": (wrong_data(lambda: [PAIR, (X[:, :3], Y)]), doc2s.Error,
                            r"datasets\[1\]: the module does not take inputs, float32 of shape 4x3"),
    "targets": (wrong_data(lambda: [(X, torch.ones(6, 3))]), doc2s.Error,
                "the loss does not take outputs, float32 of shape 4x2, with targets, float32 of shape 4x3: "),
    "too many classes": (wrong_data(lambda: [(X, Y + 1)]), doc2s.Error, "the loss does not.*Target 2 is out of bounds"),
    "broadcast": (wrong_data(lambda: [(X, torch.ones(6))], 1, F.mse_loss), doc2s.Error,
                  "shape 4x1, with targets, float32 of shape 4: Using a target size"),
    "no loss": (wrong_loss("mse"), TypeError, "loss is a function of outputs and targets, not str"),
    "no scalar": (wrong_loss(nn.CrossEntropyLoss(reduction="none")), doc2s.Error,
                  'float32 of shape 4, not one real number; use reduction="mean"'),
    "no tensor": (wrong_loss(lambda out, right: out.sum().item()), TypeError, "of type float, not a tensor"),
    "detached": (wrong_loss(lambda out, right: F.cross_entropy(out.detach(), right)), doc2s.Error, NO_GRADIENT),
    "constant": (wrong_loss(lambda out, right: 2 * torch.ones((), requires_grad=True)), doc2s.Error, NO_GRADIENT),
}


@pytest.mark.filterwarnings("ignore:Lazy modules")
@pytest.mark.parametrize("wrong, kind, sentence", BAD.values(), ids=list(BAD))
def test_bad_input(wrong: Callable[[], Any], kind: type[Exception], sentence: str) -> None:
    with pytest.raises(kind, match=sentence) as raised:
        doc2s.torch.Problem(*wrong())
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("options, sentence", [
    ({"batch_norm": "none"}, 'batch_norm is "batch" or "running", not \'none\''),
    ({"chunk": 0}, "chunk is at least 1"),
    ({"threads": 0}, "threads is at least 1"),
    ({"test": (X[:0], Y[:0])}, "test is empty"),
    ({"test": (X, torch.ones(6, 3))}, "outputs are float32 of shape 4x2 and targets float32 of shape 4x3"),
    ({"test": (X, torch.stack([Y, Y], 1))}, "integer targets need one output per class"),
    ({"test": (X[:, :3], Y)}, "test: the module does not take inputs"),
])
def test_bad_options(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(doc2s.Error, match=sentence):
        doc2s.torch.Problem(linear(), [PAIR], F.cross_entropy, **options)


def test_torchs_own_error_is_the_cause() -> None:
    with pytest.raises(doc2s.Error) as raised:
        doc2s.torch.Problem(nn.Linear(5, 2), [PAIR], F.cross_entropy)
    assert isinstance(raised.value.__cause__, RuntimeError)


def test_wrong_points_are_refused() -> None:
    of = problem()
    with pytest.raises(doc2s.Error, match=r"x has shape \(3,\); the module has"):
        of.value(0, rows(), np.zeros(3, np.float32))


def test_values_alone_need_no_gradient() -> None:
    def share_of_errors(outputs: Tensor, targets: Tensor) -> Tensor:
        return (outputs.argmax(1) != targets).double().mean()

    errors = doc2s.torch.Problem(linear(), [PAIR], share_of_errors, has_gradient=False)
    assert not errors.has_gradient
    assert errors.value(0, rows(0, 1, 2, 3), errors.start(0), None) == 0.5


def test_warnings_of_the_users_code_come_through() -> None:
    class Noisy(nn.Linear):
        def forward(self, inputs: Tensor) -> Tensor:
            warnings.warn("mind the gap")
            return super().forward(inputs)

    with pytest.warns(UserWarning, match="mind the gap"):
        of = doc2s.torch.Problem(Noisy(4, 2), [PAIR], F.cross_entropy)
    with pytest.warns(UserWarning, match="mind the gap"):
        of.value(0, rows(0, 1), of.start(0))
