/* SPDX-License-Identifier: GPL-3.0-or-later */
/* picture.c -- title, keys, marks of a platform's picture, and its file. */
#include "views/platform/picture.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/text.h"
#include "trace/units.h"
#include "views/page/plot.h"
#include "views/platform/drawn.h"
#include "views/scene/palette.h"

static size_t add_count(char *out, size_t at, size_t size, uint32_t n, const char *what,
			const char *many)
{
	if (n == 0)
		return at;
	return at
	     + (size_t)snprintf(out + at, size - at, "%s%u %s", at > 0 ? ", " : "", n,
				n == 1 ? what : many);
}

static double draw_title(struct tv_drawn *d, double y)
{
	uint32_t n[TV_HOST_MEMORY + 1] = { 0 }, routers = 0;
	char text[TV_PICTURE_TEXT] = "";
	size_t at = 0;

	for (uint32_t i = 0; i < d->platform->nhosts; i++)
		n[d->platform->host[i].kind]++;
	for (uint32_t i = 0; i < d->platform->npoints; i++)
		routers += d->platform->point[i].kind == TV_POINT_ROUTER;
	at = add_count(text, at, sizeof text, n[TV_HOST_CORE], "host", "hosts");
	at = add_count(text, at, sizeof text, n[TV_HOST_CACHE], "cache", "caches");
	at = add_count(text, at, sizeof text, n[TV_HOST_MEMORY], "memory", "memories");
	at = add_count(text, at, sizeof text, routers, "router", "routers");
	at = add_count(text, at, sizeof text, d->platform->nlinks, "link", "links");
	if (d->platform->nzones > 1)
		add_count(text, at, sizeof text, d->platform->nzones, "zone", "zones");
	tv_picture_write(d, "title", TV_PICTURE_MARGIN, y + 5, TV_LEFT, true, TV_INK, text);
	d->right = fmax(d->right, TV_PICTURE_MARGIN + tv_picture_text_width(d, text, true));
	return y + 13;
}

struct keys {
	double x, y, width;
};

static void draw_key(struct tv_drawn *d, struct keys *keys, uint32_t fill, enum tv_dash dash,
		     uint32_t color, double width, const char *text)
{
	double needs = (fill != TV_NO_COLOR || width > 0 ? 20 : 0)
		     + tv_picture_text_width(d, text, false) + 8;

	if (keys->x > TV_PICTURE_MARGIN && keys->x + needs > keys->width) {
		keys->x = TV_PICTURE_MARGIN;
		keys->y += 9;
	}
	tv_scene_pen(d->scene, "key", "keys");
	d->scene->pen.stroke = color;
	d->scene->pen.width = width;
	d->scene->pen.dash = dash;
	d->scene->pen.fill = fill;
	if (fill != TV_NO_COLOR)
		tv_scene_rect(d->scene, TV_PAGE, keys->x + 2, keys->y + 2, keys->x + 14,
			      keys->y + 8);
	else if (width > 0)
		tv_scene_line(d->scene, TV_PAGE, keys->x, keys->y + 5, keys->x + 16, keys->y + 5);
	tv_picture_write(d, "key-text", keys->x + needs - 8 - tv_picture_text_width(d, text, false),
			 keys->y + 5, TV_LEFT, false, TV_INK, text);
	keys->x += needs;
	d->right = fmax(d->right, keys->x - 8);
}

static double draw_keys(struct tv_drawn *d, double y)
{
	static const char *const policies[] = {
		[TV_LINK_SHARED] = "shared link",
		[TV_LINK_SPLITDUPLEX] = "split duplex: each direction",
		[TV_LINK_FATPIPE] = "fat pipe: each transfer"
	};
	static const char *const kinds[] = {
		[TV_HOST_CORE] = "host", [TV_HOST_CACHE] = "cache", [TV_HOST_MEMORY] = "memory"
	};
	struct keys keys = { TV_PICTURE_MARGIN, y, fmax(d->right, 330) };
	char text[TV_PICTURE_TEXT];

	for (size_t i = 0; i < TV_COUNT(kinds); i++)
		if (d->kind[i])
			draw_key(d, &keys, tv_picture_fills[i], TV_SOLID, TV_DIM, 0.6, kinds[i]);
	for (size_t i = 0; i < TV_COUNT(policies); i++)
		if (d->policy[i])
			draw_key(d, &keys, TV_NO_COLOR, tv_picture_dashes[i], TV_INK, 0.8,
				 policies[i]);
	if (d->mixed)
		draw_key(d, &keys, TV_NO_COLOR, TV_DASHDOT, TV_INK, 0.8, "several kinds of links");
	if (d->bus)
		draw_key(d, &keys, TV_WHITE, TV_SOLID, TV_DIM, 0.6, "link of several places");
	if (d->picture->nroutes > 0)
		draw_key(d, &keys, TV_NO_COLOR, TV_SOLID, TV_PICTURE_MARK, 1.6, d->picture->routes);
	if (d->tree.abbreviated)
		draw_key(d, &keys, TV_NO_COLOR, TV_SOLID, TV_INK, 0,
			 "\303\227 N: drawn once for N equal branches");
	if (d->tree.lanes_left > 0) {
		snprintf(text, sizeof text, "%u further connections are not drawn",
			 d->tree.lanes_left);
		draw_key(d, &keys, TV_NO_COLOR, TV_SOLID, TV_INK, 0, text);
	}
	return keys.y + 10;
}

