/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpi_replay.c -- how long an MPI program would take on an ideal network, and what its threads wait for. */
#include <math.h>
#include <stdlib.h>

#include "analysis/core/columns.h"
#include "analysis/core/cuts.h"
#include "analysis/mpi/replay_culprits.h"
#include "analysis/mpi/replay_delays.h"
#include "analysis/mpi/replay_warnings.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

struct asked {
	uint64_t eager;
	bool calls, threads;
	int64_t gap;
	int culprits;
	int delay_cost; /* enum tv_delayed; -1 = not asked for */
	const char *cut;
};

enum { BY_RANK, BY_PLACE };

static const struct tv_option_spec options[] = {
	{ "eager", "BYTES", NULL,
	  "messages up to this size do not wait for their receive (default: learned from the "
	  "trace)",
	  TV_OPTION_COUNT, 0, 0x1p60, TV_ASKED(eager) },
	{ "polling", "TIME", TV_POLLING_MS,
	  "tests of the same requests with at most this between them are one wait", TV_OPTION_TIME,
	  0, 0, TV_ASKED(gap) },
	{ "threads", NULL, NULL, "a row per thread instead: its time, and its end in each replay",
	  TV_ASKED(threads) },
	{ "calls", NULL, NULL,
	  "a row per call instead, and the ends of threads: when on the ideal network",
	  TV_ASKED(calls) },
	{ "culprits", "rank|place", NULL,
	  "who is to blame for the time without computation instead", TV_OPTION_CHOICE, 0, 0,
	  TV_ASKED(culprits) },
	{ "delay-cost", "rank|call", NULL,
	  "how much shorter the run is if computations of ranks, or calls, take the mean instead",
	  TV_OPTION_CHOICE, 0, 0, TV_ASKED(delay_cost) },
	{ "cut", "EXPR=TIME", NULL,
	  "with --delay-cost: TIME less before, or in, rows of --calls for which EXPR holds",
	  TV_OPTION_TEXT, 0, 0, TV_ASKED(cut) },
};

/* ---- rungs ---- */

#define COLUMNS(X) \
	X(REPLAY, "Replay", TV_LABEL, true, "", "what is left out of the recorded run") \
	X(TIME, "Time", TV_TIME, true, "ms", "how long that takes") \
	X(FACTOR, "FactorName", TV_LABEL, true, "", \
	  "factor of the parallel efficiency, see below") \
	X(VALUE, "Efficiency", TV_DOUBLE, true, "", "its value; 1 = nothing is lost")

TV_COLUMNS(columns, COLUMNS)

static void write_rung(struct tv_table *out, const char *run, int64_t time, const char *factor,
		       double value)
{
	uint32_t row = tv_table_add_row(out);

	tv_set_text(out->col[REPLAY], row, run);
	tv_set_int(out->col[TIME], row, time);
	tv_set_text(out->col[FACTOR], row, factor);
	if (!isnan(value))
		tv_set_double(out->col[VALUE], row, value);
}

static void write_rungs(const struct tv_mpi_replay *r, struct tv_table *out)
{
	struct tv_replay_factors f = tv_replay_factors(r);
	int64_t n = r->graph.nthreads;
	double whole = (double)n * (double)r->rung[TV_RUNG_RECORDED];

	write_rung(out, "recorded", r->rung[TV_RUNG_RECORDED], "parallel",
		   whole > 0 ? (double)r->useful / whole : NAN);
	write_rung(out, "calls that only post take no time", r->rung[TV_RUNG_CALLS], "runtime",
		   f.runtime);
	write_rung(out, "ideal network", r->rung[TV_RUNG_IDEAL], "transfer", f.transfer);
	write_rung(out, "busiest thread", r->busiest, "serialization", f.serialization);
	write_rung(out, "mean of the threads", (r->useful + n / 2) / n, "load balance",
		   f.load_balance);
}

/* ---- threads ---- */

