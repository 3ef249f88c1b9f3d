# SPDX-License-Identifier: GPL-3.0-or-later
"""Statistics of windows: the numbers of summary, idleness, idle-causes and aggregate, to the ns."""
import os
from random import Random

from report import ns, report, rows, table

RUN = "data/cholesky.csv"
EPOCH = 1763800000123456789  # ns; more than 2^53
PERCENTS = ("Min", "P5", "P25", "Median", "P75", "P95", "Max")

STATISTICS = """
const [run, begin, end, hidden, query, workers] = arguments, { base } = TV.scene, text = (value) => value === null ? null : String(value);
const times = begin === null ? [-Infinity, Infinity] : [begin, end].map((time) => Number(BigInt(time) - base));
if (workers)
	TV.view.mark({ begin: times[0], end: times[1], rows: { run, workers: new Set(workers.map((name) => TV.Work.of(run).number(name))) } });
const s = TV.statistics(run, ...times, workers ? TV.view.keepMarked(run) : query ? TV.wanted(run, query) : {});
const type = (t) => ({ name: t.name, tasks: t.tasks, executions: t.executions, time: text(t.time), mean: text(t.mean), quantiles: t.quantiles && t.quantiles.map(text) });
return {
	begin: text(s.begin), end: text(s.end), types: s.types.map(type), all: type(s.all), causes: s.causes.map((c) => [c.name, text(c.time)]),
	workers: s.workers.map((w) => ({ name: w.name, tasks: w.tasks, busy: text(w.busy), other: text(w.other), idle: text(w.idle), causes: w.causes.map(text), times: [...w.times].map(([n, t]) => [n, text(t)]) })),
};
"""


def ms(time):
    """ns as an option: milliseconds, exact."""
    sign = "-" if time < 0 else ""
    return f"{sign}{abs(time) // 10 ** 6}.{abs(time) % 10 ** 6:06d}"


def compare(browser, run, path, begin=None, end=None, *options, workers=None):
    """Statistics of a window of a run against the passes over its trace."""
    got = browser.js(STATISTICS, run, None if begin is None else str(begin), None if end is None else str(end), None, None, workers)
    window = [] if begin is None else ["--begin", ms(begin), "--end", ms(end)]
    what = f"{path} {window}"

    # Sums by worker and cause.
    idle = {}
    for line in table("idle-causes", "--by", "worker", *window, *options, path):
        idle.setdefault(line["ResourceId"], {})[line["Cause"]] = ns(line["Time"])
    names = [name for name, _ in got["causes"]]
    for causes in idle.values():  # without loops it has no rows
        causes.setdefault("in-loop", 0)
    assert {worker["name"]: dict(zip(names, map(int, worker["causes"]))) for worker in got["workers"]} == idle, what
    for name, time in got["causes"]:
        assert int(time) == sum(one[name] for one in idle.values()), (what, name)
    for line in table("idleness", *window, *options, path):
        worker = [one for one in got["workers"] if one["name"] == line["ResourceId"]][0]
        assert (worker["tasks"], int(worker["busy"]), int(worker["other"])) == (int(line["Tasks"]), ns(line["Busy"]), ns(line["Other"])), (what, worker, line)
        assert int(worker["idle"]) == sum(idle[worker["name"]].values()), (what, worker)
        length = int(got["end"]) - int(got["begin"])
        assert abs(100 * int(worker["idle"]) / length - float(line["Idleness"])) < 1e-9, (what, worker, line)

    # Sums by type, of all workers and of each.
    times, each = {}, {}
    for line in table("aggregate", "--step", "100000000", *window, *options, path):
        if line["Part"] == "task":
            times[line["Value"]] = times.get(line["Value"], 0) + ns(line["Time"])
            key = line["ResourceId"], line["Value"]
            each[key] = each.get(key, 0) + ns(line["Time"])
    assert {t["name"]: int(t["time"]) for t in got["types"] if int(t["time"])} == {name: t for name, t in times.items() if t}, what
    assert {(w["name"], n): int(t) for w in got["workers"] for n, t in w["times"] if int(t)} == {key: t for key, t in each.items() if t}, what

    # Counts and quantiles, of the tasks that touch the window.
    touching = [] if begin is None else ["--restrict", f"Start < {ms(end)} and End > {ms(begin)}"]
    for by, types in (("Value", got["types"]), ("", [got["all"]])):
        want = {line.get("Value", ""): line for line in table("summary", "--by", by, *touching, *options, path)}
        assert {t["name"] for t in types} == set(want), (what, want)
        for t in types:
            line = want[t["name"]]
            if t["tasks"] == 0:
                assert (line["Tasks"], t["mean"], line["MeanDuration"]) == ("0", None, ""), (what, t, line)
                continue
            assert (t["tasks"], t["executions"], int(t["mean"])) == (int(line["Tasks"]), int(line["Executions"]), ns(line["MeanDuration"])), (what, t, line)
            assert [int(q) for q in t["quantiles"]] == [ns(line[p]) for p in PERCENTS], (what, t, line)
    return got


