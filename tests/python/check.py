# SPDX-License-Identifier: GPL-3.0-or-later
"""The package against the command: check.py DATA prints TAP."""
import csv
import gc
import io
import os
import subprocess
import sys
import tempfile
import warnings

import traceviz
from traceviz import _library, _table

DATA = sys.argv[1]
count = 0


def check(good, name, *details):
    global count
    count += 1
    print("ok" if good else "not ok", count, "-", name)
    for detail in () if good else details:
        print("#", str(detail)[:300])


def command(*words):
    """Exit status, output and messages of the command."""
    own = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    done = subprocess.run(["traceviz", *words], capture_output=True, stdin=subprocess.DEVNULL, env=own)
    return [done.returncode, *(out.decode("utf-8", "surrogateescape") for out in (done.stdout, done.stderr))]


def time_cell(ns):
    return f"{'-' if ns < 0 else ''}{abs(ns) // 10**6}.{abs(ns) % 10**6:06}"


def same(table, name, values, cells):
    """Whether a column is what the CSV has."""
    kind = table._ask(_library.lib.column_type, name)
    if len(values) != len(cells):
        return False
    for value, cell in zip(values, cells):
        if value is None or cell == "NA":
            good = value is None and cell in ("", "NA")
        elif kind == _library.DOUBLE:
            good = value == float(cell) or (value != value and cell == "NaN")
        elif kind == _library.TIME:
            good = time_cell(value) == cell
        else:
            good = (" ".join(value) if kind == _library.LIST else str(value)) == cell
        if not good:
            return False
    return True


def differences(table, text):
    rows = list(csv.reader(io.StringIO(text, newline="")))
    if rows[0] != table.columns:
        return [f"columns {table.columns} instead of {rows[0]}"]
    cells = list(zip(*rows[1:])) if len(rows) > 1 else [()] * len(rows[0])
    return [f"column {name}" for name, of in zip(table.columns, cells) if not same(table, name, table.values(name), of)]


def compare_verb(trace, path, verb):
    """What differs of a verb: its table or its failure."""
    status, out, err = command(verb, "--csv", "-q", path)
    try:
        table = getattr(trace, verb.replace("-", "_"))()
    except traceviz.Error as error:
        expected = err.replace("traceviz: ", "", 1).rstrip("\n")
        return [] if (error.status, str(error)) == (status, expected) else [f"{verb}: '{error}' instead of '{expected}'"]
    if status not in (0, 3, 4):
        return [f"{verb}: no error instead of '{err}'"]
    return [f"{verb}: {what}" for what in differences(table, out)]


def verbs():
    """All that give a table of one trace and have --csv."""
    return [v["name"] for v in traceviz._HELP["verbs"] if v["name"] != "sql" and "--csv" in ["--" + o["name"] for o in v["options"]]
            and v["name"] not in ("platform", "compare", "precision", "scaling")]


warnings.simplefilter("ignore", traceviz.Message)
for sample in ("cholesky-paje", "cholesky-2nodes", "mpi-halo", "cholesky-decisions"):
    path = os.path.join(DATA, sample)
    with traceviz.open(path) as trace:
        wrong = [what for verb in verbs() for what in compare_verb(trace, path, verb)]
        check(not wrong and len(verbs()) > 70, f"{sample}: {len(verbs())} verbs give what the command prints", *wrong)

