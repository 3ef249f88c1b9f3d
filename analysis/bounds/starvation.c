/* SPDX-License-Identifier: GPL-3.0-or-later */
/* starvation.c -- how many idle workers lack ready tasks, over time. */
#include "analysis/core/ready_rows.h"
#include "analysis/core/warnings.h"
#include "dag/idle_parts.h"
#include "trace/alloc.h"

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

/* Its values, each from then on; with slices the mean of each. */
struct line {
	struct step {
		int64_t from; /* ns */
		double value;
	} * at;
	size_t n, cap;
	struct tv_slicing slicing;
};

struct group {
	uint32_t label; /* node; TV_NONE = all */
	uint32_t nworkers;
	struct line line[NCURVES];
	uint32_t now[NCURVES], before[NCURVES]; /* but of READY */
	int64_t since[NCURVES];			/* before[] applies from here, ns */
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
	struct tv_ready_rows ready;
	struct tv_idle_parts *parts;
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

static void add_step(struct line *line, int64_t from, double value)
{
	TV_GROW(line->at, line->n, line->cap, 1);
	line->at[line->n++] = (struct step){ from, value };
}

/* Adds the number that applied since the last change. */
static void add_since(const struct starvation *work, struct group *group, enum curve c, int64_t now)
{
	struct line *line = &group->line[c];
	int64_t from = group->since[c];
	struct tv_slice slice;

	if (work->asked->step_ns == 0 && from < now)
		add_step(line, from, group->before[c]);
	while (work->asked->step_ns > 0 && from < now)
		if (tv_slicing_add(&line->slicing, &from, now, group->before[c], &slice))
			add_step(line, slice.begin, slice.mean);
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
				add_since(work, group, c, work->now);
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

static int sweep_part(void *state, struct tv_run *part, struct tv_error *err)
{
	struct starvation *work = state;
	const struct tv_dag *dag = tv_run_dag(part, err);

	if (dag == NULL)
		return -1;
	tv_idle_parts_sweep(work->parts, dag);
	return 0;
}

static int sweep(struct starvation *work, struct tv_error *err)
{
	const struct tv_idle_watch watch = { change_worker, change_node, work };
	const struct tv_idle_wanted wanted = { .end = work->end, .watch = &watch };
	int rc;

	if (tv_idle_parts_begin(work->parts, &work->run->tasks,
				work->asked->can_run == TV_CAN_RUN_ANYWHERE, &wanted, err)
	    < 0)
		return -1;
	work->now = work->begin;
	work->node = tv_alloc(work->run->tasks.nnodes, sizeof *work->node);
	work->changed = tv_alloc(work->ngroups, sizeof *work->changed);
	rc = tv_run_rows(work->run, sweep_part, work, err);
	move_to(work, work->end);
	tv_free(work->node);
	tv_free(work->changed);
	for (uint32_t g = 0; g < work->ngroups; g++)
		for (enum curve c = IDLE; c < NCURVES; c++)
			add_since(work, &work->group[g], c, work->end);
	return rc;
}

/* ---- ready tasks ---- */

/* The curves of a table as the pass ready writes it, to their groups. */
static void take_ready(struct starvation *work, const struct tv_table *ready)
{
	const struct tv_column *by = tv_table_find(ready, "By");
	const struct tv_column *start = tv_table_find(ready, "Start");
	const struct tv_column *value = tv_table_find(ready, "Value");
	uint32_t g = 0;

	for (uint32_t row = 0; row < ready->nrows; row++) {
		for (uint32_t i = 0; work->asked->by == BY_NODE && i < work->ngroups
				     && work->group[g].label != tv_label(by, row);
		     i++)
			g = (g + 1) % work->ngroups;
		if (work->group[g].label == tv_label(by, row))
			add_step(&work->group[g].line[READY], start->i[row], value->d[row]);
	}
}

static int note_part(void *state, struct tv_run *part, struct tv_error *err)
{
	struct starvation *work = state;
	const struct tv_dag *dag = tv_run_dag(part, err);

	if (dag == NULL || tv_ready_rows_add(&work->ready, part, err) < 0)
		return -1;
	tv_idle_parts_note(work->parts, dag);
	return 0;
}

/* All parts, for the first time: the ready tasks, and what the sweep has to know before. */
static int note_parts(struct starvation *work, struct tv_error *err)
{
	struct tv_table ready;
	int rc;

	tv_table_init(&ready, work->run->trace->pool);
	for (size_t i = 0; i < TV_CURVE_COLUMNS; i++)
		tv_table_column(&ready, tv_curve_columns[i].name, tv_curve_columns[i].type, err);
	rc = tv_ready_rows_init(&work->ready, work->run, work->asked->by == BY_NODE ? "Node" : NULL,
				work->asked->step_ns, &ready, err);
	if (rc == 0)
		rc = tv_run_rows(work->run, note_part, work, err);
	if (rc == 0)
		rc = tv_ready_rows_end(&work->ready, err);
	tv_table_finish(&ready);
	if (rc == 0)
		take_ready(work, &ready);
	tv_ready_rows_release(&work->ready);
	tv_table_release(&ready);
	return rc;
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

/* One row from each change of any curve to the next; of slices all curves have the same. */
static void write_group(struct starvation *work, const struct group *group)
{
	const struct line *line = group->line;
	size_t at[NCURVES] = { 0 };
	int64_t begin = work->begin;

	while (begin < work->end) {
		double value[NCURVES];
		int64_t end = work->end;

		for (int c = 0; c < NCURVES; c++) {
			value[c] = line[c].n > 0 ? line[c].at[at[c]].value : 0;
			if (at[c] + 1 < line[c].n && line[c].at[at[c] + 1].from < end)
				end = line[c].at[at[c] + 1].from;
		}
		for (int c = 0; c < NCURVES; c++)
			at[c] += at[c] + 1 < line[c].n && line[c].at[at[c] + 1].from == end;
		write_row(work, group, begin, end, value);
		begin = end;
	}
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
			group->since[c] = work->begin;
			group->line[c].slicing = tv_slicing_init(work->begin, work->end,
								 work->asked->step_ns);
		}
	}
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		work->group[work->asked->by == BY_NODE ? tasks->workers[w].node : 0].nworkers +=
			tv_run_has(work->run, w);
	return tv_step_check(work->begin, work->end, work->asked->step_ns, work->ngroups, err);
}

static int compute(struct starvation *work, struct tv_error *err)
{
	const char *why;

	if (make_groups(work, err) < 0 || note_parts(work, err) < 0)
		return -1;
	why = tv_idle_parts_reason(work->parts);
	if (why != NULL)
		return tv_fail_parts(err, "starvation needs all rows at once: %s", why);
	if (sweep(work, err) < 0)
		return -1;
	for (uint32_t g = 0; g < work->ngroups; g++)
		if (work->group[g].nworkers > 0)
			write_group(work, &work->group[g]);
	return 0;
}

/* Whether it is known what tasks depend on. */
static int check_known(const struct tv_run *run, struct tv_error *err)
{
	if (run->tasks.depends == NULL)
		return tv_fail(err, "starvation: the tasks have no column "
				    "DependsOn, so nothing says which of them were ready");
	return 0;
}

static int run_starvation(struct tv_run *run, const struct tv_options *options,
			  struct tv_table *out, struct tv_error *err)
{
	struct starvation work = { .asked = options->chosen, .run = run, .out = out };
	int rc;

	if (tv_run_interval(run, &work.begin, &work.end, err) < 0 || check_known(run, err) < 0)
		return -1;
	tv_warn_workers(run);
	work.parts = tv_idle_parts_new();
	rc = compute(&work, err);
	tv_idle_parts_free(work.parts);
	for (uint32_t g = 0; g < work.ngroups; g++)
		for (enum curve c = 0; c < NCURVES; c++)
			tv_free(work.group[g].line[c].at);
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
	.columns = "SubmitTime",
	.in_parts = tv_pass_always,
	.linked = true,
	.alone = tv_pass_always,
	.beside = 150,
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
