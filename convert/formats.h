/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * formats.h -- the input formats: one row each in formats.c, one file each beside it.
 */
#ifndef TV_FORMATS_H
#define TV_FORMATS_H

#include "trace/input.h"
#include "trace/trace.h"

enum { TV_PROBE_BYTES = 4096 };

struct tv_reader {
	const char *name, *summary; /* "paje", for --format and --help */
	/* How surely head[0..n), the first bytes after decompression, begins this format: 0 no ..
	 * 100 magic number. Decides by content, never by name. */
	int (*probe)(const char *head, size_t n);
	/* The state of a reading into *trace. NULL: the trace itself is the state. */
	void *(*begin)(struct tv_trace *trace);
	/* Appends what one file contains; several files of a folder are read one after the other
	 * with the same state. 0, or -1 with *err. */
	int (*read)(void *state, struct tv_input *in, struct tv_error *err);
	/* NULL, or called once after the last file of this format, before any other format's. */
	int (*finish)(void *state, struct tv_error *err);
	void (*free)(void *state); /* NULL without begin; also called where read or finish failed */
	const char *joins; /* another format, whose files in the same folder complete this one's;
			      NULL = none */
	double memory;	   /* max bytes of memory per byte of input: to refuse what cannot fit */
	bool ranks;	   /* several files on the command line may be the ranks of one run */
};

extern const struct tv_reader tv_native_reader, tv_fxt_reader, tv_fxt_lib_reader, tv_paje_reader,
	tv_recutils_reader; /* fxt_lib: plain, undamaged files of this machine's byte order only */
extern const struct tv_reader *const tv_readers[];
extern const size_t tv_nreaders;

/*
 * Reads PATH (a file, a folder, "-") in any known format into *trace (initialized, empty) and
 * completes it (tv_trace_complete). A folder holding several formats: native CSV, then FxT, then
 * Pajé with its tasks.rec, then tasks.rec alone; a notice says what was used and what was not.
 * Missing file, empty file, nothing known in it: -1 with *err. progress as in struct tv_input.
 */
int tv_load(const char *path, struct tv_trace *trace, void (*progress)(void *, double),
	    void *context, struct tv_error *err) TV_MUST_CHECK;

/*
 * Reads n files as the ranks of one run, as tv_load does a folder of them. 1, with nothing read,
 * when they are not all of one format that has ranks; 0, or -1 with *err.
 */
int tv_load_ranks(const char *const *path, size_t n, struct tv_trace *trace,
		  void (*progress)(void *, double), void *context,
		  struct tv_error *err) TV_MUST_CHECK;

/* Reads every TABLE.csv (.gz, .zst) of a folder whose table is still empty; *found counts them. */
int tv_native_read_folder(const char *folder, struct tv_trace *trace, int *found,
			  struct tv_error *err);
extern const char *const tv_native_suffix[3]; /* ".csv" first */
/* The table that a file of a native folder contains, by its name; TV_NTABLES = none. */
enum tv_table_id tv_native_table(const char *name);

#endif
