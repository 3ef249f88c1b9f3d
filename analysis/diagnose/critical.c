/* SPDX-License-Identifier: GPL-3.0-or-later */
/* critical.c -- the finding that tasks of the critical path ran on slow types of workers. */
#include <string.h>

#include "analysis/core/means.h"
#include "analysis/diagnose/findings.h"
#include "trace/map.h"
#include "trace/text.h"

/* What tasks of a path took longer on their type of workers than on the best one, by mean durations. */
struct excess {
	double time, most; /* ns, of all pairs and of the largest */
	uint32_t n;	   /* tasks */
	uint32_t pair;	   /* that one, an index into means->pair */
};

/* w(t,r) - min over r of w(t,r), ns. */
static double above_best(const struct tv_means *means, uint32_t type, uint32_t rtype)
{
	const struct tv_pair *pair = &means->pair[(size_t)type * means->nrtypes];
	double best = tv_mean(&pair[rtype]);

	for (uint32_t r = 0; r < means->nrtypes; r++)
		if (pair[r].executions > 0 && tv_mean(&pair[r]) < best)
			best = tv_mean(&pair[r]);
	return tv_mean(&pair[rtype]) - best;
}

static uint32_t rtype_of(const struct tv_tasks *tasks, uint32_t label)
{
	uint32_t r = 0;

	while (r < tasks->nrtypes && tasks->rtype[r].label != label)
		r++;
	return r;
}

static void add_path(const struct tv_tasks *tasks, const struct tv_means *means,
		     const struct tv_table *path, struct excess *excess)
{
	double *sum = tv_alloc((size_t)means->ntypes * means->nrtypes, sizeof *sum);
	struct tv_map place = { 0 };

	for (uint32_t t = 0; t < means->ntypes; t++)
		tv_map_put(&place, means->type[t], 0, t);
	for (uint32_t row = 0; row < path->nrows; row++) {
		uint32_t value = tv_label(tv_table_find(path, "Value"), row);
		uint32_t r = rtype_of(tasks, tv_label(tv_table_find(path, "ResourceType"), row));
		const uint32_t *t = tv_map_get(&place, value, 0);
		uint32_t pair;
		double more;

		if (strcmp(tv_table_text(path, "Part", row), "task") != 0 || t == NULL
		    || r == tasks->nrtypes || means->pair[*t * means->nrtypes + r].executions == 0)
			continue;
		pair = *t * means->nrtypes + r;
		more = above_best(means, *t, r);
		excess->n += more > 0;
		excess->time += more;
		sum[pair] += more;
		if (sum[pair] > excess->most) {
			excess->most = sum[pair];
			excess->pair = pair;
		}
	}
	tv_map_release(&place);
	tv_free(sum);
}

/* The type of workers on which a task type is fastest. */
static uint32_t best_rtype(const struct tv_means *means, uint32_t type)
{
	const struct tv_pair *pair = &means->pair[(size_t)type * means->nrtypes];
	uint32_t best = TV_NONE;

	for (uint32_t r = 0; r < means->nrtypes; r++)
		if (pair[r].executions > 0
		    && (best == TV_NONE || tv_mean(&pair[r]) < tv_mean(&pair[best])))
			best = r;
	return best;
}

static void write_text(const struct tv_case *c, const struct tv_means *means,
		       const struct excess *excess, struct tv_found *found)
{
	uint32_t label = means->type[excess->pair / means->nrtypes];
	char time[32], gain[32], value[64] = "", rtype[64], best[64];

	if (label != TV_NONE)
		tv_clean_text(value, sizeof value, tv_pool_text(c->tasks->pool, label));
	tv_clean_text(
		rtype, sizeof rtype,
		tv_pool_text(c->tasks->pool, c->tasks->rtype[excess->pair % means->nrtypes].label));
	tv_clean_text(
		best, sizeof best,
		tv_pool_text(
			c->tasks->pool,
			c->tasks->rtype[best_rtype(means, excess->pair / means->nrtypes)].label));
	found->text = tv_format(
		"On the chain of dependencies to the last task, %u %s ran on workers of a type "
		"that is slow for them: above all %s on %s, which is faster on %s. Where each is "
		"fastest, they take %s "
		"less in sum, by mean durations; the run can be shorter by %s at most.",
		excess->n, excess->n == 1 ? "task" : "tasks", value, rtype, best,
		tv_words_time(time, (int64_t)(excess->time + 0.5)),
		tv_words_time(gain, found->measure_ns));
}

static int find_critical_placement(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_means *means;
	struct excess excess = { 0 };
	const struct tv_table *path;
	int64_t gap = c->account.makespan - c->best;

	if (c->account.cpe < 0 || c->tasks->nrtypes < 2 || gap < c->min_ns)
		return 0;
	path = tv_run_pass_with(c->run, "critical-path", err, "follow", "deps", NULL);
	if (path == NULL)
		return -1;
	means = &tv_run_estimates(c->run)->means[0];
	add_path(c->tasks, means, path, &excess);
	if (excess.time >= (double)c->min_ns && excess.time >= 1) {
		found->holds = true;
		found->confidence = TV_ESTIMATE;
		found->measure_ns = excess.time < (double)gap ? (int64_t)(excess.time + 0.5) : gap;
		write_text(c, means, &excess, found);
		/* Where it is the chain that bounds the run with this placement, more than the work of a type of workers does. */
		found->schedule = (double)c->longest.recorded >= 0.9 * (double)c->account.makespan
			       && (double)c->longest.recorded - c->account.placement
					  > c->account.placement - c->account.bound;
		found->command = tv_case_verb(c, "critical-path", "--follow deps");
	}
	return 0;
}

const struct tv_rule tv_rule_critical_placement = {
	.id = "critical-placement",
	.title = "tasks on the critical path ran on slow workers",
	.condition = "on the chain of last dependencies that ends with the last task, tasks ran on "
		     "types of workers whose mean durations are above those of the best type, by 1 "
		     "% of the makespan in sum",
	.measures = "Measure: the sum of mean duration there - mean duration on the best type, "
		    "up to makespan - the larger of area bound and best-placed chain",
	.action = "Let only the type of workers that is fastest for them run these tasks, or "
		  "give them a higher priority there.",
	.in.starpu = "the field where of the codelet; STARPU_PRIORITY where they are inserted, "
		     "with STARPU_SCHED=dmdas",
	.picture = "--panels spacetime --spacetime.observed both",
	.without = TV_WITHOUT_SLOW_TYPES,
	.find = find_critical_placement,
};
