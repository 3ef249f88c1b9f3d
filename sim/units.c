/* SPDX-License-Identifier: GPL-3.0-or-later */
/* units.c -- numbers with a unit. */
#include "sim/units.h"

#include <math.h>
#include <string.h>

#include "trace/number.h"

struct unit {
	const char *name;
	double factor;
};

static const struct unit prefixes[] = {
	{ "", 1 },	     { "k", 1e3 },     { "M", 1e6 },	 { "G", 1e9 },
	{ "T", 1e12 },	     { "P", 1e15 },    { "E", 1e18 },	 { "Ki", 1024.0 },
	{ "Mi", 1048576.0 }, { "Gi", 0x1p30 }, { "Ti", 0x1p40 }, { "Pi", 0x1p50 },
};

static const struct unit durations[] = {
	{ "s", 1 },  { "ms", 1e-3 },  { "us", 1e-6 },	{ "ns", 1e-9 },	   { "ps", 1e-12 },
	{ "m", 60 }, { "h", 3600.0 }, { "d", 86400.0 }, { "w", 604800.0 },
};

/* Units behind a prefix. */
static const struct unit bandwidths[] = {
	{ "Bps", 1 }, { "B/s", 1 }, { "bps", 0.125 }, { "b/s", 0.125 }
};
static const struct unit speeds[] = { { "f", 1 } };
static const struct unit sizes[] = { { "B", 1 }, { "b", 0.125 } };

static const struct {
	const struct unit *unit;
	size_t n;
	const char *expected;
} quantities[] = {
	[TV_BANDWIDTH] = { bandwidths, TV_COUNT(bandwidths),
			   "a bandwidth such as 10GBps or 100Mbps" },
	[TV_DURATION] = { durations, TV_COUNT(durations), "a time such as 147ns or 10us" },
	[TV_SPEED] = { speeds, TV_COUNT(speeds), "a speed in flop/s such as 20Gf" },
	[TV_SIZE] = { sizes, TV_COUNT(sizes), "a size such as 16MiB or 32GB" },
};

/* The factor of a unit; 0 if the quantity does not have it. */
static double factor_of(const char *name, enum tv_quantity quantity)
{
	const struct unit *unit = quantities[quantity].unit;
	size_t n = quantities[quantity].n,
	       nprefixes = quantity == TV_DURATION ? 1 : TV_COUNT(prefixes);

	for (size_t p = 0; p < nprefixes; p++) {
		size_t length = strlen(prefixes[p].name);

		if (strncmp(name, prefixes[p].name, length) == 0)
			for (size_t i = 0; i < n; i++)
				if (strcmp(name + length, unit[i].name) == 0)
					return prefixes[p].factor * unit[i].factor;
	}
	return 0;
}

int tv_parse_quantity(const char *text, enum tv_quantity quantity, double *value,
		      struct tv_error *err)
{
	size_t n = strspn(text, "+-.0123456789");
	double factor;

	/* An exponent; "1E" alone has none. */
	if ((text[n] == 'e' || text[n] == 'E') && strspn(text + n + 1, "+-0123456789") > 0) {
		n++;
		n += strspn(text + n, "+-0123456789");
	}
	factor = factor_of(text + n, quantity);
	if (tv_parse_double(text, n, value) == TV_PARSE_OK
	    && (factor > 0 || (*value == 0 && text[n] == '\0'))) {
		*value *= factor;
		if (isfinite(*value) && *value >= 0)
			return 0;
	}
	return tv_fail(err, "'%.100s', expected %s", text, quantities[quantity].expected);
}
