/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ready_rows.c -- tasks from their release to their Start. */
#include "analysis/core/ready_rows.h"

#include "trace/alloc.h"

uint64_t tv_each_ready(const struct tv_dag *dag,
		       void (*span)(void *to, uint32_t row, int64_t release, int64_t start),
		       void *to)
{
	bool at_once = dag->are_rows && dag->noutside == 0;
	int64_t *released = at_once ? NULL
				    : tv_alloc((size_t)dag->n + dag->noutside, sizeof *released);
	uint64_t early = 0;

	if (released != NULL)
		tv_dag_released(dag, released);
	for (uint32_t v = 0; v < dag->n; v++) {
		uint32_t row = dag->row[v];
		bool pending = dag->tasks->pending[row];
		int64_t start = pending ? INT64_MAX : dag->start[v], release;

		if (!dag->task[v] && !pending)
			continue;
		release = tv_dag_released_at(dag, released, v);
		early += !pending && release > start;
		span(to, row, release, start);
	}
	tv_free(released);
	return early;
}

int tv_check_releases(struct tv_run *run, struct tv_error *err)
{
	bool edges = tv_run_depends(run);

	if (!edges && run->tasks.submit == NULL)
		return tv_fail(err, "ready: the tasks have neither DependsOn "
				    "nor SubmitTime, so nothing says when they were released");
	if (!edges)
		tv_run_warn(run, "the tasks have no dependencies: ready is submitted and "
				 "not started");
	return 0;
}

void tv_warn_early(struct tv_run *run, uint64_t early)
{
	if (early != 0)
		tv_run_warn(run,
			    "%llu tasks started before they were released: they are never "
			    "ready",
			    (unsigned long long)early);
}

int tv_ready_rows_init(struct tv_ready_rows *ready, struct tv_run *run, const char *by,
		       int64_t step_ns, struct tv_table *out, struct tv_error *err)
{
	*ready = (struct tv_ready_rows){ 0 };
	if (tv_check_releases(run, err) < 0
	    || tv_curve_rows_init(&ready->rows, run, by, step_ns, 1, NULL, out, err) < 0)
		return -1;
	ready->rows.pending = true;
	return 0;
}

static void count_span(void *to, uint32_t row, int64_t release, int64_t start)
{
	tv_curve_rows_count(to, row, 0, release, start);
}

int tv_ready_rows_add(struct tv_ready_rows *ready, struct tv_run *part, struct tv_error *err)
{
	const struct tv_dag *dag = tv_run_dag(part, err);

	if (dag == NULL || tv_curve_rows_begin(&ready->rows, part, err) < 0)
		return -1;
	ready->early += tv_each_ready(dag, count_span, &ready->rows);
	tv_curve_rows_put_away(&ready->rows);
	return 0;
}

int tv_ready_rows_end(struct tv_ready_rows *ready, struct tv_error *err)
{
	struct tv_run *run = ready->rows.to.run;

	if (tv_curve_rows_end(&ready->rows, err) < 0)
		return -1;
	tv_team_add(run->team, &ready->early, 1);
	tv_warn_early(run, ready->early);
	tv_curve_rows_write(&ready->rows, 0, "ready");
	return 0;
}

void tv_ready_rows_release(struct tv_ready_rows *ready)
{
	tv_curve_rows_release(&ready->rows);
}
