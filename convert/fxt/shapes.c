/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shapes.c -- which numbers of parameters StarPU's events have, by version. */
#include "convert/fxt/shapes.h"

#include <inttypes.h>
#include <stdio.h>

#define N(n)		  ((uint32_t)1 << (n))
#define RULE(symbol, ...) [TV_FXT_##symbol - TV_FXT_FIRST_CODE] = { __VA_ARGS__ }

/* The events that tasks, dependencies, workers, messages, transfers and handles come from.
 * START_CODELET_BODY is recognized by its content as well. */
const struct tv_fxt_rule tv_fxt_rules[TV_FXT_NCODES] = {
	RULE(WORKER_INIT_START, "WORKER_INIT_START", N(7), 0),
	RULE(TASK_SUBMIT, "TASK_SUBMIT", N(2) | N(4) | N(5) | N(7), 0),
	RULE(JOB_PUSH, "JOB_PUSH", N(3), 0),
	RULE(JOB_POP, "JOB_POP", N(3), 0),
	RULE(TASK_DEPS, "TASK_DEPS", N(2) | N(3), 4),
	RULE(END_CODELET_BODY, "END_CODELET_BODY", 0, 4),
	RULE(CODELET_DATA_HANDLE, "CODELET_DATA_HANDLE", N(4), 0),
	RULE(CODELET_DETAILS, "CODELET_DETAILS", N(7) | N(8), 0),
	RULE(HANDLE_DATA_REGISTER, "HANDLE_DATA_REGISTER", N(1), 3),
	RULE(START_DRIVER_COPY, "START_DRIVER_COPY", N(6), 0),
	RULE(END_DRIVER_COPY, "END_DRIVER_COPY", N(5), 0),
	RULE(USED_MEM, "USED_MEM", N(3), 0),
	RULE(MPI_BARRIER, "BARRIER", N(4) | N(5), 0),
	RULE(MPI_ISEND_SUBMIT_END, "ISEND_SUBMIT_END", N(4) | N(5) | N(6) | N(8) | N(9), 0),
	RULE(MPI_IRECV_TERMINATED, "IRECV_TERMINATED", N(4) | N(5) | N(6), 0),
};

#undef N
#undef RULE

const char *tv_fxt_generation_name(enum tv_fxt_generation generation)
{
	static const char *const name[] = { "unknown", "1.2", "1.3", "1.4", "1.4.99" };

	return name[generation];
}

const char *tv_fxt_kind_name(enum tv_fxt_generation generation, uint64_t number)
{
	/* Number 0 of the old ones is a thread of the application, never a worker. */
	static const char *const old[9] = { NULL, "CPU", "CUDA", "OPENCL", "mic", "scc", "mpi_ms" };
	static const char *const new[9] = { "CPU",  "CUDA",   "OpenCL",	  NULL,
					    "FPGA", "MPI_MS", "TCPIP_MS", "HIP" };
	static const char *const next[9] = { "CPU",    "CUDA",	   "OpenCL", NULL,  "FPGA",
					     "MPI_SC", "TCPIP_SC", "HIP",    "SYCL" };
	const char *const *names = generation == TV_FXT_1_4_99 ? next
				 : generation == TV_FXT_1_4    ? new
							       : old;

	return number >= 0x100 && number - 0x100 < TV_COUNT(old) ? names[number - 0x100] : NULL;
}

/* ---- one event ---- */

/* 1.4 removed the name; 1.4.99 added the thread and whether the task has no code. */
enum tv_fxt_generation tv_fxt_start_generation(const struct tv_fxt_event *event)
{
	uint64_t fourth = tv_fxt_word(event, 4);

	if (event->n == 4)
		return TV_FXT_1_4;
	if (event->n == 6 && fourth >= 1 && tv_fxt_word(event, 5) <= 1)
		return TV_FXT_1_4_99;
	return event->n >= 5 && fourth <= 1 ? TV_FXT_1_3 : TV_FXT_UNKNOWN;
}

/* ---- all events of a file ---- */

static void count(struct tv_fxt_tally *tally, const struct tv_fxt_event *event)
{
	if (tally->count++ == 0) {
		tally->offset = event->offset;
		tally->n = event->n;
	}
}

