/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_items.c -- lanes of tasks that overlap, against brute force. */
#include "tests/unit/unit.h"

#include <math.h>
#include <stdio.h>

#include "trace/alloc.h"
#include "views/rows/items.h"

enum { ITEMS = 12, ROWS = 3, TIMES = 24 };

struct picture {
	struct tv_rows rows;
	struct tv_row row[ROWS];
	struct tv_item item[ROWS * ITEMS];
};

static void random_picture(struct picture *p, uint64_t *seed)
{
	memset(p, 0, sizeof *p);
	p->rows.row = p->row;
	p->rows.item = p->item;
	p->rows.nrows = ROWS;
	for (uint32_t r = 0; r < ROWS; r++) {
		p->row[r].first = p->rows.nitems;
		p->row[r].n = (uint32_t)unit_random(seed, ITEMS + 1);
		for (uint32_t i = 0; i < p->row[r].n; i++) {
			int64_t begin = (int64_t)unit_random(seed, TIMES);
			int64_t end = begin + (int64_t)unit_random(seed, 8);

			p->item[p->rows.nitems++] = (struct tv_item){
				.begin = begin,
				.end = end,
				.row = i,
				.top = 0,
				.bottom = 1,
			};
		}
	}
}

static bool covers(const struct tv_item *item, int64_t t)
{
	return item->begin <= t && t < item->end;
}

/* How many items of a row cover the time [t, t + 1). */
static unsigned items_at(const struct picture *p, const struct tv_row *row, int64_t t)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < row->n; i++)
		n += covers(&p->item[row->first + i], t);
	return n;
}

/* The items of the cluster that has time t: those reached from t without a time at which nothing
 * goes on across. A cluster ends where no item both covers the time before and the time after. */
static unsigned most_in_cluster(const struct picture *p, const struct tv_row *row, int64_t t)
{
	unsigned most = items_at(p, row, t);

	for (int step = -1; step <= 1; step += 2)
		for (int64_t at = t;; at += step) {
			bool joined = false;

			for (uint32_t i = 0; i < row->n; i++)
				joined = joined
				      || (covers(&p->item[row->first + i], at)
					  && covers(&p->item[row->first + i], at + step));
			if (!joined)
				break;
			if (items_at(p, row, at + step) > most)
				most = items_at(p, row, at + step);
		}
	return most;
}

/* Items that overlap have different parts of the height, each as high as the lanes allow. */
static void check_row(const struct picture *p, const struct tv_row *row, unsigned lanes)
{
	for (uint32_t i = 0; i < row->n; i++) {
		const struct tv_item *a = &p->item[row->first + i];
		unsigned n = lanes > 0	       ? lanes
			   : a->begin < a->end ? most_in_cluster(p, row, a->begin)
					       : 1;
		double height = a->begin < a->end ? 1.0 / n : 1;

		assert_float_equal((double)(a->bottom - a->top), height, 1e-5);
		assert_true(a->top > -1e-6f && a->bottom < 1 + 1e-6f);
		if (i > 0)
			assert_true(a[-1].begin <= a->begin);
		for (uint32_t k = 0; k < i && a->begin < a->end; k++) {
			const struct tv_item *b = &p->item[row->first + k];

			if (b->begin < b->end && a->begin < b->end && b->begin < a->end)
				assert_true(a->top > b->bottom - 1e-5f
					    || b->top > a->bottom - 1e-5f);
		}
	}
}

/* As many lanes as items overlap at one time in a cluster, and no more. */
static void lanes_of_clusters(void **state)
{
	uint64_t seed = unit_seed(11);

	(void)state;
	for (int k = 0; k < 20000; k++) {
		struct picture p;

		random_picture(&p, &seed);
		tv_items_arrange(&p.rows, true);
		assert_int_equal(p.rows.lanes, 1);
		for (uint32_t r = 0; r < ROWS; r++)
			check_row(&p, &p.row[r], 0);
	}
}

