/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load_balance.c -- what each node did: work, busy and idle time with its causes, messages. */
#include <math.h>
#include <stdlib.h>

#include "analysis/core/curves.h"
#include "analysis/core/exact.h"
#include "analysis/core/means.h"
#include "analysis/core/options.h"
#include "analysis/core/warnings.h"
#include "analysis/messages/message_list.h"
#include "dag/idle.h"
#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/number.h"
#include "trace/text.h"

#define COLUMNS(X) \
	X(NODE, "Node", TV_LABEL, false, "", "node; missing = all") \
	X(RTYPE, "ResourceType", TV_LABEL, false, "", \
	  "with --by type: type of the workers; missing = all") \
	X(WORKERS, "Workers", TV_INT, false, "", "number of workers of the row") \
	X(TASKS, "Tasks", TV_INT, false, "", "number of tasks that ran there; a team is one") \
	X(WORK, "Work", TV_DOUBLE, false, "GFlop", "work of the tasks; missing if none has GFlop") \
	X(BUSY, "Busy", TV_TIME, false, "ms", "time in tasks, sum over the workers") \
	X(OTHER, "Other", TV_TIME, false, "ms", \
	  "time in other tasks (setup, runtime), as in idleness") \
	X(IDLE, "Idle", TV_TIME, false, "ms", "idle time, sum over the workers") \
	X(IDLENESS, "Idleness", TV_DOUBLE, false, "%", \
	  "Idle over Workers x time of the run or window")

#define MORE_COLUMNS(X) \
	X(ABE, "ABE", TV_TIME, false, "ms", \
	  "area bound of the node, or of the run, as in bounds; missing with a window") \
	X(START, "Start", TV_TIME, false, "ms", "first start of a task; missing = none ran") \
	X(END, "End", TV_TIME, false, "ms", "last end of one") \
	X(SENT, "MessagesSent", TV_INT, false, "", "number of messages that the node sends") \
	X(SENT_BYTES, "BytesSent", TV_INT, false, "bytes", "sum of their sizes") \
	X(RECEIVED, "MessagesReceived", TV_INT, false, "", "number of messages that it receives") \
	X(RECEIVED_BYTES, "BytesReceived", TV_INT, false, "bytes", "sum of their sizes")

enum {
	COLUMNS(TV_COLUMN_ID) CAUSES,
	LAST_CAUSE = CAUSES + TV_IDLE_NCAUSES - 2, /* in-loop is the last column */
	MORE_COLUMNS(TV_COLUMN_ID) IN_LOOP,
	NCOLUMNS
};

static unsigned column_of(unsigned cause)
{
	return cause == TV_IDLE_IN_LOOP ? IN_LOOP : CAUSES + cause - (cause > TV_IDLE_IN_LOOP);
}

/* The workers of a node, or those of one type on it. */
struct group {
	uint32_t node, type; /* labels; TV_NONE = several */
	int64_t workers;
	tv_int128 busy, other, idle, cause[TV_IDLE_NCAUSES];
	struct tv_exact work; /* GFlop */
	/* What rows add to. */
	struct sums {
		int64_t tasks;
		int64_t known;	    /* tasks with GFlop */
		int64_t start, end; /* of its tasks; start > end = none */
		int64_t sent, received;
		tv_int128 sent_bytes, received_bytes;
	} sums;
};

static const struct sums no_sums = { .start = INT64_MAX, .end = INT64_MIN };

struct node_loads {
	struct tv_run *run;
	int64_t begin, end; /* of the run, or the window in it */
	bool by_type;
	struct group *group;
	size_t cap;
	uint32_t ngroups,
		nworking; /* nworking: with workers; the others are nodes that only send or receive */
	uint32_t *group_of;	 /* by worker; TV_NONE = not selected */
	struct tv_index of_node; /* by label of a node: its group, not by type */
	struct tv_message_counts messages;
	uint64_t unknown; /* tasks without GFlop, where others have it */
	struct tv_table *out;
};

