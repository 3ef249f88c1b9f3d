/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * starpu_many.c -- a task of StarPU that N others wait for, then one that reads N data; the policy's weights in the
 * environment are changed when StarPU has read them.
 */
#include <starpu.h>
#include <stdlib.h>

static void work(void *buffers[], void *argument)
{
	(void)buffers;
	(void)argument;
}

static struct starpu_codelet all = { .cpu_funcs = { work },
				     .nbuffers = STARPU_VARIABLE_NBUFFERS,
				     .name = "all" };
static struct starpu_codelet one = {
	.cpu_funcs = { work }, .nbuffers = 1, .modes = { STARPU_RW }, .name = "one"
};

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 1, value = 0;
	starpu_data_handle_t *handle = calloc((size_t)n, sizeof *handle);
	struct starpu_data_descr *data = calloc((size_t)n, sizeof *data);

	if (starpu_init(NULL) != 0 || !handle || !data)
		return 77;
	setenv("STARPU_SCHED_ALPHA", "5", 1);
	for (int i = 0; i < n; i++) {
		starpu_variable_data_register(&handle[i], STARPU_MAIN_RAM, (uintptr_t)&value,
					      sizeof value);
		data[i].handle = handle[i];
		data[i].mode = STARPU_RW;
	}
	/* Nothing runs before all is submitted. */
	starpu_pause();
	starpu_task_insert(&all, STARPU_DATA_MODE_ARRAY, data, n, 0);
	for (int i = 0; i < n; i++)
		starpu_task_insert(&one, STARPU_RW, handle[i], 0);
	starpu_resume();
	starpu_task_wait_for_all();
	for (int i = 0; i < n; i++)
		starpu_data_unregister(handle[i]);
	starpu_shutdown();
	free(data);
	free(handle);
	return 0;
}
