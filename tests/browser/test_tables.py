# SPDX-License-Identifier: GPL-3.0-or-later
"""The panel of numbers: statistics as text, tables linked with the figure, filters, jumps, their link."""
import os
import re

from harness import Keys
from report import ns, report, table
from test_look import PLACE, RUN, app, cholesky, longest, window

# The visible rows of the open table, as lists of texts, with all digits.
ROWS = "return [...document.querySelectorAll('.tv-table tr[aria-rowindex]')].map((row) => [...row.children].map((cell) => cell.title || cell.textContent))"


def job(browser):
    return browser.js("return TV.view.selection && TV.valueOf(0, 'JobId', TV.view.selection.row)")


def tab(browser, name):
    browser.js("TV.view.tab = null; TV.view.openTab(arguments[0])", name)
    browser.settle()


def short(text):
    """Milliseconds as the viewer writes them."""
    return text.rstrip("0").rstrip(".") if "." in text else text


def test_statistics_as_text(browser):
    cholesky(browser, "#w=1000000000,2000000000")
    browser.keys("i")
    lines = browser.js("return [...document.querySelectorAll('.tv-statistics .tv-lines')].map((t) => [...t.rows].map((r) => [...r.cells].map((c) => c.title && !c.matches('th') ? c.title : c.textContent)))")
    types, lengths, causes, workers = lines
    assert [types[0][2], causes[0][1], *workers[0][3:6]] == ["time, ms", "time, ms", "busy, ms", "other, ms", "idle, ms"], (types[0], causes[0], workers[0])
    # What is seen has four digits.
    seen = browser.js("return [...document.querySelectorAll('.tv-statistics td[title]')].map((cell) => cell.textContent)")
    assert len(seen) > 30 and all(len(re.sub(r"\D|^0\.0*", "", text)) <= 4 or "." not in text for text in seen), seen
    want = {line["Value"]: line for line in table("summary", "--by", "Value", "--restrict", "Start < 2000 and End > 1000", RUN)}
    assert [line[0] for line in types[1:]] == [*[name for name in (line[0] for line in types[1:-1])], "all"] and set(want) == {line[0] for line in types[1:-1]}
    for line in types[1:-1]:
        assert int(re.sub(r"\D", "", line[1])) == int(want[line[0]]["Tasks"]), (line, want[line[0]])
    for line in lengths[1:-1]:
        assert line[1:] == [short(want[line[0]][p]) for p in ("MeanDuration", "Min", "P5", "P25", "Median", "P75", "P95", "Max")], (line, want[line[0]])
    for line in table("idle-causes", "--begin", "1000", "--end", "2000", RUN):
        assert [cause[1] for cause in causes if cause[0] == line["Cause"]] == ([short(line["Time"])] if float(line["Time"]) else []), (line, causes)
    for line in table("idleness", "--begin", "1000", "--end", "2000", RUN):
        worker = [one for one in workers if one[0] == line["ResourceId"]][0]
        assert worker[2:5] == [line["Tasks"], short(line["Busy"]), short(line["Other"])], (line, worker)
        assert abs(float(worker[6]) - float(line["Idleness"])) <= 0.01, (line, worker)
    # The figure stays beside the panel.
    assert browser.js("return document.querySelector('.tv-figure').getBoundingClientRect().right <= document.querySelector('.tv-dock').getBoundingClientRect().left + 1")
    # A window of the figure changes them.
    browser.js("TV.view.show(0, 1e6)")
    browser.wait("return document.querySelector('.tv-statistics h2').textContent.includes('window 0 ms to 1 ms')", "statistics of the new window")
    browser.js("TV.view.mark({ begin: 2e6, end: 5e6 })")
    browser.wait("return document.querySelector('.tv-statistics h2').textContent.includes('marked region 2 ms to 5 ms')", "statistics of the region")


