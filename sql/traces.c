/* SPDX-License-Identifier: GPL-3.0-or-later */
/* traces.c -- the tables of a trace, and its task graph, as virtual tables. */
#include "sql/ordering.h"
#include "sql/tables.h"
#include "trace/alloc.h"

struct edges {
	const struct tv_table *tasks;
	struct tv_table table;
};

/* A job has several rows if it has several executions. */
static void make_edges(struct edges *edges, const uint32_t *order)
{
	const struct tv_table *tasks = edges->tasks;
	const struct tv_column *job = tv_table_find(tasks, "JobId"),
			       *depends = tv_table_find(tasks, "DependsOn");
	struct tv_error none = { 0 };
	struct tv_column *from = tv_table_column(&edges->table, "JobId", TV_LABEL, &none),
			 *to = tv_table_column(&edges->table, "DependsOn", TV_LABEL, &none);
	uint32_t *seen = tv_alloc(tv_pool_count(job->pool),
				  sizeof *seen); /* 1 + i of the last job */
	struct tv_groups jobs;

	tv_sql_group_rows(job, order, tasks->nrows, &jobs);
	for (uint32_t i = 0; i < tasks->nrows; i++) {
		uint32_t label = tv_label(job, order != NULL ? order[i] : i), n;

		if (label == TV_NONE || jobs.row[jobs.first[label]] != i)
			continue;
		for (uint32_t k = jobs.first[label]; k < jobs.first[label + 1]; k++) {
			uint32_t at = jobs.row[k];
			const uint32_t *list = tv_list(depends, order != NULL ? order[at] : at, &n);

			for (uint32_t d = 0; d < n; d++) {
				if (seen[list[d]] == i + 1)
					continue;
				seen[list[d]] = i + 1;
				tv_set_label(from, tv_table_add_row(&edges->table), label);
				tv_set_label(to, edges->table.nrows - 1, list[d]);
			}
		}
	}
	tv_table_finish(&edges->table);
	tv_groups_release(&jobs);
	tv_free(seen);
}

static const struct tv_table *get_edges(void *context, struct tv_error *err)
{
	struct edges *edges = context;
	uint32_t n, *order;

	(void)err;
	if (edges->table.ncols == 0) {
		tv_table_init(&edges->table, edges->tasks->pool);
		order = tv_rows_as_read(edges->tasks, NULL, &n);
		make_edges(edges, order);
		tv_free(order);
	}
	return &edges->table;
}

static void release_edges(void *context)
{
	struct edges *edges = context;

	tv_table_release(&edges->table);
	tv_free(edges);
}

static const struct tv_table *get_table(void *context, struct tv_error *err)
{
	(void)err;
	return context;
}

size_t tv_sql_names(const struct tv_trace *trace, const char *name[TV_NTABLES + 1])
{
	const struct tv_table *tasks = &trace->table[TV_TASKS];
	size_t n = 0;

	for (int id = 0; id < TV_NTABLES; id++)
		if (trace->table[id].nrows > 0)
			name[n++] = tv_schema[id].name;
	if (tv_table_find(tasks, "JobId") != NULL && tv_table_find(tasks, "DependsOn") != NULL)
		name[n++] = TV_SQL_EDGES;
	return n;
}

static const struct tv_table *table_named(const struct tv_trace *trace, const char *name)
{
	for (int id = 0; id < TV_NTABLES; id++)
		if (tv_schema[id].name == name)
			return &trace->table[id];
	return NULL;
}

void tv_sql_add_trace(sqlite3 *db, const struct tv_trace *trace, const char *prefix)
{
	const char *name[TV_NTABLES + 1];
	size_t n = tv_sql_names(trace, name);

	for (size_t i = 0; i < n; i++) {
		const struct tv_table *table = table_named(trace, name[i]);
		struct tv_sql_source source = { .get = get_table };
		char *full = tv_format("%s%s", prefix, name[i]);

		if (table != NULL) {
			memcpy(&source.context, &table, sizeof table); /* read only */
		} else {
			struct edges *edges = tv_alloc(1, sizeof *edges);

			edges->tasks = &trace->table[TV_TASKS];
			source = (struct tv_sql_source){ get_edges, NULL, edges, release_edges };
		}
		tv_sql_add(db, full, source);
		tv_free(full);
	}
}
