# SPDX-License-Identifier: GPL-3.0-or-later
"""answers_ranks.py -- runs without tasks for answers.py: MPI programs (calls and messages) and parallel loops (states of threads)."""
from answers_model import *

NETWORK_TALK = r"(?i)faster network|progress thread"
MPI_WAITS = ["late-sender", "waits-in-mpi", "mpi-imbalance", "imbalance", "rank-imbalance"]
HEADER = ["ResourceId", "Call", "Class", "Start", "End", "Request", "Comm", "Sequence", "Peer", "Tag", "Bytes", "Site"]
CALL = 2 * US  # time of a call that does not wait


class Ranks:
    "an MPI program; all ranks go on together, step by step"

    def __init__(self, count):
        self.count, self.now, self.calls, self.links, self.requests = count, [0] * count, [], [], [0] * count
        self.sequence = 0
        for r in range(count):
            self.call(r, "MPI_Init", "other", 50 * MS, "main@solver.c:12")

    def call(self, r, name, kind, took, site, request="", comm="", sequence="", peer="", tag="", size=""):
        start, self.now[r] = self.now[r], self.now[r] + took
        self.calls.append((start, r, name, kind, start, self.now[r], request, comm, sequence, peer, tag, size, site))

    def compute(self, lengths):
        self.now = [t + int(d) for t, d in zip(self.now, lengths)]

    def halo(self, step, size, rate):
        "each rank exchanges a message with both neighbors of a ring: MPI_Irecv, MPI_Isend, MPI_Waitall"
        n, posted, sent, pending = self.count, {}, {}, {r: [] for r in range(self.count)}
        pairs = [(r, p) for r in range(n) for p in sorted({(r - 1) % n, (r + 1) % n})]
        for what, times in (("MPI_Irecv", posted), ("MPI_Isend", sent)):
            for r, p in pairs:
                self.requests[r] += 1
                pending[r].append(str(self.requests[r]))
                times[(p, r) if what == "MPI_Irecv" else (r, p)] = self.now[r]
                self.call(r, what, "start", CALL, "exchange@solver.c:%d" % (40 if what == "MPI_Irecv" else 42), self.requests[r], "world", "", p, step, size)
        ends, free = [t + CALL for t in self.now], [0] * n
        for a, b in sorted(pairs, key=lambda p: (sent[p], p)):
            begin = max(sent[(a, b)], posted[(a, b)], free[a])
            free[a] = begin + int(size / rate)
            end = free[a] + LATENCY
            ends[a], ends[b] = max(ends[a], end), max(ends[b], end)
            self.links.append((a, b, sent[(a, b)], end, size, step, posted[(a, b)]))
        for r in range(n):
            self.call(r, "MPI_Waitall", "wait", ends[r] - self.now[r], "exchange@solver.c:44", " ".join(pending[r]))

    def collective(self, name, took):
        end = max(self.now) + took
        for r in range(self.count):
            self.call(r, name, "blocking", end - self.now[r], "step@solver.c:51", "", "world", self.sequence, "", "", 8)
        self.sequence += 1

    def write(self, folder):
        for r in range(self.count):
            self.call(r, "MPI_Finalize", "other", max(self.now) + MS - self.now[r], "main@solver.c:60")
        name = "%d_T0"
        write_table(folder, "calls", HEADER, [[name % c[1], c[2], c[3], ms(c[4]), ms(c[5]), *c[6:]] for c in sorted(self.calls, key=lambda c: c[:2])])
        if self.links:
            write_table(folder, "links", ["Type", "Key", "Origin", "Dest", "Start", "End", "Size", "Tag", "ReceiveStart"],
                        [["MPI communication", "mpi%d" % (i + 1), name % a, name % b, ms(s), ms(e), size, tag, ms(p)] for i, (a, b, s, e, size, tag, p) in enumerate(self.links)])
        write_table(folder, "resources", ["ResourceId", "ResourceType", "Node", "Order", "Start", "End"],
                    [[name % r, "CPU", r, r, ms(0), ms(self.now[r])] for r in range(self.count)])
        write_table(folder, "tasks", ["ResourceId", "Value", "Start", "End", "Kind", "Node", "ResourceType"], [[name % r, "", "", "", "worker", r, "CPU"] for r in range(self.count)])


