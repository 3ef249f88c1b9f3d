/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_otf2.c -- what the library of OTF2 may find in an archive: each byte of the input chooses a record, or one of its numbers.
 *
 * The library itself is not run: it has a process of its own, where it may do what it wants.
 */
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "convert/otf2/otf2.h"

enum { BYTES_MAX = 1 << 20, NEXT = 255 };

struct stream {
	const uint8_t *from, *end;
	uint8_t *to;
	size_t n;
	uint64_t time, packed, locations; /* packed: time of the last record */
};

static uint8_t byte(struct stream *s)
{
	return s->from < s->end ? *s->from++ : 0;
}

static uint64_t number(struct stream *s)
{
	static const uint64_t special[] = {
		UINT64_MAX,	INT64_MAX, 1ull << 63, UINT32_MAX, 1ull << 62, 1000000,		99,
		UINT32_MAX - 1, 4096,	   16,	       20,	   22,	       (1ull << 53) + 1
	};
	uint8_t value = byte(s);

	return value < 224 ? value % 8 : special[value % TV_COUNT(special)];
}

static void put(struct stream *s, struct tv_otf2_record record, const void *more)
{
	if (s->n + TV_OTF2_PACKED_MAX + record.bytes > BYTES_MAX)
		return;
	s->n += tv_otf2_pack(&record, &s->packed, s->to + s->n);
	if (more != NULL)
		memcpy(s->to + s->n, more, record.bytes);
	s->n += record.bytes;
}

/* A record with numbers of the input; some kinds have more behind them. */
static void put_random(struct stream *s, unsigned kind)
{
	static const char *const text[] = { "MPI_Isend", "MPI_Sendrecv", "MPI_Waitall",	   "a",
					    "",		 "OpenMP task",	 "OpenMP barrier", "MPI_" };
	struct tv_otf2_record record = { .kind = (uint16_t)kind, .nargs = TV_OTF2_ARGS };
	uint64_t more[8];
	const char *its;

	for (unsigned i = 0; i < TV_OTF2_ARGS; i++)
		record.arg[i] = number(s);
	s->time += kind >= TV_OTF2_ENTER ? number(s) : 0;
	record.time = s->time;
	if (kind == TV_OTF2_STRING) {
		its = text[byte(s) % TV_COUNT(text)];
		record.bytes = (uint32_t)strlen(its);
		put(s, record, its);
		return;
	}
	if (kind == TV_OTF2_GROUP || kind == TV_OTF2_CLASS || kind == TV_OTF2_METRIC) {
		record.bytes = (uint32_t)(number(s) % 9 * sizeof *more);
		for (size_t i = 0; i < TV_COUNT(more); i++)
			more[i] = number(s);
	}
	s->locations += kind == TV_OTF2_LOCATION;
	put(s, record, more);
}

static void put_small(struct stream *s, unsigned kind, uint64_t a, uint64_t b, uint64_t c)
{
	put(s, (struct tv_otf2_record){ .kind = (uint16_t)kind, .nargs = 5, .arg = { a, b, c } },
	    NULL);
}

static void write_stream(struct stream *s)
{
	uint64_t place = 0;

	put_small(s, TV_OTF2_CLOCK, 1000000000, 0, 0);
	put_small(s, TV_OTF2_LOCATION, 0, 0, TV_OTF2_THREAD);
	s->locations = 1;
	for (uint8_t kind; s->from < s->end && (kind = byte(s)) != NEXT;)
		put_random(s, TV_OTF2_CLOCK + kind % (TV_OTF2_CONTEXT - TV_OTF2_CLOCK + 1));
	while (s->from < s->end && place < s->locations) {
		put_small(s, TV_OTF2_BEGIN, place++, 0, 0);
		for (uint8_t kind; s->from < s->end && (kind = byte(s)) != NEXT;)
			put_random(s, TV_OTF2_ENTER + kind % (TV_OTF2_NKINDS - TV_OTF2_ENTER));
		put_small(s, TV_OTF2_FINISH, number(s), number(s) & 1, 0);
	}
	if (byte(s) == NEXT) /* of a child that crashed: anything */
		put_random(s, byte(s));
	put_small(s, TV_OTF2_END, 0, 0, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static uint8_t bytes[BYTES_MAX];
	struct stream stream = { .from = data, .end = data + n, .to = bytes };
	struct tv_error err = { 0 };
	struct tv_apart apart;
	struct tv_trace trace;
	struct tv_otf2 *o;

	fuzz_begin(data, n);
	write_stream(&stream);
	fuzz_file("records", bytes, stream.n);
	tv_apart_open(&apart, open("records", O_RDONLY | O_CLOEXEC));
	tv_trace_init(&trace, NULL);
	o = tv_otf2_new(&trace);
	if (tv_otf2_take(o, &apart, "in.otf2", &err) == 0) {
		tv_otf2_write(o);
		(void)!tv_trace_complete(&trace, &err);
	}
	tv_otf2_free(o);
	tv_trace_release(&trace);
	tv_apart_stop(&apart);
	return 0;
}
