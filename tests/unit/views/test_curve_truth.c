/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_curve_truth.c -- panels of curves against the tables of their passes, piece by piece. */
#include "tests/unit/paths.h"

#include <math.h>

#include "trace/alloc.h"
#include "trace/sorted.h"
#include "views/charts/series.h"

enum { TASKS = 80, WORKERS = 5 };

/* Chains of tasks with work, submitted some time before, in four iterations. */
static void make_run(struct sample *s, uint64_t seed)
{
	static const char *const worker[WORKERS] = { "CUDA0", "CUDA1", "CPU0", "CPU1", "CPU2" };
	char text[TASKS * 120];
	int at[WORKERS] = { 0 };
	size_t n = (size_t)snprintf(text, sizeof text,
				    "ResourceId,Value,Start,End,JobId,DependsOn,"
				    "SubmitTime,ResourceType,Iteration,GFlop\n");

	unit_seed(seed);
	for (int i = 0; i < TASKS; i++) {
		int w = i < WORKERS ? i : (int)unit_random(&seed, WORKERS), before = i - 9;
		int start = i < WORKERS ? 0 : at[w] + (int)unit_random(&seed, 7);

		at[w] = start + 1 + (int)unit_random(&seed, 20);
		n += (size_t)snprintf(text + n, sizeof text - n, "%s,k%d,%d,%d,%d,", worker[w],
				      i < 2 * WORKERS ? i / WORKERS : (int)unit_random(&seed, 3),
				      start, at[w], i);
		if (before >= 0)
			n += (size_t)snprintf(text + n, sizeof text - n, "%d", before);
		n += (size_t)snprintf(text + n, sizeof text - n, ",%d,%.*s,%d,%d.5\n",
				      start - (int)unit_random(&seed, 30), w < 2 ? 4 : 3, worker[w],
				      i * 4 / TASKS, (int)unit_random(&seed, 5));
	}
	sample_make(s, text);
}

static void draw(struct sample *s, const char *panel, const char *limit, struct tv_text *text,
		 struct tv_scene *scene)
{
	const struct tv_setting setting[] = { { panel, "limit", limit } };
	const struct tv_plot_options options = {
		.panel = &panel, .npanels = 1, .width_in = 12, .setting = setting, .nsettings = 1
	};

	figure_scene(s, &options, text, 72.0 / 600, scene);
}

/* A panel, the pass and its options, in which column the value is and under which name or family;
 * color of the curve. */
static const struct curve {
	const char *panel, *limit, *pass;
	const char *option[2];
	const char *column, *label, *name;
	uint32_t color;
} curves[] = {
	{ "ready", "50", "ready", { NULL }, "Value", "Curve", "ready", 0x1f6f9f },
	{ "submitted", "50", "submitted", { NULL }, "Value", "Curve", "not started", 0x8a5a00 },
	{ "open-iterations", "10", "progress", { NULL, "" }, "Value", "Curve", "open", 0x6a4c93 },
	{ "gflops", "10000", "throughput", { NULL }, "Value", "Curve", "GFlop/s", 0x2a9d77 },
	{ "imbalance",
	  "100",
	  "imbalance",
	  { NULL, "homogeneous" },
	  "ImbalancePercent",
	  "Family",
	  "homogeneous",
	  0xffaa00 },
	{ "power-imbalance",
	  "100",
	  "imbalance",
	  { NULL, "power" },
	  "ImbalanceTime",
	  "Family",
	  "power",
	  0xd55e00 },
	{ "power-imbalance",
	  "100",
	  "imbalance",
	  { NULL, "power" },
	  "Mean",
	  "Family",
	  "power",
	  0x0072b2 },
	{ "hetero-imbalance",
	  "100",
	  "imbalance",
	  { NULL, "heterogeneous" },
	  "ImbalanceTime",
	  "Family",
	  "heterogeneous",
	  0xd55e00 },
	{ "hetero-imbalance",
	  "100",
	  "imbalance",
	  { NULL, "heterogeneous" },
	  "Max",
	  "Family",
	  "heterogeneous",
	  0x002200 },
};

/* The pass's result with the first options as the panel gives them, the others by default. */
static const struct tv_table *result(struct sample *s, const struct curve *curve)
{
	const char *const value[8] = { curve->option[0], curve->option[1] };
	const struct tv_table *table = tv_run_pass(&s->run, curve->pass, value, &s->err);

	assert_true(tv_pass_find(curve->pass)->noptions <= TV_COUNT(value));
	if (table == NULL)
		fail_msg("%s", s->err.text);
	return table;
}

static void curves_are_those_of_the_pass(void **state)
{
	struct tv_text *text = figure_text();

	(void)state;
	for (size_t k = 0; k < TV_COUNT(curves); k++) {
		const struct curve *c = &curves[k];
		struct tv_scene scene;
		const struct drawn drawn = { &scene, c->panel, atof(c->limit) };
		const struct tv_column *step, *value;
		const struct tv_table *table;
		struct sample s;
		unsigned found = 0;

		make_run(&s, k + 1);
		draw(&s, c->panel, c->limit, text, &scene);
		table = result(&s, c);
		step = tv_table_find(table, "Step");
		value = tv_table_find(table, c->column);
		for (uint32_t row = 0; row < table->nrows; row++) {
			int64_t start = tv_table_find(table, "Start")->i[row],
				end = tv_table_find(table, "End")->i[row];
			double got = curve_at(&drawn, c->color, start + (end - start) / 2);

			if (strcmp(tv_table_text(table, c->label, row), c->name) != 0
			    || tv_missing(value, row) || (step != NULL && tv_missing(step, row)))
				continue;
			found++;
			if (fabs(got - value->d[row]) > 1e-9 * drawn.high)
				fail_msg("%s, row %u: %g is drawn, expected %g", c->panel, row, got,
					 value->d[row]);
		}
		assert_true(found > 10 || strcmp(c->pass, "progress") == 0);
		assert_true(found > 1);
		tv_scene_release(&scene);
		sample_release(&s);
	}
	tv_text_free(text);
}

