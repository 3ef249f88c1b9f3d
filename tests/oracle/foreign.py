#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""foreign.py TRACEVIZ FILE...: what a reader of its own finds in traces of other formats, against what traceviz converts.

Chrome trace events, databases of Nsight Systems, folders of StarVZ, output of pj_dump: rows, sums of durations (ns) and lanes of each
table. One line per file, one more per number that differs; exit 1 if any does.
"""
import csv, gzip, json, os, re, sqlite3, subprocess, sys, tempfile
from decimal import Decimal, ROUND_HALF_UP

csv.field_size_limit(1 << 30)


def text_of(path):
    data = open(path, "rb").read()
    return (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8-sig", "replace")


def ns(value, unit=1000):
    try:
        return int((Decimal(str(value)) * unit).quantize(0, ROUND_HALF_UP))
    except ArithmeticError:
        return None


def events_of(text):
    """The events, also of a list that is cut."""
    decoder = json.JSONDecoder(parse_float=Decimal, strict=False)
    try:
        whole = decoder.decode(text.strip())
        events = whole if isinstance(whole, list) else whole.get("traceEvents", [])
    except ValueError:
        at, events = text.find("[") + 1, []
        while True:
            at = re.compile(r"[\s,]*").match(text, at).end()
            try:
                event, at = decoder.raw_decode(text, at)
            except ValueError:
                break
            events.append(event)
    return [e for e in events if isinstance(e, dict)]


def chrome(path):
    """Slices, spans, instants and samples, by the rules of the format."""
    found = dict(slices=0, slice_ns=0, lanes=0, spans=0, instants=0, samples=0)
    lanes, stack, ends, last = set(), {}, [], {}
    events = events_of(text_of(path))
    for event in events:
        phase, at = event.get("ph"), ns(event.get("ts"))
        lane = (str(event.get("pid", 0)), str(event.get("tid", 0)))
        if not isinstance(phase, str) or at is None:
            continue
        if phase == "X":
            length = ns(event.get("dur", 0) or 0)
            if length >= 0:
                # The end is rounded, not the duration.
                length = ns(Decimal(str(event["ts"])) + Decimal(str(event.get("dur", 0) or 0))) - at
                found["slices"] += 1
                found["slice_ns"] += length
                lanes.add(lane)
        elif phase in "BE":
            ends.append((at, len(ends), lane, phase))
        elif phase in "bS":
            found["spans"] += 1
        elif phase in "iIRnTp":
            found["instants"] += 1
        elif phase == "C":
            found["samples"] += sum(ns(v) is not None and not isinstance(v, bool) for v in (event.get("args") or {}).values())
    for event in events:
        if event.get("ph") in ("X", "B", "E", "i", "I", "R") and ns(event.get("ts")) is not None:
            lane = (str(event.get("pid", 0)), str(event.get("tid", 0)))
            last[lane] = max(last.get(lane, -1 << 80), ns(event["ts"]) + (ns(event.get("dur", 0) or 0) if event["ph"] == "X" else 0))
    for at, _, lane, phase in sorted(ends, key=lambda e: e[:2]):
        if phase == "B":
            stack.setdefault(lane, []).append(at)
            found["slices"] += 1
            lanes.add(lane)
        elif stack.get(lane):
            found["slice_ns"] += at - stack[lane].pop()
    for lane, begins in stack.items():
        found["slice_ns"] += sum(last[lane] - at for at in begins)
    found["lanes"] = len(lanes)
    return found


def nsight(path):
    db = sqlite3.connect("file:%s?mode=ro" % path, uri=True)

    def rows(table, *columns):
        names = {c[1] for c in db.execute("pragma table_info(%s)" % table)}
        return list(db.execute("select %s from %s" % (",".join(c if c in names else "0" for c in columns), table))) if names else []

    calls = rows("CUPTI_ACTIVITY_KIND_RUNTIME", "start", "end", "correlationId", "globalTid")
    # Correlations are unique in one process only.
    launch = {(correlation, thread >> 24): start for start, _, correlation, thread in calls}
    found = dict(tasks=0, task_ns=0, launched=0, delay_ns=0, calls=len(calls), call_ns=sum(end - start for start, end, *_ in calls))
    streams = set()
    for table in ("KERNEL", "MEMCPY", "MEMSET"):
        for start, end, correlation, process, *stream in rows("CUPTI_ACTIVITY_KIND_" + table, "start", "end", "correlationId", "globalPid",
                                                              "deviceId", "contextId", "streamId"):
            found["tasks"] += 1
            found["task_ns"] += end - start
            streams.add((process, *stream))
            if (correlation, process >> 24) in launch:
                found["launched"] += 1
                found["delay_ns"] += start - launch[correlation, process >> 24]
    found["streams"] = len(streams)
    found["ranges"] = sum(kind in (34, 59, 60) for (kind,) in rows("NVTX_EVENTS", "eventType"))
    found["mpi"] = sum(len(rows("MPI_%s_EVENTS" % kind, "start")) for kind in ("P2P", "COLLECTIVES", "START_WAIT", "OTHER"))
    found["system_calls"] = len(rows("OSRT_API", "start"))
    return found


def starvz(path):
    def rows(name):
        name = os.path.join(path, name)
        name += "" if os.path.exists(name) else ".gz"
        return csv.DictReader(text_of(name).splitlines(), skipinitialspace=True) if os.path.exists(name) else []
    tasks = [r for r in rows("paje.worker_state.csv") if r.get("JobId") and r["JobId"] != "NA"]
    edges = {(r["JobId"], r["Dependent"]) for r in rows("dag.csv")}
    edges |= {(r["JobId"], d) for r in rows("rec.tasks.csv") for d in (r.get("DependsOn") or "").split() if d != "NA"}
    return dict(tasks=len(tasks), workers=len({r["ResourceId"] for r in tasks}), edges=edges,
                task_ns=sum(ns(r["End"], 10**6) - ns(r["Start"], 10**6) for r in tasks), jobs={r["JobId"] for r in tasks})


NATURES = dict(State="states", Link="links", Variable="variables", Event="events")


def pj_dump(path):
    lines = [row for row in csv.reader(text_of(path).splitlines(), skipinitialspace=True) if row and row[0] in NATURES and row[1] != "Container"]
    unit = 10**6 if any(row[2] == "Worker State" for row in lines) else 10**9
    found = dict.fromkeys(NATURES.values(), 0)
    found["state_ns"] = 0
    for nature, *row in lines:
        found[NATURES[nature]] += 1
        if nature == "State":
            found["state_ns"] += ns(row[3], unit) - ns(row[2], unit)
    return found


def converted(program, path):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out")
        run = subprocess.run([program, "convert", "-q", path, "-o", out], stderr=subprocess.PIPE, text=True)
        if run.returncode:
            return None, run.stderr.strip()
        tables = {}
        for table in ("tasks", "states", "events", "variables", "links", "calls"):
            name = os.path.join(out, table + ".csv")
            tables[table] = list(csv.DictReader(open(name, newline=""))) if os.path.exists(name) else []
        return tables, None


def length(rows):
    return sum(ns(r["End"], 10**6) - ns(r["Start"], 10**6) for r in rows)


def is_process(row):
    return re.search(r"(^|_)process$", row["ResourceId"]) is not None


def compare(program, path):
    if os.path.isdir(path):
        want = starvz(path)
    elif open(path, "rb").read(6) == b"SQLite":
        want = nsight(path)
    elif re.match(r"(Container|%s)," % "|".join(NATURES), text_of(path)):
        want = pj_dump(path)
    else:
        want = chrome(path)
    tables, refusal = converted(program, path)
    if refusal is not None:
        return want, None, refusal
    tasks = [r for r in tables["tasks"] if r["Start"] and r["End"]]
    if "slices" in want:
        lanes = tasks + [r for r in tables["states"] if not is_process(r)]
        got = dict(slices=len(lanes), slice_ns=length(lanes), lanes=len({r["ResourceId"] for r in lanes}),
                   spans=sum(map(is_process, tables["states"])), instants=len(tables["events"]), samples=len(tables["variables"]))
    elif "links" in want:
        got = {table: len(tables[table]) for table in NATURES.values()}
        got["state_ns"] = length(tables["states"])
    elif "calls" in want:
        calls = [r for r in tables["states"] if r["Type"] == "cuda_runtime"]
        launched = [dict(Start=r["SubmitTime"], End=r["Start"]) for r in tasks if r.get("SubmitTime")]
        got = dict(tasks=len(tasks), task_ns=length(tasks), streams=len({r["ResourceId"] for r in tasks}), calls=len(calls), call_ns=length(calls),
                   launched=len(launched), delay_ns=length(launched), ranges=sum(r["Type"] == "nvtx" for r in tables["states"]),
                   mpi=len(tables["calls"]),
                   system_calls=sum(r["Type"] == "osrt" for r in tables["states"]))
    else:
        # Edges of tasks that are in the trace, and of messages, which have other names there.
        ran = {r["JobId"] for r in tables["tasks"]}
        edges = {(r["JobId"], d) for r in tables["tasks"] for d in r.get("DependsOn", "").split()}
        want["edges"] = len([e for e in want["edges"] if e[0] in ran or e[0].startswith("mpi_")])
        got = dict(tasks=len([r for r in tasks if r["JobId"] in want["jobs"]]), workers=len({r["ResourceId"] for r in tasks if r["JobId"] in want["jobs"]}),
                   task_ns=length([r for r in tasks if r["JobId"] in want["jobs"]]), edges=len(edges))
    return want, got, None


bad = 0
for path in sys.argv[2:]:
    want, got, refusal = compare(sys.argv[1], path)
    print(os.path.basename(path), refusal or " ".join("%s=%s" % item for item in got.items()))
    for name in got or ():
        if got[name] != want[name]:
            print("  %s: traceviz %s, independent reading %s" % (name, got[name], want[name]))
            bad += 1
    bad += got is None
sys.exit(bad > 0)
