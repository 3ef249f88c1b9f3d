/* SPDX-License-Identifier: GPL-3.0-or-later */
/* columns.c -- numbers, texts and lists of tables as columns. */
#include "views/report/columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/number.h"

static const char *const type_name[] = {
	[TV_TIME] = "time",   [TV_INT] = "int64", [TV_DOUBLE] = "double",
	[TV_LABEL] = "label", [TV_TEXT] = "text", [TV_LIST] = "list",
};

/* "run0.tasks.Start"; part: "" or ".first". */
const char *tv_report_name(const struct tv_report_run *r, const char *table, const char *column,
			   const char *part, char out[TV_REPORT_NAME])
{
	snprintf(out, TV_REPORT_NAME, "run%u.%s.%.150s%s", r->number_of_run, table, column, part);
	return out;
}

/* A text that is a number, written as numbers are: so it can be kept as one. */
static bool is_decimal(const char *text, size_t n, int64_t *value)
{
	char again[TV_NUMBER_MAX];

	return n > 0 && n < 18 && tv_parse_int(text, n, value) == TV_PARSE_OK
	    && tv_write_int(again, *value) == n && memcmp(again, text, n) == 0;
}

/* The numbers of a column of texts; NULL if not all are. Missing: the smallest. */
static int64_t *decimals_of(const struct tv_column *column, uint32_t nrows)
{
	int64_t *value = tv_alloc(nrows, sizeof *value);

	for (uint32_t row = 0; row < nrows; row++) {
		size_t n;
		const char *text = tv_string(column, row, &n);

		value[row] = INT64_MIN;
		if (tv_missing(column, row) || is_decimal(text, n, &value[row]))
			continue;
		tv_free(value);
		return NULL;
	}
	return value;
}

/* The numbers of the report's strings for a column of labels or texts. */
static uint32_t *strings_of(const struct tv_report_run *r, const struct tv_column *column,
			    uint32_t nrows)
{
	uint32_t *id = tv_alloc(nrows, sizeof *id), *known = NULL;

	if (column->type == TV_LABEL) {
		known = tv_alloc((size_t)tv_pool_count(column->pool) + 1, sizeof *known);
		memset(known, 0xff, ((size_t)tv_pool_count(column->pool) + 1) * sizeof *known);
	}
	for (uint32_t row = 0; row < nrows; row++) {
		const char *text;
		size_t n;

		id[row] = TV_NONE;
		if (tv_missing(column, row) || (known != NULL && column->u[row] == TV_NONE))
			continue;
		if (known != NULL && known[column->u[row]] != TV_NONE) {
			id[row] = known[column->u[row]];
			continue;
		}
		text = tv_string(column, row, &n);
		id[row] = tv_intern(r->strings, text, n);
		if (known != NULL)
			known[column->u[row]] = id[row];
	}
	tv_free(known);
	return id;
}

static void add_list(const struct tv_report_run *r, const char *table,
		     const struct tv_column *column, uint32_t nrows)
{
	struct tv_payload *to = &r->html->payload;
	uint32_t *first = tv_alloc((size_t)nrows + 1, sizeof *first), *id;
	char name[TV_REPORT_NAME];

	for (uint32_t row = 0; row < nrows; row++)
		first[row + 1] = column->u[row];
	id = tv_alloc(first[nrows], sizeof *id);
	for (uint32_t i = 0; i < first[nrows]; i++)
		id[i] = tv_intern(r->strings, tv_pool_text(column->pool, column->items[i]),
				  tv_pool_length(column->pool, column->items[i]));
	tv_payload_add(to, tv_report_name(r, table, column->name, ".first", name), TV_U32, first,
		       (size_t)nrows + 1, TV_DELTA | TV_SPLIT);
	tv_payload_add(to, tv_report_name(r, table, column->name, "", name), TV_U32, id,
		       first[nrows], TV_DELTA | TV_ZIGZAG | TV_SPLIT);
	tv_free(first);
	tv_free(id);
}

