/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unit.h -- what the unit tests share: cmocka's headers, small random numbers, traces from text. */
#ifndef TV_UNIT_H
#define TV_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "convert/formats.h"
#include "trace/alloc.h"
#include "trace/csv.h"
#include "trace/kernels.h"
#include "trace/trace.h"

/*
 * Runs a statement that is to exhaust memory: unit_exhausts(tv_alloc(SIZE_MAX, 1)) is true if it did.
 * What the statement allocated before is lost.
 */
static jmp_buf unit_exhausted;

static inline void unit_on_exhaustion(size_t bytes, const char *purpose)
{
	(void)bytes;
	(void)purpose;
	longjmp(unit_exhausted, 1);
}

#define unit_exhausts(statement) \
	(tv_memory_on_exhaustion(unit_on_exhaustion), \
	 setjmp(unit_exhausted) != 0 || ((void)(statement), false))

/* A reproducible random number below `below` (xorshift64*). */
static inline uint64_t unit_random(uint64_t *state, uint64_t below)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (*state * 0x2545f4914f6cdd1du >> 16) % below;
}

/* The seed of the random input that follows, printed: of a test that fails, tests/run.sh shows it. */
static inline uint64_t unit_seed(uint64_t seed)
{
	print_message("# seed %llu\n", (unsigned long long)seed);
	return seed;
}

/* A complete trace of a tasks table in CSV; fails the test on an error. Release it with
 * tv_trace_release. */
static inline void unit_trace(struct tv_trace *trace, const struct tv_read_options *options,
			      const char *csv)
{
	struct tv_error err = { 0 };
	struct tv_input in;

	tv_trace_init(trace, options);
	tv_input_memory(&in, "test.csv", csv, strlen(csv));
	if (tv_native_reader.read(trace, &in, &err) < 0 || tv_trace_complete(trace, &err) < 0)
		fail_msg("line %ld: %s", err.line, err.text);
	tv_trace_as_read(trace); /* so that a test counts rows as it wrote them */
	tv_input_close(&in);
}

#endif
