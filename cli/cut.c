/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cut.c -- --phase K|last|all and --restrict EXPR: cut a trace to a part of its tasks; say that it
 * has several phases. */
#include <stdlib.h>
#include <string.h>

#include "analysis/core/instead.h"
#include "analysis/core/lateness.h"
#include "analysis/core/spans.h"
#include "analysis/tasks/phase_list.h"
#include "cli/cli.h"
#include "trace/alloc.h"
#include "trace/clocks.h"
#include "trace/machine.h"
#include "trace/map.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* The phase asked for, from 0; TV_NONE = all. */
static int parse_phase(const char *text, uint32_t n, uint32_t *phase, struct tv_error *err)
{
	int64_t k;

	*phase = TV_NONE;
	if (strcmp(text, "all") == 0)
		return 0;
	if (strcmp(text, "last") == 0)
		k = n;
	else
		k = (int64_t)tv_value_count(text, 0);
	if (k < 1 || k > n)
		return tv_fail(
			err, "--phase %s: the trace has %lu phase%s, which 'traceviz phases' lists",
			text, (unsigned long)n, tv_plural(n));
	*phase = (uint32_t)(k - 1);
	return 0;
}

/* device: its label; TV_NONE = not known. */
static void add_idle_worker(struct tv_trace *trace, const struct tv_tasks *tasks, uint32_t worker,
			    uint32_t device)
{
	const struct tv_worker *w = &tasks->workers[worker];
	struct tv_table *task_table = &trace->table[TV_TASKS];
	struct tv_column *kind = tv_trace_column(trace, TV_TASKS, "Kind");
	struct tv_column *type = tv_trace_column(trace, TV_TASKS, "ResourceType");
	struct tv_column *node = tv_trace_column(trace, TV_TASKS, "Node");
	struct tv_column *id = tv_trace_column(trace, TV_TASKS, "ResourceId");
	const char *name = tv_kind_name(TV_WORKER);
	uint32_t row;

	row = tv_table_add_row(task_table);
	/* Written out without them, the row would not be a worker. */
	kind->derived = type->derived = node->derived = false;
	tv_set_text(kind, row, name);
	tv_set_label(type, row, tasks->rtype[w->rtype].label);
	tv_set_label(node, row, tasks->node[w->node].label);
	tv_set_label(id, row, w->resource);
	/* Without it, a stream would be a worker beside its device. */
	if (device != TV_NONE)
		tv_set_label(tv_trace_column(trace, TV_TASKS, "Device"), row, device);
}

/*
 * Jobs that are cut off are no longer there to depend on. Of waits for some of them the end is not known any more, so what was submitted
 * after these keeps its SubmitTime.
 */
static void cut_dependencies(struct tv_table *part, const bool *gone, uint32_t nlabels)
{
	struct tv_column *job = tv_table_find(part, "JobId"),
			 *depends = tv_table_find(part, "DependsOn"),
			 *after = tv_table_find(part, "SubmitAfter");
	bool *partly = tv_alloc(nlabels, sizeof *partly);

	if (job == NULL || depends == NULL) {
		tv_free(partly);
		return;
	}
	for (uint32_t row = 0; after != NULL && row < part->nrows; row++) {
		uint32_t n;
		const uint32_t *before = tv_list(depends, row, &n);

		for (uint32_t i = 0; i < n && !tv_missing(job, row); i++)
			partly[tv_label(job, row)] |= gone[before[i]];
	}
	for (uint32_t row = 0; after != NULL && row < part->nrows; row++)
		if (!tv_missing(after, row)
		    && (gone[tv_label(after, row)] || partly[tv_label(after, row)]))
			tv_set_any_label(after, row, TV_NONE);
	depends->known |= depends->nitems > 0;
	tv_take_out(depends, gone);
	tv_free(partly);
}

/* By label: the jobs of which no row is kept, of those that have some; n: how many labels. */
static bool *find_gone(const struct tv_tasks *tasks, const uint32_t *kept, uint32_t nkept,
		       uint32_t *n)
{
	bool *gone;

	*n = tv_pool_count(tasks->pool);
	gone = tv_alloc(*n, sizeof *gone);
	for (uint32_t row = 0; tasks->job != NULL && row < tasks->n; row++)
		if (tasks->job[row] != TV_NONE)
			gone[tasks->job[row]] = true;
	for (uint32_t i = 0; tasks->job != NULL && i < nkept; i++)
		if (tasks->job[kept[i]] != TV_NONE)
			gone[tasks->job[kept[i]]] = false;
	return gone;
}

