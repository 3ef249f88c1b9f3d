/* SPDX-License-Identifier: GPL-3.0-or-later */
/* run.c -- compute the outputs of monitors from readings. */
#include <math.h>
#include <string.h>

#include "monitor/monitor.h"
#include "trace/alloc.h"
#include "trace/map.h"

/* A monitor on one object. */
struct state {
	uint32_t object;
	uint64_t tick; /* of its last reading */
	int64_t start, end;
	double *event; /* the reading */
	size_t n, cap;
	uint64_t *fed; /* of SUMS: the tick in which each child gave its first part */
	double *total; /* of cumulative monitors */
	double *ring;  /* the last readings: `columns` outputs each */
	size_t columns, held, next;
};

/* The states of one monitor. */
struct group {
	struct state *state;
	size_t n, cap;
	uint32_t *touched; /* in this tick, in order */
	size_t ntouched, touched_cap;
	char **joined; /* names of the outputs of a JOIN without expressions */
	size_t njoined;
};

struct tv_monitor_run {
	const struct tv_monitors *monitors;
	const struct tv_monitor_machine *machine;
	struct group *group;
	struct tv_map states; /* (monitor, object) -> its number in the group */
	uint64_t tick;
	double *column; /* buffer of a window */
};

struct tv_monitor_run *tv_monitor_run_new(const struct tv_monitors *monitors,
					  const struct tv_monitor_machine *machine)
{
	struct tv_monitor_run *run = tv_alloc(1, sizeof *run);
	size_t readings = 1;

	run->monitors = monitors;
	run->machine = machine;
	run->group = tv_alloc(monitors->n, sizeof *run->group);
	run->tick = 1;
	for (size_t i = 0; i < monitors->n; i++)
		if (monitors->monitor[i].readings > readings)
			readings = monitors->monitor[i].readings;
	run->column = tv_alloc(readings, sizeof *run->column);
	return run;
}

void tv_monitor_run_free(struct tv_monitor_run *run)
{
	for (size_t i = 0; run != NULL && i < run->monitors->n; i++) {
		struct group *group = &run->group[i];

		for (size_t k = 0; k < group->n; k++) {
			tv_free(group->state[k].event);
			tv_free(group->state[k].fed);
			tv_free(group->state[k].total);
			tv_free(group->state[k].ring);
		}
		for (size_t k = 0; k < group->njoined; k++)
			tv_free(group->joined[k]);
		tv_free(group->joined);
		tv_free(group->state);
		tv_free(group->touched);
	}
	if (run == NULL)
		return;
	tv_map_release(&run->states);
	tv_free(run->group);
	tv_free(run->column);
	tv_free(run);
}

/* ---- readings ---- */

/* The state of a monitor on an object, with a new reading in this tick if it has none yet. */
static struct state *touch(struct tv_monitor_run *run, uint32_t monitor, uint32_t object)
{
	struct group *group = &run->group[monitor];
	const struct tv_monitor *m = &run->monitors->monitor[monitor];
	uint32_t *number = tv_map_at(&run->states, monitor, object);
	struct state *state;

	if (*number == TV_NONE) {
		*number = (uint32_t)group->n;
		TV_GROW(group->state, group->n, group->cap, 1);
		group->state[group->n++] = (struct state){
			.object = object,
			.fed = tv_alloc(m->nchildren, sizeof *group->state->fed),
		};
	}
	state = &group->state[*number];
	if (state->tick == run->tick)
		return state;
	TV_GROW(group->touched, group->ntouched, group->touched_cap, 1);
	group->touched[group->ntouched++] = *number;
	state->tick = run->tick;
	state->start = INT64_MAX;
	state->end = INT64_MIN;
	state->n = 0;
	return state;
}

static void append(struct state *state, double value)
{
	TV_GROW(state->event, state->n, state->cap, 1);
	state->event[state->n++] = value;
}

static void cover(struct state *state, int64_t start, int64_t end)
{
	state->start = start < state->start ? start : state->start;
	state->end = end > state->end ? end : state->end;
}

void tv_monitor_add(struct tv_monitor_run *run, uint32_t monitor, uint32_t object, int64_t start,
		    int64_t end, const double *value)
{
	const struct tv_monitor *m = &run->monitors->monitor[monitor];
	struct state *state;

	if (m->index >= 0 && run->machine->index(run->machine->context, object) != m->index)
		return;
	state = touch(run, monitor, object);
	state->n = 0;
	cover(state, start, end);
	for (size_t i = 0; i < m->width; i++)
		append(state, isfinite(value[i]) ? value[i] : NAN);
}

static void output_values(const struct tv_monitor *m, const struct state *state, double *out);

/* Adds the events of a child, or joins its outputs. k: which child of the monitor; first: its first
 * event in there. */
static void feed(struct tv_monitor_run *run, uint32_t monitor, size_t k, size_t first,
		 const struct state *part)
{
	const struct tv_monitor *m = &run->monitors->monitor[monitor];
	const struct tv_monitor *child = &run->monitors->monitor[m->child[k]];
	uint32_t object = run->machine->above(run->machine->context, part->object, m->level);
	struct state *state;

	if (object == UINT32_MAX
	    || (m->index >= 0 && run->machine->index(run->machine->context, object) != m->index))
		return;
	state = touch(run, monitor, object);
	cover(state, part->start, part->end);
	if (m->source == TV_MONITOR_JOIN) {
		size_t columns = child->noutputs > 0 ? child->noutputs : part->n;
		double *out = tv_alloc(columns, sizeof *out);

		output_values(child, part, out);
		for (size_t i = 0; i < columns; i++)
			append(state, out[i]);
		tv_free(out);
		return;
	}
	while (state->n < m->width)
		append(state, NAN);
	for (size_t i = 0; i < part->n; i++)
		state->event[first + i] = state->fed[k] == run->tick
						? state->event[first + i] + part->event[i]
						: part->event[i];
	state->fed[k] = run->tick;
}

