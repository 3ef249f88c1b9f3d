/* SPDX-License-Identifier: GPL-3.0-or-later */
/* options.c -- typed options: values checked against rows. */
#include "trace/options.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/expr.h"
#include "trace/number.h"
#include "trace/text.h"

/* The next alternative of an argument ("TIME|auto,..."), from *at; false when there are no more. */
static bool next_word(const char *argument, size_t *at, const char **word, size_t *length)
{
	const char *list = strstr(argument + *at, ",...");

	*word = argument + *at;
	*length = strcspn(*word, "|");
	if (list != NULL && list < *word + *length)
		*length = (size_t)(list - *word);
	*at += *length + ((*word)[*length] == '|');
	return *length > 0;
}

/* Whether an alternative is given as it is: names of values are in capitals. */
static bool is_literal(const char *word, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (word[i] >= 'a' && word[i] <= 'z')
			return true;
	return false;
}

bool tv_option_next_word(const struct tv_option_spec *spec, size_t *at, const char **word,
			 size_t *length)
{
	while (spec->argument != NULL && next_word(spec->argument, at, word, length))
		if (is_literal(*word, *length))
			return true;
	return false;
}

/* The position of text[0..n) among the literal words; -1 if it is none of them. */
static int find_word(const char *argument, const char *text, size_t n)
{
	const char *word;
	size_t at = 0, length;
	int i = 0;

	while (argument != NULL && next_word(argument, &at, &word, &length)) {
		if (!is_literal(word, length))
			continue;
		if (length == n && strncmp(word, text, n) == 0)
			return i;
		i++;
	}
	return -1;
}

static bool names_words(const char *argument)
{
	const char *word;
	size_t at = 0, length;

	while (next_word(argument, &at, &word, &length))
		if (!is_literal(word, length))
			return false;
	return true;
}

static bool in_range(const struct tv_option_spec *spec, double value)
{
	return value >= spec->min && (spec->max <= spec->min || value <= spec->max);
}

/* A comma without a name before or behind it, or a word that the row does not have, is invalid. */
static bool is_list(const struct tv_option_spec *spec, const char *value)
{
	bool known = names_words(spec->argument);

	for (;; value++) {
		size_t n = strcspn(value, ",");

		if (n == 0 || (known && find_word(spec->argument, value, n) < 0))
			return false;
		value += n;
		if (*value == '\0')
			return true;
	}
}

static bool is_times(const char *list)
{
	bool valid = *list != '\0' && list[strlen(list) - 1] != ',';
	const char *word;
	size_t n;

	while (valid && (word = tv_list_word(&list, &n)) != NULL) {
		char *time = tv_strndup(word, n);
		int64_t ns;

		valid = tv_parse_time(time, &ns) == TV_PARSE_OK;
		tv_free(time);
	}
	return valid;
}

static bool is_valid(const struct tv_option_spec *spec, const char *value)
{
	int64_t ns;
	uint64_t count = 0;
	double number;

	if (spec->kind != TV_OPTION_LIST && find_word(spec->argument, value, strlen(value)) >= 0)
		return true;
	switch (spec->kind) {
	case TV_OPTION_TIME:
		return tv_parse_time(value, &ns) == TV_PARSE_OK && in_range(spec, (double)ns);
	case TV_OPTION_TIMES:
		return is_times(value);
	case TV_OPTION_COUNT:
		for (const char *s = value; *s != '\0'; s++)
			if (*s < '0' || *s > '9')
				return false;
		count = tv_value_count(value, UINT64_MAX);
		return *value != '\0' && count < UINT64_MAX && in_range(spec, (double)count);
	case TV_OPTION_NUMBER:
		return tv_parse_double(value, strlen(value), &number) == TV_PARSE_OK
		    && in_range(spec, number);
	case TV_OPTION_LENGTH:
		return in_range(spec, tv_value_length(value, NAN));
	case TV_OPTION_SIZE:
		return tv_value_size(value, 0) > 0;
	case TV_OPTION_CHOICE:
		return false;
	case TV_OPTION_LIST:
		return is_list(spec, value);
	default:
		return true;
	}
}

