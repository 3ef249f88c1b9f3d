/* SPDX-License-Identifier: GPL-3.0-or-later */
/* graph.c -- dependencies, releases and delays of a run. */
#include <string.h>

#include "dag/dag.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "views/report/columns.h"

/* Predecessors by row of tasks, and of which row the job is known; last: by row, that of its last
 * dependency. */
static void add_graph(const struct tv_report_run *r, const struct tv_dag *dag, const uint32_t *last)
{
	struct tv_payload *to = &r->html->payload;
	uint32_t n = r->run->tasks.n, *row = tv_alloc(n, sizeof *row),
		 *first = tv_alloc((size_t)n + 1, sizeof *first),
		 *back = tv_alloc(dag->nedges, sizeof *back), used = 0;
	char name[TV_REPORT_NAME];

	for (uint32_t i = 0; i < n; i++) {
		uint32_t node = dag->node_of_row[i];

		row[i] = node == TV_NONE ? i : dag->row[node];
		for (uint32_t k = 0;
		     node != TV_NONE && row[i] == i && k < dag->first[node + 1] - dag->first[node];
		     k++)
			back[used++] = i - dag->row[dag->pred[dag->first[node] + k]];
		first[i + 1] = used;
	}
	tv_payload_add(to, tv_report_name(r, "graph", "row", "", name), TV_U32, row, n,
		       TV_DELTA | TV_ZIGZAG | TV_SPLIT);
	tv_payload_add(to, tv_report_name(r, "graph", "first", "", name), TV_U32, first,
		       (size_t)n + 1, TV_DELTA | TV_SPLIT);
	tv_payload_add(to, tv_report_name(r, "graph", "back", "", name), TV_U32, back, used,
		       TV_ZIGZAG | TV_SPLIT);
	tv_payload_add(to, tv_report_name(r, "graph", "last", "", name), TV_U32, last, n,
		       TV_DELTA | TV_ZIGZAG | TV_SPLIT);
	tv_free(row);
	tv_free(first);
	tv_free(back);
}

/* The row of tasks of each row's last dependency; TV_NONE = none. */
static uint32_t *find_last(const struct tv_report_run *r, const struct tv_dag *dag,
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
 * dependency, delays are Start - Release but for jobs that ran several times. */
void tv_report_graph(const struct tv_report_run *r)
{
	static const char *const left_out[] = { "LastDependency", "LastSegment", "Dependencies",
						"Exclusions", "DependencySegments" };
	const struct tv_table *tasks = &r->run->trace->table[TV_TASKS], *deps;
	const struct tv_pass *of = tv_pass_find("deps");
	struct tv_error none = { 0 };
	const struct tv_dag *dag = tv_run_dag(r->run, &none);
	struct tv_near_column release = { "tasks", "End",  tv_table_find(tasks, "End"),
					  "graph", "last", NULL,
					  false };
	struct tv_near_column delay[TV_NEAR_COLUMNS] = {
		{ "tasks", "Start", tv_table_find(tasks, "Start"), NULL, NULL, NULL, false },
		{ "deps", "Release", NULL, NULL, NULL, NULL, true },
	};
	uint32_t *last;

	deps = dag == NULL ? NULL : tv_report_pass(r, "deps");
	if (deps == NULL)
		return;
	last = find_last(r, dag, deps);
	release.at = last;
	delay[1].of = tv_table_find(deps, "Release");
	add_graph(r, dag, last);
	tv_report_open(r, "deps", deps->nrows);
	for (size_t i = 0; i < deps->ncols; i++) {
		const struct tv_column *column = deps->col[i];
		bool late = strcmp(column->name, "Delay") == 0;

		if (tv_is_any(column->name, left_out, TV_COUNT(left_out)))
			continue;
		tv_report_column(r, "deps", column, deps->nrows, late ? delay : &release,
				 late					? TV_NEAR_COLUMNS
				 : strcmp(column->name, "Release") == 0 ? 1u
									: 0u,
				 tv_report_field(of->column, of->ncolumns, column->name));
	}
	tv_report_close(r);
	tv_free(last);
}
