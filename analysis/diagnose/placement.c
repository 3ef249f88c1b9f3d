/* SPDX-License-Identifier: GPL-3.0-or-later */
/* placement.c -- findings about where tasks ran. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/core/columns.h"
#include "analysis/core/worker_words.h"
#include "analysis/diagnose/evidence.h"
#include "trace/text.h"

static const char *name_of(const struct tv_case *c, uint32_t label, char out[64])
{
	return tv_clean_text(out, 64, label == TV_NONE ? "" : tv_pool_text(c->tasks->pool, label));
}

/* Whether the trace shows too little of where types could run to say anything of placement. */
static bool is_one_sided(const struct tv_case *c)
{
	double share;

	tv_free(tv_case_one_sided(c, &share));
	return share >= TV_ONE_SIDED;
}

/* Whether tasks of a task type (label) that ran on workers of a type (index) are faster on those of another one, which do nothing for a
 * quarter of the run: then some of them ought to run there, wherever types could run that never did. */
static bool has_idle_place(const struct tv_case *c, uint32_t value, uint32_t type)
{
	const struct tv_tasks *tasks = c->tasks;
	double *time = tv_alloc(c->account.ntypes, sizeof *time);
	uint32_t *n = tv_alloc(c->account.ntypes, sizeof *n);
	bool has = false;

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && tasks->value[row] == value) {
			uint32_t r = tasks->workers[tasks->worker[row]].rtype;

			time[r] += (double)tv_row_time(tasks, row);
			n[r] += tv_row_begins(tasks, row);
		}
	for (uint32_t r = 0; r < c->account.ntypes; r++) {
		const struct tv_account_type *to = &c->account.type[r];

		has = has
		   || (r != type && n[r] > 0 && n[type] > 0 && time[r] / n[r] < time[type] / n[type]
		       && (double)to->work
				  < 0.75 * (double)c->account.makespan * (double)to->workers);
	}
	tv_free(time);
	tv_free(n);
	return has;
}

static int find_allocation(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_account_row *top = NULL;
	bool sided = is_one_sided(c);
	char value[64], rtype[64], cost[32];
	tv_int128 worker = 0;
	int64_t time = 0;

	(void)err;
	for (size_t i = 0; i < c->account.n; i++) {
		const struct tv_account_row *row = &c->account.row[i];

		if (row->part != TV_ACCOUNT_ALLOCATION
		    || (sided && !has_idle_place(c, row->value, row->type)))
			continue;
		top = top == NULL || row->time > top->time ? row : top;
		time += row->time;
		worker += row->worker;
	}
	found->time_ns = time;
	found->worker_ns = tv_sum_ns(worker);
	found->holds = top != NULL && time >= c->min_ns && time > 0;
	if (!found->holds)
		return 0;
	found->text = tv_format(
		"Tasks ran on workers where other tasks gain more: above all %s on %s, which costs "
		"%s.",
		name_of(c, top->value, value), name_of(c, c->account.type[top->type].rtype, rtype),
		tv_words_time(cost, top->time));
	if (top->value != TV_NONE)
		found->picture = tv_case_highlight(
			"Value", tv_pool_text(c->tasks->pool, top->value), "ResourceType",
			tv_pool_text(c->tasks->pool, c->account.type[top->type].rtype));
	return 0;
}

const struct tv_rule tv_rule_allocation = {
	.id = "allocation",
	.picture = "--panels spacetime,abe,account",
	.title = "tasks run on the wrong type of workers",
	.condition = "the part allocation of the account is 1 % of the makespan",
	.measures = "what these tasks cost more than in the best place; WorkerTime: their time",
	.action = "Let the scheduler know how long these tasks take, or forbid this type of "
		  "workers for them.",
	.in.starpu = "STARPU_SCHED=dmda or dmdas, models measured anew (one run with "
		     "STARPU_CALIBRATE=2); or the field where of the codelet",
	.see = "crowded",
	.without = TV_WITHOUT_SCHEDULE,
	.find = find_allocation,
};

/* The type of workers with the most work each, and how much that is. */
static uint32_t busiest(const struct tv_case *c, double *each)
{
	uint32_t best = 0;

	*each = -1;
	for (uint32_t r = 0; r < c->account.ntypes; r++) {
		const struct tv_account_type *type = &c->account.type[r];
		double work = (double)type->work / (double)type->workers;

		if (work > *each) {
			*each = work;
			best = r;
		}
	}
	return best;
}

