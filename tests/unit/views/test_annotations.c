/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_annotations.c -- what the user points at lies where it says. */
#include "tests/unit/figure.h"

static const double pdf_cell = 72.0 / 600;

enum { WORKERS = 5, TASKS = 300 };

/* Tasks of some types on WORKERS workers, the first one a GPU. */
static void make_run(struct sample *s, uint64_t seed)
{
	int64_t at[WORKERS] = { 0 };
	struct tasks t;

	unit_seed(seed);
	tasks_begin(&t);
	for (int i = 0; i < TASKS; i++) {
		unsigned w = (unsigned)unit_random(&seed, WORKERS);
		int64_t length = 1 + (int64_t)unit_random(&seed, 9000000);
		char resource[32], type[32];

		snprintf(resource, sizeof resource, "%s%u", w == 0 ? "CUDA" : "CPU", w);
		snprintf(type, sizeof type, "k%u", (unsigned)unit_random(&seed, 3));
		tasks_add(&t, "0", resource, type, "app", at[w], at[w] + length);
		at[w] += length + (int64_t)unit_random(&seed, 2000000);
	}
	tasks_sample(&t, s);
}

static struct tv_frame frame_of(const struct tv_scene *scene, const char *name)
{
	for (size_t i = 0; i < scene->nframes; i++)
		if (strcmp(scene->frame[i].name, name) == 0)
			return scene->frame[i];
	fail_msg("no frame is named %s", name);
	return scene->frame[0];
}

/* Where a time is in a frame, points. */
static double x_of(const struct tv_frame *frame, int64_t time)
{
	return frame->x + (double)(time - frame->begin) / frame->duration * frame->width;
}

static uint32_t row_of_job(const struct tv_tasks *tasks, const char *job)
{
	uint32_t row = 0;

	while (strcmp(tv_pool_text(tasks->pool, tasks->job[row]), job) != 0)
		row++;
	return row;
}

static void draw(struct sample *s, struct tv_text *text, const struct tv_setting *setting, size_t n,
		 double width, struct tv_scene *scene)
{
	struct tv_plot_options options = { .width_in = width, .setting = setting, .nsettings = n };

	figure_scene(s, &options, text, pdf_cell, scene);
	check_scene(scene, "annotations");
}

static void end(struct sample *s, struct tv_text *text, struct tv_scene *scene)
{
	tv_scene_release(scene);
	sample_release(s);
	tv_text_free(text);
}

/* Every x of the vertical lines of a class, within half a cell, and nothing but these. */
static void check_lines(const struct tv_scene *scene, const char *class, const double *x, size_t n)
{
	unsigned found[8] = { 0 };

	for (size_t i = 0; i < scene->n; i++) {
		double box[4];
		size_t k;

		if (!shape_is(scene, &scene->shape[i], class))
			continue;
		tv_shape_box(scene, &scene->shape[i], box);
		for (k = 0; k < n && fabs(box[0] - x[k]) > pdf_cell / 2; k++)
			;
		if (k == n)
			fail_msg("a %s at %g", class, box[0]);
		found[k]++;
	}
	for (size_t k = 0; k < n; k++)
		if (found[k] == 0)
			fail_msg("no %s at %g", class, x[k]);
}

static void lines_lie_at_their_times(void **state)
{
	static const struct tv_setting setting[] = {
		{ NULL, "mark", "100=first" },	       { NULL, "mark", "0.2s=second = equal" },
		{ NULL, "vlines", "50,60ms,70000us" }, { NULL, "span", "120..150=a span" },
		{ NULL, "mark", "99999=outside" },     { NULL, "span", "-50..-20=outside" },
	};
	struct tv_text *text = figure_text();
	struct tv_scene scene;
	struct tv_frame frame;
	struct sample s;
	unsigned outside = 0;

	(void)state;
	make_run(&s, 1);
	draw(&s, text, setting, TV_COUNT(setting), 7.16, &scene);
	frame = frame_of(&scene, "spacetime");
	check_lines(&scene, "mark", (double[]){ x_of(&frame, 100000000), x_of(&frame, 200000000) },
		    2);
	check_lines(&scene, "vline",
		    (double[]){ x_of(&frame, 50000000), x_of(&frame, 60000000),
				x_of(&frame, 70000000) },
		    3);
	check_lines(&scene, "span", (double[]){ x_of(&frame, 120000000), x_of(&frame, 150000000) },
		    2);
	check_lines(&scene, "span-bracket", (double[]){ x_of(&frame, 120000000) }, 1);
	for (size_t i = 0; i < s.run.diagnostics.n; i++)
		outside += strstr(s.run.diagnostics.at[i].text,
				  "outside' left out: the figure shows")
			!= NULL;
	assert_int_equal(outside, 2);
	end(&s, text, &scene);
}

