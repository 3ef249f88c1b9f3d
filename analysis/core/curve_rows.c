/* SPDX-License-Identifier: GPL-3.0-or-later */
/* curve_rows.c -- sums of groups that any part has, settled up to the last Start. */
#include "analysis/core/curve_rows.h"

#include <stdlib.h>

#include "analysis/core/packed_spans.h"
#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* Beyond all times. */
static const int64_t TIME_MAX = INT64_C(1) << 62;

/* A curve up to where it is known, with a step its slices. */
struct tv_settling {
	struct tv_settled at;
	struct tv_packed_spans away; /* what is not settled before all rows are there */
	struct tv_steps steps;
	size_t cap;
	struct tv_packed *packed; /* instead of steps; NULL = in these */
	struct tv_slicing slicing;
	struct tv_slice *slice;
	size_t nslices, slices_cap;
	double whole; /* the value that is 100 %; 0 = no percent */
	int64_t step_ns;
};

int tv_curve_rows_init(struct tv_curve_rows *c, struct tv_run *run, const char *by, int64_t step_ns,
		       uint32_t ncurves, const uint32_t *whole, struct tv_table *out,
		       struct tv_error *err)
{
	*c = (struct tv_curve_rows){
		.by = by, .ncurves = ncurves, .whole = whole, .first = INT64_MAX
	};
	tv_curves_init_bare(&c->to, run, step_ns, out);
	c->early = run->parts != NULL && run->parts->end != NULL;
	if (!c->early)
		return tv_run_interval(run, &c->to.begin, &c->to.end, err);
	c->to.begin = -TIME_MAX;
	c->to.end = TIME_MAX;
	return 0;
}

void tv_curve_rows_release(struct tv_curve_rows *c)
{
	for (size_t i = 0; i < (size_t)c->n * c->ncurves; i++) {
		tv_sum_release(&c->sum[i]);
		if (c->settling != NULL) {
			tv_steps_release(&c->settling[i].steps);
			tv_packed_spans_release(&c->settling[i].away);
			tv_free(c->settling[i].slice);
		}
	}
	tv_map_release(&c->place);
	tv_free(c->label);
	tv_free(c->order);
	tv_free(c->sum);
	tv_free(c->settling);
	tv_free(c->group);
	tv_grouping_release(&c->grouping);
	*c = (struct tv_curve_rows){ 0 };
}

static double percent_of(double value, double whole)
{
	return whole > 0 ? 100 * value / whole : value;
}

static bool settles(const struct tv_curve_rows *c)
{
	return c->to.run->parts != NULL && c->to.run->team == NULL;
}

static void begin_at(struct tv_settling *s, int64_t begin, int64_t end)
{
	s->at.time = begin;
	s->slicing = tv_slicing_init(begin, end, s->step_ns);
}

static struct tv_settling new_settling(const struct tv_curve_rows *c, uint32_t curve, int64_t begin,
				       int64_t end)
{
	struct tv_settling s = {
		.steps = { .end = c->to.end },
		.packed = c->packed,
		.whole = c->whole != NULL ? c->whole[curve] : 0,
		.step_ns = c->to.step_ns,
	};

	begin_at(&s, begin, end);
	return s;
}

static uint32_t group_of(struct tv_curve_rows *c, uint32_t label)
{
	uint32_t *at = tv_map_at(&c->place, label, 0);
	size_t n = (size_t)c->n * c->ncurves;

	if (*at != TV_NONE)
		return *at;
	*at = c->n;
	TV_GROW(c->label, c->n, c->labels_cap, 1);
	TV_GROW(c->sum, n, c->sums_cap, c->ncurves);
	if (settles(c))
		TV_GROW(c->settling, n, c->settling_cap, c->ncurves);
	for (uint32_t i = 0; i < c->ncurves; i++) {
		tv_sum_init(&c->sum[n + i], c->to.begin, c->to.end);
		if (settles(c))
			c->settling[n + i] = new_settling(c, i, c->to.begin, c->to.end);
	}
	c->label[c->n] = label;
	return c->n++;
}

