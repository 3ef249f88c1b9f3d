/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_views.c -- scales, labels moved apart, colors, text, and the same bytes from every back
 * end. */
#include <locale.h>
#include <unistd.h>

#include "tests/unit/figure.h"
#include "trace/text.h"
#include "views/charts/value.h"
#include "views/scene/scale.h"

static void times_have_the_best_unit(void **state)
{
	static const struct {
		int64_t ns;
		const char *want;
	} row[] = {
		{ 0, "0 ns" },
		{ 1999, "1999 ns" },
		{ 2000, "2.000 us" },
		{ 728890000, "728.9 ms" },
		{ 433677000, "433.7 ms" },
		{ 1058175000, "1058.2 ms" },
		{ 31366000000, "31.37 s" },
		{ 9999600, "10.00 ms" },
		{ 99996000, "100.0 ms" },
		{ 599000000000, "599.0 s" },
		{ 3600000000000, "60.00 min" },
	};
	char small[40];

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		const struct tv_unit *unit = tv_unit_for(row[i].ns);
		char number[40], text[60];

		tv_unit_text(number, sizeof number, row[i].ns, unit);
		snprintf(text, sizeof text, "%s %s", number, unit->name);
		assert_string_equal(text, row[i].want);
	}
	tv_unit_text(small, sizeof small, 262301234, tv_unit_for(1000000000000000));
	assert_string_equal(small, "262.3 ms");
	tv_time_text(small, sizeof small, 26000, tv_unit_for(8000000000));
	assert_string_equal(small, "26.00 us");
	tv_time_text(small, sizeof small, 389000000, tv_unit_for(8000000000));
	assert_string_equal(small, "0.389 s");
	tv_time_text(small, sizeof small, -15180000000, NULL);
	assert_string_equal(small, "-15.18 s");
	tv_time_text(small, sizeof small, INT64_MIN, NULL);
	assert_string_equal(small, "-106752.0 d");
	tv_unit_text(small, sizeof small, 0, tv_unit_for(1000000000000000));
	assert_string_equal(small, "0.000");
}

static void numbers_have_no_exponent(void **state)
{
	static const struct {
		double value;
		const char *want;
	} row[] = {
		{ 0, "0" },
		{ 0.000026, "0.000026" },
		{ 1.2038, "1.204" },
		{ 99.999, "100" },
		{ 15180, "15180" },
		{ -15180.4, "-15180" },
		{ 2.5e6, "2.5M" },
		{ 1.518e13, "15.18T" },
		{ 2.6e-12, "2.6\xc3\x97"
			   "10^-12" },
		{ 1e20, "1\xc3\x97"
			"10^20" },
	};

	(void)state;
	for (size_t i = 0; i < TV_COUNT(row); i++) {
		char text[48];

		tv_number_text(text, sizeof text, row[i].value);
		assert_string_equal(text, row[i].want);
	}
}

static void ticks_are_round(void **state)
{
	static const struct tv_unit ms = { "ms", 1000000 };
	uint64_t seed = unit_seed(9);
	struct tv_ticks ticks = tv_ticks_for(0, 750756700, &ms, 9);

	(void)state;
	assert_int_equal(ticks.first, 0);
	assert_int_equal(ticks.step, 100000000);
	assert_int_equal(ticks.n, 8);
	assert_int_equal(ticks.decimals, 0);
	for (int i = 0; i < 2000; i++) {
		int64_t begin = (int64_t)unit_random(&seed, 1000000000000) - 500000000000;
		int64_t end = begin + 1
			    + (int64_t)unit_random(&seed, (uint64_t)1 << unit_random(&seed, 50));
		unsigned max = 2 + (unsigned)unit_random(&seed, 10);
		int64_t mantissa;

		ticks = tv_ticks_for(begin, end, tv_unit_for(end - begin), max);
		assert_true(ticks.n <= max + 1);
		if (ticks.n == 0)
			continue;
		assert_true(ticks.first >= begin
			    && ticks.first + (int64_t)(ticks.n - 1) * ticks.step <= end);
		assert_true(ticks.first - ticks.step < begin
			    && ticks.first + (int64_t)ticks.n * ticks.step > end);
		assert_true(ticks.first % ticks.step == 0);
		for (mantissa = ticks.step; mantissa % 10 == 0; mantissa /= 10)
			;
		assert_true(mantissa == 1 || mantissa == 2 || mantissa == 5 || mantissa % 3 == 0);
	}
}

