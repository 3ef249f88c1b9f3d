/* SPDX-License-Identifier: GPL-3.0-or-later */
/* footer.c -- what the end of a Parquet file says: columns and their types, groups of rows, where their bytes are. */
#include "convert/parquet/parquet.h"
#include "convert/parquet/thrift.h"
#include "trace/alloc.h"
#include "trace/digits.h"

enum { COLUMNS_MAX = 4096, DEPTH_MAX = 16, DIGITS_MAX = 38 };

enum repetition { REQUIRED, OPTIONAL, REPEATED };

/* ConvertedType and the union LogicalType, whose numbers differ. */
enum {
	CONVERTED_LIST = 3,
	CONVERTED_DECIMAL = 5,
	CONVERTED_DATE = 6,
	CONVERTED_TIME_MS = 7,
	CONVERTED_TIMESTAMP_US = 10,
	CONVERTED_UINT_8 = 11,
	CONVERTED_UINT_64 = 14,
	CONVERTED_BSON = 20,
	CONVERTED_INTERVAL = 21
};
enum {
	LOGICAL_LIST = 3,
	LOGICAL_DECIMAL = 5,
	LOGICAL_DATE = 6,
	LOGICAL_TIME = 7,
	LOGICAL_TIMESTAMP = 8,
	LOGICAL_INTEGER = 10,
	LOGICAL_BSON = 13,
	LOGICAL_UUID = 14,
	LOGICAL_FLOAT16 = 15
};

/* A node of the schema: a group or a column. */
struct element {
	int64_t type, length, repetition, children, converted, scale;
	int64_t logical, unit, is_signed; /* unit: 1 ms, 2 us, 3 ns */
	struct tv_thrift_text name;
};

struct parsing {
	struct tv_parquet_footer *f;
	struct tv_thrift t;
	struct tv_pos at;
	struct tv_error *err;
	int64_t end; /* of the pages */
	struct element *element;
	size_t nelements;
};

static int damaged(const struct parsing *p, const char *what)
{
	return tv_fail_at(p->err, p->at, "a damaged Parquet file: %s", what);
}

/* ---- schema ---- */

/* The number of the only field of a union of empty structs. */
static int64_t parse_unit(struct tv_thrift *t, int type)
{
	struct tv_thrift_field field = { 0 };
	int64_t unit = 0;

	tv_thrift_struct(t, type);
	while (tv_thrift_next(t, &field)) {
		unit = field.id;
		tv_thrift_skip(t, field.type);
	}
	return unit;
}

/* The parameters of a logical type. */
static void parse_parameters(struct tv_thrift *t, struct element *e)
{
	struct tv_thrift_field field = { 0 };
	bool time = e->logical == LOGICAL_TIME || e->logical == LOGICAL_TIMESTAMP;

	while (tv_thrift_next(t, &field))
		if (e->logical == LOGICAL_DECIMAL && field.id == 1)
			e->scale = tv_thrift_int(t, field.type);
		else if (time && field.id == 2)
			e->unit = parse_unit(t, field.type);
		else if (e->logical == LOGICAL_INTEGER && field.id == 2)
			e->is_signed = tv_thrift_int(t, field.type);
		else
			tv_thrift_skip(t, field.type);
}

static void parse_logical(struct tv_thrift *t, struct element *e)
{
	struct tv_thrift_field field = { 0 };

	while (tv_thrift_next(t, &field)) {
		e->logical = field.id;
		if (tv_thrift_struct(t, field.type))
			parse_parameters(t, e);
	}
}

static struct element parse_element(struct tv_thrift *t)
{
	struct element e = { .type = -1, .converted = -1, .is_signed = 1, .name = { "", 0 } };
	struct tv_thrift_field field = { 0 };

	while (tv_thrift_next(t, &field))
		switch (field.id) {
		case 1:
			e.type = tv_thrift_int(t, field.type);
			break;
		case 2:
			e.length = tv_thrift_int(t, field.type);
			break;
		case 3:
			e.repetition = tv_thrift_int(t, field.type);
			break;
		case 4:
			e.name = tv_thrift_binary(t, field.type);
			break;
		case 5:
			e.children = tv_thrift_int(t, field.type);
			break;
		case 6:
			e.converted = tv_thrift_int(t, field.type);
			break;
		case 7:
			e.scale = tv_thrift_int(t, field.type);
			break;
		case 10:
			if (tv_thrift_struct(t, field.type))
				parse_logical(t, &e);
			break;
		default:
			tv_thrift_skip(t, field.type);
		}
	return e;
}

