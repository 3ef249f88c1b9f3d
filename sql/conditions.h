/* SPDX-License-Identifier: GPL-3.0-or-later */
/* conditions.h -- which rows a scan of a virtual table asks for; only for sql/. */
#ifndef TV_SQL_CONDITIONS_H
#define TV_SQL_CONDITIONS_H

#include <sqlite3.h>

#include "trace/trace.h"

/* A column of SQLite: one of ours, or its times in ns. */
struct tv_sql_place {
	const struct tv_column *column;
	bool ns;
};

/* In xBestIndex: whether constraint i is an IN whose values come all at once, as a list. */
bool tv_sql_list_ask(sqlite3_index_info *info, int i);
/* In xFilter: the first value of such a list, or the next one that is not NULL, which equals nothing; NULL at the end. */
sqlite3_value *tv_sql_list_next(sqlite3_value *list, bool first);

/* In xBestIndex: asks for the values that columns equal or are compared with, of all constraints that
 * tv_sql_conditions_make understands; their number, and a plan, which begins a text. SQLite looks at numbers again. */
int tv_sql_conditions_ask(sqlite3_index_info *info, const struct tv_sql_place *place,
			  sqlite3_str *plan);

/* In xFilter: the conditions that such a plan and its n values make. false: a text is compared with something else, which
 * equals what is written in another way; numbers that are compared with texts make no condition. */
struct tv_sql_conditions {
	struct tv_row_choice choice;
	char **kept; /* texts */
	size_t nkept, kept_cap;
};

bool tv_sql_conditions_make(struct tv_sql_conditions *c, const struct tv_sql_place *place,
			    const char *plan, int n, sqlite3_value **value);
void tv_sql_conditions_release(struct tv_sql_conditions *c);

#endif
