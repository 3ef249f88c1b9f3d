/* SPDX-License-Identifier: GPL-3.0-or-later */
/* deps.c -- what every task depended on last, when it was released and how long it waited then. */
#include <math.h>
#include <stdlib.h>

#include "analysis/bounds/grain.h"
#include "analysis/core/choose.h"
#include "analysis/core/columns.h"
#include "analysis/core/last.h"
#include "analysis/core/options.h"
#include "analysis/core/warnings.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"

/* Those from LAST_SEGMENT on with segments only, from CREATION on with --grain, INFLATION with --base. */
#define COLUMNS(X) \
	X(LAST, "LastDependency", TV_LABEL, true, "", \
	  "JobId of the dependency that ended last, through ghosts and messages") \
	X(KIND, "DependencyKind", TV_LABEL, true, "", \
	  "dependency; exclusion: commuting access to a handle; creation: by its " \
	  "parent") \
	X(MESSAGE, "Message", TV_LABEL, true, "", \
	  "JobId of the message from that task, the last one on the way; missing = " \
	  "none") \
	X(RELEASE, "Released", TV_TIME, true, "ms", \
	  "when all dependencies had ended and the task was submitted; missing = " \
	  "unknown") \
	X(DELAY, "Delay", TV_TIME, true, "ms", "from Released to the first Start of the task") \
	X(ALL, "Dependencies", TV_LIST, true, "", \
	  "JobIds of all its dependencies; only for the tasks of --all") \
	X(EXCLUSIONS, "Exclusions", TV_LIST, true, "", \
	  "JobIds of the tasks that used its handles before it; only for the tasks " \
	  "of --all") \
	X(LAST_SEGMENT, "LastSegment", TV_INT, false, "", \
	  "with segments: the segment of LastDependency") \
	X(ALL_SEGMENTS, "DependencySegments", TV_LIST, false, "", \
	  "with segments: the segment of each of Dependencies") \
	X(CREATION, "Creation", TV_TIME, false, "ms", \
	  "--grain: what creating a task took its creator, the mean") \
	X(START_DELAY, "StartDelay", TV_TIME, false, "ms", \
	  "--grain: to Start, since it was released and its worker was free") \
	X(BENEFIT, "Benefit", TV_DOUBLE, false, "", "--grain: duration / (Creation + StartDelay)") \
	X(PARALLELISM, "Parallelism", TV_DOUBLE, false, "", \
	  "--grain: mean number of running tasks while it ran") \
	X(INFLATION, "Inflation", TV_DOUBLE, false, "", \
	  "--base: duration / that of its JobId there, or the mean of its type")

TV_COLUMNS(columns, COLUMNS)

/* Per node of the graph. */
struct deps {
	const struct tv_dag *dag;
	const struct tv_last *last;
	int64_t *released;
	bool *listed; /* all its dependencies are to be listed */
};

/* All tasks that a task depends on, directly or through nodes that are not tasks. */
struct search {
	uint32_t *stack, *found;
	uint32_t *seen; /* by node: 1 + the row that it was last found for */
	uint32_t nfound;
};

static void find_all(const struct tv_dag *dag, uint32_t row, struct search *s)
{
	uint32_t depth = 1;

	s->nfound = 0;
	s->stack[0] = dag->node_of_row[row];
	while (depth > 0) {
		uint32_t v = s->stack[--depth];

		for (uint32_t k = dag->first[v]; k < dag->first[v + 1]; k++) {
			uint32_t u = dag->pred[k];

			if (s->seen[u] == row + 1)
				continue;
			s->seen[u] = row + 1;
			if (dag->task[u])
				s->found[s->nfound++] = u;
			else
				s->stack[depth++] = u;
		}
	}
}

/* The tasks that held its handles just before it. */
static void find_exclusions(const struct tv_dag *dag, uint32_t row, struct search *s)
{
	uint32_t v = dag->node_of_row[row];

	s->nfound = 0;
	for (uint32_t k = dag->first[v + 1] - dag->first[v]; k < tv_dag_nbefore(dag, v); k++)
		if (dag->task[tv_dag_before(dag, v, k)])
			s->found[s->nfound++] = tv_dag_before(dag, v, k);
}

static uint32_t segment_label(const struct tv_dag *dag, struct tv_pool *pool, uint32_t node)
{
	char text[TV_NUMBER_MAX];

	tv_write_int(text, tv_dag_segment(dag, node));
	return tv_intern_text(pool, text);
}

