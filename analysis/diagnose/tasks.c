/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tasks.c -- findings about the durations of tasks. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "analysis/core/lateness.h"
#include "analysis/core/spans.h"
#include "analysis/core/worker_words.h"
#include "analysis/diagnose/evidence.h"
#include "trace/map.h"
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
static char *outliers_text(uint32_t n, uint32_t all, const char *more, bool much)
{
	char *which = tv_words_outliers(n, all);
	char *text = tv_format(
		"%u %s took %slonger than others of %s type%s, %s more than the mean of the "
		"others%s, with the same work.",
		n, n == 1 ? "task" : "tasks", much ? "much " : "", n == 1 ? "its" : "their", which,
		more, n == 1 ? "" : ", together");

	tv_free(which);
	return text;
}

static int find_outliers(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_table *marks = tv_run_pass(c->run, "outliers", NULL, err);
	const uint8_t *class = marks == NULL ? NULL : tv_case_classes(c->run, err);
	char worker[32], *task;
	uint32_t n, jumped = 0, longest = TV_NONE;
	tv_int128 time = 0;
	bool much;

	if (class == NULL)
		return -1;
	for (uint32_t row = 0; row < c->tasks->n; row++) {
		if (class[row] != TV_LATENESS_OUTLIER || !c->tasks->counted[row])
			continue;
		time += tv_row_begins(c->tasks, row) ? tv_task_time(c->tasks, row) : 0;
		jumped += tv_case_in_jump(c, row);
		if (longest == TV_NONE
		    || tv_task_time(c->tasks, row) > tv_task_time(c->tasks, longest))
			longest = row;
	}
	n = tv_case_measure_class(c, class, TV_LATENESS_OUTLIER, found);
	if (!found->holds)
		return 0;
	/* Half as long again as the others, on average. */
	much = 2 * found->worker_ns >= time - found->worker_ns;
	found->text = outliers_text(n, count_outliers(c, tv_table_find(marks, "Outlier")),
				    tv_words_time(worker, found->worker_ns), much);
	if (!much)
		found->title = tv_strdup("some tasks take longer than others with the same work");
	task = tv_words_task(c, longest);
	tv_append(&found->text, " %s is %s.", n == 1 ? "It" : "The longest", task);
	tv_free(task);
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

/* Workers with tasks of the class of slow ones. Free with tv_free. */
static bool *list_slow(const struct tv_case *c)
{
	const struct tv_tasks *tasks = c->tasks;
	bool *slow = tv_alloc(tasks->nworkers, sizeof *slow);

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && c->class[row] == TV_LATENESS_SLOW_WORKER)
			slow[tasks->worker[row]] = true;
	return slow;
}

/* Whether a row of deviating-resources is about a member, all task types together, that has slow workers. */
static bool is_slow_member(const struct tv_case *c, const bool *slow, const struct tv_table *table,
			   uint32_t row)
{
	const char *scope = tv_table_text(table, "Scope", row);
	uint32_t member = tv_label(tv_table_find(table, "Member"), row);
	bool worker = strcmp(scope, "worker") == 0, node = strcmp(scope, "node") == 0;

	if (!tv_missing(tv_table_find(table, "Median"), row)
	    || tv_table_find(table, "Ratio")->d[row] <= 1)
		return false;
	if (!worker && !node)
		return tv_is_slow(table, row);
	/* A worker may be slow by evidence alone (evidence.h), with too few tasks for the test. */
	for (uint32_t w = 0; w < c->tasks->nworkers; w++)
		if (slow[w]
		    && (worker ? c->tasks->workers[w].resource
			       : c->tasks->node[c->tasks->workers[w].node].label)
			       == member)
			return worker || tv_is_slow(table, row);
	return false;
}

/* The slowest such member; TV_NONE = none. *n: how many of its scope, as a worker and its device may both be members. */
static uint32_t slowest(const struct tv_case *c, const struct tv_table *table, uint32_t *n)
{
	const struct tv_column *ratio = tv_table_find(table, "Ratio"),
			       *scope = tv_table_find(table, "Scope");
	bool *slow = list_slow(c);
	uint32_t best = TV_NONE;

	for (uint32_t row = 0; row < table->nrows; row++)
		if (is_slow_member(c, slow, table, row)
		    && (best == TV_NONE || ratio->d[row] > ratio->d[best]))
			best = row;
	*n = 0;
	for (uint32_t row = 0; row < table->nrows && best != TV_NONE; row++)
		*n += is_slow_member(c, slow, table, row)
		   && tv_label(scope, row) == tv_label(scope, best);
	tv_free(slow);
	return best;
}

