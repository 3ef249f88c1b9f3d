/* SPDX-License-Identifier: GPL-3.0-or-later */
/* base64.h -- bytes as text, without line ends. [RFC 4648, 4] */
#ifndef TV_BASE64_H
#define TV_BASE64_H

#include "trace/output.h"

/* out is set, all else zeroed. */
struct tv_base64 {
	struct tv_output *out;
	unsigned char kept[3];
	unsigned n;
	size_t filled;
	char text[4096];
};

void tv_base64_write(struct tv_base64 *to, const void *bytes, size_t n);
/* Writes what is left, with padding; *to can be used for another text then. */
void tv_base64_end(struct tv_base64 *to);

#endif
