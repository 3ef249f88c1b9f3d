/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nbc.h -- what the parts of nbc share: options, clocks, threads. */
#ifndef NBC_H
#define NBC_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_TARGETS = 32, MAX_RUNS = 1000 };
enum { IBCAST, IREDUCE, IALLREDUCE, IALLGATHER, IALLTOALL, ISEND, NONE, NCALLS };
enum rows { CELLS, RANKS, RUNS };

struct targets { /* times that sizes are calibrated for, s */
	double s[MAX_TARGETS];
	int n;
};

struct options {
	bool calls[NCALLS], check, diagonal, help, osu, progress;
	struct targets computation, communication;
	long runs, steps, megabytes, dedicated, period;
	enum rows rows;
	const char *label;
};

extern struct options want;
extern const char *const call_name[NCALLS];

/* Reads the arguments into `want`. Returns the one that is wrong, or NULL. */
const char *read_options(int argc, char **argv);
void print_help(void);

#define fail(...) (fprintf(stderr, "nbc: " __VA_ARGS__), MPI_Abort(MPI_COMM_WORLD, 1), exit(1))

extern MPI_Comm world;
extern int rank, nranks;

/* Clock of the rank, ns; and that time on the clock of rank 0: interpolated between two calibrations,
 * extrapolated after the last one. */
int64_t now(void);
int64_t common(int64_t local);
/* Measures offset and drift against rank 0, by round trips; called by all ranks. */
void calibrate_clock(void);
/* Returns at the same time on all ranks. */
void start_together(void);

/* Computing threads of the rank, nodes of the run. */
extern int threads, nnodes;
/* Divides the cores of each node by its ranks, except those dedicated; called by all ranks. */
void place_threads(void);
/* The thread that makes progress, if it is wanted. */
void start_progress(void);
void end_progress(void);

#endif