def test_outliers_are_those_of_the_pass(browser):
    cholesky(browser)
    tab(browser, "outliers")
    want = [line for line in table("outliers", RUN) if line["Outlier"] == "1"]
    over = lambda line: ns(line["End"]) - ns(line["Start"]) - ns(line["Threshold"])
    want.sort(key=over, reverse=True)
    assert browser.text(".tv-note").startswith(f"{len(want)} ")
    got = browser.js(ROWS)
    for line, row in zip(want, got):
        assert row == [line["Value"], line["JobId"], line["ResourceId"], short(line["Start"]), short(f"{(ns(line['End']) - ns(line['Start'])) / 1e6:.6f}"),
                       short(line["Threshold"]), short(f"{over(line) / 1e6:.6f}")], (line, row)
    # A row shows its task.
    browser.js("document.querySelectorAll('.tv-table tr[aria-rowindex]')[1].click()")
    browser.settle()
    begin, end = window(browser)
    start, length = ns(want[1]["Start"]), ns(want[1]["End"]) - ns(want[1]["Start"])
    assert job(browser) == want[1]["JobId"] and begin < start and end > start + length and end - begin < 5 * length
    # A task of the figure marks its row, wherever it is in the table.
    last = len(want) - 1
    row = [i for i, task in app() if task["JobId"] == want[last]["JobId"]][0]
    browser.js("TV.goTo(TV.view, { run: 0, row: arguments[0] })", row)
    browser.wait(f"const row = document.querySelector('.tv-table tr[aria-selected=true]'); return row && row.children[1].textContent === '{want[last]['JobId']}'", "the row of the selected task")
    # By another column, both ways.
    for ascending in (True, False):
        browser.js("document.querySelectorAll('.tv-table th button')[1].click()")
        ids = [int(row[1]) for row in browser.js("document.querySelector('.tv-table').scrollTop = 0; " + ROWS)]
        assert ids and ids == sorted(ids, reverse=not ascending), ids


def test_delays_are_those_of_deps(browser):
    cholesky(browser)
    tab(browser, "delays")
    want = [line for line in table("deps", RUN) if line["Delay"] and line.get("Kind", "app") == "app"]
    want.sort(key=lambda line: -ns(line["Delay"]))
    assert int(re.sub(r"\D", "", browser.text(".tv-note").split(" tasks")[0])) == len(want)
    got = browser.js(ROWS)
    assert len(got) > 20
    for line, row in zip(want, got):
        assert row[3] == short(line["Delay"]), (line, row)
    by_job = {line["JobId"]: line for line in want}
    for row in got:
        line = by_job[row[1]]
        assert row == [line["Value"], line["JobId"], line["ResourceId"], short(line["Delay"]), short(line["Released"]), short(line["Start"]), line["LastDependency"]], (line, row)


def test_critical_path(browser):
    cholesky(browser)
    tab(browser, "critical path")
    want = table("critical-path", RUN)
    got = browser.js(ROWS)
    assert browser.text(".tv-note").replace("\u202f", "").startswith(f"{len(want)} ")
    for line, row in zip(want, got):
        assert [row[0], row[1], row[3], row[5], row[6], row[7], row[8]] == [line["Seq"], line["Part"], line["JobId"], short(line["Start"]), short(line["Duration"]), line["Edge"], line["Cause"]], (line, row)


def test_sums_of_the_critical_path(browser):
    for name, path in (("cholesky", RUN), ("nodes4", "data/cholesky-4nodes/p2x2")):
        browser.open(report(name, path))
        tab(browser, "critical path")
        lines = browser.js("return [...document.querySelectorAll('.tv-sums tr')].map((row) => [...row.cells].map((cell) => cell.title || cell.textContent))")
        want = {}
        for line in table("critical-path", "--by", "type", path):
            label = f"{line['Value']} {line['ResourceType']}" if line["Part"] == "task" else ": ".join(text for text in (line["Part"], line.get("Cause", "")) if text)
            if ns(line["Time"]) > 0:
                want[label] = want.get(label, 0) + ns(line["Time"])
        assert {line[0]: ns(line[2]) for line in lines[1:-1]} == want, (lines, want)
        assert ns(lines[-1][2]) == sum(want.values())
        # The path is drawn while its table is open.
        drawn = "const at = TV.figure.overlay; return at.getContext('2d').getImageData(0, 0, at.width, at.height).data.reduce((n, v, i) => n + (i % 4 === 3 && v > 0), 0)"
        browser.settle()
        with_path = browser.js(drawn)
        tab(browser, "delays")
        browser.settle()
        assert browser.js(drawn) < with_path, path


def test_chain_has_sums(browser):
    row, task = longest()
    cholesky(browser, f"#s=0,{row}")
    lines = browser.js("return [...document.querySelectorAll('.tv-pinned .tv-lines tr')].map((row) => [...row.cells].map((cell) => cell.title || cell.textContent))")
    rows = browser.js("return TV.Graph.of(0).chain(arguments[0]).rows.map((row) => TV.valueOf(0, 'JobId', row))", row)
    want, by_job = {}, {one["JobId"]: one for _, one in app()}
    for one in rows:
        value = by_job[one]["Value"]
        count, time = want.get(value, (0, 0))
        want[value] = count + 1, time + ns(by_job[one]["End"]) - ns(by_job[one]["Start"])
    assert len(rows) > 1 and {line[0]: (int(line[1]), ns(line[2])) for line in lines[1:-1]} == want, (lines, want)


