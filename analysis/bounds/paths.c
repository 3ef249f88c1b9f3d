/* SPDX-License-Identifier: GPL-3.0-or-later */
/* paths.c -- the paths that the backward chains of chosen tasks merge into, one row each. */
#include "analysis/bounds/chains.h"
#include "trace/alloc.h"
#include "trace/groups.h"
#include "trace/number.h"

#define COLUMNS(X) \
	X(PATH, "Path", TV_INT, false, "", "number of the path, as in traceviz chain") \
	X(DEPTH, "MaxDepth", TV_LABEL, false, "", "value of --depth, which determines the paths") \
	X(CHOSEN, "ChosenTasks", TV_INT, false, "", "number of tasks of --tasks on it") \
	X(TASKS, "Tasks", TV_INT, false, "", "number of tasks on it") \
	X(MESSAGES, "Messages", TV_INT, false, "", "number of messages on it") \
	X(START, "Start", TV_TIME, false, "ms", "its first Start") \
	X(END, "End", TV_TIME, false, "ms", "its last End") \
	X(COMPUTE, "Compute", TV_TIME, false, "ms", \
	  "sum of its tasks, from first Start to last End each") \
	X(DELAY, "Delay", TV_TIME, false, "ms", \
	  "sum over its dependencies, from the End of the one task to the Start of the " \
	  "other") \
	X(COMPUTE_SHARE, "ComputeShare", TV_DOUBLE, false, "%", "Compute over Compute + Delay") \
	X(MESSAGE_SHARE, "MessageShare", TV_DOUBLE, false, "%", \
	  "the part of Delay that messages took") \
	X(WAIT_SHARE, "WaitShare", TV_DOUBLE, false, "%", "the rest of Delay") \
	X(JOBS, "Jobs", TV_LIST, false, "", "JobIds of the tasks of --tasks on it")

TV_COLUMNS(columns, COLUMNS)

static void write_shares(struct tv_column *const *to, uint32_t row, const struct tv_path *path)
{
	double whole = (double)(path->compute + path->delay);

	if (whole == 0)
		return;
	tv_set_double(to[COMPUTE_SHARE], row, 100 * (double)path->compute / whole);
	tv_set_double(to[MESSAGE_SHARE], row, 100 * (double)path->transfer / whole);
	tv_set_double(to[WAIT_SHARE], row, 100 * (double)(path->delay - path->transfer) / whole);
}

/* job: the JobIds of its chosen tasks. */
static void write_path(struct tv_table *out, const struct tv_path *path, uint32_t depth,
		       const uint32_t *job)
{
	struct tv_column *const *to = out->col;
	uint32_t row = tv_table_add_row(out);

	tv_set_int(to[PATH], row, (int64_t)row + 1);
	tv_set_label(to[DEPTH], row, depth);
	tv_set_int(to[CHOSEN], row, path->chosen);
	tv_set_int(to[TASKS], row, path->tasks);
	tv_set_int(to[MESSAGES], row, path->messages);
	tv_set_int(to[START], row, path->start);
	tv_set_int(to[END], row, path->end);
	tv_set_int(to[COMPUTE], row, tv_sum_ns(path->compute));
	tv_set_int(to[DELAY], row, tv_sum_ns(path->delay));
	tv_set_list(to[JOBS], row, job, path->chosen);
	write_shares(to, row, path);
}

static int run_paths(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		     struct tv_error *err)
{
	struct tv_chains chains;
	struct tv_groups chosen;
	uint32_t *path_of, depth;

	if (tv_chains_init(&chains, run, options->chosen, err) < 0) {
		tv_chains_release(&chains);
		return -1;
	}
	depth = tv_chains_depth(&chains, out->pool);
	path_of = tv_alloc(chains.dag->n, sizeof *path_of);
	for (uint32_t v = 0; v < chains.dag->n; v++)
		path_of[v] = chains.chosen[v] ? chains.place[v] : TV_NONE;
	tv_groups_init(&chosen, path_of, chains.dag->n, chains.npaths);
	for (uint32_t p = 0; p < chains.npaths; p++) {
		uint32_t *job = chosen.row + chosen.first[p];

		for (uint32_t i = 0; i < chains.path[p].chosen; i++)
			job[i] = tv_dag_job(chains.dag, job[i]);
		write_path(out, &chains.path[p], depth, job);
	}
	tv_free(path_of);
	tv_groups_release(&chosen);
	tv_chains_release(&chains);
	return 0;
}

static const struct tv_option_spec options[] = { TV_CHAINS_OPTIONS };

const struct tv_pass tv_pass_paths = {
	.name = "paths",
	.summary = "Paths that the chains of selected tasks merge into, longest delay first",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_DEPENDENCIES,
	.ranked = "Delay",
	TV_PASS_OPTIONS_INTO(struct tv_chains_asked, options),
	TV_PASS_COLUMNS(columns),
	.continues = "chain",
	.notes = TV_CHAINS_NOTES TV_CHAINS_CONTINUED "traceviz chain marks the tasks of each path.",
	.example = "traceviz paths --tasks type:POTRF --depth 3 data/cholesky.csv",
	.run = run_paths,
};
