/* SPDX-License-Identifier: GPL-3.0-or-later */
/* join.c -- companion tables of a folder join its source of tasks: clock offset, rows. */
#include "convert/join.h"

#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/stamps.h"

bool tv_is_companion(enum tv_table_id table)
{
	return table == TV_DECISIONS || table == TV_CANDIDATES || table == TV_CALLS
	    || table == TV_VARIABLES || table == TV_EVENTS || table == TV_META;
}

struct offset {
	const char *by;	  /* what was compared */
	uint32_t n;	  /* pairs */
	int64_t ns;	  /* median of the differences */
	int64_t min, max; /* of the differences */
};

/* Compares what both recorded of each job: the first of one with the first of the other, ... */
static void compare(struct offset *offset, const char *by, const struct tv_stamps *there,
		    const struct tv_stamps *here)
{
	int64_t *difference = tv_alloc(there->n < here->n ? there->n : here->n, sizeof *difference);
	uint32_t n = 0;

	for (uint32_t i = 0, k = 0; i < there->n && k < here->n;) {
		uint32_t a = there->at[i].job, b = here->at[k].job;

		if (a == b)
			difference[n++] = there->at[i].time - here->at[k].time;
		i += a <= b;
		k += b <= a;
	}
	if (n > 0) {
		qsort(difference, n, sizeof *difference, tv_compare_int64);
		*offset = (struct offset){ by, n, tv_median_int64(difference, n), difference[0],
					   difference[n - 1] };
	}
	tv_free(difference);
}

static struct offset estimate(const struct tv_trace *trace, const struct tv_trace *beside)
{
	struct tv_stamps pushes = tv_stamps_of(trace, TV_EVENTS, "Value", "Time", "Task Push");
	struct tv_stamps decisions = tv_stamps_of(beside, TV_DECISIONS, "JobId", "Time", NULL);
	struct tv_stamps tasks = tv_stamps_of(trace, TV_TASKS, "JobId", "Start", NULL);
	struct tv_stamps starts = tv_stamps_of(beside, TV_EVENTS, "JobId", "Time", "start");
	struct offset offset = { 0 };

	compare(&offset, "pushes", &pushes, &decisions);
	if (offset.n == 0)
		compare(&offset, "starts", &tasks, &starts);
	tv_free(pushes.at);
	tv_free(decisions.at);
	tv_free(tasks.at);
	tv_free(starts.at);
	return offset;
}

static int shift(struct tv_table *table, enum tv_table_id id, int64_t by, struct tv_error *err)
{
	for (size_t i = 0; by != 0 && i < table->ncols; i++) {
		struct tv_column *column = table->col[i];

		if (!tv_schema_instants(id, column->name, column->type))
			continue;
		for (uint32_t row = 0; row < column->n; row++)
			if (!tv_missing(column, row)
			    && __builtin_add_overflow(column->i[row], by, &column->i[row]))
				return tv_fail(err,
					       "%s: times are too far apart for 64-bit "
					       "nanoseconds",
					       tv_schema[id].name);
	}
	return 0;
}

/* Appends the rows of `from`; columns of both have the type of the schema, or are text. */
static void append(struct tv_trace *trace, enum tv_table_id id, struct tv_table *from)
{
	struct tv_table *to = &trace->table[id];
	uint32_t first = to->nrows;

	if (to->nrows == 0) {
		tv_table_replace(to, from);
		return;
	}
	for (uint32_t row = 0; row < from->nrows; row++)
		tv_table_add_row(to);
	for (size_t i = 0; i < from->ncols; i++) {
		struct tv_column *column = tv_trace_column(trace, id, from->col[i]->name);

		for (uint32_t row = 0; row < from->nrows; row++)
			tv_copy_cell(column, first + row, from->col[i], row);
	}
}

/* What the companions' meta says of the scheduler; the rest describes other files than these. */
static void take_meta(struct tv_trace *trace, const struct tv_trace *beside)
{
	const struct tv_table *meta = &beside->table[TV_META];
	const struct tv_column *key = tv_table_find(meta, "Key");
	const struct tv_column *value = tv_table_find(meta, "Value");

	for (uint32_t row = 0; key != NULL && value != NULL && row < meta->nrows; row++) {
		const char *name = tv_pool_text(trace->pool, tv_label(key, row)), *text;
		size_t n;

		if (strncmp(name, "Scheduler", 9) != 0 && strcmp(name, "CandidatesKept") != 0)
			continue;
		text = tv_string(value, row, &n);
		tv_meta_add(trace, name, "%.*s", (int)n, text);
	}
}

static void report(struct tv_trace *trace, const struct offset *offset, const char *path)
{
	char ns[TV_NUMBER_MAX], spread[TV_NUMBER_MAX];

	if (trace->table[TV_TASKS].nrows == 0)
		return; /* such as a topology: there is no other clock */
	if (offset->n == 0) {
		tv_meta_add(trace, "JoinedClock", "not compared: no JobId in common");
		tv_diagnose(&trace->diagnostics, TV_WARNING, (struct tv_pos){ 0 },
			    "%s: companion tables and tasks have no JobId in common, so that their "
			    "clocks cannot be compared",
			    path);
		return;
	}
	tv_write_ms(ns, offset->ns);
	tv_write_ms(spread, offset->max - offset->min);
	tv_meta_add(trace, "JoinedClock", "%s ms added, spread %s ms, from %u %s", ns, spread,
		    offset->n, offset->by);
	tv_notice(trace,
		  "%s: companion tables joined by %u %s: %s ms added to their times, spread "
		  "%s ms",
		  path, offset->n, offset->by, ns, spread);
}

int tv_join(struct tv_trace *trace, struct tv_trace *beside, const char *path, bool known,
	    struct tv_error *err)
{
	struct offset offset;

	for (int id = 0; id < TV_NTABLES; id++) {
		tv_table_finish(&trace->table[id]);
		tv_table_finish(&beside->table[id]);
	}
	offset = estimate(trace, beside);
	if (known && offset.n == 0)
		return 1;
	report(trace, &offset, path);
	take_meta(trace, beside);
	tv_trace_take_damage(trace, beside);
	tv_trace_as_read(beside);
	for (int id = 0; id < TV_NTABLES; id++) {
		struct tv_table *from = &beside->table[id];

		if (id == TV_META || !tv_is_companion((enum tv_table_id)id) || from->nrows == 0)
			continue;
		if (shift(from, (enum tv_table_id)id, offset.ns, err) < 0)
			return -1;
		append(trace, (enum tv_table_id)id, from);
	}
	return 0;
}
