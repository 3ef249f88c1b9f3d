/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dedicate.c -- would cores dedicated to the progression of communications pay? */
#include <math.h>
#include <string.h>

#include "analysis/core/columns.h"
#include "analysis/mpi/call_profile.h"
#include "analysis/calls/request_list.h"
#include "trace/alloc.h"
#include "trace/text.h"

enum show { SHOW_RANKS, SHOW_TERMS, SHOW_ALPHA };

struct asked {
	enum show show;
	uint64_t cores, dedicated;
	double alpha, compute_factor; /* NaN = not measured */
};
enum { ALPHA_STEPS = 20 };
static const double many_tests = 0.05, many_at_once = 0.1; /* shares that cause a warning */

/* ns; of one rank. */
struct model {
	double run, mpi, compute, other, blocking;
	double count[TV_NCALL_CLASSES], min[TV_NCALL_CLASSES];
	bool min_known[TV_NCALL_CLASSES];
	double unlisted; /* of mpi: calls whose number is not known */
	double factor;	 /* of the computation on the remaining cores */
	uint32_t ncores;
};

struct rank_models {
	struct tv_run *run;
	const struct tv_call_profile *profile;
	struct model *of; /* by rank, from `first` on: before it are all ranks together */
	uint32_t first;
	uint32_t dedicated;
	double alpha;
	struct tv_table *out;
};

/* The sum of a call that starts and one that waits, at their shortest. */
static double progressed(const struct model *m)
{
	return m->min[TV_CALL_START] + m->min[TV_CALL_WAIT];
}

/* Time of a rank with dedicated cores; [Reynier 2022, 6.1.4]. */
static double dedicated(const struct model *m, double alpha)
{
	return m->compute * m->factor + m->count[TV_CALL_START] * m->min[TV_CALL_START]
	     + m->count[TV_CALL_TEST] * m->min[TV_CALL_TEST]
	     + m->count[TV_CALL_WAIT] * m->min[TV_CALL_WAIT]
	     + alpha * m->count[TV_CALL_BLOCKING] * progressed(m) + (1 - alpha) * m->blocking
	     + m->other;
}

/* The share of blocking communication that must become nonblocking for the rank to gain; NaN = no share
 * is enough; 0 = it gains without. */
static double break_even(const struct model *m)
{
	double at0 = dedicated(m, 0), at1 = dedicated(m, 1);

	if (at0 <= m->run)
		return 0;
	return at1 > m->run ? NAN : (at0 - m->run) / (at0 - at1);
}

/* ---- what the model knows ---- */

static void add_sum(struct model *m, const struct tv_call_sum *sum)
{
	bool counted = sum->count != TV_NO_NUMBER;
	enum tv_call_class class = counted ? sum->class : TV_CALL_OTHER;

	if (counted)
		m->count[class] += (double)sum->count;
	else
		m->unlisted += (double)sum->time;
	m->mpi += (double)sum->time;
	if (class == TV_CALL_BLOCKING)
		m->blocking += (double)sum->time;
	if (class == TV_CALL_OTHER)
		m->other += (double)sum->time;
	if (sum->min != TV_NO_NUMBER
	    && (!m->min_known[class] || (double)sum->min < m->min[class])) {
		m->min[class] = (double)sum->min;
		m->min_known[class] = true;
	}
}

