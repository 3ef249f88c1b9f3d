/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * share.c -- the files of a run that several processes read.
 *
 * Each process scans its files. All learn the facts of all files, and so name the ranks and fit the clocks alike. Then each
 * walks over its files into a trace per rank, whose rows process 0 gets and adds in the order of the ranks. All get all
 * messages and pair them; what a receiver depends on goes to its tasks where its file was read, all other rows of messages
 * are written by process 0. At last it gets the tasks of each rank.
 */
#include <stdlib.h>

#include "convert/fxt/fxt.h"
#include "convert/shared.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

struct share {
	struct tv_fxt_run *run;
	const struct tv_team *team;
	struct tv_trace *trace; /* of the run */
	size_t nfirst; /* ranks before all others whose files process 0 has: their rows go to the trace at once */
	struct tv_shared rows;
};

/* ---- the facts of all files ---- */

struct facts {
	struct tv_fxt_run *run;
	struct tv_fxt_rank *own;
};

static void pack_facts(void *context, size_t i, struct tv_parcel *pack)
{
	const struct facts *f = context;

	tv_pack_text(pack, f->own[i].path);
	tv_pack_bytes(pack, &f->own[i].facts, sizeof f->own[i].facts);
}

static void take_facts(void *context, uint32_t process, uint32_t own, struct tv_unpack *from)
{
	const struct facts *f = context;
	struct tv_fxt_run *run = f->run;
	struct tv_fxt_rank rank = { .run = run,
				    .elsewhere = true,
				    .threads = { .comm = TV_NONE, .comm_row = TV_NONE } };

	rank.path = tv_unpack_text(from);
	tv_unpack_bytes(from, &rank.facts, sizeof rank.facts);
	if (own != TV_NONE) {
		tv_free(rank.path);
		rank = f->own[own];
	}
	rank.process = process;
	TV_GROW(run->rank, run->nranks, run->ranks_cap, 1);
	run->rank[run->nranks++] = rank;
}

/* Adds the ranks whose files others have read, in the order of the files. */
static void share_facts(struct share *s)
{
	struct facts f = { s->run, s->run->rank };
	const struct tv_shared_files files = { s->run->nranks, pack_facts, take_facts, &f };

	s->run->rank = NULL;
	s->run->nranks = s->run->ranks_cap = 0;
	tv_shared_tell(s->team, s->trace, &files);
	tv_free(f.own);
}

/* ---- rows ---- */

/* Rows of the run go to this trace from now on. */
static void begin_rows(struct share *s, struct tv_trace *rows)
{
	tv_trace_init_beside(rows, s->trace);
	s->run->trace = rows;
	tv_fxt_omit_tables(s->run);
	tv_fxt_find_columns(s->run);
}

static void end_rows(struct share *s, struct tv_trace *rows, struct tv_parcel *pack)
{
	tv_pack_trace(pack, rows);
	tv_trace_release(rows);
	s->run->trace = s->trace;
	tv_fxt_find_columns(s->run);
}

/* ---- walks ---- */

static int walk(struct share *s, struct tv_fxt_rank *rank, struct tv_parcel *pack,
		struct tv_error *err)
{
	uint64_t known = 0, unknown = 0;
	struct tv_trace rows;
	int rc;

	begin_rows(s, &rows);
	rc = tv_fxt_convert_rank(rank, err);
	end_rows(s, &rows, pack);
	tv_fxt_count_takers(rank, &known, &unknown);
	tv_pack_number(pack, rank->threads.comm);
	tv_pack_number(pack, rank->threads.comm_row);
	tv_pack_number(pack, known);
	tv_pack_number(pack, unknown);
	rank->threads.comm_row = TV_NONE;
	return rc;
}

static void take_walk(struct share *s, struct tv_fxt_rank *rank, struct tv_unpack *from)
{
	const struct tv_sent_labels *labels = &s->rows.labels[rank->process];
	uint32_t first = s->trace->table[TV_RESOURCES].nrows, comm;
	uint64_t row, known, unknown;

	tv_unpack_trace(from, labels, s->trace);
	comm = (uint32_t)tv_unpack_number(from);
	row = tv_unpack_number(from);
	known = tv_unpack_number(from);
	unknown = tv_unpack_number(from);
	rank->threads.comm = tv_sent_label(labels, comm);
	rank->threads.comm_row = comm != TV_NONE ? first + (uint32_t)row : TV_NONE;
	if (!rank->elsewhere)
		return;
	rank->unexpected.known = known;
	rank->unexpected.unknown = unknown;
}

