/* SPDX-License-Identifier: GPL-3.0-or-later */
/* foreign.h -- formats that are recognized and not read, and what to do with their files. */
#ifndef TV_FOREIGN_H
#define TV_FOREIGN_H

#include <stddef.h>

/* What a file that begins so is, and what traceviz can do with it, as the rest of a message; NULL: none
 * of these formats. The head is not closed by NUL. */
const char *tv_foreign(const char *head, size_t n);
/* The same for a file that no reader recognizes: a table with other separators. */
const char *tv_unknown_table(const char *head, size_t n);

#endif
