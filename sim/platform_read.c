/* SPDX-License-Identifier: GPL-3.0-or-later */
/* platform_read.c -- a platform from a file; its root element names the format. */
#include <string.h>

#include "sim/platform_xml.h"

static const struct tv_platform_format *const formats[] = { &tv_platform_simgrid,
							    &tv_platform_hwloc };

struct reading {
	struct tv_platform *platform;
	const struct tv_platform_format *format;
	void *reader;
};

static int begin(struct tv_xml *xml, const char *element, const char *const *attribute)
{
	struct reading *reading = xml->context;

	if (xml->depth == 0) {
		for (size_t i = 0; i < TV_COUNT(formats); i++)
			if (strcmp(element, formats[i]->root) == 0)
				reading->format = formats[i];
		if (reading->format == NULL)
			return tv_xml_fail(
				xml,
				"the root element is <%s>, expected <platform> (SimGrid) "
				"or <topology> (hwloc)",
				element);
		reading->reader = reading->format->new (reading->platform);
	}
	return reading->format->begin(reading->reader, xml, element, attribute);
}

static int end(struct tv_xml *xml, const char *element)
{
	struct reading *reading = xml->context;

	return reading->format->end(reading->reader, xml, element);
}

int tv_platform_read_input(struct tv_platform *platform, struct tv_input *in, struct tv_error *err)
{
	struct reading reading = { .platform = platform };
	struct tv_xml xml = {
		.in = in, .err = err, .context = &reading, .begin = begin, .end = end
	};
	int rc;

	tv_platform_init(platform, in->path);
	rc = tv_xml_read(&xml);
	if (reading.format != NULL)
		reading.format->free(reading.reader);
	if (rc < 0)
		tv_platform_release(platform);
	return rc;
}

/* Platforms that are part of the program (data/platforms). */
#define SHIPPED(symbol) extern const char tv_##symbol##_begin[], tv_##symbol##_end[]
SHIPPED(intel6240);
SHIPPED(epyc7452);
SHIPPED(epyc7452_flat);

static const struct {
	const char *name, *begin, *end;
} shipped[] = {
	{ "intel6240", tv_intel6240_begin, tv_intel6240_end },
	{ "epyc7452", tv_epyc7452_begin, tv_epyc7452_end },
	{ "epyc7452-flat", tv_epyc7452_flat_begin, tv_epyc7452_flat_end },
};

const char *tv_platform_shipped(size_t i)
{
	return i < TV_COUNT(shipped) ? shipped[i].name : NULL;
}

/* A shipped platform, or a file. */
static int open_platform(struct tv_input *in, const char *name, struct tv_error *err)
{
	for (size_t i = 0; i < TV_COUNT(shipped); i++)
		if (strcmp(name, shipped[i].name) == 0) {
			tv_input_memory(in, name, shipped[i].begin,
					(size_t)(shipped[i].end - shipped[i].begin));
			return 0;
		}
	return tv_input_open(in, name, err);
}

int tv_platform_read(struct tv_platform *platform, const char *name, struct tv_error *err)
{
	struct tv_input in;
	int rc = open_platform(&in, name, err);

	if (rc == 0) {
		rc = tv_platform_read_input(platform, &in, err);
		tv_input_close(&in);
	}
	return rc;
}
