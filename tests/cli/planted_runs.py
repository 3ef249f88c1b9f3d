#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
# planted_runs.py FOLDER: ten runs of an MPI + OpenMP program, each but the last with one cause why it is slow, as archives of OTF2
# (FOLDER/otf2/NAME, by the library's own Python module) and as traces of Paraver (FOLDER/paraver/NAME, as Extrae writes them). Prints
# a line for each: NAME, the finding that is to be first, and words of its text, between tabs.
import os
import sys

import otf2
from otf2.enums import CollectiveOp, GroupType, Paradigm, RegionRole

RANKS, THREADS, STEPS = 4, 4, 20
US, MS = 1000, 1000000
LATENCY, NS_PER_BYTE = 2 * US, 0.1

# Regions: role and paradigm in OTF2; state, type and value of the event in Paraver (None: none).
REGIONS = {
    'main': (RegionRole.FUNCTION, Paradigm.USER, 1, None, 0),
    '!$omp parallel @step.c:20': (RegionRole.PARALLEL, Paradigm.OPENMP, 1, 60000001, 1),
    '!$omp for @step.c:21': (RegionRole.LOOP, Paradigm.OPENMP, 1, 60000018, 1),
    '!$omp implicit barrier @step.c:30': (RegionRole.IMPLICIT_BARRIER, Paradigm.OPENMP, 5, None, 0),
    '!$omp critical @step.c:25': (RegionRole.CRITICAL, Paradigm.OPENMP, 5, 60000006, 3),
    '!$omp critical sblock @step.c:25': (RegionRole.CRITICAL_SBLOCK, Paradigm.OPENMP, 1, 60000006, 6),
    'MPI_Init': (RegionRole.FUNCTION, Paradigm.MPI, 15, 50000003, 31),
    'MPI_Finalize': (RegionRole.FUNCTION, Paradigm.MPI, 15, 50000003, 32),
    'MPI_Send': (RegionRole.POINT2POINT, Paradigm.MPI, 4, 50000001, 1),
    'MPI_Recv': (RegionRole.POINT2POINT, Paradigm.MPI, 3, 50000001, 2),
    'MPI_Isend': (RegionRole.POINT2POINT, Paradigm.MPI, 10, 50000001, 3),
    'MPI_Irecv': (RegionRole.POINT2POINT, Paradigm.MPI, 11, 50000001, 4),
    'MPI_Waitall': (RegionRole.POINT2POINT, Paradigm.MPI, 8, 50000001, 6),
    'MPI_Allreduce': (RegionRole.COLL_ALL2ALL, Paradigm.MPI, 13, 50000002, 10),
}
PARALLEL, LOOP, BARRIER, CRITICAL, HELD = list(REGIONS)[1:6]


