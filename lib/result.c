/* SPDX-License-Identifier: GPL-3.0-or-later */
/* result.c -- the parts of a result. */
#include "lib/result.h"

#include <string.h>

#include "trace/alloc.h"

void tv_result_message(struct traceviz_result *result, const char *text)
{
	TV_GROW(result->message, result->nmessages, result->messages_cap, 1);
	result->message[result->nmessages++] = tv_strdup(text);
}

void traceviz_free(traceviz_result *result)
{
	if (result == NULL)
		return;
	tv_result_table_free(result->table);
	tv_output_abort(&result->text);
	for (size_t i = 0; i < result->nmessages; i++)
		tv_free(result->message[i]);
	tv_free(result->message);
	tv_free(result);
}

enum traceviz_status traceviz_verdict(const traceviz_result *result)
{
	return (enum traceviz_status)result->verdict;
}

const char *traceviz_text(const traceviz_result *result, size_t *n)
{
	if (n != NULL)
		*n = result->text.n > 0 ? result->text.n - 1 : 0;
	return result->text.n > 0 ? result->text.buffer : "";
}

const char *traceviz_message(const traceviz_result *result, size_t i)
{
	return i < result->nmessages ? result->message[i] : NULL;
}

/* ---- the table ---- */

size_t traceviz_columns(const traceviz_result *result)
{
	return result->table != NULL ? result->table->ncols : 0;
}

size_t traceviz_rows(const traceviz_result *result)
{
	return result->table != NULL ? result->table->nrows : 0;
}

int traceviz_find(const traceviz_result *result, const char *name)
{
	for (size_t i = 0; i < traceviz_columns(result); i++)
		if (strcmp(result->table->col[i].name, name) == 0)
			return (int)i;
	return -1;
}

const char *traceviz_column_name(const traceviz_result *result, size_t column)
{
	return result->table->col[column].name;
}

enum traceviz_type traceviz_column_type(const traceviz_result *result, size_t column)
{
	static const enum traceviz_type types[] = {
		[TV_TIME] = TRACEVIZ_TIME,     [TV_INT] = TRACEVIZ_INT,
		[TV_DOUBLE] = TRACEVIZ_DOUBLE, [TV_LABEL] = TRACEVIZ_LABEL,
		[TV_TEXT] = TRACEVIZ_TEXT,     [TV_LIST] = TRACEVIZ_LIST,
	};

	return types[result->table->col[column].type];
}

const char *traceviz_column_unit(const traceviz_result *result, size_t column)
{
	return result->table->col[column].unit;
}

const char *traceviz_column_meaning(const traceviz_result *result, size_t column)
{
	return result->table->col[column].meaning;
}

/* The data, if the type is one of a mask. */
static const void *data_of(const traceviz_result *result, size_t column, unsigned types)
{
	const struct tv_result_column *of = &result->table->col[column];

	return types >> of->type & 1 ? of->data : NULL;
}

const int64_t *traceviz_ints(const traceviz_result *result, size_t column)
{
	return data_of(result, column, 1u << TV_TIME | 1u << TV_INT);
}

const double *traceviz_doubles(const traceviz_result *result, size_t column)
{
	return data_of(result, column, 1u << TV_DOUBLE);
}

const int32_t *traceviz_labels(const traceviz_result *result, size_t column)
{
	return data_of(result, column, 1u << TV_LABEL | 1u << TV_LIST);
}

const char *traceviz_bytes(const traceviz_result *result, size_t column)
{
	return data_of(result, column, 1u << TV_TEXT);
}

const int64_t *traceviz_offsets(const traceviz_result *result, size_t column)
{
	return result->table->col[column].offset;
}

const uint8_t *traceviz_valid(const traceviz_result *result, size_t column)
{
	return result->table->col[column].valid;
}

size_t traceviz_label_count(const traceviz_result *result, size_t column)
{
	return result->table->col[column].label.n;
}

const char *traceviz_label_text(const traceviz_result *result, size_t column, size_t label,
				size_t *n)
{
	const struct tv_dictionary *of = &result->table->col[column].label;

	if (n != NULL)
		*n = (size_t)(of->offset[label + 1] - of->offset[label]);
	return of->closed + of->offset[label] + label;
}