/* " from 1 to 20", " from 1", or nothing for the range that the kind has by itself. */
static void say_range(const struct tv_option_spec *spec, char *text, size_t size)
{
	if (spec->max > spec->min)
		snprintf(text, size, " from %.15g to %.15g", spec->min, spec->max);
	else if (spec->kind != TV_OPTION_COUNT || spec->min > 0)
		snprintf(text, size, " from %.15g", spec->min);
	else
		text[0] = '\0';
}

/* Appends the literal words: "auto", "auto or run", "a, b or c". */
static void say_words(const char *argument, bool first, char *text, size_t size)
{
	const char *word;
	size_t at = 0, length, n = 0, i = 0;

	for (; next_word(argument, &at, &word, &length);)
		n += is_literal(word, length);
	for (at = 0; next_word(argument, &at, &word, &length);) {
		size_t used = strlen(text);

		if (!is_literal(word, length))
			continue;
		snprintf(text + used, size - used, "%s%.*s",
			 i == 0 && first ? ""
			 : i + 1 == n	 ? " or "
					 : ", ",
			 (int)length, word);
		i++;
	}
}

/* Of a list in place of one word: "; one of them alone, such as node". */
static void say_alone(const char *argument, const char *value, char *text, size_t size)
{
	size_t n = strcspn(value, ","), used = strlen(text), at = 0, length;
	const char *word;

	while (value[n] == ',' && next_word(argument, &at, &word, &length))
		if (length == n && strncmp(word, value, n) == 0) {
			snprintf(text + used, size - used, "; one of them alone, such as %.*s",
				 (int)n, value);
			return;
		}
}

static int refuse(const struct tv_option_spec *spec, const char *prefix, const char *value,
		  struct tv_error *err)
{
	char range[80] = "", expected[400] = "";
	bool first = false;

	say_range(spec, range, sizeof range);
	switch (spec->kind) {
	case TV_OPTION_TIME:
		if (spec->min > 1) /* ns */
			snprintf(range, sizeof range, " from %.15gus to %.15gs", spec->min / 1e3,
				 spec->max / 1e9);
		else
			snprintf(range, sizeof range, "%s", spec->min > 0 ? " above 0" : "");
		snprintf(expected, sizeof expected, "a time%s such as 10 (ms) or 500us", range);
		break;
	case TV_OPTION_TIMES:
		snprintf(expected, sizeof expected,
			 "times such as 10 (ms) or 500us, with commas between");
		break;
	case TV_OPTION_COUNT:
		snprintf(expected, sizeof expected, "a whole number%s", range);
		break;
	case TV_OPTION_NUMBER:
		snprintf(expected, sizeof expected, "a number%s", range);
		break;
	case TV_OPTION_LENGTH:
		snprintf(expected, sizeof expected, "a length%s inches, such as 3.5 or 8.5cm",
			 range);
		break;
	case TV_OPTION_SIZE:
		snprintf(expected, sizeof expected, "a size such as 500M or 4G, at least 1M");
		break;
	case TV_OPTION_LIST:
		if (!names_words(spec->argument)) {
			snprintf(expected, sizeof expected, "names with commas between");
			break;
		}
		snprintf(expected, sizeof expected, "some of ");
		first = true;
		break;
	default:
		first = true;
	}
	say_words(spec->argument, first, expected, sizeof expected);
	if (spec->kind == TV_OPTION_CHOICE)
		say_alone(spec->argument, value, expected, sizeof expected);
	return tv_fail_usage(err, "--%s%s '%s', expected %s", prefix, spec->name, value, expected);
}

