/* SPDX-License-Identifier: GPL-3.0-or-later */
/* writers.c -- threads that number events: writers THREADS EACH [AT_ONCE]. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "record/loaded/traceviz.h"

static int each;

static void *count(void *argument)
{
	char name[32];

	snprintf(name, sizeof name, "writer%d", *(const int *)argument);
	for (int i = 0; i < each; i++)
		traceviz_number(name, i);
	return NULL;
}

int main(int argc, char **argv)
{
	int n = argc > 2 ? atoi(argv[1]) : 1, at_once = argc > 3 ? atoi(argv[3]) : n;
	pthread_t *thread = calloc((size_t)at_once, sizeof *thread);
	int *index = calloc((size_t)n, sizeof *index);

	if (!thread || !index)
		return 1;
	each = argc > 2 ? atoi(argv[2]) : 1;
	for (int i = 0; i < n; i += at_once) {
		for (int k = 0; k < at_once && i + k < n; k++) {
			index[i + k] = i + k;
			if (pthread_create(&thread[k], NULL, count, &index[i + k]))
				return 1;
		}
		for (int k = 0; k < at_once && i + k < n; k++)
			pthread_join(thread[k], NULL);
	}
	free(thread);
	free(index);
	return 0;
}
