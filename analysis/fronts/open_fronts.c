/* SPDX-License-Identifier: GPL-3.0-or-later */
/* open_fronts.c -- how many fronts are open, and how many of them compute, over time. */
#include "analysis/core/curves.h"
#include "analysis/core/spans.h"
#include "analysis/fronts/fronts.h"
#include "trace/alloc.h"

struct open_fronts {
	struct tv_fronts fronts;
	struct tv_curves curves;
	struct tv_sum sum[2]; /* not pruned, pruned */
	uint32_t type[2];     /* labels */
};

static void flush(struct open_fronts *work, const char *name)
{
	for (int t = 0; t < 2; t++) {
		struct tv_steps steps;

		tv_sum_steps(&work->sum[t], &steps);
		tv_curves_write_one(&work->curves, name, work->type[t], &steps);
		tv_steps_release(&steps);
	}
}

static void write_open(struct open_fronts *work)
{
	for (uint32_t f = 0; f < work->fronts.n; f++) {
		const struct tv_front *front = &work->fronts.front[f];

		tv_sum_one(&work->sum[front->pruned], front->start, front->end);
	}
	flush(work, "open");
}

/* When at least one computing task of the front runs. row[0..n): its executions; span: a buffer
 * for as many. */
static void add_computing(struct open_fronts *work, const struct tv_front *front,
			  const uint32_t *row, uint32_t n, struct tv_span *span)
{
	const struct tv_tasks *tasks = &work->fronts.run->tasks;
	uint32_t count = 0;

	for (uint32_t i = 0; i < n; i++)
		if (tv_front_computes(tv_front_role(&work->fronts, row[i])))
			span[count++] = (struct tv_span){ tasks->start[row[i]],
							  tasks->end[row[i]] };
	count = tv_spans_merge(span, count, (struct tv_span){ front->start, front->end });
	for (uint32_t i = 0; i < count; i++)
		tv_sum_one(&work->sum[front->pruned], span[i].begin, span[i].end);
}

static void write_computing(struct open_fronts *work)
{
	const struct tv_fronts *fronts = &work->fronts;
	struct tv_groups rows;
	struct tv_span *span;

	tv_groups_init(&rows, fronts->of_row, fronts->run->tasks.n, fronts->n);
	span = tv_alloc(tv_groups_max(&rows), sizeof *span);
	for (uint32_t f = 0; f < fronts->n; f++)
		add_computing(work, &fronts->front[f], rows.row + rows.first[f],
			      rows.first[f + 1] - rows.first[f], span);
	tv_free(span);
	tv_groups_release(&rows);
	flush(work, "computing");
}

struct asked {
	int64_t step_ns;
};

static int run_open_fronts(struct tv_run *run, const struct tv_options *options,
			   struct tv_table *out, struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct open_fronts work = { 0 };
	int64_t begin, end;
	int rc = -1;

	tv_curves_init_bare(&work.curves, run, asked->step_ns, out);
	if (tv_fronts_init(&work.fronts, run, err) == 0
	    && tv_run_interval(run, &begin, &end, err) == 0
	    && tv_step_check(begin, end, work.curves.step_ns, 4, err) == 0) {
		tv_sum_init(&work.sum[0], begin, end);
		tv_sum_init(&work.sum[1], begin, end);
		tv_front_types(out->pool, work.type);
		write_open(&work);
		write_computing(&work);
		rc = 0;
	}
	tv_sum_release(&work.sum[0]);
	tv_sum_release(&work.sum[1]);
	tv_fronts_release(&work.fronts);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ TV_STEP_MEANS_ROW, TV_ASKED(step_ns) },
};

const struct tv_pass tv_pass_open_fronts = {
	.name = "open-fronts",
	.summary = "Open fronts of a multifrontal factorization over time",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_FRONTS,
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_COLUMNS(tv_curve_columns),
	.notes = TV_FRONT_NOTES
	"open       fronts between the first Start and the last End of their tasks: from\n"
	"           init_front (or do_subtree) until clean_front has ended, pruned ones\n"
	"           that are never cleaned until do_subtree has ended\n"
	"computing  open fronts of which a computing task runs\n"
	"By: pruned, not pruned.\n"
	"Source: StarVZ's active nodes, where pruned fronts never close.",
	.example = "traceviz open-fronts --step 10 data/qr-mumps-like.csv",
	.run = run_open_fronts,
};
