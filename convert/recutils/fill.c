/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fill.c -- one field of a Recutils record into one cell. */
#include "convert/recutils/recutils.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"

struct tv_column *tv_rec_column(struct tv_rec_file *file, enum tv_table_id table, const char *name)
{
	/* What executions are made of comes from the trace, or from StartTime, WorkerId, ... */
	static const char *const ours[] = { "ResourceId", "Value", "Start", "End",
					    "Duration",	  "Kind",  "Flag" };
	char apart[32];

	if (strcmp(name, "Parameters") == 0)
		name = "Params";
	else if (strcmp(name, "MPIRank") == 0)
		name = "Node";
	for (size_t i = 0; table == TV_TASKS && i < TV_COUNT(ours); i++)
		if (strcmp(name, ours[i]) == 0) {
			snprintf(apart, sizeof apart, "Rec.%s", ours[i]);
			name = apart;
			break;
		}
	return tv_trace_column(file->trace, table, name);
}

uint32_t tv_rec_job(struct tv_rec_file *file, const struct tv_rec *rec, const char *s, size_t n,
		    bool ranked)
{
	size_t digits = 0;
	char buffer[40], *own;
	uint32_t label;

	if (file->apart) {
		own = tv_format("%s.%.*s", file->region, (int)n, s);
		label = tv_intern_text(file->trace->pool, own);
		tv_free(own);
		return label;
	}
	while (digits < n && s[digits] >= '0' && s[digits] <= '9')
		digits++;
	if (!ranked || rec->rank < 0 || digits < n || n > 20)
		return tv_intern(file->trace->pool, s, n);
	digits = (size_t)snprintf(buffer, sizeof buffer, "%" PRId32 "_%.*s", rec->rank, (int)n, s);
	return tv_intern(file->trace->pool, buffer, digits);
}

/* Blank-separated words as labels; those of DependsOn are JobIds. */
static void set_list(struct tv_rec_file *file, const struct tv_rec *rec, struct tv_column *column,
		     uint32_t row, const struct tv_rec_field *field, bool ranked)
{
	bool jobs = strcmp(column->name, "DependsOn") == 0;
	uint32_t *list = tv_alloc(field->n / 2 + 1, sizeof *list);
	size_t n = 0;

	for (size_t i = 0; i < field->n;) {
		size_t length = 0;

		while (i + length < field->n && field->s[i + length] != ' '
		       && field->s[i + length] != '\n')
			length++;
		if (length > 0)
			list[n++] = jobs ? tv_rec_job(file, rec, field->s + i, length, ranked)
					 : tv_intern(file->trace->pool, field->s + i, length);
		i += length + 1;
	}
	tv_set_list(column, row, list, n);
	tv_free(list);
}

/* StarPU prints a tag in Pajé with all its 16 digits: the same here. */
static void set_tag(struct tv_column *column, uint32_t row, const struct tv_rec_field *field)
{
	char tag[] = "0000000000000000";
	size_t n = field->n;

	for (size_t i = 0; i < field->n; i++)
		if (strchr("0123456789abcdefABCDEF", field->s[i]) == NULL || field->s[i] == '\0')
			n = 0;
	if (n == 0 || n > 16) {
		tv_set_string(column, row, field->s, field->n);
		return;
	}
	memcpy(tag + 16 - n, field->s, n);
	tv_set_string(column, row, tag, 16);
}

void tv_rec_set(struct tv_rec_file *file, const struct tv_rec *rec, struct tv_column *column,
		uint32_t row, const struct tv_rec_field *field, bool ranked)
{
	if (column->type == TV_LIST)
		set_list(file, rec, column, row, field, ranked);
	else if (strcmp(column->name, "Tag") == 0)
		set_tag(column, row, field);
	else
		tv_convert_cell(file->trace, tv_rec_place(file, rec), column, row, field->s,
				field->n, file->scale);
}
