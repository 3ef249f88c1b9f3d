/* SPDX-License-Identifier: GPL-3.0-or-later */
/* output.c -- functions and expressions of monitors. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "monitor/parser.h"
#include "trace/alloc.h"
#include "trace/number.h"

enum { READINGS_MAX = 100000, DEFAULT_READINGS = 32 };

/* ---- functions ---- */

static const char *const functions[] = {
	[TV_MONITOR_LAST] = "last", [TV_MONITOR_SUM] = "sum", [TV_MONITOR_MEAN] = "mean",
	[TV_MONITOR_MIN] = "min",   [TV_MONITOR_MAX] = "max", [TV_MONITOR_VAR] = "var",
};

#define FUNCTIONS "last, sum, mean, min, max or var"

static bool prefix(const char **s, size_t *n, const char *text)
{
	size_t length = strlen(text);

	if (*n < length || strncasecmp(*s, text, length) != 0)
		return false;
	*s += length;
	*n -= length;
	return true;
}

/* The function of that name: MONITOR_SAMPLES_LAST, evset_max, hmonitor_events_var, sum. *each: it is
 * one over readings, for each event. */
static bool find_function(const char *s, size_t n, enum tv_monitor_function *function, bool *each)
{
	if (!prefix(&s, &n, "hmonitor_"))
		prefix(&s, &n, "monitor_");
	*each = prefix(&s, &n, "events_") || prefix(&s, &n, "samples_") || prefix(&s, &n, "stats_");
	if (!*each)
		prefix(&s, &n, "evset_");
	for (size_t i = 0; i < TV_COUNT(functions); i++)
		if (strlen(functions[i]) == n && strncasecmp(functions[i], s, n) == 0) {
			*function = (enum tv_monitor_function)i;
			return true;
		}
	return false;
}

int tv_monitor_read_window(struct tv_monitor_parser *p, struct tv_monitor *m)
{
	struct tv_monitor_span s = p->value[TV_KEY_WINDOW_REDUCTION],
			       count = p->value[TV_KEY_READINGS];
	int64_t readings = 1;
	bool each;

	if (s.to > 0 && !find_function(p->text + s.from, s.to - s.from, &m->window, &each))
		return tv_monitor_wrong(p, s.from, "no function '%.*s', expected " FUNCTIONS,
					SHOW(p, s));
	if (s.to > 0 && m->window != TV_MONITOR_LAST)
		readings = DEFAULT_READINGS;
	if (count.to > 0
	    && (tv_parse_int(p->text + count.from, count.to - count.from, &readings) != TV_PARSE_OK
		|| readings < 1 || readings > READINGS_MAX))
		return tv_monitor_wrong(p, count.from, "'%.*s', expected a number from 1 to %d",
					SHOW(p, count), READINGS_MAX);
	m->readings = (size_t)readings;
	return 0;
}

/* ---- expressions ---- */

struct names {
	struct tv_monitor_parser *p;
	struct tv_monitor *m;
	bool add; /* names are events: CTR */
};

static int64_t find_operand(void *context, const char *name, size_t n)
{
	struct names *names = context;
	struct tv_monitor *m = names->m;
	int64_t number;

	if (n > 1 && name[0] == '$') {
		if (tv_parse_int(name + 1, n - 1, &number) != TV_PARSE_OK || number < 0
		    || strspn(name + 1, "0123456789") < n - 1)
			return -1;
		return number < (int64_t)m->width
				    || (m->source == TV_MONITOR_JOIN
					&& number < TV_MONITOR_EVENTS_MAX)
			     ? number
			     : -1;
	}
	for (size_t i = 0; i < m->width; i++)
		if (strlen(m->operand[i]) == n && memcmp(m->operand[i], name, n) == 0)
			return (int64_t)i;
	if (!names->add || m->nevents == TV_MONITOR_EVENTS_MAX || n == 0
	    || !isalpha((unsigned char)name[0]))
		return -1;
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)name[i]) && strchr("_:.", name[i]) == NULL)
			return -1;
	tv_monitor_add_event(names->p, m,
			     (struct tv_monitor_span){ (size_t)(name - names->p->text),
						       (size_t)(name - names->p->text) + n });
	m->operand = tv_realloc(m->operand, m->nevents, sizeof *m->operand);
	m->operand[m->width] = m->event[m->nevents - 1];
	return (int64_t)m->width++;
}

/* What an operand may be, for messages. */
static char *operand_names(const struct tv_monitor *m)
{
	char *list = tv_strdup("a number"), *longer;

	for (size_t i = 0; i < m->width && strlen(list) < 400; i++) {
		longer = tv_format("%s, $%zu or %s", list, i, m->operand[i]);
		tv_free(list);
		list = longer;
	}
	return list;
}

void tv_monitor_add_output(struct tv_monitor *m, char *name, struct tv_arithmetic *value)
{
	m->output = tv_realloc(m->output, m->noutputs + 1, sizeof *m->output);
	m->output[m->noutputs++] = (struct tv_monitor_output){ name, value };
}

