/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thread_time.c -- what threads did by their states and calls. */
#include "analysis/calls/thread_time.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/calls/calls.h"
#include "analysis/core/places.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/sorted.h"

/* Spans of a kind. */
struct list {
	struct tv_span *at;
	size_t n, cap;
};

/* The last list: what is known of a thread. */
enum { KNOWN = TV_NTHREAD_KINDS, LISTS };

struct collected {
	struct tv_threads *threads;
	struct tv_index place; /* of a resource */
	size_t cap, lists_cap;
	struct list (*list)[LISTS]; /* by thread */
	int64_t begin, end;	    /* of all states and calls */
	bool open;		    /* there is a call that did not end */
	struct tv_map site;	    /* of a kind and label: its place */
	size_t places_cap;
	struct list regions; /* parallel regions of all threads */
};

static uint32_t thread_of(struct collected *c, struct tv_run *run, uint32_t resource)
{
	struct tv_threads *threads = c->threads;
	const struct tv_tasks *tasks = &run->tasks;
	uint32_t at = tv_index_get(&c->place, resource);

	if (at != TV_NONE)
		return at;
	TV_GROW(threads->at, threads->n, c->cap, 1);
	TV_GROW(c->list, threads->n, c->lists_cap, 1);
	memset(&c->list[threads->n], 0, sizeof c->list[0]);
	threads->at[threads->n] = (struct tv_thread){
		.resource = resource, .node = TV_NONE, .begin = INT64_MIN, .end = INT64_MAX
	};
	threads->at[threads->n].works = tasks->ncounted == 0;
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		if (tasks->workers[w].resource == resource) {
			threads->at[threads->n].node = tasks->node[tasks->workers[w].node].label;
			threads->at[threads->n].works = true;
		}
	if (threads->at[threads->n].node == TV_NONE)
		threads->at[threads->n].node = tv_run_node_of(run, resource);
	tv_index_set(&c->place, resource, threads->n);
	return threads->n++;
}

static void add(struct collected *c, uint32_t thread, int list_of, int64_t begin, int64_t end)
{
	struct list *list = &c->list[thread][list_of];

	TV_GROW(list->at, list->n, list->cap, 1);
	list->at[list->n++] = (struct tv_span){ begin, end };
}

/* between: of the thread is also known what is between this and what is known before. */
static void extend(struct collected *c, uint32_t thread, int64_t begin, int64_t end, bool between)
{
	struct list *known = &c->list[thread][KNOWN];

	c->begin = begin < c->begin ? begin : c->begin;
	c->end = end > c->end ? end : c->end;
	if (!between || known->n == 0) {
		add(c, thread, KNOWN, begin, end);
		return;
	}
	known->at[0].begin = begin < known->at[0].begin ? begin : known->at[0].begin;
	known->at[0].end = end > known->at[0].end ? end : known->at[0].end;
}

/* ---- states ---- */

/* Of Extrae's states in which threads do not work. Others, as "Running" and "I/O", are work; so is, as far as
 * is known, "Tracing Disabled". */
static const struct {
	const char *name;
	enum tv_thread_kind kind;
} extrae_states[] = {
	{ "Not created", TV_THREAD_IDLE },
	{ "Synchronization", TV_THREAD_BARRIER },
	{ "Scheduling and Fork/Join", TV_THREAD_BARRIER },
	{ "Blocked", TV_THREAD_LOCK },
	{ "Waiting a message", TV_THREAD_MPI },
	{ "Blocking Send", TV_THREAD_MPI },
	{ "Test/Probe", TV_THREAD_MPI },
	{ "Wait/WaitAll", TV_THREAD_MPI },
	{ "Immediate Send", TV_THREAD_MPI },
	{ "Immediate Receive", TV_THREAD_MPI },
	{ "Group Communication", TV_THREAD_MPI },
	{ "Send Receive", TV_THREAD_MPI },
	{ "Remote memory access", TV_THREAD_MPI },
};

enum tv_thread_kind tv_thread_kind_of(const char *state)
{
	size_t n = strlen(state);

