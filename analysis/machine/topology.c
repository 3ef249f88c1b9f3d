/* SPDX-License-Identifier: GPL-3.0-or-later */
/* topology.c -- a number for each object of the machine: of its workers, or of a variable. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/core/curves.h"
#include "analysis/core/instead.h"
#include "analysis/core/readings.h"
#include "analysis/core/spans.h"
#include "analysis/core/statistics.h"
#include "analysis/machine/occupancy.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"

#define COLUMNS(X) \
	X(START, "Start", TV_TIME, false, "ms", "begin of the window") \
	X(END, "End", TV_TIME, false, "ms", "its end; of an instant (--at) the same") \
	X(ID, "ResourceId", TV_LABEL, false, "", "object of the machine") \
	X(LEVEL, "Level", TV_LABEL, false, "", "its level: L3, Core, ...") \
	X(PARENT, "Parent", TV_LABEL, false, "", "object around it") \
	X(ORDER, "Order", TV_INT, false, "", "its number in its level") \
	X(DEPTH, "Depth", TV_INT, false, "", "0 outermost") \
	X(CHILDREN, "Children", TV_INT, false, "", "number of objects whose Parent it is") \
	X(CAPACITY, "Capacity", TV_INT, false, "", \
	  "workers that it can hold: see below; missing for variables") \
	X(TOTAL, "Total", TV_DOUBLE, false, "", \
	  "worker-ms of idleness, busy or a task type; of a counter its sum") \
	X(VALUE, "Value", TV_DOUBLE, false, "", "value, see below; missing: not known") \
	X(UNIT, "Unit", TV_LABEL, false, "", "unit of Value") \
	X(MIN, "Min", TV_DOUBLE, false, "", "smallest reading of its variable in the whole run") \
	X(MAX, "Max", TV_DOUBLE, false, "", "largest one") \
	X(CHANGE, "Change", TV_DOUBLE, false, "", \
	  "Value minus that of the window before; of a variable at an instant, minus " \
	  "the " \
	  "reading before")

TV_COLUMNS(columns, COLUMNS)

enum by { BY_IDLENESS, BY_BUSY, BY_TYPE, BY_VARIABLE };

/* A window or an instant. */
struct slice {
	int64_t begin, end; /* of an instant 1 ns later, so that it contains time */
	uint32_t window;    /* of `edge` */
};

/* What is known of the readings of a variable on an object in a slice. */
struct held {
	double sum, weight, total; /* total: of a counter, exact for whole readings */
	double before;		   /* at an instant: the reading before; NaN = none */
};

struct object_numbers {
	struct tv_run *run;
	struct tv_placement *placement;
	enum by by;
	uint32_t type; /* label of the task type or variable */
	bool counter;  /* the variable is one: per second */
	uint32_t unit;
	struct tv_reading *reading, *row; /* row: of a counter, as in the table, for totals */
	size_t nreadings, nrows;
	struct tv_table *out;
	struct tv_occupancy workers; /* zero of a variable */
	bool instants;
	struct slice *slice; /* in the order of the output */
	uint32_t nslices;
	int64_t *edge; /* ascending; each slice is between two that follow each other */
	uint32_t nedges;
	struct held *held; /* of slice k and object i: held[k * n + i]; of a variable */
	/* By object, of the run. */
	double *min, *max;
	double *before; /* in the window before; NaN: not known */
};

/* ---- workers ---- */

static void fill_workers(struct object_numbers *work)
{
	static const enum tv_occupied what[] = { [BY_IDLENESS] = TV_OCCUPIED_ALL,
						 [BY_BUSY] = TV_OCCUPIED_COUNTED,
						 [BY_TYPE] = TV_OCCUPIED_TYPE };

	if (work->nedges > 1)
		tv_occupancy_fill(&work->workers, what[work->by], work->type, TV_NONE, work->edge,
				  work->nedges - 1);
}

/* Writes what is known of an object in a slice, and returns the value; NaN: not known. */
static double write_share(const struct object_numbers *work, uint32_t object, uint32_t row,
			  const struct slice *in)
{
	tv_int128 time;
	double share = tv_occupancy_share(&work->workers, in->window, object, in->end - in->begin,
					  work->by == BY_IDLENESS, &time);

	tv_set_int(work->out->col[CAPACITY], row, work->workers.capacity[object]);
	if (isnan(share))
		return share;
	tv_set_double(work->out->col[TOTAL], row, (double)time / 1e6);
	tv_set_double(work->out->col[VALUE], row, share);
	return share;
}

