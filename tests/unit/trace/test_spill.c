/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_spill.c -- records come back by key, those of one key in their order: in one run, in several, merged several times. */
#include "tests/unit/unit.h"

#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

#include "trace/sorted.h"
#include "trace/spill.h"

enum { ROUNDS = 60, LONGEST = 40000 };

static char folder[] = "/tmp/test_spill.XXXXXX";

struct record {
	int64_t key;
	uint32_t at, n;
	unsigned char byte;
};

TV_ORDER(by_key, struct record, key, at)

static unsigned count_files(void)
{
	DIR *dir = opendir(folder);
	unsigned n = 0;

	for (struct dirent *entry; (entry = readdir(dir)) != NULL;)
		n += entry->d_name[0] != '.' || entry->d_name[1] == 't';
	closedir(dir);
	return n;
}

static void add(struct tv_spill *spill, struct record *record, uint32_t n, uint64_t *seed)
{
	static unsigned char bytes[LONGEST];
	struct tv_error err = { 0 };
	uint64_t keys = 1 + unit_random(seed, 3 * n + 1);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t length = (uint32_t)unit_random(seed,
							unit_random(seed, 50) == 0 ? LONGEST : 60);

		record[i] = (struct record){ (int64_t)unit_random(seed, keys) - 9, i, length,
					     (unsigned char)unit_random(seed, 256) };
		memset(bytes, record[i].byte, length);
		assert_int_equal(tv_spill_add(spill, record[i].key, bytes, length, &err), 0);
	}
	assert_int_equal(tv_spill_end(spill, &err), 0);
}

static void sorts(void **state)
{
	uint64_t seed = unit_seed(7);

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		char *beside = tv_format("%s/x", folder);
		uint32_t n = (uint32_t)unit_random(&seed, round % 3 == 0 ? 5 : 3000), length;
		struct tv_spill *spill = tv_spill_new(
			beside, round % 2 == 0 ? 1 << 20 : (size_t)unit_random(&seed, 9000));
		struct record *record = tv_alloc(n, sizeof *record);
		struct tv_error err = { 0 };
		const char *bytes;

		add(spill, record, n, &seed);
		qsort(record, n, sizeof *record, by_key);
		for (uint32_t i = 0; i < n; i++) {
			assert_int_equal(tv_spill_next(spill, &bytes, &length, &err), 1);
			assert_int_equal(length, record[i].n);
			for (uint32_t k = 0; k < length; k++)
				assert_int_equal((unsigned char)bytes[k], record[i].byte);
		}
		assert_int_equal(tv_spill_next(spill, &bytes, &length, &err), 0);
		assert_int_equal(count_files(), 0);
		tv_spill_free(spill);
		tv_free(record);
		tv_free(beside);
	}
	assert_int_equal(tv_memory_used(), 0);
}

/* One that is not read, and one whose folder is not there. */
static void ends(void **state)
{
	struct tv_spill *spill = tv_spill_new("/nowhere/x", 10);
	struct tv_error err = { 0 };

	(void)state;
	assert_int_equal(tv_spill_add(spill, 1, "a", 1, &err), 0);
	assert_int_equal(tv_spill_add(spill, 1, "b", 1, &err), -1);
	assert_string_equal(err.file, "/nowhere/x");
	tv_spill_free(spill);
	assert_int_equal(tv_memory_used(), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(sorts), cmocka_unit_test(ends) };
	int rc;

	if (mkdtemp(folder) == NULL)
		return 1;
	rc = cmocka_run_group_tests(tests, NULL, NULL);
	rmdir(folder);
	return rc;
}