/* Or as many as overlap at most at one time in any row. */
static void lanes_of_all_rows(void **state)
{
	uint64_t seed = unit_seed(12);

	(void)state;
	for (int k = 0; k < 20000; k++) {
		struct picture p;
		unsigned most = 1;

		random_picture(&p, &seed);
		for (uint32_t r = 0; r < ROWS; r++)
			for (int64_t t = 0; t < TIMES + 8; t++)
				if (items_at(&p, &p.row[r], t) > most)
					most = items_at(&p, &p.row[r], t);
		tv_items_arrange(&p.rows, false);
		assert_int_equal(p.rows.lanes, most);
		for (uint32_t r = 0; r < ROWS; r++)
			check_row(&p, &p.row[r], most);
	}
}

/* The same picture, its items being tasks in random order within their rows. */
struct tasks {
	struct tv_tasks tasks;
	struct tv_rows rows;
	struct tv_row row[ROWS];
	int64_t start[ROWS * ITEMS], end[ROWS * ITEMS];
	uint8_t look[ROWS * ITEMS];
	uint32_t task[ROWS * ITEMS];
};

static void make_tasks(struct tasks *t, struct picture *p, uint64_t *seed)
{
	*t = (struct tasks){ .rows = p->rows };
	memcpy(t->row, p->row, sizeof t->row);
	for (uint32_t i = 0; i < p->rows.nitems; i++) {
		t->start[i] = p->item[i].begin;
		t->end[i] = p->item[i].end;
		t->look[i] = (uint8_t)unit_random(seed, 3);
		p->item[i].row = t->task[i] = i;
		p->item[i].type = t->look[i];
		p->item[i].under = TV_NO_TYPE;
		p->item[i].outlier = unit_random(seed, 2) == 1;
		t->look[i] |= p->item[i].outlier ? TV_LOOK_OUTLIER : 0;
	}
	for (uint32_t r = 0; r < ROWS; r++)
		for (uint32_t i = t->row[r].n; i > 1; i--) {
			uint32_t *task = t->task + t->row[r].first, with = task[i - 1];
			uint32_t other = (uint32_t)unit_random(seed, i);

			task[i - 1] = task[other];
			task[other] = with;
		}
	t->tasks.start = t->start;
	t->tasks.end = t->end;
	t->rows.item = NULL;
	t->rows.row = t->row;
	t->rows.task = t->task;
	t->rows.look = t->look;
	t->rows.tasks = &t->tasks;
}

static void assert_same_item(const struct tv_item *a, const struct tv_item *b, bool placed)
{
	assert_int_equal(a->row, b->row);
	assert_int_equal(a->begin, b->begin);
	assert_int_equal(a->end, b->end);
	assert_int_equal(a->type, b->type);
	assert_int_equal(a->under, b->under);
	assert_int_equal(a->outlier, b->outlier);
	assert_true(a->top == (placed ? b->top : 0) && a->bottom == (placed ? b->bottom : 1));
	assert_true(a->absent <= 0 && b->absent <= 0);
}

/* Items that are made from tasks when they are needed are those that are kept. */
static void items_of_tasks(void **state)
{
	uint64_t seed = unit_seed(13);
	struct tv_item_room room = { 0 };

	(void)state;
	for (int k = 0; k < 5000; k++) {
		struct picture p;
		struct tasks t;

		random_picture(&p, &seed);
		make_tasks(&t, &p, &seed);
		tv_items_arrange(&p.rows, k % 2 == 0);
		tv_items_arrange(&t.rows, k % 2 == 0);
		assert_int_equal(t.rows.lanes, p.rows.lanes);
		for (uint32_t r = 0; r < ROWS; r++)
			for (uint32_t i = 0; i < p.row[r].n; i++) {
				const struct tv_item *kept = &p.item[p.row[r].first + i];
				struct tv_item one = tv_rows_item(&t.rows, t.row[r].first + i);
				const struct tv_row *row;
				size_t at;

				assert_same_item(tv_row_items(&t.rows, &t.row[r], &room) + i, kept,
						 true);
				assert_same_item(tv_row_times(&t.rows, &t.row[r], &room) + i, kept,
						 false);
				assert_same_item(&one, kept, false);
				assert_true(tv_rows_find(&t.rows, kept->row, &row, &at));
				assert_ptr_equal(row, &t.row[r]);
				assert_int_equal(at, i);
			}
	}
	tv_item_room_release(&room);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lanes_of_clusters),
		cmocka_unit_test(lanes_of_all_rows),
		cmocka_unit_test(items_of_tasks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
