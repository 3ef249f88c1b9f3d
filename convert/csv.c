/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv.c -- our own tables, CSV or Parquet: which one a file contains, one file or a folder of tables. */
#include <dirent.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "convert/formats.h"
#include "convert/parquet/parquet.h"
#include "convert/partition/partition.h"
#include "convert/table/table.h"
#include "trace/alloc.h"
#include "trace/csv.h"

const char *const tv_native_suffix[4] = { ".csv", ".csv.gz", ".csv.zst", ".parquet" };

enum { PARQUET = TV_COUNT(tv_native_suffix) - 1, HEADER_MAX = 64 * 1024 };

enum { NAME_MAX_LENGTH = 64 };

/* The next name of a header line that ends at end, or "" for a longer one; false behind the last. */
static bool next_name(const char **s, const char *end, char name[NAME_MAX_LENGTH])
{
	const char *begin = *s, *comma, *stop;

	if (begin >= end)
		return false;
	comma = memchr(begin, ',', (size_t)(end - begin));
	stop = comma != NULL ? comma : end;
	*s = stop + 1;
	while (stop > begin && (stop[-1] == '\r' || stop[-1] == '"'))
		stop--;
	if (stop > begin && *begin == '"')
		begin++;
	if ((size_t)(stop - begin) >= NAME_MAX_LENGTH)
		stop = begin;
	memcpy(name, begin, (size_t)(stop - begin));
	name[stop - begin] = '\0';
	return true;
}

/* Where the first line of head[0..n) begins, behind empty lines, and *end. */
static const char *header_line(const char *head, size_t n, const char **end)
{
	const char *s = head;

	while (s < head + n && (*s == '\n' || *s == '\r'))
		s++;
	*end = memchr(s, '\n', (size_t)(head + n - s));
	if (*end == NULL)
		*end = head + n;
	return s;
}

/* How many of a table's columns, and of those it requires, the header line head[0..n) names; whether they
 * are in the order of the table. */
static bool count_columns(const char *head, size_t n, enum tv_table_id id, size_t *known,
			  size_t *required)
{
	const struct tv_field *before = NULL;
	const char *end, *s = header_line(head, n, &end);
	char name[NAME_MAX_LENGTH];
	bool ordered = true;

	*known = *required = 0;
	while (next_name(&s, end, name)) {
		const struct tv_field *field = tv_schema_field(id, name);

		*known += field != NULL;
		*required += field != NULL && field->required;
		ordered = ordered && (field == NULL || before == NULL || field > before);
		before = field != NULL ? field : before;
	}
	return ordered;
}

/* ---- tables of verbs ---- */

static bool has_form(const char *head, size_t n, const struct tv_columns *form)
{
	const char *end, *s = header_line(head, n, &end);
	size_t names = 0, found = 0, required = 0, needed = 0;
	char name[NAME_MAX_LENGTH];

	for (; next_name(&s, end, name); names++)
		for (size_t i = 0; i < form->nfields; i++)
			if (strcmp(form->field[i].name, name) == 0) {
				found++;
				required += form->field[i].required;
			}
	for (size_t i = 0; i < form->nfields; i++)
		needed += form->field[i].required;
	return needed > 0 ? required == needed : found == names && found == form->nfields;
}

/* The names of the verbs that write tables of that header, "ready, submitted"; NULL = none, else to be
 * freed. */
static char *verbs_of_header(const char *head, size_t n, const struct tv_read_options *options)
{
	const char *before = NULL;
	char *verbs = NULL;

	for (size_t i = 0; i < options->nwritten; i++) {
		const struct tv_written *written = &options->written[i];

		if ((before != NULL && strcmp(before, written->verb) == 0)
		    || !has_form(head, n, &written->form))
			continue;
		before = written->verb;
		tv_append(&verbs, "%s%s", verbs != NULL ? ", " : "", written->verb);
	}
	return verbs;
}

/* 1: the table of a verb, which may be read as `plain`; 0: no such table; -1 with *err. */
static int check_written(const struct tv_trace *trace, struct tv_input *in, enum tv_plain plain,
			 const char *head, size_t n, struct tv_error *err)
{
	char *verbs = verbs_of_header(head, n, &trace->options);
	int rc = verbs == NULL ? 0 : 1;

	if (rc == 1 && plain == TV_PLAIN_NONE)
		rc = tv_fail_at(err, (struct tv_pos){ in->path, 1 },
				"this is a table of %s %s, expected a trace: its tasks "
				"(ResourceId, Value, Start, End) or another table of it",
				strchr(verbs, ',') == NULL ? "the verb" : "one of the verbs",
				verbs);
	tv_free(verbs);
	return rc;
}

