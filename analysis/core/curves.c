/* SPDX-License-Identifier: GPL-3.0-or-later */
/* curves.c -- groups of tasks, options and output of passes that compute curves. */
#include "analysis/core/curves.h"

#include <math.h>
#include <string.h>

#include "analysis/core/readings.h"
#include "trace/alloc.h"
#include "trace/number.h"

/* More slices than this come from a mistyped unit: a figure has some thousands of pixels. */
enum { SLICES_MAX = 10000000 };

const struct tv_option_spec tv_curve_options[TV_BY_STEP_COUNTER] = {
	TV_OPTIONS_OF_CURVES(struct tv_curves_asked),
};

const struct tv_field tv_curve_columns[TV_CURVE_COLUMNS] = {
	{ "Curve", TV_LABEL, false, "", "name of the curve (see below)" },
	{ "By", TV_LABEL, false, "",
	  "group of the curve: value of the column --by, or the resource of a counter" },
	{ "Start", TV_TIME, false, "ms", "start of the interval in which Value applies" },
	{ "End", TV_TIME, false, "ms", "end of that interval" },
	{ "Value", TV_DOUBLE, false, "", "value; with --step its mean from Start to End" },
	{ "Min", TV_DOUBLE, false, "", "with --step: min value from Start to End" },
	{ "Max", TV_DOUBLE, false, "", "with --step: max value from Start to End" },
};

int tv_step_check(int64_t begin, int64_t end, int64_t step_ns, uint64_t times, struct tv_error *err)
{
	uint64_t n = step_ns == 0 ? 0 : tv_slices_count(&(struct tv_slices){ begin, end, step_ns });

	if (n <= SLICES_MAX && n * times <= SLICES_MAX)
		return 0;
	return tv_fail_usage(err, "--step: this would make more than %d slices", SLICES_MAX);
}

/* The last time in any table. */
static int64_t last_moment(const struct tv_trace *trace)
{
	int64_t last = INT64_MIN;

	for (int t = 0; t < TV_NTABLES; t++)
		for (size_t i = 0; i < trace->table[t].ncols; i++) {
			const struct tv_column *column = trace->table[t].col[i];

			if (!tv_schema_instants((enum tv_table_id)t, column->name, column->type))
				continue;
			for (uint32_t row = 0; row < column->n; row++)
				if (!tv_missing(column, row) && column->i[row] > last)
					last = column->i[row];
		}
	return last;
}

/* The interval of a run in which no task started: of its submissions. */
static void pending_interval(const struct tv_tasks *tasks, int64_t *begin, int64_t *end)
{
	*begin = INT64_MAX;
	*end = last_moment(tasks->trace);
	for (uint32_t row = 0; tasks->submit != NULL && row < tasks->n; row++)
		if (tasks->pending[row] && !tv_missing(tasks->submit, row)
		    && tasks->submit->i[row] < *begin)
			*begin = tasks->submit->i[row];
	if (*begin > *end)
		*begin = *end = 0;
}

int tv_run_interval(const struct tv_run *run, int64_t *begin, int64_t *end, struct tv_error *err)
{
	*begin = run->tasks.begin;
	*end = run->tasks.finish;
	if (run->tasks.ncounted == 0)
		pending_interval(&run->tasks, begin, end);
	*begin = *begin > run->window.begin ? *begin : run->window.begin;
	*end = *end < run->window.end ? *end : run->window.end;
	if (run->window.set && *begin >= *end)
		return tv_fail_usage(err, "no part of the run lies between --begin and --end");
	return 0;
}

int tv_run_slices(const struct tv_run *run, int64_t step_ns, uint64_t times, int64_t **bound,
		  size_t *n, struct tv_error *err)
{
	struct tv_slices slices = { .step_ns = step_ns };

	if (tv_run_interval(run, &slices.begin, &slices.end, err) < 0
	    || tv_step_check(slices.begin, slices.end, step_ns, times, err) < 0)
		return -1;
	*n = slices.begin == slices.end ? 1 : tv_slices_count(&slices);
	*bound = tv_alloc(*n + 1, sizeof **bound);
	for (size_t i = 0; i < *n; i++)
		(*bound)[i] = tv_slices_begin(&slices, i);
	(*bound)[*n] = slices.end;
	return 0;
}

