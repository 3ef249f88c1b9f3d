/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tasks.c -- findings about the durations of tasks. */
#include <math.h>
#include <stdio.h>

#include "analysis/core/spans.h"
#include "analysis/diagnose/evidence.h"
#include "trace/text.h"

/* All outliers of the run, as the pass outliers and the legend of figures count them. */
static uint32_t count_outliers(const struct tv_case *c, const struct tv_column *outlier)
{
	uint32_t n = 0;

	for (uint32_t row = 0; row < c->tasks->n; row++)
		n += c->tasks->counted[row] && tv_row_begins(c->tasks, row)
		  && !tv_missing(outlier, row) && outlier->i[row] != 0;
	return n;
}

/* Of `all` outliers the finding is about n. */
static char *outliers_text(uint32_t n, uint32_t all, const char *more, bool much, bool measured)
{
	char *which = tv_words_outliers(n, all);
	char *text = tv_format(
		"%u %s took %slonger than others of %s type%s, %s more than the mean of the "
		"others%s%s.",
		n, n == 1 ? "task" : "tasks", much ? "much " : "", n == 1 ? "its" : "their", which,
		more, n == 1 ? "" : ", together", measured ? ", with the same work" : "");

	tv_free(which);
	return text;
}

static int find_outliers(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_table *marks = tv_run_pass(c->run, "outliers", NULL, err);
	const uint8_t *class = marks == NULL ? NULL : tv_case_classes(c->run, err);
	char worker[32], *task;
	uint32_t n, jumped = 0, longest = TV_NONE;
	bool much, measured = tv_case_knows_work(c);

	if (class == NULL)
		return -1;
	for (uint32_t row = 0; row < c->tasks->n; row++) {
		if (class[row] != TV_LATENESS_OUTLIER || !c->tasks->counted[row])
			continue;
		jumped += tv_case_in_jump(c, row);
		if (longest == TV_NONE
		    || tv_task_time(c->tasks, row) > tv_task_time(c->tasks, longest))
			longest = row;
	}
	n = tv_case_measure_class(c, class, TV_LATENESS_OUTLIER, found);
	if (!found->holds)
		return 0;
	much = tv_case_much_longer(c, class, TV_LATENESS_OUTLIER, TV_LATENESS_OUTLIER);
	found->text = outliers_text(n, count_outliers(c, tv_table_find(marks, "Outlier")),
				    tv_words_time(worker, found->worker_ns), much, measured);
	found->title = tv_format("some tasks take %slonger than others %s", much ? "much " : "",
				 measured ? "with the same work" : "of their type");
	if (!measured)
		found->action = "Look at when and where they ran, and whether they had more work.";
	task = tv_words_task(c, longest);
	tv_append(&found->text, " %s is %s.", n == 1 ? "It" : "The longest", task);
	tv_free(task);
	if (!measured)
		tv_append(&found->text,
			  " The trace does not show how much work %s had; others of %s type at "
			  "the same place of other iterations or phases are not long.",
			  n == 1 ? "it" : "they", n == 1 ? "its" : "their");
	if (2 * jumped > n)
		found->see = "changed-durations";
	if (tv_case_sleeps(c, class, TV_LATENESS_OUTLIER)) {
		tv_append(&found->text, " For more than half of their time they had no processor, "
					"after they gave it up themselves: they slept, or waited "
					"for a lock, a file or a device.");
		found->action = "Find out what these tasks wait for.";
	}
	found->command = tv_case_verb(c, "outliers", "--where 'Outlier == 1' --top 20");
	return 0;
}

const struct tv_rule tv_rule_outliers = {
	.id = "outliers",
	.title = "some tasks take much longer than others with the same work",
	.condition =
		"outliers that no slow worker, no disturbance and no wait explains, and that have "
		"no more "
		"work than others (GFlop, Footprint, task-clock, their place in iterations), take "
		"longer for 1 % of the makespan",
	.measures = "WorkerTime: their time above the mean of the others of their type, those of "
		    "slow workers and disturbances left out; Measure: the same times the price of "
		    "the workers",
	.action = "Look at when and where they ran.",
	.how = "Threads that move, and other programs on the machine, do that.",
	.in.starpu = "STARPU_WORKERS_CPUID",
	.in.openmp = TV_BIND_THREADS,
	.see = "preempted",
	.picture = "--panels spacetime,durations",
	.without = TV_WITHOUT_OUTLIERS,
	.durations = true,
	.find = find_outliers,
};

