/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * xml.h -- elements of an XML file, one after the other (libexpat), with limits against hostile input.
 *
 * Refused with FILE:LINE: what is not well-formed, entities that the file declares itself (they can
 * expand without limit), elements nested deeper than TV_XML_DEPTH, a tag or comment longer than
 * TV_XML_TOKEN bytes. A document type may be named; nothing is loaded from there.
 */
#ifndef TV_TRACE_XML_H
#define TV_TRACE_XML_H

#include <stdbool.h>

#include "trace/error.h"
#include "trace/input.h"

enum { TV_XML_DEPTH = 100, TV_XML_TOKEN = 1 << 20 };

struct tv_xml {
	struct tv_input *in;
	struct tv_error *err;
	void *context;
	/* Called for each element, from outer to inner: names and values of its attributes in turn,
	 * closed by NULL; and at its end. Texts are valid during the call. -1 with *err stops. */
	int (*begin)(struct tv_xml *xml, const char *element, const char *const *attribute);
	int (*end)(struct tv_xml *xml, const char *element);
	unsigned depth; /* elements around; 0 = the element is the root */
	void *parser;
	bool stopped;
};

/* Reads all of xml->in. */
int tv_xml_read(struct tv_xml *xml) TV_MUST_CHECK;
/* The line where the current element begins or ends. */
long tv_xml_line(const struct tv_xml *xml);
/* Fails about the line where the current element begins or ends. */
int tv_xml_fail(struct tv_xml *xml, const char *format, ...) TV_PRINTF(2, 3);
/* The value of an attribute; NULL if the element does not have it. */
const char *tv_xml_value(const char *const *attribute, const char *name);
/* -1 with xml->err: the root element, <topology>, is not of hwloc 2 or 3. */
int tv_xml_check_hwloc(struct tv_xml *xml, const char *const *attribute) TV_MUST_CHECK;

#endif
