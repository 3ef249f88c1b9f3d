# SPDX-License-Identifier: GPL-3.0-or-later
"""The dock: beside the figure, in a narrow window a sheet below it; never over what is selected; the bar fits."""
import os

from harness import Keys
from report import ns, report, table
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


def places(name, *options):
    path = os.path.join(os.environ["TV_TMP"], "places.csv")
    with open(path, "w", encoding="utf-8") as file:
        file.write("ResourceId,Value,Start,End,JobId,Site\nCPU0,f@my dir/a%b.c:12,0,1,7,\"x\"\"/><b>.c:3\"\nCPU0,12:30,1,2,8,javascript:1\n")
    return report(name, path, *options)


def test_places_link_to_the_editor(browser):
    links = "return [...document.querySelectorAll('.tv-pinned a')].map((a) => [a.textContent, a.getAttribute('href')])"
    browser.open(places("places", "--editor-link", "vscode://file/src/{file}:{line}"))
    browser.js("TV.view.select({ run: 0, row: 0 })")
    browser.settle()
    assert browser.js(links) == [["f@my dir/a%b.c:12", "vscode://file/src/my%20dir/a%25b.c:12"],
                                 ['x"/><b>.c:3', "vscode://file/src/x%22/%3E%3Cb%3E.c:3"]], browser.js(links)
    browser.js("TV.view.select({ run: 0, row: 1 })")
    browser.settle()
    assert browser.js(links) == []
    browser.js("TV.view.search('a', false); TV.view.openTab('found')")
    browser.wait("return document.querySelector('.tv-table a') !== null", "a link in the table")
    assert browser.js("return document.querySelector('.tv-table a').getAttribute('href')") == "vscode://file/src/my%20dir/a%25b.c:12"
    browser.open(places("plain"))
    browser.js("TV.view.select({ run: 0, row: 0 })")
    browser.settle()
    assert browser.js(links) == [] and browser.js("return TV.data.header.editor") is None


def test_font_is_in_the_file(browser):
    cholesky(browser)
    assert sorted(browser.js("return [...document.fonts].map((f) => `${f.family.replace(/[\"']/g, '')} ${f.weight} ${f.status}`)")) == [
        "Liberation Sans bold loaded", "Liberation Sans normal loaded"]
    # A name that no machine has: the figure is drawn with the font of the file.
    widths = browser.js("const c = document.createElement('canvas').getContext('2d'), face = [...document.fonts].find((f) => f.weight === 'normal');"
                        "c.font = `100px ${TV.FONT}`; return [c.measureText('Hamburg 0123').width, c.measureText('i').width]")
    # Advances of Liberation Sans: H 1479 a m b u r g, space, 0 1 2 3, of 2048 to the em.
    assert abs(widths[1] - 100 * 455 / 2048) < 0.5, widths


def test_marks_are_inside_their_rows(browser):
    """Outliers that an image of shares hides, also where the figure is narrow."""
    cholesky(browser, "#i=statistics")
    got = browser.js("""const { draw } = TV.figure, made = [], { context } = draw;
        draw.context = { fillRect: (x, y, width, height) => made.push([y, y + height]) };
        for (const [y0, y1] of [[10, 40], [10, 13], [10, 11]])
            for (const ratio of [1, 2])
                draw.marks({ left: 0, top: 100 }, TV.scene.charts[0], [{ x: 3, y0, y1, type: 0 }], ratio), made.push([100 + y0 / ratio, 100 + y1 / ratio]);
        draw.context = context;
        return made""")
    for mark, row in zip(got[::2], got[1::2]):
        assert row[0] <= mark[0] < mark[1] <= row[1], (mark, row)


def test_frame_of_a_task_among_shares(browser):
    """Where a row is drawn as shares a task has no place in its height: its frame has the whole height; elsewhere its own part."""
    cholesky(browser)
    whole, own, part = browser.js("""const chart = TV.scene.charts.find((one) => one.top && one.dense && one.dense.blocks.size > 0 && one.top.some((top) => top > 0)), place = TV.figure.laid().frames[chart.frame.number];
        chart.itemOf(0);
        const item = Array.from({ length: chart.n }, (_, i) => i).find((i) => chart.bottom[i] - chart.top[i] < 0.5 && chart.dense.blocks.has(chart.rowOf[i])), row = chart.rows[chart.rowOf[item]];
        const high = (blocks) => {
            chart.dense.blocks.get(chart.rowOf[item]).fill(blocks);
            const { y0, y1 } = TV.figure.itemBox(place, chart, item);
            return (y1 - y0) / (TV.figure.layout.rowY(place, row.y1) - TV.figure.layout.rowY(place, row.y0));
        };
        return [high(1), high(0), chart.bottom[item] - chart.top[item]]""")
    assert abs(whole - 1) < 1e-6 and abs(own - part) < 1e-6 < 0.5 - part, (whole, own, part)
