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

void tv_counted_add(struct tv_counted *sum, const struct tv_tasks *tasks,
		    const uint32_t *group_of_row)
{
	const struct tv_table *table = &tasks->trace->table[TV_TASKS];
	const struct tv_column *instructions = tv_table_find(table, "instructions"),
			       *cycles = tv_table_find(table, "cycles");

	for (uint32_t row = 0; row < tasks->n; row++) {
		struct tv_counted *to = &sum[group_of_row == NULL ? 0 : group_of_row[row]];
		double of[2];

		if (!tasks->counted[row])
			continue;
		to->n++;
		to->time += tv_row_time(tasks, row);
		if (instructions == NULL || cycles == NULL
		    || !tv_cell_number(instructions, row, &of[0])
		    || !tv_cell_number(cycles, row, &of[1]))
			continue;
		to->counted++;
		to->instructions += of[0];
		to->cycles += of[1];
		to->counted_time += (double)tv_row_time(tasks, row);
	}
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
			sum.counted_time += (double)useful;
		}
	}
	tv_free(place.at);
	tv_free(meaning.at);
	return sum;
}

struct tv_counted tv_counted_of(struct tv_run *run)
{
	struct tv_counted sum = { 0 };

	if (run->tasks.ncounted > 0)
		tv_counted_add(&sum, &run->tasks, NULL);
	else
		sum = count_threads(run);
	if (!(sum.instructions > 0 && sum.cycles > 0 && sum.counted_time > 0))
		sum.instructions = sum.cycles = NAN;
	return sum;
}

double tv_counted_set(struct tv_table *out, size_t first, uint32_t row,
		      const struct tv_counted *reference, const struct tv_counted *one,
		      double scaling)
{
	double ipc = one->instructions / one->cycles, hertz = one->cycles / one->counted_time,
	       scaled = ipc / (reference->instructions / reference->cycles),
	       faster = hertz / (reference->cycles / reference->counted_time);
	const double number[] = { scaling, scaled, faster, ipc, hertz /* of ns: GHz */ };

	for (size_t i = 0; i < TV_COUNTED_FIELDS; i++)
		tv_set_finite(out->col[first + i], row, number[i]);
	return scaled * faster;
}
