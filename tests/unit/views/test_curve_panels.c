/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_curve_panels.c -- panels of curves and maps over time: what they draw is what was counted
 * here task by task. */
#include "tests/unit/paths.h"

#include "views/charts/starvation.h"
#include "views/scene/ramp.h"

enum { TASKS = 60, WORKERS = 5, TYPES = 15 };

static const double cell = 72.0 / 200;

/* A run as arrays, to count in. */
struct truth {
	unsigned n, worker[TASKS], type[TASKS];
	int64_t start[TASKS], end[TASKS], last;
};

static const char *const workers[WORKERS] = { "CUDA0", "CUDA1", "CPU0", "CPU1", "CPU2" };

static bool is_cuda(unsigned worker)
{
	return worker < 2;
}

/* overlaps: tasks of a worker may run at the same time. */
static void make(struct truth *truth, struct sample *s, unsigned types, bool overlaps,
		 uint64_t seed)
{
	int64_t at[WORKERS] = { 0 };
	struct tasks t;

	unit_seed(seed);
	*truth = (struct truth){ .n = TASKS };
	tasks_begin(&t);
	for (unsigned i = 0; i < TASKS; i++) {
		unsigned w = i < WORKERS ? i : (unsigned)unit_random(&seed, WORKERS);
		int64_t length = 1000000 * (1 + (int64_t)unit_random(&seed, 20));
		char type[16];

		truth->worker[i] = w;
		truth->type[i] = (unsigned)unit_random(&seed, types);
		truth->start[i] = i == 0 ? 0 : at[w] + 1000000 * (int64_t)unit_random(&seed, 9);
		truth->end[i] = truth->start[i] + length;
		at[w] = overlaps ? truth->start[i] : truth->end[i];
		truth->last = truth->end[i] > truth->last ? truth->end[i] : truth->last;
		snprintf(type, sizeof type, "k%u", truth->type[i]);
		tasks_add(&t, "0", workers[w], type, "app", truth->start[i], truth->end[i]);
	}
	tasks_sample(&t, s);
}

/* Tasks of a type (TYPES = any) that run at a time on workers chosen by kind: 0 CPU, 1 CUDA, 2 any.
 */
static unsigned running(const struct truth *truth, int64_t t, unsigned type, int kind)
{
	unsigned n = 0;

	for (unsigned i = 0; i < truth->n; i++)
		n += truth->start[i] <= t && t < truth->end[i]
		  && (type == TYPES || truth->type[i] == type)
		  && (kind == 2 || is_cuda(truth->worker[i]) == kind);
	return n;
}

/* The value of a curve of a result at a time, or -1. */
static double value_at(const struct tv_table *table, const char *curve, const char *group,
		       int64_t t)
{
	for (uint32_t row = 0; row < table->nrows; row++)
		if (strcmp(tv_pool_text(table->pool, tv_label(table->col[0], row)), curve) == 0
		    && strcmp(tv_pool_text(table->pool, tv_label(table->col[1], row)), group) == 0
		    && tv_table_find(table, "Start")->i[row] <= t
		    && t < tv_table_find(table, "End")->i[row])
			return tv_table_find(table, "Value")->d[row];
	return -1;
}

static void usage_counts_per_kind_of_worker(void **state)
{
	struct truth truth;
	struct sample s;

	(void)state;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		const struct tv_table *table;

		make(&truth, &s, 4, seed % 2 == 0, seed);
		table = tv_run_pass(&s.run, "share", NULL, &s.err);
		assert_non_null(table);
		for (int64_t t = 500000; t < truth.last; t += 1000000)
			for (unsigned k = 0; k < 4; k++)
				for (int cuda = 0; cuda <= 1; cuda++) {
					char type[16];
					double want = 100.0 * running(&truth, t, k, cuda)
						    / (cuda ? 2 : 3);

					snprintf(type, sizeof type, "k%u", k);
					assert_true(value_at(table, cuda ? "CUDA" : "CPU", type, t)
						    == want);
				}
		sample_release(&s);
	}
}

/* ---- what a figure shows at a time ---- */