/* ---- stacked areas ---- */

/* The places of all points of layers, sorted; free them. */
static double *edges_of(const struct tv_scene *scene, size_t *n)
{
	double *edge = tv_alloc(scene->npoints, sizeof *edge);

	assert_non_null(edge);
	*n = 0;
	for (size_t i = 0; i < scene->n; i++)
		for (uint32_t p = 0;
		     shape_is(scene, &scene->shape[i], "layer") && p < scene->shape[i].n; p++)
			edge[(*n)++] = scene->point[scene->shape[i].first + p].x;
	qsort(edge, *n, sizeof *edge, tv_compare_double);
	return edge;
}

/* Of the areas, each drawn from 0, what the later ones leave of one color's: its integral. */
static double visible(const struct drawn *drawn, uint32_t color, const double *edge, size_t n)
{
	double sum = 0;

	for (size_t e = 0; e + 1 < n; e++) {
		double covered = 0, high = 0;
		int64_t middle = llround((edge[e] + edge[e + 1]) / 2);

		for (size_t i = drawn->scene->n; edge[e + 1] - edge[e] > 1 && i-- > 0;) {
			const struct tv_shape *shape = &drawn->scene->shape[i];

			if (!shape_is(drawn->scene, shape, "layer"))
				continue;
			if (shape->fill == color)
				high = fmax(high, path_at(drawn, shape, middle));
			else if (high <= 0)
				covered = fmax(covered, path_at(drawn, shape, middle));
		}
		sum += fmax(0, high - covered) * (edge[e + 1] - edge[e]);
	}
	return sum;
}

static void idle_areas_are_the_idle_times(void **state)
{
	static const struct {
		const char *cause, *column;
		uint32_t color;
	} cause[] = {
		{ "data", "Time", 0x0072b2 },
		{ "runtime", "Time", 0xd55e00 },
		{ "elsewhere", "Time", 0xe6a22e },
		{ "unsuited", "Time", 0xcc79a7 },
		{ "not-submitted", "Time", 0x2a9d77 },
		{ "drain", "Time", 0xd8d06a },
		{ "mpi", "Time", 0x56b4e9 },
		{ "unexplained", "Time", 0x3c3c3c },
		{ "dependencies", "BlameTask", 0x6f6f6f },
		{ "dependencies", "BlameMessage", 0x93bcd4 },
		{ "dependencies", "BlameWaiting", 0xb89b72 },
		{ "dependencies", "BlameSubmission", 0x8fc4ad },
		{ "dependencies", "BlameNoNextTask", 0xd9d9d9 },
	};
	struct tv_text *text = figure_text();

	(void)state;
	for (uint64_t seed = 1; seed <= 5; seed++) {
		struct tv_scene scene;
		const struct drawn drawn = { &scene, "idle-causes", 10 };
		const struct tv_table *table;
		struct sample s;
		unsigned some = 0;
		double *edge;
		size_t n;

		make_run(&s, seed);
		draw(&s, "idle-causes", "10", text, &scene);
		edge = edges_of(&scene, &n);
		table = tv_run_pass(&s.run, "idle-causes", NULL, &s.err);
		assert_non_null(table);
		for (unsigned k = 0; k < TV_COUNT(cause); k++) {
			uint32_t row = 0;
			double want, got;

			while (strcmp(cause[k].cause, tv_table_text(table, "Cause", row)) != 0)
				row++;
			want = (double)tv_table_find(table, cause[k].column)->i[row];
			got = visible(&drawn, cause[k].color, edge, n);
			some += want > 0;
			if (fabs(got - want) > 1e-6 * (double)s.run.tasks.finish)
				fail_msg("%s, %s: %g ns are drawn, expected %g", cause[k].cause,
					 cause[k].column, got, want);
		}
		assert_true(some >= 4);
		tv_free(edge);
		tv_scene_release(&scene);
		sample_release(&s);
	}
	tv_text_free(text);
}

/* A curve with more steps than bins that begins and ends within a bin has no drop there. */
static void ends_within_bins(void **state)
{
	enum { STEPS = 3000 };
	int64_t start[STEPS], end[STEPS];
	double value[STEPS];
	struct tv_scene scene = { .cell = 1 };
	struct tv_figure figure = { .scene = &scene, .axis = { .end = 1000000, .width = 100 } };
	struct tv_pieces pieces = { start, end, value, STEPS };
	struct tv_extent *extent;
	struct tv_bins bins;

	(void)state;
	for (int i = 0; i < STEPS; i++) {
		start[i] = 14999 + i * 300;
		end[i] = start[i] + 300;
		value[i] = 40 + i % 2;
	}
	tv_bins_init(&bins, &figure, &pieces, 1);
	extent = tv_pieces_bin(&pieces, &bins);
	for (uint32_t i = 0; i < bins.n; i++)
		if (!isnan(extent[i].mean) && !(extent[i].mean >= 40 && extent[i].mean <= 41))
			fail_msg("bin %u: mean %g of values from 40 to 41", i, extent[i].mean);
	tv_free(extent);
	tv_free(bins.edge);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ends_within_bins),
		cmocka_unit_test(curves_are_those_of_the_pass),
		cmocka_unit_test(idle_areas_are_the_idle_times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
