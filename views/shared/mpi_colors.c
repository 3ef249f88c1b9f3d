/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mpi_colors.c -- colors of what threads for communication do, the same in all panels. */
#include "views/shared/mpi_colors.h"

#include <string.h>

#include "trace/error.h"
#include "views/scene/palette.h"

/* Those of StarPU-MPI, and the classes of MPI calls. */
static const struct {
	const char *name;
	uint32_t color;
} known[] = {
	{ "Polling", 0xc9d6e8 },
	{ "Processing", 0x3b7dc0 },
	{ "Sleeping", 0xe6dff2 },
	{ "Submitting task", 0xf28e2b },
	{ "Scheduling", 0xb59a00 },
	{ "Callback", 0x8c564b },
	{ "SendSubmitted", 0xd62728 },
	{ "SendCompleted", 0xf2a0a0 },
	{ "ReceiveSubmitted", 0x1f7a33 },
	{ "ReceiveCompleted", 0x74c476 },
	{ "blocking", 0xd1495b },
	{ "start", 0x3b7dc0 },
	{ "test", 0xf0b429 },
	{ "wait", 0x7b2d8b },
	{ "other", 0xa8a39d },
};

uint32_t tv_mpi_state_color(const char *name)
{
	for (size_t i = 0; i < TV_COUNT(known); i++)
		if (strcmp(known[i].name, name) == 0)
			return known[i].color;
	return tv_palette_by_name(name);
}