static uint32_t legend_color(const struct tv_scene *scene, unsigned place)
{
	uint32_t color = TV_NO_COLOR; /* of outliers, which is drawn over the other one */

	for (size_t i = 0; i < scene->n; i++) {
		if (shape_is(scene, &scene->shape[i], "swatch"))
			color = scene->shape[i].fill;
		else if (shape_is(scene, &scene->shape[i], "legend-text") && place-- == 0)
			return color;
	}
	return TV_NO_COLOR;
}

static void draw(struct sample *s, const char *panel, const struct tv_setting *setting, size_t n,
		 struct tv_text *text, struct tv_scene *scene)
{
	const char *const panels[] = { panel };
	const struct tv_plot_options options = {
		.panel = panels, .npanels = 1, .setting = setting, .nsettings = n, .width_in = 12
	};

	figure_scene(s, &options, text, cell, scene);
}

/* Types in the order of the legend: by total time, then by name. */
static void rank_types(const struct truth *truth, unsigned types, unsigned *rank)
{
	int64_t time[TYPES] = { 0 };

	for (unsigned i = 0; i < truth->n; i++)
		time[truth->type[i]] += truth->end[i] - truth->start[i];
	for (unsigned k = 0; k < types; k++) {
		unsigned at = k;

		for (; at > 0 && time[rank[at - 1]] < time[k]; at--)
			rank[at] = rank[at - 1];
		rank[at] = k;
	}
}

/* Layers of running tasks: each as high as the types up to it, in the order of the legend; types
 * without a color are summed on top. */
static void concurrency_stacks_what_runs(void **state)
{
	static const struct tv_setting limit[] = { { "concurrency", "limit", "20" } };
	struct tv_text *text = figure_text();
	struct tv_scene scene;
	struct truth truth;
	struct sample s;

	(void)state;
	for (unsigned types = 3; types <= TYPES; types += 12) {
		const struct drawn drawn = { &scene, "concurrency", 20 };
		unsigned rank[TYPES];

		make(&truth, &s, types, true, types);
		rank_types(&truth, types, rank);
		draw(&s, "concurrency", limit, 1, text, &scene);
		for (int64_t t = 500000; t < truth.last; t += 1000000) {
			double sum = 0;

			for (unsigned k = 0; k < types && k < 12; k++) {
				uint32_t color = legend_color(&scene, k);
				double now = running(&truth, t, rank[k], 2);

				sum += now;
				if (now > 0 && fabs(area_at(&drawn, color, t) - sum) > 1e-9)
					fail_msg("type %u at %g ms: %g, expected %g", k,
						 (double)t / 1e6, area_at(&drawn, color, t), sum);
			}
			assert_true(
				fabs(area_at(&drawn, TV_NO_COLOR, t) - running(&truth, t, TYPES, 2))
				< 1e-9);
		}
		tv_scene_release(&scene);
		sample_release(&s);
	}
	tv_text_free(text);
}

/* Two frames, GPUs above; 100 at the upper end. */
static void usage_has_a_frame_per_kind(void **state)
{
	struct tv_text *text = figure_text();
	struct tv_scene scene;
	struct truth truth;
	struct sample s;

	(void)state;
	make(&truth, &s, 3, false, 5);
	draw(&s, "share", NULL, 0, text, &scene);
	for (int64_t t = 500000; t < truth.last; t += 1000000)
		for (int cuda = 0; cuda <= 1; cuda++) {
			double most = 0,
			       want = 100.0 * running(&truth, t, TYPES, cuda) / (cuda ? 2 : 3);
			const struct drawn drawn = { &scene, "share", 100 };

			for (size_t i = 0; i < scene.n; i++)
				if (shape_is(&scene, &scene.shape[i], "layer")
				    && (scene.frame[scene.shape[i].frame].y < scene.height / 2)
					       == cuda)
					most = fmax(most, path_at(&drawn, &scene.shape[i], t));
			if (fabs(most - want) > 1e-9)
				fail_msg("cuda %d at %g ms: %g, expected %g", cuda, (double)t / 1e6,
					 most, want);
		}
	tv_scene_release(&scene);
	sample_release(&s);
	tv_text_free(text);
}

