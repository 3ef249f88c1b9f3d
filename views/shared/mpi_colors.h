/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpi_colors.h -- colors of what threads for communication do. */
#ifndef TV_MPI_COLORS_H
#define TV_MPI_COLORS_H

#include <stdint.h>

/* The color of a state of StarPU-MPI, or of a class of MPI calls; of another name that of the palette. */
uint32_t tv_mpi_state_color(const char *name);

#endif