int tv_option_check(const struct tv_option_spec *spec, const char *prefix, const char *value,
		    struct tv_error *err)
{
	if (value == NULL || spec->argument == NULL)
		return 0;
	if (spec->kind == TV_OPTION_EXPRESSION && tv_expr_check(value, err) < 0) {
		char *what = tv_format("--%s%s", prefix, spec->name);

		tv_fail_about(err, what);
		tv_free(what);
		return -1;
	}
	return is_valid(spec, value) ? 0 : refuse(spec, prefix, value, err);
}

int tv_options_check(const struct tv_options *options, const char *prefix, struct tv_error *err)
{
	for (size_t i = 0; options->value != NULL && i < options->n; i++)
		if (tv_option_check(&options->spec[i], prefix, options->value[i], err) < 0)
			return -1;
	return 0;
}

const struct tv_option_spec *tv_option_find(const struct tv_option_spec *spec, size_t n,
					    const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(spec[i].name, name) == 0)
			return &spec[i];
	return NULL;
}

char *tv_option_meaning(const struct tv_option_spec *spec)
{
	return spec->default_value == NULL
		     ? tv_strdup(spec->meaning)
		     : tv_format("%s (default %s)", spec->meaning, spec->default_value);
}

int64_t tv_value_time(const char *value, int64_t otherwise)
{
	int64_t ns;

	return value != NULL && tv_parse_time(value, &ns) == TV_PARSE_OK ? ns : otherwise;
}

uint64_t tv_value_count(const char *value, uint64_t otherwise)
{
	int64_t count;

	return value != NULL && tv_parse_int(value, strlen(value), &count) == TV_PARSE_OK
			    && count >= 0
		     ? (uint64_t)count
		     : otherwise;
}

double tv_value_number(const char *value, double otherwise)
{
	double number;

	return value != NULL && tv_parse_double(value, strlen(value), &number) == TV_PARSE_OK
		     ? number
		     : otherwise;
}

double tv_value_length(const char *value, double otherwise)
{
	static const struct {
		const char *name;
		double inches;
	} units[] = { { "cm", 1 / 2.54 }, { "mm", 1 / 25.4 }, { "in", 1 } };
	size_t n = value == NULL ? 0 : strlen(value);
	double number, unit = 1;

	for (size_t i = 0; i < TV_COUNT(units) && n > 2; i++)
		if (strcmp(value + n - 2, units[i].name) == 0) {
			unit = units[i].inches;
			n -= 2;
			break;
		}
	return n > 0 && tv_parse_double(value, n, &number) == TV_PARSE_OK ? number * unit
									  : otherwise;
}

uint64_t tv_value_size(const char *value, uint64_t otherwise)
{
	static const char units[] = "kMGT";
	size_t n = value == NULL ? 0 : strlen(value);
	const char *unit = n < 2 ? NULL : value[n - 1] == 'K' ? units : strchr(units, value[n - 1]);
	double bytes;

	if (n == 0 || tv_parse_double(value, unit != NULL ? n - 1 : n, &bytes) != TV_PARSE_OK)
		return otherwise;
	for (const char *u = units; unit != NULL && u <= unit; u++)
		bytes *= 1000;
	return bytes >= 1e6 && bytes <= 1e18 ? (uint64_t)bytes : otherwise;
}

/* The position of the value among the words of its row's argument, from 0; -1 if it is NULL or
 * none of them. */
static int value_choice(const struct tv_option_spec *spec, const char *value)
{
	return value == NULL ? -1 : find_word(spec->argument, value, strlen(value));
}

bool tv_value_lists(const char *value, const char *word)
{
	while (value != NULL && *value != '\0') {
		size_t n = strcspn(value, ",");

		if (n == strlen(word) && strncmp(value, word, n) == 0)
			return true;
		value += n + (value[n] == ',');
	}
	return false;
}

