/* SPDX-License-Identifier: GPL-3.0-or-later */
/* urgent.c -- the finding that the most urgent released task waits while its worker runs others. */
#include <math.h>
#include <string.h>

#include "analysis/core/durations.h"
#include "analysis/core/slow_times.h"
#include "analysis/diagnose/findings.h"
#include "trace/map.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* How urgent each task is: the length of the longest path that begins with it. Ours; the same order is
 * that of the policy heft [Topcuoglu et al. 2002, upward rank, without communication]. */
struct tv_urgency {
	const struct tv_dag *dag;
	double *length; /* by node, ns: whole numbers, so that equal paths are equal */
	/* Rows of a worker by Start; latest: the last End up to each of them, ns; NULL: that is its own, as none ends
	 * after the next one. */
	struct tv_groups rows;
	int64_t *latest;
};

/* What the priorities say of a task that waits and the one that its worker runs. NEITHER: they are equal, or it ran already. */
enum order { AGAINST, NEITHER, RIGHT, NORDERS };

struct delay {
	const struct tv_tasks *tasks;
	const struct tv_column *priority; /* NULL = the trace has none */
	int64_t *released;		  /* by node, ns; NULL = not known */
	int64_t by_order[NORDERS];	  /* ns */
	const struct tv_urgency *urgency;
	const uint32_t *type_of_row;
	int64_t time, *waiting,
		*running; /* ns; by type of the task that waits, of what runs instead */
};

static int find_lengths(struct tv_urgency *urgency, struct tv_run *run,
			const struct tv_means *means, struct tv_error *err)
{
	const struct tv_dag *dag = urgency->dag;
	struct tv_duration_rule rule;
	struct tv_durations durations = { 0 };
	double *weight;
	int rc = tv_duration_rule_init(&rule, run, "mean", NULL, NULL, run->trace->pool, err);

	if (rc == 0)
		rc = tv_durations_init(&durations, &rule, &run->tasks, means, err);
	weight = tv_alloc(dag->n, sizeof *weight);
	if (rc == 0) {
		urgency->length = tv_alloc(dag->n, sizeof *urgency->length);
		tv_durations_weigh(&durations, means, dag, weight);
		for (uint32_t v = 0; v < dag->n; v++)
			weight[v] = floor(weight[v] + 0.5);
		tv_dag_around(dag, weight, NULL, urgency->length);
		for (uint32_t v = 0; v < dag->n; v++)
			urgency->length[v] += weight[v];
	}
	tv_free(weight);
	tv_durations_release(&durations);
	tv_duration_rule_release(&rule);
	return rc;
}

static bool ends_in_order(const struct tv_tasks *tasks, const struct tv_groups *rows)
{
	for (uint32_t w = 0; w < rows->n; w++)
		for (uint32_t i = rows->first[w]; i + 1 < rows->first[w + 1]; i++)
			if (tasks->end[rows->row[i]] > tasks->end[rows->row[i + 1]])
				return false;
	return true;
}

static void list_rows(struct tv_urgency *u, const struct tv_tasks *tasks)
{
	tv_tasks_by_start(tasks, tasks->counted, &u->rows);
	if (ends_in_order(tasks, &u->rows))
		return;
	u->latest = tv_alloc(tasks->n, sizeof *u->latest);
	for (uint32_t w = 0; w < u->rows.n; w++) {
		uint32_t first = u->rows.first[w], last = u->rows.first[w + 1];

		for (uint32_t i = first; i < last; i++) {
			int64_t end = tasks->end[u->rows.row[i]];

			u->latest[i] = i > first && u->latest[i - 1] > end ? u->latest[i - 1] : end;
		}
	}
}

static int64_t latest_end(const struct tv_urgency *u, const struct tv_tasks *tasks, uint32_t i)
{
	return u->latest != NULL ? u->latest[i] : tasks->end[u->rows.row[i]];
}

void tv_urgency_release(struct tv_case *c)
{
	struct tv_urgency *urgency = c->urgency;

	if (urgency == NULL)
		return;
	tv_free(urgency->length);
	tv_groups_release(&urgency->rows);
	tv_free(urgency->latest);
	tv_free(urgency);
	c->urgency = NULL;
}

/* That of the case, which is found once; NULL with *err. */
static const struct tv_urgency *urgency_of(struct tv_case *c, const struct tv_means *means,
					   struct tv_error *err)
{
	const struct tv_dag *dag = tv_run_dag(c->run, err);

	if (dag == NULL || c->urgency != NULL)
		return dag == NULL ? NULL : c->urgency;
	c->urgency = tv_alloc(1, sizeof *c->urgency);
	c->urgency->dag = dag;
	if (find_lengths(c->urgency, c->run, means, err) < 0) {
		tv_urgency_release(c);
		return NULL;
	}
	list_rows(c->urgency, c->tasks);
	return c->urgency;
}

