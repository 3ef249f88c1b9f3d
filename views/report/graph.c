/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph.c -- dependencies, releases and delays of a run. */
#include <string.h>

#include "dag/dag.h"
#include "trace/alloc.h"
#include "trace/csv.h"
#include "trace/map.h"
#include "views/report/columns.h"

/* Of the predecessors first[i] to first[i + 1] - 1 of row i the one that ended last, of equals the first
 * one; TV_NONE: none ran. */
static uint32_t latest(const struct tv_column *end, const uint32_t *before, uint32_t from,
		       uint32_t to)
{
	uint32_t best = TV_NONE;

	for (uint32_t k = from; end != NULL && k < to; k++)
		if (!tv_missing(end, before[k])
		    && (best == TV_NONE || end->i[before[k]] > end->i[best]))
			best = before[k];
	return best;
}

/* Predecessors by row of tasks, and of which row the job is known; last: by row, that of its last
 * dependency. They are listed by JobId where that is an order, as the distance of places in it. */
static void add_graph(const struct tv_report_run *r, const struct tv_dag *dag, const uint32_t *last)
{
	struct tv_payload *to = &r->html->payload;
	const struct tv_stored_order *by = r->coding.norders > 1 ? &r->coding.order[1] : NULL;
	const struct tv_column *end_of = tv_table_find(r->tasks, "End");
	uint32_t n = r->n, *row = tv_alloc(n, sizeof *row), *count = tv_alloc(n, sizeof *count),
		 *back = tv_alloc(dag->nedges, sizeof *back), *late = tv_alloc(n, sizeof *late),
		 *before = tv_alloc(dag->nedges, sizeof *before), used = 0;
	char name[TV_REPORT_NAME];

	for (uint32_t at = 0; at < n; at++) {
		uint32_t i = by != NULL ? by->row[at] : at, from = used;
		uint32_t node = dag->node_of_row[r->row[i]], begin, end;

		row[i] = node == TV_NONE ? i : r->number[dag->row[node]];
		begin = node == TV_NONE || row[i] != i ? 0 : dag->first[node];
		end = node == TV_NONE || row[i] != i ? 0 : dag->first[node + 1];
		for (uint32_t k = begin; k < end; k++) {
			uint32_t of = r->number[dag->row[dag->pred[k]]];

			if (of == TV_NONE)
				continue;
			before[used] = of;
			back[used++] = at - (by != NULL ? by->place[of] : of);
		}
		count[i] = used - from;
		late[i] = last[i] - latest(end_of, before, from, used);
	}
	tv_report_rows_of(r, "graph", "row", "", row, n);
	tv_payload_add(to, tv_report_name(r, "graph", "n", "", name), TV_U32, count, n, &r->coding);
	tv_payload_add(to, tv_report_name(r, "graph", "back", "", name), TV_U32, back, used, NULL);
	tv_payload_add(to, tv_report_name(r, "graph", "late", "", name), TV_U32, late, n, NULL);
	tv_free(row);
	tv_free(count);
	tv_free(back);
	tv_free(late);
	tv_free(before);
}

/* Whether DependsOn of a row lists the jobs of the graph's edges, in their order. */
static bool as_in_graph(const struct tv_report_run *r, const struct tv_dag *dag,
			const struct tv_column *job, const struct tv_column *list, uint32_t row)
{
	uint32_t n, node = dag->node_of_row[row];
	const uint32_t *label = tv_list(list, row, &n), *pred;

	if (node == TV_NONE || dag->row[node] != row || job == NULL || job->pool != list->pool
	    || n != dag->first[node + 1] - dag->first[node] || tv_missing(list, row) != (n == 0))
		return false;
	pred = dag->pred + dag->first[node];
	for (uint32_t k = 0; k < n; k++)
		if (job->u[dag->row[pred[k]]] != label[k]
		    || r->number[dag->row[pred[k]]] == TV_NONE)
			return false;
	return true;
}

/* The texts of DependsOn that do not follow from the graph, by row. dag: NULL = there is none. */
static void add_depends(const struct tv_report_run *r, const struct tv_dag *dag)
{
	const struct tv_table *tasks = &r->run->trace->table[TV_TASKS];
	const struct tv_column *list = tv_table_find(tasks, "DependsOn"),
			       *job = tv_table_find(tasks, "JobId");
	uint32_t n = list == NULL ? 0 : r->n, used = 0, *row, *text;
	char name[TV_REPORT_NAME];

	row = tv_alloc(n, sizeof *row);
	text = tv_alloc(n, sizeof *text);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t at = r->row[i];
		char *written;
		size_t size;

		if (dag != NULL ? as_in_graph(r, dag, job, list, at) : tv_missing(list, at))
			continue;
		size = tv_cell_text(list, at, NULL, 0);
		written = tv_alloc(size + 1, 1);
		tv_cell_text(list, at, written, size + 1);
		row[used] = i;
		text[used++] = tv_missing(list, at) ? TV_NONE
						    : tv_intern(r->strings, written, size);
		tv_free(written);
	}
	tv_payload_add(&r->html->payload, tv_report_name(r, "depends", "row", "", name), TV_U32,
		       row, used, NULL);
	tv_payload_add(&r->html->payload, tv_report_name(r, "depends", "text", "", name), TV_U32,
		       text, used, NULL);
	tv_free(row);
	tv_free(text);
}