/* " It was busy for 4.7 s, the others for 2.1 s on average." of a worker; "" of another scope. busy: by
 * worker. */
static char *busy_text(const struct tv_case *c, const char *scope, uint32_t member,
		       const struct tv_column *busy)
{
	const struct tv_tasks *tasks = c->tasks;
	tv_int128 own = 0, others = 0;
	uint32_t rtype = TV_NONE, n = 0;
	char time[2][32];

	for (uint32_t w = 0; w < tasks->nworkers; w++)
		if (tasks->workers[w].resource == member)
			rtype = tasks->workers[w].rtype;
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		if (tasks->workers[w].rtype == rtype) {
			*(tasks->workers[w].resource == member ? &own : &others) += busy->i[w];
			n++;
		}
	if (strcmp(scope, "worker") != 0 || n < 2
	    || fabsl((long double)own * (n - 1) - (long double)others)
		       < 0.05L * (long double)others)
		return tv_strdup("");
	return tv_format(" It was busy for %s, the others for %s on average.",
			 tv_words_time(time[0], tv_sum_ns(own)),
			 tv_words_time(time[1], tv_sum_ns(others / (n - 1))));
}

/* The column of tasks that has the name of a worker. */
static const char *column_of(const struct tv_case *c, uint32_t worker)
{
	uint32_t w = 0;

	while (w + 1 < c->tasks->nworkers && c->tasks->workers[w].resource != worker)
		w++;
	return c->tasks->workers[w].shared ? "Device" : "ResourceId";
}

/* A worker, or a node, that is slow for a time. */
struct slow_time {
	uint32_t worker, node; /* TV_NONE = there is none; if not TV_NONE, the node is */
	uint32_t n, all;       /* its tasks that are slow then; all of them */
	int64_t begin, end;
};

/* That of the only worker with tasks of the class of slow ones, or of their only node, if others of its tasks are not, but before or
 * after them, and half of these at most are long. */
static struct slow_time find_slow_time(const struct tv_case *c)
{
	const struct tv_tasks *tasks = c->tasks;
	struct slow_time slow = { TV_NONE, TV_NONE, 0, 0, INT64_MAX, INT64_MIN };
	uint32_t all = 0, longs = 0;

	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t w = tasks->worker[row];

		if (!tasks->counted[row] || c->class[row] != TV_LATENESS_SLOW_WORKER)
			continue;
		if (slow.worker != TV_NONE && slow.worker != w) {
			slow.node = tasks->workers[w].node;
			if (slow.node != tasks->workers[slow.worker].node || tasks->nnodes < 2)
				return (struct slow_time){ .worker = TV_NONE };
		}
		slow.worker = w;
		slow.begin = tasks->start[row] < slow.begin ? tasks->start[row] : slow.begin;
		slow.end = tasks->end[row] > slow.end ? tasks->end[row] : slow.end;
		slow.n++;
	}
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row]
		    && (slow.node != TV_NONE ? tasks->workers[tasks->worker[row]].node == slow.node
					     : tasks->worker[row] == slow.worker)) {
			bool in = tasks->start[row] >= slow.begin && tasks->end[row] <= slow.end;

			all++;
			slow.all += in;
			longs += !in
			      && (c->class[row] == TV_LATENESS_OUTLIER
				  || tv_is_unequal(c->class[row]));
		}
	if (slow.n >= 0.9 * all || slow.n < 0.9 * slow.all || 2 * longs > all - slow.all)
		slow.worker = TV_NONE;
	return slow;
}

static void describe_slow_time(const struct tv_case *c, const struct slow_time *slow,
			       struct tv_found *found)
{
	const struct tv_tasks *tasks = c->tasks;
	bool node = slow->node != TV_NONE, last = slow->end >= tasks->finish - c->min_ns;
	uint32_t resource = tasks->workers[slow->worker].resource;
	const char *name = tv_pool_text(tasks->pool,
					node ? tasks->node[slow->node].label : resource),
		   *kind = node ? "node" : "worker";
	char clean[64], from[32], length[32], more[32], of[32] = "";

	if (slow->n < slow->all)
		snprintf(of, sizeof of, "%u of ", slow->n);
	tv_clean_text(clean, sizeof clean, name);
	found->title = tv_format("%s %s is slower than the others for a time", kind, clean);
	found->text = tv_format(
		"From %s on, %s%s, %sthe %u tasks on %s %s took %s longer in all than others of "
		"their type.",
		tv_words_time(from, slow->begin), last ? "up to the end" : "for ",
		last ? "" : tv_words_time(length, slow->end - slow->begin), of, slow->all, kind,
		clean, tv_words_time(more, found->worker_ns));
	found->picture = tv_case_highlight_during(node ? "Node" : column_of(c, resource), name,
						  slow->begin, slow->end);
	found->command = tv_case_plot(c, "slow-worker", "--panels spacetime", slow->begin,
				      slow->end);
}

