/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rows.c -- rows of workers or of resources with states, and their heights. */
#include "views/rows/rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/text.h"
#include "views/rows/items.h"
#include "views/rows/spans.h"

static const double type_gap = 1.5, node_gap = 4, mark_strip = 1.2; /* points */

enum {
	MARK_CELLS = 5,	 /* rows from that height on have a free edge for marks */
	EVEN_CELLS = 12, /* from that height on, rows may differ by a cell */
};

static void add_row(struct tv_rows *rows, uint32_t resource, uint32_t node, uint32_t rtype,
		    double weight)
{
	struct tv_band *band = rows->nbands > 0 ? &rows->band[rows->nbands - 1] : NULL;

	if (band == NULL || band->node != node || band->rtype != rtype) {
		if (band == NULL || band->node != node)
			rows->nnodes++;
		band = &rows->band[rows->nbands++];
		*band = (struct tv_band){ .node = node,
					  .rtype = rtype,
					  .first = rows->nrows,
					  .weight = weight,
					  .idle = NAN };
	}
	band->n++;
	rows->units += weight;
	rows->row[rows->nrows] = (struct tv_row){ .resource = resource,
						  .band = rows->nbands - 1,
						  .idle = NAN };
	rows->nrows++;
}

static void rows_of_workers(struct tv_rows *rows, const struct tv_tasks *tasks, const bool *wanted,
			    const uint32_t *order, uint32_t *place)
{
	for (uint32_t i = 0; i < tasks->nworkers; i++) {
		const struct tv_worker *worker = &tasks->workers[order[i]];
		uint32_t rtype = tasks->rtype[worker->rtype].label;

		if (!wanted[order[i]])
			continue;
		place[order[i]] = rows->nrows;
		add_row(rows, worker->resource, tasks->node[worker->node].label, rtype,
			tv_is_cpu(tasks->pool, rtype) ? 1 : 2);
	}
}

/*
 * Marks where in a band another domain begins, if it has several with several workers each: a
 * line between any two rows would mean nothing.
 */
static void split_band(struct tv_rows *rows, const struct tv_band *band, const uint32_t *domain)
{
	uint32_t changes = 0;

	for (uint32_t i = band->first + 1; i < band->first + band->n; i++)
		changes += domain[i] != domain[i - 1];
	for (uint32_t i = band->first + 1; 2 * changes < band->n && i < band->first + band->n; i++)
		rows->row[i].splits = domain[i] != domain[i - 1] && domain[i] != TV_NONE
				   && domain[i - 1] != TV_NONE;
}

/* Rows of a trace with tasks. domain_of: per row. */
static int add_workers(struct tv_rows *rows, struct tv_run *run, const bool *wanted,
		       const struct tv_rows_source *source, uint32_t *place, struct tv_error *err)
{
	const struct tv_tasks *tasks = &run->tasks;
	uint32_t *order = tv_alloc((size_t)tasks->nworkers * 3, sizeof *order);
	uint32_t *domain = order + tasks->nworkers, *of_row = domain + tasks->nworkers;

	if (tv_rows_order(run, source, order, domain, err) < 0) {
		tv_free(order);
		return -1;
	}
	rows_of_workers(rows, tasks, wanted, order, place);
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		if (place[w] != TV_NONE)
			of_row[place[w]] = domain[w];
	for (uint32_t b = 0; b < rows->nbands; b++)
		split_band(rows, &rows->band[b], of_row);
	tv_free(order);
	return 0;
}

static bool is_row(const struct tv_rows *rows, uint32_t resource,
		   const struct tv_rows_source *source)
{
	return source->options->row_pattern == NULL
	    || tv_glob_list(source->options->row_pattern, tv_pool_text(rows->pool, resource));
}