/* The first part with counted tasks, on whatever worker, has the first of them. */
static void find_begin(struct tv_curve_rows *c, const struct tv_tasks *tasks)
{
	if (!c->early || c->to.begin > -TIME_MAX || tasks->ncounted == 0)
		return;
	c->to.begin = tasks->begin;
	for (size_t i = 0; c->settling != NULL && i < (size_t)c->n * c->ncurves; i++)
		begin_at(&c->settling[i], c->to.begin, c->to.end);
}

int tv_curve_rows_begin(struct tv_curve_rows *c, struct tv_run *part, struct tv_error *err)
{
	c->tasks = tv_run_part(part);
	tv_grouping_release(&c->grouping);
	tv_free(c->group);
	c->group = NULL;
	find_begin(c, &part->tasks);
	for (uint32_t row = 0; c->to.run->team != NULL && row < c->tasks->n; row++)
		if (c->tasks->counted[row] && c->tasks->start[row] < c->first)
			c->first = c->tasks->start[row];
	if (tv_grouping_by_label(&c->grouping, c->tasks, c->by, c->pending, err) < 0)
		return -1;
	c->group = tv_alloc(c->grouping.n, sizeof *c->group);
	for (uint32_t g = 0; g < c->grouping.n; g++)
		c->group[g] = group_of(c, c->tasks->n > 0 ? tv_grouping_label(&c->grouping, g)
							  : TV_NONE);
	return 0;
}

/* ---- what no later part changes ---- */

static void add_step(struct tv_settling *s, int64_t time, double value)
{
	size_t cap = s->cap;

	TV_GROW(s->steps.time, s->steps.n, cap, 1);
	TV_GROW(s->steps.value, s->steps.n, s->cap, 1);
	s->cap = cap < s->cap ? cap : s->cap;
	s->steps.time[s->steps.n] = time;
	s->steps.value[s->steps.n++] = value;
}

static void add_slice(struct tv_settling *s, const struct tv_slice *slice)
{
	TV_GROW(s->slice, s->nslices, s->slices_cap, 1);
	s->slice[s->nslices++] = *slice;
}

static void keep_piece(void *context, int64_t from, int64_t to, double count)
{
	struct tv_settling *s = context;
	double value = percent_of(count, s->whole);
	struct tv_slice slice;

	if (s->packed != NULL) {
		tv_packed_to(s->packed, from, value);
		return;
	}
	if (s->step_ns == 0) {
		add_step(s, from, value);
		return;
	}
	while (from < to)
		if (tv_slicing_add(&s->slicing, &from, to, value, &slice))
			add_slice(s, &slice);
}

static void settle(struct tv_curve_rows *c, int64_t until)
{
	for (size_t i = 0; i < (size_t)c->n * c->ncurves; i++)
		tv_sum_settle(&c->sum[i], until, &c->settling[i].at, keep_piece, &c->settling[i]);
}

void tv_curve_rows_settle(struct tv_curve_rows *c)
{
	const struct tv_tasks *tasks = c->tasks;
	int64_t last = INT64_MIN;

	/* Later parts start there or later. */
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && tasks->start[row] > last)
			last = tasks->start[row];
	if (c->settling != NULL)
		settle(c, last);
}

void tv_curve_rows_put_away(struct tv_curve_rows *c)
{
	for (size_t i = 0; c->settling != NULL && i < (size_t)c->n * c->ncurves; i++)
		tv_packed_spans_take(&c->settling[i].away, &c->sum[i]);
}

