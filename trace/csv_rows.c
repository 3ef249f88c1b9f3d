/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * csv_rows.c -- rows of CSV. libcsv defines what they are and reads them, except that lines without
 * quotes and CRs, nearly all, are cut here: their cells are not copied, and SSE2, which each x86-64
 * has, finds 64 bytes' separators at once.
 */
#include <csv.h>
#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "trace/alloc.h"
#include "trace/csv.h"

enum { CHUNK = 128 * 1024, FIELD_BLOCK = 4096, BLOCK = 64, CELLS_MAX = 1024 };

/* Collects the cells of a row out of libcsv's callbacks. */
struct rows {
	int (*row)(void *context, const struct tv_csv_row *row, struct tv_error *err);
	int (*rows)(void *context, const struct tv_csv_row *first, uint32_t n,
		    struct tv_error *err); /* or NULL */
	void *context;
	struct tv_error *err;
	struct tv_pos at; /* first line of the row */
	long line;	  /* where we are, by the ends of fields and rows */
	long newlines;	  /* passed to libcsv so far */
	char *text;
	size_t ntext, text_cap;
	struct tv_csv_cell *cell; /* text is an offset until the row is complete */
	size_t *offset;
	size_t ncells, cells_cap, offsets_cap;
	size_t since_row; /* bytes passed to libcsv since the last row ended, whole chunks */
	bool ended;	  /* the byte passed last was the end of a line and of a row */
	bool reference;	  /* libcsv reads all */
	int rc;
};

static long count_newlines(const char *s, size_t n)
{
	const char *end = s + n;
	long count = 0;

	while (s < end && (s = memchr(s, '\n', (size_t)(end - s))) != NULL) {
		count++;
		s++;
	}
	return count;
}

static void on_field(void *text, size_t n, void *context)
{
	struct rows *r = context;

	if (r->rc < 0)
		return;
	TV_GROW(r->cell, r->ncells, r->cells_cap, 1);
	TV_GROW(r->offset, r->ncells, r->offsets_cap, 1);
	TV_GROW(r->text, r->ntext, r->text_cap, n);
	r->cell[r->ncells] = (struct tv_csv_cell){ "", n, text == NULL, false };
	r->offset[r->ncells++] = r->ntext;
	if (n == 0)
		return;
	memcpy(r->text + r->ntext, text, n);
	r->ntext += n;
	r->line += count_newlines(text, n);
}

static void on_row(int end, void *context)
{
	struct rows *r = context;

	/* CRLF is two ends of rows, the second of an empty one. */
	r->line += end == '\n';
	r->ended = end == '\n';
	r->since_row = 0;
	if (r->rc == 0 && r->ncells > 0) {
		for (size_t i = 0; i < r->ncells; i++)
			if (r->cell[i].n > 0)
				r->cell[i].text = r->text + r->offset[i];
		r->rc = r->row(r->context, &(struct tv_csv_row){ r->at, r->cell, r->ncells },
			       r->err);
	}
	r->ncells = r->ntext = 0;
	r->at.line = r->line;
}

static int no_space(unsigned char c)
{
	(void)c;
	return 0;
}

static int feed(struct rows *r, struct csv_parser *csv, const char *bytes, size_t n)
{
	size_t done;

	r->ended = false;
	done = csv_parse(csv, bytes, n, on_field, on_row, r);
	if (r->rc < 0)
		return -1;
	r->newlines += count_newlines(bytes, done);
	if (done < n)
		return tv_fail_at(
			r->err, (struct tv_pos){ r->at.file, r->newlines + 1 }, "malformed CSV: %s",
			csv_error(csv) == CSV_EPARSE ? "a quote inside a field, expected \"...\" "
						       "around it and \"\" for a quote"
						     : csv_strerror(csv_error(csv)));
	r->since_row = r->ended ? 0 : r->since_row + n;
	if (r->since_row > TV_LINE_MAX)
		return tv_fail_at(r->err, r->at, "row longer than %zu MiB, which is the limit",
				  TV_LINE_MAX >> 20);
	return 0;
}

