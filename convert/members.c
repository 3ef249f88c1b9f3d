/* SPDX-License-Identifier: GPL-3.0-or-later */
/* members.c -- which files are read, and by which reader. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "convert/foreign.h"
#include "convert/join.h"
#include "convert/members.h"
#include "convert/table/table.h"
#include "trace/alloc.h"
#include "trace/near_names.h"
#include "trace/sorted.h"
#include "trace/text.h"

const struct tv_reader *tv_reader_named(const char *name)
{
	for (size_t i = 0; i < tv_nreaders; i++)
		if (strcmp(tv_readers[i]->name, name) == 0)
			return tv_readers[i];
	return NULL;
}

int tv_recognize(struct tv_input *in, const struct tv_reader **reader, struct tv_error *err)
{
	const char *head;
	int best = 0;
	size_t n;

	*reader = NULL;
	head = tv_input_peek(in, TV_PROBE_BYTES, &n, err);
	if (head == NULL)
		return -1;
	for (size_t i = 0; n > 0 && i < tv_nreaders && best < TV_PROBE_SURE; i++) {
		int score = tv_readers[i]->probe(head, n);

		if (score > best) {
			best = score;
			*reader = tv_readers[i];
		}
	}
	return 0;
}

/* As recognize, for one of several files: of two readers for the same files --format chooses. */
static int recognize_member(const struct tv_loading *l, struct tv_input *in,
			    const struct tv_reader **reader, struct tv_error *err)
{
	const char *format = l->trace->options.format, *head;
	const struct tv_reader *asked = format != NULL ? tv_reader_named(format) : NULL;
	size_t n;

	if (tv_recognize(in, reader, err) < 0)
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

/* What no reader recognizes: a table, if it has separators or names of columns that say what they are. */
static int fail_unknown(struct tv_pos at, const char *head, size_t n, struct tv_error *err)
{
	const char *what = tv_unknown_table(head, n);
	char *command = tv_map_propose(head, n, true, at.file);

	if (command != NULL)
		tv_fail_at(err, at, "%s; %s",
			   what != NULL ? what : "a table that is no trace of ours", command);
	else if (what != NULL)
		tv_fail_at(err, at, "%s; --map says what its columns are", what);
	else
		tv_fail_at(err, at,
			   "not a trace in any known format, expected CSV, Paje, ... (see traceviz "
			   "help formats)");
	tv_free(command);
	return -1;
}

int tv_check_known(const struct tv_loading *l, struct tv_input *in, const struct tv_reader *reader,
		   struct tv_error *err)
{
	struct tv_pos at = { l->path, 0 };
	size_t n;
	const char *head = tv_input_peek(in, TV_PROBE_BYTES, &n, err), *what;

	if (head == NULL)
		return -1;
	/* Other readers know their files better than a first word does; CSV takes nearly any text. */
	what = reader == NULL || reader == &tv_native_reader ? tv_foreign(head, n) : NULL;
	if (what != NULL)
		return tv_fail_at(err, at, "%s", what);
	return reader != NULL ? 0 : fail_unknown(at, head, n, err);
}

/* ---- the files of a folder, or the ranks of a run ---- */

TV_ORDER(by_name, struct tv_member, text(name))

struct tv_member *tv_members_add(struct tv_loading *l, const char *path)
{
	TV_GROW(l->member, l->n, l->cap, 1);
	l->member[l->n] = (struct tv_member){ tv_strdup(tv_base_name(path)), tv_strdup(path), NULL,
					      false };
	return &l->member[l->n++];
}

void tv_members_release(struct tv_loading *l)
{
	for (size_t i = 0; i < l->n; i++) {
		tv_free(l->member[i].name);
		tv_free(l->member[i].path);
	}
	tv_free(l->member);
}

int tv_member_find(const struct tv_loading *l, struct tv_member *member, bool of_folder,
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
	/* Of a folder's CSV and Parquet files only those named as our tables are ours. */
	if (of_folder && member->reader == &tv_parquet_reader)
		member->reader = &tv_native_reader;
	if (of_folder && member->reader == &tv_native_reader
	    && tv_native_table(member->name) == TV_NTABLES)
		member->reader = NULL;
	return rc;
}

int tv_members_list(struct tv_loading *l, struct tv_error *err)
{
	DIR *folder = opendir(l->path);
	struct dirent *entry;
	int rc = 0;

	if (folder == NULL)
		return tv_fail_system(err, l->path, "cannot open", errno);
	while (rc == 0 && (entry = readdir(folder)) != NULL) {
		size_t length = strlen(l->path);
		char *path = tv_format("%s%s%s", l->path,
				       length > 0 && l->path[length - 1] == '/' ? "" : "/",
				       entry->d_name);

		if (entry->d_name[0] != '.' && tv_is_file(path))
			rc = tv_member_find(l, tv_members_add(l, path), true, err);
		tv_free(path);
	}
	closedir(folder);
	if (rc == 0 && l->n > 1)
		qsort(l->member, l->n, sizeof *l->member, by_name);
	return rc;
}

bool tv_member_is_companion(const struct tv_member *member)
{
	return member->reader == &tv_native_reader
	    && tv_is_companion(tv_native_table(member->name));
}

const struct tv_reader *tv_members_reader(const struct tv_loading *l)
{
	const char *format = l->trace->options.format;
	const struct tv_reader *companions = NULL;

	for (size_t r = 0; r < tv_nreaders; r++)
		for (size_t i = 0; i < l->n; i++) {
			if (l->member[i].reader != tv_readers[r]
			    || (format != NULL && strcmp(format, tv_readers[r]->name) != 0))
				continue;
			if (!tv_member_is_companion(&l->member[i]))
				return tv_readers[r];
			companions = tv_readers[r];
		}
	return companions;
}

/* Whether a member is read where `reader` reads the trace. */
static bool member_reads(const struct tv_loading *l, const struct tv_reader *reader,
			 const struct tv_member *member)
{
	if (reader->uses != NULL && tv_glob_list(reader->uses, member->name))
		return true;
	if (l->logs && member->reader == &tv_log_reader)
		return true;
	return member->reader != NULL
	    && (member->reader == reader || tv_member_is_companion(member)
		|| member->reader->completes
		|| (reader->joins != NULL && strcmp(member->reader->name, reader->joins) == 0));
}

char *tv_members_names(const struct tv_loading *l, const struct tv_reader *reader, bool used)
{
	char *all = tv_strdup("");

	for (size_t i = 0; i < l->n; i++)
		if (member_reads(l, reader, &l->member[i]) == used)
			tv_append(&all, "%s%s", all[0] != '\0' ? ", " : "", l->member[i].name);
	return all;
}

bool tv_members_differ(const struct tv_loading *l, const struct tv_reader *reader)
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
static char *describe_foreign(const struct tv_loading *l)
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

int tv_members_fail(const struct tv_loading *l, struct tv_error *err)
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
	if (any_format && n == 0 && l->n == 0)
		return tv_fail_at(err, (struct tv_pos){ l->path, 0 }, "the folder is empty");
	tv_fail_at(
		err, (struct tv_pos){ l->path, 0 }, "no file of this folder is a trace in %s%s%s%s",
		any_format ? "any known format" : "the format of --format",
		names.n > 0 ? ", expected one trace; name one of what it contains, or compare two: "
			    : "",
		tv_name_list_text(&names), foreign);
	tv_free(foreign);
	return -1;
}
