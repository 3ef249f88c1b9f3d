/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_palette.c -- colors that differ: to everybody, to dichromats, and without color. The
 * measures here are other ones than the program's: CIELAB, and dichromats after Viénot. */
#include "tests/unit/figure.h"
#include "views/charts/curves.h"
#include "views/scene/vision.h"

static double light_of(uint32_t color, int shift)
{
	double c = (color >> shift & 0xff) / 255.0;

	return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/* What a protanope (0) or deuteranope (1) sees; 2: everybody; 3: lightness alone.
 * [Viénot, Brettel, Mollon 1999, "Digital video colormaps for checking the legibility of displays
 * by dichromats"] */
static void see(uint32_t color, int who, double rgb[3])
{
	static const double keep[2][2] = { { 0.1124, 0.8876 }, { 0.2928, 0.7072 } };
	static const double blue[2] = { 0.0040, -0.0223 };
	double r = light_of(color, 16), g = light_of(color, 8), b = light_of(color, 0);

	rgb[0] = r;
	rgb[1] = g;
	rgb[2] = b;
	if (who < 2) {
		rgb[0] = rgb[1] = keep[who][0] * r + keep[who][1] * g;
		rgb[2] = fmin(fmax(blue[who] * r - blue[who] * g + b, 0), 1);
	} else if (who == 3) {
		rgb[0] = rgb[1] = rgb[2] = 0.2126 * r + 0.7152 * g + 0.0722 * b;
	}
}

static double curve(double t)
{
	return t > 216.0 / 24389 ? cbrt(t) : (24389.0 / 27 * t + 16) / 116;
}

/* CIELAB under D65. */
static void lab_of(uint32_t color, int who, double lab[3])
{
	double rgb[3], x, y, z;

	see(color, who, rgb);
	x = curve((0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.9505);
	y = curve(0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]);
	z = curve((0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.089);
	lab[0] = 116 * y - 16;
	lab[1] = 500 * (x - y);
	lab[2] = 200 * (y - z);
}

static double apart(uint32_t a, uint32_t b, int who)
{
	double p[3], q[3];

	lab_of(a, who, p);
	lab_of(b, who, q);
	return sqrt((p[0] - q[0]) * (p[0] - q[0]) + (p[1] - q[1]) * (p[1] - q[1])
		    + (p[2] - q[2]) * (p[2] - q[2]));
}

/* The smallest distance between two of n colors, drawn as normal tasks are or as outliers. */
static double least_apart(const uint32_t *color, size_t n, int who, bool faded)
{
	double least = INFINITY;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < i; k++)
			least = fmin(least, faded ? apart(tv_color_fade(color[i]),
							  tv_color_fade(color[k]), who)
						  : apart(color[i], color[k], who));
	return least;
}

static void dense_kernels_differ(void **state)
{
	static const char *const name[] = { "dgemm", "dpotrf", "dsyrk", "dtrsm" };
	/* who as in see */
	static const struct {
		enum tv_palette palette;
		int who;
		double full, faded;
	} row[] = {
		{ TV_PALETTE_DEFAULT, 2, 40, 15 },    { TV_PALETTE_DEFAULT, 0, 20, 15 },
		{ TV_PALETTE_DEFAULT, 1, 20, 15 },    { TV_PALETTE_COLORBLIND, 2, 40, 15 },
		{ TV_PALETTE_COLORBLIND, 0, 20, 10 }, { TV_PALETTE_COLORBLIND, 1, 18, 7 },
		{ TV_PALETTE_GRAYSCALE, 2, 30, 12 },  { TV_PALETTE_GRAYSCALE, 3, 10, 4 },
	};
	struct tv_kernels kernels;
	struct tv_error err = { 0 };
	uint32_t color[TV_COUNT(name)];

	(void)state;
	assert_int_equal(tv_kernels_init(&kernels, NULL, &err), 0);
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		double full, faded;

		tv_palette_assign(row[i].palette, &kernels, name, NULL, TV_COUNT(name), color);
		full = least_apart(color, TV_COUNT(name), row[i].who, false);
		faded = least_apart(color, TV_COUNT(name), row[i].who, true);
		if (full < row[i].full || faded < row[i].faded)
			fail_msg("row %zu: %.1f and %.1f", i, full, faded);
	}
	tv_kernels_release(&kernels);
}

/* Whatever types there are: n of them with names that no table knows. */
static void any_types_differ(void **state)
{
	static const struct {
		enum tv_palette palette;
		int who;
		size_t n;
		double full;
	} row[] = {
		{ TV_PALETTE_DEFAULT, 2, 6, 18 },    { TV_PALETTE_COLORBLIND, 2, 6, 12 },
		{ TV_PALETTE_COLORBLIND, 0, 6, 5 },  { TV_PALETTE_COLORBLIND, 1, 6, 5 },
		{ TV_PALETTE_GRAYSCALE, 3, 6, 9 },   { TV_PALETTE_DEFAULT, 2, 12, 8 },
		{ TV_PALETTE_COLORBLIND, 2, 12, 8 }, { TV_PALETTE_GRAYSCALE, 3, 12, 3 },
	};
	struct tv_kernels kernels;
	struct tv_error err = { 0 };
	uint64_t seed = unit_seed(1);

	(void)state;
	assert_int_equal(tv_kernels_init(&kernels, NULL, &err), 0);
	for (size_t i = 0; i < TV_COUNT(row); i++)
		for (int repeat = 0; repeat < 200; repeat++) {
			char text[12][24];
			const char *name[12];
			uint32_t color[12];
			double full;

			for (size_t k = 0; k < row[i].n; k++) {
				snprintf(text[k], sizeof text[k], "zz%u",
					 (unsigned)unit_random(&seed, 1000000000));
				name[k] = text[k];
			}
			tv_palette_assign(row[i].palette, &kernels, name, NULL, row[i].n, color);
			full = least_apart(color, row[i].n, row[i].who, false);
			if (full < row[i].full)
				fail_msg("row %zu: %.1f", i, full);
		}
	tv_kernels_release(&kernels);
}

