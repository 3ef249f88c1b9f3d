/* SPDX-License-Identifier: GPL-3.0-or-later */
/* residency.c -- which data were on which memory node at some instants, and who used them. */
#include <stdlib.h>
#include <string.h>

#include "analysis/data/handle_options.h"
#include "analysis/data/uses.h"
#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/text.h"

#define COLUMNS(X) \
	X(STATE, "State", TV_LABEL, false, "", \
	  "owner, shared; missing: tasks use the data, and no event shows them there") \
	X(SINCE, "Since", TV_TIME, false, "ms", "when this state began") \
	X(UNTIL, "Until", TV_TIME, false, "ms", "when it ends") \
	X(TASKS, "Jobs", TV_LIST, false, "", "JobIds of the app tasks that use the data there") \
	X(VALUES, "Values", TV_LIST, false, "", "their types") \
	X(WRITES, "Writes", TV_INT, false, "", "how many of them write")

enum {
	TIME,
	HANDLE,
	LAST_OF_HANDLE = HANDLE + TV_HANDLE_COLUMNS - 1,
	COLUMNS(TV_COLUMN_ID) NCOLUMNS
};

static const struct tv_field columns[] = { { "Time", TV_TIME, false, "ms", "the instant" },
					   TV_COLUMNS_OF_HANDLES(TV_COLUMN_ROW)
						   COLUMNS(TV_COLUMN_ROW) };

/* A handle is on a memory node, or a task uses it there: one of the two is TV_NONE. */
struct item {
	uint32_t handle, memory;
	uint32_t presence;
	uint32_t row; /* of tasks */
	bool writes;
};

struct residency {
	struct tv_run *run;
	const struct tv_memories *memories;
	const struct tv_presences *presences;
	const struct tv_uses *uses;
	bool *chosen;	   /* by handle */
	struct item *item; /* of one instant; room for all presences and uses */
	uint32_t n;
	uint32_t *job, *value; /* room for all uses */
};

TV_ORDER(by_place, struct item, handle, memory, presence, row)

static void add_item(struct residency *work, struct item item)
{
	if (item.handle != TV_NONE && work->chosen[item.handle]
	    && tv_memory_chosen(work->run, &work->memories->at[item.memory]))
		work->item[work->n++] = item;
}

static void collect(struct residency *work, int64_t time)
{
	work->n = 0;
	for (uint32_t i = 0; i < work->presences->n; i++) {
		const struct tv_presence *p = &work->presences->at[i];

		if (p->start <= time
		    && (p->end > time || (p->end == time && p->until == TV_EDGE_RUN)))
			add_item(work, (struct item){ p->handle, p->memory, i, TV_NONE, false });
	}
	for (size_t i = 0; i < work->uses->n; i++) {
		const struct tv_use *use = &work->uses->at[i];

		if (use->row == TV_NONE || use->start > time || use->end <= time
		    || !work->run->tasks.leads[tv_row_whole(&work->run->tasks, use->row)])
			continue;
		add_item(work,
			 (struct item){ tv_presences_handle(work->presences,
							    work->memories->at[use->memory].node,
							    use->handle, use->start),
					use->memory, TV_NONE, use->row, use->writes });
	}
	if (work->n > 1)
		qsort(work->item, work->n, sizeof *work->item, by_place);
}

/* Writes n items of one handle on one memory node; its presence, if there is one, is the first. */
static void write_items(struct residency *work, int64_t time, const struct item *item, uint32_t n,
			struct tv_column *const *to, uint32_t row)
{
	const struct tv_tasks *tasks = &work->run->tasks;
	uint32_t njobs = 0, nvalues = 0;
	int64_t writes = 0;

