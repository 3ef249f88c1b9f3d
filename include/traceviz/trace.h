/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace.h -- libtraceviz: read traces, run the verbs of traceviz on them, draw.
 *
 * A verb and its options are the words of the command line: `traceviz help VERB` and docs/ describe
 * them, and what the command prints as CSV is the table here.
 *
 *	const char *paths[] = { "run/", NULL }, *options[] = { "--by", "node", NULL };
 *	traceviz_error *error = NULL;
 *	traceviz_trace *trace = traceviz_open(paths, &error);
 *	traceviz_result *causes = traceviz_run(trace, "idle-causes", options, &error);
 *
 * The functions print nothing and never end the program. One call works at a time, and others wait:
 * they may come from any thread. During a call, no other thread may use getopt; reading a trace may
 * start a child process, drawing sets the fontconfig configuration of the process. NULL is accepted
 * wherever something is freed. Names and types may change until version 1.0, then no more.
 */
#ifndef TRACEVIZ_TRACE_H
#define TRACEVIZ_TRACE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TRACEVIZ_EXPORT __attribute__((visibility("default")))

typedef struct traceviz_trace traceviz_trace;
typedef struct traceviz_result traceviz_result;
typedef struct traceviz_error traceviz_error;

/* The version of the library, as "0.2.0"; static. */
TRACEVIZ_EXPORT const char *traceviz_version(void);

/* ---- errors ---- */

/* Exit statuses of the command. */
enum traceviz_status {
	TRACEVIZ_OK = 0,
	TRACEVIZ_FAILED = 1,   /* the work could not be done */
	TRACEVIZ_USAGE = 2,    /* the verb or its options are wrong */
	TRACEVIZ_NEGATIVE = 3, /* a check such as --fail-if holds: a result, no error */
	TRACEVIZ_UNCERTAIN = 4 /* a check is undecided: a result, no error */
};

/*
 * Functions with a parameter `error` set *error, to be freed, if they fail; else they leave it as it
 * is. error may be NULL. A failed call leaves no files. When memory is exhausted (or --max-memory),
 * what the call had allocated is lost.
 */
TRACEVIZ_EXPORT enum traceviz_status traceviz_error_status(const traceviz_error *error);
/* The message, "FILE:LINE: what is wrong"; valid as long as the error. */
TRACEVIZ_EXPORT const char *traceviz_error_text(const traceviz_error *error);
TRACEVIZ_EXPORT void traceviz_error_free(traceviz_error *error);

/* ---- traces ---- */

/*
 * Opens what [LABEL=]PATH words name, with the options of reading among them ("--format", "paje",
 * "run.trace", NULL). One run is read now, once for all verbs, and its tables stay in memory; of
 * several runs each verb reads them. NULL with *error. Cost: that of reading the trace.
 */
TRACEVIZ_EXPORT traceviz_trace *traceviz_open(const char *const *words, traceviz_error **error);
TRACEVIZ_EXPORT void traceviz_close(traceviz_trace *trace);

/* ---- verbs ---- */

/*
 * Runs a verb with these words (NULL: none), which may be options, names, a query. The trace may be
 * NULL, for verbs without one or for words that name one. NULL with *error. The result does not
 * need the trace any more. It contains what the command prints: a table, text, messages; with -o
 * the verb writes a file instead. Not available: record, --timings, standard input. Cost: that of
 * the verb, and a copy of its table.
 */
TRACEVIZ_EXPORT traceviz_result *traceviz_run(traceviz_trace *trace, const char *verb,
					      const char *const *words, traceviz_error **error);
/* Draws the trace into a file (.pdf, .svg, .png, .html) with options of the verb plot: 0, or -1 with *error. */
TRACEVIZ_EXPORT int traceviz_plot(traceviz_trace *trace, const char *path, const char *const *words,
				  traceviz_error **error);
TRACEVIZ_EXPORT void traceviz_free(traceviz_result *result);

