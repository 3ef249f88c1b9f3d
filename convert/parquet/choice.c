/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * choice.c -- rows of tasks that satisfy conditions. Statistics and dictionaries show the groups that have none. Of each other
 * group the columns of the conditions are decoded first; then, if rows are left, the other columns, of which only
 * these rows are given.
 */
#include <stdlib.h>

#include "convert/parquet/pages.h"
#include "trace/alloc.h"

enum { SAMPLE = 64 }; /* rows */

/* A condition on a column of the file. */
struct test {
	const struct tv_row_condition *of;
	struct tv_parquet_cursor *c;
	bool *is; /* by place in the dictionary: the text is one of the condition */
	size_t cap;
	bool known; /* is[] is of the dictionary of this group */
};

/* The rows of a block that are left, of a column. */
struct gathered {
	/* known without decoding it: all have this text, or nobody reads them, and they are missing */
	bool known;
	struct tv_csv_cell text;
	uint32_t label;
	int64_t *number;
	uint32_t *word;
	bool *missing, has_missing;
	bool single; /* its cells are given one after the other */
	uint64_t first,
		end;  /* rows of the group: those that are decoded; without `single`, in arrays */
	size_t taken; /* of the rows that are left, those given singly */
};

struct choosing {
	struct tv_parquet *p;
	const struct tv_csv_taker *to;
	struct test *test;
	size_t ntests;
	bool asked;    /* they are all that have to be */
	uint64_t rows; /* of the group */
	uint32_t *row; /* of them, those that are left, ascending */
	size_t nrows, cap;
	struct gathered *column; /* by cursor */
	struct tv_csv_cells *cells;
	bool keep[TV_PARQUET_BLOCK], all[TV_PARQUET_BLOCK]; /* all: true */
	uint32_t zero[TV_PARQUET_BLOCK];
};

/* The caller then reads all rows, and says what is wrong. */
static int fail_unusual(const struct choosing *s)
{
	return tv_fail_at(s->p->err, (struct tv_pos){ s->p->in->path, 0 },
			  "a column that cannot be read in part");
}

static void begin(struct choosing *s, struct tv_parquet_cursor *c)
{
	tv_parquet_begin(s->p, c, s->p->group);
	s->p->bytes += c->chunk.size;
}

/* The number of rows that the page which has begun, the group and a block have. */
static uint32_t rows_at_once(const struct choosing *s, const struct tv_parquet_cursor *c,
			     uint64_t at)
{
	uint64_t n = s->rows - at < TV_PARQUET_BLOCK ? s->rows - at : TV_PARQUET_BLOCK;

	return (uint32_t)(c->entries < n ? c->entries : n);
}

/* ---- conditions ---- */

static bool is_one_of(const struct tv_row_condition *of, const char *s, size_t n)
{
	const struct tv_choice_text text = { s, n };

	return bsearch(&text, of->text, of->ntexts, sizeof text, tv_choice_compare) != NULL;
}

/* The tests that this file can be asked; false: not for all texts, or there is none. */
static bool find_tests(struct choosing *s, const struct tv_row_choice *choice)
{
	size_t wanted = 0;

	for (size_t i = 0; i < choice->n; i++)
		wanted += choice->condition[i].text != NULL;
	s->test = tv_alloc(choice->n, sizeof *s->test);
	for (size_t i = 0; i < choice->n; i++)
		for (size_t k = 0; k < s->p->ncursors; k++) {
			struct tv_parquet_cursor *c = &s->p->cursor[k];
			const struct tv_row_condition *of = &choice->condition[i];
			bool number = c->numbers && c->column->kind != TV_KIND_DOUBLE;

			if (strcmp(c->column->name, of->column) != 0 || c->skipped
			    || c->column->list || (of->text != NULL ? c->numbers : !number))
				continue;
			s->test[s->ntests++] = (struct test){ .of = of, .c = c };
			wanted -= of->text != NULL;
		}
	return choice->sample || (s->ntests > 0 && wanted == 0);
}

/* Whether one of the texts lies between the first and the last one of a chunk. */
static bool spans(const struct tv_parquet_chunk *chunk, const struct tv_row_condition *of)
{
	const struct tv_choice_text first = { chunk->first.s, chunk->first.n },
				    last = { chunk->last.s, chunk->last.n };
	bool found = false;

	for (size_t i = 0; i < of->ntexts && !found; i++)
		found = tv_choice_compare(&of->text[i], &first) >= 0
		     && tv_choice_compare(&of->text[i], &last) <= 0;
	return found;
}