static int fill(struct rank_models *w, const struct asked *asked, struct tv_error *err)
{
	const struct tv_call_profile *profile = w->profile;

	for (uint32_t i = 0; i < profile->n; i++)
		if (!tv_call_outside(w->run->trace->pool, &profile->at[i]))
			add_sum(&w->of[profile->at[i].rank], &profile->at[i]);
	for (uint32_t r = w->first; r < profile->nranks; r++) {
		struct model *m = &w->of[r];
		const char *name = tv_pool_text(w->run->trace->pool, profile->rank[r]);

		m->ncores = (uint32_t)asked->cores;
		for (uint32_t i = 0; i < w->run->tasks.nnodes && asked->cores == 0; i++)
			if (w->run->tasks.node[i].label == profile->rank[r])
				m->ncores = w->run->tasks.node[i].nworkers;
		if (m->ncores == 0)
			return tv_fail_usage(err, "dedicate: the trace does not have the number of "
						  "cores of a rank; give --cores N");
		if (m->ncores <= w->dedicated)
			return tv_fail_usage(err,
					     "dedicate: rank %s has %u core%s, expected more than "
					     "the %u of --dedicated: --cores N gives a rank N",
					     name, m->ncores, tv_plural(m->ncores), w->dedicated);
		if (profile->run[r] == TV_NO_NUMBER)
			return tv_fail(err,
				       "dedicate: rank %s has no time of its run (a row of "
				       "callprofile of the Class run)",
				       name);
		m->run = (double)profile->run[r];
		m->compute = m->run - m->mpi;
		m->factor = !isnan(asked->compute_factor)
				  ? asked->compute_factor
				  : (double)m->ncores / (double)(m->ncores - w->dedicated);
	}
	return 0;
}

/* ---- where its hypotheses fail ---- */

/* What the ranks computed in the union of the windows of their requests, and waited. */
static void warn_windows(struct rank_models *w, const struct tv_requests *requests)
{
	struct tv_span *window = tv_alloc(requests->n, sizeof *window);
	uint32_t *of = tv_alloc(requests->n, sizeof *of), few = 0;
	const struct tv_span all = { INT64_MIN, INT64_MAX };
	struct tv_groups groups;
	double several = 0, waited = 0;

	for (uint32_t i = 0; i < requests->n; i++)
		of[i] = requests->at[i].how == TV_REQUEST_COMPLETED ? requests->at[i].rank
								    : TV_NONE;
	tv_groups_init(&groups, of, requests->n, requests->nranks);
	for (uint32_t r = 0; r < requests->nranks; r++) {
		double wait = 0, compute = 0;
		uint32_t n = 0;

		for (uint32_t i = groups.first[r]; i < groups.first[r + 1]; i++) {
			const struct tv_mpi_request *q = &requests->at[groups.row[i]];

			window[n++] = (struct tv_span){ q->begin, q->end };
			wait += (double)(q->call + q->wait);
			several += q->shared > 1 ? (double)q->wait : 0;
			waited += (double)q->wait;
		}
		n = n == 0 ? 0 : tv_spans_merge(window, n, all);
		for (uint32_t i = 0; i < n; i++)
			compute += (double)tv_computing_in(&requests->computation.of[r], window[i]);
		few += compute < wait;
	}
	if (few > 0)
		tv_run_warn(w->run,
			    "on %u of %u ranks less is computed while requests are in flight than "
			    "their calls take: there is not enough to hide them behind, and the "
			    "model is too optimistic",
			    few, requests->nranks);
	if (several > many_at_once * waited)
		tv_run_warn(w->run,
			    "%.0f %% of the time of waits completes several requests at once: "
			    "these progress during the wait, and the model is too optimistic",
			    100 * several / waited);
	tv_groups_release(&groups);
	tv_free(window);
	tv_free(of);
}

static int warn(struct rank_models *w, bool factor_given, struct tv_error *err)
{
	double run = 0, tests = 0, mpi = 0, unlisted = 0;
	bool minima = true;

	for (uint32_t r = w->first; r < w->profile->nranks; r++) {
		const struct model *m = &w->of[r];

		run += m->run;
		mpi += m->mpi;
		unlisted += m->unlisted;
		tests += m->count[TV_CALL_TEST] * m->min[TV_CALL_TEST];
		for (int c = TV_CALL_START; c <= TV_CALL_WAIT; c++)
			minima = minima && (m->count[c] == 0 || m->min_known[c]);
		minima = minima
		      && (w->alpha == 0 || m->count[TV_CALL_BLOCKING] == 0
			  || (m->min_known[TV_CALL_START] && m->min_known[TV_CALL_WAIT]));
	}
	if (tests > many_tests * run)
		tv_run_warn(w->run,
			    "tests take %.0f %% of the time in the model, which keeps their "
			    "number: fewer are needed with a dedicated core, and the model is too "
			    "pessimistic",
			    100 * tests / run);
	if (unlisted > 0)
		tv_run_warn(w->run,
			    "%.0f %% of the time of MPI is in calls that the profile does not list "
			    "by rank: the model keeps it as it is",
			    100 * unlisted / mpi);
	if (!minima)
		tv_run_warn(w->run, "calls without a known shortest duration count as 0");
	if (!factor_given)
		tv_run_warn(w->run, "computation is taken to scale with the number of cores: "
				    "--compute-factor gives what was measured");
	if (tv_run_calls(w->run)->n == 0) {
		tv_run_warn(w->run, "a profile does not show what is computed while requests are "
				    "in flight: record a trace to check it");
	} else {
		const struct tv_requests *requests = tv_run_requests(w->run, "dedicate", err);

		if (requests == NULL)
			return -1;
		warn_windows(w, requests);
	}
	return 0;
}

