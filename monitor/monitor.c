/* SPDX-License-Identifier: GPL-3.0-or-later */
/* monitor.c -- read descriptions of monitors. */
#include "monitor/parser.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "trace/alloc.h"
#include "trace/near_names.h"
#include "trace/number.h"

enum { MONITORS_MAX = 1000, TEXT_MAX = 1 << 20 };

/* The keys of all versions of the language. */
static const struct {
	const char *name;
	enum tv_monitor_key key;
} keys[] = {
	{ "OBJ", TV_KEY_OBJ },
	{ "PERF_LIB", TV_KEY_LIBRARY },
	{ "EVSET", TV_KEY_EVENTS },
	{ "REDUCTION", TV_KEY_REDUCTION },
	{ "SAMPLE_REDUCE", TV_KEY_REDUCTION },
	{ "EVSET_REDUCE", TV_KEY_REDUCTION },
	{ "WINDOW_REDUCE", TV_KEY_WINDOW_REDUCTION },
	{ "SAMPLES_REDUCE", TV_KEY_WINDOW_REDUCTION },
	{ "WINDOW", TV_KEY_READINGS },
	{ "N_SAMPLES", TV_KEY_READINGS },
	{ "ACCUMULATE", TV_KEY_ACCUMULATE },
	{ "SILENT", TV_KEY_SILENT },
	{ "OUTPUT", TV_KEY_OUTPUT },
	{ "MAX", TV_KEY_MAX },
	{ "MIN", TV_KEY_MIN },
	{ "DISPLAY", TV_KEY_DISPLAY },
	{ "LOGSCALE", TV_KEY_LOGARITHMIC },
	{ "CTR", TV_KEY_COUNTERS },
};

#define KEYS \
	"OBJ, PERF_LIB, EVSET, REDUCTION (EVSET_REDUCE, SAMPLE_REDUCE), WINDOW_REDUCE " \
	"(SAMPLES_REDUCE), WINDOW (N_SAMPLES), ACCUMULATE, SILENT, OUTPUT, MAX, MIN, DISPLAY, " \
	"LOGSCALE, CTR"

/* ---- single values ---- */

static int read_object(struct tv_monitor_parser *p, struct tv_monitor *m, struct tv_monitor_span s)
{
	const char *colon = memchr(p->text + s.from, ':', s.to - s.from);
	size_t level = colon != NULL ? (size_t)(colon - p->text) : s.to;

	m->level = tv_monitor_level(p->text + s.from, level - s.from);
	if (m->level == NULL)
		return tv_monitor_wrong(p, s.from, "no level '%.*s', expected one of %s",
					SHOW(p, s), tv_monitor_levels);
	if (colon != NULL
	    && (tv_parse_int(colon + 1, s.to - level - 1, &m->index) != TV_PARSE_OK || m->index < 0
		|| m->index >= UINT32_MAX))
		return tv_monitor_wrong(p, level + 1,
					"'%.*s' is no object, expected a number as in PU:0",
					SHOW(p, s));
	return 0;
}

static int read_flag(struct tv_monitor_parser *p, struct tv_monitor_span s, bool *flag)
{
	if (!tv_monitor_is(p, s, "0") && !tv_monitor_is(p, s, "1"))
		return tv_monitor_wrong(p, s.from, "'%.*s', expected 0 or 1", SHOW(p, s));
	*flag = tv_monitor_is(p, s, "1");
	return 0;
}

static int read_number(struct tv_monitor_parser *p, struct tv_monitor_span s, double *x)
{
	if (tv_parse_double(p->text + s.from, s.to - s.from, x) != TV_PARSE_OK)
		return tv_monitor_wrong(p, s.from, "'%.*s', expected a number", SHOW(p, s));
	return 0;
}

/* The end of the event that begins at `at`: a comma between slashes, as in cpu/event=0x3c,umask=0/, is
 * a part of it. */
