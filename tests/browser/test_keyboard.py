# SPDX-License-Identifier: GPL-3.0-or-later
"""Without a mouse, and for screen readers; paper; links."""
import base64
import os
import subprocess

from harness import Keys
from report import ns, report, rows
from test_look import RUN, app, cholesky, window

CURSOR = "return TV.cursor.at === null ? null : TV.cursor.task().row"


def by_worker(name):
    """Rows of the tasks of a worker, in order of their start."""
    return [row for row, _ in sorted(((row, task) for row, task in app() if task["ResourceId"] == name), key=lambda one: ns(one[1]["Start"]))]


def focused(browser):
    return browser.js("const e = document.activeElement; return e.className.split(' ')[0] || e.tagName")


def test_tab_reaches_everything(browser):
    cholesky(browser)
    seen = []
    for _ in range(60):
        browser.keys(Keys.TAB)
        name = browser.js("const e = document.activeElement; return e === document.body ? '' : e.textContent.slice(0, 12) || e.className")
        outline = browser.js("const e = document.activeElement; return e.className === 'tv-scroll' ? getComputedStyle(e.firstChild, '::after').borderTopWidth"
                             " : getComputedStyle(e).outlineStyle")
        if name in seen or name == "":
            break
        seen.append(name)
        assert outline in ("solid", "2px"), (name, outline)
    order = [next(i for i, name in enumerate(seen) if word in name) for word in ("tv-search", "all", "panels", "save", "?", "GEMM", "POTRF", "tv-scroll")]
    assert order == sorted(order), seen


def test_arrows_go_from_task_to_task(browser):
    cholesky(browser)
    tasks, above, below = by_worker("CPU4"), by_worker("CPU3"), by_worker("CPU5")
    at = len(tasks) // 2
    browser.js("TV.view.select({run: 0, row: arguments[0]})", tasks[at])
    browser.keys(Keys.ENTER)
    assert browser.js(CURSOR) == tasks[at] and focused(browser) == "tv-scroll"
    for key, row in ((Keys.ARROW_RIGHT, tasks[at + 1]), (Keys.ARROW_RIGHT, tasks[at + 2]), (Keys.ARROW_LEFT, tasks[at + 1]), (Keys.END, tasks[-1]),
                     (Keys.ARROW_RIGHT, tasks[-1]), (Keys.HOME, tasks[0]), (Keys.ARROW_LEFT, tasks[0])):
        browser.keys(key)
        assert browser.js(CURSOR) == row, (key, browser.js(CURSOR), row)
    table = rows(RUN)
    browser.js("TV.cursor.end(); TV.view.select({run: 0, row: arguments[0]})", tasks[at])
    browser.keys(Keys.ENTER)
    middle = (ns(table[tasks[at]]["Start"]) + ns(table[tasks[at]]["End"])) / 2
    for key, others in ((Keys.ARROW_UP, above), (Keys.ARROW_DOWN, tasks), (Keys.ARROW_DOWN, below)):
        browser.keys(key)
        far = lambda row: max(ns(table[row]["Start"]) - middle, middle - ns(table[row]["End"]), 0)  # noqa: E731
        assert browser.js(CURSOR) in others and far(browser.js(CURSOR)) == min(far(row) for row in others), key
    row = browser.js(CURSOR)
    browser.keys(Keys.ENTER)
    assert browser.js("return TV.view.selection") == {"run": 0, "row": row}
    browser.keys(Keys.ESCAPE)
    assert browser.js(CURSOR) is None
    before = window(browser)
    browser.keys("w", Keys.ARROW_LEFT)
    assert window(browser) != before and browser.js(CURSOR) is None


