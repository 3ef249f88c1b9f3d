/* SPDX-License-Identifier: GPL-3.0-or-later */
/* dump.h -- the lines that pj_dump prints, and StarVZ's tables: natures, fields, columns; only for dump.c. */
#ifndef TV_PAJE_DUMP_H
#define TV_PAJE_DUMP_H

#include "convert/paje/paje.h"

enum tv_dump_nature {
	DUMP_CONTAINER,
	DUMP_STATE,
	DUMP_VARIABLE,
	DUMP_LINK,
	DUMP_EVENT,
	DUMP_NATURES
};

enum tv_dump_column {
	DUMP_NATURE,
	DUMP_PARENT,
	DUMP_OF, /* its container */
	DUMP_TYPE,
	DUMP_START,
	DUMP_END,
	DUMP_DEPTH,
	DUMP_VALUE,
	DUMP_NAME,
	DUMP_ORIGIN,
	DUMP_DEST,
	DUMP_KEY,
	DUMP_UNUSED,
	DUMP_COLUMNS
};

extern const struct tv_dump_kind {
	const char *name; /* its lines begin with it */
	enum tv_paje_kind defines, begins, ends;
	uint32_t needs;	    /* columns that lines must have */
	const char *header; /* names of the columns of pj_dump */
} tv_dump_natures[DUMP_NATURES];

/* What the columns of lines are. */
struct tv_dump_layout {
	uint8_t at[DUMP_COLUMNS];    /* PAJE_ABSENT: no such column */
	uint32_t name[TV_PAJE_KEPT]; /* of columns of the trace's producer; TV_NONE */
	size_t n;
	uint32_t def[DUMP_NATURES]
		    [TV_PAJE_KEPT + 1]; /* of lines with that number of fields; TV_NONE */
};

int tv_dump_probe(const char *head, size_t n);
/* Fields between commas, without blanks and quotes around them; their number, which may exceed max. */
size_t tv_dump_split(const char *s, size_t n, struct tv_paje_field *field, size_t max);
bool tv_dump_is(const struct tv_paje_field *field, const char *text);
/* DUMP_NATURES: it is none. */
int tv_dump_nature(const struct tv_paje_field *field);
/* Whether these are the names of columns of a table of StarVZ. */
bool tv_dump_is_header(const struct tv_paje_field *field, size_t n);
/* Whether the line is a header that pj_dump prints: it does not fit the lines of links and events, nor the
 * fields of the trace's producer. */
bool tv_dump_is_title(const struct tv_paje_field *field, size_t n);

/* Sets what the columns of those names are. */
void tv_dump_set_layout(struct tv_paje *paje, struct tv_dump_layout *layout,
			const struct tv_paje_field *field, size_t n);
/* That field of the current line, paje->field; NULL: it has none. */
struct tv_paje_field *tv_dump_field(struct tv_paje *paje, const struct tv_dump_layout *layout,
				    enum tv_dump_column column);
/* The definition that its begin would have in a Pajé trace; the next one is that of its end. */
const struct tv_paje_def *tv_dump_def(struct tv_paje *paje, struct tv_dump_layout *layout,
				      enum tv_dump_nature nature);

#endif