/* ---- rows ---- */

static int64_t rounded(double ns)
{
	return ns >= 9e18 ? INT64_MAX : (int64_t)llround(ns);
}

#define RANK_COLUMNS(X) \
	X(RANK, "Rank", TV_LABEL, false, "", "rank; `largest` and `mean` of DedicatedTime") \
	X(RUN, "RunTime", TV_TIME, false, "ms", "time of the rank (of `largest`: the largest)") \
	X(MPI, "MpiTime", TV_TIME, false, "ms", "of it: in MPI calls") \
	X(COMPUTE, "ComputeTime", TV_TIME, false, "ms", "the remainder") \
	X(CORES, "Cores", TV_INT, false, "", "cores of the rank") \
	X(DEDICATED, "DedicatedTime", TV_TIME, false, "ms", "predicted time with dedicated cores") \
	X(SPEEDUP, "Speedup", TV_DOUBLE, false, "", "RunTime / DedicatedTime") \
	X(BREAK_EVEN, "BreakEven", TV_DOUBLE, false, "", \
	  "alpha from which on there is a gain; missing: none is enough")

TV_COLUMNS(rank_columns, RANK_COLUMNS)

/* The largest and the mean over the ranks of run and model. */
struct result {
	double run, dedicated, mean_run, mean;
};

static struct result result_of(const struct rank_models *w, double alpha)
{
	struct result all = { 0 };
	double n = w->profile->nranks - w->first;

	for (uint32_t r = w->first; r < w->profile->nranks; r++) {
		double time = dedicated(&w->of[r], alpha);

		all.run = fmax(all.run, w->of[r].run);
		all.dedicated = fmax(all.dedicated, time);
		all.mean_run += w->of[r].run / n;
		all.mean += time / n;
	}
	return all;
}

static void add_result(struct rank_models *w, const char *name, double run, double time,
		       double even)
{
	uint32_t row = tv_table_add_row(w->out);

	tv_set_text(w->out->col[RANK], row, name);
	tv_set_int(w->out->col[RUN], row, rounded(run));
	tv_set_int(w->out->col[DEDICATED], row, rounded(time));
	tv_set_finite(w->out->col[SPEEDUP], row, time > 0 ? run / time : NAN);
	tv_set_finite(w->out->col[BREAK_EVEN], row, even);
}

/* The alpha from which on the largest time is below the largest of the run: that of the ranks that
 * are above it; all terms fall or rise linearly with alpha. */
static double break_even_all(const struct rank_models *w, double run)
{
	double low = 0, high = 1;

	for (uint32_t r = w->first; r < w->profile->nranks; r++) {
		struct model m = w->of[r];
		double at0 = dedicated(&m, 0), at1 = dedicated(&m, 1);

		if (at0 > run && at1 > run)
			return NAN;
		if (at0 > run)
			low = fmax(low, (at0 - run) / (at0 - at1));
		else if (at1 > run)
			high = fmin(high, (run - at0) / (at1 - at0));
	}
	return low <= high ? low : NAN;
}

