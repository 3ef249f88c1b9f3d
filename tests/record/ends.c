/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ends.c -- numbers some events, then ends in the way that is asked for: ends HOW [COUNT]. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/loaded/traceviz.h"

static void count_to(int n)
{
	for (int i = 0; i < n; i++)
		traceviz_number("count", i);
}

/* Closes all files that the program has not opened, and opens one of its own under their numbers. */
static void take_all_files(void)
{
	int fd;

	for (fd = 3; fd < 1024; fd++)
		close(fd);
	do
		fd = open("precious", O_RDWR);
	while (fd >= 0 && fd < 1000);
	for (int i = 1000; i < 20000; i++)
		traceviz_number("count", i);
}

static void end(const char *how, char **argv)
{
	char *const again[] = { argv[0], "exit", "3", NULL };

	if (strcmp(how, "_exit") == 0)
		_exit(4);
	if (strcmp(how, "quick_exit") == 0)
		quick_exit(5);
	if (strcmp(how, "late") == 0) {
		usleep(500000);
		count_to(20);
	}
	if (strcmp(how, "closes") == 0)
		take_all_files();
	if (strcmp(how, "killed") == 0)
		raise(SIGKILL);
	if (strcmp(how, "crashes") == 0)
		raise(SIGSEGV);
	if (strcmp(how, "exec") == 0)
		execv(argv[0], again);
	if (strcmp(how, "fork") == 0 && fork() == 0) {
		count_to(2);
		_exit(0);
	}
	if (strcmp(how, "fork-exec") == 0 && fork() == 0)
		execv(argv[0], again);
	if (strcmp(how, "vfork-exec") == 0 && vfork() == 0) {
		execv("./nosuch", again);
		_exit(0);
	}
}

int main(int argc, char **argv)
{
	int status;

	count_to(argc > 2 ? atoi(argv[2]) : 1000);
	end(argc > 1 ? argv[1] : "exit", argv);
	while (wait(&status) > 0)
		;
	puts("the end");
	return 0;
}
