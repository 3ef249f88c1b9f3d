/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv.c -- tables from rows of CSV. */
#include "trace/csv.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/clocks.h"
#include "trace/kernels.h"
#include "trace/number.h"

/* A table being read. */
struct reading {
	struct tv_trace *trace;
	enum tv_table_id id;
	struct tv_table *table;
	struct tv_column **column; /* of each field of the file */
	int64_t *time;		   /* parsed times of the row */
	size_t ncolumns;
	/* Fields of the file; -1 = absent. */
	int start, end, duration, resource, kind, type, flag;
};

static int field_of(const struct reading *r, const char *name)
{
	for (size_t i = 0; i < r->ncolumns; i++)
		if (strcmp(r->column[i]->name, name) == 0)
			return (int)i;
	return -1;
}

static int check_required(const struct reading *r, struct tv_pos at, struct tv_error *err)
{
	const struct tv_table_schema *schema = &tv_schema[r->id];
	char missing[256] = "";
	size_t n = 0;

	for (size_t i = 0; i < schema->nfields; i++) {
		const char *name = schema->field[i].name;

		if (!schema->field[i].required || field_of(r, name) >= 0
		    || n + strlen(name) + 3 > sizeof missing)
			continue;
		n += (size_t)snprintf(missing + n, sizeof missing - n, "%s%s", n > 0 ? ", " : "",
				      name);
	}
	return n == 0 ? 0
		      : tv_fail_at(err, at, "the header of %s has no column%s %s", schema->name,
				   strchr(missing, ',') != NULL ? "s" : "", missing);
}

static int read_header(struct reading *r, const struct tv_csv_row *row, struct tv_error *err)
{
	if (row->ncells > TV_CSV_COLUMNS_MAX)
		return tv_fail_at(err, row->at, "%zu columns, the limit is %d", row->ncells,
				  TV_CSV_COLUMNS_MAX);
	r->column = tv_alloc(row->ncells, sizeof *r->column);
	r->time = tv_alloc(row->ncells, sizeof *r->time);
	for (size_t i = 0; i < row->ncells; i++) {
		char *name = tv_strndup(row->cell[i].text, row->cell[i].n);
		const struct tv_field *field;

		if (tv_table_find(r->table, name) != NULL) {
			tv_fail_at(err, row->at, "column '%s' occurs twice in the header", name);
		} else {
			field = tv_schema_field(r->id, name);
			r->column[i] = tv_table_column(r->table, name,
						       field ? field->type : TV_TEXT, err);
		}
		tv_free(name);
		if (r->column[i] == NULL)
			return -1;
		r->ncolumns++;
	}
	r->start = field_of(r, "Start");
	r->end = field_of(r, "End");
	r->duration = field_of(r, "Duration");
	r->resource = field_of(r, "ResourceId");
	r->kind = field_of(r, "Kind");
	r->type = field_of(r, "Type");
	r->flag = field_of(r, "Flag");
	return check_required(r, row->at, err);
}

static bool is_text(const struct tv_csv_cell *cell, const char *text)
{
	return cell->n == strlen(text) && memcmp(cell->text, text, cell->n) == 0;
}

static bool is_missing(const struct tv_csv_cell *cell, enum tv_type type)
{
	return cell->missing
	    || ((type == TV_TIME || type == TV_INT || type == TV_DOUBLE) && is_text(cell, "NA"));
}

static bool is_nan(const struct tv_csv_cell *cell)
{
	return cell->n == 3 && strncasecmp(cell->text, "nan", 3) == 0;
}

static int fail_cell(const struct reading *r, const struct tv_csv_row *row, size_t i,
		     enum tv_parsed rc, const char *expected, struct tv_error *err)
{
	const struct tv_csv_cell *cell = &row->cell[i];

	return tv_fail_at(err, row->at, "column %s is '%.*s', %s %s", r->column[i]->name,
			  cell->n > 60 ? 60 : (int)cell->n, cell->text,
			  rc == TV_PARSE_RANGE ? "which is out of range for" : "expected",
			  expected);
}

