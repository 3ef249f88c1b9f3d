/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * site.c -- where the program called the runtime, when the runtime gives an address of its own.
 *
 * libomp does so for taskloops (14, 16), for waits for dependences (16) and for some calls of
 * programs compiled by gcc. The stack is unwound to the first frame outside of the runtime. If that
 * frame is older than the running task, no code of the task called the runtime: the runtime divides a
 * taskloop.
 */
#include <link.h>
#include <unwind.h>

#include "record/openmp/probe.h"

struct walk {
	uint64_t exit_frame; /* of the running task */
	uint64_t site;
	bool in_runtime;
};

struct tv_omp_range tv_omp_runtime;

static int check_object(struct dl_phdr_info *object, size_t size, void *address)
{
	uint64_t begin = UINT64_MAX, end = 0;

	(void)size;
	for (unsigned i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
		uint64_t at = object->dlpi_addr + segment->p_vaddr;
		if (segment->p_type != PT_LOAD)
			continue;
		if (at < begin)
			begin = at;
		if (at + segment->p_memsz > end)
			end = at + segment->p_memsz;
	}
	if (*(uint64_t *)address - begin >= end - begin || begin >= end)
		return 0;
	/* The program itself has no name: it was linked with a static runtime. */
	if (object->dlpi_name[0])
		tv_omp_runtime = (struct tv_omp_range){ begin, end - begin };
	return 1;
}

void tv_omp_site_setup(const void *in_runtime)
{
	uint64_t address = (uint64_t)(uintptr_t)in_runtime;

	dl_iterate_phdr(check_object, &address);
}

static _Unwind_Reason_Code visit(struct _Unwind_Context *context, void *arg)
{
	struct walk *walk = arg;
	uint64_t address = _Unwind_GetIP(context);

	if (address - tv_omp_runtime.begin < tv_omp_runtime.size) {
		walk->in_runtime = true;
		return _URC_NO_REASON;
	}
	if (!walk->in_runtime)
		return _URC_NO_REASON; /* a frame of the probe */
	if (_Unwind_GetCFA(context) <= walk->exit_frame)
		walk->site = address;
	return _URC_END_OF_STACK;
}

/*
 * The taskloops that were divided last, by the task that encountered them. A large one is divided
 * by auxiliary tasks of the runtime, on any thread.
 */
static struct {
	_Atomic uint64_t task, site;
} loops[64];

static unsigned loop_index(uint64_t task)
{
	return (unsigned)((task ^ task >> 40) % (sizeof loops / sizeof *loops));
}

void tv_omp_set_loop(uint64_t task, uint64_t site)
{
	unsigned i = loop_index(task);

	atomic_store(&loops[i].task, 0);
	atomic_store(&loops[i].site, site);
	atomic_store(&loops[i].task, task);
}

static uint64_t find_loop(uint64_t task)
{
	unsigned i = loop_index(task);
	bool is_found = atomic_load(&loops[i].task) == task;
	uint64_t site = atomic_load(&loops[i].site);

	return is_found && atomic_load(&loops[i].task) == task ? site : 0;
}

/* The frame from which the runtime called the task of a level, 0 = the running one; all stack belongs to
 * the initial task. *id: of the task. */
static uint64_t exit_frame(int level, uint64_t *id)
{
	ompt_data_t *task = NULL;
	ompt_frame_t *frame = NULL;
	int flags = 0;

	*id = 0;
	if (tv_omp_task_info(level, &flags, &task, &frame, NULL, NULL) != 2)
		return 0;
	*id = task ? task->value : 0;
	if (frame && frame->exit_frame.ptr)
		return (uint64_t)(uintptr_t)frame->exit_frame.ptr;
	return flags & ompt_task_initial ? UINT64_MAX : 0;
}

uint64_t tv_omp_site(uint64_t creator)
{
	struct walk walk = { 0 };
	uint64_t running;

	walk.exit_frame = exit_frame(0, &running);
	/* The task that is being created may count as running. */
	if (running == tv_log_self.last_id)
		walk.exit_frame = exit_frame(1, &running);
	if (creator && running != creator)
		return find_loop(creator);
	_Unwind_Backtrace(visit, &walk);
	return walk.site;
}
