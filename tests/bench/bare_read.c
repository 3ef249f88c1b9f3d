/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bare_read.c -- CPU time in ns of one read of a group of four software events on each CPU, of this process's child. */
#include <linux/perf_event.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int open_event(uint64_t config, pid_t pid, int cpu, int leader)
{
	struct perf_event_attr attr = { .size = sizeof attr,
					.type = PERF_TYPE_SOFTWARE,
					.config = config,
					.inherit = 1,
					.read_format = PERF_FORMAT_GROUP };

	return (int)syscall(SYS_perf_event_open, &attr, pid, cpu, leader, 0);
}

int main(int argc, char **argv)
{
	static const uint64_t event[] = { PERF_COUNT_SW_CPU_CLOCK, PERF_COUNT_SW_CONTEXT_SWITCHES,
					  PERF_COUNT_SW_CPU_MIGRATIONS, PERF_COUNT_SW_PAGE_FAULTS };
	int n = argc > 1 ? atoi(argv[1]) : 1000, ncpus = (int)sysconf(_SC_NPROCESSORS_ONLN);
	int leader[1024];
	uint64_t value[8];
	struct timespec begin, end;
	pid_t child = fork();

	if (child == 0)
		for (;;)
			pause();
	for (int cpu = 0; cpu < ncpus && cpu < 1024; cpu++) {
		leader[cpu] = -1;
		for (int i = 0; i < 4; i++) {
			int fd = open_event(event[i], child, cpu, leader[cpu]);

			leader[cpu] = i == 0 ? fd : leader[cpu];
		}
	}
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
	for (int i = 0; i < n; i++) {
		for (int cpu = 0; cpu < ncpus && cpu < 1024; cpu++)
			if (read(leader[cpu], value, sizeof value) < 0)
				return 1;
		usleep(1000);
	}
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	printf("%.0f\n",
	       ((double)(end.tv_sec - begin.tv_sec) * 1e9 + (double)(end.tv_nsec - begin.tv_nsec))
		       / n);
	return 0;
}