/* Measures the tasks of slow workers; if they lacked a processor for half of what they took longer, that is the cause. */
static void measure_slow(const struct tv_case *c, struct tv_found *found)
{
	bool *slow = list_slow(c);
	double without = 0;

	tv_case_measure_class(c, c->class, TV_LATENESS_SLOW_WORKER, found);
	for (uint32_t w = 0; w < c->tasks->nworkers; w++)
		without += slow[w] ? tv_case_starved(c, w) : 0;
	found->see = 2 * without >= (double)found->worker_ns ? "preempted" : NULL;
	tv_free(slow);
}

/* Of a device the advice about threads does not fit. */
static const char *slow_action(const char *rtype)
{
	return tv_is_processor(rtype) && strcasecmp(rtype, "CPU") != 0
		     ? "Check its clock, its temperature, its limit of power, its link to the host "
		       "and what else uses it."
		     : NULL;
}

static int find_slow_worker(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_table *table = tv_run_slow(c->run, err), *idleness;
	char member[64], scope[16], rtype[64], workers[TV_WORKER_WORDS], more[40] = "", *busy;
	struct slow_time slow = find_slow_time(c);
	uint32_t row, n;
	bool worker;

	if (table == NULL)
		return -1;
	row = slowest(c, table, &n);
	if (slow.worker != TV_NONE) {
		measure_slow(c, found);
		found->action = slow_action(
			tv_pool_text(c->tasks->pool,
				     c->tasks->rtype[c->tasks->workers[slow.worker].rtype].label));
		if (found->holds)
			describe_slow_time(c, &slow, found);
		return 0;
	}
	if (row == TV_NONE)
		return 0;
	idleness = tv_run_pass(c->run, "idleness", NULL, err);
	if (idleness == NULL)
		return -1;
	measure_slow(c, found);
	if (!found->holds)
		return 0;
	tv_clean_text(member, sizeof member, tv_table_text(table, "Member", row));
	tv_clean_text(scope, sizeof scope, tv_table_text(table, "Scope", row));
	tv_clean_text(rtype, sizeof rtype, tv_table_text(table, "ResourceType", row));
	found->action = slow_action(rtype);
	found->title = tv_format("%s %s is slower than the others", scope, member);
	busy = busy_text(c, scope, tv_label(tv_table_find(table, "Member"), row),
			 tv_table_find(idleness, "Busy"));
	if (n > 1)
		snprintf(more, sizeof more, ", and %u more %s slow", n - 1, n == 2 ? "is" : "are");
	worker = strcmp(scope, "worker") == 0;
	tv_words_workers(workers, rtype, false);
	found->text = tv_format("Tasks on %s%s%s %s take %.2f times as long as on other %s%s.%s",
				worker ? "" : workers, worker ? "" : " of ", scope, member,
				tv_table_find(table, "Ratio")->d[row], workers, more, busy);
	tv_free(busy);
	tv_case_doubt_slow_rank(c, found);
	if (worker)
		found->picture = tv_case_highlight(
			column_of(c, tv_label(tv_table_find(table, "Member"), row)),
			tv_table_text(table, "Member", row), NULL, NULL);
	/* What is slow by evidence alone is not in what the test reports. */
	found->command = tv_case_verb(c, "deviating-resources",
				      tv_is_slow(table, row) ? "--slow" : "--where 'Ratio >= 1.5'");
	return 0;
}

const struct tv_rule tv_rule_slow_worker = {
	.id = "slow-worker",
	.title = "a worker, device or node is slower than the others",
	.condition = "deviating-resources reports one that is slower at all task types together (Z "
		     "of 4, or of 3 with a ratio of 1.5), or nearly all tasks of a worker, or of a "
		     "node, and of no other, are outliers, or three quarters of its tasks for a "
		     "time are a fifth longer than usual, which by chance would come once in "
		     "100 runs; by 1 % of the makespan",
	.measures =
		"WorkerTime: time of the tasks on such workers above the mean of the others of "
		"their type, without those that are outliers among the worker's own; Measure: the "
		"same times the price of the workers",
	.action = "Check its clock, its temperature and what else runs there: the thread that "
		  "submits, the one for MPI, another program.",
	.how = "Give other threads a core of their own, and bind all threads.",
	.in.starpu = "STARPU_RESERVE_NCPU, STARPU_MAIN_THREAD_BIND=1, STARPU_MPI_THREAD_CPUID, "
		     "STARPU_WORKERS_CPUID",
	.in.openmp = TV_BIND_THREADS,
	.picture = "--panels spacetime,durations",
	.without = TV_WITHOUT_SLOW_WORKER,
	.see = "critical-section", /* where they contain its waits */
	.durations = true,
	.find = find_slow_worker,
};

