/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_tvlog.c -- raw logs. The input is thin: the words of events of up to three threads, each
 * behind a word 0xffffffffffffffff; they become chunks of a log. A word 0xfffffffffffffffe begins the
 * log of a second process, of another rank and host. Else it is a whole log.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "record/loaded/log.h"
#include "tests/fuzz/fuzz.h"

enum { THREADS = 3, WORDS = (TV_LOG_CHUNK - sizeof(struct tv_log_chunk)) / 8 };

static uint8_t log_bytes[TV_LOG_PAGE + THREADS * TV_LOG_CHUNK];

static void begin_log(uint64_t settings, int process)
{
	struct tv_log_header *head = (void *)log_bytes;

	memset(log_bytes, 0, sizeof log_bytes);
	*head = (struct tv_log_header){ .version = TV_LOG_VERSION,
					.endian = TV_LOG_ENDIAN,
					.page = TV_LOG_PAGE,
					.chunk = TV_LOG_CHUNK,
					.rank = settings & 1 ? -1 : process,
					.finished = settings & 2 ? 1 : 0,
					.lost = settings & 4 ? 1 : 0,
					.end_mono = 1000000,
					.end_real = 1000000 };
	memcpy(head->magic, TV_LOG_MAGIC, 8);
	snprintf(head->host, sizeof head->host, "%d", process);
}

/* Adds a word to the chunk of a thread. */
static void add_word(unsigned thread, uint64_t word)
{
	struct tv_log_chunk *chunk = (void *)(log_bytes + TV_LOG_PAGE + thread * TV_LOG_CHUNK);
	uint32_t words = chunk->words;

	chunk->magic = TV_LOG_CHUNK_MAGIC;
	chunk->thread = chunk->buffer = thread;
	if (words == WORDS)
		return;
	memcpy((uint8_t *)(chunk + 1) + (size_t)words * 8, &word, 8);
	chunk->words = words + 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	unsigned thread = 0;
	int process = 0;

	fuzz_begin(data, n);
	mkdir("in", 0700);
	if (n >= 8 && memcmp(data, TV_LOG_MAGIC, 8) == 0) {
		fuzz_file("in/a.tvlog", data, n);
		fuzz_use("tvlog", "in");
		return 0;
	}
	begin_log(n > 0 ? data[n - 1] : 0, 0);
	for (size_t i = 0; i + 8 <= n; i += 8) {
		uint64_t word;

		memcpy(&word, data + i, 8);
		if (word == UINT64_MAX - 1 && process == 0) {
			fuzz_file("in/a.tvlog", log_bytes, sizeof log_bytes);
			begin_log(data[n - 1], ++process);
			thread = 0;
		} else if (word == UINT64_MAX) {
			thread = (thread + 1) % THREADS;
		} else {
			add_word(thread, word);
		}
	}
	fuzz_file(process > 0 ? "in/b.tvlog" : "in/a.tvlog", log_bytes, sizeof log_bytes);
	fuzz_use("tvlog", "in");
	return 0;
}
