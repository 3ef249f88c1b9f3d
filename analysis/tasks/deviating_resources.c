/* SPDX-License-Identifier: GPL-3.0-or-later */
/* deviating_resources.c -- workers and nodes unlike others of their type. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "analysis/core/columns.h"
#include "analysis/core/grouping.h"
#include "analysis/core/lateness.h"
#include "analysis/core/means.h"
#include "analysis/core/run.h"
#include "analysis/core/slow_times.h"
#include "analysis/core/statistics.h"
#include "analysis/core/warnings.h"
#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/text.h"
#include "trace/units.h"

enum scope { BY_WORKER, BY_NODE, NSCOPES };

static const char *const scopes[] = { "worker", "node" };

/* A task in units of the median duration of its kind. */
struct sample {
	union {
		double ratio; /* duration / median of its kind */
		int64_t time; /* ns; until all are in that order */
	};
	uint32_t row, worker; /* index */
};

/* Shorter times that differ have different ratios to one median, ns. */
static const int64_t max_exact = INT64_C(1) << 50;

struct limits {
	double ratio, z;
	uint64_t min_tasks;
	bool slow; /* only members that are slow as in tv_is_slow */
};

#define COLUMNS(X) \
	X(SCOPE, "Scope", TV_LABEL, false, "", \
	  "worker (a device with its streams is one); node, where there are several") \
	X(NODE, "Node", TV_LABEL, false, "", "its node") \
	X(MEMBER, "Member", TV_LABEL, false, "", "the worker or node") \
	X(RTYPE, "ResourceType", TV_LABEL, false, "", "type of the compared workers") \
	X(VALUE, "Value", TV_LABEL, false, "", "task type; missing = all types together") \
	X(TASKS, "Tasks", TV_INT, false, "", "number of executions by the member") \
	X(MEDIAN, "Median", TV_TIME, false, "ms", \
	  "its median duration; missing for all types together") \
	X(OTHERS, "Others", TV_TIME, false, "ms", "median duration on all other members") \
	X(RATIO, "Ratio", TV_DOUBLE, false, "", \
	  "median of its relative durations over that of the others; above 1 = slower") \
	X(Z, "Z", TV_DOUBLE, false, "", "sign test statistic (see below); positive = slower") \
	X(LONGER, "Longer", TV_DOUBLE, false, "", \
	  "share of pairs with tasks of others in which its own takes longer") \
	X(DEVIATES, "Deviates", TV_INT, false, "", "1 = deviates by all three limits")

TV_COLUMNS(columns, COLUMNS)

struct deviations {
	const struct tv_tasks *tasks;
	const struct limits *limits; /* the options */
	struct tv_table *out;
	struct sample *sample; /* by resource type, then ratio, then duration */
	uint32_t *first;       /* by resource type: its first one; and their end */
	const struct tv_grouping *types;
	uint32_t *member_of; /* by worker, of the current scope */
	uint32_t nmembers;
	uint32_t *label;       /* by member */
	uint32_t *node;	       /* by member: index of its node */
	uint32_t *seen;	       /* by label, and last for none: a member, or anything */
	uint32_t *of;	       /* buffer for types or members of all tasks of a resource type */
	struct counts *counts; /* by member, of a group */
};

/* The tasks of a member among those of a group. */
struct counts {
	double shorter; /* over its tasks: how many others are shorter, equal ones half */
	uint32_t tasks, equal;
};

static bool is_sample(const struct tv_tasks *tasks, const double *relative, uint32_t row)
{
	return tasks->counted[row] && tv_row_begins(tasks, row) && tv_task_ended(tasks, row)
	    && relative[row] >= 0;
}

static uint32_t rtype_of(const struct tv_tasks *tasks, uint32_t row)
{
	return tasks->workers[tasks->worker[row]].rtype;
}

/* Those of each resource type, in the order of the rows. Whether those of one type with equal ratios may have different times. */
static bool list_samples(struct deviations *work, const double *relative)
{
	const struct tv_tasks *tasks = work->tasks;
	const struct tv_table *table = &tasks->trace->table[TV_TASKS];
	const struct tv_column *rtype = tv_table_find(table, "ResourceType");
	bool differ = rtype == NULL || tv_table_find(table, "Footprint") != NULL;
	uint32_t *at = tv_alloc((size_t)tasks->nrtypes + 1, sizeof *at);

	work->first = tv_alloc((size_t)tasks->nrtypes + 1, sizeof *work->first);
	for (uint32_t row = 0; row < tasks->n; row++)
		if (is_sample(tasks, relative, row))
			work->first[rtype_of(tasks, row) + 1]++;
	for (uint32_t r = 0; r < tasks->nrtypes; r++)
		work->first[r + 1] += work->first[r];
	memcpy(at, work->first, tasks->nrtypes * sizeof *at);
	work->sample = tv_alloc(work->first[tasks->nrtypes], sizeof *work->sample);
	for (uint32_t row = 0; row < tasks->n; row++) {
		int64_t time;

		if (!is_sample(tasks, relative, row))
			continue;
		time = tv_task_time(tasks, row);
		work->sample[at[rtype_of(tasks, row)]++] = (struct sample){
			.time = time, .row = row, .worker = tasks->worker[row]
		};
		differ = differ || time > max_exact
		      || tv_label(rtype, row) != tasks->rtype[rtype_of(tasks, row)].label;
	}
	tv_free(at);
	return differ;
}

