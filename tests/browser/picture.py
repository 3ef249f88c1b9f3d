#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""picture.py REPORT.html PICTURE.png: the report as a browser shows it, with a task selected, for the documents."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

from harness import Browser  # noqa: E402


def main(report, picture):
    browser = Browser(1280, 900)
    browser.open(report, answer=True)
    # The task that ends last has the whole way to it behind it.
    browser.js("""
        const chart = TV.scene.charts.find((c) => c.tasks), end = chart.end;
        const last = Array.from(chart.end.keys()).reduce((a, b) => end[b] > end[a] ? b : a);
        TV.view.select({ run: chart.run, row: chart.row[last] });""")
    browser.settle()
    complaints = browser.complaints()
    browser.driver.save_screenshot(picture)
    browser.close()
    return "\n".join(complaints) or None


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