/* Adds n numbers as differences to what they are near. value is overwritten. */
void tv_report_ints(const struct tv_report_run *r, const char *name, int64_t *value, size_t n,
		    const struct tv_near_column *near, size_t nnear)
{
	char names[TV_NEAR_COLUMNS][2][TV_REPORT_NAME];
	struct tv_plus plus[TV_NEAR_COLUMNS];

	for (size_t k = 0; k < nnear; k++) {
		for (size_t i = 0; i < n; i++) {
			uint32_t row = near[k].at != NULL ? near[k].at[i] : (uint32_t)i;
			uint64_t base = row == TV_NONE		    ? 0
				      : tv_missing(near[k].of, row) ? (uint64_t)INT64_MIN
								    : (uint64_t)near[k].of->i[row];

			value[i] = (int64_t)((uint64_t)value[i] - (near[k].minus ? -base : base));
		}
		plus[k] = (struct tv_plus){
			.name = tv_report_name(r, near[k].table, near[k].column, "", names[k][0]),
			.at = near[k].at == NULL
				    ? NULL
				    : tv_report_name(r, near[k].at_table, near[k].at_column, "",
						     names[k][1]),
			.minus = near[k].minus,
		};
	}
	tv_payload_add_plus(&r->html->payload, name, TV_I64, value, n,
			    tv_number_steps(value, n, TV_DELTA | TV_ZIGZAG | TV_SPLIT), plus,
			    nnear);
}

static void describe_column(const struct tv_report_run *r, const struct tv_column *column,
			    const struct tv_field *field, bool decimal)
{
	struct tv_json *json = &r->html->header;

	tv_json_open(json, NULL, '{');
	tv_json_text(json, "name", column->name);
	tv_json_text(json, "type", type_name[column->type]);
	if (decimal)
		tv_json_bool(json, "decimal", true);
	if (field != NULL && field->unit[0] != '\0')
		tv_json_text(json, "unit", field->unit);
	if (field != NULL)
		tv_json_text(json, "meaning", field->meaning);
	tv_json_close(json, '}');
}

void tv_report_column(const struct tv_report_run *r, const char *table,
		      const struct tv_column *column, uint32_t nrows,
		      const struct tv_near_column *near, size_t nnear, const struct tv_field *field)
{
	struct tv_payload *to = &r->html->payload;
	char name[TV_REPORT_NAME];
	int64_t *value = NULL;
	uint32_t *id;
	double *d;

	tv_report_name(r, table, column->name, "", name);
	switch (column->type) {
	case TV_TIME:
	case TV_INT:
		value = tv_alloc(nrows, sizeof *value);
		for (uint32_t row = 0; row < nrows; row++)
			value[row] = tv_missing(column, row) ? INT64_MIN : column->i[row];
		tv_report_ints(r, name, value, nrows, near, nnear);
		break;
	case TV_DOUBLE:
		d = tv_alloc(nrows, sizeof *d);
		for (uint32_t row = 0; row < nrows; row++)
			d[row] = tv_missing(column, row) ? NAN : column->d[row];
		tv_payload_add(to, name, TV_F64, d, nrows, TV_SPLIT);
		tv_free(d);
		break;
	case TV_LABEL:
	case TV_TEXT:
		value = decimals_of(column, nrows);
		if (value != NULL) {
			tv_report_ints(r, name, value, nrows, NULL, 0);
			break;
		}
		id = strings_of(r, column, nrows);
		tv_payload_add(to, name, TV_U32, id, nrows, TV_DELTA | TV_ZIGZAG | TV_SPLIT);
		tv_free(id);
		break;
	case TV_LIST:
		add_list(r, table, column, nrows);
		break;
	}
	describe_column(r, column, field,
			value != NULL && (column->type == TV_LABEL || column->type == TV_TEXT));
	tv_free(value);
}

const struct tv_field *tv_report_field(const struct tv_field *field, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(field[i].name, name) == 0)
			return &field[i];
	return NULL;
}

bool tv_is_any(const char *name, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(name, list[i]) == 0)
			return true;
	return false;
}

void tv_report_open(const struct tv_report_run *r, const char *name, uint32_t nrows)
{
	tv_json_open(&r->html->header, name, '{');
	tv_json_int(&r->html->header, "rows", nrows);
	tv_json_open(&r->html->header, "columns", '[');
}

void tv_report_close(const struct tv_report_run *r)
{
	tv_json_close(&r->html->header, ']');
	tv_json_close(&r->html->header, '}');
}

/* The result of a pass, if it can be computed. */
const struct tv_table *tv_report_pass(const struct tv_report_run *r, const char *pass)
{
	const struct tv_pass *of = tv_pass_find(pass);
	struct tv_error none = { 0 };

	return (of->windowless && tv_run_cut(r->run))
			    || (r->run->tasks.ncounted == 0 && !of->taskless)
		     ? NULL
		     : tv_run_pass(r->run, pass, NULL, &none);
}

const struct tv_table *tv_report_part(const struct tv_report_run *r, const struct tv_table *table,
				      struct tv_table *taken)
{
	*taken = (struct tv_table){ 0 };
	if (r->n == r->run->tasks.n)
		return table;
	tv_table_take(table, r->row, r->n, taken);
	return taken;
}
