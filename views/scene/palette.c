/* SPDX-License-Identifier: GPL-3.0-or-later */
/* palette.c -- colors by name, and arithmetic on them. */
#include "views/scene/palette.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "trace/error.h"
#include "trace/pool.h"
#include "views/scene/vision.h"

/* Of names that are in no table. CIELAB's Delta E of any two of them, and of each to any color of
 * data/kernels.csv, is above 21. */
static const uint32_t default_colors[] = {
	0x17becf, 0xa5a51b, 0x1f3b87, 0xb0125b, 0x0b7a75, 0x5b3a1e, 0x7a7aff, 0x86b300,
	0xe60be6, 0x0b0be6, 0x42661f, 0x500899, 0x0acc0a, 0x662e53, 0x990814, 0xcc1fa1,
	0xe6a345, 0x806106, 0x054666, 0x0accac, 0xb26b77, 0x8a91e6, 0x5e0566, 0xa7b26b,
	0xc667e6, 0x2243e6, 0xe62253, 0xcc4b0a, 0x9422e6, 0x08995c, 0x80774c, 0x802635,
};

enum { OKABE_ITO = 8 };

/* Okabe and Ito's colors, then the ones of P. Tol's "muted" scheme that differ from them. */
static const uint32_t colorblind[] = {
	0xe69f00, 0x56b4e9, 0x009e73, 0xf0e442, 0x0072b2, 0xd55e00, 0xcc79a7, 0x332288,
	0x999933, 0x882255, 0x44aa99, 0xddcc77, 0x117733, 0xaa4499, 0x000000,
};

/* Six steps of lightness, far from each other in turn, and six between them. */
static const uint32_t grayscale[] = {
	0xe3af28, 0x76001a, 0x8962c5, 0x1d0165, 0x3ba95c, 0x02599a,
	0xf9875e, 0x093201, 0xa83f78, 0x0190bf, 0x6d3b02, 0x280004,
};

/* Colors of types that differ less by distance look the same. */
static const double same = 40;

/* How different two colors are to the readers that a palette is for. */
static double distance(uint32_t a, uint32_t b);
static double distance_to_all(uint32_t a, uint32_t b);
static double distance_in_gray(uint32_t a, uint32_t b);

static const struct {
	const uint32_t *color;
	size_t n, first; /* colors; of them the ones that are taken first */
	double (*apart)(uint32_t a, uint32_t b);
	double enough; /* colors that differ so much are distinct: to choose another one */
} palettes[] = {
	[TV_PALETTE_DEFAULT] = { default_colors, TV_COUNT(default_colors), TV_COUNT(default_colors),
				 distance, 110 },
	[TV_PALETTE_COLORBLIND] = { colorblind, TV_COUNT(colorblind), OKABE_ITO, distance_to_all,
				    0.075 },
	[TV_PALETTE_GRAYSCALE] = { grayscale, TV_COUNT(grayscale), 6, distance_in_gray, 0.1 },
};

static double channel(uint32_t color, int shift)
{
	return color >> shift & 0xff;
}

/* How different two colors are, roughly 0..765: Euclidean in sRGB, weighted by redness. */
static double distance(uint32_t a, uint32_t b)
{
	double mean = (channel(a, 16) + channel(b, 16)) / 2;
	double r = channel(a, 16) - channel(b, 16), g = channel(a, 8) - channel(b, 8);
	double blue = channel(a, 0) - channel(b, 0);

	return sqrt((2 + mean / 256) * r * r + 4 * g * g + (2 + (255 - mean) / 256) * blue * blue);
}

/* In OKLab, to those who see the smallest difference. */
static double distance_to_all(uint32_t a, uint32_t b)
{
	double min = INFINITY;

	for (int vision = 0; vision < TV_NVISIONS; vision++)
		min = fmin(min, tv_color_apart(a, b, (enum tv_vision)vision));
	return min;
}

static double distance_in_gray(uint32_t a, uint32_t b)
{
	return fabs(tv_color_lightness(a) - tv_color_lightness(b));
}

/* The colors given so far. */
struct taken {
	enum tv_palette palette;
	const uint32_t *color;
	const bool *done;
	size_t n;
};

static double nearest(uint32_t color, const struct taken *taken)
{
	double min = INFINITY;

	for (size_t i = 0; i < taken->n; i++)
		if (taken->done[i])
			min = fmin(min, palettes[taken->palette].apart(color, taken->color[i]));
	return min;
}

static uint32_t hash_name(const char *s)
{
	uint32_t h = 2166136261u; /* FNV-1a */

	for (; *s != '\0'; s++)
		h = (h ^ (unsigned char)*s) * 16777619u;
	return h ^ h >> 15;
}

uint32_t tv_palette_by_name(const char *name)
{
	return default_colors[hash_name(name) % TV_COUNT(default_colors)];
}

/* The first color that is distinct from those in use, else the farthest: of the `first` ones from
 * index `from` on, cyclically, then of the others. */
