/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log.c -- the writer of raw logs: one mapped file per process, chunks of it per thread. */
#include "record/log.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

__thread struct tv_log_thread tv_log_self;
atomic_int tv_log_on;

/* The log of the process. `opening` guards creation alone. */
static struct {
	char dir[PATH_MAX];
	uint64_t max_bytes;
	pthread_mutex_t opening;
	_Atomic(struct tv_log_header *) header;
	int fd;
	pthread_key_t key; /* its destructor gives the chunk of an ending thread back */
	bool has_key;
} log_ = { .opening = PTHREAD_MUTEX_INITIALIZER, .fd = -1 };

static int64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t tv_log_now(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

static void unmap_chunk(void *unused)
{
	(void)unused;
	if (tv_log_self.chunk)
		munmap(tv_log_self.chunk, TV_LOG_CHUNK);
	tv_log_self.chunk = NULL;
	tv_log_self.next = tv_log_self.end = NULL;
}

void tv_log_start(const char *dir, uint64_t max_bytes, bool on)
{
	snprintf(log_.dir, sizeof log_.dir, "%s", dir);
	log_.max_bytes = max_bytes;
	log_.has_key = !pthread_key_create(&log_.key, unmap_chunk);
	atomic_store(&tv_log_on, on);
}

void tv_log_forked(void)
{
	struct tv_log_header *header = atomic_exchange(&log_.header, NULL);

	unmap_chunk(NULL);
	tv_log_self = (struct tv_log_thread){ 0 };
	if (header)
		munmap(header, TV_LOG_PAGE);
	if (log_.fd >= 0)
		close(log_.fd);
	log_.fd = -1;
	pthread_mutex_init(&log_.opening, NULL);
}

static int rank_of_process(void)
{
	static const char *const name[] = { "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
					    "SLURM_PROCID" };

	for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
		const char *text = getenv(name[i]);
		char *end;
		long rank = text ? strtol(text, &end, 10) : -1;
		if (text && *text && !*end && rank >= 0 && rank < INT_MAX)
			return (int)rank;
	}
	return -1;
}

