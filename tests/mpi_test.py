#!/usr/bin/env python3
"""Real runs under real mpirun against the same run in one process: python3 mpi_test.py PROGRAM [TEST…]."""
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import time
import unittest

import cli_test
from cli_test import Answer, Case, Run, sets, strict_json

RANKS = (2, 3, 5, 8, 16)
MPIRUN = ["mpirun", "--quiet", "--oversubscribe", "--bind-to", "none"] + ["--allow-run-as-root"] * (os.geteuid() == 0)
OF_THE_WIRE = {"seconds", "wire_bytes", "messages", "record_bytes", "ranks", "held_samples", "threads"}

SETTING = """\
seed = 3
problem = {{ size = 240, dimension = {d}, batch = 2, evaluation = 100 }}
clients = {{ count = 16, partition = "dirichlet" }}
run = {{ record_every = 5, threads = 1 }}
"""
METHODS = """\
[[method]]
name = "doc2s"
label = "first"
R = 3
K = 2
T = 4
[[method]]
name = "doc2s"
label = "zeroth"
order = "zeroth"
gossip = "plain"
R = 2
K = 2
T = 4
[[method]]
name = "me-dol"
label = "paper"
K = 2
T = 4
[[method]]
name = "me-dol"
label = "paper zeroth"
order = "zeroth"
K = 2
T = 4
[[method]]
name = "me-dol"
label = "code"
form = "code"
K = 2
T = 4
[[method]]
name = "me-dol"
label = "code zeroth"
form = "code"
order = "zeroth"
K = 2
T = 4
[[method]]
name = "dgfm"
iterations = 8
[[method]]
name = "dgfm-plus"
iterations = 8
q = 3
"""
LABELS = 8
LONG = """\
problem = { size = 400, dimension = 40 }
method = { K = 1000000, T = 100 }
run = { record_every = 20, threads = 1 }
"""


def of_the_run(figures):
    """All but what depends on time and on the number of processes."""
    return {key: value for key, value in figures.items() if key not in OF_THE_WIRE}


def all_of(run):
    """What must not depend on the number of processes."""
    files = {name: (run.directory / name).read_bytes() for name in ("output.npy", "last.npy", "config.toml", "setting.json")}
    return files | {"summary": of_the_run(run.summary), "records": [of_the_run(record) for record in run.records]}


def alive(pid):
    try:
        state = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


class MpiCase(Case):
    def start_mpi(self, ranks, *words, **more):
        command = [*MPIRUN, "-n", str(ranks), cli_test.PROGRAM, *map(str, words)]
        quiet = self.environment({"EVENT_NOEPOLL": "1"})  # see cmake/launch_mpi.sh
        return subprocess.Popen(command, cwd=self.home, env=quiet, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)

    def end_of(self, process, timeout):
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.terminate()
            out, err = process.communicate(timeout=20)
            self.fail(f"mpirun did not end within {timeout} s\n{out}{err}")
        return Answer(process.returncode, out, err)

    def mpi(self, ranks, *words, code=0, timeout=120):
        answer = self.end_of(self.start_mpi(ranks, *words), timeout)
        self.assertEqual(answer.code, code, f"{ranks} ranks: {' '.join(map(str, words))}\n{answer.out}{answer.err}")
        return answer

    def run_mpi(self, ranks, config, *words, out=None):
        out = self.home / (out or f"ranks-{ranks}")
        return Run(out, self.mpi(ranks, "run", config, "--quiet", "--force", "--out", out, *words))

    def assert_any_number_of_ranks(self, config, *words, ranks=RANKS, methods=1):
        """The run, or each of its methods, is the same in one process and on these numbers of ranks."""
        alone = self.run_config(config, "--force", *words, out=self.home / "alone", timeout=120)
        folders = sorted(path.parent.relative_to(alone.directory) for path in alone.directory.rglob("summary.json"))
        self.assertEqual(len(folders), methods)
        for count in ranks:
            several = self.run_mpi(count, config, *words)
            for folder in folders:
                one, other = (Run(run.directory / folder, None) for run in (alone, several))
                with self.subTest(ranks=count, method=str(folder), words=words):
                    self.assertEqual(other.trajectory, one.trajectory)
                    self.assertTrue(all_of(other) == all_of(one), "a file or a record differs")
                    self.assertEqual(other.summary["ranks"], count)
                    self.assertEqual(len(other.summary["held_samples"]), count)
                    self.assertEqual(sum(other.summary["held_samples"]), sum(one.summary["held_samples"]))
                    self.assertGreater(other.summary["wire_bytes"], 0)
        return alone

    def write_sites(self, clients=16):
        for client in range(clients):
            self.write(f"site-{client}.svm", self.svm_lines(5 + client))
        self.write("sites.toml", f"""\
problem = {{ data = "{self.home}/site-{{client}}.svm" }}
clients = {{ count = {clients} }}
method = {{ K = 3, T = 4 }}
run = {{ record_every = 4, threads = 1 }}
""")


