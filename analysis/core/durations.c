/* SPDX-License-Identifier: GPL-3.0-or-later */
/* durations.c -- durations by type and resource type, from the run or from a file. */
#include "analysis/core/weights.h"

#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* ---- statistics of the run ---- */

/* The median (type 7: the mean of the two in the middle) or the minimum of sorted x[0..n), n > 0. */
static double statistic_of(enum tv_statistic statistic, const int64_t *x, uint32_t n)
{
	if (statistic == TV_MINIMUM)
		return (double)x[0];
	return (double)x[(n - 1) / 2] + (double)(x[n / 2] - x[(n - 1) / 2]) / 2;
}

/* By row that begins an execution: its time on the resource type where it began. */
static int64_t *sum_segments(const struct tv_tasks *tasks, const struct tv_means *means)
{
	int64_t *sum = tv_alloc(tasks->n, sizeof *sum);

	for (uint32_t i = 0; i < means->nrows; i++) {
		uint32_t row = means->row[i];
		int64_t *to = &sum[means->segments ? row : tv_row_whole(tasks, row)];

		if (tv_means_stays(means, tasks, row))
			*to = tv_sum_ns((tv_int128)*to + tv_row_device_time(tasks, row));
	}
	return sum;
}

/* d->sample of every pair that ran: its executions. */
static void find_samples(struct tv_durations *d, const struct tv_tasks *tasks,
			 const struct tv_means *means)
{
	uint32_t npairs = means->ntypes * means->nrtypes, nrows = means->nrows;
	const uint32_t *row = means->row;
	uint32_t *pair = tv_alloc(nrows, sizeof *pair);
	int64_t *sum = sum_segments(tasks, means);
	struct tv_groups groups;

	for (uint32_t i = 0; i < nrows; i++)
		pair[i] = tv_means_take(means, tasks, row[i])
				       && (means->segments || tv_row_begins(tasks, row[i]))
				? tv_means_type(means, row[i]) * means->nrtypes
					  + tasks->workers[tasks->worker[row[i]]].rtype
				: TV_NONE;
	tv_groups_init(&groups, pair, nrows, npairs);
	d->sample = tv_alloc(nrows, sizeof *d->sample);
	d->first_sample = tv_alloc((size_t)npairs + 1, sizeof *d->first_sample);
	memcpy(d->first_sample, groups.first, (npairs + 1) * sizeof *d->first_sample);
	for (uint32_t i = 0; i < groups.first[npairs]; i++)
		d->sample[i] = sum[row[groups.row[i]]];
	for (uint32_t p = 0; p < npairs; p++)
		if (groups.first[p] < groups.first[p + 1])
			qsort(d->sample + groups.first[p], groups.first[p + 1] - groups.first[p],
			      sizeof *d->sample, tv_compare_int64);
	tv_free(pair);
	tv_free(sum);
	tv_groups_release(&groups);
}

/* d->time of every pair that ran. */
static void find_times(struct tv_durations *d, enum tv_statistic statistic,
		       const struct tv_means *means)
{
	for (size_t p = 0; p < (size_t)means->ntypes * means->nrtypes; p++) {
		const uint32_t *first = d->first_sample;

		if (means->pair[p].executions == 0)
			continue;
		d->time[p] = statistic == TV_MEAN || statistic == TV_SAMPLE
				   ? tv_mean(&means->pair[p])
				   : statistic_of(statistic, d->sample + first[p],
						  first[p + 1] - first[p]);
	}
}

/* ---- from pairs to what bounds need ---- */

TV_ORDER(by_labels, struct tv_weight, type, rtype)

const struct tv_weight *tv_duration_rule_find(const struct tv_duration_rule *rule, uint32_t type,
					      uint32_t rtype)
{
	/* In a file, no type and an empty one are the same; label 0 is empty. */
	const struct tv_weight key = { .type = type == TV_NONE ? 0 : type, .rtype = rtype };

	return rule->nweights == 0
		     ? NULL
		     : bsearch(&key, rule->weight, rule->nweights, sizeof key, by_labels);
}

static void look_up(struct tv_durations *d, const struct tv_duration_rule *rule,
		    const struct tv_tasks *tasks, const struct tv_means *means)
{
	for (uint32_t t = 0; t < means->ntypes; t++)
		for (uint32_t r = 0; r < means->nrtypes; r++) {
			const struct tv_weight *found = tv_duration_rule_find(
				rule, means->type[t], tasks->rtype[r].label);

			if (found != NULL)
				d->time[(size_t)t * means->nrtypes + r] = found->ns;
			else
				d->kept += means->pair[(size_t)t * means->nrtypes + r].executions
					 > 0;
		}
}

