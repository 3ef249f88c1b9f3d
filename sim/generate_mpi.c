/* SPDX-License-Identifier: GPL-3.0-or-later */
/* generate_mpi.c -- synthetic traces of MPI programs. */
#include "sim/generate_mpi.h"

#include <math.h>
#include <stdio.h>

#include "trace/random.h"
#include "trace/alloc.h"

enum { BYTES = 1048576, TICK_SHARE = 5, MESSAGE_STEPS = 2, CALLS_PER_ROUND = 6 };

enum column {
	TASK_RESOURCE,
	TASK_VALUE,
	TASK_START,
	TASK_END,
	TASK_JOB,
	TASK_KIND,
	TASK_NODE,
	TASK_TYPE,
	TASK_ITERATION,
	CALL_RESOURCE,
	CALL_NAME,
	CALL_CLASS,
	CALL_START,
	CALL_END,
	CALL_REQUEST,
	CALL_COMM,
	CALL_SEQUENCE,
	CALL_PEER,
	CALL_TAG,
	CALL_BYTES,
	CALL_SITE,
	LINK_TYPE,
	LINK_KEY,
	LINK_ORIGIN,
	LINK_DEST,
	LINK_START,
	LINK_END,
	LINK_SIZE,
	LINK_TAG,
	LINK_SEND_END,
	LINK_RECEIVE_START,
	EVENT_RESOURCE,
	EVENT_TYPE,
	EVENT_TIME,
	EVENT_END,
	EVENT_VALUE,
	EVENT_REQUEST,
	EVENT_STEP,
	EVENT_PEER,
	RESOURCE,
	RESOURCE_TYPE,
	RESOURCE_NODE,
	RESOURCE_ORDER,
	NCOLUMNS
};

static const struct {
	enum tv_table_id table;
	const char *name;
} wanted[] = {
	[TASK_RESOURCE] = { TV_TASKS, "ResourceId" },
	[TASK_VALUE] = { TV_TASKS, "Value" },
	[TASK_START] = { TV_TASKS, "Start" },
	[TASK_END] = { TV_TASKS, "End" },
	[TASK_JOB] = { TV_TASKS, "JobId" },
	[TASK_KIND] = { TV_TASKS, "Kind" },
	[TASK_NODE] = { TV_TASKS, "Node" },
	[TASK_TYPE] = { TV_TASKS, "ResourceType" },
	[TASK_ITERATION] = { TV_TASKS, "Iteration" },
	[CALL_RESOURCE] = { TV_CALLS, "ResourceId" },
	[CALL_NAME] = { TV_CALLS, "Call" },
	[CALL_CLASS] = { TV_CALLS, "Class" },
	[CALL_START] = { TV_CALLS, "Start" },
	[CALL_END] = { TV_CALLS, "End" },
	[CALL_REQUEST] = { TV_CALLS, "Request" },
	[CALL_COMM] = { TV_CALLS, "Comm" },
	[CALL_SEQUENCE] = { TV_CALLS, "Sequence" },
	[CALL_PEER] = { TV_CALLS, "Peer" },
	[CALL_TAG] = { TV_CALLS, "Tag" },
	[CALL_BYTES] = { TV_CALLS, "Bytes" },
	[CALL_SITE] = { TV_CALLS, "Site" },
	[LINK_TYPE] = { TV_LINKS, "Type" },
	[LINK_KEY] = { TV_LINKS, "Key" },
	[LINK_ORIGIN] = { TV_LINKS, "Origin" },
	[LINK_DEST] = { TV_LINKS, "Dest" },
	[LINK_START] = { TV_LINKS, "Start" },
	[LINK_END] = { TV_LINKS, "End" },
	[LINK_SIZE] = { TV_LINKS, "Size" },
	[LINK_TAG] = { TV_LINKS, "Tag" },
	[LINK_SEND_END] = { TV_LINKS, "SendEnd" },
	[LINK_RECEIVE_START] = { TV_LINKS, "ReceiveStart" },
	[EVENT_RESOURCE] = { TV_EVENTS, "ResourceId" },
	[EVENT_TYPE] = { TV_EVENTS, "Type" },
	[EVENT_TIME] = { TV_EVENTS, "Time" },
	[EVENT_END] = { TV_EVENTS, "End" },
	[EVENT_VALUE] = { TV_EVENTS, "Value" },
	[EVENT_REQUEST] = { TV_EVENTS, "Request" },
	[EVENT_STEP] = { TV_EVENTS, "Step" },
	[EVENT_PEER] = { TV_EVENTS, "Peer" },
	[RESOURCE] = { TV_RESOURCES, "ResourceId" },
	[RESOURCE_TYPE] = { TV_RESOURCES, "ResourceType" },
	[RESOURCE_NODE] = { TV_RESOURCES, "Node" },
	[RESOURCE_ORDER] = { TV_RESOURCES, "Order" },
};
_Static_assert(TV_COUNT(wanted) == NCOLUMNS, "a name for each column");

