/* SPDX-License-Identifier: GPL-3.0-or-later */
/* load.c -- a path to a trace: its files are read in their order, and joined. */
#include <string.h>
#include <sys/stat.h>

#include "convert/join.h"
#include "convert/regions.h"
#include "convert/share.h"
#include "trace/alloc.h"
#include "trace/damage.h"
#include "trace/text.h"

/* Refuses what cannot fit before reading it; of compressed bytes, whose number is a guess, what can be read otherwise. */
static int check_memory(const struct tv_loading *l, struct tv_input *in,
			const struct tv_reader *reader, struct tv_error *err)
{
	bool native = reader == &tv_native_reader;
	double bytes, want;

	if (l->trace->options.batches != NULL || (in->codec != NULL && !native))
		return 0;
	if (tv_input_expect(in, &bytes, err) < 0)
		return -1;
	want = bytes * reader->memory;
	if (want <= (double)tv_memory_max())
		return 0;
	l->trace->too_large = native;
	tv_fail_at(err, (struct tv_pos){ in->path, 0 },
		   "%.0f MB need up to %.0f MB of memory, the limit is %.0f MB (see --max-memory)",
		   bytes / 1e6, want / 1e6, (double)tv_memory_max() / 1e6);
	if (!l->trace->too_large) {
		char *why = tv_format(
			"the reader of %s keeps the whole trace in memory: where there "
			"is enough, 'traceviz convert TRACE -o FILE.parquet' makes a "
			"copy that verbs read in parts",
			reader->name);

		tv_fail_also(err, why);
		tv_free(why);
	}
	return -1;
}

static void *begin(const struct tv_loading *l, const struct tv_reader *reader)
{
	if (!reader->omits)
		l->trace->options.unread = 0;
	return reader->begin != NULL ? reader->begin(l->trace) : l->trace;
}

static int read_input(const struct tv_loading *l, struct tv_input *in,
		      const struct tv_reader *reader, void *state, struct tv_error *err)
{
	tv_memory_purpose("reading %s", in->path);
	in->progress = l->progress;
	in->progress_context = l->context;
	if (check_memory(l, in, reader, err) < 0 || reader->read(state, in, err) < 0)
		return -1;
	if (in->cut != NULL)
		tv_damaged(l->trace, TV_REPAIRED, TV_CUT_INPUT, tv_here(in),
			   "%s; what precedes is used", in->cut);
	return 0;
}

