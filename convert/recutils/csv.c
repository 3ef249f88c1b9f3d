/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * csv.c -- records as CSV: what rec2csv makes of StarPU's files, and the graph, dag.csv, that StarVZ makes of dag.dot.
 */
#include <stdlib.h>
#include <string.h>

#include "convert/recutils/recutils.h"
#include "convert/table/table.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"

#define GRAPH "Dependent" /* a column: the job that the row's JobId depends on */

/* Which of these is the first line: 0 none, 1 records, 2 a graph. */
static int kind_of(const struct tv_cells *header)
{
	static const char *const known[] = { "Control", "SubmitOrder", "MPIRank", "SendTime" };
	bool named = false, special = false, graph = false;

	for (size_t i = 0; i < header->n; i++) {
		const char *name = header->cell[i].s;

		named = named || strcmp(name, "JobId") == 0 || strcmp(name, "Handle") == 0
		     || strcmp(name, "Src") == 0;
		graph = graph || strcmp(name, GRAPH) == 0;
		for (size_t k = 0; k < TV_COUNT(known); k++)
			special = special || strcmp(name, known[k]) == 0;
		if (strcmp(name, "Value") == 0 || strcmp(name, "Nature") == 0)
			return 0; /* one of our tables, or pj_dump's */
	}
	return !named ? 0 : graph && header->n == 2 ? 2 : special ? 1 : 0;
}

int tv_rec_csv_kind(const char *head, size_t n)
{
	struct tv_cells *header = tv_alloc(1, sizeof *header);
	const char *end = memchr(head, '\n', n);
	struct tv_error err;
	struct tv_input in;
	int kind = 0;

	tv_input_memory(&in, "", head, end != NULL ? (size_t)(end - head) : n);
	header->separator = ',';
	if (tv_cells_next(header, &in, &err) > 0)
		kind = kind_of(header);
	tv_input_close(&in);
	tv_cells_release(header);
	tv_free(header);
	return kind;
}

/* An arrow of the graph. */
struct edge {
	uint32_t job, on; /* labels */
	uint32_t order;
};

TV_ORDER(by_job, struct edge, job, order)

struct reading {
	struct tv_rec_file *file;
	struct tv_rec_comms *comms;
	struct tv_cells *row;
	char **name; /* of columns */
	size_t n;
	size_t job, on; /* columns of a graph */
	struct edge *edge;
	size_t nedges, edges_cap;
	struct tv_index messages; /* by label of a node of the graph: its comm */
};

/* The message that such a node of the graph is; NULL: it is a job. "mpi_7_12" has the tag 7, its link the key "mpicom_12". */
static struct tv_rec_comm *message_of(struct reading *r, uint32_t node)
{
	struct tv_pool *pool = r->file->trace->pool;
	const char *name = tv_pool_text(pool, node), *key = strrchr(name, '_');
	uint32_t known = tv_index_get(&r->messages, node);
	int64_t number, tag;
	char *text;

	if (known != TV_NONE)
		return &r->comms->at[known];
	if (strncmp(name, "mpi_", 4) != 0 || key < name + 5
	    || tv_parse_int(name + 4, (size_t)(key - name - 4), &tag) != TV_PARSE_OK
	    || tv_parse_int(key + 1, strlen(key + 1), &number) != TV_PARSE_OK)
		return NULL;
	TV_GROW(r->comms->at, r->comms->n, r->comms->cap, 1);
	tv_index_set(&r->messages, node, (uint32_t)r->comms->n);
	if (r->comms->path == NULL)
		r->comms->path = tv_strdup(r->file->path);
	text = tv_format("mpicom_%s", key + 1);
	r->comms->at[r->comms->n] = (struct tv_rec_comm){
		.tag = tv_intern(pool, name + 4, (size_t)(key - name - 4)),
		.handle = TV_NONE,
		.type = TV_NONE,
		.origin_job = TV_NONE,
		.dest_job = TV_NONE,
		.key = tv_intern_text(pool, text),
	};
	tv_free(text);
	return &r->comms->at[r->comms->n++];
}