struct rank {
	uint32_t node;	 /* label */
	int64_t at;	 /* where its program is, ns */
	int64_t posted;	 /* end of the calls that start the communication */
	int64_t receive; /* begin of its MPI_Irecv */
};

struct generated {
	const struct tv_mpi_program *program;
	struct tv_trace *trace;
	struct tv_column *column[NCOLUMNS];
	struct rank *rank;
	uint32_t *resource; /* labels: cores of rank 0, of rank 1, ... */
	uint32_t steps;	    /* of a collective operation */
	uint32_t round, njobs, nlinks;
	uint64_t state;
};

static uint32_t thread_of(const struct generated *w, uint32_t r)
{
	return w->resource[(size_t)r * w->program->cores];
}

static void add_resources(struct generated *w)
{
	const struct tv_mpi_program *p = w->program;
	char name[32];

	for (uint32_t r = 0; r < p->ranks; r++) {
		snprintf(name, sizeof name, "%u", r);
		w->rank[r].node = tv_intern_text(w->trace->pool, name);
		for (uint32_t k = 0; k < p->cores; k++) {
			uint32_t row = tv_table_add_row(&w->trace->table[TV_RESOURCES]);

			snprintf(name, sizeof name, "%u_T%u", r, k);
			tv_set_text(w->column[RESOURCE], row, name);
			w->resource[row] = tv_label(w->column[RESOURCE], row);
			tv_set_text(w->column[RESOURCE_TYPE], row, "CPU");
			tv_set_label(w->column[RESOURCE_NODE], row, w->rank[r].node);
			tv_set_int(w->column[RESOURCE_ORDER], row, row);
		}
	}
}

static void add_task(struct generated *w, uint32_t r, uint32_t core, const char *value,
		     int64_t begin, int64_t time)
{
	uint32_t row;
	char job[32];

	if (time == 0)
		return;
	row = tv_table_add_row(&w->trace->table[TV_TASKS]);
	snprintf(job, sizeof job, "%u_%u", r, w->njobs++);
	tv_set_label(w->column[TASK_RESOURCE], row,
		     w->resource[(size_t)r * w->program->cores + core]);
	tv_set_text(w->column[TASK_VALUE], row, value);
	tv_set_int(w->column[TASK_START], row, begin);
	tv_set_int(w->column[TASK_END], row, begin + time);
	tv_set_text(w->column[TASK_JOB], row, job);
	tv_set_text(w->column[TASK_KIND], row, "app");
	tv_set_label(w->column[TASK_NODE], row, w->rank[r].node);
	tv_set_text(w->column[TASK_TYPE], row, "CPU");
	tv_set_int(w->column[TASK_ITERATION], row, w->round);
}

/* A call of a rank from where its program is; its row, for the columns that not all have. */
static uint32_t add_call(struct generated *w, uint32_t r, const char *name, const char *class,
			 const char *site, int64_t end)
{
	uint32_t row = tv_table_add_row(&w->trace->table[TV_CALLS]);

	tv_set_label(w->column[CALL_RESOURCE], row, thread_of(w, r));
	tv_set_text(w->column[CALL_NAME], row, name);
	tv_set_text(w->column[CALL_CLASS], row, class);
	tv_set_int(w->column[CALL_START], row, w->rank[r].at);
	tv_set_int(w->column[CALL_END], row, end);
	tv_set_text(w->column[CALL_SITE], row, site);
	w->rank[r].at = end;
	return row;
}

static void set_requests(struct generated *w, uint32_t row, const char *names, size_t n)
{
	tv_set_words(w->column[CALL_REQUEST], row, names, n);
}

static void add_collective(struct generated *w, uint32_t row, uint32_t sequence)
{
	tv_set_text(w->column[CALL_COMM], row, "world");
	tv_set_int(w->column[CALL_SEQUENCE], row, sequence);
}

