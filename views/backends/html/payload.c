/* SPDX-License-Identifier: GPL-3.0-or-later */
/* payload.c -- encodes columns. */
#include "views/backends/html/payload.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "trace/alloc.h"
#include "trace/map.h"
#include "trace/sorted.h"
#include "trace/text.h"

/* Planes of one byte are left out of columns of SAME_MIN numbers: of shorter ones, the header that says so is
 * as long. */
enum { SAME_MIN = 1024 };

static const struct {
	const char *name;
	size_t size;
} types[] = {
	[TV_U8] = { "u8", 1 },	 [TV_U16] = { "u16", 2 }, [TV_U32] = { "u32", 4 },
	[TV_I32] = { "i32", 4 }, [TV_I64] = { "i64", 8 }, [TV_F32] = { "f32", 4 },
	[TV_F64] = { "f64", 8 },
};

size_t tv_number_size(enum tv_number_type type)
{
	return types[type].size;
}

/* The bits of the i-th number. */
static uint64_t bits_of(const void *values, size_t size, size_t i)
{
	uint16_t two;
	uint32_t four;
	uint64_t eight;

	switch (size) {
	case 1:
		return ((const unsigned char *)values)[i];
	case 2:
		memcpy(&two, (const char *)values + 2 * i, 2);
		return two;
	case 4:
		memcpy(&four, (const char *)values + 4 * i, 4);
		return four;
	default:
		memcpy(&eight, (const char *)values + 8 * i, 8);
		return eight;
	}
}

/* The sign of a number of `size` bytes into its lowest bit. */
static uint64_t zigzag(uint64_t bits, size_t size)
{
	uint64_t sign = bits >> (8 * size - 1) & 1;

	return bits << 1 ^ (sign != 0 ? UINT64_MAX : 0);
}

void tv_number_encode(enum tv_number_type type, const void *values, size_t n, unsigned steps,
		      unsigned char *out)
{
	size_t size = types[type].size;
	uint64_t before = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t bits = bits_of(values, size, i), code = bits;

		if (steps & TV_DELTA)
			code = bits - before;
		before = bits;
		if (steps & TV_ZIGZAG)
			code = zigzag(code, size);
		for (size_t k = 0; k < size; k++)
			out[steps & TV_SPLIT ? k * n + i : i * size + k] =
				(unsigned char)(code >> (8 * k));
	}
}

/* ---- which form takes fewest bytes ---- */

/* A column on its way into the file. */
struct column {
	enum tv_number_type type;
	size_t n, size;
	const void *values;
	const struct tv_coding *coding;
	uint64_t *last; /* by key: the last value, where there are keys */
	/* The form: */
	const struct tv_stored_order *order; /* in which the rows are; NULL: their own */
	unsigned steps;
	bool like;	  /* minus the last value of the same key */
	const char *rank; /* of an order: the column whose ranks are added, or NULL */
};

static const struct tv_coding no_coding;

static uint64_t *last_of(const struct column *c, uint32_t row)
{
	return &c->last[c->coding->key[row] + 1]; /* TV_NONE: 0 */
}

/* The i-th number in the order of the form, minus that of its key. */
static uint64_t number_at(const struct column *c, size_t i)
{
	size_t row = c->order != NULL ? c->order->row[i] : i;
	uint64_t bits = bits_of(c->values, c->size, row), *last;

	if (!c->like)
		return bits;
	last = last_of(c, (uint32_t)row);
	bits -= *last;
	*last += bits;
	return bits;
}

double tv_byte_bits(const unsigned count[256], unsigned n)
{
	double bits = 0;

	for (int i = 0; i < 256; i++)
		if (count[i] > 0)
			bits += count[i] * log2((double)n / count[i]);
	return bits;
}

enum { BLOCKS = 16, BLOCK = 1024 };

/* Bytes that n bytes take about: as repeats, or each as long as it is frequent. */
static double packed_bytes(const unsigned char *bytes, size_t n)
{
	unsigned char out[BLOCKS * BLOCK + BLOCK];
	unsigned count[256] = { 0 };
	uLongf size = sizeof out;
	double each = 0;

	for (size_t i = 0; i < n; i++)
		count[bytes[i]]++;
	each = tv_byte_bits(count, (unsigned)n) / 8;
	return each > 0 && compress2(out, &size, bytes, n, 1) == Z_OK && (double)size < each
		     ? (double)size
		     : each;
}