/* ---- tables of traces ---- */

/* The table that has the largest number of the header's columns, among them more than half of those
 * that it requires; *complete: all of these. Of several (states, variables) the one with that order. */
static enum tv_table_id table_of_header(const char *head, size_t n, bool *complete)
{
	enum tv_table_id best = TV_TASKS;
	bool in_order = false;
	size_t max = 0;

	*complete = false;
	for (int id = 0; id < TV_NTABLES; id++) {
		size_t known, required, wanted = 0;
		bool ordered = count_columns(head, n, (enum tv_table_id)id, &known, &required);

		for (size_t i = 0; i < tv_schema[id].nfields; i++)
			wanted += tv_schema[id].field[i].required;
		if (2 * required > wanted
		    && (known > max || (known == max && ordered && !in_order))) {
			max = known;
			in_order = ordered;
			best = (enum tv_table_id)id;
			*complete = required == wanted;
		}
	}
	return best;
}

static int probe(const char *head, size_t n)
{
	const char *end, *line = header_line(head, n, &end);
	size_t known, required;
	bool complete;

	table_of_header(head, n, &complete);
	if (complete)
		return 90;
	count_columns(head, n, TV_TASKS, &known, &required);
	if (known > 0)
		return 40;
	/* Some other table: the reader reports which columns are missing. */
	for (const char *s = line; s < end; s++)
		if ((unsigned char)*s < 0x20 && *s != '\t' && *s != '\r')
			return 0;
	return memchr(line, ',', (size_t)(end - line)) != NULL
			    && memchr(line, '%', (size_t)(end - line)) == NULL
		     ? 10
		     : 0;
}

/* --with DIR */
static int read_others(struct tv_trace *trace, struct tv_error *err)
{
	const char *folder = trace->options.with;
	struct stat st;
	int found;

	if (stat(folder, &st) < 0)
		return tv_fail_system(err, folder, "cannot open", errno);
	if (tv_native_read_folder(folder, trace, &found, err) < 0)
		return -1;
	if (found == 0)
		tv_notice(trace,
			  "%s: contains no other table of the trace, such as resources.csv "
			  "or states.csv",
			  folder);
	return 0;
}

/* Fails if the names of columns, which are not ours, say what they are: with the command that reads them. */
static int propose_map(const struct tv_input *in, const char *head, size_t n, bool partly,
		       struct tv_error *err)
{
	char *command = tv_map_propose(head, n, partly, in->path);

	if (command == NULL)
		return 0;
	tv_fail_at(err, (struct tv_pos){ in->path, 1 },
		   "the header is not that of tasks (ResourceId, Value, Start, End); %s", command);
	tv_free(command);
	return -1;
}

/* A file whose columns head[0..n) names: of CSV its first lines. */
struct file {
	struct tv_input *in;
	struct tv_parquet *parquet; /* NULL: CSV */
	char *names;		    /* of its columns */
	const char *head;
	size_t n;
};

static int open_file(struct file *f, struct tv_input *in, struct tv_trace *trace,
		     struct tv_error *err)
{
	*f = (struct file){ .in = in };
	f->head = tv_input_peek(in, HEADER_MAX, &f->n, err);
	if (f->head == NULL || !tv_is_parquet(f->head, f->n))
		return f->head != NULL ? 0 : -1;
	f->parquet = tv_parquet_open(in, trace, err);
	if (f->parquet == NULL)
		return -1;
	f->head = f->names = tv_parquet_header(f->parquet);
	f->n = strlen(f->names);
	return 0;
}

static void close_file(struct file *f)
{
	tv_parquet_close(f->parquet);
	tv_free(f->names);
}

static int read_rows(const struct file *f, struct tv_trace *trace, enum tv_table_id id,
		     struct tv_error *err)
{
	int rc = f->parquet != NULL ? tv_csv_read_rows(trace, id, tv_parquet_csv, f->parquet, err)
				    : tv_csv_read(f->in, trace, id, err);

	if (rc == 0)
		tv_trace_keep_part(trace, id, NULL);
	return rc;
}

