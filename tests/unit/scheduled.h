/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scheduled.h -- random runs that respect their dependencies, with all that decided when each task started.
 *
 * Units are executions that start together: a task, a team of two, a segment. They are scheduled in the order in which
 * they were drawn, each behind all units that it depends on, that ran before on its workers or held its handle.
 */
#ifndef TV_SCHEDULED_H
#define TV_SCHEDULED_H

#include <stdio.h>

#include "tests/unit/sample.h"

enum { UNITS_MAX = 40, WORKERS_MAX = 24, DEPS_MAX = 3 };

struct unit {
	int job, segment, type; /* segment -1: the job has none */
	bool setup;		/* not counted */
	int nrows, worker[2];
	int64_t offset[2], time[2]; /* from its start, ns */
	int64_t submit, start, end;
	int ndeps;
	struct {
		int unit;
		bool message;
		int64_t posted, arrived;
	} dep[DEPS_MAX];
	int before;    /* the segment before; -1 = none */
	bool commutes; /* it holds the one handle of its node */
};

struct scheduled {
	uint64_t seed;
	int nnodes, ntypes, nworkers, node[WORKERS_MAX], rtype[WORKERS_MAX];
	int n;
	struct unit unit[UNITS_MAX];
	bool teams, segments, commuting, submits, setups;
	char csv[1 << 15];
	size_t at;
};

static inline int64_t scheduled_draw(struct scheduled *s, int64_t below)
{
	return (int64_t)unit_random(&s->seed, (uint64_t)below);
}

static inline bool scheduled_chance(struct scheduled *s, int one_of)
{
	return scheduled_draw(s, one_of) == 0;
}

