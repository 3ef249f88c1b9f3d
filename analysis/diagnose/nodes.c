/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nodes.c -- findings that compare nodes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/core/means.h"
#include "analysis/core/statistics.h"
#include "analysis/diagnose/evidence.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* A node with its tasks; times in ns. */
struct node_load {
	uint32_t workers, tasks;
	int64_t area; /* the area bound of its tasks on its workers; 0 = it has none */
	double time, slow,
		longer; /* of its tasks; of those of slow workers or types, and what these took too long */
	double work; /* area without that */
};

static bool is_slow(uint8_t class)
{
	return class == TV_LATENESS_SLOW_WORKER || class == TV_SLOW_THERE;
}

/* Sums tasks of a type on a type of workers that are of no class. */
struct usual {
	double time;
	uint32_t n;
};

static void sum_tasks(const struct tv_case *c, struct node_load *load)
{
	const struct tv_tasks *tasks = c->tasks;
	struct usual *usual = tv_alloc(tasks->ncounted, sizeof *usual);
	struct tv_map place = { 0 };
	uint32_t n = 0;

	for (int pass = 0; pass < 2; pass++)
		for (uint32_t row = 0; row < tasks->n; row++) {
			struct node_load *of;
			double time;
			uint32_t *at;

			if (!tasks->counted[row] || !tv_row_begins(tasks, row))
				continue;
			time = (double)tv_task_time(tasks, row);
			of = &load[tasks->workers[tasks->worker[row]].node];
			of->tasks += pass;
			of->time += pass * time;
			at = tv_map_at(&place, tasks->value[row],
				       tasks->workers[tasks->worker[row]].rtype);
			*at = *at == TV_NONE ? n++ : *at;
			if (pass == 0 && c->class[row] == TV_LATENESS_REST) {
				usual[*at].time += time;
				usual[*at].n++;
			} else if (pass == 1 && is_slow(c->class[row])) {
				of->slow += time;
				of->longer += usual[*at].n == 0
						    ? 0
						    : time - usual[*at].time / usual[*at].n;
			}
		}
	tv_map_release(&place);
	tv_free(usual);
}

/* Whether half of what a node has too much, or more, are serial steps: one of its workers runs them while all others wait. */
static bool has_serial_steps(const struct tv_case *c, uint32_t node, int64_t excess)
{
	const struct tv_tasks *tasks = c->tasks;
	uint32_t type = tv_case_serial_type(c), workers = 0;
	tv_int128 own = 0, all = 0;

	for (uint32_t w = 0; w < tasks->nworkers; w++)
		workers += tasks->workers[w].node == node;
	for (uint32_t row = 0; type != TV_NONE && row < tasks->n; row++)
		if (tasks->counted[row] && tasks->value[row] == type) {
			int64_t time = tv_row_time(tasks, row);

			all += time;
			if (tasks->workers[tasks->worker[row]].node == node)
				own += time;
		}
	return workers > 0 && 2 * (own / workers - all / tasks->nworkers) > excess;
}

/* By node. NULL with *err. */
static struct node_load *list_nodes(const struct tv_case *c, struct tv_error *err)
{
	const struct tv_tasks *tasks = c->tasks;
	const struct tv_estimates *estimates = tv_run_estimates(c->run);
	struct node_load *load = tv_alloc(tasks->nnodes, sizeof *load);

	for (uint32_t i = 0; i < estimates->n; i++) {
		const struct tv_means *means = &estimates->means[i];
		double ns, *ideal;
		int rc;

		if (means->node == TV_NONE)
			continue;
		ideal = tv_alloc((size_t)means->ntypes * means->nrtypes, sizeof *ideal);
		rc = tv_means_area(means, &ns, ideal, err);
		tv_free(ideal);
		if (rc < 0) {
			tv_free(load);
			return NULL;
		}
		load[means->node].area = ns < 0x1p62 ? llround(ns) : 0;
	}
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		load[tasks->workers[w].node].workers++;
	sum_tasks(c, load);
	for (uint32_t node = 0; node < tasks->nnodes; node++)
		load[node].work = (double)load[node].area
				- load[node].longer / fmax(load[node].workers, 1);
	return load;
}

