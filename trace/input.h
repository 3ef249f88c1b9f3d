/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * input.h -- bytes from a file or standard input, gzip and zstd undone on the way.
 *
 * Streams: memory does not depend on the size of the input. A compressed file that ends early or is
 * damaged gives what precedes, then behaves as at the end of the file with the reason in `cut`. Zeros
 * behind a gzip stream are padding. An error: a file that becomes shorter while it is read, and a
 * stream that gives far more than its size.
 */
#ifndef TV_INPUT_H
#define TV_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

#include "trace/error.h"

/* Whether it is a regular file. */
bool tv_is_file(const char *path);

#define TV_LINE_MAX   ((size_t)16 << 20) /* bytes; a longer line or record is refused */
#define TV_LINE_SPARE 64		 /* bytes behind a line that exist, whatever they are */

struct tv_input {
	const char *path; /* as given; "-" is standard input. Borrowed. */
	int fd;
	long line;	   /* number of the line that tv_input_line gave last */
	uint64_t offset;   /* bytes delivered so far, after decompression */
	int64_t size;	   /* of the file on disk; -1 when unknown (pipes) */
	uint64_t consumed; /* bytes read from disk so far */
	uint64_t unpacked; /* bytes that came out of a compressed stream so far */
	const char *cut;   /* NULL, or why a compressed stream ended early */
	bool damaged;	   /* it did not end early but makes no sense */
	bool unterminated; /* the line that tv_input_line gave last has no line end: the file ends
			      in it */
	char *buffer;
	size_t begin, end, cap;
	struct tv_codec *codec;
	bool eof;
	void (*progress)(void *context, double share); /* NULL, or called every few MB with 0..1 */
	void *progress_context;
};

/* Opens a file ("-": standard input), recognizes compression from its first bytes, and leaves out a byte order mark. */
int tv_input_open(struct tv_input *in, const char *path, struct tv_error *err) TV_MUST_CHECK;
/* The same over bytes in memory, which are copied; name is the path in messages. */
void tv_input_memory(struct tv_input *in, const char *name, const char *bytes, size_t n);
void tv_input_close(struct tv_input *in);
/* The next bytes without consuming them, at least min(want, what is left), want <= 1 MiB. *n = how
 * many. NULL with *err on a read error. Valid until the next call. */
const char *tv_input_peek(struct tv_input *in, size_t want, size_t *n, struct tv_error *err);
/* About how many bytes it gives in all, before any is consumed: those of the file, or more by as much as its first MiB, which is
 * peeked, is more than its bytes on disk; -1: not known, as of a pipe. -1 with *err on a read error. */
int tv_input_expect(struct tv_input *in, double *bytes, struct tv_error *err) TV_MUST_CHECK;
/* Consumes n bytes that tv_input_peek showed. */
void tv_input_skip(struct tv_input *in, size_t n);
/* Up to n bytes: the number read, 0 at the end, -1 with *err. */
ssize_t tv_input_read(struct tv_input *in, void *to, size_t n, struct tv_error *err) TV_MUST_CHECK;
/* For tv_input_line: the next line where its end is not in the buffer. */
int tv_input_more(struct tv_input *in, char **line, size_t *n, struct tv_error *err) TV_MUST_CHECK;
/* Gives the line whose LF is at `end`; NULL: the last one, without. */
static inline void tv_input_take(struct tv_input *in, const char *end, char **line, size_t *n)
{
	size_t length = end != NULL ? (size_t)(end - in->buffer) - in->begin : in->end - in->begin;
	size_t bytes = length + (end != NULL);

	*line = in->buffer + in->begin;
	in->unterminated = end == NULL;
	in->line++;
	in->begin += bytes;
	in->offset += bytes;
	if (length > 0 && (*line)[length - 1] == '\r')
		length--;
	(*line)[length] = '\0';
	*n = length;
}
/*
 * One line without its LF or CRLF, closed by NUL, writable, valid until the next call: 1, 0 at the
 * end, -1 with *err (read error; line longer than TV_LINE_MAX). TV_LINE_SPARE bytes behind it can
 * be read. Use either lines or reads on one input.
 */
TV_MUST_CHECK static inline int tv_input_line(struct tv_input *in, char **line, size_t *n,
					      struct tv_error *err)
{
	size_t have = in->end - in->begin;
	const char *end = have > 0 ? memchr(in->buffer + in->begin, '\n', have) : NULL;

	if (end == NULL)
		return tv_input_more(in, line, n, err);
	tv_input_take(in, end, line, n);
	return 1;
}

/* All bytes of an input at once. */
struct tv_bytes {
	unsigned char *bytes;
	size_t n;
};

/*
 * Reads the whole input into memory; to be used before anything of it was consumed. It is
 * not mapped: a file that others truncate, or a disk that fails, would end the program (SIGBUS).
 * The bytes outlive the input; release them with tv_bytes_release.
 */
int tv_input_all(struct tv_input *in, struct tv_bytes *all, struct tv_error *err) TV_MUST_CHECK;
void tv_bytes_release(struct tv_bytes *all); /* safe on a zeroed struct */

static inline struct tv_pos tv_here(const struct tv_input *in)
{
	return (struct tv_pos){ in->path, in->line };
}

#endif
