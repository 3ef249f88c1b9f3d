/* SPDX-License-Identifier: GPL-3.0-or-later */
/* steps.c -- the finding about serial steps: one task runs, and all others wait for it. */
#include <string.h>

#include "analysis/diagnose/findings.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* A task begins (+1) or ends (-1). */
struct edge {
	int64_t time;
	int32_t more;
	uint32_t row;
};

TV_ORDER(by_time, struct edge, time, more, row)

static struct edge *list_edges(const struct tv_tasks *tasks, size_t *n)
{
	struct edge *edge = tv_alloc(2 * (size_t)tasks->ncounted, sizeof *edge);

	*n = 0;
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && tasks->start[row] < tasks->end[row]) {
			edge[(*n)++] = (struct edge){ tasks->start[row], 1, row };
			edge[(*n)++] = (struct edge){ tasks->end[row], -1, row };
		}
	if (*n > 0)
		tv_sort_by_time(edge, *n, sizeof *edge, offsetof(struct edge, time), by_time);
	return edge;
}

struct tv_alone tv_tasks_alone(const struct tv_tasks *tasks, const uint8_t *chosen)
{
	struct tv_alone alone = { 0 };
	uint32_t last = TV_NONE;
	uint64_t running = 0, rows = 0; /* of one task rows is its row */
	size_t n;
	struct edge *edge = list_edges(tasks, &n);

	for (size_t i = 0; i < n; i++) {
		if (running == 1 && edge[i].time > edge[i - 1].time && chosen[rows]) {
			alone.n += last != rows;
			last = (uint32_t)rows;
			alone.time += edge[i].time - edge[i - 1].time;
		}
		running += (uint64_t)(int64_t)edge[i].more;
		rows += edge[i].more > 0 ? edge[i].row : (uint64_t)0 - edge[i].row;
	}
	tv_free(edge);
	return alone;
}

/* When tasks of a type were the only ones that ran. */
static struct tv_alone find_steps(const struct tv_tasks *tasks, uint32_t type)
{
	uint8_t *chosen = tv_alloc(tasks->n, 1);
	struct tv_alone alone;

	for (uint32_t row = 0; row < tasks->n; row++)
		chosen[row] = tasks->value[row] == type;
	alone = tv_tasks_alone(tasks, chosen);
	tv_free(chosen);
	return alone;
}

/* The type for which workers waited longest, by dependencies: its row, TV_NONE = there is none. */
static uint32_t find_awaited(const struct tv_table *table)
{
	const struct tv_column *priced = tv_table_find(table, "Priced");
	uint32_t most = TV_NONE;

	for (uint32_t row = 0; row < table->nrows; row++)
		if (tv_table_is(table, "Cause", row, "dependencies")
		    && tv_table_is(table, "Culprit", row, "task") && !tv_missing(priced, row)
		    && (most == TV_NONE || priced->i[row] > priced->i[most]))
			most = row;
	return most;
}

static int find_serial_step(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_tasks *tasks = c->tasks;
	const struct tv_table *table;
	char alone[32], waited[TV_WORDS_OF_ALL], type[128], *which;
	struct tv_alone step;
	uint32_t row;

	if (tv_tasks_cut(tasks) || tasks->nworkers < 2
	    || tv_table_find(&tasks->trace->table[TV_TASKS], "DependsOn") == NULL)
		return 0;
	table = tv_run_pass_with(c->run, "idle-causes", err, "by", "culprit", "each", "type", NULL);
	if (table == NULL)
		return -1;
	row = find_awaited(table);
	if (row == TV_NONE)
		return 0;
	found->time_ns = tv_number(tv_table_find(table, "Priced"), row);
	found->worker_ns = tv_number(tv_table_find(table, "Time"), row);
	if (2 * found->time_ns < c->account.makespan - c->best || found->time_ns < 2 * c->min_ns)
		return 0;
	step = find_steps(tasks, tv_label(tv_table_find(table, "Value"), row));
	if (step.time < 5 * c->min_ns)
		return 0;
	found->holds = true;
	tv_clean_text(type, sizeof type, tv_table_text(table, "Value", row));
	which = step.n == 1 ? tv_strdup("") : tv_format(", %u times", step.n);
	found->text = tv_format(
		"For %s, %.0f %% of the run, a task of type %s was the only one that "
		"ran%s. Workers waited for such tasks, on which others depend, for %s.",
		tv_words_time(alone, step.time),
		100 * (double)step.time / (double)c->account.makespan, type, which,
		tv_words_of_all(waited, c, found->worker_ns));
	tv_free(which);
	found->command = tv_case_verb(c, "idle-causes", "--by culprit");
	return 0;
}

const struct tv_rule tv_rule_serial_step = {
	.id = "serial-step",
	.title = "workers wait for single tasks",
	.condition = "waits for tasks of one type, by dependencies, are half of what could be "
		     "saved and 2 % of "
		     "the makespan, and for 5 % of it such a task was the only one that ran",
	.measures = "idle time of the cause dependencies whose culprit is a task of that type",
	.action = "Split these tasks, use several threads in them, or let what comes next depend "
		  "only on the "
		  "part that it needs.",
	.picture = "--panels spacetime,idle-causes",
	.symptom = true,
	.find = find_serial_step,
};
