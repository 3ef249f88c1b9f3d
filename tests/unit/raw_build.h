/* SPDX-License-Identifier: GPL-3.0-or-later */
/* raw_build.h -- raw logs made by hand: events with given times, one chunk per thread. */
#ifndef TV_RAW_BUILD_H
#define TV_RAW_BUILD_H

#include "tests/unit/unit.h"

#include <stdio.h>

#include "record/loaded/log.h"

enum { RAW_THREADS = 4, RAW_BYTES = TV_LOG_PAGE + RAW_THREADS * TV_LOG_CHUNK };

struct raw {
	union {
		unsigned char bytes[RAW_BYTES];
		struct tv_log_header head;
	};
	uint32_t words[RAW_THREADS];
	int64_t now;
};

/* A log of a process that ends at `end` ns. */
static inline void raw_begin(struct raw *raw, int rank, const char *host, int64_t end)
{
	memset(raw, 0, sizeof *raw);
	memcpy(raw->head.magic, TV_LOG_MAGIC, 8);
	raw->head.version = TV_LOG_VERSION;
	raw->head.endian = TV_LOG_ENDIAN;
	raw->head.page = TV_LOG_PAGE;
	raw->head.chunk = TV_LOG_CHUNK;
	raw->head.pid = 100;
	raw->head.rank = rank;
	raw->head.finished = 1;
	raw->head.end_mono = raw->head.end_real = end;
	snprintf(raw->head.host, sizeof raw->head.host, "%s", host);
}

/* An event of a thread: n arguments, then a text (size bytes) or NULL. Place: cpu = thread. */
static inline void raw_event_text(struct raw *raw, unsigned thread, int64_t time, unsigned kind,
				  unsigned code, const uint64_t *arg, size_t n, const char *text,
				  size_t size)
{
	size_t words = 2 + n + (text != NULL ? size / 8 + 1 : 0);
	unsigned char *chunk = raw->bytes + TV_LOG_PAGE + thread * TV_LOG_CHUNK;
	unsigned char *at = chunk + sizeof(struct tv_log_chunk) + raw->words[thread] * 8;
	struct tv_log_event event = {
		(uint8_t)kind, (uint8_t)code, (uint16_t)words, (uint16_t)thread, 0, time
	};
	struct tv_log_chunk head = { .magic = TV_LOG_CHUNK_MAGIC,
				     .thread = thread,
				     .buffer = thread };

	assert_true(raw->words[thread] + words < (TV_LOG_CHUNK - sizeof head) / 8);
	memcpy(at, &event, sizeof event);
	memset(at + sizeof event, 0, (words - 2) * 8);
	if (n > 0)
		memcpy(at + sizeof event, arg, n * 8);
	if (text != NULL)
		memcpy(at + sizeof event + n * 8, text, size);
	raw->words[thread] += (uint32_t)words;
	head.words = raw->words[thread];
	memcpy(chunk, &head, sizeof head);
	raw->now = time;
}

#define RAW(raw, thread, time, kind, code, ...) \
	raw_event_text(raw, thread, time, TV_LOG_##kind, code, (const uint64_t[]){ __VA_ARGS__ }, \
		       sizeof((const uint64_t[]){ __VA_ARGS__ }) / 8, NULL, 0)
#define RAW_TEXT(raw, thread, time, kind, text, ...) \
	raw_event_text(raw, thread, time, TV_LOG_##kind, 0, (const uint64_t[]){ __VA_ARGS__ } + 1, \
		       sizeof((const uint64_t[]){ __VA_ARGS__ }) / 8 - 1, text, sizeof(text) - 1)

