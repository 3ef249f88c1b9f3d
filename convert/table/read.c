/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read.c -- a table of text, or a Parquet file, as tasks, by --map. */
#include <math.h>
#include <string.h>

#include "convert/foreign.h"
#include "convert/formats.h"
#include "convert/parquet/parquet.h"
#include "convert/table/table.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/number.h"
#include "trace/units.h"

struct reading {
	struct tv_trace *trace;
	struct tv_input *in;
	struct tv_parquet *parquet; /* NULL: in is text */
	struct tv_cells *row;
	struct tv_map_of_table map;
	char **name; /* of the columns of the table */
	bool *used;  /* by the map */
	size_t n;
	struct tv_pos header;
	int64_t begin, end;	 /* of all tasks, ns */
	uint64_t rows, reversed; /* of the file; those whose End is before their Start */
};

/* A number with a comma for the point, where the comma does not separate. In room for 64 bytes. */
static struct tv_cell_text with_point(const struct tv_cells *row, struct tv_cell_text cell,
				      char room[64])
{
	char *comma;

	if (row->separator == ',' && !cell.quoted)
		return cell;
	if (cell.n >= 64 || memchr(cell.s, '.', cell.n) != NULL
	    || memchr(cell.s, ',', cell.n) == NULL)
		return cell;
	memcpy(room, cell.s, cell.n + 1);
	comma = memchr(room, ',', cell.n);
	*comma = '.';
	return (struct tv_cell_text){ room, cell.n, cell.quoted, false };
}

static double operand(const void *context, uint32_t column)
{
	const struct tv_cells *row = context;
	char room[64];
	struct tv_cell_text cell = with_point(row, row->cell[column], room);
	double value;

	return column < row->n && tv_parse_double(cell.s, cell.n, &value) == TV_PARSE_OK ? value
											 : NAN;
}

/* JobIds with blanks, commas, semicolons or bars between them, as words. */
static void set_words(struct tv_column *column, uint32_t row, const char *s, size_t n)
{
	char *words = tv_strndup(s, n);

	for (char *c = words; *c != '\0'; c++)
		*c = strchr(",;|", *c) != NULL ? ' ' : *c;
	tv_set_words(column, row, words, strlen(words));
	tv_free(words);
}

static void set_cell(struct reading *r, struct tv_column *column, uint32_t row,
		     struct tv_cell_text cell, int scale)
{
	char room[64];

	if (cell.n == 0 && !cell.quoted)
		return;
	if (column->type == TV_TIME || column->type == TV_INT || column->type == TV_DOUBLE)
		cell = with_point(r->row, cell, room);
	if (column->type == TV_LIST)
		set_words(column, row, cell.s, cell.n);
	else
		tv_convert_cell(r->trace, r->row->at, column, row, cell.s, cell.n, scale);
}

static void set_value(struct tv_column *column, uint32_t row, double value)
{
	char text[TV_NUMBER_MAX];

	if (isnan(value) || fabs(value) > 4e12)
		return;
	if (column->type == TV_TIME)
		tv_set_int(column, row, llround(value * 1e6));
	else if (column->type == TV_INT)
		tv_set_int(column, row, llround(value));
	else if (column->type == TV_DOUBLE)
		tv_set_double(column, row, value);
	else if (column->type != TV_LIST)
		tv_set_string(column, row, text, tv_write_double(text, value));
}

/* Whether each part of a list is one of its own: there are only blanks between columns. */
static bool is_list_of_columns(const struct tv_mapping *mapping, const struct tv_column *column)
{
	for (size_t i = 0; i < mapping->nparts; i++) {
		const char *text = mapping->part[i].text;

		if (i % 2 == 0 ? text != NULL
			       : text == NULL || text[0] == '\0' || text[strspn(text, " ")] != '\0')
			return false;
	}
	return column->type == TV_LIST;
}

/* Parts one after another; where a cell of them is empty, nothing, but of a list of columns the others. */
static void set_joined(struct reading *r, const struct tv_mapping *mapping,
		       struct tv_column *column, uint32_t row)
{
	char *text = NULL;
	bool missing = false;

	for (size_t i = 0; i < mapping->nparts; i++) {
		const struct tv_map_part *part = &mapping->part[i];
		const struct tv_cell_text *cell = &r->row->cell[part->from];

		tv_append(&text, "%s", part->text != NULL ? part->text : cell->s);
		missing = missing || (part->text == NULL && cell->n == 0);
	}
	if (!missing || is_list_of_columns(mapping, column))
		set_cell(r, column, row, (struct tv_cell_text){ text, strlen(text), true, false },
			 6);
	tv_free(text);
}

