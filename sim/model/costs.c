/* SPDX-License-Identifier: GPL-3.0-or-later */
/* costs.c -- how long each job of a run takes on each resource type of a simulated machine. */
#include "sim/model/costs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/core/exact.h"
#include "analysis/core/warnings.h"
#include "trace/alloc.h"
#include "trace/near_names.h"
#include "trace/number.h"

/* ns, of all tasks together: about 30 years. */
#define MAX_TIME 1e18

bool tv_next_type_number(const char *option, const char *text, const char **at,
			 struct tv_type_number *entry, struct tv_error *err)
{
	size_t n = strcspn(*at, ","), name = strcspn(*at, "=,");

	*entry = (struct tv_type_number){ *at, name, 0 };
	if (name == 0 || name >= n
	    || tv_parse_double(*at + name + 1, n - name - 1, &entry->number) != TV_PARSE_OK
	    || !(entry->number >= 0) || entry->number > 1e9) {
		tv_fail_usage(err, "--%s '%s', expected TYPE=NUMBER,... as in CPU=25,CUDA=3",
			      option, text);
		return false;
	}
	*at += n + ((*at)[n] == ',');
	return true;
}

int tv_type_numbers_check(const char *option, const char *text, struct tv_error *err)
{
	struct tv_type_number entry;

	for (const char *at = text; at != NULL && *at != '\0';)
		if (!tv_next_type_number(option, text, &at, &entry, err))
			return -1;
	return 0;
}

uint32_t tv_costs_rtype(const struct tv_costs *costs, const char *name, size_t n)
{
	const struct tv_pool *pool = costs->dag->tasks->pool;

	for (uint32_t r = 0; r < costs->nrtypes; r++)
		if (tv_pool_length(pool, costs->rtype[r]) == n
		    && memcmp(tv_pool_text(pool, costs->rtype[r]), name, n) == 0)
			return r;
	return TV_NONE;
}

int tv_costs_no_rtype(const struct tv_costs *costs, const char *option, const char *name, size_t n,
		      struct tv_error *err)
{
	struct tv_name_list names = { .n = 0 };

	for (uint32_t r = 0; r < costs->nrtypes; r++)
		tv_name_list_add(&names, tv_pool_text(costs->dag->tasks->pool, costs->rtype[r]));
	return tv_fail_usage(err, "--%s %.*s: the machine has no such type%s%s", option, (int)n,
			     name,
			     names.n > 0 ? ", expected one of " : "; --resources declares some",
			     tv_name_list_text(&names));
}

/* ---- types ---- */

/* Types of planned work, by Value, follow those of the means. */
static void number_types(struct tv_costs *c, const struct tv_means *means)
{
	const struct tv_tasks *tasks = c->dag->tasks;
	uint32_t *of_label = tv_alloc((size_t)tv_pool_count(tasks->pool) + 1, sizeof *of_label);

	c->ntypes = means->ntypes;
	for (uint32_t v = 0; v < c->dag->n; v++) {
		uint32_t row = c->dag->row[v], label = tasks->value[row];
		uint32_t *place = &of_label[label == TV_NONE ? 0 : label + 1];

		c->job[v].type = TV_NONE;
		/* What had not ended when the trace did has no duration. */
		if (!c->dag->task[v] || (tasks->counted[row] && !tv_row_ended(tasks, row)))
			continue;
		if (tasks->counted[row]) {
			c->job[v].type = tv_means_type(means, row);
			continue;
		}
		if (*place == 0)
			*place = ++c->ntypes;
		c->job[v].type = *place - 1;
	}
	tv_free(of_label);
}

static void add_rtype(struct tv_costs *c, uint32_t label)
{
	TV_GROW(c->rtype, c->nrtypes, c->rtypes_cap, 1);
	c->rtype[c->nrtypes++] = label;
}

static int no_duration(const struct tv_costs *c, const struct tv_type_number *entry,
		       struct tv_error *err)
{
	struct tv_name_list names = { .n = 0 };

	for (uint32_t r = 0; r < c->nrtypes; r++)
		tv_name_list_add(&names, tv_pool_text(c->dag->tasks->pool, c->rtype[r]));
	return tv_fail(err,
		       "no task of the run has a duration on the resource type %.*s; "
		       "--durations-from or --gflops gives them%s%s%s",
		       (int)entry->length, entry->name, names.n > 0 ? " (the run has " : "",
		       tv_name_list_text(&names), names.n > 0 ? ")" : "");
}