/* Time of a row of abe on its type of workers beyond what is ideal, ns. */
static double beyond(const struct tv_table *table, uint32_t row)
{
	const struct tv_column *mean = tv_table_find(table, "MeanDuration");

	if (tv_missing(mean, row))
		return 0;
	return ((double)tv_table_find(table, "Actual")->i[row]
		- tv_table_find(table, "Ideal")->d[row])
	     * (double)mean->i[row];
}

/* The task types of which such workers ran more than is ideal (sign 1), or less (-1): "46 dtrsm (ideal: 0),
 * ...", those with a tenth of the time beyond; NULL = none. *most: the label of that with the most. */
static char *list_beyond(const struct tv_table *table, uint32_t rtype, int sign, uint32_t *most)
{
	double all = 0, largest = 0;
	char *list = NULL, value[64];

	for (int pass = 0; pass < 2; pass++)
		for (uint32_t row = 0; row < table->nrows; row++) {
			if (tv_label(tv_table_find(table, "Node"), row) != TV_NONE
			    || tv_label(tv_table_find(table, "ResourceType"), row) != rtype)
				continue;
			if (pass == 0)
				all += fmax(0, sign * beyond(table, row));
			if (sign * beyond(table, row) > largest) {
				largest = sign * beyond(table, row);
				*most = tv_label(tv_table_find(table, "Value"), row);
			}
			if (pass == 0 || sign * beyond(table, row) <= 0.1 * all)
				continue;
			tv_append(&list, "%s%lld %s (ideal: %.0f)", list != NULL ? ", " : "",
				  (long long)tv_table_find(table, "Actual")->i[row],
				  tv_clean_text(value, sizeof value,
						tv_table_text(table, "Value", row)),
				  tv_table_find(table, "Ideal")->d[row]);
		}
	return list;
}

static int find_crowded(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	double each;
	uint32_t type = busiest(c, &each), most = TV_NONE, least;
	const struct tv_table *table;
	char workers[TV_WORKER_WORDS], bound[32], area[32], *list, *less, *instead;

	if (c->account.ntypes < 2 || c->account.placement < 1.05 * c->account.bound
	    || c->account.placement - c->account.bound < (double)c->min_ns)
		return 0;
	table = tv_run_pass_with(c->run, "abe", err, "durations-from", c->from, NULL);
	if (table == NULL)
		return -1;
	list = list_beyond(table, c->account.type[type].rtype, 1, &most);
	if (list == NULL || (is_one_sided(c) && !has_idle_place(c, most, type))) {
		tv_free(list);
		return 0;
	}
	less = list_beyond(table, c->account.type[type].rtype, -1, &least);
	instead = less == NULL ? tv_strdup("") : tv_format("; and only %s", less);
	found->holds = true;
	found->measure_ns = llround(c->account.placement - c->account.bound);
	found->worker_ns = tv_sum_ns((tv_int128)llround((c->account.placement - c->account.bound)
							* (double)c->account.type[type].workers));
	tv_words_workers(workers, tv_pool_text(c->tasks->pool, c->account.type[type].rtype), false);
	found->title = tv_format("%s have too much work", workers);
	found->text = tv_format(
		"With this placement%s takes %s or more in any order, as its %s have "
		"so much work; spread over all workers all work takes %s. They ran %s%s.",
		c->from != NULL ? " and the given durations a run" : " the run",
		tv_words_time(bound, llround(c->account.placement)), workers,
		tv_words_time(area, c->account.area), list, instead);
	tv_free(list);
	tv_free(less);
	tv_free(instead);
	found->command = tv_case_plot(c, "crowded", "--panels spacetime,abe", 0, 0);
	return 0;
}

const struct tv_rule tv_rule_crowded = {
	.id = "crowded",
	.title = "one type of workers has too much work",
	.condition = "the bound of this placement is 5 % above the area bound",
	.measures =
		"WorkerTime: the work of the busiest type beyond the area bound; no part of the "
		"account, where it appears as idle time of the others",
	.action = "Let the other workers run some of these tasks.",
	.in.starpu = "STARPU_SCHED=dmda or dmdas; where it is that already, models measured anew "
		     "(one run with STARPU_CALIBRATE=2), or a smaller STARPU_SCHED_BETA, if "
		     "transfers keep tasks on these workers",
	.without = TV_WITHOUT_SCHEDULE,
	.find = find_crowded,
};