/* Mean and imbalance time of each step, from the definition. */
static void imbalance_follows_its_definition(void **state)
{
	static const struct tv_setting step[] = { { "imbalance", "step", "10" } };
	const int64_t length = 10000000;
	struct tv_text *text = figure_text();
	struct tv_scene scene;
	struct truth truth;
	struct sample s;

	(void)state;
	make(&truth, &s, 3, false, 9);
	draw(&s, "imbalance", step, 1, text, &scene);
	for (int64_t begin = 0; begin < truth.last; begin += length) {
		int64_t end = begin + length < truth.last ? begin + length : truth.last, most = 0,
			sum = 0;
		const struct drawn drawn = { &scene, "imbalance", 100 };

		for (unsigned w = 0; w < WORKERS; w++) {
			int64_t busy = 0;

			for (unsigned i = 0; i < truth.n; i++) {
				int64_t from = truth.start[i] > begin ? truth.start[i] : begin;
				int64_t to = truth.end[i] < end ? truth.end[i] : end;

				busy += truth.worker[i] == w && from < to ? to - from : 0;
			}
			most = busy > most ? busy : most;
			sum += busy;
		}
		assert_true(fabs(curve_at(&drawn, 0x0072b2, begin + 500000)
				 - 100.0 * (double)sum / WORKERS / (double)(end - begin))
			    < 1e-9);
		assert_true(fabs(curve_at(&drawn, 0xd55e00, begin + 500000)
				 - 100.0 * ((double)most - (double)sum / WORKERS)
					   / (double)(end - begin))
			    < 1e-9);
	}
	tv_scene_release(&scene);
	sample_release(&s);
	tv_text_free(text);
}

/* Time that tasks of a worker lie in [begin, end). */
static double busy_in(const struct truth *truth, unsigned worker, double begin, double end)
{
	double busy = 0;

	for (unsigned i = 0; i < truth->n; i++)
		if (truth->worker[i] == worker)
			busy += fmax(0, fmin(end, (double)truth->end[i])
						- fmax(begin, (double)truth->start[i]));
	return busy;
}

/* A pixel shows the steps that it touches, each with its share of the pixel. */
static double pixel_share(const struct truth *truth, unsigned worker, double begin, double end,
			  double step)
{
	double sum = 0;

	for (double at = 0; at < (double)truth->last; at += step) {
		double stop = fmin(at + step, (double)truth->last);
		double part = fmin(end, stop) - fmax(begin, at);

		if (part > 0)
			sum += busy_in(truth, worker, at, stop) / (stop - at) * part;
	}
	return sum / (end - begin);
}

static bool alike(uint32_t a, uint32_t b)
{
	for (int shift = 0; shift <= 16; shift += 8)
		if (abs((int)(a >> shift & 0xff) - (int)(b >> shift & 0xff)) > 1)
			return false;
	return true;
}

static void utilisation_is_busy_time(void **state)
{
	struct tv_text *text = figure_text();
	struct tv_scene scene;
	struct truth truth;
	struct sample s;

	(void)state;
	for (int fine = 0; fine <= 1; fine++) {
		const struct tv_setting step[] = { { "utilization", "step",
						     fine ? "30us" : "10" } };
		unsigned row = 0;

		make(&truth, &s, 3, false, 11);
		draw(&s, "utilization", step, 1, text, &scene);
		for (size_t i = 0; i < scene.n; i++) {
			const struct tv_shape *shape = &scene.shape[i];
			const struct tv_image *image = &scene.image[shape->first];

			if (!shape_is(&scene, shape, "load"))
				continue;
			for (uint32_t x = 0; x < image->width; x++) {
				double begin = floor(shape->x1 * x / image->width);
				double end = x + 1 == image->width
						   ? shape->x1
						   : floor(shape->x1 * (x + 1) / image->width);
				double share = pixel_share(&truth, row, begin, end,
							   fine ? 30e3 : 10e6);

				if (!alike(image->pixel[x], tv_ramp_color(TV_RAMP_LOAD, share)))
					fail_msg("row %u, pixel %u: %06x, expected share %g", row,
						 x, image->pixel[x], share);
			}
			row++;
		}
		assert_int_equal(row, WORKERS);
		tv_scene_release(&scene);
		sample_release(&s);
	}
	tv_text_free(text);
}

/* Rows lower than a cell show the mean of their workers: here of one that works and one that does
 * not, by turns. */
