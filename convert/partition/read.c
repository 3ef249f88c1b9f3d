/* SPDX-License-Identifier: GPL-3.0-or-later */
/* read.c -- tables that are in parts: all parts that meta lists, as one table in the order of the input. */
#include <dirent.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "convert/formats.h"
#include "convert/parquet/parquet.h"
#include "convert/partition/partition.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"

char *tv_folder_other(const char *folder, bool (*known)(const void *context, const char *name),
		      const void *context)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	char *other = NULL;

	while (dir != NULL && (entry = readdir(dir)) != NULL)
		if (entry->d_name[0] != '.' && (known == NULL || !known(context, entry->d_name))
		    && (other == NULL || strcmp(entry->d_name, other) < 0)) {
			tv_free(other);
			other = tv_strdup(entry->d_name);
		}
	if (dir != NULL)
		closedir(dir);
	return other;
}

static bool is_no_part(const void *context, const char *name)
{
	(void)context;
	return strchr(name, '=') == NULL && strstr(name, ".parquet") == NULL;
}

bool tv_partition_has(const char *folder, enum tv_table_id id)
{
	char *path = tv_format("%s/%s", folder, tv_schema[id].name),
	     *part = tv_folder_other(path, is_no_part, NULL);
	bool has = part != NULL;

	tv_free(path);
	tv_free(part);
	return has;
}

/* ---- what meta lists ---- */

/* The table that a text names up to an end or '/'; *rest: what follows. */
static enum tv_table_id table_named(const char *text, const char **rest)
{
	for (int id = 0; id < TV_NTABLES; id++) {
		size_t n = strlen(tv_schema[id].name);

		*rest = text + n;
		if (strncmp(text, tv_schema[id].name, n) == 0 && (**rest == '\0' || **rest == '/'))
			return (enum tv_table_id)id;
	}
	return TV_NTABLES;
}

/* 1: a row of meta that lists something; 0: another row; -1: one that makes no sense. */
static int take_row(struct tv_partitions *p, const char *key, const char *value, size_t n)
{
	const size_t nrows = strlen(TV_PARTITION_ROWS), nplace = strlen(TV_PARTITION_PLACE);
	bool place = strncmp(key, TV_PARTITION_PLACE, nplace) == 0;
	enum tv_table_id id;
	const char *rest;
	int64_t number;

	if (!place && strncmp(key, TV_PARTITION_ROWS, nrows) != 0)
		return 0;
	id = table_named(key + (place ? nplace : nrows), &rest);
	if (id == TV_NTABLES || tv_parse_int(value, n, &number) != TV_PARSE_OK || number < 0
	    || number > TV_ROWS_MAX || (place && *rest != '\0'))
		return -1;
	if (place) {
		p->place[id] = (size_t)number;
		return 1;
	}
	/* It is the name of a folder in that of the table. */
	if (*rest == '/' && (strncmp(rest + 1, "Node=", 5) != 0 || strchr(rest + 1, '/') != NULL))
		return -1;
	TV_GROW(p->at, p->n, p->cap, 1);
	p->at[p->n++] = (struct tv_partition){ id, *rest == '/' ? tv_strdup(rest + 1) : NULL,
					       number };
	return 1;
}

int tv_partitions_take(struct tv_partitions *p, struct tv_trace *trace, const char *folder,
		       struct tv_error *err)
{
	struct tv_table *meta = &trace->table[TV_META], rest;
	const struct tv_column *key = tv_table_find(meta, "Key"),
			       *value = tv_table_find(meta, "Value");
	uint32_t *row = tv_alloc(meta->nrows, sizeof *row), n = 0;
	int rc = 0;

