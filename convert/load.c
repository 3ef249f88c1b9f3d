/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load.c -- a path to a trace: which format, which files of a folder, in which order. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "convert/foreign.h"
#include "convert/formats.h"
#include "convert/join.h"
#include "trace/alloc.h"
#include "trace/near.h"
#include "trace/text.h"

/* A file that is read, and the reader that its content asks for; NULL = none. */
struct member {
	char *name, *path;
	const struct tv_reader *reader;
	bool leads; /* is read before others */
};

struct loading {
	struct tv_trace *trace;
	const char *path;
	void (*progress)(void *context, double share);
	void *context;
	struct member *member; /* of a folder, or the ranks of a run */
	size_t n, cap;
	bool logs; /* raw logs join the source of tasks */
};

static const struct tv_reader *find_reader(const char *name)
{
	for (size_t i = 0; i < tv_nreaders; i++)
		if (strcmp(tv_readers[i]->name, name) == 0)
			return tv_readers[i];
	return NULL;
}

/* The reader of what the input begins with, by the highest score. NULL and no error: unknown. */
static int recognize(struct tv_input *in, const struct tv_reader **reader, struct tv_error *err)
{
	const char *head;
	int best = 0;
	size_t n;

	*reader = NULL;
	head = tv_input_peek(in, TV_PROBE_BYTES, &n, err);
	if (head == NULL)
		return -1;
	for (size_t i = 0; n > 0 && i < tv_nreaders; i++) {
		int score = tv_readers[i]->probe(head, n);

		if (score > best) {
			best = score;
			*reader = tv_readers[i];
		}
	}
	return 0;
}

/* As recognize, for one of several files: of two readers for the same files --format chooses. */
static int recognize_member(const struct loading *l, struct tv_input *in,
			    const struct tv_reader **reader, struct tv_error *err)
{
	const char *format = l->trace->options.format, *head;
	const struct tv_reader *asked = format != NULL ? find_reader(format) : NULL;
	size_t n;

	if (recognize(in, reader, err) < 0)
		return -1;
	if (asked == NULL || !asked->ranks || *reader == NULL)
		return 0;
	head = tv_input_peek(in, TV_PROBE_BYTES, &n, err);
	if (head == NULL)
		return -1;
	if (asked->probe(head, n) > 0)
		*reader = asked;
	return 0;
}

/* Refuses what cannot fit before reading it. */
static int check_memory(const struct tv_input *in, const struct tv_reader *reader,
			struct tv_error *err)
{
	double want = (double)(in->size > 0 ? in->size : 0) * reader->memory;

	if (in->codec != NULL || want <= (double)tv_memory_max())
		return 0;
	return tv_fail_at(
		err, (struct tv_pos){ in->path, 0 },
		"%.0f MB need up to %.0f MB of memory, the limit is %.0f MB (see --max-memory)",
		(double)in->size / 1e6, want / 1e6, (double)tv_memory_max() / 1e6);
}

/* From here on no table is left unread. */
static void read_all(struct tv_trace *trace)
{
	trace->options.unread = 0;
}

static void *begin(const struct loading *l, const struct tv_reader *reader)
{
	if (!reader->omits)
		read_all(l->trace);
	return reader->begin != NULL ? reader->begin(l->trace) : l->trace;
}

static int read_input(const struct loading *l, struct tv_input *in, const struct tv_reader *reader,
		      void *state, struct tv_error *err)
{
	tv_memory_purpose("reading %s", in->path);
	in->progress = l->progress;
	in->progress_context = l->context;
	if (check_memory(in, reader, err) < 0 || reader->read(state, in, err) < 0)
		return -1;
	if (in->cut != NULL)
		tv_damaged(l->trace, TV_REPAIRED, TV_CUT_INPUT, tv_here(in),
			   "%s; what precedes is used", in->cut);
	return 0;
}

static int read_member(const struct loading *l, const char *path, const struct tv_reader *reader,
		       void *state, struct tv_error *err)
{
	struct tv_input in;
	int rc;

	if (tv_input_open(&in, path, err) < 0)
		return -1;
	rc = read_input(l, &in, reader, state, err);
	if (rc == 0 && in.damaged)
		rc = tv_fail_at(err, (struct tv_pos){ in.path, 0 }, "%s", in.cut);
	tv_input_close(&in);
	return rc;
}

