/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * file.h -- the bytes of one FxT file as a sequence of events.
 *
 * A file is an architecture number, a block of information about the recording machine and one
 * block of records without gap or alignment: docs/formats/fxt.md. Everything is bounds-checked;
 * nothing is copied.
 */
#ifndef TV_FXT_FILE_H
#define TV_FXT_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "trace/error.h"

struct tv_fxt_file {
	const char *path;	    /* borrowed */
	const unsigned char *bytes; /* borrowed */
	size_t n;
	size_t begin, end; /* the records are bytes[begin..end) */
	bool swap;	   /* recorded on a machine of the other byte order */
	unsigned word;	   /* bytes of a parameter: 8, or 4 on 32-bit machines */
	bool plain;	   /* neither of these: words are as this program has them */
	const char *cut;   /* NULL, or how the block of events contradicts the file */
};

/* One record. Parameters are read by the functions below and stay in the file. */
struct tv_fxt_event {
	const struct tv_fxt_file *file;
	uint64_t time;	  /* ns; the recorder's clock */
	uint32_t code, n; /* n parameters */
	const unsigned char *param;
	size_t offset; /* of the record in the file */
};

/* A place between two records. */
struct tv_fxt_cursor {
	const struct tv_fxt_file *file;
	size_t at;
	uint64_t first, last; /* time of the first record, of the one before */
	bool started;
};

enum tv_fxt_step {
	TV_FXT_END, /* no further record; cursor.at < file.end if the last one is cut */
	TV_FXT_EVENT,
	TV_FXT_HOLE,	  /* bytes [event.offset, cursor.at) contain no record and were skipped */
	TV_FXT_WRONG_TIME /* a record whose time is years away from the first: to be dropped */
};

/* How surely head[0..n) is an FxT file: 0 no .. 100. */
int tv_fxt_recognize(const unsigned char *head, size_t n);
/* Finds the records in bytes[0..n). -1 with *err: no FxT, or cut before its first record. */
int tv_fxt_open(struct tv_fxt_file *file, const char *path, const unsigned char *bytes, size_t n,
		struct tv_error *err) TV_MUST_CHECK;
void tv_fxt_rewind(struct tv_fxt_cursor *cursor, const struct tv_fxt_file *file);
/* As tv_fxt_next, whatever comes next. */
enum tv_fxt_step tv_fxt_next_any(struct tv_fxt_cursor *cursor, struct tv_fxt_event *event);

/* Whether a record may have that time: no run lasts nine years, and the sum of a few such spans stays
 * far below 63 bits. */
static inline bool tv_fxt_possible(const struct tv_fxt_cursor *cursor, uint64_t time)
{
	const uint64_t span_max = (uint64_t)1 << 58;

	return time - cursor->first + span_max <= 2 * span_max;
}

/* Bytes ahead of a record that are requested from memory: one record shows where the next one begins, so
 * that a processor by itself does not look far. */
enum { TV_FXT_AHEAD = 2048 };

/* The next record. Cost O(1), in a hole O(its length). */
static inline enum tv_fxt_step tv_fxt_next(struct tv_fxt_cursor *cursor, struct tv_fxt_event *event)
{
	const struct tv_fxt_file *file = cursor->file;
	const unsigned char *record = file->bytes + cursor->at;
	size_t left = file->end - cursor->at;
	uint64_t time, thread, code, n;

	if (!file->plain || !cursor->started || left < 24)
		return tv_fxt_next_any(cursor, event);
	if (left > TV_FXT_AHEAD)
		__builtin_prefetch(record + TV_FXT_AHEAD);
	/* Nearly all records: the time, no thread id, the code above the number of words behind + 1. */
	memcpy(&time, record, sizeof time);
	memcpy(&thread, record + 8, sizeof thread);
	memcpy(&code, record + 16, sizeof code);
	n = (code & 0xff) - 1;
	if (thread != 0 || code >> 32 != 0 || n > (left - 24) / 8 || !tv_fxt_possible(cursor, time))
		return tv_fxt_next_any(cursor, event);
	*event = (struct tv_fxt_event){ file,	     time,	  (uint32_t)(code >> 8),
					(uint32_t)n, record + 24, cursor->at };
	cursor->at += 24 + 8 * (size_t)n;
	cursor->last = time;
	return TV_FXT_EVENT;
}

/* Parameter i as the recorder's unsigned word; 0 when the record has fewer. */
static inline uint64_t tv_fxt_word(const struct tv_fxt_event *event, unsigned i)
{
	uint64_t wide;
	uint32_t narrow;

	if (i >= event->n)
		return 0;
	if (event->file->word == 8) {
		memcpy(&wide, event->param + (size_t)8 * i, sizeof wide);
		return event->file->swap ? __builtin_bswap64(wide) : wide;
	}
	memcpy(&narrow, event->param + (size_t)4 * i, sizeof narrow);
	return event->file->swap ? __builtin_bswap32(narrow) : narrow;
}

/* The same as a signed number: -1 is -1 on 32-bit recorders as well. */
static inline int64_t tv_fxt_number(const struct tv_fxt_event *event, unsigned i)
{
	uint64_t word = tv_fxt_word(event, i);

	return event->file->word == 8 ? (int64_t)word : (int32_t)(uint32_t)word;
}

/* The text that fills the parameters from i on: bytes up to the first NUL or the record's end. */
static inline const char *tv_fxt_text(const struct tv_fxt_event *event, unsigned i, size_t *n)
{
	const char *text = (const char *)event->param + (size_t)event->file->word * i;

	*n = i < event->n ? strnlen(text, (size_t)event->file->word * (event->n - i)) : 0;
	return *n > 0 ? text : "";
}

#endif
