/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot.c -- a figure: runs what its panels need, stacks them, hands the scene to a back end. */
#include "views/plot.h"

#include <math.h>
#include <string.h>

#include "trace/alloc.h"
#include "views/backend.h"
#include "views/header.h"
#include "views/layout.h"

const char *tv_setting(const struct tv_plot_options *options, const char *panel, const char *key)
{
	for (size_t i = options->nsettings; i-- > 0;) {
		const struct tv_setting *s = &options->setting[i];

		if (strcmp(s->key, key) == 0
		    && (s->panel == NULL ? panel == NULL
					 : panel != NULL && strcmp(s->panel, panel) == 0))
			return s->value;
	}
	return NULL;
}

/* What the header and several panels show. A pass that refuses windows is left out in one, as is
 * every pass when there are no tasks. */
static int run_passes(struct tv_figure *figure, struct tv_error *err)
{
	const struct { const char *pass; const struct tv_table **result; } need[] = {
		{ "bounds", &figure->bounds },
		{ "idleness", &figure->idleness },
		{ "outliers", &figure->outliers },
	};

	for (size_t i = 0; i < TV_COUNT(need) && figure->run->view.ncounted > 0; i++) {
		if (tv_pass_find(need[i].pass)->windowless && figure->run->window.set)
			continue;
		*need[i].result = tv_run_pass(figure->run, need[i].pass, NULL, err);
		if (*need[i].result == NULL)
			return -1;
	}
	return 0;
}

static bool *find_shown(const struct tv_figure *figure)
{
	const struct tv_plot_options *options = figure->options;
	bool *shown = tv_alloc(figure->run->view.n, sizeof *shown);

	for (uint32_t i = 0; shown != NULL && i < options->nshown; i++)
		if (options->shown[i] < figure->run->view.n)
			shown[options->shown[i]] = true;
	return shown;
}

static int build_rows(struct tv_figure *figure, struct tv_error *err)
{
	const struct tv_plot_options *options = figure->options;
	struct tv_rows_source source = { .palette = options->palette, .outliers = figure->outliers,
					 .idleness = figure->idleness,
					 .only_their_workers = options->only_their_workers };
	struct tv_kernels kernels;
	bool *shown = NULL;
	int rc = -1;

	if (tv_kernels_init(&kernels, options->kernels, err) < 0)
		return -1;
	if (options->shown != NULL && (shown = find_shown(figure)) == NULL) {
		tv_fail_memory(err);
	} else {
		source.kernels = &kernels;
		source.shown = shown;
		rc = tv_rows_init(&figure->rows, figure->run, &source, err);
	}
	tv_free(shown);
	tv_kernels_release(&kernels);
	if (rc == 0 && figure->rows.nrows == 0) {
		tv_rows_release(&figure->rows);
		return tv_fail(err, (struct tv_pos){ 0 },
			       "nothing to draw: neither tasks nor states");
	}
	return rc;
}

static int lay_out(struct tv_figure *figure, struct tv_error *err)
{
	double wanted = figure->options->height_in * 72, cell = figure->scene->cell, y = 0;
	struct tv_stack stack;
	int rc = tv_stack_init(&stack, figure, err);

	if (rc == 0) {
		y = tv_legend_draw(figure, tv_header_draw(figure, TV_MARGIN));
		rc = tv_stack_layout(&stack, figure, y, wanted,
				     wanted > 0 ? wanted : TV_HEIGHT_MAX_IN * 72, &y, err);
	}
	tv_stack_release(&stack);
	figure->scene->height = ceil(y / cell - 1e-6) * cell;
	return rc < 0 ? -1 : tv_scene_check(figure->scene, err);
}

int tv_plot_scene(struct tv_run *run, const struct tv_plot_options *options, struct tv_text *text,
		  double cell, bool labels, struct tv_scene *scene, struct tv_error *err)
{
	double width = options->width_in > 0 ? options->width_in : TV_WIDTH_IN;
	struct tv_figure figure = { .run = run, .options = options, .scene = scene };
	int rc = -1;

	*scene = (struct tv_scene){ 0 };
	if (!(width <= 50) || !(options->height_in <= 50))
		return tv_fail_usage(err, "a figure of more than 50 inches");
	if (run_passes(&figure, err) < 0 || build_rows(&figure, err) < 0)
		return -1;
	if (tv_axis_span(&figure, err) == 0
	    && tv_scene_init(scene, text, floor(width * 72 / cell + 1e-6) * cell, cell, err) == 0) {
		scene->labels = labels;
		figure.x = TV_MARGIN;
		figure.width = scene->width - 2 * TV_MARGIN;
		rc = lay_out(&figure, err);
	}
	tv_rows_release(&figure.rows);
	if (rc < 0)
		tv_scene_release(scene);
	return rc;
}

static const char *const media[] = {
	[TV_PDF] = "pdf", [TV_PNG] = "png", [TV_SVG] = "svg", [TV_BOXES] = "boxes"
};

int tv_medium_find(const char *name)
{
	for (size_t i = 0; i < TV_COUNT(media); i++)
		if (strcmp(media[i], name) == 0)
			return (int)i;
	return -1;
}

double tv_medium_cell(enum tv_medium medium, double dpi)
{
	return medium == TV_PNG ? 72 / (dpi > 0 ? dpi : TV_DPI) : 72.0 / 600;
}

int tv_plot(struct tv_run *run, const struct tv_plot_options *options, enum tv_medium medium,
	    struct tv_output *out, struct tv_error *err)
{
	static int (*const write[])(const struct tv_scene *, const struct tv_plot_options *,
				    struct tv_output *, struct tv_error *) = {
		[TV_PDF] = tv_write_pdf,
		[TV_PNG] = tv_write_png,
		[TV_SVG] = tv_write_svg,
		[TV_BOXES] = tv_write_boxes,
	};
	double cell = tv_medium_cell(medium == TV_BOXES ? options->boxes_of : medium, options->dpi);
	bool labels = medium == TV_SVG || medium == TV_BOXES;
	struct tv_scene scene;
	struct tv_text *text;
	int rc;

	if (options->dpi != 0 && !(options->dpi >= 36 && options->dpi <= 2400))
		return tv_fail_usage(err, "%g pixels per inch, expected 36 to 2400", options->dpi);
	text = tv_text_new(err);
	if (text == NULL)
		return -1;
	rc = tv_plot_scene(run, options, text, cell, labels, &scene, err);
	if (rc == 0)
		rc = write[medium](&scene, options, out, err);
	tv_scene_release(&scene);
	tv_text_free(text);
	return rc;
}
