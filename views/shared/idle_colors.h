/* SPDX-License-Identifier: GPL-3.0-or-later */
/* idle_colors.h -- colors of the causes of idle time (dag/idle.h) and of what is blamed (dag/blame.h). */
#ifndef TV_IDLE_COLORS_H
#define TV_IDLE_COLORS_H

enum {
	COLOR_DATA = 0x0072b2,
	COLOR_RUNTIME = 0xd55e00,
	COLOR_ELSEWHERE = 0xe6a22e,
	COLOR_MPI = 0x56b4e9,
	COLOR_UNSUITED = 0xcc79a7,
	COLOR_DEPENDENCIES = 0x9a9a9a,
	COLOR_NOT_SUBMITTED = 0x2a9d77,
	COLOR_DRAIN = 0xd8d06a,
	COLOR_UNEXPLAINED = 0x3c3c3c,
	/* parts of dependencies */
	COLOR_TASK = 0x6f6f6f,
	COLOR_MESSAGE = 0x93bcd4,
	COLOR_WAITING = 0xb89b72,
	COLOR_SUBMISSION = 0x8fc4ad,
	COLOR_NO_NEXT_TASK = 0xd9d9d9,
};

#endif
