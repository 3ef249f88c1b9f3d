/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replay_delays.c -- how much shorter the recorded run is if some computations or calls take less time. */
#include "analysis/mpi/replay_delays.h"

#include <stdlib.h>

#include "analysis/core/columns.h"
#include "analysis/core/cuts.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/units.h"

#define COLUMNS(X) \
	X(GROUP, "Section", TV_LABEL, true, "", \
	  "none: the recorded run; all: all cuts together; rank, link or function") \
	X(RANK, "Rank", TV_LABEL, false, "", "rank; of a link the one that sends") \
	X(TO, "ToRank", TV_LABEL, false, "", "of a link: the rank that receives") \
	X(CALL, "Call", TV_LABEL, false, "", "function of calls that complete no message") \
	X(COUNT, "Count", TV_INT, true, "", "computations or calls that are cut") \
	X(CUT, "Cut", TV_TIME, true, "ms", "time that is cut, sum") \
	X(REPLAY, "ReplayTime", TV_TIME, true, "ms", "how long the run takes with this cut") \
	X(COST, "DelayCost", TV_TIME, true, "ms", "ReplayTime of the row none minus ReplayTime")

enum { COLUMNS(TV_COLUMN_ID) };

const struct tv_field tv_replay_delay_columns[TV_REPLAY_DELAY_COLUMNS] = { COLUMNS(TV_COLUMN_ROW) };

/* ---- parts of the run ---- */

static uint32_t nevents(const struct tv_call_graph *g)
{
	return 2 * g->n + g->nthreads;
}

static uint32_t thread_of(const struct tv_call_graph *g, uint32_t event)
{
	return event >= 2 * g->n ? event - 2 * g->n : g->node[event / 2].thread;
}

/* The nodes before and after the computation that ends with an event; TV_NONE = there is none. */
static void around(const struct tv_call_graph *g, uint32_t event, uint32_t *before, uint32_t *after)
{
	const struct tv_call_thread *t = &g->thread[thread_of(g, event)];

	*after = event >= 2 * g->n ? TV_NONE : event / 2;
	*before = t->n == 0 || *after == t->first ? TV_NONE
		: *after == TV_NONE		  ? t->first + t->n - 1
						  : *after - 1;
}

int64_t tv_replay_length(const struct tv_call_graph *g, uint32_t event)
{
	const struct tv_call_thread *t = &g->thread[thread_of(g, event)];
	uint32_t before, after;
	int64_t length;

	around(g, event, &before, &after);
	if (event < 2 * g->n && event % 2 != 0)
		length = g->node[event / 2].how == TV_NODE_PAUSE
			       ? 0
			       : tv_node_rest(g, event / 2, false);
	else
		length = (after == TV_NONE ? t->end : tv_node_begin(g, after))
		       - (before == TV_NONE ? t->begin : tv_node_end(g, before));
	return length > 0 ? length : 0;
}

/* ---- kinds ---- */

static uint32_t place_of(const struct tv_call_graph *g, uint32_t node)
{
	uint32_t row = node == TV_NONE ? TV_NONE : g->node[node].row;
	uint32_t site = row == TV_NONE ? TV_NONE : tv_call_label(g->calls, TV_CALL_SITE, row);

	return row == TV_NONE || site != TV_NONE ? site
						 : tv_call_label(g->calls, TV_CALL_NAME, row);
}

static int64_t size_of(const struct tv_call_graph *g, const struct tv_call_node *node)
{
	return node->message != TV_NONE ? g->message[node->message].bytes
					: tv_call_number(g->calls, TV_CALL_BYTES, node->row);
}

struct kinds {
	const struct tv_call_graph *g;
	struct tv_map instance; /* of a pair of places and a thread: how many there were */
	struct tv_map number;	/* of kinds */
	struct kind {
		tv_int128 time;
		uint32_t n;
	} * at;
	size_t n, cap;
};

static uint32_t kind_of(struct kinds *kinds, uint32_t event)
{
	const struct tv_call_graph *g = kinds->g;
	uint32_t before, after, *number;
	uint64_t a, b;

	if (event < 2 * g->n && event % 2 != 0) {
		const struct tv_call_node *node = &g->node[event / 2];

		a = (uint64_t)tv_call_label(g->calls, TV_CALL_NAME, node->row) << 1 | 1;
		b = (uint64_t)size_of(g, node);
	} else {
		around(g, event, &before, &after);
		a = (uint64_t)place_of(g, before) << 32 | place_of(g, after);
		number = tv_map_at(&kinds->instance, a, thread_of(g, event));
		*number = *number == TV_NONE ? 0 : *number + 1;
		b = *number;
		a = a << 1;
	}
	number = tv_map_at(&kinds->number, a, b);
	if (*number == TV_NONE) {
		*number = (uint32_t)kinds->n;
		TV_GROW(kinds->at, kinds->n, kinds->cap, 1);
		kinds->at[kinds->n++] = (struct kind){ 0 };
	}
	return *number;
}

