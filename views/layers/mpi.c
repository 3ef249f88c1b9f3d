/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpi.c -- MPI calls, or states of threads for communication, as rows below their node. */
#include "views/layers/mpi.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/nodes.h"
#include "trace/sorted.h"
#include "trace/text.h"
#include "views/rows/chart.h"
#include "views/rows/items.h"
#include "views/rows/spans.h"
#include "views/shared/mpi_colors.h"

#define THREAD_TYPE "MPI Communication Thread"

static const double row_named = 7.2, row_low = 3.2, above = 1.2, pad = 3; /* points */
static const double rare = 0.01; /* of the time: a type with less has ticks */
static const double tick_share = 0.6, tick_width = 0.5;
static const double name_share = 0.18; /* of the width */

/* ---- rows ---- */

/* The group of the rows of workers that a node has, or TV_NONE. */
static uint32_t group_of(const struct tv_rows *like, uint32_t node)
{
	uint32_t group = 0;

	for (uint32_t b = 0; b < like->nbands; b = tv_rows_node_end(like, b), group++)
		if (like->band[b].node == node)
			return group;
	return TV_NONE;
}

/* Threads that get a row, by label: those that call MPI, or those for communication. */
static bool *find_threads(const struct tv_trace *trace, const struct tv_spans *spans)
{
	const struct tv_table *resources = &trace->table[TV_RESOURCES];
	const struct tv_column *id = tv_table_find(resources, "ResourceId"),
			       *type = tv_table_find(resources, "ResourceType");
	uint32_t thread = tv_pool_find_text(trace->pool, THREAD_TYPE);
	bool *is = tv_alloc(tv_pool_count(trace->pool), sizeof *is);

	for (uint32_t i = 0; spans->calls && i < spans->n; i++)
		if (tv_span_known(spans, i))
			is[spans->of->u[i]] = true;
	for (uint32_t i = 0; !spans->calls && id != NULL && type != NULL && i < resources->nrows;
	     i++)
		if (thread != TV_NONE && tv_label(type, i) == thread && tv_label(id, i) != TV_NONE)
			is[tv_label(id, i)] = true;
	return is;
}

/* The threads in the order of the resources, then those that are no resource; clears is_thread. */
static uint32_t *list_threads(const struct tv_trace *trace, bool *is_thread, uint32_t *n)
{
	const struct tv_table *resources = &trace->table[TV_RESOURCES];
	const struct tv_column *id = tv_table_find(resources, "ResourceId");
	uint32_t *list = NULL, nlabels = tv_pool_count(trace->pool);
	size_t cap = 0;

	*n = 0;
	for (uint32_t i = 0; i < resources->nrows + nlabels; i++) {
		uint32_t label = i >= resources->nrows ? i - resources->nrows
			       : id != NULL	       ? tv_label(id, i)
						       : TV_NONE;

		if (label == TV_NONE || !is_thread[label])
			continue;
		TV_GROW(list, *n, cap, 1);
		list[(*n)++] = label;
		is_thread[label] = false;
	}
	return list;
}

/* One row per thread, by group; row_of: by label of a resource. */
static void add_rows(struct tv_mpi_rows *mpi, const struct tv_trace *trace,
		     const struct tv_rows *like, bool *is_thread, uint32_t *row_of)
{
	struct tv_rows *rows = &mpi->rows;
	uint32_t n, *thread = list_threads(trace, is_thread, &n),
		    *group = tv_alloc(n, sizeof *group);
	struct tv_nodes nodes;

	tv_nodes_init(&nodes, trace);
	rows->nbands = tv_rows_groups(like);
	rows->band = tv_alloc(rows->nbands, sizeof *rows->band);
	rows->row = tv_alloc(n, sizeof *rows->row);
	for (uint32_t i = 0; i < n; i++) {
		group[i] = group_of(like, tv_node_of(&nodes, thread[i]));
		if (group[i] == TV_NONE && rows->nbands == 1 && like->band[0].node == TV_NONE)
			group[i] = 0;
	}
	for (uint32_t g = 0; g < rows->nbands; g++) {
		rows->band[g].first = rows->nrows;
		for (uint32_t i = 0; i < n; i++) {
			if (group[i] != g)
				continue;
			row_of[thread[i]] = rows->nrows;
			rows->row[rows->nrows++] = (struct tv_row){ .resource = thread[i],
								    .band = g,
								    .idle = NAN };
		}
		rows->band[g].n = rows->band[g].nlines = rows->nrows - rows->band[g].first;
	}
	tv_nodes_release(&nodes);
	tv_free(group);
	tv_free(thread);
}

