/* SPDX-License-Identifier: GPL-3.0-or-later */
/* steps.c -- the finding about serial steps: one task runs, and all others wait for it. */
#include <string.h>

#include "analysis/diagnose/evidence.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* Calls add for each time in which a task was the only one that ran, and for each that several did: row TV_NONE. Cost O(rows). */
static void sweep(const struct tv_tasks *tasks,
		  void (*add)(void *to, const struct tv_tasks *tasks, uint32_t row, int64_t time),
		  void *to)
{
	uint32_t *begin = tv_alloc(tasks->ncounted, sizeof *begin), *end, n = 0, begun = 0,
		 ended = 0;
	uint64_t rows = 0; /* the sum of those that run: of one task its row */
	int64_t since = 0;

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && tasks->start[row] < tasks->end[row])
			begin[n++] = row;
	end = tv_alloc(n, sizeof *end);
	memcpy(end, begin, n * sizeof *end);
	tv_sort_rows_by_time(begin, n, tasks->start);
	tv_sort_rows_by_time(end, n, tasks->end);
	while (ended < n) {
		/* At one instant ends come first. */
		bool begins = begun < n && tasks->start[begin[begun]] < tasks->end[end[ended]];
		uint32_t row = begins ? begin[begun] : end[ended];
		int64_t now = begins ? tasks->start[row] : tasks->end[row];

		if (begun > ended && now > since)
			add(to, tasks, begun - ended == 1 ? (uint32_t)rows : TV_NONE, now - since);
		since = now;
		begun += begins;
		ended += !begins;
		rows += begins ? row : (uint64_t)0 - row;
	}
	tv_free(begin);
	tv_free(end);
}

struct chosen {
	const uint8_t *rows;
	uint32_t last;
	struct tv_alone alone;
};

static void add_chosen(void *to, const struct tv_tasks *tasks, uint32_t row, int64_t time)
{
	struct chosen *chosen = to;

	(void)tasks;
	if (row == TV_NONE || !chosen->rows[row])
		return;
	chosen->alone.n += chosen->last != row;
	chosen->last = row;
	chosen->alone.time += time;
}

struct tv_alone tv_tasks_alone(const struct tv_tasks *tasks, const uint8_t *rows)
{
	struct chosen chosen = { .rows = rows, .last = TV_NONE };

	sweep(tasks, add_chosen, &chosen);
	return chosen.alone;
}

/* ---- by type ---- */

/* When tasks of a type were the only ones that ran. */
struct step {
	uint32_t type;
	int64_t time;
	int64_t longs; /* of that, those that are long (evidence.h) */
	uint32_t n;    /* executions */
	uint32_t last; /* row of the one that was seen last */
	/* Serial: those alone for nearly all of their time, each after several tasks had run at once. */
	int64_t all, serial; /* time of all its executions, of these */
	uint32_t nserial;
};

struct steps {
	const uint8_t *class; /* by row that begins an execution */
	bool several;	      /* since the last serial task several ran at once */
	struct step *at;
	size_t n, cap;
	struct tv_map place; /* by type */
};

static struct step *step_of(struct steps *steps, uint32_t type)
{
	uint32_t *at = tv_map_at(&steps->place, type, 0);

	if (*at == TV_NONE) {
		TV_GROW(steps->at, steps->n, steps->cap, 1);
		steps->at[steps->n] = (struct step){ .type = type, .last = TV_NONE };
		*at = (uint32_t)steps->n++;
	}
	return &steps->at[*at];
}

static void add_step(void *to, const struct tv_tasks *tasks, uint32_t row, int64_t alone)
{
	struct steps *steps = to;
	struct step *step;
	int64_t time;

	steps->several = steps->several || row == TV_NONE;
	if (row == TV_NONE)
		return;
	step = step_of(steps, tasks->value[row]);
	time = tasks->end[row] - tasks->start[row];
	step->n += step->last != row;
	step->last = row;
	step->time += alone;
	step->longs += tv_is_unequal(steps->class[tv_row_whole(tasks, row)]) ? alone : 0;
	if (steps->several && (double)alone >= 0.95 * (double)time) {
		step->serial += time;
		step->nserial++;
		steps->several = false;
	}
}

