/* SPDX-License-Identifier: GPL-3.0-or-later */
/* by_type.c -- durations, instructions, IPC and frequency of each task type, over several runs. */
#include <math.h>
#include <string.h>

#include "analysis/core/columns.h"
#include "analysis/core/grouping.h"
#include "analysis/efficiency/across.h"
#include "trace/alloc.h"

enum {
	RUN,
	VALUE,
	EXECUTIONS,
	TIME,
	MEAN,
	DURATIONS,
	INSTRUCTIONS,
	IPC_SCALING,
	FREQUENCY_SCALING,
	IPC,
	FREQUENCY
};

const struct tv_field tv_by_type_columns[TV_BY_TYPE_COLUMNS] = {
	[RUN] = { "Run", TV_LABEL, false, "", "label of the run" },
	[VALUE] = { "Value", TV_LABEL, false, "", "task type" },
	[EXECUTIONS] = { "Executions", TV_INT, false, "", "of tasks of the type" },
	[TIME] = { "Time", TV_TIME, false, "ms", "sum of their durations" },
	[MEAN] = { "MeanDuration", TV_TIME, false, "ms", "Time / Executions" },
	[DURATIONS] = { "DurationScaling", TV_DOUBLE, false, "",
			"mean duration in the run with the fewest workers / MeanDuration" },
	[INSTRUCTIONS] = { "InstructionScaling", TV_DOUBLE, false, "",
			   "the same of the mean number of instructions" },
	[IPC_SCALING] = { "IpcScaling", TV_DOUBLE, false, "",
			  "Ipc / that in the run with the fewest workers" },
	[FREQUENCY_SCALING] = { "FrequencyScaling", TV_DOUBLE, false, "",
				"the same of Frequency; the product of the three is "
				"DurationScaling "
				"where all were counted" },
	[IPC] = { "Ipc", TV_DOUBLE, false, "", "instructions in a cycle" },
	[FREQUENCY] = { "Frequency", TV_DOUBLE, false, "GHz", "cycles in a second" },
};

/* Executions of a type; counted: those with instructions and cycles. */
struct sums {
	uint32_t n, counted;
	int64_t time;
	double instructions, cycles, counted_time;
};

struct run_sums {
	struct tv_grouping types;
	struct sums *type;
};

static void sum_up(struct run_sums *sums, const struct tv_tasks *tasks)
{
	const struct tv_table *table = &tasks->trace->table[TV_TASKS];
	const struct tv_column *instructions = tv_table_find(table, "instructions"),
			       *cycles = tv_table_find(table, "cycles");

	tv_grouping_by_type(&sums->types, tasks);
	sums->type = tv_alloc(sums->types.n, sizeof *sums->type);
	for (uint32_t row = 0; row < tasks->n; row++) {
		struct sums *type;
		double of[2];

		if (!tasks->counted[row])
			continue;
		type = &sums->type[sums->types.of_row[row]];
		type->n++;
		type->time += tv_row_time(tasks, row);
		if (instructions == NULL || cycles == NULL
		    || !tv_cell_number(instructions, row, &of[0])
		    || !tv_cell_number(cycles, row, &of[1]))
			continue;
		type->counted++;
		type->instructions += of[0];
		type->cycles += of[1];
		type->counted_time += (double)tv_row_time(tasks, row);
	}
}

static const char *name_of(const struct tv_named_run *run, const struct run_sums *sums, uint32_t t)
{
	return tv_pool_text(run->run->tasks.pool, tv_grouping_label(&sums->types, t));
}

static void set(struct tv_table *out, int column, uint32_t row, double number)
{
	if (isfinite(number))
		tv_set_double(out->col[column], row, number);
}

static void write_type(struct tv_table *out, uint32_t row, const struct sums *of,
		       const struct sums *reference)
{
	double ipc = of->instructions / of->cycles, hertz = of->cycles / of->counted_time;

	tv_set_int(out->col[EXECUTIONS], row, of->n);
	tv_set_int(out->col[TIME], row, of->time);
	tv_set_int(out->col[MEAN], row, llround((double)of->time / of->n));
	set(out, IPC, row, ipc);
	set(out, FREQUENCY, row, hertz);
	if (reference == NULL)
		return;
	set(out, DURATIONS, row,
	    ((double)reference->time / reference->n) / ((double)of->time / of->n));
	set(out, INSTRUCTIONS, row,
	    (reference->instructions / reference->counted) / (of->instructions / of->counted));
	set(out, IPC_SCALING, row, ipc / (reference->instructions / reference->cycles));
	set(out, FREQUENCY_SCALING, row, hertz / (reference->cycles / reference->counted_time));
}

/* The sums of the type of that name; NULL = there is none. */
static const struct sums *find(const struct tv_named_run *run, const struct run_sums *sums,
			       const char *name)
{
	for (uint32_t t = 0; t < sums->types.n; t++)
		if (strcmp(name_of(run, sums, t), name) == 0)
			return &sums->type[t];
	return NULL;
}

int tv_efficiency_by_type(const struct tv_named_run *run, size_t n, struct tv_table *out,
			  struct tv_error *err)
{
	struct run_sums *sums = tv_alloc(n, sizeof *sums);
	size_t reference = 0;
	int rc = 0;

	tv_add_fields(out, tv_by_type_columns, TV_BY_TYPE_COLUMNS);
	for (size_t i = 0; i < n && rc == 0; i++) {
		rc = tv_run_need_tasks(run[i].run, "efficiency --by type", err);
		if (rc < 0)
			tv_fail_about(err, run[i].label);
		else
			sum_up(&sums[i], &run[i].run->tasks);
		if (run[i].run->tasks.nworkers < run[reference].run->tasks.nworkers)
			reference = i;
	}
	for (size_t i = 0; i < n && rc == 0; i++)
		for (uint32_t t = 0; t < sums[i].types.n; t++) {
			const char *name = name_of(&run[i], &sums[i], t);
			uint32_t row = tv_table_add_row(out);

			tv_set_text(out->col[RUN], row, run[i].label);
			tv_set_text(out->col[VALUE], row, name);
			write_type(out, row, &sums[i].type[t],
				   find(&run[reference], &sums[reference], name));
		}
	tv_table_finish(out);
	for (size_t i = 0; i < n; i++) {
		tv_grouping_release(&sums[i].types);
		tv_free(sums[i].type);
	}
	tv_free(sums);
	return rc;
}
