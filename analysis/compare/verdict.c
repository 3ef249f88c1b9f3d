/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verdict.c -- the difference of two runs in one sentence. */
#include "analysis/compare/verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/compare/settings.h"
#include "analysis/core/durations.h"
#include "analysis/core/processors.h"
#include "analysis/core/worker_words.h"
#include "trace/alloc.h"
#include "trace/map.h"

enum { NAMED = 3 };

static double worker_ms(tv_int128 twice)
{
	return (double)twice / 2e6;
}

static const char *name_of(const char *value)
{
	return value[0] == '\0' ? "tasks without type" : value;
}

/* With the worker types of which the number of executions changed. */
static void say_allocation(char **text, const struct tv_decomposition *parts,
			   const struct tv_term *term)
{
	int named = 0;

	tv_append(text, "the allocation of %.100s (%+.3f", name_of(term->value),
		  worker_ms(term->twice));
	for (size_t i = 0; i < parts->exchanges.n && named < NAMED; i++) {
		const struct tv_exchange *e = &parts->exchanges.at[i];

		if (strcmp(e->value, term->value) != 0 || e->n[0] == e->n[1])
			continue;
		tv_append(text, ", %.40s %lld to %lld", e->rtype, (long long)e->n[0],
			  (long long)e->n[1]);
		named++;
	}
	tv_append(text, ")");
}

/* The largest part of the change of dependencies in the direction of the change. */
static const char *blamed_most(const struct tv_decomposition *parts, int sign)
{
	int most = 0;

	for (int b = 1; b < TV_NBLAMES; b++)
		if (sign * (parts->blamed[1][b] - parts->blamed[0][b])
		    > sign * (parts->blamed[1][most] - parts->blamed[0][most]))
			most = b;
	return tv_idle_words(tv_blame_name(most))->phrase;
}

static bool is_dependencies(const struct tv_term *term)
{
	return strcmp(term->cause, tv_idle_cause_name(TV_IDLE_DEPENDENCIES)) == 0;
}

/* The executions of a type on a type of workers: their number and time (ns) on each worker, and the row of each worker by the label of
 * its name in the table's pool. */
struct worker_times {
	const struct tv_table *table;
	const int64_t *count, *sum; /* by row */
	double n, time;
	struct tv_index row;
};

static bool is_of(const struct tv_table *table, uint32_t row, const struct tv_term *term)
{
	return tv_table_is(table, "Value", row, term->value)
	    && tv_table_is(table, "ResourceType", row, term->rtype);
}

/* Returns whether there are any; release `times` in each case. */
static bool read_times(struct tv_run *run, const struct tv_term *term, struct worker_times *times)
{
	struct tv_error none;
	const struct tv_table *table = tv_run_pass_with(run, "summary", &none, "by",
							"Value,ResourceType,ResourceId", NULL);

	*times = (struct worker_times){ .table = table };
	if (table == NULL)
		return false;
	times->count = tv_table_find(table, "Executions")->i;
	times->sum = tv_table_find(table, "Time")->i;
	for (uint32_t row = 0; row < table->nrows; row++) {
		if (!is_of(table, row, term))
			continue;
		times->n += (double)times->count[row];
		times->time += (double)times->sum[row];
		tv_index_set(&times->row, tv_table_find(table, "ResourceId")->u[row], row);
	}
	return times->n > 0;
}

static void release_times(struct worker_times *times)
{
	tv_free(times->row.at);
}

/* The row of a worker by its name; TV_NONE = it ran none of them. */
static uint32_t row_of(const struct worker_times *times, const char *worker)
{
	uint32_t label = tv_pool_find_text(times->table->pool, worker);

	return label == TV_NONE ? TV_NONE : tv_index_get(&times->row, label);
}

/* The worker with most of a change of a mean duration, in the run in which tasks took longer: its time above the mean of the other
 * run. Only if that is two thirds of the time of all workers above that mean, and half as much again as its share of the tasks. */
static void say_worker(char **text, struct tv_run *run, const struct tv_term *term, int64_t mean)
{
	struct worker_times times;
	double most = -INFINITY, of = 0, all;
	uint32_t worst = TV_NONE;

	if (!read_times(run, term, &times)) {
		release_times(&times);
		return;
	}
	all = times.time - times.n * (double)mean;
	for (size_t label = 0; label < times.row.n; label++) {
		uint32_t row = times.row.at[label];
		double above;

		if (row == TV_NONE)
			continue;
		above = (double)(times.sum[row] - times.count[row] * mean);
		if (above > most || (!(above < most) && row < worst)) {
			most = above;
			of = (double)times.count[row];
			worst = row;
		}
	}
	if (all > 0 && 3 * most >= 2 * all && 2 * most * times.n >= 3 * all * of)
		tv_append(text, ", %.0f %% on %.100s", 100 * fmin(1, most / all),
			  tv_table_text(times.table, "ResourceId", worst));
	release_times(&times);
}