/* Whether a row of the group may satisfy the condition, by what its statistics and its dictionary show; -1 with *p->err. */
static int may_hold(struct choosing *s, struct test *test)
{
	struct tv_parquet_cursor *c = test->c;
	const struct tv_row_condition *of = test->of;
	int rc;

	tv_parquet_begin(s->p, c, s->p->group);
	if (c->chunk.nulls >= 0 && (uint64_t)c->chunk.nulls == s->rows)
		return 0;
	if (of->text == NULL)
		return !c->chunk.bounded || (c->chunk.min <= of->max && c->chunk.max >= of->min);
	if (c->chunk.spanned && !spans(&c->chunk, of))
		return 0;
	rc = c->words ? tv_parquet_distinct(s->p, c) : 0;
	if (rc != 1)
		return rc < 0 ? -1 : 1;
	for (size_t i = 0; i < c->ndictionary; i++)
		if (is_one_of(of, c->dictionary[i].s, c->dictionary[i].n))
			return 1;
	return 0;
}

static void test_words(struct choosing *s, struct test *test, uint32_t n)
{
	const struct tv_parquet_cursor *c = test->c;

	if (!test->known) {
		TV_GROW(test->is, 0, test->cap, c->ndictionary + 1);
		for (size_t i = 0; i < c->ndictionary; i++)
			test->is[i] = is_one_of(test->of, c->dictionary[i].s, c->dictionary[i].n);
		test->known = true;
	}
	for (uint32_t i = 0; i < n; i++)
		s->keep[i] = !c->missing[i] & test->is[c->word[i]];
}

static void test_numbers(struct choosing *s, const struct test *test, uint32_t n)
{
	const struct tv_parquet_cursor *c = test->c;
	int64_t min = test->of->min, max = test->of->max;

	for (uint32_t i = 0; i < n; i++)
		s->keep[i] = !c->missing[i] & (c->number[i] >= min) & (c->number[i] <= max);
}

static int test_cells(struct choosing *s, const struct test *test, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		struct tv_csv_cell cell;

		if (tv_parquet_take_cell(s->p, test->c, &cell) < 0)
			return -1;
		s->keep[i] = !cell.missing && is_one_of(test->of, cell.text, cell.n);
	}
	return 0;
}

/* Which of the *n next rows, from `at` on, satisfy a condition: s->keep. */
static int test_block(struct choosing *s, struct test *test, uint64_t at, uint32_t *n)
{
	struct tv_parquet_cursor *c = test->c;
	bool has_missing;

	if (tv_parquet_next_page(s->p, c) < 0)
		return -1;
	*n = rows_at_once(s, c, at);
	if (!tv_parquet_is_decoded(c))
		return test_cells(s, test, *n);
	if (tv_parquet_decode_block(s->p, c, *n, &has_missing) < 0)
		return -1;
	if (c->numbers)
		test_numbers(s, test, *n);
	else
		test_words(s, test, *n);
	return 0;
}

/* Keeps of the rows of a group that are left those that satisfy a condition. */
static int test_rows(struct choosing *s, struct test *test)
{
	size_t from = 0, kept = 0;
	uint32_t n;

	begin(s, test->c);
	test->known = false;
	for (uint64_t at = 0; at < s->rows; at += n) {
		if (test_block(s, test, at, &n) < 0)
			return -1;
		if (test == s->test) { /* of all rows */
			TV_GROW(s->row, kept, s->cap, n);
			for (uint32_t i = 0; i < n; i++) {
				s->row[kept] = (uint32_t)at + i;
				kept += s->keep[i];
			}
			continue;
		}
		for (; from < s->nrows && s->row[from] < at + n; from++)
			if (s->keep[s->row[from] - at])
				s->row[kept++] = s->row[from];
	}
	s->nrows = kept;
	return tv_parquet_end_column(s->p, test->c);
}

/* ---- the rows that are left ---- */