bool tv_forbids(const char *list, const char *type, const char *rtype)
{
	const char *pair, *colon;
	size_t n;

	while ((pair = tv_list_word(&list, &n)) != NULL) {
		colon = memrchr(pair, ':', n);
		if (colon != NULL && tv_glob_part(pair, (size_t)(colon - pair), type)
		    && tv_glob_part(colon + 1, (size_t)(pair + n - colon) - 1, rtype))
			return true;
	}
	return false;
}

static int find_fastest(struct tv_durations *d, const struct tv_tasks *tasks,
			const struct tv_means *means, uint32_t t, struct tv_error *err)
{
	double *time = &d->time[(size_t)t * means->nrtypes];

	d->where[t] = tv_means_began_elsewhere(means, t);
	if (d->where[t] != TV_NONE) {
		d->fastest[t] = time[d->where[t]] = 0;
		return 0;
	}
	for (uint32_t r = 0; r < means->nrtypes; r++) {
		if (means->workers[r] > 0 && time[r] < 0)
			d->excluded++;
		if (means->workers[r] > 0 && time[r] >= 0
		    && (d->where[t] == TV_NONE || time[r] < d->fastest[t])) {
			d->where[t] = r;
			d->fastest[t] = time[r];
		}
	}
	if (d->where[t] != TV_NONE)
		return 0;
	return tv_fail(err,
		       "tasks of type '%.100s' have no duration on any resource type that they "
		       "may run on",
		       tv_pool_text(tasks->pool, means->type[t]));
}

/* The area bound's program. A team needs all its workers: on average, of that pair if it ran. */
static void state_area(struct tv_durations *d, const struct tv_means *means)
{
	uint32_t nr = means->nrtypes;

	for (uint32_t r = 0; r < nr; r++)
		d->workers[r] = (double)means->workers[r];
	for (uint32_t t = 0; t < means->ntypes; t++) {
		const struct tv_pair *pair = &means->pair[(size_t)t * nr];
		double executions = 0;

		for (uint32_t r = 0; r < nr; r++) {
			d->count[t] += pair[r].tasks;
			executions += (double)pair[r].executions;
		}
		if (executions > d->count[t])
			d->proven = false;
		for (uint32_t r = 0; r < nr; r++)
			d->worker_time[(size_t)t * nr + r] = d->time[(size_t)t * nr + r]
							   * (pair[r].executions > 0
								      ? (double)pair[r].executions
										/ pair[r].tasks
							      : executions > 0
								      ? executions / d->count[t]
								      : 1);
	}
	d->area = (struct tv_area){ means->ntypes, nr, d->count, d->worker_time, d->workers };
}

static void allocate(struct tv_durations *d, const struct tv_means *means)
{
	size_t npairs = (size_t)means->ntypes * means->nrtypes;

	d->time = tv_alloc(npairs, sizeof *d->time);
	d->fastest = tv_alloc(means->ntypes, sizeof *d->fastest);
	d->where = tv_alloc(means->ntypes, sizeof *d->where);
	d->count = tv_alloc(means->ntypes, sizeof *d->count);
	d->worker_time = tv_alloc(npairs, sizeof *d->worker_time);
	d->workers = tv_alloc(means->nrtypes, sizeof *d->workers);
	for (size_t i = 0; i < npairs; i++)
		d->time[i] = -1;
}

static void forbid(struct tv_durations *d, const char *list, const struct tv_tasks *tasks,
		   const struct tv_means *means)
{
	for (uint32_t t = 0; t < means->ntypes; t++)
		for (uint32_t r = 0; r < means->nrtypes; r++)
			if (tv_forbids(list, tv_pool_text(tasks->pool, means->type[t]),
				       tv_pool_text(tasks->pool, tasks->rtype[r].label)))
				d->time[(size_t)t * means->nrtypes + r] = -1;
}

