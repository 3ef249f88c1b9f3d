/* SPDX-License-Identifier: GPL-3.0-or-later */
/* topology.c -- a number for each object of the machine: of its workers, or of a variable. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/shared/curves.h"
#include "analysis/shared/occupancy.h"
#include "analysis/shared/readings.h"
#include "analysis/shared/spans.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"

enum {
	START,
	END,
	ID,
	LEVEL,
	PARENT,
	ORDER,
	DEPTH,
	CHILDREN,
	CAPACITY,
	TOTAL,
	VALUE,
	UNIT,
	MIN,
	MAX
};

static const struct tv_field columns[] = {
	[START] = { "Start", TV_TIME, false, "ms", "begin of the window" },
	[END] = { "End", TV_TIME, false, "ms", "its end; of an instant (--at) the same" },
	[ID] = { "ResourceId", TV_LABEL, false, "", "object of the machine" },
	[LEVEL] = { "Level", TV_LABEL, false, "", "its level: L3, Core, ..." },
	[PARENT] = { "Parent", TV_LABEL, false, "", "object around it" },
	[ORDER] = { "Order", TV_INT, false, "", "its number in its level" },
	[DEPTH] = { "Depth", TV_INT, false, "", "0 outermost" },
	[CHILDREN] = { "Children", TV_INT, false, "", "number of objects whose Parent it is" },
	[CAPACITY] = { "Capacity", TV_INT, false, "",
		       "workers that it can hold: see below; missing for variables" },
	[TOTAL] = { "Total", TV_DOUBLE, false, "",
		    "worker-ms of idleness, busy or a task type; of a counter its sum" },
	[VALUE] = { "Value", TV_DOUBLE, false, "", "value, see below; missing: not known" },
	[UNIT] = { "Unit", TV_LABEL, false, "", "unit of Value" },
	[MIN] = { "Min", TV_DOUBLE, false, "",
		  "smallest reading of its variable in the whole run" },
	[MAX] = { "Max", TV_DOUBLE, false, "", "largest one" },
};

enum by { BY_IDLENESS, BY_BUSY, BY_TYPE, BY_VARIABLE };

struct work {
	struct tv_run *run;
	struct tv_placement *placement;
	enum by by;
	uint32_t type; /* label of the task type or variable */
	bool counter;  /* the variable is one: per second */
	uint32_t unit;
	struct tv_reading *reading;
	size_t nreadings;
	struct tv_table *out;
	struct tv_occupancy workers; /* of one window; zero of a variable */
	/* By object, of one window. */
	double *sum, *weight, *total; /* total: of a counter, exact for whole readings */
	/* By object, of the run. */
	double *min, *max;
};

/* ---- workers ---- */

static void fill_workers(struct work *work, struct tv_span in)
{
	static const enum tv_occupied what[] = { [BY_IDLENESS] = TV_OCCUPIED_ALL,
						 [BY_BUSY] = TV_OCCUPIED_COUNTED,
						 [BY_TYPE] = TV_OCCUPIED_TYPE };

	tv_occupancy_fill(&work->workers, what[work->by], work->type, TV_NONE,
			  (const int64_t[]){ in.begin, in.end }, 1);
}

static void write_share(const struct work *work, uint32_t object, uint32_t row, int64_t length)
{
	tv_int128 time;
	double share = tv_occupancy_share(&work->workers, 0, object, length,
					  work->by == BY_IDLENESS, &time);

	tv_set_int(work->out->col[CAPACITY], row, work->workers.capacity[object]);
	if (isnan(share))
		return;
	tv_set_double(work->out->col[TOTAL], row, (double)time / 1e6);
	tv_set_double(work->out->col[VALUE], row, share);
}

/* ---- variables ---- */

/* A reading as it is shown: of a counter per second. */
static double shown(const struct work *work, const struct tv_reading *r)
{
	return work->counter && r->end > r->start ? r->value / (double)(r->end - r->start) * 1e9
						  : r->value;
}