static int parse_elements(struct parsing *p, int type)
{
	size_t n = tv_thrift_list(&p->t, type, TV_THRIFT_STRUCT);

	if (p->element != NULL)
		return damaged(p, "two schemas");
	p->element = tv_alloc(n, sizeof *p->element);
	for (p->nelements = 0; p->nelements < n && !p->t.bad; p->nelements++)
		p->element[p->nelements] = parse_element(&p->t);
	return 0;
}

/* What older files say by ConvertedType, as LogicalType. */
static void complete(struct element *e)
{
	if (e->logical != 0)
		return;
	if (e->converted == CONVERTED_LIST || e->converted == CONVERTED_DECIMAL
	    || e->converted == CONVERTED_DATE) {
		e->logical = e->converted;
	} else if (e->converted >= CONVERTED_TIME_MS && e->converted <= CONVERTED_TIMESTAMP_US) {
		e->logical = e->converted < 9 ? LOGICAL_TIME : LOGICAL_TIMESTAMP;
		e->unit = 2 - e->converted % 2;
	} else if (e->converted >= CONVERTED_UINT_8 && e->converted <= CONVERTED_UINT_64) {
		e->logical = LOGICAL_INTEGER;
		e->is_signed = 0;
	}
}

static void set_other(struct tv_parquet_column *c, const char *what)
{
	c->kind = TV_KIND_OTHER;
	c->what = what;
}

/* A time whose unit is e's. */
static void set_time(struct tv_parquet_column *c, const struct element *e)
{
	if (e->unit < 1 || e->unit > 3) {
		set_other(c, "a time of an unknown unit");
		return;
	}
	c->kind = TV_KIND_DECIMAL;
	c->digits = 3 * ((int)e->unit - 1);
	c->ms = true;
	c->instant = e->logical == LOGICAL_TIMESTAMP;
}

/* How the values of a column become text. */
static void set_kind(struct tv_parquet_column *c, const struct element *e)
{
	bool whole = c->type == TV_PARQUET_INT32 || c->type == TV_PARQUET_INT64;
	bool bytes = c->type == TV_PARQUET_BYTE_ARRAY || c->type == TV_PARQUET_FIXED;

	if (c->type == TV_PARQUET_INT96) {
		c->kind = TV_KIND_INT96;
		c->ms = c->instant = true;
	} else if (e->logical == LOGICAL_DECIMAL && (whole || bytes)) {
		c->kind = TV_KIND_DECIMAL;
		c->digits = (int)e->scale;
		if (e->scale < 0 || e->scale > DIGITS_MAX
		    || (c->type == TV_PARQUET_FIXED && c->length > 16))
			set_other(c, "a DECIMAL of more than 38 digits");
	} else if ((e->logical == LOGICAL_TIME || e->logical == LOGICAL_TIMESTAMP) && whole) {
		set_time(c, e);
	} else if (e->logical == LOGICAL_DATE) {
		set_other(c, "a DATE");
	} else if (whole || c->type == TV_PARQUET_BOOLEAN) {
		c->kind = e->logical == LOGICAL_INTEGER && !e->is_signed ? TV_KIND_UNSIGNED
									 : TV_KIND_INT;
	} else if (c->type == TV_PARQUET_FLOAT || c->type == TV_PARQUET_DOUBLE) {
		c->kind = TV_KIND_DOUBLE;
	} else if (c->type == TV_PARQUET_BYTE_ARRAY && e->logical != LOGICAL_BSON
		   && e->converted != CONVERTED_BSON) {
		c->kind = TV_KIND_TEXT;
	} else {
		set_other(c, e->logical == LOGICAL_UUID		  ? "a UUID"
			     : e->logical == LOGICAL_FLOAT16	  ? "a FLOAT16"
			     : e->converted == CONVERTED_INTERVAL ? "an INTERVAL"
			     : bytes && c->type == TV_PARQUET_BYTE_ARRAY
				     ? "BSON"
				     : "bytes of a fixed length");
	}
}

