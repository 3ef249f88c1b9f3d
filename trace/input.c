/* SPDX-License-Identifier: GPL-3.0-or-later */
/* input.c -- buffered bytes and lines from a file or standard input; gzip and zstd undone on the
 * way. */
#include "trace/input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "trace/alloc.h"
#include "trace/output.h"

enum { CHUNK = 256 * 1024, PEEK_MAX = 1 << 20, PROGRESS_STEP = 4 << 20, READ_MAX = 1 << 20 };

/* More than this many bytes, each byte on disk giving more than so many, are no trace (traces give
 * 5 to 50) but made to exhaust memory and time. */
enum { BOMB_BYTES = 256 << 20, BOMB_RATIO = 500 };

/* What turns the bytes on disk into the bytes delivered. */
struct tv_codec {
	enum { GZIP, ZSTD } kind;
	z_stream gz;
	ZSTD_DStream *zstd;
	ZSTD_inBuffer zin;
	size_t hint; /* result of zstd's last call: 0 = at the end of a frame */
	bool at_end; /* of a gzip member */
	bool started;
	unsigned char *raw; /* CHUNK bytes as on disk */
};

/* Up to n bytes from disk; 0 at the end. */
static ssize_t read_disk(struct tv_input *in, void *to, size_t n, struct tv_error *err)
{
	ssize_t got;

	do
		got = read(in->fd, to, n);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return tv_fail_system(err, in->path, "cannot read", errno);
	if (got == 0 && (int64_t)in->consumed < in->size)
		return tv_fail_at(
			err, (struct tv_pos){ in->path, 0 },
			"the file became shorter while it was read: %llu bytes, expected %lld",
			(unsigned long long)in->consumed, (long long)in->size);
	if (in->progress != NULL && in->size > 0
	    && in->consumed / PROGRESS_STEP != (in->consumed + (size_t)got) / PROGRESS_STEP)
		in->progress(in->progress_context, (double)in->consumed / (double)in->size);
	in->consumed += (size_t)got;
	return got;
}

/* Up to n bytes after decompression; 0 at the end (in->cut is set when it came too early). */
static ssize_t gzip_read(struct tv_input *in, char *to, size_t n, struct tv_error *err)
{
	struct tv_codec *c = in->codec;

	c->gz.next_out = (unsigned char *)to;
	c->gz.avail_out = (unsigned)n;
	while (c->gz.avail_out == n) {
		int rc;

		if (c->gz.avail_in == 0) {
			ssize_t got = read_disk(in, c->raw, CHUNK, err);

			if (got < 0)
				return -1;
			if (got == 0) {
				if (!c->at_end)
					in->cut = "the gzip stream ends early";
				return 0;
			}
			c->gz.next_in = c->raw;
			c->gz.avail_in = (unsigned)got;
		}
		if (c->at_end) { /* padding, or a further member */
			while (c->gz.avail_in > 0 && *c->gz.next_in == 0) {
				c->gz.next_in++;
				c->gz.avail_in--;
			}
			if (c->gz.avail_in == 0)
				continue;
			inflateReset(&c->gz);
			c->at_end = false;
		}
		rc = inflate(&c->gz, Z_NO_FLUSH);
		if (rc == Z_STREAM_END) {
			c->at_end = true;
		} else if (rc == Z_MEM_ERROR) {
			tv_memory_exhausted(0);
		} else if (rc != Z_OK && rc != Z_BUF_ERROR) {
			in->cut = "the gzip stream is damaged";
			in->damaged = true;
			break;
		}
	}
	return (ssize_t)(n - c->gz.avail_out);
}

static ssize_t zstd_read(struct tv_input *in, char *to, size_t n, struct tv_error *err)
{
	struct tv_codec *c = in->codec;
	ZSTD_outBuffer out = { to, n, 0 };

	while (out.pos == 0) {
		size_t rc;

		if (c->zin.pos == c->zin.size) {
			ssize_t got = read_disk(in, c->raw, CHUNK, err);

			if (got < 0)
				return -1;
			if (got == 0) {
				if (c->hint != 0)
					in->cut = "the zstd stream ends early";
				return 0;
			}
			c->zin = (ZSTD_inBuffer){ c->raw, (size_t)got, 0 };
		}
		rc = ZSTD_decompressStream(c->zstd, &out, &c->zin);
		if (ZSTD_getErrorCode(rc) == ZSTD_error_memory_allocation)
			tv_memory_exhausted(0);
		if (ZSTD_isError(rc)) {
			in->cut = "the zstd stream is damaged";
			in->damaged = true;
			break;
		}
		c->hint = rc;
	}
	return (ssize_t)out.pos;
}

