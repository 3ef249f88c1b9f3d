/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hardware.h -- the objects of this machine, as hwloc 2 finds them: packages, NUMA nodes, caches, cores, PUs. */
#ifndef TV_RECORD_HARDWARE_H
#define TV_RECORD_HARDWARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tv_hardware_object {
	char level[16]; /* Machine, Package, NUMANode, L3, L2, L1d, Core, PU, ... */
	unsigned logical;
	int64_t os; /* index of the operating system, -1 = none */
	int parent; /* -1 = none */
	int depth;
	uint64_t bytes; /* of a cache or memory, 0 = unknown */
	char *cpus;	/* its PUs by the operating system's index: "0-3,8" */
	unsigned *pu;	/* the same as numbers */
	unsigned npus;
};

struct tv_hardware {
	struct tv_hardware_object *object; /* parents first; NUMA nodes last */
	unsigned n;
	char *xml; /* the topology as hwloc writes it */
	size_t xml_bytes;
};

/* Asks hwloc, which honors HWLOC_XMLFILE and HWLOC_SYNTHETIC. -1, with the reason in why. */
int tv_hardware_load(struct tv_hardware *hardware, char *why, size_t size);
void tv_hardware_release(struct tv_hardware *hardware);

/* "L3": whether the object is of that level; "L3:0": whether it is that one. Case does not matter. */
bool tv_hardware_matches(const struct tv_hardware_object *object, const char *level);
/* The levels, with commas. */
void tv_hardware_levels(const struct tv_hardware *hardware, char *text, size_t size);

#endif