static void add_message(struct generated *w, uint32_t row, uint32_t peer)
{
	tv_set_text(w->column[CALL_COMM], row, "world");
	tv_set_int(w->column[CALL_PEER], row, peer);
	tv_set_int(w->column[CALL_TAG], row, 0);
	tv_set_int(w->column[CALL_BYTES], row, BYTES);
}

static void prepare(struct generated *w)
{
	const struct tv_mpi_program *p = w->program;
	uint32_t cores = p->cores - (p->progress == TV_PROGRESS_BOUND);

	for (uint32_t r = 0; r < p->ranks; r++) {
		int64_t time = p->comm
			     + (int64_t)((double)p->comm * p->imbalance
					 * tv_random_share(&w->state));

		for (uint32_t k = 0; k < cores; k++)
			add_task(w, r, k, "prepare", w->rank[r].at, time);
		w->rank[r].at += time;
	}
}

static int64_t ticks(const struct tv_mpi_program *p)
{
	return p->compute == 0 ? 0 : (p->compute - 1) / p->period;
}

/* How long the computation of a rank takes on its first cores. */
static int64_t computation(const struct tv_mpi_program *p)
{
	switch (p->progress) {
	case TV_PROGRESS_TIMER:
		return p->compute + ticks(p) * (p->period / TICK_SHARE);
	case TV_PROGRESS_BOUND:
		return p->compute + p->compute / 2 / (p->cores - 1);
	default:
		return p->compute;
	}
}

/* What progresses during a computation that begins, of a communication that all posted at `from`
 * (begin or later) and that has so many steps. */
static int64_t progress(const struct tv_mpi_program *p, int64_t begin, int64_t from, uint32_t steps)
{
	int64_t end = begin + computation(p), done = 0;

	if (p->progress == TV_PROGRESS_TIMER) {
		int64_t apart = p->period + p->period / TICK_SHARE,
			missed = from - begin - p->period,
			step = p->comm / steps < p->period ? p->comm / steps : p->period;

		missed = missed <= 0 ? 0 : (missed + apart - 1) / apart;
		if (ticks(p) - missed >= steps && step == p->comm / steps)
			done = p->comm; /* the last step has the remainder of the division */
		else
			done = (ticks(p) - missed) * step;
	} else if (p->progress == TV_PROGRESS_IDLE) {
		int64_t idle = begin + p->compute / 2;

		done = end - (from > idle ? from : idle);
	} else if (p->progress == TV_PROGRESS_BOUND) {
		done = end - from;
	}
	return done < 0 ? 0 : done > p->comm ? p->comm : done;
}

/* When that communication has progressed so far, of T, and what begins there begins, or (after) what ends
 * there ends. */
static int64_t instant(const struct tv_mpi_program *p, int64_t begin, int64_t from, uint32_t steps,
		       int64_t part, bool after)
{
	int64_t done = progress(p, begin, from, steps), wait = begin + computation(p);
	int64_t tick = p->period / TICK_SHARE, step, missed, n;

	wait = from > wait ? from : wait;
	if (part > done || (part == done && !after))
		return wait + part - done;
	if (p->progress != TV_PROGRESS_TIMER) {
		int64_t first = p->progress == TV_PROGRESS_IDLE ? begin + p->compute / 2 : from;

		return (from > first ? from : first) + part;
	}
	step = p->comm / steps < p->period ? p->comm / steps : p->period;
	missed = from - begin - p->period;
	missed = missed <= 0 ? 0 : (missed + p->period + tick - 1) / (p->period + tick);
	n = step == 0 ? 1 : after ? (part + step - 1) / step : part / step + 1;
	if (step == p->comm / steps && n > steps)
		n = steps;
	return begin + (missed + n) * p->period + (missed + n - (after ? 0 : 1)) * tick;
}

static void add_event(struct generated *w, uint32_t r, bool computing, const char *value,
		      const char *request, uint32_t step, uint32_t peer, int64_t begin, int64_t end)
{
	const struct tv_mpi_program *p = w->program;
	uint32_t row = tv_table_add_row(&w->trace->table[TV_EVENTS]);
	bool last = computing
		 && (p->progress == TV_PROGRESS_IDLE || p->progress == TV_PROGRESS_BOUND);

	tv_set_label(w->column[EVENT_RESOURCE], row,
		     w->resource[(size_t)r * p->cores + (last ? p->cores - 1 : 0)]);
	tv_set_text(w->column[EVENT_TYPE], row, "progress");
	tv_set_int(w->column[EVENT_TIME], row, begin);
	tv_set_int(w->column[EVENT_END], row, end);
	tv_set_text(w->column[EVENT_VALUE], row, value);
	tv_set_text(w->column[EVENT_REQUEST], row, request);
	tv_set_int(w->column[EVENT_STEP], row, step);
	tv_set_label(w->column[EVENT_PEER], row, w->rank[peer].node);
}