#ifdef __SSE2__
static uint64_t equal(const __m128i *block, char c)
{
	uint64_t bits = 0;

	for (int i = 0; i < 4; i++)
		bits |= (uint64_t)(unsigned)_mm_movemask_epi8(
				_mm_cmpeq_epi8(_mm_loadu_si128(block + i), _mm_set1_epi8(c)))
		     << 16 * i;
	return bits;
}
#endif

/* Bit i is set if bytes[i], i < min(n, 64), is a comma, LF, quote or CR. */
static uint64_t find_marks(const char *bytes, size_t n)
{
	uint64_t marks = 0;

#ifdef __SSE2__
	if (n >= BLOCK) {
		const __m128i *block = (const __m128i *)(const void *)bytes;

		return equal(block, ',') | equal(block, '\n') | equal(block, '"')
		     | equal(block, '\r');
	}
#endif
	for (size_t i = 0; i < n && i < BLOCK; i++)
		if (bytes[i] == ',' || bytes[i] == '\n' || bytes[i] == '"' || bytes[i] == '\r')
			marks |= (uint64_t)1 << i;
	return marks;
}

/* Lines whose cells r->cell has, `width` of each. */
struct lines {
	uint32_t n;
	size_t width;
};

/* Delivers them; then there are none. */
static void give_lines(struct rows *r, struct lines *lines)
{
	struct tv_csv_row row = { r->at, r->cell, lines->width };
	int taken = r->rows != NULL && lines->n > 0 ? r->rows(r->context, &row, lines->n, r->err)
						    : 0;

	r->rc = taken < 0 ? -1 : 0;
	for (uint32_t i = 0; i < lines->n && r->rc == 0; i++, row.cell += row.ncells) {
		if (taken == 0)
			r->rc = r->row(r->context, &row, r->err);
		row.at.line = r->at.line = ++r->line;
		r->newlines++;
	}
	lines->n = 0;
}

/* Counts a line that is whole, of which r->cell[..ncells) ends with the cells; delivers the lines if they are
 * enough, or this one is not as they are. How many cells belong to lines that are still to be delivered. */
static size_t end_line(struct rows *r, struct lines *lines, size_t ncells)
{
	size_t before = lines->n * lines->width, width = ncells - before;

	if (lines->n > 0 && width != lines->width) {
		give_lines(r, lines);
		memmove(r->cell, r->cell + before, width * sizeof *r->cell);
	}
	lines->width = width;
	lines->n++;
	if (r->rc == 0
	    && (r->rows == NULL || lines->n == TV_CSV_LINES || lines->n * width >= CELLS_MAX))
		give_lines(r, lines);
	return lines->n * width;
}

/* Delivers the lines of bytes[0..n) up to the first that is not whole or not plain: it has a quote
 * or a CR, which libcsv reads. The cells lie in `bytes`. The number of bytes used. */
static size_t plain_lines(struct rows *r, const char *bytes, size_t n)
{
	const char *line = bytes, *field = bytes;
	struct lines lines = { .n = 0 };
	bool plain = true;
	size_t ncells = 0;

	for (size_t block = 0; plain && block < n; block += BLOCK) {
		uint64_t marks = find_marks(bytes + block, n - block);
		struct tv_csv_cell *cell;

		TV_GROW(r->cell, ncells, r->cells_cap, BLOCK);
		cell = r->cell;
		for (; plain && marks != 0; marks &= marks - 1) {
			const char *at = bytes + block + __builtin_ctzll(marks);

			cell[ncells++] = (struct tv_csv_cell){ field, (size_t)(at - field),
							       at == field, false };
			field = at + 1;
			if (*at == ',')
				continue;
			plain = *at == '\n';
			if (!plain)
				break;
			if (at > line) {
				ncells = end_line(r, &lines, ncells);
			} else {
				give_lines(r, &lines);
				ncells = 0;
				r->at.line = ++r->line;
				r->newlines++;
			}
			line = field;
			plain = r->rc == 0;
		}
	}
	if (r->rc == 0)
		give_lines(r, &lines);
	return (size_t)(line - bytes);
}

