/* SPDX-License-Identifier: GPL-3.0-or-later */
/* decisions.c -- every decision of the scheduler, and whether its own rule leads to it. */
#include <math.h>
#include <stdlib.h>

#include "analysis/core/statistics.h"
#include "analysis/decisions/decision_list.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"

#define COLUMNS(X) \
	X(JOB, "JobId", TV_LABEL, false, "", "job") \
	X(NUMBER, "Decision", TV_INT, false, "", \
	  "its number in the trace, otherwise the n-th about the job") \
	X(TIME, "Time", TV_TIME, false, "ms", "when the scheduler chose") \
	X(VALUE, "Value", TV_LABEL, false, "", "task type") \
	X(PRIORITY, "Priority", TV_INT, false, "", "of the task; larger is more urgent") \
	X(RESOURCE, "ResourceId", TV_LABEL, false, "", "worker chosen") \
	X(NATURE, "Nature", TV_LABEL, false, "", \
	  "model = by estimates; forced = one was missing; none = not by fitness") \
	X(CANDIDATES, "Candidates", TV_INT, false, "", "workers and implementations known") \
	X(LENGTH, "Length", TV_TIME, false, "ms", "estimate of the execution") \
	X(TRANSFER, "Transfer", TV_TIME, false, "ms", "estimate of the transfer") \
	X(START, "ExpectedStart", TV_TIME, false, "ms", "estimate of the begin") \
	X(END, "ExpectedEnd", TV_TIME, false, "ms", "estimate of the end") \
	X(FITNESS, "Fitness", TV_TIME, false, "ms", "of the chosen worker, as recorded") \
	X(RECOMPUTED, "Recomputed", TV_TIME, false, "ms", "the same from the estimates") \
	X(RUNNER_UP, "RunnerUp", TV_LABEL, false, "", "worker with the second smallest one") \
	X(MARGIN, "Margin", TV_TIME, false, "ms", "its fitness minus that of the chosen one") \
	X(CHECK, "Check", TV_LABEL, false, "", \
	  "ok; fitness = another one is recorded; choice = a smaller one was not chosen; " \
	  "unknown") \
	X(QUEUES, "QueuesDiffer", TV_INT, false, "", \
	  "candidates whose QueueTasks is not what decisions and pops give") \
	X(FLAG, "Flag", TV_LABEL, false, "", "as recorded: race, unplaced")

TV_COLUMNS(columns, COLUMNS)

struct weights {
	double alpha, beta, gamma, idle_power; /* 1, 1, us/J, W */
	bool partial;			       /* not all candidates are there */
};

struct decision_checks {
	struct tv_run *run;
	const struct tv_decisions *d;
	struct weights weights;
	uint32_t *differ; /* by decision */
	uint32_t rows, rows_differ;
	uint32_t checked, wrong, flagged, forced;
	const struct tv_decision *first_wrong;
};

static double meta_number(const struct tv_trace *trace, const char *key, double otherwise)
{
	size_t n;
	const char *text = tv_meta_get(trace, key, &n);
	double value;

	return text != NULL && tv_parse_double(text, n, &value) == TV_PARSE_OK ? value : otherwise;
}

static struct weights read_weights(const struct tv_trace *trace)
{
	return (struct weights){ meta_number(trace, "SchedulerAlpha", 1),
				 meta_number(trace, "SchedulerBeta", 1),
				 meta_number(trace, "SchedulerGamma", 1000),
				 meta_number(trace, "SchedulerIdlePower", 0),
				 tv_candidates_kept(trace) != UINT32_MAX };
}

/* ---- the rule of the scheduler ---- */

/* What the fitness of all candidates of a decision depends on. */
struct setting {
	int64_t best, latest; /* earliest end of all; when the last worker is available */
};

static struct setting find_setting(const struct tv_decisions *d, uint32_t i)
{
	const struct tv_candidate_columns *c = &d->candidate;
	int64_t best = tv_cell_int(d->of.best_end, d->at[i].row, INT64_MAX);
	struct setting setting = { best, INT64_MIN };

	for (uint32_t k = d->candidates.first[i]; k < d->candidates.first[i + 1]; k++) {
		uint32_t row = d->candidates.row[k];
		int64_t end = tv_cell_int(c->end, row, INT64_MAX);
		int64_t available = tv_cell_int(c->available, row, INT64_MIN);

		if (best == INT64_MAX && end < setting.best)
			setting.best = end;
		if (available > setting.latest)
			setting.latest = available;
	}
	return setting;
}

