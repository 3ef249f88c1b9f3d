/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plugin.c -- a library with tasks, for bodies.c. */
int plugin(int n);

int plugin(int n)
{
	int done = 0;

#pragma omp parallel
#pragma omp single
	for (int i = 0; i < n; i++) {
#pragma omp task shared(done)
#pragma omp atomic
		done++;
	}
	return done;
}
