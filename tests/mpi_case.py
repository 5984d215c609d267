# SPDX-License-Identifier: Apache-2.0
"""What the tests under mpirun share: starting several processes, and what must not depend on their number."""
import os
import pathlib
import shutil
import subprocess

import harness
from harness import PROJECT, Answer, Case, Run, without_progress

RANKS = (2, 3, 5, 8, 16)
MPIRUN = ["mpirun", "--quiet", "--oversubscribe", "--bind-to", "none"] + ["--allow-run-as-root"] * (os.geteuid() == 0)
OF_THE_WIRE = {"seconds", "wire_bytes", "messages", "record_bytes", "ranks", "held_samples", "threads"}


def of_the_run(figures):
    """All but what depends on time and on the number of processes."""
    return {key: value for key, value in figures.items() if key not in OF_THE_WIRE}


def all_of(run):
    """What must not depend on the number of processes."""
    files = {name: (run.directory / name).read_bytes() for name in ("output.npy", "last.npy", "config.toml", "setting.json")}
    return files | {"summary": of_the_run(run.summary), "records": [of_the_run(record) for record in run.records]}


def rank_pids(folder):
    """Processes of our program that run in this folder."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and os.readlink(entry / "exe") == harness.PROGRAM \
                    and os.readlink(entry / "cwd") == str(folder):
                found.append(int(entry.name))
        except OSError:
            pass  # gone, or not ours
    return found


def launcher_command(folder, *words):
    """./doc2s mpi WORDS… with the real mpirun; what it builds is here already."""
    project = folder / "a project"
    shutil.copytree(PROJECT / "cmake", project / "cmake", dirs_exist_ok=True)
    (project / "build/mpi").mkdir(parents=True, exist_ok=True)
    built = project / "build/mpi/doc2s"
    if not built.exists():
        built.symlink_to(harness.PROGRAM)
    script = 'set -euo pipefail; project=$1; for part in launch launch_mpi; do source "$project/cmake/$part.sh"; done; ' \
             'ensure_built() { :; }; run_with_mpi "${@:2}"'
    return ["bash", "-c", script, "launcher", str(project), *map(str, words)]


class MpiCase(Case):
    def start_mpi(self, ranks, *words, **more):
        command = [*MPIRUN, "-n", str(ranks), harness.PROGRAM, *map(str, words)]
        quiet = self.environment({"EVENT_NOEPOLL": "1"})  # see cmake/launch_mpi.sh
        return subprocess.Popen(command, cwd=self.home, env=quiet, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)

    def end_of(self, process):
        try:
            out, err = process.communicate(timeout=harness.PATIENCE)
        except subprocess.TimeoutExpired:
            process.terminate()
            out, err = process.communicate(timeout=harness.PATIENCE)
            self.fail(f"mpirun did not end within {harness.PATIENCE} s\n{out}{err}")
        return Answer(process.returncode, out, without_progress(err))

    def mpi(self, ranks, *words, code=0):
        answer = self.end_of(self.start_mpi(ranks, *words))
        self.assertEqual(answer.code, code, f"{ranks} ranks: {' '.join(map(str, words))}\n{answer.out}{answer.err}")
        return answer

    def run_mpi(self, ranks, config, *words, out=None):
        out = self.home / (out or f"ranks-{ranks}")
        return Run(out, self.mpi(ranks, "run", config, "--quiet", "--force", "--out", out, *words))

    def assert_any_number_of_ranks(self, config, *words, ranks=RANKS, methods=1):
        """The run, or each of its methods, is the same in one process and on these numbers of ranks."""
        alone = self.run_config(config, "--force", *words, out=self.home / "alone")
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
                    sent = other.summary["wire_bytes"] + other.summary["record_bytes"]
                    self.assertGreater(sent, 0)  # a traveller may have stayed within one process
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