static size_t event_end(const struct tv_monitor_parser *p, size_t at, size_t to)
{
	const char *slash;

	for (bool inside = false; at < to; at++)
		if (p->text[at] == '/') {
			slash = memchr(p->text + at + 1, '/', to - at - 1);
			inside = !inside && slash != NULL
			      && memchr(p->text + at, '=', (size_t)(slash - p->text) - at) != NULL;
		} else if (p->text[at] == ',' && !inside) {
			break;
		}
	return at;
}

static int read_events(struct tv_monitor_parser *p, struct tv_monitor *m, struct tv_monitor_span s)
{
	for (size_t at = s.from;; at++) {
		size_t end = event_end(p, at, s.to);
		struct tv_monitor_span event = tv_monitor_trim(p,
							       (struct tv_monitor_span){ at, end });

		if (event.from == event.to)
			return tv_monitor_wrong(p, event.from,
						"no event, expected names separated by commas");
		if (m->nevents == TV_MONITOR_EVENTS_MAX)
			return tv_monitor_wrong(p, event.from, "too many events, expected up to %d",
						TV_MONITOR_EVENTS_MAX);
		for (size_t i = event.from; i < event.to; i++)
			if (!isgraph((unsigned char)p->text[i]))
				return tv_monitor_wrong(p, i, "'%.*s' is no event, expected , or ;",
							SHOW(p, event));
		tv_monitor_add_event(p, m, event);
		at = end;
		if (at >= s.to)
			return 0;
	}
}

/* ---- what feeds a monitor ---- */

static bool is_library(const struct tv_monitor *m, const char *name)
{
	return strcasecmp(m->library, name) == 0;
}

static void add_child(struct tv_monitor *m, size_t child)
{
	m->child = tv_realloc(m->child, m->nchildren + 1, sizeof *m->child);
	m->child[m->nchildren++] = (uint32_t)child;
}

/* The monitor before m that an event names, by its name or its level; -1 with *err. */
static int find_child(struct tv_monitor_parser *p, struct tv_monitor *m, size_t event,
		      bool *by_level)
{
	const struct tv_monitors *all = p->out;
	const char *name = m->event[event];
	char *level = tv_monitor_level(name, strlen(name));
	struct tv_name_list list = { .n = 0 };
	size_t on = 0, child = 0;

	for (size_t i = 0; i + 1 < all->n; i++) {
		if (strcmp(all->monitor[i].name, name) == 0) {
			tv_free(level);
			add_child(m, i);
			return 0;
		}
		if (level != NULL && strcmp(all->monitor[i].level, level) == 0) {
			on++;
			child = i;
		}
		tv_name_list_add(&list, all->monitor[i].name);
	}
	*by_level = true;
	tv_free(level);
	if (on == 1) {
		add_child(m, child);
		return 0;
	}
	p->err->status = 0;
	return tv_monitor_fail(
		p->err, m, event,
		on > 1 ? "several monitors on %.100s feed '%.100s', expected the name of one: %s"
		       : "no monitor '%.100s' before '%.100s', expected one of %s",
		name, m->name,
		all->n > 1 ? tv_name_list_text(&list) : "those above it (there is none)");
}

/* The names of the events of a reading. */
static void set_operands(const struct tv_monitor_parser *p, struct tv_monitor *m)
{
	if (m->source == TV_MONITOR_READ) {
		m->operand = tv_alloc(m->nevents, sizeof *m->operand);
		memcpy(m->operand, m->event, m->nevents * sizeof *m->operand);
		m->width = m->nevents;
	}
	for (size_t i = 0; m->source == TV_MONITOR_SUMS && i < m->nchildren; i++) {
		const struct tv_monitor *child = &p->out->monitor[m->child[i]];

		m->operand = tv_realloc(m->operand, m->width + child->width, sizeof *m->operand);
		memcpy(m->operand + m->width, child->operand, child->width * sizeof *m->operand);
		m->width += child->width;
	}
}