	if (strncmp(state, "Wait for ", 9) == 0)
		return TV_THREAD_LOCK;
	if ((n >= 7 && strcasecmp(state + n - 7, "barrier") == 0) || strcmp(state, "Taskwait") == 0
	    || strcmp(state, "Taskgroup") == 0)
		return TV_THREAD_BARRIER;
	for (size_t i = 0; i < TV_COUNT(extrae_states); i++)
		if (strcmp(state, extrae_states[i].name) == 0)
			return extrae_states[i].kind;
	return strcmp(state, "Idle") == 0 ? TV_THREAD_IDLE : TV_NTHREAD_KINDS;
}

struct tv_thread_types tv_thread_types_of(const struct tv_run *run)
{
	const struct tv_table *states = tv_trace_table(run->trace, TV_STATES);
	const struct tv_column *type = tv_table_find(states, "Type"),
			       *value = tv_table_find(states, "Value");
	struct tv_thread_types of = { .openmp = tv_pool_find_text(run->trace->pool, "OpenMP State"),
				      .extrae = TV_NONE };
	uint32_t thread = tv_pool_find_text(run->trace->pool, "Thread State"),
		 running = tv_pool_find_text(run->trace->pool, "Running");

	/* Other tools have states of this type, with other names. */
	for (uint32_t row = 0; type != NULL && value != NULL && thread != TV_NONE
			       && running != TV_NONE && of.extrae == TV_NONE && row < states->nrows;
	     row++)
		if (tv_label(type, row) == thread && tv_label(value, row) == running)
			of.extrae = thread;
	return of;
}

static void add_place(struct collected *c, enum tv_thread_kind kind, uint32_t site, int64_t time)
{
	struct tv_threads *threads = c->threads;
	uint32_t *at = tv_map_at(&c->site, kind, site);

	if (*at == TV_NONE) {
		TV_GROW(threads->place, threads->nplaces, c->places_cap, 1);
		*at = threads->nplaces;
		threads->place[threads->nplaces++] = (struct tv_thread_place){ kind, site, 0 };
	}
	threads->place[*at].time += time;
}

TV_ORDER(by_time, struct tv_thread_place, kind, down(time), site)

/* Extrae's events of locks, in which a thread asks for one until it has it: its states are the same at barriers. Labels. */
struct locks {
	uint32_t types[2], asked;
};

static struct locks find_locks(const struct tv_pool *pool)
{
	return (struct locks){ { tv_pool_find_text(pool, "OpenMP named-Lock"),
				 tv_pool_find_text(pool, "OpenMP unnamed-Lock") },
			       tv_pool_find_text(pool, "Lock") };
}

static void read_states(struct collected *c, struct tv_run *run)
{
	const struct tv_table *table = tv_trace_table(run->trace, TV_STATES);
	const struct tv_column *resource = tv_table_find(table, "ResourceId"),
			       *type = tv_table_find(table, "Type"),
			       *value = tv_table_find(table, "Value"),
			       *start = tv_table_find(table, "Start"),
			       *end = tv_table_find(table, "End"),
			       *site = tv_table_find(table, "Site");
	struct tv_thread_types types = tv_thread_types_of(run);
	const struct locks locks = find_locks(run->trace->pool);
	uint32_t recorder = tv_pool_find_text(run->trace->pool, "recorder");

	if (run->tasks.ncounted > 0)
		types.extrae = TV_NONE;
	if (resource == NULL || type == NULL || value == NULL || start == NULL || end == NULL)
		return;
	for (uint32_t row = 0; row < table->nrows; row++) {
		uint32_t of = tv_label(type, row), thread;
		enum tv_thread_kind kind;

		if (of == TV_NONE || tv_missing(start, row) || tv_missing(end, row)
		    || tv_missing(resource, row))
			continue;
		if (of == recorder)
			c->threads->unrecorded += end->i[row] - start->i[row];
		if (types.extrae != TV_NONE && (of == locks.types[0] || of == locks.types[1])
		    && tv_label(value, row) == locks.asked)
			add(c, thread_of(c, run, tv_label(resource, row)), TV_THREAD_LOCK,
			    start->i[row], end->i[row]);
		if (of != types.openmp && of != types.extrae)
			continue;
		thread = thread_of(c, run, tv_label(resource, row));
		c->threads->at[thread].openmp = true;
		extend(c, thread, start->i[row], end->i[row], of == types.openmp);
		kind = tv_thread_kind_of(tv_table_text(table, "Value", row));
		if (of == types.openmp && tv_table_is(table, "Value", row, "Parallel region")) {
			TV_GROW(c->regions.at, c->regions.n, c->regions.cap, 1);
			c->regions.at[c->regions.n++] = (struct tv_span){ start->i[row],
									  end->i[row] };
		}
		if (kind == TV_NTHREAD_KINDS)
			continue;
		add(c, thread, kind, start->i[row], end->i[row]);
		if (site != NULL && !tv_missing(site, row))
			add_place(c, kind, tv_label(site, row), end->i[row] - start->i[row]);
	}
	if (c->threads->nplaces > 1)
		qsort(c->threads->place, c->threads->nplaces, sizeof *c->threads->place, by_time);
}

