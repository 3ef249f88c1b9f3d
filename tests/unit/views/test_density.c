/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_density.c -- shares per cell against brute force, nanosecond by nanosecond; pixels of known
 * shares. */
#include <stdio.h>

#include "tests/unit/unit.h"
#include "trace/alloc.h"
#include "views/rows/density.h"

enum { CELLS = 200, TYPES = 3 };

static uint32_t random_row(struct tv_item *item, uint32_t max, int64_t until, uint64_t longest,
			   uint64_t *seed)
{
	int64_t at = -(int64_t)unit_random(seed, 50);
	uint32_t n = 0;

	for (; n < max && at < until; n++) {
		int64_t length = (int64_t)unit_random(seed, longest);

		item[n] = (struct tv_item){ .begin = at,
					    .end = at + length,
					    .under = TV_NO_TYPE,
					    .bottom = 1,
					    .type = (uint8_t)unit_random(seed, TYPES),
					    .outlier = unit_random(seed, 9) == 0 };
		at += length + (int64_t)unit_random(seed, 5);
	}
	return n;
}

/* In dense cells the share of a type is the number of its nanoseconds there; the pieces are all the
 * others. */
static void shares_and_pieces_are_exact(void **state)
{
	enum { UNTIL = 4001, MAX = 4000 };
	struct tv_density density;
	struct tv_item item[MAX];
	uint64_t seed = unit_seed(3);

	(void)state;
	tv_density_init(&density, 0, UNTIL, CELLS, TYPES);
	for (int round = 0; round < 40; round++) {
		uint32_t n = random_row(item, MAX, UNTIL + 50, 1 + (uint64_t)round * 6, &seed);
		uint32_t first = (uint32_t)unit_random(&seed, n);
		static int drawn[UNTIL], wanted[UNTIL];

		memset(drawn, 0xff, sizeof drawn);
		memset(wanted, 0xff, sizeof wanted);
		/* Items may come in pieces. */
		tv_density_clear(&density, 1, false);
		tv_density_find(&density, item, first, 100);
		tv_density_find(&density, item + first, n - first, 100);
		tv_density_decide(&density);
		tv_density_add(&density, item, first);
		tv_density_add(&density, item + first, n - first);
		for (uint32_t i = 0; i < n; i++) {
			int64_t from, to = item[i].begin;

			for (int64_t t = item[i].begin; t < item[i].end; t++)
				if (t >= 0 && t < UNTIL)
					wanted[t] = item[i].type;
			while (tv_density_piece(&density, item[i].begin, item[i].end, &from, &to))
				for (int64_t t = from; t < to && item[i].begin < item[i].end; t++) {
					assert_true(t >= 0 && t < UNTIL && drawn[t] == -1);
					drawn[t] = item[i].type;
				}
		}
		for (uint32_t c = 0; c < CELLS; c++) {
			int64_t ns[TV_TYPES_MAX] = { 0 };
			bool dense = density.dense[c / TV_BLOCK];

			for (int64_t t = density.edge[c]; t < density.edge[c + 1]; t++) {
				assert_int_equal(drawn[t], dense ? -1 : wanted[t]);
				if (dense && wanted[t] >= 0)
					ns[wanted[t]]++;
			}
			assert_memory_equal(ns, density.share + (size_t)c * TYPES,
					    TYPES * sizeof *ns);
		}
	}
	tv_density_release(&density);
}

/* Every outlier in a dense block leaves a mark in each cell that it touches. */
static void outliers_are_marked(void **state)
{
	struct tv_density density;
	struct tv_item item[3000];
	uint64_t seed = unit_seed(5);
	uint32_t n, marks = 0;

	(void)state;
	tv_density_init(&density, 0, 4001, CELLS, TYPES);
	n = random_row(item, 3000, 4001, 12, &seed);
	tv_density_clear(&density, 1, true);
	tv_density_add(&density, item, n);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t c = 0; c < CELLS && item[i].outlier; c++)
			if (item[i].begin < item[i].end && item[i].begin < density.edge[c + 1]
			    && item[i].end > density.edge[c]) {
				assert_true(density.mark[c] <= item[i].type);
				marks++;
			}
	assert_true(marks > 0);
	tv_density_release(&density);
}

static uint32_t count_pixels(const struct tv_image *image, uint32_t color)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < image->width * image->height; i++)
		n += image->pixel[i] == color;
	return n;
}

