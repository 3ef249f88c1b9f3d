/* SPDX-License-Identifier: GPL-3.0-or-later */
/* readings.c -- the values of variables over time, sorted. */
#include "analysis/core/readings.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/core/instead.h"
#include "analysis/core/steps.h"
#include "trace/alloc.h"
#include "trace/near_names.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* Whether a label matches, looked up once per label instead of once per row. */
enum { UNKNOWN, MATCHES, DIFFERS };

/* A reading with the names that it sorts by. */
struct sorted {
	const char *type, *resource;
	struct tv_reading reading;
};

static int by_place(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;
	const struct tv_reading *p = &x->reading, *q = &y->reading;
	int order = 0;

	if (p->type != q->type)
		order = tv_natural_order(x->type, y->type);
	if (order == 0 && p->resource != q->resource)
		order = tv_natural_order(x->resource, y->resource);
	if (order == 0)
		order = TV_COMPARE(p->start, q->start);
	return order != 0 ? order : TV_COMPARE(p->row, q->row);
}

static int none_matches(const struct tv_tasks *tasks, const uint8_t *is, uint32_t nlabels,
			const char *pattern, struct tv_error *err)
{
	struct tv_name_list names = { .n = 0 };

	for (uint32_t i = 0; i < nlabels; i++)
		if (is[i] != UNKNOWN)
			tv_name_list_quote(&names, tv_pool_text(tasks->pool, i));
	if (names.n == 0)
		return tv_fail_lacks(
			err, tasks->trace,
			"no variable '%s': the trace has none (table variables; a single CSV "
			"has none: see --with)",
			pattern);
	if (pattern[0] == '\0')
		return tv_fail(err,
			       "no variable is chosen (NAME; of the panel counter "
			       "--counter.name), expected one of %s",
			       tv_name_list_text(&names));
	return tv_fail(err, "no variable '%s', expected one of %s", pattern,
		       tv_name_list_text(&names));
}

static void collect(const struct tv_tasks *tasks, const char *pattern, uint8_t *is,
		    struct sorted **found, size_t *n)
{
	const struct tv_table *table = tv_trace_table(tasks->trace, TV_VARIABLES);
	const struct tv_column *type = tv_table_find(table, "Type");
	const struct tv_column *resource = tv_table_find(table, "ResourceId");
	const struct tv_column *start = tv_table_find(table, "Start");
	const struct tv_column *end = tv_table_find(table, "End");
	const struct tv_column *value = tv_table_find(table, "Value");
	size_t cap = 0;

	for (uint32_t row = 0; row < table->nrows; row++) {
		uint32_t label = tv_label(type, row);

		if (label == TV_NONE || tv_missing(start, row) || tv_missing(end, row)
		    || tv_missing(value, row))
			continue;
		if (is[label] == UNKNOWN)
			is[label] = tv_glob(pattern, tv_pool_text(tasks->pool, label)) ? MATCHES
										       : DIFFERS;
		if (is[label] == DIFFERS)
			continue;
		TV_GROW(*found, *n, cap, 1);
		(*found)[(*n)++] = (struct sorted){
			tv_pool_text(tasks->pool, label),
			tv_pool_text(tasks->pool, tv_label(resource, row)),
			{ label, tv_label(resource, row), row, start->i[row], end->i[row],
			  end->i[row], value->d[row] },
		};
	}
}

/* The readings in order, each ending where the next of the same variable begins, if not before. */
static struct tv_reading *in_order(struct sorted *found, size_t n)
{
	struct tv_reading *readings = tv_alloc(n, sizeof *readings);

	qsort(found, n, sizeof *found, by_place);
	for (size_t i = 0; i < n; i++) {
		const struct tv_reading *next = i + 1 < n ? &found[i + 1].reading : NULL;

		readings[i] = found[i].reading;
		if (next != NULL && next->type == readings[i].type
		    && next->resource == readings[i].resource && next->start < readings[i].end)
			readings[i].end = next->start;
	}
	return readings;
}

int tv_readings(const struct tv_tasks *tasks, const char *pattern, struct tv_reading **readings,
		size_t *n, struct tv_error *err)
{
	uint32_t nlabels = tv_pool_count(tasks->pool);
	uint8_t *is = tv_alloc(nlabels, 1);
	struct sorted *found = NULL;
	int rc = 0;

	*readings = NULL;
	*n = 0;
	collect(tasks, pattern, is, &found, n);
	if (*n == 0)
		rc = none_matches(tasks, is, nlabels, pattern, err);
	else
		*readings = in_order(found, *n);
	tv_free(is);
	tv_free(found);
	return rc;
}

/* ---- counts ---- */

struct list {
	struct tv_reading *at;
	size_t n, cap;
};

static void append(struct list *to, struct tv_reading r, int64_t start, int64_t end, double value)
{
	r.start = start;
	r.end = r.until = end;
	r.value = value;
	TV_GROW(to->at, to->n, to->cap, 1);
	to->at[to->n++] = r;
}

/* r[0..n): counts of one variable and object until `end`, without a gap. */
static int cut_counts(struct list *to, const struct tv_reading *r, size_t n, int64_t end,
		      struct tv_error *err)
{
	struct tv_steps steps;
	struct tv_sum sum;
	int rc = 0;

	tv_sum_init(&sum, r[0].start, end);
	for (size_t i = 0; i < n && rc == 0; i++)
		rc = tv_sum_add(&sum, r[i].start, r[i].until,
				r[i].value / ((double)(r[i].until - r[i].start) / 1e6), err);
	tv_sum_steps(&sum, &steps);
	for (size_t i = 0; i < steps.n; i++)
		append(to, r[0], steps.time[i], steps.time[i + 1],
		       steps.value[i] * ((double)(steps.time[i + 1] - steps.time[i]) / 1e6));
	tv_steps_release(&steps);
	tv_sum_release(&sum);
	return rc;
}

int tv_readings_add_up(struct tv_reading **readings, size_t *n, struct tv_error *err)
{
	const struct tv_reading *r = *readings;
	struct list to = { 0 };
	int rc = 0;

	for (size_t i = 0, next; i < *n && rc == 0; i = next) {
		int64_t end = r[i].until;

		for (next = i + 1;
		     next < *n && r[next].type == r[i].type && r[next].resource == r[i].resource
		     && r[next].start < end && r[next].until > r[next].start;
		     next++)
			end = r[next].until > end ? r[next].until : end;
		if (next == i + 1)
			append(&to, r[i], r[i].start, end, r[i].value);
		else
			rc = cut_counts(&to, r + i, next - i, end, err);
	}
	tv_free(*readings);
	*readings = to.at;
	*n = to.n;
	return rc;
}
