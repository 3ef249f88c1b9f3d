/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory.c -- memory used on each memory node over time: the runtime's counter, and its events. */
#include <inttypes.h>
#include <math.h>

#include "analysis/core/columns.h"
#include "analysis/core/curves.h"
#include "analysis/core/instead.h"
#include "analysis/core/readings.h"
#include "analysis/data/data_events.h"
#include "analysis/data/presence.h"
#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"

#define MIB 1048576.0

/* What is known of a memory node. */
enum source { COUNTER, ALLOCATIONS, STATES, NSOURCES };

static const char *const source_name[] = { "counter", "allocations", "states" };

enum from { FROM_COUNTER, FROM_EVENTS, FROM_AUTO };

/* From here on it is more, or the counter has this value. */
struct change {
	int64_t time; /* ns */
	int64_t bytes;
	double value; /* of a counter, MiB */
};

struct list {
	struct change *at;
	size_t n, cap;
	bool known; /* the trace says something */
};

struct node {
	struct list of[NSOURCES];
	int64_t allocating; /* bytes of the allocation that began last */
};

struct usage {
	struct tv_run *run;
	const struct tv_memories *memories;
	struct node *node; /* by memory node */
	enum from from;
	bool any[NSOURCES];	 /* of any memory node */
	int64_t begin, end;	 /* of the curves, ns */
	int64_t first, last;	 /* where counter and events are compared, ns */
	unsigned long unmatched; /* frees of what was not allocated */
	unsigned long negative;	 /* values of a counter */
};

static void add_change(struct usage *usage, uint32_t memory, enum source source, int64_t time,
		       int64_t bytes, double value)
{
	struct list *list = &usage->node[memory].of[source];

	TV_GROW(list->at, list->n, list->cap, 1);
	list->at[list->n++] = (struct change){ time, bytes, value };
	list->known = usage->any[source] = true;
}

/* ---- what the trace says ---- */

static int read_counter(struct usage *usage, struct tv_error *err)
{
	const struct tv_table *variables = tv_trace_table(usage->run->trace, TV_VARIABLES);
	const struct tv_column *type = tv_table_find(variables, "Type");
	uint32_t label = tv_pool_find_text(usage->run->trace->pool, TV_USED_COUNTER);
	struct tv_reading *reading;
	bool found = false;
	size_t n;

	for (uint32_t row = 0; type != NULL && label != TV_NONE && row < variables->nrows; row++)
		found = found || tv_label(type, row) == label;
	if (!found)
		return 0;
	if (tv_readings(&usage->run->tasks, TV_USED_COUNTER, &reading, &n, err) < 0)
		return -1;
	for (size_t i = 0; i < n; i++) {
		uint32_t memory = tv_index_get(&usage->memories->of_resource, reading[i].resource);
		bool gap = i + 1 < n && reading[i + 1].resource == reading[i].resource
			&& reading[i + 1].start > reading[i].end;

		if (memory == TV_NONE)
			continue;
		usage->negative += reading[i].value < 0;
		add_change(usage, memory, COUNTER, reading[i].start, 0, fmax(reading[i].value, 0));
		if (gap)
			add_change(usage, memory, COUNTER, reading[i].end, 0, 0);
	}
	tv_free(reading);
	return 0;
}

/* Up to StarPU 1.2 events have no result: all allocations are taken to succeed. */
static void read_allocations(struct usage *usage)
{
	const struct tv_data_events *events = tv_run_data_events(usage->run);

	for (size_t i = 0; i < events->n; i++) {
		const struct tv_data_event *event = &events->at[i];
		int64_t bytes = event->has_info ? event->info : 0;

		if (event->memory == TV_NONE)
			continue;
		if (event->what == TV_DATA_ALLOCATE)
			usage->node[event->memory].allocating = event->size;
		if (event->what == TV_DATA_ALLOCATED && !event->has_info)
			bytes = usage->node[event->memory].allocating;
		if (event->what == TV_DATA_ALLOCATED && bytes > 0)
			add_change(usage, event->memory, ALLOCATIONS, event->time, bytes, 0);
		if (event->what == TV_DATA_FREE)
			add_change(usage, event->memory, ALLOCATIONS, event->time, -event->size, 0);
	}
}

