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
	/* Appends what one file holds to *trace; several files of a folder are read one after the
	 * other into the same trace. 0, or -1 with *err. */
	int (*read)(struct tv_input *in, struct tv_trace *trace, struct tv_error *err);
	/* NULL, or called once after the last file of this format was read, before any other
	 * format's. */
	int (*finish)(struct tv_trace *trace, struct tv_error *err);
	const char *joins; /* a format that a folder may hold as well and that completes this one;
			      NULL = none */
	double memory; /* bytes of memory per byte of input, at most: to refuse what cannot fit */
	bool ranks;    /* files given one by one may be the ranks of one run */
};

extern const struct tv_reader tv_readers[];
extern const size_t tv_nreaders;

/*
 * Reads PATH (a file, a folder, "-") in whatever known format into *trace (initialized, empty) and
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

/* The readers; each in the file of its name. */
int tv_paje_probe(const char *head, size_t n);
int tv_paje_read(struct tv_input *in, struct tv_trace *trace, struct tv_error *err);
int tv_paje_finish(struct tv_trace *trace, struct tv_error *err);
int tv_recutils_probe(const char *head, size_t n);
int tv_recutils_read(struct tv_input *in, struct tv_trace *trace, struct tv_error *err);
int tv_native_probe(const char *head, size_t n);
int tv_native_read(struct tv_input *in, struct tv_trace *trace, struct tv_error *err);
/* Reads every TABLE.csv (.gz, .zst) of a folder whose table is still empty; *found counts them. */
int tv_native_read_folder(const char *folder, struct tv_trace *trace, int *found,
			  struct tv_error *err);
extern const char *const tv_native_suffix[3]; /* ".csv" first */
/* The table that a file of a native folder holds, by its name; TV_NTABLES = none. */
enum tv_table_id tv_native_table(const char *name);

/* All ranks of a run are read, then tv_fxt_finish makes the trace of them. */
int tv_fxt_probe(const char *head, size_t n);
int tv_fxt_read(struct tv_input *in, struct tv_trace *trace, struct tv_error *err);
int tv_fxt_finish(struct tv_trace *trace, struct tv_error *err);
/* The same through libfxt: plain, undamaged files of this machine's byte order only. */
int tv_fxt_lib_probe(const char *head, size_t n);
int tv_fxt_lib_read(struct tv_input *in, struct tv_trace *trace, struct tv_error *err);
int tv_fxt_lib_finish(struct tv_trace *trace, struct tv_error *err);

#endif
