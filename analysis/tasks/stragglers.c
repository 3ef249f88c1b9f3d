/* SPDX-License-Identifier: GPL-3.0-or-later */
/* stragglers.c -- nodes that start late, end late, or are longer busy than the others. */
#include <math.h>

#include "analysis/core/run.h"
#include "analysis/core/statistics.h"
#include "analysis/core/team.h"
#include "analysis/core/warnings.h"
#include "trace/alloc.h"
#include "trace/number.h"

#define COLUMNS(X) \
	X(NODE, "Node", TV_LABEL, false, "", "node") \
	X(WORKERS, "Workers", TV_INT, false, "", "number of its workers") \
	X(START, "Start", TV_TIME, false, "ms", "first start of its tasks; missing = none ran") \
	X(END, "End", TV_TIME, false, "ms", "last end of its tasks") \
	X(MAKESPAN, "Makespan", TV_TIME, false, "ms", "End minus the first Start of the run") \
	X(BUSY, "Busy", TV_TIME, false, "ms", "time in tasks, mean over all of its workers") \
	X(IDLENESS, "Idleness", TV_DOUBLE, false, "%", \
	  "mean Idleness of its workers, as in idleness") \
	X(LATE_START, "LateStart", TV_INT, false, "", "1 = it starts much later than others") \
	X(LATE_END, "LateEnd", TV_INT, false, "", "1 = it ends much later than others") \
	X(MORE_WORK, "MoreWork", TV_INT, false, "", "1 = it is much longer busy than others")

TV_COLUMNS(columns, COLUMNS)

/* The rule: above the median of the nodes by more than that many standard deviations, which are
 * estimated from the median absolute deviation, and by more than a share of the makespan. */
static const double deviations = 3.5, consistency = 1.4826, share_min = 0.05;

struct node {
	uint32_t workers; /* selected ones */
	uint32_t all;
	bool active;	    /* a counted task ran there */
	int64_t start, end; /* ns, of its counted tasks */
	tv_int128 busy;	    /* ns, sum over all of its workers */
	double idle;	    /* percent, sum over the selected ones */
};

struct straggling {
	struct tv_run *run;
	struct node *node; /* by place in tasks->node */
	double *value, *buffer;
};

static void take_times(struct node *node, int64_t start, int64_t end)
{
	if (!node->active || start < node->start)
		node->start = start;
	if (!node->active || end > node->end)
		node->end = end;
	node->active = true;
}

static int add_rows(void *state, struct tv_run *part, struct tv_error *err)
{
	const struct straggling *work = state;
	const struct tv_tasks *tasks = &part->tasks;

	(void)err;
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row])
			take_times(&work->node[tasks->workers[tasks->worker[row]].node],
				   tasks->start[row], tasks->end[row]);
	return 0;
}

/* Those of all processes. */
static void share_times(const struct straggling *work)
{
	uint32_t nnodes = work->run->tasks.nnodes;
	struct tv_parcel pack = { 0 };
	struct tv_gathered all;

	tv_pack_bytes(&pack, work->node, nnodes * sizeof *work->node);
	all = tv_team_gather(work->run->team, &pack);
	for (uint32_t rank = 0; rank < all.n; rank++) {
		struct tv_unpack from = tv_gathered_of(&all, rank);

		for (uint32_t k = 0; k < nnodes; k++) {
			struct node node;

			tv_unpack_bytes(&from, &node, sizeof node);
			if (node.active)
				take_times(&work->node[k], node.start, node.end);
		}
	}
	tv_gathered_release(&all);
}

static int read_nodes(struct straggling *work, struct tv_error *err)
{
	const struct tv_tasks *tasks = &work->run->tasks;
	const struct tv_table *table = tv_run_pass_with(work->run, "idleness", err, NULL);
	const struct tv_column *busy, *idle;

	if (table == NULL)
		return -1;
	busy = tv_table_find(table, "Busy");
	idle = tv_table_find(table, "Idleness");
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		struct node *node = &work->node[tasks->workers[w].node];
		bool chosen = tv_run_has(work->run, w);

		node->all++;
		node->workers += chosen;
		node->busy += busy->i[w];
		node->idle += chosen && !tv_missing(idle, w) ? idle->d[w] : 0;
	}
	if (tv_run_rows(work->run, add_rows, work, err) < 0)
		return -1;
	if (work->run->team != NULL)
		share_times(work);
	return 0;
}