def test_roles_of_the_dock_and_the_answer(browser):
    browser.open(report("cholesky", RUN), "#i=statistics&s=0,2000", answer=True)
    assert browser.js("return document.querySelectorAll('#tv h1').length") == 1
    assert browser.js("return [...document.querySelectorAll('[role=tablist] > *')].every((e) => e.getAttribute('role') === 'tab')")
    assert browser.js("return [...document.querySelectorAll('#tv button, #tv summary, #tv input')].filter((e) => e.checkVisibility()).every((e) => (e.getAttribute('aria-label') || e.textContent || e.title).trim() !== '')")
    assert browser.js("return [...document.querySelectorAll('#tv th')].every((e) => e.textContent !== '')")
    # Arrows go through the tabs, Enter opens one, and a finding is opened by keys.
    browser.js("document.querySelector('[role=tab]').focus()")
    browser.keys(Keys.ARROW_LEFT, Keys.ARROW_LEFT, Keys.ENTER)
    assert browser.js("return TV.view.tab") == "gaps"
    browser.keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ENTER)
    assert browser.js("return TV.view.tab") == "statistics"
    browser.js("document.querySelector('.tv-finding').focus()")
    browser.keys(Keys.ENTER)
    assert browser.js("return TV.view.finding === TV.data.header.answer.findings[0].id && document.activeElement.getAttribute('aria-expanded') === 'true'")
    # What has the focus is seen.
    assert browser.js("const style = getComputedStyle(document.activeElement); return parseFloat(style.outlineWidth) >= 2 && style.outlineStyle === 'solid'")


def test_live_region_names_the_task(browser):
    cholesky(browser)
    row = by_worker("CPU4")[3]
    task = rows(RUN)[row]
    browser.js("TV.view.select({run: 0, row: arguments[0]})", row)
    browser.keys(Keys.ENTER)
    text = browser.text('[role="status"].tv-live')
    for part in (f"{task['Value']} {task['JobId']}", "on CPU4", f"{float(task['Start']):.6f}".rstrip("0")):
        assert part in text, (part, text)
    assert browser.js("return document.querySelector('.tv-tip').hidden") is False
    tree = browser.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    roles = {(node["role"]["value"], node.get("name", {}).get("value", "")[:20]) for node in tree if not node.get("ignored")}
    for role, name in (("application", "cholesky: 4"), ("image", "the figure"), ("searchbox", "search tasks by id"), ("group", "types of tasks"),
                       ("button", "all"), ("status", "")):
        assert any(r == role and n.startswith(name) for r, n in roles), (role, name, sorted(roles))
    unnamed = [node["role"]["value"] for node in tree if not node.get("ignored") and node["role"]["value"] in ("button", "searchbox", "image", "application", "textbox")
               and not node.get("name", {}).get("value")]
    assert not unnamed, unnamed


def test_cursor_follows_into_the_window(browser):
    cholesky(browser, "#w=1000000000,1100000000&y=1:0.00000:0.20000")
    tasks = by_worker("CPU4")
    browser.js("TV.view.select({run: 0, row: arguments[0]})", tasks[-1])
    browser.keys(Keys.ENTER)
    begin, end = window(browser)
    task = rows(RUN)[tasks[-1]]
    assert begin <= ns(task["Start"]) and ns(task["End"]) <= end and abs(end - begin - 1e8) < 10
    box = browser.js("const c = TV.cursor, p = c.place(), b = TV.figure.itemBox(p, c.at.chart, c.at.item); return [b.y0 - p.top, p.top + p.height - b.y1]")
    assert min(box) >= -1, box


def test_keyboard_alone(browser):
    """Load, zoom, search, select, chain, hide, mark, export."""
    folder = os.path.join(os.environ["TV_TMP"], "keys")
    os.makedirs(folder, exist_ok=True)
    browser.driver.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": folder})
    cholesky(browser)
    browser.keys("www")
    assert window(browser)[1] - window(browser)[0] < 0.5 * browser.js("return TV.scene.end - TV.scene.begin")
    browser.keys("0", "/")
    browser.keys("id:2520", Keys.ENTER)
    browser.settle()
    row = next(row for row, task in app() if task["JobId"] == "2520")
    assert browser.js("return TV.view.selection") == {"run": 0, "row": row}
    assert "chain:" in browser.text(".tv-pinned") and "predecessors" in browser.text(".tv-pinned")
    browser.keys(Keys.ESCAPE)
    assert browser.js("return TV.view.selection") is None and focused(browser) == "tv-scroll"
    browser.keys(Keys.ENTER, Keys.ENTER, "f")
    task = browser.js("return TV.view.selection")
    assert task is not None
    browser.keys("m", Keys.ARROW_RIGHT, "m")
    region = browser.js("return TV.view.region")
    assert region["begin"] == ns(rows(RUN)[task["row"]]["Start"]), region
    assert region["end"] == ns(rows(RUN)[browser.js(CURSOR)]["End"]), region
    # The export of the marked region: the third entry.
    browser.keys("e")
    browser.keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ENTER)
    for _ in range(200):
        if os.path.exists(os.path.join(folder, "cholesky.csv")):
            break
        browser.settle()
    assert len(rows(os.path.join(folder, "cholesky.csv"))) == sum(ns(t["Start"]) < region["end"] and ns(t["End"]) > region["begin"] for _, t in app())
    assert focused(browser) == "SUMMARY"
    browser.js("document.querySelector('.tv-chip[data-type=SYRK]').focus()")
    browser.keys(Keys.ENTER)
    assert browser.js("return [...TV.view.hidden]") == ["SYRK"]
    browser.keys(Keys.SPACE)
    assert browser.js("return [...TV.view.hidden]") == []
    browser.js("document.querySelector('.tv-panels summary').focus()")
    browser.keys(Keys.ENTER)
    browser.keys(Keys.ARROW_DOWN, Keys.ARROW_DOWN, Keys.ENTER)
    assert browser.js("return [...TV.view.panels]") == ["ready"]


