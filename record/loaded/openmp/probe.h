/* SPDX-License-Identifier: GPL-3.0-or-later */
/* probe.h -- what the parts of the OpenMP probe share. */
#ifndef TV_RECORD_OPENMP_PROBE_H
#define TV_RECORD_OPENMP_PROBE_H

#include <omp-tools.h>

#include "record/loaded/log.h"
#include "record/loaded/task_counters.h"

/* What the probe keeps of the running thread. Small: it lies in the static part of TLS. */
struct tv_omp_thread {
	uint64_t loop; /* code address of the taskloop that the thread divides, else 0 */
	struct tv_task_counters *counters; /* NULL = none */
	struct tv_omp_buffer *pages;	   /* NULL = none yet */
	uint32_t introduced; /* the process (of those made by fork) in whose log it is described */
	int16_t place;	     /* OpenMP's, when its binding was written; -2 = not yet */
	uint8_t kind;	     /* ompt_thread_t */
};

extern __thread struct tv_omp_thread tv_omp_self __attribute__((tls_model("initial-exec")));
extern ompt_get_task_info_t tv_omp_task_info;

/*
 * site.c: code addresses. Where a callback gives an address within the runtime itself,
 * tv_omp_site is the address in the running task from which the runtime was called; 0 = unknown.
 * creator: of the task that is being created, else 0; it may be another task than the running one
 * if a taskloop is divided, whose address tv_omp_set_loop gave.
 */
struct tv_omp_range {
	uint64_t begin, size;
};
extern struct tv_omp_range tv_omp_runtime; /* empty where the runtime is part of the program */
void tv_omp_site_setup(const void *in_runtime);
uint64_t tv_omp_site(uint64_t creator);
void tv_omp_set_loop(uint64_t task, uint64_t site);
/*
 * The address of the construct of a task that is being created: the one that tv_omp_code gave, or, if
 * no task is created there, that of the function of the task plus 1.
 */
uint64_t tv_omp_construct(uint64_t address, const ompt_data_t *task);

/* The code address to write for the one that a callback gives. To be called before the time of the
 * event is taken. */
static inline uint64_t tv_omp_code(const void *code, uint64_t creator)
{
	uint64_t address = (uint64_t)(uintptr_t)code;

	if (address - tv_omp_runtime.begin < tv_omp_runtime.size)
		address = tv_omp_self.loop ? tv_omp_self.loop : tv_omp_site(creator);
	if (address)
		tv_log_code(address);
	return address;
}

/* pages.c: --pages. Addresses of `depend` clauses, and the NUMA nodes behind them. */
extern bool tv_omp_has_pages;
void tv_omp_pages_setup(void);
void tv_omp_pages_forked(void);
void tv_omp_pages_end_thread(void);
void tv_omp_pages_add(uint64_t address);
void tv_omp_pages_write(void); /* PAGE_AT of the addresses added since, on any thread */

#endif
