/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * unexpected.c -- messages that arrive before they are requested, from record files.
 *
 * Their data pass through a temporary handle, and nothing leads from there to the job T that the
 * tasks which use them wait for: see convert/fxt/unexpected.c, also for the names of jobs. There the
 * thread identifies T. Here the tag does: T releases the handle with the tag of the message, the request
 * holds that handle until then, so T is the first such job submitted after U'. A job releases the
 * handle with a tag if all app tasks that depend on it use this handle. Some jobs so have several
 * tags; two messages that find the same T are left without.
 */
#include "convert/recutils/recutils.h"

#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"

/* A job that never ran; all app tasks that depend on it use the handle with that tag. */
struct release {
	int64_t rank, tag, time; /* submission */
	uint32_t row;		 /* of tasks */
};

/* A task that depends on a job. */
struct use {
	uint32_t row, next; /* of tasks; of the same job, TV_NONE */
};

/* What an unexpected message found. */
struct find {
	uint32_t comm, row; /* of tasks: T */
};

struct unexpected_takers {
	struct tv_rec_takers *takers;
	const struct tv_trace *trace;
	const struct tv_table *tasks, *table; /* table: of handles */
	const struct tv_column *job, *start, *submit, *depends, *handles, *tag;
	struct tv_index row_of; /* by label of a job: its row of tasks */
	struct tv_index origin; /* by label of a job: 1 where it acquires data for a send */
	struct tv_map handle;	/* by rank and label of a handle: its row; TV_NONE: several tags */
	struct use *use;
	struct tv_index first_use; /* by row of tasks */
	size_t nuses, uses_cap;
	struct release *release; /* sorted */
	size_t nreleases, releases_cap;
	struct find *find;
	size_t nfinds, finds_cap;
};

/* ---- jobs ---- */

static bool ran(const struct unexpected_takers *w, uint32_t row)
{
	return !tv_missing(w->start, row);
}

/* The row of the job that a job which never ran depends on, if there is only one. */
static uint32_t before(const struct unexpected_takers *w, uint32_t row)
{
	uint32_t n = 0;
	const uint32_t *need;

	if (row == TV_NONE || ran(w, row))
		return TV_NONE;
	need = tv_list(w->depends, row, &n);
	for (uint32_t i = 1; i < n; i++)
		if (need[i] != need[0])
			return TV_NONE;
	return n > 0 ? tv_index_get(&w->row_of, need[0]) : TV_NONE;
}

static bool rank_and_number(const struct unexpected_takers *w, uint32_t row, int64_t *rank,
			    int64_t *number)
{
	return tv_rec_parse_job(tv_pool_text(w->trace->pool, tv_label(w->job, row)), rank, number);
}

static void index_jobs(struct unexpected_takers *w)
{
	const struct tv_column *origin = tv_table_find(&w->trace->table[TV_LINKS], "OriginJob");

	for (uint32_t row = 0; row < w->tasks->nrows; row++)
		if (tv_label(w->job, row) != TV_NONE)
			tv_index_set(&w->row_of, tv_label(w->job, row), row);
	for (uint32_t row = 0; origin != NULL && row < w->trace->table[TV_LINKS].nrows; row++)
		if (tv_label(origin, row) != TV_NONE)
			tv_index_set(&w->origin, tv_label(origin, row), 1);
}

static void index_uses(struct unexpected_takers *w)
{
	for (uint32_t row = 0; row < w->tasks->nrows; row++) {
		uint32_t n = 0;
		const uint32_t *need = ran(w, row) ? tv_list(w->depends, row, &n) : NULL;

		for (uint32_t i = 0; i < n; i++) {
			uint32_t at = tv_index_get(&w->row_of, need[i]);

			if (at == TV_NONE || ran(w, at))
				continue;
			TV_GROW(w->use, w->nuses, w->uses_cap, 1);
			w->use[w->nuses] = (struct use){ row, tv_index_get(&w->first_use, at) };
			tv_index_set(&w->first_use, at, (uint32_t)w->nuses++);
		}
	}
}

