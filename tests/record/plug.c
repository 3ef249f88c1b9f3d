/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plug.c -- a library that marks.c loads; NAME makes several of the same size. */
void plug(void (*mark)(void));
void NAME(void (*mark)(void));

__attribute__((noinline)) void NAME(void (*mark)(void))
{
	mark(); /* here: NAME */
	__asm__ volatile("");
}

void plug(void (*mark)(void))
{
	NAME(mark);
	__asm__ volatile("");
}
