/* SPDX-License-Identifier: GPL-3.0-or-later */
/* path.c -- findings about the critical path. */
#include <string.h>

#include "analysis/core/lateness.h"
#include "analysis/diagnose/evidence.h"
#include "trace/map.h"
#include "trace/text.h"

static bool has_graph(const struct tv_case *c)
{
	return c->account.cpe >= 0;
}

/* The task type with most of the time of the longest chain; how much of that has tasks of slow workers, and long tasks. */
static uint32_t chain_type(const struct tv_case *c, const struct tv_dag *dag, int64_t *slow,
			   int64_t *longs)
{
	int64_t *weight = tv_alloc(c->tasks->n, sizeof *weight);
	tv_int128 most;
	uint32_t type;

	*slow = *longs = 0;
	for (uint32_t i = 0; i < c->longest.n; i++) {
		uint32_t v = c->longest.node[i], row = dag->row[v];
		int64_t time = dag->end[v] - dag->start[v];

		weight[row] = time;
		if (c->class[row] == TV_LATENESS_SLOW_WORKER)
			*slow += time;
		if (tv_is_unequal(c->class[row]))
			*longs += time;
	}
	type = tv_type_with_most(c->tasks, weight, &most);
	tv_free(weight);
	return type;
}

/* The datum for which most tasks of the longest chain wait for the one before: four fifths of them, or TV_NONE. *most: how
 * many. Cost O(their accesses). */
static uint32_t chain_datum(const struct tv_case *c, const struct tv_dag *dag, uint32_t *most)
{
	const struct tv_table *table = &c->run->trace->table[TV_TASKS];
	const struct tv_column *handles = tv_table_find(table, "Handles"),
			       *modes = tv_table_find(table, "Modes");
	struct use {
		uint32_t step,
			n; /* the last task that uses it, from 1; how many used what the one before left */
		bool writes; /* that one */
	} *use = tv_alloc(tv_pool_count(c->tasks->pool), sizeof *use);
	uint32_t best = TV_NONE;

	*most = 0;
	for (uint32_t i = 0; handles != NULL && modes != NULL && i < c->longest.n; i++) {
		uint32_t row = dag->row[c->longest.node[i]], n, nmodes;
		const uint32_t *handle = tv_list(handles, row, &n),
			       *mode = tv_list(modes, row, &nmodes);

		for (uint32_t k = 0; k < n && k < nmodes; k++) {
			struct use *u = &use[handle[k]];
			bool writes = strchr(tv_pool_text(c->tasks->pool, mode[k]), 'W') != NULL;

			u->n += i > 0 && u->step == i && (u->writes || writes);
			u->writes = writes || (u->step == i + 1 && u->writes);
			u->step = i + 1;
			if (u->n > *most) {
				*most = u->n;
				best = handle[k];
			}
		}
	}
	tv_free(use);
	return 5 * (uint64_t)*most >= 4 * (uint64_t)(c->longest.n - 1) ? best : TV_NONE;
}

/* What the longest task takes where all workers are of one type, ns; else 0: on others it may take less. */
static int64_t longest_task(const struct tv_case *c)
{
	int64_t most = 0;

	for (uint32_t row = 0; row < c->tasks->n && c->account.ntypes == 1; row++)
		if (c->tasks->counted[row] && tv_row_begins(c->tasks, row)
		    && tv_task_time(c->tasks, row) > most)
			most = tv_task_time(c->tasks, row);
	return most;
}

/* What is behind the chain: its datum, n times, unless that is TV_NONE; and what bounds the run without it. */
static void add_behind(const struct tv_case *c, uint32_t datum, uint32_t n, const char *without,
		       char **text)
{
	int64_t area = c->account.area, longest = c->longest.n > 1 ? longest_task(c) : 0;
	int64_t next = c->exclusive > area ? c->exclusive : area;
	char time[32];

	if (datum != TV_NONE) {
		char *name = tv_words_datum(c, datum);

		tv_append(text, " %u of them wait%s for the datum %s.", n, n == 1 ? "s" : "", name);
		tv_free(name);
	}
	tv_append(text, " Even if %s, the run takes %s or more, %s.", without,
		  tv_words_time(time, longest > next ? longest : next),
		  longest > next	 ? "the time of the longest of all tasks"
		  : next == c->exclusive ? "as tasks exclude each other"
					 : "the time with all workers busy");
}

