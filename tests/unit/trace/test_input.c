/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_input.c -- files that change or are damaged while they are read; the limit of memory. */
#include <stdio.h>
#include <unistd.h>
#include <zlib.h>

#include "tests/unit/unit.h"

#include "trace/alloc.h"
#include "trace/input.h"

static char path[] = "/tmp/traceviz-input-XXXXXX";

static void write_file(const void *bytes, size_t n)
{
	FILE *f = fopen(path, "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

/* A file that becomes shorter after it was opened: an error, whichever way it is read. */
static void shrinking(void **state)
{
	enum { SIZE = 1 << 20 };
	char *bytes = calloc(SIZE, 1);

	(void)state;
	assert_non_null(bytes);
	for (int all = 0; all < 2; all++) {
		struct tv_error err = { 0 };
		struct tv_bytes whole;
		struct tv_input in;
		char part[4096];
		ssize_t got;

		write_file(bytes, SIZE);
		assert_int_equal(tv_input_open(&in, path, &err), 0);
		assert_int_equal(truncate(path, SIZE / 2), 0);
		if (all) {
			assert_int_equal(tv_input_all(&in, &whole, &err), -1);
			assert_null(whole.bytes);
		} else {
			do
				got = tv_input_read(&in, part, sizeof part, &err);
			while (got > 0);
			assert_int_equal(got, -1);
		}
		assert_string_equal(err.text, "the file became shorter while it was read: 524288 "
					      "bytes, expected 1048576");
		tv_input_close(&in);
	}
	free(bytes);
}

static size_t pack(unsigned char *to, size_t room, const char *text)
{
	z_stream z = { 0 };

	assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	z.next_in = (unsigned char *)(uintptr_t)text;
	z.avail_in = (unsigned)strlen(text);
	z.next_out = to;
	z.avail_out = (unsigned)room;
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	deflateEnd(&z);
	return room - z.avail_out;
}

/* What may follow a gzip stream: zeros, a further stream; all else is damage. */
static void behind_gzip(void **state)
{
	static const struct {
		size_t zeros;
		const char *next, *junk, *want;
		bool damaged;
	} row[] = {
		{ 0, NULL, "", "one", false },	   { 1000, NULL, "", "one", false },
		{ 0, "two", "", "onetwo", false }, { 512, "two", "", "onetwo", false },
		{ 0, NULL, "junk", "one", true },  { 3, NULL, "junk", "one", true },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		unsigned char file[4096] = { 0 };
		size_t n = pack(file, sizeof file, "one") + row[i].zeros;
		struct tv_error err = { 0 };
		struct tv_bytes all;
		struct tv_input in;

		if (row[i].next != NULL)
			n += pack(file + n, sizeof file - n, row[i].next);
		memcpy(file + n, row[i].junk, strlen(row[i].junk));
		write_file(file, n + strlen(row[i].junk));
		assert_int_equal(tv_input_open(&in, path, &err), 0);
		assert_int_equal(tv_input_all(&in, &all, &err), 0);
		if (in.damaged != row[i].damaged || (in.cut != NULL) != row[i].damaged
		    || all.n != strlen(row[i].want) || memcmp(all.bytes, row[i].want, all.n) != 0)
			fail_msg("row %zu: %zu bytes, %s", i, all.n, in.cut);
		tv_bytes_release(&all);
		tv_input_close(&in);
	}
}

/* An array that grows by one stops at the limit: nowhere above it, after few attempts. */
static void limit(void **state)
{
	static const size_t sizes[] = { 1, 4, 8, 12, 16, 24 };
	const size_t max = 20 << 20;

	(void)state;
	for (size_t i = 0; i < TV_COUNT(sizes); i++) {
		volatile size_t n = 0, steps = 0;
		size_t before = tv_memory_used();
		static size_t cap;
		static char *array;

		cap = 0;
		array = NULL;
		tv_memory_limit(before + max);
		tv_memory_on_exhaustion(unit_on_exhaustion);
		if (setjmp(unit_exhausted) == 0)
			for (;; n++) {
				size_t before_growth = cap;

				tv_grow(&array, n, &cap, 1, sizes[i]);
				steps += cap != before_growth;
			}
		tv_memory_on_exhaustion(NULL);
		tv_memory_limit(0);
		if (tv_memory_used() - before > max || n * sizes[i] < max / 2 || steps > 300)
			fail_msg("size %zu: %zu elements, %zu bytes, %zu steps", sizes[i], n,
				 tv_memory_used() - before, steps);
		tv_free(array);
	}
}

static int make_file(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

int main(void)
{
	static const struct CMUnitTest test[] = {
		cmocka_unit_test(shrinking),
		cmocka_unit_test(behind_gzip),
		cmocka_unit_test(limit),
	};

	return cmocka_run_group_tests(test, make_file, remove_file);
}
