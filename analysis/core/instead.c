/* SPDX-License-Identifier: GPL-3.0-or-later */
/* instead.c -- what can be asked of a trace that lacks what a verb needs. */
#include "analysis/core/instead.h"

#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/clocks.h"
#include "trace/map.h"
#include "trace/near_names.h"

/* The verbs for each table, in the order in which they are named. */
static const struct {
	enum tv_table_id id;
	const char *what, *verbs;
} uses[] = {
	{ TV_TASKS, "tasks", "diagnose, summary" },
	{ TV_CALLS, "MPI calls", "callprofile, wait-states, efficiency, mpi-replay" },
	{ TV_STATES, "states", "states" },
	{ TV_LINKS, "messages", "messages, comm-matrix" },
	{ TV_VARIABLES, "variables", "counter" },
	{ TV_EVENTS, "events", "events, summary --of events" },
	{ TV_CALLPROFILE, "sums of MPI calls", "callprofile, dedicate" },
	{ TV_BENCHMARKS, "rows of benchmarks", "overlap" },
	{ TV_HANDLES, "handles", "summary --of handles" },
};

/* The types in a table. */
static void list_types(const struct tv_table *table, struct tv_name_list *names)
{
	const struct tv_column *type = tv_table_find(table, "Type");
	struct tv_index seen = { 0 };

	for (uint32_t row = 0; type != NULL && row < table->nrows; row++) {
		uint32_t label = tv_label(type, row);

		if (label == TV_NONE || tv_index_get(&seen, label) != TV_NONE)
			continue;
		tv_index_set(&seen, label, 0);
		tv_name_list_add(names, tv_pool_text(type->pool, label));
	}
	tv_free(seen.at);
}

/* Adds ", WHAT (VERBS)" to a text. */
static void append(char **text, const char *what, const char *verbs)
{
	tv_append(text, "%s%s (%s)", (*text)[0] != '\0' ? ", " : "it has ", what, verbs);
}

/* The verbs without the one that failed, which would fail again, if it is the first of several. */
static const char *others(const char *verbs, const char *failed)
{
	size_t n = failed == NULL ? 0 : strcspn(failed, ":");

	return n > 0 && strncmp(verbs, failed, n) == 0 && strncmp(verbs + n, ", ", 2) == 0
		     ? verbs + n + 2
		     : verbs;
}

static void append_table(char **text, const struct tv_trace *trace, size_t use, const char *failed)
{
	const struct tv_table *table = &trace->table[uses[use].id];
	struct tv_name_list types = { .n = 0 };
	const char *known = others(uses[use].verbs, failed);
	char *verbs;

	if ((uses[use].id == TV_STATES || uses[use].id == TV_VARIABLES)
	    && !(trace->options.unread >> uses[use].id & 1))
		list_types(table, &types);
	if (uses[use].id == TV_STATES)
		verbs = tv_format("%s; --task-state TYPE makes tasks of them: %s", known,
				  tv_name_list_text(&types));
	else if (uses[use].id == TV_VARIABLES)
		verbs = tv_format("%s, --panels counter: %s", known, tv_name_list_text(&types));
	else
		verbs = tv_strdup(known);
	append(text, uses[use].what, verbs);
	tv_free(verbs);
}

/* Links that are no messages have no verb. */
static bool has_messages(const struct tv_table *links)
{
	const struct tv_column *type = tv_table_find(links, "Type");
	uint32_t label = type == NULL ? TV_NONE : tv_pool_find_text(type->pool, TV_MESSAGE_TYPE);

	for (uint32_t row = 0; label != TV_NONE && row < links->nrows; row++)
		if (tv_label(type, row) == label)
			return true;
	return false;
}

/* Of a trace with work, tables that may be left unread are not named, so that what is said of it does not depend on what
 * was read. Rows of idle workers and graph nodes are no tasks to ask about. */
static bool is_named(enum tv_table_id id, bool work)
{
	return id == TV_TASKS ? work : !work || !(TV_OMITTABLE >> id & 1);
}

char *tv_instead(const struct tv_trace *trace, const char *failed)
{
	const struct tv_column *depth = tv_table_find(&trace->table[TV_RESOURCES], "Depth");
	bool work = tv_trace_has_work(trace);
	char *text = tv_strdup("");

	/* Its rows are not here. */
	if (trace->options.part != NULL)
		return text;
	for (size_t i = 0; i < TV_COUNT(uses); i++)
		if (trace->table[uses[i].id].nrows > 0 && is_named(uses[i].id, work)
		    && (uses[i].id != TV_LINKS || has_messages(&trace->table[TV_LINKS])))
			append_table(&text, trace, i, failed);
	if (depth != NULL && !work)
		append(&text, "objects of a machine", "topology, platform");
	return text;
}

int tv_fail_lacks(struct tv_error *err, const struct tv_trace *trace, const char *format, ...)
{
	char *instead, what[sizeof err->text];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof what, format, args);
	va_end(args);
	instead = tv_instead(trace, what);
	tv_fail(err, "%s%s%s", what, instead[0] != '\0' ? "; " : "", instead);
	tv_free(instead);
	return -1;
}