static bool is_of_one_type(const struct tv_case *c, const struct tv_dag *dag)
{
	const uint32_t *value = c->tasks->value, *node = c->longest.node;
	uint32_t i = 0;

	while (i < c->longest.n && value[dag->row[node[i]]] == value[dag->row[node[0]]])
		i++;
	return i == c->longest.n;
}

/* How often a job that is no team ran; 1 of one that is. */
static uint32_t count_executions(const struct tv_dag *dag, uint32_t node)
{
	uint32_t n = 0;

	if (dag->nrepeated == 0)
		return 1;
	for (uint32_t row = 0; row < dag->tasks->n; row++)
		n += dag->node_of_row[row] == node && dag->tasks->executed[row];
	return n;
}

/* Of a chain that is one task alone. */
struct single {
	uint32_t executions,
		tasks; /* of its job, one after the other; that take 95 % of its time or more, it among them */
};

/* How many executions take 95 % of that time or more. */
static uint32_t count_as_long(const struct tv_tasks *tasks, int64_t time)
{
	uint32_t n = 0;

	for (uint32_t row = 0; row < tasks->n; row++)
		n += tasks->counted[row] && tv_row_begins(tasks, row)
		  && (double)tv_task_time(tasks, row) >= 0.95 * (double)time;
	return n;
}

static char *chain_text(const struct tv_case *c, const struct tv_dag *dag, uint32_t type,
			const struct single *single)
{
	double share = 100 * (double)c->longest.recorded / (double)c->account.makespan;
	char value[128], job[64] = "", path[32];

	tv_clean_text(value, sizeof value,
		      type == TV_NONE ? "?" : tv_pool_text(c->tasks->pool, type));
	tv_words_time(path, c->longest.recorded);
	if (c->longest.n > 1)
		return tv_format("The longest chain of tasks takes %s, %.0f %% of the run: %u "
				 "tasks%s of type %s, each of which needs the one before. More "
				 "workers or another order cannot make the run shorter than that.",
				 path, share, c->longest.n,
				 is_of_one_type(c, dag) ? "" : ", most of the time", value);
	if (c->tasks->job != NULL && tv_dag_job(dag, c->longest.node[0]) != TV_NONE)
		tv_clean_text(job, sizeof job,
			      tv_pool_text(c->tasks->pool, tv_dag_job(dag, c->longest.node[0])));
	if (single->executions > 1)
		return tv_format("The %u executions of job %s, type %s, take %s from the first "
				 "start to the last end, %.0f %% of the run, and count as one "
				 "task.",
				 single->executions, job, value, path, share);
	if (single->tasks > 1)
		return tv_format("%u tasks, the longest of type %s, take %s each (or up to 5 %% "
				 "less), %.0f %% of the run. More workers or another order cannot "
				 "make the run shorter than that.",
				 single->tasks, value, path, share);
	return tv_format("One task, %s%s%s, takes %s, %.0f %% of the run. More workers or another "
			 "order cannot "
			 "make the run shorter than that.",
			 value, job[0] != '\0' ? ", job " : "", job, path, share);
}

/* Title and advice where the chain is a task alone. */
static void advise_single(const struct single *single, struct tv_found *found)
{
	if (single->executions > 1) {
		found->title = tv_strdup("one job takes most of the run");
		found->see = "repeated-jobs";
		found->action = "If these executions are tasks of their own, give each a JobId of "
				"its own, or leave JobId out; else split the job.";
	} else if (single->tasks > 1) {
		found->title = tv_format("each of %u tasks takes most of the run", single->tasks);
		found->action = "Split these tasks, or use several threads in each of them.";
	} else {
		found->title = tv_strdup("one task takes most of the run");
		found->action = "Split this task, or use several threads in it.";
	}
}

bool tv_case_by_chain(const struct tv_case *c)
{
	return !c->waits_bind && (double)c->longest.placed > 1.02 * (double)c->account.area
	    && (double)c->longest.recorded <= 1.2 * (double)c->longest.placed;
}

