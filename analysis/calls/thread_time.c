/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thread_time.c -- what threads did by their states and calls. */
#include "analysis/diagnose/thread_time.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analysis/calls/calls.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/sorted.h"

/* Spans of a kind. */
struct list {
	struct tv_span *at;
	size_t n, cap;
};

struct collected {
	struct tv_threads *threads;
	struct tv_index place; /* of a resource */
	size_t cap, lists_cap;
	struct list (*list)[TV_NTHREAD_KINDS]; /* by thread */
	int64_t begin, end;		       /* of all states and calls */
	struct tv_map site;		       /* of a kind and label: its place */
	size_t places_cap;
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
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		if (tasks->workers[w].resource == resource)
			threads->at[threads->n].node = tasks->node[tasks->workers[w].node].label;
	tv_index_set(&c->place, resource, threads->n);
	return threads->n++;
}

static void add(struct collected *c, uint32_t thread, enum tv_thread_kind kind, int64_t begin,
		int64_t end)
{
	struct list *list = &c->list[thread][kind];

	TV_GROW(list->at, list->n, list->cap, 1);
	list->at[list->n++] = (struct tv_span){ begin, end };
}

static void extend(struct collected *c, int64_t begin, int64_t end)
{
	c->begin = begin < c->begin ? begin : c->begin;
	c->end = end > c->end ? end : c->end;
}

/* ---- states ---- */

/* TV_NTHREAD_KINDS: in it a thread works. */
static enum tv_thread_kind kind_of(const char *state)
{
	size_t n = strlen(state);

	if (strncmp(state, "Wait for ", 9) == 0)
		return TV_THREAD_LOCK;
	if ((n >= 7 && strcasecmp(state + n - 7, "barrier") == 0) || strcmp(state, "Taskwait") == 0
	    || strcmp(state, "Taskgroup") == 0)
		return TV_THREAD_BARRIER;
	return strcmp(state, "Idle") == 0 ? TV_THREAD_IDLE : TV_NTHREAD_KINDS;
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

static void read_states(struct collected *c, struct tv_run *run)
{
	const struct tv_table *table = tv_trace_table(run->trace, TV_STATES);
	const struct tv_column *resource = tv_table_find(table, "ResourceId"),
			       *start = tv_table_find(table, "Start"),
			       *end = tv_table_find(table, "End"),
			       *site = tv_table_find(table, "Site");

	for (uint32_t row = 0; row < table->nrows; row++) {
		enum tv_thread_kind kind;
		uint32_t thread;

		if (strcmp(tv_table_text(table, "Type", row), "OpenMP State") != 0
		    || tv_missing(start, row) || tv_missing(end, row) || tv_missing(resource, row))
			continue;
		thread = thread_of(c, run, tv_label(resource, row));
		c->threads->at[thread].openmp = true;
		extend(c, start->i[row], end->i[row]);
		kind = kind_of(tv_table_text(table, "Value", row));
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
	thread->calls = true;
	thread->node = calls->rank[calls->rank_of[row]];
	if (strncmp(name, "MPI_Init", 8) == 0 && end > thread->begin)
		thread->begin = end;
	else if (strncmp(name, "MPI_Finalize", 12) == 0 && begin < thread->end)
		thread->end = begin;
	else {
		add(c, at, TV_THREAD_MPI, begin, end);
		extend(c, begin, end);
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
	for (uint32_t i = 0; i < threads->n; i++) {
		struct tv_thread *thread = &threads->at[i];

		thread->begin = thread->begin == INT64_MIN ? c->begin : thread->begin;
		thread->end = thread->end == INT64_MAX ? c->end : thread->end;
		if (thread->end < thread->begin)
			thread->end = thread->begin;
		if (thread->end - thread->begin > threads->length)
			threads->length = thread->end - thread->begin;
	}
	tv_free(place.at);
	tv_free(of);
}

/* ---- sums ---- */

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

		TV_GROW(all.at, all.n, all.cap, list[kind].n);
		if (list[kind].n > 0)
			memcpy(all.at + all.n, list[kind].at, list[kind].n * sizeof *all.at);
		all.n += list[kind].n;
		all.n = tv_spans_merge(all.at, (uint32_t)all.n, in);
		for (size_t i = 0; i < all.n; i++)
			with += all.at[i].end - all.at[i].begin;
		thread->time[kind] = with - covered;
		covered = with;
		tv_free(list[kind].at);
	}
	tv_free(all.at);
	thread->useful = thread->end - thread->begin - covered;
}

static void release(void *data)
{
	struct tv_threads *threads = data;

	for (uint32_t i = 0; i < threads->n; i++)
		tv_free(threads->at[i].mpi);
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
	for (uint32_t i = 0; i < threads->n; i++)
		sum_kinds(&threads->at[i], c.list[i]);
	tv_free(c.place.at);
	tv_free(c.list);
	tv_map_release(&c.site);
	tv_run_keep(run, &kept, threads, release);
	return threads;
}
