/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * generate.h -- task graphs of well-known programs, as OpenMP and StarPU programs submit them.
 *
 * The rows are planned tasks (Flag planned): no worker, no times. Dependencies follow from the data
 * accesses, by trace/accesses.h, as for recorded OpenMP programs. JobIds count submissions from 0.
 */
#ifndef TV_SIM_GENERATE_H
#define TV_SIM_GENERATE_H

#include "trace/trace.h"

struct tv_generate_options {
	uint32_t
		tiles; /* of a side; stencil: blocks of a side; forkjoin: tasks of a phase; random: tasks */
	uint32_t tile;	 /* elements of a tile's side (doubles) */
	uint32_t rounds; /* the whole algorithm again; stencil, forkjoin: iterations, phases */
	bool allocate;	 /* first a task per tile that writes it, in each round */
	uint64_t seed;	 /* of random */
	double density;	 /* of random: mean number of accesses to data that others wrote */
};

struct tv_generation;

struct tv_generator {
	const char *name, *summary;
	struct tv_generate_options usual; /* its defaults */
	void (*run)(struct tv_generation *generation, const struct tv_generate_options *options);
};

extern const struct tv_generator tv_generators[];
extern const uint32_t tv_ngenerators;
const struct tv_generator *tv_generator_find(const char *name); /* NULL = none */

/*
 * Fills an initialized trace: tasks and meta, not completed. -1 with *err: more tasks than a table
 * has rows. Cost O(tasks + dependencies).
 */
int tv_generate(const struct tv_generator *generator, const struct tv_generate_options *options,
		struct tv_trace *trace, struct tv_error *err) TV_MUST_CHECK;

#endif
