/* SPDX-License-Identifier: GPL-3.0-or-later */
/* complete.c -- what every trace goes through after reading: kinds, clock, order, checks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/clocks.h"
#include "trace/complete.h"
#include "trace/cpuset.h"
#include "trace/damage.h"
#include "trace/messages.h"
#include "trace/number.h"
#include "trace/tasks.h"
#include "trace/timings.h"

static void finish_tables(struct tv_trace *trace)
{
	for (int i = 0; i < TV_NTABLES; i++)
		tv_table_finish(&trace->table[i]);
}

/* The columns of tasks. Those that only we complete are marked derived in native tables. */
static void find_columns(struct tv_completion *c)
{
	const struct {
		const char *name;
		struct tv_column **column;
	} want[] = {
		{ "ResourceId", &c->resource }, { "Value", &c->value },
		{ "Start", &c->start },		{ "End", &c->end },
		{ "Duration", &c->duration },	{ "Kind", &c->kind },
		{ "Node", &c->node },		{ "ResourceType", &c->type },
	};

	for (size_t i = 0; i < TV_COUNT(want); i++) {
		bool present = tv_table_find(c->tasks, want[i].name) != NULL;

		*want[i].column = tv_trace_column(c->trace, TV_TASKS, want[i].name);
		if (!present)
			(*want[i].column)->derived = c->trace->native;
	}
	c->job = tv_table_find(c->tasks, "JobId");
	c->segment = tv_table_find(c->tasks, "Segment");
	for (int k = 0; k < TV_NKINDS; k++)
		c->kind_label[k] = tv_intern_text(c->trace->pool, tv_kind_name((enum tv_kind)k));
	tv_table_finish(c->tasks);
}

/* The kind of a task by its name; known[]: kind + 1 by value label. */
static enum tv_kind kind_of(const struct tv_completion *c, uint32_t value, uint8_t *known)
{
	if (value == TV_NONE)
		return TV_APP;
	if (known[value] == 0) {
		const struct tv_kernel *k = tv_kernels_match(&c->kernels,
							     tv_pool_text(c->trace->pool, value));

		known[value] = (uint8_t)((k != NULL ? k->kind : TV_APP) + 1);
	}
	return (enum tv_kind)(known[value] - 1);
}

/* Kind of every row, and Duration where it is wanted. */
static void fill_kinds(struct tv_completion *c)
{
	const struct tv_column *flag = tv_table_find(c->tasks, "Flag");
	uint32_t planned = tv_pool_find_text(c->trace->pool, TV_PLANNED);
	uint8_t *known = tv_alloc(tv_pool_count(c->trace->pool), 1); /* kind + 1 by value label */
	bool lasts = tv_completes(c, c->duration) && tv_trace_wants(c->trace, "Duration");
	const struct tv_row_choice *choice = c->trace->options.choice;
	bool kinds = tv_completes(c, c->kind) && (choice == NULL || choice->sample);
	bool fills = lasts || kinds || !c->trace->native;

	for (uint32_t row = 0; fills && row < c->tasks->nrows; row++) {
		uint32_t value = tv_label(c->value, row);
		bool ran = !tv_missing(c->start, row) && !tv_missing(c->end, row), waits, works;

		if (ran && lasts && tv_missing(c->duration, row))
			tv_set_int(c->duration, row, c->end->i[row] - c->start->i[row]);
		works = ran
		     || (flag != NULL && planned != TV_NONE && tv_label(flag, row) == planned);
		/* Work of the application that waits, not what the runtime submits for itself. */
		waits = tv_row_is(c, row, TV_PENDING) && !c->trace->native;
		if (waits && kind_of(c, value, known) != TV_APP)
			tv_set_label(c->kind, row, c->kind_label[TV_GHOST]);
		if (kinds && tv_missing(c->kind, row))
			tv_set_label(c->kind, row,
				     c->kind_label[works ? kind_of(c, value, known) : TV_GHOST]);
	}
	tv_free(known);
}

/* Foreign traces: a job without times that some execution depends on, also through others without
 * times, has run, even if the trace does not record it: no work that waits. */
