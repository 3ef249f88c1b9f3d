# SPDX-License-Identifier: GPL-3.0-or-later
"""Tiles: what is loaded, what is drawn, single tasks, a file that is missing."""
import functools
import http.server
import os
import random
import threading

from report import report, run

PLACE = """
const chart = TV.tiles.chart, place = TV.figure.layout.frames[chart.frame.number], item = chart.row.findIndex((row) => TV.valueOf(0, 'JobId', row) === arguments[0]);
if (item < 0) return null;
chart.itemOf(0);
const box = TV.figure.itemBox(place, chart, item), top = TV.figure.overlay.getBoundingClientRect().top - TV.figure.scroll.scrollTop;
return [(Math.max(box.x0, place.left) + Math.min(box.x1, place.left + place.width)) / 2, (box.y0 + box.y1) / 2 + top];
"""
TASKS = 60000
WORKERS = 40


def made():
    """A trace with a known task: (JobId, type, start, end in us) by worker."""
    path = os.path.join(os.environ["TV_TMP"], "tiled.csv")
    random.seed(38)
    tasks = []
    for worker in range(WORKERS):
        time = 0
        for _ in range(TASKS // WORKERS):
            length = random.randrange(200, 1500)
            tasks.append((f"CPU{worker}", random.choice(["potrf", "gemm", "</script>\u2028"]), time, time + length))
            time += length + random.choice([0, 0, 100])
    if not os.path.exists(path):
        with open(path, "w", encoding="utf-8") as file:
            file.write("ResourceId,Value,Start,End,JobId\n")
            for job, (worker, name, start, end) in enumerate(tasks):
                file.write(f"{worker},{name},{start / 1000:.3f},{end / 1000:.3f},{job}\n")
    return path, tasks


def tiled():
    path, tasks = made()
    folder = path.removesuffix(".csv")
    if not os.path.exists(folder):
        run(path, "-q", "--tiles", folder)
    return folder, tasks


def opened(browser, fragment=""):
    folder, tasks = tiled()
    browser.paths.update(os.path.join(folder, name) for name in os.listdir(folder))
    browser.open(os.path.join(folder, "index.html"), fragment)
    arrived(browser)
    return folder, tasks


def arrived(browser, state="ready"):
    browser.wait(f"return document.documentElement.dataset.tvTiles === '{state}'", f"tiles are {state}")
    browser.settle()


def show(browser, begin, end):
    browser.js("TV.view.show(arguments[0], arguments[1])", begin, end)
    arrived(browser)


def test_a_zoom_loads_few_files(browser):
    folder, tasks = opened(browser)
    assert "shares of types" in browser.text(".tv-note"), browser.text(".tv-note")
    end = 1000 * max(task[3] for task in tasks)
    random.seed(1)
    for _ in range(40):
        length = end / 10 ** random.uniform(0, 4)
        begin = random.uniform(0, end - length)
        show(browser, begin, begin + length)
        names = browser.js("return TV.tiles.now.map(({ number }) => `tile-${number}.js`)")
        size = sum(os.path.getsize(os.path.join(folder, name)) for name in names)
        assert 0 < len(names) <= 4 and size <= 200000, (names, size)
    assert not browser.all("head script[src]")


def test_the_tooltip_shows_the_task(browser):
    _, tasks = opened(browser)
    for job in (0, 17, 30000, TASKS - 1):
        worker, name, start, end = tasks[job]
        middle = 500 * (start + end)
        show(browser, middle - 4e6, middle + 4e6)
        assert "single tasks" in browser.text(".tv-note")
        browser.move(*browser.js(PLACE, str(job)))
        tip = browser.text(".tv-tip")
        for text in (f"{name} {job}", f"Start{start / 1000:g}", f"Duration{(end - start) / 1000:g} ms", worker):
            assert text in tip, (text, tip)


def test_every_task_of_a_window_is_drawn(browser):
    _, tasks = opened(browser)
    random.seed(2)
    for _ in range(10):
        begin = random.uniform(0, 1e9)
        show(browser, begin, begin + 8e6)
        shown = browser.js("return Array.from(TV.tiles.chart.row, (row) => TV.valueOf(0, 'JobId', row))")
        first, last = browser.js("return [TV.view.begin, TV.view.end]")
        wanted = {str(job) for job, task in enumerate(tasks) if task[2] * 1000 < last and task[3] * 1000 > first}
        assert wanted <= set(shown) and len(set(shown)) == len(shown), wanted - set(shown)


def test_a_selected_task_stays(browser):
    _, tasks = opened(browser)
    middle = 500 * (tasks[17][2] + tasks[17][3])
    show(browser, middle - 4e6, middle + 4e6)
    browser.click(*browser.js(PLACE, "17"))
    assert "17" in browser.text(".tv-pinned b") and "predecessors" not in browser.text(".tv-pinned")
    for begin in (5e8, 0, middle - 4e6):
        show(browser, begin, begin + 8e6)
        assert browser.js("return TV.nameOf(TV.view.selection)") == f"{tasks[17][1]} 17"
    browser.js("TV.view.select(null)")


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def test_from_a_server(browser):
    folder, tasks = tiled()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    # Other requests are complaints; headless, Chromium does not ask for an icon.
    browser.paths.update(f"{address}/{name}" for name in os.listdir(folder))
    browser.driver.get(f"{address}/index.html")
    arrived(browser)
    middle = 500 * (tasks[30000][2] + tasks[30000][3])
    show(browser, middle - 4e6, middle + 4e6)
    browser.move(*browser.js(PLACE, "30000"))
    assert f"{tasks[30000][1]} 30000" in browser.text(".tv-tip"), browser.text(".tv-tip")
    assert browser.js("return document.querySelector('link[rel=icon]').href") == "data:,"
    browser.driver.get("about:blank")
    server.shutdown()


def test_the_pixels_are_those_of_a_report(browser):
    """Where single tasks are shown: the same; shares: nearly."""
    path, _ = made()
    whole = report("untiled", path, "--panels", "spacetime")
    pixels = """
const { figure } = TV, place = figure.layout.frames.find(({ frame }) => frame.chart);
const data = figure.canvas.getContext('2d').getImageData(place.left + 2, place.top + 2, 1000, 400).data;
return Array.from(data.filter((_, i) => i % 4 === 1));
"""
    for length, allowed in ((8e6, 0), (1.2e9, 6)):
        seen = []
        for tiles in (False, True):
            if tiles:
                opened(browser)
            else:
                browser.open(whole)
                browser.js("TV.view.openAnswer(false)")
            # The note takes some of the height.
            browser.js("for (const note of document.querySelectorAll('.tv-note')) note.style.display = 'none'")
            browser.settle()
            browser.js("TV.view.show(0, arguments[0])", length)
            if tiles:
                arrived(browser)
            browser.settle()
            seen.append(browser.js(pixels))
        difference = sum(abs(a - b) for a, b in zip(*seen)) / len(seen[0])
        assert difference <= allowed, (length, difference)


def test_keys_and_types(browser):
    opened(browser)
    browser.js("TV.view.toggleType('gemm')")
    browser.settle()
    show(browser, 0, 8e6)
    for key in ("m", "M", "c", "c", "?", "f", "o", "g", "i", "e", "/"):
        browser.js("document.querySelector('.tv-scroll').focus(); document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: arguments[0], bubbles: true }))", key)
        browser.settle()
    browser.js("document.querySelectorAll('dialog').forEach((dialog) => dialog.close())")


def test_a_missing_file_is_named(browser):
    folder, _ = opened(browser)
    gone = browser.js("return TV.tiles.touching(TV.tiles.levels[0], 99, { from: 1e9, to: 1e9 + 1, first: 0, end: 1 })[0].number")
    path = os.path.join(folder, f"tile-{gone}.js")
    os.rename(path, f"{path}.away")
    browser.js("TV.view.show(1e9 - 1e6, 1e9 + 1e6)")
    arrived(browser, "failed")
    assert f"tile-{gone}.js is missing" in browser.text(".tv-note")
    os.rename(f"{path}.away", path)
    # The browser says so on its console.
    assert all(f"tile-{gone}.js" in complaint for complaint in browser.complaints())
