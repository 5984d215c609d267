# SPDX-License-Identifier: Apache-2.0
"""mpirun -n 4 python3 mine.py: each rank has its own clients, one hash; mpi4py may be there or not."""
import os
import subprocess
import sys

import pytest

from mpi_case import MPIRUN
from problems import Regression

import doc2s

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPT = """
import sys
{head}
import doc2s
from problems import Regression, distance
class Watched(Regression):
    seen = set()
    def samples(self, i):
        return 20
    def value(self, i, batch, x):
        self.seen.add(i)
        return super().value(i, batch, x)
def hashed():
    return doc2s.minimize(Watched(), K=5, T=20, eta=0.05, D=0.1)
{body}
"""


def several(ranks, body, head="", code=0):
    words = [*MPIRUN, "-n", str(ranks), sys.executable, "-B", "-c", SCRIPT.format(head=head, body=body)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([HERE, os.environ.get("PYTHONPATH", "")])}
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=900, stdin=subprocess.DEVNULL)
    assert (done.returncode == 0) == (code == 0), done.stdout + done.stderr
    return done


@pytest.fixture(scope="module", autouse=True)
def with_mpi():
    if "built without MPI" in several(2, "try: hashed()\nexcept doc2s.Error as error: print(error)").stdout:
        pytest.skip("built without MPI")


TELL = """
r = hashed()
sys.stdout.write(f"{r.rank} {r.summary['trajectory']} {r.outputs.shape} {sorted(Watched.seen)}\\n")
"""


@pytest.mark.parametrize("head", ["", "from mpi4py import MPI"], ids=["alone", "mpi4py"])
@pytest.mark.parametrize("ranks", [1, 2, 4])
def test_one_hash_and_ones_own_clients(ranks, head):
    if head:
        pytest.importorskip("mpi4py")
    whole = doc2s.minimize(Regression(), K=5, T=20, eta=0.05, D=0.1).summary["trajectory"]
    lines = sorted(several(ranks, TELL, head).stdout.split("\n"))[1:]
    assert len(lines) == ranks and {line.split()[1] for line in lines} == {whole}
    seen = [eval(line[line.index("["):]) for line in lines]
    assert sorted(sum(seen, [])) == list(range(6))  # each client in one process
    assert [line.split("(")[1].split(")")[0] for line in lines] == ["6, 5"] + ["0, 5"] * (ranks - 1)


@pytest.mark.parametrize("head", ["", "from mpi4py import MPI"], ids=["alone", "mpi4py"])
def test_an_exception_on_one_rank_ends_all(head):
    if head:
        pytest.importorskip("mpi4py")
    body = """
class Bad(Watched):
    has_gradient = True
    def value(self, i, batch, x):
        if i == 5:
            raise KeyError("of my own")
        return super().value(i, batch, x)
doc2s.minimize(Bad(), K=10**5)
"""
    assert "KeyError: 'of my own'" in several(3, body, head, code=1).stderr


def test_a_mistake_that_all_caught_does_not_spoil_the_end():
    body = """
try:
    doc2s.minimize(Watched(), eta=-1)
except doc2s.Error:
    pass
sys.stdout.write(hashed().summary["trajectory"] + "\\n")
"""
    lines = several(2, body).stdout.split()
    assert len(lines) == 2 and len(set(lines)) == 1


def test_files_callbacks_and_resuming(tmp_path):
    body = f"""
records = []
r = doc2s.minimize(Watched(), K=50, T=20, out={str(tmp_path / 'run')!r}, record_every=100, checkpoint_every="100",
                   callback=lambda record: records.append(record) or (False if len(records) == 4 else None))
assert r.status == "interrupted" and len(records) == (4 if r.rank == 0 else 0), (r.status, records)
r = doc2s.minimize(Watched(), K=50, T=20, out={str(tmp_path / 'run')!r}, record_every=100, resume=True)
again = doc2s.minimize(Watched(), K=50, T=20, out={str(tmp_path / 'run')!r}, record_every=100, resume=True)
assert again.summary["trajectory"] == r.summary["trajectory"] and list(again.x) == list(r.x)
sys.stdout.write(r.summary["trajectory"] + "\\n")
"""
    whole = doc2s.minimize(Regression(), K=50, T=20, record_every=100).summary["trajectory"]
    assert several(3, body).stdout.split() == [whole] * 3


def test_a_config():
    body = """
r = doc2s.run({"problem": {"name": "svm"}, "clients": {"count": 6}, "method": {"K": 5, "T": 20}})
sys.stdout.write(r.summary["trajectory"] + "\\n")
"""
    whole = doc2s.run({"problem": {"name": "svm"}, "clients": {"count": 6}, "method": {"K": 5, "T": 20}})
    assert several(3, body).stdout.split() == [whole.summary["trajectory"]] * 3


def test_a_trace_of_others_must_be_allowed(tmp_path):
    body = f"doc2s.minimize(Watched(), K=2, T=3, eta=0.05, D=0.1, trace={str(tmp_path / 't')!r}, trace_of_all={{}})"
    assert "run.trace_of_all = true" in several(2, body.format(False), code=1).stderr
    assert not (tmp_path / "t").exists()
    several(2, body.format(True))
    assert len((tmp_path / "t").read_text().splitlines()) == 7