/* ---- groups ---- */

static uint32_t add_group(struct node_loads *work, uint32_t node, uint32_t type)
{
	TV_GROW(work->group, work->ngroups, work->cap, 1);
	work->group[work->ngroups] = (struct group){ .node = node, .type = type, .sums = no_sums };
	return work->ngroups++;
}

/* By the order of the workers: by node, then by type. */
static void group_workers(struct node_loads *work)
{
	const struct tv_tasks *tasks = &work->run->tasks;
	uint32_t node = TV_NONE, type = TV_NONE;

	for (uint32_t w = 0; w < tasks->nworkers; w++) {
		const struct tv_worker *worker = &tasks->workers[w];

		work->group_of[w] = TV_NONE;
		if (!tv_run_has(work->run, w))
			continue;
		if (worker->node != node || (work->by_type && worker->rtype != type)) {
			node = worker->node;
			type = worker->rtype;
			add_group(work, tasks->node[node].label,
				  work->by_type ? tasks->rtype[type].label : TV_NONE);
		}
		work->group_of[w] = work->ngroups - 1;
		work->group[work->ngroups - 1].workers++;
	}
	work->nworking = work->ngroups;
	for (uint32_t g = 0; g < work->ngroups; g++)
		tv_index_set(&work->of_node, work->group[g].node, g);
}

/* The group of a node that has messages: one that only sends or receives has a row, too, if no workers are selected. */
static uint32_t group_of_node(struct node_loads *work, uint32_t node)
{
	uint32_t g = tv_index_get(&work->of_node, node);

	if (g != TV_NONE || work->run->chosen != NULL)
		return g;
	g = add_group(work, node, TV_NONE);
	tv_index_set(&work->of_node, node, g);
	return g;
}

static int by_name(const void *a, const void *b, void *pool)
{
	const struct group *x = a, *y = b;

	return tv_natural_order(tv_pool_text(pool, x->node), tv_pool_text(pool, y->node));
}

/* Brings the groups without workers into the order of their rows. */
static void sort_nodes(struct node_loads *work)
{
	if (work->ngroups > work->nworking + 1)
		qsort_r(work->group + work->nworking, work->ngroups - work->nworking,
			sizeof *work->group, by_name, work->run->trace->pool);
	for (uint32_t g = work->nworking; g < work->ngroups; g++)
		tv_index_set(&work->of_node, work->group[g].node, g);
}

/* ---- what they did ---- */

/* How much of an execution is in the window; one without length is there or not. */
static double share_inside(const struct node_loads *work, int64_t start, int64_t end)
{
	int64_t from = start > work->begin ? start : work->begin;
	int64_t to = end < work->end ? end : work->end;

	if (start == end)
		return from <= to;
	return from < to ? (double)(to - from) / (double)(end - start) : 0;
}

static void add_tasks(struct node_loads *work, const struct tv_tasks *tasks)
{
	const struct tv_column *gflop = tv_table_find(&tasks->trace->table[TV_TASKS], "GFlop");
	bool *met = tv_alloc(tasks->n, sizeof *met);

	for (uint32_t row = 0; row < tasks->n; row++) {
		uint32_t g = tasks->counted[row] ? work->group_of[tasks->worker[row]] : TV_NONE;
		struct sums *sums = g == TV_NONE ? NULL : &work->group[g].sums;
		double inside = sums == NULL
				      ? 0
				      : share_inside(work, tasks->start[row], tasks->end[row]);

		if (inside == 0)
			continue;
		if (tv_tasks_meet(tasks, met, row))
			sums->tasks += tasks->leads[tv_row_whole(tasks, row)];
		if (tasks->start[row] < sums->start)
			sums->start = tasks->start[row];
		if (tasks->end[row] > sums->end)
			sums->end = tasks->end[row];
		work->unknown += gflop != NULL && tv_missing(gflop, row)
			      && tv_row_begins(tasks, row);
		if (gflop == NULL || tv_missing(gflop, row))
			continue;
		sums->known++;
		tv_exact_add(&work->group[g].work, inside * gflop->d[row] * tv_row_share(tasks, row)
							   / tv_team_of(tasks, row));
	}
	tv_free(met);
}

