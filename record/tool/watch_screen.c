/* SPDX-License-Identifier: GPL-3.0-or-later */
/* watch_screen.c -- the screen of record --watch, as text. */
#include "record/tool/watch_screen.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"

enum { LABEL = 13, NAME = 22, UNIT = 5, VALUE = 7, RANGE = 18, CELL_MIN = 10, TEXT = 24 };

static const char shades[] = " .:=+*#@";

struct text {
	char *at;
	size_t n, cap;
};

static void put(struct text *text, char c)
{
	TV_GROW(text->at, text->n, text->cap, 1);
	text->at[text->n++] = c;
}

static void put_text(struct text *text, const char *from)
{
	while (*from != '\0')
		put(text, *from++);
}

/* Left-aligned in `width` columns, the last of which is a space; a longer text is cut. */
static void put_column(struct text *text, const char *from, size_t width)
{
	size_t n = strlen(from);

	for (size_t i = 0; i + 1 < width; i++)
		put(text, i < n ? from[i] : ' ');
	put(text, ' ');
}

/* Three digits and a prefix of SI: up to seven columns. */
static void format_value(double value, char out[TEXT])
{
	static const char prefix[] = " kMGTPE";
	double size = fabs(value);
	size_t i = 0;

	if (isnan(value)) {
		snprintf(out, TEXT, "-");
		return;
	}
	if (size >= 999.5e18 || (size > 0 && size < 0.0005)) {
		snprintf(out, TEXT, "%.0e", value);
		return;
	}
	for (; size >= 999.5; i++)
		size /= 1000;
	if (size < 1)
		snprintf(out, TEXT, "%s%.3g", value < 0 ? "-" : "", round(size * 1000) / 1000);
	else
		snprintf(out, TEXT, "%s%.3g%.*s", value < 0 ? "-" : "", size, i > 0, prefix + i);
}

/* Where a value is between the ends of the scale: 0..1. */
static double share(const struct tv_watch_row *row, double value)
{
	/* Halves, as the difference of large values may not be finite. */
	double range = row->max / 2 - row->min / 2;
	double u = range > 0 ? (value / 2 - row->min / 2) / range : 0;

	/* Not a number is empty as well. */
	return u > 0 ? fmin(u, 1) : 0;
}

static void put_color(struct text *text, double u, bool color)
{
	if (color)
		put_text(text, u < 0.5 ? "\033[32m" : u < 0.8 ? "\033[33m" : "\033[31m");
}

static void end_color(struct text *text, bool color)
{
	if (color)
		put_text(text, "\033[0m");
}

static void put_shade(struct text *text, const struct tv_watch_row *row, double value, bool color)
{
	double u;

	if (isnan(value)) {
		put(text, '-');
		return;
	}
	u = share(row, value);
	put_color(text, u, color);
	put(text, shades[(size_t)lround(u * (sizeof shades - 2))]);
	end_color(text, color);
}

/* A value and a bar, `width` columns. */
static void put_cell(struct text *text, const struct tv_watch_row *row, double value, size_t width,
		     bool color)
{
	char number[TEXT];
	size_t bar = width - VALUE - 2, full;
	double u;

	format_value(value, number);
	for (size_t n = strlen(number); n < VALUE; n++)
		put(text, ' ');
	put_text(text, number);
	put(text, ' ');
	if (bar < 3 || isnan(value)) {
		put_shade(text, row, value, color);
		for (size_t i = 1; i < bar; i++)
			put(text, ' ');
	} else {
		u = share(row, value);
		full = (size_t)lround(u * (double)bar);
		put_color(text, u, color);
		for (size_t i = 0; i < bar; i++)
			put(text, i < full ? '#' : '.');
		end_color(text, color);
	}
	put(text, ' ');
}

/* The range of all values, then a shade per `merged` objects, which is their mean. */
static void put_shades(struct text *text, const struct tv_watch_row *row, const double *value,
		       size_t n, size_t width, bool color)
{
	size_t merged = (n + width - RANGE - 3) / (width - RANGE - 2);
	double low = NAN, high = NAN;
	char from[TEXT], to[TEXT], *range;

	for (size_t i = 0; i < n; i++) {
		low = fmin(low, value[i]);
		high = fmax(high, value[i]);
	}
	format_value(low, from);
	format_value(high, to);
	range = isnan(low) ? tv_strdup("      -") : tv_format("%7s..%s", from, to);
	put_column(text, range, RANGE);
	tv_free(range);
	put(text, '[');
	for (size_t i = 0; i < n; i += merged) {
		double mean = 0;
		size_t known = 0;

		for (size_t k = i; k < n && k < i + merged; k++)
			if (!isnan(value[k])) {
				known++;
				mean += (value[k] - mean) / (double)known;
			}
		put_shade(text, row, known > 0 ? mean : NAN, color);
	}
	put(text, ']');
}

static void put_row(struct text *text, const struct tv_watch_row *row, size_t width, bool color)
{
	double *value = tv_alloc(row->n, sizeof *value);
	size_t n = 0, rest = width - LABEL - NAME - UNIT;
	char *label;

	for (size_t i = 0; i < row->n; i++)
		if (row->has[i])
			value[n++] = row->value[i];
	label = n > 1 ? tv_format("%s x%zu", row->level, n) : tv_strdup(row->level);
	put_column(text, label, LABEL);
	put_column(text, row->name, NAME);
	put_column(text, row->unit, UNIT);
	if (n > 0 && rest / n >= CELL_MIN)
		for (size_t i = 0; i < n; i++)
			put_cell(text, row, value[i], rest / n, color);
	else if (n > 0)
		put_shades(text, row, value, n, rest, color);
	while (text->n > 0 && text->at[text->n - 1] == ' ')
		text->n--;
	put(text, '\n');
	tv_free(label);
	tv_free(value);
}

char *tv_watch_render(const struct tv_watch_screen *screen, size_t width, size_t height, bool color)
{
	struct text text = { 0 };
	size_t shown = screen->nrows;
	char *line = tv_format("%.1f s, %llu samples, %llu missed\n", screen->seconds,
			       (unsigned long long)screen->ticks,
			       (unsigned long long)screen->missed);

	if (width < TV_WATCH_WIDTH_MIN)
		width = TV_WATCH_WIDTH_MIN;
	if (height > 0 && shown + 1 > height)
		shown = height > 2 ? height - 2 : 0;
	put_text(&text, line);
	tv_free(line);
	for (size_t i = 0; i < shown; i++)
		put_row(&text, &screen->row[i], width, color);
	if (shown < screen->nrows) {
		line = tv_format("... %zu more lines\n", screen->nrows - shown);
		put_text(&text, line);
		tv_free(line);
	}
	put(&text, '\0');
	return text.at;
}
