/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log.c -- the writer of raw logs: one file per process, with a mapped buffer in it per thread. */
#include "record/loaded/log.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "record/loaded/job.h"

enum {
	MIN_FD = 500,	   /* below are the numbers that programs use */
	SERIAL_SHIFT = 40, /* a thread gives 2^40 numbers, then takes a new serial */
	MIN_SPACE = 256,   /* words in a free buffer */
};

__thread struct tv_log_thread tv_log_self;
atomic_int tv_log_on;
atomic_uint tv_log_age = 1;

/* The log of the process. The lock is held where a thread begins, ends, or needs a chunk. */
static struct {
	char dir[PATH_MAX];	   /* "" = not recording */
	char path[PATH_MAX + 512]; /* of the file */
	dev_t device;
	ino_t inode;
	uint64_t max_bytes;
	int64_t start_at;
	atomic_uint paused; /* sum of enum tv_log_switch */
	void (*describe)(int64_t time);
	pthread_mutex_t lock;
	_Atomic(struct tv_log_header *) header;
	int fd;
	bool reopened; /* by `record`: no limit holds, no loss is counted */
	bool described;
	uint32_t threads;	   /* numbers given */
	atomic_ullong serials;	   /* the upper bits of tv_log_id; also over a fork */
	struct tv_log_chunk *free; /* buffers of threads that ended */
	pthread_key_t key;	   /* its destructor gives the buffer of an ending thread back */
	bool has_key;
} log_ = { .lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1 };

static uint64_t *chunk_words(struct tv_log_chunk *chunk)
{
	return (uint64_t *)(chunk + 1);
}

/* No event uses it: a free buffer has a pointer to the next free one there. */
static uint64_t *last_word(struct tv_log_chunk *chunk)
{
	return (uint64_t *)((char *)chunk + TV_LOG_CHUNK) - 1;
}

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

/* What holds while the log is changed: no cancellation of the thread, and errno stays. */
struct guard {
	int errno_before, cancel;
};

static struct guard enter(void)
{
	struct guard guard = { .errno_before = errno };

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &guard.cancel);
	return guard;
}

static void leave(struct guard guard)
{
	pthread_setcancelstate(guard.cancel, NULL);
	errno = guard.errno_before;
}

static void use_buffer(struct tv_log_chunk *chunk)
{
	tv_log_self.chunk = chunk;
	tv_log_self.next = chunk ? chunk_words(chunk) + chunk->words : NULL;
	tv_log_self.end = chunk ? last_word(chunk) : NULL;
}

static struct tv_log_chunk *take_free_buffer(void)
{
	struct tv_log_chunk *chunk = log_.free;

	if (chunk)
		memcpy(&log_.free, last_word(chunk), sizeof log_.free);
	return chunk;
}

/* fstat, which is no symbol of a glibc before 2.33. */
static int get_stat(int fd, struct stat *st)
{
	return (int)syscall(SYS_fstat, fd, st);
}

static bool is_log(int fd)
{
	struct stat st;

	return fd >= 0 && get_stat(fd, &st) == 0 && st.st_dev == log_.device
	    && st.st_ino == log_.inode;
}

/* Whether the file is open. A program may close all files that it does not know (closefrom), and the
 * number may then be that of a file of its own. */
static bool has_file(void)
{
	if (is_log(log_.fd))
		return true;
	log_.fd = open(log_.path, O_RDWR | O_CLOEXEC);
	if (log_.fd >= 0 && !is_log(log_.fd)) {
		close(log_.fd);
		log_.fd = -1;
	}
	return log_.fd >= 0;
}

/* From now on this is the file of the log, by a number that a program does not expect to be its next. */
static int keep_file(int fd)
{
	int high = fcntl(fd, F_DUPFD_CLOEXEC, MIN_FD);
	struct stat st;

	if (high >= 0) {
		close(fd);
		fd = high;
	}
	if (get_stat(fd, &st) == 0) {
		log_.device = st.st_dev;
		log_.inode = st.st_ino;
	}
	return fd;
}

/* Leaves the log without a word to it. The buffers of other threads stay mapped: in the child of a
 * fork those threads do not exist, and nothing is known of their buffers. */