/* A time in which workers are slow at once. */
struct slow_time_of_all {
	struct tv_span span;
	uint32_t node;	 /* label, TV_NONE = of all nodes */
	int64_t workers; /* that are slow then */
	uint32_t others; /* more such times; those of nodes within one of all count once */
	int64_t excess; /* of the tasks of disturbances that run in one of these times, ns of workers */
};

/* The excess of the tasks of disturbances that run in one of n times. */
static int64_t excess_then(const struct tv_case *c, const struct tv_span *span, uint32_t n)
{
	const struct tv_tasks *tasks = c->tasks;
	uint8_t *class = tv_alloc(tasks->n, 1);
	int64_t excess;

	for (uint32_t row = 0; row < tasks->n; row++) {
		struct tv_span its = { tasks->start[row], tasks->end[row] };
		bool is = c->class[row] == TV_LATENESS_DISTURBANCE;

		class[row] = is && tv_spans_within(span, n, its) == 0 ? TV_UNKNOWN_WORK
								      : c->class[row];
	}
	excess = tv_case_excess(c, class, TV_LATENESS_DISTURBANCE).worker;
	tv_free(class);
	return excess;
}

/* Workers that run tasks of a disturbance then. */
static uint32_t count_slow(const struct tv_case *c, struct tv_span span)
{
	const struct tv_tasks *tasks = c->tasks;
	bool *slow = tv_alloc(tasks->nworkers, sizeof *slow);
	uint32_t n = 0;

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && c->class[row] == TV_LATENESS_DISTURBANCE
		    && tasks->start[row] < span.end && tasks->end[row] > span.begin) {
			n += !slow[tasks->worker[row]];
			slow[tasks->worker[row]] = true;
		}
	tv_free(slow);
	return n;
}

/* The time in which all tasks are long; else that of the disturbance with the most excess, of those that are believed. */
static struct slow_time_of_all find_worst(const struct tv_case *c, const struct tv_table *table,
					  const bool *believed)
{
	const struct tv_column *start = tv_table_find(table, "Start"),
			       *end = tv_table_find(table, "End"),
			       *excess = tv_table_find(table, "Excess");
	struct tv_span *span = tv_alloc(table->nrows + 1, sizeof *span);
	struct slow_time_of_all worst = { tv_case_slow_period(c->run), TV_NONE, 0, 0, 0 };
	uint32_t most = TV_NONE, n = 0;

	for (uint32_t row = 0; row < table->nrows; row++) {
		if (!believed[row])
			continue;
		span[n++] = (struct tv_span){ start->i[row], end->i[row] };
		most = most == TV_NONE || excess->i[row] > excess->i[most] ? row : most;
	}
	span[n++] = worst.span;
	if (worst.span.end > worst.span.begin || most == TV_NONE) {
		worst.workers = count_slow(c, worst.span);
	} else {
		worst.span = (struct tv_span){ start->i[most], end->i[most] };
		worst.node = tv_label(tv_table_find(table, "Node"), most);
		worst.workers = tv_table_find(table, "Workers")->i[most];
	}
	n = tv_spans_merge(span, n, (struct tv_span){ INT64_MIN, INT64_MAX });
	worst.others = n - 1;
	worst.excess = excess_then(c, span, n);
	tv_free(span);
	return worst;
}

