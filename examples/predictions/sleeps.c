/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sleeps.c -- a tiled Cholesky factorization whose tasks sleep, so that each takes a known time on any machine.
 *
 *   sleeps [tiles N] [potrf MS] [trsm MS] [gemm MS] [submit MS] [thread N] [slow FACTOR]
 *
 * submit: before each submission of trsm; thread: which one is slow.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct setting {
	const char *name;
	double value;
} settings[] = { { "tiles", 8 },  { "potrf", 80 },  { "trsm", 120 }, { "gemm", 160 },
		 { "submit", 0 }, { "thread", -1 }, { "slow", 1 } };

enum { TILES, POTRF, TRSM, GEMM, SUBMIT, THREAD, SLOW, NSETTINGS };

static void sleep_ms(double ms)
{
	long long ns = (long long)(ms * 1e6);
	const struct timespec time = { ns / 1000000000, ns % 1000000000 };

	nanosleep(&time, NULL);
}

static void work(int kernel)
{
	int slow = omp_get_thread_num() == (int)settings[THREAD].value;

	sleep_ms(settings[kernel].value * (slow ? settings[SLOW].value : 1));
}

/* One function for each kernel, since that is the name of its tasks. */
static void potrf(const char *diagonal)
{
	(void)diagonal;
#pragma omp task depend(inout : diagonal[0])
	work(POTRF);
}

static void trsm(const char *diagonal, const char *below)
{
	(void)diagonal, (void)below;
#pragma omp task depend(in : diagonal[0]) depend(inout : below[0])
	work(TRSM);
}

static void gemm(const char *left, const char *up, const char *tile)
{
	(void)left, (void)up, (void)tile;
#pragma omp task depend(in : left[0], up[0]) depend(inout : tile[0])
	work(GEMM);
}

static void factorize(const char *tile, int n)
{
	for (int k = 0; k < n; k++) {
		const char *column = tile + k;

		potrf(&column[k * n]);
		for (int i = k + 1; i < n; i++) {
			sleep_ms(settings[SUBMIT].value);
			trsm(&column[k * n], &column[i * n]);
		}
		for (int i = k + 1; i < n; i++)
			for (int j = k + 1; j <= i; j++)
				gemm(&column[i * n], &column[j * n], &tile[i * n + j]);
	}
}

int main(int argc, char **argv)
{
	int n;
	char *tile;

	for (int i = 1; i + 1 < argc; i += 2)
		for (int s = 0; s < NSETTINGS; s++)
			if (strcmp(argv[i], settings[s].name) == 0)
				settings[s].value = atof(argv[i + 1]);
	n = (int)settings[TILES].value;
	tile = calloc((size_t)n * n, 1);
	if (n < 1 || tile == NULL)
		return 1;
#pragma omp parallel
#pragma omp single
	factorize(tile, n);
	free(tile);
	return 0;
}
