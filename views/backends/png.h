/* SPDX-License-Identifier: GPL-3.0-or-later */
/* png.h -- chunks that Cairo does not write, put into its PNG: resolution, texts. */
#ifndef TV_PNG_CHUNKS_H
#define TV_PNG_CHUNKS_H

#include "views/backends/backend.h"

/* Cairo's bytes pass through it to out; the chunks follow the header of the PNG, its first 33. */
struct tv_png {
	struct tv_output *out;
	const struct tv_metadata *about;
	double dpi;
	size_t passed;
};

void tv_png_write(struct tv_png *png, const unsigned char *bytes, size_t n);

#endif