void tv_curves_init_bare(struct tv_curves *curves, struct tv_run *run, int64_t step_ns,
			 struct tv_table *out)
{
	*curves = (struct tv_curves){
		.run = run,
		.step_ns = step_ns,
		.out = out,
		.curve = tv_table_find(out, "Curve"),
		.group = tv_table_find(out, "By"),
		.start = tv_table_find(out, "Start"),
		.stop = tv_table_find(out, "End"),
		.value = tv_table_find(out, "Value"),
		.min = tv_table_find(out, "Min"),
		.max = tv_table_find(out, "Max"),
	};
}

int tv_curves_init(struct tv_curves *curves, struct tv_run *run, const char *by, int64_t step_ns,
		   bool pending, struct tv_table *out, struct tv_error *err)
{
	tv_curves_init_bare(curves, run, step_ns, out);
	if (tv_run_interval(run, &curves->begin, &curves->end, err) < 0
	    || tv_grouping_by_label(&curves->by, tv_run_part(run), by, pending, err) < 0
	    || tv_step_check(curves->begin, curves->end, curves->step_ns, curves->by.n, err) < 0)
		return -1;
	curves->sum = tv_alloc(curves->by.n, sizeof *curves->sum);
	for (uint32_t g = 0; g < curves->by.n; g++)
		tv_sum_init(&curves->sum[g], curves->begin, curves->end);
	return 0;
}

void tv_curves_release(struct tv_curves *curves)
{
	for (uint32_t g = 0; curves->sum != NULL && g < curves->by.n; g++)
		tv_sum_release(&curves->sum[g]);
	tv_free(curves->sum);
	tv_grouping_release(&curves->by);
	*curves = (struct tv_curves){ 0 };
}

int tv_curves_add(struct tv_curves *curves, uint32_t row, int64_t start, int64_t end, double amount,
		  struct tv_error *err)
{
	uint32_t g = curves->by.of_row[row];

	return g == TV_NONE ? 0 : tv_sum_add(&curves->sum[g], start, end, amount, err);
}

void tv_curves_count(struct tv_curves *curves, uint32_t row, int64_t start, int64_t end)
{
	uint32_t g = curves->by.of_row[row];

	if (g != TV_NONE)
		tv_sum_one(&curves->sum[g], start, end);
}

void tv_curves_reserve(struct tv_curves *curves)
{
	const struct tv_tasks *tasks = tv_run_part(curves->run);

	if (curves->by.n == 1)
		tv_sum_reserve(&curves->sum[0], (size_t)tasks->ncounted + tasks->npending);
}

void tv_curves_free(const struct tv_curves *curves, struct tv_steps *steps)
{
	for (uint32_t g = 0; steps != NULL && g < curves->by.n; g++)
		tv_steps_release(&steps[g]);
	tv_free(steps);
}

struct tv_steps *tv_curves_take(struct tv_curves *curves)
{
	struct tv_steps *steps = tv_alloc(curves->by.n, sizeof *steps);

	for (uint32_t g = 0; g < curves->by.n; g++)
		tv_sum_steps(&curves->sum[g], &steps[g]);
	return steps;
}

void tv_curves_pack(struct tv_curves *curves, struct tv_packed *packed)
{
	struct tv_sum sum = curves->sum[0];

	/* First, as to sort the sum takes much memory. */
	curves->sum[0] = (struct tv_sum){ 0 };
	tv_curves_release(curves);
	tv_sum_packed(&sum, packed);
}

static void write_row(struct tv_curves *curves, uint32_t name, uint32_t group,
		      const struct tv_slice *slice)
{
	uint32_t row = tv_table_add_row(curves->out);

	tv_set_label(curves->curve, row, name);
	if (group != TV_NONE)
		tv_set_label(curves->group, row, group);
	tv_set_int(curves->start, row, slice->begin);
	tv_set_int(curves->stop, row, slice->end);
	tv_set_double(curves->value, row, slice->mean);
	if (curves->step_ns > 0) {
		tv_set_double(curves->min, row, slice->min);
		tv_set_double(curves->max, row, slice->max);
	}
}

