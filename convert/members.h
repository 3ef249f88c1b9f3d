/* SPDX-License-Identifier: GPL-3.0-or-later */
/* members.h -- the files that load.c reads: of a folder, or the ranks of a run; only for load.c, members.c and share.c. */
#ifndef TV_MEMBERS_H
#define TV_MEMBERS_H

#include "convert/formats.h"

/* A file that is read, and the reader that its content asks for; NULL = none. */
struct tv_member {
	char *name, *path;
	const struct tv_reader *reader;
	bool leads; /* is read before others */
};

struct tv_loading {
	struct tv_trace *trace;
	const char *path;
	void (*progress)(void *context, double share);
	void *context;
	struct tv_member *member; /* of a folder, or the ranks of a run */
	size_t n, cap;
	bool logs; /* raw logs join the source of tasks */
};

/* The reader of what the input begins with, by the highest score. NULL and no error: unknown. */
int tv_recognize(struct tv_input *in, const struct tv_reader **reader, struct tv_error *err);
/* -1 with *err for a file of a format that is not read, or of none that is known. */
int tv_check_known(const struct tv_loading *l, struct tv_input *in, const struct tv_reader *reader,
		   struct tv_error *err);

/* Reads one file (load.c). */
int tv_member_read(const struct tv_loading *l, const char *path, const struct tv_reader *reader,
		   void *state, struct tv_error *err);
/* A new member, without a reader. */
struct tv_member *tv_members_add(struct tv_loading *l, const char *path);
void tv_members_release(struct tv_loading *l);
/* Sets the reader of a member. A file of a folder that is damaged before its format can be recognized is an error, as it
 * may be what the user wants. */
int tv_member_find(const struct tv_loading *l, struct tv_member *member, bool of_folder,
		   struct tv_error *err);
/* All files of the folder l->path, in natural order of their names. */
int tv_members_list(struct tv_loading *l, struct tv_error *err);
/* Whether it is a table that joins the source of tasks. */
bool tv_member_is_companion(const struct tv_member *member);
/* The best format that a member has: the first of the table of readers, or --format; NULL = none. Companion tables are a
 * trace only where there is nothing else. */
const struct tv_reader *tv_members_reader(const struct tv_loading *l);
/* The names of the members that are read, or not, separated by commas; the caller frees it. */
char *tv_members_names(const struct tv_loading *l, const struct tv_reader *reader, bool used);
/* Whether files have other readers: they may join tables, or be joined by what is in them. */
bool tv_members_differ(const struct tv_loading *l, const struct tv_reader *reader);
/* -1, with *err for a folder without a trace: what it contains. */
int tv_members_fail(const struct tv_loading *l, struct tv_error *err);

#endif
