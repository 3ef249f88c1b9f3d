/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv_pieces.c -- large inputs of CSV: pieces of whole rows, read by several threads. */
#include <string.h>

#include "trace/alloc.h"
#include "trace/csv_reading.h"
#include "trace/parallel.h"

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
	tv_csv_find_fields(&r);
	tv_table_reserve(r.table, piece->rows);
	piece->rc = tv_csv_lines(&piece->in, tv_csv_read_row, tv_csv_read_lines, &r, &piece->err);
	piece->lines = piece->in.line;
	tv_input_close(&piece->in);
	tv_csv_release_reading(&r);
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

int tv_csv_read_pieces(struct tv_csv_reading *r, struct tv_input *in, struct tv_error *err)
{
	struct pieces p = { .in = in, .size = 2 * PIECE_MIN, .whole = r, .err = err };
	struct tv_input header;
	const char *bytes, *end;
	size_t n;

	bytes = tv_input_peek(in, p.size, &n, err);
	end = bytes != NULL ? memchr(bytes, '\n', n) : NULL;
	if (end == NULL || !tv_csv_take(in, bytes, (size_t)(end - bytes) + 1, &header))
		return bytes != NULL ? 0 : -1;
	p.rc = tv_csv_rows(&header, tv_csv_read_row, r, err);
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
