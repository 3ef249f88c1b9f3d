/* SPDX-License-Identifier: GPL-3.0-or-later */
/* overlap_groups.c -- communications of a run in groups: sums of their times, medians of their ratios. */
#include "analysis/mpi/overlap_groups.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/core/columns.h"
#include "analysis/core/statistics.h"
#include "trace/alloc.h"
#include "trace/groups.h"
#include "trace/sorted.h"
#include "trace/text.h"

#define COLUMNS(X) \
	X(BY, "By", TV_LABEL, false, "", "what --by asks for") \
	X(REQUESTS, "Requests", TV_INT, false, "", "requests that completed, and blocking calls") \
	X(RANKS, "Ranks", TV_INT, false, "", "ranks that they are of") \
	X(SUM_CALL, "CallTime", TV_TIME, false, "ms", "sum") \
	X(SUM_COMPUTE, "ComputeTime", TV_TIME, false, "ms", "sum") \
	X(SUM_WORKER, "WorkerTime", TV_TIME, false, "ms", "sum") \
	X(SUM_WAIT, "WaitTime", TV_TIME, false, "ms", "sum") \
	X(SUM_OTHER, "OtherTime", TV_TIME, false, "ms", "sum") \
	X(SUM_MEASURED, "MeasuredTime", TV_TIME, false, "ms", "sum") \
	X(MEAN, "MeanTime", TV_TIME, false, "ms", "mean of MeasuredTime") \
	X(MAX, "MaxTime", TV_TIME, false, "ms", "the largest") \
	X(DURATION, "Duration", TV_TIME, false, "ms", \
	  "of an instance: last end - first begin on any rank") \
	X(POTENTIAL, "PossibleOverlap", TV_DOUBLE, false, "%", \
	  "sum of ComputeTime / sum of MeasuredTime") \
	X(MIN_OVERHEAD, "MinOverhead", TV_DOUBLE, false, "", "min of OverheadRatio") \
	X(MEDIAN_OVERHEAD, "MedianOverhead", TV_DOUBLE, false, "", "its median") \
	X(MAX_OVERHEAD, "MaxOverhead", TV_DOUBLE, false, "", "its max") \
	X(MEDIAN_COMM, "MedianComm", TV_DOUBLE, false, "", "median of CommRatio") \
	X(MEDIAN_SLOWDOWN, "MedianSlowdown", TV_DOUBLE, false, "", "median of ComputeSlowdown") \
	X(DIAGNOSIS, "Diagnosis", TV_LABEL, false, "", "that of the medians")

enum { COLUMNS(TV_COLUMN_ID) };

const struct tv_field tv_overlap_columns[TV_OVERLAP_COLUMNS] = { COLUMNS(TV_COLUMN_ROW) };

struct overlap_groups {
	const struct tv_communications *all;
	struct tv_known_references *known;
	double tolerance;
	struct tv_table *out;
};

static void set_ratio(struct tv_column *to, uint32_t row, double ratio)
{
	if (!isnan(ratio))
		tv_set_double(to, row, ratio);
}

struct group {
	char *text;	/* of By */
	uint64_t order; /* numbers go before texts */
};

/* What a communication belongs to: two numbers that name it, TV_NONE in *a = nothing. */
static bool key_of(struct overlap_groups *w, int by, const struct tv_mpi_request *r, uint64_t *a,
		   uint64_t *b)
{
	int64_t bytes = tv_request_number(w->all->requests, r, TV_CALL_BYTES);

	*b = 0;
	switch (by) {
	case TV_OVERLAP_BY_INSTANCE:
		if (tv_communication_ranks(w->all, r) == 0)
			return false;
		*a = tv_request_label(w->all->requests, r, TV_CALL_COMM);
		*b = (uint64_t)tv_request_number(w->all->requests, r, TV_CALL_SEQUENCE);
		return true;
	case TV_OVERLAP_BY_SIZE:
		*a = bytes <= 0 ? 0 : 64 - (uint64_t)__builtin_clzll((uint64_t)bytes);
		return bytes >= 0;
	case TV_OVERLAP_BY_RANK:
		*a = w->all->requests->rank[r->rank];
		return true;
	case TV_OVERLAP_BY_CALLSITE:
		*a = tv_request_label(w->all->requests, r, TV_CALL_NAME);
		*b = tv_request_label(w->all->requests, r, TV_CALL_SITE);
		return *a != TV_NONE && *b != TV_NONE;
	default:
		*a = tv_request_label(w->all->requests, r, TV_CALL_NAME);
		return *a != TV_NONE;
	}
}

