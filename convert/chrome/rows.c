/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rows.c -- slices, asynchronous spans, counters and instants as rows of tables. */
#include <inttypes.h>
#include <stdlib.h>

#include "convert/chrome/chrome.h"
#include "convert/mpi_calls.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

static uint32_t text_label(struct tv_chrome *c, const char *text)
{
	return tv_intern_text(c->trace->pool, text);
}

/* A label, or a text where there is none. */
static uint32_t or_text(struct tv_chrome *c, uint32_t label, const char *text)
{
	return label != TV_NONE ? label : text_label(c, text);
}

static uint32_t file_of(const struct tv_chrome *c, uint32_t lane)
{
	return c->process[c->lane[lane].process].file;
}

static const struct tv_chrome_more *more_of(const struct tv_chrome *c,
					    const struct tv_chrome_slice *slice)
{
	return slice->more != TV_NONE ? &c->more[slice->more] : NULL;
}

/* ---- tasks ---- */

static void set_open(struct tv_chrome *c, enum tv_table_id table, uint32_t row, bool open)
{
	if (open)
		tv_set_text(tv_trace_column(c->trace, table, "Flag"), row, TV_OPEN);
}

/* The id of a task: that of its producer, else its place in the files; with several files, in front of it the node. */
static uint32_t job_label(struct tv_chrome *c, const struct tv_chrome_slice *slice)
{
	uint32_t node = c->process[c->lane[slice->lane].process].node, label,
		 id = tv_chrome_id_of(c, slice);
	char *text;

	if (id == TV_NONE)
		text = tv_format("%" PRIu32, slice->seq);
	else if (c->file > 1)
		text = tv_format("%s_%s", tv_pool_text(c->trace->pool, node),
				 tv_pool_text(c->names, id));
	else
		text = tv_strdup(tv_pool_text(c->names, id));
	label = text_label(c, text);
	tv_free(text);
	return label;
}

/* What a label of `names` in a file means: the launch of a number, or the creation of a GUID. */
static uint64_t key_of(const struct tv_chrome *c, uint32_t lane, uint32_t label, bool launch)
{
	return (uint64_t)file_of(c, lane) << 33 | (uint64_t)label << 1 | launch;
}

/* When tasks were submitted: APEX's event of their creation, or the launch with the same number. */
static struct tv_numbers find_submissions(const struct tv_chrome *c, int64_t **time)
{
	struct tv_numbers of = { 0 };
	uint32_t creation = tv_pool_find_text(c->trace->pool, "Task Creation"), n = 0;

	*time = tv_alloc(c->ninstant + c->nslice, sizeof **time);
	for (size_t i = 0; i < c->ninstant; i++) {
		const struct tv_chrome_instant *instant = &c->instant[i];

		if (instant->guid == TV_NONE || instant->name != creation)
			continue;
		tv_numbers_put(&of, key_of(c, instant->lane, instant->guid, false), n);
		(*time)[n++] = instant->time;
	}
	for (size_t i = 0; i < c->nslice; i++) {
		const struct tv_chrome_slice *slice = &c->slice[i];
		const struct tv_chrome_more *more = more_of(c, slice);

		if (more == NULL || more->correlation == TV_NONE
		    || !tv_chrome_is_kind(c, slice, TV_CHROME_LAUNCH))
			continue;
		tv_numbers_put(&of, key_of(c, slice->lane, more->correlation, true), n);
		(*time)[n++] = slice->start;
	}
	return of;
}

static uint32_t submission_of(const struct tv_chrome *c, const struct tv_numbers *of,
			      const struct tv_chrome_slice *slice)
{
	const struct tv_chrome_more *more = more_of(c, slice);

	if (more == NULL)
		return TV_NONE;
	if (more->guid != TV_NONE)
		return tv_numbers_get(of, key_of(c, slice->lane, more->guid, false));
	return tv_chrome_is_kind(c, slice, TV_CHROME_DEVICE_WORK) && more->correlation != TV_NONE
		     ? tv_numbers_get(of, key_of(c, slice->lane, more->correlation, true))
		     : TV_NONE;
}

/* The device of a stream: its name without what follows the last point. */
static void set_device(struct tv_chrome *c, struct tv_column *column, uint32_t row,
		       uint32_t resource)
{
	const char *name = tv_pool_text(c->trace->pool, resource), *dot = strrchr(name, '.');

	if (dot != NULL)
		tv_set_string(column, row, name, (size_t)(dot - name));
}

/* Those that only some traces have are NULL until a task gets a value. */
struct task_columns {
	struct tv_column *resource, *value, *start, *end, *job, *depends, *submit, *device, *size;
};

