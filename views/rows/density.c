/* SPDX-License-Identifier: GPL-3.0-or-later */
/* density.c -- exact shares per cell, and their pixels. */
#include "views/rows/density.h"

#include <math.h>
#include <string.h>

#include "trace/alloc.h"

enum { FEW = 4 };

void tv_density_init(struct tv_density *density, int64_t begin, int64_t end, uint32_t ncells,
		     uint32_t ntypes)
{
	double span = (double)end - (double)begin;

	*density = (struct tv_density){ .ncells = ncells,
					.nblocks = (ncells + TV_BLOCK - 1) / TV_BLOCK,
					.ntypes = ntypes };
	density->edge = tv_alloc((size_t)ncells + 1, sizeof *density->edge);
	density->count = tv_alloc(density->nblocks, sizeof *density->count);
	density->width = tv_alloc(density->nblocks, sizeof *density->width);
	density->dense = tv_alloc(density->nblocks, sizeof *density->dense);
	density->thin = tv_alloc(density->nblocks, sizeof *density->thin);
	density->share = tv_alloc((size_t)ncells * ntypes, sizeof *density->share);
	density->mark = tv_alloc(ncells, 1);
	for (uint32_t c = 0; c < ncells; c++)
		density->edge[c] = begin + (int64_t)(span * c / ncells);
	density->edge[ncells] = end;
	tv_blender_init(&density->blender);
}

void tv_density_release(struct tv_density *density)
{
	tv_free(density->edge);
	tv_free(density->count);
	tv_free(density->width);
	tv_free(density->dense);
	tv_free(density->thin);
	tv_free(density->share);
	tv_free(density->mark);
	*density = (struct tv_density){ 0 };
}

void tv_density_clear(struct tv_density *density, uint32_t nrows, bool all)
{
	memset(density->count, 0, density->nblocks * sizeof *density->count);
	memset(density->width, 0, density->nblocks * sizeof *density->width);
	memset(density->thin, 0, density->nblocks * sizeof *density->thin);
	memset(density->dense, all, density->nblocks * sizeof *density->dense);
	memset(density->share, 0,
	       (size_t)density->ncells * density->ntypes * sizeof *density->share);
	memset(density->mark, TV_NO_TYPE, density->ncells);
	density->nrows = nrows;
}

/* The cell that contains a time, c being one near it: items come by begin. */
static uint32_t cell_near(const struct tv_density *density, uint32_t c, int64_t time)
{
	const int64_t *edge = density->edge;

	while (c > 0 && edge[c] > time)
		c--;
	while (c + 1 < density->ncells && edge[c + 1] <= time)
		c++;
	return c;
}

/* By proportion, then corrected: cells are whole ns. */
uint32_t tv_density_cell(const struct tv_density *density, int64_t time)
{
	const int64_t *edge = density->edge;
	double share = (double)(time - edge[0]) / (double)(edge[density->ncells] - edge[0]);

	return cell_near(density,
			 (uint32_t)fmin(fmax(share * density->ncells, 0), density->ncells - 1.0),
			 time);
}

/* The part of an item in the window; false if there is none. */
static bool clip(const struct tv_density *density, const struct tv_item *item, int64_t *begin,
		 int64_t *end)
{
	*begin = item->begin > density->edge[0] ? item->begin : density->edge[0];
	*end = item->end < density->edge[density->ncells] ? item->end
							  : density->edge[density->ncells];
	return *begin < *end;
}

