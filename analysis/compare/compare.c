/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare.c -- runs side by side: the tables of a comparison. */
#include "analysis/compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/accounts.h"
#include "analysis/compare/measures.h"
#include "analysis/compare/report.h"
#include "analysis/compare/settings.h"
#include "analysis/compare/verdict.h"
#include "analysis/calls/calls.h"
#include "analysis/core/instead.h"
#include "analysis/core/statistics.h"
#include "trace/alloc.h"
#include "trace/text.h"

const struct tv_compare_section tv_compare_sections[] = {
	{ "settings", "Settings that differ", false },
	{ "verdict", "Verdict", false },
	{ "runs", "Runs", false },
	{ "decomposition", "Decomposition of the change of the makespan", false },
	{ "efficiency", "Efficiency of threads", false },
	{ "ranks", "Ranks: work, and share of time in MPI calls of threads that call", false },
	{ "calls", "MPI calls of all ranks", false },
	{ "states", "States of threads", false },
	{ "account", "Account of the time above the area bound", false },
	{ "bounds",
	  "Bounds and gaps; weighted: by the mean durations of all runs, or those of "
	  "--durations-from",
	  false },
	{ "idleness", "Idleness", false },
	{ "types", "Tasks and mean durations", false },
	{ "allocation", "Allocation: share of each type's tasks, and the area bound's ideal",
	  false },
	{ "order", "Order and place of matched tasks", false },
	{ "chain", "Make-up of the observed chain", false },
	{ "lost", "Tasks that lost most between release and end", false },
	{ "shift", "Starts of matched tasks", true },
	{ "progress", "Time when that many matched tasks had ended", true },
	{ "work", "Work done by then", true },
};
const size_t tv_compare_nsections = TV_COUNT(tv_compare_sections);

const char tv_compare_notes[] =
	"Sections, one after the other for each run except the first, which is the base:\n"
	"  settings       what identifies the runs in their meta and differs: program, arguments,\n"
	"                 runtimes, variables, ranks, CPUs, tags of record --tag; none if meta of\n"
	"                 a run has nothing of that; priorities by task type. A value of all\n"
	"                 ranks has no rank\n"
	"  verdict        one sentence; its terms as in decomposition, by Rank. Makespans that\n"
	"                 differ by less than 1 % are 'about equal'; so are those that differ by\n"
	"                 less than 5 % if positive and negative terms cancel each other\n"
	"                 (their sum is below 5 % of either)\n"
	"  runs           makespan, tasks, workers; number of repeats\n"
	"  decomposition  worker-ms: mean workers x change of makespan (total) = effect.workers\n"
	"                 + busy + other + idle; busy = effect.allocation (to worker types) +\n"
	"                 effect.duration + effect.count of tasks + effect.overlap; idle by cause\n"
	"                 as in idle-causes; blame.*: parts of the cause dependencies. The sums\n"
	"                 are exact\n"
	"  efficiency, ranks, calls, states  only of runs without tasks, whose threads are\n"
	"                 compared: efficiency as the verb, in percent; if both runs have the "
	"same\n"
	"                 ranks, rank.work, what threads of each one work, and rank.mpi, the "
	"share\n"
	"                 of time in MPI calls of those that call; time and number of MPI calls by "
	"function\n"
	"                 and of states, without MPI_Init and MPI_Finalize. Their\n"
	"                 decomposition is work and idle time: mpi-calls, locks, barriers,\n"
	"                 no-region (outside of parallel regions), outside (of their own time)\n"
	"  account        makespan - area bound, and its parts as in account: the changes of the\n"
	"                 five sums add up to its change exactly; account.placement, prices\n"
	"  bounds         cpe and abe as in bounds, and their gaps; *.weighted: by "
	"--durations-from,\n"
	"                 which is the mean durations of all runs by default\n"
	"  idleness       idleness of all workers, and of each type\n"
	"  types          tasks, their mean duration and (task-clock) time with a processor, "
	"cpu-time,\n"
	"                 by task type and worker type\n"
	"  allocation     share of the type's tasks; ideal: their number in the area bound\n"
	"  order          number of tasks that match, by rule: same type and Iteration, X, Y, "
	"else\n"
	"                 Tag, else JobId, or order on the worker where the trace has no ids; of\n"
	"                 these the number that moved to another worker type or worker,\n"
	"                 moved.A.B from type A to type B;\n"
	"                 inversions: pairs of them that start in the opposite order\n"
	"  chain          tasks and waits on the observed chain (critical-path); the sum is the\n"
	"                 makespan\n"
	"  lost           the ten matched tasks whose time from release to end grew most\n"
	"These need --section NAME; the panel diff shows them:\n"
	"  shift          start of each matched task since the first start of its run\n"
	"  progress       when Rank matched tasks had ended; Change: delay of Run\n"
	"  work           GFlop of the tasks that had ended at Time\n"
	"Runs of one label are repeats: Before and After are then medians over them, with 95 %\n"
	"intervals that assume only that the runs are independent and differ by a shift (or\n"
	"factor); they need 4 and 4 runs, 3 and 5 or 2 and 8. Decomposition, account, order,\n"
	"lost and the sections that need --section compare the two runs with the median makespan "
	"(of an even\n"
	"number, the shorter).\n"
	"\n"
	"--fail-if accepts each number as NAME.before, NAME.after, NAME.change and NAME.ratio;\n"
	"NAME is Name, Value and ResourceType, separated by points: makespan.ratio,\n"
	"idle.dependencies.change, duration.GEMM.CUDA.ratio, effect.allocation.GEMM.change,\n"
	"abe.gap.after, matched.after. It is evaluated for every run except the base. With\n"
	"--require-confidence it holds only if it holds in the whole 95 % interval over runs;\n"
	"if that is undecided, or there is no interval, the exit status is 4.";