static int find_serial(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	int64_t makespan = c->account.makespan, slow, longs;
	const struct tv_dag *dag;
	uint32_t type, datum, ndata;
	struct single single = { 0 };
	char *outside;

	if (tv_tasks_cut(c->tasks) || !tv_case_by_chain(c)
	    || (double)c->longest.placed < 0.8 * (double)makespan
	    || makespan - c->account.area < c->min_ns)
		return 0;
	dag = tv_run_dag(c->run, err);
	if (dag == NULL)
		return -1;
	type = chain_type(c, dag, &slow, &longs);
	if (2 * slow > c->longest.recorded)
		return 0;
	found->holds = true;
	/* Where the chain is nearly the run nothing else matters; else it is in the way of what other causes bring. */
	found->measure_ns = c->longest.placed - c->account.area;
	found->measure_is = TV_ABOVE_BOUND;
	found->at_most = makespan - c->longest.placed > makespan / 20;
	found->apart = !found->at_most || 2 * longs < c->longest.recorded;
	found->confidence = c->account.ntypes > 1 ? TV_ESTIMATE : TV_EXACT;
	if (c->longest.n == 1)
		single = (struct single){ count_executions(dag, c->longest.node[0]),
					  count_as_long(c->tasks, c->longest.recorded) };
	found->text = chain_text(c, dag, type, &single);
	datum = chain_datum(c, dag, &ndata);
	add_behind(c, datum, ndata,
		   c->longest.n > 1   ? "these tasks did not wait for each other"
		   : single.tasks > 1 ? "they are split"
				      : "it is split",
		   &found->text);
	outside = tv_case_outside(c);
	tv_append(&found->text, "%s", outside);
	tv_free(outside);
	if (c->longest.n == 1)
		advise_single(&single, found);
	else
		found->title = tv_format("a chain of %u tasks takes most of the run", c->longest.n);
	if (c->longest.n > 1 && datum != TV_NONE) {
		found->action =
			"Divide this datum, give each task its own copy if it only holds "
			"intermediate values, or let each worker sum up in a copy and add these up "
			"at the end (a reduction). Accesses in any order (commute, mutexinoutset) "
			"do "
			"not help: the tasks would still run one at a time.";
	}
	found->command = tv_case_verb(c, "critical-path", "--by type");
	return 0;
}

const struct tv_rule tv_rule_serial = {
	.id = "serial",
	.title = "one chain of tasks takes 80 % of the run or more",
	.condition = "the best-placed chain is 80 % of the makespan or more and above the area "
		     "bound, the "
		     "chain as recorded is at most 1.2 times as long and not most of it on slow "
		     "workers, and the "
		     "run is 1 % above the area bound",
	.measures = "Measure: best-placed chain - area bound",
	.action = "Shorten the chain: split its tasks (smaller tiles), use several threads in each "
		  "of them, or "
		  "remove dependencies.",
	.in.starpu = "STARPU_COMMUTE where order does not matter",
	.in.openmp = "mutexinoutset where order does not matter",
	.see = "unequal-tasks",
	.picture = "--panels spacetime --spacetime.observed both",
	.durations = true,
	.find = find_serial,
};

/* ---- the observed chain ---- */

/* Waits of a cause on it, in sum, and the task type with most of them after it. */
struct waits {
	int64_t time, most;
	uint32_t n, value; /* label */
};

static void sum_waits(const struct tv_table *path, const char *cause, struct waits *waits)
{
	struct tv_map place = { 0 };
	int64_t *sum = tv_alloc(path->nrows, sizeof *sum);
	uint32_t n = 0;

	*waits = (struct waits){ .value = TV_NONE };
	for (uint32_t row = 0; row + 1 < path->nrows; row++) {
		uint32_t value = tv_label(tv_table_find(path, "Value"), row + 1), *at;
		int64_t time = tv_table_find(path, "Duration")->i[row];

		if (strcmp(tv_table_text(path, "Part", row), "wait") != 0
		    || strcmp(tv_table_text(path, "Cause", row), cause) != 0)
			continue;
		at = tv_map_at(&place, value, 0);
		if (*at == TV_NONE)
			*at = n++;
		sum[*at] += time;
		waits->time += time;
		waits->n++;
		if (sum[*at] > waits->most) {
			waits->most = sum[*at];
			waits->value = value;
		}
	}
	tv_map_release(&place);
	tv_free(sum);
}

