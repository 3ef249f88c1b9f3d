# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of a trace are text, whatever they contain; without JavaScript the picture and the numbers are there."""
import csv
import io
import os
import subprocess
import xml.etree.ElementTree as xml

from harness import Browser, Keys
from report import PROGRAM, report, run

NAMES = ["<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", "\"quoted\" 'names' & more", "\u05e9\u05dc\u05d5\u05dd \u202e abc", "\U0001f9e8 emoji",
         "bell\x07 escape\x1b[31m delete\x7f", "line\nfeed\ttab", "--exclude", "a,b*?", "$(touch x); `x` \\", "=1+1", "]]>&lt;<!--", "x" * 10000]
# Characters that a page does not show have pictures.
SHOWN = {ord(c): 0x2400 + ord(c) for c in "\x07\x1b\n\t"} | {0x7f: 0x2421}


def hostile_csv(name="</title><img src=x onerror=alert(3)> 'a' \"b\".csv"):
    folder = os.path.join(os.environ["TV_TMP"], "hostile")
    path = os.path.join(folder, name.replace("/", "\u2215"))
    os.makedirs(folder, exist_ok=True)
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["ResourceId", "Value", "Start", "End", "JobId", "DependsOn", "Tag", "<b>own</b> column"])
        for i, name in enumerate(NAMES):
            out.writerow([f"CPU{i} {name}", name, 10 * i, 10 * i + 9, f"{i}{name[:30].replace(' ', '_')}", "", name, name])
    return path


def hostile():
    return report("hostile", hostile_csv())


def markup(browser):
    """Elements that only names could have made, and dialogs."""
    return browser.js("return document.querySelectorAll('#tv img, #tv iframe, #tv script, #tv b b, #tv-static img:not([src^=\"data:\"]), #tv-static script').length"
                      " + document.scripts.length - 1")


def test_hostile_names_are_text(browser):
    browser.open(hostile())
    assert markup(browser) == 0
    chips = browser.js("return [...document.querySelectorAll('.tv-chip-name')].map((e) => e.textContent)")
    # One of the names is among "other": there are 12 colors.
    for name in NAMES[:3] + NAMES[7:12]:
        assert name in chips, (name, chips)
    rows = browser.js("return TV.scene.charts[0].rows.map((r) => r.name)")
    assert len(rows) == len(NAMES), rows
    for row, name in enumerate(NAMES):
        browser.js("TV.view.select({run: 0, row: arguments[0]})", row)
        browser.settle()
        shown = name.translate(SHOWN)
        assert shown[:80] in browser.text(".tv-pinned .tv-card-head b"), (name[:80], browser.text(".tv-pinned .tv-card-head b"))
        assert shown[:80] in browser.text(".tv-pinned table"), name[:80]
        box = browser.js("const b = document.querySelector('.tv-pinned').getBoundingClientRect(); return [b.left, b.right - innerWidth, b.bottom - innerHeight]")
        assert box[0] >= 0 and box[1] <= 0 and box[2] <= 0, box
    assert browser.js("return document.documentElement.scrollWidth") <= 1280
    title = os.path.basename(hostile_csv())[:-4]
    assert browser.driver.title == title and browser.text(".tv-title") == title and browser.text("#tv-static h1") == title
    assert markup(browser) == 0


def test_hostile_names_in_tooltips_and_the_live_region(browser):
    browser.open(hostile())
    for row, name in enumerate(NAMES):
        browser.js("TV.cursor.end(); TV.view.select({run: 0, row: arguments[0]})", row)
        browser.keys(Keys.ENTER)
        shown = name.translate(SHOWN)
        assert shown[:80] in browser.text(".tv-tip b"), name[:80]
        assert browser.text(".tv-live").startswith(shown[:80]), name[:80]
        box = browser.js("const b = document.querySelector('.tv-tip').getBoundingClientRect(); return [b.left, b.right - innerWidth, b.top]")
        assert box[0] >= 0 and box[1] <= 0 and box[2] >= 0, box
    assert markup(browser) == 0


