# SPDX-License-Identifier: GPL-3.0-or-later
"""answers_kinds.py -- runs of tasks with a planted cause, for answers.py. A kind is a function of a random generator; it gives the tasks, workers
and execution, what it takes without the cause, and what answers are right and wrong, or raises Again."""
from answers_model import *
from answers_ranks import RANK_KINDS

SERIAL = ["serial", "long-chain", "serial-part", "serial-step"]
UNEQUAL = ["unequal-tasks", "long-tail", "coarse-tasks", "longest-first"]
NEVER = ["submission", "slow-worker", "outliers", "disturbance", "fine-tasks", "transfers", "network-bound", "node-imbalance", "preempted"]


def pair(tasks, workers, changed, usual=None, before=None, bound=None, **truth):
    """simulates with options `changed` and without (`usual`); `before` are the tasks and workers without the cause, where they differ"""
    usual = dict({"order": by_priority, "overhead": lambda t: 2 * US}, **(usual or {}))
    without_tasks, without_workers = before or (tasks, workers)
    done = Simulation(tasks, workers, **dict(usual, **changed)).run()
    without = Simulation(without_tasks, without_workers, **usual).run()
    least = bound or work(without_tasks) / len(without_workers)
    gain, rest = done.makespan - without.makespan, without.makespan - least
    if gain < 0.08 * done.makespan or gain < 2 * rest or rest > 0.08 * done.makespan:
        raise Again("gain %.3f, rest %.3f" % (gain / done.makespan, rest / done.makespan))
    return dict(truth, tasks=tasks, workers=workers, done=done, without=without.makespan, least=least)


