/* SPDX-License-Identifier: GPL-3.0-or-later */
/* starvation.c -- how many idle workers lack ready tasks, over time. */
#include "analysis/core/curves.h"
#include "analysis/core/warnings.h"
#include "dag/idle.h"
#include "trace/alloc.h"
#include "trace/map.h"

/* Numbers over time: of ready tasks, the others of workers. */
#define COLUMNS(X) \
	X(NODE, "Node", TV_LABEL, false, "", "with --by node the node; else missing") \
	X(START, "Start", TV_TIME, false, "ms", \
	  "start of the interval in which the numbers apply") \
	X(END, "End", TV_TIME, false, "ms", \
	  "end of that interval; with --step numbers are means over it") \
	X(WORKERS, "Workers", TV_INT, false, "", "all workers")

#define CURVE_COLUMNS(X) \
	X(READY, "Ready", TV_DOUBLE, false, "", \
	  "tasks released and not started, as in the pass ready") \
	X(IDLE, "IdleWorkers", TV_DOUBLE, false, "", "workers that execute nothing") \
	X(LACK, "Lack", TV_DOUBLE, false, "", \
	  "idle workers without a ready task, if no ready task remains") \
	X(UNFIT, "Unfit", TV_DOUBLE, false, "", \
	  "idle workers that can run none of the remaining ready tasks") \
	X(DRAIN, "Drain", TV_DOUBLE, false, "", \
	  "idle workers after the last task of their node has started")

enum { COLUMNS(TV_COLUMN_ID) CURVES /* the first of them */ };
enum curve { CURVE_COLUMNS(TV_COLUMN_ID) NCURVES };

static const struct tv_field columns[] = { COLUMNS(TV_COLUMN_ROW) CURVE_COLUMNS(TV_COLUMN_ROW) };

struct group {
	uint32_t label; /* node; TV_NONE = all */
	uint32_t nworkers;
	struct tv_sum sum[NCURVES]; /* but of READY */
	uint32_t now[NCURVES], before[NCURVES];
	int64_t since[NCURVES]; /* before[] applies from here, ns */
	bool changed;
};

struct asked {
	enum { BY_RUN, BY_NODE } by;
	int64_t step_ns; /* 0: no slices */
	enum tv_can_run can_run;
};

/* The idle workers of a node that have its cause. */
struct node {
	uint32_t cause, workers;
};

struct starvation {
	const struct asked *asked;
	struct tv_run *run;
	struct group *group;
	uint32_t ngroups;
	int64_t begin, end;
	struct tv_table *out;
	/* while time is swept */
	struct node *node;
	int64_t now;
	struct group **changed; /* now */
	uint32_t nchanged;
};

/* ---- from causes to numbers of workers ---- */

/* The curve to which idle time of that cause belongs, besides IDLE. */
static enum curve curve_of(uint32_t cause)
{
	switch (cause) {
	case TV_IDLE_IN_MPI_CALL:
	case TV_IDLE_DATA:
	case TV_IDLE_RUNTIME:
	case TV_IDLE_ELSEWHERE:
		return IDLE;
	case TV_IDLE_UNSUITED:
		return UNFIT;
	case TV_IDLE_DRAIN:
		return DRAIN;
	default:
		return LACK;
	}
}

/* Adds the number that applied since the last change. */
static void add_since(struct group *group, enum curve c, int64_t now)
{
	if (group->before[c] > 0)
		tv_sum_count(&group->sum[c], group->since[c], now, group->before[c]);
	group->before[c] = group->now[c];
	group->since[c] = now;
}

static void count(struct group *group, uint32_t cause, uint32_t more)
{
	if (curve_of(cause) != IDLE)
		group->now[curve_of(cause)] += more;
}

/* What has changed up to an instant applies from its own on. */
static void move_to(struct starvation *work, int64_t now)
{
	if (now <= work->now)
		return;
	for (uint32_t i = 0; i < work->nchanged; i++) {
		struct group *group = work->changed[i];

		for (enum curve c = IDLE; c < NCURVES; c++)
			if (group->now[c] != group->before[c])
				add_since(group, c, work->now);
		group->changed = false;
	}
	work->nchanged = 0;
	work->now = now;
}

/* The group of a node, which changes now. */
static struct group *change(struct starvation *work, int64_t now, uint32_t node)
{
	struct group *group = &work->group[work->asked->by == BY_NODE ? node : 0];

	move_to(work, now);
	if (!group->changed)
		work->changed[work->nchanged++] = group;
	group->changed = true;
	return group;
}

/* Numbers may be below 0, modulo 2^32, until all changes of an instant are known. */
static void add_state(struct group *group, struct node *node, uint32_t state, uint32_t more)
{
	group->now[IDLE] += state == TV_IDLE_BUSY ? 0 : more;
	node->workers += state == TV_IDLE_OF_NODE ? more : 0;
	if (state != TV_IDLE_BUSY)
		count(group, state == TV_IDLE_OF_NODE ? node->cause : state, more);
}