#define THREAD_COLUMNS(X) \
	X(THREAD, "ResourceId", TV_LABEL, true, "", "thread") \
	X(THREAD_RANK, "Rank", TV_LABEL, true, "", "its rank") \
	X(USEFUL, "Useful", TV_TIME, true, "ms", "outside MPI calls and OpenMP's waits") \
	X(MPI, "MpiTime", TV_TIME, true, "ms", "in MPI calls") \
	X(PAUSED, "OpenMpWait", TV_TIME, true, "ms", "in OpenMP's waits") \
	X(THREAD_END, "End", TV_TIME, true, "ms", "end, as recorded") \
	X(CALLS_END, "CallsEnd", TV_TIME, true, "ms", "if calls that only post take no time") \
	X(IDEAL_END, "IdealEnd", TV_TIME, true, "ms", "on the ideal network")

TV_COLUMNS(thread_columns, THREAD_COLUMNS)

static void write_threads(const struct tv_mpi_replay *r, struct tv_table *out)
{
	const struct tv_call_graph *g = &r->graph;

	for (uint32_t t = 0; t < g->nthreads; t++) {
		const struct tv_replay_thread *sum = &r->thread[t];
		uint32_t row = tv_table_add_row(out);

		tv_set_label(out->col[THREAD], row, g->thread[t].resource);
		tv_set_label(out->col[THREAD_RANK], row, g->calls->rank[g->thread[t].rank]);
		tv_set_int(out->col[USEFUL], row, sum->useful);
		tv_set_int(out->col[MPI], row, sum->mpi);
		tv_set_int(out->col[PAUSED], row, sum->paused);
		for (int rung = 0; rung < TV_NRUNGS; rung++)
			tv_set_int(out->col[THREAD_END + rung], row, sum->end[rung]);
	}
}

/* ---- calls ---- */

#define CALL_COLUMNS(X) \
	X(CALL_THREAD, "ResourceId", TV_LABEL, true, "", "thread") \
	X(CALL, "Call", TV_LABEL, true, "", "function; of a loop of tests the first") \
	X(CALL_SITE, "Site", TV_LABEL, false, "", "place in the program that calls it") \
	X(START, "Start", TV_TIME, true, "ms", "begin, as recorded") \
	X(END, "End", TV_TIME, true, "ms", \
	  "end, as recorded; of a loop of tests that of the last") \
	X(STATE, "State", TV_LABEL, true, "", "late sender, late receiver or wait at collective") \
	X(WAIT, "Wait", TV_TIME, true, "ms", "until the last partner had come") \
	X(OTHER, "OtherRank", TV_LABEL, true, "", "rank of that partner") \
	X(REST, "Rest", TV_TIME, true, "ms", "from then on to the end") \
	X(OUTSIDE, "PartnerOutside", TV_TIME, true, "ms", \
	  "part of Rest in which the other thread of the message was in no MPI call") \
	X(IDEAL_START, "IdealStart", TV_TIME, true, "ms", "begin on the ideal network") \
	X(IDEAL_CALL_END, "IdealEnd", TV_TIME, true, "ms", "end on the ideal network") \
	X(REPLAYED, "Role", TV_LABEL, true, "", \
	  "waits, posts (also asks, creates), ends (of the thread, no call), or why it keeps its " \
	  "recorded duration") \
	X(CALL_RANK, "Rank", TV_LABEL, true, "", "rank of the thread") \
	X(COMPUTED, "Computed", TV_TIME, true, "ms", \
	  "its time between the call before and this one, or the end") \
	X(ORIGIN, "Origin", TV_LABEL, true, "", \
	  "rank that sends the message that the call completes (of several the last)") \
	X(DEST, "Dest", TV_LABEL, true, "", "rank that receives that message") \
	X(SIZE, "Size", TV_INT, true, "bytes", "its size") \
	X(TAG, "Tag", TV_INT, false, "", "its tag")

TV_COLUMNS(call_columns, CALL_COLUMNS)

/* Time of a thread in nodes before each of them and behind the last. */
static int64_t *sum_calls(const struct tv_call_graph *g)
{
	int64_t *before = tv_alloc((size_t)g->n + 1, sizeof *before);

	for (uint32_t i = 0; i < g->n; i++)
		before[i + 1] = before[i]
			      + (g->node[i].row == TV_NONE
					 ? 0
					 : tv_node_end(g, i) - tv_node_begin(g, i));
	return before;
}

