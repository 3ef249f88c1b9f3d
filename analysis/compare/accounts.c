/* SPDX-License-Identifier: GPL-3.0-or-later */
/* accounts.c -- the accounts of two runs. */
#include "analysis/compare/accounts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bounds/accounting.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* A row of an account. Texts are of the runs, "" where missing. */
struct entry {
	uint32_t order; /* of its part among the parts: these come in one order */
	const char *part, *cause, *blame, *value, *rtype;
	tv_int128 time[2]; /* ns */
};

struct entries {
	struct entry *at;
	size_t n, cap;
};

static int64_t time_of(const struct tv_table *table, uint32_t row)
{
	return tv_table_find(table, "Time")->i[row];
}

static double ms(tv_int128 ns)
{
	return (double)ns / 1e6;
}

/* ---- sums, which both accounts have in the same order ---- */

static int64_t bound_of(const struct tv_table *table, const char *name)
{
	for (uint32_t row = 0; row < table->nrows; row++)
		if (tv_table_is(table, "Section", row, "bound")
		    && tv_table_is(table, "Part", row, name))
			return time_of(table, row);
	return 0;
}

static void report_times(const struct tv_report *report, const char *name, const char *value,
			 const char *rtype, const tv_int128 time[2])
{
	struct tv_finding finding = tv_finding("account", name, value, rtype, "ms", ms(time[0]),
					       ms(time[1]));

	finding.change = ms(time[1] - time[0]);
	tv_report_add(report, &finding);
}

static void report_sums(const struct tv_report *report, const struct tv_table *const table[2])
{
	tv_int128 time[2];
	uint32_t row[2] = { 0, 0 };

	for (int side = 0; side < 2; side++)
		time[side] = (tv_int128)bound_of(table[side], "makespan")
			   - bound_of(table[side], "area");
	report_times(report, "account", NULL, NULL, time);
	for (;; row[0]++, row[1]++) {
		char *name;

		for (int side = 0; side < 2; side++)
			while (row[side] < table[side]->nrows
			       && !tv_table_is(table[side], "Section", row[side], "sum"))
				row[side]++;
		if (row[0] == table[0]->nrows || row[1] == table[1]->nrows)
			break;
		for (int side = 0; side < 2; side++)
			time[side] = time_of(table[side], row[side]);
		name = tv_format("account.%s", tv_table_text(table[0], "Part", row[0]));
		report_times(report, name, NULL, NULL, time);
		tv_free(name);
	}
	for (int side = 0; side < 2; side++)
		time[side] = bound_of(table[side], "placement");
	report_times(report, "account.placement", NULL, NULL, time);
}

/* The row of a worker type in section price; NaN without it. */
static double price_of(const struct tv_table *table, const char *rtype)
{
	for (uint32_t row = 0; row < table->nrows; row++)
		if (tv_table_is(table, "Section", row, "price")
		    && tv_table_is(table, "ResourceType", row, rtype))
			return tv_table_find(table, "Price")->d[row];
	return NAN;
}

static void report_prices(const struct tv_report *report, const struct tv_table *const table[2])
{
	for (int side = 0; side < 2; side++)
		for (uint32_t row = 0; row < table[side]->nrows; row++) {
			const char *rtype = tv_table_text(table[side], "ResourceType", row);
			struct tv_finding finding;

			/* Those of the second run alone come after the others. */
			if (!tv_table_is(table[side], "Section", row, "price")
			    || (side == 1 && !isnan(price_of(table[0], rtype))))
				continue;
			finding = tv_finding("account", "account.price", NULL, rtype, NULL,
					     price_of(table[0], rtype), price_of(table[1], rtype));
			tv_report_add(report, &finding);
		}
}

/* ---- parts ---- */

static uint32_t order_of(const char *part)
{
	uint32_t order = 0;

	while (order < TV_NACCOUNT_PARTS && strcmp(tv_account_part_name(order), part) != 0)
		order++;
	return order;
}

static void collect(struct entries *entries, const struct tv_table *table, int side)
{
	for (uint32_t row = 0; row < table->nrows; row++) {
		struct entry *entry;
		const char *part = tv_table_text(table, "Part", row);

		if (!tv_table_is(table, "Section", row, "part"))
			continue;
		TV_GROW(entries->at, entries->n, entries->cap, 1);
		entry = &entries->at[entries->n++];
		*entry = (struct entry){ .order = order_of(part),
					 .part = part,
					 .cause = tv_table_text(table, "Cause", row),
					 .blame = tv_table_text(table, "Blame", row),
					 .value = tv_table_text(table, "Value", row),
					 .rtype = tv_table_text(table, "ResourceType", row) };
		entry->time[side] = time_of(table, row);
	}
}

TV_ORDER(by_key, struct entry, order, text(cause), text(blame), text(value), text(rtype))

static void report_entry(const struct tv_report *report, const struct entry *entry)
{
	char *name = tv_format("account.%s%s%s%s%s", entry->part,
			       entry->cause[0] != '\0' ? "." : "", entry->cause,
			       entry->blame[0] != '\0' ? "." : "", entry->blame);

	report_times(report, name, entry->value, entry->rtype, entry->time);
	tv_free(name);
}

static void report_parts(const struct tv_report *report, const struct tv_table *const table[2])
{
	struct entries entries = { 0 };

	for (int side = 0; side < 2; side++)
		collect(&entries, table[side], side);
	if (entries.n > 0)
		qsort(entries.at, entries.n, sizeof *entries.at, by_key);
	for (size_t i = 0, next; i < entries.n; i = next) {
		struct entry *entry = &entries.at[i];

		/* A type without name and one of an empty name are the same here. */
		for (next = i + 1; next < entries.n && by_key(entry, &entries.at[next]) == 0;
		     next++)
			for (int side = 0; side < 2; side++)
				entry->time[side] += entries.at[next].time[side];
		if (entry->time[0] != 0 || entry->time[1] != 0)
			report_entry(report, entry);
	}
	tv_free(entries.at);
}

int tv_report_accounts(const struct tv_report *report, struct tv_run *const run[2],
		       struct tv_error *err)
{
	const struct tv_table *table[2];

	for (int side = 0; side < 2; side++) {
		table[side] = tv_run_pass(run[side], "account", NULL, err);
		if (table[side] == NULL)
			return -1;
	}
	report_sums(report, table);
	report_prices(report, table);
	report_parts(report, table);
	return 0;
}
