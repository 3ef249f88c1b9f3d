/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * blame.h -- what an idle worker whose cause is DEPENDENCIES (dag/idle.h) waits for.
 *
 * From the worker's next task, the counted one that starts there next, back along what each was
 * released by last (tv_dag_awaited), until one is, at that instant: a task that runs (TASK), a
 * message in flight (MESSAGE), released but not started (WAITING), not submitted (SUBMISSION). A
 * worker without a next task has NO_NEXT_TASK. So these five add up to the cause. Ours.
 */
#ifndef TV_BLAME_H
#define TV_BLAME_H

#include "dag/idle.h"

/* BLAME(symbol, name, column, color, phrase, sentence, meaning): use it as TV_WAIT_CAUSES. column: of its time in results;
 * color, phrase, sentence: as in TV_IDLE_CAUSES; meaning: of the column. */
#define TV_BLAMES(BLAME) \
	BLAME(TASK, "task", "BlameTask", 0x6f6f6f, "most while other tasks ran", \
	      "waited for running tasks on which their next task depends.", \
	      "of Time of dependencies: for a task that runs") \
	BLAME(MESSAGE, "message", "BlameMessage", 0x93bcd4, "most while messages were in flight", \
	      "waited for messages in flight on which their next task depends.", \
	      "for a message in flight") \
	BLAME(WAITING, "waiting", "BlameWaiting", 0xb89b72, \
	      "most while others were released and had not started", \
	      "waited for tasks that were ready but had not started.", \
	      "for a task or message that is released and has not started") \
	BLAME(SUBMISSION, "submission", "BlameSubmission", 0x8fc4ad, \
	      "most while others were not submitted", \
	      "waited for tasks that were not submitted yet.", "for a task that is not submitted") \
	BLAME(NO_NEXT_TASK, "no-next-task", "BlameNoNextTask", 0xd9d9d9, \
	      "most on workers without a next task", \
	      "had run their last task while other tasks were not ready yet.", \
	      "by workers that will run no other task")

enum tv_blame {
#define TV_BLAME_SYMBOL(symbol, ...) TV_BLAME_##symbol,
	TV_BLAMES(TV_BLAME_SYMBOL)
#undef TV_BLAME_SYMBOL
		TV_NBLAMES
};

const char *tv_blame_name(enum tv_blame blame);
const char *tv_blame_column(enum tv_blame blame);

/* A cause of idle time, or what is blamed. */
struct tv_idle_words {
	const char *name;
	uint32_t color;
	const char *phrase, *sentence; /* sentence may be NULL */
};

/* NULL if no cause and nothing that is blamed has that name. */
const struct tv_idle_words *tv_idle_words(const char *name);

/*
 * What a node of the graph did in [begin, end), before whose end it has not ended: it was not
 * submitted until `submitted`, then waited until `released` for what released it (before; the
 * next step is that one in [submitted, released)), waited to start, and ran or was in flight from
 * `started` on. begin <= submitted <= released <= started <= end, ns. before, allowed: of
 * tv_awaited_before.
 */
struct tv_blame_step {
	uint32_t node;
	int64_t begin, submitted, released, started, end;
};
void tv_blame_step_at(struct tv_blame_step *step, const struct tv_dag *dag, uint32_t node,
		      uint32_t before, int64_t allowed, int64_t begin, int64_t end);

/* A worker lost `time` ns (> 0) within a slice because of a node of the graph; TV_NONE: of none. */
struct tv_blamed {
	size_t slice;
	uint32_t worker, node;
	enum tv_blame blame;
	int64_t time;
};
typedef void tv_blame_part(void *to, const struct tv_blamed *part);

/*
 * spans: of the sweep of the same slices. Calls part() for every part, in an unspecified order.
 * Cost O((rows + steps) log rows), steps: the dependencies between which each span of a worker is
 * divided.
 */
void tv_blame(const struct tv_waits *waits, const struct tv_idle_spans *spans, const int64_t *bound,
	      size_t nslices, tv_blame_part *part, void *to);

/*
 * The same for the cause MPI, all of which is blamed on messages (blame MESSAGE): at each instant
 * on the one that the worker's next task waits for, if that lacks nothing but messages; else on the
 * one that another task of the node waits for which lacks nothing else: of those that the worker's
 * type can run (without any, of all) the one that starts first. A task that lacks several messages
 * waits for the last of them. Ours. Cost O((rows + spans) log rows + workers x changes of the first
 * task).
 */
void tv_blame_mpi(const struct tv_waits *waits, const struct tv_idle_spans *spans,
		  const int64_t *bound, size_t nslices, tv_blame_part *part, void *to);

/* A worker lost `time` ns (> 0) within a slice because a transfer was under way; link TV_NONE: the
 * trace shows only a state of the worker. */
typedef void tv_blame_transfer(void *to, size_t slice, uint32_t worker, uint32_t link,
			       int64_t time);

/*
 * The same for the cause DATA: of the transfers under way to the worker's released task the one
 * that ends last, of equal ones the last row of links; without any, none. Ours. Cost O(spans x
 * (fetches of its task)^2 + (spans + slices) log fetches).
 */
void tv_blame_data(const struct tv_fetches *fetches, const struct tv_idle_spans *spans,
		   const int64_t *bound, size_t nslices, tv_blame_transfer *part, void *to);

#endif
