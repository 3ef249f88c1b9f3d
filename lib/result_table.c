/* SPDX-License-Identifier: GPL-3.0-or-later */
/* result_table.c -- copies the rows of a table into columns as Arrow has them. */
#include <string.h>

#include "lib/result.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/text.h"

/* The rows that are copied. */
struct taken {
	const uint32_t *rows; /* NULL = all */
	uint32_t n;
};

static uint32_t row_of(const struct taken *taken, uint32_t i)
{
	return taken->rows != NULL ? taken->rows[i] : i;
}

static bool is_utf8(const char *s, size_t n)
{
	for (size_t i = 0, length; i < n; i += length)
		if ((length = tv_utf8_length(s + i, n - i)) == 0)
			return false;
	return true;
}

/* ---- dictionaries ---- */

/* Labels by their number in the pool, as they appear. */
struct labels {
	const struct tv_pool *pool;
	struct tv_index number;
	uint32_t *label;
	size_t n, cap;
};

static int32_t number_of(struct labels *labels, uint32_t label)
{
	uint32_t number = tv_index_get(&labels->number, label);

	if (number == TV_NONE) {
		number = (uint32_t)labels->n;
		tv_index_set(&labels->number, label, number);
		TV_GROW(labels->label, labels->n, labels->cap, 1);
		labels->label[labels->n++] = label;
	}
	return (int32_t)number;
}

static void make_dictionary(struct tv_dictionary *to, struct labels *labels)
{
	size_t bytes = 0;

	for (size_t i = 0; i < labels->n; i++)
		bytes += tv_pool_length(labels->pool, labels->label[i]);
	*to = (struct tv_dictionary){ tv_alloc(bytes, 1), tv_alloc(bytes + labels->n, 1),
				      tv_alloc(labels->n + 1, sizeof *to->offset), labels->n,
				      true };
	for (size_t i = 0, at = 0; i < labels->n; i++) {
		size_t n;
		const char *text = tv_pool_string(labels->pool, labels->label[i], &n);

		memcpy(to->bytes + at, text, n);
		memcpy(to->closed + at + i, text, n);
		to->utf8 = to->utf8 && is_utf8(text, n);
		at += n;
		to->offset[i + 1] = (int64_t)at;
	}
	tv_free(labels->number.at);
	tv_free(labels->label);
}

/* ---- columns ---- */

static void copy_numbers(struct tv_result_column *to, const struct tv_column *from,
			 const struct taken *taken)
{
	int64_t *number = tv_alloc(taken->n, sizeof *number); /* of doubles the bits */

	for (uint32_t i = 0; i < taken->n; i++)
		if (!tv_missing(from, row_of(taken, i)))
			number[i] = tv_number(from, row_of(taken, i));
	to->data = number;
}

static void copy_labels(struct tv_result_column *to, const struct tv_column *from,
			const struct taken *taken)
{
	struct labels labels = { .pool = from->pool };
	int32_t *number = tv_alloc(taken->n, sizeof *number);

	for (uint32_t i = 0; i < taken->n; i++)
		if (!tv_missing(from, row_of(taken, i)))
			number[i] = number_of(&labels, tv_label(from, row_of(taken, i)));
	to->data = number;
	make_dictionary(&to->label, &labels);
}

static void copy_lists(struct tv_result_column *to, const struct tv_column *from,
		       const struct taken *taken)
{
	struct labels labels = { .pool = from->pool };
	int32_t *number = NULL;
	size_t used = 0, cap = 0;

	to->offset = tv_alloc((size_t)taken->n + 1, sizeof *to->offset);
	for (uint32_t i = 0; i < taken->n; i++) {
		uint32_t n;
		const uint32_t *item = tv_list(from, row_of(taken, i), &n);

		TV_GROW(number, used, cap, n);
		for (uint32_t k = 0; k < n; k++)
			number[used++] = number_of(&labels, item[k]);
		to->offset[i + 1] = (int64_t)used;
	}
	to->data = number != NULL ? number : tv_alloc(0, 1);
	make_dictionary(&to->label, &labels);
}

static void copy_texts(struct tv_result_column *to, const struct tv_column *from,
		       const struct taken *taken)
{
	char *bytes = NULL;
	size_t used = 0, cap = 0;

	to->offset = tv_alloc((size_t)taken->n + 1, sizeof *to->offset);
	to->utf8 = true;
	for (uint32_t i = 0; i < taken->n; i++) {
		size_t n;
		const char *text = tv_string(from, row_of(taken, i), &n);

		TV_GROW(bytes, used, cap, n);
		if (n > 0)
			memcpy(bytes + used, text, n);
		used += n;
		to->utf8 = to->utf8 && is_utf8(text, n);
		to->offset[i + 1] = (int64_t)used;
	}
	to->data = bytes != NULL ? bytes : tv_alloc(0, 1);
}

static void copy_valid(struct tv_result_column *to, const struct tv_column *from,
		       const struct taken *taken)
{
	if (from->valid == NULL)
		return;
	to->valid = tv_alloc((size_t)taken->n / 8 + 1, 1);
	for (uint32_t i = 0; i < taken->n; i++)
		if (tv_missing(from, row_of(taken, i)))
			to->missing++;
		else
			to->valid[i / 8] |= (uint8_t)(1u << i % 8);
}

static void copy_column(struct tv_result_column *to, const struct tv_verb *verb,
			const struct tv_column *from, const struct taken *taken)
{
	static void (*const copy[])(struct tv_result_column *, const struct tv_column *,
				    const struct taken *) = {
		[TV_TIME] = copy_numbers, [TV_INT] = copy_numbers, [TV_DOUBLE] = copy_numbers,
		[TV_LABEL] = copy_labels, [TV_TEXT] = copy_texts,  [TV_LIST] = copy_lists,
	};
	const struct tv_field *field = tv_written_field(verb, from->name);

	to->name = tv_strdup(from->name);
	to->type = from->type;
	to->unit = from->type == TV_TIME ? "ns" : field != NULL ? field->unit : "";
	to->meaning = field != NULL ? field->meaning : "";
	copy[from->type](to, from, taken);
	copy_valid(to, from, taken);
}

struct tv_result_table *tv_result_table_new(const struct tv_verb *verb,
					    const struct tv_table *table, const uint32_t *rows,
					    uint32_t n)
{
	struct tv_result_table *result = tv_alloc(1, sizeof *result);
	const struct taken taken = { rows, n };

	result->owners = 1;
	result->nrows = n;
	result->col = tv_alloc(table->ncols, sizeof *result->col);
	for (size_t i = 0; i < table->ncols; i++)
		if (!table->col[i]->derived)
			copy_column(&result->col[result->ncols++], verb, table->col[i], &taken);
	return result;
}

struct tv_result_table *tv_result_table_share(struct tv_result_table *table)
{
	atomic_fetch_add(&table->owners, 1);
	return table;
}

void tv_result_table_free(struct tv_result_table *table)
{
	if (table == NULL || atomic_fetch_sub(&table->owners, 1) > 1)
		return;
	for (size_t i = 0; i < table->ncols; i++) {
		struct tv_result_column *column = &table->col[i];

		tv_free(column->name);
		tv_free(column->data);
		tv_free(column->offset);
		tv_free(column->valid);
		tv_free(column->label.bytes);
		tv_free(column->label.closed);
		tv_free(column->label.offset);
	}
	tv_free(table->col);
	tv_free(table);
}
