# SPDX-License-Identifier: Apache-2.0
"""Hooks of mkdocs: the site has the folders of the project, so that every link of a page holds here as it does in the checkout.

Its pages are the *.md of the root, docs/ and examples/; the files that they link to come along; reference/ is made here.
$DOC2S_PROGRAM is the built program, which is asked for the keys of a config.
"""
import atexit
import os
import pathlib
import re
import shutil
import sys
import tempfile

from mkdocs.structure.files import File, Files

PROJECT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(PROJECT / "docs/site"))
import pages  # noqa: E402
import reference  # noqa: E402


def on_config(config):
    config["theme"].static_templates.discard("404.html")  # its links begin at the host's root, which need not be ours
    return config


def on_files(files, config):
    made = pathlib.Path(tempfile.mkdtemp(prefix="doc2s-docs-"))
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    generated = reference.write(made, os.environ["DOC2S_PROGRAM"])

    def file(path, folder):
        return File(path, str(folder), config["site_dir"], config["use_directory_urls"])

    theme = [file for file in files if file.abs_src_path and not pathlib.Path(file.abs_src_path).is_relative_to(PROJECT)]
    own = pages.found(PROJECT)
    linked = pages.linked_files(PROJECT, own)
    add_what_nav_lacks(config["nav"], own)
    ours = [file(path, PROJECT) for path in [*own, *linked, "docs/site/extra.css"]]
    return Files([*theme, *ours, *(file(path, made) for path in generated)])


def on_post_build(config):
    site = pathlib.Path(config["site_dir"])
    shutil.copyfile(site / "assets/images/favicon.png", site / "favicon.ico")  # which browsers ask for from doxygen's pages


def add_what_nav_lacks(nav, own):
    named = set(re.findall(r"[\w./-]+\.md", str(nav)))
    lacking = [path for path in own if path not in named]
    if lacking:
        nav.append({"More": lacking})


def on_page_markdown(markdown, page, **_):
    return pages.for_python_markdown(markdown)