/* What leads to a column of the file. */
struct path {
	const struct element *element[DEPTH_MAX + 1]; /* from the column of rows on */
	size_t n;
	unsigned definition, repetition;
};

/* Whether a column is a list of values: X repeated; X (LIST) > repeated; X (LIST) > repeated group > value. */
static bool is_list(const struct path *path)
{
	const struct element *const *e = path->element;

	if (path->repetition != 1)
		return false;
	if (path->n == 1)
		return true;
	if (e[0]->logical != LOGICAL_LIST || e[0]->children != 1 || e[1]->repetition != REPEATED)
		return false;
	return path->n == 2 || (path->n == 3 && e[1]->children == 1);
}

static int add_column(struct parsing *p, const struct path *path)
{
	struct tv_parquet_footer *f = p->f;
	const struct element *e = path->element[path->n - 1], *top = path->element[0];
	struct tv_parquet_column *c;

	if (e->type < 0 || e->type >= TV_PARQUET_NTYPES
	    || (e->type == TV_PARQUET_FIXED && (e->length <= 0 || e->length > INT32_MAX)))
		return damaged(p, "a column without a type");
	if (f->ncolumns == COLUMNS_MAX)
		return tv_fail_at(p->err, p->at, "more than %d columns, which is the limit",
				  COLUMNS_MAX);
	if (memchr(top->name.s, '\0', top->name.n) != NULL)
		return damaged(p, "the name of a column with a zero byte");
	TV_GROW(f->column, f->ncolumns, f->columns_cap, 1);
	c = &f->column[f->ncolumns++];
	*c = (struct tv_parquet_column){ .name = tv_strndup(top->name.s, top->name.n),
					 .type = (enum tv_parquet_type)e->type,
					 .length = (size_t)e->length,
					 .list = is_list(path),
					 .depth = (unsigned)path->n,
					 .present = path->definition,
					 .empty = path->n > 1 && top->repetition == OPTIONAL,
					 .repeated = path->repetition,
					 .leaf = { e->name.s, e->name.n } };
	if (path->n == 1 || c->list)
		set_kind(c, e);
	else
		set_other(c, top->logical == LOGICAL_LIST ? "a LIST of lists or structs"
							  : "a struct or MAP");
	return 0;
}

/* The element number *i, which is no root, and what is in it. */
static int walk(struct parsing *p, size_t *i, struct path path)
{
	struct element *e;

	if (*i >= p->nelements)
		return damaged(p, "the schema has fewer columns than it says");
	if (path.n == DEPTH_MAX)
		return damaged(p, "a schema that is nested too deep");
	e = &p->element[(*i)++];
	complete(e);
	if (e->children < 0 || e->repetition < REQUIRED || e->repetition > REPEATED)
		return damaged(p, "a schema that makes no sense");
	path.element[path.n++] = e;
	path.definition += e->repetition != REQUIRED;
	path.repetition += e->repetition == REPEATED;
	if (e->children == 0)
		return add_column(p, &path);
	for (int64_t k = 0; k < e->children; k++)
		if (walk(p, i, path) < 0)
			return -1;
	return 0;
}

static int find_columns(struct parsing *p)
{
	size_t i = 1;

	if (p->nelements == 0 || p->element[0].children <= 0)
		return damaged(p, "no columns");
	for (int64_t k = 0; k < p->element[0].children; k++)
		if (walk(p, &i, (struct path){ .n = 0 }) < 0)
			return -1;
	return i == p->nelements ? 0 : damaged(p, "the schema has more columns than it says");
}

/* ---- groups of rows ---- */

/* Whether a path of names is that of a column. */
static bool parse_path(struct tv_thrift *t, int type, const struct tv_parquet_column *c)
{
	size_t n = tv_thrift_list(t, type, TV_THRIFT_BINARY);
	struct tv_thrift_text first = { "", 0 }, last = { "", 0 };

	for (size_t i = 0; i < n && !t->bad; i++) {
		last = tv_thrift_binary(t, TV_THRIFT_BINARY);
		first = i == 0 ? last : first;
	}
	return n == c->depth && first.n == strlen(c->name) && memcmp(first.s, c->name, first.n) == 0
	    && last.n == c->leaf.n && memcmp(last.s, c->leaf.s, last.n) == 0;
}

