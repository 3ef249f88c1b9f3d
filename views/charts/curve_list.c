/* SPDX-License-Identifier: GPL-3.0-or-later */
/* curve_list.c -- all curves of a pass's result, and the texts that titles and keys say of one. */
#include "views/charts/curve_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/text.h"
#include "trace/units.h"

static const double *values_of(struct tv_curve_list *list, const struct tv_column *column,
			       uint32_t n)
{
	double unit = column->type == TV_TIME ? 1e6 : 1;

	if (column->type == TV_DOUBLE)
		return column->d;
	list->value = tv_alloc(n, sizeof *list->value);
	for (uint32_t row = 0; row < n; row++)
		list->value[row] = (double)column->i[row] / unit;
	return list->value;
}

void tv_curve_list_init(struct tv_curve_list *list, const struct tv_table *table, const char *by,
			const char *value)
{
	const struct tv_column *name = tv_table_find(table, "Curve"),
			       *group = tv_table_find(table, by);
	const int64_t *start = tv_table_find(table, "Start")->i,
		      *end = tv_table_find(table, "End")->i;
	const double *values;
	size_t cap = 0;

	*list = (struct tv_curve_list){ .at = NULL };
	values = values_of(list, tv_table_find(table, value), table->nrows);
	for (uint32_t row = 0; row < table->nrows; row++) {
		struct tv_curve *last = list->n > 0 ? &list->at[list->n - 1] : NULL;

		if (last == NULL || last->name != tv_cell_label(name, row)
		    || last->by != tv_label(group, row)) {
			TV_GROW(list->at, list->n, cap, 1);
			last = &list->at[list->n];
			*last = (struct tv_curve){
				.name = tv_cell_label(name, row),
				.by = tv_label(group, row),
				.pieces = { start + row, end + row, values + row, 0, NULL },
				.place = (uint32_t)list->n,
			};
			list->n++;
		}
		last->pieces.n++;
	}
}

void tv_curve_list_keep(struct tv_curve_list *list, const struct tv_table *table, const char *name)
{
	uint32_t wanted = tv_pool_find_text(table->pool, name);
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++)
		if (list->at[i].name == wanted)
			list->at[n++] = list->at[i];
	list->n = n;
}

void tv_curve_list_measure(struct tv_curve_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		const struct tv_pieces *pieces = &list->at[i].pieces;
		size_t peak = 0;

		for (size_t k = 1; k < pieces->n; k++)
			peak = pieces->value[k] > pieces->value[peak] ? k : peak;
		list->at[i].extent = tv_pieces_extent(pieces, INT64_MIN, INT64_MAX);
		list->at[i].peak = pieces->start[peak];
	}
}

bool tv_curve_list_several(const struct tv_curve_list *list)
{
	for (size_t i = 1; i < list->n; i++)
		if (list->at[i].name != list->at[0].name)
			return true;
	return false;
}

TV_ORDER(by_mean, struct tv_curve, down(extent.mean), place)
TV_ORDER(by_max, struct tv_curve, down(extent.max), place)
TV_ORDER(by_place, struct tv_curve, place)

void tv_curve_list_by_mean(struct tv_curve_list *list)
{
	qsort(list->at, list->n, sizeof *list->at, by_mean);
}

void tv_curve_list_by_max(struct tv_curve_list *list)
{
	qsort(list->at, list->n, sizeof *list->at, by_max);
}

void tv_curve_list_by_place(struct tv_curve_list *list)
{
	qsort(list->at, list->n, sizeof *list->at, by_place);
}

void tv_curve_list_release(struct tv_curve_list *list, double **value)
{
	if (value != NULL)
		*value = list->value;
	else
		tv_free(list->value);
	tv_free(list->at);
}

/* The value of a field, "mean:1", as text. */
static void write_value(char *out, size_t size, const char *field, double value)
{
	char digits = field[strcspn(field, ":}")] == ':' ? field[strcspn(field, ":") + 1] : '\0';

	if (digits == '\0')
		tv_number_text(out, size, value);
	else if (digits != 'r')
		snprintf(out, size, "%.*f", digits - '0', value);
	else /* of a rate: four digits, or all those before the point */
		snprintf(out, size, "%.*f",
			 value < 10	? 3
			 : value < 100	? 2
			 : value < 1000 ? 1
					: 0,
			 value);
}

/* Of MB/s over ns. */
static double bytes_of(const struct tv_curve *curve)
{
	const struct tv_pieces *p = &curve->pieces;

	return curve->extent.mean * ((double)p->end[p->n - 1] - (double)p->start[0]) / 1e3;
}

/* A field, "mean:1": a number is kept under its name. */
static const char *field_text(const struct tv_printed *printed, const char *field, const char *name,
			      const struct tv_curve *curve, const char *unit)
{
	char text[48];

	switch (field[0]) {
	case 'n':
		return name;
	case 'b':
		tv_bytes_text(text, sizeof text, bytes_of(curve));
		return tv_print_number(printed, "Bytes", name, NULL, "%s", text);
	case 't':
		tv_time_text(text, sizeof text, curve->peak, NULL);
		return tv_print_number(printed, "PeakTime", name, NULL, "%s", text);
	case 'p':
		write_value(text, sizeof text, field, curve->extent.max);
		return tv_print_number(printed, "Peak", name, unit, "%s", text);
	default:
		write_value(text, sizeof text, field,
			    field[1] == 'e' ? curve->extent.mean : curve->extent.max);
		return tv_print_number(printed, field[1] == 'e' ? "Mean" : "Max", name, unit, "%s",
				       text);
	}
}

char *tv_curve_text(const struct tv_printed *printed, const char *pattern, const char *name,
		    const struct tv_curve *curve, const char *unit)
{
	char *text = tv_strdup("");

	while (*pattern != '\0') {
		size_t n = strcspn(pattern, "{");

		tv_append(&text, "%.*s", (int)n, pattern);
		pattern += n;
		if (*pattern == '\0')
			break;
		tv_append(&text, "%s", field_text(printed, pattern + 1, name, curve, unit));
		pattern += strcspn(pattern, "}") + 1;
	}
	return text;
}
