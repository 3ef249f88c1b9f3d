/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * schema.h -- the well-known tables and columns: name, type, unit, meaning.
 *
 * The only list of them: the CSV reader takes types from it, --help and the documentation their
 * text.
 */
#ifndef TV_SCHEMA_H
#define TV_SCHEMA_H

#include <stdbool.h>
#include <stddef.h>

enum tv_type {
	TV_TIME, /* int64 ns; in CSV milliseconds with six decimals */
	TV_INT,	 /* int64 */
	TV_DOUBLE,
	TV_LABEL, /* a number of the trace's string pool */
	TV_TEXT,  /* bytes, kept as they are */
	TV_LIST	  /* labels; in CSV separated by blanks */
};

enum tv_table_id {
	TV_TASKS,
	TV_STATES,
	TV_VARIABLES,
	TV_LINKS,
	TV_EVENTS,
	TV_CALLS,
	TV_CALLPROFILE,
	TV_BENCHMARKS,
	TV_DECISIONS,
	TV_CANDIDATES,
	TV_HANDLES,
	TV_RESOURCES,
	TV_META,
	TV_NTABLES
};

/* In callprofile: the Rank of rows of all ranks together, and the Call of MPI calls that are no other row. */
#define TV_ALL_RANKS	  "*"
#define TV_UNLISTED_CALLS "not listed"

struct tv_field {
	const char *name;
	enum tv_type type;
	bool required;
	const char *unit; /* "" where it has none */
	const char *meaning;
};

/*
 * The columns of a table, each named once: LIST(X) has X(ID, "Name", type, required, "unit", "meaning")
 * for each. LIST(TV_COLUMN_ID) are their numbers in an enum, LIST(TV_COLUMN_ROW) their rows in an array;
 * TV_COLUMNS(rows, LIST) makes both where there is nothing else in them.
 */
#define TV_COLUMN_ID(id, ...)  id,
#define TV_COLUMN_ROW(id, ...) { __VA_ARGS__ },
#define TV_COLUMNS(rows, LIST) \
	enum { LIST(TV_COLUMN_ID) }; \
	static const struct tv_field rows[] = { LIST(TV_COLUMN_ROW) };

/* The columns of a table that a verb writes. If some of them are `required`, the table always has these
 * and may have any others; else it has exactly all of them. */
struct tv_columns {
	const struct tv_field *field;
	size_t nfields;
	const char *with; /* options of the verb that make it this table; NULL = none */
};

struct tv_table_schema {
	const char *name; /* "tasks"; its file is tasks.csv */
	const char *meaning;
	const struct tv_field *field;
	size_t nfields;
};

extern const struct tv_table_schema tv_schema[TV_NTABLES];

/* The field of a table, or NULL if the name is not well known. */
const struct tv_field *tv_schema_field(enum tv_table_id table, const char *name);
/* Whether a column of a table contains instants of the clock of the trace: times but no durations. */
bool tv_schema_instants(enum tv_table_id table, const char *name, enum tv_type type);
const char *tv_type_name(enum tv_type type);

#endif
