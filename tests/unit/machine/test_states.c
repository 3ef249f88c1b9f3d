/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_states.c -- the runtime's states: against asking every nanosecond, and as drawn. */
#include "tests/unit/figure.h"

enum { ROUNDS = 300, LENGTH = 80, TASKS = 6, STATES = 14, WORKERS = 2 };

#define HEADER "ResourceId,Value,Start,End,Kind\n"

enum { OPTIONS_MAX = 8 }; /* of the pass */

static const char *const piece[OPTIONS_MAX] = { "piece" }, *const worker[OPTIONS_MAX] = {
	"worker"
};

/* A record that may own a nanosecond. */
struct span {
	int worker, begin, end, value; /* value -1: a task */
};

struct plan {
	struct span span[WORKERS * (TASKS + STATES)];
	int n, first, last;
};

static void draw_plan(struct plan *p, struct sample *s, uint64_t *seed)
{
	char csv[4096] = HEADER;

	*p = (struct plan){ .first = LENGTH };
	for (int i = 0; i < WORKERS * TASKS; i++) {
		struct span t = { i % WORKERS, (int)unit_random(seed, LENGTH - 10), 0, -1 };
		size_t at = strlen(csv);

		t.end = t.begin + 1 + (int)unit_random(seed, 9);
		p->first = t.begin < p->first ? t.begin : p->first;
		p->last = t.end > p->last ? t.end : p->last;
		p->span[p->n++] = t;
		snprintf(csv + at, sizeof csv - at, "CPU%d,k%d,0.0000%02d,0.0000%02d,app\n",
			 t.worker, i, t.begin, t.end);
	}
	sample_make(s, csv);
	for (int i = 0; i < WORKERS * STATES; i++) {
		struct span t = { (int)unit_random(seed, WORKERS),
				  (int)unit_random(seed, LENGTH - 12), 0,
				  (int)unit_random(seed, 4) };
		char name[20], value[20];

		t.end = t.begin + (int)unit_random(seed, 12);
		p->span[p->n++] = t;
		snprintf(name, sizeof name, "CPU%d", t.worker);
		snprintf(value, sizeof value, "S%d", t.value);
		sample_state(s, name, value, t.begin, t.end);
	}
}

/* The record that a nanosecond of a worker belongs to, by the definition; NULL: none. */
static const struct span *owner(const struct plan *p, int w, int t)
{
	const struct span *best = NULL;

	for (int i = 0; i < p->n; i++) {
		const struct span *a = &p->span[i];

		if (a->worker != w || t < a->begin || t >= a->end)
			continue;
		if (best == NULL || (a->value < 0) > (best->value < 0)
		    || ((a->value < 0) == (best->value < 0)
			&& (a->begin > best->begin
			    || (a->begin == best->begin && a->end <= best->end))))
			best = a;
	}
	return best;
}

static int value_of(const struct tv_table *table, uint32_t row)
{
	const char *nature = tv_pool_text(table->pool,
					  tv_label(tv_table_find(table, "Nature"), row));
	const char *value = tv_pool_text(table->pool, tv_label(tv_table_find(table, "Value"), row));

	return strcmp(nature, "state") == 0 ? value[1] - '0' : nature[0] == 't' ? -1 : -2;
}

static int worker_of(const struct tv_table *table, uint32_t row)
{
	return tv_pool_text(table->pool, tv_label(tv_table_find(table, "ResourceId"), row))[3]
	     - '0';
}

/* Pieces cover every nanosecond that has an owner, once, by its value. */
static void check_pieces(struct sample *s, const struct plan *p, int from, int to)
{
	const struct tv_table *table = tv_run_pass(&s->run, "states", piece, &s->err);
	int got[WORKERS][LENGTH];

	assert_non_null(table);
	for (int w = 0; w < WORKERS; w++)
		for (int t = 0; t < LENGTH; t++)
			got[w][t] = -2;
	for (uint32_t row = 0; row < table->nrows; row++)
		for (int64_t t = tv_table_find(table, "Start")->i[row];
		     t < tv_table_find(table, "End")->i[row]; t++) {
			int *cell = &got[worker_of(table, row)][t];

			assert_int_equal(*cell, -2);
			*cell = value_of(table, row);
		}
	for (int w = 0; w < WORKERS; w++)
		for (int t = 0; t < LENGTH; t++) {
			const struct span *of = t >= from && t < to ? owner(p, w, t) : NULL;

			assert_int_equal(got[w][t], of == NULL ? -2 : of->value);
		}
}