/* Fitness of a candidate, ns; NaN if an estimate is missing. */
static double fitness(const struct weights *w, const struct tv_candidate_columns *c,
		      const struct setting *setting, uint32_t row)
{
	int64_t end = tv_cell_int(c->end, row, TV_NO_TIME);
	int64_t transfer = tv_cell_int(c->transfer, row, 0);
	double energy = c->energy == NULL || tv_missing(c->energy, row) ? 0
									: tv_real(c->energy, row);
	double value;

	if (end == TV_NO_TIME || setting->best == INT64_MAX)
		return NAN;
	value = w->alpha * (double)(end - setting->best) + w->beta * (double)transfer
	      + w->gamma * energy * 1000;
	if (w->idle_power != 0 && setting->latest != INT64_MIN && end > setting->latest)
		value += w->gamma * w->idle_power * (double)(end - setting->latest) / 1e6;
	return value;
}

/* Digits below 1 ns are not recorded. */
static double tolerance(const struct weights *w, double value)
{
	return 2 * (fabs(w->alpha) + fabs(w->beta) + 1) + 1e-9 * fabs(value);
}

static bool is_chosen(const struct tv_decisions *d, const struct tv_decision *at, uint32_t row)
{
	const struct tv_candidate_columns *c = &d->candidate;

	if (c->chosen != NULL && !tv_missing(c->chosen, row))
		return tv_number(c->chosen, row) != 0;
	return tv_cell_label(c->resource, row) == tv_cell_label(d->of.chosen, at->row)
	    && tv_cell_int(c->impl, row, 0) == tv_cell_int(d->of.impl, at->row, 0);
}

enum verdict { OK, OTHER_FITNESS, OTHER_CHOICE, UNKNOWN };
static const char *const verdict_name[] = { "ok", "fitness", "choice", "unknown" };

/* *value: the recomputed fitness of the chosen one, NaN = not known. */
static enum verdict check(const struct decision_checks *work, uint32_t i, double *value)
{
	const struct tv_decisions *d = work->d;
	struct setting setting = find_setting(d, i);
	const struct weights *w = &work->weights;
	double min = INFINITY;
	bool differs = false;

	*value = NAN;
	if (w->partial
	    && (w->idle_power != 0
		|| tv_cell_int(d->of.best_end, d->at[i].row, TV_NO_TIME) == TV_NO_TIME))
		return UNKNOWN;
	for (uint32_t k = d->candidates.first[i]; k < d->candidates.first[i + 1]; k++) {
		uint32_t row = d->candidates.row[k];
		double f = fitness(w, &d->candidate, &setting, row);
		int64_t recorded = tv_cell_int(d->candidate.fitness, row, TV_NO_TIME);

		if (isnan(f))
			return UNKNOWN;
		differs |= recorded != TV_NO_TIME && fabs(f - (double)recorded) > tolerance(w, f);
		min = f < min ? f : min;
		if (is_chosen(d, &d->at[i], row))
			*value = f;
	}
	if (isnan(*value))
		return UNKNOWN;
	return *value > min + tolerance(w, *value) ? OTHER_CHOICE : differs ? OTHER_FITNESS : OK;
}

/* ---- queues as decisions and pops give them ---- */

static uint32_t worker_of(const struct tv_decisions *d, uint32_t label)
{
	return label == TV_NONE ? TV_NONE : tv_index_get(&d->worker_of, label);
}

struct pop {
	int64_t order;
	uint32_t worker; /* whose queue had it */
};

TV_ORDER(by_order, struct pop, order)