/* Boxes stay in order, apart and inside; those with room enough stay where they are. */
/* However low the panel: two ticks at least, all of them on the scale. */
static void values_have_two_ticks(void **state)
{
	(void)state;
	for (unsigned high = 1; high <= 5000; high += high < 200 ? 1 : 37)
		for (double height = 12; height <= 80; height += 4)
			for (int whole = 0; whole <= 1; whole++) {
				struct tv_value_scale scale = tv_value_scale(0, high, whole == 1,
									     height);

				assert_true(scale.n >= 2 && scale.first == 0);
				assert_true(scale.high >= high && scale.high <= 1.2 * high);
				assert_true((scale.n - 1) * scale.step <= scale.high * (1 + 1e-9));
				assert_true(whole == 0 || scale.step == floor(scale.step));
			}
}

static void boxes_move_apart(void **state)
{
	uint64_t seed = unit_seed(4);
	double far[3] = { 10, 50, 90 }, size3[3] = { 10, 10, 10 }, same[2] = { 20, 20 };

	(void)state;
	assert_int_equal(tv_spread(far, size3, 3, 0, 100, 2), 0);
	assert_true(far[0] == 10 && far[1] == 50 && far[2] == 90);
	assert_int_equal(tv_spread(same, size3, 2, 0, 100, 2), 0);
	assert_true(fabs(same[0] - 14) < 1e-9 && fabs(same[1] - 26) < 1e-9);
	assert_int_equal(tv_spread(far, size3, 3, 0, 33, 2), -1);
	for (int i = 0; i < 5000; i++) {
		double at[8], size[8], total = 0;
		size_t n = 1 + unit_random(&seed, 8);

		for (size_t k = 0; k < n; k++) {
			at[k] = (k > 0 ? at[k - 1] : 0) + (double)unit_random(&seed, 30);
			size[k] = 1 + (double)unit_random(&seed, 30);
			total += size[k] + 2;
		}
		assert_int_equal(tv_spread(at, size, n, 5, 205, 2), total - 2 <= 200 ? 0 : -1);
		for (size_t k = 0; k < n && total - 2 <= 200; k++) {
			assert_true(at[k] - size[k] / 2 > 5 - 1e-6
				    && at[k] + size[k] / 2 < 205 + 1e-6);
			if (k > 0)
				assert_true(at[k] - size[k] / 2 - at[k - 1] - size[k - 1] / 2
					    > 2 - 1e-6);
		}
	}
}

static void colors_are_stable_and_distinct(void **state)
{
	static const char *const is_default[] = { "gemm", "dgemm", "Sgemm_kernel",
						  "chol_model_GEMM", "cl11_gemm" };
	static const char *const many[] = { "a", "b", "c", "d", "e", "f",
					    "g", "h", "i", "j", "k", "potrf" };
	struct tv_kernels kernels;
	struct tv_error err = { 0 };
	uint32_t color[TV_COLORS_MAX], other[TV_COLORS_MAX];

	(void)state;
	assert_int_equal(tv_kernels_init(&kernels, NULL, &err), 0);
	for (size_t i = 0; i < TV_COUNT(is_default); i++) {
		tv_palette_assign(TV_PALETTE_DEFAULT, &kernels, &is_default[i], NULL, 1, color);
		assert_int_equal(color[0], 0x6ccc69);
	}
	for (int palette = TV_PALETTE_DEFAULT; palette <= TV_PALETTE_COLORBLIND; palette++) {
		const char *reversed[TV_COLORS_MAX];

		for (size_t i = 0; i < TV_COLORS_MAX; i++)
			reversed[i] = many[TV_COLORS_MAX - 1 - i];
		tv_palette_assign((enum tv_palette)palette, &kernels, many, NULL, TV_COLORS_MAX,
				  color);
		tv_palette_assign((enum tv_palette)palette, &kernels, reversed, NULL, TV_COLORS_MAX,
				  other);
		for (size_t i = 0; i < TV_COLORS_MAX; i++) {
			assert_int_equal(color[i], other[TV_COLORS_MAX - 1 - i]);
			for (size_t k = 0; k < i; k++)
				assert_int_not_equal(color[i], color[k]);
		}
	}
	tv_palette_assign(TV_PALETTE_DEFAULT, &kernels, is_default, NULL, TV_COUNT(is_default),
			  color);
	for (size_t i = 0; i < TV_COUNT(is_default); i++)
		for (size_t k = 0; k < i; k++)
			assert_int_not_equal(color[i], color[k]);
	tv_kernels_release(&kernels);
}

