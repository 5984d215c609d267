#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The page of many runs in a real browser: python3 report_many_test.py PROGRAM [TEST…]."""
import json
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from browser import Browser
from report_case import PageCase, answer, sweep_of_fifty


class Many(PageCase):
    """One page of fifty runs: two methods over five values each of two keys."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="doc2s-report-many-"))
        sweep_of_fifty(cls.folder / "sweep")
        cls.page = cls.folder / "many.html"
        answer("report", cls.folder / "sweep", "-o", cls.page)
        cls.browser = Browser()

    def setUp(self):
        self.open(1400)

    def open(self, width):
        self.browser.size(width, 900)
        self.browser.open(self.page)

    def select(self, name, value):
        self.browser.js("const s = document.getElementById(arguments[0]); s.value = arguments[1]; s.dispatchEvent(new Event('change'))", name, value)

    def count(self, what):
        return self.browser.js("return document.querySelectorAll(arguments[0]).length", what)

    def strokes(self):
        return self.browser.js("return [...new Set([...document.querySelectorAll('#loss .curve')].map((p) => getComputedStyle(p).stroke))]")

    def test_a_map_of_two_keys(self):
        cells = "return [...document.querySelectorAll('#map .cell > title')].map((t) => t.textContent)"
        for number, method in enumerate(("doc2s", "me-dol")):
            self.select("map-method", str(number))
            self.select("map-across", "method.eta")
            expected = set()
            for path in (self.folder / "sweep" / method).iterdir():
                setting, summary = (json.loads((path / name).read_text()) for name in ("setting.json", "summary.json"))
                expected.add((setting["method"]["eta"], setting["method"]["D"], float(f"{summary['loss_mean_point']:.3g}")))
            found = [re.fullmatch(r"method.eta = (.*), method.D = (.*): (.*)", text) for text in self.browser.js(cells)]
            self.assertEqual({tuple(float(part) for part in match.groups()) for match in found}, expected)
            self.assertEqual(len(found), 25)
            self.assertEqual(self.count("#map .winner"), 1)
        self.browser.picture("many")

    def test_fifty_curves_can_be_told_apart_and_filtered(self):
        self.assertEqual(self.count("#loss .curve"), 50)
        self.assertEqual(len(self.strokes()), 2, "a colour for each method")
        self.assertEqual(self.browser.js("return document.querySelector('.curves').open"), False)
        self.browser.js("document.querySelectorAll('.method')[1].click()")
        self.assertEqual((self.count("#loss .curve"), self.count("#results tbody tr")), (25, 25))
        self.assertEqual(len(self.strokes()), 1)
        self.select("colour", "method.eta")
        self.assertEqual(len(self.strokes()), 5, "a colour for each value")
        self.browser.js("document.querySelectorAll('.method')[1].click()")
        self.select("best", "loss_mean_point")
        self.assertEqual(self.count("#loss .curve"), 2)
        self.assertEqual(self.browser.js("return document.querySelector('.curves').open"), True)

    def test_every_column_is_seen_at_every_width(self):
        """Within the window, on a phone as well; nothing has to be scrolled sideways."""
        headings = None
        for width in (1400, 800, 390):
            self.open(width)
            self.assertLessEqual(self.browser.js("return document.documentElement.scrollWidth"), width)
            seen, right = self.browser.js("""const cells = [...document.querySelectorAll('#results tbody th, #results tbody td')].filter((c) => c.offsetWidth);
                return [[...new Set(cells.map((c) => c.dataset.title))].sort(), Math.max(...cells.map((c) => c.getBoundingClientRect().right))]""")
            headings = headings or seen
            self.assertEqual(seen, headings)
            self.assertLessEqual({"Run", "Loss at mean", "Communication rounds", "Seconds", "Trajectory"}, set(seen))
            self.assertLessEqual(right, width)
            self.browser.picture(f"many-{width}")
        self.open(1400)
        wide = self.browser.js("return document.querySelector('#results table').getBoundingClientRect().width")
        self.assertGreater(wide, 1250, "the table uses the width")


if __name__ == "__main__":
    harness.main()
