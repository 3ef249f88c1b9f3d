#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""answers.py OUT SEED PLANTED CLEAN    writes OUT/cases/KIND-N/{run,expect.json}: PLANTED runs with a known cause, CLEAN runs without one
answers.py --by-kind < RESULT       counts the output of check-answers.py by kind; status 1: too few are right, or a clean run has a finding

Each run is simulated with and without its cause. A cause is planted only where the run without it is near the work over its workers and
where its removal gains at least 8 % of the makespan and twice what else there is to gain, so the first answer is known."""
import json
import os
import random
import shutil
import sys

from answers_kinds import *
from answers_ranks import RANK_CLEAN


def clean(tasks, workers, bound=None, **options):
    done = Simulation(tasks, workers, **{"order": by_priority, "overhead": lambda t: 2 * US, **options}).run()
    least = bound or work(tasks) / len(workers)
    if done.makespan > 1.03 * least:
        raise Again("not near its bound")
    return dict(tasks=tasks, workers=workers, done=done, without=done.makespan, least=least, accept=["near-bound", "no-gain", "none"], cause="Nothing: all workers are busy.", wrong=[],
                forbid=[SUBMIT_TALK, SLOW_TALK, NOISE_TALK, WORK_TALK])


def clean_graph(make):
    def kind(rnd):
        count = rnd.choice([4, 8, 16, 32, 64])
        return clean(prepared(rnd, count, noise=rnd.uniform(0, 0.05), tasks=make(rnd, count)), make_workers(count))
    return kind


def clean_nodes(rnd):
    nodes, count = rnd.choice([2, 4, 8, 16]), rnd.choice([2, 4])
    tasks = on_nodes(rnd, nodes, count, rnd.uniform(0, 0.03))
    for t in tasks:
        t.cells["bytes"] = 8000
    return clean(tasks, make_workers(count, nodes), bandwidth=10.0, size=lambda t: t.cells["bytes"])


def clean_hybrid(rnd):
    tasks, workers, cpus, gpus = hybrid(rnd, {"update": rnd.uniform(6, 20), "solve": rnd.uniform(2, 5)})
    return clean(tasks, workers, two_types_bound(tasks, cpus, gpus), choose=True)


def clean_unequal(rnd):
    count = rnd.choice([4, 8, 16])
    tasks = prepared(rnd, count, tasks=independent(rnd, count * rnd.randint(40, 200), ("front",)))
    for t in tasks:
        t.length["CPU"] = int(t.length["CPU"] * min(15, rnd.paretovariate(1.5)))
        t.submit, t.prio = None, 0
    return clean(tasks, make_workers(count), order=lambda t: -t.length["CPU"])


CLEAN = {"clean-independent": clean_graph(lambda rnd, w: independent(rnd, min(20000, w * rnd.randint(40, 300)), ("scan", "hash"))),
         "clean-cholesky": clean_graph(lambda rnd, w: cholesky(rnd.randint(18, 44))), "clean-lu": clean_graph(lambda rnd, w: lu(rnd.randint(14, 36))),
         "clean-stencil": clean_graph(lambda rnd, w: stencil(w * rnd.randint(4, 8), min(20000 // (8 * w), rnd.randint(20, 100)))),
         "clean-tree": clean_graph(lambda rnd, w: tree(min(10000, w * rnd.randint(60, 300)))),
         "clean-fork-join": clean_graph(lambda rnd, w: fork_join(rnd.randint(2, 6), w * rnd.randint(20, 50))),
         "clean-layered": clean_graph(lambda rnd, w: layered(rnd, rnd.randint(5, 30), w * 8)),
         "clean-nodes": clean_nodes, "clean-hybrid": clean_hybrid, "clean-unequal": clean_unequal, **RANK_CLEAN}


def number(what, ns):
    return {"what": what, "ms": round(ns / MS, 6), "tolerance": 0.05}


def write_case(folder, case):
    "run/ and expect.json"
    shutil.rmtree(folder, ignore_errors=True)
    run = os.path.join(folder, "run")
    if "write" in case:
        case["write"](run)
    else:
        write_run(run, case["tasks"], case["workers"], case["done"], case.get("columns", ()))
    span = case["span"] if "span" in case else case["done"].makespan
    expect = {"cause": case["cause"], "action": "", "accept": case["accept"], "forbid": case["forbid"], "forbid_findings": case["wrong"],
              "numbers": [number("makespan without the cause", case["without"])], "makespan_ms": round(span / MS, 6), "lower_bound_ms": round(0.99 * case["least"] / MS, 6),
              "lower_bound_why": "the work, without its cause, over the workers"}
    if "limit" in case:
        expect["require_limit"] = case["limit"]
    if "mention" in case:
        expect["mention"] = case["mention"]
    with open(os.path.join(folder, "expect.json"), "w") as f:
        json.dump(expect, f, indent=1)
        f.write("\n")


def make_cases(out, seed, count, kinds):
    names = list(kinds)
    for i in range(count):
        name, n = names[i % len(names)], i // len(names)
        for attempt in range(300):
            try:
                case = kinds[name](random.Random("%s %s %d %d" % (seed, name, n, attempt)))
                break
            except Again:
                case = None
        if case is None:
            sys.exit("answers.py: no unambiguous run of the kind %s found" % name)
        write_case(os.path.join(out, "cases", "%s-%d" % (name, n)), case)


def by_kind(lines):
    kinds, kind = {}, None
    for line in lines:
        words = line.split()
        if words and words[0] in ("ok", "wrong") and "first:" in words:
            kind = kinds.setdefault(words[1].rsplit("-", 1)[0], {"right": 0, "wrong": 0, "false": 0, "missing": 0})
            kind["right" if words[0] == "ok" else "wrong"] += 1
        elif words and words[0] in ("false", "missing:"):
            kind[words[0].rstrip(":")] += 1
    print("%-20s %6s %6s %13s %8s" % ("kind", "right", "wrong", "false claims", "missing"))
    for name, k in sorted(kinds.items()):
        print("%-20s %6d %6d %13d %8d" % (name, k["right"], k["wrong"], k["false"], k["missing"]))
    planted = [k for name, k in kinds.items() if not name.startswith("clean-")]
    right, wrong = sum(k["right"] for k in planted), sum(k["wrong"] for k in planted)
    alarms = sum(k["wrong"] for name, k in kinds.items() if name.startswith("clean-"))
    print("planted: %d of %d right; clean: %d alarms" % (right, right + wrong, alarms))
    return not kinds or right < 0.9 * (right + wrong) or alarms > 0


def main(argv):
    if argv == ["--by-kind"]:
        return by_kind(sys.stdin)
    if len(argv) != 4:
        sys.exit(__doc__)
    make_cases(argv[0], argv[1], int(argv[2]), KINDS)
    make_cases(argv[0], argv[1], int(argv[3]), CLEAN)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
