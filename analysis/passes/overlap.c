/* SPDX-License-Identifier: GPL-3.0-or-later */
/* overlap.c -- whether nonblocking communications overlap with computation, and why not. */
#include "analysis/shared/overlap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "analysis/shared/columns.h"
#include "analysis/shared/requests.h"
#include "analysis/shared/statistics.h"
#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/text.h"

enum { BY_REQUEST, BY_INSTANCE, BY_CALLSITE, BY_COLLECTIVE, BY_SIZE, BY_RANK, BY_REFERENCE };

/* ---- columns ---- */

enum {
	RANK,
	REQUEST,
	CALL,
	SITE,
	COMM,
	SEQUENCE,
	RANKS,
	BYTES,
	START,
	CALL_TIME,
	COMPUTE,
	WORKER,
	WAIT,
	OTHER,
	MEASURED,
	SHARED,
	POTENTIAL,
	COMM_REFERENCE,
	COMPUTE_REFERENCE,
	OVERHEAD,
	COMM_RATIO,
	SLOWDOWN,
	IMPACT,
	OSU,
	IMB,
	DIAGNOSIS,
	FLAG,
	NCOLUMNS
};

static const struct tv_field columns[NCOLUMNS] = {
	[RANK] = { "Rank", TV_LABEL, false, "", "rank of the request" },
	[REQUEST] = { "Request", TV_LABEL, false, "", "its name; of a message its key" },
	[CALL] = { "Call", TV_LABEL, false, "", "function that starts it" },
	[SITE] = { "Site", TV_LABEL, false, "", "place in the program that starts it" },
	[COMM] = { "Comm", TV_LABEL, false, "", "communicator" },
	[SEQUENCE] = { "Sequence", TV_INT, false, "", "number of the collective operation" },
	[RANKS] = { "Ranks", TV_INT, false, "", "ranks that take part in it, as far as traced" },
	[BYTES] = { "Bytes", TV_INT, false, "bytes", "data" },
	[START] = { "Start", TV_TIME, false, "ms", "begin of the call that starts it" },
	[CALL_TIME] = { "CallTime", TV_TIME, false, "ms", "duration of the call that starts it" },
	[COMPUTE] = { "ComputeTime", TV_TIME, false, "ms",
		      "when the rank computed in its window, on any worker" },
	[WORKER] = { "WorkerTime", TV_TIME, false, "ms", "the sum over the workers" },
	[WAIT] = { "WaitTime", TV_TIME, false, "ms",
		   "its share of the calls that tested or waited for it" },
	[OTHER] = { "OtherTime", TV_TIME, false, "ms", "the remainder of MeasuredTime" },
	[MEASURED] = { "MeasuredTime", TV_TIME, false, "ms",
		       "from begin of its first to end of its last call" },
	[SHARED] = { "Shared", TV_INT, false, "", "requests that its last call completed" },
	[POTENTIAL] = { "Potential", TV_DOUBLE, false, "%",
			"ComputeTime / MeasuredTime: no larger share can be hidden" },
	[COMM_REFERENCE] = { "CommReference", TV_TIME, false, "ms",
			     "the communication without computation" },
	[COMPUTE_REFERENCE] = { "ComputeReference", TV_TIME, false, "ms",
				"the computation without communication" },
	[OVERHEAD] = { "OverheadRatio", TV_DOUBLE, false, "",
		       "0 = perfect overlap, 1 = one after the other" },
	[COMM_RATIO] = { "CommRatio", TV_DOUBLE, false, "",
			 "(CallTime + WaitTime) / CommReference; 0 = hidden" },
	[SLOWDOWN] = { "ComputeSlowdown", TV_DOUBLE, false, "", "ComputeTime / ComputeReference" },
	[IMPACT] = { "MpiImpact", TV_DOUBLE, false, "", "PassiveReference / ComputeReference" },
	[OSU] = { "OsuOverlap", TV_DOUBLE, false, "%", "overlap as OSU-NBC defines it" },
	[IMB] = { "ImbOverlap", TV_DOUBLE, false, "%", "overlap as IMB-NBC defines it" },
	[DIAGNOSIS] = { "Diagnosis", TV_LABEL, false, "", "see below" },
	[FLAG] = { "Flag", TV_LABEL, false, "",
		   "open = never completed; freed = given back before" },
};

