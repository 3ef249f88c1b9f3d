/* SPDX-License-Identifier: GPL-3.0-or-later */
/* references.c -- times of communications and computations alone, as a table says. */
#include "analysis/mpi/references.h"

#include <string.h>

#include "trace/alloc.h"
#include "trace/csv.h"

enum { CALL, SITE, BYTES, RANKS, COMM, COMPUTE, PASSIVE, NCOLUMNS };

static const char *const name[] = {
	[CALL] = "Call",
	[SITE] = "Site",
	[BYTES] = "Bytes",
	[RANKS] = "Ranks",
	[COMM] = "CommReference",
	[COMPUTE] = "ComputeReference",
	[PASSIVE] = "PassiveReference",
};
_Static_assert(TV_COUNT(name) == NCOLUMNS, "a name for every column");

struct reading {
	struct tv_references *references;
	struct tv_pool *pool;
	int place[NCOLUMNS]; /* of each column in the file; -1 = it has none */
	bool header;	     /* read */
	bool found;	     /* it names a time */
};

/* Returns whether the row names a time. */
static bool find_columns(struct reading *r, const struct tv_csv_row *row)
{
	for (int k = 0; k < NCOLUMNS; k++) {
		r->place[k] = -1;
		for (size_t i = 0; i < row->ncells; i++)
			if (row->cell[i].n == strlen(name[k])
			    && memcmp(row->cell[i].text, name[k], row->cell[i].n) == 0)
				r->place[k] = (int)i;
	}
	r->header = true;
	return r->place[COMM] >= 0 || r->place[COMPUTE] >= 0 || r->place[PASSIVE] >= 0;
}

static int read_header(struct reading *r, const struct tv_csv_row *row, struct tv_error *err)
{
	if (find_columns(r, row))
		return 0;
	return tv_fail_at(err, row->at,
			  "the header has none of CommReference, ComputeReference and "
			  "PassiveReference");
}

static const struct tv_csv_cell *cell_of(const struct reading *r, const struct tv_csv_row *row,
					 int k)
{
	if (r->place[k] < 0 || (size_t)r->place[k] >= row->ncells || row->cell[r->place[k]].n == 0)
		return NULL;
	return &row->cell[r->place[k]];
}

static int read_number(const struct reading *r, const struct tv_csv_row *row, int k, int64_t *value,
		       struct tv_error *err)
{
	const struct tv_csv_cell *cell = cell_of(r, row, k);

	*value = -1;
	if (cell == NULL)
		return 0;
	if ((k < COMM ? tv_parse_int(cell->text, cell->n, value)
		      : tv_parse_scaled(cell->text, cell->n, 6, value))
		    != TV_PARSE_OK
	    || *value < 0 || *value >= (int64_t)1 << 62)
		return tv_fail_at(err, row->at, "column %s is '%.*s', expected %s", name[k],
				  cell->n > 60 ? 60 : (int)cell->n, cell->text,
				  k < COMM ? "a whole number, 0 or more"
					   : "a time in milliseconds, 0 or more");
	return 0;
}

static int read_row(void *context, const struct tv_csv_row *row, struct tv_error *err)
{
	struct reading *r = context;
	struct tv_references *references = r->references;
	const struct tv_csv_cell *call, *site;
	struct tv_reference_row *to;

	if (!r->header)
		return read_header(r, row, err);
	TV_GROW(references->row, references->n, references->cap, 1);
	to = &references->row[references->n];
	call = cell_of(r, row, CALL);
	site = cell_of(r, row, SITE);
	to->key.call = call == NULL ? TV_NONE : tv_intern(r->pool, call->text, call->n);
	to->key.site = site == NULL ? TV_NONE : tv_intern(r->pool, site->text, site->n);
	if (read_number(r, row, BYTES, &to->key.bytes, err) < 0
	    || read_number(r, row, RANKS, &to->key.ranks, err) < 0
	    || read_number(r, row, COMM, &to->value.comm, err) < 0
	    || read_number(r, row, COMPUTE, &to->value.compute, err) < 0
	    || read_number(r, row, PASSIVE, &to->value.passive, err) < 0)
		return -1;
	references->n++;
	return 0;
}

int tv_references_read(struct tv_references *references, const char *path, struct tv_pool *pool,
		       struct tv_error *err)
{
	struct reading r = { .references = references, .pool = pool };
	struct tv_input in;
	int rc;

	if (tv_input_open(&in, path, err) < 0)
		return -1;
	rc = tv_csv_rows(&in, read_row, &r, err);
	tv_input_close(&in);
	if (rc == 0 && references->n == 0)
		rc = tv_fail_at(err, (struct tv_pos){ path, 0 }, "no references");
	return rc;
}

void tv_references_release(struct tv_references *references)
{
	tv_free(references->row);
}

static bool fits(const struct tv_reference_key *row, const struct tv_reference_key *key)
{
	return (row->call == TV_NONE || row->call == key->call)
	    && (row->site == TV_NONE || row->site == key->site)
	    && (row->bytes < 0 || row->bytes == key->bytes)
	    && (row->ranks < 0 || row->ranks == key->ranks);
}

struct tv_reference tv_references_find(const struct tv_references *references,
				       const struct tv_reference_key *key)
{
	struct tv_reference found = { -1, -1, -1 };

	for (size_t i = 0; i < references->n; i++) {
		const struct tv_reference *value = &references->row[i].value;

		if (!fits(&references->row[i].key, key))
			continue;
		found.comm = found.comm < 0 ? value->comm : found.comm;
		found.compute = found.compute < 0 ? value->compute : found.compute;
		found.passive = found.passive < 0 ? value->passive : found.passive;
	}
	return found;
}

/* Of the first line alone: stops the reading. */
static int read_first(void *context, const struct tv_csv_row *row, struct tv_error *err)
{
	struct reading *r = context;

	(void)err;
	r->found = find_columns(r, row);
	return -1;
}

int tv_references_here(const char *path, struct tv_error *err)
{
	struct reading r = { 0 };
	struct tv_input in;

	if (strcmp(path, "-") == 0)
		return tv_fail_usage(err, "--reference: expected a file, not standard input");
	if (tv_input_open(&in, path, err) < 0)
		return -1;
	/* What is no CSV is no table of references: a format that the reader of traces decides. */
	(void)!tv_csv_rows(&in, read_first, &r, err);
	tv_input_close(&in);
	return r.found;
}
