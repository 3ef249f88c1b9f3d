/* SPDX-License-Identifier: GPL-3.0-or-later */
/* igraph.h -- igraph where nothing but memory can be missing. */
#ifndef TV_IGRAPH_H
#define TV_IGRAPH_H

#include <igraph.h>

#include "trace/alloc.h"

/* For functions of igraph whose only possible failure is exhausted memory. */
static inline void tv_igraph_check(igraph_error_t code)
{
	if (code != IGRAPH_SUCCESS)
		tv_memory_exhausted(0);
}

#endif
