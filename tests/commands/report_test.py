#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The page of `doc2s report` in a real browser: python3 report_test.py PROGRAM [TEST…]."""
import base64
import json
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from browser import DOWN, PICTURES, UP, Browser, move
from report_case import answer, make_run

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"


class Page(unittest.TestCase):
    """One page of seven runs: two settings with three seeds each, and one on a torus with a hostile label."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="doc2s-report-runs-"))
        for seed in (1, 2, 3):
            make_run(cls.folder / "runs" / f"two-{seed}", "doc2s R=2", seed, 2)
            make_run(cls.folder / "runs" / f"eight-{seed}", "doc2s R=8", seed, 8)
        make_run(cls.folder / "runs" / "torus", EVIL, 1, 2, "torus", accuracy=False)
        cls.page = cls.folder / "report.html"
        answer("report", cls.folder / "runs", "-o", cls.page, "--title", f"Gossip & \"rounds\" {EVIL[:9]}")
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        shutil.rmtree(cls.folder)

    def setUp(self):
        self.browser.size(1280, 900)
        self.browser.devtools("Emulation.setEmulatedMedia", media="", features=[{"name": "prefers-color-scheme", "value": "light"}])
        self.browser.open(self.page)
        self.browser.js("localStorage.clear()")
        self.browser.open(self.page)
        self.browser.logs("browser")

    def tearDown(self):
        noise = [entry["message"] for entry in self.browser.logs("browser")]
        self.assertEqual(noise, [])

    def path(self, chart="loss"):
        return self.browser.js("return [...document.querySelectorAll(`#${arguments[0]} .curve`)].map((p) => p.getAttribute('d'))", chart)

    def ticks(self, axis, chart="loss"):
        return self.browser.js("return [...document.querySelectorAll(`#${arguments[0]} .axes .${arguments[1]}:not(.title)`)].map((t) => t.textContent)", chart, axis)

    def choose(self, name, value):
        self.browser.js("document.querySelector(`[name='${arguments[0]}'][value='${arguments[1]}']`).click()", name, value)

    def select(self, name, value):
        self.browser.js("const s = document.getElementById(arguments[0]); s.value = arguments[1]; s.dispatchEvent(new Event('change'))", name, value)

    def area(self, chart="loss"):
        self.browser.js("document.getElementById(arguments[0]).scrollIntoView({block: 'center'})", chart)
        return self.browser.js("const b = document.querySelector(`#${arguments[0]} .frame`).getBoundingClientRect(); return [b.left, b.top, b.width, b.height]", chart)

    def test_is_drawn(self):
        self.assertEqual(self.browser.js("return document.documentElement.dataset.ready"), "yes")
        for chart, curves in (("loss", 3), ("accuracy", 2), ("consensus", 3)):
            paths = self.path(chart)
            self.assertEqual(len(paths), curves, chart)
            for path in paths:
                self.assertGreater(len(path), 200)
                self.assertNotIn("NaN", path)
        self.assertEqual(self.browser.js("return document.querySelectorAll('#loss .band').length"), 2)
        self.assertEqual(self.browser.js("return document.querySelectorAll('.network .node').length"), 16)
        self.assertEqual(self.browser.js("return document.querySelectorAll('.node.reached, .node.origin').length"), 5)
        self.assertGreater(self.browser.js("return document.querySelectorAll('.split rect').length"), 30)
        self.browser.picture("light")

    def test_a_measure_that_only_some_records_have(self):
        self.assertTrue(self.browser.js("return document.getElementById('goldstein-section').hidden"))
        for seed in (1, 2):
            words = ("--set", f"seed={seed}", "--set", "run.certify_every=5", "--set", "run.certify_budget=5")
            answer("run", self.folder / "runs/two-1.toml", *words, "--out", self.folder / f"sparse/{seed}", "--quiet")
        for runs in ("sparse/1", "sparse"):  # alone, and two seeds as one curve
            answer("report", self.folder / runs, "-o", self.folder / "sparse.html")
            self.browser.open(self.folder / "sparse.html")
            (path,) = self.path("goldstein")
            self.assertEqual((path.count("M"), path.count("L")), (1, 8), "nine of 41 records, joined")
            self.assertNotIn("NaN", path)
        self.browser.picture("sparse")

    def test_a_network_that_changes(self):
        """What changed is told, and the contraction that was measured stands beside the expected one."""
        words = ("--set", "network.change=links", "--set", "network.loss=0.3", "--quiet")
        answer("run", self.folder / "runs/two-1.toml", *words, "--out", self.folder / "links")
        answer("report", self.folder / "links", "-o", self.folder / "links.html")
        self.browser.open(self.folder / "links.html")
        self.assertEqual(self.browser.js("return document.documentElement.dataset.ready"), "yes")
        text = self.browser.js("return document.body.textContent")
        summary = json.loads((self.folder / "links/summary.json").read_text())
        self.assertIn("a link is down with probability 0.3 in each round", text)
        for told in ("expected a round", "connected rounds", f"{summary['expected_contraction']:.4f}", f"{summary['measured_contraction']:.4f}"):
            self.assertIn(told, text)

    def test_pixels_have_the_curves_colour(self):
        colour = self.browser.js("return getComputedStyle(document.querySelector('#loss .curve')).stroke")
        self.assertEqual(colour, "rgb(0, 114, 178)")
        box = self.browser.js("const b = document.querySelector('#loss .curve').getBBox(); return [b.width, b.height]")
        self.assertGreater(min(box), 100)

    def labels(self):
        return self.browser.js("return [...document.querySelectorAll('.series > span')].map((s) => s.textContent)")

    def test_axis_switch_changes_what_is_drawn(self):
        seen = set()
        for axis in ("samples", "communication_rounds", "bytes", "seconds"):
            self.select("axis", axis)
            seen.add((tuple(self.path()), tuple(self.ticks("x"))))
        self.assertEqual(len(seen), 4)
        self.select("axis", "communication_rounds")
        self.assertIn("6,000", self.ticks("x"))
        self.assertTrue(self.browser.js("return document.querySelector('#axis [value=wire_bytes]').disabled"))

    def test_drawn_points_are_the_records(self):
        """The torus run's curve, mapped back from pixels by the tick marks, is its metrics.jsonl."""
        self.choose("loss-kind", "loss_worst")
        records = [json.loads(line) for line in (self.folder / "runs/torus/metrics.jsonl").read_text().splitlines()]
        path = self.path()[self.labels().index(EVIL)]
        points = np.array([[float(v) for v in point.split()] for point in re.split("[ML]", path)[1:]])
        for axis, column, key in (("x", 0, "samples"), ("y", 1, "loss_worst")):
            places = self.browser.js("return [...document.querySelectorAll(`#loss .axes ${arguments[0]}`)].map((l) => Number(l.getAttribute(arguments[1])))",
                                     ".tick" if axis == "x" else ".grid", axis + "1")
            values = [float(text.replace(",", "")) for text in self.ticks(axis)]
            slope, start = np.polyfit(places, values, 1)
            expected = [record[key] for record in records]
            np.testing.assert_allclose(slope * points[:, column] + start, expected, atol=0.003 * max(expected))

    def test_log_scales(self):
        linear = self.path()
        self.choose("x-scale", "log")
        logarithmic = self.path()
        self.assertNotEqual(linear, logarithmic)
        self.assertIn("100", self.ticks("x"))
        self.choose("loss-scale", "log")
        self.assertNotEqual(self.path(), logarithmic)
        self.assertNotIn("NaN", "".join(self.path()))

    def test_loss_kinds_and_seeds(self):
        seen = []
        for kind in ("loss_mean_point", "loss_clients", "loss_worst"):
            self.choose("loss-kind", kind)
            seen.append(self.path())
        self.assertNotEqual(seen[0], seen[1])
        self.assertNotEqual(seen[1], seen[2])
        self.select("seeds", "deviation")
        self.assertNotEqual(self.path(), seen[2])
        self.assertEqual(self.browser.js("return document.querySelectorAll('#loss .band').length"), 2)
        self.select("seeds", "single")
        self.assertEqual(len(self.path()), 7)
        self.assertEqual(self.browser.js("return document.querySelectorAll('#loss .band').length"), 0)

    def test_legend(self):
        self.browser.js("document.querySelector('.series').click()")
        self.assertEqual(len(self.path()), 2)
        self.assertEqual(self.browser.js("return document.querySelector('.series').getAttribute('aria-pressed')"), "false")
        self.browser.js("document.querySelectorAll('.series').forEach((b) => b.getAttribute('aria-pressed') === 'true' && b.click())")
        self.assertEqual(self.path(), [])
        self.browser.js("document.querySelectorAll('.series').forEach((b) => b.click())")
        self.assertEqual(len(self.path()), 3)

    def test_hover_zoom_and_keys(self):
        left, top, width, height = self.area()
        whole = self.path()
        self.browser.pointer(move(left + width / 2, top + height / 2))
        self.assertIn("doc2s R=8", self.browser.js("return document.querySelector('#loss .tip').textContent"))
        self.browser.picture("hover", whole=False)
        self.browser.pointer(move(left + width / 4, top + height / 2), DOWN, move(left + width / 2, top + height / 2 + 3, 100), UP)
        self.assertNotEqual(self.path(), whole)
        self.assertTrue(self.browser.js("return !document.querySelector('#loss .back').hidden"))
        self.browser.pointer(move(left + width / 3, top + height / 2), DOWN, UP, DOWN, UP)
        self.assertEqual(self.path(), whole)
        self.browser.js("document.querySelector('#loss .frame').focus()")
        self.browser.keys("\ue014", "\ue014")  # right, right
        self.assertIn("10 samples", self.browser.js("return document.querySelector('#loss .tip').textContent"))
        self.browser.keys("+")
        self.assertNotEqual(self.path(), whole)
        self.browser.keys("0")
        self.assertEqual(self.path(), whole)

    def test_every_control_can_be_reached_by_keyboard(self):
        self.browser.js("document.body.focus()")
        reached = set()
        for _ in range(60):
            self.browser.keys("\ue004")
            reached.add(self.browser.js("const a = document.activeElement; return a.id || a.name || a.className"))
        self.assertLessEqual({"theme", "axis", "x-scale", "seeds", "series", "loss-kind", "loss-scale", "frame", "sort", "open", "scroll"}, reached)

    def test_dark(self):
        ground = "return getComputedStyle(document.body).backgroundColor"
        self.assertEqual(self.browser.js(ground), "rgb(255, 255, 255)")
        self.browser.js("document.getElementById('theme').click()")
        self.assertEqual(self.browser.js(ground), "rgb(20, 23, 27)")
        self.browser.picture("dark")
        self.browser.js("localStorage.clear()")
        self.browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        self.browser.open(self.page)
        self.assertEqual(self.browser.js(ground), "rgb(20, 23, 27)")
        self.browser.js("document.getElementById('theme').click()")
        self.assertEqual(self.browser.js(ground), "rgb(255, 255, 255)")

    def test_phone(self):
        for width in (390, 320):
            self.browser.size(width, 844)
            self.browser.open(self.page)
            self.assertLessEqual(self.browser.js("return document.documentElement.scrollWidth"), width)
            self.assertGreater(len(self.path()[0]), 200)
            self.browser.picture(f"phone-{width}")

    def test_print(self):
        printed = base64.b64decode(self.browser.devtools("Page.printToPDF", printBackground=True, paperWidth=8.27, paperHeight=11.69)["data"])
        self.assertTrue(printed.startswith(b"%PDF"))
        self.assertGreater(len(printed), 20_000)
        if PICTURES:
            (PICTURES / "print.pdf").write_bytes(printed)
        self.browser.devtools("Emulation.setEmulatedMedia", media="print", features=[{"name": "prefers-color-scheme", "value": "dark"}])
        self.assertEqual(self.browser.js("return getComputedStyle(document.body).backgroundColor"), "rgb(255, 255, 255)")
        self.assertEqual(self.browser.js("return getComputedStyle(document.getElementById('theme')).display"), "none")

    def test_no_request_leaves_the_file(self):
        self.browser.logs("performance")
        self.browser.open(self.page)
        self.select("axis", "bytes")
        messages = [json.loads(entry["message"])["message"] for entry in self.browser.logs("performance")]
        asked = {m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"}
        self.assertEqual({url for url in asked if not url.startswith("data:")}, {self.page.resolve().as_uri()})
        self.assertEqual(self.browser.js("return performance.getEntriesByType('resource').filter((e) => !e.name.startsWith('data:')).length"), 0)

    def test_hostile_texts_are_texts(self):
        self.assertNotIn(EVIL, self.page.read_text())
        self.assertIn(EVIL, self.labels())
        self.assertEqual(self.browser.js("return document.querySelectorAll('img').length"), 0)
        self.assertEqual(self.browser.js("return document.querySelectorAll('script').length"), 2)
        self.assertEqual(self.browser.js("return document.title"), f"Gossip & \"rounds\" {EVIL[:9]}")
        self.assertEqual(self.browser.js("return document.querySelector('h1').textContent"), f"Gossip & \"rounds\" {EVIL[:9]}")

    def test_tables(self):
        table = self.browser.js("return [...document.querySelectorAll('#results tbody tr:not(.part)')].map((r) => [...r.cells].map((c) => c.textContent))")
        self.assertEqual(len(table), 3)
        self.assertIn("3 seeds", "".join(cell for row in table for cell in row))
        losses = [json.loads((self.folder / f"runs/two-{seed}/summary.json").read_text())["loss_mean_point"] for seed in (1, 2, 3)]
        row = next(row for row in table if row[0].startswith("doc2s R=2"))
        self.assertTrue(row[2].startswith(f"{np.mean(losses):.4f}"), row)
        settings = self.browser.js("return [...document.querySelectorAll('#settings thead th')].map((c) => c.textContent)")
        self.assertEqual(settings, ["Run", "method.R", "network.graph", "seeds"])
        self.assertIn("problem.dimension", self.browser.js("return document.querySelector('.shared').textContent"))


if __name__ == "__main__":
    harness.main()