/* Of the workers of the first of two runs: what their own means changed by, weighted with their mean shares of the tasks. Returns
 * whether each ran some in both runs, and no other did in the second. */
static bool sum_changes(const struct worker_times run[2], double *within)
{
	size_t workers = 0, others = 0;

	for (size_t label = 0; label < run[1].row.n; label++)
		others += run[1].row.at[label] != TV_NONE;
	for (size_t label = 0; label < run[0].row.n; label++) {
		uint32_t at[2] = { run[0].row.at[label], TV_NONE };
		double share = 0, mean[2];

		if (at[0] == TV_NONE)
			continue;
		at[1] = row_of(&run[1], tv_table_text(run[0].table, "ResourceId", at[0]));
		if (at[1] == TV_NONE)
			return false;
		for (int i = 0; i < 2; i++) {
			double n = (double)run[i].count[at[i]];

			mean[i] = (double)run[i].sum[at[i]] / n;
			share += n / run[i].n / 2;
		}
		*within += share * (mean[1] - mean[0]);
		workers++;
	}
	return workers == others;
}

/* Whether a mean duration changed because tasks ran on other workers, whose means are others in both runs: each worker ran some in both
 * runs, and what the workers' own means changed by is less than half of the change. */
static bool is_moved(const struct tv_verdict *verdict, const struct tv_term *term)
{
	struct worker_times run[2];
	double within = 0;
	bool known[2], moved;

	for (int i = 0; i < 2; i++)
		known[i] = read_times(verdict->run[i], term, &run[i]);
	moved = known[0] && known[1] && sum_changes(run, &within)
	     && fabs(within) < fabs(run[1].time / run[1].n - run[0].time / run[0].n) / 2;
	for (int i = 0; i < 2; i++)
		release_times(&run[i]);
	return moved;
}

/* Mean time with a processor of the executions that a term is about, ns; NaN = not known. */
static double on_cpu(const struct tv_run *run, const struct tv_term *term)
{
	const struct tv_tasks *tasks = &run->tasks;
	double *mean = tv_type_clocks(tasks), ns = NAN;
	uint32_t value = tv_pool_find_text(tasks->pool, term->value);

	for (uint32_t r = 0; r < tasks->nrtypes && mean != NULL && value != TV_NONE; r++)
		if (!strcmp(tv_pool_text(tasks->pool, tasks->rtype[r].label), term->rtype))
			ns = mean[(size_t)value * tasks->nrtypes + r];
	tv_free(mean);
	return ns;
}

/* Where most of the change of a mean duration is time without a processor: that. Returns whether it is. */
static bool say_waits(char **text, const struct tv_verdict *verdict, const struct tv_term *term)
{
	double amount = worker_ms(term->twice);
	double before = (double)term->level[0], after = (double)term->level[1];
	double had[2] = { on_cpu(verdict->run[0], term), on_cpu(verdict->run[1], term) };

	if (isnan(had[0]) || isnan(had[1])
	    || !((after - before - (had[1] - had[0])) / (after - before) > 0.5))
		return false;
	tv_append(text,
		  "%s waits of %.100s on %.100s for a processor (%+.3f, mean %.3f to %.3f ms, of "
		  "which %.3f and %.3f ms with a processor",
		  amount > 0 ? "longer" : "shorter", name_of(term->value), term->rtype, amount,
		  before / 1e6, after / 1e6, had[0] / 1e6, had[1] / 1e6);
	return true;
}

static void say_threads(char **text, const struct tv_term *term, double amount)
{
	if (term->effect == TV_EFFECT_WORKERS)
		tv_append(text, "%s %s (%+.3f, %lld to %lld)", amount > 0 ? "fewer" : "more",
			  term->phrase, amount, (long long)term->level[0],
			  (long long)term->level[1]);
	else
		tv_append(text, "%s time %s (%+.3f)", amount > 0 ? "more" : "less", term->phrase,
			  amount);
}

