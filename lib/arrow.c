/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * arrow.c -- a table as Arrow's C data interface (the structs and their rules: Arrow's specification
 * "The Arrow C data interface").
 *
 * Each array, also a child, owns a share of the table, as a consumer may move children away and
 * release them by themselves.
 */
#include "include/traceviz/arrow.h"

#include <string.h>

#include "lib/guard.h"
#include "lib/result.h"
#include "trace/alloc.h"

enum { BUFFERS_MAX = 3 };

/* ---- schemas ---- */

static void release_schema(struct ArrowSchema *schema)
{
	for (int64_t i = 0; i < schema->n_children; i++) {
		if (schema->children[i]->release != NULL)
			schema->children[i]->release(schema->children[i]);
		tv_free(schema->children[i]);
	}
	if (schema->dictionary != NULL && schema->dictionary->release != NULL)
		schema->dictionary->release(schema->dictionary);
	tv_free(schema->dictionary);
	tv_free(schema->children);
	tv_free((char *)schema->name);
	tv_free((char *)schema->metadata);
	schema->release = NULL;
}

/* format: static. */
static void init_schema(struct ArrowSchema *schema, const char *format, const char *name,
			size_t nchildren)
{
	*schema = (struct ArrowSchema){ .format = format,
					.name = tv_strdup(name),
					.flags = ARROW_FLAG_NULLABLE,
					.n_children = (int64_t)nchildren,
					.release = release_schema };
	schema->children = tv_alloc(nchildren, sizeof *schema->children);
	for (size_t i = 0; i < nchildren; i++)
		schema->children[i] = tv_alloc(1, sizeof **schema->children);
}

static void add_number(char **at, size_t number)
{
	int32_t n = (int32_t)number;

	memcpy(*at, &n, sizeof n);
	*at += sizeof n;
}

static void add_text(char **at, const char *text)
{
	size_t n = strlen(text);

	add_number(at, n);
	memcpy(*at, text, n);
	*at += n;
}

/* Pairs of texts, each behind its length, behind their number. */
static char *make_metadata(const struct tv_result_column *column)
{
	char *metadata = tv_alloc(64 + strlen(column->unit) + strlen(column->meaning), 1);
	char *at = metadata;

	add_number(&at, 2);
	add_text(&at, "unit");
	add_text(&at, column->unit);
	add_text(&at, "meaning");
	add_text(&at, column->meaning);
	return metadata;
}

static const char *text_format(bool utf8)
{
	return utf8 ? "U" : "Z";
}

static void make_labels_schema(struct ArrowSchema *schema, const char *name,
			       const struct tv_dictionary *label)
{
	init_schema(schema, "i", name, 0);
	schema->dictionary = tv_alloc(1, sizeof *schema->dictionary);
	init_schema(schema->dictionary, text_format(label->utf8), "", 0);
}

static void make_column_schema(struct ArrowSchema *schema, const struct tv_result_column *column)
{
	switch (column->type) {
	case TV_TIME:
		init_schema(schema, "tDn", column->name, 0);
		break;
	case TV_INT:
		init_schema(schema, "l", column->name, 0);
		break;
	case TV_DOUBLE:
		init_schema(schema, "g", column->name, 0);
		break;
	case TV_LABEL:
		make_labels_schema(schema, column->name, &column->label);
		break;
	case TV_TEXT:
		init_schema(schema, text_format(column->utf8), column->name, 0);
		break;
	case TV_LIST:
		init_schema(schema, "+L", column->name, 1);
		make_labels_schema(schema->children[0], "item", &column->label);
		break;
	}
	schema->metadata = make_metadata(column);
}

/* ---- arrays ---- */

static void release_array(struct ArrowArray *array)
{
	for (int64_t i = 0; i < array->n_children; i++) {
		if (array->children[i]->release != NULL)
			array->children[i]->release(array->children[i]);
		tv_free(array->children[i]);
	}
	if (array->dictionary != NULL && array->dictionary->release != NULL)
		array->dictionary->release(array->dictionary);
	tv_free(array->dictionary);
	tv_free(array->children);
	tv_free(array->buffers);
	tv_result_table_free(array->private_data);
	array->release = NULL;
}

static void init_array(struct ArrowArray *array, struct tv_result_table *table, size_t length,
		       size_t nchildren)
{
	*array = (struct ArrowArray){ .length = (int64_t)length,
				      .n_children = (int64_t)nchildren,
				      .release = release_array,
				      .private_data = tv_result_table_share(table) };
	array->buffers = tv_alloc(BUFFERS_MAX, sizeof *array->buffers);
	array->children = tv_alloc(nchildren, sizeof *array->children);
	for (size_t i = 0; i < nchildren; i++)
		array->children[i] = tv_alloc(1, sizeof **array->children);
}

/* The buffers behind the bitmap. */
static void set_buffers(struct ArrowArray *array, const void *first, const void *second)
{
	array->buffers[1] = first;
	array->buffers[2] = second;
	array->n_buffers = second != NULL ? 3 : 2;
}

static void make_labels_array(struct ArrowArray *array, struct tv_result_table *table,
			      const struct tv_result_column *column, size_t length)
{
	init_array(array, table, length, 0);
	set_buffers(array, column->data, NULL);
	array->dictionary = tv_alloc(1, sizeof *array->dictionary);
	init_array(array->dictionary, table, column->label.n, 0);
	set_buffers(array->dictionary, column->label.offset, column->label.bytes);
}

static void make_column_array(struct ArrowArray *array, struct tv_result_table *table,
			      const struct tv_result_column *column)
{
	size_t n = table->nrows;

	if (column->type == TV_LABEL) {
		make_labels_array(array, table, column, n);
	} else if (column->type == TV_LIST) {
		init_array(array, table, n, 1);
		set_buffers(array, column->offset, NULL);
		make_labels_array(array->children[0], table, column, (size_t)column->offset[n]);
	} else {
		init_array(array, table, n, 0);
		set_buffers(array, column->offset != NULL ? (void *)column->offset : column->data,
			    column->offset != NULL ? column->data : NULL);
	}
	array->buffers[0] = column->valid;
	array->null_count = column->missing;
}

/* ---- both ---- */

struct export
{
	struct tv_result_table *table;
	struct ArrowSchema *schema;
	struct ArrowArray *array;
};

static void make(void *context)
{
	struct export *to = context;
	struct tv_result_table *table = to->table;

	init_schema(to->schema, "+s", "", table->ncols);
	to->schema->flags = 0;
	init_array(to->array, table, table->nrows, table->ncols);
	to->array->n_buffers = 1;
	for (size_t i = 0; i < table->ncols; i++) {
		make_column_schema(to->schema->children[i], &table->col[i]);
		make_column_array(to->array->children[i], table, &table->col[i]);
	}
}

int traceviz_export_arrow(const traceviz_result *result, struct ArrowSchema *schema,
			  struct ArrowArray *array)
{
	struct export to = { result->table, schema, array };
	struct tv_error err = { 0 };

	return to.table != NULL && tv_guard(make, &to, &err) ? 0 : -1;
}