/* ---- tags ---- */

static void index_handles(struct unexpected_takers *w)
{
	const struct tv_column *handle = tv_table_find(w->table, "Handle");
	const struct tv_column *node = tv_table_find(w->table, "Node");

	for (uint32_t row = 0; handle != NULL && node != NULL && row < w->table->nrows; row++) {
		uint32_t label = tv_label(node, row), *known;
		const char *text = label == TV_NONE ? "" : tv_pool_text(w->trace->pool, label);
		int64_t rank;

		if (tv_missing(w->tag, row)
		    || tv_parse_int(text, strlen(text), &rank) != TV_PARSE_OK)
			continue;
		known = tv_map_get(&w->handle, (uint64_t)rank, tv_label(handle, row));
		if (known == NULL)
			tv_map_put(&w->handle, (uint64_t)rank, tv_label(handle, row), row);
		else if (*known != TV_NONE && w->tag->i[*known] != w->tag->i[row])
			*known = TV_NONE;
	}
}

/* The tag of the i-th handle of a task. */
static bool tag_of(const struct unexpected_takers *w, int64_t rank, uint32_t handle, int64_t *tag)
{
	const uint32_t *row = tv_map_get(&w->handle, (uint64_t)rank, handle);

	if (row == NULL || *row == TV_NONE)
		return false;
	*tag = w->tag->i[*row];
	return true;
}

static bool uses_tag(const struct unexpected_takers *w, int64_t rank, uint32_t row, int64_t wanted)
{
	uint32_t n = 0;
	const uint32_t *handle = tv_list(w->handles, row, &n);
	int64_t tag;

	for (uint32_t i = 0; i < n; i++)
		if (tag_of(w, rank, handle[i], &tag) && tag == wanted)
			return true;
	return false;
}

/* The tags that all tasks which depend on a job use. */
static void add_releases(struct unexpected_takers *w, uint32_t row, int64_t rank)
{
	const struct use *first = &w->use[tv_index_get(&w->first_use, row)];
	uint32_t n = 0;
	const uint32_t *handle = tv_list(w->handles, first->row, &n);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t next = first->next;
		int64_t tag;

		if (!tag_of(w, rank, handle[i], &tag))
			continue;
		while (next != TV_NONE && uses_tag(w, rank, w->use[next].row, tag))
			next = w->use[next].next;
		if (next != TV_NONE)
			continue;
		TV_GROW(w->release, w->nreleases, w->releases_cap, 1);
		w->release[w->nreleases++] = (struct release){ rank, tag, w->submit->i[row], row };
	}
}

TV_ORDER(by_tag_and_time, struct release, rank, tag, time, row)

/* Jobs that no message releases, and that do not end a send. */
static void list_releases(struct unexpected_takers *w)
{
	for (uint32_t row = 0; row < w->tasks->nrows; row++) {
		uint32_t acquired;
		int64_t rank, number;

		if (tv_index_get(&w->first_use, row) == TV_NONE || tv_missing(w->submit, row)
		    || tv_index_get(w->takers->received, tv_label(w->job, row)) != TV_NONE)
			continue;
		acquired = before(w, row);
		if (acquired != TV_NONE
		    && tv_index_get(&w->origin, tv_label(w->job, acquired)) == TV_NONE
		    && rank_and_number(w, row, &rank, &number))
			add_releases(w, row, rank);
	}
	if (w->nreleases > 1)
		qsort(w->release, w->nreleases, sizeof *w->release, by_tag_and_time);
}

/* ---- messages ---- */

/* The row of T, the first release of a tag from a time on; TV_NONE, also if there are two. */
static uint32_t find_release(const struct unexpected_takers *w, int64_t rank, int64_t tag,
			     int64_t time)
{
	const struct release wanted = { rank, tag, time, 0 };
	size_t low;

	TV_LOWER_BOUND(low, 0, w->nreleases, by_tag_and_time(&w->release[low], &wanted) < 0);
	if (low == w->nreleases || w->release[low].rank != rank || w->release[low].tag != tag)
		return TV_NONE;
	for (size_t i = low + 1; i < w->nreleases && w->release[i].time == w->release[low].time
				 && w->release[i].tag == tag && w->release[i].rank == rank;
	     i++)
		if (w->release[i].row != w->release[low].row)
			return TV_NONE;
	return w->release[low].row;
}

