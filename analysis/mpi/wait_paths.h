/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wait_paths.h -- where in the program calls wait: the regions around them.
 *
 * A call is in the innermost state of its thread that contains it and is longer, that in the innermost one which contains it, and so
 * on; innermost is what begins last, of those with one begin what ends first, of equal ones the later row. Where no state contains a
 * call, its Site is around it.
 */
#ifndef TV_WAIT_PATHS_H
#define TV_WAIT_PATHS_H

#include "analysis/core/run.h"

/* Regions of a path; "..." is all that is inside of the last. */
enum { TV_WAIT_PATH_MAX = 64 };

enum { TV_WAIT_PATH_COLUMNS = 10 };
extern const struct tv_field tv_wait_path_columns[TV_WAIT_PATH_COLUMNS];

/* Fills out, which has no columns: sums of the rows of wait-states by path, as main/solve/MPI_Recv, and State; by_rank: by rank, Site with
 * function, and State. Interns into the table's pool. Cost O((rows + states) log of it). */
void tv_wait_path_rows(const struct tv_trace *trace, const struct tv_table *waits, bool by_rank,
		       struct tv_table *out);

#endif
