/* SPDX-License-Identifier: GPL-3.0-or-later */
/* open_fronts.c -- how many fronts are open, and how many of them compute, over time. */
#include "analysis/shared/common.h"
#include "analysis/shared/curves.h"
#include "analysis/shared/fronts.h"
#include "analysis/shared/spans.h"
#include "trace/alloc.h"

struct work {
	struct tv_fronts fronts;
	struct tv_curves curves;
	struct tv_sum sum[2]; /* not pruned, pruned */
	uint32_t type[2];
	struct tv_span *span; /* room for the executions of any front */
};

static void flush(struct work *work, const char *name)
{
	for (int t = 0; t < 2; t++) {
		struct tv_steps steps;

		tv_sum_steps(&work->sum[t], &steps);
		tv_curves_write_one(&work->curves, name, work->type[t], &steps);
		tv_steps_release(&steps);
	}
}

static int write_open(struct work *work, struct tv_error *err)
{
	for (uint32_t f = 0; f < work->fronts.n; f++) {
		const struct tv_front *front = &work->fronts.front[f];

		if (tv_sum_add(&work->sum[front->pruned], front->start, front->end, 1, err) < 0)
			return -1;
	}
	flush(work, "open");
	return 0;
}

/* When at least one computing task of the front runs. row[0..n): its executions. */
static int add_computing(struct work *work, const struct tv_front *front, const uint32_t *row,
			 uint32_t n, struct tv_error *err)
{
	const struct tv_tasks *tasks = &work->fronts.run->tasks;
	uint32_t count = 0;

	for (uint32_t i = 0; i < n; i++)
		if (tv_front_computes(tv_front_role(&work->fronts, row[i])))
			work->span[count++] = (struct tv_span){ tasks->start[row[i]],
								tasks->end[row[i]] };
	count = tv_spans_merge(work->span, count, (struct tv_span){ front->start, front->end });
	for (uint32_t i = 0; i < count; i++)
		if (tv_sum_add(&work->sum[front->pruned], work->span[i].begin, work->span[i].end, 1,
			       err)
		    < 0)
			return -1;
	return 0;
}

static int write_computing(struct work *work, struct tv_error *err)
{
	const struct tv_fronts *fronts = &work->fronts;
	struct tv_groups rows;
	int rc = 0;

	tv_groups_init(&rows, fronts->of_row, fronts->run->tasks.n, fronts->n);
	work->span = tv_alloc(fronts->run->tasks.n, sizeof *work->span);
	for (uint32_t f = 0; f < fronts->n && rc == 0; f++)
		rc = add_computing(work, &fronts->front[f], rows.row + rows.first[f],
				   rows.first[f + 1] - rows.first[f], err);
	tv_groups_release(&rows);
	if (rc == 0)
		flush(work, "computing");
	return rc;
}

static int write_all(struct work *work, struct tv_run *run, struct tv_table *out,
		     struct tv_error *err)
{
	int64_t begin, end;

	if (tv_run_interval(run, &begin, &end, err) < 0
	    || tv_step_check(begin, end, work->curves.step_ns, 4, err) < 0)
		return -1;
	tv_sum_init(&work->sum[0], begin, end);
	tv_sum_init(&work->sum[1], begin, end);
	tv_front_types(out->pool, work->type);
	return write_open(work, err) < 0 ? -1 : write_computing(work, err);
}

static int run_open_fronts(struct tv_run *run, const struct tv_options *options,
			   struct tv_table *out, struct tv_error *err)
{
	struct work work = { 0 };
	int rc = -1;

	tv_curves_init_bare(&work.curves, run, options, out);
	if (tv_fronts_init(&work.fronts, run, err) == 0)
		rc = write_all(&work, run, out, err);
	tv_sum_release(&work.sum[0]);
	tv_sum_release(&work.sum[1]);
	tv_free(work.span);
	tv_fronts_release(&work.fronts);
	return rc;
}

static const struct tv_option_spec options[] = { TV_OPTION_STEP_MEANS };

const struct tv_pass tv_pass_open_fronts = {
	.name = "open-fronts",
	.summary = "Open fronts of a multifrontal factorization over time",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_FRONTS,
	.needs = "",
	.option = options,
	.noptions = TV_COUNT(options),
	.column = tv_curve_columns,
	.ncolumns = TV_CURVE_COLUMNS,
	.notes = TV_FRONT_NOTES
	"open       fronts between the first Start and the last End of their tasks: from\n"
	"           init_front (or do_subtree) until clean_front has ended, pruned ones\n"
	"           that are never cleaned until do_subtree has ended\n"
	"computing  those of them of which a computing task runs\n"
	"By: pruned, not pruned.\n"
	"Source: StarVZ's active nodes, which never closes pruned ones.",
	.example = "traceviz open-fronts --step 10 data/qr-mumps-like.csv",
	.run = run_open_fronts,
};