/* Half of every cell is of one type, a quarter of another, the rest white. */
static void pixels_have_the_shares(void **state)
{
	static const struct tv_type_style type[] = { { .faded = 0x112233 }, { .faded = 0xaabbcc } };
	static const uint32_t height[] = { 4, 8, 12, 100, 6 };
	struct tv_density density;
	struct tv_item item[2 * 64];

	(void)state;
	tv_density_init(&density, 0, 64 * 100, 64, 2);
	for (int i = 0; i < 64; i++) {
		item[2 * i] = (struct tv_item){ .begin = i * 100,
						.end = i * 100 + 50,
						.under = TV_NO_TYPE };
		item[2 * i + 1] = (struct tv_item){
			.begin = i * 100 + 50, .end = i * 100 + 75, .type = 1, .under = TV_NO_TYPE
		};
	}
	tv_density_clear(&density, 1, true);
	tv_density_add(&density, item, TV_COUNT(item));
	for (size_t h = 0; h < TV_COUNT(height); h++) {
		struct tv_image image = tv_density_image(&density, 0, 64, height[h], type);
		uint32_t whole = height[h]
			       / 4; /* the last height is no multiple: one pixel is mixed */

		assert_int_equal(image.height, height[h]);
		assert_int_equal(count_pixels(&image, 0x112233), 64 * (height[h] / 2));
		assert_int_equal(count_pixels(&image, 0xaabbcc), 64 * whole);
		assert_int_equal(count_pixels(&image, TV_WHITE), 64 * whole);
		assert_int_equal(image.pixel[0], TV_WHITE);
		assert_int_equal(image.pixel[(height[h] - 1) * 64], 0x112233);
		tv_free(image.pixel);
	}
	tv_density_release(&density);
}

/* Black and white in equal parts look half as bright as white: #bcbcbc, not #808080. */
static void low_rows_blend_in_linear_light(void **state)
{
	static const struct tv_type_style type[] = { { .faded = 0x000000 } };
	struct tv_item item = { .begin = 0, .end = 50, .under = TV_NO_TYPE };
	struct tv_density density;
	struct tv_image image;

	(void)state;
	tv_density_init(&density, 0, 100, 1, 2);
	tv_density_clear(&density, 1, true);
	tv_density_add(&density, &item, 1);
	image = tv_density_image(&density, 0, 1, 1, type);
	assert_int_equal(image.height, 1);
	assert_int_equal(image.pixel[0], 0xbcbcbc);
	tv_free(image.pixel);
	tv_density_clear(&density, 2, true); /* a second row, empty: a quarter of both */
	tv_density_add(&density, &item, 1);
	image = tv_density_image(&density, 0, 1, 1, type);
	assert_int_equal(image.pixel[0], 0xe1e1e1);
	tv_free(image.pixel);
	tv_density_release(&density);
}

/* A state inside another one takes its time from it. */
static void nested_time_counts_once(void **state)
{
	static const struct tv_item item[] = {
		{ .begin = 0, .end = 100, .type = 0, .under = TV_NO_TYPE },
		{ .begin = 20, .end = 50, .type = 1, .under = 0 },
	};
	struct tv_density density;

	(void)state;
	tv_density_init(&density, 0, 100, 1, 2);
	tv_density_clear(&density, 1, true);
	tv_density_add(&density, item, 2);
	assert_int_equal(density.share[0], 70);
	assert_int_equal(density.share[1], 30);
	tv_density_release(&density);
}

/* A hundred tasks at once are drawn one below the other while each is as high as a cell; else as an
 * image that leaves no gap. */
static void many_lanes(void **state)
{
	enum { LANES = 100 };
	struct tv_density density;
	struct tv_item item[LANES];
	uint32_t from, to = 0;

	(void)state;
	tv_density_init(&density, 0, 100 * CELLS, CELLS, TYPES);
	for (int i = 0; i < LANES; i++)
		item[i] = (struct tv_item){ .begin = 0,
					    .end = 100 * CELLS,
					    .under = TV_NO_TYPE,
					    .top = (float)i / LANES,
					    .bottom = (float)(i + 1) / LANES };
	tv_density_find(&density, item, LANES, 2 * LANES);
	tv_density_decide(&density);
	assert_false(tv_density_run(&density, &from, &to));
	tv_density_find(&density, item, LANES, LANES / 2.0);
	tv_density_decide(&density);
	to = 0;
	assert_true(tv_density_run(&density, &from, &to));
	assert_int_equal(from, 0);
	assert_int_equal(to, CELLS);
	tv_density_clear(&density, 1, false);
	tv_density_find(&density, item, LANES, LANES / 2.0);
	tv_density_decide(&density);
	tv_density_add(&density, item, LANES);
	for (uint32_t c = 0; c < CELLS; c++)
		assert_int_equal(density.share[(size_t)c * TYPES], 100 * LANES);
	tv_density_release(&density);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_and_pieces_are_exact),
		cmocka_unit_test(outliers_are_marked),
		cmocka_unit_test(pixels_have_the_shares),
		cmocka_unit_test(low_rows_blend_in_linear_light),
		cmocka_unit_test(nested_time_counts_once),
		cmocka_unit_test(many_lanes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