/* ---- variables ---- */

/* A reading as it is shown: of a counter per second. */
static double shown(const struct object_numbers *work, const struct tv_reading *r)
{
	return work->counter && r->end > r->start ? r->value / (double)(r->end - r->start) * 1e9
						  : r->value;
}

static uint32_t object_of(const struct object_numbers *work, const struct tv_reading *r)
{
	return r->resource == TV_NONE ? TV_NONE
				      : tv_object_of(&work->placement->machine, r->resource);
}

/* Adds the part of a reading that is in a window, to the total or to the mean; of a reading without length, all of it. */
static void add_reading(const struct object_numbers *work, const struct tv_reading *r,
			const struct slice *in, struct held *held, bool total)
{
	int64_t from = r->start > in->begin ? r->start : in->begin;
	int64_t to = r->end < in->end ? r->end : in->end;
	double length = r->end > r->start ? (double)(to - from) : 1;

	if (r->end > r->start && to <= from)
		return;
	if (total) {
		held->total += to - from == r->end - r->start
				     ? r->value
				     : r->value * length / (double)(r->end - r->start);
		return;
	}
	held->sum += shown(work, r) * length;
	held->weight += length;
}

/* The first of the windows, which follow each other, that ends at t or later; nslices: none. */
static uint32_t window_up_to(const struct object_numbers *work, int64_t t)
{
	uint32_t i;

	TV_LOWER_BOUND(i, 0, work->nslices, work->slice[i].end < t);
	return i;
}

/* Sum and weight of readings in each window, or of rows the total. */
static void add_readings(struct object_numbers *work, const struct tv_reading *reading,
			 size_t nreadings, bool total)
{
	uint32_t n = work->placement->machine.n;

	for (size_t i = 0; i < nreadings; i++) {
		const struct tv_reading *r = &reading[i];
		uint32_t object = object_of(work, r);

		if (object == TV_NONE)
			continue;
		for (uint32_t k = window_up_to(work, r->start);
		     k < work->nslices
		     && (work->slice[k].begin <= r->start || work->slice[k].begin < r->end);
		     k++)
			add_reading(work, r, &work->slice[k], &work->held[(size_t)k * n + object],
				    total);
	}
}

/* A slice and its instant, for sorting. */
struct moment {
	int64_t time;
	uint32_t slice;
};

TV_ORDER(by_moment, struct moment, time, slice)

/* Readings [first, next) of one variable and object at each instant: the last one up to it, which
 * has not ended. Where the very last one ends it still holds. */
static void hold_readings_of(struct object_numbers *work, size_t first, size_t next,
			     const struct moment *moment)
{
	uint32_t object = object_of(work, &work->reading[first]);
	size_t i = first, point = SIZE_MAX;

	for (uint32_t k = 0; object != TV_NONE && k < work->nslices; k++) {
		struct held *held =
			&work->held[(size_t)moment[k].slice * work->placement->machine.n + object];
		size_t at;

		for (; i < next && work->reading[i].start <= moment[k].time; i++)
			if (work->reading[i].end <= work->reading[i].start)
				point = i;
		at = i > first
				  && (work->reading[i - 1].end > moment[k].time
				      || (i == next && work->reading[i - 1].end == moment[k].time))
			   ? i - 1
			   : point;
		if (at == SIZE_MAX)
			continue;
		held->sum = shown(work, &work->reading[at]);
		held->weight = 1;
		held->before = at > first ? shown(work, &work->reading[at - 1]) : NAN;
	}
}

/* They are in the order of time, variable by variable, object by object. */
static void hold_readings(struct object_numbers *work)
{
	struct moment *moment = tv_alloc(work->nslices, sizeof *moment);

	for (uint32_t k = 0; k < work->nslices; k++)
		moment[k] = (struct moment){ work->slice[k].begin, k };
	if (work->nslices > 1)
		qsort(moment, work->nslices, sizeof *moment, by_moment);
	for (size_t i = 0, next; i < work->nreadings; i = next) {
		const struct tv_reading *r = &work->reading[i];

		for (next = i + 1; next < work->nreadings && work->reading[next].type == r->type
				   && work->reading[next].resource == r->resource;
		     next++)
			;
		hold_readings_of(work, i, next, moment);
	}
	tv_free(moment);
}