trace = traceviz.open(f"{DATA}/cholesky.csv")
status, out, _ = command("idle-causes", "--csv", "-q", "--by", "node", f"{DATA}/cholesky.csv")
check(not differences(trace.idle_causes(by="node"), out), "an option")
status, out, _ = command("sql", "--csv", f"{DATA}/cholesky.csv", "SELECT Value, count(*) AS N FROM tasks GROUP BY 1")
check(not differences(trace.sql("SELECT Value, count(*) AS N FROM tasks GROUP BY 1"), out), "a query")
status, out, _ = command("series", "ready", "--csv", "-q", f"{DATA}/cholesky.csv")
check(not differences(trace.series("ready"), out) and not differences(trace.ready(), out), "a part of a question")
status, out, _ = command("diagnose", "-q", f"{DATA}/cholesky.csv")
check(str(trace.diagnose()) == out, "the words of diagnose", trace.diagnose())
runs = traceviz.open(f"a={DATA}/cholesky-dmda.csv", f"b={DATA}/cholesky-ws.csv")
status, out, _ = command("compare", "--csv", "-q", f"a={DATA}/cholesky-dmda.csv", f"b={DATA}/cholesky-ws.csv")
check(not differences(runs.compare(), out), "runs that are compared")
status, out, _ = command("generate", "cholesky", "--tiles", "4")
check(not differences(traceviz.generate("cholesky", tiles=4), out), "a verb without a trace")

with tempfile.TemporaryDirectory() as folder:
    picture, own = os.path.join(folder, "a.svg"), os.path.join(folder, "b.svg")
    trace.plot(picture, panels=["spacetime", "ready"], header=False, **{"spacetime.observed": "both"})
    command(f"{DATA}/cholesky.csv", "-q", "--panels", "spacetime,ready", "--header", "no", "--spacetime.observed", "both", "-o", own)
    texts = [open(name).read().replace("a.svg", "b.svg") for name in (picture, own)]
    check(len(texts[0]) > 10000 and len(texts[0]) == len(texts[1]), "a picture", *map(len, texts))

for name, run, status, text in (
    ("a wrong option", lambda: trace.summary(nope=1), 2, "nope"),
    ("no trace", lambda: traceviz.open("/none/such"), 1, "/none/such: cannot open: No such file or directory"),
    ("a wrong query", lambda: trace.sql("SELECT nope FROM tasks"), 1, "nope"),
):
    try:
        run()
        check(False, name, "no error")
    except traceviz.Error as error:
        check(error.status == status and text in str(error), f"{name} is an exception", error.status, error)

check(trace.diagnose(fail_if="Time > 0").verdict == 3, "a verdict is no exception")
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    trace.summary(only="nothing")
check([w.category for w in caught] == [traceviz.Message], "a message is a warning", *caught)

table = trace.summary()
check(table.units["Time"] == "ns" and table.meanings["Time"] != "", "units and meanings")
check(list(table)[0][0] == table.values("Value")[0] and "Value" in str(table) and "8 rows" in repr(table), "rows, and how it is printed", table)
check("  by=" in trace.summary.__doc__ and "MeanDuration (ns): " in trace.summary.__doc__, "docstrings have options and columns")

if _table.numpy is None:
    for _ in range(2):
        count += 1
        print(f"ok {count} # SKIP no NumPy")
else:
    start = trace.deps()["Start"]
    gc.collect()
    check(start.dtype == "int64" and start.min() == 0 and start.base is not None, "an array without a copy outlives its table", start)
    masked = trace.bounds()
    numbers = [masked[n] for n in masked.columns if None in masked.values(n)]
    check(numbers and all((n.mask == [v is None for v in n.tolist()]).all() for n in numbers if hasattr(n, "mask")), "missing values are masked")
_table.numpy = None
check(trace.summary()["Tasks"] == table.values("Tasks"), "without NumPy a column is a list")
try:
    import pandas

    frame = trace.summary().to_pandas()
    printed = io.StringIO(command("summary", "--csv", "-q", f"{DATA}/cholesky.csv")[1])
    csv_frame = pandas.read_csv(printed, float_precision="round_trip")
    check(frame.equals(csv_frame), "the data frame is that of the CSV", frame.dtypes, csv_frame.dtypes)
except ImportError:
    count += 1
    print(f"ok {count} # SKIP no pandas")
trace.close()
try:
    trace.summary()
    check(False, "a closed trace")
except ValueError:
    check(True, "a closed trace is not used")
print(f"1..{count}")