/* Their jobs, in the order of their first rows, as nodes are numbered; segments: of each, or
 * NULL. */
static void write_found(const struct tv_dag *dag, struct search *s, uint32_t row,
			struct tv_column *jobs, struct tv_column *segments)
{
	uint32_t *label = s->stack; /* not needed any more */

	if (s->nfound == 0)
		return;
	qsort(s->found, s->nfound, sizeof *s->found, tv_compare_uint32);
	for (uint32_t i = 0; i < s->nfound; i++)
		label[i] = tv_dag_job(dag, s->found[i]);
	tv_set_list(jobs, row, label, s->nfound);
	for (uint32_t i = 0; segments != NULL && i < s->nfound; i++)
		label[i] = segment_label(dag, segments->pool, s->found[i]);
	if (segments != NULL)
		tv_set_list(segments, row, label, s->nfound);
}

/* Lists only append, so rows are written in their order. */
static void write_lists(const struct deps *d, struct tv_table *out)
{
	const struct tv_dag *dag = d->dag;
	const struct tv_tasks *tasks = dag->tasks;
	struct search s = {
		.stack = tv_alloc(dag->n, sizeof *s.stack),
		.found = tv_alloc(dag->n, sizeof *s.found),
		.seen = tv_alloc(dag->n, sizeof *s.seen),
	};

	for (uint32_t row = 0; row < tasks->n; row++) {
		if (!(tasks->counted[row] || tasks->planned[row])
		    || !d->listed[dag->node_of_row[row]])
			continue;
		find_all(dag, row, &s);
		write_found(dag, &s, row, out->col[ALL],
			    dag->previous == NULL ? NULL : out->col[ALL_SEGMENTS]);
		find_exclusions(dag, row, &s);
		write_found(dag, &s, row, out->col[EXCLUSIONS], NULL);
	}
	tv_free(s.stack);
	tv_free(s.found);
	tv_free(s.seen);
}

/* kind: labels of the column DependencyKind. */
static void write_row(const struct deps *d, struct tv_table *out, const uint32_t *kind,
		      uint32_t row)
{
	uint32_t v = d->dag->node_of_row[row], step = d->last->step[v];
	int64_t released = d->released[v];

	if (d->last->of[v] != TV_NONE) {
		tv_set_label(out->col[LAST], row, tv_dag_job(d->dag, d->last->of[v]));
		tv_set_label(out->col[KIND], row, kind[d->last->how[v].kind]);
		if (d->dag->previous != NULL)
			tv_set_int(out->col[LAST_SEGMENT], row,
				   tv_dag_segment(d->dag, d->last->of[v]));
	}
	if (step != TV_NONE && step != d->last->of[v])
		tv_set_label(out->col[MESSAGE], row, tv_dag_job(d->dag, step));
	if (released == INT64_MIN)
		return;
	tv_set_int(out->col[RELEASE], row, released);
	tv_set_int(out->col[DELAY], row, d->dag->start[v] - released);
}

static void compute(struct deps *d, struct tv_run *run)
{
	d->last = tv_run_last(run, d->dag);
	d->released = tv_alloc((size_t)d->dag->n + d->dag->noutside, sizeof *d->released);
	tv_dag_released(d->dag, d->released);
}

struct asked {
	const char *all, *base;
	bool grain;
};

static void set_number(struct tv_column *to, uint32_t row, double number)
{
	if (isnan(number))
		return;
	if (to->type == TV_TIME)
		tv_set_int(to, row, llround(number));
	else
		tv_set_double(to, row, number);
}

/* Rows of each column in order. */
static int write_grain(const struct deps *d, struct tv_run *run, const char *base,
		       struct tv_table *out, struct tv_error *err)
{
	struct tv_grain grain;
	int rc = tv_grain_init(&grain, run, d->dag, d->released, base, err);
	const double *of[] = { grain.creation, grain.delay, grain.benefit, grain.parallelism,
			       grain.inflation };
	size_t first = out->ncols, n = TV_COUNT(of) - (base == NULL);

	tv_add_fields(out, columns + CREATION, n);
	for (size_t i = 0; rc == 0 && i < n; i++)
		for (uint32_t row = 0; row < run->tasks.n; row++)
			set_number(out->col[first + i], row, of[i][row]);
	tv_grain_release(&grain);
	return rc;
}

static int check_grain(const struct tv_options *options, struct tv_error *err)
{
	const struct asked *asked = options->chosen;

	return asked->base == NULL || asked->grain
		     ? 0
		     : tv_fail_usage(err, "--base has no effect without --grain");
}