/* A finding about waits of a cause on the observed chain (follow NULL, the default, so that it is computed once), or on
 * that of dependencies alone. what: begins the sentence; most: what an end of these waits can bring, ns */
static int find_waits(struct tv_case *c, struct tv_found *found, const char *follow,
		      const char *cause, const char *what, const char *id, int64_t most,
		      struct tv_error *err)
{
	const struct tv_table *path;
	struct waits waits;
	char time[32], value[64] = "", *limit;

	if (!has_graph(c))
		return 0;
	path = tv_run_pass_with(c->run, "critical-path", err, "follow", follow, NULL);
	if (path == NULL)
		return -1;
	sum_waits(path, cause, &waits);
	if (waits.time < c->min_ns || waits.time == 0 || most < c->min_ns)
		return 0;
	found->holds = true;
	found->measure_ns = waits.time < most ? waits.time : most;
	found->at_most = true;
	if (waits.value != TV_NONE)
		tv_clean_text(value, sizeof value, tv_pool_text(path->pool, waits.value));
	limit = tv_words_limit(waits.time, most, strcmp(cause, "worker") == 0);
	tv_words_time(time, waits.time);
	found->text = waits.n == 1 ? tv_format("%s: %s, before %s.%s", what, time, value, limit)
				   : tv_format("%s: %s in %u places, the largest part before %s.%s",
					       what, time, waits.n, value, limit);
	tv_free(limit);
	found->command = tv_case_plot(c, id, "--panels spacetime --spacetime.observed both", 0, 0);
	return 0;
}

static int find_waits_for_others(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	int64_t less, most = tv_case_reordering(c);
	const struct tv_table *path;

	if (!has_graph(c) || most < c->min_ns)
		return 0;
	path = tv_run_pass_with(c->run, "critical-path", err, "follow", "deps", NULL);
	/* Before tasks that are as urgent, no order of them is better. */
	if (path == NULL || tv_case_less_urgent(c, path, &less, err) < 0)
		return -1;
	return find_waits(c, found, "deps", "worker",
			  "On the chain of dependencies to the last task, ready tasks wait, above "
			  "all while their worker runs others",
			  "critical-delays", less < most ? less : most, err);
}

static int find_critical_delays(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	int rc = find_waits_for_others(c, found, err);

	tv_urgency_release(c); /* no later finding needs it */
	return rc;
}

const struct tv_rule tv_rule_critical_delays = {
	.id = "critical-delays",
	.title = "tasks on the critical path start late",
	.condition = "on the chain of last dependencies that ends with the last task, released "
		     "tasks wait 1 % of the makespan for other tasks of their worker that have a "
		     "shorter path of tasks behind them, or an equal one and another type",
	.measures = "Measure: that time, up to what "
		    "another "
		    "order can bring: idle time "
		    "of the causes dependencies, elsewhere and drain (and runtime where several "
		    "nodes have no messages), and makespan - the larger of the bound of this "
		    "placement, area bound and best-placed chain",
	.action = "Give these tasks a higher priority, and use a scheduler that respects it.",
	.in.starpu = "STARPU_PRIORITY where they are inserted, with STARPU_SCHED=dmdas",
	.in.openmp = "the clause priority, and OMP_MAX_TASK_PRIORITY above 0",
	.see = "urgent-delays",
	.without = TV_WITHOUT_SCHEDULE,
	.find = find_critical_delays,
};

static int find_critical_transfers(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	return find_waits(c, found, NULL, "data",
			  "On the observed critical path tasks wait, above all for "
			  "transfers of their data",
			  "critical-transfers", c->account.makespan - c->best, err);
}

