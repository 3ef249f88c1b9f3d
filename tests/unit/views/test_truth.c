/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_truth.c -- what the pixels of a picture show against sums over the trace: the share of every
 * task type in every worker's row, window by window. */
#include <cairo.h>
#include <unistd.h>

#include "tests/unit/drawn.h"
#include "views/backends/backend.h"

enum { WINDOWS = 20, TYPES_MAX = 8 };

static const double tolerance = 0.005;

/* A figure: its types, the rows of its workers from top to bottom (GPUs, then CPUs); what the trace
 * says about each column of its cells. */
struct truth {
	struct sample *s;
	unsigned ntypes, nrows, ncuda;
	long ncolumns;
	const char *type[TYPES_MAX];
	uint32_t color[TYPES_MAX];
	double *y0, *y1;	       /* of rows, points */
	double *share;		       /* row x column x type */
	const struct tv_shape **image; /* of the scene being checked */
	size_t nimages;
};

static double *share_of(const struct truth *truth, unsigned row, long column)
{
	return truth->share + ((long)row * truth->ncolumns + column) * TYPES_MAX;
}

/* The legend tells a type's time after its name. */
static unsigned find_type(const struct truth *truth, const char *wanted)
{
	size_t length = strlen(wanted);
	unsigned i = 0;

	while (i < truth->ntypes
	       && (strncmp(truth->type[i], wanted, length) != 0
		   || (truth->type[i][length] != '\0' && truth->type[i][length] != ' ')))
		i++;
	if (i == truth->ntypes)
		fail_msg("'%s' is not in the legend", wanted);
	return i;
}

static unsigned find_row(const struct truth *truth, const char *worker)
{
	bool cuda = worker[1] == 'U';
	unsigned row = (unsigned)atoi(worker + (cuda ? 4 : 3)) + (cuda ? 0 : truth->ncuda);

	assert_true(row < truth->nrows);
	return row;
}

static void read_legend(const struct tv_scene *scene, struct truth *truth)
{
	for (size_t i = 0; i < scene->n; i++) {
		const struct tv_shape *shape = &scene->shape[i];
		const char *text = tv_pool_text(scene->strings, shape->first);

		if (shape_is(scene, shape, "swatch")) {
			assert_true(truth->ntypes < TYPES_MAX);
			truth->color[truth->ntypes] = tv_color_fade(shape->fill);
		} else if (shape_is(scene, shape, "legend-text")) {
			truth->type[truth->ntypes++] = text;
		}
	}
}

/* Where rows are: their shapes fill their height. */
static void read_rows(const struct tv_scene *scene, struct truth *truth)
{
	unsigned n = 0;

	for (size_t i = 0; i < scene->n; i++) {
		const struct tv_shape *shape = &scene->shape[i];
		double box[4];
		unsigned at = 0;

		if (!shape_is(scene, shape, "shares") && !shape_is(scene, shape, "task"))
			continue;
		tv_shape_box(scene, shape, box);
		while (at < n && truth->y0[at] < box[1] - 0.01)
			at++;
		if (at < n && fabs(truth->y0[at] - box[1]) < 0.01)
			continue;
		assert_true(n < truth->nrows);
		memmove(truth->y0 + at + 1, truth->y0 + at, (n - at) * sizeof *truth->y0);
		memmove(truth->y1 + at + 1, truth->y1 + at, (n - at) * sizeof *truth->y1);
		truth->y0[at] = box[1];
		truth->y1[at] = box[3];
		n++;
	}
	assert_int_equal(n, truth->nrows);
}