bool tv_curve_rows_again(struct tv_curve_rows *c)
{
	size_t n = c->settling != NULL ? (size_t)c->n * c->ncurves : 0;
	bool again = false;

	for (size_t i = 0; i < n; i++)
		again |= !tv_settled_exactly(&c->settling[i].at);
	for (size_t i = 0; i < n && again; i++) {
		struct tv_settling *s = &c->settling[i];

		tv_sum_release(&c->sum[i]);
		tv_sum_init(&c->sum[i], c->to.begin, c->to.end);
		s->at = (struct tv_settled){ .max = s->at.max };
		s->steps.n = s->nslices = 0;
		begin_at(s, c->to.begin, c->to.end);
	}
	return again;
}

/* ---- several processes ---- */

/* From where on each process has the curves, at bounds of slices, and where the last one ends: each about from its first Start on,
 * where most of its rows are. In new memory. */
static int64_t *divide(const struct tv_curve_rows *c, const struct tv_team *team)
{
	const struct tv_slices slices = { c->to.begin, c->to.end, c->to.step_ns };
	uint64_t *first = tv_team_numbers(team, (uint64_t)c->first);
	int64_t *from = tv_alloc((size_t)team->size + 1, sizeof *from);

	from[team->size] = c->to.end;
	for (uint32_t k = team->size; k-- > 0;) {
		int64_t at = (int64_t)first[k] < from[k + 1] ? (int64_t)first[k] : from[k + 1];

		if (k == 0 || at < c->to.begin)
			at = c->to.begin;
		else if (c->to.step_ns > 0 && at < c->to.end)
			at = tv_slices_begin(&slices, tv_slices_at(&slices, at));
		from[k] = at;
	}
	tv_free(first);
	return from;
}

/* Adds what of the spans of ones is in the interval of a sum. */
static void add_within(struct tv_sum *sum, const struct tv_sum *spans)
{
	for (size_t i = 0; i < spans->ones; i++)
		tv_sum_one(sum, spans->rise[i], spans->fall[i]);
}

static void pack_within(const struct tv_sum *spans, int64_t begin, int64_t end,
			struct tv_parcel *pack)
{
	struct tv_sum sum;

	tv_sum_init(&sum, begin, end);
	add_within(&sum, spans);
	tv_sum_pack(&sum, pack);
	tv_sum_release(&sum);
}

/* Sends what is outside of the own range, and keeps the rest. */
static void pack_outside(struct tv_sum *sum, int64_t from, int64_t to, struct tv_parcel *pack)
{
	struct tv_sum own;

	pack_within(sum, sum->begin, from, pack);
	pack_within(sum, to, sum->end, pack);
	tv_sum_init(&own, from, to);
	add_within(&own, sum);
	tv_sum_release(sum);
	*sum = own;
}

static void take_within(struct tv_sum *sum, int64_t from, int64_t to, struct tv_unpack *bytes)
{
	sum->begin = from;
	sum->end = to;
	for (int side = 0; side < 2; side++) {
		struct tv_sum spans = { 0 };

		tv_sum_unpack(&spans, bytes);
		add_within(sum, &spans);
		tv_sum_release(&spans);
	}
}