/* Whether the row is a message: its ends have clocks of their own, which may differ. */
static bool is_message(const struct reading *r, const struct tv_csv_row *row)
{
	return (r->id == TV_LINKS && r->type >= 0 && is_text(&row->cell[r->type], TV_MESSAGE_TYPE))
	    || (r->id == TV_TASKS && r->kind >= 0
		&& is_text(&row->cell[r->kind], tv_kind_name(TV_MESSAGE)));
}

/* Parses the row's times. 1 = the row contradicts itself and is to be skipped; *cause: why. */
static int read_times(struct reading *r, const struct tv_csv_row *row, const char **cause,
		      struct tv_error *err)
{
	for (size_t i = 0; i < r->ncolumns; i++) {
		const struct tv_csv_cell *cell = &row->cell[i];
		enum tv_parsed rc;

		if (r->column[i]->type != TV_TIME || is_missing(cell, TV_TIME))
			continue;
		if (is_nan(cell)) {
			*cause = "time is NaN";
			return 1;
		}
		rc = tv_parse_scaled(cell->text, cell->n, 6, &r->time[i]);
		if (rc != TV_PARSE_OK)
			return fail_cell(r, row, i, rc, "a time in milliseconds", err);
	}
	if (r->start >= 0 && r->end >= 0 && !is_missing(&row->cell[r->start], TV_TIME)
	    && !is_missing(&row->cell[r->end], TV_TIME) && r->time[r->end] < r->time[r->start]
	    && !is_message(r, row)) {
		*cause = "end before start";
		return 1;
	}
	if (r->duration >= 0 && !is_missing(&row->cell[r->duration], TV_TIME)
	    && r->time[r->duration] < 0 && !is_message(r, row)) {
		*cause = "negative duration";
		return 1;
	}
	return 0;
}

/* Rows of tasks: executions have a resource, start and end; ghosts and idle workers have no times.
 */
static int check_task(const struct reading *r, const struct tv_csv_row *row, struct tv_error *err)
{
	bool start = !is_missing(&row->cell[r->start], TV_TIME);
	bool end = !is_missing(&row->cell[r->end], TV_TIME);
	bool resource = !row->cell[r->resource].missing;
	const struct tv_csv_cell *kind = r->kind >= 0 ? &row->cell[r->kind] : NULL;

	if (start != end)
		return tv_fail_at(err, row->at, "%s without %s, expected both or neither",
				  start ? "Start" : "End", start ? "End" : "Start");
	if (kind != NULL && !kind->missing) {
		char name[16] = "";

		if (kind->n < sizeof name)
			memcpy(name, kind->text, kind->n);
		if (tv_kind_find(name) < 0)
			return tv_fail_at(err, row->at,
					  "Kind is '%.*s', expected app, setup, runtime, ghost, "
					  "message, pending or worker",
					  kind->n > 60 ? 60 : (int)kind->n, kind->text);
		if (is_text(kind, "ghost") || is_text(kind, "pending") || is_text(kind, "worker"))
			return start ? tv_fail_at(
				       err, row->at,
				       "a row of Kind %s with Start and End, expected none", name)
				     : 0;
		if (is_text(kind, "message"))
			return 0;
		if (!start && (r->flag < 0 || !is_text(&row->cell[r->flag], TV_PLANNED)))
			return tv_fail_at(err, row->at,
					  "a task without Start and End; only rows of Kind ghost, "
					  "pending and "
					  "worker have none, and those of Flag planned");
	}
	if (start && !resource)
		return tv_fail_at(err, row->at, "a task without ResourceId");
	return 0;
}

static int read_cell(struct reading *r, const struct tv_csv_row *row, size_t i, uint32_t at,
		     struct tv_error *err)
{
	const struct tv_csv_cell *cell = &row->cell[i];
	struct tv_column *column = r->column[i];
	enum tv_parsed rc = TV_PARSE_OK;
	int64_t whole = 0;
	double real = 0;