/* type: the only one that is drawn, or NULL. */
static void count_shares(struct truth *truth, const struct tv_frame *frame, const char *type)
{
	const struct tv_table *tasks = &truth->s->trace.table[TV_TASKS];
	const struct tv_column *start = tv_table_find(tasks, "Start"),
			       *end = tv_table_find(tasks, "End");
	double length = frame->duration / (double)truth->ncolumns;

	memset(truth->share, 0,
	       (size_t)truth->nrows * (size_t)truth->ncolumns * TYPES_MAX * sizeof *truth->share);
	for (uint32_t row = 0; row < tasks->nrows; row++) {
		double from = ((double)start->i[row] - (double)frame->begin) / length,
		       to = ((double)end->i[row] - (double)frame->begin) / length;
		const char *of = tv_table_text(tasks, "Value", row);
		unsigned w, t;

		if (tv_missing(start, row) || (type != NULL && strcmp(of, type) != 0))
			continue;
		w = find_row(truth, tv_table_text(tasks, "ResourceId", row));
		t = find_type(truth, of);
		for (long c = (long)from; c < truth->ncolumns && (double)c < to; c++)
			share_of(truth, w, c)[t] += fmin(to, (double)c + 1) - fmax(from, (double)c);
	}
}

/* scene: of the whole run; its strings are borrowed. */
static void truth_init(struct truth *truth, struct sample *s, const struct tv_scene *scene,
		       unsigned ncuda)
{
	const struct tv_frame *frame = &scene->frame[1];
	uint32_t most = s->run.tasks.nworkers;

	*truth = (struct truth){ .s = s, .nrows = most, .ncuda = ncuda };
	truth->ncolumns = lround(frame->width / scene->cell);
	assert_true(fabs(frame->x / scene->cell - round(frame->x / scene->cell)) < 1e-6);
	truth->y0 = tv_alloc(most, sizeof *truth->y0);
	truth->y1 = tv_alloc(most, sizeof *truth->y1);
	truth->share = tv_alloc((size_t)most * (size_t)truth->ncolumns * TYPES_MAX,
				sizeof *truth->share);
	assert_non_null(truth->share);
	read_legend(scene, truth);
	read_rows(scene, truth);
}

static void truth_release(struct truth *truth)
{
	tv_free(truth->y0);
	tv_free(truth->y1);
	tv_free(truth->share);
}

/* Red, green and blue from 0 to 1; of light, or as the numbers are. */
static void channels(uint32_t color, bool light, double *out)
{
	static double light_of[256];

	for (unsigned v = 0; light_of[255] <= 0 && v < 256; v++)
		light_of[v] = v <= 10 ? v / 255.0 / 12.92 : pow((v / 255.0 + 0.055) / 1.055, 2.4);
	for (int i = 0; i < 3; i++) {
		uint32_t value = color >> (16 - 8 * i) & 0xff;

		out[i] = light ? light_of[value] : value / 255.0;
	}
}

/* Adds how far a column of n pixels, `stride` apart, is from the mixture of the shares in it. */
static void compare_column(const struct truth *truth, const double *share, const uint32_t *pixel,
			   long n, long stride, bool light, double *off)
{
	double got[3], color[3], white = 1;

	for (long y = 0; y < n; y++) {
		channels(pixel[y * stride], light, got);
		for (int i = 0; i < 3; i++)
			off[i] += got[i] / (double)n;
	}
	for (unsigned t = 0; t < truth->ntypes; t++) {
		channels(truth->color[t], light, color);
		white -= share[t];
		for (int i = 0; i < 3; i++)
			off[i] -= share[t] * color[i];
	}
	for (int i = 0; i < 3; i++)
		off[i] -= white;
}

/* Of one type, a difference of color is one of its share, seen best where it differs most from
 * white. */
static void check_off(const struct truth *truth, unsigned row, unsigned window, double *off,
		      const char *type, const char *what)
{
	double color[3];
	int best = 0;

	if (type != NULL) {
		channels(truth->color[find_type(truth, type)], true, color);
		for (int i = 1; i < 3; i++)
			best = color[i] < color[best] ? i : best;
		off[0] = off[1] = off[2] = off[best] / (1 - color[best]);
	}
	for (int i = 0; i < 3; i++)
		if (fabs(off[i]) > tolerance)
			fail_msg("%s: %s of row %u in window %u is off by %.4f", what,
				 type != NULL ? type : "the mean color", row, window, off[i]);
}

/* The scene as a PNG, without lines that cover parts of its tasks: the border, and those between
 * wide tasks of one type. */