def test_region_of_rows(browser):
    cholesky(browser, "#i=statistics")
    # Dragged with Alt from the fourth to the sixth row of CPUs.
    left, top, y = browser.js("""const f = TV.figure, chart = TV.scene.charts[0], place = f.layout.frames[chart.frame.number], page = f.overlay.getBoundingClientRect();
        return [page.left + place.left, page.top, ['CPU3', 'CPU5'].map((name) => { const row = chart.rows.find((one) => one.name === name); return f.layout.rowY(place, (row.y0 + row.y1) / 2); })]""")
    browser.drag(left + 100, top + y[0], left + 300, top + y[1], modifiers=1)
    browser.wait("return document.querySelector('.tv-statistics h2').textContent.includes('3 workers')", "the statistics of three rows")
    workers = "return [...document.querySelectorAll('.tv-statistics .tv-lines')].pop().tBodies[0].rows"
    names = f"{workers}.length && [...{workers[7:]}].map((row) => row.cells[0].textContent)"
    assert browser.js(names) == ["CPU3", "CPU4", "CPU5"]
    # A link has it.
    browser.wait("return /r=\\d+,\\d+,0,/.test(location.hash)", "the link")
    link, html = browser.js("return location.hash"), browser.js("return document.querySelector('.tv-statistics').textContent")
    browser.open(report("cholesky", RUN), link)
    assert browser.js("return document.querySelector('.tv-statistics').textContent") == html
    # Sorted by a click on a name, both ways; the sum stays last.
    for falling in (True, False):
        browser.js("document.querySelectorAll('.tv-statistics .tv-lines')[0].querySelectorAll('th > button:not(.tv-csv)')[2].click()")
        lines = browser.js("return [...document.querySelectorAll('.tv-statistics .tv-lines')[0].tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.title || cell.textContent))")
        times = [ns(line[2]) for line in lines[:-1]]
        assert lines[-1][0] == "all" and times == sorted(times, reverse=falling) and sum(times) == ns(lines[-1][2]), lines
    # As CSV, in that order and with all digits.
    got = browser.js("""const texts = []; TV.exporting.save = (blob, name) => texts.push(name, blob); document.querySelectorAll('.tv-csv')[0].click();
        return texts[1].text().then((text) => [texts[0], text]);""")
    assert got[0] == "cholesky-type.csv" and got[1].splitlines() == ["type,tasks,\"time, ms\",%"] + [",".join(line).replace("\u202f", "") for line in lines], got
    # By keys: another row.
    row = [i for i, task in app() if task["ResourceId"] == "CPU0"][0]
    browser.js("TV.view.select({ run: 0, row: arguments[0] })", row)
    browser.keys("M")
    browser.wait("return document.querySelector('.tv-statistics h2').textContent.includes('4 workers')", "the statistics of four rows")
    # What is saved of the region are tasks of its rows.
    region = browser.js("return TV.view.region")
    jobs = browser.js("return TV.exporting.tasks().runs[0].rows.map((row) => TV.valueOf(0, 'JobId', row)).sort()")
    assert jobs == sorted(task["JobId"] for _, task in app() if task["ResourceId"] in ("CPU0", "CPU3", "CPU4", "CPU5") and ns(task["Start"]) < region["end"] and ns(task["End"]) > region["begin"])


def test_gaps_and_their_causes(browser):
    cholesky(browser)
    tab(browser, "gaps")
    first = browser.js(ROWS)[0]
    lengths = [float(row[-3]) for row in browser.js(ROWS)]
    assert lengths == sorted(lengths, reverse=True)
    browser.js("document.querySelector('.tv-table tr[aria-rowindex]').click()")
    browser.settle()
    begin, end = browser.js("return [TV.view.region.begin, TV.view.region.end]")
    assert (end - begin) / 1e6 == float(first[-3]) and begin / 1e6 == float(first[-4])
    browser.wait("const row = document.querySelector('.tv-table tr[aria-selected=true]'); return row && row.rowIndex === 2", "the row of the gap is marked")
    # All of it is idle, for the causes of the table.
    causes = {line["Cause"]: ns(line["Time"]) for line in table("idle-causes", "--by", "worker", "--resource", first[0], "--begin", f"{begin / 1e6:.6f}", "--end", f"{end / 1e6:.6f}", RUN)}
    assert sum(causes.values()) == end - begin
    assert first[-2].split(", ") == sorted([c for c in causes if causes[c]], key=lambda c: -causes[c])