/* ---- states ---- */

struct states {
	struct tv_spans in;
	const uint32_t *row_of; /* by label of a resource */
	int64_t *time;		/* by label of a value */
	uint32_t *count;	/* likewise */
	uint8_t *type;		/* likewise */
};

/* The row that a state belongs to, or TV_NONE. */
static uint32_t row_of_state(const struct states *s, uint32_t i)
{
	return tv_span_known(&s->in, i) && tv_label(s->in.value, i) != TV_NONE
		     ? s->row_of[s->in.of->u[i]]
		     : TV_NONE;
}

/* Types by total time; those beyond the colors share the last one. */
static void set_types(struct tv_rows *rows, const struct states *s, uint32_t nlabels)
{

	while (rows->ntypes < TV_COLORS_MAX) {
		struct tv_type_style *type = &rows->type[rows->ntypes];
		uint32_t best = TV_NONE;

		for (uint32_t v = 0; v < nlabels; v++)
			if (s->count[v] > 0 && s->type[v] == TV_NO_TYPE
			    && (best == TV_NONE || s->time[v] > s->time[best]))
				best = v;
		if (best == TV_NONE)
			break;
		s->type[best] = (uint8_t)rows->ntypes++;
		tv_clean_text(type->name, sizeof type->name, tv_pool_text(rows->pool, best));
		type->time = s->time[best];
		type->color = type->faded = tv_mpi_state_color(tv_pool_text(rows->pool, best));
	}
	rows->nshown = rows->uncounted = rows->ntypes;
	for (uint32_t v = 0; v < nlabels; v++)
		if (s->type[v] == TV_NO_TYPE)
			s->type[v] = (uint8_t)(rows->ntypes - 1);
}

/* States with a length become items, those without ticks, unless their type fills time: then they
 * add nothing that could be seen. */
static void put_states(struct tv_mpi_rows *mpi, const struct states *s)
{
	struct tv_rows *rows = &mpi->rows;
	int64_t all = 0;

	for (uint32_t t = 0; t < rows->ntypes; t++)
		all += rows->type[t].time;
	for (uint32_t r = 0; r < rows->nrows; r++) {
		rows->row[r].first = rows->nitems;
		rows->nitems += rows->row[r].n;
		rows->row[r].n = 0;
	}
	rows->item = tv_alloc(rows->nitems, sizeof *rows->item);
	for (uint32_t i = 0; i < s->in.n; i++) {
		uint32_t r = row_of_state(s, i);
		uint8_t type = r == TV_NONE ? 0 : s->type[tv_label(s->in.value, i)];

		if (r == TV_NONE)
			continue;
		if (s->in.end->i[i] > s->in.start->i[i]) {
			struct tv_row *row = &rows->row[r];

			rows->item[row->first + row->n++] = (struct tv_item){
				.begin = s->in.start->i[i],
				.end = s->in.end->i[i],
				.row = i,
				.bottom = 1,
				.type = type,
				.under = TV_NO_TYPE,
			};
		} else if ((double)rows->type[type].time < rare * (double)all) {
			TV_GROW(mpi->tick, mpi->nticks, mpi->ticks_cap, 1);
			mpi->tick[mpi->nticks++] = (struct tv_mpi_tick){ s->in.start->i[i], r, i,
									 type };
		}
	}
	tv_items_nest(rows);
}

static void read_states(struct tv_mpi_rows *mpi, const struct tv_trace *trace,
			const struct tv_spans *spans, const uint32_t *row_of)
{
	uint32_t nlabels = tv_pool_count(trace->pool);
	struct states s = {
		.in = *spans,
		.row_of = row_of,
	};

	s.time = tv_alloc(nlabels, sizeof *s.time);
	s.count = tv_alloc(nlabels, sizeof *s.count);
	s.type = tv_alloc(nlabels, sizeof *s.type);
	memset(s.type, TV_NO_TYPE, nlabels);
	for (uint32_t i = 0; i < s.in.n; i++) {
		uint32_t r = row_of_state(&s, i), v = tv_label(s.in.value, i);

		if (r == TV_NONE)
			continue;
		s.count[v]++;
		s.time[v] += s.in.end->i[i] - s.in.start->i[i];
		mpi->rows.row[r].n += s.in.end->i[i] > s.in.start->i[i];
	}
	set_types(&mpi->rows, &s, nlabels);
	put_states(mpi, &s);
	tv_free(s.time);
	tv_free(s.count);
	tv_free(s.type);
}

/* ---- the panel's option ---- */

