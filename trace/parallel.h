/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * parallel.h -- work for several threads at once, whose result does not depend on their number.
 *
 * Threads exist only during a call of tv_parallel. Each item changes what no other one of the same
 * call uses; what several use is only read. An item does not open or end outputs and, unless it is
 * the first one, has no TV_STAGE, tv_memory_purpose or tv_parallel.
 */
#ifndef TV_PARALLEL_H
#define TV_PARALLEL_H

#include <stddef.h>
#include <stdint.h>

enum { TV_THREADS_MAX = 256 };

/* The number of threads from now on, <= TV_THREADS_MAX; 0 = one per core that this process may use,
 * which is the default. */
void tv_threads_set(unsigned n);
unsigned tv_threads(void);

/*
 * Calls work(context, i) for every i < n and returns when all calls have returned. Items start in
 * their order, several at a time, the first one in the calling thread. With one thread, or where
 * none can be created, it is a loop. When memory is exhausted in an item, no further one starts,
 * and the handler (trace/alloc.h) is called in the calling thread.
 */
void tv_parallel(size_t n, void (*work)(void *context, size_t i), void *context);

/* CPU time of the threads of all calls that have returned, ns. */
int64_t tv_threads_cpu(void);

#endif
