/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * log.h -- the raw log of a recorded process: format and writer. Probes write it, convert/log reads it.
 *
 * A file is a header of TV_LOG_PAGE bytes, then chunks of TV_LOG_CHUNK bytes. A chunk is a struct
 * tv_log_chunk, then events, `words` words (8 bytes) of them. The writer stores `words` after the
 * event, so a log is readable up to the last event after any end of the process. A chunk without
 * TV_LOG_CHUNK_MAGIC was reserved and never used.
 *
 * A thread writes to a buffer, a chunk of the file that is mapped; `buffer` is the place of that
 * chunk in the file, counted in chunks from 0. A full buffer is copied to a new chunk at the end of
 * the file and begins anew, with the next `sequence`. So the chunks with the same `buffer`, in the
 * order of `sequence`, are one list of events in the order of time; the buffer itself, which comes
 * first in the file, is the last of them. Of two chunks with the same buffer and sequence only the
 * first in the file counts: the process ended while it copied. (Mapping chunk after chunk instead
 * costs 2.2 ns per byte, with chunks of 1 MiB 1 ns; copying costs 0.4 ns.)
 *
 * An event is a struct tv_log_event, then event->words - 2 words: numbers, as the list of kinds says,
 * then, for kinds with a text, the bytes of the text, ended by at least one NUL. All numbers have
 * the byte order of the machine; `endian` reads TV_LOG_ENDIAN in that order.
 */
#ifndef TV_RECORD_LOG_H
#define TV_RECORD_LOG_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TV_LOG_MARKER "recording" /* the file beside logs: cli/record_folder.c */
#define TV_LOG_MAGIC  "traceviz"  /* the first 8 bytes, without NUL */

enum {
	TV_LOG_VERSION = 1,
	TV_LOG_ENDIAN = 0x01020304,
	TV_LOG_PAGE = 4096,
	TV_LOG_CHUNK = 65536,
	TV_LOG_CHUNK_MAGIC = 0x4b4e4843,
	TV_LOG_MAX_WORDS = 4000, /* of one event; longer lists are split over several events */
};

struct tv_log_header {
	char magic[8];
	uint32_t version, endian, page, chunk; /* TV_LOG_VERSION, _ENDIAN, _PAGE, _CHUNK */
	uint32_t pid, parent_pid;
	int32_t rank;		   /* of MPI, -1 = none */
	_Atomic uint32_t chunks;   /* reserved so far */
	_Atomic uint32_t threads;  /* numbers given so far; threads are numbered from 0 */
	_Atomic uint32_t finished; /* 1: the process wrote all it had (a normal end) */
	_Atomic uint64_t lost;	   /* events that found no space */
	_Atomic uint32_t stopped;  /* enum tv_log_stop: why recording stopped, 0 = it did not */
	uint32_t reserved;
	/* Pairs of clocks at begin and end: ns of CLOCK_MONOTONIC, CLOCK_REALTIME. The end is that of the
	 * process if it is finished, else when `record` found that it had ended, or 0. */
	int64_t begin_mono, begin_real, end_mono, end_real;
	char host[256];
};

enum tv_log_stop {
	TV_LOG_RUNNING,
	TV_LOG_FULL_SIZE, /* --max-size */
	TV_LOG_FULL_DISK,
	TV_LOG_FULL_FILE, /* the limit of the size of files (ulimit -f) */
};

struct tv_log_chunk {
	uint32_t magic, thread; /* the number of the thread that began it */
	_Atomic uint32_t words; /* of events behind this struct */
	uint32_t sequence;	/* from 0 */
	uint32_t buffer;
	uint32_t reserved;
};

struct tv_log_event {
	uint8_t kind;	    /* enum tv_log_kind */
	uint8_t code;	    /* what the kind says, else 0 */
	uint16_t words;	    /* of the whole event, this struct (2 words) included */
	uint16_t cpu, numa; /* where the kind says "place", else 0 */
	int64_t time;	    /* ns of CLOCK_MONOTONIC */
};

