# SPDX-License-Identifier: Apache-2.0
"""Nets, data and points that the tests of doc2s.torch share."""
from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

import doc2s
import doc2s.torch

CLASSES, SIDE = 3, 8


class Net(nn.Module):
    """Convolution, batch norm, dropout where asked for, a linear layer."""

    def __init__(self, *, norm: bool = True, dropout: float = 0.0, classes: int = CLASSES) -> None:
        super().__init__()
        self.conv = nn.Conv2d(1, 4, 3)
        self.norm = nn.BatchNorm2d(4) if norm else nn.Identity()
        self.dropout = dropout
        self.out = nn.Linear(4, classes)

    def forward(self, images: Tensor) -> Tensor:
        maps = torch.relu(self.norm(self.conv(images)))
        return self.out(F.dropout(maps.mean(dim=[2, 3]), self.dropout, self.training))


def data(count: int = 20, seed: int = 0) -> tuple[Tensor, Tensor]:
    chance = torch.Generator().manual_seed(seed)
    targets = torch.randint(0, CLASSES, (count,), generator=chance)
    return torch.randn(count, 1, SIDE, SIDE, generator=chance) + targets.view(-1, 1, 1, 1), targets


def net(**options: Any) -> Net:
    torch.manual_seed(5)
    return Net(**options)


def problem(module: nn.Module | None = None, clients: int = 3, **options: Any) -> doc2s.torch.Problem:
    return doc2s.torch.Problem(module or net(), [data(20 + i, i) for i in range(clients)], F.cross_entropy, **options)


def rows(*numbers: int) -> np.ndarray:
    made = np.array(numbers or range(10), np.int64)
    made.flags.writeable = False
    return made


def point(of: doc2s.torch.Problem, seed: int = 1) -> np.ndarray:
    """Near the start, read-only as the engine's x."""
    made = of.start(0) + np.random.default_rng(seed).normal(0, 0.1, of.dimension).astype(of.precision)
    made.flags.writeable = False
    return made


def unfilled(of: doc2s.torch.Problem) -> np.ndarray:
    return np.full(of.dimension, np.nan, of.precision)


def value_and_gradient(of: doc2s.torch.Problem, i: int, batch: np.ndarray, x: np.ndarray) -> tuple[float, np.ndarray]:
    gradient = unfilled(of)
    return of.value(i, batch, x, gradient), gradient


def plain(module: nn.Module, x: np.ndarray, inputs: Tensor, targets: Tensor,
          loss: Any = F.cross_entropy) -> tuple[float, np.ndarray]:
    """By autograd alone; x in the order of parameters()."""
    first = 0
    for each in module.parameters():
        if each.requires_grad:
            each.data = torch.tensor(x[first:first + each.numel()]).reshape(each.shape)
            first += each.numel()
    module.zero_grad()
    value = loss(module(inputs), targets)
    value.backward()
    parts = [each.grad.reshape(-1) for each in module.parameters() if each.requires_grad]
    return value.item(), torch.cat(parts).numpy()
