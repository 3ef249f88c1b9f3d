/* SPDX-License-Identifier: GPL-3.0-or-later */
/* job.h -- which parallel start and which host a process belongs to. */
#ifndef TV_RECORD_JOB_H
#define TV_RECORD_JOB_H

#include <stdbool.h>
#include <stddef.h>

#pragma GCC visibility push(default)

/*
 * What is the same in all processes of one mpirun or srun, and in no others: from the environment, or
 * (Hydra, which says nothing there) from the arguments of the process that started them. False:
 * nothing is known, name is "".
 */
bool tv_job_name(char *name, size_t size);

/*
 * What this host is called in a recording: with TRACEVIZ_KEEP_HOST its name, else host- and a number
 * that is the same in all processes of the host until it boots again.
 */
void tv_host_name(char *name, size_t size);

#pragma GCC visibility pop

#endif
