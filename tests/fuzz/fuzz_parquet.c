/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fuzz_parquet.c -- a Parquet file: as tasks, as tasks of which a query reads some rows, or with a --map as any table, which needs only one column. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

enum { MAGIC = 4, TAIL = 8 };

/* Rows by names and numbers, of all encodings that columns may have. */
static void query(void)
{
	static const char *const where[] = {
		"Value = 'dgemm'", "ResourceId IN ('CPU0', 'CPU1', 'x')", "Note = '' AND Start > 1",
		"JobId = '7' AND Priority >= 0", "Start_ns BETWEEN 1000 AND 900000 AND Size > 0"
	};
	struct fuzz_command command = { 0 };

	fuzz_word(&command, "traceviz");
	fuzz_word(&command, "sql");
	fuzz_memory(&command);
	fuzz_word(&command, "--time-unit=ns");
	fuzz_word(&command, "in.parquet");
	fuzz_word(&command,
		  "SELECT Value, count(*), min(Note), sum(GFlop), min(DependsOn) FROM tasks WHERE "
		  "%s GROUP BY 1",
		  where[fuzz_random(sizeof where / sizeof *where)]);
	fuzz_run(&command);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct fuzz_command command = { 0 };

	fuzz_begin(data, n);
	fuzz_file("in.parquet", data, n);
	if (fuzz_random(2) == 0) {
		fuzz_use("parquet", "in.parquet");
		return 0;
	}
	if (fuzz_random(2) == 0) {
		query();
		return 0;
	}
	fuzz_word(&command, "traceviz");
	fuzz_word(&command, "info");
	fuzz_memory(&command);
	fuzz_word(
		&command,
		"--map=Value=1,ResourceId='w',Start=Start,End=Start,Note=Note,DependsOn=DependsOn");
	fuzz_word(&command, "in.parquet");
	fuzz_run(&command);
	return 0;
}

/* Both ends say what it is, and the last bytes how long the footer is: they stay, and the length follows its changes. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t max, unsigned seed)
{
	uint64_t random = seed * 0x9e3779b97f4a7c15u | 1;
	uint8_t tail[TAIL];
	uint32_t footer;
	size_t begin, length, room;

	if (n < MAGIC + TAIL || fuzz_next(&random, 20) == 0)
		return LLVMFuzzerMutate(data, n, max);
	memcpy(tail, data + n - TAIL, TAIL);
	memcpy(&footer, tail, sizeof footer);
	if (footer > n - MAGIC - TAIL)
		return LLVMFuzzerMutate(data, n, max);
	begin = n - TAIL - footer;
	room = max - n;
	if (fuzz_next(&random, 2) == 0) { /* the footer */
		length = LLVMFuzzerMutate(data + begin, footer, footer + room);
		footer = (uint32_t)length;
		memcpy(tail, &footer, sizeof footer);
		memcpy(data + begin + length, tail, TAIL);
		return begin + length + TAIL;
	}
	/* Pages, whose places the footer knows: their length stays. */
	if (begin > MAGIC)
		LLVMFuzzerMutate(data + MAGIC, begin - MAGIC, begin - MAGIC);
	return n;
}
