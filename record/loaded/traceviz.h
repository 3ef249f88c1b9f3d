/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * traceviz.h -- what a program can say about itself while `traceviz record` records it.
 *
 * Include it and call the functions: there is nothing to link. In a program that is not recorded
 * they do nothing, at the cost of a comparison. For C and C++, on Linux.
 *
 *	#pragma omp task depend(inout: A[k])
 *	{
 *		traceviz_task("potrf");
 *		traceviz_number("Iteration", k);
 *		potrf(A[k]);
 *	}
 *
 * Texts are copied. The functions may be called from any thread, but not from a signal handler.
 */
#ifndef TRACEVIZ_H
#define TRACEVIZ_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Defined by the recorder alone. */
void traceviz_record_task(const char *type) __attribute__((weak));
void traceviz_record_number(const char *name, double value) __attribute__((weak));
void traceviz_record_data(const void *address, size_t bytes, const char *name)
	__attribute__((weak));
void traceviz_record_phase(const char *name, int begins) __attribute__((weak));
void traceviz_record_pause(int pauses) __attribute__((weak));

#ifdef __cplusplus
}
#endif

/*
 * The address of such a function, or NULL. In a program that is not position independent, linkers
 * take an undefined weak function as NULL for good, unless its address comes from the table of
 * addresses that the dynamic linker fills (GOT).
 */
#if defined(__x86_64__) && defined(__ELF__) && !defined(__ILP32__)
#define TRACEVIZ_FIND(function, pointer) \
	__asm__(".weak " #function "\n\tmovq " #function "@GOTPCREL(%%rip), %0" : "=r"(pointer))
#elif defined(__aarch64__) && defined(__ELF__) && !defined(__ILP32__)
#define TRACEVIZ_FIND(function, pointer) \
	__asm__(".weak " #function "\n\tadrp %0, :got:" #function \
		"\n\tldr %0, [%0, :got_lo12:" #function "]" \
		: "=r"(pointer))
#else
#define TRACEVIZ_FIND(function, pointer) ((pointer) = (function))
#endif

/* The type of the task that this thread runs, instead of the place of its construct. */
static inline void traceviz_task(const char *type)
{
	void (*record)(const char *);

	TRACEVIZ_FIND(traceviz_record_task, record);
	if (record)
		record(type);
}

/* A number of the task that this thread runs; name is a column of tasks: Iteration, X, Y, GFlop,
 * Priority, or a new one. */
static inline void traceviz_number(const char *name, double value)
{
	void (*record)(const char *, double);

	TRACEVIZ_FIND(traceviz_record_number, record);
	if (record)
		record(name, value);
}

/* The size in bytes of the data behind an address that is in a depend clause, and its name (or NULL).
 * Once per address is enough. */
static inline void traceviz_data(const void *address, size_t bytes, const char *name)
{
	void (*record)(const void *, size_t, const char *);

	TRACEVIZ_FIND(traceviz_record_data, record);
	if (record)
		record(address, bytes, name);
}

/* Begin and end of a part of the program; parts may contain others. */
static inline void traceviz_phase_begin(const char *name)
{
	void (*record)(const char *, int);

	TRACEVIZ_FIND(traceviz_record_phase, record);
	if (record)
		record(name, 1);
}

static inline void traceviz_phase_end(const char *name)
{
	void (*record)(const char *, int);

	TRACEVIZ_FIND(traceviz_record_phase, record);
	if (record)
		record(name, 0);
}

/* Stops and continues recording, of the whole process. */
static inline void traceviz_pause(void)
{
	void (*record)(int);

	TRACEVIZ_FIND(traceviz_record_pause, record);
	if (record)
		record(1);
}

static inline void traceviz_resume(void)
{
	void (*record)(int);

	TRACEVIZ_FIND(traceviz_record_pause, record);
	if (record)
		record(0);
}

#endif