static void low_rows_are_means(void **state)
{
	static const struct tv_setting height[] = { { "utilization", "height", "0.5" } };
	struct tv_text *text = figure_text();
	struct tv_scene scene;
	struct tasks t;
	struct sample s;
	uint32_t pixel[400], n = 0;

	(void)state;
	tasks_begin(&t);
	for (unsigned w = 0; w < 400; w++) {
		char name[16];

		snprintf(name, sizeof name, "CPU%u", w);
		tasks_add(&t, "0", name, "k", "app", w % 2 == 0 ? 0 : 99000000, 100000000);
	}
	tasks_sample(&t, &s);
	draw(&s, "utilization", height, 1, text, &scene);
	for (size_t i = 0; i < scene.n; i++)
		if (shape_is(&scene, &scene.shape[i], "load")) {
			const struct tv_image *image = &scene.image[scene.shape[i].first];

			pixel[n++] = image->pixel[image->width / 2];
		}
	assert_in_range(n, 20, 200);
	for (uint32_t l = 0; l < n; l++) {
		uint32_t from = l * 400 / n, to = (l + 1) * 400 / n;
		double even = (to + 1) / 2 - (from + 1) / 2;

		assert_true(alike(pixel[l], tv_ramp_color(TV_RAMP_LOAD, even / (to - from))));
	}
	check_scene(&scene, "low rows");
	tv_scene_release(&scene);
	sample_release(&s);
	tv_text_free(text);
}

static void ramps_darken(void **state)
{
	(void)state;
	for (int ramp = TV_RAMP_LOAD; ramp <= TV_RAMP_LACK; ramp++) {
		double before = 1e9;

		assert_int_equal(tv_ramp_color((enum tv_ramp)ramp, 0), 0xffffff);
		assert_int_equal(tv_ramp_color((enum tv_ramp)ramp, NAN), 0xffffff);
		assert_int_equal(tv_ramp_color((enum tv_ramp)ramp, -1), 0xffffff);
		assert_int_equal(tv_ramp_color((enum tv_ramp)ramp, 2),
				 tv_ramp_color((enum tv_ramp)ramp, 1));
		for (int i = 0; i <= 50; i++) {
			uint32_t color = tv_ramp_color((enum tv_ramp)ramp, i / 50.0);
			double light = 0.2126 * (color >> 16 & 0xff) + 0.7152 * (color >> 8 & 0xff)
				     + 0.0722 * (color & 0xff);

			assert_true(light < before);
			before = light;
		}
	}
}

/* ---- counters ---- */

/* Adds a reading of the variable "used" to a trace; times in ms. */
static void add_reading(struct sample *s, const char *resource, int64_t start, int64_t end,
			double value)
{
	struct tv_table *table = &s->trace.table[TV_VARIABLES];
	uint32_t row = tv_table_add_row(table);
	struct tv_column *to[] = {
		tv_table_column(table, "ResourceId", TV_LABEL, &s->err),
		tv_table_column(table, "Type", TV_LABEL, &s->err),
		tv_table_column(table, "Start", TV_TIME, &s->err),
		tv_table_column(table, "End", TV_TIME, &s->err),
		tv_table_column(table, "Value", TV_DOUBLE, &s->err),
	};

	tv_set_text(to[0], row, resource);
	tv_set_string(to[1], row, "used", 4);
	tv_set_int(to[2], row, start * 1000000);
	tv_set_int(to[3], row, end * 1000000);
	tv_set_double(to[4], row, value);
}

enum { RESOURCES = 11, LENGTH = 40 };