/* ---- calls ---- */

static void read_call(struct collected *c, struct tv_run *run, const struct tv_calls *calls,
		      uint32_t row)
{
	uint32_t at = thread_of(c, run, tv_call_label(calls, TV_CALL_RESOURCE, row));
	struct tv_thread *thread = &c->threads->at[at];
	const char *name = tv_pool_text(run->trace->pool, tv_call_label(calls, TV_CALL_NAME, row));
	int64_t begin = tv_call_begin(calls, row), end = tv_call_end(calls, row);

	c->threads->whole = c->threads->whole || strncmp(name, "MPI_Init", 8) == 0;
	c->open = c->open || !tv_call_ended(calls, row);
	thread->calls = true;
	thread->node = calls->rank[calls->rank_of[row]];
	if (strncmp(name, "MPI_Init", 8) == 0 && end > thread->begin)
		thread->begin = end;
	else if (strncmp(name, "MPI_Finalize", 12) == 0 && begin < thread->end)
		thread->end = begin;
	else {
		add(c, at, TV_THREAD_MPI, begin, end);
		extend(c, at, begin, end, true);
		thread->tests += calls->class_of[row] == TV_CALL_TEST ? end - begin : begin - end;
	}
}

static void read_calls(struct collected *c, struct tv_run *run, const struct tv_calls *calls)
{
	for (uint32_t i = 0; i < calls->n; i++)
		if (calls->class_of[calls->row[i]] != TV_NCALL_CLASSES)
			read_call(c, run, calls, calls->row[i]);
	c->threads->nranks = calls->nranks;
}

/* The time of each thread: that of its rank, from the end of MPI_Init to the begin of MPI_Finalize, if a thread of the rank
 * called them. */
static void set_times(struct collected *c, const struct tv_calls *calls)
{
	struct tv_threads *threads = c->threads;
	struct tv_index place = { 0 };
	struct tv_span *of = tv_alloc(calls->nranks, sizeof *of);

	for (uint32_t r = 0; r < calls->nranks; r++) {
		of[r] = (struct tv_span){ INT64_MIN, INT64_MAX };
		tv_index_set(&place, calls->rank[r], r);
	}
	for (int pass = 0; pass < 2; pass++)
		for (uint32_t i = 0; i < threads->n; i++) {
			struct tv_thread *thread = &threads->at[i];
			uint32_t r = thread->node == TV_NONE ? TV_NONE
							     : tv_index_get(&place, thread->node);

			if (r == TV_NONE)
				continue;
			of[r].begin = thread->begin > of[r].begin ? thread->begin : of[r].begin;
			of[r].end = thread->end < of[r].end ? thread->end : of[r].end;
			thread->begin = of[r].begin;
			thread->end = of[r].end;
		}
	for (uint32_t r = 0; r < calls->nranks; r++)
		threads->cut |= c->open && of[r].begin != INT64_MIN && of[r].end == INT64_MAX;
	threads->whole = threads->whole && !threads->cut;
	threads->begin = INT64_MAX;
	threads->end = INT64_MIN;
	for (uint32_t i = 0; i < threads->n; i++) {
		struct tv_thread *thread = &threads->at[i];
		struct list *known = &c->list[i][KNOWN];
		bool own;

		known->n = tv_spans_merge(known->at, (uint32_t)known->n,
					  (struct tv_span){ thread->begin, thread->end });
		own = thread->calls && known->n > 0;
		if (thread->begin == INT64_MIN)
			thread->begin = own ? known->at[0].begin : c->begin;
		if (thread->end == INT64_MAX)
			thread->end = own ? known->at[known->n - 1].end : c->end;
		if (thread->end < thread->begin)
			thread->end = thread->begin;
		threads->begin = thread->begin < threads->begin ? thread->begin : threads->begin;
		threads->end = thread->end > threads->end ? thread->end : threads->end;
	}
	tv_free(place.at);
	tv_free(of);
}