static void fill_readings(struct object_numbers *work)
{
	work->held = tv_alloc((size_t)work->nslices * work->placement->machine.n,
			      sizeof *work->held);
	if (work->instants) {
		hold_readings(work);
		return;
	}
	add_readings(work, work->reading, work->nreadings, false);
	add_readings(work, work->row, work->nrows, true);
}

static double write_reading(const struct object_numbers *work, uint32_t object, uint32_t row,
			    const struct held *held)
{
	double value = held->sum / held->weight;

	if (work->max[object] >= work->min[object]) {
		tv_set_double(work->out->col[MIN], row, work->min[object]);
		tv_set_double(work->out->col[MAX], row, work->max[object]);
	}
	if (!(held->weight > 0))
		return NAN;
	if (work->counter && !work->instants)
		tv_set_double(work->out->col[TOTAL], row, held->total);
	tv_set_double(work->out->col[VALUE], row, value);
	if (work->instants && !isnan(held->before))
		tv_set_double(work->out->col[CHANGE], row, value - held->before);
	return value;
}

static void find_extremes(struct object_numbers *work)
{
	uint32_t n = work->placement->machine.n;

	for (uint32_t i = 0; i < n; i++) {
		work->min[i] = INFINITY;
		work->max[i] = -INFINITY;
		work->before[i] = NAN;
	}
	for (size_t i = 0; i < work->nreadings; i++) {
		const struct tv_reading *r = &work->reading[i];
		uint32_t object = object_of(work, r);

		if (object == TV_NONE)
			continue;
		work->min[object] = fmin(work->min[object], shown(work, r));
		work->max[object] = fmax(work->max[object], shown(work, r));
	}
}

/* ---- rows ---- */

/* The change from the window before, of the same object. */
static void write_change(const struct object_numbers *work, uint32_t object, uint32_t row,
			 double value)
{
	double change = value - work->before[object];

	if (!isnan(change))
		tv_set_double(work->out->col[CHANGE], row, change);
	work->before[object] = value;
}

static void write_slice(struct object_numbers *work, uint32_t k)
{
	const struct tv_machine *m = &work->placement->machine;
	const struct slice *in = &work->slice[k];
	struct tv_column *const *to = work->out->col;

	for (uint32_t i = 0; i < m->n; i++) {
		const struct tv_object *o = &m->at[i];
		uint32_t row = tv_table_add_row(work->out);
		double value;

		tv_set_int(to[START], row, in->begin);
		tv_set_int(to[END], row, work->instants ? in->begin : in->end);
		tv_set_label(to[ID], row, o->id);
		tv_set_label(to[LEVEL], row, m->level[o->level].type);
		if (o->parent != TV_NONE)
			tv_set_label(to[PARENT], row, m->at[o->parent].id);
		if (o->order >= 0)
			tv_set_int(to[ORDER], row, o->order);
		tv_set_int(to[DEPTH], row, o->depth);
		tv_set_int(to[CHILDREN], row, m->children.first[i + 1] - m->children.first[i]);
		tv_set_label(to[UNIT], row, work->unit);
		value = work->by == BY_VARIABLE
			      ? write_reading(work, i, row, &work->held[(size_t)k * m->n + i])
			      : write_share(work, i, row, in);
		if (!work->instants)
			write_change(work, i, row, value);
	}
}

static void write_slices(struct object_numbers *work)
{
	if (work->by == BY_VARIABLE)
		fill_readings(work);
	else
		fill_workers(work);
	for (uint32_t k = 0; k < work->nslices; k++)
		write_slice(work, k);
}

/* The part of the run that is asked for; of one without tasks that of the variable. */
static int find_interval(const struct object_numbers *work, struct tv_span *in,
			 struct tv_error *err)
{
	if (work->run->tasks.ncounted > 0 || work->nreadings == 0)
		return tv_run_interval(work->run, &in->begin, &in->end, err);
	*in = (struct tv_span){ work->reading[0].start, work->reading[0].end };
	for (size_t i = 0; i < work->nreadings; i++) {
		if (work->reading[i].start < in->begin)
			in->begin = work->reading[i].start;
		if (work->reading[i].end > in->end)
			in->end = work->reading[i].end;
	}
	if (work->run->window.set && work->run->window.begin > in->begin)
		in->begin = work->run->window.begin;
	if (work->run->window.set && work->run->window.end < in->end)
		in->end = work->run->window.end;
	return in->begin > in->end ? tv_fail_usage(err, "no reading lies between --begin and --end")
				   : 0;
}