static struct tv_column *needed(struct tv_chrome *c, struct tv_column **column, const char *name)
{
	if (*column == NULL)
		*column = tv_trace_column(c->trace, TV_TASKS, name);
	return *column;
}

static void set_depends(struct tv_chrome *c, const struct task_columns *to, uint32_t row,
			const struct tv_chrome_edge *edge, size_t n)
{
	uint32_t *before = tv_alloc(n, sizeof *before);

	for (size_t i = 0; i < n; i++)
		before[i] = job_label(c, &c->slice[edge[i].from]);
	tv_set_list(to->depends, row, before, n);
	tv_free(before);
}

static void set_device_work(struct tv_chrome *c, struct task_columns *to,
			    const struct tv_chrome_slice *slice, uint32_t row)
{
	const struct tv_chrome_work *work = tv_chrome_work_of(c, slice);

	set_device(c, needed(c, &to->device, "Device"), row, c->lane[slice->lane].resource);
	if (work != NULL && work->bytes >= 0)
		tv_set_int(needed(c, &to->size, "Size"), row, work->bytes);
}

static void add_tasks(struct tv_chrome *c, const struct tv_chrome_edges *edges)
{
	struct tv_trace *trace = c->trace;
	struct task_columns to = {
		.resource = tv_trace_column(trace, TV_TASKS, "ResourceId"),
		.value = tv_trace_column(trace, TV_TASKS, "Value"),
		.start = tv_trace_column(trace, TV_TASKS, "Start"),
		.end = tv_trace_column(trace, TV_TASKS, "End"),
		.job = edges->nedge > 0 || c->guids || c->id_arg != TV_NONE
			     ? tv_trace_column(trace, TV_TASKS, "JobId")
			     : NULL,
		.depends = edges->nedge > 0 ? tv_trace_column(trace, TV_TASKS, "DependsOn") : NULL,
	};
	int64_t *time;
	struct tv_numbers submitted = find_submissions(c, &time);
	size_t edge = 0;

	for (uint32_t i = 0; i < c->nslice; i++) {
		const struct tv_chrome_slice *slice = &c->slice[i];
		uint32_t row, submission;
		size_t n = 0;

		if (!slice->task)
			continue;
		row = tv_table_add_row(&trace->table[TV_TASKS]);
		tv_set_label(to.resource, row, c->lane[slice->lane].resource);
		tv_set_label(to.value, row, or_text(c, slice->name, "unnamed"));
		tv_set_int(to.start, row, slice->start);
		tv_set_int(to.end, row, slice->end);
		if (to.job != NULL)
			tv_set_label(to.job, row, job_label(c, slice));
		while (edge + n < edges->nedge && edges->edge[edge + n].to == i)
			n++;
		if (n > 0)
			set_depends(c, &to, row, &edges->edge[edge], n);
		edge += n;
		submission = submission_of(c, &submitted, slice);
		if (submission != TV_NONE)
			tv_set_int(needed(c, &to.submit, "SubmitTime"), row, time[submission]);
		if (tv_chrome_is_kind(c, slice, TV_CHROME_DEVICE_WORK))
			set_device_work(c, &to, slice, row);
		else
			tv_chrome_set_args(c, slice, row);
		set_open(c, TV_TASKS, row, slice->open);
	}
	tv_chrome_note_args(c);
	if (edges->nedge > 0 && !c->guids && c->id_arg == TV_NONE)
		tv_meta_add(trace, TV_META_PLACES_AS_JOBS, "yes");
	tv_numbers_release(&submitted);
	tv_free(time);
}

/* ---- states ---- */

struct state_columns {
	struct tv_column *resource, *type, *value, *start, *end, *depth;
};

static struct state_columns states_of(struct tv_chrome *c)
{
	return (struct state_columns){ tv_trace_column(c->trace, TV_STATES, "ResourceId"),
				       tv_trace_column(c->trace, TV_STATES, "Type"),
				       tv_trace_column(c->trace, TV_STATES, "Value"),
				       tv_trace_column(c->trace, TV_STATES, "Start"),
				       tv_trace_column(c->trace, TV_STATES, "End"),
				       tv_trace_column(c->trace, TV_STATES, "Depth") };
}

struct span {
	int64_t start, end;
	uint32_t resource, type, value, seq;
	int64_t depth;
	bool open;
};

