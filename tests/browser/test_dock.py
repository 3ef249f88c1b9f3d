# SPDX-License-Identifier: GPL-3.0-or-later
"""The dock: beside the figure, in a narrow window a sheet below it; never over what is selected; the bar fits."""
from harness import Keys
from report import ns, table
from test_look import PLACE, RUN, cholesky, longest

BOX = "const b = document.querySelector(arguments[0]).getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]"


def sized(browser, width, height=800):
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})


def test_selected_task_is_in_sight(browser):
    row, _ = longest()
    try:
        for width in (1280, 900, 480, 320):
            sized(browser, width)
            cholesky(browser)
            x, y, *_ = browser.js(PLACE, row)
            browser.click(x, y)
            browser.wait("return TV.figure.layout !== null && !TV.figure.wanted.all", "it is drawn")
            assert browser.js("return TV.view.selection && TV.view.selection.row") == row, width
            x, y, *_ = browser.js(PLACE, row)
            left, top, right, bottom = browser.js(BOX, ".tv-scroll")
            assert left <= x <= right and top <= y <= bottom, (width, x, y)
            dock = browser.js(BOX, ".tv-dock")
            assert dock[0] >= right - 1 if width > 900 else dock[1] >= bottom - 1, (width, dock)
            # Nothing of the page is outside of the window.
            assert browser.js("return document.documentElement.scrollWidth") <= width
            for selector in (".tv-buttons > button, .tv-search, .tv-bar summary", ".tv-pinned .tv-card > *"):
                boxes = browser.js("return [...document.querySelectorAll(arguments[0])].filter((e) => e.offsetWidth > 0).map((e) => [e.getBoundingClientRect().left, e.getBoundingClientRect().right])", selector)
                assert boxes and all(a >= 0 and b <= width for a, b in boxes), (width, selector, boxes)
            browser.js("for (const menu of document.querySelectorAll('.tv-menu')) menu.open = true")
            assert all(0 <= a and b <= width for a, b in browser.js("return [...document.querySelectorAll('.tv-menu-list')].map((e) => [e.getBoundingClientRect().left, e.getBoundingClientRect().right])")), width
            browser.js("for (const menu of document.querySelectorAll('.tv-menu')) menu.open = false")
            # The bar does not lie over the legend, also with what a search adds to it.
            browser.js("TV.view.search('type:TRSM', false)")
            browser.settle()
            assert browser.js(BOX, ".tv-only")[3] <= browser.js(BOX, ".tv-legend")[1] + 1, width
            browser.keys(Keys.ESCAPE)
            assert not browser.find(".tv-dock").is_displayed()
    finally:
        sized(browser, 1280)


def test_card_begins_with_what_is_used(browser):
    row, task = longest()
    cholesky(browser, f"#s=0,{row}")
    names = browser.js("return [...document.querySelectorAll('.tv-pinned .tv-card > table:not(.tv-lines) th')].map((th) => th.textContent)")
    assert names[:4] == ["Duration", "Of its type", "Start", "End"] and names[-3:] == ["ResourceId", "ResourceType", "Node"], names
    assert "Delay" in names and "Handles" not in names
    assert not browser.js("return document.querySelector('.tv-pinned details').open")
    rest = browser.js("return [...document.querySelectorAll('.tv-pinned details th')].map((th) => th.textContent)")
    assert "Handles" in rest and not set(rest) & set(names), rest
    line = [one for one in table("summary", "--by", "Value,ResourceType", RUN) if (one["Value"], one["ResourceType"]) == (task["Value"], task["ResourceType"])][0]
    text = dict(browser.js("return TV.factsOf({ run: 0, row: arguments[0] }).map(([name, text]) => [name, text])", row))["Of its type"]
    times = (ns(task["End"]) - ns(task["Start"])) / ns(line["Median"])
    want = f"{times:.2f} times the median {float(line['Median']):.6f}".rstrip("0").rstrip(".")
    assert text.replace("\u202f", "") == f"{want} ms of {line['Tasks']} {task['Value']} on {task['ResourceType']}", (text, line)
    # What was opened stays open for the next task.
    browser.js("document.querySelector('.tv-pinned summary').click()")
    browser.settle()
    browser.js("TV.view.select({ run: 0, row: 0 })")
    assert browser.js("return document.querySelector('.tv-pinned details').open")
