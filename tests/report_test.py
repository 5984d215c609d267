#!/usr/bin/env python3
"""The report in a real browser: python3 report_test.py PROGRAM [--pictures DIR] [TEST…].

Runs are made with PROGRAM, the page is opened in Debian's chromium through chromedriver. --pictures keeps screenshots.
"""
import base64
import csv
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

import numpy as np

PROGRAM = ""
PICTURES = None
EVIL = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"

CONFIG = """\
seed = {seed}
[problem]
size = 400
dimension = 10
[clients]
count = 16
[network]
graph = "{graph}"
[method]
K = 20
T = 20
R = {R}
eta = 0.05
D = 0.05
[run]
record_every = 10
"""


# --- runs ---
def ring(n):
    return [[i, (i + 1) % n] for i in range(n)]


def torus(rows, columns):
    edges = set()
    for r in range(rows):
        for c in range(columns):
            for other in ((r + 1) % rows * columns + c, r * columns + (c + 1) % columns):
                edges.add(tuple(sorted((r * columns + c, other))))
    return [list(edge) for edge in sorted(edges)]


def setting(label, seed, R, graph, split_seed):
    random = np.random.default_rng(split_seed)
    counts = [random.multinomial(25, random.dirichlet([0.4] * 10)).tolist() for _ in range(16)]
    return {
        "label": label, "seed": seed, "precision": "float64",
        "method": {"name": "doc2s", "label": f"{label} {seed}", "order": "first", "K": 20, "T": 20, "R": R, "eta": 0.05, "D": 0.05},
        "problem": {"name": "svm", "data": "synthetic", "size": 400, "dimension": 10, "batch": 1},
        "clients": {"count": 16, "partition": "dirichlet"}, "network": {"graph": graph, "weights": "metropolis"},
        "run": {"record_every": 10, "threads": 0},
        "graph": {"n": 16, "edges": ring(16) if graph == "ring" else torus(4, 4), "gamma": 0.0507, "lambda2": 0.9493,
                  "lambda_min": -1 / 3, "diameter": 8, "rounds": R, "contraction": 0.9, "reach": min(1, (2 * R + 1) / 16)},
        "split": {"labels": [str(k) for k in range(10)], "counts": counts},
    }


def answer(*words, code=0):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True, timeout=120)
    assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
    return done


def make_run(directory, label, seed=1, R=2, graph="ring", accuracy=True):
    config = directory.with_suffix(".toml")
    config.parent.mkdir(parents=True, exist_ok=True)
    config.write_text(CONFIG.format(seed=seed, R=R, graph=graph))
    answer("run", config, "--out", directory, "--quiet")
    (directory / "setting.json").write_text(json.dumps(setting(label, seed, R, graph, split_seed=7)))
    if accuracy:
        add_accuracy(directory)
    return directory


def add_accuracy(directory):
    records = [json.loads(line) for line in (directory / "metrics.jsonl").read_text().splitlines()]
    for record in records:
        record["accuracy"] = 1 / (1 + math.exp(1.5 - record["iteration"] / 60))
    (directory / "metrics.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    summary = json.loads((directory / "summary.json").read_text())
    (directory / "summary.json").write_text(json.dumps({**summary, "accuracy": records[-1]["accuracy"]}))


def page_data(page):
    text = page.read_text(encoding="utf-8")
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)[1])


# --- a browser, spoken to in WebDriver's HTTP and JSON ---
class Browser:
    FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--force-prefers-reduced-motion"]

    def __init__(self):
        self.profile = tempfile.mkdtemp(prefix="doc2s-report-")
        self.log = open(os.path.join(self.profile, "driver.log"), "w+")
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=self.log, stderr=subprocess.STDOUT)
        self.direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        self.port = self.port_told()
        options = {"args": [*self.FLAGS, f"--user-data-dir={self.profile}/profile"]}
        self.session = ""
        try:
            answer = self.ask("POST", "/session", {"capabilities": {"alwaysMatch": {
                "browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}}})
        except Exception:
            self.driver.kill()
            raise
        self.session = "/session/" + answer["sessionId"]

    def port_told(self):
        for _ in range(200):
            if found := re.search(r"successfully on port (\d+)", pathlib.Path(self.log.name).read_text()):
                return int(found[1])
            time.sleep(0.1)
        raise RuntimeError("chromedriver does not start: " + pathlib.Path(self.log.name).read_text())

    def ask(self, verb, path, body=None):
        data = json.dumps(body if body is not None else {}).encode() if verb == "POST" else None
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{self.session}{path}",
                                         data, {"Content-Type": "application/json"}, method=verb)
        try:
            with self.direct.open(request, timeout=120) as reply:
                return json.load(reply)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()[:2000]) from None

    def open(self, page):
        self.ask("POST", "/url", {"url": page.resolve().as_uri()})

    def js(self, script, *arguments):
        return self.ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def devtools(self, command, **parameters):
        return self.ask("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def size(self, width, height):
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
        time.sleep(0.3)  # charts follow the new width

    def logs(self, kind):
        return self.ask("POST", "/se/log", {"type": kind})

    def pointer(self, *steps):
        self.ask("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": list(steps)}]})

    def keys(self, *keys):
        steps = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.ask("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": steps}]})

    def picture(self, name, whole=True):
        if PICTURES:
            shot = self.devtools("Page.captureScreenshot", captureBeyondViewport=whole)
            (PICTURES / f"{name}.png").write_bytes(base64.b64decode(shot["data"]))

    def close(self):
        try:
            self.ask("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait(20)
            self.log.close()
            shutil.rmtree(self.profile, ignore_errors=True)


def move(x, y, duration=0):
    return {"type": "pointerMove", "x": round(x), "y": round(y), "origin": "viewport", "duration": duration}


DOWN, UP = {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}


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
                         {"doc2s, D=0.1, eta=1", "doc2s, D=0.1, eta=2", "doc2s, D=0.2, eta=1"})

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
        self.assertEqual(len(names), 25)  # 5 measures, 5 axes: nothing went over a wire
        self.assertIn("loss_mean_point-communication_rounds.svg", names)
        for path in (self.folder / "svg").iterdir():
            text = path.read_text(encoding="utf-8")
            self.assertIn("`id` é", text)
            self.assertTrue(text.rstrip().endswith("</svg>"))
        for path in (self.folder / "a b" / "pdf").iterdir():
            self.assertTrue(path.read_bytes().startswith(b"%PDF"))
        if PICTURES:
            shutil.copytree(self.folder / "svg", PICTURES / "svg", dirs_exist_ok=True)
            shutil.copytree(self.folder / "a b/pdf", PICTURES / "pdf", dirs_exist_ok=True)

    def test_without_gnuplot(self):
        done = subprocess.run([PROGRAM, "report", self.run, "-o", self.page, "--svg", self.folder / "svg"], capture_output=True,
                              text=True, env={**os.environ, "PATH": "/nowhere"})
        self.assertEqual(done.returncode, 2)
        self.assertIn("gnuplot-nox", done.stderr)
        self.assertEqual(list((self.folder / "svg").iterdir()), [])


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv[1])
    words = sys.argv[2:]
    if words[:1] == ["--pictures"]:
        PICTURES = pathlib.Path(words[1])
        PICTURES.mkdir(parents=True, exist_ok=True)
        words = words[2:]
    unittest.main(argv=[sys.argv[0], *words])
