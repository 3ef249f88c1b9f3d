/* SPDX-License-Identifier: GPL-3.0-or-later */
/* samples.c -- values of variables as they were measured. */
#include "analysis/machine/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/core/instead.h"
#include "analysis/machine/device_objects.h"
#include "trace/alloc.h"
#include "trace/near_names.h"
#include "trace/sorted.h"
#include "trace/text.h"

const struct tv_field tv_sample_columns[5] = {
	{ "ResourceId", TV_LABEL, false, "", "object of the machine, or another resource" },
	{ "Type", TV_LABEL, false, "", "variable" },
	{ "Start", TV_TIME, false, "ms", "begin of the interval; of a gauge its instant" },
	{ "End", TV_TIME, false, "ms", "its end" },
	{ "Value", TV_DOUBLE, false, "", "value, in the unit of the variable" },
};

const enum tv_monitor_function tv_samples_function[] = {
	[TV_SAMPLES_SUM] = TV_MONITOR_SUM, [TV_SAMPLES_MEAN] = TV_MONITOR_MEAN,
	[TV_SAMPLES_MIN] = TV_MONITOR_MIN, [TV_SAMPLES_MAX] = TV_MONITOR_MAX,
	[TV_SAMPLES_VAR] = TV_MONITOR_VAR,
};

void tv_sample_write(struct tv_table *out, const struct tv_sample *sample)
{
	uint32_t row = tv_table_add_row(out);

	tv_set_label(out->col[0], row, sample->resource);
	tv_set_label(out->col[1], row, sample->type);
	tv_set_int(out->col[2], row, sample->start);
	tv_set_int(out->col[3], row, sample->end);
	tv_set_double(out->col[4], row, sample->value);
}

/* ---- order ---- */

/* A label with what it sorts by. */
struct named {
	const char *name;
	uint32_t label, object;
};

static int by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;

	/* Objects in the order of the machine, before other resources and types. */
	if (x->object != y->object)
		return TV_COMPARE(x->object, y->object);
	return x->label == y->label ? 0 : tv_natural_order(x->name, y->name);
}

/* Ranks the labels that samples have; labels that are new since the last call get theirs, too. */
static void rank_labels(struct tv_samples *samples)
{
	const struct tv_pool *pool = samples->run->trace->pool;
	uint32_t nlabels = tv_pool_count(pool);
	struct named *named;
	size_t n = 0;

	tv_free(samples->rank);
	samples->rank = tv_alloc(nlabels, sizeof *samples->rank);
	for (size_t i = 0; i < samples->n; i++) {
		samples->rank[samples->at[i].type] = 1;
		if (samples->at[i].resource != TV_NONE)
			samples->rank[samples->at[i].resource] = 1;
	}
	for (uint32_t i = 0; i < nlabels; i++)
		n += samples->rank[i];
	named = tv_alloc(n, sizeof *named);
	n = 0;
	for (uint32_t i = 0; i < nlabels; i++)
		if (samples->rank[i] != 0)
			named[n++] = (struct named){ tv_pool_text(pool, i), i,
						     tv_object_of(&samples->machine, i) };
	qsort(named, n, sizeof *named, by_name);
	for (size_t i = 0; i < n; i++)
		samples->rank[named[i].label] = (uint32_t)i;
	tv_free(named);
}

/* A sample as numbers to sort by. */
struct sorted {
	int64_t key[4];
	struct tv_sample sample;
};

TV_ORDER(by_key, struct sorted, key[0], key[1], key[2], key[3], sample.object)

void tv_samples_sort(struct tv_samples *samples, enum tv_samples_order order)
{
	struct sorted *sorted = tv_alloc(samples->n, sizeof *sorted);

	rank_labels(samples);
	for (size_t i = 0; i < samples->n; i++) {
		const struct tv_sample *s = &samples->at[i];
		int64_t type = samples->rank[s->type];
		int64_t place = s->resource != TV_NONE ? (int64_t)samples->rank[s->resource] : -1;
		const int64_t key[][4] = {
			[TV_SAMPLES_SERIES] = { type, place, s->start, s->end },
			[TV_SAMPLES_TICKS] = { type, s->start, s->end, place },
			[TV_SAMPLES_PLACES] = { place, s->start, s->end, type },
		};

		memcpy(sorted[i].key, key[order], sizeof sorted[i].key);
		sorted[i].sample = *s;
	}
	qsort(sorted, samples->n, sizeof *sorted, by_key);
	for (size_t i = 0; i < samples->n; i++)
		samples->at[i] = sorted[i].sample;
	tv_free(sorted);
}

size_t tv_samples_group(const struct tv_samples *samples, size_t first, bool type, bool resource)
{
	const struct tv_sample *s = &samples->at[first];
	size_t n = 1;

	while (first + n < samples->n && s[n].start == s->start && s[n].end == s->end
	       && (!type || s[n].type == s->type) && (!resource || s[n].resource == s->resource))
		n++;
	return n;
}

