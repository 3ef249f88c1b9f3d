/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpi_colors.h -- colors of what threads for communication do. */
#ifndef TV_MPI_COLORS_H
#define TV_MPI_COLORS_H

#include <stdint.h>

#define TV_FLIGHT_COLOR 0xa9c7a0 /* between the calls that start and complete a communication */

/* The color of a state of StarPU-MPI, or of a class of MPI calls; of another name that of the palette. */
uint32_t tv_mpi_state_color(const char *name);

#endif