	*p = (struct tv_partitions){ 0 };
	for (int id = 0; id < TV_NTABLES; id++)
		p->place[id] = SIZE_MAX;
	for (uint32_t i = 0; rc >= 0 && key != NULL && value != NULL && i < meta->nrows; i++) {
		size_t length;
		const char *text = tv_string(key, i, &length), *s = tv_string(value, i, &length);

		rc = take_row(p, text, s, length);
		if (rc == 0)
			row[n++] = i;
		else if (rc < 0)
			tv_fail_at(
				err, (struct tv_pos){ folder, 0 },
				"meta: %.100s is '%.*s', expected the number of rows of a part or "
				"the place of a column",
				text, length < 100 ? (int)length : 100, s);
	}
	if (rc >= 0 && p->n > 0) {
		tv_table_take(meta, row, n, &rest);
		tv_table_replace(meta, &rest);
	}
	if (rc >= 0 && p->n > 0 && n == 0) {
		tv_table_release(meta);
		tv_table_init(meta, trace->pool);
	}
	tv_free(row);
	return rc < 0 ? -1 : 0;
}

void tv_partitions_release(struct tv_partitions *p)
{
	for (size_t i = 0; i < p->n; i++)
		tv_free(p->at[i].name);
	tv_free(p->at);
}

/* ---- rows ---- */

enum { NONE = -1 };

/* A table that is read: its header is that of the first part, its rows are those of all. */
struct reading {
	const struct tv_partitions *p;
	const char *folder;
	struct tv_trace *trace;
	enum tv_table_id id;
	size_t total; /* rows listed */
	char *header;
	bool begun;
	/* of the part that is read */
	const struct tv_partition *part;
	char *node;
	struct tv_csv_cell of_node;
	long row_at, uses_at; /* fields; uses_at may be NONE */
	bool in_part;	      /* behind its header */
	/* where cells go */
	const struct tv_csv_taker *to;
	struct tv_csv_cell *cell;
	int64_t *place; /* in the input, of each row of the table */
	size_t nplaces, places_cap, cells_cap;
};

static long field_named(const struct tv_csv_row *line, const char *name)
{
	for (size_t i = 0; i < line->ncells; i++)
		if (line->cell[i].n == strlen(name)
		    && memcmp(line->cell[i].text, name, strlen(name)) == 0)
			return (long)i;
	return NONE;
}

/* Gives a line without the columns of parts, with the cell of Node. */
static int give(struct reading *r, const struct tv_csv_row *line, struct tv_csv_cell node,
		struct tv_error *err)
{
	struct tv_csv_row whole = { .at = line->at };
	size_t at = r->p->place[r->id];

	TV_GROW(r->cell, 0, r->cells_cap, line->ncells + 1);
	for (size_t i = 0; i <= line->ncells; i++) {
		if (whole.ncells == at)
			r->cell[whole.ncells++] = node;
		if (i < line->ncells && (long)i != r->row_at && (long)i != r->uses_at)
			r->cell[whole.ncells++] = line->cell[i];
	}
	whole.cell = r->cell;
	return r->to->row(r->to->context, &whole, err);
}

static int take_header(struct reading *r, const struct tv_csv_row *line, struct tv_error *err)
{
	const struct tv_csv_cell node = { "Node", 4, false };

	r->in_part = true;
	r->row_at = field_named(line, TV_PARTITION_ROW);
	r->uses_at = r->id == TV_TASKS ? field_named(line, TV_PARTITION_USES) : NONE;
	if (r->row_at == NONE)
		return tv_fail_at(err, line->at,
				  "no column " TV_PARTITION_ROW
				  ", expected a part that convert --partition wrote");
	if (r->p->place[r->id] != SIZE_MAX && r->p->place[r->id] > line->ncells - 1)
		return tv_fail_at(err, line->at,
				  "%zu columns, expected the %zu before Node that meta lists",
				  line->ncells, r->p->place[r->id]);
	if (r->begun)
		return 0;
	r->begun = true;
	return give(r, line, node, err);
}

