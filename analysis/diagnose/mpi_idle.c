/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpi_idle.c -- idle time of workers while their rank is in calls of MPI. */
#include "analysis/diagnose/findings.h"

struct tv_mpi_idle tv_case_mpi_idle(const struct tv_case *c)
{
	const struct tv_threads *threads = tv_run_threads(c->run);
	const struct tv_tasks *tasks = c->tasks;
	struct tv_mpi_idle idle = { 0 };
	struct tv_groups executions;

	if (threads->nranks == 0 || tasks->ncounted == 0)
		return idle;
	tv_tasks_by_start(tasks, tasks->executed, &executions);
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		double price = c->account.type[tasks->workers[w].rtype].price;
		const uint32_t *row = executions.row + executions.first[w];
		uint32_t n = executions.first[w + 1] - executions.first[w];
		int64_t last = tasks->begin;

		for (uint32_t i = 0; i <= n; i++) {
			int64_t start = i < n ? tasks->start[row[i]] : tasks->finish;

			if (start > last) {
				int64_t in = tv_case_in_mpi(c, tasks->workers[w].node, last, start);

				idle.worker += in;
				idle.time += (long double)price * (long double)in;
			}
			if (i < n && tasks->end[row[i]] > last)
				last = tasks->end[row[i]];
		}
	}
	tv_groups_release(&executions);
	return idle;
}

int64_t tv_case_in_mpi(const struct tv_case *c, uint32_t node, int64_t begin, int64_t end)
{
	const struct tv_threads *threads = tv_run_threads(c->run);
	int64_t most = 0;

	for (uint32_t i = 0; i < threads->n; i++) {
		const struct tv_thread *thread = &threads->at[i];
		int64_t in;

		if (thread->nmpi == 0 || thread->node != c->tasks->node[node].label
		    || tv_thread_progresses(thread))
			continue;
		in = tv_spans_within(thread->mpi, thread->nmpi, (struct tv_span){ begin, end });
		most = in > most ? in : most;
	}
	return most;
}