int tv_samples_single(const struct tv_samples *samples, struct tv_error *err)
{
	struct tv_name_list names = { .n = 0 };

	for (size_t i = 0; i < samples->n; i++)
		if (i == 0 || samples->at[i].type != samples->at[i - 1].type)
			tv_name_list_add(&names, tv_pool_text(samples->run->trace->pool,
							      samples->at[i].type));
	return names.n <= 1 ? 0
			    : tv_fail(err, "several variables match, expected the name of one: %s",
				      tv_name_list_text(&names));
}

/* ---- collecting ---- */

static int none_fits(const struct tv_run *run, const struct tv_column *type, const char *patterns,
		     struct tv_error *err)
{
	const struct tv_table *table = tv_trace_table(run->trace, TV_VARIABLES);
	bool *seen = tv_alloc(tv_pool_count(run->trace->pool), sizeof *seen);
	struct tv_name_list names = { .n = 0 };

	for (uint32_t row = 0; row < table->nrows; row++) {
		uint32_t label = tv_label(type, row);

		if (label == TV_NONE || seen[label])
			continue;
		seen[label] = true;
		tv_name_list_quote(&names, tv_pool_text(run->trace->pool, label));
	}
	tv_free(seen);
	if (names.n == 0)
		return tv_fail_lacks(err, run->trace,
				     "the trace has no variables, such as those of a recording "
				     "with --monitor");
	return tv_fail(err, "no variable '%s' in the window, expected some of %s",
		       patterns != NULL ? patterns : "*", tv_name_list_text(&names));
}

int tv_samples_init(struct tv_samples *samples, struct tv_run *run, const char *patterns,
		    struct tv_error *err)
{
	const struct tv_table *table = tv_trace_table(run->trace, TV_VARIABLES);
	const struct tv_column *type = tv_table_find(table, "Type");
	const struct tv_column *resource = tv_table_find(table, "ResourceId");
	const struct tv_column *start = tv_table_find(table, "Start");
	const struct tv_column *end = tv_table_find(table, "End");
	const struct tv_column *value = tv_table_find(table, "Value");
	enum { UNKNOWN, FITS, DIFFERS };
	uint8_t *is = tv_alloc(tv_pool_count(run->trace->pool), 1);
	size_t cap = 0;

	*samples = (struct tv_samples){ .run = run };
	tv_run_machine_init(&samples->machine, run);
	for (uint32_t row = 0; row < table->nrows; row++) {
		uint32_t label = tv_label(type, row);

		if (label == TV_NONE || tv_missing(start, row) || tv_missing(end, row)
		    || tv_missing(value, row) || isnan(value->d[row]))
			continue;
		if (is[label] == UNKNOWN)
			is[label] = patterns == NULL
						 || tv_glob_list(
							 patterns,
							 tv_pool_text(run->trace->pool, label))
					  ? FITS
					  : DIFFERS;
		if (is[label] == DIFFERS
		    || (run->window.set
			&& (end->i[row] < run->window.begin || start->i[row] > run->window.end)))
			continue;
		TV_GROW(samples->at, samples->n, cap, 1);
		samples->at[samples->n++] = (struct tv_sample){
			label,	     tv_label(resource, row), TV_NONE, start->i[row],
			end->i[row], value->d[row],
		};
		if (tv_label(resource, row) != TV_NONE)
			samples->at[samples->n - 1].object = tv_object_of(&samples->machine,
									  tv_label(resource, row));
	}
	tv_free(is);
	if (samples->n == 0)
		return none_fits(run, type, patterns, err);
	tv_samples_sort(samples, TV_SAMPLES_SERIES);
	return 0;
}

void tv_samples_part(struct tv_samples *part, const struct tv_samples *all, uint32_t type)
{
	*part = (struct tv_samples){ .part = true,
				     .run = all->run,
				     .machine = all->machine,
				     .at = tv_alloc(all->n, sizeof *part->at) };
	for (size_t i = 0; i < all->n; i++)
		if (all->at[i].type == type && all->at[i].object != TV_NONE)
			part->at[part->n++] = all->at[i];
}

void tv_samples_release(struct tv_samples *samples)
{
	if (!samples->part)
		tv_machine_release(&samples->machine);
	tv_free(samples->at);
	tv_free(samples->rank);
	samples->at = NULL;
	samples->rank = NULL;
}

void tv_samples_total(struct tv_samples *samples)
{
	size_t out = 0;

	for (size_t first = 0, last; first < samples->n; first = last) {
		struct tv_sample s = samples->at[first];
		bool gauge = true;
		double sum = 0;

		for (last = first; last < samples->n && samples->at[last].type == s.type
				   && samples->at[last].resource == s.resource;
		     last++) {
			const struct tv_sample *at = &samples->at[last];

			sum += at->value;
			gauge = gauge && at->start == at->end;
			s.end = at->end > s.end ? at->end : s.end;
		}
		s.value = gauge ? sum / (double)(last - first) : sum;
		if (isfinite(s.value))
			samples->at[out++] = s;
	}
	samples->n = out;
}

/* ---- levels ---- */

/* Moves a sample to its object of the level; false: it has none there, or an object inside its own has
 * the same variable (has_inner). */
