/* SPDX-License-Identifier: GPL-3.0-or-later */
/* handles.c -- where the data of each handle were, when, in which state, who used them there. */
#include "analysis/data/handle_options.h"

#include "analysis/core/columns.h"
#include "analysis/core/curves.h"
#include "analysis/data/transfer_list.h"
#include "analysis/data/uses.h"
#include "trace/alloc.h"
#include "trace/number.h"

#define COLUMNS(X) \
	X(STATE, "State", TV_LABEL, false, "", "owner (the only valid copy), shared") \
	X(START, "Start", TV_TIME, false, "ms", "since when") \
	X(END, "End", TV_TIME, false, "ms", "until when") \
	X(DURATION, "Duration", TV_TIME, false, "ms", "End - Start") \
	X(FROM, "StartCause", TV_LABEL, false, "", "what began it: state, registration") \
	X(UNTIL, "EndCause", TV_LABEL, false, "", \
	  "what ended it: state, unregistration, end (of the trace)") \
	X(EVENTS, "Events", TV_INT, false, "", "events that name this state")

enum { LAST_OF_HANDLE = TV_HANDLE_COLUMNS - 1, COLUMNS(TV_COLUMN_ID) NCOLUMNS };

static const struct tv_field columns[] = { TV_COLUMNS_OF_HANDLES(TV_COLUMN_ROW)
						   COLUMNS(TV_COLUMN_ROW) };

#define SUMMARY(X) \
	X(TIME, "Time", TV_TIME, false, "ms", "how long the data were there, in the run") \
	X(OWNER, "OwnerTime", TV_TIME, false, "ms", "of that as owner") \
	X(SHARED, "SharedTime", TV_TIME, false, "ms", "of that shared") \
	X(SHARE, "Share", TV_DOUBLE, false, "%", "Time over the time of the run") \
	X(IN, "TransfersIn", TV_INT, false, "", "transfers to this memory node") \
	X(OUT, "TransfersOut", TV_INT, false, "", "transfers from it") \
	X(SIZE_IN, "SizeIn", TV_INT, false, "bytes", "their size") \
	X(SIZE_OUT, "SizeOut", TV_INT, false, "bytes", "likewise") \
	X(TASKS, "Tasks", TV_INT, false, "", "tasks that used the data there") \
	X(WRITES, "Writes", TV_INT, false, "", "of these those that write") \
	X(LAST_WRITE, "LastWrite", TV_TIME, false, "ms", "End of the last of these") \
	X(MESSAGES, "Messages", TV_INT, false, "", "messages that sent the data from there") \
	X(LAST_WRITER, "LastWriter", TV_LABEL, false, "", \
	  "ResourceType of the worker of the task of LastWrite")

enum { LAST_BEFORE_SUMMARY = TV_HANDLE_COLUMNS - 1, SUMMARY(TV_COLUMN_ID) NSUMMARY };

static const struct tv_field summary_columns[] = { TV_COLUMNS_OF_HANDLES(TV_COLUMN_ROW)
							   SUMMARY(TV_COLUMN_ROW) };

#define USES(X) \
	X(JOB, "JobId", TV_LABEL, false, "", "task that uses the data") \
	X(VALUE, "Value", TV_LABEL, false, "", "its type") \
	X(WORKER, "Worker", TV_LABEL, false, "", "its worker, on that memory node") \
	X(USE_START, "Start", TV_TIME, false, "ms", "its start") \
	X(USE_END, "End", TV_TIME, false, "ms", "its end") \
	X(ACCESS, "Access", TV_LABEL, false, "", "reads, writes")

enum { LAST_BEFORE_USES = TV_HANDLE_COLUMNS - 1, USES(TV_COLUMN_ID) NUSE };

static const struct tv_field use_columns[] = { TV_COLUMNS_OF_HANDLES(TV_COLUMN_ROW)
						       USES(TV_COLUMN_ROW) };

struct handle_rows {
	struct tv_run *run;
	const struct tv_memories *memories;
	const struct tv_presences *presences;
	bool *chosen; /* by handle */
};

/* ---- one row for each state ---- */