static int read_plain(const struct file *f, struct tv_trace *trace, struct tv_error *err)
{
	return f->parquet != NULL
		     ? tv_csv_read_plain_rows(&trace->plain, tv_parquet_csv, f->parquet, err)
		     : tv_csv_read_plain(f->in, &trace->plain, err);
}

static int read_opened(const struct file *f, struct tv_trace *trace, struct tv_error *err)
{
	struct tv_input *in = f->in;
	const char *head = f->head;
	enum tv_table_id id;
	size_t n = f->n, known, required;
	bool complete;
	int written;

	written = check_written(trace, in, trace->options.plain, head, n, err);
	if (written < 0)
		return -1;
	trace->native = true;
	id = table_of_header(head, n, &complete);
	/* Tasks that lack one column are a mistake in tasks, no other table. */
	count_columns(head, n, TV_TASKS, &known, &required);
	if (written == 1 || trace->options.plain == TV_PLAIN_ALL
	    || (trace->options.plain == TV_PLAIN_OTHER && !complete && required < 3)) {
		if (written == 0 && trace->plain_map == NULL)
			trace->plain_map = tv_map_propose(head, n, false, in->path);
		return read_plain(f, trace, err);
	}
	if (!complete && propose_map(in, head, n, id == TV_TASKS && required < 3, err) < 0)
		return -1;
	if (read_rows(f, trace, id, err) < 0)
		return -1;
	return trace->options.with != NULL ? read_others(trace, err) : 0;
}

static int read_table(void *state, struct tv_input *in, struct tv_error *err)
{
	struct file f;
	int rc = open_file(&f, in, state, err);

	if (rc == 0)
		rc = read_opened(&f, state, err);
	close_file(&f);
	return rc;
}

const struct tv_reader tv_native_reader = {
	.name = "csv",
	.summary = "traceviz's own CSV: a tasks table, or a folder of tables",
	.brings = (1u << TV_NTHINGS) - 1,
	.probe = probe,
	.read = read_table,
	.memory = 8,
};

static int probe_parquet(const char *head, size_t n)
{
	return tv_is_parquet(head, n) ? 100 : 0;
}

/* In a folder they are native tables. What one needs is known when its footer is read. */
const struct tv_reader tv_parquet_reader = {
	.name = "parquet",
	.summary = "Parquet: a tasks table, or a folder of tables, as CSV",
	.brings = (1u << TV_NTHINGS) - 1,
	.probe = probe_parquet,
	.read = read_table,
};

enum tv_table_id tv_native_table(const char *name)
{
	for (int id = 0; id < TV_NTABLES; id++) {
		size_t n = strlen(tv_schema[id].name);

		if (strncmp(name, tv_schema[id].name, n) != 0)
			continue;
		for (size_t i = 0; i < TV_COUNT(tv_native_suffix); i++)
			if (strcmp(name + n, tv_native_suffix[i]) == 0)
				return (enum tv_table_id)id;
	}
	return TV_NTABLES;
}

/* A file of a folder is the table that its name says, or the result of a verb under that name. */
static int read_table_of(struct tv_input *in, struct tv_trace *trace, enum tv_table_id id,
			 struct tv_error *err)
{
	struct file f;
	int rc = open_file(&f, in, trace, err);

	if (rc == 0)
		rc = check_written(trace, in, TV_PLAIN_NONE, f.head, f.n, err);
	if (rc >= 0)
		rc = read_rows(&f, trace, id, err);
	close_file(&f);
	return rc;
}

static int read_file(const char *path, struct tv_trace *trace, enum tv_table_id id,
		     struct tv_error *err)
{
	struct tv_input in;
	struct stat st;
	int rc;

	/* Opening a FIFO would wait forever. */
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return tv_fail_at(err, (struct tv_pos){ path, 0 }, "not a regular file");
	if (tv_input_open(&in, path, err) < 0)
		return -1;
	rc = read_table_of(&in, trace, id, err);
	tv_input_close(&in);
	return rc;
}

/* What the table of a file needs, bytes: rows (its size by the mean length of the first lines) x columns
 * x 8. 0: no table. */
