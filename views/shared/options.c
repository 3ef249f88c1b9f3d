/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.c -- settings of a figure, and the number of its pages. */
#include "views/shared/options.h"

#include <string.h>

static const char *const names[] = {
	[TV_ORDER_TYPE] = "type", [TV_ORDER_NUMA] = "numa", [TV_ORDER_DEVICE] = "device",
	[TV_ORDER_BUSY] = "busy", [TV_ORDER_NAME] = "name",
};

int tv_row_order_find(const char *name)
{
	for (size_t i = 0; i < TV_COUNT(names); i++)
		if (strcmp(names[i], name) == 0)
			return (int)i;
	return -1;
}

const char *tv_setting(const struct tv_plot_options *options, const char *panel, const char *key)
{
	for (size_t i = options->nsettings; i-- > 0;) {
		const struct tv_setting *s = &options->setting[i];

		if (strcmp(s->key, key) == 0
		    && (s->panel == NULL ? panel == NULL
					 : panel != NULL && strcmp(s->panel, panel) == 0))
			return s->value;
	}
	return NULL;
}

double tv_page_scale(const struct tv_plot_options *options)
{
	return options->scale > 0 ? options->scale : 1;
}

unsigned tv_plot_pages(const struct tv_plot_options *options)
{
	return options->page_rows == 0 || options->rows == 0
		     ? 1
		     : (options->rows + options->page_rows - 1) / options->page_rows;
}