static void say_term(char **text, const struct tv_verdict *verdict, const struct tv_term *term)
{
	const struct tv_decomposition *parts = verdict->decomposition;
	double amount = worker_ms(term->twice);
	double before = (double)term->level[0] / 1e6, after = (double)term->level[1] / 1e6;
	char workers[TV_WORKER_WORDS];

	if (term->phrase != NULL) {
		say_threads(text, term, amount);
		return;
	}
	switch (term->effect) {
	case TV_EFFECT_WORKERS:
		tv_append(text, "%s %s (%+.3f, %lld to %lld)", amount > 0 ? "fewer" : "more",
			  tv_words_workers(workers, term->rtype, false), amount,
			  (long long)term->level[0], (long long)term->level[1]);
		break;
	case TV_EFFECT_ALLOCATION:
		say_allocation(text, parts, term);
		break;
	case TV_EFFECT_DURATION:
		if (is_moved(verdict, term)) {
			tv_append(text, "more %.100s on %s %s (%+.3f, mean %.3f to %.3f ms)",
				  name_of(term->value), amount > 0 ? "slow" : "fast",
				  tv_words_workers(workers, term->rtype, false), amount, before,
				  after);
			break;
		}
		if (!say_waits(text, verdict, term))
			tv_append(text, "%s %.100s on %.100s (%+.3f, mean %.3f to %.3f ms",
				  amount > 0 ? "slower" : "faster", name_of(term->value),
				  term->rtype, amount, before, after);
		say_worker(text, verdict->run[amount > 0], term, (int64_t)term->level[amount <= 0]);
		tv_append(text, ")");
		break;
	case TV_EFFECT_COUNT:
		tv_append(text, "%s %.100s (%+.3f)", amount > 0 ? "more" : "fewer",
			  name_of(term->value), amount);
		break;
	case TV_EFFECT_OVERLAP:
		tv_append(text, "tasks that overlap on a worker (%+.3f)", amount);
		break;
	case TV_EFFECT_OTHER:
		tv_append(text, "tasks of the runtime and setup (%+.3f)", amount);
		break;
	default:
		tv_append(text, "idle time %s (%+.3f", tv_idle_words(term->cause)->phrase, amount);
		if (is_dependencies(term))
			tv_append(text, ", %s", blamed_most(parts, amount > 0 ? 1 : -1));
		tv_append(text, ")");
	}
}

static void say_makespans(char **text, const struct tv_verdict *verdict)
{
	double before = verdict->makespan_ms[0], after = verdict->makespan_ms[1];

	if (before > 0 && before != after)
		tv_append(text, "%.200s took %.3f times as long as %.200s", verdict->label[1],
			  after / before, verdict->label[0]);
	else
		tv_append(text, "%.200s took %s %.200s", verdict->label[1],
			  before == after ? "as long as" : "longer than", verdict->label[0]);
	tv_append(text, " (%.3f against %.3f ms, ", after, before);
	if (verdict->nruns[0] == 1 && verdict->nruns[1] == 1) {
		tv_append(text, "one run each)");
		return;
	}
	tv_append(text, "medians of %zu and %zu runs, ", verdict->nruns[1], verdict->nruns[0]);
	if (verdict->ratio.known)
		tv_append(text, "%d %% interval %.3f to %.3f)", TV_CONFIDENCE, verdict->ratio.low,
			  verdict->ratio.high);
	else
		tv_append(text, "too few for a %d %% interval)", TV_CONFIDENCE);
}

static double size_of(const struct tv_term *term)
{
	return fabs(worker_ms(term->twice));
}

/* The named terms: the first, and next ones that have at least a tenth of its size. */
static void say_terms(char **text, const struct tv_verdict *verdict)
{
	const struct tv_decomposition *parts = verdict->decomposition;
	static const char *const before[] = { ": first ", ", then ", " and " };
	const struct tv_term *first = tv_decomposition_ranked(parts, 1);

	for (uint32_t i = 0; i < TV_COUNT(before); i++) {
		const struct tv_term *term = tv_decomposition_ranked(parts, i + 1);

		if (term == NULL || term->twice == 0 || 10 * size_of(term) < size_of(first))
			return;
		tv_append(text, "%s", before[i]);
		say_term(text, verdict, term);
	}
}

/* The largest term after `last`, equal ones in their order in the list; NULL = none. */
static const struct tv_term *next_by_size(const struct tv_decomposition *parts,
					  const struct tv_term *last)
{
	const struct tv_term *next = NULL;

	for (const struct tv_term *t = parts->term; t < parts->term + parts->nterms; t++)
		if ((last == NULL || size_of(t) < size_of(last)
		     || (t > last && !(size_of(t) > size_of(last))))
		    && (next == NULL || size_of(t) > size_of(next)))
			next = t;
	return next;
}

