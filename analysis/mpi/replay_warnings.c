/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay_warnings.c -- what a recording of MPI calls leaves open or contradicts, in words. */
#include "analysis/mpi/replay_warnings.h"

#include "trace/alloc.h"
#include "trace/units.h"

const char *const tv_fixed_reason_name[] = {
	[TV_FIXED_NOT] = NULL,
	[TV_FIXED_OPERATION] = "windows and files and other operations",
	[TV_FIXED_COLLECTIVE] = "collective operations of unknown members or root",
	[TV_FIXED_PARTNER] = "messages without their other side",
	[TV_FIXED_REQUEST] = "waits for unknown requests",
	[TV_FIXED_OPEN] = "calls that the trace does not see end",
};
_Static_assert(TV_COUNT(tv_fixed_reason_name) == TV_NFIXED, "a name for each reason");

static void warn_fixed(struct tv_run *run, const struct tv_mpi_replay *r)
{
	const struct tv_call_counts *c = &r->graph.counts;
	char time[40], whole[40];

	for (int i = TV_FIXED_OPERATION; i < TV_NFIXED; i++) {
		if (c->fixed[i] == 0)
			continue;
		tv_time_text(time, sizeof time, c->fixed_time[i], NULL);
		tv_run_warn(run, "these keep their recorded duration: %s (%u, %s)",
			    tv_fixed_reason_name[i], c->fixed[i], time);
	}
	if (r->determined)
		return;
	tv_time_text(time, sizeof time, r->fixed, NULL);
	tv_time_text(whole, sizeof whole, r->rung[TV_RUNG_IDEAL], NULL);
	tv_run_warn(run,
		    "no transfer and no serialization: on the thread that ends last on the ideal "
		    "network these calls take %s of %s",
		    time, whole);
}

static void warn_protocols(struct tv_run *run, const struct tv_mpi_replay *r)
{
	const struct tv_call_counts *c = &r->graph.counts;
	char eager[40], rendezvous[40];

	if (c->unknown_protocol > 0 && r->ideal_if_eager != r->rung[TV_RUNG_IDEAL]) {
		tv_time_text(eager, sizeof eager, r->ideal_if_eager, NULL);
		tv_time_text(rendezvous, sizeof rendezvous, r->rung[TV_RUNG_IDEAL], NULL);
		tv_run_warn(run,
			    "the trace does not show whether %u messages wait for their receive: "
			    "ideal network %s if they "
			    "do not, %s if they do (--eager BYTES)",
			    c->unknown_protocol, eager, rendezvous);
	}
	if (c->guessed > 0)
		tv_run_warn(
			run,
			"the trace does not have all requests: waits complete the receives that "
			"arrive in them, and %u sends are taken to end in the first wait that "
			"could",
			c->guessed);
	if (c->buffered > 0)
		tv_run_warn(run,
			    "%u sends ended before their receive was posted, though larger than "
			    "--eager: they wait for nobody",
			    c->buffered);
	if (c->left_early > 0)
		tv_run_warn(run,
			    "%u calls left a collective operation without data before all had "
			    "come: they do not wait for these",
			    c->left_early);
}

static void warn_counts(struct tv_run *run, const struct tv_call_counts *c)
{
	if (c->overlaps > 0)
		tv_run_warn(run,
			    "%u calls begin before the one before them on their thread has ended",
			    c->overlaps);
	if (c->no_calls > 0)
		tv_run_warn(run, "%u messages have no calls that post them: left out", c->no_calls);
	if (c->cycles > 0)
		tv_run_warn(run, "%u dependences are left out: calls would wait for each other",
			    c->cycles);
	if (c->choices > 0)
		tv_run_warn(run,
			    "%u calls depend on which request is first (MPI_Waitany, MPI_Waitsome, "
			    "tests): they keep the recorded "
			    "order",
			    c->choices);
}

/* Where calls end before their partners come, clocks differ: what the smallest shifts of clocks give. */
static int warn_clocks(struct tv_run *run, const struct tv_mpi_replay *r, const char *verb,
		       struct tv_error *err)
{
	const struct tv_call_counts *c = &r->graph.counts;
	struct tv_call_rules rules = r->graph.rules;
	struct tv_mpi_replay repaired;
	int64_t *shift = tv_alloc(r->graph.calls->nranks, sizeof *shift);
	char late[40], whole[40], ideal[40];
	int status = 0;

	tv_time_text(late, sizeof late, c->contradicted, NULL);
	if (!tv_replay_shifts(&r->graph, shift)) {
		tv_run_warn(run,
			    "%u calls end before a partner for whom they wait has come (up to %s), "
			    "and no constant shift of "
			    "clocks mends that: transfer and the rungs are uncertain",
			    c->contradictions, late);
	} else {
		rules.shift = shift;
		status = tv_mpi_replay_init(&repaired, run, &rules, verb, err);
	}
	if (status == 0 && rules.shift != NULL) {
		tv_time_text(whole, sizeof whole, repaired.rung[TV_RUNG_RECORDED], NULL);
		tv_time_text(ideal, sizeof ideal, repaired.rung[TV_RUNG_IDEAL], NULL);
		tv_run_warn(run,
			    "%u calls end before a partner for whom they wait has come (up to %s): "
			    "clocks differ; with the smallest "
			    "shifts of clocks recorded %s, ideal network %s (--clock-offset)",
			    c->contradictions, late, whole, ideal);
		tv_mpi_replay_release(&repaired);
	}
	tv_free(shift);
	return status;
}

int tv_replay_warn(struct tv_run *run, const struct tv_mpi_replay *r, const char *verb,
		   struct tv_error *err)
{
	warn_fixed(run, r);
	warn_protocols(run, r);
	warn_counts(run, &r->graph.counts);
	return r->graph.counts.contradictions > 0 ? warn_clocks(run, r, verb, err) : 0;
}
