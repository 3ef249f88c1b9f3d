# SPDX-License-Identifier: GPL-3.0-or-later
"""The answer beside the figure: the text of diagnose, findings that lead into the figure, words and their meaning."""
import csv
import io
import re

from harness import Keys
from report import ns, report, run, table
from test_look import RUN, window
from test_safe import hostile, markup

LATE = "data/cholesky-dmda.csv"  # workers end early, and tasks wait for other workers
TEXT = "return [...document.querySelectorAll('.tv-answer > p')].map((p) => p.textContent)"


def answer(browser, fragment=""):
    browser.open(report("cholesky", RUN), fragment, answer=True)


def on_page(*arguments):
    """The words that diagnose prints, but that there are more findings: all of them are below."""
    return re.sub(r"\d+ more findings?: traceviz diagnose --all \S+", "", " ".join(run(*arguments).split())).split()


def findings(path=RUN):
    return [line for line in csv.DictReader(io.StringIO(run("diagnose", "--csv", path))) if line["Kind"] == "finding"]


def show(browser, name):
    """A click on a finding."""
    browser.js("document.querySelector(`[aria-controls='tv-finding-${arguments[0]}']`).click()", name)
    browser.settle()


def test_text_is_that_of_the_terminal(browser):
    answer(browser)
    assert " ".join(browser.js(TEXT)).split() == on_page("diagnose", RUN)
    want = findings()
    heads = browser.js("return [...document.querySelectorAll('.tv-finding b')].map((b) => b.textContent)")
    assert heads == [line["Title"] for line in want], heads
    in_full = " ".join(run("diagnose", "--all", RUN).split())
    for text in browser.js("return [...document.querySelectorAll('.tv-finding span, .tv-finding-words p')].map((p) => p.textContent)"):
        assert " ".join(text.split()) in in_full, text


def test_finding_shows_its_tasks_and_the_path(browser):
    answer(browser)
    show(browser, "urgent-delays")
    tasks = [line for line in table("outliers", RUN, "--where", 'Value == "TRSM"')]
    assert browser.js("return [...TV.view.plan.rows].flatMap((on, row) => on ? [TV.valueOf(0, 'JobId', row)] : []).sort()") == sorted(line["JobId"] for line in tasks)
    assert browser.js("return TV.view.plan.path && document.querySelector('#tv-finding-urgent-delays').offsetHeight > 0")
    drawn = browser.js("const at = TV.figure.overlay; return at.getContext('2d').getImageData(0, 0, at.width, at.height).data.reduce((n, v, i) => n + (i % 4 === 3 && v > 0), 0)")
    # A link has it; Escape leaves it; then nothing of it is drawn.
    browser.wait("return location.hash === '#f=urgent-delays'", "the link")
    answer(browser, "#f=urgent-delays")
    assert browser.js("return TV.view.plan.rows.reduce((n, on) => n + on, 0)") == len(tasks)
    browser.keys(Keys.ESCAPE)
    assert browser.js("return TV.view.plan === null && document.querySelector('#tv-finding-urgent-delays').offsetHeight === 0")
    left = browser.js("const at = TV.figure.overlay; return at.getContext('2d').getImageData(0, 0, at.width, at.height).data.reduce((n, v, i) => n + (i % 4 === 3 && v > 0), 0)")
    assert drawn > 5000 > left, (drawn, left)