const struct tv_rule tv_rule_critical_transfers = {
	.id = "critical-transfers",
	.title = "transfers on the critical path",
	.condition = "on the observed critical path, tasks wait 1 % of the makespan for data",
	.measures = "Measure: the sum of the waits of which this is the largest part, up to "
		    "makespan - the larger of area bound and best-placed chain",
	.action = "Keep successive tasks of this path on one memory, or fetch their data early.",
	.in.starpu = "STARPU_SCHED=dmdas; STARPU_PREFETCH must not be 0",
	.see = "transfers",
	.without = TV_WITHOUT_TRANSFERS,
	.find = find_critical_transfers,
};

void tv_path_jobs(const struct tv_table *path, struct tv_map *jobs)
{
	for (uint32_t row = 0; row < path->nrows; row++)
		if (strcmp(tv_table_text(path, "Part", row), "task") == 0)
			tv_map_put(jobs, tv_label(tv_table_find(path, "JobId"), row), 0, row);
}

bool *tv_path_marks(const struct tv_table *path, const struct tv_pool *pool)
{
	const struct tv_column *job = tv_table_find(path, "JobId");
	bool *on = tv_alloc(tv_pool_count(pool), sizeof *on);

	for (uint32_t row = 0; row < path->nrows; row++)
		if (strcmp(tv_table_text(path, "Part", row), "task") == 0 && !tv_missing(job, row))
			on[tv_label(job, row)] = true;
	return on;
}

/* On the path there are `all` outliers; the finding is about n. */
static char *critical_text(uint32_t n, uint32_t all, const char *excess)
{
	char *others = tv_words_outliers(n, all);
	char *text = tv_format("%u %s on the observed critical path%s; %s by %s.", n,
			       n == 1 ? "outlier is" : "outliers are", others,
			       n == 1 ? "it exceeds its threshold"
				      : "together they exceed their thresholds",
			       excess);

	tv_free(others);
	return text;
}

static int find_critical_outliers(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_table *path, *marks;
	const struct tv_column *threshold, *outlier;
	struct tv_map jobs = { 0 };
	int64_t excess = 0;
	uint32_t n = 0, all = 0;
	const uint8_t *class;
	char time[32];

	if (!has_graph(c) || c->tasks->job == NULL)
		return 0;
	path = tv_run_pass(c->run, "critical-path", NULL, err);
	marks = path == NULL ? NULL : tv_run_pass(c->run, "outliers", NULL, err);
	class = marks == NULL ? NULL : tv_case_classes(c->run, err);
	if (class == NULL)
		return -1;
	threshold = tv_table_find(marks, "Threshold");
	outlier = tv_table_find(marks, "Outlier");
	tv_path_jobs(path, &jobs);
	for (uint32_t row = 0; row < c->tasks->n; row++)
		if (c->tasks->counted[row] && tv_row_begins(c->tasks, row)
		    && !tv_missing(outlier, row) && outlier->i[row] != 0
		    && tv_map_get(&jobs, c->tasks->job[row], 0) != NULL) {
			all++;
			if (class[row] != TV_LATENESS_OUTLIER || tv_missing(threshold, row))
				continue;
			n++;
			excess += tv_task_time(c->tasks, row) - threshold->i[row];
		}
	tv_map_release(&jobs);
	if (n == 0 || excess < c->min_ns)
		return 0;
	found->holds = true;
	found->measure_ns = excess;
	found->confidence = TV_STATISTICAL;
	found->measure_is = TV_EXCESS;
	found->text = critical_text(n, all, tv_words_time(time, excess));
	found->command = tv_case_plot(c, "critical-outliers",
				      "--panels spacetime --spacetime.observed both", 0, 0);
	return 0;
}

const struct tv_rule tv_rule_critical_outliers = {
	.id = "critical-outliers",
	.title = "outliers on the critical path",
	.condition =
		"outliers on the observed critical path exceed their thresholds by 1 % of the "
		"makespan, those left out that a slow worker, a disturbance or a wait explains",
	.measures = "Measure: the sum of their time above their thresholds",
	.action = "Find out why these tasks were slow: each of them made the run longer.",
	.see = "outliers",
	.without = TV_WITHOUT_OUTLIERS,
	.find = find_critical_outliers,
};
