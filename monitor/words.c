/* SPDX-License-Identifier: GPL-3.0-or-later */
/* words.c -- words, places and levels in descriptions of monitors. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "monitor/parser.h"
#include "trace/alloc.h"

/* ---- messages ---- */

static int fail_list(const struct tv_monitor_parser *p, size_t at, const char *format, va_list args)
{
	char place[600], message[900];
	long line = 1;
	size_t begin = 0;

	for (size_t i = 0; i < at && i < p->n; i++)
		if (p->text[i] == '\n') {
			line++;
			begin = i + 1;
		}
	vsnprintf(message, sizeof message, format, args);
	snprintf(place, sizeof place, "%s:%ld", p->out->file, line);
	/* What follows the name of the file is then LINE:COLUMN. */
	return tv_fail_at(p->err, (struct tv_pos){ place, (long)(at - begin) + 1 }, "%s", message);
}

int tv_monitor_wrong(const struct tv_monitor_parser *p, size_t at, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	fail_list(p, at, format, args);
	va_end(args);
	return -1;
}

int tv_monitor_fail(struct tv_error *err, const struct tv_monitor *monitor, size_t event,
		    const char *format, ...)
{
	char place[600], message[900];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof message, format, args);
	va_end(args);
	snprintf(place, sizeof place, "%s:%ld", monitor->file, monitor->event_at[event].line);
	return tv_fail_at(err, (struct tv_pos){ place, monitor->event_at[event].column }, "%s",
			  message);
}

/* ---- words ---- */

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-';
}

/* Comments become blanks, so that places stay. The # of 2#function begins none. */
void tv_monitor_drop_comments(char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		bool count = text[i] == '#' && i > 0 && isdigit((unsigned char)text[i - 1])
			  && i + 1 < n
			  && (isalpha((unsigned char)text[i + 1]) || text[i + 1] == '_');

		if (text[i] == '\0')
			text[i] = '\1'; /* refused where it occurs */
		if (text[i] != '%' && (text[i] != '#' || count))
			continue;
		while (i < n && text[i] != '\n')
			text[i++] = ' ';
	}
}

void tv_monitor_blanks(struct tv_monitor_parser *p)
{
	while (p->at < p->n && isspace((unsigned char)p->text[p->at]))
		p->at++;
}

bool tv_monitor_symbol(struct tv_monitor_parser *p, const char *text)
{
	size_t n = strlen(text);

	tv_monitor_blanks(p);
	if (p->n - p->at < n || memcmp(p->text + p->at, text, n) != 0)
		return false;
	p->at += n;
	return true;
}

/* What is here, for messages: one word or character. */
const char *tv_monitor_found(const struct tv_monitor_parser *p, size_t at, char out[48])
{
	size_t n = 0;

	if (at >= p->n)
		return strcpy(out, "the end of the file");
	while (n < 40 && at + n < p->n && is_name(p->text[at + n]))
		n++;
	snprintf(out, 48, "'%.*s'", (int)(n > 0 ? n : 1), p->text + at);
	return out;
}

struct tv_monitor_span tv_monitor_word(struct tv_monitor_parser *p)
{
	struct tv_monitor_span span;

	tv_monitor_blanks(p);
	span.from = p->at;
	while (p->at < p->n && is_name(p->text[p->at]))
		p->at++;
	span.to = p->at;
	return span;
}

struct tv_monitor_span tv_monitor_trim(const struct tv_monitor_parser *p, struct tv_monitor_span s)
{
	while (s.from < s.to && isspace((unsigned char)p->text[s.from]))
		s.from++;
	while (s.from < s.to && isspace((unsigned char)p->text[s.to - 1]))
		s.to--;
	return s;
}

char *tv_monitor_copy(const struct tv_monitor_parser *p, struct tv_monitor_span s)
{
	return tv_strndup(p->text + s.from, s.to - s.from);
}

bool tv_monitor_is(const struct tv_monitor_parser *p, struct tv_monitor_span s, const char *text)
{
	return s.to - s.from == strlen(text) && memcmp(p->text + s.from, text, s.to - s.from) == 0;
}

/* ---- levels ---- */

const char tv_monitor_levels[] = "PU, Core, L1d, L1i, L2, L3, L4, L5, Die, NUMANode, Package, "
				 "Machine";

char *tv_monitor_level(const char *name, size_t n)
{
	static const struct {
		const char *name, *level;
	} levels[] = {
		{ "PU", "PU" },
		{ "Core", "Core" },
		{ "L1", "L1d" },
		{ "L1d", "L1d" },
		{ "L1i", "L1i" },
		{ "L2", "L2" },
		{ "L3", "L3" },
		{ "L4", "L4" },
		{ "L5", "L5" },
		{ "Die", "Die" },
		{ "Group", "Group" },
		{ "Node", "NUMANode" },
		{ "NUMANode", "NUMANode" },
		{ "NUMA", "NUMANode" },
		{ "Package", "Package" },
		{ "Socket", "Package" },
		{ "Machine", "Machine" },
		{ "System", "Machine" },
	};

	if (n > 5 && strncasecmp(name + n - 5, "Cache", 5) == 0)
		n -= 5;
	for (size_t i = 0; i < TV_COUNT(levels); i++)
		if (strlen(levels[i].name) == n && strncasecmp(levels[i].name, name, n) == 0)
			return tv_strdup(levels[i].level);
	return NULL;
}

/* ---- events ---- */

void tv_monitor_add_event(struct tv_monitor_parser *p, struct tv_monitor *m,
			  struct tv_monitor_span s)
{
	if (s.from < p->counted)
		p->counted = 0;
	if (p->counted == 0)
		p->place = (struct tv_monitor_place){ 1, 1 };
	for (; p->counted < s.from; p->counted++, p->place.column++)
		if (p->text[p->counted] == '\n')
			p->place = (struct tv_monitor_place){ p->place.line + 1, 0 };
	m->event = tv_realloc(m->event, m->nevents + 1, sizeof *m->event);
	m->event_at = tv_realloc(m->event_at, m->nevents + 1, sizeof *m->event_at);
	m->event_at[m->nevents] = p->place;
	m->event[m->nevents++] = tv_monitor_copy(p, s);
}