static void forget_log(void)
{
	struct tv_log_header *header = atomic_exchange(&log_.header, NULL);

	if (tv_log_self.chunk)
		munmap(tv_log_self.chunk, TV_LOG_CHUNK);
	for (struct tv_log_chunk *chunk; (chunk = take_free_buffer()) != NULL;)
		munmap(chunk, TV_LOG_CHUNK);
	use_buffer(NULL);
	tv_log_self.numbered = false;
	tv_log_self.ending = 0;
	log_.threads = 0;
	log_.described = log_.reopened = false;
	if (header)
		munmap(header, TV_LOG_PAGE);
	if (is_log(log_.fd))
		close(log_.fd);
	log_.fd = -1;
}

void tv_log_forked(void)
{
	int full = TV_LOG_FULL;

	/* Another thread of the parent may have held the lock, amid a change of the list. */
	pthread_mutex_init(&log_.lock, NULL);
	log_.free = NULL;
	forget_log();
	tv_log_forget_modules();
	atomic_compare_exchange_strong(&tv_log_on, &full, TV_LOG_ON);
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
	char rank[16] = "";

	if (header->rank >= 0)
		snprintf(rank, sizeof rank, "%d.", header->rank);
	for (int n = 0; n < 10000; n++) {
		char again[16] = "";
		if (n)
			snprintf(again, sizeof again, "-%d", n);
		snprintf(log_.path, sizeof log_.path, "%s/%s%s.%ld%s.tvlog", log_.dir, rank,
			 header->host, (long)header->pid, again);
		int fd = open(log_.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

/* Reserves bytes of the file: a page that is mapped and has no space on disk would kill the program
 * when it is written. */
static bool reserve(int fd, off_t at, off_t bytes)
{
	int rc;

	while ((rc = posix_fallocate(fd, at, bytes)) == EINTR)
		;
	return rc == 0;
}

/* Whether the file may have that size: writing beyond the limit (ulimit -f) kills the program. */
static bool is_allowed(uint64_t bytes)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur == RLIM_INFINITY
	    || bytes <= limit.rlim_cur;
}

static void *map(int fd, off_t at, size_t bytes)
{
	void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, at);

	return p != MAP_FAILED ? p : NULL;
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
	struct tv_log_header *header = NULL;

	memcpy(first.magic, TV_LOG_MAGIC, sizeof first.magic);
	tv_host_name(first.host, sizeof first.host);
	int fd = create_file(&first);
	if (fd >= 0 && is_allowed(TV_LOG_PAGE) && reserve(fd, 0, TV_LOG_PAGE))
		header = map(fd, 0, TV_LOG_PAGE);
	if (!header) {
		if (fd >= 0)
			close(fd);
		return NULL;
	}
	*header = first;
	log_.fd = keep_file(fd);
	return header;
}

/* The header of the process's log, opened at the first call; NULL: it cannot be opened. */
static struct tv_log_header *get_header(void)
{
	struct tv_log_header *header = atomic_load(&log_.header);

	/* A fork that did not call tv_log_forked (by clone) must not write to the parent's log. */
	if (header && !log_.reopened && header->pid != (uint32_t)getpid()) {
		log_.free = NULL;
		forget_log();
		header = NULL;
	}
	if (header || !log_.dir[0])
		return header;
	header = open_log();
	atomic_store(&log_.header, header);
	if (!header) {
		log_.dir[0] = '\0';
		atomic_store(&tv_log_on, TV_LOG_OFF);
	}
	return header;
}

static void stop(struct tv_log_header *header, enum tv_log_stop why)
{
	if (log_.reopened)
		return;
	atomic_store(&header->stopped, why);
	atomic_store(&tv_log_on, TV_LOG_FULL);
}

/* Counts a chunk at the end of the file: its place, or -1 when there is no more space. */
static off_t add_chunk(struct tv_log_header *header)
{
	uint32_t n = atomic_load(&header->chunks);
	uint64_t end;

	do {
		end = TV_LOG_PAGE + ((uint64_t)n + 1) * TV_LOG_CHUNK;
		if (log_.max_bytes && end > log_.max_bytes) {
			stop(header, TV_LOG_FULL_SIZE);
			return -1;
		}
		if (!is_allowed(end)) {
			stop(header, TV_LOG_FULL_FILE);
			return -1;
		}
		/* The log may be open in another process, too: in a fork that nobody knows of. */
	} while (!atomic_compare_exchange_weak(&header->chunks, &n, n + 1));
	return (off_t)(end - TV_LOG_CHUNK);
}

static struct tv_log_chunk *new_buffer(struct tv_log_header *header)
{
	off_t at = add_chunk(header);
	struct tv_log_chunk *chunk = NULL;

	if (at < 0)
		return NULL;
	if (reserve(log_.fd, at, TV_LOG_CHUNK))
		chunk = map(log_.fd, at, TV_LOG_CHUNK);
	if (!chunk) {
		stop(header, TV_LOG_FULL_DISK);
		return NULL;
	}
	*chunk = (struct tv_log_chunk){ .magic = TV_LOG_CHUNK_MAGIC,
					.buffer = (uint32_t)((at - TV_LOG_PAGE) / TV_LOG_CHUNK) };
	return chunk;
}

/*
 * Copies the thread's buffer to the end of the file and empties it. Both become true at once, by one
 * store: before it, readers ignore the copy; after it, the buffer is the next of the list.
 */
static bool empty_buffer(struct tv_log_header *header, off_t at)
{
	struct tv_log_chunk *chunk = tv_log_self.chunk;
	struct tv_log_chunk next = { .words = 0, .sequence = chunk->sequence + 1 };
	uint64_t pair;

	if (pwrite(log_.fd, chunk, TV_LOG_CHUNK, at) != TV_LOG_CHUNK) {
		stop(header, TV_LOG_FULL_DISK);
		return false;
	}
	memcpy(&pair, (char *)&next + offsetof(struct tv_log_chunk, words), sizeof pair);
	atomic_store((_Atomic uint64_t *)(void *)&chunk->words, pair);
	chunk->thread = tv_log_self.number;
	use_buffer(chunk);
	return true;
}

/* Fills the event that begins at the end of the chunk, which has the space, and commits it. */
static void put(int64_t time, unsigned kind, unsigned code, unsigned nargs, const uint64_t *arg,
		const char *text, size_t n)
{
	struct tv_log_event *event = (void *)tv_log_self.next;
	unsigned words = text ? (unsigned)(n / sizeof(uint64_t) + 1) : 0;
	uint64_t *at = tv_log_self.next + 2;

	*event = (struct tv_log_event){ .kind = (uint8_t)kind,
					.code = (uint8_t)code,
					.words = (uint16_t)(2 + nargs + words),
					.time = time };
	for (unsigned i = 0; i < nargs; i++)
		at[i] = arg[i];
	if (text) {
		at[nargs + words - 1] = 0;
		memcpy(at + nargs, text, n);
	}
	tv_log_commit();
}

/* Gives the thread a buffer and names it there; a new thread gets a number. */
static bool take_buffer(struct tv_log_header *header, int64_t time)
{
	struct tv_log_chunk *chunk = take_free_buffer();
	char name[32] = "";

	if (!chunk)
		chunk = new_buffer(header);
	if (!chunk)
		return false;
	if (!tv_log_self.numbered)
		tv_log_self.number = log_.threads++;
	tv_log_self.numbered = true;
	atomic_store(&header->threads, log_.threads);
	if (log_.has_key)
		pthread_setspecific(log_.key, &tv_log_self);
	if (chunk->words == 0)
		chunk->thread = tv_log_self.number;
	use_buffer(chunk);
	prctl(PR_GET_NAME, name);
	put(time, TV_LOG_THREAD, 0, 2,
	    (uint64_t[]){ tv_log_self.number, (uint64_t)syscall(SYS_gettid) }, name, strlen(name));
	return true;
}

static ptrdiff_t space(void)
{
	return tv_log_self.end - tv_log_self.next;
}

/* A buffer for the thread, or space in the one it has; *first: it is the first of the process. */
static bool get_space(int64_t time, bool *first)
{
	struct tv_log_header *header;
	off_t at = -1;
	bool ok;

	pthread_mutex_lock(&log_.lock);
	header = get_header();
	if (!header)
		ok = false;
	else if (!has_file()) {
		stop(header, TV_LOG_FULL_DISK);
		ok = false;
	} else if (!tv_log_self.chunk)
		ok = take_buffer(header, time);
	else
		ok = (at = add_chunk(header)) >= 0;
	*first = ok && !log_.described;
	log_.described |= *first;
	pthread_mutex_unlock(&log_.lock);
	return ok && (at < 0 || empty_buffer(header, at));
}

/*
 * Called at the end of a thread: another one may go on in its buffer, if that has some space.
 * Destructors of others, which are called in rounds, may still write events, so the buffer is kept
 * until the last round but one; in the last one, sanitizers take down what they know of the thread.
 */
static void end_thread(void *self)
{
	struct tv_log_chunk *chunk;
	struct guard guard;
	bool first;

	if (++tv_log_self.ending < PTHREAD_DESTRUCTOR_ITERATIONS - 1) {
		pthread_setspecific(log_.key, self);
		return;
	}
	guard = enter();
	if (tv_log_self.chunk && space() < MIN_SPACE && !get_space(0, &first)) {
		munmap(tv_log_self.chunk, TV_LOG_CHUNK);
		use_buffer(NULL);
	}
	pthread_mutex_lock(&log_.lock);
	chunk = tv_log_self.chunk;
	if (chunk) {
		memcpy(last_word(chunk), &log_.free, sizeof log_.free);
		log_.free = chunk;
	}
	use_buffer(NULL);
	pthread_mutex_unlock(&log_.lock);
	leave(guard);
}

void tv_log_start(const char *dir, uint64_t max_bytes, unsigned paused)
{
	snprintf(log_.dir, sizeof log_.dir, "%s", dir);
	log_.max_bytes = max_bytes;
	if (!log_.has_key)
		log_.has_key = !pthread_key_create(&log_.key, end_thread);
	log_.start_at = 0;
	atomic_store(&log_.paused, paused);
	atomic_store(&tv_log_on, paused == 0 ? TV_LOG_ON : TV_LOG_OFF);
}

void tv_log_start_at(int64_t time)
{
	int on = TV_LOG_ON;

	log_.start_at = time;
	atomic_compare_exchange_strong(&tv_log_on, &on, TV_LOG_WAITING);
}

void tv_log_describe_by(void (*describe)(int64_t time))
{
	log_.describe = describe;
}

static void count_loss(void)
{
	struct tv_log_header *header = atomic_load(&log_.header);

	if (header && !log_.reopened)
		atomic_fetch_add(&header->lost, 1);
}

bool tv_log_grow(unsigned words, int64_t time)
{
	struct guard guard = enter();
	bool ok = words <= TV_LOG_MAX_WORDS, first;

	while (ok && space() < (ptrdiff_t)words) {
		ok = get_space(time, &first);
		if (first && log_.describe)
			log_.describe(time);
	}
	if (!ok)
		count_loss();
	leave(guard);
	return ok;
}

bool tv_log_wake(int64_t time)
{
	int state = atomic_load(&tv_log_on);

	if (state == TV_LOG_FULL)
		count_loss();
	if (state != TV_LOG_WAITING || time < log_.start_at)
		return state == TV_LOG_ON;
	if (atomic_compare_exchange_strong(&tv_log_on, &state, TV_LOG_ON))
		tv_log_write_at(time, TV_LOG_GAP, 2, 0, NULL, NULL, 0);
	return true;
}

uint64_t tv_log_id(void)
{
	uint64_t rest = ((uint64_t)1 << SERIAL_SHIFT) - 1;

	if ((tv_log_self.last_id & rest) == rest || tv_log_self.last_id == 0)
		tv_log_self.last_id = (atomic_fetch_add(&log_.serials, 1) + 1) << SERIAL_SHIFT;
	return ++tv_log_self.last_id;
}

void tv_log_write_at(int64_t time, unsigned kind, unsigned code, unsigned nargs,
		     const uint64_t *arg, const char *text, size_t n)
{
	size_t max = (TV_LOG_MAX_WORDS - 2 - nargs) * sizeof(uint64_t) - 1;
	size_t length = n < max ? n : max;
	unsigned words = text ? (unsigned)(length / sizeof(uint64_t) + 1) : 0;

	if (tv_log_begin(kind, code, nargs + words, time))
		put(time, kind, code, nargs, arg, text, length);
}

void tv_log_write(unsigned kind, unsigned code, unsigned nargs, const uint64_t *arg,
		  const char *text, size_t n)
{
	tv_log_write_at(tv_log_now(), kind, code, nargs, arg, text, n);
}

static void suspend(void)
{
	int on = TV_LOG_ON, waiting = TV_LOG_WAITING;

	if (!atomic_compare_exchange_strong(&tv_log_on, &on, TV_LOG_OFF))
		atomic_compare_exchange_strong(&tv_log_on, &waiting, TV_LOG_OFF);
}

void tv_log_pause(enum tv_log_switch by)
{
	if (atomic_load(&tv_log_on) == TV_LOG_ON)
		tv_log_write(TV_LOG_GAP, 1, 0, NULL, NULL, 0);
	atomic_fetch_or(&log_.paused, by);
	suspend();
}

void tv_log_resume(enum tv_log_switch by)
{
	int off = TV_LOG_OFF;
	bool waits = log_.start_at > 0 && tv_log_now() < log_.start_at;

	if (!log_.dir[0] || (atomic_fetch_and(&log_.paused, ~(unsigned)by) & ~(unsigned)by) != 0)
		return;
	if (!atomic_compare_exchange_strong(&tv_log_on, &off, waits ? TV_LOG_WAITING : TV_LOG_ON))
		return;
	if (!waits)
		tv_log_write(TV_LOG_GAP, 2, 0, NULL, NULL, 0);
	/* Another thread may have paused it between the two changes. */
	if (atomic_load(&log_.paused) != 0)
		suspend();
}

static void set_end(struct tv_log_header *header)
{
	header->end_mono = clock_ns(CLOCK_MONOTONIC);
	header->end_real = clock_ns(CLOCK_REALTIME);
}

void tv_log_finish(void)
{
	struct tv_log_header *header = atomic_load(&log_.header);

	if (!header || header->pid != (uint32_t)getpid())
		return;
	set_end(header);
	atomic_store(&header->finished, 1);
}

int tv_log_reopen(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	struct tv_log_header *header = NULL;
	struct stat st;

	if (fd < 0)
		return -1;
	if (!get_stat(fd, &st) && st.st_size >= TV_LOG_PAGE)
		header = map(fd, 0, TV_LOG_PAGE);
	if (!header || memcmp(header->magic, TV_LOG_MAGIC, sizeof header->magic)
	    || header->version != TV_LOG_VERSION || header->endian != TV_LOG_ENDIAN
	    || header->page != TV_LOG_PAGE || header->chunk != TV_LOG_CHUNK) {
		if (header)
			munmap(header, TV_LOG_PAGE);
		close(fd);
		errno = EINVAL;
		return -1;
	}
	/* Chunks that were counted and did not fit, or a file that was cut. */
	if (header->chunks > (st.st_size - TV_LOG_PAGE) / TV_LOG_CHUNK)
		header->chunks = (uint32_t)((st.st_size - TV_LOG_PAGE) / TV_LOG_CHUNK);
	forget_log();
	snprintf(log_.path, sizeof log_.path, "%s", path);
	log_.fd = keep_file(fd);
	log_.reopened = log_.described = true;
	log_.max_bytes = 0;
	log_.threads = header->threads;
	atomic_store(&log_.header, header);
	atomic_store(&tv_log_on, TV_LOG_ON);
	return 0;
}

void tv_log_note_end(void)
{
	struct tv_log_header *header = atomic_load(&log_.header);

	if (!atomic_load(&header->finished) && header->end_mono == 0)
		set_end(header);
}

void tv_log_close(void)
{
	forget_log();
	atomic_store(&tv_log_on, TV_LOG_OFF);
}