static void read_states(struct usage *usage)
{
	const struct tv_presences *presences = tv_run_presences(usage->run);

	for (uint32_t i = 0; i < presences->n; i++) {
		const struct tv_presence *p = &presences->at[i];
		const struct tv_handle *handle = &presences->handle[p->handle];

		if (handle->nstates == 0)
			continue;
		add_change(usage, p->memory, STATES, p->start, handle->size, 0);
		if (p->until != TV_EDGE_RUN)
			add_change(usage, p->memory, STATES, p->end, -handle->size, 0);
	}
	if (presences->nunsized > 0)
		tv_run_warn(usage->run,
			    "the size of %lu data handles is not known: they count as 0 bytes",
			    (unsigned long)presences->nunsized);
	if (usage->any[STATES] && presences->nstateless > 0)
		tv_run_warn(usage->run,
			    "%lu data handles have a home and never a data state (unused, or "
			    "partitioned): they do not count as resident",
			    (unsigned long)presences->nstateless);
}

/* Makes the sums of bytes values in MiB; frees of more than there is leave 0. */
static void sum_up(struct usage *usage, struct list *list, enum source source)
{
	tv_int128 bytes = 0;

	tv_sort_by_time(list->at, list->n, sizeof *list->at, offsetof(struct change, time), NULL);
	for (size_t i = 0; i < list->n && source != COUNTER; i++) {
		bytes += list->at[i].bytes;
		/* Of data states all changes of one instant count together. */
		if (bytes < 0 && source == ALLOCATIONS) {
			usage->unmatched++;
			bytes = 0;
		}
		list->at[i].value = (double)bytes / MIB;
	}
}

static int read_all(struct usage *usage, struct tv_error *err)
{
	if (read_counter(usage, err) < 0)
		return -1;
	read_allocations(usage);
	read_states(usage);
	for (uint32_t m = 0; m < usage->memories->n; m++)
		for (int source = 0; source < NSOURCES; source++)
			sum_up(usage, &usage->node[m].of[source], source);
	if (usage->unmatched > 0)
		tv_run_warn(usage->run,
			    "%lu frees of memory whose allocation the trace does not contain",
			    usage->unmatched);
	if (usage->negative > 0)
		tv_run_warn(usage->run,
			    "%lu values of the counter '%s' are negative: they count as 0",
			    usage->negative, TV_USED_COUNTER);
	return 0;
}

/* Where the used memory of a node is from. */
static enum source source_of(const struct usage *usage, uint32_t memory)
{
	bool counted = usage->node[memory].of[COUNTER].known;

	if (usage->from == FROM_COUNTER || (usage->from == FROM_AUTO && counted))
		return COUNTER;
	return usage->any[ALLOCATIONS] ? ALLOCATIONS : STATES;
}

/* ---- curves ---- */

/* All curves have one interval: the run, and all changes; or its part in the window. Counter and
 * events are compared during the run only: before and after, data are registered and freed. */
static int find_interval(struct usage *usage, struct tv_error *err)
{
	const struct tv_tasks *tasks = &usage->run->tasks;
	const struct tv_window *window = &usage->run->window;

	usage->begin = tasks->ncounted > 0 ? tasks->begin : INT64_MAX;
	usage->end = tasks->ncounted > 0 ? tasks->finish : INT64_MIN;
	for (uint32_t m = 0; m < usage->memories->n; m++)
		for (int source = 0; source < NSOURCES; source++) {
			const struct list *list = &usage->node[m].of[source];

			for (size_t i = 0; i < list->n && list->at[i].time < usage->begin; i++)
				if (list->at[i].value > 0)
					usage->begin = list->at[i].time;
			/* Behind the last change there is still what it made. */
			if (list->n > 0 && list->at[list->n - 1].time >= usage->end)
				usage->end = list->at[list->n - 1].time + 1;
		}
	usage->begin = usage->begin < usage->end ? usage->begin : usage->end - 1;
	usage->begin = usage->begin > window->begin ? usage->begin : window->begin;
	usage->end = usage->end < window->end ? usage->end : window->end;
	if (usage->begin >= usage->end)
		return tv_fail_usage(err, "no part of the run lies between --begin and --end");
	usage->first = tasks->ncounted > 0 && tasks->begin > usage->begin ? tasks->begin
									  : usage->begin;
	usage->last = tasks->ncounted > 0 && tasks->finish < usage->end ? tasks->finish
									: usage->end;
	return 0;
}

