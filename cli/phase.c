/* SPDX-License-Identifier: GPL-3.0-or-later */
/* phase.c -- --phase K|last|all: cut a trace to one of its phases, or say that it has several. */
#include <string.h>

#include "analysis/phases.h"
#include "cli/cli.h"
#include "trace/alloc.h"
#include "trace/number.h"

/* The phase asked for, from 0; TV_NONE = all. */
static int parse_phase(const char *text, uint32_t n, uint32_t *phase, struct tv_error *err)
{
	int64_t k;

	*phase = TV_NONE;
	if (strcmp(text, "all") == 0)
		return 0;
	if (strcmp(text, "last") == 0)
		k = n;
	else if (tv_parse_int(text, strlen(text), &k) != TV_PARSE_OK || k < 1)
		return tv_fail_usage(err, "--phase '%s', expected a number from 1, last or all",
				     text);
	if (k < 1 || k > n)
		return tv_fail(err, (struct tv_pos){ 0 }, "--phase %s: the trace has %lu phase%s",
			       text, (unsigned long)n, n == 1 ? "" : "s");
	*phase = (uint32_t)(k - 1);
	return 0;
}

static int add_idle_worker(struct tv_trace *trace, const struct tv_view *view, uint32_t worker,
			   struct tv_error *err)
{
	const struct tv_worker *w = &view->workers[worker];
	struct tv_table *tasks = &trace->table[TV_TASKS];
	struct tv_column *kind = tv_trace_column(trace, TV_TASKS, "Kind", err);
	struct tv_column *type = tv_trace_column(trace, TV_TASKS, "ResourceType", err);
	struct tv_column *node = tv_trace_column(trace, TV_TASKS, "Node", err);
	struct tv_column *id = tv_trace_column(trace, TV_TASKS, "ResourceId", err);
	const char *name = tv_kind_name(TV_WORKER);
	uint32_t row;

	if (kind == NULL || type == NULL || node == NULL || id == NULL
	    || (row = tv_table_add_row(tasks, err)) == TV_NONE)
		return -1;
	if (tv_set_string(kind, row, name, strlen(name)) < 0
	    || tv_set_label(type, row, view->rtype[w->rtype].label) < 0
	    || tv_set_label(node, row, view->node[w->node].label) < 0
	    || tv_set_label(id, row, w->resource) < 0)
		return tv_fail_memory(err);
	return 0;
}

/* Keeps the rows[0..n) of tasks, and every worker, also those that lose all their tasks. */
static int keep_rows(struct tv_trace *trace, const struct tv_view *view, const uint32_t *rows,
		     uint32_t n, struct tv_error *err)
{
	struct tv_table *tasks = &trace->table[TV_TASKS], part;
	bool *seen = tv_alloc(view->nworkers, sizeof *seen);
	int rc;

	if (seen == NULL)
		return tv_fail_memory(err);
	for (uint32_t i = 0; i < n; i++)
		if (view->worker[rows[i]] != TV_NONE)
			seen[view->worker[rows[i]]] = true;
	rc = tv_table_take(tasks, rows, n, &part, err);
	if (rc == 0) {
		tv_table_replace(tasks, &part);
		/* Otherwise only workers that run tasks are known, here as in the whole trace. */
		for (uint32_t w = 0; w < view->nworkers && rc == 0 && view->workers_known; w++)
			if (!seen[w])
				rc = add_idle_worker(trace, view, w, err);
	}
	tv_free(seen);
	return rc < 0 ? -1 : tv_table_finish(tasks, err);
}

int tv_phase_cut(struct tv_trace *trace, unsigned kinds, const char *text, char **told,
		 struct tv_error *err)
{
	struct tv_phases phases = { 0 };
	struct tv_view view;
	uint32_t *rows = NULL, n = 0, phase;
	int rc;

	*told = NULL;
	if (tv_view_init(&view, trace, kinds, err) < 0)
		return -1;
	rc = tv_phases_init(&phases, &view, err);
	if (rc == 0)
		rc = parse_phase(text, phases.n, &phase, err);
	if (rc == 0 && phase != TV_NONE) {
		rows = tv_alloc(view.n, sizeof *rows);
		*told = tv_format("phase %lu of %lu", (unsigned long)phase + 1,
				  (unsigned long)phases.n);
		if (rows == NULL || *told == NULL)
			rc = tv_fail_memory(err);
		for (uint32_t row = 0; rc == 0 && row < view.n; row++) {
			uint32_t its = tv_phase_of(&phases, row);

			if (its == phase || its == TV_NONE)
				rows[n++] = row;
		}
		if (rc == 0)
			rc = keep_rows(trace, &view, rows, n, err);
	}
	tv_free(rows);
	tv_phases_release(&phases);
	tv_view_release(&view);
	return rc;
}

int tv_phase_remark(struct tv_run *run, struct tv_error *err)
{
	struct tv_phases phases;
	int rc = tv_phases_init(&phases, &run->view, err);

	if (rc == 0 && phases.n > 1)
		rc = tv_remark(run, err, "the trace has %lu phases, which this mixes: see traceviz "
			       "phases, and --phase 1, last or all", (unsigned long)phases.n);
	tv_phases_release(&phases);
	return rc;
}