static void set_mapped(struct reading *r, const struct tv_mapping *mapping, uint32_t row)
{
	struct tv_column *column = tv_trace_column(r->trace, TV_TASKS, mapping->column);

	if (mapping->expression != NULL)
		set_value(column, row, tv_arithmetic_value(mapping->expression, operand, r->row));
	else if (mapping->nparts > 0)
		set_joined(r, mapping, column, row);
	else
		set_cell(r, column, row, r->row->cell[mapping->from], mapping->scale);
}

/* A time of the row; false if there is none. */
static bool time_of(const struct reading *r, const char *column, int64_t *ns)
{
	const struct tv_mapping *mapping = tv_map_find(&r->map, column);
	struct tv_cell_text cell;
	char room[64];

	if (mapping == NULL || mapping->nparts > 0)
		return false;
	if (mapping->expression != NULL) {
		double ms = tv_arithmetic_value(mapping->expression, operand, r->row);

		*ns = isnan(ms) || fabs(ms) > 4e12 ? 0 : llround(ms * 1e6);
		return !isnan(ms) && fabs(ms) <= 4e12;
	}
	cell = with_point(r->row, r->row->cell[mapping->from], room);
	return tv_convert_time(cell.s, cell.n, mapping->scale, ns);
}

/* Start and End of the row; false, counted, if they are none. */
static bool find_times(struct reading *r, int64_t *start, int64_t *end)
{
	bool found = time_of(r, "Start", start);

	if (tv_map_find(&r->map, "End") != NULL)
		found = time_of(r, "End", end) && found;
	else
		found = time_of(r, "Duration", end) && found
		     && !__builtin_add_overflow(*start, *end, end);
	if (found && *end >= *start)
		return true;
	r->reversed += found;
	tv_damaged(r->trace, TV_DROPPED, "no times", r->row->at,
		   "Start and End of a row are missing, no numbers, or the wrong way round");
	return false;
}

/* The first column of times whose unit is assumed; NULL = there is none. */
static const struct tv_mapping *assumed(const struct reading *r)
{
	for (size_t i = 0; i < r->map.n; i++)
		if (r->map.at[i].assumed && tv_map_is_time(r->map.at[i].column))
			return &r->map.at[i];
	return NULL;
}

/* By the first row: a Start since 1970 shows the unit. */
static void assume_unit(struct reading *r)
{
	const struct tv_mapping *start = tv_map_find(&r->map, "Start");
	int scale = start != NULL && start->assumed ? tv_map_epoch(r->row, start->from) : -1;

	for (size_t i = 0; i < r->map.n && scale >= 0; i++)
		if (r->map.at[i].assumed)
			r->map.at[i].scale = scale;
}

/* Says which unit is assumed, and what that means. */
static void note_unit(const struct reading *r)
{
	const struct tv_mapping *mapping = assumed(r);
	int64_t length;
	char took[32], longer[32] = "";
	const char *name;

	if (mapping == NULL || r->end < r->begin
	    || __builtin_sub_overflow(r->end, r->begin, &length))
		return;
	name = r->name[mapping->from];
	name += strncmp(name, "Table.", 6) == 0 ? 6 : 0;
	tv_time_text(took, sizeof took, length,
		     tv_unit_for(2 * (length < INT64_MAX / 2 ? length : 0)));
	if (mapping->scale != 6) {
		tv_diagnose(
			&r->trace->diagnostics, TV_NOTE, r->header,
			"the header has no unit of '%s': %s is assumed, as its first one is "
			"then of the years 2002 to 2096, so that the tasks take %s; another unit: "
			"--time-unit",
			name,
			mapping->scale == 9   ? "s"
			: mapping->scale == 3 ? "us"
					      : "ns",
			took);
		return;
	}
	if (length < INT64_MAX / 2000)
		tv_time_text(longer, sizeof longer, 1000 * length, tv_unit_for(2000 * length));
	tv_diagnose(&r->trace->diagnostics, TV_NOTE, r->header,
		    "the header has no unit of '%s': ms is assumed, so that the tasks take %s; if "
		    "it is s%s%s: --time-unit s (or us, ns)",
		    name, took, longer[0] != '\0' ? ", and they take " : "", longer);
}