/* Where instants begin and end. */
static void find_edges(struct object_numbers *work)
{
	work->edge = tv_alloc(2 * (size_t)work->nslices, sizeof *work->edge);
	for (uint32_t k = 0; k < work->nslices; k++) {
		work->edge[work->nedges++] = work->slice[k].begin;
		work->edge[work->nedges++] = work->slice[k].end;
	}
	tv_sort_times(work->edge, work->nedges);
	/* The edges before its end begin with its own. */
	for (uint32_t k = 0; k < work->nslices; k++)
		work->slice[k].window = (uint32_t)tv_count_upto(&work->slice[k].begin, work->edge,
								work->nedges, sizeof *work->edge,
								tv_compare_int64)
				      - 1;
}

/* One instant for each item of the list. */
static void find_instants(struct object_numbers *work, const char *list)
{
	size_t cap = 0;

	work->instants = true;
	while (*list != '\0') {
		size_t n = strcspn(list, ",");
		char *item = tv_strndup(list, n);
		int64_t at = tv_value_time(item, 0);

		tv_free(item);
		TV_GROW(work->slice, work->nslices, cap, 1);
		work->slice[work->nslices++] = (struct slice){ at, at + 1, 0 };
		list += n + (list[n] == ',');
	}
	find_edges(work);
}

static int find_windows(struct object_numbers *work, uint32_t n, struct tv_error *err)
{
	struct tv_span all;

	if (find_interval(work, &all, err) < 0)
		return -1;
	work->nslices = n;
	work->slice = tv_alloc(n, sizeof *work->slice);
	work->nedges = n + 1;
	work->edge = tv_alloc(work->nedges, sizeof *work->edge);
	work->edge[0] = all.begin;
	for (uint32_t k = 0; k < n; k++) {
		tv_int128 length = (tv_int128)all.end - all.begin;

		work->edge[k + 1] = all.begin + (int64_t)(length * (k + 1) / n);
		work->slice[k] = (struct slice){ work->edge[k], work->edge[k + 1], k };
	}
	return 0;
}

/* ---- what is asked for ---- */

static uint32_t intern_meta(const struct object_numbers *work, const char *name, const char *fact)
{
	char *key = tv_format("Monitor.%s.%s", name, fact);
	size_t n;
	const char *text = tv_meta_get(work->run->trace, key, &n);
	uint32_t label = text == NULL ? TV_NONE : tv_intern(work->out->pool, text, n);

	tv_free(key);
	return label;
}

static bool has_value(const struct tv_table *table, const char *column, uint32_t label)
{
	const struct tv_column *values = tv_table_find(table, column);

	for (uint32_t row = 0; values != NULL && label != TV_NONE && row < table->nrows; row++)
		if (tv_label(values, row) == label)
			return true;
	return false;
}

/* Whether any reading is on an object of the machine. */
static bool on_objects(const struct object_numbers *work)
{
	for (size_t i = 0; i < work->nreadings; i++)
		if (object_of(work, &work->reading[i]) != TV_NONE)
			return true;
	return false;
}

/* Rows of counts overlap where several recorders read one object: they add up. */
static int add_up(struct object_numbers *work, struct tv_error *err)
{
	work->nrows = work->nreadings;
	work->row = tv_alloc(work->nrows, sizeof *work->row);
	for (size_t i = 0; i < work->nrows; i++) {
		work->row[i] = work->reading[i];
		work->row[i].end = work->row[i].until;
	}
	return tv_readings_add_up(&work->reading, &work->nreadings, err);
}

static int find_variable(struct object_numbers *work, const char *name, struct tv_error *err)
{
	uint32_t kind = intern_meta(work, name, "Kind"), unit = intern_meta(work, name, "Unit");
	const char *text = unit == TV_NONE ? "events" : tv_pool_text(work->out->pool, unit);

	work->by = BY_VARIABLE;
	work->unit = unit;
	if (tv_readings(&work->run->tasks, name, &work->reading, &work->nreadings, err) < 0)
		return -1;
	if (!on_objects(work))
		return tv_fail(err,
			       "--by '%s': its values are on %s, expected a variable of "
			       "objects of the machine",
			       name,
			       strncmp(name, "thread.", 7) == 0
				       ? "threads, which run on several objects"
				       : "other resources");
	work->counter = kind != TV_NONE
		     && strcmp(tv_pool_text(work->out->pool, kind), "counter") == 0;
	for (size_t i = 0; i < work->nreadings && work->counter; i++)
		work->counter = work->reading[i].until > work->reading[i].start;
	if (work->counter) {
		char *rate = tv_format("%s/s", text);

		work->unit = tv_intern_text(work->out->pool, rate);
		tv_free(rate);
	}
	return work->counter ? add_up(work, err) : 0;
}