def test_whole_run(browser):
    browser.open(report("cholesky", RUN))
    compare(browser, 0, RUN)


def test_windows(browser):
    browser.open(report("cholesky", RUN))
    for begin, end in ((0, 10 ** 9), (10 ** 9, 2 * 10 ** 9), (123456789, 123999999), (3999999999, 5 * 10 ** 9), (77, 4196477977), (2 * 10 ** 9, 2 * 10 ** 9 + 1000)):
        compare(browser, 0, RUN, begin, end)


def test_regions_of_rows(browser):
    """Random parts of the run, with some of its workers."""
    random = Random(38)
    for name, path in (("cholesky", RUN), ("nodes4", "data/cholesky-4nodes/p2x2")):
        browser.open(report(name, path))
        last, all_workers = browser.js("return [TV.Work.of(0).span[1], TV.Work.of(0).workers.map((worker) => worker.name)]")
        for _ in range(int(os.environ.get("TV_REGIONS", "10")) // 2):
            begin = random.randrange(last - 10 ** 6)
            end = random.randrange(begin + 10 ** 5, min(last, begin + 10 ** random.randrange(6, 10)) + 1)
            workers = random.sample(all_workers, random.randrange(1, len(all_workers)))
            compare(browser, 0, path, begin, end, "--resource", ",".join(workers), workers=workers)
        browser.js("TV.view.mark(null)")


def test_facets(browser):
    browser.open(report("facets", "--facet", "dmda=data/cholesky-dmda.csv", "ws=data/cholesky-ws.csv"))
    for run, path in enumerate(("data/cholesky-dmda.csv", "data/cholesky-ws.csv")):
        compare(browser, run, path, 10 ** 8, 300000001)


def test_nodes(browser):
    browser.open(report("nodes4", "data/cholesky-4nodes/p2x2"))
    compare(browser, 0, "data/cholesky-4nodes/p2x2", 10 ** 8, 4 * 10 ** 8 + 7)
    compare(browser, 0, "data/cholesky-4nodes/p2x2")


def test_epoch_times(browser):
    """The same run at the time of its clock: exact where doubles are not."""
    path = os.path.join(os.environ["TV_TMP"], "epoch.csv")
    with open(path, "w", encoding="utf-8") as file:
        file.write("JobId,Value,ResourceId,ResourceType,Kind,Start,End,DependsOn\n")
        for i, task in enumerate(task for task in rows(RUN) if task["Start"] and task["Kind"] == "app"):
            if i < 3000:
                begin, end = EPOCH + ns(task["Start"]), EPOCH + ns(task["End"])
                file.write(f"{task['JobId']},{task['Value']},{task['ResourceId']},{task['ResourceType']},app,{ms(begin)},{ms(end)},{task['DependsOn']}\n")
    browser.open(report("epoch", path))
    compare(browser, 0, path)
    got = compare(browser, 0, path, EPOCH + 10 ** 8 + 1, EPOCH + 3 * 10 ** 8 + 1)
    assert int(got["begin"]) == EPOCH + 10 ** 8 + 1


def test_sums_beyond_2_53(browser):
    browser.open(report("cholesky", RUN))
    assert browser.js("""
        const sum = new TV.Sum(), long = 2 ** 52 - 1;
        for (let i = 0; i < 1001; i++) sum.add(long);
        return String(sum.value())""") == str(1001 * (2 ** 52 - 1))
    # Quantiles of type 7 of numbers whose products exceed it, by whole numbers.
    values = sorted((i * 7919 ** 4) % (2 ** 52) for i in range(1, 38))
    for p in (0, 5, 25, 50, 75, 95, 100):
        at, rest = divmod((len(values) - 1) * p, 100)
        exact = 100 * values[at] + (rest * (values[at + 1] - values[at]) if rest else 0)
        assert browser.js("return String(TV.quantile(arguments[0], arguments[1]))", values, p) == str((2 * exact + 100) // 200)
