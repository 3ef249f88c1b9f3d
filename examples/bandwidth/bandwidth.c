/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bandwidth.c -- threads on given processors that read what threads on others wrote, all at once. README.md beside. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { LINE = 64, WORDS = LINE / sizeof(uint64_t), CHUNK = 4096, HUGE_PAGE = 2 << 20 };
enum { MAX_TRANSFERS = 256, SPINS = 1 << 16 };

static struct {
	size_t bytes;
	long rounds;
	bool check, small_pages;
} options = { .bytes = 4 << 20, .rounds = 200 };

/* In each round the writer's thread fills the source, then the reader's thread copies it. */
struct transfer {
	int writer, reader; /* processors */
	uint64_t *source, *copy;
	bool wrong;
};

/* One thread for each processor. */
struct worker {
	pthread_t thread;
	int cpu;
	int64_t begin_ns, end_ns; /* of its copies in this round */
};

static struct transfer transfer[MAX_TRANSFERS];
static struct worker worker[2 * MAX_TRANSFERS];
static size_t ntransfers, nworkers;
static int64_t *duration_ns; /* of the rounds */

static _Noreturn void fail(int status, const char *what, const char *value)
{
	fprintf(stderr, "bandwidth: %s%s%s\n", what, value != NULL ? ": " : "",
		value != NULL ? value : "");
	exit(status);
}

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* ---- one round ---- */

/* Waits until all threads are here. They spin, because waking a thread up takes as long as a transfer; those that wait
 * long let other programs have the processor. */
static void meet(void)
{
	static atomic_uint arrived, generation;
	unsigned before = atomic_load(&generation), spins = 0;

	if (atomic_fetch_add(&arrived, 1) + 1 == nworkers) {
		atomic_store(&arrived, 0);
		atomic_fetch_add(&generation, 1);
	}
	while (atomic_load(&generation) == before)
		if (++spins % SPINS == 0)
			sched_yield();
}

static uint64_t value_of(size_t transfer_number, long round, size_t word)
{
	return ((uint64_t)round << 40 | (uint64_t)transfer_number << 32) + word;
}

static void fill(size_t number, long round)
{
	for (size_t i = 0; i < options.bytes / sizeof(uint64_t); i++)
		transfer[number].source[i] = value_of(number, round, i);
}

/* Word by word, as the compiler makes it: a library's memcpy goes around the caches above some size. */
static void copy(uint64_t *to, const uint64_t *from, size_t bytes)
{
	for (size_t line = 0; line < bytes / LINE; line++, to += WORDS, from += WORDS) {
		for (size_t i = 0; i < WORDS; i++)
			to[i] = from[i];
		__asm__ volatile("" : : "r"(to) : "memory");
	}
}

/* All transfers that this processor reads, a chunk of each in turn. */
static void copy_all(int reader)
{
	for (size_t done = 0; done < options.bytes; done += CHUNK) {
		size_t rest = options.bytes - done, bytes = rest < CHUNK ? rest : CHUNK;

		for (size_t t = 0; t < ntransfers; t++)
			if (transfer[t].reader == reader)
				copy(transfer[t].copy + done / sizeof(uint64_t),
				     transfer[t].source + done / sizeof(uint64_t), bytes);
	}
}

static void check(struct transfer *t, long round)
{
	size_t n = options.bytes / sizeof(uint64_t);

	for (size_t i = 0; i < n; i += options.check ? 1 : n - 1)
		t->wrong |= t->copy[i] != value_of((size_t)(t - transfer), round, i);
}

/* From the first begin to the last end of copies. */
static int64_t duration_of_round(void)
{
	int64_t begin = INT64_MAX, end = 0;

	for (size_t w = 0; w < nworkers; w++) {
		bool reads = false;

		for (size_t t = 0; t < ntransfers; t++)
			reads |= transfer[t].reader == worker[w].cpu;
		if (reads && worker[w].begin_ns < begin)
			begin = worker[w].begin_ns;
		if (reads && worker[w].end_ns > end)
			end = worker[w].end_ns;
	}
	return end > begin ? end - begin : 1;
}

/* ---- threads ---- */