static void sort_samples(struct deviations *work, const double *relative)
{
	uint32_t max = 0;
	bool differ = list_samples(work, relative);

	for (uint32_t r = 0; r < work->tasks->nrtypes; r++) {
		struct sample *s = work->sample + work->first[r];
		uint32_t n = work->first[r + 1] - work->first[r];

		/* Of equal ratios those by time keep their order. */
		if (differ)
			tv_sort_by_time(s, n, sizeof *s, offsetof(struct sample, time), NULL);
		for (uint32_t i = 0; i < n; i++)
			s[i].ratio = relative[s[i].row];
		tv_sort_by_number(s, n, sizeof *s, offsetof(struct sample, ratio), NULL);
		max = n > max ? n : max;
	}
	work->of = tv_alloc(max, sizeof *work->of);
}

/* The k-th of sorted samples that are not at position[0..m), ascending. */
static const struct sample *other(const struct sample *s, const uint32_t *position, uint32_t m,
				  uint32_t k)
{
	uint32_t j;

	/* Before position[j] there are position[j] - j others. */
	TV_LOWER_BOUND(j, 0, m, position[j] - j <= k);
	return &s[k + j];
}

struct finding {
	uint32_t tasks;
	double ratio, z, longer;
	double median, others; /* ns */
};

static double middle_time(const struct tv_tasks *tasks, const struct sample *a,
			  const struct sample *b)
{
	return ((double)tv_task_time(tasks, a->row) + (double)tv_task_time(tasks, b->row)) / 2;
}

/*
 * One member against the others of its group: the ratio of the medians, and a sign test of its
 * tasks against the others' median, whose own uncertainty is taken into account.
 */
static struct finding compare(const struct tv_tasks *tasks, const struct sample *s, uint32_t n,
			      const uint32_t *position, uint32_t m)
{
	const struct sample *low = other(s, position, m, (n - m - 1) / 2);
	const struct sample *high = other(s, position, m, (n - m) / 2);
	double middle = (low->ratio + high->ratio) / 2, own, above, below, lead;
	const struct sample *a = &s[position[(m - 1) / 2]], *b = &s[position[m / 2]];
	struct finding f = { .tasks = m };
	uint32_t from, to;

	own = (a->ratio + b->ratio) / 2;
	TV_LOWER_BOUND(from, 0, m, s[position[from]].ratio < middle);
	TV_LOWER_BOUND(to, from, m, s[position[to]].ratio <= middle);
	below = from;
	above = m - to;
	f.ratio = middle > 0 ? own / middle : NAN;
	f.median = middle_time(tasks, a, b);
	f.others = middle_time(tasks, low, high);
	/* Less 1: a normal approximation of whole numbers. */
	lead = fmax(0, fabs(above - below) - 1);
	if (above + below > 0)
		f.z = copysign(lead / sqrt((above + below) * (1 + (double)m / (n - m))),
			       above - below);
	return f;
}

static bool deviates(const struct limits *limits, const struct finding *f)
{
	double z = limits->slow ? fmin(limits->z, tv_slow_z(f->ratio, f->longer)) : limits->z;

	if ((uint64_t)f->tasks < limits->min_tasks || !isfinite(f->ratio))
		return false;
	if (f->ratio >= limits->ratio && f->z >= z)
		return !limits->slow || (f->ratio > 1 && f->longer >= TV_SLOW_LONGER);
	return !limits->slow && f->ratio <= 1 / limits->ratio && f->z <= -z;
}

/* Tasks that are compared with each other: of one resource type, and one task type or all. */
struct group {
	enum scope scope;
	uint32_t rtype, value;
	bool one_type;
	const struct sample *s; /* by ratio, then duration */
	uint32_t n;
};