static int take_line(void *context, const struct tv_csv_row *line, struct tv_error *err)
{
	struct reading *r = context;
	const struct tv_table *table = &r->trace->table[r->id];
	const struct tv_csv_cell *cell;
	int64_t place;
	uint32_t before;

	if (!r->in_part)
		return take_header(r, line, err);
	cell = &line->cell[r->row_at];
	if (cell->missing || tv_parse_int(cell->text, cell->n, &place) != TV_PARSE_OK || place < 0
	    || (uint64_t)place >= r->total)
		return tv_fail_at(err, line->at,
				  TV_PARTITION_ROW
				  " is '%.*s', expected a number below %zu, the rows "
				  "of the table",
				  cell->n < 100 ? (int)cell->n : 100, cell->text, r->total);
	before = table->nrows;
	if (give(r, line, r->of_node, err) < 0)
		return -1;
	if (table->nrows == before)
		return 0; /* dropped */
	TV_GROW(r->place, r->nplaces, r->places_cap, 1);
	r->place[r->nplaces++] = place;
	return 0;
}

/* ---- parts ---- */

static int64_t hex(char c)
{
	const char *digits = "0123456789ABCDEF", *at = c != '\0' ? strchr(digits, c) : NULL;

	return at != NULL ? at - digits : -1;
}

/* The node that the name of a part says. */
static void set_node(struct reading *r)
{
	const char *s = r->part->name + strlen("Node=");
	size_t n = 0;

	r->node = tv_strdup(s);
	for (; *s != '\0'; n++) {
		bool coded = *s == '%' && hex(s[1]) >= 0 && hex(s[2]) >= 0;

		r->node[n] = coded ? (char)(hex(s[1]) * 16 + hex(s[2])) : *s;
		s += coded ? 3 : 1;
	}
	r->of_node = (struct tv_csv_cell){ r->node, n,
					   strcmp(r->part->name, "Node=" TV_PARTITION_NONE) == 0 };
}

/* All parts have the columns of the first. */
static int check_header(struct reading *r, const struct tv_parquet *parquet, const char *path,
			struct tv_error *err)
{
	char *header = tv_parquet_header(parquet);
	int rc = 0;

	if (r->header == NULL)
		r->header = header;
	else if (strcmp(header, r->header) != 0)
		rc = tv_fail_at(
			err, (struct tv_pos){ path, 0 },
			"the columns are not those of the other parts of the table, expected "
			"the same");
	if (r->header != header)
		tv_free(header);
	return rc;
}

static int read_open(struct reading *r, struct tv_input *in, struct tv_error *err)
{
	struct tv_parquet *parquet = tv_parquet_open(in, r->trace, err);
	const struct tv_csv_taker to = { take_line, NULL, r };
	int rc = parquet != NULL ? check_header(r, parquet, in->path, err) : -1;

	if (rc == 0 && tv_parquet_nrows(parquet) != r->part->rows)
		rc = tv_fail_at(err, (struct tv_pos){ in->path, 0 },
				"%" PRId64 " rows, expected the %" PRId64 " that meta lists",
				tv_parquet_nrows(parquet), r->part->rows);
	r->in_part = false;
	set_node(r);
	if (rc == 0)
		rc = tv_parquet_csv(parquet, r->id, &to, err);
	tv_free(r->node);
	tv_parquet_close(parquet);
	return rc;
}

static bool is_file_of_part(const void *context, const char *name)
{
	(void)context;
	return strcmp(name, TV_PARTITION_FILE) == 0;
}

static int read_part(struct reading *r, struct tv_error *err)
{
	char *folder = tv_format("%s/%s/%s", r->folder, tv_schema[r->id].name, r->part->name),
	     *path = tv_format("%s/" TV_PARTITION_FILE, folder),
	     *other = tv_folder_other(folder, is_file_of_part, NULL);
	struct tv_input in;
	struct stat st;
	int rc;

	if (stat(path, &st) < 0)
		rc = tv_fail_at(
			err, (struct tv_pos){ path, 0 },
			"no such part, which meta lists: the folder is not complete, expected "
			"the parts of all ranks");
	else if (!S_ISREG(st.st_mode))
		rc = tv_fail_at(err, (struct tv_pos){ path, 0 }, "not a regular file");
	else if (other != NULL)
		rc = tv_fail_at(err, (struct tv_pos){ folder, 0 },
				"the part has a file '%s', expected " TV_PARTITION_FILE " alone",
				other);
	else
		rc = tv_input_open(&in, path, err);
	if (rc == 0) {
		rc = read_open(r, &in, err);
		tv_input_close(&in);
	}
	tv_free(folder);
	tv_free(path);
	tv_free(other);
	return rc;
}