static void add_state(struct tv_chrome *c, const struct state_columns *to, const struct span *span)
{
	uint32_t row = tv_table_add_row(&c->trace->table[TV_STATES]);

	tv_set_label(to->resource, row, span->resource);
	tv_set_label(to->type, row, span->type);
	tv_set_label(to->value, row, span->value);
	tv_set_int(to->start, row, span->start);
	tv_set_int(to->end, row, span->end);
	tv_set_int(to->depth, row, span->depth);
	set_open(c, TV_STATES, row, span->open);
}

static bool is_call(const struct tv_chrome *c, const struct tv_chrome_slice *slice)
{
	return !slice->task && slice->cat != TV_NONE && slice->cat == c->mpi;
}

static void add_call(struct tv_chrome *c, const struct tv_chrome_slice *slice)
{
	struct tv_trace *trace = c->trace;
	uint32_t row = tv_table_add_row(&trace->table[TV_CALLS]),
		 name = or_text(c, slice->name, "unnamed");
	const char *text = tv_pool_text(trace->pool, name);
	size_t prefix = strncmp(text, "MPI_", 4) == 0 ? 4 : 0;
	const struct tv_chrome_work *work = tv_chrome_work_of(c, slice);

	tv_set_label(tv_trace_column(trace, TV_CALLS, "ResourceId"), row,
		     c->lane[slice->lane].resource);
	tv_set_label(tv_trace_column(trace, TV_CALLS, "Call"), row, name);
	tv_set_text(tv_trace_column(trace, TV_CALLS, "Class"), row,
		    tv_mpi_class((struct tv_word){ text + prefix, strlen(text + prefix) }));
	tv_set_int(tv_trace_column(trace, TV_CALLS, "Start"), row, slice->start);
	tv_set_int(tv_trace_column(trace, TV_CALLS, "End"), row, slice->end);
	if (work != NULL && work->bytes >= 0)
		tv_set_int(tv_trace_column(trace, TV_CALLS, "Bytes"), row, work->bytes);
}

static void add_regions(struct tv_chrome *c)
{
	struct state_columns to;
	uint32_t region = text_label(c, TV_CHROME_REGION), unnamed = text_label(c, "unnamed");
	bool any = false;

	for (size_t i = 0; i < c->nslice; i++) {
		const struct tv_chrome_slice *slice = &c->slice[i];
		struct span span = { slice->start,
				     slice->end,
				     c->lane[slice->lane].resource,
				     slice->cat != TV_NONE ? slice->cat : region,
				     slice->name != TV_NONE ? slice->name : unnamed,
				     slice->seq,
				     slice->depth,
				     slice->open };

		if (slice->task || is_call(c, slice))
			continue;
		if (!any)
			to = states_of(c);
		any = true;
		add_state(c, &to, &span);
	}
}

TV_ORDER(points_by_key, struct tv_chrome_point, key, time, seq)
TV_ORDER(spans_by_start, struct span, resource, start, down(end), seq)

static struct span span_between(struct tv_chrome *c, const struct tv_chrome_point *begin,
				int64_t end, bool open)
{
	return (struct span){ .start = begin->time,
			      .end = end,
			      .resource = c->process[c->lane[begin->lane].process].resource,
			      .type = or_text(c, begin->cat, "async"),
			      .value = or_text(c, begin->name, "unnamed"),
			      .seq = begin->seq,
			      .open = open };
}

/* Pairs the begins and ends of one key; those that do not match are counted. */
static size_t pair_points(struct tv_chrome *c, struct span *span, uint64_t *single)
{
	size_t n = 0, nopen = 0, *open = tv_alloc(c->nasync, sizeof *open);

	qsort(c->async, c->nasync, sizeof *c->async, points_by_key);
	for (size_t i = 0; i <= c->nasync; i++) {
		if (i == c->nasync || (i > 0 && c->async[i].key != c->async[i - 1].key))
			for (; nopen > 0; ++*single)
				span[n++] = span_between(c, &c->async[open[--nopen]], c->last,
							 true);
		if (i == c->nasync)
			break;
		if (c->async[i].phase == 'b')
			open[nopen++] = i;
		else if (nopen > 0)
			span[n++] = span_between(c, &c->async[open[--nopen]], c->async[i].time,
						 false);
		else
			++*single;
	}
	tv_free(open);
	return n;
}

enum { ROWS_MAX = 64 };