/* The steps of the communication of a rank that now computes. Collective: in step k a rank sends to the one
 * 2^k above it, then receives from the one as far below. */
static void add_progress(struct generated *w, uint32_t r, int64_t from, bool collective)
{
	const struct tv_mpi_program *p = w->program;
	int64_t begin = w->rank[r].at, end = begin + computation(p);
	uint32_t steps = collective ? w->steps : MESSAGE_STEPS, n = p->ranks;

	for (uint32_t k = 0; k < steps; k++) {
		int64_t part = p->comm / steps,
			first = instant(p, begin, from, steps, k * part, false),
			last = instant(p, begin, from, steps,
				       k + 1 == steps ? p->comm : (k + 1) * part, true),
			middle = first + (last - first) / 2;
		uint32_t away = collective ? ((uint32_t)1 << k) % n : 1, left = (r + n - away) % n,
			 right = (r + away) % n;

		add_event(w, r, first < end, "send", collective ? "1" : "3", k, right, first,
			  collective ? middle : last);
		add_event(w, r, first < end, "receive", collective ? "1" : "2", k, left,
			  collective ? middle : first, last);
	}
}

/* The rank computes, then waits for requests that all posted at `from`. */
static void compute_and_wait(struct generated *w, uint32_t r, int64_t from, uint32_t steps,
			     const char *call, const char *site, const char *requests, size_t n)
{
	const struct tv_mpi_program *p = w->program;
	int64_t begin = w->rank[r].at, time = computation(p), wait = begin + time;
	int64_t remains = p->comm - progress(p, begin, from, steps);
	uint32_t last = p->cores - 1;

	for (uint32_t k = 0; k < last; k++)
		add_task(w, r, k, "compute", begin, time);
	if (p->progress != TV_PROGRESS_BOUND)
		add_task(w, r, last, "compute", begin, time / 2);
	w->rank[r].at = wait;
	set_requests(w,
		     add_call(w, r, call, "wait", site,
			      (from > wait ? from : wait) + remains + TV_MPI_CALL),
		     requests, n);
}

static void reduce(struct generated *w)
{
	const struct tv_mpi_program *p = w->program;
	const char *site = "synthetic allreduce";
	int64_t from = 0;

	for (uint32_t r = 0; r < p->ranks; r++) {
		uint32_t row = add_call(w, r, "MPI_Iallreduce", "start", site,
					w->rank[r].at + TV_MPI_CALL);

		set_requests(w, row, "1", 1);
		add_collective(w, row, 2 * w->round);
		tv_set_int(w->column[CALL_BYTES], row, BYTES);
		from = w->rank[r].at > from ? w->rank[r].at : from;
	}
	for (uint32_t r = 0; r < p->ranks; r++) {
		add_progress(w, r, from, true);
		compute_and_wait(w, r, from, w->steps, "MPI_Wait", site, "1", 1);
	}
}

static void add_links(struct generated *w)
{
	const struct tv_mpi_program *p = w->program;

	for (uint32_t r = 0; r < p->ranks; r++) {
		uint32_t row = tv_table_add_row(&w->trace->table[TV_LINKS]);
		uint32_t to = (r + 1) % p->ranks;
		char key[32];

		snprintf(key, sizeof key, "mpi%u", ++w->nlinks);
		tv_set_text(w->column[LINK_TYPE], row, "MPI communication");
		tv_set_text(w->column[LINK_KEY], row, key);
		tv_set_label(w->column[LINK_ORIGIN], row, thread_of(w, r));
		tv_set_label(w->column[LINK_DEST], row, thread_of(w, to));
		tv_set_int(w->column[LINK_START], row, w->rank[r].posted - TV_MPI_CALL);
		tv_set_int(w->column[LINK_END], row, w->rank[to].at);
		tv_set_int(w->column[LINK_SIZE], row, BYTES);
		tv_set_text(w->column[LINK_TAG], row, "0");
		tv_set_int(w->column[LINK_SEND_END], row, w->rank[r].at);
		tv_set_int(w->column[LINK_RECEIVE_START], row, w->rank[to].receive);
	}
}

