/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_number.c -- numbers from and to text. */
#include "tests/unit/unit.h"

#include <math.h>
#include <stdio.h>

#include "trace/number.h"

static void scaled(void **state)
{
	static const struct {
		const char *in;
		int scale;
		enum tv_parsed rc;
		int64_t out;
	} row[] = {
		{ "0", 6, TV_PARSE_OK, 0 },
		{ "1", 6, TV_PARSE_OK, 1000000 },
		{ "728.890", 6, TV_PARSE_OK, 728890000 },
		{ "-0.0000015", 6, TV_PARSE_OK, -2 },
		{ "0.0000005", 6, TV_PARSE_OK, 1 },
		{ "0.00000049", 6, TV_PARSE_OK, 0 },
		{ "5188.069923500", 6, TV_PARSE_OK, 5188069924 },
		{ "5188.0699235", 6, TV_PARSE_OK, 5188069924 },
		{ "5188.0699234", 6, TV_PARSE_OK, 5188069923 },
		{ "-5188.0699235", 6, TV_PARSE_OK, -5188069924 },
		{ "0.298000499", 6, TV_PARSE_OK, 298000 },
		{ "0.298000500", 6, TV_PARSE_OK, 298001 },
		{ "1234567.9999994999", 6, TV_PARSE_OK, 1234567999999 },
		{ "1234567.9999999999999999", 6, TV_PARSE_OK, 1234568000000 },
		{ "12345678.9999995", 6, TV_PARSE_OK, 12345679000000 },
		{ "1.50000000", 1, TV_PARSE_OK, 15 },
		{ "0.2980005x0", 6, TV_PARSE_BAD, 0 },
		{ "0.29800050x", 6, TV_PARSE_BAD, 0 },
		{ "1611234567.123456789", 9, TV_PARSE_OK, 1611234567123456789 },
		{ "1e+05", 0, TV_PARSE_OK, 100000 },
		{ "1.5e3", 6, TV_PARSE_OK, 1500000000 },
		{ "25e-3", 6, TV_PARSE_OK, 25000 },
		{ "5e-7", 6, TV_PARSE_OK, 1 },
		{ ".5", 1, TV_PARSE_OK, 5 },
		{ "5.", 1, TV_PARSE_OK, 50 },
		{ "+7", 0, TV_PARSE_OK, 7 },
		{ "9223372036854775807", 0, TV_PARSE_OK, INT64_MAX },
		{ "-9223372036854775808", 0, TV_PARSE_OK, INT64_MIN },
		{ "9223372036854775808", 0, TV_PARSE_RANGE, 0 },
		{ "9223372036854.775807", 6, TV_PARSE_OK, INT64_MAX },
		{ "9223372036854.7758075", 6, TV_PARSE_RANGE, 0 },
		{ "99999999999999999999", 6, TV_PARSE_RANGE, 0 },
		{ "1e999999999", 6, TV_PARSE_RANGE, 0 },
		{ "0e999999999", 6, TV_PARSE_OK, 0 },
		{ "1e-999999999", 6, TV_PARSE_OK, 0 },
		{ "", 6, TV_PARSE_BAD, 0 },
		{ ".", 6, TV_PARSE_BAD, 0 },
		{ "-", 6, TV_PARSE_BAD, 0 },
		{ "1e", 6, TV_PARSE_BAD, 0 },
		{ "nan", 6, TV_PARSE_BAD, 0 },
		{ "inf", 6, TV_PARSE_BAD, 0 },
		{ "0x10", 6, TV_PARSE_BAD, 0 },
		{ " 1", 6, TV_PARSE_BAD, 0 },
		{ "1 ", 6, TV_PARSE_BAD, 0 },
		{ "1,5", 6, TV_PARSE_BAD, 0 },
		{ "1.2.3", 6, TV_PARSE_BAD, 0 },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		int64_t out = 0;
		enum tv_parsed rc = tv_parse_scaled(row[i].in, strlen(row[i].in), row[i].scale,
						    &out);

		if (rc != row[i].rc || (rc == TV_PARSE_OK && out != row[i].out))
			fail_msg("row %zu '%s': rc %d, %lld", i, row[i].in, (int)rc,
				 (long long)out);
	}
}

static void whole(void **state)
{
	int64_t out;

	(void)state;
	assert_int_equal(tv_parse_int("1e+05", 5, &out), TV_PARSE_OK);
	assert_int_equal(out, 100000);
	assert_int_equal(tv_parse_int("12.00", 5, &out), TV_PARSE_OK);
	assert_int_equal(out, 12);
	assert_int_equal(tv_parse_int("1.5", 3, &out), TV_PARSE_BAD);
	assert_int_equal(tv_parse_int("15e-1", 5, &out), TV_PARSE_BAD);
	assert_int_equal(tv_parse_int("NA", 2, &out), TV_PARSE_BAD);
}

