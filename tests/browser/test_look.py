# SPDX-License-Identifier: GPL-3.0-or-later
"""Looking: load, hover, zoom, pan, history, types, groups, themes, links."""
import os
import re

from harness import Keys
from report import ns, report, rows, table

RUN = "data/cholesky.csv"
# Where the task of row R of the table is, in pixels of the window, in the first chart: its middle, or null.
PLACE = """
const chart = TV.scene.charts[0], place = TV.figure.layout.frames[chart.frame.number], item = chart.itemOf(arguments[0]);
const box = TV.figure.itemBox(place, chart, item), top = TV.figure.overlay.getBoundingClientRect().top - TV.figure.scroll.scrollTop;
return [(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2 + top, box.x0, box.x1];
"""


def cholesky(browser, fragment=""):
    return browser.open(report("cholesky", RUN), fragment)


def window(browser):
    return browser.js("return [TV.view.begin, TV.view.end]")


def app(path=RUN):
    """(row, task) of what ran."""
    return [(i, task) for i, task in enumerate(rows(path)) if task.get("Kind", "app") == "app" and task["Start"]]


def longest():
    return max(app(), key=lambda one: ns(one[1]["End"]) - ns(one[1]["Start"]))


def test_load(browser):
    cholesky(browser)
    assert browser.text(".tv-title") == "cholesky"
    counts = {}
    for _, task in app():
        counts[task["Value"]] = counts.get(task["Value"], 0) + 1
    chips = {chip.get_attribute("data-type"): int(re.sub(r"\D", "", chip.find_element("class name", "tv-chip-count").text))
             for chip in browser.all(".tv-chip")}
    assert chips == counts, chips
    assert not browser.find("#tv-static").is_displayed()


def test_hover_shows_the_task(browser):
    cholesky(browser)
    row, task = longest()
    x, y, *_ = browser.js(PLACE, row)
    browser.move(x, y)
    tip = browser.text(".tv-tip")
    exact = (ns(task["End"]) - ns(task["Start"])) / 1e6
    for text in (f"{task['Value']} {task['JobId']}", f"Start{float(task['Start']):.6f}".rstrip("0"), f"{exact:.6f}".rstrip("0"), task["ResourceId"]):
        assert text in tip, (text, tip)
    browser.move(5, 5)
    assert not browser.find(".tv-tip").is_displayed()


def test_hover_agrees_with_the_passes(browser):
    cholesky(browser)
    row, task = longest()
    threshold = [line for line in table("outliers", RUN) if line["JobId"] == task["JobId"]][0]["Threshold"]
    last = [line for line in table("deps", RUN) if line["JobId"] == task["JobId"]][0]["LastDependency"]
    facts = dict((name, text) for name, text, _ in browser.js("return TV.factsOf({run: 0, row: arguments[0]})", row))
    assert facts["Threshold"] == f"{float(threshold):.6f}".rstrip("0").rstrip(".") + " ms", facts
    assert facts["Last dependency"].split()[-1] == last, (facts, last)


def test_wheel_keeps_the_time_at_the_pointer(browser):
    cholesky(browser)
    x, y = 640, 330
    at = "const f = TV.figure, p = f.layout.at(arguments[0], 330); return f.xTime(p, arguments[0])"
    before, length = browser.js(at, x), window(browser)
    browser.wheel(x, y, -400)
    after, shorter = browser.js(at, x), window(browser)
    assert shorter[1] - shorter[0] < 0.7 * (length[1] - length[0])
    assert abs(after - before) < (shorter[1] - shorter[0]) / 1000, (before, after)


def test_drag_shows_the_region_and_back(browser):
    cholesky(browser)
    all_of_it = window(browser)
    times = browser.js("const f = TV.figure, p = f.layout.at(500, 330); return [f.xTime(p, 400), f.xTime(p, 700)]")
    browser.drag(400, 330, 700, 380)
    assert max(abs(a - b) for a, b in zip(window(browser), times)) < 1e6, (window(browser), times)
    browser.keys("[")
    assert window(browser) == all_of_it
    browser.keys("]")
    assert window(browser) != all_of_it
    browser.keys("0")
    assert window(browser) == all_of_it