/* A time in which workers are slow at once. */
struct slow_time_of_all {
	struct tv_span span;
	uint32_t node;	 /* label, TV_NONE = of all nodes */
	int64_t workers; /* that are slow then */
	uint32_t others; /* more such times; those of nodes within one of all count once */
};

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

/* The time in which all tasks are long; else that of the disturbance with the most excess. */
static struct slow_time_of_all find_worst(const struct tv_case *c, const struct tv_table *table)
{
	const struct tv_column *start = tv_table_find(table, "Start"),
			       *end = tv_table_find(table, "End"),
			       *excess = tv_table_find(table, "Excess");
	struct tv_span *span = tv_alloc(table->nrows + 1, sizeof *span);
	struct slow_time_of_all worst = { tv_case_slow_period(c->run), TV_NONE, 0, 0 };
	uint32_t most = 0;

	for (uint32_t row = 0; row < table->nrows; row++) {
		span[row] = (struct tv_span){ start->i[row], end->i[row] };
		most = excess->i[row] > excess->i[most] ? row : most;
	}
	span[table->nrows] = worst.span;
	if (worst.span.end > worst.span.begin) {
		worst.workers = count_slow(c, worst.span);
	} else {
		worst.span = span[most];
		worst.node = tv_label(tv_table_find(table, "Node"), most);
		worst.workers = tv_table_find(table, "Workers")->i[most];
	}
	worst.others = tv_spans_merge(span, table->nrows + 1,
				      (struct tv_span){ INT64_MIN, INT64_MAX })
		     - 1;
	tv_free(span);
	return worst;
}

/* What that is, how many there are, what all of them cost. */
static char *disturbance_text(const struct tv_case *c, const struct slow_time_of_all *worst,
			      int64_t excess_ns)
{
	char length[32], at[32], excess[32], node[64];
	bool all = worst->node == TV_NONE;
	char *when, *text;

	when = worst->others == 0
		     ? tv_strdup("Tasks then took")
		     : tv_format("There %s %u more such %s; in all of them together tasks took",
				 worst->others == 1 ? "is" : "are", worst->others,
				 worst->others == 1 ? "time" : "times");
	text = tv_format(
		"From %s on, for %s, %lld workers%s%s were slow at once. %s %s longer than the "
		"mean of others of their type.",
		tv_words_time(at, worst->span.begin),
		tv_words_time(length, worst->span.end - worst->span.begin),
		(long long)worst->workers, all ? "" : " of node ",
		all ? ""
		    : tv_clean_text(node, sizeof node, tv_pool_text(c->tasks->pool, worst->node)),
		when, tv_words_time(excess, excess_ns));
	tv_free(when);
	return text;
}

/* " Most of these tasks are of type gemm."; "" where no type has more than half of them. */
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
	return tv_format(" %s of these tasks are of type %s.", most == n ? "All" : "Most",
			 tv_clean_text(name, sizeof name, tv_pool_text(tasks->pool, type)));
}

static int find_disturbance(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_table *table = tv_run_pass(c->run, "disturbances", NULL, err);
	struct slow_time_of_all worst;
	char *type;

	if (table == NULL)
		return -1;
	tv_case_measure_class(c, c->class, TV_LATENESS_DISTURBANCE, found);
	if (!found->holds)
		return 0;
	worst = find_worst(c, table);
	found->text = disturbance_text(c, &worst, found->worker_ns);
	type = disturbed_type(c);
	tv_append(&found->text, "%s", type);
	tv_free(type);
	if (!tv_case_measured(c, "GFlop") && !tv_case_measured(c, "Size")
	    && !tv_case_measured(c, "Footprint") && !tv_case_measured(c, "task-clock"))
		tv_append(&found->text, " The trace does not show whether they had more work.");
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
	.title = "many workers are slow at the same time",
	.condition =
		"disturbances reports a time with more outliers than chance explains; its "
		"tasks, for all that is known, have no more work than others, whose durations "
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
	char text[2][32], type[128];

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
	found->holds = true;
	found->time_ns = time;
	found->worker_ns = worker;
	found->text = tv_format(
		"Before each task workers wait %s on average for the runtime; a task takes "
		"%s. Most tasks are of type %s.",
		tv_words_time(text[0], llround(each)), tv_words_time(text[1], llround(mean)),
		commonest(c->tasks, type));
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
