# SPDX-License-Identifier: Apache-2.0
"""doc2s.torch.Problem in runs of the engine: training, equal bits, resuming, and TorchScript's gradients."""
from __future__ import annotations

import json
import pathlib
import shutil
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch import Tensor, nn  # noqa: E402
from torch.nn import functional as F  # noqa: E402

import doc2s  # noqa: E402
import doc2s.torch  # noqa: E402
from torch_nets import CLASSES, data, net, problem, rows  # noqa: E402

SHORT = dict(graph="ring", K=3, T=20, eta=0.02, D=0.1, batch=8, seed=2, record_every=20, progress=False)
MPIRUN = ["mpirun", "-n", "3", "--oversubscribe", "--allow-run-as-root", "--bind-to", "none"]


def curve(result: doc2s.Result) -> list[Any]:
    """What does not depend on time."""
    return [result.summary["trajectory"], *(list(result.history[name]) for name in ("loss_mean_point", "loss_clients"))]


def trained(of: doc2s.torch.Problem, **options: Any) -> list[Any]:
    return curve(doc2s.minimize(of, **{**SHORT, **options}))


# Training

def test_first_order_trains_the_module() -> None:
    test = data(300, 9)
    of = problem(test=test)
    result = doc2s.minimize(of, **{**SHORT, "K": 15})
    assert result.history["accuracy"][0] < 0.6 < 0.9 < result.history["accuracy"][-1]
    assert result.history["loss_mean_point"][-1] < 0.5 * result.history["loss_mean_point"][0]
    module = result.module()
    with torch.no_grad():
        right = module(test[0]).argmax(1) == test[1]
    assert right.double().mean() > 0.9
    assert torch.equal(module.conv.weight.reshape(-1), torch.tensor(result.x[:module.conv.weight.numel()]).float())


def test_zeroth_order_with_dropout() -> None:
    """Both values of a pair see the same dropout, else the estimates would be noise of size d/delta_prime."""
    module = nn.Sequential(nn.AvgPool2d(4), nn.Flatten(), nn.Linear(4, CLASSES), nn.Dropout(0.2)).double()
    of = doc2s.torch.Problem(module, [data(40, i) for i in range(3)], F.cross_entropy, has_gradient=False)
    result = doc2s.minimize(of, **{**SHORT, "K": 40, "order": "zeroth"})
    assert result.summary["order"] == "zeroth"
    assert result.history["loss_mean_point"][-1] < 0.7 * result.history["loss_mean_point"][0]


@pytest.mark.parametrize("method", ["doc2s", "me-dol", "dsgd", "dgfm", "token"])
def test_every_kind_of_method_takes_it(method: str) -> None:
    options = {key: value for key, value in SHORT.items() if key not in ("K", "T", "D")}
    result = doc2s.minimize(problem(), method=method, order="first", budget={"iterations": 30}, **options)
    assert result.status == "finished" and np.isfinite(result.x).all()


# Equal bits

@pytest.mark.parametrize("batch_norm", ["batch", "running"])
def test_equal_bits_over_threads(batch_norm: str) -> None:
    alone, together = (trained(problem(net(dropout=0.3), 4, batch_norm=batch_norm), method="me-dol", threads=threads)
                       for threads in (1, 3))
    assert alone == together


def test_a_second_run_is_the_first_again() -> None:
    of = problem(batch_norm="running")
    assert trained(of) == trained(of)
    assert trained(of, x0=of.start(0)) == trained(of)


def test_a_certificate_leaves_the_result_as_it_is() -> None:
    of = problem(batch_norm="running")
    result = doc2s.minimize(of, **SHORT)
    before = result.module().state_dict()
    assert len(result.certify(delta=0.1, budget=4, which="output")) == 3
    for name, tensor in result.module().state_dict().items():
        torch.testing.assert_close(tensor, before[name])


def test_what_is_recorded_does_not_change_the_run() -> None:
    batch, running = trained(problem()), trained(problem(batch_norm="running"))
    assert batch[0] == running[0] and batch[1] != running[1]


PROGRAM = """
import json, os, signal, sys
import doc2s
from test_torch_runs import SHORT, curve
from torch_nets import net, problem

def killed(record):
    if record["iteration"] >= 30:
        os.kill(os.getpid(), signal.SIGKILL)

what, out = sys.argv[1:]
of = problem(net(dropout=0.3), 4, batch_norm="running")
more = dict(out=out, resume=what == "resume", checkpoint_every="7") if out else {}
result = doc2s.minimize(of, callback=killed if what == "kill" else None, **{**SHORT, "record_every": 10}, **more)
if result.rank == 0:
    print(json.dumps(curve(result)))
"""


