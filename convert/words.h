/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.h -- tables in the text that other programs print: the words of a line, columns by the names in
 * their header. */
#ifndef TV_WORDS_H
#define TV_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { TV_WORDS_MAX = 64 }; /* what follows on a line is no word */

/* A part of a line, which the line owns. */
struct tv_word {
	const char *s;
	size_t n;
};

/* The words of n bytes up to a NUL, at most max of them, with blanks, tabs and CR between; their number. */
size_t tv_words_of(const char *s, size_t n, struct tv_word *word, size_t max);
/* Of a line. */
static inline size_t tv_words(const char *line, struct tv_word word[TV_WORDS_MAX])
{
	return tv_words_of(line, strlen(line), word, TV_WORDS_MAX);
}
/* Whether the first bytes of a file have a text in them. */
bool tv_head_has(const char *head, size_t n, const char *text);
bool tv_word_is(struct tv_word word, const char *text);
/* The place of the word that is that text, TV_NO_WORD = none. */
size_t tv_word_find(const struct tv_word *word, size_t n, const char *text);
#define TV_NO_WORD ((size_t)-1)

#endif
