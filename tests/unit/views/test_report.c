/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_report.c -- what an HTML report is made of: numbers of columns, JSON, SHA-256; how many tasks. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/sample.h"
#include "tests/unit/unit.h"
#include "trace/alloc.h"
#include "views/backends/html/payload.h"
#include "views/backends/html/sha256.h"
#include "views/report/columns.h"
#include "views/report/report.h"

static void is_bytes(const unsigned char *got, const char *want, size_t n)
{
	char text[256] = "";

	for (size_t i = 0; i < n; i++)
		snprintf(text + 2 * i, sizeof text - 2 * i, "%02x", got[i]);
	assert_string_equal(text, want);
}

/* Examples of FIPS 180-4 (as published with it), and lengths around the end of a block, computed
 * with sha256sum. */
static void test_sha256(void **state)
{
	static const struct {
		size_t as; /* so many letters a, or the text */
		const char *text, *digest;
	} example[] = {
		{ 0, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
		{ 0, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
		{ 0, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
		  "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
		{ 55, NULL, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318" },
		{ 56, NULL, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a" },
		{ 63, NULL, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34" },
		{ 64, NULL, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb" },
		{ 1000000, NULL,
		  "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0" },
	};
	unsigned char digest[TV_SHA256_BYTES];

	(void)state;
	for (size_t i = 0; i < TV_COUNT(example); i++) {
		size_t n = example[i].as > 0 ? example[i].as : strlen(example[i].text);
		char *text = tv_alloc(n + 1, 1);

		if (example[i].as > 0)
			memset(text, 'a', n);
		else
			memcpy(text, example[i].text, n);
		tv_sha256(text, n, digest);
		is_bytes(digest, example[i].digest, sizeof digest);
		tv_free(text);
	}
}

static void encodes(enum tv_number_type type, const void *values, size_t n, unsigned steps,
		    const char *want)
{
	unsigned char out[128];

	tv_number_encode(type, values, n, steps, out);
	is_bytes(out, want, n * tv_number_size(type));
}

/* Worked out by hand from docs/html.md. */
static void test_steps(void **state)
{
	static const uint8_t bytes[] = { 1, 0, 255 };
	static const uint16_t two[] = { 0x0102, 0x0304 };
	static const int64_t wide[] = { 5, 3, INT64_MIN };
	static const int32_t small[] = { 0, -1, 1, -2, 2 };
	static const uint32_t ids[] = { 7, 8, UINT32_MAX };
	static const double one[] = { 1.0, -2.0 };
	static const float half[] = { 0.5f };

	(void)state;
	encodes(TV_U8, bytes, 3, 0, "0100ff");
	encodes(TV_U8, bytes, 3, TV_DELTA, "01ffff");
	encodes(TV_U8, bytes, 3, TV_DELTA | TV_ZIGZAG, "020101");
	encodes(TV_U16, two, 2, 0, "02010403");
	encodes(TV_U16, two, 2, TV_SPLIT, "02040103");
	encodes(TV_I32, small, 5, TV_ZIGZAG, "0000000001000000020000000300000004000000");
	encodes(TV_U32, ids, 3, TV_DELTA | TV_SPLIT, "0701f70000ff0000ff0000ff");
	encodes(TV_I64, wide, 3, TV_DELTA | TV_ZIGZAG,
		"0a000000000000000300000000000000faffffffffffffff");
	encodes(TV_F64, one, 2, 0, "000000000000f03f00000000000000c0");
	encodes(TV_F64, one, 2, TV_SPLIT, "000000000000000000000000f0003fc0");
	encodes(TV_F32, half, 1, 0, "0000003f");
	encodes(TV_I64, NULL, 0, TV_DELTA | TV_SPLIT, "");
}

/* What the header says first of a column of these numbers. */
static void is_coded(const int64_t *value, size_t n, const struct tv_coding *coding,
		     const char *want)
{
	struct tv_payload payload = { 0 };

	tv_payload_add(&payload, "x", TV_I64, value, n, coding);
	payload.columns.text[strlen(want)] = '\0';
	assert_string_equal(payload.columns.text, want);
	tv_payload_release(&payload);
}

/* The form that takes fewest bytes. */
static void test_choice(void **state)
{
	enum { N = 4000 };
	static int64_t rising[N], around[N], few[N], dealt[N], typed[N];
	static uint32_t row[N], place[N], key[N];
	struct tv_stored_order order = { NULL, row, place, N };
	struct tv_coding coding = { .order = &order, .norders = 1 };
	uint64_t seed = 7;
	char by[] = "by";

	(void)state;
	order.name = by;
	for (size_t i = 0; i < N; i++) {
		int64_t noise = (int64_t)unit_random(&seed, 200);

		rising[i] = (i > 0 ? rising[i - 1] : 0) + 1000000 + noise;
		around[i] = noise - 100;
		few[i] = 1000000007 * (noise % 5);
		place[i] = (uint32_t)(i * 1001 % N);
		row[place[i]] = (uint32_t)i;
		key[i] = (uint32_t)unit_random(&seed, 200);
		typed[i] = key[i] * 777 % 1009;
	}
	for (size_t i = 0; i < N; i++)
		dealt[i] = rising[place[i]];
	is_coded(rising, N, NULL, "\"x\":{\"type\":\"i64\",\"encoding\":[\"delta\",\"split\"],");
	is_coded(around, N, NULL, "\"x\":{\"type\":\"i64\",\"encoding\":[\"zigzag\",\"split\"],");
	is_coded(dealt, N, &coding,
		 "\"x\":{\"type\":\"i64\",\"encoding\":[\"delta\",\"split\"],\"order\":\"by\",");
	is_coded(typed, N, &(struct tv_coding){ .key = key, .like = "k" },
		 "\"x\":{\"type\":\"i64\",\"encoding\":[\"zigzag\",\"split\"],\"like\":\"k\",");
	is_coded(few, N, NULL, "\"x.values\":{\"type\":\"i64\",");
	for (size_t i = 0; i < N; i++)
		few[i] = 0x0100fe00 + (int64_t)unit_random(&seed, 128);
	is_coded(few, N, NULL,
		 "\"x\":{\"type\":\"i64\",\"encoding\":[\"split\"],"
		 "\"same\":[-1,254,0,1,0,0,0,0],\"offset\":0,\"bytes\":4000,\"n\":4000}");
	is_coded(NULL, 0, NULL, "\"x\":{\"type\":\"i64\",\"encoding\":[\"split\"],");
}

static void is_text(const char *bytes, size_t n, const char *want)
{
	struct tv_output out;
	struct tv_base91 text = { .out = &out };

	tv_output_memory(&out);
	for (size_t i = 0; i < n; i++)
		tv_base91_write(&text, bytes + i, 1);
	tv_base91_end(&text);
	assert_int_equal(out.n, strlen(want));
	assert_memory_equal(out.buffer, want, out.n);
	tv_output_abort(&out);
}

/* 8191 is 1 + 90 * 91; by hand. */
static void test_base91(void **state)
{
	static const char ones[] = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";

	(void)state;
	is_text("\0", 1, "!!");
	is_text("\xff", 1, "m$");
	is_text("ab", 2, "c(%");
	is_text(ones, 4, "#~#~c");
	is_text(ones, 5, "#~#~#~#");
	is_text(ones, 13, "#~#~#~#~#~#~#~#~");
}

static void test_json(void **state)
{
	struct tv_json json = { 0 };

	(void)state;
	tv_json_open(&json, NULL, '{');
	tv_json_text(&json, "a", "quote \" back\\slash\n\x01 </script>");
	tv_json_open(&json, "list", '[');
	tv_json_int(&json, NULL, -5);
	tv_json_double(&json, NULL, 0.1);
	tv_json_double(&json, NULL, NAN);
	tv_json_bool(&json, NULL, true);
	tv_json_close(&json, ']');
	tv_json_time(&json, "t", INT64_MAX);
	tv_json_open(&json, "empty", '{');
	tv_json_close(&json, '}');
	tv_json_close(&json, '}');
	assert_int_equal(json.n,
			 strlen("{\"a\":\"quote \\u0022 back\\u005cslash\\u000a\\u0001 </script>\","
				"\"list\":[-5,0.1,null,true],\"t\":\"9223372036854775807\","
				"\"empty\":{}}"));
	assert_memory_equal(json.text,
			    "{\"a\":\"quote \\u0022 back\\u005cslash\\u000a\\u0001 </script>\","
			    "\"list\":[-5,0.1,null,true],\"t\":\"9223372036854775807\","
			    "\"empty\":{}}",
			    json.n);
	tv_json_release(&json);
}

/* More rows than a browser may hold are refused; of a window, those that touch it count. */
static void test_limit(void **state)
{
	struct tv_plot_options options = { 0 };
	struct sample s;
	uint32_t n;

	(void)state;
	sample_make(&s, "ResourceId,Value,Start,End\nC,a,0,1\nC,a,1,2\nC,a,5,6\n");
	n = s.run.tasks.n;
	s.run.tasks.n = TV_REPORT_ROWS;
	assert_int_equal(tv_report_check(&s.run, &options, &s.err), 0);
	s.run.tasks.n++;
	assert_int_equal(tv_report_check(&s.run, &options, &s.err), -1);
	assert_non_null(strstr(s.err.text, "10000001 tasks"));
	assert_non_null(strstr(s.err.text, "at most 10000000: write tiles (--tiles DIR"));
	s.run.tasks.n = n;
	s.run.window = (struct tv_window){ .set = true, .begin = 2500000, .end = 5500000 };
	assert_int_equal(tv_report_rows(&s.run), 1);
	sample_release(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sha256), cmocka_unit_test(test_steps),
		cmocka_unit_test(test_choice), cmocka_unit_test(test_base91),
		cmocka_unit_test(test_json),   cmocka_unit_test(test_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
