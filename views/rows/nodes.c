/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nodes.c -- nodes of a run: headers above their rows, or names beside them; which stand out. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/text.h"
#include "views/rows/chart.h"

static const double name_share = 0.14; /* of the width, for names of nodes */
static const double accent = 1.4, inset = 2;

/* The rows of a node one below the other, and where they are. */
struct group {
	uint32_t node;			 /* label */
	uint32_t end;			 /* its bands end there */
	const struct tv_node_note *note; /* NULL = nothing is known */
	double y0, y1, idle;
};

static const struct tv_node_note *note_of(const struct tv_rows *rows, uint32_t node)
{
	for (uint32_t i = 0; i < rows->nnotes; i++)
		if (rows->note[i].node == node)
			return &rows->note[i];
	return NULL;
}

static bool stands_out(const struct tv_node_note *note)
{
	return note != NULL && (note->late_start || note->late_end || note->more_work);
}

/* The group that begins with a band; idle is the mean of its rows. */
static struct group group_at(const struct tv_rows *rows, uint32_t band)
{
	struct group group = { .node = rows->band[band].node,
			       .end = tv_rows_node_end(rows, band),
			       .y0 = rows->band[band].y0 };
	uint32_t n = 0;

	group.note = note_of(rows, group.node);
	for (uint32_t b = band; b < group.end; b++) {
		group.idle += rows->band[b].idle * tv_rows_workers(rows, b);
		n += tv_rows_workers(rows, b);
	}
	/* Names are beside what is drawn, without the free edge below it. */
	group.y1 = rows->row[rows->band[group.end - 1].first + rows->band[group.end - 1].n - 1].y1;
	group.idle /= n;
	return group;
}

bool tv_rows_accented(const struct tv_rows *rows)
{
	for (uint32_t i = 0; i < rows->nnotes; i++)
		if (stands_out(&rows->note[i]))
			return true;
	return false;
}

bool tv_rows_label_nodes(const struct tv_rows *rows)
{
	return rows->grouped && rows->head == 0 && rows->names == TV_NAMES_AUTO
	    && (rows->name_nodes || tv_rows_thinned(rows));
}

/* "node 17", or "17" where the place says what it is; names that are no numbers alone. */
static const char *node_name(const struct tv_figure *figure, const struct tv_rows *rows,
			     uint32_t node, bool brief, char out[128])
{
	char clean[100], text[128];
	const char *name = tv_pool_text(rows->pool, node);

	tv_clean_text(clean, sizeof clean, node == TV_NONE ? "?" : name);
	snprintf(text, sizeof text, "%s%s",
		 !brief && strspn(clean, "0123456789") == strlen(clean) ? "node " : "", clean);
	return tv_text_fit(figure->scene->text, text, TV_TEXT_SIZE, true,
			   name_share * figure->scene->width, out, 128);
}

/* ---- names beside the rows ---- */

static const char labels_title[] = "node";

double tv_node_labels_width(const struct tv_figure *figure, const struct tv_rows *rows)
{
	double widest = tv_text_width(figure->scene->text, labels_title, TV_TEXT_SIZE, false);
	char name[128];

	for (uint32_t b = 0; b < rows->nbands; b = tv_rows_node_end(rows, b)) {
		node_name(figure, rows, rows->band[b].node, true, name);
		widest = fmax(widest, tv_text_width(figure->scene->text, name, TV_TEXT_SIZE, true));
	}
	return widest;
}

/* The groups that are named: those that stand out where they fit, of the others every 1st, 2nd,
 * 5th, 10th, ..., if that touches no other name. */
struct labels {
	struct group *group;
	bool *named;
	uint32_t n;
	double size; /* of text */
};

static bool touches(const struct labels *labels, uint32_t i, double height)
{
	const struct group *g = labels->group;

	for (uint32_t k = 0; k < labels->n; k++)
		if (labels->named[k]
		    && fabs(g[k].y0 + g[k].y1 - g[i].y0 - g[i].y1) / 2 < height - 1e-6)
			return true;
	return false;
}

