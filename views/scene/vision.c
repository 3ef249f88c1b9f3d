/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vision.c -- OKLab, and what dichromats see. */
#include "views/scene/vision.h"

#include <math.h>
#include <string.h>

/* What is seen of linear red, green and blue; rows are red, green and blue. */
static const double seen[TV_NVISIONS][3][3] = {
	[TV_NORMAL] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
	[TV_PROTANOPE] = { { 0.152286, 1.052583, -0.204868 },
			   { 0.114503, 0.786281, 0.099216 },
			   { -0.003882, -0.048116, 1.051998 } },
	[TV_DEUTERANOPE] = { { 0.367322, 0.860646, -0.227968 },
			     { 0.280085, 0.672501, 0.047413 },
			     { -0.011820, 0.042940, 0.968881 } },
	[TV_TRITANOPE] = { { 1.255528, -0.076749, -0.178779 },
			   { -0.078411, 0.930809, 0.147602 },
			   { 0.004733, 0.691367, 0.303900 } },
};

/* Linear light to the responses of the three cones, and their cube roots to OKLab. */
static const double to_cones[3][3] = { { 0.4122214708, 0.5363325363, 0.0514459929 },
				       { 0.2119034982, 0.6806995451, 0.1073969566 },
				       { 0.0883024619, 0.2817188376, 0.6299787005 } };
static const double to_oklab[3][3] = { { 0.2104542553, 0.7936177850, -0.0040720468 },
				       { 1.9779984951, -2.4285922050, 0.4505937099 },
				       { 0.0259040371, 0.7827717662, -0.8086757660 } };

static void multiply(const double matrix[3][3], double v[3])
{
	double out[3];

	for (int i = 0; i < 3; i++)
		out[i] = matrix[i][0] * v[0] + matrix[i][1] * v[1] + matrix[i][2] * v[2];
	memcpy(v, out, sizeof out);
}

static double to_linear(uint32_t channel)
{
	double c = channel / 255.0;

	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static uint32_t from_linear(double light)
{
	double c = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055;

	return (uint32_t)(fmin(fmax(c, 0), 1) * 255 + 0.5);
}

static void read_color(uint32_t color, double light[3])
{
	for (int i = 0; i < 3; i++)
		light[i] = to_linear(color >> (16 - 8 * i) & 0xff);
}

static void convert(uint32_t color, enum tv_vision vision, double lab[3])
{
	read_color(color, lab);
	multiply(seen[vision], lab);
	for (int i = 0; i < 3; i++)
		lab[i] = fmin(fmax(lab[i], 0), 1);
	multiply(to_cones, lab);
	for (int i = 0; i < 3; i++)
		lab[i] = cbrt(lab[i]);
	multiply(to_oklab, lab);
}

double tv_color_lightness(uint32_t color)
{
	double light[3];

	read_color(color, light);
	return cbrt(0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]);
}

bool tv_color_dark(uint32_t color)
{
	double light[3], sum;

	read_color(color, light);
	sum = 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2] + 0.05;
	return 1.05 / sum > sum / 0.05;
}

double tv_color_apart(uint32_t a, uint32_t b, enum tv_vision vision)
{
	double x[3], y[3];

	convert(a, vision, x);
	convert(b, vision, y);
	return sqrt((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1])
		    + (x[2] - y[2]) * (x[2] - y[2]));
}

/* Lightness grows with the cube root of light. */
uint32_t tv_color_darken(uint32_t color, double lightness)
{
	double now = tv_color_lightness(color), light[3], part;

	if (now <= lightness)
		return color;
	part = pow(lightness / now, 3);
	read_color(color, light);
	return from_linear(light[0] * part) << 16 | from_linear(light[1] * part) << 8
	     | from_linear(light[2] * part);
}
