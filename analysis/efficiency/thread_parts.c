/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thread_parts.c -- ladders of parts of a program without tasks. */

#include "analysis/calls/iterations.h"
#include "analysis/core/curves.h"
#include "analysis/core/instances.h"
#include "analysis/core/steps.h"
#include "analysis/efficiency/parts.h"
#include "analysis/efficiency/thread_ladder.h"
#include "analysis/mpi/replay_warnings.h"
#include "analysis/calls/thread_time.h"
#include "trace/alloc.h"

struct thread_parts {
	struct tv_efficiency_parts *parts;
	struct tv_run *run;
	struct tv_ladder_threads threads;
};

static int make_windows(struct thread_parts *work, int64_t step_ns, struct tv_error *err)
{
	struct tv_slices slices = { work->threads.begin, work->threads.end, step_ns };
	uint64_t n;

	if (tv_step_check(slices.begin, slices.end, step_ns, work->threads.n, err) < 0)
		return -1;
	n = slices.begin == slices.end ? 1 : tv_slices_count(&slices);
	work->parts->at = tv_alloc(n, sizeof *work->parts->at);
	for (uint64_t i = 0; i < n; i++)
		tv_efficiency_part_add(work->parts, "threads", NULL, tv_slices_begin(&slices, i),
				       tv_slices_end(&slices, i));
	return 0;
}

static int make_iterations(struct thread_parts *work, struct tv_error *err)
{
	struct tv_iterations found;
	int rc = 0;

	tv_iterations_find(&found, work->run);
	if (found.n == 0)
		rc = tv_fail(err, "no iterations: %s; --by window divides the run by time",
			     found.why);
	work->parts->at = tv_alloc(found.n, sizeof *work->parts->at);
	/* With the work since the one before: of a loop that computes, then calls, that is its work. */
	for (uint32_t i = 0; i < found.n; i++)
		tv_efficiency_part_add(work->parts, "threads", tv_format("%u", i + 1),
				       i > 0 && found.at[i - 1].end < found.at[i].begin
					       ? found.at[i - 1].end
					       : found.at[i].begin,
				       found.at[i].end);
	tv_iterations_release(&found);
	return rc;
}

static void make_nodes(struct thread_parts *work)
{
	const struct tv_ladder_threads *threads = &work->threads;

	work->parts->at = tv_alloc(threads->nnodes, sizeof *work->parts->at);
	for (uint32_t k = 0; k < threads->nnodes; k++) {
		uint32_t label = threads->node[k];

		tv_efficiency_part_add(
			work->parts, "threads",
			label == TV_NONE ? NULL
					 : tv_strdup(tv_pool_text(work->run->trace->pool, label)),
			threads->begin, threads->end);
		tv_ladder_set_useful(&work->parts->at[k].ladder, threads, NULL, k);
	}
}

/* When a thread with calls was in one, or paused: disjoint, ascending. */
static uint32_t lost_in_calls(const struct tv_call_graph *g, const struct tv_call_thread *t,
			      struct tv_span *lost)
{
	for (uint32_t i = 0; i < t->n; i++)
		lost[i] = (struct tv_span){ tv_node_begin(g, t->first + i),
					    tv_node_end(g, t->first + i) };
	return tv_spans_merge(lost, t->n, (struct tv_span){ t->begin, t->end });
}

static struct tv_span common(struct tv_span a, struct tv_span b)
{
	struct tv_span c = { a.begin > b.begin ? a.begin : b.begin, a.end < b.end ? a.end : b.end };

	c.end = c.end < c.begin ? c.begin : c.end;
	return c;
}

/* Useful time, part x thread, ns. */
static void split_useful(const struct thread_parts *work, int64_t *useful)
{
	const struct tv_ladder_threads *threads = &work->threads;
	const struct tv_call_graph *g = &threads->replay.graph;
	struct tv_span *own = threads->calls ? tv_alloc(g->n, sizeof *own) : NULL;
	const struct tv_threads *states = threads->calls ? NULL : tv_run_threads(work->run);

	for (uint32_t t = 0; t < threads->n; t++) {
		const struct tv_span *lost = own != NULL ? own : states->at[t].lost;
		uint32_t n = own != NULL ? lost_in_calls(g, &g->thread[t], own)
					 : states->at[t].nlost;

		for (size_t i = 0; i < work->parts->n; i++) {
			const struct tv_efficiency_part *part = &work->parts->at[i];
			struct tv_span in = common(threads->at[t].time,
						   (struct tv_span){ part->begin, part->end });

			useful[i * threads->n + t] = in.end - in.begin
						   - tv_spans_within(lost, n, in);
		}
	}
	tv_free(own);
}

/* What spans add to the replays. */
static void replay_spans(const struct thread_parts *work)
{
	static const struct {
		enum tv_ladder_rung rung;
		enum tv_rung replay;
	} rungs[] = { { TV_LADDER_RUNG_RUNTIME, TV_RUNG_CALLS },
		      { TV_LADDER_RUNG_TRANSFER, TV_RUNG_IDEAL } };
	const struct tv_mpi_replay *replay = &work->threads.replay;

	for (size_t k = 0; k < TV_COUNT(rungs) - !replay->determined; k++) {
		int64_t *at = tv_replay_instants(&replay->graph, rungs[k].replay, false);

		for (size_t i = 0; i < work->parts->n; i++) {
			struct tv_efficiency_part *part = &work->parts->at[i];

			part->replayed[rungs[k].rung] =
				(long double)(tv_replay_reaches(&replay->graph, at, part->end)
					      - tv_replay_reaches(&replay->graph, at, part->begin));
		}
		tv_free(at);
	}
}

static void measure_spans(struct thread_parts *work)
{
	uint32_t n = work->threads.n;
	int64_t *useful = tv_alloc(work->parts->n * n, sizeof *useful);

	split_useful(work, useful);
	for (size_t i = 0; i < work->parts->n; i++)
		tv_ladder_set_useful(&work->parts->at[i].ladder, &work->threads, useful + i * n,
				     TV_NONE);
	tv_free(useful);
	if (work->threads.calls)
		replay_spans(work);
}

int tv_thread_parts_init(struct tv_efficiency_parts *parts, struct tv_run *run,
			 enum tv_part_key key, int64_t step_ns, const char *region,
			 struct tv_error *err)
{
	struct thread_parts work = { .parts = parts, .run = run };
	int rc = tv_ladder_threads_init(&work.threads, run, err);

	if (rc == 0 && work.threads.calls)
		rc = tv_replay_warn(run, &work.threads.replay, "efficiency", err);
	if (rc == 0 && key == TV_PART_NODE) {
		make_nodes(&work);
	} else if (rc == 0) {
		rc = key == TV_PART_WINDOW ? make_windows(&work, step_ns, err)
		   : key != TV_PART_REGION
			   ? make_iterations(&work, err)
			   : tv_efficiency_parts_of_region(parts, "threads", run, region, err);
		if (rc == 0)
			measure_spans(&work);
	}
	tv_ladder_threads_release(&work.threads);
	return rc;
}