/* Memory that a thread touches first is near to its processor. */
static uint64_t *new_buffer(void)
{
	size_t bytes = (options.bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
	void *buffer = aligned_alloc(HUGE_PAGE, bytes);

	if (buffer == NULL)
		fail(1, "out of memory for a buffer, expected a smaller --bytes", NULL);
	/* Where the system has no huge pages, small ones do. */
	(void)madvise(buffer, bytes, options.small_pages ? MADV_NOHUGEPAGE : MADV_HUGEPAGE);
	memset(buffer, 0, options.bytes);
	return buffer;
}

static void *run(void *argument)
{
	struct worker *w = argument;

	for (size_t t = 0; t < ntransfers; t++) {
		if (transfer[t].writer == w->cpu)
			transfer[t].source = new_buffer();
		if (transfer[t].reader == w->cpu)
			transfer[t].copy = new_buffer();
	}
	for (long round = 0; round < options.rounds; round++) {
		meet();
		for (size_t t = 0; t < ntransfers; t++)
			if (transfer[t].writer == w->cpu)
				fill(t, round);
		meet();
		w->begin_ns = now_ns();
		copy_all(w->cpu);
		w->end_ns = now_ns();
		meet();
		if (w == worker)
			duration_ns[round] = duration_of_round();
		for (size_t t = 0; t < ntransfers; t++)
			if (transfer[t].reader == w->cpu)
				check(&transfer[t], round);
	}
	return NULL;
}

static void start(struct worker *w)
{
	pthread_attr_t attributes;
	cpu_set_t set;

	pthread_attr_init(&attributes);
	CPU_ZERO(&set);
	CPU_SET(w->cpu, &set);
	pthread_attr_setaffinity_np(&attributes, sizeof(set), &set);
	if (pthread_create(&w->thread, &attributes, run, w) != 0)
		fail(1, "a thread cannot be started, expected processors that it may use", NULL);
	pthread_attr_destroy(&attributes);
}

/* ---- results ---- */

static int by_time(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

static void report(void)
{
	double bytes = (double)(options.bytes * ntransfers);

	for (size_t t = 0; t < ntransfers; t++)
		if (transfer[t].wrong)
			fail(1, "a copy differs from what was written", NULL);
	qsort(duration_ns, (size_t)options.rounds, sizeof(*duration_ns), by_time);
	printf("%zu,%zu,%ld,%.3f,%.3f,%.3f\n", ntransfers, options.bytes, options.rounds,
	       bytes / (double)duration_ns[0],
	       bytes / (double)duration_ns[(options.rounds - 1) / 2],
	       bytes / (double)duration_ns[options.rounds - 1]);
	if (fflush(stdout) != 0)
		fail(1, "the output cannot be written", NULL);
}

/* ---- options ---- */

static long number(const char *option, const char *text, long min, long max)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (end == text || *end != '\0' || errno != 0 || value < min || value > max) {
		fprintf(stderr, "bandwidth: %s: '%s' is not a number from %ld to %ld\n", option,
			text, min, max);
		exit(2);
	}
	return value;
}

static void add_worker(int cpu)
{
	for (size_t w = 0; w < nworkers; w++)
		if (worker[w].cpu == cpu)
			return;
	worker[nworkers++].cpu = cpu;
}

/* "0:1": processor 1 reads what processor 0 writes. */
static void add_transfer(const char *text)
{
	struct transfer *t = &transfer[ntransfers];
	int length = 0;

	if (ntransfers == MAX_TRANSFERS)
		fail(2, "more than 256 transfers", NULL);
	if (sscanf(text, "%d:%d%n", &t->writer, &t->reader, &length) != 2 || text[length] != '\0'
	    || t->writer < 0 || t->reader < 0 || t->writer >= CPU_SETSIZE
	    || t->reader >= CPU_SETSIZE || t->writer == t->reader)
		fail(2, "expected WRITER:READER, two processors", text);
	ntransfers++;
	add_worker(t->writer);
	add_worker(t->reader);
}

static void print_help(void)
{
	printf("usage: bandwidth [OPTIONS] WRITER:READER...\n"
	       "In each round threads on processors WRITER fill buffers; then threads on READER "
	       "copy them, all at once.\n\n"
	       "  -b, --bytes N       of a buffer, a multiple of 64 (default 4194304)\n"
	       "  -r, --rounds N      (default 200)\n"
	       "      --small-pages   no huge pages\n"
	       "      --check         compare each word of the copies, not the first and last "
	       "alone\n"
	       "      --help          this text\n\n"
	       "Output, without a header: transfers, bytes of a buffer, rounds, and the bandwidth "
	       "of all\n"
	       "transfers together (GB/s) in the fastest, median and slowest round.\n\n"
	       "Exit status: 0 done, 1 failure, 2 usage.\n");
	exit(0);
}

static void read_options(int argc, char **argv)
{
	static const struct option names[] = { { "bytes", required_argument, NULL, 'b' },
					       { "rounds", required_argument, NULL, 'r' },
					       { "small-pages", no_argument, NULL, 's' },
					       { "check", no_argument, NULL, 'k' },
					       { "help", no_argument, NULL, 'h' },
					       { 0 } };
	int c;

	while ((c = getopt_long(argc, argv, "b:r:", names, NULL)) != -1)
		switch (c) {
		case 'b':
			options.bytes = (size_t)number("--bytes", optarg, LINE, (long)1 << 36);
			break;
		case 'r':
			options.rounds = number("--rounds", optarg, 1, 1000000);
			break;
		case 's':
			options.small_pages = true;
			break;
		case 'k':
			options.check = true;
			break;
		case 'h':
			print_help();
			break;
		default:
			exit(2);
		}
	if (options.bytes % LINE != 0)
		fail(2, "--bytes: expected a multiple of 64", NULL);
	for (; optind < argc; optind++)
		add_transfer(argv[optind]);
	if (ntransfers == 0)
		fail(2, "no transfer, expected WRITER:READER", NULL);
}

int main(int argc, char **argv)
{
	read_options(argc, argv);
	duration_ns = calloc((size_t)options.rounds, sizeof(*duration_ns));
	if (duration_ns == NULL)
		fail(1, "out of memory for the rounds", NULL);
	for (size_t w = 0; w < nworkers; w++)
		start(&worker[w]);
	for (size_t w = 0; w < nworkers; w++)
		pthread_join(worker[w].thread, NULL);
	report();
	free(duration_ns);
	return 0;
}