class Resumed(MpiCase):
    def files(self):
        return sorted(path.name for path in (self.home / "cut/checkpoint").iterdir())

    def test_other_numbers_of_ranks(self):
        self.write("all.toml", SETTING.format(d=23) + METHODS)
        for precision in ("float32", "float64"):
            words = sets(precision=precision, network__graph="torus")
            self.run_config("all.toml", *words, "--force", out=self.home / "whole")
            self.mpi(16, "run", "all.toml", "--quiet", "--force", "--out", "cut", "--checkpoint-every", 3, *words,
                     *sets(run__budget__iterations=3))
            for ranks, iterations in ((4, 5), (1, 6), (7, 100)):
                more = ["run", "--quiet", "--resume", "cut", *sets(run__budget__iterations=iterations)]
                self.mpi(ranks, *more)
            for folder in (path.parent.name for path in self.home.glob("whole/*/summary.json")):
                whole, cut = (Run(self.home / root / folder, None) for root in ("whole", "cut"))
                self.assertEqual(cut.trajectory, whole.trajectory, folder)
                for name in ("output.npy", "last.npy"):
                    self.assertEqual((cut.directory / name).read_bytes(), (whole.directory / name).read_bytes(), folder)
                self.assertEqual([of_the_run(record) for record in cut.records],
                                 [of_the_run(record) for record in whole.records], folder)

    def test_a_file_a_rank_and_one_that_fails(self):
        self.mpi(3, "run", "small.toml", "--quiet", "--out", "cut", "--checkpoint-every", 30)
        self.assertEqual(self.files(), [f"{at:013}.{kind}" for at in (30, 40)
                                        for kind in ("manifest", "rank-0", "rank-1", "rank-2")])
        (self.home / "cut/checkpoint" / f"{50:013}.rank-1.part").mkdir()
        answer = self.mpi(3, "run", "--resume", "cut", "--quiet", *sets(method__K=6, run__checkpoint_every=25))
        self.assert_one_sentence(answer, "no checkpoint at iteration 50", "iteration 40", "rank-1.part")
        self.assertEqual(int(self.files()[-1][:13]), 60)
        words = sets(method__K=6)
        self.assertEqual(Run(self.home / "cut", None).trajectory, self.small(*words).trajectory)

    def test_a_damaged_rank(self):
        self.mpi(3, "run", "small.toml", "--quiet", "--out", "cut", "--checkpoint-every", 30)
        damaged = self.home / "cut/checkpoint" / f"{40:013}.rank-2"
        damaged.write_bytes(damaged.read_bytes()[:-1])
        answer = self.mpi(2, "run", "--resume", "cut", *sets(method__K=6))
        self.assertIn("rank-2: is damaged", answer.err)
        self.assertIn("from the checkpoint of iteration 30", answer.err)
        self.assertEqual(Run(self.home / "cut", None).trajectory, self.small(*sets(method__K=6)).trajectory)