/* Sum and weight of the readings in a window; of an instant the last one up to it. */
static void add_readings(struct work *work, struct tv_span in, bool instant)
{
	for (size_t i = 0; i < work->nreadings; i++) {
		const struct tv_reading *r = &work->reading[i];
		uint32_t object = r->resource == TV_NONE
					? TV_NONE
					: tv_object_of(&work->placement->machine, r->resource);
		double length = 1;

		if (object == TV_NONE)
			continue;
		if (instant) {
			/* They are in the order of time. */
			if (r->start > in.begin || (r->end > r->start && r->end <= in.begin))
				continue;
			work->sum[object] = work->weight[object] = 0;
			work->total[object] = 0;
		} else if (r->end > r->start) {
			int64_t from = r->start > in.begin ? r->start : in.begin;
			int64_t to = r->end < in.end ? r->end : in.end;

			if (to <= from)
				continue;
			length = (double)(to - from);
			work->total[object] += to - from == r->end - r->start
						     ? r->value
						     : r->value * length
							       / (double)(r->end - r->start);
		} else if (r->start < in.begin || r->start > in.end) {
			continue;
		}
		work->sum[object] += shown(work, r) * length;
		work->weight[object] += length;
	}
}

static void write_reading(const struct work *work, uint32_t object, uint32_t row, bool instant)
{
	if (work->max[object] >= work->min[object]) {
		tv_set_double(work->out->col[MIN], row, work->min[object]);
		tv_set_double(work->out->col[MAX], row, work->max[object]);
	}
	if (!(work->weight[object] > 0))
		return;
	if (work->counter && !instant)
		tv_set_double(work->out->col[TOTAL], row, work->total[object]);
	tv_set_double(work->out->col[VALUE], row, work->sum[object] / work->weight[object]);
}

static void find_extremes(struct work *work)
{
	uint32_t n = work->placement->machine.n;

	for (uint32_t i = 0; i < n; i++) {
		work->min[i] = INFINITY;
		work->max[i] = -INFINITY;
	}
	for (size_t i = 0; i < work->nreadings; i++) {
		const struct tv_reading *r = &work->reading[i];
		uint32_t object = r->resource == TV_NONE
					? TV_NONE
					: tv_object_of(&work->placement->machine, r->resource);

		if (object == TV_NONE)
			continue;
		work->min[object] = fmin(work->min[object], shown(work, r));
		work->max[object] = fmax(work->max[object], shown(work, r));
	}
}

/* ---- rows ---- */

static void write_window(struct work *work, struct tv_span in, bool instant)
{
	const struct tv_machine *m = &work->placement->machine;
	struct tv_column *const *to = work->out->col;

	memset(work->sum, 0, m->n * sizeof *work->sum);
	memset(work->total, 0, m->n * sizeof *work->total);
	memset(work->weight, 0, m->n * sizeof *work->weight);
	if (work->by == BY_VARIABLE)
		add_readings(work, in, instant);
	else
		fill_workers(work, in);
	for (uint32_t i = 0; i < m->n; i++) {
		const struct tv_object *o = &m->at[i];
		uint32_t row = tv_table_add_row(work->out);

		tv_set_int(to[START], row, in.begin);
		tv_set_int(to[END], row, instant ? in.begin : in.end);
		tv_set_label(to[ID], row, o->id);
		tv_set_label(to[LEVEL], row, m->level[o->level].type);
		if (o->parent != TV_NONE)
			tv_set_label(to[PARENT], row, m->at[o->parent].id);
		if (o->order >= 0)
			tv_set_int(to[ORDER], row, o->order);
		tv_set_int(to[DEPTH], row, o->depth);
		tv_set_int(to[CHILDREN], row, m->children.first[i + 1] - m->children.first[i]);
		tv_set_label(to[UNIT], row, work->unit);
		if (work->by == BY_VARIABLE)
			write_reading(work, i, row, instant);
		else
			write_share(work, i, row, in.end - in.begin);
	}
}

/* The part of the run that is asked for; of one without tasks that of the variable. */
static int find_interval(const struct work *work, struct tv_span *in, struct tv_error *err)
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

/* One instant for each item of the list. */
static int write_instants(struct work *work, const char *list, struct tv_error *err)
{
	while (*list != '\0') {
		size_t n = strcspn(list, ",");
		char *item = tv_strndup(list, n);
		int64_t at;
		bool good = tv_parse_time(item, &at) == TV_PARSE_OK;

		tv_free(item);
		if (!good)
			return tv_fail_usage(err,
					     "--at '%.*s', expected times such as 10 (ms) or 500us",
					     (int)n, list);
		write_window(work, (struct tv_span){ at, at + 1 }, true);
		list += n + (list[n] == ',');
	}
	return 0;
}

