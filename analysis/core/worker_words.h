/* SPDX-License-Identifier: GPL-3.0-or-later */
/* worker_words.h -- workers of a type in words. */
#ifndef TV_WORKER_WORDS_H
#define TV_WORKER_WORDS_H

#include <stdbool.h>

enum { TV_WORKER_WORDS = 80 };

/* What is before "workers" where they are of a type: "CPU "; "" of a type that is itself called worker, thread, host or node (Worker,
 * threads), as where the trace has no types. Returns out. */
const char *tv_before_workers(char out[TV_WORKER_WORDS], const char *type);
/* "CPU workers", "workers"; where a sentence begins "Workers". */
const char *tv_words_workers(char out[TV_WORKER_WORDS], const char *type, bool begins);

#endif