/*
 * The kinds of events: arguments (one word each), then `text` if there is one. "address" is an
 * address of the process; a code address is a return address, as OMPT delivers it, or 0.
 * Identifiers of tasks and regions are unique in the process and never 0; 0 = none or unknown.
 */
enum tv_log_kind {
	TV_LOG_NONE,

	/* Of every probe. */
	TV_LOG_THREAD, /* first event of a thread: from here on the events of this buffer are its own
			   (a new thread may go on in the buffer of one that has ended). number,
			   os thread id; text: name */
	TV_LOG_META,   /* text: key NUL value (Program, Arguments, Runtime, Warning, ...) */
	TV_LOG_MODULE,	/* from now on a code object is mapped here. begin, end, bias (address in
			   memory minus address in the file); text: path. Valid for code addresses of
			   events at or after its time, until another MODULE covers the address */
	TV_LOG_SITE,	/* written after the end of the program: what a return address is. offset
			   (return address minus bias), line (0 = unknown); text: path of the module NUL
			   function NUL source file. Sorted by nothing; one per (path, offset) */
	TV_LOG_GAP,	/* recording paused (code 1) or resumed (code 2), for the whole process */
	TV_LOG_COUNTER, /* declares a counter of this thread. index (from 0), code: 1 = cumulative;
			   text: name, as given to --counters */
	TV_LOG_VALUES, /* values of the thread's counters at this time, in order of index. values... */
	TV_LOG_PAGE_AT, /* the page behind an address lies on this NUMA node. address, node */
	TV_LOG_BINDING, /* CPUs on which the thread may run; text: list as "0-3,8" */
	TV_LOG_UNREAD,	/* from here on, until VALUES, the thread's counters are not read */

	/* OpenMP: names and numbers (`code`, flags) of the OpenMP API 5.1, section 4.4 (OMPT). */
	TV_LOG_OMP_THREAD = 16, /* code: ompt_thread_t; the last one counts: 3 (other) once a thread
				      turns out to be a helper of the runtime */
	TV_LOG_OMP_PARALLEL_BEGIN, /* region, parent task, requested threads, flags, code address, then
				      (not in old logs) number of an outermost region among those of the
				      process from 1, recorded or not; 0: of a nested one, a helper's */
	TV_LOG_OMP_PARALLEL_END,   /* region, task, flags, code address */
	TV_LOG_OMP_IMPLICIT_BEGIN, /* place. region, task, threads of the team, index, flags */
	TV_LOG_OMP_IMPLICIT_END,   /* place. region or 0, task, index, flags */
	TV_LOG_OMP_CREATE, /* task, encountering task, flags, code address; code: 1 = has dependences */
	TV_LOG_OMP_SCHEDULE, /* place. prior task, next task or 0; code: status of the prior task. 5 and 6
				(its event is fulfilled, early or late) change no task of this thread */
	TV_LOG_OMP_DEPENDENCES, /* task, then per access: address, type (ompt_dependence_type_t). A long
				    list: several events, code 1 on all but the first */
	TV_LOG_OMP_EDGE,	/* the runtime's own edge. task before, task after */
	TV_LOG_OMP_SYNC_BEGIN,	 /* region, task, code address; code: ompt_sync_region_t */
	TV_LOG_OMP_SYNC_END,	 /* region, task, code address; code */
	TV_LOG_OMP_WAIT_BEGIN,	 /* region, task, code address; code: ompt_sync_region_t */
	TV_LOG_OMP_WAIT_END,	 /* region, task, code address; code */
	TV_LOG_OMP_WORK_BEGIN,	 /* region, task, count, code address; code: ompt_work_t */
	TV_LOG_OMP_WORK_END,	 /* region, task, count, code address; code */
	TV_LOG_OMP_ACQUIRE,	 /* wait id, code address; code: ompt_mutex_t */
	TV_LOG_OMP_ACQUIRED,	 /* wait id, code address; code */
	TV_LOG_OMP_RELEASED,	 /* wait id, code address; code */
	TV_LOG_OMP_CANCEL,	 /* task, flags (ompt_cancel_flag_t), code address */
	TV_LOG_OMP_MASKED_BEGIN, /* region, task, code address */
	TV_LOG_OMP_MASKED_END,	 /* region, task, code address */
	TV_LOG_OMP_SKIPPED,	 /* tasks that the process had created while nothing was recorded */

