/* SPDX-License-Identifier: GPL-3.0-or-later */
/* killed.c -- tasks of some microseconds without end, until somebody kills the program. The file that it is
 * given has how many have begun and ended, as mapped memory that a kill cannot take back. */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static struct {
	_Atomic uint64_t begun, ended;
} * counts;

static void work(void)
{
	volatile double x = 0;

	atomic_fetch_add(&counts->begun, 1);
	for (int i = 0; i < 2000; i++)
		x += i;
	atomic_fetch_add(&counts->ended, 1);
}

int main(int argc, char **argv)
{
	int fd = open(argc > 1 ? argv[1] : "counts", O_RDWR | O_CREAT, 0666);

	if (fd < 0 || ftruncate(fd, sizeof *counts) < 0)
		return 1;
	counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (counts == MAP_FAILED)
		return 1;
#pragma omp parallel
#pragma omp single
	for (long i = 0; i < 2000000; i++) {
#pragma omp task
		work();
	}
	return 0;
}