static void to_steps(const struct list *list, int64_t begin, int64_t end, struct tv_steps *steps)
{
	tv_steps_init(steps, list->n + 1, end);
	tv_steps_to(steps, begin, 0);
	for (size_t i = 0; i < list->n; i++)
		tv_steps_to(steps, list->at[i].time > begin ? list->at[i].time : begin,
			    list->at[i].value);
}

static int write_curves(struct usage *usage, int64_t step_ns, struct tv_table *out,
			struct tv_error *err)
{
	struct tv_curves curves;

	tv_curves_init_bare(&curves, usage->run, step_ns, out);
	if (tv_step_check(usage->begin, usage->end, curves.step_ns,
			  2 * (uint64_t)usage->memories->n, err)
	    < 0)
		return -1;
	for (uint32_t m = 0; m < usage->memories->n; m++) {
		const struct node *node = &usage->node[m];
		uint32_t resource = usage->memories->at[m].resource;
		struct tv_steps steps;

		if (!tv_memory_chosen(usage->run, &usage->memories->at[m]))
			continue;
		to_steps(&node->of[source_of(usage, m)], usage->begin, usage->end, &steps);
		tv_curves_write_one(&curves, "used", resource, &steps);
		tv_steps_release(&steps);
		if (!usage->any[STATES])
			continue;
		to_steps(&node->of[STATES], usage->begin, usage->end, &steps);
		tv_curves_write_one(&curves, "resident", resource, &steps);
		tv_steps_release(&steps);
	}
	tv_curves_release(&curves);
	return 0;
}

/* ---- how the counter and the events differ ---- */

/* Of one curve, and of the difference of two. */
struct extreme {
	double value;	 /* MiB: the largest, of differences the one farthest from 0 */
	int64_t time;	 /* when first, ns */
	int64_t nonzero; /* ns */
	double mean, last;
};

static struct extreme extreme_of(const struct tv_steps *steps)
{
	struct extreme e = { steps->value[0], steps->time[0], 0, 0, steps->value[steps->n - 1] };
	double sum = 0;

	for (size_t i = 0; i < steps->n; i++) {
		int64_t end = i + 1 < steps->n ? steps->time[i + 1] : steps->end;

		sum += steps->value[i] * (double)(end - steps->time[i]);
		e.nonzero += steps->value[i] != 0 ? end - steps->time[i] : 0;
		if (fabs(steps->value[i]) > fabs(e.value)) {
			e.value = steps->value[i];
			e.time = steps->time[i];
		}
	}
	e.mean = sum / (double)(steps->end - steps->time[0]);
	return e;
}

static struct extreme difference(const struct usage *usage, const struct list *a,
				 const struct list *b)
{
	struct tv_steps x, y, steps;
	struct extreme e = { 0 };

	if (usage->first >= usage->last)
		return e;
	to_steps(a, usage->first, usage->last, &x);
	to_steps(b, usage->first, usage->last, &y);
	tv_steps_subtract(&x, &y, &steps);
	/* The counter may be rounded: less than a byte is no difference. */
	for (size_t i = 0; i < steps.n; i++)
		if (fabs(steps.value[i]) < 1 / MIB)
			steps.value[i] = 0;
	e = extreme_of(&steps);
	tv_steps_release(&x);
	tv_steps_release(&y);
	tv_steps_release(&steps);
	return e;
}