	/* What the program says of itself (record/loaded/traceviz.h). They refer to the task that the
	 * thread runs at that time. */
	TV_LOG_USER_NAME = 64, /* text: type of the running task */
	TV_LOG_USER_NUMBER, /* bits of a double; text: name (Iteration, X, Y, GFlop, Priority, ...) */
	TV_LOG_USER_DATA,   /* address, bytes; text: name of the data, may be empty */
	TV_LOG_USER_PHASE_BEGIN, /* text: name */
	TV_LOG_USER_PHASE_END,	 /* text: name */

	/* MPI. Ranks are those of MPI_COMM_WORLD; TV_LOG_MPI_MISSING: none, any, or unknown.
	 * Functions, operations and communicators have numbers of their own in each log. */
	TV_LOG_MPI_NAME = 96, /* number; code: enum tv_log_mpi_class of a function, or
				 TV_LOG_MPI_OPERATION; text: name */
	TV_LOG_MPI_WORLD, /* rank, size of MPI_COMM_WORLD; text: name of the job, may be empty */
	TV_LOG_MPI_COMM,  /* number, own rank in it, size; text: name, the same on all its ranks */
	TV_LOG_MPI_CLOCK, /* code: 0 begin, 1 end of MPI. time, clock of rank 0 minus that of this host,
			     length of the round trip that gave it; all ns */
	TV_LOG_MPI_BEGIN, /* function, code address, communicator or 0, peer, tag, bytes; of a collective
			     operation also: its number on the communicator, root, operation or 0;
			     code: 1 = it sends its message itself, without a request */
	TV_LOG_MPI_END, /* of the call that the thread is in. function, then per request and message:
			     TV_LOG_MPI_REQUEST, TV_LOG_MPI_PEER_TAG, bytes (the last two of what has
			     arrived); a request 0 is the receive of the call itself; code: 1 = the
			     list goes on in the next event */

	/* StarPU. "clock" is its clock at the time of the event, in ns. `order` numbers what happens to
	 * tasks in the process, from 1; within a worker's queue that is the order of its changes. Jobs
	 * have StarPU's numbers, workers theirs; -1: none or unknown. "real": the bits of a double. */
	TV_LOG_STARPU_CLOCK =
		128, /* StarPU has begun (again). its clock, time of the log at that instant */
	TV_LOG_STARPU_WORKER, /* number, memory node, number of its device; text: name */
	TV_LOG_STARPU_DATA,   /* handle, bytes, memory node where they are. New data */
	TV_LOG_STARPU_SUBMIT, /* clock, job, priority, tag (while code & 2), real: flops, context,
				      accesses; per access: handle, TV_LOG_STARPU_ACCESS, bytes;
				      text: type; code: sum of enum tv_log_starpu_flag */
	TV_LOG_STARPU_TAG,    /* tag, tags on which it depends... */
	TV_LOG_STARPU_PUSH,   /* of policies that do not decide. clock, order, job */
	TV_LOG_STARPU_POP,    /* clock, order, job, worker */
	TV_LOG_STARPU_START, /* place. clock, order, job, worker, implementation, footprint or -1 */
	TV_LOG_STARPU_END,   /* place. clock, order, job, worker */
	TV_LOG_STARPU_SUCCESSORS, /* when it ended, jobs that wait for it; a long list has several. job,
				     jobs...; code 1: there were more */
	TV_LOG_STARPU_DECISION, /* a push of dm* policies. clock (when it began to compare), order, job,
				      worker, implementation, real: that clock in us, transfer that remains
				      when the queue is empty, earliest end of a candidate; candidates that
				      were compared; code: enum tv_log_starpu_nature */
	TV_LOG_STARPU_CANDIDATES, /* of the decision of that order. order, then per candidate
				      TV_LOG_STARPU_CANDIDATE_WORDS: worker + implementation << 32, tasks
				      in its queue, reals (us; NaN = unknown): when the worker is free,
				      length, transfer, energy (J), end, fitness, queue, pipeline */
	TV_LOG_STARPU_MESSAGE, /* StarPU-MPI is asked to send data, or to receive them. clock, number (in
				  the process, from 1), handle, other rank, tag of the data, own rank, size
				  of the communicator; code: sum of enum tv_log_starpu_message */
	TV_LOG_STARPU_ARRIVED, /* data were received. clock, number of the message */

