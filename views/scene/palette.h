/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * palette.h -- which color a task type has.
 *
 * A type has the color that its file gives it, else the one that data/kernels.csv has for its name, else
 * one of the palette, which its name alone determines: the same in each figure. Where two types of one
 * figure have nearly the same color, the later by name gets a darker or lighter one of the same hue.
 * The palettes "colorblind", for dichromats too, and "grayscale", without colors, have few colors that
 * differ: there the later one gets another color.
 */
#ifndef TV_PALETTE_H
#define TV_PALETTE_H

#include <stddef.h>
#include <stdint.h>

#include "trace/kernels.h"

/* In the order of the words of --palette: default, colorblind, grayscale, hmon. The last one has the
 * usual colors of types; numbers of the machine are green, yellow, red. */
enum tv_palette {
	TV_PALETTE_DEFAULT,
	TV_PALETTE_COLORBLIND,
	TV_PALETTE_GRAYSCALE,
	TV_PALETTE_HMON
};

enum { TV_COLORS_MAX = 12 }; /* types with a color of their own in one figure */

/* No color is lighter (tv_color_lightness): the faded one, that of a normal task, is then lighter
 * by at least 0.1, so that outliers are visible without colors too. */
#define TV_LIGHTEST 0.78

/* Colors of n <= TV_COLORS_MAX different names, 0xRRGGBB; no two are equal. kernels: NULL = they are
 * no names of tasks. own: those of the file, TV_NONE = it has none; NULL = it has none of any. */
void tv_palette_assign(enum tv_palette palette, const struct tv_kernels *kernels,
		       const char *const *name, const uint32_t *own, size_t n, uint32_t *color);

/* The color of the default palette that a name alone determines. */
uint32_t tv_palette_by_name(const char *name);

#define TV_BLACK 0x000000u
#define TV_WHITE 0xffffffu
#define TV_INK	 0x1a1a1au /* text and frames */
#define TV_DIM	 0x6b6b6bu /* text of less weight */
#define TV_GRAY	 0x8c8c8cu /* "other" types */
#define TV_PALE	 0xdcdcdcu /* time of tasks that are not counted: setup, runtime */
#define TV_GRID	 0xe9e9e9u /* lines behind data */

/* Half the color, half white: what normal tasks have; outliers have the full color. */
uint32_t tv_color_fade(uint32_t color);

/* Tables for mixing colors in linear light. */
struct tv_blender {
	float linear[256];
	uint8_t srgb[16385]; /* of light in 0..1, in steps of 1/16384 */
};
void tv_blender_init(struct tv_blender *blender);
/* Mixes n colors by their weights, which sum to 1. */
uint32_t tv_blend(const struct tv_blender *blender, const uint32_t *color, const double *weight,
		  size_t n);

#endif
