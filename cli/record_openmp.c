/* SPDX-License-Identifier: GPL-3.0-or-later */
/* record_openmp.c -- what the OpenMP probe needs before the program starts. */
#include <stdlib.h>
#include <unistd.h>

#include "cli/record.h"
#include "trace/alloc.h"

int tv_record_openmp(struct tv_recording *recording, struct tv_error *err)
{
	char *tool = tv_format("%s/libtraceviz-openmp.so", recording->libraries);

	(void)err;
	setenv("OMP_TOOL", "enabled", 1);
	setenv("OMP_TOOL_LIBRARIES", tool, 1);
	tv_free(tool);
	return 0;
}