static uint32_t choose(const uint32_t *color, size_t n, size_t first, size_t from,
		       const struct taken *taken)
{
	uint32_t best = color[from];
	double far = -1;

	for (size_t i = 0; i < n; i++) {
		size_t at = i < first ? (from + i) % first : i;
		uint32_t candidate = tv_color_darken(color[at], TV_LIGHTEST);
		double apart = nearest(candidate, taken);

		if (apart > palettes[taken->palette].enough)
			return candidate;
		if (apart > far) {
			far = apart;
			best = candidate;
		}
	}
	return best;
}

static size_t closest(const uint32_t *palette, size_t n, uint32_t color)
{
	size_t best = 0;

	for (size_t i = 1; i < n; i++)
		if (distance(palette[i], color) < distance(palette[best], color))
			best = i;
	return best;
}

/* Darker and lighter versions of a color, for types that share one (precisions, variants). */
static uint32_t shade(uint32_t color, const struct taken *taken)
{
	static const double to[] = { 1, 0.62, 1.45, 0.4, 1.7, 0.8, 1.2, 0.25 };
	uint32_t variant[TV_COUNT(to)];

	for (size_t i = 0; i < TV_COUNT(to); i++) {
		variant[i] = 0;
		for (int shift = 0; shift < 24; shift += 8) {
			double c = channel(color, shift),
			       v = to[i] <= 1 ? c * to[i] : c + (255 - c) * (to[i] - 1);

			variant[i] |= (uint32_t)(v + 0.5) << shift;
		}
	}
	return choose(variant, TV_COUNT(to), TV_COUNT(to), 0, taken);
}

/* Where the color of a name comes from. What is first keeps it. */
enum { OF_FILE, OF_KERNEL, BY_NAME, NRANKS };

static int rank_of(const struct tv_kernels *kernels, const char *name, uint32_t own, uint32_t *base)
{
	const struct tv_kernel *kernel = kernels != NULL ? tv_kernels_match(kernels, name) : NULL;

	if (own != TV_NONE) {
		*base = own;
		return OF_FILE;
	}
	*base = kernel != NULL && kernel->has_color ? kernel->color : 0;
	return kernel != NULL && kernel->has_color ? OF_KERNEL : BY_NAME;
}

void tv_palette_assign(enum tv_palette asked, const struct tv_kernels *kernels,
		       const char *const *name, const uint32_t *own, size_t n, uint32_t *color)
{
	enum tv_palette which = asked == TV_PALETTE_HMON ? TV_PALETTE_DEFAULT : asked;
	const uint32_t *palette = palettes[which].color;
	size_t size = palettes[which].n, first = palettes[which].first, order[TV_COLORS_MAX];
	size_t late[TV_COLORS_MAX], nlate = 0; /* what has the color of another one before it */
	bool done[TV_COLORS_MAX] = { false };
	struct taken taken = { which, color, done, n };

	for (size_t i = 0; i < n; i++) {
		size_t k = i;

		for (; k > 0 && strcmp(name[order[k - 1]], name[i]) > 0; k--)
			order[k] = order[k - 1];
		order[k] = i;
	}
	for (int rank = 0; rank < NRANKS; rank++)
		for (size_t k = 0; k < n; k++) {
			size_t i = order[k], from;
			uint32_t base;

			if (rank_of(kernels, name[i], own != NULL ? own[i] : TV_NONE, &base)
			    != rank)
				continue;
			from = rank == BY_NAME ? hash_name(name[i]) % first
					       : closest(palette, first, base);
			if (which != TV_PALETTE_DEFAULT)
				color[i] = choose(palette, size, first, from, &taken);
			else
				color[i] = tv_color_darken(rank == BY_NAME ? palette[from] : base,
							   TV_LIGHTEST);
			done[i] = which != TV_PALETTE_DEFAULT || nearest(color[i], &taken) > same;
			if (!done[i])
				late[nlate++] = i;
		}
	for (size_t k = 0; k < nlate; k++) {
		color[late[k]] = shade(color[late[k]], &taken);
		done[late[k]] = true;
	}
}

uint32_t tv_color_fade(uint32_t color)
{
	uint32_t faded = 0;

	for (int shift = 0; shift < 24; shift += 8)
		faded |= ((color >> shift & 0xff) + 256) / 2 << shift;
	return faded;
}

void tv_blender_init(struct tv_blender *blender)
{
	for (int i = 0; i < 256; i++) {
		double c = i / 255.0;

		blender->linear[i] = (float)(c <= 0.04045 ? c / 12.92
							  : pow((c + 0.055) / 1.055, 2.4));
	}
	for (int i = 0; i <= 16384; i++) {
		double l = i / 16384.0,
		       c = l <= 0.0031308 ? l * 12.92 : 1.055 * pow(l, 1 / 2.4) - 0.055;

		blender->srgb[i] = (uint8_t)(c * 255 + 0.5);
	}
}

uint32_t tv_blend(const struct tv_blender *blender, const uint32_t *color, const double *weight,
		  size_t n)
{
	uint32_t blend = 0;

	for (int shift = 0; shift < 24; shift += 8) {
		double light = 0;

		for (size_t i = 0; i < n; i++)
			light += weight[i] * (double)blender->linear[color[i] >> shift & 0xff];
		blend |= (uint32_t)blender->srgb[(int)(fmin(fmax(light, 0), 1) * 16384 + 0.5)]
		      << shift;
	}
	return blend;
}