const struct tv_option_spec *tv_option_row(const struct tv_option_spec *spec, size_t n,
					   const char *name)
{
	const struct tv_option_spec *row = tv_option_find(spec, n, name);

	if (row == NULL)
		tv_bug("no row declares the option '%s'", name);
	return row;
}

/* The value as given; NULL = the default. */
static const char *given(const struct tv_options *options, const struct tv_option_spec *row)
{
	return options->value == NULL ? NULL : options->value[row - options->spec];
}

bool tv_option_given(const struct tv_options *options, const char *name)
{
	return given(options, tv_option_row(options->spec, options->n, name)) != NULL;
}

bool tv_option_given_into(const struct tv_options *options, size_t offset)
{
	for (size_t i = 0; i < options->n; i++)
		if (options->spec[i].into != TV_MEMBER_NONE && options->spec[i].offset == offset)
			return given(options, &options->spec[i]) != NULL;
	tv_bug("no row fills the member at %zu", offset);
}

const char *tv_option_value(const struct tv_options *options, size_t i)
{
	const char *value = given(options, &options->spec[i]);

	return value == NULL ? options->spec[i].default_value : value;
}

/* Whether a member of that type can hold what an option is. */
static bool fits(const struct tv_option_spec *row)
{
	static const enum tv_option_kind kind[] = {
		[TV_MEMBER_TIME] = TV_OPTION_TIME,
		[TV_MEMBER_COUNT] = TV_OPTION_COUNT,
		[TV_MEMBER_NUMBER] = TV_OPTION_NUMBER,
		[TV_MEMBER_CHOICE] = TV_OPTION_CHOICE,
		[TV_MEMBER_CHOICE_OR_NONE] = TV_OPTION_CHOICE,
	};
	bool other = row->into == TV_MEMBER_COUNT
			   ? row->kind == TV_OPTION_SIZE
			   : row->into == TV_MEMBER_NUMBER && row->kind == TV_OPTION_LENGTH;

	if (row->into == TV_MEMBER_TEXT)
		return row->argument != NULL;
	if (row->into == TV_MEMBER_BOOL)
		return row->default_value == NULL;
	return row->argument != NULL && (row->kind == kind[row->into] || other)
	    && (row->into != TV_MEMBER_CHOICE || row->default_value != NULL);
}

static void fill_member(const struct tv_option_spec *row, const char *value, void *member)
{
	switch (row->into) {
	case TV_MEMBER_BOOL:
		*(bool *)member = value != NULL;
		break;
	case TV_MEMBER_TIME:
		*(int64_t *)member = tv_value_time(value, 0);
		break;
	case TV_MEMBER_COUNT:
		*(uint64_t *)member = row->kind == TV_OPTION_SIZE ? tv_value_size(value, 0)
								  : tv_value_count(value, 0);
		break;
	case TV_MEMBER_NUMBER:
		*(double *)member = row->kind == TV_OPTION_LENGTH ? tv_value_length(value, NAN)
								  : tv_value_number(value, NAN);
		break;
	case TV_MEMBER_CHOICE:
		*(unsigned *)member = (unsigned)value_choice(row, value);
		break;
	case TV_MEMBER_CHOICE_OR_NONE:
		*(int *)member = value_choice(row, value);
		break;
	case TV_MEMBER_TEXT:
		memcpy(member, &value, sizeof value);
		break;
	default:
		break;
	}
}

void tv_option_fill(const struct tv_option_spec *row, const char *value, void *chosen, size_t size)
{
	if (row->into == TV_MEMBER_NONE)
		return;
	if (!fits(row) || row->offset >= size)
		tv_bug("the option '%s' goes to no member that can hold it", row->name);
	fill_member(row, value == NULL ? row->default_value : value, (char *)chosen + row->offset);
}

void tv_options_fill(const struct tv_options *options, void *chosen, size_t size)
{
	for (size_t i = 0; i < options->n; i++)
		tv_option_fill(&options->spec[i], given(options, &options->spec[i]), chosen, size);
}
