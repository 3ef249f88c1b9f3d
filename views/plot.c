/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot.c -- a figure: runs what its panels need, stacks them, hands the scene to a back end. */
#include "views/plot.h"

#include <math.h>
#include <string.h>

#include "trace/alloc.h"
#include "views/backend.h"
#include "views/header.h"

enum { PANELS_MAX = 64 };

struct stack {
	const struct tv_panel *panel[PANELS_MAX];
	struct tv_room room[PANELS_MAX];
	size_t n;
};

static int choose_panels(const struct tv_plot_options *options, struct stack *stack,
			 struct tv_error *err)
{
	static const char *const usual[] = { "spacetime" };
	const char *const *name = options->npanels > 0 ? options->panel : usual;
	size_t n = options->npanels > 0 ? options->npanels : TV_COUNT(usual);

	if (n > PANELS_MAX)
		return tv_fail_usage(err, "%zu panels, at most %d fit in a figure", n, PANELS_MAX);
	for (stack->n = 0; stack->n < n; stack->n++) {
		stack->panel[stack->n] = tv_panel_find(name[stack->n]);
		if (stack->panel[stack->n] == NULL)
			return tv_fail_usage(err, "no panel is named '%s'", name[stack->n]);
	}
	return 0;
}

/* Where the result of a pass goes. */
static const struct tv_table **result_of(struct tv_figure *figure, const char *pass)
{
	return strcmp(pass, "bounds") == 0 ? &figure->bounds
	     : strcmp(pass, "idleness") == 0 ? &figure->idleness
	     : strcmp(pass, "outliers") == 0 ? &figure->outliers : NULL;
}

/* Every pass that a panel needs, once. A pass that refuses windows is left out in one, as is every
 * pass when there are no tasks. */
static int run_passes(struct tv_figure *figure, const struct stack *stack, struct tv_error *err)
{
	if (figure->run->view.ncounted == 0)
		return 0;
	for (size_t i = 0; i < stack->n; i++)
		for (const char *const *need = stack->panel[i]->needs; *need != NULL; need++) {
			const struct tv_pass *pass = tv_pass_find(*need);
			const struct tv_table **result = result_of(figure, *need);

			if (pass == NULL || result == NULL
			    || (pass->windowless && figure->run->window.set))
				continue;
			*result = tv_run_pass(figure->run, *need, NULL, err);
			if (*result == NULL)
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

/* Heights of the panels: as they like, or all scaled to what there is. */
static int measure_panels(struct tv_figure *figure, struct stack *stack, double top,
			  struct tv_error *err)
{
	double wanted = figure->options->height_in * 72, most, sum = 0,
	       fixed = top + TV_AXIS_HEIGHT + TV_MARGIN;

	for (size_t i = 0; i < stack->n; i++) {
		stack->room[i] = (struct tv_room){ 0 };
		if (stack->panel[i]->measure(figure, 0, &stack->room[i], err) < 0)
			return -1;
		sum += stack->room[i].height;
		fixed += stack->room[i].top;
	}
	most = (wanted > 0 ? wanted : TV_HEIGHT_MAX_IN * 72) - fixed;
	if (wanted == 0 && sum <= most)
		return 0;
	if (most < 12.0 * (double)stack->n)
		return tv_fail_usage(
			err, "a height of %.2f in is too low: header and axis alone need %.2f",
			(most + fixed) / 72, fixed / 72);
	for (size_t i = 0; i < stack->n; i++)
		if (stack->panel[i]->measure(figure, stack->room[i].height / sum * most,
					     &stack->room[i], err)
		    < 0)
			return -1;
	return 0;
}

static int lay_out(struct tv_figure *figure, struct stack *stack, struct tv_error *err)
{
	double left = tv_axis_left(figure), right = 8, cell = figure->scene->cell, y;

	y = tv_legend_draw(figure, tv_header_draw(figure, TV_MARGIN));
	if (measure_panels(figure, stack, y, err) < 0)
		return -1;
	for (size_t i = 0; i < stack->n; i++) {
		left = fmax(left, stack->room[i].left);
		right = fmax(right, stack->room[i].right);
	}
	if (tv_axis_place(figure, left, right, err) < 0)
		return -1;
	for (size_t i = 0; i < stack->n; i++) {
		struct tv_place place = { .height = stack->room[i].height,
					  .left = left,
					  .right = right };

		place.y = ceil((y + stack->room[i].top) / cell) * cell;
		if (stack->panel[i]->layout(figure, &place, err) < 0)
			return -1;
		y = place.y + place.height;
	}
	y = tv_axis_draw(figure, y) + TV_MARGIN;
	figure->scene->height = ceil(y / cell - 1e-6) * cell;
	return tv_scene_check(figure->scene, err);
}

int tv_plot_scene(struct tv_run *run, const struct tv_plot_options *options, struct tv_text *text,
		  double cell, bool labels, struct tv_scene *scene, struct tv_error *err)
{
	double width = options->width_in > 0 ? options->width_in : TV_WIDTH_IN;
	struct tv_figure figure = { .run = run, .options = options, .scene = scene };
	struct stack stack;
	int rc = -1;

	*scene = (struct tv_scene){ 0 };
	if (!(width <= 50) || !(options->height_in <= 50))
		return tv_fail_usage(err, "a figure of more than 50 inches");
	if (choose_panels(options, &stack, err) < 0 || run_passes(&figure, &stack, err) < 0
	    || build_rows(&figure, err) < 0)
		return -1;
	if (tv_axis_span(&figure, err) == 0
	    && tv_scene_init(scene, text, floor(width * 72 / cell + 1e-6) * cell, cell, err) == 0) {
		scene->labels = labels;
		rc = lay_out(&figure, &stack, err);
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
