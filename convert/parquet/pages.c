/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pages.c -- pages of columns. */
#include "convert/parquet/pages.h"

#include <errno.h>
#include <unistd.h>
#include <zlib.h>

#include "convert/parquet/thrift.h"
#include "trace/alloc.h"
#include "trace/digits.h"

enum {
	PAGE_MAX = 1 << 30,
	HEADER_MIN = 512,
	HEADER_MAX = 16 << 20,
	/* A page that is larger must not be more than 1000 times as large as its bytes. */
	LARGE_PAGE = 64 << 20,
	LARGE_RATIO = 1000
};

enum page_type { DATA_PAGE, INDEX_PAGE, DICTIONARY_PAGE, DATA_PAGE_V2 };

struct page {
	int64_t type, raw, size, crc;
	int64_t values, encoding, levels_encoding[2];
	int64_t levels_size[2]; /* of v2: of repetition, of definition */
	bool checked, compressed;
};

int tv_parquet_fail(const struct tv_parquet *p, const struct tv_parquet_cursor *c, const char *what)
{
	return tv_fail_at(p->err, (struct tv_pos){ p->in->path, p->row },
			  "a damaged Parquet file: column %s: %s", c->column->name, what);
}

int tv_parquet_read_at(const struct tv_parquet *p, int64_t at, unsigned char *to, size_t n)
{
	while (n > 0) {
		ssize_t got = pread(p->in->fd, to, n, at);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return tv_fail_at(p->err, (struct tv_pos){ p->in->path, 0 },
					  "cannot read: %s",
					  got < 0 ? strerror(errno) : "the file became shorter");
		to += got;
		at += got;
		n -= (size_t)got;
	}
	return 0;
}

/* ---- pages ---- */

/* The header of a data page, of both versions, or of a dictionary. */
static void parse_values(struct tv_thrift *t, int64_t of, struct page *page)
{
	struct tv_thrift_field field = { 0 };
	bool second = of == 8;

	while (tv_thrift_next(t, &field)) {
		if (field.id == 1)
			page->values = tv_thrift_int(t, field.type);
		else if (field.id == (second ? 4 : 2))
			page->encoding = tv_thrift_int(t, field.type);
		else if (second && field.id == 5)
			page->levels_size[DEFINITION] = tv_thrift_int(t, field.type);
		else if (second && field.id == 6)
			page->levels_size[REPETITION] = tv_thrift_int(t, field.type);
		else if (second && field.id == 7)
			page->compressed = tv_thrift_int(t, field.type) != 0;
		else if (of == 5 && field.id == 3)
			page->levels_encoding[DEFINITION] = tv_thrift_int(t, field.type);
		else if (of == 5 && field.id == 4)
			page->levels_encoding[REPETITION] = tv_thrift_int(t, field.type);
		else
			tv_thrift_skip(t, field.type);
	}
}

static void parse_page(struct tv_thrift *t, struct page *page)
{
	struct tv_thrift_field field = { 0 };

	*page = (struct page){ .type = -1,
			       .values = -1,
			       .encoding = -1,
			       .levels_encoding = { TV_PARQUET_RLE, TV_PARQUET_RLE },
			       .compressed = true };
	while (tv_thrift_next(t, &field))
		switch (field.id) {
		case 1:
			page->type = tv_thrift_int(t, field.type);
			break;
		case 2:
			page->raw = tv_thrift_int(t, field.type);
			break;
		case 3:
			page->size = tv_thrift_int(t, field.type);
			break;
		case 4:
			page->crc = tv_thrift_int(t, field.type);
			page->checked = true;
			break;
		case 5:
		case 7:
		case 8:
			if (tv_thrift_struct(t, field.type))
				parse_values(t, field.id, page);
			break;
		default:
			tv_thrift_skip(t, field.type);
		}
}