static int add_messages(struct node_loads *work, struct tv_run *part, struct tv_error *err)
{
	const struct tv_messages *messages = tv_run_messages(part, err);
	struct tv_seen_messages seen;

	for (uint32_t n = 0; messages != NULL && n < messages->nnodes; n++)
		(void)group_of_node(work, messages->node[n]);
	if (messages != NULL && work->by_type) {
		work->messages.incomplete += messages->nincomplete;
		return 0;
	}
	if (tv_seen_messages_part(&seen, part, "load-balance", false, &work->messages, err) < 0)
		return -1;
	for (uint32_t i = 0; i < messages->n; i++) {
		const struct tv_message *m = &messages->at[i];
		uint32_t from = tv_index_get(&work->of_node, messages->node[m->origin]);
		uint32_t to = tv_index_get(&work->of_node, messages->node[m->dest]);

		if (!seen.seen[i])
			continue;
		if (from != TV_NONE) {
			work->group[from].sums.sent++;
			work->group[from].sums.sent_bytes += m->size;
		}
		if (to != TV_NONE) {
			work->group[to].sums.received++;
			work->group[to].sums.received_bytes += m->size;
		}
	}
	tv_seen_messages_release(&seen);
	return 0;
}

static int add_part(void *state, struct tv_run *part, struct tv_error *err)
{
	struct node_loads *work = state;

	add_tasks(work, &part->tasks);
	return add_messages(work, part, err);
}

static void add_sums(struct sums *to, const struct sums *more)
{
	to->tasks += more->tasks;
	to->known += more->known;
	to->start = more->start < to->start ? more->start : to->start;
	to->end = more->end > to->end ? more->end : to->end;
	to->sent += more->sent;
	to->received += more->received;
	to->sent_bytes += more->sent_bytes;
	to->received_bytes += more->received_bytes;
}

/* The sums of all processes. */
static void merge(struct node_loads *work, const struct tv_team *team)
{
	struct tv_pool *pool = work->run->trace->pool;
	struct tv_parcel pack = { 0 };
	struct tv_gathered all;

	tv_pack_number(&pack, work->ngroups);
	for (uint32_t g = 0; g < work->ngroups; g++) {
		tv_pack_label(&pack, pool, work->group[g].node);
		tv_pack_bytes(&pack, &work->group[g].sums, sizeof work->group[g].sums);
		tv_exact_pack(&work->group[g].work, &pack);
	}
	all = tv_team_gather(team, &pack);
	for (uint32_t rank = 0; rank < all.n; rank++) {
		struct tv_unpack from = tv_gathered_of(&all, rank);
		uint64_t n = tv_unpack_number(&from);

		for (uint32_t i = 0; i < n; i++) {
			uint32_t node = tv_unpack_label(&from, pool);
			struct tv_exact gflop = { 0 };
			struct sums sums;
			uint32_t g = i < work->nworking ? i : group_of_node(work, node);

			tv_unpack_bytes(&from, &sums, sizeof sums);
			tv_exact_unpack(rank == team->rank ? &gflop : &work->group[g].work, &from);
			if (rank != team->rank)
				add_sums(&work->group[g].sums, &sums);
			tv_exact_release(&gflop);
		}
	}
	tv_gathered_release(&all);
	tv_team_add(team, &work->unknown, 1);
}

