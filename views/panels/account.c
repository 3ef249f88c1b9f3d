/* SPDX-License-Identifier: GPL-3.0-or-later */
/* account.c -- the panel of the steps from the area bound to the makespan. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dag/blame.h"
#include "trace/alloc.h"
#include "trace/sorted.h"
#include "trace/text.h"
#include "views/charts/waterfall.h"
#include "views/scene/palette.h"

enum {
	COLOR_ALLOCATION = 0x6a51a3,
	COLOR_DURATIONS = 0xb2182b,
	COLOR_OTHER = 0x8c6d31,
	COLOR_OVERLAP = 0x1b7837,
	COLOR_REST = 0xbdbdbd,
};

struct account {
	struct tv_waterfall fall; /* the first, for the functions of waterfall.h */
	uint64_t parts;		  /* at most */
	const char *durations;
	const struct tv_table *table;
	int64_t makespan, area; /* ns */
	char title[200];
};

/* ---- what is shown ---- */

static int64_t time_of(const struct tv_table *table, uint32_t row)
{
	return tv_table_find(table, "Time")->i[row];
}

/* The time of a bound; -1 = the account does not have it. */
static int64_t bound_of(const struct tv_table *table, const char *name)
{
	for (uint32_t row = 0; row < table->nrows; row++)
		if (tv_table_is(table, "Section", row, "bound")
		    && tv_table_is(table, "Part", row, name))
			return time_of(table, row);
	return -1;
}

static uint32_t idle_color(const char *cause, const char *blame)
{
	const struct tv_idle_words *words = tv_idle_words(blame[0] != '\0' ? blame : cause);

	return words != NULL ? words->color : TV_GRAY;
}

/* The name of a part, in words: "CPU idle: drain", "dtrsm on CUDA". */
static void describe(struct tv_waterfall_bar *bar, const struct tv_table *table, uint32_t row)
{
	const char *part = tv_table_text(table, "Part", row),
		   *cause = tv_table_text(table, "Cause", row),
		   *blame = tv_table_text(table, "Blame", row);
	char rtype[40], value[40];

	tv_clean_text(rtype, sizeof rtype, tv_table_text(table, "ResourceType", row));
	tv_clean_text(value, sizeof value, tv_table_text(table, "Value", row));
	if (strcmp(part, "idle") == 0) {
		snprintf(bar->name, sizeof bar->name, "%s idle: %s", rtype,
			 blame[0] != '\0' ? blame : cause);
		bar->color = idle_color(cause, blame);
	} else if (strcmp(part, "allocation") == 0) {
		snprintf(bar->name, sizeof bar->name, "%s on %s", value, rtype);
		bar->color = COLOR_ALLOCATION;
	} else if (strcmp(part, "durations") == 0) {
		snprintf(bar->name, sizeof bar->name, "%s on %s: %s", value, rtype, cause);
		bar->color = COLOR_DURATIONS;
	} else if (strcmp(part, "open") == 0) {
		snprintf(bar->name, sizeof bar->name, "%s on %s: not ended", value, rtype);
		bar->color = COLOR_OTHER;
	} else {
		snprintf(bar->name, sizeof bar->name, "%s %s", rtype, part);
		bar->color = strcmp(part, "other") == 0 ? COLOR_OTHER : COLOR_OVERLAP;
	}
}

static int by_size(const void *a, const void *b)
{
	const struct tv_waterfall_bar *x = a, *y = b;
	int64_t p = llabs(x->time), q = llabs(y->time);

	return p != q ? TV_COMPARE(q, p) : TV_COMPARE(x->row, y->row);
}

/* The largest parts, and after them the sum of the others. */
static void read_steps(struct account *account, uint64_t max)
{
	const struct tv_table *table = account->table;
	struct tv_waterfall_bar *bar = tv_alloc((size_t)table->nrows + 1, sizeof *bar);
	size_t all = 0;

	account->fall.bar = bar;
	for (uint32_t row = 0; row < table->nrows; row++)
		if (tv_table_is(table, "Section", row, "part") && time_of(table, row) != 0) {
			bar[all].time = time_of(table, row);
			bar[all++].row = row;
		}
	if (all > 0)
		qsort(bar, all, sizeof *bar, by_size);
	account->fall.n = all;
	if (all > max + 1) {
		struct tv_waterfall_bar *rest = &bar[max];

		for (size_t i = max + 1; i < all; i++)
			rest->time += account->fall.bar[i].time;
		rest->row = TV_NONE;
		rest->color = COLOR_REST;
		snprintf(rest->name, sizeof rest->name, "%zu other parts", all - (size_t)max);
		account->fall.n = (size_t)max + 1;
	}
	for (size_t i = 0; i < account->fall.n; i++)
		if (account->fall.bar[i].row != TV_NONE)
			describe(&account->fall.bar[i], table, account->fall.bar[i].row);
}

