/* SPDX-License-Identifier: GPL-3.0-or-later */
/* events.c -- events of the program and the user: instants, and spans between start and stop. */
#include <stdlib.h>
#include <string.h>

#include "analysis/core/columns.h"
#include "analysis/core/instead.h"
#include "analysis/core/run.h"
#include "trace/alloc.h"
#include "trace/near_names.h"
#include "trace/sorted.h"

#define COLUMNS(X) \
	X(RESOURCE, "ResourceId", TV_LABEL, false, "", "resource of the event") \
	X(TYPE, "Type", TV_LABEL, false, "", "type of the event") \
	X(NAME, "Name", TV_LABEL, false, "", "flush, profiling, a barrier, user event, ...") \
	X(VALUE, "Value", TV_LABEL, false, "", "value in the trace; of a span: that of its start") \
	X(START, "Time", TV_TIME, false, "ms", "time of the event, or start of the span") \
	X(END, "End", TV_TIME, false, "ms", "end of a span; missing for instants")

TV_COLUMNS(columns, COLUMNS)
enum role { INSTANT, OPENS, CLOSES };

/* An event of the result; those that close an earlier one are left out. */
struct event {
	uint32_t row;		 /* of the table */
	uint32_t resource, name; /* labels */
	int64_t start, end;
	enum role role;
	bool closed, dropped; /* has an end; is the end of another */
};

struct event_list {
	const struct tv_column *id, *type, *value, *time;
	struct tv_pool *pool;
	struct event *event;
	uint32_t n;
};

/* "start_profiling" and "fxt_start_flush" open "profiling" and "fxt_flush"; "end_sync_task" closes
 * "sync_task". */
static enum role name_pair(const char *value, char **name)
{
	static const struct {
		const char *word;
		enum role role;
	} words[] = { { "start_", OPENS }, { "stop_", CLOSES }, { "end_", CLOSES } };

	for (size_t i = 0; i < TV_COUNT(words); i++) {
		const char *at = strstr(value, words[i].word);

		if (at == NULL || (at > value && at[-1] != '_'))
			continue;
		*name = tv_format("%.*s%s", (int)(at - value), value, at + strlen(words[i].word));
		return words[i].role;
	}
	return INSTANT;
}

/* The name of an event, in new memory: the values of user events are numbers, those of barriers contain
 * a rank. */
static enum role name_event(const char *type, const char *value, char **name)
{
	static const char before[] = "end of ";
	enum role role = name_pair(value, name);

	if (role != INSTANT)
		return role;
	if (strncmp(type, "user event", 10) == 0)
		*name = tv_strdup("user event");
	else if (strncmp(value, before, sizeof before - 1) == 0)
		*name = tv_strndup(value + sizeof before - 1,
				   strcspn(value + sizeof before - 1, ","));
	else
		*name = tv_strdup(value);
	return INSTANT;
}

TV_ORDER(by_time, struct event, start, row)

static uint32_t value_of(const struct event_list *work, uint32_t row)
{
	return work->value != NULL ? tv_label(work->value, row) : TV_NONE;
}

/* The events of one type, or of those whose type contains "event". */
static void collect(struct event_list *work, const struct tv_table *table, const char *wanted)
{
	work->event = tv_alloc(table->nrows, sizeof *work->event);
	for (uint32_t row = 0; row < table->nrows; row++) {
		const char *type = tv_pool_text(work->pool, tv_label(work->type, row));
		struct event *event = &work->event[work->n];
		char *name;

		if (tv_missing(work->time, row) || tv_label(work->id, row) == TV_NONE
		    || (wanted != NULL ? strcmp(type, wanted) != 0 : strstr(type, "event") == NULL))
			continue;
		*event = (struct event){ .row = row,
					 .resource = tv_label(work->id, row),
					 .start = work->time->i[row] };
		event->role = name_event(type, tv_pool_text(work->pool, value_of(work, row)),
					 &name);
		event->name = tv_intern_text(work->pool, name);
		tv_free(name);
		work->n++;
	}
	qsort(work->event, work->n, sizeof *work->event, by_time);
}

/* By name and resource, then by time. */
static int by_name(const void *a, const void *b, void *data)
{
	const struct event *x = (struct event *)data + *(const uint32_t *)a;
	const struct event *y = (struct event *)data + *(const uint32_t *)b;

	if (x->name != y->name)
		return TV_COMPARE(x->name, y->name);
	if (x->resource != y->resource)
		return TV_COMPARE(x->resource, y->resource);
	return TV_COMPARE(x, y);
}