/* Whether there is no change to explain, and why not, into why. */
static bool about_equal(const struct tv_verdict *verdict, char *why, size_t size)
{
	const struct tv_decomposition *parts = verdict->decomposition;
	double change = fabs(verdict->makespan_ms[1] - verdict->makespan_ms[0]);
	double more = 0, less = 0;

	for (size_t i = 0; i < parts->nterms; i++)
		*(parts->term[i].twice > 0 ? &more : &less) += worker_ms(parts->term[i].twice);
	snprintf(why, size, "less than %d %% apart", TV_EQUAL);
	if (100 * change < TV_EQUAL * verdict->makespan_ms[0])
		return true;
	snprintf(why, size, "less than %d %% apart, and terms of %+.3f and %+.3f cancel",
		 TV_EQUAL_CANCELLED, more, less);
	return 100 * change < TV_EQUAL_CANCELLED * verdict->makespan_ms[0]
	    && 100 * fabs(more + less) < TV_CANCELLED * fmin(more, -less);
}

/* What differs nevertheless: the largest terms, which explain nothing. */
static void say_equal(char **text, const struct tv_verdict *verdict, const char *why)
{
	const struct tv_decomposition *parts = verdict->decomposition;
	const struct tv_term *first = next_by_size(parts, NULL), *term = first;

	tv_append(text, ": about equal (%s)", why);
	for (int i = 0; i < NAMED && term != NULL && 10 * size_of(term) >= size_of(first); i++) {
		tv_append(text, "%s", i == 0 ? "; largest terms " : ", ");
		say_term(text, verdict, term);
		term = next_by_size(parts, term);
	}
}

static void say_sum(char **text, const struct tv_decomposition *parts)
{
	tv_int128 workers = 0;
	double mean = (double)(parts->workers[0] + parts->workers[1]) / 2;

	for (size_t i = 0; i < parts->nterms; i++)
		if (parts->term[i].effect == TV_EFFECT_WORKERS)
			workers += parts->term[i].twice;
	tv_append(text, "; in worker-ms, %.10g x %.3f = %+.3f is ", mean,
		  (double)(parts->makespan[1] - parts->makespan[0]) / 1e6, worker_ms(parts->twice));
	if (workers != 0)
		tv_append(text, "workers %+.3f, ", worker_ms(workers));
	tv_append(text, "busy %+.3f", (double)(parts->busy[1] - parts->busy[0]) / 1e6);
	if (parts->other[0] != parts->other[1])
		tv_append(text, ", other %+.3f", (double)(parts->other[1] - parts->other[0]) / 1e6);
	tv_append(text, ", idle %+.3f", (double)(parts->idle[1] - parts->idle[0]) / 1e6);
}

/* Whether both runs have tasks, and no task type is in both: they are of different programs. */
static bool is_other_program(const struct tv_verdict *verdict)
{
	const struct tv_means *a, *b;

	if (verdict->run[0]->tasks.ncounted == 0 || verdict->run[1]->tasks.ncounted == 0)
		return false;
	a = &tv_run_estimates(verdict->run[0])->means[0];
	b = &tv_run_estimates(verdict->run[1])->means[0];
	for (uint32_t i = 0; i < a->ntypes; i++)
		for (uint32_t k = 0; k < b->ntypes; k++) {
			bool none = a->type[i] == TV_NONE || b->type[k] == TV_NONE;

			if (none ? a->type[i] == b->type[k]
				 : strcmp(tv_pool_text(verdict->run[0]->tasks.pool, a->type[i]),
					  tv_pool_text(verdict->run[1]->tasks.pool, b->type[k]))
					    == 0)
				return false;
		}
	return true;
}

static void say_priorities(char **text, const struct tv_verdict *verdict)
{
	char *changed = tv_changed_priorities(verdict->run);

	if (changed[0] != '\0')
		tv_append(text, "; priorities differ: %s", changed);
	tv_free(changed);
}

char *tv_verdict(const struct tv_verdict *verdict)
{
	const struct tv_decomposition *parts = verdict->decomposition;
	const struct tv_term *first = tv_decomposition_ranked(parts, 1);
	char *text = NULL, why[160];

	if (is_other_program(verdict))
		tv_append(&text, "no task type is in both runs, which may be of different "
				 "programs: what follows explains little; ");
	say_makespans(&text, verdict);
	if (first == NULL || first->twice == 0) {
		tv_append(&text, ", and no term of its time differs");
		return text;
	}
	if (about_equal(verdict, why, sizeof why))
		say_equal(&text, verdict, why);
	else
		say_terms(&text, verdict);
	say_priorities(&text, verdict);
	say_sum(&text, parts);
	return text;
}