	switch (column->type) {
	case TV_TIME:
		tv_set_int(column, at, r->time[i]);
		break;
	case TV_INT:
		rc = tv_parse_int(cell->text, cell->n, &whole);
		if (rc != TV_PARSE_OK)
			return fail_cell(r, row, i, rc, "a whole number", err);
		tv_set_int(column, at, whole);
		break;
	case TV_DOUBLE:
		if (is_nan(cell))
			return 0;
		rc = tv_parse_double(cell->text, cell->n, &real);
		if (rc != TV_PARSE_OK)
			return fail_cell(r, row, i, rc, "a number", err);
		tv_set_double(column, at, real);
		break;
	case TV_LABEL:
	case TV_TEXT:
		tv_set_string(column, at, cell->text, cell->n);
		break;
	case TV_LIST:
		tv_set_words(column, at, cell->text, cell->n);
		break;
	}
	return 0;
}

static int check_row(const struct reading *r, const struct tv_csv_row *row, struct tv_error *err)
{
	const struct tv_table_schema *schema = &tv_schema[r->id];

	if (r->id == TV_TASKS)
		return check_task(r, row, err);
	for (size_t i = 0; i < schema->nfields; i++) {
		const struct tv_field *field = &schema->field[i];

		/* Labels may be missing (an open link has no Dest), but not a resource's name. */
		if (field->required && (field->type == TV_TIME || r->id == TV_RESOURCES)
		    && is_missing(&row->cell[field_of(r, field->name)], field->type))
			return tv_fail_at(err, row->at,
					  "a row without %s, expected one in each row",
					  field->name);
	}
	return 0;
}

/* A duration that is not End - Start, to a microsecond, would contradict every number of ours. */
static void repair_duration(struct reading *r, const struct tv_csv_row *row)
{
	int64_t length;

	if (r->duration < 0 || r->start < 0 || r->end < 0
	    || is_missing(&row->cell[r->duration], TV_TIME)
	    || is_missing(&row->cell[r->start], TV_TIME)
	    || __builtin_sub_overflow(r->time[r->end], r->time[r->start], &length)
	    || llabs(length - r->time[r->duration]) <= 1000)
		return;
	r->time[r->duration] = length;
	tv_damaged(r->trace, TV_REPAIRED, "Duration is not End - Start", row->at,
		   "it is set to that");
}

static int read_row(void *context, const struct tv_csv_row *row, struct tv_error *err)
{
	struct reading *r = context;
	const char *cause = NULL;
	uint32_t at;
	int rc;

	if (r->column == NULL)
		return read_header(r, row, err);
	if (row->ncells != r->ncolumns)
		return tv_fail_at(err, row->at, "%zu fields, expected %zu as in the header",
				  row->ncells, r->ncolumns);
	rc = read_times(r, row, &cause, err);
	if (rc > 0) {
		tv_damaged(r->trace, TV_DROPPED, cause, row->at, "row of %s skipped",
			   tv_schema[r->id].name);
		return 0;
	}
	if (rc < 0 || check_row(r, row, err) < 0)
		return -1;
	repair_duration(r, row);
	at = tv_table_add_row(r->table);
	if (r->id == TV_TASKS)
		tv_trace_read_at(r->trace, at, row->at);
	for (size_t i = 0; i < r->ncolumns; i++)
		if (!is_missing(&row->cell[i], r->column[i]->type)
		    && read_cell(r, row, i, at, err) < 0)
			return -1;
	return 0;
}

int tv_csv_read(struct tv_input *in, struct tv_trace *trace, enum tv_table_id id,
		struct tv_error *err)
{
	struct reading r = { .trace = trace, .id = id, .table = &trace->table[id] };
	int rc;

	tv_table_release(r.table);
	tv_table_init(r.table, trace->pool);
	if (id == TV_TASKS)
		tv_trace_moved(trace);
	rc = tv_csv_rows(in, read_row, &r, err);
	if (rc == 0 && r.column == NULL)
		rc = tv_fail_at(err, (struct tv_pos){ in->path, 0 },
				"no header line, expected the columns of %s", tv_schema[id].name);
	if (rc == 0)
		tv_table_finish(r.table);
	tv_free(r.column);
	tv_free(r.time);
	return rc;
}