/* A stop closes the latest open event of its name on its resource. */
static void pair(struct event_list *work)
{
	uint32_t *order = tv_alloc(work->n, sizeof *order), n = 0;
	uint32_t *open = tv_alloc(work->n, sizeof *open);

	for (uint32_t i = 0; i < work->n; i++)
		order[i] = i;
	qsort_r(order, work->n, sizeof *order, by_name, work->event);
	for (uint32_t i = 0; i < work->n; i++) {
		struct event *event = &work->event[order[i]];
		const struct event *before = i > 0 ? &work->event[order[i - 1]] : event;

		if (before->name != event->name || before->resource != event->resource)
			n = 0;
		if (event->role != CLOSES) {
			open[n++] = order[i];
		} else if (n > 0) {
			n--;
			work->event[open[n]].end = event->start;
			work->event[open[n]].closed = true;
			event->dropped = true;
		}
	}
	tv_free(order);
	tv_free(open);
}

static bool is_seen(const struct tv_window *window, const struct event *event)
{
	int64_t end = event->closed ? event->end : event->start;

	return !event->dropped
	    && (!window->set || (event->start <= window->end && end >= window->begin));
}

static void write_events(const struct event_list *work, const struct tv_window *window,
			 struct tv_table *out)
{
	for (uint32_t i = 0; i < work->n; i++) {
		const struct event *event = &work->event[i];
		uint32_t row;

		if (!is_seen(window, event))
			continue;
		row = tv_table_add_row(out);
		tv_set_label(out->col[RESOURCE], row, event->resource);
		tv_set_label(out->col[TYPE], row, tv_label(work->type, event->row));
		tv_set_label(out->col[NAME], row, event->name);
		tv_set_label(out->col[VALUE], row, value_of(work, event->row));
		tv_set_int(out->col[START], row, event->start);
		if (event->closed)
			tv_set_int(out->col[END], row, event->end);
	}
}

static int fail_none(const struct tv_run *run, const char *wanted, struct tv_error *err)
{
	const struct tv_table *table = tv_trace_table(run->trace, TV_EVENTS);
	struct tv_near near;

	if (wanted == NULL)
		return tv_fail_lacks(
			err, run->trace,
			"events: the trace has no events of the program or the user (a "
			"single CSV has none: see --with)");
	tv_near_init(&near, wanted);
	for (uint32_t row = 0; row < table->nrows; row++)
		tv_near_offer(&near, tv_table_text(table, "Type", row));
	return tv_fail_lacks(err, run->trace, "events: the trace has no events of that type%s",
			     tv_near_text(&near));
}

struct asked {
	const char *type; /* NULL = all */
};

static int run_events(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		      struct tv_error *err)
{
	const struct tv_table *table = tv_trace_table(run->trace, TV_EVENTS);
	const struct asked *asked = options->chosen;
	struct event_list work = { .id = tv_table_find(table, "ResourceId"),
				   .type = tv_table_find(table, "Type"),
				   .value = tv_table_find(table, "Value"),
				   .time = tv_table_find(table, "Time"),
				   .pool = out->pool };
	int rc = 0;

	if (table->nrows > 0) {
		collect(&work, table, asked->type);
		pair(&work);
	}
	if (work.n == 0)
		rc = fail_none(run, asked->type, err);
	write_events(&work, &run->window, out);
	tv_free(work.event);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "type", "TYPE", NULL, "events of this type (default: all types that contain `event`)",
	  TV_ASKED(type) },
};

const struct tv_pass tv_pass_events = {
	.name = "events",
	.summary = "List events of the program and the user: flushes, profiling, barriers, ...",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_SUMMARY,
	.needs = "events",
	.refuses_tasks = true,
	.columns = "",
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_COLUMNS(columns),
	.table = "events",
	.notes = "In order of time. start_X and the next stop_X on the same resource are one span\n"
		 "X, and so are X and end_X; nested ones pair innermost first. A single one is an\n"
		 "instant. A window selects the events that overlap it, not clipped.\n"
		 "Source: StarVZ's node events, which are flushes only.",
	.example = "traceviz events data/cholesky-paje",
	.taskless = true,
	.run = run_events,
};