int tv_member_read(const struct tv_loading *l, const char *path, const struct tv_reader *reader,
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
static int read_named(const struct tv_loading *l, const struct tv_reader *reader, void *state,
		      struct tv_error *err)
{
	const char *path;
	size_t n = 0;
	int rc = 0;

	while (rc == 0 && reader->next != NULL && (path = reader->next(state)) != NULL) {
		n++;
		rc = tv_member_read(l, path, reader, state, err);
	}
	if (rc == 0 && n > 0) {
		tv_notice(l->trace, "%s names %zu other file%s, read as one trace", l->path, n,
			  tv_plural(n));
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
static void write_meta(const struct tv_loading *l, const struct tv_reader *reader,
		       const char *files)
{
	if (l->trace->native)
		return;
	tv_meta_add(l->trace, "Format", "%s", reader->name);
	tv_meta_add(l->trace, "Files", "%s", files);
}

/* --task-state, which the readers of some formats apply themselves: Pajé to types, trace events to slices. */
static int choose_tasks(struct tv_trace *trace, struct tv_error *err)
{
	const char *text = trace->options.task_state, *format;
	size_t n = 0;

	if (text == NULL)
		return 0;
	format = tv_meta_get(trace, "Format", &n);
	if (format != NULL && n == 6 && memcmp(format, "chrome", n) == 0 && !trace->native)
		return 0;
	if (format != NULL && n == 4 && memcmp(format, "paje", n) == 0
	    && !tv_regions_is_expression(text))
		return 0;
	return tv_regions_to_tasks(trace, text, err);
}

/* What a reading without error leads to: a failure if it was damaged and strict. */
static int complete(struct tv_trace *trace, int rc, struct tv_error *err)
{
	if (tv_check_strict(trace, err) < 0 || rc < 0 || choose_tasks(trace, err) < 0)
		return -1;
	if (trace->options.batches != NULL) {
		tv_write_damage(trace, trace);
		return 0;
	}
	return tv_trace_complete(trace, err);
}

static int load_file(const struct tv_loading *l, struct tv_error *err)
{
	const char *format = l->trace->options.format == NULL && l->trace->options.map != NULL
				   ? tv_table_reader.name
				   : l->trace->options.format;
	const struct tv_reader *reader = format != NULL ? tv_reader_named(format) : NULL;
	struct tv_input in;
	size_t n;
	int rc;

	if (tv_input_open(&in, l->path, err) < 0)
		return -1;
	rc = reader == NULL ? tv_recognize(&in, &reader, err) : 0;
	if (rc == 0 && tv_input_peek(&in, 1, &n, err) == NULL)
		rc = -1;
	if (rc == 0 && n == 0)
		rc = tv_fail_at(err, (struct tv_pos){ l->path, 0 }, "%s, expected a trace",
				in.cut != NULL ? in.cut : "the file is empty");
	else if (rc == 0 && format == NULL)
		rc = tv_check_known(l, &in, reader, err);
	if (rc == 0) {
		void *state = begin(l, reader);

		rc = read_input(l, &in, reader, state, err);
		if (rc == 0)
			rc = read_named(l, reader, state, err);
		rc = finish(reader, state, rc, err);
	}
	if (rc == 0)
		write_meta(l, reader, tv_base_name(l->path));
	tv_input_close(&in);
	return rc;
}

/* ---- several files ---- */

static void report_files(const struct tv_loading *l, const struct tv_reader *reader)
{
	char *used = tv_members_names(l, reader, true),
	     *unused = tv_members_names(l, reader, false);

	if (unused[0] != '\0')
		tv_notice(l->trace, "%s: reading %s; not used: %s", l->path, used, unused);
	write_meta(l, reader, used);
	tv_free(used);
	tv_free(unused);
}

/* All files of one format, one after the other, first those that define what others use. */
static int read_members(const struct tv_loading *l, const struct tv_reader *reader,
			struct tv_error *err)
{
	void *state = NULL;
	int rc = 0;

	if (tv_share_may(l, reader))
		return tv_share_members(l, reader, err);
	for (size_t i = 0; rc == 0 && i < 2 * l->n; i++) {
		const struct tv_member *member = &l->member[i % l->n];

		if (member->reader != reader || member->leads != (i < l->n))
			continue;
		if (state == NULL)
			state = begin(l, reader);
		rc = tv_member_read(l, member->path, reader, state, err);
	}
	if (rc == 0 && state != NULL)
		rc = read_named(l, reader, state, err);
	return state != NULL ? finish(reader, state, rc, err) : 0;
}

/* Raw logs of the same run beside its source of tasks: their decisions, candidates and events, if
 * they have jobs in common with it; only these compare the clocks. */
static int read_logs(struct tv_loading *l, struct tv_error *err)
{
	struct tv_trace beside;
	struct tv_loading logs = *l;
	int rc;

	for (size_t i = 0; i < l->n; i++)
		l->logs |= l->member[i].reader == &tv_log_reader;
	if (!l->logs)
		return 0;
	tv_trace_init_beside(&beside, l->trace);
	logs.trace = &beside;
	rc = read_members(&logs, &tv_log_reader, err);
	if (rc == 0)
		rc = tv_join(l->trace, &beside, l->path, true, err);
	l->logs = rc != 1;
	tv_trace_release(&beside);
	return rc < 0 ? -1 : 0;
}

/* The companion tables of a folder whose tasks come from elsewhere. */
static int read_companions(const struct tv_loading *l, struct tv_error *err)
{
	struct tv_trace beside;
	bool any = false;
	int rc, found;

	for (size_t i = 0; i < l->n; i++)
		any |= tv_member_is_companion(&l->member[i]);
	if (!any)
		return 0;
	tv_trace_init_beside(&beside, l->trace);
	rc = tv_native_read_folder(l->path, &beside, &found, err);
	if (rc == 0)
		rc = tv_join(l->trace, &beside, l->path, false, err);
	tv_trace_release(&beside);
	return rc;
}

static int load_folder(struct tv_loading *l, struct tv_error *err)
{
	const struct tv_reader *reader;
	int rc, found;

	if (tv_members_list(l, err) < 0)
		return -1;
	reader = tv_members_reader(l);
	if (reader == NULL)
		return tv_members_fail(l, err);
	if (!reader->omits || tv_members_differ(l, reader))
		l->trace->options.unread = 0;
	if (reader == &tv_native_reader)
		rc = tv_native_read_folder(l->path, l->trace, &found, err);
	else
		rc = read_members(l, reader, err);
	if (rc == 0 && reader->joins != NULL)
		rc = read_members(l, tv_reader_named(reader->joins), err);
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
static int are_ranks(struct tv_loading *l, const char *const *path, size_t n, bool *ranks,
		     struct tv_error *err)
{
	*ranks = true;
	for (size_t i = 0; i < n && *ranks; i++) {
		struct tv_member *member;

		*ranks = strcmp(path[i], "-") != 0 && tv_is_file(path[i]);
		if (!*ranks)
			break;
		member = tv_members_add(l, path[i]);
		if (tv_member_find(l, member, false, err) < 0)
			return -1;
		*ranks = member->reader != NULL && member->reader->ranks
		      && member->reader == l->member[0].reader;
	}
	return 0;
}

/* Several files are the ranks of a run: 1 if they are not that. */
static int load_ranks(struct tv_loading *l, const char *const *path, size_t n, struct tv_error *err)
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
	struct tv_loading l = { trace, path, asked->progress, asked->context, NULL, 0, 0, false };
	struct stat st;
	int rc;

	if (asked->ranks)
		rc = load_ranks(&l, asked->path, asked->n, err);
	else if (strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		rc = load_folder(&l, err);
	else
		rc = load_file(&l, err);
	tv_members_release(&l);
	return rc > 0 ? rc : complete(trace, rc, err);
}

/* Says which columns of tasks were left out. */
static void note_columns(struct tv_trace *trace)
{
	char *names = NULL;

	for (size_t i = 0; i < trace->nleft; i++)
		tv_append(&names, "%s%s", i > 0 ? ", " : "", trace->left[i]);
	if (names != NULL)
		tv_notice(trace, "columns of tasks that are not read: %s", names);
	tv_free(names);
}

/* Reads once more, with other options. */
static int load_again(const struct request *asked, struct tv_trace *trace,
		      const struct tv_read_options *options, struct tv_error *err)
{
	struct tv_trace first = *trace;

	*err = (struct tv_error){ 0 };
	/* Parts of a trace have their strings in common. */
	if (options->part != NULL) {
		tv_trace_init_beside(trace, &first);
		options->part->n = 0;
	} else {
		tv_trace_init(trace, options);
	}
	trace->options = *options;
	tv_trace_release(&first);
	return load_once(asked, trace, err);
}

/* First without the tables and columns that the caller does not read. Where these might matter all the same, for
 * a trace without work or for what is wrong with it, once more with all; where only JobIds might, first with them. */
static int load(const struct request *asked, struct tv_trace *trace, struct tv_error *err)
{
	struct tv_read_options options = trace->options, with_jobs;
	char *columns;
	bool enough;
	int rc;

	if (options.strict || options.with != NULL || options.zero != NULL
	    || options.nclock_offsets > 0 || options.task_state != NULL
	    || strcmp(asked->path[0], "-") == 0)
		tv_trace_read_all(trace);
	rc = load_once(asked, trace, err);
	if (trace->unsure && tv_trace_leaves(trace, TV_TASKS, "JobId")) {
		with_jobs = options;
		with_jobs.columns = columns = tv_format("%s JobId", options.columns);
		rc = load_again(asked, trace, &with_jobs, err);
		trace->options.columns = options.columns;
		tv_free(columns);
	}
	enough = rc == 0 && !trace->unsure
	      && (options.part != NULL || options.choice != NULL || options.batches != NULL
		  || tv_trace_has_work(trace));
	if (enough)
		trace->undeclared = options.unread;
	if (enough && options.verbose)
		note_columns(trace);
	if (enough || rc > 0 || options.choice != NULL
	    || (trace->options.unread == 0 && trace->nleft == 0 && trace->rest.n == 0))
		return rc;
	options.unread = 0;
	options.columns = NULL;
	options.window.set = false;
	return load_again(asked, trace, &options, err);
}

int tv_load(const char *path, struct tv_trace *trace, void (*progress)(void *, double),
	    void *context, struct tv_error *err)
{
	const struct request asked = { &path, 1, false, progress, context };
	const char *format = trace->options.format;

	if (format != NULL && tv_reader_named(format) == NULL)
		return tv_fail_usage(err, "--format '%s' is not known, see traceviz help formats",
				     format);
	return load(&asked, trace, err);
}

int tv_load_ranks(const char *const *path, size_t n, struct tv_trace *trace,
		  void (*progress)(void *, double), void *context, struct tv_error *err)
{
	const struct request asked = { path, n, true, progress, context };

	return load(&asked, trace, err);
}
