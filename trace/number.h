/* SPDX-License-Identifier: GPL-3.0-or-later */
/* number.h -- numbers from and to text, exact and without a locale. */
#ifndef TV_NUMBER_H
#define TV_NUMBER_H

#include <stddef.h>
#include <stdint.h>

__extension__ typedef __int128 tv_int128; /* sums of many times cannot overflow it */

/* A sum of times, or bytes, as one: at most INT64_MAX, 292 years. */
static inline int64_t tv_sum_ns(tv_int128 sum_ns)
{
	return sum_ns > INT64_MAX ? INT64_MAX : (int64_t)sum_ns;
}

enum tv_parsed { TV_PARSE_OK = 0, TV_PARSE_BAD, TV_PARSE_RANGE };

/*
 * The decimal s[0..n) times 10^scale as an integer, read digit by digit (a double would lose the
 * nanoseconds of epoch times): [+-]digits[.digits][(e|E)[+-]digits]; a bare leading or trailing
 * point is accepted. Digits beyond the scale round half away from zero. Seconds: scale 9 gives ns;
 * milliseconds: scale 6. TV_PARSE_RANGE when it does not fit 64 bits, TV_PARSE_BAD for anything
 * else (blanks, NaN, "").
 */
enum tv_parsed tv_parse_scaled(const char *s, size_t n, int scale, int64_t *out);
/* A whole number; 1e+05 and 12.0 are whole, 1.5 is TV_PARSE_BAD. */
enum tv_parsed tv_parse_int(const char *s, size_t n, int64_t *out);
/* A finite double, correctly rounded, in C notation (no hexadecimal, no NaN, no infinity). */
enum tv_parsed tv_parse_double(const char *s, size_t n, double *out);
/*
 * A time as a user writes it on the command line: a number with an optional unit ns, us, ms, s, min
 * (or h), with or without a blank between; without a unit milliseconds. Result in ns.
 */
enum tv_parsed tv_parse_time(const char *s, int64_t *ns);

#define TV_NUMBER_MAX 40 /* bytes of any number written by the functions below, with the NUL */

/* ns as milliseconds with six decimals, as every time in our CSV: -1500 -> "-0.001500". Returns the
 * length. */
size_t tv_write_ms(char out[TV_NUMBER_MAX], int64_t ns);
size_t tv_write_int(char out[TV_NUMBER_MAX], int64_t value);
/* The shortest decimal that reads back as the same double; "NA" for NaN and infinities. */
size_t tv_write_double(char out[TV_NUMBER_MAX], double value);

#endif
