/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call_profile.c -- sums of MPI calls by rank, function, class and place. */
#include "analysis/mpi/call_profile.h"

#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/sorted.h"
#include "trace/text.h"

struct call_sums {
	struct tv_call_profile *profile;
	struct tv_run *run;
	struct tv_index rank; /* by label: its place */
	struct tv_map place;  /* rank and class, function and place: its sum */
	size_t cap, ranks_cap;
	/* of calls */
	struct extent {
		int64_t begin, end;  /* of all calls */
		int64_t first, last; /* end of MPI_Init, begin of MPI_Finalize; TV_NO_NUMBER */
	} * extent;		     /* by rank */
	size_t extents_cap;
	uint64_t n, left_out;
};

static uint32_t rank_of(struct call_sums *w, uint32_t label)
{
	struct tv_call_profile *p = w->profile;
	uint32_t at = tv_index_get(&w->rank, label);
	size_t cap = w->ranks_cap;

	if (at != TV_NONE)
		return at;
	TV_GROW(p->rank, p->nranks, w->ranks_cap, 1);
	TV_GROW(p->run, p->nranks, cap, 1);
	TV_GROW(w->extent, p->nranks, w->extents_cap, 1);
	w->extent[p->nranks] = (struct extent){ INT64_MAX, INT64_MIN, TV_NO_NUMBER, TV_NO_NUMBER };
	p->rank[p->nranks] = label;
	p->run[p->nranks] = TV_NO_NUMBER;
	tv_index_set(&w->rank, label, p->nranks);
	return p->nranks++;
}

static struct tv_call_sum *sum_of(struct call_sums *w, uint32_t rank, enum tv_call_class class,
				  uint32_t call, uint32_t site)
{
	struct tv_call_profile *p = w->profile;
	uint32_t *at = tv_map_at(&w->place, (uint64_t)rank << 32 | (uint64_t) class,
				 (uint64_t)call << 32 | site);

	if (*at == TV_NONE) {
		*at = p->n;
		TV_GROW(p->at, p->n, w->cap, 1);
		p->at[p->n++] = (struct tv_call_sum){ .rank = rank,
						      .call = call,
						      .site = site,
						      .class = class,
						      .count = TV_NO_NUMBER,
						      .min = TV_NO_NUMBER,
						      .max = TV_NO_NUMBER,
						      .bytes = TV_NO_NUMBER };
	}
	return &p->at[*at];
}

static void take(int64_t *to, int64_t value, bool larger)
{
	if (value != TV_NO_NUMBER && (*to == TV_NO_NUMBER || (larger ? value > *to : value < *to)))
		*to = value;
}

static void add(int64_t *to, int64_t value)
{
	if (value == TV_NO_NUMBER)
		return;
	if (*to == TV_NO_NUMBER)
		*to = 0;
	if (__builtin_add_overflow(*to, value, to))
		*to = INT64_MAX;
}

bool tv_call_outside(const struct tv_pool *pool, const struct tv_call_sum *sum)
{
	const char *name = sum->call == TV_NONE ? "" : tv_pool_text(pool, sum->call);

	return strncmp(name, "MPI_Init", 8) == 0 || strncmp(name, "MPI_Finalize", 12) == 0;
}

/* ---- of calls ---- */

static void extend(struct extent *e, struct extent by)
{
	e->begin = by.begin < e->begin ? by.begin : e->begin;
	e->end = by.end > e->end ? by.end : e->end;
	take(&e->first, by.first, true);
	take(&e->last, by.last, true);
}

static void add_sum(struct tv_call_sum *to, const struct tv_call_sum *sum)
{
	add(&to->count, sum->count);
	to->time += sum->time;
	take(&to->min, sum->min, false);
	take(&to->max, sum->max, true);
	to->nopen += sum->nopen;
	to->open += sum->open;
	add(&to->bytes, sum->bytes);
}

static int add_calls(void *state, struct tv_run *part, struct tv_error *err)
{
	struct call_sums *w = state;
	const struct tv_calls *calls = tv_run_calls(part);

	(void)err;
	w->n += calls->n;
	w->left_out += calls->nleft_out;
	for (uint32_t i = 0; i < calls->n; i++) {
		uint32_t row = calls->row[i], r = rank_of(w, calls->rank[calls->rank_of[row]]);
		int64_t begin = tv_call_begin(calls, row), end = tv_call_end(calls, row),
			time = tv_call_time(calls, row);
		bool ended = tv_call_ended(calls, row);
		const struct tv_call_sum one = {
			.count = 1,
			.time = time,
			.min = ended ? time : TV_NO_NUMBER,
			.max = ended ? time : TV_NO_NUMBER,
			.nopen = !ended,
			.open = ended ? 0 : time,
			.bytes = tv_call_number(calls, TV_CALL_BYTES, row),
		};

		add_sum(sum_of(w, r, (enum tv_call_class)calls->class_of[row],
			       tv_call_label(calls, TV_CALL_NAME, row),
			       tv_call_label(calls, TV_CALL_SITE, row)),
			&one);
		extend(&w->extent[r],
		       (struct extent){ begin, end,
					tv_call_named(calls, row, "MPI_Init") ? end : TV_NO_NUMBER,
					tv_call_named(calls, row, "MPI_Finalize") ? begin
										  : TV_NO_NUMBER });
	}
	return 0;
}

