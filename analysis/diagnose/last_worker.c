/* SPDX-License-Identifier: GPL-3.0-or-later */
/* last_worker.c -- the worker that alone runs tasks at the end of the run. */
#include "analysis/diagnose/findings.h"
#include "trace/text.h"

void tv_case_last_worker(const struct tv_case *c, uint32_t last, int64_t since,
			 struct tv_found *found)
{
	const struct tv_tasks *tasks = c->tasks;
	uint32_t own = 0, then = 0, all = 0, worker = tasks->worker[last];
	char name[64], time[32];

	for (uint32_t row = 0; row < tasks->n; row++)
		if (tasks->counted[row] && tv_row_begins(tasks, row)) {
			all++;
			own += tasks->worker[row] == worker;
			then += tasks->worker[row] == worker && tasks->start[row] >= since;
		}
	/* One or two are as others end. */
	if (then < 3 || tasks->nworkers < 2 || tasks->finish - since < c->min_ns)
		return;
	tv_append(&found->text,
		  " For the last %s worker %s alone runs tasks, %u of them: it runs %u in all, the "
		  "others %.0f on average.",
		  tv_words_time(time, tasks->finish - since),
		  tv_clean_text(name, sizeof name,
				tv_pool_text(tasks->pool, tasks->workers[worker].resource)),
		  then, own, (double)(all - own) / (tasks->nworkers - 1));
	found->title = tv_strdup("one worker has tasks left at the end");
	found->action =
		"Let the other workers run some of these tasks: divide tasks evenly, or let "
		"each worker take the next one when it is free.";
}
