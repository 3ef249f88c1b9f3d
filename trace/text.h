/* SPDX-License-Identifier: GPL-3.0-or-later */
/* text.h -- UTF-8, texts for messages, natural order, patterns. Nothing here allocates. */
#ifndef TV_TRACE_TEXT_H
#define TV_TRACE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* The ending of a noun of which there are n: "" or "s". */
static inline const char *tv_plural(unsigned long long n)
{
	return n == 1 ? "" : "s";
}

/* Length in bytes of the UTF-8 character that s[0..n) begins with; 0 if it begins with none. n > 0.
 */
size_t tv_utf8_length(const char *s, size_t n);

/* Whether that character, of n bytes, is one that acts on what shows it: a control character, a line
 * or paragraph separator, or one that changes the direction of the text around it. */
bool tv_utf8_hidden(const char *s, size_t n);

/* Copies text into out[0..size) as UTF-8 on one line: such characters, noncharacters and bytes that
 * are not UTF-8 become '?'; a text that is too long is cut at a character. Returns out. */
char *tv_clean_text(char *out, size_t size, const char *text);

/* Natural order of two texts: runs of digits compare as numbers (CPU2 < CPU10), the rest by bytes.
 * Total: texts that differ never compare equal. Returns <0, 0, >0. */
int tv_natural_order(const char *a, const char *b);

/* Whether the whole of s matches a pattern, in any case: * any characters, ? one, [0-3x] one of
 * these. Cost: linear in most cases, max O(length of s * length of pattern). */
bool tv_glob(const char *pattern, const char *s);
/* The same of the pattern pattern[0..n). */
bool tv_glob_part(const char *pattern, size_t n, const char *s);
/* Whether the whole of s matches one of the patterns, of any length, which have commas between them. */
bool tv_glob_list(const char *list, const char *s);

/* What follows the last slash of a path. */
const char *tv_base_name(const char *path);
/* Whether something precedes such an ending. */
bool tv_ends_in(const char *s, const char *ending);
/* Whether a text is one of n. */
bool tv_is_any(const char *s, const char *const *list, size_t n);

/* The first word of a list with commas, of *n bytes, and *list behind it; NULL at the end of the list. A
 * comma at the end begins no word. */
const char *tv_list_word(const char **list, size_t *n);

/* A word of a command line, quoted for a POSIX shell where it must be. Free with tv_free. */
char *tv_shell_word(const char *text);

#endif
