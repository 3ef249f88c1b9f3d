/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_fxt.c -- an FxT file; behind the bytes "%%%%rank" a second one of the same run.
 *
 * The mutator works on whole words and records: random bytes only make holes, which the reader
 * steps over.
 */
#include "tests/fuzz/fuzz.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "convert/fxt/file.h"

enum { WORD = 8, RECORDS_MAX = 1 << 14 };

static const char mark[] = "%%%%rank";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	size_t at = fuzz_find(data, n, mark);

	fuzz_begin(data, n);
	mkdir("in", 0700);
	fuzz_file("in/prof_file_0", data, at);
	if (at == n) {
		fuzz_use("fxt", "in/prof_file_0");
		return 0;
	}
	at += sizeof mark - 1;
	fuzz_file("in/prof_file_1", data + at, n - at);
	fuzz_use("fxt", "in");
	return 0;
}

/* The places of the first file's records, and one more for their end; 0: it has none. */
static size_t find_records(const uint8_t *data, size_t n, size_t *place)
{
	struct tv_error err = { 0 };
	struct tv_fxt_cursor cursor;
	struct tv_fxt_event event;
	struct tv_fxt_file file;
	size_t count = 0;

	if (tv_fxt_open(&file, "fuzz", data, fuzz_find(data, n, mark), &err) < 0)
		return 0;
	tv_fxt_rewind(&cursor, &file);
	while (count + 1 < RECORDS_MAX && tv_fxt_next(&cursor, &event) != TV_FXT_END)
		place[count++] = event.offset;
	place[count] = cursor.at;
	return count;
}

/* A word of the file becomes another one, or one with a meaning, or a near one. */
static void change_word(uint8_t *data, size_t from, size_t to, uint64_t *random)
{
	static const uint64_t special[] = { 0,		1,	    2,		7,
					    64,		255,	    0x7fffffff, 0x80000000,
					    0xffffffff, 1ull << 40, INT64_MAX,	1ull << 63,
					    UINT64_MAX, 1000000000 };
	size_t words = (to - from) / WORD, at, other;
	uint64_t word;

	if (words == 0)
		return;
	at = from + fuzz_next(random, words) * WORD;
	other = from + fuzz_next(random, words) * WORD;
	memcpy(&word, data + at, WORD);
	switch (fuzz_next(random, 4)) {
	case 0:
		word = special[fuzz_next(random, TV_COUNT(special))];
		break;
	case 1:
		word += fuzz_next(random, 5) - 2;
		break;
	case 2:
		word ^= 1ull << fuzz_next(random, 64);
		break;
	default:
		memcpy(&word, data + other, WORD);
	}
	memcpy(data + at, &word, WORD);
}

/* Moves [from, to) to another place, or repeats it there, or takes it out. */
static size_t change_records(uint8_t *data, size_t n, size_t max, const size_t *place, size_t count,
			     uint64_t *random)
{
	static uint8_t room[1 << 20];
	size_t first = fuzz_next(random, count), run = 1 + fuzz_next(random, 4);
	size_t last = first + run < count ? first + run : count;
	size_t from = place[first], length = place[last] - from;
	size_t to = place[fuzz_next(random, count)];
	uint64_t how = fuzz_next(random, 3);

	if (length > sizeof room || n + length > max)
		how = 0;
	if (length <= sizeof room)
		memcpy(room, data + from, length);
	if (how != 1) { /* take out */
		memmove(data + from, data + from + length, n - from - length);
		n -= length;
		to = to > from ? to >= from + length ? to - length : from : to;
	}
	if (how == 0)
		return n;
	memmove(data + to + length, data + to, n - to);
	memcpy(data + to, room, length);
	return n + length;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t max, unsigned seed)
{
	static size_t place[RECORDS_MAX];
	uint64_t random = seed * 0x9e3779b97f4a7c15u | 1, what = fuzz_next(&random, 8);
	size_t count = what < 7 ? find_records(data, n, place) : 0, record;

	if (count == 0)
		return LLVMFuzzerMutate(data, n, max);
	if (what < 2)
		return change_records(data, n, max, place, count, &random);
	for (uint64_t times = fuzz_next(&random, 3) + 1; times > 0; times--) {
		record = fuzz_next(&random, count);
		/* Mostly a parameter of one record, sometimes any word. */
		if (what < 6)
			change_word(data, place[record], place[record + 1], &random);
		else
			change_word(data, place[0], place[count], &random);
	}
	return n;
}