static int write_windows(struct work *work, uint64_t n, struct tv_error *err)
{
	struct tv_span all;

	if (find_interval(work, &all, err) < 0)
		return -1;
	for (uint64_t i = 0; i < n; i++) {
		tv_int128 length = (tv_int128)all.end - all.begin;

		write_window(work,
			     (struct tv_span){ all.begin + (int64_t)(length * i / n),
					       all.begin + (int64_t)(length * (i + 1) / n) },
			     false);
	}
	return 0;
}

/* ---- what is asked for ---- */

static uint32_t intern_meta(const struct work *work, const char *name, const char *fact)
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

static int find_variable(struct work *work, const char *name, struct tv_error *err)
{
	uint32_t kind = intern_meta(work, name, "Kind"), unit = intern_meta(work, name, "Unit");
	const char *text = unit == TV_NONE ? "events" : tv_pool_text(work->out->pool, unit);

	work->by = BY_VARIABLE;
	work->unit = unit;
	if (tv_readings(&work->run->tasks, name, &work->reading, &work->nreadings, err) < 0)
		return -1;
	work->counter = kind != TV_NONE
		     && strcmp(tv_pool_text(work->out->pool, kind), "counter") == 0;
	for (size_t i = 0; i < work->nreadings && work->counter; i++)
		work->counter = work->reading[i].end > work->reading[i].start;
	if (work->counter) {
		char *rate = tv_format("%s/s", text);

		work->unit = tv_intern_text(work->out->pool, rate);
		tv_free(rate);
	}
	return 0;
}

static int find_workers(struct work *work, struct tv_error *err)
{
	work->unit = tv_intern_text(work->out->pool, "%");
	return tv_occupancy_init(&work->workers, work->run, err);
}

static int find_what(struct work *work, const char *by, struct tv_error *err)
{
	const struct tv_trace *trace = work->run->trace;
	uint32_t label = tv_pool_find_text(trace->pool, by);

	work->unit = TV_NONE;
	work->by = strcmp(by, "busy") == 0 ? BY_BUSY : BY_IDLENESS;
	if (work->by == BY_BUSY || strcmp(by, "idleness") == 0)
		return find_workers(work, err);
	if (has_value(&trace->table[TV_VARIABLES], "Type", label))
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

static void release(struct work *work)
{
	tv_occupancy_release(&work->workers);
	tv_free(work->sum);
	tv_free(work->weight);
	tv_free(work->total);
	tv_free(work->min);
	tv_free(work->max);
	tv_free(work->reading);
}

static int run_topology(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
			struct tv_error *err)
{
	struct work work = { .run = run, .out = out, .placement = tv_run_placement(run) };
	uint32_t n = work.placement->machine.n;
	const char *at = tv_option(options, "at");
	int rc;

	if (n == 0)
		return tv_fail(err,
			       "the trace has no objects of the machine (rows of resources with "
			       "a Depth): put lstopo's topology.xml into its folder");
	work.sum = tv_alloc(n, sizeof *work.sum);
	work.weight = tv_alloc(n, sizeof *work.weight);
	work.total = tv_alloc(n, sizeof *work.total);
	work.min = tv_alloc(n, sizeof *work.min);
	work.max = tv_alloc(n, sizeof *work.max);
	rc = find_what(&work, tv_option(options, "by"), err);
	if (rc == 0)
		find_extremes(&work);
	if (rc == 0)
		rc = at != NULL ? write_instants(&work, at, err)
				: write_windows(&work, tv_option_count(options, "windows", 1), err);
	release(&work);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "by", "idleness|busy|NAME", "idleness",
	  "idle or busy time of workers, the Type of a variable, or a task type" },
	{ "at", "TIME,...", NULL, "at these instants, instead of over the run or window" },
	{ "windows", "N", "1", "rows for each of N windows of equal length", TV_OPTION_COUNT, 1,
	  1000 },
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
	TV_PASS_OPTIONS(options),
	TV_PASS_COLUMNS(columns),
	.notes =
		"Objects are the rows of resources with a Depth. A task ran on its Cpu, else\n"
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
		"Kind counter and all readings cover time, its sum per second.",
	.example = "traceviz topology --by Core.value data/e5-2650",
	.run = run_topology,
};