/* The node with workers whose work is farthest from the median of all; that with most, unless another one is twice as
 * far. most: the node with the largest area bound. */
static uint32_t find_odd(const struct node_load *load, uint32_t nnodes, uint32_t most)
{
	double *work = tv_alloc(nnodes, sizeof *work), median;
	uint32_t least = most, n = 0;

	for (uint32_t node = 0; node < nnodes; node++)
		if (load[node].workers > 0) {
			work[n++] = load[node].work;
			least = load[node].work < load[least].work ? node : least;
			most = load[node].work > load[most].work ? node : most;
		}
	tv_sort_numbers(work, n);
	median = tv_quantile(work, n, 0.5);
	tv_free(work);
	return median - load[least].work > 2 * (load[most].work - median) ? least : most;
}

/* "Node 5 ran 450 tasks, the others 210 on average."; where their number does not differ likewise, with their durations. */
static char *tasks_text(const struct tv_tasks *tasks, const struct node_load *load, uint32_t node,
			bool less)
{
	uint32_t all = 0, own = load[node].tasks, rest;
	char name[64], of[2][48] = { "", "" }, words[32];
	double time = 0, others;

	for (uint32_t i = 0; i < tasks->nnodes; i++) {
		all += load[i].tasks;
		time += load[i].time;
	}
	rest = all - own;
	others = (double)rest / (tasks->nnodes - 1);
	if ((less ? own > 0.95 * others : own < 1.05 * others) && own > 0 && rest > 0) {
		snprintf(of[0], sizeof of[0], " of %s",
			 tv_words_time(words, llround(load[node].time / own)));
		snprintf(of[1], sizeof of[1], " of %s",
			 tv_words_time(words, llround((time - load[node].time) / rest)));
	}
	return tv_format("Node %s ran %u task%s%s, the other%s %.0f%s%s%s.",
			 tv_clean_text(name, sizeof name,
				       tv_pool_text(tasks->pool, tasks->node[node].label)),
			 own, tv_plural(own), of[0], tasks->nnodes == 2 ? "" : "s", others, of[1],
			 tasks->nnodes == 2 && of[0][0] == '\0' ? "" : " on average",
			 less ? ": the others have more to do" : "");
}

static void write_text(const struct tv_case *c, const struct node_load *load, uint32_t most,
		       struct tv_found *found)
{
	const struct tv_tasks *tasks = c->tasks;
	uint32_t odd = find_odd(load, tasks->nnodes, most);
	bool less = load[odd].work < load[most].work;
	int64_t slow = llround(load[most].longer / load[most].workers);
	char node[64], own[32], all[32], *counts = tasks_text(tasks, load, odd, less);

	tv_clean_text(node, sizeof node, tv_pool_text(tasks->pool, tasks->node[odd].label));
	found->title = tv_format(less ? "node %s has less to do than others"
				      : "node %s has more to do than others",
				 node);
	found->picture = tv_case_highlight(
		"Node", tv_pool_text(tasks->pool, tasks->node[odd].label), NULL, NULL);
	tv_clean_text(node, sizeof node, tv_pool_text(tasks->pool, tasks->node[most].label));
	found->text = tv_format("%s The tasks of node %s need %s or more on its workers", counts,
				node, tv_words_time(own, load[most].area));
	if (slow >= c->min_ns)
		tv_append(&found->text, " (%s less if none of these were slow)",
			  tv_words_time(own, slow));
	tv_append(&found->text, "; all tasks would need %s if all nodes shared them.",
		  tv_words_time(all, c->account.area));
	tv_free(counts);
	for (uint32_t i = tasks->nnodes; i-- > 0;)
		if (i != most && 2 * load[i].slow > load[i].time) {
			tv_append(&found->text, " Tasks on node %s take longer than elsewhere.",
				  tv_clean_text(node, sizeof node,
						tv_pool_text(tasks->pool, tasks->node[i].label)));
			found->action = "Move tasks to nodes that are not slow, and find out why "
					"the others are.";
			break;
		}
}

/* The area bound of all tasks if none were slow, ns. */
static int64_t area_without_slow(const struct tv_case *c)
{
	return c->account.area - tv_case_excess(c, c->class, TV_LATENESS_SLOW_WORKER).time
	     - tv_case_excess(c, c->class, TV_SLOW_THERE).time;
}