/* A name has the color that it has alone, whatever else is in the figure, unless a name before it has the
 * same: a file's, a kernel's, or one by its name. */
static void colors_follow_names(void **state)
{
	static const char *const known[] = { "dgemm", "dpotrf", "dsyrk", "dtrsm" };
	struct tv_kernels kernels;
	struct tv_error err = { 0 };
	uint64_t seed = unit_seed(1);
	unsigned kept = 0, moved = 0;

	(void)state;
	assert_int_equal(tv_kernels_init(&kernels, NULL, &err), 0);
	for (int repeat = 0; repeat < 500; repeat++) {
		char text[8][24];
		const char *name[TV_COLORS_MAX];
		uint32_t color[TV_COLORS_MAX], alone[TV_COLORS_MAX];
		uint32_t own[TV_COLORS_MAX];
		size_t n = 2 + unit_random(&seed, 7);

		for (size_t k = 0; k < n; k++) {
			snprintf(text[k % 8], sizeof text[0], "zz%u",
				 (unsigned)unit_random(&seed, 1000000000));
			name[k] = text[k % 8];
			own[k] = TV_NONE;
		}
		for (size_t k = 0; k < TV_COUNT(known); k++) {
			name[n + k] = known[k];
			own[n + k] = TV_NONE;
		}
		n += TV_COUNT(known);
		own[0] = 0x123456;
		tv_palette_assign(TV_PALETTE_DEFAULT, &kernels, name, own, n, color);
		assert_int_equal(color[0], 0x123456);
		for (size_t i = 1; i < n; i++)
			tv_palette_assign(TV_PALETTE_DEFAULT, &kernels, &name[i], NULL, 1,
					  &alone[i]);
		for (size_t i = 1; i < n; i++) {
			bool shared = false;

			for (size_t k = 1; k < n; k++)
				shared = shared || (k != i && alone[k] == alone[i]);
			if (!shared)
				assert_int_equal(color[i], alone[i]);
			kept += color[i] == alone[i];
			moved += color[i] != alone[i];
		}
	}
	/* Names of 32 colors: of 5 in the mean, one of 16 or so shares its color with one before it. */
	if (moved * 20 > kept)
		fail_msg("%u of %u names moved", moved, moved + kept);
	tv_kernels_release(&kernels);
}

/* An outlier is darker than a normal task of its type by what is seen in print, about 10 of 100. */
static void outliers_show_in_gray(void **state)
{
	struct tv_kernels kernels;
	struct tv_error err = { 0 };

	(void)state;
	assert_int_equal(tv_kernels_init(&kernels, NULL, &err), 0);
	for (int palette = TV_PALETTE_DEFAULT; palette <= TV_PALETTE_GRAYSCALE; palette++) {
		for (size_t i = 0; i < kernels.n + 400; i++) {
			char text[200];
			const char *name = text;
			uint32_t color;
			double dark[3], pale[3];

			if (i < kernels.n)
				snprintf(text, sizeof text, "%s", kernels.row[i].pattern);
			else
				snprintf(text, sizeof text, "zz%zu", i);
			tv_palette_assign((enum tv_palette)palette, &kernels, &name, NULL, 1,
					  &color);
			lab_of(color, 3, dark);
			lab_of(tv_color_fade(color), 3, pale);
			if (pale[0] - dark[0] < 9)
				fail_msg("%s, palette %d: #%06x and its fade differ by %.1f", text,
					 palette, (unsigned)color, pale[0] - dark[0]);
			/* and the pale one is not taken for nothing */
			if (100 - pale[0] < 8)
				fail_msg("%s, palette %d: #%06x is nearly white", text, palette,
					 (unsigned)color);
		}
	}
	tv_kernels_release(&kernels);
}

/* Two curves in one panel, in whatever way their readers see colors. */
static void curves_differ(void **state)
{
	(void)state;
	for (size_t i = 0; i < TV_CURVE_COLORS; i++)
		for (size_t k = 0; k < i; k++)
			for (int vision = 0; vision < TV_NVISIONS; vision++) {
				uint32_t a = tv_curve_colors[i], b = tv_curve_colors[k];
				double apart = tv_color_apart(a, b, (enum tv_vision)vision);

				if (apart < 0.14)
					fail_msg("#%06x, #%06x: %.3f, vision %d", (unsigned)a,
						 (unsigned)b, apart, vision);
			}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dense_kernels_differ), cmocka_unit_test(any_types_differ),
		cmocka_unit_test(colors_follow_names),	cmocka_unit_test(outliers_show_in_gray),
		cmocka_unit_test(curves_differ),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
