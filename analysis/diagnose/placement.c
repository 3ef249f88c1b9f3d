/* SPDX-License-Identifier: GPL-3.0-or-later */
/* placement.c -- findings about where tasks ran. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/diagnose/findings.h"
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

static int find_allocation(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_account_row *top = NULL;
	char value[64], rtype[64], cost[32];

	(void)err;
	for (size_t i = 0; i < c->account.n; i++) {
		const struct tv_account_row *row = &c->account.row[i];

		if (row->part == TV_ACCOUNT_ALLOCATION && (top == NULL || row->time > top->time))
			top = row;
	}
	tv_case_sum(c, TV_ACCOUNT_ALLOCATION, NULL, NULL, TV_NONE, &found->time_ns,
		    &found->worker_ns);
	found->holds = top != NULL && found->time_ns >= c->min_ns && found->time_ns > 0
		    && !is_one_sided(c);
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
 * ...", those with a tenth of the time beyond; NULL = none. */
static char *list_beyond(const struct tv_table *table, uint32_t rtype, int sign)
{
	double all = 0;
	char *list = NULL, value[64];

	for (int pass = 0; pass < 2; pass++)
		for (uint32_t row = 0; row < table->nrows; row++) {
			if (tv_label(tv_table_find(table, "Node"), row) != TV_NONE
			    || tv_label(tv_table_find(table, "ResourceType"), row) != rtype)
				continue;
			if (pass == 0)
				all += fmax(0, sign * beyond(table, row));
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
	uint32_t type = busiest(c, &each);
	const struct tv_table *table;
	char rtype[64], bound[32], area[32], *list, *less, *instead;

	if (c->account.ntypes < 2 || is_one_sided(c)
	    || c->account.placement < 1.05 * c->account.bound
	    || c->account.placement - c->account.bound < (double)c->min_ns)
		return 0;
	table = tv_run_pass_with(c->run, "abe", err, "durations-from", c->from, NULL);
	if (table == NULL)
		return -1;
	list = list_beyond(table, c->account.type[type].rtype, 1);
	if (list == NULL)
		return 0;
	less = list_beyond(table, c->account.type[type].rtype, -1);
	instead = less == NULL ? tv_strdup("") : tv_format("; and only %s", less);
	found->holds = true;
	found->measure_ns = llround(c->account.placement - c->account.bound);
	found->worker_ns = tv_sum_ns((tv_int128)llround((c->account.placement - c->account.bound)
							* (double)c->account.type[type].workers));
	name_of(c, c->account.type[type].rtype, rtype);
	found->title = tv_format("%s workers have too much work", rtype);
	found->text = tv_format(
		"With this placement%s takes %s or more in any order, as its %s workers have "
		"so much work; spread over all workers all work takes %s. They ran %s%s.",
		c->from != NULL ? " and the given durations a run" : " the run",
		tv_words_time(bound, llround(c->account.placement)), rtype,
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
