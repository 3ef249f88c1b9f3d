/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tags.h -- indices that applications pack into the bits of their tasks' tags.
 *
 *	format := rule {";" rule}	rule := PATTERN ":" item {"," item}
 *	item   := (Iteration|X|Y) "=" LOW "-" HIGH	the field in bits LOW to HIGH
 *	        | LOW "-" HIGH "=" VALUE		these bits must hold that value
 *
 * Bits count from 0, the least significant. PATTERN (* and ?, case ignored) is matched against the
 * task type; the first rule that matches holds.
 */
#ifndef TV_TAGS_H
#define TV_TAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/error.h"

#define TV_TAG_BLANKS 0x2020202020202020u /* eight of them */

enum tv_tag_field { TV_TAG_ITERATION, TV_TAG_X, TV_TAG_Y, TV_TAG_FIELDS };

extern const char *const tv_tag_names[TV_TAG_FIELDS];

struct tv_bits {
	int low, high;	/* high < low = no bits */
	uint64_t value; /* of a check */
};

enum { TV_TAG_RULES = 32, TV_TAG_CHECKS = 4 };

struct tv_tag_rule {
	const char *pattern; /* of `length` bytes, a part of the text that was parsed */
	size_t length;
	struct tv_bits field[TV_TAG_FIELDS];
	struct tv_bits check[TV_TAG_CHECKS];
	size_t nchecks;
};

struct tv_tag_format {
	struct tv_tag_rule rule[TV_TAG_RULES];
	size_t n;
};

/* The formats that we know, in the order in which they are tried. */
struct tv_tag_known {
	const char *name, *rules, *meaning;
};
extern const struct tv_tag_known tv_tag_known[];
extern const size_t tv_ntag_known;

/* text: the name of a known format, or rules, which must stay as long as the format. -1 with *err (exit
 * status 2). */
int tv_tag_parse(const char *text, struct tv_tag_format *format,
		 struct tv_error *err) TV_MUST_CHECK;
/* The rule for a task type, or NULL. */
const struct tv_tag_rule *tv_tag_rule(const struct tv_tag_format *format, const char *type);
/* A tag as traces write it: up to 16 hexadecimal digits, with or without 0x. False for anything
 * else, and for one of blanks only: Fortran programs fill characters that nobody sets so. */
bool tv_tag_number(const char *text, uint64_t *tag);
/* Whether the tag passes the rule's checks. */
bool tv_tag_fits(const struct tv_tag_rule *rule, uint64_t tag);
/* A field of the tag; false if the rule does not have it. */
bool tv_tag_value(const struct tv_tag_rule *rule, enum tv_tag_field field, uint64_t tag,
		  int64_t *value);

#endif
