/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write.c -- a trace as a folder of tables in parts, by node. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "convert/formats.h"
#include "convert/parquet/parquet.h"
#include "convert/partition/partition.h"
#include "trace/alloc.h"
#include "trace/groups.h"
#include "trace/near_names.h"
#include "trace/nodes.h"
#include "trace/sorted.h"

/* Tables that are in parts, what their rows are ordered by, and the resource whose node is theirs where they have no
 * column Node. */
static const struct by {
	enum tv_table_id id;
	const char *time, *resource;
} parted[] = {
	{ TV_TASKS, "Start", "ResourceId" },	 { TV_STATES, "Start", "ResourceId" },
	{ TV_VARIABLES, "Start", "ResourceId" }, { TV_LINKS, "Start", "Dest" },
	{ TV_EVENTS, "Time", "ResourceId" },	 { TV_CALLS, "Start", "ResourceId" },
	{ TV_DECISIONS, "Time", "ResourceId" },	 { TV_CANDIDATES, NULL, "ResourceId" },
};

/* A table, and the node of each row. */
struct parts {
	const struct tv_table *table;
	struct tv_column *node;	 /* its own column; NULL: it has none */
	struct tv_groups groups; /* by place of the node among all */
};

struct writing {
	struct tv_trace *trace;
	const char *folder;
	struct tv_nodes nodes;
	uint32_t *node; /* labels, each once; the first is TV_NONE */
	size_t n, cap;
	struct tv_index place_of; /* by label */
	struct parts parts[TV_COUNT(parted)];
};

static struct tv_column *own_column(const struct tv_table *table, const char *name)
{
	struct tv_column *column = tv_table_find(table, name);

	return column != NULL && !column->derived ? column : NULL;
}

/* ---- which rows are of which node ---- */

static uint32_t label_of(struct writing *w, const struct tv_column *key,
			 const struct tv_column *resource, uint32_t row)
{
	const struct tv_column *column = key != NULL ? key : resource;
	const char *text;
	size_t n;

	if (column == NULL || tv_missing(column, row))
		return TV_NONE;
	if (key == NULL)
		return tv_node_of(&w->nodes, tv_label(resource, row));
	text = tv_string(key, row, &n);
	return tv_intern(w->trace->pool, text, n);
}

static uint32_t place_of(struct writing *w, uint32_t label)
{
	uint32_t place = label != TV_NONE ? tv_index_get(&w->place_of, label) : 0;

	if (place != TV_NONE)
		return place;
	place = (uint32_t)w->n;
	tv_index_set(&w->place_of, label, place);
	TV_GROW(w->node, w->n, w->cap, 1);
	w->node[w->n++] = label;
	return place;
}

static int find_parts(struct writing *w, size_t i, struct tv_error *err)
{
	const struct tv_table *table = &w->trace->table[parted[i].id];
	const struct tv_column *key = tv_table_find(table, "Node");
	const struct tv_column *resource = tv_table_find(table, parted[i].resource);
	uint32_t *place;
	bool taken = own_column(table, TV_PARTITION_ROW) != NULL;

	if (taken || (parted[i].id == TV_TASKS && own_column(table, TV_PARTITION_USES) != NULL))
		return tv_fail(
			err, "%s have a column %s, which --partition adds, expected another name",
			tv_schema[parted[i].id].name, taken ? TV_PARTITION_ROW : TV_PARTITION_USES);
	place = tv_alloc(table->nrows, sizeof *place);
	for (uint32_t row = 0; row < table->nrows; row++)
		place[row] = place_of(w, label_of(w, key, resource, row));
	w->parts[i] = (struct parts){ .table = table, .node = own_column(table, "Node") };
	tv_groups_init(&w->parts[i].groups, place, table->nrows, (uint32_t)w->n);
	tv_free(place);
	return 0;
}

static uint32_t rows_of(const struct writing *w, size_t i, size_t g)
{
	const struct tv_groups *groups = &w->parts[i].groups;

	return g < groups->n ? groups->first[g + 1] - groups->first[g] : 0;
}

/* "Node=0", its special bytes as Hive writes them. */
static char *part_name(const struct writing *w, size_t g)
{
	char *name = tv_strdup("Node=");
	const char *s;
	size_t n;

	if (w->node[g] == TV_NONE) {
		tv_append(&name, TV_PARTITION_NONE);
		return name;
	}
	s = tv_pool_string(w->trace->pool, w->node[g], &n);
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];
		/* A node may have the name of those without one. */
		bool plain = c > ' ' && c != 0x7f && strchr("\"#%'*/:=?\\{}[]^", c) == NULL
			  && (i > 0 || c != '_');

		tv_append(&name, plain ? "%c" : "%%%02X", c);
	}
	return name;
}