static void release_steps(void *kept)
{
	struct steps *steps = kept;

	tv_free(steps->at);
	tv_map_release(&steps->place);
	tv_free(steps);
}

/* Those of the run, which keeps them. */
static const struct steps *find_steps(const struct tv_case *c)
{
	static const char key;
	const struct tv_tasks *tasks = c->tasks;
	struct steps *steps = tv_run_kept(c->run, &key);

	if (steps != NULL)
		return steps;
	steps = tv_alloc(1, sizeof *steps);
	steps->class = c->class;
	sweep(tasks, add_step, steps);
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row])
			step_of(steps, tasks->value[row])->all += tasks->end[row]
								- tasks->start[row];
	tv_run_keep(c->run, &key, steps, release_steps);
	return steps;
}

/* Whether a type has three serial tasks, and little time beside others. */
static bool is_serial(const struct step *step)
{
	return step->nserial >= 3 && (double)step->serial >= 0.8 * (double)step->all;
}

/* That with the most time of serial tasks; NULL = none. */
static const struct step *serial_step(const struct steps *steps)
{
	const struct step *best = NULL;

	for (size_t i = 0; i < steps->n; i++) {
		const struct step *step = &steps->at[i];

		if (is_serial(step) && (best == NULL || step->serial > best->serial))
			best = step;
	}
	return best;
}

uint32_t tv_case_serial_type(const struct tv_case *c)
{
	const struct step *step = serial_step(find_steps(c));

	return step == NULL || step->serial < 5 * c->min_ns ? TV_NONE : step->type;
}

/* The type for which workers waited longest, by dependencies: its row, TV_NONE = there is none. One of serial tasks comes before another one
 * that has up to twice as much, which may be the last of tasks that ran beside each other (joins). */
static uint32_t find_awaited(const struct tv_table *table, const struct steps *steps)
{
	const struct tv_column *priced = tv_table_find(table, "Priced");
	uint32_t most = TV_NONE, serial = TV_NONE;

	for (uint32_t row = 0; row < table->nrows; row++) {
		const uint32_t *at = tv_map_get(&steps->place,
						tv_label(tv_table_find(table, "Value"), row), 0);

		if (!tv_table_is(table, "Cause", row, "dependencies")
		    || !tv_table_is(table, "Culprit", row, "task") || tv_missing(priced, row))
			continue;
		if (most == TV_NONE || priced->i[row] > priced->i[most])
			most = row;
		if (at != NULL && is_serial(&steps->at[*at])
		    && (serial == TV_NONE || priced->i[row] > priced->i[serial]))
			serial = row;
	}
	return serial != TV_NONE && 2 * priced->i[serial] >= priced->i[most] ? serial : most;
}

/* Whether tasks of a type were for long enough the only ones that ran. */
static bool is_long(const struct tv_case *c, const struct step *step)
{
	return step->time >= 5 * c->min_ns;
}

static bool any_long(const struct tv_case *c, const struct steps *steps)
{
	size_t i = 0;

	while (i < steps->n && !is_long(c, &steps->at[i]))
		i++;
	return i < steps->n;
}

/* By dependencies: workers wait for tasks of one type, and one of these often is the only one that runs. */
static int find_by_waits(const struct tv_case *c, const struct steps *steps, struct tv_found *found,
			 const struct step **step, struct tv_error *err)
{
	const struct tv_table *table;
	const uint32_t *at;
	uint32_t row;

	/* Most runs have no such type, and culprits cost more than most other passes. */
	if (tv_table_find(&c->tasks->trace->table[TV_TASKS], "DependsOn") == NULL
	    || !any_long(c, steps))
		return 0;
	table = tv_run_pass_with(c->run, "idle-causes", err, "by", "culprit", "each", "type", NULL);
	if (table == NULL)
		return -1;
	row = find_awaited(table, steps);
	at = row == TV_NONE
		   ? NULL
		   : tv_map_get(&steps->place, tv_label(tv_table_find(table, "Value"), row), 0);
	if (at == NULL)
		return 0;
	found->time_ns = tv_number(tv_table_find(table, "Priced"), row);
	found->worker_ns = tv_number(tv_table_find(table, "Time"), row);
	found->holds = 2 * found->time_ns >= c->account.makespan - c->best
		    && found->time_ns >= 2 * c->min_ns && is_long(c, &steps->at[*at]);
	*step = &steps->at[*at];
	return 0;
}