/*
 * Keeps the rows of tasks that are marked, and the workers that stay: one that loses all its tasks
 * as an idle one. Where the trace does not declare its workers, only those that run tasks are known,
 * of the part as of the whole. stays: by worker, NULL = all.
 */
static void keep_rows(struct tv_trace *trace, const struct tv_tasks *tasks, const bool *keep,
		      const bool *stays)
{
	struct tv_table *task_table = &trace->table[TV_TASKS], part;
	bool *seen = tv_alloc(tasks->nworkers, sizeof *seen);
	uint32_t *rows = tv_alloc(tasks->n, sizeof *rows), n = 0;
	uint32_t *device = tv_worker_devices(tasks), nlabels;
	bool *gone;

	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t w = tasks->worker[row];

		if (!keep[row] || (w != TV_NONE && stays != NULL && !stays[w]))
			continue;
		rows[n++] = row;
		if (w != TV_NONE)
			seen[w] = true;
	}
	gone = find_gone(tasks, rows, n, &nlabels);
	tv_table_take(task_table, rows, n, &part);
	cut_dependencies(&part, gone, nlabels);
	tv_free(gone);
	tv_table_replace(task_table, &part);
	tv_trace_moved(trace);
	for (uint32_t w = 0; w < tasks->nworkers && tasks->workers_known; w++)
		if (!seen[w] && (stays == NULL || stays[w]))
			add_idle_worker(trace, tasks, w, device[w]);
	tv_free(seen);
	tv_free(rows);
	tv_free(device);
	tv_table_finish(task_table);
}

/* Marks by label the resources to remove: workers that do not stay, and everything of a node of which
 * no worker stays but the objects of its machine. */
static void mark_resources(const struct tv_trace *trace, const struct tv_tasks *tasks,
			   const bool *stays, bool *gone)
{
	const struct tv_table *resources = &trace->table[TV_RESOURCES];
	const struct tv_column *id = tv_table_find(resources, "ResourceId");
	const struct tv_column *node = tv_table_find(resources, "Node");
	const struct tv_column *depth = tv_table_find(resources, "Depth");
	bool *node_stays = tv_alloc(tasks->nnodes, sizeof *node_stays);

	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		gone[tasks->workers[w].resource] = !stays[w];
		node_stays[tasks->workers[w].node] |= stays[w];
	}
	for (uint32_t row = 0; id != NULL && node != NULL && row < resources->nrows; row++)
		for (uint32_t i = 0; i < tasks->nnodes; i++)
			if (!node_stays[i] && tv_label(node, row) == tasks->node[i].label
			    && !tv_is_object(depth, row) && tv_label(id, row) != TV_NONE)
				gone[tv_label(id, row)] = true;
	tv_free(node_stays);
}

/* Removes the resources that do not stay from the tables that have a ResourceId. */
static void drop_resources(struct tv_trace *trace, const struct tv_tasks *tasks, const bool *stays)
{
	static const int tables[] = { TV_RESOURCES, TV_STATES, TV_VARIABLES, TV_EVENTS, TV_CALLS };
	bool *gone = tv_alloc(tv_pool_count(tasks->pool), sizeof *gone);

	mark_resources(trace, tasks, stays, gone);
	for (size_t i = 0; i < TV_COUNT(tables); i++) {
		struct tv_table *table = &trace->table[tables[i]], part;
		const struct tv_column *id = tv_table_find(table, "ResourceId");
		uint32_t *rows = tv_alloc(table->nrows, sizeof *rows), n = 0;

		for (uint32_t row = 0; id != NULL && row < table->nrows; row++)
			if (tv_label(id, row) == TV_NONE || !gone[tv_label(id, row)])
				rows[n++] = row;
		if (id != NULL && n < table->nrows) {
			tv_table_take(table, rows, n, &part);
			tv_table_replace(table, &part);
		}
		tv_free(rows);
	}
	tv_free(gone);
}