static void add_row(struct reading *r)
{
	bool times = tv_map_find(&r->map, "Start") != NULL;
	int64_t start = 0, end = 0;
	uint32_t row;

	if (r->rows++ == 0)
		assume_unit(r);
	if (times && !find_times(r, &start, &end))
		return;
	row = tv_table_add_row(&r->trace->table[TV_TASKS]);
	for (size_t i = 0; i < r->map.n; i++)
		if (!tv_map_is_time(r->map.at[i].column))
			set_mapped(r, &r->map.at[i], row);
	for (size_t i = 0; i < r->n; i++)
		if (!r->used[i])
			set_cell(r, tv_trace_column(r->trace, TV_TASKS, r->name[i]), row,
				 r->row->cell[i], 6);
	if (times) {
		r->begin = start < r->begin ? start : r->begin;
		r->end = end > r->end ? end : r->end;
		tv_set_int(tv_trace_column(r->trace, TV_TASKS, "Start"), row, start);
		tv_set_int(tv_trace_column(r->trace, TV_TASKS, "End"), row, end);
	} else {
		tv_set_text(tv_trace_column(r->trace, TV_TASKS, "Flag"), row, TV_PLANNED);
	}
}

/* Copies of texts as the cells of the row. */
static void set_cells(struct tv_cells *row, const struct tv_csv_cell *cell, size_t n)
{
	size_t at = 0;

	row->n = n < TV_CELLS_MAX ? n : TV_CELLS_MAX;
	row->size = 0;
	for (size_t i = 0; i < row->n; i++)
		row->size += cell[i].n + 1;
	TV_GROW(row->text, 0, row->cap, row->size);
	for (size_t i = 0; i < row->n; i++) {
		bool quoted = cell[i].n == 0 && !cell[i].missing;

		memcpy(row->text + at, cell[i].text, cell[i].n);
		row->text[at + cell[i].n] = '\0';
		row->cell[i] = (struct tv_cell_text){ row->text + at, cell[i].n, quoted, false };
		at += cell[i].n + 1;
	}
}

/* The names of the columns of a Parquet file. */
static void set_names(const struct reading *r)
{
	size_t n = tv_parquet_ncolumns(r->parquet);
	struct tv_csv_cell *name = tv_alloc(n, sizeof *name);

	for (size_t i = 0; i < n; i++) {
		const char *text = tv_parquet_column(r->parquet, i)->name;

		name[i] = (struct tv_csv_cell){ text, strlen(text), false, false };
	}
	set_cells(r->row, name, n);
	for (size_t i = 0; i < r->row->n; i++) {
		r->row->cell[i].ms = tv_parquet_column(r->parquet, i)->ms;
		r->row->cell[i].quoted = true; /* a name, even if it is a number */
	}
	tv_free(name);
}

static int next_row(const struct reading *r, struct tv_error *err)
{
	const struct tv_csv_cell *cell;
	int rc;

	if (r->parquet == NULL)
		return tv_cells_next(r->row, r->in, err);
	rc = tv_parquet_next(r->parquet, &cell, &r->row->at, err);
	if (rc > 0)
		set_cells(r->row, cell, tv_parquet_ncolumns(r->parquet));
	return rc;
}

static int read_header(struct reading *r, struct tv_error *err)
{
	const struct tv_cells *row = r->row;
	int rc = 1;

	if (r->parquet != NULL)
		set_names(r);
	else
		rc = next_row(r, err);
	if (rc <= 0)
		return rc < 0 ? rc
			      : tv_fail_at(err, tv_here(r->in),
					   "no header, expected names of columns");
	if (tv_map_parse(&r->map, r->trace->options.map, r->trace->options.time_unit, row, err) < 0)
		return -1;
	r->header = row->at;
	r->begin = INT64_MAX;
	r->end = INT64_MIN;
	r->n = row->n;
	r->name = tv_alloc(r->n, sizeof *r->name);
	r->used = tv_alloc(r->n, sizeof *r->used);
	for (size_t i = 0; i < r->n; i++)
		r->name[i] = tv_schema_field(TV_TASKS, row->cell[i].s) != NULL
				   ? tv_format("Table.%s", row->cell[i].s)
				   : tv_strdup(row->cell[i].s);
	for (size_t i = 0; i < r->map.n; i++) {
		const struct tv_mapping *mapping = &r->map.at[i];

		if (mapping->expression == NULL && mapping->nparts == 0)
			r->used[mapping->from] = true;
	}
	for (size_t k = 0; k < r->n; k++) /* without name, or twice */
		for (size_t i = 0; i <= k; i++)
			r->used[k] = r->used[k] || r->name[k][0] == '\0'
				  || (i < k && strcmp(r->name[i], r->name[k]) == 0);
	return 0;
}

