/* SPDX-License-Identifier: GPL-3.0-or-later */
/* walk.c -- threads that walk linked lists: half of them lists that no cache holds, half lists that L1 holds. README.md beside. */
#include "record/loaded/traceviz.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { LINE = 64, MAX_THREADS = 1024, LONG_FACTOR = 16 };

/* An element fills a line of the cache, so that each step needs another line. */
struct element {
	struct element *next;
	size_t visits;
	char rest[LINE - sizeof(struct element *) - sizeof(size_t)];
};

enum place { FREE, BALANCED, GROUPED };

static struct {
	enum place place;
	long threads, long_bytes, short_bytes, walks, scale;
	bool check;
	int cpu[CPU_SETSIZE], ncpus; /* in the order in which they share caches */
} options = { .walks = 10, .scale = 1 };

struct walker {
	pthread_t thread;
	bool is_long;
	int cpu; /* -1: any */
	size_t elements, steps;
	double seconds;
	bool wrong;
};

static pthread_barrier_t barrier;

static _Noreturn void fail(int status, const char *what, const char *value)
{
	fprintf(stderr, "walk: %s%s%s\n", what, value != NULL ? ": " : "",
		value != NULL ? value : "");
	exit(status);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- one thread ---- */

/* splitmix64: the same list in each run. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
	z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
	return z ^ (z >> 31);
}

/* Chains all elements in one random cycle (Sattolo's algorithm on the array of successors). */
static struct element *make_list(size_t n, uint64_t seed)
{
	struct element *list = aligned_alloc(LINE, n * sizeof(*list));

	if (list == NULL)
		fail(1, "out of memory for a list, expected a smaller --long or a larger --scale",
		     NULL);
	for (size_t i = 0; i < n; i++)
		list[i] = (struct element){ .next = &list[i] };
	for (size_t i = n - 1; i > 0; i--) {
		size_t other = (size_t)(next_random(&seed) % i);
		struct element *next = list[i].next;

		list[i].next = list[other].next;
		list[other].next = next;
	}
	return list;
}

static struct element *walk(struct element *at, size_t steps)
{
	for (size_t i = 0; i < steps; i++)
		at = at->next;
	/* The compiler may not drop the walk. */
	__asm__ volatile("" : : "r"(at) : "memory");
	return at;
}

/* Whether one walk comes back to its begin and visits each element once. */
static bool is_cycle(struct element *list, size_t n)
{
	struct element *at = list;

	for (size_t i = 0; i < n; i++, at = at->next)
		at->visits++;
	for (size_t i = 0; i < n; i++)
		if (list[i].visits != 1)
			return false;
	return at == list;
}

static void *run(void *argument)
{
	struct walker *w = argument;
	struct element *list;
	double begin;

	/* Made by the thread that walks it: its pages are in the memory of its processor. */
	list = make_list(w->elements, w->elements + (size_t)(w->cpu + 1));
	w->wrong = options.check && !is_cycle(list, w->elements);
	pthread_barrier_wait(&barrier);
	traceviz_phase_begin(w->is_long ? "long list" : "short list");
	begin = now();
	w->wrong |= walk(list, w->steps) != list;
	w->seconds = now() - begin;
	traceviz_phase_end(w->is_long ? "long list" : "short list");
	free(list);
	return NULL;
}

static void start(struct walker *w)
{
	pthread_attr_t attributes;
	cpu_set_t set;

	pthread_attr_init(&attributes);
	CPU_ZERO(&set);
	if (w->cpu >= 0) {
		CPU_SET(w->cpu, &set);
		pthread_attr_setaffinity_np(&attributes, sizeof(set), &set);
	}
	if (pthread_create(&w->thread, &attributes, run, w) != 0)
		fail(1, "a thread cannot be started, expected processors of --cpus that it may use",
		     NULL);
	pthread_attr_destroy(&attributes);
}

/* ---- placement ---- */

/* Thread i runs on the i-th part of the processors. Grouped: the first half of the threads has the long lists, so that
 * neighbors, which share caches, have them. Balanced: every second one. */
static void place_threads(struct walker *w)
{
	for (long i = 0; i < options.threads; i++) {
		w[i].is_long = options.place == GROUPED ? i < options.threads / 2 : i % 2 == 0;
		w[i].cpu = options.place == FREE ? -1
						 : options.cpu[i * options.ncpus / options.threads];
		w[i].elements = (size_t)(w[i].is_long ? options.long_bytes : options.short_bytes)
			      / LINE;
	}
}

/* All threads take about the same number of steps: the short lists are walked more often. */
static void share_steps(struct walker *w)
{
	size_t steps = (size_t)(options.long_bytes / LINE) * (size_t)options.walks;

	for (long i = 0; i < options.threads; i++)
		w[i].steps = (steps + w[i].elements - 1) / w[i].elements * w[i].elements;
}

static int report(const struct walker *w)
{
	static const char *const name[] = { "free", "balanced", "grouped" };
	double longest = 0;
	bool wrong = false;

	for (long i = 0; i < options.threads; i++) {
		if (w[i].seconds > longest)
			longest = w[i].seconds;
		wrong |= w[i].wrong;
		printf("thread=%ld list=%s cpu=%d bytes=%zu steps=%zu seconds=%.6f step=%.3f ns\n",
		       i, w[i].is_long ? "long" : "short", w[i].cpu, w[i].elements * LINE,
		       w[i].steps, w[i].seconds, 1e9 * w[i].seconds / (double)w[i].steps);
	}
	printf("walk place=%s threads=%ld seconds=%.6f\n", name[options.place], options.threads,
	       longest);
	if (wrong)
		fail(1, "a list is not one cycle", NULL);
	return 0;
}

/* ---- options ---- */

static long number(const char *option, const char *text, long min, long max)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (end == text || *end != '\0' || errno != 0 || value < min || value > max) {
		fprintf(stderr, "walk: --%s: '%s' is not a number from %ld to %ld\n", option, text,
			min, max);
		exit(2);
	}
	return value;
}