static void write_pieces(struct tv_curves *curves, uint32_t name, uint32_t group,
			 const struct tv_steps *steps)
{
	for (size_t i = 0; i < steps->n; i++) {
		struct tv_slice piece = {
			.begin = steps->time[i],
			.end = i + 1 < steps->n ? steps->time[i + 1] : steps->end,
			.mean = steps->value[i],
		};

		write_row(curves, name, group, &piece);
	}
}

void tv_curves_write_one(struct tv_curves *curves, const char *name, uint32_t group,
			 const struct tv_steps *steps)
{
	uint32_t label = tv_intern_text(curves->out->pool, name);
	struct tv_slicer slicer;
	struct tv_slice slice;

	if (curves->step_ns == 0) {
		write_pieces(curves, label, group, steps);
		return;
	}
	tv_slicer_init(&slicer, steps, curves->step_ns);
	while (tv_slicer_next(&slicer, &slice))
		write_row(curves, label, group, &slice);
}

void tv_curves_write_slices(struct tv_curves *curves, const char *name, uint32_t group,
			    const struct tv_slice *slice, size_t n)
{
	uint32_t label = tv_intern_text(curves->out->pool, name);

	for (size_t i = 0; i < n; i++)
		write_row(curves, label, group, &slice[i]);
}

void tv_curves_write_mean(struct tv_curves *curves, const char *name, uint32_t group,
			  const struct tv_steps *steps, int64_t end)
{
	uint32_t label = tv_intern_text(curves->out->pool, name), row;
	double sum = 0, min = INFINITY, max = -INFINITY;
	int64_t length;

	if (steps->n == 0)
		return;
	length = end - steps->time[0];
	for (size_t i = 0; i < steps->n; i++) {
		int64_t to = i + 1 < steps->n ? steps->time[i + 1] : steps->end;

		to = to < end ? to : end;
		sum += to > steps->time[i] ? steps->value[i] * (double)(to - steps->time[i]) : 0;
		min = fmin(min, steps->value[i]);
		max = fmax(max, steps->value[i]);
	}
	row = tv_table_add_row(curves->out);
	tv_set_label(curves->curve, row, label);
	tv_set_label(curves->group, row, group);
	tv_set_int(curves->start, row, steps->time[0]);
	tv_set_int(curves->stop, row, end);
	tv_set_double(curves->value, row, length > 0 ? sum / (double)length : steps->value[0]);
	tv_set_double(curves->min, row, min + 0.0);
	tv_set_double(curves->max, row, max);
}

void tv_curves_write(struct tv_curves *curves, const char *name, const struct tv_steps *steps)
{
	for (uint32_t g = 0; g < curves->by.n; g++)
		tv_curves_write_one(curves, name, tv_grouping_label(&curves->by, g), &steps[g]);
}

void tv_curves_flush(struct tv_curves *curves, const char *name)
{
	struct tv_steps *steps = tv_curves_take(curves);

	tv_curves_write(curves, name, steps);
	tv_curves_free(curves, steps);
}

/* The group of every label that is a resource: that of its node, or the only one; TV_NONE on a node
 * without a selected worker. */
