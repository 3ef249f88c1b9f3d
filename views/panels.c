/* SPDX-License-Identifier: GPL-3.0-or-later */
/* panels.c -- the table of panels. */
#include "views/panels.h"

#include <string.h>

const struct tv_panel *const tv_panels[] = {
	&tv_panel_spacetime,
};
const size_t tv_npanels = TV_COUNT(tv_panels);

const struct tv_panel *tv_panel_find(const char *name)
{
	for (size_t i = 0; i < tv_npanels; i++)
		if (strcmp(tv_panels[i]->name, name) == 0)
			return tv_panels[i];
	return NULL;
}
