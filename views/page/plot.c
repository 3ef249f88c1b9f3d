/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot.c -- a scene for one run or several, handed to a back end. */
#include "views/page/plot.h"

#include <math.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/timings.h"
#include "views/backends/backend.h"
#include "views/page/figure.h"
#include "views/report/report.h"

enum { PIXELS_MAX = 32767 }; /* of Cairo's images */

int tv_plot_scene(struct tv_run *run, const struct tv_plot_options *options, struct tv_text *text,
		  double cell, bool labels, struct tv_scene *scene, struct tv_error *err)
{
	double page = tv_page_scale(options);
	double scale = options->font_size > 0 ? options->font_size / TV_TEXT_SIZE : page;
	double width = options->width_in > 0 ? options->width_in : TV_WIDTH_IN * page;
	int rc;
	TV_STAGE("layout", NULL);

	*scene = (struct tv_scene){ 0 };
	if (!(width <= 50) || !(options->height_in <= 50))
		return tv_fail_usage(err, "a figure of more than 50 inches");
	if (!(page >= 1 && page <= 20))
		return tv_fail_usage(err, "a scale of %g, expected 1 to 20", page);
	cell /= scale;
	width = floor(width * 72 / scale / cell + 1e-6) * cell;
	if (tv_scene_init(scene, text, width, cell, err) < 0)
		return -1;
	scene->line = fmax(cell, options->line / scale);
	scene->labels = labels;
	scene->scale = scale;
	scene->exact = options->exact;
	rc = options->nfacets > 0 ? tv_facets_draw(options, scene, err)
				  : tv_figure_draw(run, options, scene, err);
	if (rc == 0)
		rc = tv_scene_check(scene, err);
	if (rc < 0)
		tv_scene_release(scene);
	return rc;
}

static const char *const media[] = { [TV_PDF] = "pdf",
				     [TV_PNG] = "png",
				     [TV_SVG] = "svg",
				     [TV_HTML] = "html",
				     [TV_BOXES] = "boxes" };

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

static struct tv_metadata metadata_of(const struct tv_plot_options *options)
{
	return (struct tv_metadata){
		.title = options->label != NULL && options->label[0] != '\0' ? options->label
									     : NULL,
		.creator = options->creator,
		.command = options->command,
		.date = options->date,
	};
}

/* *n: how many scenes there are to release. */
static int draw_pages(const struct tv_plot_page *page, unsigned npages, struct tv_text *text,
		      struct tv_scene *scene, unsigned *n, struct tv_error *err)
{
	for (*n = 0; *n < npages; ++*n) {
		struct tv_plot_options options = *page[*n].options;

		options.line = TV_IMAGE_LINE;
		if (tv_plot_scene(page[*n].run, &options, text, tv_medium_cell(TV_PDF, 0), false,
				  &scene[*n], err)
		    < 0)
			return -1;
	}
	return 0;
}

static int write_pdf(const struct tv_plot_page *page, unsigned npages, struct tv_text *text,
		     struct tv_output *out, struct tv_error *err)
{
	struct tv_scene *scene = tv_alloc(npages, sizeof *scene);
	struct tv_metadata about = metadata_of(page->options);
	unsigned n = 0;
	int rc = draw_pages(page, npages, text, scene, &n, err);

	if (rc == 0) {
		TV_STAGE("back end", media[TV_PDF]);
		rc = tv_write_pdf(scene, n, &about, out, err);
	}
	while (n > 0)
		tv_scene_release(&scene[--n]);
	tv_free(scene);
	return rc;
}

/* All pages of a figure. */
static int plot_pdf(struct tv_run *run, const struct tv_plot_options *options, struct tv_text *text,
		    struct tv_output *out, struct tv_error *err)
{
	unsigned n = tv_plot_pages(options);
	struct tv_plot_options *of_page = tv_alloc(n, sizeof *of_page);
	struct tv_plot_page *page = tv_alloc(n, sizeof *page);
	int rc;

	for (unsigned i = 0; i < n; i++) {
		of_page[i] = *options;
		of_page[i].page = i;
		page[i] = (struct tv_plot_page){ run, &of_page[i] };
	}
	rc = write_pdf(page, n, text, out, err);
	tv_free(page);
	tv_free(of_page);
	return rc;
}

