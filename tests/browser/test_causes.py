# SPDX-License-Identifier: GPL-3.0-or-later
"""From the opened report to the cause of a planted fault, by clicks alone: what is first names the cause, the first click
marks the place in the figure, the second shows a task or call of it. The runs are those of tests/long/answers.py."""
import json
import os
import re
import sys

from report import ROOT, report, table

sys.path.insert(0, os.path.join(ROOT, "tests/long"))
from answers import KINDS, make_cases  # noqa: E402  pylint: disable=wrong-import-position

# What is marked: of tasks, idle times or calls, [what of each, its worker or node].
TASKS = "return Array.from(TV.view.plan.rows || []).flatMap((on, row) => on ? [[TV.valueOf(0, 'ResourceId', row), TV.valueOf(0, 'Node', row)]] : [])"
PATH = "return TV.view.plan.path && TV.criticalPath(0).filter(({ row }) => row >= 0).map(({ cells }) => cells.Value)"
GAPS = "const work = TV.Work.of(0); return TV.view.plan.gaps.map((g) => [work.reasons(g).map(([name]) => name), work.gap.next[g]])"
CALLS = "return [...TV.view.plan.calls || []].flatMap(([chart, on]) => [...on].flatMap((one, i) => one ? [TV.data.string(chart.label[i])] : []))"
DRAWN = "const at = TV.figure.overlay; return at.getContext('2d').getImageData(0, 0, at.width, at.height).data.reduce((n, v, i) => n + (i % 4 === 3 && v > 0), 0)"
# The middle of an element, if a reader sees it there.
SEEN = """const box = arguments[0].getBoundingClientRect(), x = box.left + box.width / 2, y = box.top + box.height / 2, at = document.elementFromPoint(x, y);
    return at !== null && (arguments[0].contains(at) || at.contains(arguments[0])) ? [x, y] : null"""
FACTS = "return Object.fromEntries([...document.querySelectorAll('.tv-pinned tr')].map((line) => [line.cells[0].textContent, line.cells[1].textContent]))"


def case_of(kind):
    """The folder of its trace."""
    return os.path.join(os.environ["TV_TMP"], f"causes/cases/{kind}-0/run")


def click(browser, element):
    at = browser.js(SEEN, element)
    assert at, f"not in sight: {element.text}"
    browser.click(*at)


def walk(browser, kind):
    """Two clicks: the name of what is first in the text, then the first button of what is marked. The truth, and what the text says."""
    make_cases(os.path.join(os.environ["TV_TMP"], "causes"), "small", 1, {kind: KINDS[kind]})
    with open(os.path.join(case_of(kind), "../expect.json"), encoding="utf-8") as file:
        expect = json.load(file)
    browser.open(report(f"causes-{kind}", case_of(kind)), answer=True)
    first = next(text for text in browser.all(".tv-answer > p") if text.text.startswith("First:"))
    name = first.find_element("css selector", ".tv-to")
    assert name.text in expect["accept"], (name.text, expect["accept"])
    assert all(word in first.text for word in expect.get("mention", ())), (first.text, expect)
    click(browser, name)
    assert browser.js(DRAWN) > 1000, "nothing is drawn"
    buttons = [one for one in browser.all(".tv-finding-words .tv-links button") if one.is_displayed()]
    before = browser.js("return [TV.view.begin, TV.view.end]")
    assert buttons, "nothing to go to"
    click(browser, buttons[0])
    return expect["cause"], first.text, buttons[0].text, before


def shown(browser, name):
    """What is read of the task of a button."""
    assert browser.text(".tv-pinned .tv-card-head b") == name
    assert browser.js(SEEN, browser.find(".tv-pinned .tv-card-head b"))
    return browser.js(FACTS)


def test_slow_worker(browser):
    cause, text, task, _ = walk(browser, "slow-worker")
    worker = re.match(r"Worker (\S+) takes", cause)[1]
    assert f"worker {worker} is slower" in text
    assert {row[0] for row in browser.js(TASKS)} == {worker}
    facts = shown(browser, task)
    assert facts["ResourceId"] == worker and float(facts["Of its type"].split()[0]) > 1.2, facts


def test_serial_chain(browser):
    cause, text, task, _ = walk(browser, "serial-chain")
    assert f"a chain of {re.search(r'chain of ([0-9]+)', cause)[1]} tasks" in text, (cause, text)
    path = browser.js(PATH)
    assert path.count("step") > 0.9 * len(path) > 0, path
    tasks = {line["JobId"] for line in table("critical-path", case_of("serial-chain")) if line["Part"] == "task"}
    assert f"the critical path, {len(tasks)} tasks" in browser.text(".tv-finding-words:not([hidden]) .tv-links")
    assert task.startswith("step ") and shown(browser, task)["Duration"]