/* ---- sums ---- */

/* Where nothing is known of a thread with states it has no work. */
static void add_unknown(struct collected *c, uint32_t thread)
{
	const struct tv_thread *of = &c->threads->at[thread];
	struct list *known = &c->list[thread][KNOWN];
	int64_t until = of->begin;

	for (size_t i = 0; of->openmp && i <= known->n; i++) {
		int64_t next = i < known->n ? known->at[i].begin : of->end;

		if (next > until)
			add(c, thread, TV_THREAD_IDLE, until, next);
		until = i < known->n ? known->at[i].end : of->end;
	}
	tv_free(known->at);
}

/* Of what overlaps the first kind counts: each kind adds what those before and it cover together. */
static void sum_kinds(struct tv_thread *thread, struct list *list)
{
	struct tv_span in = { thread->begin, thread->end };
	struct list all = { 0 };
	int64_t covered = 0;

	thread->mpi = tv_alloc(list[TV_THREAD_MPI].n, sizeof *thread->mpi);
	if (list[TV_THREAD_MPI].n > 0)
		memcpy(thread->mpi, list[TV_THREAD_MPI].at,
		       list[TV_THREAD_MPI].n * sizeof *thread->mpi);
	thread->nmpi = tv_spans_merge(thread->mpi, (uint32_t)list[TV_THREAD_MPI].n, in);
	for (int kind = 0; kind < TV_NTHREAD_KINDS; kind++) {
		int64_t with = 0;

		if (kind == TV_THREAD_IDLE) {
			thread->waits = tv_alloc(all.n, sizeof *thread->waits);
			thread->nwaits = (uint32_t)all.n;
			if (all.n > 0)
				memcpy(thread->waits, all.at, all.n * sizeof *all.at);
		}
		TV_GROW(all.at, all.n, all.cap, list[kind].n);
		if (list[kind].n > 0)
			memcpy(all.at + all.n, list[kind].at, list[kind].n * sizeof *all.at);
		all.n += list[kind].n;
		all.n = tv_spans_merge(all.at, (uint32_t)all.n, in);
		for (size_t i = 0; i < all.n; i++)
			with += all.at[i].end - all.at[i].begin;
		thread->time[kind] = with - covered;
		covered = with;
		if (kind != TV_THREAD_IDLE)
			tv_free(list[kind].at);
	}
	list[TV_THREAD_IDLE].n = tv_spans_merge(list[TV_THREAD_IDLE].at,
						(uint32_t)list[TV_THREAD_IDLE].n, in);
	thread->lost = all.at;
	thread->nlost = (uint32_t)all.n;
	thread->useful = thread->end - thread->begin - covered;
}

/* Idle times that end inside a parallel region: the thread joins it later than it began. Of one process alone. */
static void sum_idle_at_begins(struct collected *c)
{
	struct tv_threads *threads = c->threads;
	const struct tv_span *region = c->regions.at;
	uint32_t n = tv_spans_merge(c->regions.at, (uint32_t)c->regions.n,
				    (struct tv_span){ threads->begin, threads->end });

	for (uint32_t i = 0; i < threads->n; i++) {
		struct tv_thread *thread = &threads->at[i];
		const struct list *idle = &c->list[i][TV_THREAD_IDLE];

		if (threads->nranks > 0 || thread->node != threads->at[0].node)
			return;
		for (size_t k = 0, r = 0; k < idle->n; k++) {
			const struct tv_span *span = &idle->at[k];

			while (r < n && region[r].end <= span->end)
				r++;
			if (r < n && region[r].begin < span->end)
				thread->idle_at_begins += span->end
							- (span->begin > region[r].begin
								   ? span->begin
								   : region[r].begin);
		}
		/* What a barrier covers counts as that. */
		if (thread->idle_at_begins > thread->time[TV_THREAD_IDLE])
			thread->idle_at_begins = thread->time[TV_THREAD_IDLE];
	}
}