def test_keys_zoom_and_pan(browser):
    cholesky(browser)
    browser.keys("wwww")
    begin, end = window(browser)
    browser.keys("d")
    moved = window(browser)
    assert abs(moved[0] - begin - 0.15 * (end - begin)) < 10 and abs((moved[1] - moved[0]) - (end - begin)) < 10
    browser.keys(Keys.ARROW_LEFT)
    assert abs(window(browser)[0] - begin) < 10
    browser.keys("s")
    assert window(browser)[1] - window(browser)[0] > end - begin


def test_window_stays_in_the_run(browser):
    cholesky(browser)
    for begin, end in ((-8e7, 1e8), (-1e9, 1e6), (4.19e9, 4.4e9)):
        browser.js("TV.view.show(arguments[0], arguments[1])", begin, end)
        from_, to = window(browser)
        first, last = browser.js("return [TV.scene.begin, TV.scene.end]")
        assert abs(to - from_ - (end - begin)) < 1 and from_ > first - 0.021 * (to - from_) and to < last + 0.021 * (to - from_), (from_, to)


def test_rows_of_tasks_and_of_mpi_calls(browser):
    """Two charts in one frame, and what was before the run beside it: all are drawn, and the window is the run."""
    browser.open(report("halo", "data/mpi-halo"))
    pixels = browser.js("""
        const f = TV.figure, ground = TV.colors.ground();
        return TV.scene.charts.filter((chart) => chart.frame.name === 'spacetime').map((chart) => {
            const place = f.layout.frames[chart.frame.number], length = (i) => chart.begin[i] < 0 || chart.end[i] > chart.frame.duration ? -1 : chart.end[i] - chart.begin[i];
            const item = Array.from(chart.end.keys()).reduce((a, b) => length(b) > length(a) ? b : a), box = f.itemBox(place, chart, item);
            const [r, g, b] = f.context.getImageData(Math.round((box.x0 + box.x1) / 2), Math.round(box.y0 + 3 - f.scroll.scrollTop), 1, 1).data;
            return [chart.tasks, (r << 16 | g << 8 | b) !== ground, f.hit((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2).item === item];
        });""")
    assert sorted(pixels) == [[False, True, True], [True, True, True]], pixels
    assert browser.text(".tv-chip .tv-chip-count") == "120"
    assert browser.js("return [TV.scene.begin, TV.figure.layout.columns.length]") == [0, 1]
    names = [text for text, *_ in browser.js(DRAWN)]
    assert names.count("0_T1") == 1, names


# Texts of the figure as they are drawn: [text, left, top, right, bottom].
DRAWN = """
const drawn = [], proto = CanvasRenderingContext2D.prototype, was = proto.fillText;
proto.fillText = function (text, x, y, room = Infinity) {
    const wide = Math.min(this.measureText(text).width, room), size = parseFloat(/([\\d.]+)px/.exec(this.font)[1]), at = y + this.getTransform().f;
    const left = x - { left: 0, center: wide / 2, right: wide }[this.textAlign], middle = this.textBaseline === 'middle';
    if (this.canvas === TV.figure.canvas)
        drawn.push([text, left, at - size * (middle ? 0.36 : 0.72), left + wide, at + (middle ? 0.36 * size : 0)]);
    return was.call(this, text, x, y, ...room === Infinity ? [] : [room]);
};
TV.figure.drawAll();
proto.fillText = was;
return drawn;
"""


def test_narrow_figure_is_not_cut(browser):
    """Beside the answer and a selected task, keys take more lines, and parts without a time axis are smaller."""
    for name, arguments in (("ws", ["data/cholesky-ws.csv"]), ("nodes2", ["data/cholesky-2nodes"]), ("halo-messages", ["data/mpi-halo", "--spacetime.messages", "all"]),
                            ("pair", ["--facet", "a=data/cholesky-dmdas.csv", "b=data/cholesky-ws.csv", "--panels", "spacetime,idle-causes,abe"])):
        browser.open(report(name, *arguments), answer=True)
        browser.js("TV.view.select({ run: 0, row: 3 }); document.querySelector('.tv-figure').style.maxWidth = '540px'")
        browser.settle()
        browser.settle()
        boxes, wide = browser.js(DRAWN), browser.js("return TV.figure.width")
        assert wide < 560 and len(boxes) > 30, (name, wide)
        assert_readable(name, boxes, wide)


def assert_readable(name, boxes, wide):
    """No text is cut, none lies over another."""
    outside = [box for box in boxes if box[3] > wide or box[1] < 0]
    assert not outside, (name, wide, outside[:5])
    close = [(a[0], b[0]) for i, a in enumerate(boxes) for b in boxes[:i] if a[1] < b[3] - 0.5 and b[1] < a[3] - 0.5 and a[2] < b[4] - 0.5 and b[2] < a[4] - 0.5]
    assert not close, (name, close[:5])