static void choose(struct labels *labels)
{
	double pitch = INFINITY, height;
	uint32_t step = 1;

	for (uint32_t i = 1; i < labels->n; i++)
		pitch = fmin(pitch, (labels->group[i].y0 + labels->group[i].y1
				     - labels->group[i - 1].y0 - labels->group[i - 1].y1)
					    / 2);
	labels->size = pitch >= TV_TEXT_SIZE * TV_TEXT_HEIGHT ? TV_TEXT_SIZE : TV_TEXT_SMALL;
	height = labels->size * TV_TEXT_HEIGHT;
	for (int i = 0; step * pitch < height && i < 24; i++)
		step = i % 3 == 1 ? step / 2 * 5 : step * 2;
	for (int first = 1; first >= 0; first--)
		for (uint32_t i = 0; i < labels->n; i++)
			if (!labels->named[i]
			    && (first ? stands_out(labels->group[i].note) : i % step == 0)
			    && !touches(labels, i, height))
				labels->named[i] = true;
}

static void labels_init(struct labels *labels, const struct tv_rows *rows)
{
	uint32_t n = tv_rows_groups(rows);

	*labels = (struct labels){ .group = tv_alloc(n, sizeof *labels->group),
				   .named = tv_alloc(n, sizeof *labels->named) };
	for (uint32_t b = 0; b < rows->nbands; b = labels->group[labels->n++].end)
		labels->group[labels->n] = group_at(rows, b);
	choose(labels);
}

static void labels_release(struct labels *labels)
{
	tv_free(labels->group);
	tv_free(labels->named);
}

void tv_node_labels(struct tv_figure *figure, const struct tv_rows *rows, double x, double y)
{
	struct tv_scene *scene = figure->scene;
	struct labels labels;
	char name[128];

	labels_init(&labels, rows);
	tv_scene_pen(scene, "node-title", "names");
	scene->pen.fill = TV_INK;
	tv_scene_text(scene, x, y - TV_STRIP_TEXT, TV_RIGHT, TV_TEXT_SIZE, false, labels_title);
	tv_scene_pen(scene, "node-name", "names");
	scene->pen.fill = TV_INK;
	for (uint32_t i = 0; i < labels.n; i++) {
		const struct group *g = &labels.group[i];

		if (labels.named[i])
			tv_scene_text(scene, x, y + (g->y0 + g->y1) / 2, TV_RIGHT, labels.size,
				      stands_out(g->note),
				      node_name(figure, rows, g->node, true, name));
	}
	labels_release(&labels);
}

void tv_node_idleness(struct tv_figure *figure, const struct tv_rows *rows, double x, double y)
{
	struct tv_scene *scene = figure->scene;
	struct labels labels;
	char text[32];

	labels_init(&labels, rows);
	tv_scene_pen(scene, "idleness", "idleness");
	scene->pen.fill = TV_INK;
	for (uint32_t i = 0; i < labels.n; i++) {
		const struct group *g = &labels.group[i];

		snprintf(text, sizeof text, "%.1f", g->idle);
		if (labels.named[i] && !isnan(g->idle))
			tv_scene_text(scene, x, y + (g->y0 + g->y1) / 2, TV_RIGHT, labels.size,
				      stands_out(g->note), text);
	}
	labels_release(&labels);
}

/* ---- headers ---- */

/* What is known of a node; brief 0 to 3: less and less. */
static size_t phrases_of(const struct tv_figure *figure, const struct tv_rows *rows,
			 const struct group *group, int brief, char phrase[TV_NODE_PHRASES][64])
{
	const struct tv_node_note *note = group->note;
	size_t size = sizeof phrase[0], n = 0;
	char time[48];

	if (note != NULL && note->late_start && brief < 3)
		snprintf(phrase[n++], size, "starts late");
	if (note != NULL && note->late_end && brief < 3)
		snprintf(phrase[n++], size, "ends late");
	if (note != NULL && note->more_work && brief < 3)
		snprintf(phrase[n++], size, "longer busy");
	if (note != NULL && note->makespan >= 0 && brief < 2) {
		tv_time_text(time, sizeof time, note->makespan, figure->unit);
		snprintf(phrase[n++], size, "%s%s", brief == 0 ? "makespan " : "", time);
	}
	if (note != NULL && note->abe >= 0 && brief == 0) {
		tv_time_text(time, sizeof time, note->abe, figure->unit);
		snprintf(phrase[n++], size, "ABE %s", time);
	}
	if (!isnan(group->idle) && rows->idle_title != NULL && brief < 3)
		snprintf(phrase[n++], size, "idle %.1f %%", group->idle);
	return n;
}