/* [NAME =] expression */
int tv_monitor_read_expression(struct tv_monitor_parser *p, struct tv_monitor *m,
			       struct tv_monitor_span s, bool add)
{
	struct names names = { p, m, add };
	char *expected = NULL, after, *name;
	const struct tv_operands operands = { find_operand, &names, "", false };
	struct tv_arithmetic *value;
	const char *wrong;
	struct tv_monitor_span label = { 0, 0 };
	size_t at;
	int rc = 0;

	p->at = s.from;
	label = tv_monitor_word(p);
	if (label.to > label.from && label.to < s.to && tv_monitor_symbol(p, "=") && p->at <= s.to)
		s = tv_monitor_trim(p, (struct tv_monitor_span){ p->at, s.to });
	else
		label.to = 0;
	at = s.from;
	after = p->text[s.to];
	p->text[s.to] = '\0';
	value = tv_arithmetic_new(p->text, &at, &operands, &wrong);
	p->text[s.to] = after;
	while (value != NULL && at < s.to && isspace((unsigned char)p->text[at]))
		at++;
	if (value == NULL) {
		expected = operand_names(m);
		rc = tv_monitor_wrong(p, at, "expected %s here", *wrong != '\0' ? wrong : expected);
	} else if (at < s.to) {
		rc = tv_monitor_wrong(p, at, "expected + - * /, %s here", add ? "or ;" : ", or ;");
	}
	tv_free(expected);
	if (rc < 0) {
		tv_arithmetic_free(value);
		return -1;
	}
	name = label.to == 0 ? tv_strdup("") : tv_monitor_copy(p, label);
	tv_monitor_add_output(m, name, value);
	return 0;
}

/* The number of outputs before #, 0 = none; *s is then the name of the function. */
static int64_t output_count(const struct tv_monitor_parser *p, struct tv_monitor_span *s)
{
	const char *hash = memchr(p->text + s->from, '#', s->to - s->from);
	int64_t n;

	if (hash == NULL
	    || tv_parse_int(p->text + s->from, (size_t)(hash - p->text) - s->from, &n)
		       != TV_PARSE_OK)
		return 0;
	s->from = (size_t)(hash + 1 - p->text);
	return n > 0 ? n : -1;
}

static bool is_identifier(const struct tv_monitor_parser *p, struct tv_monitor_span s)
{
	for (size_t i = s.from; i < s.to; i++)
		if (!isalnum((unsigned char)p->text[i]) && p->text[i] != '_')
			return false;
	return s.to > s.from && !isdigit((unsigned char)p->text[s.from]);
}

static int read_function(struct tv_monitor_parser *p, struct tv_monitor *m,
			 struct tv_monitor_span s, int64_t count, size_t place)
{
	enum tv_monitor_function function;
	int64_t has;
	bool each;

	if (!find_function(p->text + s.from, s.to - s.from, &function, &each))
		return tv_monitor_wrong(
			p, s.from,
			"no function '%.*s', expected " FUNCTIONS
			" (fits and clusters are made of the trace: passes fit and cluster)",
			SHOW(p, s));
	if (each && p->value[TV_KEY_WINDOW_REDUCTION].to > 0)
		return tv_monitor_wrong(p, s.from, "two functions over a window, expected one");
	has = each ? (int64_t)m->width : 1;
	if (count != 0 && count != has && !(each && m->source == TV_MONITOR_JOIN))
		return tv_monitor_wrong(p, place, "%lld outputs, expected %lld", (long long)count,
					(long long)has);
	if (each) {
		m->window = function;
	} else {
		m->reduction = TV_MONITOR_OVER_EVENTS;
		m->over = function;
		tv_monitor_add_output(m, tv_strdup(functions[function]), NULL);
	}
	return 0;
}

int tv_monitor_read_reduction(struct tv_monitor_parser *p, struct tv_monitor *m,
			      struct tv_monitor_span s)
{
	struct names names = { p, m, false };
	struct tv_monitor_span name = s;
	int64_t count = output_count(p, &name);

	if (count != 0
	    || (is_identifier(p, s) && find_operand(&names, p->text + s.from, s.to - s.from) < 0))
		return read_function(p, m, name, count, s.from);
	m->reduction = TV_MONITOR_EXPRESSIONS;
	for (size_t at = s.from, end; at <= s.to; at = end + 1) {
		const char *comma = memchr(p->text + at, ',', s.to - at);

		end = comma != NULL ? (size_t)(comma - p->text) : s.to;
		if (m->noutputs == TV_MONITOR_EVENTS_MAX)
			return tv_monitor_wrong(p, at, "too many outputs, expected up to %d",
						TV_MONITOR_EVENTS_MAX);
		if (tv_monitor_read_expression(
			    p, m, tv_monitor_trim(p, (struct tv_monitor_span){ at, end }), false)
		    < 0)
			return -1;
	}
	return 0;
}
