/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mpi_states.c -- the panel of what each thread for communication between nodes did: a row for each,
 * and ticks below it for states that take no time.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/text.h"
#include "views/charts/strip.h"
#include "views/rows/chart.h"
#include "views/rows/items.h"
#include "views/shared/mpi_colors.h"
#include "views/shared/panel.h"

static const double row_min = 4, row_max = 14, comfortable = 70, tall = 220, height_min = 14,
		    name_pad = 3;      /* points */
static const double tick_from = 0.66;  /* of the height of a row */
static const double share_min = 0.005; /* percent: less is not written as a number */

/* A state with the sums of the pass. */
struct state {
	uint32_t label; /* TV_NONE: without name */
	int64_t records, time;
	double share;
	const char *name;
};

struct mpi {
	struct tv_rows rows;
	const struct tv_table *pieces;
	uint32_t *row_of; /* by label of a resource */
	uint8_t *type_of; /* by label of a state */
	struct tv_key key[TV_TYPES_MAX];
	size_t nkeys;
	char title[80];
};

static int by_time(const void *a, const void *b)
{
	const struct state *x = a, *y = b;

	if (x->time != y->time)
		return TV_COMPARE(y->time, x->time);
	return tv_natural_order(x->name, y->name);
}

static const char *label_text(const struct tv_table *table, uint32_t label)
{
	return label == TV_NONE ? "" : tv_pool_text(table->pool, label);
}

static void add_type(struct mpi *m, const struct tv_printed *printed, const char *name,
		     const struct state *sum, uint32_t color)
{
	struct tv_type_style *style = &m->rows.type[m->rows.ntypes++];
	struct tv_key *key = &m->key[m->nkeys++];
	char share[32], text[64];

	*style = (struct tv_type_style){ .time = sum->time, .color = color, .faded = color };
	tv_clean_text(style->name, sizeof style->name, name);
	*key = (struct tv_key){ .kind = TV_KEY_AREA, .color = color };
	if (sum->time == 0)
		snprintf(share, sizeof share, "%lld tick%s", (long long)sum->records,
			 sum->records == 1 ? "" : "s");
	else if (sum->share < share_min)
		snprintf(share, sizeof share, "<0.01");
	else
		snprintf(share, sizeof share, "%.*f", sum->share < 0.95 ? 2 : 1, sum->share);
	tv_clean_text(text, sizeof text, name);
	snprintf(key->text, sizeof key->text, "%s %s", text,
		 tv_print_number(printed, sum->time == 0 ? "Records" : "Share", text,
				 sum->time == 0 ? NULL : "%", "%s", share));
}

/* Types of the rows, by time; the last color is of all that are left. */
static void set_types(struct mpi *m, const struct tv_table *sums, const struct tv_printed *printed)
{
	const struct tv_column *nature = tv_table_find(sums, "Nature"),
			       *value = tv_table_find(sums, "Value");
	struct state *state = tv_alloc(sums->nrows, sizeof *state), rest = { 0 };
	uint32_t n = 0;

	for (uint32_t row = 0; row < sums->nrows; row++)
		if (strcmp(label_text(sums, tv_label(nature, row)), "state") == 0)
			state[n++] = (struct state){ tv_label(value, row),
						     tv_table_find(sums, "Records")->i[row],
						     tv_table_find(sums, "Time")->i[row],
						     tv_table_find(sums, "Share")->d[row],
						     label_text(sums, tv_label(value, row)) };
	qsort(state, n, sizeof *state, by_time);
	for (uint32_t i = 0; i < n; i++) {
		if (i + 1 < TV_TYPES_MAX || n == TV_TYPES_MAX) {
			if (state[i].label != TV_NONE)
				m->type_of[state[i].label] = (uint8_t)m->rows.ntypes;
			add_type(m, printed, state[i].name, &state[i],
				 tv_mpi_state_color(state[i].name));
			continue;
		}
		if (state[i].label != TV_NONE)
			m->type_of[state[i].label] = TV_TYPES_MAX - 1;
		rest.records += state[i].records;
		rest.time += state[i].time;
		rest.share += state[i].share;
	}
	if (rest.records > 0)
		add_type(m, printed, "other", &rest, TV_GRAY);
	m->rows.nshown = m->rows.uncounted = m->rows.ntypes;
	tv_free(state);
}