static void show_ranks(struct rank_models *w)
{
	struct result all = result_of(w, w->alpha);

	tv_add_fields(w->out, rank_columns, TV_COUNT(rank_columns));
	for (uint32_t r = w->first; r < w->profile->nranks; r++) {
		const struct model *m = &w->of[r];
		uint32_t row = w->out->nrows;

		add_result(w, tv_pool_text(w->run->trace->pool, w->profile->rank[r]), m->run,
			   dedicated(m, w->alpha), break_even(m));
		tv_set_int(w->out->col[MPI], row, rounded(m->mpi));
		tv_set_int(w->out->col[COMPUTE], row, rounded(m->compute));
		tv_set_int(w->out->col[CORES], row, m->ncores);
	}
	add_result(w, "largest", all.run, all.dedicated, break_even_all(w, all.run));
	add_result(w, "mean", all.mean_run, all.mean, NAN);
}

#define TERM_COLUMNS(X) \
	X(TERM_RANK, "Rank", TV_LABEL, false, "", "rank") \
	X(TERM, "Term", TV_LABEL, false, "", "term of the model") \
	X(TERM_COUNT, "Factor", TV_DOUBLE, false, "", "calls, or a ratio") \
	X(EACH, "Each", TV_TIME, false, "ms", "what it multiplies") \
	X(TIME, "Time", TV_TIME, false, "ms", "the term") \
	X(FORMULA, "Formula", TV_LABEL, false, "", "how it follows")

TV_COLUMNS(term_columns, TERM_COLUMNS)

static void add_term(struct rank_models *w, uint32_t rank, const char *term, double count,
		     double each, const char *formula)
{
	uint32_t row = tv_table_add_row(w->out);

	tv_set_label(w->out->col[TERM_RANK], row, w->profile->rank[rank]);
	tv_set_text(w->out->col[TERM], row, term);
	tv_set_double(w->out->col[TERM_COUNT], row, count);
	tv_set_int(w->out->col[EACH], row, rounded(each));
	tv_set_int(w->out->col[TIME], row, rounded(count * each));
	tv_set_text(w->out->col[FORMULA], row, formula);
}

static void show_terms(struct rank_models *w)
{
	tv_add_fields(w->out, term_columns, TV_COUNT(term_columns));
	for (uint32_t r = w->first; r < w->profile->nranks; r++) {
		const struct model *m = &w->of[r];

		add_term(w, r, "run", 1, m->run, "measured");
		add_term(w, r, "mpi", 1, m->mpi, "sum of all calls");
		add_term(w, r, "computation", m->factor, m->compute,
			 "(run - mpi) cores / (cores - dedicated)");
		add_term(w, r, "start", m->count[TV_CALL_START], m->min[TV_CALL_START],
			 "calls x shortest");
		add_term(w, r, "test", m->count[TV_CALL_TEST], m->min[TV_CALL_TEST],
			 "calls x shortest");
		add_term(w, r, "wait", m->count[TV_CALL_WAIT], m->min[TV_CALL_WAIT],
			 "calls x shortest");
		add_term(w, r, "progressed blocking", w->alpha * m->count[TV_CALL_BLOCKING],
			 progressed(m), "alpha calls x shortest start + wait");
		add_term(w, r, "blocking", 1 - w->alpha, m->blocking,
			 "(1 - alpha) time of blocking calls");
		add_term(w, r, "other", 1, m->other, "time of other calls");
		add_term(w, r, "dedicated", 1, dedicated(m, w->alpha),
			 "sum from computation to other");
	}
}

#define ALPHA_COLUMNS(X) \
	X(ALPHA, "Alpha", TV_DOUBLE, false, "", \
	  "share of the blocking calls that become nonblocking") \
	X(LARGEST, "DedicatedTime", TV_TIME, false, "ms", "the largest of the ranks") \
	X(MEAN, "MeanTime", TV_TIME, false, "ms", "mean of the ranks") \
	X(ALPHA_SPEEDUP, "Speedup", TV_DOUBLE, false, "", "largest RunTime / DedicatedTime") \
	X(ALPHA_EVEN, "BreakEven", TV_DOUBLE, false, "", \
	  "alpha from which on there is a gain; the same in all rows")

TV_COLUMNS(alpha_columns, ALPHA_COLUMNS)

