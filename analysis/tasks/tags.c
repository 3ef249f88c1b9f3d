/* SPDX-License-Identifier: GPL-3.0-or-later */
/* tags.c -- indices that applications pack into the bits of their tasks' tags. */
#include "analysis/tasks/tags.h"

#include <ctype.h>
#include <string.h>

#include "trace/number.h"
#include "trace/text.h"

const char *const tv_tag_names[] = { "Iteration", "X", "Y" };
_Static_assert(TV_COUNT(tv_tag_names) == TV_TAG_FIELDS, "a name for every field");

const struct tv_tag_known tv_tag_known[] = {
	{ "starpu-cholesky",
	  "*potrf*:Iteration=0-31,X=0-31,Y=0-31,32-59=0,60-63=1;"
	  "*trsm*:Iteration=0-31,X=32-59,Y=0-31,60-63=3;"
	  "*syrk*:Iteration=32-59,X=16-31,Y=0-15,60-63=4;"
	  "*gemm*:Iteration=32-59,X=16-31,Y=0-15,60-63=4",
	  "StarPU's Cholesky example" },
	{ "chameleon",
	  "*potrf*:Iteration=0-11,X=0-11,Y=0-11,12-63=0;"
	  "*trsm*:Iteration=12-23,X=0-11,Y=12-23,24-63=0;"
	  "*syrk*:Iteration=24-35,X=0-11,Y=12-23,36-63=0;"
	  "*gemm*:Iteration=24-35,X=0-11,Y=12-23,36-63=0",
	  "Chameleon's Cholesky of 2016, three hexadecimal digits per index" },
};
const size_t tv_ntag_known = TV_COUNT(tv_tag_known);

/* LOW-HIGH, bits of a 64-bit number, at s[0..n). */
static bool parse_bits(const char *s, size_t n, struct tv_bits *bits)
{
	const char *dash = memchr(s, '-', n);
	int64_t low, high;

	if (dash == NULL || tv_parse_int(s, (size_t)(dash - s), &low) != TV_PARSE_OK
	    || tv_parse_int(dash + 1, n - (size_t)(dash - s) - 1, &high) != TV_PARSE_OK || low < 0
	    || high < low || high > 63)
		return false;
	bits->low = (int)low;
	bits->high = (int)high;
	return true;
}

/* A field of at most 63 bits, so that its values are not negative, or a check. */
static bool parse_item(struct tv_tag_rule *rule, const char *s, size_t n)
{
	const char *equal = memchr(s, '=', n);
	size_t left = equal == NULL ? n : (size_t)(equal - s), right = n - left;
	struct tv_bits *check = &rule->check[rule->nchecks];
	int64_t value;

	if (equal == NULL)
		return false;
	equal++;
	right--;
	for (int f = 0; f < TV_TAG_FIELDS; f++)
		if (strlen(tv_tag_names[f]) == left && memcmp(tv_tag_names[f], s, left) == 0)
			return parse_bits(equal, right, &rule->field[f])
			    && rule->field[f].high - rule->field[f].low < 63;
	if (rule->nchecks == TV_TAG_CHECKS || !parse_bits(s, left, check)
	    || tv_parse_int(equal, right, &value) != TV_PARSE_OK || value < 0)
		return false;
	check->value = (uint64_t)value;
	rule->nchecks++;
	return true;
}

static bool parse_rule(struct tv_tag_rule *rule, const char *s, size_t n)
{
	const char *colon = memchr(s, ':', n), *end = s + n;
	size_t length = colon == NULL ? 0 : (size_t)(colon - s);

	if (length == 0)
		return false;
	rule->pattern = s;
	rule->length = length;
	for (int f = 0; f < TV_TAG_FIELDS; f++)
		rule->field[f] = (struct tv_bits){ .low = 0, .high = -1 };
	for (s = colon + 1; s <= end;) {
		const char *comma = memchr(s, ',', (size_t)(end - s));
		const char *stop = comma == NULL ? end : comma;

		if (!parse_item(rule, s, (size_t)(stop - s)))
			return false;
		s = stop + 1;
	}
	return true;
}

int tv_tag_parse(const char *text, struct tv_tag_format *format, struct tv_error *err)
{
	*format = (struct tv_tag_format){ .n = 0 };
	for (size_t i = 0; i < tv_ntag_known; i++)
		if (strcmp(tv_tag_known[i].name, text) == 0)
			text = tv_tag_known[i].rules;
	for (;;) {
		size_t n = strcspn(text, ";");

		if (format->n == TV_TAG_RULES || !parse_rule(&format->rule[format->n], text, n))
			return tv_fail_usage(err,
					     "--tag-format: expected starpu-cholesky, "
					     "chameleon, or rules such as "
					     "'*gemm*:Iteration=24-35,X=12-23,Y=0-11;...', found "
					     "'%.*s'",
					     n > 200 ? 200 : (int)n, text);
		format->n++;
		if (text[n] == '\0')
			return 0;
		text += n + 1;
	}
}

const struct tv_tag_rule *tv_tag_rule(const struct tv_tag_format *format, const char *type)
{
	for (size_t i = 0; i < format->n; i++)
		if (tv_glob_part(format->rule[i].pattern, format->rule[i].length, type))
			return &format->rule[i];
	return NULL;
}

bool tv_tag_number(const char *text, uint64_t *tag)
{
	size_t n;

	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		text += 2;
	n = strlen(text);
	if (n == 0 || n > 16)
		return false;
	*tag = 0;
	for (size_t i = 0; i < n; i++) {
		int c = tolower((unsigned char)text[i]);

		if (!isxdigit(c))
			return false;
		*tag = *tag << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
	}
	return *tag != TV_TAG_BLANKS;
}

static uint64_t bits_of(const struct tv_bits *bits, uint64_t tag)
{
	int width = bits->high - bits->low + 1;

	return tag >> bits->low & (width == 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1);
}

bool tv_tag_fits(const struct tv_tag_rule *rule, uint64_t tag)
{
	for (size_t i = 0; i < rule->nchecks; i++)
		if (bits_of(&rule->check[i], tag) != rule->check[i].value)
			return false;
	return true;
}

bool tv_tag_value(const struct tv_tag_rule *rule, enum tv_tag_field field, uint64_t tag,
		  int64_t *value)
{
	if (rule->field[field].high < rule->field[field].low)
		return false;
	*value = (int64_t)bits_of(&rule->field[field], tag);
	return true;
}