static void write_states(const struct handle_rows *work, struct tv_table *out)
{
	static const char *const edge[] = { "state", "registration", "end" };
	const struct tv_window *window = &work->run->window;
	struct tv_column *const *to = out->col;

	for (uint32_t i = 0; i < work->presences->n; i++) {
		const struct tv_presence *p = &work->presences->at[i];
		const struct tv_memory *memory = &work->memories->at[p->memory];
		uint32_t row;

		if (!work->chosen[p->handle] || !tv_memory_chosen(work->run, memory)
		    || (window->set && (p->start > window->end || p->end < window->begin)))
			continue;
		row = tv_table_add_row(out);
		tv_handle_write(work->run, &work->presences->handle[p->handle], memory, to, row);
		tv_set_text(to[STATE], row, tv_data_state_name(p->state));
		tv_set_int(to[START], row, p->start);
		tv_set_int(to[END], row, p->end);
		tv_set_int(to[DURATION], row, p->end - p->start);
		tv_set_text(to[FROM], row, edge[p->from]);
		tv_set_text(to[UNTIL], row,
			    p->until == TV_EDGE_REGISTERED ? "unregistration" : edge[p->until]);
		tv_set_int(to[EVENTS], row, p->nstates);
	}
}

/* ---- one row for each use by a task ---- */

static void write_use(const struct handle_rows *work, const struct tv_use *use, uint32_t handle,
		      struct tv_table *out)
{
	const struct tv_tasks *tasks = &work->run->tasks;
	struct tv_column *const *to = out->col;
	uint32_t row = tv_table_add_row(out);

	tv_handle_write(work->run, &work->presences->handle[handle],
			&work->memories->at[use->memory], to, row);
	tv_set_label(to[JOB], row, tasks->job != NULL ? tasks->job[use->row] : TV_NONE);
	tv_set_label(to[VALUE], row, tasks->value[use->row]);
	tv_set_label(to[WORKER], row, tasks->workers[tasks->worker[use->row]].resource);
	tv_set_int(to[USE_START], row, use->start);
	tv_set_int(to[USE_END], row, use->end);
	tv_set_text(to[ACCESS], row, use->writes ? "writes" : "reads");
}

/* The handle that a task uses then, if it is chosen. */
static uint32_t handle_of_use(const struct handle_rows *work, const struct tv_use *use)
{
	const struct tv_memory *memory = &work->memories->at[use->memory];
	const struct tv_window *window = &work->run->window;
	uint32_t handle;

	if (use->row == TV_NONE || !tv_memory_chosen(work->run, memory)
	    || (window->set && (use->start > window->end || use->end < window->begin)))
		return TV_NONE;
	handle = tv_presences_handle(work->presences, memory->node, use->handle, use->start);
	return handle == TV_NONE || !work->chosen[handle] ? TV_NONE : handle;
}

/* By handle; uses are by memory node and start. */
static int write_uses(const struct handle_rows *work, struct tv_table *out, struct tv_error *err)
{
	const struct tv_uses *uses = tv_run_uses(work->run, err);
	struct tv_groups groups;
	uint32_t *handle;

	if (uses == NULL)
		return -1;
	handle = tv_alloc(uses->n, sizeof *handle);
	for (size_t i = 0; i < uses->n; i++)
		handle[i] = handle_of_use(work, &uses->at[i]);
	tv_groups_init(&groups, handle, (uint32_t)uses->n, work->presences->nhandles);
	for (uint32_t i = 0; i < groups.first[groups.n]; i++)
		write_use(work, &uses->at[groups.row[i]], handle[groups.row[i]], out);
	tv_groups_release(&groups);
	tv_free(handle);
	return 0;
}

/* ---- sums by handle and memory node ---- */

struct sum {
	int64_t time[2]; /* by state, ns */
	int64_t in, out, tasks, writes, messages;
	tv_int128 size_in, size_out;
	int64_t last_write;   /* ns; INT64_MIN = none */
	uint32_t last_writer; /* row of tasks */
	uint32_t handle, memory;
};

struct sums {
	const struct handle_rows *work;
	int64_t begin, end; /* of the run or the window, ns */
	struct sum *at;
	uint32_t n;
	size_t cap;
	struct tv_map of;      /* by handle and memory node */
	unsigned long unknown; /* transfers and uses of handles that were not registered */
};

/* The sum of a handle on a memory node; NULL for one that is not chosen, and, counted, for none. */
static struct sum *sum_of(struct sums *sums, uint32_t handle, uint32_t memory)
{
	uint32_t *i;

	sums->unknown += handle == TV_NONE;
	if (handle == TV_NONE || !sums->work->chosen[handle]
	    || !tv_memory_chosen(sums->work->run, &sums->work->memories->at[memory]))
		return NULL;
	i = tv_map_at(&sums->of, handle, memory);
	if (*i == TV_NONE) {
		TV_GROW(sums->at, sums->n, sums->cap, 1);
		*i = sums->n++;
		sums->at[*i] = (struct sum){ .last_write = INT64_MIN,
					     .handle = handle,
					     .memory = memory };
	}
	return &sums->at[*i];
}