/* ---- meta ---- */

static void list_parts(const struct writing *w, size_t i)
{
	const char *name = tv_schema[parted[i].id].name;
	const struct parts *parts = &w->parts[i];
	char *key = tv_format(TV_PARTITION_PLACE "%s", name);
	size_t place = 0;

	for (size_t c = 0; parts->node != NULL && parts->table->col[c] != parts->node; c++)
		place += !parts->table->col[c]->derived;
	if (parts->node != NULL && parts->table->nrows > 0)
		tv_meta_add(w->trace, key, "%zu", place);
	tv_free(key);
	for (size_t k = 1; k <= w->n; k++) {
		size_t g = k % w->n; /* rows without a node last */
		char *part = part_name(w, g);

		key = tv_format(TV_PARTITION_ROWS "%s/%s", name, part);
		if (rows_of(w, i, g) > 0)
			tv_meta_add(w->trace, key, "%" PRIu32, rows_of(w, i, g));
		tv_free(key);
		tv_free(part);
	}
}

static bool is_parted(enum tv_table_id id)
{
	for (size_t i = 0; i < TV_COUNT(parted); i++)
		if (parted[i].id == id)
			return true;
	return false;
}

static bool is_whole(const struct tv_trace *trace, enum tv_table_id id)
{
	return id != TV_META && !is_parted(id) && trace->table[id].nrows > 0;
}

static void list_all(const struct writing *w)
{
	for (size_t i = 0; i < TV_COUNT(parted); i++)
		list_parts(w, i);
	for (int id = 0; id < TV_NTABLES; id++)
		if (is_whole(w->trace, (enum tv_table_id)id)) {
			char *key = tv_format(TV_PARTITION_ROWS "%s", tv_schema[id].name);

			tv_meta_add(w->trace, key, "%" PRIu32, w->trace->table[id].nrows);
			tv_free(key);
		}
	tv_table_finish(&w->trace->table[TV_META]);
}

/* Whether a file has these bytes. It is no input that outputs must not be: another process may replace it, and an output of this one
 * may get the number that the file system gave it. -1 with *err. */
static int has_bytes(const char *path, const struct tv_output *bytes, struct tv_error *err)
{
	FILE *file = fopen(path, "rb");
	char *all;
	size_t n;
	int rc;

	if (file == NULL)
		return tv_fail_system(err, path, "cannot open", errno);
	all = tv_alloc(bytes->n + 1, 1);
	n = fread(all, 1, bytes->n + 1, file);
	rc = n == bytes->n && memcmp(all, bytes->buffer, n) == 0;
	if (ferror(file))
		rc = tv_fail_system(err, path, "cannot read", errno);
	fclose(file);
	tv_free(all);
	return rc;
}

/* Writes meta, if it is not there. At the end once more: another trace may have come meanwhile. */
static int put_meta(const struct writing *w, struct tv_error *err)
{
	char *path = tv_format("%s/meta.parquet", w->folder);
	struct tv_output bytes, out;
	struct stat st;
	int rc;

	tv_output_memory(&bytes);
	rc = tv_parquet_write(&w->trace->table[TV_META], "meta", "input", &bytes, err);
	if (rc == 0 && stat(path, &st) == 0) {
		rc = has_bytes(path, &bytes, err);
		if (rc >= 0)
			rc = rc == 1
				   ? 0
				   : tv_fail_at(err, (struct tv_pos){ path, 0 },
						"the folder has parts of another trace, expected a "
						"new folder");
	} else if (rc == 0 && (rc = tv_output_open(&out, path, err)) == 0) {
		tv_output_write(&out, bytes.buffer, bytes.n);
		rc = tv_output_commit(&out, err);
	}
	tv_output_abort(&bytes);
	tv_free(path);
	return rc;
}

/* ---- files ---- */

static int make_folder(const char *path, struct tv_error *err)
{
	struct tv_outputs none = { 0 };

	return tv_outputs_folder(&none, path, err) < 0 ? -1 : tv_outputs_commit(&none, err);
}

