/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fxt.h -- the inside of the FxT reader: what its files share. One header per topic beside it.
 *
 * Reading goes in two steps. tv_fxt_read scans one file and keeps its map; tv_fxt_finish, when all
 * ranks are known, names them and fits their clocks, walks over each again and writes states,
 * variables, links, events, handles and resources as it goes. Tasks are kept per rank until the
 * messages between the ranks are paired, then written. Times in here are ns of the trace's clock,
 * labels are numbers of the trace's pool.
 */
#ifndef TV_FXT_H
#define TV_FXT_H

#include "convert/fxt/codes.h"
#include "convert/fxt/data.h"
#include "convert/fxt/mpi.h"
#include "convert/fxt/scan.h"
#include "convert/fxt/shapes.h"
#include "convert/fxt/states.h"
#include "convert/fxt/tasks.h"
#include "convert/fxt/threads.h"
#include "convert/fxt/unexpected.h"
#include "trace/input.h"
#include "trace/trace.h"

/* What an event does. */
typedef void tv_fxt_handler(struct tv_fxt_rank *rank, const struct tv_fxt_event *event);
struct tv_fxt_action {
	tv_fxt_handler *run;
	enum tv_fxt_state state;
	unsigned param; /* which parameter is the thread or memory node */
	enum tv_fxt_type type;
};
#define TV_FXT_DECLARE(code, symbol, handler, ...) tv_fxt_handler tv_fxt_##handler;
TV_FXT_EVENTS(TV_FXT_DECLARE)
#undef TV_FXT_DECLARE

enum { TV_FXT_PREFIX = 24 };

/* One file: one process. */
struct tv_fxt_rank {
	struct tv_fxt_run *run;
	char *path;
	struct tv_bytes map;
	struct tv_fxt_file file;
	struct tv_fxt_facts facts;
	struct tv_fxt_clock clock;
	int64_t number;	  /* rank */
	uint32_t index;	  /* in run->rank */
	uint32_t process; /* of a team: whose file it is */
	bool elsewhere;	  /* that is another one: it has only facts, and what messages say */
	char prefix[TV_FXT_PREFIX]; /* "", or "0_" */
	uint32_t node;		    /* label */
	int64_t end;		    /* latest time */

	/* of the current event */
	const struct tv_fxt_action *action;
	int64_t now;
	size_t offset;
	bool paused; /* profiling is off */

	struct tv_fxt_threads threads;
	struct tv_fxt_data data;
	struct tv_fxt_tasks tasks;
	struct tv_fxt_unexpected unexpected;
	uint32_t program, scheduler; /* labels */
	struct tv_fxt_step_variable ready, submitted, gflops, comm_in, comm_out;
	int64_t nready, nsubmitted;
	struct tv_fxt_deltas flops;
};

struct tv_team;

struct tv_fxt_run {
	struct tv_trace *trace;
	struct tv_fxt_rank *rank;
	size_t nranks, ranks_cap;
	struct tv_fxt_columns col;
	uint32_t state[TV_FXT_NSTATES]; /* labels */
	uint32_t type[TV_FXT_NTYPES];
	struct tv_fxt_messages messages;
	/* Calls tv_fxt_convert for every record of a file; -1 with *err where it cannot be read. */
	int (*walk)(struct tv_fxt_rank *rank, struct tv_error *err);
	uint64_t bytes, bytes_done; /* for the progress bar */
	void (*progress)(void *context, double share);
	void *progress_context;
};

/* ---- fxt.c: the reader (convert/formats.h) ---- */
int tv_fxt_probe(const char *head, size_t n);
void *tv_fxt_begin(struct tv_trace *trace);
int tv_fxt_read(void *run, struct tv_input *in, struct tv_error *err);
int tv_fxt_finish(void *run, struct tv_error *err);
int tv_fxt_share(void *run, const struct tv_team *team, struct tv_error *err);
void tv_fxt_free(void *run);
/* What comes before the walks, when the facts of all ranks are known: their order, names and clocks, meta. */
int tv_fxt_prepare(struct tv_fxt_run *run, struct tv_error *err) TV_MUST_CHECK;
/* Marks the tables of the trace that are not read. */
void tv_fxt_omit_tables(const struct tv_fxt_run *run);
/* The walk over a file: all rows but those of tasks and messages. */
int tv_fxt_convert_rank(struct tv_fxt_rank *rank, struct tv_error *err) TV_MUST_CHECK;

/* Whether bytes are UTF-8 without characters that act on what shows them. */
bool tv_fxt_is_text(const char *text, size_t n);
/* The text of n bytes that fills the parameters from i on; NULL, counted as that kind of damage, if
 * the bytes are no text. */
const char *tv_fxt_checked_text(struct tv_fxt_rank *rank, const struct tv_fxt_event *event,
				unsigned i, enum tv_damage_kind kind, size_t *n);
/* The same as a label; TV_NONE if it is empty as well. */
uint32_t tv_fxt_text_param(struct tv_fxt_rank *rank, const struct tv_fxt_event *event, unsigned i,
			   enum tv_damage_kind kind);
/* Labels: of a format; of a text; of a number in hexadecimal; of a short prefix and a number. */
uint32_t tv_fxt_label(const struct tv_fxt_run *run, const char *format, ...) TV_PRINTF(2, 3);
uint32_t tv_fxt_text_label(const struct tv_fxt_run *run, const char *text, size_t n);
uint32_t tv_fxt_hex_label(const struct tv_fxt_run *run, uint64_t value);
uint32_t tv_fxt_count_label(const struct tv_fxt_run *run, const char *prefix, uint64_t value);
/* Counts one dropped or repaired record, with the byte of the current event. */
void tv_fxt_damaged(struct tv_fxt_rank *rank, enum tv_damage_kind kind, const char *cause,
		    const char *format, ...) TV_PRINTF(4, 5);
/* More than 2^32 - 2 items of a kind count as exhausted memory. n: how many there are. */
void tv_fxt_check_count(size_t n, const char *what);

/* ---- walk.c: which event does what ---- */
/* The default of tv_fxt_run.walk. */
int tv_fxt_walk(struct tv_fxt_rank *rank, struct tv_error *err);
/* Does what an event means, except for tasks and messages, which it collects. */
void tv_fxt_convert(struct tv_fxt_rank *rank, const struct tv_fxt_event *event);

#endif