def program(what: str, out: str = "", before: list[str] | None = None, code: int = 0) -> Any:
    here = str(pathlib.Path(__file__).parent)
    words = [*(before or []), sys.executable, "-c", f"import sys; sys.path.insert(0, {here!r})\n{PROGRAM}", what, out]
    done = subprocess.run(words, capture_output=True, text=True, timeout=900)
    assert done.returncode == code, done.stdout + done.stderr
    return json.loads(done.stdout) if code == 0 else None


@pytest.fixture(scope="module")
def undisturbed() -> Any:
    return program("run")


def test_a_killed_run_goes_on_with_the_same_bits(tmp_path: pathlib.Path, undisturbed: Any) -> None:
    out = str(tmp_path / "out")
    program("kill", out, code=-9)
    assert any((tmp_path / "out" / "checkpoint").glob("*2[0-9].manifest")), "no checkpoint to go on from"
    assert program("resume", out) == undisturbed


@pytest.mark.skipif(not shutil.which("mpirun"), reason="no mpirun")
def test_equal_bits_over_processes(undisturbed: Any) -> None:
    assert program("run", before=MPIRUN) == undisturbed


# The engine's own networks

def written_images(folder: pathlib.Path, count: int = 120, side: int = 12) -> tuple[Tensor, Tensor]:
    """IDX files as MNIST's, and what a network sees of them: (p − mean)/deviation."""
    chance = np.random.default_rng(3)
    labels = chance.integers(0, 10, count).astype(np.uint8)
    pixels = (chance.integers(0, 128, (count, side, side)) + 12 * labels[:, None, None]).astype(np.uint8)
    sizes = b"".join(size.to_bytes(4, "big") for size in pixels.shape)
    (folder / "train-images-idx3-ubyte").write_bytes(b"\0\0\x08\x03" + sizes + pixels.tobytes())
    (folder / "train-labels-idx1-ubyte").write_bytes(b"\0\0\x08\x01" + count.to_bytes(4, "big") + labels.tobytes())
    return torch.tensor((pixels - pixels.mean()) / pixels.std()).unsqueeze(1), torch.tensor(labels)


CONFIG = """
precision = "{precision}"
[problem]
name = "torchscript"
model = "{folder}/model.pt"
data = "{folder}"
batch = 12
[clients]
count = 1
[network]
graph = "complete"
[method]
K = 2
T = 15
eta = 0.05
D = 0.2
delta_prime = 0
"""


def traced(folder: pathlib.Path, precision: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    (folder / "config.toml").write_text(CONFIG.format(precision=precision, folder=folder))
    try:
        doc2s.run(folder / "config.toml", trace=folder / "trace", progress=False)
    except doc2s.Error as error:
        if "libtorch" in str(error):
            pytest.skip(str(error))
        raise
    header, *steps = [json.loads(line) for line in (folder / "trace").read_text().splitlines()]
    return header["header"], steps


@pytest.mark.parametrize("precision, tolerance", [("float32", 1e-5), ("float64", 1e-12)])
def test_gradients_are_those_of_torchscript(tmp_path: pathlib.Path, precision: str, tolerance: float) -> None:
    """With one client y_t = y_(t-1) + Δ, so that the trace tells w = y_(t-1) + sΔ, where g is taken (δ' = 0)."""
    images, labels = written_images(tmp_path)
    torch.jit.script(net(classes=10)).save(str(tmp_path / "model.pt"))
    header, steps = traced(tmp_path, precision)
    of = doc2s.torch.Problem(net(classes=10).to(getattr(torch, precision)), [(images, labels)], F.cross_entropy)
    off: list[float] = []
    y, gradient = np.array(header["x0"]), np.empty(of.dimension, precision)
    assert np.array_equal(y.astype(precision), of.start(0))
    for step in steps:
        next_y = np.array(step["y_mean"])
        w = y + step["s"][0] * (next_y - y)
        of.value(0, rows(*step["batch"]), w.astype(precision), gradient)
        g = np.array(step["g"])
        off.append(np.linalg.norm(gradient - g) / np.linalg.norm(g))
        y = next_y
    print(f"{precision}: {len(off)} gradients, the worst off by {max(off):.1e}")
    assert max(off) <= tolerance