static int put_file(const char *path, const struct tv_table *table, enum tv_table_id id,
		    const char *order, struct tv_error *err)
{
	struct tv_output out;

	if (tv_output_open(&out, path, err) < 0)
		return -1;
	if (tv_parquet_write(table, tv_schema[id].name, order, &out, err) == 0)
		return tv_output_commit(&out, err);
	tv_output_abort(&out);
	return -1;
}

static int put_whole(const struct writing *w, struct tv_error *err)
{
	int rc = 0;

	for (int id = 0; rc == 0 && id < TV_NTABLES; id++) {
		char *path;

		if (!is_whole(w->trace, (enum tv_table_id)id))
			continue;
		path = tv_format("%s/%s.parquet", w->folder, tv_schema[id].name);
		tv_native_require(w->trace, (enum tv_table_id)id);
		rc = put_file(path, &w->trace->table[id], (enum tv_table_id)id, "input", err);
		tv_free(path);
	}
	return rc;
}

/* By label of a job: how many rows of tasks depend on it. NULL: tasks have no dependencies. */
static uint32_t *count_uses(const struct tv_trace *trace)
{
	const struct tv_table *tasks = &trace->table[TV_TASKS];
	const struct tv_column *depends = tv_table_find(tasks, "DependsOn");
	uint32_t *uses, *last;

	if (depends == NULL || tv_table_find(tasks, "JobId") == NULL)
		return NULL;
	uses = tv_alloc(tv_pool_count(trace->pool), sizeof *uses);
	last = tv_alloc(tv_pool_count(trace->pool), sizeof *last); /* row + 1 */
	for (uint32_t row = 0; row < tasks->nrows; row++) {
		uint32_t n;
		const uint32_t *job = tv_list(depends, row, &n);

		for (uint32_t i = 0; i < n; i++) {
			uses[job[i]] += last[job[i]] != row + 1;
			last[job[i]] = row + 1;
		}
	}
	tv_free(last);
	return uses;
}

/* What all parts of a table share. */
struct shared {
	int64_t *time;	/* by row; the smallest: none */
	uint32_t *uses; /* by label of the job; or NULL */
};

static void add_columns(struct tv_table *part, const uint32_t *row, const uint32_t *uses)
{
	struct tv_error none;
	const struct tv_column *job = tv_table_find(part, "JobId");
	struct tv_column *column = tv_table_column(part, TV_PARTITION_ROW, TV_INT, &none);

	for (uint32_t i = 0; i < part->nrows; i++)
		tv_set_int(column, i, row[i]);
	column = uses != NULL ? tv_table_column(part, TV_PARTITION_USES, TV_INT, &none) : NULL;
	for (uint32_t i = 0; column != NULL && i < part->nrows; i++)
		if (!tv_missing(job, i))
			tv_set_int(column, i, uses[tv_label(job, i)]);
	column = tv_table_find(part, "Node");
	if (column != NULL)
		column->derived = true; /* the path has it */
	tv_table_finish(part);
}

static int put_part(const struct writing *w, size_t i, size_t g, const struct shared *shared,
		    struct tv_error *err)
{
	const struct parts *parts = &w->parts[i];
	uint32_t *row = parts->groups.row + parts->groups.first[g], n = rows_of(w, i, g);
	char *name = part_name(w, g),
	     *folder = tv_format("%s/%s/%s", w->folder, tv_schema[parted[i].id].name, name),
	     *path = tv_format("%s/" TV_PARTITION_FILE, folder);
	struct tv_table part;
	int rc = make_folder(folder, err);

	if (rc == 0) {
		tv_sort_rows_by_time(row, n, shared->time);
		tv_table_take(parts->table, row, n, &part);
		add_columns(&part, row, shared->uses);
		rc = put_file(path, &part, parted[i].id, "Start", err);
		tv_table_release(&part);
	}
	tv_free(name);
	tv_free(folder);
	tv_free(path);
	return rc;
}

static bool is_chosen(const struct writing *w, const char *node, size_t g)
{
	size_t of = g == 0 && w->n > 1 ? 1 : g;

	return node == NULL
	    || (w->node[of] != TV_NONE
		&& strcmp(tv_pool_text(w->trace->pool, w->node[of]), node) == 0);
}

