/* SPDX-License-Identifier: GPL-3.0-or-later */
/* declare.c -- what the log of a sampler contains before the samples: texts, objects, monitors, sets. */
#include "record/tool/monitor/source.h"

#include <stdio.h>

#include "record/loaded/log.h"

static uint64_t or_none(int64_t number)
{
	return number < 0 ? TV_LOG_MONITOR_NONE : (uint64_t)number;
}

/* Writes an event with texts, each ended by NUL. */
static void declare(int64_t time, unsigned kind, unsigned code, unsigned nargs, const uint64_t *arg,
		    const char *const *text, unsigned ntexts)
{
	char joined[32768];
	size_t n = 0;

	for (unsigned i = 0; i < ntexts && n + 1 < sizeof joined; i++)
		n += (size_t)snprintf(joined + n, sizeof joined - n, "%s", text[i]) + 1;
	if (n > sizeof joined)
		n = sizeof joined;
	tv_log_write_at(time, kind, code, nargs, arg, joined, n > 0 ? n - 1 : 0);
}

static void declare_objects(const struct tv_sampler *s, int64_t time)
{
	for (unsigned i = 0; i < s->hardware.n; i++) {
		const struct tv_hardware_object *o = &s->hardware.object[i];
		const uint64_t arg[] = {
			i,	 or_none(o->parent), o->logical, or_none(o->os), (uint64_t)o->depth,
			o->bytes
		};

		declare(time, TV_LOG_MONITOR_OBJECT, 0, 6, arg,
			(const char *const[]){ o->level, o->cpus }, 2);
	}
}

static void declare_monitors(const struct tv_sampler *s, int64_t time, int64_t period)
{
	for (unsigned i = 0; i < s->nmonitors; i++) {
		const struct tv_sampler_monitor *m = &s->monitor[i];

		declare(time, TV_LOG_MONITOR, 0, 3,
			(const uint64_t[]){ i, (uint64_t)period, m->described },
			(const char *const[]){ m->name }, 1);
		for (unsigned k = 0; k < m->nevents; k++) {
			const struct tv_source_event *e = &m->event[k];

			declare(time, TV_LOG_MONITOR_EVENT,
				(e->counter ? TV_LOG_MONITOR_COUNTER : 0u)
					| (e->real ? TV_LOG_MONITOR_REAL : 0u),
				2, (const uint64_t[]){ i, k },
				(const char *const[]){ e->name, e->unit, m->source->name,
						       e->scope },
				4);
		}
	}
	for (unsigned i = 0; i < s->nsets; i++) {
		const struct tv_set *set = &s->set[i];

		declare(time, TV_LOG_MONITOR_SET, 0, 5,
			(const uint64_t[]){ i, set->monitor, set->object, set->first, set->n },
			NULL, 0);
	}
}

static void declare_texts(const struct tv_sampler *s, int64_t time)
{
	for (unsigned i = 0; i < s->ntexts; i++)
		declare(time, TV_LOG_META, 0, 0, NULL,
			(const char *const[]){ s->text[i].key, s->text[i].text }, 2);
}

void tv_sampler_declare(const struct tv_sampler *s, int64_t time, int64_t period)
{
	declare_texts(s, time);
	declare_objects(s, time);
	declare_monitors(s, time, period);
}