void tv_fxt_see_start(struct tv_fxt_shapes *shapes, const struct tv_fxt_event *event)
{
	count(&shapes->start[tv_fxt_start_generation(event)], event);
}

bool tv_fxt_see_ruled(struct tv_fxt_shapes *shapes, const struct tv_fxt_event *event,
		      const struct tv_fxt_rule *rule)
{
	bool known = tv_fxt_follows(rule, event->n);

	count(known ? &shapes->known[rule - tv_fxt_rules] : &shapes->unknown[rule - tv_fxt_rules],
	      event);
	return known;
}

enum tv_fxt_generation tv_fxt_usual_start(const struct tv_fxt_shapes *shapes)
{
	enum tv_fxt_generation usual = TV_FXT_UNKNOWN;
	uint64_t best = 0;

	for (int g = TV_FXT_1_3; g < TV_FXT_NGENERATIONS; g++)
		if (shapes->start[g].count > best) {
			best = shapes->start[g].count;
			usual = (enum tv_fxt_generation)g;
		}
	return usual;
}

/* "2, 4, 5 or 7", "4 or more" */
static void list_numbers(const struct tv_fxt_rule *rule, char *text, size_t size)
{
	unsigned left = (unsigned)__builtin_popcount(rule->numbers) + (rule->text > 0);
	size_t used = 0;

	text[0] = '\0';
	for (unsigned n = 0; n < 32 && used < size; n++)
		if (rule->numbers >> n & 1) {
			left--;
			used += (size_t)snprintf(text + used, size - used, "%u%s", n,
						 left > 1    ? ", "
						 : left == 1 ? " or "
							     : "");
		}
	if (rule->text > 0 && used < size)
		snprintf(text + used, size - used, "%u or more", rule->text);
}

static int check(const char *path, struct tv_trace *trace, const char *name, const char *expected,
		 const struct tv_fxt_tally *wrong, uint64_t right, struct tv_error *err)
{
	struct tv_pos at = { path, 0 };

	if (wrong->count == 0)
		return 0;
	if (wrong->count > right)
		return tv_fail_at(err, at,
				  "byte %zu: %s of %u parameters (so are %" PRIu64 " of %" PRIu64
				  "), expected %s: of a version of StarPU that is not known",
				  wrong->offset, name, wrong->n, wrong->count, wrong->count + right,
				  expected);
	tv_damaged(trace, TV_DROPPED, "event of unknown layout", at,
		   "byte %zu: %s of %u parameters, expected %s", wrong->offset, name, wrong->n,
		   expected);
	tv_damage_count(trace, TV_DROPPED, "event of unknown layout", wrong->count - 1);
	return 0;
}

static int check_starts(const struct tv_fxt_shapes *shapes, enum tv_fxt_generation generation,
			const char *path, struct tv_trace *trace, struct tv_error *err)
{
	enum tv_fxt_generation usual = tv_fxt_usual_start(shapes);
	uint64_t right = usual != TV_FXT_UNKNOWN ? shapes->start[usual].count : 0;
	char expected[160] = "4 (StarPU 1.4), 5 or more with a flag in the fifth (1.2, 1.3), or 6 "
			     "with a flag in the sixth (1.4.99)";

	if (usual != TV_FXT_UNKNOWN)
		snprintf(expected, sizeof expected, "those of StarPU %s",
			 tv_fxt_generation_name(generation));
	for (int g = 0; g < TV_FXT_NGENERATIONS; g++)
		if ((g == TV_FXT_UNKNOWN || g != (int)usual)
		    && check(path, trace, "START_CODELET_BODY", expected, &shapes->start[g], right,
			     err)
			       < 0)
			return -1;
	return 0;
}

int tv_fxt_check_shapes(const struct tv_fxt_shapes *shapes, enum tv_fxt_generation generation,
			const char *path, struct tv_trace *trace, struct tv_error *err)
{
	char expected[64];

	if (check_starts(shapes, generation, path, trace, err) < 0)
		return -1;
	for (size_t i = 0; i < TV_FXT_NCODES; i++) {
		if (tv_fxt_rules[i].name == NULL)
			continue;
		list_numbers(&tv_fxt_rules[i], expected, sizeof expected);
		if (check(path, trace, tv_fxt_rules[i].name, expected, &shapes->unknown[i],
			  shapes->known[i].count, err)
		    < 0)
			return -1;
	}
	return 0;
}