def test_from_a_gap_to_its_culprit(browser):
    cholesky(browser)
    tab(browser, "gaps")
    for k in range(3):
        browser.js("document.querySelectorAll('.tv-table tr[aria-rowindex]')[arguments[0]].click()", k)
        browser.wait("return document.querySelector('.tv-table tr[aria-selected=true]') && document.querySelector('.tv-pinned .tv-culprit button')", "the culprit")
        row = browser.js("return [...document.querySelector('.tv-table tr[aria-selected=true]').cells].map((cell) => cell.title || cell.textContent)")
        begin, end = browser.js("return [TV.view.region.begin, TV.view.region.end]")
        text = browser.text(".tv-pinned .tv-culprit span")
        # The row of idle-causes with most of the time, and one of its tasks.
        sums = {}
        for line in table("idle-causes", "--by", "culprit", "--resource", row[0], "--begin", f"{begin / 1e6:.6f}", "--end", f"{end / 1e6:.6f}", RUN):
            name = f"{line['Culprit']} {line['Value']} on {line['ResourceType']}"
            sums[name] = sums.get(name, 0) + ns(line["Time"])
        assert row[-1] == max(sums, key=sums.get) and re.sub(", .* tasks, the one with most of it, .* ms", "", text) == f"culprit for {sums[row[-1]] / 1e6:.6f} of {row[-3]} ms: {row[-1]}:", (row, text)
        task = browser.text(".tv-pinned .tv-culprit button")
        found = [(i, one) for i, one in app() if f"{one['Value']} {one['JobId']}" == task]
        assert len(found) == 1 and row[-1].endswith(f" {found[0][1]['Value']} on {found[0][1]['ResourceType']}")
        browser.js("document.querySelector('.tv-pinned .tv-culprit button').click()")
        assert browser.js("return TV.view.selection.row") == found[0][0]
        browser.keys(Keys.ESCAPE)
        tab(browser, "gaps")


def test_no_task_is_blamed_for_what_others_did(browser):
    cholesky(browser)
    # Of each gap: [what, its time, how many, the part of the one that is named, its length, words].
    gaps = browser.js("""const work = TV.Work.of(0);
        return Array.from({ length: work.gap.n }, (_, gap) => [work.culprit(gap), gap]).filter(([{ row }]) => row >= 0).map(([{ what, time, count, own, row }, gap]) =>
            [what, Number(time), count, Number(own), work.end[row] - work.start[row], TV.culpritText({ run: 0, gap })[0]])""")
    assert {what for what, *_ in gaps} and any(count > 1 for _, _, count, *_ in gaps)
    for what, time, count, own, length, text in gaps:
        assert (own == time) if count == 1 else (time / count <= own < time), (time, count, own)
        assert what != "task" or own <= length, (own, length)
        assert (f", {count} tasks, the one with most of it, " in text.replace("\u202f", "")) == (count > 1), (count, text)


def test_what_is_nothing_is_no_culprit(browser):
    path = os.path.join(os.environ["TV_TMP"], "noise.csv")
    with open(path, "w", encoding="utf-8") as file:
        file.write("ResourceId,Value,Start,End,JobId\nCPU0,a,0,10,1\nCPU0,b,10.002,20,2\nCPU0,c,25,30,3\n")
    browser.open(report("noise", path))
    for row, culprits in enumerate((0, 0, 1)):
        browser.js("TV.view.select({ run: 0, row: arguments[0] })", row)
        assert len(browser.all(".tv-pinned .tv-culprit")) == culprits, row


def test_jumps(browser):
    cholesky(browser)
    want = sorted(((ns(line["Start"]), line["JobId"]) for line in table("outliers", RUN) if line["Outlier"] == "1"))
    seen = []
    for key in "o" * len(want) + "oO":
        browser.keys(key)
        seen.append(job(browser))
        begin, end = window(browser)
        first, last = browser.js("return TV.timesOf(TV.view.selection)")
        assert begin < first and end > last and end - begin < 5 * (last - first), (begin, end, first, last)
    browser.keys("0")
    ids = [one[1] for one in want]
    assert len(ids) > 2 and seen == [*ids, ids[-1], ids[-2]], (seen, ids)
    browser.keys("g")
    gap = browser.js("return TV.view.region")
    assert gap["end"] - gap["begin"] >= 0.01 * 4196477978
    browser.keys("g", "G")
    assert browser.js("return TV.view.region") == gap