static void check_shares(struct sample *s, const struct plan *p, int from, int to)
{
	const struct tv_table *table = tv_run_pass(&s->run, "states", worker, &s->err);
	int64_t sum = 0;

	assert_non_null(table);
	for (uint32_t row = 0; row < table->nrows; row++) {
		int w = worker_of(table, row), value = value_of(table, row), time = 0;

		for (int t = from; t < to; t++) {
			const struct span *of = owner(p, w, t);

			time += (of == NULL ? -2 : of->value) == value;
		}
		assert_int_equal(tv_table_find(table, "Time")->i[row], time);
		assert_true(fabs(tv_table_find(table, "Share")->d[row] - 100.0 * time / (to - from))
			    < 1e-9);
		sum += time;
	}
	assert_int_equal(sum, (int64_t)WORKERS * (to - from));
}

static void every_nanosecond(void **state)
{
	uint64_t seed = unit_seed(77);

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		struct plan p;
		struct sample s;
		int from = 0, to = LENGTH;

		draw_plan(&p, &s, &seed);
		if (i % 2 == 1) {
			from = p.first + (int)unit_random(&seed, (uint64_t)(p.last - p.first));
			to = from + 1 + (int)unit_random(&seed, LENGTH);
			to = to < p.last ? to : p.last;
			s.run.window = (struct tv_window){ true, from, to };
		}
		check_pieces(&s, &p, from, to);
		check_shares(&s, &p, i % 2 == 1 ? from : p.first, i % 2 == 1 ? to : p.last);
		sample_release(&s);
	}
}

/* What is drawn are the pieces, in rows that overlap in no place. */
static void pieces_are_drawn(void **state)
{
	static const char *const panel[] = { "states" };
	static const double width[] = { 7.16, 3.5, 12 };
	struct tv_text *text = figure_text();
	uint64_t seed = unit_seed(5);

	(void)state;
	for (int i = 0; i < 20; i++) {
		struct tv_plot_options options = {
			.panel = panel, .npanels = 1, .label = "x", .width_in = width[i % 3]
		};
		const struct tv_table *table;
		struct plan p;
		struct sample s;
		struct tv_scene scene;
		uint32_t found = 0, wanted = 0;
		const int64_t *start, *end;
		int64_t axis = 0;
		double to = 0;

		draw_plan(&p, &s, &seed);
		figure_scene(&s, &options, text, 72.0 / 600, &scene);
		check_scene(&scene, "states");
		table = tv_run_pass(&s.run, "states", piece, &s.err);
		start = tv_table_find(table, "Start")->i;
		end = tv_table_find(table, "End")->i;
		for (size_t k = 0; k < scene.n; k++) {
			const struct tv_shape *a = &scene.shape[k];
			const struct tv_frame *frame = &scene.frame[a->frame];

			if (!shape_is(&scene, a, "state") || strcmp(frame->name, "states") != 0)
				continue;
			assert_true(fabs(a->x0 + (double)frame->begin
					 - fmax((double)start[a->row], (double)frame->begin))
				    < 1e-6);
			to = (double)frame->begin + frame->duration;
			assert_true(
				fabs(a->x1 + (double)frame->begin - fmin((double)end[a->row], to))
				< 1e-6);
			axis = frame->begin;
			found++;
		}
		for (uint32_t row = 0; row < table->nrows; row++)
			wanted += end[row] > axis && (double)start[row] < to;
		assert_int_equal(found, wanted);
		tv_scene_release(&scene);
		sample_release(&s);
	}
	tv_text_free(text);
}

int main(void)
{
	static const struct CMUnitTest test[] = {
		cmocka_unit_test(every_nanosecond),
		cmocka_unit_test(pieces_are_drawn),
	};

	return cmocka_run_group_tests(test, NULL, NULL);
}
