/* SPDX-License-Identifier: GPL-3.0-or-later */
/* variables.c -- variables that keep their value until it is set, and sums of contributions. */
#include <math.h>
#include <stddef.h>

#include "convert/fxt/fxt.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

/* A row [since, time) of the value until now. */
static void write_step(struct tv_fxt_run *run, const struct tv_fxt_step_variable *variable,
		       int64_t time)
{
	const struct tv_fxt_columns *c = &run->col;
	uint32_t row = tv_table_add_row(&run->trace->table[TV_VARIABLES]);

	tv_set_label(c->variable_resource, row, variable->resource);
	tv_set_label(c->variable_type, row, run->type[variable->type]);
	tv_set_int(c->variable_start, row, variable->since);
	tv_set_int(c->variable_end, row, time);
	tv_set_double(c->variable_value, row, variable->value);
}

void tv_fxt_set_variable(struct tv_fxt_run *run, struct tv_fxt_step_variable *variable,
			 int64_t time, double value)
{
	if (run->trace->table[TV_VARIABLES].unread)
		return;
	/* Six decimals, as StarPU's converter writes them: what follows is noise of sums. */
	value = round(value * 1e6) / 1e6;
	if (variable->live && variable->value == value)
		return;
	/* A value that another one replaces at once has no row. */
	if (variable->live && time > variable->since)
		write_step(run, variable, time);
	if (!variable->live || time > variable->since)
		variable->since = time;
	variable->value = value;
	variable->live = true;
}

void tv_fxt_end_variable(struct tv_fxt_run *run, struct tv_fxt_step_variable *variable,
			 int64_t time)
{
	/* The last value has one, also if it lasts no time. */
	if (variable->live)
		write_step(run, variable, time > variable->since ? time : variable->since);
	variable->live = false;
}

void tv_fxt_add_delta(const struct tv_fxt_run *run, struct tv_fxt_deltas *deltas, uint32_t target,
		      int64_t start, int64_t end, double value)
{
	if (run->trace->table[TV_VARIABLES].unread)
		return;
	tv_fxt_check_count(deltas->n + 1, "changes of a counter");
	TV_GROW(deltas->item, deltas->n, deltas->cap, 2);
	deltas->item[deltas->n++] = (struct tv_fxt_delta){ start, value, target, 1 };
	deltas->item[deltas->n++] = (struct tv_fxt_delta){ end, -value, target, -1 };
}

void tv_fxt_sum_deltas(struct tv_fxt_run *run, struct tv_fxt_deltas *deltas,
		       struct tv_fxt_step_variable *const *variable, size_t n)
{
	struct sum {
		double value;
		int64_t active;
	} *sum = tv_alloc(n, sizeof *sum);

	tv_sort_by_time(deltas->item, deltas->n, sizeof *deltas->item,
			offsetof(struct tv_fxt_delta, time), NULL); /* equal ones as they came */
	for (size_t i = 0; i < deltas->n; i++) {
		const struct tv_fxt_delta *d = &deltas->item[i];
		struct sum *s = &sum[d->target];

		/* Sums of doubles have rounding errors: without contributions it is exactly 0. */
		s->active += d->active;
		s->value = s->active != 0 ? s->value + d->value : 0;
		tv_fxt_set_variable(run, variable[d->target], d->time, s->value);
	}
	tv_free(sum);
	tv_free(deltas->item);
	*deltas = (struct tv_fxt_deltas){ 0 };
}