/* Time of a thread in calls before an instant. */
static int64_t called_before(const struct tv_call_graph *g, uint32_t thread, const int64_t *before,
			     int64_t time)
{
	const struct tv_call_thread *t = &g->thread[thread];
	size_t i;
	int64_t over;

	TV_LOWER_BOUND(i, t->first, t->first + t->n, tv_node_begin(g, (uint32_t)i) < time);
	if (i == t->first)
		return 0;
	over = g->node[i - 1].row == TV_NONE ? 0 : tv_node_end(g, (uint32_t)i - 1) - time;
	return before[i] - before[t->first] - (over > 0 ? over : 0);
}

static const char *state_of(const struct tv_call_graph *g, const struct tv_dependence *d)
{
	if (d->message == TV_NONE)
		return "wait at collective";
	return d->rendezvous
			    && tv_kind_of_row(g, g->node[d->event / 2].row).kind != TV_KIND_EXCHANGE
		     ? "late receiver"
		     : "late sender";
}

static void write_wait(const struct tv_call_graph *g, uint32_t node, const uint32_t *joint_thread,
		       struct tv_column *const *to, uint32_t row)
{
	int64_t came;
	uint32_t which, thread = tv_replay_awaited(g, node, joint_thread, &came, &which);

	if (thread == TV_NONE || g->node[node].row == TV_NONE)
		return;
	came = came < tv_node_end(g, node) ? came : tv_node_end(g, node);
	tv_set_text(to[STATE], row, state_of(g, &g->dependence[which]));
	tv_set_int(to[WAIT], row, came - tv_node_begin(g, node));
	tv_set_label(to[OTHER], row, g->calls->rank[g->thread[thread].rank]);
}

static void write_outside(const struct tv_call_graph *g, uint32_t node, const int64_t *before,
			  struct tv_column *to, uint32_t row)
{
	const struct tv_call_node *n = &g->node[node];
	const struct tv_call_message *m = n->message == TV_NONE ? NULL : &g->message[n->message];
	int64_t rest = tv_node_rest(g, node, false), end = tv_node_end(g, node);
	uint32_t other;

	if (m == NULL || m->receive == TV_NONE || n->how != TV_NODE_WAIT || rest <= 0)
		return;
	other = g->node[m->send].thread == n->thread ? g->node[m->receive].thread
						     : g->node[m->send].thread;
	tv_set_int(to, row,
		   rest
			   - (called_before(g, other, before, end)
			      - called_before(g, other, before, end - rest)));
}

/* The end of a thread, if it computes behind its last call. */
static void write_end(const struct tv_mpi_replay *r, uint32_t thread, struct tv_table *out)
{
	const struct tv_call_graph *g = &r->graph;
	const int64_t *end = r->thread[thread].end;
	int64_t computed = tv_replay_length(g, tv_event_of_thread(g, thread));
	uint32_t row;

	if (computed == 0)
		return;
	row = tv_table_add_row(out);
	tv_set_label(out->col[CALL_THREAD], row, g->thread[thread].resource);
	tv_set_int(out->col[START], row, end[TV_RUNG_RECORDED]);
	tv_set_int(out->col[END], row, end[TV_RUNG_RECORDED]);
	tv_set_int(out->col[IDEAL_START], row, end[TV_RUNG_IDEAL]);
	tv_set_int(out->col[IDEAL_CALL_END], row, end[TV_RUNG_IDEAL]);
	tv_set_text(out->col[REPLAYED], row, "ends");
	tv_set_label(out->col[CALL_RANK], row, g->calls->rank[g->thread[thread].rank]);
	tv_set_int(out->col[COMPUTED], row, computed);
}

/* The message that a call completes. */
static void write_message(const struct tv_call_graph *g, uint32_t message,
			  struct tv_column *const *to, uint32_t row)
{
	const struct tv_call_message *m = message == TV_NONE ? NULL : &g->message[message];
	int64_t tag;

