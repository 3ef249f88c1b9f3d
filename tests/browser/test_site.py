# SPDX-License-Identifier: GPL-3.0-or-later
"""The documentation as a site (make site), opened as files: its search works, and nothing comes from elsewhere."""
import glob
import os
import subprocess

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")


def test_search_without_a_server(browser):
    folder = os.path.join(os.environ["TV_TMP"], "site")
    subprocess.run(["make", "-s", "-C", ROOT, "site-built", f"SITE={folder}"], check=True)
    browser.paths.update(path for path in glob.glob(f"{folder}/html/**", recursive=True))
    browser.open(f"{folder}/html/docs/tuning.html", ready=False)
    browser.js("document.querySelector('[data-md-toggle=search]').checked = true")
    browser.find("input.md-search__input").send_keys("stragglers")
    browser.wait("return document.querySelectorAll('.md-search-result__item').length > 2", "there are results")
    first = browser.find(".md-search-result__item a")
    assert first.get_attribute("href").split("?")[0].endswith("html/docs/passes/stragglers.html"), first.get_attribute("href")
    assert len(browser.all(".md-nav a[href='passes/stragglers.html']")) == 1, "the menu has the page"
