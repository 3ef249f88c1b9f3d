/* SPDX-License-Identifier: GPL-3.0-or-later */
/* task_labels.c -- text inside the rectangles of tasks, where it fits. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/csv.h"
#include "trace/near_names.h"
#include "trace/text.h"
#include "views/annotate/annotations.h"
#include "views/scene/vision.h"

static const double pad = 1.3; /* points beside the text, for an outline */

enum { LABEL_MAX = 128 };

/* The columns there are, for messages. */
static void list_columns(const struct tv_table *tasks, char *out, size_t size)
{
	size_t used = 0;

	out[0] = '\0';
	for (size_t i = 0; i < tasks->ncols && used < size; i++)
		if (strcmp(tasks->col[i]->name, TV_INPUT_ROW) != 0)
			used += (size_t)snprintf(out + used, size - used, "%s%s", i > 0 ? ", " : "",
						 tasks->col[i]->name);
}

/* A column of tasks; iterations and coordinates as the pass iterations reads them out of tags. */
static const struct tv_column *find_column(struct tv_figure *figure, const char *name)
{
	const struct tv_column *column = NULL;
	const struct tv_table *decoded;
	struct tv_error none = { 0 };

	if (strcmp(name, "Iteration") == 0 || strcmp(name, "X") == 0 || strcmp(name, "Y") == 0) {
		decoded = tv_run_pass(figure->run, "iterations", NULL, &none);
		column = decoded == NULL ? NULL : tv_table_find(decoded, name);
	}
	return column != NULL ? column : tv_table_find(&figure->run->trace->table[TV_TASKS], name);
}

static int add_part(struct tv_figure *figure, const char *given, const char *column,
		    const char *text, size_t n, struct tv_error *err)
{
	const struct tv_table *tasks = &figure->run->trace->table[TV_TASKS];
	struct tv_annotations *notes = figure->notes;
	struct tv_label_part part = { .text = text, .n = n };
	struct tv_near near;
	char all[512], *name;

	if (notes->nparts == TV_LABEL_PARTS)
		return tv_fail_usage(err, "--task-labels '%s': more than %d parts", given,
				     TV_LABEL_PARTS);
	if (column != NULL) {
		name = tv_strndup(column, n);
		part = (struct tv_label_part){ .column = find_column(figure, name) };
		if (part.column == NULL) {
			list_columns(tasks, all, sizeof all);
			tv_fail_usage(err,
				      "--task-labels '%s': no column '%s'%s, expected one of %s",
				      given, name, tv_near_column(&near, name, tasks), all);
		}
		tv_free(name);
		if (part.column == NULL)
			return -1;
	}
	notes->part[notes->nparts++] = part;
	return 0;
}

/* Text with {Column} in it. */
static int read_format(struct tv_figure *figure, const char *text, struct tv_error *err)
{
	for (const char *s = text; *s != '\0';) {
		size_t plain = strcspn(s, "{"), name;

		if (plain > 0 && add_part(figure, text, NULL, s, plain, err) < 0)
			return -1;
		s += plain;
		if (*s == '\0')
			break;
		name = strcspn(s + 1, "}");
		if (s[1 + name] == '\0')
			return tv_fail_usage(err,
					     "--task-labels '%s': a { without }, expected "
					     "text with {Column} in it",
					     text);
		if (add_part(figure, text, s + 1, NULL, name, err) < 0)
			return -1;
		s += name + 2;
	}
	return 0;
}

int tv_task_label_read(struct tv_figure *figure, const char *text, struct tv_error *err)
{
	static const char *const index[] = { "Iteration", "X", "Y" };
	struct tv_annotations *notes = figure->notes;

	if (figure->states) {
		tv_run_warn(figure->run, "--task-labels left out: the trace has no tasks to name");
		return 0;
	}
	notes->nparts = 0;
	notes->indices = strcmp(text, "k,i,j") == 0;
	if (strchr(text, '{') != NULL)
		return read_format(figure, text, err);
	if (!notes->indices)
		return add_part(figure, text, text, NULL, strlen(text), err);
	for (size_t i = 0; i < TV_COUNT(index); i++)
		if (add_part(figure, text, index[i], NULL, strlen(index[i]), err) < 0)
			return -1;
	return 0;
}

