/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cmd_sql.h -- what a query of traceviz sql reads; only for cli/cmd_sql*.c. */
#ifndef TV_CMD_SQL_H
#define TV_CMD_SQL_H

#include "analysis/passes.h"
#include "cli/cli.h"

/* The name of a verb's table, idle-causes as PREFIXidle_causes; to be freed. */
char *tv_sql_name_of_pass(const char *prefix, const struct tv_pass *pass);
/* Whether traces have a table of that name, whether or not this one has it. */
bool tv_sql_is_table(const char *name);
/* Whether a query may name a table, perhaps with a label and _ before it. */
bool tv_sql_names_table(const char *query, const char *name);

/* What a query does not name is not read: tv_read_options.columns, to be freed; of tables it adds to *unread. NULL: all
 * is read. */
char *tv_sql_plan(const struct tv_cli *cli, const char *query, unsigned *unread);

/* Answers a query about tasks of one Parquet file, with the options of such a plan, by the rows that its conditions name: 1. 0:
 * nothing was printed, as it is about more, or anything is unusual. -1 with *err: the time is over, or printing failed. */
int tv_sql_answer_chosen(const struct tv_cli *cli, const char *query, int64_t timeout_ns,
			 struct tv_error *err) TV_MUST_CHECK;

#endif
