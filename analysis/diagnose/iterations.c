/* SPDX-License-Identifier: GPL-3.0-or-later */
/* iterations.c -- the finding about joins. */
#include "analysis/core/means.h"
#include "analysis/core/statistics.h"
#include "analysis/diagnose/evidence.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* Places in the order of the graph: each node, the last node that depends on it, the first one on which it depends. */
struct places {
	uint32_t *of, *after, *before;
};

static struct places list_places(const struct tv_dag *dag)
{
	struct places p = { tv_alloc(dag->n, sizeof *p.of), tv_alloc(dag->n, sizeof *p.after),
			    tv_alloc(dag->n, sizeof *p.before) };

	for (uint32_t i = 0; i < dag->n; i++) {
		uint32_t v = dag->order[i];

		p.of[v] = p.before[i] = i;
		for (uint32_t k = dag->first[v]; k < dag->first[v + 1]; k++) {
			uint32_t at = p.of[dag->pred[k]];

			p.before[i] = at < p.before[i] ? at : p.before[i];
			p.after[at] = i;
		}
	}
	return p;
}

/* By place: whether all nodes before it lead to it, and it leads to all after it; nodes that are no tasks and have no edges do not
 * count. Free with tv_free. */
static bool *list_joins(const struct tv_dag *dag, const struct places *p)
{
	bool *join = tv_alloc(dag->n, sizeof *join);
	uint32_t reach = 0;

	for (uint32_t i = 0; i < dag->n; i++) {
		bool alone = p->after[i] == 0 && p->before[i] == i;

		join[i] = !alone && reach <= i;
		if (alone && !dag->task[dag->order[i]])
			continue;
		/* What leads nowhere does not lead to a later one. */
		if (p->after[i] == 0)
			reach = dag->n;
		else if (p->after[i] > reach)
			reach = p->after[i];
	}
	reach = dag->n + 1; /* a place + 1; 0 = what needs nothing comes after */
	for (uint32_t k = 0; k < dag->n; k++) {
		uint32_t i = dag->n - 1 - k;
		bool alone = p->after[i] == 0 && p->before[i] == i;

		if (reach < i + 1)
			join[i] = false;
		if (alone && !dag->task[dag->order[i]])
			continue;
		if (p->before[i] == i)
			reach = 0;
		else if (p->before[i] + 1 < reach)
			reach = p->before[i] + 1;
	}
	return join;
}

/* What workers do nothing for before the joins, after their last task of the part that a join ends. */
struct idle_at_joins {
	uint32_t n, tasks;	/* parts; tasks in them */
	uint32_t joins, ghosts; /* each of them the end of a part or not; that are no tasks */
	uint32_t type;		/* of all of these: a label, TV_NONE = they have several */
	tv_int128 worker;
	long double time; /* priced */
};

/* The workers that ran tasks. */
struct used {
	uint32_t n;
	double price; /* of all together */
	int64_t *last,
		*at; /* by worker: its last End in the part that `at` names by its first place; -2: it is none of them */
	double *more; /* what its long tasks there took longer than others of their type, ns */
};

/* What an execution that took longer for a reason of its own (evidence.h) took beyond the mean of its type on its type of workers, ns. */
static double beyond_mean(const struct tv_case *c, uint32_t row)
{
	const struct tv_means *means = &tv_run_estimates(c->run)->means[0];
	uint32_t rtype = c->tasks->workers[c->tasks->worker[row]].rtype;

	if (c->class[tv_row_whole(c->tasks, row)] == TV_LATENESS_REST)
		return 0;
	return (double)tv_row_time(c->tasks, row)
	     - tv_mean(&means->pair[(size_t)means->type_of_row[row] * means->nrtypes + rtype]);
}

/* Adds the part at the places [from, to) whose first task can begin at `begin`, if its tasks need none of the part, and those of the
 * worker that ends last did not just take longer than others: for half of what workers wait on average. Returns its end. */
static int64_t add_part(const struct tv_case *c, const struct tv_dag *dag, const struct places *p,
			uint32_t from, uint32_t to, int64_t begin, struct used *used,
			struct idle_at_joins *idle)
{
	const struct tv_tasks *tasks = c->tasks;
	int64_t end = begin;
	tv_int128 busy = 0;
	long double priced = 0;
	double wait;
	uint32_t n = 0, last = TV_NONE;
	bool flat = true;

	for (uint32_t i = from; i < to; i++) {
		uint32_t v = dag->order[i], row = dag->row[v], w = tasks->worker[row];
		int64_t done;

		if (!dag->timed[v] || !tasks->counted[row])
			continue;
		n++;
		flat = flat && (p->before[i] == i || p->before[i] < from);
		if (last == TV_NONE || dag->end[v] > end) {
			end = dag->end[v] > end ? dag->end[v] : end;
			last = row;
		}
		if (used->at[w] == -2)
			continue;
		if (used->at[w] != (int64_t)from) {
			used->at[w] = from;
			used->last[w] = begin;
			used->more[w] = 0;
		}
		used->more[w] += beyond_mean(c, row);
		done = dag->end[v] - used->last[w];
		if (done <= 0)
			continue;
		used->last[w] += done;
		busy += done;
		priced += (long double)c->account.type[tasks->workers[w].rtype].price * done;
	}
	if (n < 2 || !flat || used->n == 0)
		return end;
	wait = (double)(end - begin) - (double)busy / used->n;
	if (wait <= 0 || used->more[tasks->worker[last]] > wait / 2)
		return end;
	idle->n++;
	idle->tasks += n;
	idle->worker += (tv_int128)used->n * (end - begin) - busy;
	idle->time += (long double)used->price * (end - begin) - priced;
	return end;
}