static void find_done(struct tv_completion *c)
{
	const struct tv_column *depends = tv_table_find(c->tasks, "DependsOn");
	/* By label of the job: its row + 1, once it is done 0. */
	uint32_t *row_of = tv_alloc(tv_pool_count(c->trace->pool), sizeof *row_of);
	uint32_t *done = tv_alloc(c->tasks->nrows, sizeof *done), ndone = 0;

	for (uint32_t row = 0; row < c->tasks->nrows; row++)
		if (!tv_missing(c->start, row))
			done[ndone++] = row;
		else if (c->job != NULL && !tv_missing(c->job, row))
			row_of[tv_label(c->job, row)] = row + 1;
	while (depends != NULL && ndone > 0) {
		uint32_t n, row = done[--ndone];
		const uint32_t *job = tv_list(depends, row, &n);

		for (uint32_t i = 0; i < n; i++) {
			uint32_t before = row_of[job[i]];

			row_of[job[i]] = 0;
			if (before == 0)
				continue;
			done[ndone++] = before - 1;
			if (tv_row_is(c, before - 1, TV_PENDING))
				tv_set_label(c->kind, before - 1, c->kind_label[TV_GHOST]);
		}
	}
	tv_free(row_of);
	tv_free(done);
}

/* ---- the clock ---- */

static bool is_moment(int table, const struct tv_column *column)
{
	return tv_schema_instants((enum tv_table_id)table, column->name, column->type);
}

/* The first app start; without app tasks the first time of all. false if there is no time at all.
 */
static bool first_moment(const struct tv_completion *c, int64_t *first)
{
	bool found = false, app;

	for (uint32_t row = 0; row < c->tasks->nrows; row++)
		if (tv_row_is(c, row, TV_APP) && !tv_missing(c->start, row)
		    && (!found || c->start->i[row] < *first)) {
			*first = c->start->i[row];
			found = true;
		}
	app = found;
	for (int t = 0; !app && t < TV_NTABLES; t++)
		for (size_t i = 0; i < c->trace->table[t].ncols; i++) {
			const struct tv_column *column = c->trace->table[t].col[i];

			if (t == TV_RESOURCES || !is_moment(t, column))
				continue;
			for (uint32_t row = 0; row < c->trace->table[t].nrows; row++)
				if (!tv_missing(column, row)
				    && (!found || column->i[row] < *first)) {
					*first = column->i[row];
					found = true;
				}
		}
	return found;
}

static int shift_column(struct tv_column *column, uint32_t nrows, int64_t by, struct tv_error *err)
{
	for (uint32_t row = 0; row < nrows; row++)
		if (!tv_missing(column, row)
		    && __builtin_sub_overflow(column->i[row], by, &column->i[row]))
			return tv_fail(err, "times are too far apart for 64-bit nanoseconds");
	return 0;
}

static int shift_clock(struct tv_completion *c, struct tv_error *err)
{
	const char *zero = c->trace->options.zero;
	int64_t by = 0, before;
	char text[TV_NUMBER_MAX];
	const char *origin;
	size_t n;

	if (zero == NULL && c->trace->native)
		return 0;
	if (zero == NULL || strcmp(zero, "first-task") == 0)
		first_moment(c, &by);
	else if (strcmp(zero, "none") != 0 && tv_parse_time(zero, &by) != TV_PARSE_OK)
		return tv_fail_usage(
			err, "--zero '%s', expected first-task, none or a time such as 12.5ms",
			zero);
	for (int t = 0; by != 0 && t < TV_NTABLES; t++)
		for (size_t i = 0; i < c->trace->table[t].ncols; i++)
			if (is_moment(t, c->trace->table[t].col[i])
			    && shift_column(c->trace->table[t].col[i], c->trace->table[t].nrows, by,
					    err)
				       < 0)
				return -1;
	origin = tv_meta_get(c->trace, "ClockOrigin", &n);
	if (origin != NULL && tv_parse_scaled(origin, n, 6, &before) == TV_PARSE_OK)
		by += before; /* the shift from the recording's own clock */
	tv_write_ms(text, by);
	tv_meta_add(c->trace, "ClockOrigin", "%s", text);
	return 0;
}

/* ---- order ---- */

/* Tables whose rows have one order, whatever that of the input was. Those of others that are of one instant
 * come as they happened, which nothing else says. */
static const struct {
	enum tv_table_id id;
	const char *by, *then[7];
} ordered[] = {
	{ TV_TASKS, "Start", { "ResourceId", "End", "SubmitTime", "JobId", "Segment", "Value" } },
	{ TV_LINKS, "Start", { "Key", "Origin", "Dest", "End", "Type" } },
	{ TV_CALLS, "Start", { "ResourceId", "End" } },
	{ TV_HANDLES, NULL, { "Node", "Handle", "Name" } },
};

