/* SPDX-License-Identifier: GPL-3.0-or-later */
/* columns.c -- numbers, texts and lists of tables as columns. */
#include "views/report/columns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"

/* Numbers that a double has exactly, as in the viewer. */
#define MAX_SCALED ((int64_t)1 << 53)

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
		       (size_t)nrows + 1, NULL);
	tv_payload_add(to, tv_report_name(r, table, column->name, "", name), TV_U32, id,
		       first[nrows], NULL);
	tv_free(first);
	tv_free(id);
}

/* What is subtracted. */
static uint64_t base_of(const struct tv_near_column *near, uint32_t row)
{
	int64_t number = tv_missing(near->of, row) ? INT64_MIN : near->of->i[row];

	if (near->scale > 0 && number > -MAX_SCALED && number < MAX_SCALED)
		number = (int64_t)floor(near->scale * (double)number);
	return (uint64_t)number;
}

void tv_report_ints(const struct tv_report_run *r, const char *name, int64_t *value, size_t n,
		    const struct tv_near_column *near, size_t nnear, const struct tv_coding *coding)
{
	struct tv_coding with = { 0 };
	char names[TV_NEAR_COLUMNS][2][TV_REPORT_NAME];
	struct tv_plus plus[TV_NEAR_COLUMNS];

	for (size_t k = 0; k < nnear; k++) {
		for (size_t i = 0; i < n; i++) {
			uint32_t row = near[k].at != NULL ? near[k].at[i] : (uint32_t)i;
			uint64_t base = row == TV_NONE ? 0 : base_of(&near[k], row);

			value[i] = (int64_t)((uint64_t)value[i] - (near[k].minus ? -base : base));
		}
		plus[k] = (struct tv_plus){
			.name = tv_report_name(r, near[k].table, near[k].column, "", names[k][0]),
			.at = near[k].at == NULL
				    ? NULL
				    : tv_report_name(r, near[k].at_table, near[k].at_column, "",
						     names[k][1]),
			.minus = near[k].minus,
			.scale = near[k].scale,
		};
	}
	if (coding != NULL)
		with = *coding;
	with.plus = plus;
	with.nplus = nnear;
	tv_payload_add(&r->html->payload, name, TV_I64, value, n, &with);
}

void tv_report_rows_of(const struct tv_report_run *r, const char *table, const char *column,
		       const char *part, const uint32_t *row, size_t n)
{
	struct tv_coding coding = r->coding;
	char name[TV_REPORT_NAME];

	coding.rows = true;
	coding.key = NULL;
	tv_payload_add(&r->html->payload, tv_report_name(r, table, column, part, name), TV_U32, row,
		       n, &coding);
}

/* Whether a double holds the difference of any two; those that are missing do not count. */
static bool is_narrow(const int64_t *value, size_t n)
{
	int64_t min = INT64_MAX, max = INT64_MIN;

	for (size_t i = 0; i < n; i++) {
		if (value[i] == INT64_MAX)
			continue;
		min = value[i] < min ? value[i] : min;
		max = value[i] > max ? value[i] : max;
	}
	return min > max || (uint64_t)max - (uint64_t)min < (uint64_t)1 << 53;
}

/* Sorts rows by value; missing ones are last. workers: then by worker. */
static void make_order(const struct tv_report_run *r, struct tv_stored_order *order,
		       const char *name, const int64_t *value, bool workers)
{
	const struct tv_tasks *tasks = &r->run->tasks;
	uint32_t n = r->n, *row = tv_alloc(n, sizeof *row), *at;
	char text[TV_REPORT_NAME];

	order->n = n;
	order->name = tv_format("%s", tv_report_name(r, name, "order", "", text));
	order->row = row;
	order->place = tv_alloc(n, sizeof *order->place);
	for (uint32_t i = 0; i < n; i++)
		row[i] = i;
	tv_sort_rows_by_time(row, n, value);
	if (workers) {
		order->row = tv_alloc(n, sizeof *row);
		at = tv_alloc((size_t)tasks->nworkers + 2, sizeof *at);
		/* TV_NONE is first. */
		for (uint32_t i = 0; i < n; i++)
			at[tasks->worker[r->row[i]] + 1 + 1]++;
		for (uint32_t w = 0; w < tasks->nworkers; w++)
			at[w + 1] += at[w];
		for (uint32_t i = 0; i < n; i++)
			order->row[at[tasks->worker[r->row[row[i]]] + 1]++] = row[i];
		tv_free(row);
		tv_free(at);
	}
	for (uint32_t i = 0; i < n; i++)
		order->place[order->row[i]] = i;
}