/* An execution of a task. */
struct execution {
	uint32_t resource; /* label */
	int64_t begin, end;
	int64_t reach; /* the latest end of those of the resource until this one */
	bool kept;
};

TV_ORDER(by_begin, struct execution, resource, begin, down(end))

/* All executions in order. Free with tv_free. */
static struct execution *list_executions(const struct tv_tasks *tasks, const bool *keep, size_t *n)
{
	struct execution *all = tv_alloc(tasks->n, sizeof *all);

	*n = 0;
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->executed[row])
			all[(*n)++] = (struct execution){
				.resource = tasks->workers[tasks->worker[row]].resource,
				.begin = tasks->start[row],
				.end = tasks->end[row],
				.kept = keep[row]
			};
	if (*n > 1)
		qsort(all, *n, sizeof *all, by_begin);
	for (size_t i = 0; i < *n; i++) {
		const struct execution *before = i > 0 ? &all[i - 1] : NULL;

		all[i].reach = all[i].end;
		if (before != NULL && before->resource == all[i].resource
		    && before->reach > all[i].reach)
			all[i].reach = before->reach;
	}
	return all;
}

/* The execution in which a state lies, of several the last; NULL = it lies in none. */
static const struct execution *execution_around(const struct execution *all, size_t n,
						struct execution state)
{
	size_t i;

	TV_LOWER_BOUND(
		i, 0, n,
		all[i].resource < state.resource
			|| (all[i].resource == state.resource && all[i].begin <= state.begin));
	for (; i > 0 && all[i - 1].resource == state.resource && all[i - 1].reach >= state.end; i--)
		if (all[i - 1].end >= state.end)
			return &all[i - 1];
	return NULL;
}

/* Removes the states that lie in executions which are cut off. */
static void drop_states(struct tv_trace *trace, const struct tv_tasks *tasks, const bool *keep)
{
	struct tv_table *states = &trace->table[TV_STATES], part;
	const struct tv_column *resource = tv_table_find(states, "ResourceId"),
			       *start = tv_table_find(states, "Start"),
			       *end = tv_table_find(states, "End");
	uint32_t *rows = tv_alloc(states->nrows, sizeof *rows), n = 0;
	struct execution *all;
	size_t nall;

	all = list_executions(tasks, keep, &nall);
	for (uint32_t row = 0; row < states->nrows; row++) {
		const struct execution *around = NULL;

		if (!tv_missing(start, row) && !tv_missing(end, row))
			around = execution_around(
				all, nall,
				(struct execution){ .resource = tv_label(resource, row),
						    .begin = start->i[row],
						    .end = end->i[row] });
		if (around == NULL || around->kept)
			rows[n++] = row;
	}
	if (n < states->nrows) {
		tv_table_take(states, rows, n, &part);
		tv_table_replace(states, &part);
	}
	tv_free(all);
	tv_free(rows);
}

/* A part of a trace. */
struct part {
	bool *keep;	   /* by row of tasks */
	bool *stays;	   /* by worker; NULL = all */
	char *what;	   /* which part, in new memory; NULL = all are kept */
	struct tv_span in; /* empty = all times */
	uint32_t
		left_out; /* executions of workers that stay; not of a phase, before and after which they ran no task */
};

/* The columns of times of a table; start NULL = it lacks one. */
struct times {
	struct tv_column *start, *end, *duration;
};

static struct times times_of(const struct tv_table *table)
{
	struct times t = { tv_table_find(table, "Start"), tv_table_find(table, "End"),
			   tv_table_find(table, "Duration") };

	t.start = t.end == NULL ? NULL : t.start;
	return t;
}

/* Whether a row is in a time, or it is not known when it is. */
static bool is_in(const struct times *t, uint32_t row, struct tv_span in)
{
	return t->start == NULL || tv_missing(t->start, row) || tv_missing(t->end, row)
	    || (t->start->i[row] <= in.end && t->end->i[row] >= in.begin);
}

