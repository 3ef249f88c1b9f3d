/* SPDX-License-Identifier: GPL-3.0-or-later */
/* watch_screen.h -- the screen of record --watch, as text. */
#ifndef TV_CLI_WATCH_SCREEN_H
#define TV_CLI_WATCH_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One quantity at the objects of a level. */
struct tv_watch_row {
	const char *level, *name, *unit;
	const double *value; /* per object; NaN = missing */
	const bool *has;     /* per object: it has this quantity */
	size_t n;
	double min, max; /* of the bars: min is empty, max full */
};

struct tv_watch_screen {
	double seconds; /* since the first sample */
	uint64_t ticks, missed;
	const struct tv_watch_row *row;
	size_t nrows;
};

enum { TV_WATCH_WIDTH = 80, TV_WATCH_WIDTH_MIN = 64 };

/*
 * The screen in new memory, up to `width` columns (at the narrowest TV_WATCH_WIDTH_MIN) and `height`
 * lines (0: all): a line about the run, then a line per row. One object has a value and a bar; a few have
 * one each; if they do not fit, siblings share a character, which is their mean, behind the range of all values.
 */
char *tv_watch_render(const struct tv_watch_screen *screen, size_t width, size_t height,
		      bool color);

#endif
