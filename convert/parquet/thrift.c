/* SPDX-License-Identifier: GPL-3.0-or-later */
/* thrift.c -- fields, numbers, texts and lists of the compact protocol. */
#include "convert/parquet/thrift.h"

enum { DEPTH_MAX = 16 };

static void fail(struct tv_thrift *t, bool short_of)
{
	t->short_of = t->bad ? t->short_of : short_of;
	t->bad = true;
	t->at = t->end;
}

static unsigned next_byte(struct tv_thrift *t)
{
	if (t->at < t->end)
		return *t->at++;
	fail(t, true);
	return 0;
}

uint64_t tv_thrift_varint(struct tv_thrift *t)
{
	uint64_t value = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		unsigned byte = next_byte(t);

		value |= (uint64_t)(byte & 127) << shift;
		if (byte < 128)
			return t->bad ? 0 : value;
	}
	fail(t, false);
	return 0;
}

int64_t tv_thrift_zigzag(struct tv_thrift *t)
{
	uint64_t value = tv_thrift_varint(t);

	return (int64_t)(value >> 1 ^ (~(value & 1) + 1));
}

bool tv_thrift_next(struct tv_thrift *t, struct tv_thrift_field *field)
{
	unsigned head = next_byte(t);

	if (t->bad || head == 0)
		return false;
	field->type = head & 15;
	field->id = head >> 4 != 0 ? field->id + (head >> 4) : tv_thrift_zigzag(t);
	if (field->id < 0 || field->id > INT16_MAX)
		fail(t, false);
	return !t->bad;
}

int64_t tv_thrift_int(struct tv_thrift *t, int type)
{
	switch (type) {
	case TV_THRIFT_TRUE:
	case TV_THRIFT_FALSE:
		return type == TV_THRIFT_TRUE;
	case TV_THRIFT_BYTE:
		return (int8_t)next_byte(t);
	case TV_THRIFT_I16:
	case TV_THRIFT_I32:
	case TV_THRIFT_I64:
		return tv_thrift_zigzag(t);
	default:
		fail(t, false);
		return 0;
	}
}

struct tv_thrift_text tv_thrift_binary(struct tv_thrift *t, int type)
{
	struct tv_thrift_text text = { "", 0 };
	uint64_t n;

	if (type != TV_THRIFT_BINARY)
		fail(t, false);
	n = t->bad ? 0 : tv_thrift_varint(t);
	if (n > (uint64_t)(t->end - t->at)) {
		fail(t, true);
		return text;
	}
	text.s = (const char *)t->at;
	text.n = (size_t)n;
	t->at += n;
	return text;
}

/* The head of a list or set. */
static size_t list_head(struct tv_thrift *t, int *element)
{
	unsigned head = next_byte(t);
	uint64_t n = head >> 4 == 15 ? tv_thrift_varint(t) : head >> 4;

	*element = head & 15;
	if (n > (uint64_t)(t->end - t->at))
		fail(t, true);
	return t->bad ? 0 : (size_t)n;
}

size_t tv_thrift_list(struct tv_thrift *t, int type, enum tv_thrift_type element)
{
	int found = 0;
	size_t n = type == TV_THRIFT_LIST ? list_head(t, &found) : 0;

	if (type != TV_THRIFT_LIST || (n > 0 && found != (int)element))
		fail(t, false);
	return t->bad ? 0 : n;
}

bool tv_thrift_struct(struct tv_thrift *t, int type)
{
	if (type != TV_THRIFT_STRUCT)
		fail(t, false);
	return !t->bad;
}

static void skip(struct tv_thrift *t, int type, int depth);

/* An element of a list, set or map: there a truth value is a byte. */
static void skip_element(struct tv_thrift *t, int type, int depth)
{
	if (type == TV_THRIFT_TRUE || type == TV_THRIFT_FALSE)
		next_byte(t);
	else
		skip(t, type, depth);
}

static void skip_map(struct tv_thrift *t, int depth)
{
	uint64_t n = tv_thrift_varint(t);
	unsigned types = n > 0 ? next_byte(t) : 0;

	if (n > (uint64_t)(t->end - t->at))
		fail(t, true);
	for (uint64_t i = 0; i < n && !t->bad; i++) {
		skip_element(t, (int)(types >> 4), depth);
		skip_element(t, (int)(types & 15), depth);
	}
}

static void skip(struct tv_thrift *t, int type, int depth)
{
	struct tv_thrift_field field = { 0 };
	int element;
	size_t n;

	if (depth > DEPTH_MAX)
		fail(t, false);
	if (t->bad)
		return;
	switch (type) {
	case TV_THRIFT_DOUBLE:
		for (int i = 0; i < 8; i++)
			next_byte(t);
		break;
	case TV_THRIFT_BINARY:
		tv_thrift_binary(t, type);
		break;
	case TV_THRIFT_LIST:
	case TV_THRIFT_SET:
		n = list_head(t, &element);
		for (size_t i = 0; i < n && !t->bad; i++)
			skip_element(t, element, depth + 1);
		break;
	case TV_THRIFT_MAP:
		skip_map(t, depth + 1);
		break;
	case TV_THRIFT_STRUCT:
		while (tv_thrift_next(t, &field))
			skip(t, field.type, depth + 1);
		break;
	default:
		tv_thrift_int(t, type);
	}
}

void tv_thrift_skip(struct tv_thrift *t, int type)
{
	skip(t, type, 0);
}
