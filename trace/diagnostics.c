/* SPDX-License-Identifier: GPL-3.0-or-later */
/* diagnostics.c -- a list of messages. */
#include "trace/diagnostics.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "trace/alloc.h"
#include "trace/text.h"

static bool same_place(const struct tv_diagnostic *diagnostic, struct tv_pos at)
{
	if (diagnostic->file == NULL || at.file == NULL)
		return diagnostic->file == at.file;
	return strcmp(diagnostic->file, at.file) == 0 && diagnostic->line == at.line;
}

void tv_diagnose(struct tv_diagnostics *list, enum tv_severity severity, struct tv_pos at,
		 const char *format, ...)
{
	char raw[1024], text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(raw, sizeof raw, format, args);
	va_end(args);
	tv_clean_text(text, sizeof text, raw);
	for (size_t i = 0; severity == TV_WARNING && i < list->n; i++)
		if (strcmp(list->at[i].text, text) == 0 && same_place(&list->at[i], at))
			return;
	TV_GROW(list->at, list->n, list->cap, 1);
	list->at[list->n++] = (struct tv_diagnostic){
		.severity = severity,
		.file = at.file == NULL ? NULL : tv_strdup(at.file),
		.line = at.line,
		.text = tv_strdup(text),
	};
}

char *tv_diagnostic_line(char *out, size_t size, const struct tv_diagnostic *diagnostic)
{
	const char *file = diagnostic->file;
	char line[32] = "", records[100] = "";

	if (file != NULL && diagnostic->line > 0)
		snprintf(line, sizeof line, "%ld:", diagnostic->line);
	if (diagnostic->records > 0)
		snprintf(records, sizeof records, " (%" PRIu64 " record%s %s%s)",
			 diagnostic->records, tv_plural(diagnostic->records),
			 diagnostic->severity == TV_REPAIR ? "repaired" : "skipped",
			 diagnostic->records == 1 ? "" : ", this is the first");
	snprintf(out, size, "%s%s%s%s%s%s", file == NULL ? "" : file, file == NULL ? "" : ":", line,
		 file == NULL ? "" : " ", diagnostic->text, records);
	return out;
}

static void release(struct tv_diagnostic *diagnostic)
{
	tv_free(diagnostic->file);
	tv_free(diagnostic->text);
}

void tv_diagnostics_drop(struct tv_diagnostics *list, const char *text)
{
	size_t n = 0;

	for (size_t i = 0; i < list->n; i++)
		if (list->at[i].severity == TV_WARNING && strstr(list->at[i].text, text) != NULL)
			release(&list->at[i]);
		else
			list->at[n++] = list->at[i];
	list->n = n;
}

void tv_diagnostics_release(struct tv_diagnostics *list)
{
	for (size_t i = 0; i < list->n; i++)
		release(&list->at[i]);
	tv_free(list->at);
	*list = (struct tv_diagnostics){ 0 };
}