/* What all sides share. */
struct comparison {
	const struct tv_side *side;
	size_t nsides;
	const struct tv_compare_options *options;
	bool threads; /* the runs have no tasks: their threads are compared */
	struct tv_report report;
	struct tv_measures measures;
	uint32_t *first;	/* nsides + 1: number of each side's first run */
	struct tv_run **shown;	/* nsides: the run with the median makespan */
	double *value, *buffer; /* one number of two sides' runs; of pairs of them */
	struct tv_side_weights weights;
};

/* One side against the base. */
struct versus {
	const struct comparison *all;
	size_t side;
	size_t cut;	       /* for intervals; see sides.h */
	struct tv_run *run[2]; /* the shown ones */
	struct tv_finding makespan;
};

/* ---- numbers of single runs ---- */

static bool is_of(const struct comparison *all, const struct tv_measure *measure, size_t side)
{
	return measure->run >= all->first[side] && measure->run < all->first[side + 1];
}

/* The numbers of a side; how many it has. Those of a run without it are 0 or left out. */
static size_t side_values(const struct comparison *all, size_t side, const struct tv_measure *at,
			  size_t n, double *value)
{
	size_t known = 0;

	for (uint32_t run = all->first[side]; run < all->first[side + 1]; run++) {
		size_t i = 0;

		while (i < n && at[i].run != run)
			i++;
		if (i < n || tv_measured_kinds[at->kind].zero)
			value[known++] = i < n ? at[i].x : 0;
	}
	return known;
}

/* The measure of the run that is shown of a side, or NULL. */
static const struct tv_measure *measure_of(const struct comparison *all,
					   const struct tv_measure *at, size_t n, size_t side)
{
	for (size_t i = 0; i < n; i++)
		if (is_of(all, &at[i], side)
		    && all->side[side].run[at[i].run - all->first[side]] == all->shown[side])
			return &at[i];
	return NULL;
}

/* Interval of the difference of two means of which the variances need not be equal [B. L. Welch,
 * 1947]. */
static struct tv_interval welch(const struct tv_measure *a, const struct tv_measure *b)
{
	struct tv_interval none = { 0 };
	double p, q, freedom, half;

