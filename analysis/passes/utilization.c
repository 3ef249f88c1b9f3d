/* SPDX-License-Identifier: GPL-3.0-or-later */
/* utilization.c -- the share of each step of time in which workers compute. */
#include "analysis/shared/common.h"
#include "analysis/shared/load.h"
#include "trace/alloc.h"

enum by { BY_WORKER, BY_TYPE, BY_NODE, BY_ALL };

/* Workers whose load is added up. */
struct team {
	uint32_t worker; /* its first */
	uint32_t workers;
	tv_int128 busy; /* in the step at hand */
};

struct columns {
	struct tv_column *start, *end, *node, *rtype, *id, *workers, *busy, *share;
};

static uint32_t team_of(const struct tv_tasks *tasks, enum by by, uint32_t w)
{
	return by == BY_WORKER ? w
	     : by == BY_TYPE   ? tasks->workers[w].rtype
	     : by == BY_NODE   ? tasks->workers[w].node
			       : 0;
}

static int write_row(const struct columns *to, const struct tv_tasks *tasks, enum by by,
		     const struct team *team, const struct tv_load *load, uint32_t s, uint32_t row)
{
	const struct tv_worker *w = &tasks->workers[team->worker];
	int64_t begin = tv_slices_begin(&load->steps, s), end = tv_slices_end(&load->steps, s);
	double whole = (double)(end - begin) * team->workers;

	if ((by == BY_WORKER || by == BY_NODE))
		tv_set_label(to->node, row, tasks->node[w->node].label);
	if ((by == BY_WORKER || by == BY_TYPE))
		tv_set_label(to->rtype, row, tasks->rtype[w->rtype].label);
	if (by == BY_WORKER)
		tv_set_label(to->id, row, w->resource);
	tv_set_int(to->start, row, begin);
	tv_set_int(to->end, row, end);
	tv_set_int(to->workers, row, team->workers);
	tv_set_int(to->busy, row, tv_sum_ns(team->busy));
	tv_set_double(to->share, row, 100 * (double)team->busy / whole);
	return 0;
}

static int write_step(const struct columns *to, const struct tv_tasks *tasks, enum by by,
		      struct team *team, uint32_t nteams, const struct tv_load *load, uint32_t s,
		      uint32_t *row)
{
	for (uint32_t i = 0; i < nteams; i++)
		team[i].busy = 0;
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		team[team_of(tasks, by, w)].busy += load->busy[(size_t)s * tasks->nworkers + w];
	for (uint32_t i = 0; i < nteams; i++)
		if (write_row(to, tasks, by, &team[i], load, s, (*row)++) < 0)
			return -1;
	return 0;
}

static int write_load(struct tv_table *out, const struct tv_tasks *tasks, enum by by,
		      const struct tv_load *load, struct tv_error *err)
{
	struct columns to = {
		.start = tv_table_column(out, "Start", TV_TIME, err),
		.end = tv_table_column(out, "End", TV_TIME, err),
		.node = tv_table_column(out, "Node", TV_LABEL, err),
		.rtype = tv_table_column(out, "ResourceType", TV_LABEL, err),
		.id = tv_table_column(out, "ResourceId", TV_LABEL, err),
		.workers = tv_table_column(out, "Workers", TV_INT, err),
		.busy = tv_table_column(out, "Time", TV_TIME, err),
		.share = tv_table_column(out, "Utilization", TV_DOUBLE, err),
	};
	struct team *team = tv_alloc(tasks->nworkers, sizeof *team);
	uint32_t nteams = by == BY_WORKER ? tasks->nworkers
			: by == BY_TYPE	  ? tasks->nrtypes
			: by == BY_NODE	  ? tasks->nnodes
					  : 1;
	int rc = 0;

	if (to.start == NULL || to.end == NULL || to.node == NULL || to.rtype == NULL
	    || to.id == NULL || to.workers == NULL || to.busy == NULL || to.share == NULL) {
		rc = tv_fail_memory(err);
	} else {
		for (uint32_t w = tasks->nworkers; w-- > 0;) {
			struct team *its = &team[team_of(tasks, by, w)];

			its->worker = w;
			its->workers++;
		}
		for (uint32_t s = 0; s < load->nsteps && rc == 0; s++)
			if (write_step(&to, tasks, by, team, nteams, load, s, &out->nrows) < 0)
				rc = tv_fail_memory(err);
	}
	tv_free(team);
	return rc;
}

static int run_utilization(struct tv_run *run, const struct tv_options *options,
			   struct tv_table *out, struct tv_error *err)
{
	struct tv_load load;
	enum by by = (enum by)tv_option_choice(options, "by");
	int rc;

	tv_warn_workers(run);
	if (tv_load_init(&load, run, tv_option(options, "step"), err) < 0)
		return -1;
	rc = write_load(out, tv_run_part(run), by, &load, err);
	tv_load_release(&load);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "step", "TIME|run|auto", "auto",
	  "steps between multiples of this; run = one step, auto = 1 % of the run", TV_OPTION_TIME,
	  1, 0 },
	{ "by", "worker|type|node|all", "worker",
	  "one row per step and worker, type, node, or all workers", TV_OPTION_CHOICE, 0, 0 },
};

static const struct tv_field columns[] = {
	{ "Start", TV_TIME, false, "ms", "begin of the step" },
	{ "End", TV_TIME, false, "ms", "its end" },
	{ "Node", TV_LABEL, false, "", "node; missing with --by type, all" },
	{ "ResourceType", TV_LABEL, false, "", "resource type; missing with --by node, all" },
	{ "ResourceId", TV_LABEL, false, "", "worker; missing but with --by worker" },
	{ "Workers", TV_INT, false, "", "how many workers the row is about" },
	{ "Time", TV_TIME, false, "ms",
	  "their time in counted tasks within the step; overlapping ones count once" },
	{ "Utilization", TV_DOUBLE, false, "%", "100 Time / (Workers (End - Start))" },
};

const struct tv_pass tv_pass_utilization = {
	.name = "utilization",
	.summary = "Worker utilization per time step",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_BOUNDS,
	.ranked = "Utilization",
	.sums = true,
	.needs = "",
	.option = options,
	.noptions = TV_COUNT(options),
	.column = columns,
	.ncolumns = TV_COUNT(columns),
	.notes = "Steps end at the multiples of their length, and cover the run from its first\n"
		 "Start (or --begin) to its last End (or --end): the first and the last one may\n"
		 "be shorter, and are related to their own length.\n"
		 "Workers without tasks count, with 0. Setup and runtime tasks are not busy time\n"
		 "(see --kind).\n"
		 "Source: StarVZ's utilization heat map, without its truncated last step.",
	.example = "traceviz utilization --by type --step 100 data/cholesky.csv",
	.run = run_utilization,
};
