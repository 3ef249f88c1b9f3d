/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_parquet_encoding.c -- places, numbers and texts of a page that are written and taken in pieces of random sizes. */
#include "convert/parquet/encode.h"
#include "convert/parquet/encoding.h"

#include "tests/unit/unit.h"

enum { ROUNDS = 400, MANY = 3000 };

/* Stretches of equal values and of any; all below 2^width. */
static void make_places(uint64_t *seed, uint32_t *place, size_t n, unsigned width)
{
	for (size_t i = 0; i < n;) {
		size_t some = 1 + unit_random(seed, unit_random(seed, 2) == 0 ? 20 : 1200);
		bool equal = unit_random(seed, 2) == 0;

		for (size_t k = 0; k < some && i < n; k++, i++)
			place[i] = k > 0 && equal
					 ? place[i - 1]
					 : (uint32_t)unit_random(seed, (uint64_t)1 << width);
	}
}

static struct tv_parquet_decoder decoder_of(const struct tv_output *out, unsigned width,
					    unsigned char *page, enum tv_parquet_encoding encoding)
{
	struct tv_parquet_decoder d = { .encoding = encoding,
					.type = TV_PARQUET_INT64,
					.width = 8 };

	/* Exactly as long, so that what is read behind it is found. */
	page[0] = (unsigned char)width;
	if (out->n > 0)
		memcpy(page + 1, out->buffer, out->n);
	d.at = page + (encoding != TV_PARQUET_DICTIONARY);
	d.end = page + 1 + out->n;
	return d;
}

static void places(void **state)
{
	static const struct tv_parquet_value none;
	uint64_t seed = unit_seed(41);
	uint32_t *place = test_calloc(MANY, sizeof *place), *got = test_calloc(MANY, sizeof *got);

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		unsigned width = (unsigned)(round % 33);
		size_t n = 1 + unit_random(&seed, MANY), some;
		uint32_t max = 0;
		struct tv_parquet_decoder d;
		struct tv_output out;
		unsigned char *page;

		make_places(&seed, place, n, width);
		tv_output_memory(&out);
		tv_put_hybrid(&out, place, n, width);
		page = test_malloc(out.n + 1);
		d = decoder_of(&out, width, page, TV_PARQUET_DICTIONARY);
		for (size_t i = 0; i < n; i++)
			max = place[i] > max ? place[i] : max;
		d.dictionary = &none;
		d.ndictionary = (size_t)max + 1;
		assert_null(tv_parquet_decoder_init(&d, n));
		for (size_t at = 0; at < n; at += some) {
			some = 1 + unit_random(&seed, n - at);
			if (!tv_parquet_decode_same(&d, got + at, some)) {
				assert_true(tv_parquet_decode_places(&d, got + at, some));
				continue;
			}
			for (size_t i = 1; i < some; i++)
				got[at + i] = got[at];
		}
		assert_memory_equal(got, place, n * sizeof *place);
		/* The largest one is not in a dictionary that is smaller by one. */
		d = decoder_of(&out, width, page, TV_PARQUET_DICTIONARY);
		d.dictionary = &none;
		d.ndictionary = max;
		assert_null(tv_parquet_decoder_init(&d, n));
		assert_false(tv_parquet_decode_same(&d, got, n));
		assert_false(tv_parquet_decode_places(&d, got, n));
		test_free(page);
		tv_output_abort(&out);
	}
	test_free(place);
	test_free(got);
}

static void numbers(void **state)
{
	uint64_t seed = unit_seed(43);
	int64_t *number = test_calloc(MANY, sizeof *number), *got = test_calloc(MANY, sizeof *got);

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		bool plain = round % 4 == 0;
		unsigned width = (unsigned)(round % 65);
		size_t n = 1 + unit_random(&seed, MANY), some;
		struct tv_parquet_decoder d;
		struct tv_output out;
		unsigned char *page;

		for (size_t i = 0; i < n; i++) {
			uint64_t bits = unit_random(&seed, UINT64_MAX);

			number[i] = (int64_t)(width < 64 ? bits & (((uint64_t)1 << width) - 1)
							 : bits);
		}
		tv_output_memory(&out);
		if (plain)
			tv_output_write(&out, (const char *)number, n * sizeof *number);
		else
			tv_put_delta(&out, number, n);
		page = test_malloc(out.n + 1);
		d = decoder_of(&out, 0, page,
			       plain ? TV_PARQUET_PLAIN : TV_PARQUET_DELTA_BINARY_PACKED);
		assert_null(tv_parquet_decoder_init(&d, n));
		for (size_t at = 0; at < n; at += some) {
			some = 1 + unit_random(&seed, n - at);
			assert_true(tv_parquet_decode_numbers(&d, got + at, some));
		}
		assert_memory_equal(got, number, n * sizeof *number);
		assert_true(tv_parquet_decoder_ended(&d));
		assert_false(tv_parquet_decode_numbers(&d, got, 1));
		test_free(page);
		tv_output_abort(&out);
	}
	test_free(number);
	test_free(got);
}

