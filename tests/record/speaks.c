/* SPDX-License-Identifier: GPL-3.0-or-later */
/* speaks.c -- calls each function of traceviz.h once: speaks [STATUS]. */
#include <stdlib.h>

#include "record/loaded/traceviz.h"

int main(int argc, char **argv)
{
	static double tile[64];

	traceviz_phase_begin("factorization");
	traceviz_task("potrf");
	traceviz_number("Iteration", 7);
	traceviz_data(tile, sizeof tile, "tile");
	traceviz_pause();
	traceviz_task("not recorded");
	traceviz_resume();
	traceviz_phase_end("factorization");
	return argc > 1 ? atoi(argv[1]) : 0;
}