def slow_worker(rnd):
    fixed = rnd.random() < 0.5
    count = rnd.choice([4, 8, 16, 32, 64]) if fixed else rnd.choice([4, 5, 6])
    workers, bad = make_workers(count), rnd.randrange(count)
    name, factor = workers[bad].name, rnd.uniform(1.2, 2.5) if fixed else rnd.uniform(2, 4)
    if fixed:
        columns = count * rnd.randint(2, 4)
        tasks = prepared(rnd, count, noise=rnd.choice([0, 0.01, 0.02]), tasks=stencil(columns, min(rnd.randint(30, 200), 20000 // columns)))
        for t in tasks:
            t.pin = workers[t.where[0] * count // columns].name
    else:
        tasks = prepared(rnd, count)
    return pair(tasks, workers, {"slow": lambda t, w, s: factor if w.name == name else 1}, accept=["slow-worker"], mention=[name],
                cause="Worker %s takes %.2f times as long." % (name, factor), forbid=[SUBMIT_TALK, WORK_TALK, r"slower than the others for a time"],
                wrong=["submission", "outliers", "fine-tasks", "transfers", "allocation", "unequal-tasks", "node-imbalance"])


def slow_later(rnd):
    "a worker of its own tasks that is slow from a moment on, up to the end or for a time"
    count = rnd.choice([3, 4, 6, 12])
    workers, bad, factor = make_workers(count), rnd.randrange(count), rnd.uniform(1.5, 3)
    columns = count * rnd.randint(2, 4)
    tasks = prepared(rnd, count, noise=rnd.choice([0.02, 0.1, 0.2]), tasks=stencil(columns, min(rnd.randint(30, 200), 20000 // columns)))
    for t in tasks:
        t.pin = workers[t.where[0] * count // columns].name
    span, begin = work(tasks) / count, rnd.uniform(0.2, 0.6)
    end = begin + rnd.choice([0.3, 9])
    return pair(tasks, workers, {"slow": lambda t, w, s: factor if w.name == workers[bad].name and begin * span <= s < end * span else 1}, accept=["slow-worker"],
                mention=[workers[bad].name], cause="Worker %s takes %.2f times as long from %.0f %% of the run on." % (workers[bad].name, factor, 100 * begin),
                forbid=[SUBMIT_TALK, WORK_TALK], wrong=["submission", "fine-tasks", "transfers", "allocation", "unequal-tasks", "node-imbalance", "imbalance"])


def on_nodes(rnd, nodes, count, noise):
    "a stencil whose columns are distributed over nodes in blocks"
    columns = nodes * count * rnd.randint(3, 5)
    tasks = prepared(rnd, nodes * count, noise=noise, tasks=stencil(columns, min(rnd.randint(15, 60), 20000 // columns)))
    for t in tasks:
        t.node = t.where[0] * nodes // columns
    return tasks


def slow_node(rnd):
    nodes, count = rnd.choice([2, 4, 8, 16]), rnd.choice([2, 4, 8])
    workers, bad, factor = make_workers(count, nodes), rnd.randrange(nodes), rnd.uniform(1.2, 2.2)
    tasks = on_nodes(rnd, nodes, count, rnd.choice([0, 0.01, 0.03]))
    return pair(tasks, workers, {"slow": lambda t, w, s: factor if w.node == bad else 1}, accept=["slow-worker", "slow-node"], forbid=[SUBMIT_TALK],
                cause="All workers of node %d take %.2f times as long." % (bad, factor), wrong=["submission", "node-imbalance", "outliers", "allocation", "transfers", "unequal-tasks"])


def slow_numa(rnd):
    count, domains = rnd.choice([8, 16, 32, 64]), rnd.choice([2, 4])
    workers, bad, factor = make_workers(count, domains=domains), rnd.randrange(domains), rnd.uniform(2, 4)
    tasks = prepared(rnd, count, tasks=layered(rnd, rnd.randint(10, 30), count * 6, ("spmv", "dot", "axpy")))
    done = pair(tasks, workers, {"slow": lambda t, w, s: factor if w.numa == bad and t.type == "spmv" else 1}, accept=["slow-worker", "slow-type", "slow-numa"], mention=["spmv"],
                cause="spmv takes %.2f times as long on the workers of NUMA node %d." % (factor, bad), forbid=[SUBMIT_TALK, WORK_TALK],
                wrong=["submission", "fine-tasks", "transfers", "allocation", "unequal-tasks", "node-imbalance"], columns=["NumaNode"])
    for t in tasks:
        t.cells["NumaNode"] = done["done"].runs[t.id][0].numa
    return done


def flops(tasks):
    "the work of a task, the same for all of its type"
    for t in tasks:
        t.cells["GFlop"] = {"spmv": 0.2, "dot": 0.1, "axpy": 0.1}.get(t.type, 0.5)


def disturbance(rnd):
    count = rnd.choice([4, 8, 16, 32])
    workers, factor = make_workers(count), rnd.uniform(2, 4)
    tasks = prepared(rnd, count)
    flops(tasks)
    type = max(sorted({t.type for t in tasks}), key=lambda x: sum(t.length["CPU"] for t in tasks if t.type == x))
    span, at = work(tasks) / count, rnd.uniform(0.2, 0.5)
    return pair(tasks, workers, {"slow": lambda t, w, s: factor if t.type == type and at * span <= s < (at + 0.25) * span else 1}, accept=["disturbance", "changed-durations", "noise"], mention=[type],
                cause="%s takes %.1f times as long from %.0f %% of the run on, for a fourth of it, on all workers; the work is the same." % (type, factor, 100 * at), forbid=[SUBMIT_TALK, WORK_TALK],
                wrong=["submission", "slow-worker", "unequal-tasks", "transfers", "allocation", "fine-tasks"], columns=["GFlop"])


def outliers(rnd):
    count = rnd.choice([4, 8, 16, 32])
    workers, factor = make_workers(count), rnd.uniform(8, 40)
    tasks = prepared(rnd, count)
    flops(tasks)
    bad = {t.id for t in rnd.sample(tasks, max(3, len(tasks) // 150))}
    return pair(tasks, workers, {"slow": lambda t, w, s: factor if t.id in bad else 1}, accept=["outliers", "noise", "critical-outliers"],
                cause="%d of %d tasks take %.0f times as long at random, with the same work." % (len(bad), len(tasks), factor), forbid=[SUBMIT_TALK, SLOW_TALK, WORK_TALK],
                wrong=["submission", "slow-worker", "unequal-tasks", "transfers", "allocation", "fine-tasks"], columns=["GFlop"])


def serial_chain(rnd):
    count, n = rnd.choice([4, 8, 16, 32]), rnd.randint(10, 60)
    g = Graph()
    for k in range(n):
        g.write("step", "x", (), k)
    for _ in range(rnd.randint(4, 20) * count):
        g.add("side")
    workers = make_workers(count)
    tasks = prepared(rnd, count, tasks=g.tasks)
    chain = rnd.uniform(1.3, 4) * work([t for t in tasks if t.type == "side"]) / count / n
    for t in tasks:
        if t.type == "step":
            t.length["CPU"] = int(chain * rnd.uniform(0.97, 1.03))
    return serial(tasks, workers, "step", "A chain of %d dependent tasks is the run." % n)


def serial(tasks, workers, type, cause):
    "the removal of the cause: the work of `type` could be done by all workers"
    done = Simulation(tasks, workers, order=by_priority, overhead=lambda t: 2 * US).run()
    least = work(tasks) / len(workers)
    chain = longest_path(tasks, {t.id: t.length["CPU"] for t in tasks})
    alone = sum(t.length["CPU"] for t in tasks if t.type == type)
    if alone < 0.15 * done.makespan or done.makespan - least < 0.1 * done.makespan or (done.makespan - least) > 1.3 * alone:
        raise Again("serial")
    return dict(tasks=tasks, workers=workers, done=done, without=least, least=least, accept=SERIAL + UNEQUAL + ["near-bound"] * (chain > 0.97 * done.makespan), mention=[type],
                cause=cause, forbid=[SUBMIT_TALK, SLOW_TALK, NOISE_TALK], wrong=NEVER)


def serial_at(where):
    def make(rnd):
        count, single = rnd.choice([4, 8, 16, 32]), rnd.random() < 0.5
        width, g = count * rnd.randint(10, 60), Graph()
        name = {"begin": "setup", "middle": "exchange", "end": "merge"}[where]
        pieces = 1 if single else rnd.randint(3, 12)

        def alone(deps):
            for _ in range(pieces):
                deps = [g.add(name, deps)]
            return deps
        before = alone([]) if where == "begin" else []
        part = [g.add("body", before) for _ in range(width)]
        if where != "begin":
            part = alone(part)
        if where == "middle":
            for _ in range(width):
                g.add("tail", part)
        tasks = prepared(rnd, count, tasks=g.tasks)
        share = rnd.uniform(0.2, 0.6)
        rest = work([t for t in tasks if t.type != name]) / count
        for t in tasks:
            if t.type == name:
                t.length["CPU"] = int(rest * share / (1 - share) / pieces * rnd.uniform(0.97, 1.03))
        return serial(tasks, make_workers(count), name, "%s is %s at the %s of the run, on one worker while the others wait." % (name, "one task" if single else "a chain of tasks", where))
    return make


def submission(rnd):
    count = rnd.choice([4, 8, 16, 32, 64])
    tasks = prepared(rnd, count)
    step = int(work(tasks) / count / len(tasks) * rnd.uniform(1.2, 2))
    for i, t in enumerate(tasks):
        t.submit = i * step
    late = Simulation(tasks, make_workers(count), order=by_priority, overhead=lambda t: 2 * US).run()
    for t in tasks:
        t.submit = -1
    without = Simulation(tasks, make_workers(count), order=by_priority, overhead=lambda t: 2 * US).run()
    for i, t in enumerate(tasks):
        t.submit = i * step
    least = work(tasks) / count
    if late.makespan - without.makespan < 0.1 * late.makespan or without.makespan - least > 0.06 * late.makespan:
        raise Again("submission")
    return dict(tasks=tasks, workers=make_workers(count), done=late, without=without.makespan, least=least, accept=["submission"], forbid=[SLOW_TALK, NOISE_TALK, WORK_TALK],
                cause="One thread creates a task each %.4f ms, too few for %d workers." % (step / MS, count), wrong=["slow-worker", "outliers", "serial", "long-chain", "fine-tasks", "transfers", "coarse-tasks"])


def fine_tasks(rnd):
    count, grain = rnd.choice([4, 8, 16, 32]), rnd.randint(3, 20) * US
    tasks = prepared(rnd, count, 60, 300, grain=grain)
    cost = {t.id: int(grain * rnd.uniform(0.4, 1.5)) for t in tasks}
    for t in tasks:
        t.submit = (t.id - len(tasks)) * US
    return pair(tasks, make_workers(count), {"overhead": lambda t: cost[t.id]}, {"overhead": lambda t: 100}, accept=["fine-tasks", "runtime"],
                cause="Tasks of %.0f us are too short: the runtime takes %.0f us for each." % (grain / US, 0.95 * grain / US), forbid=[SUBMIT_TALK, SLOW_TALK],
                wrong=["submission", "slow-worker", "serial", "long-chain", "coarse-tasks", "near-bound"])


def coarse_tasks(rnd):
    count = rnd.choice([4, 8, 16, 32, 64])
    n = count * rnd.randint(2, 4) + rnd.randint(1, max(1, count // 3))
    g, h, pieces = Graph(), Graph(), 20
    first = [g.add("filter") for _ in range(n)]
    for i in range(n * pieces):
        h.add("filter")
    tasks = lengths(rnd, g.tasks, rnd.choice([5, 20, 100]) * MS, rnd.choice([0, 0.01, 0.02]))
    for i, t in enumerate(h.tasks):
        t.length = {"CPU": tasks[i // pieces].length["CPU"] // pieces}
    return pair(tasks, make_workers(count), {}, before=(h.tasks, make_workers(count)), accept=["coarse-tasks", "long-tail", "unequal-tasks", "too-few-tasks"],
                cause="%d equal independent tasks on %d workers: the last ones run alone." % (len(first), count), forbid=[SUBMIT_TALK, SLOW_TALK, NOISE_TALK, WORK_TALK], wrong=NEVER + SERIAL)


def long_last(rnd):
    count = rnd.choice([4, 8, 16, 32])
    tasks = prepared(rnd, count, tasks=independent(rnd, count * rnd.randint(20, 80), ("front",)))
    last = tasks[-1]
    for t in tasks:
        t.submit, t.cells["GFlop"] = None, 1
    big = int(work(tasks) / count * rnd.uniform(0.3, 0.9))
    last.cells["GFlop"] = round(big / last.length["CPU"], 1)
    last.length["CPU"] = big
    for t in tasks:
        t.prio = 0
    late = Simulation(tasks, make_workers(count), overhead=lambda t: 2 * US).run()
    early = Simulation(tasks, make_workers(count), order=lambda t: -t.length["CPU"], overhead=lambda t: 2 * US).run()
    if late.makespan - early.makespan < 0.1 * late.makespan:
        raise Again("long last")
    return dict(tasks=tasks, workers=make_workers(count), done=late, without=early.makespan, least=work(tasks) / count, accept=UNEQUAL, mention=[str(last.id)], columns=["GFlop"],
                cause="Task %d has %.0f times the work of the others and starts last." % (last.id, last.cells["GFlop"]), forbid=[SUBMIT_TALK, SLOW_TALK, NOISE_TALK], wrong=NEVER)


def barriers(rnd):
    count, phases = rnd.choice([4, 8, 16]), rnd.randint(5, 30)
    width = count * rnd.randint(1, 2) + 1
    tasks = lengths(rnd, independent(rnd, phases * width, ("sweep",)), rnd.choice([1, 5, 20]) * MS, rnd.choice([0, 0.01, 0.02]))
    now, done = 0, Execution()
    for p in range(phases):
        part = tasks[p * width:(p + 1) * width]
        for t in part:
            t.submit, t.step = now, p
        one = Simulation(part, make_workers(count), overhead=lambda t: 2 * US).run()
        done.runs.update(one.runs)
        now = max(e for _, _, e in one.runs.values()) + 50 * US
    done.close()
    least = work(tasks) / count
    return dict(tasks=tasks, workers=make_workers(count), done=done, without=least, least=least, accept=["barriers", "coarse-tasks", "barrier-waits"],
                cause="%d equal tasks per phase on %d workers, with a wait for all after each phase." % (width, count), forbid=[SLOW_TALK, NOISE_TALK],
                wrong=["slow-worker", "outliers", "serial", "long-chain", "fine-tasks", "transfers"])


def node_imbalance(rnd):
    nodes, count = rnd.choice([2, 4, 8, 16]), rnd.choice([2, 4, 8])
    workers, bad, more = make_workers(count, nodes), rnd.randrange(nodes), rnd.uniform(1.3, 2.5)
    block, steps = count * rnd.randint(3, 5), rnd.randint(10, 30)
    tasks = prepared(rnd, nodes * count, tasks=stencil(block * nodes, min(steps, 20000 // (block * nodes))))
    columns = block * nodes
    heavy = int(block * more)
    left = [n for n in range(nodes) if n != bad]
    for t in tasks:
        t.node = t.where[0] // block
    without = Simulation(tasks, workers, order=by_priority, overhead=lambda t: 2 * US).run()
    for t in tasks:
        c = t.where[0] - bad * (columns - heavy) // max(1, nodes - 1)
        t.node = bad if 0 <= c < heavy else left[min(len(left) - 1, (t.where[0] if c < 0 else t.where[0] - heavy) * len(left) // max(1, columns - heavy))]
    done = Simulation(tasks, workers, order=by_priority, overhead=lambda t: 2 * US).run()
    least = work(tasks) / len(workers)
    if done.makespan - without.makespan < 0.1 * done.makespan or without.makespan > 1.08 * least:
        raise Again("node imbalance")
    return dict(tasks=tasks, workers=workers, done=done, without=without.makespan, least=least, accept=["node-imbalance", "imbalance", "rank-imbalance"], forbid=[SUBMIT_TALK, SLOW_TALK, NOISE_TALK],
                cause="Node %d has %.2f times its share of equal tasks." % (bad, more), wrong=["submission", "slow-worker", "outliers", "transfers", "fine-tasks", "unequal-tasks", "disturbance"])


def network_bound(rnd):
    nodes, count = rnd.choice([2, 4, 8]), rnd.choice([2, 4, 8])
    workers = make_workers(count, nodes)
    columns = nodes * count * 4
    tasks = prepared(rnd, nodes * count, noise=0.01, tasks=stencil(columns, rnd.randint(10, 40)), grain=3 * MS)
    for t in tasks:
        t.node, t.cells["bytes"] = t.where[0] * nodes // columns, int(1e7)
    step = work(tasks) / len(workers) / (len(tasks) / columns)
    rate = 1e7 / (step * rnd.uniform(0.6, 1.2))
    case = pair(tasks, workers, {"bandwidth": rate}, {"bandwidth": 1000.0, "size": lambda t: t.cells["bytes"]}, accept=["network-bound", "network", "bandwidth", "messages", "critical-messages", "waits-for-messages"],
                cause="Messages of 10 MB take %.1f ms, as long as the tasks of a step." % (1e7 / rate / MS), forbid=[SUBMIT_TALK, SLOW_TALK, NOISE_TALK, WORK_TALK],
                wrong=["submission", "slow-worker", "outliers", "fine-tasks", "serial", "long-chain", "node-imbalance", "unequal-tasks", "coarse-tasks"])
    case["least"] = 0  # "a message would take" is no promise about the run
    return case


def priorities(rnd):
    count = rnd.choice([2, 4, 8, 16])
    workers = make_workers(count)
    if rnd.random() < 0.5:
        g, n = Graph(), rnd.randint(10, 40)
        for k in range(n):
            g.write("panel", "x", (), k)
        for _ in range(count * rnd.randint(20, 60)):
            g.add("update")
        tasks = prepared(rnd, count, tasks=g.tasks)
        chain = rnd.uniform(0.3, 0.8) * work([t for t in tasks if t.type == "update"]) / count / n
        for t in tasks:
            t.submit = None
            t.prio = 10 if t.type == "panel" else 0
            if t.type == "panel":
                t.length["CPU"] = int(chain * rnd.uniform(0.98, 1.02))
        late = {"order": lambda t: t.type == "panel"}
    else:
        tasks = prepared(rnd, count, 20, 60, tasks=cholesky(rnd.randint(10, 26)))
        for t in tasks:
            t.submit = None
        late = {"order": lambda t: t.prio}
    return pair(tasks, workers, late, accept=["urgent-delays", "critical-delays", "priorities", "priority-inversion"],
                cause="Released tasks of the highest priority run after all others.", forbid=[SUBMIT_TALK, SLOW_TALK, NOISE_TALK], wrong=NEVER + ["serial", "long-chain"])


def two_types_bound(tasks, cpus, gpus, only=()):
    "area bound: tasks that gain most on GPUs go there (exact for two types of workers, tasks may be divided); types of `only` on CPUs alone"
    both = sorted((t for t in tasks if "CUDA" in t.length and t.type not in only), key=lambda t: t.length["CPU"] / t.length["CUDA"])
    low, high = 0.0, float(work(tasks)) / cpus
    for _ in range(60):
        limit = (low + high) / 2
        room, left = limit * gpus, sum(t.length["CPU"] for t in tasks)
        for t in reversed(both):
            part = min(1.0, room / t.length["CUDA"])
            room -= part * t.length["CUDA"]
            left -= part * t.length["CPU"]
            if room <= 0:
                break
        low, high = (limit, high) if left > limit * cpus else (low, limit)
    return high


def hybrid(rnd, gain, gpus=(1, 2, 4)):
    cpus, gpus = rnd.choice([4, 8, 16]), rnd.choice(gpus)
    g = layered(rnd, rnd.randint(10, 20), 20 * (cpus + 6 * gpus), ("assemble", "solve", "update"))
    tasks = prepared(rnd, cpus, tasks=g, gpu=gain, noise=rnd.choice([0, 0.01, 0.02]))
    for t in tasks:
        t.submit, t.node = None, 0
    return tasks, make_workers(cpus, 1, gpus), cpus, gpus


def placement(rnd):
    tasks, workers, cpus, gpus = hybrid(rnd, {"update": rnd.uniform(6, 20), "solve": rnd.uniform(4, 15)})
    some = {t.id for t in rnd.sample([t for t in tasks if t.type == "solve"], 8)}
    return pair(tasks, workers, {"allowed": lambda t, w: w.type == "CPU" or t.type != "solve" or t.id in some}, {"choose": True}, bound=two_types_bound(tasks, cpus, gpus),
                accept=["crowded", "allocation", "placement", "critical-placement", "slow-placement", "elsewhere"], mention=["solve"], forbid=[SUBMIT_TALK, SLOW_TALK, NOISE_TALK],
                cause="All but a few tasks 'solve' ran on CPUs, although a GPU is several times as fast and idle.", wrong=NEVER + SERIAL)


def never_there(rnd):
    tasks, workers, cpus, gpus = hybrid(rnd, {"update": 10, "solve": 8})
    tasks = [t for t in tasks if t.type != "assemble"]
    share = work([t for t in tasks if t.type == "solve"]) / cpus / (sum(t.length["CUDA"] for t in tasks if t.type == "update") / gpus) * rnd.uniform(0.5, 0.9)
    for t in tasks:
        t.deps = []
        if t.type == "update":
            t.length["CUDA"] = int(t.length["CUDA"] * share)
            t.length["CPU"] = int(t.length["CPU"] * share)
    bound = two_types_bound(tasks, cpus, gpus)
    done = Simulation(tasks, workers, choose=True, allowed=lambda t, w: (w.type == "CPU") == (t.type == "solve"), overhead=lambda t: 2 * US, order=by_priority).run()
    if done.makespan < 1.15 * bound:
        raise Again("never there")
    return dict(tasks=tasks, workers=workers, done=done, without=bound, least=bound, accept=["no-durations", "one-sided-types", "placement-unknown", "near-bound", "none"], limit=["no-durations", "one-sided-types", "placement-unknown"],
                cause="'solve' never ran on a GPU, where it is 8 times as fast.", forbid=[SUBMIT_TALK, SLOW_TALK, NOISE_TALK], wrong=NEVER + SERIAL)


def transfers(rnd):
    cpus, gpus = rnd.choice([1, 4]), rnd.choice([1, 2, 4])
    g = Graph()
    for i in range(gpus * rnd.randint(60, 300)):
        g.add("gemm")
    tasks = lengths(rnd, g.tasks, rnd.choice([1, 4, 10]) * MS, rnd.choice([0, 0.01, 0.03]))
    for t in tasks:
        t.length = {"CUDA": t.length["CPU"]}
    part = rnd.uniform(0.3, 1.5)
    for t in tasks:
        t.cells["bytes"] = int(t.length["CUDA"] * part * 10)
    workers = make_workers(cpus, 1, gpus)
    bound = work(tasks, "CUDA") / gpus
    return pair(tasks, workers, {"fetch": lambda t, w: int(t.length["CUDA"] * part)}, {"choose": True}, bound=bound, accept=["transfers", "critical-transfers"], mention=["CUDA"],
                cause="A GPU waits for the data of each task, %.2f of its length, as nothing is fetched ahead." % part, forbid=[SUBMIT_TALK, SLOW_TALK, NOISE_TALK],
                wrong=["submission", "slow-worker", "outliers", "near-bound", "serial", "fine-tasks", "coarse-tasks", "unequal-tasks"])


def exclusion(rnd):
    count = rnd.choice([4, 8, 16, 32])
    g = Graph()
    for i in range(count * rnd.randint(20, 60)):
        g.add("accumulate" if i % 3 == 0 else "element")
    tasks = prepared(rnd, count, tasks=g.tasks)
    share = rnd.uniform(1.3, 3) * work([t for t in tasks if t.type == "element"]) / count
    share /= work([t for t in tasks if t.type == "accumulate"])
    for t in tasks:
        t.submit, t.prio = None, 0
        if t.type == "accumulate":
            t.length["CPU"] = max(1, int(t.length["CPU"] * share))
            t.handle = "sum"
        t.cells.update({"Handles": "sum", "Modes": "RWC"} if t.handle else {"Handles": "e%d" % t.id, "Modes": "RW"})
    done = Simulation(tasks, make_workers(count), overhead=lambda t: 2 * US, order=lambda t: t.handle is None).run()
    least = work(tasks) / count
    if done.makespan < 1.15 * least:
        raise Again("exclusion")
    return dict(tasks=tasks, workers=make_workers(count), done=done, without=least, least=least, accept=["commute", "exclusive-access", "exclusion", "serialized-access", "long-chain", "serial"], mention=["accumulate"],
                cause="Tasks 'accumulate' exclude each other on one datum.", forbid=[SUBMIT_TALK, SLOW_TALK, NOISE_TALK], wrong=NEVER + ["urgent-delays"], columns=["Handles", "Modes"])


def preempted(rnd):
    count, share = rnd.choice([4, 8, 16]), rnd.choice([2, 4])
    tasks = prepared(rnd, count, tasks=independent(rnd, count * rnd.randint(30, 100), ("work",)), grain=10 * MS)
    for t in tasks:
        t.submit = None
    factor = {t.id: max(1.0, rnd.gauss(share, 0.15 * share)) for t in tasks}
    case = pair(tasks, make_workers(count), {"slow": lambda t, w, s: factor[t.id]}, accept=["preempted", "oversubscribed", "shared-cpu", "cpu-shortage"],
                cause="%d threads share %d CPUs." % (count, count // share), forbid=[WORK_TALK, SUBMIT_TALK, r"(?i)make tasks larger"], wrong=["fine-tasks", "submission", "near-bound", "slow-worker"], columns=["Cpu", "CpuEnd", "task-clock"])
    for t in tasks:
        cpu = int("".join(c for c in case["done"].runs[t.id][0].name if c.isdigit())) // share
        t.cells.update({"Cpu": cpu, "CpuEnd": cpu, "task-clock": int(t.length["CPU"])})
    return case


def absent(leave):
    def make(rnd):
        count = rnd.choice([4, 8, 16, 32])
        tasks, workers = prepared(rnd, count), make_workers(count)
        some = rnd.sample(range(count), rnd.randint(max(1, count // 4), count // 2))
        at = int(work(tasks) / count * rnd.uniform(0.3, 0.6))
        for i in some:
            workers[i].begin, workers[i].end = (0, at) if leave else (at, None)
        return pair(tasks, workers, {}, before=(tasks, make_workers(count)), accept=["leaving-workers" if leave else "late-workers", "elsewhere"],
                    cause="%d of %d workers %s %.0f ms." % (len(some), count, "run nothing after" if leave else "begin only at", at / MS), forbid=[SUBMIT_TALK, SLOW_TALK, NOISE_TALK, WORK_TALK], wrong=NEVER + SERIAL)
    return make


def unused_workers(rnd):
    count = rnd.choice([4, 8, 16, 32])
    tasks, workers = prepared(rnd, count), make_workers(count)
    for i in rnd.sample(range(count), rnd.randint(1, count // 2)):
        workers[i].used = False
    unused = sum(not w.used for w in workers)
    return pair(tasks, workers, {}, before=(tasks, make_workers(count)), accept=["unused-workers", "idle-workers", "unused", "elsewhere"], mention=["%d of" % unused],
                cause="%d of %d workers run nothing, although tasks are ready." % (unused, count),
                forbid=[SUBMIT_TALK, SLOW_TALK, NOISE_TALK, WORK_TALK], wrong=NEVER + SERIAL)


def eager(rnd):
    tasks, workers, cpus, gpus = hybrid(rnd, {"update": rnd.uniform(6, 20), "solve": rnd.uniform(2, 5), "assemble": 1.5})
    return pair(tasks, workers, {"choose": False}, {"choose": True}, bound=two_types_bound(tasks, cpus, gpus), accept=["crowded", "allocation", "placement", "critical-placement", "slow-placement"],
                cause="Each idle worker takes the next task, whatever is fast on it: CPUs run tasks that GPUs run many times as fast.", forbid=[SUBMIT_TALK, SLOW_TALK, NOISE_TALK, WORK_TALK], wrong=NEVER + SERIAL)


def slow_gpu(rnd):
    tasks, workers, cpus, gpus = hybrid(rnd, {"update": rnd.uniform(6, 20), "solve": rnd.uniform(2, 5)}, (2, 4))
    bad, factor = rnd.choice([w.name for w in workers if w.type == "CUDA"]), rnd.uniform(1.4, 2.5)
    least, slow_least = two_types_bound(tasks, cpus, gpus), two_types_bound(tasks, cpus, gpus - 1 + 1 / factor)
    if slow_least < 1.08 * least:
        raise Again("the GPU matters little")
    case = pair(tasks, workers, {"slow": lambda t, w, s: factor if w.name == bad else 1}, {"choose": True}, bound=least, accept=["slow-worker"], mention=[bad],
                cause="%s takes %.2f times as long as the other GPUs." % (bad, factor), forbid=[SUBMIT_TALK, WORK_TALK], wrong=["submission", "outliers", "fine-tasks", "transfers", "unequal-tasks", "node-imbalance"])
    took = case["done"].makespan
    if took - slow_least > 0.5 * (took - case["without"]):
        raise Again("another schedule hides the slow GPU")
    return case


def warm_up(rnd):
    count = rnd.choice([4, 8, 16, 32])
    tasks, begun = prepared(rnd, count, tasks=independent(rnd, count * rnd.randint(20, 60), ("filter",))), set()
    extra = work(tasks) / count * rnd.uniform(0.15, 0.5)

    def slow(t, w, s):
        first = w.name not in begun
        begun.add(w.name)
        return 1 + extra / t.length["CPU"] if first else 1
    return pair(tasks, make_workers(count), {"slow": slow}, accept=["warm-up", "first-tasks"], cause="The first task of each worker takes %.1f ms longer." % (extra / MS), forbid=[SUBMIT_TALK, SLOW_TALK, WORK_TALK],
                wrong=["submission", "slow-worker", "fine-tasks", "unequal-tasks", "coarse-tasks"])


def few_tiles(rnd):
    count = rnd.choice([16, 32, 64])
    tasks, workers = prepared(rnd, count, tasks=cholesky(rnd.randint(5, 10)), noise=0.01), make_workers(count)
    for t in tasks:
        t.submit = None
    done = Simulation(tasks, workers, order=by_priority, overhead=lambda t: 2 * US).run()
    if done.makespan > 1.02 * longest_path(tasks, {t.id: t.length["CPU"] for t in tasks}):
        raise Again("few tiles")
    least = work(tasks) / count
    return dict(tasks=tasks, workers=workers, done=done, without=done.makespan, least=least, accept=["long-chain", "serial", "near-bound"], cause="The longest chain of a Cholesky factorization of few tiles is the run.",
                forbid=[SUBMIT_TALK, SLOW_TALK, NOISE_TALK, WORK_TALK], wrong=NEVER)


def few_tasks(rnd):
    count = rnd.choice([8, 16, 32, 64])
    tasks = lengths(rnd, independent(rnd, rnd.randint(1, count // 2), ("render",)), rnd.choice([5, 50]) * MS, rnd.choice([0, 0.02]))
    least = work(tasks) / count
    done = Simulation(tasks, make_workers(count)).run()
    return dict(tasks=tasks, workers=make_workers(count), done=done, without=least, least=least, accept=["one-task", "too-few-tasks", "few-tasks", "coarse-tasks", "long-chain", "serial"], cause="%d tasks on %d workers." % (len(tasks), count),
                forbid=[SUBMIT_TALK, SLOW_TALK, NOISE_TALK], wrong=NEVER)


KINDS = {"slow-worker": slow_worker, "slow-later": slow_later, "slow-node": slow_node, "slow-numa": slow_numa, "disturbance": disturbance, "outliers": outliers, "serial-chain": serial_chain,
         "serial-begin": serial_at("begin"), "serial-middle": serial_at("middle"), "serial-end": serial_at("end"), "submission": submission, "fine-tasks": fine_tasks,
         "coarse-tasks": coarse_tasks, "long-last": long_last, "barriers": barriers, "node-imbalance": node_imbalance, "network-bound": network_bound, "priorities": priorities,
         "placement": placement, "never-there": never_there, "transfers": transfers, "exclusion": exclusion, "preempted": preempted, "late-workers": absent(False), "leaving-workers": absent(True),
         "unused-workers": unused_workers, "eager": eager, "slow-gpu": slow_gpu, "warm-up": warm_up, "few-tiles": few_tiles, "few-tasks": few_tasks, **RANK_KINDS}