/* A value as a figure prints it: times in ms, numbers of four digits. False if it is missing. */
static bool print_value(const struct tv_column *column, uint32_t row, char *out, size_t size)
{
	static const struct tv_unit ms = { "ms", 1000000 };

	if (tv_missing(column, row))
		return false;
	if (column->type == TV_TIME)
		tv_unit_text(out, size, column->i[row], &ms);
	else if (column->type == TV_DOUBLE)
		tv_number_text(out, size, column->d[row]);
	else
		return tv_cell_text(column, row, out, size) > 0;
	return true;
}

/* The label of a row's task; false if it is empty. */
static bool task_label(const struct tv_annotations *notes, uint32_t row, char *out, size_t size)
{
	char raw[LABEL_MAX] = "", value[LABEL_MAX];
	size_t used = 0;

	for (size_t i = 0; i < notes->nparts && used < sizeof raw; i++) {
		const struct tv_label_part *part = &notes->part[i];
		bool there = part->column == NULL
			  || print_value(part->column, row, value, sizeof value);

		if (!there && !notes->indices)
			return false;
		if (!there)
			continue;
		if (notes->indices && used > 0)
			raw[used++] = ',';
		if (part->column != NULL)
			used += (size_t)snprintf(raw + used, sizeof raw - used, "%s", value);
		else
			used += (size_t)snprintf(raw + used, sizeof raw - used, "%.*s",
						 (int)part->n, part->text);
	}
	tv_clean_text(out, size, raw);
	return out[0] != '\0' && used < sizeof raw;
}

enum { LINES_MAX = 10 };

/* What labels stay clear of: bounds and arrows. */
struct obstacles {
	double line[LINES_MAX];
	size_t nlines;
	double arrow[TV_ARROWS_MAX][4];
	size_t narrows;
};

static void find_obstacles(const struct tv_figure *figure, const struct tv_rows *rows,
			   unsigned frame, struct obstacles *found)
{
	const struct tv_scene *scene = figure->scene;
	const struct tv_frame *f = &scene->frame[frame];
	uint32_t bound = tv_pool_find_text(scene->strings, "bound");
	double box[4];

	*found = (struct obstacles){ .nlines = 0 };
	for (size_t i = scene->n; i-- > 0 && bound != TV_NONE;) {
		if (scene->shape[i].class != bound || found->nlines == TV_COUNT(found->line))
			continue;
		tv_shape_box(scene, &scene->shape[i], box);
		if (box[1] < f->y + f->height && box[3] > f->y)
			found->line[found->nlines++] = (box[0] + box[2]) / 2;
	}
	for (size_t i = 0; i < figure->notes->narrows; i++)
		if (tv_arrow_ends(figure, rows, frame, &figure->notes->arrow[i],
				  found->arrow[found->narrows]))
			found->narrows++;
}

/* Whether the line from (p[0], p[1]) to (p[2], p[3]) passes through the box (Liang and Barsky). */
static bool crosses(const double p[4], const double box[4])
{
	double from = 0, to = 1;

	for (int axis = 0; axis < 2; axis++) {
		double at = p[axis], step = p[axis + 2] - at, a, b;

		if (fabs(step) < 1e-12) {
			if (at < box[axis] || at > box[axis + 2])
				return false;
			continue;
		}
		a = (box[axis] - at) / step;
		b = (box[axis + 2] - at) / step;
		from = fmax(from, fmin(a, b));
		to = fmin(to, fmax(a, b));
	}
	return from <= to;
}