/* The resource types of the run, then the others that are named. */
static int number_rtypes(struct tv_costs *c, const char *const *more, size_t nmore, bool known,
			 struct tv_error *err)
{
	const struct tv_tasks *tasks = c->dag->tasks;
	struct tv_type_number entry;

	for (uint32_t r = 0; r < tasks->nrtypes; r++)
		add_rtype(c, tasks->rtype[r].label);
	for (size_t i = 0; i < nmore; i++)
		for (const char *at = more[i]; at != NULL && *at != '\0';) {
			if (!tv_next_type_number("resources", more[i], &at, &entry, err))
				return -1;
			if (tv_costs_rtype(c, entry.name, entry.length) != TV_NONE)
				continue;
			if (!known)
				return no_duration(c, &entry, err);
			add_rtype(c, tv_intern(tasks->trace->pool, entry.name, entry.length));
		}
	return 0;
}

/* ---- durations ---- */

/* Times of each type from the file; by the first of its nodes, as all have one Value. */
static void look_up(struct tv_costs *c, bool fill)
{
	const struct tv_duration_rule *rule = &c->rule;
	const uint32_t *value = c->dag->tasks->value;
	bool *done = tv_alloc(c->ntypes, sizeof *done);

	for (uint32_t v = 0; v < c->dag->n; v++) {
		uint32_t t = c->job[v].type;

		if (t == TV_NONE || done[t])
			continue;
		done[t] = true;
		for (uint32_t r = 0; r < c->nrtypes; r++) {
			const struct tv_weight *found = tv_duration_rule_find(
				rule, value[c->dag->row[v]], c->rtype[r]);
			size_t pair = (size_t)t * c->nrtypes + r;

			if (found == NULL || (fill && c->time[pair] >= 0))
				continue;
			c->time[pair] = found->ns;
			if (c->sample != NULL)
				c->sample[pair] = (struct tv_cost_sample){
					rule->sample + found->first, found->n
				};
		}
	}
	tv_free(done);
}

static void copy_times(struct tv_costs *c, const struct tv_means *means)
{
	const struct tv_durations *d = &c->run;

	for (uint32_t t = 0; t < means->ntypes; t++)
		for (uint32_t r = 0; r < means->nrtypes; r++) {
			size_t from = (size_t)t * means->nrtypes + r;
			size_t to = (size_t)t * c->nrtypes + r;

			c->time[to] = d->time[from];
			if (c->sample != NULL)
				c->sample[to] = (struct tv_cost_sample){
					d->sample + d->first_sample[from],
					d->first_sample[from + 1] - d->first_sample[from]
				};
		}
}

/* The durations of the run, or of the file. */
static int find_times(struct tv_costs *c, struct tv_run *run, const struct tv_means *means,
		      bool fill, struct tv_error *err)
{
	const struct tv_duration_rule own = { .statistic = c->rule.statistic };
	int rc = 0;

	for (size_t i = 0; i < (size_t)c->ntypes * c->nrtypes; i++)
		c->time[i] = -1;
	if ((fill || !c->rule.foreign) && run->tasks.ncounted > 0) {
		rc = tv_durations_init(&c->run, &own, &run->tasks, means, err);
		if (rc == 0)
			copy_times(c, means);
	}
	if (c->rule.foreign)
		look_up(c, fill);
	return rc;
}

static int find_rates(struct tv_costs *c, const char *gflops, struct tv_error *err)
{
	struct tv_type_number entry;

	for (const char *at = gflops; at != NULL && *at != '\0';) {
		uint32_t r;

		if (!tv_next_type_number("gflops", gflops, &at, &entry, err))
			return -1;
		r = tv_costs_rtype(c, entry.name, entry.length);
		if (r == TV_NONE)
			return tv_costs_no_rtype(c, "gflops", entry.name, entry.length, err);
		c->rate[r] = entry.number * 1e-9;
	}
	return 0;
}

/* How much of a task a node is: segments divide what is known of whole tasks. */
static double share_of(const struct tv_costs *c, uint32_t node)
{
	const struct tv_tasks *tasks = c->dag->tasks;
	uint32_t row = c->dag->row[node];

	return tasks->counted[row] ? tv_row_share(tasks, row) : 1;
}

