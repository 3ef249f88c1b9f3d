/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv.c -- tables from rows of CSV. */
#include "trace/csv.h"

#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/clocks.h"
#include "trace/csv_reading.h"
#include "trace/kernels.h"
#include "trace/near_names.h"
#include "trace/number.h"
#include "trace/parallel.h"

static int field_of(const struct tv_csv_reading *r, const char *name)
{
	for (size_t i = 0; i < r->ncolumns; i++)
		if (r->column[i] != NULL && strcmp(r->column[i]->name, name) == 0)
			return (int)i;
	return -1;
}

static struct tv_csv_moment *time_of(const struct tv_csv_reading *r, const char *name)
{
	for (size_t i = 0; i < r->ntimes; i++)
		if (strcmp(r->column[r->time[i].field]->name, name) == 0)
			return &r->time[i];
	return NULL;
}

void tv_csv_find_fields(struct tv_csv_reading *r)
{
	r->time = tv_alloc(r->ncolumns, sizeof *r->time);
	r->ntimes = 0;
	for (size_t i = 0; i < r->ncolumns; i++)
		if (r->column[i] != NULL && r->column[i]->type == TV_TIME)
			r->time[r->ntimes++].field = i;
	r->cells = tv_alloc(r->ncolumns, sizeof *r->cells);
	r->number = tv_alloc(r->ntimes, sizeof *r->number);
	r->missing = tv_alloc(r->ntimes, sizeof *r->missing);
	r->start = time_of(r, "Start");
	r->end = time_of(r, "End");
	r->duration = time_of(r, "Duration");
	r->resource = field_of(r, "ResourceId");
	r->kind = field_of(r, "Kind");
	r->type = field_of(r, "Type");
	r->flag = field_of(r, "Flag");
}

static int check_required(const struct tv_csv_reading *r, struct tv_pos at, struct tv_error *err)
{
	const struct tv_table_schema *schema = &tv_schema[r->id];
	struct tv_name_list found = { .n = 0 };
	char *missing = NULL;
	bool several;
	int rc;

	for (size_t i = 0; i < schema->nfields; i++) {
		const char *name = schema->field[i].name;

		if (schema->field[i].required && field_of(r, name) < 0
		    && !tv_trace_leaves(r->trace, r->id, name))
			tv_append(&missing, "%s%s", missing != NULL ? ", " : "", name);
	}
	if (missing == NULL)
		return 0;
	for (size_t i = 0; i < r->ncolumns; i++)
		if (r->column[i] != NULL)
			tv_name_list_add(&found, r->column[i]->name);
	several = strchr(missing, ',') != NULL;
	rc = tv_fail_at(err, at, "the header of %s has no column%s %s%s; it has: %s%s",
			schema->name, several ? "s" : "", missing,
			strcmp(missing, "End") == 0 && field_of(r, "Duration") >= 0
				? " (Start + Duration)"
				: "",
			tv_name_list_text(&found),
			several && r->id == TV_TASKS
				? "; --map says which of these they are (traceviz help map)"
				: "");
	tv_free(missing);
	return rc;
}

/* The column of a name that occurs once; NULL with *err. */
static struct tv_column *add_column(struct tv_csv_reading *r, const char *name, struct tv_pos at,
				    struct tv_error *err)
{
	const struct tv_field *field = tv_schema_field(r->id, name);
	bool number = r->trace->options.numbered && strcmp(name, TV_INPUT_ROW) == 0;
	struct tv_column *column;

	if (tv_table_find(r->table, name) != NULL) {
		tv_fail_at(err, at, "column '%s' occurs twice in the header", name);
		return NULL;
	}
	column = tv_table_column(r->table, name,
				 field != NULL ? field->type
				 : number      ? TV_INT
					       : TV_TEXT,
				 err);
	if (column != NULL)
		column->derived = number && r->trace->options.batches == NULL;
	if (column != NULL && (column->type == TV_INT || column->type == TV_DOUBLE))
		tv_table_expect_few(column);
	return column;
}

/* Drops from the table the columns that are not read. */
static void leave_columns(struct tv_csv_reading *r)
{
	const char **name = tv_alloc(r->ncolumns, sizeof *name);

	for (size_t i = 0; i < r->ncolumns; i++)
		name[i] = r->column[i]->name;
	if (r->id == TV_TASKS)
		tv_trace_plan_columns(r->trace, name, r->ncolumns);
	for (size_t i = 0; i < r->ncolumns; i++)
		if (tv_trace_leaves(r->trace, r->id, name[i])) {
			tv_table_drop(r->table, r->column[i]);
			r->column[i] = NULL;
		}
	tv_free(name);
}

