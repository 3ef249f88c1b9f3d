/* SPDX-License-Identifier: GPL-3.0-or-later */
/* libraries.h -- the MPI libraries that can be recorded, by the name that programs need (DT_NEEDED). */
#ifndef TV_RECORD_MPI_LIBRARIES_H
#define TV_RECORD_MPI_LIBRARIES_H

#include <stddef.h>
#include <string.h>

/* Libraries with the same binary interface have the same probe: libtraceviz-mpi-PROBE.so. */
static const struct tv_mpi_library {
	const char *library, *probe, *name, *package;
} tv_mpi_libraries[] = {
	{ "libmpi.so.40", "openmpi", "Open MPI", "libopenmpi-dev" },
	{ "libmpich.so.12", "mpich", "MPICH", "libmpich-dev" },
	{ "libmpi.so.12", "mpich", "MPICH", "libmpich-dev" }, /* as MPICH calls it elsewhere */
};

/* Whether a file is MPI's C library, of whatever version. */
static inline int tv_mpi_is_library(const char *name)
{
	return !strncmp(name, "libmpi.so", 9) || !strncmp(name, "libmpich.so", 11);
}

/* The one of that file name (libmpi.so.40, libmpi.so.40.30.4), NULL if it is unknown. */
static inline const struct tv_mpi_library *tv_mpi_find_library(const char *name)
{
	for (size_t i = 0; i < sizeof tv_mpi_libraries / sizeof *tv_mpi_libraries; i++) {
		const struct tv_mpi_library *library = &tv_mpi_libraries[i];
		size_t n = strlen(library->library);

		if (!strncmp(name, library->library, n) && (name[n] == '\0' || name[n] == '.'))
			return library;
	}
	return NULL;
}

#endif