enum { BY, REQUESTS, GROUP_RANKS, NKEYS };
static const struct tv_field keys[NKEYS] = {
	[BY] = { "By", TV_LABEL, false, "", "what --by asks for" },
	[REQUESTS] = { "Requests", TV_INT, false, "", "requests that completed" },
	[GROUP_RANKS] = { "Ranks", TV_INT, false, "", "ranks that they are of" },
};

enum {
	SUM_CALL,
	SUM_COMPUTE,
	SUM_WORKER,
	SUM_WAIT,
	SUM_OTHER,
	SUM_MEASURED,
	MEAN,
	MAX,
	DURATION,
	GROUP_POTENTIAL,
	MIN_OVERHEAD,
	MEDIAN_OVERHEAD,
	MAX_OVERHEAD,
	MEDIAN_COMM,
	MEDIAN_SLOWDOWN,
	GROUP_DIAGNOSIS,
	NSUMS
};
static const struct tv_field sums[NSUMS] = {
	[SUM_CALL] = { "CallTime", TV_TIME, false, "ms", "sums of these times" },
	[SUM_COMPUTE] = { "ComputeTime", TV_TIME, false, "ms", "" },
	[SUM_WORKER] = { "WorkerTime", TV_TIME, false, "ms", "" },
	[SUM_WAIT] = { "WaitTime", TV_TIME, false, "ms", "" },
	[SUM_OTHER] = { "OtherTime", TV_TIME, false, "ms", "" },
	[SUM_MEASURED] = { "MeasuredTime", TV_TIME, false, "ms", "" },
	[MEAN] = { "MeanTime", TV_TIME, false, "ms", "mean of MeasuredTime" },
	[MAX] = { "MaxTime", TV_TIME, false, "ms", "the largest" },
	[DURATION] = { "Duration", TV_TIME, false, "ms",
		       "of an instance: last end - first begin on any rank" },
	[GROUP_POTENTIAL] = { "Potential", TV_DOUBLE, false, "%",
			      "sum of ComputeTime / sum of MeasuredTime" },
	[MIN_OVERHEAD] = { "MinOverhead", TV_DOUBLE, false, "", "OverheadRatio of the requests" },
	[MEDIAN_OVERHEAD] = { "MedianOverhead", TV_DOUBLE, false, "", "" },
	[MAX_OVERHEAD] = { "MaxOverhead", TV_DOUBLE, false, "", "" },
	[MEDIAN_COMM] = { "MedianComm", TV_DOUBLE, false, "", "CommRatio" },
	[MEDIAN_SLOWDOWN] = { "MedianSlowdown", TV_DOUBLE, false, "", "ComputeSlowdown" },
	[GROUP_DIAGNOSIS] = { "Diagnosis", TV_LABEL, false, "", "that of the medians" },
};

enum { REF_CALL, REF_BYTES, REF_RANKS, REF_REQUESTS, REF_COMM, NREFERENCES };
static const struct tv_field reference_fields[NREFERENCES] = {
	[REF_CALL] = { "Call", TV_LABEL, false, "", "function" },
	[REF_BYTES] = { "Bytes", TV_INT, false, "bytes", "data" },
	[REF_RANKS] = { "Ranks", TV_INT, false, "", "of a collective operation" },
	[REF_REQUESTS] = { "Requests", TV_INT, false, "", "completed, with an empty window" },
	[REF_COMM] = { "CommReference", TV_TIME, false, "ms",
		       "--by reference: median of their MeasuredTime" },
};

struct work {
	struct tv_run *run;
	const struct tv_requests *requests;
	struct tv_references references;
	struct tv_map found; /* call and site, bytes and ranks: place in `value` */
	struct tv_reference *value;
	size_t nvalues, values_cap;
	struct tv_map instance; /* communicator, number: place in `size` */
	uint32_t *size;		/* ranks in it */
	size_t ninstances, instances_cap;
	double tolerance;
	struct tv_table *out;
	struct work *asks; /* that whose references this run has */
};

/* ---- instances of collective operations ---- */

static uint32_t *instance_of(struct work *w, const struct tv_mpi_request *r)
{
	int64_t sequence = tv_request_number(w->requests, r, TV_CALL_SEQUENCE);

	if (sequence == TV_NO_NUMBER)
		return NULL;
	return tv_map_at(&w->instance, tv_request_label(w->requests, r, TV_CALL_COMM),
			 (uint64_t)sequence);
}