static int read_header(struct tv_csv_reading *r, const struct tv_csv_row *row, struct tv_error *err)
{
	if (row->ncells > TV_CSV_COLUMNS_MAX)
		return tv_fail_at(err, row->at, "%zu columns, the limit is %d", row->ncells,
				  TV_CSV_COLUMNS_MAX);
	r->column = tv_alloc(row->ncells, sizeof *r->column);
	for (size_t i = 0; i < row->ncells; i++) {
		char *name = tv_strndup(row->cell[i].text, row->cell[i].n);

		r->column[i] = add_column(r, name, row->at, err);
		tv_free(name);
		if (r->column[i] == NULL)
			return -1;
		r->ncolumns++;
	}
	leave_columns(r);
	tv_csv_find_fields(r);
	return check_required(r, row->at, err);
}

static bool is_missing(const struct tv_csv_cell *cell, enum tv_type type)
{
	return cell->missing
	    || (cell->n == 2 && cell->text[0] == 'N' && cell->text[1] == 'A'
		&& (type == TV_TIME || type == TV_INT || type == TV_DOUBLE));
}

static bool is_nan(const struct tv_csv_cell *cell)
{
	return cell->n == 3 && (cell->text[0] | 0x20) == 'n'
	    && strncasecmp(cell->text, "nan", 3) == 0;
}

static int fail_cell(const struct tv_csv_reading *r, size_t i, const struct tv_csv_cell *cell,
		     struct tv_pos at, enum tv_parsed rc, const char *expected,
		     struct tv_error *err)
{
	return tv_fail_at(err, at, "column %s is '%.*s', %s %s", r->column[i]->name,
			  cell->n > 60 ? 60 : (int)cell->n, cell->text,
			  rc == TV_PARSE_RANGE ? "which is out of range for" : "expected",
			  expected);
}

/* Whether the row is a message: its ends have clocks of their own, which may differ. */
static bool is_message(const struct tv_csv_reading *r, const struct tv_csv_row *row)
{
	return (r->id == TV_LINKS && r->type >= 0
		&& tv_csv_is(&row->cell[r->type], TV_MESSAGE_TYPE))
	    || (r->id == TV_TASKS && r->kind >= 0
		&& tv_csv_is(&row->cell[r->kind], tv_kind_name(TV_MESSAGE)));
}

/* Parses the row's times. 1 = the row contradicts itself and is to be skipped; *cause: why. */
static int read_times(struct tv_csv_reading *r, const struct tv_csv_row *row, const char **cause,
		      struct tv_error *err)
{
	for (size_t i = 0; i < r->ntimes; i++) {
		struct tv_csv_moment *time = &r->time[i];
		const struct tv_csv_cell *cell = &row->cell[time->field];
		enum tv_parsed rc;

		time->missing = is_missing(cell, TV_TIME);
		if (time->missing)
			continue;
		if (cell->ns) {
			memcpy(&time->ns, cell->text, sizeof time->ns);
			continue;
		}
		rc = tv_parse_scaled(cell->text, cell->n, 6, &time->ns);
		if (rc == TV_PARSE_OK)
			continue;
		if (!is_nan(cell))
			return fail_cell(r, time->field, cell, row->at, rc,
					 "a time in milliseconds", err);
		*cause = "time is NaN";
		return 1;
	}
	if (r->start != NULL && r->end != NULL && !r->start->missing && !r->end->missing
	    && r->end->ns < r->start->ns && !is_message(r, row)) {
		*cause = "end before start";
		return 1;
	}
	if (r->duration != NULL && !r->duration->missing && r->duration->ns < 0
	    && !is_message(r, row)) {
		*cause = "negative duration";
		return 1;
	}
	return 0;
}

int tv_csv_is_work(struct tv_csv_reading *r, const struct tv_csv_cell *kind, struct tv_pos at,
		   struct tv_error *err)
{
	char name[sizeof r->work] = "";
	int found;

	if (r->nwork > 0 && kind->n == r->nwork && memcmp(kind->text, r->work, r->nwork) == 0)
		return 1;
	if (kind->n < sizeof name)
		memcpy(name, kind->text, kind->n);
	found = tv_kind_find(name);
	if (found < 0)
		return tv_fail_at(err, at,
				  "Kind is '%.*s', expected app, setup, runtime, ghost, "
				  "message, pending or worker",
				  kind->n > 60 ? 60 : (int)kind->n, kind->text);
	if (found > TV_RUNTIME)
		return 0;
	memcpy(r->work, name, sizeof name);
	r->nwork = kind->n;
	return 1;
}