static int share_walks(struct share *s, struct tv_error *err)
{
	struct tv_parcel pack = { 0 };
	struct tv_unpack *from;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < s->run->nranks; i++)
		if (i < s->nfirst)
			rc = tv_fxt_convert_rank(&s->run->rank[i], err);
		else if (!s->run->rank[i].elsewhere)
			rc = walk(s, &s->run->rank[i], &pack, err);
	rc = tv_shared_send(&s->rows, &pack, rc, &from, err);
	for (size_t i = s->nfirst; from != NULL && i < s->run->nranks; i++)
		take_walk(s, &s->run->rank[i], &from[s->run->rank[i].process]);
	tv_free(from);
	return rc;
}

/* ---- messages ---- */

static const char *job_text(const struct tv_fxt_run *run, uint32_t rank, uint32_t job)
{
	return job == TV_NONE
		     ? NULL
		     : tv_pool_text(run->trace->pool, run->rank[rank].tasks.job[job].label);
}

/* A job of a rank by its label: where its file is read, it is known. */
static uint32_t unpack_job(struct share *s, struct tv_unpack *from, uint32_t index, uint32_t job)
{
	struct tv_fxt_rank *rank = &s->run->rank[index];
	struct tv_fxt_tasks *tasks = &rank->tasks;
	uint32_t label = tv_unpack_label(from, s->trace->pool);

	if (job == TV_NONE || !rank->elsewhere)
		return job;
	TV_GROW(tasks->job, tasks->njobs, tasks->jobs_cap, 1);
	tasks->job[tasks->njobs] = (struct tv_fxt_job){
		.label = label, .before = TV_NONE, .first_need = TV_NONE, .last_need = TV_NONE
	};
	return (uint32_t)tasks->njobs++;
}

static void pack_ends(const struct share *s, const struct tv_fxt_ends *ends, struct tv_parcel *pack)
{
	tv_pack_number(pack, ends->n);
	for (size_t i = 0; i < ends->n; i++) {
		tv_pack_bytes(pack, &ends->at[i], sizeof ends->at[i]);
		tv_pack_text(pack, job_text(s->run, ends->at[i].rank, ends->at[i].job));
	}
}

static void unpack_ends(struct share *s, struct tv_unpack *from, struct tv_fxt_ends *ends)
{
	for (uint64_t n = tv_unpack_number(from); n > 0; n--) {
		struct tv_fxt_end end;

		tv_unpack_bytes(from, &end, sizeof end);
		end.job = unpack_job(s, from, end.rank, end.job);
		tv_fxt_check_count(ends->n, "messages");
		TV_GROW(ends->at, ends->n, ends->cap, 1);
		ends->at[ends->n++] = end;
	}
}

static void unpack_sends(struct share *s, struct tv_unpack *from)
{
	struct tv_fxt_messages *m = &s->run->messages;

	for (uint64_t n = tv_unpack_number(from); n > 0; n--) {
		struct tv_fxt_send send;

		tv_unpack_bytes(from, &send, sizeof send);
		send.job = unpack_job(s, from, send.src, send.job);
		tv_fxt_check_count(m->nsends, "messages");
		TV_GROW(m->send, m->nsends, m->sends_cap, 1);
		m->send[m->nsends++] = send;
	}
}

TV_ORDER(sends_by_rank, struct tv_fxt_send, src, order)

TV_ORDER(ends_by_rank, struct tv_fxt_end, rank, order)

/* As one process has them that walks over the files in the order of the ranks. */
static void order_ends(struct tv_fxt_ends *ends)
{
	if (ends->n > 1)
		qsort(ends->at, ends->n, sizeof *ends->at, ends_by_rank);
	for (size_t i = 0; i < ends->n; i++)
		ends->at[i].order = (uint32_t)i;
}

