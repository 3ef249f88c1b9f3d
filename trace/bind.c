/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bind.c -- the bindings of workers that a file lists (tv_read_options.bind): their Cpuset. */
#include <string.h>

#include "trace/alloc.h"
#include "trace/complete.h"
#include "trace/csv.h"
#include "trace/machine.h"

struct binding {
	uint32_t label;
	char *cpuset;
};

struct reading {
	const struct tv_completion *c;
	const bool *worker; /* by label that was there before */
	uint32_t nlabels;
	struct binding *at;
	size_t n, cap;
	bool header; /* it has been read */
};

static bool is_text(const struct tv_csv_cell *cell, const char *text)
{
	return cell->n == strlen(text) && memcmp(cell->text, text, cell->n) == 0;
}

static int read_row(void *context, const struct tv_csv_row *row, struct tv_error *err)
{
	struct reading *r = context;
	struct tv_cpuset set;
	uint32_t label;
	int rc;

	if (!r->header) {
		r->header = true;
		if (row->ncells == 2 && is_text(&row->cell[0], "ResourceId")
		    && is_text(&row->cell[1], "Cpuset"))
			return 0;
		return tv_fail_at(err, row->at, "expected the header ResourceId,Cpuset");
	}
	if (row->ncells != 2)
		return tv_fail_at(err, row->at,
				  "%zu fields, expected 2 (a list as \"0-3,8\" needs quotes)",
				  row->ncells);
	label = tv_pool_find(r->c->trace->pool, row->cell[0].text, row->cell[0].n);
	if (label >= r->nlabels || !r->worker[label])
		return tv_fail_at(err, row->at, "'%.*s' is no worker of the trace",
				  row->cell[0].n < 100 ? (int)row->cell[0].n : 100,
				  row->cell[0].text);
	rc = tv_cpuset_parse(&set, row->cell[1].text, row->cell[1].n);
	tv_cpuset_release(&set);
	if (rc < 0)
		return tv_fail_at(err, row->at, "'%.*s', expected a list of processors as in 0-3,8",
				  row->cell[1].n < 100 ? (int)row->cell[1].n : 100,
				  row->cell[1].text);
	TV_GROW(r->at, r->n, r->cap, 1);
	r->at[r->n++] = (struct binding){ label, tv_strndup(row->cell[1].text, row->cell[1].n) };
	return 0;
}

/* Resources that are no objects, and what tasks name. */
static bool *list_workers(const struct tv_completion *c)
{
	const struct tv_table *resources = &c->trace->table[TV_RESOURCES];
	const struct tv_column *id = tv_table_find(resources, "ResourceId"),
			       *depth = tv_table_find(resources, "Depth");
	bool *worker = tv_alloc(tv_pool_count(c->trace->pool), sizeof *worker);

	for (uint32_t row = 0; id != NULL && row < resources->nrows; row++)
		if (tv_label(id, row) != TV_NONE && !tv_is_object(depth, row))
			worker[tv_label(id, row)] = true;
	for (uint32_t row = 0; c->resource != NULL && row < c->tasks->nrows; row++)
		if (tv_label(c->resource, row) != TV_NONE)
			worker[tv_label(c->resource, row)] = true;
	return worker;
}

/* Texts are only appended, so the column is written anew. */
static void write_cpusets(struct tv_completion *c, const struct reading *r)
{
	struct tv_table *table = &c->trace->table[TV_RESOURCES];
	struct tv_column *old = tv_table_find(table, "Cpuset");
	char **text = tv_alloc(table->nrows, sizeof *text);
	struct tv_column *cpuset;

	for (uint32_t row = 0; old != NULL && row < table->nrows; row++) {
		size_t n;
		const char *s = tv_string(old, row, &n);

		if (!tv_missing(old, row))
			text[row] = tv_strndup(s, n);
	}
	for (size_t i = 0; i < r->n; i++) {
		uint32_t row = c->row_of[r->at[i].label] - 1;

		tv_free(text[row]);
		text[row] = tv_strdup(r->at[i].cpuset);
	}
	if (old != NULL)
		tv_table_drop(table, old);
	cpuset = tv_trace_column(c->trace, TV_RESOURCES, "Cpuset");
	for (uint32_t row = 0; row < table->nrows; row++) {
		tv_set_text(cpuset, row, text[row]);
		tv_free(text[row]);
	}
	tv_free(text);
	tv_table_finish(table);
}

int tv_bind_workers(struct tv_completion *c, struct tv_error *err)
{
	struct reading r = { .c = c, .nlabels = tv_pool_count(c->trace->pool) };
	struct tv_input in;
	bool *worker;
	int rc;

	if (c->trace->options.bind == NULL)
		return 0;
	if (tv_input_open(&in, c->trace->options.bind, err) < 0)
		return -1;
	r.worker = worker = list_workers(c);
	rc = tv_csv_rows(&in, read_row, &r, err);
	if (rc == 0 && r.n == 0)
		rc = tv_fail_at(err, (struct tv_pos){ in.path, 0 },
				"no worker, expected rows of ResourceId,Cpuset");
	tv_input_close(&in);
	for (size_t i = 0; rc == 0 && i < r.n; i++)
		tv_require_resource(c, r.at[i].label);
	tv_table_finish(&c->trace->table[TV_RESOURCES]);
	if (rc == 0)
		write_cpusets(c, &r);
	for (size_t i = 0; i < r.n; i++)
		tv_free(r.at[i].cpuset);
	tv_free(r.at);
	tv_free(worker);
	return rc;
}
