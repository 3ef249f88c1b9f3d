#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
# waiting_programs.py N SEED: N random programs that submit tasks, do work of their own and wait for all tasks so far, run by this script: an idle
# worker takes the task that was submitted first. Writes K.csv, the run of program K; prints a line for each: K, its makespan, and that of the
# same program with tasks of the type a in a quarter of their time.
import random
import sys

WORK, TASK, WAIT = range(3)


def program(rnd):
    actions, ntasks = [], 0
    for _ in range(rnd.randint(1, 5)):
        for _ in range(rnd.randint(1, 8)):
            if rnd.random() < 0.4:
                actions.append((WORK, rnd.randint(0, 30)))
            deps = [d for d in range(ntasks) if rnd.random() < 1.5 / (ntasks + 1)]
            actions.append((TASK, rnd.choice("ab"), 4 * rnd.randint(1, 60), deps))
            ntasks += 1
        actions.append((WORK, rnd.choice((0, 0, rnd.randint(0, 150)))))
        actions.append((WAIT,))
    return actions


class Run:
    def __init__(self, actions, nworkers, faster):
        self.actions, self.faster = actions, faster
        self.now = self.free_at = self.resumed = 0  # free_at: when the program goes on
        self.after, self.awaits, self.since = None, None, []
        self.tasks, self.waits, self.unreleased, self.ready, self.running = [], [], [], [], []
        self.idle, self.done = set(range(nworkers)), set()
        while self.instant():
            pass

    # What the program does now.
    def act(self):
        if self.awaits is not None and all(k in self.done for k in self.awaits[1]):
            came, awaited = self.awaits
            self.waits.append((came, awaited, self.after, came - self.resumed))
            self.after, self.awaits, self.since = "g%d" % (len(self.waits) - 1), None, []
            self.resumed = self.free_at = self.now
        while self.actions and self.awaits is None and self.free_at <= self.now:
            action = self.actions.pop(0)
            if action[0] == WORK:
                self.free_at += action[1]
            elif action[0] == WAIT:
                self.awaits = self.free_at, self.since
                return self.act()
            else:
                self.since.append(len(self.tasks))
                self.unreleased.append(len(self.tasks))
                self.tasks.append(dict(type=action[1], time=action[2] // (self.faster if action[1] == "a" else 1), deps=action[3],
                                       submit=self.free_at, after=self.after, delay=self.free_at - self.resumed))

    def instant(self):
        for end, worker, k in [r for r in self.running if r[0] == self.now]:
            self.idle.add(worker)
            self.done.add(k)
        self.running = [r for r in self.running if r[0] > self.now]
        self.act()
        for k in [k for k in self.unreleased if all(d in self.done for d in self.tasks[k]["deps"])]:
            self.unreleased.remove(k)
            self.ready.append(k)
        self.ready.sort()
        while self.ready and self.idle:
            k, worker = self.ready.pop(0), min(self.idle)
            self.idle.remove(worker)
            self.tasks[k].update(worker=worker, start=self.now)
            self.running.append((self.now + self.tasks[k]["time"], worker, k))
        coming = [r[0] for r in self.running]
        if self.actions and self.awaits is None:
            coming.append(self.free_at)
        self.now = min(coming, default=self.now)
        return coming

    def makespan(self):
        return max(t["start"] + t["time"] for t in self.tasks) - min(t["start"] for t in self.tasks)


def write(run, nworkers, path):
    with open(path, "w") as out:
        print("ResourceId,ResourceType,Value,Start,End,JobId,Kind,DependsOn,SubmitTime,SubmitAfter,SubmitDelay", file=out)
        for k, t in enumerate(run.tasks):
            deps = [str(d) for d in t["deps"]] + ([t["after"]] if t["after"] else [])
            print("w%d,CPU,%s,%d,%d,%d,app,%s,%d,%s,%s" % (t["worker"], t["type"], t["start"], t["start"] + t["time"], k, " ".join(deps), t["submit"],
                                                           t["after"] or "", t["delay"] if t["after"] else ""), file=out)
        for k, (came, awaited, after, delay) in enumerate(run.waits):
            print(",,wait,,,g%d,ghost,%s,%d,%s,%s" % (k, " ".join(map(str, awaited)), came, after or "", delay if after else ""), file=out)
        for worker in set(range(nworkers)) - {t["worker"] for t in run.tasks}:
            print("w%d,CPU,,,,,worker,,,," % worker, file=out)


for number in range(int(sys.argv[1])):
    rnd = random.Random(int(sys.argv[2]) * 1000 + number)
    what, count = program(rnd), rnd.randint(1, 4)
    recorded = Run(list(what), count, 1)
    write(recorded, count, "%d.csv" % number)
    print(number, "%d.000000" % recorded.makespan(), "%d.000000" % Run(list(what), count, 4).makespan())