/* Readings with gaps and overlaps on each of many resources, against every millisecond. */
static void counters_sum_over_resources(void **state)
{
	const char *option[8] = { "used", NULL, "" }; /* name, step, sum */

	(void)state;
	for (uint64_t seed = 1; seed <= 50; seed++) {
		unsigned resources = 1 + (unsigned)(seed % RESOURCES);
		int value[RESOURCES][LENGTH] = { { 0 } };
		uint64_t random = unit_seed(seed);
		const struct tv_table *table;
		struct sample s;

		sample_make(&s, "ResourceId,Value,Start,End,JobId\nCPU0,a,0,40,1\n");
		for (unsigned r = 0; r < resources; r++)
			for (int at = (int)unit_random(&random, 5); at < LENGTH;
			     at += 1 + (int)unit_random(&random, r == 0 ? 2 : 9)) {
				int end = at + 1 + (int)unit_random(&random, 6);
				int v = (int)unit_random(&random, 9) - 2;
				char name[16];

				end = end < LENGTH ? end : LENGTH;
				snprintf(name, sizeof name, "M%u", r);
				add_reading(&s, name, at, end, v);
				for (int i = at; i < LENGTH; i++)
					value[r][i] = i < end ? v : 0;
			}
		tv_table_finish(&s.trace.table[TV_VARIABLES]);
		table = tv_run_pass(&s.run, "counter", option, &s.err);
		if (table == NULL)
			fail_msg("%s", s.err.text);
		for (int i = 0; i < LENGTH; i++) {
			double got = value_at(table, "used", "", i * 1000000 + 1), want = 0;

			for (unsigned r = 0; r < resources; r++)
				want += value[r][i];
			if (got != want && !(got < 0 && want == 0))
				fail_msg("seed %u, %d ms: %g, expected %g", (unsigned)seed, i, got,
					 want);
		}
		sample_release(&s);
	}
}

static void counter_panel_shows_readings(void **state)
{
	static const struct tv_setting setting[] = { { "counter", "name", "us*" },
						     { "counter", "limit", "10" },
						     { "counter", "sum", "" } };
	struct tv_text *text = figure_text();
	struct tv_scene scene;
	struct sample s;

	(void)state;
	for (size_t sum = 0; sum <= 1; sum++) {
		const struct drawn drawn = { &scene, "counter", 10 };

		sample_make(&s, "ResourceId,Value,Start,End,JobId\nCPU0,a,0,40,1\n");
		add_reading(&s, "M0", 0, 10, 2);
		add_reading(&s, "M0", 10, 40, 3);
		add_reading(&s, "M1", 5, 20, 4);
		tv_table_finish(&s.trace.table[TV_VARIABLES]);
		draw(&s, "counter", setting, 2 + sum, text, &scene);
		assert_true(fabs(curve_at(&drawn, 0x0072b2, 15000000) - (sum ? 7 : 3)) < 1e-9);
		assert_true(fabs(curve_at(&drawn, 0x0072b2, 30000000) - 3) < 1e-9);
		assert_true(fabs(curve_at(&drawn, 0xd55e00, 15000000) - (sum ? -1 : 4)) < 1e-9);
		tv_scene_release(&scene);
		sample_release(&s);
	}
	tv_text_free(text);
}

/* ---- lack of ready tasks ---- */

/* The pixel at a time of the shape of class lack in the only frame of that name. */
static uint32_t lack_at(const struct tv_scene *scene, const char *frame, int64_t t)
{
	for (size_t i = 0; i < scene->n; i++) {
		const struct tv_shape *shape = &scene->shape[i];
		const struct tv_image *image = &scene->image[shape->first];

		if (shape_is(scene, shape, "lack")
		    && strcmp(scene->frame[shape->frame].name, frame) == 0)
			return image->pixel[(uint32_t)((double)t / shape->x1 * image->width)];
	}
	fail_msg("%s shows no lack", frame);
	return 0;
}

/* Until 10 ms one of four workers runs and nothing is ready; then two tasks are, and run; from
 * 20 ms on the last one runs. */
static void lack_is_where_nothing_is_ready(void **state)
{
	static const struct tv_setting setting[] = { { "ready", "lack", "" } };
	static const char *const panels[] = { "starvation", "ready" };
	struct tv_text *text = figure_text();
	struct tv_scene scene;
	struct sample s;

	(void)state;
	for (int p = 0; p <= 1; p++) {
		sample_make(&s, "ResourceId,Value,Start,End,JobId,DependsOn\nCPU0,a,0,10,1,\n"
				"CPU1,a,10,20,2,1\nCPU2,a,10,20,3,1\nCPU3,a,20,30,4,2\n");
		draw(&s, panels[p], setting, 1, text, &scene);
		assert_int_equal(lack_at(&scene, panels[p], 5000000),
				 tv_starvation_color(0.75, p == 1));
		assert_int_equal(lack_at(&scene, panels[p], 15000000),
				 tv_starvation_color(0.5, p == 1));
		assert_int_equal(lack_at(&scene, panels[p], 25000000), p == 1 ? TV_WHITE : TV_PALE);
		assert_int_equal(lack_at(&scene, panels[p], 30500000), TV_WHITE);
		check_scene(&scene, panels[p]);
		tv_scene_release(&scene);
		sample_release(&s);
	}
	tv_text_free(text);
}

