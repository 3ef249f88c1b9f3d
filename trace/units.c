/* SPDX-License-Identifier: GPL-3.0-or-later */
/* units.c -- times, numbers and bytes for people. */
#include "trace/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/error.h"

static const double unit_min = 0.01; /* of a unit: shorter times get another one */

static const struct tv_unit units[] = {
	{ "ns", 1 },
	{ "us", 1000 },
	{ "ms", 1000000 },
	{ "s", 1000000000 },
	{ "min", 60000000000 },
	{ "h", 3600000000000 },
	{ "d", 86400000000000 },
};

const struct tv_unit *tv_unit_for(int64_t ns)
{
	/* The min length for a unit: from there on it is better to read than the one before. */
	static const int64_t min[] = {
		0, 2000, 2000000, 2000000000, 600000000000, 36000000000000, 864000000000000
	};
	size_t i = TV_COUNT(units) - 1;

	while (i > 0 && ns < min[i])
		i--;
	return &units[i];
}

void tv_unit_text(char *out, size_t size, int64_t ns, const struct tv_unit *unit)
{
	double value = (double)ns / (double)unit->ns, high = fabs(value);

	if (unit->ns == 1)
		snprintf(out, size, "%lld", (long long)ns);
	else if (ns != 0 && high < unit_min)
		tv_time_text(out, size, ns, NULL);
	else
		snprintf(out, size, "%.*f", high < 9.9995 ? 3 : high < 99.995 ? 2 : 1, value);
}

void tv_time_text(char *out, size_t size, int64_t ns, const struct tv_unit *unit)
{
	int64_t length = ns < 0 ? -(ns + 1) : ns;
	char number[48];

	if (unit == NULL || (ns != 0 && fabs((double)ns) < unit_min * (double)unit->ns))
		unit = tv_unit_for(length);
	tv_unit_text(number, sizeof number, ns, unit);
	snprintf(out, size, "%s %s", number, unit->name);
}

void tv_number_text(char *out, size_t size, double value)
{
	static const char *const letter[] = { "", "M", "G", "T" };
	double high = fabs(value);
	int power = high > 0 && isfinite(high) ? (int)floor(log10(high)) : 0;
	char number[64], tail[24] = "";
	size_t n, i = 0;

	if (high >= 1e18 || (high > 0 && high < 1e-9)) {
		snprintf(tail, sizeof tail,
			 "\xc3\x97"
			 "10^%d",
			 power);
		value /= pow(10, power);
		power = 0;
	} else if (high >= 1e6) {
		for (i = 1, value /= 1e6; fabs(value) >= 1000 && i + 1 < TV_COUNT(letter); i++)
			value /= 1000;
		power = (int)floor(log10(fabs(value)));
	}
	snprintf(number, sizeof number, "%.*f", power < 3 ? 3 - power : 0, value);
	n = strlen(number);
	while (strchr(number, '.') != NULL && number[n - 1] == '0')
		number[--n] = '\0';
	if (number[n - 1] == '.')
		number[--n] = '\0';
	snprintf(out, size, "%s%s%s", number, letter[i], tail);
}

void tv_bytes_text(char *out, size_t size, double bytes)
{
	static const char *const unit[] = { "B", "kB", "MB", "GB", "TB", "PB", "EB" };
	size_t i = 0;

	while (bytes >= 999.95 && i + 1 < TV_COUNT(unit)) {
		bytes /= 1000;
		i++;
	}
	if (i == 0)
		snprintf(out, size, "%.0f B", bytes);
	else
		snprintf(out, size, "%.*f %s",
			 bytes < 9.9995	  ? 3
			 : bytes < 99.995 ? 2
					  : 1,
			 bytes, unit[i]);
}
