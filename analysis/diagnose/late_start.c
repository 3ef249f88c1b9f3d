/* SPDX-License-Identifier: GPL-3.0-or-later */
/* late_start.c -- a finding about nodes that start late. */
#include "analysis/core/worker_words.h"
#include "analysis/diagnose/evidence.h"
#include "trace/text.h"

/* Parts of late-start in words: all of them, so that the largest is. */
enum late_part { LATE_MESSAGE, LATE_TASK, LATE_WAITING, LATE_DATA, LATE_SUBMISSION, NLATE_PARTS };
static const struct {
	enum late_part part;
	const char *column;
} late_columns[] = {
	{ LATE_MESSAGE, "UnsentTime" },	       { LATE_MESSAGE, "QueuedTime" },
	{ LATE_MESSAGE, "TransferTime" },      { LATE_TASK, "TaskTime" },
	{ LATE_WAITING, "WaitingTime" },       { LATE_DATA, "DataTime" },
	{ LATE_SUBMISSION, "SubmissionTime" },
};
static const char *const late_words[] = {
	[LATE_MESSAGE] = "spent on messages",
	[LATE_TASK] = "the time of tasks that had to run before",
	[LATE_WAITING] = "the time that ready tasks before them waited for workers",
	[LATE_DATA] = "the time that the data of tasks before them were transferred",
	[LATE_SUBMISSION] = "the time until tasks were submitted",
};
_Static_assert(TV_COUNT(late_words) == NLATE_PARTS, "every part has its words");

struct late {
	uint32_t nodes;
	int64_t last, worker;	  /* ns */
	long double time;	  /* priced */
	double part[NLATE_PARTS]; /* of the delays */
};

static int64_t cell(const struct tv_table *table, const char *column, uint32_t row)
{
	const struct tv_column *of = tv_table_find(table, column);

	return of == NULL || tv_missing(of, row) ? 0 : of->i[row];
}

static void add_node(const struct tv_case *c, const struct tv_table *table, uint32_t row,
		     struct late *late)
{
	int64_t delay = cell(table, "Delay", row);
	double price, most;
	uint32_t n = tv_case_workers(c, tv_label(tv_table_find(table, "Node"), row), &price, &most);

	if (delay < c->min_ns || delay == 0)
		return;
	late->nodes++;
	late->last = delay > late->last ? delay : late->last;
	late->worker = tv_sum_ns((tv_int128)late->worker + (tv_int128)delay * n);
	late->time += (long double)price * (long double)delay;
	for (size_t i = 0; i < TV_COUNT(late_columns); i++)
		late->part[late_columns[i].part] += (double)cell(table, late_columns[i].column,
								 row);
}

/* From the begin of the run until a while after the last node starts. */
static char *start_window(const struct tv_case *c, int64_t last)
{
	char from[TV_NUMBER_MAX], to[TV_NUMBER_MAX];
	int64_t after = last / 4 + 1, left = c->tasks->finish - c->tasks->begin - last;

	tv_write_ms(from, c->tasks->begin);
	tv_write_ms(to, c->tasks->begin + last + (after < left ? after : left));
	return tv_format(" --begin %s --end %s", from, to);
}

/* Whether a node may start late, which takes less time than why. */
static bool may_start_late(const struct tv_case *c)
{
	const struct tv_tasks *tasks = c->tasks;
	int64_t *first = tv_alloc(tasks->nnodes, sizeof *first);
	bool late = false;

	for (uint32_t node = 0; node < tasks->nnodes; node++)
		first[node] = INT64_MAX;
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row]) {
			int64_t *of = &first[tasks->workers[tasks->worker[row]].node];

			*of = tasks->start[row] < *of ? tasks->start[row] : *of;
		}
	for (uint32_t node = 0; node < tasks->nnodes; node++)
		late |= first[node] < INT64_MAX && first[node] - tasks->begin >= c->min_ns;
	tv_free(first);
	return late;
}

static int find_late_start(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	struct late late = { 0 };
	const struct tv_table *table;
	enum late_part largest = 0;
	char last[32], worker[TV_WORDS_OF_ALL];
	bool one;

	if (c->tasks->nnodes < 2 || !may_start_late(c))
		return 0;
	table = tv_run_pass(c->run, "late-start", NULL, err);
	if (table == NULL)
		return -1;
	for (uint32_t row = 0; row < table->nrows; row++)
		if (cell(table, "Step", row) == 0)
			add_node(c, table, row, &late);
	if (late.nodes == 0)
		return 0;
	for (enum late_part part = 1; part < NLATE_PARTS; part++)
		largest = late.part[part] > late.part[largest] ? part : largest;
	/* They may not have been submitted. */
	if (largest == LATE_WAITING && c->tasks->submit == NULL)
		return 0;
	/* What late-workers has is no matter of nodes. */
	if (2 * tv_absent_idle(&c->absences.of[TV_ABSENT_LATE]).time >= (double)late.time)
		return 0;
	found->holds = true;
	found->time_ns = (int64_t)late.time;
	found->worker_ns = late.worker;
	one = late.nodes == 1;
	found->text = tv_format(
		"%u of %u nodes start%s late, %s%s after the first; until then %s workers do "
		"nothing, for %s.",
		late.nodes, c->tasks->nnodes, one ? "s" : "", one ? "" : "the last one ",
		tv_words_time(last, late.last), one ? "its" : "their",
		tv_words_of_all(worker, c, late.worker));
	found->alone = late.part[largest] <= 0;
	if (found->alone) {
		tv_append(&found->text, " The trace does not show why.");
		found->action = "Find out whether the processes of these nodes began late, or "
				"their first tasks came late.";
	} else {
		tv_append(&found->text, " The largest part of this delay is %s.",
			  late_words[largest]);
	}
	found->apart = found->alone || largest != LATE_MESSAGE;
	found->picture = start_window(c, late.last);
	found->command = tv_case_verb(c, "late-start", "--chain");
	return 0;
}

const struct tv_rule tv_rule_late_start = {
	.id = "late-start",
	.title = "nodes start late",
	.condition =
		"the first task of a node starts later than 1 % of the makespan; not if tasks "
		"before it that seem ready wait most of this time, and submissions are not known, "
		"nor if late-workers has half of it",
	.measures = "time of the workers of these nodes before the first task of their node",
	.action = "Distribute the data so that each node has tasks that need no message, and "
		  "raise the priorities of the first tasks whose data are sent.",
	.how = "Let several nodes pass the same data on.",
	.in.starpu = "STARPU_MPI_COOP_SENDS; STARPU_MPI_PRIORITIES must not be 0",
	.see = "messages",
	.picture = "--panels spacetime,idle-causes",
	.without = TV_WITHOUT_MESSAGES,
	.find = find_late_start,
};
