/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * site.c -- where the program called the runtime, when the runtime gives an address of its own.
 *
 * libomp does so for taskloops (14, 16), for waits for dependences (16) and for some calls of
 * programs compiled by gcc. The stack is unwound to the first frame outside of the runtime. If that
 * frame is older than the running task, no code of the task called the runtime: the runtime divides a
 * taskloop.
 *
 * The address of a task is right only behind a call of a function that creates tasks. A call that is
 * the last thing that a function does leaves no frame (the compiler makes it a jump), so the address is
 * another function's; libomp may keep the address of the construct that executes the creating task;
 * and gcc gives the calls the line of the enclosing region. In these cases the function of the new task
 * takes its place: the struct of a task in libomp, which contains the data of this tool, is followed by
 * what compilers and runtime agree upon, the address of shared variables and that of the function.
 */
#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <unwind.h>

#include "record/loaded/openmp/probe.h"

/* What clang calls to create a task; gcc has GOMP_task. */
static const char *const creating_name[] = {
	"__kmpc_omp_task",	 "__kmpc_omp_task_with_deps", "__kmpc_omp_task_begin_if0",
	"__kmpc_omp_task_parts", "__kmpc_taskloop",	      "__kmpc_taskloop_5",
};
enum { N_CREATING = sizeof creating_name / sizeof *creating_name };
static uint64_t creating[N_CREATING];

struct walk {
	uint64_t exit_frame; /* of the running task */
	uint64_t site;
	bool in_runtime;
};

struct tv_omp_range tv_omp_runtime; /* libomp */

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
	for (unsigned i = 0; i < N_CREATING; i++)
		creating[i] = (uint64_t)(uintptr_t)dlsym(RTLD_DEFAULT, creating_name[i]);
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

/* ---- the function that is the body of a task ---- */

static int check_code(struct dl_phdr_info *object, size_t size, void *address)
{
	(void)size;
	for (unsigned i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
		uint64_t begin = object->dlpi_addr + segment->p_vaddr;
		if (segment->p_type == PT_LOAD && segment->p_flags & PF_X
		    && *(uint64_t *)address - begin < segment->p_memsz)
			return 1;
	}
	return 0;
}

/* The struct is the same for all tasks: where the address was found once, it is looked for first. */
static uint64_t body_of(const ompt_data_t *task)
{
	enum { WORDS = 32 };
	static atomic_int known = 0;
	const uint64_t *word = &task->value + 1;
	uint64_t address = word[atomic_load_explicit(&known, memory_order_relaxed)];

	if (address - tv_log_self.code_begin < tv_log_self.code_size)
		return address + 1;
	for (int i = 0; i < WORDS; i++) {
		address = word[i];
		if (address - tv_omp_runtime.begin < tv_omp_runtime.size
		    || !dl_iterate_phdr(check_code, &address))
			continue;
		atomic_store_explicit(&known, i, memory_order_relaxed);
		return address + 1;
	}
	return 0;
}

/* ---- calls ---- */

#ifdef __x86_64__

/* Reads a number of 32 bits relative to the address behind it. */
static uint64_t relative_at(const unsigned char *bytes)
{
	int32_t offset;

	memcpy(&offset, bytes, sizeof offset);
	return (uint64_t)(uintptr_t)(bytes + sizeof offset) + (uint64_t)(int64_t)offset;
}

static bool is_in(uint64_t address, uint64_t begin, uint64_t size)
{
	return address - begin < size;
}

/* Whether a slot of the table of addresses of the object (GOT) contains a function that creates tasks. */
static bool is_task_slot(uint64_t slot)
{
	uint64_t function;

	if (!is_in(slot, tv_log_self.code_begin, tv_log_self.code_size))
		return false;
	memcpy(&function, (const void *)(uintptr_t)slot, sizeof function);
	for (unsigned i = 0; i < N_CREATING; i++)
		if (function == creating[i])
			return true;
	return false;
}

/*
 * Whether the instruction before the return address creates a task, in the object that
 * tv_log_code has found: "call *slot", or "call stub" where the stub is "[endbr64] [bnd] jmp *slot".
 * True also for other instructions, whose target is not known.
 */
static bool creates_task(uint64_t address)
{
	const unsigned char *code = (const void *)(uintptr_t)address;
	uint64_t begin = tv_log_self.code_begin, size = tv_log_self.code_size;

	if (!is_in(address - 6, begin, size))
		return true;
	if (code[-6] == 0xff && code[-5] == 0x15)
		return is_task_slot(relative_at(code - 4));
	if (code[-5] != 0xe8)
		return true;
	uint64_t target = relative_at(code - 4);
	if (!is_in(target, begin, size) || !is_in(target + 16, begin, size))
		return false;
	const unsigned char *stub = (const void *)(uintptr_t)target;
	if (memcmp(stub, "\xf3\x0f\x1e\xfa", 4) == 0)
		stub += 4;
	if (*stub == 0xf2)
		stub++;
	return stub[0] == 0xff && stub[1] == 0x25 && is_task_slot(relative_at(stub + 2));
}

#else

static bool creates_task(uint64_t address)
{
	(void)address;
	return true;
}

#endif

uint64_t tv_omp_construct(uint64_t address, const ompt_data_t *task)
{
	/* Addresses that were found right. */
	static _Atomic uint64_t right[1024];
	_Atomic uint64_t *slot = &right[(address ^ address >> 10) % 1024];
	uint64_t body;

	if (!tv_omp_runtime.size
	    || (address && atomic_load_explicit(slot, memory_order_relaxed) == address))
		return address;
	if (address && creates_task(address)) {
		atomic_store_explicit(slot, address, memory_order_relaxed);
		return address;
	}
	body = body_of(task);
	if (body)
		tv_log_code(body);
	return body ? body : address;
}