/* Bytes that it takes about, by blocks of it. */
static double sample_bytes(const struct column *c)
{
	unsigned char *byte = tv_alloc(c->size, BLOCKS * BLOCK);
	size_t step = c->n / BLOCKS > BLOCK ? c->n / BLOCKS : BLOCK, seen = 0;
	double bytes = 0;

	for (size_t from = 0; from < c->n && seen < BLOCKS * BLOCK; from += step)
		for (size_t i = from; i < c->n && i < from + BLOCK; i++, seen++) {
			uint64_t code = number_at(c, i);

			if (c->steps & TV_DELTA && i > 0)
				code -= number_at(c, i - 1);
			if (c->steps & TV_ZIGZAG)
				code = zigzag(code, c->size);
			for (size_t k = 0; k < c->size; k++)
				byte[k * BLOCKS * BLOCK + seen] = (unsigned char)(code >> (8 * k));
		}
	for (size_t k = 0; k < c->size; k++)
		bytes += packed_bytes(byte + k * BLOCKS * BLOCK, seen);
	tv_free(byte);
	return bytes / (double)(seen > 0 ? seen : 1) * (double)c->n;
}

/* Chooses the form; its size in bytes. */
static double choose(struct column *c)
{
	static const unsigned all[] = { 0, TV_ZIGZAG, TV_DELTA, TV_DELTA | TV_ZIGZAG };
	const struct tv_coding *coding = c->coding;
	size_t norders = coding->rows ? 0 : coding->norders;
	struct column best = *c, form = *c;
	double least = 0;

	for (size_t o = coding->first ? 1 : 0; o <= norders; o++) {
		form.order = o == 0 ? NULL : &coding->order[o - 1];
		if (o > 0 && form.order->n != c->n)
			continue;
		for (size_t s = 0; s <= TV_COUNT(all); s++) {
			double bytes;

			form.like = s == TV_COUNT(all);
			if (form.like && coding->key == NULL)
				break;
			form.steps = form.like ? TV_ZIGZAG : all[s];
			bytes = sample_bytes(&form);
			/* Where it does not matter, the plainest. */
			if (least == 0 || bytes < 0.98 * least - 8) {
				best = form;
				least = bytes + 1e-9;
			}
		}
		if (coding->first)
			break;
	}
	*c = best;
	return least;
}

/* Chooses it with room for the last values by key. */
static double choose_with_keys(struct column *c)
{
	const uint32_t *key = c->coding->key;
	uint32_t max = 0;
	double bytes;

	for (size_t i = 0; key != NULL && i < c->n; i++)
		max = key[i] + 1 > max ? key[i] + 1 : max;
	c->size = types[c->type].size;
	c->last = key == NULL ? NULL : tv_alloc((size_t)max + 1, sizeof *c->last);
	bytes = choose(c);
	if (key != NULL)
		memset(c->last, 0, ((size_t)max + 1) * sizeof *c->last);
	return bytes;
}

/* Adds the numbers; same[k]: the byte that their k-th bytes all are and that is left out, or -1.
 * Returns how many planes of bytes there are. */
static size_t add_planes(struct tv_payload *payload, const struct column *c, unsigned steps,
			 const void *values, int same[8])
{
	size_t n = c->n,
	       end = (n * c->size + TV_PAYLOAD_ALIGN - 1) / TV_PAYLOAD_ALIGN * TV_PAYLOAD_ALIGN,
	       kept = 0;
	unsigned char *plane;

	TV_GROW(payload->byte, payload->n, payload->cap, end);
	plane = payload->byte + payload->n;
	tv_number_encode(c->type, values, n, steps, plane);
	TV_GROW(payload->part, payload->nparts, payload->parts_cap, c->size);
	for (size_t k = 0; k < c->size; k++) {
		const unsigned char *from = plane + k * n;
		bool one = n >= SAME_MIN && memcmp(from, from + 1, n - 1) == 0;

		same[k] = one ? from[0] : -1;
		if (one)
			continue;
		memmove(plane + kept++ * n, from, n);
		payload->part[payload->nparts++] = payload->n + kept * n;
	}
	end = (kept * n + TV_PAYLOAD_ALIGN - 1) / TV_PAYLOAD_ALIGN * TV_PAYLOAD_ALIGN;
	memset(plane + kept * n, 0, end - kept * n);
	if (kept > 0)
		payload->part[payload->nparts - 1] = payload->n + end;
	payload->n += end;
	return kept;
}