/* Up to n > 0 delivered bytes; 0 at the end. */
static ssize_t read_bytes(struct tv_input *in, char *to, size_t n, struct tv_error *err)
{
	ssize_t got;

	if (in->eof)
		return 0;
	if (in->codec == NULL)
		got = read_disk(in, to, n, err);
	else if (in->cut != NULL)
		got = 0;
	else if (in->codec->kind == GZIP)
		got = gzip_read(in, to, n, err);
	else
		got = zstd_read(in, to, n, err);
	in->eof = got == 0;
	if (got > 0 && in->codec != NULL) {
		in->unpacked += (uint64_t)got;
		if (in->unpacked > BOMB_BYTES && in->unpacked / BOMB_RATIO > in->consumed)
			return tv_fail_at(err, (struct tv_pos){ in->path, 0 },
					  "more than %d MB come "
					  "out of %llu bytes, which is no trace",
					  BOMB_BYTES >> 20, (unsigned long long)in->consumed);
	}
	return got;
}

/* Appends bytes at in->end, in a larger buffer if needed: their number, 0 at the end, -1. */
static ssize_t fill(struct tv_input *in, size_t want, struct tv_error *err)
{
	ssize_t got;

	if (in->begin > 0 && in->cap - in->end < want) {
		memmove(in->buffer, in->buffer + in->begin, in->end - in->begin);
		in->end -= in->begin;
		in->begin = 0;
	}
	/* Some bytes stay free, also for the NUL behind an unterminated last line. */
	TV_GROW(in->buffer, in->end, in->cap, want + TV_LINE_SPARE);
	got = read_bytes(in, in->buffer + in->end, want, err);
	if (got > 0)
		in->end += (size_t)got;
	return got;
}

static void start_codec(struct tv_input *in)
{
	static const unsigned char gzip[] = { 0x1f, 0x8b }, zstd[] = { 0x28, 0xb5, 0x2f, 0xfd };
	size_t n = in->end - in->begin;
	bool is_gzip = n >= sizeof gzip && memcmp(in->buffer, gzip, sizeof gzip) == 0;
	bool is_zstd = n >= sizeof zstd && memcmp(in->buffer, zstd, sizeof zstd) == 0;
	struct tv_codec *c;

	if (!is_gzip && !is_zstd)
		return;
	c = in->codec = tv_alloc(1, sizeof *c);
	c->raw = tv_alloc(CHUNK, 1);
	memcpy(c->raw, in->buffer, n);
	in->begin = in->end = 0;
	in->eof = false;
	if (is_gzip) {
		c->kind = GZIP;
		c->gz.next_in = c->raw;
		c->gz.avail_in = (unsigned)n;
		c->started = inflateInit2(&c->gz, 15 + 16) == Z_OK;
	} else {
		c->kind = ZSTD;
		c->zin = (ZSTD_inBuffer){ c->raw, n, 0 };
		c->hint = 1;
		c->zstd = ZSTD_createDStream();
		c->started = c->zstd != NULL;
	}
	if (!c->started)
		tv_memory_exhausted(0);
}