/* What an ellipsis leaves of a text has whole numbers only: no "134.6" of 7134.6. */
static void numbers_stay_whole(struct tv_text *font)
{
	static const char text[] = "dependencies 7134.6 ms of -1,234.5 in worker_4711 at 12.75";
	static const char *const whole[] = { "7134.6", "-1,234.5", "4711", "12.75" };

	for (double width = 0; width < 220; width += 0.7) {
		char out[80];

		tv_text_fit(font, text, 7, false, width, out, sizeof out);
		for (const char *at = out; *(at += strcspn(at, "-0123456789")) != '\0';) {
			size_t n = strspn(at, "-0123456789.,"), i = 0;

			while (i < TV_COUNT(whole)
			       && (strlen(whole[i]) != n || memcmp(whole[i], at, n) != 0))
				i++;
			if (i == TV_COUNT(whole))
				fail_msg("width %g: '%s'", width, out);
			at += n;
		}
	}
}

static void text_is_measured_and_cut(void **state)
{
	static const char *const text[] = { "worker_with_a_long_name_17",
					    "\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e", "a", "" };
	struct tv_text *font = figure_text();

	(void)state;
	/* Widths of Arial: "0" is 1139 of 2048 units, figures are tabular. */
	assert_true(fabs(tv_text_width(font, "0", 2048, false) - 1139) < 1);
	assert_true(
		fabs(tv_text_width(font, "1111", 7, false) - tv_text_width(font, "0000", 7, false))
		< 1e-9);
	assert_true(tv_text_width(font, "mm", 7, true) > tv_text_width(font, "mm", 7, false));
	for (size_t i = 0; i < TV_COUNT(text); i++)
		for (double width = 0; width < 120; width += 3.7) {
			char out[40], clean[40];

			tv_text_fit(font, text[i], 7, false, width, out, sizeof out);
			assert_string_equal(tv_clean_text(clean, sizeof clean, out), out);
			if (strlen(out) > 3)
				assert_true(tv_text_width(font, out, 7, false) <= width + 1e-9);
		}
	{
		char out[40];

		tv_text_fit(font, text[0], 7, false, 50, out, sizeof out);
		assert_string_equal(out + strlen(out) - 2, "17");
	}
	numbers_stay_whole(font);
	tv_text_free(font);
}

/* The bytes of a figure; free with tv_free. */
static char *write_figure(struct sample *s, enum tv_medium medium, size_t *n)
{
	struct tv_plot_options options = { .label = "a label <&> \xff", .creator = "test" };
	char path[] = "/tmp/traceviz-test.XXXXXX", *bytes;
	struct tv_output out;
	FILE *file;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	if (tv_output_open(&out, path, &s->err) < 0
	    || tv_plot(&s->run, &options, medium, &out, &s->err) < 0
	    || tv_output_commit(&out, &s->err) < 0)
		fail_msg("%s", s->err.text);
	file = fopen(path, "rb");
	assert_non_null(file);
	bytes = tv_alloc(1 << 20, 1);
	*n = fread(bytes, 1, 1 << 20, file);
	fclose(file);
	unlink(path);
	return bytes;
}

/* Twice the same bytes, whatever the environment says about fonts and places. */
static void same_bytes(void **state)
{
	static const enum tv_medium media[] = { TV_PDF, TV_PNG, TV_SVG, TV_BOXES };
	struct sample s;
	char *bytes[2];
	size_t n[2];

	(void)state;
	for (size_t m = 0; m < TV_COUNT(media); m++) {
		for (int i = 0; i < 2; i++) {
			sample_make(
				&s,
				"ResourceId,Value,Start,End,JobId,DependsOn\nCPU0,gemm,0,10,1,\n"
				"CPU1,trsm,5.5,10,2,1\n\"CPU\xc3(2\",\"<a&b>\x01\",7,25,3,1 2\n");
			bytes[i] = write_figure(&s, media[m], &n[i]);
			sample_release(&s);
			setenv("FONTCONFIG_FILE", "/nonexistent", 1);
			setenv("HOME", "/nonexistent", 1);
			setenv("TZ", "Asia/Tokyo", 1);
			setlocale(LC_ALL, "C.UTF-8");
		}
		assert_true(n[0] > 500);
		assert_int_equal(n[0], n[1]);
		assert_memory_equal(bytes[0], bytes[1], n[0]);
		tv_free(bytes[0]);
		tv_free(bytes[1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_have_the_best_unit),
		cmocka_unit_test(numbers_have_no_exponent),
		cmocka_unit_test(ticks_are_round),
		cmocka_unit_test(values_have_two_ticks),
		cmocka_unit_test(boxes_move_apart),
		cmocka_unit_test(colors_are_stable_and_distinct),
		cmocka_unit_test(text_is_measured_and_cut),
		cmocka_unit_test(same_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