static bool is_instant(const struct tv_table *pieces, uint32_t i)
{
	return tv_table_find(pieces, "Start")->i[i] == tv_table_find(pieces, "End")->i[i];
}

/* The pieces come thread by thread, each in order of time. */
static void set_rows(struct mpi *m)
{
	const struct tv_table *pieces = m->pieces;
	const struct tv_column *id = tv_table_find(pieces, "ResourceId"),
			       *value = tv_table_find(pieces, "Value");
	struct tv_rows *rows = &m->rows;

	rows->row = tv_alloc(pieces->nrows, sizeof *rows->row);
	rows->band = tv_alloc(pieces->nrows, sizeof *rows->band);
	rows->item = tv_alloc(pieces->nrows, sizeof *rows->item);
	for (uint32_t i = 0; i < pieces->nrows; i++) {
		uint32_t label = tv_label(id, i), state = tv_label(value, i);

		if (rows->nrows == 0 || rows->row[rows->nrows - 1].resource != label) {
			rows->row[rows->nrows] = (struct tv_row){ .resource = label,
								  .band = rows->nrows,
								  .first = rows->nitems,
								  .idle = NAN };
			rows->band[rows->nrows] = (struct tv_band){ .node = label,
								    .rtype = TV_NONE,
								    .first = rows->nrows,
								    .n = 1,
								    .weight = 1 };
			m->row_of[label] = rows->nrows++;
		}
		if (is_instant(pieces, i))
			continue;
		rows->row[rows->nrows - 1].n++;
		rows->item[rows->nitems++] = (struct tv_item){
			.begin = tv_table_find(pieces, "Start")->i[i],
			.end = tv_table_find(pieces, "End")->i[i],
			.row = i,
			.bottom = 1,
			.type = state == TV_NONE ? 0 : m->type_of[state],
			.under = TV_NO_TYPE
		};
	}
	rows->filled = rows->nitems;
	rows->nbands = rows->nnodes = rows->nrows;
	rows->units = rows->nrows;
	rows->lanes = 1;
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	struct mpi *m = slot->state = tv_alloc(1, sizeof *m);
	const struct tv_table *sums;
	uint32_t nlabels;
	int rc = tv_panel_pass(figure, slot->panel, "states",
			       (const char *const[]){ "of", "communication", NULL }, &sums, err);

	if (rc == 0)
		rc = tv_panel_pass(figure, slot->panel, "states",
				   (const char *const[]){ "of", "communication", "by", "piece",
							  "instants", "", NULL },
				   &m->pieces, err);
	if (rc != 0)
		return rc;
	if (m->pieces->nrows == 0)
		return tv_panel_nothing(figure, slot->panel,
					"no state of these threads is in the window");
	nlabels = tv_pool_count(m->pieces->pool);
	m->row_of = tv_alloc(nlabels, sizeof *m->row_of);
	m->type_of = tv_alloc(nlabels, sizeof *m->type_of);
	m->rows.pool = m->pieces->pool;
	m->rows.states = true;
	m->rows.table = m->pieces;
	set_types(m, sums, &slot->printed);
	set_rows(m);
	snprintf(m->title, sizeof m->title, "threads that communicate, %% of their time");
	return 0;
}

static const char *row_text(const struct mpi *m, uint32_t row, char *out, size_t size)
{
	return tv_clean_text(out, size, tv_pool_text(m->rows.pool, m->rows.row[row].resource));
}

static void measure(struct tv_figure *figure, struct tv_slot *slot, double height)
{
	struct mpi *m = slot->state;
	double unit = fmax(row_min, fmin(row_max, comfortable / m->rows.nrows));
	char text[80];

	if (height == 0)
		height = fmin(tv_rows_height(&m->rows, unit), tall) + figure->scene->cell;
	slot->request.height = tv_rows_place(&m->rows, height, figure->scene->cell);
	slot->request.min = fmin(slot->request.height, height_min);
	for (uint32_t r = 0; r < m->rows.nrows && !figure->bare; r++)
		slot->request.left = fmax(slot->request.left,
					  tv_text_width(figure->scene->text,
							row_text(m, r, text, sizeof text),
							TV_TEXT_SMALL, false)
						  + name_pad);
	slot->request.top = tv_strip_height(figure, m->title, m->key, m->nkeys, figure->axis.width);
}

