/* SPDX-License-Identifier: GPL-3.0-or-later */
/* parallel.c -- items of work, taken in turn by threads. */
#include "trace/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "trace/alloc.h"
#include "trace/timings.h"

struct shared_items {
	void (*item)(void *context, size_t i);
	void *context;
	size_t n;
	atomic_size_t next; /* item that nobody has taken; the first is the caller's */
	atomic_bool exhausted;
	atomic_size_t bytes; /* of the request that exhausted memory */
	atomic_int_least64_t cpu_ns;
};

static unsigned wanted; /* 0 = by the cores */
static atomic_int_least64_t threads_ns;

int64_t tv_threads_cpu(void)
{
	return atomic_load(&threads_ns);
}

void tv_threads_set(unsigned n)
{
	wanted = n;
}

unsigned tv_threads(void)
{
	cpu_set_t cores;
	int n = 1;

	if (wanted > 0)
		return wanted;
	if (sched_getaffinity(0, sizeof cores, &cores) == 0)
		n = CPU_COUNT(&cores);
	return n < TV_THREADS_MAX ? (unsigned)n : TV_THREADS_MAX;
}

static void take_items(void *context)
{
	struct shared_items *work = context;
	size_t i;

	while ((i = atomic_fetch_add(&work->next, 1)) < work->n)
		work->item(work->context, i);
}

static void take_first(void *context)
{
	struct shared_items *work = context;

	work->item(work->context, 0);
	take_items(work);
}

static void run(struct shared_items *work, void (*take)(void *context))
{
	size_t bytes;

	if (tv_memory_try(take, work, &bytes))
		return;
	atomic_store(&work->bytes, bytes);
	atomic_store(&work->exhausted, true);
	atomic_store(&work->next, work->n);
}

static void *run_thread(void *context)
{
	struct shared_items *work = context;

	run(work, take_items);
	atomic_fetch_add(&work->cpu_ns, tv_clock_ns(CLOCK_THREAD_CPUTIME_ID));
	return NULL;
}

void tv_parallel(size_t n, void (*item)(void *context, size_t i), void *context)
{
	struct shared_items work = { .item = item, .context = context, .n = n, .next = 1 };
	size_t want = tv_threads() < n ? tv_threads() : n, have = 0;
	pthread_t thread[TV_THREADS_MAX];

	if (want < 2) {
		for (size_t i = 0; i < n; i++)
			item(context, i);
		return;
	}
	while (have + 1 < want && pthread_create(&thread[have], NULL, run_thread, &work) == 0)
		have++;
	run(&work, take_first);
	while (have > 0)
		pthread_join(thread[--have], NULL);
	atomic_fetch_add(&threads_ns, atomic_load(&work.cpu_ns));
	if (work.exhausted)
		tv_memory_exhausted(work.bytes);
}