static void number_text(const struct account *account, int64_t time, const struct tv_unit *unit,
			char *out, size_t size)
{
	int64_t all = account->makespan - account->area;
	double share = all > 0 ? 100 * (double)time / (double)all : 0;
	char text[40];

	tv_unit_text(text, sizeof text, llabs(time), unit);
	/* No "-0.0 %". */
	if (all > 0)
		snprintf(out, size, "%s%s (%.1f %%)", time < 0 ? "-" : "", text,
			 share < 0 && share > -0.05 ? 0 : share);
	else
		snprintf(out, size, "%s%s", time < 0 ? "-" : "", text);
}

static void place_bars(struct account *account, const struct tv_unit *unit)
{
	int64_t at = 0;

	for (size_t i = 0; i < account->fall.n; i++) {
		struct tv_waterfall_bar *bar = &account->fall.bar[i];

		bar->begin = at;
		bar->joined = true;
		number_text(account, bar->time, unit, bar->number, sizeof bar->number);
		at += bar->time;
	}
}

/* Bounds above the area bound, with the lines that show them. */
static void read_bounds(struct account *account, const struct tv_unit *unit,
			const struct tv_printed *printed)
{
	static const struct {
		const char *name, *text;
		enum tv_key_kind kind;
	} bounds[] = {
		{ "cpe", "cpe", TV_KEY_DASHDOT },
		{ "tight", "tight", TV_KEY_DASHED },
		{ "placement", "placement", TV_KEY_DOTTED },
	};

	for (size_t i = 0; i < TV_COUNT(bounds); i++) {
		int64_t time = bound_of(account->table, bounds[i].name);
		struct tv_waterfall_line *line = &account->fall.line[account->fall.nlines];
		char text[40];

		if (time <= account->area || time > account->makespan)
			continue;
		tv_time_text(text, sizeof text, time, unit);
		line->key = (struct tv_key){ .kind = bounds[i].kind, .color = TV_INK };
		snprintf(line->key.text, sizeof line->key.text, "%s %s", bounds[i].text,
			 tv_print_number(printed, "Bound", bounds[i].name, NULL, "%s", text));
		line->at = time - account->area;
		account->fall.nlines++;
	}
}

static int prepare(struct tv_figure *figure, struct tv_slot *slot, struct tv_error *err)
{
	struct account *account = slot->state;
	char area[40], makespan[40];
	int rc = tv_panel_pass(figure, slot->panel, "account",
			       (const char *const[]){ "durations", account->durations, NULL },
			       &account->table, err);

	if (rc != 0)
		return rc;
	account->makespan = bound_of(account->table, "makespan");
	account->area = bound_of(account->table, "area");
	read_steps(account, account->parts);
	if (account->fall.n == 0)
		return tv_panel_nothing(figure, slot->panel,
					"the makespan is the area bound, so there is nothing to "
					"divide");
	place_bars(account, figure->unit);
	read_bounds(account, figure->unit, &slot->printed);
	tv_time_text(area, sizeof area, account->area, figure->unit);
	tv_time_text(makespan, sizeof makespan, account->makespan, figure->unit);
	snprintf(account->title, sizeof account->title,
		 "from the area bound, %s, to the makespan, %s",
		 tv_print_number(&slot->printed, "AreaBound", NULL, NULL, "%s", area),
		 tv_print_number(&slot->printed, "Makespan", NULL, NULL, "%s", makespan));
	account->fall.group = "account";
	account->fall.title = account->title;
	account->fall.axis = "above the area bound";
	return 0;
}

static const struct tv_option_spec options[] = {
	{ "parts", "N", "10", "max number of parts; the others become one", TV_OPTION_COUNT, 1,
	  1000, TV_INTO(struct account, parts) },
	{ "durations", "mean|median|minimum", "mean", "as of the pass account", TV_OPTION_CHOICE,
	  TV_INTO(struct account, durations) },
};

const struct tv_panel tv_panel_account = {
	.name = "account",
	.title = "the time from the area bound to the makespan, by cause",
	.needs = "tasks (better with DependsOn, SubmitTime, links, states)",
	.kind = TV_FREE,
	.share = 2,
	TV_PANEL_OPTIONS(options, struct account),
	.prepare = prepare,
	.measure = tv_waterfall_measure,
	.layout = tv_waterfall_layout,
	.release = tv_waterfall_release,
};
