/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * placement.h -- where on the machine workers and their tasks run.
 *
 * The processors of a worker are its Cpuset in resources; without one those of its tasks' Cpu. A task
 * ran on its Cpu (at its Start), else where its worker is bound; on a machine of devices (device_objects.h) in its stream. Workers are on the only machine, or on the
 * one whose outermost object has as its Node their Host, or without that their Node.
 */
#ifndef TV_PLACEMENT_H
#define TV_PLACEMENT_H

#include "analysis/core/run.h"
#include "trace/machine.h"

struct tv_placement {
	struct tv_machine machine;
	struct tv_cpuset *cpus; /* by worker of run->tasks; empty = not known */
	uint32_t *root;	  /* by worker: outermost object of its machine; TV_NONE = not known */
	uint32_t *object; /* by worker: the smallest object that has its processors, or TV_NONE */
	uint32_t *
		of_row; /* by row of tasks that was executed: the smallest object on which it ran */
	bool *located;	/* by worker: all its tasks have a Cpu */
	uint32_t unplaced; /* workers without object */
	bool devices;	   /* the machine consists of devices: no processors */
};

/* Computed once per run, which keeps it. n = 0 objects if the trace has no machine. Cost O(tasks +
 * processors of all objects). */
struct tv_placement *tv_run_placement(struct tv_run *run);

/* What each object can hold of the workers: the smaller one of the number of its processors that they may
 * use, and of the workers that may use these; a device and a stream 1. sure[]: each of these workers' tasks is known to
 * have run inside the object or outside of it. */
void tv_placement_capacities(const struct tv_placement *placement, const struct tv_run *run,
			     uint32_t *capacity, bool *sure);

#endif
