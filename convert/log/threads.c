/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * threads.c -- the threads of a log as resources. Workers are those that run the program's tasks, or could.
 *
 * libomp runs deferred target constructs by hidden helper threads, which take no other task: one that ran
 * such a construct has a type of its own, and its states, which are none of the program, are left out.
 * A thread that ran no task and was in no team in which one was created cannot run any: it calls MPI, or it
 * is of a team that shares loops.
 */
#include "convert/log/raw.h"

static bool has_tasks(const struct tv_raw_log *log)
{
	return log->njobs + log->nunseen > 0 || log->starpu != NULL;
}

void tv_raw_find_teams(struct tv_raw_log *log)
{
	for (size_t i = 0; i < log->nnodes; i++) {
		const struct tv_raw_node *node = &log->node[i];

		if (node->kind == TV_RAW_EXPLICIT && node->region != TV_NONE)
			log->region[node->region].has_tasks = true;
	}
	for (size_t i = 0; i < log->nnodes; i++) {
		const struct tv_raw_node *node = &log->node[i];

		if (node->kind == TV_RAW_IMPLICIT && node->region != TV_NONE
		    && log->region[node->region].has_tasks)
			log->thread[node->home].teamed = true;
	}
}

const char *tv_raw_thread_type(const struct tv_raw_log *log, uint32_t thread)
{
	const struct tv_raw_thread *t = &log->thread[thread];

	if (t->helper)
		return t->ran ? "Helper" : "Thread";
	return t->active && (!has_tasks(log) || t->ran || t->teamed) ? "CPU" : "Thread";
}

static void note_helpers(const struct tv_raw_log *log)
{
	size_t n = 0, ran = 0;

	for (size_t i = 0; i < log->nthreads; i++) {
		n += log->thread[i].helper;
		ran += log->thread[i].helper && log->thread[i].ran;
	}
	if (n > 0)
		tv_meta_add(log->run->trace, "HelperThreads",
			    "%s: %zu of the runtime, %zu of them ran tasks",
			    tv_pool_text(log->run->trace->pool, log->place), n, ran);
}

void tv_raw_write_threads(struct tv_raw_log *log)
{
	struct tv_trace *trace = log->run->trace;
	struct tv_column *resource, *type, *node, *start, *end, *cpuset, *name, *id, *host;

	TV_TRACE_COLUMNS(trace, TV_RESOURCES, { "ResourceId", &resource },
			 { "ResourceType", &type }, { "Node", &node }, { "Start", &start },
			 { "End", &end }, { "Cpuset", &cpuset }, { "Name", &name },
			 { "ThreadId", &id }, { "Host", &host });
	note_helpers(log);
	for (size_t i = 0; i < log->nthreads; i++) {
		const struct tv_raw_thread *thread = &log->thread[i];
		int64_t last = thread->ended || thread->end > log->end ? thread->end : log->end;
		uint32_t row;

		if (!thread->active && !thread->sampled)
			continue;
		row = tv_table_add_row(&trace->table[TV_RESOURCES]);
		tv_set_label(resource, row, thread->name);
		tv_set_text(type, row, tv_raw_thread_type(log, (uint32_t)i));
		tv_set_label(node, row, log->place);
		if (log->run->hosts)
			tv_set_text(host, row, log->host);
		tv_set_int(start, row, tv_raw_time(log, thread->begin));
		tv_set_int(end, row, tv_raw_time(log, last));
		if (thread->binding != TV_NONE)
			tv_set_text(cpuset, row, tv_pool_text(trace->pool, thread->binding));
		if (thread->title != TV_NONE)
			tv_set_text(name, row, tv_pool_text(trace->pool, thread->title));
		if (thread->os_id > 0)
			tv_raw_set_number(id, row, thread->os_id);
	}
}
