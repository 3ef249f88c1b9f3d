/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nodes.c -- findings that compare nodes. */
#include <math.h>

#include "analysis/core/means.h"
#include "analysis/diagnose/evidence.h"
#include "trace/text.h"

/* Whether a node, by its label, has half of its excess time or more as its workers are slow; *other: one of the others of whose tasks
 * half of the time is of slow workers, TV_NONE = none. */
static bool is_slow_node(const struct tv_case *c, uint32_t label, int64_t excess, uint32_t *other)
{
	const struct tv_tasks *tasks = c->tasks;
	tv_int128 *all = tv_alloc(tasks->nnodes, sizeof *all),
		  *slow = tv_alloc(tasks->nnodes, sizeof *slow);
	uint8_t *own = tv_alloc(tasks->n, sizeof *own);
	uint32_t workers = 0;
	int64_t longer;

	*other = TV_NONE;
	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t node;
		bool is;

		if (!tasks->counted[row])
			continue;
		node = tasks->workers[tasks->worker[row]].node;
		is = c->class[tv_row_whole(tasks, row)] == TV_LATENESS_SLOW_WORKER;
		all[node] += tv_row_time(tasks, row);
		slow[node] += is ? tv_row_time(tasks, row) : 0;
		own[row] = is && tasks->node[node].label != label ? TV_UNKNOWN_WORK : c->class[row];
	}
	for (uint32_t node = 0; node < tasks->nnodes; node++)
		if (2 * slow[node] > all[node] && tasks->node[node].label != label)
			*other = tasks->node[node].label;
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		workers += tasks->node[tasks->workers[w].node].label == label;
	longer = tv_case_excess(c, own, TV_LATENESS_SLOW_WORKER).worker;
	tv_free(all);
	tv_free(slow);
	tv_free(own);
	return workers > 0 && 2 * (longer / workers) >= excess;
}

/* Whether half of what a node has too much, or more, are serial steps: one of its workers runs them while all others wait. */
static bool has_serial_steps(const struct tv_case *c, uint32_t node, int64_t excess)
{
	const struct tv_tasks *tasks = c->tasks;
	uint32_t type = tv_case_serial_type(c), workers = 0;
	tv_int128 own = 0, all = 0;

	for (uint32_t w = 0; w < tasks->nworkers; w++)
		workers += tasks->node[tasks->workers[w].node].label == node;
	for (uint32_t row = 0; type != TV_NONE && row < tasks->n; row++)
		if (tasks->counted[row] && tasks->value[row] == type) {
			int64_t time = tv_row_time(tasks, row);

			all += time;
			if (tasks->node[tasks->workers[tasks->worker[row]].node].label == node)
				own += time;
		}
	return workers > 0 && 2 * (own / workers - all / tasks->nworkers) > excess;
}

/* The node, its label, whose own tasks have the largest area bound on its own workers, ns; TV_NONE = none has one. */
static int find_fullest(const struct tv_case *c, uint32_t *node, int64_t *area,
			struct tv_error *err)
{
	const struct tv_estimates *estimates = tv_run_estimates(c->run);

	*node = TV_NONE;
	for (uint32_t i = 0; i < estimates->n; i++) {
		const struct tv_means *means = &estimates->means[i];
		double ns, *ideal;
		int rc;

		if (means->node == TV_NONE)
			continue;
		ideal = tv_alloc((size_t)means->ntypes * means->nrtypes, sizeof *ideal);
		rc = tv_means_area(means, &ns, ideal, err);
		tv_free(ideal);
		if (rc < 0)
			return -1;
		if (ns < 0x1p62 && (*node == TV_NONE || llround(ns) > *area)) {
			*node = c->tasks->node[means->node].label;
			*area = llround(ns);
		}
	}
	return 0;
}

/* "Node 5 ran 450 tasks, the others 210 on average." node: its label. */
static char *tasks_text(const struct tv_tasks *tasks, uint32_t label)
{
	uint32_t own = 0, all = 0;
	char node[64];

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && tv_row_begins(tasks, row)) {
			all++;
			own += tasks->node[tasks->workers[tasks->worker[row]].node].label == label;
		}
	return tv_format("Node %s ran %u task%s, the other%s %.0f%s.",
			 tv_clean_text(node, sizeof node, tv_pool_text(tasks->pool, label)), own,
			 tv_plural(own), tasks->nnodes == 2 ? "" : "s",
			 (double)(all - own) / (tasks->nnodes - 1),
			 tasks->nnodes == 2 ? "" : " on average");
}

static int find_node_imbalance(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	uint32_t most, slow;
	int64_t area = 0, late, excess, gap = c->account.makespan - c->best;
	char node[64], own[32], all[32], *tasks;

	if (c->tasks->nnodes < 2)
		return 0;
	if (find_fullest(c, &most, &area, err) < 0)
		return -1;
	/* While workers of other nodes have not begun, nodes that run have more to do. */
	late = llround(tv_absent_idle(&c->absences.of[TV_ABSENT_LATE]).time);
	late = late < c->min_ns ? 0 : late;
	excess = most == TV_NONE ? 0 : area - c->account.area - late;
	if ((double)excess < 0.05 * (double)c->account.area)
		return 0;
	if (has_serial_steps(c, most, excess))
		return 0;
	/* That it is slow is the cause then. */
	if (is_slow_node(c, most, excess, &slow))
		return 0;
	excess = excess < gap ? excess : gap;
	if (excess <= 0 || excess < c->min_ns)
		return 0;
	found->holds = true;
	found->measure_ns = excess;
	found->confidence = TV_ESTIMATE;
	tv_clean_text(node, sizeof node, tv_pool_text(c->tasks->pool, most));
	tasks = tasks_text(c->tasks, most);
	found->title = tv_format("node %s has more to do than others", node);
	found->text = tv_format("%s The tasks of node %s need %s or more on its workers; all tasks "
				"would need %s if all nodes shared them.",
				tasks, node, tv_words_time(own, area),
				tv_words_time(all, c->account.area));
	tv_free(tasks);
	if (slow != TV_NONE) {
		tv_append(&found->text, " Tasks on node %s take longer than elsewhere.",
			  tv_clean_text(node, sizeof node, tv_pool_text(c->tasks->pool, slow)));
		found->action =
			"Move tasks to nodes that are not slow, and find out why the others "
			"are.";
	}
	found->picture = tv_case_highlight("Node", tv_pool_text(c->tasks->pool, most), NULL, NULL);
	found->command = tv_case_verb(c, "load-balance", "");
	return 0;
}

const struct tv_rule tv_rule_node_imbalance = {
	.id = "node-imbalance",
	.title = "one node has more to do than others",
	.condition = "the area bound of a node's own tasks on its own workers is above that of the "
		     "run and what late-workers measures by 5 %, and by 1 % of the makespan, and "
		     "not half of that by serial steps (serial-step) nor by slow workers",
	.measures = "Measure: the largest area bound of a node - area bound of the run - what "
		    "late-workers measures, up to makespan - the larger of area bound and "
		    "best-placed chain",
	.action = "Distribute data (and so tasks) in another way, such as blocks in turn over a "
		  "grid of nodes, or move tasks to other nodes.",
	.in.starpu = "STARPU_EXECUTE_ON_NODE",
	.see = "waits-in-mpi",
	.picture = "--panels spacetime,idle-causes",
	.schedule = true,
	.find = find_node_imbalance,
};