/* Reads the header of the next page of a chunk, of a length that is not known, and its bytes to p->packed. */
static int read_page(struct tv_parquet *p, struct tv_parquet_cursor *c, struct page *page)
{
	int64_t end = c->chunk.begin + c->chunk.size;
	struct tv_thrift t = { .bad = true, .short_of = true };

	for (int64_t want = HEADER_MIN; t.bad; want *= 32) {
		int64_t n = want < end - c->at ? want : end - c->at;

		TV_GROW(p->packed, 0, p->packed_cap, (size_t)n + 1);
		if (tv_parquet_read_at(p, c->at, p->packed, (size_t)n) < 0)
			return -1;
		t = (struct tv_thrift){ .at = p->packed, .end = p->packed + n };
		parse_page(&t, page);
		if (t.bad && (!t.short_of || n < want || want > HEADER_MAX))
			return tv_parquet_fail(
				p, c,
				n == 0 ? "there are fewer values than the footer says"
				       : "the head of a page makes no sense");
	}
	c->at += t.at - p->packed;
	if (page->size < 0 || page->size > end - c->at || page->raw < 0 || page->raw > PAGE_MAX)
		return tv_parquet_fail(p, c, "a page has no such length");
	if (page->raw > LARGE_PAGE && page->raw / LARGE_RATIO > page->size)
		return tv_parquet_fail(p, c,
				       "a page that claims to be more than 1000 times its bytes");
	TV_GROW(p->packed, 0, p->packed_cap, (size_t)page->size);
	if (tv_parquet_read_at(p, c->at, p->packed, (size_t)page->size) < 0)
		return -1;
	c->at += page->size;
	if (page->checked && (uint32_t)crc32(0, p->packed, (uInt)page->size) != (uint32_t)page->crc)
		return tv_parquet_fail(p, c, "the checksum of a page is not that of its bytes");
	return 0;
}

/* The bytes of a page without compression to *to, `levels` of them before are not compressed. */
static int unpack(struct tv_parquet *p, struct tv_parquet_cursor *c, const struct page *page,
		  size_t levels, unsigned char **to, size_t *cap)
{
	int64_t codec = page->compressed ? c->chunk.codec : TV_CODEC_NONE;
	size_t n = (size_t)page->raw, size = (size_t)page->size;

	if (levels > n || levels > size)
		return tv_parquet_fail(p, c, "a page has no such length");
	tv_grow(to, 0, cap, n + 1, 1); /* also one without bytes is somewhere */
	memcpy(*to, p->packed, levels);
	return n == levels
			    || tv_parquet_unpack(codec, p->packed + levels, size - levels,
						 *to + levels, n - levels)
		     ? 0
		     : tv_parquet_fail(p, c, "compressed bytes of a page are damaged");
}

static struct tv_parquet_decoder decoder_of(const struct tv_parquet_cursor *c, int64_t encoding,
					    const unsigned char *at, const unsigned char *end)
{
	static const size_t width[TV_PARQUET_NTYPES] = {
		[TV_PARQUET_INT32] = 4, [TV_PARQUET_INT64] = 8,	 [TV_PARQUET_INT96] = 12,
		[TV_PARQUET_FLOAT] = 4, [TV_PARQUET_DOUBLE] = 8,
	};
	enum tv_parquet_type type = c->column->type;

	return (struct tv_parquet_decoder){ .encoding = (enum tv_parquet_encoding)encoding,
					    .type = type,
					    .width = type == TV_PARQUET_FIXED ? c->column->length
									      : width[type],
					    .at = at,
					    .end = end };
}

static int load_dictionary(struct tv_parquet *p, struct tv_parquet_cursor *c,
			   const struct page *page)
{
	struct tv_parquet_decoder d;
	size_t min;

	if (c->has_dictionary || c->has_data)
		return tv_parquet_fail(p, c, "a dictionary that is not the first page");
	if (unpack(p, c, page, 0, &c->dictionary_page, &c->dictionary_cap) < 0)
		return -1;
	d = decoder_of(c, TV_PARQUET_PLAIN, c->dictionary_page, c->dictionary_page + page->raw);
	min = c->column->type == TV_PARQUET_BYTE_ARRAY ? 4 : d.width;
	if ((page->encoding != TV_PARQUET_PLAIN && page->encoding != TV_PARQUET_PLAIN_DICTIONARY)
	    || min == 0 || page->values < 0 || page->values > page->raw / (int64_t)min)
		return tv_parquet_fail(p, c, "a dictionary that makes no sense");
	TV_GROW(c->dictionary, 0, c->dictionary_values_cap, (size_t)page->values + 1);
	c->ndictionary = (size_t)page->values;
	for (size_t i = 0; i < c->ndictionary; i++)
		if (!tv_parquet_decode(&d, &c->dictionary[i]))
			return tv_parquet_fail(p, c, "a dictionary that ends early");
	c->has_dictionary = true;
	c->has_texts = false;
	return 0;
}