static void order_messages(struct tv_fxt_messages *m)
{
	if (m->nsends > 1)
		qsort(m->send, m->nsends, sizeof *m->send, sends_by_rank);
	for (size_t i = 0; i < m->nsends; i++)
		m->send[i].order = (uint32_t)i;
	order_ends(&m->sent);
	order_ends(&m->posted);
	order_ends(&m->received);
}

static void share_messages(struct share *s)
{
	struct tv_fxt_messages *m = &s->run->messages;
	struct tv_parcel pack = { 0 };
	struct tv_gathered all;

	tv_pack_number(&pack, m->nsends);
	for (size_t i = 0; i < m->nsends; i++) {
		tv_pack_bytes(&pack, &m->send[i], sizeof m->send[i]);
		tv_pack_text(&pack, job_text(s->run, m->send[i].src, m->send[i].job));
	}
	pack_ends(s, &m->sent, &pack);
	pack_ends(s, &m->posted, &pack);
	pack_ends(s, &m->received, &pack);
	all = tv_team_gather(s->team, &pack);
	m->nsends = m->sent.n = m->posted.n = m->received.n = 0;
	for (uint32_t process = 0; process < all.n; process++) {
		struct tv_unpack from = tv_gathered_of(&all, process);

		unpack_sends(s, &from);
		unpack_ends(s, &from, &m->sent);
		unpack_ends(s, &from, &m->posted);
		unpack_ends(s, &from, &m->received);
	}
	tv_gathered_release(&all);
	order_messages(m);
}

/* ---- tasks ---- */

static void take_tasks(struct share *s, const struct tv_fxt_rank *rank, struct tv_unpack *from,
		       struct tv_fxt_balance *sum)
{
	struct tv_fxt_balance part;

	tv_unpack_trace(from, &s->rows.labels[rank->process], s->trace);
	tv_unpack_bytes(from, &part, sizeof part);
	tv_fxt_add_balance(sum, &part);
}

static int write_rank(struct share *s, struct tv_fxt_rank *rank, struct tv_parcel *pack,
		      struct tv_error *err)
{
	struct tv_fxt_balance balance = { 0 };
	struct tv_trace rows;
	int rc;

	begin_rows(s, &rows);
	rc = tv_fxt_write_rank(rank, &balance, err);
	end_rows(s, &rows, pack);
	tv_pack_bytes(pack, &balance, sizeof balance);
	return rc;
}

static int share_tasks(struct share *s, struct tv_error *err)
{
	struct tv_fxt_balance sum = { 0 };
	struct tv_parcel pack = { 0 };
	struct tv_unpack *from;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < s->run->nranks; i++)
		if (i < s->nfirst)
			rc = tv_fxt_write_rank(&s->run->rank[i], &sum, err);
		else if (!s->run->rank[i].elsewhere)
			rc = write_rank(s, &s->run->rank[i], &pack, err);
	rc = tv_shared_send(&s->rows, &pack, rc, &from, err);
	for (size_t i = s->nfirst; from != NULL && i < s->run->nranks; i++)
		take_tasks(s, &s->run->rank[i], &from[s->run->rank[i].process], &sum);
	tv_free(from);
	if (rc == 0)
		tv_fxt_write_balance(s->run, &sum);
	return rc;
}

int tv_fxt_share(void *state, const struct tv_team *team, struct tv_error *err)
{
	struct tv_fxt_run *run = state;
	struct share s = { .run = run, .team = team, .trace = run->trace };
	int rc;

	tv_shared_init(&s.rows, team, s.trace);
	share_facts(&s);
	rc = tv_fxt_prepare(run, err);
	while (team->rank == 0 && s.nfirst < run->nranks && !run->rank[s.nfirst].elsewhere)
		s.nfirst++;
	if (rc == 0)
		rc = share_walks(&s, err);
	if (rc == 0) {
		share_messages(&s);
		tv_fxt_pair_messages(run);
		rc = share_tasks(&s, err);
	}
	if (rc == 0)
		tv_fxt_write_messages(run);
	tv_shared_release(&s.rows);
	return rc;
}
