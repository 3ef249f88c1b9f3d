/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * anonymize.h -- replaces the names in a trace, so that it may be handed over.
 *
 * A name becomes 14 letters of its HMAC-SHA256 (RFC 2104): equal names stay equal, in one trace and in
 * all that are written with the same key, and without the key nobody can test whether a name that he
 * guesses is in the trace. Of several million names two would become one with a chance below 10^-5.
 *
 * Kept are all numbers, integers of up to nine digits also where they are names, the words that
 * traceviz itself interprets (kinds, states of runtimes, functions of MPI, ...), and the numbers in
 * names of resources: 0_CPU3 becomes 0_NAME3, which is in the same place of an order of names.
 */
#ifndef TV_ANONYMIZE_H
#define TV_ANONYMIZE_H

#include "trace/trace.h"

/* Renames all tables of a complete trace. key: a file of 16 to 4096 bytes; NULL = a random key that
 * nobody learns. -1 with *err if there is no key. Cost O(cells). */
int tv_anonymize(struct tv_trace *trace, const char *key, struct tv_error *err) TV_MUST_CHECK;

#endif
