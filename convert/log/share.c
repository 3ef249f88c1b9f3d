/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * share.c -- the logs of a run that several processes read.
 *
 * Each process scans its logs. All learn what each log says of its process, and so order and name the processes and fit the clocks alike.
 * Then each makes the rows of its logs, of each in a trace of its own, which process 0 gets and adds in their order, with the
 * sends and receives that it pairs.
 */
#include "convert/log/raw.h"
#include "convert/shared.h"
#include "trace/alloc.h"

/* ---- what a log says of its process ---- */

#define FIELDS(FIELD) \
	FIELD(pid) \
	FIELD(rank) \
	FIELD(finished) \
	FIELD(cut) \
	FIELD(gap) \
	FIELD(lost) \
	FIELD(stopped) \
	FIELD(begin_mono) \
	FIELD(begin_real) \
	FIELD(end_mono) \
	FIELD(end_real) \
	FIELD(host) \
	FIELD(events) \
	FIELD(edges) \
	FIELD(last) \
	FIELD(any) \
	FIELD(world_rank) \
	FIELD(world_size) \
	FIELD(clock) \
	FIELD(samples)

struct processes {
	struct tv_raw_run *run;
	struct tv_raw_log *own;
};

static void pack_process(void *context, size_t i, struct tv_parcel *pack)
{
	const struct processes *p = context;
	const struct tv_raw_log *log = &p->own[i];

	tv_pack_text(pack, log->path);
	tv_pack_label(pack, p->run->trace->pool, log->job);
#define PACK(field) tv_pack_bytes(pack, &log->field, sizeof log->field);
	FIELDS(PACK)
#undef PACK
}

static void take_process(void *context, uint32_t reader, uint32_t own, struct tv_unpack *from)
{
	const struct processes *p = context;
	struct tv_raw_run *run = p->run;
	struct tv_raw_log log = { .run = run, .elsewhere = true };

	log.path = tv_unpack_text(from);
	log.job = tv_unpack_label(from, run->trace->pool);
#define UNPACK(field) tv_unpack_bytes(from, &log.field, sizeof log.field);
	FIELDS(UNPACK)
#undef UNPACK
	if (own != TV_NONE) {
		tv_free(log.path);
		log = p->own[own];
	}
	log.reader = reader;
	TV_GROW(run->log, run->nlogs, run->logs_cap, 1);
	run->log[run->nlogs++] = log;
}

/* Adds the logs that others have read, in the order of the files. */
static void share_processes(struct tv_raw_run *run, const struct tv_team *team)
{
	struct processes p = { run, run->log };
	const struct tv_shared_files files = { run->nlogs, pack_process, take_process, &p };

	run->log = NULL;
	run->nlogs = run->logs_cap = 0;
	tv_shared_tell(team, run->trace, &files);
	tv_free(p.own);
}

/* What a process says of names that has no log, or one with samples. */
enum { NOTHING, SAMPLES };

/* Whether logs can be used apart: samples are of the threads of other logs, and names of all logs are those beside any. */
static bool are_apart(const struct tv_raw_run *run, const struct tv_team *team)
{
	const char *path = run->names_path != NULL ? run->names_path : "";
	uint64_t names = 14695981039346656037u, *all;
	bool apart = true;

	for (const char *c = path; *c != '\0'; c++)
		names = (names ^ (unsigned char)*c) * 1099511628211u;
	for (size_t i = 0; i < run->nlogs; i++)
		apart = apart && !run->log[i].samples;
	all = tv_team_numbers(team, !apart ? SAMPLES : run->nlogs > 0 ? names : NOTHING);
	names = NOTHING;
	for (uint32_t process = 0; process < team->size; process++) {
		apart = apart && all[process] != SAMPLES
		     && (names == NOTHING || all[process] == NOTHING || all[process] == names);
		names = all[process] != NOTHING ? all[process] : names;
	}
	tv_free(all);
	return apart;
}

/* ---- rows ---- */

/* Meta goes apart: a tag is of the run, and each log has it. */
static void pack_meta(struct tv_parcel *pack, struct tv_trace *rows)
{
	struct tv_table *meta = &rows->table[TV_META];
	const struct tv_column *key = tv_trace_column(rows, TV_META, "Key"),
			       *value = tv_trace_column(rows, TV_META, "Value");

	tv_table_finish(meta);
	tv_pack_number(pack, meta->nrows);
	for (uint32_t row = 0; row < meta->nrows; row++) {
		tv_pack_cell(pack, key, row);
		tv_pack_cell(pack, value, row);
	}
	tv_table_release(meta);
	tv_table_init(meta, rows->pool);
}

