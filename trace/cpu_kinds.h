/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_kinds.h -- kinds of cores in the XML of hwloc: <cpukind cpuset="0x0f"><info name="CoreType" value="IntelAtom"/>. */
#ifndef TV_CPU_KINDS_H
#define TV_CPU_KINDS_H

#include "trace/cpuset.h"
#include "trace/xml.h"

enum { TV_CPU_KINDS_MAX = 64, TV_CPU_KIND_NAME = 64 };

/* A zeroed struct has none. */
struct tv_cpu_kinds {
	struct tv_cpu_kind {
		char *name; /* NULL = the file does not say */
		struct tv_cpuset cpus;
	} kind[TV_CPU_KINDS_MAX];
	size_t n;
	bool open; /* what is read belongs to the last kind */
};

/* The set of hwloc's bitmap: words of 32 bits with commas between them, the last processors first. -1 with
 * xml->err. *set is empty on entry, and is released by the caller in any case. */
int tv_xml_cpuset(struct tv_xml *xml, const char *bitmap, struct tv_cpuset *set) TV_MUST_CHECK;

/* Reads an element <cpukind>, or an <info> inside it; others change nothing. -1 with xml->err. */
int tv_cpu_kinds_begin(struct tv_cpu_kinds *kinds, struct tv_xml *xml, const char *element,
		       const char *const *attribute) TV_MUST_CHECK;
void tv_cpu_kinds_end(struct tv_cpu_kinds *kinds, const char *element);
/* The kind of all these processors: its name, or kindN in *text. NULL where the machine has a single
 * kind, the set is empty, or not all are of one kind; of several the last one. */
const char *tv_cpu_kinds_of(const struct tv_cpu_kinds *kinds, const struct tv_cpuset *cpus,
			    char text[TV_CPU_KIND_NAME]);
void tv_cpu_kinds_release(struct tv_cpu_kinds *kinds);

#endif