/* One tick per state and cell: more would not show. The rarest states are on top. */
static void draw_ticks(struct tv_figure *figure, const struct mpi *m, const struct tv_place *place)
{
	const struct tv_axis *axis = &figure->axis;
	const struct tv_column *id = tv_table_find(m->pieces, "ResourceId"),
			       *value = tv_table_find(m->pieces, "Value");
	struct tv_scene *scene = figure->scene;

	tv_scene_pen(scene, "instant", "states");
	for (uint8_t type = 0; type < m->rows.ntypes; type++) {
		double last = -INFINITY;
		uint32_t last_row = TV_NONE;

		scene->pen.stroke = m->rows.type[type].color;
		for (uint32_t i = 0; i < m->pieces->nrows; i++) {
			int64_t time = tv_table_find(m->pieces, "Start")->i[i];
			uint32_t state = tv_label(value, i), r = m->row_of[tv_label(id, i)];
			const struct tv_row *row = &m->rows.row[r];
			double x = tv_axis_at(axis, time);

			if ((state == TV_NONE ? 0 : m->type_of[state]) != type
			    || !is_instant(m->pieces, i) || time < axis->begin || time > axis->end
			    || (r == last_row && x < last + scene->cell))
				continue;
			last = x;
			last_row = r;
			scene->pen.row = i;
			tv_scene_line(scene, TV_PAGE, x,
				      place->y + row->y0 + tick_from * (row->bottom - row->y0), x,
				      place->y + row->bottom);
		}
	}
}

static void draw_names(struct tv_figure *figure, const struct mpi *m, double y)
{
	double line = TV_TEXT_SMALL * TV_TEXT_HEIGHT, from = -INFINITY;
	char text[80];

	tv_scene_pen(figure->scene, "name", "names");
	figure->scene->pen.fill = TV_INK;
	for (uint32_t r = 0; r < m->rows.nrows && !figure->bare; r++) {
		double middle = y + (m->rows.row[r].y0 + m->rows.row[r].bottom) / 2;

		if (middle - line / 2 < from)
			continue;
		from = middle + line / 2;
		tv_scene_text(figure->scene, figure->axis.stub_x - name_pad, middle, TV_RIGHT,
			      TV_TEXT_SMALL, false, row_text(m, r, text, sizeof text));
	}
}

static void draw_items(struct tv_figure *figure, const struct mpi *m, const struct tv_place *place,
		       bool stub)
{
	unsigned frame = tv_figure_frame(figure, stub ? "mpi-states-setup" : "mpi-states", place,
					 place->height, stub);

	tv_chart_items(figure, &m->rows, frame, stub);
	if (!stub)
		draw_ticks(figure, m, place);
	tv_chart_frame(figure->scene, &m->rows, frame);
}

static void layout(struct tv_figure *figure, struct tv_slot *slot)
{
	struct mpi *m = slot->state;
	const struct tv_place *place = &slot->place;
	double crowd = figure->crowd, cells = figure->crowd_cells;

	tv_rows_place(&m->rows, slot->given, figure->scene->cell);
	if (figure->axis.stub_width > 0)
		draw_items(figure, m, place, true);
	draw_items(figure, m, place, false);
	/* The figure prints how many tasks share a cell, not how many states. */
	figure->crowd = crowd;
	figure->crowd_cells = cells;
	draw_names(figure, m, place->y);
	tv_strip_draw(figure, m->title, m->key, m->nkeys, place->x, place->y, place->width);
}

static void release(struct tv_slot *slot)
{
	struct mpi *m = slot->state;

	tv_rows_release(&m->rows);
	tv_free(m->row_of);
	tv_free(m->type_of);
	tv_free(m);
}

const struct tv_panel tv_panel_mpi_states = {
	.name = "mpi-states",
	.title = "what the threads for communication between nodes did",
	.needs = "states of the Type 'Communication Thread State', or MPI calls",
	.share = 1,
	.prepare = prepare,
	.measure = measure,
	.layout = layout,
	.release = release,
};