/* Rows of tasks: executions have a resource, start and end; ghosts and idle workers have no times.
 */
static int check_task(struct tv_csv_reading *r, const struct tv_csv_row *row, struct tv_error *err)
{
	bool start = !r->start->missing, end = !r->end->missing;
	const struct tv_csv_cell *kind = r->kind >= 0 ? &row->cell[r->kind] : NULL;
	int work;

	if (start != end)
		return tv_fail_at(err, row->at, "%s without %s, expected both or neither",
				  start ? "Start" : "End", start ? "End" : "Start");
	if (kind != NULL && !kind->missing) {
		work = tv_csv_is_work(r, kind, row->at, err);
		if (work < 0)
			return -1;
		if (work == 0)
			return start && !tv_csv_is(kind, tv_kind_name(TV_MESSAGE))
				     ? tv_fail_at(err, row->at,
						  "a row of Kind %.*s with Start and End, "
						  "expected none",
						  (int)kind->n, kind->text)
				     : 0;
		if (!start && (r->flag < 0 || !tv_csv_is(&row->cell[r->flag], TV_PLANNED)))
			return tv_fail_at(err, row->at,
					  "a task without Start and End; only rows of Kind ghost, "
					  "pending and "
					  "worker have none, and those of Flag planned");
	}
	if (start && row->cell[r->resource].missing)
		return tv_fail_at(err, row->at, "a task without ResourceId");
	return 0;
}

int tv_csv_read_cell(struct tv_csv_reading *r, size_t i, uint32_t row,
		     const struct tv_csv_cell *cell, struct tv_pos at, struct tv_error *err)
{
	struct tv_column *column = r->column[i];
	enum tv_parsed rc = TV_PARSE_OK;
	int64_t whole = 0;
	double real = 0;

	if (is_missing(cell, column->type))
		return 0;
	switch (column->type) {
	case TV_TIME: /* by tv_csv_read_row */
		break;
	case TV_INT:
		rc = tv_parse_int(cell->text, cell->n, &whole);
		if (rc != TV_PARSE_OK)
			return fail_cell(r, i, cell, at, rc, "a whole number", err);
		tv_set_int(column, row, whole);
		break;
	case TV_DOUBLE:
		if (is_nan(cell))
			return 0;
		rc = tv_parse_double(cell->text, cell->n, &real);
		if (rc != TV_PARSE_OK)
			return fail_cell(r, i, cell, at, rc, "a number", err);
		tv_set_double(column, row, real);
		break;
	case TV_LABEL:
		column->last = tv_intern_again(column->pool, column->last, cell->text, cell->n);
		tv_set_label(column, row, column->last);
		break;
	case TV_TEXT:
		tv_set_string(column, row, cell->text, cell->n);
		break;
	case TV_LIST:
		tv_set_words(column, row, cell->text, cell->n);
		break;
	}
	return 0;
}

int tv_csv_read_cells(struct tv_csv_reading *r, size_t i, uint32_t row,
		      const struct tv_csv_cell *cell, size_t step, uint32_t *n, struct tv_pos at,
		      struct tv_error *err)
{
	struct tv_column *column = r->column[i];

	for (uint32_t k = 0; column->type == TV_LABEL && k < *n; k++, cell += step) {
		if (cell->missing)
			continue;
		column->last = tv_intern_again(column->pool, column->last, cell->text, cell->n);
		tv_set_label(column, row + k, column->last);
	}
	for (uint32_t k = 0; column->type != TV_LABEL && k < *n; k++, cell += step, at.line++)
		if (tv_csv_read_cell(r, i, row + k, cell, at, err) < 0) {
			*n = k;
			return -1;
		}
	return 0;
}

static int check_row(struct tv_csv_reading *r, const struct tv_csv_row *row, struct tv_error *err)
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
static void repair_duration(struct tv_csv_reading *r, const struct tv_csv_row *row)
{
	int64_t length;

	if (r->duration == NULL || r->start == NULL || r->end == NULL || r->duration->missing
	    || r->start->missing || r->end->missing
	    || __builtin_sub_overflow(r->end->ns, r->start->ns, &length)
	    || llabs(length - r->duration->ns) <= TV_CSV_ROUNDING)
		return;
	r->duration->ns = length;
	tv_damaged(r->trace, TV_REPAIRED, "Duration is not End - Start", row->at,
		   "it is set to that");
}

