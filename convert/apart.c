/* SPDX-License-Identifier: GPL-3.0-or-later */
/* apart.c -- a child process that runs a library and sends what it finds through a pipe. */
#include "convert/apart.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trace/alloc.h"
#include "trace/error.h"

enum {
	SILENCE_MS = 10000, /* without a byte: it hangs */
	BUFFER = 1 << 18,
	PIPE = 1 << 20 /* fewer changes between the two processes */
};

static void run_child(void (*work)(void *context, FILE *to), void *context, int to)
{
	static const int handled[] = { SIGINT,	SIGTERM, SIGHUP, SIGPIPE,
				       SIGSEGV, SIGBUS,	 SIGFPE, SIGABRT };
	int silent = open("/dev/null", O_WRONLY | O_CLOEXEC);
	FILE *stream = fdopen(to, "w");

	for (size_t i = 0; i < TV_COUNT(handled); i++)
		signal(handled[i], SIG_DFL);
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
	if (silent >= 0) {
		dup2(silent, STDOUT_FILENO);
		dup2(silent, STDERR_FILENO);
	}
	if (stream != NULL) {
		setvbuf(stream, NULL, _IOFBF, BUFFER);
		work(context, stream);
		fflush(stream);
	}
	_exit(0);
}

void tv_apart_open(struct tv_apart *apart, int from)
{
	*apart = (struct tv_apart){ .from = from, .bytes = tv_alloc(BUFFER, 1) };
}

bool tv_apart_start(struct tv_apart *apart, void (*work)(void *context, FILE *to), void *context)
{
	int ends[2];

	*apart = (struct tv_apart){ .from = -1 };
	if (pipe2(ends, O_CLOEXEC) != 0)
		return false;
	(void)fcntl(ends[1], F_SETPIPE_SZ, PIPE);
	tv_apart_open(apart, ends[0]);
	fflush(NULL);
	apart->child = fork();
	if (apart->child == 0)
		run_child(work, context, ends[1]);
	close(ends[1]);
	if (apart->child > 0)
		return true;
	tv_apart_stop(apart);
	return false;
}

/* More bytes behind those that were not taken; false: there are none. */
static bool fill(struct tv_apart *apart)
{
	struct pollfd ready = { .fd = apart->from, .events = POLLIN };
	ssize_t got;

	if (apart->begin > 0)
		memmove(apart->bytes, apart->bytes + apart->begin, apart->end - apart->begin);
	apart->end -= apart->begin;
	apart->begin = 0;
	apart->hangs = poll(&ready, 1, SILENCE_MS) == 0;
	if (apart->hangs)
		return false;
	do
		got = read(apart->from, apart->bytes + apart->end, BUFFER - apart->end);
	while (got < 0 && errno == EINTR);
	apart->end += got > 0 ? (size_t)got : 0;
	return got > 0;
}

const char *tv_apart_wait(struct tv_apart *apart, size_t n)
{
	while (apart->end - apart->begin < n)
		if (!fill(apart))
			return NULL;
	return apart->bytes + apart->begin;
}

bool tv_apart_take(struct tv_apart *apart, void *to, size_t n)
{
	for (size_t done = 0;;) {
		size_t have = apart->end - apart->begin, part = n - done < have ? n - done : have;

		memcpy((char *)to + done, apart->bytes + apart->begin, part);
		apart->begin += part;
		done += part;
		if (done == n)
			return true;
		if (!fill(apart))
			return false;
	}
}

void tv_apart_stop(struct tv_apart *apart)
{
	if (apart->child > 0) {
		kill(apart->child, SIGKILL);
		while (waitpid(apart->child, NULL, 0) < 0 && errno == EINTR)
			;
	}
	if (apart->from >= 0)
		close(apart->from);
	tv_free(apart->bytes);
	*apart = (struct tv_apart){ .from = -1 };
}
