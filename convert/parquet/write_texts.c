/* SPDX-License-Identifier: GPL-3.0-or-later */
/* write_texts.c -- columns of texts: with a dictionary where texts are repeated, else all texts. */
#include "convert/parquet/write.h"
#include "trace/alloc.h"
#include "trace/digits.h"

enum {
	STATISTICS_MAX = 64, /* bytes of a text that is a min or max */
	REPEATED = 8,	     /* times that each text of lists is there, to be worth a dictionary */
	TRIED = 8, /* there is none if in that part of many values, 1/8, no text is there twice */
	MANY = 4096
};

static int compare(struct tv_parquet_span a, struct tv_parquet_span b)
{
	int order;

	/* Mostly the first byte decides. */
	if (a.n > 0 && b.n > 0 && a.s[0] != b.s[0])
		return (unsigned char)a.s[0] - (unsigned char)b.s[0];
	order = memcmp(a.s, b.s, a.n < b.n ? a.n : b.n);
	return order != 0 ? order : (a.n > b.n) - (a.n < b.n);
}

static void find_text_statistics(const struct tv_parquet_writing *w,
				 struct tv_parquet_written *chunk)
{
	struct tv_parquet_span min = { NULL, 0 }, max = { NULL, 0 };

	for (size_t i = 0; i < w->ntexts; i++) {
		struct tv_parquet_span text = w->text[i];

		min = min.s == NULL || compare(text, min) < 0 ? text : min;
		max = max.s == NULL || compare(text, max) > 0 ? text : max;
	}
	if (min.s != NULL && min.n <= STATISTICS_MAX && max.n <= STATISTICS_MAX)
		tv_parquet_set_statistics(chunk, min, max);
}

/* ---- dictionaries ---- */

/* Whether a dictionary is still possible behind n values with so many texts. */
static bool is_hopeful(const struct tv_parquet_writing *w, bool list, size_t nfirst, size_t n)
{
	return list ? nfirst * REPEATED <= w->nvalues
		    : nfirst < n || n <= MANY || n <= w->nvalues / TRIED;
}

/* Lists in w->first the labels, each once, and makes of each label its place there, if a dictionary is shorter than all
 * texts, compressed. Else they stay as they are: false. */
static bool number_labels(struct tv_parquet_writing *w, bool list)
{
	const struct tv_pool *pool = w->table->pool;
	size_t plain = 0, dictionary = 0, n = 0, i;
	bool shorter;

	TV_GROW(w->first, 0, w->first_cap, w->nvalues);
	if (w->known == NULL)
		w->known = tv_alloc(tv_pool_count(pool), sizeof *w->known);
	for (i = 0; i < w->nvalues && is_hopeful(w, list, n, i); i++) {
		uint32_t *known = &w->known[w->label[i]];

		if (*known == 0) {
			w->number[n] = (int64_t)tv_pool_length(pool, w->label[i]);
			dictionary += (size_t)w->number[n] + sizeof(uint32_t);
			w->first[n++] = w->label[i];
			*known = (uint32_t)n;
		}
		w->label[i] = *known - 1;
		plain += (size_t)w->number[w->label[i]] + 1;
	}
	shorter = i == w->nvalues && is_hopeful(w, list, n, i) && dictionary < plain;
	for (size_t k = 0; k < i && !shorter; k++)
		w->label[k] = w->first[w->label[k]];
	for (size_t k = 0; k < n; k++)
		w->known[w->first[k]] = 0;
	w->nfirst = n;
	return shorter;
}

/* The texts of labels; behind each TV_POOL_SPARE bytes can be read. */
static void find_texts(struct tv_parquet_writing *w, const uint32_t *label, size_t n)
{
	for (size_t i = 0; i < n; i++)
		w->text[i].s = tv_pool_string(w->table->pool, label[i], &w->text[i].n);
	w->ntexts = n;
}

/* ---- pages ---- */

static bool is_ascii(const char *s, size_t n)
{
	size_t i = 0;

	while (n - i >= 8 && (tv_load8(s + i) & 0x8080808080808080u) == 0)
		i += 8;
	return n - i < 8 && (tv_load_some(s + i, n - i) & 0x8080808080808080u) == 0;
}