/* Whether the program waits and then submits more: that is a barrier. */
static bool is_wait(const struct tv_dag *dag, uint32_t v)
{
	return !dag->task[v] && dag->awaited != NULL && dag->awaited[v];
}

static struct idle_at_joins find_idle_at_joins(const struct tv_case *c, const struct tv_dag *dag)
{
	const struct tv_tasks *tasks = c->tasks;
	struct idle_at_joins idle = { .type = TV_NONE }, at_waits = { 0 };
	struct used used = { .last = tv_alloc(tasks->nworkers, sizeof *used.last),
			     .at = tv_alloc(tasks->nworkers, sizeof *used.at),
			     .more = tv_alloc(tasks->nworkers, sizeof *used.more) };
	struct places p = list_places(dag);
	bool *join = list_joins(dag, &p);
	int64_t begin = tasks->begin;
	uint32_t typed = 0;

	for (uint32_t w = 0; w < tasks->nworkers; w++)
		used.at[w] = -2;
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && used.at[tasks->worker[row]] == -2
		    && (c->absences.is == NULL || c->absences.is[tasks->worker[row]] == 0)) {
			used.at[tasks->worker[row]] = -1;
			used.price +=
				c->account.type[tasks->workers[tasks->worker[row]].rtype].price;
			used.n++;
		}
	for (uint32_t i = 0, from = 0; i < dag->n; i++) {
		uint32_t v = dag->order[i];
		bool waits = is_wait(dag, v);

		if (!join[i])
			continue;
		begin = add_part(c, dag, &p, from, i, begin, &used, waits ? &at_waits : &idle);
		from = i + 1;
		idle.joins += i > 0 && !waits;
		idle.ghosts += !waits && !dag->task[v];
		if (!dag->timed[v] || !tasks->counted[dag->row[v]])
			continue;
		if (i > 0 && typed++ == 0)
			idle.type = tasks->value[dag->row[v]];
		else if (i > 0 && idle.type != tasks->value[dag->row[v]])
			idle.type = TV_NONE;
		begin = dag->end[v] > begin ? dag->end[v] : begin;
	}
	tv_free(used.last);
	tv_free(used.at);
	tv_free(used.more);
	tv_free(p.of);
	tv_free(p.after);
	tv_free(p.before);
	tv_free(join);
	return idle;
}

bool *tv_case_joins(const struct tv_dag *dag)
{
	struct places p = list_places(dag);
	bool *at = list_joins(dag, &p), *join = tv_alloc(dag->n, sizeof *join);

	for (uint32_t i = 0; i < dag->n; i++)
		join[dag->order[i]] = at[i] && i > 0 && !is_wait(dag, dag->order[i]);
	tv_free(p.of);
	tv_free(p.after);
	tv_free(p.before);
	tv_free(at);
	return join;
}

static int find_joins(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_dag *dag;
	struct idle_at_joins idle;
	char worker[TV_WORDS_OF_ALL], type[128];

	if (c->account.cpe < 0 || tv_tasks_cut(c->tasks))
		return 0;
	dag = tv_run_dag(c->run, err);
	if (dag == NULL)
		return -1;
	idle = find_idle_at_joins(c, dag);
	found->time_ns = (int64_t)idle.time;
	found->worker_ns = tv_sum_ns(idle.worker);
	found->holds = idle.n >= 3 && found->time_ns >= c->min_ns && found->time_ns > 0;
	if (!found->holds)
		return 0;
	tv_clean_text(type, sizeof type,
		      idle.type == TV_NONE || idle.ghosts > 0
			      ? ""
			      : tv_pool_text(c->tasks->pool, idle.type));
	found->text = tv_format(
		"%u %s%s%s are joins: each waits for all tasks before it, and all later ones "
		"wait for it. Before %u of them workers waited for the last of %u tasks on "
		"average: %s.",
		idle.joins, idle.ghosts > 0 ? "nodes of the graph" : "tasks",
		type[0] != '\0' ? " of type " : "", type, idle.n,
		(idle.tasks + idle.n / 2) / idle.n, tv_words_of_all(worker, c, found->worker_ns));
	found->command = tv_case_verb(c, "idle-causes", "--by culprit");
	return 0;
}

const struct tv_rule tv_rule_joins = {
	.id = "joins",
	.title = "tasks between joins do not keep all workers busy",
	.condition =
		"three times or more, two tasks or more that do not depend on each other all end "
		"before a task that needs all before it and that all after it need, and idle time "
		"before such tasks costs 1 % of the makespan; not before waits of the program "
		"after which it submits more (barriers), nor where half of that is what tasks "
		"of the worker that ends last, long for a reason of their own (a slow worker, a "
		"disturbance, more work, ...), took longer than the mean of their type",
	.measures =
		"time of workers from their last task before such a task to the end of the last "
		"one of all workers",
	.action = "Make a number of equal tasks that is a multiple of the number of workers, or "
		  "smaller tasks, or let the next ones depend only on those that they need.",
	.picture = "--panels spacetime,ready",
	.without = TV_WITHOUT_JOINS,
	.schedule = true,
	.find = find_joins,
};