/* < 0 = unknown */
static double gflop_of(const struct tv_costs *c, uint32_t node)
{
	uint32_t row = c->dag->row[node];

	return c->gflop != NULL && !tv_missing(c->gflop, row) && c->gflop->d[row] >= 0
		     ? c->gflop->d[row] * share_of(c, node)
		     : -1;
}

/* A type can run where its pair has a duration, or each of its jobs has a GFlop and the type a rate. */
static void find_feasible(struct tv_costs *c)
{
	bool *counted = tv_alloc(c->ntypes, sizeof *counted);

	for (uint32_t t = 0; t < c->ntypes; t++)
		counted[t] = true;
	for (uint32_t v = 0; v < c->dag->n; v++)
		if (c->job[v].type != TV_NONE && gflop_of(c, v) < 0)
			counted[c->job[v].type] = false;
	for (uint32_t t = 0; t < c->ntypes; t++)
		for (uint32_t r = 0; r < c->nrtypes; r++) {
			size_t at = (size_t)t * c->nrtypes + r;

			c->can[at] = c->time[at] >= 0 || (counted[t] && c->rate[r] > 0);
		}
	tv_free(counted);
}

enum duration { AS_RECORDED, USUAL, MEAN, EXPECTED };

/* How much more work than the mean of its type there a job is known to be. */
static double relative_work(const struct tv_costs *c, uint32_t node, size_t pair)
{
	double mean = c->mean_gflop == NULL ? 0 : c->mean_gflop[pair];
	double work = mean > 0 ? c->gflop->d[c->dag->row[node]] : NAN;

	return work >= 0 ? work / mean : 1;
}

/* As recorded; on a worker that is not slow; the mean of what can be drawn, there; what is expected. */
static double time_of(const struct tv_costs *c, uint32_t node, uint32_t rtype, enum duration which)
{
	size_t pair = (size_t)c->job[node].type * c->nrtypes + rtype;
	double time = c->time[pair];

	if (which < MEAN && c->sample != NULL && c->sample[pair].n > 0)
		time = (double)c->sample[pair].ns[(uint32_t)(c->draw[node] * c->sample[pair].n)];

	if (c->job[node].own >= 0 && c->job[node].own_rtype == rtype
	    && (which != EXPECTED || time < 0))
		time = (double)c->job[node].own
		     / (which != AS_RECORDED && c->slow.n > 0 ? (double)c->slow.longer[node] : 1);
	else if (time < 0)
		time = gflop_of(c, node) / c->rate[rtype];
	else if (c->whole)
		time *= share_of(c, node);
	if (which == EXPECTED && c->time[pair] >= 0)
		time *= relative_work(c, node, pair);
	if (c->factor != NULL)
		time /= c->factor[(size_t)node * c->nrtypes + rtype];
	if (c->overhead != NULL)
		time += c->overhead[c->job[node].type] * share_of(c, node);
	return time;
}

int64_t tv_costs_recorded(const struct tv_costs *c, uint32_t node, uint32_t rtype)
{
	/* The most frequent case by far. */
	if (c->job[node].own >= 0 && c->job[node].own_rtype == rtype && c->factor == NULL
	    && c->overhead == NULL)
		return c->job[node].own;
	return llround(time_of(c, node, rtype, AS_RECORDED));
}

int64_t tv_costs_of(const struct tv_costs *c, uint32_t node, uint32_t rtype, double ratio)
{
	return c->slow.n == 0 ? tv_costs_recorded(c, node, rtype)
			      : llround(time_of(c, node, rtype, USUAL) * ratio);
}

int64_t tv_costs_expected(const struct tv_costs *c, uint32_t node, uint32_t rtype)
{
	return llround(time_of(c, node, rtype, EXPECTED));
}

double tv_costs_mean(const struct tv_costs *c, uint32_t node, uint32_t rtype)
{
	return time_of(c, node, rtype, MEAN);
}

bool tv_costs_in_range(const struct tv_costs *c)
{
	double sum = 0;

	for (uint32_t v = 0; v < c->dag->n; v++) {
		double longest = 0;

		for (uint32_t r = 0; c->job[v].type != TV_NONE && r < c->nrtypes; r++)
			if (c->can[(size_t)c->job[v].type * c->nrtypes + r])
				longest = fmax(longest, time_of(c, v, r, AS_RECORDED));
		sum += longest;
	}
	return sum < MAX_TIME;
}