	if (m == NULL || m->receive == TV_NONE)
		return;
	tag = tv_call_number(g->calls, TV_CALL_TAG, g->node[m->send].row);
	tv_set_label(to[ORIGIN], row, g->calls->rank[g->thread[g->node[m->send].thread].rank]);
	tv_set_label(to[DEST], row, g->calls->rank[g->thread[g->node[m->receive].thread].rank]);
	tv_set_int(to[SIZE], row, m->bytes);
	if (tag != TV_NO_NUMBER)
		tv_set_int(to[TAG], row, tag);
}

static void write_calls(const struct tv_mpi_replay *r, struct tv_table *out)
{
	const struct tv_call_graph *g = &r->graph;
	uint32_t *joint_thread = tv_replay_last_threads(g);
	int64_t *before = sum_calls(g);
	struct tv_column *const *to = out->col;

	for (uint32_t i = 0; i < g->n; i++) {
		const struct tv_call_node *n = &g->node[i];
		uint32_t row;

		if (n->row == TV_NONE)
			continue;
		row = tv_table_add_row(out);
		tv_set_label(to[CALL_THREAD], row, g->thread[n->thread].resource);
		tv_set_label(to[CALL], row, tv_call_label(g->calls, TV_CALL_NAME, n->row));
		tv_set_label(to[CALL_SITE], row, tv_call_label(g->calls, TV_CALL_SITE, n->row));
		tv_set_int(to[START], row, tv_node_begin(g, i));
		tv_set_int(to[END], row, tv_node_end(g, i));
		write_wait(g, i, joint_thread, to, row);
		tv_set_int(to[REST], row, tv_node_rest(g, i, false));
		write_outside(g, i, before, to[OUTSIDE], row);
		tv_set_int(to[IDEAL_START], row, r->ideal[2 * i]);
		tv_set_int(to[IDEAL_CALL_END], row, r->ideal[2 * i + 1]);
		tv_set_text(to[REPLAYED], row,
			    n->how == TV_NODE_FIXED  ? tv_fixed_reason_name[n->reason]
			    : n->how == TV_NODE_WAIT ? "waits"
						     : "posts");
		tv_set_label(to[CALL_RANK], row, g->calls->rank[g->thread[n->thread].rank]);
		tv_set_int(to[COMPUTED], row, tv_replay_length(g, 2 * i));
		write_message(g, n->message, to, row);
	}
	for (uint32_t t = 0; t < g->nthreads; t++)
		write_end(r, t, out);
	tv_free(joint_thread);
	tv_free(before);
}

/* ---- culprits ---- */

#define CULPRIT_COLUMNS(X) \
	X(CULPRIT, "Culprit", TV_LABEL, true, "", \
	  "compute, message, collective, call, pause, start or outside") \
	X(CULPRIT_RANK, "Rank", TV_LABEL, true, "", \
	  "rank; of a message the sender; of outside: who was in no call; of a collective " \
	  "missing") \
	X(CULPRIT_TO, "ToRank", TV_LABEL, true, "", \
	  "receiver of a message; of outside the rank whose call waited for that") \
	X(CULPRIT_CALL, "Call", TV_LABEL, true, "", "function of a call or collective operation") \
	X(PLACE, "Site", TV_LABEL, true, "", \
	  "--culprits place: place of the call (OpenMP: or wait); of a computation of that " \
	  "before it") \
	X(NEXT_PLACE, "NextSite", TV_LABEL, true, "", \
	  "--culprits place: of a computation the place of the call behind it") \
	X(CULPRIT_TIME, "Time", TV_TIME, true, "ms", "of all threads, in which it is to blame") \
	X(DIRECT, "Direct", TV_TIME, true, "ms", "part of those that wait for it themselves") \
	X(PROPAGATED, "Propagated", TV_TIME, true, "ms", \
	  "part of those that wait for others who do") \
	X(EXCESS, "Excess", TV_TIME, true, "ms", \
	  "Time x the part of each computation, message or call above the mean of its kind")

