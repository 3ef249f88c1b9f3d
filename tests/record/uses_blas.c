/* SPDX-License-Identifier: GPL-3.0-or-later */
/* uses_blas.c -- a task that calls fake_blas.c. */
#include "record/loaded/traceviz.h"

void fake_gemm(void);

int main(void)
{
	traceviz_task("gemm");
	fake_gemm();
	return 0;
}
