/* SPDX-License-Identifier: GPL-3.0-or-later */
/* common.c -- options, messages and work of a given length, for all programs of this folder. */
#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common.h"

enum { MAX_SETTINGS = 16, PAGE = 4096 };

_Thread_local long created;

static const char *program = "";

static _Noreturn void end_with(int status, const char *format, va_list arguments)
{
	fprintf(stderr, "%s: ", program);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	exit(status);
}

void usage(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	end_with(2, format, arguments);
}

void fail(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	end_with(1, format, arguments);
}

static _Noreturn void print_help(const char *summary, const struct setting *settings)
{
	printf("usage: %s [OPTIONS]\n%s\n\n", program, summary);
	for (const struct setting *s = settings; s->name; s++) {
		char left[64];

		snprintf(left, sizeof(left), "%s%s%s--%s%s%s", s->letter ? "-" : "",
			 s->letter ? (char[]){ s->letter, '\0' } : "", s->letter ? ", " : "    ",
			 s->name, s->unit ? " " : "", s->unit ? s->unit : "");
		printf("  %-26s %s", left, s->meaning);
		if (s->unit && *s->value >= s->min)
			printf(" (default %ld)", *s->value);
		putchar('\n');
	}
	printf("      --help                 this text\n\n"
	       "OMP_NUM_THREADS sets the number of threads. Exit status: 0 done, 1 failure, 2 "
	       "usage.\n");
	exit(0);
}

static void set(const struct setting *s, const char *text)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (end == text || *end != '\0' || errno || value < s->min || value > s->max)
		usage("--%s: '%s' is not a number from %ld to %ld", s->name, text, s->min, s->max);
	*s->value = value;
}

void read_options(int argc, char **argv, const char *summary, const struct setting *settings)
{
	struct option row[MAX_SETTINGS + 2] = { { "help", no_argument, NULL, 'h' } };
	char letters[2 * MAX_SETTINGS + 1] = "";
	int n, c, at;

	program = strrchr(argv[0], '/') ? strrchr(argv[0], '/') + 1 : argv[0];
	for (n = 0; settings[n].name; n++) {
		const struct setting *s = &settings[n];

		row[n + 1] = (struct option){ s->name, s->unit ? required_argument : no_argument,
					      NULL, 256 + n };
		if (s->letter)
			snprintf(letters + strlen(letters), 3, "%c%s", s->letter,
				 s->unit ? ":" : "");
	}
	while ((c = getopt_long(argc, argv, letters, row, NULL)) != -1) {
		if (c == 'h')
			print_help(summary, settings);
		if (c == '?')
			exit(2);
		for (at = c < 256 ? 0 : c - 256; c < 256 && settings[at].letter != c; at++)
			;
		if (settings[at].unit)
			set(&settings[at], optarg);
		else
			*settings[at].value = 1;
	}
	if (optind < argc)
		usage("'%s' is not an option", argv[optind]);
}

void end_output(void)
{
	if (fflush(stdout))
		fail("the output cannot be written");
}

void *allocate(long count, long size, int zeroed)
{
	void *block = NULL;
	size_t bytes;

	if (__builtin_mul_overflow((size_t)count, (size_t)size, &bytes) || bytes > PTRDIFF_MAX
	    || posix_memalign(&block, PAGE, bytes ? bytes : 1))
		fail("no memory for %ld blocks of %ld bytes", count, size);
	if (zeroed)
		memset(block, 0, bytes);
	return block;
}

static int64_t thread_time_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

void spin(long microseconds)
{
	if (microseconds <= 0)
		return;
	for (int64_t end = thread_time_ns() + microseconds * 1000; thread_time_ns() < end;)
		;
}

void collect_created(long *sum)
{
#pragma omp atomic
	*sum += created;
	created = 0;
}
