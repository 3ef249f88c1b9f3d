/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tree.c -- the elimination tree of a multifrontal factorization: one row per front. */
#include <math.h>

#include "analysis/core/columns.h"
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

#define TASK_COLUMNS(X) \
	X(TASK_JOB, "JobId", TV_LABEL, false, "", "task") \
	X(TASK_VALUE, "Value", TV_LABEL, false, "", "its type") \
	X(TASK_RESOURCE, "ResourceId", TV_LABEL, false, "", "its worker") \
	X(TASK_START, "Start", TV_TIME, false, "ms", "its start") \
	X(TASK_END, "End", TV_TIME, false, "ms", "its end") \
	X(TASK_ANODE, "ANode", TV_INT, false, "", "number of its front; missing: it has none") \
	X(TASK_POSITION, "Position", TV_INT, false, "", "of that front")

TV_COLUMNS(task_columns, TASK_COLUMNS)

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

static void write_fronts(const struct tv_fronts *fronts, struct tv_table *out)
{
	struct sum *sum = tv_alloc(fronts->n, sizeof *sum);
	uint32_t type[2];

	tv_add_fields(out, columns, TV_COUNT(columns));
	add_rows(fronts, sum);
	tv_front_types(out->pool, type);
	out->nrows = fronts->n;
	for (uint32_t f = 0; f < fronts->n; f++)
		write_front(out->col, fronts, f, &sum[f], type);
	tv_free(sum);
}

/* A row for each one of the table, in its order. */
static void write_tasks(const struct tv_fronts *fronts, struct tv_table *out)
{
	const struct tv_tasks *tasks = &fronts->run->tasks;
	struct tv_column *const *to;

	tv_add_fields(out, task_columns, TV_COUNT(task_columns));
	to = out->col;
	out->nrows = tasks->n;
	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t f = fronts->of_row[row];

		tv_set_label(to[TASK_JOB], row, tasks->job != NULL ? tasks->job[row] : TV_NONE);
		tv_set_label(to[TASK_VALUE], row,
			     tasks->value != NULL ? tasks->value[row] : TV_NONE);
		if (f == TV_NONE)
			continue;
		tv_set_label(to[TASK_RESOURCE], row, tasks->workers[tasks->worker[row]].resource);
		tv_set_int(to[TASK_START], row, tasks->start[row]);
		tv_set_int(to[TASK_END], row, tasks->end[row]);
		tv_set_int(to[TASK_ANODE], row, fronts->front[f].number);
		tv_set_int(to[TASK_POSITION], row, fronts->front[f].position);
	}
}

struct asked {
	bool tasks;
};

static int run_tree(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		    struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct tv_fronts fronts;
	int rc = tv_fronts_init(&fronts, run, err);

	if (rc == 0)
		rc = tv_fronts_tree(&fronts, err);
	if (rc == 0)
		(asked->tasks ? write_tasks : write_fronts)(&fronts, out);
	tv_fronts_release(&fronts);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "tasks", NULL, NULL, "a row for each task instead: its front and where it is",
	  TV_ASKED(tasks) },
};

static const struct tv_columns forms[] = { { task_columns, TV_COUNT(task_columns), "--tasks" } };

const struct tv_pass tv_pass_tree = {
	.name = "tree",
	.summary = "Elimination tree of a multifrontal factorization (qr_mumps)",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_FRONTS,
	.ranked = "Time",
	.varies = true,
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_FORMS(forms),
	TV_PASS_COLUMNS(columns),
	.notes = TV_FRONT_NOTES
	"Parents are those of the column ANodeParent. Without it they follow from the\n"
	"dependencies: the parent is, of the fronts whose computing tasks depend on one\n"
	"of this front, directly or through tasks that do not compute, the one whose\n"
	"computing ends first. Start, End and Memory cover all executions of the front,\n"
	"the other columns the counted ones (see --kind). A window changes nothing.\n"
	"--tasks gives a row for each row of tasks, in their order, without times where a task\n"
	"has no front.\n"
	"Source: StarVZ's elimination tree (Order); Position is ours.",
	.example = "traceviz tree data/qr-mumps-like.csv",
	.run = run_tree,
};