	/* Monitors: what `record` itself samples, in a log of its own (record/tool/monitor/). All numbers
	 * count from 0; what an event refers to is declared before it. */
	TV_LOG_MONITOR_OBJECT = 160, /* an object of the machine. number, number of its parent or
			     TV_LOG_MONITOR_NONE, index among those of its level, index of the
			     operating system or TV_LOG_MONITOR_NONE, depth, bytes (0 = unknown);
			     text: level NUL its PUs as "0-3,8" */
	TV_LOG_MONITOR, /* number, period in ns, its number in the description that META MonitorFile
			     has, or TV_LOG_MONITOR_NONE; text: name */
	TV_LOG_MONITOR_EVENT, /* monitor, index; code: TV_LOG_MONITOR_COUNTER and _REAL; text: name NUL unit
			     NUL back end NUL scope */
	TV_LOG_MONITOR_SET, /* what is read at once. number, monitor, object, index of its first event,
			     how many; several sets of the same monitor, object and event add up */
	TV_LOG_MONITOR_SAMPLE, /* set, ns of its counters enabled, ns of them that they counted (both
			     cumulative; equal: they were not multiplexed), values...: of an
			     event with TV_LOG_MONITOR_REAL the bits of a double, NaN = missing.
			     All samples of one tick have the same time; code 1: set is that of a
			     TV_LOG_MONITOR_THREAD */
	TV_LOG_MONITOR_THREAD, /* a set of one counter: CPU time of a thread of the program in ns, on one
			     PU. set, object or TV_LOG_MONITOR_NONE (on any), thread id, process id,
			     ns that it had before (not in its samples); text: name */
	TV_LOG_MONITOR_TICK, /* after the samples of a tick. ticks so far, ticks missed so far, CPU time
			     of the sampler so far in ns, length of this tick in ns */
};

/* CUT: the task has more accesses than the event. */
enum tv_log_starpu_flag {
	TV_LOG_STARPU_NO_WORK = 1,
	TV_LOG_STARPU_HAS_TAG = 2,
	TV_LOG_STARPU_CUT = 4
};
/* ORDERED: it follows from the order of submission what waits for what. */
enum tv_log_starpu_message {
	TV_LOG_STARPU_SENT,
	TV_LOG_STARPU_RECEIVED,
	TV_LOG_STARPU_ORDERED = 2
};
enum tv_log_starpu_nature { TV_LOG_STARPU_NOT_COMPARED, TV_LOG_STARPU_MODEL, TV_LOG_STARPU_FORCED };
enum { TV_LOG_STARPU_CANDIDATE_WORDS = 10 };

/* Instead of the number of a job: the address of a task that has none; from its SUBMIT on it is another one. */
#define TV_LOG_STARPU_ADDRESS ((uint64_t)1 << 63)

/* enum starpu_data_access_mode; ordered: it follows from the order of submission what waits for what. */
#define TV_LOG_STARPU_ACCESS(mode, ordered) ((uint64_t)(mode) | (uint64_t)(ordered) << 32)

