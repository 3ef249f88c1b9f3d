/* SPDX-License-Identifier: GPL-3.0-or-later */
/* escape.h -- text as content or attribute of XML and HTML. */
#ifndef TV_ESCAPE_H
#define TV_ESCAPE_H

#include "trace/output.h"

/* The text is as tv_clean_text makes it; attributes are in double quotes. */
void tv_write_escaped(struct tv_output *out, const char *text);

#endif