/* A number, PLAIN, or a text. */
static bool parse_bound(struct tv_thrift *t, int type, const struct tv_parquet_column *c,
			int64_t *value, struct tv_parquet_text *bound)
{
	struct tv_thrift_text text = tv_thrift_binary(t, type);

	*bound = (struct tv_parquet_text){ text.s, text.n };
	if (c->type == TV_PARQUET_BYTE_ARRAY)
		return c->kind == TV_KIND_TEXT;

	if (c->type == TV_PARQUET_INT64 && text.n == 8)
		*value = (int64_t)tv_load8(text.s);
	else if (c->type == TV_PARQUET_INT32 && text.n == 4)
		*value = (int32_t)tv_load4(text.s);
	else
		return false;
	return c->kind == TV_KIND_INT || c->kind == TV_KIND_DECIMAL;
}

static void parse_statistics(struct tv_thrift *t, const struct tv_parquet_column *c,
			     struct tv_parquet_chunk *chunk)
{
	struct tv_thrift_field field = { 0 };
	bool min = false, max = false;

	while (tv_thrift_next(t, &field))
		if (field.id == 3)
			chunk->nulls = tv_thrift_int(t, field.type);
		else if (field.id == 5)
			max = parse_bound(t, field.type, c, &chunk->max, &chunk->last);
		else if (field.id == 6)
			min = parse_bound(t, field.type, c, &chunk->min, &chunk->first);
		else
			tv_thrift_skip(t, field.type);
	chunk->bounded = min && max && c->type != TV_PARQUET_BYTE_ARRAY;
	chunk->spanned = min && max && c->type == TV_PARQUET_BYTE_ARRAY;
}

/* Whether the meta data of a chunk of bytes are those of a column. */
static bool parse_chunk_meta(struct tv_thrift *t, const struct tv_parquet_column *c,
			     struct tv_parquet_chunk *chunk)
{
	struct tv_thrift_field field = { 0 };
	int64_t dictionary = 0;
	bool fits = true, named = false;

	while (tv_thrift_next(t, &field))
		switch (field.id) {
		case 1:
			fits = tv_thrift_int(t, field.type) == c->type && fits;
			break;
		case 3:
			named = parse_path(t, field.type, c);
			break;
		case 4:
			chunk->codec = tv_thrift_int(t, field.type);
			break;
		case 5:
			chunk->entries = tv_thrift_int(t, field.type);
			break;
		case 7:
			chunk->size = tv_thrift_int(t, field.type);
			break;
		case 9:
			chunk->begin = tv_thrift_int(t, field.type);
			break;
		case 11:
			dictionary = tv_thrift_int(t, field.type);
			break;
		case 12:
			if (tv_thrift_struct(t, field.type))
				parse_statistics(t, c, chunk);
			break;
		default:
			tv_thrift_skip(t, field.type);
		}
	if (dictionary > 0 && dictionary < chunk->begin)
		chunk->begin = dictionary;
	return fits && named;
}

static int parse_chunk(struct parsing *p, const struct tv_parquet_column *c)
{
	struct tv_parquet_footer *f = p->f;
	struct tv_parquet_chunk chunk = { .entries = -1, .nulls = -1 };
	struct tv_thrift_field field = { 0 };
	bool fits = false, elsewhere = false;

	while (tv_thrift_next(&p->t, &field)) {
		elsewhere = elsewhere || field.id == 1;
		if (field.id == 3 && tv_thrift_struct(&p->t, field.type))
			fits = parse_chunk_meta(&p->t, c, &chunk);
		else
			tv_thrift_skip(&p->t, field.type);
	}
	if (elsewhere)
		return tv_fail_at(p->err, p->at,
				  "a Parquet file whose columns are in other files, expected one "
				  "that has them itself");
	if (!fits)
		return damaged(p, "the columns of a group of rows are not those of the schema");
	if (chunk.entries < 0 || chunk.size < 0 || chunk.begin < 4 || chunk.begin > p->end
	    || chunk.size > p->end - chunk.begin)
		return damaged(p, "a column lies outside of the file");
	TV_GROW(f->chunk, f->nchunks, f->chunks_cap, 1);
	f->chunk[f->nchunks++] = chunk;
	return 0;
}

