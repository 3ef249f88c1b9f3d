/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lib.h -- the records of a file as libfxt reads them. */
#ifndef TV_FXT_LIB_H
#define TV_FXT_LIB_H

#include "convert/fxt/file.h"

struct tv_fxt_lib;

int tv_fxt_lib_open(struct tv_fxt_lib **lib, const char *path, struct tv_error *err) TV_MUST_CHECK;
enum tv_fxt_step tv_fxt_lib_next(struct tv_fxt_lib *lib, struct tv_fxt_event *event);
void tv_fxt_lib_close(struct tv_fxt_lib *lib); /* accepts NULL */

#endif