/* How many workers of its node, or of all, have tasks. */
static uint32_t count_workers(const struct tv_tasks *tasks, const struct slow_time_of_all *worst)
{
	bool *has = tv_alloc(tasks->nworkers, sizeof *has);
	uint32_t n = 0;

	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t w = tasks->worker[row];

		if (!tasks->counted[row] || has[w]
		    || (worst->node != TV_NONE
			&& tasks->node[tasks->workers[w].node].label != worst->node))
			continue;
		has[w] = true;
		n++;
	}
	tv_free(has);
	return n;
}

/* What that is, how many there are, what all of them cost: excess_ns, with the outliers beside them. */
static char *disturbance_text(const struct tv_case *c, const struct slow_time_of_all *worst,
			      int64_t excess_ns)
{
	char length[32], at[TV_WORDS_INSTANT], excess[32], node[64];
	bool all = worst->node == TV_NONE;
	char *when, *text, *more;

	when = worst->others == 0
		     ? tv_strdup("Tasks then took")
		     : tv_format("There %s %u more such %s; in all of them together tasks took",
				 worst->others == 1 ? "is" : "are", worst->others,
				 worst->others == 1 ? "time" : "times");
	more = excess_ns == worst->excess
		     ? tv_strdup("")
		     : tv_format(", with long ones right before and after them %s",
				 tv_words_time(excess, excess_ns));
	text = tv_format(
		"From %s on, for %s, %lld of %u workers%s%s were slow at once. %s %s longer than "
		"the mean of others of their type%s.",
		tv_words_instant(at, c, worst->span.begin),
		tv_words_time(length, worst->span.end - worst->span.begin),
		(long long)worst->workers, count_workers(c->tasks, worst), all ? "" : " of node ",
		all ? ""
		    : tv_clean_text(node, sizeof node, tv_pool_text(c->tasks->pool, worst->node)),
		when, tv_words_time(excess, worst->excess), more);
	tv_free(when);
	tv_free(more);
	return text;
}

/* " More than half of these tasks are of type gemm."; "" where no type has more than half of them. */
static char *disturbed_type(const struct tv_case *c)
{
	const struct tv_tasks *tasks = c->tasks;
	int64_t *one = tv_alloc(tasks->n, sizeof *one);
	tv_int128 most;
	uint32_t type, n = 0;
	char name[128];

	for (uint32_t row = 0; row < tasks->n; row++) {
		one[row] = tasks->counted[row] && tv_row_begins(tasks, row)
			&& c->class[row] == TV_LATENESS_DISTURBANCE;
		n += one[row] != 0;
	}
	type = tv_type_with_most(tasks, one, &most);
	tv_free(one);
	if (type == TV_NONE || 2 * most <= n)
		return tv_strdup("");
	return tv_format(" %s of these tasks are of type %s.", most == n ? "All" : "More than half",
			 tv_clean_text(name, sizeof name, tv_pool_text(tasks->pool, type)));
}

static int find_disturbance(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_table *table = tv_run_pass(c->run, "disturbances", NULL, err);
	const bool *believed = table == NULL ? NULL : tv_run_disturbed(c->run, err);
	struct slow_time_of_all worst;
	char *type;

	if (believed == NULL)
		return -1;
	tv_case_measure_class(c, c->class, TV_LATENESS_DISTURBANCE, found);
	found->holds = found->holds && !tv_case_is_periodic(c);
	if (!found->holds)
		return 0;
	worst = find_worst(c, table, believed);
	found->text = disturbance_text(c, &worst, found->worker_ns);
	type = disturbed_type(c);
	tv_append(&found->text, "%s", type);
	tv_free(type);
	if (!tv_case_knows_work(c))
		tv_append(&found->text, " The trace does not show whether they had more work.");
	if (worst.span.begin <= c->tasks->begin)
		found->action =
			"The run begins with it: memory that is touched, and code that is loaded, "
			"for the first time takes longer. If that is not it, look for what the "
			"machine did then: other programs, reduced clocks, the network, a file "
			"system.";
	found->picture = tv_case_highlight_during(
		worst.node == TV_NONE ? NULL : "Node",
		worst.node == TV_NONE ? NULL : tv_pool_text(c->tasks->pool, worst.node),
		worst.span.begin, worst.span.end);
	found->command = tv_case_plot(c, "disturbance", "--panels spacetime", worst.span.begin,
				      worst.span.end);
	return 0;
}