TV_ORDER(by_text, struct tv_key, text(text))

/* In the same order in each run beside others. */
static void add_keys(const struct tv_mpi_rows *mpi, struct tv_layer *layer)
{
	const struct tv_rows *rows = &mpi->rows;
	size_t first = layer->nkeys;

	snprintf(layer->title, sizeof layer->title, "%s",
		 rows->table != NULL ? "MPI calls" : "MPI threads");
	for (uint32_t t = 0; t < rows->ntypes && layer->nkeys < TV_KEYS_MAX; t++) {
		struct tv_key *key = &layer->key[layer->nkeys++];

		key->kind = TV_KEY_AREA;
		key->color = rows->type[t].color;
		snprintf(key->text, sizeof key->text, "%s", rows->type[t].name);
	}
	if (layer->nkeys > first)
		qsort(&layer->key[first], layer->nkeys - first, sizeof *layer->key, by_text);
}

int tv_mpi_rows_init(struct tv_mpi_rows *mpi, struct tv_figure *figure, const struct tv_rows *like,
		     struct tv_layer **layers, struct tv_error *err)
{
	const struct tv_trace *trace = figure->run->trace;
	bool calls = trace->table[TV_CALLS].nrows > 0, *is_thread;
	struct tv_spans spans;
	uint32_t nlabels = tv_pool_count(trace->pool), *row_of;
	size_t n;

	/* Where the rows have the states of which the calls were made, these show them. */
	if (mpi->wanted == TV_MPI_NO
	    || (mpi->wanted == TV_MPI_AUTO
		&& (!calls || like->table != NULL
		    || (like->states && tv_meta_get(trace, TV_META_CALLS_OF_STATES, &n) != NULL))))
		return 0;
	if (like->states && (!calls || like->table != NULL))
		return tv_fail_usage(err, "--spacetime.mpi yes: a trace without tasks shows the "
					  "states of all threads already");
	spans = calls ? tv_spans_of_calls(trace) : tv_spans_of_states(trace);
	mpi->rows = (struct tv_rows){ .pool = trace->pool, .states = true, .lanes = 1 };
	if (calls) {
		mpi->rows.table = spans.table;
		mpi->rows.class = "call";
		tv_hover_init(&mpi->rows.hover, mpi->rows.table, TV_CALL_HOVER);
	}
	is_thread = find_threads(trace, &spans);
	row_of = tv_alloc(nlabels, sizeof *row_of);
	memset(row_of, 0xff, nlabels * sizeof *row_of);
	add_rows(mpi, trace, like, is_thread, row_of);
	tv_free(is_thread);
	if (mpi->rows.nrows > 0 && spans.n > 0)
		read_states(mpi, trace, &spans, row_of);
	tv_free(row_of);
	if (mpi->rows.ntypes == 0) {
		tv_mpi_rows_release(mpi);
		if (mpi->wanted == TV_MPI_YES)
			tv_run_warn(figure->run,
				    "--spacetime.mpi left out: the trace has neither MPI calls nor "
				    "states of MPI communication threads");
		return 0;
	}
	mpi->middle = tv_alloc(mpi->rows.nbands, sizeof *mpi->middle);
	add_keys(mpi, tv_layer_add(layers, "mpi"));
	return 0;
}

void tv_mpi_rows_release(struct tv_mpi_rows *mpi)
{
	tv_rows_release(&mpi->rows);
	tv_free(mpi->tick);
	tv_free(mpi->middle);
	*mpi = (struct tv_mpi_rows){ 0 };
}

/* ---- drawn ---- */

double tv_mpi_rows_foot(const struct tv_mpi_rows *mpi, bool named)
{
	uint32_t max = 0;

	for (uint32_t g = 0; g < mpi->rows.nbands; g++)
		max = mpi->rows.band[g].n > max ? mpi->rows.band[g].n : max;
	return max == 0 ? 0 : above + max * (named ? row_named : row_low);
}

static const char *thread_name(const struct tv_figure *figure, const struct tv_mpi_rows *mpi,
			       uint32_t row, char out[128])
{
	char clean[128];
	size_t n;

	tv_clean_text(clean, sizeof clean - 5,
		      tv_pool_text(mpi->rows.pool, mpi->rows.row[row].resource));
	n = strlen(clean);
	/* A thread that calls MPI may have a row as a worker, too. */
	snprintf(clean + n, sizeof clean - n, "%s", mpi->rows.table != NULL ? " MPI" : "");
	return tv_text_fit(figure->scene->text, clean, TV_TEXT_SMALL, false,
			   name_share * figure->scene->width, out, 128);
}

