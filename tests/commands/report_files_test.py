#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `doc2s report` reads and writes: python3 report_files_test.py PROGRAM [TEST…]."""
import csv
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from browser import PICTURES, Browser
from report_case import answer, make_run, page_data, setting


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="doc2s-report-files-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.run = make_run(self.folder / "runs" / "one", "it's, \"quoted\" `id` é")
        self.page = self.folder / "report.html"

    def report(self, *words, code=0):
        return answer("report", *words, "-o", self.page, code=code)

    def test_runs_of_one_name_are_told_apart_by_what_differs(self):
        for D, eta in ((0.1, 1), (0.1, 2), (0.2, 1)):
            other = self.folder / "runs" / f"{D}-{eta}"
            shutil.copytree(self.run, other)
            told = setting("doc2s", 1, 2, "ring", split_seed=7)
            told["method"].update(D=D, eta=eta)
            (other / "setting.json").write_text(json.dumps(told))
        shutil.rmtree(self.run)
        self.report(self.folder)
        self.assertEqual({group["label"] for group in page_data(self.page)["groups"]},
                         {"DOC²S, D=0.1, eta=1", "DOC²S, D=0.1, eta=2", "DOC²S, D=0.2, eta=1"})

    def test_seeds_are_grouped_also_without_settings(self):
        for seed in (1, 2):
            (make_run(self.folder / "old" / f"seed-{seed}", "", seed) / "setting.json").unlink()
        self.report(self.folder / "old")
        self.assertEqual([group["runs"] for group in page_data(self.page)["groups"]], [[0, 1]])

    def test_a_run_given_twice_is_shown_once(self):
        self.report(self.folder, self.run)
        self.assertEqual(len(page_data(self.page)["runs"]), 1)

    def test_older_and_damaged_runs(self):
        (self.run / "setting.json").unlink()
        self.report(self.run)
        self.assertEqual(page_data(self.page)["runs"][0]["label"], "one")
        metrics = (self.run / "metrics.jsonl").read_bytes()
        (self.run / "metrics.jsonl").write_bytes(metrics[:-40])
        (self.run / "summary.json").unlink()
        (self.run / "setting.json").write_text('{"label": "half')
        said = self.report(self.run)
        run = page_data(self.page)["runs"][0]
        self.assertEqual(run["records"], metrics.count(b"\n") - 1)
        self.assertEqual(len(run["notes"]), 3)
        self.assertIn("cut off", said.stderr)
        (self.run / "metrics.jsonl").write_bytes(b"")
        self.report(self.run)
        self.assertEqual(page_data(self.page)["runs"][0]["points"], 0)

    def test_every_damage_still_gives_a_page_without_console_errors(self):
        second = self.folder / "runs" / "empty"
        second.mkdir()
        (second / "metrics.jsonl").write_text('{"samples": 3}\nnonsense\n{"loss_mean_point": null, "samples": 1e400}\n[1]\n\xff\n', encoding="latin-1")
        (second / "setting.json").write_text('{"label": 5, "graph": null, "split": null, "method": 3, "seed": "x"}')
        third = self.folder / "runs" / "odd"
        third.mkdir()
        (third / "summary.json").write_text('{"best": 3, "status": null, "loss_mean_point": "low"}')
        (third / "setting.json").write_text('{"graph": {"n": 2, "edges": [[0, 7]]}, "split": {"labels": 3, "counts": [1]}, "run": {"a": [1, null], "b": {}}}')
        browser = Browser()
        self.addCleanup(browser.close)
        for directory in (self.folder / "runs", second, third):
            self.report(directory)
            browser.open(self.page)
            self.assertEqual(browser.js("return document.documentElement.dataset.ready"), "yes")
            self.assertEqual(browser.logs("browser"), [])

    def test_mistakes_are_told(self):
        (self.folder / "nothing").mkdir()
        for words, told in (([self.folder / "nothing"], "holds no run"), ([self.folder / "gone"], "no such directory"),
                            ([self.run / "config.toml"], "not a directory")):
            said = self.report(*words, code=2)
            self.assertIn(told, said.stderr)
            self.assertEqual(said.stderr.count("\n"), 1)
            self.assertFalse(self.page.exists())

    def outputs(self):
        """Each option that writes, with a file that it would replace."""
        figure = self.folder / "figures" / "loss_mean_point-samples"
        return [(["-o", self.page], self.page), (["--csv", self.folder / "t.csv"], self.folder / "t.csv"),
                (["--svg", figure.parent], figure.with_suffix(".svg")), (["--pdf", figure.parent], figure.with_suffix(".pdf"))]

    def snapshot(self):
        return {path: path.read_bytes() for path in self.folder.rglob("*") if path.is_file()}

    def refused(self, *words, told, path):
        before = self.snapshot()
        said = answer("report", self.run, *words, code=2)
        self.assertIn(told, said.stderr)
        self.assertIn(str(path), said.stderr)
        self.assertEqual(sum(not line.startswith("doc2s: note: ") for line in said.stderr.splitlines()), 1)
        self.assertEqual(self.snapshot(), before)

    def test_only_an_earlier_report_is_replaced(self):
        all_words = [word for words, _ in self.outputs() for word in words]
        answer("report", self.run, *all_words)
        answer("report", self.run, *all_words, "--title", "again")
        self.assertIn("again", self.page.read_text())
        reports = [path.read_bytes() for _, path in self.outputs()]
        for k, (_, path) in enumerate(self.outputs()):
            for other in (b"", b"a thesis\n", (self.run / "metrics.jsonl").read_bytes(), reports[k - 1]):
                path.write_bytes(other)
                self.refused(*all_words, told="exists and is no earlier report; give another file, or --force", path=path)
            answer("report", self.run, *all_words, "--force")
            self.assertEqual(path.read_bytes()[:20], reports[k][:20])

    def test_a_runs_own_files_are_never_replaced(self):
        (self.run / "checkpoint").mkdir(exist_ok=True)
        (self.run / "summary.json").unlink()  # a run that goes on will write it
        (self.folder / "link").symlink_to(self.run / "metrics.jsonl")
        for name in ("config.toml", "metrics.jsonl", "summary.json", "setting.json", "output.npy", "last.npy",
                     "checkpoint/0000000000009.manifest", "../one/config.toml", "../../link"):
            for words in (["-o", self.run / name], ["-o", self.page, "--csv", self.run / name]):
                self.refused(*words, told="is a file of a run that is reported on", path=self.run / name)
                self.refused(*words, "--force", told="is a file of a run that is reported on", path=self.run / name)
        self.refused("-o", "/dev/null", "--force", told="is not a regular file", path="/dev/null")
        answer("report", self.run, "-o", self.run / "report.html")
        answer("report", self.run, "-o", self.run / "report.html")

    def test_a_long_run_is_thinned_with_its_peaks(self):
        n = 50_000
        values = 1 + 0.1 * np.sin(np.arange(n) / 50)
        values[31_234], values[17] = 9, -3
        with open(self.run / "metrics.jsonl", "w") as file:
            for k in range(n):
                file.write('{"iteration": %d, "samples": %d, "loss_mean_point": %r, "consensus": %r}\n' % (k, k, values[k], k % 7))
        self.report(self.run, "--csv", self.folder / "all.csv")
        run = page_data(self.page)["runs"][0]
        self.assertEqual(run["records"], n)
        self.assertLessEqual(run["points"], 2000)
        drawn = dict(zip(run["columns"]["samples"], run["columns"]["loss_mean_point"]))
        self.assertEqual((drawn[31_234], drawn[17]), (9, -3))
        self.assertLessEqual({0, n - 1}, set(drawn))
        self.assertEqual(list(drawn), sorted(drawn))
        self.assertLess(max(np.diff([s for s in drawn])), n / 100)
        self.assertEqual((self.folder / "all.csv").read_bytes().count(b"\n"), n + 1)

    def test_csv(self):
        self.report(self.run, "--csv", self.folder / "all.csv")
        with open(self.folder / "all.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        records = [json.loads(line) for line in (self.run / "metrics.jsonl").read_text().splitlines()]
        self.assertEqual(len(rows), len(records))
        for row, record in zip(rows, records):
            self.assertEqual(row["run"], "it's, \"quoted\" `id` é")
            for key, value in record.items():
                self.assertEqual(float(row[key]), value)

    def test_figures(self):
        make_run(self.folder / "runs" / "two", "it's, \"quoted\" `id` é", seed=2)
        make_run(self.folder / "runs" / "three", "plain", R=8)
        self.report(self.folder / "runs", "--svg", self.folder / "svg", "--pdf", self.folder / "a b" / "pdf")
        names = sorted(path.name for path in (self.folder / "svg").iterdir())
        self.assertEqual(len(names), 30)  # 6 measures, 5 axes: nothing went over a wire
        self.assertIn("loss_mean_point-communication_rounds.svg", names)
        for path in (self.folder / "svg").iterdir():
            text = path.read_text(encoding="utf-8")
            self.assertIn("`id` é", text)
            self.assertTrue(text.rstrip().endswith("</svg>"))
        for path in (self.folder / "a b" / "pdf").iterdir():
            self.assertTrue(path.read_bytes().startswith(b"%PDF"))
        self.report(self.folder / "runs", "--svg", self.folder / "again", "--pdf", self.folder / "again")
        for path in (self.folder / "again").iterdir():  # the same bytes
            self.assertEqual(path.read_bytes(), (self.folder / (path.suffix == ".pdf" and "a b/pdf" or "svg") / path.name).read_bytes())
        if PICTURES:
            shutil.copytree(self.folder / "svg", PICTURES / "svg", dirs_exist_ok=True)
            shutil.copytree(self.folder / "a b/pdf", PICTURES / "pdf", dirs_exist_ok=True)

    def test_figures_are_chosen(self):
        self.report(self.run, "--svg", self.folder / "svg", "--figures", "loss-bytes,consensus-samples", self.run)
        self.assertEqual({path.name for path in (self.folder / "svg").iterdir()}, {"loss_mean_point-bytes.svg", "consensus-samples.svg"})
        self.refused("--svg", self.folder / "other", "--figures", "loss-bites", told='there is no figure "loss-bites"; write MEASURE-AXIS', path="--figures")
        said = self.report(self.run, "--svg", self.folder / "svg", "--figures", "loss-bytes,goldstein-bytes", code=2)
        self.assertIn("--figures goldstein-bytes: no run has two records of the ", said.stderr)
        self.refused("--figures", "loss-bytes", told="add --svg DIR or --pdf DIR", path="report")

    def ticks(self, name, *words):
        return {word.strip() for *_, word in self.figure(*words, name=name)[1]}

    def rewrite(self, run, precision="float64", **columns):
        """Records of our own: a column for each key."""
        lines = [json.dumps(dict(zip(columns, values))) + "\n" for values in zip(*columns.values())]
        (run / "metrics.jsonl").write_text("".join(lines))
        (run / "setting.json").write_text(json.dumps({**setting(run.name, 1, len(run.name), "ring", split_seed=7), "precision": precision}))

    def test_axes_are_logarithmic_where_curves_span_a_decade_and_a_half(self):
        other = make_run(self.folder / "runs" / "other", "other", R=8)
        samples = [10, 20, 30]
        for loss, logarithmic in (([1, 0.3, 0.04], False), ([1, 0.3, 0.02], True), ([1, 0.3, 0], False)):
            for run in (self.run, other):
                self.rewrite(run, samples=samples, loss_mean_point=loss)
            self.assertEqual("10⁻¹" in self.ticks("loss_mean_point-samples"), logarithmic, loss)
        for run in (self.run, other):
            self.rewrite(run, samples=[10, 100, 200], loss_mean_point=[1, 0.3, 0.05])
        self.assertLessEqual({"10¹", "2×10¹", "10⁰"}, self.ticks("loss_mean_point-samples", "--log-x", "--log-y"))
        self.rewrite(self.run, samples=samples, loss_mean_point=[1, 0.6, 0.4])  # within a decade: plain numbers
        self.rewrite(other, samples=samples, loss_mean_point=[1, 0.6, 0.4])
        self.assertLessEqual({"0.4", "0.6", "0.8", "1.0"}, self.ticks("loss_mean_point-samples", "--log-y"))
        for run in (self.run, other):
            self.rewrite(run, samples=samples, loss_mean_point=[-1, -1.5, -4])
        self.assertIn("-1", self.ticks("loss_mean_point-samples"))  # all of a loss below 0 is shown
        self.rewrite(other, samples=[100 * count for count in samples], loss_mean_point=[1, 0.5, 0.4])
        self.assertIn("10³", self.ticks("loss_mean_point-samples"))

    def test_a_consensus_error_below_rounding_is_left_out(self):
        for precision, lowest in (("float64", 1e-12), ("float32", 1e-5)):
            self.rewrite(self.run, precision, samples=[1, 2, 3, 4, 5], consensus=[0, 0.1, lowest, lowest / 100, 1e-30])
            ticks = self.ticks("consensus-samples", "--figures", "consensus-samples")
            powers = [int(tick[2:].translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))) for tick in ticks if re.fullmatch("10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+", tick)]
            self.assertGreater(min(powers), np.log10(lowest) - 1.5)

    def figure(self, *words, name="loss_mean_point-samples"):
        """A figure of these runs: its size, (x, y, anchor, text) of its texts that are not turned, in points, and all of it."""
        self.report(self.folder / "runs", "--svg", self.folder / "svg", *words)
        text = (self.folder / "svg" / f"{name}.svg").read_text(encoding="utf-8")
        texts = re.findall(r'<text style="[^"]*text-anchor: (\w+)" x="([\d.]+)" y="([\d.]+)" transform="rotate\(-0 [^>]*>([^<]*)</text>', text)
        size = [float(part) for part in re.search(r'width="([\d.]+)pt" height="([\d.]+)pt"', text).groups()]
        return size, [(float(x), float(y), anchor, html.unescape(word)) for anchor, x, y, word in texts], text

    def test_figures_have_their_names_ticks_and_key_in_place(self):
        shutil.rmtree(self.run)
        for k in range(9):
            make_run(self.folder / "runs" / f"run-{k}", "doc2s" if k == 0 else f"a setting with a long name {k}", R=2 + k)
            path = self.folder / "runs" / f"run-{k}" / "metrics.jsonl"  # 100,000 samples
            path.write_text(re.sub(r'"samples": (\d+)', lambda match: f'"samples": {250 * int(match[1])}', path.read_text()))
        (width, height), texts, text = self.figure()
        words = [word.strip() for *_, word in texts]
        self.assertLessEqual({"DOC²S", "20,000", "100,000", "samples", "a setting with a long name 8"}, set(words))
        for x, _, anchor, word in texts:  # 5.4 of the 9 points are a generous width of a character
            left, right = {"start": (0, 1), "middle": (0.5, 0.5), "end": (1, 0)}[anchor]
            self.assertGreaterEqual(x - left * 5.4 * len(word.strip()), 0, word)
            self.assertLessEqual(x + right * 5.4 * len(word.strip()), width, word)
        ticks = max(y for _, y, _, word in texts if word.strip() == "20,000")
        for _, y, _, word in texts:
            if "setting" in word or word.strip() == "DOC²S":
                self.assertGreater(y, ticks, "the key stands below the axis")
                self.assertLess(y, height)
        styles = set(re.findall(r'"fill: none;(?: stroke-dasharray: ([^;]*); stroke-dashoffset: 0;)? stroke: (#\w+); stroke-width: 1.2', text))
        self.assertEqual(len(styles), 9, "nine curves, each with a colour and dash of its own")

    def test_certificates_of_other_points_are_left_out(self):
        """One that was saved beside a run is shown; after the run was made anew, or where the file is cut, it is not."""
        saved = self.run / "output.certificate"
        answer("certify", self.run, "--which", "output", "--budget", 2, "--save", saved, "--quiet")
        answer("certify", self.run, "--which", "last", "--budget", 2, "--save", self.run / "last.certificate", "--quiet")
        self.report(self.run)
        shown = page_data(self.page)["runs"][0]["certificates"]
        self.assertEqual([(one["file"], one["points"]) for one in shown], [("last.certificate", 1), ("output.certificate", 16)])
        (self.run / "last.certificate").write_bytes(saved.read_bytes()[:-100])
        other = make_run(self.folder / "runs" / "other", "other", seed=2)
        shutil.copy(other / "output.npy", self.run)
        said = self.report(self.run).stderr
        self.assertEqual(page_data(self.page)["runs"][0]["certificates"], [])
        self.assertIn("output.certificate is about other points than the run's and was left out", said)
        self.assertIn("last.certificate was left out", said)

    def test_without_matplotlib_or_where_it_fails(self):
        for module, code, says in (("raise ImportError", 2, "--svg and --pdf: matplotlib, which draws the figures, is not installed; install Debian's package python3-matplotlib\n"),
                                   ("raise OSError('no\\nsuch font')", 1, "could not draw the figures (exit code 1: OSError: no such font)"),
                                   ("import os; os.kill(os.getpid(), 9)", 1, "could not draw the figures (exit code 137"),
                                   ("import os; os.write(1, b'loss.svg 200\\n<svg>'); os._exit(0)", 1, "did not draw the figures to their end")):
            (self.folder / "matplotlib.py").write_text(module)
            done = subprocess.run([harness.PROGRAM, "report", self.run, "-o", self.page, "--svg", self.folder / "svg"], capture_output=True,
                                  text=True, env={**os.environ, "PATH": "/nowhere", "PYTHONPATH": str(self.folder)})
            self.assertEqual(done.returncode, code)
            self.assertIn(says, done.stderr)
            self.assertEqual(sum(not line.startswith("doc2s: note: ") for line in done.stderr.splitlines()), 1)
            self.assertEqual(list((self.folder / "svg").iterdir()), [])


if __name__ == "__main__":
    harness.main()
