/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write.c -- a trace as files of a format other than CSV: one file per parallel region. */
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "convert/formats.h"
#include "trace/alloc.h"
#include "trace/groups.h"
#include "trace/map.h"
#include "trace/timings.h"

const struct tv_writer *tv_writer_find(const char *name)
{
	for (size_t i = 0; i < tv_nwriters; i++)
		if (strcmp(tv_writers[i]->name, name) == 0)
			return tv_writers[i];
	return NULL;
}

static const char *ending_of(const struct tv_writer *writer)
{
	return writer->ending != NULL ? writer->ending : writer->name;
}

const struct tv_writer *tv_writer_of_path(const char *path)
{
	const char *dot = strrchr(path, '.');

	if (dot == NULL || dot == path || dot[-1] == '/')
		return NULL;
	for (size_t i = 0; i < tv_nwriters; i++)
		if (strcmp(ending_of(tv_writers[i]), dot + 1) == 0)
			return tv_writers[i];
	return NULL;
}

int tv_check_folder(const char *folder, bool (*own)(const void *context, const char *name),
		    const void *context, const char *what, struct tv_error *err)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	int rc = 0;

	if (dir == NULL)
		return errno == ENOENT
			     ? 0
			     : tv_fail_system(err, folder, "cannot open the folder", errno);
	while (rc == 0 && (entry = readdir(dir)) != NULL) {
		struct stat st;

		if (entry->d_name[0] != '.' && !own(context, entry->d_name)
		    && (fstatat(dirfd(dir), entry->d_name, &st, 0) < 0 || !S_ISDIR(st.st_mode)))
			rc = tv_fail_usage(err,
					   "-o '%s': the folder contains '%s', which is no %s of "
					   "traceviz, expected a new folder or one of %ss",
					   folder, entry->d_name, what, what);
	}
	closedir(dir);
	return rc;
}

/* ---- parts ---- */

/* The regions of a trace in the order of their first rows, and the rows of each. */
struct parts {
	const struct tv_column *region; /* NULL = the trace has none */
	uint32_t *first;		/* a row of each */
	size_t n, cap;
	struct tv_groups rows;
	struct tv_index part_of; /* by label of the region */
	uint32_t none;		 /* that of the tasks without Region; TV_NONE */
};

static void find_parts(struct parts *parts, const struct tv_trace *trace)
{
	const struct tv_table *tasks = &trace->table[TV_TASKS];
	const struct tv_column *kind = tv_table_find(tasks, "Kind");
	uint32_t worker = tv_pool_find_text(trace->pool, "worker");
	uint32_t message = tv_pool_find_text(trace->pool, "message");
	uint32_t *part = tv_alloc(tasks->nrows, sizeof *part);

	*parts = (struct parts){ .region = tv_table_find(tasks, "Region"), .none = TV_NONE };
	for (uint32_t row = 0; row < tasks->nrows; row++) {
		uint32_t label = parts->region != NULL ? tv_label(parts->region, row) : TV_NONE;
		uint32_t known = label == TV_NONE ? parts->none
						  : tv_index_get(&parts->part_of, label);

		part[row] = known;
		if (known != TV_NONE
		    || (kind != NULL && !tv_missing(kind, row)
			&& (tv_label(kind, row) == worker
			    || (tv_label(kind, row) == message && parts->region != NULL))))
			continue;
		TV_GROW(parts->first, parts->n, parts->cap, 1);
		parts->first[parts->n] = row;
		part[row] = (uint32_t)parts->n++;
		if (label == TV_NONE)
			parts->none = part[row];
		else
			tv_index_set(&parts->part_of, label, part[row]);
	}
	tv_groups_init(&parts->rows, part, tasks->nrows, (uint32_t)parts->n);
	tv_free(part);
}

static void release_parts(struct parts *parts)
{
	tv_free(parts->first);
	tv_free(parts->part_of.at);
	tv_groups_release(&parts->rows);
}

static struct tv_part part_of(const struct parts *parts, const struct tv_pool *pool, size_t i)
{
	uint32_t label = parts->region != NULL ? tv_label(parts->region, parts->first[i]) : TV_NONE;

	return (struct tv_part){ .name = label != TV_NONE ? tv_pool_text(pool, label) : NULL,
				 .row = parts->rows.row + parts->rows.first[i],
				 .n = parts->rows.first[i + 1] - parts->rows.first[i] };
}

/* ---- files ---- */

struct writing {
	const struct tv_writer *writer;
	const struct tv_pool *pool;
	struct parts parts;
	void *state; /* of the writer */
};

static int write_single(const struct writing *w, const char *path, struct tv_error *err)
{
	struct tv_part part;
	struct tv_output out;

	if (w->parts.n > 1)
		return tv_fail(err,
			       "the trace has %zu parallel regions, each of which is a file of its "
			       "own, expected a folder: -o DIR (or --restrict 'Region == 0')",
			       w->parts.n);
	if (tv_output_open(&out, path, err) < 0)
		return -1;
	part = part_of(&w->parts, w->pool, 0);
	if (w->writer->write(w->state, &part, &out, err) < 0) {
		tv_output_abort(&out);
		return -1;
	}
	return tv_output_commit(&out, err);
}

static char *file_name(const struct tv_writer *writer, const struct tv_part *part,
		       struct tv_error *err)
{
	const char *name = part->name != NULL ? part->name : writer->file;
	size_t n = strlen(name);

