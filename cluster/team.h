/* SPDX-License-Identifier: GPL-3.0-or-later */
/* team.h -- the processes of an MPI job as a team (analysis/core/team.h). */
#ifndef TV_CLUSTER_TEAM_H
#define TV_CLUSTER_TEAM_H

#include "analysis/core/team.h"

/* All processes of the job, once MPI has begun; NULL where it is one. Valid until the program ends. */
const struct tv_team *tv_mpi_team(void);
/* The number that process 0 has. Processes that wait for it take no processor. */
int tv_mpi_of_first(int number);

#endif
