/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_log.c -- the writer of raw logs: every event is there, in order, whatever happens. */
#include "tests/unit/unit.h"

#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/tool/walk.h"

enum { WRITERS = 64, EVENTS = 5000, SHORT_THREADS = 10000 };

static char folder[64];

static int make_folder(void **state)
{
	(void)state;
	snprintf(folder, sizeof folder, "/tmp/traceviz-log.XXXXXX");
	return mkdtemp(folder) ? 0 : -1;
}

/* The only log in the folder, or the n-th by name. */
static void log_path(char path[512], int n)
{
	struct dirent **entry;
	int found = scandir(folder, &entry, NULL, alphasort), logs = 0;

	path[0] = '\0';
	for (int i = 0; i < found; i++) {
		if (strstr(entry[i]->d_name, ".tvlog") && logs++ == n)
			snprintf(path, 512, "%s/%s", folder, entry[i]->d_name);
		free(entry[i]);
	}
	free(entry);
}

static int remove_folder(void **state)
{
	char path[512];

	(void)state;
	for (log_path(path, 0); path[0]; log_path(path, 0))
		unlink(path);
	return rmdir(folder);
}

/* Runs it in a process of its own, because there is one log per process; its status as of waitpid. */
static int in_child(void (*run)(void))
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		run();
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return status;
}

static void open_only(struct tv_walk *walk)
{
	char path[512];

	log_path(path, 0);
	assert_int_equal(tv_walk_open(walk, path), 0);
}

/* An event of a writer: its index and its number, then a text of some length. */
static bool write_numbered(uint64_t writer, uint64_t number)
{
	static const char text[300];
	uint64_t arg[] = { writer, number };
	size_t n = (writer * 31 + number * 17) % sizeof text;

	tv_log_write(TV_LOG_USER_DATA, 0, 2, arg, number % 3 ? text : NULL, n);
	return tv_log_self.chunk != NULL;
}

/* Checks that each of n writers wrote `each` events, in order, in the log. */
static void check_numbered(struct tv_walk *walk, size_t n, uint64_t each)
{
	uint64_t *next = calloc(n, sizeof *next);
	const struct tv_log_event *event;

	while ((event = tv_walk_next(walk)) != NULL) {
		const uint64_t *arg = tv_walk_args(event);

		if (event->kind != TV_LOG_USER_DATA)
			continue;
		assert_in_range(arg[0], 0, n - 1);
		assert_int_equal(arg[1], next[arg[0]]);
		next[arg[0]]++;
	}
	for (size_t i = 0; i < n; i++)
		assert_int_equal(next[i], each);
	free(next);
}

static pthread_barrier_t barrier;

static void *write_many(void *index)
{
	pthread_barrier_wait(&barrier);
	for (uint64_t i = 0; i < EVENTS; i++)
		write_numbered((uintptr_t)index, i);
	return NULL;
}

static void run_writers(void)
{
	pthread_t thread[WRITERS];

	tv_log_start(folder, 0, 0);
	pthread_barrier_init(&barrier, NULL, WRITERS);
	for (uintptr_t i = 0; i < WRITERS; i++)
		pthread_create(&thread[i], NULL, write_many, (void *)i);
	for (size_t i = 0; i < WRITERS; i++)
		pthread_join(thread[i], NULL);
	tv_log_finish();
}

static void threads_at_once(void **state)
{
	struct tv_walk walk;

	(void)state;
	assert_int_equal(in_child(run_writers), 0);
	open_only(&walk);
	assert_int_equal(walk.header->threads, WRITERS);
	assert_int_equal(walk.header->lost, 0);
	assert_int_equal(walk.header->finished, 1);
	assert_true(walk.header->end_mono > walk.header->begin_mono);
	check_numbered(&walk, WRITERS, EVENTS);
	tv_walk_close(&walk);
}

static void *write_one(void *index)
{
	write_numbered((uintptr_t)index, 0);
	return NULL;
}

static void run_short_threads(void)
{
	tv_log_start(folder, 0, 0);
	for (uintptr_t i = 0; i < SHORT_THREADS; i += 4) {
		pthread_t thread[4];

		for (uintptr_t k = 0; k < 4; k++)
			pthread_create(&thread[k], NULL, write_one, (void *)(i + k));
		for (size_t k = 0; k < 4; k++)
			pthread_join(thread[k], NULL);
	}
}