static int read_parts(void *reading, enum tv_table_id id, const struct tv_csv_taker *to,
		      struct tv_error *err)
{
	struct reading *r = reading;
	int rc = 0;

	r->to = to;
	for (size_t i = 0; rc == 0 && i < r->p->n; i++) {
		r->part = &r->p->at[i];
		if (r->part->id == id && r->part->name != NULL)
			rc = read_part(r, err);
	}
	return rc;
}

/* ---- tables ---- */

static bool is_listed(const void *reading, const char *name)
{
	const struct reading *r = reading;

	for (size_t i = 0; i < r->p->n; i++)
		if (r->p->at[i].id == r->id && r->p->at[i].name != NULL
		    && strcmp(r->p->at[i].name, name) == 0)
			return true;
	return false;
}

/* Puts the rows in the order of the input, of which each place is there once. */
static int order_rows(const struct reading *r, struct tv_error *err)
{
	uint32_t n = (uint32_t)r->nplaces, *row = tv_alloc(n, sizeof *row);
	int rc = 0;

	for (uint32_t i = 0; i < n; i++)
		row[i] = i;
	tv_sort_rows_by_time(row, n, r->place);
	for (uint32_t i = 1; rc == 0 && i < n; i++)
		if (r->place[row[i]] == r->place[row[i - 1]])
			rc = tv_fail_at(err, (struct tv_pos){ r->folder, 0 },
					"%s: " TV_PARTITION_ROW " %" PRId64
					" is there twice, expected once",
					tv_schema[r->id].name, r->place[row[i]]);
	if (rc == 0)
		tv_table_sort(&r->trace->table[r->id], row);
	tv_sort_by_time(r->place, n, sizeof *r->place, 0, NULL);
	if (r->id == TV_TASKS)
		tv_trace_moved(r->trace);
	tv_free(row);
	return rc;
}

int tv_partitions_read(const struct tv_partitions *p, const char *folder, struct tv_trace *trace,
		       enum tv_table_id id, struct tv_error *err)
{
	struct reading r = { .p = p, .folder = folder, .trace = trace, .id = id };
	char *path = tv_format("%s/%s", folder, tv_schema[id].name), *other;
	bool parted = false;
	int rc = 0;

	for (size_t i = 0; i < p->n; i++)
		if (p->at[i].id == id && p->at[i].name != NULL) {
			parted = true;
			r.total += (size_t)p->at[i].rows;
		}
	other = parted || tv_partition_has(folder, id) ? tv_folder_other(path, is_listed, &r)
						       : NULL;
	if (other != NULL)
		rc = tv_fail_at(err, (struct tv_pos){ path, 0 },
				"'%s' is no part that meta.parquet lists, expected parts of one "
				"'convert --partition', or one file %s.parquet",
				other, tv_schema[id].name);
	else if (parted && trace->options.batches != NULL)
		rc = tv_fail_at(err, (struct tv_pos){ path, 0 },
				"its parts do not have the rows in the order of the input");
	if (rc == 0 && parted)
		rc = tv_csv_read_rows(trace, id, read_parts, &r, err);
	if (rc == 0 && parted)
		rc = order_rows(&r, err);
	if (rc == 0 && parted)
		tv_trace_keep_part(trace, id, r.place);
	tv_free(path);
	tv_free(other);
	tv_free(r.header);
	tv_free(r.cell);
	tv_free(r.place);
	return rc == 0 ? parted : -1;
}

int tv_partitions_check(const struct tv_partitions *p, const char *folder,
			const struct tv_trace *trace, struct tv_error *err)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->at[i].name == NULL && p->at[i].rows > 0
		    && (trace->options.part == NULL
			|| (trace->options.part->left >> p->at[i].id & 1) == 0)
		    && trace->table[p->at[i].id].ncols == 0)
			return tv_fail_at(
				err, (struct tv_pos){ folder, 0 },
				"no %s.parquet, which meta lists: the folder is not complete",
				tv_schema[p->at[i].id].name);
	return 0;
}
