/* SPDX-License-Identifier: GPL-3.0-or-later */
/* setup.h -- what load.c and the probes agree upon: one function, tv_mpi_setup. */
#ifndef TV_RECORD_MPI_SETUP_H
#define TV_RECORD_MPI_SETUP_H

#include <stdint.h>

/* Code in memory. */
struct tv_mpi_range {
	uint64_t begin, size;
};

typedef void tv_mpi_function(void);

/*
 * Prepares the probe for the MPI library of the process (a handle of dlopen), whose code is in that
 * range, and returns its functions in wrapper[], in the order of calls.h.
 */
typedef void tv_mpi_setup_function(void *library, const struct tv_mpi_range *range,
				   tv_mpi_function **wrapper);

#endif
