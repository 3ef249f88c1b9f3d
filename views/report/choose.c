/* SPDX-License-Identifier: GPL-3.0-or-later */
/* choose.c -- which rows of tasks a report has. */
#include <string.h>

#include "dag/dag.h"
#include "trace/alloc.h"
#include "views/report/columns.h"

/* Counts what ran, or is a message, at some time of the window; and marks it, unless shown is NULL. */
static uint32_t mark_window(const struct tv_run *run, bool *shown)
{
	const struct tv_table *tasks = &run->trace->table[TV_TASKS];
	const struct tv_column *start = tv_table_find(tasks, "Start"),
			       *end = tv_table_find(tasks, "End");
	uint32_t n = 0;

	for (uint32_t i = 0; start != NULL && end != NULL && i < run->tasks.n; i++) {
		if (tv_missing(start, i) || tv_missing(end, i) || start->i[i] > run->window.end
		    || end->i[i] < run->window.begin)
			continue;
		n++;
		if (shown != NULL)
			shown[i] = true;
	}
	return n;
}

uint32_t tv_report_rows(const struct tv_run *run)
{
	return tv_run_cut(run) ? mark_window(run, NULL) : run->tasks.n;
}

/* Marks the last task before the window and the first one after it, of each worker: between them and
 * the window workers may be idle. Of equals the one that the gaps name (idle.c). */
static void mark_ends(const struct tv_report_run *r, bool *chosen)
{
	const struct tv_tasks *tasks = &tv_run_streams(r->run)->tasks;
	const struct tv_window *window = &r->run->window;
	uint32_t *before = tv_alloc(tasks->nworkers, sizeof *before),
		 *after = tv_alloc(tasks->nworkers, sizeof *after);

	for (uint32_t w = 0; w < tasks->nworkers; w++)
		before[w] = after[w] = TV_NONE;
	for (uint32_t i = 0; i < tasks->n; i++) {
		uint32_t w = tasks->worker[i];

		if (!tasks->executed[i])
			continue;
		if (tasks->end[i] <= window->begin
		    && (before[w] == TV_NONE || tasks->end[i] >= tasks->end[before[w]]))
			before[w] = i;
		if (tasks->start[i] >= window->end
		    && (after[w] == TV_NONE || tasks->start[i] < tasks->start[after[w]]))
			after[w] = i;
	}
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		if (before[w] != TV_NONE)
			chosen[before[w]] = true;
		if (after[w] != TV_NONE)
			chosen[after[w]] = true;
	}
	tv_free(before);
	tv_free(after);
}

/* Marks the predecessors and successors of what is shown, and the nodes that did not run between
 * them. */
static void mark_neighbors(const struct tv_dag *dag, const bool *shown, bool *chosen)
{
	bool *above = tv_alloc(dag->n, sizeof *above), *below = tv_alloc(dag->n, sizeof *below);

	for (uint32_t i = 0; i < dag->tasks->n; i++) /* a job may have several rows */
		if (shown[i] && dag->node_of_row[i] != TV_NONE)
			above[dag->node_of_row[i]] = below[dag->node_of_row[i]] = true;
	for (uint32_t k = 0; k < dag->n; k++) {
		uint32_t v = dag->order[k];
		bool next = false;

		for (uint32_t e = dag->first[v]; e < dag->first[v + 1]; e++)
			next |= above[dag->pred[e]];
		if (next || above[v])
			chosen[dag->row[v]] = true;
		above[v] |= next && !dag->timed[v];
	}
	for (uint32_t k = dag->n; k-- > 0;) {
		uint32_t v = dag->order[k];

		/* Its successors have been here. */
		for (uint32_t e = dag->first[v]; below[v] && e < dag->first[v + 1]; e++) {
			uint32_t before = dag->pred[e];

			chosen[dag->row[before]] = true;
			below[before] |= !dag->timed[before];
		}
	}
	tv_free(above);
	tv_free(below);
}

/* Marks last dependencies, back to the root. */
static void mark_chains(const struct tv_report_run *r, const struct tv_dag *dag, bool *chosen)
{
	const struct tv_table *deps = tv_report_pass(r, "deps");
	bool *walked;
	uint32_t *last;

	if (deps == NULL)
		return;
	walked = tv_alloc(r->run->tasks.n, sizeof *walked);
	last = tv_report_last(r, dag, deps);
	for (uint32_t i = 0; i < r->run->tasks.n; i++)
		for (uint32_t at = chosen[i] ? i : TV_NONE; at != TV_NONE && !walked[at];
		     at = last[at])
			walked[at] = chosen[at] = true;
	tv_free(walked);
	tv_free(last);
}

/* The row that represents the job of each chosen one. */
static void mark_jobs(const struct tv_dag *dag, bool *chosen)
{
	for (uint32_t i = 0; i < dag->tasks->n; i++)
		if (chosen[i] && dag->node_of_row[i] != TV_NONE)
			chosen[dag->row[dag->node_of_row[i]]] = true;
}

static void choose_near(struct tv_report_run *r, bool *shown)
{
	struct tv_error none = { 0 };
	const struct tv_dag *dag = tv_run_dag(r->run, &none);
	bool *chosen;

	mark_window(r->run, shown);
	if (dag != NULL)
		mark_jobs(dag, shown);
	chosen = tv_alloc(r->run->tasks.n, sizeof *chosen);
	if (r->run->tasks.n > 0)
		memcpy(chosen, shown, r->run->tasks.n * sizeof *chosen);
	mark_ends(r, chosen);
	if (dag != NULL) {
		mark_neighbors(dag, shown, chosen);
		mark_chains(r, dag, chosen);
		mark_jobs(dag, chosen);
	}
	if (r->run->tasks.n > 0)
		memcpy(shown, chosen, r->run->tasks.n * sizeof *chosen);
	tv_free(chosen);
}

void tv_report_choose(struct tv_report_run *r, bool *shown)
{
	uint32_t n = r->run->tasks.n;
	bool cut = tv_run_cut(r->run);

	if (cut)
		choose_near(r, shown);
	r->row = tv_alloc(n, sizeof *r->row);
	r->number = tv_alloc(n, sizeof *r->number);
	r->n = 0;
	for (uint32_t i = 0; i < n; i++) {
		r->number[i] = cut && !shown[i] ? TV_NONE : r->n;
		if (r->number[i] != TV_NONE)
			r->row[r->n++] = i;
	}
}
