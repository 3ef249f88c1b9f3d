/* SPDX-License-Identifier: GPL-3.0-or-later */
/* common.h -- options, messages and work of a given length, for all programs of this folder. */
#ifndef COMMON_H
#define COMMON_H

/* An option with a number, or a flag (no unit). The value is the default before, the user's choice after. */
struct setting {
	const char *name; /* of the long option */
	char letter;	  /* of the short one, or 0 */
	const char *unit; /* what the number is, for --help; NULL: a flag, set to 1 */
	long *value, min, max;
	const char *meaning;
};

/*
 * Reads the arguments into `settings`, which ends with a row without a name. --help prints `summary`
 * and the settings, and exits with 0; a wrong argument exits with 2.
 */
void read_options(int argc, char **argv, const char *summary, const struct setting *settings);

/* Print "PROGRAM: message" to stderr and exit: with 2 if the arguments are wrong, with 1 else. */
_Noreturn void usage(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Writes what is printed; fails if it cannot be written. */
void end_output(void);

/* Never NULL; zeroed where `zeroed`. Aligned to pages, so that no two blocks share one. */
void *allocate(long count, long size, int zeroed);

/* Computes until the calling thread has used so much more CPU time; 0 returns at once. */
void spin(long microseconds);

/* Tasks created by this thread. A program adds one where it creates a task. */
extern _Thread_local long created;

/* To be called by each thread of a region after a barrier: adds its `created` to the sum, and sets it to 0. */
void collect_created(long *sum);

#endif