uint32_t *tv_report_last(const struct tv_report_run *r, const struct tv_dag *dag,
			 const struct tv_table *deps)
{
	const struct tv_tasks *tasks = &r->run->tasks;
	const struct tv_column *job = tv_table_find(deps, "LastDependency"),
			       *segment = tv_table_find(deps, "LastSegment");
	uint32_t *last = tv_alloc(tasks->n, sizeof *last);
	struct tv_map rows = { 0 };

	for (uint32_t v = 0; v < dag->n; v++)
		if (tv_dag_job(dag, v) != TV_NONE)
			tv_map_put(&rows, tv_dag_job(dag, v), (uint64_t)tv_dag_segment(dag, v),
				   dag->row[v]);
	for (uint32_t i = 0; i < tasks->n; i++) {
		const uint32_t *row;
		int64_t number = segment != NULL && !tv_missing(segment, i) ? segment->i[i] : 0;

		last[i] = TV_NONE;
		if (tv_missing(job, i) || job->u[i] == TV_NONE)
			continue;
		row = tv_map_get(&rows, job->u[i], (uint64_t)number);
		if (row != NULL)
			last[i] = *row;
	}
	tv_map_release(&rows);
	return last;
}

/* Last dependency, release and delay of each task. Releases are near the end of the last
 * dependency, or the submission where there is none, delays are Start - Release but for jobs that ran several times. */
void tv_report_graph(const struct tv_report_run *r)
{
	static const char *const left_out[] = { "LastDependency", "LastSegment", "Dependencies",
						"Exclusions", "DependencySegments" };
	const struct tv_table *deps, *part;
	const struct tv_pass *of = tv_pass_find("deps");
	struct tv_error none = { 0 };
	const struct tv_dag *dag = tv_run_dag(r->run, &none);
	struct tv_near_column release[TV_NEAR_COLUMNS] = {
		{ .table = "tasks",
		  .column = "End",
		  .of = tv_table_find(r->tasks, "End"),
		  .at_table = "graph",
		  .at_column = "last" },
		{ .table = "tasks",
		  .column = "SubmitTime",
		  .of = tv_table_find(r->tasks, "SubmitTime"),
		  .at_table = "graph",
		  .at_column = "alone" },
	};
	struct tv_near_column delay[TV_NEAR_COLUMNS] = {
		{ .table = "tasks", .column = "Start", .of = tv_table_find(r->tasks, "Start") },
		{ .table = "deps", .column = "Released", .minus = true },
	};
	struct tv_table taken;
	uint32_t *last, *all, *alone, near;

	add_depends(r, dag);
	deps = dag == NULL ? NULL : tv_report_pass(r, "deps");
	if (deps == NULL)
		return;
	all = tv_report_last(r, dag, deps);
	last = tv_alloc(r->n, sizeof *last);
	alone = tv_alloc(r->n, sizeof *alone);
	for (uint32_t i = 0; i < r->n; i++) {
		last[i] = all[r->row[i]] == TV_NONE ? TV_NONE : r->number[all[r->row[i]]];
		alone[i] = last[i] == TV_NONE ? i : TV_NONE;
	}
	tv_free(all);
	part = tv_report_part(r, deps, &taken);
	release[0].at = last;
	release[1].at = alone;
	near = release[1].of != NULL && release[1].of->type == TV_TIME ? 2 : 1;
	delay[1].of = tv_table_find(part, "Released");
	add_graph(r, dag, last);
	tv_report_open(r, "deps", part->nrows);
	for (size_t i = 0; i < part->ncols; i++) {
		const struct tv_column *column = part->col[i];
		bool late = strcmp(column->name, "Delay") == 0;

		if (tv_is_any(column->name, left_out, TV_COUNT(left_out)))
			continue;
		tv_report_column(r, "deps", column, part->nrows, late ? delay : release,
				 late					 ? TV_NEAR_COLUMNS
				 : strcmp(column->name, "Released") == 0 ? near
									 : 0,
				 tv_report_field(of->column, of->ncolumns, column->name));
	}
	tv_report_close(r);
	tv_table_release(&taken);
	tv_free(last);
	tv_free(alone);
}