int64_t *tv_replay_excess(const struct tv_call_graph *g)
{
	struct kinds kinds = { .g = g };
	int64_t *excess = tv_alloc(nevents(g), sizeof *excess);
	uint32_t *kind = tv_alloc(nevents(g), sizeof *kind);

	for (uint32_t e = 0; e < nevents(g); e++) {
		kind[e] = TV_NONE;
		if (e < 2 * g->n && e % 2 != 0 && g->node[e / 2].how == TV_NODE_PAUSE)
			continue;
		kind[e] = kind_of(&kinds, e);
		kinds.at[kind[e]].time += tv_replay_length(g, e);
		kinds.at[kind[e]].n++;
	}
	for (uint32_t e = 0; e < nevents(g); e++) {
		int64_t above;

		if (kind[e] == TV_NONE)
			continue;
		above = tv_replay_length(g, e)
		      - (int64_t)(kinds.at[kind[e]].time / kinds.at[kind[e]].n);
		excess[e] = above > 0 ? above : 0;
	}
	tv_map_release(&kinds.instance);
	tv_map_release(&kinds.number);
	tv_free(kinds.at);
	tv_free(kind);
	return excess;
}

/* ---- cuts ---- */

struct group {
	uint32_t rank, to, call; /* labels; TV_NONE = missing */
	uint32_t count;
	tv_int128 cut;
	int64_t replay;
	uint32_t number;
};

struct replay_delays {
	const struct tv_call_graph *g;
	int64_t *cut, *some; /* by event; of one group */
	uint32_t *group_of;  /* by event with a cut */
	struct group *group;
	size_t n, cap;
	int64_t recorded;
};

/* Rows are the nodes that are calls, in their order, then the ends of threads that compute before them. */
static int cut_by(struct tv_run *run, struct replay_delays *work, enum tv_delayed what,
		  const char *cut, const struct tv_table *calls, struct tv_error *err)
{
	uint32_t held = 0, less = 0;
	char *why, time[40];
	bool any = false;
	int64_t ns;
	struct tv_expr *expr = tv_cut_rows(cut, calls, &ns, err);
	uint32_t row = 0;

	if (expr == NULL)
		return -1;
	for (uint32_t i = 0; i < nevents(work->g) - work->g->n; i++) {
		bool ends = i >= work->g->n, call = what == TV_DELAYED_CALLS;
		uint32_t event = ends ? i + work->g->n : 2 * i + call;
		int64_t length = tv_replay_length(work->g, event);
		bool listed = ends ? length > 0 : work->g->node[i].row != TV_NONE;

		if (listed && tv_expr_holds(expr, row++) && !(ends && call)) {
			work->cut[event] = ns < length ? ns : length;
			held++;
			less += length < ns;
		}
		any |= work->cut[event] > 0;
	}
	why = tv_expr_unmatched(expr);
	if (!any)
		tv_run_warn(run, "--cut: EXPR holds for no row of --calls that has time to lose%s",
			    why);
	tv_time_text(time, sizeof time, ns, NULL);
	if (any && less > 0)
		tv_run_warn(run,
			    "--cut: %u of %u rows have less than %s, and lose what they have%s",
			    less, held, time,
			    what == TV_DELAYED_CALLS
				    ? ": of a call, what it takes when its partners have come"
				    : "");
	tv_free(why);
	tv_expr_free(expr);
	return 0;
}

/* Computations, or calls. */
static void cut_to_mean(struct replay_delays *work, enum tv_delayed what)
{
	int64_t *excess = tv_replay_excess(work->g);

	for (uint32_t e = 0; e < nevents(work->g); e++)
		if ((e < 2 * work->g->n && e % 2 != 0) == (what == TV_DELAYED_CALLS))
			work->cut[e] = excess[e];
	tv_free(excess);
}

/* ---- groups ---- */

