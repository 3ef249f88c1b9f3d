/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * culprits.h -- what went on elsewhere while a worker was idle, without remainder.
 *
 * For every instant at which a worker executes nothing, from its next counted task v (without one from the end of the
 * run, which depends on the counted task that ends last, of equal ones that of the smallest JobId):
 *
 *	the worker is in a call		  -> CALL, whatever v is (dag/in_calls.h)
 *	v is running or in flight	  -> it is the culprit: TASK or OTHER (setup, runtime), MESSAGE
 *	v is released and has not started -> what its worker runs: TASK or OTHER; or in which CALL its thread is; of a
 *					     team the first of its workers with one; nothing: DATA of v under way, else RUNTIME before v;
 *					     v is a message: UNSENT
 *	v is not submitted		  -> SUBMISSION of v
 *	else go on with the last dependency of v (tv_dag_awaited)
 *
 * Each step goes back in the graph to what has not ended, so the walk ends, with one culprit: their times add up to the
 * idle time. Direct: at most one step was taken; one is a dependency, the way to the worker of what waits, or from the end of the
 * run. As in D. Boehme et al., ICPP 2010 (direct and propagated waiting); the walk is ours.
 */
#ifndef TV_DAG_CULPRITS_H
#define TV_DAG_CULPRITS_H

#include "dag/fetch.h"

/* CULPRIT(symbol, name, color, meaning) */
#define TV_IDLE_CULPRITS(CULPRIT) \
	CULPRIT(TASK, "task", 0x6f6f6f, \
		"a task runs that it waits for, or that keeps a worker busy") \
	CULPRIT(CALL, "call", 0x7b3294, \
		"the worker, or that of a released task, is inside an MPI call") \
	CULPRIT(MESSAGE, "message", 0x56b4e9, "a message is in flight") \
	CULPRIT(UNSENT, "unsent", 0x93bcd4, "a message could be sent, and is not yet") \
	CULPRIT(DATA, "data", 0x0072b2, "data are under way to a released task") \
	CULPRIT(RUNTIME, "runtime", 0xd55e00, \
		"a released task does not start, its worker is idle") \
	CULPRIT(OTHER, "other", 0xb89b72, "a task that is not counted runs (setup, runtime)") \
	CULPRIT(SUBMISSION, "submission", 0x2a9d77, "a task is not submitted") \
	CULPRIT(UNEXPLAINED, "unexplained", 0x3c3c3c, "as runtime, in a trace without dependencies")

enum tv_idle_culprit {
#define TV_IDLE_CULPRIT_SYMBOL(symbol, ...) TV_IDLE_CULPRIT_##symbol,
	TV_IDLE_CULPRITS(TV_IDLE_CULPRIT_SYMBOL)
#undef TV_IDLE_CULPRIT_SYMBOL
		TV_IDLE_NCULPRITS
};

const char *tv_idle_culprit_name(enum tv_idle_culprit culprit);
/* Whether it takes a time that can be longer than that of others of its kind. */
static inline bool tv_idle_culprit_has_excess(enum tv_idle_culprit culprit)
{
	return culprit == TV_IDLE_CULPRIT_TASK || culprit == TV_IDLE_CULPRIT_MESSAGE;
}

/* A span in which a worker was idle with one culprit. */
struct tv_idle_culprit_span {
	uint32_t worker;
	enum tv_idle_culprit what;
	uint32_t row; /* of tasks: the task or message that runs, or that waits; CALL: of calls */
	bool direct;
	int64_t begin, end; /* ns, begin < end */
};
typedef void tv_idle_culprit_part(void *to, const struct tv_idle_culprit_span *span);

/* Calls part() for all idle time of all workers in [begin, end), gap by gap in the order of the tasks that follow them, the spans
 * of one in no order. Cost O((rows + spans) log rows): a gap of a worker is divided by what each step of its walk did. */
void tv_idle_culprits(const struct tv_waits *waits, const struct tv_fetches *fetches, int64_t begin,
		      int64_t end, tv_idle_culprit_part *part, void *to);

#endif
