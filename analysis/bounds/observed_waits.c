/* SPDX-License-Identifier: GPL-3.0-or-later */
/* observed_waits.c -- what the workers of an observed chain did in its waits, from parts of the rows. */
#include "analysis/bounds/observed_waits.h"

#include <stddef.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/groups.h"
#include "trace/sorted.h"

struct waits {
	struct tv_run *run;
	struct tv_wait *wait; /* by step */
	struct tv_groups of;  /* steps by worker, in order of time */
	uint32_t *next;	      /* by worker: the first one in `of` that later executions may be in */
	int64_t *reach;	      /* by worker: the latest End so far */
	uint64_t (*busy)[2];  /* by step: ns in it of counted executions, of others */
};

struct execution {
	int64_t start, end;
	bool other;
};

TV_ORDER(counted_first, struct execution, other)

static void cover_waits(struct waits *waits, uint32_t w, const struct execution *e, uint32_t n)
{
	const uint32_t *step = waits->of.row, end = waits->of.first[w + 1];
	uint32_t *next = &waits->next[w];

	for (uint32_t i = 0; i < n; i++) {
		int64_t from = e[i].start > waits->reach[w] ? e[i].start : waits->reach[w];

		if (e[i].end <= from)
			continue;
		waits->reach[w] = e[i].end;
		while (*next < end && waits->wait[step[*next]].end <= from)
			++*next;
		for (uint32_t k = *next; k < end && waits->wait[step[k]].begin < e[i].end; k++) {
			const struct tv_wait *wait = &waits->wait[step[k]];
			int64_t low = from > wait->begin ? from : wait->begin;
			int64_t high = e[i].end < wait->end ? e[i].end : wait->end;

			if (low < high)
				waits->busy[step[k]][e[i].other] += (uint64_t)(high - low);
		}
	}
}

static int add_busy(void *state, struct tv_run *part, struct tv_error *err)
{
	struct waits *waits = state;
	const struct tv_tasks *tasks = &part->tasks;
	struct tv_groups rows;
	struct execution *e;

	(void)err;
	tv_tasks_by_worker(tasks, tasks->executed, &rows);
	e = tv_alloc(tv_groups_max(&rows), sizeof *e);
	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		const uint32_t *row = rows.row + rows.first[w];
		uint32_t n = rows.first[w + 1] - rows.first[w];

		if (waits->next[w] == waits->of.first[w + 1])
			continue;
		for (uint32_t i = 0; i < n; i++)
			e[i] = (struct execution){ tasks->start[row[i]], tasks->end[row[i]],
						   !tasks->counted[row[i]] };
		tv_sort_by_time(e, n, sizeof *e, offsetof(struct execution, start), counted_first);
		cover_waits(waits, w, e, n);
	}
	tv_free(e);
	tv_groups_release(&rows);
	return 0;
}

static void list_waits(struct waits *waits, const struct tv_chain *chain)
{
	const struct tv_tasks *tasks = &waits->run->tasks;
	uint32_t *worker = tv_alloc(chain->n, sizeof *worker);

	for (size_t i = 0; i < chain->n; i++) {
		const struct tv_chain_step *step = &chain->at[i];
		struct tv_wait *wait = &waits->wait[i];

		wait->begin = i == 0 ? tasks->begin : chain->at[i - 1].end;
		wait->end = step->start;
		tv_wait_explain(wait, TV_WAIT_NOT_SUBMITTED, step->submit);
		tv_wait_explain(wait, TV_WAIT_DEPENDENCIES, step->released);
		worker[i] = wait->begin < wait->end ? step->worker : TV_NONE;
	}
	tv_groups_init(&waits->of, worker, (uint32_t)chain->n, tasks->nworkers);
	for (uint32_t w = 0; w < tasks->nworkers; w++)
		waits->next[w] = waits->of.first[w];
	tv_free(worker);
}

int tv_chain_causes(struct tv_chain *chain, struct tv_run *run, const int64_t *busy_before,
		    struct tv_error *err)
{
	uint32_t nworkers = run->tasks.nworkers;
	struct waits waits = { .run = run,
			       .wait = tv_alloc(chain->n, sizeof *waits.wait),
			       .next = tv_alloc(nworkers, sizeof *waits.next),
			       .reach = tv_alloc(nworkers, sizeof *waits.reach),
			       .busy = tv_alloc(chain->n, sizeof *waits.busy) };
	int rc;

	memcpy(waits.reach, busy_before, nworkers * sizeof *busy_before);
	list_waits(&waits, chain);
	rc = tv_run_bare_rows(run, add_busy, &waits, err);
	tv_team_add(run->team, &waits.busy[0][0], 2 * chain->n);
	for (size_t i = 0; i < chain->n; i++) {
		struct tv_wait *wait = &waits.wait[i];
		int64_t own = (int64_t)waits.busy[i][0], other = (int64_t)waits.busy[i][1];

		wait->part[TV_WAIT_WORKER] = own;
		wait->part[TV_WAIT_OTHER_TASK] = other;
		wait->part[TV_WAIT_RUNTIME] = wait->end - wait->begin - own - other;
		chain->at[i].cause = chain->at[i].worker == TV_NONE ? TV_WAIT_MESSAGE
								    : tv_wait_longest(wait);
	}
	tv_free(waits.wait);
	tv_free(waits.next);
	tv_free(waits.reach);
	tv_free(waits.busy);
	tv_groups_release(&waits.of);
	return rc;
}