static void change_worker(void *to, int64_t now, uint32_t worker, uint32_t before, uint32_t state)
{
	struct starvation *work = to;
	uint32_t n = work->run->tasks.workers[worker].node;
	struct group *group;

	if (!tv_run_has(work->run, worker))
		return;
	group = change(work, now, n);
	add_state(group, &work->node[n], before, UINT32_MAX); /* one less */
	add_state(group, &work->node[n], state, 1);
}

static void change_node(void *to, int64_t now, uint32_t n, uint32_t cause)
{
	struct starvation *work = to;
	struct node *node = &work->node[n];
	struct group *group;

	if (node->cause == cause)
		return;
	group = change(work, now, n);
	count(group, node->cause, -node->workers);
	node->cause = cause;
	count(group, node->cause, node->workers);
}

static void sweep(struct starvation *work, const struct tv_waits *waits)
{
	/* What keeps a released task from starting makes no difference here. */
	const struct tv_fetches none = { 0 };
	const struct tv_idle_watch watch = { change_worker, change_node, work };

	work->now = work->begin;
	work->node = tv_alloc(work->run->tasks.nnodes, sizeof *work->node);
	work->changed = tv_alloc(work->ngroups, sizeof *work->changed);
	tv_idle_watch(waits, &none, work->end, &watch);
	move_to(work, work->end);
	tv_free(work->node);
	tv_free(work->changed);
	for (uint32_t g = 0; g < work->ngroups; g++)
		for (enum curve c = IDLE; c < NCURVES; c++)
			add_since(&work->group[g], c, work->end);
}

/* ---- ready tasks ---- */

/* The first row of each group in the result of the pass ready, by label; all rows of a group follow. */
static struct tv_index find_groups(const struct tv_table *ready)
{
	const struct tv_column *group = tv_table_find(ready, "By");
	struct tv_index first = { 0 };

	for (uint32_t row = ready->nrows; row-- > 0;)
		if (tv_label(group, row) != TV_NONE)
			tv_index_set(&first, tv_label(group, row), row);
	return first;
}

/* The curve of a group, whose rows begin with that one; TV_NONE = it has none. */
static void take_ready(const struct tv_table *ready, uint32_t first, int64_t end,
		       struct tv_steps *steps)
{
	const struct tv_column *group = tv_table_find(ready, "By");
	const struct tv_column *start = tv_table_find(ready, "Start");
	const struct tv_column *value = tv_table_find(ready, "Value");
	uint32_t row = first == TV_NONE ? ready->nrows : first, last = row;

	while (last < ready->nrows && tv_label(group, last) == tv_label(group, row))
		last++;
	tv_steps_init(steps, last - row, end);
	for (; row < last; row++)
		tv_steps_to(steps, start->i[row], value->d[row]);
}

/* ---- the result ---- */

static void write_row(struct starvation *work, const struct group *group, int64_t begin,
		      int64_t end, const double *value)
{
	struct tv_column *const *to = work->out->col;
	uint32_t row = tv_table_add_row(work->out);

	tv_set_label(to[NODE], row, group->label);
	tv_set_int(to[START], row, begin);
	tv_set_int(to[END], row, end);
	tv_set_int(to[WORKERS], row, group->nworkers);
	for (int c = 0; c < NCURVES; c++)
		tv_set_double(to[CURVES + c], row, value[c]);
}

/* One row from each change of any curve to the next. */
static void write_pieces(struct starvation *work, const struct group *group,
			 const struct tv_steps *steps)
{
	size_t at[NCURVES] = { 0 };
	int64_t begin = work->begin;

	while (begin < work->end) {
		double value[NCURVES];
		int64_t end = work->end;

		for (int c = 0; c < NCURVES; c++) {
			value[c] = steps[c].n > 0 ? steps[c].value[at[c]] : 0;
			if (at[c] + 1 < steps[c].n && steps[c].time[at[c] + 1] < end)
				end = steps[c].time[at[c] + 1];
		}
		for (int c = 0; c < NCURVES; c++)
			at[c] += at[c] + 1 < steps[c].n && steps[c].time[at[c] + 1] == end;
		write_row(work, group, begin, end, value);
		begin = end;
	}
}

/* One row per slice with the means; all curves have the same slices. */
static void write_slices(struct starvation *work, const struct group *group,
			 const struct tv_steps *steps)
{
	struct tv_slicer slicer[NCURVES];
	struct tv_slice slice;

	for (int c = 0; c < NCURVES; c++)
		tv_slicer_init(&slicer[c], &steps[c], work->asked->step_ns);
	for (;;) {
		double value[NCURVES];

		for (int c = 0; c < NCURVES; c++) {
			if (!tv_slicer_next(&slicer[c], &slice))
				return;
			value[c] = slice.mean;
		}
		write_row(work, group, slice.begin, slice.end, value);
	}
}

