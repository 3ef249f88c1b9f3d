/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record.h -- the parts of `traceviz record`: the folder, the probes, the program. */
#ifndef TV_CLI_RECORD_H
#define TV_CLI_RECORD_H

#include "cli/cli.h"

struct tv_recording {
	const struct tv_cli *cli;
	char **argv;	 /* the program and its arguments, ended by NULL */
	char *path;	 /* of the program, found by PATH */
	char *folder;	 /* of the logs, absolute */
	char *libraries; /* the folder of libtraceviz-*.so */
	char *preload;	 /* LD_PRELOAD of the program */
	bool is_script;	 /* the program is no ELF file: it starts others, which are not known */
	bool unrecorded; /* what the program may use is not, as it was warned */
	char *name;	 /* of this instance, in the logs of its program */
	int64_t begin;	 /* when the program was started, ns of the real-time clock */
	double event_ns; /* what the record of an event costs here */
	struct tv_monitoring *monitoring; /* of --monitor (record_monitor.c), else NULL */
};

/*
 * The folder of a recording (record_folder.c). Creates it, or takes an empty one, one that another
 * instance of the same parallel start uses, or, with --force, one of an earlier recording, whose
 * files are deleted. -1 with *err.
 */
int tv_record_open_folder(struct tv_recording *recording, struct tv_error *err) TV_MUST_CHECK;

/* How many parallel regions the program had (of its processes with too few: the most), if those were too few for --region; -1: nothing
 * says so. */
long tv_record_too_few_regions(const struct tv_recording *recording);

/* Where no log was written: prints why; -1 with *err: the program had too few regions for --region, and the folder is deleted. */
int tv_record_report_nothing(const struct tv_recording *recording,
			     struct tv_error *err) TV_MUST_CHECK;

/* The file of the folder that the recorders of a host lock (one after the other), open; -1 with *err. */
int tv_record_open_lock(const struct tv_recording *recording, const char *host,
			struct tv_error *err) TV_MUST_CHECK;

/* Loads a library into the program, behind those added before and before the user's own. -1 with
 * *err: there is no such file, or its path cannot be loaded. */
int tv_record_preload(struct tv_recording *recording, const char *path,
		      struct tv_error *err) TV_MUST_CHECK;

/* What a probe needs: sets variables of the environment, which the program inherits, and adds
 * libraries. -1 with *err. */
int tv_record_openmp(struct tv_recording *recording, struct tv_error *err) TV_MUST_CHECK;
int tv_record_mpi(struct tv_recording *recording, struct tv_error *err) TV_MUST_CHECK;
int tv_record_starpu(struct tv_recording *recording, struct tv_error *err) TV_MUST_CHECK;

/*
 * --monitor (record_monitor.c). prepare: finds what is to be sampled and tries it out. begin: writes
 * topology.xml to the folder and begins to sample, of the process or (0) the machine. end: the last
 * sample, and a line about it.
 */
int tv_record_prepare_monitor(struct tv_recording *recording, struct tv_error *err) TV_MUST_CHECK;
int tv_record_begin_monitor(struct tv_recording *recording, long pid,
			    struct tv_error *err) TV_MUST_CHECK;
void tv_record_end_monitor(struct tv_recording *recording);
void tv_record_release_monitor(struct tv_recording *recording);

/* Waits for the end of a process (0: none), or for a signal that ends the recording. */
int tv_record_watch(long pid, struct tv_error *err) TV_MUST_CHECK;

/*
 * The CPUs of this process as it was started. A library that the program is linked to may contain an
 * OpenMP runtime, which binds the process to one CPU where OMP_PROC_BIND asks for it; neither the
 * recorder nor its program may be bound so. So they are saved before all constructors of libraries,
 * and then given back.
 */
void tv_record_save_cpus(void);
void tv_record_restore_cpus(void);

/* Finds the program (recording->path). -1 with *err, whose status is 127 where there is none and
 * 126 where it may not be executed. */
int tv_record_find_program(struct tv_recording *recording, struct tv_error *err) TV_MUST_CHECK;
/* Starts it, passes signals to it, and waits for its end: *status is as of waitpid. -1 with *err as
 * of tv_record_find_program. */
int tv_record_run(struct tv_recording *recording, int *status, struct tv_error *err) TV_MUST_CHECK;

/* Measures event_ns by some events in the folder. */
void tv_record_calibrate(struct tv_recording *recording);
/* What is left when the program has ended: names the places of constructs in the logs, and prints the
 * line about the recording, and warnings. -1 with *err as tv_record_report_nothing. */
int tv_record_end(const struct tv_recording *recording, struct tv_error *err) TV_MUST_CHECK;

#endif
