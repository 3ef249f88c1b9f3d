/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vision.h -- lightness of colors and differences between them, also for color-blind readers. */
#ifndef TV_VISION_H
#define TV_VISION_H

#include <stdbool.h>
#include <stdint.h>

enum tv_vision { TV_NORMAL, TV_PROTANOPE, TV_DEUTERANOPE, TV_TRITANOPE, TV_NVISIONS };

/* Lightness of 0xRRGGBB as printed in gray, 0 black to 1 white: cube root of its luminance. */
double tv_color_lightness(uint32_t color);
/* Euclidean distance in OKLab, black to white 1 [Ottosson 2020, "A perceptual color space for image
 * processing"]; dichromats by the matrices for severity 1.0 of
 * [Machado, Oliveira, Fernandes 2009, "A physiologically-based model for simulation of color vision
 * deficiency"], applied to linear light. */
double tv_color_apart(uint32_t a, uint32_t b, enum tv_vision vision);
/* The color itself, or darkened to at most that lightness. */
uint32_t tv_color_darken(uint32_t color, double lightness);
/* Whether white is easier to read on it than black: contrast by WCAG 2. */
bool tv_color_dark(uint32_t color);

#endif
