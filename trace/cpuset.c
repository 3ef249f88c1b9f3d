/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpuset.c -- sets of processors. */
#include "trace/cpuset.h"

#include <string.h>

#include "trace/alloc.h"
#include "trace/number.h"
#include "trace/sorted.h"

void tv_cpuset_add(struct tv_cpuset *set, uint32_t first, uint32_t last)
{
	size_t begin = set->n, end;

	while (begin > 0 && set->range[begin - 1].last + 1 >= first)
		begin--;
	for (end = begin; end < set->n && set->range[end].first <= last + 1; end++) {
		if (set->range[end].first < first)
			first = set->range[end].first;
		if (set->range[end].last > last)
			last = set->range[end].last;
	}
	if (end == begin) {
		TV_GROW(set->range, set->n, set->cap, 1);
		memmove(set->range + begin + 1, set->range + begin,
			(set->n - begin) * sizeof *set->range);
		set->n++;
	} else {
		memmove(set->range + begin + 1, set->range + end,
			(set->n - end) * sizeof *set->range);
		set->n -= end - begin - 1;
	}
	set->range[begin] = (struct tv_cpu_range){ first, last };
}

void tv_cpuset_add_all(struct tv_cpuset *set, const struct tv_cpuset *other)
{
	for (size_t i = 0; i < other->n; i++)
		tv_cpuset_add(set, other->range[i].first, other->range[i].last);
}

static bool read_cpu(const char *s, size_t n, uint32_t *cpu)
{
	*cpu = 0;
	for (size_t i = 0; i < n; i++) {
		if (s[i] < '0' || s[i] > '9')
			return false;
		*cpu = *cpu * 10 + (uint32_t)(s[i] - '0');
		if (*cpu >= TV_CPUS_MAX)
			return false;
	}
	return n > 0;
}

static bool add_item(struct tv_cpuset *set, const char *s, size_t n)
{
	const char *dash = memchr(s, '-', n);
	size_t length = dash != NULL ? (size_t)(dash - s) : n;
	uint32_t first, last;

	if (!read_cpu(s, length, &first))
		return false;
	last = first;
	if (dash != NULL && (!read_cpu(dash + 1, n - length - 1, &last) || last < first))
		return false;
	tv_cpuset_add(set, first, last);
	return true;
}

int tv_cpuset_parse(struct tv_cpuset *set, const char *s, size_t n)
{
	size_t at = 0;

	*set = (struct tv_cpuset){ 0 };
	while (n > 0) {
		const char *comma = memchr(s + at, ',', n - at);
		size_t end = comma != NULL ? (size_t)(comma - s) : n;

		if (!add_item(set, s + at, end - at)) {
			tv_cpuset_release(set);
			return -1;
		}
		if (comma == NULL)
			break;
		at = end + 1;
	}
	return 0;
}

char *tv_cpuset_text(const struct tv_cpuset *set)
{
	size_t size = set->n * 16 + 1, at = 0;
	char *text = tv_alloc(size, 1);

	for (size_t i = 0; i < set->n; i++) {
		char number[TV_NUMBER_MAX];
		size_t length = tv_write_int(number, set->range[i].first);

		if (i > 0)
			text[at++] = ',';
		memcpy(text + at, number, length);
		at += length;
		if (set->range[i].last == set->range[i].first)
			continue;
		text[at++] = '-';
		length = tv_write_int(number, set->range[i].last);
		memcpy(text + at, number, length);
		at += length;
	}
	text[at] = '\0';
	return text;
}

uint32_t tv_cpuset_count(const struct tv_cpuset *set)
{
	uint32_t n = 0;

	for (size_t i = 0; i < set->n; i++)
		n += set->range[i].last - set->range[i].first + 1;
	return n;
}

bool tv_cpuset_has(const struct tv_cpuset *set, uint32_t cpu)
{
	size_t i;

	TV_LOWER_BOUND(i, 0, set->n, set->range[i].last < cpu);
	return i < set->n && set->range[i].first <= cpu;
}

uint32_t tv_cpuset_shared(const struct tv_cpuset *a, const struct tv_cpuset *b)
{
	uint32_t n = 0;

	for (size_t i = 0, k = 0; i < a->n && k < b->n;) {
		const struct tv_cpu_range *x = &a->range[i], *y = &b->range[k];
		uint32_t first = x->first > y->first ? x->first : y->first;
		uint32_t last = x->last < y->last ? x->last : y->last;

		if (first <= last)
			n += last - first + 1;
		if (x->last < y->last)
			i++;
		else
			k++;
	}
	return n;
}

bool tv_cpuset_covers(const struct tv_cpuset *outer, const struct tv_cpuset *inner)
{
	return tv_cpuset_shared(outer, inner) == tv_cpuset_count(inner);
}

void tv_cpuset_release(struct tv_cpuset *set)
{
	tv_free(set->range);
	*set = (struct tv_cpuset){ 0 };
}
