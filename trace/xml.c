/* SPDX-License-Identifier: GPL-3.0-or-later */
/* xml.c -- elements of an XML file, by libexpat. */
#include "trace/xml.h"

#include <expat.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"

static void *allocate(size_t n)
{
	return tv_alloc(n, 1);
}

static void *reallocate(void *p, size_t n)
{
	return tv_realloc(p, n, 1);
}

long tv_xml_line(const struct tv_xml *xml)
{
	return (long)XML_GetCurrentLineNumber(xml->parser);
}

static struct tv_pos here(const struct tv_xml *xml)
{
	return (struct tv_pos){ xml->in->path, tv_xml_line(xml) };
}

static void stop(struct tv_xml *xml)
{
	xml->stopped = true;
	XML_StopParser(xml->parser, XML_FALSE);
}

int tv_xml_fail(struct tv_xml *xml, const char *format, ...)
{
	char text[sizeof xml->err->text];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	return tv_fail_at(xml->err, here(xml), "%s", text);
}

int tv_xml_check_hwloc(struct tv_xml *xml, const char *const *attribute)
{
	const char *version = tv_xml_value(attribute, "version");

	if (version != NULL && (version[0] == '2' || version[0] == '3') && version[1] == '.')
		return 0;
	return tv_xml_fail(xml,
			   "hwloc's version %.20s, expected 2 or 3 (lstopo of these versions "
			   "writes it)",
			   version != NULL ? version : "1");
}

const char *tv_xml_value(const char *const *attribute, const char *name)
{
	for (; attribute[0] != NULL; attribute += 2)
		if (strcmp(attribute[0], name) == 0)
			return attribute[1];
	return NULL;
}

static void XMLCALL on_begin(void *user, const XML_Char *element, const XML_Char **attribute)
{
	struct tv_xml *xml = user;

	if (xml->stopped)
		return;
	if (xml->depth >= TV_XML_DEPTH) {
		tv_xml_fail(xml, "elements nested deeper than %d", TV_XML_DEPTH);
		stop(xml);
	} else if (xml->begin(xml, element, (const char *const *)attribute) < 0) {
		stop(xml);
	}
	xml->depth++;
}

static void XMLCALL on_end(void *user, const XML_Char *element)
{
	struct tv_xml *xml = user;

	xml->depth--;
	if (!xml->stopped && xml->end(xml, element) < 0)
		stop(xml);
}

static void XMLCALL on_entity(void *user, const XML_Char *name, int is_parameter,
			      const XML_Char *value, int length, const XML_Char *base,
			      const XML_Char *system, const XML_Char *public,
			      const XML_Char *notation)
{
	struct tv_xml *xml = user;

	(void)is_parameter, (void)value, (void)length, (void)base;
	(void)system, (void)public, (void)notation;
	if (!xml->stopped)
		tv_xml_fail(xml, "the file declares the entity '%s', which is not supported", name);
	stop(xml);
}

/* One chunk of the file, at its end n = 0; `read` = bytes until its end. */
static int parse(struct tv_xml *xml, const char *bytes, size_t n, uint64_t read)
{
	enum XML_Status status = XML_Parse(xml->parser, bytes, (int)n, n == 0);
	XML_Index at = XML_GetCurrentByteIndex(xml->parser);

	if (xml->stopped)
		return -1;
	if (status != XML_STATUS_OK)
		return tv_xml_fail(xml, "not well-formed XML: %s",
				   XML_ErrorString(XML_GetErrorCode(xml->parser)));
	/* Without a limit the parser would begin a long token again with each chunk. */
	if (n > 0 && at >= 0 && read - (uint64_t)at > TV_XML_TOKEN)
		return tv_xml_fail(xml, "a tag or comment longer than %d bytes", TV_XML_TOKEN);
	return 0;
}

int tv_xml_read(struct tv_xml *xml)
{
	static const XML_Memory_Handling_Suite memory = { allocate, reallocate, tv_free };
	char chunk[1 << 16];
	uint64_t read = 0;
	ssize_t got;
	int rc;

	xml->parser = XML_ParserCreate_MM(NULL, &memory, NULL);
	xml->depth = 0;
	xml->stopped = false;
	XML_SetUserData(xml->parser, xml);
	XML_SetElementHandler(xml->parser, on_begin, on_end);
	XML_SetEntityDeclHandler(xml->parser, on_entity);
	/* The same file gives the same work: no random numbers for its hash tables. */
	XML_SetHashSalt(xml->parser, 0x7472);
	do {
		got = tv_input_read(xml->in, chunk, sizeof chunk, xml->err);
		read += got > 0 ? (uint64_t)got : 0;
		rc = got < 0 ? -1 : parse(xml, chunk, (size_t)got, read);
	} while (rc == 0 && got > 0);
	if (rc == 0 && xml->in->cut != NULL)
		rc = tv_fail_at(xml->err, here(xml), "compressed file: %s", xml->in->cut);
	XML_ParserFree(xml->parser);
	return rc;
}
