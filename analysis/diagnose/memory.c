/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory.c -- findings about memory that is too small. */
#include <string.h>

#include "analysis/data/transfer_list.h"
#include "analysis/diagnose/findings.h"
#include "trace/text.h"
#include "trace/units.h"

/* Transfers for which other data had to leave the memory. */
struct evicted {
	uint32_t n;
	int64_t written_back, wait; /* handles; ns */
	double bytes;
};

static int64_t cell(const struct tv_table *table, const char *column, uint32_t row)
{
	const struct tv_column *of = tv_table_find(table, column);

	return tv_missing(of, row) ? 0 : of->i[row];
}

static int find_evictions(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	const struct tv_data_transfers *transfers;
	struct evicted evicted = { 0 };
	const struct tv_table *table;
	char size[32], wait[32];

	transfers = tv_run_transfers(c->run, err);
	if (transfers == NULL)
		return -1;
	if (transfers->n == 0)
		return 0;
	table = tv_run_pass(c->run, "transfers", NULL, err);
	if (table == NULL)
		return -1;
	for (uint32_t row = 0; row < table->nrows; row++) {
		if (strcmp(tv_table_text(table, "Allocation", row), "evicted") != 0)
			continue;
		evicted.n++;
		evicted.written_back += cell(table, "WrittenBack", row);
		evicted.bytes += (double)cell(table, "FreedSize", row);
		evicted.wait += cell(table, "Wait", row);
	}
	if (evicted.n == 0
	    || (evicted.n < table->nrows / 20 && evicted.wait / c->tasks->nworkers < c->min_ns))
		return 0;
	found->holds = true;
	found->worker_ns = evicted.wait;
	found->measure_ns = evicted.wait / c->tasks->nworkers;
	tv_bytes_text(size, sizeof size, evicted.bytes);
	found->text = tv_format(
		"The memory of devices is full: for %u of %u transfers other data had to leave it "
		"first (%lld pieces written back, %s freed). Tasks waited %s for these transfers.",
		evicted.n, table->nrows, (long long)evicted.written_back, size,
		tv_words_time(wait, evicted.wait));
	found->command = tv_case_verb(c, "transfers", "--where 'Allocation == \"evicted\"'");
	return 0;
}

const struct tv_rule tv_rule_evictions = {
	.id = "evictions",
	.title = "the memory of devices is full",
	.condition = "other data leave the memory for 5 % of the transfers, or waits of tasks for "
		     "such transfers are 1 % of the time of all workers",
	.measures = "WorkerTime: waits of tasks for transfers that evicted data; Measure: the same "
		    "over the number of workers",
	.action = "Give the runtime more device memory, or let fewer tasks wait at a time.",
	.how = "Write data back early, or keep tasks that share data on one device.",
	.in.starpu = "STARPU_LIMIT_CUDA_MEM; STARPU_LIMIT_MAX_SUBMITTED_TASKS with "
		     "STARPU_LIMIT_MIN_SUBMITTED_TASKS; starpu_data_wont_use",
	.picture = "--panels spacetime,used-memory",
	.find = find_evictions,
};