/* Puts the rows of ordered[i] in order and notes where they were. */
static void order_table(struct tv_trace *trace, size_t i)
{
	struct tv_table *table = &trace->table[ordered[i].id];
	uint32_t *order = tv_table_order(table, ordered[i].by, ordered[i].then);
	struct tv_column *input;
	struct tv_error none;

	if (order == NULL)
		return;
	tv_table_sort(table, order);
	input = trace->options.numbered && ordered[i].id == TV_TASKS
		      ? NULL
		      : tv_table_column(table, TV_INPUT_ROW, TV_INT, &none);
	if (input != NULL)
		TV_GROW(input->i, 0, input->cap, table->nrows);
	for (uint32_t row = 0; input != NULL && row < table->nrows; row++)
		tv_set_int(input, row, order[row]);
	if (input != NULL) {
		input->derived = true;
		tv_table_finish_column(table, input);
	}
	tv_free(order);
}

/* In which foreign traces are written. */
static void order_foreign_tasks(struct tv_completion *c)
{
	static const char *const then[] = { "ResourceId", NULL };
	uint32_t *order = tv_table_order(c->tasks, "Start", then);

	if (order == NULL)
		return;
	tv_table_sort(c->tasks, order);
	tv_trace_moved(c->trace);
	find_columns(c);
	tv_free(order);
}

/* Whether the rows of a part may stay in the order of the input. What one learns of a worker or of tasks that are not counted
 * depends on the order when the part is read for the first time. */
static bool stays(const struct tv_completion *c)
{
	const struct tv_row_part *part = c->trace->options.part;

	return part != NULL && part->unordered
	    && (part->again || (c->increase && tv_tasks_all_app(c->tasks)));
}

static void order_tables(struct tv_completion *c)
{
	for (size_t i = 0; i < TV_COUNT(ordered) && !c->trace->options.as_read; i++)
		if (ordered[i].id != TV_TASKS || !stays(c))
			order_table(c->trace, i);
	find_columns(c);
}

/* ---- checks ---- */

static uint32_t job_of(const struct tv_completion *c, uint32_t row)
{
	return c->job != NULL ? tv_label(c->job, row) : TV_NONE;
}

static uint64_t execution_hash(const struct tv_completion *c, uint32_t row)
{
	uint64_t h = (uint64_t)c->start->i[row] * 0x9e3779b97f4a7c15u;

	h ^= ((uint64_t)job_of(c, row) << 32) | tv_label(c->resource, row);
	h = (h ^ h >> 31) * 0xbf58476d1ce4e5b9u;
	return h ^ h >> 29;
}

/* Segments of a task may follow each other within the resolution of the clock. */
static int64_t segment_of(const struct tv_completion *c, uint32_t row)
{
	return c->segment == NULL || tv_missing(c->segment, row) ? 0 : c->segment->i[row];
}

/* Whether two executions of a resource may differ by their JobIds alone, which are not read. */
static bool jobs_are_left(const struct tv_completion *c)
{
	return tv_trace_leaves(c->trace, TV_TASKS, "JobId");
}

/* Equal by JobId, ResourceId, Start and Segment; without JobIds, by type, ResourceId, Start and
 * End. Where JobIds are not read: perhaps equal. */
static bool same_execution(const struct tv_completion *c, uint32_t a, uint32_t b)
{
	if (jobs_are_left(c))
		return tv_label(c->resource, a) == tv_label(c->resource, b)
		    && c->start->i[a] == c->start->i[b];
	return job_of(c, a) == job_of(c, b) && tv_label(c->resource, a) == tv_label(c->resource, b)
	    && c->start->i[a] == c->start->i[b] && segment_of(c, a) == segment_of(c, b)
	    && (job_of(c, a) != TV_NONE
		|| (tv_label(c->value, a) == tv_label(c->value, b)
		    && c->end->i[a] == c->end->i[b]));
}

static int fail_twice(const struct tv_completion *c, uint32_t first, uint32_t row,
		      struct tv_error *err)
{
	bool named = job_of(c, row) != TV_NONE;
	long line = tv_trace_place(c->trace, first).line;
	char ms[TV_NUMBER_MAX], also[40] = "";

	tv_write_ms(ms, c->start->i[row]);
	if (line > 0)
		snprintf(also, sizeof also, " (also on line %ld)", line);
	return tv_fail_at(err, tv_trace_place(c->trace, row),
			  "two identical executions: %s %s on %s at %s ms%s, expected each once",
			  named ? "JobId" : "type", tv_cell(named ? c->job : c->value, row),
			  tv_cell(c->resource, row), ms, also);
}

