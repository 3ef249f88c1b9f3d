/* SPDX-License-Identifier: GPL-3.0-or-later */
/* strip.h -- the line above a panel: what it shows, in words and numbers, and its keys. */
#ifndef TV_STRIP_H
#define TV_STRIP_H

#include "views/shared/figure.h"

enum tv_key_kind {
	TV_KEY_AREA,
	TV_KEY_LINE,
	TV_KEY_DASHED,
	TV_KEY_DOTTED,
	TV_KEY_DASHDOT,
	TV_KEY_DOT,
	TV_KEY_CASED,
	TV_KEY_CASED_DASHED,
	TV_KEY_CASED_DOTTED, /* on a black line */
	TV_KEY_SCALE,	     /* a bar of all shades, its ends named by the text: "0 to 5 %" */
};

enum { TV_KEY_TEXT = 160 };

/* One key of a panel: its symbol and its meaning. */
struct tv_key {
	enum tv_key_kind kind;
	uint32_t color;
	char text[TV_KEY_TEXT];		 /* clean text; may contain a number: "data 5.2 %" */
	uint32_t (*shade)(double share); /* TV_KEY_SCALE: the color of a share from 0 to 1 */
	char brief[64]; /* in a narrow line, or a third one; "": its middle is left out */
};

/*
 * The title is at the left, the keys follow it, on further lines where they do not fit. A
 * title that is too wide loses some words. The same arguments and width give the same lines, so measure and layout agree.
 */
double tv_strip_height(const struct tv_figure *figure, const char *title, const struct tv_key *key,
		       size_t n, double width);
/* How long it would be in one line, points. */
double tv_strip_length(const struct tv_figure *figure, const char *title, const struct tv_key *key,
		       size_t n);
/* The width that those of a timed panel have: from the begin of the time axis to the right edge, over what is at the right of rows. */
double tv_strip_width(const struct tv_figure *figure);
/* Draws it right above y from x on. */
void tv_strip_draw(struct tv_figure *figure, const char *title, const struct tv_key *key, size_t n,
		   double x, double y, double width);

/* Diagonal lines that far apart, with the pen: a number that is not known. */
void tv_hatch_draw(struct tv_scene *scene, double x, double y, double width, double height,
		   double apart);
/* A square around y from x on; its left half is of the color of outliers, where that is another one. */
void tv_swatch_draw(struct tv_scene *scene, double x, double y, double side, uint32_t color,
		    uint32_t outlier);
/* A round point with a thin edge, with the pen's class, group and row; the symbol of TV_KEY_DOT. */
void tv_bullet_draw(struct tv_scene *scene, double x, double y, double radius, uint32_t fill,
		    uint32_t edge);

#endif