static inline int64_t scheduled_max(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static inline void scheduled_machine(struct scheduled *s)
{
	s->nnodes = 1 + (int)scheduled_draw(s, 6);
	s->ntypes = 1 + (int)scheduled_draw(s, 3);
	s->nworkers = 0;
	for (int node = 0; node < s->nnodes; node++)
		for (int k = 1 + (int)scheduled_draw(s, 4); k > 0; k--) {
			s->node[s->nworkers] = node;
			s->rtype[s->nworkers++] = (int)scheduled_draw(s, s->ntypes);
		}
}

/* Whether another unit of the job of that unit follows: only its last segment is depended on. */
static inline bool scheduled_goes_on(const struct scheduled *s, int unit)
{
	for (int i = unit + 1; i < s->n; i++)
		if (s->unit[i].before == unit)
			return true;
	return false;
}

static inline void scheduled_depend(struct scheduled *s, struct unit *u)
{
	for (int k = 0; s->n > 0 && k < DEPS_MAX; k++) {
		int on = (int)scheduled_draw(s, s->n);
		bool seen = false;

		for (int i = 0; i < u->ndeps; i++)
			seen = seen || s->unit[u->dep[i].unit].job == s->unit[on].job;
		if (scheduled_chance(s, 2) || seen || scheduled_goes_on(s, on)
		    || s->unit[on].job == u->job)
			continue;
		u->dep[u->ndeps].unit = on;
		u->dep[u->ndeps++].message = s->node[s->unit[on].worker[0]]
					  != s->node[u->worker[0]];
	}
}

static inline void scheduled_place(struct scheduled *s, struct unit *u)
{
	u->nrows = 1;
	u->worker[0] = (int)scheduled_draw(s, s->nworkers);
	u->time[0] = scheduled_chance(s, 9) ? 0 : 1 + scheduled_draw(s, 40);
	u->worker[1] = (u->worker[0] + 1) % s->nworkers;
	if (!s->teams || !scheduled_chance(s, 4) || u->time[0] == 0 || u->worker[1] == u->worker[0]
	    || s->node[u->worker[1]] != s->node[u->worker[0]])
		return;
	u->nrows = 2;
	u->offset[1] = scheduled_draw(s, u->time[0]);
	u->time[1] = 1 + scheduled_draw(s, 40);
}

static inline void scheduled_add_unit(struct scheduled *s, int before)
{
	struct unit *u = &s->unit[s->n];

	memset(u, 0, sizeof *u);
	u->before = before;
	u->job = before >= 0 ? s->unit[before].job : s->n + 1;
	u->segment = before >= 0 ? 1 : -1;
	u->type = before >= 0 ? s->unit[before].type : (int)scheduled_draw(s, 3);
	u->submit = before >= 0 ? s->unit[before].submit : s->submits ? scheduled_draw(s, 60) : 0;
	u->setup = before < 0 && s->setups && scheduled_chance(s, 8);
	scheduled_place(s, u);
	scheduled_depend(s, u);
	u->commutes = s->commuting && before < 0 && u->nrows == 1 && !u->setup && u->time[0] > 0
		   && scheduled_chance(s, 3);
	s->n++;
}

/* When each message of a unit arrives, and from when on dependencies let it start. */
static inline int64_t scheduled_released(struct scheduled *s, struct unit *u)
{
	int64_t time = u->submit;

	for (int i = 0; i < u->ndeps; i++) {
		int64_t end = s->unit[u->dep[i].unit].end;

		u->dep[i].posted = end + (scheduled_chance(s, 2) ? scheduled_draw(s, 9) : 0);
		u->dep[i].arrived = u->dep[i].posted + scheduled_draw(s, 12);
		time = scheduled_max(time, u->dep[i].message ? u->dep[i].arrived : end);
	}
	return u->before >= 0 ? scheduled_max(time, s->unit[u->before].end) : time;
}

static inline void scheduled_run(struct scheduled *s)
{
	int64_t free[WORKERS_MAX] = { 0 }, handle[WORKERS_MAX] = { 0 };

	for (int i = 0; i < s->n; i++) {
		struct unit *u = &s->unit[i];
		int64_t time = scheduled_released(s, u), *held = &handle[s->node[u->worker[0]]];

		for (int k = 0; k < u->nrows; k++)
			time = scheduled_max(time, free[u->worker[k]] - u->offset[k]);
		if (u->commutes)
			time = scheduled_max(time, *held);
		u->start = time + (scheduled_chance(s, 2) ? scheduled_draw(s, 7) : 0);
		u->end = u->start;
		for (int k = 0; k < u->nrows; k++) {
			free[u->worker[k]] = u->start + u->offset[k] + u->time[k];
			u->end = scheduled_max(u->end, free[u->worker[k]]);
		}
		if (u->commutes)
			*held = u->end;
	}
}

static inline void scheduled_print(struct scheduled *s, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static inline void scheduled_print(struct scheduled *s, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	s->at += (size_t)vsnprintf(s->csv + s->at, sizeof s->csv - s->at, format, args);
	va_end(args);
	assert_true(s->at < sizeof s->csv);
}

/* Times in ns as ms. */
static inline const char *scheduled_ms(char *text, int64_t ns)
{
	snprintf(text, TV_NUMBER_MAX, "0.%06d", (int)ns);
	return text;
}

static inline void scheduled_write_unit(struct scheduled *s, int i)
{
	const struct unit *u = &s->unit[i];
	char a[TV_NUMBER_MAX], b[TV_NUMBER_MAX], c[TV_NUMBER_MAX];

	for (int k = 0; k < u->ndeps; k++)
		if (u->dep[k].message)
			scheduled_print(s, ",m,,m%d_%d,%s,%s,message,,%d,,,,,\n", i, k,
					scheduled_ms(a, u->dep[k].posted),
					scheduled_ms(b, u->dep[k].arrived),
					s->unit[u->dep[k].unit].job);
	for (int row = 0; row < u->nrows; row++) {
		scheduled_print(s, "%d_W%d,t%d,R%d,%d,%s,%s,%s,%d,", s->node[u->worker[row]],
				u->worker[row], u->type, s->rtype[u->worker[row]], u->job,
				scheduled_ms(a, u->start + u->offset[row]),
				scheduled_ms(b, u->start + u->offset[row] + u->time[row]),
				u->setup ? "setup" : "app", s->node[u->worker[row]]);
		for (int k = 0; k < u->ndeps; k++)
			if (u->dep[k].message)
				scheduled_print(s, "m%d_%d ", i, k);
			else
				scheduled_print(s, "%d ", s->unit[u->dep[k].unit].job);
		scheduled_print(s, ",%s,%s,", s->submits ? scheduled_ms(c, u->submit) : "",
				u->nrows > 1 ? "2" : "");
		scheduled_print(s, u->segment < 0 ? "%.0d,%s,%s\n" : "%d,%s,%s\n",
				u->segment < 0 ? 0 : u->segment, u->commutes ? "h" : "",
				u->commutes ? "RWC" : "");
	}
}

static inline void scheduled_write(struct scheduled *s)
{
	s->at = 0;
	scheduled_print(s, "ResourceId,Value,ResourceType,JobId,Start,End,Kind,Node,DependsOn,"
			   "SubmitTime,Team,Segment,Handles,Modes\n");
	for (int w = 0; w < s->nworkers; w++)
		scheduled_print(s, "%d_W%d,,R%d,,,,worker,%d,,,,,,\n", s->node[w], w, s->rtype[w],
				s->node[w]);
	for (int i = 0; i < s->n; i++)
		scheduled_write_unit(s, i);
}

/* A random run, as CSV in s->csv, of which s->seed is the seed; it becomes the next one. */
static inline void scheduled_make(struct scheduled *s)
{
	int units = 1 + (int)scheduled_draw(s, UNITS_MAX - 2);

	s->teams = scheduled_chance(s, 2);
	s->segments = scheduled_chance(s, 2);
	s->commuting = scheduled_chance(s, 2);
	s->submits = !scheduled_chance(s, 3);
	s->setups = scheduled_chance(s, 3);
	s->n = 0;
	scheduled_machine(s);
	while (s->n < units) {
		scheduled_add_unit(s, -1);
		if (s->segments && scheduled_chance(s, 4) && s->unit[s->n - 1].nrows == 1
		    && !s->unit[s->n - 1].setup && !s->unit[s->n - 1].commutes) {
			s->unit[s->n - 1].segment = 0;
			scheduled_add_unit(s, s->n - 1);
			s->unit[s->n - 1].nrows = 1;
		}
	}
	scheduled_run(s);
	scheduled_write(s);
}

#endif
