/* SPDX-License-Identifier: GPL-3.0-or-later */
/* utilization.c -- the share of each step of time in which workers compute. */
#include <math.h>

#include "analysis/core/warnings.h"
#include "analysis/machine/occupancy.h"
#include "analysis/tasks/load.h"
#include "trace/alloc.h"
#include "trace/number.h"

#define COLUMNS(X) \
	X(START, "Start", TV_TIME, false, "ms", "start of the step") \
	X(END, "End", TV_TIME, false, "ms", "its end") \
	X(NODE, "Node", TV_LABEL, false, "", "node; missing with --by type, all") \
	X(RTYPE, "ResourceType", TV_LABEL, false, "", \
	  "resource type; missing with --by node, all") \
	X(ID, "ResourceId", TV_LABEL, false, "", "worker; missing without --by worker") \
	X(WORKERS, "Workers", TV_INT, false, "", \
	  "number of workers of the row; of an object its Capacity, see topology") \
	X(TIME, "Time", TV_TIME, false, "ms", \
	  "their time in counted tasks within the step; overlapping ones count once") \
	X(UTILIZATION, "Utilization", TV_DOUBLE, false, "%", "100 Time / (Workers (End - Start))")

TV_COLUMNS(columns, COLUMNS)

enum by { BY_WORKER, BY_TYPE, BY_NODE, BY_ALL };

/* Workers whose load is added up. */
struct team {
	uint32_t worker; /* its first */
	uint32_t workers;
	tv_int128 busy; /* in one step */
};

static uint32_t team_of(const struct tv_tasks *tasks, enum by by, uint32_t w)
{
	return by == BY_WORKER ? w
	     : by == BY_TYPE   ? tasks->workers[w].rtype
	     : by == BY_NODE   ? tasks->workers[w].node
			       : 0;
}

static void write_row(struct tv_table *out, const struct tv_tasks *tasks, enum by by,
		      const struct team *team, int64_t begin, int64_t end)
{
	const struct tv_worker *w = &tasks->workers[team->worker];
	struct tv_column *const *to = out->col;
	double whole = (double)(end - begin) * team->workers;
	uint32_t row = tv_table_add_row(out);

	if (by == BY_WORKER || by == BY_NODE)
		tv_set_label(to[NODE], row, tasks->node[w->node].label);
	if (by == BY_WORKER || by == BY_TYPE)
		tv_set_label(to[RTYPE], row, tasks->rtype[w->rtype].label);
	if (by == BY_WORKER)
		tv_set_label(to[ID], row, w->resource);
	tv_set_int(to[START], row, begin);
	tv_set_int(to[END], row, end);
	tv_set_int(to[WORKERS], row, team->workers);
	tv_set_int(to[TIME], row, tv_sum_ns(team->busy));
	tv_set_double(to[UTILIZATION], row, 100 * (double)team->busy / whole);
}

static void write_step(struct tv_table *out, const struct tv_tasks *tasks, enum by by,
		       struct team *team, uint32_t nteams, const struct tv_load *load, uint32_t s)
{
	int64_t begin = tv_slices_begin(&load->steps, s), end = tv_slices_end(&load->steps, s);

	for (uint32_t i = 0; i < nteams; i++)
		team[i].busy = 0;
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		team[team_of(tasks, by, w)].busy += load->busy[(size_t)s * tasks->nworkers + w];
	for (uint32_t i = 0; i < nteams; i++)
		write_row(out, tasks, by, &team[i], begin, end);
}

static void write_load(struct tv_table *out, const struct tv_tasks *tasks, enum by by,
		       const struct tv_load *load)
{
	struct team *team = tv_alloc(tasks->nworkers, sizeof *team);
	uint32_t nteams = by == BY_WORKER ? tasks->nworkers
			: by == BY_TYPE	  ? tasks->nrtypes
			: by == BY_NODE	  ? tasks->nnodes
					  : 1;

	for (uint32_t w = tasks->nworkers; w-- > 0;) {
		struct team *its = &team[team_of(tasks, by, w)];

		its->worker = w;
		its->workers++;
	}
	for (uint32_t s = 0; s < load->nsteps; s++)
		write_step(out, tasks, by, team, nteams, load, s);
	tv_free(team);
}

/* ---- objects of the machine ---- */

