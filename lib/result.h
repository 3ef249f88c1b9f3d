/* SPDX-License-Identifier: GPL-3.0-or-later */
/* result.h -- what a verb gave: its table in columns as Arrow has them, its text, its messages. */
#ifndef TV_LIB_RESULT_H
#define TV_LIB_RESULT_H

#include <stdatomic.h>

#include "cli/cli.h"
#include "include/traceviz/trace.h"

/* Different texts. */
struct tv_dictionary {
	char *bytes, *closed; /* the same, with a NUL behind each */
	int64_t *offset;      /* n + 1, of bytes; of closed i more */
	size_t n;
	bool utf8;
};

struct tv_result_column {
	char *name;
	const char *unit, *meaning;
	enum tv_type type;
	void *data;	 /* int64_t, double; int32_t of labels and lists; bytes of texts */
	int64_t *offset; /* n + 1 of lists and texts; else NULL */
	uint8_t *valid;	 /* NULL = all */
	int64_t missing;
	bool utf8; /* of a text */
	struct tv_dictionary label;
};

/* Shared by results and exported arrays. */
struct tv_result_table {
	atomic_uint owners;
	size_t nrows, ncols;
	struct tv_result_column *col;
};

struct traceviz_result {
	struct tv_result_table *table; /* NULL = none */
	struct tv_output text;	       /* which only collects */
	char **message;
	size_t nmessages, messages_cap;
	enum tv_failure verdict;
};

/* Copies rows[0..n) (NULL: all) of the columns that CSV has. */
struct tv_result_table *tv_result_table_new(const struct tv_verb *verb,
					    const struct tv_table *table, const uint32_t *rows,
					    uint32_t n);
struct tv_result_table *tv_result_table_share(struct tv_result_table *table);
void tv_result_table_free(struct tv_result_table *table); /* one owner less; accepts NULL */

void tv_result_message(struct traceviz_result *result, const char *text);

#endif
