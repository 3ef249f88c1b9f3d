/* SPDX-License-Identifier: GPL-3.0-or-later */
/* paths.c -- the paths that the backward chains of chosen tasks merge into, one row each. */
#include "analysis/shared/chains.h"
#include "trace/alloc.h"
#include "trace/groups.h"

struct columns {
	struct tv_column *path, *depth, *chosen, *tasks, *messages, *start, *end, *compute, *delay,
		*compute_share, *message_share, *wait_share, *jobs;
};

static int write_shares(const struct columns *to, uint32_t row, const struct tv_path *path)
{
	double whole = (double)(path->compute + path->delay);
	double compute = 100 * (double)path->compute / whole;
	double transfer = 100 * (double)path->transfer / whole;

	if (whole == 0)
		return 0;
	tv_set_double(to->compute_share, row, compute);
	tv_set_double(to->message_share, row, transfer);
	tv_set_double(to->wait_share, row, 100 * (double)(path->delay - path->transfer) / whole);
	return 0;
}

/* job: the JobIds of its chosen tasks. */
static int write_path(const struct columns *to, uint32_t row, const struct tv_path *path,
		      uint32_t depth, const uint32_t *job)
{
	tv_set_int(to->path, row, (int64_t)row + 1);
	tv_set_label(to->depth, row, depth);
	tv_set_int(to->chosen, row, path->chosen);
	tv_set_int(to->tasks, row, path->tasks);
	tv_set_int(to->messages, row, path->messages);
	tv_set_int(to->start, row, path->start);
	tv_set_int(to->end, row, path->end);
	tv_set_int(to->compute, row, tv_sum_ns(path->compute));
	tv_set_int(to->delay, row, tv_sum_ns(path->delay));
	tv_set_list(to->jobs, row, job, path->chosen);
	return write_shares(to, row, path);
}

static int write_paths(const struct tv_chains *chains, struct tv_table *out,
		       const struct columns *to, struct tv_error *err)
{
	const struct tv_dag *dag = chains->dag;
	uint32_t *place = tv_alloc(dag->n, sizeof *place);
	uint32_t depth = tv_chains_depth(chains, out->pool);
	struct tv_groups chosen;
	int rc = 0;

	for (uint32_t v = 0; v < dag->n; v++)
		place[v] = chains->chosen[v] ? chains->place[v] : TV_NONE;
	tv_groups_init(&chosen, place, dag->n, chains->npaths);
	for (uint32_t p = 0; p < chains->npaths && rc == 0; p++) {
		uint32_t *job = chosen.row + chosen.first[p];

		for (uint32_t i = 0; i < chains->path[p].chosen; i++)
			job[i] = tv_dag_job(dag, job[i]);
		if (tv_table_add_row(out) == TV_NONE)
			rc = -1;
		else if (write_path(to, p, &chains->path[p], depth, job) < 0)
			rc = tv_fail_memory(err);
	}
	tv_free(place);
	tv_groups_release(&chosen);
	return rc;
}

static const struct tv_option_spec options[] = { TV_CHAINS_OPTIONS };

static const struct tv_field columns[] = {
	{ "Path", TV_INT, false, "", "number of the path, as in traceviz chain" },
	{ "Depth", TV_LABEL, false, "", "--depth: paths depend on it" },
	{ "Chosen", TV_INT, false, "", "tasks of --tasks on it" },
	{ "Tasks", TV_INT, false, "", "its length: tasks on it" },
	{ "Messages", TV_INT, false, "", "messages on it" },
	{ "Start", TV_TIME, false, "ms", "its first Start" },
	{ "End", TV_TIME, false, "ms", "its last End" },
	{ "Compute", TV_TIME, false, "ms", "sum of its tasks, from first Start to last End each" },
	{ "Delay", TV_TIME, false, "ms",
	  "sum over its dependencies, from the End of the one task to the Start of the other" },
	{ "ComputeShare", TV_DOUBLE, false, "%", "of Compute + Delay: Compute" },
	{ "MessageShare", TV_DOUBLE, false, "%", "the part of Delay that messages took" },
	{ "WaitShare", TV_DOUBLE, false, "%", "the rest of Delay" },
	{ "Jobs", TV_LIST, false, "", "JobIds of the tasks of --tasks on it" },
};

static int run_paths(struct tv_run *run, const struct tv_options *given, struct tv_table *out,
		     struct tv_error *err)
{
	struct columns to = {
		.path = tv_table_column(out, "Path", TV_INT, err),
		.depth = tv_table_column(out, "Depth", TV_LABEL, err),
		.chosen = tv_table_column(out, "Chosen", TV_INT, err),
		.tasks = tv_table_column(out, "Tasks", TV_INT, err),
		.messages = tv_table_column(out, "Messages", TV_INT, err),
		.start = tv_table_column(out, "Start", TV_TIME, err),
		.end = tv_table_column(out, "End", TV_TIME, err),
		.compute = tv_table_column(out, "Compute", TV_TIME, err),
		.delay = tv_table_column(out, "Delay", TV_TIME, err),
		.compute_share = tv_table_column(out, "ComputeShare", TV_DOUBLE, err),
		.message_share = tv_table_column(out, "MessageShare", TV_DOUBLE, err),
		.wait_share = tv_table_column(out, "WaitShare", TV_DOUBLE, err),
		.jobs = tv_table_column(out, "Jobs", TV_LIST, err),
	};
	struct tv_chains chains;
	int rc;

	/* A column that memory did not suffice for is not there. */
	if (out->ncols < TV_COUNT(columns))
		return -1;
	rc = tv_chains_init(&chains, run, given, err);
	if (rc == 0)
		rc = write_paths(&chains, out, &to, err);
	tv_chains_release(&chains);
	return rc;
}

const struct tv_pass tv_pass_paths = {
	.name = "paths",
	.summary = "Paths that the chains of selected tasks merge into, longest delay first",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_DEPENDENCIES,
	.ranked = "Delay",
	.needs = "",
	.option = options,
	.noptions = TV_COUNT(options),
	.column = columns,
	.ncolumns = TV_COUNT(columns),
	.notes = TV_CHAINS_NOTES "traceviz chain marks the tasks of each path.",
	.example = "traceviz paths --tasks type:POTRF --depth 3 data/cholesky.csv",
	.run = run_paths,
};