	if (a == NULL || b == NULL || a->n < 2 || b->n < 2 || isnan(a->sd) || isnan(b->sd))
		return none;
	p = a->sd * a->sd / (double)a->n;
	q = b->sd * b->sd / (double)b->n;
	if (!(p + q > 0))
		return none;
	freedom = (p + q) * (p + q) / (p * p / (double)(a->n - 1) + q * q / (double)(b->n - 1));
	half = tv_student(TV_CONFIDENCE / 100., freedom) * sqrt(p + q);
	return (struct tv_interval){ true, b->x - a->x - half, b->x - a->x + half };
}

/* Measured times are in ns, printed ones in ms. */
static void scale(struct tv_finding *finding)
{
	double *number[] = {
		&finding->before,
		&finding->after,
		&finding->change,
		&finding->change_over_runs.low,
		&finding->change_over_runs.high,
		&finding->change_within.low,
		&finding->change_within.high,
	};

	for (size_t i = 0; i < TV_COUNT(number) && strcmp(finding->unit, "ms") == 0; i++)
		*number[i] /= 1e6;
}

/* at[0..n): the same number of all runs that have it. False: neither side has it. */
static bool find_change(const struct versus *versus, const struct tv_measure *at, size_t n,
			struct tv_finding *finding)
{
	const struct comparison *all = versus->all;
	const struct tv_measured_kind *kind = &tv_measured_kinds[at->kind];
	size_t nbefore = all->side[0].n, nafter = all->side[versus->side].n;
	double *before = all->value, *after = all->value + nbefore;
	size_t known[2] = { side_values(all, 0, at, n, before),
			    side_values(all, versus->side, at, n, after) };
	bool any = false;

	for (size_t i = 0; i < n; i++)
		any = any || is_of(all, &at[i], 0) || is_of(all, &at[i], versus->side);
	if (!any)
		return false;
	*finding = tv_finding(kind->section, at->name, at->value, at->rtype, kind->unit,
			      known[0] > 0 ? tv_repeats_median(before, known[0]) : NAN,
			      known[1] > 0 ? tv_repeats_median(after, known[1]) : NAN);
	if (kind->ratio && finding->before > 0)
		finding->ratio = finding->after / finding->before;
	if (known[0] == nbefore && known[1] == nafter) {
		finding->change_over_runs = tv_repeats_between(before, nbefore, after, nafter,
							       false, versus->cut, finding->change,
							       all->buffer);
		if (!isnan(finding->ratio))
			finding->ratio_over_runs = tv_repeats_between(before, nbefore, after,
								      nafter, true, versus->cut,
								      finding->ratio, all->buffer);
	}
	if (at->kind == TV_TYPE_DURATION)
		finding->change_within = welch(measure_of(all, at, n, 0),
					       measure_of(all, at, n, versus->side));
	scale(finding);
	return true;
}

/* Every number of the kinds first to last. */
static void report_kinds(const struct versus *versus, enum tv_measured first, enum tv_measured last)
{
	const struct tv_measures *measures = &versus->all->measures;

	for (size_t i = 0, end; i < measures->n; i = end) {
		const struct tv_measure *at = &measures->at[i];
		struct tv_finding finding;

		for (end = i + 1; end < measures->n && tv_measures_alike(at, &measures->at[end]);
		     end++)
			;
		if (at->kind >= first && at->kind <= last
		    && find_change(versus, at, end - i, &finding))
			tv_report_add(&versus->all->report, &finding);
	}
}

/* A side of several runs by itself: the interval of their median. */
static void report_side(const struct comparison *all, size_t side)
{
	size_t n = side_values(all, side, all->measures.at, all->first[all->nsides], all->value);
	struct tv_report own = { all->report.out, NULL, all->side[side].label };
	struct tv_finding finding = tv_finding("runs", "makespan.median", NULL, NULL, "ms", NAN,
					       NAN);

	if (n == 1)
		return;
	finding.after = tv_repeats_median(all->value, n);
	finding.change_over_runs = tv_repeats_interval(all->value, n);
	scale(&finding);
	tv_report_add(&own, &finding);
}