static void name_group(struct overlap_groups *w, int by, uint64_t a, uint64_t b, struct group *to)
{
	const struct tv_pool *pool = w->all->run->trace->pool;

	if (by == TV_OVERLAP_BY_SIZE) {
		to->order = a;
		if (a <= 1)
			to->text = tv_format("%llu", (unsigned long long)a);
		else
			to->text = tv_format("%llu-%llu", 1ull << (a - 1),
					     (1ull << (a - 1)) * 2 - 1);
	} else if (by == TV_OVERLAP_BY_INSTANCE) {
		to->text = tv_format("%s %lld", a == TV_NONE ? "" : tv_pool_text(pool, (uint32_t)a),
				     (long long)b);
	} else if (by == TV_OVERLAP_BY_CALLSITE) {
		to->text = tv_format("%s %s", tv_pool_text(pool, (uint32_t)a),
				     tv_pool_text(pool, (uint32_t)b));
	} else {
		to->text = tv_strdup(tv_pool_text(pool, (uint32_t)a));
	}
}

static int by_group(const void *a, const void *b, void *data)
{
	const struct group *group = data, *x = &group[*(const uint32_t *)a],
			   *y = &group[*(const uint32_t *)b];

	return x->order != y->order ? TV_COMPARE(x->order, y->order)
				    : tv_natural_order(x->text, y->text);
}

/* The median of ratios, those that are known first; NaN without any. */
static double median_of(double *x, uint32_t n, double *min, double *max)
{
	uint32_t m = 0;

	for (uint32_t i = 0; i < n; i++)
		if (!isnan(x[i]))
			x[m++] = x[i];
	*min = *max = NAN;
	if (m == 0)
		return NAN;
	tv_sort_numbers(x, m);
	*min = x[0];
	*max = x[m - 1];
	return tv_quantile(x, m, 0.5);
}

struct total {
	tv_int128 call, compute, workers, wait, other, measured;
	int64_t begin, end, max;
	uint32_t n, nranks;
};

static void write_sums(struct overlap_groups *w, struct tv_column *const *to, uint32_t row,
		       const struct total *t, bool instance)
{
	if (!w->all->requests->links) {
		tv_set_int(to[SUM_CALL], row, tv_sum_ns(t->call));
		tv_set_int(to[SUM_WAIT], row, tv_sum_ns(t->wait));
		tv_set_int(to[SUM_OTHER], row, tv_sum_ns(t->other));
	}
	tv_set_int(to[SUM_COMPUTE], row, tv_sum_ns(t->compute));
	tv_set_int(to[SUM_WORKER], row, tv_sum_ns(t->workers));
	tv_set_int(to[SUM_MEASURED], row, tv_sum_ns(t->measured));
	tv_set_int(to[MEAN], row, tv_sum_ns(t->measured / t->n));
	tv_set_int(to[MAX], row, t->max);
	if (instance)
		tv_set_int(to[DURATION], row, t->end - t->begin);
	if (t->measured > 0)
		tv_set_double(to[POTENTIAL], row, 100 * (double)t->compute / (double)t->measured);
}

static void add_up(struct total *t, const struct tv_mpi_request *r)
{
	int64_t measured = tv_request_measured(r);

	t->call += r->call;
	t->compute += r->compute;
	t->workers += r->workers;
	t->wait += r->wait;
	t->other += tv_request_other(r);
	t->measured += measured;
	t->begin = t->n == 0 || r->begin < t->begin ? r->begin : t->begin;
	t->end = t->n == 0 || r->end > t->end ? r->end : t->end;
	t->max = measured > t->max ? measured : t->max;
	t->n++;
}

