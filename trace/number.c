/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number.c -- numbers from and to text, exact and without a locale. */
#include "trace/number.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/digits.h"

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The pieces of a decimal: sign, digits before and after the point, exponent. */
struct decimal {
	bool negative;
	const char *whole, *fraction;
	size_t nwhole, nfraction;
	int exponent;
};

static bool split(const char *s, size_t n, struct decimal *d)
{
	const char *end = s + n;
	bool negative_exponent = false;

	*d = (struct decimal){ 0 };
	if (s < end && (*s == '-' || *s == '+'))
		d->negative = *s++ == '-';
	d->whole = s;
	while (s < end && digit(*s))
		s++;
	d->nwhole = (size_t)(s - d->whole);
	d->fraction = s;
	if (s < end && *s == '.') {
		d->fraction = ++s;
		while (s < end && digit(*s))
			s++;
		d->nfraction = (size_t)(s - d->fraction);
	}
	if (d->nwhole + d->nfraction == 0)
		return false;
	if (s < end && (*s == 'e' || *s == 'E')) {
		const char *first;

		s++;
		if (s < end && (*s == '-' || *s == '+'))
			negative_exponent = *s++ == '-';
		first = s;
		for (; s < end && digit(*s); s++)
			if (d->exponent < 100000)
				d->exponent = d->exponent * 10 + (*s - '0');
		if (s == first)
			return false;
		if (negative_exponent)
			d->exponent = -d->exponent;
	}
	return s == end;
}

static bool push_digit(uint64_t *value, unsigned next)
{
	if (*value > (UINT64_MAX - next) / 10)
		return false;
	*value = *value * 10 + next;
	return true;
}

/* d * 10^scale, rounded half away from zero. *inexact: a digit other than 0 was cut off. */
static enum tv_parsed scaled(const struct decimal *d, int scale, int64_t *out, bool *inexact)
{
	long keep = (long)d->nwhole + scale + d->exponent; /* digits before the new point */
	size_t n = d->nwhole + d->nfraction;
	uint64_t value = 0;
	bool up = false;

	*inexact = false;
	for (size_t i = 0; i < n; i++) {
		char c = i < d->nwhole ? d->whole[i] : d->fraction[i - d->nwhole];

		if ((long)i < keep) {
			if (!push_digit(&value, (unsigned)(c - '0')))
				return TV_PARSE_RANGE;
		} else {
			if ((long)i == keep)
				up = c >= '5';
			*inexact = *inexact || c != '0';
		}
	}
	for (long i = (long)n; i < keep && value != 0; i++)
		if (!push_digit(&value, 0))
			return TV_PARSE_RANGE;
	value += up;
	if (value > (uint64_t)INT64_MAX + d->negative)
		return TV_PARSE_RANGE;
	*out = d->negative ? (int64_t)(0 - value) : (int64_t)value;
	return TV_PARSE_OK;
}

static const int64_t power10[] = { 1,
				   10,
				   100,
				   1000,
				   10000,
				   100000,
				   1000000,
				   10000000,
				   100000000,
				   1000000000,
				   10000000000,
				   100000000000,
				   1000000000000,
				   10000000000000,
				   100000000000000,
				   1000000000000000 };
enum { POWERS = sizeof power10 / sizeof *power10 };

/* [-]digits[.digits] with at most 18 characters, as nearly every number in every trace: its digits
 * as one integer and how many of them follow the point. */
static bool parse_short(const char *s, size_t n, int64_t *digits, int *fraction)
{
	const char *end = s + n, *first;
	bool negative = false;
	int64_t value = 0;

	*fraction = 0;
	if (n == 0 || n > 18)
		return false;
	if (*s == '-') {
		negative = true;
		s++;
	}
	first = s;
	tv_take_digits(&s, end, &value);
	if (s == first)
		return false;
	if (s < end && *s == '.') {
		first = ++s;
		tv_take_digits(&s, end, &value);
		*fraction = (int)(s - first);
	}
	*digits = negative ? -value : value;
	return s == end;
}

/* The same if exactly the digits of the scale follow the point and up to eight precede it, as in the
 * times of our own CSV, times 10^scale. */
static bool scale_full(const char *s, size_t n, size_t scale, int64_t *out)
{
	uint32_t whole, part;
	bool negative = n > 0 && *s == '-';

	s += negative;
	n -= negative;
	if (scale == 0 || scale > 8 || n < scale + 2 || n > scale + 9 || s[n - 1 - scale] != '.'
	    || !tv_short_number(tv_load_some(s, n - 1 - scale), n - 1 - scale, &whole)
	    || !tv_short_number(tv_load_some(s + n - scale, scale), scale, &part))
		return false;
	*out = whole * power10[scale] + part;
	*out = negative ? -*out : *out;
	return true;
}

/* The same if one to seven digits precede the point and 8 to 16 follow it, more than the scale, as in
 * the times of StarPU's Paje traces. */
