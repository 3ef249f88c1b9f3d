/* SPDX-License-Identifier: GPL-3.0-or-later */
/* simulated_space.c -- memory nodes of limited size: the option, and their use as tables of a trace. */
#include "sim/model/simulated_space.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/core/places.h"
#include "sim/units.h"
#include "trace/alloc.h"
#include "trace/sorted.h"

/* ---- the option ---- */

/* The size of TYPE=SIZE, of which text is the first n bytes. */
static int parse_limit(const char *text, size_t n, int64_t *bytes, struct tv_error *err)
{
	size_t name = strcspn(text, "=");
	char *size = name < n ? tv_strndup(text + name + 1, n - name - 1) : NULL;
	struct tv_error none;
	double value = -1;
	int rc = size == NULL ? -1 : tv_parse_quantity(size, TV_SIZE, &value, &none);

	tv_free(size);
	if (rc < 0 || !(value >= 0) || value > 1e18)
		return tv_fail_usage(err, "--memory '%.*s', expected TYPE=SIZE,... as in CUDA=8GB",
				     (int)n, text);
	*bytes = llround(value);
	return 0;
}

int tv_simulated_limits_check(const char *limits, struct tv_error *err)
{
	for (const char *at = limits; at != NULL && *at != '\0';) {
		size_t n = strcspn(at, ",");
		int64_t bytes;

		if (parse_limit(at, n, &bytes, err) < 0)
			return -1;
		at += n + (at[n] == ',');
	}
	return 0;
}

/* The limit of every memory node of a type's workers. */
static int limit_type(struct tv_simulated_memory *m, const char *type, int64_t bytes,
		      const struct tv_simulated_worker *worker, uint32_t label, uint32_t nworkers,
		      struct tv_error *err)
{
	for (uint32_t w = 0; w < nworkers; w++) {
		int64_t *capacity = &m->capacity[m->of_worker[w]];

		if (worker[w].type != label)
			continue;
		if (m->of_worker[w] == 0)
			return tv_fail_usage(err,
					     "--memory %s: its workers are in main memory, which "
					     "has no limit",
					     type);
		if (*capacity < 0 || bytes < *capacity)
			*capacity = bytes;
	}
	return 0;
}

/* Each task must fit where it can run. */
static int check_task(const struct tv_simulated_memory *m, const struct tv_simulator *of,
		      uint32_t node, uint32_t rtype, int64_t limit, struct tv_error *err)
{
	const struct tv_simulated_accesses *data = m->data;
	double bytes = 0;

	for (uint32_t k = data->first[node]; k < data->first[node + 1]; k++)
		if (data->access[k].reads || data->access[k].writes)
			bytes += (double)data->size[data->access[k].handle];
	if (bytes <= (double)limit)
		return 0;
	return tv_fail(err, "--memory %s: the data of task %s are %.0f bytes, the memory has %lld",
		       tv_pool_text(of->run->tasks.pool, of->costs.rtype[rtype]),
		       tv_pool_text(of->run->tasks.pool, tv_dag_job(of->dag, node)), bytes,
		       (long long)limit);
}

static int check_tasks(const struct tv_simulated_memory *m, const struct tv_simulator *of,
		       uint32_t rtype, int64_t limit, struct tv_error *err)
{
	const struct tv_costs *costs = &of->costs;

	for (uint32_t v = 0; v < of->dag->n; v++)
		if (of->work[v] && costs->can[(size_t)costs->job[v].type * costs->nrtypes + rtype]
		    && check_task(m, of, v, rtype, limit, err) < 0)
			return -1;
	return 0;
}

int tv_simulated_limits_init(struct tv_simulated_memory *m, const struct tv_simulator *of,
			     const char *limits, const struct tv_simulated_worker *worker,
			     uint32_t nworkers, struct tv_error *err)
{
	if (!m->simulated)
		return tv_fail_usage(err, "--memory has no effect: transfers take no time");
	m->capacity = tv_alloc(m->memory.nmemories, sizeof *m->capacity);
	m->memory.capacity = m->capacity;
	for (uint32_t i = 0; i < m->memory.nmemories; i++)
		m->capacity[i] = -1;
	for (const char *at = limits; *at != '\0';) {
		size_t n = strcspn(at, ","), name = strcspn(at, "=");
		uint32_t rtype = tv_costs_rtype(&of->costs, at, name), label;
		int64_t bytes;

		if (parse_limit(at, n, &bytes, err) < 0)
			return -1;
		if (rtype == TV_NONE)
			return tv_costs_no_rtype(&of->costs, "memory", at, name, err);
		label = of->costs.rtype[rtype];
		if (limit_type(m, tv_pool_text(of->run->tasks.pool, label), bytes, worker, label,
			       nworkers, err)
			    < 0
		    || check_tasks(m, of, rtype, bytes, err) < 0)
			return -1;
		at += n + (at[n] == ',');
	}
	return 0;
}

/* ---- the use ---- */

TV_ORDER(by_memory, struct tv_sim_use, memory, time, bytes)

void tv_simulated_uses_write(const struct tv_simulation *s, struct tv_trace *out)
{
	const struct tv_sim_space_log *log = s->schedule.space;
	struct tv_sim_use *use = log->use;
	struct tv_column *resource, *type, *start, *end, *value;
	int64_t used = 0;

	if (log->nuses == 0)
		return;
	qsort(use, log->nuses, sizeof *use, by_memory);
	resource = tv_trace_column(out, TV_VARIABLES, "ResourceId");
	type = tv_trace_column(out, TV_VARIABLES, "Type");
	start = tv_trace_column(out, TV_VARIABLES, "Start");
	end = tv_trace_column(out, TV_VARIABLES, "End");
	value = tv_trace_column(out, TV_VARIABLES, "Value");
	for (size_t i = 0; i < log->nuses; i++) {
		bool last = i + 1 == log->nuses || use[i + 1].memory != use[i].memory;
		uint32_t row;

		used += use[i].bytes;
		if (!last && use[i + 1].time == use[i].time)
			continue;
		row = tv_table_add_row(&out->table[TV_VARIABLES]);
		tv_set_text(resource, row, s->memory.name[use[i].memory]);
		tv_set_text(type, row, TV_USED_COUNTER);
		tv_set_int(start, row, use[i].time);
		tv_set_int(end, row, last ? use[i].time : use[i + 1].time);
		tv_set_double(value, row, (double)used / 0x1p20);
		used = last ? 0 : used;
	}
	tv_table_finish(&out->table[TV_VARIABLES]);
}