static void pack_calls(const struct call_sums *w, struct tv_parcel *pack)
{
	const struct tv_pool *pool = w->run->trace->pool;
	const struct tv_call_profile *p = w->profile;

	tv_pack_number(pack, w->n);
	tv_pack_number(pack, w->left_out);
	tv_pack_number(pack, p->nranks);
	for (uint32_t r = 0; r < p->nranks; r++) {
		tv_pack_label(pack, pool, p->rank[r]);
		tv_pack_bytes(pack, &w->extent[r], sizeof w->extent[r]);
	}
	tv_pack_number(pack, p->n);
	for (uint32_t i = 0; i < p->n; i++) {
		tv_pack_label(pack, pool, p->rank[p->at[i].rank]);
		tv_pack_label(pack, pool, p->at[i].call);
		tv_pack_label(pack, pool, p->at[i].site);
		tv_pack_bytes(pack, &p->at[i], sizeof p->at[i]);
	}
}

static void unpack_calls(struct call_sums *w, struct tv_unpack *from)
{
	struct tv_pool *pool = w->run->trace->pool;

	w->n += tv_unpack_number(from);
	w->left_out += tv_unpack_number(from);
	for (uint64_t n = tv_unpack_number(from); n > 0; n--) {
		uint32_t r = rank_of(w, tv_unpack_label(from, pool));
		struct extent extent;

		tv_unpack_bytes(from, &extent, sizeof extent);
		extend(&w->extent[r], extent);
	}
	for (uint64_t n = tv_unpack_number(from); n > 0; n--) {
		uint32_t r = rank_of(w, tv_unpack_label(from, pool)),
			 call = tv_unpack_label(from, pool), site = tv_unpack_label(from, pool);
		struct tv_call_sum sum;

		tv_unpack_bytes(from, &sum, sizeof sum);
		add_sum(sum_of(w, r, sum.class, call, site), &sum);
	}
}

/* The sums of all processes. */
static void merge_calls(struct call_sums *w, const struct tv_team *team)
{
	struct tv_parcel pack = { 0 };
	struct tv_gathered all;

	pack_calls(w, &pack);
	all = tv_team_gather(team, &pack);
	w->profile->n = w->profile->nranks = 0;
	w->n = w->left_out = 0;
	tv_map_release(&w->place);
	tv_free(w->rank.at);
	w->rank = (struct tv_index){ 0 };
	for (uint32_t rank = 0; rank < all.n; rank++) {
		struct tv_unpack from = tv_gathered_of(&all, rank);

		unpack_calls(w, &from);
	}
	tv_gathered_release(&all);
}

static int from_calls(struct call_sums *w, const char *verb, struct tv_error *err)
{
	struct tv_run *run = w->run;

	if (tv_run_rows(run, add_calls, w, err) < 0)
		return -1;
	if (run->team != NULL)
		merge_calls(w, run->team);
	if (run->parts != NULL)
		tv_warn_left_out_calls(run, w->left_out);
	for (uint32_t r = 0; r < w->profile->nranks; r++) {
		const struct extent *of = &w->extent[r];
		int64_t from = of->first == TV_NO_NUMBER ? of->begin : of->first,
			to = of->last == TV_NO_NUMBER ? of->end : of->last;

		w->profile->run[r] = to > from ? to - from : 0;
	}
	return w->n > 0 ? 0 : tv_fail_no_calls(run, verb, err);
}

/* ---- of the table ---- */

static int64_t number(const struct tv_table *table, const char *column, uint32_t row)
{
	const struct tv_column *c = tv_table_find(table, column);

	return c == NULL || tv_missing(c, row) ? TV_NO_NUMBER : c->i[row];
}

static uint32_t label(const struct tv_table *table, const char *column, uint32_t row)
{
	const struct tv_column *c = tv_table_find(table, column);

	return c == NULL ? TV_NONE : tv_label(c, row);
}

