/* SPDX-License-Identifier: GPL-3.0-or-later */
/* peers.c -- whether others ran tasks as those that were slow: without them nothing is known of their work. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/bounds/longest.h"
#include "analysis/core/lateness.h"
#include "analysis/core/slow_times.h"
#include "analysis/diagnose/judged.h"
#include "trace/alloc.h"
#include "trace/text.h"

struct peers {
	struct tv_evidence *e;
	struct tv_run *run;
	const struct tv_dag *dag;
	uint32_t *
		step; /* by node: how many come before it on the way with most nodes; NULL = not asked for yet */
};

static void find_steps(struct peers *p)
{
	const struct tv_dag *dag = p->dag;

	if (p->step != NULL)
		return;
	p->step = tv_alloc(dag->n, sizeof *p->step);
	for (uint32_t i = 0; i < dag->n; i++) {
		uint32_t v = dag->order[i];

		for (uint32_t k = dag->first[v]; k < dag->first[v + 1]; k++)
			if (p->step[dag->pred[k]] + 1 > p->step[v])
				p->step[v] = p->step[dag->pred[k]] + 1;
	}
}

/* The type and step of tasks that are not long, as keys. */
static struct tv_map usual_steps(struct peers *p)
{
	const struct tv_evidence *e = p->e;
	struct tv_map usual = { 0 };

	find_steps(p);
	for (uint32_t v = 0; v < p->dag->n; v++) {
		uint32_t row = p->dag->row[v];

		if (tv_evidence_whole(e->tasks, row) && e->class[row] == TV_LATENESS_REST)
			tv_map_put(&usual, e->tasks->value[row], p->step[v], 0);
	}
	return usual;
}

/* A worker whose tasks are those of the longest chain is not slow if nobody else ran such tasks, which may have more work: tasks of
 * their types with as many before them. */
static int judge_chain(struct peers *p, struct tv_error *err)
{
	struct tv_evidence *e = p->e;
	const struct tv_tasks *tasks = e->tasks;
	uint32_t *all, *alone;
	struct tv_longest longest;
	struct tv_map usual;

	if (tv_run_longest(&longest, p->run, NULL, err) < 0)
		return -1;
	all = tv_alloc(tasks->nworkers, sizeof *all);
	alone = tv_alloc(tasks->nworkers, sizeof *alone);
	usual = usual_steps(p);
	for (uint32_t i = 0; i < longest.n; i++) {
		uint32_t v = longest.node[i], row = p->dag->row[v];

		alone[tasks->worker[row]] += tasks->counted[row]
					  && tv_map_get(&usual, tasks->value[row], p->step[v])
						     == NULL;
	}
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row])
			all[tasks->worker[row]]++;
	for (uint32_t row = 0; row < tasks->n; row++)
		if (tv_evidence_whole(tasks, row) && e->class[row] == TV_LATENESS_SLOW_WORKER
		    && alone[tasks->worker[row]] >= 0.8 * all[tasks->worker[row]]
		    && tv_evidence_judge(e, row) != TV_LATENESS_OUTLIER)
			e->class[row] = TV_UNKNOWN_WORK;
	tv_map_release(&usual);
	tv_free(all);
	tv_free(alone);
	return 0;
}

/* ---- workers on which a type is slow ---- */

static void count(struct tv_map *map, uint32_t value)
{
	uint32_t *n = tv_map_at(map, value, 0);

	*n = *n == TV_NONE ? 1 : *n + 1;
}

/* Of a type half of whose slow tasks nobody else ran likewise, nothing is known: they may have more work. before: classes without slow types. */
static void take_back(struct peers *p, const uint8_t *before)
{
	struct tv_evidence *e = p->e;
	const struct tv_tasks *tasks = e->tasks;
	struct tv_map usual = usual_steps(p), all = { 0 }, peers = { 0 };

	for (uint32_t v = 0; v < p->dag->n; v++) {
		uint32_t row = p->dag->row[v], value = tasks->value[row];

		if (e->class[row] != TV_SLOW_THERE)
			continue;
		count(&all, value);
		if (tv_map_get(&usual, value, p->step[v]) != NULL)
			count(&peers, value);
	}
	for (uint32_t row = 0; row < tasks->n; row++)
		if (e->class[row] == TV_SLOW_THERE) {
			const uint32_t *n = tv_map_get(&peers, tasks->value[row], 0);

			if (n == NULL || 2 * *n <= *tv_map_get(&all, tasks->value[row], 0))
				e->class[row] = before[row];
		}
	tv_map_release(&usual);
	tv_map_release(&all);
	tv_map_release(&peers);
}

/* What takes longer on a worker that is slow for some task types alone. */
static int judge_types_of_workers(struct peers *p, struct tv_error *err)
{
	const struct tv_table *members = tv_run_slow(p->run, err);
	const struct tv_tasks *tasks = p->e->tasks;
	struct tv_map slow = { 0 }; /* resource and type */

	if (members == NULL)
		return -1;
	for (uint32_t row = 0; row < members->nrows; row++)
		if (tv_table_is(members, "Scope", row, "worker") && tv_is_slow_type(members, row))
			tv_map_put(&slow, tv_label(tv_table_find(members, "Member"), row),
				   tv_label(tv_table_find(members, "Value"), row), 0);
	for (uint32_t row = 0; row < tasks->n && slow.n > 0; row++)
		if (tv_evidence_whole(tasks, row)
		    && tv_map_get(&slow, tasks->workers[tasks->worker[row]].resource,
				  tasks->value[row])
			       != NULL)
			p->e->class[row] = TV_SLOW_THERE;
	tv_map_release(&slow);
	return 0;
}