static void command_line_time(void **state)
{
	static const struct {
		const char *in;
		int64_t ns;
	} row[] = { { "12.5", 12500000 },    { "3s", 3000000000 }, { "3 s", 3000000000 },
		    { "7us", 7000 },	     { "7ns", 7 },	   { "2min", 120000000000 },
		    { "1e3ms", 1000000000 }, { "-1", -1000000 } };
	static const char *const bad[] = { "", "ms", "3 parsecs", "1e", "--3", "99999999999h" };
	int64_t ns;

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++)
		if (tv_parse_time(row[i].in, &ns) != TV_PARSE_OK || ns != row[i].ns)
			fail_msg("'%s': %lld", row[i].in, (long long)ns);
	for (size_t i = 0; i < TV_COUNT(bad); i++)
		if (tv_parse_time(bad[i], &ns) == TV_PARSE_OK)
			fail_msg("'%s' was accepted", bad[i]);
}

static void milliseconds(void **state)
{
	char text[TV_NUMBER_MAX];

	(void)state;
	tv_write_ms(text, -1500);
	assert_string_equal(text, "-0.001500");
	tv_write_ms(text, 728890000);
	assert_string_equal(text, "728.890000");
	tv_write_ms(text, INT64_MIN);
	assert_string_equal(text, "-9223372036854.775808");
}

/* What is read digits at a time, against the same with an exponent, which is read one by one: all
 * lengths, and each other character in each place. */
static void by_words(void **state)
{
	uint64_t seed = unit_seed(12);

	(void)state;
	for (int i = 0; i < 300000; i++) {
		char text[40], exponent[44];
		int n = snprintf(text, sizeof text, "%s%0*llu.%0*llu", i % 3 == 0 ? "-" : "",
				 1 + (int)unit_random(&seed, 9),
				 (unsigned long long)unit_random(&seed, 1000000000),
				 i % 2 ? 6 : 1 + (int)unit_random(&seed, 17),
				 (unsigned long long)unit_random(&seed, i % 5 ? 1000000
									      : 10000000000000000));
		int64_t value = 0, wanted = 0;
		enum tv_parsed rc;

		if (i % 4 == 0)
			text[unit_random(&seed, (uint64_t)n)] = (char)(1 + unit_random(&seed, 255));
		snprintf(exponent, sizeof exponent, "%se0", text);
		rc = tv_parse_scaled(exponent, strlen(exponent), 6, &wanted);
		if (tv_parse_scaled(text, strlen(text), 6, &value) != rc
		    || (rc == TV_PARSE_OK && value != wanted))
			if (strpbrk(text, "eE") == NULL)
				fail_msg("%s was read as %lld, not %lld", text, (long long)value,
					 (long long)wanted);
	}
}

/* Short decimals take a faster way: it must give what strtod gives, and the shortest text. */
static void short_decimals(void **state)
{
	uint64_t seed = unit_seed(11);
	char text[TV_NUMBER_MAX], out[TV_NUMBER_MAX];

	(void)state;
	for (int i = 0; i < 200000; i++) {
		int decimals = (int)unit_random(&seed, 7);
		uint64_t range = unit_random(&seed, 1000000000000) + 2;
		double value;

		snprintf(text, sizeof text, "%s%.*f", unit_random(&seed, 2) ? "-" : "", decimals,
			 (double)(unit_random(&seed, range) + 1) / 1000);
		if (tv_parse_double(text, strlen(text), &value) != TV_PARSE_OK
		    || value != strtod(text, NULL))
			fail_msg("%s was read as %a, not %a", text, value, strtod(text, NULL));
		tv_write_double(out, value);
		if (strtod(out, NULL) != value || strlen(out) > strlen(text))
			fail_msg("%s was written as %s", text, out);
	}
}

/* Digits are read eight at a time: any byte among them, at any place, ends the number. */
static void every_byte(void **state)
{
	static const char digits[] = "918273645546372819";

	(void)state;
	for (size_t n = 1; n < sizeof digits; n++)
		for (size_t at = 0; at < n; at++)
			for (int byte = 0; byte < 256; byte++) {
				char text[sizeof digits];
				bool digit = byte >= '0' && byte <= '9';
				bool sign = at == 0 && n > 1 && (byte == '-' || byte == '+');
				int64_t value = 0;
				enum tv_parsed rc;

				if (byte == '.' || (at > 0 && (byte | 0x20) == 'e'))
					continue;
				memcpy(text, digits, sizeof text);
				text[n] = '\0';
				text[at] = (char)byte;
				rc = tv_parse_int(text, n, &value);
				if (digit || sign
					    ? rc != TV_PARSE_OK || value != strtoll(text, NULL, 10)
					    : rc != TV_PARSE_BAD)
					fail_msg("'%s' (%zu bytes): %d, %lld", text, n, rc,
						 (long long)value);
			}
}