bool tv_is_file(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

/* The length of a byte order mark, which is no part of a text. */
static size_t mark_length(const char *head, size_t n)
{
	return n >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

int tv_input_open(struct tv_input *in, const char *path, struct tv_error *err)
{
	struct stat st;
	const char *head;
	ssize_t got;
	size_t n;

	*in = (struct tv_input){ .path = path, .fd = -1, .size = -1 };
	in->fd = strcmp(path, "-") == 0 ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
	if (in->fd < 0)
		return tv_fail_system(err, in->path, "cannot open", errno);
	if (fstat(in->fd, &st) == 0 && S_ISREG(st.st_mode))
		in->size = st.st_size - lseek(in->fd, 0, SEEK_CUR);
	tv_output_protect(in->fd);
	/* The magic numbers need four bytes; a pipe may deliver them one by one. */
	do
		got = fill(in, CHUNK - in->end, err);
	while (got > 0 && in->end < 4);
	if (got >= 0)
		start_codec(in);
	head = got >= 0 ? tv_input_peek(in, 3, &n, err) : NULL;
	if (head == NULL) {
		tv_input_close(in);
		return -1;
	}
	in->begin += mark_length(head, n);
	return 0;
}

void tv_input_memory(struct tv_input *in, const char *name, const char *bytes, size_t n)
{
	size_t mark = mark_length(bytes, n);

	*in = (struct tv_input){ .path = name, .fd = -1, .size = -1, .eof = true };
	TV_GROW(in->buffer, 0, in->cap, n + TV_LINE_SPARE);
	memcpy(in->buffer, bytes, n);
	in->begin = mark;
	in->end = n;
}

void tv_input_close(struct tv_input *in)
{
	struct tv_codec *c = in->codec;

	if (c != NULL) {
		if (c->kind == GZIP && c->started)
			inflateEnd(&c->gz);
		ZSTD_freeDStream(c->zstd);
		tv_free(c->raw);
		tv_free(c);
	}
	if (in->fd >= 0)
		close(in->fd);
	tv_free(in->buffer);
	*in = (struct tv_input){ .path = in->path, .fd = -1, .size = -1 };
}

const char *tv_input_peek(struct tv_input *in, size_t want, size_t *n, struct tv_error *err)
{
	if (want > PEEK_MAX)
		want = PEEK_MAX;
	while (in->end - in->begin < want) {
		ssize_t got = fill(in, CHUNK, err);

		if (got < 0)
			return NULL;
		if (got == 0)
			break;
	}
	*n = in->end - in->begin;
	return in->buffer + in->begin;
}

int tv_input_expect(struct tv_input *in, double *bytes, struct tv_error *err)
{
	const struct tv_codec *c = in->codec;
	uint64_t taken;
	size_t n;

	*bytes = (double)in->size;
	if (c == NULL || in->size < 0)
		return 0;
	if (tv_input_peek(in, PEEK_MAX, &n, err) == NULL)
		return -1;
	taken = in->consumed - (c->kind == GZIP ? c->gz.avail_in : c->zin.size - c->zin.pos);
	if (taken > 0)
		*bytes *= (double)in->unpacked / (double)taken;
	return 0;
}

void tv_input_skip(struct tv_input *in, size_t n)
{
	in->begin += n;
	in->offset += n;
}

ssize_t tv_input_read(struct tv_input *in, void *to, size_t n, struct tv_error *err)
{
	size_t have = in->end - in->begin;
	ssize_t got;

	if (n == 0)
		return 0;
	if (have > 0) {
		if (n > have)
			n = have;
		memcpy(to, in->buffer + in->begin, n);
		tv_input_skip(in, n);
		return (ssize_t)n;
	}
	got = read_bytes(in, to, n, err);
	if (got > 0)
		in->offset += (uint64_t)got;
	return got;
}

int tv_input_more(struct tv_input *in, char **line, size_t *n, struct tv_error *err)
{
	size_t searched = in->end - in->begin;
	char *end = NULL;

	while (end == NULL) {
		size_t have;
		ssize_t got;

		if (searched > TV_LINE_MAX)
			return tv_fail_at(err, (struct tv_pos){ in->path, in->line + 1 },
					  "line longer than %zu MiB, which is the limit",
					  TV_LINE_MAX >> 20);
		got = fill(in, CHUNK, err);
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		have = in->end - in->begin;
		end = memchr(in->buffer + in->begin + searched, '\n', have - searched);
		searched = have;
	}
	if (end == NULL && in->begin == in->end)
		return 0;
	tv_input_take(in, end, line, n);
	return 1;
}

int tv_input_all(struct tv_input *in, struct tv_bytes *all, struct tv_error *err)
{
	/* A plain file is read at once; one byte more shows its end. */
	size_t known = in->codec == NULL && in->size > 0 ? (size_t)in->size + 1 : 0;
	unsigned char *bytes = NULL;
	size_t n = 0, cap = 0;
	ssize_t got;

	*all = (struct tv_bytes){ 0 };
	do {
		TV_GROW(bytes, n, cap, known > n ? known - n : CHUNK);
		got = tv_input_read(in, bytes + n, cap - n < READ_MAX ? cap - n : READ_MAX, err);
		if (got > 0)
			n += (size_t)got;
	} while (got > 0);
	if (got < 0) {
		tv_free(bytes);
		return -1;
	}
	*all = (struct tv_bytes){ tv_realloc(bytes, n, 1), n };
	return 0;
}

void tv_bytes_release(struct tv_bytes *all)
{
	tv_free(all->bytes);
	*all = (struct tv_bytes){ 0 };
}
