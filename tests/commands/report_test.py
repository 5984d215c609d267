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
import xml.etree.ElementTree

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import harness
from browser import DOWN, PICTURES, UP, Browser, move
from harness import wait_until
from report_case import PageCase, answer, make_run, records

EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"


class Page(PageCase):
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

    def setUp(self):
        self.browser.size(1280, 900)
        self.browser.devtools("Emulation.setEmulatedMedia", media="", features=[{"name": "prefers-color-scheme", "value": "light"}])
        self.browser.open(self.page)
        self.browser.js("localStorage.clear()")
        self.browser.open(self.page)
        self.browser.logs("browser")

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
        torus = records(self.folder / "runs/torus")
        drawn = self.drawn(self.labels().index(EVIL))
        for column, key in enumerate(("samples", "loss_worst")):
            np.testing.assert_allclose(drawn[:, column], torus[key], atol=0.003 * max(torus[key]))

    def tick_marks(self, axis, chart="loss"):
        """Pixels of the ticks and the numbers that stand there."""
        places = self.browser.js("return [...document.querySelectorAll(`#${arguments[2]} .axes ${arguments[0]}`)].map((l) => Number(l.getAttribute(arguments[1])))",
                                 ".tick" if axis == "x" else ".grid", axis + "1", chart)
        return np.array(places), np.array([float(text.replace(",", "").replace(" %", "")) for text in self.ticks(axis, chart)])

    def drawn(self, curve, chart="loss"):
        """The points of a curve, mapped back from pixels by the tick marks of linear axes."""
        points = np.array([[float(v) for v in point.split()] for point in re.split("[ML]", self.path(chart)[curve])[1:]])
        for column, axis in enumerate("xy"):
            slope, start = np.polyfit(*self.tick_marks(axis, chart), 1)
            points[:, column] = slope * points[:, column] + start
        return points

    def table(self):
        """The results: a dict of cells by heading for each setting, from all stretches of the table."""
        return self.browser.js("""const rows = {};
            for (const row of document.querySelectorAll('#results tbody tr:not(.part)'))
                for (const cell of row.cells) (rows[row.cells[0].textContent.replace(/ \\d+ seeds$/, '')] ??= {})[cell.dataset.title] = cell.textContent;
            return rows""")

    def best_marks(self):
        return self.browser.js("return document.querySelectorAll('#results strong').length")

    def hide(self, label):
        self.browser.js("[...document.querySelectorAll('.series')].find((b) => b.textContent.includes(arguments[0])).click()", label)

    def test_a_best_is_bold_where_the_ranges_of_seeds_do_not_overlap(self):
        """The single run's loss lies within the range of R=8's seeds."""
        bold = """return [...document.querySelectorAll('#results strong')].map((s) =>
            [s.closest('tr').cells[0].textContent.replace(/ \\d+ seeds$/, ''), s.closest('td').dataset.title])"""
        self.assertEqual(self.browser.js(bold), [])
        self.hide("<script>")
        self.assertIn(["doc2s R=8", "Loss at mean"], self.browser.js(bold))
        ends = {R: [records(self.folder / f"runs/{R}-{seed}")["consensus"][-1] for seed in (1, 2, 3)] for R in ("two", "eight")}
        self.assertEqual(["doc2s R=8", "Consensus"] in self.browser.js(bold), max(ends["eight"]) < min(ends["two"]))

    def test_up_to_where_all_runs_reach(self):
        """Eight rounds of gossip spend four times what two do: nothing is best before the curves are cut alike."""
        self.hide("<script>")
        self.assertGreater(self.best_marks(), 0)  # of equal samples
        self.select("axis", "communication_rounds")
        self.assertEqual(self.best_marks(), 0)
        told = "return document.getElementById('reach').textContent"
        self.assertIn("No best is marked: the runs end between 1,600 communication rounds and 6,400", self.browser.js(told))
        self.browser.js("document.getElementById('common').click()")
        self.assertIn("Cut at 1,600 communication rounds", self.browser.js(told))
        self.assertGreater(self.best_marks(), 0)
        self.assertEqual(len({re.split("[ML]", path)[-1].split()[0] for path in self.path()}), 1, "all curves end at one place")
        self.assertEqual(max(self.tick_marks("x")[1]), 1600)
        runs = [records(self.folder / f"runs/eight-{seed}") for seed in (1, 2, 3)]
        there = [np.interp(1600, run["communication_rounds"], run["loss_mean_point"]) for run in runs]
        least = [min(run["loss_mean_point"][run["communication_rounds"] <= 1600]) for run in runs]
        row = self.table()["doc2s R=8"]
        self.assertTrue(row["Loss at mean"].startswith(f"{np.mean(there):.4f}"), row)
        self.assertTrue(row["Best loss"].startswith(f"{np.mean(least):.4f}"), row)
        self.assertEqual(row["Samples"], "100")

    def test_smoothing_is_off_until_asked_for_and_told(self):
        self.assertNotIn("Smoothed", self.browser.js("return document.body.innerText"))
        self.select("smooth", "5")
        for place in ("#told", "#loss .caption", "#consensus .caption"):
            self.assertIn("Smoothed", self.browser.js("return document.querySelector(arguments[0]).textContent", place))
        loss = records(self.folder / "runs/torus")["loss_mean_point"]
        reach = [min(2, k, len(loss) - 1 - k) for k in range(len(loss))]
        expected = [np.mean(loss[k - r:k + r + 1]) for k, r in enumerate(reach)]
        self.assertGreater(np.abs(expected - loss).max(), 0.003 * max(loss))
        np.testing.assert_allclose(self.drawn(self.labels().index(EVIL))[:, 1], expected, atol=0.003 * max(loss))

    def test_the_accuracy_axis_shows_where_things_happen(self):
        accuracy = 100 * records(self.folder / "runs/two-1")["accuracy"]
        note = "return document.querySelector('#accuracy .caption').textContent"
        self.assertGreater(min(self.tick_marks("y", "accuracy")[1]), accuracy[0] + 5)
        self.assertIn("are cut off; the whole y axis shows all", self.browser.js(note))
        self.choose("accuracy-scale", "linear")
        self.assertEqual(self.browser.js(note), "")
        self.assertAlmostEqual(self.drawn(0, "accuracy")[0, 1], accuracy[0], delta=0.5)
        self.choose("accuracy-scale", "logit")
        places, shares = self.tick_marks("y", "accuracy")
        logit = np.log(shares / (100 - shares))
        self.assertGreater(len(places), 3)
        np.testing.assert_allclose(np.polyval(np.polyfit(places, logit, 1), places), logit, atol=1e-3)

    def test_the_best_setting_of_each_method(self):
        loss = {label: np.mean([records(path)["loss_worst"][-1] for path in (self.folder / "runs").glob(pattern + "/")])
                for label, pattern in (("doc2s R=2", "two-?"), ("doc2s R=8", "eight-?"), (EVIL, "torus"))}
        self.select("best", "loss_worst")
        shown = self.browser.js("return [...document.querySelectorAll('.series:not([hidden]) > span')].map((s) => s.textContent)")
        self.assertEqual(shown, [min(loss, key=loss.get)])
        self.assertEqual((len(self.path()), list(self.table())), (1, shown))
        self.assertIn("by loss of the worst client at 400 samples", self.browser.js("return document.getElementById('told').textContent"))

    def wait_for(self, path):
        wait_until(path.is_file)

    def test_a_chart_is_saved(self):
        downloads = self.folder / "downloads"
        self.browser.devtools("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(downloads))
        self.select("smooth", "5")
        for kind in ("svg", "png"):
            self.browser.js("document.querySelector('#loss .save[data-kind=' + arguments[0] + ']').click()", kind)
            self.wait_for(downloads / f"loss.{kind}")
        text = (downloads / "loss.svg").read_text()
        root = xml.etree.ElementTree.fromstring(text)
        texts = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
        self.assertLessEqual({"doc2s R=2", EVIL, "samples", "Loss at the mean point"}, set(texts))
        self.assertTrue(any("Smoothed" in told for told in texts))
        self.assertNotRegex(text, r"var\(|oklab|oklch|class=")
        self.assertIn("#0072b2", text)
        picture = (downloads / "loss.png").read_bytes()
        self.assertTrue(picture.startswith(b"\x89PNG"))
        self.assertEqual(int.from_bytes(picture[16:20], "big"), 2 * int(root.get("width")))

    def test_certificates(self):
        run = self.folder / "certified"
        shutil.copytree(self.folder / "runs/two-1", run)
        answer("certify", run, "--which", "output", "--budget", 4, "--epsilon", 0.3, "--save", run / "output.certificate", "--quiet")
        bounds = [one["bound"] for one in json.loads(answer("certify", "--check", run / "output.certificate", "--json").stdout)]
        answer("report", run, "-o", self.folder / "certified.html")
        self.browser.open(self.folder / "certified.html")
        (row,) = self.browser.js("return [...document.querySelectorAll('#certificates tbody tr')].map((r) => Object.fromEntries([...r.cells].map((c) => [c.dataset.title, c.textContent])))")
        self.assertEqual(row["Certified"], f"{sum(bound <= 0.3 for bound in bounds)} of 16")
        self.assertTrue(max(bounds) <= float(row["Largest bound"]) <= 1.001 * max(bounds))
        self.assertEqual((row["Radius δ"], row["Wanted ε"], row["Gradients"]), ("0.1", "0.3", "exact, all samples"))

    def test_log_scales(self):
        linear = self.path()
        self.choose("x-scale", "log")
        logarithmic = self.path()
        self.assertNotEqual(linear, logarithmic)
        self.assertIn("100", self.ticks("x"))
        self.choose("loss-scale", "log")
        self.assertNotEqual(self.path(), logarithmic)
        self.assertNotIn("NaN", "".join(self.path()))

    def test_a_loss_that_spans_more_than_a_decade_and_a_half_begins_logarithmic(self):
        chosen = "return document.querySelector('[name=loss-scale]:checked').value"
        self.assertEqual(self.browser.js(chosen), "linear")
        run = self.folder / "steep"
        shutil.copytree(self.folder / "runs/torus", run)
        (run / "metrics.jsonl").write_text("".join(json.dumps({"samples": k, "loss_mean_point": 10 ** -(k / 10)}) + "\n" for k in range(20)))
        answer("report", run, "-o", self.folder / "steep.html")
        self.browser.open(self.folder / "steep.html")
        self.assertEqual(self.browser.js(chosen), "log")
        self.browser.picture("steep")

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
        self.assertLessEqual({"theme", "axis", "x-scale", "seeds", "series", "loss-kind", "loss-scale", "frame", "sort", "open", "common", "smooth", "best", "save"}, reached)

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
        table = self.browser.js("return [...document.querySelectorAll('#results table:first-child tbody tr:not(.part)')].map((r) => [...r.cells].map((c) => c.textContent))")
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