/* ---- a comparison ---- */

static void report_verdict(const struct versus *versus, const struct tv_decomposition *parts)
{
	const struct tv_finding *makespan = &versus->makespan;
	const struct tv_side *base = &versus->all->side[0],
			     *side = &versus->all->side[versus->side];
	char *text = tv_verdict(&(struct tv_verdict){
		.label = { base->label, side->label },
		.makespan_ms = { makespan->before, makespan->after },
		.nruns = { base->n, side->n },
		.ratio = makespan->ratio_over_runs,
		.decomposition = parts,
		.run = { versus->run[0], versus->run[1] },
	});
	struct tv_finding finding = tv_finding("verdict", text, NULL, NULL, NULL, NAN, NAN);

	tv_report_add(&versus->all->report, &finding);
	tv_free(text);
}

/* What is known of runs with and without tasks, before their decomposition. */
static void report_runs(const struct versus *versus, const struct tv_decomposition *parts)
{
	const struct comparison *all = versus->all;
	struct tv_finding repeats = tv_finding("runs", "repeats", NULL, NULL, "runs",
					       (double)all->side[0].n,
					       (double)all->side[versus->side].n);

	tv_report_settings(&all->report, versus->run);
	report_verdict(versus, parts);
	if (versus->side == 1)
		report_side(all, 0);
	report_side(all, versus->side);
	tv_report_add(&all->report, &repeats);
	report_kinds(versus, TV_MAKESPAN, TV_TASK_COUNT);
	tv_report_decomposition(&all->report, parts);
}

static int report_all(const struct versus *versus, const struct tv_decomposition *parts,
		      const struct tv_shifts *shifts, const struct tv_order *order,
		      struct tv_error *err)
{
	const struct comparison *all = versus->all;

	report_runs(versus, parts);
	if (tv_report_accounts(&all->report, versus->run, err) < 0)
		return -1;
	report_kinds(versus, TV_BOUND, TV_TYPE_IDEAL);
	tv_report_order(&all->report, shifts, order);
	report_kinds(versus, TV_CHAIN_TASK, TV_CHAIN_STEPS);
	tv_report_losses(&all->report, shifts, order);
	tv_report_details(&all->report, all->options->section, shifts);
	return 0;
}

static bool have_same_ranks(struct tv_run *const run[2])
{
	const struct tv_calls *of[2] = { tv_run_calls(run[0]), tv_run_calls(run[1]) };
	bool same = of[0]->nranks == of[1]->nranks;

	for (uint32_t k = 0; same && k < of[0]->nranks; k++)
		same = strcmp(tv_pool_text(run[0]->trace->pool, of[0]->rank[k]),
			      tv_pool_text(run[1]->trace->pool, of[1]->rank[k]))
		    == 0;
	return same;
}

static int compare_side(struct comparison *all, size_t side, struct tv_error *err)
{
	struct versus versus = {
		.all = all,
		.side = side,
		.cut = tv_repeats_cut(all->side[0].n, all->side[side].n),
		.run = { all->shown[0], all->shown[side] },
	};
	struct tv_decomposition parts;
	struct tv_order order = { 0 };
	const struct tv_shifts *shifts;
	int rc = -1;

	all->report.base = all->side[0].label;
	all->report.run = all->side[side].label;
	/* The makespan comes first among the measures, of every run. */
	find_change(&versus, all->measures.at, all->first[all->nsides], &versus.makespan);
	if (all->threads) {
		tv_decompose_threads(&parts, versus.run);
		report_runs(&versus, &parts);
		report_kinds(&versus, TV_EFFICIENCY, TV_EFFICIENCY);
		if (have_same_ranks(versus.run))
			report_kinds(&versus, TV_RANK_WORK, TV_RANK_MPI);
		report_kinds(&versus, TV_CALL_TIME, TV_STATE_COUNT);
		rc = 0;
	} else if (tv_decompose(&parts, versus.run, all->options->can_run, err) == 0
		   && (shifts = tv_run_shifts(versus.run, err)) != NULL
		   && tv_order_init(&order, shifts, versus.run, err) == 0)
		rc = report_all(&versus, &parts, shifts, &order, err);
	tv_order_release(&order);
	tv_decomposition_release(&parts);
	return rc;
}