def test_link_gives_the_same_picture(browser):
    cholesky(browser)
    browser.js("TV.view.show(4e8, 9e8); TV.view.toggleType('SYRK'); TV.view.togglePanel('ready'); TV.view.theme = 'dark'; TV.view.select({run: 0, row: 2000})")
    browser.wait("return /s=/.test(location.hash) && /t=dark/.test(location.hash)", "the fragment is written")
    browser.settle()
    link, before = browser.js("return location.hash"), browser.driver.get_screenshot_as_base64()
    cholesky(browser, link)
    browser.settle()
    assert browser.driver.get_screenshot_as_base64() == before


def test_contrast(browser):
    """Text has a contrast of 4.5 or more in both themes (WCAG 2, AA)."""
    for theme in ("light", "dark"):
        cholesky(browser, f"#t={theme}&h=SYRK&s=0,2000")
        low = browser.js("""
            const linear = (c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
            const rgb = (text) => text.match(/[\\d.]+/g).map(Number), light = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
            const ground = (e) => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor); if (c.length === 3 || c[3] === 1) return c; } return [255, 255, 255]; };
            const found = [];
            for (const e of document.querySelectorAll('body *')) {
                if (!e.checkVisibility() || ![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim() !== '')) continue;
                const a = light(rgb(getComputedStyle(e).color)), b = light(ground(e)), ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
                if (ratio < 4.5) found.push([e.className, e.textContent.slice(0, 30), ratio]);
            }
            return found;""")
        assert not low, (theme, low)


def test_print_shows_figure_and_numbers(browser):
    cholesky(browser, "#t=dark&s=0,2000")
    pdf = base64.b64decode(browser.driver.execute_cdp_cmd("Page.printToPDF", {"printBackground": True})["data"])
    path = os.path.join(os.environ["TV_TMP"], "printed.pdf")
    with open(path, "wb") as file:
        file.write(pdf)
    text = subprocess.run(["pdftotext", path, "-"], capture_output=True, check=True).stdout.decode()
    assert "4196.477978 ms" in text and "idleness of CPU" in text and "JavaScript" not in text, text
    assert "predecessors" not in text and "color-blind" not in text
    subprocess.run(["pdftoppm", "-r", "40", path, path], check=True)
    pages = sorted(name for name in os.listdir(os.environ["TV_TMP"]) if name.startswith("printed.pdf-"))
    assert len(pages) <= 2, pages
    with open(os.path.join(os.environ["TV_TMP"], pages[0]), "rb") as file:
        data = file.read()
    light = sum(value > 200 for value in data[-len(data) // 2:])
    assert light > len(data) // 4, light


def test_reduced_motion(browser):
    browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]})
    cholesky(browser)
    moving = browser.js("return [...document.querySelectorAll('*')].filter((e) => { const s = getComputedStyle(e);"
                        " return parseFloat(s.transitionDuration) > 0 || parseFloat(s.animationDuration) > 0 || s.scrollBehavior === 'smooth'; }).length")
    assert moving == 0 and browser.js("return document.getAnimations().length") == 0
    browser.scheme(False)