/* Takes away what is outside of a time of rows that are in it. */
static void clip(struct tv_table *table, struct tv_span in)
{
	struct times t = times_of(table);

	for (uint32_t row = 0; t.start != NULL && row < table->nrows; row++) {
		if (tv_missing(t.start, row) || tv_missing(t.end, row) || !is_in(&t, row, in))
			continue;
		t.start->i[row] = t.start->i[row] > in.begin ? t.start->i[row] : in.begin;
		t.end->i[row] = t.end->i[row] < in.end ? t.end->i[row] : in.end;
		if (t.duration != NULL && !tv_missing(t.duration, row))
			t.duration->i[row] = t.end->i[row] - t.start->i[row];
	}
}

/* Drops rows outside of a time; type: only those of this Type, TV_NONE = all. */
static void drop_times(struct tv_table *table, uint32_t type, struct tv_span in)
{
	struct times t = times_of(table);
	const struct tv_column *of = tv_table_find(table, "Type");
	uint32_t *rows = tv_alloc(table->nrows, sizeof *rows), n = 0;
	struct tv_table part;

	for (uint32_t row = 0; row < table->nrows; row++)
		if ((type != TV_NONE && (of == NULL || tv_label(of, row) != type))
		    || is_in(&t, row, in))
			rows[n++] = row;
	if (n < table->nrows) {
		tv_table_take(table, rows, n, &part);
		tv_table_replace(table, &part);
	}
	tv_free(rows);
}

/* What threads did, and messages between nodes, in the time of a phase: from its first submission to that of the next one. Transfers
 * of data before it say where these are. */
static void cut_times(struct tv_trace *trace, struct tv_span in)
{
	static const int threads[] = { TV_CALLS, TV_STATES };
	uint32_t message = tv_pool_find_text(trace->pool, TV_MESSAGE_TYPE);

	for (size_t i = 0; i < TV_COUNT(threads); i++) {
		drop_times(&trace->table[threads[i]], TV_NONE, in);
		clip(&trace->table[threads[i]], in);
	}
	clip(&trace->table[TV_RESOURCES], in);
	if (message != TV_NONE)
		drop_times(&trace->table[TV_LINKS], message, in);
}

/* Marks the rows of one phase. */
static int mark_phase(const struct tv_tasks *tasks, const char *text, struct part *part,
		      struct tv_error *err)
{
	struct tv_phases phases;
	uint32_t phase = TV_NONE;
	int rc;

	tv_phases_init(&phases, tasks);
	rc = parse_phase(text, phases.n, &phase, err);
	for (uint32_t row = 0; rc == 0 && row < tasks->n; row++) {
		uint32_t its = tv_phase_of(&phases, row);

		part->keep[row] = phase == TV_NONE || its == phase || its == TV_NONE;
	}
	if (rc == 0 && phase != TV_NONE) {
		part->what = tv_format("phase %lu of %lu", (unsigned long)phase + 1,
				       (unsigned long)phases.n);
		part->in = (struct tv_span){ phase == 0 ? INT64_MIN : phases.phase[phase].from,
					     phase + 1 == phases.n ? INT64_MAX
								   : phases.phase[phase + 1].from };
	}
	tv_phases_release(&phases);
	return rc;
}

/* Marks the executions and pending tasks for which an expression holds, and every row that is neither; how many rows it leaves out. */
static uint32_t mark_holding(const struct tv_tasks *tasks, const struct tv_expr *expr, bool *keep)
{
	uint32_t n = 0;

	for (uint32_t row = 0; row < tasks->n; row++) {
		keep[row] = (!tasks->executed[row] && tasks->kind[row] != TV_PENDING)
			 || tv_expr_holds(expr, row);
		n += !keep[row];
	}
	return n;
}

/* The same; stays: the workers for a task of which it could hold. */
static int mark_restriction(const struct tv_tasks *tasks, const char *text, struct part *part,
			    struct tv_error *err)
{
	struct tv_expr *expr = tv_expr_new(text, &tasks->trace->table[TV_TASKS], err);
	uint32_t n = tasks->npending, left_out;
	char *why;

	if (expr == NULL)
		return -1;
	for (uint32_t row = 0; row < tasks->n; row++)
		n += tasks->executed[row];
	left_out = mark_holding(tasks, expr, part->keep);
	if (left_out == n && tasks->nplanned == 0) {
		why = tv_expr_unmatched(expr);
		tv_fail(err, "--restrict %.200s: no task matches the selection%s", text, why);
		tv_free(why);
	} else {
		part->stays = tv_fit_workers(tasks, text, NULL, NULL, err);
	}
	tv_expr_free(expr);
	if (part->stays == NULL)
		return -1;
	part->what = tv_strdup(text);
	for (uint32_t row = 0; row < tasks->n; row++)
		part->left_out += tasks->executed[row] && !part->keep[row]
			       && part->stays[tasks->worker[row]];
	return 0;
}