/* Creates DIR/[RANK.]HOST.PID[-N].tvlog; the process id may be in use again after exec. */
static int create_file(struct tv_log_header *header)
{
	char path[PATH_MAX + 512], rank[16] = "";

	if (header->rank >= 0)
		snprintf(rank, sizeof rank, "%d.", header->rank);
	for (int n = 0; n < 10000; n++) {
		char again[16] = "";
		if (n)
			snprintf(again, sizeof again, "-%d", n);
		snprintf(path, sizeof path, "%s/%s%s.%ld%s.tvlog", log_.dir, rank, header->host,
			 (long)header->pid, again);
		int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

static struct tv_log_header *open_log(void)
{
	struct tv_log_header first = {
		.version = TV_LOG_VERSION,
		.endian = TV_LOG_ENDIAN,
		.page = TV_LOG_PAGE,
		.chunk = TV_LOG_CHUNK,
		.pid = (uint32_t)getpid(),
		.parent_pid = (uint32_t)getppid(),
		.rank = rank_of_process(),
		.begin_mono = clock_ns(CLOCK_MONOTONIC),
		.begin_real = clock_ns(CLOCK_REALTIME),
	};
	struct tv_log_header *header = MAP_FAILED;

	memcpy(first.magic, TV_LOG_MAGIC, sizeof first.magic);
	gethostname(first.host, sizeof first.host - 1);
	int fd = create_file(&first);
	if (fd >= 0 && !posix_fallocate(fd, 0, TV_LOG_PAGE))
		header = mmap(NULL, TV_LOG_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (header == MAP_FAILED) {
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	*header = first;
	log_.fd = fd;
	return header;
}

/* The header of the process's log, opened at the first call; NULL: it cannot be opened. */
static struct tv_log_header *get_header(void)
{
	struct tv_log_header *header = atomic_load_explicit(&log_.header, memory_order_acquire);

	if (header)
		return header;
	pthread_mutex_lock(&log_.opening);
	header = atomic_load(&log_.header);
	if (!header && log_.dir[0]) {
		header = open_log();
		atomic_store(&log_.header, header);
		if (!header)
			atomic_store(&tv_log_on, 0);
	}
	pthread_mutex_unlock(&log_.opening);
	return header;
}

static bool stop(struct tv_log_header *header, enum tv_log_stop why)
{
	uint32_t running = TV_LOG_RUNNING;

	atomic_compare_exchange_strong(&header->stopped, &running, why);
	atomic_fetch_add(&header->lost, 1);
	return false;
}

bool tv_log_grow(unsigned words)
{
	bool is_new = !tv_log_self.chunk && !tv_log_self.last_id;
	struct tv_log_header *header = get_header();
	char name[32] = "";

	if (!header || words > TV_LOG_MAX_WORDS)
		return false;
	if (atomic_load(&header->stopped))
		return stop(header, TV_LOG_RUNNING);
	uint32_t index = atomic_fetch_add(&header->chunks, 1);
	off_t at = TV_LOG_PAGE + (off_t)index * TV_LOG_CHUNK;
	if (log_.max_bytes && (uint64_t)at + TV_LOG_CHUNK > log_.max_bytes)
		return stop(header, TV_LOG_FULL_SIZE);
	if (posix_fallocate(log_.fd, at, TV_LOG_CHUNK))
		return stop(header, TV_LOG_FULL_DISK);
	struct tv_log_chunk *chunk = mmap(NULL, TV_LOG_CHUNK, PROT_READ | PROT_WRITE,
					  MAP_SHARED | MAP_POPULATE, log_.fd, at);
	if (chunk == MAP_FAILED)
		return stop(header, TV_LOG_FULL_DISK);
	unmap_chunk(NULL);
	if (is_new) {
		tv_log_self.number = atomic_fetch_add(&header->threads, 1);
		tv_log_self.last_id = ((uint64_t)tv_log_self.number + 1) << 40;
		if (log_.has_key)
			pthread_setspecific(log_.key, &tv_log_self);
	}
	*chunk = (struct tv_log_chunk){ .magic = TV_LOG_CHUNK_MAGIC, .thread = tv_log_self.number };
	tv_log_self.chunk = chunk;
	tv_log_self.next = (uint64_t *)(chunk + 1);
	tv_log_self.end = (uint64_t *)((char *)chunk + TV_LOG_CHUNK);
	if (is_new) {
		prctl(PR_GET_NAME, name);
		tv_log_write(TV_LOG_THREAD, 0, 2,
			     (uint64_t[]){ tv_log_self.number, (uint64_t)syscall(SYS_gettid) },
			     name, strlen(name));
	}
	return true;
}

uint64_t tv_log_id(void)
{
	if (!tv_log_self.last_id) {
		/* A thread without a chunk yet: its number comes with it. */
		if (!tv_log_grow(2))
			return ++tv_log_self.last_id;
	}
	return ++tv_log_self.last_id;
}

void tv_log_write(unsigned kind, unsigned code, unsigned nargs, const uint64_t *arg,
		  const char *text, size_t n)
{
	size_t max = (TV_LOG_MAX_WORDS - 2 - nargs) * sizeof(uint64_t) - 1;
	size_t length = n < max ? n : max;
	unsigned words = text ? (unsigned)(length / sizeof(uint64_t) + 1) : 0;
	uint64_t *at = tv_log_begin(kind, code, nargs + words, tv_log_now());

	if (!at)
		return;
	for (unsigned i = 0; i < nargs; i++)
		at[i] = arg[i];
	if (text) {
		at[nargs + words - 1] = 0;
		memcpy(at + nargs, text, length);
	}
	tv_log_commit();
}

void tv_log_pause(void)
{
	tv_log_write(TV_LOG_GAP, 1, 0, NULL, NULL, 0);
	atomic_store(&tv_log_on, 0);
}

void tv_log_resume(void)
{
	atomic_store(&tv_log_on, 1);
	tv_log_write(TV_LOG_GAP, 2, 0, NULL, NULL, 0);
}

void tv_log_finish(void)
{
	struct tv_log_header *header = atomic_load(&log_.header);

	if (!header)
		return;
	header->end_mono = clock_ns(CLOCK_MONOTONIC);
	header->end_real = clock_ns(CLOCK_REALTIME);
	atomic_store(&header->finished, 1);
}

int tv_log_reopen(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return -1;
	struct tv_log_header *header = mmap(NULL, TV_LOG_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED,
					    fd, 0);
	if (header == MAP_FAILED || fstat(fd, &st) || st.st_size < TV_LOG_PAGE
	    || memcmp(header->magic, TV_LOG_MAGIC, sizeof header->magic)
	    || header->version != TV_LOG_VERSION || header->endian != TV_LOG_ENDIAN) {
		if (header != MAP_FAILED)
			munmap(header, TV_LOG_PAGE);
		close(fd);
		errno = EINVAL;
		return -1;
	}
	log_.fd = fd;
	log_.max_bytes = 0;
	atomic_store(&log_.header, header);
	atomic_store(&header->stopped, TV_LOG_RUNNING);
	tv_log_self = (struct tv_log_thread){ 0 };
	atomic_store(&tv_log_on, 1);
	return 0;
}

void tv_log_close(void)
{
	struct tv_log_header *header = atomic_exchange(&log_.header, NULL);

	unmap_chunk(NULL);
	tv_log_self = (struct tv_log_thread){ 0 };
	atomic_store(&tv_log_on, 0);
	if (header)
		munmap(header, TV_LOG_PAGE);
	if (log_.fd >= 0)
		close(log_.fd);
	log_.fd = -1;
}