static int add_rows(struct node_loads *work, struct tv_error *err)
{
	if (tv_run_bare_rows(work->run, add_part, work, err) < 0)
		return -1;
	if (work->run->team != NULL)
		merge(work, work->run->team);
	tv_message_counts_share(&work->messages, work->run);
	sort_nodes(work);
	tv_warn_workers(work->run);
	if (work->unknown > 0)
		tv_run_warn(work->run, "%lu tasks have no GFlop: they count as 0",
			    (unsigned long)work->unknown);
	return 0;
}

static int add_idleness(struct node_loads *work, struct tv_error *err)
{
	const struct tv_table *table = tv_run_pass_with(work->run, "idleness", err, NULL);

	if (table == NULL)
		return -1;
	for (uint32_t w = 0; w < work->run->tasks.nworkers; w++) {
		uint32_t g = work->group_of[w];

		if (g == TV_NONE)
			continue;
		work->group[g].busy += tv_table_find(table, "Busy")->i[w];
		work->group[g].other += tv_table_find(table, "Other")->i[w];
		work->group[g].idle += tv_table_find(table, "Idle")->i[w];
	}
	return 0;
}

/* Links come in parts, which idle-causes does not expect. */
static int check_links(const struct tv_run *run, struct tv_error *err)
{
	return run->parts != NULL && run->parts->of_table[TV_LINKS] > 0
		     ? tv_fail_parts(err,
				     "load-balance needs all rows at once: it is asked whether "
				     "idle workers waited for links; not with --no-causes")
		     : 0;
}

static int add_causes(struct node_loads *work, const char *can_run, struct tv_error *err)
{
	const struct tv_table *table = tv_run_pass_with(work->run, "idle-causes", err, "by",
							"worker", "can-run", can_run, NULL);
	const struct tv_column *resource, *cause, *time;
	uint32_t *worker_of;
	struct tv_index place = { 0 };

	if (table == NULL)
		return -1;
	resource = tv_table_find(table, "ResourceId");
	cause = tv_table_find(table, "Cause");
	time = tv_table_find(table, "Time");
	worker_of = tv_tasks_worker_of_label(&work->run->tasks);
	for (uint32_t c = 0; c < TV_IDLE_NCAUSES; c++)
		tv_index_set(&place, tv_intern_text(table->pool, tv_idle_cause_name(c)), c);
	for (uint32_t row = 0; row < table->nrows; row++) {
		uint32_t g = work->group_of[worker_of[tv_label(resource, row)]];

		work->group[g].cause[tv_index_get(&place, tv_label(cause, row))] += time->i[row];
	}
	tv_free(place.at);
	tv_free(worker_of);
	return 0;
}

/* ---- rows ---- */

static void add_to(struct group *all, const struct group *group)
{
	struct tv_two work = tv_exact_value(&group->work);

	all->workers += group->workers;
	all->busy += group->busy;
	all->other += group->other;
	all->idle += group->idle;
	for (int c = 0; c < TV_IDLE_NCAUSES; c++)
		all->cause[c] += group->cause[c];
	tv_exact_add(&all->work, work.high);
	tv_exact_add(&all->work, work.low);
	add_sums(&all->sums, &group->sums);
}

static void write_group(const struct node_loads *work, const struct group *group, bool causes)
{
	struct tv_column *const *to = work->out->col;
	const struct sums *sums = &group->sums;
	uint32_t row = tv_table_add_row(work->out);
	tv_int128 whole = (tv_int128)(work->end - work->begin) * group->workers;

	tv_set_label(to[NODE], row, group->node);
	tv_set_label(to[RTYPE], row, group->type);
	tv_set_int(to[WORKERS], row, group->workers);
	tv_set_int(to[TASKS], row, sums->tasks);
	if (sums->known > 0)
		tv_set_double(to[WORK], row, tv_exact_value(&group->work).high);
	tv_set_int(to[BUSY], row, tv_sum_ns(group->busy));
	tv_set_int(to[OTHER], row, tv_sum_ns(group->other));
	for (unsigned c = 0; causes && c < TV_IDLE_NCAUSES; c++)
		tv_set_int(to[column_of(c)], row, tv_sum_ns(group->cause[c]));
	tv_set_int(to[IDLE], row, tv_sum_ns(group->idle));
	if (whole > 0)
		tv_set_double(to[IDLENESS], row, 100 * (double)group->idle / (double)whole);
	if (sums->start <= sums->end) {
		tv_set_int(to[START], row, sums->start);
		tv_set_int(to[END], row, sums->end);
	}
	if (work->messages.messages == 0 || work->by_type)
		return;
	tv_set_int(to[SENT], row, sums->sent);
	tv_set_int(to[SENT_BYTES], row, tv_sum_ns(sums->sent_bytes));
	tv_set_int(to[RECEIVED], row, sums->received);
	tv_set_int(to[RECEIVED_BYTES], row, tv_sum_ns(sums->received_bytes));
}

