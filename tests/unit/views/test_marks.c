/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_marks.c -- small things planted where images hide them are marked at their places. */
#include "tests/unit/drawn.h"

static const double near = 0.01; /* points */

/* The only mark of a class is at a time, between two heights. */
static void check_mark(const struct tv_scene *scene, const char *class, int64_t at, double least,
		       double most)
{
	const struct tv_frame *f = &scene->frame[1];
	double x = f->x + (double)at / f->duration * f->width, box[4];
	unsigned n = 0;

	for (size_t i = 0; i < scene->n; i++) {
		if (!shape_is(scene, &scene->shape[i], class))
			continue;
		tv_shape_box(scene, &scene->shape[i], box);
		if (box[0] > x + scene->cell || box[2] < x - scene->cell || box[1] < least - near
		    || box[3] > most + near)
			fail_msg("a %s at %g %g, expected %g %g to %g", class, box[0], box[1], x,
				 least, most);
		n++;
	}
	if (n != 1)
		fail_msg("%u marks of %s, expected 1", n, class);
}

/* When the planted things are, ns, and how long. */
struct plants {
	int64_t gap, rare, outlier, length;
};

/* One worker's tasks, each as long as `usual`, one after the other; with plants, if any. */
static void fill_worker(struct tasks *t, unsigned w, int64_t usual, int64_t until,
			const struct plants *plants)
{
	char name[16];

	snprintf(name, sizeof name, "CPU%u", w);
	for (int64_t at = 0; at < until;) {
		int64_t next = at + usual;

		if (plants != NULL && at <= plants->gap && plants->gap < next) {
			tasks_add(t, "0", name, "gemm", "app", at, plants->gap);
			at = plants->gap + plants->length;
			continue;
		}
		if (plants != NULL && at <= plants->rare && plants->rare < next) {
			next = at + plants->length;
			tasks_add(t, "0", name, "rare", "app", at, next);
		} else {
			if (plants != NULL && at <= plants->outlier && plants->outlier < next)
				next = at + plants->length;
			tasks_add(t, "0", name, "gemm", "app", at, next);
		}
		at = next;
	}
}

enum { LENGTH = 400000000 };

/* Draws workers full of tasks of a twelfth of a cell; where there are many, most do little. */
static void draw_workers(struct drawn *d, unsigned workers, double cell, int64_t usual,
			 const struct plants *plants)
{
	struct tasks t;
	struct sample s;

	tasks_begin(&t);
	for (unsigned w = 0; w < workers; w++)
		fill_worker(&t, w, usual, workers <= 12 || w == workers / 2 ? LENGTH : 20 * usual,
			    w == workers / 2 ? plants : NULL);
	tasks_sample(&t, &s);
	draw(d, &s, 7.16, cell, (const char *const[]){ NULL });
	sample_release(&s);
}

/*
 * Rows full of short tasks in which one gap, one outlier and one task of a rare type, each of 0.3
 * cells, hide: each is marked at its time, below the row of its worker or, where rows are low,
 * below its type; and nothing else is.
 */
static void plants_are_found(void **state)
{
	static const struct {
		unsigned workers;
		double dpi;
	} row[] = {
		{ 1, 200 }, { 4, 600 }, { 12, 200 }, { 90, 200 }, { 600, 200 }, { 2000, 200 },
	};

	(void)state;
	for (size_t r = 0; r < TV_COUNT(row); r++) {
		struct plants plants = { LENGTH / 7, LENGTH / 2, LENGTH / 5 * 4, 0 };
		unsigned n = row[r].workers;
		double y0 = 0, y1 = 1e9, slot;
		int64_t cell, middle;
		struct drawn d;

		/* First to learn how long a cell is. */
		draw_workers(&d, n, 72 / row[r].dpi, LENGTH / 10, NULL);
		cell = (int64_t)(d.scene.cell / d.scene.frame[1].width * d.scene.frame[1].duration);
		undraw(&d);
		plants.length = cell * 3 / 10;
		middle = plants.length / 2;
		draw_workers(&d, n, 72 / row[r].dpi, cell / 12, &plants);
		slot = d.scene.frame[1].height / n;
		if (n <= 12) {
			y0 = d.scene.frame[1].y + slot * (n / 2) - 1;
			y1 = y0 + slot + 2;
		}
		check_mark(&d.scene, "gap", plants.gap + middle, y0, y1);
		check_mark(&d.scene, "rare", plants.rare + middle, y0, y1);
		check_mark(&d.scene, "mark", plants.outlier + middle, y0, y1);
		undraw(&d);

		/* A gap of a tenth of a cell is none. */
		plants.length = cell / 10;
		draw_workers(&d, n, 72 / row[r].dpi, cell / 12, &plants);
		assert_int_equal(count(&d.scene, "gap"), 0);
		undraw(&d);
	}
}

/* With a length asked for, all gaps from that on are marked, none that is shorter, and the figure
 * says it. */
static void gaps_from_a_length_on(void **state)
{
	static const char csv[] = "ResourceId,Value,Start,End,JobId\nCPU0,a,0,10,1\n"
				  "CPU0,a,11,20,2\nCPU0,a,22,30,3\nCPU0,a,33,40,4\n";
	static const struct {
		const char *least;
		unsigned n;
	} row[] = {
		{ "1", 3 }, { "1.000001", 2 }, { "2ms", 2 },  { "3", 1 },
		{ "4", 0 }, { "no", 0 },       { "auto", 0 },
	};
	struct sample s;

	(void)state;
	sample_make(&s, csv);
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		unsigned said = 0;
		struct drawn d;

		draw(&d, &s, 7, 0.36, (const char *const[]){ "gaps", row[i].least, NULL });
		for (size_t k = 0; k < d.scene.n; k++)
			said += d.scene.shape[k].kind == TV_SHAPE_TEXT
			     && strstr(tv_pool_text(d.scene.strings, d.scene.shape[k].first),
				       "black marks: idle")
					!= NULL;
		if (count(&d.scene, "gap") != row[i].n || said != (row[i].n > 0))
			fail_msg("%s: %u gaps marked, expected %u", row[i].least,
				 count(&d.scene, "gap"), row[i].n);
		undraw(&d);
	}
	sample_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plants_are_found),
		cmocka_unit_test(gaps_from_a_length_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