#define TV_LOG_MONITOR_NONE UINT64_MAX
/* code of TV_LOG_MONITOR_EVENT: values are sums since some beginning, not states; they are doubles. */
enum { TV_LOG_MONITOR_COUNTER = 1, TV_LOG_MONITOR_REAL = 2 };

#define TV_LOG_MPI_MISSING INT64_MIN

enum tv_log_mpi_class {
	TV_LOG_MPI_BLOCKING_CALL,
	TV_LOG_MPI_START_CALL,
	TV_LOG_MPI_TEST_CALL,
	TV_LOG_MPI_WAIT_CALL,
	TV_LOG_MPI_OTHER_CALL,
	TV_LOG_MPI_OPERATION, /* no function */
};

/* Kinds of requests; PROBED: no request, but a message that MPI_Mprobe has taken. */
enum tv_log_mpi_kind { TV_LOG_MPI_OTHER, TV_LOG_MPI_SEND, TV_LOG_MPI_RECEIVE, TV_LOG_MPI_PROBED };

/* Words of TV_LOG_MPI_END. The source is INT32_MIN where nothing has arrived. */
#define TV_LOG_MPI_REQUEST(id, kind, completed) \
	((uint64_t)(completed) << 63 | (uint64_t)(kind) << 60 | (id))
#define TV_LOG_MPI_PEER_TAG(source, tag) ((uint64_t)(source) << 32 | (uint32_t)(tag))

/*
 * The writer. One log per process, opened at the first event; one struct per thread. No lock and no
 * system call but the clock, except where a thread begins, ends, or has filled its buffer. Where no space is
 * left, recording stops for the whole process, the events are counted in `lost`, and the program
 * goes on. Nothing changes errno. Not for signal handlers. Between tv_log_begin and tv_log_commit
 * the thread must not write another event.
 *
 * Exported by libtraceviz-record.so, which `traceviz record` loads into the program (core.c).
 */
#pragma GCC visibility push(default)

struct tv_log_thread {
	uint64_t *next, *end;	    /* of the buffer; equal and NULL without one */
	struct tv_log_chunk *chunk; /* the buffer */
	uint32_t number;	    /* of the thread, once numbered */
	bool numbered;
	uint8_t ending;			/* how often its end was announced */
	uint64_t last_id;		/* for tv_log_id; 0 = none yet */
	uint64_t code_begin, code_size; /* for tv_log_code: the object found last, */
	uint32_t code_age;		/* at that age of the list of objects */
};

enum tv_log_state {
	TV_LOG_FULL = -2,    /* stopped for lack of space: events are counted as lost */
	TV_LOG_WAITING = -1, /* for the time of --start-after */
	TV_LOG_OFF = 0,	     /* paused, or not recording at all */
	TV_LOG_ON = 1,
};

extern __thread struct tv_log_thread tv_log_self __attribute__((tls_model("initial-exec")));
extern atomic_int tv_log_on;   /* enum tv_log_state */
extern atomic_uint tv_log_age; /* changes when code may have been unloaded */

/*
 * Lets this process record into dir, at most max_bytes (0 = no limit) of log; paused: switches (sum of
 * enum tv_log_switch) that must be resumed before. Creates nothing yet: the log appears with the first event.
 */
void tv_log_start(const char *dir, uint64_t max_bytes, unsigned paused);
/* After tv_log_start: nothing is recorded before that time (as tv_log_now counts). */
void tv_log_start_at(int64_t time);
/* A function that is called at the first event of a log, to write what describes the process. */
void tv_log_describe_by(void (*describe)(int64_t time));
/* In the child of a fork: forgets the parent's log; the child's own appears with its first event. */
void tv_log_forked(void);

/* Gets a buffer with space for `words` words, for an event of that time. False: nothing can be
 * recorded; the loss is counted. */
