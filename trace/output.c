/* SPDX-License-Identifier: GPL-3.0-or-later */
/* output.c -- files that appear whole or not at all: write beside, sync, rename. */
#include "trace/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/alloc.h"
#include "trace/timings.h"

enum {
	BUFFER = 256 * 1024,
	LINKS_MAX = 40 /* symbolic links in a row, as in Linux */
};

struct tv_file_id {
	dev_t dev;
	ino_t ino;
};

/* They stay for the life of the command, as an input may be read and closed long before the output is
 * opened. */
static struct tv_inputs inputs;

/* What gets standard output; NULL = itself. */
static struct tv_output *captured;

/* Outputs that are not finished, by the names that they will get. */
static const struct tv_output **pending;
static size_t npending, pending_cap;

/* ---- what an output must not be ---- */

static bool is_input(const struct stat *st)
{
	for (size_t i = 0; i < inputs.n; i++)
		if (inputs.at[i].dev == st->st_dev && inputs.at[i].ino == st->st_ino)
			return true;
	return false;
}

void tv_output_protect(int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) || is_input(&st))
		return;
	TV_GROW(inputs.at, inputs.n, inputs.cap, 1);
	inputs.at[inputs.n++] = (struct tv_file_id){ st.st_dev, st.st_ino };
}

void tv_output_exchange_inputs(struct tv_inputs *others)
{
	struct tv_inputs mine = inputs;

	inputs = *others;
	*others = mine;
}

static int fail_input(const char *path, struct tv_error *err)
{
	return tv_fail_usage(err, "the output '%s' is also an input, expected another file", path);
}

/* Length of the part of a path that names its folder, with the slash. */
static size_t folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? (size_t)(slash + 1 - path) : 0;
}

static bool folder_stat(const char *path, struct stat *st)
{
	size_t n = folder_length(path);
	char *folder = n > 0 ? tv_strndup(path, n) : tv_strdup(".");
	bool ok = stat(folder, st) == 0;

	tv_free(folder);
	return ok;
}

