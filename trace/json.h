/* SPDX-License-Identifier: GPL-3.0-or-later */
/* json.h -- writes JSON to memory. [RFC 8259] */
#ifndef TV_JSON_H
#define TV_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeroed = empty. Commas are put where they belong. */
struct tv_json {
	char *text; /* n bytes, no NUL */
	size_t n, cap;
	bool follows; /* a value precedes in the same list */
};

void tv_json_release(struct tv_json *json);
/* Names of members are plain text; NULL in lists. */
void tv_json_open(struct tv_json *json, const char *name, char bracket);
void tv_json_close(struct tv_json *json, char bracket);
void tv_json_text(struct tv_json *json, const char *name, const char *text); /* any bytes */
void tv_json_int(struct tv_json *json, const char *name, int64_t value);
/* As text: readers with doubles would lose digits beyond 2^53. */
void tv_json_time(struct tv_json *json, const char *name, int64_t ns);
void tv_json_double(struct tv_json *json, const char *name, double value); /* not finite: null */
void tv_json_bool(struct tv_json *json, const char *name, bool value);

#endif