/* Whether the executions of each resource come by Start in the table, all at different times: then there
 * are no two identical ones. */
static bool starts_increase(const struct tv_completion *c)
{
	const uint64_t sign = (uint64_t)1
			   << 63; /* times keep their order without it, and are never 0 */
	uint64_t *last = tv_alloc((size_t)tv_pool_count(c->trace->pool) + 1, sizeof *last);
	const bool all = c->start->valid == NULL && c->end->valid == NULL;
	bool increase = true;

	for (uint32_t row = 0; increase && row < c->tasks->nrows; row++) {
		uint32_t resource = tv_label(c->resource, row) + 1; /* TV_NONE is the first */
		uint64_t start = (uint64_t)c->start->i[row] ^ sign;

		if (!all && (tv_missing(c->start, row) || tv_missing(c->end, row)))
			continue;
		increase = start > last[resource];
		last[resource] = start;
	}
	tv_free(last);
	return increase;
}

/* The same execution twice can only be an error of whoever wrote the trace. Without a JobId one
 * that takes no time may well be there twice. */
static int check_executions(struct tv_completion *c, struct tv_error *err)
{
	size_t nslots = 64;
	uint32_t *slot;
	int rc = 0;

	c->increase = starts_increase(c);
	if (c->increase)
		return 0;
	while (nslots < (size_t)c->tasks->nrows * 2)
		nslots *= 2;
	slot = tv_alloc(nslots, sizeof *slot);
	for (uint32_t row = 0; rc == 0 && row < c->tasks->nrows; row++) {
		size_t at;

		if (tv_missing(c->start, row) || tv_missing(c->end, row)
		    || (job_of(c, row) == TV_NONE && c->start->i[row] == c->end->i[row]
			&& !jobs_are_left(c)))
			continue;
		for (at = execution_hash(c, row) & (nslots - 1); rc == 0 && slot[at] != 0;
		     at = (at + 1) & (nslots - 1))
			if (same_execution(c, slot[at] - 1, row)) {
				c->trace->unsure |= jobs_are_left(c);
				rc = fail_twice(c, slot[at] - 1, row, err);
			}
		slot[at] = row + 1;
	}
	tv_free(slot);
	return rc;
}

/* Which processors belong to an object or a worker; other readers write lists only. */
static int check_cpusets(const struct tv_trace *trace, struct tv_error *err)
{
	const struct tv_table *resources = &trace->table[TV_RESOURCES];
	const struct tv_column *cpuset = tv_table_find(resources, "Cpuset");
	int rc = 0;

	for (uint32_t row = 0; rc == 0 && cpuset != NULL && row < resources->nrows; row++) {
		struct tv_cpuset set;
		size_t n;
		const char *text = tv_string(cpuset, row, &n);

		if (tv_cpuset_parse(&set, text, n) < 0)
			rc = tv_fail(err,
				     "resources: Cpuset '%.*s' of '%.100s', expected a list of "
				     "processors as in 0-3,8, each below %d",
				     n < 100 ? (int)n : 100, text,
				     tv_table_text(resources, "ResourceId", row), TV_CPUS_MAX);
		tv_cpuset_release(&set);
	}
	return rc;
}

static bool has_value(const struct tv_column *column, uint32_t nrows)
{
	for (uint32_t row = 0; row < nrows; row++)
		if (!tv_missing(column, row))
			return true;
	return false;
}

/* Foreign traces: removes the columns that a reader makes but that have no value in this trace.
 */
static void drop_empty_columns(struct tv_trace *trace)
{
	for (int id = 0; id < TV_NTABLES; id++)
		for (size_t i = trace->table[id].ncols; i-- > 0;) {
			struct tv_column *column = trace->table[id].col[i];
			const struct tv_field *field = tv_schema_field((enum tv_table_id)id,
								       column->name);

			if (trace->table[id].nrows > 0 && (field == NULL || !field->required)
			    && !column->known && !has_value(column, trace->table[id].nrows))
				tv_table_drop(&trace->table[id], column);
		}
}

static size_t place_of(const struct tv_table_schema *schema, const char *name)
{
	size_t i;

	for (i = 0; i < schema->nfields && strcmp(schema->field[i].name, name) != 0; i++)
		;
	return i;
}

