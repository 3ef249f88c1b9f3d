/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare.c -- runs side by side: the tables of a comparison. */
#include "analysis/compare/compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/measures.h"
#include "analysis/compare/moves.h"
#include "analysis/compare/report.h"
#include "analysis/compare/sides.h"
#include "analysis/shared/statistics.h"
#include "analysis/compare/verdict.h"
#include "trace/alloc.h"
#include "trace/text.h"

const struct tv_compare_section tv_compare_sections[] = {
	{ "verdict", "Verdict", false },
	{ "runs", "Runs", false },
	{ "decomposition", "Decomposition of the change of the makespan", false },
	{ "bounds", "Bounds and gaps", false },
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
	"  verdict        one sentence; its terms as in decomposition, by Rank. Makespans that\n"
	"                 differ by less than 1 % are 'about equal'; so are those that differ by\n"
	"                 less than 5 % where positive and negative terms cancel each other\n"
	"                 (their sum is below 5 % of either)\n"
	"  runs           makespan, tasks, workers; number of repeats\n"
	"  decomposition  worker-ms: mean workers x change of makespan (total) = effect.workers\n"
	"                 + busy + other + idle; busy = effect.allocation (to worker types) +\n"
	"                 effect.duration + effect.count of tasks + effect.overlap; idle by cause\n"
	"                 as in idle-causes; blame.*: what dependencies wait for. The sums are\n"
	"                 exact\n"
	"  bounds         cpe and abe as in bounds, and their gaps; *.weighted: by "
	"--durations-from\n"
	"  idleness       of all workers, and of each type\n"
	"  types          tasks and their mean duration, by task type and worker type\n"
	"  allocation     share of the type's tasks; ideal: their number in the area bound\n"
	"  order          number of tasks that match, by rule: same type and Iteration, X, Y, "
	"else\n"
	"                 Tag, else JobId; of these how many moved to another worker type or\n"
	"                 worker, moved.A.B from type A to type B;\n"
	"                 inversions: pairs of them that start in the opposite order\n"
	"  chain          tasks and waits on the observed chain (critical-path); the sum is the\n"
	"                 makespan\n"
	"  lost           the ten matched tasks whose time from release to end grew most\n"
	"These are printed only with --section NAME; the panel diff shows them:\n"
	"  shift          start of each matched task since the first start of its run\n"
	"  progress       when Rank matched tasks had ended; Change: delay of Run\n"
	"  work           GFlop of the tasks that had ended at Time\n"
	"Runs of one label are repeats: Before and After are then medians over them, with 95 %\n"
	"intervals that assume only that the runs are independent and differ by a shift (or\n"
	"factor); they need 4 and 4 runs, 3 and 5 or 2 and 8. Decomposition, order, lost and the\n"
	"sections that are only printed by name compare the two runs with the median makespan\n"
	"(the lower one of an even number).\n"
	"\n"
	"--fail-if knows every number as NAME.before, NAME.after, NAME.change and NAME.ratio,\n"
	"where NAME is Name, Value and ResourceType, separated by points: makespan.ratio,\n"
	"idle.dependencies.change, duration.GEMM.CUDA.ratio, effect.allocation.GEMM.change,\n"
	"abe.gap.after, matched.after. It is evaluated for every run except the base. With\n"
	"--require-confidence it holds only if it holds in the whole 95 % interval over runs;\n"
	"if that is undecided, or there is no interval, the exit status is 4.";

enum { LOST = 10 };

struct comparing {
	const struct tv_side *side;
	size_t nsides;
	const struct tv_compare_options *options;
	struct tv_report report;
	struct tv_measures measures;
	uint32_t *first;       /* nsides + 1: number of each side's first run */
	struct tv_run **shown; /* nsides: the run with the median makespan */
	double *value, *room;  /* one number of all runs; room for pairs of them */
	struct tv_side_weights weights;
};

/* One side against the base. */
struct versus {
	size_t side;
	size_t cut;	       /* for intervals; see repeats.h */
	struct tv_run *run[2]; /* the shown ones */
	struct tv_finding makespan;
};

static double ms(tv_int128 ns)
{
	return (double)ns / 1e6;
}

/* ---- numbers of single runs ---- */

/* The numbers of a side; how many it has. Those of a run without it are 0 or left out. */
static size_t side_values(const struct comparing *c, size_t side, const struct tv_measure *at,
			  size_t n, double *value)
{
	size_t known = 0;

	for (uint32_t run = c->first[side]; run < c->first[side + 1]; run++) {
		size_t i = 0;

		while (i < n && at[i].run != run)
			i++;
		if (i < n || tv_measured_kinds[at->kind].zero)
			value[known++] = i < n ? at[i].x : 0;
	}
	return known;
}

/* The measure of a run, or NULL. */
static const struct tv_measure *measure_of(const struct comparing *c, const struct tv_measure *at,
					   size_t n, size_t side, const struct tv_run *shown)
{
	for (size_t i = 0; i < n; i++)
		if (at[i].run >= c->first[side] && at[i].run < c->first[side + 1]
		    && c->side[side].run[at[i].run - c->first[side]] == shown)
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
static void scale(struct tv_finding *f)
{
	double *number[] = {
		&f->before,
		&f->after,
		&f->change,
		&f->change_over_runs.low,
		&f->change_over_runs.high,
		&f->change_within.low,
		&f->change_within.high,
	};

	for (size_t i = 0; i < TV_COUNT(number) && strcmp(f->unit, "ms") == 0; i++)
		*number[i] /= 1e6;
}

/* at[0..n): the same number of all runs that have it. False: neither side has it. */
static bool find_change(const struct comparing *c, const struct versus *v,
			const struct tv_measure *at, size_t n, struct tv_finding *f)
{
	const struct tv_measured_kind *kind = &tv_measured_kinds[at->kind];
	size_t nruns[2] = { c->side[0].n, c->side[v->side].n };
	double *before = c->value, *after = c->value + nruns[0];
	size_t known[2] = { side_values(c, 0, at, n, before),
			    side_values(c, v->side, at, n, after) };
	bool any = false;

	for (size_t i = 0; i < n; i++)
		any = any || (at[i].run >= c->first[0] && at[i].run < c->first[1])
		   || (at[i].run >= c->first[v->side] && at[i].run < c->first[v->side + 1]);
	if (!any)
		return false;
	*f = tv_finding(kind->section, at->name, at->value, at->rtype, kind->unit,
			known[0] > 0 ? tv_repeats_median(before, known[0]) : NAN,
			known[1] > 0 ? tv_repeats_median(after, known[1]) : NAN);
	if (kind->ratio && f->before > 0)
		f->ratio = f->after / f->before;
	if (known[0] == nruns[0] && known[1] == nruns[1]) {
		f->change_over_runs = tv_repeats_between(before, nruns[0], after, nruns[1], false,
							 v->cut, f->change, c->room);
		if (!isnan(f->ratio))
			f->ratio_over_runs = tv_repeats_between(before, nruns[0], after, nruns[1],
								true, v->cut, f->ratio, c->room);
	}
	if (at->kind == TV_TYPE_DURATION)
		f->change_within = welch(measure_of(c, at, n, 0, v->run[0]),
					 measure_of(c, at, n, v->side, v->run[1]));
	scale(f);
	return true;
}

/* Every number of the kinds first to last. */
static int report_kinds(const struct comparing *c, const struct versus *v, enum tv_measured first,
			enum tv_measured last, struct tv_error *err)
{
	const struct tv_measures *m = &c->measures;

	for (size_t i = 0, end; i < m->n; i = end) {
		struct tv_finding f;

		for (end = i + 1; end < m->n && tv_measures_alike(&m->at[i], &m->at[end]); end++)
			;
		if (m->at[i].kind >= first && m->at[i].kind <= last
		    && find_change(c, v, &m->at[i], end - i, &f)
		    && tv_report_add(&c->report, &f, err) < 0)
			return -1;
	}
	return 0;
}

/* A side of several runs by itself: the interval of their median. */
static int report_side(const struct comparing *c, size_t side, struct tv_error *err)
{
	size_t n = side_values(c, side, c->measures.at, c->first[c->nsides], c->value);
	struct tv_report own = c->report;
	struct tv_finding f = tv_finding("runs", "makespan.median", NULL, NULL, "ms", NAN, NAN);

	if (n == 1)
		return 0;
	f.after = tv_repeats_median(c->value, n);
	f.change_over_runs = tv_repeats_interval(c->value, n);
	scale(&f);
	own.base = NULL;
	own.run = c->side[side].label;
	return tv_report_add(&own, &f, err);
}

/* ---- pairs of runs ---- */

static int report_term(const struct comparing *c, const struct tv_term *term, struct tv_error *err)
{
	static const char *const names[] = {
#define NAME(symbol, name) [TV_EFFECT_##symbol] = (name),
		TV_EFFECTS(NAME)
#undef NAME
	};
	struct tv_finding f = tv_finding("decomposition", names[term->effect], term->value,
					 term->rtype, "worker-ms", NAN, NAN);
	char name[80];

	if (term->effect == TV_EFFECT_OTHER || term->effect == TV_EFFECT_IDLE) {
		f.before = ms(term->level[0]);
		f.after = ms(term->level[1]);
	}
	if (term->effect == TV_EFFECT_IDLE) {
		snprintf(name, sizeof name, "idle.%s", term->cause);
		f.name = name;
	}
	f.change = (double)term->twice / 2e6;
	f.rank = term->rank;
	return tv_report_add(&c->report, &f, err);
}

static int report_sum(const struct comparing *c, const char *name, const tv_int128 amount[2],
		      struct tv_error *err)
{
	struct tv_finding f = tv_finding("decomposition", name, NULL, NULL, "worker-ms",
					 ms(amount[0]), ms(amount[1]));

	f.change = ms(amount[1] - amount[0]);
	return tv_report_add(&c->report, &f, err);
}

/* What idle.dependencies is made of, where a run has any. */
static int report_blamed(const struct comparing *c, const struct tv_decomposition *d,
			 struct tv_error *err)
{
	for (int b = 0; b < TV_NBLAMES; b++) {
		const tv_int128 amount[2] = { d->blamed[0][b], d->blamed[1][b] };
		char name[40];

		if (amount[0] == 0 && amount[1] == 0)
			continue;
		snprintf(name, sizeof name, "blame.%s", tv_blame_name(b));
		if (report_sum(c, name, amount, err) < 0)
			return -1;
	}
	return 0;
}

/* Sums before their terms. */
static int report_decomposition(const struct comparing *c, const struct tv_decomposition *d,
				struct tv_error *err)
{
	struct tv_finding total = tv_finding("decomposition", "total", NULL, NULL, "worker-ms", NAN,
					     NAN);
	bool busy = false, idle = false;

	total.change = (double)d->twice / 2e6;
	if (tv_report_add(&c->report, &total, err) < 0)
		return -1;
	for (size_t i = 0; i <= d->nterms; i++) {
		enum tv_effect effect = i < d->nterms ? d->term[i].effect : TV_EFFECT_IDLE;

		if (!busy && effect > TV_EFFECT_WORKERS) {
			if (report_sum(c, "busy", d->busy, err) < 0)
				return -1;
			busy = true;
		}
		if (!idle && effect == TV_EFFECT_IDLE) {
			if (report_sum(c, "idle", d->idle, err) < 0)
				return -1;
			idle = true;
		}
		if (i < d->nterms && report_term(c, &d->term[i], err) < 0)
			return -1;
	}
	return report_blamed(c, d, err);
}

static int report_amount(const struct comparing *c, const char *name, const char *value,
			 const char *unit, double before, double after, struct tv_error *err)
{
	struct tv_finding f = tv_finding("order", name, value, NULL, unit, before, after);

	return tv_report_add(&c->report, &f, err);
}

static int report_match(const struct comparing *c, const struct tv_shifts *shifts,
			struct tv_error *err)
{
	const struct tv_match *match = &shifts->match;
	char name[40];

	if (report_amount(c, "matched", NULL, "tasks", NAN, match->nmatched, err) < 0
	    || report_amount(c, "unmatched", NULL, "tasks", match->ntasks[0] - match->nmatched,
			     match->ntasks[1] - match->nmatched, err)
		       < 0)
		return -1;
	for (int way = 0; way < TV_MATCH_WAYS; way++) {
		snprintf(name, sizeof name, "matched.%s", tv_match_names[way]);
		if (report_amount(c, name, NULL, "tasks", NAN, match->by[way], err) < 0)
			return -1;
	}
	return tv_report_transfers(&c->report, shifts, err);
}

static int report_moves(const struct comparing *c, const struct tv_moves *moves,
			struct tv_error *err)
{
	const char *value = moves->all ? NULL : moves->value;
	double pairs = (double)moves->ntasks * ((double)moves->ntasks - 1) / 2;
	double share = pairs > 0 ? 100 * (double)moves->inversions / pairs : 0;

	if (report_amount(c, "moved.type", value, "tasks", NAN, moves->rtype, err) < 0
	    || report_amount(c, "moved.worker", value, "tasks", NAN, moves->worker, err) < 0)
		return -1;
	return report_amount(c, "inversions", value, "%", NAN, share, err);
}

static int report_loss(const struct comparing *c, const struct tv_match *match,
		       const struct tv_loss *loss, uint32_t rank, struct tv_error *err)
{
	const struct tv_tasks *tasks = match->dag[0]->tasks;
	uint32_t value = tasks->value[match->dag[0]->row[loss->node[0]]];
	struct tv_finding f = tv_finding("lost", "lost", tv_pool_text(tasks->pool, value), NULL,
					 "ms", ms((tv_int128)loss->wait[0] + loss->duration[0]),
					 ms((tv_int128)loss->wait[1] + loss->duration[1]));

	for (int i = 0; i < 2; i++) {
		const struct tv_dag *dag = match->dag[i];
		uint32_t worker = dag->tasks->worker[dag->row[loss->node[i]]];

		f.job[i] = tv_pool_text(dag->tasks->pool, tv_dag_job(dag, loss->node[i]));
		f.worker[i] = tv_pool_text(dag->tasks->pool, dag->tasks->workers[worker].resource);
	}
	f.change = ms(tv_loss_ns(loss));
	f.wait = ms((tv_int128)loss->wait[1] - loss->wait[0]);
	f.duration = ms((tv_int128)loss->duration[1] - loss->duration[0]);
	f.rank = rank;
	return tv_report_add(&c->report, &f, err);
}

static int report_losses(const struct comparing *c, const struct tv_match *match,
			 const struct tv_order *order, struct tv_error *err)
{
	for (uint32_t i = 0; i < order->nlosses && i < LOST; i++)
		if (tv_loss_ns(&order->loss[i]) > 0
		    && report_loss(c, match, &order->loss[i], i + 1, err) < 0)
			return -1;
	return 0;
}

/* ---- a comparison ---- */

static int report_verdict(const struct comparing *c, const struct versus *v,
			  const struct tv_decomposition *d, struct tv_error *err)
{
	const struct tv_finding *makespan = &v->makespan;
	char *text = tv_verdict(&(struct tv_verdict){
		.label = { c->side[0].label, c->side[v->side].label },
		.makespan_ms = { makespan->before, makespan->after },
		.nruns = { c->side[0].n, c->side[v->side].n },
		.ratio = makespan->ratio_over_runs,
		.decomposition = d,
	});
	struct tv_finding f = tv_finding("verdict", text, NULL, NULL, NULL, NAN, NAN);
	int rc = tv_report_add(&c->report, &f, err);

	tv_free(text);
	return rc;
}

static int report_repeats(const struct comparing *c, const struct versus *v, struct tv_error *err)
{
	struct tv_finding f = tv_finding("runs", "repeats", NULL, NULL, "runs",
					 (double)c->side[0].n, (double)c->side[v->side].n);

	return tv_report_add(&c->report, &f, err);
}

static int report_all(const struct comparing *c, const struct versus *v,
		      const struct tv_decomposition *d, const struct tv_shifts *shifts,
		      const struct tv_order *order, struct tv_error *err)
{
	if (report_verdict(c, v, d, err) < 0 || (v->side == 1 && report_side(c, 0, err) < 0)
	    || report_side(c, v->side, err) < 0 || report_repeats(c, v, err) < 0
	    || report_kinds(c, v, TV_MAKESPAN, TV_TASK_COUNT, err) < 0
	    || report_decomposition(c, d, err) < 0
	    || report_kinds(c, v, TV_BOUND, TV_TYPE_IDEAL, err) < 0
	    || report_match(c, shifts, err) < 0)
		return -1;
	for (size_t i = 0; i < order->nmoves; i++)
		if (report_moves(c, &order->moves[i], err) < 0)
			return -1;
	if (report_kinds(c, v, TV_CHAIN_TASK, TV_CHAIN_STEPS, err) < 0)
		return -1;
	if (report_losses(c, &shifts->match, order, err) < 0)
		return -1;
	return tv_report_details(&c->report, c->options->section, shifts, err);
}

static int compare_side(struct comparing *c, size_t side, struct tv_error *err)
{
	struct versus v = { .side = side, .run = { c->shown[0], c->shown[side] } };
	struct tv_decomposition d = { 0 };
	struct tv_shifts shifts = { 0 };
	struct tv_order order = { 0 };
	int rc = tv_repeats_cut(c->side[0].n, c->side[side].n, &v.cut);

	c->report.base = c->side[0].label;
	c->report.run = c->side[side].label;
	/* The makespan comes first among the measures, of every run. */
	if (rc == 0 && find_change(c, &v, c->measures.at, c->first[c->nsides], &v.makespan)
	    && tv_decompose(&d, v.run, c->options->can_run, err) == 0
	    && tv_shifts_init(&shifts, v.run, err) == 0
	    && tv_order_init(&order, &shifts.match, v.run, err) == 0)
		rc = report_all(c, &v, &d, &shifts, &order, err);
	else
		rc = -1;
	tv_order_release(&order);
	tv_shifts_release(&shifts);
	tv_decomposition_release(&d);
	return rc;
}

/* ---- what all comparisons share ---- */

/* A failure of a pass is that of a run. */
static int blame(const char *label, struct tv_error *err)
{
	if (err->status == TV_FAILED && err->file[0] == '\0')
		tv_clean_text(err->file, sizeof err->file, label);
	return -1;
}

static int measure_all(struct comparing *c, struct tv_error *err)
{
	int rc = tv_side_weights_init(&c->weights, c->side, c->nsides, c->options->weights, err);

	for (size_t s = 0; s < c->nsides && rc == 0; s++)
		for (size_t i = 0; i < c->side[s].n && rc == 0; i++) {
			struct tv_run *run = c->side[s].run[i];

			run->weights = c->weights.named ? &c->weights.weights : NULL;
			rc = tv_measure_run(&c->measures, run, c->first[s] + (uint32_t)i,
					    c->options->weights, err);
			run->weights = NULL;
			if (rc < 0)
				blame(c->side[s].label, err);
		}
	tv_measures_sort(&c->measures);
	return rc;
}

static int prepare(struct comparing *c, struct tv_table *out, struct tv_error *err)
{
	size_t most = 0;

	if (c->nsides < 2)
		return tv_fail_usage(err, "nothing to compare with: expected two runs or more");
	c->first = tv_alloc(c->nsides + 1, sizeof *c->first);
	c->shown = tv_alloc(c->nsides, sizeof *c->shown);
	for (size_t s = 0; s < c->nsides; s++) {
		size_t n = c->side[s].n;

		if (n > TV_REPEATS_MAX)
			return tv_fail_usage(err, "%s: %zu repeats, expected at most %d",
					     c->side[s].label, n, TV_REPEATS_MAX);
		c->first[s + 1] = c->first[s] + (uint32_t)n;
		most = n > most ? n : most;
		c->shown[s] = tv_side_median(&c->side[s]);
	}
	c->value = tv_alloc(2 * most, sizeof *c->value);
	c->room = tv_alloc(most * most, sizeof *c->room);
	c->measures.pool = out->pool;
	return tv_report_init(&c->report, out, err);
}

int tv_compare(const struct tv_side *side, size_t nsides, const struct tv_compare_options *options,
	       struct tv_table *out, struct tv_error *err)
{
	struct comparing c = { .side = side, .nsides = nsides, .options = options };
	int rc = prepare(&c, out, err);

	if (rc == 0)
		rc = measure_all(&c, err);
	for (size_t s = 1; s < nsides && rc == 0; s++)
		rc = compare_side(&c, s, err);
	tv_measures_release(&c.measures);
	tv_side_weights_release(&c.weights);
	tv_free(c.first);
	tv_free(c.shown);
	tv_free(c.value);
	tv_free(c.room);
	if (rc == 0)
		tv_table_finish(out);
	return rc;
}
