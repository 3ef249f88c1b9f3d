/* SPDX-License-Identifier: GPL-3.0-or-later */
/* messages.h -- dependencies that a trace does not have. */
#ifndef TV_TRACE_MESSAGES_H
#define TV_TRACE_MESSAGES_H

#include "trace/trace.h"

/*
 * Warns where tasks have dependencies, but none on a task of another node, although messages were sent:
 * links of the Type "MPI communication" that are no nodes of the graph (rows of tasks of Kind message).
 * What is computed of the graph lacks them. Not for runs whose MPI calls were recorded: their tasks wait in
 * calls. Their number is MessagesOutsideGraph in meta. Cost O(tasks +
 * dependencies + links).
 */
void tv_check_messages(struct tv_trace *trace);
/* What a part of a trace and those before it show of that: it has messages, which are looked for first, and what makes the warning needless
 * from then on. */
enum { TV_HAS_MESSAGES = 1, TV_HAS_ANSWER = 2 };
unsigned tv_messages_show(const struct tv_trace *trace, unsigned before);
/* Warns of dependencies on jobs that occur nowhere, and sets trace->lost_said; of tables whose ids the user gave, as records of StarPU
 * have many. Not where a window leaves out tasks. Cost O(tasks + dependencies). */
void tv_check_dependencies(struct tv_trace *trace);
/* What that says: the first of the lost dependencies is on a job, of another. */
void tv_report_lost(struct tv_trace *trace, uint64_t lost, uint64_t all, const char *on,
		    const char *of);
/* Whether meta names that format. */
bool tv_trace_is_format(const struct tv_trace *trace, const char *name);

#endif