/* Brackets are higher only where their spans overlap: those that touch do not. */
static void brackets_have_levels(void **state)
{
	static const struct tv_setting setting[] = {
		{ NULL, "span", "20..50=a" },
		{ NULL, "span", "50..80=b" },
		{ NULL, "span", "60..90=c" },
		{ NULL, "span", "100..120=d" },
	};
	struct tv_text *text = figure_text();
	double y[4], box[4];
	struct tv_scene scene;
	struct tv_frame frame;
	struct sample s;
	size_t n = 0;

	(void)state;
	make_run(&s, 1);
	draw(&s, text, setting, TV_COUNT(setting), 7.16, &scene);
	frame = frame_of(&scene, "spacetime");
	for (size_t i = 0; i < scene.n; i++) {
		if (!shape_is(&scene, &scene.shape[i], "span-bracket"))
			continue;
		tv_shape_box(&scene, &scene.shape[i], box);
		assert_true(n < TV_COUNT(y));
		for (size_t k = 0; k < TV_COUNT(y); k++)
			if (fabs(box[0] - x_of(&frame, (int64_t[]){ 20, 50, 60, 100 }[k] * 1000000))
			    < pdf_cell)
				y[k] = (box[1] + box[3]) / 2;
		n++;
	}
	assert_int_equal(n, TV_COUNT(y));
	assert_true(y[0] == y[1] && y[0] == y[3] && y[2] > y[0] + 1);
	end(&s, text, &scene);
}

/* Any number of marks and spans, close or far: no text overlaps, and every text is there, above its
 * line or in the list. */
static void texts_never_overlap(void **state)
{
	static const double width[] = { 7.16, 3.5, 12 };
	struct tv_text *text = figure_text();
	uint64_t seed = unit_seed(3);
	struct sample s;

	(void)state;
	make_run(&s, 2);
	for (int round = 0; round < 60; round++) {
		char value[12][96];
		struct tv_setting setting[12];
		size_t n = 1 + unit_random(&seed, TV_COUNT(setting)), texts = 0;
		struct tv_scene scene;
		uint64_t spread = 1 + unit_random(&seed, 250);

		for (size_t i = 0; i < n; i++) {
			unsigned at = (unsigned)unit_random(&seed, spread);
			bool span = unit_random(&seed, 3) == 0;
			int length = 1 + (int)unit_random(&seed, 30);
			char until[32] = "";

			if (span)
				snprintf(until, sizeof until, "..%u",
					 at + 1 + (unsigned)unit_random(&seed, 40));
			snprintf(value[i], sizeof value[i], "%u%s=%.*s", at, until, length,
				 "what happened here was not so good");
			setting[i] = (struct tv_setting){ NULL, span ? "span" : "mark", value[i] };
		}
		draw(&s, text, setting, n, width[round % 3], &scene);
		for (size_t i = 0; i < scene.n; i++)
			texts += shape_is(&scene, &scene.shape[i], "mark-text")
			      || shape_is(&scene, &scene.shape[i], "span-text")
			      || shape_is(&scene, &scene.shape[i], "flag-list");
		assert_int_equal(texts, n);
		tv_scene_release(&scene);
	}
	sample_release(&s);
	tv_text_free(text);
}

/* Whether the time lies in a highlight of the row [y0, y1]. */
static bool is_outlined(const struct tv_scene *scene, double x, double y0, double y1)
{
	for (size_t i = 0; i < scene->n; i++) {
		double box[4];

		if (!shape_is(scene, &scene->shape[i], "highlight"))
			continue;
		tv_shape_box(scene, &scene->shape[i], box);
		if (x > box[0] - 0.6 && x < box[2] + 0.6 && (y0 + y1) / 2 > box[1]
		    && (y0 + y1) / 2 < box[3])
			return true;
	}
	return false;
}

