/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cells.c -- the values of columns, one row after the other: as cells, or set in a table. */
#include "convert/parquet/pages.h"
#include "trace/alloc.h"

/* Text of a column in all, as of a column in memory. */
#define TEXT_MAX ((uint64_t)4 << 30)

/* ---- levels ---- */

/* Of both kinds; those that there is one of are 0. */
static bool take_levels(struct tv_parquet_cursor *c, size_t n)
{
	struct tv_hybrid level[2] = { c->level[0], c->level[1] };

	if (c->column->repeated > 0 && !tv_hybrid_take(&level[REPETITION], c->known[REPETITION], n))
		return false;
	if (c->column->present > 0 && !tv_hybrid_take(&level[DEFINITION], c->known[DEFINITION], n))
		return false;
	memcpy(c->level, level, sizeof level);
	c->nknown = n;
	c->known_at = 0;
	return true;
}

/* The levels of the next entry, which stays the next one until c->ahead is reset. */
static inline int look_ahead(struct tv_parquet *p, struct tv_parquet_cursor *c)
{
	size_t some;

	if (c->ahead)
		return 0;
	if (c->entries == 0 && tv_parquet_next_page(p, c) < 0)
		return -1;
	some = c->entries < TV_PARQUET_LEVELS ? (size_t)c->entries : TV_PARQUET_LEVELS;
	/* Of a page that ends early all levels that it has count. */
	if (c->known_at == c->nknown && !take_levels(c, some) && !take_levels(c, 1))
		return tv_parquet_fail(p, c, "the levels of a page end early or make no sense");
	c->entries--;
	c->next_level[REPETITION] = c->known[REPETITION][c->known_at];
	c->next_level[DEFINITION] = c->known[DEFINITION][c->known_at++];
	if (c->next_level[REPETITION] > c->column->repeated
	    || c->next_level[DEFINITION] > c->column->present)
		return tv_parquet_fail(p, c, "the levels of a page end early or make no sense");
	c->ahead = true;
	return 0;
}

/* ---- values ---- */

static int add_text(const struct tv_parquet *p, struct tv_parquet_cursor *c, size_t n)
{
	c->text += n;
	if (c->text > TEXT_MAX)
		return tv_fail_at(p->err, (struct tv_pos){ p->in->path, p->row },
				  "column %s has more than 4 GB of text, which is the limit",
				  c->column->name);
	return 0;
}

int tv_parquet_cell(struct tv_parquet *p, struct tv_parquet_cursor *c,
		    const struct tv_parquet_value *value, struct tv_csv_cell *cell)
{
	if (c->is_time) {
		memcpy(c->digits, &value->i, sizeof value->i);
		*cell = (struct tv_csv_cell){ c->digits, sizeof value->i, false, true };
		return 0;
	}
	if (!tv_parquet_text(c->column, value, c->digits, cell))
		return tv_parquet_fail(p, c, "a number of more than 128 bits or without any");
	return add_text(p, c, cell->n);
}

static int take_value(struct tv_parquet *p, struct tv_parquet_cursor *c,
		      struct tv_parquet_value *value)
{
	if (!tv_parquet_decode(&c->decoder, value))
		return tv_parquet_fail(p, c, "the values of a page end early or make no sense");
	if (c->chunk.bounded && (value->i < c->chunk.min || value->i > c->chunk.max))
		return tv_parquet_fail(p, c, "a value that is not within the statistics");
	return 0;
}

/* The value of the entry, as text. */
static int take_text(struct tv_parquet *p, struct tv_parquet_cursor *c, struct tv_csv_cell *cell)
{
	struct tv_parquet_value value;

	return take_value(p, c, &value) < 0 ? -1 : tv_parquet_cell(p, c, &value, cell);
}

/* ---- lists ---- */

/* The elements of a list: as text with blanks between, or by label. */
struct elements {
	struct tv_pool *pool; /* NULL = as text */
	size_t length;	      /* of that text */
};

