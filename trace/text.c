/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.c -- text from the outside made safe to print, natural order, patterns. */
#include "trace/text.h"

#include <ctype.h>
#include <string.h>

#include "trace/alloc.h"

size_t tv_utf8_length(const char *text, size_t n)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t want = s[0] < 0x80		  ? 1
		    : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
		    : (s[0] & 0xf0) == 0xe0	  ? 3
		    : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
						  : 0;

	if (want == 0 || want > n)
		return 0;
	for (size_t i = 1; i < want; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] >= 0xa0)
	    || (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] >= 0x90))
		return 0;
	return want;
}

/* Code points that are no characters (U+FDD0..FDEF, U+nFFFE, U+nFFFF): XML and Cairo refuse them.
 */
static bool is_noncharacter(const unsigned char *s, size_t len)
{
	if (len == 3 && s[0] == 0xef)
		return (s[1] == 0xb7 && s[2] >= 0x90 && s[2] < 0xb0)
		    || (s[1] == 0xbf && s[2] >= 0xbe);
	return len == 4 && (s[1] & 0x0f) == 0x0f && s[2] == 0xbf && s[3] >= 0xbe;
}

bool tv_utf8_hidden(const char *text, size_t n)
{
	const unsigned char *s = (const unsigned char *)text;

	if (n == 1)
		return s[0] < 0x20 || s[0] == 0x7f;
	/* U+0080..9F, U+061C */
	if (n == 2)
		return (s[0] == 0xc2 && s[1] < 0xa0) || (s[0] == 0xd8 && s[1] == 0x9c);
	/* U+200E..200F, U+2028..202E, U+2066..2069 */
	return n == 3 && s[0] == 0xe2
	    && ((s[1] == 0x80 && ((s[2] >= 0x8e && s[2] <= 0x8f) || (s[2] >= 0xa8 && s[2] <= 0xae)))
		|| (s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9));
}

char *tv_clean_text(char *out, size_t size, const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	size_t n = strlen(text), used = 0;

	for (size_t i = 0; i < n;) {
		size_t len = tv_utf8_length(text + i, n - i);
		bool bad = len == 0 || tv_utf8_hidden(text + i, len) || is_noncharacter(s + i, len);

		if (used + (bad ? 1 : len) + 1 > size)
			break;
		if (bad) {
			out[used++] = '?';
		} else {
			memcpy(out + used, s + i, len);
			used += len;
		}
		i += len == 0 ? 1 : len;
	}
	if (size > 0)
		out[used] = '\0';
	return out;
}

static bool digit(char c)
{
	return c >= '0' && c <= '9';
}

int tv_natural_order(const char *a, const char *b)
{
	const char *a0 = a, *b0 = b;

	while (*a != '\0' && *b != '\0') {
		size_t na = 0, nb = 0;
		int order;

		if (!digit(*a) || !digit(*b)) {
			if (*a != *b)
				return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
			a++;
			b++;
			continue;
		}
		while (*a == '0' && digit(a[1]))
			a++;
		while (*b == '0' && digit(b[1]))
			b++;
		while (digit(a[na]))
			na++;
		while (digit(b[nb]))
			nb++;
		if (na != nb)
			return na < nb ? -1 : 1;
		order = memcmp(a, b, na);
		if (order != 0)
			return order;
		a += na;
		b += nb;
	}
	if (*a != *b)
		return *a == '\0' ? -1 : 1;
	return strcmp(a0, b0);
}

/* Whether c is one of the characters between [ and ], such as [0-3x]; *end: behind the ]. A [ that
 * nothing closes is itself. */
static bool in_class(const char *pattern, const char *stop, char c, const char **end)
{
	const char *close = pattern < stop && *pattern == '['
				  ? memchr(pattern + 1, ']', (size_t)(stop - pattern) - 1)
				  : NULL;
	int lower = tolower((unsigned char)c);
	bool found = false;

	for (const char *p = pattern + 1; close != NULL && p < close; p++) {
		int from = tolower((unsigned char)*p), to = from;

		if (p[1] == '-' && p + 2 < close) {
			p += 2;
			to = tolower((unsigned char)*p);
		}
		found = found || (lower >= from && lower <= to);
	}
	*end = found ? close + 1 : NULL;
	return found;
}

/* Never exponential: only the last * is retried. */
bool tv_glob_part(const char *pattern, size_t n, const char *s)
{
	const char *stop = pattern + n, *star = NULL, *retry = NULL, *end;

	while (*s != '\0') {
		if (pattern < stop && *pattern == '*') {
			star = ++pattern;
			retry = s;
		} else if (in_class(pattern, stop, *s, &end)) {
			pattern = end;
			s++;
		} else if (pattern < stop
			   && (*pattern == '?'
			       || tolower((unsigned char)*pattern) == tolower((unsigned char)*s))) {
			pattern++;
			s++;
		} else if (star != NULL) {
			pattern = star;
			s = ++retry;
		} else {
			return false;
		}
	}
	while (pattern < stop && *pattern == '*')
		pattern++;
	return pattern == stop;
}

bool tv_glob(const char *pattern, const char *s)
{
	return tv_glob_part(pattern, strlen(pattern), s);
}

const char *tv_list_word(const char **list, size_t *n)
{
	const char *word = *list;

	if (*word == '\0')
		return NULL;
	*n = strcspn(word, ",");
	*list += *n + (word[*n] == ',');
	return word;
}

bool tv_glob_list(const char *list, const char *s)
{
	const char *word;
	size_t n;

	while ((word = tv_list_word(&list, &n)) != NULL)
		if (tv_glob_part(word, n, s))
			return true;
	return false;
}

char *tv_shell_word(const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_./=+:,@%-";
	size_t n = strlen(text), at = 0;
	char *word;

	if (n > 0 && strspn(text, plain) == n)
		return tv_strndup(text, n);
	word = tv_alloc(4 * n + 3, 1);
	word[at++] = '\'';
	for (size_t i = 0; i < n; i++)
		if (text[i] == '\'') {
			memcpy(word + at, "'\\''", 4);
			at += 4;
		} else {
			word[at++] = text[i];
		}
	word[at++] = '\'';
	word[at] = '\0';
	return word;
}

const char *tv_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

bool tv_ends_in(const char *s, const char *ending)
{
	size_t n = strlen(s), m = strlen(ending);

	return n > m && strcmp(s + n - m, ending) == 0;
}

bool tv_is_any(const char *s, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(s, list[i]) == 0)
			return true;
	return false;
}
