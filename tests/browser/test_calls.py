# SPDX-License-Identifier: GPL-3.0-or-later
"""MPI runs: arrows, calls in the figure, in the numbers and in the search."""
import os
import re

from harness import Keys
from report import ns, report, rows, table
from test_causes import KINDS, case_of, click, make_cases, walk

HALO = "data/mpi-halo"
FACTS = "return Object.fromEntries([...document.querySelectorAll('.tv-pinned .tv-card > table:not(.tv-lines) tr')].map((line) => [line.cells[0].textContent, line.cells[1].textContent]))"
LINES = "return [...document.querySelectorAll('.tv-statistics .tv-lines')].map((t) => [...t.rows].map((r) => [...r.cells].map((c) => c.title && !c.matches('th') ? c.title : c.textContent)))"
# The middle of a call on the page.
CALL = """const row = arguments[0], chart = TV.chartOfCall({ run: 0, row }), place = TV.figure.laid().frames[chart.frame.number], page = TV.figure.overlay.getBoundingClientRect();
    const box = TV.figure.itemBox(place, chart, chart.itemOf(row));
    return [page.left + (box.x0 + box.x1) / 2, page.top + (box.y0 + box.y1) / 2 - TV.figure.scroll.scrollTop]"""
BLUE = """const at = TV.figure.canvas, p = at.getContext('2d').getImageData(0, 0, at.width, at.height).data; let n = 0;
    for (let i = 0; i < p.length; i += 4) n += p[i] === 0x0b && p[i + 1] === 0x3d && p[i + 2] === 0x91;
    return n"""


def longest():
    """The longest call that is a wait."""
    return max(rows(f"{HALO}/calls.csv"), key=lambda one: (one["Class"] == "wait") * (ns(one["End"]) - ns(one["Start"])))


def late_sender(browser):
    make_cases(os.path.join(os.environ["TV_TMP"], "causes"), "small", 1, {"late-sender": KINDS["late-sender"]})
    browser.open(report("causes-late-sender", case_of("late-sender")))


def test_heads_of_arrows_keep_their_size(browser):
    late_sender(browser)
    seen = browser.js("return [TV.scene.arrows.size, TV.view.begin, TV.view.end]")
    assert seen[0] > 0
    # Around the head of a message, whatever its length: no more than a head and a line are blue.
    browser.js("""const i = [...TV.scene.arrows.keys()][0], frame = TV.scene.frames[TV.scene.shape.frame[i]], tip = TV.scene.point.x[TV.scene.shape.first[i]] + frame.offset;
        TV.view.show(tip - arguments[0], tip + arguments[0])""", (seen[2] - seen[1]) / 2000)
    browser.settle()
    assert 0 < browser.js(BLUE) < 4000, browser.js(BLUE)
    # The tip is where the message ends, and the head as long as on the page, at any zoom.
    got = browser.js("""const i = [...TV.scene.arrows.keys()][0], arrow = TV.scene.arrows.get(i), tip = TV.scene.shape.first[i], path = [];
        const context = { beginPath() {}, moveTo: (...at) => path.push(at), lineTo: (...at) => path.push(at) };
        return [1, 1000, 1e6].map((zoom) => {
            path.length = 0;
            TV.traceHead(context, TV.scene, arrow, tip, { X: (x) => x * zoom / 1e6, Y: (y) => y, s: 2 });
            const [a, b, c] = path;
            return [Math.hypot(a[0] - (b[0] + c[0]) / 2, a[1] - (b[1] + c[1]) / 2), Math.hypot(b[0] - c[0], b[1] - c[1]), 2 * arrow.length, 4 * arrow.half];
        })""")
    for length, width, want, wide in got:
        assert abs(length - want) < 1e-6 * want and abs(width - wide) < 1e-6 * wide and 2 < length < 20, got


def test_frames_are_thin(browser):
    browser.open(report("halo", HALO))
    for x0, x1 in ((10.2, 10.4), (10, 12), (10.5, 300)):
        left, top, wide, high, line = browser.js("let made; TV.strokeBox({ strokeRect(...box) { made = [...box, this.lineWidth]; } }, { x0: arguments[0], x1: arguments[1], y0: 5, y1: 25 }); return made", x0, x1)
        first, last = left - line / 2, left + wide + line / 2
        assert first >= x0 - 2 and last <= max(x1, x0 + 1) + 2 and top - line / 2 >= 5 and top + high + line / 2 <= 25, (x0, x1, left, wide)
        # What is marked is seen between the lines.
        assert last - first - 2 * line >= min(x1 - x0, 1), (x0, x1, line)


