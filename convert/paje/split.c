/* SPDX-License-Identifier: GPL-3.0-or-later */
/* split.c -- lines of Pajé into fields. */
#include "convert/paje/paje.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { WINDOW = 64 };

/* What 64 bytes of a line are, from `base` on: a bit per byte, the first one lowest. Behind the line
 * all are set. */
struct window {
	const char *s;
	size_t n, base;
	uint64_t text; /* begins a field: no blank */
	uint64_t ends; /* ends a word: a blank or # */
	uint64_t quote;
};

struct classes {
	uint64_t blank, quote, single, comment;
};

#ifdef __SSE2__
/* Of the bytes s[at..at + 16). */
static inline __attribute__((always_inline)) void classify16(struct classes *c, const char *s,
							     unsigned at)
{
	__m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(s + at));
	__m128i from9 = _mm_sub_epi8(bytes, _mm_set1_epi8(9)); /* other blanks are 9 to 13 */
	__m128i low = _mm_cmpeq_epi8(_mm_min_epu8(from9, _mm_set1_epi8(4)), from9);
	__m128i blanks = _mm_or_si128(low, _mm_cmpeq_epi8(bytes, _mm_set1_epi8(' ')));
	__m128i quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
	__m128i singles = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\''));
	__m128i comments = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('#'));

	c->blank |= (uint64_t)(unsigned)_mm_movemask_epi8(blanks) << at;
	c->quote |= (uint64_t)(unsigned)_mm_movemask_epi8(quotes) << at;
	c->single |= (uint64_t)(unsigned)_mm_movemask_epi8(singles) << at;
	c->comment |= (uint64_t)(unsigned)_mm_movemask_epi8(comments) << at;
}
#endif

/* Bits for the bytes of s[0..64), of which `n` belong to the line. All are looked at: there are
 * TV_LINE_SPARE behind a line, and a loop whose end differs from line to line costs more. */
static inline __attribute__((always_inline)) struct classes classify(const char *s, size_t n)
{
	struct classes c = { 0 };

#ifdef __SSE2__
	(void)n;
	classify16(&c, s, 0);
	classify16(&c, s, 16);
	classify16(&c, s, 32);
	classify16(&c, s, 48);
#else
	for (size_t i = 0; i < WINDOW && i < n; i++) {
		c.blank |= (uint64_t)tv_paje_blank(s[i]) << i;
		c.quote |= (uint64_t)(s[i] == '"') << i;
		c.single |= (uint64_t)(s[i] == '\'') << i;
		c.comment |= (uint64_t)(s[i] == '#') << i;
	}
#endif
	return c;
}

static inline uint64_t beyond(size_t n)
{
	return n >= WINDOW ? 0 : ~(uint64_t)0 << n;
}

static void set_window(struct window *w, const struct classes *c, size_t n)
{
	w->text = ~c->blank | beyond(n);
	w->ends = c->blank | c->comment | beyond(n);
	w->quote = c->quote | beyond(n);
}

/* The first byte from `at` <= n on whose bit is set in *bits, a member of *w; n if there is none.
 * one: the whole line is in the window. */
static inline __attribute__((always_inline)) size_t next(struct window *w, const uint64_t *bits,
							 size_t at, bool one)
{
	for (;; at = w->base + WINDOW) {
		uint64_t rest;

		if (!one && at - w->base >= WINDOW) {
			struct classes c = classify(w->s + at, w->n - at);

			w->base = at;
			set_window(w, &c, w->n - at);
		}
		rest = *bits >> (at - w->base);
		if (one || rest != 0)
			return at + (size_t)__builtin_ctzll(rest);
	}
}

/* Where a text that begins with the single quote s[begin] ends: at one before a blank or the end. 0: it
 * is part of a word. */
static size_t single_end(const char *s, size_t n, size_t begin)
{
	for (size_t i = begin + 1; i < n; i++)
		if (s[i] == '\'' && (i + 1 == n || tv_paje_blank(s[i + 1]) || s[i + 1] == '#'))
			return i;
	return 0;
}

static inline __attribute__((always_inline)) size_t split(struct tv_paje_field *field,
							  struct window w, bool one, bool *open)
{
	size_t at = 0, count = 0;
	bool singles = true; /* single quotes may end behind `at` */

	for (;; count++) {
		size_t begin = next(&w, &w.text, at, one);
		char first = w.s[begin];
		size_t stop = 0;

		if (begin == w.n || first == '#')
			return count;
		if (first == '\'' && singles) {
			stop = single_end(w.s, w.n, begin);
			singles = stop > 0;
		}
		if (stop > 0) {
			*field = (struct tv_paje_field){ w.s + begin + 1, stop - begin - 1 };
			at = stop + 1;
		} else if (first == '"') {
			at = next(&w, &w.quote, ++begin, one);
			*open = at == w.n;
			*field = (struct tv_paje_field){ w.s + begin, at - begin };
			at += at < w.n;
		} else {
			at = next(&w, &w.ends, begin + 1, one);
			*field = (struct tv_paje_field){ w.s + begin, at - begin };
		}
		field += count < TV_PAJE_KEPT;
	}
}

/* The words of a line of less than 64 bytes without quotes and comments; text: a bit for each byte of
 * a word. Their number. */
static inline size_t split_words(struct tv_paje_field *field, const char *s, uint64_t text)
{
	uint64_t edges = text ^ text << 1;
	size_t count = 0;

	for (; edges != 0; count++) {
		unsigned begin = (unsigned)__builtin_ctzll(edges);

		edges &= edges - 1;
		field[count] = (struct tv_paje_field){ s + begin,
						       (unsigned)__builtin_ctzll(edges) - begin };
		edges &= edges - 1;
	}
	return count;
}

size_t tv_paje_split(struct tv_paje *paje, const char *s, size_t n, bool *open)
{
	struct window w = { .s = s, .n = n };
	struct classes c = classify(s, n);
	size_t count;

	*open = false;
	if (n < WINDOW && ((c.quote | c.single | c.comment) & ~beyond(n)) == 0) {
		paje->nfields = split_words(paje->field, s, ~(c.blank | beyond(n)));
		return 0;
	}
	set_window(&w, &c, n);
	if (n < WINDOW)
		count = split(paje->field, w, true, open);
	else
		count = split(paje->field, w, false, open);
	paje->nfields = count < TV_PAJE_KEPT ? count : TV_PAJE_KEPT;
	return count - paje->nfields;
}
