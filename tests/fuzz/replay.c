/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replay.c -- a fuzz target without libFuzzer: runs files, and with -mutate=N as many mutations of
 * each, always the same ones. Any compiler builds it; a debugger can step through a finding.
 *
 * What the target prints is discarded; replay prints one line with the number of executions.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"

enum { SIZE_MAX_BYTES = 1 << 20 };

static uint64_t seed = 7;
static unsigned long executions;

#pragma weak LLVMFuzzerCustomMutator

size_t LLVMFuzzerMutate(uint8_t *data, size_t n, size_t max)
{
	size_t at = n > 0 ? (size_t)fuzz_next(&seed, n) : 0, length;

	switch (fuzz_next(&seed, 4)) {
	case 0: /* cut out */
		length = n > at ? (size_t)fuzz_next(&seed, n - at) % 64 : 0;
		memmove(data + at, data + at + length, n - at - length);
		return n - length;
	case 1: /* repeat */
		length = n > at ? (size_t)fuzz_next(&seed, n - at) % 64 : 0;
		if (n + length > max)
			return n;
		memmove(data + at + length, data + at, n - at);
		return n + length;
	default:
		if (n > 0)
			data[at] = (uint8_t)fuzz_next(&seed, 256);
		return n;
	}
}

static void mutate(const uint8_t *data, size_t n, unsigned long times)
{
	uint8_t *changed = malloc(SIZE_MAX_BYTES);

	if (changed == NULL)
		abort();
	for (unsigned long i = 0; i < times; i++) {
		size_t m = n;

		memcpy(changed, data, n);
		for (uint64_t k = fuzz_next(&seed, 4); k < 4; k++)
			m = LLVMFuzzerCustomMutator != NULL
				  ? LLVMFuzzerCustomMutator(changed, m, SIZE_MAX_BYTES,
							    (unsigned)fuzz_next(&seed, 1u << 31))
				  : LLVMFuzzerMutate(changed, m, SIZE_MAX_BYTES);
		LLVMFuzzerTestOneInput(changed, m);
		executions++;
	}
	free(changed);
}

static void replay(FILE *file, const char *path, unsigned long times)
{
	uint8_t *data = malloc(SIZE_MAX_BYTES);
	size_t n;

	if (data == NULL || file == NULL) {
		perror(path);
		exit(2);
	}
	n = fread(data, 1, SIZE_MAX_BYTES, file);
	fclose(file);
	/* To name the file that ends the program: it is printed before. */
	if (getenv("FUZZ_VERBOSE") != NULL)
		fprintf(stderr, "%s\n", path);
	LLVMFuzzerTestOneInput(data, n);
	executions++;
	mutate(data, n, times);
	free(data);
}

int main(int argc, char **argv)
{
	FILE **file = calloc((size_t)argc, sizeof *file);
	unsigned long times = 0;
	int out = dup(STDOUT_FILENO), null = open("/dev/null", O_WRONLY);

	/* Opened first: the targets change the current folder. */
	for (int i = 1; i < argc; i++)
		file[i] = fopen(argv[i], "rb");
	if (getenv("FUZZ_VERBOSE") == NULL
	    && (dup2(null, STDOUT_FILENO) < 0 || dup2(null, STDERR_FILENO) < 0))
		return 2;
	for (int i = 1; i < argc; i++)
		if (strncmp(argv[i], "-mutate=", 8) == 0)
			times = strtoul(argv[i] + 8, NULL, 10);
		else
			replay(file[i], argv[i], times);
	free(file);
	dprintf(out, "%lu executions\n", executions);
	return 0;
}