static void count_ranks(struct work *w)
{
	for (uint32_t i = 0; i < w->requests->n; i++) {
		uint32_t *at = instance_of(w, &w->requests->at[i]);

		if (at == NULL)
			continue;
		if (*at == TV_NONE) {
			TV_GROW(w->size, w->ninstances, w->instances_cap, 1);
			w->size[w->ninstances] = 0;
			*at = (uint32_t)w->ninstances++;
		}
		w->size[*at]++;
	}
}

/* ---- references ---- */

static struct tv_reference reference_of(struct work *w, const struct tv_mpi_request *r)
{
	const uint32_t *instance = instance_of(w, r);
	struct tv_reference_key key = {
		.call = tv_request_label(w->requests, r, TV_CALL_NAME),
		.site = tv_request_label(w->requests, r, TV_CALL_SITE),
		.bytes = tv_request_number(w->requests, r, TV_CALL_BYTES),
		.ranks = instance == NULL ? -1 : (int64_t)w->size[*instance],
	};
	bool fits = key.bytes < (int64_t)1 << 40 && key.ranks < 1 << 20;
	uint32_t *at;

	if (w->references.n == 0)
		return (struct tv_reference){ -1, -1, -1 };
	if (!fits)
		return tv_references_find(&w->references, &key);
	key.bytes = key.bytes < 0 ? -1 : key.bytes;
	at = tv_map_at(&w->found, (uint64_t)key.call << 32 | key.site,
		       (uint64_t)(key.bytes + 1) << 21 | (uint64_t)(key.ranks + 1));
	if (*at == TV_NONE) {
		TV_GROW(w->value, w->nvalues, w->values_cap, 1);
		w->value[w->nvalues] = tv_references_find(&w->references, &key);
		*at = (uint32_t)w->nvalues++;
	}
	return w->value[*at];
}

static struct tv_ratios ratios_of(struct work *w, const struct tv_mpi_request *r,
				  struct tv_reference *reference)
{
	const struct tv_overlap_times m = {
		.measured = r->how == TV_REQUEST_COMPLETED ? tv_request_measured(r) : -1,
		.call_wait = w->requests->links || r->how != TV_REQUEST_COMPLETED
				   ? -1
				   : r->call + r->wait,
		.compute = r->how == TV_REQUEST_COMPLETED ? r->compute : -1,
	};

	*reference = reference_of(w, r);
	return tv_ratios(&m, reference);
}

static void set_ratio(struct tv_column *to, uint32_t row, double ratio)
{
	if (!isnan(ratio))
		tv_set_double(to, row, ratio);
}

static double share(int64_t part, int64_t all)
{
	return all > 0 ? 100 * (double)part / (double)all : NAN;
}

static void set_number(struct tv_column *to, uint32_t row, int64_t number)
{
	if (number != TV_NO_NUMBER)
		tv_set_int(to, row, number);
}

/* ---- one row per request ---- */

static void write_ratios(struct tv_column *const *to, uint32_t row, const struct tv_ratios *ratios,
			 double tolerance)
{
	set_ratio(to[OVERHEAD], row, ratios->overhead);
	set_ratio(to[COMM_RATIO], row, ratios->comm);
	set_ratio(to[SLOWDOWN], row, ratios->slowdown);
	set_ratio(to[IMPACT], row, ratios->mpi_impact);
	set_ratio(to[OSU], row, ratios->osu);
	set_ratio(to[IMB], row, ratios->imb);
	tv_set_text(to[DIAGNOSIS], row, tv_diagnosis(ratios, tolerance));
}

static void write_times(struct work *w, const struct tv_mpi_request *r, struct tv_column *const *to,
			uint32_t row)
{
	struct tv_reference reference;
	struct tv_ratios ratios = ratios_of(w, r, &reference);

	if (!w->requests->links)
		tv_set_int(to[CALL_TIME], row, r->call);
	tv_set_text(to[FLAG], row, tv_request_flag(r));
	if (r->how != TV_REQUEST_COMPLETED)
		return;
	tv_set_int(to[COMPUTE], row, r->compute);
	tv_set_int(to[WORKER], row, r->workers);
	tv_set_int(to[MEASURED], row, tv_request_measured(r));
	set_ratio(to[POTENTIAL], row, share(r->compute, tv_request_measured(r)));
	if (!w->requests->links) {
		tv_set_int(to[WAIT], row, r->wait);
		tv_set_int(to[OTHER], row, tv_request_other(r));
		tv_set_int(to[SHARED], row, r->shared);
	}
	if (reference.comm >= 0)
		tv_set_int(to[COMM_REFERENCE], row, reference.comm);
	if (reference.compute >= 0)
		tv_set_int(to[COMPUTE_REFERENCE], row, reference.compute);
	write_ratios(to, row, &ratios, w->tolerance);
}