static void compare_queues(struct decision_checks *work)
{
	const struct tv_decisions *d = work->d;
	const struct tv_column *tasks = d->candidate.queue_tasks;
	struct pop *pop = tv_alloc(d->n, sizeof *pop);
	int64_t *queued = tv_alloc(d->nworkers, sizeof *queued);
	uint32_t npops = 0, next = 0;

	for (uint32_t i = 0; i < d->n; i++)
		if (d->at[i].pop_order != INT64_MAX)
			pop[npops++] = (struct pop){ d->at[i].pop_order,
						     worker_of(d, tv_cell_label(d->of.chosen,
										d->at[i].row)) };
	qsort(pop, npops, sizeof *pop, by_order);
	for (uint32_t i = 0; tasks != NULL && npops > 0 && i < d->n; i++) {
		uint32_t own = worker_of(d, tv_cell_label(d->of.chosen, d->at[i].row));

		for (; next < npops && pop[next].order < d->at[i].order; next++)
			if (pop[next].worker != TV_NONE)
				queued[pop[next].worker]--;
		for (uint32_t k = d->candidates.first[i]; k < d->candidates.first[i + 1]; k++) {
			uint32_t row = d->candidates.row[k];
			uint32_t w = worker_of(d, tv_cell_label(d->candidate.resource, row));

			if (tv_missing(tasks, row))
				continue;
			work->rows++;
			work->differ[i] += tv_number(tasks, row) != (w == TV_NONE ? 0 : queued[w]);
		}
		work->rows_differ += work->differ[i];
		if (own != TV_NONE)
			queued[own]++;
	}
	tv_free(pop);
	tv_free(queued);
}

/* ---- what is written ---- */

static void copy_time(struct tv_column *to, uint32_t row, const struct tv_column *from, uint32_t at)
{
	int64_t time = tv_cell_int(from, at, TV_NO_TIME);

	if (time != TV_NO_TIME)
		tv_set_int(to, row, time);
}

static void write_row(struct decision_checks *work, uint32_t i, enum verdict verdict, double value,
		      struct tv_table *out)
{
	const struct tv_decisions *d = work->d;
	const struct tv_decision *at = &d->at[i];
	struct tv_column *const *to = out->col;
	uint32_t row = tv_table_add_row(out);

	tv_set_label(to[JOB], row, at->job);
	tv_set_int(to[NUMBER], row, at->number);
	tv_set_int(to[TIME], row, at->time);
	tv_set_label(to[VALUE], row, tv_decision_value(d, &work->run->tasks, at));
	tv_set_int(to[PRIORITY], row, at->priority);
	tv_set_label(to[RESOURCE], row, tv_cell_label(d->of.chosen, at->row));
	tv_set_label(to[NATURE], row, tv_cell_label(d->of.nature, at->row));
	tv_set_int(to[CANDIDATES], row, d->candidates.first[i + 1] - d->candidates.first[i]);
	copy_time(to[LENGTH], row, d->of.length, at->row);
	copy_time(to[TRANSFER], row, d->of.transfer, at->row);
	copy_time(to[START], row, d->of.expected_start, at->row);
	copy_time(to[END], row, d->of.expected_end, at->row);
	copy_time(to[FITNESS], row, d->of.fitness, at->row);
	if (!isnan(value) && fabs(value) < 4e18)
		tv_set_int(to[RECOMPUTED], row, llround(value));
	tv_set_label(to[RUNNER_UP], row, tv_cell_label(d->of.runner_up, at->row));
	copy_time(to[MARGIN], row, d->of.margin, at->row);
	tv_set_text(to[CHECK], row, verdict_name[verdict]);
	if (work->rows > 0)
		tv_set_int(to[QUEUES], row, work->differ[i]);
	tv_set_label(to[FLAG], row, tv_cell_label(d->of.flag, at->row));
}

/* The first line: how good the models are, how many decisions needed none. */
static void report(const struct decision_checks *work)
{
	const struct tv_decisions *d = work->d;
	double *error = tv_alloc(d->n, sizeof *error), *share = tv_alloc(d->n, sizeof *share);
	size_t n = 0;

	for (uint32_t i = 0; i < d->n; i++) {
		const struct tv_decision *at = &d->at[i];
		int64_t length = tv_cell_int(d->of.length, at->row, 0);
		int64_t took = tv_decision_duration(&work->run->tasks, at);

		if (took == TV_NO_TIME || length <= 0)
			continue;
		error[n] = fabs((double)(took - length)) / 1e6;
		share[n++] = 100 * fabs((double)(took - length)) / (double)length;
	}
	tv_sort_numbers(error, n);
	tv_sort_numbers(share, n);
	tv_diagnose(tv_run_diagnostics(work->run), TV_NOTE, (struct tv_pos){ 0 },
		    "%u decisions, %u forced (%.1f %%); models: error of %zu durations median "
		    "%.3f ms (%.2f %%), max %.3f ms; queues rebuilt: %u of %u counts equal",
		    d->n, work->forced, 100.0 * work->forced / d->n, n,
		    n > 0 ? tv_quantile(error, n, 0.5) : 0, n > 0 ? tv_quantile(share, n, 0.5) : 0,
		    n > 0 ? error[n - 1] : 0, work->rows - work->rows_differ, work->rows);
	tv_free(error);
	tv_free(share);
}

