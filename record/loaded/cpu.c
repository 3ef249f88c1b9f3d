/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu.c -- on which CPU and NUMA node an event happens. */
#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "record/loaded/log.h"

static int ask_kernel(unsigned *cpu, unsigned *node)
{
	return (int)syscall(SYS_getcpu, cpu, node, NULL);
}

static int (*ask)(unsigned *cpu, unsigned *node) = ask_kernel;

/* glibc has getcpu from 2.29 on, which needs no system call; the program may run with an older one. */
__attribute__((constructor)) static void find_getcpu(void)
{
	void *getcpu = dlsym(RTLD_DEFAULT, "getcpu");

	if (getcpu != NULL)
		*(void **)&ask = getcpu;
}

void tv_log_place(uint64_t *args)
{
	struct tv_log_event *event = (void *)(args - 2);
	unsigned cpu = 0, node = 0;

	ask(&cpu, &node);
	event->cpu = (uint16_t)cpu;
	event->numa = (uint16_t)node;
}