double tv_mpi_names_width(const struct tv_figure *figure, const struct tv_mpi_rows *mpi)
{
	double widest = 0;
	char name[128];

	for (uint32_t r = 0; r < mpi->rows.nrows && !figure->bare; r++)
		widest = fmax(widest,
			      tv_text_width(figure->scene->text, thread_name(figure, mpi, r, name),
					    TV_TEXT_SMALL, false));
	return widest + pad;
}

/* Gives the rows their places, at whole cells, with a cell between them where they have more than one. */
static void place(struct tv_mpi_rows *mpi, const struct tv_rows *like, double cell)
{
	uint32_t b = 0;

	for (uint32_t g = 0; g < mpi->rows.nbands; g++, b = tv_rows_node_end(like, b)) {
		struct tv_band *band = &mpi->rows.band[g];
		const struct tv_band *last = &like->band[tv_rows_node_end(like, b) - 1];
		double y = ceil((last->y1 + last->strip + above / 2) / cell) * cell;
		double high = band->n == 0
				    ? 0
				    : floor(fmax(0, like->foot - above) / band->n / cell) * cell;

		band->y0 = y;
		for (uint32_t r = band->first; r < band->first + band->n; r++) {
			mpi->rows.row[r].y0 = y;
			y += high;
			mpi->rows.row[r].y1 = mpi->rows.row[r].bottom = high > cell * (1 + 1e-6)
									      ? y - cell
									      : y;
		}
		band->y1 = y;
		mpi->middle[g] = band->n == 0 ? NAN : (band->y0 + band->y1) / 2;
	}
}

/* The first of each type in a cell, in the lower part of its row. */
static void draw_ticks(struct tv_figure *figure, const struct tv_mpi_rows *mpi, unsigned frame)
{
	struct tv_scene *scene = figure->scene;
	struct tv_frame f = scene->frame[frame];
	double *last = tv_alloc((size_t)mpi->rows.nrows * TV_TYPES_MAX, sizeof *last);

	for (size_t i = 0; i < (size_t)mpi->rows.nrows * TV_TYPES_MAX; i++)
		last[i] = -INFINITY;
	tv_scene_pen(scene, "mpi-tick", "mpi");
	scene->pen.width = tick_width;
	for (size_t i = 0; i < mpi->nticks; i++) {
		const struct tv_mpi_tick *tick = &mpi->tick[i];
		const struct tv_row *row = &mpi->rows.row[tick->row];
		double x = tv_frame_time(&f, tick->time),
		       cell = floor(x / f.duration * f.width / scene->cell);
		double *before = &last[(size_t)tick->row * TV_TYPES_MAX + tick->type];

		if (x < 0 || x > f.duration || cell == *before)
			continue;
		*before = cell;
		scene->pen.stroke = mpi->rows.type[tick->type].color;
		scene->pen.row = tick->state;
		tv_scene_line(scene, frame, x, row->y1 - tick_share * (row->y1 - row->y0), x,
			      row->y1);
	}
	tv_free(last);
}

void tv_mpi_rows_draw(struct tv_figure *figure, struct tv_mpi_rows *mpi, const struct tv_rows *like,
		      unsigned frame, unsigned stub, double x)
{
	struct tv_scene *scene = figure->scene;
	double crowd = figure->crowd, cells = figure->crowd_cells;
	char name[128];

	if (mpi->rows.nrows == 0)
		return;
	place(mpi, like, scene->cell);
	if (like->foot < tv_mpi_rows_foot(mpi, false) / 2)
		return;
	if (stub != TV_PAGE)
		tv_chart_items(figure, &mpi->rows, stub, true);
	tv_chart_items(figure, &mpi->rows, frame, false);
	/* The figure prints how many tasks share a cell, not how many states. */
	figure->crowd = crowd;
	figure->crowd_cells = cells;
	draw_ticks(figure, mpi, frame);
	if (!tv_mpi_rows_named(like) || figure->bare
	    || like->foot < tv_mpi_rows_foot(mpi, true) - scene->cell)
		return;
	tv_scene_pen(scene, "name", "names");
	scene->pen.fill = TV_INK;
	for (uint32_t r = 0; r < mpi->rows.nrows; r++)
		tv_scene_text(scene, x,
			      scene->frame[frame].y
				      + (mpi->rows.row[r].y0 + mpi->rows.row[r].y1) / 2,
			      TV_RIGHT, TV_TEXT_SMALL, false, thread_name(figure, mpi, r, name));
}
