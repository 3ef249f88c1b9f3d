/* SPDX-License-Identifier: GPL-3.0-or-later */
/* polling.c -- ranks that ask for messages again and again: what is between these calls counts as work. */
#include "analysis/diagnose/findings.h"
#include "analysis/mpi/replay.h"
#include "trace/text.h"
#include "trace/number.h"

enum { CALLS_MIN = 10 };

static bool has_tests(const struct tv_calls *calls)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < calls->n && n < CALLS_MIN; i++)
		n += calls->class_of[calls->row[i]] == TV_CALL_TEST;
	return n >= CALLS_MIN;
}

/* The thread with most time between tests that are no longer apart than 1 % of the run, *most ns; of all threads *sum. */
static uint32_t find_polling(const struct tv_case *c, int64_t *most, tv_int128 *sum)
{
	const struct tv_call_rules near = { .gap = TV_POLLING_NS }, far = { .gap = c->min_ns };
	struct tv_mpi_replay work, less;
	struct tv_error none;
	uint32_t rank = TV_NONE;

	*most = 0;
	*sum = 0;
	if (tv_mpi_replay_init(&work, c->run, &near, "diagnose", &none) < 0)
		return TV_NONE;
	if (tv_mpi_replay_init(&less, c->run, &far, "diagnose", &none) == 0) {
		for (uint32_t t = 0; t < work.graph.nthreads; t++) {
			int64_t time = work.thread[t].useful - less.thread[t].useful;

			*sum += time;
			if (time > *most) {
				*most = time;
				rank = work.graph.calls->rank[work.graph.thread[t].rank];
			}
		}
		tv_mpi_replay_release(&less);
	}
	tv_mpi_replay_release(&work);
	return rank;
}

static int find_polling_calls(struct tv_case *c, struct tv_found *found, struct tv_error *err)
{
	int64_t most;
	tv_int128 sum;
	uint32_t rank;
	char name[128], time[32], gap[TV_NUMBER_MAX], *option;

	(void)err;
	if (c->tasks->ncounted > 0 || c->min_ns <= TV_POLLING_NS
	    || !has_tests(tv_run_calls(c->run)))
		return 0;
	rank = find_polling(c, &most, &sum);
	if (rank == TV_NONE || most < c->account.makespan / 20)
		return 0;
	found->holds = true;
	found->worker_ns = tv_sum_ns(sum);
	found->text = tv_format(
		"Rank %s asks for messages again and again, as with MPI_Test. The %s between these "
		"calls count as work, but it may have done nothing but wait.",
		tv_clean_text(name, sizeof name, tv_pool_text(c->run->trace->pool, rank)),
		tv_words_time(time, most));
	tv_write_ms(gap, c->min_ns);
	option = tv_format("--polling %s", gap);
	found->command = tv_case_verb(c, "mpi-replay", option);
	tv_free(option);
	return 0;
}

const struct tv_rule tv_rule_polling = {
	.id = "polling",
	.title = "asking for messages again and again counts as work",
	.condition = "of a program without tasks: a rank calls MPI_Test or the like for the same "
		     "requests, not further apart than 1 % of the run, and is between these calls "
		     "for 5 % of the run or more",
	.measures = "WorkerTime: time of threads between these calls",
	.action = "If it has no other work then, count that time as waiting: mpi-replay --polling "
		  "shows the losses, and MPI_Wait in place of the loop makes it visible.",
	.threads = true,
	.limit = true,
	.find = find_polling_calls,
};