/* Curves of counts: each process then has the spans of all groups in its range of time, and settles them. Of amounts each has all. */
static void exchange(struct tv_curve_rows *c, const struct tv_team *team)
{
	struct tv_pool *pool = c->to.out->pool;
	uint64_t amounts = 0;
	int64_t *range = divide(c, team), from = range[team->rank], to = range[team->rank + 1];
	struct tv_parcel pack = { 0 };
	struct tv_gathered all;

	for (size_t i = 0; i < (size_t)c->n * c->ncurves; i++)
		amounts += c->sum[i].n;
	tv_team_add(team, &amounts, 1);
	tv_pack_number(&pack, c->n);
	for (uint32_t g = 0; g < c->n; g++) {
		tv_pack_label(&pack, pool, c->label[g]);
		for (uint32_t i = 0; i < c->ncurves; i++)
			if (amounts > 0)
				tv_sum_pack(&c->sum[(size_t)g * c->ncurves + i], &pack);
			else
				pack_outside(&c->sum[(size_t)g * c->ncurves + i], from, to, &pack);
	}
	all = tv_team_gather(team, &pack);
	for (uint32_t rank = 0; rank < all.n; rank++) {
		struct tv_unpack bytes = tv_gathered_of(&all, rank);

		for (uint64_t n = tv_unpack_number(&bytes); n > 0 && rank != team->rank; n--) {
			size_t at = (size_t)group_of(c, tv_unpack_label(&bytes, pool)) * c->ncurves;

			for (uint32_t i = 0; i < c->ncurves; i++)
				if (amounts > 0)
					tv_sum_unpack(&c->sum[at + i], &bytes);
				else
					take_within(&c->sum[at + i], from, to, &bytes);
		}
	}
	tv_gathered_release(&all);
	if (amounts == 0)
		TV_GROW(c->settling, 0, c->settling_cap, (size_t)c->n * c->ncurves);
	for (size_t i = 0; c->settling != NULL && i < (size_t)c->n * c->ncurves; i++)
		c->settling[i] = new_settling(c, (uint32_t)(i % c->ncurves), from, to);
	tv_free(range);
}

static void pack_settled(const struct tv_settling *s, struct tv_parcel *pack)
{
	tv_pack_number(pack, s->steps.n);
	for (size_t i = 0; i < s->steps.n; i++) {
		tv_pack_number(pack, (uint64_t)s->steps.time[i]);
		tv_pack_bytes(pack, &s->steps.value[i], sizeof *s->steps.value);
	}
	tv_pack_number(pack, s->nslices);
	for (size_t i = 0; i < s->nslices; i++)
		tv_pack_bytes(pack, &s->slice[i], sizeof *s->slice);
}

/* Of ranges in the order of time. */
static void take_settled(struct tv_settling *s, struct tv_unpack *bytes)
{
	for (uint64_t n = tv_unpack_number(bytes); n > 0; n--) {
		int64_t time = (int64_t)tv_unpack_number(bytes);
		double value;

		tv_unpack_bytes(bytes, &value, sizeof value);
		if (s->steps.n == 0 || s->steps.value[s->steps.n - 1] != value)
			add_step(s, time, value);
	}
	for (uint64_t n = tv_unpack_number(bytes); n > 0; n--) {
		struct tv_slice slice;

		tv_unpack_bytes(bytes, &slice, sizeof slice);
		add_slice(s, &slice);
	}
}

/* What each has settled of its range: all processes then have the whole. */
static void join(struct tv_curve_rows *c, const struct tv_team *team)
{
	struct tv_pool *pool = c->to.out->pool;
	struct tv_parcel pack = { 0 };
	struct tv_gathered all;

	for (uint32_t g = 0; g < c->n; g++) {
		tv_pack_label(&pack, pool, c->label[g]);
		for (uint32_t i = 0; i < c->ncurves; i++) {
			struct tv_settling *s = &c->settling[(size_t)g * c->ncurves + i];

			pack_settled(s, &pack);
			s->steps.n = s->nslices = 0;
		}
	}
	all = tv_team_gather(team, &pack);
	for (uint32_t rank = 0; rank < all.n; rank++) {
		struct tv_unpack bytes = tv_gathered_of(&all, rank);

		while (bytes.n > 0) {
			size_t at = (size_t)group_of(c, tv_unpack_label(&bytes, pool)) * c->ncurves;

			for (uint32_t i = 0; i < c->ncurves; i++)
				take_settled(&c->settling[at + i], &bytes);
		}
	}
	tv_gathered_release(&all);
}

/* ---- the end ---- */

static int by_label(const void *a, const void *b, void *data)
{
	const struct tv_curve_rows *c = data;

	return tv_label_order(c->to.out->pool, c->label[*(const uint32_t *)a],
			      c->label[*(const uint32_t *)b]);
}