static void set_abe(struct node_loads *work, uint32_t row, double ns)
{
	if (ns < 0x1p62)
		tv_set_int(work->out->col[ABE], row, llround(ns));
}

/* The area bound of the run, row 0, and of the nodes; a single node has that of the run. */
static int write_abe(struct node_loads *work, struct tv_error *err)
{
	const struct tv_estimates *estimates = tv_run_estimate_rows(work->run, err);
	const struct tv_tasks *tasks = &work->run->tasks;
	bool alone = tasks->nnodes == 1;

	if (estimates == NULL)
		return -1;
	for (uint32_t i = 0; i < estimates->n; i++) {
		const struct tv_means *means = &estimates->means[i];
		double ns, *ideal = tv_alloc((size_t)means->ntypes * means->nrtypes, sizeof *ideal);
		int rc = tv_means_area(means, &ns, ideal, err);
		uint32_t g = means->node != TV_NONE ? tasks->node[means->node].label
			   : alone		    ? tasks->node[0].label
						    : TV_NONE;

		tv_free(ideal);
		if (rc < 0)
			return -1;
		if (means->node == TV_NONE && work->run->chosen == NULL)
			set_abe(work, 0, ns);
		g = g == TV_NONE || work->by_type ? TV_NONE : tv_index_get(&work->of_node, g);
		if (g != TV_NONE)
			set_abe(work, g + 1, ns);
	}
	return 0;
}

struct asked {
	enum by { BY_NODE, BY_TYPE } by;
	const char *can_run; /* as for idle-causes */
	bool no_causes;
};

static int check_options(const struct tv_options *options, struct tv_error *err)
{
	const struct asked *asked = options->chosen;

	return asked->no_causes && tv_option_given(options, "can-run")
		     ? tv_fail_usage(err, "--can-run has no effect with --no-causes")
		     : 0;
}

static int compute(struct node_loads *work, const struct asked *asked, struct tv_error *err)
{
	struct group all = { .node = TV_NONE, .type = TV_NONE, .sums = no_sums };

	group_workers(work);
	if (!asked->no_causes && check_links(work->run, err) < 0)
		return -1;
	if (add_rows(work, err) < 0 || add_idleness(work, err) < 0
	    || (!asked->no_causes && add_causes(work, asked->can_run, err) < 0))
		return -1;
	for (uint32_t g = 0; g < work->ngroups; g++)
		add_to(&all, &work->group[g]);
	write_group(work, &all, !asked->no_causes);
	for (uint32_t g = 0; g < work->ngroups; g++)
		write_group(work, &work->group[g], !asked->no_causes);
	tv_exact_release(&all.work);
	return tv_run_cut(work->run) ? 0 : write_abe(work, err);
}