/* Whether the rows that are left have one text, or are read by nobody. */
static bool is_known(const struct choosing *s, const struct tv_parquet_cursor *c,
		     struct gathered *g)
{
	g->label = TV_NONE;
	g->text.missing = true;
	for (size_t i = 0; i < s->ntests; i++) {
		const struct tv_row_condition *of = s->test[i].of;

		if (s->test[i].c == c && of->text != NULL && of->ntexts == 1)
			g->text = (struct tv_csv_cell){ of->text[0].s, of->text[0].n, false,
							false };
	}
	return c->words
	    && (!g->text.missing
		|| (strcmp(c->column->name, "Value") == 0
		    && !tv_trace_wants(s->p->trace, c->column->name)));
}

static int decode_next(struct choosing *s, struct tv_parquet_cursor *c, struct gathered *g)
{
	bool has_missing;
	uint32_t n;

	if (tv_parquet_next_page(s->p, c) < 0)
		return -1;
	if (!tv_parquet_is_decoded(c))
		return fail_unusual(s);
	n = rows_at_once(s, c, g->end);
	if (tv_parquet_decode_block(s->p, c, n, &has_missing) < 0)
		return -1;
	g->first = g->end;
	g->end += n;
	return 0;
}

/* Rows row[0..n) of the group, of a column in arrays. */
static int gather(struct choosing *s, struct tv_parquet_cursor *c, struct gathered *g,
		  const uint32_t *row, uint32_t n)
{
	g->has_missing = false;
	for (uint32_t i = 0; i < n;) {
		if (row[i] >= g->end) {
			if (decode_next(s, c, g) < 0)
				return -1;
			continue;
		}
		for (; i < n && row[i] < g->end; i++) {
			size_t at = row[i] - g->first;

			g->missing[i] = c->missing[at];
			g->has_missing |= c->missing[at];
			if (c->numbers)
				g->number[i] = c->number[at];
			else
				g->word[i] = c->word[at];
		}
	}
	return 0;
}

/* The cell of the next one of the rows that are left. */
static int next_single(void *context, size_t column, struct tv_csv_cell *cell)
{
	struct choosing *s = context;
	struct gathered *g = &s->column[column];
	uint32_t row = s->row[g->taken++];
	int rc = 0;

	for (; rc == 0 && g->end <= row; g->end++)
		rc = tv_parquet_take_cell(s->p, &s->p->cursor[column], cell);
	return rc;
}

static int begin_column(struct choosing *s, size_t i)
{
	struct tv_parquet_cursor *c = &s->p->cursor[i];
	struct gathered *g = &s->column[i];

	begin(s, c);
	g->first = g->end = 0;
	g->taken = 0;
	if (tv_parquet_next_page(s->p, c) < 0)
		return -1;
	g->single = !tv_parquet_is_decoded(c);
	return 0;
}

/* All that a group has, so that nothing is wrong with it. */
static int end_column(struct choosing *s, size_t i)
{
	struct tv_parquet_cursor *c = &s->p->cursor[i];
	struct gathered *g = &s->column[i];
	struct tv_csv_cell cell;
	int rc = 0;

	for (; rc == 0 && g->single && g->end < s->rows; g->end++)
		rc = tv_parquet_take_cell(s->p, c, &cell);
	while (rc == 0 && g->end < s->rows)
		rc = decode_next(s, c, g);
	return rc < 0 ? -1 : tv_parquet_end_column(s->p, c);
}

/* Gives n of the rows that are left, from the one of that number on. */
static int give(struct choosing *s, size_t first, uint32_t n)
{
	struct tv_parquet *p = s->p;
	const struct tv_csv_block block = { .at = { p->in->path, p->row + 1 },
					    .n = n,
					    .column = s->cells,
					    .next = next_single,
					    .source = s };
	int rc;

	for (size_t i = 0; i < p->ncursors; i++) {
		struct gathered *g = &s->column[i];

		s->cells[i] = (struct tv_csv_cells){ 0 };
		if (p->cursor[i].skipped || g->single)
			continue;
		if (g->known) {
			s->cells[i] = (struct tv_csv_cells){ .word = s->zero,
							     .text = &g->text,
							     .label = &g->label,
							     .missing = g->text.missing ? s->all
											: NULL };
			continue;
		}
		if (gather(s, &p->cursor[i], g, s->row + first, n) < 0)
			return -1;
		s->cells[i] = tv_parquet_cells_of(&p->cursor[i], g->number, g->word,
						  g->has_missing ? g->missing : NULL, n);
		if (s->cells[i].number == NULL && s->cells[i].word == NULL)
			return fail_unusual(s);
	}
	rc = s->to->block(s->to->context, &block, p->err);
	return rc == 0 ? fail_unusual(s) : rc < 0 ? -1 : 0;
}