/* ", from X on 3 of 4 memory nodes, most on M: 1.5 MiB more at 3 ms" */
static char *describe(const struct usage *usage, enum source source, const char *what)
{
	struct extreme most = { 0 };
	uint32_t where = TV_NONE, n = 0, all = 0;

	for (uint32_t m = 0; m < usage->memories->n && usage->any[source]; m++) {
		const struct list *counter = &usage->node[m].of[COUNTER];
		struct extreme e;

		if (!counter->known)
			continue;
		all++;
		e = difference(usage, counter, &usage->node[m].of[source]);
		n += e.nonzero > 0;
		if (e.nonzero > 0 && (where == TV_NONE || fabs(e.value) > fabs(most.value))) {
			most = e;
			where = m;
		}
	}
	if (where == TV_NONE)
		return tv_strdup("");
	return tv_format("; from %s on %lu of %lu memory nodes, most on %s: %.3f MiB %s at %.3f ms",
			 what, (unsigned long)n, (unsigned long)all,
			 tv_pool_text(usage->run->trace->pool, usage->memories->at[where].resource),
			 fabs(most.value), most.value > 0 ? "more" : "less",
			 (double)most.time / 1e6);
}

static void warn_differences(struct usage *usage)
{
	char *allocated = describe(usage, ALLOCATIONS, "the allocations and frees");
	char *resident = describe(usage, STATES, "the data present");

	if (allocated[0] != '\0' || resident[0] != '\0')
		tv_run_warn(usage->run, "the runtime's counter '%s' differs from its events%s%s",
			    TV_USED_COUNTER, allocated, resident);
	tv_free(allocated);
	tv_free(resident);
}

/* ---- summary ---- */

#define CURVES(X) \
	X(CURVE, "Curve", TV_LABEL, false, "", "used, resident (see below)") \
	X(BY, "By", TV_LABEL, false, "", \
	  "memory node, as the resource that manages it; --summary lists its workers") \
	X(START, "Start", TV_TIME, false, "ms", "start of the interval in which Value applies") \
	X(END, "End", TV_TIME, false, "ms", "end of that interval") \
	X(VALUE, "Value", TV_DOUBLE, false, "MiB", "with --step its mean from Start to End") \
	X(MIN, "Min", TV_DOUBLE, false, "MiB", "with --step: min value from Start to End") \
	X(MAX, "Max", TV_DOUBLE, false, "MiB", "with --step: max value from Start to End")

#define SUMMARY(X) \
	X(RESOURCE, "ResourceId", TV_LABEL, false, "", "memory node") \
	X(NODE, "Node", TV_LABEL, false, "", "its node") \
	X(MEMORY_NODE, "MemoryNode", TV_INT, false, "", "its number on the node") \
	X(FROM, "From", TV_LABEL, false, "", "where `used` is from: counter, allocations, states") \
	X(PEAK, "Peak", TV_DOUBLE, false, "MiB", "max of `used`") \
	X(PEAK_TIME, "PeakTime", TV_TIME, false, "ms", "when it is first reached") \
	X(MEAN, "Mean", TV_DOUBLE, false, "MiB", "mean of `used` from its begin to its end") \
	X(LAST, "Last", TV_DOUBLE, false, "MiB", "`used` at the end") \
	X(RESIDENT_PEAK, "ResidentPeak", TV_DOUBLE, false, "MiB", "max of `resident`") \
	X(RESIDENT_PEAK_TIME, "ResidentPeakTime", TV_TIME, false, "ms", "when") \
	X(DIFFERS, "Differs", TV_TIME, false, "ms", \
	  "how long the counter is not what is resident") \
	X(DIFFERENCE, "Difference", TV_DOUBLE, false, "MiB", \
	  "counter - resident where it is farthest from 0") \
	X(DIFFERENCE_TIME, "DifferenceTime", TV_TIME, false, "ms", "when it is so first") \
	X(ALLOCATED_PEAK, "AllocatedPeak", TV_DOUBLE, false, "MiB", \
	  "max of allocations - frees, as events show them") \
	X(ALLOCATED_DIFFERENCE, "AllocatedDifference", TV_DOUBLE, false, "MiB", \
	  "counter - (allocations - frees) where it is farthest from 0") \
	X(ALLOCATED_DIFFERENCE_TIME, "AllocatedDifferenceTime", TV_TIME, false, "ms", \
	  "when it is so first") \
	X(WORKERS, "UsedBy", TV_LIST, false, "", "workers whose memory it is")