static void add_row(struct call_sums *w, const struct tv_table *table, uint32_t row,
		    uint32_t *left_out)
{
	uint32_t rank = label(table, "Rank", row), class = 0;
	const char *name = tv_table_text(table, "Class", row);
	int64_t count = number(table, "Count", row), time = number(table, "Time", row);
	struct tv_call_sum *sum;

	while (class < TV_NCALL_CLASSES && strcmp(tv_call_class_name[class], name) != 0)
		class ++;
	if (rank != TV_NONE && time >= 0 && strcmp(name, "run") == 0) {
		rank = rank_of(w, rank); /* which may move them */
		w->profile->run[rank] = time;
		return;
	}
	if (rank == TV_NONE || class == TV_NCALL_CLASSES || (count < 0 && count != TV_NO_NUMBER)
	    || time < 0) {
		(*left_out)++;
		return;
	}
	sum = sum_of(w, rank_of(w, rank), (enum tv_call_class) class, label(table, "Call", row),
		     label(table, "Site", row));
	add(&sum->count, count);
	add(&sum->time, time);
	take(&sum->min, number(table, "Min", row), false);
	take(&sum->max, number(table, "Max", row), true);
	add(&sum->bytes, number(table, "Bytes", row));
}

static void from_table(struct call_sums *w, const struct tv_table *table)
{
	uint32_t left_out = 0;

	for (uint32_t row = 0; row < table->nrows; row++)
		add_row(w, table, row, &left_out);
	if (left_out > 0)
		tv_run_warn(w->run,
			    "%u rows of callprofile are left out: without Rank, with a negative "
			    "Count or Time, or of an unknown Class",
			    left_out);
}

/* ---- order ---- */

static int by_label(const struct tv_pool *pool, uint32_t a, uint32_t b)
{
	return tv_natural_order(tv_pool_text(pool, a), tv_pool_text(pool, b));
}

static int by_rank(const void *a, const void *b, void *data)
{
	const struct call_sums *w = data;

	return by_label(w->run->trace->pool, w->profile->rank[*(const uint32_t *)a],
			w->profile->rank[*(const uint32_t *)b]);
}

static int by_place(const void *a, const void *b, void *data)
{
	const struct tv_call_sum *x = a, *y = b;
	const struct tv_pool *pool = data;
	int order = TV_COMPARE(x->rank, y->rank);

	if (order == 0)
		order = by_label(pool, x->call, y->call);
	if (order == 0)
		order = by_label(pool, x->site, y->site);
	return order != 0 ? order : TV_COMPARE(x->class, y->class);
}

static void sort(struct call_sums *w)
{
	struct tv_call_profile *p = w->profile;
	uint32_t *order = tv_alloc(p->nranks, sizeof *order);
	uint32_t *place = tv_alloc(p->nranks, sizeof *place);
	uint32_t *rank = tv_alloc(p->nranks, sizeof *rank);
	int64_t *run = tv_alloc(p->nranks, sizeof *run);

	for (uint32_t r = 0; r < p->nranks; r++)
		order[r] = r;
	if (p->nranks > 1)
		qsort_r(order, p->nranks, sizeof *order, by_rank, w);
	for (uint32_t i = 0; i < p->nranks; i++) {
		place[order[i]] = i;
		rank[i] = p->rank[order[i]];
		run[i] = p->run[order[i]];
	}
	for (uint32_t i = 0; i < p->n; i++)
		p->at[i].rank = place[p->at[i].rank];
	if (p->n > 1)
		qsort_r(p->at, p->n, sizeof *p->at, by_place, w->run->trace->pool);
	tv_free(p->rank);
	tv_free(p->run);
	p->rank = rank;
	p->run = run;
	tv_free(order);
	tv_free(place);
}

static void release(void *data)
{
	struct tv_call_profile *profile = data;

	tv_free(profile->at);
	tv_free(profile->rank);
	tv_free(profile->run);
	tv_free(profile);
}

const struct tv_call_profile *tv_run_call_profile(struct tv_run *run, const char *verb,
						  struct tv_error *err)
{
	static const char kept;
	struct tv_call_profile *profile = tv_run_kept(run, &kept);
	const struct tv_table *table = &run->trace->table[TV_CALLPROFILE];
	struct call_sums w = { .run = run };
	int rc = 0;

	if (profile != NULL)
		return profile;
	profile = w.profile = tv_alloc(1, sizeof *profile);
	if (table->nrows > 0)
		from_table(&w, table);
	else
		rc = from_calls(&w, verb, err);
	if (rc == 0)
		sort(&w);
	tv_free(w.rank.at);
	tv_free(w.extent);
	tv_map_release(&w.place);
	if (rc < 0) {
		release(profile);
		return NULL;
	}
	tv_run_keep(run, &kept, profile, release);
	return profile;
}