/* The levels of a page, from *at on: of version 1 with their length before them. */
static bool find_levels(struct tv_parquet_cursor *c, const struct page *page,
			const unsigned char **at, const unsigned char *end)
{
	const unsigned max[2] = { c->column->repeated, c->column->present };

	for (int i = REPETITION; i <= DEFINITION; i++) {
		uint64_t n = (uint64_t)page->levels_size[i];

		if (page->type == DATA_PAGE && max[i] > 0) {
			if (end - *at < 4)
				return false;
			n = tv_load4((const char *)*at);
			*at += 4;
		}
		if (n > (uint64_t)(end - *at))
			return false;
		c->level[i] = tv_hybrid_init(*at, *at + n, tv_parquet_bits(max[i]));
		*at += n;
	}
	return true;
}

static int fail_encoding(const struct tv_parquet *p, const struct tv_parquet_cursor *c,
			 int64_t encoding)
{
	return tv_fail_at(p->err, (struct tv_pos){ p->in->path, 0 },
			  "column %s has the encoding %s (%lld), which is not read: write the file "
			  "again with PLAIN, RLE_DICTIONARY or DELTA encodings",
			  c->column->name, tv_parquet_encoding_name(encoding), (long long)encoding);
}

static int load_data(struct tv_parquet *p, struct tv_parquet_cursor *c, const struct page *page)
{
	const unsigned char *at, *end;
	const char *wrong;
	int64_t levels = page->levels_size[0] + page->levels_size[1];

	if (page->values < 0 || page->values > c->left)
		return tv_parquet_fail(p, c, "a page has more values than the footer says");
	if (page->levels_size[0] < 0 || page->levels_size[1] < 0 || levels > page->raw)
		return tv_parquet_fail(p, c, "a page has no such length");
	for (int i = REPETITION; i <= DEFINITION; i++)
		if (page->levels_encoding[i] != TV_PARQUET_RLE
		    && (i == REPETITION ? c->column->repeated : c->column->present) > 0)
			return fail_encoding(p, c, page->levels_encoding[i]);
	if (unpack(p, c, page, (size_t)levels, &c->page, &c->page_cap) < 0)
		return -1;
	at = c->page;
	end = at + page->raw;
	if (!find_levels(c, page, &at, end))
		return tv_parquet_fail(p, c, "the levels of a page are longer than the page");
	if (page->encoding < TV_PARQUET_PLAIN || page->encoding > TV_PARQUET_BYTE_STREAM_SPLIT
	    || page->encoding == 1 || page->encoding == 4)
		return fail_encoding(p, c, page->encoding);
	c->decoder = decoder_of(c, page->encoding, at, end);
	c->decoder.dictionary = c->has_dictionary ? c->dictionary : NULL;
	c->decoder.ndictionary = c->ndictionary;
	c->decoder.last = &c->last;
	c->decoder.last_n = &c->last_n;
	c->decoder.last_cap = &c->last_cap;
	c->last_n = 0;
	wrong = tv_parquet_decoder_init(&c->decoder, (uint64_t)page->values);
	if (wrong != NULL)
		return tv_parquet_fail(p, c, wrong);
	c->entries = (uint64_t)page->values;
	c->left -= page->values;
	c->has_data = true;
	return 0;
}

int tv_parquet_next_page(struct tv_parquet *p, struct tv_parquet_cursor *c)
{
	while (c->entries == 0) {
		struct page page;
		int rc = 0;

		if (c->has_data && !tv_parquet_decoder_ended(&c->decoder))
			return tv_parquet_fail(p, c, "a page has more values than it says");
		if (c->left == 0)
			return tv_parquet_fail(p, c, "there are fewer values than rows");
		if (read_page(p, c, &page) < 0)
			return -1;
		if (page.type == DICTIONARY_PAGE)
			rc = load_dictionary(p, c, &page);
		else if (page.type == DATA_PAGE || page.type == DATA_PAGE_V2)
			rc = load_data(p, c, &page);
		else if (page.type != INDEX_PAGE)
			rc = tv_parquet_fail(p, c, "a page of an unknown type");
		if (rc < 0)
			return rc;
	}
	return 0;
}

int tv_parquet_distinct(struct tv_parquet *p, struct tv_parquet_cursor *c)
{
	struct page page;

	c->ndictionary = 0;
	while (c->left > 0) {
		if (read_page(p, c, &page) < 0
		    || (page.type == DICTIONARY_PAGE && load_dictionary(p, c, &page) < 0))
			return -1;
		if (page.type != DATA_PAGE && page.type != DATA_PAGE_V2)
			continue;
		c->has_data = true;
		if (!c->has_dictionary || page.values <= 0 || page.values > c->left
		    || (page.encoding != TV_PARQUET_DICTIONARY
			&& page.encoding != TV_PARQUET_PLAIN_DICTIONARY))
			return 0;
		c->left -= page.values;
	}
	return 1;
}