static int run_load_balance(struct tv_run *run, const struct tv_options *options,
			    struct tv_table *out, struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct node_loads work = { .run = run, .by_type = asked->by == BY_TYPE, .out = out };
	int rc;

	if (tv_run_interval(run, &work.begin, &work.end, err) < 0)
		return -1;
	work.group_of = tv_alloc(run->tasks.nworkers, sizeof *work.group_of);
	rc = compute(&work, asked, err);
	for (uint32_t g = 0; g < work.ngroups; g++)
		tv_exact_release(&work.group[g].work);
	tv_free(work.group);
	tv_free(work.group_of);
	tv_free(work.of_node.at);
	return rc;
}

static bool has_causes(const struct tv_options *options)
{
	return !tv_option_given(options, "no-causes");
}

/* Those of idle-causes; what tasks depend on is read for it, too. */
static const char *more_columns(const struct tv_options *options)
{
	return has_causes(options) ? "SubmitTime" : "";
}

static const struct tv_option_spec options[] = {
	{ "by", "node|type", "node", "rows for each node, or each type of workers of each node",
	  TV_OPTION_CHOICE, TV_ASKED(by) },
	{ TV_CAN_RUN_ROW, TV_ASKED(can_run) },
	{ "no-causes", NULL, NULL, "leave the causes of Idle empty: less time and memory",
	  TV_ASKED(no_causes) },
};

static const struct tv_field columns[NCOLUMNS] = {
	COLUMNS(TV_COLUMN_ROW)
#define CAUSE(symbol, column, meaning) \
	[CAUSES + TV_IDLE_##symbol - (TV_IDLE_##symbol > TV_IDLE_IN_LOOP)] = { "Idle" column, \
									       TV_TIME, false, \
									       "ms", meaning }
		CAUSE(IN_MPI_CALL, "InMpiCall", "of Idle: of the cause in-mpi-call of idle-causes"),
	CAUSE(DATA, "Data", "of the cause data"),
	CAUSE(RUNTIME, "Runtime", "of the cause runtime"),
	CAUSE(ELSEWHERE, "Elsewhere", "of the cause elsewhere"),
	CAUSE(MPI, "Mpi", "of the cause mpi"),
	CAUSE(UNSUITED, "Unsuited", "of the cause unsuited"),
	CAUSE(DEPENDENCIES, "Dependencies", "of the cause dependencies"),
	CAUSE(NOT_SUBMITTED, "NotSubmitted", "of the cause not-submitted"),
	CAUSE(DRAIN, "Drain", "of the cause drain"),
	CAUSE(UNEXPLAINED, "Unexplained", "of the cause unexplained"),
#undef CAUSE
	MORE_COLUMNS(TV_COLUMN_ROW)[IN_LOOP] = { "IdleInLoop", TV_TIME, false, "ms",
						 "of the cause in-loop" },
};

const struct tv_pass tv_pass_load_balance = {
	.name = "load-balance",
	.summary = "Compare nodes: work, busy time, idle time with its causes, messages",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_NODES,
	.ranked = "Idle",
	.sums = true,
	.needs = "links resources states calls",
	.columns = "GFlop Cpu CpuEnd NumaNode",
	.all_columns = true,
	.more_columns = more_columns,
	.parted = "states links",
	.spared = TV_MESSAGES_SPARE,
	.beside_links = 80,
	.in_parts = tv_pass_always,
	.alone = has_causes,
	.unordered = true,
	.beside = 60,
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_COLUMNS(columns),
	.notes =
		"First one row for all nodes, the sum of the others (its ABE, Idleness, Start and\n"
		"End: of the whole run). Busy + Other + Idle is Workers x time of the run, and "
		"the\n"
		"columns of causes, which --no-causes leaves empty, add up to Idle (traceviz help\n"
		"notes:idle-causes).\n"
		"Messages are those of traceviz messages; the columns are missing without "
		"messages\n"
		"and with --by type.\n"
		"With a window: tasks that touch it, the part of Work in it (each\n"
		"task's work is spread evenly), Busy and Idle in it.",
	.example = "traceviz load-balance data/cholesky-2nodes",
	.check = check_options,
	.run = run_load_balance,
};