/* The files that those read so far name. */
static int read_named(const struct loading *l, const struct tv_reader *reader, void *state,
		      struct tv_error *err)
{
	const char *path;
	size_t n = 0;
	int rc = 0;

	while (rc == 0 && reader->next != NULL && (path = reader->next(state)) != NULL) {
		n++;
		rc = read_member(l, path, reader, state, err);
	}
	if (rc == 0 && n > 0) {
		tv_notice(l->trace, "%s names %zu other file%s, read as one trace", l->path, n,
			  n == 1 ? "" : "s");
		tv_meta_add(l->trace, "NamedFiles", "%zu", n);
	}
	return rc;
}

/* After the last file, or at the first failure: rc. */
static int finish(const struct tv_reader *reader, void *state, int rc, struct tv_error *err)
{
	if (rc == 0 && reader->finish != NULL)
		rc = reader->finish(state, err);
	if (reader->free != NULL)
		reader->free(state);
	return rc;
}

/* What info shows of a foreign trace. */
static void write_meta(const struct loading *l, const struct tv_reader *reader, const char *files)
{
	if (l->trace->native)
		return;
	tv_meta_add(l->trace, "Format", "%s", reader->name);
	tv_meta_add(l->trace, "Files", "%s", files);
}

/* What a reading without error leads to: a failure if it was damaged and strict. */
static int complete(struct tv_trace *trace, int rc, struct tv_error *err)
{
	return tv_check_strict(trace, err) < 0 || rc < 0 ? -1 : tv_trace_complete(trace, err);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

/* -1 with *err for a file of a format that is not read, or of none that is known. */
static int check_known(const struct loading *l, struct tv_input *in, const struct tv_reader *reader,
		       struct tv_error *err)
{
	struct tv_pos at = { l->path, 0 };
	size_t n;
	const char *head = tv_input_peek(in, TV_PROBE_BYTES, &n, err), *what;

	if (head == NULL)
		return -1;
	/* Other readers know their files better than a first word does; CSV takes nearly any text. */
	what = reader == NULL || reader == &tv_native_reader ? tv_foreign(head, n) : NULL;
	if (what == NULL && reader == NULL)
		what = tv_unknown_table(head, n);
	if (what != NULL)
		return tv_fail_at(err, at, "%s", what);
	return reader != NULL ? 0
			      : tv_fail_at(err, at,
					   "not a trace in any known format, expected CSV, Paje, "
					   "... (see traceviz convert --help)");
}

static int load_file(const struct loading *l, struct tv_error *err)
{
	const char *format = l->trace->options.format;
	const struct tv_reader *reader = format != NULL ? find_reader(format) : NULL;
	struct tv_input in;
	size_t n;
	int rc;

	if (tv_input_open(&in, l->path, err) < 0)
		return -1;
	rc = reader == NULL ? recognize(&in, &reader, err) : 0;
	if (rc == 0 && tv_input_peek(&in, 1, &n, err) == NULL)
		rc = -1;
	if (rc == 0 && n == 0)
		rc = tv_fail_at(err, (struct tv_pos){ l->path, 0 }, "%s, expected a trace",
				in.cut != NULL ? in.cut : "the file is empty");
	else if (rc == 0 && format == NULL)
		rc = check_known(l, &in, reader, err);
	if (rc == 0) {
		void *state = begin(l, reader);

		rc = read_input(l, &in, reader, state, err);
		if (rc == 0)
			rc = read_named(l, reader, state, err);
		rc = finish(reader, state, rc, err);
	}
	if (rc == 0)
		write_meta(l, reader, base_name(l->path));
	tv_input_close(&in);
	return rc;
}

/* ---- several files ---- */

static int by_name(const void *a, const void *b)
{
	return tv_natural_order(((const struct member *)a)->name, ((const struct member *)b)->name);
}

static struct member *add_member(struct loading *l, const char *path)
{
	TV_GROW(l->member, l->n, l->cap, 1);
	l->member[l->n] = (struct member){ tv_strdup(base_name(path)), tv_strdup(path), NULL,
					   false };
	return &l->member[l->n++];
}

static void release_members(struct loading *l)
{
	for (size_t i = 0; i < l->n; i++) {
		tv_free(l->member[i].name);
		tv_free(l->member[i].path);
	}
	tv_free(l->member);
}

static bool is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* Finds the reader of a member; of a folder's file that is damaged beyond that: an error, as it may
 * be what the user wants. */
static int find_member(const struct loading *l, struct member *member, bool of_folder,
		       struct tv_error *err)
{
	struct tv_input in;
	int rc;

	if (tv_input_open(&in, member->path, err) < 0)
		return -1;
	rc = recognize_member(l, &in, &member->reader, err);
	if (rc == 0 && of_folder && in.cut != NULL && member->reader == NULL)
		rc = tv_fail_at(err, (struct tv_pos){ in.path, 0 }, "%s", in.cut);
	if (rc == 0 && member->reader != NULL && member->reader->leads != NULL) {
		size_t n;
		const char *head = tv_input_peek(&in, TV_PROBE_BYTES, &n, err);

		rc = head == NULL ? -1 : 0;
		member->leads = rc == 0 && member->reader->leads(head, n);
	}
	tv_input_close(&in);
	/* Of a folder's CSV files only those named as our tables are ours. */
	if (of_folder && member->reader == &tv_native_reader
	    && tv_native_table(member->name) == TV_NTABLES)
		member->reader = NULL;
	return rc;
}

static int list_folder(struct loading *l, struct tv_error *err)
{
	DIR *folder = opendir(l->path);
	struct dirent *entry;
	int rc = 0;

	if (folder == NULL)
		return tv_fail_at(err, (struct tv_pos){ l->path, 0 }, "cannot open: %s",
				  strerror(errno));
	while (rc == 0 && (entry = readdir(folder)) != NULL) {
		char *path = tv_format("%s/%s", l->path, entry->d_name);

		if (entry->d_name[0] != '.' && is_file(path))
			rc = find_member(l, add_member(l, path), true, err);
		tv_free(path);
	}
	closedir(folder);
	if (rc == 0 && l->n > 1)
		qsort(l->member, l->n, sizeof *l->member, by_name);
	return rc;
}

/* Whether a member is a table that joins the source of tasks. */
static bool is_companion(const struct member *member)
{
	return member->reader == &tv_native_reader
	    && tv_is_companion(tv_native_table(member->name));
}

/* The best format that a member has: the first of the table of readers, or --format. Companion
 * tables are a trace only where there is nothing else. */
static const struct tv_reader *best_reader(const struct loading *l)
{
	const char *format = l->trace->options.format;
	const struct tv_reader *companions = NULL;

	for (size_t r = 0; r < tv_nreaders; r++)
		for (size_t i = 0; i < l->n; i++) {
			if (l->member[i].reader != tv_readers[r]
			    || (format != NULL && strcmp(format, tv_readers[r]->name) != 0))
				continue;
			if (!is_companion(&l->member[i]))
				return tv_readers[r];
			companions = tv_readers[r];
		}
	return companions;
}

static bool reads(const struct loading *l, const struct tv_reader *reader,
		  const struct member *member)
{
	if (reader->uses != NULL && tv_glob_list(reader->uses, member->name))
		return true;
	if (l->logs && member->reader == &tv_log_reader)
		return true;
	return member->reader != NULL
	    && (member->reader == reader || is_companion(member) || member->reader->completes
		|| (reader->joins != NULL && strcmp(member->reader->name, reader->joins) == 0));
}

/* The names of the members that are read (or not), separated by commas; the caller frees it. */
static char *names(const struct loading *l, const struct tv_reader *reader, bool used)
{
	char *all = tv_strdup("");

	for (size_t i = 0; i < l->n; i++) {
		char *longer;

		if (reads(l, reader, &l->member[i]) != used)
			continue;
		longer = tv_format("%s%s%s", all, all[0] != '\0' ? ", " : "", l->member[i].name);
		tv_free(all);
		all = longer;
	}
	return all;
}

static void report_files(const struct loading *l, const struct tv_reader *reader)
{
	char *used = names(l, reader, true), *unused = names(l, reader, false);

	if (unused[0] != '\0')
		tv_notice(l->trace, "%s: reading %s; not used: %s", l->path, used, unused);
	write_meta(l, reader, used);
	tv_free(used);
	tv_free(unused);
}

/* All files of one format, one after the other, first those that define what others use. */
static int read_members(const struct loading *l, const struct tv_reader *reader,
			struct tv_error *err)
{
	void *state = NULL;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < 2 * l->n; i++) {
		const struct member *member = &l->member[i % l->n];

		if (member->reader != reader || member->leads != (i < l->n))
			continue;
		if (state == NULL)
			state = begin(l, reader);
		rc = read_member(l, member->path, reader, state, err);
	}
	if (rc == 0 && state != NULL)
		rc = read_named(l, reader, state, err);
	return state != NULL ? finish(reader, state, rc, err) : 0;
}

