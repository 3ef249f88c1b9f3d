/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nodes.c -- makespan, bound and deviations of each node, and the keys that explain them. */
#include "views/layers/nodes.h"

#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/text.h"
#include "views/rows/chart.h"

static void read_bounds(const struct tv_table *bounds, struct tv_node_note *note, uint32_t n)
{
	const struct tv_column *node = tv_table_find(bounds, "Node"),
			       *bound = tv_table_find(bounds, "Bound"),
			       *time = tv_table_find(bounds, "Time");
	uint32_t abe = tv_pool_find_text(bounds->pool, "abe");

	for (uint32_t row = 0; row < bounds->nrows; row++)
		for (uint32_t i = 0; i < n && tv_label(bound, row) == abe; i++)
			if (note[i].node == tv_label(node, row))
				note[i].abe = time->i[row];
}

int tv_node_notes(struct tv_figure *figure, struct tv_node_note **note, uint32_t *n,
		  struct tv_error *err)
{
	const struct tv_table *table;
	const struct tv_column *node, *makespan, *start, *end, *work;

	if (!figure->rows->grouped || figure->states || tv_run_cut(figure->run))
		return 0;
	table = tv_run_pass(figure->run, "stragglers", NULL, err);
	if (table == NULL)
		return -1;
	node = tv_table_find(table, "Node");
	makespan = tv_table_find(table, "Makespan");
	start = tv_table_find(table, "LateStart");
	end = tv_table_find(table, "LateEnd");
	work = tv_table_find(table, "MoreWork");
	*n = table->nrows;
	*note = tv_alloc(table->nrows, sizeof **note);
	for (uint32_t row = 0; row < table->nrows; row++)
		(*note)[row] = (struct tv_node_note){
			.node = tv_label(node, row),
			.makespan = tv_missing(makespan, row) ? -1 : makespan->i[row],
			.abe = -1,
			.late_start = start->i[row] == 1,
			.late_end = end->i[row] == 1,
			.more_work = work->i[row] == 1,
		};
	if (figure->bounds != NULL)
		read_bounds(figure->bounds, *note, *n);
	return 0;
}

/* Whether all nodes have as many rows of the same types. */
static bool are_alike(const struct tv_rows *rows)
{
	uint32_t first = tv_rows_node_end(rows, 0);

	for (uint32_t b = 0; b < rows->nbands; b = tv_rows_node_end(rows, b)) {
		if (tv_rows_node_end(rows, b) - b != first)
			return false;
		for (uint32_t i = 0; i < first; i++)
			if (rows->band[b + i].rtype != rows->band[i].rtype
			    || tv_rows_workers(rows, b + i) != tv_rows_workers(rows, i))
				return false;
	}
	return true;
}

static void add_key(struct tv_layer *layer, enum tv_key_kind kind, uint32_t color, const char *text)
{
	struct tv_key *key = &layer->key[layer->nkeys++];

	*key = (struct tv_key){ .kind = kind, .color = color };
	snprintf(key->text, sizeof key->text, "%s", text);
}

void tv_node_keys(const struct tv_rows *rows, enum tv_collapse collapse, bool abe,
		  struct tv_layer *layer)
{
	uint32_t end = tv_rows_node_end(rows, 0), late = 0, over = 0, more = 0;
	char type[60];

	layer->nkeys = 0;
	layer->title[0] = '\0';
	if (rows->many && are_alike(rows)) {
		snprintf(layer->title, sizeof layer->title, "%s",
			 collapse == TV_COLLAPSE_NODE ? "each node: mean of"
			 : collapse == TV_COLLAPSE_TYPE && end > 1
				 ? "each node, from the top: mean of"
			 : collapse == TV_COLLAPSE_TYPE ? "each node: mean of"
			 : end == 1			? "each node:"
							: "each node, from the top:");
		for (uint32_t b = 0; b < end; b++) {
			size_t at = strlen(layer->title);

			tv_clean_text(type, sizeof type,
				      tv_pool_text(rows->pool, rows->band[b].rtype));
			snprintf(layer->title + at, sizeof layer->title - at, "%s %u %s",
				 b > 0 ? "," : "", tv_rows_workers(rows, b), type);
		}
	}
	for (uint32_t i = 0; i < rows->nnotes; i++) {
		late += rows->note[i].late_start;
		over += rows->note[i].late_end;
		more += rows->note[i].more_work;
	}
	if (late > 0)
		add_key(layer, TV_KEY_AREA, TV_LATE_START_COLOR, "starts late");
	if (over > 0)
		add_key(layer, TV_KEY_AREA, TV_LATE_END_COLOR, "ends late");
	if (more > 0)
		add_key(layer, TV_KEY_AREA, TV_MORE_WORK_COLOR, "longer busy");
	if (abe)
		add_key(layer, rows->many ? TV_KEY_LINE : TV_KEY_DASHED, TV_INK, "ABE of the node");
}