static void add_form(struct tv_payload *payload, const struct column *c)
{
	static const char *const step[] = { "delta", "zigzag", "split" };
	size_t offset = payload->n, kept = 0;
	unsigned steps = c->steps | (c->size > 1 ? TV_SPLIT : 0);
	struct tv_json *json = &payload->columns;
	const void *values = c->values;
	unsigned char *made = NULL;
	int same[8];

	if (c->order != NULL || c->like) {
		values = made = tv_alloc(c->n, c->size);
		for (size_t i = 0; i < c->n; i++) {
			uint64_t number = number_at(c, i);

			memcpy(made + i * c->size, &number, c->size);
		}
	}
	if (c->n > 0)
		kept = add_planes(payload, c, steps, values, same);
	tv_free(made);
	tv_json_open(json, "encoding", '[');
	for (unsigned i = 0; i < TV_COUNT(step); i++)
		if (steps & 1u << i)
			tv_json_text(json, NULL, step[i]);
	tv_json_close(json, ']');
	if (c->like) {
		tv_json_text(json, "like", c->coding->like);
		if (c->coding->like_at != NULL)
			tv_json_text(json, "likeAt", c->coding->like_at);
	}
	if (c->order != NULL)
		tv_json_text(json, "order", c->order->name);
	if (c->rank != NULL)
		tv_json_text(json, "rank", c->rank);
	if (c->n > 0 && kept < c->size) {
		tv_json_open(json, "same", '[');
		for (size_t k = 0; k < c->size; k++)
			tv_json_int(json, NULL, same[k]);
		tv_json_close(json, ']');
	}
	tv_json_int(json, "offset", (int64_t)offset);
	tv_json_int(json, "bytes", (int64_t)(kept * c->n));
	tv_json_int(json, "n", (int64_t)c->n);
}

/* of: the column whose values the numbers count, or NULL; type: that of the values then. */
static void add_column(struct tv_payload *payload, const char *name, struct column *c,
		       enum tv_number_type type, const char *of)
{
	struct tv_json *json = &payload->columns;

	choose_with_keys(c);
	tv_json_open(json, name, '{');
	tv_json_text(json, "type", types[type].name);
	if (of != NULL)
		tv_json_text(json, "of", of);
	add_form(payload, c);
	if (c->coding->nplus > 0)
		tv_json_open(json, "plus", '[');
	for (size_t i = 0; i < c->coding->nplus; i++) {
		const struct tv_plus *plus = &c->coding->plus[i];

		tv_json_open(json, NULL, '{');
		tv_json_text(json, "name", plus->name);
		if (plus->at != NULL)
			tv_json_text(json, "at", plus->at);
		if (plus->minus)
			tv_json_bool(json, "minus", true);
		if (plus->scale > 0)
			tv_json_double(json, "scale", plus->scale);
		tv_json_close(json, '}');
	}
	if (c->coding->nplus > 0)
		tv_json_close(json, ']');
	tv_json_close(json, '}');
	tv_free(c->last);
}

/* One of the different numbers of a column. */
struct valued {
	int64_t value;
	uint64_t number;
};

/* Different numbers of a column, ascending, and in number[] which of them each one is; NULL if too
 * many are different. */
static int64_t *find_values(const struct column *c, uint32_t *number, size_t *n)
{
	size_t share = c->type == TV_F64 ? 2 : 16, cap = 0;
	struct valued *at = NULL;
	struct tv_map map = { 0 };
	int64_t *value = NULL;
	uint32_t *place;
	bool few = true;

	*n = 0;
	for (size_t i = 0; few && i < c->n; i++) {
		uint64_t bits = bits_of(c->values, 8, i);
		uint32_t *known = tv_map_at(&map, bits, 0);

		if (*known == TV_NONE) {
			*known = (uint32_t)*n;
			TV_GROW(at, *n, cap, 1);
			at[(*n)++] = (struct valued){ (int64_t)bits, *known };
		}
		number[i] = *known;
		few = *n <= 64 + i / share;
	}
	tv_map_release(&map);
	if (few && *n <= c->n / share && *n > 0) {
		tv_sort_by_time(at, *n, sizeof *at, offsetof(struct valued, value), NULL);
		/* Whole numbers without gaps are their own numbers. */
		if (c->type == TV_F64
		    || (uint64_t)at[*n - 1].value - (uint64_t)at[0].value > 4 * (uint64_t)*n) {
			value = tv_alloc(*n, sizeof *value);
			place = tv_alloc(*n, sizeof *place);
			for (size_t k = 0; k < *n; k++) {
				value[k] = at[k].value;
				place[at[k].number] = (uint32_t)k;
			}
			for (size_t i = 0; i < c->n; i++)
				number[i] = place[number[i]];
			tv_free(place);
		}
	}
	tv_free(at);
	return value;
}