static void write_object(struct tv_table *out, const struct tv_occupancy *o, uint32_t object,
			 const struct tv_slices *steps, uint32_t step)
{
	const struct tv_machine *m = &o->placement->machine;
	int64_t begin = tv_slices_begin(steps, step), end = tv_slices_end(steps, step);
	struct tv_column *const *to = out->col;
	uint32_t row = tv_table_add_row(out);
	tv_int128 time;
	double share = tv_occupancy_share(o, step, object, end - begin, false, &time);

	tv_set_int(to[START], row, begin);
	tv_set_int(to[END], row, end);
	tv_set_label(to[RTYPE], row, m->level[m->at[object].level].type);
	tv_set_label(to[ID], row, m->at[object].id);
	tv_set_int(to[WORKERS], row, o->capacity[object]);
	if (isnan(share))
		return;
	tv_set_int(to[TIME], row, tv_sum_ns(time));
	tv_set_double(to[UTILIZATION], row, share);
}

struct asked {
	const char *step, *level;
	enum by by;
};

static int check_options(const struct tv_options *options, struct tv_error *err)
{
	const struct asked *asked = options->chosen;

	if (asked->level != NULL && TV_GIVEN(options, struct asked, by))
		return tv_fail_usage(err, "--by has no effect with --level");
	return 0;
}

static int write_level(struct tv_run *run, const struct asked *asked, struct tv_table *out,
		       struct tv_error *err)
{
	struct tv_occupancy o = { 0 };
	struct tv_slices steps;
	const struct tv_level *level;
	uint32_t number, nsteps;
	int64_t *edge;

	if (tv_occupancy_level(&o, run, asked->level, &number, err) < 0
	    || tv_load_steps(run, asked->step, o.nobjects, &steps, &nsteps, err) < 0) {
		tv_occupancy_release(&o);
		return -1;
	}
	edge = tv_alloc((size_t)nsteps + 1, sizeof *edge);
	edge[0] = steps.begin;
	for (uint32_t s = 0; s < nsteps; s++)
		edge[s + 1] = tv_slices_end(&steps, s);
	if (nsteps > 0)
		tv_occupancy_fill(&o, TV_OCCUPIED_COUNTED, TV_NONE, number, edge, nsteps);
	level = &o.placement->machine.level[number];
	for (uint32_t s = 0; s < nsteps; s++)
		for (uint32_t i = 0; i < level->n; i++)
			write_object(out, &o, o.placement->machine.in_level[level->first + i],
				     &steps, s);
	tv_free(edge);
	tv_occupancy_release(&o);
	return 0;
}

static int run_utilization(struct tv_run *run, const struct tv_options *options,
			   struct tv_table *out, struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct tv_load load;

	tv_warn_workers(run);
	if (asked->level != NULL)
		return write_level(run, asked, out, err);
	if (tv_load_init(&load, run, asked->step, err) < 0)
		return -1;
	write_load(out, tv_run_part(run), asked->by, &load);
	tv_load_release(&load);
	return 0;
}

static bool is_in_parts(const struct tv_options *given)
{
	return !tv_option_given(given, "level");
}

static const struct tv_option_spec options[] = {
	{ TV_STEP_LOAD_ROW, TV_ASKED(step) },
	{ "by", "worker|type|node|all", "worker",
	  "one row per step and worker, type, node, or all workers", TV_OPTION_CHOICE,
	  TV_ASKED(by) },
	{ TV_LEVEL_ROW, TV_ASKED(level) },
};

const struct tv_pass tv_pass_utilization = {
	.name = "utilization",
	.summary = "Worker utilization per time step",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_BOUNDS,
	.columns = "Cpu CpuEnd NumaNode",
	.windowed = true,
	.in_parts = is_in_parts,
	.unordered = true,
	.beside = 40,
	.ranked = "Utilization",
	.sums = true,
	.needs = "resources",
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_COLUMNS(columns),
	.notes = "Steps end at the multiples of their length, and cover the run from its first\n"
		 "Start (or --begin) to its last End (or --end): the first and the last one may\n"
		 "be shorter; their Utilization refers to their actual length.\n"
		 "Workers without tasks count, with 0. Setup and runtime tasks are not busy time\n"
		 "(see --kind).\n"
		 "--level: the objects of a level of the machine instead; time and Workers are\n"
		 "those of topology --by busy, missing where the trace does not determine them.\n"
		 "Source: StarVZ's utilization heat map, without its truncated last step.",
	.example = "traceviz utilization --by type --step 100 data/cholesky.csv",
	.check = check_options,
	.run = run_utilization,
};