/* FNV-1a, mixed with the seed by splitmix64. */
double tv_costs_share(uint64_t seed, const void *bytes, size_t n)
{
	const unsigned char *byte = bytes;
	uint64_t x = 0xcbf29ce484222325u;

	for (size_t i = 0; i < n; i++)
		x = (x ^ byte[i]) * 0x100000001b3u;
	x += 0x9e3779b97f4a7c15u * (seed + 1);
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return (double)((x ^ x >> 31) >> 11) * 0x1p-53;
}

void tv_costs_draw(struct tv_costs *c, uint64_t seed)
{
	const struct tv_pool *pool = c->dag->tasks->pool;

	for (uint32_t v = 0; c->draw != NULL && v < c->dag->n; v++) {
		uint32_t job = tv_dag_job(c->dag, v);

		c->draw[v] = job == TV_NONE ? tv_costs_share(seed, &v, sizeof v)
					    : tv_costs_share(seed, tv_pool_text(pool, job),
							     tv_pool_length(pool, job));
	}
}

/* Sums of executions by node. */
static int read_jobs(struct tv_costs *c, bool own, struct tv_error *err)
{
	const struct tv_tasks *tasks = c->dag->tasks;

	for (uint32_t v = 0; v < c->dag->n; v++) {
		uint32_t row = c->dag->row[v];
		bool ran = tasks->counted[row];

		c->job[v].own = own && ran ? 0 : -1;
		c->job[v].own_rtype = ran ? tasks->workers[tasks->worker[row]].rtype : TV_NONE;
	}
	for (uint32_t row = 0; row < tasks->n; row++) {
		if (!tasks->counted[row])
			continue;
		if (tv_team_of(tasks, row) > 1)
			return tv_fail(err,
				       "task %s is a parallel task of %.0f workers, which are not "
				       "simulated",
				       tv_pool_text(tasks->pool,
						    tasks->job != NULL ? tasks->job[row] : TV_NONE),
				       tv_team_of(tasks, row));
		if (own)
			c->job[c->dag->node_of_row[row]].own += tv_row_device_time(tasks, row);
	}
	return 0;
}

/* ---- all of it ---- */

static void allocate(struct tv_costs *c)
{
	size_t pairs = (size_t)c->ntypes * c->nrtypes;

	if (c->rule.statistic == TV_SAMPLE) {
		c->sample = tv_alloc(pairs, sizeof *c->sample);
		c->draw = tv_alloc(c->dag->n, sizeof *c->draw);
	}

	c->time = tv_alloc(pairs, sizeof *c->time);
	c->can = tv_alloc(pairs, sizeof *c->can);
	c->rate = tv_alloc(c->nrtypes, sizeof *c->rate);
}

/* Before they are sped up. */
static int check_times(const struct tv_costs *c, const struct tv_cost_options *options,
		       struct tv_error *err)
{
	if (tv_costs_in_range(c))
		return 0;
	if (options->gflops != NULL)
		return tv_fail_usage(err,
				     "--gflops '%s': the tasks take more than 30 years in all, "
				     "expected a larger number",
				     options->gflops);
	return tv_fail(err, "the tasks take more than 30 years in all, which is not simulated");
}

/* Whether work has a duration on some resource type. */
static bool can_run(const struct tv_costs *c, uint32_t node)
{
	bool can = c->job[node].type == TV_NONE;

	for (uint32_t r = 0; !can && r < c->nrtypes; r++)
		can = c->can[(size_t)c->job[node].type * c->nrtypes + r];
	return can;
}

/* The file of --durations-from has a duration of each task type. */
static int check_file(const struct tv_costs *c, const char *file, struct tv_error *err)
{
	const struct tv_pool *pool = c->dag->tasks->pool;
	struct tv_name_list names = { .n = 0 };
	uint32_t v = 0;

	while (v < c->dag->n && can_run(c, v))
		v++;
	if (v == c->dag->n)
		return 0;
	for (uint32_t r = 0; r < c->nrtypes; r++)
		tv_name_list_add(&names, tv_pool_text(pool, c->rtype[r]));
	return tv_fail(err,
		       "--durations-from %s: it has no duration of tasks of type '%s' on %s; "
		       "--gflops gives one to tasks with a GFlop",
		       file, tv_pool_text(pool, c->dag->tasks->value[c->dag->row[v]]),
		       tv_name_list_text(&names));
}