/* Whether another task that runs first is as good as the node: it is more urgent, or as urgent and of the same type. */
static bool comes_first(const struct delay *delay, uint32_t other, uint32_t node)
{
	const struct tv_urgency *u = delay->urgency;
	double length = u->length[u->dag->node_of_row[other]];

	return length > u->length[node]
	    || (length == u->length[node]
		&& delay->type_of_row[other] == delay->type_of_row[u->dag->row[node]]);
}

static int64_t priority_of(const struct delay *delay, uint32_t row)
{
	return delay->priority == NULL || tv_missing(delay->priority, row)
		     ? 0
		     : delay->priority->i[row];
}

static enum order order_of(const struct delay *delay, uint32_t node, uint32_t other)
{
	int64_t waits = priority_of(delay, delay->urgency->dag->row[node]),
		runs = priority_of(delay, other);

	if (waits < runs)
		return AGAINST;
	return waits > runs && delay->released != NULL
			    && delay->tasks->start[other] > delay->released[node]
		     ? RIGHT
		     : NEITHER;
}

/* What a node waits in [begin, end) while its worker runs other tasks that need not come first. */
static void add_delay(struct delay *delay, uint32_t node, int64_t begin, int64_t end)
{
	const struct tv_urgency *t = delay->urgency;
	const struct tv_tasks *tasks = delay->tasks;
	uint32_t row = t->dag->row[node], worker = tasks->worker[row],
		 first = t->rows.first[worker];
	uint32_t n = tv_rows_started(tasks, &t->rows.row[first], t->rows.first[worker + 1] - first,
				     end - 1);

	for (uint32_t i = first + n;
	     i > first && latest_end(t, tasks, i - 1) > begin && end > begin; i--) {
		uint32_t other = t->rows.row[i - 1];
		int64_t from = tasks->start[other], to = tasks->end[other];

		from = from > begin ? from : begin;
		to = to < end ? to : end;
		if (to > from && !comes_first(delay, other, node)) {
			delay->time += to - from;
			delay->waiting[delay->type_of_row[row]] += to - from;
			delay->running[delay->type_of_row[other]] += to - from;
			delay->by_order[order_of(delay, node, other)] += to - from;
		}
		end = from < end ? from : end;
	}
}

/* ---- the sweep ---- */

/* From now until `until` nothing is released. front: released nodes that have not ended, the most urgent first. */
static void pass_time(struct tv_agenda *front, int64_t now, int64_t until, struct delay *delay)
{
	const struct tv_dag *dag = delay->urgency->dag;

	while (now < until && front->n > 0) {
		uint32_t v = tv_agenda_first(front)->of;
		int64_t next = dag->start[v] > now ? dag->start[v] : dag->end[v];

		next = next < until ? next : until;
		if (dag->start[v] > now)
			add_delay(delay, v, now, next);
		if (dag->end[v] <= next)
			tv_agenda_pop(front);
		now = next > now ? next : now;
	}
}

/* By node: its place in the order of starts, then nodes. Free with tv_free. */
static uint32_t *rank_by_start(const struct tv_dag *dag, uint32_t *node, uint32_t n)
{
	uint32_t *rank = tv_alloc(dag->n, sizeof *rank);

	tv_sort_rows_by_time(node, n, dag->start);
	for (uint32_t i = 0; i < n; i++)
		rank[node[i]] = i;
	return rank;
}

static void sweep(struct delay *delay)
{
	const struct tv_urgency *urgency = delay->urgency;
	const struct tv_dag *dag = urgency->dag;
	int64_t *released = delay->released = tv_alloc(dag->n, sizeof *released);
	uint32_t *node = tv_alloc(dag->n, sizeof *node), *rank, n = 0;
	struct tv_agenda front = { 0 };

	tv_dag_released(dag, released);
	for (uint32_t v = 0; v < dag->n; v++)
		if (dag->task[v] && dag->timed[v] && delay->tasks->counted[dag->row[v]]
		    && released[v] < dag->end[v]) {
			int64_t begin = delay->tasks->begin;

			node[n++] = v;
			released[v] = released[v] > begin ? released[v] : begin;
		}
	rank = rank_by_start(dag, node, n);
	/* Of equal times the smaller node. */
	tv_sort_rows_by_time(node, n, released);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t v = node[i];
		double length = fmin(urgency->length[v], 0x1p62);

		/* Of equally urgent ones the first that started, so that one that runs is not one that waits. */
		tv_agenda_push(&front, (struct tv_due){ -(int64_t)length, rank[v], v });
		pass_time(&front, released[v], i + 1 < n ? released[node[i + 1]] : INT64_MAX,
			  delay);
	}
	tv_free(node);
	tv_free(rank);
	tv_agenda_release(&front);
}

/* ---- a path ---- */