def test_filter(browser):
    cholesky(browser)
    browser.keys("/")
    field = browser.find(".tv-search")
    field.send_keys("type:TRSM worker:CUDA")
    browser.wait("return !document.querySelector('.tv-only').hidden", "the filter can be chosen")
    browser.find(".tv-only").click()
    browser.settle()
    tab(browser, "gaps")
    browser.wait("return document.querySelector('.tv-table tr[aria-rowindex]')", "the gaps")
    assert all(row[0].startswith("CUDA") for row in browser.js(ROWS))
    browser.js("TV.view.openTab(null)")
    wanted = [row for row, task in app() if task["Value"] == "TRSM" and task["ResourceId"].startswith("CUDA")]
    items = browser.js("const c = TV.scene.charts[0]; return Array.from(c.row.subarray(0, c.n)).sort((a, b) => a - b)")
    assert items == wanted
    # What is hovered, and the statistics, are of them alone; idle time is that of the workers.
    row = [i for i, task in app() if task["Value"] == "GEMM"][0]
    assert browser.js("return TV.scene.charts[0].itemOf(arguments[0])", row) == -1
    browser.keys(Keys.ESCAPE, "i")
    got = browser.js("const s = TV.statistics(0, TV.view.begin, TV.view.end, TV.view.keep(0)); return [s.types.map((t) => [t.name, t.tasks, String(t.time)]), s.workers.map((w) => [w.name, String(w.idle)])]")
    time = sum(ns(task["End"]) - ns(task["Start"]) for i, task in app() if i in set(wanted))
    assert got[0] == [["TRSM", len(wanted), str(time)]], got
    idle = {}
    for line in table("idle-causes", "--by", "worker", "--resource", "CUDA*", RUN):
        idle[line["ResourceId"]] = idle.get(line["ResourceId"], 0) + ns(line["Time"])
    assert {name: int(t) for name, t in got[1]} == idle, got
    # The link keeps it.
    link = browser.js("return TV.view.link()")
    cholesky(browser, f"#{link}")
    assert browser.js("return TV.scene.charts[0].n") == len(wanted) and browser.js("return TV.view.tab") == "statistics"
    assert browser.js("return document.querySelector('.tv-search').value") == "type:TRSM worker:CUDA"
    browser.find(".tv-only").click()
    browser.settle()
    assert browser.js("return TV.scene.charts[0].n") == len(app())


def test_measure_snaps_to_edges(browser):
    cholesky(browser)
    row, task = longest()
    browser.js("TV.goTo(TV.view, { run: 0, row: arguments[0] }, true)", row)
    browser.settle()
    _, y, x0, x1 = browser.js(PLACE, row)
    browser.drag(x0 + 3, y, x1 - 3, y, modifiers=1)
    assert browser.js("return [TV.view.region.begin, TV.view.region.end]") == [ns(task["Start"]), ns(task["End"])]


def test_hover_says_why_a_task_waited(browser):
    cholesky(browser)
    gaps = browser.js("const w = TV.Work.of(0); return Array.from({ length: w.gap.n }, (_, g) => [w.gap.next[g], w.gap.begin[g], w.gap.end[g]]).filter((g) => g[0] !== TV.NONE)")
    for row, begin, end in sorted(gaps, key=lambda gap: gap[1] - gap[2])[:3]:
        facts = dict((name, text) for name, text, _ in browser.js("return TV.factsOf({ run: 0, row: arguments[0] })", row))
        worker = facts["ResourceId"]
        causes = {line["Cause"]: ns(line["Time"]) for line in table("idle-causes", "--by", "worker", "--resource", worker, "--begin", f"{begin / 1e6:.6f}", "--end", f"{end / 1e6:.6f}", RUN)}
        want = ", ".join(f"{cause} {short(f'{time / 1e6:.6f}')} ms" for cause, time in sorted(causes.items(), key=lambda one: -one[1]) if time)
        assert facts["Idle before"] == want, (facts["Idle before"], want)