static int put_table(const struct writing *w, size_t i, const char *node, struct tv_error *err)
{
	const struct tv_table *table = w->parts[i].table;
	const struct tv_column *time = parted[i].time != NULL ? tv_table_find(table, parted[i].time)
							      : NULL;
	struct shared shared = { .time = tv_alloc(table->nrows, sizeof *shared.time) };
	char *folder = tv_format("%s/%s", w->folder, tv_schema[parted[i].id].name);
	int rc = make_folder(folder, err);

	for (uint32_t row = 0; time != NULL && row < table->nrows; row++)
		shared.time[row] = tv_missing(time, row) ? INT64_MIN : tv_number(time, row);
	if (parted[i].id == TV_TASKS)
		shared.uses = count_uses(w->trace);
	for (size_t g = 0; rc == 0 && g < w->n; g++)
		if (rows_of(w, i, g) > 0 && is_chosen(w, node, g))
			rc = put_part(w, i, g, &shared, err);
	tv_free(shared.time);
	tv_free(shared.uses);
	tv_free(folder);
	return rc;
}

/* ---- the folder ---- */

int tv_partition_check(const char *folder, struct tv_error *err)
{
	char *name = tv_folder_other(folder, NULL, NULL),
	     *path = tv_format("%s/meta.parquet", folder);
	struct stat st;
	int rc = 0;

	/* Of programs that run at once each writes meta first. */
	if (name != NULL && stat(path, &st) < 0)
		rc = tv_fail_usage(
			err,
			"-o '%s': the folder contains '%s' and no meta.parquet, expected a "
			"new folder",
			folder, name);
	tv_free(name);
	tv_free(path);
	return rc;
}

static int check_node(const struct writing *w, const char *node, struct tv_error *err)
{
	struct tv_name_list names = { .n = 0 };

	for (size_t g = 1; g < w->n; g++) {
		if (is_chosen(w, node, g))
			return 0;
		tv_name_list_add(&names, tv_pool_text(w->trace->pool, w->node[g]));
	}
	return tv_fail(err, "--rank '%s': the trace has no such node, expected one of: %s", node,
		       tv_name_list_text(&names));
}

/* What other programs have still to write. */
static void note_missing(const struct writing *w, struct tv_diagnostics *notes)
{
	struct tv_name_list missing = { .n = 0 };
	size_t there = 0;

	for (size_t g = 1; g < w->n; g++) {
		char *name = part_name(w, g);
		bool all = true;

		for (size_t i = 0; i < TV_COUNT(parted); i++) {
			char *path = tv_format("%s/%s/%s/" TV_PARTITION_FILE, w->folder,
					       tv_schema[parted[i].id].name, name);

			all = all && (rows_of(w, i, g) == 0 || access(path, F_OK) == 0);
			tv_free(path);
		}
		there += all;
		if (!all)
			tv_name_list_add(&missing, name);
		tv_free(name);
	}
	tv_diagnose(notes, TV_NOTE, (struct tv_pos){ 0 }, "%s: %zu of %zu nodes are written%s%s",
		    w->folder, there, w->n - 1, missing.n > 0 ? ", missing: " : "",
		    tv_name_list_text(&missing));
}

static int write_all(const struct writing *w, const char *node, struct tv_error *err)
{
	if ((node != NULL && check_node(w, node, err) < 0) || make_folder(w->folder, err) < 0
	    || tv_partition_check(w->folder, err) < 0 || put_meta(w, err) < 0
	    || put_whole(w, err) < 0)
		return -1;
	for (size_t i = 0; i < TV_COUNT(parted); i++)
		if (w->parts[i].table->nrows > 0 && put_table(w, i, node, err) < 0)
			return -1;
	return put_meta(w, err);
}

int tv_partition_write(struct tv_trace *trace, const char *folder, const char *node,
		       struct tv_diagnostics *notes, struct tv_error *err)
{
	struct writing w = { .trace = trace, .folder = folder };
	int rc = 0;

	tv_nodes_init(&w.nodes, trace);
	TV_GROW(w.node, w.n, w.cap, 1);
	w.node[w.n++] = TV_NONE;
	for (size_t i = 0; i < TV_COUNT(parted); i++)
		if (trace->table[parted[i].id].nrows > 0)
			tv_native_require(trace, parted[i].id);
	for (size_t i = 0; rc == 0 && i < TV_COUNT(parted); i++)
		rc = find_parts(&w, i, err);
	if (rc == 0) {
		list_all(&w);
		rc = write_all(&w, node, err);
	}
	if (rc == 0 && node != NULL)
		note_missing(&w, notes);
	for (size_t i = 0; i < TV_COUNT(parted); i++)
		tv_groups_release(&w.parts[i].groups);
	tv_nodes_release(&w.nodes);
	tv_free(w.place_of.at);
	tv_free(w.node);
	return rc;
}