static bool is_free(const struct obstacles *obstacles, const double box[4])
{
	double wide[4] = { box[0] - 2, box[1] - 2, box[2] + 2, box[3] + 2 };

	for (size_t i = 0; i < obstacles->nlines; i++)
		if (obstacles->line[i] > box[0] - 1 && obstacles->line[i] < box[2] + 1)
			return false;
	for (size_t i = 0; i < obstacles->narrows; i++)
		if (crosses(obstacles->arrow[i], wide))
			return false;
	return true;
}

/* Writes into the box of a task on the page. */
static void draw_label(struct tv_figure *figure, const struct tv_item *item, const double box[4],
		       uint32_t fill, const struct obstacles *obstacles)
{
	struct tv_scene *scene = figure->scene;
	char text[LABEL_MAX];

	if (!task_label(figure->notes, item->row, text, sizeof text))
		return;
	for (double size = TV_TEXT_SIZE; size >= TV_TEXT_SMALL; size -= 0.5) {
		double width = tv_text_width(scene->text, text, size, false);
		double x = (box[0] + box[2]) / 2, y = (box[1] + box[3]) / 2;
		double place[4] = { x - width / 2, box[1], x + width / 2, box[3] };

		if (size * TV_TEXT_HEIGHT > box[3] - box[1] || width + 2 * pad > box[2] - box[0])
			continue;
		if (!is_free(obstacles, place))
			return;
		scene->pen.fill = tv_color_dark(fill) ? TV_WHITE : TV_BLACK;
		scene->pen.row = item->row;
		/* The box of a line of text is higher above its middle than below. */
		y += size * ((TV_TEXT_ASCENT - TV_TEXT_DESCENT) / 2 - TV_TEXT_MIDDLE);
		tv_scene_text(scene, x, y, TV_CENTER, size, false, text);
		return;
	}
}

/* For whoever knows at what zoom it fits. */
static void add_label(struct tv_figure *figure, const struct tv_frame *f, unsigned frame,
		      const struct tv_item *item, const struct tv_row *row)
{
	double height = row->y1 - row->y0, x0 = tv_frame_time(f, item->begin),
	       x1 = tv_frame_time(f, item->end);
	char text[LABEL_MAX];

	if (x1 < 0 || x0 > f->duration || !task_label(figure->notes, item->row, text, sizeof text))
		return;
	figure->scene->pen.row = item->row;
	tv_scene_label(figure->scene, frame, x0, row->y0 + (double)item->top * height, x1,
		       row->y0 + (double)item->bottom * height, TV_TEXT_SIZE, text);
}

void tv_task_labels_draw(struct tv_figure *figure, const struct tv_rows *rows, unsigned frame)
{
	struct tv_frame f = figure->scene->frame[frame];
	struct tv_item_room room = { 0 };
	struct obstacles obstacles;

	if (figure->notes->nparts == 0)
		return;
	find_obstacles(figure, rows, frame, &obstacles);
	tv_scene_pen(figure->scene, "task-label", "task-labels");
	figure->scene->pen.fill = TV_INK;
	for (uint32_t r = 0; r < rows->nrows; r++) {
		const struct tv_row *row = &rows->row[r];
		const struct tv_item *item = tv_row_items(rows, row, &room);
		double height = row->y1 - row->y0;

		for (uint32_t i = 0; i < row->n; i++, item++) {
			const struct tv_type_style *type = &rows->type[item->type];
			double box[4] = {
				fmax(f.x, tv_frame_x(&f, tv_frame_time(&f, item->begin))),
				f.y + row->y0 + (double)item->top * height,
				fmin(f.x + f.width, tv_frame_x(&f, tv_frame_time(&f, item->end))),
				f.y + row->y0 + (double)item->bottom * height,
			};

			if (figure->scene->exact) {
				add_label(figure, &f, frame, item, row);
				continue;
			}
			if (box[2] - box[0] < 2 * pad + 2
			    || box[3] - box[1] < TV_TEXT_SMALL * TV_TEXT_HEIGHT)
				continue;
			draw_label(figure, item, box, item->outlier ? type->color : type->faded,
				   &obstacles);
		}
	}
	tv_item_room_release(&room);
}