/* "0,2-4": in this order. */
static void read_cpus(const char *list)
{
	options.ncpus = 0;
	while (*list != '\0') {
		char *end;
		long first = strtol(list, &end, 10), last = first;

		if (end != list && *end == '-')
			last = strtol(list = end + 1, &end, 10);
		if (end == list || (*end != ',' && *end != '\0') || first < 0 || last < first
		    || last >= CPU_SETSIZE || last - first >= CPU_SETSIZE - options.ncpus)
			fail(2, "--cpus: expected processors such as 0-7,16-23", NULL);
		for (long cpu = first; cpu <= last; cpu++)
			options.cpu[options.ncpus++] = (int)cpu;
		list = end + (*end == ',');
	}
	if (options.ncpus == 0)
		fail(2, "--cpus: no processor", NULL);
}

static void use_allowed_cpus(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		fail(1, "the processors are unknown, expected --cpus", NULL);
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &set))
			options.cpu[options.ncpus++] = cpu;
}

static void set_place(const char *text)
{
	if (strcmp(text, "free") == 0)
		options.place = FREE;
	else if (strcmp(text, "balanced") == 0)
		options.place = BALANCED;
	else if (strcmp(text, "grouped") == 0)
		options.place = GROUPED;
	else
		fail(2, "--place: expected free, balanced or grouped", text);
}

