/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fake_blas.c -- built as libopenblas_*.so: starts a thread when it is loaded, and has a parallel region. */
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

void fake_gemm(void);

static void *idle(void *unused)
{
	pause();
	return unused;
}

static void __attribute__((constructor)) begin(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, idle, NULL);
}

void fake_gemm(void)
{
#pragma omp parallel
	__asm__ volatile("");
}
