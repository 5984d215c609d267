#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Odd surroundings: none may change a bit of a run, and what cannot work is told in one sentence.
python3 surroundings_test.py PROGRAM [TEST…]."""
import os
import pathlib
import resource
import stat
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from harness import Case, ON_FILE, RUN_FILES, sets


def limited(kind, most):
    return lambda: resource.setrlimit(kind, (most, most))


def closed(number):
    return lambda: os.close(number)


# what surrounds the program → how it is started
SURROUNDINGS = {
    "no HOME": {"env": {"HOME": None}},
    "a HOME that is not there": {"env": {"HOME": "/nowhere"}},
    "a HOME that cannot be written": {"env": {"HOME": "/proc"}},
    "an empty environment": {"env": "empty"},
    "umask 077": {"preexec_fn": lambda: os.umask(0o077)},
    "stdin closed": {"preexec_fn": closed(0)},
    "stderr closed": {"preexec_fn": closed(2)},
    "32 files may be open": {"preexec_fn": limited(resource.RLIMIT_NOFILE, 32)},
    "1.5 GB of address space": {"preexec_fn": limited(resource.RLIMIT_AS, 1_500_000_000)},
    "no core dumps, a small stack": {"preexec_fn": limited(resource.RLIMIT_STACK, 512 * 1024)},
    "another time zone": {"env": {"TZ": "Asia/Kathmandu"}},
    "a time zone that is none": {"env": {"TZ": "Nowhere/Near"}},
    "a locale that is not there": {"env": {"LC_ALL": "xx_YY.UTF-8"}},
    "no locale": {"env": {"LC_ALL": None, "LANG": None}},
    "a terminal that is none": {"env": {"TERM": "nonsense", "COLUMNS": "0"}},
    "no PATH": {"env": {"PATH": ""}},
}


class Surroundings(Case):
    def environment(self, more=None):
        if more == "empty":
            return {}
        return {key: value for key, value in super().environment(more).items() if value is not None}

    def test_the_bits_are_the_same(self):
        bits = self.small().bits()
        for name, how in SURROUNDINGS.items():
            with self.subTest(name):
                run = self.small(**how)
                self.assertEqual(run.bits(), bits)
                self.assertEqual(run.answer.err, "")

    def test_umask(self):
        run = self.small(preexec_fn=lambda: os.umask(0o077))
        modes = {stat.S_IMODE(os.stat(run.directory / name).st_mode) for name in RUN_FILES}
        self.assertEqual(modes, {0o600})

    def german(self):
        """A locale with a decimal comma, made here."""
        made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", self.home / "de_DE.UTF-8"], capture_output=True)
        if not (self.home / "de_DE.UTF-8" / "LC_NUMERIC").exists():
            self.skipTest(f"Debian's package locales is not installed: {made.stderr.decode()}")
        return {"LOCPATH": str(self.home), "LC_ALL": "de_DE.UTF-8", "LANG": "de_DE.UTF-8"}

    def test_a_decimal_comma(self):
        env, plain = self.german(), self.small()
        comma = self.small(env=env)
        self.assertEqual(comma.bits(), plain.bits())
        self.assertEqual(comma.text("config.toml"), plain.text("config.toml"))
        for words in (["report", comma.directory, "-o", "r.html"], ["report", comma.directory, "--csv", "r.csv"],
                      ["report", comma.directory, "--svg", "figures"],
                      ["tune", "small.toml", "--budget", "samples=64", "--trials", 2, "--over", "method.eta=0.001..0.5"],
                      ["sweep", "small.toml", "--over", "method.eta=0.5", "--at", "samples=20.5"]):
            with self.subTest(words[0]):
                self.doc2s(*words, env=env)
        self.assertIn("0.05", (self.home / "runs/small-sweep/doc2s/eta=0.5/config.toml").read_text())
        self.assertNotRegex((self.home / "r.csv").read_text(), r"\d;\d")

    def test_paths_with_blanks_and_letters(self):
        folder = "größe α/mein 'Versuch' (1)"
        self.write(f"{folder}/daten 1.svm", self.svm_lines())
        config = self.write(f"{folder}/erster Lauf.toml", ON_FILE.format(data="daten 1.svm"))
        plain = self.run_config(self.write("d.toml", ON_FILE.format(data=f"{folder}/daten 1.svm")))
        out = self.home / folder / "Läufe" / "erster Lauf"
        run = self.run_config(config, "--set", "run.checkpoint_every=3", out=out)
        self.assertEqual(run.trajectory, plain.trajectory)
        for words in (["run", "--resume", out, *sets(method__K=3)], ["report", out, "-o", out / "Seite 1.html"],
                      ["certify", out, "--delta", 0.1], ["predict", out, f"{folder}/daten 1.svm", "-o", out / "neu 1.csv"],
                      ["report", out, "--svg", out / "Bilder α"]):
            with self.subTest(words[0]):
                self.doc2s(*words)

    def test_a_reader_that_went_away(self):
        """stdout is a pipe that nobody reads: all runs come to their end, and their files are whole."""
        self.write("two.toml", "[[method]]\nK = 1\nT = 5\n[[method]]\nK = 1\nT = 5\n")
        for config, folders in (("small.toml", [""]), ("two.toml", ["doc2s", "doc2s-2"])):
            for number, answers in ((1, "stdout was closed before everything was printed; the run is complete"), (2, None)):
                with self.subTest(config, number=number):
                    out = self.home / f"{config}-{number}"
                    answer = self.with_broken_pipe(number, "run", config, "--out", out)
                    self.assertEqual(answer.returncode, 0)
                    self.assertIn(answers or "", answer.stderr or "")
                    for folder in folders:
                        self.assertEqual(harness.Run(out / folder, None).summary["status"], "finished")

    def test_a_closed_stdout(self):
        words = ["run", "small.toml", "--quiet", "--out", "o"]
        answer = self.doc2s(*words, stdout=subprocess.DEVNULL, preexec_fn=closed(1))
        self.assert_one_sentence(answer, "stdout was closed before everything was printed; the run is complete")
        self.assertEqual(harness.Run(self.home / "o", None).summary["status"], "finished")
        answer = self.doc2s("list", "methods", stdout=subprocess.DEVNULL, preexec_fn=closed(1), code=1)
        self.assert_one_sentence(answer, "the output cannot be written")

    def with_broken_pipe(self, number, *words):
        reader, writer = os.pipe()
        os.close(reader)
        streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, ["stdout", "stderr"][number - 1]: writer}
        try:
            return subprocess.run([harness.PROGRAM, *words], cwd=self.home, env=self.environment(), text=True, timeout=harness.PATIENCE, **streams)
        finally:
            os.close(writer)

    def test_little_memory_is_told_before_it_is_asked_for(self):
        self.refused("run", "small.toml", "--quiet", "--out", "o", *sets(problem__dimension=5_000_000), code=1,
                     preexec_fn=limited(resource.RLIMIT_AS, 1_000_000_000),
                     says=["200 synthetic samples of 1000000 values each need 2.4 GB of memory", "are free", "problem.sparsity"])

    def test_files_may_not_be_large(self):
        """ulimit -f: as on a full disk; nothing half written has a final name."""
        answer = self.doc2s("run", "small.toml", "--quiet", "--out", "o", code=1,
                            preexec_fn=limited(resource.RLIMIT_FSIZE, 2048))
        self.assert_one_sentence(answer, "File too large")
        for name in ("summary.json", "output.npy", "last.npy"):
            self.assertFalse((self.home / "o" / name).exists(), name)


if __name__ == "__main__":
    harness.main()