/* How long the node with most to do takes more than all would that shared its tasks: as it was, and if no worker were slow, whose cost
 * another finding has; 0 = either is less than 5 %. */
static int64_t find_excess(const struct tv_case *c, const struct node_load *load,
			   const struct node_load *most)
{
	/* While workers of other nodes have not begun, nodes that run have more to do. */
	int64_t late = llround(tv_absent_idle(&c->absences.of[TV_ABSENT_LATE]).time),
		area = area_without_slow(c), excess, limit;
	double work = 0;

	if (most->area == 0 || most->workers == 0)
		return 0;
	late = late < c->min_ns ? 0 : late;
	excess = most->area - c->account.area - late;
	for (uint32_t node = 0; node < c->tasks->nnodes; node++)
		work = fmax(work, load[node].work);
	if ((double)excess < 0.05 * (double)c->account.area
	    || work - (double)(area + late) < 0.05 * (double)area)
		return 0;
	limit = c->account.makespan - late - area - llround(most->longer / most->workers);
	return excess < limit ? excess : limit;
}

/* Whether of all workers it is known on which node they are. */
static bool knows_nodes(const struct tv_tasks *tasks)
{
	for (uint32_t node = 0; node < tasks->nnodes; node++)
		if (strcmp(tv_pool_text(tasks->pool, tasks->node[node].label), TV_UNKNOWN_NODE)
		    == 0)
			return false;
	return true;
}

static int find_node_imbalance(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	bool may = c->tasks->nnodes > 1 && knows_nodes(c->tasks);
	struct node_load *load = may ? list_nodes(c, err) : NULL;
	uint32_t most = 0;
	int64_t excess, gap = c->account.makespan - c->best;

	if (load == NULL)
		return may ? -1 : 0;
	for (uint32_t node = 1; node < c->tasks->nnodes; node++)
		most = load[node].area > load[most].area ? node : most;
	excess = find_excess(c, load, &load[most]);
	if (excess > 0 && !has_serial_steps(c, most, excess)) {
		found->measure_ns = excess < gap ? excess : gap;
		found->holds = found->measure_ns > 0 && found->measure_ns >= c->min_ns;
	}
	if (found->holds) {
		found->confidence = TV_ESTIMATE;
		write_text(c, load, most, found);
		found->command = tv_case_verb(c, "load-balance", "");
	}
	tv_free(load);
	return 0;
}

bool tv_case_ends_by_node(const struct tv_case *c, int64_t worker_ns)
{
	const struct tv_tasks *tasks = c->tasks;
	int64_t *last = tv_alloc(tasks->nnodes, sizeof *last);
	bool *seen = tv_alloc(tasks->nworkers, sizeof *seen);
	double sum = 0;

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row]) {
			uint32_t node = tasks->workers[tasks->worker[row]].node;

			last[node] = tasks->end[row] > last[node] ? tasks->end[row] : last[node];
			seen[tasks->worker[row]] = true;
		}
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		if (seen[w])
			sum += (double)(tasks->finish - last[tasks->workers[w].node]);
	tv_free(last);
	tv_free(seen);
	return 2 * sum >= (double)worker_ns;
}

const struct tv_rule tv_rule_node_imbalance = {
	.id = "node-imbalance",
	.title = "one node has more to do than others",
	.condition = "the area bound of a node's own tasks on its own workers is above that of the "
		     "run and what late-workers measures by 5 %, also if no worker were slow, and "
		     "by 1 % "
		     "of the makespan, and not half of that by serial steps (serial-step); the "
		     "nodes of all workers are known",
	.measures = "Measure: the largest area bound of a node - area bound of the run - what "
		    "late-workers measures, up to makespan - the larger of area bound and "
		    "best-placed chain, and without what slow workers of that node cost it",
	.action = "Distribute data (and so tasks) in another way, such as blocks in turn over a "
		  "grid of nodes, or move tasks to other nodes.",
	.in.starpu = "STARPU_EXECUTE_ON_NODE",
	.see = "waits-in-mpi",
	.picture = "--panels spacetime,idle-causes",
	.schedule = true,
	.find = find_node_imbalance,
};