static bool scale_cut(const char *s, size_t n, size_t scale, int64_t *out)
{
	uint64_t head;
	unsigned whole;
	size_t fraction;

	if (scale == 0 || scale >= 8 || n < 10)
		return false;
	head = tv_load8(s);
	whole = tv_count_digits(head);
	if (whole == 0 || whole == 8 || s[whole] != '.')
		return false;
	fraction = n - whole - 1;
	s += whole + 1;
	if (fraction < 8 || fraction > 16 || tv_count_digits(tv_load8(s)) < 8
	    || tv_count_digits(tv_load8(s + fraction - 8)) < 8)
		return false;
	*out = tv_join_digits(head, whole) * power10[scale]
	     + tv_join_digits(tv_load8(s), (unsigned)scale) + (s[scale] >= '5');
	return true;
}

/* The same times 10^scale, rounded half away from zero. */
static bool scale_short(const char *s, size_t n, int scale, int64_t *out)
{
	int64_t value, unit;
	int fraction;

	if (!parse_short(s, n, &value, &fraction) || abs(scale - fraction) >= POWERS)
		return false;
	if (fraction <= scale)
		return !__builtin_mul_overflow(value, power10[scale - fraction], out);
	unit = power10[fraction - scale];
	*out = (value + (value < 0 ? -unit : unit) / 2) / unit;
	return true;
}

enum tv_parsed tv_parse_scaled(const char *s, size_t n, int scale, int64_t *out)
{
	struct decimal d;
	bool inexact;

	if (scale_full(s, n, (size_t)scale, out) || scale_cut(s, n, (size_t)scale, out)
	    || scale_short(s, n, scale, out))
		return TV_PARSE_OK;
	return split(s, n, &d) ? scaled(&d, scale, out, &inexact) : TV_PARSE_BAD;
}

enum tv_parsed tv_parse_int(const char *s, size_t n, int64_t *out)
{
	struct decimal d;
	enum tv_parsed rc;
	bool inexact;
	uint32_t value;
	int fraction;

	if (n > 0 && n <= 8 && tv_short_number(tv_load_some(s, n), n, &value)) {
		*out = value;
		return TV_PARSE_OK;
	}
	if (parse_short(s, n, out, &fraction) && fraction == 0)
		return TV_PARSE_OK;
	if (!split(s, n, &d))
		return TV_PARSE_BAD;
	rc = scaled(&d, 0, out, &inexact);
	return rc == TV_PARSE_OK && inexact ? TV_PARSE_BAD : rc;
}

enum tv_parsed tv_parse_double(const char *s, size_t n, double *out)
{
	struct decimal d;
	char buffer[64], *text = buffer, *end;
	enum tv_parsed rc = TV_PARSE_OK;
	int64_t digits;
	int fraction;

	/* Up to 2^53 over a power of ten up to 10^15 is one division of exact doubles: correctly
	 * rounded. The sign is that of the text, also of 0. */
	if (parse_short(s, n, &digits, &fraction) && fraction < POWERS
	    && llabs(digits) < (int64_t)1 << 53) {
		*out = copysign((double)digits / (double)power10[fraction], *s == '-' ? -1 : 1);
		return TV_PARSE_OK;
	}
	if (!split(s, n, &d))
		return TV_PARSE_BAD;
	if (n >= sizeof buffer) {
		text = malloc(n + 1);
		if (text == NULL)
			return TV_PARSE_RANGE;
	}
	memcpy(text, s, n);
	text[n] = '\0';
	*out = strtod(text, &end);
	if (*end != '\0')
		rc = TV_PARSE_BAD;
	else if (!isfinite(*out))
		rc = TV_PARSE_RANGE;
	if (text != buffer)
		free(text);
	return rc;
}

enum tv_parsed tv_parse_time(const char *s, int64_t *ns)
{
	static const struct {
		const char *name;
		int scale, factor;
	} unit[] = { { "ns", 0, 1 }, { "us", 3, 1 },   { "\xc2\xb5s", 3, 1 }, { "ms", 6, 1 },
		     { "s", 9, 1 },  { "min", 9, 60 }, { "h", 9, 3600 },      { "", 6, 1 } };
	size_t n = strspn(s, "+-0123456789.");

	if (n > 0 && (s[n] == 'e' || s[n] == 'E'))
		n += 1 + strspn(s + n + 1, "+-0123456789");
	for (size_t i = 0; i < sizeof unit / sizeof *unit; i++) {
		enum tv_parsed rc;

		if (strcmp(s + n + strspn(s + n, " "), unit[i].name) != 0)
			continue;
		rc = tv_parse_scaled(s, n, unit[i].scale, ns);
		if (rc == TV_PARSE_OK && __builtin_mul_overflow(*ns, unit[i].factor, ns))
			rc = TV_PARSE_RANGE;
		return rc;
	}
	return TV_PARSE_BAD;
}

size_t tv_write_int(char out[TV_NUMBER_MAX], int64_t value)
{
	uint64_t u = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
	size_t at = 0;

	if (value < 0)
		out[at++] = '-';
	at += tv_put_digits(out + at, u);
	out[at] = '\0';
	return at;
}

