/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pdf.h -- a PDF in memory, and whether it is whole. */
#ifndef TV_PDF_H
#define TV_PDF_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Whether a file that Cairo wrote ends with a trailer and has, at each place that its table of
 * objects names, that object. Cairo reports success for files without either when memory is
 * exhausted while it writes the fonts.
 */
bool tv_pdf_is_whole(const char *bytes, size_t n);

#endif
