/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu_kinds.c -- bitmaps and kinds of cores in the XML of hwloc. */
#include "trace/cpu_kinds.h"

#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"

static int hex(char c)
{
	return c >= '0' && c <= '9' ? c - '0'
	     : c >= 'a' && c <= 'f' ? c - 'a' + 10
	     : c >= 'A' && c <= 'F' ? c - 'A' + 10
				    : -1;
}

/* The bits of one word of 32, 0x000000ff; an empty one is 0. */
static bool add_word(struct tv_cpuset *set, const char *s, size_t n, uint32_t first)
{
	uint32_t word = 0;

	if (n >= 2 && s[0] == '0' && s[1] == 'x') {
		s += 2;
		n -= 2;
	}
	if (n > 8)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (hex(s[i]) < 0)
			return false;
		word = word << 4 | (uint32_t)hex(s[i]);
	}
	for (uint32_t bit = 0; bit < 32; bit++)
		if (word >> bit & 1)
			tv_cpuset_add(set, first + bit, first + bit);
	return true;
}

int tv_xml_cpuset(struct tv_xml *xml, const char *bitmap, struct tv_cpuset *set)
{
	size_t end = strlen(bitmap);
	bool good = end > 0;

	for (uint32_t first = 0; good; first += 32) {
		size_t begin = end;

		while (begin > 0 && bitmap[begin - 1] != ',')
			begin--;
		good = first < TV_CPUS_MAX && add_word(set, bitmap + begin, end - begin, first);
		if (begin == 0)
			break;
		end = begin - 1;
	}
	return good ? 0
		    : tv_xml_fail(xml,
				  "cpuset '%.100s', expected words of 32 bits as in "
				  "0x000000ff,0x0000ffff",
				  bitmap);
}

int tv_cpu_kinds_begin(struct tv_cpu_kinds *kinds, struct tv_xml *xml, const char *element,
		       const char *const *attribute)
{
	const char *name = tv_xml_value(attribute, "name"),
		   *value = tv_xml_value(attribute, "value"),
		   *cpuset = tv_xml_value(attribute, "cpuset");

	if (strcmp(element, "info") == 0 && kinds->open && name != NULL && value != NULL
	    && strcmp(name, "CoreType") == 0 && kinds->kind[kinds->n - 1].name == NULL)
		kinds->kind[kinds->n - 1].name = tv_strdup(value);
	if (strcmp(element, "cpukind") != 0)
		return 0;
	if (kinds->n == TV_CPU_KINDS_MAX)
		return tv_xml_fail(xml, "more than %d kinds of cores", TV_CPU_KINDS_MAX);
	kinds->open = true;
	return tv_xml_cpuset(xml, cpuset != NULL ? cpuset : "", &kinds->kind[kinds->n++].cpus);
}

void tv_cpu_kinds_end(struct tv_cpu_kinds *kinds, const char *element)
{
	if (strcmp(element, "cpukind") == 0)
		kinds->open = false;
}

const char *tv_cpu_kinds_of(const struct tv_cpu_kinds *kinds, const struct tv_cpuset *cpus,
			    char text[TV_CPU_KIND_NAME])
{
	for (size_t i = kinds->n; kinds->n > 1 && cpus->n > 0 && i-- > 0;)
		if (tv_cpuset_covers(&kinds->kind[i].cpus, cpus)) {
			snprintf(text, TV_CPU_KIND_NAME, "kind%zu", i);
			return kinds->kind[i].name != NULL ? kinds->kind[i].name : text;
		}
	return NULL;
}

void tv_cpu_kinds_release(struct tv_cpu_kinds *kinds)
{
	for (size_t i = 0; i < kinds->n; i++) {
		tv_cpuset_release(&kinds->kind[i].cpus);
		tv_free(kinds->kind[i].name);
	}
}