static void write_finding(struct deviations *work, uint32_t member, const struct group *g,
			  const struct finding *f)
{
	struct tv_column *const *to = work->out->col;
	bool is = deviates(work->limits, f);
	uint32_t row;

	if (work->limits->slow && !is)
		return;
	row = tv_table_add_row(work->out);
	tv_set_text(to[SCOPE], row, scopes[g->scope]);
	tv_set_label(to[NODE], row, work->tasks->node[work->node[member]].label);
	tv_set_label(to[MEMBER], row, work->label[member]);
	tv_set_label(to[RTYPE], row, work->tasks->rtype[g->rtype].label);
	if (g->one_type) {
		tv_set_label(to[VALUE], row, g->value);
		tv_set_int(to[MEDIAN], row, llround(f->median));
		tv_set_int(to[OTHERS], row, llround(f->others));
	}
	tv_set_int(to[TASKS], row, f->tasks);
	tv_set_finite(to[RATIO], row, f->ratio);
	tv_set_double(to[Z], row, f->z);
	tv_set_double(to[LONGER], row, f->longer);
	tv_set_int(to[DEVIATES], row, is);
}

/* Goes over the samples in their order, not over those of each member, which are far from each other in memory. */
static void count(struct deviations *work, const struct group *g)
{
	memset(work->counts, 0, work->nmembers * sizeof *work->counts);
	for (uint32_t begin = 0, end; begin < g->n; begin = end) {
		for (end = begin; end < g->n && g->s[end].ratio <= g->s[begin].ratio; end++)
			work->counts[work->of[end]].equal++;
		for (uint32_t i = begin; i < end; i++) {
			struct counts *own = &work->counts[work->of[i]];

			own->shorter += (double)own->equal
				      * ((begin - own->tasks)
					 + (double)(end - begin - own->equal) / 2);
			own->tasks += own->equal;
			own->equal = 0;
		}
	}
}

static void compare_all(struct deviations *work, const struct group *g)
{
	struct tv_groups members;

	for (uint32_t i = 0; i < g->n; i++)
		work->of[i] = work->member_of[g->s[i].worker];
	count(work, g);
	tv_groups_init(&members, work->of, g->n, work->nmembers);
	for (uint32_t i = 0; i < members.n; i++) {
		uint32_t m = members.first[i + 1] - members.first[i];
		struct finding f;

		if (m == 0 || m == g->n)
			continue;
		f = compare(work->tasks, g->s, g->n, members.row + members.first[i], m);
		f.longer = work->counts[i].shorter / m / (g->n - m);
		write_finding(work, i, g, &f);
	}
	tv_groups_release(&members);
}

/* All tasks of a resource type together, then each task type. */
static void compare_type(struct deviations *work, enum scope scope, uint32_t rtype)
{
	const uint32_t *first = work->first + rtype;
	const struct sample *all = work->sample + first[0];
	struct group g = { scope, rtype, TV_NONE, false, all, first[1] - first[0] };
	struct sample *part; /* of one task type */
	struct tv_groups types;

	if (g.n == 0)
		return;
	compare_all(work, &g);
	for (uint32_t i = 0; i < g.n; i++)
		work->of[i] = work->types->of_row[all[i].row];
	tv_groups_init(&types, work->of, g.n, work->types->n);
	part = tv_alloc(tv_groups_max(&types), sizeof *part);
	g.one_type = true;
	g.s = part;
	for (uint32_t t = 0; t < types.n; t++) {
		g.value = tv_grouping_label(work->types, t);
		g.n = types.first[t + 1] - types.first[t];
		for (uint32_t i = 0; i < g.n; i++)
			part[i] = all[types.row[types.first[t] + i]];
		if (g.n > 0)
			compare_all(work, &g);
	}
	tv_free(part);
	tv_groups_release(&types);
}

/* The members of a scope. False: it has nothing to compare that another scope does not. */
static bool find_members(struct deviations *work, enum scope scope)
{
	const struct tv_tasks *tasks = work->tasks;

	work->nmembers = 0;
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		uint32_t node = tasks->workers[w].node, label = tasks->workers[w].resource, m, at;

		if (scope == BY_NODE)
			label = tasks->node[node].label;
		/* The member of that name seen last, if it is one of this scope and node: workers
		 * are sorted by node. */
		at = label == TV_NONE ? tv_pool_count(tasks->pool) : label;
		m = work->seen[at];
		if (m >= work->nmembers || work->label[m] != label || work->node[m] != node) {
			m = work->nmembers++;
			work->label[m] = label;
			work->node[m] = node;
			work->seen[at] = m;
		}
		work->member_of[w] = m;
	}
	return scope == BY_WORKER || tasks->nnodes > 1;
}