/* What tasks on a path wait for their worker while it runs others that need not come first. */
static void add_path(const struct tv_table *path, struct delay *delay)
{
	const struct tv_dag *dag = delay->urgency->dag;
	const struct tv_column *start = tv_table_find(path, "Start"),
			       *length = tv_table_find(path, "Duration");
	struct tv_map rows = { 0 };
	bool *on = tv_path_marks(path, delay->tasks->pool); /* most tasks are not */

	tv_path_jobs(path, &rows);
	for (uint32_t v = 0; v < dag->n; v++) {
		uint32_t job = tv_dag_job(dag, v);
		const uint32_t *row = dag->task[v] && (job == TV_NONE || on[job])
					    ? tv_map_get(&rows, job, 0)
					    : NULL;

		if (row != NULL && *row > 0 && dag->timed[v] && dag->start[v] == start->i[*row]
		    && tv_table_is(path, "Cause", *row - 1, "worker"))
			add_delay(delay, v, start->i[*row - 1],
				  start->i[*row - 1] + length->i[*row - 1]);
	}
	tv_map_release(&rows);
	tv_free(on);
}

/* ---- the finding ---- */

static uint32_t largest(const int64_t *time, uint32_t n)
{
	uint32_t max = 0;

	for (uint32_t i = 1; i < n; i++)
		max = time[i] > time[max] ? i : max;
	return max;
}

/* "dtrsm 60.1 ms, dsyrk 30.0 ms, other types 15.2 ms": the largest four and the rest; time is zeroed where it is
 * named. */
static char *name_types(const struct delay *delay, const struct tv_means *means)
{
	char *text = tv_strdup("");
	int64_t rest = delay->time;

	for (int k = 0; k < 4; k++) {
		uint32_t t = largest(delay->waiting, means->ntypes);
		char value[64] = "", time[32], *longer;

		if (delay->waiting[t] == 0)
			break;
		if (means->type[t] != TV_NONE)
			tv_clean_text(value, sizeof value,
				      tv_pool_text(delay->tasks->pool, means->type[t]));
		longer = tv_format("%s%s%s %s", text, k > 0 ? ", " : "", value,
				   tv_words_time(time, delay->waiting[t]));
		tv_free(text);
		text = longer;
		rest -= delay->waiting[t];
		delay->waiting[t] = 0;
	}
	if (rest > 0) {
		char time[32], *named = text;

		text = tv_format("%s, other types %s", named, tv_words_time(time, rest));
		tv_free(named);
	}
	return text;
}

/* Of the types that waited, the one that waited most and is not most of the run, whose outlines would show nothing;
 * a label, TV_NONE = none. */
static uint32_t to_outline(const struct delay *delay, const struct tv_means *means)
{
	uint32_t best = TV_NONE;

	for (uint32_t t = 0; t < means->ntypes; t++) {
		double tasks = 0;

		for (uint32_t r = 0; r < means->nrtypes; r++)
			tasks += means->pair[(size_t)t * means->nrtypes + r].tasks;
		if (delay->waiting[t] > 0 && 2 * tasks <= delay->tasks->ntasks
		    && (best == TV_NONE || delay->waiting[t] > delay->waiting[best]))
			best = t;
	}
	return best == TV_NONE ? TV_NONE : means->type[best];
}

/* "advance -5" or "advance -5 to 3": the priorities of the tasks of a type. */
static char *name_priorities(const struct delay *delay, const struct tv_means *means, uint32_t type)
{
	int64_t least = INT64_MAX, most = INT64_MIN;
	char name[64] = "", *text;

	for (uint32_t row = 0; row < delay->tasks->n; row++)
		if (delay->tasks->counted[row] && delay->type_of_row[row] == type) {
			int64_t priority = priority_of(delay, row);

			least = priority < least ? priority : least;
			most = priority > most ? priority : most;
		}
	if (means->type[type] != TV_NONE)
		tv_clean_text(name, sizeof name,
			      tv_pool_text(delay->tasks->pool, means->type[type]));
	text = tv_format("%s %lld", name, (long long)least);
	if (most > least)
		tv_append(&text, " to %lld", (long long)most);
	return text;
}

/* What priorities say of most of that time. To be called before time is named. */
static void judge_priorities(const struct delay *delay, const struct tv_means *means,
			     struct tv_found *found)
{
	uint32_t waits = largest(delay->waiting, means->ntypes),
		 runs = largest(delay->running, means->ntypes);
	bool against = 2 * delay->by_order[AGAINST] > delay->time;
	char *own, *other, time[32];