static int measure_side(struct comparison *all, size_t s, struct tv_error *err)
{
	const struct tv_side *side = &all->side[s];
	int rc = 0;

	for (size_t i = 0; i < side->n && rc == 0; i++) {
		struct tv_run *run = side->run[i];

		run->weights = all->weights.named ? &all->weights.weights : NULL;
		rc = all->threads ? tv_measure_threads(&all->measures, run,
						       all->first[s] + (uint32_t)i, err)
				  : tv_measure_run(&all->measures, run, all->first[s] + (uint32_t)i,
						   all->options->weights, err);
		run->weights = NULL;
	}
	if (rc < 0)
		tv_side_failed(side, err);
	return rc;
}

/* Runs of threads alone are compared by what threads do, others by tasks. */
static int check_kinds(const struct comparison *all, struct tv_error *err)
{
	uint32_t with = TV_NONE, without = TV_NONE;

	for (size_t s = 0; s < all->nsides; s++)
		*(all->shown[s]->tasks.ncounted > 0 ? &with : &without) = (uint32_t)s;
	if (with == TV_NONE || without == TV_NONE)
		return 0;
	return tv_fail_lacks(err, all->shown[without]->trace,
			     "%s has tasks and %s has none, so what they did cannot be compared",
			     all->side[with].label, all->side[without].label);
}

static int prepare(struct comparison *all, struct tv_table *out, struct tv_error *err)
{
	size_t max = 0;

	if (all->nsides < 2)
		return tv_fail_usage(err, "nothing to compare with: expected two runs or more");
	all->first = tv_alloc(all->nsides + 1, sizeof *all->first);
	all->shown = tv_alloc(all->nsides, sizeof *all->shown);
	for (size_t s = 0; s < all->nsides; s++) {
		size_t n = all->side[s].n;

		if (n > TV_REPEATS_MAX)
			return tv_fail_usage(err, "%s: %zu repeats, expected at most %d",
					     all->side[s].label, n, TV_REPEATS_MAX);
		all->first[s + 1] = all->first[s] + (uint32_t)n;
		max = n > max ? n : max;
		all->shown[s] = tv_side_median(&all->side[s]);
	}
	all->value = tv_alloc(2 * max, sizeof *all->value);
	all->buffer = tv_alloc(max * max, sizeof *all->buffer);
	all->measures.pool = out->pool;
	tv_report_init(&all->report, out);
	return check_kinds(all, err);
}

int tv_compare(const struct tv_side *side, size_t nsides, const struct tv_compare_options *options,
	       struct tv_table *out, struct tv_error *err)
{
	struct comparison all = {
		.side = side,
		.nsides = nsides,
		.options = options,
		.threads = tv_sides_are_threads(side, nsides),
	};
	int rc = prepare(&all, out, err);

	if (rc == 0)
		rc = tv_side_weights_init(&all.weights, side, nsides,
					  all.threads ? NULL : options->weights, err);
	for (size_t s = 0; s < nsides && rc == 0; s++)
		rc = measure_side(&all, s, err);
	tv_measures_sort(&all.measures);
	for (size_t s = 1; s < nsides && rc == 0; s++)
		rc = compare_side(&all, s, err);
	tv_measures_release(&all.measures);
	tv_side_weights_release(&all.weights);
	tv_free(all.first);
	tv_free(all.shown);
	tv_free(all.value);
	tv_free(all.buffer);
	if (rc == 0)
		tv_table_finish(out);
	return rc;
}