static void feed_all(struct tv_monitor_run *run, uint32_t monitor)
{
	const struct tv_monitor *m = &run->monitors->monitor[monitor];
	size_t first = 0;

	for (size_t k = 0; k < m->nchildren; k++) {
		const struct group *group = &run->group[m->child[k]];

		for (size_t i = 0; i < group->ntouched; i++)
			feed(run, monitor, k, first, &group->state[group->touched[i]]);
		first += run->monitors->monitor[m->child[k]].width;
	}
}

static void accumulate(struct state *state)
{
	if (state->total == NULL)
		state->total = tv_alloc(state->n, sizeof *state->total);
	for (size_t i = 0; i < state->n; i++) {
		state->total[i] += state->event[i];
		state->event[i] = state->total[i];
	}
}

/* ---- outputs ---- */

static double variance(const double *x, size_t n, double mean)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += (x[i] - mean) * (x[i] - mean);
	return sum / (double)n;
}

double tv_monitor_apply(enum tv_monitor_function function, const double *x, size_t n)
{
	double sum = 0, min = INFINITY, max = -INFINITY, result;

	for (size_t i = 0; i < n; i++) {
		sum += x[i];
		min = fmin(min, x[i]);
		max = fmax(max, x[i]);
	}
	if (n == 0 || isnan(sum))
		return NAN;
	switch (function) {
	case TV_MONITOR_SUM:
		result = sum;
		break;
	case TV_MONITOR_MEAN:
		result = sum / (double)n;
		break;
	case TV_MONITOR_MIN:
		result = min;
		break;
	case TV_MONITOR_MAX:
		result = max;
		break;
	case TV_MONITOR_VAR:
		result = variance(x, n, sum / (double)n);
		break;
	default:
		result = x[n - 1];
	}
	return isfinite(result) ? result : NAN;
}

static double event_of(const void *context, uint32_t operand)
{
	const struct state *state = context;

	return operand < state->n ? state->event[operand] : NAN;
}

/* The outputs of one reading: m->noutputs, or as many as there are events. */
static void output_values(const struct tv_monitor *m, const struct state *state, double *out)
{
	if (m->reduction == TV_MONITOR_EVENTS && state->n > 0)
		memcpy(out, state->event, state->n * sizeof *out);
	if (m->reduction == TV_MONITOR_OVER_EVENTS)
		out[0] = tv_monitor_apply(m->over, state->event, state->n);
	for (size_t i = 0; m->reduction == TV_MONITOR_EXPRESSIONS && i < m->noutputs; i++)
		out[i] = tv_arithmetic_value(m->output[i].value, event_of, state);
}

/* Puts the outputs of the reading into the ring. */
static void keep(const struct tv_monitor *m, struct state *state)
{
	size_t columns = m->noutputs > 0 ? m->noutputs : state->n;

	if (columns != state->columns || state->ring == NULL) {
		/* The number of parts that are joined has changed: older readings do not fit. */
		state->ring = tv_realloc(state->ring, m->readings * columns, sizeof *state->ring);
		state->columns = columns;
		state->held = state->next = 0;
	}
	output_values(m, state, state->ring + state->next * columns);
	state->next = (state->next + 1) % m->readings;
	state->held += state->held < m->readings;
}

/* An output over the window; missing values in it are left out, but the last one must not be missing
 * where it alone counts. */
static double over_window(struct tv_monitor_run *run, const struct tv_monitor *m,
			  const struct state *state, size_t column)
{
	size_t n = 0, last = (state->next + m->readings - 1) % m->readings;

	if (m->window == TV_MONITOR_LAST)
		return state->ring[last * state->columns + column];
	for (size_t i = 0; i < state->held; i++) {
		double x = state->ring[i * state->columns + column];

		if (!isnan(x))
			run->column[n++] = x;
	}
	return tv_monitor_apply(m->window, run->column, n);
}

static const char *output_name(struct group *group, const struct tv_monitor *m, size_t i)
{
	if (i < m->noutputs)
		return m->output[i].name;
	while (group->njoined <= i) {
		group->joined = tv_realloc(group->joined, group->njoined + 1,
					   sizeof *group->joined);
		group->joined[group->njoined] = tv_format("%s.%zu", m->name, group->njoined);
		group->njoined++;
	}
	return group->joined[i];
}

void tv_monitor_tick(struct tv_monitor_run *run, tv_monitor_emit *emit, void *context)
{
	for (uint32_t k = 0; k < run->monitors->n; k++) {
		const struct tv_monitor *m = &run->monitors->monitor[k];
		struct group *group = &run->group[k];

		feed_all(run, k);
		for (size_t i = 0; i < group->ntouched; i++) {
			struct state *state = &group->state[group->touched[i]];

			if (m->cumulative && m->width > 0)
				accumulate(state);
			keep(m, state);
			for (size_t c = 0; !m->silent && c < state->columns; c++) {
				double value = over_window(run, m, state, c);

				if (!isnan(value))
					emit(context, m, output_name(group, m, c), state->object,
					     state->start, state->end, value);
			}
		}
	}
	for (uint32_t k = 0; k < run->monitors->n; k++)
		run->group[k].ntouched = 0;
	run->tick++;
}