/* TRACEVIZ_OK, TRACEVIZ_NEGATIVE or TRACEVIZ_UNCERTAIN; then the last message says why. */
TRACEVIZ_EXPORT enum traceviz_status traceviz_verdict(const traceviz_result *result);
/* What the command prints besides its table, "" if nothing: n (may be NULL) bytes and a NUL. */
TRACEVIZ_EXPORT const char *traceviz_text(const traceviz_result *result, size_t *n);
/* What the command would print on standard error: the i-th message, NULL when there are no more. */
TRACEVIZ_EXPORT const char *traceviz_message(const traceviz_result *result, size_t i);
/* The same of reading a trace. */
TRACEVIZ_EXPORT const char *traceviz_trace_message(const traceviz_trace *trace, size_t i);

/* ---- tables ---- */

enum traceviz_type {
	TRACEVIZ_TIME,	 /* int64_t, nanoseconds */
	TRACEVIZ_INT,	 /* int64_t */
	TRACEVIZ_DOUBLE, /* double */
	TRACEVIZ_LABEL,	 /* int32_t: number of one of few texts */
	TRACEVIZ_TEXT,	 /* any bytes */
	TRACEVIZ_LIST	 /* several labels */
};

/* Numbers of columns, 0 without a table, and of rows. */
TRACEVIZ_EXPORT size_t traceviz_columns(const traceviz_result *result);
TRACEVIZ_EXPORT size_t traceviz_rows(const traceviz_result *result);
/* The column of that name; -1 if there is none. */
TRACEVIZ_EXPORT int traceviz_find(const traceviz_result *result, const char *name);

/* Of a column < traceviz_columns. unit and meaning: "" if there is none; the unit of times is "ns". */
TRACEVIZ_EXPORT const char *traceviz_column_name(const traceviz_result *result, size_t column);
TRACEVIZ_EXPORT enum traceviz_type traceviz_column_type(const traceviz_result *result,
							size_t column);
TRACEVIZ_EXPORT const char *traceviz_column_unit(const traceviz_result *result, size_t column);
TRACEVIZ_EXPORT const char *traceviz_column_meaning(const traceviz_result *result, size_t column);

/*
 * The data of a column, by row, without copying: valid as long as the result. NULL: the column has
 * another type. Where a value is missing there is 0.
 */
TRACEVIZ_EXPORT const int64_t *traceviz_ints(const traceviz_result *result, size_t column);
TRACEVIZ_EXPORT const double *traceviz_doubles(const traceviz_result *result, size_t column);
/* Of labels: their numbers; of a list: those of all rows, one after the other. */
TRACEVIZ_EXPORT const int32_t *traceviz_labels(const traceviz_result *result, size_t column);
/* Of a text the bytes of all rows. */
TRACEVIZ_EXPORT const char *traceviz_bytes(const traceviz_result *result, size_t column);
/* Of a list or text: row i is [offset[i], offset[i + 1]). */
TRACEVIZ_EXPORT const int64_t *traceviz_offsets(const traceviz_result *result, size_t column);
/* Bit i % 8 of byte i / 8 is set where row i has a value; NULL: all rows have one. */
TRACEVIZ_EXPORT const uint8_t *traceviz_valid(const traceviz_result *result, size_t column);

/* How many different labels a column has, in the order of their first row. */
TRACEVIZ_EXPORT size_t traceviz_label_count(const traceviz_result *result, size_t column);
/* The text of a label, closed by NUL; n may be NULL. */
TRACEVIZ_EXPORT const char *traceviz_label_text(const traceviz_result *result, size_t column,
						size_t label, size_t *n);

struct ArrowSchema;
struct ArrowArray;
/*
 * Exports the table as Arrow's C data interface (traceviz/arrow.h): a struct array, one child per
 * column; times are durations in ns, labels dictionaries, "unit" and "meaning" metadata. Nothing is
 * copied; the data live until both are released, even if the result is freed. Bytes that are not
 * UTF-8 make a column binary. 0, or -1 without a table. Cost: O(columns).
 */
TRACEVIZ_EXPORT int traceviz_export_arrow(const traceviz_result *result, struct ArrowSchema *schema,
					  struct ArrowArray *array);

#ifdef __cplusplus
}
#endif

#endif