static bool is_utf8(const char *s, size_t n)
{
	size_t i = 0;

	if (is_ascii(s, n))
		return true;
	while (i < n) {
		unsigned c = (unsigned char)s[i++];
		unsigned more = c < 0x80 ? 0
			      : c < 0xc2 ? 9
			      : c < 0xe0 ? 1
			      : c < 0xf0 ? 2
			      : c < 0xf5 ? 3
					 : 9;
		unsigned next = i < n ? (unsigned char)s[i] : 0;

		if (more > n - i || (c == 0xe0 && next < 0xa0) || (c == 0xed && next > 0x9f)
		    || (c == 0xf0 && next < 0x90) || (c == 0xf4 && next > 0x8f))
			return false;
		for (; more > 0; more--, i++)
			if (((unsigned char)s[i] & 0xc0) != 0x80)
				return false;
	}
	return true;
}

/* How many bytes two texts have in common. spare: TV_POOL_SPARE bytes behind each can be read. */
static size_t common(struct tv_parquet_span a, struct tv_parquet_span b, bool spare)
{
	size_t n = a.n < b.n ? a.n : b.n, i = 0;
	uint64_t differ = 0;

	for (; i < n && differ == 0; i += differ == 0 ? 8 : (size_t)__builtin_ctzll(differ) / 8)
		differ = spare || n - i >= 8
			       ? tv_load8(a.s + i) ^ tv_load8(b.s + i)
			       : tv_load_some(a.s + i, n - i) ^ tv_load_some(b.s + i, n - i);
	return i < n ? i : n;
}

/* Appends all texts to the page; prefixed: how much of each is as in the one before, and what follows. spare: as for `common`.
 * Whether all are ASCII. */
static bool put_all_texts(struct tv_parquet_writing *w, bool prefixed, bool spare)
{
	size_t total = 0;
	char *begin, *to;

	for (size_t i = 0; i < w->ntexts; i++) {
		w->number[i] = prefixed && i > 0
				     ? (int64_t)common(w->text[i - 1], w->text[i], spare)
				     : 0;
		total += w->text[i].n - (size_t)w->number[i];
	}
	if (prefixed)
		tv_put_delta(&w->page, w->number, w->ntexts);
	for (size_t i = 0; i < w->ntexts; i++)
		w->number[i] = (int64_t)w->text[i].n - w->number[i];
	tv_put_delta(&w->page, w->number, w->ntexts);
	begin = to = tv_output_room(&w->page, total + TV_POOL_SPARE);
	for (size_t i = 0; i < w->ntexts; i++) {
		size_t n = (size_t)w->number[i];
		const char *s = w->text[i].s + (w->text[i].n - n);

		if (spare && n <= TV_POOL_SPARE)
			memcpy(to, s, TV_POOL_SPARE);
		else
			memcpy(to, s, n);
		to += n;
	}
	w->page.n += total;
	return is_ascii(begin, total);
}

static void put_dictionary(struct tv_parquet_writing *w, struct tv_parquet_written *chunk)
{
	w->page.n = 0;
	for (size_t i = 0; i < w->ntexts; i++) {
		tv_put_bytes(&w->page, w->text[i].n, 4);
		tv_output_write(&w->page, w->text[i].s, w->text[i].n);
	}
	chunk->dictionary = w->at;
	tv_parquet_put_page(w, chunk, true, w->ntexts);
}

/* What a column of texts has, with its statistics: a page, with a dictionary before it or not. */
void tv_parquet_put_text_column(struct tv_parquet_writing *w,
				struct tv_parquet_output_column *column,
				struct tv_parquet_written *chunk)
{
	const bool labels = column->of->type != TV_TEXT;
	const bool dictionary = labels && number_labels(w, chunk->list);
	bool ascii = false;

	if (labels)
		find_texts(w, dictionary ? w->first : w->label,
			   dictionary ? w->nfirst : w->nvalues);
	if (!chunk->list)
		find_text_statistics(w, chunk);
	if (dictionary)
		put_dictionary(w, chunk);
	/* Most names of lists were there before as a whole, which compression finds. */
	chunk->encoding = dictionary  ? TV_PARQUET_DICTIONARY
			: chunk->list ? TV_PARQUET_DELTA_LENGTH
				      : TV_PARQUET_DELTA_BYTE_ARRAY;
	chunk->begin = w->at;
	tv_parquet_begin_page(w, chunk->list);
	if (dictionary) {
		const unsigned width = tv_parquet_bits((uint32_t)w->ntexts - 1);

		tv_put_bytes(&w->page, width, 1);
		tv_put_hybrid(&w->page, w->label, w->nvalues, width);
	} else {
		ascii = put_all_texts(w, !chunk->list, labels);
	}
	for (size_t i = 0; !ascii && i < w->ntexts && !column->bytes; i++)
		column->bytes = !is_utf8(w->text[i].s, w->text[i].n);
	tv_parquet_put_page(w, chunk, false, w->nlevels);
}