/* Whether the window, if there is one, shows what lasts from start to end. */
static bool is_seen(const struct sums *sums, int64_t start, int64_t end)
{
	const struct tv_window *window = &sums->work->run->window;

	return !window->set || (start <= window->end && end >= window->begin);
}

static void add_presences(struct sums *sums)
{
	const struct tv_presences *presences = sums->work->presences;

	for (uint32_t i = 0; i < presences->n; i++) {
		const struct tv_presence *p = &presences->at[i];
		int64_t start = p->start > sums->begin ? p->start : sums->begin;
		int64_t end = p->end < sums->end ? p->end : sums->end;
		struct sum *sum = is_seen(sums, p->start, p->end)
					? sum_of(sums, p->handle, p->memory)
					: NULL;

		if (sum != NULL && start < end)
			sum->time[p->state] += end - start;
	}
}

static void add_transfers(struct sums *sums, const struct tv_data_transfers *transfers)
{
	const struct tv_memory *memory = sums->work->memories->at;

	for (uint32_t i = 0; i < transfers->n; i++) {
		const struct tv_data_transfer *t = &transfers->at[i];
		uint32_t handle;
		struct sum *sum;

		if (!is_seen(sums, t->start, t->end))
			continue;
		handle = t->handle == TV_NONE
			       ? TV_NONE
			       : tv_presences_handle(sums->work->presences, memory[t->dest].node,
						     t->handle, t->start);
		sum = sum_of(sums, handle, t->dest);
		if (sum != NULL) {
			sum->in++;
			sum->size_in += t->size;
		}
		sum = handle == TV_NONE ? NULL : sum_of(sums, handle, t->origin);
		if (sum != NULL) {
			sum->out++;
			sum->size_out += t->size;
		}
	}
}

static void add_uses(struct sums *sums, const struct tv_uses *uses)
{
	const struct tv_tasks *tasks = &sums->work->run->tasks;

	for (size_t i = 0; i < uses->n; i++) {
		const struct tv_use *use = &uses->at[i];
		struct sum *sum;

		if (!is_seen(sums, use->start, use->end)
		    || (use->row != TV_NONE && !tasks->leads[use->row]))
			continue;
		sum = sum_of(sums,
			     tv_presences_handle(sums->work->presences,
						 sums->work->memories->at[use->memory].node,
						 use->handle, use->start),
			     use->memory);
		if (sum == NULL)
			continue;
		sum->tasks += use->row != TV_NONE;
		sum->messages += use->row == TV_NONE;
		sum->writes += use->writes;
		if (use->writes && use->end > sum->last_write) {
			sum->last_write = use->end;
			sum->last_writer = use->row;
		}
	}
}

static void write_sum(const struct sums *sums, const struct sum *sum, struct tv_column *const *to,
		      uint32_t row)
{
	int64_t time = sum->time[TV_STATE_OWNER] + sum->time[TV_STATE_SHARED];

	tv_handle_write(sums->work->run, &sums->work->presences->handle[sum->handle],
			&sums->work->memories->at[sum->memory], to, row);
	tv_set_int(to[TIME], row, time);
	tv_set_int(to[OWNER], row, sum->time[TV_STATE_OWNER]);
	tv_set_int(to[SHARED], row, sum->time[TV_STATE_SHARED]);
	if (sums->end > sums->begin)
		tv_set_double(to[SHARE], row,
			      100 * (double)time / (double)(sums->end - sums->begin));
	tv_set_int(to[IN], row, sum->in);
	tv_set_int(to[OUT], row, sum->out);
	tv_set_int(to[SIZE_IN], row, tv_sum_ns(sum->size_in));
	tv_set_int(to[SIZE_OUT], row, tv_sum_ns(sum->size_out));
	tv_set_int(to[TASKS], row, sum->tasks);
	tv_set_int(to[WRITES], row, sum->writes);
	if (sum->last_write != INT64_MIN) {
		const struct tv_tasks *tasks = &sums->work->run->tasks;
		uint32_t worker = tasks->worker[sum->last_writer];

		tv_set_int(to[LAST_WRITE], row, sum->last_write);
		tv_set_label(to[LAST_WRITER], row,
			     tasks->rtype[tasks->workers[worker].rtype].label);
	}
	tv_set_int(to[MESSAGES], row, sum->messages);
}

