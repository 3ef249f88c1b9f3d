# SPDX-License-Identifier: GPL-3.0-or-later
"""answers_model.py -- task graphs, workers, a list scheduler and the writer of CSV tables for answers.py. Standard library only; times are
integer nanoseconds."""
import csv
import heapq
import os

US, MS = 1000, 1000000
LATENCY = 20 * US  # of a message
# texts of answers that are false for most kinds
SUBMIT_TALK = r"(?i)submission is too slow|submit tasks earlier|create tasks (earlier|faster)"
SLOW_TALK = r"(?i)(its clock|temperature|throttl)|worker[^.]{0,40}(is|was|are|were) slower"
NOISE_TALK = r"(?i)other programs|warm up caches|threads that move"
WORK_TALK = r"(?i)tasks? ha(s|ve) more work"


class Again(Exception):
    "this choice of sizes does not give an unambiguous run"


class Task:
    def __init__(self, id, type, deps=(), step=0, where=(0, 0)):
        self.id, self.type, self.deps, self.step, self.where = id, type, sorted(set(deps)), step, where
        self.length = {}  # by type of worker
        self.prio, self.submit, self.node, self.pin, self.handle, self.urgent = 0, None, None, None, None, 0
        self.cells = {}  # further columns


class Worker:
    def __init__(self, name, type="CPU", node=0, numa=0, begin=0, end=None, used=True):
        self.name, self.type, self.node, self.numa, self.begin, self.end, self.used = name, type, node, numa, begin, end, used


