/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sha256.h -- the digest that a Content-Security-Policy names. [FIPS 180-4, 6.2] */
#ifndef TV_SHA256_H
#define TV_SHA256_H

#include <stddef.h>

enum { TV_SHA256_BYTES = 32 };

void tv_sha256(const void *bytes, size_t n, unsigned char digest[TV_SHA256_BYTES]);

#endif