/* One cut; text: NULL = none. *what as in struct part. */
static int cut(struct tv_trace *trace, unsigned kinds, const char *text,
	       int (*mark)(const struct tv_tasks *, const char *, struct part *, struct tv_error *),
	       char **what, struct tv_error *err)
{
	struct tv_tasks tasks;
	struct part part = { 0 };
	int rc;

	*what = NULL;
	if (text == NULL)
		return 0;
	tv_tasks_init_streams(&tasks, trace, kinds);
	part.keep = tv_alloc(tasks.n, sizeof *part.keep);
	rc = tasks.ncounted + tasks.npending + tasks.nplanned == 0 && strcmp(text, "all") != 0
		   ? tv_fail_lacks(err, trace,
				   "--phase and --restrict choose tasks, of which the trace has "
				   "none; --begin and --end, of verbs that take them, a part of "
				   "the time")
		   : mark(&tasks, text, &part, err);
	if (rc == 0 && part.what != NULL) {
		drop_states(trace, &tasks, part.keep);
		keep_rows(trace, &tasks, part.keep, part.stays);
	}
	if (rc == 0 && part.stays != NULL)
		drop_resources(trace, &tasks, part.stays);
	if (rc == 0 && part.in.begin < part.in.end)
		cut_times(trace, part.in);
	if (rc == 0 && part.left_out > 0)
		tv_meta_add(trace, TV_META_LEFT_OUT, "%u", part.left_out);
	*what = part.what;
	tv_free(part.keep);
	tv_free(part.stays);
	tv_tasks_release(&tasks);
	return rc;
}

int tv_cut(struct tv_trace *trace, const struct tv_cli *cli, unsigned kinds, struct tv_error *err)
{
	char *phase = NULL, *rest = NULL;
	int rc = cut(trace, kinds == 0 ? 1u << TV_APP : kinds, cli->phase, mark_phase, &phase, err);

	if (rc == 0)
		rc = cut(trace, kinds, cli->restriction, mark_restriction, &rest, err);
	if (rc == 0 && (phase != NULL || rest != NULL)) {
		tv_meta_add(trace, "Restricted", "%s%s%s", phase != NULL ? phase : "",
			    phase != NULL && rest != NULL ? ", " : "", rest != NULL ? rest : "");
		tv_table_finish(&trace->table[TV_META]);
	}
	tv_free(phase);
	tv_free(rest);
	return rc;
}

/* How many phases the program itself can have made, by the parallel regions and waits of its tasks' creators that the trace shows: between
 * others all tasks had ended by chance, as a creator was late. */
static uint32_t most_phases(const struct tv_tasks *tasks)
{
	const struct tv_table *table = &tasks->trace->table[TV_TASKS];
	const struct tv_column *region = tv_table_find(table, "Region");
	struct tv_index seen = { 0 };
	uint32_t n = 0;

	if (tv_table_find(table, "SubmitAfter") == NULL || region == NULL)
		return UINT32_MAX;
	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t label = tv_label(region, row);

		n += tasks->kind[row] == TV_GHOST && tasks->submit != NULL
		  && !tv_missing(tasks->submit, row);
		if (tasks->counted[row] && label != TV_NONE
		    && tv_index_get(&seen, label) == TV_NONE) {
			tv_index_set(&seen, label, 0);
			n++;
		}
	}
	tv_free(seen.at);
	return n;
}

void tv_warn_phases(struct tv_run *run, uint32_t nphases, uint32_t rows)
{
	const size_t few = 10;

	/* Many phases of few tasks are the steps of one run: a device that waits for the next launch, not a program that was run again. */
	if (nphases > 1 && (nphases < few || nphases <= rows / few)
	    && nphases <= most_phases(&run->tasks))
		tv_run_warn(run,
			    "the trace has %lu phases, which this mixes: see traceviz "
			    "phases, and --phase 1, last or all",
			    (unsigned long)nphases);
}
