/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guard.h -- what ends the command ends only a call of the library. */
#ifndef TV_LIB_GUARD_H
#define TV_LIB_GUARD_H

#include <stdbool.h>

#include "trace/error.h"

/*
 * Calls work(context), one at a time in the process, with the memory limit and the number of threads
 * as usual. false with *err: memory was exhausted in it, or a mistake of ours was found; its outputs
 * are deleted, what it allocated is lost.
 */
bool tv_guard(void (*work)(void *context), void *context, struct tv_error *err);

#endif
