/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.c -- `help WORD` of words of answers and tables: findings, causes of idle time, losses, the glossary. */
#include "cli/words.h"

#include <string.h>
#include <strings.h>

#include "analysis/diagnose/diagnose.h"
#include "analysis/efficiency/ladder.h"
#include "dag/blame.h"
#include "trace/alloc.h"

/* docs/glossary.md, ended by a zero */
extern const char tv_glossary_begin[];

static bool explain_idle(const char *word, struct tv_output *out)
{
	const struct tv_idle_words *idle = tv_idle_words(word);

	if (idle == NULL)
		return false;
	if (idle->sentence != NULL)
		tv_output_format(out, "%s, a kind of idle time (idle-causes): workers %s\n", word,
				 idle->sentence);
	else
		tv_output_format(out, "%s, a kind of idle time (idle-causes): %s\n", word,
				 idle->phrase);
	return true;
}

/* A loss of `efficiency`. */
static bool explain_rung(const char *word, struct tv_output *out)
{
	static const char *const what[] = {
#define WHAT(symbol, name, text) (text),
		TV_LADDER_RUNGS(WHAT)
#undef WHAT
	};

	for (int rung = TV_LADDER_RUNG_RECORDED + 1; rung < TV_LADDER_NRUNGS; rung++) {
		if (strcmp(word, tv_ladder_rung_name((enum tv_ladder_rung)rung)) != 0)
			continue;
		tv_output_format(out, "%s, a loss (efficiency), whose Time is \"%s\"\n", word,
				 what[rung]);
		return true;
	}
	return false;
}

/* Whether an entry of the glossary has the word between two marks. */
static bool has_between(const char *entry, size_t n, const char *word, const char *before,
			const char *behind)
{
	size_t length = strlen(word), b = strlen(before), e = strlen(behind);

	for (const char *at = entry; at + b + length + e <= entry + n; at++)
		if (strncmp(at, before, b) == 0 && strncasecmp(at + b, word, length) == 0
		    && strncmp(at + b + length, behind, e) == 0)
			return true;
	return false;
}

/* Whether an entry of the glossary is of the word, or (else) has it in italics. */
static bool is_about(const char *entry, size_t n, const char *word, bool title)
{
	return title ? has_between(entry, n, word, "**", "**")
			       || has_between(entry, n, word, "** (", ")")
		     : has_between(entry, n, word, " *", "*");
}

/* The entry after one of the glossary, which begins with "- " or "  - "; NULL = none. */
static const char *next_entry(const char *at)
{
	const char *line = at;

	while ((line = strchr(line, '\n')) != NULL) {
		line++;
		if (strncmp(line + strspn(line, " "), "- ", 2) == 0)
			return line;
	}
	return NULL;
}

/* Without the marks of Markdown. */
static void print_entry(const char *entry, size_t n, struct tv_output *out)
{
	for (size_t i = 0; i < n; i++)
		if (entry[i] != '*' && entry[i] != '`')
			tv_output_write(out, &entry[i], 1);
}

static bool explain_entry(const char *word, bool title, struct tv_output *out)
{
	bool found = false;

	for (const char *at = next_entry(tv_glossary_begin), *next; at != NULL; at = next) {
		size_t n;

		next = next_entry(at);
		n = next != NULL ? (size_t)(next - at) : strlen(at);
		if (!is_about(at, n, word, title))
			continue;
		print_entry(at, n, out);
		found = true;
	}
	return found;
}

bool tv_explain_word(const char *word, struct tv_output *out)
{
	struct tv_error none;
	bool finding = tv_diagnose_explain(word, out, &none) == 0, idle = explain_idle(word, out),
	     rung = explain_rung(word, out), entry = explain_entry(word, true, out);

	return finding || idle || rung || entry || explain_entry(word, false, out);
}
