/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * schedulers.c -- tasks of StarPU that sleep, so that the order in which they run decides how long the program takes: a chain of urgent
 * tasks is submitted behind all others, the longest of these behind the short ones.
 *
 *   schedulers SHORT LONG LINKS
 */
#include <starpu.h>
#include <stdlib.h>

static void work(void *buffers[], void *argument)
{
	int ms;

	(void)buffers;
	starpu_codelet_unpack_args(argument, &ms);
	starpu_sleep((float)ms / 1000);
}

/* dmda needs to know how long they take. */
static struct kind {
	int ms, priority;
	struct starpu_perfmodel model;
	struct starpu_codelet codelet;
} kinds[] = {
#define KIND(NAME, MS, PRIORITY) \
	{ \
		MS, PRIORITY, { .type = STARPU_HISTORY_BASED, .symbol = "traceviz_" NAME }, \
		{ \
			.cpu_funcs = { work }, .nbuffers = 1, .modes = { STARPU_RW }, .name = NAME \
		} \
	}
	KIND("short", 80, 0),
	KIND("long", 600, 0),
	KIND("link", 120, 5),
};

enum { LINK = 2, NKINDS };

int main(int argc, char **argv)
{
	static int data[NKINDS];
	starpu_data_handle_t handle;
	int failed = argc != NKINDS + 1 || starpu_init(NULL) != 0;

	if (failed)
		return 1;
	starpu_pause();
	for (int k = 0; k < NKINDS; k++) {
		struct kind *kind = &kinds[k];

		kind->codelet.model = &kind->model;
		for (int i = 0; i < atoi(argv[k + 1]); i++) {
			/* Links write the same datum. */
			if (k < LINK || i == 0)
				starpu_variable_data_register(&handle, STARPU_MAIN_RAM,
							      (uintptr_t)&data[k], sizeof data[k]);
			failed |= starpu_task_insert(&kind->codelet, STARPU_RW, handle,
						     STARPU_VALUE, &kind->ms, sizeof kind->ms,
						     STARPU_PRIORITY, kind->priority, 0);
			if (k < LINK)
				starpu_data_unregister_submit(handle);
		}
	}
	starpu_resume();
	starpu_task_wait_for_all();
	if (atoi(argv[NKINDS]) > 0)
		starpu_data_unregister(handle);
	starpu_shutdown();
	return failed;
}