/* Foreign traces: well-known columns in the schema's order, then the others as they came. */
static void order_columns(struct tv_trace *trace)
{
	for (int id = 0; id < TV_NTABLES; id++) {
		struct tv_table *table = &trace->table[id];

		for (size_t i = 1; i < table->ncols; i++) {
			struct tv_column *column = table->col[i];
			size_t place = place_of(&tv_schema[id], column->name), k;

			for (k = i;
			     k > 0 && place_of(&tv_schema[id], table->col[k - 1]->name) > place;
			     k--)
				table->col[k] = table->col[k - 1];
			table->col[k] = column;
		}
	}
}

static void complete_foreign(struct tv_completion *c)
{
	tv_add_missing_resources(c);
	tv_order_resources(c);
	tv_add_idle_workers(c);
	order_foreign_tasks(c);
	drop_empty_columns(c->trace);
	order_columns(c->trace);
	find_columns(c);
}

/* Whether all times are surely between -limit and limit, a power of two. */
static bool all_are_less(const int64_t *time, uint32_t n, int64_t limit)
{
	const uint64_t half = (uint64_t)limit / 2;
	uint64_t bits = 0; /* of any of them, moved so that those between are not negative */

	for (uint32_t i = 0; i < n; i++)
		bits |= (uint64_t)time[i] + half;
	return bits < 2 * half;
}

/* Times so far apart that their difference might not fit 64 bits are refused: 2^62 ns are 146
 * years. */
static int check_times(const struct tv_trace *trace, struct tv_error *err)
{
	const int64_t limit = (int64_t)1 << 62;

	for (int id = 0; id < TV_NTABLES; id++)
		for (size_t i = 0; i < trace->table[id].ncols; i++) {
			const struct tv_column *c = trace->table[id].col[i];
			char text[TV_NUMBER_MAX];
			uint32_t row = 0;

			if (c->type != TV_TIME || all_are_less(c->i, c->n, limit))
				continue;
			while (row < c->n && c->i[row] > -limit && c->i[row] < limit)
				row++;
			if (row == c->n)
				continue;
			tv_write_ms(text, c->i[row]);
			return tv_fail(err,
				       "%s: %s %s ms is out of range, "
				       "expected less than 146 years",
				       tv_schema[id].name, c->name, text);
		}
	return 0;
}

static bool was_checked(const struct tv_trace *trace)
{
	return trace->options.part != NULL && trace->options.part->again;
}

/* Rows that are chosen stay in the order of the input. What other rows, workers or tables say of them is not known. */
static int complete_chosen(struct tv_completion *c, struct tv_error *err)
{
	finish_tables(c->trace);
	if (check_times(c->trace, err) < 0)
		return -1;
	find_columns(c);
	fill_kinds(c);
	return check_executions(c, err);
}

int tv_trace_complete(struct tv_trace *trace, struct tv_error *err)
{
	struct tv_completion c = { .trace = trace, .tasks = &trace->table[TV_TASKS] };
	int rc;
	TV_STAGE("completing", NULL);

	if (trace->options.choice != NULL && trace->native)
		return complete_chosen(&c, err);
	finish_tables(trace);
	if ((!was_checked(trace) && check_times(trace, err) < 0) || check_cpusets(trace, err) < 0
	    || tv_kernels_init(&c.kernels, trace->options.kernels, err) < 0)
		return -1;
	if (trace->options.kernels != NULL && c.kernels.nextra == 0)
		tv_notice(trace, "--kernels '%s': no row, expected Pattern,Kernel,Kind,Color",
			  trace->options.kernels);
	find_columns(&c);
	fill_kinds(&c);
	if (!trace->native)
		find_done(&c);
	tv_index_resources(&c);
	tv_fill_resources(&c);
	rc = tv_bind_workers(&c, err);
	if (rc == 0)
		tv_resolve_bindings(&c);
	if (rc == 0)
		rc = tv_declare_resources(&c, err);
	if (rc == 0)
		rc = tv_shift_clocks(trace, err);
	if (rc == 0) {
		tv_check_clocks(trace);
		if (!trace->native || !trace->options.unlinked) {
			tv_check_messages(trace);
			tv_check_dependencies(trace);
		}
		rc = tv_check_strict(trace, err);
	}
	if (rc == 0 && !trace->native)
		complete_foreign(&c);
	if (rc == 0 && !was_checked(trace))
		rc = check_executions(&c, err);
	if (rc == 0)
		order_tables(&c);
	if (rc == 0)
		rc = shift_clock(&c, err);
	if (rc == 0)
		tv_write_damage(trace, trace);
	tv_kernels_release(&c.kernels);
	tv_free(c.row_of);
	return rc;
}