/* Resources that have states, or calls: in the order of the resources table, the others behind it. */
static void rows_of_resources(struct tv_rows *rows, const struct tv_trace *trace,
			      const struct tv_rows_source *source, uint32_t *place)
{
	const struct tv_table *resources = &trace->table[TV_RESOURCES];
	const struct tv_spans spans = tv_spans(trace);
	const struct tv_column *id = tv_table_find(resources, "ResourceId");
	const struct tv_column *rtype = tv_table_find(resources, "ResourceType");
	const struct tv_column *node = tv_table_find(resources, "Node");

	for (uint32_t row = 0; row < spans.n; row++)
		if (tv_label(spans.of, row) != TV_NONE
		    && is_row(rows, tv_label(spans.of, row), source))
			place[tv_label(spans.of, row)] = TV_NONE - 1;
	for (uint32_t row = 0; id != NULL && row < resources->nrows; row++) {
		uint32_t label = tv_label(id, row);

		if (label == TV_NONE || place[label] != TV_NONE - 1)
			continue;
		place[label] = rows->nrows;
		add_row(rows, label, node != NULL ? tv_label(node, row) : TV_NONE,
			rtype != NULL ? tv_label(rtype, row) : TV_NONE, 1);
	}
	for (uint32_t row = 0; row < spans.n; row++) {
		uint32_t label = tv_label(spans.of, row);

		if (label == TV_NONE || place[label] != TV_NONE - 1)
			continue;
		place[label] = rows->nrows;
		add_row(rows, label, TV_NONE, TV_NONE, 1);
	}
}

/* Of bands the mean of the workers, which are devices where several rows are their streams. The pass gives one row per
 * worker, or stream, in the view's order. */
static void read_idleness(struct tv_rows *rows, const struct tv_rows_source *source,
			  const struct tv_tasks *devices, const struct tv_tasks *streams,
			  const uint32_t *place)
{
	const struct tv_column *idle = tv_table_find(source->idleness, "Idleness");
	const struct tv_column *own = source->stream_idleness == NULL
					    ? idle
					    : tv_table_find(source->stream_idleness, "Idleness");
	uint32_t *device_of = tv_tasks_worker_of_label(devices);
	bool *met = tv_alloc(devices->nworkers, sizeof *met);

	for (uint32_t b = 0; b < rows->nbands; b++)
		rows->band[b].idle = 0;
	for (uint32_t w = 0; w < streams->nworkers; w++) {
		uint32_t device = device_of[streams->workers[w].resource];
		struct tv_band *band;

		if (place[w] == TV_NONE)
			continue;
		rows->row[place[w]].idle = own->d[w];
		band = &rows->band[rows->row[place[w]].band];
		band->idle += met[device] ? 0 : idle->d[device];
		band->nworkers += !met[device];
		met[device] = true;
	}
	for (uint32_t b = 0; b < rows->nbands; b++)
		rows->band[b].idle /= rows->band[b].nworkers;
	tv_free(met);
	tv_free(device_of);
}

/* Workers that get a row: the selected ones that the patterns of rows leave. */
static bool *find_wanted(const struct tv_run *run, const struct tv_rows_source *source)
{
	const struct tv_tasks *tasks = &run->tasks;
	bool *wanted = tv_alloc(tasks->nworkers, sizeof *wanted);

	for (uint32_t w = 0; w < tasks->nworkers; w++)
		wanted[w] = tv_run_has(run, w)
			 && (source->options->row_pattern == NULL
			     || tv_glob_list(
				     source->options->row_pattern,
				     tv_pool_text(tasks->pool, tasks->workers[w].resource)));
	return wanted;
}

static bool never_works(const struct tv_row *row)
{
	return row->n == 0 && row->idle >= 100;
}

void tv_rows_fold(struct tv_rows *rows, const struct tv_rows *const *others, size_t n)
{
	enum { min = 3 };
	bool *empty = tv_alloc(rows->nrows, sizeof *empty);

	for (uint32_t r = 0; r < rows->nrows; r++) {
		rows->row[r].folded = 0;
		rows->row[r].behind = false;
		empty[r] = never_works(&rows->row[r]);
		for (size_t k = 0; k < n; k++)
			empty[r] = empty[r] && never_works(&others[k]->row[r]);
	}
	for (uint32_t r = 0, end; r < rows->nrows; r = end) {
		for (end = r;
		     end < rows->nrows && rows->row[end].band == rows->row[r].band && empty[end];
		     end++)
			;
		if (end - r >= min)
			rows->row[r].folded = end - r;
		for (uint32_t i = r + 1; i < end && end - r >= min; i++)
			rows->row[i].behind = true;
		end += end == r;
	}
	tv_free(empty);
}

int tv_rows_init(struct tv_rows *rows, struct tv_run *run, const struct tv_rows_source *source,
		 struct tv_error *err)
{
	struct tv_run *streams = tv_run_streams(run);
	const struct tv_tasks *tasks = &streams->tasks;
	const struct tv_trace *trace = run->trace;
	bool states = tasks->ncounted == 0, *wanted = find_wanted(streams, source);
	uint32_t max = states ? tv_pool_count(trace->pool) : tasks->nworkers;
	uint32_t *place = tv_alloc(max, sizeof *place);
	int rc = 0;