static int64_t min(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* Where an item that ends at `end` leaves a block. */
static int64_t block_end(const struct tv_density *density, uint32_t block, int64_t end)
{
	uint32_t next = (block + 1) * TV_BLOCK;

	return next < density->ncells ? min(end, density->edge[next]) : end;
}

void tv_density_find(struct tv_density *density, const struct tv_item *item, uint32_t n,
		     double height)
{
	double cell = (double)(density->edge[density->ncells] - density->edge[0]) / density->ncells;
	uint32_t c = 0;

	for (uint32_t i = 0; i < n; i++) {
		/* Parts of groups have their share of the height: they are no lanes. */
		bool thin = item[i].absent <= 0 && (item[i].bottom - item[i].top) * height < 1;
		int64_t begin, end;

		if (!clip(density, &item[i], &begin, &end))
			continue;
		c = cell_near(density, c, begin);
		for (uint32_t b = c / TV_BLOCK; begin < end; b++) {
			int64_t stop = block_end(density, b, end);

			density->thin[b] = density->thin[b] || thin;
			density->count[b]++;
			density->width[b] += (double)(stop - begin) / cell;
			begin = stop;
		}
	}
}

void tv_density_decide(struct tv_density *density)
{
	for (uint32_t b = 0; b < density->nblocks; b++)
		density->dense[b] = density->count[b] >= FEW
				 && (density->thin[b]
				     || density->width[b] < 2.0 * density->count[b]);
}

/* Adds [begin, end) of a dense block's item to the cells that it covers, from c on. */
static void add_part(struct tv_density *density, const struct tv_item *item, uint32_t c,
		     int64_t begin, int64_t end)
{
	for (; begin < end; c++) {
		int64_t stop = min(end, density->edge[c + 1]);
		int64_t *share = density->share + (size_t)c * density->ntypes;

		share[item->type] += item->absent > 0 ? llround((double)(stop - begin)
								* (1 - (double)item->absent))
						      : stop - begin;
		if (item->under != TV_NO_TYPE)
			share[item->under] -= stop - begin;
		if (item->outlier && item->type < density->mark[c])
			density->mark[c] = item->type;
		begin = stop;
	}
}

uint32_t tv_density_add(struct tv_density *density, const struct tv_item *item, uint32_t n)
{
	uint32_t touching = 0, c = 0;

	for (uint32_t i = 0; i < n; i++) {
		int64_t begin, end;
		bool touches = false;

		if (!clip(density, &item[i], &begin, &end))
			continue;
		c = cell_near(density, c, begin);
		for (uint32_t b = c / TV_BLOCK, from = c; begin < end; from = ++b * TV_BLOCK) {
			int64_t stop = block_end(density, b, end);

			if (density->dense[b]) {
				touches = true;
				add_part(density, &item[i], from, begin, stop);
			}
			begin = stop;
		}
		touching += touches;
	}
	return touching;
}

bool tv_density_run(const struct tv_density *density, uint32_t *from, uint32_t *to)
{
	uint32_t b = (*to + TV_BLOCK - 1) / TV_BLOCK;

	while (b < density->nblocks && !density->dense[b])
		b++;
	if (b == density->nblocks)
		return false;
	*from = b * TV_BLOCK;
	while (b < density->nblocks && density->dense[b])
		b++;
	*to = b * TV_BLOCK < density->ncells ? b * TV_BLOCK : density->ncells;
	return true;
}

uint32_t tv_density_filled(const struct tv_density *density, uint32_t from, uint32_t to)
{
	uint32_t filled = 0;

	for (uint32_t c = from; c < to; c++) {
		const int64_t *share = density->share + (size_t)c * density->ntypes;
		uint32_t t = 0;

		while (t < density->ntypes && share[t] == 0)
			t++;
		filled += t < density->ntypes;
	}
	return filled;
}

bool tv_density_piece(const struct tv_density *density, int64_t begin, int64_t end, int64_t *from,
		      int64_t *to)
{
	struct tv_item item = { .begin = begin, .end = end };
	bool first = *to == begin;
	uint32_t b;

	if (begin == end && first && begin >= density->edge[0]
	    && begin < density->edge[density->ncells]) {
		*from = begin; /* an item without length is one piece without length */
		*to = INT64_MAX;
		return !density->dense[tv_density_cell(density, begin) / TV_BLOCK];
	}
	if (!clip(density, &item, &begin, &end))
		return false;
	if (*to > begin)
		begin = *to;
	if (begin >= end)
		return false;
	b = tv_density_cell(density, begin) / TV_BLOCK;
	while (density->dense[b]) {
		if (++b == density->nblocks || density->edge[b * TV_BLOCK] >= end)
			return false;
		begin = density->edge[b * TV_BLOCK];
	}
	*from = begin;
	while (b < density->nblocks && !density->dense[b] && begin < end) {
		b++;
		begin = b < density->nblocks ? min(end, density->edge[b * TV_BLOCK]) : end;
	}
	*to = begin;
	return true;
}

/* Weights of the types in one cell, and of white at [ntypes]; sum 1. Overlaps share it. */
static void weigh(const struct tv_density *density, uint32_t cell, double *weight)
{
	uint32_t ntypes = density->ntypes;
	const int64_t *share = density->share + (size_t)cell * ntypes;
	double whole = (double)(density->edge[cell + 1] - density->edge[cell]) * density->nrows,
	       sum = 0;

	for (uint32_t t = 0; t < ntypes; t++)
		sum += share[t] > 0 ? (double)share[t] : 0;
	whole = fmax(fmax(whole, sum), 1);
	for (uint32_t t = 0; t < ntypes; t++)
		weight[t] = share[t] > 0 ? (double)share[t] / whole : 0;
	weight[ntypes] = 1 - sum / whole;
}

/* Stacks one column from the bottom; a pixel of several types is blended by their parts. */
static void stack(const struct tv_density *density, const uint32_t *color, const double *weight,
		  uint32_t n, struct tv_image *image, uint32_t x)
{
	double part[TV_TYPES_MAX + 1], filled = 0, left = 0;
	uint32_t y = image->height, t = 0;

	while (y > 0) {
		memset(part, 0, sizeof part);
		for (filled = 0; filled < 1 - 1e-9;) {
			double take;

			while (left <= 0 && t < n)
				left = weight[t++] * image->height;
			/* Rounding may leave a sliver of the last pixel: it is the last type's. */
			take = left <= 0 ? 1 - filled : fmin(left, 1 - filled);
			part[t - 1] += take;
			filled += take;
			left -= take;
		}
		image->pixel[(size_t)--y * image->width + x] = part[t - 1] > 1 - 1e-9
								     ? color[t - 1]
								     : tv_blend(&density->blender,
										color, part, n);
	}
}

struct tv_image tv_density_image(const struct tv_density *density, uint32_t from, uint32_t to,
				 uint32_t height, const struct tv_type_style *type)
{
	uint32_t ntypes = density->ntypes;
	struct tv_image image = { to - from, height, NULL };
	double weight[TV_TYPES_MAX + 1];
	uint32_t color[TV_TYPES_MAX + 1];

	for (uint32_t t = 0; t < ntypes; t++)
		color[t] = type[t].faded;
	color[ntypes] = TV_WHITE;
	image.pixel = tv_alloc((size_t)image.width * image.height, sizeof *image.pixel);
	for (uint32_t x = 0; x < image.width; x++) {
		weigh(density, from + x, weight);
		if (image.height == 1)
			image.pixel[x] = tv_blend(&density->blender, color, weight, ntypes + 1);
		else
			stack(density, color, weight, ntypes + 1, &image, x);
	}
	return image;
}