/* Raw logs of the same run beside its source of tasks: their decisions, candidates and events, if
 * they have jobs in common with it; only these compare the clocks. */
static int read_logs(struct loading *l, struct tv_error *err)
{
	struct tv_trace beside;
	struct loading logs = *l;
	int rc;

	for (size_t i = 0; i < l->n; i++)
		l->logs |= l->member[i].reader == &tv_log_reader;
	if (!l->logs)
		return 0;
	tv_trace_init_beside(&beside, l->trace);
	logs.trace = &beside;
	rc = read_members(&logs, &tv_log_reader, err);
	if (rc == 0) {
		l->logs = tv_joins(l->trace, &beside);
		rc = l->logs ? tv_join(l->trace, &beside, l->path, err) : 0;
	}
	tv_trace_release(&beside);
	return rc;
}

/* The companion tables of a folder whose tasks come from elsewhere. */
static int read_companions(const struct loading *l, struct tv_error *err)
{
	struct tv_trace beside;
	bool any = false;
	int rc, found;

	for (size_t i = 0; i < l->n; i++)
		any |= is_companion(&l->member[i]);
	if (!any)
		return 0;
	tv_trace_init_beside(&beside, l->trace);
	rc = tv_native_read_folder(l->path, &beside, &found, err);
	if (rc == 0)
		rc = tv_join(l->trace, &beside, l->path, err);
	tv_trace_release(&beside);
	return rc;
}