static int plot_page(struct tv_run *run, const struct tv_plot_options *options,
		     struct tv_text *text, double cell, enum tv_medium medium,
		     struct tv_output *out, struct tv_error *err)
{
	struct tv_metadata about = metadata_of(options);
	struct tv_scene scene;
	int rc = tv_plot_scene(run, options, text, cell, medium != TV_PNG, &scene, err);

	if (rc == 0 && medium == TV_PNG
	    && (scene.width / scene.cell > PIXELS_MAX || scene.height / scene.cell > PIXELS_MAX))
		rc = tv_fail_usage(err,
				   "%.0f x %.0f pixels, at most %d each fit in a PNG: lower "
				   "--dpi or --width",
				   scene.width / scene.cell, scene.height / scene.cell, PIXELS_MAX);
	if (rc == 0) {
		TV_STAGE("back end", media[medium]);
		rc = (medium == TV_PNG	 ? tv_write_png
		      : medium == TV_SVG ? tv_write_svg
					 : tv_write_boxes)(&scene, &about, out, err);
	}
	tv_scene_release(&scene);
	return rc;
}

static const double picture_dpi = 96; /* of the static picture of a report */

/* The figure as an exact scene, and as a picture for whoever has no JavaScript. */
static int plot_html(struct tv_run *run, const struct tv_plot_options *options,
		     struct tv_text *text, struct tv_output *out, struct tv_error *err)
{
	struct tv_metadata about = metadata_of(options);
	struct tv_plot_options of_picture = *options, of_scene = *options;
	struct tv_scene scene, picture;
	struct tv_html html = { .scene = &scene, .picture = &picture, .about = &about };
	int rc;

	if (options->tiles == NULL && tv_report_check(run, options, err) < 0)
		return -1;
	of_picture.line = 0;
	of_picture.caption = NULL;
	of_scene.exact = true;
	if (tv_plot_scene(run, &of_picture, text, tv_medium_cell(TV_PNG, picture_dpi), false,
			  &picture, err)
	    < 0)
		return -1;
	rc = tv_plot_scene(run, &of_scene, text, tv_medium_cell(TV_HTML, 0), true, &scene, err);
	if (rc == 0) {
		TV_STAGE("back end", media[TV_HTML]);
		if (options->editor_link != NULL)
			tv_json_text(&html.header, "editor", options->editor_link);
		if (options->tiles != NULL)
			rc = tv_report_tiles(&html, run, options, &scene, err);
		else
			tv_report_runs(&html, run, options, &scene);
		if (rc == 0)
			rc = tv_write_html(&html, out, err);
		tv_html_release(&html);
		tv_scene_release(&scene);
	}
	tv_scene_release(&picture);
	return rc;
}

/* Releases the text; an error if a font was missing. */
static int end_text(struct tv_text *text, int rc, struct tv_error *err)
{
	if (rc == 0 && tv_text_failed(text))
		rc = tv_fail(err, "cannot draw: no memory for a font");
	tv_text_free(text);
	return rc;
}

int tv_plot_pdf(const struct tv_plot_page *page, unsigned n, struct tv_output *out,
		struct tv_error *err)
{
	struct tv_text *text = tv_text_new(page->options->font, err);

	return text == NULL ? -1 : end_text(text, write_pdf(page, n, text, out, err), err);
}

int tv_plot(struct tv_run *run, const struct tv_plot_options *options, enum tv_medium medium,
	    struct tv_output *out, struct tv_error *err)
{
	enum tv_medium scene_of = medium == TV_BOXES ? options->boxes_of : medium;
	struct tv_plot_options of_medium = *options;
	double cell = tv_medium_cell(scene_of, options->dpi);
	struct tv_text *text;
	int rc;

	if (options->dpi != 0 && !(options->dpi >= 36 && options->dpi <= 2400))
		return tv_fail_usage(err, "%g pixels per inch, expected 36 to 2400", options->dpi);
	text = tv_text_new(options->font, err);
	if (text == NULL)
		return -1;
	of_medium.line = scene_of == TV_PNG ? 0 : TV_IMAGE_LINE;
	rc = medium == TV_PDF  ? plot_pdf(run, &of_medium, text, out, err)
	   : medium == TV_HTML ? plot_html(run, &of_medium, text, out, err)
			       : plot_page(run, &of_medium, text, cell, medium, out, err);
	return end_text(text, rc, err);
}
