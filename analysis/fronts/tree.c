/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tree.c -- the elimination tree of a multifrontal factorization: one row per front. */
#include <math.h>

#include "analysis/fronts/fronts.h"
#include "trace/alloc.h"
#include "trace/number.h"

#define COLUMNS(X) \
	X(ANODE, "ANode", TV_INT, false, "", "number of the front") \
	X(PARENT, "Parent", TV_INT, false, "", "number of its parent; missing for a root") \
	X(DEPTH, "Depth", TV_INT, false, "", "depth in the tree; a root has 0") \
	X(TYPE, "Type", TV_LABEL, false, "", "pruned (computed by do_subtree), not pruned") \
	X(ORDER, "Order", TV_INT, false, "", \
	  "rank by submission of the first computing task, from 1; of a pruned front its " \
	  "parent's") \
	X(POSITION, "Position", TV_INT, false, "", \
	  "rank in post-order, siblings by Order, from 1; of a pruned front its " \
	  "parent's") \
	X(START, "Start", TV_TIME, false, "ms", "when it opens: first Start of its tasks") \
	X(END, "End", TV_TIME, false, "ms", "when it closes: last End of its tasks") \
	X(COMPUTE_START, "ComputeStart", TV_TIME, false, "ms", \
	  "first Start of its computing tasks") \
	X(COMPUTE_END, "ComputeEnd", TV_TIME, false, "ms", "last End of its computing tasks") \
	X(TASKS, "Tasks", TV_INT, false, "", "number of its tasks; a team counts once") \
	X(TIME, "Time", TV_TIME, false, "ms", "sum of the durations of their executions") \
	X(GFLOP, "GFlop", TV_DOUBLE, false, "GFlop", \
	  "work of its computing tasks without do_subtree") \
	X(MEMORY, "Memory", TV_DOUBLE, false, "MB", "memory of the front")

TV_COLUMNS(columns, COLUMNS)

/* What the tasks of a front did. */
struct sum {
	int64_t tasks;	      /* a team is one */
	tv_int128 busy;	      /* ns */
	double gflop, memory; /* work; GB taken */
};

static void add_rows(const struct tv_fronts *fronts, struct sum *sum)
{
	const struct tv_tasks *tasks = &fronts->run->tasks;
	const struct tv_column *gflop = tv_table_find(&tasks->trace->table[TV_TASKS], "GFlop");

	for (uint32_t row = 0; row < tasks->n; row++) {
		struct sum *to = fronts->of_row[row] == TV_NONE ? NULL : &sum[fronts->of_row[row]];

		if (to == NULL)
			continue;
		if (tv_front_role(fronts, row) != TV_FRONT_COMPUTE)
			to->memory += fmax(0, tv_front_memory(fronts, row));
		else if (tasks->leads[row] && gflop != NULL && !tv_missing(gflop, row))
			to->gflop += gflop->d[row];
		if (!tasks->counted[row])
			continue;
		to->tasks += tasks->leads[row];
		to->busy += tv_row_time(tasks, row);
	}
}

static void write_front(struct tv_column *const *to, const struct tv_fronts *fronts, uint32_t f,
			const struct sum *sum, const uint32_t *type)
{
	const struct tv_front *front = &fronts->front[f];

	tv_set_int(to[ANODE], f, front->number);
	tv_set_int(to[DEPTH], f, front->depth);
	tv_set_label(to[TYPE], f, type[front->pruned]);
	tv_set_int(to[ORDER], f, front->order);
	tv_set_int(to[POSITION], f, front->position);
	tv_set_int(to[START], f, front->start);
	tv_set_int(to[END], f, front->end);
	tv_set_int(to[TASKS], f, sum->tasks);
	tv_set_int(to[TIME], f, tv_sum_ns(sum->busy));
	tv_set_double(to[GFLOP], f, sum->gflop);
	tv_set_double(to[MEMORY], f, sum->memory * TV_FRONT_MB);
	if (front->parent != TV_NONE)
		tv_set_int(to[PARENT], f, fronts->front[front->parent].number);
	if (front->computed) {
		tv_set_int(to[COMPUTE_START], f, front->compute_start);
		tv_set_int(to[COMPUTE_END], f, front->compute_end);
	}
}

static int run_tree(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		    struct tv_error *err)
{
	struct tv_fronts fronts;
	struct sum *sum = NULL;
	uint32_t type[2];
	int rc = -1;

	(void)options;
	if (tv_fronts_init(&fronts, run, err) == 0 && tv_fronts_tree(&fronts, err) == 0) {
		sum = tv_alloc(fronts.n, sizeof *sum);
		add_rows(&fronts, sum);
		tv_front_types(out->pool, type);
		out->nrows = fronts.n;
		for (uint32_t f = 0; f < fronts.n; f++)
			write_front(out->col, &fronts, f, &sum[f], type);
		rc = 0;
	}
	tv_free(sum);
	tv_fronts_release(&fronts);
	return rc;
}

const struct tv_pass tv_pass_tree = {
	.name = "tree",
	.summary = "Elimination tree of a multifrontal factorization (qr_mumps)",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_FRONTS,
	.ranked = "Time",
	TV_PASS_COLUMNS(columns),
	.notes = TV_FRONT_NOTES
	"Parents are those of the column ANodeParent. Without it they follow from the\n"
	"dependencies: the parent is, of the fronts whose computing tasks depend on one\n"
	"of this front, directly or through tasks that do not compute, the one whose\n"
	"computing ends first. Start, End and Memory cover all executions of the front,\n"
	"the other columns the counted ones (see --kind). A window changes nothing.\n"
	"Source: StarVZ's elimination tree (Order); Position is ours.",
	.example = "traceviz tree data/qr-mumps-like.csv",
	.run = run_tree,
};