	if (n > 0 && n <= 200 && name[0] != '.' && strchr(name, '/') == NULL)
		return tv_format("%s.%s", name, writer->name);
	tv_fail(err, "Region '%s' cannot be the name of a file, expected a number or a word", name);
	return NULL;
}

/* "rec" for 0.rec, 0.rec.gz and 0.rec.zst: what a reader would take for a part. */
static bool is_part(const void *context, const char *name)
{
	const struct tv_writer *writer = context;
	static const char *const suffix[] = { "", ".gz", ".zst" };
	size_t n = strlen(name);

	for (size_t i = 0; i < TV_COUNT(suffix); i++) {
		char *ending = tv_format(".%s%s", writer->name, suffix[i]);
		size_t length = strlen(ending);
		bool is = n > length && strcmp(name + n - length, ending) == 0;

		tv_free(ending);
		if (is)
			return true;
	}
	return false;
}

static int write_part(const struct writing *w, size_t i, const char *folder, struct tv_outputs *set,
		      struct tv_error *err)
{
	struct tv_part part = part_of(&w->parts, w->pool, i);
	char *name = file_name(w->writer, &part, err), *path;
	struct tv_output *out;
	int rc = -1;

	if (name == NULL)
		return -1;
	path = tv_format("%s/%s", folder, name);
	out = tv_outputs_add(set, path, err);
	if (out != NULL && w->writer->write(w->state, &part, out, err) == 0)
		rc = tv_output_finish(out, err);
	tv_free(name);
	tv_free(path);
	return rc;
}

/* Whether a file of the folder is one of the parts that are written. */
static bool is_written(const struct writing *w, const char *name)
{
	size_t n = strlen(name) - strlen(w->writer->name) - 1;
	uint32_t label = tv_pool_find(w->pool, name, n);

	if (name[n] != '.' || strcmp(name + n + 1, w->writer->name) != 0)
		return false;
	return (label != TV_NONE && tv_index_get(&w->parts.part_of, label) != TV_NONE)
	    || (w->parts.none != TV_NONE && strlen(w->writer->file) == n
		&& memcmp(w->writer->file, name, n) == 0);
}

/* Parts of an older trace disappear. */
static int remove_others(const struct writing *w, const char *folder, struct tv_outputs *set,
			 struct tv_error *err)
{
	DIR *dir = opendir(folder);
	const struct dirent *entry;
	int rc = 0;

	if (dir == NULL)
		return tv_fail_system(err, folder, "cannot open the folder", errno);
	while (rc == 0 && (entry = readdir(dir)) != NULL) {
		char *path;

		if (entry->d_name[0] == '.' || !is_part(w->writer, entry->d_name)
		    || is_written(w, entry->d_name))
			continue;
		path = tv_format("%s/%s", folder, entry->d_name);
		rc = tv_outputs_remove(set, path, err);
		tv_free(path);
	}
	closedir(dir);
	return rc;
}

int tv_check_export(const struct tv_writer *writer, const char *folder, struct tv_error *err)
{
	char *what = tv_format(".%s file", writer->name);
	int rc = tv_check_folder(folder, is_part, writer, what, err);

	tv_free(what);
	return rc;
}

static int write_folder(const struct writing *w, const char *folder, struct tv_error *err)
{
	struct tv_outputs set = { 0 };
	int rc = tv_check_export(w->writer, folder, err);

	if (rc == 0)
		rc = tv_outputs_folder(&set, folder, err);
	if (rc == 0)
		rc = remove_others(w, folder, &set, err);
	for (size_t i = 0; rc == 0 && i < w->parts.n; i++)
		rc = write_part(w, i, folder, &set, err);
	if (rc == 0)
		return tv_outputs_commit(&set, err);
	tv_outputs_abort(&set);
	return rc;
}

/* All tables in one file. */
static int write_whole(const struct tv_writer *writer, const struct tv_export *export,
		       const char *path, struct tv_error *err)
{
	struct tv_part all = { .n = 0 };
	struct tv_output out;
	void *state;
	int rc;

	if (tv_output_open(&out, path, err) < 0)
		return -1;
	state = writer->begin(export, err);
	rc = state == NULL ? -1 : writer->write(state, &all, &out, err);
	if (state != NULL)
		writer->end(state);
	if (rc == 0)
		return tv_output_commit(&out, err);
	tv_output_abort(&out);
	return -1;
}

int tv_write_trace(const struct tv_writer *writer, const struct tv_export *export, const char *path,
		   bool single, struct tv_error *err)
{
	struct writing w = { .writer = writer, .pool = export->trace->pool };
	int rc;
	TV_STAGE("writing", NULL);

	if (writer->whole)
		return write_whole(writer, export, path, err);

	find_parts(&w.parts, export->trace);
	w.state = writer->begin(export, err);
	if (w.state == NULL)
		rc = -1;
	else if (w.parts.n == 0)
		rc = tv_fail(err,
			     "the trace has no tasks, which are all that --to %s writes: expected "
			     "-o DIR for its tables, or --to chrome or sqlite",
			     writer->name);
	else
		rc = single ? write_single(&w, path, err) : write_folder(&w, path, err);
	if (rc == 0)
		tv_note_left_out(export->trace, 1u << TV_TASKS, "--to csv -o DIR", export->notes);
	if (w.state != NULL)
		writer->end(w.state);
	release_parts(&w.parts);
	return rc;
}