/* Threads that come and go share buffers, and each keeps its own number. */
static void short_threads(void **state)
{
	const struct tv_log_event *event;
	bool *seen = calloc(SHORT_THREADS, sizeof *seen);
	struct tv_walk walk;

	(void)state;
	assert_int_equal(in_child(run_short_threads), 0);
	open_only(&walk);
	check_numbered(&walk, SHORT_THREADS, 1);
	/* About 100 bytes per thread, not a chunk. */
	assert_true(walk.size < 100 * TV_LOG_CHUNK);
	tv_walk_close(&walk);
	open_only(&walk);
	assert_int_equal(walk.header->threads, SHORT_THREADS);
	assert_int_equal(walk.header->finished, 0);
	while ((event = tv_walk_next(&walk)) != NULL)
		if (event->kind == TV_LOG_USER_DATA) {
			assert_false(seen[walk.thread]);
			seen[walk.thread] = true;
		}
	tv_walk_close(&walk);
	free(seen);
}

static _Atomic uint64_t *shared; /* events that were certainly written */

static void write_until_killed(void)
{
	tv_log_start(folder, 0, 0);
	for (uint64_t i = 0;; i++) {
		write_numbered(0, i);
		atomic_store(shared, i + 1);
	}
}

/* Whenever the process is killed, also while a buffer is copied, all events are there once. */
static void killed(void **state)
{
	uint64_t random = unit_seed(13);

	(void)state;
	shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (int run = 0; run < 30; run++) {
		struct tv_walk walk;
		char path[512];
		pid_t child = fork();
		uint64_t n;

		if (child == 0)
			write_until_killed();
		while (atomic_load(shared) < 100)
			usleep(100);
		usleep((useconds_t)unit_random(&random, 3000));
		kill(child, SIGKILL);
		waitpid(child, NULL, 0);
		n = atomic_exchange(shared, 0);
		log_path(path, 0);
		assert_int_equal(tv_walk_open(&walk, path), 0);
		{
			const struct tv_log_event *event;
			uint64_t next = 0;

			while ((event = tv_walk_next(&walk)) != NULL)
				if (event->kind == TV_LOG_USER_DATA)
					assert_int_equal(tv_walk_args(event)[1], next++);
			assert_in_range(next, n, n + 1);
		}
		tv_walk_close(&walk);
		unlink(path);
	}
	munmap(shared, 4096);
}

static void write_three(void)
{
	tv_log_start(folder, 0, 0);
	for (uint64_t i = 0; i < 3; i++)
		write_numbered(0, i);
}

/* A process that ends while it copies its buffer leaves a copy, whole or not, with the same sequence:
 * the buffer has those events. */
static void unfinished_copy(void **state)
{
	struct tv_log_header *header;
	struct tv_walk walk;
	char path[512], *bytes;
	int fd;

	(void)state;
	assert_int_equal(in_child(write_three), 0);
	log_path(path, 0);
	fd = open(path, O_RDWR);
	assert_int_equal(ftruncate(fd, TV_LOG_PAGE + 2 * TV_LOG_CHUNK), 0);
	bytes = mmap(NULL, TV_LOG_PAGE + 2 * TV_LOG_CHUNK, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		     0);
	assert_true(bytes != MAP_FAILED);
	header = (void *)bytes;
	header->chunks = 2;
	for (size_t n = 0; n < 2000; n += 400) {
		memset(bytes + TV_LOG_PAGE + TV_LOG_CHUNK, 0, TV_LOG_CHUNK);
		memcpy(bytes + TV_LOG_PAGE + TV_LOG_CHUNK, bytes + TV_LOG_PAGE, n);
		open_only(&walk);
		check_numbered(&walk, 1, 3);
		tv_walk_close(&walk);
	}
	munmap(bytes, TV_LOG_PAGE + 2 * TV_LOG_CHUNK);
	close(fd);
}

static void write_beyond_limit(void)
{
	tv_log_start(folder, 4 * TV_LOG_CHUNK, 0);
	for (uint64_t i = 0; i < 10000; i++)
		write_numbered(0, i);
}

