/* SPDX-License-Identifier: GPL-3.0-or-later */
/* units.c -- numbers with a unit. */
#include "sim/units.h"

#include <math.h>
#include <string.h>

#include "trace/number.h"

/* Sets of prefixes. */
enum { NONE = 0, DECIMAL = 1, BINARY = 2, WORDS = 4 };

struct unit {
	const char *name;
	double factor;
	unsigned prefixes; /* sets of which it takes one */
};

static const struct prefix {
	const char *name;
	double factor;
	unsigned set;
} prefixes[] = {
	{ "k", 1e3, DECIMAL },	  { "M", 1e6, DECIMAL },    { "G", 1e9, DECIMAL },
	{ "T", 1e12, DECIMAL },	  { "P", 1e15, DECIMAL },   { "E", 1e18, DECIMAL },
	{ "Z", 1e21, DECIMAL },	  { "Y", 1e24, DECIMAL },   { "Ki", 0x1p10, BINARY },
	{ "Mi", 0x1p20, BINARY }, { "Gi", 0x1p30, BINARY }, { "Ti", 0x1p40, BINARY },
	{ "Pi", 0x1p50, BINARY }, { "Ei", 0x1p60, BINARY }, { "Zi", 0x1p70, BINARY },
	{ "Yi", 0x1p80, BINARY }, { "kilo", 1e3, WORDS },   { "mega", 1e6, WORDS },
	{ "giga", 1e9, WORDS },	  { "tera", 1e12, WORDS },  { "peta", 1e15, WORDS },
	{ "exa", 1e18, WORDS },	  { "zeta", 1e21, WORDS },  { "yotta", 1e24, WORDS },
};

static const struct unit durations[] = {
	{ "s", 1, NONE },     { "ms", 1e-3, NONE },  { "us", 1e-6, NONE },
	{ "ns", 1e-9, NONE }, { "ps", 1e-12, NONE }, { "m", 60, NONE },
	{ "h", 3600, NONE },  { "d", 86400, NONE },  { "w", 604800, NONE },
};
static const struct unit bandwidths[] = {
	{ "Bps", 1, DECIMAL | BINARY },
	{ "B/s", 1, DECIMAL | BINARY },
	{ "bps", 0.125, DECIMAL | BINARY },
	{ "b/s", 0.125, DECIMAL | BINARY },
};
static const struct unit speeds[] = { { "f", 1, DECIMAL }, { "flops", 1, WORDS } };
static const struct unit sizes[] = {
	{ "B", 1, DECIMAL | BINARY },
	{ "b", 0.125, DECIMAL | BINARY },
};

static const struct {
	const struct unit *unit;
	size_t n;
	const char *expected;
} quantities[] = {
	[TV_BANDWIDTH] = { bandwidths, TV_COUNT(bandwidths),
			   "a bandwidth such as 10GBps or 100Mbps" },
	[TV_DURATION] = { durations, TV_COUNT(durations), "a time such as 147ns or 10us" },
	[TV_SPEED] = { speeds, TV_COUNT(speeds), "a speed in flop/s such as 20Gf or 20gigaflops" },
	[TV_SIZE] = { sizes, TV_COUNT(sizes), "a size such as 16MiB or 32GB" },
};

/* The factor of what precedes the name of a unit; 0 if the unit does not take it. */
static double prefix_of(const char *name, size_t length, unsigned sets)
{
	if (length == 0)
		return 1;
	for (size_t i = 0; i < TV_COUNT(prefixes); i++)
		if ((prefixes[i].set & sets) != 0 && strlen(prefixes[i].name) == length
		    && memcmp(name, prefixes[i].name, length) == 0)
			return prefixes[i].factor;
	return 0;
}

/* The factor of a unit with its prefix; 0 if the quantity does not have it. */
static double factor_of(const char *name, enum tv_quantity quantity)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < quantities[quantity].n; i++) {
		const struct unit *unit = &quantities[quantity].unit[i];
		size_t n = strlen(unit->name);
		double prefix = 0;

		if (length >= n && strcmp(name + length - n, unit->name) == 0)
			prefix = prefix_of(name, length - n, unit->prefixes);
		if (prefix > 0)
			return prefix * unit->factor;
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