size_t tv_node_phrases(const struct tv_figure *figure, char phrase[TV_NODE_PHRASES][64])
{
	struct group group = group_at(figure->rows, 0);

	group.note = figure->note;
	return phrases_of(figure, figure->rows, &group, 0, phrase);
}

/* What follows the name. */
static void head_text(const struct tv_figure *figure, const struct tv_rows *rows,
		      const struct group *group, int brief, char *out, size_t size)
{
	char phrase[TV_NODE_PHRASES][64];
	size_t n = phrases_of(figure, rows, group, brief, phrase), at = 0;

	out[0] = '\0';
	for (size_t i = 0; i < n && at < size; i++)
		at += (size_t)snprintf(out + at, size - at, " \302\267 %s", phrase[i]);
}

static void draw_head(struct tv_figure *figure, const struct tv_rows *rows,
		      const struct group *group, const struct tv_place *place)
{
	struct tv_scene *scene = figure->scene;
	double middle = place->y + group->y0 - rows->head / 2, wide,
	       width = place->width - 2 * inset;
	double half = TV_TEXT_SIZE * TV_TEXT_HEIGHT / 2, x = place->x + inset;
	char name[128], text[256];
	int brief = 0;

	node_name(figure, rows, group->node, false, name);
	wide = tv_text_width(scene->text, name, TV_TEXT_SIZE, true);
	do
		head_text(figure, rows, group, brief, text, sizeof text);
	while (wide + tv_text_width(scene->text, text, TV_TEXT_SIZE, false) > width && ++brief < 4);
	/* Lines of bounds do not cross the text. */
	tv_scene_pen(scene, "node-paper", "names");
	scene->pen.fill = TV_WHITE;
	tv_scene_rect(scene, TV_PAGE, x - 1, middle - half,
		      x + wide + tv_text_width(scene->text, text, TV_TEXT_SIZE, false) + 2,
		      middle + half);
	tv_scene_pen(scene, "node-name", "names");
	scene->pen.fill = TV_INK;
	tv_scene_text(scene, x, middle, TV_LEFT, TV_TEXT_SIZE, true, name);
	tv_scene_pen(scene, "node-numbers", "names");
	scene->pen.fill = TV_INK;
	if (text[0] != '\0')
		tv_scene_text(scene, x + wide, middle, TV_LEFT, TV_TEXT_SIZE, false, text);
}

/* Bars beside the rows: left of them for a late start and more work, right of them for a late end. */
static void draw_accents(struct tv_figure *figure, const struct group *group,
			 const struct tv_place *place)
{
	const struct tv_node_note *note = group->note;
	double left = figure->axis.stub_x - 0.6, right = place->x + place->width + 0.6;
	const struct {
		bool on;
		double x;
		uint32_t color;
	} bar[] = {
		{ note->late_start, left - accent, TV_LATE_START_COLOR },
		{ note->more_work, left - 2 * accent - 0.4, TV_MORE_WORK_COLOR },
		{ note->late_end, right, TV_LATE_END_COLOR },
	};

	tv_scene_pen(figure->scene, "accent", "names");
	for (size_t i = 0; i < TV_COUNT(bar); i++) {
		figure->scene->pen.fill = bar[i].color;
		if (bar[i].on)
			tv_scene_rect(figure->scene, TV_PAGE, bar[i].x, place->y + group->y0,
				      bar[i].x + accent, place->y + group->y1);
	}
}

void tv_chart_nodes(struct tv_figure *figure, const struct tv_rows *rows,
		    const struct tv_place *place)
{
	if (!rows->grouped)
		return;
	for (uint32_t b = 0; b < rows->nbands; b = tv_rows_node_end(rows, b)) {
		struct group group = group_at(rows, b);

		if (rows->head > 0)
			draw_head(figure, rows, &group, place);
		if (stands_out(group.note) && (!figure->bare || group.note->late_end))
			draw_accents(figure, &group, place);
	}
}
