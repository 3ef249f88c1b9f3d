/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grains_trace.c -- the trace of a run with other grains. */
#include "sim/model/grains.h"

#include <string.h>

#include "trace/alloc.h"
#include "trace/number.h"

enum { WHOLE, JOIN = -1 }; /* parts are numbered from 1 */

struct made {
	uint32_t row;
	int64_t part;
};

/* What the changed tasks have of the recorded ones. */
static const char *const kept[] = { "ResourceId", "Value",    "Kind",	   "Node", "ResourceType",
				    "Priority",	  "Instance", "ParentJob", "Flag" };

static struct made *list_rows(const struct tv_grains *w, uint32_t *n)
{
	const struct tv_dag *dag = w->dag;
	struct made *made = NULL;
	size_t count = 0, cap = 0;

	for (uint32_t row = 0; row < w->tasks->n; row++) {
		uint32_t v = dag->node_of_row[row];
		bool split = w->split && v != TV_NONE && w->fits[v];

		if (v != TV_NONE && w->into[v] != v)
			continue;
		for (uint32_t part = split; part <= (split ? w->k : 0); part++) {
			TV_GROW(made, count, cap, 1);
			made[count++] = (struct made){ row, part };
		}
		if (split && w->awaited[v]) {
			TV_GROW(made, count, cap, 1);
			made[count++] = (struct made){ row, JOIN };
		}
	}
	*n = (uint32_t)count;
	return made;
}

static void find_mark(struct tv_grains *w)
{
	w->mark = tv_strdup("/");
	for (uint32_t v = 0; v < w->dag->n; v++) {
		uint32_t job = tv_dag_job(w->dag, v);

		while (job != TV_NONE && strstr(tv_pool_text(w->pool, job), w->mark) != NULL)
			tv_append(&w->mark, "/");
	}
}

static uint32_t name_part(struct tv_grains *w, uint32_t job, int64_t part)
{
	char *name = tv_format("%s%s%lld", tv_pool_text(w->pool, job), w->mark, (long long)part);
	uint32_t label = tv_intern_text(w->pool, name);

	tv_free(name);
	return label;
}

/* The jobs on which those depend that are merged into a node: members, n. */
static void write_dependencies(struct tv_grains *w, const uint32_t *member, uint32_t n,
			       struct tv_column *to, uint32_t at)
{
	const struct tv_dag *dag = w->dag;
	uint32_t into = w->into[member[0]], listed = 0;

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t e = dag->first[member[i]]; e < dag->first[member[i] + 1]; e++) {
			uint32_t u = w->into[dag->pred[e]];

			if (u == into || w->seen[u] == at + 1)
				continue;
			w->seen[u] = at + 1;
			w->list[listed++] = tv_dag_job(dag, u);
		}
	if (listed > 0)
		tv_set_list(to, at, w->list, listed);
}

struct columns {
	struct tv_column *start, *end, *job, *depends, *submit, *after, *delay, *kind;
};

/* part: from 0. */
static void write_submission(const struct tv_grains *w, uint32_t v, int64_t part,
			     const struct columns *to, uint32_t at)
{
	int64_t submit = w->submit[v] + part * w->between[v], delay;
	uint32_t after = tv_grains_after(w->dag, v), job;

	if (w->submit[v] == INT64_MIN)
		return;
	tv_set_int(to->submit, at, submit);
	job = after == TV_NONE ? TV_NONE : tv_dag_job(w->dag, w->into[after]);
	if (job == TV_NONE)
		return;
	delay = w->dag->delay[v] + submit - tv_dag_submitted(w->dag, v);
	tv_set_label(to->after, at, job);
	tv_set_int(to->delay, at, delay > 0 ? delay : 0);
}

static void write_times(const struct tv_grains *w, const struct made *made, const uint32_t *member,
			uint32_t n, const struct columns *to, uint32_t at)
{
	const struct tv_column *start = tv_table_find(&w->tasks->trace->table[TV_TASKS], "Start"),
			       *end = tv_table_find(&w->tasks->trace->table[TV_TASKS], "End");
	uint32_t v = w->dag->node_of_row[made->row];
	int64_t from, time;

	if (made->part == JOIN || tv_missing(start, made->row) || tv_missing(end, made->row))
		return;
	from = start->i[made->row];
	time = end->i[made->row] - from;
	for (uint32_t i = 0; i < n; i++)
		if (member[i] != v)
			time += w->dag->end[member[i]] - w->dag->start[member[i]];
	tv_set_int(to->start, at,
		   made->part == WHOLE
			   ? from
			   : from + (int64_t)((tv_int128)time * (made->part - 1) / w->k));
	tv_set_int(to->end, at,
		   made->part == WHOLE ? from + time
				       : from + (int64_t)((tv_int128)time * made->part / w->k));
}