static void highlights_hold(void **state)
{
	static const struct tv_setting setting[] = {
		{ NULL, "highlight", "Value == k1 and Duration > 2" },
		{ "spacetime", "height", "3" },
	};
	struct tv_text *text = figure_text();

	(void)state;
	for (uint64_t seed = 1; seed <= 5; seed++) {
		struct tv_scene scene;
		struct sample s;
		unsigned expected = 0, k1;
		char legend[96];
		bool said = false;

		make_run(&s, seed);
		draw(&s, text, setting, TV_COUNT(setting), 7.16, &scene);
		k1 = tv_pool_find_text(s.run.tasks.pool, "k1");
		for (uint32_t i = 0; i < s.run.tasks.n; i++)
			expected += s.run.tasks.value[i] == k1
				 && s.run.tasks.end[i] - s.run.tasks.start[i] > 2000000;
		snprintf(legend, sizeof legend, "Value == k1 and Duration > 2 (%u)", expected);
		for (size_t i = 0; i < scene.n; i++) {
			const struct tv_shape *shape = &scene.shape[i];
			bool task = shape_is(&scene, shape, "task")
				 || shape_is(&scene, shape, "outlier");
			double box[4];

			said = said
			    || (shape_is(&scene, shape, "legend-text")
				&& strcmp(tv_pool_text(scene.strings, shape->first), legend) == 0);
			if (!task || s.run.tasks.value[shape->row] != k1
			    || s.run.tasks.end[shape->row] - s.run.tasks.start[shape->row]
				       <= 2000000)
				continue;
			tv_shape_box(&scene, shape, box);
			assert_true(is_outlined(&scene, (box[0] + box[2]) / 2, box[1], box[3]));
		}
		assert_true(said);
		for (size_t i = 0; i < scene.n; i++) /* and no others */
			if (shape_is(&scene, &scene.shape[i], "highlight")
			    && scene.shape[i].row != TV_NONE)
				assert_int_equal(s.run.tasks.value[scene.shape[i].row], k1);
		tv_scene_release(&scene);
		sample_release(&s);
	}
	tv_text_free(text);
}

/* From the last End of a job that ran twice to the first Start of another. */
static void arrows_point(void **state)
{
	static const struct tv_setting setting[] = { { NULL, "arrow", "a:b:c:d" } };
	struct tv_text *text = figure_text();
	struct tv_scene scene;
	struct tv_frame frame;
	struct sample s;
	unsigned found = 0;

	(void)state;
	sample_make(&s, "ResourceId,Value,Start,End,JobId\nCPU0,x,0,10,a:b\nCPU1,x,2,30,a:b\n"
			"CPU2,x,60,70,c:d\nCPU0,x,80,100,c:d\nCPU1,x,40,50,a\n");
	draw(&s, text, setting, 1, 7.16, &scene);
	frame = frame_of(&scene, "spacetime");
	for (size_t i = 0; i < scene.n; i++) {
		const struct tv_shape *shape = &scene.shape[i];
		double box[4];

		tv_shape_box(&scene, shape, box);
		if (shape_is(&scene, shape, "arrow")) {
			found |= 1;
			assert_true(fabs(box[0] - x_of(&frame, 30000000)) < 0.01);
			assert_true(fabs(box[1] - frame.y - frame.height / 2) < frame.height / 6);
		}
		if (shape_is(&scene, shape, "arrow-head")) {
			found |= 2;
			assert_true(fabs(box[2] - x_of(&frame, 60000000)) < 0.5);
			assert_true(box[3] > frame.y + frame.height * 2 / 3);
		}
	}
	assert_int_equal(found, 3);
	end(&s, text, &scene);
}

/* Every label is its task's and lies in its rectangle, in st and in the zoom. */
static void labels_lie_in_their_tasks(void **state)
{
	static const struct tv_setting setting[] = {
		{ NULL, "task-labels", "{JobId}/{Value}" },
		{ NULL, "zoom", "50..90,CPU*" },
	};
	struct tv_text *text = figure_text();
	struct tv_scene scene;
	struct sample s;
	unsigned labels = 0;

	(void)state;
	make_run(&s, 7);
	draw(&s, text, setting, TV_COUNT(setting), 12, &scene);
	for (size_t i = 0; i < scene.n; i++) {
		const struct tv_shape *label = &scene.shape[i];
		bool inside = false;
		char want[64];

		if (!shape_is(&scene, label, "task-label"))
			continue;
		labels++;
		snprintf(want, sizeof want, "%s/%s",
			 tv_pool_text(s.run.tasks.pool, s.run.tasks.job[label->row]),
			 tv_pool_text(s.run.tasks.pool, s.run.tasks.value[label->row]));
		assert_string_equal(tv_pool_text(scene.strings, label->first), want);
		for (size_t k = 0; k < scene.n && !inside; k++) {
			const struct tv_shape *task = &scene.shape[k];
			double box[4];

			if (task->row != label->row || task->kind != TV_SHAPE_RECT)
				continue;
			tv_shape_box(&scene, task, box);
			inside = label->x0 >= box[0] && label->x1 <= box[2]
			      && label->y0 >= box[1] - 1e-6 && label->y1 <= box[3] + 1e-6;
		}
		assert_true(inside);
	}
	assert_true(labels > 20);
	end(&s, text, &scene);
}

