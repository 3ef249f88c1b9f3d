/* SPDX-License-Identifier: GPL-3.0-or-later */
/* left_out.c -- which tables of a trace an output does not have. */
#include <string.h>

#include "convert/formats.h"
#include "trace/alloc.h"
#include "trace/map.h"

/* Whether the rows of tasks say what a column of resources does. */
static bool is_in_tasks(const struct tv_table *tasks, const struct tv_column *column)
{
	const struct tv_column *same = tv_table_find(tasks, column->name);

	return column->derived || strcmp(column->name, "Order") == 0
	    || (same != NULL && !same->derived
		&& (strcmp(column->name, "ResourceId") == 0
		    || strcmp(column->name, "ResourceType") == 0
		    || strcmp(column->name, "Node") == 0));
}

/* Resources of which the tasks do not say all that the table does: they are on no other than those, too. */
static uint32_t count_resources(const struct tv_trace *trace)
{
	const struct tv_table *tasks = &trace->table[TV_TASKS],
			      *resources = &trace->table[TV_RESOURCES];
	const struct tv_column *of_task = tv_table_find(tasks, "ResourceId"),
			       *id = tv_table_find(resources, "ResourceId");
	struct tv_index used = { 0 };
	bool known = of_task != NULL && id != NULL;

	for (size_t i = 0; i < resources->ncols; i++)
		known = known && is_in_tasks(tasks, resources->col[i]);
	for (uint32_t row = 0; known && row < tasks->nrows; row++)
		if (!tv_missing(of_task, row))
			tv_index_set(&used, tv_label(of_task, row), row);
	for (uint32_t row = 0; known && row < resources->nrows; row++)
		known = !tv_missing(id, row) && tv_index_get(&used, tv_label(id, row)) != TV_NONE;
	tv_free(used.at);
	return known ? 0 : resources->nrows;
}

/* Rows of meta that were in the input: not what reading it found out. */
static uint32_t count_meta(const struct tv_trace *trace)
{
	const struct tv_table *meta = &trace->table[TV_META];
	uint32_t n = 0;

	for (uint32_t row = 0; trace->native && row < meta->nrows; row++) {
		const char *name = tv_table_text(meta, "Key", row);
		bool found = strcmp(name, "ClockOrigin") == 0;

		for (int i = 0; i < TV_NDAMAGES; i++)
			found = found
			     || strncmp(name, tv_damage_prefix[i], strlen(tv_damage_prefix[i]))
					== 0;
		n += !found;
	}
	return n;
}

void tv_note_left_out(const struct tv_trace *trace, uint32_t written, const char *remedy,
		      struct tv_diagnostics *notes)
{
	char *left = tv_strdup("");

	for (int id = 0; id < TV_NTABLES; id++) {
		uint32_t n = (written >> id & 1) != 0 ? 0
			   : id == TV_RESOURCES	      ? count_resources(trace)
			   : id == TV_META	      ? count_meta(trace)
						      : trace->table[id].nrows;

		if (n > 0)
			tv_append(&left, "%s%s (%u %s)", left[0] != '\0' ? ", " : "",
				  tv_schema[id].name, n, n == 1 ? "row" : "rows");
	}
	if (left[0] != '\0')
		tv_diagnose(notes, TV_WARNING, (struct tv_pos){ 0 },
			    "tables that the output does not contain: %s; %s writes all", left,
			    remedy);
	tv_free(left);
}
