/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chain.c -- mark the backward chains of chosen tasks, and the paths that they merge into. */
#include "analysis/shared/chains.h"
#include "trace/alloc.h"

struct columns {
	struct tv_column *path, *level, *previous, *kind, *wait, *depth;
};

static int write_row(const struct tv_chains *chains, const struct columns *to, uint32_t depth,
		     uint32_t v, uint32_t row)
{
	const struct tv_dag *dag = chains->dag;
	uint32_t u = chains->step[v];

	tv_set_int(to->path, row, (int64_t)chains->place[v] + 1);
	tv_set_int(to->level, row, chains->level[v]);
	tv_set_label(to->depth, row, depth);
	if (!tv_chains_goes_on(chains, v))
		return 0;
	tv_set_label(to->previous, row, tv_dag_job(dag, u));
	tv_set_int(to->wait, row, dag->start[v] - dag->end[u]);
	return 0;
}

/* Of every task, not only of those on paths: as the pass deps. */
static int write_kinds(const struct tv_chains *chains, struct tv_column *to, struct tv_pool *pool)
{
	const struct tv_dag *dag = chains->dag;
	uint32_t kind[2] = { tv_intern_text(pool, tv_dependency_kind(false)),
			     tv_intern_text(pool, tv_dependency_kind(true)) };

	if (kind[0] == TV_NONE || kind[1] == TV_NONE)
		return -1;
	for (uint32_t row = 0; row < dag->tasks->n; row++) {
		uint32_t v = dag->node_of_row[row];

		if (dag->tasks->counted[row] && chains->last[v] != TV_NONE)
			tv_set_label(to, row, kind[chains->excluded[v]]);
	}
	return 0;
}

static int write_rows(const struct tv_chains *chains, const struct columns *to, uint32_t depth)
{
	const struct tv_dag *dag = chains->dag;
	const struct tv_tasks *tasks = dag->tasks;

	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t v = dag->node_of_row[row];

		/* Of a task only what counts as its execution, of a message its row. */
		if (v != TV_NONE && chains->place[v] != TV_NONE
		    && (tasks->counted[row] || !dag->task[v])
		    && write_row(chains, to, depth, v, row) < 0)
			return -1;
	}
	return 0;
}

static int run_chain(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		     struct tv_error *err)
{
	struct columns to = {
		.path = tv_table_column(out, "Path", TV_INT, err),
		.level = tv_table_column(out, "Level", TV_INT, err),
		.previous = tv_table_column(out, "Previous", TV_LABEL, err),
		.kind = tv_table_column(out, "DependencyKind", TV_LABEL, err),
		.wait = tv_table_column(out, "Wait", TV_TIME, err),
		.depth = tv_table_column(out, "Depth", TV_LABEL, err),
	};
	struct tv_chains chains;
	uint32_t depth;
	int rc;

	out->nrows = run->tasks.n;
	if (to.path == NULL || to.level == NULL || to.previous == NULL || to.kind == NULL
	    || to.wait == NULL || to.depth == NULL)
		return -1;
	rc = tv_chains_init(&chains, run, options, err);
	depth = rc == 0 ? tv_chains_depth(&chains, out->pool) : 0;
	if (rc == 0
	    && (depth == TV_NONE || write_kinds(&chains, to.kind, out->pool) < 0
		|| write_rows(&chains, &to, depth) < 0))
		rc = tv_fail_memory(err);
	tv_chains_release(&chains);
	return rc;
}

static const struct tv_option_spec options[] = { TV_CHAINS_OPTIONS };

static const struct tv_field columns[] = {
	{ "Path", TV_INT, false, "", "path that the task or message is on; missing = none" },
	{ "Level", TV_INT, false, "",
	  "dependencies from the nearest task of --tasks; of a message, of the task it leads to" },
	{ "Previous", TV_LABEL, false, "",
	  "JobId of the step before: last dependency or message; missing where the chain ends" },
	{ "DependencyKind", TV_LABEL, false, "",
	  "of its last dependency: dependency; exclusion, a commuting access of the same handle" },
	{ "Wait", TV_TIME, false, "ms", "from the end of that step to the start" },
	{ "Depth", TV_LABEL, false, "", "--depth: paths depend on it" },
};

const struct tv_pass tv_pass_chain = {
	.name = "chain",
	.summary = "Mark what selected tasks waited for, back through their last dependencies",
	.kind = TV_ANNOTATE,
	.group = TV_GROUP_DEPENDENCIES,
	.needs = "",
	.option = options,
	.noptions = TV_COUNT(options),
	.column = columns,
	.ncolumns = TV_COUNT(columns),
	.notes = TV_CHAINS_NOTES "traceviz paths gives one row per path.",
	.example = "traceviz chain --tasks type:POTRF data/cholesky.csv --where 'Path > 0'",
	.run = run_chain,
};