def test_large_tasks(browser):
    _, text, task, _ = walk(browser, "coarse-tasks")
    assert re.search("workers (have no more tasks before|wait for one task at) the end", text), text
    assert all(following == 0xffffffff and "drain" in causes for causes, following in browser.js(GAPS))
    # It is the last one of few.
    assert shown(browser, task)["End"] == browser.js("return TV.instant(BigInt(TV.data.header.runs[0].finish))")


def test_late_submission(browser):
    _, text, task, _ = walk(browser, "submission")
    assert "submission is too slow" in text
    gaps = browser.js(GAPS)
    assert gaps and all("not-submitted" in causes for causes, _ in gaps)
    assert shown(browser, task)["Idle before"].startswith("not-submitted ")


def test_node_imbalance(browser):
    cause, text, task, _ = walk(browser, "node-imbalance")
    node = re.match(r"Node (\d+) has", cause)[1]
    assert f"tasks of node {node} need" in text
    assert {row[1] for row in browser.js(TASKS)} == {node}
    # Its tasks are more, not longer: the buttons are the longest idle times of the other nodes.
    gaps = browser.js("const { gap, workers } = TV.Work.of(0); return Array.from({ length: gap.n }, (_, g) => [gap.end[g] - gap.begin[g], workers[gap.worker[g]].name, workers[gap.worker[g]].nodeName, g])")
    longest = max(gap for gap in gaps if gap[2] != node)
    assert browser.js("return TV.view.gap.gap") == longest[3] and task.endswith(f" on {longest[1]}"), (task, longest)
    facts = browser.js(FACTS)
    assert facts["Worker"] == longest[1] and round(float(facts["Length"].split()[0]) * 1e6) == longest[0] and facts["Why"], facts


# A time, and the tasks inside it with a value of a column.
WITHIN = "const work = TV.Work.of(0), [from, to] = TV.view.plan.during; return [from, to, Array.from({ length: work.n }, (_, i) => i).filter((i) => work.start[i] >= from && work.end[i] <= to && (arguments[0] === null || TV.valueOf(0, arguments[0], i) === arguments[1]))]"
SHADED = "const figure = TV.figure, place = figure.layout.frames[TV.scene.charts[0].frame.number], at = figure.overlay.getContext('2d'); return arguments[0].map((time) => at.getImageData(figure.timeX(place, time), place.top + place.height - figure.scroll.scrollTop - 2, 1, 1).data[3])"


def shows_its_time(browser, kind, column, name):
    """The finding marks the tasks of its time alone, and shades that."""
    make_cases(os.path.join(os.environ["TV_TMP"], "causes"), "small", 1, {kind: KINDS[kind]})
    with open(os.path.join(case_of(kind), "../expect.json"), encoding="utf-8") as file:
        cause = json.load(file)["cause"]
    browser.open(report(f"causes-{kind}", case_of(kind)), answer=True)
    click(browser, browser.find(".tv-answer > p .tv-to"))
    begin, end, rows = browser.js(WITHIN, column, re.search(name, cause)[1])
    marked = browser.js("return Array.from(TV.view.plan.rows).flatMap((on, row) => on ? [row] : [])")
    run = browser.js("return TV.Work.of(0).span")
    assert 0 < len(rows) and marked == rows and run[0] < begin < end, (cause, len(marked), len(rows))
    text = browser.text(".tv-finding-words:not([hidden]) .tv-links span").replace("\u202f", "")
    assert text.startswith(f"Marked: {len(rows)} tasks on ") and " from " in text, text
    assert len(browser.all(".tv-finding-words:not([hidden]) .tv-links button")) >= 3
    window = browser.js("return [TV.view.begin, TV.view.end]")
    before, inside = browser.js(SHADED, [(window[0] + begin) / 2, (begin + end) / 2])
    assert before == 0 < inside, (before, inside)


def test_slow_for_a_time(browser):
    shows_its_time(browser, "slow-later", "ResourceId", r"[Ww]orker (\S+) ")


def test_disturbance(browser):
    shows_its_time(browser, "disturbance", "Value", r"(\S+) takes")


def test_exclusion(browser):
    walk(browser, "exclusion")
    row, first = browser.js("const work = TV.Work.of(0), wait = (row) => (work.before(row) || { length: 0 }).length; return [TV.view.selection.row, Array.from(TV.view.plan.rows.keys()).filter((row) => TV.view.plan.rows[row]).reduce((best, row) => wait(row) > wait(best) ? row : best)]")
    assert row == first and browser.js(FACTS)["Idle before"], (row, first)


def test_waits_in_mpi(browser):
    cause, text, length, before = walk(browser, "late-sender")
    late, (waits,) = re.match(r"Rank (\d+) has", cause)[1], re.findall(r"Rank (\d+) is in MPI_Waitall", text)
    assert f"rank {late}" in text and waits != late
    assert all(call.startswith("MPI_Waitall, exchange@solver.c:44, ") and f", {waits}_T0, " in call for call in browser.js(CALLS))
    begin, end = browser.js("return [TV.view.begin, TV.view.end]")
    assert end - begin < (before[1] - before[0]) / 2 and float(length.split()[0]) <= (end - begin) / 1e6