TV_COLUMNS(culprit_columns, CULPRIT_COLUMNS)

/* Labels; TV_NONE = missing. */
struct named_culprit {
	uint32_t kind, rank, to, call, place, next;
	int64_t time, direct;
	double excess; /* ns */
};

TV_ORDER(by_name, struct named_culprit, kind, rank, to, call, place, next)
TV_ORDER(by_time, struct named_culprit, down(time), kind, rank, to, call, place, next)

static uint32_t label_of(const struct tv_call_graph *g, enum tv_call_column column, uint32_t node)
{
	uint32_t row = node == TV_NONE ? TV_NONE : g->node[node].row;

	return row == TV_NONE ? TV_NONE : tv_call_label(g->calls, column, row);
}

/* The place of a call, or of the construct of OpenMP in which a thread pauses. */
static uint32_t place_of(const struct tv_call_graph *g, uint32_t node)
{
	const struct tv_table *states = tv_trace_table(g->calls->trace, TV_STATES);
	const struct tv_column *site = tv_table_find(states, "Site");

	if (node == TV_NONE || g->node[node].row != TV_NONE)
		return label_of(g, TV_CALL_SITE, node);
	return site == NULL || g->node[node].last == TV_NONE ? TV_NONE
							     : tv_label(site, g->node[node].last);
}

/* The node of a thread behind another one, or its first; TV_NONE = there is none. */
static uint32_t node_after(const struct tv_call_graph *g, uint32_t thread, uint32_t node)
{
	const struct tv_call_thread *t = &g->thread[thread];
	uint32_t next = node == TV_NONE ? t->first : node + 1;

	return t->n > 0 && next < t->first + t->n ? next : TV_NONE;
}

/* The part of what a culprit took above the mean of its kind. */
static double part_above(const struct tv_call_graph *g, const struct tv_culprit *c,
			 const int64_t *excess)
{
	uint32_t event = 2 * c->node + 1;

	if (c->kind == TV_CULPRIT_START)
		return 0;
	if (c->kind == TV_CULPRIT_COMPUTE) {
		uint32_t next = node_after(g, c->thread, c->node);

		event = next == TV_NONE ? tv_event_of_thread(g, c->thread) : 2 * next;
	}
	return excess[event] == 0 ? 0 : (double)excess[event] / (double)tv_replay_length(g, event);
}

static struct named_culprit name_culprit(const struct tv_call_graph *g, const struct tv_culprit *c,
					 bool places, const int64_t *excess)
{
	bool computes = c->kind == TV_CULPRIT_COMPUTE, together = c->kind == TV_CULPRIT_COLLECTIVE;
	struct named_culprit named = {
		.kind = c->kind,
		.rank = together ? TV_NONE : g->calls->rank[g->thread[c->thread].rank],
		.to = c->to == TV_NONE ? TV_NONE : g->calls->rank[g->thread[c->to].rank],
		.call = TV_NONE,
		.place = TV_NONE,
		.next = TV_NONE,
		.time = c->direct + c->further,
		.direct = c->direct,
		.excess = (double)(c->direct + c->further) * part_above(g, c, excess)
	};

	if (together)
		named.call = tv_call_label(g->calls, TV_CALL_NAME, g->node[c->node].about);
	else if (c->kind == TV_CULPRIT_CALL)
		named.call = label_of(g, TV_CALL_NAME, c->node);
	if (places) {
		named.place = place_of(g, c->node);
		if (computes)
			named.next = place_of(g, node_after(g, c->thread, c->node));
	}
	return named;
}

static uint32_t add_equal(struct named_culprit *named, size_t n)
{
	uint32_t kept = 0;

	if (n > 1)
		qsort(named, n, sizeof *named, by_name);
	for (size_t i = 0; i < n; i++) {
		if (kept > 0 && by_name(&named[kept - 1], &named[i]) == 0) {
			named[kept - 1].time += named[i].time;
			named[kept - 1].direct += named[i].direct;
			named[kept - 1].excess += named[i].excess;
		} else {
			named[kept++] = named[i];
		}
	}
	if (kept > 1)
		qsort(named, kept, sizeof *named, by_time);
	return kept;
}

