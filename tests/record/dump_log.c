/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dump_log.c -- prints the events of a raw log, one line each, thread by thread in the order of time:
 * a view of it that shares only record/loaded/log.h with the writer and the reader.
 *
 * dump_log FILE: THREAD TIME KIND CODE CPU NUMA ARGUMENT... "TEXT"; NUL bytes of texts are printed as |.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "record/loaded/log.h"

static const struct {
	const char *name;
	int numbers; /* before the text; -1: all words are numbers */
} kinds[256] = {
	[TV_LOG_THREAD] = { "THREAD", 2 },
	[TV_LOG_META] = { "META", 0 },
	[TV_LOG_MODULE] = { "MODULE", 3 },
	[TV_LOG_SITE] = { "SITE", 2 },
	[TV_LOG_GAP] = { "GAP", -1 },
	[TV_LOG_COUNTER] = { "COUNTER", 1 },
	[TV_LOG_VALUES] = { "VALUES", -1 },
	[TV_LOG_UNREAD] = { "UNREAD", -1 },
	[TV_LOG_PAGE_AT] = { "PAGE_AT", -1 },
	[TV_LOG_BINDING] = { "BINDING", 0 },
	[TV_LOG_OMP_THREAD] = { "OMP_THREAD", -1 },
	[TV_LOG_OMP_PARALLEL_BEGIN] = { "PARALLEL_BEGIN", -1 },
	[TV_LOG_OMP_PARALLEL_END] = { "PARALLEL_END", -1 },
	[TV_LOG_OMP_IMPLICIT_BEGIN] = { "IMPLICIT_BEGIN", -1 },
	[TV_LOG_OMP_IMPLICIT_END] = { "IMPLICIT_END", -1 },
	[TV_LOG_OMP_CREATE] = { "CREATE", -1 },
	[TV_LOG_OMP_SCHEDULE] = { "SCHEDULE", -1 },
	[TV_LOG_OMP_DEPENDENCES] = { "DEPENDENCES", -1 },
	[TV_LOG_OMP_EDGE] = { "EDGE", -1 },
	[TV_LOG_OMP_SYNC_BEGIN] = { "SYNC_BEGIN", -1 },
	[TV_LOG_OMP_SYNC_END] = { "SYNC_END", -1 },
	[TV_LOG_OMP_WAIT_BEGIN] = { "WAIT_BEGIN", -1 },
	[TV_LOG_OMP_WAIT_END] = { "WAIT_END", -1 },
	[TV_LOG_OMP_WORK_BEGIN] = { "WORK_BEGIN", -1 },
	[TV_LOG_OMP_WORK_END] = { "WORK_END", -1 },
	[TV_LOG_OMP_ACQUIRE] = { "ACQUIRE", -1 },
	[TV_LOG_OMP_ACQUIRED] = { "ACQUIRED", -1 },
	[TV_LOG_OMP_RELEASED] = { "RELEASED", -1 },
	[TV_LOG_OMP_CANCEL] = { "CANCEL", -1 },
	[TV_LOG_OMP_SKIPPED] = { "SKIPPED", -1 },
	[TV_LOG_OMP_MASKED_BEGIN] = { "MASKED_BEGIN", -1 },
	[TV_LOG_OMP_MASKED_END] = { "MASKED_END", -1 },
	[TV_LOG_USER_NAME] = { "USER_NAME", 0 },
	[TV_LOG_USER_NUMBER] = { "USER_NUMBER", 1 },
	[TV_LOG_USER_DATA] = { "USER_DATA", 2 },
	[TV_LOG_USER_PHASE_BEGIN] = { "USER_PHASE_BEGIN", 0 },
	[TV_LOG_USER_PHASE_END] = { "USER_PHASE_END", 0 },
	[TV_LOG_MPI_NAME] = { "MPI_NAME", 1 },
	[TV_LOG_MPI_WORLD] = { "MPI_WORLD", 2 },
	[TV_LOG_MPI_COMM] = { "MPI_COMM", 3 },
	[TV_LOG_MPI_CLOCK] = { "MPI_CLOCK", -1 },
	[TV_LOG_MPI_BEGIN] = { "MPI_BEGIN", -1 },
	[TV_LOG_MPI_END] = { "MPI_END", -1 },
	[TV_LOG_MONITOR_OBJECT] = { "MONITOR_OBJECT", 6 },
	[TV_LOG_MONITOR] = { "MONITOR", 3 },
	[TV_LOG_MONITOR_EVENT] = { "MONITOR_EVENT", 2 },
	[TV_LOG_MONITOR_SET] = { "MONITOR_SET", -1 },
	[TV_LOG_MONITOR_SAMPLE] = { "MONITOR_SAMPLE", -1 },
	[TV_LOG_MONITOR_THREAD] = { "MONITOR_THREAD", 5 },
	[TV_LOG_MONITOR_TICK] = { "MONITOR_TICK", -1 },
};