static void conclude(struct decision_checks *work)
{
	struct tv_error *verdict = &work->run->verdict;

	if (work->wrong > 0) {
		tv_fail(verdict,
			"decisions: %u of %u decisions disagree with their estimates, first job %s",
			work->wrong, work->checked,
			tv_pool_text(work->run->trace->pool, work->first_wrong->job));
		verdict->status = TV_NEGATIVE;
	} else if (work->checked == 0) {
		tv_fail(verdict,
			"decisions: none has candidates with estimates, nothing is checked");
		verdict->status = TV_UNCERTAIN;
	} else if (work->d->unplaced > 0) {
		tv_fail(verdict, "decisions: %u candidates are left out, the check is incomplete",
			work->d->unplaced);
		verdict->status = TV_UNCERTAIN;
	}
	tv_diagnose(tv_run_diagnostics(work->run), TV_NOTE, (struct tv_pos){ 0 },
		    "%u of %u decisions agree with their estimates, %u flagged ones disagree",
		    work->checked - work->wrong - work->flagged, work->checked, work->flagged);
}

struct asked {
	bool check;
};

static int run_decisions(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
			 struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct decision_checks work = { .run = run,
					.d = tv_run_decisions(run, "decisions", err),
					.weights = read_weights(run->trace) };
	const struct tv_decisions *d = work.d;
	uint32_t forced = tv_pool_find_text(run->trace->pool, "forced");

	if (d == NULL)
		return -1;
	work.differ = tv_alloc(d->n, sizeof *work.differ);
	compare_queues(&work);
	for (uint32_t i = 0; i < d->n; i++) {
		double value;
		uint32_t nature = tv_cell_label(d->of.nature, d->at[i].row);
		enum verdict verdict = check(&work, i, &value);
		bool flagged = tv_cell_label(d->of.flag, d->at[i].row) != TV_NONE;

		work.forced += nature != TV_NONE && nature == forced;
		work.checked += verdict != UNKNOWN;
		if (verdict == OTHER_FITNESS || verdict == OTHER_CHOICE) {
			if (!flagged && work.wrong++ == 0)
				work.first_wrong = &d->at[i];
			work.flagged += flagged;
		}
		if (tv_decision_seen(run, &d->at[i]))
			write_row(&work, i, verdict, value, out);
	}
	report(&work);
	if (asked->check)
		conclude(&work);
	tv_free(work.differ);
	return 0;
}

static const struct tv_option_spec options[] = {
	{ "check", NULL, NULL, "exit status 3 if a decision without Flag disagrees",
	  TV_ASKED(check) },
};

const struct tv_pass tv_pass_decisions = {
	.name = "decisions",
	.summary = "List the scheduler's decisions; check them against its estimates",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_DEPENDENCIES,
	.ranked = "Margin",
	.taskless = true,
	.needs = "decisions candidates events",
	.refuses_tasks = true,
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_COLUMNS(columns),
	.notes =
		"In the order in which they were made. Fitness of a candidate, as StarPU's dm*\n"
		"schedulers compute it: alpha (ExpectedEnd - BestEnd) + beta Transfer + gamma\n"
		"Energy, and if idle power is set, gamma times it times the time by which the\n"
		"task ends after the last worker is available. The smallest wins, the first of\n"
		"equal ones. Weights are those in meta, else 1, 1, 1000 us/J, 0 W.\n"
		"On stderr: how many decisions were forced, the error of the estimates of\n"
		"durations, and whether queues rebuilt from decisions and pops have as many tasks\n"
		"as the scheduler saw. --check: exit status 4 if no decision can be checked, or\n"
		"candidates are left out as they belong to no decision.",
	.example = "traceviz decisions data/cholesky-decisions --check",
	.run = run_decisions,
};