void tv_report_code(struct tv_report_run *r)
{
	struct tv_coded *coded = &r->html->coded[r->number_of_run];
	const struct tv_column *start = tv_table_find(r->tasks, "Start"),
			       *job = tv_table_find(r->tasks, "JobId"),
			       *type = tv_table_find(r->tasks, "Value");
	int64_t *value = tv_alloc(r->n, sizeof *value);
	char name[TV_REPORT_NAME];

	for (uint32_t i = 0; start != NULL && i < r->n; i++)
		value[i] = tv_missing(start, i) ? INT64_MAX : start->i[i];
	if (start != NULL && r->n > 0 && is_narrow(value, r->n)) {
		make_order(r, &coded->order[coded->coding.norders++], "worker", value, true);
		tv_payload_add_order(&r->html->payload, coded->order,
				     tv_report_name(r, "tasks", "Start", "", name), value);
	}
	tv_free(value);
	value = job == NULL || coded->coding.norders == 0 ? NULL : decimals_of(job, r->n);
	for (uint32_t i = 0; value != NULL && i < r->n; i++)
		value[i] = value[i] == INT64_MIN ? INT64_MAX : value[i];
	if (value != NULL && is_narrow(value, r->n)) {
		make_order(r, &coded->order[coded->coding.norders++], "job", value, false);
		tv_payload_add_order(&r->html->payload, &coded->order[1],
				     tv_report_name(r, "tasks", "JobId", "", name), NULL);
	}
	tv_free(value);
	coded->coding.order = coded->order;
	if (type != NULL && type->type == TV_LABEL) {
		coded->key = tv_alloc(r->n, sizeof *coded->key);
		for (uint32_t i = 0; i < r->n; i++)
			coded->key[i] = tv_label(type, i);
		coded->coding.key = coded->key;
		coded->like = tv_format("%s", tv_report_name(r, "tasks", "Value", "", name));
		coded->coding.like = coded->like;
	}
	r->coding = coded->coding;
}

double tv_report_scale(const struct tv_report_run *r, const struct tv_column *times)
{
	const struct tv_near_column near = { .of = tv_table_find(r->tasks, "Start") };
	double x = 0, y = 0, xx = 0, xy = 0, n = 0, scale, cost[2];
	int64_t *value;
	struct tv_coding coding = r->coding;

	if (near.of == NULL)
		return 0;
	for (uint32_t i = 0; i < r->n; i++) {
		if (tv_missing(near.of, i) || tv_missing(times, i))
			continue;
		n++;
		x += ((double)near.of->i[i] - x) / n;
		y += ((double)times->i[i] - y) / n;
	}
	for (uint32_t i = 0; i < r->n; i++) {
		double dx = (double)near.of->i[i] - x;

		if (tv_missing(near.of, i) || tv_missing(times, i))
			continue;
		xx += dx * dx;
		xy += dx * ((double)times->i[i] - y);
	}
	scale = xx > 0 ? round(16 * xy / xx) / 16 : 0;
	if (!(scale > 0 && scale < 16))
		return 0;
	for (int k = 0; k < 2; k++) {
		const struct tv_near_column with = { .of = near.of, .scale = scale };

		value = tv_alloc(r->n, sizeof *value);
		for (uint32_t i = 0; i < r->n; i++)
			value[i] = (int64_t)((tv_missing(times, i) ? (uint64_t)INT64_MIN
								   : (uint64_t)times->i[i])
					     - (k == 1 ? base_of(&with, i) : 0));
		cost[k] = tv_payload_cost(value, r->n, &coding);
		tv_free(value);
	}
	return cost[1] < cost[0] ? scale : 0;
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
	static const char *const sources[] = { "Start", "JobId", "Value" };
	struct tv_payload *to = &r->html->payload;
	struct tv_coding coding = { 0 };
	char name[TV_REPORT_NAME];
	int64_t *value = NULL;
	uint32_t *id;
	double *d;

	if (r->coding.norders > 0 && nrows == r->coding.order[0].n)
		coding = r->coding;
	if (strcmp(column->name, "Start") == 0 && near == NULL)
		coding.first = coding.norders > 0;
	if (strcmp(column->name, "JobId") == 0)
		coding.norders = coding.norders > 0;
	/* Orders come from Start and JobId, keys from Value: these do not come from each other. */
	if (tv_is_any(column->name, sources, TV_COUNT(sources)))
		coding.key = NULL;

	tv_report_name(r, table, column->name, "", name);
	switch (column->type) {
	case TV_TIME:
	case TV_INT:
		value = tv_alloc(nrows, sizeof *value);
		for (uint32_t row = 0; row < nrows; row++)
			value[row] = tv_missing(column, row) ? INT64_MIN : column->i[row];
		tv_report_ints(r, name, value, nrows, near, nnear, &coding);
		break;
	case TV_DOUBLE:
		d = tv_alloc(nrows, sizeof *d);
		for (uint32_t row = 0; row < nrows; row++)
			d[row] = tv_missing(column, row) ? NAN : column->d[row];
		tv_payload_add(to, name, TV_F64, d, nrows, &coding);
		tv_free(d);
		break;
	case TV_LABEL:
	case TV_TEXT:
		value = decimals_of(column, nrows);
		if (value != NULL) {
			tv_report_ints(r, name, value, nrows, NULL, 0, &coding);
			break;
		}
		id = strings_of(r, column, nrows);
		tv_payload_add(to, name, TV_U32, id, nrows, &coding);
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
