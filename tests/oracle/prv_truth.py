#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""prv_truth.py FILE.prv[.gz]: what a reader of its own finds in a trace of Paraver, as JSON for tests/cli/paraver_truth.pl.

States by value, time in state 1 of each thread, messages and bytes, numbers of events of each type, tasks of Extrae by function.
"""
import collections, gzip, json, re, sys


def lines(path):
    for name in (path, path + ".gz"):
        try:
            with (gzip.open if name.endswith(".gz") else open)(name, "rt") as file:
                yield from (line.strip() for line in file)
            return
        except FileNotFoundError:
            pass


def functions(pcf):
    """The names of functions of tasks: all types of a block have the same values."""
    found, types, values = {}, set(), False
    for line in lines(pcf):
        if line == "EVENT_TYPE":
            types, values = set(), False
        elif line == "VALUES":
            values = True
        elif values and types & {"60000023", "60018"}:
            word = re.match(r"(\d+)\s+(.*?)\s*$", line)
            if word:
                found[word.group(1)] = word.group(2)
        elif re.match(r"\d+\s+\d+", line):
            types.add(line.split()[1])
    return found


def main(path):
    truth = dict(states={}, threads={}, messages=0, bytes=0, messages_arriving_before_sent=0, receives_posted_before_the_send=0)
    count, by_type, jobs, busy, stacks = collections.Counter(), collections.Counter(), set(), collections.Counter(), {}
    segments = creations = 0
    name = functions(re.sub(r"\.prv(\.gz)?$", ".pcf", path))
    events = []
    for line in lines(path):
        field = line.split(":")
        if field[0] == "1":
            state = truth["states"].setdefault(field[7], dict(records=0, time=0))
            state["records"] += 1
            state["time"] += int(field[6]) - int(field[5])
            thread = truth["threads"].setdefault(".".join(field[2:5]), dict(running=0))
            thread["running"] += (int(field[6]) - int(field[5])) * (field[7] == "1")
        elif field[0] == "2":
            pairs = list(zip(field[6::2], field[7::2]))
            count.update(kind for kind, value in pairs)
            events.append((tuple(map(int, field[2:5])), int(field[5]), pairs))
        elif field[0] == "3" and field[14] != "60000000":
            truth["messages"] += 1
            truth["bytes"] += int(field[13])
            truth["messages_arriving_before_sent"] += int(field[12]) < int(field[5])
            truth["receives_posted_before_the_send"] += int(field[11]) < int(field[5])
    # A function of a task interrupts the one before, which goes on afterwards.
    for thread, time, pairs in sorted(events, key=lambda event: event[:2]):
        values, stack = dict(pairs), stacks.setdefault(thread, [])
        for kind, value in pairs:
            if kind in ("60000024", "60015") and value != "0":
                creations += 1
            if kind not in ("60000023", "60018"):
                continue
            if stack:
                busy["THREAD " + ".".join(map(str, thread))] += time - stack[-1][1]
            if value == "0":
                stack.pop()
                if not stack:
                    continue
                stack[-1][1] = time
            else:
                stack.append([name[value], time])
                jobs.add((thread, values["60000028" if kind == "60000023" else "60017"]))
            segments += 1
            by_type[stack[-1][0]] += 1
    truth.update(event_types=count, task_segments=segments, distinct_row_and_task_id=len(jobs), segments_by_type=by_type,
                 task_time_by_row=busy, creations=creations)
    json.dump(truth, sys.stdout)


main(sys.argv[1])