static void print_text(const char *text, size_t bytes)
{
	while (bytes && !text[bytes - 1])
		bytes--;
	printf(" \"");
	for (size_t i = 0; i < bytes; i++)
		putchar(text[i] ? text[i] : '|');
	putchar('"');
}

static void print_event(unsigned thread, const struct tv_log_event *event)
{
	const uint64_t *word = (const uint64_t *)(event + 1);
	int words = event->words - 2, numbers = kinds[event->kind].numbers;

	if (numbers < 0 || numbers > words)
		numbers = words;
	printf("%u %lld %s %u %u %u", thread, (long long)event->time,
	       kinds[event->kind].name ? kinds[event->kind].name : "?", event->code, event->cpu,
	       event->numa);
	for (int i = 0; i < numbers; i++)
		printf(" %llx", (unsigned long long)word[i]);
	if (words > numbers)
		print_text((const char *)(word + numbers), 8 * (size_t)(words - numbers));
	putchar('\n');
}

static void print_chunk(const struct tv_log_chunk *chunk, uint32_t *thread)
{
	const uint64_t *word = (const uint64_t *)(chunk + 1);
	uint32_t words = atomic_load(&chunk->words);
	uint32_t max = (TV_LOG_CHUNK - sizeof *chunk) / sizeof *word;

	for (uint32_t at = 0; at < words && words <= max;) {
		const struct tv_log_event *event = (const void *)(word + at);
		if (event->words < 2 || at + event->words > words) {
			printf("damaged chunk of thread %u at word %u\n", *thread, at);
			exit(1);
		}
		if (event->kind == TV_LOG_THREAD)
			*thread = (uint32_t)word[at + 2];
		print_event(*thread, event);
		at += event->words;
	}
}

/* By buffer, then by sequence; equal ones in the order of the file. */
static int compare(const void *a, const void *b)
{
	const struct tv_log_chunk *x = *(const struct tv_log_chunk *const *)a;
	const struct tv_log_chunk *y = *(const struct tv_log_chunk *const *)b;

	if (x->buffer != y->buffer)
		return x->buffer < y->buffer ? -1 : 1;
	if (x->sequence != y->sequence)
		return x->sequence < y->sequence ? -1 : 1;
	return x < y ? -1 : x > y;
}

static void print_chunks(const char *bytes, size_t n)
{
	const struct tv_log_chunk **chunk = calloc(n + 1, sizeof(void *));
	size_t used = 0;
	uint32_t thread = 0;

	for (size_t i = 0; chunk && i < n; i++) {
		const struct tv_log_chunk *next = (const void *)(bytes + i * TV_LOG_CHUNK);
		if (next->magic == TV_LOG_CHUNK_MAGIC)
			chunk[used++] = next;
	}
	if (chunk)
		qsort(chunk, used, sizeof *chunk, compare);
	for (size_t i = 0; i < used; i++) {
		if (i == 0 || chunk[i]->buffer != chunk[i - 1]->buffer)
			thread = chunk[i]->thread;
		else if (chunk[i]->sequence == chunk[i - 1]->sequence)
			continue;
		print_chunk(chunk[i], &thread);
	}
	free(chunk);
}

int main(int argc, char **argv)
{
	int fd = argc == 2 ? open(argv[1], O_RDONLY) : -1;
	struct stat st = { 0 };
	const char *bytes = MAP_FAILED;

	if (fd >= 0 && !fstat(fd, &st) && st.st_size >= TV_LOG_PAGE)
		bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	const struct tv_log_header *log = (const void *)bytes;
	if (bytes == MAP_FAILED || memcmp(log->magic, TV_LOG_MAGIC, sizeof log->magic) != 0) {
		fprintf(stderr, "usage: dump_log FILE.tvlog\n");
		return 2;
	}
	printf("# version %u pid %u parent %u rank %d threads %u finished %u lost %llu stopped %u "
	       "host %s\n",
	       log->version, log->pid, log->parent_pid, log->rank, atomic_load(&log->threads),
	       atomic_load(&log->finished), (unsigned long long)atomic_load(&log->lost),
	       atomic_load(&log->stopped), log->host);
	print_chunks(bytes + TV_LOG_PAGE, ((size_t)st.st_size - TV_LOG_PAGE) / TV_LOG_CHUNK);
	return 0;
}
