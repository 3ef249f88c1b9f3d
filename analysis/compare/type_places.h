/* SPDX-License-Identifier: GPL-3.0-or-later */
/* type_places.h -- task types called after a place in the program, in runs of a program that was edited between them. */
#ifndef TV_TYPE_PLACES_H
#define TV_TYPE_PLACES_H

#include "trace/trace.h"

/*
 * Gives task types of `trace` that differ from those of `base` only in the line (function@file.c:23) the names that they have
 * there; of several with the same name before the line the k-th by line is the k-th of `base`, and where the runs have not
 * the same number of them all keep their names. How many got another name. Cost O(rows + types log types).
 */
size_t tv_align_places(const struct tv_trace *base, struct tv_trace *trace);

#endif
