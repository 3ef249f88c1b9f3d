/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * options.h -- typed options of passes and panels: declared once as rows, checked in one place.
 *
 * A row's `argument` is the metavariable of the help, and it also defines which words are valid:
 * alternatives are separated by '|'; an alternative in capitals is a value of the option's kind,
 * the others are words to be given as they are. A list ends in ",...". Examples:
 *
 *	TIME|auto|run	a time, or one of two words (TV_OPTION_TIME)
 *	observed|any	one of two words (TV_OPTION_CHOICE)
 *	abe|cpe,...	one or several of these words, separated by commas (TV_OPTION_LIST)
 *	TYPE,...	a list of names that only its user can check (TV_OPTION_LIST)
 */
#ifndef TV_OPTIONS_H
#define TV_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/error.h"

enum tv_option_kind {
	TV_OPTION_TEXT,	     /* any text, checked by its user; without argument: a flag */
	TV_OPTION_TIME,	     /* ns in memory, from min to max: 10 (ms), 500us, 2.5s */
	TV_OPTION_TIMES,     /* such times with commas between */
	TV_OPTION_COUNT,     /* a whole number from min to max */
	TV_OPTION_NUMBER,    /* a number from min to max */
	TV_OPTION_SIZE,	     /* bytes from 1 MB to 10^18: 500M, 4G */
	TV_OPTION_LENGTH,    /* inches in memory, from min to max: 3.5, 8.5cm, 85mm, 3.5in */
	TV_OPTION_CHOICE,    /* one of the words of its argument */
	TV_OPTION_LIST,	     /* words with commas between */
	TV_OPTION_EXPRESSION /* see expr.h; its form is checked, its columns by its user */
};

/*
 * The member of a struct that receives an option: its type says what of it. Each kind also fits a text:
 * the value as given.
 */
enum tv_member_type {
	TV_MEMBER_NONE,
	TV_MEMBER_BOOL,	  /* whether the option was given: a flag, or any other without default */
	TV_MEMBER_TIME,	  /* int64_t, ns; 0: not given, or a word */
	TV_MEMBER_COUNT,  /* uint64_t, of a count or a size; 0 likewise */
	TV_MEMBER_NUMBER, /* double; NaN likewise */
	TV_MEMBER_CHOICE, /* an enum in the order of the words; the option has a default */
	TV_MEMBER_CHOICE_OR_NONE, /* one that also has -1: not given */
	TV_MEMBER_TEXT		  /* const char *; NULL: not given */
};

struct tv_option_spec {
	const char *name;	   /* "min-group", given as --min-group N */
	const char *argument;	   /* "N"; NULL = a flag */
	const char *default_value; /* default, as text; NULL = none */
	const char *meaning;
	enum tv_option_kind kind;
	/* Range of times (ns), counts and numbers, both inclusive; max <= min: no upper limit. */
	double min, max;
	/* Where tv_options_fill puts the value; from TV_INTO. */
	enum tv_member_type into;
	size_t offset;
	/* Of the command line: -o beside --output, 0 = none; which verbs take it (cli/verbs.h), of options
	 * that several take. */
	char letter;
	unsigned verbs;
};

/* In a row: its value goes to that member of a struct. A name or type that does not fit does not compile. */
#define TV_INTO(structure, member) \
	.into = _Generic(((structure *)0)->member, bool \
			 : TV_MEMBER_BOOL, int64_t \
			 : TV_MEMBER_TIME, uint64_t \
			 : TV_MEMBER_COUNT, double \
			 : TV_MEMBER_NUMBER, unsigned \
			 : TV_MEMBER_CHOICE, int \
			 : TV_MEMBER_CHOICE_OR_NONE, const char * \
			 : TV_MEMBER_TEXT), \
	.offset = offsetof(structure, member)

/* The same where the struct is called asked, as those of passes and verbs are. */
#define TV_ASKED(member) TV_INTO(struct asked, member)
/* Whether the option that fills a member was given. */
#define TV_GIVEN(options, structure, member) \
	tv_option_given_into(options, offsetof(structure, member))

/* The text of a macro's value, for a meaning that contains a default. */
#define TV_TEXT_OF(macro)  TV_TEXT_OF_(macro)
#define TV_TEXT_OF_(value) #value

/* The fields of a pass's or a panel's row for an array of its options. */
#define TV_OPTIONS(array) .option = (array), .noptions = TV_COUNT(array)

/* Options as given: value[i] belongs to spec[i]; NULL = the default. value NULL = all defaults. */
struct tv_options {
	const struct tv_option_spec *spec;
	size_t n;
	const char *const *value;
	const void *chosen; /* the struct of the rows' members, filled; NULL = they have none */
};

/* Fills the member that the row names, of a struct of that size, with the value or, if that is NULL, the
 * default; as tv_options_fill. */
void tv_option_fill(const struct tv_option_spec *row, const char *value, void *chosen, size_t size);
/* Fills the members that rows name, of a struct of that size; values have been checked, texts are
 * borrowed. A row whose kind does not fit its member, or that has one elsewhere, ends the program
 * (tv_bug). */
void tv_options_fill(const struct tv_options *options, void *chosen, size_t size);

/* Checks a value against its row. prefix: what precedes the name in the message ("spacetime.", or
 * ""). 0, or -1 with *err (usage): "--spacetime.gaps 'x', expected a time such as 10 (ms) or 500us, or
 * auto". */
int tv_option_check(const struct tv_option_spec *spec, const char *prefix, const char *value,
		    struct tv_error *err) TV_MUST_CHECK;
/* The same for all values that are given. */
int tv_options_check(const struct tv_options *options, const char *prefix,
		     struct tv_error *err) TV_MUST_CHECK;

/* The row of that name among n; NULL if there is none. */
const struct tv_option_spec *tv_option_find(const struct tv_option_spec *spec, size_t n,
					    const char *name);
/* The same of a name that is declared: another one ends the program (tv_bug). */
const struct tv_option_spec *tv_option_row(const struct tv_option_spec *spec, size_t n,
					   const char *name);

/* The meaning, and behind it the default, if there is one: to be freed. */
char *tv_option_meaning(const struct tv_option_spec *spec);
/* The next word that the argument accepts as it is, from *at = 0 on; false when there are no more. */
bool tv_option_next_word(const struct tv_option_spec *spec, size_t *at, const char **word,
			 size_t *length);

/* A value that has been checked, as its kind has it; NULL and words give `otherwise`. */
int64_t tv_value_time(const char *value, int64_t otherwise);
uint64_t tv_value_count(const char *value, uint64_t otherwise);
double tv_value_number(const char *value, double otherwise);
double tv_value_length(const char *value, double otherwise);   /* inches */
uint64_t tv_value_size(const char *value, uint64_t otherwise); /* bytes */
/* Whether a list contains the word. */
bool tv_value_lists(const char *value, const char *word);

/* Whether an option was given; a name that no row declares ends the program (tv_bug). */
bool tv_option_given(const struct tv_options *options, const char *name);
bool tv_option_given_into(const struct tv_options *options, size_t offset); /* TV_GIVEN */
/* The value of the i-th option, or its default, or NULL; "" for a flag that is set. */
const char *tv_option_value(const struct tv_options *options, size_t i);

#endif
