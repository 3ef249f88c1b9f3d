/* SPDX-License-Identifier: GPL-3.0-or-later */
/* network_rung.c -- the makespan if messages take what a network needs. */
#include "analysis/efficiency/thread_ladder.h"
#include "analysis/messages/network.h"
#include "trace/alloc.h"

static int replay_tasks(struct tv_run *run, const char *text, struct tv_network *network,
			int64_t *time, struct tv_error *err)
{
	struct tv_rerun_rules rules = { .workers = true, .submitted = true, .messages = true };
	const struct tv_dag *dag = tv_run_dag(run, err);
	struct tv_rerun replay;
	int64_t *flight;

	if (dag == NULL || tv_network_init_within(network, run, text, err) < 0)
		return -1;
	rules.flight = flight = tv_network_flights(network, run, dag, err);
	if (flight == NULL)
		return -1;
	tv_rerun_init(&replay, dag);
	*time = tv_rerun_run(&replay, &rules, NULL);
	tv_rerun_release(&replay);
	tv_free(flight);
	return 0;
}

static int replay_threads(struct tv_run *run, const char *text, struct tv_network *network,
			  int64_t *time, struct tv_error *err)
{
	struct tv_ladder_threads threads;
	int rc = tv_ladder_threads_init(&threads, run, err);

	if (rc == 0)
		rc = tv_replay_network(&threads.replay, text, network, time, err);
	tv_ladder_threads_release(&threads);
	return rc;
}

int tv_ladder_add_network(struct tv_ladder *ladder, struct tv_run *run, const char *text,
			  struct tv_error *err)
{
	static const enum tv_ladder_rung needed[] = { TV_LADDER_RUNG_RUNTIME,
						      TV_LADDER_RUNG_TRANSFER };
	bool tasks = run->tasks.ncounted > 0;
	struct tv_network network;
	int64_t time;

	for (size_t i = 0; i < TV_COUNT(needed); i++)
		if (!tv_ladder_has(ladder, needed[i]))
			return tv_fail(err, "--network needs a replay of the run: %s",
				       ladder->missing[needed[i]] == NULL
					       ? "the trace has no messages"
					       : ladder->missing[needed[i]]);
	if ((tasks ? replay_tasks(run, text, &network, &time, err)
		   : replay_threads(run, text, &network, &time, err))
	    < 0)
		return -1;
	ladder->network = (long double)time;
	ladder->network_what = network.per_byte > 0
				     ? tv_format("messages take %.6f ms + size / %.6g MB/s",
						 network.latency / 1e6, 1e3 / network.per_byte)
				     : tv_format("messages take %.6f ms", network.latency / 1e6);
	return 0;
}