size_t tv_write_ms(char out[TV_NUMBER_MAX], int64_t ns)
{
	uint64_t u = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
	unsigned rest = (unsigned)(u % 1000000);
	size_t at = 0;

	if (ns < 0)
		out[at++] = '-';
	at += tv_put_digits(out + at, u / 1000000);
	out[at++] = '.';
	tv_put_pair(out + at, rest / 10000);
	tv_put_pair(out + at + 2, rest / 100 % 100);
	tv_put_pair(out + at + 4, rest % 100);
	out[at + 6] = '\0';
	return at + 6;
}

__extension__ typedef unsigned __int128 wide;

static wide ten_to(int n)
{
	return n < POWERS ? (wide)power10[n] : (wide)power10[POWERS - 1] * ten_to(n - POWERS + 1);
}

/* A double times 10^decimals is scaled * 2^-shift, which has 17 digits before the binary
 * point. */
struct exact {
	wide scaled;
	int shift, decimals;
};

/* 1e-4 <= value < 1e15: scaled has less than 123 bits, shift is positive. */
static struct exact expand(double value)
{
	int exponent;
	uint64_t mantissa = (uint64_t)ldexp(frexp(value, &exponent), 53);
	struct exact x = { .shift = 53 - exponent };

	/* The power of two below the value gives the power of ten below it, or the one before. */
	x.decimals = 16 - (int)floor((exponent - 1) * 0.30103);
	x.scaled = mantissa * ten_to(x.decimals);
	if (x.scaled >> x.shift >= ten_to(17)) {
		x.decimals--;
		x.scaled = mantissa * ten_to(x.decimals);
	}
	return x;
}

/* The first digits of x, but for `cut` of the 17, rounded half to even. */
static uint64_t round_digits(const struct exact *x, int cut)
{
	uint64_t unit = (uint64_t)power10[cut], digits = (uint64_t)(x->scaled >> x->shift);
	wide rest = x->scaled - ((wide)(digits - digits % unit) << x->shift),
	     half = (wide)unit << (x->shift - 1);

	digits /= unit;
	return digits + (rest > half || (rest == half && digits % 2 == 1));
}

/* Whether digits * 10^cut, in units of the 17th digit, is read as the same double: it is less than
 * half the way to the next one. A value that is not whole has no decimal of 16 digits at exactly
 * half the way; where the next one below is closer, at powers of two, 15 digits are exact. */
static bool reads_back(const struct exact *x, uint64_t digits, int cut)
{
	wide text = (wide)(digits * (uint64_t)power10[cut]) << x->shift;
	wide away = text > x->scaled ? text - x->scaled : x->scaled - text;

	return 2 * away < ten_to(x->decimals);
}

/* digits / 10^decimals */
static size_t write_decimal(char *out, uint64_t digits, int decimals)
{
	char text[TV_NUMBER_MAX];
	int n;
	size_t at = 0;

	while (digits % 10 == 0) {
		digits /= 10;
		decimals--;
	}
	n = (int)tv_write_int(text, (int64_t)digits);
	for (int i = n < decimals + 1 ? n - decimals - 1 : 0; i < n; i++) {
		if (i == n - decimals)
			out[at++] = '.';
		out[at++] = i < 0 ? '0' : text[i];
	}
	out[at] = '\0';
	return at;
}

/* As "%.17g", or with 16 or 15 digits where these suffice; 1e-4 <= value < 1e15, not whole. */
static size_t write_shortest(char *out, double value)
{
	struct exact x = expand(value);

	for (int cut = 2;; cut--) {
		uint64_t digits = round_digits(&x, cut);

		if (cut == 0 || reads_back(&x, digits, cut))
			return write_decimal(out, digits, x.decimals - cut);
	}
}

/* The same of a value that is the closest to a decimal of up to 15 digits, six of them behind the point,
 * as what other programs have written; 0 if it is not. Both steps are exact: the product is checked by
 * a division that is rounded correctly, and of decimals with 15 digits no two have the same double. */
static size_t write_six(char *out, double value)
{
	double millionths = value * 1e6;
	int64_t digits;
	size_t n;

	if (millionths >= 1e15 - 1)
		return 0;
	digits = (int64_t)(millionths + 0.5);
	if ((double)digits / 1e6 != value)
		return 0;
	n = tv_write_ms(out, digits);
	while (out[n - 1] == '0')
		n--;
	out[n] = '\0';
	return n;
}

size_t tv_write_double(char out[TV_NUMBER_MAX], double value)
{
	size_t n;

	if (!isfinite(value))
		return (size_t)snprintf(out, TV_NUMBER_MAX, "NA");
	if (value == floor(value) && fabs(value) < 1e15 && !(value == 0 && signbit(value)))
		return tv_write_int(out, (int64_t)value);
	if (fabs(value) >= 1e-4 && fabs(value) < 1e15) {
		*out = '-';
		out += signbit(value);
		n = write_six(out, fabs(value));
		n = n > 0 ? n : write_shortest(out, fabs(value));
		return n + signbit(value);
	}
	/* 17 digits always suffice. */
	for (int precision = 6;; precision = precision < 15 ? 15 : precision + 1) {
		snprintf(out, TV_NUMBER_MAX, "%.*g", precision, value);
		if (precision == 17 || strtod(out, NULL) == value)
			return strlen(out);
	}
}