/* Nodes and edges of the routes that were asked for. */
static void set_marks(struct tv_drawn *d)
{
	const struct tv_plan *plan = d->plan;
	bool *link = tv_alloc(d->platform->nlinks, sizeof *link),
	     *met = tv_alloc(plan->nnodes, sizeof *met);
	uint32_t *node = tv_alloc(d->platform->npoints, sizeof *node);

	for (uint32_t i = 0; i < plan->nnodes; i++)
		if (plan->node[i].point != TV_NONE)
			node[plan->node[i].point] = i;
	for (size_t i = 0; i < d->picture->nroutes; i++) {
		for (uint32_t k = 0; k < d->picture->route[i].n; k++)
			link[d->picture->route[i].hop[k].link] = true;
		for (int end = 0; end < 2; end++)
			d->node[node[d->platform->host[d->picture->end[2 * i + end]].point]] = true;
	}
	for (uint32_t i = 0; i < plan->nnodes; i++)
		d->node[i] = d->node[i]
			  || (plan->node[i].link != TV_NONE && link[plan->node[i].link]);
	for (uint32_t i = 0; i < plan->nedges; i++) {
		const struct tv_plan_edge *edge = &plan->edge[i];

		if (edge->n == 0 || !link[plan->link[edge->first]])
			continue;
		d->edge[i] = true;
		met[edge->from] = met[edge->to] = true;
	}
	for (uint32_t i = 0; i < plan->nedges; i++) {
		const struct tv_plan_edge *edge = &plan->edge[i];

		if (edge->n == 0)
			d->edge[i] = (d->node[edge->from] || met[edge->from])
				  && (d->node[edge->to] || met[edge->to]);
	}
	tv_free(link);
	tv_free(met);
	tv_free(node);
}

static int draw(struct tv_drawn *d, struct tv_error *err)
{
	double y = TV_PICTURE_MARGIN;

	for (uint32_t i = 0; i < d->tree.n; i++)
		if (!d->tree.item[i].is_hidden)
			d->tree.item[i].width = tv_picture_width(d, &d->tree.item[i]);
	y = draw_title(d, y);
	y = tv_picture_place(d, 0, TV_PICTURE_MARGIN, y, 0);
	d->right = fmax(d->right, d->tree.item[0].x1);
	tv_picture_draw(d);
	y = draw_keys(d, y + 2);
	d->scene->width = ceil((d->right + TV_PICTURE_MARGIN) / d->scene->cell) * d->scene->cell;
	d->scene->height = ceil((y + TV_PICTURE_MARGIN / 2) / d->scene->cell) * d->scene->cell;
	d->scene->frame[TV_PAGE].width = d->scene->width;
	d->scene->frame[TV_PAGE].duration = d->scene->width;
	d->scene->frame[TV_PAGE].height = d->scene->frame[TV_PAGE].rows = d->scene->height;
	return tv_scene_check(d->scene, err);
}

/* The page of a browser: the picture with its hover texts. */
static int write_html(const struct tv_scene *scene, const struct tv_metadata *about,
		      struct tv_output *out, struct tv_error *err)
{
	struct tv_output svg;
	const char *begin;
	int rc;

	tv_output_memory(&svg);
	rc = tv_write_svg(scene, about, &svg, err);
	tv_output_write(&svg, "", 1);
	begin = rc == 0 ? strstr(svg.buffer, "<svg ") : NULL;
	if (begin != NULL) {
		tv_output_text(out,
			       "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta "
			       "charset=\"utf-8\">\n<title>platform</title>\n</head>\n<body>\n");
		tv_output_text(out, begin);
		tv_output_text(out, "</body>\n</html>\n");
	}
	tv_output_abort(&svg);
	return rc;
}

static int write_file(const struct tv_scene *scene, const struct tv_metadata *about,
		      enum tv_medium medium, struct tv_output *out, struct tv_error *err)
{
	switch (medium) {
	case TV_PDF:
		return tv_write_pdf(scene, 1, about, out, err);
	case TV_PNG:
		return tv_write_png(scene, about, out, err);
	case TV_HTML:
		return write_html(scene, about, out, err);
	default:
		return tv_write_svg(scene, about, out, err);
	}
}

int tv_platform_draw(const struct tv_platform_picture *picture, enum tv_medium medium,
		     struct tv_output *out, struct tv_error *err)
{
	double cell = tv_medium_cell(medium == TV_HTML ? TV_SVG : medium, picture->dpi);
	struct tv_text *text = tv_text_new(NULL, err);
	struct tv_scene scene = { 0 };
	struct tv_plan plan;
	struct tv_drawn d = {
		.picture = picture, .platform = picture->platform, .plan = &plan, .scene = &scene
	};
	int rc;

	if (text == NULL)
		return -1;
	tv_plan_init(&plan, picture->platform);
	d.node = tv_alloc(plan.nnodes, sizeof *d.node);
	d.edge = tv_alloc(plan.nedges, sizeof *d.edge);
	set_marks(&d);
	tv_branches_init(&d.tree, d.platform, &plan, d.node, d.edge);
	rc = tv_scene_init(&scene, text, 72, cell, err);
	scene.labels = medium != TV_PNG;
	if (rc == 0)
		rc = draw(&d, err);
	if (rc == 0)
		rc = write_file(&scene, &picture->about, medium, out, err);
	if (rc == 0 && tv_text_failed(text))
		rc = tv_fail(err, "cannot draw: no memory for a font");
	tv_scene_release(&scene);
	tv_branches_release(&d.tree);
	tv_plan_release(&plan);
	tv_text_free(text);
	tv_free(d.node);
	tv_free(d.edge);
	return rc;
}