/* Asynchronous spans overlap: each goes to the first depth that is free, the last one if none is. */
static void add_async(struct tv_chrome *c)
{
	struct span *span = tv_alloc(c->nasync, sizeof *span);
	struct state_columns to;
	int64_t busy[ROWS_MAX];
	uint64_t single = 0;
	size_t n, used = 0;

	if (c->nasync == 0) {
		tv_free(span);
		return;
	}
	to = states_of(c);
	n = pair_points(c, span, &single);
	if (n > 1)
		qsort(span, n, sizeof *span, spans_by_start);
	for (size_t i = 0; i < n; i++) {
		size_t depth = 0;

		if (i > 0 && span[i].resource != span[i - 1].resource)
			used = 0;
		while (depth < used && busy[depth] > span[i].start)
			depth++;
		depth = depth < ROWS_MAX ? depth : ROWS_MAX - 1;
		used = depth < used ? used : depth + 1;
		busy[depth] = span[i].end;
		span[i].depth = (int64_t)depth;
		add_state(c, &to, &span[i]);
	}
	tv_free(span);
	if (single > 0)
		tv_damaged(c->trace, TV_REPAIRED, "asynchronous span without begin or end",
			   (struct tv_pos){ c->path, 0 },
			   "%" PRIu64
			   " begins (b) or ends (e) have no partner; a begin lasts to the "
			   "end of the trace",
			   single);
}

/* ---- counters, instants ---- */

TV_ORDER(samples_by_time, struct tv_chrome_sample, process, name, time, seq)

/* A value holds until the next one, the last one until the end of the trace. */
static void add_variables(struct tv_chrome *c)
{
	struct tv_trace *trace = c->trace;
	struct tv_column *resource, *type, *start, *end, *value;

	if (c->nsample > 1)
		qsort(c->sample, c->nsample, sizeof *c->sample, samples_by_time);
	if (c->nsample > 0)
		TV_TRACE_COLUMNS(trace, TV_VARIABLES, { "ResourceId", &resource },
				 { "Type", &type }, { "Start", &start }, { "End", &end },
				 { "Value", &value });
	for (size_t i = 0; i < c->nsample; i++) {
		const struct tv_chrome_sample *sample = &c->sample[i];
		uint32_t row = tv_table_add_row(&trace->table[TV_VARIABLES]);
		bool more = i + 1 < c->nsample && sample[1].process == sample->process
			 && sample[1].name == sample->name;

		tv_set_label(resource, row, c->process[sample->process].resource);
		tv_set_label(type, row, sample->name);
		tv_set_int(start, row, sample->time);
		tv_set_int(end, row, more ? sample[1].time : c->last);
		tv_set_double(value, row, sample->value);
	}
}

static void add_events(struct tv_chrome *c)
{
	struct tv_trace *trace = c->trace;
	struct tv_column *resource, *type, *time, *value;

	if (c->ninstant > 0)
		TV_TRACE_COLUMNS(trace, TV_EVENTS, { "ResourceId", &resource }, { "Type", &type },
				 { "Time", &time }, { "Value", &value });
	for (size_t i = 0; i < c->ninstant; i++) {
		const struct tv_chrome_instant *instant = &c->instant[i];
		uint32_t row = tv_table_add_row(&trace->table[TV_EVENTS]);

		tv_set_label(resource, row,
			     instant->async ? c->process[c->lane[instant->lane].process].resource
					    : c->lane[instant->lane].resource);
		tv_set_label(type, row,
			     or_text(c, instant->cat, instant->async ? "async" : "instant"));
		tv_set_int(time, row, instant->time);
		tv_set_label(value, row, instant->name);
		if (instant->guid != TV_NONE)
			tv_set_text(tv_trace_column(trace, TV_EVENTS, "JobId"), row,
				    tv_pool_text(c->names, instant->guid));
	}
}

/* The last of all times. */
static int64_t find_last(const struct tv_chrome *c)
{
	int64_t last = INT64_MIN;

#define AT_LEAST(list, member) \
	for (size_t i = 0; i < c->n##list; i++) \
	last = c->list[i].member > last ? c->list[i].member : last
	AT_LEAST(slice, end);
	AT_LEAST(instant, time);
	AT_LEAST(sample, time);
	AT_LEAST(async, time);
#undef AT_LEAST
	return last;
}

void tv_chrome_rows(struct tv_chrome *c, const struct tv_chrome_edges *edges)
{
	c->last = find_last(c);
	add_tasks(c, edges);
	for (size_t i = 0; i < c->nslice; i++)
		if (is_call(c, &c->slice[i]))
			add_call(c, &c->slice[i]);
	/* A part of the peak, of no use for other rows. */
	tv_free(c->more);
	tv_free(c->work);
	tv_free(c->arg);
	c->arg = NULL;
	c->more = NULL;
	c->work = NULL;
	add_regions(c);
	add_async(c);
	add_variables(c);
	add_events(c);
}
