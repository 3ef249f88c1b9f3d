/* SPDX-License-Identifier: GPL-3.0-or-later */
/* path_parts.c -- the longest path to each task, from part to part. */
#include "analysis/bounds/path_parts.h"

#include <math.h>

#include "analysis/bounds/longest.h"
#include "analysis/core/team.h"
#include "dag/carry.h"
#include "trace/alloc.h"
#include "trace/map.h"

/* Of the longest paths that end in a node. */
struct reach {
	double fastest;	 /* as a path is chosen by it */
	tv_int128 whole; /* its sum, as exact as the weights */
	double rest;
	double recorded, placed;
};

struct finding {
	const struct tv_means *means;
	const struct tv_durations *durations;
	const struct tv_duration_rule *rule;
	struct tv_index type; /* by label: place in means->type */
	uint32_t no_type;     /* the same of tasks without a type */
	struct reach best;
	bool any;
};

/* Adds what a node weighs. */
static void weigh(const struct finding *f, const struct tv_dag *dag, uint32_t v, struct reach *to)
{
	const struct tv_tasks *tasks = dag->tasks;
	uint32_t row = dag->row[v], type;
	double weight, down, recorded;

	if (!dag->task[v] || !dag->timed[v] || !tv_task_ended(tasks, row))
		return;
	recorded = (double)(dag->end[v] - dag->start[v]);
	type = tasks->value[row] == TV_NONE ? f->no_type
					    : tv_index_get(&f->type, tasks->value[row]);
	weight = f->durations->fastest[type] * tv_row_share(tasks, row);
	down = floor(weight);
	to->fastest += weight;
	to->whole += (tv_int128)down;
	to->rest += weight - down;
	to->recorded += recorded;
	if (recorded > 0)
		recorded = fmin(recorded,
				tv_time_elsewhere(f->means, f->rule, tasks, type,
						  tasks->workers[tasks->worker[row]].rtype, row));
	to->placed += recorded;
}

static void find_reach(const struct finding *f, const struct tv_dag *dag, struct reach *reach,
		       uint32_t v)
{
	struct reach to = { 0 };

	for (uint32_t k = dag->first[v]; k < dag->first[v + 1]; k++) {
		const struct reach *before = &reach[dag->pred[k]];

		if (k == dag->first[v] || before->fastest > to.fastest) {
			to.fastest = before->fastest;
			to.whole = before->whole;
			to.rest = before->rest;
		}
		to.recorded = fmax(to.recorded, before->recorded);
		to.placed = fmax(to.placed, before->placed);
	}
	weigh(f, dag, v, &to);
	reach[v] = to;
}

static void take_best(struct finding *f, const struct reach *reach)
{
	struct reach *best = &f->best;

	if (!f->any || reach->fastest > best->fastest) {
		best->fastest = reach->fastest;
		best->whole = reach->whole;
		best->rest = reach->rest;
	}
	best->recorded = fmax(best->recorded, reach->recorded);
	best->placed = fmax(best->placed, reach->placed);
	f->any = true;
}

/* Whether tasks go on beside those that they created, or wait for what others wait for: that says more of the order than
 * this knows. */
static bool has_creators(const struct tv_dag *dag)
{
	const struct tv_table *tasks = &dag->tasks->trace->table[TV_TASKS];

	for (uint32_t v = 0; dag->creator != NULL && v < dag->n; v++)
		if (dag->creator[v] != TV_NONE)
			return true;
	return tv_table_find(tasks, "SubmitAfter") != NULL;
}

static int add_part(void *state, struct tv_run *part, struct tv_error *err)
{
	struct finding *f = state;
	const struct tv_dag *dag = tv_run_dag(part, err);
	struct reach *reach;

	if (dag == NULL)
		return -1;
	if (has_creators(dag))
		return tv_fail_parts(
			err, "bounds needs all rows at once: tasks were created by tasks, or "
			     "after waits (ParentJob, SubmitAfter)");
	reach = tv_carry_values(part->of->parts->carry, dag, sizeof *reach);
	for (uint32_t i = 0; i < dag->n; i++) {
		find_reach(f, dag, reach, dag->order[i]);
		take_best(f, &reach[dag->order[i]]);
	}
	return 0;
}

/* The longest of all processes; of equal ones the first. */
static void merge(struct finding *f, const struct tv_team *team)
{
	struct tv_parcel pack = { 0 };
	struct tv_gathered all;

	if (f->any)
		tv_pack_bytes(&pack, &f->best, sizeof f->best);
	f->any = false;
	f->best = (struct reach){ 0 };
	all = tv_team_gather(team, &pack);
	for (uint32_t rank = 0; rank < all.n; rank++) {
		struct tv_unpack from = tv_gathered_of(&all, rank);
		struct reach reach;

		if (from.n == 0)
			continue;
		tv_unpack_bytes(&from, &reach, sizeof reach);
		take_best(f, &reach);
	}
	tv_gathered_release(&all);
}

int tv_path_lengths_find(struct tv_path_lengths *lengths, struct tv_run *run,
			 const struct tv_means *means, const struct tv_durations *durations,
			 const struct tv_duration_rule *rule, struct tv_error *err)
{
	struct finding f = { .means = means, .durations = durations, .rule = rule };
	int rc;

	for (uint32_t t = 0; t < means->ntypes; t++)
		if (means->type[t] == TV_NONE)
			f.no_type = t;
		else
			tv_index_set(&f.type, means->type[t], t);
	rc = tv_run_rows(run, add_part, &f, err);
	if (rc == 0 && run->team != NULL)
		merge(&f, run->team);
	*lengths = (struct tv_path_lengths){
		.fastest = (double)f.best.whole + f.best.rest,
		.recorded = f.best.recorded,
		.placed = run->tasks.nrtypes <= 1 ? f.best.recorded : f.best.placed,
	};
	tv_free(f.type.at);
	return rc;
}
