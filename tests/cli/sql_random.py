#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""sql_random.py SEED N [CONVERT]: makes a trace of CSV tables with odd names and missing cells in the folder run/, loads it with
Python's sqlite3 by rules of its own, and compares N random queries with `traceviz sql`. CONVERT: a command that makes the folder
parquet/ of run/, which is asked then, most often about tasks alone. Prints what differs, how many queries had rows, and with CONVERT
how many left groups of rows out."""
import json, random, re, sqlite3, subprocess, sys
from decimal import Decimal

random.seed(int(sys.argv[1]))
NAMES = ["a", "b'c", 'd "e"', "f,g", "h\ni", "é", "12", "012", " x ", "A"]
TYPES = {"Start": "time", "End": "time", "Duration": "time", "Iteration": "INTEGER", "Priority": "INTEGER", "GFlop": "REAL", "Size": "INTEGER"}

def ms(ns):
    return "%s%d.%06d" % ("-" if ns < 0 else "", abs(ns) // 10**6, abs(ns) % 10**6)

def tables():
    tasks = [["ResourceId", "Value", "Start", "End", "JobId", "DependsOn", "Kind", "Iteration", "Priority", "GFlop", "My column", "Footprint"]]
    for job in range(60):
        start = random.randrange(10**9)
        tasks.append(["CPU%d" % (job % 4), random.choice(NAMES), ms(start), ms(start + random.choice([0, 1, 10**6, random.randrange(10**8)])),
                      random.choice(["%d", "j %d", "0%d"]).replace(" ", "") % job, None, random.choice(["app", "app", "setup"]), random.choice([None, 0, 1, -2]),
                      random.choice([None, 5, 9007199254740993]), random.choice([None, "0.1", "2.5", "3", "1e+300"]), random.choice([None, "", "7", "x"]), random.choice([None, "", "f", "F", "f'2"])])
    if CONVERT: # writes them in this order
        tasks[1:] = sorted(tasks[1:], key=lambda row: Decimal(row[2]))
    jobs = [row[4] for row in tasks[1:]]
    for row in tasks[2:]:
        row[5] = " ".join(random.choices(jobs, k=random.randrange(4))) or None
    states = [["ResourceId", "Type", "Value", "Start", "End"]]
    for i in range(40):
        start = random.randrange(10**9)
        states.append(["CPU%d" % (i % 4), "Worker State", random.choice(NAMES), ms(start), ms(start + random.randrange(10**6))])
    return {"tasks": tasks, "states": states}

def field(cell):
    if cell is None:
        return ""
    cell = str(cell)
    return '"%s"' % cell.replace('"', '""') if cell == "" or set(cell) & set('",\n') else cell

def write(made):
    import os
    os.mkdir("run")
    for name, rows in made.items():
        with open("run/%s.csv" % name, "w", newline="") as out:
            for row in rows:
                out.write(",".join(map(field, row)) + "\n")

def load(made):
    db = sqlite3.connect(":memory:")
    for name, (header, *rows) in made.items():
        columns = []
        for column in header:
            kind = TYPES.get(column, "TEXT")
            columns += ['"%s" REAL' % column, '"%s_ns" INTEGER' % column] if kind == "time" else ['"%s" %s' % (column, kind)]
        db.execute('CREATE TABLE %s (%s)' % (name, ", ".join(columns)))
        for row in rows:
            cells = []
            for column, cell in zip(header, row):
                kind = TYPES.get(column, "TEXT")
                if kind == "time":
                    cells += [None, None] if cell is None else [float(cell), int(Decimal(cell) * 10**6)]
                else:
                    cells.append(cell if cell is None or kind == "TEXT" else int(cell) if kind == "INTEGER" else float(cell))
            db.execute("INSERT INTO %s VALUES (%s)" % (name, ",".join("?" * len(cells))), cells)
    db.execute("CREATE TABLE edges (JobId TEXT, DependsOn TEXT)")
    header, *rows = made["tasks"]
    pairs = dict.fromkeys((row[4], on) for row in rows for on in (row[5] or "").split())
    db.executemany("INSERT INTO edges VALUES (?, ?)", pairs)
    return db

def quoted(text):
    return "'%s'" % text.replace("'", "''")

def condition(t):
    name, number = quoted(random.choice(NAMES + ["nothing"])), random.choice(["0", "12", "1", "500", "0.1", "12.0", "NULL", "'12'", "'x'"])
    text = t + random.choice(["Value", "JobId", "ResourceId", '"My column"', "Kind", "Footprint"])
    a, b = sorted((random.randrange(1000), random.randrange(1000)))
    return random.choice([
        "%s IN (%s, %s, %s)" % (text, name, quoted(random.choice(NAMES)), random.choice(["'CPU1'", "'app'", "''", "NULL"])),
        "%sStart %s %d AND %sEnd_ns < %d000000" % (t, random.choice([">", ">="]), a, t, b), "%sStart BETWEEN %d AND %d.5" % (t, a, b),
        "%s = %s" % (text, name), "%s = %s" % (text, number), "%s IN (%s, %s, 'CPU1', 'app')" % (text, name, number), "%s IS %s" % (text, number),
        "%s > %s" % (text, name), "%s LIKE '%%a%%'" % text, "%s = %s COLLATE NOCASE" % (text, name), "%s IS NOT NULL" % text,
        "%s %s %s" % (t + random.choice(["Start", "End", "Start_ns", "Iteration", "Priority", "GFlop"]), random.choice(["<", ">=", "=", "<>"]), number),
        "NOT (%sStart < %s)" % (t, number), "%srowid %s 9" % (t, random.choice(["<", "="]))])

def where(t):
    return " WHERE " + random.choice([" AND ", " OR "]).join(condition(t) for _ in range(random.randint(1, 3))) if random.random() < 0.8 else ""

def query():
    one = ["Value", "JobId", "Start", "End_ns", "Iteration", "Priority", "GFlop", '"My column"', "Kind", "End - Start", "Value || Kind", "rowid",
           "coalesce(GFlop, 'none')", "max(Iteration, Priority)", "length(Value)", "CAST(JobId AS INTEGER)"]
    sums = ["count(*)", "sum(Start_ns)", "avg(GFlop)", "min(Value)", "max(End)", "group_concat(DISTINCT Kind)", "count(DISTINCT Value)", "total(Priority)"]
    kind = random.randrange(3) if CONVERT and random.random() < 0.8 else random.randrange(7)
    if kind == 0:
        return "SELECT %s %s FROM tasks%s" % (random.choice(["", "DISTINCT"]), ", ".join(random.choices(one, k=3)), where(""))
    if kind == 1:
        key = random.choice(["Value", "Kind", "Iteration", "Priority > 5", "ResourceId"])
        return "SELECT %s, %s FROM tasks%s GROUP BY 1" % (key, ", ".join(random.choices(sums, k=3)), where(""))
    if kind == 2:
        by = ", ".join(random.sample(["Value", "Kind", "ResourceId", "Footprint"], k=random.randint(1, 3)))
        return random.choice([
            "SELECT %s, count(*), group_concat(JobId), total(GFlop) FROM tasks%s GROUP BY %s ORDER BY %s" % (by, where(""), by, by),
            "SELECT %s, JobId, End FROM tasks%s ORDER BY %s%s, JobId" % (by, where(""), by, random.choice(["", "", " DESC"])),
            "SELECT DISTINCT %s FROM tasks%s ORDER BY %s" % (by, where(""), by)])
    if kind == 6:
        return "SELECT e.*, t.Value, d.Start_ns FROM edges e %s JOIN tasks t USING (JobId) LEFT JOIN tasks d ON d.JobId = e.DependsOn%s" % (
            random.choice(["", "LEFT"]), where("t."))
    if kind == 3:
        return "SELECT t.JobId, s.Value, s.Start FROM tasks t, states s%s%s" % (where("t."), "") + \
            (" LIMIT -1" if random.random() < 0.5 else "")
    if kind == 4:
        return "SELECT JobId, row_number() OVER (PARTITION BY ResourceId ORDER BY Start_ns, JobId), lag(Value) OVER (ORDER BY Start_ns, JobId) FROM tasks%s" % where("")
    return "SELECT %s FROM tasks WHERE JobId IN (SELECT e.DependsOn FROM edges e JOIN tasks USING (JobId)%s)" % (", ".join(random.choices(one, k=2)), where("tasks."))

def same(got, want):
    if type(got) is str and type(want) in (int, float):
        return float(got) == want # a column that mixes numbers and texts is one of texts
    return got == want and (got is None) == (want is None)

CONVERT = sys.argv[3:]
made = tables()
write(made)
if CONVERT:
    subprocess.run(CONVERT + ["run", "parquet"], check=True)
db = load(made)
wrong = filled = part = 0
for i in range(int(sys.argv[2])):
    sql = query()
    want = [list(row) for row in db.execute(sql)]
    run = subprocess.run(["traceviz", "sql", "-q", "--json", "parquet" if CONVERT else "run", sql], capture_output=True)
    if CONVERT:
        notes = subprocess.run(["traceviz", "sql", "--verbose", "parquet", sql], capture_output=True).stderr.decode()
        part += any(int(read) < int(of) for read, of in re.findall(r"tasks.parquet: (\d+) of (\d+) row groups", notes))
    got = [list(row.values()) for row in json.loads(run.stdout or b"null") or []] if run.returncode == 0 else None
    key = lambda row: [str(cell) if not isinstance(cell, float) else str(cell).replace(".0", "") for cell in row]
    ordered = lambda rows: rows if "ORDER BY" in sql and "OVER" not in sql else sorted(rows, key=key)
    filled += len(want) > 0
    if got is None or len(got) != len(want) or not all(same(a, b) for x, y in zip(ordered(got), ordered(want)) for a, b in zip(x, y)):
        wrong += 1
        print("differs:", sql, run.stderr.decode(), sep="\n")
print("%d wrong, %s have rows" % (wrong, "most" if filled > 0.5 * int(sys.argv[2]) else filled),
      "" if not CONVERT else ", many of some groups" if part > 0.1 * int(sys.argv[2]) else part, sep="")
