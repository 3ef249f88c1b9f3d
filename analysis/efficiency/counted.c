/* SPDX-License-Identifier: GPL-3.0-or-later */
/* counted.c -- instructions and cycles of the useful time of a run. */
#include "analysis/efficiency/counted.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "analysis/calls/thread_time.h"
#include "analysis/core/columns.h"
#include "trace/alloc.h"
#include "trace/map.h"

/* A task has both, or counts for neither. */
static struct tv_counted count_tasks(const struct tv_tasks *tasks)
{
	const struct tv_table *table = &tasks->trace->table[TV_TASKS];
	const struct tv_column *instructions = tv_table_find(table, "instructions"),
			       *cycles = tv_table_find(table, "cycles");
	struct tv_counted sum = { 0 };

	for (uint32_t row = 0; instructions != NULL && cycles != NULL && row < tasks->n; row++) {
		double of[2];

		if (!tasks->counted[row] || !tv_cell_number(instructions, row, &of[0])
		    || !tv_cell_number(cycles, row, &of[1]))
			continue;
		sum.instructions += of[0];
		sum.cycles += of[1];
		sum.time += (double)(tasks->end[row] - tasks->start[row]);
	}
	return sum;
}

enum { OTHER, INSTRUCTIONS, CYCLES };

/* What a variable counts; other tools write a description behind its name. */
static int meaning_of(const char *type)
{
	static const struct {
		const char *name;
		int meaning;
	} known[] = { { "PAPI_TOT_INS", INSTRUCTIONS },
		      { "instructions", INSTRUCTIONS },
		      { "PAPI_TOT_CYC", CYCLES },
		      { "cycles", CYCLES } };
	size_t n = strcspn(type, " \t([");

	for (size_t i = 0; i < TV_COUNT(known); i++)
		if (strlen(known[i].name) == n && strncasecmp(type, known[i].name, n) == 0)
			return known[i].meaning;
	return OTHER;
}

/* How much of an interval a thread works. */
static int64_t useful_within(const struct tv_thread *thread, int64_t begin, int64_t end)
{
	struct tv_span in = { begin > thread->begin ? begin : thread->begin,
			      end < thread->end ? end : thread->end };

	return in.end <= in.begin
		     ? 0
		     : in.end - in.begin - tv_spans_within(thread->lost, thread->nlost, in);
}

static struct tv_counted count_threads(struct tv_run *run)
{
	const struct tv_threads *threads = tv_run_threads(run);
	const struct tv_table *table = tv_trace_table(run->trace, TV_VARIABLES);
	const struct tv_column *resource = tv_table_find(table, "ResourceId"),
			       *type = tv_table_find(table, "Type"),
			       *start = tv_table_find(table, "Start"),
			       *end = tv_table_find(table, "End"),
			       *value = tv_table_find(table, "Value");
	struct tv_index place = { 0 }, meaning = { 0 };
	struct tv_counted sum = { 0 };

	if (resource == NULL || type == NULL || start == NULL || end == NULL || value == NULL)
		return sum;
	for (uint32_t i = 0; i < threads->n; i++)
		tv_index_set(&place, threads->at[i].resource, i);
	for (uint32_t row = 0; row < table->nrows; row++) {
		uint32_t of = tv_missing(type, row) ? TV_NONE : tv_label(type, row), thread, what;
		double number;
		int64_t useful;

		if (of == TV_NONE || tv_missing(resource, row) || tv_missing(start, row)
		    || tv_missing(end, row))
			continue;
		what = tv_index_get(&meaning, of);
		if (what == TV_NONE) {
			what = (uint32_t)meaning_of(tv_pool_text(type->pool, of));
			tv_index_set(&meaning, of, what);
		}
		if (what == OTHER)
			continue;
		thread = tv_index_get(&place, tv_label(resource, row));
		if (thread == TV_NONE || end->i[row] <= start->i[row]
		    || !tv_cell_number(value, row, &number))
			continue;
		useful = useful_within(&threads->at[thread], start->i[row], end->i[row]);
		number *= (double)useful / (double)(end->i[row] - start->i[row]);
		if (what == INSTRUCTIONS) {
			sum.instructions += number;
		} else {
			sum.cycles += number;
			sum.time += (double)useful;
		}
	}
	tv_free(place.at);
	tv_free(meaning.at);
	return sum;
}

struct tv_counted tv_counted_of(struct tv_run *run)
{
	struct tv_counted sum = run->tasks.ncounted > 0 ? count_tasks(&run->tasks)
							: count_threads(run);

	if (!(sum.instructions > 0 && sum.cycles > 0 && sum.time > 0))
		sum.instructions = sum.cycles = NAN;
	return sum;
}
