/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pattern.h -- whether a regular expression of a user can be compiled. */
#ifndef TV_PATTERN_H
#define TV_PATTERN_H

#include <stdbool.h>

/* Whether an extended regular expression can be compiled in bounded memory and time. glibc copies
 * what is repeated, x+ to xx*, so the number of characters is counted that it then has, by groups. */
bool tv_pattern_small(const char *pattern);

#endif
