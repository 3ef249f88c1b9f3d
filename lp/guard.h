/* SPDX-License-Identifier: GPL-3.0-or-later */
/* guard.h -- GLPK without its messages, and without its way to end the program. */
#ifndef TV_GUARD_H
#define TV_GUARD_H

/* Calls work(context). Its result; -1 when GLPK gave up in the middle (a bug or a lack of memory:
 * all that GLPK allocated is then given back, objects of the work included). */
int tv_glpk_guard(int (*work)(void *context), void *context);

#endif
