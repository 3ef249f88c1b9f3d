/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpi_calls.h -- what MPI's functions are, by their names without MPI_, in any case. */
#ifndef TV_MPI_CALLS_H
#define TV_MPI_CALLS_H

#include "convert/words.h"

/* The class of a function, as in calls.Class: static. */
const char *tv_mpi_class(struct tv_word name);
/* Whether its name contains a word: "send". */
bool tv_mpi_is(struct tv_word name, const char *word);

#endif
