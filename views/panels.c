/* SPDX-License-Identifier: GPL-3.0-or-later */
/* panels.c -- the table of panels. */
#include "views/panels.h"

#include <string.h>

#define ROW(name) &tv_panel_##name,
const struct tv_panel *const tv_panels[] = { TV_PANELS(ROW) };
const size_t tv_npanels = TV_COUNT(tv_panels);

const struct tv_panel *tv_panel_find(const char *name)
{
	for (size_t i = 0; i < tv_npanels; i++)
		if (strcmp(tv_panels[i]->name, name) == 0
		    || (tv_panels[i]->former != NULL && strcmp(tv_panels[i]->former, name) == 0))
			return tv_panels[i];
	return NULL;
}
