/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * probe.h -- what the parts of the StarPU probe share.
 *
 * The probe is loaded before the program is known, so StarPU is not linked to it: library.c finds its
 * functions where the process has them. policy.c takes the place of the hooks of scheduling policies
 * before StarPU copies them; decide.c takes the place of the functions by which dm* policies estimate.
 * What a decision consists of is kept by task, not by thread: under SimGrid all workers share one.
 * No lock is taken, as that would change when simulated workers run.
 */
#ifndef TV_RECORD_STARPU_PROBE_H
#define TV_RECORD_STARPU_PROBE_H

#include <starpu.h>
#include <starpu_scheduler.h>
#if STARPU_MINOR_VERSION >= 4
#include <starpu_scheduler_toolbox.h>
#endif

#include "record/loaded/log.h"

#define EXPORT __attribute__((visibility("default")))

/* The headers that the probe is compiled with: structs of tasks and policies are theirs. */
#define TV_STARPU_MAJOR STARPU_MAJOR_VERSION
#define TV_STARPU_MINOR STARPU_MINOR_VERSION

/* Where a task goes in a sorted queue, and the level of a priority. */
#if TV_STARPU_MINOR >= 4
#define TV_STARPU_LENGTH_BEFORE starpu_st_fifo_taskq_get_exp_len_prev_task_list
#define TV_STARPU_LEVEL		starpu_st_normalize_prio
typedef starpu_st_fifo_taskq_t tv_starpu_queue_t;
#else
#define TV_STARPU_LENGTH_BEFORE _starpu_fifo_get_exp_len_prev_task_list
#define TV_STARPU_LEVEL		_starpu_normalize_prio
typedef void *tv_starpu_queue_t;
double _starpu_fifo_get_exp_len_prev_task_list(tv_starpu_queue_t queue, struct starpu_task *task,
					       int worker, int impl, int *ntasks);
int _starpu_normalize_prio(int priority, int levels, unsigned context);
#endif

/* StarPU's own functions. */
#define JOIN(a, b)   a##b
#define MEMBER(name) JOIN(of_, name)
struct tv_starpu_functions {
#define FUNCTION(name) __typeof__(&name) MEMBER(name);
#include "record/loaded/starpu/functions.h"
#undef FUNCTION
};
extern struct tv_starpu_functions tv_starpu_real;
#define REAL(name) tv_starpu_real.MEMBER(name)

/* ---- library.c ---- */

extern atomic_int tv_starpu_loaded;
bool tv_starpu_find(void);
/* Whether REAL can be called. */
static inline bool tv_starpu_load(void)
{
	return atomic_load_explicit(&tv_starpu_loaded, memory_order_acquire) || tv_starpu_find();
}
/* Whether the process has the StarPU that the structs are of; else a warning is in the log. */
bool tv_starpu_is_known(void);

/* ---- policy.c ---- */

/* Whether StarPU calls functions of this library instead of its own: not if it has loaded it itself. */
extern bool tv_starpu_is_first;
/* Takes the place of the hooks of all policies that StarPU knows; again where it has been done. */
void tv_starpu_set_hooks(void);

/* ---- tasks.c: what happens to tasks ---- */

/* StarPU's clock in ns. */
static inline int64_t tv_starpu_ns(double us)
{
	return (int64_t)(us * 1000 + 0.5);
}
int64_t tv_starpu_clock(void);
/* The policy that is used now. */
void tv_starpu_name_policy(const char *name);
void tv_starpu_write_meta(const char *key, const char *value);
/* Whether events are recorded now; then the workers are in the log. */
bool tv_starpu_is_recording(void);
void tv_starpu_forget(
	void); /* StarPU begins again, or a fork: clocks and workers are to be written */
/* The number of what happens now, from 1; as the queues of workers change, where the scheduler locks. */
uint64_t tv_starpu_order(void);
/* The number of a task, or TV_LOG_STARPU_ADDRESS and its address. */
uint64_t tv_starpu_job(struct starpu_task *task);
void tv_starpu_submitted(struct starpu_task *task);
void tv_starpu_pushed(struct starpu_task *task, uint64_t order);
void tv_starpu_popped(struct starpu_task *task);
void tv_starpu_started(struct starpu_task *task, unsigned context);
void tv_starpu_ended(struct starpu_task *task);

/* ---- decide.c: what dm* policies compare ---- */

/* Calls push, which decides where a task shall run. */
int tv_starpu_decide(struct starpu_task *task, int (*push)(struct starpu_task *), bool by_priority);

#endif
