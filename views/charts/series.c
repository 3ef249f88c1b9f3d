/* SPDX-License-Identifier: GPL-3.0-or-later */
/* series.c -- step functions found, measured and binned. */
#include "views/charts/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/parallel.h"
#include "trace/sorted.h"

struct tv_pieces tv_pieces_find(const struct tv_table *table, const char *curve, uint32_t group)
{
	const struct tv_column *name = tv_table_find(table, "Curve"),
			       *of = tv_table_find(table, "By");
	uint32_t label = tv_pool_find_text(table->pool, curve), first = 0, last;

	if (label == TV_NONE || table->nrows == 0)
		return (struct tv_pieces){ .n = 0 };
	while (first < table->nrows
	       && (tv_label(name, first) != label
		   || (group != TV_NONE && tv_label(of, first) != group)))
		first++;
	for (last = first; last < table->nrows && tv_label(name, last) == label
			   && tv_label(of, last) == tv_label(of, first);
	     last++)
		;
	return (struct tv_pieces){ tv_table_find(table, "Start")->i + first,
				   tv_table_find(table, "End")->i + first,
				   tv_table_find(table, "Value")->d + first, last - first, NULL };
}

static int64_t min_of(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t max_of(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* Pieces being read one after the other. */
struct reader {
	struct tv_pieces part; /* all of them, or those of a pack */
	size_t at;	       /* in it */
	size_t pack;	       /* that follows */
	int64_t time[TV_PACK + 1];
	double value[TV_PACK];
};

static void read_pack(struct reader *r)
{
	r->part.n = tv_packed_read(r->part.packed, r->pack++, r->time, r->value);
	r->at = 0;
}

/* From the first piece on that ends after t. */
static void begin_reading(struct reader *r, const struct tv_pieces *pieces, int64_t t)
{
	r->part = *pieces;
	r->at = r->pack = 0;
	if (pieces->packed != NULL && pieces->n > 0) {
		r->pack = tv_packed_find(pieces->packed, t);
		r->part.start = r->time;
		r->part.end = r->time + 1;
		r->part.value = r->value;
		read_pack(r);
	}
	r->at = tv_count_upto(&t, r->part.end, r->part.n, sizeof t, tv_compare_int64);
}

/* Whether there is a piece left: part's at `at`. */
static bool has_piece(struct reader *r)
{
	while (r->at == r->part.n && r->part.packed != NULL && r->pack < r->part.packed->npacks)
		read_pack(r);
	return r->at < r->part.n;
}

/* Adds the next pieces within [begin, end), up to the first that may be later, too. extent->mean gets
 * their integral. Returns the time that they cover. */
static int64_t sum_up(struct reader *r, int64_t begin, int64_t end, struct tv_extent *extent)
{
	const struct tv_pieces *part = &r->part;
	double sum = 0, min = INFINITY, max = -INFINITY;
	int64_t covered = 0;

	while (has_piece(r)) {
		size_t i = r->at;

		for (; i < part->n && part->start[i] < end; i++) {
			int64_t from = max_of(begin, part->start[i]),
				to = min_of(end, part->end[i]);
			double value = part->value[i];

			if (from < to) {
				sum += value * (double)(to - from);
				min = value < min ? value : min;
				max = value > max ? value : max;
				covered += to - from;
			}
			if (part->end[i] > end)
				break;
		}
		r->at = i;
		if (i < part->n)
			break;
	}
	*extent = (struct tv_extent){ sum, min, max };
	return covered;
}

/* Of all pieces, which a packed curve knows. */
static struct tv_extent whole_extent(const struct tv_packed *packed)
{
	struct tv_extent extent = { packed->integral, INFINITY, -INFINITY };

	for (size_t i = 0; i < packed->npacks; i++) {
		extent.min = fmin(extent.min, packed->pack[i].min);
		extent.max = fmax(extent.max, packed->pack[i].max);
	}
	extent.mean /= (double)(packed->end - packed->pack[0].begin);
	return extent;
}

struct tv_extent tv_pieces_extent(const struct tv_pieces *pieces, int64_t begin, int64_t end)
{
	const struct tv_packed *packed = pieces->packed;
	struct tv_extent extent;
	struct reader reader;
	int64_t covered;

	if (packed != NULL && pieces->n > 0 && begin <= packed->pack[0].begin && end >= packed->end)
		return whole_extent(packed);
	begin_reading(&reader, pieces, begin);
	covered = sum_up(&reader, begin, end, &extent);
	if (covered == 0)
		return (struct tv_extent){ NAN, NAN, NAN };
	extent.mean /= (double)covered;
	return extent;
}

/* The times at which any of the curves changes, within the axis. */
static void exact_edges(struct tv_bins *bins, const struct tv_axis *axis,
			const struct tv_pieces *pieces, size_t n)
{
	uint32_t kept = 0, m = 0;
	struct reader r;

	bins->edge[m++] = axis->begin;
	bins->edge[m++] = axis->end;
	for (size_t k = 0; k < n; k++)
		for (begin_reading(&r, &pieces[k], INT64_MIN); has_piece(&r); r.at++) {
			bins->edge[m++] = max_of(axis->begin,
						 min_of(axis->end, r.part.start[r.at]));
			bins->edge[m++] = max_of(axis->begin, min_of(axis->end, r.part.end[r.at]));
		}
	qsort(bins->edge, m, sizeof *bins->edge, tv_compare_int64);
	for (uint32_t i = 1; i < m; i++)
		if (bins->edge[i] != bins->edge[kept])
			bins->edge[++kept] = bins->edge[i];
	bins->n = kept;
}

void tv_bins_even(struct tv_bins *bins, const struct tv_figure *figure)
{
	const struct tv_axis *axis = &figure->axis;
	double width = fmax(figure->scene->cell, TV_BIN_POINTS);

	if (figure->scene->exact)
		width = axis->width / TV_BINS_EXACT;
	bins->n = (uint32_t)fmax(1, floor(axis->width / width + 0.5));
	/* None is shorter than 1 ns. */
	if (bins->n > axis->end - axis->begin)
		bins->n = (uint32_t)(axis->end - axis->begin);
	bins->edge = tv_alloc((size_t)bins->n + 1, sizeof *bins->edge);
	for (uint32_t i = 0; i <= bins->n; i++)
		bins->edge[i] = axis->begin
			      + (int64_t)((double)(axis->end - axis->begin) * i / bins->n);
	bins->edge[bins->n] = axis->end;
}

/* Divides the bin that contains the time, unless it is an edge already. */
static void add_edge(struct tv_bins *bins, int64_t time)
{
	uint32_t i = 0;

	while (i <= bins->n && bins->edge[i] < time)
		i++;
	if (i == 0 || i > bins->n || bins->edge[i] == time)
		return;
	bins->edge = tv_realloc(bins->edge, (size_t)bins->n + 2, sizeof *bins->edge);
	memmove(bins->edge + i + 1, bins->edge + i, (bins->n + 1 - i) * sizeof *bins->edge);
	bins->edge[i] = time;
	bins->n++;
}

/* Where pieces begin; n > 0. */
static int64_t begin_of(const struct tv_pieces *pieces)
{
	return pieces->packed != NULL ? pieces->packed->pack[0].begin : pieces->start[0];
}

/* Where they end. */
static int64_t end_of(const struct tv_pieces *pieces)
{
	return pieces->packed != NULL ? pieces->packed->end : pieces->end[pieces->n - 1];
}

void tv_bins_init(struct tv_bins *bins, const struct tv_figure *figure,
		  const struct tv_pieces *pieces, size_t n)
{
	size_t changes = 2;

	for (size_t k = 0; k < n; k++)
		changes += 2 * pieces[k].n;
	tv_bins_even(bins, figure);
	if (changes <= bins->n) {
		exact_edges(bins, &figure->axis, pieces, n);
		return;
	}
	/* Where curves begin or end within a bin, its mean would cover a part of it only and look
	 * like a drop. */
	for (size_t k = 0; k < n; k++)
		if (pieces[k].n > 0) {
			add_edge(bins, begin_of(&pieces[k]));
			add_edge(bins, end_of(&pieces[k]));
		}
}

/* Bins that are filled together. */
enum { BINS_TOGETHER = 64 };

struct binning {
	const struct tv_pieces *pieces;
	const struct tv_bins *bins;
	struct tv_extent *extent;
};

static void fill_bins(void *context, size_t part)
{
	const struct binning *b = context;
	uint32_t first = (uint32_t)part * BINS_TOGETHER;
	struct reader reader;

	begin_reading(&reader, b->pieces, b->bins->edge[first]);
	for (uint32_t i = first; i < b->bins->n && i < first + BINS_TOGETHER; i++) {
		int64_t begin = b->bins->edge[i], end = b->bins->edge[i + 1];

		if (end <= begin || sum_up(&reader, begin, end, &b->extent[i]) == 0)
			b->extent[i] = (struct tv_extent){ NAN, NAN, NAN };
		else
			b->extent[i].mean /= (double)(end - begin);
	}
}

struct tv_extent *tv_pieces_bin(const struct tv_pieces *pieces, const struct tv_bins *bins)
{
	struct binning binning = { pieces, bins, tv_alloc(bins->n, sizeof *binning.extent) };

	tv_parallel((bins->n + BINS_TOGETHER - 1) / BINS_TOGETHER, fill_bins, &binning);
	return binning.extent;
}

static int descending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return TV_COMPARE(y, x);
}

double tv_packed_max(const struct tv_figure *figure, const struct tv_pieces *pieces)
{
	const struct tv_packed *packed = pieces->packed;
	int64_t begin = figure->axis.begin, end = figure->axis.end;
	double max = -INFINITY;

	for (size_t i = 0; i < packed->npacks; i++) {
		int64_t from = packed->pack[i].begin, to = tv_packed_end(packed, i);

		if (from >= begin && to <= end)
			max = fmax(max, packed->pack[i].max);
		else if (from < end && to > begin)
			max = fmax(
				max,
				tv_pieces_extent(pieces, max_of(from, begin), min_of(to, end)).max);
	}
	return max;
}

/* The time in the axis in which it is not below a level: of whole packs alone. */
static double packed_time(const struct tv_figure *figure, const struct tv_packed *packed,
			  double level)
{
	double time = 0;

	for (size_t i = 0; i < packed->npacks; i++) {
		int64_t from = packed->pack[i].begin, to = tv_packed_end(packed, i);

		if (from >= figure->axis.begin && to <= figure->axis.end
		    && packed->pack[i].min >= level)
			time += (double)(to - from);
	}
	return time;
}

double tv_pieces_high(const struct tv_figure *figure, const struct tv_pieces *pieces)
{
	static const double brief = 0.01, far = 4, headroom = 1.6;
	double axis = (double)(figure->axis.end - figure->axis.begin);
	struct tv_extent *extent;
	struct tv_bins bins;
	double *value, high = 0;
	uint32_t n = 0;

	/* What lasts that long is in more bins than a brief spike, whatever their width. */
	if (pieces->packed != NULL) {
		high = tv_packed_max(figure, pieces);
		if (packed_time(figure, pieces->packed, high / far) > 5 * brief * axis)
			return high;
		high = 0;
	}
	tv_bins_even(&bins, figure);
	extent = tv_pieces_bin(pieces, &bins);
	value = tv_alloc(bins.n, sizeof *value);
	for (uint32_t i = 0; i < bins.n; i++)
		if (!isnan(extent[i].mean))
			value[n++] = extent[i].max;
	if (n > 0) {
		double rest;

		qsort(value, n, sizeof *value, descending);
		rest = value[(uint32_t)(brief * n)];
		high = fmax(0, rest > 0 && value[0] > far * rest ? headroom * rest : value[0]);
	}
	tv_free(value);
	tv_free(extent);
	tv_free(bins.edge);
	return high;
}