/* ratio: room for three times the requests of the group; seen: by rank, the last group + 1. */
static void write_group(struct overlap_groups *w, const uint32_t *request, uint32_t n, int by,
			const struct group *group, double *ratio, uint32_t *seen, uint32_t mark)
{
	struct tv_column *const *to = w->out->col;
	uint32_t row = tv_table_add_row(w->out);
	struct total t = { 0 };
	struct tv_ratios medians = { 0 };
	double min, max, unused[2];

	for (uint32_t i = 0; i < n; i++) {
		const struct tv_mpi_request *r = &w->all->at[request[i]];
		struct tv_reference reference;
		struct tv_ratios ratios = tv_known_ratios(w->known, request[i], &reference);

		add_up(&t, r);
		t.nranks += seen[r->rank] != mark;
		seen[r->rank] = mark;
		ratio[i] = ratios.overhead;
		ratio[n + i] = ratios.comm;
		ratio[2 * (size_t)n + i] = ratios.slowdown;
	}
	tv_set_text(to[BY], row, group->text);
	tv_set_int(to[REQUESTS], row, n);
	tv_set_int(to[RANKS], row, t.nranks);
	write_sums(w, to, row, &t, by == TV_OVERLAP_BY_INSTANCE);
	medians.overhead = median_of(ratio, n, &min, &max);
	medians.comm = median_of(ratio + n, n, &unused[0], &unused[1]);
	medians.slowdown = median_of(ratio + 2 * (size_t)n, n, &unused[0], &unused[1]);
	set_ratio(to[MIN_OVERHEAD], row, min);
	set_ratio(to[MEDIAN_OVERHEAD], row, medians.overhead);
	set_ratio(to[MAX_OVERHEAD], row, max);
	set_ratio(to[MEDIAN_COMM], row, medians.comm);
	set_ratio(to[MEDIAN_SLOWDOWN], row, medians.slowdown);
	tv_set_text(to[DIAGNOSIS], row, tv_diagnosis(&medians, w->tolerance));
}

static void list_groups(struct overlap_groups *w, int by)
{
	const struct tv_requests *requests = w->all->requests;
	uint32_t n_all = w->all->n, *of = tv_alloc(n_all, sizeof *of), *order = NULL, *seen, max;
	struct group *group = NULL;
	struct tv_groups groups;
	struct tv_map place = { 0 };
	size_t n = 0, cap = 0;
	double *ratio;

	tv_add_fields(w->out, tv_overlap_columns, TV_OVERLAP_COLUMNS);
	for (uint32_t i = 0; i < n_all; i++) {
		const struct tv_mpi_request *r = &w->all->at[i];
		uint64_t a, b;
		uint32_t *at;

		of[i] = TV_NONE;
		if (r->how != TV_REQUEST_COMPLETED || !tv_request_seen(requests, r, w->all->run)
		    || !key_of(w, by, r, &a, &b))
			continue;
		at = tv_map_at(&place, a, b);
		if (*at == TV_NONE) {
			TV_GROW(group, n, cap, 1);
			group[n] = (struct group){ .order = 0 };
			name_group(w, by, a, b, &group[n]);
			*at = (uint32_t)n++;
		}
		of[i] = *at;
	}
	tv_groups_init(&groups, of, n_all, (uint32_t)n);
	max = tv_groups_max(&groups);
	order = tv_alloc(n, sizeof *order);
	for (uint32_t g = 0; g < n; g++)
		order[g] = g;
	if (n > 1)
		qsort_r(order, n, sizeof *order, by_group, group);
	ratio = tv_alloc((size_t)max * 3, sizeof *ratio);
	seen = tv_alloc(requests->nranks, sizeof *seen);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t g = order[i], first = groups.first[g];

		write_group(w, groups.row + first, groups.first[g + 1] - first, by, &group[g],
			    ratio, seen, i + 1);
	}
	tv_groups_release(&groups);
	tv_map_release(&place);
	tv_free(ratio);
	tv_free(seen);
	tv_free(order);
	for (size_t i = 0; i < n; i++)
		tv_free(group[i].text);
	tv_free(group);
	tv_free(of);
}

void tv_overlap_groups(struct tv_known_references *known, enum tv_overlap_by by, double tolerance,
		       struct tv_table *out)
{
	struct overlap_groups w = {
		.all = known->of, .known = known, .tolerance = tolerance, .out = out
	};

	list_groups(&w, by);
}