enum { USUAL, BESIDE, THERE, NPARTS };

/* Where as many workers or more are slow, those with slow types (THERE) are, too, if what else these run (BESIDE) takes longer than tasks on
 * all other workers (USUAL) by half as much or more, on average: then it is not the type. */
static int join_slow_workers(struct tv_evidence *e, struct tv_run *run, struct tv_error *err)
{
	const struct tv_tasks *tasks = e->tasks;
	const double *relative = tv_relative_durations(run, err);
	uint8_t *of; /* by worker: the class of its slow tasks; TV_LATENESS_REST = it has none */
	double sum[NPARTS] = { 0 };
	uint32_t n[NPARTS] = { 0 }, slow = 0, there = 0;

	if (relative == NULL)
		return -1;
	of = tv_alloc(tasks->nworkers, sizeof *of);
	memset(of, TV_LATENESS_REST, tasks->nworkers);
	for (uint32_t row = 0; row < tasks->n; row++)
		if (relative[row] >= 0 && of[tasks->worker[row]] != TV_LATENESS_SLOW_WORKER
		    && (e->class[row] == TV_SLOW_THERE || e->class[row] == TV_LATENESS_SLOW_WORKER))
			of[tasks->worker[row]] = e->class[row];
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		slow += of[w] == TV_LATENESS_SLOW_WORKER;
		there += of[w] == TV_SLOW_THERE;
	}
	for (uint32_t row = 0; row < tasks->n; row++) {
		int part = relative[row] < 0			      ? NPARTS
			 : e->class[row] == TV_SLOW_THERE	      ? THERE
			 : of[tasks->worker[row]] == TV_SLOW_THERE    ? BESIDE
			 : of[tasks->worker[row]] == TV_LATENESS_REST ? USUAL
								      : NPARTS;

		if (part == NPARTS)
			continue;
		sum[part] += relative[row];
		n[part]++;
	}
	for (int part = 0; part < NPARTS; part++)
		sum[part] = n[part] == 0 ? NAN : sum[part] / n[part];
	for (uint32_t row = 0; there <= slow && row < tasks->n; row++)
		if (relative[row] >= 0 && of[tasks->worker[row]] == TV_SLOW_THERE
		    && (e->class[row] == TV_SLOW_THERE || e->class[row] == TV_LATENESS_REST)
		    && 2 * (sum[BESIDE] - sum[USUAL]) >= sum[THERE] - sum[USUAL])
			e->class[row] = TV_LATENESS_SLOW_WORKER;
	tv_free(of);
	return 0;
}

int tv_judge_by_peers(struct tv_evidence *e, struct tv_run *run, struct tv_error *err)
{
	struct peers p = { .e = e, .run = run, .dag = tv_run_dag(run, err) };
	uint32_t n = e->tasks->n;
	uint8_t *before;
	int rc = p.dag == NULL ? -1 : 0;

	if (rc == 0 && memchr(e->class, TV_LATENESS_SLOW_WORKER, n) != NULL)
		rc = judge_chain(&p, err);
	before = tv_alloc(n, sizeof *before);
	memcpy(before, e->class, n);
	if (rc == 0)
		rc = judge_types_of_workers(&p, err);
	if (rc == 0)
		rc = tv_judge_slow_types(run, e->class, err);
	if (rc == 0 && memchr(e->class, TV_SLOW_THERE, n) != NULL)
		take_back(&p, before);
	if (rc == 0 && memchr(e->class, TV_LATENESS_SLOW_WORKER, n) != NULL
	    && memchr(e->class, TV_SLOW_THERE, n) != NULL)
		rc = join_slow_workers(e, run, err);
	tv_free(before);
	tv_free(p.step);
	return rc;
}

/* ---- ranks of MPI ---- */

/* The rank (a label) whose workers, and no others, are slow; TV_NONE = there is none. */
static uint32_t slow_rank(const struct tv_case *c)
{
	const struct tv_tasks *tasks = c->tasks;
	bool *slow = tv_alloc(tasks->nworkers, sizeof *slow);
	uint32_t w, node = TV_NONE;

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && c->class[row] == TV_LATENESS_SLOW_WORKER)
			slow[tasks->worker[row]] = true;
	for (w = 0; w < tasks->nworkers && node == TV_NONE; w++)
		node = slow[w] ? tasks->workers[w].node : TV_NONE;
	for (w = 0; w < tasks->nworkers; w++)
		if (slow[w] != (tasks->workers[w].node == node))
			break;
	tv_free(slow);
	return node != TV_NONE && w == tasks->nworkers && tv_run_threads(c->run)->nranks > 1
		     ? tasks->node[node].label
		     : TV_NONE;
}

bool tv_case_doubt_slow_rank(const struct tv_case *c, struct tv_found *found)
{
	uint32_t rank = slow_rank(c);
	char name[64];

	if (rank == TV_NONE || tv_case_measured(c, "GFlop") || tv_case_measured(c, "Size"))
		return false;
	tv_free(found->title);
	found->title = tv_format(
		"tasks of node %s take longer than those of the others",
		tv_clean_text(name, sizeof name, tv_pool_text(c->tasks->pool, rank)));
	tv_append(&found->text, " How much work they have is not known: that of each rank may "
				"differ.");
	found->action = "If the tasks of this rank have more work, divide it evenly. If they have "
			"the same work, check what else runs there, its clock and its temperature.";
	return true;
}
