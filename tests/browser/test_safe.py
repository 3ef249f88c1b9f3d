# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of a trace are text, whatever they contain; without JavaScript the picture and the numbers are there."""
import csv
import os

from harness import Browser
from report import report

NAMES = ["<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", "\"quoted\" 'names' & more", "\u05e9\u05dc\u05d5\u05dd \u202e abc", "\U0001f9e8 emoji", "x" * 10000]


def hostile():
    path = os.path.join(os.environ["TV_TMP"], "hostile.csv")
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["ResourceId", "Value", "Start", "End", "JobId", "DependsOn", "Tag"])
        for i, name in enumerate(NAMES):
            out.writerow([f"CPU{i} {name[:40]}", name, 10 * i, 10 * i + 9, f"{i}{name[:30]}", "", name])
    return report("hostile", path)


def test_hostile_names_are_text(browser):
    browser.open(hostile())
    assert browser.js("return document.scripts.length + document.querySelectorAll('#tv img, #tv iframe').length") <= 2
    chips = browser.js("return [...document.querySelectorAll('.tv-chip-name')].map((e) => e.textContent)")
    for name in NAMES[:3]:
        assert name in chips, (name, chips)
    rows = browser.js("return TV.scene.charts[0].rows.map((r) => r.name)")
    assert len(rows) == len(NAMES), rows
    for row, name in enumerate(NAMES):
        browser.js("TV.view.select({run: 0, row: arguments[0]})", row)
        browser.settle()
        assert name[:80] in browser.text(".tv-pinned .tv-card-head b"), name[:80]
    assert browser.js("return document.querySelectorAll('#tv img, #tv iframe, #tv script').length") == 0


def test_without_javascript(_):
    plain = Browser(javascript=False)
    try:
        plain.driver.get(f"file://{report('cholesky', 'data/cholesky.csv')}")
        assert plain.find("#tv-static img").is_displayed()
        text = plain.find("#tv-static").text
        assert "4196.477978 ms" in text and "4960" in text, text
    finally:
        plain.close()