static void write_group(struct starvation *work, struct group *group, const struct tv_table *ready,
			uint32_t first)
{
	struct tv_steps steps[NCURVES];

	take_ready(ready, first, work->end, &steps[READY]);
	for (enum curve c = IDLE; c < NCURVES; c++)
		tv_sum_steps(&group->sum[c], &steps[c]);
	if (work->asked->step_ns == 0)
		write_pieces(work, group, steps);
	else
		write_slices(work, group, steps);
	for (int c = 0; c < NCURVES; c++)
		tv_steps_release(&steps[c]);
}

/* ---- the pass ---- */

static int make_groups(struct starvation *work, struct tv_error *err)
{
	const struct tv_tasks *tasks = &work->run->tasks;

	work->ngroups = work->asked->by == BY_NODE ? tasks->nnodes : 1;
	work->group = tv_alloc(work->ngroups, sizeof *work->group);
	for (uint32_t g = 0; g < work->ngroups; g++) {
		struct group *group = &work->group[g];

		group->label = work->asked->by == BY_NODE ? tasks->node[g].label : TV_NONE;
		for (enum curve c = IDLE; c < NCURVES; c++) {
			tv_sum_init(&group->sum[c], work->begin, work->end);
			group->since[c] = work->begin;
		}
	}
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		work->group[work->asked->by == BY_NODE ? tasks->workers[w].node : 0].nworkers +=
			tv_run_has(work->run, w);
	return tv_step_check(work->begin, work->end, work->asked->step_ns, work->ngroups, err);
}

static int compute(struct starvation *work, struct tv_error *err)
{
	const struct tv_dag *dag = tv_run_dag(work->run, err);
	const struct tv_table *ready;
	struct tv_waits waits;
	struct tv_index first;

	if (dag == NULL
	    || (ready = tv_run_pass_with(work->run, "ready", err, "by",
					 work->asked->by == BY_NODE ? "Node" : NULL, NULL))
		       == NULL
	    || tv_waits_init(&waits, dag, work->asked->can_run == TV_CAN_RUN_ANYWHERE, err) < 0)
		return -1;
	sweep(work, &waits);
	first = find_groups(ready);
	for (uint32_t g = 0; g < work->ngroups; g++)
		if (work->group[g].nworkers > 0)
			write_group(work, &work->group[g], ready,
				    work->asked->by == BY_NODE
					    ? tv_index_get(&first, work->group[g].label)
					    : 0);
	tv_free(first.at);
	tv_waits_release(&waits);
	return 0;
}

static int run_starvation(struct tv_run *run, const struct tv_options *options,
			  struct tv_table *out, struct tv_error *err)
{
	struct starvation work = { .asked = options->chosen, .run = run, .out = out };
	int rc = -1;

	if (tv_run_interval(run, &work.begin, &work.end, err) < 0)
		return -1;
	if (run->tasks.depends == NULL)
		return tv_fail(err, "starvation: the tasks have no column "
				    "DependsOn, so nothing says which of them were ready");
	tv_warn_workers(run);
	if (make_groups(&work, err) == 0)
		rc = compute(&work, err);
	for (uint32_t g = 0; g < work.ngroups; g++)
		for (enum curve c = IDLE; c < NCURVES; c++)
			tv_sum_release(&work.group[g].sum[c]);
	tv_free(work.group);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "by", "run|node", "run", "rows for each node, or for the run", TV_OPTION_CHOICE,
	  TV_ASKED(by) },
	{ TV_STEP_MEANS_ROW, TV_ASKED(step_ns) },
	{ TV_CAN_RUN_ROW, TV_ASKED(can_run) },
};

const struct tv_pass tv_pass_starvation = {
	.name = "starvation",
	.summary = "Idle workers without ready tasks, over time",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_BOUNDS,
	.sums = true,
	.needs = "resources calls",
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_COLUMNS(columns),
	.notes = "At each instant every ready task (released and not started) is assigned to an\n"
		 "idle worker of its node that can run it: of those that an idle worker will run\n"
		 "the first to start to that worker, all others so that as many workers as\n"
		 "possible get one (as in idle-causes). Idle workers without a task count\n"
		 "as Unfit if ready tasks of their node remain; else as Drain if all tasks of\n"
		 "their node have started; else as Lack: the node has fewer ready tasks than idle\n"
		 "workers that can run them. If Lack is 0, ready tasks were not the limit.\n"
		 "IdleWorkers - Lack - Unfit - Drain workers wait for data, the runtime or the\n"
		 "scheduler.\n"
		 "In idle-causes, Lack is mpi, dependencies and not-submitted, Unfit is unsuited.\n"
		 "Source: StarVZ's lack of ready tasks, which compares the runtime's counter with\n"
		 "a fixed number of workers; the definition is ours.",
	.example = "traceviz starvation --step 10 data/cholesky.csv",
	.run = run_starvation,
};
