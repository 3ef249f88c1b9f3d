/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.c -- words of a line. */
#include "convert/words.h"

#include <string.h>

size_t tv_words(const char *line, struct tv_word word[TV_WORDS_MAX])
{
	size_t n = 0;

	for (line += strspn(line, " \t"); *line != '\0' && n < TV_WORDS_MAX;
	     line += strspn(line, " \t")) {
		size_t length = strcspn(line, " \t");

		word[n++] = (struct tv_word){ line, length };
		line += length;
	}
	return n;
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