static int parse_group(struct parsing *p)
{
	struct tv_parquet_footer *f = p->f;
	struct tv_thrift_field field = { 0 };
	size_t before = f->nchunks, n;
	int64_t rows = -1;

	while (tv_thrift_next(&p->t, &field)) {
		if (field.id == 3)
			rows = tv_thrift_int(&p->t, field.type);
		if (field.id == 3)
			continue;
		if (field.id != 1) {
			tv_thrift_skip(&p->t, field.type);
			continue;
		}
		n = tv_thrift_list(&p->t, field.type, TV_THRIFT_STRUCT);
		for (size_t i = 0; i < n && !p->t.bad; i++)
			if (f->nchunks - before == f->ncolumns)
				return damaged(p,
					       "a group of rows has more columns than the schema");
			else if (parse_chunk(p, &f->column[f->nchunks - before]) < 0)
				return -1;
	}
	if (rows < 0 || f->nchunks - before != f->ncolumns)
		return damaged(p, "a group of rows without its number of rows or without a column");
	TV_GROW(f->rows, f->ngroups, f->groups_cap, 1);
	f->rows[f->ngroups++] = rows;
	return 0;
}

static int parse_groups(struct parsing *p, int type)
{
	size_t n = tv_thrift_list(&p->t, type, TV_THRIFT_STRUCT);

	if (p->f->ncolumns == 0 && find_columns(p) < 0)
		return -1;
	for (size_t i = 0; i < n && !p->t.bad; i++)
		if (parse_group(p) < 0)
			return -1;
	return 0;
}

/* The numbers of rows, each and all, are those of one table: *rows of the file. */
static int check_rows(const struct parsing *p)
{
	const struct tv_parquet_footer *f = p->f;
	int64_t left = f->nrows;

	for (size_t i = 0; i < f->ngroups; i++) {
		if (f->rows[i] > left)
			return damaged(p, "its groups have more rows than the file");
		left -= f->rows[i];
		for (size_t c = 0; c < f->ncolumns; c++)
			if (f->column[c].repeated == 0
			    && f->chunk[i * f->ncolumns + c].entries != f->rows[i])
				return damaged(p, "a column has another number of values than its "
						  "group has rows");
	}
	return left == 0 ? 0 : damaged(p, "its groups have fewer rows than the file");
}

static int parse_file(struct parsing *p)
{
	struct tv_thrift_field field = { 0 };
	int rc = 0;

	p->f->nrows = -1;
	while (rc == 0 && tv_thrift_next(&p->t, &field))
		if (field.id == 2)
			rc = parse_elements(p, field.type);
		else if (field.id == 3)
			p->f->nrows = tv_thrift_int(&p->t, field.type);
		else if (field.id == 4)
			rc = parse_groups(p, field.type);
		else if (field.id == 8)
			rc = tv_fail_at(p->err, p->at,
					"an encrypted Parquet file, expected one that is not");
		else
			tv_thrift_skip(&p->t, field.type);
	if (p->t.bad) /* also where a struct within it came too early to an end */
		return damaged(p, "its footer makes no sense");
	if (rc == 0 && p->f->ncolumns == 0)
		rc = find_columns(p);
	if (rc == 0 && (p->f->nrows < 0 || p->f->nrows > TV_ROWS_MAX))
		rc = tv_fail_at(p->err, p->at, "%lld rows, the limit is %u", (long long)p->f->nrows,
				TV_ROWS_MAX);
	return rc == 0 ? check_rows(p) : rc;
}

int tv_parquet_footer_parse(struct tv_parquet_footer *f, unsigned char *bytes, size_t n,
			    int64_t end, struct tv_pos at, struct tv_error *err)
{
	struct parsing p = {
		.f = f, .t = { .at = bytes, .end = bytes + n }, .at = at, .err = err, .end = end
	};
	int rc;

	*f = (struct tv_parquet_footer){ .bytes = bytes };
	rc = parse_file(&p);
	tv_free(p.element);
	return rc;
}

void tv_parquet_footer_release(struct tv_parquet_footer *f)
{
	for (size_t i = 0; i < f->ncolumns; i++)
		tv_free(f->column[i].name);
	tv_free(f->bytes);
	tv_free(f->column);
	tv_free(f->chunk);
	tv_free(f->rows);
}