/* By handle, then memory node. */
static void write_sums(const struct sums *sums, struct tv_table *out)
{
	for (uint32_t handle = 0; handle < sums->work->presences->nhandles; handle++)
		for (uint32_t memory = 0; memory < sums->work->memories->n; memory++) {
			const uint32_t *i =
				sums->work->memories->at[memory].node
						!= sums->work->presences->handle[handle].node
					? NULL
					: tv_map_get(&sums->of, handle, memory);

			if (i != NULL)
				write_sum(sums, &sums->at[*i], out->col, tv_table_add_row(out));
		}
}

static int summarize(const struct handle_rows *work, struct tv_table *out, struct tv_error *err)
{
	const struct tv_data_transfers *transfers = tv_run_transfers(work->run, err);
	const struct tv_uses *uses = transfers == NULL ? NULL : tv_run_uses(work->run, err);
	struct sums sums = { .work = work };

	if (uses == NULL || tv_run_interval(work->run, &sums.begin, &sums.end, err) < 0)
		return -1;
	add_presences(&sums);
	add_transfers(&sums, transfers);
	add_uses(&sums, uses);
	if (sums.unknown > 0)
		tv_run_warn(work->run,
			    "%lu transfers, accesses of tasks and messages are of handles that the "
			    "trace does not show then: they are left out",
			    sums.unknown);
	write_sums(&sums, out);
	tv_free(sums.at);
	tv_map_release(&sums.of);
	return 0;
}

struct asked {
	const char *handle, *job;
	bool summary, uses;
};

static int run_handles(struct tv_run *run, const struct tv_options *options, struct tv_table *out,
		       struct tv_error *err)
{
	const struct asked *asked = options->chosen;
	struct handle_rows work = { .run = run, .memories = tv_run_memories(run) };
	int rc = 0;

	work.presences = tv_run_some_presences(run, "handles", err);
	if (work.presences == NULL)
		return -1;
	work.chosen = tv_handles_chosen(run, asked->handle, asked->job, work.presences, err);
	if (work.chosen == NULL)
		return -1;
	if (asked->summary) {
		tv_add_fields(out, summary_columns, NSUMMARY);
		rc = summarize(&work, out, err);
	} else if (asked->uses) {
		tv_add_fields(out, use_columns, NUSE);
		rc = write_uses(&work, out, err);
	} else {
		tv_add_fields(out, columns, NCOLUMNS);
		write_states(&work, out);
	}
	tv_free(work.chosen);
	return rc;
}

static int check(const struct tv_options *options, struct tv_error *err)
{
	const struct asked *asked = options->chosen;

	return asked->summary && asked->uses
		     ? tv_fail_usage(err, "--uses gives a row for each task, --summary sums: "
					  "expected one of them")
		     : 0;
}

static const struct tv_option_spec options[] = {
	TV_OPTIONS_OF_HANDLES(struct asked),
	{ "summary", NULL, NULL, "one row per handle and memory node: times, transfers, tasks",
	  TV_ASKED(summary) },
	{ "uses", NULL, NULL, "one row for each task that uses the data on a memory node",
	  TV_ASKED(uses) },
};

static const struct tv_columns forms[] = { { summary_columns, NSUMMARY, "--summary" },
					   { use_columns, NUSE, "--uses" } };

const struct tv_pass tv_pass_handles = {
	.name = "handles",
	.summary = "Where the data of each handle were, when and in which state",
	.kind = TV_SUMMARIZE,
	.group = TV_GROUP_NODES,
	.sums = true,
	.needs = "variables events handles links resources",
	.refuses_tasks = true,
	TV_PASS_OPTIONS_INTO(struct asked, options),
	TV_PASS_FORMS(forms),
	.column = columns,
	.ncolumns = NCOLUMNS,
	.varies = true,
	.notes =
		"One row for each state of a handle on a memory node, by handle, memory node and\n"
		"Start. From the events 'data state owner', 'shared' and 'invalid': a state lasts\n"
		"until the next one there, the unregistration of the handle, or the end of the "
		"run\n"
		"and its events. Equal states in a row are one (Events counts them), also with an\n"
		"'invalid' between them that takes no time; states that take no time are rows, "
		"too.\n"
		"A handle with a HomeNode is owner there from its registration on, which no event\n"
		"shows. An address that is registered again is another handle.\n"
		"--summary gives for each handle and memory node: Time, OwnerTime, SharedTime\n"
		"(how long it was there during the run or the window), Share (Time over that),\n"
		"TransfersIn, TransfersOut, SizeIn, SizeOut, Tasks (app tasks that used it on\n"
		"workers there), Writes, LastWrite, Messages (sent from there), LastWriter.\n"
		"--uses lists these tasks, by handle, memory node and Start.",
	.example = "traceviz handles --job 27 data/cholesky-paje",
	.taskless = true,
	.check = check,
	.run = run_handles,
};