def test_long_table_has_few_elements(browser):
    """10^5 rows: elements for those in the window alone, wherever it is scrolled and however it is sorted."""
    cholesky(browser)
    got = browser.js("""
        const table = new TV.Table({ about: 'test', onchoose() {}, columns: [
            { name: 'number', number: true, value: (i) => i % 7 === 0 ? null : (i * 7919) % 100003, text: (i) => String((i * 7919) % 100003) },
            { name: 'text', value: (i) => `t${i % 1000}`, text: (i) => `t${i % 1000}` }] });
        const rows = () => [...table.element.querySelectorAll('tr[aria-rowindex]')].map((row) => [...row.children].map((cell) => cell.textContent));
        table.element.style.cssText = 'position: fixed; top: 0; left: 0; width: 300px; height: 400px';
        document.body.append(table.element);
        table.set(Array.from({ length: 100000 }, (_, i) => i));
        const first = rows(), high = table.element.scrollHeight;
        table.sort(0);
        const largest = rows();
        table.element.scrollTop = high;
        table.show();
        const last = rows();
        table.sort(1);
        const texts = rows();
        table.element.remove();
        return { first, largest, last, texts, high };""")
    assert all(len(got[name]) < 60 for name in ("first", "largest", "last", "texts")), {name: len(got[name]) for name in ("first", "largest", "last", "texts")}
    assert 100000 * 18 <= got["high"] < 100000 * 18 + 40, got["high"]
    numbers = sorted(((i * 7919) % 100003 for i in range(100000) if i % 7), reverse=True)
    assert [int(row[0]) for row in got["largest"]] == numbers[:len(got["largest"])]
    # Missing values are last; of equal ones, the first rows come first.
    missing = [(i * 7919) % 100003 for i in range(100000) if i % 7 == 0]
    assert [int(row[0]) for row in got["last"]] == missing[-len(got["last"]):]
    assert {row[1] for row in got["texts"]} == {"t0"}


def test_idle_time_says_why(browser):
    """White between two tasks of a worker: hover and click."""
    cholesky(browser)
    gap, begin, end, worker = browser.js("""const { gap, workers } = TV.Work.of(0), all = Array.from({ length: gap.n }, (_, g) => g).filter((g) => gap.next[g] !== TV.NONE && gap.after[g] !== TV.NONE);
        const g = all.reduce((best, one) => gap.end[one] - gap.begin[one] > gap.end[best] - gap.begin[best] ? one : best);
        return [g, gap.begin[g], gap.end[g], workers[gap.worker[g]].name]""")
    x, y = browser.js("""const figure = TV.figure, chart = TV.scene.charts[0], place = figure.laid().frames[chart.frame.number], page = figure.overlay.getBoundingClientRect(), row = chart.rows.find(({ name }) => name === arguments[1]);
        return [page.left + figure.timeX(place, arguments[0]), page.top + figure.layout.rowY(place, (row.y0 + row.y1) / 2) - figure.scroll.scrollTop]""", (begin + end) / 2, worker)
    browser.move(x, y)
    causes = {line["Cause"]: ns(line["Time"]) for line in table("idle-causes", "--by", "worker", "--resource", worker, "--begin", f"{begin / 1e6:.6f}", "--end", f"{end / 1e6:.6f}", RUN)}
    why = ", ".join(f"{cause} {short(f'{time / 1e6:.6f}')} ms" for cause, time in sorted(causes.items(), key=lambda one: -one[1]) if time)
    tip = "return Object.fromEntries([...document.querySelectorAll(arguments[0] + ' .tv-card > table tr')].map((line) => [line.cells[0].textContent, line.cells[1].textContent]))"
    facts = browser.js(tip, ".tv-tip:not([hidden])")
    assert facts["Worker"] == worker and facts["Why"] == why and ns(facts["Length"].split()[0]) == end - begin, (facts, why)
    assert "culprit for " in browser.text(".tv-tip:not([hidden])")
    browser.click(x, y)
    assert browser.js("return TV.view.gap") == {"run": 0, "gap": gap} and browser.js(tip, ".tv-pinned") == facts
    links = browser.js("return [...document.querySelectorAll('.tv-pinned .tv-links:not(.tv-culprit) button')].map((button) => button.textContent)")
    assert links == browser.js("const { gap } = TV.Work.of(0); return [gap.after[arguments[0]], gap.next[arguments[0]]].map((row) => TV.nameOf({ run: 0, row }))", gap)
    browser.wait("return /s=0,\\d+,gap/.test(location.hash)", "the link")
    link = browser.js("return location.hash")
    cholesky(browser, link)
    assert browser.js("return TV.view.gap") == {"run": 0, "gap": gap}
    browser.keys(Keys.ESCAPE)
    assert browser.js("return TV.view.gap === null && document.querySelector('.tv-pinned').hidden")