def mpi(rnd, factors, noise, step, steps, exchange, **truth):
    "steps of `step` ns of computation, times factors[rank]; the run is simulated again with the same work in equal parts and without messages"
    ranks, begin = Ranks(len(factors)), 50 * MS
    total = 0
    for k in range(steps):
        lengths = [step * f * max(0.5, rnd.gauss(1, noise)) for f in factors]
        total += sum(lengths) / len(lengths)
        ranks.compute(lengths)
        exchange(ranks, k)
    return dict(truth, write=ranks.write, span=max(ranks.now) - begin, without=total, least=total)


def sizes(rnd):
    return rnd.choice([2, 4, 8, 16, 32]), rnd.choice([2, 5, 20]) * MS, rnd.randint(20, 100)


def late_sender(rnd):
    count, step, steps = sizes(rnd)
    bad, factor = rnd.randrange(count), rnd.uniform(1.3, 3)
    return mpi(rnd, [factor if r == bad else 1 for r in range(count)], rnd.choice([0, 0.01, 0.03]), step, steps, lambda m, k: m.halo(k, 1024, 10.0), accept=MPI_WAITS,
               mention=["MPI_Waitall"], cause="Rank %d has %.2f times the work of the others, which wait for its messages." % (bad, factor), forbid=[SUBMIT_TALK, NETWORK_TALK], wrong=["submission", "network-bound", "latency", "no-tasks"])


def collective(rnd):
    count, step, steps = sizes(rnd)
    bad, factor, name = rnd.randrange(count), rnd.uniform(1.3, 3), rnd.choice(["MPI_Allreduce", "MPI_Barrier"])
    return mpi(rnd, [factor if r == bad else 1 for r in range(count)], rnd.choice([0, 0.01, 0.03]), step, steps, lambda m, k: m.collective(name, 30 * US), accept=MPI_WAITS,
               mention=[name], cause="Rank %d has %.2f times the work of the others, which wait in %s." % (bad, factor, name), forbid=[SUBMIT_TALK, NETWORK_TALK], wrong=["submission", "network-bound", "latency", "no-tasks", "late-sender"])


def latency(rnd):
    count, steps = rnd.choice([2, 4, 8]), rnd.randint(300, 1000)
    return mpi(rnd, [1] * count, 0.01, rnd.randint(10, 40) * US, steps, lambda m, k: m.halo(k, 8, 10.0), accept=["latency", "waits-in-mpi", "small-messages"], mention=["MPI_Waitall"],
               cause="Between two small messages a rank computes no longer than a message takes.", forbid=[SUBMIT_TALK, SLOW_TALK, r"(?i)give (each )?rank|less work"], wrong=["submission", "mpi-imbalance", "rank-imbalance", "no-tasks", "network-bound"])


def mpi_network(rnd):
    count, step, steps = sizes(rnd)
    size, part = rnd.choice([1, 10]) * 1000000, rnd.uniform(0.3, 1)
    rate = size * (1 if count == 2 else 2) / (step * part)
    return mpi(rnd, [1] * count, rnd.choice([0, 0.01]), step, steps, lambda m, k: m.halo(k, size, rate), accept=["mpi-transfer"],
               mention=["MPI_Waitall"], cause="Messages take %.2f of the time of the computation, and nothing overlaps them; the ranks are equal." % part, forbid=[SUBMIT_TALK, SLOW_TALK, r"(?i)give rank|less work"],
               wrong=["submission", "late-sender", "mpi-imbalance", "rank-imbalance", "no-tasks", "latency"])


def quiet(truth):
    if truth["span"] > 1.03 * truth["least"]:
        raise Again("the ranks wait for each other: %.3f" % (truth["span"] / truth["least"]))
    return truth


def balanced(exchange):
    def kind(rnd):
        count, step, steps = sizes(rnd)
        return quiet(mpi(rnd, [1] * count, rnd.uniform(0, 0.01), step, steps, exchange, accept=["near-bound", "no-gain", "none"], cause="Nothing: the ranks are equal and the messages small.", forbid=[SUBMIT_TALK, SLOW_TALK, NETWORK_TALK], wrong=[]))
    return kind