static void write_culprits(const struct tv_mpi_replay *r, bool places, struct tv_table *out)
{
	const struct tv_call_graph *g = &r->graph;
	size_t n;
	struct tv_culprit *culprit = tv_replay_culprits(g, &n);
	struct named_culprit *named = tv_alloc(n, sizeof *named);
	int64_t *excess = tv_replay_excess(g);
	struct tv_column *const *to = out->col;
	uint32_t rows;

	for (size_t i = 0; i < n; i++)
		named[i] = name_culprit(g, &culprit[i], places, excess);
	rows = add_equal(named, n);
	for (uint32_t i = 0; i < rows; i++) {
		uint32_t row = tv_table_add_row(out);

		tv_set_text(to[CULPRIT], row, tv_culprit_name[named[i].kind]);
		tv_set_label(to[CULPRIT_RANK], row, named[i].rank);
		tv_set_label(to[CULPRIT_TO], row, named[i].to);
		tv_set_label(to[CULPRIT_CALL], row, named[i].call);
		tv_set_label(to[PLACE], row, named[i].place);
		tv_set_label(to[NEXT_PLACE], row, named[i].next);
		tv_set_int(to[CULPRIT_TIME], row, named[i].time);
		tv_set_int(to[DIRECT], row, named[i].direct);
		tv_set_int(to[PROPAGATED], row, named[i].time - named[i].direct);
		tv_set_int(to[EXCESS], row, llround(named[i].excess));
	}
	tv_free(culprit);
	tv_free(excess);
	tv_free(named);
}

/* ---- the pass ---- */

static int check_options(const struct tv_options *given, struct tv_error *err)
{
	const struct asked *chosen = given->chosen;

	if (chosen->calls + chosen->threads + (chosen->delay_cost >= 0) + (chosen->culprits >= 0)
	    > 1)
		return tv_fail_usage(err, "--calls, --threads, --culprits and --delay-cost are "
					  "tables of their own: give one of them");
	if (chosen->cut != NULL && chosen->delay_cost < 0)
		return tv_fail_usage(err, "--cut needs --delay-cost");
	return tv_cut_check(chosen->cut, err);
}

static int write_delays(struct tv_run *run, const struct tv_mpi_replay *r,
			const struct asked *chosen, struct tv_table *out, struct tv_error *err)
{
	struct tv_table calls;
	int rc;

	tv_table_init(&calls, out->pool);
	tv_add_fields(&calls, call_columns, TV_COUNT(call_columns));
	if (chosen->cut != NULL)
		write_calls(r, &calls);
	rc = tv_replay_delays(run, &r->graph, (enum tv_delayed)chosen->delay_cost, chosen->cut,
			      &calls, out, err);
	tv_table_release(&calls);
	return rc;
}

static int write(struct tv_run *run, const struct tv_mpi_replay *r, const struct asked *chosen,
		 struct tv_table *out, struct tv_error *err)
{
	if (chosen->delay_cost >= 0)
		return write_delays(run, r, chosen, out, err);
	if (chosen->calls) {
		tv_add_fields(out, call_columns, TV_COUNT(call_columns));
		write_calls(r, out);
	} else if (chosen->threads) {
		tv_add_fields(out, thread_columns, TV_COUNT(thread_columns));
		write_threads(r, out);
	} else if (chosen->culprits >= 0) {
		tv_add_fields(out, culprit_columns, TV_COUNT(culprit_columns));
		write_culprits(r, chosen->culprits == BY_PLACE, out);
	} else {
		tv_add_fields(out, columns, TV_COUNT(columns));
		write_rungs(r, out);
	}
	return 0;
}

static int run_mpi_replay(struct tv_run *run, const struct tv_options *given, struct tv_table *out,
			  struct tv_error *err)
{
	const struct asked *chosen = given->chosen;
	const struct tv_call_rules rules = { .eager_given = tv_option_given(given, "eager"),
					     .eager = (int64_t)chosen->eager,
					     .gap = chosen->gap };
	struct tv_mpi_replay replay;
	int status;