def make_workers(count, nodes=1, gpus=0, domains=1):
    "count CPU workers and gpus CUDA workers on each node"
    out = []
    for node in range(nodes):
        prefix = "%d_" % node if nodes > 1 else ""
        out += [Worker("%sCPU%d" % (prefix, i), "CPU", node, i * domains // count) for i in range(count)]
        out += [Worker("%sCUDA%d" % (prefix, i), "CUDA", node) for i in range(gpus)]
    return out


class Graph:
    "collects tasks; dependencies from the last writer of each datum"

    def __init__(self):
        self.tasks, self.last = [], {}

    def add(self, type, deps=(), step=0, where=(0, 0)):
        task = Task(len(self.tasks) + 1, type, deps, step, where)
        self.tasks.append(task)
        return task.id

    def write(self, type, datum, reads=(), step=0):
        deps = [self.last[d] for d in (datum, *reads) if d in self.last]
        self.last[datum] = self.add(type, deps, step, datum)


def cholesky(n):
    g = Graph()
    for k in range(n):
        g.write("potrf", (k, k), (), k)
        for i in range(k + 1, n):
            g.write("trsm", (i, k), [(k, k)], k)
        for i in range(k + 1, n):
            g.write("syrk", (i, i), [(i, k)], k)
            for j in range(k + 1, i):
                g.write("gemm", (i, j), [(i, k), (j, k)], k)
    return g.tasks


def lu(n):
    g = Graph()
    for k in range(n):
        g.write("getrf", (k, k), (), k)
        for i in range(k + 1, n):
            g.write("trsm_l", (i, k), [(k, k)], k)
            g.write("trsm_u", (k, i), [(k, k)], k)
        for i in range(k + 1, n):
            for j in range(k + 1, n):
                g.write("gemm", (i, j), [(i, k), (k, j)], k)
    return g.tasks


def stencil(columns, steps, type="stencil"):
    g = Graph()
    for s in range(steps):
        for c in range(columns):
            before = [(s - 1) * columns + d + 1 for d in (c - 1, c, c + 1) if s and 0 <= d < columns]
            g.add(type, before, s, (c, 0))
    return g.tasks


def tree(leaves, inner="reduce"):
    g = Graph()
    level = [g.add("leaf", (), 0, (i, 0)) for i in range(leaves)]
    depth = 0
    while len(level) > 1:
        depth += 1
        level = [g.add(inner, level[i:i + 2], depth, (i, 0)) for i in range(0, len(level), 2)]
    return g.tasks


def fork_join(phases, width, join="join"):
    g, last = Graph(), []
    for p in range(phases):
        part = [g.add("body", last, p, (i, 0)) for i in range(width)]
        last = [g.add(join, part, p)]
    return g.tasks


def layered(rnd, layers, width, types=("assemble", "solve", "update")):
    g, before = Graph(), []
    for k in range(layers):
        before = [g.add(rnd.choice(types), rnd.sample(before, min(len(before), rnd.randint(1, 3))), k, (i, 0)) for i in range(width)]
    return g.tasks


def independent(rnd, n, types=("scan",)):
    g = Graph()
    for i in range(n):
        g.add(rnd.choice(types), (), 0, (i, 0))
    return g.tasks


class Execution:
    "what a simulation gives: {id: (worker, start, end)}, messages (key, producer, from, to, start, end), makespan"

    def __init__(self):
        self.runs, self.messages, self.waits = {}, [], []

    def close(self):
        first = min(s for _, s, _ in self.runs.values())
        self.makespan = max(e for _, _, e in self.runs.values()) - first
        self.zero = first
        return self


class Simulation:
    """A list scheduler. Tasks with a `pin` run on that worker, tasks with a `node` on that node, others anywhere. Options:
    slow(task, worker, start)  factor of a duration            overhead(task)          time between two tasks of a worker
    fetch(task, worker)        time a worker waits for data    bandwidth               bytes/ns between nodes; size(task) bytes of a result
    order(task)                key of a ready task (smallest first; default: the order of release)
    choose                     at its release a task is given to the worker that is expected to end it first (dmda)"""

    def __init__(self, tasks, workers, slow=None, overhead=None, fetch=None, bandwidth=None, size=None, order=None, choose=False, allowed=None):
        self.tasks, self.workers = tasks, [w for w in workers if w.used]
        self.slow, self.overhead, self.fetch, self.bandwidth, self.size = slow, overhead, fetch, bandwidth, size
        self.order, self.choose, self.allowed = order, choose, allowed
        self.nodes = {w.node for w in self.workers}

    def run(self):
        self.out, self.events, self.count, self.now = Execution(), [], 0, 0
        self.by_id = {t.id: t for t in self.tasks}
        self.after = {t.id: [] for t in self.tasks}
        self.left = {t.id: len(t.deps) + (t.submit is not None and t.submit > 0) for t in self.tasks}
        for t in self.tasks:
            for d in t.deps:
                self.after[d].append(t)
            if t.submit is not None and t.submit > 0:
                self.event(t.submit, "arrive", [t])
        self.queues = {w.name: [] for w in self.workers}
        self.queues.update({n: [] for n in self.nodes})
        self.queues[None] = []
        self.idle = {w.name: w for w in self.workers}
        self.free = {w.name: w.begin for w in self.workers}  # when it should end the task that it runs
        self.queued = {w.name: 0 for w in self.workers}  # the tasks that it was given and has not begun
        self.sending, self.held, self.waiting = {n: 0 for n in self.nodes}, set(), {}
        for w in self.workers:
            if w.begin:
                self.event(w.begin, "wake", None)
        for t in self.tasks:
            if not self.left[t.id]:
                self.release(t)
        self.dispatch()
        while self.events:
            self.now = self.events[0][0]
            while self.events and self.events[0][0] == self.now:
                _, _, what, of = heapq.heappop(self.events)
                if what == "end":
                    self.finish(*of)
                elif what == "arrive":
                    self.arrive(of)
            self.dispatch()
        assert len(self.out.runs) == len(self.tasks), "not all tasks ran"
        return self.out.close()

    def event(self, time, what, of):
        self.count += 1
        heapq.heappush(self.events, (time, self.count, what, of))

    def arrive(self, tasks):
        for t in tasks:
            self.left[t.id] -= 1
            if not self.left[t.id]:
                self.release(t)

    def release(self, t):
        if t.handle is not None and t.handle in self.held:
            self.waiting.setdefault(t.handle, []).append(t)
            return
        if t.handle is not None:
            self.held.add(t.handle)
        queue = t.pin if t.pin is not None else t.node
        if self.choose:
            queue = self.choice(t)
        self.count += 1
        heapq.heappush(self.queues[queue], (self.order(t) if self.order else 0, self.count, t))

    def choice(self, t):
        best = None
        for w in self.workers:
            if w.type in t.length and (t.node is None or t.node == w.node) and (not self.allowed or self.allowed(t, w)):
                end = max(self.free[w.name], self.now) + self.queued[w.name] + t.length[w.type]
                if best is None or end < best[0]:
                    best = (end, w)
        self.queued[best[1].name] += t.length[best[1].type]
        return best[1].name

    def dispatch(self):
        for name, w in list(self.idle.items()):
            if w.begin > self.now or (w.end is not None and self.now >= w.end):
                continue
            best = min((self.queues[q][0][:2] + (q,) for q in (name, w.node, None) if self.queues[q]), key=lambda x: x[:2], default=None)
            if best:
                self.start(heapq.heappop(self.queues[best[2]])[2], w)

    def start(self, t, w):
        del self.idle[w.name]
        begin = self.now + (self.overhead(t) if self.overhead else 0)
        wait = self.fetch(t, w) if self.fetch else 0
        if wait:
            self.out.waits.append((t, w, begin, begin + wait))
        begin += wait
        end = begin + max(1, int(t.length[w.type] * (self.slow(t, w, begin) if self.slow else 1)))
        self.out.runs[t.id] = (w, begin, end)
        self.event(end, "end", (t, w))
        if self.choose:
            self.free[w.name] = begin + t.length[w.type]
            self.queued[w.name] -= t.length[w.type]

    def finish(self, t, w):
        self.idle[w.name] = w
        if t.handle is not None:
            self.held.discard(t.handle)
            if self.waiting.get(t.handle):
                self.release(self.waiting[t.handle].pop(0))
        here, far = [], {}
        for a in self.after[t.id]:
            if self.bandwidth and a.node != w.node:
                far.setdefault(a.node, []).append(a)
            else:
                here.append(a)
        self.arrive(here)
        for node, group in sorted(far.items()):
            took = int(self.size(t) / self.bandwidth)
            begin = max(self.now, self.sending[w.node])
            self.sending[w.node] = begin + took
            self.out.messages.append(("m%d_%d" % (t.id, node), t, w.node, node, self.now, begin + took + LATENCY))
            self.event(begin + took + LATENCY, "arrive", group)


def longest_path(tasks, length):
    "of tasks in topological order; length: {id: ns}"
    best = {}
    for t in tasks:
        best[t.id] = length[t.id] + max((best[d] for d in t.deps), default=0)
    return max(best.values())


def bottom_levels(tasks):
    "what programs take as priority: the longest path from each task to the end, by mean durations of types on CPUs"
    total, level = {}, {}
    for t in tasks:
        n, time = total.get(t.type, (0, 0))
        total[t.type] = (n + 1, time + t.length["CPU"])
    for t in reversed(tasks):
        n, time = total[t.type]
        level[t.id] = level.get(t.id, 0) + time // n
        for d in t.deps:
            level[d] = max(level.get(d, 0), level[t.id])
    return level


def work(tasks, type="CPU"):
    return sum(t.length[type] for t in tasks)


def lengths(rnd, tasks, grain, noise, gpu=None):
    "durations by type, of grain ns on average; gpu: {type: how many times as fast a GPU is}"
    factor = {t: rnd.uniform(0.5, 2.0) for t in sorted({t.type for t in tasks})}
    factor.update({t: f for t, f in (("potrf", 0.6), ("getrf", 0.8), ("join", 0.05), ("reduce", 0.3)) if t in factor})
    scale = grain / (sum(factor[t.type] for t in tasks) / len(tasks))
    for t in tasks:
        base = scale * factor[t.type] * max(0.2, rnd.gauss(1, noise))
        t.length = {"CPU": int(base)}
        if gpu and t.type in gpu:
            t.length["CUDA"] = int(base / gpu[t.type])
    return tasks


def graph(rnd, workers, per_worker):
    "a random graph of about per_worker tasks for each of the workers, at most 20000"
    n = min(20000, max(200, workers * per_worker))
    kind = rnd.choice(["cholesky", "lu", "stencil", "tree", "fork-join", "layered", "independent"])
    if kind == "cholesky":
        return cholesky(max(8, int((6 * n) ** (1 / 3))))
    if kind == "lu":
        return lu(max(6, int((3 * n) ** (1 / 3))))
    if kind == "stencil":
        return stencil(workers * rnd.randint(3, 8), max(3, n // (workers * 5)))
    if kind == "tree":
        return tree(n // 2)
    if kind == "fork-join":
        phases = rnd.randint(2, 5)
        return fork_join(phases, max(1, n // phases // workers) * workers)
    if kind == "layered":
        return layered(rnd, max(3, n // (workers * 6)), workers * 6)
    return independent(rnd, n, ("scan", "hash")[:rnd.randint(1, 2)])


def submitted(rnd, tasks, span):
    "times of submission: not known, all before the run, or during its first fifth"
    how = rnd.randrange(3)
    if how:
        step = max(500, span // 5 // len(tasks))
        for i, t in enumerate(tasks):
            t.submit = -(len(tasks) - i) * min(step, 5 * US) if how == 1 else i * step
    return tasks


def prepared(rnd, count, low=40, high=200, noise=None, tasks=None, gpu=None, grain=None):
    tasks = tasks or graph(rnd, count, rnd.randint(low, high))
    lengths(rnd, tasks, grain or rnd.choice([0.3, 1, 3, 10]) * MS, rnd.choice([0, 0.01, 0.03, 0.05]) if noise is None else noise, gpu)
    level = bottom_levels(tasks)
    rank = {v: i for i, v in enumerate(sorted(set(level.values())))}
    for t in tasks:
        t.prio = rank[level[t.id]]
    return submitted(rnd, tasks, sum(t.length["CPU"] for t in tasks) // count)


def by_priority(t):
    return -t.prio


def ms(ns):
    return "%d.%06d" % divmod(ns, MS) if ns >= 0 else "-%d.%06d" % divmod(-ns, MS)


def write_table(folder, name, header, rows):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, name + ".csv"), "w", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(header)
        out.writerows(rows)


def write_run(folder, tasks, workers, done, columns=()):
    "tasks, resources and, where there are, links and states of a simulated run; `columns` of Task.cells follow the usual ones"
    z = done.zero
    by_key = {(m[1].id, m[3]): m[0] for m in done.messages}
    header = ["ResourceId", "Value", "Start", "End", "JobId", "Kind", "Node", "ResourceType", "DependsOn", "SubmitTime", "SubmitOrder", "Priority", "Iteration", *columns]
    rows = []
    for t in tasks:
        w, s, e = done.runs[t.id]
        deps = " ".join(str(by_key.get((d, w.node), d)) for d in t.deps)
        rows.append((s, [w.name, t.type, ms(s - z), ms(e - z), t.id, "app", w.node, w.type, deps,
                         "" if t.submit is None else ms(t.submit - z), t.id, t.prio, t.step, *(t.cells.get(c, "") for c in columns)]))
    for key, t, _, _, s, e in done.messages:
        rows.append((s, ["", "message", ms(s - z), ms(e - z), key, "message", "", "", t.id]))
    rows.sort(key=lambda r: r[0])
    ran = {w.name for w, _, _ in done.runs.values()}
    rows += [(0, [w.name, "", "", "", "", "worker", w.node, w.type]) for w in workers if w.name not in ran]
    if all(t.submit is None for t in tasks):
        hide = {header.index("SubmitTime"), header.index("SubmitOrder")}
        header = [h for i, h in enumerate(header) if i not in hide]
        rows = [(s, [c for i, c in enumerate(r) if i not in hide]) for s, r in rows]
    write_table(folder, "tasks", header, [r + [""] * (len(header) - len(r)) for _, r in rows])
    memory = {w.name: i + 1 for i, w in enumerate(w for w in workers if w.type == "CUDA")}
    lives = any(w.begin or w.end is not None for w in workers)
    gone = {w.name: done.makespan if w.end is None else max(e for v, _, e in done.runs.values() if v is w) - z for w in workers if w.name in ran}
    write_table(folder, "resources", ["ResourceId", "ResourceType", "Node", "Order", "MemoryNode"] + (["Start", "End"] if lives else []),
                [[w.name, w.type, w.node, i, memory.get(w.name, 0)] + ([ms(w.begin), ms(gone.get(w.name, done.makespan))] if lives else [])
                 for i, w in enumerate(workers)])
    if done.messages:
        first = {}
        for w in reversed(workers):
            first[w.node] = w.name
        write_table(folder, "links", ["Type", "Key", "Origin", "Dest", "Start", "End", "Size"],
                    [["MPI communication", key, first[a], first[b], ms(s - z), ms(e - z), t.cells["bytes"]] for key, t, a, b, s, e in done.messages])
    if done.waits:
        write_table(folder, "states", ["ResourceId", "Type", "Value", "Start", "End", "Depth"],
                    [[w.name, "Worker State", "FetchingInput", ms(s - z), ms(e - z), 0] for _, w, s, e in done.waits])
        write_table(folder, "links", ["Type", "Key", "Origin", "Dest", "Start", "End", "Size", "Handle"],
                    [["Intra-node data Fetch", "com_%d" % i, "MEMMANAGER0", "MEMMANAGER%d" % memory[w.name], ms(s - z), ms(e - z), t.cells["bytes"], "h%d" % t.id]
                     for i, (t, w, s, e) in enumerate(done.waits)])