int tv_durations_init(struct tv_durations *d, const struct tv_duration_rule *rule,
		      const struct tv_tasks *tasks, const struct tv_means *means,
		      struct tv_error *err)
{
	*d = (struct tv_durations){ .proven = !rule->foreign && rule->statistic == TV_MINIMUM };
	allocate(d, means);
	if (rule->statistic != TV_MEAN)
		find_samples(d, tasks, means);
	find_times(d, rule->statistic, means);
	if (rule->foreign)
		look_up(d, rule, tasks, means);
	if (rule->forbid != NULL)
		forbid(d, rule->forbid, tasks, means);
	for (uint32_t t = 0; t < means->ntypes; t++)
		if (find_fastest(d, tasks, means, t, err) < 0)
			return -1;
	if (d->excluded > 0 || means->moves)
		d->proven = false;
	state_area(d, means);
	return 0;
}

void tv_durations_release(struct tv_durations *d)
{
	tv_free(d->time);
	tv_free(d->fastest);
	tv_free(d->where);
	tv_free(d->count);
	tv_free(d->worker_time);
	tv_free(d->workers);
	tv_free(d->sample);
	tv_free(d->first_sample);
	*d = (struct tv_durations){ 0 };
}

void tv_durations_weigh(const struct tv_durations *d, const struct tv_means *means,
			const struct tv_dag *dag, double *weight)
{
	for (uint32_t v = 0; v < dag->n; v++)
		weight[v] = dag->task[v] && tv_means_take(means, dag->tasks, dag->row[v])
				  ? d->fastest[tv_means_type(means, dag->row[v])]
					    * tv_durations_share(means, dag, v)
				  : 0;
}

double tv_durations_share(const struct tv_means *means, const struct tv_dag *dag, uint32_t node)
{
	return means->segments ? 1 : tv_row_share(dag->tasks, dag->row[node]);
}

/* ---- the rule ---- */

static int parse_statistic(const char *text, enum tv_statistic *statistic, struct tv_error *err)
{
	static const char *const name[] = { "mean", "median", "minimum", "sample" };

	for (size_t i = 0; i < TV_COUNT(name); i++)
		if (strcmp(text, name[i]) == 0) {
			*statistic = (enum tv_statistic)i;
			return 0;
		}
	return tv_fail_usage(err, "--durations '%s', expected mean, median or minimum", text);
}

int tv_forbid_check(const char *list, struct tv_error *err)
{
	const char *entry;
	size_t n;

	while (list != NULL && (entry = tv_list_word(&list, &n)) != NULL)
		if (memchr(entry, ':', n) == NULL)
			return tv_fail_usage(err,
					     "--forbid '%.*s', expected TYPE:RESTYPE such as "
					     "dpotrf:CUDA",
					     (int)(n < 200 ? n : 200), entry);
	return 0;
}

static void take_named(struct tv_duration_rule *rule, const struct tv_named_weights *named,
		       struct tv_pool *pool)
{
	rule->weight = tv_alloc(named->n, sizeof *rule->weight);
	for (size_t i = 0; i < named->n; i++) {
		struct tv_weight *to = &rule->weight[rule->nweights++];

		to->type = tv_intern_text(pool, named->weight[i].value);
		to->rtype = tv_intern_text(pool, named->weight[i].rtype);
		to->ns = named->weight[i].ns;
	}
}

int tv_duration_rule_init(struct tv_duration_rule *rule, const struct tv_run *run,
			  const char *statistic, const char *forbid_list, const char *file,
			  struct tv_pool *pool, struct tv_error *err)
{
	*rule = (struct tv_duration_rule){ .forbid = forbid_list, .foreign = file != NULL };
	if (parse_statistic(statistic, &rule->statistic, err) < 0
	    || tv_forbid_check(forbid_list, err) < 0)
		return -1;
	if (file == NULL)
		return 0;
	if (run->weights != NULL && strcmp(run->weights->name, file) == 0) {
		take_named(rule, run->weights, pool);
	} else if (tv_weights_read(rule, file, run, pool, err) < 0) {
		return -1;
	}
	if (rule->nweights > 0)
		qsort(rule->weight, rule->nweights, sizeof *rule->weight, by_labels);
	for (size_t i = 1; i < rule->nweights; i++)
		if (by_labels(&rule->weight[i - 1], &rule->weight[i]) == 0)
			return tv_fail_at(err, (struct tv_pos){ file, 0 },
					  "two durations of type '%.100s' on '%.100s'",
					  tv_pool_text(pool, rule->weight[i].type),
					  tv_pool_text(pool, rule->weight[i].rtype));
	return 0;
}

void tv_duration_rule_release(struct tv_duration_rule *rule)
{
	tv_free(rule->weight);
	tv_free(rule->sample);
	*rule = (struct tv_duration_rule){ 0 };
}