def test_facets_are_below_each_other_in_a_narrow_window(browser):
    runs = [f"data/cholesky-{name}.csv" for name in ("dmda", "dmdas", "ws")]
    single = [f"{label}={path}" for label, path in zip("abc", runs)]
    grid = [f"{row}/{column}={path}" for row in "xy" for column, path in zip("abc", runs)]
    for name, facets, arguments in (("three", 3, ["--facet", *single, "--panels", "spacetime,ready,abe,diff"]),
                                    ("by-node", 0, ["data/cholesky-4nodes/p1x4", "--facet-by", "node", "--panels", "spacetime,bandwidth"]),
                                    ("grid6", 6, ["--facet", *grid, "--panels", "spacetime,idle-causes", "--spacetime.merged", "type:POTRF", "--width", "12"])):
        browser.open(report(name, *arguments))
        state = "return TV.figure.layout.frames.filter(({ frame }) => frame.timed).map(({ left, top, width, height }) => [left, top, width, height])"
        wide = browser.js(state)
        for pixels, columns in ((480, 1), (1280, len({left for left, *_ in wide}))):
            browser.js("document.querySelector('.tv-figure').style.maxWidth = `${arguments[0]}px`", pixels)
            browser.settle()
            browser.settle()
            places = browser.js(state)
            assert len({left for left, *_ in places}) == columns and len(places) == len(wide), (name, pixels, places)
            if columns > 1:
                assert places == wide, (name, "moved back")
                continue
            assert all(b[1] >= a[1] + a[3] for a, b in zip(places, places[1:])), (name, places)
            height = browser.js("return TV.figure.layout.height")
            browser.js("TV.figure.scroll.style.flex = 'none'; TV.figure.scroll.style.height = `${arguments[0]}px`", height)
            browser.settle()
            browser.settle()
            boxes = browser.js(DRAWN)
            assert_readable(name, boxes, pixels)
            # Names of the rows of the first facet of a row are those of all.
            assert [text for text, *_ in boxes].count("CPU8") == facets, boxes
            browser.js("TV.figure.scroll.style = ''")


def test_legend_hides_and_isolates(browser):
    cholesky(browser)
    green = """
    const d = TV.figure.context.getImageData(0, 100, 1200, 300).data; let n = 0;
    for (let i = 0; i < d.length; i += 4) n += d[i] === 0xb6 && d[i + 1] === 0xe6 && d[i + 2] === 0xb4;
    return n"""
    before = browser.js(green)
    assert before > 10000, before
    chip = browser.find('.tv-chip[data-type="GEMM"]')
    chip.click()
    browser.settle()
    assert browser.js(green) == 0 and chip.get_attribute("aria-pressed") == "false"
    chip.click()
    browser.settle()
    assert browser.js(green) == before
    browser.js("document.querySelector('.tv-chip[data-type=GEMM]').dispatchEvent(new MouseEvent('dblclick'))")
    browser.settle()
    assert sorted(browser.js("return [...TV.view.hidden]")) == ["POTRF", "SYRK", "TRSM"]
    assert browser.js(green) > 0


def test_collapsed_group_is_one_row(browser):
    cholesky(browser)
    browser.keys("c")
    groups = browser.js("return TV.figure.layout.frames[TV.scene.charts[0].frame.number].groups.map(g => [g.key, g.closed, g.to - g.from])")
    assert groups == [["CUDA", True, 3], ["CPU", True, 9]], groups
    browser.keys("c")
    assert browser.js("return TV.view.collapsed.size") == 0


def test_rows_zoom_and_scroll(browser):
    cholesky(browser)
    browser.move(640, 330)
    browser.wheel(640, 330, -400, modifiers=1)
    rows_shown = browser.js("return [...TV.view.rows.values()][0]")
    assert rows_shown and rows_shown[1] - rows_shown[0] < 0.9, rows_shown
    browser.keys(Keys.ARROW_DOWN)
    assert browser.js("return [...TV.view.rows.values()][0]")[0] > rows_shown[0]
    assert window(browser) == browser.js("return [TV.scene.begin, TV.scene.end]")