/* ---- among workers of one type ---- */

/* What the tasks of a worker take. */
struct load {
	tv_int128 work, slow; /* ns; of that, tasks that something made slow */
	int64_t longest;      /* its longest task */
	uint32_t n;	      /* tasks that began on it */
	bool ran;
};

static struct load *list_loads(const struct tv_case *c)
{
	const struct tv_tasks *tasks = c->tasks;
	struct load *load = tv_alloc(tasks->nworkers, sizeof *load);

	for (uint32_t row = 0; row < tasks->n; row++) {
		struct load *of = &load[tasks->worker[row]];
		int64_t time;

		if (!tasks->counted[row])
			continue;
		time = tv_row_time(tasks, row);
		of->ran = true;
		of->n += tv_row_begins(tasks, row);
		of->work += time;
		if (tv_task_time(tasks, row) > of->longest)
			of->longest = tv_task_time(tasks, row);
		if (tv_is_slower(c->class[tv_row_whole(tasks, row)]))
			of->slow += time;
	}
	return load;
}

/* The loads of the workers of a type on a node, those left out that ran nothing, began late or left (absent.h). */
struct loads {
	tv_int128 sum, least;
	uint32_t n, with_least; /* workers; the one that has it */
};

static size_t group_of(const struct tv_tasks *tasks, uint32_t worker)
{
	return (size_t)tasks->workers[worker].node * tasks->nrtypes + tasks->workers[worker].rtype;
}

static struct loads *sum_loads(const struct tv_case *c, const struct load *load)
{
	const struct tv_tasks *tasks = c->tasks;
	struct loads *loads = tv_alloc((size_t)tasks->nnodes * tasks->nrtypes, sizeof *loads);

	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		struct loads *all = &loads[group_of(tasks, w)];

		if (!load[w].ran || (c->absences.is != NULL && c->absences.is[w] != 0))
			continue;
		all->sum += load[w].work;
		if (all->n == 0 || load[w].work < all->least) {
			all->least = load[w].work;
			all->with_least = w;
		}
		all->n++;
	}
	return loads;
}

/* The type that has most of the work of a worker, if no other worker ran it; a label, TV_NONE = none. *time: that work. */
static uint32_t own_type(const struct tv_tasks *tasks, uint32_t worker, int64_t *time)
{
	int64_t *weight = tv_alloc(tasks->n, sizeof *weight);
	tv_int128 most;
	uint32_t type;

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && tasks->worker[row] == worker)
			weight[row] = tv_row_time(tasks, row);
	type = tv_type_with_most(tasks, weight, &most);
	*time = tv_sum_ns(most);
	for (uint32_t row = 0; row < tasks->n && type != TV_NONE; row++)
		if (tasks->counted[row] && tasks->worker[row] != worker
		    && tasks->value[row] == type)
			type = TV_NONE;
	tv_free(weight);
	return type;
}

/* The worker with most work beyond the mean of its type and node, by 5 %, *more ns of it, of those that work for nine tenths of the run, if
 * tasks are not just too long to be divided evenly: from it to that with the least are more than two of its longest tasks. TV_NONE = none. */
static uint32_t fullest(const struct tv_case *c, const struct load *load, const struct loads *loads,
			int64_t *more)
{
	const struct tv_tasks *tasks = c->tasks;
	uint32_t best = TV_NONE;

	*more = 0;
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		const struct loads *all = &loads[group_of(tasks, w)];
		tv_int128 above = all->n < 2 ? 0 : load[w].work - all->sum / all->n;

		if (above <= *more || 20 * above * all->n < all->sum
		    || 10 * load[w].work < 9 * (tv_int128)c->account.makespan
		    || load[w].work - all->least <= 2 * (tv_int128)load[w].longest
		    || 2 * load[w].slow > above)
			continue;
		*more = tv_sum_ns(above);
		best = w;
	}
	return best;
}

