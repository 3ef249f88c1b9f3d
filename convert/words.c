/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.c -- words of a line. */
#include "convert/words.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

size_t tv_words_of(const char *s, size_t n, struct tv_word *word, size_t max)
{
	const char *end = s + strnlen(s, n);
	size_t found = 0;

	while (found < max) {
		while (s < end && is_blank(*s))
			s++;
		if (s == end)
			break;
		word[found].s = s;
		while (s < end && !is_blank(*s))
			s++;
		word[found].n = (size_t)(s - word[found].s);
		found++;
	}
	return found;
}

bool tv_head_has(const char *head, size_t n, const char *text)
{
	return memmem(head, n, text, strlen(text)) != NULL;
}

bool tv_word_is(struct tv_word word, const char *text)
{
	return strlen(text) == word.n && memcmp(text, word.s, word.n) == 0;
}

size_t tv_word_find(const struct tv_word *word, size_t n, const char *text)
{
	for (size_t i = 0; i < n; i++)
		if (tv_word_is(word[i], text))
			return i;
	return TV_NO_WORD;
}