static void show_alpha(struct rank_models *w)
{
	tv_add_fields(w->out, alpha_columns, TV_COUNT(alpha_columns));
	for (int i = 0; i <= ALPHA_STEPS; i++) {
		double alpha = (double)i / ALPHA_STEPS;
		struct result all = result_of(w, alpha);
		uint32_t row = tv_table_add_row(w->out);

		tv_set_double(w->out->col[ALPHA], row, alpha);
		tv_set_int(w->out->col[LARGEST], row, rounded(all.dedicated));
		tv_set_int(w->out->col[MEAN], row, rounded(all.mean));
		tv_set_finite(w->out->col[ALPHA_SPEEDUP], row,
			      all.dedicated > 0 ? all.run / all.dedicated : NAN);
		tv_set_finite(w->out->col[ALPHA_EVEN], row, break_even_all(w, all.run));
	}
}

static int run_dedicate(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
			struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	static void (*const show[])(struct rank_models *) = {
		[SHOW_RANKS] = show_ranks, [SHOW_TERMS] = show_terms, [SHOW_ALPHA] = show_alpha
	};
	struct rank_models w = { .run = run,
				 .out = out,
				 .profile = tv_run_call_profile(run, "dedicate", err),
				 .dedicated = (uint32_t)asked->dedicated,
				 .alpha = asked->alpha };
	int rc;

	if (w.profile == NULL)
		return -1;
	w.first = w.profile->nranks > 0
	       && strcmp(tv_pool_text(run->trace->pool, w.profile->rank[0]), TV_ALL_RANKS) == 0;
	if (w.first == w.profile->nranks && w.first > 0)
		return tv_fail(err, "dedicate: the profile has sums of all ranks together only, "
				    "expected those of each rank");
	w.of = tv_alloc(w.profile->nranks, sizeof *w.of);
	rc = fill(&w, asked, err);
	if (rc == 0)
		rc = warn(&w, !isnan(asked->compute_factor), err);
	if (rc == 0)
		show[asked->show](&w);
	tv_free(w.of);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "show", "ranks|terms|alpha", "ranks",
	  "times by rank, the terms of the model by rank, or times over alpha", TV_OPTION_CHOICE,
	  TV_ASKED(show) },
	{ "cores", "N", NULL, "cores of each rank (default: its workers)", TV_OPTION_COUNT, 2,
	  1000000, TV_ASKED(cores) },
	{ "dedicated", "N", "1", "cores of each rank that only progress communications",
	  TV_OPTION_COUNT, 1, 1000000, TV_ASKED(dedicated) },
	{ "alpha", "N", "0", "share of the blocking calls that become nonblocking",
	  TV_OPTION_NUMBER, 0, 1, TV_ASKED(alpha) },
	{ "compute-factor", "N", NULL,
	  "how much longer the computation takes on the remaining cores, as measured (default: "
	  "cores / (cores - dedicated))",
	  TV_OPTION_NUMBER, 0.1, 1000, TV_ASKED(compute_factor) },
};

static const struct tv_columns forms[] = { { term_columns, TV_COUNT(term_columns), "--show terms" },
					   { alpha_columns, TV_COUNT(alpha_columns),
					     "--show alpha" } };

const struct tv_pass tv_pass_dedicate = {
	.name = "dedicate",
	.summary = "Predict whether cores dedicated to MPI progression would pay",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_MPI,
	.taskless = true,
	.windowless = true,
	.varies = true,
	.needs = "calls callprofile resources",
	.refuses_tasks = true,
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_FORMS(forms),
	TV_PASS_COLUMNS(rank_columns),
	.notes =
		"DedicatedTime = ComputeTime cores / (cores - dedicated) + starts, tests and "
		"waits,\n"
		"each at its shortest + alpha of the blocking calls at the shortest start and "
		"wait\n"
		"+ (1 - alpha) of the time of blocking calls + time of other calls, of each rank.\n"
		"The result is the largest of the ranks; the mean beside it hides an imbalance.\n"
		"Without calls (a profile) warnings "
		"about the\n"
		"hypotheses of the model are fewer: see docs/passes/dedicate.md.\n"
		"Source: Reynier 2022, 6.1.",
	.example = "traceviz dedicate --cores 16 data/mpi-overlap",
	.run = run_dedicate,
};