static void list_requests(struct work *w)
{
	const struct tv_requests *requests = w->requests;

	tv_add_fields(w->out, columns, NCOLUMNS);
	for (uint32_t i = 0; i < requests->n; i++) {
		const struct tv_mpi_request *r = &requests->at[i];
		const uint32_t *instance = instance_of(w, r);
		struct tv_column *const *to = w->out->col;
		uint32_t row;

		if (!tv_request_seen(requests, r, w->run))
			continue;
		row = tv_table_add_row(w->out);
		tv_set_label(to[RANK], row, requests->rank[r->rank]);
		tv_set_label(to[REQUEST], row, r->name);
		tv_set_label(to[CALL], row, tv_request_label(requests, r, TV_CALL_NAME));
		tv_set_label(to[SITE], row, tv_request_label(requests, r, TV_CALL_SITE));
		tv_set_label(to[COMM], row, tv_request_label(requests, r, TV_CALL_COMM));
		set_number(to[SEQUENCE], row, tv_request_number(requests, r, TV_CALL_SEQUENCE));
		if (instance != NULL)
			tv_set_int(to[RANKS], row, w->size[*instance]);
		set_number(to[BYTES], row, tv_request_number(requests, r, TV_CALL_BYTES));
		tv_set_int(to[START], row, r->begin);
		write_times(w, r, to, row);
	}
}

/* Rows of benchmarks instead of requests. */
static void list_benchmarks(struct work *w)
{
	const struct tv_table *table = &w->run->trace->table[TV_BENCHMARKS];
	const struct tv_column *call = tv_table_find(table, "Call"),
			       *ranks = tv_table_find(table, "Ranks"),
			       *bytes = tv_table_find(table, "Bytes"),
			       *measured = tv_table_find(table, "MeasuredTime"),
			       *compute = tv_table_find(table, "ComputeReference"),
			       *comm = tv_table_find(table, "CommReference");

	tv_add_fields(w->out, columns, NCOLUMNS);
	for (uint32_t i = 0; i < table->nrows; i++) {
		const struct tv_overlap_times m = { measured->i[i], -1, -1 };
		const struct tv_reference reference = { comm->i[i], compute->i[i], -1 };
		const struct tv_ratios ratios = tv_ratios(&m, &reference);
		struct tv_column *const *to = w->out->col;
		uint32_t row = tv_table_add_row(w->out);

		if (call != NULL)
			tv_set_label(to[CALL], row, tv_label(call, i));
		if (ranks != NULL)
			tv_copy_cell(to[RANKS], row, ranks, i);
		tv_copy_cell(to[BYTES], row, bytes, i);
		tv_copy_cell(to[MEASURED], row, measured, i);
		tv_copy_cell(to[COMM_REFERENCE], row, comm, i);
		tv_copy_cell(to[COMPUTE_REFERENCE], row, compute, i);
		write_ratios(to, row, &ratios, w->tolerance);
	}
}

/* ---- one row per group ---- */

struct group {
	char text[160]; /* of By */
	uint64_t order; /* numbers go before texts */
};

/* What a request belongs to: two numbers that name it, TV_NONE in *a = nothing. */
static bool key_of(struct work *w, int by, const struct tv_mpi_request *r, uint64_t *a, uint64_t *b)
{
	int64_t bytes = tv_request_number(w->requests, r, TV_CALL_BYTES);

	*b = 0;
	switch (by) {
	case BY_INSTANCE:
		if (instance_of(w, r) == NULL)
			return false;
		*a = tv_request_label(w->requests, r, TV_CALL_COMM);
		*b = (uint64_t)tv_request_number(w->requests, r, TV_CALL_SEQUENCE);
		return true;
	case BY_SIZE:
		*a = bytes <= 0 ? 0 : 64 - (uint64_t)__builtin_clzll((uint64_t)bytes);
		return bytes >= 0;
	case BY_RANK:
		*a = w->requests->rank[r->rank];
		return true;
	default:
		*a = tv_request_label(w->requests, r,
				      by == BY_CALLSITE ? TV_CALL_SITE : TV_CALL_NAME);
		return *a != TV_NONE;
	}
}

