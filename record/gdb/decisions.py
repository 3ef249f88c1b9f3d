# SPDX-License-Identifier: GPL-3.0-or-later
"""decisions.py -- decisions of StarPU's dm* schedulers on chosen jobs, read by gdb from a program without debug data.

    JOBS=100,133 OUT=DIR gdb -q -batch -x record/gdb/decisions.py --args PROGRAM ARGUMENTS...

JOBS: numbers of jobs as StarPU gives them, or all. OUT: the folder of decisions.csv and candidates.csv, the tables that
`traceviz record --starpu` gives (times on StarPU's clock), and queue.csv: the tasks that wait in the queue of each
candidate. Needs the headers of StarPU and a C compiler (CC); x86-64. Nothing is loaded into the program, which runs
slowly at these jobs only: times of what comes later differ from those of other runs.

The push of a wanted job stops; breakpoints of that thread on the functions by which the policy estimates, and where
they return, follow it to the end of the push. Other threads go on, and may push as well. While gdb stops them, an idle
worker has moved the time when it is free: then Available, and what follows from it, is later than what the policy read.
Conditions only read memory: gdb cannot call functions while it decides whether to stop.
"""
import math
import os
import re
import subprocess
import sys
import tempfile

import gdb

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
POLICIES = {"dm": "_starpu_sched_dm_policy", "dmda": "_starpu_sched_dmda_policy",
            "dmdap": "_starpu_sched_dmda_prio_policy", "dmdar": "_starpu_sched_dmda_ready_policy",
            "dmdas": "_starpu_sched_dmda_sorted_policy",
            "dmdasd": "_starpu_sched_dmda_sorted_decision_policy"}
# Of StarPU 1.3, of 1.4: what it is used for.
FUNCTIONS = {"starpu_sched_ctx_get_policy_data": "data", "starpu_timing_now": "now",
             "starpu_worker_can_execute_task_impl": "worker",
             "_starpu_fifo_get_exp_len_prev_task_list": "before",
             "starpu_st_fifo_taskq_get_exp_len_prev_task_list": "before",
             "starpu_task_expected_length": "length", "starpu_task_worker_expected_length": "length",
             "starpu_task_expected_data_transfer_time_for": "transfer",
             "starpu_task_expected_energy": "energy", "starpu_task_worker_expected_energy": "energy",
             "starpu_task_expected_conversion_time": "conversion",
             "starpu_task_set_implementation": "impl", "starpu_prefetch_task_input_for": "chosen",
             "starpu_push_task_end": "end"}
DECISIONS = ("JobId,Decision,Time,Value,Priority,ResourceId,Impl,Nature,Length,Transfer,TransferLeft,Energy,"
             "ExpectedStart,ExpectedEnd,Fitness,BestEnd,RunnerUp,Margin,Flag")
CANDIDATES = ("JobId,Decision,ResourceId,Impl,Available,Length,Transfer,Energy,ExpectedStart,ExpectedEnd,Fitness,"
              "QueueTasks,QueueLength,PipelineLength,Chosen")
QUEUE = "JobId,Decision,ResourceId,Position,QueuedJobId,Priority"


def fail(text):
    """Ends gdb, and the program."""
    print("decisions.py: " + text, file=sys.stderr)
    gdb.execute("kill", to_string=True) if gdb.selected_inferior().pid else None
    gdb.execute("quit 1")


def register(name):
    return int(gdb.parse_and_eval("(unsigned long)$" + name))


def result_real():
    return float(gdb.parse_and_eval("$xmm0.v2_double[0]"))


def is_starpu(address):
    return "libstarpu-" in (gdb.solib_name(address) or "")


def job_of(task):
    """StarPU's private struct of a job begins with its number."""
    private = task["starpu_private"]
    return int(private.cast(gdb.lookup_type("unsigned long").pointer()).dereference()) if private else 0


def task_at(address):
    return gdb.Value(address).cast(gdb.lookup_type("struct starpu_task").pointer())


def text_of(pointer):
    return pointer.string() if pointer else ""


def type_of(task):
    codelet = task["cl"]
    if codelet and codelet["name"]:
        return codelet["name"].string()
    if codelet and codelet["model"] and codelet["model"]["symbol"]:
        return codelet["model"]["symbol"].string()
    return text_of(task["name"]) or "unknown"