enum { CURVES(TV_COLUMN_ID) SUMMARY(TV_COLUMN_ID) NCOLUMNS, NCURVE = RESOURCE };

static const struct tv_field columns[] = { CURVES(TV_COLUMN_ROW) SUMMARY(TV_COLUMN_ROW) };

/* to: the columns from RESOURCE on. */
static void write_peak(const struct usage *usage, const struct list *list,
		       struct tv_column *const *to, uint32_t row, int peak)
{
	struct tv_steps steps;
	struct extreme e;

	to_steps(list, usage->begin, usage->end, &steps);
	e = extreme_of(&steps);
	tv_steps_release(&steps);
	tv_set_double(to[peak], row, e.value);
	if (peak != ALLOCATED_PEAK)
		tv_set_int(to[peak + 1], row, e.time);
	if (peak != PEAK)
		return;
	tv_set_double(to[MEAN], row, e.mean);
	tv_set_double(to[LAST], row, e.last);
}

static void write_workers(const struct usage *usage, uint32_t m, struct tv_column *to, uint32_t row)
{
	const struct tv_tasks *tasks = &usage->run->tasks;
	uint32_t *id = tv_alloc(tasks->nworkers, sizeof *id);
	size_t n = 0;

	for (uint32_t w = 0; w < tasks->nworkers; w++)
		if (usage->memories->of_worker[w] == m)
			id[n++] = tasks->workers[w].resource;
	tv_set_list(to, row, id, n);
	tv_free(id);
}

static void write_node(const struct usage *usage, uint32_t m, struct tv_column *const *to,
		       uint32_t row)
{
	const struct tv_memory *memory = &usage->memories->at[m];
	const struct list *of = usage->node[m].of;
	struct extreme e;

	tv_set_label(to[RESOURCE], row, memory->resource);
	tv_set_label(to[NODE], row, memory->node);
	if (memory->number >= 0)
		tv_set_int(to[MEMORY_NODE], row, memory->number);
	write_workers(usage, m, to[WORKERS], row);
	tv_set_text(to[FROM], row, source_name[source_of(usage, m)]);
	write_peak(usage, &of[source_of(usage, m)], to, row, PEAK);
	if (usage->any[STATES])
		write_peak(usage, &of[STATES], to, row, RESIDENT_PEAK);
	if (usage->any[ALLOCATIONS])
		write_peak(usage, &of[ALLOCATIONS], to, row, ALLOCATED_PEAK);
	if (of[COUNTER].known && usage->any[STATES]) {
		e = difference(usage, &of[COUNTER], &of[STATES]);
		tv_set_int(to[DIFFERS], row, e.nonzero);
		tv_set_double(to[DIFFERENCE], row, e.value);
		tv_set_int(to[DIFFERENCE_TIME], row, e.time);
	}
	if (of[COUNTER].known && usage->any[ALLOCATIONS]) {
		e = difference(usage, &of[COUNTER], &of[ALLOCATIONS]);
		tv_set_double(to[ALLOCATED_DIFFERENCE], row, e.value);
		tv_set_int(to[ALLOCATED_DIFFERENCE_TIME], row, e.time);
	}
}

static void write_summary(const struct usage *usage, struct tv_table *out)
{
	for (uint32_t m = 0; m < usage->memories->n; m++)
		if (tv_memory_chosen(usage->run, &usage->memories->at[m]))
			write_node(usage, m, out->col - NCURVE, tv_table_add_row(out));
}

/* ---- the pass ---- */