static void to_places(const struct tv_stored_order *order, const uint32_t *row, uint32_t *place,
		      size_t n)
{
	for (size_t i = 0; i < n; i++)
		place[i] = row[i] == TV_NONE ? TV_NONE : order->place[row[i]];
}

/* Rows as their places in the order in which they are near to each other. */
static const struct tv_stored_order *choose_places(const struct column *c, uint32_t *place)
{
	const struct tv_stored_order *best = NULL;
	struct column form = *c;
	const uint32_t *row = c->values;
	double least;

	form.coding = &no_coding;
	least = choose(&form);
	for (size_t o = 0; o < c->coding->norders; o++) {
		const struct tv_stored_order *order = &c->coding->order[o];
		double bytes;

		to_places(order, row, place, c->n);
		form = *c;
		form.coding = &no_coding;
		form.values = place;
		bytes = choose(&form);
		if (bytes < 0.98 * least - 8) {
			least = bytes;
			best = order;
		}
	}
	if (best != NULL)
		to_places(best, row, place, c->n);
	return best;
}

void tv_payload_add(struct tv_payload *payload, const char *name, enum tv_number_type type,
		    const void *values, size_t n, const struct tv_coding *coding)
{
	struct column c = { .type = type,
			    .n = n,
			    .size = types[type].size,
			    .values = values,
			    .coding = coding != NULL ? coding : &no_coding };
	bool wide = c.size == 8 && !c.coding->first;
	uint32_t *number = wide || c.coding->rows ? tv_alloc(n, sizeof *number) : NULL;
	const struct tv_stored_order *places = c.coding->rows ? choose_places(&c, number) : NULL;
	int64_t *value = NULL;
	char *of = NULL;
	size_t nvalues = 0;

	if (wide)
		value = find_values(&c, number, &nvalues);
	if (value != NULL) {
		struct column of_values = {
			.type = TV_I64, .n = nvalues, .values = value, .coding = &no_coding
		};

		of = tv_format("%s.values", name);
		add_column(payload, of, &of_values, TV_I64, NULL);
	} else if (places != NULL) {
		of = tv_format("%s", places->name);
	}
	if (of != NULL) {
		c.type = TV_U32;
		c.values = number;
	}
	add_column(payload, name, &c, type, of);
	tv_free(of);
	tv_free(value);
	tv_free(number);
}

double tv_payload_cost(const int64_t *values, size_t n, const struct tv_coding *coding)
{
	struct column c = { .type = TV_I64, .n = n, .values = values, .coding = coding };
	uint32_t *number = tv_alloc(n, sizeof *number);
	struct column c32 = { .type = TV_U32, .n = n, .values = number, .coding = coding };
	size_t nvalues;
	int64_t *value;
	double bytes;

	c.size = types[c.type].size;
	value = find_values(&c, number, &nvalues);
	bytes = choose_with_keys(value != NULL ? &c32 : &c);
	tv_free(c.last);
	tv_free(c32.last);
	tv_free(value);
	tv_free(number);
	return bytes;
}

void tv_payload_add_order(struct tv_payload *payload, const struct tv_stored_order *order,
			  const char *of, const int64_t *value)
{
	struct tv_json *json = &payload->columns;
	struct column c = { .type = TV_U32, .n = order->n, .coding = &no_coding };
	uint32_t *place, *late;
	int64_t *at;

	if (value == NULL) {
		tv_json_open(json, order->name, '{');
		tv_json_text(json, "type", "u32");
		tv_json_text(json, "sort", of);
		tv_json_close(json, '}');
		return;
	}
	place = tv_alloc(order->n, sizeof *place);
	late = tv_alloc(order->n, sizeof *late);
	at = tv_alloc(order->n, sizeof *at);
	for (size_t i = 0; i < order->n; i++) {
		place[i] = (uint32_t)i;
		at[i] = value[order->row[i]];
	}
	tv_sort_rows_by_time(place, order->n, at);
	for (size_t k = 0; k < order->n; k++)
		late[place[k]] = order->row[place[k]] - (uint32_t)k;
	c.values = late;
	/* A column is stored in this order, so it names the order and the order names it. */
	c.rank = of;
	add_column(payload, order->name, &c, TV_U32, NULL);
	tv_free(place);
	tv_free(late);
	tv_free(at);
}

void tv_payload_release(struct tv_payload *payload)
{
	tv_json_release(&payload->columns);
	tv_free(payload->byte);
	tv_free(payload->part);
	*payload = (struct tv_payload){ 0 };
}
