#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The docs as a site: it builds without a warning, every link in it leads somewhere, and its pages ask nobody else for anything.

site_test.py PROGRAM [--browser | --browser-all]

With --browser some pages are also opened in Chromium, by three widths, in light and dark: the console stays empty, nobody else is asked,
nothing sticks out at the side, and the search finds. --browser-all opens all of them. $DOC2S_PICTURES keeps screenshots.
"""
import contextlib
import html.parser
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request

from harness import wait_until

sys.dont_write_bytecode = True
PROJECT = pathlib.Path(__file__).resolve().parent.parent
LOADED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "object": "data"}
SAID = {  # page: what it must say
    "index.html": ["Do not use it if", "one trust domain"],
    "docs/joss.html": ["BlueFog"],
    "docs/tutorial.html": ["mpirun -n 5"],
    "reference/keys.html": ["method.eta", "run.budget.samples", "step size"],
    "reference/python.html": ["doc2s.minimize", "Result.certify", "doc2s.torch.Problem", "Ctrl-C ends the run"],
    "reference/cpp.html": ["black_box", "Options", "Minimises f(x)"],
    "reference/cpp/annotated.html": ["Problem", "Result"],
}


class Page(html.parser.HTMLParser):
    """What a page links to, what it loads, and its anchors."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loads, self.anchors = set(), set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.anchors |= {given[name] for name in ("id", "name") if given.get(name)}
        if tag == "a" and given.get("href"):
            self.links.add(given["href"])
        if tag == "link" and given.get("href") and given.get("rel") not in ("canonical", "prev", "next"):
            self.loads.add(given["href"])
        if given.get(LOADED.get(tag, "")):
            self.loads.add(given[LOADED[tag]])


def outside(link):
    return bool(re.match(r"[a-z][a-z+.-]*:|//", link, re.IGNORECASE))


def wrong_link(site, path, link, parsed):
    where, anchor = urllib.parse.urldefrag(link)
    target = (site / path.parent / urllib.parse.unquote(where)).resolve() if where else site / path
    if target.is_dir():
        target /= "index.html"
    if not target.is_file():
        return f"{path}: {link} leads to no file"
    known = parsed.get(target.relative_to(site))
    if anchor and known is not None and urllib.parse.unquote(anchor) not in known.anchors:
        return f"{path}: {link} leads to no place of that page"
    return None


def wrong_in(site):
    parsed = {path.relative_to(site): Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html")}
    for path, page in parsed.items():
        by_doxygen = "cpp" in path.parts
        yield from (f"{path} loads {link}" for link in page.loads if outside(link) and not link.startswith("data:"))
        inside = [link for link in page.links | page.loads if not outside(link)]
        found = (wrong_link(site, path, link, parsed) for link in inside if not by_doxygen or link in page.loads)
        yield from filter(None, found)
    for style in site.rglob("*.css"):
        asked = re.findall(r"""(?:url\(|@import)\s*["']?((?:https?:)?//[^"')]+)""", style.read_text(encoding="utf-8"))
        yield from (f"{style.relative_to(site)} loads {address}" for address in asked)
    for page, sentences in SAID.items():
        text = (site / page).read_text(encoding="utf-8")
        yield from (f"{page} does not say: {sentence}" for sentence in sentences if sentence not in text)


@contextlib.contextmanager
def server(site):
    """Serves `site` to this machine; gives the process and the address that it printed."""
    words = [sys.executable, "-B", str(PROJECT / "docs/site/serve.py"), str(site), "0"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    try:
        yield process, re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())[0]
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def served(site):
    """What is wrong with serving it: on this machine, by an address that is printed, until Ctrl-C."""
    with server(site) as (process, address):
        with urllib.request.urlopen(address + "docs/methods.html", timeout=900) as answer:
            page = answer.read().decode()
        with urllib.request.urlopen(address + "LICENSE", timeout=900) as answer:
            kind = answer.headers["Content-Type"]
        process.send_signal(signal.SIGINT)
        code = process.wait(timeout=900)
    return [what for what, good in (("the page is another", "Methods" in page), (f"LICENSE is {kind}", "text/plain" in kind),
                                    (f"exit code {code}", code == 0)) if not good]


# --- in a browser ---
def asked(browser):
    events = (json.loads(entry["message"])["message"] for entry in browser.logs("performance"))
    return {event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"}


def wrong_on_screen(browser, address, page):
    """One page, by all widths and themes."""
    for theme, scheme in (("light", "default"), ("dark", "slate")):
        browser.devtools("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])
        browser.ask("POST", "/url", {"url": address + "LICENSE"})
        browser.js("localStorage.clear()")  # the theme keeps there what it chose
        browser.ask("POST", "/url", {"url": address + page})
        shown = browser.js("return document.body.dataset.mdColorScheme")
        if shown not in (scheme, None):  # doxygen's pages have none
            yield f"{page}: {shown} where the system is {theme}"
        for width in (1400, 800, 390):
            browser.size(width, 900)
            browser.picture(f"{page.replace('/', '-')}-{width}-{theme}", whole=False)
            wide = browser.js("return document.documentElement.scrollWidth")
            if wide > width and "reference/cpp/" not in page:
                yield f"{page}, {theme}: {wide} pixels wide on a screen of {width}"
    yield from (f"{page}: {entry['message']}" for entry in browser.logs("browser"))
    strangers = (url for url in asked(browser) if url.startswith("http") and not url.startswith(address))
    yield from (f"{page} asks for {url}" for url in strangers)


def search_finds(browser, address):
    browser.size(1400, 900)
    browser.ask("POST", "/url", {"url": address + "index.html"})
    browser.js("const field = document.querySelector('input.md-search__input'); field.focus();"
               "field.value = 'certificate'; field.dispatchEvent(new Event('keyup'))")
    wait_until(lambda: browser.js("return document.querySelectorAll('.md-search-result__item').length"))


def wrong_in_browser(site):
    sys.path.insert(0, str(PROJECT / "tests/commands"))
    from browser import Browser
    every = (path.relative_to(site) for path in site.rglob("*.html"))
    pages = sorted(path.as_posix() for path in every if path.as_posix() in SAID or ("--browser-all" in sys.argv and "cpp" not in path.parts))
    with server(site) as (_, address):
        browser = Browser()
        try:
            wrong = [line for page in pages for line in wrong_on_screen(browser, address, page)]
            search_finds(browser, address)
            return wrong
        finally:
            browser.close()


def main():
    if shutil.which("mkdocs") is None:
        print("there is no mkdocs")
        return 77
    with tempfile.TemporaryDirectory(prefix="doc2s-site-") as folder:
        site = pathlib.Path(folder).resolve() / "site"
        given = os.environ | {"DOC2S_PROGRAM": str(pathlib.Path(sys.argv[1]).resolve()), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(["mkdocs", "build", "--quiet", "--site-dir", str(site)], cwd=PROJECT, env=given,
                              capture_output=True, text=True)
        wrong = (done.stdout + done.stderr).splitlines() + ([f"mkdocs: exit {done.returncode}"] if done.returncode else [])
        if not done.returncode:
            wrong += [*wrong_in(site), *served(site), *(wrong_in_browser(site) if sys.argv[2:] else [])]
        count = len(list(site.rglob("*.html")))
    print("\n".join(wrong + [f"{count} pages, {len(wrong)} things wrong"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