def number(us):
    """A time in ms, or an empty cell. Half a nanosecond rounds away from zero, as where traceviz reads the log of its probe."""
    if us is None or math.isnan(us):
        return ""
    ns = int(abs(us) * 1000)
    ns += abs(us) * 1000 - ns >= 0.5
    return "%s%d.%06d" % ("-" if us < 0 and ns else "", ns // 1000000, ns % 1000000)


class Push(gdb.Breakpoint):
    """The push of a policy: stops if the job is wanted."""
    wanted = None  # None = all
    all = []

    def __init__(self, policy, address):
        super().__init__("*0x%x" % address, internal=True)
        self.policy, self.address = policy, address
        self.silent = True
        Push.all.append(self)

    def stop(self):
        task = task_at(register("rdi"))
        return Push.wanted is None or job_of(task) in Push.wanted


class Decision:
    """A decision, from the push to its end, of one thread."""

    def __init__(self, policy, functions, names):
        self.address = register("rdi")
        self.task = task_at(self.address)
        self.policy, self.names = policy, names
        self.job, self.value = job_of(self.task), type_of(self.task)
        self.priority = int(self.task["priority"])
        self.data = self.now = self.chosen = self.impl = self.worker = None
        self.left = math.nan
        self.candidates, self.queued, self.seen = [], [], set()
        self.functions, self.returns = functions, {}
        self.thread = gdb.selected_thread().num
        self.points = {name: self.point(address) for address, name in functions.items()}

    def point(self, address):
        point = gdb.Breakpoint("*0x%x" % address, internal=True)
        point.silent, point.thread = True, self.thread
        return point

    def stopped(self):
        """The thread stopped: at a function, or where one returns. True at the end of the push."""
        pc = register("pc")
        if pc in self.returns:
            point, after = self.returns.pop(pc)
            point.delete()
            after()
        self.function = self.functions.get(pc)
        if self.function is None:
            return False
        after = getattr(self, "at_" + FUNCTIONS[self.function])()
        if after:
            address = int(gdb.parse_and_eval("*(unsigned long *)$rsp"))
            self.returns[address] = (self.point(address), after)
        return FUNCTIONS[self.function] == "end"

    def leave(self):
        for point in [*self.points.values(), *(point for point, _ in self.returns.values())]:
            point.delete()

    def done(self):
        """The function is needed no more. Idle workers call some all the time, and gdb stops them for each."""
        self.points.pop(self.function).delete()

    def queue(self):
        queue = self.data["queue"][self.worker["worker"]]
        return queue.dereference() if queue.type.code == gdb.TYPE_CODE_PTR else queue

    # What a stop at each function is for. What they return is called where the function returns.

    def at_data(self):
        def after():
            kind = gdb.lookup_type("struct tv_starpu_data").pointer()
            self.data = gdb.Value(register("rax")).cast(kind)
        self.done()
        return after

    def at_now(self):
        def after():
            self.now = result_real()
        self.done()
        return after

    def at_worker(self):
        worker = register("rdi") & 0xffffffff
        if register("rsi") != self.address or worker in self.seen or self.data is None:
            return None
        self.seen.add(worker)
        self.worker = {"worker": worker}
        queue = self.queue()
        self.worker.update(start=float(queue["start"]), pipeline=float(queue["pipeline"]))
        self.walk(queue)
        return self.read

    def read(self):
        queue = self.queue()
        self.worker["queue"], self.worker["tasks"] = float(queue["length"]), int(queue["ntasks"])

    def walk(self, queue):
        task, place = queue["tasks"]["head"], 0
        while task and place < 100000:
            place += 1
            self.queued.append((self.worker["worker"], place, job_of(task), int(task["priority"])))
            task = task["next"]

    def at_before(self):
        def after():
            self.worker["queue"] = result_real()
        return after if register("rsi") == self.address and self.worker else None

    def at_length(self):
        if register("rdi") != self.address or not self.worker:
            return None
        last = "rcx" if "worker" in self.function else "rdx"
        candidate = dict(self.worker, impl=register(last) & 0xffffffff, transfer=math.nan, energy=math.nan)

        def after():
            candidate["length"] = result_real()
            self.candidates.append(candidate)
        return after

    def add(self, name):
        def after():
            self.candidates[-1][name] = result_real()
        return after if register("rdi") == self.address and self.candidates else None

    def at_transfer(self):
        return self.add("transfer")

    def at_energy(self):
        return self.add("energy")

    def at_conversion(self):
        if self.worker and self.policy != "dmdasd":
            self.read()  # for the next implementation
        return self.add("conversion")

    def at_impl(self):
        if register("rdi") == self.address:
            self.impl = register("rsi") & 0xffffffff

    def at_chosen(self):
        if register("rdi") == self.address:
            self.chosen = register("rsi") & 0xffffffff

    def at_end(self):
        self.left = float(self.task["predicted_transfer"])

    # What follows from it.

    def compare(self):
        """The fitness as dm* policies compute it; whether all candidates have a model."""
        data, list_ = self.data, self.candidates
        for c in list_:
            start = c["start"]
            c["available"] = (self.now + c["pipeline"] if math.isnan(start) else max(start, self.now)) + c["queue"]
            if c.get("conversion", 0) > 0:
                c["length"] += c["conversion"]
        if not list_ or any(math.isnan(c["length"]) or c["length"] == 0 for c in list_):
            return "forced" if list_ else "none"
        last = max(c["available"] for c in list_)
        for c in list_:
            arrival = self.now + c["transfer"]
            c["begin"] = arrival if c["available"] < arrival else c["available"]
            c["end"] = c["begin"] + c["length"]
        best = min(c["end"] for c in list_)
        for c in list_:
            energy = 0 if math.isnan(c["energy"]) else c["energy"]
            c["fitness"] = c["end"] - best
            if not math.isnan(c["transfer"]):
                c["fitness"] = (float(data["alpha"]) * c["fitness"] + float(data["beta"]) * c["transfer"]
                                + float(data["gamma"]) * energy)
                if c["end"] > last:
                    c["fitness"] += float(data["gamma"]) * float(data["idle_power"]) * (c["end"] - last) / 1e6
        return "model"

    def name(self, worker):
        return self.names.get(worker, "worker%d" % worker)

    def write(self, files, nth):
        nature, flag = self.compare(), ""
        ranked = sorted((c for c in self.candidates if "fitness" in c), key=lambda c: c["fitness"])
        if self.chosen is None:
            flag = "unplaced"
        elif ranked and (ranked[0]["worker"], ranked[0]["impl"]) != (self.chosen, self.impl):
            flag = "race"
        own = next((c for c in self.candidates if (c["worker"], c["impl"]) == (self.chosen, self.impl)), {})
        rival = next((c for c in ranked if c["worker"] != self.chosen), None)
        queues = flag != "race"
        get = lambda c, key: number(c.get(key)) if queues else ""
        joule = lambda c: "%.17g" % c["energy"] if c and not math.isnan(c["energy"]) and c["energy"] else ""
        best = ranked and min(c["end"] for c in ranked)
        margin = queues and rival and own and "fitness" in own
        files["decisions"].append([
            self.job, nth, number(self.now), self.value, self.priority,
            "" if self.chosen is None else self.name(self.chosen), "" if self.impl is None else self.impl, nature,
            number(own.get("length")), number(own.get("transfer")), number(self.left), joule(own),
            get(own, "begin"), get(own, "end"), get(own, "fitness"), number(best) if ranked and queues else "",
            self.name(rival["worker"]) if margin else "",
            number(rival["fitness"] - own["fitness"]) if margin else "", flag])
        for c in self.candidates:
            files["candidates"].append([
                self.job, nth, self.name(c["worker"]), c["impl"], get(c, "available"), number(c["length"]),
                number(c["transfer"]), joule(c), get(c, "begin"), get(c, "end"), get(c, "fitness"),
                c["tasks"] if queues else "", get(c, "queue"), get(c, "pipeline"), int(c is own)])
        for worker, place, job, priority in self.queued:
            files["queue"].append([self.job, nth, self.name(worker), place, job, priority])


def load_types(folder):
    """Debug data of StarPU's structs, which the library does not have."""
    version = next((v for v in ("1.4", "1.3") if subprocess.call(["pkg-config", "--exists", "starpu-" + v]) == 0), None)
    if version is None:
        fail("no headers of StarPU (Debian: libstarpu-dev)")
    flags = subprocess.check_output(["pkg-config", "--cflags", "starpu-" + version], text=True).split()
    out = os.path.join(folder, "types.o")
    subprocess.check_call([os.environ.get("CC", "cc"), "-g", "-D_GNU_SOURCE", "-I" + ROOT, *flags, "-x", "c", "-c", "-o", out,
                           os.path.join(ROOT, "record", "gdb", "types.h")])
    gdb.execute("add-symbol-file %s 0" % out, to_string=True)


def find_functions():
    """Their addresses in the StarPU library: another library may have functions of these names."""
    text = gdb.execute(r"info functions ^\(%s\)$" % r"\|".join(FUNCTIONS), to_string=True)
    found = {}
    for address, name in re.findall(r"^(0x[0-9a-f]+)\s+(\w+)$", text, re.M):
        if is_starpu(int(address, 16)):
            found[int(address, 16)] = name
    if not any(name.endswith("expected_length") for name in found.values()):
        fail("the program has no libstarpu, or one without these functions")
    return found


def find_workers():
    """Names of workers, as other tables have them: "CPU 0" is CPU0."""
    count = int(gdb.parse_and_eval("((unsigned (*)(void))starpu_worker_get_count)()"))
    buffer = int(gdb.parse_and_eval("((unsigned long (*)(unsigned long))malloc)(128)"))
    names = {}
    for worker in range(count):
        gdb.parse_and_eval("((void (*)(int, char *, unsigned long))starpu_worker_get_name)(%d, (char *)%d, 128)"
                           % (worker, buffer))
        name = gdb.Value(buffer).cast(gdb.lookup_type("char").pointer()).string()
        names[worker] = name.split("(")[0].replace(" ", "").replace(".", "_")
    return names


def set_pushes():
    kind = gdb.lookup_type("struct starpu_sched_policy").pointer()
    for name, symbol in POLICIES.items():
        try:
            address = int(gdb.parse_and_eval("(unsigned long)&" + symbol))
        except gdb.error:
            continue
        Push(name, int(gdb.Value(address).cast(kind)["push_task"]))


def write_table(folder, name, head, rows):
    with open(os.path.join(folder, name + ".csv"), "w", encoding="utf-8") as file:
        file.write(head + "\n")
        for row in rows:
            file.write(",".join(str(cell) for cell in row) + "\n")


def stopped_at_push():
    """The policy at whose push the program stopped, None for another reason."""
    pc = register("pc")
    return next((push.policy for push in Push.all if push.address == pc), None)


def follow(functions, names, files):
    """All stops of the program, to its end."""
    active, times = {}, {}
    gdb.execute("continue", to_string=True)
    while gdb.selected_inferior().pid:
        thread = gdb.selected_thread().num
        decision, policy = active.get(thread), stopped_at_push()
        if decision is None and policy is not None:
            active[thread] = Decision(policy, functions, names)
        elif decision is not None and decision.stopped():
            decision.leave()
            del active[thread]
            times[decision.job] = times.get(decision.job, 0) + 1
            decision.write(files, times[decision.job])
        gdb.execute("continue", to_string=True)


def record(folder):
    functions = find_functions()
    gdb.execute("finish", to_string=True)  # starpu_init
    try:
        names = find_workers()
    except gdb.error as error:
        fail("gdb cannot call functions of the program to get the names of workers: %s" % error)
    set_pushes()
    files = {"decisions": [], "candidates": [], "queue": []}
    follow(functions, names, files)
    write_table(folder, "decisions", DECISIONS, files["decisions"])
    write_table(folder, "candidates", CANDIDATES, files["candidates"])
    write_table(folder, "queue", QUEUE, files["queue"])


def main():
    jobs, folder = os.environ.get("JOBS", ""), os.environ.get("OUT", "")
    if not folder or not re.fullmatch(r"all|\d+(,\d+)*", jobs):
        fail("expected JOBS=N,N... or JOBS=all, and OUT=DIR, in the environment")
    Push.wanted = None if jobs == "all" else {int(job) for job in jobs.split(",")}
    os.makedirs(folder, exist_ok=True)
    for setting in ("pagination off", "confirm off", "breakpoint pending on", "print thread-events off",
                    "environment STARPU_TASK_BREAK_ON_EXEC 2147483647"):
        gdb.execute("set " + setting, to_string=True)
    try:
        gdb.execute("set suppress-cli-notifications on", to_string=True)
    except gdb.error:
        pass  # an older gdb prints where it stops
    for signal in ("SIGUSR1", "SIGUSR2", "SIGALRM", "SIGPIPE"):
        gdb.execute("handle %s nostop noprint pass" % signal, to_string=True)
    gdb.execute("tbreak starpu_init", to_string=True)
    with tempfile.TemporaryDirectory() as types:
        load_types(types)
        gdb.execute("run", to_string=True)
        if not gdb.selected_inferior().pid:
            fail("the program ended before starpu_init")
        record(folder)
    code = gdb.parse_and_eval("$_exitcode")
    gdb.execute("quit %d" % (int(code) if code.type.code != gdb.TYPE_CODE_VOID else 1))


main()