static int link_monitor(struct tv_monitor_parser *p, struct tv_monitor *m)
{
	bool chained = is_library(m, "hierarchical") || is_library(m, "accumulate")
		    || is_library(m, "join");
	bool by_level = false;

	for (size_t i = 0; chained && i < m->nevents; i++)
		if (find_child(p, m, i, &by_level) < 0)
			return -1;
	if (chained)
		m->source = is_library(m, "accumulate")
					 || (is_library(m, "hierarchical") && by_level)
				  ? TV_MONITOR_SUMS
				  : TV_MONITOR_JOIN;
	for (size_t i = 0, width = 0; m->source == TV_MONITOR_SUMS && i < m->nchildren; i++) {
		const struct tv_monitor *child = &p->out->monitor[m->child[i]];

		width += child->width;
		if (child->source == TV_MONITOR_JOIN || width > TV_MONITOR_EVENTS_MAX)
			return tv_monitor_fail(p->err, m, i,
					       child->source == TV_MONITOR_JOIN
						       ? "'%.100s' joins others, so it has no "
							 "events to add, expected "
							 "PERF_LIB join or another monitor"
						       : "'%.100s' has too many events",
					       child->name);
	}
	set_operands(p, m);
	return 0;
}

/* ---- a monitor ---- */

static int take_value(struct tv_monitor_parser *p)
{
	struct tv_monitor_span name = tv_monitor_word(p), s;
	size_t i = 0;
	char text[48];

	while (i < TV_COUNT(keys) && !tv_monitor_is(p, name, keys[i].name))
		i++;
	if (i == TV_COUNT(keys))
		return tv_monitor_wrong(p, name.from, "%s, expected } or a key of " KEYS,
					tv_monitor_found(p, name.from, text));
	if (p->value[keys[i].key].to > 0)
		return tv_monitor_wrong(p, name.from, "a second %s of this monitor, expected one",
					keys[i].name);
	if (!tv_monitor_symbol(p, ":=") && !tv_monitor_symbol(p, "="))
		return tv_monitor_wrong(p, p->at, "%s, expected := here",
					tv_monitor_found(p, p->at, text));
	s.from = p->at;
	while (p->at < p->n && p->text[p->at] != ';' && p->text[p->at] != '}'
	       && p->text[p->at] != '{')
		p->at++;
	s.to = p->at;
	if (!tv_monitor_symbol(p, ";"))
		return tv_monitor_wrong(p, p->at, "%s, expected ; here",
					tv_monitor_found(p, p->at, text));
	s = tv_monitor_trim(p, s);
	if (s.from == s.to)
		return tv_monitor_wrong(p, s.from, "%s has no value, expected one before ;",
					keys[i].name);
	p->value[keys[i].key] = s;
	return 0;
}

/* NAME{L2, EXPR} of the first version: its keys as those of the others. */
static bool take_short(struct tv_monitor_parser *p)
{
	size_t at = p->at;
	struct tv_monitor_span level = tv_monitor_word(p), s;

	if (level.from == level.to || !tv_monitor_symbol(p, ",")) {
		p->at = at;
		return false;
	}
	s.from = p->at;
	while (p->at < p->n && strchr("};{", p->text[p->at]) == NULL)
		p->at++;
	s.to = p->at;
	s = tv_monitor_trim(p, s);
	p->value[TV_KEY_OBJ] = level;
	if (s.from < s.to)
		p->value[TV_KEY_COUNTERS] = s;
	return true;
}

