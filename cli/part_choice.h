/* SPDX-License-Identifier: GPL-3.0-or-later */
/* part_choice.h -- which command lines are read part by part (parts.h), as far as they and the file show it. */
#ifndef TV_PART_CHOICE_H
#define TV_PART_CHOICE_H

#include "cli/cli.h"

enum { TV_PARTS_WHY = 200 };
#define TV_PARTS_OF_PARQUET "only our own tables in Parquet are read in parts"

/* An option with which parts would not be what the whole is; NULL = none. */
const char *tv_parts_option(const struct tv_cli *cli);
/* Whether what a verb prints comes part by part. */
static inline bool tv_parts_are_printed(const struct tv_pass *pass)
{
	return pass->kind == TV_ANNOTATE || pass->row_by_row;
}
/* Whether parts may be a way; else *why, of TV_PARTS_WHY bytes, says why not. */
bool tv_parts_may(const struct tv_cli *reading, char *why);
/* Whether the tables of the trace of which the verb reads parts look like Parquet, to the first process; what cannot be opened is for those who then try. */
bool tv_parts_are_of_parquet(const struct tv_cli *reading);
/* Whether they may be cheaper than the whole: one file of tasks in Parquet, with so many rows (above 0) or more, and nothing that
 * leaves out groups of rows. */
bool tv_parts_may_be_worth(const struct tv_cli *reading, int64_t rows);
/* The rows of a part of the trace for which there is room beside what the pass keeps; 0 = none. */
uint64_t tv_parts_fit(const struct tv_pass *pass, const struct tv_row_part *part,
		      const struct tv_trace *trace);
/* Tables of a folder that the pass does not read, with more rows than that: a bit each. They are read in parts, once, as reading may
 * report something of them. The same for all processes of a team. */
unsigned tv_parts_beside(const struct tv_cli *reading, size_t rows);
/* Whether a part alone shows which of its rows are selected. */
bool tv_parts_select_alone(const struct tv_cli *reading);

#endif
