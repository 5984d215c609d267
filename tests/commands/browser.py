# SPDX-License-Identifier: Apache-2.0
"""Debian's chromium through chromedriver, spoken to in WebDriver's HTTP and JSON. $DOC2S_PICTURES keeps screenshots there."""
import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

from harness import wait_until

PICTURES = os.environ.get("DOC2S_PICTURES") and pathlib.Path(os.environ["DOC2S_PICTURES"])
if PICTURES:
    PICTURES.mkdir(parents=True, exist_ok=True)


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
        told = lambda: re.search(r"successfully on port (\d+)", pathlib.Path(self.log.name).read_text())
        wait_until(told, self.driver)
        if not told():
            raise RuntimeError("chromedriver does not start: " + pathlib.Path(self.log.name).read_text())
        return int(told()[1])

    def ask(self, verb, path, body=None):
        data = json.dumps(body if body is not None else {}).encode() if verb == "POST" else None
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{self.session}{path}",
                                         data, {"Content-Type": "application/json"}, method=verb)
        try:
            with self.direct.open(request, timeout=900) as reply:
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
        time.sleep(0.3)  # charts follow the new width, in the frame after the next
        self.ask("POST", "/execute/async", {"script": "let left = 3; const frame = () => left-- ? requestAnimationFrame(frame) : "
                                                      "arguments[0](); frame()", "args": []})

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
            self.driver.wait(300)
            self.log.close()
            shutil.rmtree(self.profile, ignore_errors=True)


def move(x, y, duration=0):
    return {"type": "pointerMove", "x": round(x), "y": round(y), "origin": "viewport", "duration": duration}


DOWN, UP = {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}