/* The tasks of a type on a worker, and those of the other workers of its type of workers. */
struct longer {
	uint32_t type;
	int64_t own, others; /* their means, ns */
	double time;	     /* what its tasks take longer in sum, ns */
	bool worked;	     /* GFlop explains half of that */
};

/* The type by which the tasks of a worker take most longer than others; *sum: by all types, ns. */
static struct longer longest_by_type(const struct tv_case *c, uint32_t worker, double *sum)
{
	const struct tv_tasks *tasks = c->tasks;
	const struct tv_column *gflop = tv_table_find(&tasks->trace->table[TV_TASKS], "GFlop");
	struct longer most = { .type = TV_NONE };
	struct tally {
		double time[2], gflop[2];
		uint32_t n[2], type;
	} *tally = NULL;
	size_t n = 0, cap = 0;
	struct tv_map place = { 0 };

	for (uint32_t row = 0; row < tasks->n; row++) {
		bool own = tasks->worker[row] == worker;
		uint32_t *at;
		double value;

		if (!tasks->counted[row] || !tv_row_begins(tasks, row) || !tv_task_ended(tasks, row)
		    || tasks->workers[tasks->worker[row]].rtype != tasks->workers[worker].rtype)
			continue;
		at = tv_map_at(&place, tasks->value[row], 0);
		if (*at == TV_NONE) {
			TV_GROW(tally, n, cap, 1);
			tally[n] = (struct tally){ .type = tasks->value[row] };
			*at = (uint32_t)n++;
		}
		tally[*at].time[own] += (double)tv_task_time(tasks, row);
		if (gflop != NULL && tv_cell_number(gflop, row, &value))
			tally[*at].gflop[own] += value;
		tally[*at].n[own]++;
	}
	*sum = 0;
	for (size_t i = 0; i < n; i++) {
		const struct tally *t = &tally[i];
		double own = t->time[1] / t->n[1], others = t->time[0] / t->n[0], time,
		       work = t->gflop[1] / t->n[1] / (t->gflop[0] / t->n[0]);

		if (t->n[0] == 0 || t->n[1] == 0)
			continue;
		time = (own - others) * t->n[1];
		*sum += time;
		if (time > most.time)
			most = (struct longer){ t->type, llround(own), llround(others), time,
						work - 1 >= 0.5 * (own / others - 1) };
	}
	tv_map_release(&place);
	tv_free(tally);
	return most;
}

/* Where its tasks are not more than those of others, but longer for half of what it has more: whether they are more work the durations
 * do not say. */
static void describe_longer(const struct tv_case *c, uint32_t worker, int64_t more,
			    const char *name, struct tv_found *found)
{
	char value[64], time[2][32];
	double sum;
	struct longer longer = longest_by_type(c, worker, &sum);

	if (longer.type == TV_NONE || longer.worked || 2 * sum < (double)more)
		return;
	tv_free(found->title);
	found->title = tv_format("the tasks of worker %s take longer than those of others", name);
	tv_append(&found->text,
		  " Its tasks of type %s take %s on average, those of other workers %s. Whether "
		  "they have more work, or worker %s is slower, these times do not say.",
		  name_of(c, longer.type, value), tv_words_time(time[0], longer.own),
		  tv_words_time(time[1], longer.others), name);
	found->action = "Compare what these tasks compute with those of other workers. If it is "
			"more, divide tasks by what they take and not by their number; if not, "
			"look at the clock of that processor and at what else runs there.";
}

/* Whether the fullest worker, with that work, is no 5 % above the mean of those but the one with the least: that one differs. */
static bool is_one_behind(const struct loads *all, tv_int128 most)
{
	tv_int128 others = all->n < 3 ? 0 : (all->sum - all->least) / (all->n - 1);

	return others > 0 && 20 * (most - others) < others;
}

/* What the finding says of a worker that has more or less work; others: of that of the others, freed. */
static void describe(const struct tv_case *c, uint32_t worker, const struct load *load,
		     const char *difference, char *others, int64_t waited, struct tv_found *found)
{
	const char *resource = tv_pool_text(c->tasks->pool, c->tasks->workers[worker].resource);
	char name[64], time[32], words[TV_WORDS_OF_ALL];

	tv_clean_text(name, sizeof name, resource);
	found->title = tv_format("worker %s has %s work than others", name, difference);
	found->text = tv_format(
		"The %u task%s of worker %s take%s %s in sum; %s. Workers did nothing for %s while "
		"ready tasks waited for other workers.",
		load->n, tv_plural(load->n), name, load->n == 1 ? "s" : "",
		tv_words_time(time, tv_sum_ns(load->work)), others,
		tv_words_of_all(words, c, waited));
	found->picture = tv_case_highlight("ResourceId", resource, NULL, NULL);
	tv_free(others);
}

