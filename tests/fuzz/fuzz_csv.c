/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_csv.c -- our own CSV: one table, or with lines "%%%%NAME" between them the files NAME.csv of
 * a folder. A folder without tasks gets three of another format, which the tables join.
 *
 * The mutator works on cells and rows, so most of what it makes is a table.
 */
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trace/schema.h"

static const char mark[] = "%%%%";
static const char tasks[] = "Name: dpotrf\nJobId: 1\nStartTime: 0\nEndTime: 2\nWorkerId: 0\n\n"
			    "Name: dgemm\nJobId: 2\nStartTime: 3\nEndTime: 5\nWorkerId: 1\n"
			    "DependsOn: 1\n\n"
			    "Name: dgemm\nJobId: 3\nStartTime: 4\nEndTime: 6\nWorkerId: 0\n"
			    "DependsOn: 1\n";

/* Only the tables that are there: those of the execution before are removed. */
static void clear_folder(void)
{
	char name[64];

	for (int id = 0; id < TV_NTABLES; id++) {
		snprintf(name, sizeof name, "in/%s.csv", tv_schema[id].name);
		unlink(name);
	}
}

/* The table of that name goes into its file; unknown names are left out. */
static void write_table(const uint8_t *data, size_t n)
{
	size_t end = fuzz_find(data, n, "\n"), head = end < n ? end + 1 : n;
	char name[64];

	for (int id = 0; id < TV_NTABLES; id++) {
		if (end != strlen(tv_schema[id].name) || memcmp(data, tv_schema[id].name, end) != 0)
			continue;
		snprintf(name, sizeof name, "in/%s.csv", tv_schema[id].name);
		fuzz_file(name, data + head, n - head);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	size_t at = fuzz_find(data, n, mark);

	fuzz_begin(data, n);
	if (at == n) {
		fuzz_file("tasks.csv", data, n);
		fuzz_use("csv", "tasks.csv");
		return 0;
	}
	mkdir("in", 0700);
	clear_folder();
	unlink("in/tasks.rec");
	while (at < n) {
		size_t next;

		at += sizeof mark - 1;
		next = at + fuzz_find(data + at, n - at, mark);
		write_table(data + at, next - at);
		at = next;
	}
	if (access("in/tasks.csv", F_OK) != 0)
		fuzz_file("in/tasks.rec", (const uint8_t *)tasks, sizeof tasks - 1);
	fuzz_use("csv", "in");
	return 0;
}

/* Begin and length of a random piece between two of the bytes in `ends`. */
static size_t choose_piece(const uint8_t *data, size_t n, const char *ends, uint64_t *random,
			   size_t *length)
{
	size_t at = fuzz_next(random, n), end = at;

	while (at > 0 && strchr(ends, data[at - 1]) == NULL)
		at--;
	while (end < n && strchr(ends, data[end]) == NULL)
		end++;
	*length = end > at ? end - at : 0;
	return at;
}

static size_t replace(uint8_t *data, size_t n, size_t max, size_t at, size_t length, const void *by,
		      size_t size)
{
	if (n - length + size > max)
		return n;
	memmove(data + at + size, data + at + length, n - at - length);
	memcpy(data + at, by, size);
	return n - length + size;
}

static const char *special_cell(uint64_t *random)
{
	static const char *const cell[] = { "",
					    "NA",
					    "\"\"",
					    "0",
					    "1",
					    "-1",
					    "0.000001",
					    "1e3",
					    "9223372036854.775807",
					    "-9223372036854.775808",
					    "9223372036854775807",
					    "4294967295",
					    "1e308",
					    "nan",
					    "inf",
					    "100",
					    "100.000001",
					    "CPU0",
					    "CPU1",
					    "CUDA0",
					    "CUDA1",
					    "1_CPU0",
					    "a",
					    "b",
					    "dgemm",
					    "dpotrf",
					    "app",
					    "setup",
					    "runtime",
					    "ghost",
					    "message",
					    "worker",
					    "pending",
					    "1 2 3",
					    "\"a,b\"",
					    "open",
					    "planned",
					    "Idle",
					    "Sleeping",
					    "\xff" };
	enum tv_table_id id;

	if (fuzz_next(random, 4) > 0)
		return cell[fuzz_next(random, sizeof cell / sizeof *cell)];
	id = (enum tv_table_id)fuzz_next(random, TV_NTABLES);
	return tv_schema[id].nfields > 0
		     ? tv_schema[id].field[fuzz_next(random, tv_schema[id].nfields)].name
		     : tv_schema[id].name;
}

/* A row, or some of them, once more at another place, or taken out. */
static size_t change_rows(uint8_t *data, size_t n, size_t max, uint64_t *random)
{
	uint8_t row[4096];
	size_t length, from = choose_piece(data, n, "\n", random, &length), to, unused;

	length += from + length < n;
	if (length > sizeof row)
		return n;
	memcpy(row, data + from, length);
	if (fuzz_next(random, 3) == 0)
		return replace(data, n, max, from, length, "", 0);
	to = choose_piece(data, n, "\n", random, &unused);
	return replace(data, n, max, to, 0, row, length);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t n, size_t max, unsigned seed)
{
	uint64_t random = seed * 0x9e3779b97f4a7c15u | 1;
	uint8_t cell[256];
	const char *special;
	size_t at, length, from, size;

	if (n == 0 || fuzz_next(&random, 6) == 0)
		return LLVMFuzzerMutate(data, n, max);
	if (fuzz_next(&random, 3) == 0)
		return change_rows(data, n, max, &random);
	at = choose_piece(data, n, ",\n", &random, &length);
	if (fuzz_next(&random, 2) == 0) {
		special = special_cell(&random);
		return replace(data, n, max, at, length, special, strlen(special));
	}
	from = choose_piece(data, n, ",\n", &random, &size);
	if (size > sizeof cell)
		return n;
	memcpy(cell, data + from, size);
	return replace(data, n, max, at, length, cell, size);
}