static int read_switches(struct tv_monitor_parser *p, struct tv_monitor *m)
{
	const struct tv_monitor_span *v = p->value;

	if (v[TV_KEY_SILENT].to > 0 && read_flag(p, v[TV_KEY_SILENT], &m->silent) < 0)
		return -1;
	m->silent = m->silent
		 || (v[TV_KEY_OUTPUT].to > 0 && tv_monitor_is(p, v[TV_KEY_OUTPUT], "0"));
	if ((v[TV_KEY_ACCUMULATE].to > 0 && read_flag(p, v[TV_KEY_ACCUMULATE], &m->cumulative) < 0)
	    || (v[TV_KEY_DISPLAY].to > 0 && read_flag(p, v[TV_KEY_DISPLAY], &m->display) < 0)
	    || (v[TV_KEY_LOGARITHMIC].to > 0
		&& read_flag(p, v[TV_KEY_LOGARITHMIC], &m->logarithmic) < 0))
		return -1;
	m->has_min = v[TV_KEY_MIN].to > 0;
	m->has_max = v[TV_KEY_MAX].to > 0;
	return (m->has_min && read_number(p, v[TV_KEY_MIN], &m->min) < 0)
			    || (m->has_max && read_number(p, v[TV_KEY_MAX], &m->max) < 0)
		     ? -1
		     : 0;
}

/* The names of variables: MONITOR.OUTPUT. */
static int name_outputs(struct tv_monitor_parser *p, struct tv_monitor *m)
{
	for (size_t i = 0; m->reduction == TV_MONITOR_EVENTS && i < m->width; i++)
		tv_monitor_add_output(m, tv_strdup(m->operand[i]), NULL);
	for (size_t i = 0; i < m->noutputs; i++) {
		char *own = m->output[i].name;

		if (*own != '\0')
			m->output[i].name = tv_format("%s.%s", m->name, own);
		else if (m->noutputs == 1)
			m->output[i].name = tv_format("%s.value", m->name);
		else
			m->output[i].name = tv_format("%s.%zu", m->name, i);
		tv_free(own);
		for (size_t k = 0; k < i; k++)
			if (strcmp(m->output[k].name, m->output[i].name) == 0)
				return tv_monitor_wrong(p,
							p->value[m->reduction == TV_MONITOR_EVENTS
									 ? TV_KEY_EVENTS
									 : TV_KEY_REDUCTION]
								.from,
							"two outputs '%.100s' of a monitor, "
							"expected different ones",
							m->output[i].name);
	}
	return 0;
}

static int read_values(struct tv_monitor_parser *p, struct tv_monitor *m, size_t place)
{
	const struct tv_monitor_span *v = p->value;

	if (v[TV_KEY_OBJ].to > 0 ? read_object(p, m, v[TV_KEY_OBJ]) < 0 : false)
		return -1;
	if (m->level == NULL)
		m->level = tv_strdup("Machine");
	m->library = v[TV_KEY_LIBRARY].to > 0  ? tv_monitor_copy(p, v[TV_KEY_LIBRARY])
		   : v[TV_KEY_COUNTERS].to > 0 ? tv_strdup("papi")
					       : tv_strdup("fake");
	if (v[TV_KEY_EVENTS].to > 0 && v[TV_KEY_COUNTERS].to > 0)
		return tv_monitor_wrong(p, v[TV_KEY_COUNTERS].from,
					"both EVSET and CTR, expected one of them");
	if (v[TV_KEY_EVENTS].to == 0 && v[TV_KEY_COUNTERS].to == 0)
		return tv_monitor_wrong(
			p, place, "monitor '%.100s' has no events, expected EVSET:=EVENT, ...;",
			m->name);
	if (tv_monitor_read_window(p, m) < 0 || read_switches(p, m) < 0)
		return -1;
	if (v[TV_KEY_COUNTERS].to > 0) {
		m->reduction = TV_MONITOR_EXPRESSIONS;
		if (v[TV_KEY_REDUCTION].to > 0)
			return tv_monitor_wrong(p, v[TV_KEY_REDUCTION].from,
						"both a reduction and CTR, expected one");
		if (tv_monitor_read_expression(p, m, v[TV_KEY_COUNTERS], true) < 0)
			return -1;
		if (m->nevents == 0)
			return tv_monitor_wrong(p, v[TV_KEY_COUNTERS].from,
						"no event, expected names of events");
	} else if (read_events(p, m, v[TV_KEY_EVENTS]) < 0 || link_monitor(p, m) < 0
		   || (v[TV_KEY_REDUCTION].to > 0
		       && tv_monitor_read_reduction(p, m, v[TV_KEY_REDUCTION]) < 0)) {
		return -1;
	}
	if (m->window == TV_MONITOR_LAST)
		m->readings = 1; /* the others are never looked at */
	return name_outputs(p, m);
}