/* ns after the start of the run, or of busy time per worker. */
static double value_of(const struct straggling *work, const struct node *node, int column)
{
	const struct tv_tasks *tasks = &work->run->tasks;

	if (column == LATE_START)
		return (double)(node->start - tasks->begin);
	if (column == LATE_END)
		return (double)(node->end - tasks->begin);
	return (double)node->busy / node->all;
}

/* Above which value a node stands out from the others, whatever nodes are selected. */
static double limit_of(struct straggling *work, int column)
{
	const struct tv_tasks *tasks = &work->run->tasks;
	double median, scale;
	size_t n = 0;

	for (uint32_t k = 0; k < tasks->nnodes; k++)
		if (work->node[k].active)
			work->value[n++] = value_of(work, &work->node[k], column);
	tv_sort_numbers(work->value, n);
	median = tv_quantile(work->value, n, 0.5);
	for (size_t i = 0; i < n; i++)
		work->buffer[i] = fabs(work->value[i] - median);
	tv_sort_numbers(work->buffer, n);
	scale = consistency * tv_quantile(work->buffer, n, 0.5);
	return median
	     + fmax(deviations * scale, share_min * (double)(tasks->finish - tasks->begin));
}

static void write_nodes(struct straggling *work, struct tv_table *out)
{
	const struct tv_tasks *tasks = &work->run->tasks;
	struct tv_column *const *to = out->col;
	double limit[MORE_WORK + 1];

	for (int c = LATE_START; c <= MORE_WORK; c++)
		limit[c] = limit_of(work, c);
	for (uint32_t k = 0; k < tasks->nnodes; k++) {
		const struct node *node = &work->node[k];
		uint32_t row;

		if (node->workers == 0)
			continue;
		row = tv_table_add_row(out);
		tv_set_label(to[NODE], row, tasks->node[k].label);
		tv_set_int(to[WORKERS], row, node->workers);
		tv_set_int(to[BUSY], row, llround((double)node->busy / node->all));
		tv_set_double(to[IDLENESS], row, node->idle / node->workers);
		for (int c = LATE_START; c <= MORE_WORK; c++)
			tv_set_int(to[c], row, node->active && value_of(work, node, c) > limit[c]);
		if (!node->active)
			continue;
		tv_set_int(to[START], row, node->start);
		tv_set_int(to[END], row, node->end);
		tv_set_int(to[MAKESPAN], row, node->end - tasks->begin);
	}
}

static int run_stragglers(struct tv_run *run, const struct tv_options *options,
			  struct tv_table *out, struct tv_error *err)
{
	const struct tv_tasks *tasks = &run->tasks;
	struct straggling work = { .run = run };
	int rc;

	(void)options;
	tv_warn_workers(run);
	work.node = tv_alloc(tasks->nnodes, sizeof *work.node);
	work.value = tv_alloc(tasks->nnodes, sizeof *work.value);
	work.buffer = tv_alloc(tasks->nnodes, sizeof *work.buffer);
	rc = read_nodes(&work, err);
	if (rc == 0)
		write_nodes(&work, out);
	tv_free(work.node);
	tv_free(work.value);
	tv_free(work.buffer);
	return rc;
}

static bool is_in_parts(const struct tv_options *options)
{
	(void)options;
	return true;
}

const struct tv_pass tv_pass_stragglers = {
	.name = "stragglers",
	.summary = "Nodes that start late, end late, or are longer busy than others",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_NODES,
	.columns = "Cpu CpuEnd",
	.in_parts = is_in_parts,
	.unordered = true,
	.beside = 20,
	.needs = "states resources",
	.sums = true,
	TV_PASS_COLUMNS(columns),
	.notes = "LateStart, LateEnd and MoreWork are 1 if Start, End or Busy is above the median\n"
		 "of all nodes by more than 3.5 robust standard deviations (1.4826 x the median\n"
		 "absolute deviation from the median) and by more than 5 % of the makespan.\n"
		 "Nodes without tasks do not count. Of two nodes none deviates.",
	.example = "traceviz stragglers data/cholesky-2nodes",
	.windowless = true,
	.run = run_stragglers,
};