def test_click_opens_a_call(browser):
    call = longest()
    browser.open(report("halo", HALO))
    row = browser.js("return TV.Calls.of(0).rows.find((row) => String(TV.Calls.of(0).cells.time('Start', row)) === arguments[0] && TV.Calls.of(0).text('ResourceId', row) === arguments[1])", str(ns(call["Start"])), call["ResourceId"])
    browser.js("TV.view.showAround(...TV.timesOf({ run: 0, row: arguments[0], call: true }))", row)
    browser.settle()
    browser.click(*browser.js(CALL, row))
    facts = browser.js(FACTS)
    assert facts["Call"] == call["Call"] and facts["ResourceId"] == call["ResourceId"] and ns(facts["Start"].split()[0]) == ns(call["Start"]), (facts, call)
    waits = [line for line in table("wait-states", HALO) if line["ResourceId"] == call["ResourceId"] and ns(line["Start"]) == ns(call["Start"]) and ns(line["Wait"] or "0") > 0]
    assert bool(waits) == ("Waits" in facts), (facts, waits)
    # A link has it, the name is shown; Escape closes it.
    assert browser.text(".tv-pinned b").startswith(call["Call"])
    browser.wait("return /s=0,\\d+,call/.test(location.hash)", "the link")
    link = browser.js("return location.hash")
    browser.open(report("halo", HALO), link)
    assert browser.js(FACTS) == facts
    browser.keys(Keys.ESCAPE)
    assert browser.js("return TV.view.call === null && document.querySelector('.tv-pinned').hidden")


def test_finding_leads_to_its_call(browser):
    _, _, length, _ = walk(browser, "late-sender")
    facts = browser.js(FACTS)
    assert facts["Call"] == "MPI_Waitall" and facts["Site"] == "exchange@solver.c:44", facts
    assert abs(float(facts["Duration"].split()[0]) - float(length.split()[0])) < 0.01, (facts, length)
    assert re.match(r"[\d.]+ ms, late sender: for rank \d+, which came at [\d.]+ ms$", facts["Waits"]), facts


def test_numbers_of_a_run_without_tasks(browser):
    late_sender(browser)
    browser.js("TV.view.openTab('statistics')")
    # What was before the run has a place of its own.
    begin = browser.js("return Number(TV.scene.base) + TV.view.begin")
    calls = [call for call in rows(os.path.join(case_of("late-sender"), "calls.csv")) if ns(call["End"]) > begin]
    browser.wait("return document.querySelector('.tv-statistics h2') !== null", "the numbers")
    by_call, threads, waits, messages = browser.js(LINES)
    head = browser.text(".tv-statistics h2").replace("\u202f", "")
    assert f"{len(calls)} MPI calls on 4 threads" in head and not head.startswith("window 0 ms to 0 ms"), head
    want = {}
    for call in calls:
        name = f"{call['Call']} {call['Site']}".strip()
        n, time, most = want.get(name, (0, 0, 0))
        length = ns(call["End"]) - ns(call["Start"])
        want[name] = (n + 1, time + length, max(most, length))
    got = {line[0]: (int(re.sub(r"\D", "", line[1])), ns(line[2]), ns(line[4])) for line in by_call[1:-1]}
    assert got == want, (got, want)
    wait = sum(ns(line["Wait"]) for line in table("wait-states", case_of("late-sender")) if line["Wait"])
    assert ns(by_call[-1][5]) == wait > 0 and sum(ns(line[2]) for line in waits[1:]) == wait
    assert sum(int(re.sub(r"\D", "", line[1])) for line in messages[1:]) == len(table("messages", case_of("late-sender")))
    assert {line[0] for line in threads[1:]} == {call["ResourceId"] for call in calls}


def test_search_finds_calls(browser):
    browser.open(report("halo", HALO), answer=True)
    calls = rows(f"{HALO}/calls.csv")
    name = longest()["Call"]
    browser.keys("/")
    browser.find(".tv-search").send_keys(name[4:].lower())
    wanted = [call for call in calls if name[4:].lower() in call["Call"].lower() or name[4:].lower() in call["Site"].lower()]
    browser.wait("return document.querySelector('.tv-count').textContent !== ''", "the number")
    assert int(re.sub(r"\D", "", browser.text(".tv-count"))) == len(wanted) > 0
    browser.find(".tv-search").send_keys(Keys.ENTER)
    assert browser.js(FACTS)["Call"] == name
    click(browser, browser.find(".tv-only"))
    browser.settle()
    shown = browser.js("return TV.scene.charts.filter((chart) => chart.calls && !chart.frame.setup).flatMap((chart) => Array.from(chart.row.subarray(0, chart.n), (row) => TV.Calls.of(0).text('Call', row)))")
    assert set(shown) == {name}, set(shown)