def test_link_restores_the_view(browser):
    cholesky(browser)
    row, _ = longest()
    browser.drag(400, 330, 700, 380)
    browser.find('.tv-chip[data-type="SYRK"]').click()
    browser.keys("c")
    browser.js("TV.view.select({run: 0, row: arguments[0]})", row)
    browser.wait("return /s=/.test(location.hash)", "the fragment is written")
    link = browser.js("return location.hash")
    state = "const v = TV.view; return [Math.round(v.begin), Math.round(v.end), [...v.hidden], [...v.collapsed], v.selection]"
    before = browser.js(state)
    cholesky(browser, link)
    assert browser.js(state) == before, (before, browser.js(state))
    for broken in ("#w=5,1", "#w=x", "#s=99,99", "#y=1:2:3", "#h=%E0%A4%A", "#w=99999999999999999999,1"):
        cholesky(browser, broken)


def test_themes_and_palette(browser):
    cholesky(browser)
    ground = "return [...TV.figure.context.getImageData(5, 5, 1, 1).data].slice(0, 3)"
    assert browser.js(ground) == [255, 255, 255]
    browser.js("document.querySelector('.tv-buttons button[title^=dark]').click()")
    browser.settle()
    assert max(browser.js(ground)) < 40
    browser.js("document.querySelector('.tv-buttons button[title^=colors]').click()")
    browser.settle()
    assert browser.js("return TV.colors.palette") == "colorblind"


def test_cut_file_says_so(browser):
    with open(report("cholesky", RUN), encoding="utf-8") as file:
        text = file.read()
    path = os.path.join(os.environ["TV_TMP"], "cut.html")
    begin = text.index('id="tv-data"')
    for length in (begin + 5000, begin + (len(text) - begin) // 2):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text[:length])
        browser.open(path, ready=False)
        browser.wait("return document.documentElement.dataset.tvState === 'failed'", "the viewer reports the cut file")
        assert "incomplete" in browser.text(".tv-problem")
        assert browser.find("#tv-static").is_displayed()


def test_old_browser_says_so(browser):
    browser.open(report("cholesky", RUN))
    message = browser.driver.execute_async_script("""
        const done = arguments[0], was = window.DecompressionStream;
        delete window.DecompressionStream;
        TV.load(() => {}).catch((error) => { window.DecompressionStream = was; done(error.message); });""")
    assert "too old" in message, message


def test_closed_panel(browser):
    cholesky(browser)
    spot = """const f = TV.figure, box = f.overlay.getBoundingClientRect(), place = f.layout.frames.find((p) => p.frame.name === 'ready');
        return [place.panel.x + box.left, place.panel.y + box.top - f.scroll.scrollTop, place.height]"""
    x, y, height = browser.js(spot)
    browser.click(x, y)
    assert height > 20 and browser.js(spot)[2] == 0
    browser.wait("return /x=ready/.test(location.hash)", "the fragment names the panel")
    browser.click(*browser.js(spot)[:2])
    assert browser.js(spot)[2] == height


def test_marked_region_snaps_to_tasks(browser):
    cholesky(browser)
    row, task = longest()
    *_, x0, x1 = browser.js(PLACE, row)
    y = browser.js(PLACE, row)[1]
    browser.drag(x0 + 2, y, x1 - 2, y, modifiers=1)
    region = browser.js("return TV.view.region")
    assert [region["begin"], region["end"]] == [ns(task["Start"]), ns(task["End"])], region
    browser.keys("f")
    assert abs(window(browser)[0] - region["begin"]) < 1 and abs(window(browser)[1] - region["end"]) < 1


def test_crosshair_gives_the_value_of_curves(browser):
    cholesky(browser)
    curve = """const f = TV.scene.frames.find((one) => one.name === 'submitted').curves[0];
        return arguments[0].map((t) => f.scale.a + f.scale.b * TV.curveAt(TV.scene, f, t))"""
    tasks = app()
    times = [5 * 10 ** 8, 2 * 10 ** 9, 3 * 10 ** 9]
    for time, value in zip(times, browser.js(curve, times)):
        want = sum(ns(task["SubmitTime"]) <= time < ns(task["Start"]) for _, task in tasks)
        # The curve has 4096 bins: what is submitted or starts within one is in between.
        near = [abs(event - time) <= 2 * 10 ** 6 for _, task in tasks for event in (ns(task["SubmitTime"]), ns(task["Start"]))]
        assert abs(value - want) <= 0.01 + sum(near), (time, value, want)