	if (!against && 2 * delay->by_order[RIGHT] <= delay->time)
		return;
	own = name_priorities(delay, means, waits);
	other = waits != runs ? name_priorities(delay, means, runs) : NULL;
	found->action = against ? "Raise the priorities of what waited: give each task one that "
				  "grows with the path of tasks behind it."
				: "Use a scheduler that respects priorities: most of them are as "
				  "they should be.";
	found->switches = true;
	tv_append(&found->text,
		  against ? " For %s of this the waiting task had the lower priority (%s%s%s)."
			  : " For %s of this the waiting task had the higher priority (%s%s%s), "
			    "and was ready before the other one started.",
		  tv_words_time(time, delay->by_order[against ? AGAINST : RIGHT]), own,
		  other != NULL ? ", " : "", other != NULL ? other : "");
	tv_free(own);
	tv_free(other);
}

static void write_text(struct delay *delay, const struct tv_means *means, int64_t most,
		       struct tv_found *found)
{
	uint32_t instead = means->type[largest(delay->running, means->ntypes)];
	uint32_t type = to_outline(delay, means);
	char time[32], other[64] = "", *types, *limit = tv_words_limit(delay->time, most, true);

	if (instead != TV_NONE)
		tv_clean_text(other, sizeof other, tv_pool_text(delay->tasks->pool, instead));
	found->text = tv_format(
		"The most urgent ready task, the one with the longest path of tasks behind it, "
		"waited while its worker ran others, above all %s; %s in sum.",
		other, tv_words_time(time, delay->time));
	judge_priorities(delay, means, found);
	types = name_types(delay, means);
	tv_append(&found->text, " What waited: %s.%s", types, limit);
	if (type != TV_NONE)
		found->picture = tv_case_highlight("Value", tv_pool_text(delay->tasks->pool, type),
						   NULL, NULL);
	tv_free(types);
	tv_free(limit);
}

/* Fills in *delay, which the caller releases: of the most urgent tasks; with a path (a table of critical-path), of its tasks in
 * waits for their worker. */
static int measure(struct tv_case *c, const struct tv_table *path, struct delay *delay,
		   struct tv_error *err)
{
	const struct tv_means *means = &tv_run_estimates(c->run)->means[0];

	*delay = (struct delay){ .tasks = c->tasks,
				 .priority = tv_table_find(&c->tasks->trace->table[TV_TASKS],
							   "Priority"),
				 .type_of_row = means->type_of_row };
	delay->urgency = urgency_of(c, means, err);
	if (delay->urgency == NULL)
		return -1;
	delay->waiting = tv_alloc(means->ntypes, sizeof *delay->waiting);
	delay->running = tv_alloc(means->ntypes, sizeof *delay->running);
	if (path != NULL)
		add_path(path, delay);
	else
		sweep(delay);
	return 0;
}

static void delay_release(struct delay *delay)
{
	tv_free(delay->released);
	tv_free(delay->waiting);
	tv_free(delay->running);
}

int tv_case_less_urgent(struct tv_case *c, const struct tv_table *path, int64_t *time_ns,
			struct tv_error *err)
{
	struct delay delay;
	int rc = measure(c, path, &delay, err);

	*time_ns = delay.time;
	delay_release(&delay);
	return rc;
}

static int find_urgent_delays(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	int64_t most = tv_case_reordering(c);
	struct delay delay;
	int rc;

	if (c->account.cpe < 0 || most < c->min_ns)
		return 0;
	/* critical-delays needs it, too: not while the case keeps how urgent tasks are, which is as much memory. */
	if (tv_run_pass_with(c->run, "critical-path", err, "follow", "deps", NULL) == NULL)
		return -1;
	/* This takes the most memory, and findings behind it rarely need them. */
	tv_forget_relative_durations(c->run);
	rc = measure(c, NULL, &delay, err);
	if (rc == 0 && delay.time >= c->min_ns && delay.time > 0) {
		found->holds = true;
		found->confidence = TV_ESTIMATE;
		found->measure_ns = delay.time < most ? delay.time : most;
		found->at_most = true;
		write_text(&delay, &tv_run_estimates(c->run)->means[0], most, found);
	}
	delay_release(&delay);
	return rc;
}

const struct tv_rule tv_rule_urgent_delays = {
	.id = "urgent-delays",
	.title = "the most urgent tasks start late",
	.condition = "for 1 % of the makespan, of all released tasks that have not ended the one "
		     "with the longest path of tasks behind it, by mean durations, waits while its "
		     "worker runs another task",
	.measures = "Measure: that time, up to the limit of critical-delays",
	.action =
		"Give each task a priority that grows with the path of tasks behind it, and use a "
		"scheduler that respects priorities.",
	.in.starpu = "STARPU_PRIORITY where they are inserted, with STARPU_SCHED=prio or dmdas",
	.in.openmp = "the clause priority, and OMP_MAX_TASK_PRIORITY above 0",
	.picture = "--panels spacetime --spacetime.observed both",
	.without = TV_WITHOUT_SCHEDULE,
	.find = find_urgent_delays,
};
