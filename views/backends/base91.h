/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * base91.h -- bytes as text, 13 bits in two characters, where base 64 has 12: 8 % shorter.
 *
 * The digits are the printable characters of ASCII but blank, `"`, `<` and `\`, so the text can be
 * in an element `script` and between `"`. A number of 13 bits is its rest and its quotient by 91,
 * in this order; the bits are those of the bytes, lowest first. Up to 6 bits at the end are one
 * character. After basE91 (J. Henke), whose pairs have 13 or 14 bits.
 */
#ifndef TV_BASE91_H
#define TV_BASE91_H

#include "trace/output.h"

/* out is set, all else zeroed. */
struct tv_base91 {
	struct tv_output *out;
	unsigned bits, nbits; /* not yet written */
	size_t filled;
	char text[4096];
};

void tv_base91_write(struct tv_base91 *to, const void *bytes, size_t n);
/* Writes what is left. */
void tv_base91_end(struct tv_base91 *to);

#endif
