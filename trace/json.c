/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.c -- JSON, one value after the other. */
#include "trace/json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/number.h"

void tv_json_release(struct tv_json *json)
{
	tv_free(json->text);
	*json = (struct tv_json){ 0 };
}

static void put(struct tv_json *json, const char *text, size_t n)
{
	TV_GROW(json->text, json->n, json->cap, n);
	memcpy(json->text + json->n, text, n);
	json->n += n;
}

static void put_quoted(struct tv_json *json, const char *text)
{
	put(json, "\"", 1);
	for (; *text != '\0'; text++) {
		unsigned char c = (unsigned char)*text;
		char escape[8] = "";

		if (c >= 0x20 && c != '"' && c != '\\')
			put(json, text, 1);
		else
			put(json, escape, (size_t)snprintf(escape, sizeof escape, "\\u%04x", c));
	}
	put(json, "\"", 1);
}

static void begin_value(struct tv_json *json, const char *name)
{
	if (json->follows)
		put(json, ",", 1);
	json->follows = true;
	if (name != NULL) {
		put_quoted(json, name);
		put(json, ":", 1);
	}
}

void tv_json_open(struct tv_json *json, const char *name, char bracket)
{
	begin_value(json, name);
	put(json, &bracket, 1);
	json->follows = false;
}

void tv_json_close(struct tv_json *json, char bracket)
{
	put(json, &bracket, 1);
	json->follows = true;
}

void tv_json_text(struct tv_json *json, const char *name, const char *text)
{
	begin_value(json, name);
	put_quoted(json, text);
}

static void put_plain(struct tv_json *json, const char *name, const char *text)
{
	begin_value(json, name);
	put(json, text, strlen(text));
}

void tv_json_int(struct tv_json *json, const char *name, int64_t value)
{
	char text[32];

	snprintf(text, sizeof text, "%" PRId64, value);
	put_plain(json, name, text);
}

void tv_json_time(struct tv_json *json, const char *name, int64_t ns)
{
	char text[32];

	snprintf(text, sizeof text, "\"%" PRId64 "\"", ns);
	put_plain(json, name, text);
}

void tv_json_double(struct tv_json *json, const char *name, double value)
{
	char text[TV_NUMBER_MAX] = "null";

	if (isfinite(value))
		tv_write_double(text, value);
	put_plain(json, name, text);
}

void tv_json_bool(struct tv_json *json, const char *name, bool value)
{
	put_plain(json, name, value ? "true" : "false");
}
