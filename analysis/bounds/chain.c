/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chain.c -- mark the backward chains of chosen tasks, and the paths that they merge into. */
#include "analysis/bounds/chains.h"
#include "analysis/core/columns.h"

/* The last one with segments only. */
#define COLUMNS(X) \
	X(PATH, "Path", TV_INT, true, "", "path that the task or message is on; missing = none") \
	X(LEVEL, "Distance", TV_INT, true, "", \
	  "dependencies to the nearest task of --tasks; of a message: that of its " \
	  "receiver") \
	X(PREVIOUS, "Previous", TV_LABEL, true, "", \
	  "JobId of the previous step: dependency or message; missing at the end of " \
	  "the chain") \
	X(KIND, "DependencyKind", TV_LABEL, true, "", \
	  "dependency; exclusion: commuting access to a handle; creation: by its " \
	  "parent") \
	X(WAIT, "Wait", TV_TIME, true, "ms", \
	  "from the end of the previous step, or the creation, to the start") \
	X(DEPTH, "MaxDepth", TV_LABEL, true, "", "value of --depth, which determines the paths") \
	X(PREVIOUS_SEGMENT, "PreviousSegment", TV_INT, false, "", \
	  "with segments: the segment of Previous")

TV_COLUMNS(columns, COLUMNS)

static void write_row(const struct tv_chains *chains, struct tv_table *out, uint32_t depth,
		      uint32_t v, uint32_t row)
{
	const struct tv_dag *dag = chains->dag;
	uint32_t u = chains->last->step[v];

	tv_set_int(out->col[PATH], row, (int64_t)chains->place[v] + 1);
	tv_set_int(out->col[LEVEL], row, chains->level[v]);
	tv_set_label(out->col[DEPTH], row, depth);
	if (!tv_chains_goes_on(chains, v))
		return;
	tv_set_label(out->col[PREVIOUS], row, tv_dag_job(dag, u));
	tv_set_int(out->col[WAIT], row, dag->start[v] - tv_chains_arrival(chains, v));
	if (dag->previous != NULL)
		tv_set_int(out->col[PREVIOUS_SEGMENT], row, tv_dag_segment(dag, u));
}

static void write_rows(const struct tv_chains *chains, struct tv_table *out)
{
	const struct tv_dag *dag = chains->dag;
	const struct tv_tasks *tasks = dag->tasks;
	uint32_t depth = tv_chains_depth(chains, out->pool);
	uint32_t kind[TV_NDEPENDENCIES];

	tv_intern_kinds(out->pool, kind);
	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t v = dag->node_of_row[row];

		/* Of every task, not only of those on paths: as the pass deps. */
		if (tasks->counted[row] && chains->last->of[v] != TV_NONE)
			tv_set_label(out->col[KIND], row, kind[chains->last->how[v].kind]);
		/* Of a task only what counts as its execution, of a message its row. */
		if (v != TV_NONE && chains->place[v] != TV_NONE
		    && (tasks->counted[row] || !dag->task[v]))
			write_row(chains, out, depth, v, row);
	}
}

static const struct tv_option_spec chain_options[] = { TV_CHAINS_OPTIONS };

static const struct tv_recalled recalled[] = {
	{ "tasks", "Distance", "Distance == 0", true },
	{ "depth", "MaxDepth", NULL, false },
};

static int run_chain(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		     struct tv_error *err)
{
	struct tv_chains chains;
	int rc = tv_chains_init(&chains, run, options->chosen, err);

	if (rc == 0)
		tv_add_fields(out, columns,
			      run->tasks.segment != NULL ? TV_COUNT(columns)
							 : (size_t)PREVIOUS_SEGMENT);
	out->nrows = run->tasks.n;
	if (rc == 0)
		write_rows(&chains, out);
	tv_chains_release(&chains);
	return rc;
}

const struct tv_pass tv_pass_chain = {
	.name = "chain",
	.summary = "Mark what selected tasks waited for, back through their last dependencies",
	.kind = TV_ANNOTATE,
	.group = TV_GROUP_DEPENDENCIES,
	TV_PASS_OPTIONS_INTO(struct tv_chains_asked, chain_options),
	TV_PASS_COLUMNS(columns),
	.varies = true,
	TV_PASS_RECALLED(recalled),
	.continues = "chain",
	.notes = TV_CHAINS_NOTES TV_CHAINS_CONTINUED "traceviz paths gives one row per path.",
	.example = "traceviz chain --tasks type:POTRF data/cholesky.csv --where 'Path > 0'",
	.run = run_chain,
};