	*rows = (struct tv_rows){ .pool = trace->pool,
				  .states = states,
				  .lanes = 1,
				  .grouped = tasks->nnodes > 1,
				  .place = place };
	rows->row = tv_alloc(max, sizeof *rows->row);
	rows->band = tv_alloc(max, sizeof *rows->band);
	for (uint32_t i = 0; i < max; i++)
		place[i] = TV_NONE;
	if (states)
		rows_of_resources(rows, trace, source, place);
	else
		rc = add_workers(rows, streams, wanted, source, place, err);
	if (source->idleness != NULL)
		rows->idle_title = "idle %";
	if (source->idleness != NULL && !states && rc == 0)
		read_idleness(rows, source, &run->tasks, tasks, place);
	if (states)
		tv_items_of_states(rows, trace, place, source);
	else if (rc == 0)
		rc = tv_items_of_tasks(rows, streams, source, err);
	tv_rows_fold(rows, NULL, 0);
	tv_free(wanted);
	return rc;
}

void tv_rows_release(struct tv_rows *rows)
{
	tv_free(rows->item);
	tv_free(rows->task);
	tv_free(rows->look);
	tv_free(rows->place);
	tv_free(rows->type_of);
	tv_free(rows->row);
	tv_free(rows->band);
	*rows = (struct tv_rows){ 0 };
}

uint32_t tv_rows_node_end(const struct tv_rows *rows, uint32_t band)
{
	uint32_t end = band + 1;

	while (end < rows->nbands && rows->band[end].node == rows->band[band].node)
		end++;
	return end;
}

uint32_t tv_rows_workers(const struct tv_rows *rows, uint32_t band)
{
	uint32_t joined = rows->row[rows->band[band].first].workers;

	return joined > 0		     ? joined
	     : rows->band[band].nworkers > 0 ? rows->band[band].nworkers
					     : rows->band[band].n;
}

uint32_t tv_rows_groups(const struct tv_rows *rows)
{
	uint32_t n = 0;

	for (uint32_t b = 0; b < rows->nbands; b = tv_rows_node_end(rows, b))
		n++;
	return n;
}

static bool begins_node(const struct tv_rows *rows, uint32_t band)
{
	return band == 0 || rows->band[band].node != rows->band[band - 1].node;
}

/* The gap above a band, besides a header. */
static double gap_above(const struct tv_rows *rows, uint32_t band)
{
	if (band == 0 || (begins_node(rows, band) && rows->head > 0))
		return 0;
	if (!begins_node(rows, band))
		return rows->collapse == TV_COLLAPSE_NODE ? 0 : type_gap;
	return node_gap;
}

/* Headers of all nodes, and what is below their rows. */
static double head_height(const struct tv_rows *rows)
{
	return rows->head + rows->foot > 0 ? (rows->head + rows->foot) * tv_rows_groups(rows) : 0;
}

/* The height of a row of a band in those of a CPU. Rows drawn as one have the height of two. */
static double weight_of(const struct tv_rows *rows, uint32_t band)
{
	static const double joined = 2;
	uint32_t from = band, to, n = 0;

	switch (rows->collapse) {
	case TV_COLLAPSE_NONE:
		break;
	case TV_COLLAPSE_TYPE:
		return joined / rows->band[band].n;
	case TV_COLLAPSE_NODE:
		while (!begins_node(rows, from))
			from--;
		to = tv_rows_node_end(rows, from);
		for (uint32_t b = from; b < to; b++)
			n += rows->band[b].n;
		return joined / n;
	}
	return rows->band[band].weight;
}

static double units_of(const struct tv_rows *rows)
{
	double units = rows->collapse == TV_COLLAPSE_NONE ? rows->units : 0;

	for (uint32_t b = 0; b < rows->nbands && rows->collapse != TV_COLLAPSE_NONE; b++)
		units += weight_of(rows, b) * rows->band[b].n;
	for (uint32_t r = 0; r < rows->nrows; r++)
		if (tv_row_hidden(rows, &rows->row[r]))
			units -= weight_of(rows, rows->row[r].band);
	return units;
}

