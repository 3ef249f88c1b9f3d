/* SPDX-License-Identifier: GPL-3.0-or-later */
/* compare_wide.c -- a section of a comparison of several runs as one table, a column for each run. */
#include "cli/compare_wide.h"

#include <string.h>

#include "trace/alloc.h"
#include "trace/map.h"

enum { NAME, VALUE, RTYPE, UNIT, KEYS };

static const char *const key_name[] = { "Name", "Value", "ResourceType", "Unit" };
_Static_assert(TV_COUNT(key_name) == KEYS, "a name for each column");

struct widening {
	const struct tv_table *report;
	const struct tv_column *key[KEYS], *before, *after, *change;
	struct tv_map row_of; /* key -> row of wide */
	struct tv_column *to[KEYS], *base, **run, **difference;
	struct tv_table *wide;
};

/* About single tasks, or of texts. */
static bool has_more_columns(const struct tv_table *report, uint32_t row)
{
	static const char *const columns[] = { "JobBefore", "JobAfter",	  "WorkerBefore",
					       "Elapsed",   "TextBefore", "TextAfter" };

	for (size_t i = 0; i < TV_COUNT(columns); i++)
		if (!tv_missing(tv_table_find(report, columns[i]), row))
			return true;
	return false;
}

/* Which of the runs a row is about. */
static size_t run_of(const struct widening *w, uint32_t row, const struct tv_side *side, size_t n)
{
	const char *label = tv_table_text(w->report, "Run", row);
	size_t s = 1;

	while (s < n && strcmp(side[s].label, label) != 0)
		s++;
	return s;
}

/* NULL: a label is the name of another column, too. */
static struct tv_column *add_column(struct tv_table *table, const char *first, const char *second)
{
	char *name = second == NULL ? tv_strdup(first) : tv_format("%s-%s", first, second);
	struct tv_error err;
	struct tv_column *column = NULL;

	if (tv_table_find(table, name) == NULL)
		column = tv_table_column(table, name, TV_DOUBLE, &err);
	tv_free(name);
	return column;
}

/* The row of wide for a row of the report, added when new. */
static uint32_t find_row(struct widening *w, uint32_t row)
{
	uint64_t a = (uint64_t)tv_label(w->key[NAME], row) << 32 | tv_label(w->key[VALUE], row);
	uint64_t b = (uint64_t)tv_label(w->key[RTYPE], row) << 32 | tv_label(w->key[UNIT], row);
	uint32_t *at = tv_map_at(&w->row_of, a, b);

	if (*at == TV_NONE) {
		*at = tv_table_add_row(w->wide);
		for (int k = 0; k < KEYS; k++)
			tv_set_label(w->to[k], *at, tv_label(w->key[k], row));
	}
	return *at;
}

static bool take_row(struct widening *w, uint32_t row, size_t run)
{
	uint32_t to = find_row(w, row);

	if (!tv_missing(w->before, row)) {
		double before = w->before->d[row];

		if (w->base->n > to && !tv_missing(w->base, to) && w->base->d[to] != before)
			return false;
		tv_set_double(w->base, to, before);
	}
	if (!tv_missing(w->after, row))
		tv_set_double(w->run[run], to, w->after->d[row]);
	if (!tv_missing(w->change, row))
		tv_set_double(w->difference[run], to, w->change->d[row]);
	return true;
}

static bool add_columns(struct widening *w, const struct tv_side *side, size_t nsides)
{
	struct tv_error err;
	bool all;

	for (int k = 0; k < KEYS; k++) {
		w->key[k] = tv_table_find(w->report, key_name[k]);
		w->to[k] = tv_table_column(w->wide, key_name[k], TV_LABEL, &err);
	}
	w->before = tv_table_find(w->report, "Before");
	w->after = tv_table_find(w->report, "After");
	w->change = tv_table_find(w->report, "Change");
	w->base = add_column(w->wide, side[0].label, NULL);
	w->run = tv_alloc(nsides, sizeof(struct tv_column *));
	w->difference = tv_alloc(nsides, sizeof(struct tv_column *));
	all = w->base != NULL;
	for (size_t s = 1; s < nsides; s++) {
		w->run[s] = add_column(w->wide, side[s].label, NULL);
		all = all && w->run[s] != NULL;
	}
	for (size_t s = 1; s < nsides; s++) {
		w->difference[s] = add_column(w->wide, side[s].label, side[0].label);
		all = all && w->difference[s] != NULL;
	}
	return all;
}

bool tv_compare_wide(const struct tv_table *report, const uint32_t *rows, uint32_t n,
		     const struct tv_side *side, size_t nsides, struct tv_table *wide)
{
	struct widening w = { .report = report, .wide = wide };
	bool fits;

	tv_table_init(wide, report->pool);
	fits = add_columns(&w, side, nsides);
	for (uint32_t i = 0; i < n && fits; i++) {
		size_t run = run_of(&w, rows[i], side, nsides);

		fits = run < nsides && !has_more_columns(report, rows[i])
		    && take_row(&w, rows[i], run);
	}
	tv_map_release(&w.row_of);
	tv_free(w.run);
	tv_free(w.difference);
	tv_table_finish(wide);
	if (!fits)
		tv_table_release(wide);
	return fits;
}
