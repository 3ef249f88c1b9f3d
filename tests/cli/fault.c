/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fault.c -- preloaded into a command: makes a call on a file fail.
 *
 *   FAULT_CALL   write, fsync, close or rename
 *   FAULT_PATH   only calls on a file whose path contains this (of rename: the new name)
 *   FAULT_AT     the first of these calls that fails, from 1; FAULT_COUNT: how many (default 1)
 *   FAULT_DOES   a number: errno; "zero": returns 0; "kill N": sends signal N, then goes on
 *   FAULT_AFTER  kills the process after so many microseconds of processor time, which do not depend on other load
 */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* 0: the call is made; 1: it returns *rc instead. */
static int fails(const char *call, const char *path, long *rc)
{
	static int calls;
	const char *wanted = getenv("FAULT_CALL"), *part = getenv("FAULT_PATH"),
		   *at = getenv("FAULT_AT"), *count = getenv("FAULT_COUNT"),
		   *does = getenv("FAULT_DOES");
	int first = at != NULL ? (int)strtol(at, NULL, 10) : 1,
	    n = count != NULL ? (int)strtol(count, NULL, 10) : 1;

	if (wanted == NULL || strcmp(wanted, call) != 0
	    || (part != NULL && strstr(path, part) == NULL))
		return 0;
	calls++;
	if (calls < first || calls >= first + n || does == NULL)
		return 0;
	*rc = 0;
	if (strncmp(does, "kill ", 5) == 0) {
		raise((int)strtol(does + 5, NULL, 10));
		return 0;
	}
	if (strcmp(does, "zero") != 0) {
		errno = (int)strtol(does, NULL, 10);
		*rc = -1;
	}
	return 1;
}

static int fails_on(const char *call, int fd, long *rc)
{
	char link[64], path[PATH_MAX];
	ssize_t n;

	snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof path - 1);
	if (n < 0)
		return 0;
	path[n] = '\0';
	return fails(call, path, rc);
}

/* The function of libc; the standard has no cast from void * to a function. */
static void *real(const char *name, void *function, size_t n)
{
	void *symbol = dlsym(RTLD_NEXT, name);

	return memcpy(function, &symbol, n);
}

ssize_t write(int fd, const void *bytes, size_t n)
{
	ssize_t (*call)(int, const void *, size_t);
	long rc;

	real("write", &call, sizeof call);
	return fails_on("write", fd, &rc) ? rc : call(fd, bytes, n);
}

int fsync(int fd)
{
	int (*call)(int);
	long rc;

	real("fsync", &call, sizeof call);
	return fails_on("fsync", fd, &rc) ? (int)rc : call(fd);
}

int close(int fd)
{
	int (*call)(int);
	long rc;
	int failing = fails_on("close", fd, &rc), code = errno;

	real("close", &call, sizeof call);
	if (!failing)
		return call(fd);
	call(fd);
	errno = code;
	return (int)rc;
}

int rename(const char *from, const char *to)
{
	int (*call)(const char *, const char *);
	long rc;

	real("rename", &call, sizeof call);
	return fails("rename", to, &rc) ? (int)rc : call(from, to);
}

__attribute__((constructor)) static void kill_later(void)
{
	const char *after = getenv("FAULT_AFTER");
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGKILL };
	long us = after != NULL ? strtol(after, NULL, 10) : 0;
	struct itimerspec time = { .it_value = { us / 1000000, us % 1000000 * 1000 } };
	timer_t timer;

	if (us > 0 && timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer) == 0)
		timer_settime(timer, 0, &time, NULL);
}