/* ---- all of them ---- */

static void text_never_overlaps(void **state)
{
	static const char *const panels[] = { "spacetime",	 "concurrency", "share",
					      "utilization",	 "imbalance",	"power-imbalance",
					      "hetero-imbalance" };
	static const double width[] = { 7.16, 3.5, 12 };
	struct tv_text *text = figure_text();

	(void)state;
	for (unsigned types = 1; types <= TYPES; types += 7)
		for (size_t w = 0; w < TV_COUNT(width); w++) {
			const struct tv_plot_options options = {
				.panel = panels,
				.npanels = TV_COUNT(panels),
				.width_in = width[w],
				.height_in = 14,
			};
			struct tv_scene scene;
			struct truth truth;
			struct sample s;

			make(&truth, &s, types, false, types);
			figure_scene(&s, &options, text, w == 1 ? 72.0 / 600 : cell, &scene);
			check_scene(&scene, "panels of curves");
			tv_scene_release(&scene);
			sample_release(&s);
		}
	tv_text_free(text);
}

/* Two runs side by side have the same scales: a task is as high in both. */
static void facets_share_scales(void **state)
{
	static const char *const panels[] = { "spacetime", "concurrency", "share", "utilization",
					      "imbalance" };
	struct tv_text *text = figure_text();
	struct tv_scene scene;
	struct truth truth[2];
	struct sample s[2];
	struct tv_error err = { 0 };
	struct tv_facet facet[2] = { { .run = &s[0].run, .label = "one" },
				     { .run = &s[1].run, .label = "two", .column = 1 } };
	const struct tv_plot_options options = { .facet = facet,
						 .nfacets = 2,
						 .rows = 1,
						 .columns = 2,
						 .panel = panels,
						 .npanels = 5,
						 .width_in = 12,
						 .height_in = 12 };
	double high[2] = { 0, 0 };

	(void)state;
	make(&truth[0], &s[0], 3, false, 3);
	make(&truth[1], &s[1], 3, true, 4);
	if (tv_plot_scene(NULL, &options, text, cell, false, &scene, &err) < 0)
		fail_msg("%s", err.text);
	check_scene(&scene, "facets");
	for (size_t i = 0; i < scene.n; i++) {
		const struct drawn drawn = { &scene, "concurrency", 1 };
		const struct tv_shape *shape = &scene.shape[i];
		int f = scene.frame[shape->frame].x > scene.width / 2;

		for (int64_t t = 0; in_frame(&drawn, shape) && t < truth[f].last; t += 500000)
			if (shape_is(&scene, shape, "layer"))
				high[f] = fmax(high[f], path_at(&drawn, shape, t));
	}
	for (int f = 0; f <= 1; f++) {
		unsigned most = 0;

		for (int64_t t = 0; t < truth[f].last; t += 500000) {
			unsigned now = running(&truth[f], t, TYPES, 2);

			most = now > most ? now : most;
		}
		high[f] /= most;
	}
	assert_true(high[0] > 0 && fabs(high[0] - high[1]) < 1e-9);
	tv_scene_release(&scene);
	for (int f = 0; f <= 1; f++)
		sample_release(&s[f]);
	tv_text_free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(usage_counts_per_kind_of_worker),
		cmocka_unit_test(concurrency_stacks_what_runs),
		cmocka_unit_test(usage_has_a_frame_per_kind),
		cmocka_unit_test(imbalance_follows_its_definition),
		cmocka_unit_test(utilisation_is_busy_time),
		cmocka_unit_test(low_rows_are_means),
		cmocka_unit_test(ramps_darken),
		cmocka_unit_test(counters_sum_over_resources),
		cmocka_unit_test(counter_panel_shows_readings),
		cmocka_unit_test(lack_is_where_nothing_is_ready),
		cmocka_unit_test(text_never_overlaps),
		cmocka_unit_test(facets_share_scales),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
