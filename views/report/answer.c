/* SPDX-License-Identifier: GPL-3.0-or-later */
/* answer.c -- the diagnosis of a run in a report: its first screen, its findings, the words that it uses. */
#include <string.h>

#include "analysis/diagnose/diagnose.h"
#include "trace/alloc.h"
#include "views/report/columns.h"

extern const char tv_glossary_begin[]; /* data/embed.S */

/* The paragraphs that `traceviz diagnose` prints. */
static void write_screen(struct tv_json *json, const struct tv_table *diagnosis)
{
	struct tv_output text;

	tv_output_memory(&text);
	tv_diagnose_text(diagnosis, false, SIZE_MAX, &text);
	tv_output_write(&text, "", 1);
	tv_json_open(json, "text", '[');
	for (char *rest = text.buffer, *line; (line = strsep(&rest, "\n")) != NULL;)
		if (line[0] != '\0')
			tv_json_text(json, NULL, line);
	tv_json_close(json, ']');
	tv_output_abort(&text);
}

static void write_finding(struct tv_json *json, const struct tv_table *diagnosis, uint32_t row)
{
	static const char *const column[][2] = { { "id", "Id" },
						 { "title", "Title" },
						 { "command", "Command" },
						 { "picture", "Picture" } };
	char *words[TV_DIAGNOSE_WORDS];
	size_t n = tv_diagnose_words(diagnosis, row, words);

	tv_json_open(json, NULL, '{');
	for (size_t i = 0; i < TV_COUNT(column); i++)
		tv_json_text(json, column[i][0], tv_table_text(diagnosis, column[i][1], row));
	tv_json_open(json, "words", '[');
	for (size_t i = 0; i < n; i++) {
		tv_json_text(json, NULL, words[i]);
		tv_free(words[i]);
	}
	tv_json_close(json, ']');
	tv_json_close(json, '}');
}

void tv_report_answer(struct tv_json *json, const struct tv_table *diagnosis)
{
	tv_json_open(json, "answer", '{');
	write_screen(json, diagnosis);
	tv_json_open(json, "findings", '[');
	for (uint32_t row = 0; row < diagnosis->nrows; row++)
		if (tv_table_is(diagnosis, "Kind", row, "finding"))
			write_finding(json, diagnosis, row);
	tv_json_close(json, ']');
	tv_json_text(json, "glossary", tv_glossary_begin);
	tv_json_close(json, '}');
}
