# SPDX-License-Identifier: GPL-3.0-or-later
"""Asking: selection, neighbors, chains, search."""
from harness import Keys
from report import report, table
from test_look import PLACE, RUN, app, cholesky, longest, window


def jobs(browser, rows):
    return [browser.js("return TV.valueOf(0, 'JobId', arguments[0])", row) for row in rows]


def test_click_selects_and_escape_clears(browser):
    cholesky(browser)
    row, task = longest()
    x, y, *_ = browser.js(PLACE, row)
    browser.click(x, y)
    assert browser.js("return TV.view.selection") == {"run": 0, "row": row}
    assert browser.find(".tv-pinned").is_displayed() and f"{task['Value']} {task['JobId']}" in browser.text(".tv-pinned")
    browser.keys("f")
    begin, end = window(browser)
    x, y, x0, x1 = browser.js(PLACE, row)
    assert 0.2 < (x1 - x0) / browser.js("return TV.figure.layout.frames[1].width") < 0.5
    browser.keys(Keys.ESCAPE)
    assert browser.js("return TV.view.selection") is None and not browser.find(".tv-pinned").is_displayed()


def test_neighbors_are_the_dependencies(browser):
    cholesky(browser)
    known = {task["JobId"] for _, task in app()}
    successors = {}
    for _, task in app():
        for job in task["DependsOn"].split():
            successors.setdefault(job, set()).add(task["JobId"])
    tasks = app()
    for row, task in tasks[::len(tasks) // 40]:
        before = set(task["DependsOn"].split())
        found = set(jobs(browser, browser.js("return TV.Graph.of(0).predecessors(arguments[0])", row)))
        if before <= known:
            assert found == before, (task["JobId"], found, before)
        after = successors.get(task["JobId"], set())
        assert after <= set(jobs(browser, browser.js("return TV.Graph.of(0).successors(arguments[0])", row))), task["JobId"]


def test_backward_chain_is_the_one_of_deps(browser):
    cholesky(browser)
    last = {line["JobId"]: line["LastDependency"] for line in table("deps", RUN) if line.get("Kind", "app") == "app"}
    tasks = app()
    for row, task in tasks[::len(tasks) // 25]:
        want, job = [], task["JobId"]
        while last.get(job):
            job = last[job]
            want.append(job)
        chain = browser.js("return TV.Graph.of(0).chain(arguments[0])", row)
        assert jobs(browser, chain["rows"][:chain["at"]])[::-1] == want, (task["JobId"], want)
        forward = [task["JobId"], *jobs(browser, chain["rows"][chain["at"] + 1:])]
        for a, b in zip(forward, forward[1:]):
            assert last[b] == a


def test_search(browser):
    cholesky(browser)
    browser.keys("/")
    field = browser.find(".tv-search")
    field.send_keys("type:POTRF iteration:7")
    wanted = [task["JobId"] for _, task in app() if task["Value"] == "POTRF" and task["Iteration"] == "7"]
    assert wanted
    browser.wait(f"return document.querySelector('.tv-count').textContent === '{len(wanted)} found'", "the number found")
    field.send_keys(Keys.ENTER)
    browser.settle()
    assert browser.js("return TV.valueOf(0, 'JobId', TV.view.selection.row)") == wanted[0]
    for query, test in (("worker:cuda1_0", lambda task: task["ResourceId"].lower() == "cuda1_0"),
                        ("id:4999", lambda task: task["JobId"] == "4999"),
                        ("gemm", lambda task: "gemm" in task["Value"].lower() or "gemm" in task.get("Tag", "").lower())):
        found = browser.js("return TV.findTasks(0, arguments[0]).length", query)
        assert found == sum(test(task) for _, task in app()), (query, found)
    assert browser.js("return TV.findTasks(0, 'type:nothing')") == []


def test_facets_share_their_window(browser):
    browser.open(report("facets", "--facet", "dmda=data/cholesky-dmda.csv", "ws=data/cholesky-ws.csv"))
    assert browser.js("return TV.scene.charts.map((c) => c.run).filter((r, i, all) => all.indexOf(r) === i)") == [0, 1]
    browser.wheel(300, 330, -500)
    ticks = browser.js("return TV.figure.draw.ticks.map((t) => t.text.join(' '))")
    assert len(ticks) == 2 and ticks[0] == ticks[1], ticks


def test_compare(browser):
    path = report("compare", "compare", "dmda=data/cholesky-dmda.csv", "ws=data/cholesky-ws.csv")
    browser.open(path)
    assert browser.js("return TV.data.header.facets.map((facet) => [facet.label, facet.row, facet.column])") == [["dmda", 0, 0], ["ws", 0, 1]]
    parts = browser.js("return TV.scene.parts.map((part) => part.name).filter((name) => name !== '')")
    assert [parts.count(name) for name in ("spacetime", "ready", "progress", "diff")] == [2, 2, 2, 1], parts
    # The delay of the last task, as the panel of differences shows it, is that of the comparison.
    delay = max(float(row["Change"]) for row in table("compare", "--csv", "--section", "progress", "data/cholesky-dmda.csv", "data/cholesky-ws.csv")
                if row["Name"] == "progress" and row["Change"])
    texts = browser.js("const s = TV.scene; return [...s.shape.first.keys()].filter((i) => s.shape.kind[i] === TV.TEXT).map((i) => s.data.string(s.shape.first[i]))")
    assert any(f"last task +{delay:.1f} ms, 364 of 364 match" in text for text in texts), (delay, texts)
    assert browser.js("return TV.exporting.command()").startswith("traceviz plot --panels spacetime,ready,progress,diff --facet dmda=")
    browser.wheel(300, 330, -500)
    ticks = browser.js("return TV.figure.draw.ticks.map((t) => t.text.join(' '))")
    assert len(ticks) == 2 and ticks[0] == ticks[1], ticks