class Loops:
    "an OpenMP program of parallel loops, each with a barrier at its end"

    def __init__(self, threads):
        self.threads, self.now, self.rows = threads, 0, []

    def loop(self, lengths):
        begin = self.now + 5 * US
        end = begin + int(max(lengths)) + 10 * US
        for i, length in enumerate(lengths):
            depth, own = (2 if i == 0 else 0), begin + 2 * US
            if i == 0:
                self.rows.append((self.now, 0, "Parallel region", self.now, end, 1))
            else:
                self.rows.append((self.now, i, "Idle", self.now, begin, 0))
            self.rows += [(begin, i, "Implicit task", begin, end, depth), (own, i, "Loop", own, own + int(length), depth + 1), (own + int(length), i, "Implicit barrier", own + int(length) + 500, end, depth + 1)]
        self.now = end + 3 * US

    def serial(self, length):
        for i in range(1, self.threads):
            self.rows.append((self.now, i, "Idle", self.now, self.now + length, 0))
        self.now += length

    def write(self, folder):
        rows = [(0, 0, "Serial", 0, self.now, 0)] + self.rows
        rows.sort(key=lambda r: (r[0], r[1], r[5]))
        write_table(folder, "states", ["ResourceId", "Type", "Value", "Start", "End", "Depth"], [["T%d" % i, "OpenMP State", v, ms(s), ms(e), d] for _, i, v, s, e, d in rows])
        write_table(folder, "resources", ["ResourceId", "ResourceType", "Node", "Order", "Start", "End"], [["T%d" % i, "CPU", 0, i, ms(0), ms(self.now)] for i in range(self.threads)])
        write_table(folder, "tasks", ["ResourceId", "Value", "Start", "End", "Kind", "Node", "ResourceType"], [["T%d" % i, "", "", "", "worker", 0, "CPU"] for i in range(self.threads)])


def loops(rnd, threads, shares, noise, **truth):
    run, step, total = Loops(threads), rnd.choice([2, 10, 50]) * MS, 0
    for _ in range(rnd.randint(5, 80)):
        lengths = [step * s * max(0.5, rnd.gauss(1, noise)) for s in shares]
        run.loop(lengths)
        total += sum(lengths) / threads
    return dict(truth, write=run.write, span=run.now, without=total, least=total)


def loop_imbalance(rnd):
    threads = rnd.choice([4, 8, 16, 32, 64])
    if rnd.random() < 0.5:
        shares, cause = [2 * (i + 0.5) / threads for i in range(threads)], "Work of a static loop grows with the thread's number."
    else:
        bad, factor = rnd.randrange(threads), rnd.uniform(1.3, 3)
        shares, cause = [factor if i == bad else 1 for i in range(threads)], "Thread T%d has %.2f times the work of the others in each loop." % (bad, factor)
    return loops(rnd, threads, shares, rnd.choice([0, 0.01, 0.03]), accept=["loop-imbalance", "imbalance", "barrier-waits", "unbalanced-loop"], mention=["T%d" % shares.index(max(shares))], cause=cause,
                 forbid=[SUBMIT_TALK, r"(?i)overhead of the runtime"], wrong=["submission", "fine-tasks", "no-tasks"])


def loop_serial(rnd):
    threads = rnd.choice([4, 8, 16, 32])
    run, step, count = Loops(threads), rnd.choice([5, 20]) * MS, rnd.randint(5, 40)
    alone = int(step * rnd.uniform(0.3, 1))
    for _ in range(count):
        run.loop([step * rnd.gauss(1, 0.005) for _ in range(threads)])
        run.serial(alone)
    return dict(write=run.write, span=run.now, without=count * (step + alone / threads), least=count * (step + alone / threads), accept=["serial-part", "serial"], cause="Between two loops the first thread works alone for %.1f ms." % (alone / MS),
                forbid=[SUBMIT_TALK, SLOW_TALK], wrong=["submission", "fine-tasks", "no-tasks", "loop-imbalance"])


def clean_loops(rnd):
    threads = rnd.choice([4, 8, 16, 32])
    return quiet(loops(rnd, threads, [1] * threads, rnd.uniform(0, 0.01), accept=["near-bound", "no-gain", "none"], cause="Nothing: the loops are balanced.", forbid=[SUBMIT_TALK, SLOW_TALK], wrong=[]))


RANK_KINDS = {"late-sender": late_sender, "collective": collective, "mpi-network": mpi_network, "latency": latency, "loop-imbalance": loop_imbalance, "loop-serial": loop_serial}
RANK_CLEAN = {"clean-halo": balanced(lambda m, k: m.halo(k, 1024, 10.0)), "clean-allreduce": balanced(lambda m, k: m.collective("MPI_Allreduce", 20 * US)), "clean-loops": clean_loops}
