/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_chrome_plain.c -- plain trace events are what yajl alone gives, of whole, damaged and long texts. */
#include "tests/unit/unit.h"

#include "convert/chrome/parse.h"

static char *seen; /* what a sink got */

static void see(struct tv_chrome_text text)
{
	tv_append(&seen, text.s == NULL ? "-;" : "<%.*s;", (int)text.n, text.s);
}

static void on_event(void *context, const struct tv_chrome_event *event)
{
	(void)context;
	for (int i = 0; i < TV_CHROME_NFIELDS; i++)
		see(event->field[i]);
	for (size_t i = 0; i < event->nargs; i++) {
		see(event->arg[i].key);
		see(event->arg[i].value);
	}
	tv_append(&seen, "%d%d|%ld\n", event->local, event->whole, event->line);
}

static void on_member(void *context, const char *object, const char *key,
		      struct tv_chrome_text value)
{
	(void)context;
	tv_append(&seen, "%s.%s", object, key);
	see(value);
}

static char *parse(const char *text, size_t n, bool reference)
{
	const struct tv_chrome_sink sink = { NULL, on_event, on_member, reference };
	struct tv_chrome_end end;
	struct tv_error err = { 0 };
	struct tv_input in;
	int rc;

	seen = NULL;
	tv_input_memory(&in, "t.json", text, n);
	rc = tv_chrome_parse(&in, &sink, &end, &err);
	tv_append(&seen, "%d %s %d%d%d %ld %s", rc, err.text, end.events, end.cut, end.broken,
		  end.line, end.text);
	tv_input_close(&in);
	return seen;
}

static void same(const char *text, size_t n)
{
	char *by_yajl = parse(text, n, true), *by_us = parse(text, n, false);

	if (strcmp(by_yajl, by_us) != 0)
		fail_msg("'%.*s': yajl '%s', ours '%s'", (int)n, text, by_yajl, by_us);
	tv_free(by_yajl);
	tv_free(by_us);
}

static const char *const part[] = {
	"{",
	"}",
	"[",
	"]",
	",",
	":",
	"\"",
	"\\",
	"\\u0041",
	" ",
	"\n",
	"\t",
	"\f",
	"\x01",
	"-",
	"0",
	"01",
	"1.",
	".5",
	"1e",
	"1e5",
	"2E+3",
	"-7.25",
	"NaN",
	"-Infinity",
	"true",
	"false",
	"null",
	"nul",
	"/**/",
	"\"ph\":\"X\"",
	"\"name\":\"a}b\"",
	"\"cat\":\"\xc3\xa9\"",
	"\"ts\":12.5",
	"\"dur\":1",
	"\"pid\":1",
	"\"tid\":\"x\"",
	"\"args\":{",
	"\"args\":[",
	"\"args\":5",
	"\"k\":[1,\"b\",null]",
	"\"k\":{\"a\":1}",
	"\"k\":[]",
	"\"k\":[[1]]",
	"\"id2\":{\"local\":\"0x1\"}",
	"\"id2\":3",
	"\"id\":null",
	"\"bp\":\"e\"",
	"\"scope\":true",
	"\"\":1",
	"\"traceEvents\":[",
	",{\"ph\":\"X\",\"ts\":1,\"args\":{}}",
	",{\"ph\":\"i\",\"ts\":\"3\",\"args\":{\"a\":1,\"b\":[2,3]}}",
	", {\n \"name\": \"kernel name\", \"cat\": null, \"ph\": \"X\"\n}",
	",{}",
	"]}"
};

static const char whole[] =
	"{\"a\":1,\"traceEvents\":[{\"ph\":\"X\",\"ts\":1.5,\"name\":\"n\"},\n{\"ph\":\"B\"},"
	"{\"ph\":\"X\",\"args\":{\"k\":[1,2],\"l\":\"t\"},\"ts\":-0.5e-3}\r\n],\"o\":{\"p\":2}}";

/* Parts put into a text, one or more of them, at random places, and pieces taken out. */
static void damaged_texts(void **state)
{
	uint64_t random = unit_seed(20261128);

	(void)state;
	if (!tv_chrome_can_parse())
		skip();
	same(whole, strlen(whole));
	for (int round = 0; round < 30000; round++) {
		char text[2048];
		size_t n = strlen(whole);

		memcpy(text, whole, n);
		for (uint64_t k = 1 + unit_random(&random, 6); k > 0; k--) {
			size_t at = unit_random(&random, n + 1), gone = 0, more;
			const char *by = part[unit_random(&random, TV_COUNT(part))];

			if (unit_random(&random, 3) == 0)
				gone = unit_random(&random, 8) % (n - at + 1);
			more = strlen(by);
			memmove(text + at + more, text + at + gone, n - at - gone);
			memcpy(text + at, by, more);
			n += more - gone;
		}
		same(text, n);
	}
}

/* Events that lie across the ends of what is read at once, and one with more args than a plain one may have. */
static void long_texts(void **state)
{
	(void)state;
	if (!tv_chrome_can_parse())
		skip();
	for (int shift = 0; shift < 60; shift++) {
		char *text = NULL, *args = NULL;

		for (int i = 0; i < 100; i++)
			tv_append(&args, "%s\"k%d\":%d", i > 0 ? "," : "", i, i);
		tv_append(&text, "%*s[{\"ph\":\"X\",\"args\":{%s}}", shift, "", args);
		for (int i = 0; i < 40; i++)
			tv_append(&text,
				  ",\n{\"ph\":\"X\",\"name\":\"%0*d\",\"ts\":%d.5,\"args\":{%s}}",
				  i * 97 % 3000, i, i, i % 7 == 0 ? args : "\"device\":0");
		tv_append(&text, "]");
		same(text, strlen(text));
		tv_free(text);
		tv_free(args);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(damaged_texts),
					    cmocka_unit_test(long_texts) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