static int find_workers(struct object_numbers *work, struct tv_error *err)
{
	work->unit = tv_intern_text(work->out->pool, "%");
	return tv_occupancy_init(&work->workers, work->run, err);
}

static int find_what(struct object_numbers *work, const char *by, struct tv_error *err)
{
	const struct tv_trace *trace = work->run->trace;
	uint32_t label = tv_pool_find_text(trace->pool, by);

	work->unit = TV_NONE;
	work->by = strcmp(by, "busy") == 0 ? BY_BUSY : BY_IDLENESS;
	if (work->by == BY_BUSY || strcmp(by, "idleness") == 0)
		return find_workers(work, err);
	if (has_value(tv_trace_table(trace, TV_VARIABLES), "Type", label))
		return find_variable(work, by, err);
	if (!has_value(&trace->table[TV_TASKS], "Value", label))
		return tv_fail_usage(
			err,
			"--by '%s', expected idleness, busy, the Type of a variable or a "
			"task type",
			by);
	work->by = BY_TYPE;
	work->type = label;
	return find_workers(work, err);
}

static void release(struct object_numbers *work)
{
	tv_occupancy_release(&work->workers);
	tv_free(work->slice);
	tv_free(work->edge);
	tv_free(work->held);
	tv_free(work->min);
	tv_free(work->max);
	tv_free(work->before);
	tv_free(work->reading);
	tv_free(work->row);
}

struct asked {
	const char *by, *at;
	uint64_t windows;
};

static int run_topology(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
			struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct object_numbers work = { .run = run, .out = out, .placement = tv_run_placement(run) };
	uint32_t n = work.placement->machine.n;
	int rc;

	if (n == 0)
		return tv_fail_lacks(
			err, run->trace,
			"the trace has no objects of the machine (rows of resources with a Depth): "
			"put lstopo's topology.xml into its folder");
	work.min = tv_alloc(n, sizeof *work.min);
	work.max = tv_alloc(n, sizeof *work.max);
	work.before = tv_alloc(n, sizeof *work.before);
	rc = find_what(&work, asked->by, err);
	if (rc == 0 && asked->at != NULL)
		find_instants(&work, asked->at);
	else if (rc == 0)
		rc = find_windows(&work, (uint32_t)asked->windows, err);
	if (rc == 0) {
		find_extremes(&work);
		write_slices(&work);
	}
	release(&work);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "by", "idleness|busy|NAME", "idleness",
	  "idle or busy time of workers, the Type of a variable, or a task type", TV_ASKED(by) },
	{ "at", "TIME,...", NULL, "at these instants, instead of over the run or window",
	  TV_OPTION_TIMES, TV_ASKED(at) },
	{ "windows", "N", "1", "rows for each of N windows of equal length", TV_OPTION_COUNT, 1,
	  1000, TV_ASKED(windows) },
};

const struct tv_pass tv_pass_topology = {
	.name = "topology",
	.summary = "A number for each object of the machine: idle time, busy time, a variable",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_OUTLIERS,
	.ranked = "Value",
	.sums = true,
	.taskless = true,
	.needs = "variables",
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_COLUMNS(columns),
	.notes =
		"Objects are the rows of resources with a Depth; without any, the processes,\n"
		"devices and streams of the trace. A task ran in its stream, or on its Cpu, else\n"
		"where its worker is bound (Cpuset); it counts for each object that contains\n"
		"all these processors. A worker's overlapping tasks on an object count once;\n"
		"those of different workers add up.\n"
		"Capacity is the smaller of two numbers: the object's processors that workers\n"
		"may use, and the workers that may use them. Workers without Cpuset may use the\n"
		"processors on which their tasks ran.\n"
		"busy: 100 * time in counted tasks / (Capacity * length of the window).\n"
		"idleness: 100 minus that of all tasks, also setup and runtime; not below 0 where\n"
		"more workers compute than there are processors.\n"
		"A task type: as busy, of its tasks. Value is missing where a worker may run\n"
		"inside and outside of the object and its tasks have no Cpu.\n"
		"A variable: the mean of the object's own readings, by time; if meta has the\n"
		"Kind counter and all readings cover time, its sum per second, to which\n"
		"overlapping rows of several recorders add up.",
	.example = "traceviz topology --by Core.value data/e5-2650",
	.run = run_topology,
};