/* Files of other formats may join tables, or be joined by what is in them. */
static bool has_others(const struct loading *l, const struct tv_reader *reader)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->member[i].reader != NULL && l->member[i].reader != reader)
			return true;
	return false;
}

/* Whether an entry of a folder without a trace may be one: a folder, or a CSV that is no table of one. */
static int may_be_trace(const struct dirent *entry)
{
	return entry->d_name[0] != '.'
	    && (entry->d_type == DT_DIR || strstr(entry->d_name, ".csv") != NULL);
}

/* "; NAME is WHAT" of the first file whose format is known and not read, or ""; to be freed. */
static char *describe_foreign(const struct loading *l)
{
	for (size_t i = 0; i < l->n; i++) {
		struct tv_error none;
		struct tv_input in;
		const char *head, *what = NULL;
		size_t n;

		if (tv_input_open(&in, l->member[i].path, &none) < 0)
			continue;
		head = tv_input_peek(&in, TV_PROBE_BYTES, &n, &none);
		if (head != NULL)
			what = tv_foreign(head, n);
		tv_input_close(&in);
		if (what != NULL)
			return tv_format("; %s is %s", l->member[i].name, what);
	}
	return tv_strdup("");
}

static int fail_folder(const struct loading *l, struct tv_error *err)
{
	struct tv_name_list names = { .n = 0 };
	struct dirent **entry;
	bool any_format = l->trace->options.format == NULL;
	int n = any_format ? scandir(l->path, &entry, may_be_trace, alphasort) : -1;
	char *foreign = any_format ? describe_foreign(l) : tv_strdup("");

	for (int i = 0; i < n; i++) {
		tv_name_list_add(&names, entry[i]->d_name);
		free(entry[i]);
	}
	if (n >= 0)
		free(entry);
	tv_fail_at(err, (struct tv_pos){ l->path, 0 },
		   "no file of this folder is a trace in %s%s%s%s",
		   any_format ? "any known format" : "the format of --format",
		   names.n > 0 ? ", expected one trace; it contains: " : "",
		   tv_name_list_text(&names), foreign);
	tv_free(foreign);
	return -1;
}