static int read_rows(struct reading *r, struct tv_error *err)
{
	const struct tv_cells *row = r->row;
	int rc;

	while ((rc = next_row(r, err)) > 0) {
		if (row->n == r->n)
			add_row(r);
		else
			tv_damaged(r->trace, TV_DROPPED, "row with another number of cells",
				   row->at, "%zu cells, expected %zu as in the header", row->n,
				   r->n);
	}
	if (rc == 0)
		note_unit(r);
	return rc;
}

/* Where a name of a resource occurs on several nodes, it is not one of these alone: all get their node before it, NODE_NAME. */
static void name_by_node(struct tv_trace *trace)
{
	const struct tv_table *table = &trace->table[TV_TASKS];
	struct tv_column *resource = tv_table_find(table, "ResourceId"),
			 *node = tv_table_find(table, "Node");
	struct tv_column *type = tv_table_find(table, "ResourceType");
	struct tv_index seen = { 0 };
	bool shared = false, typed = type != NULL;

	if (resource == NULL || node == NULL)
		return;
	for (uint32_t row = 0; row < table->nrows; row++) {
		uint32_t name = tv_label(resource, row), of = tv_label(node, row);

		if (name == TV_NONE || of == TV_NONE)
			continue;
		shared = shared
		      || (tv_index_get(&seen, name) != TV_NONE && tv_index_get(&seen, name) != of);
		tv_index_set(&seen, name, of);
	}
	for (uint32_t row = 0; row < table->nrows && shared; row++) {
		uint32_t name = tv_label(resource, row), of = tv_label(node, row);
		struct tv_resource_words words;
		char *both;

		if (name == TV_NONE || of == TV_NONE)
			continue;
		both = tv_format("%s_%s", tv_pool_text(trace->pool, of),
				 tv_pool_text(trace->pool, name));
		words = tv_resource_words(tv_pool_text(trace->pool, name));
		tv_set_text(resource, row, both);
		if (!typed)
			tv_set_string(tv_trace_column(trace, TV_TASKS, "ResourceType"), row,
				      words.type, words.type_length);
		tv_free(both);
	}
	tv_free(seen.at);
}

static int read_table(void *state, struct tv_input *in, struct tv_error *err)
{
	struct reading r = { .trace = state, .in = in };
	const char *head, *foreign;
	size_t n;
	int rc;

	if (r.trace->options.map == NULL)
		return tv_fail_usage(err,
				     "--format table needs --map, which says what its columns are");
	head = tv_input_peek(in, TV_PROBE_BYTES, &n, err);
	if (head == NULL)
		return -1;
	if (tv_is_parquet(head, n)) {
		r.parquet = tv_parquet_open(in, r.trace, err);
		if (r.parquet == NULL || tv_parquet_check_memory(r.parquet, 0, 0, err) < 0) {
			tv_parquet_close(r.parquet);
			return -1;
		}
	} else if ((foreign = tv_foreign(head, n)) != NULL)
		return tv_fail_at(err, (struct tv_pos){ in->path, 0 }, "%s", foreign);
	r.row = tv_alloc(1, sizeof *r.row);
	r.row->separator = r.parquet != NULL ? ',' : tv_cells_separator(head, n);
	rc = read_header(&r, err);
	if (rc == 0)
		rc = read_rows(&r, err);
	if (rc == 0 && r.trace->table[TV_TASKS].nrows == 0)
		rc = tv_fail_at(err, (struct tv_pos){ in->path, 0 },
				r.rows == 0 ? "the table has no rows"
				: r.reversed == r.rows
					? "in all rows End is before Start, expected the other way "
					  "round: exchange them in --map"
					: "no row has a Start and an End that are times");
	if (rc == 0) {
		tv_table_finish(&r.trace->table[TV_TASKS]);
		name_by_node(r.trace);
	}
	for (size_t i = 0; i < r.n; i++)
		tv_free(r.name[i]);
	tv_free(r.name);
	tv_free(r.used);
	tv_map_of_table_release(&r.map);
	tv_cells_release(r.row);
	tv_free(r.row);
	tv_parquet_close(r.parquet);
	return rc;
}

/* Only --map chooses it: nothing in a table says what its columns are. */
static int probe(const char *head, size_t n)
{
	(void)head;
	(void)n;
	return 0;
}

const struct tv_reader tv_table_reader = {
	.name = "table",
	.summary = "any table, with --map: names of columns, separators, units by its header",
	.brings = TV_BRINGS_TASKS,
	.probe = probe,
	.read = read_table,
	.memory = 8,
};
