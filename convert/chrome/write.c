/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * write.c -- a trace as Chrome trace events, for viewers and for own.c, which makes the same tables of them again.
 *
 * Tasks and states are slices on lanes of their resource, in which they nest; what overlaps goes to a further lane. args has
 * all columns but the times. Dependencies and messages are flows (arrows_out.c). Rows that no event shows (ghosts, resources, links, meta) are
 * metadata, which viewers skip. Slices of the category track are what was found out about the trace, for viewers alone.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "convert/chrome/arrows_out.h"
#include "convert/chrome/chrome.h"
#include "convert/chrome/lanes_out.h"
#include "convert/formats.h"
#include "trace/alloc.h"
#include "trace/csv.h"
#include "trace/number.h"
#include "trace/sorted.h"

/* Perfetto's times are doubles of microseconds: nanoseconds up to this, 26 days, are the same behind them. */
#define EXACT_MAX ((int64_t)1 << 51)

/* Of a task: its place on the critical path. */
#define PATH_ARG "CriticalPath"

/* Tables that are written, in this order. */
static const enum tv_table_id written[] = { TV_RESOURCES, TV_TASKS,  TV_STATES, TV_CALLS,
					    TV_VARIABLES, TV_EVENTS, TV_LINKS,	TV_META };

struct writing {
	const struct tv_export *export;
	const struct tv_trace *trace;
	struct tv_output *out;
	struct tv_chrome_lanes_out lanes;
	struct tv_map path; /* place on the critical path, by resource and job, then by Start */
	int64_t base;	    /* subtracted from all times: viewers drop what is before 0 */
	uint64_t flows;
};

/* ---- texts and numbers ---- */

static void put_quoted(struct tv_output *out, const char *s, size_t n)
{
	size_t from = 0;

	tv_output_write(out, "\"", 1);
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];

		if (c >= 0x20 && c != 0x7f && c != '"' && c != '\\')
			continue;
		tv_output_write(out, s + from, i - from);
		tv_output_format(out, "\\u%04x", c);
		from = i + 1;
	}
	tv_output_write(out, s + from, n - from);
	tv_output_write(out, "\"", 1);
}

static void put_text(struct tv_output *out, const char *text)
{
	put_quoted(out, text, strlen(text));
}

/* ---- events ---- */

static void begin_event(struct writing *w, char phase, const char *cat, const char *name)
{
	tv_output_format(w->out, ",\n{\"ph\":\"%c\",\"cat\":\"%s\",\"name\":", phase, cat);
	put_text(w->out, name);
}