/* Whether two paths, links followed, are one file, or will be. */
static bool same_file(const char *a, const char *b)
{
	struct stat x, y;
	bool there = stat(a, &x) == 0;

	if (there != (stat(b, &y) == 0))
		return false;
	if (!there
	    && (strcmp(a + folder_length(a), b + folder_length(b)) != 0 || !folder_stat(a, &x)
		|| !folder_stat(b, &y)))
		return false;
	return x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static int check_alone(const struct tv_output *out, struct tv_error *err)
{
	for (size_t i = 0; i < npending; i++)
		if (same_file(pending[i]->target, out->target))
			return tv_fail_usage(err,
					     "the outputs '%s' and '%s' are the same file, "
					     "expected two files",
					     pending[i]->path, out->path);
	return 0;
}

static void add_pending(struct tv_output *out)
{
	TV_GROW(pending, npending, pending_cap, 1);
	pending[npending++] = out;
}

static void drop_pending(const struct tv_output *out)
{
	for (size_t i = npending; i-- > 0;)
		if (pending[i] == out) {
			memmove(pending + i, pending + i + 1, (--npending - i) * sizeof *pending);
			break;
		}
	if (npending == 0) {
		tv_free(pending);
		pending = NULL;
		pending_cap = 0;
	}
}

/* ---- one output ---- */

/* The path that a chain of symbolic links ends at; it need not exist. NULL with errno. */
static char *follow_links(const char *path)
{
	char *at = tv_strdup(path), to[PATH_MAX];

	for (int i = 0; i <= LINKS_MAX; i++) {
		ssize_t n = readlink(at, to, sizeof to - 1);
		char *next;

		if (n < 0)
			return at;
		to[n] = '\0';
		next = tv_format("%.*s%s", to[0] == '/' ? 0 : (int)folder_length(at), at, to);
		tv_free(at);
		at = next;
	}
	tv_free(at);
	errno = ELOOP;
	return NULL;
}

/* The mode that open() would give a new file. */
static mode_t new_file_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

/* old: of the file that is replaced, NULL if there is none. */
static int open_beside(struct tv_output *out, const struct stat *old, struct tv_error *err)
{
	if ((old != NULL && faccessat(AT_FDCWD, out->target, W_OK, AT_EACCESS) < 0)
	    || (out->unfinished = tv_unfinished_file(out->target, false, &out->fd)) == NULL)
		return tv_fail_system(err, out->path, "cannot write", errno);
	/* A change of owner needs rights that few have; without them the file becomes the user's. */
	if (old != NULL && (old->st_uid != geteuid() || old->st_gid != getegid())
	    && fchown(out->fd, old->st_uid, old->st_gid) < 0)
		errno = 0;
	fchmod(out->fd, old != NULL ? old->st_mode & 0777 : new_file_mode());
	add_pending(out);
	return 0;
}

static bool is_standard(const struct tv_output *out)
{
	return strcmp(out->path, "-") == 0 || strcmp(out->path, "/dev/stdout") == 0;
}

static int open_target(struct tv_output *out, struct tv_error *err)
{
	struct stat st;
	bool there;

	if (is_standard(out)) {
		out->memory = captured != NULL;
		if (out->memory)
			return 0;
		out->fd = STDOUT_FILENO;
		return fstat(out->fd, &st) == 0 && S_ISREG(st.st_mode) && is_input(&st)
			     ? tv_fail_usage(
				     err, "standard output is also an input, expected another file")
			     : 0;
	}
	out->target = follow_links(out->path);
	if (out->target == NULL)
		return tv_fail_system(err, out->path, "cannot write", errno);
	there = stat(out->target, &st) == 0;
	if (there && S_ISDIR(st.st_mode))
		return tv_fail_system(err, out->path, "cannot write", EISDIR);
	if (there && !S_ISREG(st.st_mode)) {
		out->fd = open(out->target, O_WRONLY | O_CLOEXEC);
		return out->fd >= 0 ? 0 : tv_fail_system(err, out->path, "cannot write", errno);
	}
	if (there && is_input(&st))
		return fail_input(out->path, err);
	if (check_alone(out, err) < 0)
		return -1;
	return open_beside(out, there ? &st : NULL, err);
}

static bool no_terminal;

bool tv_output_is_terminal(int fd)
{
	return !no_terminal && isatty(fd);
}

void tv_output_no_terminal(void)
{
	no_terminal = true;
}

int tv_output_open(struct tv_output *out, const char *path, struct tv_error *err)
{
	*out = (struct tv_output){ .fd = -1 };
	if (path[0] == '\0')
		return tv_fail_usage(err, "the name of an output is empty");
	out->path = tv_strdup(path);
	out->buffer = tv_alloc(BUFFER, 1);
	if (open_target(out, err) == 0)
		return 0;
	err->outside = true;
	tv_output_abort(out);
	return -1;
}

void tv_output_capture(struct tv_output *to)
{
	captured = to;
}

void tv_output_memory(struct tv_output *out)
{
	*out = (struct tv_output){ .fd = -1, .memory = true };
}

static void write_all(struct tv_output *out, const char *bytes, size_t n)
{
	while (n > 0 && out->failed == 0) {
		ssize_t done = write(out->fd, bytes, n);

		if (done == 0)
			out->failed = EIO; /* some devices: a second attempt would do the same */
		else if (done > 0) {
			bytes += done;
			n -= (size_t)done;
		} else if (errno != EINTR)
			out->failed = errno;
	}
}

static void flush(struct tv_output *out)
{
	write_all(out, out->buffer, out->n);
	out->n = 0;
}

static void keep_tail(struct tv_output *out, const char *bytes, size_t n)
{
	size_t keep = sizeof out->tail;

	if (n < keep) {
		memmove(out->tail, out->tail + n, keep - n);
		memcpy(out->tail + keep - n, bytes, n);
	} else {
		memcpy(out->tail, bytes + n - keep, keep);
	}
}

void tv_output_write(struct tv_output *out, const void *bytes, size_t n)
{
	if (n == 0)
		return;
	if (out->memory) {
		TV_GROW(out->buffer, out->n, out->cap, n);
		memcpy(out->buffer + out->n, bytes, n);
		out->n += n;
		return;
	}
	keep_tail(out, bytes, n);
	if (n > BUFFER - out->n)
		flush(out);
	if (n > BUFFER) {
		write_all(out, bytes, n);
		return;
	}
	memcpy(out->buffer + out->n, bytes, n);
	out->n += n;
}

void tv_output_text(struct tv_output *out, const char *text)
{
	tv_output_write(out, text, strlen(text));
}

void tv_output_format(struct tv_output *out, const char *format, ...)
{
	char line[512], *text = line;
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(line, sizeof line, format, args);
	va_end(args);
	if (n < 0)
		return;
	if ((size_t)n >= sizeof line) {
		text = tv_alloc((size_t)n + 1, 1);
		va_start(args, format);
		vsnprintf(text, (size_t)n + 1, format, args);
		va_end(args);
	}
	tv_output_write(out, text, (size_t)n);
	if (text != line)
		tv_free(text);
}

const char *tv_output_file(const struct tv_output *out)
{
	return out->unfinished != NULL ? out->unfinished->path : NULL;
}

bool tv_output_ends(const struct tv_output *out, const void *bytes, size_t n)
{
	return n <= sizeof out->tail && memcmp(out->tail + sizeof out->tail - n, bytes, n) == 0;
}

static int fail_write(const struct tv_output *out, struct tv_error *err)
{
	return tv_fail_system(err, out->fd == STDOUT_FILENO ? "standard output" : out->path,
			      "cannot write", out->failed);
}

int tv_output_finish(struct tv_output *out, struct tv_error *err)
{
	int rc;

	if (out->memory) {
		tv_output_write(captured, out->buffer, out->n);
		out->n = 0;
	}
	if (out->fd < 0)
		return 0; /* finished before, captured, or only removed */
	flush(out);
	if (out->failed == 0 && out->unfinished != NULL && fsync(out->fd) < 0 && errno != EINVAL)
		out->failed = errno;
	if (out->fd != STDOUT_FILENO && close(out->fd) < 0 && out->failed == 0)
		out->failed = errno;
	rc = out->failed != 0 && out->failed != EPIPE ? fail_write(out, err) : 0;
	out->fd = -1;
	tv_free(out->buffer);
	out->buffer = NULL;
	return rc;
}

void tv_output_abort(struct tv_output *out)
{
	if (out->path == NULL && !out->memory)
		return;
	if (out->fd >= 0 && out->fd != STDOUT_FILENO)
		close(out->fd);
	drop_pending(out);
	tv_unfinished_end(out->unfinished, true);
	tv_free(out->path);
	tv_free(out->target);
	tv_free(out->buffer);
	*out = (struct tv_output){ .fd = -1 };
}

/* ---- several outputs ---- */

static struct tv_output *add_one(struct tv_outputs *set)
{
	TV_GROW(set->out, set->n, set->cap, 1);
	set->out[set->n] = tv_alloc(1, sizeof **set->out);
	set->out[set->n]->fd = -1;
	return set->out[set->n++];
}

struct tv_output *tv_outputs_add(struct tv_outputs *set, const char *path, struct tv_error *err)
{
	struct tv_output *out = add_one(set);

	if (tv_output_open(out, path, err) < 0)
		return NULL;
	for (size_t i = 0; i + 1 < set->n; i++)
		if (is_standard(out) && !set->out[i]->removal && is_standard(set->out[i])) {
			tv_fail_usage(err, "two outputs go to standard output, expected one of "
					   "them to be a file");
			err->outside = true;
			return NULL;
		}
	return out;
}

int tv_outputs_remove(struct tv_outputs *set, const char *path, struct tv_error *err)
{
	struct tv_output *out = add_one(set);
	struct stat st;

	out->removal = true;
	out->path = tv_strdup(path);
	out->target = tv_strdup(path);
	return stat(path, &st) == 0 && is_input(&st) ? fail_input(path, err) : 0;
}

int tv_outputs_folder(struct tv_outputs *set, const char *path, struct tv_error *err)
{
	struct stat st;

	set->folder = tv_unfinished_folder(path);
	if (set->folder != NULL)
		return 0;
	if (errno == EEXIST && stat(path, &st) == 0)
		errno = S_ISDIR(st.st_mode) ? 0 : ENOTDIR;
	return errno == 0 ? 0 : tv_fail_system(err, path, "cannot create the folder", errno);
}

/* Files before streams: what was written to a stream cannot be undone. */
static int finish_all(const struct tv_outputs *set, struct tv_error *err)
{
	for (int streams = 0; streams < 2; streams++)
		for (size_t i = 0; i < set->n; i++)
			if ((set->out[i]->unfinished == NULL) == streams
			    && tv_output_finish(set->out[i], err) < 0)
				return -1;
	return 0;
}

/* Names for the files that are replaced or removed: once names change, nothing is allocated. A file
 * alone is replaced in one step, and needs none. */
static int name_old(const struct tv_outputs *set, struct tv_error *err)
{
	for (size_t i = 0; i < set->n; i++) {
		struct tv_output *out = set->out[i];
		struct stat st;
		int fd;

		if (out->removal
			    ? lstat(out->target, &st) < 0
			    : out->unfinished == NULL || set->n == 1 || lstat(out->target, &st) < 0)
			continue;
		out->old = tv_unfinished_file(out->target, true, &fd);
		if (out->old == NULL)
			return tv_fail_system(err, out->path, "cannot replace", errno);
		close(fd);
	}
	return 0;
}

/* Renames all; *failed: the one that could not be, and errno, after all names are as before. */
static bool change_names(const struct tv_outputs *set, size_t *failed)
{
	size_t aside, placed = 0;
	int code;

	for (aside = 0; aside < set->n; aside++)
		if (set->out[aside]->old != NULL
		    && rename(set->out[aside]->target, set->out[aside]->old->path) < 0)
			goto undo;
	for (placed = 0; placed < set->n; placed++)
		if (set->out[placed]->unfinished != NULL
		    && rename(set->out[placed]->unfinished->path, set->out[placed]->target) < 0)
			goto undo;
	return true;
undo:
	code = errno;
	*failed = aside < set->n ? aside : placed;
	while (placed-- > 0)
		if (set->out[placed]->unfinished != NULL)
			rename(set->out[placed]->target, set->out[placed]->unfinished->path);
	while (aside-- > 0)
		if (set->out[aside]->old != NULL)
			rename(set->out[aside]->old->path, set->out[aside]->target);
	errno = code;
	return false;
}

static int commit(const struct tv_outputs *set, struct tv_error *err)
{
	sigset_t before;
	size_t failed = 0;
	int rc;

	if (finish_all(set, err) < 0)
		return -1;
	tv_unfinished_hold(&before);
	rc = name_old(set, err);
	if (rc == 0 && !change_names(set, &failed))
		rc = tv_fail_system(err, set->out[failed]->path, "cannot write", errno);
	for (size_t i = 0; i < set->n; i++) {
		struct tv_output *out = set->out[i];

		/* Done: the new file stays, the old one goes. Failed: the new one goes; of the old
		 * one, which has its name again, only an unused name may be left. */
		if (rc == 0) {
			tv_unfinished_end(out->unfinished, false);
			out->unfinished = NULL;
		}
		tv_unfinished_end(out->old, true);
		out->old = NULL;
	}
	tv_unfinished_let(&before);
	return rc;
}

int tv_outputs_commit(struct tv_outputs *set, struct tv_error *err)
{
	TV_STAGE("writing", NULL);
	int rc = commit(set, err);

	if (rc == 0) {
		tv_unfinished_end(set->folder, false);
		set->folder = NULL;
	}
	tv_outputs_abort(set);
	return rc;
}

void tv_outputs_abort(struct tv_outputs *set)
{
	for (size_t i = 0; i < set->n; i++) {
		tv_output_abort(set->out[i]);
		tv_free(set->out[i]);
	}
	tv_unfinished_end(set->folder, true);
	tv_free(set->out);
	*set = (struct tv_outputs){ 0 };
}

int tv_output_commit(struct tv_output *out, struct tv_error *err)
{
	struct tv_output *one[] = { out };
	TV_STAGE("writing", NULL);
	int rc = commit(&(struct tv_outputs){ .out = one, .n = 1 }, err);

	tv_output_abort(out);
	return rc;
}

int tv_output_folder_file(const struct tv_output_folder *folder, const char *name,
			  const void *bytes, size_t n, struct tv_error *err)
{
	char *path = tv_format("%s/%s", tv_output_folder_path(folder), name);
	struct tv_output out = { .path = tv_strdup(folder->path) };
	int rc;

	out.fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	tv_free(path);
	if (out.fd >= 0)
		write_all(&out, bytes, n);
	rc = out.fd >= 0 ? tv_output_finish(&out, err)
			 : tv_fail_system(err, folder->path, "cannot write", errno);
	tv_output_abort(&out);
	return rc;
}

void tv_output_give_up(void)
{
	captured = NULL;
	npending = 0;
	inputs = (struct tv_inputs){ 0 };
	tv_unfinished_remove_all();
}