/* A zoom has the tasks of its rows that touch its window, each where its times say. */
static void zooms_show_their_window(void **state)
{
	static const struct tv_setting setting[] = { { NULL, "zoom", "50..90,CUDA*,CPU3" } };
	struct tv_text *text = figure_text();
	struct tv_scene scene;
	struct tv_frame frame;
	struct sample s;
	unsigned found = 0, expected = 0;

	(void)state;
	make_run(&s, 9);
	draw(&s, text, setting, TV_COUNT(setting), 7.16, &scene);
	frame = frame_of(&scene, "zoom");
	assert_true(frame.begin == 50000000 && fabs(frame.duration - 40000000) < 1);
	for (uint32_t i = 0; i < s.run.tasks.n; i++) {
		uint32_t w = s.run.tasks.worker[i];
		const char *name = tv_pool_text(s.run.tasks.pool, s.run.tasks.workers[w].resource);

		expected += (strcmp(name, "CUDA0") == 0 || strcmp(name, "CPU3") == 0)
			 && s.run.tasks.start[i] < 90000000 && s.run.tasks.end[i] > 50000000;
	}
	for (size_t i = 0; i < scene.n; i++) {
		const struct tv_shape *shape = &scene.shape[i];
		const char *of = scene.frame[shape->frame].name;
		int64_t from, to;
		double box[4];

		if (strcmp(of, "zoom") != 0 || shape->kind != TV_SHAPE_RECT)
			continue;
		found++;
		from = s.run.tasks.start[shape->row] > 50000000 ? s.run.tasks.start[shape->row]
								: 50000000;
		to = s.run.tasks.end[shape->row] < 90000000 ? s.run.tasks.end[shape->row]
							    : 90000000;
		tv_shape_box(&scene, shape, box);
		assert_true(fabs(box[0] - x_of(&frame, from)) < 0.01);
		assert_true(fabs(box[2] - x_of(&frame, to)) < 0.01);
	}
	assert_int_equal(found, expected);
	assert_true(expected > 5);
	frame = frame_of(&scene, "spacetime");
	check_lines(&scene, "zoom-box", (double[]){ x_of(&frame, 50000000) }, 1);
	end(&s, text, &scene);
}

/* In every facet at its own time, counted from where the runs are aligned. */
static void facets_have_their_own(void **state)
{
	static const struct tv_setting setting[] = {
		{ NULL, "mark", "20=twenty" },
		{ NULL, "span", "-10..10=around" },
		{ NULL, "vlines", "-1,1" },
		{ NULL, "span", "-11..9=just around that, before" },
		{ NULL, "highlight", "Value == k1" },
		{ NULL, "zoom", "-40..20" },
		{ NULL, "zoom", "-999..-400" },
	};
	struct tv_text *text = figure_text();
	struct tv_error err = { 0 };
	struct tv_scene scene;
	struct sample s[4];
	struct tv_facet facet[TV_COUNT(s)];
	struct tv_plot_options options = { .setting = setting,
					   .nsettings = TV_COUNT(setting),
					   .facet = facet,
					   .nfacets = TV_COUNT(s),
					   .rows = 2,
					   .columns = 2,
					   .align = "task:40" };
	unsigned marks = 0, frames = 0;

	(void)state;
	for (unsigned i = 0; i < TV_COUNT(s); i++) {
		make_run(&s[i], i + 20);
		facet[i] = (struct tv_facet){
			.run = &s[i].run, .label = "run", .row = i / 2, .column = i % 2
		};
	}
	if (tv_plot_scene(NULL, &options, text, pdf_cell, false, &scene, &err) < 0)
		fail_msg("%s", err.text);
	check_scene(&scene, "facets");
	for (size_t k = 0; k < scene.nframes; k++) {
		const struct tv_frame *frame = &scene.frame[k];
		const struct tv_tasks *tasks = &s[frames % TV_COUNT(s)].run.tasks;
		double x;

		if (strcmp(frame->name, "spacetime") != 0)
			continue;
		frames++;
		x = x_of(frame, tasks->start[row_of_job(tasks, "40")] + 20000000);
		for (size_t i = 0; i < scene.n; i++) {
			double box[4];

			tv_shape_box(&scene, &scene.shape[i], box);
			marks += shape_is(&scene, &scene.shape[i], "mark")
			      && fabs(box[0] - x) < pdf_cell / 2 && box[3] > frame->y
			      && box[1] < frame->y + frame->height;
		}
	}
	assert_int_equal(frames, TV_COUNT(s));
	assert_true(marks >= TV_COUNT(s));
	tv_scene_release(&scene);
	for (unsigned i = 0; i < TV_COUNT(s); i++)
		sample_release(&s[i]);
	tv_text_free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_lie_at_their_times),
		cmocka_unit_test(brackets_have_levels),
		cmocka_unit_test(texts_never_overlap),
		cmocka_unit_test(highlights_hold),
		cmocka_unit_test(arrows_point),
		cmocka_unit_test(labels_lie_in_their_tasks),
		cmocka_unit_test(zooms_show_their_window),
		cmocka_unit_test(facets_have_their_own),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