static void exchange(struct generated *w)
{
	const struct tv_mpi_program *p = w->program;
	const char *site = "synthetic ring";

	for (uint32_t r = 0; r < p->ranks; r++) {
		struct rank *rank = &w->rank[r];
		uint32_t row;

		rank->receive = rank->at;
		row = add_call(w, r, "MPI_Irecv", "start", site, rank->at + TV_MPI_CALL);
		set_requests(w, row, "2", 1);
		add_message(w, row, (r + p->ranks - 1) % p->ranks);
		row = add_call(w, r, "MPI_Isend", "start", site, rank->at + TV_MPI_CALL);
		set_requests(w, row, "3", 1);
		add_message(w, row, (r + 1) % p->ranks);
		rank->posted = rank->at;
	}
	for (uint32_t r = 0; r < p->ranks; r++) {
		int64_t left = w->rank[(r + p->ranks - 1) % p->ranks].posted,
			right = w->rank[(r + 1) % p->ranks].posted, from = w->rank[r].posted;

		from = left > from ? left : from;
		from = right > from ? right : from;
		add_progress(w, r, from, false);
		compute_and_wait(w, r, from, MESSAGE_STEPS, "MPI_Waitall", site, "2 3", 3);
	}
	add_links(w);
}

static void meet(struct generated *w)
{
	int64_t last = 0;

	for (uint32_t r = 0; r < w->program->ranks; r++)
		last = w->rank[r].at > last ? w->rank[r].at : last;
	for (uint32_t r = 0; r < w->program->ranks; r++)
		add_collective(w,
			       add_call(w, r, "MPI_Barrier", "blocking", "synthetic barrier",
					last + TV_MPI_CALL),
			       2 * w->round + 1);
}

static void describe(struct tv_trace *trace, const struct tv_mpi_program *p)
{
	static const char *const name[] = { "none", "timer", "idle", "bound" };

	tv_meta_add(trace, "Format", "generated");
	tv_meta_add(trace, "Program", "mpi");
	tv_meta_add(trace, "Synthetic", "times of a model; nothing ran");
	tv_meta_add(trace, "Progress", "%s", name[p->progress]);
	tv_meta_add(trace, "Ranks", "%u", p->ranks);
	tv_meta_add(trace, "Cores", "%u", p->cores);
	tv_meta_add(trace, "CommReference", "%.6f ms", 1e-6 * (double)(p->comm + 2 * TV_MPI_CALL));
	tv_meta_add(trace, "ComputeReference", "%.6f ms", 1e-6 * (double)p->compute);
	tv_meta_add(trace, "Seed", "%llu", (unsigned long long)p->seed);
}

int tv_generate_mpi(const struct tv_mpi_program *p, struct tv_trace *trace, struct tv_error *err)
{
	static const enum tv_table_id filled[] = { TV_TASKS,  TV_CALLS,	    TV_LINKS,
						   TV_EVENTS, TV_RESOURCES, TV_META };
	struct generated w = { .program = p, .trace = trace, .state = p->seed != 0 ? p->seed : 1 };
	double rows = 3.0 * p->cores > CALLS_PER_ROUND ? 3.0 * p->cores : CALLS_PER_ROUND;

	while ((uint64_t)1 << w.steps < p->ranks)
		w.steps++;
	rows = fmax(rows, 2 * (w.steps + MESSAGE_STEPS)); /* events */
	if (rows * p->ranks * p->rounds > (double)TV_ROWS_MAX / 2)
		return tv_fail(err, "%u ranks and %u rounds: more rows than a table has", p->ranks,
			       p->rounds);
	for (int c = 0; c < NCOLUMNS; c++)
		w.column[c] = tv_trace_column(trace, wanted[c].table, wanted[c].name);
	w.rank = tv_alloc(p->ranks, sizeof *w.rank);
	w.resource = tv_alloc((size_t)p->ranks * p->cores, sizeof *w.resource);
	add_resources(&w);
	for (w.round = 0; w.round < p->rounds; w.round++) {
		prepare(&w);
		reduce(&w);
		exchange(&w);
		meet(&w);
	}
	describe(trace, p);
	for (size_t i = 0; i < TV_COUNT(filled); i++)
		tv_table_finish(&trace->table[filled[i]]);
	tv_free(w.rank);
	tv_free(w.resource);
	return 0;
}