/* Of a run that has durations, whether --gflops gives more of them. */
static int check_rates(const struct tv_costs *c, const char *gflops, struct tv_error *err)
{
	for (size_t at = 0; at < (size_t)c->ntypes * c->nrtypes; at++)
		if (c->time[at] < 0 && c->can[at])
			return 0;
	return tv_fail_usage(err,
			     "--gflops '%s' has no effect: it is for task types without a duration "
			     "there, whose tasks all have a GFlop",
			     gflops);
}

static void find_means_of_gflop(struct tv_costs *c)
{
	size_t npairs = (size_t)c->ntypes * c->nrtypes;
	struct tv_exact *sum;
	uint32_t *n;

	if (c->gflop == NULL)
		return;
	c->mean_gflop = tv_alloc(npairs, sizeof *c->mean_gflop);
	sum = tv_alloc(npairs, sizeof *sum);
	n = tv_alloc(npairs, sizeof *n);
	for (uint32_t v = 0; v < c->dag->n; v++) {
		const struct tv_job_cost *job = &c->job[v];
		double work = c->gflop->d[c->dag->row[v]];
		size_t pair = (size_t)job->type * c->nrtypes + job->own_rtype;

		if (job->type == TV_NONE || job->own < 0 || !(work >= 0))
			continue;
		tv_exact_add(&sum[pair], work);
		n[pair]++;
	}
	for (size_t i = 0; i < npairs; i++) {
		c->mean_gflop[i] = n[i] > 0 ? tv_exact_value(&sum[i]).high / n[i] : 0;
		tv_exact_release(&sum[i]);
	}
	tv_free(sum);
	tv_free(n);
}

int tv_costs_init(struct tv_costs *c, struct tv_run *run, const struct tv_dag *dag,
		  const struct tv_cost_options *options, const char *const *more, size_t nmore,
		  struct tv_error *err)
{
	bool foreign = options->durations_from != NULL && !options->fill;
	bool clock = strcmp(options->durations, "task-clock") == 0;
	bool recorded = clock || strcmp(options->durations, "trace") == 0;
	bool known = options->durations_from != NULL || options->gflops != NULL;
	const struct tv_means *means = &tv_run_estimates_of(run, true)->means[0];
	int rc;

	*c = (struct tv_costs){ .dag = dag,
				.gflop = tv_table_find(&run->trace->table[TV_TASKS], "GFlop"),
				.job = tv_alloc(dag->n, sizeof *c->job),
				.whole = foreign };
	tv_warn_cut(run);
	rc = tv_duration_rule_init(&c->rule, run, recorded ? "mean" : options->durations, NULL,
				   options->durations_from, run->trace->pool, err);
	number_types(c, means);
	if (rc == 0)
		rc = number_rtypes(c, more, nmore, known, err);
	if (rc == 0) {
		allocate(c);
		rc = read_jobs(c, recorded && !foreign, err);
	}
	if (rc == 0 && clock && !tv_costs_drop_waits(c))
		rc = tv_fail_usage(err,
				   "--durations task-clock: nothing says how long tasks had a "
				   "processor, expected a run of record --counters task-clock");
	if (rc == 0)
		rc = find_times(c, run, means, options->fill, err);
	if (rc == 0)
		rc = find_rates(c, options->gflops, err);
	if (rc == 0 && recorded && !clock && !foreign && !options->regrained)
		tv_slow_workers_init(c, run);
	if (rc == 0) {
		find_feasible(c);
		find_means_of_gflop(c);
		tv_costs_draw(c, options->seed);
		rc = check_times(c, options, err);
	}
	if (rc == 0 && foreign)
		rc = check_file(c, options->durations_from, err);
	if (rc == 0 && options->gflops != NULL && run->tasks.ncounted > 0)
		rc = check_rates(c, options->gflops, err);
	if (rc == 0)
		rc = tv_costs_overheads(c, options->overhead, err);
	if (rc == 0)
		rc = tv_costs_speed(c, options->speed, options->nspeeds, true, err);
	return rc;
}

void tv_costs_release(struct tv_costs *c)
{
	tv_free(c->job);
	tv_free(c->rtype);
	tv_free(c->time);
	tv_free(c->can);
	tv_free(c->rate);
	tv_free(c->mean_gflop);
	tv_free(c->factor);
	tv_free(c->overhead);
	tv_free(c->sample);
	tv_free(c->draw);
	tv_slow_workers_release(&c->slow);
	tv_duration_rule_release(&c->rule);
	tv_durations_release(&c->run);
	*c = (struct tv_costs){ 0 };
}