static int load_folder(struct loading *l, struct tv_error *err)
{
	const struct tv_reader *reader;
	int rc, found;

	if (list_folder(l, err) < 0)
		return -1;
	reader = best_reader(l);
	if (reader == NULL)
		return fail_folder(l, err);
	if (!reader->omits || has_others(l, reader))
		read_all(l->trace);
	if (reader == &tv_native_reader)
		rc = tv_native_read_folder(l->path, l->trace, &found, err);
	else
		rc = read_members(l, reader, err);
	if (rc == 0 && reader->joins != NULL)
		rc = read_members(l, find_reader(reader->joins), err);
	if (rc == 0 && reader != &tv_native_reader)
		rc = read_companions(l, err);
	if (rc == 0 && reader != &tv_native_reader && reader != &tv_log_reader)
		rc = read_logs(l, err);
	for (size_t i = 0; rc == 0 && i < tv_nreaders; i++)
		if (tv_readers[i]->completes && tv_readers[i] != reader)
			rc = read_members(l, tv_readers[i], err);
	if (rc == 0)
		report_files(l, reader);
	return rc;
}

/* ---- tables that nobody reads ---- */

/* Whether all are files of one format that has ranks. Standard input can be read only once. */
static int are_ranks(struct loading *l, const char *const *path, size_t n, bool *ranks,
		     struct tv_error *err)
{
	*ranks = true;
	for (size_t i = 0; i < n && *ranks; i++) {
		struct member *member;

		*ranks = strcmp(path[i], "-") != 0 && is_file(path[i]);
		if (!*ranks)
			break;
		member = add_member(l, path[i]);
		if (find_member(l, member, false, err) < 0)
			return -1;
		*ranks = member->reader != NULL && member->reader->ranks
		      && member->reader == l->member[0].reader;
	}
	return 0;
}

/* Several files are the ranks of a run: 1 if they are not that. */
static int load_ranks(struct loading *l, const char *const *path, size_t n, struct tv_error *err)
{
	bool ranks;

	if (are_ranks(l, path, n, &ranks, err) < 0)
		return -1;
	if (!ranks)
		return 1;
	if (read_members(l, l->member[0].reader, err) < 0)
		return -1;
	report_files(l, l->member[0].reader);
	return 0;
}

/* What tv_load and tv_load_ranks are asked for. */
struct request {
	const char *const *path;
	size_t n;
	bool ranks;
	void (*progress)(void *context, double share);
	void *context;
};

static int load_once(const struct request *asked, struct tv_trace *trace, struct tv_error *err)
{
	const char *path = asked->path[0];
	struct loading l = { trace, path, asked->progress, asked->context, NULL, 0, 0, false };
	struct stat st;
	int rc;

	if (asked->ranks)
		rc = load_ranks(&l, asked->path, asked->n, err);
	else if (strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		rc = load_folder(&l, err);
	else
		rc = load_file(&l, err);
	release_members(&l);
	return rc > 0 ? rc : complete(trace, rc, err);
}

/* First without the tables that the caller does not read. Where these might matter all the same, for
 * a trace without work or for what is wrong with it, once more with all. */
static int load(const struct request *asked, struct tv_trace *trace, struct tv_error *err)
{
	struct tv_read_options options = trace->options;
	int rc;

	if (options.strict || options.zero != NULL || options.nclock_offsets > 0
	    || strcmp(asked->path[0], "-") == 0)
		read_all(trace);
	rc = load_once(asked, trace, err);
	if (trace->options.unread == 0 || rc > 0 || (rc == 0 && tv_trace_has_work(trace)))
		return rc;
	options.unread = 0;
	*err = (struct tv_error){ 0 };
	tv_trace_release(trace);
	tv_trace_init(trace, &options);
	return load_once(asked, trace, err);
}

int tv_load(const char *path, struct tv_trace *trace, void (*progress)(void *, double),
	    void *context, struct tv_error *err)
{
	const struct request asked = { &path, 1, false, progress, context };
	const char *format = trace->options.format;

	if (format != NULL && find_reader(format) == NULL)
		return tv_fail_usage(err, "--format '%s' is not known, see traceviz convert --help",
				     format);
	return load(&asked, trace, err);
}

int tv_load_ranks(const char *const *path, size_t n, struct tv_trace *trace,
		  void (*progress)(void *, double), void *context, struct tv_error *err)
{
	const struct request asked = { path, n, true, progress, context };

	return load(&asked, trace, err);
}
