#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A small CNN on Fashion-MNIST, trained by five sites that see mostly two classes each and share no image.

    python3 torch_cnn.py                    about a minute; prints the accuracy and writes torch_cnn.png
    python3 torch_cnn.py --quick            a short run, to see that all is there

The files are looked for in the folders of $DOC2S_DATA, in ~/.local/share/doc2s and in /usr/share/datasets (Debian's
package dataset-fashion-mnist).
"""
from __future__ import annotations

import argparse
import gzip
import os
import sys
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

import doc2s
import doc2s.torch

SITES, CLASSES = 5, 10
Data = tuple[Tensor, Tensor]  # images, labels


def folder() -> Path:
    """Where Fashion-MNIST is."""
    share = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    named = [Path(name) for name in os.environ.get("DOC2S_DATA", "").split(":") if name]
    for place in [*named, Path(share, "doc2s"), Path("/usr/share/datasets")]:
        for found in (place / "fashion-mnist", place):
            if any(found.glob("train-images-idx3-ubyte*")):
                return found
    print("Fashion-MNIST was not found; fetch it with `doc2s data get fashion-mnist`, or set DOC2S_DATA to a folder "
          "that holds fashion-mnist/train-images-idx3-ubyte.gz", file=sys.stderr)
    sys.exit(77)


def read(path: Path) -> NDArray[np.uint8]:
    """An IDX file: two zeros, the type, the number of dimensions, the sizes (big-endian), the bytes."""
    content = path.read_bytes() if path.exists() else gzip.decompress(path.with_name(path.name + ".gz").read_bytes())
    sizes = np.frombuffer(content, ">u4", content[3], 4)
    return np.frombuffer(content, np.uint8, offset=4 + 4 * len(sizes)).reshape(sizes.astype(int))


def images(place: Path, part: str) -> Data:
    pixels = torch.tensor(read(place / f"{part}-images-idx3-ubyte"), dtype=torch.float32)
    labels = torch.tensor(read(place / f"{part}-labels-idx1-ubyte"), dtype=torch.int64)
    return (pixels.unsqueeze(1) - 72.9) / 90.0, labels


def dealt(data: Data, seed: int) -> list[Data]:
    """Four fifths of a class go to its own site, the rest to any."""
    chance = torch.Generator().manual_seed(seed)
    count = len(data[1])
    anywhere = torch.randint(0, SITES, (count,), generator=chance)
    site = torch.where(torch.rand(count, generator=chance) < 0.8, data[1] * SITES // CLASSES, anywhere)
    return [(data[0][site == i], data[1][site == i]) for i in range(SITES)]


def network() -> nn.Module:
    torch.manual_seed(1)
    return nn.Sequential(
        nn.Conv2d(1, 8, 5, stride=2), nn.ReLU(),
        nn.Conv2d(8, 16, 3, stride=2), nn.ReLU(),
        nn.Flatten(), nn.Linear(16 * 5 * 5, CLASSES))


def main() -> None:
    parser = argparse.ArgumentParser(description="a CNN on Fashion-MNIST over five sites")
    parser.add_argument("--quick", action="store_true", help="a short run")
    parser.add_argument("--plot", default="torch_cnn.png", help="where the curves go")
    options = parser.parse_args()

    place = folder()
    train, test = images(place, "train"), images(place, "t10k")
    problem = doc2s.torch.Problem(network(), dealt(train, seed=1), nn.functional.cross_entropy, test=test)
    epochs = 5 if options.quick else 100
    result = doc2s.minimize(problem, graph="ring", method="doc2s", K=epochs, T=100, eta=0.01, D=0.05, batch=32, seed=1,
                            evaluation=1000, record_every=100 * epochs // 20)

    trained = result.module()
    with torch.no_grad():
        right = trained(test[0]).argmax(1) == test[1]
    print(f"{problem.dimension} parameters, {SITES} sites, {result.history['samples'][-1]} samples, "
          f"{result.history['seconds'][-1]:.0f} s")
    print(f"test accuracy {right.double().mean():.4f}")
    for label in range(CLASSES):
        share = right[test[1] == label].double().mean()
        print(f"  class {label}, mostly at site {label * SITES // CLASSES}: {share:.3f}")
    result.plot("accuracy").savefig(options.plot)
    print(f"curves: {options.plot}")


if __name__ == "__main__":
    main()