enum { TEXTS = 300, TEXT_MAX = 40 };

struct texts {
	char text[TEXTS][TEXT_MAX];
	int64_t n[TEXTS], prefix[TEXTS], suffix[TEXTS];
};

/* prefixed: texts of which each begins with a part of the one before; else any. */
static void make_texts(uint64_t *seed, struct texts *t, size_t n, bool prefixed)
{
	for (size_t i = 0; i < n; i++) {
		int64_t same = prefixed && i > 0 ? t->n[i - 1] : 0;

		t->prefix[i] = (int64_t)unit_random(seed, (uint64_t)same + 1);
		t->suffix[i] = (int64_t)unit_random(seed, (uint64_t)(TEXT_MAX - t->prefix[i]));
		t->n[i] = t->prefix[i] + t->suffix[i];
		memcpy(t->text[i], t->text[i > 0 ? i - 1 : 0], TEXT_MAX);
		for (int64_t k = t->prefix[i]; k < t->n[i]; k++)
			t->text[i][k] = (char)('a' + unit_random(seed, 26));
	}
}

/* The values of d, which has n: how many are as in t before one is refused. */
static size_t decode_texts(struct tv_parquet_decoder *d, const struct texts *t, size_t n)
{
	struct tv_parquet_value value;
	char *last = NULL;
	size_t last_n = 0, last_cap = 0, i = 0;

	d->type = TV_PARQUET_BYTE_ARRAY;
	d->last = &last;
	d->last_n = &last_n;
	d->last_cap = &last_cap;
	if (tv_parquet_decoder_init(d, n) == NULL) {
		for (; tv_parquet_decode(d, &value); i++) {
			assert_true(i < n);
			assert_int_equal(value.n, t->n[i]);
			assert_memory_equal(value.s, t->text[i], value.n);
		}
		assert_true(i < n || tv_parquet_decoder_ended(d));
	}
	tv_free(last);
	return i;
}

/* Pages of texts, whole and cut. */
static void texts(void **state)
{
	uint64_t seed = unit_seed(44);
	struct texts *t = test_calloc(1, sizeof *t);

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		bool prefixed = round % 2 == 0;
		size_t n = 1 + unit_random(&seed, TEXTS);
		enum tv_parquet_encoding encoding = prefixed ? TV_PARQUET_DELTA_BYTE_ARRAY
							     : TV_PARQUET_DELTA_LENGTH;
		struct tv_parquet_decoder d;
		struct tv_output out;
		unsigned char *page;

		make_texts(&seed, t, n, prefixed);
		tv_output_memory(&out);
		if (prefixed)
			tv_put_delta(&out, t->prefix, n);
		tv_put_delta(&out, t->suffix, n);
		for (size_t i = 0; i < n; i++)
			tv_output_write(&out, t->text[i] + t->prefix[i], (size_t)t->suffix[i]);
		page = test_malloc(out.n + 1);
		d = decoder_of(&out, 0, page, encoding);
		assert_int_equal(decode_texts(&d, t, n), n);
		out.n = unit_random(&seed, out.n);
		d = decoder_of(&out, 0, page, encoding);
		assert_true(decode_texts(&d, t, n) <= n);
		test_free(page);
		tv_output_abort(&out);
	}
	test_free(t);
}

/* A run of a place that has more bits than the page says. */
static void wide_run(void **state)
{
	static const unsigned char page[] = { 2, 4 << 1, 5 };
	struct tv_parquet_value dictionary[8] = { 0 };
	uint32_t place[4];

	(void)state;
	for (size_t n = 4; n <= TV_COUNT(dictionary); n += 4) {
		struct tv_parquet_decoder d = { .encoding = TV_PARQUET_DICTIONARY,
						.type = TV_PARQUET_BYTE_ARRAY,
						.at = page,
						.end = page + sizeof page,
						.dictionary = dictionary,
						.ndictionary = n };

		assert_null(tv_parquet_decoder_init(&d, 4));
		assert_false(tv_parquet_decode_places(&d, place, 4));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(places), cmocka_unit_test(numbers),
					    cmocka_unit_test(texts), cmocka_unit_test(wide_run) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
