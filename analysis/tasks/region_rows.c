/* SPDX-License-Identifier: GPL-3.0-or-later */
/* region_rows.c -- the regions of a table as the rows of one. */
#include "analysis/tasks/region_rows.h"

#include <string.h>

#include "analysis/core/columns.h"
#include "trace/alloc.h"
#include "trace/text.h"

/* Words of --by, and the columns of the table of regions that they are. */
static const struct {
	const char *word, *columns;
} region_words[] = {
	{ "path", "CallPath" },
	{ "place", "Name,Site" },
	{ "thread", "ResourceId" },
};

char *tv_region_row_columns(const char *by)
{
	char *columns = NULL;
	const char *word;
	size_t n, i;

	while ((word = tv_list_word(&by, &n)) != NULL) {
		for (i = 0; i < TV_COUNT(region_words); i++)
			if (strlen(region_words[i].word) == n
			    && memcmp(region_words[i].word, word, n) == 0)
				break;
		if (i == TV_COUNT(region_words)) {
			tv_free(columns);
			return NULL;
		}
		tv_append(&columns, "%s%s", columns == NULL ? "" : ",", region_words[i].columns);
	}
	return columns;
}

void tv_region_rows_init(struct tv_region_rows *regions, struct tv_run *run,
			 const struct tv_table *of)
{
	static const struct tv_field fields[] = {
		{ "CallPath", TV_LABEL, false, "", "" },
		{ "Name", TV_LABEL, false, "", "" },
		{ "Site", TV_LABEL, false, "", "" },
		{ "ResourceId", TV_LABEL, false, "", "" },
		{ "Inclusive", TV_TIME, false, "ms", "" },
		{ "Exclusive", TV_TIME, false, "ms", "" },
		{ "Duration", TV_TIME, false, "ms", "" },
	};
	struct tv_nesting *nesting = &regions->nesting;
	struct tv_table *table = &regions->table;
	uint32_t *path;

	tv_nesting_init(nesting, run);
	path = tv_nesting_texts(nesting, run->trace->pool);
	tv_table_init(table, run->trace->pool);
	tv_add_fields(table, fields, TV_COUNT(fields));
	regions->inclusive = table->col[4];
	regions->of_row = tv_alloc(nesting->n, sizeof *regions->of_row);
	for (uint32_t i = 0; i < nesting->n; i++) {
		const struct tv_nested *region = &nesting->at[i];
		uint32_t row;

		if (&run->trace->table[region->table] != of)
			continue;
		row = tv_table_add_row(table);
		regions->of_row[row] = i;
		tv_set_label(table->col[0], row, path[region->path]);
		tv_set_label(table->col[1], row, region->name);
		if (region->site != TV_NONE)
			tv_set_label(table->col[2], row, region->site);
		tv_set_label(table->col[3], row, region->resource);
		tv_set_int(table->col[5], row, region->exclusive);
		tv_set_int(table->col[6], row, region->end - region->start);
	}
	tv_table_finish(table);
	tv_free(path);
}

void tv_region_rows_release(struct tv_region_rows *regions)
{
	tv_nesting_release(&regions->nesting);
	tv_table_release(&regions->table);
	tv_free(regions->of_row);
}

void tv_region_rows_count_once(struct tv_region_rows *regions,
			       const struct tv_column *const *column, int n)
{
	struct tv_grouping by;
	uint32_t *group = tv_alloc(regions->nesting.n, sizeof *group);
	bool *repeats;

	tv_grouping_of(&by, &regions->table, column, (size_t)n);
	memset(group, 0xff, (size_t)regions->nesting.n * sizeof *group); /* TV_NONE */
	for (uint32_t row = 0; row < by.nrows; row++)
		group[regions->of_row[row]] = by.of_row[row];
	repeats = tv_nesting_repeats(&regions->nesting, group, by.n);
	for (uint32_t row = 0; row < by.nrows; row++) {
		const struct tv_nested *region = &regions->nesting.at[regions->of_row[row]];

		if (!repeats[regions->of_row[row]])
			tv_set_int(regions->inclusive, row, region->end - region->start);
	}
	tv_table_finish(&regions->table);
	tv_grouping_release(&by);
	tv_free(repeats);
	tv_free(group);
}
