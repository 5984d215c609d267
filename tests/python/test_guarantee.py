# SPDX-License-Identifier: Apache-2.0
"""doc2s.guarantee: plan, run and certificates of a config and of a problem of one's own."""
import json
import subprocess

import numpy as np
import pytest

import doc2s
from doc2s import _options

CONFIG = {"problem": {"size": 400, "dimension": 10, "sparsity": 1.0}, "clients": {"count": 8}}


def kinks(i, x):
    return abs(x - i).sum(), np.sign(x - i)


def test_a_config_as_on_the_command_line(program, tmp_path):
    (tmp_path / "p.toml").write_text(_options.to_toml(CONFIG))
    words = [program, "guarantee", tmp_path / "p.toml", "--delta", 1, "--epsilon", 0.3, "--out", tmp_path / "there", "--json", "--quiet"]
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True, timeout=900)
    there, here = json.loads(done.stdout), doc2s.guarantee(CONFIG, 1, 0.3)
    assert here["certificates"] == there["certificates"]
    assert (here["certified"], here["verdict"]) == (True, there["verdict"])
    assert here["result"].summary["trajectory"] == there["run"]["trajectory"]
    assert here["plan"]["K"] * here["plan"]["T"] == here["result"].summary["samples"]
    again = doc2s.guarantee(tmp_path / "p.toml", 1, 0.3, method="doc2s", out=tmp_path / "here")
    assert (again["plan"]["method"], len(again["certificates"])) == ("doc2s", 8)
    checked = subprocess.run([str(program), "certify", "--check", str(tmp_path / "here/guarantee.certificate")], timeout=900)
    assert checked.returncode == 0
    assert doc2s.load(tmp_path / "here").summary["trajectory"] == again["result"].summary["trajectory"]


def test_a_problem_of_ones_own(tmp_path):
    found = doc2s.guarantee(kinks, 1, 1.0, clients=4, dimension=2, graph="complete", gap=6, lipschitz=2 ** 0.5, gradient_bound=2 ** 0.5)
    assert found["certified"] and "measured" not in found["verdict"]
    assert found["result"].outputs.shape == (4, 2)
    assert found["result"].problem is kinks
    assert found["result"].certify(delta=1, which="output")[0]["bound"] <= 1
    measured = doc2s.guarantee(kinks, 1, clients=4, dimension=2, gap=6, samples=500, out=tmp_path / "own")
    assert "L and G are measured" in measured["verdict"]
    assert not (tmp_path / "own/guarantee.certificate").exists()  # only this program could check it
    values = doc2s.guarantee(lambda i, x: kinks(i, x)[0], 1, 1.0, clients=4, dimension=2, gap=6, lipschitz=1.5)
    assert not values["certified"] and values["certificates"][0]["kind"] == "estimate"


def test_mistakes(tmp_path):
    for given, says in (({"config": CONFIG, "delta": 1}, "epsilon= is missing"),
                        ({"config": CONFIG, "delta": 1, "epsilon": 1, "samples": 5}, "both are given"),
                        ({"config": CONFIG, "delta": 1, "epsilon": 1, "method": "dsgd"}, "no theorem"),
                        ({"config": kinks, "delta": 1, "epsilon": 1, "clients": 2, "dimension": 2}, "how low its loss can fall")):
        with pytest.raises(doc2s.Error, match=says):
            doc2s.guarantee(**given)


def test_a_callback_s_exception_comes_out():
    def broken(i, x):
        raise KeyError("mine")
    with pytest.raises(KeyError, match="mine"):
        doc2s.guarantee(broken, 1, 1.0, clients=2, dimension=2, gap=1)