/* By time alone: the others start when it ends. */
static void find_by_time(const struct tv_case *c, const struct steps *steps, struct tv_found *found,
			 const struct step **step)
{
	*step = serial_step(steps);
	if (*step == NULL || (*step)->serial < 5 * c->min_ns)
		return;
	found->holds = true;
	found->time_ns = TV_UNKNOWN;
	found->worker_ns = (*step)->serial * (c->tasks->nworkers - 1);
	found->measure_ns = found->worker_ns / c->tasks->nworkers;
	found->at_most = true;
	found->confidence = TV_ESTIMATE;
}

static void write_text(const struct tv_case *c, const struct step *step, struct tv_found *found)
{
	bool shown = !found->at_most; /* that workers waited */
	int64_t time = shown ? step->time : step->serial;
	uint32_t n = shown ? step->n : step->nserial;
	char alone[32], waited[TV_WORDS_OF_ALL], type[128];

	tv_clean_text(type, sizeof type,
		      step->type == TV_NONE ? "?" : tv_pool_text(c->tasks->pool, step->type));
	found->text = tv_format(
		"For %s, %.0f %% of the run, a task of type %s was the only one that ran",
		tv_words_time(alone, time), 100 * (double)time / (double)c->account.makespan, type);
	if (n > 1)
		tv_append(&found->text, ", %u times", n);
	tv_append(&found->text,
		  shown ? ". Workers waited for such tasks, on which others depend, for %s."
			: ". Before each of them several tasks ran at once; meanwhile the other "
			  "workers did nothing, for %s.",
		  tv_words_of_all(waited, c, found->worker_ns));
	if (c->tasks->depends == NULL || c->tasks->depends->nitems == 0)
		tv_append(&found->text, " The trace does not show that they waited for it.");
	if (2 * step->longs > step->time)
		found->see = "unequal-tasks";
	found->command = tv_case_verb(c, shown ? "idle-causes" : "summary",
				      shown ? "--by culprit" : "");
}

static void add_alone(void *to, const struct tv_tasks *tasks, uint32_t row, int64_t time)
{
	int64_t *alone = to;

	(void)tasks;
	if (row != TV_NONE)
		alone[row] += time;
}

int64_t *tv_case_alone(const struct tv_case *c)
{
	int64_t *alone = tv_alloc(c->tasks->n, sizeof *alone);

	sweep(c->tasks, add_alone, alone);
	return alone;
}

static int find_serial_step(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct step *step = NULL;
	const struct steps *steps;
	int rc;

	if (tv_tasks_cut(c->tasks) || c->tasks->nworkers < 2)
		return 0;
	steps = find_steps(c);
	rc = find_by_waits(c, steps, found, &step, err);
	if (rc == 0 && !found->holds)
		find_by_time(c, steps, found, &step);
	if (rc < 0 || !found->holds)
		return rc;
	c->step = step->type;
	/* A task that others of its type ran beside before is the last of a group (joins), one of a chain may have started late; nobody
	 * could have a part of it; or what comes next would run beside it if the program had not waited. */
	found->alone = !is_serial(step) || tv_case_peers(c, c->tasks->worker[step->last]) < 2
		    || tv_case_barriers(c).n > 0;
	write_text(c, step, found);
	return 0;
}

const struct tv_rule tv_rule_serial_step = {
	.id = "serial-step",
	.title = "workers wait for single tasks",
	.condition = "waits for tasks of one type, by dependencies, are half of what could be "
		     "saved and 2 % of "
		     "the makespan, and for 5 % of it such a task was the only one that ran; or "
		     "three tasks of a type or more ran alone, for 5 % of the makespan and four "
		     "fifths of the time of that type, each after several tasks at once",
	.measures = "idle time of the cause dependencies whose culprit is a task of that type; by "
		    "time alone Measure: the time in which such a task ran alone, for all workers "
		    "but one",
	.action = "Split these tasks, use several threads in them, or let what comes next depend "
		  "only on the "
		  "part that it needs.",
	.see = "serial",
	.picture = "--panels spacetime,idle-causes",
	.without = TV_WITHOUT_STEP,
	.symptom = true,
	.find = find_serial_step,
};
