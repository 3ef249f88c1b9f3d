/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pattern.c -- the size of regular expressions, before they are compiled. */
#include "trace/pattern.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* glibc compiles a pattern by recursion: 20,000 parentheses overflow the stack. Repetitions multiply:
 * ((x{999}){999}){999} and x++++++++++++++++++++++++++++++ take all memory; x*++++++++++++ takes
 * seconds, as the time grows with the square of the size. */
enum { PATTERN_MAX = 1000, EXPANDED_MAX = 2000 };

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

bool tv_pattern_small(const char *pattern)
{
	unsigned long before[PATTERN_MAX + 1] = {
		0
	}; /* in an open group, without the last piece */
	unsigned long last = 0, times;
	size_t depth = 0;

	if (strlen(pattern) > PATTERN_MAX)
		return false;
	for (const char *s = pattern; *s != '\0'; s += *s != '\0') {
		if (*s == ')' && depth > 0) {
			last += before[depth--] + 1;
		} else if (*s == '+' || *s == '{') {
			times = *s == '+' ? 2 : repetitions(&s);
			last = times > EXPANDED_MAX ? EXPANDED_MAX + 1 : last * times;
		} else if (*s == '*' || *s == '?') {
			last++;
		} else {
			before[depth] += last;
			last = *s != '(';
			if (*s == '(')
				before[++depth] = 0;
			if (*s == '[')
				s = skip_bracket(s);
			else if (*s == '\\')
				s += s[1] != '\0';
		}
		if (before[depth] + last > EXPANDED_MAX)
			return false;
	}
	return true;
}