/* Bytes that libcsv is to read before plain_lines may try again: up to the end of the line. */
static size_t one_line(const char *bytes, size_t n)
{
	const char *end = memchr(bytes, '\n', n);

	return end != NULL ? (size_t)(end - bytes) + 1 : n;
}

/* Reads some of bytes[0..n), n > 0: the number used. */
static size_t read_some(struct rows *r, struct csv_parser *csv, const char *bytes, size_t n)
{
	size_t used = r->ended && !r->reference ? plain_lines(r, bytes, n) : 0;

	if (used > 0)
		return used;
	used = one_line(bytes, n);
	r->rc = feed(r, csv, bytes, used);
	return used;
}

static int read_rows(struct tv_input *in, struct rows r)
{
	struct tv_error *err = r.err;
	struct csv_parser csv;
	const char *bytes;
	size_t n;
	int rc = 0;

	r.at = (struct tv_pos){ in->path, in->line + 1 };
	r.line = in->line + 1;
	r.newlines = in->line;
	r.ended = true;
	if (csv_init(&csv, CSV_STRICT | CSV_STRICT_FINI | CSV_REPALL_NL | CSV_EMPTY_IS_NULL) != 0)
		tv_memory_exhausted(0);
	csv_set_space_func(&csv, no_space);
	csv_set_blk_size(&csv, FIELD_BLOCK);
	while (rc == 0) {
		bytes = tv_input_peek(in, CHUNK, &n, err);
		if (bytes == NULL)
			rc = -1;
		if (bytes == NULL || n == 0)
			break;
		n = read_some(&r, &csv, bytes, n < CHUNK ? n : CHUNK);
		rc = r.rc;
		tv_input_skip(in, n);
	}
	if (rc == 0 && in->cut != NULL)
		rc = tv_fail_at(err, (struct tv_pos){ in->path, r.line }, "%s", in->cut);
	if (rc == 0 && csv_fini(&csv, on_field, on_row, &r) != 0)
		rc = tv_fail_at(err, r.at,
				"malformed CSV: the file ends inside quotes that open in this row");
	if (rc == 0)
		rc = r.rc;
	in->line = r.newlines;
	csv_free(&csv);
	tv_free(r.cell);
	tv_free(r.offset);
	tv_free(r.text);
	return rc;
}

int tv_csv_rows(struct tv_input *in,
		int (*row)(void *context, const struct tv_csv_row *row, struct tv_error *err),
		void *context, struct tv_error *err)
{
	return read_rows(in, (struct rows){ .row = row, .context = context, .err = err });
}

int tv_csv_lines(struct tv_input *in,
		 int (*row)(void *context, const struct tv_csv_row *row, struct tv_error *err),
		 int (*rows)(void *context, const struct tv_csv_row *first, uint32_t n,
			     struct tv_error *err),
		 void *context, struct tv_error *err)
{
	return read_rows(in,
			 (struct rows){ .row = row, .rows = rows, .context = context, .err = err });
}

int tv_csv_rows_reference(struct tv_input *in,
			  int (*row)(void *context, const struct tv_csv_row *row,
				     struct tv_error *err),
			  void *context, struct tv_error *err)
{
	return read_rows(
		in, (struct rows){ .row = row, .context = context, .err = err, .reference = true });
}

bool tv_csv_take(struct tv_input *in, const char *bytes, size_t n, struct tv_input *rows)
{
	const char *at = bytes, *end = bytes + n, *last = NULL;

	/* Between an odd quote and the next one lines do not end rows. */
	while (at < end) {
		const char *quote = memchr(at, '"', (size_t)(end - at));
		const char *stop = quote != NULL ? quote : end;
		const char *line = memrchr(at, '\n', (size_t)(stop - at));

		last = line != NULL ? line : last;
		quote = quote != NULL ? memchr(quote + 1, '"', (size_t)(end - quote - 1)) : NULL;
		at = quote != NULL ? quote + 1 : end;
	}
	if (last == NULL)
		return false;
	n = (size_t)(last - bytes) + 1;
	tv_input_memory(rows, in->path, bytes, n);
	rows->offset = in->offset;
	tv_input_skip(in, n);
	return true;
}