static void signed_zero(void **state)
{
	double value = 1;

	(void)state;
	assert_int_equal(tv_parse_double("-0.000000", 9, &value), TV_PARSE_OK);
	assert_true(value == 0 && signbit(value));
	assert_int_equal(tv_parse_double("0", 1, &value), TV_PARSE_OK);
	assert_true(value == 0 && !signbit(value));
}

/* What is written reads back as the same number, over the whole range of exponents. */
static void round_trip(void **state)
{
	uint64_t seed = unit_seed(7);
	char text[TV_NUMBER_MAX];

	(void)state;
	for (int i = 0; i < 100000; i++) {
		uint64_t bits = unit_random(&seed, UINT64_MAX) << 32
			      ^ unit_random(&seed, UINT64_MAX);
		int64_t ns = (int64_t)bits, back_ns;
		double value, back;

		memcpy(&value, &bits, sizeof value);
		if (isfinite(value)) {
			tv_write_double(text, value);
			if (tv_parse_double(text, strlen(text), &back) != TV_PARSE_OK
			    || memcmp(&back, &value, sizeof back) != 0)
				fail_msg("%a was written as %s", value, text);
		}
		tv_write_ms(text, ns);
		if (tv_parse_scaled(text, strlen(text), 6, &back_ns) != TV_PARSE_OK
		    || back_ns != ns)
			fail_msg("%lld was written as %s", (long long)ns, text);
	}
}

/* Of 15, 16 and 17 digits the fewest that read back, by the C library. */
static void check_digits(double value)
{
	char text[TV_NUMBER_MAX], want[TV_NUMBER_MAX];

	for (int digits = 15; digits <= 17; digits++) {
		snprintf(want, sizeof want, "%.*g", digits, value);
		if (strtod(want, NULL) == value)
			break;
	}
	if (tv_write_double(text, value) != strlen(want) || strcmp(text, want) != 0)
		fail_msg("%a was written as %s, not %s", value, text, want);
}

/* Numbers of all sizes that are written without an exponent; the neighbors of powers of two, where
 * the distance of doubles changes, and of ten, where the number of digits does; exact ties. */
static void fewest_digits(void **state)
{
	uint64_t seed = unit_seed(3);

	(void)state;
	for (int i = 0; i < 100000; i++) {
		uint64_t bits = unit_random(&seed, (uint64_t)1 << 53);

		check_digits(ldexp((double)bits, -(int)unit_random(&seed, 70)));
		check_digits(-(double)(bits >> unit_random(&seed, 53)) / 1000);
	}
	for (int power = -20; power < 60; power++) {
		double up = ldexp(1, power), down = up, more = pow(10, power / 3.), less = more;

		for (int i = 0; i < 200; i++) {
			check_digits(up = nextafter(up, INFINITY));
			check_digits(down = nextafter(down, 0));
			check_digits(more = nextafter(more, INFINITY));
			check_digits(less = nextafter(less, 0));
		}
		for (int i = 1; i < 200 && power > 0; i++)
			check_digits(ldexp(i, -power));
	}
}

static void shortest(void **state)
{
	char text[TV_NUMBER_MAX];

	(void)state;
	tv_write_double(text, 0.1);
	assert_string_equal(text, "0.1");
	tv_write_double(text, 0.1 + 0.2);
	assert_string_equal(text, "0.30000000000000004");
	tv_write_double(text, -3070.30625);
	assert_string_equal(text, "-3070.30625");
	tv_write_double(text, 999999999.999999);
	assert_string_equal(text, "999999999.999999");
	tv_write_double(text, 0.000101);
	assert_string_equal(text, "0.000101");
	tv_write_double(text, 100);
	assert_string_equal(text, "100");
	tv_write_double(text, (double)NAN);
	assert_string_equal(text, "NA");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scaled),
		cmocka_unit_test(whole),
		cmocka_unit_test(command_line_time),
		cmocka_unit_test(milliseconds),
		cmocka_unit_test(round_trip),
		cmocka_unit_test(fewest_digits),
		cmocka_unit_test(shortest),
		cmocka_unit_test(by_words),
		cmocka_unit_test(short_decimals),
		cmocka_unit_test(every_byte),
		cmocka_unit_test(signed_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