static struct group group_of(const struct tv_call_graph *g, uint32_t event, enum tv_delayed what)
{
	struct group group = { .rank = g->calls->rank[g->thread[thread_of(g, event)].rank],
			       .to = TV_NONE,
			       .call = TV_NONE };
	const struct tv_call_node *node;

	if (what == TV_DELAYED_COMPUTATIONS)
		return group;
	node = &g->node[event / 2];
	group.rank = TV_NONE;
	if (node->message == TV_NONE || g->message[node->message].receive == TV_NONE) {
		group.call = tv_call_label(g->calls, TV_CALL_NAME, node->row);
	} else {
		const struct tv_call_message *m = &g->message[node->message];

		group.rank = g->calls->rank[g->thread[g->node[m->send].thread].rank];
		group.to = g->calls->rank[g->thread[g->node[m->receive].thread].rank];
	}
	return group;
}

static void group_parts(struct replay_delays *work, enum tv_delayed what)
{
	struct tv_map number = { 0 };

	for (uint32_t e = 0; e < nevents(work->g); e++) {
		struct group group;
		uint32_t *at;

		if (work->cut[e] <= 0)
			continue;
		group = group_of(work->g, e, what);
		at = tv_map_at(&number, (uint64_t)group.rank << 32 | group.to, group.call);
		if (*at == TV_NONE) {
			*at = group.number = (uint32_t)work->n;
			TV_GROW(work->group, work->n, work->cap, 1);
			work->group[work->n++] = group;
		}
		work->group_of[e] = *at;
		work->group[*at].count++;
		work->group[*at].cut += work->cut[e];
	}
	tv_map_release(&number);
}

/* ---- rows ---- */

static void add_row(struct tv_table *out, const char *section, const struct replay_delays *work,
		    const struct group *group)
{
	uint32_t row = tv_table_add_row(out);

	tv_set_text(out->col[GROUP], row, section);
	tv_set_label(out->col[RANK], row, group->rank);
	tv_set_label(out->col[TO], row, group->to);
	tv_set_label(out->col[CALL], row, group->call);
	tv_set_int(out->col[COUNT], row, group->count);
	tv_set_int(out->col[CUT], row, tv_sum_ns(group->cut));
	tv_set_int(out->col[REPLAY], row, group->replay);
	tv_set_int(out->col[COST], row, work->recorded - group->replay);
}

TV_ORDER(by_replay, struct group, replay, number)

static void write_all(struct replay_delays *work, struct tv_table *out)
{
	struct group none = { .rank = TV_NONE,
			      .to = TV_NONE,
			      .call = TV_NONE,
			      .replay = work->recorded },
		     all = none;

	for (size_t i = 0; i < work->n; i++) {
		for (uint32_t e = 0; e < nevents(work->g); e++)
			work->some[e] = work->group_of[e] == i ? work->cut[e] : 0;
		work->group[i].replay = tv_replay_without(work->g, work->some);
		all.count += work->group[i].count;
		all.cut += work->group[i].cut;
	}
	all.replay = tv_replay_without(work->g, work->cut);
	if (work->n > 1)
		qsort(work->group, work->n, sizeof *work->group, by_replay);
	add_row(out, "none", work, &none);
	add_row(out, "all", work, &all);
	for (size_t i = 0; i < work->n; i++)
		add_row(out,
			work->group[i].to != TV_NONE	 ? "link"
			: work->group[i].call != TV_NONE ? "function"
							 : "rank",
			work, &work->group[i]);
}

int tv_replay_delays(struct tv_run *run, const struct tv_call_graph *g, enum tv_delayed what,
		     const char *cut, const struct tv_table *calls, struct tv_table *out,
		     struct tv_error *err)
{
	struct replay_delays work = { .g = g,
				      .cut = tv_alloc(nevents(g), sizeof *work.cut),
				      .some = tv_alloc(nevents(g), sizeof *work.some),
				      .group_of = tv_alloc(nevents(g), sizeof *work.group_of) };
	int rc = 0;

	tv_add_fields(out, tv_replay_delay_columns, TV_REPLAY_DELAY_COLUMNS);
	work.recorded = tv_replay_without(g, work.cut);
	if (cut != NULL)
		rc = cut_by(run, &work, what, cut, calls, err);
	else
		cut_to_mean(&work, what);
	if (rc == 0) {
		group_parts(&work, what);
		write_all(&work, out);
	}
	tv_free(work.cut);
	tv_free(work.some);
	tv_free(work.group_of);
	tv_free(work.group);
	return rc;
}