static cairo_surface_t *render(struct tv_scene *scene)
{
	const struct tv_metadata about = { 0 };
	char path[] = "/tmp/traceviz-truth.XXXXXX";
	cairo_surface_t *surface;
	struct tv_error err = { 0 };
	struct tv_output out;
	int fd = mkstemp(path);
	size_t n = 0;

	for (size_t i = 0; i < scene->n; i++)
		if (!shape_is(scene, &scene->shape[i], "frame")
		    && !shape_is(scene, &scene->shape[i], "boundary"))
			scene->shape[n++] = scene->shape[i];
	scene->n = n;
	assert_true(fd >= 0);
	close(fd);
	if (tv_output_open(&out, path, &err) < 0 || tv_write_png(scene, &about, &out, &err) < 0
	    || tv_output_commit(&out, &err) < 0)
		fail_msg("%s", err.text);
	surface = cairo_image_surface_create_from_png(path);
	unlink(path);
	assert_int_equal(cairo_surface_status(surface), CAIRO_STATUS_SUCCESS);
	return surface;
}

/* The image that shows a row at a column of cells, and where it begins; NULL = rectangles do. */
static const struct tv_image *image_at(const struct truth *truth, const struct tv_scene *scene,
				       double y, long column, long *first)
{
	double x = scene->frame[1].x + ((double)column + 0.5) * scene->cell, box[4];

	for (size_t i = 0; i < truth->nimages; i++) {
		tv_shape_box(scene, truth->image[i], box);
		if (fabs(box[1] - y) > 0.01 || x < box[0] || x > box[2])
			continue;
		*first = lround((box[0] - scene->frame[1].x) / scene->cell);
		return &scene->image[truth->image[i]->first];
	}
	return NULL;
}

/*
 * All columns of a row's window: what a PNG has in its pixels, of a vector medium (surface NULL)
 * those of its images, since its rectangles are exact. Images mix light, edges numbers.
 */
static void check_window(const struct truth *truth, const struct tv_scene *scene,
			 cairo_surface_t *surface, unsigned row, unsigned window, const char *type,
			 const char *what)
{
	long from = truth->ncolumns * window / WINDOWS,
	     to = truth->ncolumns * (window + 1) / WINDOWS, first = 0;
	long top = lround(truth->y0[row] / scene->cell),
	     left = lround(scene->frame[1].x / scene->cell);
	long bottom = lround(truth->y1[row] / scene->cell);
	double off[3] = { 0 };

	for (long c = from; c < to; c++) {
		const struct tv_image *image = image_at(truth, scene, truth->y0[row], c, &first);
		const double *share = share_of(truth, row, c);

		if (surface != NULL) {
			long stride = cairo_image_surface_get_stride(surface) / 4;
			uint32_t *pixel = (uint32_t *)(void *)cairo_image_surface_get_data(surface);

			compare_column(truth, share, pixel + top * stride + left + c, bottom - top,
				       stride, image != NULL, off);
		} else if (image != NULL) {
			compare_column(truth, share, image->pixel + c - first, image->height,
				       image->width, true, off);
		}
	}
	for (int i = 0; i < 3; i++)
		off[i] /= (double)(to - from);
	check_off(truth, row, window, off, type, what);
}

/* ---- runs ---- */

static const char *const plain[] = { "outliers", "no",	     "gaps", "no", "bounds",
				     "none",	 "idleness", "no",   NULL };

/* dpi 0: as for PDF. type: only that one, or NULL. */
static void draw_figure(struct sample *s, struct tv_text *text, double dpi, const char *type,
			struct tv_scene *scene)
{
	const struct tv_table *tasks = &s->trace.table[TV_TASKS];
	struct tv_setting setting[SETTINGS_MAX];
	struct tv_plot_options options = drawn_options(setting, plain);
	uint32_t *shown = tv_alloc(tasks->nrows, sizeof *shown);

