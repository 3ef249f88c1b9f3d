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

/* What is known of the fields once all columns are. */
static void find_fields(struct tv_csv_reading *r)
{
	r->time = tv_alloc(r->ncolumns, sizeof *r->time);
	r->ntimes = 0;
	for (size_t i = 0; i < r->ncolumns; i++)
		if (r->column[i] != NULL && r->column[i]->type == TV_TIME)
			r->time[r->ntimes++].field = i;
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

		if (schema->field[i].required && field_of(r, name) < 0)
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
	struct tv_column *column;

	if (tv_table_find(r->table, name) != NULL) {
		tv_fail_at(err, at, "column '%s' occurs twice in the header", name);
		return NULL;
	}
	column = tv_table_column(r->table, name, field != NULL ? field->type : TV_TEXT, err);
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
	find_fields(r);
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
	case TV_TIME: /* by read_row */
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

static int read_row(void *context, const struct tv_csv_row *row, struct tv_error *err)
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

/* ---- large inputs: pieces of whole rows, read by several threads ---- */

enum { PIECE_MIN = 64 * 1024, PIECE_MAX = 128 * 1024, PIECES = 64, BATCH = 64 };

/* Whole rows of the input, and what they gave; lines count from 1. */
struct piece {
	struct tv_input in;
	struct tv_trace trace;
	size_t bytes;
	uint32_t rows; /* about as many as it has */
	long lines;
	int rc;
	struct tv_error err;
};

struct batch {
	struct piece *piece;
	size_t n;
};

/* Three batches at a time: one is cut out of the input, one is read, one joins the table. They are so large that it
 * does not matter how long threads take to begin. */
struct pieces {
	struct tv_input *in;
	size_t size;	  /* bytes of a piece */
	size_t row_bytes; /* about; first those of the header */
	struct tv_csv_reading *whole;
	struct batch cut, read, joined;
	bool ended;   /* no more to cut */
	long line;    /* lines that have joined */
	size_t bytes; /* ... and their bytes */
	int cut_rc, rc;
	struct tv_error cut_err, *err;
};

static void cut_pieces(struct pieces *p)
{
	while (!p->ended && p->cut.n < BATCH) {
		struct piece *piece = &p->cut.piece[p->cut.n];
		size_t n;
		const char *bytes = tv_input_peek(p->in, p->size, &n, &p->cut_err);

		p->cut_rc = bytes != NULL ? 0 : -1;
		p->ended = bytes == NULL
			|| !tv_csv_take(p->in, bytes, n < p->size ? n : p->size, &piece->in);
		if (p->ended)
			break;
		piece->bytes = piece->in.end;
		piece->rows = (uint32_t)(piece->bytes / p->row_bytes * 9 / 8);
		p->cut.n++;
	}
}

static void read_piece(const struct tv_csv_reading *whole, struct piece *piece)
{
	struct tv_csv_reading r = *whole;

	tv_trace_init_piece(&piece->trace, &whole->trace->options);
	r.trace = &piece->trace;
	r.table = &piece->trace.table[r.id];
	r.column = tv_alloc(r.ncolumns, sizeof *r.column);
	for (size_t i = 0; i < r.ncolumns; i++)
		if (whole->column[i] != NULL)
			r.column[i] = tv_table_column(r.table, whole->column[i]->name,
						      whole->column[i]->type, &piece->err);
	find_fields(&r);
	tv_table_reserve(r.table, piece->rows);
	piece->rc = tv_csv_rows(&piece->in, read_row, &r, &piece->err);
	piece->lines = piece->in.line;
	tv_input_close(&piece->in);
	tv_free(r.column);
	tv_free(r.time);
}

/* What reading the piece in its place would have done. */
static void join_piece(struct pieces *p, struct piece *piece)
{
	struct tv_trace *to = p->whole->trace, *from = &piece->trace;
	uint32_t row = p->whole->table->nrows;

	tv_table_append(p->whole->table, &from->table[p->whole->id]);
	for (size_t i = 0; i < from->nlines; i++)
		tv_trace_read_at(to, row + from->lines[i].row,
				 (struct tv_pos){ from->file, p->line + from->lines[i].line });
	for (size_t i = 0; i < from->diagnostics.n; i++)
		from->diagnostics.at[i].line += p->line;
	tv_trace_take_damage(to, from);
	if (piece->rc < 0) {
		*p->err = piece->err;
		p->err->line += p->line;
		p->rc = -1;
	}
	p->line += piece->lines;
	p->bytes += piece->bytes;
}

static void release_pieces(struct batch *batch)
{
	for (size_t i = 0; i < batch->n; i++) {
		tv_input_close(&batch->piece[i].in);
		tv_trace_release(&batch->piece[i].trace);
	}
	batch->n = 0;
}

static void do_step(void *context, size_t i)
{
	struct pieces *p = context;

	if (i == 0) {
		cut_pieces(p);
	} else if (i > 1) {
		read_piece(p->whole, &p->read.piece[i - 2]);
	} else {
		for (size_t k = 0; k < p->joined.n && p->rc == 0; k++)
			join_piece(p, &p->joined.piece[k]);
		release_pieces(&p->joined);
	}
}

/* Reads the header, if it is the first line, and pieces; a row that does not fit into one is left, with
 * all that follows. */
static int read_pieces(struct tv_csv_reading *r, struct tv_input *in, struct tv_error *err)
{
	struct pieces p = { .in = in, .size = 2 * PIECE_MIN, .whole = r, .err = err };
	struct tv_input header;
	const char *bytes, *end;
	size_t n;

	bytes = tv_input_peek(in, p.size, &n, err);
	end = bytes != NULL ? memchr(bytes, '\n', n) : NULL;
	if (end == NULL || !tv_csv_take(in, bytes, (size_t)(end - bytes) + 1, &header))
		return bytes != NULL ? 0 : -1;
	p.rc = tv_csv_rows(&header, read_row, r, err);
	p.row_bytes = (size_t)(end - bytes) + 1;
	in->line = p.line = header.line;
	tv_input_close(&header);
	if (p.rc < 0 || r->column == NULL)
		return p.rc;
	if (in->codec == NULL && in->size >= 0)
		p.size = in->size < PIECES * PIECE_MIN ? PIECE_MIN
		       : in->size > PIECES * PIECE_MAX ? PIECE_MAX
						       : (size_t)in->size / PIECES;
	p.cut.piece = tv_alloc(BATCH, sizeof *p.cut.piece);
	p.read.piece = tv_alloc(BATCH, sizeof *p.read.piece);
	p.joined.piece = tv_alloc(BATCH, sizeof *p.joined.piece);
	do {
		struct batch empty = p.joined;

		p.joined = p.read;
		p.read = p.cut;
		p.cut = empty;
		tv_parallel(p.read.n > 0 ? 2 + p.read.n : p.joined.n > 0 ? 2 : 1, do_step, &p);
		if (r->table->nrows > 0)
			p.row_bytes = p.bytes / r->table->nrows + 1;
	} while (p.rc == 0 && p.cut.n + p.read.n > 0);
	in->line = p.line;
	release_pieces(&p.cut);
	release_pieces(&p.read);
	tv_free(p.cut.piece);
	tv_free(p.read.piece);
	tv_free(p.joined.piece);
	if (p.rc == 0 && p.cut_rc < 0) {
		*err = p.cut_err;
		return -1;
	}
	return p.rc;
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
	tv_free(r->column);
	tv_free(r->time);
	return rc;
}

int tv_csv_read(struct tv_input *in, struct tv_trace *trace, enum tv_table_id id,
		struct tv_error *err)
{
	struct tv_csv_reading r = begin(trace, id);
	bool small = in->codec == NULL && in->size >= 0 && in->size < 4 * PIECE_MIN;
	int rc = tv_threads() > 1 && !small ? read_pieces(&r, in, err) : 0;

	if (rc == 0)
		rc = tv_csv_rows(in, read_row, &r, err);
	if (rc == 0 && r.column == NULL)
		rc = tv_fail_at(err, (struct tv_pos){ in->path, 0 },
				"no header line, expected the columns of %s", tv_schema[id].name);
	return end(&r, rc);
}

int tv_csv_read_rows(struct tv_trace *trace, enum tv_table_id id, tv_csv_row_source *rows,
		     void *source, struct tv_error *err)
{
	struct tv_csv_reading r = begin(trace, id);
	const struct tv_csv_taker to = { read_row, tv_csv_read_block, &r };

	return end(&r, rows(source, id, &to, err));
}
