/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * starpu_push.c -- N tasks that read a vector, whose performance model is known: each submission pushes a task, so the
 * scheduler decides in this thread. Prints ns of CPU time of the thread per task, and the number of workers.
 */
#include <starpu.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void work(void *buffers[], void *arg)
{
	(void)buffers;
	(void)arg;
}

static double cost(struct starpu_task *task, unsigned impl)
{
	(void)task;
	(void)impl;
	return 1;
}

static struct starpu_perfmodel model = { .type = STARPU_COMMON,
					 .symbol = "traceviz_bench",
					 .cost_function = cost };
static struct starpu_codelet codelet = { .cpu_funcs = { work },
					 .nbuffers = 1,
					 .modes = { STARPU_R },
					 .model = &model,
					 .name = "nothing" };

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
	return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 10000;
	static float vector[64];
	starpu_data_handle_t handle;
	double begin;

	if (starpu_init(NULL))
		return 1;
	starpu_vector_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)vector, 64,
				    sizeof *vector);
	begin = now();
	for (int i = 0; i < n; i++)
		if (starpu_task_insert(&codelet, STARPU_R, handle, 0))
			return 1;
	printf("%.0f %u\n", (now() - begin) / n, starpu_worker_get_count());
	starpu_task_wait_for_all();
	starpu_data_unregister(handle);
	starpu_shutdown();
	return 0;
}
