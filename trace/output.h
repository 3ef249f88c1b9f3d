/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * output.h -- files that appear whole or not at all, and several of them together or not at all.
 *
 * Every file that the program writes is written here. Bytes go to a temporary file beside the
 * target, which a commit syncs and renames; a failure, or a signal that ends the program, deletes
 * it (trace/unfinished.h). "-" and /dev/stdout are standard output; targets that exist and are not
 * regular files (/dev/null, pipes) are written directly.
 *
 * A symbolic link is followed: its target is written, the link stays. A file that is replaced keeps
 * its mode and owner; if it has other names (hard links), those keep the old content. A file that
 * may not be written is not replaced. An output that is also an input, or another output that is
 * not finished yet, is refused (usage): files are compared by device and inode.
 */
#ifndef TV_OUTPUT_H
#define TV_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "trace/alloc.h"
#include "trace/error.h"
#include "trace/unfinished.h"

struct tv_output {
	char *path, *target;		  /* as given; with symbolic links followed */
	struct tv_unfinished *unfinished; /* the temporary file; NULL = written directly */
	struct tv_unfinished *old;	  /* during a commit: the file that is replaced */
	bool removal;			  /* nothing is written: the target disappears */
	int fd;
	int failed; /* errno of the first failed write */
	char *buffer;
	size_t n, cap;
	bool memory;   /* no file: the buffer has all that was written, for whoever captures
			* standard output, or the caller */
	char tail[16]; /* the bytes written last */
};

/* Whether a user sees what is written there; never after tv_output_no_terminal, for programs whose output somebody takes
 * from a terminal of its own, as launchers of MPI do. */
bool tv_output_is_terminal(int fd);
void tv_output_no_terminal(void);

int tv_output_open(struct tv_output *out, const char *path, struct tv_error *err) TV_MUST_CHECK;
/* What is committed to standard output from now on is appended to this one, which only collects; NULL = no more. */
void tv_output_capture(struct tv_output *to);
/* One that only collects buffer[0..n), for tv_output_abort. */
void tv_output_memory(struct tv_output *out);
/* Room for n more bytes of one that only collects: where they go. out->n counts those that are set. */
static inline char *tv_output_room(struct tv_output *out, size_t n)
{
	TV_GROW(out->buffer, out->n, out->cap, n);
	return out->buffer + out->n;
}
/* Appends n bytes. A failure is kept and reported when the output ends. */
void tv_output_write(struct tv_output *out, const void *bytes, size_t n);
void tv_output_text(struct tv_output *out, const char *text);
void tv_output_format(struct tv_output *out, const char *format, ...) TV_PRINTF(2, 3);
/* The temporary file, for a library that writes it by itself and then nothing else does; NULL = there is none. */
const char *tv_output_file(const struct tv_output *out);
/* Whether the last bytes are these n <= 16: for formats with an end mark. */
bool tv_output_ends(const struct tv_output *out, const void *bytes, size_t n);
/* Ends the output: 0 when everything is on disk under its name; -1 with *err and nothing left
 * behind. *out is released in both cases. A closed pipe (EPIPE) is not an error. */
int tv_output_commit(struct tv_output *out, struct tv_error *err) TV_MUST_CHECK;
/* Deletes the temporary file. Safe on a zeroed struct and after commit. */
void tv_output_abort(struct tv_output *out);

/* Outputs that appear together. Zeroed = empty. */
struct tv_outputs {
	struct tv_output **out;
	size_t n, cap;
	struct tv_unfinished *folder; /* made for them */
};

/* Opens one more; owned by the set. NULL with *err. Only one may be standard output. */
struct tv_output *tv_outputs_add(struct tv_outputs *set, const char *path, struct tv_error *err);
/* A file that disappears with the commit. */
int tv_outputs_remove(struct tv_outputs *set, const char *path, struct tv_error *err) TV_MUST_CHECK;
/* The folder that they go to, created if there is none. */
int tv_outputs_folder(struct tv_outputs *set, const char *path, struct tv_error *err) TV_MUST_CHECK;
/* No more bytes for this one: syncs and closes its temporary file, which keeps its name. */
int tv_output_finish(struct tv_output *out, struct tv_error *err) TV_MUST_CHECK;
/*
 * Ends all of them, in the order in which they were added: 0, or -1 with *err and every target as it
 * was before. First everything is written and synced; then the files that are replaced get names
 * aside, the new ones theirs, and the old ones are deleted. *set is released in both cases.
 */
int tv_outputs_commit(struct tv_outputs *set, struct tv_error *err) TV_MUST_CHECK;
void tv_outputs_abort(struct tv_outputs *set); /* safe on a zeroed struct and after commit */

/* A folder of files that appears as a whole. Zeroed = none. */
struct tv_output_folder {
	char *path, *target;		  /* as given; with symbolic links followed */
	struct tv_unfinished *unfinished; /* the temporary folder */
};

int tv_output_folder_open(struct tv_output_folder *folder, const char *path,
			  struct tv_error *err) TV_MUST_CHECK;
/* Where its files are until then, for outputs that end before. */
const char *tv_output_folder_path(const struct tv_output_folder *folder);
/* Writes a file of it: cheaper than an output, as all of them are synced together. */
int tv_output_folder_file(const struct tv_output_folder *folder, const char *name,
			  const void *bytes, size_t n, struct tv_error *err) TV_MUST_CHECK;
/* It takes the place of what is at the path: a folder of files, which are deleted, or nothing. 0, or -1 with *err and
 * that as it was. It is released in both cases. */
int tv_output_folder_commit(struct tv_output_folder *folder, struct tv_error *err) TV_MUST_CHECK;
void tv_output_folder_abort(struct tv_output_folder *folder); /* safe after commit */

/* The file that fd is open on is an input: from now on it is refused as an output. */
void tv_output_protect(int fd);
/* The files that are inputs, which are those of one command. Zeroed = none; free `at` with tv_free. */
struct tv_inputs {
	struct tv_file_id *at;
	size_t n, cap;
};
/* Exchanges the inputs with these: for a program that runs several commands. */
void tv_output_exchange_inputs(struct tv_inputs *inputs);
/* For such a program, once a longjmp has ended a command: forgets its inputs
 * and outputs, and deletes temporary files. */
void tv_output_give_up(void);

#endif