static int estimate(const char *path, double *size, double *need, struct tv_error *err)
{
	const char *head = "", *end, *last, *s;
	struct tv_input in;
	double bytes;
	size_t n = 0;

	*size = *need = 0;
	if (tv_input_open(&in, path, err) < 0)
		return -1;
	if (tv_input_expect(&in, &bytes, err) < 0)
		head = NULL;
	else if (bytes > 0)
		head = tv_input_peek(&in, HEADER_MAX, &n, err);
	end = head != NULL && !tv_is_parquet(head, n) ? memchr(head, '\n', n) : NULL;
	if (end != NULL) {
		double columns = 1, lines = 0;

		for (s = head; s < end; s++)
			columns += *s == ',';
		for (s = last = end; s < head + n; s++)
			if (*s == '\n' && s != end) {
				lines++;
				last = s;
			}
		*size = bytes;
		if (lines > 0)
			*need = (bytes - (double)(end - head)) * lines / (double)(last - end)
			      * columns * 8;
	}
	tv_input_close(&in);
	return head != NULL ? 0 : -1;
}

/* Refuses what cannot fit before reading it. */
static int check_memory(const char *folder, struct tv_trace *trace, struct tv_error *err)
{
	double size = 0, need = 0;

	for (int id = 0; id < TV_NTABLES; id++)
		for (size_t i = 0; i < TV_COUNT(tv_native_suffix); i++) {
			char *path = tv_format("%s/%s%s", folder, tv_schema[id].name,
					       tv_native_suffix[i]);
			double its_size = 0, its_need = 0;
			int rc = 0;

			if (trace->table[id].ncols == 0 && tv_is_file(path))
				rc = estimate(path, &its_size, &its_need, err);
			tv_free(path);
			if (rc < 0)
				return -1;
			size += its_size;
			need += its_need;
		}
	if (need <= (double)tv_memory_max() || trace->options.batches != NULL)
		return 0;
	trace->too_large = true;
	return tv_fail_at(err, (struct tv_pos){ folder, 0 },
			  "%.0f MB of tables need about %.0f MB of memory, the limit is %.0f MB "
			  "(see --max-memory)",
			  size / 1e6, need / 1e6, (double)tv_memory_max() / 1e6);
}

/* The first file of those that may have a table. */
static int read_table_of_folder(const char *folder, const struct tv_partitions *parts,
				struct tv_trace *trace, enum tv_table_id id, int *found,
				struct tv_error *err)
{
	const struct tv_table *table = &trace->table[id];
	int parted = tv_partitions_read(parts, folder, trace, id, err), rc = parted < 0 ? -1 : 0;

	*found += parted == 1;
	for (size_t i = 0; rc == 0 && i < TV_COUNT(tv_native_suffix); i++) {
		char *path = tv_format("%s/%s%s", folder, tv_schema[id].name, tv_native_suffix[i]);
		struct stat st;

		if ((table->ncols == 0 || i == PARQUET || parted) && lstat(path, &st) == 0) {
			rc = table->ncols == 0
				   ? read_file(path, trace, id, err)
				   : tv_fail_at(err, (struct tv_pos){ path, 0 },
						"the folder has this table %s, too, expected one "
						"of them",
						parted ? "in parts" : "as CSV");
			(*found)++;
		}
		tv_free(path);
	}
	return rc;
}

int tv_native_read_folder(const char *folder, struct tv_trace *trace, int *found,
			  struct tv_error *err)
{
	struct tv_partitions parts = { 0 };
	int rc = check_memory(folder, trace, err);

	*found = 0;
	trace->native = true;
	/* meta lists the parts of others. */
	if (rc == 0 && trace->table[TV_META].ncols == 0)
		rc = read_table_of_folder(folder, &parts, trace, TV_META, found, err);
	if (rc == 0)
		rc = tv_partitions_take(&parts, trace, folder, err);
	for (int id = 0; rc == 0 && id < TV_NTABLES; id++)
		if (trace->table[id].ncols == 0 && id != TV_META
		    && (trace->options.part == NULL || (trace->options.part->left >> id & 1) == 0))
			rc = read_table_of_folder(folder, &parts, trace, (enum tv_table_id)id,
						  found, err);
	if (rc == 0)
		rc = tv_partitions_check(&parts, folder, trace, err);
	tv_partitions_release(&parts);
	return rc;
}

void tv_native_require(struct tv_trace *trace, enum tv_table_id id)
{
	for (size_t i = 0; i < tv_schema[id].nfields; i++)
		if (tv_schema[id].field[i].required)
			tv_trace_column(trace, id, tv_schema[id].field[i].name);
}
