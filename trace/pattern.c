/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pattern.c -- the size of regular expressions, before they are compiled. */
#include "trace/pattern.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* glibc compiles a pattern by recursion: 20,000 parentheses overflow the stack. Repetitions multiply:
 * ((x{999}){999}){999} and x++++++++++++++++++++++++++++++ take all memory; x*++++++++++++ takes
 * seconds, as the time grows with the square of the size. x??????????++++++ takes half a minute: with
 * each repetition of what repetitions are in, ten times as long. */
enum { PATTERN_MAX = 1000, EXPANDED_MAX = 2000, NESTED_MAX = 4 };

/* The last character of a bracket expression that begins at s; the end of the text if it has none. */
static const char *skip_bracket(const char *s)
{
	s += s[1] == '^' ? 2 : 1;
	s += *s == ']';
	while (*s != '\0' && *s != ']') {
		const char *class = *s == '[' && s[1] != '\0' && strchr(":.=", s[1]) != NULL
					  ? strstr(s + 2, (char[]){ s[1], ']', '\0' })
					  : NULL;

		s = class != NULL ? class + 2 : s + 1;
	}
	return s;
}

/* How often {2,5}, at *s, repeats what precedes: 5; {3,} is three times and once with an asterisk.
 * Moves *s to its last character. */
static unsigned long repetitions(const char **s)
{
	unsigned long max = 1;

	while (isdigit((unsigned char)(*s)[1]) || (*s)[1] == ',') {
		unsigned long n = strtoul(++*s, NULL, 10);

		max = n > max ? n : max;
		if (**s == ',' && (*s)[1] == '}')
			max++;
	}
	*s += (*s)[1] == '}';
	return max;
}

struct piece {
	unsigned long size; /* characters that glibc makes of it */
	unsigned nested;    /* repetitions in each other, at most */
};

static void add(struct piece *group, const struct piece *piece)
{
	group->size += piece->size;
	if (piece->nested > group->nested)
		group->nested = piece->nested;
}

bool tv_pattern_small(const char *pattern)
{
	struct piece group[PATTERN_MAX + 1] = { { 0,
						  0 } }; /* open ones, without their last piece */
	struct piece last = { 0, 0 };
	size_t depth = 0;

	if (strlen(pattern) > PATTERN_MAX)
		return false;
	for (const char *s = pattern; *s != '\0'; s += *s != '\0') {
		if (*s == ')' && depth > 0) {
			add(&group[depth], &last);
			last = group[depth--];
			last.size++;
		} else if (strchr("+{*?", *s) != NULL) {
			unsigned long times = *s == '+' ? 2 : *s == '{' ? repetitions(&s) : 1;

			last.size = times > EXPANDED_MAX ? EXPANDED_MAX + 1 : last.size * times + 1;
			if (++last.nested > NESTED_MAX)
				return false;
		} else {
			add(&group[depth], &last);
			last = (struct piece){ *s != '(', 0 };
			if (*s == '(')
				group[++depth] = (struct piece){ 0, 0 };
			if (*s == '[')
				s = skip_bracket(s);
			else if (*s == '\\')
				s += s[1] != '\0';
		}
		if (group[depth].size + last.size > EXPANDED_MAX)
			return false;
	}
	return true;
}