/* The interval, where it was not known before all rows. */
static int find_interval(struct tv_curve_rows *c, struct tv_error *err)
{
	if (tv_run_interval(c->to.run, &c->to.begin, &c->to.end, err) < 0)
		return -1;
	for (size_t i = 0; i < (size_t)c->n * c->ncurves; i++) {
		c->sum[i].begin = c->to.begin;
		c->sum[i].end = c->to.end;
		if (c->settling != NULL)
			c->settling[i].steps.end = c->to.end;
		if (c->settling != NULL)
			tv_slicing_cut(&c->settling[i].slicing, c->to.end);
	}
	return 0;
}

int tv_curve_rows_end(struct tv_curve_rows *c, struct tv_error *err)
{
	const struct tv_team *team = c->to.run->team;

	if (c->early && find_interval(c, err) < 0)
		return -1;
	if (team != NULL)
		exchange(c, team);
	if (tv_step_check(c->to.begin, c->to.end, c->to.step_ns, c->n, err) < 0)
		return -1;
	if (c->packed != NULL)
		tv_packed_init(c->packed, 0, c->to.end);
	for (size_t i = 0; c->settling != NULL && i < (size_t)c->n * c->ncurves; i++)
		if (tv_packed_spans_any(&c->settling[i].away)) {
			tv_packed_spans_pieces(&c->settling[i].away, c->to.begin, c->to.end,
					       keep_piece, &c->settling[i]);
			c->settling[i].at.time = c->to.end;
		}
	if (c->settling != NULL)
		settle(c, INT64_MAX);
	if (c->settling != NULL && team != NULL)
		join(c, team);
	if (c->packed != NULL)
		tv_packed_finish(c->packed);
	c->order = tv_alloc(c->n, sizeof *c->order);
	for (uint32_t g = 0; g < c->n; g++)
		c->order[g] = g;
	qsort_r(c->order, c->n, sizeof *c->order, by_label, c);
	return 0;
}

static int add_running(void *state, struct tv_run *part, struct tv_error *err)
{
	const struct tv_tasks *tasks = tv_run_part(part);
	struct tv_curve_rows *c = state;

	if (tv_curve_rows_begin(c, part, err) < 0)
		return -1;
	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t type = 0;

		if (!tasks->counted[row])
			continue;
		if (c->ncurves > 1)
			type = tasks->workers[tasks->worker[row]].rtype;
		tv_sum_one(tv_curve_rows_sum(c, row, type), tasks->start[row], tasks->end[row]);
	}
	tv_curve_rows_settle(c);
	return 0;
}

int tv_curve_rows_running(struct tv_curve_rows *c, struct tv_error *err)
{
	if (tv_run_rows(c->to.run, add_running, c, err) < 0)
		return -1;
	return tv_curve_rows_end(c, err);
}

void tv_curve_rows_write(struct tv_curve_rows *c, uint32_t curve, const char *name)
{
	for (uint32_t g = 0; g < c->n && c->packed == NULL; g++) {
		size_t at = (size_t)c->order[g] * c->ncurves + curve;
		struct tv_settling *s = c->settling != NULL ? &c->settling[at] : NULL;
		uint32_t label = c->label[c->order[g]];
		struct tv_steps steps;

		if (s != NULL && c->to.step_ns > 0) {
			tv_curves_write_slices(&c->to, name, label, s->slice, s->nslices);
			tv_free(s->slice);
			s->slice = NULL;
		} else if (s != NULL) {
			tv_curves_write_one(&c->to, name, label, &s->steps);
			tv_steps_release(&s->steps);
		} else {
			tv_sum_steps(&c->sum[at], &steps);
			for (size_t i = 0; c->whole != NULL && i < steps.n; i++)
				steps.value[i] = percent_of(steps.value[i], c->whole[curve]);
			tv_curves_write_one(&c->to, name, label, &steps);
			tv_steps_release(&steps);
		}
	}
}
