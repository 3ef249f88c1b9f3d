/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * files.c -- Pajé traces of several files: one names the others, in PajeTraceFile or, as GTG writes
 * it, in the field File of its containers.
 */
#include <ctype.h>
#include <string.h>

#include "convert/paje/paje.h"
#include "trace/alloc.h"

enum { NAMED, READ };

bool tv_paje_leads(const char *head, size_t n)
{
	static const char event[] = "PajeDefineContainerType";
	const char *end = head + n, *number = memmem(head, n, event, sizeof event - 1);
	size_t digits = 0;

	if (number == NULL)
		return false;
	number += sizeof event - 1;
	while (number < end && tv_paje_blank(*number))
		number++;
	while (number + digits < end && isdigit((unsigned char)number[digits]))
		digits++;
	for (const char *s = head; s != NULL && digits > 0;
	     s = memchr(s, '\n', (size_t)(end - s))) {
		while (s < end && (tv_paje_blank(*s) || *s == '\n'))
			s++;
		if ((size_t)(end - s) > digits && memcmp(s, number, digits) == 0
		    && tv_paje_blank(s[digits]))
			return true;
	}
	return false;
}

void tv_paje_file_read(struct tv_paje *paje, const char *path)
{
	tv_index_set(&paje->files, tv_intern_text(paje->trace->pool, path), READ);
}

/* Beside the file that names it, or in a folder there; nowhere else. It may have been compressed. */
static char *path_of(const char *file, const struct tv_paje_field *name)
{
	static const char *const endings[] = { ".gz", ".zst" };
	const char *slash = strrchr(file, '/');
	char *path = tv_strndup(name->s, name->n), *beside;
	const char *base = strrchr(path, '/');
	bool outside = path[0] == '/' || strncmp(path, "../", 3) == 0
		    || strstr(path, "/../") != NULL;

	beside = tv_format("%.*s%s", slash != NULL ? (int)(slash + 1 - file) : 0, file,
			   outside ? base + 1 : path);
	tv_free(path);
	for (size_t i = 0; i < TV_COUNT(endings) && !tv_is_file(beside); i++) {
		path = tv_format("%s%s", beside, endings[i]);
		if (tv_is_file(path)) {
			tv_free(beside);
			return path;
		}
		tv_free(path);
	}
	return beside;
}

void tv_paje_name_file(struct tv_paje *paje, const struct tv_paje_field *name)
{
	struct tv_paje_named named = { .at = paje->at };
	char *path;
	uint32_t label;

	if (name == NULL || name->n == 0)
		return;
	path = path_of(paje->at.file, name);
	label = tv_intern_text(paje->trace->pool, path);
	tv_free(path);
	if (tv_index_get(&paje->files, label) != TV_NONE)
		return;
	tv_index_set(&paje->files, label, NAMED);
	named.path = label;
	TV_GROW(paje->named, paje->nnamed, paje->named_cap, 1);
	paje->named[paje->nnamed++] = named;
}

/* Why a file that is named cannot be read; NULL = it can. */
static const char *why_not(const struct tv_paje *paje, const char *path)
{
	struct tv_error err = { 0 };
	struct tv_input in;
	const char *head, *why = "it is no Pajé trace";
	size_t n;

	if (strcmp(paje->at.file, "-") == 0)
		return "standard input has no folder";
	if (!tv_is_file(path) || tv_input_open(&in, path, &err) < 0)
		return "there is no such file";
	head = tv_input_peek(&in, TV_PROBE_BYTES, &n, &err);
	if (head != NULL && tv_paje_reader.probe(head, n) > 0)
		why = NULL;
	tv_input_close(&in);
	return why;
}

const char *tv_paje_next_file(void *state)
{
	struct tv_paje *paje = state;

	while (paje->nasked < paje->nnamed) {
		const struct tv_paje_named *named = &paje->named[paje->nasked++];
		const char *path = tv_pool_text(paje->trace->pool, named->path), *why;

		if (tv_index_get(&paje->files, named->path) == READ)
			continue;
		why = why_not(paje, path);
		if (why == NULL)
			return path;
		tv_damaged(paje->trace, TV_DROPPED, "file that the trace names", named->at,
			   "'%.200s' is not read: %s", path, why);
	}
	return NULL;
}