	assert_non_null(shown);
	for (uint32_t row = 0; type != NULL && row < tasks->nrows; row++)
		if (strcmp(tv_table_text(tasks, "Value", row), type) == 0)
			shown[options.nshown++] = row;
	options.shown = type != NULL ? shown : NULL;
	options.line = dpi > 0 ? 0 : TV_IMAGE_LINE;
	figure_scene(s, &options, text, dpi > 0 ? 72 / dpi : 72.0 / 600, scene);
	tv_free(shown);
}

static void check_figure(struct truth *truth, struct tv_scene *scene, bool png, const char *type,
			 const char *what)
{
	cairo_surface_t *surface = png ? render(scene) : NULL;

	truth->image = tv_alloc(scene->nimages, sizeof *truth->image);
	truth->nimages = 0;
	assert_non_null(truth->image);
	for (size_t i = 0; i < scene->n; i++)
		if (scene->shape[i].kind == TV_SHAPE_IMAGE)
			truth->image[truth->nimages++] = &scene->shape[i];
	count_shares(truth, &scene->frame[1], type);
	for (unsigned w = 0; w < truth->nrows; w++)
		for (unsigned i = 0; i < WINDOWS; i++)
			check_window(truth, scene, surface, w, i, type, what);
	tv_free(truth->image);
	cairo_surface_destroy(surface);
}

/* All types at once by their mean color, then each by its share. */
static void check_run(struct sample *s, unsigned ncuda, const char *const *type, size_t ntypes,
		      const char *what)
{
	static const double dpi[] = { 200, 0 };
	struct tv_text *text = figure_text();

	for (size_t d = 0; d < TV_COUNT(dpi); d++) {
		struct tv_scene whole, one;
		struct truth truth;

		draw_figure(s, text, dpi[d], NULL, &whole);
		assert_true(whole.nimages > 0);
		truth_init(&truth, s, &whole, ncuda);
		check_figure(&truth, &whole, dpi[d] > 0, NULL, what);
		for (size_t t = 0; t < ntypes; t++) {
			draw_figure(s, text, dpi[d], type[t], &one);
			check_figure(&truth, &one, dpi[d] > 0, type[t], what);
			tv_scene_release(&one);
		}
		truth_release(&truth);
		tv_scene_release(&whole);
	}
	tv_text_free(text);
}

/* GPUs with tasks much shorter than a pixel, CPUs with tasks of two pixels. */
static void a_real_run(void **state)
{
	static const char *const type[] = { "GEMM", "SYRK", "TRSM", "POTRF" };
	struct sample s = { 0 };

	(void)state;
	tv_trace_init(&s.trace, NULL);
	if (tv_load("examples/data/cholesky-60-dmdas.csv.zst", &s.trace, NULL, NULL, &s.err) < 0)
		fail_msg("%s", s.err.text);
	tv_run_init(&s.run, &s.trace, 0);
	check_run(&s, 3, type, TV_COUNT(type), "cholesky");
	sample_release(&s);
}

/* Workers of every density, from tasks of a tenth of a pixel to such of ten, with gaps. */
static void generated_runs(void **state)
{
	static const char *const type[] = { "a", "b", "c" };
	static const unsigned workers[] = { 8, 90 };

	(void)state;
	for (size_t k = 0; k < TV_COUNT(workers); k++) {
		uint64_t seed = unit_seed(k + 1);
		struct tasks t;
		struct sample s;

		tasks_begin(&t);
		for (unsigned w = 0; w < workers[k]; w++)
			for (int64_t at = 0, length; at < 1000000000; at += length) {
				char name[16];

				snprintf(name, sizeof name, "CPU%u", w);
				length = 80000 << w % 8;
				length += (int64_t)unit_random(&seed, (uint64_t)length);
				tasks_add(&t, "0", name, type[unit_random(&seed, 3)], "app", at,
					  at + length);
				length += unit_random(&seed, 3) == 0 ? length / 2 : 0;
			}
		tasks_sample(&t, &s);
		check_run(&s, 0, type, TV_COUNT(type), "generated");
		sample_release(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_real_run),
		cmocka_unit_test(generated_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