static int read_monitor(struct tv_monitor_parser *p)
{
	struct tv_monitor_span name = tv_monitor_word(p);
	struct tv_monitor *m;
	char text[48];
	bool letter = false;

	for (size_t i = name.from; i < name.to; i++)
		letter = letter || isalpha((unsigned char)p->text[i]);
	if (!letter)
		return tv_monitor_wrong(
			p, name.from, "%s, expected the name of a monitor (letters, digits, _, -)",
			tv_monitor_found(p, name.from, text));
	for (size_t i = 0; i < p->out->n; i++)
		if (tv_monitor_is(p, name, p->out->monitor[i].name))
			return tv_monitor_wrong(p, name.from,
						"a second monitor '%.100s', expected another name",
						p->out->monitor[i].name);
	if (p->out->n == MONITORS_MAX)
		return tv_monitor_wrong(p, name.from, "too many monitors, expected up to %d",
					MONITORS_MAX);
	TV_GROW(p->out->monitor, p->out->n, p->out->cap, 1);
	m = &p->out->monitor[p->out->n++];
	*m = (struct tv_monitor){ .name = tv_monitor_copy(p, name),
				  .file = p->out->file,
				  .index = -1 };
	memset(p->value, 0, sizeof p->value);
	if (!tv_monitor_symbol(p, "{"))
		return tv_monitor_wrong(p, p->at, "%s, expected { here",
					tv_monitor_found(p, p->at, text));
	if (take_short(p)) {
		if (!tv_monitor_symbol(p, "}"))
			return tv_monitor_wrong(p, p->at, "%s, expected } here",
						tv_monitor_found(p, p->at, text));
	} else {
		while (!tv_monitor_symbol(p, "}"))
			if (take_value(p) < 0)
				return -1;
	}
	name.to = p->at;
	if (read_values(p, m, name.from) < 0)
		return -1;
	p->at = name.to;
	return 0;
}

int tv_monitors_read(struct tv_monitors *monitors, const char *file, const char *text, size_t n,
		     struct tv_error *err)
{
	struct tv_monitor_parser p = { .out = monitors, .n = n, .err = err };
	int rc = 0;

	*monitors = (struct tv_monitors){ .file = tv_strdup(file) };
	if (n > TEXT_MAX)
		return tv_fail_at(err, (struct tv_pos){ monitors->file, 0 },
				  "more than %d bytes, expected a description of monitors",
				  TEXT_MAX);
	p.text = tv_strndup(text, n);
	tv_monitor_drop_comments(p.text, n);
	for (tv_monitor_blanks(&p); rc == 0 && p.at < p.n; tv_monitor_blanks(&p))
		rc = read_monitor(&p);
	if (rc == 0 && monitors->n == 0)
		rc = tv_monitor_wrong(
			&p, 0, "no monitor, expected NAME { OBJ:=LEVEL; EVSET:=EVENT, ...; }");
	tv_free(p.text);
	return rc;
}

static void monitor_release(struct tv_monitor *m)
{
	tv_free(m->name);
	tv_free(m->level);
	tv_free(m->library);
	for (size_t i = 0; i < m->nevents; i++)
		tv_free(m->event[i]);
	tv_free(m->event);
	tv_free(m->event_at);
	tv_free(m->operand);
	tv_free(m->child);
	for (size_t i = 0; i < m->noutputs; i++) {
		tv_free(m->output[i].name);
		tv_arithmetic_free(m->output[i].value);
	}
	tv_free(m->output);
}

void tv_monitors_release(struct tv_monitors *monitors)
{
	for (size_t i = 0; i < monitors->n; i++)
		monitor_release(&monitors->monitor[i]);
	tv_free(monitors->monitor);
	tv_free(monitors->file);
	*monitors = (struct tv_monitors){ 0 };
}