int tv_csv_read_row(void *context, const struct tv_csv_row *row, struct tv_error *err)
{
	struct tv_csv_reading *r = context;
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
	for (size_t i = 0; i < r->ntimes; i++)
		if (!r->time[i].missing)
			tv_set_int(r->column[r->time[i].field], at, r->time[i].ns);
	for (size_t i = 0; i < r->ncolumns; i++)
		if (r->column[i] != NULL
		    && tv_csv_read_cell(r, i, at, &row->cell[i], row->at, err) < 0)
			return -1;
	return 0;
}

int tv_csv_read_lines(void *context, const struct tv_csv_row *first, uint32_t n,
		      struct tv_error *err)
{
	struct tv_csv_reading *r = context;
	struct tv_csv_block block = {
		.at = first->at, .n = n, .cell = first->cell, .width = first->ncells
	};

	if (r->column == NULL || r->id != TV_TASKS || first->ncells != r->ncolumns)
		return 0;
	for (size_t i = 0; i < r->ntimes; i++) {
		const struct tv_csv_cell *cell = first->cell + r->time[i].field;
		bool any = false;

		for (uint32_t k = 0; k < n; k++, cell += first->ncells) {
			r->missing[i][k] = is_missing(cell, TV_TIME);
			any |= r->missing[i][k];
			if (!r->missing[i][k]
			    && tv_parse_scaled(cell->text, cell->n, 6, &r->number[i][k])
				       != TV_PARSE_OK)
				return 0;
		}
		r->cells[r->time[i].field] = (struct tv_csv_cells){ .number = r->number[i],
								    .missing = any ? r->missing[i]
										   : NULL };
	}
	block.column = r->cells;
	return tv_csv_read_block(r, &block, err);
}

void tv_csv_release_reading(struct tv_csv_reading *r)
{
	tv_free(r->column);
	tv_free(r->time);
	tv_free(r->cells);
	tv_free(r->number);
	tv_free(r->missing);
}

static struct tv_csv_reading begin(struct tv_trace *trace, enum tv_table_id id)
{
	struct tv_table *table = &trace->table[id];

	tv_table_release(table);
	tv_table_init(table, trace->pool);
	if (id == TV_TASKS)
		tv_trace_moved(trace);
	return (struct tv_csv_reading){ .trace = trace, .id = id, .table = table };
}

/* After the last row, or the first failure: rc. */
static int end(struct tv_csv_reading *r, int rc)
{
	if (rc == 0)
		tv_table_finish(r->table);
	tv_csv_release_reading(r);
	return rc;
}

/* Whether the rows of a table are not kept. */
static bool is_passed_on(const struct tv_trace *trace, enum tv_table_id id)
{
	return trace->options.batches != NULL && id != TV_META;
}

static int give_rows(void *in, enum tv_table_id id, const struct tv_csv_taker *to,
		     struct tv_error *err)
{
	(void)id;
	return tv_csv_rows(in, to->row, to->context, err);
}

int tv_csv_read(struct tv_input *in, struct tv_trace *trace, enum tv_table_id id,
		struct tv_error *err)
{
	struct tv_csv_reading r = begin(trace, id);
	bool small = in->codec == NULL && in->size >= 0 && in->size < TV_CSV_SMALL;
	bool passed = is_passed_on(trace, id);
	int rc = passed			    ? tv_csv_read_batches(&r, give_rows, in, err)
	       : tv_threads() > 1 && !small ? tv_csv_read_pieces(&r, in, err)
					    : 0;

	if (rc == 0 && !passed)
		rc = tv_csv_rows(in, tv_csv_read_row, &r, err);
	if (rc == 0 && r.column == NULL)
		rc = tv_fail_at(err, (struct tv_pos){ in->path, 0 },
				"no header line, expected the columns of %s", tv_schema[id].name);
	return end(&r, rc);
}

int tv_csv_read_rows(struct tv_trace *trace, enum tv_table_id id, tv_csv_row_source *rows,
		     void *source, struct tv_error *err)
{
	struct tv_csv_reading r = begin(trace, id);
	const struct tv_csv_taker to = { tv_csv_read_row, tv_csv_read_block, &r };

	return end(&r, is_passed_on(trace, id) ? tv_csv_read_batches(&r, rows, source, err)
					       : rows(source, id, &to, err));
}