bool tv_log_grow(unsigned words, int64_t time);
/* Where tv_log_on is not TV_LOG_ON: whether recording begins with an event of that time. */
bool tv_log_wake(int64_t time);
int64_t tv_log_now(void); /* ns of CLOCK_MONOTONIC */

/* A number that no other call in the process returns, never 0; also while nothing is recorded. In
 * the child of a fork, the parent's numbers of before do not return either. */
uint64_t tv_log_id(void);

/* Writes the TV_LOG_BINDING of the running thread (core.c). */
void tv_log_binding(void);

/* Writes the TV_LOG_MODULE of all objects loaded by now that are not in the log yet. */
void tv_log_add_modules(uint64_t address);
/* In the child of a fork: its log has none yet. */
void tv_log_forget_modules(void);

/*
 * Makes sure that the object which contains a code address is in the log. To be called before the
 * time of the event with that address is taken.
 */
static inline void tv_log_code(uint64_t address)
{
	if (address - tv_log_self.code_begin >= tv_log_self.code_size
	    || tv_log_self.code_age != atomic_load_explicit(&tv_log_age, memory_order_acquire))
		tv_log_add_modules(address);
}

/*
 * Space for an event with `args` words of arguments; writes its kind, code and time. The caller
 * fills the words behind it and commits. NULL: not recorded.
 */
static inline uint64_t *tv_log_begin(unsigned kind, unsigned code, unsigned args, int64_t time)
{
	unsigned words = args + 2;

	if (atomic_load_explicit(&tv_log_on, memory_order_relaxed) != TV_LOG_ON
	    && !tv_log_wake(time))
		return NULL;
	if (tv_log_self.end - tv_log_self.next < (ptrdiff_t)words && !tv_log_grow(words, time))
		return NULL;
	struct tv_log_event *event = (void *)tv_log_self.next;
	*event = (struct tv_log_event){
		.kind = (uint8_t)kind, .code = (uint8_t)code, .words = (uint16_t)words, .time = time
	};
	return tv_log_self.next + 2;
}

/* Where the calling thread runs is the place of the event whose arguments begin at *args. */
void tv_log_place(uint64_t *args);

/* Makes the event that tv_log_begin returned part of the log. */
static inline void tv_log_commit(void)
{
	struct tv_log_event *event = (void *)tv_log_self.next;

	tv_log_self.next += event->words;
	atomic_store_explicit(&tv_log_self.chunk->words,
			      (uint32_t)(tv_log_self.next - (uint64_t *)(tv_log_self.chunk + 1)),
			      memory_order_release);
}

/* A whole event; text (n bytes, may hold NUL; longer ones are cut) or NULL. */
void tv_log_write(unsigned kind, unsigned code, unsigned nargs, const uint64_t *arg,
		  const char *text, size_t n);
void tv_log_write_at(int64_t time, unsigned kind, unsigned code, unsigned nargs,
		     const uint64_t *arg, const char *text, size_t n);

/* Who can pause the recording of the process: what the program says, and the part that the user chose.
 * It is recorded while none does. Changes write TV_LOG_GAP. */
enum tv_log_switch { TV_LOG_BY_PROGRAM = 1, TV_LOG_BY_PART = 2 };
void tv_log_pause(enum tv_log_switch by);
void tv_log_resume(enum tv_log_switch by);

/* Writes the clocks of the end into the header; the log stays open. Called at the end of the process. */
void tv_log_finish(void);

#pragma GCC visibility pop

/*
 * For `traceviz record`, after the process has ended: opens its log to add events to it (sites,
 * warnings), by a thread of their own; tv_log_write then writes there. Why recording stopped and
 * what was lost stay as they are. 0, or -1 with errno set.
 */
int tv_log_reopen(const char *path);
/* The process of that log, which is reopened, has ended: the time of it, unless it had finished. */
void tv_log_note_end(void);
void tv_log_close(void);

#endif