	if (tv_mpi_replay_init(&replay, run, &rules, "mpi-replay", err) < 0)
		return -1;
	status = write(run, &replay, chosen, out, err);
	if (status == 0)
		status = tv_replay_warn(run, &replay, "mpi-replay", err);
	tv_mpi_replay_release(&replay);
	return status;
}

static const struct tv_columns forms[] = {
	{ thread_columns, TV_COUNT(thread_columns), "--threads" },
	{ call_columns, TV_COUNT(call_columns), "--calls" },
	{ culprit_columns, TV_COUNT(culprit_columns), "--culprits" },
	{ tv_replay_delay_columns, TV_REPLAY_DELAY_COLUMNS, "--delay-cost" }
};

const struct tv_pass tv_pass_mpi_replay = {
	.name = "mpi-replay",
	.summary = "Replay MPI calls on an ideal network: transfer, serialization, culprits",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_MPI,
	.taskless = true,
	.windowless = true,
	.varies = true,
	.needs = "calls links resources states",
	.refuses_tasks = true,
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_COLUMNS(columns),
	TV_PASS_FORMS(forms),
	.check = check_options,
	.notes =
		"Computation between calls lasts as recorded; a call ends when the last partner "
		"for\n"
		"whom it waits has come, and, but on the ideal network, as much later as it did "
		"in\n"
		"the recording. A rung below another one takes out one kind of loss:\n"
		"  runtime        calls that only post, ask or create requests\n"
		"  transfer       what calls took from the moment on when all partners were "
		"there:\n"
		"                 latency, bandwidth, copies, algorithms, a transfer that nobody\n"
		"                 drives\n"
		"  serialization  waits for partners that compute or wait\n"
		"  load balance   some threads compute more than others\n"
		"  parallel       the product of these four: useful time / (threads x recorded)\n"
		"Time is that from the end of MPI_Init to the begin of MPI_Finalize. A receive "
		"waits\n"
		"for its send; a send for its receive unless the message is buffered; collective\n"
		"operations by kind: all for all, from the root, to the root, scan. Which sizes "
		"are\n"
		"buffered is learned from the trace or given by --eager; where it is open and\n"
		"matters, a warning has both ends. Calls that cannot be replayed keep their\n"
		"duration and are reported with their number and time.\n"
		"--threads: ResourceId, Rank, Useful, MpiTime, OpenMpWait; End as recorded, "
		"CallsEnd if\n"
		"calls that only post take no time, IdealEnd on the ideal network.\n"
		"--calls: ResourceId, Call, Site, Start, End; State, Wait and OtherRank of the "
		"partner\n"
		"that came last; Rest, from then on to the end; PartnerOutside, the part of it in "
		"which\n"
		"the other thread of the message was in no MPI call; IdealStart and IdealEnd; "
		"Role\n"
		"(waits, posts, or why it keeps its recorded duration); Rank; Computed, the time "
		"before it;\n"
		"the last rows are the ends of the threads (Role ends: Computed is the time behind "
		"the\n"
		"last call);\n"
		"Origin, Dest, Size and Tag of the message that it completes.\n"
		"--culprits: Culprit (compute, message, collective, call, pause, start; outside: "
		"Rank\n"
		"was in no call, so that a message of ToRank, to it or from it, did not end), "
		"Rank, ToRank,\n"
		"Call, Site, NextSite; Time, the sum of Direct (of threads that wait for it) and\n"
		"Propagated (of those that wait for others who do). The sum of Time is all time "
		"in\n"
		"which threads do not compute. Excess is the part of it above the mean of its "
		"kind:\n"
		"of computations between the same two places, the same time in each thread; of "
		"calls\n"
		"of the same function and size.\n"
		"--delay-cost cuts these parts from the recorded run.\n"
		"Source: POP's standard metrics (serialization, transfer).",
	.example = "traceviz mpi-replay data/mpi-halo",
	.run = run_mpi_replay,
};