static void unpack_meta(struct tv_unpack *from, struct tv_trace *trace)
{
	for (uint64_t n = tv_unpack_number(from); n > 0; n--) {
		char *key = tv_unpack_text(from), *value = tv_unpack_text(from);

		if (!tv_raw_has_tag(trace, key, value))
			tv_meta_add(trace, key, "%s", value != NULL ? value : "");
		tv_free(key);
		tv_free(value);
	}
}

/* Those from `first` on, which this process does not need any more. */
static void pack_sides(struct tv_parcel *pack, struct tv_mpi_messages *list, size_t first)
{
	tv_pack_number(pack, list->n - first);
	if (list->n > first)
		tv_pack_bytes(pack, list->at + first, (list->n - first) * sizeof *list->at);
	list->n = first;
}

static void unpack_sides(struct tv_unpack *from, const struct tv_sent_labels *labels,
			 struct tv_mpi_messages *list)
{
	for (uint64_t n = tv_unpack_number(from); n > 0; n--) {
		struct tv_mpi_message side;

		tv_unpack_bytes(from, &side, sizeof side);
		side.job = tv_sent_label(labels, side.job);
		side.comm = tv_sent_label(labels, side.comm);
		side.resource = tv_sent_label(labels, side.resource);
		side.dest = tv_sent_label(labels, side.dest);
		tv_mpi_add(list, side);
	}
}

static void pack_log(struct tv_raw_log *log, struct tv_parcel *pack)
{
	struct tv_raw_run *run = log->run;
	struct tv_trace *trace = run->trace, rows;
	size_t sends = run->sends.n, receives = run->receives.n, messages = run->nstarpu_messages;

	tv_trace_init_beside(&rows, trace);
	run->trace = &rows;
	tv_raw_write_log(log);
	pack_meta(pack, &rows);
	tv_pack_trace(pack, &rows);
	tv_trace_release(&rows);
	run->trace = trace;
	pack_sides(pack, &run->sends, sends);
	pack_sides(pack, &run->receives, receives);
	tv_pack_number(pack, run->nstarpu_messages - messages);
	for (size_t i = messages; i < run->nstarpu_messages; i++)
		tv_pack_bytes(pack, &run->starpu_message[i], sizeof run->starpu_message[i]);
	run->nstarpu_messages = messages;
}

static void take_log(struct tv_raw_run *run, const struct tv_sent_labels *labels,
		     struct tv_unpack *from)
{
	uint32_t first = run->trace->table[TV_TASKS].nrows;

	unpack_meta(from, run->trace);
	tv_unpack_trace(from, labels, run->trace);
	unpack_sides(from, labels, &run->sends);
	unpack_sides(from, labels, &run->receives);
	for (uint64_t n = tv_unpack_number(from); n > 0; n--) {
		struct tv_starpu_message m;

		tv_unpack_bytes(from, &m, sizeof m);
		m.send = tv_sent_label(labels, m.send);
		m.row = m.row != TV_NONE ? m.row + first : TV_NONE;
		TV_GROW(run->starpu_message, run->nstarpu_messages, run->starpu_messages_cap, 1);
		run->starpu_message[run->nstarpu_messages++] = m;
	}
}

int tv_raw_share_logs(void *state, const struct tv_team *team, struct tv_error *err)
{
	struct tv_raw_run *run = state;
	struct tv_parcel pack = { 0 };
	struct tv_shared shared;
	struct tv_unpack *from;
	size_t first = 0;
	int rc;

	if (!are_apart(run, team))
		return 1;
	share_processes(run, team);
	if (tv_raw_prepare(run, err) < 0)
		return -1;
	tv_shared_init(&shared, team, run->trace);
	/* Those before all others, whose rows go to the trace at once. */
	for (; team->rank == 0 && first < run->nlogs && !run->log[first].elsewhere; first++)
		tv_raw_write_log(&run->log[first]);
	for (size_t i = first; i < run->nlogs; i++)
		if (!run->log[i].elsewhere)
			pack_log(&run->log[i], &pack);
	rc = tv_shared_send(&shared, &pack, 0, &from, err);
	/* Logs that have been released are of this process, 0. */
	for (size_t i = first; from != NULL && i < run->nlogs; i++)
		take_log(run, &shared.labels[run->log[i].reader], &from[run->log[i].reader]);
	tv_free(from);
	tv_shared_release(&shared);
	tv_raw_write_all_messages(run);
	return rc;
}