/* A region of n threads, whose implicit tasks are 100 + index: from its begin to its work. */
static inline void raw_region(struct raw *raw, uint64_t region, unsigned n, int64_t time)
{
	RAW(raw, 0, time, OMP_THREAD, 1, 0);
	RAW(raw, 0, time, OMP_IMPLICIT_BEGIN, 0, 0, 99, 1, 1, 1);
	RAW(raw, 0, time, OMP_PARALLEL_BEGIN, 0, region, 99, n, 0, 0);
	for (unsigned i = 0; i < n; i++) {
		if (i > 0)
			RAW(raw, i, time, OMP_THREAD, 2, 0);
		RAW(raw, i, time, OMP_IMPLICIT_BEGIN, 0, region, 100 + i, n, i, 2);
	}
}

/* Its end: all threads come to the last barrier, the first one leaves. */
static inline void raw_barrier(struct raw *raw, uint64_t region, unsigned n, int64_t time)
{
	for (unsigned i = n; i-- > 0;) {
		RAW(raw, i, time, OMP_SYNC_BEGIN, 2, region, 100 + i, 0);
		RAW(raw, i, time, OMP_WAIT_BEGIN, 2, region, 100 + i, 0);
	}
}

static inline void raw_region_end(struct raw *raw, uint64_t region, unsigned n, int64_t time)
{
	RAW(raw, 0, time, OMP_WAIT_END, 2, 0, 100, 0);
	RAW(raw, 0, time, OMP_SYNC_END, 2, 0, 100, 0);
	RAW(raw, 0, time, OMP_IMPLICIT_END, 0, 0, 100, 0, 2);
	RAW(raw, 0, time, OMP_PARALLEL_END, 0, region, 99, 0, 0);
	/* Workers leave the barrier when the program ends. */
	for (unsigned i = 1; i < n; i++) {
		int64_t end = raw->head.end_mono;

		RAW(raw, i, end, OMP_WAIT_END, 2, 0, 100 + i, 0);
		RAW(raw, i, end, OMP_SYNC_END, 2, 0, 100 + i, 0);
		RAW(raw, i, end, OMP_IMPLICIT_END, 0, 0, 100 + i, i, 2);
	}
	RAW(raw, 0, raw->head.end_mono, OMP_IMPLICIT_END, 0, 0, 99, 1, 1);
}

/* Reads logs as the files of one folder and completes the trace. -1 with *err. */
static inline int raw_read(struct tv_trace *trace, const struct raw *raw, size_t n,
			   const struct tv_read_options *options, struct tv_error *err)
{
	void *state;
	int rc = 0;

	tv_trace_init(trace, options);
	state = tv_log_reader.begin(trace);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		struct tv_input in;

		tv_input_memory(&in, "t.tvlog", (const char *)raw[i].bytes, RAW_BYTES);
		rc = tv_log_reader.read(state, &in, err);
		tv_input_close(&in);
	}
	if (rc == 0)
		rc = tv_log_reader.finish(state, err);
	tv_log_reader.free(state);
	return rc == 0 ? tv_trace_complete(trace, err) : rc;
}

/* The rows of a table: the named columns separated by commas, "-" where missing, rows by '\n'. */
static inline void raw_dump(char *out, size_t size, const struct tv_trace *trace,
			    enum tv_table_id id, const char *columns)
{
	const struct tv_table *table = &trace->table[id];
	char cell[200], name[64];
	size_t n = 0;

	out[0] = '\0';
	for (uint32_t row = 0; row < table->nrows; row++)
		for (const char *s = columns; *s != '\0';) {
			int length = (int)strcspn(s, ",");
			const struct tv_column *column;

			snprintf(name, sizeof name, "%.*s", length, s);
			column = tv_table_find(table, name);
			s += length + (s[length] == ',');
			if (column == NULL || tv_missing(column, row))
				snprintf(cell, sizeof cell, "-");
			else if (column->type == TV_TIME)
				snprintf(cell, sizeof cell, "%lld", (long long)column->i[row]);
			else
				tv_cell_text(column, row, cell, sizeof cell);
			n += (size_t)snprintf(out + n, size - n, "%s%c", cell,
					      *s != '\0' ? ',' : '\n');
			assert_true(n < size);
		}
}

#endif
