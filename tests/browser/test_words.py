# SPDX-License-Identifier: GPL-3.0-or-later
"""Words and their meanings: in the figure, in the legend, in sentences; names and axes that can be read."""
import os

from report import report, run, table
from test_causes import KINDS, case_of, make_cases
from test_look import RUN

# The middle of a word of a text of the figure, on the page.
WORD = """const [text, word] = arguments, { draw, overlay, scroll } = TV.figure, page = overlay.getBoundingClientRect(), one = draw.written.all.find((at) => at.text.startsWith(text)), { context } = draw;
    context.font = one.font;
    const width = (part) => context.measureText(part).width, scale = Math.min(1, one.room / width(one.text)), left = one.x - { left: 0, center: 0.5, right: 1 }[one.align] * width(one.text) * scale;
    const at = one.text.indexOf(word);
    return [page.left + left + scale * (width(one.text.slice(0, at)) + width(word) / 2), page.top + one.y - 3 - scroll.scrollTop]"""
TIP = "const tip = document.querySelector('.tv-meaning'); return tip.hidden ? '' : tip.textContent"


def glossary():
    return " ".join(run("help", "glossary").replace("*", "").replace("`", "").split())


def node_imbalance(browser):
    make_cases(os.path.join(os.environ["TV_TMP"], "causes"), "small", 1, {"node-imbalance": KINDS["node-imbalance"]})
    browser.open(report("causes-node-imbalance", case_of("node-imbalance")), answer=True)


def test_words_of_the_figure_are_explained(browser):
    node_imbalance(browser)
    for text, word, start in (("ABE ", "ABE", "area bound (ABE): how long all tasks"), ("makespan ", "CPE", "critical path estimate (CPE): the longest path"),
                              ("idle %", "idle %", "idleness, in figures idle %: share of the makespan"), ("longer busy", "longer busy", "longer busy: a node"),
                              ("drain ", "drain", "drain: the last task has begun (idle)"),
                              ("dependencies: no next task", "task", "dependencies: no task is released (idle)")):
        browser.move(*browser.js(WORD, text, word))
        tip = browser.js(TIP)
        assert tip.startswith(start), (text, tip)
        meaning = tip.split("traceviz help")[0].split(" (idle)")[0].split(": ", 1)[1]
        assert meaning[:60] in glossary(), meaning
    assert "no-next-task: this worker runs no further task (blame)" in browser.js(TIP)
    assert browser.js("return TV.words.of('ABE 1.203', 6).length") == 1
    # Not elsewhere, and not for names of the trace.
    browser.move(640, 5)
    assert browser.js(TIP) == ""
    assert browser.js("return [TV.words.of('run', 1), TV.words.of('stencil 12', 2)]") == [[], []]


def test_legend_says_what_is_dark(browser):
    browser.open(report("cholesky", RUN), answer=True)
    assert browser.text(".tv-legend-note") == "dark: outliers, light: the other tasks"
    browser.js("document.querySelector('.tv-legend-note .tv-word').focus()")
    assert browser.js(TIP).startswith("outlier: a task that took much longer than others of its type")
    browser.js("document.activeElement.blur()")
    titles = browser.js("return [...document.querySelectorAll('.tv-chip .tv-swatch')].map((swatch) => swatch.title)")
    assert titles and all(title.startswith("left: outliers (outlier: a task that took") and title.endswith("; right: the other tasks") for title in titles), titles


def test_verbs_are_no_words_of_the_glossary(browser):
    browser.open(report("cholesky", RUN), answer=True)
    found = "return TV.words.in(arguments[0]).map(({ text }) => text)"
    for text, want in (("Run the tasks on the critical path earlier.", ["critical path"]), ("1 of 6 workers run nothing after 77.79 ms.", ["workers"]),
                       ("Check what else runs there.", []), ("The run took 85.83 ms.", ["run"]), ("These tasks delay others; each delay counts.", ["delay"]),
                       ("How sure: the cause is likely.", ["cause"]), ("They cause a delay.", ["delay"])):
        assert browser.js(found, text) == want, (text, browser.js(found, text))


def test_all_findings_are_on_the_page(browser):
    browser.open(report("cholesky", RUN), answer=True)
    text = browser.js("return [...document.querySelectorAll('.tv-answer > p')].map((p) => p.textContent).join(' ')")
    assert "more finding" not in text and "--all" not in text
    assert len(browser.all(".tv-finding")) == sum(line["Kind"] == "finding" for line in table("diagnose", "--csv", RUN))


def test_axes_have_two_ticks(browser):
    browser.open(report("cholesky", RUN))
    for length in (7, 30, 999, 4321, 123456, 9.9e6, 1.1e8, 3.3e9):
        for begin in (0, 999, 12345678):
            ticks = browser.js("return TV.ticks(arguments[0], arguments[0] + arguments[1], arguments[2])", begin, length, 160)
            assert len(ticks["at"]) >= 2 and len(set(ticks["text"])) == len(ticks["text"]), (begin, length, ticks)


def test_one_line_needs_no_sum(browser):
    browser.open(report("cholesky", RUN))
    lines = "return [...TV.sumsByType('chain', arguments[0].map((name) => ({ name, time: 5n })), 100n).tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent))"
    assert browser.js(lines, ["a", "a"]) == [["a", "2", "0.00001", "10.00"]]
    assert sorted(line[0] for line in browser.js(lines, ["a", "b"])) == ["a", "all", "b"]


def test_bars_do_not_lie_over_names(browser):
    node_imbalance(browser)
    # Right end of the names, left end of the bars, pixels.
    ends = browser.js("""const { layout, draw, scene } = TV.figure, chart = scene.charts[0], place = layout.frames[chart.frame.number], ends = [], { context } = draw, write = context.fillText;
        const bars = Array.from(scene.shape.kind.keys()).filter((i) => scene.styles[scene.shape.style[i]].class === 'accent').map((i) => layout.x(scene.shape.x0[i]));
        context.fillText = (text, x) => chart.rows.some(({ name }) => name === text) && ends.push(x);
        draw.names(place, chart);
        delete context.fillText;
        return [ends, bars, typeof write]""")
    assert ends[0] and ends[1] and max(ends[0]) < min(ends[1]), ends
