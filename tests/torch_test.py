#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Neural networks by libtorch, held against python3-torch: python3 torch_test.py PROGRAM [TEST…]."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import torch
from torch import nn

PROGRAM = ""
CLASSES = 10


class Block(nn.Module):
    def __init__(self, channels, out, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(channels, out, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(out)
        self.conv2 = nn.Conv2d(out, out, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(out)
        self.downsample = nn.Sequential()
        if stride != 1 or channels != out:
            self.downsample = nn.Sequential(nn.Conv2d(channels, out, 1, stride, bias=False), nn.BatchNorm2d(out))

    def forward(self, x):
        y = torch.relu(self.bn1(self.conv1(x)))
        return torch.relu(self.bn2(self.conv2(y)) + self.downsample(x))


class ResNet18(nn.Module):
    def __init__(self, width):
        super().__init__()
        c = round(64 * width)
        self.conv1 = nn.Conv2d(3, c, 3, 1, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(c)
        blocks, channels = [], c
        for stage in range(4):
            out = c << stage
            blocks += [Block(channels, out, 1 if stage == 0 else 2), Block(out, out, 1)]
            channels = out
        self.blocks = nn.Sequential(*blocks)
        self.fc = nn.Linear(channels, CLASSES)

    def forward(self, x):
        y = self.blocks(torch.relu(self.bn1(self.conv1(x))))
        return self.fc(torch.nn.functional.adaptive_avg_pool2d(y, 1).flatten(1))


class Small(nn.Module):
    """A layer used twice, batch norm, a buffer that is no statistic, and dropout where it is asked for."""

    def __init__(self, dropout=0.0, classes=CLASSES, channels=3):
        super().__init__()
        self.conv = nn.Conv2d(channels, 6, 5, stride=2)
        self.norm = nn.BatchNorm2d(6)
        self.again = nn.Conv2d(6, 6, 3, padding=1)
        self.drop = nn.Dropout(dropout)
        self.out = nn.Linear(6, classes)
        self.register_buffer("scale", torch.tensor([0.5]))

    def forward(self, x):
        y = torch.relu(self.norm(self.conv(x)))
        y = torch.tanh(self.again(torch.tanh(self.again(y))))
        return self.out(self.drop(y.mean(dim=[2, 3]))) * self.scale


def parameters_from(model, numbers):
    first = 0
    for parameter in model.parameters():
        count = parameter.numel()
        parameter.data = torch.tensor(numbers[first:first + count], dtype=parameter.dtype).reshape(parameter.shape)
        first += count
    assert first == len(numbers), f"{first} parameters here, {len(numbers)} there"


def flat(tensors):
    return torch.cat([tensor.detach().reshape(-1) for tensor in tensors]).double().numpy()


class TorchTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def doc2s(self, *words, program=None, code=0, before=()):
        answer = subprocess.run([*before, program or PROGRAM, *map(str, words)], capture_output=True, text=True)
        self.assertEqual(answer.returncode, code, answer.stdout + answer.stderr)
        return answer

    def images(self, count=60):
        """Records as CIFAR-10's files have them, and the numbers that a network sees of them."""
        chance = np.random.default_rng(1)
        labels = chance.integers(0, CLASSES, count)
        pictures = chance.integers(0, 256, (CLASSES, 3, 32, 32))
        pixels = (0.5 * pictures[labels] + 0.5 * chance.integers(0, 256, (count, 3, 32, 32))).astype(np.uint8)
        data = self.folder / "data"
        data.mkdir(exist_ok=True)
        records = np.concatenate([labels[:, None].astype(np.uint8), pixels.reshape(count, -1)], axis=1)
        (data / "data_batch_1.bin").write_bytes(records.tobytes())
        mean = pixels.mean(axis=(0, 2, 3), keepdims=True)
        deviation = pixels.std(axis=(0, 2, 3), keepdims=True)
        return data, torch.tensor((pixels - mean) / deviation), torch.tensor(labels)

    def model(self, name="model.pt", **words):
        torch.manual_seed(3)
        path = self.folder / name
        torch.jit.script(Small(**words)).save(str(path))
        return path

    def config(self, text, **values):
        path = self.folder / "config.toml"
        path.write_text(text.format(**values))
        return path

    ONE = """\
precision = "{precision}"
[problem]
{problem}
data = "{data}"
batch = 12
evaluation = 1000
[clients]
count = 1
[network]
graph = "complete"
[method]
K = 1
T = 1
eta = 0.01
D = 0.01
delta_prime = 0
"""

    def one_step(self, problem, precision):
        """One client, one iteration without smoothing: g is the gradient at x0 on the batch."""
        data, images, labels = self.images()
        config = self.config(self.ONE, problem=problem, precision=precision, data=data)
        trace, out = self.folder / "trace", self.folder / "out"
        self.doc2s("run", config, "--out", out, "--quiet", "--force", "--trace", trace, "--trace", trace)
        header, step = [json.loads(line) for line in trace.read_text().splitlines()]
        first = json.loads((out / "metrics.jsonl").read_text().splitlines()[0])
        return header["header"], step, first["loss_mean_point"], images, labels

    def compare(self, model, problem, precision, tolerance):
        header, step, loss, images, labels = self.one_step(problem, precision)
        kind = torch.float32 if precision == "float32" else torch.float64
        model = model.to(kind).train()
        parameters_from(model, header["x0"])
        images = images.to(kind)
        criterion = nn.CrossEntropyLoss()
        with torch.no_grad():
            expected = criterion(model(images), labels).item()
        self.assertLess(abs(loss - expected), tolerance * expected)
        rows = step["batch"]
        criterion(model(images[rows]), labels[rows]).backward()
        expected = flat([parameter.grad for parameter in model.parameters()])
        off = np.linalg.norm(np.array(step["g"]) - expected) / np.linalg.norm(expected)
        self.assertLess(off, tolerance)
        print(f"{problem.splitlines()[0]}, {precision}: loss {loss:.9f}, gradient off by {off:.1e}")

    def test_resnet18_is_pytorchs(self):
        problem = 'name = "resnet18"\nwidth = 0.125'
        self.compare(ResNet18(0.125), problem, "float32", 1e-4)
        self.compare(ResNet18(0.125), problem, "float64", 1e-9)

    def test_torchscript_is_pytorchs(self):
        path = self.model()
        problem = f'name = "torchscript"\nmodel = "{path}"'
        self.compare(Small(), problem, "float32", 1e-4)
        self.compare(Small(), problem, "float64", 1e-9)
        header, *_ = self.one_step(problem, "float32")
        start = flat(torch.jit.load(str(path)).parameters())
        self.assertTrue(np.array_equal(np.float32(header["x0"]), np.float32(start)), "x0 is not the file's")

    SMALL = """\
[problem]
{problem}
size = 64
batch = 6
evaluation = 24
test_images = 10
augment = true
[clients]
count = 4
[method]
name = "{method}"
order = "{order}"
eta = 0.01
{more}
"""

    def small(self, problem, method="doc2s", order="first", precision="float32"):
        more = "iterations = 6" if method.startswith("dgfm") else "K = 2\nT = 3\nD = 0.05"
        return self.config(f'precision = "{precision}"\n' + self.SMALL, problem=problem, method=method, order=order,
                           more=more)

    def trajectory(self, config, *words, before=()):
        out = self.folder / "out"
        self.doc2s("run", config, "--out", out, "--quiet", "--force", *words, before=before)
        summary = json.loads((out / "summary.json").read_text())
        return summary["trajectory"], summary["loss_mean_point"], summary["loss_clients"], summary.get("accuracy")

    def same_everywhere(self, config):
        alone = self.trajectory(config, "--set", "run.threads=1")
        self.assertEqual(alone, self.trajectory(config, "--set", "run.threads=3"))
        if shutil.which("mpirun") and subprocess.run(["ldd", PROGRAM], capture_output=True, text=True).stdout.find(
                "libmpi") >= 0:
            mpirun = ["mpirun", "-n", "3", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none"]
            self.assertEqual(alone, self.trajectory(config, "--set", "run.threads=1", before=mpirun))
        return alone

    def test_same_bits_on_threads_and_ranks(self):
        resnet = 'name = "resnet18"\nwidth = 0.125\nevaluation_statistics = "{}"'
        batch = self.same_everywhere(self.small(resnet.format("batch"), "me-dol"))
        running = self.same_everywhere(self.small(resnet.format("running"), "me-dol"))
        self.assertEqual(batch[0], running[0], "what is recorded must not change the way")
        self.assertNotEqual(batch[1], running[1])
        self.same_everywhere(self.small(resnet.format("running"), "doc2s", precision="float64"))
        self.same_everywhere(self.small(resnet.format("batch"), "dgfm-plus", "zeroth"))

    def test_a_resumed_run_remembers_its_statistics(self):
        for problem in ('name = "resnet18"\nwidth = 0.125', f'name = "torchscript"\nmodel = "{self.model(dropout=0.5)}"'):
            config = self.small(problem + '\nevaluation_statistics = "running"', "me-dol")
            whole = self.trajectory(config)
            self.trajectory(config, "--checkpoint-every", "2", "--set", "run.budget.iterations=4")
            out = self.folder / "out"
            self.doc2s("run", "--resume", out, "--quiet", "--set", "run.budget.iterations=100")
            summary = json.loads((out / "summary.json").read_text())
            self.assertEqual(whole, tuple(summary[key] for key in ("trajectory", "loss_mean_point", "loss_clients", "accuracy")))

    def test_same_bits_with_dropout(self):
        with_dropout = f'name = "torchscript"\nmodel = "{self.model(dropout=0.5)}"'
        without = f'name = "torchscript"\nmodel = "{self.model("other.pt")}"'
        drawn = self.same_everywhere(self.small(with_dropout, "me-dol"))
        self.assertNotEqual(drawn[0], self.same_everywhere(self.small(without, "me-dol"))[0])

    def test_losses_other_than_cross_entropy(self):
        problem = f'name = "torchscript"\nmodel = "{self.model()}"\nloss = '
        cross = self.trajectory(self.small(problem + '"cross_entropy"'))
        squares = self.trajectory(self.small(problem + '"mse"'))
        self.assertGreater(cross[1], 1)
        self.assertLess(squares[1], 1)

    def refused(self, problem, *words):
        answer = self.doc2s("run", self.small(problem), "--out", self.folder / "none", code=2)
        for word in words:
            self.assertIn(word, answer.stderr)
        self.assertEqual(len(answer.stderr.strip().splitlines()), 1, answer.stderr)
        self.assertFalse((self.folder / "none").exists())

    def test_what_is_no_model_is_refused(self):
        text = self.folder / "notes.pt"
        text.write_text("not a model\n")
        weights = self.folder / "weights.pt"
        torch.save(Small().state_dict(), weights)
        for path in (text, weights):
            self.refused(f'name = "torchscript"\nmodel = "{path}"', "is not a TorchScript model", path.name,
                         "torch.jit.script")
        self.refused('name = "torchscript"\nmodel = "nowhere.pt"', "there is no file", "nowhere.pt", "problem.model")
        self.refused('name = "torchscript"', "needs a model", "problem.model")

    def test_a_model_that_does_not_fit_is_refused(self):
        def problem(path):
            return f'name = "torchscript"\nmodel = "{path}"'
        self.refused(problem(self.model(classes=7)), "2x7", "10 classes need 2x10")
        self.refused(problem(self.model(channels=1)), "does not take images of shape 2x3x32x32")

    def test_other_image_sizes_are_refused(self):
        data = self.folder / "grey"
        data.mkdir()
        count = 40
        head = b"\0\0\x08\x03" + count.to_bytes(4, "big") + 2 * (28).to_bytes(4, "big")
        (data / "train-images-idx3-ubyte").write_bytes(head + bytes(28 * 28 * count))
        (data / "train-labels-idx1-ubyte").write_bytes(
            b"\0\0\x08\x01" + count.to_bytes(4, "big") + bytes(k % 10 for k in range(count)))
        self.refused(f'name = "resnet18"\ndata = "{data}"', "32x32", "28x28", "cifar10")
        self.refused(f'name = "torchscript"\nmodel = "{self.model()}"\ndata = "{data}"', "2x1x28x28")

    def test_without_the_library_one_sentence_says_how_to_get_it(self):
        alone = self.folder / "bin"
        alone.mkdir()
        shutil.copy(PROGRAM, alone / "doc2s")
        answer = self.doc2s("run", self.small('name = "resnet18"'), "--out", self.folder / "o", code=2,
                            program=alone / "doc2s")
        self.assertIn("built without libtorch", answer.stderr)
        self.assertIn("./doc2s", answer.stderr)
        self.assertIn("-DDOC2S_TORCH=ON", answer.stderr)
        self.assertIn("width", self.doc2s("explain", "problem.width", program=alone / "doc2s").stdout)


if __name__ == "__main__":
    PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(argv=sys.argv[:1] + ["TorchTest." + name for name in sys.argv[1:]])