/* The T of the message received by a job, whose temporary handle `ended` unregisters. T was announced
 * before that handle was acquired, so its number is smaller. */
static uint32_t find_taker(const struct unexpected_takers *w, uint32_t comm, uint32_t acquired,
			   uint32_t ended)
{
	uint32_t label = w->takers->comms->at[comm].tag, row;
	const char *text = label == TV_NONE ? "" : tv_pool_text(w->trace->pool, label);
	int64_t rank, number, other, tag;

	if (tv_parse_int(text, strlen(text), &tag) != TV_PARSE_OK || tv_missing(w->submit, ended)
	    || !rank_and_number(w, acquired, &rank, &number))
		return TV_NONE;
	row = find_release(w, rank, tag, w->submit->i[ended]);
	return row != TV_NONE && rank_and_number(w, row, &rank, &other) && other < number ? row
											  : TV_NONE;
}

/* Every job that may be U' of a message. */
static void find_messages(struct unexpected_takers *w)
{
	for (uint32_t row = 0; row < w->tasks->nrows; row++) {
		uint32_t acquired = before(w, before(w, before(w, row)));
		uint32_t received = before(w, acquired), first = before(w, received), n = 0, comm;

		if (first == TV_NONE)
			continue;
		comm = tv_index_get(w->takers->received, tv_label(w->job, received));
		tv_list(w->depends, first, &n);
		if (comm == TV_NONE || n > 0)
			continue;
		TV_GROW(w->find, w->nfinds, w->finds_cap, 1);
		w->find[w->nfinds++] = (struct find){ comm, find_taker(w, comm, acquired, row) };
	}
}

static void take_unique(struct unexpected_takers *w)
{
	struct tv_index count = { 0 };

	for (size_t i = 0; i < w->nfinds; i++) {
		uint32_t n = w->find[i].row == TV_NONE ? 0 : tv_index_get(&count, w->find[i].row);

		if (w->find[i].row != TV_NONE)
			tv_index_set(&count, w->find[i].row, n == TV_NONE ? 1 : n + 1);
	}
	for (size_t i = 0; i < w->nfinds; i++) {
		const struct find *find = &w->find[i];
		bool unique = find->row != TV_NONE && tv_index_get(&count, find->row) == 1;

		w->takers->known += unique;
		w->takers->unknown += !unique;
		if (unique)
			tv_index_set(&w->takers->taken, tv_label(w->job, find->row), find->comm);
	}
	tv_free(count.at);
}

void tv_rec_find_takers(struct tv_trace *trace, struct tv_rec_takers *takers)
{
	struct unexpected_takers w = { .takers = takers,
				       .trace = trace,
				       .tasks = &trace->table[TV_TASKS],
				       .table = &trace->table[TV_HANDLES] };

	w.job = tv_table_find(w.tasks, "JobId");
	w.start = tv_table_find(w.tasks, "Start");
	w.submit = tv_table_find(w.tasks, "SubmitTime");
	w.depends = tv_table_find(w.tasks, "DependsOn");
	w.handles = tv_table_find(w.tasks, "Handles");
	w.tag = tv_table_find(w.table, "MPITag");
	if (w.job == NULL || w.start == NULL || w.submit == NULL || w.depends == NULL)
		return;
	index_jobs(&w);
	if (w.handles != NULL && w.tag != NULL) {
		index_uses(&w);
		index_handles(&w);
		list_releases(&w);
	}
	find_messages(&w);
	take_unique(&w);
	tv_map_release(&w.handle);
	tv_free(w.row_of.at);
	tv_free(w.origin.at);
	tv_free(w.first_use.at);
	tv_free(w.use);
	tv_free(w.release);
	tv_free(w.find);
}
