/* SPDX-License-Identifier: GPL-3.0-or-later */
/* observations.c -- values of several variables that belong together. */
#include "analysis/machine/observations.h"

#include <math.h>
#include <string.h>

#include "trace/alloc.h"

/* The variables of a list, in its order. */
static int find_types(struct tv_observations *o, const struct tv_samples *samples,
		      const char *names, struct tv_error *err)
{
	const struct tv_pool *pool = samples->run->trace->pool;

	for (size_t n; *names != '\0'; names += names[n] == ',' ? n + 1 : n) {
		uint32_t label = TV_NONE;

		n = strcspn(names, ",");
		for (size_t i = 0; i < samples->n && label == TV_NONE; i++) {
			uint32_t type = samples->at[i].type;

			if (strlen(tv_pool_text(pool, type)) == n
			    && memcmp(tv_pool_text(pool, type), names, n) == 0)
				label = type;
		}
		if (label == TV_NONE)
			return tv_fail(err,
				       "no variable '%.*s': 'reduce' and 'counter' list those of "
				       "the trace",
				       (int)n, names);
		for (size_t i = 0; i < o->width; i++)
			if (o->type[i] == label)
				return tv_fail_usage(err, "the variable '%.*s' is given twice",
						     (int)n, names);
		o->type = tv_realloc(o->type, o->width + 1, sizeof *o->type);
		o->type[o->width++] = label;
	}
	return 0;
}

/* The values of one resource and interval; whether all are there. */
static bool take(const struct tv_observations *o, const struct tv_sample *s, size_t n, double *x)
{
	size_t have = 0;

	for (size_t k = 0; k < o->width; k++)
		x[k] = NAN;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < o->width; k++)
			if (s[i].type == o->type[k]) {
				have += isnan(x[k]);
				x[k] = s[i].value;
			}
	return have == o->width;
}

static int fill(struct tv_observations *o, struct tv_samples *samples, struct tv_error *err)
{
	size_t cap = 0, x_cap = 0, incomplete = 0;

	tv_samples_sort(samples, TV_SAMPLES_PLACES);
	for (size_t first = 0, n; first < samples->n; first += n) {
		n = tv_samples_group(samples, first, false, true);
		TV_GROW(o->x, o->n * o->width, x_cap, o->width);
		if (!take(o, &samples->at[first], n, o->x + o->n * o->width)) {
			incomplete++;
			continue;
		}
		TV_GROW(o->at, o->n, cap, 1);
		o->at[o->n++] = samples->at[first];
	}
	if (o->n == 0)
		return tv_fail(err,
			       "no resource has values of all these variables in one interval");
	if (incomplete > 0)
		tv_run_warn(samples->run, "%zu intervals of resources lack one of the variables",
			    incomplete);
	return 0;
}

int tv_observations_init(struct tv_observations *o, struct tv_run *run, const char *names,
			 const char *level, struct tv_error *err)
{
	struct tv_samples samples;
	int rc;

	*o = (struct tv_observations){ 0 };
	rc = tv_samples_init(&samples, run, NULL, err);
	if (rc == 0)
		rc = find_types(o, &samples, names, err);
	if (rc == 0) {
		size_t n = 0;

		for (size_t i = 0; i < samples.n; i++)
			for (size_t k = 0; k < o->width; k++)
				if (samples.at[i].type == o->type[k])
					samples.at[n++] = samples.at[i];
		samples.n = n;
		if (level != NULL)
			rc = tv_samples_reduce(&samples, level, TV_SAMPLES_SUM, err);
	}
	if (rc == 0)
		rc = fill(o, &samples, err);
	tv_samples_release(&samples);
	return rc;
}

void tv_observations_release(struct tv_observations *o)
{
	tv_free(o->at);
	tv_free(o->type);
	tv_free(o->x);
	*o = (struct tv_observations){ 0 };
}