/* Of a run whose rows are annotated part by part. */
static void begin_parts(struct tv_run *run, struct tv_table *out)
{
	const struct tv_dag none = { 0 };

	if (!tv_run_depends(run))
		tv_warn_graph(run, &none);
	tv_add_fields(out, columns, LAST_SEGMENT);
}

static int run_deps(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		    struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	uint32_t kind[TV_NDEPENDENCIES];
	struct deps d = { 0 };
	int rc = 0;

	if (run->parts != NULL) {
		begin_parts(run, out);
		return 0;
	}
	/* A column of the tasks may ask for it. */
	if (run->of != NULL && asked->all != NULL)
		return tv_fail_parts(err, "deps needs all rows at once: tasks have Dependencies");
	d.dag = tv_run_dag(run, err);
	if (d.dag == NULL)
		return -1;
	if (run->of == NULL)
		tv_warn_graph(run, d.dag);
	tv_add_fields(out, columns,
		      d.dag->previous != NULL ? (size_t)CREATION : (size_t)LAST_SEGMENT);
	tv_intern_kinds(out->pool, kind);
	out->nrows = run->tasks.n;
	compute(&d, run);
	for (uint32_t row = 0; row < run->tasks.n; row++)
		if (run->tasks.counted[row])
			write_row(&d, out, kind, row);
	if (asked->all != NULL) {
		d.listed = tv_alloc(d.dag->n, sizeof *d.listed);
		rc = tv_choose(run, "all", asked->all, d.listed, err);
		if (rc == 0)
			write_lists(&d, out);
	}
	if (rc == 0 && asked->grain)
		rc = write_grain(&d, run, asked->base, out, err);
	tv_free(d.released);
	tv_free(d.listed);
	return rc;
}

static bool is_in_parts(const struct tv_options *options)
{
	return !tv_option_given(options, "all") && !tv_option_given(options, "grain");
}

static const struct tv_option_spec options[] = {
	{ "all", TV_CHOOSE_ARGUMENT, NULL, "list all dependencies of these tasks (see below)",
	  TV_ASKED(all) },
	{ "grain", NULL, NULL,
	  "add what shows whether tasks are too small: their creation and delay, benefit, "
	  "parallelism",
	  TV_OPTION_TEXT, TV_ASKED(grain) },
	{ "base", "TRACE", NULL,
	  "--grain: also how much longer each task takes than in this run, e.g. with one worker",
	  TV_ASKED(base) },
};

static const struct tv_recalled recalled[] = {
	{ "all", "Dependencies", "Dependencies ~ '.' or Exclusions ~ '.'", false },
};

const struct tv_pass tv_pass_deps = {
	.name = "deps",
	.summary = "Last dependency, release time and delay of each task",
	.kind = TV_ANNOTATE,
	.group = TV_GROUP_DEPENDENCIES,
	.ranked = "Delay",
	.planned = true,
	.columns = "SubmitTime",
	.in_parts = is_in_parts,
	.linked = true,
	.alone = tv_pass_always,
	.excluding = true,
	.beside = 100,
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_COLUMNS(columns),
	.varies = true,
	TV_PASS_RECALLED(recalled),
	.check = check_grain,
	.continues = "deps",
	.notes = "The last dependency of a task is the one that ended last of the tasks that it\n"
		 "depends on (through nodes that are not tasks: ghosts, data acquisitions,\n"
		 "messages); of equal ones that with the smallest JobId. Released also waits for\n"
		 "messages to arrive. Tasks without dependencies and SubmitTime have no "
		 "Released.\n"
		 "Where tasks have the columns of this verb, as from a pipe, those with "
		 "Dependencies\n"
		 "or Exclusions are the default of --all.\n" TV_EXCLUSION_NOTES TV_CHOOSE_NOTES
		 "Creation: (last - first submission of its creator) / (tasks of it - 1). The "
		 "creator\n"
		 "is ParentJob, of which only the time in which it ran counts; else one per node,\n"
		 "whose other tasks are not subtracted. Inflation takes JobIds where both runs "
		 "have\n"
		 "one creator and the same tasks. Source of the grain metrics: A. Muddukrishna et\n"
		 "al., Grain Graphs, PPoPP 2016, with parallelism as executed.\n"
		 "Source: Garcia Pinto, thesis, 2018, 5.1.5.",
	.example = "traceviz deps --all id:100 data/cholesky.csv --where 'Delay > 10'",
	.run = run_deps,
};
