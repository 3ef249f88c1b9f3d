/* SPDX-License-Identifier: GPL-3.0-or-later */
/* random.h -- random numbers of generated traces and of tests of chance: the same seed gives the same ones everywhere. */
#ifndef TV_RANDOM_H
#define TV_RANDOM_H

#include <stdint.h>

/* xorshift64* of a state that is not 0; uniform in [0, 1). */
static inline double tv_random_share(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (double)(*state * 0x2545f4914f6cdd1du >> 11) * 0x1p-53;
}

#endif