double tv_rows_height(const struct tv_rows *rows, double unit)
{
	double height = units_of(rows) * unit + head_height(rows);

	for (uint32_t b = 0; b < rows->nbands; b++)
		height += gap_above(rows, b);
	return height;
}

double tv_rows_wanted(const struct tv_rows *rows, double min, double max, double comfortable,
		      double tall)
{
	double unit = fmax(min, fmin(max, comfortable / fmax(units_of(rows), 1)));
	double height = tv_rows_height(rows, unit);

	return height > tall ? tall * pow(height / tall, 0.35) : height;
}

/* The place of a row's items in its share [y, bottom): a sixth stays free below. */
static void place_row(struct tv_row *row, double y, double bottom, double cell)
{
	double cells = floor((bottom - y) / cell + 1e-6);
	double gap = cells < MARK_CELLS ? 0 : fmax(1, floor(cells / 6 + 0.5));

	row->y0 = y;
	row->y1 = bottom - gap * cell;
	row->bottom = bottom;
}

/* The rows of a band from y on. Rows of cells are cut at whole ones. Returns where they end. */
static double place_band(struct tv_rows *rows, struct tv_band *band, double y, double slot,
			 double cell)
{
	band->places = 0;
	if (slot >= cell * (1 - 1e-6))
		y = floor(y / cell + 0.5) * cell;
	band->y1 = band->y0 = y;
	for (uint32_t i = band->first; i < band->first + band->n; i++) {
		if (!tv_row_hidden(rows, &rows->row[i])) {
			y = band->y1;
			band->y1 = band->y0 + slot * ++band->places;
			if (slot >= cell * (1 - 1e-6))
				band->y1 = floor(band->y1 / cell + 0.5) * cell;
		}
		rows->row[i].place = band->places - 1;
		place_row(&rows->row[i], y, band->y1, cell);
	}
	band->nlines = band->n;
	if (slot < cell * (1 - 1e-6))
		band->nlines = (uint32_t)fmax(1, floor(slot * band->places / cell));
	return band->y1;
}

/* Whether marks have a place below a band, because its rows are too low for any; of rows drawn as
 * one, below them all. */
static bool has_strip(const struct tv_rows *rows, uint32_t band, double slot, double cell)
{
	switch (rows->collapse) {
	case TV_COLLAPSE_NONE:
		break;
	case TV_COLLAPSE_TYPE:
		return true;
	case TV_COLLAPSE_NODE:
		return band + 1 == tv_rows_node_end(rows, band);
	}
	return slot < MARK_CELLS * cell;
}

double tv_rows_place(struct tv_rows *rows, double height, double cell)
{
	/* Room for gaps, each rounded up to a cell, and strips; when it runs short they shrink
	 * alike. */
	double heads = head_height(rows), units = units_of(rows);
	double gaps = tv_rows_height(rows, 0) - heads + rows->nbands * (mark_strip + cell);
	double share = gaps > (height - heads) / 3 ? (height - heads) / 3 / gaps : 1;
	double unit = units > 0 ? (height - heads - gaps * share) / units : 0, y = 0;

	/* Low rows have the same whole number of cells each; where they are higher, one more does
	 * not show. */
	if (unit >= cell && unit < EVEN_CELLS * cell && rows->collapse == TV_COLLAPSE_NONE)
		unit = floor(unit / cell + 1e-6) * cell;
	for (uint32_t b = 0; b < rows->nbands; b++) {
		struct tv_band *band = &rows->band[b];
		double slot = unit * weight_of(rows, b);

		y += share < 1 ? gap_above(rows, b) * share
			       : ceil(gap_above(rows, b) / cell) * cell;
		if (begins_node(rows, b))
			y += rows->head;
		/* Rows of whole cells begin at one; rounding down, or many bands would add up. */
		if (slot >= cell * (1 - 1e-6) || rows->collapse != TV_COLLAPSE_NONE)
			y = floor(y / cell + 1e-6) * cell;
		y = place_band(rows, band, y, slot, cell);
		if (rows->collapse != TV_COLLAPSE_NONE)
			y = band->y1 = floor(y / cell + 1e-6) * cell;
		band->strip = has_strip(rows, b, slot, cell)
				    ? fmin(mark_strip * share, 0.1 * height)
				    : 0;
		y += band->strip;
		if (b + 1 == tv_rows_node_end(rows, b))
			y += rows->foot;
	}
	return y;
}
