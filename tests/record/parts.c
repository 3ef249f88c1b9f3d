/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * parts.c -- regions of 10, 11, 12, 13 and 14 tasks, the third with a nested region of one task, for recordings of parts.
 *
 * parts [pause]   with an additional region of 5 tasks after the third one, during which recording is paused
 */
#include <omp.h>
#include <string.h>

#include "record/loaded/traceviz.h"

static void region(int tasks, int nested)
{
#pragma omp parallel num_threads(2)
#pragma omp single
	{
		for (int i = 0; i < tasks; i++) {
#pragma omp task
			traceviz_number("Tasks", tasks);
		}
		if (nested) {
#pragma omp parallel num_threads(1)
			{
#pragma omp task
				traceviz_number("Tasks", 1);
			}
		}
	}
}

int main(int argc, char **argv)
{
	int pauses = argc > 1 && !strcmp(argv[1], "pause");

	for (int i = 0; i < 5; i++) {
		region(10 + i, i == 2);
		if (i == 2 && pauses) {
			traceviz_pause();
			region(5, 0);
			traceviz_resume();
		}
	}
	return 0;
}
