/* SPDX-License-Identifier: GPL-3.0-or-later */
/* boundaries.h -- where the parts of a platform end, in numbers of cores. */
#ifndef TV_BOUNDARIES_H
#define TV_BOUNDARIES_H

#include <stddef.h>
#include <stdint.h>

#include "trace/error.h"

/*
 * With workers on the cores of a platform (shipped, or a file) in its order: the number of workers at which
 * each last-level cache or memory, except the last one, has no core left; ascending. *number: a new array
 * of *n > 0, to be freed with tv_free. -1 with *err: no such platform, or it has no boundaries.
 */
int tv_platform_boundaries(const char *platform, uint32_t **number, size_t *n,
			   struct tv_error *err) TV_MUST_CHECK;

#endif