static void print_help(void)
{
	printf("usage: walk [OPTIONS]\n"
	       "Half of the threads walk lists that no cache holds, half lists that L1 holds.\n\n"
	       "  -p, --place PLACE   free (default), balanced: every second thread has a long "
	       "list,\n"
	       "                      grouped: the first half has them\n"
	       "  -c, --cpus LIST     processors of the threads, those that share a cache side by "
	       "side\n"
	       "                      (default: those that this process may use, by number)\n"
	       "  -t, --threads N     an even number (default: one per processor, two or more)\n"
	       "  -l, --long BYTES    a long list (default: 16 times the last-level cache)\n"
	       "  -s, --short BYTES   a short list (default: the size of L1)\n"
	       "  -d, --scale N       divides the long list by N (default 1)\n"
	       "  -w, --walks N       walks of a long list; a short one takes as many steps "
	       "(default 10)\n"
	       "      --check         verify that each list is one cycle of all its elements\n"
	       "      --help          this text\n\n"
	       "Exit status: 0 done, 1 failure, 2 usage.\n");
	exit(0);
}

static void read_options(int argc, char **argv)
{
	static const struct option names[] = { { "place", required_argument, NULL, 'p' },
					       { "cpus", required_argument, NULL, 'c' },
					       { "threads", required_argument, NULL, 't' },
					       { "long", required_argument, NULL, 'l' },
					       { "short", required_argument, NULL, 's' },
					       { "scale", required_argument, NULL, 'd' },
					       { "walks", required_argument, NULL, 'w' },
					       { "check", no_argument, NULL, 'k' },
					       { "help", no_argument, NULL, 'h' },
					       { 0 } };
	const long limit = (long)1 << 40;
	int c;

	while ((c = getopt_long(argc, argv, "p:c:t:l:s:d:w:", names, NULL)) != -1)
		switch (c) {
		case 'p':
			set_place(optarg);
			break;
		case 'c':
			read_cpus(optarg);
			break;
		case 't':
			options.threads = number("threads", optarg, 2, MAX_THREADS);
			break;
		case 'l':
			options.long_bytes = number("long", optarg, 2 * LINE, limit);
			break;
		case 's':
			options.short_bytes = number("short", optarg, 2 * LINE, limit);
			break;
		case 'd':
			options.scale = number("scale", optarg, 1, limit);
			break;
		case 'w':
			options.walks = number("walks", optarg, 1, 1000000000);
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
	if (optind < argc)
		fail(2, "unexpected argument", argv[optind]);
}

/* Bytes of the n-th cache of the first processor, as Linux lists them: 0 is L1; 0: there is none. */
static long cache_bytes(int n)
{
	char path[80];
	long kib = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu0/cache/index%d/size", n);
	file = fopen(path, "r");
	if (file == NULL)
		return 0;
	if (fscanf(file, "%ldK", &kib) != 1)
		kib = 0;
	fclose(file);
	return kib * 1024;
}

static long last_cache_bytes(void)
{
	long last = 0;

	for (int n = 0; cache_bytes(n) > 0; n++)
		last = cache_bytes(n);
	return last;
}

/* What the options leave open comes from the machine. */
static void complete_options(void)
{
	if (options.short_bytes == 0)
		options.short_bytes = cache_bytes(0);
	if (options.long_bytes == 0)
		options.long_bytes = last_cache_bytes() * LONG_FACTOR;
	options.long_bytes /= options.scale;
	if (options.short_bytes < 2 * LINE || options.long_bytes < options.short_bytes)
		fail(2,
		     "sizes of lists: expected --long, divided by --scale, from --short on, and "
		     "--short "
		     "from 128 on; give both where the caches are unknown",
		     NULL);
	if (options.ncpus == 0)
		use_allowed_cpus();
	if (options.threads == 0)
		options.threads = options.ncpus < 2 ? 2 : options.ncpus / 2 * 2;
	if (options.threads % 2 != 0 || options.threads > MAX_THREADS)
		fail(2, "--threads: expected an even number", NULL);
}

int main(int argc, char **argv)
{
	static struct walker walker[MAX_THREADS];

	read_options(argc, argv);
	complete_options();
	place_threads(walker);
	share_steps(walker);
	pthread_barrier_init(&barrier, NULL, (unsigned)options.threads);
	for (long i = 0; i < options.threads; i++)
		start(&walker[i]);
	for (long i = 0; i < options.threads; i++)
		pthread_join(walker[i].thread, NULL);
	return report(walker);
}