const struct tv_rule tv_rule_disturbance = {
	.id = "disturbance",
	.title = "workers are slow at the same time",
	.condition =
		"disturbances reports a time with more outliers than chance explains, half of "
		"which would have met it, had they taken no longer than usual; its tasks, for all "
		"that is known, have no more work than others, whose durations "
		"vary by 25 % (SD over mean) at most; or, on half of the workers or more, after "
		"the first tasks, nine tenths of all tasks that start in a stretch of time take "
		"1.2 times the median of their type and 1.5 times on average, those of two types "
		"among them, and a tenth of the others at most; and they take longer for 1 % of "
		"the makespan",
	.measures =
		"WorkerTime: time of the tasks then above the mean of the others of their type, "
		"slow workers left out; Measure: the same times the price of the workers",
	.action = "Look for what the machine did then: other programs, reduced clocks, the "
		  "network, a file system.",
	.picture = "--panels spacetime",
	.without = TV_WITHOUT_DISTURBANCE,
	.see = "critical-section", /* where they contain its waits */
	.durations = true,
	.find = find_disturbance,
};

/* ---- overhead ---- */

/* The task type with the most executions, in words; out: 128 bytes. */
static const char *commonest(const struct tv_tasks *tasks, char out[128])
{
	int64_t *one = tv_alloc(tasks->n, sizeof *one);
	tv_int128 most;
	uint32_t type;

	for (uint32_t row = 0; row < tasks->n; row++)
		one[row] = tasks->counted[row];
	type = tv_type_with_most(tasks, one, &most);
	tv_free(one);
	return tv_clean_text(out, 128, type == TV_NONE ? "?" : tv_pool_text(tasks->pool, type));
}

static int find_fine_tasks(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	int64_t time, worker;
	double mean, each;
	char text[2][32], type[128], *hidden;

	if (tv_case_late_starts(c, &time, &worker, err) < 0)
		return -1;
	if (c->clocked.preempted >= 0.1 || c->shared)
		return 0; /* threads without a processor start tasks late */
	if (c->tasks->ncut == c->tasks->nexecutions)
		return 0; /* nobody knows how long a task takes */
	mean = tv_case_mean(c);
	each = (double)worker / c->tasks->nexecutions;
	if (time < c->min_ns || time == 0 || each < 0.1 * mean || tv_case_few_waits(c, worker)
	    || tv_case_waits_vary(c, worker, TV_VARIED))
		return 0;
	hidden = tv_case_hidden_waits(c, err);
	if (hidden == NULL)
		return -1;
	found->holds = true;
	found->time_ns = time;
	found->worker_ns = worker;
	c->overhead = llround(each);
	found->text = tv_format(
		"Before each task workers wait %s on average for the runtime; a task takes "
		"%s. Most tasks are of type %s.%s",
		tv_words_time(text[0], llround(each)), tv_words_time(text[1], llround(mean)),
		commonest(c->tasks, type), hidden);
	found->confidence = hidden[0] == '\0' ? TV_EXACT : TV_ESTIMATE;
	tv_free(hidden);
	found->command = tv_case_verb(c, "lifecycle-summary", "");
	return 0;
}

const struct tv_rule tv_rule_fine_tasks = {
	.id = "fine-tasks",
	.title = "tasks are too short for the runtime",
	.condition = "what runtime measures is 10 % of the time of tasks, and 1 % of the makespan, "
		     "and it is not mostly waits before few tasks, of more than 1 ms, or 20 times "
		     "as long as if all waited for the median",
	.measures = "what runtime measures",
	.action = "Check that threads and ranks do not share cores; else make tasks larger: larger "
		  "tiles, "
		  "several elements per task.",
	.in.openmp = "grainsize of taskloop, if or final for small tasks",
	.picture = "--panels spacetime,idle-causes",
	.without = TV_WITHOUT_GAPS,
	.find = find_fine_tasks,
};