static void add_edge(struct reading *r)
{
	struct tv_pool *pool = r->file->trace->pool;
	const struct tv_cell_text *cell = r->row->cell;
	uint32_t job = tv_intern(pool, cell[r->job].s, cell[r->job].n),
		 on = tv_intern(pool, cell[r->on].s, cell[r->on].n);
	struct tv_rec_comm *received = message_of(r, on), *sent = message_of(r, job);

	if (received != NULL)
		received->dest_job = job;
	if (sent != NULL)
		sent->origin_job = on;
	if (received != NULL || sent != NULL)
		return;
	TV_GROW(r->edge, r->nedges, r->edges_cap, 1);
	r->edge[r->nedges] = (struct edge){ job, on, (uint32_t)r->nedges };
	r->nedges++;
}

/* A record for each job, with those that it depends on. */
static int use_edges(struct reading *r, struct tv_error *err)
{
	struct tv_rec_file *file = r->file;
	const struct tv_pool *pool = file->trace->pool;
	const struct edge *before = NULL;

	if (r->nedges == 0)
		return 0;
	if (r->nedges > 1)
		qsort(r->edge, r->nedges, sizeof *r->edge, by_job);
	for (const struct edge *e = r->edge; e < r->edge + r->nedges; before = e++) {
		bool first = before == NULL || before->job != e->job;

		if (first) {
			tv_rec_begin(file, 1);
			if (tv_rec_add_field(file, "JobId", 5, tv_pool_text(pool, e->job),
					     tv_pool_length(pool, e->job), err)
			    < 0)
				return -1;
		}
		if ((first ? tv_rec_add_field(file, "DependsOn", 9, "", 0, err)
			   : tv_rec_add_bytes(file, " ", 1, err))
			    < 0
		    || tv_rec_add_bytes(file, tv_pool_text(pool, e->on),
					tv_pool_length(pool, e->on), err)
			       < 0)
			return -1;
	}
	return 0;
}

static int add_record(struct reading *r, struct tv_error *err)
{
	tv_rec_begin(r->file, r->row->at.line);
	for (size_t i = 0; i < r->n; i++) {
		const struct tv_cell_text *cell = &r->row->cell[i];

		if (cell->n > 0
		    && tv_rec_add_field(r->file, r->name[i], strlen(r->name[i]), cell->s, cell->n,
					err)
			       < 0)
			return -1;
	}
	return 0;
}

static int read_rows(struct reading *r, struct tv_input *in, struct tv_error *err)
{
	bool graph = r->on < r->n;
	int rc;

	while ((rc = tv_cells_next(r->row, in, err)) > 0) {
		if (in->unterminated)
			tv_damaged(r->file->trace, TV_REPAIRED, TV_CUT_RECORD, r->row->at,
				   "the file ends within this record, which is not used");
		else if (r->row->n != r->n)
			tv_damaged(r->file->trace, TV_DROPPED, "row with another number of cells",
				   r->row->at, "%zu cells, expected %zu as in the header",
				   r->row->n, r->n);
		else if (graph)
			add_edge(r);
		else if (add_record(r, err) < 0)
			return -1;
	}
	return rc == 0 && graph ? use_edges(r, err) : rc;
}

int tv_rec_read_csv(struct tv_rec_file *file, struct tv_rec_comms *comms, struct tv_input *in,
		    struct tv_error *err)
{
	struct reading r = { .file = file, .comms = comms };
	int rc;

	r.row = tv_alloc(1, sizeof *r.row);
	r.row->separator = ',';
	rc = tv_cells_next(r.row, in, err);
	if (rc > 0) {
		bool graph = kind_of(r.row) == 2;

		r.n = r.job = r.on = r.row->n;
		r.name = tv_alloc(r.n, sizeof *r.name);
		for (size_t i = 0; i < r.n; i++) {
			r.name[i] = tv_strdup(r.row->cell[i].s);
			if (graph && strcmp(r.name[i], GRAPH) == 0)
				r.on = i;
			else if (graph)
				r.job = i;
		}
		rc = read_rows(&r, in, err);
	}
	for (size_t i = 0; i < r.n; i++)
		tv_free(r.name[i]);
	tv_free(r.name);
	tv_cells_release(r.row);
	tv_free(r.row);
	tv_free(r.edge);
	tv_free(r.messages.at);
	return rc;
}