/* Releases the lists of idle time. */
static void sum_idle_in_mpi(struct collected *c)
{
	struct tv_threads *threads = c->threads;
	struct tv_map place = { 0 }; /* of the first thread of a node */
	uint32_t *next = tv_alloc(threads->n, sizeof *next);

	for (uint32_t i = threads->n; i-- > 0;)
		if (threads->at[i].nmpi > 0 && threads->at[i].node != TV_NONE) {
			uint32_t *first = tv_map_at(&place, threads->at[i].node, 0);

			next[i] = *first;
			*first = i;
		}
	for (uint32_t i = 0; i < threads->n; i++) {
		struct tv_thread *thread = &threads->at[i];
		const uint32_t *first = tv_map_get(&place, thread->node, 0);
		struct list *idle = &c->list[i][TV_THREAD_IDLE], both = { 0 };

		for (uint32_t k = first == NULL || idle->n == 0 ? TV_NONE : *first; k != TV_NONE;
		     k = next[k]) {
			TV_GROW(both.at, both.n, both.cap, threads->at[k].nmpi);
			memcpy(both.at + both.n, threads->at[k].mpi,
			       threads->at[k].nmpi * sizeof *both.at);
			both.n += threads->at[k].nmpi;
		}
		both.n = tv_spans_merge(both.at, (uint32_t)both.n,
					(struct tv_span){ thread->begin, thread->end });
		for (size_t k = 0; k < idle->n; k++)
			thread->idle_in_mpi += tv_spans_within(both.at, (uint32_t)both.n,
							       idle->at[k]);
		if (thread->idle_in_mpi > thread->time[TV_THREAD_IDLE])
			thread->idle_in_mpi = thread->time[TV_THREAD_IDLE];
		tv_free(both.at);
		tv_free(idle->at);
	}
	tv_map_release(&place);
	tv_free(next);
}

int64_t tv_rank_works(const struct tv_threads *threads, uint32_t rank, int64_t begin, int64_t end)
{
	for (uint32_t i = 0; i < threads->n; i++)
		if (threads->at[i].node == rank && threads->at[i].calls)
			return end - begin
			     - tv_spans_within(threads->at[i].mpi, threads->at[i].nmpi,
					       (struct tv_span){ begin, end });
	return 0;
}

static void release(void *data)
{
	struct tv_threads *threads = data;

	for (uint32_t i = 0; i < threads->n; i++) {
		tv_free(threads->at[i].mpi);
		tv_free(threads->at[i].lost);
		tv_free(threads->at[i].waits);
	}
	tv_free(threads->at);
	tv_free(threads->place);
	tv_free(threads);
}

const struct tv_threads *tv_run_threads(struct tv_run *run)
{
	static const char kept;
	struct collected c = { .begin = INT64_MAX, .end = INT64_MIN };
	struct tv_threads *threads = tv_run_kept(run, &kept);
	const struct tv_calls *calls;

	if (threads != NULL)
		return threads;
	c.threads = threads = tv_alloc(1, sizeof *threads);
	calls = tv_run_calls(run);
	read_states(&c, run);
	read_calls(&c, run, calls);
	set_times(&c, calls);
	for (uint32_t i = 0; i < threads->n; i++) {
		add_unknown(&c, i);
		sum_kinds(&threads->at[i], c.list[i]);
	}
	sum_idle_at_begins(&c);
	sum_idle_in_mpi(&c);
	tv_free(c.regions.at);
	tv_free(c.place.at);
	tv_free(c.list);
	tv_map_release(&c.site);
	tv_run_keep(run, &kept, threads, release);
	return threads;
}
