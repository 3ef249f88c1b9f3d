/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nodes.c -- findings that compare nodes. */
#include "analysis/diagnose/findings.h"
#include "trace/text.h"

static int find_node_imbalance(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_table *table;
	const struct tv_column *abe, *name;
	uint32_t most = TV_NONE;
	int64_t excess;
	char node[64], own[32], all[32];

	if (c->tasks->nnodes < 2)
		return 0;
	table = tv_run_pass(c->run, "load-balance", NULL, err);
	if (table == NULL)
		return -1;
	abe = tv_table_find(table, "ABE");
	name = tv_table_find(table, "Node");
	for (uint32_t row = 0; row < table->nrows; row++)
		if (!tv_missing(name, row) && !tv_missing(abe, row)
		    && (most == TV_NONE || abe->i[row] > abe->i[most]))
			most = row;
	excess = most == TV_NONE ? 0 : abe->i[most] - c->account.area;
	if (excess <= 0 || excess < c->min_ns || (double)excess < 0.05 * (double)c->account.area)
		return 0;
	found->holds = true;
	found->measure_ns = excess;
	found->confidence = TV_ESTIMATE;
	tv_clean_text(node, sizeof node, tv_table_text(table, "Node", most));
	found->text = tv_format("Node %s has the most work for its workers: its tasks need %s or "
				"more there; all tasks "
				"would need %s if all nodes shared them.",
				node, tv_words_time(own, abe->i[most]),
				tv_words_time(all, c->account.area));
	found->command = tv_case_verb(c, "load-balance", "");
	return 0;
}

const struct tv_rule tv_rule_node_imbalance = {
	.id = "node-imbalance",
	.title = "one node has more work than the others",
	.condition = "the area bound of a node's own tasks on its own workers is above that of the "
		     "run by 5 %, and by 1 % of the makespan",
	.measures = "Measure: the largest area bound of a node - area bound of the run",
	.action = "Distribute data (and so tasks) in another way, such as blocks in turn over a "
		  "grid of nodes, or move tasks to other nodes.",
	.how = "StarPU-MPI: STARPU_EXECUTE_ON_NODE.",
	.picture = "--panels spacetime,idle-causes",
	.find = find_node_imbalance,
};
