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

/* Bits for the bytes of s[0..64), of which `n` belong to the line. */
static void classify(struct window *w, const char *s, size_t n)
{
	uint64_t blank = 0, quote = 0, comment = 0, beyond = n >= WINDOW ? 0 : ~(uint64_t)0 << n;

#ifdef __SSE2__
	/* tv_input_line has TV_LINE_SPARE bytes behind a line. Blanks other than ' ' are 9 to 13. */
	for (size_t i = 0; i < WINDOW && i < n; i += 16) {
		__m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(s + i));
		__m128i from9 = _mm_sub_epi8(bytes, _mm_set1_epi8(9));
		__m128i low = _mm_cmpeq_epi8(_mm_min_epu8(from9, _mm_set1_epi8(4)), from9);
		__m128i blanks = _mm_or_si128(low, _mm_cmpeq_epi8(bytes, _mm_set1_epi8(' ')));
		__m128i quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
		__m128i comments = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('#'));

		blank |= (uint64_t)(unsigned)_mm_movemask_epi8(blanks) << i;
		quote |= (uint64_t)(unsigned)_mm_movemask_epi8(quotes) << i;
		comment |= (uint64_t)(unsigned)_mm_movemask_epi8(comments) << i;
	}
#else
	for (size_t i = 0; i < WINDOW && i < n; i++) {
		blank |= (uint64_t)tv_paje_blank(s[i]) << i;
		quote |= (uint64_t)(s[i] == '"') << i;
		comment |= (uint64_t)(s[i] == '#') << i;
	}
#endif
	w->text = ~blank | beyond;
	w->ends = blank | comment | beyond;
	w->quote = quote | beyond;
}

/* The first byte from `at` <= n on whose bit is set in *bits, a member of *w; n if there is none.
 * one: the whole line is in the window. */
static inline __attribute__((always_inline)) size_t next(struct window *w, const uint64_t *bits,
							 size_t at, bool one)
{
	for (;; at = w->base + WINDOW) {
		uint64_t rest;

		if (!one && at - w->base >= WINDOW) {
			w->base = at;
			classify(w, w->s + at, w->n - at);
		}
		rest = *bits >> (at - w->base);
		if (one || rest != 0)
			return at + (size_t)__builtin_ctzll(rest);
	}
}

static inline __attribute__((always_inline)) size_t split(struct tv_paje_field *field,
							  struct window w, bool one, bool *open)
{
	size_t at = 0, count = 0;

	for (;; count++) {
		size_t begin = next(&w, &w.text, at, one);
		char first = w.s[begin];

		if (begin == w.n || first == '#')
			return count;
		if (first == '"') {
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

size_t tv_paje_split(struct tv_paje *paje, const char *s, size_t n, bool *open)
{
	struct window w = { .s = s, .n = n };
	size_t count;

	*open = false;
	classify(&w, s, n);
	if (n < WINDOW)
		count = split(paje->field, w, true, open);
	else
		count = split(paje->field, w, false, open);
	paje->nfields = count < TV_PAJE_KEPT ? count : TV_PAJE_KEPT;
	return count - paje->nfields;
}
