/* SPDX-License-Identifier: GPL-3.0-or-later */
/* output.c -- files that appear whole or not at all: write beside, sync, rename. */
#include "trace/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/alloc.h"

enum { BUFFER = 256 * 1024 };

static int fail_system(const char *path, struct tv_error *err, const char *what, int code)
{
	return tv_fail(err, (struct tv_pos){ path, 0 }, "%s: %s", what, strerror(code));
}

/* The mode that open() would give a new file. */
static mode_t new_file_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

static int open_beside(struct tv_output *out, struct tv_error *err)
{
	const char *slash = strrchr(out->path, '/');
	int before = slash != NULL ? (int)(slash + 1 - out->path) : 0;

	out->temporary = tv_format("%.*s.%s.XXXXXX", before, out->path, out->path + before);
	if (out->temporary == NULL)
		return tv_fail_memory(err);
	out->fd = mkstemp(out->temporary);
	if (out->fd < 0) {
		int code = errno;

		tv_free(out->temporary);
		out->temporary = NULL;
		return fail_system(out->path, err, "cannot write", code);
	}
	fchmod(out->fd, new_file_mode());
	return 0;
}

int tv_output_open(struct tv_output *out, const char *path, struct tv_error *err)
{
	struct stat st;

	*out = (struct tv_output){ .fd = -1 };
	out->path = tv_strdup(path);
	out->buffer = tv_alloc(BUFFER, 1);
	if (out->path == NULL || out->buffer == NULL) {
		tv_output_abort(out);
		return tv_fail_memory(err);
	}
	if (strcmp(path, "-") == 0) {
		out->fd = STDOUT_FILENO;
		return 0;
	}
	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
		if (S_ISDIR(st.st_mode))
			errno = EISDIR;
		else
			out->fd = open(path, O_WRONLY | O_CLOEXEC);
		if (out->fd >= 0)
			return 0;
		fail_system(path, err, "cannot write", errno);
	} else if (open_beside(out, err) == 0) {
		return 0;
	}
	tv_output_abort(out);
	return -1;
}

static void write_all(struct tv_output *out, const char *bytes, size_t n)
{
	while (n > 0 && out->failed == 0) {
		ssize_t done = write(out->fd, bytes, n);

		if (done < 0 && errno != EINTR)
			out->failed = errno;
		else if (done > 0) {
			bytes += done;
			n -= (size_t)done;
		}
	}
}

static void flush(struct tv_output *out)
{
	write_all(out, out->buffer, out->n);
	out->n = 0;
}

void tv_output_write(struct tv_output *out, const void *bytes, size_t n)
{
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
		if (text == NULL) {
			out->failed = ENOMEM;
			return;
		}
		va_start(args, format);
		vsnprintf(text, (size_t)n + 1, format, args);
		va_end(args);
	}
	tv_output_write(out, text, (size_t)n);
	if (text != line)
		tv_free(text);
}

int tv_output_commit(struct tv_output *out, struct tv_error *err)
{
	int rc = 0;

	flush(out);
	if (out->failed == 0 && out->temporary != NULL && fsync(out->fd) < 0 && errno != EINVAL)
		out->failed = errno;
	if (out->fd != STDOUT_FILENO && close(out->fd) < 0 && out->failed == 0)
		out->failed = errno;
	out->fd = -1;
	if (out->failed == 0 && out->temporary != NULL) {
		if (rename(out->temporary, out->path) < 0) {
			out->failed = errno;
		} else {
			tv_free(out->temporary);
			out->temporary = NULL;
		}
	}
	if (out->failed != 0 && out->failed != EPIPE)
		rc = fail_system(strcmp(out->path, "-") == 0 ? "standard output" : out->path, err,
				 "cannot write", out->failed);
	tv_output_abort(out);
	return rc;
}

void tv_output_abort(struct tv_output *out)
{
	if (out->path == NULL)
		return;
	if (out->fd >= 0 && out->fd != STDOUT_FILENO)
		close(out->fd);
	if (out->temporary != NULL)
		unlink(out->temporary);
	tv_free(out->temporary);
	tv_free(out->path);
	tv_free(out->buffer);
	*out = (struct tv_output){ .fd = -1 };
}