static void group_resources(const struct tv_curves *curves, uint32_t *group, uint32_t nlabels)
{
	const struct tv_tasks *part = tv_run_part(curves->run);
	bool all = curves->by.ncolumns == 0 && curves->run->chosen == NULL;
	const struct tv_table *resources = &curves->run->trace->table[TV_RESOURCES];
	const struct tv_column *id = tv_table_find(resources, "ResourceId");
	const struct tv_column *node = tv_table_find(resources, "Node");
	uint32_t *of_node = tv_alloc(nlabels, sizeof *of_node);

	for (uint32_t i = 0; i < nlabels; i++) {
		of_node[i] = TV_NONE;
		group[i] = all ? 0 : TV_NONE;
	}
	for (uint32_t i = 0; i < part->nnodes && curves->by.ncolumns == 0; i++)
		if (part->node[i].label != TV_NONE)
			of_node[part->node[i].label] = 0;
	for (uint32_t g = 0; curves->by.ncolumns > 0 && g < curves->by.n; g++)
		if (tv_grouping_label(&curves->by, g) != TV_NONE)
			of_node[tv_grouping_label(&curves->by, g)] = g;
	for (uint32_t row = 0; !all && id != NULL && node != NULL && row < resources->nrows; row++)
		if (!tv_missing(id, row) && !tv_missing(node, row))
			group[tv_label(id, row)] = of_node[tv_label(node, row)];
	tv_free(of_node);
}

/* Sums the counters into the groups. */
static int add_readings(struct tv_curves *curves, const char *pattern, struct tv_error *err)
{
	const struct tv_tasks *tasks = &curves->run->tasks;
	uint32_t nlabels = tv_pool_count(tasks->pool);
	uint32_t *group = tv_alloc(nlabels, sizeof *group);
	struct tv_reading *readings;
	size_t n;
	int rc = tv_readings(tasks, pattern, &readings, &n, err);

	group_resources(curves, group, nlabels);
	for (size_t i = 0; i < n && rc == 0; i++) {
		uint32_t resource = readings[i].resource;
		uint32_t g = resource != TV_NONE ? group[resource] : TV_NONE;

		if (g != TV_NONE)
			rc = tv_sum_add(&curves->sum[g], readings[i].start, readings[i].end,
					readings[i].value, err);
	}
	tv_free(readings);
	tv_free(group);
	return rc;
}

/* Whether the selection leaves a part of the workers of some node. */
static bool splits_node(const struct tv_run *run)
{
	for (uint32_t w = 1; w < run->tasks.nworkers; w++)
		if (run->tasks.workers[w].node == run->tasks.workers[w - 1].node
		    && tv_run_has(run, w) != tv_run_has(run, w - 1))
			return true;
	return false;
}

/* A difference below 0 shows that the trace lacks tasks that the runtime counts. */
static void warn_negative(struct tv_run *run, const struct tv_steps *waiting, uint32_t n)
{
	double min = 0;
	int64_t at = 0;
	char text[TV_NUMBER_MAX];

	for (uint32_t g = 0; g < n; g++)
		for (size_t i = 0; i < waiting[g].n; i++)
			if (waiting[g].value[i] < min) {
				min = waiting[g].value[i];
				at = waiting[g].time[i];
			}
	if (!(min < 0))
		return;
	tv_write_ms(text, at);
	tv_run_warn(run,
		    "'popped, waiting' is negative, at the minimum %g at %s ms: the "
		    "runtime counts tasks that are not counted here (tasks of its own, or "
		    "tasks that the trace lacks)",
		    min, text);
}

int tv_curves_counter(struct tv_curves *curves, const char *pattern, const struct tv_steps *steps,
		      struct tv_error *err)
{
	struct tv_steps *counter, *waiting;

	if (curves->by.ncolumns > 0 && strcmp(curves->by.column[0]->name, "Node") != 0)
		return tv_fail_usage(err, "--counter: the runtime counts per node, not --by %s",
				     curves->by.column[0]->name);
	if (splits_node(curves->run))
		return tv_fail_usage(err, "--counter: the runtime counts per node, not for some of "
					  "its workers");
	if (add_readings(curves, pattern, err) < 0)
		return -1;
	counter = tv_curves_take(curves);
	waiting = tv_alloc(curves->by.n, sizeof *waiting);
	tv_curves_write(curves, "counter", counter);
	for (uint32_t g = 0; g < curves->by.n; g++)
		tv_steps_subtract(&steps[g], &counter[g], &waiting[g]);
	tv_curves_write(curves, "popped, waiting", waiting);
	warn_negative(curves->run, waiting, curves->by.n);
	tv_curves_free(curves, counter);
	tv_curves_free(curves, waiting);
	return 0;
}