static bool lift(struct tv_samples *samples, struct tv_sample *s, uint32_t level,
		 const bool *has_inner, size_t left_out[3])
{
	uint32_t above;

	if (s->object == TV_NONE) {
		left_out[0]++;
		return false;
	}
	if (has_inner[s->object]) {
		left_out[1]++;
		return false;
	}
	above = tv_object_above(&samples->machine, s->object, level);
	if (above == TV_NONE) {
		left_out[2]++;
		return false;
	}
	s->object = above;
	return true;
}

/* Marks the objects around those that have samples first..last, of one variable. */
static void mark_outer(const struct tv_samples *samples, size_t first, size_t last, bool *outer)
{
	const struct tv_object *object = samples->machine.at;

	memset(outer, 0, samples->machine.n * sizeof *outer);
	for (size_t i = first; i < last; i++)
		for (uint32_t o = samples->at[i].object; o != TV_NONE; o = object[o].parent) {
			uint32_t parent = object[o].parent;

			if (parent == TV_NONE || outer[parent])
				break;
			outer[parent] = true;
		}
}

static void warn(struct tv_samples *samples, const char *level, const size_t left_out[3])
{
	static const char *const why[] = {
		"are on resources that are no objects of the machine",
		"are on objects that contain others with values of the same variable",
		"are on objects that no object of the level contains",
	};

	for (int i = 0; i < 3; i++)
		if (left_out[i] > 0)
			tv_run_warn(samples->run,
				    "%zu values are not part of those of level %s: they %s",
				    left_out[i], level, why[i]);
}

/* Keeps the samples inside the level; `part` gets the resource that each was on. */
static size_t keep_inside(struct tv_samples *samples, uint32_t level, const char *name,
			  uint32_t *part)
{
	bool *outer = tv_alloc(samples->machine.n, sizeof *outer);
	size_t left_out[3] = { 0 }, n = 0;

	for (size_t first = 0, last; first < samples->n; first = last) {
		for (last = first;
		     last < samples->n && samples->at[last].type == samples->at[first].type;)
			last++;
		mark_outer(samples, first, last, outer);
		for (size_t i = first; i < last; i++) {
			struct tv_sample s = samples->at[i];

			if (!lift(samples, &s, level, outer, left_out))
				continue;
			part[n] = s.resource;
			s.resource = samples->machine.at[s.object].id;
			samples->at[n++] = s;
		}
	}
	tv_free(outer);
	warn(samples, name, left_out);
	return n;
}

/* TYPE@OBJECT for each sample, on the object of the level. */
static void join(struct tv_samples *samples, const uint32_t *part)
{
	struct tv_pool *pool = samples->run->trace->pool;

	for (size_t i = 0; i < samples->n; i++) {
		char *name = tv_format("%s@%s", tv_pool_text(pool, samples->at[i].type),
				       tv_pool_text(pool, part[i]));

		samples->at[i].type = tv_intern_text(pool, name);
		tv_free(name);
	}
	tv_samples_sort(samples, TV_SAMPLES_SERIES);
}

/* One sample for each type, object and interval. */
static void combine(struct tv_samples *samples, enum tv_samples_by by, const char *level)
{
	double *value = tv_alloc(samples->n, sizeof *value);
	size_t out = 0, fewer = 0;

	tv_samples_sort(samples, TV_SAMPLES_SERIES);
	for (size_t first = 0, series; first < samples->n; first = series) {
		const struct tv_sample head = samples->at[first];
		size_t begin = out, parts = 0;

		for (series = first; series < samples->n && samples->at[series].type == head.type
				     && samples->at[series].resource == head.resource;) {
			size_t n = tv_samples_group(samples, series, true, true);
			struct tv_sample s = samples->at[series];

			for (size_t i = 0; i < n; i++)
				value[i] = samples->at[series + i].value;
			s.value = tv_monitor_apply(tv_samples_function[by], value, n);
			series += n;
			fewer += n < parts;
			if (n > parts) {
				fewer += out - begin;
				parts = n;
			}
			if (!isnan(s.value))
				samples->at[out++] = s;
		}
	}
	tv_free(value);
	samples->n = out;
	if (fewer > 0)
		tv_run_warn(
			samples->run,
			"%zu values of level %s have fewer parts than others of the same object: "
			"not all objects have a value in each interval",
			fewer, level);
}

int tv_samples_reduce(struct tv_samples *samples, const char *name, enum tv_samples_by by,
		      struct tv_error *err)
{
	uint32_t level = tv_machine_level(&samples->machine, name);
	uint32_t *part;

	if (level == TV_NONE)
		return tv_machine_no_level(&samples->machine, name, err);
	part = tv_alloc(samples->n, sizeof *part);
	samples->n = keep_inside(samples, level, name, part);
	if (samples->n > 0 && by == TV_SAMPLES_JOIN)
		join(samples, part);
	else if (samples->n > 0)
		combine(samples, by, name);
	tv_free(part);
	return samples->n > 0
		     ? 0
		     : tv_fail(err,
			       "no value is on an object inside level %s: 'topology' lists "
			       "the objects, 'counter' those with values",
			       name);
}
