/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * glibc.h -- lets what is loaded into recorded programs run with glibc 2.28, whatever glibc it is built with.
 *
 * The Makefile includes it into each file of record/loaded/ that is loaded. glibc 2.34 moved these functions into
 * libc.so.6 under a new version, and kept the old one, which every glibc has. Functions that have no old version
 * are not used: tests/glibc.sh checks it.
 */
#include <features.h>

#if defined __GLIBC__ && defined __x86_64__
#define TV_FIRST_GLIBC "GLIBC_2.2.5"
#elif defined __GLIBC__ && defined __aarch64__
#define TV_FIRST_GLIBC "GLIBC_2.17"
#endif

#ifdef TV_FIRST_GLIBC
#define TV_AS_IN_FIRST_GLIBC(name) __asm__(".symver " #name ", " #name "@" TV_FIRST_GLIBC)
TV_AS_IN_FIRST_GLIBC(dladdr);
TV_AS_IN_FIRST_GLIBC(dlopen);
TV_AS_IN_FIRST_GLIBC(dlsym);
TV_AS_IN_FIRST_GLIBC(pthread_getspecific);
TV_AS_IN_FIRST_GLIBC(pthread_key_create);
TV_AS_IN_FIRST_GLIBC(pthread_once);
TV_AS_IN_FIRST_GLIBC(pthread_setspecific);
#endif