def test_hostile_names_in_exports(browser):
    browser.open(hostile())
    svg = browser.js("return TV.exporting.svg()")
    root = xml.fromstring(svg)
    texts = "\n".join(text for element in root.iter("{http://www.w3.org/2000/svg}text") for text in element.itertext())
    for name in NAMES[:2] + NAMES[3:5]:
        assert name[:12] in texts, (name, texts)
    assert len(svg) < 400000 and {element.tag.split("}")[1] for element in root.iter()} <= {"svg", "style", "title", "desc", "text", "rect", "path", "g", "clipPath", "image"}
    path = os.path.join(os.environ["TV_TMP"], "hostile.svg")
    with open(path, "w", encoding="utf-8") as file:
        file.write(svg)
    subprocess.run(["rsvg-convert", path, "-o", f"{path}.png"], check=True)
    text = browser.js("return TV.csv(0, TV.exporting.tasks().runs[0].rows)")
    assert text == run("convert", hostile_csv(), "--to", "csv", "-q", "-o", "-"), text[:2000]
    assert [line[1] for line in csv.reader(io.StringIO(text, newline=""))][1:] == NAMES


def test_hostile_names_in_the_command(browser):
    browser.open(hostile())
    for name in NAMES[:12]:
        if "'" in name and '"' in name:
            continue
        browser.js("TV.view.hidden = new Set([arguments[0]])", browser.js("return TV.scene.types.find((t) => t.charts.some((c) => TV.hiddenNames("
                   "{scene: TV.scene, hidden: new Set([t.name])}).includes(arguments[0]))).name", name))
        command = browser.js("return TV.exporting.command()").replace("figure.pdf", "out.html")
        folder = os.path.dirname(hostile_csv())
        before = set(os.listdir(folder)) | {"out.html"}
        done = subprocess.run(["sh", "-c", command.replace("traceviz", f"'{PROGRAM}'", 1)], cwd=folder, capture_output=True, check=False)
        assert done.returncode == 0, (command, done.stderr.decode())
        assert set(os.listdir(folder)) <= before, "the command has made another file"
        browser.open(os.path.join(folder, "out.html"))
        left = browser.js("const c = TV.scene.charts[0]; return [...c.row].map((r) => TV.data.raw(TV.data.table(0, 'tasks').find((e) => e.name === 'Value'), r))")
        assert left == [other for other in NAMES if other != name], (name, left)
        browser.open(hostile())


def test_nothing_else_can_run(browser):
    browser.open(hostile())
    policy = browser.js("return document.querySelector('meta[http-equiv]').content")
    assert policy.startswith("default-src 'none'; script-src 'sha256-") and "unsafe" not in policy, policy
    browser.js("""const s = document.createElement('script'); s.textContent = 'window.ran = 1'; document.body.append(s);
        const i = document.createElement('div'); i.innerHTML = '<img src=x onerror="window.ran = 2">'; document.body.append(i);""")
    browser.settle()
    assert browser.js("return window.ran") is None
    # The browser reports each of them.
    refused = browser.complaints()
    assert refused and all("Content Security Policy" in line or "ERR_" in line or "/x" in line for line in refused), refused


def test_without_javascript(_):
    plain = Browser(javascript=False)
    try:
        plain.driver.get(f"file://{report('cholesky', 'data/cholesky.csv')}")
        assert plain.find("#tv-static img").is_displayed()
        text = plain.find("#tv-static").text
        assert "4196.477978 ms" in text and "4960" in text, text
    finally:
        plain.close()


def test_old_or_small_browser_shows_picture_and_reason(browser):
    for source, reason in (("delete window.DecompressionStream", "too old"),
                           ("Uint8Array.prototype.set = () => { throw new RangeError('Array buffer allocation failed'); }", "too little memory")):
        script = browser.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source})
        try:
            browser.open(report("cholesky", "data/cholesky.csv"), ready=False)
            browser.wait("return document.documentElement.dataset.tvState === 'failed'", f"the viewer reports a browser that is or has {reason}")
            assert reason in browser.text('.tv-problem[role="alert"]')
            assert browser.find("#tv-static img").is_displayed() and "4196.477978 ms" in browser.find("#tv-static").text
        finally:
            browser.driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", {"identifier": script["identifier"]})