class Run:
    """Events of each thread in the order of time, and messages."""

    def __init__(self):
        self.now = [0] * RANKS
        self.events = {(r, t): [] for r in range(RANKS) for t in range(THREADS)}
        self.messages, self.requests = [], 0
        for r in range(RANKS):
            self.enter(r, 0, 'main', 0)
            self.call(r, 'MPI_Init', MS)

    def add(self, rank, thread, time, what, *arguments):
        self.events[rank, thread].append((int(time), what, arguments))

    def enter(self, rank, thread, name, time):
        self.add(rank, thread, time, 'enter', name)

    def leave(self, rank, thread, name, time):
        self.add(rank, thread, time, 'leave', name)

    def call(self, rank, name, length):
        self.enter(rank, 0, name, self.now[rank])
        self.now[rank] += int(length)
        self.leave(rank, 0, name, self.now[rank])

    def serial(self, rank, length):
        self.now[rank] += int(length)

    def parallel(self, rank, lengths, locked=0):
        """A loop of a team; each thread holds a lock for `locked` ns in each of ten parts of its work."""
        begin, ends, free = self.now[rank] + US, [], 0
        clock = [begin] * THREADS
        for t in range(THREADS):
            self.enter(rank, t, PARALLEL, begin)
            self.enter(rank, t, LOOP, begin)
        for _ in range(10 if locked else 0):
            for t in sorted(range(THREADS), key=lambda t: clock[t] + lengths[t] // 10):
                clock[t] += lengths[t] // 10
                self.enter(rank, t, CRITICAL, clock[t])
                clock[t] = free = max(free, clock[t])
                self.enter(rank, t, HELD, clock[t])
                clock[t] = free = clock[t] + locked
                self.leave(rank, t, HELD, clock[t])
                self.leave(rank, t, CRITICAL, clock[t])
        for t in range(THREADS):
            clock[t] += 0 if locked else int(lengths[t])
            self.leave(rank, t, LOOP, clock[t])
            self.enter(rank, t, BARRIER, clock[t])
        end = max(clock) + US
        for t in range(THREADS):
            self.leave(rank, t, BARRIER, end)
            self.leave(rank, t, PARALLEL, end)
        self.now[rank] = end

    def exchange(self, size):
        """Each rank with both neighbors."""
        posted, sends = {}, {}
        for r in range(RANKS):
            for d in (-1, 1):
                self.requests += 1
                posted[r, (r + d) % RANKS, d] = self.now[r], self.requests
                self.enter(r, 0, 'MPI_Irecv', self.now[r])
                self.add(r, 0, self.now[r], 'irecv_request', self.requests)
                self.now[r] += US
                self.leave(r, 0, 'MPI_Irecv', self.now[r])
            for d in (-1, 1):
                self.requests += 1
                sends[r, (r + d) % RANKS, -d] = self.now[r], self.requests
                self.enter(r, 0, 'MPI_Isend', self.now[r])
                self.add(r, 0, self.now[r], 'isend', (r + d) % RANKS, 1 - d, size, self.requests)
                self.now[r] += US
                self.leave(r, 0, 'MPI_Isend', self.now[r])
        for r in range(RANKS):
            self.enter(r, 0, 'MPI_Waitall', self.now[r])
            done = [(max(t, self.now[r]), 'isend_complete', (q,)) for (s, _, _), (t, q) in sends.items() if s == r]
            for (s, to, d), (t, q) in sends.items():
                if to == r:
                    at = max(int(t + LATENCY + size * NS_PER_BYTE), self.now[r])
                    done.append((at, 'irecv', (s, 1 + d, size, posted[r, s, d][1])))
                    self.messages.append((s, r, 1 + d, size, t, posted[r, s, d][0], at))
            for event in sorted(done):
                self.events[r, 0].append(event)
            self.now[r] = max(event[0] for event in done) + US
            self.leave(r, 0, 'MPI_Waitall', self.now[r])

    def send(self, source, dest, size):
        """A blocking message, which the receiver may await."""
        sent = self.now[source]
        self.enter(source, 0, 'MPI_Send', sent)
        self.add(source, 0, sent, 'send', dest, 9, size)
        self.now[source] += US
        self.leave(source, 0, 'MPI_Send', self.now[source])
        posted = self.now[dest]
        self.enter(dest, 0, 'MPI_Recv', posted)
        self.now[dest] = int(max(posted, sent + LATENCY + size * NS_PER_BYTE))
        self.add(dest, 0, self.now[dest], 'recv', source, 9, size)
        self.messages.append((source, dest, 9, size, sent, posted, self.now[dest]))
        self.now[dest] += US
        self.leave(dest, 0, 'MPI_Recv', self.now[dest])

    def allreduce(self, length):
        end = max(self.now) + int(length)
        for r in range(RANKS):
            self.enter(r, 0, 'MPI_Allreduce', self.now[r])
            self.add(r, 0, self.now[r], 'begin')
            self.add(r, 0, end, 'end', 8)
            self.leave(r, 0, 'MPI_Allreduce', end)
            self.now[r] = end

    def finish(self):
        self.allreduce(LATENCY)
        for r in range(RANKS):
            self.call(r, 'MPI_Finalize', MS)
            self.leave(r, 0, 'main', self.now[r])
        return self


def steps(work, exchanged=8000, reduced=LATENCY, small=0, locked=0, serial=0, late=0):
    """work(rank, thread, step): ns."""
    run = Run()
    for step in range(STEPS):
        for r in range(RANKS):
            run.serial(r, serial)
            if late and r != 0:
                run.parallel(r, [work(r, t, step) for t in range(THREADS)])
        if late:
            # Rank 0 sends what the others need only after its own work, which they have done meanwhile.
            run.parallel(0, [work(0, t, step) for t in range(THREADS)])
            for r in range(1, RANKS):
                run.serial(0, late)
                run.send(0, r, 8000)
            for r in range(1, RANKS):
                run.serial(r, late * (RANKS - 1))
        else:
            for r in range(RANKS):
                run.parallel(r, [work(r, t, step) for t in range(THREADS)], locked)
        for i in range(small):
            for r in range(0, RANKS, 2):
                run.send(r, r + 1, 8)
                run.send(r + 1, r, 8)
        if exchanged:
            run.exchange(exchanged)
        run.allreduce(reduced)
    return run.finish()


def even(rank, thread, step):
    return 10 * MS + (rank * 7 + thread * 3 + step) % 5 * 2 * US


CAUSES = [
    ('late-rank', 'waits-in-mpi', 'Rank 2 works for', steps(lambda r, t, s: even(r, t, s) * (2 if r == 2 else 1))),
    ('rank-imbalance', 'waits-in-mpi', 'Rank 3 works for', steps(lambda r, t, s: even(r, t, s) * (10 + 4 * r) // 10)),
    ('slow-thread', 'loop-imbalance', 'works for', steps(lambda r, t, s: even(r, t, s) * (2 if t == 1 else 1))),
    ('serial-part', 'serial-part', 'outside of parallel regions', steps(even, serial=10 * MS)),
    ('small-messages', 'latency', 'Messages are small: ', steps(even, exchanged=0, small=1000)),
    ('collective', 'mpi-transfer', 'MPI_Allreduce', steps(even, reduced=10 * MS)),
    ('no-overlap', 'mpi-transfer', 'MPI_Waitall', steps(even, exchanged=60000000)),
    ('late-sender', 'waits-in-mpi', 'MPI_Recv', steps(even, late=2 * MS)),
    ('critical', 'critical-section', 'Threads wait for locks', steps(even, locked=MS)),
    ('none', '', '', steps(even)),
]


def write_otf2(run, folder):
    with otf2.writer.open(folder, timer_resolution=1000000000) as trace:
        define = trace.definitions
        machine = define.system_tree_node('machine', class_name='machine')
        nodes = [define.system_tree_node('node%d' % r, class_name='node', parent=machine) for r in range(RANKS)]
        groups = [define.location_group('MPI Rank %d' % r, system_tree_parent=nodes[r]) for r in range(RANKS)]
        location = {(r, t): define.location('Master thread' if t == 0 else 'OMP thread %d' % t, group=groups[r])
                    for r in range(RANKS) for t in range(THREADS)}
        region = {name: define.region(name, region_role=of[0], paradigm=of[1]) for name, of in REGIONS.items()}
        masters = [location[r, 0] for r in range(RANKS)]
        define.group('', group_type=GroupType.COMM_LOCATIONS, paradigm=Paradigm.MPI, members=masters)
        world = define.comm('MPI_COMM_WORLD', group=define.group('', group_type=GroupType.COMM_GROUP, paradigm=Paradigm.MPI, members=masters))
        for key, events in run.events.items():
            to = trace.event_writer_from_location(location[key])
            write = {
                'enter': lambda time, name: to.enter(time, region[name]),
                'leave': lambda time, name: to.leave(time, region[name]),
                'send': lambda time, peer, tag, size: to.mpi_send(time, peer, world, tag, size),
                'recv': lambda time, peer, tag, size: to.mpi_recv(time, peer, world, tag, size),
                'isend': lambda time, peer, tag, size, request: to.mpi_isend(time, peer, world, tag, size, request),
                'irecv': lambda time, peer, tag, size, request: to.mpi_irecv(time, peer, world, tag, size, request),
                'irecv_request': to.mpi_irecv_request,
                'isend_complete': to.mpi_isend_complete,
                'begin': to.mpi_collective_begin,
                'end': lambda time, size: to.mpi_collective_end(time, CollectiveOp.ALLREDUCE, world, 0, size, size),
            }
            for time, what, arguments in events:
                write[what](time, *arguments)


def states(events, end):
    """Intervals of a thread: begin, end, state."""
    stack, begin = [], 0
    for time, what, arguments in events + [(end, 'enter', ('main',))]:
        if what not in ('enter', 'leave'):
            continue
        if time > begin:
            yield begin, time, REGIONS[stack[-1]][2] if stack else 0
            begin = time
        if what == 'enter':
            stack.append(arguments[0])
        else:
            stack.pop()


def write_paraver(run, folder, name):
    os.makedirs(folder)
    end = max(run.now)
    records = []
    cpu = {key: key[0] * THREADS + key[1] + 1 for key in run.events}
    for key, events in run.events.items():
        place = '%d:1:%d:%d' % (cpu[key], key[0] + 1, key[1] + 1)
        for begin, until, state in states(events, end):
            records.append((begin, 1, '1:%s:%d:%d:%d' % (place, begin, until, state)))
        for time, what, arguments in events:
            if what in ('enter', 'leave'):
                _, _, _, kind, value = REGIONS[arguments[0]]
                more = ':50100004:1' if arguments[0] == 'MPI_Allreduce' and what == 'enter' else ''
                if kind == 60000006 and what == 'leave':
                    value = 5 if arguments[0] == HELD else 0
                elif what == 'leave':
                    value = 0
                if kind:
                    records.append((time, 2, '2:%s:%d:%d:%d%s' % (place, time, kind, value, more)))
    for source, dest, tag, size, sent, posted, received in run.messages:
        records.append((sent, 3, '3:%d:1:%d:1:%d:%d:%d:1:%d:1:%d:%d:%d:%d' % (
            cpu[source, 0], source + 1, sent, sent, cpu[dest, 0], dest + 1, posted, received, size, tag)))
    records.sort(key=lambda record: record[:2])
    with open('%s/%s.prv' % (folder, name), 'w') as out:
        out.write('#Paraver (28/11/2026 at 10:00):%d_ns:%d(%s):1:%d(%s),1\n' % (
            end, RANKS, ','.join([str(THREADS)] * RANKS), RANKS, ','.join('%d:%d' % (THREADS, r + 1) for r in range(RANKS))))
        out.write('c:1:1:%d:%s\n' % (RANKS, ':'.join(str(r + 1) for r in range(RANKS))))
        out.writelines(record[2] + '\n' for record in records)
    with open('%s/%s.pcf' % (folder, name), 'w') as out:
        out.write('STATES\n0 Idle\n1 Running\n3 Waiting a message\n4 Blocking Send\n5 Synchronization\n8 Wait/WaitAll\n'
                  '10 Immediate Send\n11 Immediate Receive\n13 Group Communication\n15 Others\n')
        for kind, title in ((50000001, 'MPI Point-to-point'), (50000002, 'MPI Collective Comm'), (50000003, 'MPI Other')):
            out.write('\nEVENT_TYPE\n9 %d %s\nVALUES\n0 Outside MPI\n' % (kind, title))
            out.writelines('%d %s\n' % (of[4], region) for region, of in REGIONS.items() if of[3] == kind)
        out.write('\nEVENT_TYPE\n0 60000001 Parallel (OMP)\nVALUES\n0 close\n1 DO (open)\n\nEVENT_TYPE\n0 60000018 Executed OpenMP parallel function\n'
                  'VALUES\n0 End\n1 step\n\nEVENT_TYPE\n0 60000006 OpenMP named-Lock\nVALUES\n0 Unlocked status\n3 Lock\n5 Unlock\n6 Locked status\n'
                  '\nEVENT_TYPE\n0 50100004 Communicator in collective operation\n')
    with open('%s/%s.row' % (folder, name), 'w') as out:
        out.write('LEVEL THREAD SIZE %d\n' % len(run.events))
        out.writelines('THREAD 1.%d.%d\n' % (r + 1, t + 1) for r, t in run.events)


for name, finding, words, run in CAUSES:
    write_otf2(run, '%s/otf2/%s' % (sys.argv[1], name))
    write_paraver(run, '%s/paraver/%s' % (sys.argv[1], name), name)
    print(name, finding, words, sep='\t')