static void name_group(struct work *w, int by, uint64_t a, uint64_t b, struct group *to)
{
	const struct tv_pool *pool = w->run->trace->pool;

	if (by == BY_SIZE) {
		to->order = a;
		if (a <= 1)
			snprintf(to->text, sizeof to->text, "%llu", (unsigned long long)a);
		else
			snprintf(to->text, sizeof to->text, "%llu-%llu", 1ull << (a - 1),
				 (1ull << (a - 1)) * 2 - 1);
	} else if (by == BY_INSTANCE) {
		snprintf(to->text, sizeof to->text, "%.100s %lld",
			 a == TV_NONE ? "" : tv_pool_text(pool, (uint32_t)a), (long long)b);
	} else {
		snprintf(to->text, sizeof to->text, "%.150s", tv_pool_text(pool, (uint32_t)a));
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

static void write_sums(struct work *w, struct tv_column *const *to, uint32_t row,
		       const struct total *t, bool instance)
{
	if (!w->requests->links) {
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
	set_ratio(to[GROUP_POTENTIAL], row, share(tv_sum_ns(t->compute), tv_sum_ns(t->measured)));
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
static void write_group(struct work *w, const uint32_t *request, uint32_t n, int by,
			const struct group *group, double *ratio, uint32_t *seen, uint32_t mark)
{
	struct tv_column *const *to = w->out->col;
	uint32_t row = tv_table_add_row(w->out);
	struct total t = { 0 };
	struct tv_ratios medians = { 0 };
	double min, max, unused[2];

	for (uint32_t i = 0; i < n; i++) {
		const struct tv_mpi_request *r = &w->requests->at[request[i]];
		struct tv_reference reference;
		struct tv_ratios ratios = ratios_of(w, r, &reference);

		add_up(&t, r);
		t.nranks += seen[r->rank] != mark;
		seen[r->rank] = mark;
		ratio[i] = ratios.overhead;
		ratio[n + i] = ratios.comm;
		ratio[2 * (size_t)n + i] = ratios.slowdown;
	}
	tv_set_text(to[BY], row, group->text);
	tv_set_int(to[REQUESTS], row, n);
	tv_set_int(to[GROUP_RANKS], row, t.nranks);
	to += NKEYS;
	write_sums(w, to, row, &t, by == BY_INSTANCE);
	medians.overhead = median_of(ratio, n, &min, &max);
	medians.comm = median_of(ratio + n, n, &unused[0], &unused[1]);
	medians.slowdown = median_of(ratio + 2 * (size_t)n, n, &unused[0], &unused[1]);
	set_ratio(to[MIN_OVERHEAD], row, min);
	set_ratio(to[MEDIAN_OVERHEAD], row, medians.overhead);
	set_ratio(to[MAX_OVERHEAD], row, max);
	set_ratio(to[MEDIAN_COMM], row, medians.comm);
	set_ratio(to[MEDIAN_SLOWDOWN], row, medians.slowdown);
	tv_set_text(to[GROUP_DIAGNOSIS], row, tv_diagnosis(&medians, w->tolerance));
}

static void list_groups(struct work *w, int by)
{
	const struct tv_requests *requests = w->requests;
	uint32_t *of = tv_alloc(requests->n, sizeof *of), *order = NULL, *seen, max;
	struct group *group = NULL;
	struct tv_groups groups;
	struct tv_map place = { 0 };
	size_t n = 0, cap = 0;
	double *ratio;

	tv_add_fields(w->out, keys, NKEYS);
	tv_add_fields(w->out, sums, NSUMS);
	for (uint32_t i = 0; i < requests->n; i++) {
		const struct tv_mpi_request *r = &requests->at[i];
		uint64_t a, b;
		uint32_t *at;

		of[i] = TV_NONE;
		if (r->how != TV_REQUEST_COMPLETED || !tv_request_seen(requests, r, w->run)
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
	tv_groups_init(&groups, of, requests->n, (uint32_t)n);
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
	tv_free(group);
	tv_free(of);
}

/* ---- references of other runs ---- */

/* A request that nothing was computed during. */
struct alone {
	const char *call;
	uint32_t label;
	int64_t bytes, ranks; /* TV_NO_NUMBER; -1 = missing */
	int64_t time;
};

static int by_kind(const void *a, const void *b)
{
	const struct alone *x = a, *y = b;
	int order = tv_natural_order(x->call, y->call);

	return order != 0	    ? order
	     : x->bytes != y->bytes ? TV_COMPARE(x->bytes, y->bytes)
				    : TV_COMPARE(x->ranks, y->ranks);
}

static int by_kind_and_time(const void *a, const void *b)
{
	const struct alone *x = a, *y = b;
	int order = by_kind(a, b);

	return order != 0 ? order : TV_COMPARE(x->time, y->time);
}

/* n > 0 requests of one kind, by time. */
static int64_t median_time(const struct alone *first, size_t n)
{
	int64_t low = first[(n - 1) / 2].time, high = first[n / 2].time;

	return low + (high - low) / 2;
}

static void write_reference(struct work *w, const struct alone *first, size_t n)
{
	struct tv_column *const *to = w->out->col;
	uint32_t row = tv_table_add_row(w->out);

	tv_set_label(to[REF_CALL], row, first->label);
	set_number(to[REF_BYTES], row, first->bytes);
	if (first->ranks >= 0)
		tv_set_int(to[REF_RANKS], row, first->ranks);
	tv_set_int(to[REF_REQUESTS], row, (int64_t)n);
	tv_set_int(to[REF_COMM], row, median_time(first, n));
}

static void keep_reference(struct work *w, const struct alone *first, size_t n)
{
	struct tv_references *to = &w->asks->references;

	TV_GROW(to->row, to->n, to->cap, 1);
	to->row[to->n++] = (struct tv_reference_row){
		.key = { .call = tv_intern_text(w->asks->run->trace->pool, first->call),
			 .site = TV_NONE,
			 .bytes = first->bytes < 0 ? -1 : first->bytes,
			 .ranks = first->ranks },
		.value = { median_time(first, n), -1, -1 },
	};
}

static void each_reference(struct work *w,
			   void (*use)(struct work *w, const struct alone *first, size_t n))
{
	const struct tv_requests *requests = w->requests;
	struct alone *at = tv_alloc(requests->n, sizeof *at);
	size_t n = 0;

	for (uint32_t i = 0; i < requests->n; i++) {
		const struct tv_mpi_request *r = &requests->at[i];
		const uint32_t *instance = instance_of(w, r);
		uint32_t label = tv_request_label(requests, r, TV_CALL_NAME);

		if (r->how != TV_REQUEST_COMPLETED || label == TV_NONE || requests->links
		    || !tv_request_seen(requests, r, w->run)
		    || (double)r->compute > w->tolerance * (double)tv_request_measured(r))
			continue;
		at[n++] = (struct alone){ tv_pool_text(w->run->trace->pool, label), label,
					  tv_request_number(requests, r, TV_CALL_BYTES),
					  instance == NULL ? -1 : (int64_t)w->size[*instance],
					  tv_request_measured(r) };
	}
	if (n > 1)
		qsort(at, n, sizeof *at, by_kind_and_time);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && by_kind(&at[i], &at[end]) == 0;)
			end++;
		use(w, &at[i], end - i);
	}
	tv_free(at);
}

static void release(struct work *w)
{
	tv_references_release(&w->references);
	tv_map_release(&w->found);
	tv_map_release(&w->instance);
	tv_free(w->value);
	tv_free(w->size);
}

/* The references that another run has. */
static int take_references(struct work *w, const char *path, struct tv_error *err)
{
	const struct tv_loader *loader = &w->run->loader;
	struct tv_trace trace = { 0 };
	struct tv_run run = { 0 };
	struct work other = { .run = &run, .tolerance = w->tolerance, .asks = w };
	int rc;

	if (loader->load == NULL)
		return tv_fail_at(err, (struct tv_pos){ path, 0 }, "expected a CSV of references");
	rc = loader->load(loader->context, path, &trace, err);
	if (rc == 0) {
		tv_run_init(&run, &trace, w->run->kinds);
		other.requests = tv_run_requests(&run, "overlap --reference", err);
		rc = other.requests == NULL ? -1 : 0;
	}
	if (rc == 0) {
		count_ranks(&other);
		each_reference(&other, keep_reference);
		if (w->references.n == 0)
			rc = tv_fail_at(err, (struct tv_pos){ path, 0 },
					"no request without computation in its window");
	}
	release(&other);
	tv_run_release(&run);
	tv_trace_release(&trace);
	return rc;
}

static int read_references(struct work *w, const char *path, struct tv_error *err)
{
	struct stat st;

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return take_references(w, path, err);
	return tv_references_read(&w->references, path, w->run->trace->pool, err);
}

static int run_overlap(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		       struct tv_error *err)
{
	const char *reference = tv_option(options, "reference");
	int by = tv_option_choice(options, "by"), rc = 0;
	struct work w = { .run = run,
			  .out = out,
			  .tolerance = tv_option_number(options, "tolerance", 0.1) };

	if (by == BY_REQUEST && run->trace->table[TV_BENCHMARKS].nrows > 0) {
		list_benchmarks(&w);
		return 0;
	}
	w.requests = tv_run_requests(run, "overlap", err);
	if (w.requests == NULL)
		return -1;
	if (reference != NULL)
		rc = read_references(&w, reference, err);
	if (rc == 0) {
		count_ranks(&w);
		if (by == BY_REQUEST)
			list_requests(&w);
		else if (by != BY_REFERENCE)
			list_groups(&w, by);
		else {
			tv_add_fields(out, reference_fields, NREFERENCES);
			each_reference(&w, write_reference);
		}
	}
	release(&w);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "by", "request|instance|callsite|collective|size|rank|reference", "request",
	  "a row for each request, collective operation (all its ranks), place in the program, "
	  "function, size class (powers of 2) or rank; reference: what --reference needs of "
	  "another run",
	  TV_OPTION_CHOICE },
	{ "reference", "FILE|RUN", NULL,
	  "CSV with the times of communications and computations alone (see below), or the folder "
	  "of "
	  "a run that has them, as --by reference lists them" },
	{ "tolerance", "N", "0.1", "how far from 0 and 1 a ratio of a diagnosis may be",
	  TV_OPTION_NUMBER, 0, 0.5 },
};

const struct tv_pass tv_pass_overlap = {
	.name = "overlap",
	.summary = "Overlap of nonblocking MPI communication with computation, and why not",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_MPI,
	.ranked = "MeasuredTime",
	.taskless = true,
	.sums = true,
	.varies = true,
	.needs = "calls links benchmarks resources",
	TV_PASS_OPTIONS(options),
	TV_PASS_COLUMNS(columns),
	.notes =
		"With --by another than request a row for each By: Requests, Ranks (that have "
		"some),\n"
		"sums of the times, MeanTime and MaxTime (of MeasuredTime), Duration (of an\n"
		"instance: last end - first begin on any rank), Potential, MinOverhead,\n"
		"MedianOverhead, MaxOverhead, MedianComm, MedianSlowdown (of the ratios of its\n"
		"requests), Diagnosis (of the medians).\n"
		"reference: Call, Bytes, Ranks (of a collective operation), Requests,\n"
		"CommReference: the median of MeasuredTime of the requests without computation in\n"
		"their window (at most the tolerance x MeasuredTime).\n"
		"The window of a request is from the end of the call that starts it to the begin "
		"of\n"
		"the call that completes it, without those that tested or waited in vain.\n"
		"MeasuredTime = CallTime + ComputeTime + WaitTime + OtherTime. ComputeTime is time "
		"of\n"
		"tasks (those counted) outside MPI calls; in a trace without tasks time outside of "
		"MPI.\n"
		"OverheadRatio = (MeasuredTime - max) / min of CommReference and "
		"ComputeReference.\n"
		"OsuOverlap = 100 max(0, 1 - (MeasuredTime - ComputeReference) / CommReference);\n"
		"ImbOverlap = 100 (CommReference + ComputeReference - MeasuredTime) / max of "
		"both.\n"
		"Diagnosis, with the tolerance t: imprecise references (OverheadRatio < -t), good\n"
		"(CommRatio <= t), computation slowed (the same, ComputeSlowdown > 1 + t), no\n"
		"progression (CommRatio >= 1 - t), contention (the same, ComputeSlowdown > 1 + "
		"t),\n"
		"partial (any other). Ratios need --reference: a CSV with CommReference and\n"
		"ComputeReference (also PassiveReference, the computation in a program that only\n"
		"initializes MPI), in ms, and any of Call, Site, Bytes, Ranks to choose requests; "
		"the\n"
		"first row that fits holds. Nothing is guessed without it.\n"
		"Source: Reynier 2022, (4.1)-(4.4), 4.1.3.",
	.example = "traceviz overlap --by collective data/mpi-overlap",
	.run = run_overlap,
};