def test_finding_shows_its_window_and_gaps(browser):
    browser.open(report("dmda", LATE), answer=True)
    show(browser, "long-tail")
    command = [line["Picture"] for line in findings(LATE) if line["Id"] == "long-tail"][0].split()
    begin, end = window(browser)
    assert [begin, end] == [ns(command[command.index(name) + 1]) for name in ("--begin", "--end")], (begin, end, command)
    last = max(table("outliers", LATE), key=lambda line: ns(line["End"]))
    assert browser.js("return TV.valueOf(0, 'JobId', TV.view.selection.row)") == last["JobId"]
    show(browser, "elsewhere")
    gaps = browser.js("const work = TV.Work.of(0); return TV.view.plan.gaps.map((g) => [work.reasons(g).reduce((sum, [name, ns]) => sum + (name === 'elsewhere' ? ns : 0), 0), work.gap.next[g]])")
    assert sum(time for time, _ in gaps) == sum(ns(line["Time"]) for line in table("idle-causes", LATE) if line["Cause"] == "elsewhere")
    longest = max((gap for gap in gaps if gap[1] != 0xffffffff), key=lambda gap: gap[0])
    assert browser.js("return TV.view.selection.row") == longest[1]
    # The whole run again; the name of a finding in the text leads there, too.
    assert window(browser) == browser.js("return [TV.scene.begin, TV.scene.end]")
    named = browser.js("const button = [...document.querySelectorAll('.tv-to')].pop(); button.click(); return button.textContent")
    assert browser.js("return TV.view.finding") == named


def test_words_are_explained(browser):
    answer(browser)
    glossary = " ".join(run("help", "glossary").replace("*", "").replace("`", "").split())
    words = browser.js("return [...document.querySelectorAll('.tv-answer > p .tv-word')].map((word) => { word.focus(); return [word.textContent, document.querySelector('.tv-meaning').firstChild.textContent]; })")
    assert len(words) > 5
    for word, meaning in words:
        assert meaning in glossary and word.lower().rstrip("s") in meaning.lower(), (word, meaning)
    assert any("makespan: from the first start" not in meaning and "longest path" in meaning for _, meaning in words)
    assert browser.js("document.activeElement.blur(); return document.querySelector('.tv-meaning').hidden")


def test_answer_closes_and_is_below_a_narrow_figure(browser):
    answer(browser)
    place = "const b = (s) => document.querySelector(s).getBoundingClientRect(), a = b('.tv-answer'), f = b('.tv-figure'); return [a.right <= f.left + 1, a.top >= f.bottom - 1, f.width]"
    beside, below, width = browser.js(place)
    assert beside and not below
    browser.keys("v")
    assert not browser.find(".tv-answer").is_displayed() and browser.js(place)[2] > width + 200
    browser.keys("v")
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 480, "height": 800, "deviceScaleFactor": 1, "mobile": False})
    try:
        browser.settle()
        beside, below, width = browser.js(place)
        assert below and width == 480, (beside, below, width)
    finally:
        browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 1280, "height": 800, "deviceScaleFactor": 1, "mobile": False})


def test_findings_of_samples(browser):
    for name, *arguments in (("halo", "data/mpi-halo"), ("nodes", "data/cholesky-4nodes/p1x4"), ("qr", "data/qr-mumps-like.csv"), ("decisions", "data/cholesky-decisions")):
        browser.open(report(f"answer-{name}", *arguments), answer=True)
        assert " ".join(browser.js(TEXT)).split() == on_page("diagnose", "-q", *arguments)
        for line in browser.js("return TV.data.header.answer.findings"):
            show(browser, line["id"])
            assert ("--begin" in line["picture"] + line["command"]) == (window(browser) != browser.js("return [TV.scene.begin, TV.scene.end]")), line


def test_hostile_names(browser):
    browser.open(hostile(), answer=True)
    text = browser.js(TEXT)
    assert text and markup(browser) == 0
    for line in browser.js("return TV.data.header.answer.findings"):
        show(browser, line["id"])
    assert markup(browser) == 0 and browser.js("return document.documentElement.scrollWidth") <= 1280


def test_only_the_default_report_has_an_answer(browser):
    browser.open(report("windowed", RUN, "--begin", "100", "--end", "900"), answer=True)
    assert not browser.all(".tv-answer")
    browser.open(report("chosen", RUN, "--panels", "spacetime"), answer=True)
    assert not browser.all(".tv-answer")