static void compare_scopes(struct deviations *work)
{
	const struct tv_tasks *tasks = work->tasks;

	work->member_of = tv_alloc(tasks->nworkers, sizeof *work->member_of);
	work->label = tv_alloc(tasks->nworkers, sizeof *work->label);
	work->node = tv_alloc(tasks->nworkers, sizeof *work->node);
	work->seen = tv_alloc((size_t)tv_pool_count(tasks->pool) + 1, sizeof *work->seen);
	work->counts = tv_alloc(tasks->nworkers, sizeof *work->counts);
	for (int scope = 0; scope < NSCOPES; scope++) {
		if (!find_members(work, (enum scope)scope))
			continue;
		for (uint32_t r = 0; r < tasks->nrtypes; r++)
			compare_type(work, (enum scope)scope, r);
	}
}

/* Workers and nodes that are slow for a time, which a median of all their tasks does not show. */
static int warn_slow_times(struct tv_run *run, struct tv_error *err)
{
	const struct tv_tasks *tasks = &run->tasks;
	const struct tv_slow_time *time;
	uint32_t n;
	int rc = tv_slow_times(run, &time, &n, err);

	for (uint32_t i = 0; rc == 0 && i < n; i++) {
		uint32_t label = time[i].node ? tasks->node[time[i].member].label
					      : tasks->workers[time[i].member].resource;
		char name[64], from[32], to[32];

		tv_time_text(from, sizeof from, time[i].begin, NULL);
		tv_time_text(to, sizeof to, time[i].end, NULL);
		tv_run_warn(run,
			    "%s%s is slow for a time alone, from %s to %s (%.2f times as long): "
			    "diagnose and what-if say more",
			    time[i].node ? "node " : "",
			    label == TV_NONE ? ""
					     : tv_clean_text(name, sizeof name,
							     tv_pool_text(tasks->pool, label)),
			    from, to, time[i].ratio);
	}
	return rc;
}

static int run_deviating(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
			 struct tv_error *err)
{
	struct deviations work = { .tasks = &run->tasks, .limits = options->chosen, .out = out };
	const double *relative;

	tv_warn_cut(run);
	/* Other passes ask with a limit of their own (tv_run_slow). */
	if (work.limits->z != TV_SLOW_MIN_Z && warn_slow_times(run, err) < 0)
		return -1;
	relative = tv_relative_durations(run, err);
	if (relative == NULL)
		return -1;
	work.types = &tv_run_estimates_of(run, false)->types;
	sort_samples(&work, relative);
	compare_scopes(&work);
	tv_free(work.first);
	tv_free(work.member_of);
	tv_free(work.label);
	tv_free(work.node);
	tv_free(work.seen);
	tv_free(work.sample);
	tv_free(work.of);
	tv_free(work.counts);
	return 0;
}

static const struct tv_option_spec options[] = {
	{ "min-ratio", "X", "1.05", "a member deviates if its tasks take X times as long, or 1/X",
	  TV_OPTION_NUMBER, 1, 0, TV_INTO(struct limits, ratio) },
	{ "min-z", "Z", "4", "and if abs(Z) is at least this (standard deviations)",
	  TV_OPTION_NUMBER, TV_INTO(struct limits, z) },
	{ "min-tasks", "N", "5", "and if it ran at least N tasks", TV_OPTION_COUNT, 1, 0,
	  TV_INTO(struct limits, min_tasks) },
	{ "slow", NULL, NULL, "only those that diagnose calls slow, see below",
	  TV_INTO(struct limits, slow) },
};

const struct tv_pass tv_pass_deviating_resources = {
	.name = "deviating-resources",
	.summary = "Find workers and nodes that are slower or faster than others of their "
		   "type",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_OUTLIERS,
	.columns = "Footprint",
	.ranked = "Z",
	TV_PASS_OPTIONS_INTO(struct limits, options),
	TV_PASS_COLUMNS(columns),
	.notes = "A relative duration is a task's duration over the median of its kind: type,\n"
		 "resource type and, if the trace has it, footprint, so that tasks on larger data\n"
		 "do not look slow. Each member is compared with all other members on the same\n"
		 "resource type: Ratio of the medians, and a sign test, Z = (|a - b| - 1) /\n"
		 "sqrt((a + b) (1 + m / (n - m))), a and b of its m tasks above and below the\n"
		 "median of the other n - m, with the sign of a - b. Of two members both deviate,\n"
		 "in opposite directions. Kinds whose median is 0 are left out.\n"
		 "diagnose compares all types together only. Slow is what deviates with a Ratio\n"
		 "above 1 and a Longer of 0.65; from a Ratio of 1.5 on a Z of 3 is enough then,\n"
		 "and with a Longer of 0.95 one of 1.5, as of few tasks Z is small.",
	.example = "traceviz deviating-resources --where 'Deviates == 1' data/cholesky.csv",
	.windowless = true,
	.run = run_deviating,
};
