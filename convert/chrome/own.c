/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * own.c -- trace events that traceviz wrote (write.c): args hold the columns, so that tables come back as they were.
 *
 * The category of an event names its table; args has the columns of a row but the times, which are ts and dur. A counter has its
 * Type as name, its ResourceId as id and its Value as only argument. Events of other categories are for viewers alone.
 */
#include "convert/chrome/chrome.h"
#include "convert/formats.h"
#include "trace/alloc.h"

struct tv_chrome_own {
	struct tv_trace *trace;
};

struct tv_chrome_own *tv_chrome_own_new(struct tv_trace *trace)
{
	struct tv_chrome_own *own = tv_alloc(1, sizeof *own);

	own->trace = trace;
	trace->native = true;
	return own;
}

void tv_chrome_own_free(struct tv_chrome_own *own)
{
	tv_free(own);
}

/* TV_NTABLES = none of that name. */
static enum tv_table_id table_named(const char *name, size_t n)
{
	int id = 0;

	while (id < TV_NTABLES
	       && !(strlen(tv_schema[id].name) == n && memcmp(tv_schema[id].name, name, n) == 0))
		id++;
	return (enum tv_table_id)id;
}

void tv_chrome_own_columns(struct tv_chrome_own *own, const char *table, struct tv_chrome_text list)
{
	enum tv_table_id id = table_named(table, strlen(table));
	const char *s = list.s, *end = s + list.n;

	while (id != TV_NTABLES && s < end) {
		const char *stop = memchr(s, TV_CHROME_BETWEEN[0], (size_t)(end - s));
		char *name;

		stop = stop != NULL ? stop : end;
		name = tv_strndup(s, (size_t)(stop - s));
		if (own->trace->table[id].ncols < 1000)
			tv_trace_column(own->trace, id, name);
		tv_free(name);
		s = stop + 1;
	}
}

/* Metadata have no times: rows of tables without such, and ghosts. */
static void set_times(struct tv_chrome_own *own, enum tv_table_id id, uint32_t row,
		      const struct tv_chrome_event *event, int64_t base, struct tv_pos at)
{
	struct tv_chrome_text ts = event->field[TV_CHROME_TS], dur = event->field[TV_CHROME_DUR];
	int64_t start, end, length = 0;

	if (ts.s == NULL)
		return;
	if (!tv_chrome_time(ts, &start)
	    || (dur.s != NULL && (!tv_chrome_time(dur, &length) || length < 0))
	    || __builtin_add_overflow(start + base, length, &end)) {
		tv_damaged(own->trace, TV_REPAIRED, "bad time", at,
			   "ts '%.*s', dur '%.*s', expected numbers of microseconds: left out",
			   ts.n < 80 ? (int)ts.n : 80, ts.s, dur.n < 80 ? (int)dur.n : 80,
			   dur.s != NULL ? dur.s : "");
		return;
	}
	tv_set_int(tv_trace_column(own->trace, id, id == TV_EVENTS ? "Time" : "Start"), row,
		   start + base);
	if (dur.s != NULL)
		tv_set_int(tv_trace_column(own->trace, id, "End"), row, end);
}

/* The columns that were named before; others are of another program that changed the file. */
static void set_cells(struct tv_chrome_own *own, enum tv_table_id id, uint32_t row,
		      const struct tv_chrome_event *event, struct tv_pos at)
{
	for (size_t i = 0; i < event->nargs; i++) {
		const struct tv_chrome_arg *arg = &event->arg[i];
		char *name = tv_strndup(arg->key.s, arg->key.n);
		struct tv_column *column = tv_table_find(&own->trace->table[id], name);

		if (column != NULL && (column->n <= row || tv_is_next(column, row)))
			tv_convert_cell(own->trace, at, column, row, arg->value.s, arg->value.n, 6);
		tv_free(name);
	}
}

static void set_cell(struct tv_chrome_own *own, enum tv_table_id id, uint32_t row,
		     const char *column, struct tv_chrome_text text, struct tv_pos at)
{
	if (text.s != NULL)
		tv_convert_cell(own->trace, at, tv_trace_column(own->trace, id, column), row,
				text.s, text.n, 6);
}

static void set_counter(struct tv_chrome_own *own, uint32_t row,
			const struct tv_chrome_event *event, struct tv_pos at)
{
	set_cell(own, TV_VARIABLES, row, "Type", event->field[TV_CHROME_NAME], at);
	set_cell(own, TV_VARIABLES, row, "ResourceId", event->field[TV_CHROME_ID], at);
	if (event->nargs == 1)
		set_cell(own, TV_VARIABLES, row, "Value", event->arg[0].value, at);
}

void tv_chrome_own_event(struct tv_chrome_own *own, const struct tv_chrome_event *event,
			 int64_t base, struct tv_pos at)
{
	struct tv_chrome_text cat = event->field[TV_CHROME_CAT], ph = event->field[TV_CHROME_PH];
	enum tv_table_id id = cat.s == NULL ? TV_NTABLES : table_named(cat.s, cat.n);
	uint32_t row;

	if (id == TV_NTABLES || own->trace->table[id].ncols == 0)
		return;
	row = tv_table_add_row(&own->trace->table[id]);
	set_times(own, id, row, event, base, at);
	if (id == TV_VARIABLES && ph.s != NULL && tv_chrome_is(ph, "C"))
		set_counter(own, row, event, at);
	else
		set_cells(own, id, row, event, at);
}
