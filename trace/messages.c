/* SPDX-License-Identifier: GPL-3.0-or-later */
/* messages.c -- dependencies between tasks of different nodes that a trace does not have. */
#include "trace/messages.h"

#include <string.h>

#include "trace/alloc.h"
#include "trace/clocks.h"
#include "trace/kernels.h"
#include "trace/map.h"

static bool has_kind(const struct tv_table *tasks, const char *name)
{
	const struct tv_column *kind = tv_table_find(tasks, "Kind");
	uint32_t label = kind == NULL ? TV_NONE : tv_pool_find_text(kind->pool, name);

	for (uint32_t row = 0; label != TV_NONE && row < tasks->nrows; row++)
		if (tv_label(kind, row) == label)
			return true;
	return false;
}

/* Messages that came; those that were never received have no task that waits for them. */
static uint32_t count_messages(const struct tv_table *links)
{
	const struct tv_column *type = tv_table_find(links, "Type");
	const struct tv_column *flag = tv_table_find(links, "Flag");
	uint32_t message = type == NULL ? TV_NONE : tv_pool_find_text(type->pool, TV_MESSAGE_TYPE);
	uint32_t open = flag == NULL ? TV_NONE : tv_pool_find_text(flag->pool, "open"), n = 0;

	for (uint32_t row = 0; message != TV_NONE && row < links->nrows; row++)
		n += tv_label(type, row) == message
		  && (open == TV_NONE || tv_label(flag, row) != open);
	return n;
}

/* Of the tasks: whether they have dependencies, on how many nodes they ran, whether a dependency is one
 * on a task of another node. */
struct graph {
	bool depends, crosses;
	uint32_t nodes;
};

static struct graph look_at(const struct tv_table *tasks)
{
	const struct tv_column *job = tv_table_find(tasks, "JobId");
	const struct tv_column *node = tv_table_find(tasks, "Node");
	const struct tv_column *depends = tv_table_find(tasks, "DependsOn");
	const struct tv_column *start = tv_table_find(tasks, "Start");
	struct tv_index node_of = { 0 }, seen = { 0 };
	struct graph g = { false, false, 0 };

	if (job == NULL || node == NULL || depends == NULL || start == NULL)
		return g;
	for (uint32_t row = 0; row < tasks->nrows; row++) {
		if (tv_missing(node, row))
			continue;
		if (!tv_missing(job, row))
			tv_index_set(&node_of, tv_label(job, row), tv_label(node, row));
		if (!tv_missing(start, row)
		    && tv_index_get(&seen, tv_label(node, row)) == TV_NONE) {
			tv_index_set(&seen, tv_label(node, row), 0);
			g.nodes++;
		}
	}
	for (uint32_t row = 0; row < tasks->nrows && !g.crosses; row++) {
		uint32_t n, other;
		const uint32_t *on = tv_list(depends, row, &n);

		g.depends = g.depends || n > 0;
		for (uint32_t i = 0; i < n; i++) {
			other = tv_index_get(&node_of, on[i]);
			g.crosses = g.crosses || (other != TV_NONE && other != tv_label(node, row));
		}
	}
	tv_free(node_of.at);
	tv_free(seen.at);
	return g;
}

bool tv_trace_is_format(const struct tv_trace *trace, const char *name)
{
	size_t n;
	const char *format = tv_meta_get(trace, "Format", &n);

	return format != NULL && n == strlen(name) && memcmp(format, name, n) == 0;
}

unsigned tv_messages_show(const struct tv_trace *trace, unsigned before)
{
	const struct tv_table *tasks = &trace->table[TV_TASKS];

	if (before == 0 && count_messages(&trace->table[TV_LINKS]) == 0)
		return 0;
	return TV_HAS_MESSAGES
	     | (trace->table[TV_CALLS].nrows > 0 || has_kind(tasks, tv_kind_name(TV_MESSAGE))
				|| look_at(tasks).crosses
			? TV_HAS_ANSWER
			: 0);
}

void tv_check_messages(struct tv_trace *trace)
{
	uint32_t messages = count_messages(&trace->table[TV_LINKS]);
	const struct tv_table *tasks = &trace->table[TV_TASKS];
	struct graph graph;
	size_t n;

	/* StarPU's records without a trace have messages in a file of their own, or not at all. */
	if ((messages == 0 && !tv_trace_is_format(trace, "recutils"))
	    || trace->table[TV_CALLS].nrows > 0 || has_kind(tasks, tv_kind_name(TV_MESSAGE)))
		return;
	/* Where the graph is not read, nothing says what it lacks. */
	graph = look_at(tasks);
	if (!graph.depends || graph.crosses || graph.nodes < 2)
		return;
	if (messages > 0 && tv_meta_get(trace, "MessagesOutsideGraph", &n) == NULL)
		tv_meta_add(trace, "MessagesOutsideGraph", "%u", messages);
	if (messages > 0)
		tv_notice(trace,
			  "no task depends on one of another node, although there are %u messages: "
			  "the "
			  "dependencies that these carry (StarPU's comms.rec) are not known, so "
			  "bounds, paths, "
			  "releases, idle causes and simulations lack them",
			  messages);
	else
		tv_notice(trace,
			  "no task depends on one of another node (tasks ran on %u): messages "
			  "(comms.rec) and "
			  "the dependencies that they carry are not known, so bounds, paths, "
			  "releases, idle "
			  "causes and simulations lack them",
			  graph.nodes);
}

void tv_report_lost(struct tv_trace *trace, uint64_t lost, uint64_t all, const char *on,
		    const char *of)
{
	tv_notice(trace,
		  "%llu of %llu dependencies are ignored, as they are on jobs that occur nowhere: "
		  "the first is on '%s', of '%s'",
		  (unsigned long long)lost, (unsigned long long)all, on, of);
}

void tv_check_dependencies(struct tv_trace *trace)
{
	const struct tv_table *tasks = &trace->table[TV_TASKS];
	const struct tv_column *job = tv_table_find(tasks, "JobId");
	const struct tv_column *depends = tv_table_find(tasks, "DependsOn");
	struct tv_index known = { 0 };
	uint32_t lost = 0, all = 0, task = TV_NONE, on = TV_NONE;

	if (depends == NULL || trace->rest.n > 0
	    || !(trace->native || tv_trace_is_format(trace, "table")))
		return;
	for (uint32_t row = 0; row < tasks->nrows; row++)
		if (job != NULL && !tv_missing(job, row))
			tv_index_set(&known, tv_label(job, row), 0);
	for (uint32_t row = 0; row < tasks->nrows; row++) {
		uint32_t n;
		const uint32_t *label = tv_list(depends, row, &n);

		all += n;
		for (uint32_t i = 0; i < n; i++) {
			if (tv_index_get(&known, label[i]) != TV_NONE)
				continue;
			if (lost++ == 0) {
				task = row;
				on = label[i];
			}
		}
	}
	tv_free(known.at);
	if (lost == 0)
		return;
	trace->lost_said = true;
	if (job == NULL) {
		tv_notice(
			trace,
			"all %u dependencies are ignored, as they are on jobs that occur nowhere: "
			"no task has a JobId",
			all);
		return;
	}
	tv_report_lost(trace, lost, all, tv_pool_text(trace->pool, on),
		       tv_missing(job, task) ? "" : tv_pool_text(trace->pool, tv_label(job, task)));
}