/* Beyond --max-size nothing is written, and what is lost is counted. */
static void limited_size(void **state)
{
	const struct tv_log_event *event;
	struct tv_walk walk;
	uint64_t n = 0;

	(void)state;
	assert_int_equal(in_child(write_beyond_limit), 0);
	open_only(&walk);
	assert_true(walk.size <= 4 * TV_LOG_CHUNK);
	assert_int_equal(walk.header->stopped, TV_LOG_FULL_SIZE);
	while ((event = tv_walk_next(&walk)) != NULL)
		if (event->kind == TV_LOG_USER_DATA)
			assert_int_equal(tv_walk_args(event)[1], n++);
	assert_true(n > 0);
	assert_int_equal(n + walk.header->lost, 10000);
	tv_walk_close(&walk);
}

static void write_beyond_ulimit(void)
{
	struct rlimit limit = { 5 * TV_LOG_CHUNK, 5 * TV_LOG_CHUNK };

	setrlimit(RLIMIT_FSIZE, &limit);
	tv_log_start(folder, 0, 0);
	for (uint64_t i = 0; i < 10000; i++)
		write_numbered(0, i);
}

/* The limit of the shell does not end the program by its signal. */
static void limited_file(void **state)
{
	struct tv_walk walk;

	(void)state;
	assert_int_equal(in_child(write_beyond_ulimit), 0);
	open_only(&walk);
	assert_int_equal(walk.header->stopped, TV_LOG_FULL_FILE);
	assert_true(walk.header->lost > 0);
	tv_walk_close(&walk);
}

/* What record adds afterwards leaves the rest as it is. */
static void reopened(void **state)
{
	const struct tv_log_event *event;
	struct tv_walk walk;
	char path[512];
	uint64_t lost, sites = 0, n = 0;

	(void)state;
	assert_int_equal(in_child(write_beyond_limit), 0);
	open_only(&walk);
	lost = walk.header->lost;
	tv_walk_close(&walk);
	log_path(path, 0);
	for (int run = 0; run < 2; run++) {
		assert_int_equal(tv_log_reopen(path), 0);
		for (uint64_t i = 0; i < 5000; i++)
			tv_log_write(TV_LOG_SITE, 0, 2, (uint64_t[]){ i, i }, "a\0b\0c", 5);
		tv_log_close();
	}
	open_only(&walk);
	while ((event = tv_walk_next(&walk)) != NULL) {
		n += event->kind == TV_LOG_USER_DATA;
		if (event->kind == TV_LOG_SITE)
			assert_int_equal(tv_walk_args(event)[0], sites++ % 5000);
	}
	assert_int_equal(sites, 10000);
	assert_int_equal(walk.header->stopped, TV_LOG_FULL_SIZE);
	assert_int_equal(walk.header->lost, lost);
	assert_int_equal(n + lost, 10000);
	tv_walk_close(&walk);
	assert_int_equal(tv_log_reopen(folder), -1);
}

static void write_and_fork(void)
{
	pid_t child;

	pthread_atfork(NULL, NULL, tv_log_forked);
	tv_log_start(folder, 0, 0);
	tv_log_id();
	write_numbered(0, 0);
	child = fork();
	write_numbered(child ? 1 : 2, tv_log_id() & 0xffff);
	tv_log_finish();
	if (child == 0)
		_exit(0);
	waitpid(child, NULL, 0);
}

/* Parent and child each have a log of their own, and identifiers go on in the child. */
static void forked(void **state)
{
	int writers = 0, starts = 0;
	char path[512];

	(void)state;
	assert_int_equal(in_child(write_and_fork), 0);
	for (int i = 0; i < 2; i++) {
		const struct tv_log_event *event;
		struct tv_walk walk;

		log_path(path, i);
		assert_int_equal(tv_walk_open(&walk, path), 0);
		assert_int_equal(walk.header->threads, 1);
		while ((event = tv_walk_next(&walk)) != NULL) {
			assert_int_equal(walk.thread, 0);
			if (event->kind != TV_LOG_USER_DATA)
				continue;
			if (tv_walk_args(event)[0] == 0)
				starts++;
			else
				assert_int_equal(tv_walk_args(event)[1], 2);
			writers += (int)tv_walk_args(event)[0];
		}
		tv_walk_close(&walk);
	}
	assert_int_equal(starts, 1);
	assert_int_equal(writers, 3);
	log_path(path, 2);
	assert_string_equal(path, "");
}