class OneTrajectory(MpiCase):
    def all_methods(self, graph, **more):
        self.write("all.toml", SETTING.format(d=23) + METHODS)
        for precision in ("float32", "float64"):
            self.assert_any_number_of_ranks("all.toml", *sets(precision=precision, network__graph=graph, **more),
                                            methods=LABELS)

    def test_ring(self):
        self.all_methods("ring")

    def test_torus(self):
        self.all_methods("torus")

    def test_star(self):
        self.all_methods("star")

    def test_random_regular_graph(self):
        self.all_methods("regular", network__degree=3)

    def test_rows_that_travel_in_several_blocks(self):
        self.write("wide.toml", SETTING.format(d=40000) + METHODS.split("[[method]]\nname = \"me-dol\"")[0])
        words = sets(problem__sparsity=0.001, network__graph="torus", precision="float32")
        self.assert_any_number_of_ranks("wide.toml", *words, ranks=(3, 16), methods=2)

    def test_mlp(self):
        self.write("mlp.toml", SETTING.format(d=20) + 'method = { R = 2, K = 3, T = 4 }\n')
        words = sets(problem__name="mlp", problem__hidden='"9"', problem__scaling="standardise")
        alone = self.assert_any_number_of_ranks("mlp.toml", *words, ranks=(3, 16))
        self.assertIn("accuracy", alone.summary)

    def test_one_file_a_client(self):
        self.write_sites()
        self.assert_any_number_of_ranks("sites.toml", ranks=(3, 16))
        held = Run(self.home / "ranks-16", None).summary["held_samples"]
        self.assertEqual(held, [5 + client for client in range(16)])

    def test_sixty_four_clients_on_sixteen_ranks(self):
        words = sets(clients__count=64, network__graph="hypercube")
        self.assert_any_number_of_ranks("small.toml", *words, ranks=(16,))

    def test_trace(self):
        for name, ranks in (("alone", 0), ("several", 3)):
            words = ["run", "small.toml", "--quiet", "--out", name, "--trace", f"{name}.jsonl"]
            self.mpi(ranks, *words) if ranks else self.doc2s(*words)
        alone, several = ((self.home / f"{name}.jsonl").read_text().splitlines() for name in ("alone", "several"))
        self.assertGreater(len(alone), 10)
        self.assertEqual(several[1:], alone[1:])


class TheWire(MpiCase):
    def test_a_ring_of_sixteen(self):
        words = sets(problem__dimension=50, method__R=2, run__threads=1)
        run = self.run_mpi(16, "small.toml", *words)
        counts, row = run.summary, 50 * 8
        self.assertEqual(counts["wire_bytes"], counts["iterations"] * 68 * row)  # 64 for y, 4 for v
        self.assertEqual(counts["bytes"], counts["iterations"] * 128 * row)
        self.assertLessEqual(counts["wire_bytes"], 0.55 * counts["bytes"])
        self.assertEqual(counts["messages"], counts["iterations"] * 68)
        self.assertGreater(counts["record_bytes"], 0)
        self.doc2s("report", run.directory, "--csv", "records.csv")
        head, *_, last = (line.split(",") for line in (self.home / "records.csv").read_text().splitlines())
        shown = dict(zip(head, last))
        self.assertEqual((float(shown["wire_bytes"]), float(shown["bytes"])), (counts["wire_bytes"], counts["bytes"]))

    def test_fewer_ranks_send_less(self):
        sent = [self.run_mpi(ranks, "small.toml").summary["wire_bytes"] for ranks in (2, 4, 16)]
        self.assertEqual(sent, sorted(sent))
        self.assertLess(sent[0], sent[2] / 4)