static void put_lane(struct writing *w, struct tv_chrome_place place)
{
	tv_output_format(w->out, ",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32, place.node, place.lane);
}

/* The time from `begin` to `end`, as microseconds. */
static void put_us(struct writing *w, const char *key, int64_t begin, int64_t end)
{
	uint64_t ns = (uint64_t)end - (uint64_t)begin;

	tv_output_format(w->out, ",\"%s\":%" PRIu64 ".%03u", key, ns / 1000, (unsigned)(ns % 1000));
}

static void put_time(struct writing *w, int64_t ns)
{
	put_us(w, "ts", w->base, ns);
}

/* Where a row begins, and how long it is. */
static void put_span(struct writing *w, const struct tv_column *start, const struct tv_column *end,
		     uint32_t row)
{
	put_time(w, start->i[row]);
	put_us(w, "dur", start->i[row], end->i[row]);
}

static bool is_left_out(const char *name, const char *const *without)
{
	for (; *without != NULL; without++)
		if (strcmp(name, *without) == 0)
			return true;
	return false;
}

/* The cells of a row, but columns of these names and those that we derived. on_path: TV_NONE = it is not on the critical path. */
static void put_cells(struct writing *w, const struct tv_table *table, uint32_t row,
		      const char *const *without, uint32_t on_path)
{
	const char *before = ",\"args\":{";

	if (on_path != TV_NONE) {
		tv_output_format(w->out, "%s\"" PATH_ARG "\":%" PRIu32, before, on_path);
		before = ",";
	}
	for (size_t i = 0; i < table->ncols; i++) {
		const struct tv_column *column = tv_table_at(table, i);
		char *cell;

		if (column->derived || tv_missing(column, row)
		    || is_left_out(column->name, without))
			continue;
		tv_output_text(w->out, before);
		put_text(w->out, column->name);
		tv_output_text(w->out, ":");
		cell = tv_cell_copy(column, row);
		put_text(w->out, cell);
		tv_free(cell);
		before = ",";
	}
	tv_output_text(w->out, before[1] == '\0' ? "}" : "");
}

static void end_event(struct writing *w)
{
	tv_output_text(w->out, "}");
}

static const char *const no_column[] = { NULL };

/* A row that no event shows. */
static void put_hidden(struct writing *w, enum tv_table_id id, uint32_t row)
{
	begin_event(w, 'M', tv_schema[id].name, TV_CHROME_PRODUCER);
	put_cells(w, &w->trace->table[id], row, no_column, TV_NONE);
	end_event(w);
}

static int64_t time_of(const struct tv_column *column, uint32_t row)
{
	return column->i[row];
}

static bool has_times(const struct tv_column *start, const struct tv_column *end, uint32_t row)
{
	return start != NULL && end != NULL && !tv_missing(start, row) && !tv_missing(end, row)
	    && end->i[row] >= start->i[row];
}

/* ---- the critical path ---- */

/* Of a row of tasks, or of the path: its resource and job. */
static uint64_t path_key(const struct tv_table *table, uint32_t row)
{
	const struct tv_column *resource = tv_table_find(table, "ResourceId"),
			       *job = tv_table_find(table, "JobId");

	return (uint64_t)tv_label(resource, row) << 32
	     | (job != NULL ? tv_label(job, row) : TV_NONE);
}

/* Which tasks are on it, unless the trace has a column of the name that says so. */
static void find_path(struct writing *w)
{
	for (size_t i = 0; i < w->export->ntracks; i++) {
		const struct tv_table *path = &w->export->track[i].table;

		if (!w->export->track[i].path
		    || tv_table_find(&w->trace->table[TV_TASKS], PATH_ARG) != NULL)
			continue;
		for (uint32_t row = 0; row < path->nrows; row++)
			if (tv_table_is(path, "Part", row, "task"))
				tv_map_put(&w->path, path_key(path, row),
					   (uint64_t)time_of(tv_table_find(path, "Start"), row),
					   (uint32_t)tv_table_find(path, "Seq")->i[row]);
	}
}

/* The place of a task on the critical path; TV_NONE = it is not on it. */
static uint32_t place_on_path(const struct writing *w, uint32_t row)
{
	const struct tv_table *tasks = &w->trace->table[TV_TASKS];
	const uint32_t *place;

	if (w->path.n == 0)
		return TV_NONE;
	place = tv_map_get(&w->path, path_key(tasks, row),
			   (uint64_t)time_of(tv_table_find(tasks, "Start"), row));
	return place != NULL ? *place : TV_NONE;
}

/* ---- tables ---- */

/* Rows of a table as slices. */
struct slices {
	enum tv_table_id id; /* TV_NTABLES: for viewers alone */
	const struct tv_table *table;
	const char *cat, *resource, *type, *name; /* names of columns; no type: NULL */
	uint32_t lane;				  /* the type of the lanes then */
	bool message;
	const char *const *without; /* columns that are not in args */
};

/* Each on its lane, which the result says. */
static struct tv_chrome_place *write_slices(struct writing *w, const struct slices *slices)
{
	const struct tv_table *table = slices->table;
	const struct tv_column *start = tv_table_find(table, "Start"),
			       *end = tv_table_find(table, "End"),
			       *resource = tv_table_find(table, slices->resource);
	const struct tv_chrome_rows_out rows = { .resource = resource,
						 .start = start,
						 .end = end,
						 .type = slices->type != NULL
							       ? tv_table_find(table, slices->type)
							       : NULL,
						 .lane = slices->lane,
						 .message = slices->message,
						 .apart = slices->id == TV_TASKS,
						 .nrows = table->nrows };
	struct tv_chrome_place *place = tv_chrome_lanes_place(&w->lanes, &rows);

	for (uint32_t row = 0; row < table->nrows; row++) {
		if (place[row].lane == 0) {
			if (slices->id != TV_NTABLES)
				put_hidden(w, slices->id, row);
			continue;
		}
		begin_event(w, 'X', slices->cat, tv_table_text(table, slices->name, row));
		put_lane(w, place[row]);
		put_span(w, start, end, row);
		put_cells(w, table, row, slices->without,
			  slices->id == TV_TASKS ? place_on_path(w, row) : TV_NONE);
		end_event(w);
	}
	return place;
}

static const char *const start_end[] = { "Start", "End", NULL };

static void write_tasks(struct writing *w)
{
	w->lanes.task = write_slices(w, &(struct slices){ .id = TV_TASKS,
							  .table = &w->trace->table[TV_TASKS],
							  .cat = tv_schema[TV_TASKS].name,
							  .resource = "ResourceId",
							  .lane = TV_NONE,
							  .name = "Value",
							  .without = start_end });
}

static void write_states(struct writing *w)
{
	tv_free(write_slices(w, &(struct slices){ .id = TV_STATES,
						  .table = &w->trace->table[TV_STATES],
						  .cat = tv_schema[TV_STATES].name,
						  .resource = "ResourceId",
						  .type = "Type",
						  .name = "Value",
						  .without = start_end }));
}

static void write_calls(struct writing *w)
{
	tv_free(write_slices(w, &(struct slices){ .id = TV_CALLS,
						  .table = &w->trace->table[TV_CALLS],
						  .cat = tv_schema[TV_CALLS].name,
						  .resource = "ResourceId",
						  .lane = TV_CHROME_LANE_CALLS,
						  .name = "Call",
						  .without = start_end }));
}

static void write_track(struct writing *w, const struct tv_table *table)
{
	static const char *const without[] = { "Start", "End", "Lane", "Of", "Node", "Name", NULL };
	const struct tv_column *lane = tv_table_find(table, "Lane"),
			       *node = tv_table_find(table, "Node");

	for (uint32_t row = 0; row < table->nrows; row++)
		tv_chrome_lanes_add(&w->lanes, tv_label(lane, row), tv_label(node, row));
	tv_free(write_slices(w, &(struct slices){ .id = TV_NTABLES,
						  .table = table,
						  .cat = "track",
						  .resource = "Lane",
						  .type = "Of",
						  .name = "Name",
						  .without = without }));
}

/* Also seen where no slice is around their ends. */
static void write_messages(struct writing *w)
{
	static const char *const without[] = { "Start", "End", "Type", "Dest", NULL };

	w->lanes.message = write_slices(w, &(struct slices){ .id = TV_NTABLES,
							     .table = &w->trace->table[TV_LINKS],
							     .cat = "message",
							     .resource = "Dest",
							     .type = "Type",
							     .name = "Origin",
							     .message = true,
							     .without = without });
}

/*
 * Perfetto multiplies 10 as often as there are decimals, in 64 bits: it reads one with 20, from 0.0001 to 0.001, as another
 * number.
 */
static void write_number(char out[TV_NUMBER_MAX], double value)
{
	const char *point;

	tv_write_double(out, value);
	point = strchr(out, '.');
	if (point != NULL && strspn(point + 1, "0123456789") > 19)
		snprintf(out, TV_NUMBER_MAX, "%.16e", value);
}

/* A counter event has the value alone in args, as viewers show all that is in it; `dur`, which they ignore, is how long it holds. */
static void write_variables(struct writing *w)
{
	const struct tv_table *table = &w->trace->table[TV_VARIABLES];
	const struct tv_column *start = tv_table_find(table, "Start"),
			       *end = tv_table_find(table, "End"),
			       *resource = tv_table_find(table, "ResourceId"),
			       *value = tv_table_find(table, "Value");

	for (uint32_t row = 0; row < table->nrows; row++) {
		char number[TV_NUMBER_MAX];

		if (!has_times(start, end, row) || tv_missing(value, row)
		    || tv_label(resource, row) == TV_NONE) {
			put_hidden(w, TV_VARIABLES, row);
			continue;
		}
		begin_event(w, 'C', tv_schema[TV_VARIABLES].name,
			    tv_table_text(table, "Type", row));
		tv_output_text(w->out, ",\"id\":");
		put_text(w->out, tv_pool_text(w->trace->pool, tv_label(resource, row)));
		put_lane(w, tv_chrome_lanes_of(&w->lanes, tv_label(resource, row), TV_NONE));
		put_span(w, start, end, row);
		write_number(number, tv_real(value, row));
		tv_output_format(w->out, ",\"args\":{\"value\":%s}", number);
		end_event(w);
	}
}

static void write_events(struct writing *w)
{
	static const char *const times[] = { "Time", NULL };
	const struct tv_table *table = &w->trace->table[TV_EVENTS];
	const struct tv_column *time = tv_table_find(table, "Time"),
			       *resource = tv_table_find(table, "ResourceId");
	const struct tv_chrome_rows_out rows = { .resource = resource,
						 .start = time,
						 .end = time,
						 .lane = TV_CHROME_LANE_EVENTS,
						 .nrows = table->nrows };
	struct tv_chrome_place *place = tv_chrome_lanes_place(&w->lanes, &rows);

	for (uint32_t row = 0; row < table->nrows; row++) {
		if (place[row].lane == 0) {
			put_hidden(w, TV_EVENTS, row);
			continue;
		}
		begin_event(w, 'i', tv_schema[TV_EVENTS].name, tv_table_text(table, "Type", row));
		tv_output_text(w->out, ",\"s\":\"t\"");
		put_lane(w, place[row]);
		put_time(w, time_of(time, row));
		put_cells(w, table, row, times, TV_NONE);
		end_event(w);
	}
	tv_free(place);
}

static void write_hidden(struct writing *w, enum tv_table_id id)
{
	for (uint32_t row = 0; row < w->trace->table[id].nrows; row++)
		put_hidden(w, id, row);
}

/* ---- flows ---- */

static void put_flow(struct writing *w, char phase, const struct tv_chrome_arrow *arrow,
		     const struct tv_chrome_arrow_end *at)
{
	begin_event(w, phase, arrow->cat, arrow->name);
	tv_output_format(w->out, ",\"id\":%" PRIu64 "%s", w->flows,
			 phase == 'f' ? ",\"bp\":\"e\"" : "");
	put_lane(w, at->place);
	put_time(w, at->time);
	end_event(w);
}

static void put_arrow(void *context, const struct tv_chrome_arrow *arrow)
{
	struct writing *w = context;

	w->flows++;
	put_flow(w, 's', arrow, &arrow->from);
	put_flow(w, 'f', arrow, &arrow->to);
}

/* ---- the file ---- */

struct extent {
	int64_t first, last;
};

static void find_extent(struct extent *of, const struct tv_table *table, const char *name)
{
	const struct tv_column *time = tv_table_find(table, name);

	for (uint32_t row = 0; time != NULL && row < table->nrows; row++) {
		if (tv_missing(time, row))
			continue;
		if (time->i[row] < of->first)
			of->first = time->i[row];
		if (time->i[row] > of->last)
			of->last = time->i[row];
	}
}

/* The first time of what is shown, if it is before 0 or one is more than EXACT_MAX. */
static int64_t find_base(const struct writing *w)
{
	static const enum tv_table_id spans[] = { TV_TASKS, TV_STATES, TV_CALLS, TV_VARIABLES,
						  TV_LINKS };
	struct extent of = { INT64_MAX, INT64_MIN };

	for (size_t i = 0; i < TV_COUNT(spans); i++)
		find_extent(&of, &w->trace->table[spans[i]], "Start");
	find_extent(&of, &w->trace->table[TV_EVENTS], "Time");
	for (size_t i = 0; i < w->export->ntracks; i++)
		find_extent(&of, &w->export->track[i].table, "Start");
	return of.last > EXACT_MAX || of.first < 0 ? of.first : 0;
}

static void write_columns(struct writing *w, enum tv_table_id id)
{
	const struct tv_table *table = &w->trace->table[id];
	char *names = tv_strdup("");
	bool any = false;

	for (size_t i = 0; i < table->ncols; i++)
		if (!table->col[i]->derived) {
			tv_append(&names, "%s%s", any ? TV_CHROME_BETWEEN : "",
				  table->col[i]->name);
			any = true;
		}
	if (any) {
		tv_output_format(w->out, ",\n\"%s\":", tv_schema[id].name);
		put_text(w->out, names);
	}
	tv_free(names);
}

/* Ends the event of a name. */
static void put_name(struct writing *w, const char *name)
{
	tv_output_text(w->out, ",\"args\":{\"name\":");
	put_text(w->out, name);
	tv_output_text(w->out, "}}");
}

static void write_process(struct writing *w, uint32_t number, const char *node)
{
	bool digits = node[strspn(node, "0123456789")] == '\0';
	char *name = tv_format("%s%s", digits ? "Node " : "", node[0] != '\0' ? node : "0");

	begin_event(w, 'M', "", "process_name");
	tv_output_format(w->out, ",\"pid\":%" PRIu32, number);
	put_name(w, name);
	begin_event(w, 'M', "", "process_sort_index");
	tv_output_format(w->out, ",\"pid\":%" PRIu32 ",\"args\":{\"sort_index\":%" PRIu32 "}}",
			 number, number);
	tv_free(name);
}

/* The one at that place from top to bottom. An empty name is none: Perfetto counts it as an error. */
static void write_lane(struct writing *w, uint32_t number, uint32_t at)
{
	const struct tv_chrome_lane_out *lane = &w->lanes.lane[number];
	struct tv_chrome_place place = { .node = lane->node, .lane = number + 1 };
	char *name = tv_chrome_lanes_name(&w->lanes, w->trace->pool, number);

	if (name[0] != '\0') {
		begin_event(w, 'M', "", "thread_name");
		put_lane(w, place);
		put_name(w, name);
	}
	begin_event(w, 'M', "", "thread_sort_index");
	put_lane(w, place);
	tv_output_format(w->out, ",\"args\":{\"sort_index\":%" PRIu32 "}}", at);
	tv_free(name);
}

static void write_names(struct writing *w)
{
	const struct tv_chrome_lanes_out *lanes = &w->lanes;
	int64_t *order = tv_alloc(lanes->nlanes, sizeof *order);
	uint32_t *number = tv_alloc(lanes->nlanes, sizeof *number);

	for (uint32_t i = 0; i < lanes->nnodes; i++)
		write_process(w, i + 1, tv_pool_text(w->trace->pool, lanes->node[i]));
	for (uint32_t i = 0; i < lanes->nlanes; i++) {
		order[i] = lanes->lane[i].order;
		number[i] = i;
	}
	tv_sort_rows_by_time(number, lanes->nlanes, order);
	for (uint32_t i = 0; i < lanes->nlanes; i++)
		write_lane(w, number[i], i);
	tv_free(order);
	tv_free(number);
}

static void write_table(struct writing *w, enum tv_table_id id)
{
	if (id == TV_TASKS)
		write_tasks(w);
	else if (id == TV_STATES)
		write_states(w);
	else if (id == TV_CALLS)
		write_calls(w);
	else if (id == TV_VARIABLES)
		write_variables(w);
	else if (id == TV_EVENTS)
		write_events(w);
	else
		write_hidden(w, id);
}

static void *begin(const struct tv_export *export, struct tv_error *err)
{
	struct writing *w = tv_alloc(1, sizeof *w);

	(void)err;
	w->export = export;
	w->trace = export->trace;
	return w;
}

static int write_file(void *state, const struct tv_part *part, struct tv_output *out,
		      struct tv_error *err)
{
	struct writing *w = state;

	(void)part;
	(void)err;
	w->out = out;
	w->base = find_base(w);
	tv_output_text(out, "{\"displayTimeUnit\":\"ms\",");
	if (w->base != 0)
		tv_output_format(out, "\"baseTimeNanoseconds\":%" PRId64 ",", w->base);
	tv_output_text(out, "\"otherData\":{\"producer\":\"" TV_CHROME_PRODUCER "\"");
	for (size_t i = 0; i < TV_COUNT(written); i++)
		write_columns(w, written[i]);
	tv_output_text(out,
		       "},\n\"traceEvents\":[\n{\"ph\":\"M\",\"name\":\"" TV_CHROME_PRODUCER "\"}");
	tv_chrome_lanes_init(&w->lanes, w->trace);
	find_path(w);
	for (size_t i = 0; i < TV_COUNT(written); i++)
		write_table(w, written[i]);
	write_messages(w);
	tv_chrome_arrows(&w->lanes, w->trace, put_arrow, w);
	for (size_t i = 0; i < w->export->ntracks; i++)
		write_track(w, &w->export->track[i].table);
	write_names(w);
	tv_output_text(out, "\n]}\n");
	return 0;
}

static void end(void *state)
{
	struct writing *w = state;
	uint32_t tables = 0;

	for (size_t i = 0; i < TV_COUNT(written); i++)
		tables |= 1u << written[i];
	tv_note_left_out(w->trace, tables, "--to csv -o DIR", w->export->notes);
	tv_chrome_lanes_release(&w->lanes);
	tv_map_release(&w->path);
	tv_free(w);
}

const struct tv_writer tv_chrome_writer = {
	.name = "chrome",
	.ending = "json",
	.summary = "Chrome trace events (JSON) for Perfetto: tasks, states, counters, arrows, "
		   "diagnosis",
	.whole = true,
	.begin = begin,
	.write = write_file,
	.end = end,
};