	tv_set_int(to[TIME], row, time);
	tv_handle_write(work->run, &work->presences->handle[item->handle],
			&work->memories->at[item->memory], to + HANDLE, row);
	for (uint32_t i = 0; i < n; i++) {
		const struct tv_presence *p = &work->presences->at[item[i].presence];

		if (item[i].presence != TV_NONE) {
			tv_set_text(to[STATE], row, tv_data_state_name(p->state));
			tv_set_int(to[SINCE], row, p->start);
			tv_set_int(to[UNTIL], row, p->end);
			continue;
		}
		writes += item[i].writes;
		if (tasks->job != NULL && tasks->job[item[i].row] != TV_NONE)
			work->job[njobs++] = tasks->job[item[i].row];
		work->value[nvalues++] = tasks->value[item[i].row];
	}
	tv_set_list(to[TASKS], row, work->job, njobs);
	tv_set_list(to[VALUES], row, work->value, nvalues);
	tv_set_int(to[WRITES], row, writes);
}

static void write_instant(struct residency *work, int64_t time, struct tv_table *out)
{
	uint32_t first = 0;

	collect(work, time);
	while (first < work->n) {
		const struct item *item = &work->item[first];
		uint32_t n = 1;

		while (first + n < work->n && item[n].handle == item->handle
		       && item[n].memory == item->memory)
			n++;
		write_items(work, time, item, n, out->col, tv_table_add_row(out));
		first += n;
	}
}

/* The instants of --at, in the order given. */
static int64_t *read_times(const struct tv_run *run, const char *at, size_t *n)
{
	int64_t *time = NULL;
	const char *word;
	size_t cap = 0, length;

	*n = 0;
	if (at == NULL) {
		time = tv_alloc(1, sizeof *time);
		time[(*n)++] = run->tasks.ncounted > 0 ? run->tasks.finish : 0;
		return time;
	}
	while ((word = tv_list_word(&at, &length)) != NULL) {
		char *text = tv_strndup(word, length);

		TV_GROW(time, *n, cap, 1);
		time[(*n)++] = tv_value_time(text, 0);
		tv_free(text);
	}
	return time;
}

struct asked {
	const char *at, *handle, *job;
};

static int run_residency(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
			 struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct residency work = { .run = run, .memories = tv_run_memories(run) };
	size_t n;
	int64_t *time = read_times(run, asked->at, &n);
	int rc;

	work.presences = tv_run_some_presences(run, "residency", err);
	work.uses = work.presences == NULL ? NULL : tv_run_uses(run, err);
	work.chosen = work.uses == NULL ? NULL
					: tv_handles_chosen(run, asked->handle, asked->job,
							    work.presences, err);
	rc = work.chosen == NULL ? -1 : 0;
	if (rc == 0) {
		work.item = tv_alloc(work.presences->n + work.uses->n, sizeof *work.item);
		work.job = tv_alloc(work.uses->n, sizeof *work.job);
		work.value = tv_alloc(work.uses->n, sizeof *work.value);
	}
	for (size_t i = 0; rc == 0 && i < n; i++)
		write_instant(&work, time[i], out);
	tv_free(time);
	tv_free(work.chosen);
	tv_free(work.item);
	tv_free(work.job);
	tv_free(work.value);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "at", "TIME,...", NULL, "instants (ms, or with a unit); default: the end of the run",
	  TV_OPTION_TIMES, TV_ASKED(at) },
	TV_OPTIONS_OF_HANDLES(struct asked),
};

const struct tv_pass tv_pass_residency = {
	.name = "residency",
	.summary = "Which data were on which memory node at some instants, and who used them",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_NODES,
	.sums = true,
	.needs = "variables events handles links resources",
	.refuses_tasks = true,
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_COLUMNS(columns),
	.notes =
		"One row for each instant, handle and memory node where the handle is owner or\n"
		"shared then (see handles), or where an app task uses it: from its Start, up to\n"
		"but not including its End, with the handle among its Handles, on a worker of the\n"
		"memory node. A state holds from its first instant on; where it ends, the next "
		"one\n"
		"holds.",
	.example = "traceviz residency --at 100,200ms data/cholesky-paje",
	.taskless = true,
	.windowless = true,
	.run = run_residency,
};