static bool is_decoded(const struct choosing *s, size_t i)
{
	return !s->p->cursor[i].skipped && !s->column[i].known;
}

static int give_group(struct choosing *s, bool whole)
{
	struct tv_parquet *p = s->p;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < p->ncursors; i++)
		rc = is_decoded(s, i) ? begin_column(s, i) : 0;
	for (size_t at = 0, n; rc == 0 && at < s->nrows; at += n) {
		n = s->nrows - at < TV_PARQUET_BLOCK ? s->nrows - at : TV_PARQUET_BLOCK;
		rc = give(s, at, (uint32_t)n);
	}
	for (size_t i = 0; rc == 0 && whole && i < p->ncursors; i++)
		rc = is_decoded(s, i) ? end_column(s, i) : 0;
	return rc;
}

/* Finds the rows of a group that are to be given. */
static int choose_rows(struct choosing *s, bool sample)
{
	int may = 1, rc = 0;

	s->nrows = 0;
	for (; sample && s->nrows < SAMPLE && s->nrows < s->rows; s->nrows++) {
		TV_GROW(s->row, s->nrows, s->cap, 1);
		s->row[s->nrows] = (uint32_t)s->nrows;
	}
	for (size_t i = 0; may > 0 && i < s->ntests; i++)
		may = may_hold(s, &s->test[i]);
	for (size_t i = 0; may > 0 && rc == 0 && i < s->ntests && (i == 0 || s->nrows > 0); i++)
		rc = test_rows(s, &s->test[i]);
	return may < 0 || rc < 0 ? -1 : 0;
}

static void release(struct choosing *s)
{
	for (size_t i = 0; i < s->ntests; i++)
		tv_free(s->test[i].is);
	for (size_t i = 0; i < s->p->ncursors; i++) {
		tv_free(s->column[i].number);
		tv_free(s->column[i].word);
		tv_free(s->column[i].missing);
	}
	tv_free(s->test);
	tv_free(s->row);
	tv_free(s->column);
	tv_free(s->cells);
	tv_free(s);
}

static struct choosing *new_choosing(struct tv_parquet *p, const struct tv_csv_taker *to,
				     const struct tv_row_choice *choice)
{
	struct choosing *s = tv_alloc(1, sizeof *s);

	*s = (struct choosing){ .p = p, .to = to };
	s->column = tv_alloc(p->ncursors, sizeof *s->column);
	s->cells = tv_alloc(p->ncursors, sizeof *s->cells);
	for (size_t i = 0; i < p->ncursors; i++) {
		const struct tv_parquet_cursor *c = &p->cursor[i];

		if (c->numbers)
			s->column[i].number = tv_alloc(TV_PARQUET_BLOCK, sizeof(int64_t));
		if (c->words)
			s->column[i].word = tv_alloc(TV_PARQUET_BLOCK, sizeof(uint32_t));
		if (c->numbers || c->words)
			s->column[i].missing = tv_alloc(TV_PARQUET_BLOCK, sizeof(bool));
	}
	s->asked = find_tests(s, choice);
	memset(s->all, true, sizeof s->all);
	for (size_t i = 0; i < p->ncursors; i++)
		s->column[i].known = is_known(s, &p->cursor[i], &s->column[i]);
	return s;
}

int tv_parquet_give_choice(struct tv_parquet *p, const struct tv_csv_taker *to,
			   const struct tv_row_choice *choice)
{
	struct choosing *s = new_choosing(p, to, choice);
	int rc = to->block == NULL || !p->trace->native || !s->asked ? fail_unusual(s) : 0;

	p->omit = tv_alloc(p->footer.ngroups, sizeof *p->omit);
	for (; rc == 0 && p->group < p->footer.ngroups; p->group++) {
		s->rows = (uint64_t)p->footer.rows[p->group];
		if (s->rows > UINT32_MAX)
			rc = fail_unusual(s);
		if (rc == 0 && s->rows > 0)
			rc = choose_rows(s, choice->sample);
		p->omit[p->group] = s->rows == 0 || s->nrows == 0;
		if (rc == 0 && !p->omit[p->group])
			rc = give_group(s, !choice->sample);
		p->row += p->footer.rows[p->group];
		if (choice->sample && !p->omit[p->group])
			break;
	}
	release(s);
	return rc;
}