struct asked {
	enum from from;
	int64_t step_ns;
	bool summary;
};

static int check_options(const struct tv_options *options, struct tv_error *err)
{
	const struct asked *asked = options->chosen;

	if (asked->summary && asked->step_ns > 0)
		return tv_fail_usage(err, "--step has no effect with --summary");
	return 0;
}

static int compute(struct usage *usage, const struct asked *asked, struct tv_table *out,
		   struct tv_error *err)
{
	if (read_all(usage, err) < 0)
		return -1;
	if (usage->from == FROM_COUNTER
		    ? !usage->any[COUNTER]
		    : !usage->any[ALLOCATIONS] && !usage->any[STATES]
			      && (usage->from == FROM_EVENTS || !usage->any[COUNTER]))
		return tv_fail_lacks(err, usage->run->trace,
				     "memory: the trace has %s (a single CSV has none: see --with)",
				     usage->from == FROM_COUNTER ? "no variables '" TV_USED_COUNTER
								   "'"
				     : usage->from == FROM_EVENTS
					     ? "no events about allocations or data states"
					     : "neither variables '" TV_USED_COUNTER
					       "' nor events about allocations or data states");
	if (find_interval(usage, err) < 0)
		return -1;
	warn_differences(usage);
	if (!asked->summary) {
		tv_add_fields(out, columns, NCURVE);
		return write_curves(usage, asked->step_ns, out, err);
	}
	tv_add_fields(out, columns + NCURVE, NCOLUMNS - NCURVE);
	write_summary(usage, out);
	return 0;
}

static int run_memory(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		      struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct usage usage = { .run = run, .memories = tv_run_memories(run), .from = asked->from };
	int rc;

	usage.node = tv_alloc(usage.memories->n, sizeof *usage.node);
	rc = compute(&usage, asked, out, err);
	for (uint32_t m = 0; m < usage.memories->n; m++)
		for (int source = 0; source < NSOURCES; source++)
			tv_free(usage.node[m].of[source].at);
	tv_free(usage.node);
	return rc;
}

static const struct tv_option_spec options[] = {
	{ "from", "counter|events|auto", "auto",
	  "used memory from the runtime's counter, from its events, or from the counter where a "
	  "memory "
	  "node has one",
	  TV_OPTION_CHOICE, TV_ASKED(from) },
	{ TV_STEP_MEANS_ROW, TV_ASKED(step_ns) },
	{ "summary", NULL, NULL,
	  "one row per memory node: peaks, and where counter and events differ",
	  TV_ASKED(summary) },
};

static const struct tv_columns forms[] = { { columns + NCURVE, NCOLUMNS - NCURVE, "--summary" } };

const struct tv_pass tv_pass_memory = {
	.name = "memory",
	.summary = "Memory used on each memory node over time, peaks, resident data",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_NODES,
	.ranked = "Value",
	.sums = true,
	.needs = "variables events handles resources",
	.refuses_tasks = true,
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_FORMS(forms),
	.column = columns,
	.ncolumns = NCURVE,
	.varies = true,
	.notes =
		"In MiB (2^20 bytes), which StarPU's counter 'Used (MB)' is in. Curves for each "
		"memory\n"
		"node, over the run and all changes, or the window:\n"
		"used      --from counter: the variable 'Used (MB)'; events: what was allocated\n"
		"          ('Allocating End') minus what was freed ('Free Start'), or in traces\n"
		"          without these events as `resident`\n"
		"resident  sizes of the handles that are owner or shared there (see handles)\n"
		"None is ever negative. The three measure different things: the counter grows in\n"
		"blocks on GPUs (32 MiB) and does not contain data that the application allocated\n"
		"itself; buffers that the runtime keeps for reuse are allocated and not resident.\n"
		"A warning reports on how many memory nodes the counter differs from the events\n"
		"during the run, and the largest difference.",
	.example = "traceviz memory --summary data/cholesky-paje",
	.taskless = true,
	.check = check_options,
	.run = run_memory,
};