static void describe_least(const struct tv_case *c, const struct load *load,
			   const struct loads *all, tv_int128 most, int64_t waited,
			   struct tv_found *found)
{
	char time[2][32];

	describe(
		c, all->with_least, &load[all->with_least], "less",
		tv_format("those of each other worker of its type take %s on average, and %s at "
			  "most",
			  tv_words_time(time[0], tv_sum_ns((all->sum - all->least) / (all->n - 1))),
			  tv_words_time(time[1], tv_sum_ns(most))),
		waited, found);
}

static void describe_most(const struct tv_case *c, uint32_t worker, const struct load *load,
			  const struct loads *all, int64_t waited, struct tv_found *found)
{
	const struct tv_tasks *tasks = c->tasks;
	int64_t own;
	uint32_t type = own_type(tasks, worker, &own);
	char name[64], value[64], time[2][32];

	tv_clean_text(name, sizeof name,
		      tv_pool_text(tasks->pool, tasks->workers[worker].resource));
	describe(c, worker, load, "more",
		 tv_format("the mean of the workers of its type is %s, the smallest sum %s",
			   tv_words_time(time[0], tv_sum_ns(all->sum / all->n)),
			   tv_words_time(time[1], tv_sum_ns(all->least))),
		 waited, found);
	if (type != TV_NONE) {
		tv_append(&found->text,
			  " Of what worker %s did, %s is of type %s, which ran on no other worker.",
			  name, tv_words_time(time[0], own), name_of(c, type, value));
		found->action = "Let other workers run tasks of this type, too.";
	} else {
		describe_longer(c, worker, tv_sum_ns(load->work - all->sum / all->n), name, found);
	}
}

static int find_imbalance(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	int64_t gap = c->account.makespan - c->best, time, waited, more;
	struct loads *loads;
	struct load *load;
	uint32_t worker;

	(void)err;
	tv_case_elsewhere(c, &time, &waited);
	if (tv_tasks_cut(c->tasks) || time < c->min_ns)
		return 0;
	load = list_loads(c);
	loads = sum_loads(c, load);
	worker = fullest(c, load, loads, &more);
	more = more < gap ? more : gap;
	if (worker != TV_NONE && more >= c->min_ns && more > 0 && 3 * time >= more) {
		const struct loads *all = &loads[group_of(c->tasks, worker)];

		found->holds = true;
		found->measure_ns = more;
		found->at_most = true;
		if (is_one_behind(all, load[worker].work))
			describe_least(c, load, all, load[worker].work, waited, found);
		else
			describe_most(c, worker, &load[worker], all, waited, found);
		found->command = tv_case_verb(c, "summary", "--by ResourceId");
	}
	tv_free(load);
	tv_free(loads);
	return 0;
}

const struct tv_rule tv_rule_imbalance = {
	.id = "imbalance",
	.title = "one worker has more work than others",
	.condition =
		"the tasks of a worker take nine tenths of the makespan in sum, and longer than "
		"the "
		"mean of the workers of its type and node by 5 %, and by 1 % of the makespan, and "
		"longer than those of the one with the least by two of its longest tasks; not if "
		"half of that is tasks that are slow; and idle time of the cause elsewhere is a "
		"third of it. Where that worker is less than 5 % above the others but the one with "
		"the least, that one is named",
	.measures = "Measure: that time above the mean, up to makespan - the larger of area bound "
		    "and best-placed chain",
	.action = "Divide tasks by what they take and not by their number, or let each worker "
		  "take the next one when it is free.",
	.in.starpu = "a scheduler that decides when tasks are ready, such as lws or dmdas, in "
		     "place of a fixed worker (execute_on_a_specific_worker)",
	.in.openmp = "schedule(dynamic)",
	.picture = "--panels spacetime,idle-causes",
	.schedule = true,
	.find = find_imbalance,
};