static void write_row(struct tv_grains *w, const struct made *made, const struct tv_groups *merged,
		      const struct columns *to, uint32_t at)
{
	uint32_t v = w->dag->node_of_row[made->row], job, n;
	const uint32_t *member;

	if (v == TV_NONE)
		return;
	job = tv_dag_job(w->dag, v);
	member = merged->row + merged->first[v];
	n = merged->first[v + 1] - merged->first[v];
	write_times(w, made, member, n, to, at);
	if (made->part == JOIN) {
		for (uint32_t i = 0; i < w->k; i++)
			w->list[i] = name_part(w, job, i + 1);
		tv_set_list(to->depends, at, w->list, w->k);
		tv_set_text(to->kind, at, tv_kind_name(TV_GHOST));
	} else {
		write_dependencies(w, member, n, to->depends, at);
		write_submission(w, v, made->part == WHOLE ? 0 : made->part - 1, to, at);
	}
	if (job != TV_NONE)
		tv_set_label(to->job, at, made->part > WHOLE ? name_part(w, job, made->part) : job);
}

static void write_tasks(struct tv_grains *w, struct tv_trace *out)
{
	const struct tv_table *from = &w->tasks->trace->table[TV_TASKS];
	struct columns to;
	struct tv_groups merged;
	uint32_t n;
	struct made *made = list_rows(w, &n);

	TV_TRACE_COLUMNS(out, TV_TASKS, { "Start", &to.start }, { "End", &to.end },
			 { "JobId", &to.job }, { "DependsOn", &to.depends },
			 { "SubmitTime", &to.submit }, { "SubmitAfter", &to.after },
			 { "SubmitDelay", &to.delay }, { "Kind", &to.kind });
	tv_groups_init(&merged, w->into, w->dag->n, w->dag->n);
	for (uint32_t i = 0; i < n; i++)
		tv_table_add_row(&out->table[TV_TASKS]);
	for (size_t c = 0; c < TV_COUNT(kept); c++) {
		const struct tv_column *column = tv_table_find(from, kept[c]);
		struct tv_column *copy;

		if (column == NULL)
			continue;
		copy = tv_trace_column(out, TV_TASKS, kept[c]);
		for (uint32_t i = 0; i < n; i++)
			if (made[i].part != JOIN || strcmp(kept[c], "Value") == 0)
				tv_copy_cell(copy, i, column, made[i].row);
	}
	for (uint32_t i = 0; i < n; i++)
		write_row(w, &made[i], &merged, &to, i);
	tv_table_finish(&out->table[TV_TASKS]);
	tv_groups_release(&merged);
	tv_free(made);
}

/* All workers: of some, no task may be left. */
static void write_resources(const struct tv_tasks *tasks, struct tv_trace *out)
{
	struct tv_column *id, *type, *node;

	TV_TRACE_COLUMNS(out, TV_RESOURCES, { "ResourceId", &id }, { "ResourceType", &type },
			 { "Node", &node });
	for (uint32_t i = 0; i < tasks->nworkers; i++) {
		uint32_t row = tv_table_add_row(&out->table[TV_RESOURCES]);

		tv_set_label(id, row, tasks->workers[i].resource);
		tv_set_label(type, row, tasks->rtype[tasks->workers[i].rtype].label);
		tv_set_label(node, row, tasks->node[tasks->workers[i].node].label);
	}
	tv_table_finish(&out->table[TV_RESOURCES]);
}

int tv_grains_trace(struct tv_grains *w, struct tv_trace *out, struct tv_error *err)
{
	*out = (struct tv_trace){ .pool = tv_pool_share(w->pool), .options = { .zero = "none" } };
	for (int i = 0; i < TV_NTABLES; i++)
		tv_table_init(&out->table[i], out->pool);
	find_mark(w);
	write_tasks(w, out);
	write_resources(w->tasks, out);
	return tv_trace_complete(out, err);
}
