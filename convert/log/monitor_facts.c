/* SPDX-License-Identifier: GPL-3.0-or-later */
/* monitor_facts.c -- unit, kind, origin of outputs that a description of monitors makes of events. */
#include <string.h>

#include "convert/log/raw.h"
#include "monitor/monitor.h"
#include "trace/alloc.h"

/* The event that an operand is: of the monitor itself, or of one that feeds it. Its monitor; *event is its number there. */
static const struct tv_monitor *find_event(const struct tv_monitors *all,
					   const struct tv_monitor *m, size_t operand,
					   size_t *event)
{
	while (m->source == TV_MONITOR_SUMS) {
		const struct tv_monitor *child = NULL;

		for (size_t i = 0; i < m->nchildren; i++) {
			child = &all->monitor[m->child[i]];
			if (operand < child->width)
				break;
			operand -= child->width;
			child = NULL;
		}
		if (child == NULL)
			return NULL;
		m = child;
	}
	*event = operand;
	return m->source == TV_MONITOR_READ && operand < m->nevents ? m : NULL;
}

/* The operand that an output is the last value of; -1: it is computed. */
static int64_t operand_of(const struct tv_monitor *m, size_t output)
{
	if (m->cumulative || (m->readings > 1 && m->window != TV_MONITOR_LAST))
		return -1;
	if (m->reduction == TV_MONITOR_EVENTS)
		return (int64_t)output;
	return m->reduction == TV_MONITOR_EXPRESSIONS
		     ? tv_arithmetic_operand(m->output[output].value)
		     : -1;
}

static void copy_fact(struct tv_trace *trace, const char *from, const char *to, const char *fact)
{
	char *source = tv_format("Monitor.%s.%s", from, fact);
	char *key = tv_format("Monitor.%s.%s", to, fact);
	size_t n;
	const char *value = tv_meta_get(trace, source, &n);
	char *copy = value != NULL ? tv_strndup(value, n) : NULL;

	if (copy != NULL && tv_meta_get(trace, key, &n) == NULL)
		tv_meta_add(trace, key, "%s", copy);
	tv_free(copy);
	tv_free(source);
	tv_free(key);
}

void tv_raw_note_outputs(struct tv_trace *trace, const struct tv_monitors *all, const char *suffix)
{
	static const char *const fact[] = { "Unit", "Backend", "Scope", "Kind" };

	for (size_t i = 0; i < all->n; i++) {
		const struct tv_monitor *m = &all->monitor[i];

		for (size_t k = 0; k < m->noutputs && m->source != TV_MONITOR_JOIN; k++) {
			int64_t operand = operand_of(m, k);
			const struct tv_monitor *of = NULL;
			size_t event = 0;
			char *name, *to;

			if (operand >= 0)
				of = find_event(all, m, (size_t)operand, &event);
			if (of == NULL)
				continue;
			name = tv_format("%s.%s", of->name, of->event[event]);
			to = tv_format("%s%s", m->output[k].name, suffix);
			for (size_t f = 0; f < TV_COUNT(fact); f++)
				copy_fact(trace, name, to, fact[f]);
			tv_free(to);
			tv_free(name);
		}
	}
}
