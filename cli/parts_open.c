/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parts_open.c -- whether a trace is read part by part, and what of it. */
#include <string.h>

#include "cli/part_choice.h"
#include "cli/parts_state.h"
#include "cli/unread.h"
#include "convert/parquet/parquet.h"
#include "dag/carry.h"
#include "trace/alloc.h"

enum { BESIDE = 1000 }; /* bytes of memory for each row of a table that nobody asks for */

struct tv_parts *tv_parts_new(const struct tv_cli *reading, uint32_t rows, struct tv_error *err)
{
	struct tv_parts *parts;
	char why[TV_PARTS_WHY];

	if (!tv_parts_may(reading, why)) {
		tv_fail_also(err, why);
		return NULL;
	}
	tv_memory_reuse();
	parts = tv_alloc(1, sizeof *parts);
	parts->reading = *reading;
	parts->pass = tv_parted_pass(reading);
	parts->reading.verb.pass = &parts->pass;
	parts->reading.read.part = &parts->part;
	parts->need = tv_strdup(err->text);
	parts->columns = tv_strdup(reading->read.columns);
	parts->reading.read.columns = parts->columns;
	if (parts->pass.linked || reading->verb.pass->later != NULL) {
		const char *later = reading->verb.pass->later;

		parts->later = tv_format("%s %s", parts->columns != NULL ? parts->columns : "",
					 later != NULL ? later : "");
		parts->links = tv_format("%s %s", parts->later,
					 parts->pass.linked ? TV_LINK_COLUMNS : "");
		parts->everything = reading->verb.pass->later != NULL
				 && strcmp(reading->verb.pass->later, TV_ALL_COLUMNS) == 0;
		parts->reading.read.columns = parts->everything ? NULL : parts->links;
	}
	parts->within = reading->verb.pass->within && reading->team == NULL;
	if (parts->pass.linked || reading->verb.pass->within)
		parts->carry = tv_carry_new(parts->within);
	parts->path = reading->trace[0].path;
	parts->rows_max = rows;
	parts->team = reading->team;
	parts->beside = tv_parts_beside(reading, rows > 0 ? 0 : tv_memory_max() / BESIDE);
	parts->part.tables = tv_parted_by_pass(reading) | parts->beside;
	parts->part.left = reading->read.unread;
	if (reading->verb.pass->all_columns)
		parts->part.left |= TV_OMITTABLE & ~parts->part.tables & ~tv_selected_from(reading);
	parts->part.lists = true;
	return parts;
}

struct tv_parts *tv_parts_try(const struct tv_cli *reading, uint32_t rows)
{
	const struct tv_pass *pass = reading->verb.pass;
	struct tv_error none = { 0 };
	struct tv_parts *parts;

	/* The graph of all rows is made in less time; their messages are not counted before. */
	if ((rows == 0 && ((tv_parted_pass(reading).linked && !pass->within) || pass->row_by_row))
	    || !tv_parts_may_be_worth(reading, rows > 0 ? 1 : TV_PARTS_WORTH))
		return NULL;
	parts = tv_parts_new(reading, rows, &none);
	if (parts == NULL)
		return NULL;
	parts->tried = true;
	parts->early = pass->early && tv_parts_select_alone(reading) && !tv_reads_any(reading);
	return parts;
}

bool tv_parts_said(const struct tv_parts *parts)
{
	return !parts->tried || parts->said;
}

bool tv_parts_unordered(const struct tv_parts *parts)
{
	return parts != NULL && parts->unordered;
}

bool tv_parts_refused(const struct tv_parts *parts)
{
	return parts->refused;
}

const struct tv_cli *tv_parts_reading(const struct tv_parts *parts)
{
	return &parts->reading;
}

void tv_parts_close(struct tv_parts *parts)
{
	if (parts == NULL)
		return;
	tv_parts_close_part(parts);
	tv_free(parts->part.group);
	tv_parquet_forget(&parts->part);
	tv_free(parts->spans.at);
	tv_free(parts->columns);
	tv_free(parts->need);
	tv_free(parts->later);
	tv_free(parts->links);
	tv_free(parts->own);
	tv_carry_free(parts->carry);
	tv_part_findings_release(&parts->found);
	tv_free(parts);
}