static int take_element(struct tv_parquet *p, struct tv_parquet_cursor *c, struct elements *to)
{
	struct tv_csv_cell element;

	if (take_text(p, c, &element) < 0)
		return -1;
	if (element.n == 0 || memchr(element.text, ' ', element.n) != NULL)
		return tv_fail_at(p->err, (struct tv_pos){ p->in->path, p->row },
				  "column %s has an element that is empty or has a blank, expected "
				  "names without",
				  c->column->name);
	to->length += element.n + (to->length > 0);
	if (to->length > TV_LINE_MAX)
		return tv_fail_at(p->err, (struct tv_pos){ p->in->path, p->row },
				  "row longer than %zu MiB, which is the limit", TV_LINE_MAX >> 20);
	if (to->pool != NULL) {
		TV_GROW(c->element, c->nelements, c->elements_cap, 1);
		c->element[c->nelements++] = tv_intern(to->pool, element.text, element.n);
		return 0;
	}
	TV_GROW(c->list, c->nlist, c->list_cap, element.n + 1);
	if (c->nlist > 0)
		c->list[c->nlist++] = ' ';
	memcpy(c->list + c->nlist, element.text, element.n);
	c->nlist += element.n;
	return 0;
}

/* The list that begins with the entry ahead. */
static int take_list(struct tv_parquet *p, struct tv_parquet_cursor *c, struct elements *to,
		     bool *missing)
{
	uint32_t level = c->next_level[DEFINITION];

	if (c->next_level[REPETITION] != 0)
		return tv_parquet_fail(p, c, "a list that begins in the middle");
	c->nlist = c->nelements = 0;
	*missing = level < c->column->empty;
	c->ahead = false;
	if (level <= c->column->empty && level < c->column->present)
		return 0;
	for (;;) {
		if (level < c->column->present)
			return tv_fail_at(p->err, (struct tv_pos){ p->in->path, p->row },
					  "column %s has a missing element, expected none",
					  c->column->name);
		if (take_element(p, c, to) < 0)
			return -1;
		if (c->entries == 0 && c->left == 0)
			break;
		if (look_ahead(p, c) < 0)
			return -1;
		if (c->next_level[REPETITION] == 0)
			break;
		level = c->next_level[DEFINITION];
		c->ahead = false;
	}
	*missing = false;
	return 0;
}

/* ---- rows ---- */

/* Whether the entry ahead, which is then the last one, has a value; -1: it must have one. */
static int has_value(struct tv_parquet *p, struct tv_parquet_cursor *c)
{
	c->ahead = false;
	if (c->next_level[DEFINITION] == c->column->present)
		return 1;
	return c->chunk.nulls == 0
		     ? tv_parquet_fail(p, c, "a missing value that is not in the statistics")
		     : 0;
}

int tv_parquet_take_cell(struct tv_parquet *p, struct tv_parquet_cursor *c,
			 struct tv_csv_cell *cell)
{
	struct elements text = { 0 };
	int rc;

	if (c->nrows > 0)
		return tv_parquet_cell_of_block(p, c, cell);
	if (look_ahead(p, c) < 0)
		return -1;
	*cell = (struct tv_csv_cell){ "", 0, true, false };
	if (c->column->list) {
		if (take_list(p, c, &text, &cell->missing) < 0)
			return -1;
		cell->text = c->nlist > 0 ? c->list : "";
		cell->n = c->nlist;
		return 0;
	}
	rc = has_value(p, c);
	return rc <= 0 ? rc : take_text(p, c, cell);
}

static int set_list(struct tv_parquet *p, struct tv_parquet_cursor *c, struct tv_column *to,
		    uint32_t row)
{
	struct elements labels = { .pool = to->pool };
	bool missing;

	if (look_ahead(p, c) < 0 || take_list(p, c, &labels, &missing) < 0)
		return -1;
	if (!missing)
		tv_set_list(to, row, c->element, c->nelements);
	return 0;
}

static int set_text(struct tv_parquet *p, struct tv_parquet_cursor *c, struct tv_column *to,
		    uint32_t row)
{
	struct tv_csv_cell cell;
	int rc;

	if (look_ahead(p, c) < 0)
		return -1;
	rc = has_value(p, c);
	if (rc > 0 && take_text(p, c, &cell) < 0)
		return -1;
	if (rc > 0)
		tv_set_string(to, row, cell.text, cell.n);
	return rc < 0 ? -1 : 0;
}

int tv_parquet_set(struct tv_parquet *p, struct tv_parquet_cursor *c, struct tv_column *to,
		   uint32_t row, uint32_t n)
{
	const bool list = c->column->list;

	if (c->nrows > 0 || c->column->kind != TV_KIND_TEXT
	    || to->type != (list ? TV_LIST : TV_LABEL))
		return 0;
	for (uint32_t i = 0; i < n; i++) {
		p->row++;
		if ((list ? set_list : set_text)(p, c, to, row + i) < 0)
			return -1;
	}
	return 1;
}