class Mistakes(MpiCase):
    def refused_by_mpi(self, ranks, *words, says=(), code=2):
        began = time.monotonic()
        answer = self.mpi(ranks, *words, code=code, timeout=60)
        self.assertLess(time.monotonic() - began, 30)
        self.assert_one_sentence(answer, *says)
        self.assertEqual(answer.out, "")
        return answer

    def test_more_ranks_than_clients(self):
        self.refused_by_mpi(5, "run", "small.toml", *sets(clients__count=4), says=("5 processes", "4 clients"))
        self.assertFalse((self.home / "runs").exists())

    def test_what_all_ranks_find_is_told_once(self):
        self.refused_by_mpi(4, "run", "missing.toml", says=("missing.toml",))
        self.refused_by_mpi(4, "run", "small.toml", *sets(method__etta=1), says=("etta", "eta"))
        self.refused_by_mpi(4, "list", "graphs", says=("only run",))

    def test_what_the_first_rank_finds(self):
        self.small(out=self.home / "there")
        before = cli_test.snapshot(self.home)
        self.refused_by_mpi(4, "run", "small.toml", "--out", "there", says=("there",))
        self.assertEqual(cli_test.snapshot(self.home), before)

    def test_bad_data_on_one_rank(self):
        self.write_sites()
        self.write("site-5.svm", "+1 1:1\n-1 2:oops\n")
        self.refused_by_mpi(16, "run", "sites.toml", says=("rank 5: ", "site-5.svm:2", "oops"))
        (self.home / "site-5.svm").unlink()
        self.refused_by_mpi(8, "run", "sites.toml", says=("rank 2: ", "client 5 has no data", "site-5.svm"))
        self.write("site-5.svm", "+1 1:1\n2 2:1\n")  # seen only by comparing all sites
        self.refused_by_mpi(8, "run", "sites.toml", says=("client 5 has the label 2", "site-5.svm"))
        self.assertFalse((self.home / "runs").exists())

    def test_ranks_that_were_started_differently(self):
        one = [*MPIRUN, "-n", "1", cli_test.PROGRAM, "run", "small.toml", "--quiet", "--force", "--out", "mixed"]
        other = ["-n", "2", *one[one.index(cli_test.PROGRAM):]]
        for more, code, says in (([*sets(run__threads=3)], 0, ""),
                                 (["--trace", "t.jsonl"], 2, "rank 1"),
                                 ([*sets(clients__count=5)], 2, "rank 1"),
                                 ([*sets(precision="float32")], 2, "rank 1")):
            with self.subTest(more=more):
                ended = subprocess.run([*one, ":", *other, *more], cwd=self.home, env=self.environment(), timeout=60,
                                       stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
                self.assertEqual(ended.returncode, code, ended.stderr)
                self.assertIn(says, ended.stderr)
                self.assertEqual(ended.stderr.count("doc2s:"), 1 if code else 0, ended.stderr)

    def test_divergence(self):
        for words in (sets(method__D=1e308, method__eta=1e308), sets(method__D=1e308, method__eta=1e300, run__record_every=1000)):
            alone = self.small(*words, "--force", out=self.home / "alone", code=3)
            answer = self.mpi(4, "run", "small.toml", "--quiet", "--force", "--out", "several", *words, code=3)
            self.assertIn("finite", alone.answer.out + alone.answer.err)
            self.assertIn("finite", answer.out + answer.err)
            self.assertEqual(Run(self.home / "several", None).records[0]["iteration"], 0)


class SuddenEnds(MpiCase):
    def started(self, ranks, command=None):
        """A long run that has made some records, and the processes that carry it out."""
        self.write("long.toml", LONG)
        words = ["run", "long.toml", "--quiet", "--out", "long"]
        process = command(*words) if command else self.start_mpi(ranks, *words)
        records, pids = self.home / "long/metrics.jsonl", []
        for _ in range(600):
            pids = self.rank_pids()
            if records.exists() and records.read_text().count("\n") > 3 and len(pids) == ranks:
                return process, pids
            self.assertIsNone(process.poll(), "it ended by itself")
            time.sleep(0.1)
        process.terminate()
        self.fail("the run made no records")

    def rank_pids(self):
        """Processes of our program in this test's own folder."""
        found = []
        for folder in pathlib.Path("/proc").iterdir():
            try:
                if folder.name.isdigit() and os.readlink(folder / "exe") == cli_test.PROGRAM \
                        and os.readlink(folder / "cwd") == str(self.home):
                    found.append(int(folder.name))
            except OSError:
                pass  # gone, or not ours
        return found

    def assert_nobody_is_left(self, pids):
        for _ in range(50):
            if not any(map(alive, pids)):
                return
            time.sleep(0.1)
        self.fail("ranks live on")

    def assert_readable(self):
        lines = (self.home / "long/metrics.jsonl").read_text().splitlines()
        self.assertGreater(len([strict_json(line) for line in lines]), 3)
        self.doc2s("report", "long", "-o", "page.html")

    def test_a_killed_rank(self):
        process, pids = self.started(8)
        began = time.monotonic()
        os.kill(random.choice(pids), signal.SIGKILL)
        answer = self.end_of(process, 30)
        self.assertNotIn(answer.code, (0, 2, 3, 130))
        self.assertLess(time.monotonic() - began, 20)
        self.assert_nobody_is_left(pids)
        self.assert_readable()

    def test_signals_to_mpirun(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process, pids = self.started(4)
            process.send_signal(number)
            self.assertNotEqual(self.end_of(process, 30).code, 0)
            self.assert_nobody_is_left(pids)
            self.assert_readable()
            shutil.rmtree(self.home / "long")

    def test_the_signal_that_mpirun_passes_on(self):
        process, pids = self.started(4)
        process.send_signal(signal.SIGUSR1)
        self.assertEqual(self.end_of(process, 30).code, 130)
        self.assert_interrupted_in_good_order(pids)

    def assert_interrupted_in_good_order(self, pids):
        self.assert_nobody_is_left(pids)
        run = Run(self.home / "long", None)
        self.assertEqual(run.summary["status"], "interrupted")
        self.assertEqual(run.records[-1]["iteration"], run.summary["iterations"])
        self.assertEqual(run.numbers("output.npy").shape, (16, 40))
        self.assert_readable()

    # ./doc2s mpi with the real mpirun; what it builds is here already.
    def launcher(self, *words):
        project = self.home / "a project"
        shutil.copytree(cli_test.PROJECT / "cmake", project / "cmake", dirs_exist_ok=True)
        (project / "build/mpi").mkdir(parents=True, exist_ok=True)
        built = project / "build/mpi/doc2s"
        if not built.exists():
            built.symlink_to(cli_test.PROGRAM)
        script = 'set -euo pipefail; project=$1; for part in launch launch_mpi; do source "$project/cmake/$part.sh"; done; ' \
                 'ensure_built() { :; }; run_with_mpi "${@:2}"'
        return subprocess.Popen(["bash", "-c", script, "launcher", str(project), *map(str, words)], cwd=self.home,
                                env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def test_the_launcher(self):
        answer = self.end_of(self.launcher(3, "run", "small.toml", "--quiet", "--out", "launched"), 60)
        self.assertEqual((answer.code, answer.err), (0, ""))
        self.assertEqual(Run(self.home / "launched", None).trajectory, self.small().trajectory)
        answer = self.end_of(self.launcher(5, "run", "small.toml", *sets(clients__count=4)), 60)
        self.assertEqual(answer.code, 2)
        self.assert_one_sentence(answer, "5 processes", "4 clients")
        answer = self.end_of(self.launcher(2, "--no-such-option", "run", "small.toml"), 60)
        self.assertNotEqual(answer.code, 0)
        self.assertIn("no-such-option", answer.err)

    def test_an_interrupted_launcher(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process, pids = self.started(3, lambda *words: self.launcher(3, *words))
            process.send_signal(number)
            answer = self.end_of(process, 30)
            self.assertEqual((answer.code, answer.err), (130, ""))
            self.assert_interrupted_in_good_order(pids)
            shutil.rmtree(self.home / "long")

    def test_a_killed_rank_of_the_launcher(self):
        process, pids = self.started(3, lambda *words: self.launcher(3, *words))
        os.kill(random.choice(pids), signal.SIGKILL)
        answer = self.end_of(process, 30)
        self.assertEqual(answer.code, 137)
        self.assert_one_sentence(answer, "signal 9")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("usage: mpi_test.py PROGRAM [TEST…]")
    cli_test.PROGRAM = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
