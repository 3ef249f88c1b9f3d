/* SPDX-License-Identifier: GPL-3.0-or-later */
/* type_places.c -- task types called after a place in the program: the same ones in two runs. */
#include "analysis/compare/type_places.h"

#include <stdlib.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"
#include "trace/text.h"

struct place {
	char *name; /* without the line */
	int64_t line;
	uint32_t label;
};

struct places {
	struct place *at;
	size_t n, cap;
};

TV_ORDER(by_place, struct place, text(name), line)

static const struct tv_column *types_of(const struct tv_trace *trace)
{
	return tv_table_find(&trace->table[TV_TASKS], "Value");
}

/* A type that ends with FILE:LINE; "gemm:512" is no such. */
static void add(struct places *places, const struct tv_pool *pool, uint32_t label)
{
	static const char source[] =
		"c,cc,c++,cpp,cxx,cu,h,hh,hpp,f,for,f77,f90,f95,f03,f08,jl,py,rs";
	size_t n;
	const char *text = tv_pool_string(pool, label, &n), *colon = strrchr(text, ':'), *dot;
	int64_t line;
	char *name;

	if (colon == NULL
	    || tv_parse_int(colon + 1, n - (size_t)(colon + 1 - text), &line) != TV_PARSE_OK)
		return;
	name = tv_strndup(text, (size_t)(colon - text));
	dot = strrchr(name, '.');
	if (dot == NULL || !tv_glob_list(source, dot + 1)) {
		tv_free(name);
		return;
	}
	TV_GROW(places->at, places->n, places->cap, 1);
	places->at[places->n++] = (struct place){ name, line, label };
}

static void list(struct places *places, const struct tv_trace *trace)
{
	const struct tv_column *type = types_of(trace);
	bool *seen = tv_alloc(tv_pool_count(trace->pool), sizeof *seen);

	for (uint32_t row = 0; type != NULL && row < trace->table[TV_TASKS].nrows; row++) {
		uint32_t label = tv_label(type, row);

		if (label == TV_NONE || seen[label])
			continue;
		seen[label] = true;
		add(places, trace->pool, label);
	}
	tv_free(seen);
	if (places->n > 0)
		qsort(places->at, places->n, sizeof *places->at, by_place);
}

/* How many have the name of the i-th, from there on. */
static size_t alike(const struct places *places, size_t i)
{
	size_t end = i + 1;

	while (end < places->n && strcmp(places->at[end].name, places->at[i].name) == 0)
		end++;
	return end - i;
}

/* The labels that types of the second run get, by label: 0 = none. How many. */
static size_t match(const struct places *own, const struct places *base, const struct tv_trace *of,
		    struct tv_trace *trace, uint32_t *name)
{
	size_t n = 0;

	for (size_t i = 0, k = 0, count; i < own->n; i += count) {
		count = alike(own, i);
		while (k < base->n && tv_natural_order(base->at[k].name, own->at[i].name) < 0)
			k++;
		if (k == base->n || strcmp(base->at[k].name, own->at[i].name) != 0
		    || alike(base, k) != count)
			continue;
		for (size_t j = 0; j < count; j++) {
			if (base->at[k + j].line == own->at[i + j].line)
				continue;
			name[own->at[i + j].label] = tv_intern_text(
				trace->pool, tv_pool_text(of->pool, base->at[k + j].label));
			n++;
		}
	}
	return n;
}

static void release(struct places *places)
{
	for (size_t i = 0; i < places->n; i++)
		tv_free(places->at[i].name);
	tv_free(places->at);
}

size_t tv_align_places(const struct tv_trace *base, struct tv_trace *trace)
{
	const struct tv_column *type = types_of(trace);
	struct places own = { 0 }, others = { 0 };
	uint32_t *name = tv_alloc(tv_pool_count(trace->pool), sizeof *name);
	size_t n;

	list(&own, trace);
	list(&others, base);
	n = match(&own, &others, base, trace, name);
	for (uint32_t row = 0; n > 0 && row < trace->table[TV_TASKS].nrows; row++) {
		uint32_t label = tv_label(type, row);

		if (label != TV_NONE && name[label] != 0)
			type->u[row] = name[label];
	}
	release(&own);
	release(&others);
	tv_free(name);
	return n;
}