static void write_with_gaps(void)
{
	tv_log_start(folder, 0, TV_LOG_BY_PART);
	write_numbered(1, 0);
	/* Neither the program nor the part begins before the time, nor one without the other. */
	tv_log_start_at(tv_log_now() + 1000000000);
	tv_log_pause(TV_LOG_BY_PROGRAM);
	tv_log_resume(TV_LOG_BY_PROGRAM);
	write_numbered(1, 0);
	tv_log_resume(TV_LOG_BY_PART);
	tv_log_pause(TV_LOG_BY_PROGRAM);
	tv_log_resume(TV_LOG_BY_PROGRAM);
	write_numbered(1, 0);
	usleep(1010000);
	write_numbered(0, 0);
	for (uint64_t i = 1; i < 10; i++) {
		enum tv_log_switch inner = i % 2 == 0 ? TV_LOG_BY_PART : TV_LOG_BY_PROGRAM;

		tv_log_pause(TV_LOG_BY_PROGRAM);
		write_numbered(1, i);
		tv_log_pause(TV_LOG_BY_PART);
		tv_log_resume(inner);
		write_numbered(1, i);
		tv_log_resume(inner == TV_LOG_BY_PART ? TV_LOG_BY_PROGRAM : TV_LOG_BY_PART);
		write_numbered(0, i);
	}
}

/* Nothing is recorded before --start-after and in pauses. */
static void gaps(void **state)
{
	const struct tv_log_event *event;
	struct tv_walk walk;
	int n[3] = { 0 };

	(void)state;
	assert_int_equal(in_child(write_with_gaps), 0);
	open_only(&walk);
	check_numbered(&walk, 1, 10);
	tv_walk_close(&walk);
	open_only(&walk);
	while ((event = tv_walk_next(&walk)) != NULL)
		if (event->kind == TV_LOG_GAP)
			n[event->code]++;
	assert_int_equal(n[1], 9);
	assert_int_equal(n[2], 10);
	assert_true(tv_walk_next(&walk) == NULL);
	tv_walk_close(&walk);
}

static uint64_t id[8][1000];

static void *take_ids(void *index)
{
	for (size_t i = 0; i < 1000; i++)
		id[(uintptr_t)index][i] = tv_log_id();
	return NULL;
}

static int by_value(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* Identifiers are unique although nothing is recorded and no thread has a number. */
static void identifiers(void **state)
{
	pthread_t thread[8];
	uint64_t *all = id[0];

	(void)state;
	for (uintptr_t i = 0; i < 8; i++)
		pthread_create(&thread[i], NULL, take_ids, (void *)i);
	for (size_t i = 0; i < 8; i++)
		pthread_join(thread[i], NULL);
	qsort(all, 8000, sizeof *all, by_value);
	assert_true(all[0] > 0);
	for (size_t i = 1; i < 8000; i++)
		assert_true(all[i - 1] < all[i]);
}

/* Any bytes in a log are read without leaving it. */
static void damaged(void **state)
{
	uint64_t random = unit_seed(7);
	struct tv_walk walk;
	char path[512], copy[600];
	unsigned char *bytes;
	size_t size;

	(void)state;
	assert_int_equal(in_child(write_beyond_limit), 0);
	open_only(&walk);
	size = walk.size;
	bytes = malloc(size);
	memcpy(bytes, walk.header, size);
	tv_walk_close(&walk);
	log_path(path, 0);
	snprintf(copy, sizeof copy, "%s.tvlog", path);
	for (int run = 0; run < 200; run++) {
		const struct tv_log_event *event;
		size_t cut = run % 4 ? size : unit_random(&random, size), sum = 0, length;
		FILE *file = fopen(copy, "wb");

		for (int k = 0; k < 50; k++)
			bytes[unit_random(&random, size)] = (unsigned char)unit_random(&random,
										       256);
		memcpy(bytes, TV_LOG_MAGIC, 8);
		fwrite(bytes, 1, cut, file);
		fclose(file);
		if (tv_walk_open(&walk, copy) < 0)
			continue;
		while ((event = tv_walk_next(&walk)) != NULL) {
			const char *text = tv_walk_text(event, 2, &length);

			sum += text ? strlen(text) : 0;
		}
		assert_true(sum < 10 * size);
		tv_walk_close(&walk);
	}
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(threads_at_once, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(short_threads, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(killed, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(unfinished_copy, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(limited_size, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(limited_file, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(reopened, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(forked, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(gaps, make_folder, remove_folder),
		cmocka_unit_test(identifiers),
		cmocka_unit_test_setup_teardown(damaged, make_folder, remove_folder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
